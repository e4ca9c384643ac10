#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    OPT_VERSION = 256,
    OPT_THREADS,
    OPT_PROGRESS,
    OPT_ROOT,
    OPT_JOINTS,
    OPT_STIFFNESS,
    OPT_DAMPING,
    OPT_DENSITY,
    OPT_MASS,
    OPT_HEIGHT,
    OPT_POSE,
    OPT_SKELETON,
    OPT_INFER,
    OPT_COUNT,
    OPT_MIN_HZ,
    OPT_MAX_HZ,
    OPT_METHOD,
    OPT_AMPLITUDE,
    OPT_JSON,
    OPT_SIZES,
    OPT_RIGS,
    OPT_ROUTES,
    OPT_BUDGET,
    OPT_SAVE_POSE,
    OPT_MIX,
    OPT_DURATION,
    OPT_LOOP,
    OPT_CYCLE,
    OPT_FPS,
    OPT_TOLERANCE,
    OPT_SPLINES,
    OPT_ATTACK,
    OPT_DECAY,
    OPT_RING,
    OPT_OVER,
    OPT_NAME,
    OPT_SAVE_MIX,
    OPT_PLOT,
    OPT_RIG
};

// One table says what there is: the group that decides which commands take it, and its help.
static const struct {
    char group; // see command.letters; c: common
    struct option option;
    const char *value, *help;
} table[] = {
    {'c', {"help", no_argument, NULL, 'h'}, "", "this help"},
    {'c', {"quiet", no_argument, NULL, 'q'}, "", "no warnings, no progress, no report of what was written"},
    {'w', {"verbose", no_argument, NULL, 'v'}, "", "facts and residuals too"},
    {'s', {"verbose", no_argument, NULL, 'v'}, "", "where in the script an error came from"},
    {'s', {"interactive", no_argument, NULL, 'i'}, "", "a prompt, after SCRIPT where there is one"},
    {'c', {"version", no_argument, NULL, OPT_VERSION}, "", "the program's version"},
    {'c', {"threads", required_argument, NULL, OPT_THREADS}, "N", "threads for linear algebra"},
    {'w', {"progress", required_argument, NULL, OPT_PROGRESS}, "WHEN", "auto, always or never: a bar for long work"},
    {'o',
     {"output", required_argument, NULL, 'o'},
     "FILE",
     "where to write; replaced when it exists, - is standard output"},
    {'j', {"json", no_argument, NULL, OPT_JSON}, "", "the rig file on standard output, for any command to read"},
    {'j', {"save-pose", required_argument, NULL, OPT_SAVE_POSE}, "FILE", "a pose file of the equilibrium, for --pose"},
    {'a',
     {"mix", required_argument, NULL, OPT_MIX},
     "MIX",
     "MODE:DEGREES[@HZ or @Nx][+PHASE or -PHASE],... or a mix file: DEGREES of the joint that turns most, @Nx N cycles "
     "a "
     "cycle; each one given, 64 at most, is a clip"},
    {'a',
     {"duration", required_argument, NULL, OPT_DURATION},
     "S",
     "how long [a cycle that loops, the mix's own or one that suits its modes; 5 with an envelope]"},
    {'a',
     {"loop", no_argument, NULL, OPT_LOOP},
     "",
     "an exact cycle: frequencies move to whole cycles of the duration"},
    {'a', {"cycle", required_argument, NULL, OPT_CYCLE}, "S", "the common cycle that @Nx counts in [the duration]"},
    {'a', {"fps", required_argument, NULL, OPT_FPS}, "N", "frames a second, 0 < N <= 100000 [60]"},
    {'a',
     {"tolerance", required_argument, NULL, OPT_TOLERANCE},
     "DEG",
     "keys only where each joint needs them to stay this near, 0 < DEG <= 57 [a key at every frame]"},
    {'a',
     {"splines", no_argument, NULL, OPT_SPLINES},
     "",
     "with --tolerance: fewer keys still, with tangents, in glTF (Blender drops these)"},
    {'a', {"attack", required_argument, NULL, OPT_ATTACK}, "S", "swell from rest at the beginning"},
    {'a', {"decay", required_argument, NULL, OPT_DECAY}, "S", "die away to rest at the end"},
    {'a', {"ring", no_argument, NULL, OPT_RING}, "", "each mode dies away by its own damping, which --damping gives"},
    {'a',
     {"over", required_argument, NULL, OPT_OVER},
     "CLIP",
     "on top of a clip of the model, by name or index; joint curves hold the mix alone"},
    {'a', {"name", required_argument, NULL, OPT_NAME}, "TEXT", "of the clip [the mix, or its file]"},
    {'a', {"save-mix", required_argument, NULL, OPT_SAVE_MIX}, "FILE", "the mix with its modes' shapes, for --mix"},
    {'a', {"plot", required_argument, NULL, OPT_PLOT}, "OUT.svg", "joint curves and the spectrum, to look at"},
    {'m',
     {"count", required_argument, NULL, OPT_COUNT},
     "N",
     "lowest modes, rigid ones counted [all up to 100 bodies, 64 beyond]"},
    {'m', {"min-hz", required_argument, NULL, OPT_MIN_HZ}, "F", "leave out modes below F Hz, F >= 0, rigid ones too"},
    {'m', {"max-hz", required_argument, NULL, OPT_MAX_HZ}, "F", "leave out modes above F Hz, F > 0"},
    {'m',
     {"method", required_argument, NULL, OPT_METHOD},
     "NAME",
     "auto, tree, sparse, qr or svd: the route to the modes"},
    {'b',
     {"sizes", required_argument, NULL, OPT_SIZES},
     "N,N,...",
     "bodies [20,60,200,600,2000,6000,20000,100000; of batch 20,40,60; of motion 20,60,200]"},
    {'b',
     {"rigs", required_argument, NULL, OPT_RIGS},
     "NAME,...",
     "of chain,tree,character,net,curtain [all; of motion the first three]"},
    {'b',
     {"routes", required_argument, NULL, OPT_ROUTES},
     "NAME,...",
     "of svd,qr,tree,sparse,source,dsygvd,dsyevd [all]"},
    {'b',
     {"count", required_argument, NULL, OPT_COUNT},
     "N",
     "lowest modes, rigid ones counted [64; of batch all; of motion 66]"},
    {'b', {"budget", required_argument, NULL, OPT_BUDGET}, "SECONDS", "that one rig may take on one route [120]"},
    {'p', {"amplitude", required_argument, NULL, OPT_AMPLITUDE}, "DEG", "largest turn of a joint in each clip [20]"},
    {'r', {"root", required_argument, NULL, OPT_ROOT}, "HOW", "free or fixed [free]"},
    {'r', {"joints", required_argument, NULL, OPT_JOINTS}, "HOW", "auto, spherical or revolute [auto]"},
    {'r',
     {"stiffness", required_argument, NULL, OPT_STIFFNESS},
     "SPEC",
     "graded:HZ[:ALPHA] or uniform:K (N m/rad) [graded:2:0.5]"},
    {'r',
     {"damping", required_argument, NULL, OPT_DAMPING},
     "SPEC",
     "ZETA, damping ratio of every mode [0], or rayleigh:ALPHA:BETA (1/s, s) [rayleigh:0:0]; may be given for each"},
    {'r', {"density", required_argument, NULL, OPT_DENSITY}, "KG_M3", "of the bodies [1000]"},
    {'r', {"mass", required_argument, NULL, OPT_MASS}, "KG", "of the whole rig, in place of what the density gives"},
    {'r', {"height", required_argument, NULL, OPT_HEIGHT}, "M", "rescale the model to this height"},
    {'r',
     {"pose", required_argument, NULL, OPT_POSE},
     "POSE",
     "equilibrium: rest, bind, CLIP@SECONDS or a pose file [rest]"},
    {'r',
     {"skeleton", required_argument, NULL, OPT_SKELETON},
     "NAME",
     "only the skeleton below the node, or of the skin, of this name"},
    {'r',
     {"rig", required_argument, NULL, OPT_RIG},
     "FILE.lua",
     "a description of the rig, or none [MODEL.rig.lua beside the model, where there is one]"},
    {'r', {"infer-parents", no_argument, NULL, OPT_INFER}, "", "join bones that are all siblings by distance"},
};
enum { TABLE_COUNT = (int)(sizeof table / sizeof table[0]) };

static bool takes(const command *c, int entry)
{
    return table[entry].group == 'c' || strchr(c->letters, table[entry].group) != NULL;
}

void print_program_help(FILE *out)
{
    fprintf(
        out,
        "eigenrig %s: the natural vibration modes of a rigged character\n\nUsage: eigenrig COMMAND MODEL [options]\n\n",
        er_version());
    for (int i = 0; i < command_count; ++i)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\nMODEL is a rigged file (glTF, GLB, FBX, Collada, BVH, X, ...), a rig file (JSON) or - for a rig "
                 "file on standard "
                 "input.\n\nExample:\n  eigenrig palette character.glb -o palette.glb\n\neigenrig COMMAND --help tells "
                 "the rest.\n");
}

void print_command_help(const command *c, FILE *out)
{
    bool first = strchr(c->letters, 's') != NULL; // what follows a script is the script's
    fprintf(out, "eigenrig %s: %s\n\nUsage: eigenrig %s %s%s%s\n\n", c->name, c->summary, c->name,
            first ? "[options] " : "", c->usage, first ? "" : " [options]");
    for (int i = 0; i < TABLE_COUNT; ++i) {
        if (!takes(c, i)) continue;
        char words[64], letter[8] = "    ";
        if (table[i].option.val < 256) snprintf(letter, sizeof letter, "-%c, ", table[i].option.val);
        snprintf(words, sizeof words, "%s--%s %s", letter, table[i].option.name, table[i].value);
        fprintf(out, "  %-26s %s\n", words, table[i].help);
    }
    fprintf(out, "\nExample:\n  %s\n", c->example);
}

static bool number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static bool whole(const char *text, int least, int *out)
{
    double x;
    if (!number(text, &x) || x != floor(x) || x < least || x > 1e9) return false;
    *out = (int)x;
    return true;
}

static int one_of(const char *text, const char *const *names, int count)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(text, names[i]) == 0) return i;
    return -1;
}

static bool parse_damping(options *o, const char *text)
{
    static const char word[] = "rayleigh:";
    if (strncmp(text, word, sizeof word - 1) != 0) {
        o->rig_given[GIVEN_DAMPING] = true;
        return number(text, &o->rig.damping_ratio) && o->rig.damping_ratio >= 0.0;
    }
    char alpha[64];
    const char *first = text + sizeof word - 1, *colon = strchr(first, ':');
    if (colon == NULL || (size_t)(colon - first) >= sizeof alpha) return false;
    memcpy(alpha, first, (size_t)(colon - first));
    alpha[colon - first] = '\0';
    o->rig_given[GIVEN_RAYLEIGH] = true;
    return number(alpha, &o->rig.rayleigh_mass) && o->rig.rayleigh_mass >= 0.0 &&
           number(colon + 1, &o->rig.rayleigh_stiffness) && o->rig.rayleigh_stiffness >= 0.0;
}

bool names_file(const char *text)
{
    return ends_with(text, ".json") || strcmp(text, "-") == 0 || (*text != '\0' && access(text, F_OK) == 0);
}

static bool parse_pose(options *o, const char *text)
{
    o->rig_given[GIVEN_POSE] = true;
    if (strcmp(text, "rest") == 0 || strcmp(text, "bind") == 0) {
        o->rig.pose = strcmp(text, "rest") == 0 ? ER_POSE_REST : ER_POSE_BIND;
        return true;
    }
    const char *at = strrchr(text, '@');
    if (at == NULL || (size_t)(at - text) >= sizeof o->clip || !number(at + 1, &o->rig.pose_time)) {
        o->rig.pose = ER_POSE_GIVEN;
        o->pose_file = text;
        return names_file(text);
    }
    memcpy(o->clip, text, (size_t)(at - text));
    o->clip[at - text] = '\0';
    o->rig.pose = ER_POSE_CLIP;
    o->rig.pose_clip = o->clip;
    return true;
}

// The next of the words between commas, copied; NULL after the last. An empty word is one too.
static const char *next_word(const char **list, char *word, size_t size)
{
    if (*list == NULL) return NULL;
    size_t length = strcspn(*list, ",");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return word;
}

static bool parse_sizes(bench_def *b, const char *list)
{
    char word[32];
    for (b->size_count = 0; next_word(&list, word, sizeof word) != NULL; ++b->size_count)
        if (b->size_count == BENCH_MAX_SIZES || !whole(word, BENCH_LEAST_BODIES, &b->size[b->size_count]) ||
            b->size[b->size_count] > BENCH_MOST_BODIES)
            return false;
    return true;
}

static bool parse_rigs(bench_def *b, const char *list)
{
    char word[32];
    memset(b->rig, 0, sizeof b->rig);
    while (next_word(&list, word, sizeof word) != NULL) {
        int rig = 0;
        while (rig < BENCH_RIG_COUNT && strcmp(word, bench_rig_name((bench_rig)rig)) != 0)
            ++rig;
        if (rig == BENCH_RIG_COUNT) return false;
        b->rig[rig] = true;
    }
    return true;
}

static bool parse_routes(bench_def *b, const char *list)
{
    char word[32];
    memset(b->route, 0, sizeof b->route);
    while (next_word(&list, word, sizeof word) != NULL) {
        int route = 0;
        while (route < BENCH_ROUTE_COUNT && strcmp(word, bench_route_name((bench_route)route)) != 0)
            ++route;
        if (route == BENCH_ROUTE_COUNT) return false;
        b->route[route] = true;
    }
    return true;
}

// One option's value. True when it is sound; for a choice, `choices` names what there is.
static bool set_option(options *o, int which, const char *value, er_context *context)
{
    static const char *const roots[] = {"free", "fixed"}, *const joints[] = {"auto", "spherical", "revolute"},
                             *const methods[] = {"auto", "qr", "svd", "tree", "sparse"},
                             *const when[] = {"auto", "always", "never"};
    int choice;
    switch (which) {
    case 'q':
        return o->quiet = true;
    case 'v':
        return o->verbose = true;
    case 'i':
        return o->prompt = true;
    case 'o':
        if (o->output_count == MOST_OUTPUTS) return false;
        if (o->output_count == 0) o->output = value;
        o->outputs[o->output_count++] = value;
        return true;
    case OPT_SAVE_POSE:
        o->save_pose = value;
        return true;
    case OPT_MIX:
        if (o->mix_count == MOST_MIXES) return false;
        o->mixes[o->mix_count++] = value;
        return true;
    case OPT_DURATION:
        return number(value, &o->motion.duration) && o->motion.duration > 0.0 && o->motion.duration <= 1e5;
    case OPT_LOOP:
        return o->motion.loop = true;
    case OPT_CYCLE:
        return number(value, &o->cycle) && o->cycle > 0.0 && o->cycle <= 1e5;
    case OPT_FPS:
        return number(value, &o->take.fps) && o->take.fps > 0.0 && o->take.fps <= 1e5;
    case OPT_TOLERANCE:
        if (!number(value, &o->take.tolerance) || !(o->take.tolerance > 0.0 && o->take.tolerance <= 57.0)) return false;
        o->take.tolerance *= ER_PI / 180.0;
        return true;
    case OPT_SPLINES:
        return o->take.cubic = true;
    case OPT_ATTACK:
        return number(value, &o->attack) && o->attack >= 0.0 && o->attack <= 1e5;
    case OPT_DECAY:
        return number(value, &o->decay) && o->decay >= 0.0 && o->decay <= 1e5;
    case OPT_RING:
        return o->ring = true;
    case OPT_OVER:
        o->over = value;
        return true;
    case OPT_NAME:
        o->take.name = value;
        return true;
    case OPT_SAVE_MIX:
        o->save_mix = value;
        return true;
    case OPT_PLOT:
        o->plot = value;
        return true;
    case OPT_JSON:
        return o->json = true;
    case OPT_INFER:
        return o->rig.infer_parents = true;
    case OPT_RIG:
        o->description = value;
        return true;
    case OPT_SKELETON:
        o->rig.skeleton = value;
        return true;
    case OPT_THREADS:
        return whole(value, 1, &o->threads);
    case OPT_COUNT:
        return whole(value, 1, &o->count);
    case OPT_MIN_HZ:
        return number(value, &o->modal.min_hz) && o->modal.min_hz >= 0.0;
    case OPT_MAX_HZ:
        return number(value, &o->modal.max_hz) && o->modal.max_hz > 0.0;
    case OPT_AMPLITUDE:
        return number(value, &o->amplitude) && o->amplitude > 0.0 && o->amplitude <= 180.0;
    case OPT_DAMPING:
        return parse_damping(o, value);
    case OPT_DENSITY:
        o->rig_given[GIVEN_DENSITY] = true;
        return number(value, &o->rig.density) && o->rig.density > 0.0;
    case OPT_MASS:
        o->rig_given[GIVEN_MASS] = true;
        return number(value, &o->rig.mass) && o->rig.mass > 0.0;
    case OPT_HEIGHT:
        o->rig_given[GIVEN_HEIGHT] = true;
        return number(value, &o->rig.height) && o->rig.height > 0.0;
    case OPT_POSE:
        return parse_pose(o, value);
    case OPT_STIFFNESS:
        o->rig_given[GIVEN_STIFFNESS] = true;
        return er_stiffness_parse(context, value, &o->rig.stiffness) == ER_OK;
    case OPT_PROGRESS:
        choice = one_of(value, when, 3);
        o->progress = choice == 1 ? PROGRESS_ALWAYS : choice == 2 ? PROGRESS_NEVER : PROGRESS_AUTO;
        return choice >= 0;
    case OPT_ROOT:
        choice = one_of(value, roots, 2);
        o->rig_given[GIVEN_ROOT] = true;
        o->rig.root = choice == 1 ? ER_ROOT_FIXED : ER_ROOT_FREE;
        return choice >= 0;
    case OPT_JOINTS:
        choice = one_of(value, joints, 3);
        o->rig_given[GIVEN_JOINTS] = true;
        o->rig.joints = choice == 1 ? ER_JOINTS_SPHERICAL : choice == 2 ? ER_JOINTS_REVOLUTE : ER_JOINTS_AUTO;
        return choice >= 0;
    case OPT_SIZES:
        o->sizes_given = true;
        return parse_sizes(&o->bench, value);
    case OPT_RIGS:
        o->rigs_given = true;
        return parse_rigs(&o->bench, value);
    case OPT_ROUTES:
        return parse_routes(&o->bench, value);
    case OPT_BUDGET:
        return number(value, &o->bench.budget) && o->bench.budget > 0.0;
    default:
        choice = one_of(value, methods, ER_MODAL_METHOD_COUNT);
        o->modal.method = (er_modal_method)(choice >= 0 ? choice : 0); // in the order of the names
        return choice >= 0;
    }
}

static int take_measured(options *o, int argc, char **argv)
{
    static const char *const measured[] = {"modes", "batch", "motion"};
    for (; optind < argc; ++optind) {
        int which = one_of(argv[optind], measured, 3);
        if (which < 0)
            return fail_usage("bench", "there is no \"%s\" to measure, but modes, batch and motion", argv[optind]);
        o->measured = which == 1 ? BENCH_OF_BATCH : which == 2 ? BENCH_OF_MOTION : BENCH_OF_MODES;
    }
    return EXIT_DONE;
}

// What follows SCRIPT is its own, options too.
static int take_script(options *o, int argc, char **argv)
{
    if (optind == argc && !o->prompt) return fail_usage("run", "no SCRIPT was given; -i is a prompt");
    o->words = argv;
    o->word_count = argc;
    o->script = optind;
    return EXIT_DONE;
}

int parse_options(const command *c, int argc, char **argv, er_context *context, options *o)
{
    struct option longs[TABLE_COUNT + 1];
    int count = 0;
    bool takes_model = strchr(c->letters, 'w') != NULL, takes_script = strchr(c->letters, 's') != NULL;
    const char *letters = takes_model ? ":hqvo:" : takes_script ? "+:hqvi" : ":hqo:";
    for (int i = 0; i < TABLE_COUNT; ++i)
        if (takes(c, i)) longs[count++] = table[i].option;
    longs[count] = (struct option){0};
    *o = (options){.rig = er_default_rig_def(),
                   .modal = er_default_modal_def(),
                   .amplitude = er_default_voice().degrees,
                   .motion = er_default_motion_def(),
                   .take = er_default_take_def(),
                   .bench = bench_default_def()};
    opterr = 0;
    for (int which; (which = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (which == 'h') {
            print_command_help(c, stdout);
            return -1;
        }
        if (which == OPT_VERSION) {
            printf("eigenrig %s\n", er_version());
            return -1;
        }
        if (which == ':') return fail_usage(c->name, "option \"%s\" lacks its value", argv[optind - 1]);
        if (which == '?') {
            // Inside a cluster of letters optind has not moved on yet.
            if (optopt > 0 && optopt < OPT_VERSION && strchr("hqvio", optopt) == NULL)
                return fail_usage(c->name, "option \"-%c\" is not known to %s", optopt, c->name);
            return fail_usage(c->name, "option \"%s\" is not known to %s, or takes no value", argv[optind - 1],
                              c->name);
        }
        if (set_option(o, which, optarg, context)) continue;
        if (which == OPT_STIFFNESS) return fail_usage(c->name, "%s", er_context_error(context));
        for (int i = 0; i < TABLE_COUNT; ++i)
            if (takes(c, i) && table[i].option.val == which)
                return fail_usage(c->name, "--%s does not take \"%s\" (%s: %s)", table[i].option.name, optarg,
                                  table[i].value, table[i].help);
    }
    if (strchr(c->letters, 's') != NULL) return take_script(o, argc, argv);
    if (!takes_model) return take_measured(o, argc, argv);
    if (o->modal.min_hz > o->modal.max_hz)
        return fail_usage(c->name, "--min-hz %g is above --max-hz %g", o->modal.min_hz, o->modal.max_hz);
    if (o->output_count > 1 && strchr(c->letters, 'a') == NULL)
        return fail_usage(c->name, "one output at a time, not \"%s\" as well", o->outputs[1]);
    if (optind == argc) return fail_usage(c->name, "no MODEL was given");
    if (optind + 1 < argc) return fail_usage(c->name, "one MODEL at a time, not \"%s\" as well", argv[optind + 1]);
    o->model = argv[optind];
    return EXIT_DONE;
}
