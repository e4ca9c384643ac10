/// @file
/// Modes as displacements, mixes of them in time, and motions recorded as clips.
///
/// x(t) = sum over components of  factor e(t) sin(2 pi hz t + phase) R eta,  e the envelope: a rise of raised cosine
/// over `attack`, the same as a fall over `decay` before the end, and exp(-damping 2 pi hz t). Poses follow exactly
/// from x(t) (er_kinematics_pose(), model.h). Source: docs/theory.md 6 (4-47 read as joint coordinates),
/// docs/math/motion.md.
#ifndef EIGENRIG_MOTION_H
#define EIGENRIG_MOTION_H

#include <eigenrig/modal.h>
#include <eigenrig/model.h>
#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Modes and mixes

/// The displacement along a mode at unit factor, to first order.
/// @param mode  of this model
/// @param x     [er_kinematics_width()], written
ER_API void er_kinematics_mode(const er_kinematics *kinematics, const er_mode *mode, double *x);

/// The factor that a mode shape is multiplied by so that no joint turns by more than `degrees`, none shifts by more
/// than `degrees` / 20 of a tenth of the rig's size (er_model.size), and one reaches its bound. Where no joint moves,
/// as in a rigid mode, the same of the roots' turns and shifts. 0 where nothing moves.
/// @param degrees  >= 0
ER_API double er_pose_amplitude(const er_model *model, const er_mode *mode, double degrees);

/// How far a mode moves points of bodies at unit factor, to first order: of each body its frame's origin, and the point
/// twice as far from there as its centre of mass, the farther of the two.
/// @param mode  of this model
/// @param body  index; -1: the one that moves most
/// @return m, per unit of the factor, >= 0
ER_API double er_pose_excursion(const er_model *model, const er_mode *mode, int body);

/// One mode's part in a mix. Take er_default_mix_component(), then change fields.
typedef struct er_mix_component {
    int mode;            ///< index, of er_modes_find(), 0 to 1e9                                                 [0]
    double degrees;      ///< amplitude, as er_pose_amplitude() takes it, 0 to 3600                               [20]
    double metres;       ///< m, amplitude as er_pose_excursion() of `at`, 0 to 1e5, in place of degrees; 0: degrees [0]
    const char *at;      ///< UTF-8, name of a body, the first of that name, or a pattern with * and ?: of those
                         ///< like it the one that moves most; only with metres > 0. NULL: the one of all        [NULL]
    double hz;           ///< frequency, > 0, at most 1e6; 0: the mode's own                                      [0]
    int harmonic;        ///< whole cycles in the mix's common cycle, 1 to 10,000, in place of hz; 0: not bound   [0]
    double phase;        ///< rad, at most 1e9 in size                                                            [0]
    double attack;       ///< s, from 0 to full at the beginning, 0 to 1e5                                        [0]
    double decay;        ///< s, from full to 0 at the end, 0 to 1e5                                              [0]
    double damping;      ///< ratio of the free decay, 0 to 10; negative: the mode's own                          [0]
    double shape_hz;     ///< Hz, >= 0: what the mode had when `shape` was taken; 0 where there is none           [0]
    const double *shape; ///< [6 body_count of the mix], er_mode.body of the mode it was made for, to tell it again;
                         ///< NULL: the index alone tells                                                     [NULL]
    uint32_t tag;        ///< set by er_default_mix_component(); leave alone
} er_mix_component;

/// The defaults in brackets above.
ER_API er_mix_component er_default_mix_component(void);

enum { ER_MIX_MAX_COMPONENTS = 1000 };

/// Modes that act together. Made by the functions below it is read-only, and freed by er_mix_destroy(); made by hand,
/// from {0} on, it is taken wherever a mix is, and checked there.
typedef struct er_mix {
    const char *name;    ///< UTF-8, "" when there is none. In one made by hand NULL is fine: er_mix_create() then calls
                         ///< it after its modes, "mix 7 9", or, where that were 48 letters and more, "mix of 40"
    double cycle;        ///< s, the common cycle that harmonics are of, > 0, at most 1e5; 0: the motion's duration,
                         ///< or what suits the modes bound to it: the mean, of ratios, of their own
    int body_count;      ///< bodies of the rig that the shapes are of; 0 where no component has one
    double size;         ///< m, er_model.size of that rig, so that a rescaled one is known; 0: the same as now
    int component_count; ///< 1 to ER_MIX_MAX_COMPONENTS
    const er_mix_component *component; ///< [component_count]
    struct er_arena *arena;            ///< private; NULL in a mix made by hand
} er_mix;

/// Checks and copies a mix, its shapes too.
/// @param mix  every component made by er_default_mix_component()
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (any value; names the component and what is wrong), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_mix_create(er_context *context, const er_mix *mix, er_mix **out);

/// Reads "MODE:AMPLITUDE[mm|cm|m[:BODY]][@HZ|@Nx][+PHASE|-PHASE],...": degrees, or a length, of the body that moves
/// most or of the one that is named, whose name has no comma and ends where the rest can be read; Hz or N cycles a
/// common cycle; degrees; as "7:12, 9:5cm@1.1+90, 8:3cm:Tail3".
/// @param out  ER_OK: a new object for er_mix_destroy(), called after its modes (er_mix.name); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (says which word), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_mix_parse(er_context *context, const char *text, er_mix **out);

/// How alike two shapes are, the cosine between them in the mass norm: 1 for the same, -1 for the same turned about, 0
/// at right angles, and 0 where one does not move at all.
/// @param scale  the size of this rig over that of the rig that `a` is of, > 0: 1 where it is the same
/// @param a,b    [6 body_count], as er_mode.body
ER_API double er_mode_likeness(const er_model *model, double scale, const double *a, const double *b);

/// What became of a component in er_mix_fit().
typedef struct er_mix_match {
    int was;         ///< the index it had
    int now;         ///< the mode it means in this rig
    double likeness; ///< |eta_was' M eta_now|: 1 for the same shape, 0 for one at right angles; 1 where it has no shape
} er_mix_match;

/// Finds a mix's modes among those of a rig by their shapes, so that a change of stiffness, which shuffles indices,
/// leaves it what it was: each component with a shape gets the index, and the sign (by half a turn of its phase), of
/// the mode most like it in the mass norm. The copy's components carry the shapes of the modes found, and where they
/// have metres, the degrees that these are.
/// @param modes  of this model
/// @param match  [component_count of the mix], written on ER_OK; may be NULL
/// @param out    ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (no such mode; shapes of a rig with another number of bodies; a shape that no mode is
///          like by 0.7 at least, or two components' that are most like the same mode; metres at a body of no such
///          name, or that the mode does not move, or that are more than 3600 degrees; as er_mix_create()),
///          ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_mix_fit(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                            er_mix_match *match, er_mix **out);

/// Frees a mix. NULL is fine.   Threads: the context's.
ER_API void er_mix_destroy(er_mix *mix);

// ---- Motions

/// Options for er_motion_create(). Take er_default_motion_def(), then change fields.
typedef struct er_motion_def {
    double duration; ///< s, > 0, at most 1e5; 0: the mix's cycle, with `loop` as many of it as make whole frames to
                     ///< 2 %, and as whole frames; without one, with `loop`, of 1 to 24 cycles of the slowest
                     ///< component, to whole frames, the least that moves no frequency by more than 2 % (or failing
                     ///< that, the one that moves them least), as often as envelopes need; else 5 s        [0]
    bool loop;       ///< an exact cycle: every frequency becomes the nearest whole number of cycles in the duration
                     ///< (at least one), and so does the common cycle, so that harmonics keep their ratios: the end
                     ///< meets the start in pose and velocity                                          [false]
    double fps;      ///< frames a second that a duration chosen here is a whole number of, > 0, at most 1e5    [60]
    int plant_count; ///< 0 to 10,000                                                                            [0]
    const er_hold *plant; ///< [plant_count], bodies that stay where they stand at equilibrium while all else moves,
                          ///< each once; recorded over a clip, where they stand in that; borrowed for the call [NULL]
    uint32_t tag;         ///< set by er_default_motion_def(); leave alone
} er_motion_def;

/// The defaults in brackets above.
ER_API er_motion_def er_default_motion_def(void);

/// A component as bound.
typedef struct er_motion_component {
    int mode;        ///< index
    double degrees;  ///< amplitude; of one in metres, the degrees that these are
    double factor;   ///< of the mode shape: er_pose_amplitude() of degrees, or metres over er_pose_excursion()
    double hz;       ///< as bound
    double asked_hz; ///< before `loop` moved it
    double phase;    ///< rad
    double attack;   ///< s
    double decay;    ///< s
    double damping;  ///< ratio, >= 0
} er_motion_component;

/// A mix bound to the modes of a rig. Read-only; freed by er_motion_destroy().
typedef struct er_motion {
    const er_model *model; ///< borrowed
    double duration;       ///< s
    bool loops;            ///< the end meets the start in pose and velocity, exactly
    int component_count;
    const er_motion_component *component; ///< [component_count]
    int width;                            ///< of a displacement x (model.h)
    int plant_count;                      ///< bodies that stay
    struct er_motion_work *work;          ///< private
} er_motion;

/// Binds a mix to a rig. What is planted stays exactly (to 1e-10 of the size): joints, and roots that float, change by
/// the least energy: of the joints that in their springs, one without spring taken for a hundredth of the mean; of the
/// roots that of their trees, as if these moved rigidly at the mix's own pace. So legs give, and the body where they do
/// not reach. A tree with a body that is planted keeps no centre of mass.
/// @param model  must outlive the result; `modes`, of this model, and `mix` need not
/// @param def    made by er_default_motion_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_motion_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (as er_mix_create(); def; no such mode; a mode without frequency of its own and none
///          given; a harmonic without a cycle, a duration or a mode that has a frequency; a frequency that becomes more
///          than 1e6 Hz; metres at a body of no such name, or that the mode does not move; a chosen cycle longer than
///          1e5 s; plants of no body, or one body's twice, or at a point that is not finite; an envelope in a loop,
///          unless both attack and decay make it begin and end at rest; an attack or a decay longer than the motion),
///          and as er_kinematics_create()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_motion_create(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                                  const er_motion_def *def, er_motion **out);

/// Frees a motion. NULL is fine.   Threads: the context's.
ER_API void er_motion_destroy(er_motion *motion);

/// Exact poses at given times, loops closed, what is planted in its place.
/// @param time  [count], s, finite; any order; a motion that loops goes on for ever, another is held at its ends
/// @param x     [count x width], a row a time, written: displacements as they closed; NULL where not wanted
/// @param pose  [count x body_count], written; NULL where not wanted
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (a loop, or what is planted, cannot follow; names the time),
///          ER_ERROR_MEMORY
/// Memory   none after the first call.   Threads: one call per motion and context at a time.
/// Source   docs/theory.md 6; docs/math/motion.md.
ER_API er_result er_motion_poses(er_motion *motion, int count, const double *time, double *x, er_pose *pose);

/// Poses of very many times, side by side and in single precision: for previews and searches. Loops stay open,
/// and nothing is planted.
/// @param time  [count], as er_motion_poses()
/// @param pose  [body_count x 7 x count], written: for each body the quaternion's w x y z and the position's x y z, m,
///              each a row of all times
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY.   Memory: none after the first call.
/// Threads  one call per motion and context at a time.
ER_API er_result er_motion_frames(er_motion *motion, int count, const double *time, float *pose);

/// How far other forms are from the exact poses, at worst over some times of a motion.
typedef struct er_motion_errors {
    double shift;      ///< of the linear form (er_kinematics_linear()): m, of body frames
    double turn;       ///< rad, of body frames
    double tear;       ///< er_pose_joint_gap() of it, m
    double correction; ///< what closing loops, and planting, changed: the largest change of a joint coordinate, rad, or
                       ///< over the rig's size; 0 without either
} er_motion_errors;

/// Measures er_motion_errors over given times.
/// @param time  [count], s, as er_motion_poses() takes them; count >= 1
/// @param out   written
/// Errors   as er_motion_poses().   Memory: none after the first call.   Threads: one call per motion and context.
ER_API er_result er_motion_measure(er_motion *motion, int count, const double *time, er_motion_errors *out);

/// The largest share of the mix's amplitudes, 0 to 1, that loops and plants follow at every frame, by bisection to a
/// hundredth, and, where nothing is planted, without a jump from one frame to the next (more than four times the
/// fastest that was asked for).
/// @param fps    frames a second to look at, > 0, at most 1e5; 10 million of them at most
/// @param share  written; 1 where all is well; 0 where not even a hundredth works
/// Errors   as er_motion_poses(), but ER_ERROR_NO_CONVERGENCE
/// Memory   none after the first call.   Threads: one call per motion and context at a time.
ER_API er_result er_motion_reach(er_motion *motion, double fps, double *share);

// ---- Recordings: motions as clips
//
// A motion recorded as a clip: keys on the nodes of a scene, alone or over a clip that is there.

/// How a model's bodies move the nodes of a scene. er_rig_target() makes that of a rig. All is borrowed for the call.
typedef struct er_recording_target {
    const er_scene *scene;
    const int *node_body; ///< [node_count], the body a node moves with; -1 for nodes that stay
    const bool *keyed;    ///< [node_count], nodes that get keys in any case, such as er_rig.bone; of the others, those
                          ///< with a body that a clip of the scene keys get them too. NULL: all nodes with a body
    const er_affine *world; ///< [node_count], world transforms at equilibrium, file units
    double metres_per_unit; ///< m per file unit, > 0
} er_recording_target;

/// The scene of a rig, moved by its bodies, with the rig's bones keyed.   @return borrows from the rig
ER_API er_recording_target er_rig_target(const er_rig *rig);

/// Whether a body moves an instance of the scene: its node, or where it has a skin, a joint of that. What no body
/// moves, where others are moved, is scenery.
/// @param instance  in [0, instance_count)
ER_API bool er_recording_moves(const er_recording_target *target, int instance);

/// Options for er_motion_record(). Take er_default_recording_def(), then change fields.
typedef struct er_recording_def {
    const char *name; ///< of the clip, UTF-8, copied                                                       [""]
    double fps; ///< frames a second, > 0, at most 1e5; the last frame is at the motion's end in any case           [60]
    double tolerance; ///< rad, in [0, 1]: keys only where they are needed to stay so near to the motion (lengths: times
                      ///< half the rig's size; scales: times the scale); 0: a key at every frame           [0]
    bool cubic;       ///< keys with tangents (ER_CUBIC): with a tolerance fewer than linear ones; at every frame
                      ///< they keep loops closed between frames, where lines cut corners; not over a clip, whose
                      ///< own keys have kinks                                                        [false]
    const er_clip *over; ///< a clip of the scene that the motion goes over; NULL: none                     [NULL]
    uint32_t tag;        ///< set by er_default_recording_def(); leave alone
} er_recording_def;

/// The defaults in brackets above.
ER_API er_recording_def er_default_recording_def(void);

/// A recorded motion. Read-only; freed by er_recording_destroy().
typedef struct er_recording {
    er_clip clip;    ///< of the motion's duration, or longer, to the last key of channels kept of def->over; where
                     ///< the motion loops and there is none, first and last keys are equal
    double fps;      ///< frames a second: def->fps; of given poses their mean
    int frame_count; ///< times the motion was looked at
    int key_count;   ///< keys of all channels together
    double error;    ///< rad: how far keys left out let any rotation stray from the frames; 0 without tolerance
    struct er_arena *arena; ///< private
} er_recording;

/// Records a motion. Every keyed node has rotation keys; translation and scale where the motion or the pose changes
/// them, or where a clip of the scene keys them (so that no viewer carries them over). Interpolation is linear unless
/// the def says otherwise, quaternions come without sign flips, and a value that never changes has two keys, at both
/// ends.
///
/// Over a clip: at every frame and every key of that clip, a moving node's rotation is R R0^-1 R', its translation
/// t + t' - t0 and its scale s s' / s0, of the clip's (R, t, s), those at equilibrium (0) and those of the motion (').
/// A node that the motion does not move, or a property of one, keeps the clip's own channel, pointers and all,
/// so that writers can keep it to the bit; steps between keys of what moves become ramps as long as a frame.
/// What is planted stays where the clip has it: each frame is the clip's pose, moved as the motion moves the
/// equilibrium, joints changed from there by the least energy (docs/math/motion.md).
/// @param motion  of the model that node_body speaks of
/// @param def     made by er_default_recording_def(), or NULL for the defaults
/// @param out     ER_OK: a new object for er_recording_destroy(), which borrows from def->over; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (def, target; more than 10 million frames, with a tolerance counted at 4 times
///          def->fps), ER_ERROR_NO_CONVERGENCE (says how much of the amplitudes loops can follow, or when
///          what is planted over a clip cannot), ER_ERROR_MEMORY
/// Memory   allocates the result, and as much scratch.   Threads: one call per motion and context at a time.
ER_API er_result er_motion_record(er_context *context, er_motion *motion, const er_recording_target *target,
                                  const er_recording_def *def, er_recording **out);

/// Poses that no motion of modes makes, in time. All is borrowed for the call.
typedef struct er_recorded_poses {
    const er_model *model;
    int count;           ///< >= 2
    const double *time;  ///< [count], s, from 0 up, strictly ascending, at most 1e5; the last is the clip's duration
    const er_pose *pose; ///< [count x body_count], a row a time: world poses, finite
    bool loops;          ///< the last row is the first again
} er_recorded_poses;

/// Records given poses at their own times, as er_motion_record() does a motion.
/// @param poses  of the model that node_body speaks of
/// @param def    as er_motion_record() takes it; def->over must be NULL, and def->fps is checked but not used
/// @param out    ER_OK: a new object for er_recording_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (poses, def, target), ER_ERROR_MEMORY
/// Memory   allocates the result, and as much scratch.   Threads: one call per context at a time.
ER_API er_result er_poses_record(er_context *context, const er_recorded_poses *poses, const er_recording_target *target,
                                 const er_recording_def *def, er_recording **out);

/// Frees a recording. NULL is fine.   Threads: the context's.
ER_API void er_recording_destroy(er_recording *recording);

/// The poses that bodies have where the nodes of a scene have local transforms, as in a frame of a clip: the rigid part
/// of how each body's node moved from the equilibrium. Joints need not be together then: er_model_coordinates().
/// @param target     of the model; `keyed` and `node_body` are not looked at
/// @param body_node  [body_count], the node that each body goes with, such as er_rig.body_node
/// @param local      [node_count of the scene], as er_scene_sample() gives them
/// @param pose       [body_count], written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY.   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_poses_of_nodes(er_context *context, const er_model *model, const er_recording_target *target,
                                   const int *body_node, const er_affine *local, er_pose *pose);

// ---- Tracks: poses as functions of time

/// Poses of bodies in time, through given ones, twice continuously differentiable: what can be followed by forces.
typedef struct er_track er_track;

/// Natural cubic splines of positions, and of quaternions brought to norm 1.
/// @param count       >= 2
/// @param time        [count], s, strictly ascending, copied
/// @param body_count  >= 1
/// @param pose        [count x body_count], a row a time, copied
/// @param out         ER_OK: a new object for er_track_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time; a track may be read by many threads.
ER_API er_result er_track_create(er_context *context, int count, const double *time, int body_count,
                                 const er_pose *pose, er_track **out);

/// Frees a track. NULL is fine.   Threads: the context's.
ER_API void er_track_destroy(er_track *track);

/// A body's pose at a time, and how it moves: er_world_def.guide. Before the first time and after the last it is as
/// then.
/// @param body   [0, body_count)
/// @param pose   written
/// @param twist  written: body axes, of the pose's origin
/// @param rate   written: rates of the twist's six numbers
ER_API void er_track_at(const er_track *track, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate);

// ---- Modes against full dynamics
//
// A mode answers linear equations. How far it is true, full dynamics tell: a world (dynamics.h) of the same model, with
// its springs but without gravity, dampers, damping ratio and Rayleigh factors, begins in the mode, at rest at the end
// of a swing, and swings ten times. The mode's coordinate there is a = eta' K x / lambda, x the joint coordinates.

/// What became of a mode in ten swings.
typedef struct er_trial {
    double degrees; ///< amplitude, as er_pose_amplitude() takes it
    double shift;   ///< the frequency that a falls through 0 with, over the mode's, less 1; -1: it did not come back
    double leakage; ///< share of the energy that is in other modes where a turns after that, [0, 1]: what modes of the
                    ///< same frequency (eigenvalues to 1e-6, of those held) have counts as the mode's
} er_trial;

/// Lets a mode swing.
/// @param modes    of this model
/// @param index    of a mode held, elastic
/// @param degrees  in (0, 180]
/// @param out      written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (a loop cannot follow that far; a motion that cannot be
///          integrated), ER_ERROR_RIG, ER_ERROR_NOT_POSDEF (as er_world_create()), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.   Source: docs/math/validity.md.
ER_API er_result er_mode_try(er_context *context, const er_model *model, const er_modes *modes, int index,
                             double degrees, er_trial *out);

/// Options for er_modes_validate(). Take er_default_validity_def(), then change fields.
typedef struct er_validity_def {
    double shift; ///< of the frequency, up to which a mode is true, in (0, 1)                            [0.02]
    /// Called after each swing that the caller's thread does, and while it waits for others; in that thread, within the
    /// call, without the context, with how many modes are done. False ends the work with those. NULL for nobody [NULL]
    bool (*progress)(void *user, int done, int all);
    void *user;   ///< handed to it                                                                     [NULL]
    uint32_t tag; ///< set by er_default_validity_def(); leave alone
} er_validity_def;

/// The defaults in brackets above.
ER_API er_validity_def er_default_validity_def(void);

/// How far one mode is true.
typedef struct er_mode_validity {
    int mode;               ///< index
    double true_to_degrees; ///< the largest amplitude found where |shift| is below the def's, to a hundredth of it; 0
                            ///< where it is at 0.01 degrees already beyond
    bool at_least;          ///< it is below at 60 degrees too, and nothing beyond was tried
    int trial_count;
    const er_trial *trial; ///< [trial_count], amplitudes ascending: 0.01, 1, 2, 5, 10, 20, 40 and 60 degrees up to
                           ///< the first that is beyond, and those of the search; none that loops cannot follow
} er_mode_validity;

/// How far modes are true. Read-only; freed by er_validity_destroy().
typedef struct er_validity {
    double shift;                 ///< the def's
    int count;                    ///< modes that were judged
    const er_mode_validity *mode; ///< [count], indices ascending
    struct er_arena *arena;       ///< private
} er_validity;

/// Judges all elastic modes held: some 10 to 15 swings each, of a time that grows with the rig's highest frequency over
/// the mode's.
/// @param modes  of this model
/// @param def    made by er_default_validity_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_validity_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG, ER_ERROR_NOT_POSDEF, ER_ERROR_MEMORY
/// Memory   allocates the result; the context's functions are called by one thread at a time, though by any.
/// Threads  one call per context at a time; starts up to er_modal_set_threads() of its own, 8 at most, each with modes
///          of its own. What comes out does not depend on their number.   Source: docs/math/validity.md.
ER_API er_result er_modes_validate(er_context *context, const er_model *model, const er_modes *modes,
                                   const er_validity_def *def, er_validity **out);

/// The judgement of a mode by its index; NULL where there is none.
/// @param validity  or NULL, which has none
ER_API const er_mode_validity *er_validity_find(const er_validity *validity, int index);

/// Frees it. NULL is fine.   Threads: the context's.
ER_API void er_validity_destroy(er_validity *validity);

// ---- Skin that tears
//
// Whether bodies hang together as the skin does shows in its edges. A mode is swung to both sides until the joint that
// turns most has turned by an angle. An edge between u and v of one triangle grows from |u - v| to |u' - v'|. Where
// only a neighbour of the two turned by that angle, about the nearest joint c of the bodies that move u and v, it would
// grow by 2 sin(angle / 2) r at most, r = max(|u - c|, |v - c|). So the *tear* of an edge is
//
//     (|u' - v'| - |u - v|) / (2 sin(angle / 2) max(r, size / 100)),
//
// up to 2 where two neighbours turn against each other, some more where the skin passes over bones between them (webs
// of fingers), and above ER_TORN where parts stay behind. Parts whose skin touches no other tear nothing.

/// From where on a mesh is torn (er_tear.torn): good rigs reach 0.5 to 7, feet that stay behind 10 and more.
#define ER_TORN 8.0

/// The worst tear over modes and edges.
typedef struct er_tear {
    double torn;    ///< as above, >= 0; 0 where no edge is moved by two bodies
    double stretch; ///< m, how much that edge grows
    int mode;       ///< index of the mode, -1 where torn is 0
    int body[2];    ///< that move its ends most; -1 likewise
} er_tear;

/// Finds the worst tear over the lowest elastic modes.
/// @param modes    of this model; those held that are elastic, the first `count` of them
/// @param target   skins, and where their joints stand at equilibrium
/// @param count    > 0
/// @param degrees  the angle, in (0, 90]
/// @param out      written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY, and as er_kinematics_create(). A swing that a loop cannot follow is
/// left
///          out
/// Memory   scratch.   Threads: one call per context at a time.
/// Source   docs/math/motion.md.
ER_API er_result er_modes_tear(er_context *context, const er_model *model, const er_modes *modes,
                               const er_recording_target *target, int count, double degrees, er_tear *out);

#ifdef __cplusplus
}
#endif
#endif
