/// @file
/// Touches of capsules, boxes and hulls with boxes and hulls: the normal of the closest points or of the depth, then
/// the points at which faces lie before each other along it.
#include "collide/touch/solids.h"

/// From A's frame and A's core to the world and the surface.
int er_touches_finish(const er_spots *spots, er_pose pose_a, er_vec3 n, double radius_a, double radius_b,
                      er_touch *touch)
{
    er_vec3 normal = er_q_rotate(pose_a.q, n);
    for (int k = 0; k < spots->count; ++k) {
        const er_spot *spot = &spots->spot[k];
        touch[k] = (er_touch){{er_pose_point(pose_a, er_v3_madd(spot->at[0], radius_a, n)),
                               er_pose_point(pose_a, er_v3_madd(spot->at[1], -radius_b, n))},
                              normal,
                              spot->distance - radius_a - radius_b,
                              spot->feature};
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
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    er_spots_add(&spots, er_v3(0, 0, 0), closest.distance, closest.normal, 0);
    return er_touches_finish(&spots, pose_a, closest.normal, a->radius, 0.0, touch);
}

/// Where the faces of both lie before each other; and the closest points, where none of these is as near.
static void find_spots(const er_pair *pair, const er_closest *closest, double most, er_spots *spots)
{
    er_screen screen = er_screen_at(closest->point[0], closest->normal);
    er_outline a, b;
    double slack = ER_FLAT * pair->size;
    if (er_outline_of(pair, 0, &screen, closest->feature[0], &a) &&
        er_outline_of(pair, 1, &screen, closest->feature[1], &b))
        slack = fmax(slack, er_outlines_meet(&screen, &a, &b, most, spots));
    if (er_spots_least(spots) > closest->distance + slack)
        er_spots_add(spots, closest->point[0], closest->distance, closest->normal, 0);
    er_spots_reduce(spots, closest->normal, slack);
}

double er_core_spots(er_pair *pair, double most, er_closest_cache *cache, er_vec3 *n, er_spots *spots)
{
    er_closest closest;
    er_pair_closest(pair, cache, &closest);
    *n = closest.normal;
    if (closest.distance <= most) find_spots(pair, &closest, most, spots);
    return closest.distance;
}

int er_touch_cores(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                   er_closest_cache *cache, er_touch *touch)
{
    er_core core[2];
    er_core_begin(&core[0], a);
    er_core_begin(&core[1], b);
    er_pair pair = er_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    double most = margin + core[0].radius + core[1].radius, gap = HUGE_VAL;
    er_vec3 n;
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    if (a->kind == ER_SHAPE_BOX && b->kind == ER_SHAPE_BOX) gap = er_boxes_gap(&pair, a->half, b->half, &n);
    if (gap <= 0.0 && gap <= most) { // boxes that overlap are known by now
        int vertex[2];
        er_closest closest;
        er_pair_gap(&pair, n, vertex);
        er_pair_meeting(&pair, n, gap, vertex, &closest);
        find_spots(&pair, &closest, most, &spots);
    } else if (gap > 0.0 && (gap <= most || gap == HUGE_VAL))
        er_core_spots(&pair, most, cache, &n, &spots);
    return er_touches_finish(&spots, pose_a, n, core[0].radius, core[1].radius, touch);
}
