/// @file
/// Touches of capsules, boxes and hulls with boxes and hulls: the normal of the closest points or of the depth, then
/// the points at which faces lie before each other along it.
#include "collide/solids.h"

/// From A's frame and A's core to the world and the surface.
static int to_world(const er_spots *spots, er_pose pose_a, er_vec3 n, double radius_a, double radius_b, er_touch *touch)
{
    er_vec3 normal = er_q_rotate(pose_a.q, n);
    for (int k = 0; k < spots->count; ++k) {
        const er_spot *spot = &spots->spot[k];
        er_vec3 on_a = er_pose_point(pose_a, er_v3_madd(spot->at, radius_a, n));
        touch[k] = er_touch_at(on_a, normal, spot->distance - radius_a - radius_b, spot->feature);
    }
    return spots->count;
}

int er_touch_sphere_hull(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                         er_closest_cache *cache, er_touch *touch)
{
    er_core core;
    er_core_begin(&core, a);
    er_pair pair = er_pair_begin(core.hull, pose_a, b->hull, pose_b);
    er_closest closest;
    er_pair_closest(&pair, cache, &closest);
    if (!(closest.distance - a->radius <= margin)) return 0;
    er_spots spots = {.count = 1, .spot = {{{0, 0, 0}, closest.distance, 0}}};
    return to_world(&spots, pose_a, closest.normal, a->radius, 0.0, touch);
}

int er_touch_cores(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                   er_closest_cache *cache, er_touch *touch)
{
    er_core core[2];
    er_core_begin(&core[0], a);
    er_core_begin(&core[1], b);
    er_pair pair = er_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    double most = margin + core[0].radius + core[1].radius, gap = HUGE_VAL;
    er_vec3 n = {0, 0, 1};
    er_closest found, *closest = NULL;
    if (a->kind == ER_SHAPE_BOX && b->kind == ER_SHAPE_BOX) gap = er_boxes_gap(&pair, a->half, b->half, &n);
    if (gap > 0.0) { // boxes that overlap are known by now
        if (gap < HUGE_VAL && gap > most) return 0;
        er_pair_closest(&pair, cache, &found);
        closest = &found;
        gap = found.distance;
        n = found.normal;
    }
    if (!(gap <= most)) return 0;
    int vertex[2];
    er_pair_gap(&pair, n, vertex);
    er_spots spots;
    spots.skew = er_q_rotate(er_q_conj(pose_a.q), er_skew);
    er_manifold(&pair, n, gap, vertex, most, closest, &spots);
    return to_world(&spots, pose_a, n, core[0].radius, core[1].radius, touch);
}
