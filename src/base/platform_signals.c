// Requests to end: SIGINT, SIGTERM and SIGHUP of POSIX.
#include "base/platform_signals.h"

#include <unistd.h>

#include "base/platform.h"

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { END_COUNT = (int)(sizeof ends / sizeof ends[0]) };

static struct sigaction actions[END_COUNT]; // those before eri_platform_catch_ends()
static sigset_t before;
static bool held;

const sigset_t *eri_signals_before_hold(void)
{
    return held ? &before : NULL;
}

void eri_platform_catch_ends(void (*note)(int signal))
{
    struct sigaction action = {.sa_handler = note};
    for (int i = 0; i < END_COUNT; ++i) {
        sigaction(ends[i], NULL, &actions[i]);
        if (actions[i].sa_handler != SIG_IGN) sigaction(ends[i], &action, NULL);
    }
}

void eri_platform_hold_ends(void)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int i = 0; i < END_COUNT; ++i)
        sigaddset(&blocked, ends[i]);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    held = true;
}

void eri_platform_end_later(unsigned seconds, void (*end)(int signal))
{
    struct sigaction action = {.sa_handler = end};
    if (seconds > 0) sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
}

static void let_go(void)
{
    if (held) sigprocmask(SIG_SETMASK, &before, NULL);
    held = false;
}

void eri_platform_obey_ends(void)
{
    for (int i = 0; i < END_COUNT; ++i)
        signal(ends[i], SIG_DFL);
    let_go();
}

void eri_platform_release_ends(void)
{
    for (int i = 0; i < END_COUNT; ++i)
        sigaction(ends[i], &actions[i], NULL);
    let_go();
}

void eri_platform_ignore_file_limit(void)
{
    signal(SIGXFSZ, SIG_IGN);
}
