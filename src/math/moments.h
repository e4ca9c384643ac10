/// @file
/// Private half of the math room: moments of polyhedra in closed form, a triangle of the surface at a time.
#ifndef ERI_MATH_MOMENTS_H
#define ERI_MATH_MOMENTS_H

#include <eigenrig/math.h>

/// Adds the tetrahedron of the origin and the triangle abc, of volume V: the integral of 1 over it is V, of x is V s /
/// 4, of x x' is V (a a' + b b' + c c' + s s') / 20, with s = a + b + c (Tonon 2004). V < 0 where abc winds clockwise
/// from outside.
static inline void eri_moments_add(double *volume, er_vec3 *first, er_mat3 *second, er_vec3 a, er_vec3 b, er_vec3 c)
{
    er_vec3 p[4] = {a, b, c, er_v3_add(er_v3_add(a, b), c)};
    double v = er_v3_dot(a, er_v3_cross(b, c)) / 6.0;
    *volume += v;
    *first = er_v3_madd(*first, v / 4.0, p[3]);
    for (int k = 0; k < 4; ++k)
        *second = er_m3_madd(*second, v / 20.0, er_m3_outer(p[k], p[k]));
}

/// The inertia about its centre of what has these moments, the first about that centre being zero: tr(S) 1 - S.
static inline er_mat3 eri_inertia_from_second(er_mat3 s)
{
    er_mat3 trace = er_m3_madd((er_mat3){{{0}}}, s.m[0][0] + s.m[1][1] + s.m[2][2], er_m3_identity());
    return er_m3_madd(trace, -1.0, s);
}

#endif
