/// @file
/// Touches of capsules, boxes and hulls with boxes and hulls: the normal of the closest points or of the depth, then
/// the points at which faces lie before each other along it.
#include "collide/shape/shape_manifold.h"

/// From A's frame and A's core to the world and the surface.
int eri_patch_finish(const eri_patch *patch, er_pose pose_a, er_vec3 n, double radius_a, double radius_b,
                     er_manifold_point *points)
{
    er_vec3 normal = er_q_rotate(pose_a.q, n);
    for (int k = 0; k < patch->count; ++k) {
        const eri_patch_point *point = &patch->point[k];
        points[k] = (er_manifold_point){{er_pose_point(pose_a, er_v3_madd(point->at[0], radius_a, n)),
                                         er_pose_point(pose_a, er_v3_madd(point->at[1], -radius_b, n))},
                                        normal,
                                        point->distance - radius_a - radius_b,
                                        point->feature};
    }
    return patch->count;
}

int eri_collide_sphere_hull(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                            er_closest_cache *cache, er_manifold_point *points)
{
    eri_core core;
    eri_core_begin(&core, a);
    eri_pair pair = eri_pair_begin(core.hull, pose_a, b->hull, pose_b);
    er_closest closest;
    eri_pair_closest(&pair, cache, &closest);
    if (!(closest.distance - a->radius <= margin)) return 0;
    eri_patch patch;
    eri_patch_begin(&patch, pose_a.q);
    eri_patch_add(&patch, er_v3(0, 0, 0), closest.distance, closest.normal, 0);
    return eri_patch_finish(&patch, pose_a, closest.normal, a->radius, 0.0, points);
}

/// The overlap, along n, of the faces at two features.
/// @param at  a point of A
/// @return    what is alike
static double overlap_faces(const eri_pair *pair, er_vec3 n, er_vec3 at, const er_feature *end, double most,
                            eri_patch *patch)
{
    eri_projection screen = eri_projection_at(at, n);
    eri_outline a, b;
    double slack = ERI_FLAT * pair->size;
    if (eri_outline_of(pair, 0, &screen, end[0], &a) && eri_outline_of(pair, 1, &screen, end[1], &b))
        slack = eri_max(slack, eri_outlines_overlap(&screen, &a, &b, most, patch));
    return slack;
}

void eri_faces_patch(const eri_pair *pair, const er_closest *closest, double most, eri_patch *patch)
{
    double slack = overlap_faces(pair, closest->normal, closest->point[0], closest->feature, most, patch);
    eri_patch_reduce(patch, closest->normal, slack);
}

double eri_core_patch(eri_pair *pair, double most, er_closest_cache *cache, er_vec3 *n, eri_patch *patch)
{
    er_closest closest;
    eri_pair_closest(pair, cache, &closest);
    *n = closest.normal;
    if (!(closest.distance <= most)) return closest.distance;
    double slack = overlap_faces(pair, *n, closest.point[0], closest.feature, most, patch);
    if (eri_patch_min_distance(patch) > closest.distance + slack)
        eri_patch_add(patch, closest.point[0], closest.distance, *n, 0);
    eri_patch_reduce(patch, *n, slack);
    return closest.distance;
}

int eri_collide_cores(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                      er_closest_cache *cache, er_manifold_point *points)
{
    eri_core core[2];
    eri_core_begin(&core[0], a);
    eri_core_begin(&core[1], b);
    eri_pair pair = eri_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    er_vec3 n;
    eri_patch patch;
    eri_patch_begin(&patch, pose_a.q);
    eri_core_patch(&pair, margin + core[0].radius + core[1].radius, cache, &n, &patch);
    return eri_patch_finish(&patch, pose_a, n, core[0].radius, core[1].radius, points);
}

int eri_collide_boxes(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                      er_closest_cache *cache, er_manifold_point *points)
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
    eri_patch patch;
    eri_patch_begin(&patch, pose_a.q);
    double slack = overlap_faces(&pair, n, eri_pair_vertex(&pair, 0, vertex[0]), end, margin, &patch);
    double least = eri_patch_min_distance(&patch);
    if (gap > 0.0 && least > gap + ERI_FLAT * pair.size) { // no two points are as near: corners or edges are closest
        patch.count = 0;
        eri_core_patch(&pair, margin, cache, &n, &patch);
    } else {
        er_closest meeting;
        if (least > gap + slack) {
            eri_pair_meeting(&pair, n, gap, vertex, &meeting);
            eri_patch_add(&patch, meeting.point[0], gap, n, 0);
        }
        eri_patch_reduce(&patch, n, slack);
    }
    return eri_patch_finish(&patch, pose_a, n, 0.0, 0.0, points);
}
