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

/// Where the faces at two features lie before each other along n.
/// @param at  a point of A
/// @return    what is alike
static double meet_faces(const er_pair *pair, er_vec3 n, er_vec3 at, const er_feature *end, double most,
                         er_spots *spots)
{
    er_screen screen = er_screen_at(at, n);
    er_outline a, b;
    double slack = ER_FLAT * pair->size;
    if (er_outline_of(pair, 0, &screen, end[0], &a) && er_outline_of(pair, 1, &screen, end[1], &b))
        slack = er_max(slack, er_outlines_meet(&screen, &a, &b, most, spots));
    return slack;
}

double er_core_spots(er_pair *pair, double most, er_closest_cache *cache, er_vec3 *n, er_spots *spots)
{
    er_closest closest;
    er_pair_closest(pair, cache, &closest);
    *n = closest.normal;
    if (!(closest.distance <= most)) return closest.distance;
    double slack = meet_faces(pair, *n, closest.point[0], closest.feature, most, spots);
    if (er_spots_least(spots) > closest.distance + slack)
        er_spots_add(spots, closest.point[0], closest.distance, *n, 0);
    er_spots_reduce(spots, *n, slack);
    return closest.distance;
}

int er_touch_cores(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                   er_closest_cache *cache, er_touch *touch)
{
    er_core core[2];
    er_core_begin(&core[0], a);
    er_core_begin(&core[1], b);
    er_pair pair = er_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    er_vec3 n;
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    er_core_spots(&pair, margin + core[0].radius + core[1].radius, cache, &n, &spots);
    return er_touches_finish(&spots, pose_a, n, core[0].radius, core[1].radius, touch);
}

int er_touch_boxes(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                   er_closest_cache *cache, er_touch *touch)
{
    er_core core[2];
    er_core_begin(&core[0], a);
    er_core_begin(&core[1], b);
    er_pair pair = er_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    er_vec3 n;
    double gap = er_boxes_gap(&pair, a->half, b->half, &n);
    if (!(gap <= margin)) return 0;
    int vertex[2];
    er_pair_gap(&pair, n, vertex);
    er_feature end[2] = {er_pair_end(&pair, 0, n, 1, &vertex[0]), er_pair_end(&pair, 1, n, 1, &vertex[1])};
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    double slack = meet_faces(&pair, n, er_pair_vertex(&pair, 0, vertex[0]), end, margin, &spots);
    double least = er_spots_least(&spots);
    if (gap > 0.0 && least > gap + ER_FLAT * pair.size) { // no two points are as near: corners or edges are closest
        spots.count = 0;
        er_core_spots(&pair, margin, cache, &n, &spots);
    } else {
        er_closest meeting;
        if (least > gap + slack) {
            er_pair_meeting(&pair, n, gap, vertex, &meeting);
            er_spots_add(&spots, meeting.point[0], gap, n, 0);
        }
        er_spots_reduce(&spots, n, slack);
    }
    return er_touches_finish(&spots, pose_a, n, 0.0, 0.0, touch);
}
