// Handles Ctrl+C during work that leaves files behind: the signal is recorded, the work tidies up, then the signal is
// raised again.
#include <signal.h>

#include "base/platform.h"
#include "tools/eigenrig/cli.h"

static volatile sig_atomic_t stopped_by;

// A second signal ends the program at once, because the current work may never check.
static void note_signal(int number)
{
    if (stopped_by != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    stopped_by = number;
}

void interrupts_begin(void)
{
    stopped_by = 0;
    eri_platform_catch_ends(note_signal);
}

bool interrupts_came(void)
{
    return stopped_by != 0;
}

void interrupts_end(void)
{
    eri_platform_release_ends();
    if (stopped_by != 0) raise(stopped_by);
}
