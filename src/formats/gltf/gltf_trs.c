// Transforms of glTF nodes, between matrices and translation, rotation and scale.
#include "formats/gltf/gltf_trs.h"

static double largest(er_mat3 a)
{
    double r = 0.0;
    for (int i = 0; i < 9; ++i)
        r = fmax(r, fabs(a.m[i / 3][i % 3]));
    return r;
}

eri_trs eri_gltf_split(er_affine a, double *shear)
{
    eri_trs r = eri_trs_from_affine(a);
    double size = largest(a.linear);
    er_mat3 back = er_affine_from_trs(r.translation, r.rotation, r.scale).linear;
    *shear = size > 0.0 ? largest(er_m3_madd(a.linear, -1.0, back)) / size : 0.0;
    return r;
}

void eri_gltf_put_trs(eri_gltf_document *document, json_t *node, eri_trs trs)
{
    er_vec3 t = trs.translation, s = trs.scale;
    er_quat q = trs.rotation;
    if (t.x != 0.0 || t.y != 0.0 || t.z != 0.0)
        eri_gltf_put_numbers(document, node, "translation", (double[]){t.x, t.y, t.z}, 3);
    if (q.w != 1.0) eri_gltf_put_numbers(document, node, "rotation", (double[]){q.x, q.y, q.z, q.w}, 4);
    if (s.x != 1.0 || s.y != 1.0 || s.z != 1.0)
        eri_gltf_put_numbers(document, node, "scale", (double[]){s.x, s.y, s.z}, 3);
}

void eri_gltf_put_matrix(eri_gltf_document *document, json_t *node, er_affine a)
{
    er_vec3 t = a.translation;
    double column[16] = {[12] = t.x, [13] = t.y, [14] = t.z, [15] = 1.0};
    for (int i = 0; i < 9; ++i)
        column[4 * (i % 3) + i / 3] = a.linear.m[i / 3][i % 3];
    eri_gltf_put_numbers(document, node, "matrix", column, 16);
}

// Member `key` of a node, `count` numbers; `fallback` stands where it is missing or something else.
static void get_numbers(const json_t *node, const char *key, int count, const double *fallback, double *value)
{
    json_t *array = json_object_get(node, key);
    for (int i = 0; i < count; ++i) {
        json_t *entry = json_array_get(array, (size_t)i);
        value[i] = json_is_number(entry) ? json_number_value(entry) : fallback[i];
    }
}

eri_trs eri_gltf_get_trs(const json_t *node)
{
    double t[3], q[4], s[3];
    get_numbers(node, "translation", 3, (const double[]){0, 0, 0}, t);
    get_numbers(node, "rotation", 4, (const double[]){0, 0, 0, 1}, q);
    get_numbers(node, "scale", 3, (const double[]){1, 1, 1}, s);
    eri_trs r = {er_v3(t[0], t[1], t[2]), er_q_unit(er_q(q[3], q[0], q[1], q[2])), er_v3(s[0], s[1], s[2])};
    return r;
}

void eri_gltf_matrix_to_trs(eri_gltf_document *document, json_t *node)
{
    json_t *matrix = json_object_get(node, "matrix");
    if (matrix == NULL) return;
    double column[16];
    for (size_t i = 0; i < 16; ++i) {
        json_t *entry = json_array_get(matrix, i);
        if (!json_is_number(entry)) {
            eri_gltf_fail(
                document, ER_ERROR_FORMAT,
                "%s: cannot be written: a node of its source has a matrix of fewer than 16 numbers; repair the file",
                document->path);
            return;
        }
        column[i] = json_number_value(entry);
    }
    er_affine a = {.translation = er_v3(column[12], column[13], column[14])};
    for (int i = 0; i < 9; ++i)
        a.linear.m[i / 3][i % 3] = column[4 * (i % 3) + i / 3];
    double shear;
    eri_trs trs = eri_gltf_split(a, &shear);
    json_object_del(node, "matrix");
    eri_gltf_put_trs(document, node, trs);
}
