// The program `eigenrig-bench`: reads its command line and runs one benchmark.
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/base.h>

#include "app/settings/setting.h"
#include "base/platform.h"
#include "tools/bench/bench.h"
#include "tools/program/message.h"
#include "tools/program/openblas_threads.h"
#include "tools/program/option_help.h"

typedef struct arguments {
    bench_def def; // count and threads: 0 if they were not given
    bool rigs_given, help, version;
    int errors; // ERRORS_TEXT or ERRORS_JSON
} arguments;

// ---- benchmarks

static void set_sizes(arguments *a, int count, const int *size)
{
    if (a->def.sizes_given) return;
    memcpy(a->def.size, size, (size_t)count * sizeof *size);
    a->def.size_count = count;
}

static void set_count(arguments *a, int count)
{
    if (a->def.count == 0) a->def.count = count;
}

static void set_threads(arguments *a, int threads)
{
    if (a->def.threads == 0) a->def.threads = threads;
}

static void leave_out_loops(arguments *a)
{
    for (int rig = 0; rig < BENCH_RIG_COUNT && !a->rigs_given; ++rig)
        a->def.rig[rig] = rig <= BENCH_CHARACTER; // the others have loops
}

static void complete_batch(arguments *a)
{
    set_sizes(a, 3, (const int[]){20, 40, 60});
    set_threads(a, eri_platform_cores() < 8 ? eri_platform_cores() : 8);
}

static void complete_motion(arguments *a)
{
    set_sizes(a, 3, (const int[]){20, 60, 200});
    set_count(a, 66); // six modes of a floating rig are rigid
    leave_out_loops(a);
}

static void complete_view(arguments *a)
{
    set_sizes(a, 1, (const int[]){60});
}

static void complete_folder(arguments *a)
{
    set_sizes(a, 3, (const int[]){20, 60, 200});
    set_count(a, 1000);
    set_threads(a, eri_platform_cores());
}

static void complete_contacts(arguments *a)
{
    set_sizes(a, 4, (const int[]){1000, 4000, 16000, 100000});
}

static void complete_play(arguments *a)
{
    set_sizes(a, 1, (const int[]){1000});
}

static const struct benchmark {
    const char *name, *summary;
    bench_runner *run;
    void (*complete)(arguments *a); // fills in values that were not given; NULL: the defaults of bench_default_def()
} benchmarks[] = {
    // In the order of bench_kind.
    {"modes", "time and memory of every route to the modes, beside plain LAPACK", bench_run_modes, NULL},
    {"batch", "many small rigs solved together and one by one", bench_run_batch, complete_batch},
    {"motion", "poses per second, beside a straightforward program", bench_run_motion, complete_motion},
    {"view", "frames per second of the window and of pictures", bench_run_view, complete_view},
    {"folder", "models per second of `eigenrig batch`", bench_run_folder, complete_folder},
    {"dynamics", "accelerations and a simulated second", bench_run_dynamics, leave_out_loops},
    {"peers", "error against time, beside other simulators", bench_run_peers, NULL},
    {"contacts", "steps of scenes in contact, beside other simulators", bench_run_contacts, complete_contacts},
    {"play", "steps and pictures of living scenes", bench_run_play, complete_play},
    {"follow", "follow-through of a tail of ten bones over 60 frames", bench_run_follow, NULL},
};
enum { BENCHMARK_COUNT = sizeof benchmarks / sizeof benchmarks[0] };

// ---- options

static bool read_sizes(const char *list, bench_def *def)
{
    static const setting bodies = {SETTING_WHOLE, .least = BENCH_LEAST_BODIES, .most = BENCH_MOST_BODIES};
    char word[32];
    def->sizes_given = true;
    def->size_count = 0;
    for (; setting_next_word(&list, word, sizeof word) != NULL; ++def->size_count)
        if (def->size_count == BENCH_MAX_SIZES || !setting_read(&bodies, word, &def->size[def->size_count]))
            return false;
    return true;
}

// @param name  of index 0 to count - 1
static bool read_names(const char *list, int count, const char *(*name)(int), bool *chosen)
{
    const char *names[16] = {NULL};
    for (int i = 0; i < count; ++i)
        names[i] = name(i);
    return setting_names(list, names, chosen);
}

static const char *name_of_rig(int rig)
{
    return bench_rig_name((bench_rig)rig);
}

static const char *name_of_route(int route)
{
    return bench_route_name((bench_route)route);
}

static const char *name_of_scene(int scene)
{
    return bench_scene_name((bench_scene_kind)scene);
}

static bool read_rigs(const char *list, bench_def *def)
{
    return read_names(list, BENCH_RIG_COUNT, name_of_rig, def->rig);
}

static bool read_routes(const char *list, bench_def *def)
{
    return read_names(list, BENCH_ROUTE_COUNT, name_of_route, def->route);
}

static bool read_scenes(const char *list, bench_def *def)
{
    return read_names(list, BENCH_SCENE_COUNT, name_of_scene, def->scene);
}

static bool read_engines(const char *list, bench_def *def)
{
    return read_names(list, BENCH_ENGINE_COUNT, bench_engine_name, def->engine);
}

#define AT(field) .place = offsetof(arguments, field)

static const struct option_row {
    const char *name;
    char letter; // 0: none
    const char *value, *help;
    setting of;                                     // of `arguments`
    bool (*read)(const char *text, bench_def *def); // NULL: by the setting
} rows[] = {
    {"help", 'h', "", "print this help", .of = {SETTING_FLAG, AT(help)}},
    {"quiet", 'q', "", "print errors and the CSV only", .of = {SETTING_FLAG, AT(def.quiet)}},
    {"errors", 0, "HOW",
     "format of messages on standard error: text, or json with one JSON object per line (docs/messages.md) and only "
     "errors [text]",
     .of = {SETTING_CHOICE, AT(errors), .choices = (const char *const[]){"text", "json", NULL}}},
    {"version", 0, "", "print the version", .of = {SETTING_FLAG, AT(version)}},
    {"threads", 0, "N", "threads of the linear algebra, of a batch, of a folder and of steps with contacts [1; cores]",
     .of = {SETTING_WHOLE, AT(def.threads), .least = 1, .most = 1e9}},
    {"output", 'o', "FILE.csv", "write the CSV to this file; - is standard output [-]",
     .of = {SETTING_TEXT, AT(def.output)}},
    {"sizes", 0, "N,N,...",
     "bodies of each rig [20,60,200,600,2000,6000,20000,100000; batch: 20,40,60; motion and folder: 20,60,200; view: "
     "60]; objects in each scene [contacts: 1000,4000,16000,100000 spheres and 100 of the rest; play: 1000]",
     .read = read_sizes},
    {"rigs", 0, "NAME,...", "chain, tree, character, animal, net, curtain [all; motion and dynamics: the first three]",
     .of = {SETTING_FLAG, AT(rigs_given)}, .read = read_rigs},
    {"routes", 0, "NAME,...", "modes: svd, qr, tree, sparse, whole, names, first, source, dsygvd, dsyevd [all]",
     .read = read_routes},
    {"scenes", 0, "NAME,...", "contacts: spheres, bridge, ragdolls [all]", .read = read_scenes},
    {"engines", 0, "NAME,...", "contacts: eigenrig, bullet, ode, mujoco [all that are installed]",
     .read = read_engines},
    {"count", 0, "N", "lowest modes, rigid ones included [64; batch: all; motion: 66]; folder: models [1000]",
     .of = {SETTING_WHOLE, AT(def.count), .least = 1, .most = 1e9}},
    {"budget", 0, "SECONDS", "time limit of one rig on one route, or of one scene in one engine [120]",
     .of = {SETTING_NUMBER, AT(def.budget), .most = HUGE_VAL, .above = true}},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void print_help(void)
{
    printf("eigenrig-bench %s: measures time and memory of eigenrig's computations\n\n"
           "Usage: eigenrig-bench [BENCHMARK] [options]\n\n",
           er_version());
    for (int i = 0; i < BENCHMARK_COUNT; ++i)
        printf("  %-10s %s\n", benchmarks[i].name, benchmarks[i].summary);
    printf("\nOptions:\n");
    for (int i = 0; i < ROW_COUNT; ++i)
        print_option_help(rows[i].letter, rows[i].name, rows[i].value, rows[i].help, stdout);
    printf("\nExample:\n  eigenrig-bench modes --rigs character --sizes 60 --routes qr,dsyevd -o bench.csv\n");
}

static bool set_option(const struct option_row *row, const char *text, arguments *a)
{
    if (row->of.kind != SETTING_OTHER && !setting_read(&row->of, text, a)) return false;
    return row->read == NULL || row->read(text, &a->def);
}

static int read_options(int argc, char **argv, arguments *a)
{
    struct option names[ROW_COUNT + 1] = {0};
    int which;
    for (int i = 0; i < ROW_COUNT; ++i)
        names[i] = (struct option){rows[i].name, *rows[i].value != '\0' ? required_argument : no_argument, NULL, i};
    opterr = 0;
    for (int sign; (sign = getopt_long(argc, argv, ":hqo:", names, NULL)) != -1;) {
        const char *word = argv[optind - 1];
        for (which = 0; which < ROW_COUNT && sign != which && sign != rows[which].letter;)
            ++which;
        if (which == ROW_COUNT)
            return fail_usage("", "option \"%s\" %s", word,
                              sign == ':' ? "needs a value" : "is unknown, ambiguous or takes no value");
        if (set_option(&rows[which], optarg, a)) continue;
        return fail_usage("", "--%s does not take \"%s\" (%s: %s)", rows[which].name, optarg, rows[which].value,
                          rows[which].help);
    }
    return EXIT_DONE;
}

// ---- running

static int fail(const char *text)
{
    write_message(&(message){.kind = "error", .word = "error: ", .exit = EXIT_WORK}, text);
    return EXIT_WORK;
}

static int run(bench_kind kind, arguments *a)
{
    char problem[4352];
    const struct benchmark *chosen = &benchmarks[kind];
    if (chosen->complete != NULL) chosen->complete(a);
    if (kind != BENCH_OF_BATCH) set_count(a, bench_default_def().count); // a batch: all modes
    set_threads(a, bench_default_def().threads);
    double seconds = bench_seconds(kind, &a->def);
    bool minutes = seconds > 90.0;
    if (!a->def.quiet)
        print_note("this takes about %.0f %s on an idle core; use fewer --sizes or --rigs to shorten it",
                   fmax(1.0, minutes ? seconds / 60.0 : seconds), minutes ? "min" : "s");
    if (!bench_write(chosen->run, &a->def, problem, sizeof problem)) return fail(problem);
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_DONE;
    return fail("standard output cannot be written");
}

int main(int argc, char **argv)
{
    arguments a = {.def = bench_default_def()};
    const char *names[BENCHMARK_COUNT + 1] = {NULL};
    int kind = 0;
    a.def.count = a.def.threads = 0;
    eri_platform_fill_streams();
    keep_threads_in_limits(argv);
    messages_begin("eigenrig-bench", "bench", errors_are_json(argv + 1));
    int status = read_options(argc, argv, &a);
    if (status != EXIT_DONE) return status;
    messages_begin("eigenrig-bench", "bench", a.errors == ERRORS_JSON);
    a.def.quiet |= messages_are_json();
    if (a.help || a.version) {
        if (a.help)
            print_help();
        else
            printf("eigenrig-bench %s\n", er_version());
        return EXIT_DONE;
    }
    for (int i = 0; i < BENCHMARK_COUNT; ++i)
        names[i] = benchmarks[i].name;
    if (optind < argc) kind = setting_choice(argv[optind], names);
    if (kind < 0 || optind + 1 < argc)
        return fail_usage("", "there is no benchmark \"%s\"", argv[kind < 0 ? optind : optind + 1]);
    return run((bench_kind)kind, &a);
}
