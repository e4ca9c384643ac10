/// @file
/// The command `eigenrig`: options, loading, messages. Each subcommand has its own file.
#ifndef ERI_TOOLS_EIGENRIG_CLI_H
#define ERI_TOOLS_EIGENRIG_CLI_H

#include <stdio.h>

#include <eigenrig/base.h>
#include <eigenrig/formats.h>
#include <eigenrig/gait.h>
#include <eigenrig/modal.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

#include "app/lua/scene/scene_player.h"
#include "app/lua/script.h"
#include "app/project/apply_description.h"
#include "app/project/outputs.h"
#include "app/project/project_blend.h"
#include "app/project/project_explain.h"
#include "app/project/project_follow.h"
#include "app/project/project_inverse.h"
#include "app/project/project_layer.h"
#include "app/project/project_modes.h"
#include "app/project/project_motion.h"
#include "app/project/project_names.h"
#include "app/project/project_open.h"
#include "app/project/project_page.h"
#include "app/project/project_plant.h"
#include "app/project/project_preset.h"
#include "app/project/project_root.h"
#include "app/project/project_sequence.h"
#include "app/project/project_simulate.h"
#include "app/project/target.h"
#include "app/project/walk.h"
#include "app/settings/rig_settings.h"
#include "base/said.h"
#include "base/suggest.h"
#include "tools/batch/batch.h"
#include "tools/program/message.h"
#include "viewer/render/lua.h"
#include "viewer/render/render.h"
#include "viewer/window/viewer.h"

enum { MOST_OUTPUTS = 16, MOST_MIXES = 64, MOST_OPTIONS = 256 };

/// Options of `play`.
typedef struct play_options {
    bool headless;
    int frames;      // 0: not given
    double duration; // s; 0: not given
    double fps;      // of films; 0: not given
    const char *record, *replay, *screenshot;
    const char *words[MOST_OUTPUTS]; // --arg
    int word_count;
    int width, height; // of the window and of films; 0: not given
} play_options;

/// --track of `modes`: joints by a pattern, and the factors of their stiffness.
typedef struct track_def {
    const char *pattern; // NULL: not given
    int pattern_length;
    er_mode_tracks_def def; // without its mode_count
} track_def;

/// All options of all commands.
typedef struct options {
    char **words; // [word_count], argv, NULL-ended
    int word_count;
    const char *model;
    const char *old_model; // of compare: the first of its two
    track_def track;       // of modes
    const char *explain;   // of modes: a clip
    bool shares;           // of modes: a table of regions and effective masses
    bool bounds;           // of modes: a table of how far each may swing
    double change;         // of compare: the most, a share; negative: not given
    const char *output;    // -o: the first
    const char *outputs[MOST_OUTPUTS];
    int output_count;
    bool help, version, quiet, verbose, json;
    bool strict; // warnings are errors
    enum { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER } progress;
    int threads;           // 0: OpenBLAS's default
    project_request asked; // how a model becomes a rig
    char clip[256];        // of --pose CLIP@S
    const char *save_pose;
    const char *learn;  // clips, for project_learn(); NULL: none
    const char *report; // path; NULL: none
    const char *save_description;
    int count; // modes; 0: not given
    er_modal_def modal;
    double amplitude;              // degrees
    const char *mixes[MOST_MIXES]; // --mix
    int mix_count;
    er_motion_def motion;        // duration 0: not given
    double cycle, attack, decay; // 0: not given
    bool ring;
    er_recording_def recording;
    project_simulation_def simulation;
    const char *layer_parts;   // of `animate`: what takes the mix or the clip over a gait; NULL: all
    project_follow_def follow; // its parts, and what is asked of them
    bool bounce_given, spring_bones;
    int rest;                    // of --rest: REST_CLIP or REST_POSE
    project_inverse_def inverse; // its cut-off, friction and plate
    bool walks;                  // gaits are simulated
    project_walk_def walk;
    const char *walk_style;              // numbers of a simulated walk; NULL: the usual ones
    double tune_walk;                    // s, to search for them; 0: not given
    const char *terrain;                 // of gaits that are simulated; NULL: none
    double terrain_length, terrain_rise; // m, of a picture; 0, negative: not given
    const char *over, *clip_name, *meshes, *save_mix, *plot;
    const char *preset;      // NULL: none
    const char *from;        // the model of a mix or a gait that is carried; NULL: this one
    double from_pace;        // 0: by Froude numbers
    bool only_new;           // clips: without the model's own
    int only;                // modes that are shown: ONLY_ALL or ONLY_WHOLE_BODY
    const char *mode_name;   // of --mode; NULL: an index
    const char *palette;     // a palette file, of validate
    const char *matrices;    // an archive, of modes
    er_gait_def gait;        // its up and forward as `asked` has them
    double stride_frames;    // 0: not given
    const char *gait_name;   // of animate and render
    const char *sequence;    // of animate; NULL: none
    double blend;            // s, of its transitions; negative: not given
    const char *blend_space; // of animate: gaits and blends; NULL: none
    const char *root_motion; // of animate: a node, flat or none; NULL: not given
    const char *of_gait;     // the last option given that sets how gaits are found; NULL: none
    bool list;
    const char *mixes_folder, *footfalls, *strip; // a folder, two drawings
    render_def picture;
    bool sheet;                                                       // of a picture
    bool gravity_given;                                               // of gaits and inverse dynamics
    bool mode_given, phase_given, time_given, fps_given, plant_given; // of a picture
    const char *topic;                                                // of cite, completion and manual; NULL: not given
    const struct command *commands;                                   // all commands
    int command_count;
    int script; // of run: its place among the words, word_count for none
    bool prompt;
    viewer_def view; // its size, script, screenshot and frames
    play_options play;
    batch_def batch;          // its inputs, processes, limits, shard
    bool merge;               // the inputs are folders of shards
    const char *write;        // --write
    const char *each;         // --script of batch
    bool given[MOST_OPTIONS]; // by row of the table of options
    char *given_option;       // the options given that change results, in the table's order
    void (*on_warning)(void *warning_user, const char *warning); // NULL: warnings go to standard error
    void *warning_user;
} options;

/// A command.
typedef struct command {
    const char *name;
    const char *summary; // one line
    const char *usage;   // what follows the name
    const char *letters; // the groups of options it takes: w any work on a MODEL, r rig, m modes, n their numbers, p
                         // palette, a animate, F follow, d render, i inverse, t validate, g gait, f how gaits are
                         // found, b how a body is read, C two models, compare, s run, T a topic instead of a model, y
                         // play, B batch, j info, v view, o -o, J
                         // --json of what is a table otherwise, S --strict
    const char *example;
    int (*run)(er_context *context, options *o);
} command;

int run_info(er_context *context, options *o);
int run_modes(er_context *context, options *o);
int run_palette(er_context *context, options *o);
int run_validate(er_context *context, options *o);
int run_compare(er_context *context, options *o);
int run_animate(er_context *context, options *o);
int run_simulate(er_context *context, options *o);
int run_inverse(er_context *context, options *o);
int run_follow(er_context *context, options *o);
int run_render(er_context *context, options *o);
int run_gait(er_context *context, options *o);
int run_script(er_context *context, options *o);
int run_batch(er_context *context, options *o);
int run_view(er_context *context, options *o);
int run_play(er_context *context, options *o);
int run_cite(er_context *context, options *o);
int run_licences(er_context *context, options *o);
int run_completion(er_context *context, options *o);
int run_manual(er_context *context, options *o);

/// Reads the words after the command's name.   @return EXIT_DONE, or the status to leave with; -1: help was printed
int parse_options(const command *c, int argc, char **argv, er_context *context, options *o);

/// Refuses an input that the command does not read, and options that do not apply to its kind.   @return an exit status
int check_input(er_context *context, const command *c, const options *o);
void print_command_help(const command *c, FILE *out);

// Where springs rest, of --rest.
enum { REST_CLIP, REST_POSE };

/// A loaded model. A rig file has no scene.
// The modes that --only shows.
enum { ONLY_ALL, ONLY_WHOLE_BODY };

typedef struct loaded {
    er_scene *scene;                // NULL for a rig file and a world
    er_rig *rig;                    // likewise
    er_world_file *world;           // NULL for others
    er_model *owned;                // the model of a rig file or a world
    const er_model *model;          // of either
    project_description *described; // NULL: no description
    const char *file;               // being read; NULL if messages name it
    const char *meshes;             // shown in pictures; NULL for all
    er_mode_names *names;           // NULL until options name modes
    char symmetry[1024];            // of a rig file: what --symmetrize changed, or ""
} loaded;

/// Loading in three steps: the description, which the options borrow from; the scene or rig file; the rig, built from
/// the scene or changed by the options. Prints notes.
/// @param def  NULL for the defaults
/// @param out  for unload(), even after a failure
er_result describe_rig(er_context *context, options *o, loaded *out);
er_result open_scene(er_context *context, const options *o, const er_import_def *def, loaded *out);
er_result open_rig(er_context *context, options *o, loaded *out);

/// Runs all three steps and prints what failed.   @return an exit status
int load(er_context *context, options *o, loaded *out);
int load_unjudged(er_context *context, options *o, loaded *out); ///< warnings are no errors yet, even with --strict
void unload(loaded *l);

/// Refuses outputs with an unknown ending; the message lists the known ones.
/// @param end  ".json", ...; NULL behind the last
/// @return an exit status
int check_output_ending(const char *command, const char *const *end, const options *o);

/// Refuses --json if a file goes to standard output too.   @return an exit status
int check_json(const char *command, const options *o);

/// Refuses to write binary data to a terminal.   @return an exit status
int check_terminal(const char *command, const options *o);

/// Whether two paths name the same file.
bool same_file(const char *a, const char *b);

/// Reads a mix file or a mix in text form.
/// @param name  of the command   @return an exit status
int read_mix(er_context *context, const char *name, const char *text, er_mix **out);

/// Number of elastic modes that the mixes need, if no count was given.
int modes_of_mixes(const options *o, const er_model *model, er_mix *const *mix, int count);

/// Number of elastic modes to solve for: --count, or project_usual_modes(); 0 for all.
int modes_wanted(const options *o, const er_model *model);

/// Writes the model with one looping clip per elastic mode; the path's ending selects the format.
/// A page of a rig without loops has the modes themselves.
/// @param clips  NULL, or their number, written
er_result write_palette_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                              const char *path, int *clips);

/// Writes a picture's subtitle: the model and how it was read.
void write_subtitle(const options *o, const loaded *l, char text[256]);

/// Writes the model with its gaits as clips, in place and travelling. Without gaits: a warning, and no file.
/// @param name  called for each gait written
er_result write_gait_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                           const char *path, void (*name)(void *user, const char *gait), void *user);

/// Writes the contact sheet of a model's modes, PNG. Without elastic modes: a warning.
/// Errors   as render_write()
er_result write_sheet(er_context *context, const options *o, const loaded *l, const er_modes *modes, const char *path);

/// Draws a loaded model to a file.
/// Errors   as render_write()
er_result draw_picture(er_context *context, const loaded *l, const er_modes *modes, const render_def *def,
                       const char *path, render_report *report);

/// Reads the body of a rig as gaits do.   @param out  NULL: the rig is too large
/// Errors   as er_gait_body_read()
er_result read_gait_body(er_context *context, const options *o, const loaded *l, er_gait_body **out);

/// The understanding of a model as a JSON object (docs/formats.md); the caller frees it.
/// @param body  NULL: it is too large to be read
/// Errors   ER_ERROR_MEMORY
er_result report_text(er_context *context, const options *o, const loaded *l, const er_gait_body *body, char **out);

/// Warns if the facing of a model's body is doubtful. NULL: the body is too large to be read.
void warn_of_facing(const options *o, const loaded *l, const er_gait_body *body);

/// Solves for the modes with the method and count of the options.
int solve(er_context *context, const options *o, const er_model *model, er_modes **out);

/// Writes the palette file with names of its modes.   @param validity  or NULL
er_result write_palette_file(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                             const er_validity *validity, const char *path);

/// Whether --mix or --mode names modes, which can be read only once they are solved for.
bool options_name_modes(const options *o);

/// Replaces names of modes in --mix and --mode by indices. They are looked for among the modes that are usually solved
/// for, or --count.   @param name  of the command   @return an exit status
int take_mode_names(er_context *context, const char *name, options *o, loaded *l);

/// Names modes; `out` is NULL if the rig has no regions to read (project_name_modes()).   @return an exit status
int name_modes(er_context *context, const options *o, const loaded *l, const er_modes *modes, er_mode_names **out);

/// Follows modes over the stiffness of the joints of --track: a table if `prints`, and the files of -o and --plot.
/// @param modes  of the model as it is   @return an exit status
int run_track(er_context *context, const options *o, const loaded *l, const er_modes *modes, bool prints);
int check_track(const options *o); ///< its outputs

/// Prints how the result differs from the requested tempo and number of gaits.
void print_tempo(const options *o, const er_gait_def *def, const er_gaits *gaits);

/// If gaits were lost because of the tempo, explains which tempi they allow.
/// @param left  the remaining gaits
/// @param name  a gait that is not among them; NULL: all
/// Errors   ER_ERROR_ARGUMENT: the tempi; as er_gaits_find(). ER_OK: the tempo is not the cause
er_result explain_tempo(er_context *context, const loaded *l, const er_modes *modes, const er_gait_def *def,
                        const er_gaits *left, const char *name);

/// How gaits are found: o->gait with the frames and modes of the other options.
er_gait_def gait_def_of(const options *o);

/// Finds the gait o->gait_name, which may end in " travels".
/// @param travels  whether the name ends so, written; NULL: it always travels
/// @param gaits  ER_OK: the gaits that contain it, for er_gaits_destroy()
/// Errors   ER_ERROR_ARGUMENT: no gait has that name (the message lists the names); as er_gaits_find()
er_result find_gait(er_context *context, const options *o, const loaded *l, const er_modes *modes, er_gaits **gaits,
                    const er_gait **out, bool *travels);

/// A gait's strides with an added motion.
typedef struct layered {
    er_gait_motion *motion;
    er_motion *top; ///< the added motion; NULL: none
    int strides;    ///< 0: nothing is added
} layered;

bool is_layered(const options *o, const er_mix *mix); ///< whether a motion is added to a gait; mix NULL: none

/// Adds motions to a stride: the mix, the clip of --over, planted bodies, --duration in strides.
/// @param mix  NULL for none; ER_OK: fitted
/// @param out  its motion is the stride, and becomes the sum   Errors   as project_layer_gait()
er_result lay_on_gait(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                      const er_gaits *gaits, const er_gait *gait, er_mix **mix, layered *out);
void layered_clear(layered *laid);

/// Simulates the gaits that stand on the ground, or a single gait of any kind.
/// @param out  [gaits->count], zeros; gaits left out stay zeros; for project_walk_clear() in any case
/// Errors   as project_walk_simulate()
er_result try_walks(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                    const er_gaits *gaits, project_walk *out);
/// Searches how gaits with feet are walked, where a walk fell or did not bear all pushes. Prints what it found.
/// Ctrl+C ends the search; the caller then prints and writes what there is, and calls interrupts_end().
/// @param def   as the walks were tried
/// @param walk  [gaits->count]; better walks take the place of those that were there
/// Errors   as project_walk_simulate()
er_result tune_walks(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                     const er_gaits *gaits, const project_walk_def *def, project_walk *walk);

void print_walks(const er_gaits *gaits, const project_walk *walk);

/// Records the clip "NAME simulated".
/// @param out  ER_OK: for er_recording_destroy(); unchanged if the gait was not simulated
er_result record_walk(er_context *context, const er_gait *gait, const project_walk *walk,
                      const er_recording_target *target, er_recording **out);

/// Describes the redundant constraints of a loop joint: "3 of its 5 constraints redundant: tx ty z".
void write_redundant(const er_model *model, int joint, const er_redundant_row *row, int count, char text[80]);

/// Notes a path of the command line, by which messages about it are known. Borrowed to the end.
/// @param written  an output: that it cannot be written has a code of its own
void name_file(const char *path, bool written);

/// Prints `eigenrig: error: FILE: message`.   @return the exit status
int fail_work(er_context *context, er_result r, const char *file);
int fail_with(int status, er_context *context, er_result r, const char *file); ///< another status
/// Prints a warning, each text once. The first warning of a run names the model.
void print_warning(const options *o, const char *format, ...) ER_PRINTF(2, 3);
void print_each_warning(const options *o, const char *text); ///< of a script, which may repeat warnings
/// Prints the result of one of many models.
void print_model_result(const batch_result *result);
void print_model_failure(const batch_result *result); ///< as an error

/// With --strict, turns printed warnings into an error.   @param status  without them
int strict_status(const options *o, int status);

/// Whether to print results: not if --quiet is given and a file has them.
bool shows_results(const options *o, bool written);

/// Prints notes of the library: warnings, and facts if --verbose is given.
/// @param o  must outlive it
project_listener listener_of(const options *o);

/// Between these calls SIGINT, SIGTERM and SIGHUP are only recorded, so that files can be removed. interrupts_end()
/// then raises the signal. If interrupts_came() is not asked for 5 s after a signal, the program ends by it.
/// Pairs may nest: the outermost counts. An end without a beginning does nothing.
void interrupts_begin(void);
bool interrupts_came(void);
void interrupts_end(void);

/// A progress bar on standard error for work longer than a second.
typedef struct progress {
    const char *what;
    bool shown, wanted;
    double start, last;
} progress;
progress progress_begin(const options *o, const char *what);
void progress_step(progress *p, int done, int all);
void progress_end(progress *p);

#endif
