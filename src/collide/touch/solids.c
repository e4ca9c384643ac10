/// @file
/// Touches of capsules, boxes and hulls with boxes and hulls: the normal of the closest points or of the depth, then
/// the points at which faces lie before each other along it.
#include "collide/touch/solids.h"

/// From A's frame and A's core to the world and the surface.
int eri_touches_finish(const eri_spots *spots, er_pose pose_a, er_vec3 n, double radius_a, double radius_b,
                       er_touch *touch)
{
    er_vec3 normal = er_q_rotate(pose_a.q, n);
    for (int k = 0; k < spots->count; ++k) {
        const eri_spot *spot = &spots->spot[k];
        touch[k] = (er_touch){{er_pose_point(pose_a, er_v3_madd(spot->at[0], radius_a, n)),
                               er_pose_point(pose_a, er_v3_madd(spot->at[1], -radius_b, n))},
                              normal,
                              spot->distance - radius_a - radius_b,
                              spot->feature};
    }
    return spots->count;
}

int eri_touch_sphere_hull(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                          er_closest_cache *cache, er_touch *touch)
{
    eri_core core;
    eri_core_begin(&core, a);
    eri_pair pair = eri_pair_begin(core.hull, pose_a, b->hull, pose_b);
    er_closest closest;
    eri_pair_closest(&pair, cache, &closest);
    if (!(closest.distance - a->radius <= margin)) return 0;
    eri_spots spots;
    eri_spots_begin(&spots, pose_a.q);
    eri_spots_add(&spots, er_v3(0, 0, 0), closest.distance, closest.normal, 0);
    return eri_touches_finish(&spots, pose_a, closest.normal, a->radius, 0.0, touch);
}

/// Where the faces at two features lie before each other along n.
/// @param at  a point of A
/// @return    what is alike
static double meet_faces(const eri_pair *pair, er_vec3 n, er_vec3 at, const er_feature *end, double most,
                         eri_spots *spots)
{
    eri_projection screen = eri_projection_at(at, n);
    eri_outline a, b;
    double slack = ERI_FLAT * pair->size;
    if (eri_outline_of(pair, 0, &screen, end[0], &a) && eri_outline_of(pair, 1, &screen, end[1], &b))
        slack = eri_max(slack, eri_outlines_meet(&screen, &a, &b, most, spots));
    return slack;
}

double eri_core_spots(eri_pair *pair, double most, er_closest_cache *cache, er_vec3 *n, eri_spots *spots)
{
    er_closest closest;
    eri_pair_closest(pair, cache, &closest);
    *n = closest.normal;
    if (!(closest.distance <= most)) return closest.distance;
    double slack = meet_faces(pair, *n, closest.point[0], closest.feature, most, spots);
    if (eri_spots_least(spots) > closest.distance + slack)
        eri_spots_add(spots, closest.point[0], closest.distance, *n, 0);
    eri_spots_reduce(spots, *n, slack);
    return closest.distance;
}

int eri_touch_cores(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                    er_closest_cache *cache, er_touch *touch)
{
    eri_core core[2];
    eri_core_begin(&core[0], a);
    eri_core_begin(&core[1], b);
    eri_pair pair = eri_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    er_vec3 n;
    eri_spots spots;
    eri_spots_begin(&spots, pose_a.q);
    eri_core_spots(&pair, margin + core[0].radius + core[1].radius, cache, &n, &spots);
    return eri_touches_finish(&spots, pose_a, n, core[0].radius, core[1].radius, touch);
}

int eri_touch_boxes(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                    er_closest_cache *cache, er_touch *touch)
{
    eri_core core[2];
    eri_core_begin(&core[0], a);
    eri_core_begin(&core[1], b);
    eri_pair pair = eri_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    er_vec3 n;
    double gap = eri_boxes_gap(&pair, a->half, b->half, &n);
    if (!(gap <= margin)) return 0;
    int vertex[2];
    eri_pair_gap(&pair, n, vertex);
    er_feature end[2] = {eri_pair_end(&pair, 0, n, 1, &vertex[0]), eri_pair_end(&pair, 1, n, 1, &vertex[1])};
    eri_spots spots;
    eri_spots_begin(&spots, pose_a.q);
    double slack = meet_faces(&pair, n, eri_pair_vertex(&pair, 0, vertex[0]), end, margin, &spots);
    double least = eri_spots_least(&spots);
    if (gap > 0.0 && least > gap + ERI_FLAT * pair.size) { // no two points are as near: corners or edges are closest
        spots.count = 0;
        eri_core_spots(&pair, margin, cache, &n, &spots);
    } else {
        er_closest meeting;
        if (least > gap + slack) {
            eri_pair_meeting(&pair, n, gap, vertex, &meeting);
            eri_spots_add(&spots, meeting.point[0], gap, n, 0);
        }
        eri_spots_reduce(&spots, n, slack);
    }
    return eri_touches_finish(&spots, pose_a, n, 0.0, 0.0, touch);
}
