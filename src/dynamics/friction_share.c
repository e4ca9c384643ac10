/// @file
/// Forces in friction cones with a given wrench W: min |f|^2 / 2 with A f = W, f in K. Its dual has six variables y,
/// and f is the projection of A' y on K. Newton's method finds y; a term e |y - z|^2 / 2 makes every step unique, and
/// rounds with z the last y remove it (the proximal point method: Rockafellar, SIAM J. Control Optim. 14, 1976). Where
/// W is out of reach, the rounds lead to the f whose wrench is nearest.
#include "dynamics/friction_share.h"

#include <string.h>

enum { ROUNDS = 4, STEPS = 60, HALVINGS = 40 };

#define PROXIMITY 1e-6  // e, of the number of contacts: rounds gain six digits each
#define SUFFICIENT 1e-4 // share of the expected decrease (Armijo)
#define SMALL 1e-14     // of |W|: rounding of the sums

typedef struct friction_share {
    double W[6], size, friction, e;
    er_vec3 normal;
    int count;
    const er_vec3 *arm;
    er_vec3 *force;
} friction_share;

// The nearest point of the cone |tangent| <= friction normal, and its derivative.
static er_vec3 project(const friction_share *s, er_vec3 f, er_mat3 *derivative)
{
    double mu = s->friction, n = er_v3_dot(s->normal, f);
    er_vec3 t = er_v3_madd(f, -n, s->normal);
    double slide = er_v3_norm(t);
    er_mat3 zero = {{{0}}};
    if (slide <= mu * n) {
        *derivative = er_m3_identity();
        return f;
    }
    *derivative = zero;
    if (mu * slide <= -n) return er_v3(0, 0, 0);
    er_vec3 unit = er_v3_scale(1.0 / slide, t), edge = er_v3_madd(s->normal, mu, unit);
    double along = (n + mu * slide) / (1.0 + mu * mu);
    er_mat3 across = er_m3_madd(er_m3_identity(), -1.0, er_m3_outer(s->normal, s->normal));
    across = er_m3_madd(across, -1.0, er_m3_outer(unit, unit));
    *derivative = er_m3_madd(*derivative, 1.0 / (1.0 + mu * mu), er_m3_outer(edge, edge));
    *derivative = er_m3_madd(*derivative, mu * along / slide, across);
    return er_v3_scale(along, edge);
}

// A' y at a contact: y's force, and its torque through the arm.
static er_vec3 pull_back(const friction_share *s, const double y[6], int i)
{
    er_vec3 torque = er_v3(y[0] / s->size, y[1] / s->size, y[2] / s->size);
    return er_v3_add(er_v3(y[3], y[4], y[5]), er_v3_cross(torque, s->arm[i]));
}

// A f summed, torques over size.
static void push_forward(const friction_share *s, er_vec3 f, int i, double out[6])
{
    er_vec3 t = er_v3_scale(1.0 / s->size, er_v3_cross(s->arm[i], f));
    out[0] += t.x, out[1] += t.y, out[2] += t.z;
    out[3] += f.x, out[4] += f.y, out[5] += f.z;
}

// The dual's value, and its gradient.
static double evaluate(const friction_share *s, const double y[6], const double z[6], double gradient[6])
{
    double value = 0.0;
    for (int k = 0; k < 6; ++k) {
        double off = y[k] - z[k];
        gradient[k] = s->e * off - s->W[k];
        value += 0.5 * s->e * off * off - s->W[k] * y[k];
    }
    for (int i = 0; i < s->count; ++i) {
        er_mat3 unused;
        s->force[i] = project(s, pull_back(s, y, i), &unused);
        value += 0.5 * er_v3_dot(s->force[i], s->force[i]);
        push_forward(s, s->force[i], i, gradient);
    }
    return value;
}

// H = A D A' + e, D the derivatives of the projections; then H step = -gradient, by Cholesky.
static void newton_step(const friction_share *s, const double y[6], const double gradient[6], double step[6])
{
    double H[6][6] = {{0}};
    for (int k = 0; k < 6; ++k) {
        double unit[6] = {0}, column[6] = {0};
        unit[k] = 1.0;
        for (int i = 0; i < s->count; ++i) {
            er_mat3 D;
            project(s, pull_back(s, y, i), &D);
            push_forward(s, er_m3_mul_v(D, pull_back(s, unit, i)), i, column);
        }
        memcpy(H[k], column, sizeof column);
        H[k][k] += s->e;
    }
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < j; ++k)
            H[j][j] -= H[j][k] * H[j][k];
        H[j][j] = sqrt(fmax(H[j][j], 0.25 * s->e)); // at least e but for rounding
        for (int i = j + 1; i < 6; ++i) {
            for (int k = 0; k < j; ++k)
                H[i][j] -= H[i][k] * H[j][k];
            H[i][j] /= H[j][j];
        }
    }
    for (int i = 0; i < 6; ++i) {
        step[i] = -gradient[i];
        for (int k = 0; k < i; ++k)
            step[i] -= H[i][k] * step[k];
        step[i] /= H[i][i];
    }
    for (int i = 5; i >= 0; --i) {
        for (int k = i + 1; k < 6; ++k)
            step[i] -= H[k][i] * step[k];
        step[i] /= H[i][i];
    }
}

static double norm(const double x[6])
{
    double sum = 0.0;
    for (int k = 0; k < 6; ++k)
        sum += x[k] * x[k];
    return sqrt(sum);
}

// The least value near z, by Newton's method; y begins there. Near the end values are equal to rounding and gradients
// still tell steps apart.
static void minimise(const friction_share *s, const double z[6], double y[6])
{
    double gradient[6], value = evaluate(s, y, z, gradient), enough = SMALL * norm(s->W), size = norm(gradient);
    for (int k = 0; k < STEPS && size > enough; ++k) {
        double step[6], next[6], slope = 0.0, found = value, left = size, old = size;
        newton_step(s, y, gradient, step);
        for (int i = 0; i < 6; ++i)
            slope += gradient[i] * step[i];
        bool better = false;
        double t = 1.0;
        for (int half = 0; half < HALVINGS && !better; ++half, t *= 0.5) {
            for (int i = 0; i < 6; ++i)
                next[i] = y[i] + t * step[i];
            found = evaluate(s, next, z, gradient);
            left = norm(gradient);
            better = found <= value + SUFFICIENT * t * slope || left <= 0.5 * old;
        }
        if (!better) break;
        memcpy(y, next, sizeof next);
        value = found;
        size = left;
    }
    evaluate(s, y, z, gradient);
}

void eri_share_friction(er_wrench wanted, double size, er_vec3 normal, double friction, int count, const er_vec3 *arm,
                        er_vec3 *force)
{
    friction_share s = {.W = {wanted.torque.x / size, wanted.torque.y / size, wanted.torque.z / size, wanted.force.x,
                              wanted.force.y, wanted.force.z},
                        .size = size,
                        .friction = friction,
                        .e = PROXIMITY * (count > 0 ? count : 1),
                        .normal = normal,
                        .count = count,
                        .arm = arm,
                        .force = force};
    double y[6] = {0}, z[6];
    for (int round = 0; round < ROUNDS && count > 0; ++round) {
        memcpy(z, y, sizeof z);
        minimise(&s, z, y);
    }
}
