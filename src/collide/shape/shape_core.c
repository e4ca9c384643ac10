/// @file
/// Points, segments, triangles and boxes as hulls. Their topology is constant data.
#include "collide/shape/shape_core.h"

static const er_hull point = {.vertex_count = 1, .vertex_start = (const int[]){0, 0}};

static const er_hull segment = {
    .vertex_count = 2,
    .edge_count = 1,
    .edge = (const er_hull_edge[]){{{0, 1}, {-1, -1}}},
    .vertex_start = (const int[]){0, 1, 2},
    .vertex_edge = (const int[]){0, 0},
    .neighbour = (const int[]){1, 0},
};

/// Its faces look along the normal and against it.
static const er_hull triangle = {
    .vertex_count = 3,
    .face_count = 2,
    .face_start = (const int[]){0, 3, 6},
    .face_vertex = (const int[]){0, 1, 2, 0, 2, 1},
    .face_edge = (const int[]){0, 1, 2, 2, 1, 0},
    .edge_count = 3,
    .edge = (const er_hull_edge[]){{{0, 1}, {0, 1}}, {{1, 2}, {0, 1}}, {{2, 0}, {0, 1}}},
    .vertex_start = (const int[]){0, 2, 4, 6},
    .vertex_edge = (const int[]){0, 2, 1, 0, 2, 1},
    .neighbour = (const int[]){1, 2, 2, 0, 0, 1},
};

/// Corner v lies at x > 0 where v & 1, y > 0 where v & 2, z > 0 where v & 4.
static const er_hull box = {
    .vertex_count = 8,
    .face_count = 6,
    .face_start = (const int[]){0, 4, 8, 12, 16, 20, 24},
    .face_vertex = (const int[]){0, 1, 5, 4, 0, 2, 3, 1, 0, 4, 6, 2, 1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6},
    .face_edge = (const int[]){0, 4, 8, 2, 1, 5, 3, 0, 2, 9, 6, 1, 3, 7, 10, 4, 6, 11, 7, 5, 8, 10, 11, 9},
    .edge_count = 12,
    .edge = (const er_hull_edge[]){{{0, 1}, {0, 1}},
                                   {{0, 2}, {1, 2}},
                                   {{4, 0}, {0, 2}},
                                   {{3, 1}, {1, 3}},
                                   {{1, 5}, {0, 3}},
                                   {{2, 3}, {1, 4}},
                                   {{6, 2}, {2, 4}},
                                   {{3, 7}, {3, 4}},
                                   {{5, 4}, {0, 5}},
                                   {{4, 6}, {2, 5}},
                                   {{7, 5}, {3, 5}},
                                   {{6, 7}, {4, 5}}},
    .vertex_start = (const int[]){0, 3, 6, 9, 12, 15, 18, 21, 24},
    .vertex_edge = (const int[]){0, 1, 2, 0, 4, 3, 1, 5, 6, 3, 7, 5, 2, 9, 8, 4, 8, 10, 6, 11, 9, 7, 10, 11},
    .neighbour = (const int[]){1, 2, 4, 0, 5, 3, 0, 3, 6, 1, 7, 2, 0, 6, 5, 1, 4, 7, 2, 7, 4, 3, 5, 6},
};

/// One of these made of the core's own vertices.
static void begin(eri_core *core, const er_hull *kind, double radius)
{
    core->own = *kind;
    core->own.vertex = core->vertex;
    core->own.plane = core->plane;
    core->own.radius = radius;
    core->hull = &core->own;
}

static void begin_box(eri_core *core, er_vec3 half)
{
    for (int v = 0; v < 8; ++v)
        core->vertex[v] = er_v3(v & 1 ? half.x : -half.x, v & 2 ? half.y : -half.y, v & 4 ? half.z : -half.z);
    core->plane[0] = (er_hull_plane){{0, -1, 0}, half.y};
    core->plane[1] = (er_hull_plane){{0, 0, -1}, half.z};
    core->plane[2] = (er_hull_plane){{-1, 0, 0}, half.x};
    core->plane[3] = (er_hull_plane){{1, 0, 0}, half.x};
    core->plane[4] = (er_hull_plane){{0, 1, 0}, half.y};
    core->plane[5] = (er_hull_plane){{0, 0, 1}, half.z};
    begin(core, &box, er_v3_norm(half));
    core->own.low = core->vertex[0];
    core->own.high = core->vertex[7];
}

static void begin_segment(eri_core *core, double half)
{
    core->vertex[0] = er_v3(0, 0, -half);
    core->vertex[1] = er_v3(0, 0, half);
    begin(core, half > 0.0 ? &segment : &point, half);
    core->own.low = core->vertex[0];
    core->own.high = core->vertex[1];
}

void eri_core_begin(eri_core *core, const er_shape *shape)
{
    core->radius = 0.0;
    if (shape->kind == ER_SHAPE_HULL)
        core->hull = shape->hull;
    else if (shape->kind == ER_SHAPE_BOX)
        begin_box(core, shape->half);
    else if (shape->kind == ER_SHAPE_CYLINDER)
        begin(core, &point, hypot(shape->radius, 0.5 * shape->length));
    else {
        begin_segment(core, shape->kind == ER_SHAPE_CAPSULE ? 0.5 * shape->length : 0.0);
        core->radius = shape->radius;
    }
}

void eri_core_triangle(eri_core *core, const er_vec3 *corner, er_vec3 normal)
{
    double radius = 0.0;
    for (int v = 0; v < 3; ++v) {
        core->vertex[v] = corner[v];
        radius = eri_max(radius, er_v3_norm(corner[v]));
    }
    double offset = er_v3_dot(normal, corner[0]);
    core->plane[0] = (er_hull_plane){normal, offset};
    core->plane[1] = (er_hull_plane){er_v3_scale(-1.0, normal), -offset};
    core->radius = 0.0;
    begin(core, &triangle, radius);
    eri_points_box(3, corner, &core->own.low, &core->own.high);
    core->own.centre = er_v3_scale(1.0 / 3.0, er_v3_add(er_v3_add(corner[0], corner[1]), corner[2]));
}
