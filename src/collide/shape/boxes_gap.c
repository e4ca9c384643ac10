/// @file
/// The widest gap between two boxes among their fifteen directions: three normals of each, nine pairs of edges
/// (Gottschalk 1996).
#include "collide/shape/shape_manifold.h"

#define ALIKE 1e-12 // of the size: a face is taken before a pair of edges whose gap is no wider

/// A direction that may part the boxes, and the gap along it.
static void offer(er_vec3 n, double gap, double slack, double *widest, er_vec3 *normal)
{
    if (!(gap > *widest + slack)) return;
    *widest = gap;
    *normal = n;
}

double eri_boxes_gap(const eri_pair *pair, er_vec3 half_a, er_vec3 half_b, er_vec3 *normal)
{
    const double a[3] = {half_a.x, half_a.y, half_a.z}, b[3] = {half_b.x, half_b.y, half_b.z};
    const er_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, t = pair->shift;
    const double shift[3] = {t.x, t.y, t.z};
    double widest = -HUGE_VAL, reach[3][3], sine2, slack = ALIKE * pair->size;
    er_vec3 column[3];
    for (int j = 0; j < 3; ++j)
        column[j] = er_m3_column(pair->turn, j);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            reach[i][j] = fabs(pair->turn.m[i][j]);
    *normal = axis[2];
    for (int i = 0; i < 3; ++i)
        offer(axis[i], fabs(shift[i]) - a[i] - reach[i][0] * b[0] - reach[i][1] * b[1] - reach[i][2] * b[2], slack,
              &widest, normal);
    for (int j = 0; j < 3; ++j)
        offer(column[j],
              fabs(er_v3_dot(t, column[j])) - b[j] - reach[0][j] * a[0] - reach[1][j] * a[1] - reach[2][j] * a[2],
              slack, &widest, normal);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            er_vec3 n = er_v3_cross(axis[i], column[j]);
            sine2 = er_v3_dot(n, n);
            if (sine2 < ERI_PARALLEL * ERI_PARALLEL) continue;
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double gap = fabs(er_v3_dot(t, n)) - a[i1] * reach[i2][j] - a[i2] * reach[i1][j] - b[j1] * reach[i][j2] -
                         b[j2] * reach[i][j1];
            double length = sqrt(sine2);
            offer(er_v3_scale(1.0 / length, n), gap / length, slack, &widest, normal);
        }
    if (er_v3_dot(*normal, t) < 0.0) *normal = er_v3_scale(-1.0, *normal);
    return widest;
}
