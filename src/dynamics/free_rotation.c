/// @file
/// The implicit midpoint rule of Euler's equations, solved by Newton's method.
#include "dynamics/free_rotation.h"

#include <math.h>

static const double max_angle = 0.5;   // rad, of one part of a step
static const double max_parts = 128.0; // a faster body turns by less than it should, with the right energy
static const double near = 1e-8;       // of the momentum: one more iteration reaches rounding

enum { MAX_ITERATIONS = 12 };

// The derivative of `residual` by w.
static er_mat3 slope(er_mat3 J, er_vec3 w, double half)
{
    er_mat3 a = er_m3_mul(er_m3_skew(w), J), b = er_m3_skew(er_m3_mul_v(J, w)), out = J;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out.m[i][j] += half * (a.m[i][j] - b.m[i][j]);
    return out;
}

// The angular velocity w half way, body axes: J w = m + (J w x w) step / 2.
static er_vec3 midpoint(er_mat3 J, er_vec3 m, er_vec3 w, double half)
{
    double size = er_v3_norm(m);
    for (int n = 0; n < MAX_ITERATIONS; ++n) {
        er_vec3 mean = er_m3_mul_v(J, w);
        er_vec3 residual = er_v3_sub(er_v3_sub(mean, m), er_v3_scale(half, er_v3_cross(mean, w)));
        double off = er_v3_norm(residual);
        w = er_v3_sub(w, er_m3_mul_v(er_m3_inverse(slope(J, w, half)), residual));
        if (!(off > near * size)) break;
    }
    return w;
}

er_quat eri_rotate_free(er_quat from, er_mat3 inertia, er_vec3 momentum)
{
    er_vec3 m = er_q_rotate(er_q_conj(from), momentum);
    er_mat3 inverse = er_m3_inverse(inertia);
    double angle = er_v3_norm(er_m3_mul_v(inverse, m));
    if (!(angle > 0.0)) return from;
    double parts = fmin(ceil(angle / max_angle), max_parts), step = fmin(1.0, parts * max_angle / angle) / parts;
    for (double i = 0.0; i < parts; ++i) {
        er_vec3 w = er_m3_mul_v(inverse, m);
        double turn = 0.5 * step * er_v3_norm(w); // the midpoint rule turns by 2 arctan of that
        double half = turn > 0.0 ? 0.5 * step * tan(turn) / turn : 0.5 * step;
        w = midpoint(inertia, m, w, half);
        m = er_v3_sub(er_v3_scale(2.0, er_m3_mul_v(inertia, w)), m);
        from = er_q_unit(er_q_mul(from, er_q_unit(er_q(1.0, half * w.x, half * w.y, half * w.z))));
    }
    return from;
}
