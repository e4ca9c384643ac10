#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

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
    {'a',
     {"cycle", required_argument, NULL, OPT_CYCLE},
     "S",
     "the common cycle that @Nx counts in [the duration, or what suits the modes]"},
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
    {'d', {"mode", required_argument, NULL, OPT_MODE}, "K", "a mode, by its index in the table of modes"},
    {'d', {"mix", required_argument, NULL, OPT_MIX}, "MIX", "a mix of modes, as animate takes it"},
    {'d',
     {"sheet", no_argument, NULL, OPT_SHEET},
     "",
     "the palette: a cell for each of the lowest elastic modes, and their spectrum"},
    {'d', {"count", required_argument, NULL, OPT_COUNT}, "N", "cells of the sheet, 1 to 400 [20]"},
    {'d',
     {"phase", required_argument, NULL, OPT_PHASE},
     "DEG",
     "of the mode in a picture, or where its film begins [90, an end of the swing; 0 in a film, in a sheet and with "
     "--ghosts]"},
    {'d', {"time", required_argument, NULL, OPT_TIME}, "S", "of the mix or the gait in a picture [0]"},
    {'d',
     {"amplitude", required_argument, NULL, OPT_AMPLITUDE},
     "DEG",
     "largest turn of a joint in a mode, 0 < DEG <= 180 [20]"},
    {'d',
     {"ghosts", no_argument, NULL, OPT_GHOSTS},
     "",
     "see-through: both ends of a mode's swing; a mix or a gait an eighth of its cycle earlier, orange, and later, "
     "blue"},
    {'d',
     {"size", required_argument, NULL, OPT_PICTURE_SIZE},
     "WxH",
     "pixels, 16 to 8192 [960x720; of a sheet what cells of 360x300 take]"},
    {'d', {"fps", required_argument, NULL, OPT_FPS}, "N", "frames a second of a film, 0.001 <= N <= 1000 [30]"},
    {'d',
     {"duration", required_argument, NULL, OPT_DURATION},
     "S",
     "of a film, up to 1000; modes and gaits move to whole cycles of it [a loop: a mix's cycle, or of modes and gaits "
     "about 2 s]"},
    {'d',
     {"view", required_argument, NULL, OPT_VIEW},
     "FROM",
     "front, side, top, three-quarter or YAW,PITCH in degrees [where a mode is seen best; a gait from its right; "
     "else three-quarter]"},
    {'d', {"show", required_argument, NULL, OPT_SHOW}, "WHAT", "mesh, joints or both [mesh]"},
    {'d', {"surface", required_argument, NULL, OPT_SURFACE}, "HOW", "shaded, wireframe or points [shaded]"},
    {'d', {"theme", required_argument, NULL, OPT_THEME}, "NAME", "light or dark [light]"},
    {'d', {"transparent", no_argument, NULL, OPT_TRANSPARENT}, "", "no background"},
    {'a',
     {"gait", required_argument, NULL, OPT_GAIT},
     "NAME",
     "a gait of the model, as eigenrig gait lists them, in place of a mix: on the spot, or with root motion as \"NAME "
     "travels\""},
    {'d',
     {"gait", required_argument, NULL, OPT_GAIT},
     "NAME",
     "a gait of the model, as eigenrig gait lists them; the camera goes with it"},
    {'g', {"list", no_argument, NULL, OPT_LIST}, "", "the table and nothing else, as without -o"},
    {'g', {"best", required_argument, NULL, OPT_BEST}, "N", "how many gaits, 1 to 100 [6]"},
    {'g',
     {"mix", required_argument, NULL, OPT_MIX},
     "MIX",
     "this mix as a gait, as animate takes them, in place of a search: edit one of --mixes and the feet follow"},
    {'g',
     {"weights", required_argument, NULL, OPT_WEIGHTS},
     "NAME:W,...",
     "what counts in the score: progress, drift, slip, clearance, share, effort, attitude, excursion, symmetry [all "
     "1]"},
    {'g', {"fps", required_argument, NULL, OPT_FPS}, "N", "frames a second of clips, 0 < N <= 100000 [60]"},
    {'g', {"mixes", required_argument, NULL, OPT_MIXES}, "FOLDER", "a mix file of each gait, for --mix"},
    {'g', {"footfalls", required_argument, NULL, OPT_FOOTFALLS}, "OUT.svg", "when feet stand, gait by gait"},
    {'g',
     {"strip", required_argument, NULL, OPT_STRIP},
     "OUT",
     "each gait over a stride: .svg, stick figures; .png, the model itself"},
    {'g', {"show", required_argument, NULL, OPT_SHOW}, "WHAT", "mesh, joints or both, in a strip .png [mesh]"},
    {'f', {"up", required_argument, NULL, OPT_UP}, "AXIS", "x, -x, y, ... or X,Y,Z [what the model says]"},
    {'f', {"forward", required_argument, NULL, OPT_FORWARD}, "AXIS", "which way the body faces [read off its shape]"},
    {'f',
     {"feet", required_argument, NULL, OPT_FEET},
     "PATTERN,...",
     "names of the bodies that are feet, with * and ? [what is low at the ends of limbs]"},
    {'f', {"gravity", required_argument, NULL, OPT_GRAVITY}, "M_S2", "that gaits keep time by [9.81]"},
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
    {'v',
     {"script", required_argument, NULL, OPT_SCRIPT},
     "EVENTS",
     "keys, clicks, drags, ... or @FILE of them (docs/viewer.md); closes after the last"},
    {'v', {"screenshot", required_argument, NULL, OPT_SCREENSHOT}, "OUT.png", "the window after its last frame"},
    {'v', {"frames", required_argument, NULL, OPT_FRAMES}, "N", "close after N frames of exactly 1/60 s each"},
    {'v', {"size", required_argument, NULL, OPT_SIZE}, "WxH", "of the window, 64x64 to 16384x16384 [1440x900]"},
    {'b',
     {"sizes", required_argument, NULL, OPT_SIZES},
     "N,N,...",
     "bodies [20,60,200,600,2000,6000,20000,100000; of batch 20,40,60; of motion and folder 20,60,200; of view 60]"},
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
     "lowest modes, rigid ones counted [64; of batch all; of motion 66]; of folder how many models [1000]"},
    {'b', {"budget", required_argument, NULL, OPT_BUDGET}, "SECONDS", "that one rig may take on one route [120]"},
    {'B', {"output", required_argument, NULL, 'o'}, "DIR", "the folder to write below, made where it is not there"},
    {'B',
     {"write", required_argument, NULL, OPT_WRITE},
     "WHAT,...",
     "of json (the palette file), glb and fbx (the model with its modes as clips) and sheet (a picture of its modes, "
     "PNG) [json]"},
    {'B',
     {"script", required_argument, NULL, OPT_EACH},
     "FILE.lua",
     "run for each model, its arguments the model and the stem of files to write; then --write is nothing by itself"},
    {'B', {"jobs", required_argument, NULL, OPT_JOBS}, "N", "processes at a time [the processor's cores]"},
    {'B', {"timeout", required_argument, NULL, OPT_TIMEOUT}, "S", "seconds that a model may take [300]"},
    {'B', {"memory", required_argument, NULL, OPT_MEMORY}, "MB", "memory that a model may take, at least 64 [4096]"},
    {'B',
     {"resume", no_argument, NULL, OPT_RESUME},
     "",
     "do only what is missing in DIR, or whose model, options or version of the program changed"},
    {'B', {"shard", required_argument, NULL, OPT_SHARD}, "I/N", "do the I-th of N parts, for N machines"},
    {'B', {"merge", no_argument, NULL, OPT_MERGE}, "", "join shards: INPUT... are the folders that they wrote to"},
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

bool number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

bool whole(const char *text, int least, int *out)
{
    double x;
    if (!number(text, &x) || x != floor(x) || x < least || x > 1e9) return false;
    *out = (int)x;
    return true;
}

bool parse_sides(const char *text, int least, int most, int *width, int *height)
{
    char wide[16];
    const char *by = strchr(text, 'x');
    if (by == NULL || (size_t)(by - text) >= sizeof wide) return false;
    snprintf(wide, sizeof wide, "%.*s", (int)(by - text), text);
    return whole(wide, least, width) && whole(by + 1, least, height) && *width <= most && *height <= most;
}

// "3/8"
static bool parse_shard(batch_def *b, const char *text)
{
    char shard[16];
    size_t length = strcspn(text, "/");
    if (text[length] != '/' || length >= sizeof shard) return false;
    snprintf(shard, sizeof shard, "%.*s", (int)length, text);
    return whole(shard, 1, &b->shard) && whole(text + length + 1, 1, &b->shards) && b->shard <= b->shards;
}

int one_of(const char *text, const char *const *names, int count)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(text, names[i]) == 0) return i;
    return -1;
}

static bool parse_damping(options *o, const char *text)
{
    static const char word[] = "rayleigh:";
    if (strncmp(text, word, sizeof word - 1) != 0) {
        o->asked.given |= SIDECAR_DAMPING;
        return number(text, &o->asked.rig.damping_ratio) && o->asked.rig.damping_ratio >= 0.0;
    }
    char alpha[64];
    const char *first = text + sizeof word - 1, *colon = strchr(first, ':');
    if (colon == NULL || (size_t)(colon - first) >= sizeof alpha) return false;
    memcpy(alpha, first, (size_t)(colon - first));
    alpha[colon - first] = '\0';
    o->asked.given |= SIDECAR_RAYLEIGH;
    return number(alpha, &o->asked.rig.rayleigh_mass) && o->asked.rig.rayleigh_mass >= 0.0 &&
           number(colon + 1, &o->asked.rig.rayleigh_stiffness) && o->asked.rig.rayleigh_stiffness >= 0.0;
}

static bool parse_pose(options *o, const char *text)
{
    o->asked.given |= SIDECAR_POSE;
    if (strcmp(text, "rest") == 0 || strcmp(text, "bind") == 0) {
        o->asked.rig.pose = strcmp(text, "rest") == 0 ? ER_POSE_REST : ER_POSE_BIND;
        return true;
    }
    const char *at = strrchr(text, '@');
    if (at == NULL || (size_t)(at - text) >= sizeof o->clip || !number(at + 1, &o->asked.rig.pose_time)) {
        o->asked.rig.pose = ER_POSE_GIVEN;
        o->asked.pose_file = text;
        return studio_names_file(text);
    }
    memcpy(o->clip, text, (size_t)(at - text));
    o->clip[at - text] = '\0';
    o->asked.rig.pose = ER_POSE_CLIP;
    o->asked.rig.pose_clip = o->clip;
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

static bool parse_size(viewer_def *v, const char *text)
{
    return parse_sides(text, 64, 16384, &v->width, &v->height);
}

static bool parse_axis(const char *text, er_vec3 *out)
{
    static const char *const names[] = {"x", "y", "z", "-x", "-y", "-z"};
    int which = one_of(*text == '+' ? text + 1 : text, names, 6);
    double sign = which < 3 ? 1.0 : -1.0;
    *out = er_v3(which % 3 == 0 ? sign : 0.0, which % 3 == 1 ? sign : 0.0, which % 3 == 2 ? sign : 0.0);
    if (which >= 0) return true;
    char word[64];
    double *axis[] = {&out->x, &out->y, &out->z};
    for (int i = 0; i < 3; ++i)
        if (next_word(&text, word, sizeof word) == NULL || !number(word, axis[i])) return false;
    return text == NULL && er_v3_norm(*out) > 0.0;
}

static bool parse_weights(er_gait_weights *weights, const char *list)
{
    char word[64];
    while (next_word(&list, word, sizeof word) != NULL) {
        char *colon = strchr(word, ':');
        if (colon == NULL) return false;
        *colon = '\0';
        int which = 0;
        while (which < ER_GAIT_WEIGHT_COUNT && strcmp(word, er_gait_weight_name(which)) != 0)
            ++which;
        double value;
        double *weight = er_gait_weight(weights, which);
        if (weight == NULL || !number(colon + 1, &value) || !(value >= 0.0 && value <= 1e6)) return false;
        *weight = value;
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
    if (which >= OPT_MODE) return set_picture_option(o, which, value);
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
        o->fps_given = true;
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
    case OPT_SCRIPT:
        o->view.script = value;
        return true;
    case OPT_SCREENSHOT:
        o->view.screenshot = value;
        return true;
    case OPT_FRAMES:
        return whole(value, 1, &o->view.frames);
    case OPT_SIZE:
        return parse_size(&o->view, value);
    case OPT_GAIT:
        o->gait_name = value;
        return true;
    case OPT_LIST:
        return o->list = true;
    case OPT_BEST:
        return whole(value, 1, &o->gait.best) && o->gait.best <= 100;
    case OPT_WEIGHTS:
        return parse_weights(&o->gait.weights, value);
    case OPT_GRAVITY:
        return number(value, &o->gait.gravity) && o->gait.gravity > 0.0;
    case OPT_MIXES:
        o->mixes_folder = value;
        return true;
    case OPT_FOOTFALLS:
        o->footfalls = value;
        return true;
    case OPT_STRIP:
        o->strip = value;
        return true;
    case OPT_UP:
        return parse_axis(value, &o->gait.up);
    case OPT_FORWARD:
        return parse_axis(value, &o->gait.forward);
    case OPT_FEET:
        o->gait.feet = value;
        return true;
    case OPT_JSON:
        return o->json = true;
    case OPT_INFER:
        o->asked.given |= SIDECAR_INFER;
        return o->asked.rig.infer_parents = true;
    case OPT_RIG:
        o->asked.description = value;
        return true;
    case OPT_SKELETON:
        o->asked.given |= SIDECAR_SKELETON;
        o->asked.rig.skeleton = value;
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
        o->asked.given |= SIDECAR_DENSITY;
        return number(value, &o->asked.rig.density) && o->asked.rig.density > 0.0;
    case OPT_MASS:
        o->asked.given |= SIDECAR_MASS;
        return number(value, &o->asked.rig.mass) && o->asked.rig.mass > 0.0;
    case OPT_HEIGHT:
        o->asked.given |= SIDECAR_HEIGHT;
        return number(value, &o->asked.rig.height) && o->asked.rig.height > 0.0;
    case OPT_POSE:
        return parse_pose(o, value);
    case OPT_STIFFNESS:
        o->asked.given |= SIDECAR_STIFFNESS;
        return er_stiffness_parse(context, value, &o->asked.rig.stiffness) == ER_OK;
    case OPT_PROGRESS:
        choice = one_of(value, when, 3);
        o->progress = choice == 1 ? PROGRESS_ALWAYS : choice == 2 ? PROGRESS_NEVER : PROGRESS_AUTO;
        return choice >= 0;
    case OPT_ROOT:
        choice = one_of(value, roots, 2);
        o->asked.given |= SIDECAR_ROOT;
        o->asked.rig.root = choice == 1 ? ER_ROOT_FIXED : ER_ROOT_FREE;
        return choice >= 0;
    case OPT_JOINTS:
        choice = one_of(value, joints, 3);
        o->asked.given |= SIDECAR_JOINTS;
        o->asked.rig.joints = choice == 1 ? ER_JOINTS_SPHERICAL : choice == 2 ? ER_JOINTS_REVOLUTE : ER_JOINTS_AUTO;
        return choice >= 0;
    case OPT_SIZES:
        o->sizes_given = true;
        return parse_sizes(&o->bench, value);
    case OPT_RIGS:
        o->rigs_given = true;
        return parse_rigs(&o->bench, value);
    case OPT_ROUTES:
        return parse_routes(&o->bench, value);
    case OPT_WRITE:
        o->write = value;
        return true; // run_batch() reads it
    case OPT_EACH:
        o->each = value;
        return true;
    case OPT_JOBS:
        return whole(value, 1, &o->batch.jobs) && o->batch.jobs <= 4096;
    case OPT_TIMEOUT:
        return number(value, &o->batch.timeout) && o->batch.timeout > 0.0 && o->batch.timeout <= 1e6;
    case OPT_MEMORY:
        if (!number(value, &o->batch.memory) || !(o->batch.memory >= 64.0 && o->batch.memory <= 1e8)) return false;
        o->batch.memory *= 1024.0 * 1024.0;
        return true;
    case OPT_SHARD:
        return parse_shard(&o->batch, value);
    case OPT_RESUME:
        return o->batch.resume = true;
    case OPT_MERGE:
        return o->merge = true;
    case OPT_BUDGET:
        return number(value, &o->bench.budget) && o->bench.budget > 0.0;
    default:
        choice = one_of(value, methods, ER_MODAL_METHOD_COUNT);
        o->modal.method = (er_modal_method)(choice >= 0 ? choice : 0); // in the order of the names
        return choice >= 0;
    }
}

enum { MOST_SAID = 64 };

// The options given that change results, and their values, as they came.
typedef struct said_options {
    int count, entry[MOST_SAID];
    const char *value[MOST_SAID];
} said_options;

static bool changes_results(int entry)
{
    return strchr("rmp", table[entry].group) != NULL || table[entry].option.val == OPT_WRITE ||
           table[entry].option.val == OPT_EACH || table[entry].option.val == OPT_THREADS;
}

static void note_said(const command *c, said_options *s, int which, const char *value)
{
    for (int i = 0; i < TABLE_COUNT; ++i)
        if (takes(c, i) && table[i].option.val == which && changes_results(i) && s->count < MOST_SAID) {
            s->entry[s->count] = i;
            s->value[s->count++] = value;
        }
}

// In the table's order, so that the order on the command line does not matter; of one option the last counts last.
static char *say_options(const said_options *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    for (int i = 0; i < TABLE_COUNT; ++i)
        for (int k = 0; k < s->count; ++k)
            if (s->entry[k] == i)
                fprintf(out, "%s--%s%s%s", ftell(out) > 0 ? " " : "", table[i].option.name,
                        s->value[k] != NULL ? " " : "", s->value[k] != NULL ? s->value[k] : "");
    fclose(out);
    return text;
}

static int take_measured(options *o, int argc, char **argv)
{
    static const char *const measured[] = {"modes", "batch", "motion", "view", "folder"}; // in the enum's order
    for (; optind < argc; ++optind) {
        int which = one_of(argv[optind], measured, 5);
        if (which < 0)
            return fail_usage("bench", "there is no \"%s\" to measure, but modes, batch, motion, view and folder",
                              argv[optind]);
        o->measured = which;
    }
    return EXIT_DONE;
}

// What follows SCRIPT is its own, options too.
static int take_script(options *o, int argc)
{
    if (optind == argc && !o->prompt) return fail_usage("run", "no SCRIPT was given; -i is a prompt");
    o->script = optind + 1; // among all words
    return EXIT_DONE;
}

static int fail_option(const command *c, const char *said)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(said + strspn(said, "-"), "="), said + strspn(said, "-"));
    studio_likeness meant = {.word = word};
    for (int i = 0; i < TABLE_COUNT; ++i)
        if (takes(c, i)) studio_liken(&meant, table[i].option.name);
    if (meant.best == NULL || meant.off == 0)
        return fail_usage(c->name, "option \"%s\" is not known to %s, or takes no value", said, c->name);
    return fail_usage(c->name, "option \"%s\" is not known to %s; did you mean --%s", said, c->name, meant.best);
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
    *o = (options){.asked = studio_default_asked(),
                   .modal = er_default_modal_def(),
                   .amplitude = er_default_voice().degrees,
                   .motion = er_default_motion_def(),
                   .take = er_default_take_def(),
                   .picture = render_default_def(),
                   .bench = bench_default_def(),
                   .view = viewer_default_def(),
                   .gait = er_default_gait_def(),
                   .batch = batch_default_def()};
    said_options said = {0};
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
            return fail_option(c, argv[optind - 1]);
        }
        if (set_option(o, which, optarg, context)) {
            note_said(c, &said, which, optarg);
            continue;
        }
        if (which == OPT_STIFFNESS) return fail_usage(c->name, "%s", er_context_error(context));
        for (int i = 0; i < TABLE_COUNT; ++i)
            if (takes(c, i) && table[i].option.val == which)
                return fail_usage(c->name, "--%s does not take \"%s\" (%s: %s)", table[i].option.name, optarg,
                                  table[i].value, table[i].help);
    }
    if (strchr(c->letters, 's') != NULL) return take_script(o, argc);
    if (!takes_model) return take_measured(o, argc, argv);
    if (o->modal.min_hz > o->modal.max_hz)
        return fail_usage(c->name, "--min-hz %g is above --max-hz %g", o->modal.min_hz, o->modal.max_hz);
    if (o->output_count > 1 && strchr(c->letters, 'a') == NULL)
        return fail_usage(c->name, "one output at a time, not \"%s\" as well", o->outputs[1]);
    if (strchr(c->letters, 'B') != NULL) {
        if (optind == argc) return fail_usage(c->name, "no INPUT was given");
        o->batch.input = (const char *const *)&argv[optind];
        o->batch.input_count = argc - optind;
        o->said = say_options(&said);
        return EXIT_DONE;
    }
    if (optind == argc && strchr(c->letters, 'v') != NULL) return EXIT_DONE; // the window can open one
    if (optind == argc) return fail_usage(c->name, "no MODEL was given");
    if (optind + 1 < argc) return fail_usage(c->name, "one MODEL at a time, not \"%s\" as well", argv[optind + 1]);
    o->model = argv[optind];
    return EXIT_DONE;
}
