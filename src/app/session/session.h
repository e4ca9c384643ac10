/// @file
/// A session: a model that is open, its tuning, a mix of its modes, and undo. It knows no window and no OpenGL.
///
/// Errors   the context has the message, and the session is as before the call. Functions that need a model fail with
///          ER_ERROR_ARGUMENT while none is open.
/// Memory   pointers that are returned are the session's. They are valid until the next call that changes something.
/// Threads  one thread calls all functions of a session.
/// Paths are any bytes.
#ifndef ERI_APP_SESSION_SESSION_H
#define ERI_APP_SESSION_SESSION_H

#include <eigenrig/gait.h>
#include <eigenrig/identity.h>
#include <eigenrig/modal.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#include "app/project/apply_description.h"

enum {
    SESSION_MAX_RULES = 64,
    SESSION_MAX_COMPONENTS = 64,
    SESSION_MAX_RECENT = 12,
    SESSION_MAX_REPARENTS = 64,
    SESSION_MAX_AIMS = 16,
    SESSION_MAX_PIECES = 32
};

/// Tunes the joints whose names match a pattern; becomes an er_joint_change (rig.h).
typedef struct session_rule {
    char pattern[128];    ///< of joint names, with * and ?; a pattern without a match is refused
    double hz;            ///< > 0: frequency of the joint moving alone; 0: by the stiffness law
    double damping_ratio; ///< >= 0, of the joint moving alone at its own frequency; 0: unchanged
    double density;       ///< > 0: factor on the masses of the joints' child bodies
    int type;             ///< er_joint_type; -1: unchanged
} session_rule;

/// The parent that the user gave a bone; both are nodes of the scene.
typedef struct session_reparent {
    int bone, parent; ///< parent: -1 for none, the bone is a root
} session_reparent;

enum { SESSION_MOST_DEGREES = 90 }; ///< of a component's amplitude in the window

/// A mode in the mix.
typedef struct session_component {
    int mode;        ///< index in the palette
    double degrees;  ///< amplitude, 0 to 3600
    double hz;       ///< 0 to 1e6; 0: the mode's own frequency, or 1 if it has none
    double phase;    ///< rad
    bool mute, solo; ///< as on a mixer: a mute component, or one without solo beside one with, is silent
} session_component;

/// The frequency that session_tune_mode() gave a mode.
typedef struct session_aim {
    int mode;  ///< index in the palette
    double hz; ///< > 0, as asked; the mode has another one after further changes of the rig
} session_aim;

/// Parts that are loose along the clip that plays, as in er_follow_def.
typedef struct session_follow {
    char parts[512]; ///< for project_find_parts(), or "springs"; "": none
    double hz;       ///< Hz, the first frequency of each part; 0: its own springs
    double bounce;   ///< in [0, 1)
    double weight;   ///< in [0, 10]
    double amount;   ///< in [0, 10]
    bool rest_pose;  ///< springs rest at the rest pose, not where the clip has the parts
} session_follow;

/// A piece of the sequence.
typedef struct session_piece {
    char what[256]; ///< as project_sequence_def.text names it, without its seconds
    double seconds; ///< > 0
} session_piece;

/// Everything that the user can set and undo restores. Plain data: copy session_get(), change it, call session_set().
typedef struct session_setup {
    er_root root;         ///< always ER_ROOT_FIXED for a rig file that is fixed to the world
    er_joint_rule joints; ///< cannot change for a rig file
    er_stiffness stiffness;
    bool own_springs;     ///< a rig file's own springs, until `stiffness` changes; rules still apply
    double damping_ratio; ///< of every elastic mode, >= 0
    double density;       ///< kg/m^3, > 0; a rig file's masses are scaled by density / 1000
    int rule_count;
    session_rule rule[SESSION_MAX_RULES]; ///< later ones win
    int aim_count;
    session_aim aim[SESSION_MAX_AIMS]; ///< written by session_tune_mode() and session_untune() alone
    er_pose_source pose; ///< ER_POSE_GIVEN: the pose it was opened with, or that of session_rotate(); ER_POSE_REST
                         ///< for a rig file
    char clip[256];      ///< for ER_POSE_CLIP: name, or index in digits
    double clip_time;    ///< s, from 0 to its duration
    int reparent_count;  ///< these override the description; 0 for a rig file
    session_reparent reparent[SESSION_MAX_REPARENTS];
    char props[4096];      ///< er_rig_def.props; "": auto
    char feet[1024];       ///< er_gait_def.feet; "": automatic; "none"
    er_vec3 forward;       ///< er_gait_def.forward; zero: automatic
    char over[256];        ///< clip below the mix: name, or index in digits; "": none
    session_follow follow; ///< acts while `over` is a clip
    char plant[1024];      ///< bodies that stay in place, for project_find_plants(); "": none
    int component_count;
    session_component component[SESSION_MAX_COMPONENTS];
    char mix_name[128]; ///< UTF-8
    char timed[64];     ///< preset in time that plays in place of the mix; "": none
    bool performs;      ///< the sequence plays in place of the mix
    int piece_count;
    session_piece piece[SESSION_MAX_PIECES]; ///< the sequence
} session_setup;

typedef struct session session;

/// Creates a session with nothing open.
/// @param context  must outlive the session
/// Errors   ER_ERROR_MEMORY
er_result session_create(er_context *context, session **out);
void session_destroy(session *s); ///< NULL is fine

/// Opens a model, a rig file or a palette file, and clears the undo history. On failure the open model stays open.
/// Without a pose in the request, project_build_rig() chooses one; session_message() says so if it is not the rest
/// pose.
/// @param request  how to read it; NULL for the defaults. Copied deeply. The user's tuning overrides its description.
///                 For a rig file only root, stiffness, damping, mass and symmetry count, if they are not the
///                 defaults
/// Errors   as project_apply_description(), er_import_file(), er_rig_file_read(), er_rig_build() and er_modal_solve()
er_result session_open(session *s, const char *path, const project_request *request);
bool session_is_open(const session *s);
bool session_is_world(const session *s);                ///< the open file is a world
const char *session_path(const session *s);             ///< "" when nothing is open
const char *session_description_path(const session *s); ///< "" without a description

/// The open model; NULL while nothing is open.
const er_model *session_model(const session *s);             ///< as tuned
const er_rig *session_rig(const session *s);                 ///< without the tuning; NULL for a rig file
const er_recording_target *session_target(const session *s); ///< its scene is shown: bone shapes if there is no mesh
const er_scene *session_scene(const session *s);             ///< the file's, with its clips; NULL for a rig file
const er_modes *session_modes(const session *s); ///< all modes; of rigs above 100 bodies up to the 64th elastic one
const er_mode_names *session_names(session *s);  ///< of the modes, made when first asked for; NULL: the rig has none
/// How far a mode holds, up to SESSION_MOST_DEGREES (er_modes_bound_one()), found when first asked for. NULL: the mode
/// is not held, or there is no memory.
const er_mode_bound *session_bound(session *s, int mode);
int session_note_count(const session *s);          ///< notes of the scene and the rig; 0 for a rig file
const char *session_note(const session *s, int i); ///< "" for an index out of range
bool session_note_warns(const session *s, int i);  ///< whether it is a warning; false for an index out of range

/// Counts up whenever the shown scene or its number of bodies changes.
unsigned session_scene_version(const session *s);
/// Counts up whenever scene, bodies or equilibrium change.
unsigned session_shape_version(const session *s);
/// Counts up whenever the modes change.
unsigned session_modes_version(const session *s);

const session_setup *session_get(const session *s);
/// Applies a setup, and solves the modes again if they change. Components then follow their modes by shape, so begin
/// each change from the present setup: its components are indices of the present modes.
/// @param step  false while a slider is dragged, true when it is released: the whole drag is one undo step, or none if
///              it ends where it began. Nothing can be redone during a drag
/// Errors   ER_ERROR_ARGUMENT (a value out of range; a pattern without a match; no such mode), and as er_rig_build(),
///          er_rig_change_model(), er_modal_solve() and er_motion_create()
er_result session_set(session *s, const session_setup *setup, bool step);
/// A message for the user about the last change, such as a component whose mode changed its shape; "" without one.
const char *session_message(const session *s);
/// Ends an undo step that session_set() or session_rotate() left open. Harmless if none is open.
void session_commit(session *s);
bool session_can_undo(const session *s);
bool session_can_redo(const session *s);
/// One step back or forth. Modes and components are restored to the bit. 200 steps are kept; without one nothing
/// happens. An open step is committed first.
er_result session_undo(session *s);
er_result session_redo(session *s);

/// Rotates a body and its descendants in the equilibrium pose, about the body's origin. The pose becomes ER_POSE_GIVEN,
/// and modes are solved again. Only for models with a scene.
/// @param rotation  rotation vector in the scene's world axes, rad
/// @param step      as in session_set()
/// Errors   ER_ERROR_ARGUMENT (a rig file; no such body; a parent of scale 0), and as session_set()
er_result session_rotate(session *s, int body, er_vec3 rotation, bool step);

/// Gives an elastic mode a frequency: springs change as little as can be from where they were before the step (the
/// logarithms' sum of squares), those of the mode's own part of the body first. Modes tuned before keep their
/// frequencies. session_message() says what cannot be met, and the nearest that can.
/// @param mode  index in the palette before the step, the same during a drag
/// @param hz    > 0, at most 1e6
/// @param step  as in session_set()
/// Errors   ER_ERROR_ARGUMENT (no such mode; one that is not elastic; more than SESSION_MAX_AIMS), and as
///          er_tuning_create() and session_set()
er_result session_tune_mode(session *s, int mode, double hz, bool step);
/// Undoes what session_tune_mode() did to springs, as one step.   Errors: as session_set()
er_result session_untune(session *s);
/// Finds the bodies of regions and patterns (project_find_parts()).
/// @param option  what lists them, for messages
/// @param found   [body_count], written
/// Errors   as project_find_parts()
er_result session_find_parts(session *s, const char *option, const char *names, bool *found);
int session_find_aim(const session *s, int mode); ///< of the setup's aims; -1: none

/// Feet, facing and sides of the model, for gaits. Computed on demand; NULL if it cannot be read or is too large.
const er_gait_body *session_gait_body(session *s);

// Corrections of a body, one undo step each. Only for models with a scene. Further errors are those of session_set().

/// Gives a body another parent.   @param on  the parent; -1: none, the body becomes a root
/// Errors   ER_ERROR_ARGUMENT (no such body; a cycle; several bones share the name; more than SESSION_MAX_REPARENTS)
er_result session_set_parent(session *s, int body, int on);
bool session_is_welded(const session *s, int body); ///< its joint is fixed
/// Welds a body to its parent, or undoes that, by a rule of its joint.   Errors: ER_ERROR_ARGUMENT (the body is a root)
er_result session_weld(session *s, int body, bool welded);
/// Makes all nodes of this node's name props, or no props.
/// Errors   ER_ERROR_ARGUMENT (no such node; a name that patterns cannot express)
er_result session_set_prop(session *s, int node, bool prop);
/// Makes a body and its mirror image feet, or no feet. Without any foot left, feet become "none".
/// Errors   ER_ERROR_ARGUMENT (a single foot would be left; a name that patterns cannot express), and as
///          er_gait_body_read()
er_result session_set_foot(session *s, int body, bool foot);

/// Writes the tuned rig as a description. Opening the model with it gives the same rig.
/// Errors   ER_ERROR_ARGUMENT (a rig file; a pose from session_rotate() that was not saved; a pose file outside the
///          description's folder), and as project_write_description()
er_result session_save_description(session *s, const char *path);

/// Frequency of a tuned joint moving alone, Hz, as session_rule.hz measures it; 0 without springs or without joint.
/// @param joint  of [0, joint_count)
double session_joint_hz(const session *s, int joint);
/// Names of the joints that move most in a mode, in descending order: "spine_2, chest, neck". At most `count`, and none
/// that moves less than a quarter of the first; "" for a rigid mode.   @return bytes as snprintf()
int session_moving_joints(const session *s, int mode, int count, char *text, size_t size);
const er_mode *session_mode(const session *s, int index); ///< by its index in the palette; NULL if there is none

/// Plays one mode alone, at the default amplitude and without a clip, as one step; -1: none.
er_result session_play(session *s, int mode);
/// Plays a clip of the source alone, as one step. Modes added later are mixed over it. "": no clip.
/// Errors   as er_scene_find_clip(); ER_ERROR_ARGUMENT (a pose without duration)
er_result session_play_clip(session *s, const char *clip);
/// The loose parts of the clip that plays, and how they swing; NULL: none.
const er_follow *session_followed(const session *s);
/// Adds a mode to the mix or removes it, as one step.
er_result session_toggle(session *s, int mode);

/// The mix in time.
double session_cycle(const session *s); ///< s: duration of the clip below, or the shortest loop of the mix
                                        ///< (er_motion_def); 1 without either
/// The pose at a time; the mix repeats for ever. Amplitudes are scaled by session_reach() where joint loops need it.
/// @param time  s, finite   @param pose  [body_count], written.   Memory: none after session_set().
er_result session_pose(session *s, double time, er_pose *pose);
bool session_plays(const session_setup *setup, int component); ///< false if mute, or silenced by a solo component
double session_reach(
    const session *s); ///< share of the amplitudes that joint loops can follow, (0, 1]; not updated during a drag
/// One mode at an amplitude and a phase (pi/2 is the extreme), whatever the mix is, for thumbnails and ghosts. Joint
/// loops that cannot follow go as far as they can.
/// @param degrees  0 to 3600   @param phase  rad   @param pose  [body_count], written
er_result session_mode_pose(session *s, int mode, double degrees, double phase, er_pose *pose);

// Gaits of the present modes. A thread searches for them; the result is dropped when the modes change.

/// Starts the search, unless it runs or has its result. Call it again while a search of older modes still runs.
/// Errors   ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no thread)
er_result session_search_gaits(session *s);
/// Waits for the search and takes its result.   @param patience  s, the longest wait; HUGE_VAL: until it ends
/// Errors   as er_gaits_find()
er_result session_wait_for_gaits(session *s, double patience);
bool session_is_searching_gaits(const session *s,
                                double *share);            ///< @param share  written: the part that is done
const er_gaits *session_gaits(const session *s);           ///< NULL: no result, or no gait
double session_gait_cycle(const session *s, int gait);     ///< s, a stride
const char *session_gait_name(const session *s, int gait); ///< "" without such a gait

/// In place of a gait: the preset in time, or the sequence, that was made last.
enum { SESSION_TIMED_PRESET = 1 << 20, SESSION_SEQUENCE };

void session_show_mix(session_setup *setup); ///< ends a preset in time and a sequence
/// Plays a preset in time, as one step.   Errors: as session_move_preset() and session_set()
er_result session_play_timed(session *s, const char *name);
/// Starts a thread that makes the setup's sequence, unless it is made or another one is being made.
/// session_wait_for_gaits() takes it; until then the one before plays. Gaits that it searches for are those of
/// session_gaits() afterwards.
/// Errors   ER_ERROR_ARGUMENT (no piece; too long), ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no thread)
er_result session_make_sequence(session *s);
bool session_is_making_sequence(const session *s);
bool session_has_sequence(const session *s); ///< one of the present modes plays as gait SESSION_SEQUENCE
/// Writes the mix that plays as a piece.
/// @return false: no mode plays, or the words are too long
bool session_mix_piece(const session *s, session_piece *out);

/// Makes the motion of a preset in time; session_message() has its warnings. It plays as gait SESSION_TIMED_PRESET
/// until the modes change.   Errors: as project_move_preset()
er_result session_move_preset(session *s, const char *name);
bool session_has_timed_preset(const session *s); ///< of the present modes
/// The pose of a gait at a time.
/// @param gait     index in session_gaits()
/// @param travels  true: over the ground; false: on the spot
/// @param time     s, finite   @param pose  [body_count], written
/// Errors   as er_gait_move(); ER_ERROR_ARGUMENT (no such gait)
er_result session_gait_pose(session *s, int gait, bool travels, double time, er_pose *pose);

/// Writes the components that play as a mix file.   Errors: ER_ERROR_ARGUMENT (none plays), and as er_mix_file_write()
er_result session_save_mix(session *s, const char *path);
/// Replaces the components by those of a mix file, as one step. Modes are found by shape. Envelopes are dropped, and
/// session_message() says so.
/// Errors   as er_mix_file_read() and er_mix_fit(); ER_ERROR_ARGUMENT (more than SESSION_MAX_COMPONENTS)
er_result session_load_mix(session *s, const char *path);
/// Reads the names of the user's presets, without duplicates. session_warnings() has the faults of their file.
/// @return  session_preset_count()
int session_read_presets(session *s);
int session_preset_count(const session *s);
const char *session_preset(const session *s, int i); ///< name; "" if out of range. Valid until the next read
/// Replaces components and plants by those of a preset, as one step.
/// Errors   as project_make_preset(); ER_ERROR_ARGUMENT (more than SESSION_MAX_COMPONENTS)
er_result session_take_preset(session *s, const char *name);
/// Writes the equilibrium as a pose file.   Errors: ER_ERROR_ARGUMENT (a rig file), and as er_pose_file_write()
er_result session_save_pose(session *s, const char *path);
/// Takes the equilibrium from a pose file, as one step.
/// Errors   ER_ERROR_ARGUMENT (a rig file), and as er_pose_file_read() and session_set()
er_result session_load_pose(session *s, const char *path);

/// Options of session_write(). Take session_default_export(), then change fields.
typedef struct session_export {
    bool follow;          ///< clips with their loose parts moved instead of the mix       [false]
    bool every_clip;      ///< of `follow`: all clips of the file; else that which plays    [false]
    bool palette;         ///< a clip for each elastic mode instead of the mix: .glb, .gltf, .fbx  [false]
    double degrees;       ///< amplitude of a palette's clips; 0: as far as each holds [0]
    double duration;      ///< s, 0: the cycle                                        [0]
    double fps;           ///<                                                        [60]
    double tolerance;     ///< degrees, 0: a key a frame                              [0]
    bool splines;         ///<                                                        [false]
    double attack, decay; ///< s                                                  [0]
    bool ring;            ///< each mode decays by its own damping                [false]
    const char *over;     ///< clip of the source below the mix                      [NULL]
    const char *name;     ///< of the clip, UTF-8; NULL: the mix's name               [NULL]
} session_export;
session_export session_default_export(void);
/// Writes the mix in the format of the path's ending, as `animate` and `palette` do: .glb .gltf .fbx .dae .bvh .csv
/// .npz .svg (plot); .json writes the tuned rig file. Errors   ER_ERROR_ARGUMENT (an unknown ending: the message lists
/// the known ones), and as the writers
er_result session_write(session *s, const session_export *def, const char *path);
/// Gives the motion that plays, for pictures: a mix, a clip, or a mix over a clip. All but the mix is the session's.
/// @param mix    for er_mix_destroy(); NULL: no mode plays
/// @param clip   with its loose parts moved; NULL: none
/// @param plant  [plant_count], for er_motion_def
/// Errors   as er_mix_create()
er_result session_played(session *s, er_mix **mix, const er_clip **clip, const er_hold **plant, int *plant_count);
const char *session_warnings(const session *s); ///< warnings of the last export, a line each

/// Writes a stride of a gait, as `animate --gait` does.   @param travels  with root motion
/// Errors   ER_ERROR_ARGUMENT (no such gait; a format without clips), and as er_gait_move(), er_gait_record() and the
///          writers
er_result session_write_gait(session *s, int gait, bool travels, const session_export *def, const char *path);

/// Recent files, the latest first, kept in $XDG_STATE_HOME/eigenrig/recent (default ~/.local/state). If that file
/// cannot be read or written, the list is empty.
int session_recent_count(session *s);
const char *session_recent(session *s,
                           int i); ///< absolute path; "" if out of range. Valid until the next call
/// Puts a file first, and drops files that no longer exist.
void session_remember(session *s, const char *path);

#endif
