/// @file
/// Anisotropic friction (docs/math/contact.md, Grain): the friction of a contact stays within an ellipse. Friction
/// beyond it becomes the nearest point of the ellipse; so sliding dissipates most.
#include <math.h>

#include "dynamics/contact/contact_solver.h"

enum { MAX_ROUNDS = 40 };

static const double converged = 4e-16; // of the sum of squares that is 1 on the ellipse
static const double flat = 1e-9;       // a sine or cosine below counts as 0: a grain along the normal has no direction

// ---- Pairs

// The coefficient of a shape along a direction of the contact's plane, by its ellipse.
static double coefficient_along(const er_world_shape *shape, er_vec3 grain, er_vec3 direction)
{
    double a = shape->grain_friction, b = shape->friction, c = fabs(er_v3_dot(grain, direction));
    if (c < flat) return b;
    double square = c * c * b * b + fmax(1.0 - c * c, 0.0) * a * a;
    return square > 0.0 ? a * b / sqrt(square) : 0.0;
}

// The grain in the contact's plane, unit; 0 if the shape has none there.
static er_vec3 grain_of(const er_world *w, const er_world_shape *shape, er_vec3 normal)
{
    er_vec3 none = {0, 0, 0};
    if (!eri_shape_has_grain(shape)) return none;
    er_vec3 g = er_v3_unit(shape->grain, none);
    if (shape->body >= 0) g = er_q_rotate(w->pose[shape->body].q, g);
    g = er_v3_madd(g, -er_v3_dot(g, normal), normal);
    return er_v3_norm(g) > flat ? er_v3_unit(g, none) : none;
}

// How far the two coefficients of a shape differ.
static double difference(const er_world_shape *shape, er_vec3 grain)
{
    double sum = shape->grain_friction + shape->friction;
    if (er_v3_norm(grain) == 0.0 || sum == 0.0) return 0.0;
    return fabs(shape->grain_friction - shape->friction) / sum;
}

static eri_contact_grain combined_grain(const er_world *w, const eri_contact_point *c)
{
    const er_world_shape *shape[2];
    er_vec3 grain[2];
    for (int k = 0; k < 2; ++k) {
        shape[k] = &w->contacts->broad.shape[c->shape[k]];
        grain[k] = grain_of(w, shape[k], c->normal);
    }
    int first = difference(shape[1], grain[1]) > difference(shape[0], grain[0]);
    er_vec3 along = grain[first], across = er_v3_cross(c->normal, along);
    if (er_v3_norm(along) == 0.0) return (eri_contact_grain){{1.0, 0.0}, {c->friction, c->friction}};
    const eri_contact_frame frame = eri_contact_frame_of(c);
    eri_contact_grain out = {.along = {er_v3_dot(frame.axis[1], along), er_v3_dot(frame.axis[2], along)}};
    const er_vec3 axis[2] = {along, across};
    for (int d = 0; d < 2; ++d)
        out.friction[d] = eri_combine(w->def.friction_rule, coefficient_along(shape[0], grain[0], axis[d]),
                                      coefficient_along(shape[1], grain[1], axis[d]));
    return out;
}

er_result eri_grains_find(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    s->narrow.grain = NULL;
    if (!s->broad.has_grain) return ER_OK;
    ERI_TRY_NEW(s->narrow.grain, s->narrow.now.arena, eri_contact_grain, s->narrow.now.point_count);
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        eri_contact_grain *g = &s->narrow.grain[i];
        *g = combined_grain(w, &s->narrow.now.point[i]);
        if (g->friction[0] == g->friction[1]) s->narrow.now.point[i].friction = g->friction[0];
    }
done:
    return r;
}

// ---- The ellipse

// An ellipse with its half axes, and a point in coordinates along them, all over the larger half axis.
typedef struct ellipse {
    double axis[2], point[2];
    double multiplier; // m: the nearest point has the coordinates x a^2 / (a^2 + m)
} ellipse;

static double share(const ellipse *e, int d)
{
    double square = e->axis[d] * e->axis[d];
    return square > 0.0 ? square / (square + e->multiplier) : 0.0;
}

// Newton's method from below, on the inverse root of the sum of squares: it rises and is concave, so no step goes too
// far.
static void find_multiplier(ellipse *e)
{
    e->multiplier = 0.0;
    for (int d = 0; d < 2; ++d)
        e->multiplier = fmax(e->multiplier, e->axis[d] * (fabs(e->point[d]) - e->axis[d]));
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        double square = 0.0, slope = 0.0;
        for (int d = 0; d < 2; ++d) {
            double a = e->axis[d], sum = a * a + e->multiplier, x = a > 0.0 ? a * e->point[d] / sum : 0.0;
            square += x * x;
            if (a > 0.0) slope += x * x / sum;
        }
        if (square <= 1.0 + converged) return;
        e->multiplier += (sqrt(square) - 1.0) * square / slope;
    }
}

// @param p     along both tangents, N s
// @param size  written: the larger half axis, N s
static ellipse ellipse_of(const eri_contact_grain *g, double load, const double p[2], double *size)
{
    *size = load * fmax(g->friction[0], g->friction[1]);
    ellipse e = {.axis = {load * g->friction[0] / *size, load * g->friction[1] / *size}};
    e.point[0] = (g->along[0] * p[0] + g->along[1] * p[1]) / *size;
    e.point[1] = (g->along[0] * p[1] - g->along[1] * p[0]) / *size;
    find_multiplier(&e);
    return e;
}

void eri_grain_clamp(const eri_contact_grain *g, double load, double p[2])
{
    double size, x[2];
    if (!(load * fmax(g->friction[0], g->friction[1]) > 0.0)) {
        p[0] = p[1] = 0.0;
        return;
    }
    ellipse e = ellipse_of(g, load, p, &size);
    if (e.multiplier == 0.0 && e.axis[0] > 0.0 && e.axis[1] > 0.0) return;
    for (int d = 0; d < 2; ++d)
        x[d] = size * share(&e, d) * e.point[d];
    p[0] = g->along[0] * x[0] - g->along[1] * x[1];
    p[1] = g->along[1] * x[0] + g->along[0] * x[1];
}

static void to_tangents(er_vec3 normal, er_vec3 slip, er_vec3 tangent[2], double p[2])
{
    tangent[0] = eri_contact_tangent(normal);
    tangent[1] = er_v3_cross(normal, tangent[0]);
    for (int d = 0; d < 2; ++d)
        p[d] = er_v3_dot(tangent[d], slip);
}

er_vec3 eri_grain_clamp_vector(const eri_contact_grain *g, er_vec3 normal, double load, er_vec3 slip)
{
    er_vec3 tangent[2];
    double p[2];
    to_tangents(normal, slip, tangent, p);
    eri_grain_clamp(g, load, p);
    return er_v3_madd(er_v3_scale(p[0], tangent[0]), p[1], tangent[1]);
}

bool eri_grain_holds(const eri_contact_grain *g, double load, const double p[2])
{
    double held[2] = {p[0], p[1]};
    eri_grain_clamp(g, load, held);
    return held[0] == p[0] && held[1] == p[1];
}

er_mat3 eri_grain_derivative(const eri_contact_grain *g, er_vec3 normal, double load, er_vec3 slip, bool *slides)
{
    er_vec3 tangent[2], along, across;
    double p[2], size, sum = 0.0;
    er_mat3 D = {0};
    *slides = true;
    if (!(load * fmax(g->friction[0], g->friction[1]) > 0.0)) return D;
    to_tangents(normal, slip, tangent, p);
    ellipse e = ellipse_of(g, load, p, &size);
    *slides = e.multiplier > 0.0;
    along = er_v3_madd(er_v3_scale(g->along[0], tangent[0]), g->along[1], tangent[1]);
    across = er_v3_cross(normal, along);
    const double axis[2][3] = {{along.x, along.y, along.z}, {across.x, across.y, across.z}};
    double outward[3] = {0}; // of the derivative, along the ellipse's normal
    for (int d = 0; d < 2; ++d) {
        double square = e.axis[d] * e.axis[d], m = share(&e, d);
        double v = square > 0.0 ? e.point[d] / (square + e.multiplier) : 0.0;
        sum += m * v * v;
        for (int i = 0; i < 3; ++i) {
            outward[i] += m * v * axis[d][i];
            for (int k = 0; k < 3; ++k)
                D.m[i][k] += m * axis[d][i] * axis[d][k];
        }
    }
    for (int i = 0; i < 3 && *slides; ++i)
        for (int k = 0; k < 3; ++k)
            D.m[i][k] -= outward[i] * outward[k] / sum;
    return D;
}
