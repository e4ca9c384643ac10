// A glTF document as it is read, extended and written: the JSON tree, the growing buffer, GLB chunks.
#include "formats/gltf/gltf_document.h"

#include <assert.h>
#include <string.h>

#include "base/file.h"
#include "formats/gltf/uri.h"

#define GLB_MAGIC 0x46546C67u // "glTF"
#define GLB_JSON 0x4E4F534Au
#define GLB_HEADER ((size_t)12)
#define CHUNK_HEADER ((size_t)8)
#define LIMIT ((size_t)UINT32_MAX) // a GLB counts its bytes in 32 bits

// Floats and integers are copied as they lie in memory, and glTF is little-endian.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a big-endian machine needs byte swaps here");

static size_t padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

static uint8_t *write_u32(uint8_t *bytes, size_t value)
{
    uint32_t narrow = (uint32_t)value;
    memcpy(bytes, &narrow, sizeof narrow);
    return bytes + sizeof narrow;
}

void eri_gltf_start(eri_gltf_document *document, er_arena *arena, const char *path, bool binary)
{
    *document = (eri_gltf_document){
        .arena = arena, .path = path, .binary = binary, .buffer = -1, .bin = binary, .bytes = {.arena = arena}};
    document->root = json_object();
    if (document->root == NULL) eri_gltf_fail(document, ER_ERROR_MEMORY, "out of memory");
}

void eri_gltf_finish(eri_gltf_document *document)
{
    json_decref(document->root);
    document->root = NULL;
}

void eri_gltf_fail(eri_gltf_document *document, er_result failure, const char *format, ...)
{
    if (document->failure != ER_OK) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    document->failure = er_fail(eri_arena_context(document->arena), failure, "%s", text);
}

er_result eri_gltf_check(const eri_gltf_document *document)
{
    return document->failure;
}

// --- the tree

static json_t *stored(eri_gltf_document *document, int status, json_t *value)
{
    if (status == 0) return value;
    eri_gltf_fail(document, ER_ERROR_MEMORY, "out of memory");
    return NULL;
}

json_t *eri_gltf_put(eri_gltf_document *document, json_t *object, const char *key, json_t *value)
{
    return stored(document, json_object_set_new(object, key, value), value);
}

json_t *eri_gltf_push(eri_gltf_document *document, json_t *array, json_t *value)
{
    return stored(document, json_array_append_new(array, value), value);
}

void eri_gltf_put_numbers(eri_gltf_document *document, json_t *object, const char *key, const double *value, int count)
{
    json_t *array = eri_gltf_put(document, object, key, json_array());
    for (int i = 0; i < count; ++i) {
        if (!isfinite(value[i])) {
            eri_gltf_fail(document, ER_ERROR_ARGUMENT, "%s: cannot be written: a %s holds a number that is not finite",
                          document->path, key);
            return;
        }
        eri_gltf_push(document, array, json_real(value[i]));
    }
}

void eri_gltf_put_text(eri_gltf_document *document, json_t *object, const char *key, const char *text)
{
    if (text[0] != '\0') eri_gltf_put(document, object, key, json_string(text));
}

json_t *eri_gltf_list(eri_gltf_document *document, json_t *object, const char *key)
{
    json_t *list = json_object_get(object, key);
    if (list == NULL) return eri_gltf_put(document, object, key, json_array());
    if (json_is_array(list)) return list;
    eri_gltf_fail(document, ER_ERROR_FORMAT,
                  "%s: cannot be written: \"%s\" of its source is not an array; repair the file", document->path, key);
    return NULL;
}

json_t *eri_gltf_new(eri_gltf_document *document, const char *list, int *index)
{
    json_t *array = eri_gltf_list(document, document->root, list);
    *index = (int)json_array_size(array);
    return eri_gltf_push(document, array, json_object());
}

json_t *eri_gltf_at(const eri_gltf_document *document, const char *list, json_int_t index)
{
    json_t *element = index >= 0 ? json_array_get(json_object_get(document->root, list), (size_t)index) : NULL;
    return json_is_object(element) ? element : NULL;
}

// --- data

// Room for `count` more bytes, zeroed.
static uint8_t *grow(eri_gltf_document *document, eri_buffer *bytes, size_t count)
{
    if (count > LIMIT - bytes->size) {
        eri_gltf_fail(document, ER_ERROR_FILE,
                      "%s: cannot be written: it would need more than 4 GiB; use a smaller model", document->path);
        return NULL;
    }
    uint8_t *room = eri_buffer_grow(bytes, count);
    if (room == NULL) eri_gltf_fail(document, ER_ERROR_MEMORY, "out of memory: %zu bytes", bytes->size + count);
    return room != NULL ? memset(room, 0, count) : NULL;
}

uint8_t *eri_gltf_add_bytes(eri_gltf_document *document, size_t size, size_t *offset)
{
    if (document->failure != ER_OK) return NULL;
    if (document->buffer < 0) eri_gltf_new(document, "buffers", &document->buffer);
    eri_buffer *bytes = &document->bytes;
    *offset = padded(bytes->size);
    if (size > LIMIT) size = LIMIT + 1; // refused by grow(), whose sum must not wrap
    uint8_t *start = grow(document, bytes, *offset - bytes->size + size);
    return start != NULL ? bytes->bytes + *offset : NULL;
}

int eri_gltf_view(eri_gltf_document *document, size_t offset, size_t size, int target)
{
    assert(document->failure != ER_OK || offset + size <= document->bytes.size);
    int index;
    json_t *view = eri_gltf_new(document, "bufferViews", &index);
    eri_gltf_put(document, view, "buffer", json_integer(document->buffer));
    eri_gltf_put(document, view, "byteOffset", json_integer((json_int_t)offset));
    eri_gltf_put(document, view, "byteLength", json_integer((json_int_t)size));
    if (target != 0) eri_gltf_put(document, view, "target", json_integer(target));
    return index;
}

void eri_gltf_put_blob(eri_gltf_document *document, json_t *object, const char *mime, const uint8_t *bytes, size_t size)
{
    size_t offset = 0;
    uint8_t *room = eri_gltf_add_bytes(document, size, &offset);
    if (room == NULL) return;
    memcpy(room, bytes, size);
    eri_gltf_put(document, object, "bufferView", json_integer(eri_gltf_view(document, offset, size, 0)));
    eri_gltf_put(document, object, "mimeType", json_string(mime));
}

void eri_gltf_put_data_uri(eri_gltf_document *document, json_t *object, const char *mime, const uint8_t *bytes,
                           size_t size)
{
    char *uri = eri_uri_from_bytes(document->arena, mime, bytes, size);
    eri_gltf_put(document, object, "uri", uri != NULL ? json_string(uri) : NULL);
}

json_t *eri_gltf_accessor(eri_gltf_document *document, int view, size_t offset, int component_type, int count,
                          const char *type, int *index)
{
    json_t *accessor = eri_gltf_new(document, "accessors", index);
    eri_gltf_put(document, accessor, "bufferView", json_integer(view));
    eri_gltf_put(document, accessor, "byteOffset", json_integer((json_int_t)offset));
    eri_gltf_put(document, accessor, "componentType", json_integer(component_type));
    eri_gltf_put(document, accessor, "count", json_integer(count));
    eri_gltf_put(document, accessor, "type", json_string(type));
    return accessor;
}

// --- reading

er_result eri_gltf_load(eri_gltf_document *document, const char *path, const er_source *source)
{
    er_context *context = eri_arena_context(document->arena);
    er_result r = ER_OK;
    json_error_t error;
    json_t *root = json_loadb(source->json, source->json_size, JSON_ALLOW_NUL, &error);
    if (root == NULL && (error.text[0] == '\0' || json_error_code(&error) == json_error_out_of_memory))
        return er_fail(context, ER_ERROR_MEMORY, "out of memory: %s", path);
    json_decref(document->root);
    document->root = root;
    if (!json_is_object(root))
        return er_fail(context, ER_ERROR_FORMAT, "%s: is not glTF: its JSON is broken at byte %d; export it again",
                       path, root == NULL ? error.position : 0);
    ERI_TRY_NEW(document->chunk, document->arena, eri_source_chunk, source->chunk_count);
    if (source->chunk_count > 0)
        memcpy(document->chunk, source->chunk, (size_t)source->chunk_count * sizeof *source->chunk);
    document->chunk_count = source->chunk_count;
done:
    return r;
}

// --- writing

typedef struct json_sink {
    eri_gltf_document *document;
    eri_buffer *out;
} json_sink;

static int take_json(const char *text, size_t size, void *user)
{
    json_sink *sink = user;
    uint8_t *room = grow(sink->document, sink->out, size);
    if (room == NULL) return -1;
    memcpy(room, text, size);
    return 0;
}

static void dump_json(eri_gltf_document *document, eri_buffer *out, size_t flags)
{
    json_sink sink = {document, out};
    if (json_dump_callback(document->root, take_json, &sink, flags | JSON_REAL_PRECISION(17)) != 0)
        eri_gltf_fail(document, ER_ERROR_MEMORY, "out of memory");
}

static void put_chunk(eri_gltf_document *document, eri_buffer *out, eri_source_chunk chunk)
{
    size_t size = padded(chunk.size);
    uint8_t *room = grow(document, out, CHUNK_HEADER + size);
    if (room == NULL) return;
    uint8_t *payload = write_u32(write_u32(room, size), chunk.type);
    if (chunk.size > 0) memcpy(payload, chunk.bytes, chunk.size);
}

static void lay_out_glb(eri_gltf_document *document, eri_buffer *out)
{
    grow(document, out, GLB_HEADER + CHUNK_HEADER);
    dump_json(document, out, JSON_COMPACT);
    size_t fill = padded(out->size) - out->size;
    uint8_t *spaces = grow(document, out, fill);
    if (spaces != NULL) memset(spaces, ' ', fill);
    size_t json_end = out->size;
    if (document->bin && document->bytes.size > 0)
        put_chunk(document, out, (eri_source_chunk){ERI_SOURCE_BIN, document->bytes.bytes, document->bytes.size});
    for (int i = 0; i < document->chunk_count; ++i)
        put_chunk(document, out, document->chunk[i]);
    if (document->failure != ER_OK) return;
    uint8_t *at = write_u32(out->bytes, GLB_MAGIC);
    at = write_u32(write_u32(at, 2), out->size);
    write_u32(write_u32(at, json_end - GLB_HEADER - CHUNK_HEADER), GLB_JSON);
}

static void lay_out_json(eri_gltf_document *document, eri_buffer *out)
{
    dump_json(document, out, JSON_INDENT(2));
    uint8_t *newline = grow(document, out, 1);
    if (newline != NULL) *newline = '\n';
}

static void finish_buffer(eri_gltf_document *document)
{
    if (document->buffer < 0) return;
    eri_buffer *bytes = &document->bytes;
    json_t *buffer = eri_gltf_at(document, "buffers", document->buffer);
    eri_gltf_put(document, buffer, "byteLength", json_integer((json_int_t)bytes->size));
    if (document->bin) return;
    eri_gltf_put_data_uri(document, buffer, ERI_GLTF_BUFFER_MIME, bytes->bytes, bytes->size);
}

er_result eri_gltf_lay_out(eri_gltf_document *document, eri_buffer *out)
{
    finish_buffer(document);
    if (document->failure == ER_OK) {
        if (document->binary)
            lay_out_glb(document, out);
        else
            lay_out_json(document, out);
    }
    return document->failure;
}

er_result eri_gltf_save(eri_gltf_document *document)
{
    eri_buffer out = {.arena = document->arena};
    er_result r = eri_gltf_lay_out(document, &out);
    if (r != ER_OK) return r;
    return er_file_write(eri_arena_context(document->arena), document->path, out.bytes, out.size);
}
