/// @file
/// Touches of cylinders: faces of a hull, caps and the line along a side before each other along the widest gap.
#include "collide/touch/cylinder.h"
#include "collide/touch/solids.h"

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
    return er_v3_madd(p, 0.5 * (er_min(1.0, er_max(0.0, t - half)) + er_min(1.0, er_max(0.0, t + half))), u);
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
        slack = er_max(slack, er_outlines_meet(&screen, &rolled, &other, most, spots));
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
    if (!(middle - er_rolled_reach(&own, down) <= margin)) return 0;
    er_vec3 lowest = er_v3_scale(own.radius, er_v3_unit(er_v3(down.x, down.y, 0.0), er_v3(0, 0, 0)));
    er_spots spots;
    er_spots_begin(&spots, pose_a.q);
    bool stands = fabs(down.z) >= ER_STANDS;
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
