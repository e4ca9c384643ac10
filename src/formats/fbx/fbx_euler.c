// Rotations as Euler angles in the six orders of FBX.
// R = R_k(c) R_j(b) R_i(a), first axis i, second j, last k, with s = 1 where (i, j, k) is an even permutation, else -1:
//   R[k][i] = -s sin b,  R[k][j] = s cos b sin a,  R[k][k] = cos b cos a,
// and R R_i(-a) has column j with entries -s sin c at i and cos c at j.
#include "formats/fbx/fbx_euler.h"

#define LOCK 1e-7 // cos b below which a says nothing

const uint8_t eri_fbx_axes[ERI_FBX_ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

static double parity(const uint8_t *axis)
{
    return (axis[0] + 1) % 3 == axis[1] ? 1.0 : -1.0;
}

double eri_fbx_euler_sine(er_quat q, int order)
{
    const uint8_t *axis = eri_fbx_axes[order];
    return -parity(axis) * er_m3_from_q(q).m[axis[2]][axis[0]];
}

// The angle plus the whole turns that bring it nearest to another.
static double nearest_turn(double angle, double near)
{
    return angle + 2.0 * ER_PI * round((near - angle) / (2.0 * ER_PI));
}

er_vec3 eri_fbx_euler_from_q(er_quat q, int order, er_vec3 near)
{
    const uint8_t *axis = eri_fbx_axes[order];
    int i = axis[0], j = axis[1], k = axis[2];
    double s = parity(axis), best = HUGE_VAL;
    const double wanted[3] = {near.x, near.y, near.z};
    double angle[3] = {0};
    er_mat3 r = er_m3_from_q(q);
    double cosine = hypot(r.m[k][j], r.m[k][k]);
    double a = cosine > LOCK ? atan2(s * r.m[k][j], r.m[k][k]) : wanted[i];
    double b = atan2(-s * r.m[k][i], cosine);
    double ca = cos(a), sa = s * sin(a);
    double c = atan2(-s * (ca * r.m[i][j] - sa * r.m[i][k]), ca * r.m[j][j] - sa * r.m[j][k]);
    for (int set = 0; set < 2; ++set) { // (a, b, c) and (a + pi, pi - b, c + pi) turn alike
        double half = set * ER_PI, other[3], distance = 0.0;
        other[i] = nearest_turn(a + half, wanted[i]);
        other[j] = nearest_turn(set == 0 ? b : ER_PI - b, wanted[j]);
        other[k] = nearest_turn(c + half, wanted[k]);
        for (int n = 0; n < 3; ++n)
            distance += fabs(other[n] - wanted[n]);
        if (!(distance < best)) continue;
        best = distance;
        for (int n = 0; n < 3; ++n)
            angle[n] = other[n];
    }
    return er_v3(angle[0], angle[1], angle[2]);
}

er_quat eri_fbx_euler_to_q(er_vec3 angles, int order)
{
    const double angle[3] = {angles.x, angles.y, angles.z};
    er_quat q = er_q_identity();
    for (int n = 0; n < 3; ++n) {
        int axis = eri_fbx_axes[order][n];
        double c = cos(0.5 * angle[axis]), h = sin(0.5 * angle[axis]);
        q = er_q_mul(er_q(c, axis == 0 ? h : 0.0, axis == 1 ? h : 0.0, axis == 2 ? h : 0.0), q);
    }
    return q;
}
