/// @file
/// Touches of capsules, boxes and hulls with boxes and hulls: the normal of the closest points or of the depth, then
/// the points at which faces lie before each other along it.
#include "collide/solids.h"

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

/// Where the faces of both lie before each other along n; and the closest points, where none of these is as near.
/// @param closest  NULL: boxes that overlap
static void find_spots(const er_pair *pair, er_vec3 n, double gap, const int *vertex, double most,
                       const er_closest *closest, er_spots *spots)
{
    er_screen screen = er_screen_at(er_pair_vertex(pair, 0, vertex[0]), n);
    er_outline a, b;
    double slack = ER_FLAT * pair->size;
    if (er_outline_of(pair, 0, &screen, vertex[0], &a) && er_outline_of(pair, 1, &screen, vertex[1], &b))
        slack = fmax(slack, er_outlines_meet(&screen, &a, &b, most, spots));
    if (er_spots_least(spots) > gap + slack) {
        er_closest meeting;
        if (closest == NULL) er_pair_meeting(pair, n, gap, vertex, &meeting);
        er_spots_add(spots, closest == NULL ? meeting.point[0] : closest->point[0], gap, n, 0);
    }
    er_spots_reduce(spots, n, slack);
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
    er_spots_begin(&spots, pose_a.q);
    find_spots(&pair, n, gap, vertex, most, closest, &spots);
    return er_touches_finish(&spots, pose_a, n, core[0].radius, core[1].radius, touch);
}
