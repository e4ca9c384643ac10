// How far modes pull the skin apart, relative to the rotation of one neighbour.
#include <eigenrig/motion.h>

#include <string.h>

#include "base/arena.h"

static const double least_weight = 0.1; // of an edge: bodies with less weight are ignored
static const double least_reach = 0.01; // of the rig's size
enum { MOST_BODIES = 16 };              // of an edge

typedef struct tearing {
    const er_model *model;
    const er_recording_target *target;
    double *rest, *moved; // [3 x the most vertices], file units
    er_affine *world;     // [node_count], of the moved pose
    er_pose *pose;
    double degrees;
    er_tear *out;
} tearing;

static er_vec3 vertex(const double *position, int v)
{
    return er_v3(position[3 * (size_t)v], position[3 * (size_t)v + 1], position[3 * (size_t)v + 2]);
}

// --- bodies of an edge

typedef struct share {
    int body;
    double weight[2];
} share;

static int add_shares(const tearing *t, const er_instance *instance, int v, int end, share *shares, int count)
{
    const er_mesh *mesh = &t->target->scene->mesh[instance->mesh];
    const er_skin *skin = &t->target->scene->skin[instance->skin];
    for (int k = mesh->influence_start[v]; k < mesh->influence_start[v + 1]; ++k) {
        int body = t->target->node_body[skin->joint[mesh->influence_joint[k]]], at = 0;
        if (body < 0) continue;
        while (at < count && shares[at].body != body)
            ++at;
        if (at == MOST_BODIES) continue;
        if (at == count) shares[count++] = (share){.body = body};
        shares[at].weight[end] += (double)mesh->influence_weight[k];
    }
    return count;
}

static int heaviest(const share *shares, int count, int end)
{
    int best = 0;
    for (int i = 1; i < count; ++i)
        if (shares[i].weight[end] > shares[best].weight[end]) best = i;
    return shares[best].body;
}

// The distance from the nearest joint of an edge's bodies to its farther end, m.
static double reach_of(const tearing *t, const share *shares, int count, er_vec3 u, er_vec3 v)
{
    const er_model *m = t->model;
    double unit = t->target->metres_per_unit, reach = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        int joint = m->tree_joint[shares[i].body];
        if (joint < 0 || m->joint[joint].parent < 0 || shares[i].weight[0] + shares[i].weight[1] < least_weight)
            continue;
        er_vec3 c = er_v3_scale(1.0 / unit, m->joint[joint].frame.p);
        reach = fmin(reach, unit * fmax(er_v3_distance(u, c), er_v3_distance(v, c)));
    }
    return fmax(reach < HUGE_VAL ? reach : m->size, least_reach * m->size);
}

// --- edges

static void look_at_edge(tearing *t, const er_instance *instance, int mode, int a, int b)
{
    er_vec3 u = vertex(t->rest, a), v = vertex(t->rest, b);
    double unit = t->target->metres_per_unit;
    double stretch = unit * (er_v3_distance(vertex(t->moved, a), vertex(t->moved, b)) - er_v3_distance(u, v));
    double turn = 2.0 * sin(0.5 * t->degrees * ER_PI / 180.0);
    if (!(stretch > t->out->torn * turn * least_reach * t->model->size)) return; // whatever its reach is
    share shares[MOST_BODIES];
    int count = add_shares(t, instance, a, 0, shares, 0);
    count = add_shares(t, instance, b, 1, shares, count);
    if (count < 2) return; // rounding
    double reach = reach_of(t, shares, count, u, v);
    if (!(stretch > t->out->torn * turn * reach)) return;
    *t->out =
        (er_tear){stretch / (turn * reach), stretch, mode, {heaviest(shares, count, 0), heaviest(shares, count, 1)}};
}

static void move_nodes(tearing *t)
{
    const er_recording_target *target = t->target;
    for (int i = 0; i < target->scene->node_count; ++i) {
        int body = target->node_body[i];
        t->world[i] = target->world[i];
        if (body < 0) continue;
        er_pose moved = er_pose_displacement(t->model->body[body].pose, t->pose[body]);
        moved.p = er_v3_scale(1.0 / target->metres_per_unit, moved.p);
        t->world[i] = er_affine_mul(er_affine_from_pose(moved), target->world[i]);
    }
}

static void look_at_pose(tearing *t, int mode)
{
    const er_scene *s = t->target->scene;
    move_nodes(t);
    for (int i = 0; i < s->instance_count; ++i) {
        const er_mesh *mesh = &s->mesh[s->instance[i].mesh];
        if (s->instance[i].skin < 0 || mesh->influence_start == NULL) continue;
        er_scene_skin(s, i, t->target->world, t->rest);
        er_scene_skin(s, i, t->world, t->moved);
        for (int k = 0; k < 3 * mesh->triangle_count; k += 3)
            for (int c = 0; c < 3; ++c)
                look_at_edge(t, &s->instance[i], mode, mesh->index[k + c], mesh->index[k + (c + 1) % 3]);
    }
}

static er_result swing(tearing *t, er_kinematics *kinematics, const er_mode *mode, int index, double *x)
{
    double factor = er_mode_amplitude(t->model, mode, t->degrees);
    for (int side = -1; side <= 1; side += 2) {
        er_kinematics_mode(kinematics, mode, x);
        for (int i = 0; i < er_kinematics_width(kinematics); ++i)
            x[i] *= side * factor;
        er_result r = er_kinematics_pose(kinematics, x, t->pose);
        if (r == ER_ERROR_NO_CONVERGENCE) continue;
        if (r != ER_OK) return r;
        look_at_pose(t, index);
    }
    return ER_OK;
}

static size_t most_vertices(const er_scene *s)
{
    int most = 0;
    for (int i = 0; i < s->mesh_count; ++i)
        most = s->mesh[i].vertex_count > most ? s->mesh[i].vertex_count : most;
    return (size_t)most;
}

er_result er_modes_tear(er_context *context, const er_model *model, const er_modes *modes,
                        const er_recording_target *target, int count, double degrees, er_tear *out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = (er_tear){.mode = -1, .body = {-1, -1}};
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || target == NULL || target->scene == NULL || target->node_body == NULL ||
        target->world == NULL || !(target->metres_per_unit > 0.0))
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "er_modes_tear needs a model, its modes, and a target with a scene, bodies, transforms and a unit");
    if (count <= 0 || !(degrees > 0.0 && degrees <= 90.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d modes by %g degrees: expected one at least, by up to 90", count,
                       degrees);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    er_kinematics *kinematics = NULL;
    double *x;
    tearing t = {.model = model, .target = target, .degrees = degrees, .out = out};
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(er_kinematics_create(context, model, &kinematics));
    size_t most = most_vertices(target->scene);
    ERI_TRY_NEW(x, scratch, double, er_kinematics_width(kinematics));
    ERI_TRY_NEW(t.rest, scratch, double, 3 * most);
    ERI_TRY_NEW(t.moved, scratch, double, 3 * most);
    ERI_TRY_NEW(t.world, scratch, er_affine, target->scene->node_count);
    ERI_TRY_NEW(t.pose, scratch, er_pose, model->body_count);
    for (int k = 0; k < modes->count && count > 0; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        --count;
        ERI_TRY(swing(&t, kinematics, &modes->mode[k], er_modes_index(modes, &modes->mode[k]), x));
    }
done:
    er_kinematics_destroy(kinematics);
    eri_arena_destroy(scratch);
    return r;
}
