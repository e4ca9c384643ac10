/// @file
/// Walkers: characters that walk by their own torques. A walker follows a gait (gait.h) in a world (dynamics.h): it
/// plans where its feet go, asks the ground for forces within friction, and drives the joints. Pushed, it steps where
/// it does not fall.
///
/// A walker is made for a model of one character. The world may hold other bodies too. Every step of control, the
/// caller calls er_walker_control(), then er_world_advance() by er_walker_step().
///
/// Lengths are given in legs (er_gait_body.leg, L), times in tau = sqrt(L / g). Directions follow er_gait_body: up,
/// forward, left, turned by er_walker_def.place, then about up by the walker's heading.
///
/// Source: docs/math/walking.md; Englsberger, Ott, Albu-Schaeffer, Three-dimensional bipedal walking control based on
/// divergent component of motion, 2015; Featherstone, Rigid Body Dynamics Algorithms, 2008.
#ifndef EIGENRIG_CONTROL_H
#define EIGENRIG_CONTROL_H

#include <eigenrig/dynamics.h>
#include <eigenrig/gait.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A walker.
typedef struct er_walker er_walker;

/// Options for er_walker_create(). Take er_default_walker_def(), then fill.
typedef struct er_walker_def {
    const er_model *model;        ///< of one tree with a free root; borrowed, must outlive the walker           [NULL]
    const er_gait_body *body;     ///< of the model, with feet; borrowed until er_walker_create() returns        [NULL]
    const er_gait_motion *motion; ///< one stride in place, from er_gait_move(); borrowed likewise               [NULL]
    double speed;                 ///< m/s, > 0: er_gait.speed                                        [0: to be set]
    double hz;                    ///< strides per second, > 0: er_gait.hz                            [0: to be set]
    const er_rig_shapes *shapes;  ///< of the model; leg bodies as low as the feet count as feet. Borrowed likewise;
                                  ///< NULL: soles and what hangs on them count                                  [NULL]
    er_pose place;  ///< of the model's axes in the world; without effect on `speed` and `hz`                [identity]
    double scale;   ///< lengths in the world over those of the model, > 0                                       [1]
    double weight;  ///< factor on masses beside the cube of `scale`, > 0                                        [1]
    double gravity; ///< m/s^2, > 0; 0: er_gait_body.gravity                                              [0]
    int first_body; ///< index in the world's model of the model's first body, >= 0                       [0]
    int first_coordinate; ///< index in the world's model of the model's first coordinate, >= 0                 [0]
    /// The height of the ground along up below a point, m. NULL: the plane at er_walker_def.floor            [NULL]
    /// @param at      m, world: as high as the centre of mass, or the point given to er_walker_place()
    /// @param normal  written: unit, world
    double (*ground)(void *user, er_vec3 at, er_vec3 *normal);
    void *user;       ///< passed to `ground`, not read                                                      [NULL]
    double floor;     ///< m along up: the ground's height; without effect with `ground`                        [0]
    double friction;  ///< of the ground, as the walker counts on it, > 0                                     [0.6]
    double torque;    ///< the largest torque of a joint over m g L, > 0                                        [3]
    double duty;      ///< the least duty factor of a foot, in (0, 1): shorter stances are widened             [0.5]
    bool flies;       ///< keeps the flights of a gait: `duty` is then 0.25 at most                         [false]
    double lowering;  ///< of the centre of mass below the gait's mean height, in L, in [0, 0.5]: bent knees  [0.07]
    double clearance; ///< of swinging feet, in L, in [0, 0.5]                                                [0.12]
    double width;     ///< factor on the distance of feet from the middle, > 0                                  [1]
    double even;      ///< how far footfalls of twins are moved to half a stride apart, in [0, 1]              [0]
    double style;     ///< how much the trunk turns as in the gait, in [0, 1]; 0: it stays as at equilibrium  [0.7]
    uint32_t tag;     ///< set by er_default_walker_def(); leave alone
} er_walker_def;

/// The defaults in brackets above.
ER_API er_walker_def er_default_walker_def(void);

/// Creates a walker, which stands in no world yet.
/// @param def  copied, but for what it says is borrowed
/// @param out  ER_OK: a new object for er_walker_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (names the field), ER_ERROR_RIG (no feet, a held root, a root within a leg, a joint
///          whose child is nearer to the root), as
///          er_model_create(); ER_ERROR_MEMORY
/// Memory   allocates the result and all that control needs.
/// Threads  one call per context at a time; then one call per walker, and its context, at a time.
ER_API er_result er_walker_create(er_context *context, const er_walker_def *def, er_walker **out);

/// Frees a walker. NULL is fine.   Threads: the context's.
ER_API void er_walker_destroy(er_walker *walker);

// ---- The world of a walker

/// The model at its place and size, without the springs and dampers of its turning joints, for er_world_def.model: the
/// walker's torques stand in their place.   Memory: owned by the walker.
ER_API const er_model *er_walker_model(const er_walker *walker);

/// The motors by which the walker drives its joints, for er_world_def.motor; coordinates are those of the world's
/// model. They damp, so that torques do not shake light bodies.
/// @param count  written
/// Memory   owned by the walker.
ER_API const er_motor *er_walker_motors(const er_walker *walker, int *count);

/// The body whose orientation it keeps: the heaviest part of the trunk's middle, index in the model. Pushes go there.
ER_API int er_walker_trunk(const er_walker *walker);

/// The foot that a body is part of and whose load it bears: the foot, what hangs on it, and leg bodies as low as it.
/// @param body  in [0, body_count of the model)
/// @return  in [0, foot_count of the body); -1 for none
ER_API int er_walker_foot_of(const er_walker *walker, int body);

/// Whether a shape reaches the ground in the gait although it is not a foot's, such as a hand that hangs low. The world
/// should let it pass through the ground.
/// @param shape  index in er_walker_def.shapes
ER_API bool er_walker_drags(const er_walker *walker, int shape);

/// The longest time from one call of er_walker_control() to the next, s, > 0; er_world_def.max_step must be as long.
/// Unless er_walker_bind() says otherwise, it is the time that control counts on.
ER_API double er_walker_step(const er_walker *walker);

/// Tells a walker where a world has it, when that differs from its definition or has changed.
/// @param first_body  as er_walker_def.first_body
/// @param coordinate  [joint_count of the model], index in the world's model of each joint's first coordinate; NULL:
///                    they stay. Joints to the world are not read
/// @param step        s: from one call of er_walker_control() to the next, > 0; at most er_walker_step()
ER_API void er_walker_bind(er_walker *walker, int first_body, const int *coordinate, double step);

/// The time of a stride, s, > 0.
ER_API double er_walker_stride(const er_walker *walker);

/// The phase at which all feet are farthest from their touchdowns and lift-offs: a good one to begin with.
/// @return  in [0, 1)
ER_API double er_walker_calm_phase(const er_walker *walker);

/// Puts the walker on the ground in mid-gait, or standing, and forgets its past. The caller passes the state to
/// er_world_set_state().
/// @param at       m, world: the point of the ground that it walks over. Its height matters to er_walker_def.ground
/// only
/// @param heading  rad about up, from er_gait_body.forward
/// @param phase    of the stride, in [0, 1); a negative value: it stands still, and er_walker_go() sets it going
/// @param pose     [body_count of the model], written
/// @param twist    [body_count of the model], written
ER_API void er_walker_place(er_walker *walker, er_vec3 at, double heading, double phase, er_pose *pose,
                            er_twist *twist);

// ---- Control

/// A wish for the way to go. The walker approaches it at 0.1 g and 0.5 rad/tau^2.
typedef struct er_walker_wish {
    double ahead; ///< m/s along its forward, at most three times the gait's speed in magnitude
    double aside; ///< m/s to its left, likewise
    double turn;  ///< rad/s about up, at most 1 / tau in magnitude
} er_walker_wish;

/// Sets the wish. A walker begins with the gait's speed ahead, or, if it was placed standing, with 0. A wish of 0
/// stops it: it stands with its feet together as at equilibrium.
/// Errors   ER_ERROR_ARGUMENT (not finite or out of range). The wish stays.
ER_API er_result er_walker_go(er_walker *walker, er_walker_wish wish);

/// Drives the joints for the next step: reads the world's state and contacts, and sets the motors.
/// Errors   ER_ERROR_ARGUMENT (a world without its bodies or motors)
/// Memory   none.   Source: docs/math/walking.md.
ER_API er_result er_walker_control(er_walker *walker, er_world *world);

/// Continues where another walker of the same model and body is, so that a character changes its gait. The phase is
/// that at which the gait has feet and divergent component nearest to where they are. The present speed and the wish
/// stay, as far as er_walker_go() would take them.
/// @param before     made with the same model, body, place and size; it may be destroyed afterwards
/// @param world      that the other one walks in; read
/// @param tolerance  legs: the divergent component's error plus the mean error of the feet (0.3 more for each that
///                   stands and should not, or the reverse)
/// @return whether the error is within the tolerance. Otherwise the other one should go on, and this one be asked again
ER_API bool er_walker_take_over(er_walker *walker, const er_walker *before, const er_world *world, double tolerance);

/// Reasons for a fall.
typedef enum er_walker_fall {
    ER_WALKER_UPRIGHT, ///< it has not fallen
    ER_WALKER_LEANS,   ///< the trunk leans by more than 45 degrees
    ER_WALKER_TOUCHES, ///< bodies other than feet bear more than a tenth of the weight, in the mean over 0.1 s
    ER_WALKER_SINKS    ///< its centre of mass is at less than 0.4 of its height
} er_walker_fall;

/// How a walker does.
typedef struct er_walker_state {
    double phase;          ///< of the stride
    double heading;        ///< rad
    bool stands;           ///< it stands still, or is coming to a stand
    er_vec3 centre;        ///< centre of mass, m, world
    er_vec3 velocity;      ///< of it, m/s, world
    er_walker_fall fallen; ///< by the last call of er_walker_control()
    int touches;           ///< body of the model that bore most at a fall by ER_WALKER_TOUCHES; -1 otherwise
    double torque;         ///< the largest torque of a joint so far, over m g L
    bool capped;           ///< er_walker_def.torque has bound a joint
    double work;           ///< J, positive work of all joints so far
    double slip;           ///< m/s, the mean speed of loaded contact points along the ground, weighted by load
} er_walker_state;

/// The state by the last er_walker_control().
ER_API er_walker_state er_walker_measure(const er_walker *walker);

/// The load on a foot in the last step, N.
/// @param foot  in [0, foot_count of the body)
ER_API double er_walker_load(const er_walker *walker, int foot);

/// The length of what er_walker_save() writes.
ER_API size_t er_walker_state_size(const er_walker *walker);

/// Saves what a walker remembers. With the world's state restored too, the motion continues equal to the last bit.
/// @param bytes  [er_walker_state_size()], written
ER_API void er_walker_save(const er_walker *walker, void *bytes);

/// Restores what was saved by this walker, or by one made alike.
ER_API void er_walker_restore(er_walker *walker, const void *bytes);

#ifdef __cplusplus
}
#endif
#endif
