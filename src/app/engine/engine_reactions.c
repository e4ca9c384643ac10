// Reactions of joints: the forces and torques that they exerted on their actors in the last step.
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

/// Work space of one call.
typedef struct room {
    er_pose *pose;
    er_twist *twist, *rate;
    er_wrench *known, *residual; ///< [body_count]
    er_wrench *tree, *ring;      ///< [joint_count], reactions as the motion needs them, and as the laws give them
    double *number;              ///< [3 coordinate_count]
} room;

static void free_room(room *r)
{
    free(r->pose);
    free(r->twist);
    free(r->rate);
    free(r->known);
    free(r->residual);
    free(r->tree);
    free(r->ring);
    free(r->number);
}

static bool make_room(const er_model *m, room *r)
{
    size_t bodies = (size_t)m->body_count + 1, joints = (size_t)m->joint_count + 1;
    r->pose = calloc(bodies, sizeof *r->pose);
    r->twist = calloc(bodies, sizeof *r->twist);
    r->rate = calloc(bodies, sizeof *r->rate);
    r->known = calloc(bodies, sizeof *r->known);
    r->residual = calloc(bodies, sizeof *r->residual);
    r->tree = calloc(joints, sizeof *r->tree);
    r->ring = calloc(joints, sizeof *r->ring);
    r->number = calloc(3 * (size_t)m->coordinate_count + 1, sizeof *r->number);
    return r->pose != NULL && r->twist != NULL && r->rate != NULL && r->known != NULL && r->residual != NULL &&
           r->tree != NULL && r->ring != NULL && r->number != NULL;
}

// ---- The motion, and the forces that are known

// Half way through the step, where mean forces act.
static void measure_bodies(const engine *e, room *r)
{
    double rate = 1.0 / e->settings.step;
    for (int b = 0; b < e->model->body_count; ++b) {
        const actor *a = &e->actor[e->body_actor[b]];
        er_twist now = engine_body_twist(a);
        r->pose[b] = engine_interpolate(&a->state, 0.5);
        r->twist[b].angular = er_v3_scale(0.5, er_v3_add(now.angular, a->twist_before.angular));
        r->twist[b].linear = er_v3_scale(0.5, er_v3_add(now.linear, a->twist_before.linear));
        r->rate[b].angular = er_v3_scale(rate, er_v3_sub(now.angular, a->twist_before.angular));
        r->rate[b].linear = er_v3_scale(rate, er_v3_sub(now.linear, a->twist_before.linear));
        r->known[b] = a->acted;
    }
}

static void add_contact(engine *e, room *r, int id, er_vec3 point, er_vec3 force)
{
    const actor *a = engine_actor_of(e, id);
    if (a == NULL || a->body < 0) return;
    er_wrench *w = &r->known[a->body];
    er_vec3 arm = er_v3_sub(point, er_pose_point(r->pose[a->body], a->state.centre));
    w->force = er_v3_add(w->force, force);
    w->torque = er_v3_add(w->torque, er_v3_cross(arm, force));
}

static void add_contacts(engine *e, room *r)
{
    for (int i = 0; i < e->point_count; ++i) {
        const engine_contact *c = &e->point[i];
        add_contact(e, r, c->actor[0], c->point, er_v3_scale(-1.0, c->force));
        add_contact(e, r, c->actor[1], c->point, c->force);
    }
}

// ---- Reactions

// Trees: the forces that the motion needs, less those that are known. This holds for all that joints do.
static er_result find_in_trees(engine *e, room *r)
{
    int coordinates = e->model->coordinate_count;
    er_inverse_def def = er_default_inverse_def();
    er_inverse *inverse = NULL;
    def.model = e->model;
    def.gravity = e->weight;
    er_inverse_frame frame = {.pose = r->pose,
                              .twist = r->twist,
                              .rate = r->rate,
                              .applied = r->known,
                              .joint = r->tree,
                              .force = r->number,
                              .passive = r->number + coordinates,
                              .power = r->number + 2 * coordinates,
                              .residual = r->residual};
    er_result result = er_inverse_create(e->context, &def, &inverse);
    if (result == ER_OK) result = er_inverse_solve(inverse, &frame);
    er_inverse_destroy(inverse);
    return result;
}

// Rings: motion alone does not tell how their joints share a load, so springs and motors act by their laws.
static er_result find_in_rings(engine *e, room *r)
{
    bool any = false;
    for (int i = 0; i < e->joint_count; ++i)
        any = any || e->joint[i].in_ring;
    if (!any) return ER_OK;
    e->known = r->known;
    er_result result = er_world_accelerations(e->world, e->settings.reference ? ER_ROUTE_MULTIPLIERS : ER_ROUTE_REDUCED,
                                              NULL, r->ring);
    e->known = NULL;
    return result;
}

static void keep(engine *e, const room *r)
{
    for (int i = 0; i < e->joint_count; ++i) {
        joint *j = &e->joint[i];
        j->reaction = (er_wrench){{0, 0, 0}, {0, 0, 0}};
        if (j->index < 0) continue;
        j->reaction = j->in_ring ? r->ring[j->index] : r->tree[j->index];
    }
}

er_result engine_find_reactions(engine *e)
{
    room r = {0};
    e->wants_reactions = true;
    if (e->has_reactions || e->stale || e->world == NULL || e->steps == 0) return ER_OK;
    er_result result = make_room(e->model, &r) ? ER_OK : eri_no_memory_for(e->context, "the reactions of joints");
    if (result == ER_OK) {
        measure_bodies(e, &r);
        add_contacts(e, &r);
        result = find_in_trees(e, &r);
    }
    if (result == ER_OK) result = find_in_rings(e, &r);
    if (result == ER_OK) keep(e, &r);
    free_room(&r);
    e->has_reactions = result == ER_OK;
    return result;
}
