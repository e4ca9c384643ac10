/// @file
/// What is asked of points before a hull is made of them.
#include "collide/hull.h"

#define FARTHEST 1e50 // m: products of five lengths stay finite
#define SMALLEST 1e-50

void eri_points_box(int count, const er_vec3 *point, er_vec3 *low, er_vec3 *high)
{
    *low = *high = point[0];
    for (int i = 1; i < count; ++i) {
        *low = er_v3(eri_min(low->x, point[i].x), eri_min(low->y, point[i].y), eri_min(low->z, point[i].z));
        *high = er_v3(eri_max(high->x, point[i].x), eri_max(high->y, point[i].y), eri_max(high->z, point[i].z));
    }
}

er_result eri_points_flat(er_context *context, int count)
{
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "the %d points of a hull lie in one plane, to rounding: give the solid some thickness", count);
}

er_result eri_points_finite(er_context *context, const char *what, int count, const er_vec3 *point)
{
    for (int i = 0; i < count; ++i) {
        er_vec3 x = point[i];
        if (!(fabs(x.x) <= FARTHEST && fabs(x.y) <= FARTHEST && fabs(x.z) <= FARTHEST))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "point %d of %s is (%g, %g, %g): numbers of at most %g m are wanted", i, what, x.x, x.y, x.z,
                           FARTHEST);
    }
    return ER_OK;
}

er_result eri_points_check(er_context *context, int count, const er_vec3 *point)
{
    if (count < 4)
        return er_fail(context, ER_ERROR_ARGUMENT, "a hull of %d points: a solid has at least 4 corners", count);
    er_result r = eri_points_finite(context, "a hull", count, point);
    if (r != ER_OK) return r;
    er_vec3 low, high;
    eri_points_box(count, point, &low, &high);
    double size = eri_max(high.x - low.x, eri_max(high.y - low.y, high.z - low.z));
    if (!(size >= SMALLEST))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "the %d points of a hull are %g m apart at most: give the solid a size of %g m or more", count,
                       size, SMALLEST);
    return ER_OK;
}
