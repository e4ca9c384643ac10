// Rotations as angles about one to three axes of a BVH joint, as near as can be to those of the frame before.
// With axes (i, j, k), e = +1 where they are in cyclic order and -1 where not, M = R_i(a) R_j(b) R_k(c) has
//   M_ik = e sin b,   M_jk = -e sin a cos b,   M_kk = cos a cos b,   M_ij = -e cos b sin c,   M_ii = cos b cos c,
// which (a, b, c) and (a + pi, pi - b, c + pi) solve alike. Near a pole, where cos b = 0, a is mostly rounding; so b
// and c are read off N = R_i(a)^T M = R_j(b) R_k(c) with that very a:
//   N_ik = e sin b,   N_kk = cos b,   N_ji = e sin c,   N_jj = cos c.
// At the pole s = sign(M_ik) leaves c + s a alone:   M_ji = e sin(c + s a),   M_jj = cos(c + s a).
// Without R_k(c) there is no pole:   M_kj = e sin a,   M_jj = cos a.
#include "formats/bvh/bvh_angles.h"

#define POLE 1e-9 // cos b; what is left out there is a turn of that size
#define TURN (2 * ER_PI)

er_quat eri_bvh_turn(const eri_bvh_axes *axes, const double angle[3])
{
    er_quat q = er_q_identity();
    for (int n = 0; n < axes->count; ++n) {
        double s = sin(0.5 * angle[n]);
        int axis = axes->axis[n];
        q = er_q_mul(q, er_q(cos(0.5 * angle[n]), axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0));
    }
    return er_q_unit(q);
}

static double near_to(double before, double angle)
{
    return angle + TURN * round((before - angle) / TURN);
}

// The angles that belong to a first one, next to those before; the square of how far they are.
static double complete(const eri_bvh_axes *axes, const er_mat3 *m, double e, double a, const double before[3],
                       double angle[3])
{
    int i = axes->axis[0], j = axes->axis[1], k = axes->axis[2];
    double ca = cos(a), sa = e * sin(a), cost = 0.0;
    const double *row_j = m->m[j], *row_k = m->m[k];
    angle[0] = a;
    angle[1] = atan2(e * m->m[i][k], ca * row_k[k] - sa * row_j[k]);
    angle[2] = atan2(e * (ca * row_j[i] + sa * row_k[i]), ca * row_j[j] + sa * row_k[j]);
    for (int n = 0; n < 3; ++n) {
        angle[n] = near_to(before[n], angle[n]);
        cost += (angle[n] - before[n]) * (angle[n] - before[n]);
    }
    return cost;
}

// The first angle at a pole, where the first and the last share the change.
static double share(const eri_bvh_axes *axes, const er_mat3 *m, double e, const double before[3])
{
    int i = axes->axis[0], j = axes->axis[1], k = axes->axis[2];
    double s = m->m[i][k] < 0.0 ? -1.0 : 1.0, sum = before[2] + s * before[0];
    double change = near_to(sum, atan2(e * m->m[j][i], m->m[j][j])) - sum;
    return before[0] + 0.5 * s * change;
}

void eri_bvh_angles(const eri_bvh_axes *axes, er_quat q, double angle[3])
{
    er_mat3 m = er_m3_from_q(q);
    int i = axes->axis[0], j = axes->axis[1], k = axes->axis[2];
    double e = (i + 1) % 3 == j ? 1.0 : -1.0;
    double one[3], other[3], *best = one;
    if (axes->count < 3) {
        complete(axes, &m, e, atan2(e * m.m[k][j], m.m[j][j]), angle, one);
    } else if (hypot(m.m[i][i], m.m[i][j]) < POLE) {
        complete(axes, &m, e, share(axes, &m, e, angle), angle, one);
    } else {
        double a = atan2(-e * m.m[j][k], m.m[k][k]);
        double near = complete(axes, &m, e, a, angle, one), far = complete(axes, &m, e, a + ER_PI, angle, other);
        if (far < near) best = other;
    }
    for (int n = 0; n < 3; ++n)
        angle[n] = n < axes->count ? best[n] : 0.0;
}
