// What a glTF document is made of, kept for the writer that adds to it: its JSON, its chunks, and those of its files
// that something uses. A file that is not to be had spoils no scene that does without it: the writer is told why.
#include "tools/importer/gltf.h"

#include <limits.h>
#include <string.h>

#include "base/buffer.h"
#include "base/reference.h"
#include "scene/source.h"

// Marks the element that a member of an object names.
static void mark(bool *used, int count, const json_t *object, const char *key)
{
    double index = er_gltf_number(object, key, -1.0);
    if (index >= 0.0 && index < count) used[(int)index] = true;
}

// The same for the object's extensions, each of which may name another one.
static void mark_all(bool *used, int count, json_t *object, const char *key)
{
    const char *name;
    json_t *extension;
    mark(used, count, object, key);
    json_object_foreach(json_object_get(object, "extensions"), name, extension) mark(used, count, extension, key);
}

static const char *uri_of(const er_gltf *gltf, const char *list, int index)
{
    return json_string_value(json_object_get(er_gltf_item(gltf, list, index), "uri"));
}

// Where the file lies, and its bytes or why there are none.
static er_result keep_bytes(er_gltf *gltf, const char *uri, er_result read, er_bytes bytes, er_source_bytes *out)
{
    er_reader *reader = gltf->reader;
    char path[PATH_MAX] = "";
    bool failed = read == ER_ERROR_FILE || read == ER_ERROR_FORMAT;
    if (read != ER_OK && !failed) return read;
    if (er_gltf_names_file(uri)) er_reference_path(uri, ER_REFERENCE_URI, path);
    *out = (er_source_bytes){
        .path = er_arena_string(reader->arena, path), .why = "", .bytes = bytes.at, .size = bytes.size};
    if (failed) *out = (er_source_bytes){.path = out->path};
    if (failed) out->why = er_reader_text(reader, er_context_error(reader->context));
    return out->path != NULL && out->why != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_result keep_buffers(er_gltf *gltf, er_arena *scratch, er_source *source)
{
    int n = gltf->buffer_count;
    er_source_bytes *kept = NULL;
    bool *used = NULL;
    er_result r = ER_OK;
    ER_TRY_NEW(kept, gltf->reader->arena, er_source_bytes, n);
    ER_TRY_NEW(used, scratch, bool, n);
    for (int i = 0; i < gltf->view_count; ++i)
        mark_all(used, n, er_gltf_item(gltf, "bufferViews", i), "buffer");
    for (int i = 0; i < n; ++i) {
        const char *uri = uri_of(gltf, "buffers", i);
        bool file = er_gltf_names_file(uri), data = uri != NULL && !file && i == 0;
        kept[i] = (er_source_bytes){.path = "", .why = ""};
        if (!(file && used[i]) && !data) continue;
        er_result read = er_gltf_load_buffer(gltf, i);
        ER_TRY(keep_bytes(gltf, uri, read, gltf->buffer[i], &kept[i]));
        if (data) kept[i].why = ""; // whoever needs it has been told
    }
    source->buffer = kept;
    source->buffer_count = n;
done:
    return r;
}

static er_result keep_images(er_gltf *gltf, er_arena *scratch, er_source *source)
{
    int n = gltf->image_count;
    er_source_bytes *kept = NULL;
    bool *used = NULL;
    er_result r = ER_OK;
    ER_TRY_NEW(kept, gltf->reader->arena, er_source_bytes, n);
    ER_TRY_NEW(used, scratch, bool, n);
    for (int i = 0; i < gltf->texture_count; ++i)
        mark_all(used, n, er_gltf_item(gltf, "textures", i), "source");
    for (int i = 0; i < n; ++i) {
        const char *uri = uri_of(gltf, "images", i);
        kept[i] = (er_source_bytes){.path = "", .why = ""};
        if (!used[i] || !er_gltf_names_file(uri)) continue;
        er_result read = er_gltf_load_image(gltf, i);
        ER_TRY(keep_bytes(gltf, uri, read, gltf->image[i], &kept[i]));
    }
    source->image = kept;
    source->image_count = n;
done:
    return r;
}

static int take_text(const char *text, size_t size, void *user)
{
    er_buffer *out = user;
    er_buffer_add(out, text, size);
    return out->failure == ER_OK ? 0 : -1;
}

// Numbers to the last digit.
static er_result keep_json(const er_gltf *gltf, er_source *source)
{
    er_buffer out = {.arena = gltf->reader->arena};
    if (json_dump_callback(gltf->root, take_text, &out, JSON_COMPACT | JSON_REAL_PRECISION(17)) != 0)
        return ER_ERROR_MEMORY;
    source->json = (const char *)out.bytes;
    source->json_size = out.size;
    return ER_OK;
}

er_result er_gltf_keep_source(er_gltf *gltf)
{
    er_arena *scratch = NULL;
    er_source *source = NULL;
    er_result r = ER_OK;
    ER_TRY(er_arena_create(gltf->reader->context, &scratch));
    ER_TRY_NEW(source, gltf->reader->arena, er_source, 1);
    ER_TRY(keep_json(gltf, source));
    source->chunk = gltf->chunk;
    source->chunk_count = gltf->chunk_count;
    ER_TRY(keep_buffers(gltf, scratch, source));
    ER_TRY(keep_images(gltf, scratch, source));
    gltf->reader->scene->source = source;
done:
    er_arena_destroy(scratch);
    return r;
}
