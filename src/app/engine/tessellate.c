// Triangles of solids.
#include "app/engine/tessellate.h"

#include <math.h>
#include <stdlib.h>

enum { AROUND = 32, ALONG = 16 }; // facets of what is round

void tessellation_clear(tessellation *t)
{
    free(t->position);
    free(t->normal);
    free(t->index);
    *t = (tessellation){0};
}

static bool begin(tessellation *t, size_t vertices, size_t triangles)
{
    t->position = malloc(3 * (vertices + 1) * sizeof *t->position);
    t->normal = malloc(3 * (vertices + 1) * sizeof *t->normal);
    t->index = malloc(3 * (triangles + 1) * sizeof *t->index);
    return t->position != NULL && t->normal != NULL && t->index != NULL;
}

static int add_vertex(tessellation *t, er_vec3 at, er_vec3 normal)
{
    const double x[] = {at.x, at.y, at.z}, n[] = {normal.x, normal.y, normal.z};
    for (int k = 0; k < 3; ++k) {
        t->position[3 * t->vertex_count + k] = (float)x[k];
        t->normal[3 * t->vertex_count + k] = (float)n[k];
    }
    return t->vertex_count++;
}

static void add_triangle(tessellation *t, int a, int b, int c)
{
    int *at = t->index + 3 * t->triangle_count++;
    at[0] = a, at[1] = b, at[2] = c;
}

static void add_polygon(tessellation *t, int count, const er_vec3 *corner, er_vec3 normal)
{
    int first = t->vertex_count;
    for (int i = 0; i < count; ++i)
        add_vertex(t, corner[i], normal);
    for (int i = 2; i < count; ++i)
        add_triangle(t, first, first + i - 1, first + i);
}

// ---- Solids of revolution about z

// A ring of the radius at a height; normals lean by `rise`.
static int add_ring(tessellation *t, double radius, double z, double out, double rise)
{
    int first = t->vertex_count;
    for (int i = 0; i <= AROUND; ++i) {
        double angle = 2.0 * ER_PI * i / AROUND, c = cos(angle), s = sin(angle);
        add_vertex(t, er_v3(radius * c, radius * s, z), er_v3(out * c, out * s, rise));
    }
    return first;
}

static void join_rings(tessellation *t, int below, int above)
{
    for (int i = 0; i < AROUND; ++i) {
        add_triangle(t, below + i, below + i + 1, above + i + 1);
        add_triangle(t, below + i, above + i + 1, above + i);
    }
}

// A ball cut in two at its middle, the halves `length` apart.
static bool make_capsule(tessellation *t, double radius, double length)
{
    int last = -1;
    if (!begin(t, (2 * (ALONG / 2) + 2) * (AROUND + 1), 2 * (ALONG + 1) * AROUND)) return false;
    for (int half = 0; half < 2; ++half)
        for (int i = 0; i <= ALONG / 2; ++i) {
            double angle = ER_PI * (half == 0 ? (double)i / ALONG - 0.5 : (double)i / ALONG);
            double middle = half == 0 ? -0.5 * length : 0.5 * length;
            int set = add_ring(t, radius * cos(angle), middle + radius * sin(angle), cos(angle), sin(angle));
            if (last >= 0) join_rings(t, last, set);
            last = set;
        }
    return true;
}

static void add_disc(tessellation *t, double radius, double z, double up)
{
    int middle = add_vertex(t, er_v3(0, 0, z), er_v3(0, 0, up)), set = add_ring(t, radius, z, 0.0, up);
    for (int i = 0; i < AROUND; ++i)
        add_triangle(t, middle, set + (up > 0.0 ? i : i + 1), set + (up > 0.0 ? i + 1 : i));
}

static bool make_cylinder(tessellation *t, double radius, double length)
{
    if (!begin(t, 4 * (AROUND + 1) + 2, 4 * AROUND)) return false;
    int below = add_ring(t, radius, -0.5 * length, 1.0, 0.0), above = add_ring(t, radius, 0.5 * length, 1.0, 0.0);
    join_rings(t, below, above);
    add_disc(t, radius, -0.5 * length, -1.0);
    add_disc(t, radius, 0.5 * length, 1.0);
    return true;
}

// ---- Solids with faces

static bool make_box(tessellation *t, er_vec3 h)
{
    if (!begin(t, 24, 12)) return false;
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
    return true;
}

static bool make_plane(tessellation *t, double face)
{
    const er_vec3 corner[4] = {{-face, -face, 0}, {face, -face, 0}, {face, face, 0}, {-face, face, 0}};
    if (!begin(t, 4, 2)) return false;
    add_polygon(t, 4, corner, er_v3(0, 0, 1));
    return true;
}

static bool make_hull(tessellation *t, const er_hull *hull)
{
    int corners = hull->face_start[hull->face_count];
    er_vec3 *corner = malloc((size_t)corners * sizeof *corner);
    if (corner == NULL || !begin(t, (size_t)corners, (size_t)corners)) {
        free(corner);
        return false;
    }
    for (int f = 0; f < hull->face_count; ++f) {
        int first = hull->face_start[f], count = hull->face_start[f + 1] - first;
        for (int i = 0; i < count; ++i)
            corner[i] = hull->vertex[hull->face_vertex[first + i]];
        add_polygon(t, count, corner, hull->plane[f].normal);
    }
    free(corner);
    return true;
}

static bool make_surface(tessellation *t, const er_surface *surface)
{
    const er_vec3 *vertex;
    int count = er_surface_triangles(surface, &vertex, NULL);
    int *index = malloc(3 * ((size_t)count + 1) * sizeof *index);
    if (index == NULL || !begin(t, 3 * (size_t)count, (size_t)count)) {
        free(index);
        return false;
    }
    er_surface_triangles(surface, &vertex, index);
    for (int i = 0; i < count; ++i) {
        const er_vec3 corner[3] = {vertex[index[3 * i]], vertex[index[3 * i + 1]], vertex[index[3 * i + 2]]};
        er_vec3 normal = er_v3_cross(er_v3_sub(corner[1], corner[0]), er_v3_sub(corner[2], corner[0]));
        add_polygon(t, 3, corner, er_v3_unit(normal, er_v3(0, 0, 1)));
    }
    free(index);
    return true;
}

bool tessellate(const er_shape *s, double face, tessellation *out)
{
    *out = (tessellation){0};
    switch (s->kind) {
    case ER_SHAPE_SPHERE:
        return make_capsule(out, s->radius, 0.0);
    case ER_SHAPE_CAPSULE:
        return make_capsule(out, s->radius, s->length);
    case ER_SHAPE_BOX:
        return make_box(out, s->half);
    case ER_SHAPE_CYLINDER:
        return make_cylinder(out, s->radius, s->length);
    case ER_SHAPE_HULL:
        return make_hull(out, s->hull);
    case ER_SHAPE_PLANE:
        return make_plane(out, face);
    case ER_SHAPE_MESH:
        break;
    }
    return make_surface(out, s->surface);
}
