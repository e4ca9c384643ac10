/// @file
/// Mechanics of a model at one state, for controllers: inverse and forward dynamics, mass matrix, momentum, and the
/// motion of points. All in O(n) per vector, without allocation.
///
/// An er_mechanics has one state, of er_mechanics_set(). The other functions compute for that state.
///
/// Velocities, accelerations and forces are arrays of er_mechanics_width() numbers, in the order of a displacement
/// (er_kinematics): the model's joint coordinates; then six for each root without a joint, by body index. A joint's
/// velocities are the rates that the matrix R gives (er_constraints), as er_world_coordinates() returns them. A root's
/// are the angular velocity of its frame and the velocity of its origin, rad/s and m/s, in the axes of its frame at
/// equilibrium. Accelerations are the rates of these numbers. Forces are conjugate to them: force times velocity is
/// power.
///
/// Only the model's tree, masses and joint types count. Joints that close loops stay open: their entries are not read,
/// and 0 is written. Springs, dampers, limits and motors are not among the forces.
///
/// Source: docs/math/dynamics.md; Featherstone, Rigid Body Dynamics Algorithms, 2008; Orin, Goswami & Lee, Centroidal
/// dynamics of a humanoid robot, 2013.
#ifndef EIGENRIG_MECHANICS_H
#define EIGENRIG_MECHANICS_H

#include <eigenrig/base.h>
#include <eigenrig/math.h>
#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The mechanics of a model at a state, and its work space.
typedef struct er_mechanics er_mechanics;

/// Creates the mechanics of a model, at its equilibrium and at rest.
/// @param model    borrowed, must outlive the result
/// @param gravity  m/s^2, finite
/// @param out      ER_OK: a new object for er_mechanics_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result and all that the functions below need.
/// Threads  one call per context at a time; then one call per object, and its context, at a time.
ER_API er_result er_mechanics_create(er_context *context, const er_model *model, er_vec3 gravity, er_mechanics **out);

/// Frees it. NULL is fine.   Threads: the context's.
ER_API void er_mechanics_destroy(er_mechanics *mechanics);

/// The length of velocities, accelerations and forces. The same as er_kinematics_width().
ER_API int er_mechanics_width(const er_mechanics *mechanics);

/// Sets the state, for example to er_world_pose() and er_world_twist(). Joints are taken as closed: each body's place
/// and motion against its tree parent count as far as its joint allows them.
/// @param pose   [body_count], world poses of the body frames, unit quaternions; NULL: the equilibrium
/// @param twist  [body_count], body axes, of the body frame's origin; NULL: at rest
/// Errors   ER_ERROR_ARGUMENT (not finite; names the body). The state stays.
/// Memory   none.
ER_API er_result er_mechanics_set(er_mechanics *mechanics, const er_pose *pose, const er_twist *twist);

/// The velocities of the state.
/// @param velocity  [er_mechanics_width()], written
ER_API void er_mechanics_velocity(const er_mechanics *mechanics, double *velocity);

// ---- Dynamics
//
// M a + b = f, where M is the mass matrix, a the accelerations, f the forces, and b what velocities, gravity and the
// applied wrenches need.

/// The forces that give accelerations: f = M a + b, by recursive Newton-Euler. With NULL for both arrays f = b.
/// @param acceleration  [er_mechanics_width()]; NULL: zeros
/// @param applied       [body_count], wrenches on bodies besides gravity: world axes, about the centre of mass, N m
///                      and N; NULL: none
/// @param force         [er_mechanics_width()], written: N m and N. A root's are those that something must push it by
ER_API void er_mechanics_forces(er_mechanics *mechanics, const double *acceleration, const er_wrench *applied,
                                double *force);

/// The accelerations that forces give: a = M^-1 (f - b), by articulated bodies.
/// @param force         [er_mechanics_width()]; NULL: zeros
/// @param applied       as for er_mechanics_forces()
/// @param acceleration  [er_mechanics_width()], written
ER_API void er_mechanics_accelerations(er_mechanics *mechanics, const double *force, const er_wrench *applied,
                                       double *acceleration);

/// The product M x.
/// @param x    [er_mechanics_width()]
/// @param out  [er_mechanics_width()], written; may be x
ER_API void er_mechanics_mass_product(er_mechanics *mechanics, const double *x, double *out);

/// The mass matrix M: kg m^2, kg m and kg. Rows and columns of loop joints are 0.
/// @param M  [er_mechanics_width()^2], written: symmetric
/// Time     er_mechanics_width() products
ER_API void er_mechanics_mass_matrix(er_mechanics *mechanics, double *M);

// ---- Momentum

/// The momentum of all bodies.
typedef struct er_momentum {
    double mass;          ///< kg, of all bodies
    er_vec3 centre;       ///< centre of mass, m, world
    er_vec3 linear;       ///< kg m/s, world axes
    er_vec3 angular;      ///< kg m^2/s, world axes, about the centre of mass
    er_vec3 linear_bias;  ///< N, the rate of `linear` if all accelerations are 0
    er_vec3 angular_bias; ///< N m, the rate of `angular` likewise
} er_momentum;

/// The momentum, and its map A: (angular; linear) = A velocity, and its rate is A acceleration + (angular_bias;
/// linear_bias).
/// @param map  [6 x er_mechanics_width()], written, row by row: three angular rows, then three linear ones; or NULL
ER_API er_momentum er_mechanics_momentum(er_mechanics *mechanics, double *map);

// ---- Points

/// The motion of a point of a body.
typedef struct er_point_motion {
    er_vec3 at;           ///< m, world
    er_vec3 angular;      ///< rad/s, angular velocity of the body, world axes
    er_vec3 linear;       ///< m/s, velocity of the point, world axes
    er_vec3 angular_bias; ///< rad/s^2, angular acceleration of the body if all accelerations are 0
    er_vec3 linear_bias;  ///< m/s^2, acceleration of the point likewise
} er_point_motion;

/// The motion of a point of a body, and its Jacobian J: (angular; linear) = J velocity, and its acceleration is J
/// acceleration + (angular_bias; linear_bias). A force F at the point acts on the coordinates as J' (0; F).
/// @param body      index in [0, body_count)
/// @param point     m, body frame
/// @param jacobian  [6 x er_mechanics_width()], written, row by row: three angular rows, then three linear ones; or
///                  NULL
ER_API er_point_motion er_mechanics_point(er_mechanics *mechanics, int body, er_vec3 point, double *jacobian);

#ifdef __cplusplus
}
#endif
#endif
