// Curves as arrays of numpy: an NPZ, which is a zip of NPY files.
#include <stdio.h>
#include <string.h>
#include <zip.h>

#include "base/file.h"
#include "base/text.h"
#include "formats/curves/motion.h"

// numpy's mark of the byte order that this machine stores numbers in.
static const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';

typedef struct npz {
    er_context *context;
    er_arena *arena;
    const char *path;
    zip_source_t *store; // the archive's bytes
    zip_t *archive;
} npz;

typedef struct array {
    const char *name;
    char kind;       // 'f', 'i' or 'U'
    size_t width;    // bytes, of 'U' code points
    size_t shape[3]; // 0 behind the last one
    int dimensions;
    const void *data;
} array;

static er_result fail(npz *z, zip_error_t *error)
{
    return er_fail(z->context, ER_ERROR_MEMORY, "%s: cannot be written: %s", er_path_name(z->path),
                   zip_error_strerror(error));
}

static er_result fail_archive(npz *z)
{
    return fail(z, zip_get_error(z->archive));
}

// --- arrays

// What stands before an array's numbers: ten bytes, then a Python dictionary that ends on a multiple of 64.
static char *make_header(npz *z, const array *a, size_t *size)
{
    enum { PREFIX = 10, ALIGN = 64, MOST = 256 };
    char shape[80] = "";
    for (int i = 0, used = 0; i < a->dimensions; ++i)
        used += snprintf(shape + used, sizeof shape - (size_t)used, i > 0 ? ", %zu" : "%zu", a->shape[i]);
    char *header = ER_NEW(z->arena, char, MOST);
    if (header == NULL) return NULL;
    int text =
        snprintf(header + PREFIX, MOST - PREFIX, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s%s), }",
                 order, a->kind, a->width, shape, a->dimensions == 1 ? "," : "");
    *size = (PREFIX + (size_t)text + 1 + ALIGN - 1) / ALIGN * ALIGN;
    memset(header + PREFIX + text, ' ', *size - PREFIX - (size_t)text);
    header[*size - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((*size - PREFIX) & 0xFF);
    header[9] = (char)((*size - PREFIX) >> 8);
    return header;
}

static er_result add(npz *z, array a)
{
    er_result r = ER_OK;
    size_t header_size = 0, size = a.kind == 'U' ? 4 * a.width : a.width;
    for (int i = 0; i < a.dimensions; ++i)
        size *= a.shape[i];
    char *header = make_header(z, &a, &header_size), *file = er_arena_printf(z->arena, "%s.npy", a.name);
    if (header == NULL || file == NULL) return ER_ERROR_MEMORY;
    zip_buffer_fragment_t piece[2] = {{(zip_uint8_t *)header, header_size}, {(zip_uint8_t *)(uintptr_t)a.data, size}};
    zip_source_t *source = zip_source_buffer_fragment(z->archive, piece, size > 0 ? 2 : 1, 0);
    if (source == NULL) return fail_archive(z);
    zip_int64_t index = zip_file_add(z->archive, file, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        r = fail_archive(z);
        zip_source_free(source);
        return r;
    }
    const zip_uint16_t midnight = 0, first_of_1980 = 1 << 5 | 1; // the earliest that a ZIP can say
    if (zip_set_file_compression(z->archive, (zip_uint64_t)index, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(z->archive, (zip_uint64_t)index, midnight, first_of_1980, 0) != 0)
        return fail_archive(z);
    return r;
}

static uint32_t code_point(const char *text, size_t length)
{
    const unsigned char *c = (const unsigned char *)text;
    uint32_t code = length == 1 ? c[0] : c[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; ++i)
        code = code << 6 | (c[i] & 0x3Fu);
    return code;
}

static size_t code_point_count(const char *text)
{
    size_t count = 0;
    for (size_t n; (n = er_utf8_length(text)) > 0; text += n)
        ++count;
    return count;
}

// Text of equal width, four bytes a code point, zeroes behind the last.
static er_result add_text(npz *z, const char *name, int count, const char *const *text)
{
    er_result r = ER_OK;
    size_t width = 1;
    for (int i = 0; i < count; ++i) {
        size_t length = code_point_count(text[i]);
        if (length > width) width = length;
    }
    uint32_t *data;
    data = er_arena_alloc(z->arena, (size_t)count, width * sizeof *data);
    ER_TRY(data != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int i = 0; i < count; ++i) {
        uint32_t *out = data + width * (size_t)i;
        const char *at = text[i];
        for (size_t n; (n = er_utf8_length(at)) > 0; at += n)
            *out++ = code_point(at, n);
    }
    r = add(z, (array){name, 'U', width, {(size_t)count}, 1, data});
done:
    return r;
}

// --- the motion

static er_result add_coordinates(npz *z, const er_model *m)
{
    er_result r = ER_OK;
    size_t count = (size_t)m->coordinate_count;
    const char **name;
    int32_t *joint;
    ER_TRY_NEW(name, z->arena, const char *, count);
    ER_TRY_NEW(joint, z->arena, int32_t, count);
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], free_count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < free_count; ++i) {
            name[m->coordinate[k] + i] = er_coordinate_name(axis[i]);
            joint[m->coordinate[k] + i] = k;
        }
    }
    ER_TRY(add_text(z, "coordinate_names", m->coordinate_count, name));
    ER_TRY(add(z, (array){"coordinate_joint", 'i', sizeof *joint, {count}, 1, joint}));
done:
    return r;
}

static er_result add_poses(npz *z, const er_curves *c)
{
    er_result r = ER_OK;
    size_t frames = (size_t)c->frame_count, bodies = (size_t)c->model->body_count;
    double *position, *orientation;
    const char **name = er_body_names(z->arena, c->model);
    ER_TRY(name != NULL ? ER_OK : ER_ERROR_MEMORY);
    ER_TRY(add_text(z, "body_names", c->model->body_count, name));
    ER_TRY_RESERVE(position, z->arena, double, 3 * frames * bodies);
    ER_TRY_RESERVE(orientation, z->arena, double, 4 * frames * bodies);
    for (size_t i = 0; i < frames * bodies; ++i) {
        er_pose pose = c->pose[i];
        memcpy(position + 3 * i, (double[]){pose.p.x, pose.p.y, pose.p.z}, 3 * sizeof(double));
        memcpy(orientation + 4 * i, (double[]){pose.q.w, pose.q.x, pose.q.y, pose.q.z}, 4 * sizeof(double));
    }
    ER_TRY(add(z, (array){"position", 'f', sizeof(double), {frames, bodies, 3}, 3, position}));
    ER_TRY(add(z, (array){"orientation", 'f', sizeof(double), {frames, bodies, 4}, 3, orientation}));
done:
    return r;
}

static er_result add_motion(npz *z, const er_curves *c)
{
    er_result r = ER_OK;
    size_t frames = (size_t)c->frame_count, coordinates = (size_t)c->model->coordinate_count;
    const char **name = er_joint_names(z->arena, c->model);
    ER_TRY(name != NULL ? ER_OK : ER_ERROR_MEMORY);
    ER_TRY(add(z, (array){"time", 'f', sizeof(double), {frames}, 1, c->time}));
    ER_TRY(add(z, (array){"q", 'f', sizeof(double), {frames, coordinates}, 2, c->q}));
    ER_TRY(add_text(z, "joint_names", c->model->joint_count, name));
    ER_TRY(add_coordinates(z, c->model));
    if (c->pose != NULL) ER_TRY(add_poses(z, c));
done:
    return r;
}

// --- the archive

static er_result open_archive(npz *z)
{
    er_result r = ER_OK;
    zip_error_t error;
    zip_error_init(&error);
    z->store = zip_source_buffer_create(NULL, 0, 0, &error);
    if (z->store != NULL) z->archive = zip_open_from_source(z->store, ZIP_CREATE | ZIP_TRUNCATE, &error);
    if (z->archive == NULL) r = fail(z, &error);
    if (z->archive != NULL) zip_source_keep(z->store); // the archive has one hold on it, this call another
    zip_error_fini(&error);
    return r;
}

static er_result save(npz *z)
{
    er_result r = ER_OK;
    zip_stat_t info;
    uint8_t *bytes;
    if (zip_close(z->archive) != 0) return fail_archive(z);
    z->archive = NULL;
    if (zip_source_stat(z->store, &info) != 0 || zip_source_open(z->store) != 0)
        return fail(z, zip_source_error(z->store));
    ER_TRY_RESERVE(bytes, z->arena, uint8_t, info.size);
    if (zip_source_read(z->store, bytes, info.size) != (zip_int64_t)info.size)
        ER_TRY(fail(z, zip_source_error(z->store)));
    ER_TRY(er_file_write(z->context, z->path, bytes, info.size));
done:
    zip_source_close(z->store);
    return r;
}

er_result er_curves_write_npz(er_context *context, const er_curves *curves, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    npz z = {.context = context, .path = path};
    ER_TRY(er_curves_check(context, curves, path, "er_curves_write_npz"));
    ER_TRY(er_arena_create(context, &z.arena));
    ER_TRY(open_archive(&z));
    ER_TRY(add_motion(&z, curves));
    ER_TRY(save(&z));
done:
    if (z.archive != NULL) zip_discard(z.archive);
    zip_source_free(z.store);
    er_arena_destroy(z.arena);
    return r;
}
