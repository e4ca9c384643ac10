// Points of the surface, each with the body that it moves with.
#include <string.h>

#include "gait/body/body.h"
#include "math/dense/dense.h"

// --- meshes

static int body_of_vertex(const er_rig *rig, const er_instance *instance, const er_mesh *mesh, int vertex)
{
    const er_scene *scene = rig->scene;
    if (instance->skin < 0 || mesh->influence_start == NULL) return rig->node_body[instance->node];
    int strongest = -1;
    for (int i = mesh->influence_start[vertex]; i < mesh->influence_start[vertex + 1]; ++i)
        if (strongest < 0 || mesh->influence_weight[i] > mesh->influence_weight[strongest]) strongest = i;
    if (strongest < 0) return rig->node_body[instance->node];
    return rig->node_body[scene->skin[instance->skin].joint[mesh->influence_joint[strongest]]];
}

static void add_instance(eri_body_reader *b, int index, double *position)
{
    const er_rig *rig = b->rig;
    const er_instance *instance = &rig->scene->instance[index];
    const er_mesh *mesh = &rig->scene->mesh[instance->mesh];
    er_scene_skin(rig->scene, index, rig->world, position);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        int body = body_of_vertex(rig, instance, mesh, v);
        const double *p = position + 3 * (ptrdiff_t)v;
        er_vec3 point = er_v3_scale(rig->metres_per_unit, er_v3(p[0], p[1], p[2]));
        if (body < 0 || !er_v3_finite(point)) continue;
        b->cloud.point[b->cloud.count] = point;
        b->cloud.body[b->cloud.count++] = body;
    }
}

static er_result read_meshes(eri_body_reader *b)
{
    er_result r = ER_OK;
    const er_scene *scene = b->rig->scene;
    size_t all = 0, most = 0;
    double *position;
    for (int i = 0; i < scene->instance_count; ++i) {
        size_t count = (size_t)scene->mesh[scene->instance[i].mesh].vertex_count;
        all += count;
        most = count > most ? count : most;
    }
    ERI_TRY_RESERVE(b->cloud.point, b->scratch, er_vec3, all);
    ERI_TRY_RESERVE(b->cloud.body, b->scratch, int, all);
    ERI_TRY_RESERVE(position, b->scratch, double, 3 * most);
    for (int i = 0; i < scene->instance_count; ++i)
        add_instance(b, i, position);
done:
    return r;
}

// --- boxes

// Corners of the solid box that has a body's mass and inertia: half a side a along x gives 3 (Iy + Iz - Ix) / 2m = a^2.
static er_result add_box(eri_body_reader *b, int index)
{
    const er_body *body = &b->model->body[index];
    double axes[9], moment[3], half[3];
    for (int i = 0; i < 9; ++i)
        axes[i] = body->inertia.m[i % 3][i / 3];
    er_result r = eri_linalg_small_eigen(b->context, 3, axes, moment);
    if (r != ER_OK) return r;
    for (int i = 0; i < 3; ++i)
        half[i] = sqrt(fmax(0.0, 1.5 * (moment[(i + 1) % 3] + moment[(i + 2) % 3] - moment[i]) / body->mass));
    for (int corner = 0; corner < 8; ++corner) {
        er_vec3 x = body->com;
        for (int i = 0; i < 3; ++i)
            x = er_v3_madd(x, (corner >> i & 1) != 0 ? half[i] : -half[i],
                           er_v3(axes[3 * i], axes[3 * i + 1], axes[3 * i + 2]));
        b->cloud.point[b->cloud.count] = er_pose_point(body->pose, x);
        b->cloud.body[b->cloud.count++] = index;
    }
    return r;
}

static er_result read_boxes(eri_body_reader *b)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(b->cloud.point, b->scratch, er_vec3, 8 * (size_t)b->model->body_count);
    ERI_TRY_NEW(b->cloud.body, b->scratch, int, 8 * (size_t)b->model->body_count);
    for (int i = 0; i < b->model->body_count; ++i)
        ERI_TRY(add_box(b, i));
done:
    return r;
}

er_result eri_gait_read_cloud(eri_body_reader *b)
{
    b->cloud = (eri_cloud){0};
    er_result r = b->rig != NULL ? read_meshes(b) : ER_OK;
    return r == ER_OK && b->cloud.count == 0 ? read_boxes(b) : r;
}
