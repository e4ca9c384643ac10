#include "cli/cli.h"

int run_bench(er_context *context, options *o)
{
    (void)context;
    char problem[4352];
    bench_def def = o->bench;
    def.count = o->count > 0 ? o->count : def.count;
    def.threads = o->threads > 0 ? o->threads : def.threads;
    def.output = o->output;
    def.quiet = o->quiet;
    if (bench_run(&def, problem, sizeof problem)) return EXIT_DONE;
    say("error: %s", problem);
    return EXIT_WORK;
}
