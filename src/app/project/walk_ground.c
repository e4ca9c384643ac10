// The ground of a simulated walk: a plane, a slope, a mesh, or heights on a grid.
#include "app/project/walk_ground.h"

#include <math.h>
#include <stdlib.h>

#include "base/failure.h"

#define BEHIND 2.0 // body lengths of the ground behind the start
#define SPARE 4.0  // body lengths of it more than the walk
#define RISE 0.15  // legs
#define FAR 100.0  // m and body lengths, of the ground beyond its edges

// A corner of the grid with a ring about it that lies far out.
static er_vec3 corner(const project_walk_ground *g, const project_heights *h, double cell, double rise, double length,
                      int row, int column)
{
    int i = row - 1 < 0 ? 0 : row - 1 < h->rows ? row - 1 : h->rows - 1;
    int j = column - 1 < 0 ? 0 : column - 1 < h->columns ? column - 1 : h->columns - 1;
    double out = FAR * (1.0 + length);
    double ahead = (h->rows - 1 - i) * cell - BEHIND * length, aside = (0.5 * (h->columns - 1) - j) * cell;
    if (row - 1 != i) ahead += row - 1 < i ? out : -out;
    if (column - 1 != j) aside += column - 1 < j ? out : -out;
    er_vec3 at = er_v3_madd(er_v3_scale(ahead, g->forward), aside, g->left);
    return er_v3_madd(at, g->floor + rise * (double)h->value[i * h->columns + j], g->up);
}

static er_result make_heights(er_context *context, const project_walk_def *def, double leg, double length,
                              project_walk_ground *g)
{
    const project_heights *h = def->heights;
    int rows = h->rows + 2, columns = h->columns + 2, count = 0;
    double cell = (h->length > 0.0 ? h->length : (def->lengths + SPARE) * length) / (h->rows - 1);
    double rise = h->rise < 0.0 ? RISE * leg : h->rise;
    er_vec3 *vertex = malloc((size_t)rows * (size_t)columns * sizeof *vertex);
    int *index = malloc(6 * (size_t)rows * (size_t)columns * sizeof *index);
    er_result r = vertex != NULL && index != NULL ? ER_OK : eri_no_memory(context);
    for (int i = 0; i < rows && r == ER_OK; ++i)
        for (int j = 0; j < columns; ++j) {
            const int at = i * columns + j, six[6] = {at, at + columns, at + 1, at + 1, at + columns, at + columns + 1};
            vertex[at] = corner(g, h, cell, rise, length, i, j);
            for (int k = 0; k < 6 && i + 1 < rows && j + 1 < columns; ++k)
                index[count++] = six[k];
        }
    if (r == ER_OK) r = er_surface_create(context, rows * columns, vertex, count / 3, index, &g->surface);
    free(index);
    free(vertex);
    return r;
}

er_result project_walk_ground_make(er_context *context, const er_gait_body *body, const project_walk_def *def,
                                   double length, project_walk_ground *out)
{
    er_result r = ER_OK;
    *out = (project_walk_ground){
        .up = body->up, .forward = body->forward, .left = body->left, .floor = body->ground, .slope = def->slope};
    if ((def->slope != 0.0) + (def->terrain != NULL) + (def->heights != NULL) > 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "a slope and a terrain cannot both be the ground");
    if (def->terrain != NULL) r = project_read_surface(context, def->terrain, body->up, &out->surface);
    if (def->heights != NULL) r = make_heights(context, def, body->leg, length, out);
    out->shape = (er_shape){.kind = ER_SHAPE_MESH, .surface = out->surface};
    return r;
}

double project_walk_ground_height(void *user, er_vec3 at, er_vec3 *normal)
{
    const project_walk_ground *g = user;
    double distance, floor = g->floor + tan(g->slope) * er_v3_dot(at, g->forward);
    *normal = er_v3_madd(er_v3_scale(cos(g->slope), g->up), -sin(g->slope), g->forward);
    er_vec3 down = er_v3_scale(-1.0, g->up);
    if (g->surface == NULL || !er_shape_ray(&g->shape, er_pose_identity(), at, down, HUGE_VAL, &distance, normal))
        return floor;
    return er_v3_dot(at, g->up) - distance;
}

void project_walk_ground_apply(const project_walk_ground *ground, project_ground *shapes, er_world_def *world)
{
    er_world_shape *floor = &shapes->shape[shapes->shape_count - 1];
    er_quat tilt = er_q_exp(er_v3_scale(-ground->slope, ground->left));
    floor->pose.q = er_q_mul(tilt, floor->pose.q);
    if (ground->surface != NULL) {
        floor->name = "terrain";
        floor->shape = ground->shape;
        floor->pose = er_pose_identity();
    }
    world->shape_count = shapes->shape_count;
}

int project_walk_let_pass(const er_walker *walker, const er_rig_shapes *shapes, project_ground *ground)
{
    const uint32_t through = 1u << 31;
    int passing = 0;
    for (int i = 0; i < ground->shape_count; ++i)
        if (ground->shape[i].body < 0) ground->shape[i].groups |= through;
    for (int k = 0; k < shapes->count; ++k) {
        if (!er_walker_drags(walker, k)) continue;
        ++passing;
        for (int i = 0; i < ground->shape_count; ++i)
            if (ground->shape[i].body == shapes->shape[k].body) ground->shape[i].ignores |= through;
    }
    return passing;
}

void project_walk_ground_clear(project_walk_ground *ground)
{
    er_surface_destroy(ground->surface);
    *ground = (project_walk_ground){0};
}
