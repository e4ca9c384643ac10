/// @file
/// A rig as mechanics: bodies with mass, joints with springs, at an equilibrium pose; the constraint rows of its
/// joints, which of them are redundant, and its kinematics. No meshes, no files.
///
/// Units are SI: m, kg, s, rad. Poses are world poses at equilibrium. A body's frame sits at its bone's head, not at
/// its centre of mass. Source: docs/theory.md 1 to 3.
#ifndef EIGENRIG_MODEL_H
#define EIGENRIG_MODEL_H

#include <eigenrig/base.h>
#include <eigenrig/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Bodies and joints

/// What a joint lets free, of the coordinates (tx ty tz x y z) of its frame: rotations about, then shifts along its
/// axes.
typedef enum er_joint_type {
    ER_JOINT_REVOLUTE,       ///< tz
    ER_JOINT_UNIVERSAL,      ///< tx ty (Cardan)
    ER_JOINT_SPHERICAL,      ///< tx ty tz
    ER_JOINT_PRISMATIC,      ///< z
    ER_JOINT_CYLINDRICAL,    ///< tz z
    ER_JOINT_PLANAR,         ///< tz x y
    ER_JOINT_POINT_ON_PLANE, ///< all but z
    ER_JOINT_FIXED,          ///< none
    ER_JOINT_FREE,           ///< all six
    ER_JOINT_SCREW           ///< tz, which shifts it along z too, by er_joint.pitch
} er_joint_type;

enum { ER_JOINT_TYPE_COUNT = 10 };

/// The coordinates a joint type lets free, ascending: 0 1 2 for tx ty tz, 3 4 5 for x y z.
/// @param free_coordinate  [6], the first `return value` entries written; NULL to count only
/// Errors   none; a value that is no type has none free.
ER_API int er_joint_type_freedom(er_joint_type type, int *free_coordinate);

/// "revolute", "universal", ... as in files and Lua; "unknown" for another value.   Memory: static.
ER_API const char *er_joint_type_name(er_joint_type type);

/// The type with a name; -1 if there is none, or the name is NULL.
ER_API int er_joint_type_find(const char *name);

/// All names, for messages: "revolute, universal, ...".   Memory: static.
ER_API const char *er_joint_type_list(void);

/// A rigid body. Take er_default_body(), then fill.
typedef struct er_body {
    const char *name; ///< UTF-8; NULL in a def is ""                                         [NULL]
    double mass;      ///< kg, > 0                                                            [0: to be set]
    er_vec3 com;      ///< centre of mass, m, body frame                                      [0 0 0]
    er_mat3 inertia;  ///< about the centre of mass, body axes, kg m^2; positive definite (smallest moment above 1e-14
                      ///< of the trace), triangle inequality (to 1e-9 of the trace)          [0: to be set]
    er_pose pose;     ///< of the body frame in the world, at equilibrium                     [identity]
} er_body;

/// The defaults in brackets above. er_model_create() refuses a body without mass or inertia.
ER_API er_body er_default_body(void);

/// Two bodies, the lesser first.
typedef struct er_body_pair {
    int a, b;
} er_body_pair;

/// A joint between two bodies, or between the world and a body. Take er_default_joint(), then fill: in a joint of zeros
/// the frame is refused, and the limits hold every coordinate at 0.
typedef struct er_joint {
    const char *name;    ///< UTF-8; NULL in a def is ""                                         [NULL]
    int parent;          ///< body index, or -1 for the world                                    [-1]
    int child;           ///< body index                                                         [0]
    er_joint_type type;  ///<                                                                    [ER_JOINT_REVOLUTE]
    er_pose frame;       ///< of the joint's frame in the world, at equilibrium                  [identity]
    double stiffness[6]; ///< one per free coordinate, ascending; N m/rad or N/m, >= 0           [0]
    double damping[6];   ///< likewise, N m s/rad or N s/m, >= 0                                 [0]
    double limit[6][2];  ///< likewise, lowest and highest value, rad or m; -HUGE_VAL and HUGE_VAL where there is none.
                         ///< Worlds with er_world_def.enforce_limits keep to them               [-HUGE_VAL, HUGE_VAL]
    bool closes_loop;    ///< true: not part of the spanning tree                                [false]
    double pitch;        ///< of a screw, not 0: m along z per radian about z, right-handed > 0  [0: to be set]
} er_joint;

/// The defaults in brackets above: a hinge without spring, damper or limits, about z at the world's origin.
ER_API er_joint er_default_joint(void);

/// A joint's frame from the line that it moves along: z along the axis, x and y across it.
/// The z of the frame is the axis of a revolute, prismatic, cylindrical or screw joint, and the normal of a planar or
/// point-on-plane joint. A universal joint turns about x and y, so its frame needs two axes.
/// @param origin  a point of the axis, m, world
/// @param axis    its direction in the world, any length; z where it is zero or not finite
ER_API er_pose er_joint_frame_along(er_vec3 origin, er_vec3 axis);

/// A validated rig. Read-only to callers; made by er_model_create(), freed by er_model_destroy().
typedef struct er_model {
    const char *name;    ///< UTF-8, "" when there is none
    const char *source;  ///< UTF-8, file it was read from, "" when there is none
    int body_count;      ///< >= 1
    const er_body *body; ///< [body_count]
    int joint_count;
    const er_joint *joint;     ///< [joint_count]
    int coordinate_count;      ///< free coordinates of all joints: the length of q
    const int *coordinate;     ///< [joint_count + 1], where a joint's free coordinates start in q
    const int *tree_joint;     ///< [body_count], the joint that the tree reaches a body by; -1 for a root without joint
    const int *tree_parent;    ///< [body_count], the body at that joint's other end; -1 for the world or such a root
    const int *order;          ///< [body_count], bodies, tree parents first
    int loop_count;            ///< joints with closes_loop
    double damping_ratio;      ///< of every elastic mode, on top of what the joints' dampers and the factors below give
    double rayleigh_mass;      ///< alpha, 1/s, of the damping matrix alpha M: drag on every motion, rigid ones too
    double rayleigh_stiffness; ///< beta, s, of the damping matrix beta K: dampers that go with the springs
    double size; ///< m, > 0: the diagonal of the box round all body frames, joints and centres of mass; a body's
                 ///< sqrt(trace of inertia / mass) where that is larger
    struct er_arena *arena; ///< private
} er_model;

/// Bodies and joints for er_model_create(). Take er_default_model_def(), then fill.
typedef struct er_model_def {
    const char *name;          ///< UTF-8, copied; NULL is ""              [NULL]
    const char *source;        ///< UTF-8, copied; NULL is ""              [NULL]
    int body_count;            ///< 1 to 10,000,000                        [0]
    const er_body *body;       ///< [body_count], copied, names too        [NULL]
    int joint_count;           ///< 0 to 10,000,000                        [0]
    const er_joint *joint;     ///< [joint_count], copied, names too       [NULL]
    double damping_ratio;      ///< of every elastic mode, >= 0            [0]
    double rayleigh_mass;      ///< alpha, 1/s, >= 0                       [0]
    double rayleigh_stiffness; ///< beta, s, >= 0                          [0]
    uint32_t tag;              ///< set by er_default_model_def(); leave alone
} er_model_def;

/// The defaults in brackets above.
ER_API er_model_def er_default_model_def(void);

/// Checks and copies a rig; names are not looked at, but files want UTF-8. Joints without closes_loop must form a
/// forest over the bodies and the world. A tree is rooted in the world where a joint of it is, else in its first body
/// that is no joint's child. Orientations are normalised and inertias made symmetric, where they nearly are (to 1e-3 in
/// |q|^2, to 1e-6 of the largest entry). So that products of numbers stay doubles, none but a limit may be beyond 1e50
/// in size, and masses, traces of inertias and stiffnesses that are not 0 are at least 1e-50.
/// @param out  ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (no def, or without its tag), ER_ERROR_RIG (any value in it, counts and arrays too; names
///          the body or joint and what is wrong), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time; a model may be read by many threads.
ER_API er_result er_model_create(er_context *context, const er_model_def *def, er_model **out);

/// Frees a model. NULL is fine.   Threads: the context's.
ER_API void er_model_destroy(er_model *model);

/// The poses that joint coordinates give, down the spanning tree; loop joints are not looked at.
/// A joint with all rotations free turns by the rotation vector of its coordinates, a universal joint about x, then
/// about the turned y: exact at any angle. Shifts are along the axes of the parent's side.
/// @param q     [coordinate_count], displacements from equilibrium, rad and m
/// @param root  [body_count], world displacement of each root without joint (tree_joint -1), applied on top of its
///              equilibrium pose; entries of other bodies are not read. NULL: roots stay
/// @param pose  [body_count], written: world poses of the body frames
/// Source   docs/theory.md 6.
ER_API void er_model_pose(const er_model *model, const double *q, const er_pose *root, er_pose *pose);

/// The displacement that poses are, joint by joint: what er_model_pose() makes the same poses of, where the joints of
/// the tree are together. Where one is not, its coordinates are the nearest to what its ends say.
/// @param pose  [body_count], world poses of the body frames
/// @param q     [coordinate_count], written: rad, within half a turn (a screw's as many turns as its shift says), and
///              m; those of loop joints too
/// @param root  [body_count], written for each root without joint (tree_joint -1), others stay; NULL where not wanted
ER_API void er_model_coordinates(const er_model *model, const er_pose *pose, double *q, er_pose *root);

// ---- Constraint rows
//
// The matrices that joints make of a rig: velocity constraints G and free-coordinate rates R, dense.

/// G and R at a pose. With n the model's body_count and v the stacked body twists [6 n] (omega; v of the body frame's
/// origin, body axes), motions the joints allow obey G v = 0, and the free coordinates change at the rates R v. Joint k
/// gives the rows Gamma diag(A, 1) (Ad_child v_child - Ad_parent v_parent) in its own frame, the world having no
/// column.
///
/// The joint's frame (er_joint.frame) is fixed in the parent and in the child, where both are at equilibrium. At
/// another pose it has the axes that the parent carries and the origin that the child carries. A is 1 at equilibrium
/// and where all turns are free; elsewhere it makes the rows what they are the rates of:
/// - G v is the exact rate of er_constraint_errors(), at every pose, of joints that stand apart too.
/// - a screw holds its z less pitch times its angle: v_z - pitch t', t' the exact rate of the angle.
/// - R v are, in shifts, the rates of the child's origin along the parent's axes; in tz alone, that of the angle about
///   the joint's z; in a universal joint those of the angles about the parent's x, then about the y turned by it; where
///   all turns are free, no rates of coordinates but the child's angular velocity against the parent, along the joint
///   frame's axes as the parent carries them. So er_kinematics_pose() with rates of its x gives these R v (of a
///   rotation vector: times the left Jacobian of the exponential map).
typedef struct er_constraints {
    int constraint_count; ///< m, rows of G: 6 less the freedoms, summed over joints
    int coordinate_count; ///< rows of R: the model's coordinate_count
    int column_count;     ///< 6 n
    const double *G;      ///< [m x 6n], column-major; rows of a joint in the order (tx ty tz x y z), joints in order
    const double *R;      ///< [coordinate_count x 6n], column-major, rows as er_model::coordinate
    const int *constraint_joint; ///< [m], the index of the joint of a row of G
    const int *constraint_axis;  ///< [m], which of (tx ty tz x y z) it holds, 0 to 5
    struct er_arena *arena;      ///< private
} er_constraints;

/// Assembles G and R at equilibrium.
/// @param out    ER_OK: a new object for er_constraints_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, dense.   Threads: one call per context at a time.
/// Source   docs/theory.md 3, (4-11), (4-13), (4-21) to (4-24).
ER_API er_result er_constraints_create(er_context *context, const er_model *model, er_constraints **out);

/// The same at any pose. Loops need not be closed, nor joints together, so long as none is a quarter turn off.
/// @param pose  [body_count], world poses of the body frames; NULL: the equilibrium
/// @param out   ER_OK: a new object for er_constraints_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, dense.   Threads: one call per context at a time.   Source: docs/math/kinematics.md.
ER_API er_result er_constraints_at(er_context *context, const er_model *model, const er_pose *pose,
                                   er_constraints **out);

/// By how much a pose violates the constraints whose differential G is: 0 where the joints are together. In shifts it
/// is the child's origin along the parent's axes, m; in turns the sine of the angle by which an axis that joints share
/// (z; of a universal joint the parent's x and the child's y) is off, and where all are held 2 sin(angle / 2) about the
/// axis turned about: rad, to first order. So it is 0 too where a shared axis points the other way. A screw's z is off
/// by less than half of what a whole turn shifts it.
/// @param pose   [body_count]
/// @param error  [constraint_count], written, rows as in G
/// Source   docs/math/kinematics.md.
ER_API void er_constraint_errors(const er_model *model, const er_pose *pose, double *error);

/// Frees G and R. NULL is fine.   Threads: the context's.
ER_API void er_constraints_destroy(er_constraints *constraints);

/// The 6x6 matrix Ad of the transform from a body's frame to a joint's frame, both given as world poses: it takes the
/// body's twist, in body axes, to the twist of the joint frame moving with it, in joint axes.
/// @param ad  [6][6], written, row-major, angular part first
/// Source   docs/theory.md 1, (4-11).
ER_API void er_constraint_adjoint(er_pose body, er_pose joint, double ad[6][6]);

// ---- Redundant constraints
//
// How closed loops change a rig's constraints: how many are independent, and which are redundant.

/// One direction that a joint holds: a row of G.
typedef struct er_redundant_row {
    int joint; ///< a joint that closes a loop
    int axis;  ///< 0 to 5: tx ty tz x y z of the joint's frame
} er_redundant_row;

/// The constraints of a rig at its equilibrium pose.
typedef struct er_redundancy {
    int constraint_count;        ///< rows of G: 6 less the freedoms, summed over joints
    int rank;                    ///< of G; motions the joints allow: 6 body_count - rank
    int count;                   ///< constraint_count - rank
    const er_redundant_row *row; ///< [count], joints and axes ascending: without these rows G has the same rank
    double smallest_kept;        ///< the least that a row kept adds to those kept before it, at most 1; 1 without loops
    double largest_zero;         ///< the most that a redundant one adds; 0 if there is none
    struct er_arena *arena;      ///< private
} er_redundancy;

/// Finds the constraints of loops that follow from the others; those of a tree never do. It is a question of geometry:
/// neither masses nor springs count. What a row adds is how far unit motions of the tree's joints (the unit angle;
/// shifts by the rig's size) move the loop apart in a way that no row before it forbids, in rad or in sizes of the rig;
/// it counts above `tol`. Where rows could stand for each other the model's later ones are called redundant.
/// @param tol  in (0, 1); 1e-10 suits rigs whose numbers are doubles to the last digits
/// @param out  ER_OK: a new object for er_redundancy_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (loops by the thousand that share joints: it would take minutes),
///          ER_ERROR_MEMORY
/// Memory   allocates the result; scratch of the constraints of loops that share joints times those joints.
/// Threads  one call per context at a time.   Source: docs/theory.md 4; docs/math/tree.md.
ER_API er_result er_redundancy_create(er_context *context, const er_model *model, double tol, er_redundancy **out);

/// Frees the list. NULL is fine.   Threads: the context's.
ER_API void er_redundancy_destroy(er_redundancy *redundancy);

// ---- Kinematics
//
// From displacements to poses: exact at any amplitude, loops closed, centres of mass kept; and the linear form beside.
//
// The displacement x of a model from its equilibrium is a row of numbers: the er_model.coordinate_count free
// coordinates of its joints (rad, m), loop joints included; then, for every root without joint, by body index, the
// rotation vector and the shift of its frame (rad, m), in the axes it has at equilibrium. Its length is the *width*.

/// A body that stays where it stands, whatever moves: at equilibrium (er_motion_def), or where a gait has it
/// (er_gait_layer()).
typedef struct er_hold {
    int body;      ///< index, in [0, body_count)
    bool turns;    ///< it turns about `point`, which alone stays; false: it stays altogether
    er_vec3 point; ///< m, frame of the body, finite; it makes no difference where the body stays altogether
} er_hold;

/// Finds poses of a model: its tree as constants, its loops, and work space.
typedef struct er_kinematics er_kinematics;

/// Kinematics of a model, for the functions below.
/// @param model  must outlive the result
/// @param out    ER_OK: a new object for er_kinematics_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NOT_POSDEF (masses too far apart to measure a loop's correction by),
///          ER_ERROR_MEMORY
/// Memory   allocates the result; with loops, a matrix of width x width.   Threads: one call per context at a time.
ER_API er_result er_kinematics_create(er_context *context, const er_model *model, er_kinematics **out);

/// Frees it. NULL is fine.   Threads: the context's.
ER_API void er_kinematics_destroy(er_kinematics *kinematics);

/// The length of a displacement x.
ER_API int er_kinematics_width(const er_kinematics *kinematics);

/// The exact poses of all bodies at a displacement: rotations by the exponential map (a universal joint about x, then
/// about the turned y), shifts along the axes of the parent's side, down the tree. Then loops are closed, to 1e-10 of
/// the rig's size, by the smallest change of x in the mass norm, sqrt(dx' M dx), M the mass matrix in these coordinates
/// at equilibrium; and the centre of mass of what floats is put back where it was (of trees that loops tie together,
/// their common one; a tree tied to the world stays). So a rigid mode shows its turn alone.
/// @param x     [width], entries at most 1e9 in size; with loops, joint coordinates come back as they closed, those of
///              loop joints included
/// @param pose  [body_count], written: world poses of the body frames
/// Errors   ER_ERROR_ARGUMENT (x too large, or not a number), ER_ERROR_NO_CONVERGENCE (a loop cannot follow that far:
///          the nearest closed pose is off by more than three quarters of the way), ER_ERROR_MEMORY
/// Memory   none after the first call.   Threads: one call per object and context at a time.
/// Source   docs/theory.md 6; docs/math/motion.md.
ER_API er_result er_kinematics_pose(er_kinematics *kinematics, double *x, er_pose *pose);

/// The linear form, docs/theory.md 6, (4-47): every body by itself, shifted by its velocity and turned by its angular
/// velocity at the rate x, for unit time. True to first order; joints get a gap that grows with the square of the
/// displacement.
/// @param x     [width]
/// @param pose  [body_count], written
/// Threads  one call per object at a time.
ER_API void er_kinematics_linear(er_kinematics *kinematics, const double *x, er_pose *pose);

/// The twists (angular; linear) of the bodies that x, taken as a rate, gives them at equilibrium: body axes, at the
/// body frame's origin. Loop joints' entries of x are not read.
/// @param x      [width]
/// @param twist  [6 body_count], written
/// Threads  one call per object at a time.
ER_API void er_kinematics_twists(er_kinematics *kinematics, const double *x, double *twist);

/// The largest distance by which joints stand apart in a pose, in the directions they hold: m, turns times the rig's
/// size.
/// @param pose  [body_count]
ER_API double er_pose_joint_gap(const er_model *model, const er_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
