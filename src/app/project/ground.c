// What a model meets in a simulation: shapes of its bodies, and the ground below the lowest of them.
#include "app/project/ground.h"

#include <stdlib.h>

#include "base/failure.h"

enum { OWN_PARTS = 1 }; // the group of a model's bodies

#define FRICTION 0.8
#define STEP (1.0 / 240.0) // s: at 60 Hz a foot that turns at 10 rad/s would go through 5 cm of floor in a step

bool project_meets(const project_simulation_def *def)
{
    return def->ground || def->drop > 0.0 || def->self_collision;
}

static er_world_shape solid(const project_simulation_def *def, const char *name, er_shape shape, int body, er_pose pose)
{
    return (er_world_shape){.name = name,
                            .shape = shape,
                            .body = body,
                            .pose = pose,
                            .restitution = def->restitution,
                            .friction = def->friction >= 0.0 ? def->friction : FRICTION};
}

static void tell_shapes(const project_listener *listener, const er_rig_shapes *s, bool own)
{
    int hulls = 0;
    for (int i = 0; i < s->count; ++i)
        hulls += s->shape[i].shape.kind == ER_SHAPE_HULL;
    project_tell(listener, ER_NOTE_FACT, "bodies meet others as %d capsules and balls and %d hulls", s->count - hulls,
                 hulls);
    if (own && s->pair_count > 0)
        project_tell(listener, ER_NOTE_FACT,
                     "%d pairs of bodies that no joint ties overlap at equilibrium, and pass through each other",
                     s->pair_count);
}

// A plane whose solid side is below.
static er_world_shape plane(const project_simulation_def *def, er_vec3 up, double height)
{
    er_quat stand = er_q_mul(er_q_conj(er_q_upright(up)), er_q_exp(er_v3(-0.5 * ER_PI, 0, 0))); // +Z to +Y to up
    return solid(def, "ground", (er_shape){.kind = ER_SHAPE_PLANE}, -1, (er_pose){stand, er_v3_scale(height, up)});
}

er_result project_ground_make(er_context *context, const er_model *model, const er_rig *rig,
                              const project_simulation_def *def, const er_pose *pose, er_vec3 up,
                              const project_listener *listener, project_ground *out)
{
    *out = (project_ground){0};
    er_result r = er_rig_shapes_create(context, model, rig, &out->bodies);
    if (r != ER_OK) return r;
    const er_rig_shapes *s = out->bodies;
    if (s->count == 0) return er_fail(context, ER_ERROR_RIG, "no body of the rig has a shape that could meet anything");
    tell_shapes(listener, s, def->self_collision);
    out->shape = calloc((size_t)s->count + 1, sizeof *out->shape);
    if (out->shape == NULL) return er_no_memory(context);
    for (int i = 0; i < s->count; ++i) {
        const er_body_shape *b = &s->shape[i];
        er_world_shape *shape = &out->shape[out->shape_count++];
        *shape = solid(def, model->body[b->body].name, b->shape, b->body, b->pose);
        shape->groups = OWN_PARTS;
        shape->ignores = def->self_collision ? 0 : OWN_PARTS;
    }
    if (def->ground || def->drop > 0.0)
        out->shape[out->shape_count++] = plane(def, up, er_rig_shapes_lowest(s, pose, up));
    return ER_OK;
}

void project_ground_give(const project_ground *ground, const project_simulation_def *def, er_world_def *world)
{
    world->shape_count = ground->shape_count;
    world->shape = ground->shape;
    if (def->self_collision) {
        world->apart_count = ground->bodies->pair_count;
        world->apart = ground->bodies->pair;
    }
    world->integrator = ER_INTEGRATE_CONTACT;
    world->max_step = STEP;
    world->enforce_limits = true;
}

void project_ground_clear(project_ground *ground)
{
    er_rig_shapes_destroy(ground->bodies);
    free(ground->shape);
    *ground = (project_ground){0};
}
