// The parts of a glTF document. Source: Khronos glTF 2.0 specification, 3.6 (binary data) and 4.4 (GLB).
#include "formats/import/gltf_reader.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "base/text.h"
#include "scene/scene_source.h"

er_result imp_gltf_broken(const imp_gltf *gltf, const char *format, ...)
{
    char what[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return er_fail(gltf->reader->context, ER_ERROR_FORMAT, "%s; export the model again", what);
}

// ---- JSON ----

int imp_gltf_count(const imp_gltf *gltf, const char *array)
{
    size_t n = json_array_size(json_object_get(gltf->root, array));
    return n <= INT_MAX ? (int)n : INT_MAX;
}

json_t *imp_gltf_item(const imp_gltf *gltf, const char *array, int index)
{
    return json_array_get(json_object_get(gltf->root, array), (size_t)index); // NULL reads as an empty object
}

// Exporters in languages without integers write 3.0 for 3.
static bool whole_number(const json_t *value, double *out)
{
    if (!json_is_number(value)) return false;
    *out = json_number_value(value);
    return *out >= 0.0 && *out <= 9007199254740992.0 && floor(*out) == *out;
}

er_result imp_gltf_size(const imp_gltf *gltf, const json_t *object, const char *key, uint64_t fallback,
                        const char *owner, int number, uint64_t *out)
{
    const json_t *value = json_object_get(object, key);
    double v = 0.0;
    *out = fallback;
    if (value == NULL) return ER_OK;
    if (!whole_number(value, &v))
        return imp_gltf_broken(gltf, "%s[%d].%s is not a whole number from 0 up", owner, number, key);
    *out = (uint64_t)v;
    return ER_OK;
}

er_result imp_gltf_index_value(const imp_gltf *gltf, const json_t *value, int count, const char *owner, int number,
                               const char *key, int *out)
{
    double v = 0.0;
    *out = -1;
    if (value == NULL) return ER_OK;
    if (!whole_number(value, &v))
        return imp_gltf_broken(gltf, "%s[%d].%s is not a whole number from 0 up", owner, number, key);
    if (v >= count)
        return imp_gltf_broken(gltf, "%s[%d].%s is %.0f, but there are only %d", owner, number, key, v, count);
    *out = (int)v;
    return ER_OK;
}

er_result imp_gltf_index(const imp_gltf *gltf, const json_t *object, const char *key, int count, const char *owner,
                         int number, int *out)
{
    return imp_gltf_index_value(gltf, json_object_get(object, key), count, owner, number, key, out);
}

double imp_gltf_number(const json_t *object, const char *key, double fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

const char *imp_gltf_string(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

bool imp_gltf_numbers(const json_t *object, const char *key, size_t n, double *out)
{
    const json_t *array = json_object_get(object, key);
    if (json_array_size(array) != n) return false;
    for (size_t i = 0; i < n; ++i)
        if (!json_is_number(json_array_get(array, i))) return false;
    for (size_t i = 0; i < n; ++i)
        out[i] = json_number_value(json_array_get(array, i));
    return true;
}

// ---- the file ----

static uint32_t word_at(imp_bytes file, size_t at)
{
    return imp_word(file.at + at);
}

static bool keep_chunk(imp_gltf *gltf, uint32_t type, imp_bytes bytes)
{
    if (gltf->chunk_count == gltf->chunk_room) {
        int room = 2 * gltf->chunk_room + 4;
        eri_source_chunk *grown = ERI_NEW(gltf->reader->arena, eri_source_chunk, room);
        if (grown == NULL) return false;
        if (gltf->chunk_count > 0) memcpy(grown, gltf->chunk, (size_t)gltf->chunk_count * sizeof *grown);
        gltf->chunk = grown;
        gltf->chunk_room = room;
    }
    gltf->chunk[gltf->chunk_count++] = (eri_source_chunk){type, bytes.at, bytes.size};
    return true;
}

// 4.4: a header of 12 bytes, then chunks of length, type and data: JSON first, then perhaps BIN.
static er_result open_glb(imp_gltf *gltf, imp_bytes file, imp_bytes *json)
{
    if (file.size < 20)
        return imp_gltf_broken(gltf, "the file is cut short: a GLB has 20 bytes at least, this has %zu", file.size);
    uint32_t version = word_at(file, 4), length = word_at(file, 8);
    if (version != 2)
        return er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                       "the file is GLB version %u, and only version 2 can be read; convert it to glTF 2.0", version);
    if (length > file.size)
        return imp_gltf_broken(gltf, "the file is cut short: its header says %u bytes, but there are %zu", length,
                               file.size);
    for (size_t at = 12; at + 8 <= length;) {
        size_t size = word_at(file, at), type = word_at(file, at + 4);
        at += 8;
        if (size > length - at)
            return imp_gltf_broken(gltf, "a chunk of %zu bytes reaches beyond the end of the GLB", size);
        imp_bytes chunk = {file.at + at, size};
        at += size;
        if (type == 0x4E4F534A && json->at == NULL) {
            *json = chunk;
            continue;
        }
        if (type == ERI_SOURCE_BIN && gltf->binary.at == NULL) gltf->binary = chunk;
        if (!keep_chunk(gltf, (uint32_t)type, chunk)) return ER_ERROR_MEMORY;
    }
    return json->at != NULL ? ER_OK : imp_gltf_broken(gltf, "the GLB has no JSON chunk");
}

static er_result check_version(imp_gltf *gltf)
{
    const json_t *asset = json_object_get(gltf->root, "asset");
    const json_t *number = json_object_get(asset, "version"); // before version 1.0 it was one
    const char *version = imp_gltf_string(asset, "version"), *least = imp_gltf_string(asset, "minVersion");
    char early[32];
    if (json_is_number(number)) {
        snprintf(early, sizeof early, "%g", json_number_value(number));
        version = early;
    }
    if (!json_is_object(gltf->root) || asset == NULL)
        return er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                       "the file is JSON but not glTF (no \"asset\"); name a glTF 2.0 file");
    if (version[0] != '2' || json_is_number(number) || (least[0] != '\0' && strcmp(least, "2.0") != 0))
        return er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                       "the file is glTF version \"%s\", and only 2.0 can be read; convert it to glTF 2.0",
                       least[0] != '\0' ? least : version);
    return ER_OK;
}

er_result imp_gltf_open(imp_gltf *gltf, imp_reader *reader, imp_bytes file)
{
    imp_bytes json = {0};
    er_result r = ER_OK;
    bool glb = file.size >= 4 && memcmp(file.at, "glTF", 4) == 0;
    gltf->reader = reader;
    reader->scene->format = ER_FORMAT_GLTF;
    reader->scene->format_name = glb ? "glTF 2.0 binary" : "glTF 2.0";
    if (glb)
        ERI_TRY(open_glb(gltf, file, &json));
    else
        json = file;
    size_t mark = eri_utf8_mark(json.at, json.size);
    json_error_t error;
    gltf->root = json_loadb((const char *)json.at + mark, json.size - mark, JSON_ALLOW_NUL, &error);
    if (gltf->root == NULL)
        ERI_TRY(
            imp_gltf_broken(gltf, "the JSON is broken: %s, line %d, column %d", error.text, error.line, error.column));
    ERI_TRY(check_version(gltf));
    gltf->node_count = imp_gltf_count(gltf, "nodes");
    gltf->mesh_count = imp_gltf_count(gltf, "meshes");
    gltf->skin_count = imp_gltf_count(gltf, "skins");
    gltf->accessor_count = imp_gltf_count(gltf, "accessors");
    gltf->view_count = imp_gltf_count(gltf, "bufferViews");
    gltf->image_count = imp_gltf_count(gltf, "images");
    gltf->texture_count = imp_gltf_count(gltf, "textures");
    gltf->material_count = imp_gltf_count(gltf, "materials");
    gltf->buffer_count = imp_gltf_count(gltf, "buffers");
    ERI_TRY_NEW(gltf->buffer, reader->arena, imp_bytes, gltf->buffer_count);
    ERI_TRY_NEW(gltf->image, reader->arena, imp_bytes, gltf->image_count);
    ERI_TRY_NEW(gltf->view, reader->arena, imp_bytes, gltf->view_count);
done:
    return r;
}

// ---- bytes ----

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static er_result decode_base64(imp_gltf *gltf, const char *text, imp_bytes *out)
{
    uint8_t *bytes = ERI_NEW(gltf->reader->arena, uint8_t, strlen(text) / 4 * 3 + 3);
    if (bytes == NULL) return ER_ERROR_MEMORY;
    size_t size = 0;
    uint32_t bits = 0;
    int held = 0;
    for (; *text != '\0' && *text != '='; ++text) {
        int v = base64_value(*text);
        if (v < 0) return imp_gltf_broken(gltf, "a data URI is not base64");
        bits = bits << 6 | (uint32_t)v;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[size++] = (uint8_t)(bits >> held);
        }
    }
    *out = (imp_bytes){bytes, size};
    return ER_OK;
}

bool imp_gltf_names_file(const char *uri)
{
    return uri != NULL && !eri_same_start(uri, "data:", 5);
}

// Decodes data, or reads a file beside the scene, into the reader's arena.
static er_result uri_bytes(imp_gltf *gltf, const char *uri, size_t most, imp_bytes *out)
{
    imp_reader *reader = gltf->reader;
    if (!imp_gltf_names_file(uri)) {
        const char *comma = strchr(uri, ',');
        bool base64 = comma != NULL && comma - uri >= 12 && eri_same_start(comma - 7, ";base64", 7);
        return base64 ? decode_base64(gltf, comma + 1, out) : imp_gltf_broken(gltf, "a data URI is not base64");
    }
    er_result r = imp_reader_reference(reader, reader->arena, uri, true, most, out);
    return r == ER_ERROR_FILE ? er_fail(reader->context, r, "its file %s", er_context_error(reader->context)) : r;
}

er_result imp_gltf_load_buffer(imp_gltf *gltf, int index)
{
    const json_t *object = imp_gltf_item(gltf, "buffers", index), *uri = json_object_get(object, "uri");
    imp_bytes *buffer = &gltf->buffer[index];
    uint64_t length = 0;
    er_result r = imp_gltf_size(gltf, object, "byteLength", 0, "buffers", index, &length);
    if (r != ER_OK || buffer->at != NULL) return r;
    if (json_is_string(uri)) {
        if ((r = uri_bytes(gltf, json_string_value(uri), (size_t)length, buffer)) != ER_OK) return r;
    } else if (index == 0 && gltf->binary.at != NULL) {
        *buffer = gltf->binary;
    } else {
        return imp_gltf_broken(gltf, "buffers[%d] has no data: no \"uri\", and it is not the GLB's own chunk", index);
    }
    size_t have = buffer->size;
    if (length <= have)
        buffer->size = (size_t)length;
    else
        buffer->at = NULL;
    return length <= have ? ER_OK
                          : imp_gltf_broken(gltf, "buffers[%d] should have %llu bytes, but there are only %zu", index,
                                            (unsigned long long)length, have);
}

er_result imp_gltf_buffer_bytes(imp_gltf *gltf, const json_t *object, const char *owner, int number, imp_bytes *out)
{
    uint64_t offset = 0, length = 0;
    int buffer = -1;
    er_result r = ER_OK;
    ERI_TRY(imp_gltf_index(gltf, object, "buffer", gltf->buffer_count, owner, number, &buffer));
    ERI_TRY(imp_gltf_size(gltf, object, "byteOffset", 0, owner, number, &offset));
    ERI_TRY(imp_gltf_size(gltf, object, "byteLength", 0, owner, number, &length));
    if (buffer < 0) ERI_TRY(imp_gltf_broken(gltf, "%s[%d] has no buffer", owner, number));
    ERI_TRY(imp_gltf_load_buffer(gltf, buffer));
    size_t size = gltf->buffer[buffer].size;
    if (offset > size || length > size - offset)
        ERI_TRY(imp_gltf_broken(gltf, "%s[%d] reaches to byte %llu of a buffer of %zu", owner, number,
                                (unsigned long long)(offset + length), size));
    *out = (imp_bytes){gltf->buffer[buffer].at + offset, (size_t)length};
done:
    return r;
}

er_result imp_gltf_load_image(imp_gltf *gltf, int index)
{
    const char *uri = imp_gltf_string(imp_gltf_item(gltf, "images", index), "uri");
    return gltf->image[index].at != NULL ? ER_OK : uri_bytes(gltf, uri, SIZE_MAX, &gltf->image[index]);
}
