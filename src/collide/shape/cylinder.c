/// @file
/// A cylinder's farthest points and ends; and the widest gap past one of its rims to a line.
#include "collide/shape/cylinder.h"

#define ROOT 60    // steps to a root, fewer are taken
#define SAMPLES 16 // of a quarter turn, where a line lies deep between the caps
#define RIM 16     // corners of a cap that are looked at

// ---- Solids of revolution

er_vec3 eri_cylinder_support(const eri_cylinder *c, er_vec3 n)
{
    double along = er_v3_dot(n, c->axis);
    er_vec3 out = er_v3_madd(n, -along, c->axis);
    er_vec3 cap = er_v3_madd(c->at, along < 0.0 ? -c->half : c->half, c->axis);
    return er_v3_madd(cap, c->radius, er_v3_unit(out, er_v3(0, 0, 0)));
}

double eri_cylinder_extent(const eri_cylinder *c, er_vec3 n)
{
    return er_v3_dot(n, c->at) + c->radius * er_v3_norm(er_v3_cross(n, c->axis)) +
           c->half * fabs(er_v3_dot(n, c->axis));
}

void eri_cylinder_outline(const eri_cylinder *c, er_vec3 outward, const eri_projection *screen, eri_outline *outline)
{
    double along = er_v3_dot(outward, c->axis);
    eri_outline_begin(outline);
    if (fabs(along) < ERI_STANDS) {
        er_vec3 side = er_v3_unit(er_v3_madd(outward, -along, c->axis), c->mark);
        side = er_v3_madd(c->at, c->radius, side);
        for (int k = 0; k < 2; ++k)
            eri_outline_add(outline, screen, er_v3_madd(side, k == 0 ? -c->half : c->half, c->axis), k, 0);
        return;
    }
    er_vec3 up = er_v3_scale(along < 0.0 ? -1.0 : 1.0, c->axis), middle = er_v3_madd(c->at, c->half, up);
    er_vec3 aside = er_v3_cross(c->axis, c->mark);
    bool left = er_v3_dot(c->axis, screen->n) > 0.0; // the mark turns counter-clockwise on the screen
    for (int k = 0; k < RIM; ++k) {
        int turn = left ? k : RIM - 1 - k, next = left ? turn : (turn + RIM - 1) % RIM;
        double angle = 2.0 * ER_PI / RIM * turn;
        er_vec3 out = er_v3_madd(er_v3_scale(cos(angle), c->mark), sin(angle), aside);
        int first = along < 0.0 ? RIM : 0;
        eri_outline_add(outline, screen, er_v3_madd(middle, c->radius, out), first + turn, first + next);
    }
    eri_outline_slope(outline, screen, up);
}

// ---- Square to an edge

/// A cylinder as seen along an edge: an ellipse and a segment, summed; a quarter of it.
typedef struct eri_quarter {
    double u, w;         ///< the edge, along the axis as it is seen, and across
    double length;       ///< of the segment, half
    double radius, flat; ///< the ellipse is as wide as the radius, and `flat` times that along u
} eri_quarter;

/// How the gap along (cos, sin) of an angle rises with it.
static double rise(const eri_quarter *q, double angle)
{
    double x = cos(angle), y = sin(angle), f = q->flat;
    double root = sqrt(f * f * x * x + y * y);
    double bend = root > 0.0 ? q->radius * (1.0 - f * f) * x * y / root : 0.0;
    return (q->length - q->u) * y + q->w * x - bend;
}

/// Where the gap ceases to rise, between an angle where it rises and one where it falls (Dowell, Jarratt 1971).
static double fall_between(const eri_quarter *q, double low, double high)
{
    double up = rise(q, low), down = rise(q, high), at = low;
    int side = 0;
    for (int k = 0; k < ROOT && high - low > 1e-15 && up - down > 0.0; ++k) {
        at = low + (high - low) * (up / (up - down));
        double slope = rise(q, at);
        if (slope == 0.0) break;
        if (slope > 0.0) {
            if (side > 0) down *= slope < up ? 1.0 - slope / up : 0.5;
            low = at;
            up = slope;
            side = 1;
        } else {
            if (side < 0) up *= slope > down ? 1.0 - slope / down : 0.5;
            high = at;
            down = slope;
            side = -1;
        }
    }
    return at;
}

/// An angle at which the gap past the rim is wider than at those beside it; none: it is so past a cap or the side.
static bool widest_angle(const eri_quarter *q, double *angle)
{
    const double right = 0.5 * ER_PI;
    if (q->u > q->length && q->w >= 0.0) {
        *angle = fall_between(q, 0.0, right);
        return true;
    }
    if (q->w >= q->radius) return false;
    double before = rise(q, 0.0);
    for (int k = 1; k <= SAMPLES; ++k) {
        double slope = rise(q, right * k / SAMPLES);
        if (before >= 0.0 && slope < 0.0) {
            *angle = fall_between(q, right * (k - 1) / SAMPLES, right * k / SAMPLES);
            return true;
        }
        before = slope;
    }
    return false;
}

bool eri_widest_across(er_vec3 axis, double radius, double half, er_vec3 e, er_vec3 b, int quarter, double known,
                       er_vec3 *normal)
{
    double flat = er_v3_dot(axis, e), angle;
    er_vec3 u = er_v3_madd(axis, -flat, e);
    double sine = er_v3_norm(u);
    if (!(sine > ERI_PARALLEL)) return false; // radial
    u = eri_square_to(u, e);
    er_vec3 w = er_v3_cross(u, e);
    if ((er_v3_dot(b, u) < 0.0) != (quarter & 1)) u = er_v3_scale(-1.0, u);
    if ((er_v3_dot(b, w) < 0.0) != (quarter >> 1)) w = er_v3_scale(-1.0, w);
    eri_quarter q = {er_v3_dot(b, u), er_v3_dot(b, w), half * sine, radius, fabs(flat)};
    // The ellipse reaches R sin(angle) at least, so the gap is at most -(length - u) cos(angle) - (R - w) sin(angle).
    if (-eri_min(q.length - q.u, q.radius - q.w) < eri_min(known, 0.0)) return false;
    if (!widest_angle(&q, &angle)) return false;
    er_vec3 n = er_v3_madd(er_v3_scale(cos(angle), u), sin(angle), w);
    *normal = er_v3_unit(n, n);
    return true;
}
