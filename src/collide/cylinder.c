/// @file
/// The widest gap between a cylinder and a hull, or another cylinder. Directions that can part them widest are few
/// kinds: the normals of faces and caps; square to an edge and to the axis; radial, to a vertex; and square to an edge,
/// past a rim, which is a root to find. Each is tried by supports, so none makes the gap wider than it is.
#include "collide/cylinder.h"

#include "collide/solids.h"

#define CLIMB 100  // rounds, fewer are taken
#define ROOT 60    // steps to a root, fewer are taken
#define SAMPLES 16 // of a quarter turn, where a corner lies deep between the caps
#define NEWTON 40  // steps, fewer are taken
#define SHARP 1e-7 // radian: Newton's step from as near is the last
#define STEEP 0.5  // the cosine from which a cap is at the end
#define RIM 16     // corners of a cap that are looked at

// ---- Solids of revolution

er_vec3 er_rolled_support(const er_rolled *c, er_vec3 n)
{
    double along = er_v3_dot(n, c->axis);
    er_vec3 out = er_v3_madd(n, -along, c->axis);
    er_vec3 cap = er_v3_madd(c->at, along < 0.0 ? -c->half : c->half, c->axis);
    return er_v3_madd(cap, c->radius, er_v3_unit(out, er_v3(0, 0, 0)));
}

static double reach(const er_rolled *c, er_vec3 n)
{
    return er_v3_dot(n, c->at) + c->radius * er_v3_norm(er_v3_cross(n, c->axis)) +
           c->half * fabs(er_v3_dot(n, c->axis));
}

void er_rolled_outline(const er_rolled *c, er_vec3 outward, const er_screen *screen, er_outline *outline)
{
    double along = er_v3_dot(outward, c->axis);
    er_outline_begin(outline);
    if (fabs(along) < STEEP) {
        er_vec3 side = er_v3_unit(er_v3_madd(outward, -along, c->axis), c->mark);
        side = er_v3_madd(c->at, c->radius, side);
        for (int k = 0; k < 2; ++k)
            er_outline_add(outline, screen, er_v3_madd(side, k == 0 ? -c->half : c->half, c->axis), k, 0);
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
        er_outline_add(outline, screen, er_v3_madd(middle, c->radius, out), first + turn, first + next);
    }
    er_outline_slope(outline, screen, up);
}

// ---- Square to an edge

/// A cylinder as seen along an edge: an ellipse and a segment, summed; a quarter of it.
typedef struct er_quarter {
    double u, w;         ///< the edge, along the axis as it is seen, and across
    double length;       ///< of the segment, half
    double radius, flat; ///< the ellipse is as wide as the radius, and `flat` times that along u
} er_quarter;

/// How the gap along (cos, sin) of an angle rises with it.
static double rise(const er_quarter *q, double angle)
{
    double x = cos(angle), y = sin(angle), f = q->flat;
    double root = sqrt(f * f * x * x + y * y);
    double bend = root > 0.0 ? q->radius * (1.0 - f * f) * x * y / root : 0.0;
    return (q->length - q->u) * y + q->w * x - bend;
}

/// Where the gap ceases to rise, between an angle where it rises and one where it falls (Dowell, Jarratt 1971).
static double fall_between(const er_quarter *q, double low, double high)
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
static bool widest_angle(const er_quarter *q, double *angle)
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

/// The direction square to the unit vector e along which the gap between a cylinder around the origin, about the unit
/// vector `axis`, and the line along e through b is widest past a rim.
/// @param quarter  0: of those that look toward the line; 1 to 3: of those that do not along one axis of the picture,
///                 the other or both
/// @return whether there is one
static bool widest_across(er_vec3 axis, double radius, double half, er_vec3 e, er_vec3 b, int quarter, er_vec3 *normal)
{
    double flat = er_v3_dot(axis, e), angle;
    er_vec3 u = er_v3_madd(axis, -flat, e);
    double sine = er_v3_norm(u);
    if (!(sine > ER_PARALLEL)) return false; // radial
    u = er_square_to(u, e);
    er_vec3 w = er_v3_cross(u, e);
    if ((er_v3_dot(b, u) < 0.0) != (quarter & 1)) u = er_v3_scale(-1.0, u);
    if ((er_v3_dot(b, w) < 0.0) != (quarter >> 1)) w = er_v3_scale(-1.0, w);
    er_quarter q = {er_v3_dot(b, u), er_v3_dot(b, w), half * sine, radius, fabs(flat)};
    if (!widest_angle(&q, &angle)) return false;
    er_vec3 n = er_v3_madd(er_v3_scale(cos(angle), u), sin(angle), w);
    *normal = er_v3_unit(n, n);
    return true;
}

// ---- A hull

typedef struct er_widest {
    er_pair *pair;
    double radius, half; ///< of the cylinder, along z
    double gap, slack;
    er_vec3 normal;
    int vertex; ///< the hull's support
} er_widest;

static double cylinder_reach(const er_widest *widest, er_vec3 n)
{
    return widest->radius * hypot(n.x, n.y) + widest->half * fabs(n.z);
}

static void try_normal(er_widest *widest, er_vec3 n)
{
    er_pair *pair = widest->pair;
    int v = pair->hint[1] = er_hull_support(pair->hull[1], er_pair_outward(pair, 1, n), pair->hint[1]);
    double gap = er_v3_dot(n, er_pair_vertex(pair, 1, v)) - cylinder_reach(widest, n);
    if (!(gap > widest->gap) || !er_pair_allows(pair, n)) return;
    widest->gap = gap;
    widest->normal = n;
    widest->vertex = v;
}

/// Tries a normal where a point of the hull known does not say that it is none.
static void try_line(er_widest *widest, er_vec3 n, er_vec3 b)
{
    if (er_v3_dot(n, b) - cylinder_reach(widest, n) > widest->gap - widest->slack) try_normal(widest, n);
}

static void try_face(er_widest *widest, int f)
{
    try_line(widest, er_v3_scale(-1.0, er_pair_normal(widest->pair, 1, f)),
             er_pair_vertex(widest->pair, 1, widest->vertex));
}

/// From a point of the cylinder to x, where that lies outside.
static er_vec3 outward(const er_widest *widest, er_vec3 x)
{
    double r = hypot(x.x, x.y), keep = r > widest->radius ? 1.0 - widest->radius / r : 0.0;
    double z = fmax(-widest->half, fmin(widest->half, x.z));
    return er_v3(keep * x.x, keep * x.y, x.z - z);
}

static void try_vertex(er_widest *widest, int v)
{
    er_vec3 x = er_pair_vertex(widest->pair, 1, v), out = outward(widest, x), n = er_v3(x.x, x.y, 0.0);
    try_normal(widest, er_direction(n, er_v3(1, 0, 0)));
    try_normal(widest, er_direction(out, er_v3(0, 0, 1)));
}

/// @param quarters  1, or 4: where the solids are deep in each other
static void try_edge(er_widest *widest, int e, int quarters)
{
    const er_vec3 z = {0, 0, 1};
    er_vec3 along = er_pair_along(widest->pair, 1, e), n = er_v3(-along.y, along.x, 0.0);
    er_vec3 b = er_pair_vertex(widest->pair, 1, widest->pair->hull[1]->edge[e].vertex[0]);
    along = er_v3_unit(along, z);
    if (er_v3_norm(n) > 0.0) {
        n = er_square_to(er_v3_unit(n, n), along);
        try_line(widest, n, b);
        try_line(widest, er_v3_scale(-1.0, n), b);
    }
    for (int quarter = 0; quarter < quarters; ++quarter)
        if (widest_across(z, widest->radius, widest->half, along, b, quarter, &n)) try_line(widest, n, b);
}

/// What is around the hull's support.
static void try_around(er_widest *widest)
{
    const er_hull *hull = widest->pair->hull[1];
    int v = widest->vertex;
    try_vertex(widest, v);
    for (int s = hull->vertex_start[v]; s < hull->vertex_start[v + 1]; ++s) {
        const er_hull_edge *edge = &hull->edge[hull->vertex_edge[s]];
        if (hull->face_count > 0) try_face(widest, edge->face[edge->vertex[0] == v ? 0 : 1]);
        try_edge(widest, hull->vertex_edge[s], 1);
    }
}

/// Vertices and edges that come as near to the cylinder as the closest, or the deepest, must.
static void try_near(er_widest *widest)
{
    const er_hull *hull = widest->pair->hull[1];
    er_vec3 n = widest->normal;
    double apart = er_v3_norm(outward(widest, er_pair_vertex(widest->pair, 1, widest->vertex)));
    double most = cylinder_reach(widest, n) + fmax(apart, -widest->gap) + widest->slack;
    for (int v = 0; v < hull->vertex_count; ++v) {
        if (er_v3_dot(n, er_pair_vertex(widest->pair, 1, v)) > most) continue;
        try_vertex(widest, v);
    }
    for (int e = 0; e < hull->edge_count; ++e) {
        const int *v = hull->edge[e].vertex;
        if (er_v3_dot(n, er_pair_vertex(widest->pair, 1, v[0])) <= most ||
            er_v3_dot(n, er_pair_vertex(widest->pair, 1, v[1])) <= most)
            try_edge(widest, e, hull->face_count > 0 && widest->gap < 0.0 ? 4 : 1);
    }
}

double er_cylinder_gap(er_pair *pair, double radius, double half, er_vec3 *normal, int *vertex)
{
    const er_hull *hull = pair->hull[1];
    er_widest widest = {pair, radius, half, -HUGE_VAL, ER_FLAT * pair->size, .normal = {0, 0, 1}};
    er_vec3 centre = er_v3_add(er_m3_mul_v(pair->turn, hull->centre), pair->shift);
    try_normal(&widest, er_v3(0, 0, centre.z < 0.0 ? -1.0 : 1.0));
    try_normal(&widest, er_direction(er_v3(centre.x, centre.y, 0.0), er_v3(1, 0, 0)));
    for (int step = 0; step < CLIMB; ++step) {
        double before = widest.gap;
        try_around(&widest);
        if (!(widest.gap > before)) break;
    }
    try_normal(&widest, er_v3(0, 0, centre.z < 0.0 ? 1.0 : -1.0));
    for (int f = 0; f < hull->face_count; ++f)
        try_face(&widest, f);
    try_near(&widest);
    *normal = widest.normal;
    *vertex = widest.vertex;
    return widest.gap;
}

// ---- Two cylinders

static double gap_along(const er_rolled *a, const er_rolled *b, er_vec3 n)
{
    return -reach(a, n) - reach(b, er_v3_scale(-1.0, n));
}

static void offer(const er_rolled *a, const er_rolled *b, er_vec3 n, double *widest, er_vec3 *normal)
{
    double gap = gap_along(a, b, n);
    if (!(gap > *widest)) return;
    *widest = gap;
    *normal = n;
}

/// How the reach past a rim bends along t and s, square to n: the second derivatives of R |n x axis|.
static double bend_of(const er_rolled *c, er_vec3 n, er_vec3 t, er_vec3 s)
{
    er_vec3 m = er_v3_cross(n, c->axis), p = er_v3_cross(t, c->axis), q = er_v3_cross(s, c->axis);
    double length = er_v3_norm(m);
    if (!(length > 0.0)) return 0.0;
    return c->radius * (er_v3_dot(p, q) - er_v3_dot(p, m) * er_v3_dot(m, q) / (length * length)) / length;
}

/// Newton's step to the widest gap: in the directions t, square to n.
/// @return how steeply the gap rises
static double step_of(const er_rolled *a, const er_rolled *b, er_vec3 n, double gap, const er_vec3 *t, double *step)
{
    // From A's farthest point to B's: along n that is the gap, across n how the gap rises.
    er_vec3 d = er_v3_sub(er_rolled_support(b, er_v3_scale(-1.0, n)), er_rolled_support(a, n));
    double x = er_v3_dot(d, t[0]), y = er_v3_dot(d, t[1]);
    double xx = bend_of(a, n, t[0], t[0]) + bend_of(b, n, t[0], t[0]) + gap;
    double xy = bend_of(a, n, t[0], t[1]) + bend_of(b, n, t[0], t[1]);
    double yy = bend_of(a, n, t[1], t[1]) + bend_of(b, n, t[1], t[1]) + gap, det = xx * yy - xy * xy;
    bool bowl = det > 0.0 && xx > 0.0;
    step[0] = bowl ? (x * yy - y * xy) / det : x / (a->radius + b->radius);
    step[1] = bowl ? (y * xx - x * xy) / det : y / (a->radius + b->radius);
    return hypot(x, y);
}

/// Past two rims: climbs from n to where the gap is widest near it, unless that is less wide than what is known.
static er_vec3 climb_rims(const er_rolled *a, const er_rolled *b, er_vec3 n, double known)
{
    double gap = gap_along(a, b, n), most = 0.5;
    for (int k = 0; k < NEWTON && most > 1e-12; ++k) {
        er_vec3 t[2] = {er_v3_perpendicular(n), {0, 0, 0}};
        t[1] = er_v3_cross(n, t[0]);
        double step[2];
        double steep = step_of(a, b, n, gap, t, step);
        double length = hypot(step[0], step[1]), scale = length > most ? most / length : 1.0;
        er_vec3 m = er_v3_madd(er_v3_madd(n, scale * step[0], t[0]), scale * step[1], t[1]);
        m = er_v3_unit(m, n);
        double next = gap_along(a, b, m);
        if (next > gap || length < SHARP) {
            gap = next;
            n = m;
            if (length < SHARP) break;
        } else {
            most = 0.25 * fmin(most, length);
            if (gap + 2.0 * steep * most < known) break;
        }
    }
    return n;
}

static er_vec3 end_of(const er_rolled *c, int high)
{
    return er_v3_madd(c->at, high ? c->half : -c->half, c->axis);
}

/// n or its opposite, from A to B: both cylinders are alike on both sides of their middle.
static void offer_line(const er_rolled *a, const er_rolled *b, er_vec3 n, double *widest, er_vec3 *normal)
{
    if (!(er_v3_norm(n) > ER_PARALLEL)) return;
    n = er_v3_unit(n, n);
    offer(a, b, er_v3_dot(n, er_v3_sub(b->at, a->at)) < 0.0 ? er_v3_scale(-1.0, n) : n, widest, normal);
}

double er_cylinders_gap(const er_rolled *a, const er_rolled *b, er_vec3 *normal)
{
    double widest = -HUGE_VAL;
    er_vec3 shift = er_v3_sub(b->at, a->at), n;
    *normal = a->axis;
    offer_line(a, b, a->axis, &widest, normal);
    offer_line(a, b, b->axis, &widest, normal);
    offer_line(a, b, er_v3_cross(a->axis, b->axis), &widest, normal);
    offer_line(a, b, er_square_to(shift, a->axis), &widest, normal);
    offer_line(a, b, er_square_to(shift, b->axis), &widest, normal);
    if (widest_across(b->axis, b->radius, b->half, a->axis, shift, 0, &n)) offer_line(a, b, n, &widest, normal);
    if (widest_across(a->axis, a->radius, a->half, b->axis, shift, 0, &n)) offer_line(a, b, n, &widest, normal);
    offer(a, b, climb_rims(a, b, *normal, widest), &widest, normal);
    for (int k = 0; k < 4; ++k) {
        n = er_v3_sub(end_of(b, k / 2), end_of(a, k % 2));
        offer(a, b, climb_rims(a, b, er_v3_unit(n, *normal), widest), &widest, normal);
    }
    return widest;
}

// ---- Touches

static er_rolled rolled_of(const er_shape *shape, er_pose pose)
{
    er_mat3 turn = er_m3_from_q(pose.q);
    return (er_rolled){pose.p, er_m3_column(turn, 2), er_m3_column(turn, 0), shape->radius, 0.5 * shape->length};
}

/// Whether the farthest point along n is one point of a rim.
static bool is_rim(const er_rolled *c, er_vec3 n)
{
    return fabs(er_v3_dot(n, c->axis)) > ER_PARALLEL && er_v3_norm(er_v3_cross(n, c->axis)) > ER_PARALLEL;
}

/// A point of a segment within a radius of the axis, in the middle of what there is; its nearest one, where there is
/// none.
static er_vec3 within(double radius, er_vec3 p, er_vec3 q)
{
    er_vec3 u = er_v3_sub(q, p);
    double u2 = u.x * u.x + u.y * u.y, t = u2 > 0.0 ? -(p.x * u.x + p.y * u.y) / u2 : 0.0;
    double cross = p.x * u.y - p.y * u.x, chord2 = radius * radius * u2 - cross * cross;
    double half = chord2 > 0.0 ? sqrt(chord2) / u2 : 0.0;
    return er_v3_madd(p, 0.5 * (fmin(1.0, fmax(0.0, t - half)) + fmin(1.0, fmax(0.0, t + half))), u);
}

/// The point of a cylinder where it is closest to a hull, or deepest, along n: what the hull has at its end there is a
/// vertex, or lies before a rim, a line along the side, or a cap.
static er_vec3 closest_of(const er_pair *pair, const er_rolled *c, er_vec3 n, double gap, int vertex)
{
    if (is_rim(c, n)) return er_rolled_support(c, n);
    const er_hull *hull = pair->hull[1];
    er_feature end = er_pair_end(pair, 1, n, 1, &vertex);
    er_vec3 v = er_pair_vertex(pair, 1, vertex);
    if (end.kind == ER_FEATURE_VERTEX) return er_v3_madd(v, -gap, n);
    if (fabs(n.z) > 0.5) {
        er_vec3 w = er_pair_vertex(pair, 1, er_feature_vertex(hull, end, er_feature_vertex(hull, end, 0) == vertex));
        return er_v3_madd(within(c->radius, v, w), -gap, n);
    }
    er_core line;
    er_pair beside = *pair;
    er_feature feature[2] = {{ER_FEATURE_EDGE, 0}, end};
    er_vec3 point[2] = {er_v3_madd(v, -gap, n), v};
    er_core_begin(&line, &(er_shape){.kind = ER_SHAPE_CAPSULE, .length = 2.0 * c->half});
    for (int k = 0; k < 2; ++k)
        line.vertex[k] = er_v3_madd(line.vertex[k], c->radius, n);
    beside.hull[0] = line.hull;
    er_pair_facing(&beside, feature, n, gap, point);
    return point[0];
}

void er_cylinder_closest(er_pair *pair, const er_shape *shape, er_closest *closest)
{
    er_rolled own = rolled_of(shape, er_pose_identity());
    int vertex;
    closest->distance = er_cylinder_gap(pair, own.radius, own.half, &closest->normal, &vertex);
    closest->point[0] = closest_of(pair, &own, closest->normal, closest->distance, vertex);
    closest->point[1] = er_v3_madd(closest->point[0], closest->distance, closest->normal);
    closest->feature[0] = (er_feature){ER_FEATURE_VERTEX, 0};
    closest->feature[1] = er_pair_end(pair, 1, closest->normal, 1, &vertex);
}

double er_cylinder_spots(er_pair *pair, const er_shape *shape, double most, er_vec3 *n, er_spots *spots)
{
    er_rolled own = rolled_of(shape, er_pose_identity());
    int vertex;
    double gap = er_cylinder_gap(pair, own.radius, own.half, n, &vertex), slack = ER_FLAT * pair->size;
    if (!(gap <= most)) return gap;
    er_screen screen = er_screen_at(er_pair_vertex(pair, 1, vertex), *n);
    er_outline rolled, other;
    er_rolled_outline(&own, *n, &screen, &rolled);
    if (er_outline_of(pair, 1, &screen, er_pair_end(pair, 1, *n, 1, &vertex), &other))
        slack = fmax(slack, er_outlines_meet(&screen, &rolled, &other, most, spots));
    if (er_spots_least(spots) > gap + slack) er_spots_add(spots, closest_of(pair, &own, *n, gap, vertex), gap, *n, 0);
    er_spots_reduce(spots, *n, slack);
    return gap;
}

int er_touch_cylinder_core(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                           er_closest_cache *cache, er_touch *touch)
{
    (void)cache;
    er_core core[2];
    er_core_begin(&core[0], a);
    er_core_begin(&core[1], b);
    er_pair pair = er_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    er_vec3 n;
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    er_cylinder_spots(&pair, a, margin + core[1].radius, &n, &spots);
    return er_touches_finish(&spots, pose_a, n, 0.0, core[1].radius, touch);
}

/// Two cylinders in A's frame.
typedef struct er_two {
    er_rolled own, other;
    er_vec3 n;
    double gap;
} er_two;

static er_two two_of(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b)
{
    er_quat back = er_q_conj(pose_a.q);
    er_pose pose = {er_q_mul(back, pose_b.q), er_q_rotate(back, er_v3_sub(pose_b.p, pose_a.p))};
    er_two two = {.own = rolled_of(a, er_pose_identity()), .other = rolled_of(b, pose)};
    two.gap = er_cylinders_gap(&two.own, &two.other, &two.n);
    return two;
}

/// Whether one has a point of a rim there; the point on A.
static bool meet_at_rim(const er_two *two, er_vec3 *on_a)
{
    bool rim = is_rim(&two->other, two->n);
    *on_a = rim ? er_v3_madd(er_rolled_support(&two->other, er_v3_scale(-1.0, two->n)), -two->gap, two->n)
                : er_rolled_support(&two->own, two->n);
    return rim || is_rim(&two->own, two->n);
}

/// Where they lie before each other.   @return what is alike
static double spots_of(const er_two *two, double most, er_spots *spots)
{
    er_vec3 end;
    bool rim = meet_at_rim(two, &end);
    er_screen screen = er_screen_at(end, two->n);
    er_outline mine, yours;
    er_rolled_outline(&two->own, two->n, &screen, &mine);
    er_rolled_outline(&two->other, er_v3_scale(-1.0, two->n), &screen, &yours);
    double slack = er_outlines_meet(&screen, &mine, &yours, most, spots);
    if (rim && er_spots_least(spots) > two->gap + slack) er_spots_add(spots, end, two->gap, two->n, 0);
    return slack;
}

int er_touch_cylinders(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                       er_closest_cache *cache, er_touch *touch)
{
    (void)cache;
    er_two two = two_of(a, pose_a, b, pose_b);
    if (!(two.gap <= margin)) return 0;
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    er_spots_reduce(&spots, two.n, spots_of(&two, margin, &spots));
    return er_touches_finish(&spots, pose_a, two.n, 0.0, 0.0, touch);
}

void er_cylinders_closest(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, er_closest *closest)
{
    er_two two = two_of(a, pose_a, b, pose_b);
    er_vec3 on_a;
    if (!meet_at_rim(&two, &on_a)) {
        er_spots spots;
        er_spots_begin(&spots, pose_a.q);
        spots_of(&two, HUGE_VAL, &spots);
        double least = er_spots_least(&spots);
        for (int k = spots.count; k-- > 0;)
            if (spots.spot[k].distance == least) on_a = spots.spot[k].at[0];
    }
    *closest = (er_closest){two.gap, {on_a, er_v3_madd(on_a, two.gap, two.n)}, two.n, {{0}}};
}

/// Four marks of a cap's rim, and its lowest point; lying, the lowest points of both rims.
int er_touch_cylinder_plane(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                            er_closest_cache *cache, er_touch *touch)
{
    (void)b;
    (void)cache;
    er_vec3 up = er_axis_z(pose_b.q), down = er_q_rotate(er_q_conj(pose_a.q), er_v3_scale(-1.0, up));
    er_rolled own = rolled_of(a, er_pose_identity());
    double middle = er_v3_dot(up, er_v3_sub(pose_a.p, pose_b.p)), cap = down.z < 0.0 ? -own.half : own.half;
    if (!(middle - reach(&own, down) <= margin)) return 0;
    er_vec3 lowest = er_v3_scale(own.radius, er_v3_unit(er_v3(down.x, down.y, 0.0), er_v3(0, 0, 0)));
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    bool stands = fabs(down.z) >= STEEP;
    for (int k = 0; stands && k < 4; ++k) {
        const er_vec3 mark = {k == 0   ? own.radius
                              : k == 2 ? -own.radius
                                       : 0.0,
                              k == 1   ? own.radius
                              : k == 3 ? -own.radius
                                       : 0.0,
                              cap};
        er_spots_add(&spots, mark, middle - er_v3_dot(down, mark), down,
                     er_feature_id(ER_MEET_VERTEX_A, down.z < 0.0, k));
    }
    double slack = ER_SLACK * own.radius;
    for (int k = 0; k < 2; ++k) {
        er_vec3 x = er_v3(lowest.x, lowest.y, k == 0 ? -own.half : own.half);
        double height = middle - er_v3_dot(down, x);
        if (stands && (x.z != cap || height >= er_spots_least(&spots) - slack)) continue;
        er_spots_add(&spots, x, height, down, er_feature_id(ER_MEET_EDGES, k, 0));
    }
    int count = 0;
    for (int k = 0; k < spots.count; ++k)
        if (spots.spot[k].distance <= margin) spots.spot[count++] = spots.spot[k];
    spots.count = count;
    er_spots_reduce(&spots, down, slack);
    return er_touches_finish(&spots, pose_a, down, 0.0, 0.0, touch);
}
