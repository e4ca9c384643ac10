/// @file
/// The program `eigenrig`: options, loading, and one file a command. Public headers and the rooms that programs have.
#ifndef ER_CLI_CLI_H
#define ER_CLI_CLI_H

#include <stdio.h>

#include <eigenrig/base.h>
#include <eigenrig/file.h>
#include <eigenrig/gltf.h>
#include <eigenrig/import.h>
#include <eigenrig/modal.h>
#include <eigenrig/rig.h>
#include <eigenrig/take.h>

#include "bench/bench.h"
#include "script/script.h"

enum { MOST_OUTPUTS = 16, MOST_MIXES = 64 };

enum { EXIT_DONE = 0, EXIT_WORK = 1, EXIT_USAGE = 2 };

/// Everything a command line can say.
typedef struct options {
    const char *model;
    const char *output; // -o: the first
    const char *outputs[MOST_OUTPUTS];
    int output_count;
    bool quiet, verbose, json;
    enum { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER } progress;
    int threads; // 0: as OpenBLAS finds
    er_rig_def rig;
    bool rig_given[9];     // which of rig's settings were named: see GIVEN_*
    char clip[256];        // of --pose CLIP@S
    const char *pose_file; // --pose FILE
    const char *save_pose;
    const char *description; // --rig
    char beside[4096];       // or the one that lies beside the model
    int count;               // modes; 0: not given
    er_modal_def modal;
    double amplitude;              // degrees
    const char *mixes[MOST_MIXES]; // --mix
    int mix_count;
    er_motion_def motion;        // duration 0: not given
    double cycle, attack, decay; // 0: not given
    bool ring;
    er_take_def take;
    const char *over, *save_mix, *plot;
    char **words;           // of run's command line
    int word_count, script; // script: its place among them, word_count for none
    bool prompt;
    bench_def bench; // its sizes, rigs, routes and budget
    bool sizes_given, rigs_given;
    enum { BENCH_OF_MODES, BENCH_OF_BATCH, BENCH_OF_MOTION } measured;
} options;

enum {
    GIVEN_ROOT,
    GIVEN_JOINTS,
    GIVEN_STIFFNESS,
    GIVEN_DAMPING,
    GIVEN_RAYLEIGH,
    GIVEN_DENSITY,
    GIVEN_MASS,
    GIVEN_HEIGHT,
    GIVEN_POSE
};

/// A command: its words, its help, its work.
typedef struct command {
    const char *name;
    const char *summary; // one line
    const char *usage;   // after the name
    const char *letters; // the groups of options it takes: w any work on a MODEL, r rig, m modes, p palette, a animate,
                         // b bench, s run, j info, o -o
    const char *example;
    int (*run)(er_context *context, options *o);
} command;

extern const command commands[];
extern const int command_count;

int run_info(er_context *context, options *o);
int run_modes(er_context *context, options *o);
int run_palette(er_context *context, options *o);
int run_animate(er_context *context, options *o);
int run_script(er_context *context, options *o);
int run_bench(er_context *context, options *o);

/// Reads the words after the command's name.   @return EXIT_DONE, or the status to leave with; -1: help was printed
int parse_options(const command *c, int argc, char **argv, er_context *context, options *o);
void print_program_help(FILE *out);
void print_command_help(const command *c, FILE *out);

/// A model as a command works on it: a rig file has no scene.
typedef struct loaded {
    er_scene *scene; // NULL for a rig file
    er_rig *rig;     // NULL for a rig file
    er_model *owned; // the model of a rig file
    er_affine *pose; // owned: of --pose FILE
    script_sidecar described;
    const er_model *model; // of either
} loaded;

/// Loads and says on standard error what was assumed.   @return an exit status
int load(er_context *context, options *o, loaded *out);
void unload(loaded *l);

/// Reads the description that --rig names or that lies beside the model, under what the command line says.
/// @param is_rig  the model is a rig file
/// @param out     borrowed by `o` until it is closed
int open_description(er_context *context, options *o, bool is_rig, script_sidecar *out);

/// What clips move: the model's own scene, or bone shapes where it shows nothing.
typedef struct stage {
    er_scene *bones; // owned, NULL where the model has meshes
    er_take_target target;
    er_affine *world; // owned, for a rig file
} stage;

/// Sets it for a loaded model, which must outlive it.
er_result set_stage(er_context *context, const loaded *l, stage *s);
void clear_stage(stage *s);

struct animation;

/// A format that clips or curves are written in.
typedef struct output_format {
    const char *end; // of the path, lower case
    bool single;     // it holds one clip
    bool curves;     // it holds joint curves
    er_result (*scene)(er_context *, const er_scene *, int clip_count, const er_clip *, const char *path);
    er_result (*write)(struct animation *a, const char *path); // where it is no scene with clips
} output_format;

/// By the path's ending; that of .glb for "-"; NULL for none of them.
const output_format *find_output_format(const char *path);

/// ".glb, .gltf, ... or .npz".
const char *output_endings(bool scenes_only);

/// Refuses to write JSON under a model's ending: somebody meant another command.   @return an exit status
int check_json_output(const char *command, const options *o);
bool ends_with(const char *text, const char *end);

/// Whether a word that may be something else is a file: it ends in .json, is -, or there is one of that name.
bool names_file(const char *text);

/// How many modes to solve for: 0 for all, as of a rig of up to 100 bodies when no count was given; 64 of a larger one.
int modes_wanted(const options *o, const er_model *model);

/// Solves with the options' method and that count.
int solve(er_context *context, const options *o, const er_model *model, er_modes **out);

/// What of a loop joint's constraints follows from others: "3 of its 5 constraints redundant: tx ty z".
void write_redundant(const er_model *model, int joint, const er_redundant_row *row, int count, char text[80]);

/// A text as one line: control characters, which names in files and paths may hold, as `?`. Lives for four calls more.
const char *plain(const char *text);

/// One plain line on standard error, after `eigenrig: `.
void say(const char *format, ...) ER_PRINTF(1, 2);

/// `eigenrig: error: FILE: message` on standard error; the status to leave with.
int fail_work(er_context *context, er_result r, const char *file);
int fail_usage(const char *command, const char *format, ...) ER_PRINTF(2, 3);
void say_warning(const options *o, const char *format, ...) ER_PRINTF(2, 3);

/// A bar on standard error for work of more than a second.
typedef struct progress {
    const char *what;
    bool shown, wanted;
    double start, last;
} progress;
progress progress_begin(const options *o, const char *what);
void progress_step(progress *p, int done, int all);
void progress_end(progress *p);

#endif
