// A glTF file opened to be extended: its buffers and pictures are fitted to the kind of file to be written.
#include "formats/gltf/source.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "formats/gltf/uri.h"

typedef struct opener {
    er_gltf_document *document;
    const char *source;
    er_gltf_copies *copies;
    bool same_folder;
} opener;

// A file that a buffer or a picture names.
typedef struct side_file {
    const char *path; // relative, NULL when the element names none
    const char *from; // where it is
    uint8_t *bytes;   // [size], NULL when it is missing
    size_t size;
} side_file;

// --- paths

static er_result is_same_folder(er_arena *arena, const char *a, const char *b, bool *same)
{
    const char *folder_a = er_beside_path(arena, a, "."), *folder_b = er_beside_path(arena, b, ".");
    if (folder_a == NULL || folder_b == NULL) return ER_ERROR_MEMORY;
    struct stat info_a, info_b;
    *same = stat(folder_a, &info_a) == 0 && stat(folder_b, &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
            info_a.st_ino == info_b.st_ino;
    return ER_OK;
}

static er_result read_side_file(opener *o, const json_t *element, side_file *out)
{
    er_result r = ER_OK;
    *out = (side_file){0};
    const char *uri = json_string_value(json_object_get(element, "uri"));
    if (uri == NULL) goto done;
    char *path;
    ER_TRY(er_uri_path(o->document->arena, uri, &path));
    out->path = path;
    if (path == NULL) goto done;
    out->from = er_beside_path(o->document->arena, o->source, path);
    if (out->from == NULL) return ER_ERROR_MEMORY;
    struct stat info;
    if (stat(out->from, &info) == 0 && S_ISREG(info.st_mode)) // a pipe or a device could keep us waiting for ever
        r = er_file_read(o->document->arena, out->from, UINT32_MAX, &out->bytes, &out->size);
done:
    return r;
}

static const char *picture_mime(const side_file *file)
{
    static const struct {
        const char *mime;
        size_t at, size;
        const char *mark;
    } kinds[] = {
        {"image/png", 0, 8, "\x89PNG\r\n\x1A\n"},
        {"image/jpeg", 0, 3, "\xFF\xD8\xFF"},
        {"image/webp", 8, 4, "WEBP"},
        {"image/ktx2", 0, 7, "\xABKTX 20"},
    };
    for (size_t i = 0; i < ER_COUNT(kinds); ++i)
        if (file->bytes != NULL && file->size >= kinds[i].at + kinds[i].size &&
            memcmp(file->bytes + kinds[i].at, kinds[i].mark, kinds[i].size) == 0)
            return kinds[i].mime;
    return NULL;
}

// --- one element

static er_result broken_buffer(const opener *o, size_t index, const char *what)
{
    return er_fail(er_arena_context(o->document->arena), ER_ERROR_FORMAT,
                   "%s: is not glTF: buffer %zu %s; export it again", o->source, index, what);
}

static er_result buffer_length(const opener *o, const json_t *buffer, size_t index, size_t available, size_t *length)
{
    json_int_t value = json_integer_value(json_object_get(buffer, "byteLength"));
    if (value < 1) return broken_buffer(o, index, "has no length");
    if ((json_int_t)available < value) return broken_buffer(o, index, "is longer than its data");
    *length = (size_t)value;
    return ER_OK;
}

static er_result missing(const opener *o, const side_file *file)
{
    return er_fail(er_arena_context(o->document->arena), ER_ERROR_FILE,
                   "%s: cannot be read: %s needs it; put it back beside that file", file->from, o->source);
}

// --- a whole source

// The BIN chunk out of the list, when buffer 0 stands for it; its bytes become those of the growing buffer.
static er_result take_bin(opener *o)
{
    er_gltf_document *d = o->document;
    json_t *first = er_gltf_at(d, "buffers", 0);
    if (first == NULL || json_object_get(first, "uri") != NULL) return ER_OK;
    for (int i = 0; i < d->chunk_count; ++i) {
        er_gltf_chunk chunk = d->chunk[i];
        if (chunk.type != ER_GLTF_BIN_CHUNK) continue;
        size_t length;
        er_result r = buffer_length(o, first, 0, chunk.size, &length);
        if (r != ER_OK) return r;
        memmove(&d->chunk[i], &d->chunk[i + 1], (size_t)(--d->chunk_count - i) * sizeof chunk);
        d->bytes = (er_buffer){d->arena, (uint8_t *)(uintptr_t)chunk.bytes, length, length, ER_OK};
        d->buffer = 0;
        return ER_OK;
    }
    return ER_OK;
}

static bool has_bin_chunk(const er_gltf_document *d)
{
    for (int i = 0; i < d->chunk_count; ++i)
        if (d->chunk[i].type == ER_GLTF_BIN_CHUNK) return true;
    return false;
}

// Makes the bytes of buffer 0 the BIN chunk, unless they are out of reach (another scheme, no URI at all).
static er_result take_first_buffer(opener *o, json_t *first)
{
    er_gltf_document *d = o->document;
    er_result r = ER_OK;
    side_file file;
    ER_TRY(read_side_file(o, first, &file));
    if (file.path != NULL && file.bytes == NULL) return missing(o, &file);
    const char *uri = json_string_value(json_object_get(first, "uri"));
    if (uri != NULL && file.path == NULL) ER_TRY(er_uri_to_bytes(d->arena, uri, &file.bytes, &file.size));
    if (file.bytes == NULL) goto done;
    size_t length;
    ER_TRY(buffer_length(o, first, 0, file.size, &length));
    json_object_del(first, "uri");
    d->bytes = (er_buffer){d->arena, file.bytes, length, length, ER_OK};
    d->buffer = 0;
done:
    return r;
}

static er_result fit_to_glb(opener *o)
{
    er_gltf_document *d = o->document;
    er_result r = ER_OK;
    json_t *buffers = json_object_get(d->root, "buffers"), *images = json_object_get(d->root, "images");
    json_t *first = er_gltf_at(d, "buffers", 0);
    if (d->buffer < 0 && first != NULL && !has_bin_chunk(d)) ER_TRY(take_first_buffer(o, first));
    // only buffer 0 may be the BIN chunk: where it is something else, new data goes to a data URI after the others
    d->bin = d->buffer == 0 || (json_array_size(buffers) == 0 && !has_bin_chunk(d));
    side_file file;
    for (size_t i = 0; i < json_array_size(buffers); ++i) {
        json_t *buffer = json_array_get(buffers, i);
        ER_TRY(read_side_file(o, buffer, &file));
        if (file.path == NULL) continue;
        if (file.bytes == NULL) return missing(o, &file);
        er_gltf_put_data_uri(d, buffer, ER_GLTF_BUFFER_MIME, file.bytes, file.size);
    }
    for (size_t i = 0; i < json_array_size(images); ++i) {
        json_t *image = json_array_get(images, i);
        ER_TRY(read_side_file(o, image, &file));
        const char *mime = picture_mime(&file);
        if (mime == NULL) continue;
        json_object_del(image, "uri");
        er_gltf_put_blob(d, image, mime, file.bytes, file.size);
    }
done:
    return r;
}

static er_result bring_along(opener *o, json_t *element, const side_file *file, const char *mime)
{
    er_gltf_document *d = o->document;
    if (er_uri_escapes(file->path)) {
        if (mime != NULL) er_gltf_put_data_uri(d, element, mime, file->bytes, file->size);
        return ER_OK;
    }
    char *to = er_beside_path(d->arena, d->path, file->path);
    if (to == NULL) return ER_ERROR_MEMORY;
    o->copies->item[o->copies->count++] = (er_gltf_copy){file->from, to, file->bytes, file->size};
    return ER_OK;
}

static er_result fit_to_gltf(opener *o)
{
    er_gltf_document *d = o->document;
    er_result r = ER_OK;
    if (d->buffer == 0) {
        er_gltf_put_data_uri(d, er_gltf_at(d, "buffers", 0), ER_GLTF_BUFFER_MIME, d->bytes.bytes, d->bytes.size);
        d->bytes = (er_buffer){.arena = d->arena};
        d->buffer = -1;
    }
    if (o->same_folder) goto done;
    json_t *buffers = json_object_get(d->root, "buffers"), *images = json_object_get(d->root, "images");
    ER_TRY_NEW(o->copies->item, d->arena, er_gltf_copy, json_array_size(buffers) + json_array_size(images));
    side_file file;
    for (size_t i = 0; i < json_array_size(buffers); ++i) {
        json_t *buffer = json_array_get(buffers, i);
        ER_TRY(read_side_file(o, buffer, &file));
        if (file.path == NULL) continue;
        if (file.bytes == NULL) return missing(o, &file);
        ER_TRY(bring_along(o, buffer, &file, ER_GLTF_BUFFER_MIME));
    }
    for (size_t i = 0; i < json_array_size(images); ++i) {
        json_t *image = json_array_get(images, i);
        ER_TRY(read_side_file(o, image, &file));
        if (file.bytes != NULL) ER_TRY(bring_along(o, image, &file, picture_mime(&file)));
    }
done:
    return r;
}

er_result er_gltf_open_source(er_gltf_document *document, const char *source, er_gltf_copies *copies)
{
    er_result r = ER_OK;
    *copies = (er_gltf_copies){0};
    opener o = {document, source, copies, false};
    ER_TRY(er_gltf_load(document, source));
    ER_TRY(is_same_folder(document->arena, source, document->path, &o.same_folder));
    ER_TRY(take_bin(&o));
    ER_TRY(document->binary ? fit_to_glb(&o) : fit_to_gltf(&o));
    r = er_gltf_check(document);
done:
    return r;
}

// --- files beside a .gltf

er_result er_gltf_copy_files(er_beside *beside, const er_gltf_copies *copies)
{
    er_result r = ER_OK;
    for (int i = 0; i < copies->count; ++i) {
        const er_gltf_copy *copy = &copies->item[i];
        ER_TRY(er_beside_put(beside, copy->to, copy->bytes, copy->size, copy->from));
    }
done:
    return r;
}
