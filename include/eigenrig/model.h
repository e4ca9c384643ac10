/// @file
/// A rig as mechanics: bodies with mass and joints with springs, at an equilibrium pose. Also the constraint rows of
/// its joints, those of them that are redundant, and its kinematics. No meshes, no files.
///
/// Units are SI: m, kg, s, rad. Poses are world poses at *equilibrium*: the pose in which all joint coordinates are 0
/// and their springs are at rest. Gravity plays no part in it. A body's frame sits at its bone's head, not at
/// its centre of mass. Source: docs/theory.md 1 to 3.
#ifndef EIGENRIG_MODEL_H
#define EIGENRIG_MODEL_H

#include <eigenrig/base.h>
#include <eigenrig/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Bodies and joints

/// The type of a joint: its free coordinates. tx ty tz are rotations about the axes of its frame, x y z are shifts
/// along them.
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
    ER_JOINT_SCREW           ///< tz, with a shift of er_joint.pitch along z per radian
} er_joint_type;

enum { ER_JOINT_TYPE_COUNT = 10 };

/// The free coordinates of a joint type, ascending: 0 1 2 for tx ty tz, 3 4 5 for x y z.
/// @param free_coordinate  [6], written: as many entries as returned; NULL to count only
/// @return  the number of free coordinates; 0 for a value that is not a type
ER_API int er_joint_type_freedom(er_joint_type type, int *free_coordinate);

/// The name of a type: "revolute", "universal", ... as in files and Lua; "unknown" for other values.   Memory: static.
ER_API const char *er_joint_type_name(er_joint_type type);

/// The type of a name; -1 if there is none, or the name is NULL.
ER_API int er_joint_type_find(const char *name);

/// All names, for messages: "revolute, universal, ...".   Memory: static.
ER_API const char *er_joint_type_list(void);

/// A rigid body. Take er_default_body(), then fill.
typedef struct er_body {
    const char *name; ///< UTF-8; NULL in a def is ""                                         [NULL]
    double mass;      ///< kg, > 0                                                            [0: to be set]
    er_vec3 com;      ///< centre of mass, m, body frame. The default is the frame's origin: a body on a hinge there
                      ///< would not swing                                                     [0 0 0]
    er_mat3 inertia;  ///< about the centre of mass, body axes, kg m^2: er_shape_mass() (collide.h) computes it for
                      ///< solids; positive definite (smallest moment above 1e-14 of the trace), triangle inequality (to
                      ///< 1e-9 of the trace)          [0: to be set]
    er_pose pose;     ///< of the body frame in the world, at equilibrium                     [identity]
} er_body;

/// The defaults in brackets above. er_model_create() refuses a body without mass or inertia.
ER_API er_body er_default_body(void);

/// Two bodies, the lesser first.
typedef struct er_body_pair {
    int a, b;
} er_body_pair;

/// A joint between two bodies, or between the world and a body. Take er_default_joint(), then fill. Do not start from
/// zeros: the frame would be invalid, and the limits would hold every coordinate at 0.
typedef struct er_joint {
    const char *name;    ///< UTF-8; NULL in a def is ""                                         [NULL]
    int parent;          ///< body index, or -1 for the world                                    [-1]
    int child;           ///< body index                                                         [0]
    er_joint_type type;  ///<                                                                    [ER_JOINT_REVOLUTE]
    er_pose frame;       ///< of the joint's frame in the world, at equilibrium                  [identity]
    double stiffness[6]; ///< one per free coordinate, ascending; N m/rad or N/m, >= 0           [0]
    double damping[6];   ///< one per free coordinate; N m s/rad or N s/m, >= 0                  [0]
    double limit[6][2];  ///< one per free coordinate: lowest and highest value, rad or m; -HUGE_VAL and HUGE_VAL for no
                         ///< limit. They act in worlds with er_world_def.enforce_limits         [-HUGE_VAL, HUGE_VAL]
    double swing;     ///< of a spherical joint: the largest angle between z of both sides, rad, >= 0; HUGE_VAL for no
                      ///< limit. As `limit`, it acts in worlds only                                  [HUGE_VAL]
    double twist[2];  ///< of a spherical joint: lowest and highest turn about z, rad, that is left when the shortest
                      ///< turn that swings z is taken off; within -pi and pi. -HUGE_VAL and HUGE_VAL for no limit
                      ///<                                                              [-HUGE_VAL, HUGE_VAL]
    bool closes_loop; ///< true: not part of the spanning tree                                [false]
    double pitch;     ///< of a screw, not 0: m along z per radian about z; > 0: right-handed [0: to be set]
} er_joint;

/// The defaults in brackets above: a hinge without spring, damper or limits, about z at the world's origin.
ER_API er_joint er_default_joint(void);

/// The frame of a joint with a given axis: z along the axis, x and y across it.
/// The z of the frame is the axis of a revolute, prismatic, cylindrical or screw joint, and the normal of a planar or
/// point-on-plane joint. A universal joint turns about x and y, so its frame needs two axes.
/// @param origin  a point of the axis, m, world
/// @param axis    its direction in the world, of any length; zero or not finite: the world's z
ER_API er_pose er_joint_frame_along(er_vec3 origin, er_vec3 axis);

/// A validated rig. Read-only to callers; made by er_model_create(), freed by er_model_destroy().
typedef struct er_model {
    const char *name;    ///< UTF-8, "" if there is none
    const char *source;  ///< UTF-8, the file that it was read from; "" if there is none
    int body_count;      ///< >= 1
    const er_body *body; ///< [body_count]
    int joint_count;
    const er_joint *joint;     ///< [joint_count]
    int coordinate_count;      ///< free coordinates of all joints: the length of q
    const int *coordinate;     ///< [joint_count + 1], index in q of a joint's first free coordinate
    const int *tree_joint;     ///< [body_count], the joint between a body and its tree parent; -1: a root without joint
    const int *tree_parent;    ///< [body_count], the body at the other end of that joint; -1: the world, or no joint
    const int *order;          ///< [body_count], the bodies with tree parents first
    int loop_count;            ///< number of joints with closes_loop
    double damping_ratio;      ///< of every elastic mode, added to the joints' dampers and the factors below
    double rayleigh_mass;      ///< alpha, 1/s, of the damping matrix alpha M: damps every motion, rigid ones too
    double rayleigh_stiffness; ///< beta, s, of the damping matrix beta K: damps in proportion to the springs
    double size; ///< m, > 0: the diagonal of the bounding box of all body frames, joints and centres of mass, or the
                 ///< largest sqrt(trace of inertia / mass) of a body if that is larger
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

/// The def of a model, to make a changed copy of it.   Memory: its names and arrays are borrowed from the model.
ER_API er_model_def er_model_def_of(const er_model *model);

/// Checks and copies a rig. Names are not checked, but files need UTF-8.
/// - Joints without closes_loop must form a forest over the bodies and the world.
/// - A tree is rooted in the world if one of its joints is to the world. Otherwise it is rooted in its first body that
///   is not the child of a joint.
/// - Orientations within 1e-3 of unit |q|^2 are normalised. Inertias within 1e-6 of symmetry, relative to the largest
///   entry, are made symmetric.
/// - Numbers other than limits may not exceed 1e50. Masses, traces of inertias and stiffnesses above 0 must be at least
///   1e-50. So their products stay finite.
/// @param out  ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (no def, or without its tag), ER_ERROR_RIG (a value, count or array is wrong; the
///          message names the body or joint and its field), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time; a model may be read by many threads.
ER_API er_result er_model_create(er_context *context, const er_model_def *def, er_model **out);

/// Frees a model. NULL is fine.   Threads: the context's.
ER_API void er_model_destroy(er_model *model);

/// The poses of joint coordinates, computed down the spanning tree. Loop joints are ignored. The result is exact at any
/// angle: a joint with three free rotations takes its coordinates as a rotation vector, a universal joint turns about x
/// and then about the turned y. Shifts are along the axes of the parent's side.
/// @param q     [coordinate_count], displacements from equilibrium, rad and m
/// @param root  [body_count], world displacement of each root without joint (tree_joint -1) from its equilibrium pose;
///              other entries are not read. NULL: roots stay
/// @param pose  [body_count], written: world poses of the body frames
/// Source   docs/theory.md 6.
ER_API void er_model_pose(const er_model *model, const double *q, const er_pose *root, er_pose *pose);

/// The joint coordinates of poses, the inverse of er_model_pose(). If the two sides of a joint are apart, its
/// coordinates are the nearest ones.
/// @param pose  [body_count], world poses of the body frames
/// @param q     [coordinate_count], written, loop joints too: rad, within half a turn (a screw's shift gives its number
///              of turns), and m
/// @param root  [body_count], or NULL; entries of roots without joint (tree_joint -1) are written, others stay
ER_API void er_model_coordinates(const er_model *model, const er_pose *pose, double *q, er_pose *root);

// ---- Constraint rows
//
// The matrices of a rig's joints, dense: velocity constraints G and rates of free coordinates R.

/// G and R at a pose. Let n be the model's body_count and v the stacked body twists [6 n] (omega; v of the body frame's
/// origin, body axes). Motions that the joints allow satisfy G v = 0, and the free coordinates change at the rates R v.
/// Joint k has the rows Gamma diag(A, 1) (Ad_child v_child - Ad_parent v_parent) in its own frame, where Gamma selects
/// its constrained or its free coordinates. The world has no column.
///
/// The joint's frame (er_joint.frame) is fixed in the parent and in the child; at equilibrium both agree. At another
/// pose the rows use the axes of the parent's side and the origin of the child's. A is 1 at equilibrium and for joints
/// with three free rotations. Otherwise it makes the rows exact rates:
/// - G v is the rate of er_constraint_errors() at every pose, also if the sides of the joint are apart.
/// - A screw's last row is v_z - pitch t', with t' the rate of its angle.
/// - R v of shifts is the rate of the child's origin along the parent's axes.
/// - R v of a single rotation tz is the rate of the angle about the joint's z.
/// - R v of a universal joint has the rates of the angles about the parent's x and about the y turned by it.
/// - R v of three free rotations is the angular velocity of the child against the parent, along the axes of the
///   parent's side. It equals the left Jacobian of the exponential map times the rate of the rotation vector.
typedef struct er_constraints {
    int constraint_count; ///< m, rows of G: the sum over joints of 6 minus the number of free coordinates
    int coordinate_count; ///< rows of R: the model's coordinate_count
    int column_count;     ///< 6 n
    const double *G;      ///< [m x 6n], column-major; rows of a joint in the order (tx ty tz x y z), joints in order
    const double *R;      ///< [coordinate_count x 6n], column-major, rows as er_model::coordinate
    const int *constraint_joint; ///< [m], the index of the joint of a row of G
    const int *constraint_axis;  ///< [m], the coordinate that it constrains, 0 to 5: tx ty tz x y z
    struct er_arena *arena;      ///< private
} er_constraints;

/// Assembles G and R at equilibrium.
/// @param out    ER_OK: a new object for er_constraints_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, dense.   Threads: one call per context at a time.
/// Source   docs/theory.md 3, (4-11), (4-13), (4-21) to (4-24).
ER_API er_result er_constraints_create(er_context *context, const er_model *model, er_constraints **out);

/// Assembles G and R at any pose. Loops may be open and joints apart, by less than a quarter turn.
/// @param pose  [body_count], world poses of the body frames; NULL: the equilibrium
/// @param out   ER_OK: a new object for er_constraints_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, dense.   Threads: one call per context at a time.   Source: docs/math/kinematics.md.
ER_API er_result er_constraints_at(er_context *context, const er_model *model, const er_pose *pose,
                                   er_constraints **out);

/// The constraint errors of a pose: 0 if the joints are together. G is their derivative.
/// - Shifts: the child's origin along the parent's axes, m.
/// - Rotations with a shared axis (z; for a universal joint the parent's x and the child's y): the sine of the angle
///   between the two sides, rad to first order. It is 0 too if the axis points the other way.
/// - Three held rotations: 2 sin(angle / 2) about the axis of the rotation, rad to first order.
/// - Screws: z minus pitch times the angle, to the nearest thread.
/// @param pose   [body_count]
/// @param error  [constraint_count], written, rows as in G
/// Source   docs/math/kinematics.md.
ER_API void er_constraint_errors(const er_model *model, const er_pose *pose, double *error);

/// Frees G and R. NULL is fine.   Threads: the context's.
ER_API void er_constraints_destroy(er_constraints *constraints);

/// The 6x6 matrix Ad of the transform from a body's frame to a joint's frame, both given as world poses. It maps the
/// body's twist, in body axes, to the twist of a joint frame fixed to the body, in joint axes.
/// @param ad  [6][6], written, row-major, angular part first
/// Source   docs/theory.md 1, (4-11).
ER_API void er_constraint_adjoint(er_pose body, er_pose joint, double ad[6][6]);

// ---- Redundant constraints
//
// The constraints of closed loops: how many are independent, and which are redundant.

/// One direction that a joint constrains: a row of G.
typedef struct er_redundant_row {
    int joint; ///< a joint that closes a loop
    int axis;  ///< 0 to 5: tx ty tz x y z of the joint's frame
} er_redundant_row;

/// The constraints of a rig at its equilibrium pose.
typedef struct er_redundancy {
    int constraint_count;        ///< rows of G: the sum over joints of 6 minus the number of free coordinates
    int rank;                    ///< of G; 6 body_count - rank motions remain
    int count;                   ///< constraint_count - rank
    const er_redundant_row *row; ///< [count], joints and axes ascending; G without them has the same rank
    double smallest_kept;        ///< the least that a kept row adds to those before it, at most 1; 1 without loops
    double largest_zero;         ///< the most that a redundant one adds; 0 if there is none
    struct er_arena *arena;      ///< private
} er_redundancy;

/// Finds the constraints of loops that follow from the others. Constraints of a tree never do. Only geometry counts,
/// not masses or springs. Among rows that could replace each other, the later ones in the model are called redundant.
///
/// A row is kept if unit motions of the tree's joints separate the loop by more than `tol` in a way that no row before
/// it forbids. Rotations are in rad, and shifts are divided by the rig's size.
/// @param tol  in (0, 1); 1e-10 suits rigs with numbers exact to double precision
/// @param out  ER_OK: a new object for er_redundancy_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (thousands of loops that share joints, which would take minutes),
///          ER_ERROR_MEMORY
/// Memory   allocates the result; scratch: for loops that share joints, their constraints times their joints.
/// Threads  one call per context at a time.   Source: docs/theory.md 4; docs/math/tree.md.
ER_API er_result er_redundancy_create(er_context *context, const er_model *model, double tol, er_redundancy **out);

/// Frees the object. NULL is fine.   Threads: the context's.
ER_API void er_redundancy_destroy(er_redundancy *redundancy);

// ---- Mirror

/// The left and right of a rig: a plane, and the twin of each body and joint across it. Found by er_mirror_find()
/// (rig.h). Read-only; freed by er_mirror_destroy().
typedef struct er_mirror {
    er_vec3 normal;         ///< of the plane, unit, model's axes; towards either side
    double offset;          ///< of the plane along `normal`, m
    const int *body;        ///< [body_count], the twin of each body: itself in the middle, -1 for none
    const int *joint;       ///< [joint_count], the joint between the twins of a joint's bodies, -1 for none
    double distance;        ///< largest distance of a body's centre of mass from the mirror image of its twin's, over
                            ///< er_model.size; 0: symmetric
    double mass;            ///< largest relative difference of the masses of twins, 0 to 1
    double stiffness;       ///< largest relative difference of the summed stiffnesses of joints that are twins, 0 to 1
    double unpaired;        ///< share of the mass that has no twin, 0 to 1
    struct er_arena *arena; ///< private
} er_mirror;

/// The mirror image of a motion. A twin moves as the image of its body does: its centre of mass by the reflected
/// velocity, and about it by the reflected rotation. Bodies that are nobody's twin rest.
/// @param mirror  of this model
/// @param eta     [6 body_count], body twists as in er_mode.body
/// @param out     [6 body_count], written; not `eta`
ER_API void er_mirror_reflect(const er_model *model, const er_mirror *mirror, const double *eta, double *out);

/// Frees a mirror. NULL is fine.   Threads: the context's.
ER_API void er_mirror_destroy(er_mirror *mirror);

// ---- Kinematics
//
// From displacements to poses, exact at any amplitude: loops are closed and centres of mass kept.
//
// A displacement x from the equilibrium has the er_model.coordinate_count free coordinates of all joints (rad, m), loop
// joints included. Then come six numbers for every root without joint, by body index: the rotation vector and the shift
// of its frame (rad, m), in its axes at equilibrium. The length of x is the *width*.

/// A body that stays in place while others move: at its equilibrium (er_motion_def), or at its place in a gait
/// (er_gait_layer()).
typedef struct er_hold {
    int body;      ///< index, in [0, body_count)
    bool turns;    ///< true: only `point` stays, and the body may turn about it; false: position and orientation stay
    er_vec3 point; ///< m, frame of the body, finite; used if `turns`
} er_hold;

/// Computes poses of a model: the constants of its tree and loops, and work space.
typedef struct er_kinematics er_kinematics;

/// Creates the kinematics of a model, for the functions below.
/// @param model  must outlive the result
/// @param out    ER_OK: a new object for er_kinematics_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NOT_POSDEF (masses too far apart for the metric that closes loops),
///          ER_ERROR_MEMORY
/// Memory   allocates the result; with loops, a matrix of width x width.   Threads: one call per context at a time.
ER_API er_result er_kinematics_create(er_context *context, const er_model *model, er_kinematics **out);

/// Frees kinematics. NULL is fine.   Threads: the context's.
ER_API void er_kinematics_destroy(er_kinematics *kinematics);

/// The length of a displacement x.
ER_API int er_kinematics_width(const er_kinematics *kinematics);

/// Computes the exact poses of all bodies at a displacement, in three steps:
/// 1. Down the tree: rotations by the exponential map (a universal joint about x, then about the turned y), shifts
///    along the axes of the parent's side.
/// 2. Loops are closed, to 1e-10 of the rig's size, by the smallest change of x in the mass norm sqrt(dx' M dx), with M
///    the mass matrix at equilibrium.
/// 3. The centre of mass of each floating tree returns to its place; trees that loops connect share one. Trees attached
///    to the world stay. A rigid mode therefore shows its rotation only.
/// @param x     [width], entries at most 1e9 in size; with loops, all joint coordinates are overwritten with those of
///              the closed pose
/// @param pose  [body_count], written: world poses of the body frames
/// Errors   ER_ERROR_ARGUMENT (x too large, or not a number), ER_ERROR_NO_CONVERGENCE (a loop cannot follow: closing it
///          takes back more than three quarters of x), ER_ERROR_MEMORY
/// Memory   none after the first call.   Threads: one call per object and context at a time.
/// Source   docs/theory.md 6; docs/math/motion.md.
ER_API er_result er_kinematics_pose(er_kinematics *kinematics, double *x, er_pose *pose);

/// Computes poses by the linear form (4-47) of docs/theory.md 6: each body moves for unit time with its velocity and
/// angular velocity at the rate x. It is accurate to first order; gaps of joints grow with the square of the
/// displacement.
/// @param x     [width]
/// @param pose  [body_count], written
/// Threads  one call per object at a time.
ER_API void er_kinematics_linear(er_kinematics *kinematics, const double *x, er_pose *pose);

/// Computes the twists (angular; linear) of the bodies at equilibrium for a rate x: body axes, of the body frame's
/// origin. Entries of loop joints are not read.
/// @param x      [width]
/// @param twist  [6 body_count], written
/// Threads  one call per object at a time.
ER_API void er_kinematics_twists(er_kinematics *kinematics, const double *x, double *twist);

/// The largest gap of a joint in a pose, in the directions that it constrains, m. Rotations count times the rig's size.
/// @param pose  [body_count]
ER_API double er_pose_joint_gap(const er_model *model, const er_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
