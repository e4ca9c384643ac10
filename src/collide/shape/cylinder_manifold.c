/// @file
/// Touches of cylinders: faces of a hull, caps and the line along a side before each other along the widest gap.
#include "collide/shape/cylinder.h"
#include "collide/shape/shape_manifold.h"

static eri_cylinder rolled_of(const er_shape *shape, er_pose pose)
{
    er_mat3 turn = er_m3_from_q(pose.q);
    return (eri_cylinder){pose.p, er_m3_column(turn, 2), er_m3_column(turn, 0), shape->radius, 0.5 * shape->length};
}

/// Whether the farthest point along n is one point of a rim.
static bool is_rim(const eri_cylinder *c, er_vec3 n)
{
    return fabs(er_v3_dot(n, c->axis)) > ERI_PARALLEL && er_v3_norm(er_v3_cross(n, c->axis)) > ERI_PARALLEL;
}

/// A point of a segment within a radius of the axis, in the middle of what there is; its nearest one, where there is
/// none.
static er_vec3 within(double radius, er_vec3 p, er_vec3 q)
{
    er_vec3 u = er_v3_sub(q, p);
    double u2 = u.x * u.x + u.y * u.y, t = u2 > 0.0 ? -(p.x * u.x + p.y * u.y) / u2 : 0.0;
    double cross = p.x * u.y - p.y * u.x, chord2 = radius * radius * u2 - cross * cross;
    double half = chord2 > 0.0 ? sqrt(chord2) / u2 : 0.0;
    return er_v3_madd(p, 0.5 * (eri_min(1.0, eri_max(0.0, t - half)) + eri_min(1.0, eri_max(0.0, t + half))), u);
}

/// The point of a cylinder closest to a hull along n, or deepest in it. The hull's end there is a vertex, or lies
/// before a rim, a line along the side, or a cap.
static er_vec3 closest_of(const eri_pair *pair, const eri_cylinder *c, er_vec3 n, double gap, int vertex)
{
    if (is_rim(c, n)) return eri_cylinder_support(c, n);
    const er_hull *hull = pair->hull[1];
    er_feature end = eri_pair_end(pair, 1, n, 1, &vertex);
    er_vec3 v = eri_pair_vertex(pair, 1, vertex);
    if (end.kind == ER_FEATURE_VERTEX) return er_v3_madd(v, -gap, n);
    if (fabs(n.z) > 0.5) {
        er_vec3 w = eri_pair_vertex(pair, 1, eri_feature_vertex(hull, end, eri_feature_vertex(hull, end, 0) == vertex));
        return er_v3_madd(within(c->radius, v, w), -gap, n);
    }
    eri_core line;
    eri_pair beside = *pair;
    er_feature feature[2] = {{ER_FEATURE_EDGE, 0}, end};
    er_vec3 point[2] = {er_v3_madd(v, -gap, n), v};
    eri_core_begin(&line, &(er_shape){.kind = ER_SHAPE_CAPSULE, .length = 2.0 * c->half});
    for (int k = 0; k < 2; ++k)
        line.vertex[k] = er_v3_madd(line.vertex[k], c->radius, n);
    beside.hull[0] = line.hull;
    eri_pair_facing(&beside, feature, n, gap, point);
    return point[0];
}

void eri_cylinder_closest(eri_pair *pair, const er_shape *shape, er_closest *closest)
{
    eri_cylinder own = rolled_of(shape, er_pose_identity());
    int vertex;
    closest->distance = eri_cylinder_gap(pair, own.radius, own.half, &closest->normal, &vertex);
    closest->point[0] = closest_of(pair, &own, closest->normal, closest->distance, vertex);
    closest->point[1] = er_v3_madd(closest->point[0], closest->distance, closest->normal);
    closest->feature[0] = (er_feature){ER_FEATURE_VERTEX, 0};
    closest->feature[1] = eri_pair_end(pair, 1, closest->normal, 1, &vertex);
}

double eri_cylinder_patch(eri_pair *pair, const er_shape *shape, double most, er_vec3 *n, eri_patch *patch)
{
    eri_cylinder own = rolled_of(shape, er_pose_identity());
    int vertex;
    double gap = eri_cylinder_gap(pair, own.radius, own.half, n, &vertex), slack = ERI_FLAT * pair->size;
    if (!(gap <= most)) return gap;
    eri_projection screen = eri_projection_at(eri_pair_vertex(pair, 1, vertex), *n);
    eri_outline rolled, other;
    eri_cylinder_outline(&own, *n, &screen, &rolled);
    if (eri_outline_of(pair, 1, &screen, eri_pair_end(pair, 1, *n, 1, &vertex), &other))
        slack = eri_max(slack, eri_outlines_overlap(&screen, &rolled, &other, most, patch));
    if (eri_patch_min_distance(patch) > gap + slack)
        eri_patch_add(patch, closest_of(pair, &own, *n, gap, vertex), gap, *n, 0);
    eri_patch_reduce(patch, *n, slack);
    return gap;
}

int eri_collide_cylinder_core(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                              er_closest_cache *cache, er_manifold_point *points)
{
    (void)cache;
    eri_core core[2];
    eri_core_begin(&core[0], a);
    eri_core_begin(&core[1], b);
    eri_pair pair = eri_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
    er_vec3 n;
    eri_patch patch;
    eri_patch_begin(&patch, pose_a.q);
    eri_cylinder_patch(&pair, a, margin + core[1].radius, &n, &patch);
    return eri_patch_finish(&patch, pose_a, n, 0.0, core[1].radius, points);
}

/// Two cylinders in A's frame.
typedef struct eri_two {
    eri_cylinder own, other;
    er_vec3 n;
    double gap;
} eri_two;

static eri_two two_of(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b)
{
    er_quat back = er_q_conj(pose_a.q);
    er_pose pose = {er_q_mul(back, pose_b.q), er_q_rotate(back, er_v3_sub(pose_b.p, pose_a.p))};
    eri_two two = {.own = rolled_of(a, er_pose_identity()), .other = rolled_of(b, pose)};
    two.gap = eri_cylinders_gap(&two.own, &two.other, &two.n);
    return two;
}

/// Whether one has a point of a rim there; the point on A.
static bool touch_at_rim(const eri_two *two, er_vec3 *on_a)
{
    bool rim = is_rim(&two->other, two->n);
    *on_a = rim ? er_v3_madd(eri_cylinder_support(&two->other, er_v3_scale(-1.0, two->n)), -two->gap, two->n)
                : eri_cylinder_support(&two->own, two->n);
    return rim || is_rim(&two->own, two->n);
}

/// Overlap of the two along n.   @return slack: distances within it are equal
static double patch_of(const eri_two *two, double most, eri_patch *patch)
{
    er_vec3 end;
    bool rim = touch_at_rim(two, &end);
    eri_projection screen = eri_projection_at(end, two->n);
    eri_outline mine, yours;
    eri_cylinder_outline(&two->own, two->n, &screen, &mine);
    eri_cylinder_outline(&two->other, er_v3_scale(-1.0, two->n), &screen, &yours);
    double slack = eri_outlines_overlap(&screen, &mine, &yours, most, patch);
    if (rim && eri_patch_min_distance(patch) > two->gap + slack) eri_patch_add(patch, end, two->gap, two->n, 0);
    return slack;
}

int eri_collide_cylinders(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                          er_closest_cache *cache, er_manifold_point *points)
{
    (void)cache;
    eri_two two = two_of(a, pose_a, b, pose_b);
    if (!(two.gap <= margin)) return 0;
    eri_patch patch;
    eri_patch_begin(&patch, pose_a.q);
    eri_patch_reduce(&patch, two.n, patch_of(&two, margin, &patch));
    return eri_patch_finish(&patch, pose_a, two.n, 0.0, 0.0, points);
}

void eri_cylinders_closest(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, er_closest *closest)
{
    eri_two two = two_of(a, pose_a, b, pose_b);
    er_vec3 on_a;
    if (!touch_at_rim(&two, &on_a)) {
        eri_patch patch;
        eri_patch_begin(&patch, pose_a.q);
        patch_of(&two, HUGE_VAL, &patch);
        double least = eri_patch_min_distance(&patch);
        for (int k = patch.count; k-- > 0;)
            if (patch.point[k].distance == least) on_a = patch.point[k].at[0];
    }
    *closest = (er_closest){two.gap, {on_a, er_v3_madd(on_a, two.gap, two.n)}, two.n, {{0}}};
}

/// Four marks of a cap's rim, and its lowest point; lying, the lowest points of both rims.
int eri_collide_cylinder_plane(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                               er_closest_cache *cache, er_manifold_point *points)
{
    (void)b;
    (void)cache;
    er_vec3 up = eri_axis_z(pose_b.q), down = er_q_rotate(er_q_conj(pose_a.q), er_v3_scale(-1.0, up));
    eri_cylinder own = rolled_of(a, er_pose_identity());
    double middle = er_v3_dot(up, er_v3_sub(pose_a.p, pose_b.p)), cap = down.z < 0.0 ? -own.half : own.half;
    if (!(middle - eri_cylinder_extent(&own, down) <= margin)) return 0;
    er_vec3 lowest = er_v3_scale(own.radius, er_v3_unit(er_v3(down.x, down.y, 0.0), er_v3(0, 0, 0)));
    eri_patch patch;
    eri_patch_begin(&patch, pose_a.q);
    bool stands = fabs(down.z) >= ERI_STANDS;
    for (int k = 0; stands && k < 4; ++k) {
        const er_vec3 mark = {k == 0   ? own.radius
                              : k == 2 ? -own.radius
                                       : 0.0,
                              k == 1   ? own.radius
                              : k == 3 ? -own.radius
                                       : 0.0,
                              cap};
        eri_patch_add(&patch, mark, middle - er_v3_dot(down, mark), down,
                      eri_feature_id(ERI_FEATURES_VERTEX_A, down.z < 0.0, k));
    }
    double slack = ERI_SLACK * own.radius;
    for (int k = 0; k < 2; ++k) {
        er_vec3 x = er_v3(lowest.x, lowest.y, k == 0 ? -own.half : own.half);
        double height = middle - er_v3_dot(down, x);
        if (stands && (x.z != cap || height >= eri_patch_min_distance(&patch) - slack)) continue;
        eri_patch_add(&patch, x, height, down, eri_feature_id(ERI_FEATURES_EDGES, k, 0));
    }
    int count = 0;
    for (int k = 0; k < patch.count; ++k)
        if (patch.point[k].distance <= margin) patch.point[count++] = patch.point[k];
    patch.count = count;
    eri_patch_reduce(&patch, down, slack);
    return eri_patch_finish(&patch, pose_a, down, 0.0, 0.0, points);
}
