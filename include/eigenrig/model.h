/// @file
/// A rig as mechanics: bodies with mass, joints with springs, at an equilibrium pose. No meshes, no files.
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
    ER_JOINT_FREE            ///< all six
} er_joint_type;

enum { ER_JOINT_TYPE_COUNT = 9 };

/// The coordinates a joint type lets free, ascending: 0 1 2 for tx ty tz, 3 4 5 for x y z.
/// @param free_coordinate  [6], the first `return value` entries written; NULL to count only
/// Errors   none; a value that is no type has none free.   Threads: any.
ER_API int er_joint_type_freedom(er_joint_type type, int *free_coordinate);

/// "revolute", "universal", ... as in the rig file; "unknown" for another value.   Memory: static.   Threads: any.
ER_API const char *er_joint_type_name(er_joint_type type);

/// A rigid body.
typedef struct er_body {
    const char *name; ///< UTF-8; "" when there is none (NULL in a def)
    double mass;      ///< kg, > 0
    er_vec3 com;      ///< centre of mass, m, body frame
    er_mat3 inertia;  ///< about the centre of mass, body axes, kg m^2; positive definite (smallest moment above 1e-14
                      ///< of the trace), triangle inequality (to 1e-9 of the trace)
    er_pose pose;     ///< of the body frame in the world, at equilibrium
} er_body;

/// A joint between two bodies, or between the world and a body.
typedef struct er_joint {
    const char *name; ///< as a body's
    int parent;       ///< body index, or -1 for the world
    int child;        ///< body index
    er_joint_type type;
    er_pose frame;       ///< of the joint's frame in the world, at equilibrium
    double stiffness[6]; ///< one per free coordinate, ascending; N m/rad or N/m, >= 0; the rest are 0
    double damping[6];   ///< likewise, N m s/rad or N s/m, >= 0
    double limit[6][2];  ///< likewise, lowest and highest value, rad or m; -HUGE_VAL and HUGE_VAL where there is none
                         ///< (zeros hold the joint where it is). Kept for other programs, not enforced
    bool closes_loop;    ///< true: not part of the spanning tree
} er_joint;

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

/// The defaults in brackets above.   Errors none.   Threads: any.
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
/// Errors   none: arguments are the caller's duty.   Memory: none.   Threads: any.
/// Source   docs/theory.md 6.
ER_API void er_model_pose(const er_model *model, const double *q, const er_pose *root, er_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
