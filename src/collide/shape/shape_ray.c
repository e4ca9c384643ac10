/// @file
/// The first intersection of a ray with a shape.
#include "collide/shape/surface.h"

/// The part of a ray inside a convex solid, from `in` to `out`, and the surface's normal at `in`.
typedef struct eri_span {
    double in, out;
    er_vec3 normal;
} eri_span;

/// Cuts off what lies beyond a plane: on which normal . x is `height` where the ray begins, and grows by `slope`.
static void cut(eri_span *span, er_vec3 normal, double height, double slope)
{
    if (slope == 0.0) {
        if (height > 0.0) span->out = -HUGE_VAL;
        return;
    }
    double at = -height / slope;
    if (slope > 0.0)
        span->out = eri_min(span->out, at);
    else if (at > span->in) {
        span->in = at;
        span->normal = normal;
    }
}

static void cut_slab(eri_span *span, er_vec3 axis, double half, er_vec3 from, er_vec3 way)
{
    double x = er_v3_dot(axis, from), v = er_v3_dot(axis, way);
    cut(span, axis, x - half, v);
    cut(span, er_v3_scale(-1.0, axis), -x - half, -v);
}

/// Cuts off what lies out of a ball, or of a cylinder without ends where both have no part along z.
static void cut_round(eri_span *span, double radius, er_vec3 from, er_vec3 way)
{
    double v2 = er_v3_dot(way, way), middle = v2 > 0.0 ? -er_v3_dot(from, way) / v2 : 0.0;
    er_vec3 nearest = er_v3_madd(from, middle, way);
    double chord2 = radius * radius - er_v3_dot(nearest, nearest);
    if (!(chord2 >= 0.0)) {
        span->out = -HUGE_VAL;
        return;
    }
    double half = v2 > 0.0 ? sqrt(chord2 / v2) : HUGE_VAL;
    if (middle - half > span->in) {
        span->in = middle - half;
        span->normal = er_v3_scale(1.0 / radius, er_v3_madd(from, span->in, way));
    }
    span->out = eri_min(span->out, middle + half);
}

static eri_span first_of(eri_span a, eri_span b)
{
    bool in_a = a.in <= a.out && a.out >= 0.0, in_b = b.in <= b.out && b.out >= 0.0;
    return !in_b || (in_a && a.in <= b.in) ? a : b;
}

static eri_span capsule_span(const er_shape *shape, er_vec3 from, er_vec3 way)
{
    const eri_span all = {-HUGE_VAL, HUGE_VAL, {0, 0, 0}};
    eri_span side = all;
    cut_round(&side, shape->radius, er_v3(from.x, from.y, 0), er_v3(way.x, way.y, 0));
    cut_slab(&side, er_v3(0, 0, 1), 0.5 * shape->length, from, way);
    for (int k = 0; k < 2; ++k) {
        eri_span ball = all;
        cut_round(&ball, shape->radius, er_v3_sub(from, er_v3(0, 0, (k - 0.5) * shape->length)), way);
        side = first_of(side, ball);
    }
    return side;
}

/// The span of a convex solid in its own frame.
static eri_span span_of(const er_shape *shape, er_vec3 from, er_vec3 way)
{
    const er_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    eri_span span = {-HUGE_VAL, HUGE_VAL, {0, 0, 0}};
    switch (shape->kind) {
    case ER_SHAPE_SPHERE:
        cut_round(&span, shape->radius, from, way);
        break;
    case ER_SHAPE_CAPSULE:
        return capsule_span(shape, from, way);
    case ER_SHAPE_BOX:
        cut_slab(&span, x, shape->half.x, from, way);
        cut_slab(&span, y, shape->half.y, from, way);
        cut_slab(&span, z, shape->half.z, from, way);
        break;
    case ER_SHAPE_CYLINDER:
        cut_round(&span, shape->radius, er_v3(from.x, from.y, 0), er_v3(way.x, way.y, 0));
        cut_slab(&span, z, 0.5 * shape->length, from, way);
        break;
    case ER_SHAPE_HULL:
        for (int f = 0; f < shape->hull->face_count; ++f) {
            const er_hull_plane *plane = &shape->hull->plane[f];
            cut(&span, plane->normal, er_v3_dot(plane->normal, from) - plane->offset, er_v3_dot(plane->normal, way));
        }
        break;
    default:
        cut(&span, z, from.z, way.z);
    }
    return span;
}

/// Whether the ray hits a box within `most`.
static bool meets_box(er_vec3 low, er_vec3 high, er_vec3 from, er_vec3 way, double most)
{
    eri_span span = {0.0, most, {0, 0, 0}};
    er_vec3 middle = er_v3_scale(0.5, er_v3_add(low, high)), half = er_v3_scale(0.5, er_v3_sub(high, low));
    er_vec3 at = er_v3_sub(from, middle);
    double slack = 1e-12 * (er_v3_norm(half) + er_v3_norm(at)); // of a flat box
    cut_slab(&span, er_v3(1, 0, 0), half.x + slack, at, way);
    cut_slab(&span, er_v3(0, 1, 0), half.y + slack, at, way);
    cut_slab(&span, er_v3(0, 0, 1), half.z + slack, at, way);
    return span.in <= span.out;
}

/// Whether and where the ray meets a triangle. Edges count, and are computed alike for both of their triangles, so that
/// no ray passes between them.
static bool meets_triangle(const er_vec3 *p, er_vec3 from, er_vec3 way, double *distance)
{
    er_vec3 d[3] = {er_v3_sub(p[0], from), er_v3_sub(p[1], from), er_v3_sub(p[2], from)};
    double share[3], sum = 0.0, at = 0.0;
    for (int k = 0; k < 3; ++k) {
        share[k] = er_v3_dot(way, er_v3_cross(d[(k + 1) % 3], d[(k + 2) % 3]));
        sum += share[k];
    }
    bool all = (share[0] >= 0.0 && share[1] >= 0.0 && share[2] >= 0.0) ||
               (share[0] <= 0.0 && share[1] <= 0.0 && share[2] <= 0.0);
    if (!all || sum == 0.0) return false;
    for (int k = 0; k < 3; ++k)
        at += share[k] / sum * er_v3_dot(way, d[k]);
    *distance = at / er_v3_dot(way, way);
    return *distance >= 0.0;
}

static bool ray_mesh(const er_surface *surface, er_vec3 from, er_vec3 way, double most, double *distance,
                     er_vec3 *normal)
{
    int waiting = 1, stack[ERI_MESH_DEPTH] = {0};
    bool found = false;
    while (waiting > 0) {
        int at = stack[--waiting];
        const eri_surface_node *node = &surface->node[at];
        if (!meets_box(node->low, node->high, from, way, most)) continue;
        if (node->other > 0) {
            stack[waiting++] = node->other;
            stack[waiting++] = at + 1;
            continue;
        }
        for (int t = node->first; t < node->first + node->count; ++t) {
            er_vec3 p[3];
            double d;
            eri_surface_corners(surface, t, p);
            if (!meets_triangle(p, from, way, &d) || d > most) continue;
            found = true;
            *distance = most = d;
            *normal = surface->triangle[t].normal;
        }
    }
    if (found && er_v3_dot(*normal, way) > 0.0) *normal = er_v3_scale(-1.0, *normal);
    return found;
}

bool er_shape_ray(const er_shape *shape, er_pose pose, er_vec3 from, er_vec3 direction, double most, double *distance,
                  er_vec3 *normal)
{
    from = er_pose_point_inverse(pose, from);
    er_vec3 way = er_q_rotate(er_q_conj(pose.q), direction);
    if (shape->kind == ER_SHAPE_MESH) {
        if (!ray_mesh(shape->surface, from, way, most, distance, normal)) return false;
    } else {
        eri_span span = span_of(shape, from, way);
        if (!(span.in <= span.out && span.out >= 0.0 && span.in <= most)) return false;
        *distance = eri_max(0.0, span.in);
        *normal = span.in < 0.0 ? er_v3_scale(-1.0, way) : span.normal;
    }
    *normal = er_q_rotate(pose.q, *normal);
    return true;
}
