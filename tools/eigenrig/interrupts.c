// Ctrl+C during work that leaves something behind when it just ends: it is asked to end, tidies up, and then obeys.
#include <signal.h>

#include "base/platform.h"
#include "tools/eigenrig/cli.h"

static volatile sig_atomic_t stopped_by;

// Asked once more, it ends at once: what is at work may never look.
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
