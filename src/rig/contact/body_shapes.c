// Collision shapes of a rig's bodies, from its skin or its bones, and which of them overlap.
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "rig/contact/fit.h"

static const double thinnest = 0.005; // of the rig's size: the least thickness

typedef struct maker {
    er_context *context;
    const er_model *model;
    const er_rig *rig;
    er_arena *arena, *scratch;
    eri_buffer bytes;
    er_body_shape *shape; // [count], the bytes
    int count;
} maker;

static er_result add_shape(maker *m, er_body_shape shape)
{
    eri_buffer_add(&m->bytes, &shape, sizeof shape);
    m->shape = (er_body_shape *)(void *)m->bytes.bytes;
    m->count = (int)(m->bytes.size / sizeof shape);
    return m->bytes.failure;
}

// --- skin

// Vertices in metres, and the body of each; -1 for none.
typedef struct vertices {
    int count;
    er_vec3 *at;
    int *body;
} vertices;

// The body with the largest weight of a vertex, the first of equal ones.
static int heaviest_body(const er_rig *rig, const er_instance *instance, int vertex)
{
    const er_mesh *mesh = &rig->scene->mesh[instance->mesh];
    const int *start = mesh->influence_start,
              *joint = instance->skin >= 0 ? rig->scene->skin[instance->skin].joint : NULL;
    int best = -1;
    double most = 0.0;
    if (joint == NULL || start == NULL || start[vertex] == start[vertex + 1]) return rig->node_body[instance->node];
    for (int i = start[vertex]; i < start[vertex + 1]; ++i) {
        int body = rig->node_body[joint[mesh->influence_joint[i]]];
        double weight = 0.0;
        for (int k = start[vertex]; k < start[vertex + 1]; ++k)
            if (rig->node_body[joint[mesh->influence_joint[k]]] == body) weight += (double)mesh->influence_weight[k];
        if (weight > most) most = weight, best = body;
    }
    return best;
}

static er_result append_instance(maker *m, int which, vertices *out)
{
    er_result r = ER_OK;
    const er_rig *rig = m->rig;
    const er_instance *instance = &rig->scene->instance[which];
    int count = rig->scene->mesh[instance->mesh].vertex_count;
    double *position;
    ERI_TRY_NEW(position, m->scratch, double, 3 * (size_t)count);
    er_scene_skin(rig->scene, which, rig->world, position);
    for (int v = 0; v < count; ++v) {
        er_vec3 at = er_v3(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
        out->at[out->count] = er_v3_scale(rig->metres_per_unit, at);
        out->body[out->count++] = er_v3_finite(at) ? heaviest_body(rig, instance, v) : -1;
    }
done:
    return r;
}

// A shape for every body with vertices.
static er_result shapes_of_vertices(maker *m, const vertices *v)
{
    er_result r = ER_OK;
    int *start, bodies = m->model->body_count;
    er_vec3 *point;
    ERI_TRY_NEW(start, m->scratch, int, bodies + 2);
    ERI_TRY_NEW(point, m->scratch, er_vec3, v->count);
    for (int i = 0; i < v->count; ++i)
        if (v->body[i] >= 0) ++start[v->body[i] + 2];
    for (int b = 0; b < bodies; ++b)
        start[b + 2] += start[b + 1];
    for (int i = 0; i < v->count; ++i)
        if (v->body[i] >= 0)
            point[start[v->body[i] + 1]++] = er_pose_point_inverse(m->model->body[v->body[i]].pose, v->at[i]);
    for (int b = 0; b < bodies; ++b) {
        er_body_shape shape;
        if (start[b + 1] == start[b]) continue;
        ERI_TRY(eri_rig_fit(m->context, m->scratch, start[b + 1] - start[b], point + start[b],
                            thinnest * m->model->size, &shape));
        shape.body = b;
        r = add_shape(m, shape);
        if (r != ER_OK) er_hull_destroy((er_hull *)shape.shape.hull);
        ERI_TRY(r);
    }
done:
    return r;
}

static bool is_prop(const er_rig *rig, const er_instance *instance)
{
    return rig->prop[instance->node];
}

// Makes shapes of all instances but props, or of one instance.
static er_result shapes_of_instances(maker *m, int only)
{
    er_result r = ER_OK;
    const er_scene *s = m->rig->scene;
    size_t count = 0;
    vertices all = {0};
    for (int i = 0; i < s->instance_count; ++i)
        if (only < 0 || i == only) count += (size_t)s->mesh[s->instance[i].mesh].vertex_count;
    ERI_TRY_NEW(all.at, m->scratch, er_vec3, count);
    ERI_TRY_NEW(all.body, m->scratch, int, count);
    for (int i = 0; i < s->instance_count; ++i)
        if (i == only || (only < 0 && !is_prop(m->rig, &s->instance[i]))) ERI_TRY(append_instance(m, i, &all));
    ERI_TRY(shapes_of_vertices(m, &all));
done:
    return r;
}

static er_result shapes_of_skin(maker *m)
{
    er_result r = ER_OK;
    const er_scene *s = m->rig->scene;
    ERI_TRY(shapes_of_instances(m, -1));
    for (int i = 0; i < s->instance_count; ++i)
        if (is_prop(m->rig, &s->instance[i])) ERI_TRY(shapes_of_instances(m, i));
done:
    return r;
}

// --- bones

static const double water = 1000.0; // kg/m^3

static er_result shapes_of_bones(maker *m)
{
    er_result r = ER_OK;
    er_bones *bones = NULL;
    ERI_TRY(er_bones_create(m->context, m->model, &bones));
    for (int b = 0; b < m->model->body_count; ++b) {
        const er_body *body = &m->model->body[b];
        er_vec3 head = er_pose_point_inverse(body->pose, bones->head[b]);
        double length = 0.0;
        for (int e = bones->start[b]; e < bones->start[b + 1]; ++e)
            length += er_v3_distance(bones->head[b], bones->end[e]);
        double radius = sqrt(body->mass / (water * ER_PI * length));
        for (int e = bones->start[b]; e < bones->start[b + 1]; ++e) {
            er_body_shape shape = eri_rig_capsule(head, er_pose_point_inverse(body->pose, bones->end[e]), radius);
            shape.body = b;
            if (shape.shape.radius > 0.0) ERI_TRY(add_shape(m, shape));
        }
    }
done:
    er_bones_destroy(bones);
    return r;
}

// --- overlaps

static bool are_tied(const er_model *model, int a, int b)
{
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if ((j->parent == a && j->child == b) || (j->parent == b && j->child == a)) return true;
    }
    return false;
}

static bool overlap(const er_body_shape *a, er_pose at_a, const er_body_shape *b, er_pose at_b)
{
    er_manifold_point touch[ER_MANIFOLD_MAX];
    int count = er_shape_manifold(&a->shape, at_a, &b->shape, at_b, 0.0, NULL, touch);
    for (int k = 0; k < count; ++k)
        if (touch[k].distance < 0.0) return true;
    return false;
}

static int by_bodies(const void *first, const void *second)
{
    const er_body_pair *p = first, *q = second;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static int without_repeats(er_body_pair *pair, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (kept == 0 || by_bodies(&pair[i], &pair[kept - 1]) != 0) pair[kept++] = pair[i];
    return kept;
}

static er_result find_overlaps(maker *m, er_rig_shapes *out)
{
    er_result r = ER_OK;
    er_sweep *sweep = NULL;
    const er_sweep_pair *near;
    er_pose *place;
    er_vec3 *low, *high;
    er_body_pair *pair;
    int near_count, count = 0;
    ERI_TRY_NEW(place, m->scratch, er_pose, m->count);
    ERI_TRY_NEW(low, m->scratch, er_vec3, m->count);
    ERI_TRY_NEW(high, m->scratch, er_vec3, m->count);
    for (int i = 0; i < m->count; ++i) {
        place[i] = er_pose_mul(m->model->body[m->shape[i].body].pose, m->shape[i].pose);
        er_shape_box(&m->shape[i].shape, place[i], &low[i], &high[i]);
    }
    ERI_TRY(er_sweep_create(m->context, m->count, &sweep));
    ERI_TRY(er_sweep_update(sweep, low, high, 0.0, &near, &near_count));
    ERI_TRY_NEW(pair, m->arena, er_body_pair, near_count);
    for (int k = 0; k < near_count; ++k) {
        const er_body_shape *a = &m->shape[near[k].a], *b = &m->shape[near[k].b];
        if (a->body == b->body || are_tied(m->model, a->body, b->body)) continue;
        if (!overlap(a, place[near[k].a], b, place[near[k].b])) continue;
        bool first = a->body < b->body;
        pair[count++] = (er_body_pair){first ? a->body : b->body, first ? b->body : a->body};
    }
    qsort(pair, (size_t)count, sizeof *pair, by_bodies);
    out->pair_count = without_repeats(pair, count);
    out->pair = pair;
done:
    er_sweep_destroy(sweep);
    return r;
}

// ---

er_result er_rig_shapes_create(er_context *context, const er_model *model, const er_rig *rig, er_rig_shapes **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_rig_shapes_create needs a model");
    er_result r = ER_OK;
    er_rig_shapes *shapes = NULL;
    maker m = {.context = context, .model = model, .rig = rig};
    ERI_TRY(eri_arena_create(context, &m.arena));
    ERI_TRY(eri_arena_create(context, &m.scratch));
    ERI_TRY_NEW(shapes, m.arena, er_rig_shapes, 1);
    shapes->arena = m.bytes.arena = m.arena;
    ERI_TRY(rig != NULL && rig->scene->instance_count > 0 ? shapes_of_skin(&m) : ER_OK);
    if (m.count == 0) ERI_TRY(shapes_of_bones(&m));
    ERI_TRY(find_overlaps(&m, shapes));
    shapes->shape = m.shape;
    shapes->count = m.count;
    *out = shapes;
    m.arena = NULL;
done:
    eri_arena_destroy(m.scratch);
    if (m.arena != NULL) er_rig_shapes_destroy(&(er_rig_shapes){.count = m.count, .shape = m.shape, .arena = m.arena});
    return r;
}

void er_rig_shapes_destroy(er_rig_shapes *shapes)
{
    if (shapes == NULL) return;
    er_arena *arena = shapes->arena;
    for (int i = 0; i < shapes->count; ++i)
        er_hull_destroy((er_hull *)shapes->shape[i].shape.hull);
    eri_arena_destroy(arena);
}

double er_rig_shapes_lowest(const er_rig_shapes *shapes, const er_pose *pose, er_vec3 up)
{
    const er_pose upright = {er_q_upright(up), {0, 0, 0}};
    double lowest = shapes->count > 0 ? HUGE_VAL : 0.0;
    for (int i = 0; i < shapes->count; ++i) {
        const er_body_shape *s = &shapes->shape[i];
        er_vec3 low, high;
        er_shape_box(&s->shape, er_pose_mul(upright, er_pose_mul(pose[s->body], s->pose)), &low, &high);
        lowest = fmin(lowest, low.y);
    }
    return lowest;
}
