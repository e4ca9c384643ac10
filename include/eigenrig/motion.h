/// @file
/// Modes as displacements, mixes of them in time, and motions recorded as clips.
///
/// From a mode to a clip: er_mix_component with the mode's index, er_mix_create(), er_motion_create(),
/// er_motion_record() with er_rig_target() (rig.h), then a writer of formats.h. er_motion_def.loop makes a clip that
/// viewers can repeat.
///
/// x(t) = sum over components of  factor e(t) sin(2 pi hz t + phase) R eta
/// The envelope e rises during `attack` and falls during `decay` before the end, both as raised cosines. It is
/// multiplied by the free decay exp(-damping 2 pi hz t). Poses follow exactly from x(t) (er_kinematics_pose(),
/// model.h). Source: docs/theory.md 6 (4-47 read as joint coordinates), docs/math/motion.md.
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

/// The factor of a mode shape for an amplitude in degrees. It is the largest factor at which no joint rotates by more
/// than `degrees`, and none translates by more than `degrees` / 20 times a tenth of the rig's size (er_model.size). If
/// no joint moves, as in a rigid mode, the bounds apply to the roots. 0 if nothing moves.
/// @param degrees  >= 0
ER_API double er_mode_amplitude(const er_model *model, const er_mode *mode, double degrees);

/// The reason why a mode does not swing farther.
typedef enum er_bound {
    ER_BOUND_ASKED,   ///< nothing but the amplitude that was asked for
    ER_BOUND_LIMIT,   ///< a joint reaches its limit
    ER_BOUND_CONTACT, ///< two parts of the body meet
    ER_BOUND_LINEAR   ///< beyond, full dynamics move in another way
} er_bound;

/// The name of a bound: "asked", "limit", "contact", "linear"; "unknown" for other values.   Memory: static.
ER_API const char *er_bound_name(er_bound bound);

/// The amplitudes, as in er_mode_amplitude(), up to which a mode is a motion of its rig. HUGE_VAL where nothing bounds
/// it.
typedef struct er_mode_bound {
    double limit;   ///< the first joint that swings both ways reaches a limit. Limits that do not contain the
                    ///< equilibrium do not count
    double contact; ///< two shapes overlap by three hundredths of the rig's size (er_model.size). Shapes of neighbours
                    ///< do not count, nor do those that overlap at equilibrium
    double linear;  ///< within ten periods the frequency shifts by 2 %, or half of the energy goes to other modes:
                    ///< estimated to second order; er_modes_validate() measures both
    double degrees; ///< the least of these and of what was asked for
    er_bound by;    ///< which of them this is
} er_mode_bound;

/// Bounds the amplitudes of modes. Rigid modes, mechanisms and modes that move no joint have none but the one asked
/// for; neither limits nor shapes of other rigs count.
/// @param modes   of this model. Energy that goes to modes which are not among them is not seen
/// @param shapes  of this model, from er_rig_shapes_create(); NULL: contact does not count
/// @param most    degrees, in (0, 180], the amplitude that is asked for; contact is looked for up to there
/// @param bound   [modes->count], written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY, as er_modal_solve(), er_kinematics_create() and er_world_create()
/// Memory   scratch.   Threads: one call per context at a time.   Time: about 1 ms a mode for 40 bodies.
/// Source   docs/math/validity.md. Models with loops have no `linear` bound.
ER_API er_result er_modes_bound(er_context *context, const er_model *model, const er_modes *modes,
                                const er_rig_shapes *shapes, double most, er_mode_bound *bound);

/// Bounds the amplitude of one mode, as er_modes_bound() does.
/// @param index  of a mode that is held
/// @param bound  written
/// Errors   ER_ERROR_ARGUMENT (the mode is not held), and as er_modes_bound()
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_modes_bound_one(er_context *context, const er_model *model, const er_modes *modes, int index,
                                    const er_rig_shapes *shapes, double most, er_mode_bound *bound);

/// The distance by which a mode moves a body at unit factor, to first order: the larger of those of two points, the
/// origin of the body's frame and the point twice as far from there as its centre of mass.
/// @param mode  of this model
/// @param body  index; -1: the body that moves most
/// @return m, per unit of the factor, >= 0
ER_API double er_mode_excursion(const er_model *model, const er_mode *mode, int body);

/// One mode's part in a mix. Take er_default_mix_component(), then change fields.
typedef struct er_mix_component {
    int mode;        ///< index, of er_modes_find(), 0 to 1e9                                                 [0]
    double degrees;  ///< amplitude, as in er_mode_amplitude(), 0 to 3600                                     [20]
    double metres;   ///< m, amplitude as er_mode_excursion() of `at`, 0 to 1e5, instead of degrees; 0: degrees [0]
    const char *at;  ///< UTF-8, the body that `metres` refers to: the first of this name. With * and ?: the one that
                     ///< moves most among those that match. NULL: the one that moves most            [NULL]
    double hz;       ///< frequency, > 0, at most 1e6; 0: the mode's own                                      [0]
    int harmonic;    ///< whole cycles in the mix's common cycle, 1 to 10,000, instead of hz; 0: by hz        [0]
    double phase;    ///< rad, at most 1e9 in size                                                            [0]
    double attack;   ///< s, rise from 0 at the beginning, 0 to 1e5                                           [0]
    double decay;    ///< s, fall to 0 at the end, 0 to 1e5                                                   [0]
    double damping;  ///< ratio of the free decay, 0 to 10; negative: the mode's own                          [0]
    double shape_hz; ///< Hz, >= 0: the mode's frequency when `shape` was taken; 0 without a shape            [0]
    const double *shape; ///< [6 body_count of the mix], er_mode.body of the mode that was meant, to find it again in a
                         ///< changed rig; NULL: by index alone                                                   [NULL]
    uint32_t tag;        ///< set by er_default_mix_component(); leave alone
} er_mix_component;

/// The defaults in brackets above.
ER_API er_mix_component er_default_mix_component(void);

enum { ER_MIX_MAX_COMPONENTS = 1000 };

/// Modes that act together. A mix made by the functions below is read-only and freed by er_mix_destroy(). A mix made by
/// hand, starting from {0}, can be passed to all functions; they check it.
typedef struct er_mix {
    const char *name;    ///< UTF-8, "" for none. NULL in a mix made by hand: er_mix_create() names it after its modes,
                         ///< such as "mix 7 9", or "mix of 40" if that would have 48 letters or more
    double cycle;        ///< s, the common cycle that harmonics refer to, > 0, at most 1e5. 0: the motion's duration;
                         ///< without one, the geometric mean of the cycles that fit the modes' own frequencies
    int body_count;      ///< bodies of the rig to which the shapes belong; 0 without shapes
    double size;         ///< m, er_model.size of that rig, to recognise a rescaled one; 0: unchanged
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

/// Reads "MODE:AMPLITUDE[mm|cm|m[:BODY]][@HZ|@Nx][+PHASE|-PHASE],...", such as "7:12, 9:5cm@1.1+90, 8:3cm:Tail3".
/// AMPLITUDE is in degrees, or the length by which BODY moves (without BODY: the body that moves most). HZ is a
/// frequency; Nx means N cycles in the common cycle. PHASE is in degrees. The name of BODY may not contain a comma.
/// @param out  ER_OK: a new object for er_mix_destroy(), named after its modes (er_mix.name); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (says which word), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_mix_parse(er_context *context, const char *text, er_mix **out);

/// The cosine between two shapes in the mass norm: 1 for the same shape, -1 for its opposite, 0 if they are orthogonal
/// or one has no motion.
/// @param scale  the size of this rig over that of the rig of `a`, > 0
/// @param a,b    [6 body_count], as er_mode.body
ER_API double er_mode_likeness(const er_model *model, double scale, const double *a, const double *b);

/// The mode that er_mix_fit() found for a component.
typedef struct er_mix_match {
    int was;         ///< its index before
    int now;         ///< its index in this rig
    double likeness; ///< |eta_was' M eta_now|: 1 for the same shape, 0 for an orthogonal one; 1 without a shape
} er_mix_match;

/// Finds a mix's modes among those of a rig by their shapes, so that a mix stays the same when a change of stiffness
/// reorders the modes. Each component with a shape gets the index of the mode most like it in the mass norm. If that
/// mode has the opposite sign, the component's phase changes by pi. Components of the copy have the shapes of the modes
/// found. Those in metres also get the equivalent degrees.
/// @param modes  of this model
/// @param match  [component_count of the mix], written on ER_OK; may be NULL
/// @param out    ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT: no such mode; shapes of a rig with another number of bodies; a shape whose likeness to
///          every mode is below 0.7; two components that match one mode; metres at a body that does not exist or that
///          the mode does not move, or that equal more than 3600 degrees; as er_mix_create().
///          ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_mix_fit(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                            er_mix_match *match, er_mix **out);

/// Frees a mix. NULL is fine.   Threads: the context's.
ER_API void er_mix_destroy(er_mix *mix);

// ---- Motions

/// Options for er_motion_create(). Take er_default_motion_def(), then change fields.
/// A duration of 0 is chosen:
///   - mix with a cycle: that cycle. With `loop`: as few cycles as make whole frames to 2 %, rounded to whole frames;
///   - mix without a cycle, `loop`: 1 to 24 cycles of the slowest component, rounded to whole frames: as few as change
///     no frequency by more than 2 %, or else those that change frequencies least. They are repeated until attacks and
///     decays fit;
///   - otherwise 5 s.
typedef struct er_motion_def {
    double duration; ///< s, > 0, at most 1e5; 0: see above                                                 [0]
    bool loop;       ///< an exact cycle: the end meets the start in pose and velocity. Every frequency becomes the
                     ///< nearest whole number of cycles in the duration, at least one. The common cycle changes in the
                     ///< same way, so harmonics keep their ratios                                      [false]
    double fps;      ///< frames a second, > 0, at most 1e5; a chosen duration is a whole number of frames      [60]
    int plant_count; ///< 0 to 10,000                                                                            [0]
    const er_hold *plant; ///< [plant_count], each body once, borrowed for the call: bodies that keep their equilibrium
                          ///< pose, or, recorded over a clip, their pose in that clip                      [NULL]
    uint32_t tag;         ///< set by er_default_motion_def(); leave alone
} er_motion_def;

/// The defaults in brackets above.
ER_API er_motion_def er_default_motion_def(void);

/// A component of a motion.
typedef struct er_motion_component {
    int mode;        ///< index
    double degrees;  ///< amplitude; for one in metres, its equivalent
    double factor;   ///< of the mode shape: er_mode_amplitude() of degrees, or metres over er_mode_excursion()
    double hz;       ///< frequency, as played
    double asked_hz; ///< frequency before `loop` changed it
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
    int plant_count;                      ///< planted bodies
    struct er_motion_work *work;          ///< private
} er_motion;

/// Binds a mix to a rig. Planted bodies keep their place to 1e-10 of the rig's size. For this the other joints and the
/// floating roots change by the least energy. A joint's energy is that of its springs; without springs it counts as a
/// hundredth of the mean. A root's energy is the kinetic energy of its tree, moved rigidly at the mix's mean frequency.
/// So legs bend first, and the body moves only as far as they do not reach. A tree with a planted body does not keep
/// its centre of mass in place.
/// @param model  must outlive the result; `modes`, of this model, and `mix` need not
/// @param def    made by er_default_motion_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_motion_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT: the mix (as er_mix_create()) or def; no such mode; a mode without a frequency, and none
///          given; a harmonic without a cycle, a duration or a mode with a frequency; a frequency above 1e6 Hz; metres
///          at a body that does not exist or that the mode does not move; a chosen cycle longer than 1e5 s; plants of
///          no body, of one body twice, or at a point that is not finite; an envelope in a loop that does not begin and
///          end at rest; an attack or a decay longer than the motion.
///          Others as er_kinematics_create()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_motion_create(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                                  const er_motion_def *def, er_motion **out);

/// Frees a motion. NULL is fine.   Threads: the context's.
ER_API void er_motion_destroy(er_motion *motion);

/// Exact poses at given times, with loops closed and planted bodies in place.
/// @param time  [count], s, finite; any order. A looping motion repeats; any other holds its first and last pose
/// @param x     [count x width], a row a time, written: displacements after closing; may be NULL
/// @param pose  [count x body_count], written; may be NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (a loop or a planted body cannot follow; names the time),
///          ER_ERROR_MEMORY
/// Memory   none after the first call.   Threads: one call per motion and context at a time.
/// Source   docs/theory.md 6; docs/math/motion.md.
ER_API er_result er_motion_poses(er_motion *motion, int count, const double *time, double *x, er_pose *pose);

/// Poses at many times in single precision, for previews and searches. Loops stay open, and no body is planted.
/// @param time  [count], as er_motion_poses()
/// @param pose  [body_count x 7 x count], written: for each body the quaternion's w x y z and the position's x y z, m,
///              each a row of all times
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY.   Memory: none after the first call.
/// Threads  one call per motion and context at a time.
ER_API er_result er_motion_frames(er_motion *motion, int count, const double *time, float *pose);

/// The largest differences from the exact poses over some times of a motion.
typedef struct er_motion_errors {
    double shift;      ///< m, of body frames in the linear form (er_kinematics_linear())
    double turn;       ///< rad, of body frames in the linear form
    double tear;       ///< m, er_pose_joint_gap() of the linear form
    double correction; ///< the largest change of a joint coordinate by closing loops and planting: rad, or over the
                       ///< rig's size; 0 without either
} er_motion_errors;

/// Measures er_motion_errors over given times.
/// @param time  [count], s, as er_motion_poses() takes them; count >= 1
/// @param out   written
/// Errors   as er_motion_poses().   Memory: none after the first call.   Threads: one call per motion and context.
ER_API er_result er_motion_measure(er_motion *motion, int count, const double *time, er_motion_errors *out);

/// Finds the largest share of the mix's amplitudes, 0 to 1, at which loops close and planted bodies keep their place in
/// every frame. It is found by bisection to a hundredth. If nothing is planted, no frame may jump, that is, move more
/// than four times as fast as the mix can.
/// @param fps    frames a second, > 0, at most 1e5; at most 10 million frames
/// @param share  written; 1 if the mix works as it is; 0 if a hundredth of it fails
/// Errors   as er_motion_poses(), without ER_ERROR_NO_CONVERGENCE
/// Memory   none after the first call.   Threads: one call per motion and context at a time.
ER_API er_result er_motion_reach(er_motion *motion, double fps, double *share);

// ---- Recordings: motions as clips
//
// A motion as a clip: keys on the nodes of a scene, alone or over one of its clips.

/// Tells how a model's bodies move the nodes of a scene. For a rig use er_rig_target(). Everything is borrowed for the
/// call.
typedef struct er_recording_target {
    const er_scene *scene;
    const int *node_body;   ///< [node_count], the body a node moves with; -1 for nodes that do not move
    const bool *keyed;      ///< [node_count], nodes that always get keys, such as er_rig.bone; other nodes with a body
                            ///< get them if a clip of the scene keys them. NULL: all nodes with a body
    const er_affine *world; ///< [node_count], world transforms at equilibrium, file units
    double metres_per_unit; ///< m per file unit, > 0
} er_recording_target;

/// The target of a rig: its scene, moved by its bodies, with its bones keyed.
/// @return  borrowed from the rig
ER_API er_recording_target er_rig_target(const er_rig *rig);

/// Whether a body moves an instance of the scene: its node, or a joint of its skin. Other instances are scenery.
/// @param instance  in [0, instance_count)
ER_API bool er_recording_moves(const er_recording_target *target, int instance);

/// Options for er_motion_record(). Take er_default_recording_def(), then change fields.
typedef struct er_recording_def {
    const char *name; ///< of the clip, UTF-8, copied                                                       [""]
    double fps;       ///< frames a second, > 0, at most 1e5; the last frame is always at the motion's end  [60]
    double tolerance; ///< rad, in [0, 1]: the largest error; as few keys as possible are kept. For lengths it is times
                      ///< half the rig's size, for scales times the scale. 0: a key at every frame         [0]
    bool cubic;       ///< keys with tangents (ER_CUBIC). With a tolerance they are fewer than linear keys; without one
                      ///< they keep loops closed between frames. Ignored over a clip, because its keys have kinks
                      ///<                                                                                  [false]
    const er_clip *over; ///< a clip of the scene that the motion is added to; NULL: none                   [NULL]
    uint32_t tag;        ///< set by er_default_recording_def(); leave alone
} er_recording_def;

/// The defaults in brackets above.
ER_API er_recording_def er_default_recording_def(void);

/// A recorded motion. Read-only; freed by er_recording_destroy().
typedef struct er_recording {
    er_clip clip;    ///< lasts as long as the motion, or to the last key of channels kept from def->over. If the motion
                     ///< loops and there is no such clip, first and last keys are equal
    double fps;      ///< frames a second: def->fps; for given poses their mean
    int frame_count; ///< number of times at which the motion was sampled
    int key_count;   ///< number of keys of all channels
    double error;    ///< rad, the largest rotation error of the kept keys at the frames; 0 without a tolerance
    struct er_arena *arena; ///< private
} er_recording;

/// Records a motion. Every keyed node has rotation keys. Translation and scale have keys if the motion or the pose
/// changes them, or if a clip of the scene keys them (otherwise viewers would keep that clip's values).
/// Interpolation is linear unless the def says otherwise. Quaternions have no sign flips. A constant value has two
/// keys, at both ends.
///
/// Over a clip there are keys at every frame and at every key of that clip. Let (R, t, s) be rotation, translation and
/// scale in the clip, (R0, t0, s0) those of the equilibrium and (R', t', s') those of the motion. A moving node then
/// has the rotation R R0^-1 R', the translation t + (t' - t0) and the scale s s' / s0. Nodes, and properties of nodes,
/// that the motion does not move keep the clip's own channel, pointers too, so that writers can copy it bit by bit.
/// Steps between keys of moved nodes become ramps one frame long.
///
/// Planted bodies keep their place in the clip. Each frame is the clip's pose, changed as the motion changes the
/// equilibrium, and joints correct it by the least energy (docs/math/motion.md).
/// @param motion  of the model that target->node_body refers to
/// @param def     made by er_default_recording_def(), or NULL for the defaults
/// @param out     ER_OK: a new object for er_recording_destroy(), which borrows from def->over; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (def; target; more than 10 million frames, which a tolerance makes four times as many),
///          ER_ERROR_NO_CONVERGENCE (names the share of the amplitudes that loops can follow, or the time at which a
///          planted body cannot), ER_ERROR_MEMORY
/// Memory   allocates the result, and as much scratch.   Threads: one call per motion and context at a time.
ER_API er_result er_motion_record(er_context *context, er_motion *motion, const er_recording_target *target,
                                  const er_recording_def *def, er_recording **out);

/// Poses at given times, for er_poses_record(). Everything is borrowed for the call.
typedef struct er_recorded_poses {
    const er_model *model;
    int count;             ///< >= 2
    const double *time;    ///< [count], s, from 0 up, strictly ascending, at most 1e5; the last is the clip's duration
    const er_pose *pose;   ///< [count x body_count], a row a time: world poses, finite
    bool loops;            ///< the last row is the first again
    int ground_node;       ///< node of no body that moves by `ground`, with all nodes below it that move with no body
    const er_vec3 *ground; ///< [count], m, world; NULL: no node moves so
} er_recorded_poses;

/// Records given poses at their own times, as er_motion_record() records a motion. Over a clip (def->over) they are the
/// poses themselves, not displacements: only nodes whose transform in their parent differs from that clip's get keys of
/// their own, at the poses' times.
/// @param poses  of the model that target->node_body refers to; over a clip that repeats but for a displacement of the
///               whole, `loops` makes the first and last keys of moved nodes equal
/// @param def    as er_motion_record() takes it; def->fps is checked but not used
/// @param out    ER_OK: a new object for er_recording_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (poses, def, target), ER_ERROR_MEMORY
/// Memory   allocates the result, and as much scratch.   Threads: one call per context at a time.
ER_API er_result er_poses_record(er_context *context, const er_recorded_poses *poses, const er_recording_target *target,
                                 const er_recording_def *def, er_recording **out);

/// Frees a recording. NULL is fine.   Threads: the context's.
ER_API void er_recording_destroy(er_recording *recording);

/// Finds the poses of bodies from a pose of the scene's nodes, such as a frame of a clip: the rigid part of each node's
/// displacement from the equilibrium. Joints may be apart in them; er_model_coordinates() gives joint coordinates.
/// @param target     of the model; `keyed` and `node_body` are ignored
/// @param body_node  [body_count], the node of each body, such as er_rig.body_node
/// @param local      [node_count of the scene], as er_scene_sample() gives them
/// @param pose       [body_count], written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY.   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_poses_of_nodes(er_context *context, const er_model *model, const er_recording_target *target,
                                   const int *body_node, const er_affine *local, er_pose *pose);

// ---- Trajectories: poses as functions of time

/// Poses of bodies as functions of time that pass through given poses. They are twice continuously differentiable, so
/// they have accelerations.
typedef struct er_trajectory er_trajectory;

/// Creates a trajectory: natural cubic splines of positions, and of quaternions, which are then normalised.
/// @param count       >= 2
/// @param time        [count], s, strictly ascending, copied
/// @param body_count  >= 1
/// @param pose        [count x body_count], a row a time, copied
/// @param out         ER_OK: a new object for er_trajectory_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time; a trajectory may be read by many threads.
ER_API er_result er_trajectory_create(er_context *context, int count, const double *time, int body_count,
                                      const er_pose *pose, er_trajectory **out);

/// Frees a trajectory. NULL is fine.   Threads: the context's.
ER_API void er_trajectory_destroy(er_trajectory *trajectory);

/// A body's pose at a time and its derivatives, for er_world_def.guide. Times outside are clamped to the ends.
/// @param body   [0, body_count)
/// @param pose   written
/// @param twist  written: body axes, of the pose's origin
/// @param rate   written: rates of the twist's six numbers
ER_API void er_trajectory_at(const er_trajectory *trajectory, double time, int body, er_pose *pose, er_twist *twist,
                             er_twist *rate);

// ---- Follow-through
//
// Some bodies become loose: a tail, ears, hair, a bag. The rest of the rig follows a motion exactly, and drives them. A
// loose part is a body with all loose bodies that hang on it; each part has modes of its own, with its carrier held.
// Let y be the displacements of its joints from where the motion has them, in the axes of the joints' child sides, and
// y = sum of q_k eta_k over all its modes. Newton and Euler give the forces tau that joints must exert (er_inverse):
//
//     q_k'' + 2 zeta w_k q_k' + w_k^2 q_k = f_k,   f_k = q_k'' - eta_k' (J(y)' tau(y, y', y'') - tau_0)
//
// tau_0 is the weight that the springs carry by themselves. With f_k linear between instants the equations are solved
// without error, and a motion that repeats has the one solution that repeats. The linear answer takes y = 0 on the
// right. The exact one meets the true forces. For a motion that repeats it is found as harmonics up to 30 Hz, all at
// once, by secants (harmonic balance). Other motions are solved from step to step.
// Source: docs/math/follow.md.

/// How the loose parts begin.
typedef enum er_follow_start {
    ER_FOLLOW_SETTLED, ///< in the motion that repeats; of a motion that does not repeat: at rest, in equilibrium with
                       ///< the first instant's forces
    ER_FOLLOW_STILL,   ///< where the springs rest, without a rate against it
    ER_FOLLOW_AFTER    ///< as er_follow_def.after ends
} er_follow_start;

enum { ER_FOLLOW_START_COUNT = 3 };

/// How one part swings.
typedef struct er_follow_swing {
    double hz;   ///< Hz, its first frequency; 0: as er_follow_def.hz has it
    double zeta; ///< damping ratio of all its modes, >= 0; not read if hz is 0
} er_follow_swing;

/// Options for er_follow_create(). Take er_default_follow_def(), then fill.
typedef struct er_follow_def {
    const bool *loose; ///< [body_count], copied; one at least, and each hangs on another body by its tree joint [NULL]
    bool rest_pose;    ///< springs rest where the equilibrium has the parts; else where the motion has them   [false]
    double hz;         ///< Hz, the first frequency of each part: its springs are scaled, > 0; 0: their own         [0]
    double bounce;     ///< how much of a swing the next one has, to the other side, in [0, 1): damping ratios of all
                       ///< modes of -ln b / sqrt(pi^2 + ln^2 b), 1 for 0. Negative: the modes' own   [0.4]
    const er_follow_swing *own; ///< [body_count], of the part that hangs by a body; read for these bodies, borrowed for
                                ///< the call. NULL: `hz` and `bounce` hold for all                             [NULL]
    double weight;   ///< share of the parts' mean weight (of a motion that does not repeat: of that at its beginning)
                     ///< which their springs do not carry, in [0, 10]: 0 rests as posed, 1 hangs. Changes of the
                     ///< direction of gravity always act                                                       [0]
    double amount;   ///< factor of the displacements found, in [0, 10]                                           [1]
    er_vec3 gravity; ///< m/s^2, world                                                                       [0 0 0]
    bool linear;     ///< the linear answer is enough                                                          [false]
    er_follow_start start;         ///<                                                          [ER_FOLLOW_SETTLED]
    const struct er_follow *after; ///< of the same model, loose and hz: ER_FOLLOW_AFTER goes on from its end; borrowed
                                   ///< for the call                                                             [NULL]
    uint32_t tag;                  ///< set by er_default_follow_def(); leave alone
} er_follow_def;

/// The defaults in brackets above.
ER_API er_follow_def er_default_follow_def(void);

/// A loose part after its motion was solved.
typedef struct er_follow_part {
    int body;          ///< the body by which it hangs on its carrier
    int body_count;    ///< its bodies
    double hz;         ///< its first frequency
    double zeta;       ///< damping ratio of that mode
    double swing;      ///< rad, the largest displacement of a joint; lengths over er_model.size count as rad
    double correction; ///< the largest difference from the linear answer, over `swing` of the larger; 0 if `linear`
    int cycles;        ///< tried with the true forces until they asked for themselves; 0: none
    bool exact;        ///< the true forces hold; false: `linear`, or they could not be met, and the
                       ///< linear answer stands, or none where that would swing by more than half a turn: `swing` is 0
} er_follow_part;

/// A motion with its loose parts moved. Read-only; freed by er_follow_destroy().
typedef struct er_follow {
    const er_model *model; ///< borrowed
    int count;             ///< instants
    const double *time;    ///< [count], s
    const er_pose *pose;   ///< [count x body_count], a row an instant
    bool repeats;          ///< the last displacements are the first again, rates too
    int part_count;
    const er_follow_part *part;  ///< [part_count], bodies ascending
    struct er_follow_work *work; ///< private
} er_follow;

/// Moves loose parts along a motion.
/// @param model       must outlive the result
/// @param trajectory  of all bodies; if the motion repeats it goes on beyond both ends as the motion does
/// @param duration    s, > 0: instants are from 0 to there
/// @param count       instants, 2 to 1,000,000, at equal steps
/// @param repeats     at the end the motion is as at 0, but for a displacement of the whole
/// @param def         made by er_default_follow_def()
/// @param out         ER_OK: a new object for er_follow_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT: def; a loose body without tree joint, or with one that is its parent's child; a loop
/// joint
///          at a loose body; a part with a motion that no spring resists; `after` of other parts. As er_modal_solve();
///          ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_follow_create(er_context *context, const er_model *model, const er_trajectory *trajectory,
                                  double duration, int count, bool repeats, const er_follow_def *def, er_follow **out);

/// Frees the result. NULL is fine.   Threads: the context's.
ER_API void er_follow_destroy(er_follow *follow);

/// The law of loose parts as forces on bodies, so that full dynamics can move them too. Read-only; freed by
/// er_follow_springs_destroy().
typedef struct er_follow_springs {
    const er_model *model;               ///< the model, whose loose joints have neither springs nor dampers; owned
    const er_trajectory *trajectory;     ///< borrowed: where the springs rest; NULL: in the equilibrium
    struct er_follow_springs_work *work; ///< private
} er_follow_springs;

/// Takes the springs and dampers of loose bodies' joints, which rest where a trajectory has the joints. A world of
/// `model` then moves by er_follow_springs_apply(), with the trajectory as its guide and all other bodies held.
/// @param model       must outlive the result
/// @param trajectory  of all bodies of the model, borrowed for the life of the result; NULL: the equilibrium
/// @param loose       [body_count], copied: bodies that hang on another body by their tree joint, as its child
/// @param follow      of the same model and loose bodies: springs as it scaled them, its damping of modes, and the
///                    weight that its springs carry; read in the call. NULL: the model's own springs and dampers
/// @param out         ER_OK: a new object for er_follow_springs_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT: no loose body, one without such a joint, or a `follow` of another model;
///          ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   docs/math/follow.md
ER_API er_result er_follow_springs_create(er_context *context, const er_model *model, const er_trajectory *trajectory,
                                          const bool *loose, const er_follow *follow, er_follow_springs **out);

/// Adds the forces of the springs at a time, for er_world_def.apply.
/// @param pose    [body_count], world poses of the body frames
/// @param twist   [body_count], body axes, of the body frame's origin
/// @param wrench  [body_count], world axes, about each body's centre of mass; added to, of loose bodies and their
///                carriers
/// Threads  one call per object at a time.
ER_API void er_follow_springs_apply(const er_follow_springs *springs, double time, const er_pose *pose,
                                    const er_twist *twist, er_wrench *wrench);

/// Frees the result. NULL is fine.   Threads: the context's.
ER_API void er_follow_springs_destroy(er_follow_springs *springs);

// ---- Spring bones
//
// Viewers of VRM swing chains of bones by a rule of their own. In each frame of dt seconds the tail x of a joint, at
// the distance L from its head, moves to
//
//     x + (1 - drag) (x - x of the frame before) + dt (stiffness n + gravity_power gravity_direction),
//
// and then back to the distance L. n is the unit direction in which the tail rests; it turns with the parent. A small
// angle a of the first joint of a chain follows
//
//     c a[k+1] = (2 - drag) a[k] - (1 - drag) a[k-1],   c = 1 + dt stiffness / L,
//
// and joints further on are driven by it. So the chain has the frequency and the decay of its first joint, and the
// shape that the stiffnesses of the others give. Source: VRMC_springBone 1.0, VRM Consortium; docs/math/follow.md.

/// A joint of a chain.
typedef struct er_spring_joint {
    int node;                  ///< of the scene: the node that turns
    er_vec3 tail;              ///< the point that swings, axes of the node, file units
    double stiffness;          ///< >= 0, file units per second
    double drag;               ///< share of the motion that is lost in a frame, in [0, 1]
    double gravity_power;      ///< file units per second
    er_vec3 gravity_direction; ///< axes of the file
    double hit_radius;         ///< file units, >= 0: radius of the tail against colliders
} er_spring_joint;

/// A chain of joints: one below the other, or a tree of them (VRM 0).
typedef struct er_spring_chain {
    const char *name; ///< "" for none
    int joint_count;
    const er_spring_joint *joint; ///< [joint_count], parents first
    int center;                   ///< node in whose frame the chain keeps its inertia; -1: the world's
    int collider_count;
    const int *collider; ///< [collider_count], indices of colliders that it must not enter
} er_spring_chain;

/// A sphere, or a capsule, that moves with a node.
typedef struct er_spring_collider {
    int node;
    er_vec3 from, to; ///< axes of the node, file units; equal for a sphere
    double radius;    ///< file units
} er_spring_collider;

/// How a part that was fitted swings.
typedef struct er_spring_fit {
    int body;                  ///< the body by which the part hangs
    double hz, zeta;           ///< first mode of the part: frequency without damping, damping ratio
    double rule_hz, rule_zeta; ///< of the chain that was fitted, at the frame rate of the fit
    double shape; ///< how far the chain's first mode is from the part's, over that: 0 if every joint turns its share
    double across_hz; ///< frequency of the part's first mode in which its tip moves across the way of the first mode;
                      ///< a chain swings alike in both. 0: there is none
} er_spring_fit;

/// Spring bones of a file. Read-only; freed by er_spring_bones_destroy().
typedef struct er_spring_bones {
    int version; ///< 0: VRM 0, whose joints of a chain have one stiffness; 1: VRM 1
    int chain_count;
    const er_spring_chain *chain;
    int collider_count;
    const er_spring_collider *collider;
    int fit_count; ///< 0, or the parts of er_spring_bones_fit()
    const er_spring_fit *fit;
    struct er_arena *arena; ///< private
} er_spring_bones;

/// The swing of the first joint of a chain.
/// @param length  from its head to its tail, file units, > 0
/// @param fps     > 0
/// @param hz      written: frequency without damping
/// @param zeta    written: damping ratio; 1 or more: it creeps back
ER_API void er_spring_joint_swing(const er_spring_joint *joint, double length, double fps, double *hz, double *zeta);

/// Finds chains of spring bones that swing as loose parts do: the first mode of a chain has the frequency and the
/// damping of the first mode of its part, and its shape as far as the rule allows. Frames too long for the frequency
/// (zeta below pi hz / fps) damp more than asked.
/// @param rig      of the model; its scene gives the nodes
/// @param def      as for er_follow_create(): loose, hz, bounce, weight and gravity are read
/// @param fps      frame rate at which the chains swing so, in [10, 1000]
/// @param version  0 or 1, as er_spring_bones.version
/// @param out      ER_OK: a new object for er_spring_bones_destroy(); otherwise NULL
/// Errors   as er_follow_create()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_spring_bones_fit(er_context *context, const er_model *model, const er_rig *rig,
                                     const er_follow_def *def, double fps, int version, er_spring_bones **out);

/// Frees spring bones. NULL is fine.   Threads: the context's.
ER_API void er_spring_bones_destroy(er_spring_bones *bones);

// ---- Modes against full dynamics
//
// Modes solve linear equations. A trial measures up to which amplitude they hold: a world (dynamics.h) of the same
// model starts at rest at the end of a mode's swing, and swings ten times. It has the model's springs, but no gravity,
// dampers, damping ratio or Rayleigh factors. The mode's coordinate is a = eta' K x / lambda, x the joint coordinates.
// The swing starts at the end where the mode's largest entry is positive. An asymmetric rig differs at the other end.

/// The result of ten swings of a mode.
typedef struct er_trial {
    double degrees; ///< amplitude, as in er_mode_amplitude(). With loops: where the joint that moves most in the mode
                    ///< is at the start, once loops are closed
    double shift;   ///< frequency of the zero crossings of a, over the mode's, minus 1; -1: a did not return to 0
    double leakage; ///< share of the energy in other modes, [0, 1], at the next turning point. Held modes of the same
                    ///< frequency (eigenvalues to 1e-6) do not count as others. With loops, if not all modes are held,
                    ///< it includes the springs' energy that bending paths have in no mode
} er_trial;

/// Options for er_modes_validate(). Take er_default_validity_def(), then change fields.
typedef struct er_validity_def {
    double shift; ///< the largest shift at which a mode is valid, in (0, 1)                              [0.02]
    /// Called in the caller's thread with the number of modes done: after each of its trials, and every 0.05 s. It must
    /// not use the context. If it returns false, the work ends at once and the result has the modes done so far [NULL]
    bool (*progress)(void *user, int done, int all);
    void *user;   ///< passed to it                                                                     [NULL]
    uint32_t tag; ///< set by er_default_validity_def(); leave alone
} er_validity_def;

/// The defaults in brackets above.
ER_API er_validity_def er_default_validity_def(void);

/// The largest amplitude at which one mode is valid.
typedef struct er_mode_validity {
    int mode;               ///< index
    double true_to_degrees; ///< the largest amplitude found with |shift| below the def's, to a hundredth of it; 0 if
                            ///< |shift| is larger even at 0.01 degrees
    bool at_least;          ///< |shift| is below the def's at 60 degrees too, the largest amplitude tried
    int trial_count;
    const er_trial *trial; ///< [trial_count], amplitudes ascending: 0.01, 1, 2, 5, 10, 20, 40 and 60 degrees up to
                           ///< the first that is not valid, then those of the search. Amplitudes that loops cannot
                           ///< follow are left out
} er_mode_validity;

/// The result of er_modes_validate(). Read-only; freed by er_validity_destroy().
typedef struct er_validity {
    double shift;                 ///< the def's
    double energy_drift;          ///< largest relative error of the energy, which is constant, in a trial
    int count;                    ///< modes that were tested
    const er_mode_validity *mode; ///< [count], indices ascending
    struct er_arena *arena;       ///< private
} er_validity;

/// Tests all elastic modes held, with about 10 to 15 trials each. The time of a trial grows with the ratio of the rig's
/// highest frequency to the mode's. If ball joints pass half a turn again and again the motion is chaotic, and its
/// figures are those of one motion of many.
/// @param modes  of this model
/// @param def    made by er_default_validity_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_validity_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG, ER_ERROR_NOT_POSDEF, ER_ERROR_MEMORY
/// Memory   allocates the result; the context's functions are called by any thread, but one at a time.
/// Threads  one call per context at a time; starts up to er_modal_set_threads() threads, 8 at most. The result does not
///          depend on their number.   Source: docs/math/validity.md.
ER_API er_result er_modes_validate(er_context *context, const er_model *model, const er_modes *modes,
                                   const er_validity_def *def, er_validity **out);

/// The result of a mode by its index; NULL if there is none.
/// @param validity  may be NULL
ER_API const er_mode_validity *er_validity_find(const er_validity *validity, int index);

/// Frees the result. NULL is fine.   Threads: the context's.
ER_API void er_validity_destroy(er_validity *validity);

// ---- Skin that tears
//
// Edges of the skin show whether bodies have the right parents. A mode swings to both sides until the joint that
// rotates most has rotated by an angle. An edge between u and v of one triangle grows from |u - v| to |u' - v'|. Let c
// be the nearest joint of the bodies that move u and v, and r = max(|u - c|, |v - c|). If only one neighbour rotated by
// that angle about c, the edge would grow by 2 sin(angle / 2) r at most. So the *tear* of an edge is
//
//     (|u' - v'| - |u - v|) / (2 sin(angle / 2) max(r, size / 100)).
//
// Two neighbours that rotate against each other have a tear of up to 2. If the skin passes over bones between them
// (webs of fingers) it is somewhat more. If parts stay behind it is above ER_TORN. Parts whose skin touches no other
// have no tear.

/// The tear (er_tear.torn) above which a mesh counts as torn. Good rigs reach 0.5 to 7; feet that stay behind 10 and
/// more.
#define ER_TORN 8.0

/// The worst tear over modes and edges.
typedef struct er_tear {
    double torn;    ///< the tear, >= 0; 0 if no edge is moved by two bodies
    double stretch; ///< m, the growth of that edge
    int mode;       ///< index of the mode; -1 if torn is 0
    int body[2];    ///< the bodies that move the edge's two ends most; -1 if torn is 0
} er_tear;

/// Finds the worst tear over the lowest elastic modes.
/// @param modes    of this model; the first `count` elastic modes held are used
/// @param target   the scene with its skins, and the equilibrium of its nodes
/// @param count    > 0
/// @param degrees  the angle, in (0, 90]
/// @param out      written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY, and as er_kinematics_create(). Swings that a loop cannot follow are
///          skipped
/// Memory   scratch.   Threads: one call per context at a time.
/// Source   docs/math/motion.md.
ER_API er_result er_modes_tear(er_context *context, const er_model *model, const er_modes *modes,
                               const er_recording_target *target, int count, double degrees, er_tear *out);

#ifdef __cplusplus
}
#endif
#endif
