/// @file
/// The program `eigenrig`: options, loading, and one file a command. Public headers, and the rooms of programs.
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
#include "app/project/project_layer.h"
#include "app/project/project_modes.h"
#include "app/project/project_motion.h"
#include "app/project/project_open.h"
#include "app/project/project_plant.h"
#include "app/project/project_preset.h"
#include "app/project/project_simulate.h"
#include "app/project/target.h"
#include "app/project/walk.h"
#include "app/settings/rig_settings.h"
#include "base/said.h"
#include "base/suggest.h"
#include "tools/batch/batch.h"
#include "viewer/render/lua.h"
#include "viewer/render/render.h"
#include "viewer/window/viewer.h"

enum { MOST_OUTPUTS = 16, MOST_MIXES = 64 };

/// Exit statuses: EXIT_STOPPED is a batch that could not begin or go on, so that models were not come to.
enum { EXIT_DONE = 0, EXIT_WORK = 1, EXIT_USAGE = 2, EXIT_STOPPED = 3 };

/// What `play` is told.
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

/// Everything a command line can say.
typedef struct options {
    char **words; // [word_count], the program's own, NULL-ended
    int word_count;
    const char *model;
    const char *output; // -o: the first
    const char *outputs[MOST_OUTPUTS];
    int output_count;
    bool help, version, quiet, verbose, json;
    bool strict; // warnings are errors
    enum { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER } progress;
    int threads;           // 0: as OpenBLAS finds
    project_request asked; // how a model becomes a rig
    char clip[256];        // of --pose CLIP@S
    const char *save_pose;
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
    bool walks; // gaits are simulated
    project_walk_def walk;
    const char *over, *clip_name, *meshes, *save_mix, *plot;
    const char *preset;    // NULL: none
    bool only_new;         // clips: without the model's own
    const char *palette;   // a palette file, of validate
    const char *matrices;  // an archive, of modes
    er_gait_def gait;      // its up and forward as `asked` has them
    double stride_frames;  // 0: not given
    const char *gait_name; // of animate and render
    const char *of_gait;   // the last option that was said of how gaits are found; NULL: none
    bool list;
    const char *mixes_folder, *footfalls, *strip; // a folder, two drawings
    render_def picture;
    bool sheet;                                                       // of a picture
    bool mode_given, phase_given, time_given, fps_given, plant_given; // of a picture
    const char *topic;                                                // of cite, completion and manual; NULL: not given
    const struct command *commands;                                   // all there are
    int command_count;
    int script; // of run: its place among the words, word_count for none
    bool prompt;
    viewer_def view; // its size, script, screenshot and frames
    play_options play;
    batch_def batch;    // its inputs, processes, limits, shard
    bool merge;         // the inputs are folders of shards
    const char *write;  // --write
    const char *each;   // --script of batch
    char *given_option; // the options that change results, one after the other in the table's order
    void (*on_warning)(void *warning_user, const char *warning); // NULL: warnings go to standard error
    void *warning_user;
} options;

/// A command: its words, its help, its work.
typedef struct command {
    const char *name;
    const char *summary; // one line
    const char *usage;   // after the name
    const char *letters; // the groups of options it takes: w any work on a MODEL, r rig, m modes, n their numbers, p
                         // palette, a animate, d render, t validate, g gait, f how a gait reads a body, s run, T a
                         // topic instead of a model, y play, B batch, j info, v view, o -o, J --json of what
                         // is a table otherwise, S --strict
    const char *example;
    int (*run)(er_context *context, options *o);
} command;

int run_info(er_context *context, options *o);
int run_modes(er_context *context, options *o);
int run_palette(er_context *context, options *o);
int run_validate(er_context *context, options *o);
int run_animate(er_context *context, options *o);
int run_simulate(er_context *context, options *o);
int run_render(er_context *context, options *o);
int run_gait(er_context *context, options *o);
int run_script(er_context *context, options *o);
int run_batch(er_context *context, options *o);
int run_view(er_context *context, options *o);
int run_play(er_context *context, options *o);
int run_cite(er_context *context, options *o);
int run_completion(er_context *context, options *o);
int run_manual(er_context *context, options *o);

/// Reads the words after the command's name.   @return EXIT_DONE, or the status to leave with; -1: help was printed
int parse_options(const command *c, int argc, char **argv, er_context *context, options *o);
/// Whether the words say that errors are JSON, asked before they are read, so that what is wrong with them is JSON too.
/// A script's words count too: what is wrong with the script itself is the program's to say.
/// @param words  those after the program's name, NULL-ended
bool errors_are_json(char *const *words);
void print_command_help(const command *c, FILE *out);

/// A model as a command works on it: a rig file has no scene.
typedef struct loaded {
    er_scene *scene;                // NULL for a rig file
    er_rig *rig;                    // NULL for a rig file
    er_model *owned;                // the model of a rig file
    const er_model *model;          // of either
    project_description *described; // NULL where nobody described it
    const char *file;               // being read; NULL where messages name it
    const char *meshes;             // that pictures show; NULL for all
} loaded;

/// Reads a model's description, which the options then borrow from; its scene, or a rig file; then makes a rig of the
/// scene, or changes that of the file. Notes are said.
/// @param def  NULL for the defaults
/// @param out  to be unloaded, after a failure too
er_result describe_rig(er_context *context, options *o, loaded *out);
er_result open_scene(er_context *context, const options *o, const er_import_def *def, loaded *out);
er_result open_rig(er_context *context, options *o, loaded *out);

/// Does all three, and says on standard error what failed.   @return an exit status
int load(er_context *context, options *o, loaded *out);
void unload(loaded *l);

/// Refuses an output whose ending the command does not know, and names those that it does: somebody meant another
/// command, or another picture.
/// @param end  ".json", ...; NULL behind the last
/// @return an exit status
int check_output_ending(const char *command, const char *const *end, const options *o);

/// Refuses --json where a file goes to standard output too.   @return an exit status
int check_json(const char *command, const options *o);

/// Refuses to write what is binary to a terminal: `-` where standard output is one.   @return an exit status
int check_terminal(const char *command, const options *o);

/// Whether two paths lead to the same file.
bool same_file(const char *a, const char *b);

/// Reads a mix: a mix file, or words.
/// @param name  of the command   @return an exit status
int read_mix(er_context *context, const char *name, const char *text, er_mix **out);

/// How many elastic modes to solve for, so that mixes find theirs, where no count was given.
int modes_of_mixes(const options *o, const er_model *model, er_mix *const *mix, int count);

/// How many elastic modes to solve for: 0 for all. What was asked for, or project_usual_modes().
int modes_wanted(const options *o, const er_model *model);

/// The model with one looping clip per elastic mode, in the format that the path ends in.
/// @param clips  NULL, or written: how many
er_result write_palette_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                              const char *path, int *clips);

/// What stands below a picture's title: the model and how it was read.
void write_subtitle(const options *o, const loaded *l, char text[256]);

/// The model with its gaits as clips, on the spot and travelling, in the format that the path ends in; where it has
/// none a warning, and no file.
/// @param name  called for each gait that was written
er_result write_gait_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                           const char *path, void (*name)(void *user, const char *gait), void *user);

/// The contact sheet of a model's modes, PNG; a warning where none of them is elastic.
/// Errors   as render_write()
er_result write_sheet(er_context *context, const options *o, const loaded *l, const er_modes *modes, const char *path);

/// Draws a loaded model on a stage of its own.
/// Errors   as render_write()
er_result draw_picture(er_context *context, const loaded *l, const er_modes *modes, const render_def *def,
                       const char *path, render_report *report);

/// Solves with the options' method and that count.
int solve(er_context *context, const options *o, const er_model *model, er_modes **out);

/// The gaits of a loaded model by the options' words, or a mix as one; says what was assumed of its body.
/// @param mix  a mix or a mix file, NULL to search
er_result find_gaits(er_context *context, const options *o, const loaded *l, const er_modes *modes, const char *mix,
                     er_gaits **out);

/// Says what became of a tempo, and of a number of gaits, that was asked for.
void print_tempo(const options *o, const er_gait_def *def, const er_gaits *gaits);

/// Where gaits were lost to a tempo, what tempi they keep.
/// @param left  the gaits that are left
/// @param name  of one that is not among them; NULL: all
/// Errors   ER_ERROR_ARGUMENT: the tempi; as er_gaits_find(). ER_OK where the tempo is not to blame
er_result explain_tempo(er_context *context, const loaded *l, const er_modes *modes, const er_gait_def *def,
                        const er_gaits *left, const char *name);

/// The gait of o->gait_name, which may end in " travels" as the clip that does.
/// @param travels  written, whether it ends so; NULL: it always travels
/// @param gaits  ER_OK: that it is one of, to be destroyed
/// Errors   ER_ERROR_ARGUMENT: there is none of that name (says which there are); as find_gaits()
er_result find_gait(er_context *context, const options *o, const loaded *l, const er_modes *modes, er_gaits **gaits,
                    const er_gait **out, bool *travels);

/// A gait's strides, with what goes on top.
typedef struct layered {
    er_gait_motion *motion;
    er_motion *top; ///< the mix's; NULL without one
    int strides;    ///< 0: nothing is on top
} layered;

bool is_layered(const options *o, const er_mix *mix); ///< whether anything goes on top of a gait; mix NULL: none

/// Lays what is asked for over a stride: the mix, the clip of --over, what is planted, --duration in strides.
/// @param mix  NULL for none; ER_OK: fitted
/// @param out  whose motion is the stride, and becomes what is laid   Errors   as project_layer_gait()
er_result lay_on_gait(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                      const er_gaits *gaits, const er_gait *gait, er_mix **mix, layered *out);
void layered_clear(layered *laid);

/// Simulates gaits that stand on the ground; of one alone, whatever it is.
/// @param out  [gaits->count], zeros; written, those left out stay zeros; for project_walk_clear(), whatever the result
/// Errors   as project_walk_simulate()
er_result try_walks(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                    const er_gaits *gaits, project_walk *out);
void print_walks(const er_gaits *gaits, const project_walk *walk);

/// The clip "NAME simulated".
/// @param out  ER_OK: for er_recording_destroy(); not touched where the gait was not simulated
er_result record_walk(er_context *context, const er_gait *gait, const project_walk *walk,
                      const er_recording_target *target, er_recording **out);

/// How many of a loop joint's constraints are redundant, and which: "3 of its 5 constraints redundant: tx ty z".
void write_redundant(const er_model *model, int joint, const er_redundant_row *row, int count, char text[80]);

/// er_text_plain() in memory that lives for four calls more.
const char *plain(const char *text);

enum { ERRORS_TEXT, ERRORS_JSON };

/// From now on messages are of this command, lines or objects of JSON (docs/messages.md).
void messages_begin(const char *name, bool json);
bool messages_are_json(void);

/// One plain line on standard error, after `eigenrig: `.
void print_note(const char *format, ...) ER_PRINTF(1, 2);

/// `eigenrig: error: FILE: message` on standard error; the status to leave with.
int fail_work(er_context *context, er_result r, const char *file);
int fail_with(int status, er_context *context, er_result r, const char *file); ///< another status
int fail_usage(const char *command, const char *format, ...) ER_PRINTF(2, 3);
/// Once, however often it is come to. The first one of a run names the model.
void print_warning(const options *o, const char *format, ...) ER_PRINTF(2, 3);
void print_each_warning(const options *o, const char *text); ///< as a script says them, which may repeat itself
/// What came of one of many models.
void print_model_result(const batch_result *result);
void print_model_failure(const batch_result *result); ///< the same of one that failed, as an error

/// The status where warnings are errors and some were said: EXIT_WORK, and an error.   @param status  without them
int strict_status(const options *o, int status);

/// Whether what is printed goes to standard output: not where a file has it and nothing else is to be said.
bool shows_results(const options *o, bool written);

/// Says on standard error what rooms tell: warnings, and facts to who asked for much to be said.
/// @param o  must outlive it
project_listener listener_of(const options *o);

/// Starts the program anew, with so many threads of OpenBLAS, or one where a limit on addresses has no room for them;
/// returns where it has that number, or where it cannot be started.   @param words  argv
void load_with_threads(char **words, int threads);

/// The same, where a limit has no room for those that there are.
void keep_threads_in_limits(char **words);

/// Between these two SIGINT, SIGTERM and SIGHUP are noted, for work that has files to clear away; interrupts_end()
/// obeys them.
void interrupts_begin(void);
bool interrupts_came(void);
void interrupts_end(void);

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
