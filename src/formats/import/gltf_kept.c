// Keeps a glTF document for the writer that adds to it: its JSON, its chunks, and the files that it uses. A missing
// file is no error here: the writer gets the reason.
#include "formats/import/gltf_reader.h"

#include <string.h>

#include "base/buffer.h"
#include "base/reference.h"
#include "scene/scene_source.h"

// Marks the element that a member of an object names.
static void mark(bool *used, int count, const json_t *object, const char *key)
{
    double index = imp_gltf_number(object, key, -1.0);
    if (index >= 0.0 && index < count) used[(int)index] = true;
}

// Marks it for the object and for its extensions, each of which may name another one.
static void mark_all(bool *used, int count, json_t *object, const char *key)
{
    const char *name;
    json_t *extension;
    mark(used, count, object, key);
    json_object_foreach(json_object_get(object, "extensions"), name, extension) mark(used, count, extension, key);
}

static const char *uri_of(const imp_gltf *gltf, const char *list, int index)
{
    return json_string_value(json_object_get(imp_gltf_item(gltf, list, index), "uri"));
}

// Keeps the path, and the bytes or the reason why there are none.
static er_result keep_bytes(imp_gltf *gltf, const char *uri, er_result read, imp_bytes bytes, eri_source_bytes *out)
{
    imp_reader *reader = gltf->reader;
    char path[ER_FILE_NAME_MAX] = "";
    bool failed = read == ER_ERROR_FILE || read == ER_ERROR_FORMAT;
    if (read != ER_OK && !failed) return read;
    if (imp_gltf_names_file(uri)) eri_reference_path(uri, ER_REFERENCE_URI, path);
    *out = (eri_source_bytes){
        .path = eri_arena_string(reader->arena, path), .why = "", .bytes = bytes.at, .size = bytes.size};
    if (failed) *out = (eri_source_bytes){.path = out->path};
    if (failed) out->why = imp_reader_text(reader, er_context_error(reader->context));
    return out->path != NULL && out->why != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_result keep_buffers(imp_gltf *gltf, er_arena *scratch, er_source *source)
{
    int n = gltf->buffer_count;
    eri_source_bytes *kept = NULL;
    bool *used = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(kept, gltf->reader->arena, eri_source_bytes, n);
    ERI_TRY_NEW(used, scratch, bool, n);
    for (int i = 0; i < gltf->view_count; ++i)
        mark_all(used, n, imp_gltf_item(gltf, "bufferViews", i), "buffer");
    for (int i = 0; i < n; ++i) {
        const char *uri = uri_of(gltf, "buffers", i);
        bool file = imp_gltf_names_file(uri), data = uri != NULL && !file && i == 0;
        kept[i] = (eri_source_bytes){.path = "", .why = ""};
        if (!(file && used[i]) && !data) continue;
        er_result read = imp_gltf_load_buffer(gltf, i);
        ERI_TRY(keep_bytes(gltf, uri, read, gltf->buffer[i], &kept[i]));
        if (data) kept[i].why = ""; // the reader has already reported it
    }
    source->buffer = kept;
    source->buffer_count = n;
done:
    return r;
}

static er_result keep_images(imp_gltf *gltf, er_arena *scratch, er_source *source)
{
    int n = gltf->image_count;
    eri_source_bytes *kept = NULL;
    bool *used = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(kept, gltf->reader->arena, eri_source_bytes, n);
    ERI_TRY_NEW(used, scratch, bool, n);
    for (int i = 0; i < gltf->texture_count; ++i)
        mark_all(used, n, imp_gltf_item(gltf, "textures", i), "source");
    for (int i = 0; i < n; ++i) {
        const char *uri = uri_of(gltf, "images", i);
        kept[i] = (eri_source_bytes){.path = "", .why = ""};
        if (!used[i] || !imp_gltf_names_file(uri)) continue;
        er_result read = imp_gltf_load_image(gltf, i);
        ERI_TRY(keep_bytes(gltf, uri, read, gltf->image[i], &kept[i]));
    }
    source->image = kept;
    source->image_count = n;
done:
    return r;
}

static int take_text(const char *text, size_t size, void *user)
{
    eri_buffer *out = user;
    eri_buffer_add(out, text, size);
    return out->failure == ER_OK ? 0 : -1;
}

// Keeps all digits of numbers.
static er_result keep_json(const imp_gltf *gltf, er_source *source)
{
    eri_buffer out = {.arena = gltf->reader->arena};
    if (json_dump_callback(gltf->root, take_text, &out, JSON_COMPACT | JSON_REAL_PRECISION(17)) != 0)
        return ER_ERROR_MEMORY;
    source->json = (const char *)out.bytes;
    source->json_size = out.size;
    return ER_OK;
}

er_result imp_gltf_keep_source(imp_gltf *gltf)
{
    er_arena *scratch = NULL;
    er_source *source = NULL;
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(gltf->reader->context, &scratch));
    ERI_TRY_NEW(source, gltf->reader->arena, er_source, 1);
    ERI_TRY(keep_json(gltf, source));
    source->chunk = gltf->chunk;
    source->chunk_count = gltf->chunk_count;
    ERI_TRY(keep_buffers(gltf, scratch, source));
    ERI_TRY(keep_images(gltf, scratch, source));
    gltf->reader->scene->source = source;
done:
    eri_arena_destroy(scratch);
    return r;
}
