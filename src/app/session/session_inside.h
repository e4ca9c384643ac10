/// @file
/// Private to the session room: what is made of a setup, layer upon layer.
///
/// A change makes the layers that it touches anew, beside those in place; when all of them stand they change places,
/// and when one fails nothing has changed.
#ifndef ERI_APP_SESSION_SESSION_INSIDE_H
#define ERI_APP_SESSION_SESSION_INSIDE_H

#include "app/project/apply_description.h"
#include "app/project/project_open.h"
#include "app/project/project_plant.h"
#include "app/project/project_play.h"
#include "app/project/target.h"
#include "app/session/session.h"
#include "base/failure.h"

enum { MOST_STEPS = 200, FRAMES_A_SECOND = 60 };

/// Local transforms of all nodes of the scene, shared by the steps that have them.
typedef struct shared_pose {
    int users;
    er_affine local[];
} shared_pose;

shared_pose *session_pose_new(const er_affine *local, int count); ///< NULL without memory
shared_pose *session_pose_share(shared_pose *pose);               ///< NULL is fine, here and below
void session_pose_drop(shared_pose *pose);

/// All that undo brings back.
typedef struct step {
    session_setup setup;
    shared_pose *pose;
} step;

/// The rig as it stands: hangs on the rule of joints and the equilibrium.
typedef struct untuned {
    int users;             ///< besides the session
    er_rig *rig;           ///< NULL for a rig file
    const er_model *model; ///< with no tuning, roots free where they can be; the rig's, or the file's
    project_target shown;
} untuned;

/// The model as tuned.
typedef struct tuned {
    er_model *model;
    double *unit; ///< [coordinate_count], the stiffness at which each joint alone swings at 1 Hz
    er_kinematics *kinematics;
    double *x;      ///< [width]
    double *travel; ///< [joint_count]
} tuned;

/// Two solvers of models that differ in numbers and places alone: one holds the modes in place, the other makes the
/// next ones.
typedef struct solvers {
    er_model *model;
    er_modal_solver *solver[2]; ///< NULL until needed
    er_modal_def def[2];        ///< what they were made with
} solvers;

typedef struct solution {
    int which;             ///< the solver that holds the modes
    const er_modes *modes; ///< its own
} solution;

/// The mix in time.
typedef struct playback {
    er_motion *motion; ///< NULL where no mode plays
    project_play over; ///< the clip below it; all zeros: none
    double share;      ///< of the amplitudes, that loops follow
    bool measured;     ///< or else it is that of the playback before
    er_pose *last;     ///< [body_count], the last one shown; the equilibrium at first
} playback;

typedef struct layers {
    untuned *untuned;
    tuned *tuned;
    solvers *solvers;
    solution solution;
    project_plants *plants; ///< NULL where nothing is
    playback *playback;
    er_gait_body *gait_body; ///< NULL until it is asked for, or feet or facing are said
} layers;

/// Gaits that are sought, or were.
typedef struct gait_search gait_search;
void session_drop_gaits(gait_search *g); ///< waits for the end of the search

typedef struct session_history {
    step *past[MOST_STEPS], *future[MOST_STEPS];
    int past_count, future_count;
    bool open; ///< the last of the past began a step that goes on
} session_history;

struct session {
    er_context *context;
    project_file file;
    er_rig_def def;                 ///< as it was opened; its words are owned, its pose is the first step's
    project_description *described; ///< owned, what def.change is of; NULL for none
    unsigned given;                 ///< settings given: bits of rig_settings.h
    char *pose_file;                ///< of the first step's given pose, owned; NULL where it is of no file
    char *path;
    step first, now;
    layers in;
    session_history history;
    unsigned scene_version, shape_version, modes_version;
    gait_search *gaits; ///< NULL: none were sought
    er_rig *opened;     ///< the first rig of a file that is being opened; else NULL
    char message[256];
    char warnings[2048]; ///< of the work in hand
    char **preset;       ///< [preset_count], names of the user's
    int preset_count;
    char *recent[SESSION_MAX_RECENT];
    int recent_count;
    bool recent_read;
};

/// Keeps what is told of the work that begins now in session_warnings().
project_listener session_listen(session *s);

void session_drop_recent(session *s);
void session_drop_presets(session *s);

/// Makes what a step asks for and puts it in place; the history is the caller's.
/// @param next    its pose is shared when it is put in place
/// @param follow   components mean modes of the present modes, and are to be found among the new ones
/// @param measure  as for session_make_playback()
er_result session_apply(session *s, const step *next, bool follow, bool measure);
void session_clear_layers(layers *in);

bool session_same_rig(const step *a, const step *b);                         ///< all but the mix
bool session_same_gait_body(const session_setup *a, const session_setup *b); ///< feet and facing

/// What bones hang on: what the description says but for bones of which the setup does, and that.
/// @param out  for free()
er_result session_list_reparents(const session *s, const session_setup *setup, er_hang **out, int *count);
/// The changes of single joints and bodies: the description's, and the rules.
/// @param joint  written: for free(); `out` borrows from it
er_result session_rig_change(const session *s, const session_setup *setup, er_rig_change *out, er_joint_change **joint);
er_result session_find_plants(session *s, const untuned *f, const session_setup *setup, project_plants **out);
void session_plants_destroy(project_plants *plants);
er_gait_def session_gait_def(const session_setup *setup); ///< how feet and facing are read; borrows from it
er_result session_read_gait_body(session *s, const untuned *f, const session_setup *setup, er_gait_body **out);
bool session_same_components(const session_setup *a, const session_setup *b);

/// One layer each: made anew, or NULL.
er_result session_make_untuned(session *s, const step *next, untuned **out);
er_result session_make_tuned(session *s, const untuned *f, const session_setup *setup, tuned **out);
untuned *session_untuned_share(untuned *f);
void session_untuned_destroy(untuned *f); ///< once nobody has it
void session_tuned_destroy(tuned *t);

/// Modes of the tuned model.
/// @param in  its form and tuned model are the next ones; solvers and solution are those in place, and become the next
er_result session_solve(session *s, layers *next);
void session_solvers_destroy(solvers *s);

/// @param in       its playback is the one before
/// @param measure  what share of the amplitudes loops follow, which takes its time
er_result session_make_playback(er_context *context, const layers *in, const session_setup *setup, bool measure,
                                playback **out);
void session_playback_destroy(playback *s);

/// Finds the setup's components, modes of `was`, among the modes that are next.
/// @param message  written: what could not be followed, "" where all is well
er_result session_track_modes(er_context *context, const layers *was, const layers *next, session_setup *setup,
                              char *message, size_t size);

/// The components that play, as a mix with the shapes of their modes; NULL in silence.
/// @param share  of the amplitudes
er_result session_make_mix(er_context *context, const er_model *model, const er_modes *modes,
                           const session_setup *setup, double share, er_mix **out);

/// Applies a step that the user makes, and keeps the one before for undo.
/// @param end  false: it goes on
er_result session_change(session *s, const step *next, bool end);
void session_clear_history(session_history *h);

#endif
