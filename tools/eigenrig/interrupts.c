// Handles Ctrl+C during work that leaves files behind: the signal is recorded, the work tidies up, then the signal is
// raised again.
#include <signal.h>

#include "base/platform.h"
#include "tools/eigenrig/cli.h"

enum { GRACE = 5 }; // seconds

static volatile sig_atomic_t stopped_by;
static int begun; // calls of interrupts_begin() without their end

static void end_now(int number)
{
    (void)number;
    signal(stopped_by, SIG_DFL);
    raise(stopped_by);
}

// Ends the program at once at a second signal, and later if the current work does not ask whether one came.
static void note_signal(int number)
{
    bool again = stopped_by != 0;
    stopped_by = number;
    if (again)
        end_now(number);
    else
        eri_platform_end_later(GRACE, end_now);
}

void interrupts_begin(void)
{
    if (begun++ > 0) return;
    stopped_by = 0;
    eri_platform_catch_ends(note_signal);
}

bool interrupts_came(void)
{
    if (stopped_by != 0) eri_platform_end_later(0, end_now);
    return stopped_by != 0;
}

void interrupts_end(void)
{
    if (begun == 0 || --begun > 0) return;
    eri_platform_release_ends();
    if (stopped_by != 0) raise(stopped_by);
}
