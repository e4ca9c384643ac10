/// @file
/// Living scenes: actors with shapes and materials, joints, lights and a camera, moved step by step by full dynamics.
///
/// A scene is a list of things with *ids*, whole numbers from 1 up that are never given twice, so that whoever keeps
/// one notices that the thing is gone. Nothing here knows a script, a window or OpenGL: `app/lua` gives scenes their
/// words, sequencers and events, `viewer/play` shows them.
///
/// Units are SI, the world's axes are y up. Poses are of an actor's own frame, in which its shapes stand; velocities
/// are of that frame's origin, in the world's axes. What is added or removed counts from the next step on: the bodies
/// of a scene become one er_model and one er_world, which are made anew then and go on from where all stands.
///
/// Errors are the context's sentences. Threads: those of the context, for all functions.
///
/// Source: Soares da Silva, Um motor 3D para simulacao dinamica de corpos rigidos, UFMS 2008, chapters 1 and 4.
#ifndef ERI_APP_ENGINE_ENGINE_H
#define ERI_APP_ENGINE_ENGINE_H

#include <eigenrig/dynamics.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

typedef struct engine engine;

// ---- The scene

/// How a scene moves. Take engine_default_settings(), then change fields.
typedef struct engine_settings {
    er_vec3 gravity;    ///< m/s^2                                                         [0 -9.81 0]
    double step;        ///< s, > 0: of one step                                           [1/60]
    double length;      ///< s, >= 0: how long it is meant to be watched, for films; 0: nobody said         [0]
    int substeps;       ///< of contacts in a step, [1, 1000]                              [4]
    double stiffness;   ///< Hz, > 0: how fast an overlap is undone (er_contact_def.frequency)             [60]
    int threads;        ///< [1, 8]: er_contact_def.threads; the motion is the same by any number          [1]
    double sleep_time;  ///< s, >= 0: what hangs together and was slow for so long rests; 0: never         [0.5]
    double sleep_speed; ///< m/s, >= 0                                                     [0.02]
    bool reference;     ///< the reference solver: joints and contacts as one problem                      [false]
    double erp, cfm;    ///< of that one: er_contact_def                                   [0.2, 0]
    int iterations;     ///< of that one                                                   [50]
} engine_settings;

engine_settings engine_default_settings(void);

/// A scene in which nothing is but a grey background and a camera at (0, 2, 8) that looks at the origin.
/// @param out  ER_OK: for engine_destroy(); otherwise NULL
/// Errors   ER_ERROR_MEMORY
er_result engine_create(er_context *context, engine **out);
void engine_destroy(engine *e); ///< NULL is fine

const engine_settings *engine_get_settings(const engine *e);
/// Errors   ER_ERROR_ARGUMENT (a number out of range, by name: the rules stay)
er_result engine_set_settings(engine *e, const engine_settings *settings);

/// Steps taken; the scene's time is so many steps, s.
long engine_steps(const engine *e);
double engine_time(const engine *e);

// ---- Materials

/// What a surface looks like, and how it meets others. Colours are linear, [0, 1].
typedef struct engine_material {
    float ambient[3];   ///< of the light that is everywhere                               [0.3]
    float diffuse[3];   ///<                                                               [0.7]
    float specular[3];  ///<                                                               [0.2]
    float shine;        ///< Phong's exponent, > 0                                         [20]
    float opacity;      ///< [0, 1]                                                        [1]
    float reflection;   ///< [0, 1]: share of what it mirrors of the background            [0]
    double friction;    ///< mu, >= 0; of two surfaces the geometric mean                  [0.5]
    double restitution; ///< [0, 1]; of two the lesser                                     [0]
    double density;     ///< kg/m^3, > 0                                                   [1000]
} engine_material;

engine_material engine_default_material(void);

/// @return its index, from 0 up; -1: a number out of range, or no memory. Materials stay as long as the scene does; 0
/// is the default one.
int engine_add_material(engine *e, const engine_material *material);
const engine_material *engine_material_at(const engine *e, int index);
/// Errors   ER_ERROR_ARGUMENT (a number out of range). Masses of actors that are there stay as they are.
er_result engine_set_material(engine *e, int index, const engine_material *material);

// ---- Actors

/// How an actor moves.
typedef enum engine_motion {
    ENGINE_STATIC,   ///< it stands where it was put, as the ground does
    ENGINE_DYNAMIC,  ///< by forces
    ENGINE_KINEMATIC ///< where it is put: it pushes and feels nothing
} engine_motion;

/// A solid of an actor.
typedef struct engine_part {
    er_shape shape; ///< what it points to is borrowed, and must outlive the scene
    er_pose pose;   ///< in the actor's frame
    int material;   ///<                                                                 [0]
    double face;    ///< m: half the side that a plane is drawn with                     [20]
    bool hidden;    ///< not drawn                                                       [false]
    bool passes;    ///< drawn only: it meets nothing, and has no mass                   [false]
} engine_part;

/// An actor to be added. Take engine_default_actor(), then fill.
typedef struct engine_actor_def {
    const char *name;        ///< UTF-8, copied; NULL is ""                                       [NULL]
    engine_motion motion;    ///<                                                             [ENGINE_DYNAMIC]
    er_pose pose;            ///<                                                             [identity]
    er_vec3 velocity;        ///< m/s                                                         [0]
    er_vec3 spin;            ///< rad/s                                                       [0]
    int part_count;          ///<                                                             [0]
    const engine_part *part; ///< [part_count], copied                                     [NULL]
    double mass;             ///< kg; 0: as densities of the parts give it, else they all are scaled            [0]
    const er_body *body;     ///< its mass, centre and inertia, in place of those of the parts; NULL: theirs [NULL]
    uint32_t groups;         ///< er_world_shape                                               [1]
    uint32_t ignores;        ///< likewise                                                     [0]
    int character;           ///< that it is a bone of; 0: none                                [0]
    bool sensor; ///< it meets nothing and weighs nothing, and engine_contact_event tells what moves or is led within
                 ///< it; it stands still or is led                                                      [false]
} engine_actor_def;

engine_actor_def engine_default_actor(void);

/// @param id  written
/// Errors   ER_ERROR_ARGUMENT (a shape, a number; a body that moves without mass: names the actor), ER_ERROR_MEMORY
er_result engine_add_actor(engine *e, const engine_actor_def *def, int *id);

/// Takes an actor out, with its joints; forces and watches of it end.
/// @return whether there was one
bool engine_remove_actor(engine *e, int id);

/// An actor as it stands. Borrowed until anything is added or removed.
typedef struct engine_actor {
    int id;
    const char *name;
    engine_motion motion;
    er_pose pose;     ///< after the last step
    er_pose before;   ///< before it
    er_vec3 velocity; ///< m/s, world, of the frame's origin
    er_vec3 spin;     ///< rad/s, world
    double mass;      ///< kg; 0 of one that stands still without
    er_vec3 centre;   ///< m, of mass, own frame
    int part_count;
    const engine_part *part;
    er_vec3 low, high; ///< m, own frame: the box round its parts that are no planes
    int character;
    bool sleeps, sensor;
} engine_actor;

int engine_actor_count(const engine *e);
const engine_actor *engine_actor_at(const engine *e, int index); ///< by age
const engine_actor *engine_find_actor(const engine *e, int id);  ///< NULL where it is gone

/// Puts an actor elsewhere: one that stands still, is led, or moves and hangs on no joint. A led one goes there in the
/// next step, and so has that velocity. NULL keeps what is.
/// @param velocity, spin  world axes; of one that moves: joints let of it what they let free
/// Errors   ER_ERROR_ARGUMENT (no such actor; not finite; a pose of what hangs on a joint)
er_result engine_move(engine *e, int id, const er_pose *pose, const er_vec3 *velocity, const er_vec3 *spin);

/// Lets an actor that is led go, with the velocity it has, or leads one that moved, from where it is.
/// Errors   ER_ERROR_ARGUMENT (no such actor; one that stands still, or is to; a plane, a mesh or a sensor; no mass).
///          Joints that what led it did not keep together are told by the next step.
er_result engine_set_motion(engine *e, int id, engine_motion motion);

/// A force for the next step, N and N m, world axes.
/// @param point  m, own frame, where it acts; NULL: the centre of mass
/// Errors   ER_ERROR_ARGUMENT (no such actor, or one that forces do not move; not finite)
er_result engine_apply_force(engine *e, int id, er_vec3 force, er_vec3 torque, const er_vec3 *point);

/// A blow, N s, world axes, at once: point as of engine_apply_force().
er_result engine_apply_impulse(engine *e, int id, er_vec3 impulse, const er_vec3 *point);

/// Sets the parts' material.
er_result engine_set_actor_material(engine *e, int id, int material);

// ---- Joints

/// A joint to be added, between actors as they stand now. Take engine_default_joint(), then fill.
typedef struct engine_joint_def {
    const char *name; ///< UTF-8, copied; NULL is ""                                       [NULL]
    int actor[2];     ///< ids: what it hangs on, 0 for the world, and what hangs on it. One that is led or stands still
                      ///< may be either                                                   [0, 0]
    er_joint_type type; ///<                                                               [ER_JOINT_SPHERICAL]
    er_pose frame;      ///< in the world: the anchor, and z along the axis (er_joint_type)    [identity]
    double pitch;       ///< of a screw, m per radian, not 0                               [0]
    double stiffness[6], damping[6]; ///< er_joint                                         [0]
    double limit[6][2];              ///< er_joint                                         [none]
    double rest[6];                  ///< rad, m: coordinates at which springs are slack   [0]
    double erp, cfm; ///< of the reference solver, in place of the scene's: [0, 1] and >= 0; < 0: the scene's  [-1]
    bool driven;     ///< it has a motor on its first coordinate           [false]
    er_motor motor;  ///< that one; coordinate is not read                 [er_default_motor()]
} engine_joint_def;

engine_joint_def engine_default_joint(void);

/// @param id  written
/// Errors   ER_ERROR_ARGUMENT (no such actor, one twice, a number; two that cannot move; parts of one mechanism that
///          stand elsewhere against each other than when they were joined), ER_ERROR_MEMORY
er_result engine_add_joint(engine *e, const engine_joint_def *def, int *id);
bool engine_remove_joint(engine *e, int id); ///< whether there was one

/// A joint as it stands. Borrowed until anything is added or removed.
typedef struct engine_joint {
    int id;
    const char *name;
    int actor[2];
    er_joint_type type;
    er_pose own[2]; ///< its frame in each actor's, or in the world
    bool driven;
} engine_joint;

int engine_joint_count(const engine *e);
const engine_joint *engine_joint_at(const engine *e, int index);
const engine_joint *engine_find_joint(const engine *e, int id);

/// What the motor drives towards from the next step on.
/// Errors   ER_ERROR_ARGUMENT (no such joint, or no motor; not finite)
er_result engine_drive(engine *e, int id, double position, double velocity);

/// The joint's coordinates after the last step, rad and m, and how many they are.
int engine_joint_coordinates(const engine *e, int id, double value[6]);

// ---- Characters

/// Bones of a rig in a scene: one actor a body, in order. What it points to is borrowed, and must outlive the scene.
typedef struct engine_character {
    int id;
    const er_model *model;             ///< whose bodies they are, at its own size
    const er_recording_target *target; ///< what moves with them, at its own size
    double scale;                      ///< of the actors, over the model's lengths
    int *actor;                        ///< [body_count], ids; 0 of one that was removed
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
    const er_pose *pose;   ///< [body_count], how it stands, at its own size; NULL: at equilibrium      [NULL]
    er_pose place;         ///< the model's axes in the scene: it stands with its y up there            [identity]
    double scale;          ///< > 0                                                                     [1]
    double weight;         ///< > 0: masses and springs times that                                      [1]
    double damping;        ///< ratio, >= 0, of each joint alone; a model's own where it has dampers    [0.3]
    const bool *kinematic; ///< [body_count]: those that are led; NULL: none                            [NULL]
    bool self_collision;   ///< its own parts meet                                                      [false]
    int material;          ///<                                                                         [0]
} engine_character_def;

engine_character_def engine_default_character(void);

/// @param id  written
/// Errors   as engine_add_actor() and engine_add_joint()
er_result engine_add_character(engine *e, const engine_character_def *def, int *id);
bool engine_remove_character(engine *e, int id); ///< with its actors
int engine_character_count(const engine *e);
const engine_character *engine_character_at(const engine *e, int index);
const engine_character *engine_find_character(const engine *e, int id);

/// Its bodies' poses at its own size, as what is drawn, or written, has them: in the scene, scale taken off.
/// @param between  [0, 1]: from before the last step to after it
/// @param pose     [body_count], written: in the scene, lengths over `scale`
void engine_character_pose(const engine *e, const engine_character *c, double between, er_pose *pose);

// ---- Steps

/// Two actors that began to touch in the last step, or that no longer do; or one that came into a sensor, or left it.
typedef struct engine_contact_event {
    int actor[2]; ///< ids, the lesser first
    bool begins;
    er_vec3 point;  ///< m, world; of one that ends: 0
    double impulse; ///< N s, of the step; of one that ends, and of a sensor: 0
} engine_contact_event;

/// Takes a step: all that was asked for since the last one counts.
/// Errors   ER_ERROR_ARGUMENT (joints of what was added stand apart), ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY. All
///          stands as before the step then; what was asked for is forgotten.
er_result engine_step(engine *e);

/// Those of the last step. Borrowed until the next one.
int engine_contact_event_count(const engine *e);
const engine_contact_event *engine_contact_event_at(const engine *e, int index);

/// The actors that one touches since the last step.
/// @param index  from 0 up
/// @return an id; 0 behind the last
int engine_contact_partner(const engine *e, int id, int index);

/// Between the last two steps: 0 before, 1 after.
er_pose engine_interpolate(const engine_actor *a, double between);

/// A hash of the time and of all actors' ids, poses and velocities, to the bit (FNV-1a).
uint64_t engine_hash(const engine *e);

/// The world as it was in the last step; NULL where nothing moves: for measures (energies, contacts, islands).
er_world *engine_world(engine *e);

/// The nearest actor that a ray meets.
/// @param from, direction  m, unit, world
/// @param point            written where it does: m, world; may be NULL
/// @return its id, 0 for none
int engine_ray(const engine *e, er_vec3 from, er_vec3 direction, double most, er_vec3 *point);

// ---- What is seen

/// A light that shines from a point.
typedef struct engine_light {
    int id;
    er_vec3 position;                          ///< m
    float ambient[3], diffuse[3], specular[3]; ///<                                      [0, 0.8, 0.5]
} engine_light;

enum { ENGINE_MOST_LIGHTS = 8 };

/// @return its id; 0 where there are eight already
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
    ENGINE_BY_CLOCK,   ///< as many steps as the time since the last picture asks for, what is over being kept
    ENGINE_BY_PICTURE, ///< one step a picture, however long that takes
    ENGINE_PACES
} engine_pace;
typedef enum engine_background {
    ENGINE_COLOUR,     ///< from `top` to `bottom`
    ENGINE_BITMAP,     ///< a picture that fills the view
    ENGINE_ENVIRONMENT ///< a picture of all around (longitude and latitude), or a sky of its own where there is no path
} engine_background;

/// What a scene looks like; plain, to be set by anybody.
typedef struct engine_view {
    er_vec3 eye, target; ///< m: the camera stands at `eye` and looks at `target`
    double fov;          ///< rad, vertical
    int follow;          ///< id of an actor: eye and target go along with its centre of mass; 0: none
    er_vec3 followed;    ///< m: where that was when they last went along; engine_follow() keeps it
    float ambient[3];    ///< light that is everywhere                                     [0.25]
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

/// Moves the camera along with what it follows.
/// @param between  as engine_interpolate()
void engine_follow(engine *e, double between);

#endif
