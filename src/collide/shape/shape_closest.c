/// @file
/// The closest points of any two shapes.
#include "collide/shape/cylinder.h"
#include "collide/shape/shape_manifold.h"
#include "collide/shape/surface.h"

/// From the cores and A's frame to the surfaces and the world.
static void finish(er_pose pose_a, double radius_a, double radius_b, er_closest *closest)
{
    er_vec3 n = closest->normal;
    closest->point[0] = er_v3_madd(closest->point[0], radius_a, n);
    closest->point[1] = er_v3_madd(closest->point[1], -radius_b, n);
    eri_pair_finish(pose_a, n, closest->distance - radius_a - radius_b, closest);
}

/// A solid and the hull of another core.
static void core_closest(const er_shape *a, er_pose pose_a, const eri_core *b, er_pose pose_b, er_closest_cache *cache,
                         er_closest *closest)
{
    eri_core core;
    eri_core_begin(&core, a);
    eri_pair pair = eri_pair_begin(core.hull, pose_a, b->hull, pose_b);
    if (a->kind == ER_SHAPE_CYLINDER)
        eri_cylinder_closest(&pair, a, closest);
    else
        eri_pair_closest(&pair, cache, closest);
    finish(pose_a, core.radius, b->radius, closest);
}

/// The point of a solid farthest along n, of its own frame.
static er_vec3 farthest(const er_shape *shape, er_vec3 n)
{
    if (shape->kind == ER_SHAPE_CYLINDER) {
        eri_cylinder own = {.axis = {0, 0, 1}, .radius = shape->radius, .half = 0.5 * shape->length};
        return eri_cylinder_support(&own, n);
    }
    eri_core core;
    eri_core_begin(&core, shape);
    int v = eri_hull_support(core.hull, n, 0);
    return er_v3_madd(core.hull->vertex[v], core.radius, n);
}

static void plane_closest(const er_shape *a, er_pose pose_a, er_pose plane, er_closest *closest)
{
    er_vec3 up = eri_axis_z(plane.q), down = er_v3_scale(-1.0, up);
    er_vec3 x = farthest(a, er_q_rotate(er_q_conj(pose_a.q), down));
    double height = er_v3_dot(up, er_v3_sub(pose_a.p, plane.p)) - er_v3_dot(down, er_q_rotate(pose_a.q, x));
    x = er_pose_point(pose_a, x);
    *closest = (er_closest){height, {x, er_v3_madd(x, height, down)}, down, {{0}}};
}

/// How far two boxes are apart.
static double boxes_apart(er_vec3 low_a, er_vec3 high_a, er_vec3 low_b, er_vec3 high_b)
{
    er_vec3 d = er_v3(eri_max(0.0, eri_max(low_a.x - high_b.x, low_b.x - high_a.x)),
                      eri_max(0.0, eri_max(low_a.y - high_b.y, low_b.y - high_a.y)),
                      eri_max(0.0, eri_max(low_a.z - high_b.z, low_b.z - high_a.z)));
    return er_v3_norm(d);
}

/// The nearest triangle, those in nearer boxes first.
static void mesh_closest(const er_shape *a, er_pose pose_a, const er_surface *surface, er_pose pose_b,
                         er_closest *closest)
{
    er_vec3 low, high;
    er_shape_box(a, er_pose_mul(er_pose_inverse(pose_b), pose_a), &low, &high);
    int waiting = 1, stack[ERI_MESH_DEPTH] = {0};
    *closest = (er_closest){.distance = HUGE_VAL, .normal = {0, 0, 1}};
    while (waiting > 0) {
        int at = stack[--waiting];
        const eri_surface_node *node = &surface->node[at];
        if (boxes_apart(low, high, node->low, node->high) > eri_max(0.0, closest->distance)) continue;
        if (node->other > 0) {
            const eri_surface_node *first = node + 1, *other = &surface->node[node->other];
            bool swap =
                boxes_apart(low, high, other->low, other->high) < boxes_apart(low, high, first->low, first->high);
            stack[waiting++] = swap ? at + 1 : node->other;
            stack[waiting++] = swap ? node->other : at + 1;
            continue;
        }
        for (int t = node->first; t < node->first + node->count; ++t) {
            eri_core triangle;
            er_vec3 corner[3];
            er_closest found;
            eri_surface_corners(surface, t, corner);
            eri_core_triangle(&triangle, corner, surface->triangle[t].normal);
            core_closest(a, pose_a, &triangle, pose_b, NULL, &found);
            if (found.distance < closest->distance) *closest = found;
        }
    }
}

static void swap_sides(er_closest *closest)
{
    er_vec3 point = closest->point[0];
    er_feature feature = closest->feature[0];
    closest->point[0] = closest->point[1];
    closest->point[1] = point;
    closest->feature[0] = closest->feature[1];
    closest->feature[1] = feature;
    closest->normal = er_v3_scale(-1.0, closest->normal);
}

void er_shape_closest(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, er_closest_cache *cache,
                      er_closest *closest)
{
    // A cylinder comes first, then what has a core, then what stands still.
    static const int rank[] = {1, 1, 1, 0, 1, 2, 3};
    if (rank[a->kind] > rank[b->kind]) {
        er_shape_closest(b, pose_b, a, pose_a, cache, closest);
        swap_sides(closest);
        return;
    }
    if (rank[a->kind] > 1)
        *closest = (er_closest){.distance = HUGE_VAL, .normal = {0, 0, 1}};
    else if (b->kind == ER_SHAPE_MESH)
        mesh_closest(a, pose_a, b->surface, pose_b, closest);
    else if (b->kind == ER_SHAPE_PLANE)
        plane_closest(a, pose_a, pose_b, closest);
    else if (b->kind == ER_SHAPE_CYLINDER) {
        eri_cylinders_closest(a, pose_a, b, pose_b, closest);
        eri_pair_finish(pose_a, closest->normal, closest->distance, closest);
    } else {
        eri_core core;
        eri_core_begin(&core, b);
        core_closest(a, pose_a, &core, pose_b, cache, closest);
    }
}
