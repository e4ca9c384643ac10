/// @file
/// What the files of this room share: how a scene is held, and the world that is made of it.
#ifndef ERI_APP_ENGINE_ENGINE_INSIDE_H
#define ERI_APP_ENGINE_ENGINE_INSIDE_H

#include "app/engine/engine.h"
#include "app/engine/grow.h"

/// An actor, with what is not shown of it.
typedef struct actor {
    engine_actor state;    ///< name and part are its own
    er_pose home;          ///< where it stands while no joint is displaced
    int mechanism;         ///< id of one of the actors that joints tie it to, the same of all of them; 0 of the world
    er_pose next;          ///< of one that is led: after the next step
    er_vec3 force, torque; ///< for the next step, world, about the centre of mass
    er_wrench acted;       ///< in the last step
    er_twist twist_before; ///< body axes, of the frame's origin: before the last step
    int body;              ///< of the world; -1: none
    bool shared_pose, velocity_changed; ///< by hand, and the world has not heard of it
} actor;

typedef struct joint {
    engine_joint state; ///< name is its own
    double stiffness[6], damping[6], limit[6][2], swing, twist[2], rest[6];
    er_motor motor;
    double pitch;
    double erp, cfm;          ///< < 0: the scene's
    int index;                ///< of the world's model; -1: it holds nothing that moves
    int coordinate;           ///< where its coordinates begin in the world's model
    double value[6], rate[6]; ///< its coordinates after the last step
    er_wrench reaction;       ///< engine_joint_state, of the last step
    bool in_ring;             ///< it and others close a ring
    er_joint_break strength;
} joint;

typedef struct tie {
    engine_tie state; ///< name is its own
    er_tie law;
    int index; ///< of the world; -1: it holds nothing that moves
} tie;

/// Two bodies of one character that pass through each other.
typedef struct apart {
    int actor[2];
} apart;

/// Two actors that touch.
typedef struct contact_pair {
    int actor[2]; ///< ids, the lesser first
    er_vec3 point;
    double impulse;
} contact_pair;

struct engine {
    double *q, *rate; ///< work space: coordinates of the model and their rates
    er_context *context;
    engine_settings settings;
    engine_view view;
    int last_id;
    long steps;
    double since; ///< s: of the time before the step was another
    long counted; ///< steps since then
    engine_material *material;
    int material_count, material_room;
    engine_light light[ENGINE_MOST_LIGHTS];
    int light_count;
    actor *actor; ///< [actor_count], ids ascending
    int actor_count, actor_room;
    joint *joint; ///< [joint_count], ids ascending
    int joint_count, joint_room;
    tie *tie; ///< [tie_count], ids ascending
    int tie_count, tie_room;
    engine_fall_event *fall; ///< in the last step
    int fall_count, fall_room;
    engine_break_event *broken; ///< in the last step
    int broken_count, broken_room;
    engine_character *character; ///< [character_count], ids ascending
    int character_count, character_room;
    apart *apart;
    int apart_count, apart_room;
    er_hull **hull; ///< [hull_count]: of characters of another size than their model's
    int hull_count, hull_room;
    engine_contact *point; ///< [point_count], by actors
    int point_count, point_room;
    contact_pair *contact, *contact_before; ///< of this step and of the one before, ascending
    int contact_count, contact_before_count, contact_room, contact_before_room;
    engine_contact_event *event; ///< that began or ended
    int event_count, event_room;
    bool stale;       ///< the world is not of what is there
    double began;     ///< s: of the last step, or of the one that is taken
    bool steps_now;   ///< within a step: what is led is on its way
    long parts;       ///< equal ones, in which the world took the last step
    er_vec3 weight;   ///< m/s^2: gravity in the last step
    er_wrench *known; ///< [body_count] while reactions are found: what acted on bodies; otherwise NULL
    bool wants_reactions, has_reactions; ///< joints are asked for them; they are those of the last step
    er_model *model;                     ///< NULL where nothing moves
    er_world *world;                     ///< of it
    int *body_actor;                     ///< [body_count], index of the actor
    int *shape_actor;                    ///< [shape_count], id
};

actor *engine_actor_of(engine *e, int id); ///< NULL where it is gone
joint *engine_joint_of(engine *e, int id);
tie *engine_tie_of(engine *e, int id);

/// Mass, centre and inertia of an actor's parts.
/// Errors   ER_ERROR_ARGUMENT
er_result engine_set_mass(engine *e, actor *a, double mass, const er_body *body);

/// Whether surfaces of two materials meet others alike: the world need not be made anew.
static inline bool engine_same_contact_material(const engine_material *a, const engine_material *b)
{
    return a->friction >= b->friction && a->friction <= b->friction && a->rolling >= b->rolling &&
           a->rolling <= b->rolling && a->spinning >= b->spinning && a->spinning <= b->spinning &&
           a->restitution >= b->restitution && a->restitution <= b->restitution &&
           a->grain_friction >= b->grain_friction && a->grain_friction <= b->grain_friction &&
           er_v3_norm(er_v3_sub(a->grain, b->grain)) == 0.0;
}

/// Body axes, of the frame's origin.
static inline er_twist engine_body_twist(const actor *a)
{
    er_quat back = er_q_conj(a->state.pose.q);
    return (er_twist){er_q_rotate(back, a->state.spin), er_q_rotate(back, a->state.velocity)};
}

/// Takes the joints out that tie an actor.
void engine_remove_joints_of(engine *e, int actor);

/// Adds a joint whose frames in its actors are given (engine_joint.own), and not where it stands now.
er_result engine_attach(engine *e, const engine_joint_def *def, const er_pose own[2], int *id);

/// The actor of a side of a joint; NULL for the world.
const actor *engine_joint_side(const engine *e, const joint *j, int side);

/// A joint's frame in the world where all is at home, as a side has it.
er_pose engine_home_frame(const engine *e, const joint *j, int side);

/// The walker that moves a character; NULL: none does.
static inline er_walker *engine_walker_of(const engine_character *c)
{
    return c->walking >= 0 ? c->walker[c->walking] : NULL;
}

/// Takes a character out of the row.   @return it, for engine_free_character()
engine_character engine_take_character(engine *e, int index);
void engine_free_character(engine_character c);

void engine_free_joint(joint *j);
void engine_free_tie(tie *t);
void engine_free_actor(actor *a);

// ---- engine_ties.c

/// Takes the ties out of an actor; of a joint.
void engine_remove_ties_of(engine *e, int actor_id, int joint_id);

/// Writes the ties and their indices in the world that is being made, after joints have theirs.
/// @param out  [tie_count], written
/// @return how many there are
int engine_list_ties(engine *e, er_tie *out);

// ---- engine_breaks.c

/// Reads the lengths and forces of ties, and removes joints and ties that broke in the step.   Errors: ER_ERROR_MEMORY
er_result engine_update_ties(engine *e);

// ---- engine_world.c

/// Makes the world of what is there, in the state in which all stands.
/// Errors   as engine_step()
er_result engine_build_world(engine *e);
void engine_destroy_world(engine *e);

/// Gives the world what was given by hand since it last heard.   Errors: ER_ERROR_MEMORY
er_result engine_update_world(engine *e);

/// Poses and velocities of what moves, as the world has them.
void engine_read_world(engine *e);

/// Coordinates of joints, as the world has them.
void engine_read_coordinates(engine *e);

// ---- engine_walkers.c

/// Creates the first walker of a character that is being added, and places it on the ground.
/// @param pose   [body_count], written: in the scene
/// @param twist  [body_count], written
/// Errors   as engine_add_walker(); ER_ERROR_ARGUMENT (it does not stand upright)
er_result engine_begin_walk(engine *e, const engine_character_def *def, engine_character *c, er_pose *pose,
                            er_twist *twist);
void engine_free_walkers(engine_character *c);

/// The number of parts into which walkers cut a step, >= 1, and of their motors.
int engine_walker_parts(const engine *e);
int engine_walker_motors(const engine *e);

/// Tells walkers where the world that is being made has them, and writes their motors. A walker that lacks a bone or a
/// joint walks no more.
/// @param out  [engine_walker_motors()], written
/// @return how many there are
int engine_bind_walkers(engine *e, er_motor *out);

/// Advances the world by a step, under the control of walkers.
/// Errors   as er_walker_control() and er_world_advance()
er_result engine_advance(engine *e, long *parts);

// ---- engine_reactions.c

/// Finds the reactions of all joints in the last step, unless they are known.
/// Errors   ER_ERROR_MEMORY
er_result engine_find_reactions(engine *e);

// ---- engine_contacts.c

/// Finds what touches now, and what began or ended.   Errors: ER_ERROR_MEMORY
er_result engine_update_contacts(engine *e);

#endif
