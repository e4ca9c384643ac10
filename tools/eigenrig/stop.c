// Ctrl+C during work that leaves something behind when it just ends: it is asked to end, tidies up, and then obeys.
#include <signal.h>

#include "tools/eigenrig/cli.h"

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { END_COUNT = (int)(sizeof ends / sizeof ends[0]) };

static struct sigaction before[END_COUNT];
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
    struct sigaction action = {.sa_handler = note_signal};
    stopped_by = 0;
    for (int i = 0; i < END_COUNT; ++i) {
        sigaction(ends[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(ends[i], &action, NULL); // what is ignored stays so
    }
}

bool interrupts_came(void)
{
    return stopped_by != 0;
}

void interrupts_end(void)
{
    for (int i = 0; i < END_COUNT; ++i)
        sigaction(ends[i], &before[i], NULL);
    if (stopped_by != 0) raise(stopped_by);
}
