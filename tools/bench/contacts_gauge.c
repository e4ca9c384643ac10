// Measures a scene by poses alone: how deep shapes overlap, how far joints stand apart.
#include <math.h>
#include <stdlib.h>

#include "tools/bench/contacts.h"

struct bench_gauge {
    const bench_contact_scene *scene;
    er_sweep *sweep; // of shapes that are not planes
    int *solid;      // [solid_count], their indices
    int solid_count;
    er_vec3 *low, *high;  // [solid_count]
    er_vec3 (*anchor)[2]; // [joint_count], of parent and child, body frames
};

bench_gauge *bench_gauge_create(er_context *context, const bench_contact_scene *scene)
{
    const er_model *m = scene->model;
    size_t n = (size_t)scene->shape_count + 1;
    bench_gauge *g = calloc(1, sizeof *g);
    if (g == NULL) return NULL;
    g->scene = scene;
    g->solid = calloc(n, sizeof *g->solid);
    g->low = calloc(n, sizeof *g->low);
    g->high = calloc(n, sizeof *g->high);
    g->anchor = calloc((size_t)m->joint_count + 1, sizeof *g->anchor);
    bool held = g->solid != NULL && g->low != NULL && g->high != NULL && g->anchor != NULL;
    for (int s = 0; held && s < scene->shape_count; ++s)
        if (scene->shape[s].shape.kind != ER_SHAPE_PLANE) g->solid[g->solid_count++] = s;
    for (int k = 0; held && k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        const int side[2] = {j->parent, j->child};
        for (int i = 0; i < 2; ++i)
            g->anchor[k][i] =
                side[i] < 0 ? j->frame.p : er_pose_point(er_pose_inverse(m->body[side[i]].pose), j->frame.p);
    }
    if (held && er_sweep_create(context, g->solid_count, &g->sweep) == ER_OK) return g;
    bench_gauge_destroy(g);
    return NULL;
}

void bench_gauge_destroy(bench_gauge *g)
{
    if (g == NULL) return;
    er_sweep_destroy(g->sweep);
    free(g->solid);
    free(g->low);
    free(g->high);
    free(g->anchor);
    free(g);
}

static er_pose place(const er_world_shape *s, const er_pose *pose)
{
    return s->body < 0 ? s->pose : er_pose_mul(pose[s->body], s->pose);
}

static double overlap(const er_world_shape *a, const er_world_shape *b, const er_pose *pose)
{
    er_closest closest;
    if (bench_shapes_pass(a, b)) return 0.0;
    er_shape_closest(&a->shape, place(a, pose), &b->shape, place(b, pose), NULL, &closest);
    return -closest.distance;
}

static double widest_joint(const bench_gauge *g, const er_pose *pose)
{
    const er_model *m = g->scene->model;
    double most = 0.0;
    for (int k = 0; k < m->joint_count; ++k) {
        const int side[2] = {m->joint[k].parent, m->joint[k].child};
        er_vec3 at[2];
        for (int i = 0; i < 2; ++i)
            at[i] = side[i] < 0 ? g->anchor[k][i] : er_pose_point(pose[side[i]], g->anchor[k][i]);
        most = fmax(most, er_v3_distance(at[0], at[1]));
    }
    return most;
}

er_result bench_gauge_read(bench_gauge *g, const er_pose *pose, double *penetration, double *separation)
{
    const er_world_shape *shape = g->scene->shape;
    const er_sweep_pair *pair;
    int pairs;
    double most = 0.0;
    for (int i = 0; i < g->solid_count; ++i)
        er_shape_box(&shape[g->solid[i]].shape, place(&shape[g->solid[i]], pose), &g->low[i], &g->high[i]);
    er_result r = er_sweep_update(g->sweep, g->low, g->high, 0.0, &pair, &pairs);
    if (r != ER_OK) return r;
    for (int i = 0; i < pairs; ++i)
        most = fmax(most, overlap(&shape[g->solid[pair[i].a]], &shape[g->solid[pair[i].b]], pose));
    for (int p = 0; p < g->scene->shape_count; ++p)
        for (int i = 0; shape[p].shape.kind == ER_SHAPE_PLANE && i < g->solid_count; ++i)
            most = fmax(most, overlap(&shape[p], &shape[g->solid[i]], pose));
    *penetration = most;
    *separation = widest_joint(g, pose);
    return ER_OK;
}
