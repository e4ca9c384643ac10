// The scene as bytes that the importer's process sends and the library reads.
// One walk over the scene serves all three ends: it counts the bytes, writes them, or takes them from memory, so the
// two processes cannot disagree about the order.
#include "scene/import/wire.h"

#include <limits.h>
#include <string.h>

#include "scene/scene_source.h"

typedef enum wire_mode { WIRE_COUNT, WIRE_WRITE, WIRE_READ } wire_mode;

typedef struct wire {
    wire_mode mode;
    er_result result;
    uint64_t at;       // bytes passed
    FILE *out;         // WIRE_WRITE
    const char *bytes; // WIRE_READ: [size]
    uint64_t size;
    er_arena *arena;
    const eri_source_chunk *bin; // of the scene's source; NULL where it has none
} wire;

static size_t padding(uint64_t size)
{
    return (size_t)((8 - size % 8) % 8);
}

// The array itself, or where it lies in the bytes; NULL where these have failed.
static const void *wire_array(wire *w, const void *array, size_t count, size_t element)
{
    if (w->result != ER_OK) return w->mode == WIRE_READ ? NULL : array;
    uint64_t size = (uint64_t)count * element; // count fits an int or a file, element a struct
    if (w->mode == WIRE_WRITE) {
        static const char zeros[8];
        if (size > 0 && fwrite(array, 1, size, w->out) != size) w->result = ER_ERROR_FILE;
        fwrite(zeros, 1, padding(size), w->out);
    } else if (w->mode == WIRE_READ) {
        if (count > w->size / element || w->size - w->at < size + padding(size)) {
            w->result = ER_ERROR_IMPORT;
            return NULL;
        }
        array = w->bytes + w->at;
    }
    w->at += size + padding(size);
    return array;
}

#define WIRE_ARRAY(w, array, count) ((array) = wire_array((w), (array), (size_t)(count), sizeof *(array)))

static void wire_value(wire *w, void *value, size_t size)
{
    const void *from = wire_array(w, value, 1, size);
    if (w->mode != WIRE_READ) return;
    if (from != NULL)
        memcpy(value, from, size);
    else
        memset(value, 0, size);
}

#define WIRE(w, value) wire_value((w), &(value), sizeof(value))

// Enumerations and flags travel as int, so that no foreign byte ever lies in a bool.
static int wire_int(wire *w, int value)
{
    WIRE(w, value);
    return value;
}

static const char *wire_text(wire *w, const char *text)
{
    uint64_t length = w->mode == WIRE_READ ? 0 : strlen(text);
    WIRE(w, length);
    if (w->mode == WIRE_READ && length >= w->size) w->result = ER_ERROR_IMPORT;
    text = wire_array(w, text, (size_t)length + 1, 1);
    if (w->mode != WIRE_READ || text == NULL) return text != NULL ? text : "";
    if (text[length] == '\0') return text;
    w->result = ER_ERROR_IMPORT;
    return "";
}

// An array of structs that hold pointers: room for it when reading. Each takes 8 bytes at least, which bounds the room.
static void *wire_records(wire *w, const void *array, int *count, size_t element)
{
    *count = wire_int(w, *count);
    if (w->mode != WIRE_READ) return (void *)(uintptr_t)array;
    if (*count < 0 || (uint64_t)*count > (w->size - w->at) / 8) w->result = ER_ERROR_IMPORT;
    void *room = w->result == ER_OK ? eri_arena_alloc(w->arena, (size_t)*count, element) : NULL;
    if (w->result == ER_OK && room == NULL) w->result = ER_ERROR_MEMORY;
    if (room == NULL) *count = 0;
    return room;
}

static int wire_count(wire *w, int count)
{
    count = wire_int(w, count);
    if (count >= 0) return count;
    w->result = ER_ERROR_IMPORT;
    return 0;
}

// An array that may be absent.
static const void *wire_optional(wire *w, const void *array, size_t count, size_t element)
{
    bool present = wire_int(w, array != NULL) != 0;
    return present ? wire_array(w, array, count, element) : NULL;
}

#define WIRE_OPTIONAL(w, array, count) ((array) = wire_optional((w), (array), (size_t)(count), sizeof *(array)))

static void wire_node(wire *w, er_node *node)
{
    node->name = wire_text(w, node->name);
    node->role = wire_text(w, node->role != NULL ? node->role : "");
    node->parent = wire_int(w, node->parent);
    WIRE(w, node->local);
    node->flags = (unsigned)wire_int(w, (int)node->flags);
    node->source_index = wire_int(w, node->source_index);
    WIRE(w, node->channel_count);
    WIRE(w, node->channels);
}

static void wire_mesh(wire *w, er_mesh *mesh)
{
    mesh->name = wire_text(w, mesh->name);
    int n = mesh->vertex_count = wire_count(w, mesh->vertex_count);
    mesh->triangle_count = wire_count(w, mesh->triangle_count);
    WIRE_ARRAY(w, mesh->position, 3 * (size_t)n);
    WIRE_OPTIONAL(w, mesh->normal, 3 * (size_t)n);
    WIRE_OPTIONAL(w, mesh->uv, 2 * (size_t)n);
    WIRE_OPTIONAL(w, mesh->color, 4 * (size_t)n);
    WIRE_ARRAY(w, mesh->index, 3 * (size_t)mesh->triangle_count);
    mesh->material = wire_int(w, mesh->material);
    WIRE_OPTIONAL(w, mesh->influence_start, (size_t)n + 1);
    int influences = wire_count(w, mesh->influence_start != NULL ? mesh->influence_start[n] : 0);
    if (mesh->influence_start != NULL && influences != mesh->influence_start[n]) w->result = ER_ERROR_IMPORT;
    WIRE_ARRAY(w, mesh->influence_joint, influences);
    WIRE_ARRAY(w, mesh->influence_weight, influences);
    mesh->morph_count = wire_int(w, mesh->morph_count);
}

static void wire_instance(wire *w, er_instance *instance)
{
    instance->node = wire_int(w, instance->node);
    instance->mesh = wire_int(w, instance->mesh);
    instance->skin = wire_int(w, instance->skin);
}

static void wire_skin(wire *w, er_skin *skin)
{
    skin->name = wire_text(w, skin->name);
    skin->joint_count = wire_count(w, skin->joint_count);
    WIRE_ARRAY(w, skin->joint, skin->joint_count);
    WIRE_ARRAY(w, skin->inverse_bind, skin->joint_count);
}

static void wire_material(wire *w, er_material *m)
{
    m->name = wire_text(w, m->name);
    WIRE(w, m->base_color);
    WIRE(w, m->emissive);
    WIRE(w, m->metallic);
    WIRE(w, m->roughness);
    WIRE(w, m->alpha_cutoff);
    m->alpha_mode = (er_alpha_mode)wire_int(w, (int)m->alpha_mode);
    m->double_sided = wire_int(w, m->double_sided) != 0;
    m->base_color_image = wire_int(w, m->base_color_image);
    m->normal_image = wire_int(w, m->normal_image);
    m->emissive_image = wire_int(w, m->emissive_image);
}

// Bytes whose size is no int.
static const void *wire_bytes(wire *w, const void *bytes, size_t *size)
{
    uint64_t wide = *size;
    WIRE(w, wide);
    *size = (size_t)wide;
    return wire_array(w, bytes, *size, 1);
}

static bool lies_in(const eri_source_chunk *bin, uint64_t at, uint64_t size)
{
    return bin != NULL && at <= bin->size && size <= bin->size - at;
}

// A picture that lies in the BIN chunk, as those of a .glb do, is sent once.
static void wire_image(wire *w, er_image *image)
{
    bool read = w->mode == WIRE_READ;
    uint64_t size = image->size, at = 0;
    if (!read && w->bin != NULL) at = (uint64_t)((uintptr_t)image->bytes - (uintptr_t)w->bin->bytes);
    image->name = wire_text(w, image->name);
    image->mime = wire_text(w, image->mime);
    if (wire_int(w, !read && lies_in(w->bin, at, size)) == 0) {
        image->bytes = wire_bytes(w, image->bytes, &image->size);
        return;
    }
    WIRE(w, at);
    WIRE(w, size);
    if (!read) return;
    if (!lies_in(w->bin, at, size)) w->result = ER_ERROR_IMPORT;
    image->size = w->result == ER_OK ? (size_t)size : 0;
    image->bytes = w->result == ER_OK ? w->bin->bytes + at : NULL;
}

static void wire_source_bytes(wire *w, eri_source_bytes *named)
{
    named->path = wire_text(w, named->path);
    named->why = wire_text(w, named->why);
    bool read = wire_int(w, named->bytes != NULL) != 0;
    if (read) named->bytes = wire_bytes(w, named->bytes, &named->size);
}

static void wire_chunk(wire *w, eri_source_chunk *chunk)
{
    WIRE(w, chunk->type);
    chunk->bytes = wire_bytes(w, chunk->bytes, &chunk->size);
}

static size_t values_per_key(const er_channel *c)
{
    size_t n = c->path == ER_PATH_ROTATION ? 4 : c->path == ER_PATH_MORPH ? 0 : 3;
    return c->interpolation == ER_CUBIC ? 3 * n : n;
}

// `before`: the channel before this one, or NULL; the same key times are sent once, and shared again by pointer.
static void wire_channel(wire *w, er_channel *c, const er_channel *before)
{
    c->node = wire_int(w, c->node);
    c->path = (er_path)wire_int(w, (int)c->path);
    c->interpolation = (er_interpolation)wire_int(w, (int)c->interpolation);
    c->key_count = wire_count(w, c->key_count);
    bool shared = w->mode != WIRE_READ && before != NULL && before->key_count == c->key_count &&
                  memcmp(before->time, c->time, (size_t)c->key_count * sizeof *c->time) == 0;
    shared = wire_int(w, shared) != 0;
    if (!shared)
        WIRE_ARRAY(w, c->time, c->key_count);
    else if (before != NULL && before->key_count == c->key_count)
        c->time = before->time;
    else
        w->result = ER_ERROR_IMPORT;
    WIRE_ARRAY(w, c->value, (size_t)c->key_count * values_per_key(c));
}

static void wire_clip(wire *w, er_clip *clip)
{
    clip->name = wire_text(w, clip->name);
    WIRE(w, clip->duration);
    er_channel *channel = wire_records(w, clip->channel, &clip->channel_count, sizeof *channel);
    for (int i = 0; i < clip->channel_count; ++i)
        wire_channel(w, &channel[i], i > 0 ? &channel[i - 1] : NULL);
    clip->channel = channel;
}

static void wire_note(wire *w, er_note *note)
{
    note->kind = wire_int(w, note->kind == ER_NOTE_WARNING) != 0 ? ER_NOTE_WARNING : ER_NOTE_FACT;
    note->text = wire_text(w, note->text);
}

// for each element of an array of `owner`
#define WIRE_EACH(w, owner, type, field, function)                                                                     \
    do {                                                                                                               \
        type *items = wire_records((w), (owner)->field, &(owner)->field##_count, sizeof *items);                       \
        for (int i = 0; i < (owner)->field##_count; ++i)                                                               \
            function((w), &items[i]);                                                                                  \
        (owner)->field = items;                                                                                        \
    } while (0)

static void wire_source(wire *w, er_scene *scene)
{
    bool read = w->mode == WIRE_READ, present = wire_int(w, scene->source != NULL) != 0;
    er_source *source = read && present ? ERI_NEW(w->arena, er_source, 1) : (er_source *)(uintptr_t)scene->source;
    if (present && source == NULL) w->result = ER_ERROR_MEMORY;
    if (!present || source == NULL) return;
    source->json = wire_bytes(w, source->json, &source->json_size);
    WIRE_EACH(w, source, eri_source_chunk, chunk, wire_chunk);
    WIRE_EACH(w, source, eri_source_bytes, buffer, wire_source_bytes);
    WIRE_EACH(w, source, eri_source_bytes, image, wire_source_bytes);
    for (int i = source->chunk_count; i-- > 0;)
        if (source->chunk[i].type == ERI_SOURCE_BIN) w->bin = &source->chunk[i];
    scene->source = source;
}

static void wire_scene(wire *w, er_scene *scene)
{
    scene->format = (er_format)wire_int(w, (int)scene->format);
    scene->format_name = wire_text(w, scene->format_name);
    WIRE(w, scene->metres_per_unit);
    WIRE(w, scene->up);
    WIRE(w, scene->forward);
    wire_source(w, scene);
    WIRE_EACH(w, scene, er_node, node, wire_node);
    WIRE_EACH(w, scene, er_mesh, mesh, wire_mesh);
    WIRE_EACH(w, scene, er_instance, instance, wire_instance);
    WIRE_EACH(w, scene, er_skin, skin, wire_skin);
    WIRE_EACH(w, scene, er_material, material, wire_material);
    WIRE_EACH(w, scene, er_image, image, wire_image);
    WIRE_EACH(w, scene, er_clip, clip, wire_clip);
    WIRE_EACH(w, scene, er_note, note, wire_note);
}

static bool write_header(FILE *out, er_result result, uint64_t payload_size)
{
    eri_wire_header header = {.result = (uint32_t)result, .payload_size = payload_size};
    memcpy(header.magic, ERI_WIRE_MAGIC, sizeof header.magic);
    return fwrite(&header, sizeof header, 1, out) == 1;
}

bool eri_wire_write_scene(FILE *out, er_scene *scene)
{
    wire count = {.mode = WIRE_COUNT}, write = {.mode = WIRE_WRITE, .out = out};
    wire_scene(&count, scene);
    if (!write_header(out, ER_OK, count.at)) return false;
    wire_scene(&write, scene);
    return write.result == ER_OK && fflush(out) == 0 && !ferror(out);
}

bool eri_wire_write_failure(FILE *out, er_result result, const char *sentence)
{
    wire count = {.mode = WIRE_COUNT}, write = {.mode = WIRE_WRITE, .out = out};
    wire_array(&count, sentence, strlen(sentence) + 1, 1);
    if (!write_header(out, result, count.at)) return false;
    wire_array(&write, sentence, strlen(sentence) + 1, 1);
    return write.result == ER_OK && fflush(out) == 0 && !ferror(out);
}

er_result eri_wire_read_scene(er_arena *arena, const char *bytes, size_t size, er_scene *scene)
{
    wire w = {.mode = WIRE_READ, .bytes = bytes, .size = size, .arena = arena};
    wire_scene(&w, scene);
    if (w.result == ER_OK && w.at != size) w.result = ER_ERROR_IMPORT;
    return w.result;
}
