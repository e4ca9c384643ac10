/// @file
/// Two hulls in one frame, their supports and the gap between them along a direction.
#include "collide/pair.h"

eri_pair eri_pair_begin(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b)
{
    er_quat back = er_q_conj(pose_a.q);
    eri_pair pair = {.hull = {a, b},
                     .turn = er_m3_from_q(er_q_mul(back, pose_b.q)),
                     .shift = er_q_rotate(back, er_v3_sub(pose_b.p, pose_a.p))};
    pair.size = a->radius + b->radius + er_v3_norm(pair.shift);
    return pair;
}

int eri_hull_support(const er_hull *hull, er_vec3 n, int hint)
{
    int best = hint;
    double most = er_v3_dot(n, hull->vertex[best]);
    for (int from = -1; from != best;) {
        from = best;
        for (int s = hull->vertex_start[from]; s < hull->vertex_start[from + 1]; ++s) {
            double height = er_v3_dot(n, hull->vertex[hull->neighbour[s]]);
            if (height > most) {
                most = height;
                best = hull->neighbour[s];
            }
        }
    }
    return best;
}

double eri_pair_gap(eri_pair *pair, er_vec3 n, int *vertex)
{
    for (int side = 0; side < 2; ++side)
        vertex[side] = pair->hint[side] =
            eri_hull_support(pair->hull[side], eri_pair_outward(pair, side, n), pair->hint[side]);
    return er_v3_dot(n, er_v3_sub(eri_pair_vertex(pair, 1, vertex[1]), eri_pair_vertex(pair, 0, vertex[0])));
}

void eri_pair_finish(er_pose pose_a, er_vec3 n, double distance, er_closest *closest)
{
    closest->distance = distance;
    closest->normal = er_q_rotate(pose_a.q, n);
    for (int side = 0; side < 2; ++side)
        closest->point[side] = er_pose_point(pose_a, closest->point[side]);
}
