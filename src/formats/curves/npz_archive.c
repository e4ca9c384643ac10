// Arrays of numpy: an NPZ, which is a zip of NPY files, written when it is whole.
#include "formats/curves/npz_archive.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "formats/curves/curve_names.h"

// numpy's mark of the byte order that this machine stores numbers in.
static const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';

static er_result fail(eri_npz *z, zip_error_t *error)
{
    return er_fail(z->context, ER_ERROR_MEMORY, "%s: cannot be written: %s", eri_path_name(z->path),
                   zip_error_code_zip(error) == ZIP_ER_OK ? "out of memory" : zip_error_strerror(error));
}

static er_result fail_archive(eri_npz *z)
{
    return fail(z, zip_get_error(z->archive));
}

// --- arrays

// The header of an array: ten bytes, then a Python dictionary that ends on a multiple of 64.
static char *make_header(eri_npz *z, const eri_npz_array *a, size_t *size)
{
    enum { PREFIX = 10, ALIGN = 64, MOST = 256 };
    char shape[80] = "";
    for (int i = 0, used = 0; i < a->dimensions; ++i)
        used += snprintf(shape + used, sizeof shape - (size_t)used, i > 0 ? ", %zu" : "%zu", a->shape[i]);
    char *header = ERI_NEW(z->arena, char, MOST);
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

er_result eri_npz_add(eri_npz *z, eri_npz_array a)
{
    er_result r = ER_OK;
    size_t header_size = 0, size = a.kind == 'U' ? 4 * a.width : a.width;
    for (int i = 0; i < a.dimensions; ++i)
        size *= a.shape[i];
    char *header = make_header(z, &a, &header_size), *file = eri_arena_printf(z->arena, "%s.npy", a.name);
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
    for (size_t n; (n = eri_utf8_length(text)) > 0; text += n)
        ++count;
    return count;
}

er_result eri_npz_add_text(eri_npz *z, const char *name, int count, const char *const *text)
{
    er_result r = ER_OK;
    size_t width = 1;
    for (int i = 0; i < count; ++i) {
        size_t length = code_point_count(text[i]);
        if (length > width) width = length;
    }
    uint32_t *data;
    data = eri_arena_alloc(z->arena, (size_t)count, width * sizeof *data);
    ERI_TRY(data != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int i = 0; i < count; ++i) {
        uint32_t *out = data + width * (size_t)i;
        const char *at = text[i];
        for (size_t n; (n = eri_utf8_length(at)) > 0; at += n)
            *out++ = code_point(at, n);
    }
    r = eri_npz_add(z, (eri_npz_array){name, 'U', width, {(size_t)count}, 1, data});
done:
    return r;
}

er_result eri_npz_add_numbers(eri_npz *z, const char *name, int dimensions, const size_t *shape, const double *data)
{
    eri_npz_array a = {.name = name, .kind = 'f', .width = sizeof *data, .dimensions = dimensions, .data = data};
    for (int i = 0; i < dimensions; ++i)
        a.shape[i] = shape[i];
    return eri_npz_add(z, a);
}

er_result eri_npz_add_rows(eri_npz *z, const char *name, int dimensions, const size_t *shape, const void *rows,
                           size_t row_size)
{
    er_result r = ER_OK;
    size_t columns = shape[dimensions - 1], count = 1;
    double *data;
    for (int i = 0; i + 1 < dimensions; ++i)
        count *= shape[i];
    ERI_TRY_RESERVE(data, z->arena, double, count *columns);
    for (size_t i = 0; i < count; ++i)
        memcpy(data + i * columns, (const char *)rows + i * row_size, columns * sizeof *data);
    ERI_TRY(eri_npz_add_numbers(z, name, dimensions, shape, data));
done:
    return r;
}

er_result eri_npz_add_places(eri_npz *z, size_t frames, size_t bodies, const er_pose *pose)
{
    static const er_pose none;
    if (pose == NULL) pose = &none; // of no bodies
    er_result r = eri_npz_add_rows(z, "position", 3, (size_t[]){frames, bodies, 3}, &pose->p, sizeof *pose);
    return r == ER_OK ? eri_npz_add_rows(z, "orientation", 3, (size_t[]){frames, bodies, 4}, &pose->q, sizeof *pose)
                      : r;
}

// --- the archive

static er_result open_archive(eri_npz *z)
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

static er_result save(eri_npz *z)
{
    er_result r = ER_OK;
    zip_stat_t info;
    uint8_t *bytes;
    if (zip_close(z->archive) != 0) return fail_archive(z);
    z->archive = NULL;
    if (zip_source_stat(z->store, &info) != 0 || zip_source_open(z->store) != 0)
        return fail(z, zip_source_error(z->store));
    ERI_TRY_RESERVE(bytes, z->arena, uint8_t, info.size);
    if (zip_source_read(z->store, bytes, info.size) != (zip_int64_t)info.size)
        ERI_TRY(fail(z, zip_source_error(z->store)));
    ERI_TRY(er_file_write(z->context, z->path, bytes, info.size));
done:
    zip_source_close(z->store);
    return r;
}

er_result eri_npz_write(er_context *context, const char *path, eri_npz_adder *add, const void *data)
{
    er_result r = ER_OK;
    eri_npz z = {.context = context, .path = path};
    ERI_TRY(eri_arena_create(context, &z.arena));
    ERI_TRY(open_archive(&z));
    ERI_TRY(add(&z, data));
    ERI_TRY(save(&z));
done:
    if (z.archive != NULL) zip_discard(z.archive);
    zip_source_free(z.store);
    eri_arena_destroy(z.arena);
    return r;
}
