// Shapes as triangles.
#include <eigenrig/collide.h>

#include <math.h>

#include "base/arena.h"

enum { AROUND = 32, ALONG = 16 }; // facets of what is round

// Makes room for vertices and triangles, which are added later.
static er_result begin(er_triangles *t, int vertices, int triangles)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(t->position, t->arena, float, 3 * (size_t)vertices);
    ERI_TRY_NEW(t->normal, t->arena, float, 3 * (size_t)vertices);
    ERI_TRY_NEW(t->index, t->arena, int, 3 * (size_t)triangles);
done:
    return r;
}

static int add_vertex(er_triangles *t, er_vec3 at, er_vec3 normal)
{
    const double x[] = {at.x, at.y, at.z}, n[] = {normal.x, normal.y, normal.z};
    for (int k = 0; k < 3; ++k) {
        t->position[3 * t->vertex_count + k] = (float)x[k];
        t->normal[3 * t->vertex_count + k] = (float)n[k];
    }
    return t->vertex_count++;
}

static void add_triangle(er_triangles *t, int a, int b, int c)
{
    int *at = t->index + 3 * t->triangle_count++;
    at[0] = a, at[1] = b, at[2] = c;
}

static void add_polygon(er_triangles *t, int count, const er_vec3 *corner, er_vec3 normal)
{
    int first = t->vertex_count;
    for (int i = 0; i < count; ++i)
        add_vertex(t, corner[i], normal);
    for (int i = 2; i < count; ++i)
        add_triangle(t, first, first + i - 1, first + i);
}

// ---- Solids of revolution about z

// A ring of the radius at a height; normals lean by `rise`.
static int add_ring(er_triangles *t, double radius, double z, double out, double rise)
{
    int first = t->vertex_count;
    for (int i = 0; i <= AROUND; ++i) {
        double angle = 2.0 * ER_PI * i / AROUND, c = cos(angle), s = sin(angle);
        add_vertex(t, er_v3(radius * c, radius * s, z), er_v3(out * c, out * s, rise));
    }
    return first;
}

static void join_rings(er_triangles *t, int below, int above)
{
    for (int i = 0; i < AROUND; ++i) {
        add_triangle(t, below + i, below + i + 1, above + i + 1);
        add_triangle(t, below + i, above + i + 1, above + i);
    }
}

// A ball cut in two at its middle, the halves `length` apart.
static er_result make_capsule(er_triangles *t, double radius, double length)
{
    int last = -1;
    er_result r = begin(t, (2 * (ALONG / 2) + 2) * (AROUND + 1), 2 * (ALONG + 1) * AROUND);
    if (r != ER_OK) return r;
    for (int half = 0; half < 2; ++half)
        for (int i = 0; i <= ALONG / 2; ++i) {
            double angle = ER_PI * (half == 0 ? (double)i / ALONG - 0.5 : (double)i / ALONG);
            double middle = half == 0 ? -0.5 * length : 0.5 * length;
            int set = add_ring(t, radius * cos(angle), middle + radius * sin(angle), cos(angle), sin(angle));
            if (last >= 0) join_rings(t, last, set);
            last = set;
        }
    return ER_OK;
}

static void add_disc(er_triangles *t, double radius, double z, double up)
{
    int middle = add_vertex(t, er_v3(0, 0, z), er_v3(0, 0, up)), set = add_ring(t, radius, z, 0.0, up);
    for (int i = 0; i < AROUND; ++i)
        add_triangle(t, middle, set + (up > 0.0 ? i : i + 1), set + (up > 0.0 ? i + 1 : i));
}

static er_result make_cylinder(er_triangles *t, double radius, double length)
{
    er_result r = begin(t, 4 * (AROUND + 1) + 2, 4 * AROUND);
    if (r != ER_OK) return r;
    int below = add_ring(t, radius, -0.5 * length, 1.0, 0.0), above = add_ring(t, radius, 0.5 * length, 1.0, 0.0);
    join_rings(t, below, above);
    add_disc(t, radius, -0.5 * length, -1.0);
    add_disc(t, radius, 0.5 * length, 1.0);
    return ER_OK;
}

// ---- Solids with faces

static er_result make_box(er_triangles *t, er_vec3 h)
{
    er_result r = begin(t, 24, 12);
    if (r != ER_OK) return r;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2) {
            double half[3] = {h.x, h.y, h.z};
            er_vec3 corner[4], normal = er_v3(axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
            for (int i = 0; i < 4; ++i) {
                double u = i == 1 || i == 2 ? 1.0 : -1.0, v = (i >= 2 ? 1.0 : -1.0) * side, x[3];
                x[axis] = side * half[axis];
                x[(axis + 1) % 3] = u * half[(axis + 1) % 3];
                x[(axis + 2) % 3] = v * half[(axis + 2) % 3];
                corner[i] = er_v3(x[0], x[1], x[2]);
            }
            add_polygon(t, 4, corner, normal);
        }
    return ER_OK;
}

static er_result make_plane(er_triangles *t, double face)
{
    const er_vec3 corner[4] = {{-face, -face, 0}, {face, -face, 0}, {face, face, 0}, {-face, face, 0}};
    er_result r = begin(t, 4, 2);
    if (r != ER_OK) return r;
    add_polygon(t, 4, corner, er_v3(0, 0, 1));
    return ER_OK;
}

static er_result make_hull(er_triangles *t, const er_hull *hull)
{
    int corners = hull->face_start[hull->face_count];
    er_vec3 *corner;
    er_result r = begin(t, corners, corners);
    if (r != ER_OK) return r;
    ERI_TRY_NEW(corner, t->arena, er_vec3, corners);
    for (int f = 0; f < hull->face_count; ++f) {
        int first = hull->face_start[f], count = hull->face_start[f + 1] - first;
        for (int i = 0; i < count; ++i)
            corner[i] = hull->vertex[hull->face_vertex[first + i]];
        add_polygon(t, count, corner, hull->plane[f].normal);
    }
done:
    return r;
}

static er_result make_surface(er_triangles *t, const er_surface *surface)
{
    const er_vec3 *vertex;
    int count = er_surface_triangles(surface, &vertex, NULL), *index;
    er_result r = begin(t, 3 * count, count);
    if (r != ER_OK) return r;
    ERI_TRY_NEW(index, t->arena, int, 3 * (size_t)count);
    er_surface_triangles(surface, &vertex, index);
    for (int i = 0; i < count; ++i) {
        const er_vec3 corner[3] = {vertex[index[3 * i]], vertex[index[3 * i + 1]], vertex[index[3 * i + 2]]};
        er_vec3 normal = er_v3_cross(er_v3_sub(corner[1], corner[0]), er_v3_sub(corner[2], corner[0]));
        add_polygon(t, 3, corner, er_v3_unit(normal, er_v3(0, 0, 1)));
    }
done:
    return r;
}

static er_result make(er_triangles *t, const er_shape *s, double face)
{
    switch (s->kind) {
    case ER_SHAPE_SPHERE:
        return make_capsule(t, s->radius, 0.0);
    case ER_SHAPE_CAPSULE:
        return make_capsule(t, s->radius, s->length);
    case ER_SHAPE_BOX:
        return make_box(t, s->half);
    case ER_SHAPE_CYLINDER:
        return make_cylinder(t, s->radius, s->length);
    case ER_SHAPE_HULL:
        return make_hull(t, s->hull);
    case ER_SHAPE_PLANE:
        return make_plane(t, face);
    case ER_SHAPE_MESH:
        break;
    }
    return make_surface(t, s->surface);
}

er_result er_shape_triangulate(er_context *context, const er_shape *shape, double face, er_triangles **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_result r = er_shape_check(context, shape);
    if (r != ER_OK) return r;
    er_arena *arena = NULL;
    er_triangles *t;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(t, arena, er_triangles, 1);
    t->arena = arena;
    ERI_TRY(make(t, shape, face));
    *out = t;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_triangles_destroy(er_triangles *triangles)
{
    if (triangles != NULL) eri_arena_destroy(triangles->arena);
}
