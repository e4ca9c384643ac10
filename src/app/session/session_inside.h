/// @file
/// Private to the session room: the layers made from a setup.
///
/// A change makes new copies of the layers that depend on it. They replace the old ones when all of them are made; if
/// one fails, nothing has changed.
#ifndef ERI_APP_SESSION_SESSION_INSIDE_H
#define ERI_APP_SESSION_SESSION_INSIDE_H

#include "app/project/apply_description.h"
#include "app/project/project_follow.h"
#include "app/project/project_open.h"
#include "app/project/project_plant.h"
#include "app/project/project_play.h"
#include "app/project/project_tune.h"
#include "app/project/target.h"
#include "app/session/session.h"
#include "base/failure.h"

enum { MOST_STEPS = 200, FRAMES_A_SECOND = 60 };

/// Local transforms of all nodes of the scene, shared by steps.
typedef struct shared_pose {
    int users;
    er_affine local[];
} shared_pose;

shared_pose *session_pose_new(const er_affine *local, int count); ///< NULL without memory
void session_pose_drop(shared_pose *pose);                        ///< NULL is fine, here and below

/// Factors of the stiffness of all joints, shared by steps.
typedef struct shared_factors {
    int users, count;
    double factor[];
} shared_factors;

void session_factors_drop(shared_factors *factors);

/// Everything that undo restores.
typedef struct step {
    session_setup setup;
    shared_pose *pose;
    shared_factors *factors; ///< by session_tune_mode(); NULL: none
} step;

void session_step_share(step *p); ///< counts one more user of what steps share
void session_step_drop(step *p);

/// The rig before tuning. It depends on the parents of bodies, the rule for joints and the equilibrium.
typedef struct untuned {
    int users;             ///< besides the session
    er_rig *rig;           ///< NULL for a rig file
    const er_model *model; ///< the rig's or the file's, roots free if possible
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

/// Two solvers for models of the same structure: one holds the present modes, the other makes the next ones.
typedef struct solvers {
    er_model *model;
    er_modal_solver *solver[2]; ///< NULL until needed
    er_modal_def def[2];        ///< their definitions
} solvers;

typedef struct solution {
    int which;             ///< the solver that holds the modes
    const er_modes *modes; ///< its own
} solution;

/// The mix in time.
typedef struct playback {
    er_motion *motion;       ///< NULL if no mode plays
    project_play over;       ///< the clip below it; all zeros: none
    project_follow followed; ///< that clip with its loose parts moved; all zeros: none
    double share;            ///< of the amplitudes that loops of joints can follow
    bool measured;           ///< false: `share` is that of the previous playback
    er_pose *last;           ///< [body_count], the pose shown last; the equilibrium at first
} playback;

/// How far modes hold: of those that were asked for.
typedef struct mode_bounds {
    er_rig_shapes *shapes; ///< NULL for a rig file
    er_mode_bound *bound;  ///< [count of modes]
    bool *known;           ///< [count of modes]
} mode_bounds;

typedef struct layers {
    untuned *untuned;
    tuned *tuned;
    solvers *solvers;
    solution solution;
    project_plants *plants; ///< NULL: none
    playback *playback;
    er_regions *regions;     ///< NULL until they are needed, like the next two
    er_mode_names *names;    ///< of the solution's modes
    mode_bounds *bounds;     ///< likewise
    er_gait_body *gait_body; ///< NULL until it is needed, or the user sets feet or facing
} layers;

/// The motion of a preset in time, of one version of the modes.
typedef struct timed_preset {
    er_gait_motion *motion; ///< NULL: none
    unsigned version;
    char name[64];
} timed_preset;

/// The rig before a step of session_tune_mode().
typedef struct tune_start {
    int mode;               ///< that is tuned, index before the step
    er_model *model;        ///< before the step, like all of these
    shared_factors *before; ///< NULL: none
    er_modes modes;
    er_mode *list;
    double *shape;
    bool *joint;   ///< [joint_count], that may change first
    int count, at; ///< aims, and that of the mode
    er_tune_aim aim[SESSION_MAX_AIMS];
    int now[SESSION_MAX_AIMS]; ///< present index of each aim's mode
} tune_start;
void session_drop_tune_start(tune_start *t); ///< NULL is fine

/// A search for gaits, in progress or finished.
typedef struct gait_search gait_search;
void session_drop_gaits(gait_search *g); ///< waits for the end of the search

typedef struct session_history {
    step *past[MOST_STEPS], *future[MOST_STEPS];
    int past_count, future_count;
    bool open; ///< the last step of the past is not finished
} session_history;

struct session {
    er_context *context;
    project_file file;
    er_rig_def def;                 ///< of the request; its texts are owned, its pose is the first step's
    project_description *described; ///< owned; def.change borrows from it; NULL: none
    unsigned given;                 ///< settings given: bits of rig_settings.h
    char *tune;                     ///< frequencies of modes, for project_tune(), owned; NULL: none
    double *tuning;                 ///< [tuned_joints], factors of the model's springs as opened; NULL: none
    int tuned_joints;               ///< of that model
    char *pose_file;                ///< of the first step's given pose, owned; NULL: no file
    char *path;
    step first, now;
    layers in;
    session_history history;
    unsigned scene_version, shape_version, modes_version;
    gait_search *gaits;    ///< NULL: no search yet
    timed_preset timed;    ///< the preset in time that was taken last
    tune_start *tune_from; ///< of the step that is not finished; NULL: none
    er_rig *opened;        ///< the first rig while a file is being opened; otherwise NULL
    char message[256];
    char warnings[2048]; ///< of the present call
    char **preset;       ///< [preset_count], names of the user's presets
    int preset_count;
    char *recent[SESSION_MAX_RECENT];
    int recent_count;
    bool recent_read;
};

/// A listener that keeps warnings for session_warnings(), which it clears.
project_listener session_listen(session *s);

/// Fails while no model is open.
er_result session_check_open(const session *s);

/// Copies modes of the session with their shapes.
/// @param mode   [count], written; borrows from `shape`
/// @param shape  written, for free()
/// Errors   ER_ERROR_MEMORY
er_result session_copy_modes(const session *s, const er_mode *from, int count, er_mode *mode, double **shape);

void session_drop_recent(session *s);
void session_drop_presets(session *s);

/// Makes the layers of a step and puts them in place. The caller keeps the history.
/// @param next     its pose is shared
/// @param follow   components are indices of the present modes, to be found again among the new ones
/// @param measure  as for session_make_playback()
er_result session_apply(session *s, const step *next, bool follow, bool measure);
void session_clear_layers(layers *in);

bool session_same_rig(const step *a, const step *b);                         ///< all but the mix
bool session_same_gait_body(const session_setup *a, const session_setup *b); ///< feet and facing

/// The given parents of bones: the setup's, and the description's for other bones.
/// @param out  for free()
er_result session_list_reparents(const session *s, const session_setup *setup, er_hang **out, int *count);
/// The changes of single joints and bodies: the description's, and the rules.
/// @param joint  written: for free(); `out` borrows from it
er_result session_rig_change(const session *s, const session_setup *setup, er_rig_change *out, er_joint_change **joint);
er_result session_find_plants(session *s, const untuned *f, const session_setup *setup, project_plants **out);
void session_bounds_destroy(mode_bounds *bounds);
void session_plants_destroy(project_plants *plants);
er_gait_def session_gait_def(const session_setup *setup); ///< with its feet and facing; borrows from it
er_result session_read_gait_body(session *s, const untuned *f, const session_setup *setup, er_gait_body **out);
bool session_same_components(const session_setup *a, const session_setup *b);
bool session_same_sequence(const session_setup *a, const session_setup *b); ///< and preset in time

/// Each makes one layer; NULL on failure.
er_result session_make_untuned(session *s, const step *next, untuned **out);
er_result session_make_tuned(session *s, const untuned *f, const step *next, tuned **out);
untuned *session_untuned_share(untuned *f);
void session_untuned_destroy(untuned *f); ///< by its last user
void session_tuned_destroy(tuned *t);

/// Solves for the modes of the tuned model.
/// @param next  has the next tuned model, and the present solvers and solution, which are replaced
er_result session_solve(session *s, layers *next);
void session_solvers_destroy(solvers *s);

/// @param in       with the previous playback
/// @param measure  whether to measure the share of the amplitudes that loops can follow, which takes long
er_result session_make_playback(er_context *context, const layers *in, const session_setup *setup, bool measure,
                                playback **out);
void session_playback_destroy(playback *s);

/// Finds the setup's components and aims, modes of `was`, among the modes of `next`.
/// @param message  written if a component cannot be followed
er_result session_track_modes(er_context *context, const layers *was, const layers *next, session_setup *setup,
                              char *message, size_t size);

/// Clips with the setup's loose parts moved.
/// @param clip      name or index; NULL: all of the file
/// @param only_new  as project_follow_def
/// @param out       as project_follow_clips().   Errors: likewise
er_result session_follow_clips(er_context *context, const er_model *model, const er_rig *rig,
                               const session_setup *setup, const char *clip, double fps,
                               const project_listener *listener, project_follow *out);

/// The components that play, as a mix with the shapes of their modes; NULL if none plays.
/// @param share  of the amplitudes
er_result session_make_mix(er_context *context, const er_model *model, const er_modes *modes,
                           const session_setup *setup, double share, er_mix **out);

/// Applies a step of the user, and keeps the previous one for undo.
/// @param end  false: the step is not finished
er_result session_change(session *s, const step *next, bool end);
void session_clear_history(session_history *h);

#endif
