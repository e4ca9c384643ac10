// A progress bar on standard error for long work.

#include "base/platform.h"
#include "tools/eigenrig/cli.h"

progress progress_begin(const options *o, const char *what)
{
    bool wanted =
        !o->quiet && !messages_are_json() &&
        (o->progress == PROGRESS_ALWAYS || (o->progress == PROGRESS_AUTO && eri_platform_is_terminal(ERI_ERRORS)));
    progress p = {.what = what, .wanted = wanted, .start = eri_seconds()};
    return p;
}

void progress_step(progress *p, int done, int all)
{
    double t = eri_seconds();
    if (!p->wanted || t - p->start < 1.0 || t - p->last < 0.1) return;
    double rate = done / (t - p->start);
    fprintf(stderr, "\r%s  %d of %d  %.1f/s  %.0f s left \033[K", p->what, done, all, rate,
            rate > 0.0 ? (all - done) / rate : 0.0);
    p->shown = true;
    p->last = t;
}

void progress_end(progress *p)
{
    if (p->shown) fprintf(stderr, "\r\033[K");
}
