/// @file
/// Living scenes: actors with shapes and materials, joints, lights and a camera, moved step by step by full dynamics.
///
/// Objects of a scene have ids: integers from 1 up that are never used twice, so an old id is never another object's.
/// Scripts, windows and OpenGL are elsewhere: `app/lua` adds scripts and events, `viewer/play` shows scenes.
///
/// Units are SI; y is up. An actor's pose is that of its own frame, in which its shapes are placed. Its velocity is
/// that of the frame's origin, in world axes. Objects that are added or removed count from the next step on: the scene
/// then makes a new er_model and er_world of its bodies and continues from the present state.
///
/// Errors   the context has the message.   Threads: those of the context, for all functions.
///
/// Source: Soares da Silva, Um motor 3D para simulacao dinamica de corpos rigidos, UFMS 2008, chapters 1 and 4.
#ifndef ERI_APP_ENGINE_ENGINE_H
#define ERI_APP_ENGINE_ENGINE_H

#include <eigenrig/control.h>
#include <eigenrig/dynamics.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

typedef struct engine engine;

// ---- The scene

/// How a scene moves. Take engine_default_settings(), then change fields.
typedef struct engine_settings {
    er_vec3 gravity;    ///< m/s^2                                                         [0 -9.81 0]
    double step;        ///< s, > 0: of one step                                           [1/60]
    double length;      ///< s, >= 0: duration of films; 0: not set                                 [0]
    int substeps;       ///< of the contact solver in a step, at least, [1, 1000]          [4]
    double stiffness;   ///< Hz, > 0: er_contact_def.frequency                              [30]
    int threads;        ///< [1, 8]: er_contact_def.threads; results do not depend on it    [1]
    double sleep_time;  ///< s, >= 0: an island that was slow for so long sleeps; 0: never  [0.5]
    double sleep_speed; ///< m/s, >= 0                                                     [0.02]
    bool reference;     ///< reference solver: joints and contacts in one problem           [false]
    double erp, cfm;    ///< of the reference solver: er_reference_def                      [0.2, 0]
    int iterations;     ///< of the reference solver: er_reference_def.iterations          [10000]
    double accuracy;    ///< of the reference solver: er_reference_def.accuracy             [1e-3]
    double relaxation;  ///< of the reference solver: er_reference_def.relaxation           [1]
    bool cone;          ///< of the reference solver: the friction cone; false: a pyramid   [true]
} engine_settings;

engine_settings engine_default_settings(void);

/// Creates an empty scene: a grey background, and a camera at (0, 2, 8) that looks at the origin.
/// @param out  ER_OK: for engine_destroy(); otherwise NULL
/// Errors   ER_ERROR_MEMORY
er_result engine_create(er_context *context, engine **out);
void engine_destroy(engine *e); ///< NULL is fine

const engine_settings *engine_get_settings(const engine *e);
/// Errors   ER_ERROR_ARGUMENT (a number out of range, by name): the settings stay
er_result engine_set_settings(engine *e, const engine_settings *settings);

/// Steps taken so far, and the scene's time, s.
long engine_steps(const engine *e);
double engine_time(const engine *e);

// ---- Materials

/// The look and the contact properties of a surface. Colours are linear, [0, 1].
typedef struct engine_material {
    float ambient[3];      ///< reflects ambient light                                         [0.3]
    float diffuse[3];      ///<                                                               [0.7]
    float specular[3];     ///<                                                               [0.2]
    float shine;           ///< Phong's exponent, > 0                                         [20]
    float opacity;         ///< [0, 1]                                                        [1]
    float reflection;      ///< [0, 1]: share of the background that it mirrors              [0]
    double friction;       ///< mu, >= 0; two surfaces use the geometric mean                [0.5]
    double rolling;        ///< m, >= 0: er_world_shape.rolling; two surfaces use the greater [0]
    double spinning;       ///< m, >= 0: er_world_shape.spinning; likewise                    [0]
    er_vec3 grain;         ///< in the actor's frame: er_world_shape.grain                     [0]
    double grain_friction; ///< >= 0: er_world_shape.grain_friction                        [0]
    double restitution;    ///< [0, 1]; two surfaces use the lesser                          [0]
    double density;        ///< kg/m^3, > 0                                                   [1000]
} engine_material;

engine_material engine_default_material(void);

/// Adds a material for the scene's lifetime. Index 0 is the default material.
/// @return its index; -1: a number out of range, or no memory
int engine_add_material(engine *e, const engine_material *material);
const engine_material *engine_material_at(const engine *e, int index);
/// Changes a material. Masses of existing actors stay.   Errors: ER_ERROR_ARGUMENT (no such material; a number)
er_result engine_set_material(engine *e, int index, const engine_material *material);

// ---- Actors

/// How an actor moves.
typedef enum engine_motion {
    ENGINE_STATIC,   ///< does not move
    ENGINE_DYNAMIC,  ///< moves by forces
    ENGINE_KINEMATIC ///< goes where it is put; pushes others and feels nothing
} engine_motion;

/// A solid of an actor.
typedef struct engine_part {
    er_shape shape; ///< what it points to is borrowed and must outlive the scene
    er_pose pose;   ///< in the actor's frame
    int material;   ///<                                                                 [0]
    double face;    ///< m: half the side of a plane as drawn                            [20]
    bool hidden;    ///< not drawn                                                       [false]
    bool passes;    ///< drawn only: no contacts, and no mass if others have one. It may be a plane or a mesh of an
                    ///< actor that moves, so it can be its look in place of a hidden solid  [false]
} engine_part;

/// An actor to be added. Take engine_default_actor(), then fill.
typedef struct engine_actor_def {
    const char *name;        ///< UTF-8, copied; NULL is ""                                       [NULL]
    engine_motion motion;    ///<                                                             [ENGINE_DYNAMIC]
    er_pose pose;            ///<                                                             [identity]
    er_vec3 velocity;        ///< m/s                                                         [0]
    er_vec3 spin;            ///< rad/s                                                       [0]
    er_twist surface;        ///< er_world_shape.surface, of all its parts                    [0]
    int part_count;          ///<                                                             [0]
    const engine_part *part; ///< [part_count], copied                                     [NULL]
    double mass;             ///< kg; 0: from the densities of the parts that do not pass      [0]
    const er_body *body;     ///< mass, centre and inertia in place of the parts' own        [NULL]
    uint32_t groups;         ///< er_world_shape                                               [1]
    uint32_t ignores;        ///< likewise                                                     [0]
    int character;           ///< the character it is a bone of; 0: none                       [0]
    bool hidden;             ///< not drawn                                                    [false]
    bool sensor; ///< no contacts: contact events report actors that enter and leave it. A dynamic one needs a mass
                 ///<                                                                              [false]
} engine_actor_def;

engine_actor_def engine_default_actor(void);

/// @param id  written
/// Errors   ER_ERROR_ARGUMENT (a shape, a number; a body that moves without mass: names the actor), ER_ERROR_MEMORY
er_result engine_add_actor(engine *e, const engine_actor_def *def, int *id);

/// Removes an actor with its joints and ties.   @return whether there was one
bool engine_remove_actor(engine *e, int id);

/// The present state of an actor. Borrowed until anything is added or removed.
typedef struct engine_actor {
    int id;
    const char *name;
    engine_motion motion;
    er_pose pose;             ///< after the last step
    er_pose before;           ///< before it
    er_vec3 velocity;         ///< m/s, world, of the frame's origin
    er_vec3 spin;             ///< rad/s, world
    er_twist surface;         ///< rad/s, m/s, own frame: how its surface runs
    double mass;              ///< kg; may be 0 for a static actor
    er_vec3 centre;           ///< m, of mass, own frame
    er_mat3 inertia;          ///< kg m^2, about the centre of mass, own axes
    uint32_t groups, ignores; ///< er_world_shape
    int part_count;
    const engine_part *part;
    er_vec3 low, high; ///< m, own frame: bounding box of its parts without planes
    int character;
    bool sleeps, sensor, hidden;
    bool active; ///< engine_set_active()
} engine_actor;

int engine_actor_count(const engine *e);
const engine_actor *engine_actor_at(const engine *e, int index); ///< by age
const engine_actor *engine_find_actor(const engine *e, int id);  ///< NULL where it is gone

/// Moves an actor. A kinematic one gets there in the next step, with the velocity that this takes. A dynamic one with
/// joints cannot be given a pose. NULL keeps a value.
/// @param velocity, spin  world axes; joints of a dynamic actor let through only what they leave free
/// Errors   ER_ERROR_ARGUMENT (no such actor; not finite; a pose for an actor with joints)
er_result engine_move(engine *e, int id, const er_pose *pose, const er_vec3 *velocity, const er_vec3 *spin);

/// Lets the surface of an actor run, as a conveyor belt does.
/// Errors   ER_ERROR_ARGUMENT (no such actor; not finite)
er_result engine_set_surface(engine *e, int id, er_twist surface);

/// Makes a kinematic actor dynamic, with its present velocity, or a dynamic one kinematic.
/// Errors   ER_ERROR_ARGUMENT (no such actor; to or from static; a plane or a mesh that does not pass; no mass). The
/// next
///          step fails if its joints are apart.
er_result engine_set_motion(engine *e, int id, engine_motion motion);

/// Applies a force (N) and a torque (N m) during the next step, world axes.
/// @param point  where the force acts, m, own frame; NULL: the centre of mass
/// Errors   ER_ERROR_ARGUMENT (no such actor, or not a dynamic one; not finite)
er_result engine_apply_force(engine *e, int id, er_vec3 force, er_vec3 torque, const er_vec3 *point);

/// Applies an impulse at once, N s, world axes.   @param point  as in engine_apply_force()
er_result engine_apply_impulse(engine *e, int id, er_vec3 impulse, const er_vec3 *point);

/// Sets the material of all parts.
er_result engine_set_actor_material(engine *e, int id, int material);

// Changes of an actor while the scene runs. Each counts from the next step on, and wakes all actors unless it says
// otherwise. Velocities stay as they are.

/// Replaces the parts of an actor. Its mass follows from them as in engine_add_actor().
/// @param part  [part_count], copied
/// @param mass  kg; 0: from the densities of the parts that do not pass
/// Errors   as engine_add_actor(): the actor stays as it was
er_result engine_set_parts(engine *e, int id, int part_count, const engine_part *part, double mass);

/// Sets the mass of an actor; its inertia changes by the same factor.
/// @param mass  kg, > 0
/// Errors   ER_ERROR_ARGUMENT (no such actor; no solid that could have a mass; a number out of range)
er_result engine_set_actor_mass(engine *e, int id, double mass);

/// Sets what an actor collides with.   Errors: ER_ERROR_ARGUMENT (no such actor)
er_result engine_set_groups(engine *e, int id, uint32_t groups, uint32_t ignores);

/// Hides or shows an actor, without effect on its motion.   Errors: ER_ERROR_ARGUMENT (no such actor)
er_result engine_set_hidden(engine *e, int id, bool hidden);

/// Takes an actor out of the motion, or puts it back. An inactive one keeps its pose and velocity, touches nothing, is
/// sensed by nothing and is still drawn. Its contacts end.
/// Errors   ER_ERROR_ARGUMENT (no such actor, or one with a joint)
er_result engine_set_active(engine *e, int id, bool active);

/// Wakes an actor and what touches it (er_world_wake()); others sleep on.
/// Errors   ER_ERROR_ARGUMENT (no such actor)
er_result engine_wake(engine *e, int id);

// ---- Joints

/// A joint to be added between two actors where they are now. Take engine_default_joint(), then fill.
typedef struct engine_joint_def {
    const char *name;   ///< UTF-8, copied; NULL is ""                                       [NULL]
    int actor[2];       ///< ids of parent, 0 for the world, and child. At least one must be dynamic
                        ///< [0, 0]
    er_joint_type type; ///<                                                               [ER_JOINT_SPHERICAL]
    er_pose frame;      ///< world: anchor, and z along the axis (er_joint_type)               [identity]
    double pitch;       ///< of a screw, m per radian, not 0                               [0]
    double stiffness[6], damping[6]; ///< er_joint                                         [0]
    double limit[6][2];              ///< er_joint                                         [none]
    double swing, twist[2];          ///< er_joint                                         [none]
    double rest[6];                  ///< rad, m: rest coordinates of the springs            [0]
    double erp, cfm;                 ///< for the reference solver: [0, 1] and >= 0; < 0: the scene's values  [-1]
    bool driven;                     ///< has a motor on its first coordinate              [false]
    er_motor motor;                  ///< the motor; its coordinate is not read            [er_default_motor()]
    er_joint_break strength;         ///< it breaks, and is removed, at this load          [HUGE_VAL, HUGE_VAL]
} engine_joint_def;

engine_joint_def engine_default_joint(void);

/// @param id  written
/// Errors   ER_ERROR_ARGUMENT (no such actor; the same twice; a number; none that is dynamic; a loop whose actors have
///          moved since they were joined), ER_ERROR_MEMORY
er_result engine_add_joint(engine *e, const engine_joint_def *def, int *id);
bool engine_remove_joint(engine *e, int id); ///< with its gears; whether there was one

/// A joint. Borrowed until anything is added or removed.
typedef struct engine_joint {
    int id;
    const char *name;
    int actor[2]; ///< ids of parent, 0 for the world, and child
    er_joint_type type;
    er_pose own[2]; ///< its frame in each actor's frame, or in the world
    bool driven;
    bool swapped; ///< parent and child are those of its definition the other way round
} engine_joint;

int engine_joint_count(const engine *e);
const engine_joint *engine_joint_at(const engine *e, int index);
const engine_joint *engine_find_joint(const engine *e, int id);

/// Sets the target of a joint's motor, from the next step on.
/// Errors   ER_ERROR_ARGUMENT (no such joint, or no motor; not finite)
er_result engine_drive(engine *e, int id, double position, double velocity);

/// The joint's coordinates after the last step, rad and m.   @return how many
int engine_joint_coordinates(const engine *e, int id, double value[6]);

/// The present state of a joint: coordinates, and what it transmits.
typedef struct engine_joint_state {
    int count;              ///< of coordinates
    int axis[6];            ///< [count], er_joint_type_freedom(): below 3 a turn, otherwise a shift
    double value[6];        ///< [count], rad, m
    double rate[6];         ///< [count], rad/s, m/s
    double limit[6][2];     ///< [count], rad, m; infinite for none
    double swing, twist[2]; ///< rad; likewise
    er_pose frame;          ///< world: the anchor on the child, and the axes there (er_joint_type)
    er_wrench reaction; ///< N, N m: all that the joint did to its child in the last step, as mean forces: constraints,
                        ///< springs, motors and limits. World axes, about frame.p. 0 before the first step, and if
                        ///< both actors are led, still or the world
} engine_joint_state;

/// The state of a joint after the last step. Joints of a closed ring share their load with the least sum of squares.
/// @param out  written
/// Errors   ER_ERROR_ARGUMENT (no such joint), ER_ERROR_MEMORY
er_result engine_read_joint(engine *e, int id, engine_joint_state *out);

// ---- Ties

/// A rope, rod, pulley or gear to be added. Take engine_default_tie(), then fill.
typedef struct engine_tie_def {
    const char *name; ///< UTF-8, copied; NULL is ""                                          [NULL]
    int actor[2];     ///< DISTANCE, PULLEY: ids, 0 for the world. At least one must be dynamic [0, 0]
    er_vec3 point[2]; ///< DISTANCE, PULLEY: m, world, where the tie is attached now           [0]
    int joint[2];     ///< GEAR: ids of joints; their first coordinates                        [0, 0]
    er_tie law;       ///< the rest of it; body, point, coordinate and name are not read      [er_default_tie()]
} engine_tie_def;

engine_tie_def engine_default_tie(void);

/// @param id  written
/// Errors   ER_ERROR_ARGUMENT (no such actor or joint; none that is dynamic; a number), ER_ERROR_MEMORY
er_result engine_add_tie(engine *e, const engine_tie_def *def, int *id);
bool engine_remove_tie(engine *e, int id); ///< whether there was one

/// The present state of a tie. Borrowed until anything is added or removed.
typedef struct engine_tie {
    int id;
    const char *name;
    er_tie_kind kind;
    int actor[2], joint[2]; ///< as in its definition
    er_vec3 own[2];         ///< m, its points in each actor's frame, or in the world
    er_vec3 wheel[2];       ///< PULLEY: m, world
    double length, force;   ///< er_tie_state, after the last step
} engine_tie;

int engine_tie_count(const engine *e);
const engine_tie *engine_tie_at(const engine *e, int index);
const engine_tie *engine_find_tie(const engine *e, int id); ///< NULL where it is gone

/// A point of a DISTANCE or PULLEY, m, world.
er_vec3 engine_tie_point(const engine *e, const engine_tie *tie, int side);

/// A joint or tie that broke in the last step. It has been removed.
typedef struct engine_break_event {
    int id;
    bool is_tie;
    double force, torque; ///< mean of the step: N, N m; of a gear the force is the load of its first joint
} engine_break_event;

/// Breaks of the last step. Borrowed until the next step.
int engine_break_event_count(const engine *e);
const engine_break_event *engine_break_event_at(const engine *e, int index);

// ---- Characters

/// How fast a gait of a walker is.
typedef struct engine_gait_pace {
    double speed; ///< m/s, its own
    int rank;     ///< 0: a walk; 1: a run or a trot; 2: a canter or a gallop
} engine_gait_pace;

/// A rig in a scene, one actor for each body. Model and target are borrowed and must outlive the scene.
typedef struct engine_character {
    int id;
    const er_model *model;             ///< at its own size
    const er_recording_target *target; ///< the scene that it moves, at its own size
    double scale;                      ///< lengths of the actors over those of the model
    int *actor;                        ///< [body_count], ids; 0: removed
    int look_of;                       ///< the actor that it shows without actors of its own; 0: none
    er_pose *place;                    ///< [body_count], of a look: frames of the bodies in that actor's, m; NULL
    int *joint;                        ///< [joint_count], ids; 0: none
    int walker_count;                  ///< gaits that it can walk by
    er_walker **walker;                ///< [walker_count], owned
    engine_gait_pace *pace;            ///< [walker_count]
    struct engine_footing *footing;    ///< private; NULL: it does not walk
    int walking;                       ///< index of the walker that moves it; -1: none
    int next_walking;                  ///< that it will change to; -1: none
    double asked;                      ///< s, when it was asked to change
    bool by_speed;                     ///< it chooses its gait by its speed
    er_walker_wish wish;               ///< the last one of engine_go()
} engine_character;

/// A character to be added. Take engine_default_character(), then fill.
typedef struct engine_character_def {
    const char *name;                  ///< UTF-8, copied: actors are NAME/BODY               [NULL]
    const er_model *model;             ///< borrowed
    const er_recording_target *target; ///< borrowed
    const er_body_shape *shape;        ///< [shape_count], of its bodies; borrowed
    int shape_count;
    const er_body_pair *apart; ///< [apart_count]: bodies that pass through each other  [NULL]
    int apart_count;
    const er_pose *pose;   ///< [body_count], at its own size; NULL: the equilibrium                 [NULL]
    er_pose place;         ///< of the model's axes in the scene                                         [identity]
    double scale;          ///< > 0                                                                     [1]
    double weight;         ///< > 0: factor on masses and springs                                        [1]
    double damping;        ///< ratio, >= 0, of each joint moving alone; joints with dampers keep them    [0.3]
    const bool *kinematic; ///< [body_count]: bodies that are kinematic; NULL: none                  [NULL]
    bool self_collision;   ///< its parts collide with each other                                        [false]
    int material;          ///<                                                                         [0]
    const er_walker_def *walker; ///< it walks: model, body, motion, speed and hz at the model's own size, shapes, and
                                 ///< the numbers that say how; the scene sets the rest. Borrowed for the call   [NULL]
    er_gait_family family;       ///< of the walker's gait                                      [ER_GAIT_WALK]
    bool stands;                 ///< a walker begins with a stand, and not in its gait                  [false]
    int look_of; ///< id of an actor: the model is drawn in place of its parts, as rigid as that actor. Then only name,
                 ///< model, target, pose, place (in the actor's frame) and scale are read                 [0]
} engine_character_def;

engine_character_def engine_default_character(void);

/// @param id  written
/// Errors   as engine_add_actor() and engine_add_joint(); ER_ERROR_ARGUMENT (no actor to be the look of)
er_result engine_add_character(engine *e, const engine_character_def *def, int *id);
bool engine_remove_character(engine *e, int id); ///< with its actors; a look goes with its actor too
int engine_character_count(const engine *e);
const engine_character *engine_character_at(const engine *e, int index);
const engine_character *engine_find_character(const engine *e, int id);

// ---- Walkers
//
// A character with an er_walker moves by its own torques. A step is cut into parts so short as the walkers need. The
// ground is what lies below: actors that are still or led, and others that weigh more than a fiftieth of the walker.
// A walker that falls is limp from then on.

/// Adds a gait to a character that walks.
/// @param def     as engine_character_def.walker
/// @param family  of the gait
/// @param index   written
/// Errors   ER_ERROR_ARGUMENT (no such character, or it does not walk), as er_walker_create(), ER_ERROR_MEMORY
er_result engine_add_walker(engine *e, int id, const er_walker_def *def, er_gait_family family, int *index);

/// Lets a character go on by another of its gaits, at the next step at which it can, whatever its speed.
/// @param index  in [0, walker_count)
/// Errors   ER_ERROR_ARGUMENT (no such character or gait, or it does not walk any more)
er_result engine_walk(engine *e, int id, int index);

/// Sets the wish of a character that walks.
/// @param by_speed  from now on it also chooses among its gaits by its speed, until engine_walk(). Its speed is then
///                  limited to 1.5 times the present gait's own
/// Errors   ER_ERROR_ARGUMENT (it does not walk; by_speed: a speed above three times that of its fastest gait), as
///          er_walker_go()
er_result engine_go(engine *e, int id, er_walker_wish wish, bool by_speed);

/// The walker that moves a character; NULL: none, or it is not whole any more.
er_walker *engine_walker(engine *e, int id);

/// A walker that fell in the last step.
typedef struct engine_fall_event {
    int character;
    er_walker_fall why;
    int actor; ///< that bore weight; 0: none
} engine_fall_event;

/// Falls of the last step. Borrowed until the next step.
int engine_fall_event_count(const engine *e);
const engine_fall_event *engine_fall_event_at(const engine *e, int index);

/// The poses of a character's bodies at its own size, for drawing and writing.
/// @param between  [0, 1]: from before the last step to after it
/// @param pose     [body_count], written: in the scene, lengths over `scale`
void engine_character_pose(const engine *e, const engine_character *c, double between, er_pose *pose);

// ---- Steps

/// Two actors began or ceased to touch in the last step, or an actor entered or left a sensor.
typedef struct engine_contact_event {
    int actor[2]; ///< ids, the lesser first
    bool begins;
    er_vec3 point;  ///< m, world; 0 at an end
    double impulse; ///< N s, of the step; 0 at an end and for a sensor
} engine_contact_event;

/// Takes a step, with all changes and forces since the last one.
/// Errors   ER_ERROR_ARGUMENT (a joint whose frames are apart), ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY. The scene is
///          then as before the step, and the forces are dropped.
er_result engine_step(engine *e);

/// Contact events of the last step. Borrowed until the next step.
int engine_contact_event_count(const engine *e);
const engine_contact_event *engine_contact_event_at(const engine *e, int index);

/// A point in which two actors touched in the last step.
typedef struct engine_contact {
    int actor[2];    ///< ids, the lesser first
    er_vec3 point;   ///< m, world
    er_vec3 normal;  ///< unit, world, from the first to the second
    double depth;    ///< m: the overlap at the step's end; < 0: a gap
    er_vec3 impulse; ///< N s, world: of the last step on the second; the first gets the opposite
    er_vec3 force;   ///< N: the mean force of that impulse
} engine_contact;

/// Contact points of the last step, by actors. Points that neither pressed nor overlapped, and those of sensors, are
/// not among them. Borrowed until the next step.
int engine_contact_count(const engine *e);
const engine_contact *engine_contact_at(const engine *e, int index); ///< in [0, engine_contact_count())

/// The actors that touch an actor, after the last step.
/// @param index  from 0 up   @return an id; 0 after the last one
int engine_contact_partner(const engine *e, int id, int index);

/// The pose between the last two steps: 0 before, 1 after the last one.
er_pose engine_interpolate(const engine_actor *a, double between);

/// A hash of the time and of all actors' ids, poses and velocities, to the bit (FNV-1a).
uint64_t engine_hash(const engine *e);

/// Saves the state as bytes: time, settings, materials, the motion, mass, groups, visibility and activity of actors,
/// motors' targets, contacts and sleep. Shapes, lights and the view are not part of it. It is for the same program on
/// the same kind of machine.
/// @param bytes  [*size], written; NULL: only the size is found
/// @param size   written
/// Errors   as engine_step(): pending changes are given to the world first
er_result engine_save(engine *e, void *bytes, size_t *size);

/// Whether bytes are a state that engine_restore() takes.
/// @param last  written: the largest id at the time of saving; objects with larger ones were added since
/// Errors   ER_ERROR_ARGUMENT (the bytes are damaged; an actor or a joint was removed since, or has other shapes)
er_result engine_check_state(engine *e, const void *bytes, size_t size, int *last);

/// Restores a state. Steps continue from it equal to the last bit. Actors, joints and characters that were added since
/// are removed; their ids are given again.
/// @param bytes  from engine_save() of this scene, or of one that was made by the same calls
/// Errors   as engine_check_state(): the scene stays as it was. ER_ERROR_MEMORY: the contacts may be lost
er_result engine_restore(engine *e, const void *bytes, size_t size);

/// The world of the last step, to measure energies, contacts and islands; NULL if no actor is dynamic.
er_world *engine_world(engine *e);

/// The nearest actor that a ray hits.
/// @param from, direction  m, unit, world
/// @param point            written if there is a hit: m, world; may be NULL
/// @return its id, 0 for none
int engine_ray(const engine *e, er_vec3 from, er_vec3 direction, double most, er_vec3 *point);

// ---- Lights and view

/// A light that shines from a point.
typedef struct engine_light {
    int id;
    er_vec3 position;                          ///< m
    float ambient[3], diffuse[3], specular[3]; ///<                                      [0, 0.8, 0.5]
} engine_light;

enum { ENGINE_MOST_LIGHTS = 8 };

/// @return its id; 0 if there are eight already
int engine_add_light(engine *e, const engine_light *light);
bool engine_remove_light(engine *e, int id);
int engine_light_count(const engine *e);
engine_light *engine_light_at(engine *e, int index);
engine_light *engine_find_light(engine *e, int id); ///< NULL where it is gone

typedef enum engine_shading {
    ENGINE_FLAT,
    ENGINE_GOURAUD,
    ENGINE_PHONG,
    ENGINE_WIREFRAME,
    ENGINE_SHADINGS
} engine_shading;
typedef enum engine_polygons { ENGINE_FILL, ENGINE_LINES, ENGINE_POINTS, ENGINE_POLYGONS } engine_polygons;
typedef enum engine_shown { ENGINE_ACTORS, ENGINE_JOINTS, ENGINE_BOTH, ENGINE_SHOWN } engine_shown;
typedef enum engine_pace {
    ENGINE_BY_CLOCK,   ///< as many steps as real time requires; the remainder is carried over
    ENGINE_BY_PICTURE, ///< one step for each picture, however long it takes
    ENGINE_PACES
} engine_pace;
typedef enum engine_background {
    ENGINE_COLOUR,     ///< from `top` to `bottom`
    ENGINE_BITMAP,     ///< an image that fills the view
    ENGINE_ENVIRONMENT ///< an equirectangular image, or a built-in sky without a path
} engine_background;

/// Camera, background and drawing style of a scene. Plain data; change it at will.
typedef struct engine_view {
    er_vec3 eye, target; ///< m: the camera stands at `eye` and looks at `target`
    double fov;          ///< rad, vertical
    int follow;          ///< id of an actor whose centre of mass the camera follows; 0: none
    er_vec3 followed;    ///< m: where that centre was last; kept by engine_follow()
    float ambient[3];    ///< ambient light                                                [0.25]
    engine_background background;
    float top[3], bottom[3]; ///< linear
    char picture[4096];      ///< path of a PNG or JPEG; "": none
    engine_shading shading;  ///<                                                          [ENGINE_PHONG]
    engine_polygons polygons;
    engine_shown shown;
    engine_pace pace; ///< in a window                                                     [ENGINE_BY_CLOCK]
    bool shadows;     ///< of the first light                                                  [true]
} engine_view;

engine_view *engine_get_view(engine *e);

/// Moves the camera with the actor that it follows.
/// @param between  as engine_interpolate()
void engine_follow(engine *e, double between);

#endif
