// `eigenrig bench`: options to a benchmark, and the one that is asked for run.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "tools/eigenrig/cli.h"

// Sizes, modes and threads where none were given: those of `modes` are the bench's own.
static void fill_batch(bench_def *def, const options *o)
{
    const int size[] = {20, 40, 60};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!o->sizes_given) memcpy(def->size, size, sizeof size);
    if (!o->sizes_given) def->size_count = 3;
    if (o->count == 0) def->count = 0;
    if (o->threads == 0) def->threads = cores < 1 ? 1 : cores < 8 ? (int)cores : 8;
}

static void fill_motion(bench_def *def, const options *o)
{
    const int size[] = {20, 60, 200};
    if (!o->sizes_given) memcpy(def->size, size, sizeof size);
    if (!o->sizes_given) def->size_count = 3;
    if (o->count == 0) def->count = 66; // six of a floating rig are rigid
    for (int rig = 0; rig < BENCH_RIG_COUNT && !o->rigs_given; ++rig)
        def->rig[rig] = rig <= BENCH_CHARACTER; // the others have loops
}

static void fill_dynamics(bench_def *def, const options *o)
{
    for (int rig = 0; rig < BENCH_RIG_COUNT && !o->rigs_given; ++rig)
        def->rig[rig] = rig <= BENCH_CHARACTER; // the others have loops
}

static void fill_view(bench_def *def, const options *o)
{
    if (!o->sizes_given) def->size[0] = 60;
    if (!o->sizes_given) def->size_count = 1;
}

static void fill_folder(bench_def *def, const options *o)
{
    const int size[] = {20, 60, 200};
    if (!o->sizes_given) memcpy(def->size, size, sizeof size);
    if (!o->sizes_given) def->size_count = 3;
    if (o->count == 0) def->count = 1000;
    if (o->threads == 0) def->threads = o->batch.jobs;
}

static void fill_contacts(bench_def *def, const options *o)
{
    const int size[] = {1000, 4000, 16000, 100000};
    def->sizes_given = o->sizes_given;
    if (!o->sizes_given) memcpy(def->size, size, sizeof size);
    if (!o->sizes_given) def->size_count = 4;
}

// Before it begins, so that nobody waits for what takes an hour.
static void say_time(const options *o, const bench_def *def)
{
    double seconds = bench_seconds(o->measured, def);
    bool minutes = seconds > 90.0;
    if (def->quiet) return;
    say("this takes about %.0f %s where nothing else runs; fewer --sizes, --rigs and the like make it less",
        fmax(1.0, minutes ? seconds / 60.0 : seconds), minutes ? "min" : "s");
}

int run_bench(er_context *context, options *o)
{
    (void)context;
    char problem[4352];
    bench_def def = o->bench;
    def.count = o->count > 0 ? o->count : def.count;
    def.threads = o->threads > 0 ? o->threads : def.threads;
    def.output = o->output;
    def.quiet = o->quiet;
    static bool (*const run[])(const bench_def *, char *, size_t) = {
        bench_run,          bench_run_batch, bench_run_motion,   bench_run_view, bench_run_folder,
        bench_run_dynamics, bench_run_peers, bench_run_contacts, bench_run_play};
    if (o->measured == BENCH_OF_BATCH) fill_batch(&def, o);
    if (o->measured == BENCH_OF_MOTION) fill_motion(&def, o);
    if (o->measured == BENCH_OF_VIEW) fill_view(&def, o);
    if (o->measured == BENCH_OF_FOLDER) fill_folder(&def, o);
    if (o->measured == BENCH_OF_DYNAMICS) fill_dynamics(&def, o);
    if (o->measured == BENCH_OF_CONTACTS) fill_contacts(&def, o);
    if (o->measured == BENCH_OF_PLAY && !o->sizes_given) def.size[0] = 1000, def.size_count = 1;
    say_time(o, &def);
    if (run[o->measured](&def, problem, sizeof problem)) return EXIT_DONE;
    say("error: %s", problem);
    return EXIT_WORK;
}
