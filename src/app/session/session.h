/// @file
/// What a user works on: a model that is open, its tuning, a mix of its modes, and every step of it undone and redone.
/// No window and no OpenGL: the viewer shows it, tests drive it.
///
/// All of it on one thread. Messages of what failed are the context's; a call that fails leaves everything as it was,
/// and while nothing is open all that need a model fail with ER_ERROR_ARGUMENT. Paths are any bytes. What is handed out
/// is the session's own, valid until the next call that changes something.
#ifndef ERI_APP_SESSION_SESSION_H
#define ERI_APP_SESSION_SESSION_H

#include <eigenrig/gait.h>
#include <eigenrig/modal.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#include "app/project/apply_description.h"

enum { SESSION_MAX_RULES = 64, SESSION_MAX_COMPONENTS = 64, SESSION_MAX_RECENT = 12, SESSION_MAX_REPARENTS = 64 };

/// Tuning of the joints whose names match: see er_joint_change in rig.h, which it becomes.
typedef struct session_rule {
    char pattern[128];    ///< of joint names, * and ? as in a shell; one that matches none is refused
    double hz;            ///< > 0: the joint's springs alone swing at this; 0: as the law says
    double damping_ratio; ///< >= 0, of the joint alone at its own frequency; 0: none of its own
    double density;       ///< factor on the masses of the bodies that hang on the joints next, > 0; 1 leaves them
    int type;             ///< er_joint_type, or -1: as it is
} session_rule;

/// The parent that the user gave a bone; both are nodes of the scene.
typedef struct session_reparent {
    int bone, parent; ///< parent: -1 for none, the bone is a root
} session_reparent;

/// A mode that plays.
typedef struct session_component {
    int mode;        ///< index, as the palette prints it
    double degrees;  ///< amplitude, 0 to 3600
    double hz;       ///< >= 0, at most 1e6; 0: its own, or 1 where it has none
    double phase;    ///< rad
    bool mute, solo; ///< those that are mute, or not solo while others are, do not play
} session_component;

/// Everything that the user can set and undo brings back; plain data. Take the session's, change, give it back.
typedef struct session_setup {
    er_root root;         ///< a rig file that is tied to the world stays ER_ROOT_FIXED
    er_joint_rule joints; ///< stays, of a rig file
    er_stiffness stiffness;
    bool own_springs;     ///< the springs as a rig file has them, until the law is set to another; rules come on top
    double damping_ratio; ///< of every elastic mode, >= 0
    double density;       ///< kg/m^3, > 0; of a rig file 1000 stands for the masses that it has, and others scale them
    int rule_count;
    session_rule rule[SESSION_MAX_RULES]; ///< later ones win
    er_pose_source pose; ///< ER_POSE_GIVEN: as it was opened, or what session_rotate() made; ER_POSE_REST
                         ///< for a rig file
    char clip[256];      ///< for ER_POSE_CLIP: name, or index in digits
    double clip_time;    ///< s, from 0 to its duration
    int reparent_count;  ///< over the description's; 0 for a rig file
    session_reparent reparent[SESSION_MAX_REPARENTS];
    char props[4096]; ///< er_rig_def.props; "": auto
    char feet[1024];  ///< er_gait_def.feet; "": those that are found; "none"
    er_vec3 forward;  ///< er_gait_def.forward; zero: read off the shape
    char over[256];   ///< clip that the mix lies over: name, or index in digits; "": none
    char plant[1024]; ///< what stays where it stands, as project_find_plants() takes it; "": nothing
    int component_count;
    session_component component[SESSION_MAX_COMPONENTS];
    char mix_name[128]; ///< UTF-8
} session_setup;

typedef struct session session;

/// A session with nothing open.
/// @param context  must outlive it
/// Errors   ER_ERROR_MEMORY
er_result session_create(er_context *context, session **out);
void session_destroy(session *s); ///< NULL is fine

/// Opens a model, a rig file or a palette file. Undo begins anew. On failure what was open stays open. Where no pose is
/// said, it is chosen as project_build_rig() does, and session_message() says so where it is not rest.
/// @param asked  how it is read: the command line's; NULL for the defaults. Copied, what it points to as well. Its
///               description, of single joints and bodies too, comes under what is tuned. Of a rig file, root,
///               stiffness, damping and mass count where they are not the defaults
/// Errors   as project_apply_description(), er_import_file(), er_rig_file_read(), er_rig_build() and er_modal_solve()
er_result session_open(session *s, const char *path, const project_request *request);
bool session_is_open(const session *s);
const char *session_path(const session *s);             ///< "" when nothing is open
const char *session_description_path(const session *s); ///< the path of the description; "" where there is none

/// What is open; NULL when nothing is.
const er_model *session_model(const session *s);             ///< as tuned
const er_rig *session_rig(const session *s);                 ///< NULL for a rig file; its model is without the tuning
const er_recording_target *session_target(const session *s); ///< its scene is what is shown: bone shapes without a mesh
const er_scene *session_scene(const session *s);             ///< the file's own, with its clips; NULL for a rig file
const er_modes *session_modes(const session *s); ///< all; to the 64th elastic one of a rig of more than 100 bodies
int session_note_count(const session *s); ///< what was assumed: the scene's notes and the rig's; 0 for a rig file
const char *session_note(const session *s, int i); ///< of [0, note count); "" of another

/// Counts up whenever what is shown is another scene, or has another number of bodies: what was made of it must be made
/// again.
unsigned session_scene_version(const session *s);
/// Counts up whenever scene, bodies or equilibrium are other ones.
unsigned session_shape_version(const session *s);
/// Counts up whenever modes are other ones.
unsigned session_modes_version(const session *s);

const session_setup *session_get(const session *s);
/// Applies a setup: modes are solved anew where they must be, components follow their modes by shape, not by index. So
/// take the present setup for each change: components in it mean modes of the present modes. A slider that is being
/// dragged gives step false, and true when it is let go: then it is one step of undo, or none where it comes back to
/// where it was. Until then nothing can be redone. Errors   ER_ERROR_ARGUMENT (a value that may not be; a pattern or a
/// mode that there is not), and as er_rig_build(),
///          er_rig_change_model(), er_modal_solve() and er_motion_create()
er_result session_set(session *s, const session_setup *setup, bool step);
/// What the last change could not keep, for the user: a component whose mode has become another; "" where all is well.
const char *session_message(const session *s);
/// Ends the step that session_set() or session_rotate() with false left open; fine where none is.
void session_commit(session *s);
bool session_can_undo(const session *s);
bool session_can_redo(const session *s);
/// One step back, or forth again: modes and components are what they were, to the bit. 200 steps are kept. With none
/// left nothing happens. An open step is ended first.
er_result session_undo(session *s);
er_result session_redo(session *s);

/// Turns a body in the equilibrium pose, from where it stands and with all that hangs on it, about its frame's origin.
/// Only of models with a scene: the pose becomes ER_POSE_GIVEN, and modes follow.
/// @param rotation  vector in the scene's world axes, rad
/// @param step      as in session_set()
/// Errors   ER_ERROR_ARGUMENT (a rig file; no such body; a parent scaled to nothing), and as session_set()
er_result session_rotate(session *s, int body, er_vec3 rotation, bool step);

/// The body as a traveller sees it: its feet, which way it faces. Made when it is asked for. NULL where it cannot be
/// read, or is too large.
const er_gait_body *session_gait_body(session *s);

// What somebody says of a body, each as one step. Only of models with a scene; errors besides: as session_set().

/// Hangs a body on another.   @param on  a body; -1: none, it is a root
/// Errors   ER_ERROR_ARGUMENT (no such body; it would hang in a circle; several bones share the name; all of
/// SESSION_MAX_REPARENTS are taken)
er_result session_set_parent(session *s, int body, int on);
bool session_is_welded(const session *s, int body); ///< its joint is fixed
/// Welds a body to what it hangs on by a rule of its joint, or lets it go.   Errors: ER_ERROR_ARGUMENT (it is a root)
er_result session_weld(session *s, int body, bool welded);
/// Makes a bone, or what is drawn at a node, a prop, or none, and others of its name with it.
/// Errors   ER_ERROR_ARGUMENT (no such node; names that patterns cannot tell)
er_result session_set_prop(session *s, int node, bool prop);
/// Makes a body and its mirror image feet, or no feet; the last ones leave "none".
/// Errors   ER_ERROR_ARGUMENT (one foot alone would be left; names that patterns cannot tell), as er_gait_body_read()
er_result session_set_foot(session *s, int body, bool foot);

/// Writes the rig as it stands as a description, with all that was tuned: opened with it, the model is the same.
/// Errors   ER_ERROR_ARGUMENT (a rig file; a pose turned by hand, which is no file yet; a pose file that does not lie
/// below the description's folder), and as project_write_description()
er_result session_save_description(session *s, const char *path);

/// The frequency that a joint's springs give it alone, Hz (the measure of session_rule.hz), as tuned; 0 without springs
/// or joint.
/// @param joint  of [0, joint_count)
double session_joint_hz(const session *s, int joint);
/// The joints that move most in a mode, most first: "spine_2, chest, neck"; no more than count, and none that moves
/// less than a quarter as far as the first; "" for a rigid mode.   @return bytes as snprintf()
int session_moving_joints(const session *s, int mode, int count, char *text, size_t size);
const er_mode *session_mode(const session *s, int index); ///< by the palette's index; NULL when it is not held

/// Plays one mode alone at the default amplitude, over no clip, as one step; -1: none.
er_result session_play(session *s, int mode);
/// Plays a clip of the source alone, as one step; what is added then lies over it. "": rest.
/// Errors   as er_scene_find_clip(); ER_ERROR_ARGUMENT (a pose without duration)
er_result session_play_clip(session *s, const char *clip);
/// Adds a mode to the mix, or takes it out, as one step.
er_result session_toggle(session *s, int mode);

/// The mix in time.
double session_cycle(const session *s); ///< s: the clip that it lies over, or the shortest loop that the mix fits
                                        ///< (er_motion_def); 1 at rest
/// The pose at a time, the loop going on for ever; where a loop of joints cannot follow, at the share of the amplitudes
/// that it can.
/// @param time  s, finite   @param pose  [body_count], written.   Memory: none once the setup stands.
er_result session_pose(session *s, double time, er_pose *pose);
bool session_plays(const session_setup *setup, int component); ///< neither mute, nor left out by others that are solo
double
session_reach(const session *s); ///< that share, 1 where all is well; measured when a step ends, not during a drag
/// One mode at an amplitude and a phase (a quarter turn is the extreme), whatever the mix is: thumbnails, ghosts. A
/// loop of joints that cannot follow goes as far as it can.
/// @param degrees  0 to 3600   @param phase  rad   @param pose  [body_count], written
er_result session_mode_pose(session *s, int mode, double degrees, double phase, er_pose *pose);

// Gaits of the modes as they are, sought in a thread while all else goes on; forgotten when modes are other ones.

/// Begins, unless they are known or sought; again and again while those of other modes are still sought.
/// Errors   ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no thread)
er_result session_search_gaits(session *s);
/// Takes what has been found by then.   @param patience  s, that it is waited for; HUGE_VAL: to its end
/// Errors   as er_gaits_find()
er_result session_wait_for_gaits(session *s, double patience);
bool session_is_searching_gaits(const session *s,
                                double *share);        ///< @param share  written: of the search, that is done
const er_gaits *session_gaits(const session *s);       ///< NULL: not known, or none can be found
double session_gait_cycle(const session *s, int gait); ///< s, a stride
/// @param gait     of session_gaits()
/// @param travels  it goes over the ground; else on the spot, while the ground passes below
/// @param time     s, finite   @param pose  [body_count], written
/// Errors   as er_gait_move(), of a gait that was not the last; ER_ERROR_ARGUMENT (there is none)
er_result session_gait_pose(session *s, int gait, bool travels, double time, er_pose *pose);

/// Writes the components that play as a mix file.   Errors: ER_ERROR_ARGUMENT in silence, and as er_mix_file_write()
er_result session_save_mix(session *s, const char *path);
/// Takes the components of a mix file in place of those there are, as one step; modes are found by shape. Envelopes are
/// left out, which session_message() then says. Errors   as er_mix_file_read() and er_mix_fit(); ER_ERROR_ARGUMENT
/// (more components than SESSION_MAX_COMPONENTS)
er_result session_load_mix(session *s, const char *path);
/// Reads the names of the user's presets, each once; what is wrong in their file is in session_warnings().
/// @return  their number, which is session_preset_count() from then on
int session_read_presets(session *s);
int session_preset_count(const session *s);
const char *session_preset(const session *s, int i); ///< name, ""; until they are read again
/// Takes a preset's components and plants in place of those there are, as one step.   Errors   as
/// project_make_preset(); ER_ERROR_ARGUMENT (more components than SESSION_MAX_COMPONENTS)
er_result session_take_preset(session *s, const char *name);
/// Writes the equilibrium as a pose file.   Errors: ER_ERROR_ARGUMENT (a rig file), and as er_pose_file_write()
er_result session_save_pose(session *s, const char *path);
/// Takes the equilibrium from a pose file, as one step; modes are solved anew.   Errors: ER_ERROR_ARGUMENT (a rig
/// file), and as er_pose_file_read() and session_set()
er_result session_load_pose(session *s, const char *path);

/// What the export dialog can say. Take session_default_export().
typedef struct session_export {
    bool palette;         ///< a clip for every elastic mode, instead of the mix: .glb, .gltf, .fbx [false]
    double degrees;       ///< amplitude of a palette's clips                         [20]
    double duration;      ///< s, 0: the cycle                                        [0]
    double fps;           ///<                                                        [60]
    double tolerance;     ///< degrees, 0: a key a frame                              [0]
    bool splines;         ///<                                                        [false]
    double attack, decay; ///< s                                                  [0]
    const char *over;     ///< a clip of the source that the mix lies over, or NULL   [NULL]
    const char *name;     ///< of the clip, UTF-8; NULL: the mix's                    [NULL]
} session_export;
session_export session_default_export(void);
/// Writes it in the format that the path ends in, as `animate` and `palette` do: .glb .gltf .fbx .dae .bvh .csv .npz
/// .svg (plot), and .json for the rig file as tuned.
/// Errors   ER_ERROR_ARGUMENT (an ending that is not known: names those that are), and as the writers
er_result session_write(session *s, const session_export *def, const char *path);
const char *session_warnings(const session *s); ///< what the command line would have warned of then, a line each

/// Writes a gait, a stride of it, as `animate --gait` does.   @param travels  with root motion
/// Errors   ER_ERROR_ARGUMENT (no such gait; an ending of no clips), and as er_gait_move(), er_gait_record() and the
/// writers
er_result session_write_gait(session *s, int gait, bool travels, const session_export *def, const char *path);

/// The files opened last, the last one first, kept in $XDG_STATE_HOME/eigenrig/recent (~/.local/state without it).
/// Where that cannot be read or written there are none; nothing is said.
int session_recent_count(session *s);
const char *session_recent(session *s,
                           int i); ///< whole path, any bytes; "" beyond the count. Valid until the next call
/// Puts a file first; what is not there is left out. The list is written whole or not at all.
void session_remember(session *s, const char *path);

#endif
