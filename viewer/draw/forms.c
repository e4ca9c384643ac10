// Forms of solids on the graphics card: unit shapes of patches of facets, and hulls and surfaces as they are.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "viewer/draw/forms.h"

// A form that grows.
typedef struct maker {
    form_corner *corner;
    uint32_t *triangle, *line;
    int corner_count, triangle_corners, line_corners;
} maker;

static bool maker_begin(maker *m, size_t corners, size_t triangle_corners, size_t line_corners)
{
    *m = (maker){.corner = malloc((corners + 1) * sizeof *m->corner),
                 .triangle = malloc((triangle_corners + 1) * sizeof *m->triangle),
                 .line = malloc((line_corners + 1) * sizeof *m->line)};
    return m->corner != NULL && m->triangle != NULL && m->line != NULL;
}

static form_corner corner_at(er_vec3 x, er_vec3 n, int end)
{
    return (form_corner){{(float)x.x, (float)x.y, (float)x.z, (float)end}, {(float)n.x, (float)n.y, (float)n.z}};
}

// The last corner is the one whose light a flat triangle has.
static void add_triangle(maker *m, int a, int b, int c)
{
    const uint32_t corner[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
    memcpy(m->triangle + m->triangle_corners, corner, sizeof corner);
    m->triangle_corners += 3;
}

static void add_edge(maker *m, int a, int b)
{
    m->line[m->line_corners++] = (uint32_t)a;
    m->line[m->line_corners++] = (uint32_t)b;
}

static void fill_buffer(GLenum target, unsigned *name, size_t size, const void *bytes)
{
    glGenBuffers(1, name);
    glBindBuffer(target, *name);
    glBufferData(target, (GLsizeiptr)size, bytes, GL_STATIC_DRAW);
}

static double radius_of(const maker *m)
{
    double most = 0.0;
    for (int i = 0; i < m->corner_count; ++i) {
        const float *x = m->corner[i].position;
        most = fmax(most, er_v3_norm(er_v3(x[0], x[1], x[2])));
    }
    return most;
}

static void upload(draw_form *f, const maker *m)
{
    f->radius = radius_of(m);
    f->corner_count = m->corner_count;
    f->triangle_corners = m->triangle_corners;
    f->line_corners = m->line_corners;
    glGenVertexArrays(1, &f->array);
    glBindVertexArray(f->array);
    fill_buffer(GL_ARRAY_BUFFER, &f->corners, (size_t)m->corner_count * sizeof *m->corner, m->corner);
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, &f->lines, (size_t)m->line_corners * sizeof *m->line, m->line);
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, &f->triangles, (size_t)m->triangle_corners * sizeof *m->triangle, m->triangle);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(form_corner), (const void *)offsetof(form_corner, position));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(form_corner), (const void *)offsetof(form_corner, normal));
    for (GLuint k = 0; k < 9; ++k) {
        glEnableVertexAttribArray(k);
        glVertexAttribDivisor(k, k < 2 ? 0 : 1);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

// Takes what the maker holds.   @return NULL: no memory
static draw_form *finish(painter *p, maker *m, bool whole)
{
    draw_form *f = whole ? calloc(1, sizeof *f) : NULL;
    painter_has_failed(); // by others
    if (f != NULL) f->serial = ++p->models;
    if (f != NULL) upload(f, m);
    free(m->corner);
    free(m->triangle);
    free(m->line);
    if (f == NULL || !painter_has_failed()) return f;
    draw_form_destroy(f);
    return NULL;
}

void draw_form_destroy(draw_form *f)
{
    if (f == NULL) return;
    const GLuint buffers[3] = {f->corners, f->triangles, f->lines};
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(1, &f->array);
    stream_free(&f->placed);
    free(f);
}

// ---- unit shapes

// A corner of a patch: along u, around v, in [0, 1].
typedef form_corner (*patch_place)(double u, double v, int part);

// Facets of a patch, counter-clockwise where v is to the left of u as seen from outside.
static void add_patch(maker *m, int along, int around, patch_place place, int part)
{
    int first = m->corner_count, row = around + 1;
    for (int i = 0; i <= along; ++i)
        for (int k = 0; k <= around; ++k)
            m->corner[m->corner_count++] = place((double)i / along, (double)k / around, part);
    for (int i = 0; i <= along; ++i)
        for (int k = 0; k <= around; ++k) {
            int a = first + i * row + k;
            if (i < along) add_edge(m, a, a + row);
            if (k < around) add_edge(m, a, a + 1);
            if (i == along || k == around) continue;
            add_triangle(m, a, a + row, a + row + 1);
            add_triangle(m, a + 1, a, a + row + 1);
        }
}

static er_vec3 around_z(double v)
{
    return er_v3(cos(2.0 * ER_PI * v), sin(2.0 * ER_PI * v), 0.0);
}

// From the pole at the top of z.
static er_vec3 on_ball(double polar, double v)
{
    return er_v3_madd(er_v3_scale(sin(polar), around_z(v)), cos(polar), er_v3(0, 0, 1));
}

static form_corner place_ball(double u, double v, int part)
{
    (void)part;
    er_vec3 x = on_ball(ER_PI * u, v);
    return corner_at(x, x, 0);
}

// Two halves of a ball and what lies between them: parts 1, 0 and -1.
static form_corner place_capsule(double u, double v, int part)
{
    er_vec3 x = on_ball(part > 0 ? 0.5 * ER_PI * u : part < 0 ? 0.5 * ER_PI * (1.0 + u) : 0.5 * ER_PI, v);
    return corner_at(x, x, part != 0 ? part : u < 0.5 ? 1 : -1);
}

// Two lids and the side: parts 1, -1 and 0.
static form_corner place_cylinder(double u, double v, int part)
{
    er_vec3 rim = around_z(v);
    if (part == 0) return corner_at(er_v3(rim.x, rim.y, 1.0 - 2.0 * u), rim, 0);
    double r = part > 0 ? u : 1.0 - u;
    return corner_at(er_v3(r * rim.x, r * rim.y, part), er_v3(0, 0, part), 0);
}

// Faces 0 to 5: those of x, y and z, the positive ones first.
static form_corner place_box(double u, double v, int face)
{
    double sign = face % 2 == 0 ? 1.0 : -1.0, x[3];
    er_vec3 n = er_v3(face / 2 == 0 ? sign : 0.0, face / 2 == 1 ? sign : 0.0, face / 2 == 2 ? sign : 0.0);
    x[face / 2] = sign;
    x[(face / 2 + 1) % 3] = sign * (2.0 * u - 1.0);
    x[(face / 2 + 2) % 3] = 2.0 * v - 1.0;
    return corner_at(er_v3(x[0], x[1], x[2]), n, 0);
}

static form_corner place_plane(double u, double v, int part)
{
    (void)part;
    return corner_at(er_v3(2.0 * u - 1.0, 2.0 * v - 1.0, 0.0), er_v3(0, 0, 1), 0);
}

static void make_unit(maker *m, er_shape_kind kind, int facets)
{
    switch (kind) {
    case ER_SHAPE_SPHERE:
        add_patch(m, facets / 2, facets, place_ball, 0);
        break;
    case ER_SHAPE_CAPSULE:
        for (int part = 1; part >= -1; --part)
            add_patch(m, part == 0 ? 1 : facets / 4, facets, place_capsule, part);
        break;
    case ER_SHAPE_CYLINDER:
        for (int part = 1; part >= -1; --part)
            add_patch(m, 1, facets, place_cylinder, part);
        break;
    case ER_SHAPE_BOX:
        for (int face = 0; face < 6; ++face)
            add_patch(m, 1, 1, place_box, face);
        break;
    default:
        add_patch(m, facets, facets, place_plane, 0);
    }
}

draw_form *form_of_kind(painter *p, er_shape_kind kind, int level)
{
    int facets = kind == ER_SHAPE_PLANE ? 6 * COARSE : COARSE << level;
    size_t most = 3 * ((size_t)facets + 1) * ((size_t)facets + 1);
    maker m;
    bool whole = maker_begin(&m, most, 6 * most, 4 * most);
    if (whole) make_unit(&m, kind, facets);
    return finish(p, &m, whole);
}

// ---- hulls: every face flat

static draw_form *form_of_hull(painter *p, const er_hull *h)
{
    size_t corners = 2 * (size_t)h->edge_count;
    maker m;
    bool whole = maker_begin(&m, corners, 3 * corners, corners);
    for (int f = 0; whole && f < h->face_count; ++f) {
        int first = h->face_start[f], count = h->face_start[f + 1] - first;
        for (int k = 0; k < count; ++k)
            m.corner[m.corner_count++] = corner_at(h->vertex[h->face_vertex[first + k]], h->plane[f].normal, 0);
        for (int k = 0; k < count; ++k) {
            if (k > 0 && k + 1 < count) add_triangle(&m, first + k, first + k + 1, first);
            if (h->edge[h->face_edge[first + k]].face[0] == f) add_edge(&m, first + k, first + (k + 1) % count);
        }
    }
    return finish(p, &m, whole);
}

// ---- surfaces: smooth, but for creases

static const double crease = 0.77; // cosine: facets that meet at more than 40 degrees have an edge between them

// A corner of a triangle, by the vertex it stands on.
typedef struct corner_use {
    int vertex, corner;
} corner_use;

static int by_vertex(const void *a, const void *b)
{
    const corner_use *x = a, *y = b;
    return x->vertex != y->vertex ? (x->vertex < y->vertex ? -1 : 1)
                                  : (x->corner > y->corner) - (x->corner < y->corner);
}

// The mean of the normals around a vertex, by area, of those that are no crease away from this one.
static er_vec3 smooth_normal(const corner_use *around, int count, const er_vec3 *area, er_vec3 own)
{
    er_vec3 sum = {0}, n = er_v3_unit(own, er_v3(0, 0, 1));
    for (int i = 0; i < count; ++i) {
        er_vec3 other = area[around[i].corner / 3];
        if (er_v3_dot(n, other) >= crease * er_v3_norm(other)) sum = er_v3_add(sum, other);
    }
    return er_v3_unit(sum, n);
}

static void make_surface(maker *m, int triangles, const er_vec3 *point, const int *index, corner_use *uses,
                         er_vec3 *area)
{
    for (int c = 0; c < 3 * triangles; ++c)
        uses[c] = (corner_use){index[c], c};
    for (int t = 0; t < triangles; ++t) {
        const int *k = index + 3 * t;
        area[t] = er_v3_cross(er_v3_sub(point[k[1]], point[k[0]]), er_v3_sub(point[k[2]], point[k[0]]));
    }
    m->corner_count = 3 * triangles;
    qsort(uses, (size_t)m->corner_count, sizeof *uses, by_vertex);
    for (int first = 0, end = 0; first < m->corner_count; first = end) {
        while (end < m->corner_count && uses[end].vertex == uses[first].vertex)
            ++end;
        for (int i = first; i < end; ++i) {
            int c = uses[i].corner;
            er_vec3 n = smooth_normal(uses + first, end - first, area, area[c / 3]);
            m->corner[c] = corner_at(point[index[c]], n, 0);
        }
    }
    for (int t = 0; t < triangles; ++t) {
        add_triangle(m, 3 * t, 3 * t + 1, 3 * t + 2);
        for (int k = 0; k < 3; ++k)
            add_edge(m, 3 * t + k, 3 * t + (k + 1) % 3);
    }
}

static draw_form *form_of_surface(painter *p, const er_surface *of)
{
    const er_vec3 *point;
    int triangles = er_surface_triangles(of, &point, NULL);
    size_t corners = 3 * (size_t)triangles;
    int *index = malloc(corners * sizeof *index);
    corner_use *uses = malloc(corners * sizeof *uses);
    er_vec3 *area = malloc((size_t)triangles * sizeof *area);
    maker m;
    bool whole = maker_begin(&m, corners, corners, 2 * corners);
    whole = whole && index != NULL && uses != NULL && area != NULL;
    if (whole) {
        er_surface_triangles(of, &point, index);
        make_surface(&m, triangles, point, index, uses, area);
    }
    free(index);
    free(uses);
    free(area);
    draw_form *f = finish(p, &m, whole);
    if (f != NULL) f->open = true;
    return f;
}

er_result draw_form_create(painter *p, const er_shape *of, draw_form **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (p == NULL || of == NULL) return ER_ERROR_ARGUMENT;
    if (of->kind != ER_SHAPE_HULL && of->kind != ER_SHAPE_MESH)
        return er_fail(p->context, ER_ERROR_ARGUMENT, "a shape of kind %d has no form of its own to draw", of->kind);
    *out = of->kind == ER_SHAPE_HULL ? form_of_hull(p, of->hull) : form_of_surface(p, of->surface);
    return *out != NULL ? ER_OK : er_fail(p->context, ER_ERROR_MEMORY, "out of memory for a form to draw");
}
