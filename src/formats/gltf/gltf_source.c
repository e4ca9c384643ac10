// A glTF source to be added to: its buffers and pictures are fitted to the kind of file to be written. All of it comes
// from what the importer read; nothing is opened here.
#include "formats/gltf/gltf_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "formats/gltf/uri.h"

typedef struct opener {
    eri_gltf_document *document;
    const char *path; // of the source
    const er_source *source;
    eri_gltf_copies *copies;
    bool same_folder;
} opener;

// The bytes that an element of "buffers" or "images" refers to.
static const eri_source_bytes *bytes_of(const eri_source_bytes *list, int count, size_t index)
{
    static const eri_source_bytes none = {.path = "", .why = ""};
    return index < (size_t)count ? &list[index] : &none;
}

static bool is_file(const eri_source_bytes *named)
{
    return *named->path != '\0' && named->bytes != NULL;
}

static er_result is_same_folder(er_arena *arena, const char *a, const char *b, bool *same)
{
    const char *folder_a = eri_beside_path(arena, a, "."), *folder_b = eri_beside_path(arena, b, ".");
    if (folder_a == NULL || folder_b == NULL) return ER_ERROR_MEMORY;
    eri_file_info info_a, info_b;
    *same = eri_platform_stat(folder_a, &info_a) == 0 && eri_platform_stat(folder_b, &info_b) == 0 &&
            info_a.device == info_b.device && info_a.number == info_b.number;
    return ER_OK;
}

static const char *picture_mime(const eri_source_bytes *file)
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
    for (size_t i = 0; i < ERI_COUNT(kinds); ++i)
        if (file->bytes != NULL && file->size >= kinds[i].at + kinds[i].size &&
            memcmp(file->bytes + kinds[i].at, kinds[i].mark, kinds[i].size) == 0)
            return kinds[i].mime;
    return NULL;
}

// --- one element

static er_result broken_buffer(const opener *o, size_t index, const char *what)
{
    return er_fail(eri_arena_context(o->document->arena), ER_ERROR_FORMAT,
                   "%s: is not glTF: buffer %zu %s; export it again", o->path, index, what);
}

static er_result buffer_length(const opener *o, const json_t *buffer, size_t index, size_t available, size_t *length)
{
    json_int_t value = json_integer_value(json_object_get(buffer, "byteLength"));
    if (value < 1) return broken_buffer(o, index, "has no length");
    if ((json_int_t)available < value) return broken_buffer(o, index, "is longer than its data");
    *length = (size_t)value;
    return ER_OK;
}

// A buffer has to be there, unless nothing uses it.
static er_result check_buffer(const opener *o, const eri_source_bytes *buffer)
{
    if (*buffer->why == '\0') return ER_OK;
    const char *from = eri_beside_path(o->document->arena, o->path, buffer->path);
    if (from == NULL) return ER_ERROR_MEMORY;
    return er_fail(eri_arena_context(o->document->arena), ER_ERROR_FILE, "%s: %s needs it, but %s", from, o->path,
                   buffer->why);
}

// --- a whole source

// The BIN chunk out of the list, when buffer 0 stands for it; its bytes become those of the growing buffer.
static er_result take_bin(opener *o)
{
    eri_gltf_document *d = o->document;
    json_t *first = eri_gltf_at(d, "buffers", 0);
    if (first == NULL || json_object_get(first, "uri") != NULL) return ER_OK;
    for (int i = 0; i < d->chunk_count; ++i) {
        eri_source_chunk chunk = d->chunk[i];
        if (chunk.type != ERI_SOURCE_BIN) continue;
        size_t length;
        er_result r = buffer_length(o, first, 0, chunk.size, &length);
        if (r != ER_OK) return r;
        memmove(&d->chunk[i], &d->chunk[i + 1], (size_t)(--d->chunk_count - i) * sizeof chunk);
        d->bytes = (eri_buffer){d->arena, (uint8_t *)(uintptr_t)chunk.bytes, length, length, ER_OK};
        d->buffer = 0;
        return ER_OK;
    }
    return ER_OK;
}

static bool has_bin_chunk(const eri_gltf_document *d)
{
    for (int i = 0; i < d->chunk_count; ++i)
        if (d->chunk[i].type == ERI_SOURCE_BIN) return true;
    return false;
}

// Makes the bytes of buffer 0 the BIN chunk, unless they are not there (another scheme, no URI at all, of no use).
static er_result take_first_buffer(opener *o, json_t *first)
{
    eri_gltf_document *d = o->document;
    er_result r = ER_OK;
    const eri_source_bytes *file = bytes_of(o->source->buffer, o->source->buffer_count, 0);
    ERI_TRY(check_buffer(o, file));
    if (file->bytes == NULL) goto done;
    size_t length;
    ERI_TRY(buffer_length(o, first, 0, file->size, &length));
    json_object_del(first, "uri");
    d->bytes = (eri_buffer){d->arena, (uint8_t *)(uintptr_t)file->bytes, length, length, ER_OK};
    d->buffer = 0;
done:
    return r;
}

static er_result fit_to_glb(opener *o)
{
    eri_gltf_document *d = o->document;
    er_result r = ER_OK;
    json_t *buffers = json_object_get(d->root, "buffers"), *images = json_object_get(d->root, "images");
    json_t *first = eri_gltf_at(d, "buffers", 0);
    if (d->buffer < 0 && first != NULL && !has_bin_chunk(d)) ERI_TRY(take_first_buffer(o, first));
    // only buffer 0 may be the BIN chunk: where it is something else, new data goes to a data URI after the others
    d->bin = d->buffer == 0 || (json_array_size(buffers) == 0 && !has_bin_chunk(d));
    for (size_t i = d->buffer == 0 ? 1 : 0; i < json_array_size(buffers); ++i) {
        const eri_source_bytes *file = bytes_of(o->source->buffer, o->source->buffer_count, i);
        ERI_TRY(check_buffer(o, file));
        if (is_file(file))
            eri_gltf_put_data_uri(d, json_array_get(buffers, i), ERI_GLTF_BUFFER_MIME, file->bytes, file->size);
    }
    for (size_t i = 0; i < json_array_size(images); ++i) {
        json_t *image = json_array_get(images, i);
        const eri_source_bytes *file = bytes_of(o->source->image, o->source->image_count, i);
        const char *mime = picture_mime(file);
        if (mime == NULL) continue;
        json_object_del(image, "uri");
        eri_gltf_put_blob(d, image, mime, file->bytes, file->size);
    }
done:
    return r;
}

// Whether a path climbs out of its folder, or is hidden there: nobody looks for what a model lays into a home folder.
static bool is_out_of_sight(const char *path)
{
    return path[0] == '.' || strstr(path, "/.") != NULL;
}

static er_result bring_along(opener *o, json_t *element, const eri_source_bytes *file, const char *mime)
{
    eri_gltf_document *d = o->document;
    if (is_out_of_sight(file->path)) {
        if (mime != NULL) eri_gltf_put_data_uri(d, element, mime, file->bytes, file->size);
        return ER_OK;
    }
    const char *from = eri_beside_path(d->arena, o->path, file->path),
               *to = eri_beside_path(d->arena, d->path, file->path);
    if (from == NULL || to == NULL) return ER_ERROR_MEMORY;
    o->copies->item[o->copies->count++] = (eri_gltf_copy){from, to, file->bytes, file->size};
    return ER_OK;
}

// By place, the longest first.
static int compare_copies(const void *left, const void *right)
{
    const eri_gltf_copy *a = left, *b = right;
    int order = strcmp(a->to, b->to);
    return order != 0 ? order : (a->size < b->size) - (a->size > b->size);
}

// Buffers may share a file, each with a length of its own.
static void join_copies(eri_gltf_copies *copies)
{
    int count = 0;
    if (copies->count > 1) qsort(copies->item, (size_t)copies->count, sizeof *copies->item, compare_copies);
    for (int i = 0; i < copies->count; ++i)
        if (count == 0 || strcmp(copies->item[count - 1].to, copies->item[i].to) != 0)
            copies->item[count++] = copies->item[i];
    copies->count = count;
}

static er_result fit_to_gltf(opener *o)
{
    eri_gltf_document *d = o->document;
    er_result r = ER_OK;
    if (d->buffer == 0) {
        eri_gltf_put_data_uri(d, eri_gltf_at(d, "buffers", 0), ERI_GLTF_BUFFER_MIME, d->bytes.bytes, d->bytes.size);
        d->bytes = (eri_buffer){.arena = d->arena};
        d->buffer = -1;
    }
    if (o->same_folder) goto done;
    json_t *buffers = json_object_get(d->root, "buffers"), *images = json_object_get(d->root, "images");
    ERI_TRY_NEW(o->copies->item, d->arena, eri_gltf_copy, json_array_size(buffers) + json_array_size(images));
    for (size_t i = 0; i < json_array_size(buffers); ++i) {
        const eri_source_bytes *file = bytes_of(o->source->buffer, o->source->buffer_count, i);
        ERI_TRY(check_buffer(o, file));
        if (is_file(file)) ERI_TRY(bring_along(o, json_array_get(buffers, i), file, ERI_GLTF_BUFFER_MIME));
    }
    for (size_t i = 0; i < json_array_size(images); ++i) {
        const eri_source_bytes *file = bytes_of(o->source->image, o->source->image_count, i);
        if (is_file(file)) ERI_TRY(bring_along(o, json_array_get(images, i), file, picture_mime(file)));
    }
    join_copies(o->copies);
done:
    return r;
}

er_result eri_gltf_open_source(eri_gltf_document *document, const er_scene *scene, eri_gltf_copies *copies)
{
    er_result r = ER_OK;
    *copies = (eri_gltf_copies){0};
    opener o = {document, scene->path, scene->source, copies, false};
    if (o.source == NULL)
        return er_fail(eri_arena_context(document->arena), ER_ERROR_ARGUMENT,
                       "%s: a scene of ER_FORMAT_GLTF comes from er_import_file(), and this was made by hand; make it "
                       "ER_FORMAT_OTHER",
                       document->path);
    ERI_TRY(eri_gltf_load(document, scene->path, scene->source));
    ERI_TRY(is_same_folder(document->arena, scene->path, document->path, &o.same_folder));
    ERI_TRY(take_bin(&o));
    ERI_TRY(document->binary ? fit_to_glb(&o) : fit_to_gltf(&o));
    r = eri_gltf_check(document);
done:
    return r;
}

// --- files beside a .gltf

er_result eri_gltf_copy_files(eri_beside *beside, const eri_gltf_copies *copies)
{
    er_result r = ER_OK;
    for (int i = 0; i < copies->count; ++i) {
        const eri_gltf_copy *copy = &copies->item[i];
        ERI_TRY(eri_beside_put(beside, copy->to, copy->bytes, copy->size, copy->from));
    }
done:
    return r;
}
