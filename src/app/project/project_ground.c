// Collision shapes of a simulated model, and the ground below its lowest point.
#include "app/project/project_ground.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/failure.h"

enum { OWN_PARTS = 1 }; // the group of a model's bodies

#define FRICTION 0.8
#define STEP (1.0 / 240.0) // s: at 60 Hz a foot that turns at 10 rad/s would sink 5 cm into the floor in a step
#define PERSON 1.8         // m
#define SLEEP 0.5          // s
#define STIFFNESS 60.0     // Hz, twice that of limbs: at 15 Hz a trunk that lies on its fingers sinks into the floor

project_ground_def project_default_ground_def(void)
{
    return (project_ground_def){.friction = FRICTION, .sleep = SLEEP};
}

double project_fall_scale(double size)
{
    return sqrt(size / PERSON);
}

bool project_has_floor(const project_ground_def *def)
{
    return def->floor || (def->drop > 0.0 && def->statics == NULL);
}

bool project_has_contacts(const project_ground_def *def)
{
    return project_has_floor(def) || def->statics != NULL || def->self_collision;
}

er_result project_ground_check(er_context *context, const er_model *model, bool holds, const project_ground_def *def)
{
    if (!(def->drop > 0.0)) return ER_OK;
    if (holds) return er_fail(context, ER_ERROR_ARGUMENT, "held bodies do not fall; leave out the drop or the holding");
    for (int k = 0; k < model->joint_count; ++k)
        if (model->joint[k].parent < 0 && model->joint[k].type != ER_JOINT_FREE)
            return er_fail(context, ER_ERROR_ARGUMENT, "joint %d \"%s\" ties the model to the world, so it cannot fall",
                           k, model->joint[k].name);
    return ER_OK;
}

static void tell_shapes(const project_listener *listener, const er_rig_shapes *s, bool own)
{
    int hulls = 0;
    for (int i = 0; i < s->count; ++i)
        hulls += s->shape[i].shape.kind == ER_SHAPE_HULL;
    project_notify(listener, ER_NOTE_FACT, "bodies meet others as %d capsules and balls and %d hulls", s->count - hulls,
                   hulls);
    if (own && s->pair_count > 0)
        project_notify(listener, ER_NOTE_FACT,
                       "%d pairs of bodies that no joint ties overlap at equilibrium, and pass through each other",
                       s->pair_count);
}

// --- the static scene

// All triangles of a scene, in the model's axes.
typedef struct soup {
    int vertex_count, triangle_count;
    er_vec3 *vertex;
    int *index;
} soup;

static void append_mesh(const er_scene *scene, int which, const er_affine *world, er_quat turn, double *position,
                        soup *out)
{
    const er_mesh *mesh = &scene->mesh[scene->instance[which].mesh];
    er_scene_skin(scene, which, world, position);
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
        out->index[3 * out->triangle_count + i] = out->vertex_count + mesh->index[i];
    for (int v = 0; v < mesh->vertex_count; ++v) {
        er_vec3 at = er_v3(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
        out->vertex[out->vertex_count++] = er_q_rotate(turn, er_v3_scale(scene->metres_per_unit, at));
    }
    out->triangle_count += mesh->triangle_count;
}

static er_result surface_of_scene(er_context *context, const er_scene *scene, er_quat turn, er_surface **out)
{
    soup all = {0};
    size_t nodes = (size_t)scene->node_count, vertices = 0, triangles = 0;
    for (int i = 0; i < scene->instance_count; ++i) {
        vertices += (size_t)scene->mesh[scene->instance[i].mesh].vertex_count;
        triangles += (size_t)scene->mesh[scene->instance[i].mesh].triangle_count;
    }
    if (triangles == 0 || vertices > INT_MAX || triangles > INT_MAX / 3)
        return er_fail(context, ER_ERROR_FORMAT, "%s: has %zu triangles, which is none or too many for a ground",
                       scene->path, triangles);
    er_affine *local = calloc(nodes, sizeof *local), *world = calloc(nodes, sizeof *world);
    double *position = calloc(3 * vertices, sizeof *position);
    all.vertex = calloc(vertices, sizeof *all.vertex);
    all.index = calloc(3 * triangles, sizeof *all.index);
    bool room = local != NULL && world != NULL && position != NULL && all.vertex != NULL && all.index != NULL;
    er_result r = room ? ER_OK : eri_no_memory(context);
    if (room) {
        er_scene_sample(scene, NULL, 0.0, local);
        er_scene_world(scene, local, world);
        for (int i = 0; i < scene->instance_count; ++i)
            append_mesh(scene, i, world, turn, position, &all);
        r = er_surface_create(context, all.vertex_count, all.vertex, all.triangle_count, all.index, out);
    }
    free(all.index);
    free(all.vertex);
    free(position);
    free(world);
    free(local);
    return r;
}

static er_result read_statics(er_context *context, const char *path, project_ground *out)
{
    er_result r = er_import_file(context, path, NULL, &out->scene);
    if (r != ER_OK) return r;
    er_quat stand = er_q_upright(er_v3_unit(out->scene->up, er_v3(0, 1, 0)));
    out->turn = er_q_mul(er_q_conj(er_q_upright(out->up)), stand);
    return surface_of_scene(context, out->scene, out->turn, &out->statics);
}

er_result project_read_surface(er_context *context, const char *path, er_vec3 up, er_surface **out)
{
    project_ground read = {.up = up};
    er_result r = read_statics(context, path, &read);
    if (r == ER_OK) *out = read.statics;
    er_scene_destroy(read.scene);
    return r;
}

// ---

er_result project_ground_create(er_context *context, const er_model *model, const er_rig *rig,
                                const project_ground_def *def, const er_pose *pose, er_vec3 up,
                                const project_listener *listener, project_ground *out)
{
    *out = (project_ground){.up = up};
    er_result r = er_rig_shapes_create(context, model, rig, &out->bodies);
    if (r != ER_OK) return r;
    if (out->bodies->count == 0)
        return er_fail(context, ER_ERROR_RIG, "no body of the rig has a shape that could touch anything");
    tell_shapes(listener, out->bodies, def->self_collision);
    out->floor = er_rig_shapes_lowest(out->bodies, pose, up);
    out->shape = calloc((size_t)out->bodies->count + 2, sizeof *out->shape);
    if (out->shape == NULL) return eri_no_memory(context);
    return def->statics != NULL ? read_statics(context, def->statics, out) : ER_OK;
}

// A shape of the world, at its origin.
static er_world_shape *add_shape(project_ground *ground, const project_ground_def *def, const char *name,
                                 er_shape shape)
{
    er_world_shape *out = &ground->shape[ground->shape_count++];
    *out = er_default_world_shape();
    out->name = name;
    out->shape = shape;
    out->restitution = def->restitution;
    out->friction = def->friction;
    return out;
}

static void add_bodies(project_ground *ground, const project_ground_def *def, const er_model *model)
{
    for (int i = 0; i < ground->bodies->count; ++i) {
        const er_body_shape *b = &ground->bodies->shape[i];
        er_world_shape *shape = add_shape(ground, def, model->body[b->body].name, b->shape);
        shape->body = b->body;
        shape->pose = b->pose;
        shape->groups = OWN_PARTS;
        shape->ignores = def->self_collision ? 0 : OWN_PARTS;
    }
}

// A plane whose solid side is below.
static void add_floor(project_ground *ground, const project_ground_def *def)
{
    er_quat stand = er_q_mul(er_q_conj(er_q_upright(ground->up)), er_q_exp(er_v3(-0.5 * ER_PI, 0, 0))); // +Z to +Y, up
    er_world_shape *floor = add_shape(ground, def, "ground", (er_shape){.kind = ER_SHAPE_PLANE});
    floor->pose = (er_pose){stand, er_v3_scale(ground->floor, ground->up)};
}

void project_ground_apply(project_ground *ground, const project_ground_def *def, er_world_def *world)
{
    ground->shape_count = 0;
    add_bodies(ground, def, world->model);
    if (project_has_floor(def)) add_floor(ground, def);
    if (ground->statics != NULL)
        add_shape(ground, def, "static", (er_shape){.kind = ER_SHAPE_MESH, .surface = ground->statics});
    world->shape_count = ground->shape_count;
    world->shape = ground->shape;
    if (def->self_collision) {
        world->apart_count = ground->bodies->pair_count;
        world->apart = ground->bodies->pair;
    }
    world->integrator = ER_INTEGRATE_CONTACT;
    world->max_step = STEP;
    world->contact.frequency = STIFFNESS;
    world->contact.sleep_time = def->sleep * project_fall_scale(world->model->size);
    world->contact.sleep_speed *= project_fall_scale(world->model->size);
    world->enforce_limits = true;
}

void project_ground_clear(project_ground *ground)
{
    er_rig_shapes_destroy(ground->bodies);
    er_surface_destroy(ground->statics);
    er_scene_destroy(ground->scene);
    free(ground->shape);
    *ground = (project_ground){0};
}
