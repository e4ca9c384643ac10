// Some thousand vertices of posed meshes, or the ends of bones, as points of the world.
#include "viewer/render/outline.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 4000 }; // of a pose, about

static er_vec3 *add_points(er_context *context, outline *o, size_t count)
{
    if (o->count + count > o->room) {
        size_t room = 2 * (o->count + count);
        er_vec3 *grown = realloc(o->point, room * sizeof *grown);
        if (grown == NULL) {
            er_fail(context, ER_ERROR_MEMORY, "no memory for a model's outline");
            return NULL;
        }
        o->point = grown;
        o->room = room;
    }
    o->count += count;
    return o->point + o->count - count;
}

// World transforms of all nodes, file units.
static void move_nodes(const render_subject *s, const er_pose *pose, er_affine *world)
{
    const er_recording_target *t = s->target;
    for (int i = 0; i < t->scene->node_count; ++i) {
        int b = t->node_body[i];
        world[i] = t->world[i];
        if (b < 0) continue;
        er_pose moved = er_pose_displacement(s->model->body[b].pose, pose[b]);
        er_mat3 turn = er_m3_from_q(moved.q);
        world[i].linear = er_m3_mul(turn, world[i].linear);
        world[i].translation = er_v3_madd(er_m3_mul_v(turn, world[i].translation), 1.0 / t->metres_per_unit, moved.p);
    }
}

// Whether an instance counts: scenery does only if there is nothing else.
static bool counts(const er_recording_target *t, int i)
{
    bool any = false;
    for (int k = 0; k < t->scene->instance_count; ++k)
        any |= er_recording_moves(t, k);
    return !any || er_recording_moves(t, i);
}

static size_t vertex_count(const er_recording_target *t, size_t *largest)
{
    const er_scene *scene = t->scene;
    size_t sum = 0;
    *largest = 0;
    for (int i = 0; i < scene->instance_count; ++i) {
        if (!counts(t, i)) continue;
        size_t count = (size_t)scene->mesh[scene->instance[i].mesh].vertex_count;
        sum += count;
        if (count > *largest) *largest = count;
    }
    return sum;
}

er_result outline_add_meshes(er_context *context, const render_subject *subject, const er_pose *pose, outline *o)
{
    const er_scene *scene = subject->target->scene;
    double unit = subject->target->metres_per_unit;
    size_t largest, step = vertex_count(subject->target, &largest) / POINTS + 1;
    er_affine *world = malloc((size_t)scene->node_count * sizeof *world);
    double *position = malloc(3 * (largest + 1) * sizeof *position);
    er_result r = world != NULL && position != NULL
                      ? ER_OK
                      : er_fail(context, ER_ERROR_MEMORY, "no memory for a model's outline");
    if (r == ER_OK) move_nodes(subject, pose, world);
    for (int i = 0; i < scene->instance_count && r == ER_OK; ++i) {
        if (!counts(subject->target, i)) continue;
        size_t count = (size_t)scene->mesh[scene->instance[i].mesh].vertex_count;
        er_vec3 *to = add_points(context, o, (count + step - 1) / step);
        if (to == NULL) {
            r = ER_ERROR_MEMORY;
            break;
        }
        er_scene_skin(scene, i, world, position);
        for (size_t k = 0; k < count; k += step)
            *to++ = er_v3_scale(unit, er_v3(position[3 * k], position[3 * k + 1], position[3 * k + 2]));
    }
    free(world);
    free(position);
    return r;
}

er_result outline_add_bones(er_context *context, const draw_model *drawn, int body_count, const er_pose *pose,
                            outline *o)
{
    er_vec3 *to = add_points(context, o, 2 * (size_t)body_count);
    if (to == NULL) return ER_ERROR_MEMORY;
    draw_bones(drawn, pose, to, to + body_count);
    return ER_OK;
}

void outline_widen(const er_vec3 axis[3], er_vec3 point, er_vec3 *low, er_vec3 *high)
{
    er_vec3 x = er_v3(er_v3_dot(point, axis[0]), er_v3_dot(point, axis[1]), er_v3_dot(point, axis[2]));
    *low = er_v3(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
    *high = er_v3(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
}
