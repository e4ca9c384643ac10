// The bodies of a set, and the shapes they name.
#include "formats/bacin/bacin_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A body as the file of bodies describes it, and the line.
typedef struct body_entry {
    const char *shape;
    int line;
    double scale[3], density;
} body_entry;

static er_result read_faces(eri_bacin_text *text, const eri_bacin_names *vertices, int count, int *triangle)
{
    er_result r = ER_OK;
    for (int f = 0; f < count; ++f) {
        const char *name;
        int *corner = triangle + 3 * (ptrdiff_t)f;
        ERI_TRY(eri_bacin_entry(text, "face", &name));
        for (int k = 0; k < 3; ++k)
            ERI_TRY(eri_bacin_named(text, vertices, "vertex", &corner[k]));
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            ERI_TRY(eri_bacin_wrong(text, "face \"%.60s\" has a vertex twice; a face has three", name));
    }
done:
    return r;
}

static er_result read_properties(eri_bacin_text *text, eri_bacin_body *shape)
{
    er_result r = ER_OK;
    double j[3];
    ERI_TRY(eri_bacin_key_numbers(text, "mass", 1, &shape->mass));
    if (!(shape->mass >= 1e-50)) ERI_TRY(eri_bacin_wrong(text, "mass = %g must be above 0", shape->mass));
    ERI_TRY(eri_bacin_key_numbers(text, "moments", 3, j));
    for (int i = 0; i < 3; ++i) // no moment of a solid exceeds the sum of the other two
        if (!(j[i] >= 1e-50) || j[i] > (1.0 + 1e-9) * (j[(i + 1) % 3] + j[(i + 2) % 3]))
            ERI_TRY(eri_bacin_wrong(text,
                                    "moments = %g %g %g: each must be above 0, and at most the sum of the other two",
                                    j[0], j[1], j[2]));
    shape->moments = er_v3(j[0], j[1], j[2]);
done:
    return r;
}

// A shape as its file has it.
static er_result read_shape(eri_bacin_text *text, eri_bacin_body *shape)
{
    er_result r = ER_OK;
    eri_bacin_names names = {0};
    er_vec3 *vertex;
    int *triangle;
    ERI_TRY(eri_bacin_begin(text, "shape", ERI_BACIN_DATE));
    ERI_TRY(read_properties(text, shape));
    ERI_TRY(eri_bacin_key_count(text, "vertices", 8, &names.count));
    ERI_TRY(eri_bacin_key_count(text, "faces", 8, &shape->triangle_count));
    shape->path = text->path;
    shape->line = text->line;
    ERI_TRY_NEW(names.name, text->arena, eri_bacin_name, names.count);
    ERI_TRY_NEW(vertex, text->arena, er_vec3, names.count);
    ERI_TRY_NEW(triangle, text->arena, int, 3 * (size_t)shape->triangle_count);
    for (int i = 0; i < names.count; ++i) {
        double x[3];
        names.name[i].index = i;
        ERI_TRY(eri_bacin_entry(text, "vertex", &names.name[i].text));
        names.name[i].line = text->line;
        ERI_TRY(eri_bacin_numbers(text, "a point x y z", 3, x));
        vertex[i] = er_v3(x[0], x[1], x[2]);
    }
    ERI_TRY(eri_bacin_names_sort(&names, text, "vertex"));
    ERI_TRY(read_faces(text, &names, shape->triangle_count, triangle));
    ERI_TRY(eri_bacin_end(text, "shape", "faces", shape->triangle_count));
    shape->vertex_count = names.count;
    shape->vertex = vertex;
    shape->triangle = triangle;
done:
    return r;
}

// ---- scale and density

// A stretched body of another density has rho sx sy sz of the mass, and along x sx^2 of that of the second moment
// Pxx = (Jy + Jz - Jx) / 2. With J'x = P'yy + P'zz this is
//   J'x = rho sx sy sz ((sy^2 + sz^2) Jx + (sy^2 - sz^2) (Jz - Jy)) / 2,
// which rounds nothing where the scale is 1.
static double stretched(double jx, double jy, double jz, double sy, double sz)
{
    double y = sy * sy, z = sz * sz;
    return 0.5 * (y + z) * jx + 0.5 * (y - z) * (jz - jy);
}

static er_result stretch(er_arena *arena, const eri_bacin_body *shape, const body_entry *e, eri_bacin_body *body)
{
    er_result r = ER_OK;
    er_vec3 *vertex, J = shape->moments;
    const double *s = e->scale, mass = e->density * s[0] * s[1] * s[2];
    body->mass = mass * shape->mass;
    body->moments = er_v3_scale(mass, er_v3(stretched(J.x, J.y, J.z, s[1], s[2]), stretched(J.y, J.z, J.x, s[2], s[0]),
                                            stretched(J.z, J.x, J.y, s[0], s[1])));
    body->vertex_count = shape->vertex_count;
    body->triangle_count = shape->triangle_count;
    body->triangle = shape->triangle;
    body->path = shape->path;
    body->line = shape->line;
    ERI_TRY_RESERVE(vertex, arena, er_vec3, shape->vertex_count);
    for (int i = 0; i < shape->vertex_count; ++i)
        vertex[i] = er_v3(s[0] * shape->vertex[i].x, s[1] * shape->vertex[i].y, s[2] * shape->vertex[i].z);
    body->vertex = vertex;
done:
    return r;
}

// ---- the list

static er_result read_entry(eri_bacin_text *text, body_entry *e)
{
    er_result r = ER_OK;
    double x[4];
    ERI_TRY(eri_bacin_take(text, "the name of a shape's file", &e->shape));
    e->line = text->line;
    ERI_TRY(eri_bacin_numbers(text, "a scale x y z and a density", 4, x));
    memcpy(e->scale, x, sizeof e->scale);
    e->density = x[3];
    for (int i = 0; i < 4; ++i)
        if (!(x[i] > 0.0))
            ERI_TRY(eri_bacin_wrong(text, "scale and density %g %g %g %g must all be above 0", x[0], x[1], x[2], x[3]));
done:
    return r;
}

// Entries by the names of their shapes.
static int by_shape(const void *a, const void *b)
{
    const body_entry *const *x = a, *const *y = b;
    int order = strcmp((*x)->shape, (*y)->shape);
    return order != 0 ? order : (*x)->line - (*y)->line;
}

// Each file is read once, however many bodies have its shape.
static er_result read_shapes(eri_bacin_set *set, const eri_bacin_text *list, const body_entry *entries)
{
    er_result r = ER_OK;
    const body_entry **sorted;
    eri_bacin_body shape = {0};
    ERI_TRY_NEW(sorted, set->arena, const body_entry *, set->body_count);
    for (int i = 0; i < set->body_count; ++i)
        sorted[i] = &entries[i];
    qsort(sorted, (size_t)set->body_count, sizeof *sorted, by_shape);
    for (int i = 0; i < set->body_count; ++i) {
        if (i == 0 || strcmp(sorted[i]->shape, sorted[i - 1]->shape) != 0) {
            eri_bacin_text text;
            char *file = eri_arena_printf(set->arena, "%s.shp", sorted[i]->shape);
            if (file == NULL) return ER_ERROR_MEMORY;
            ERI_TRY(eri_bacin_prefix_failure(set, list->path, sorted[i]->line, eri_bacin_open(set, file, 0, &text)));
            ERI_TRY(read_shape(&text, &shape));
        }
        ERI_TRY(stretch(set->arena, &shape, sorted[i], &set->body[sorted[i] - entries]));
    }
done:
    return r;
}

er_result eri_bacin_read_bodies(eri_bacin_set *set)
{
    er_result r = ER_OK;
    eri_bacin_text text;
    body_entry *entries;
    eri_bacin_names *names = &set->names;
    ERI_TRY(eri_bacin_open_beside(set, ".bds", NULL, &text));
    ERI_TRY(eri_bacin_begin(&text, "bodies", ERI_BACIN_DATE));
    ERI_TRY(eri_bacin_key_count(&text, "bodies", 12, &set->body_count));
    if (set->body_count == 0) ERI_TRY(eri_bacin_wrong(&text, "there are no bodies; a scene has one or more"));
    names->count = set->body_count;
    ERI_TRY_NEW(set->body, set->arena, eri_bacin_body, set->body_count);
    ERI_TRY_NEW(entries, set->arena, body_entry, set->body_count);
    ERI_TRY_NEW(names->name, set->arena, eri_bacin_name, set->body_count);
    for (int i = 0; i < set->body_count; ++i) {
        ERI_TRY(eri_bacin_entry(&text, "body", &set->body[i].name));
        names->name[i] = (eri_bacin_name){set->body[i].name, i, text.line};
        ERI_TRY(read_entry(&text, &entries[i]));
    }
    ERI_TRY(eri_bacin_end(&text, "bodies", "bodies", set->body_count));
    ERI_TRY(eri_bacin_names_sort(names, &text, "body"));
    ERI_TRY(read_shapes(set, &text, entries));
done:
    return r;
}

er_result eri_bacin_body_named(eri_bacin_text *text, const eri_bacin_set *set, int *out)
{
    const char *word = NULL;
    er_result r = eri_bacin_take(text, "the name of a body", &word);
    if (r != ER_OK) return r;
    *out = eri_bacin_names_find(&set->names, word);
    if (*out >= 0 || strcmp(word, ERI_BACIN_WORLD) == 0) return ER_OK;
    return eri_bacin_wrong(text, "there is no body \"%.60s\"; it is named as in the file of bodies, or %s", word,
                           ERI_BACIN_WORLD);
}
