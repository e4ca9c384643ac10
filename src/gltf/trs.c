#include "gltf/trs.h"

#define PARALLEL 1e-9 // relative length below which what is left of a column is rounding

static er_mat3 from_columns(er_vec3 x, er_vec3 y, er_vec3 z)
{
    er_mat3 r = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return r;
}

static double largest(er_mat3 a)
{
    double r = 0.0;
    for (int i = 0; i < 9; ++i)
        r = fmax(r, fabs(a.m[i / 3][i % 3]));
    return r;
}

// An orthonormal right-handed frame along the columns; columns of length zero take what the others leave.
static er_mat3 frame_of(er_vec3 cx, er_vec3 cy, er_vec3 cz)
{
    er_vec3 none = er_v3(0, 0, 0);
    er_vec3 uy = er_v3_unit(cy, none), uz = er_v3_unit(cz, none);
    er_vec3 spare = er_v3_norm(uy) > 0.0   ? er_v3_perpendicular(uy)
                    : er_v3_norm(uz) > 0.0 ? er_v3_perpendicular(uz)
                                           : er_v3(1, 0, 0);
    er_vec3 x = er_v3_unit(cx, er_v3_unit(er_v3_cross(uy, uz), spare));
    er_vec3 rest = er_v3_madd(uy, -er_v3_dot(uy, x), x);
    if (er_v3_norm(rest) < PARALLEL) rest = er_v3_cross(uz, x);
    er_vec3 y = er_v3_unit(rest, er_v3_perpendicular(x));
    return from_columns(x, y, er_v3_cross(x, y));
}

er_gltf_trs er_gltf_split(er_affine a, double *shear)
{
    er_vec3 cx = er_m3_column(a.linear, 0), cy = er_m3_column(a.linear, 1), cz = er_m3_column(a.linear, 2);
    er_mat3 frame = frame_of(cx, cy, cz);
    er_gltf_trs r;
    r.translation = a.translation;
    r.rotation = er_q_from_m3(frame);
    r.scale = er_v3(er_v3_dot(er_m3_column(frame, 0), cx), er_v3_dot(er_m3_column(frame, 1), cy),
                    er_v3_dot(er_m3_column(frame, 2), cz));
    double size = largest(a.linear);
    er_mat3 back = er_affine_from_trs(r.translation, r.rotation, r.scale).linear;
    *shear = size > 0.0 ? largest(er_m3_madd(a.linear, -1.0, back)) / size : 0.0;
    return r;
}

void er_gltf_put_trs(er_gltf_document *document, json_t *node, er_gltf_trs trs)
{
    er_vec3 t = trs.translation, s = trs.scale;
    er_quat q = trs.rotation;
    if (t.x != 0.0 || t.y != 0.0 || t.z != 0.0)
        er_gltf_put_numbers(document, node, "translation", (double[]){t.x, t.y, t.z}, 3);
    if (q.w != 1.0) er_gltf_put_numbers(document, node, "rotation", (double[]){q.x, q.y, q.z, q.w}, 4);
    if (s.x != 1.0 || s.y != 1.0 || s.z != 1.0)
        er_gltf_put_numbers(document, node, "scale", (double[]){s.x, s.y, s.z}, 3);
}

void er_gltf_put_matrix(er_gltf_document *document, json_t *node, er_affine a)
{
    er_vec3 t = a.translation;
    double column[16] = {[12] = t.x, [13] = t.y, [14] = t.z, [15] = 1.0};
    for (int i = 0; i < 9; ++i)
        column[4 * (i % 3) + i / 3] = a.linear.m[i / 3][i % 3];
    er_gltf_put_numbers(document, node, "matrix", column, 16);
}

void er_gltf_matrix_to_trs(er_gltf_document *document, json_t *node)
{
    json_t *matrix = json_object_get(node, "matrix");
    if (matrix == NULL) return;
    double column[16];
    for (size_t i = 0; i < 16; ++i) {
        json_t *entry = json_array_get(matrix, i);
        if (!json_is_number(entry)) {
            er_gltf_fail(
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
    er_gltf_trs trs = er_gltf_split(a, &shear);
    json_object_del(node, "matrix");
    er_gltf_put_trs(document, node, trs);
}
