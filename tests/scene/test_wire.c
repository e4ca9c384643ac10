// The stream between the importer's process and the library: a scene that has everything comes out of it as it went in,
// field by field, and no other stream is a scene.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/context.h"
#include "support/ledger.h"

#include "base/arena.h"
#include "scene/import/wire.h"
#include "scene/scene_source.h"

// ---- A scene that has everything

static const uint8_t chunk_bytes[24] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}, other_bytes[5] = {9, 8, 7, 6, 5};
static const eri_source_chunk chunk[] = {
    {7, other_bytes, 3}, {ERI_SOURCE_BIN, chunk_bytes, sizeof chunk_bytes}, {ERI_SOURCE_BIN, other_bytes, 5}};
static const eri_source_bytes buffer[] = {{"a.bin", "", other_bytes, 4}, {"", "b.bin: is not there", NULL, 0}};
static const eri_source_bytes picture[] = {{"skin.png", "", other_bytes + 1, 3}};
static const er_source source = {"{\"asset\":1}", 11, 3, chunk, 2, buffer, 1, picture};

static const er_affine binds[3] = {{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 2, 3}},
                                   {{{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}}, {4, 5, 6}},
                                   {{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}, {7, 8, 9}}};
static const er_node node[] = {
    {"root", "hips", -1, {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}}, ER_NODE_JOINT, 4, 0, {0}},
    {"", NULL, 0, {{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, {5, 6, 7}}, ER_NODE_CAMERA | ER_NODE_LIGHT, -1, 3, {5, 3, 4}},
    {"tip of it",
     "",
     1,
     {{{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}}, {11, 12, 13}},
     ER_NODE_END_SITE,
     0,
     6,
     {0, 1, 2, 3, 4, 5}},
};

static const float position[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6};
static const float normal[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1};
static const float uv[] = {0, 1, 0.25f, 0.5f, 0.75f, 0.125f, 1, 1, 0, 0.5f};
static const float color[] = {0, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f,
                              1, 0.9f, 0.8f, 0.7f, 0.6f, 0.5f, 0.4f, 0.3f, 0.2f, 0.1f};
static const int corner[] = {0, 1, 2, 2, 3, 4, 4, 0, 1};
static const int influence_start[] = {0, 1, 3, 3, 4, 5}, influence_joint[] = {0, 1, 2, 2, 0};
static const float influence_weight[] = {1, 0.25f, 0.75f, 1, 1};
static const er_mesh mesh[] = {
    {"skinned", 5, 3, position, normal, uv, color, corner, 1, influence_start, influence_joint, influence_weight, 2},
    {"rigid", 3, 1, position + 3, NULL, NULL, NULL, corner, -1, NULL, NULL, NULL, 0},
    {"normals", 5, 3, position, normal, NULL, NULL, corner, 0, NULL, NULL, NULL, 0},
    {"texture", 5, 1, position, NULL, uv, NULL, corner, 0, NULL, NULL, NULL, 0},
    {"empty", 0, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 7},
};
static const er_instance instance[] = {{2, 0, 0}, {0, 1, -1}, {1, 3, -1}};
static const int joint[] = {2, 0, 1};
static const er_skin skin[] = {{"three", 3, joint, binds}, {"one", 1, joint + 1, binds + 1}, {"none", 0, NULL, NULL}};
static const er_material material[] = {
    {"glass", {0.1f, 0.2f, 0.3f, 0.4f}, {0.5f, 0.6f, 0.7f}, 0.8f, 0.9f, 0.15f, ER_ALPHA_BLEND, true, 0, 1, 2},
    {"leaf", {1, 1, 1, 1}, {0, 0, 0}, 0, 1, 0.5f, ER_ALPHA_MASK, false, -1, 2, -1}};
static const er_image image[] = {{"in the chunk", "image/png", chunk_bytes + 8, 16},
                                 {"by itself", "image/jpeg", other_bytes, 5},
                                 {"all of it", "image/png", chunk_bytes, sizeof chunk_bytes}};

static const double seconds[] = {0, 0.5, 1.25}, same_seconds[] = {0, 0.5, 1.25}, other_seconds[] = {0, 0.5, 1.5};
static const double value[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18,
                               19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36};
static const er_channel channel[] = {
    {0, ER_PATH_TRANSLATION, ER_LINEAR, 3, seconds, value},    {0, ER_PATH_ROTATION, ER_CUBIC, 3, same_seconds, value},
    {0, ER_PATH_SCALE, ER_CUBIC, 3, other_seconds, value + 9}, {1, ER_PATH_ROTATION, ER_STEP, 2, seconds, value + 5},
    {2, ER_PATH_MORPH, ER_LINEAR, 2, seconds + 1, NULL},       {2, ER_PATH_SCALE, ER_LINEAR, 1, seconds, value + 7}};
static const size_t values[] = {9, 36, 27, 8, 0, 3}; // of each channel
static const er_clip clip[] = {{"walk", 1.5, 6, channel}, {"still", 0.25, 0, NULL}, {"turn", 1.25, 1, channel + 1}};
static const er_note note[] = {{ER_NOTE_FACT, "one"}, {ER_NOTE_WARNING, "two"}};

static const er_scene whole = {
    .path = "",
    .format = ER_FORMAT_FBX,
    .format_name = "Autodesk FBX",
    .metres_per_unit = 0.01,
    .up = {0, 0, 1},
    .forward = {0, -1, 0},
    .node_count = ERI_COUNT(node),
    .node = node,
    .mesh_count = ERI_COUNT(mesh),
    .mesh = mesh,
    .instance_count = ERI_COUNT(instance),
    .instance = instance,
    .skin_count = ERI_COUNT(skin),
    .skin = skin,
    .material_count = ERI_COUNT(material),
    .material = material,
    .image_count = ERI_COUNT(image),
    .image = image,
    .clip_count = ERI_COUNT(clip),
    .clip = clip,
    .note_count = ERI_COUNT(note),
    .note = note,
    .source = &source,
};

// ---- The stream

static void *copied(er_arena *arena, const void *array, int count, size_t element)
{
    void *copy = eri_arena_alloc(arena, (size_t)count, element);
    assert_non_null(copy);
    if (count > 0) memcpy(copy, array, (size_t)count * element);
    return copy;
}

#define COPY(array, count) ((array) = copied(arena, (array), (count), sizeof *(array)))

// Structs of its own, which writing may touch: what was sent is judged by what it was.
static void copy_structs(er_arena *arena, er_scene *scene)
{
    COPY(scene->node, scene->node_count);
    COPY(scene->mesh, scene->mesh_count);
    COPY(scene->instance, scene->instance_count);
    COPY(scene->skin, scene->skin_count);
    COPY(scene->material, scene->material_count);
    COPY(scene->image, scene->image_count);
    COPY(scene->note, scene->note_count);
    er_clip *own = copied(arena, scene->clip, scene->clip_count, sizeof *own);
    for (int i = 0; i < scene->clip_count; ++i)
        COPY(own[i].channel, own[i].channel_count);
    scene->clip = own;
    if (scene->source == NULL) return;
    er_source *from = copied(arena, scene->source, 1, sizeof *from);
    COPY(from->chunk, from->chunk_count);
    COPY(from->buffer, from->buffer_count);
    COPY(from->image, from->image_count);
    scene->source = from;
}

// The whole answer that carries a scene. To be freed.
static char *answer_of(er_scene scene, size_t *size)
{
    char *bytes = NULL;
    er_arena *arena = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    copy_structs(arena, &scene);
    FILE *stream = open_memstream(&bytes, size);
    assert_true(eri_wire_write_scene(stream, &scene));
    fclose(stream);
    eri_arena_destroy(arena);
    return bytes;
}

// Reads a payload of its own, of exactly this many bytes, so that sanitizers see a byte more.
static er_result read_payload(er_arena *arena, const char *payload, size_t size, er_scene **scene)
{
    char *bytes = ERI_NEW(arena, char, size);
    *scene = ERI_NEW(arena, er_scene, 1);
    memcpy(bytes, payload, size);
    return eri_wire_read_scene(arena, bytes, size, *scene);
}

static er_scene *sent(er_arena *arena, const er_scene *scene)
{
    size_t size;
    er_scene *got;
    char *answer = answer_of(*scene, &size);
    assert_int_equal(read_payload(arena, answer + sizeof(eri_wire_header), size - sizeof(eri_wire_header), &got),
                     ER_OK);
    free(answer);
    return got;
}

// ---- Judging

static void same_bytes(const void *got, const void *want, size_t size)
{
    if (size > 0) assert_memory_equal(got, want, size);
}

#define SAME_ARRAY(got, want, count) same_bytes((got), (want), (size_t)(count) * sizeof *(want))
#define SAME_OPTIONAL(got, want, count)                                                                                \
    do {                                                                                                               \
        assert_true(((got) == NULL) == ((want) == NULL));                                                              \
        if ((want) != NULL) SAME_ARRAY((got), (want), (count));                                                        \
    } while (0)

static void same_nodes(const er_scene *got)
{
    for (size_t i = 0; i < ERI_COUNT(node); ++i) {
        const er_node *a = &got->node[i], *b = &node[i];
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->role, b->role != NULL ? b->role : "");
        assert_true(a->parent == b->parent && a->flags == b->flags && a->source_index == b->source_index);
        same_bytes(&a->local, &b->local, sizeof b->local);
        assert_int_equal(a->channel_count, b->channel_count);
        same_bytes(a->channels, b->channels, sizeof b->channels);
    }
}

static void same_meshes(const er_scene *got)
{
    for (size_t i = 0; i < ERI_COUNT(mesh); ++i) {
        const er_mesh *a = &got->mesh[i], *b = &mesh[i];
        assert_string_equal(a->name, b->name);
        assert_true(a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count);
        assert_true(a->material == b->material && a->morph_count == b->morph_count);
        SAME_ARRAY(a->position, b->position, 3 * b->vertex_count);
        SAME_OPTIONAL(a->normal, b->normal, 3 * b->vertex_count);
        SAME_OPTIONAL(a->uv, b->uv, 2 * b->vertex_count);
        SAME_OPTIONAL(a->color, b->color, 4 * b->vertex_count);
        SAME_ARRAY(a->index, b->index, 3 * b->triangle_count);
        SAME_OPTIONAL(a->influence_start, b->influence_start, b->vertex_count + 1);
        int influences = b->influence_start != NULL ? b->influence_start[b->vertex_count] : 0;
        SAME_ARRAY(a->influence_joint, b->influence_joint, influences);
        SAME_ARRAY(a->influence_weight, b->influence_weight, influences);
    }
    SAME_ARRAY(got->instance, instance, ERI_COUNT(instance));
    for (size_t i = 0; i < ERI_COUNT(skin); ++i) {
        assert_string_equal(got->skin[i].name, skin[i].name);
        assert_int_equal(got->skin[i].joint_count, skin[i].joint_count);
        SAME_ARRAY(got->skin[i].joint, skin[i].joint, skin[i].joint_count);
        SAME_ARRAY(got->skin[i].inverse_bind, skin[i].inverse_bind, skin[i].joint_count);
    }
}

static void same_surfaces(const er_scene *got)
{
    for (size_t i = 0; i < ERI_COUNT(material); ++i) {
        const er_material *a = &got->material[i], *b = &material[i];
        assert_string_equal(a->name, b->name);
        SAME_ARRAY(a->base_color, b->base_color, 4);
        SAME_ARRAY(a->emissive, b->emissive, 3);
        assert_true(a->metallic == b->metallic && a->roughness == b->roughness && a->alpha_cutoff == b->alpha_cutoff);
        assert_true(a->alpha_mode == b->alpha_mode && a->double_sided == b->double_sided);
        assert_true(a->base_color_image == b->base_color_image && a->normal_image == b->normal_image);
        assert_int_equal(a->emissive_image, b->emissive_image);
    }
    for (size_t i = 0; i < ERI_COUNT(image); ++i) {
        assert_string_equal(got->image[i].name, image[i].name);
        assert_string_equal(got->image[i].mime, image[i].mime);
        assert_int_equal(got->image[i].size, image[i].size);
        SAME_ARRAY(got->image[i].bytes, image[i].bytes, image[i].size);
    }
}

static void same_clips(const er_scene *got)
{
    for (size_t i = 0; i < ERI_COUNT(clip); ++i) {
        assert_string_equal(got->clip[i].name, clip[i].name);
        assert_true(got->clip[i].duration == clip[i].duration);
        assert_int_equal(got->clip[i].channel_count, clip[i].channel_count);
        for (int k = 0; k < clip[i].channel_count; ++k) {
            const er_channel *a = &got->clip[i].channel[k], *b = &clip[i].channel[k];
            assert_true(a->node == b->node && a->path == b->path && a->interpolation == b->interpolation);
            assert_int_equal(a->key_count, b->key_count);
            SAME_ARRAY(a->time, b->time, b->key_count);
            SAME_ARRAY(a->value, b->value, values[b - channel]);
        }
    }
    for (size_t i = 0; i < ERI_COUNT(note); ++i) {
        assert_int_equal(got->note[i].kind, note[i].kind);
        assert_string_equal(got->note[i].text, note[i].text);
    }
}

static void same_named(const eri_source_bytes *got, const eri_source_bytes *want, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_string_equal(got[i].path, want[i].path);
        assert_string_equal(got[i].why, want[i].why);
        assert_int_equal(got[i].size, want[i].size);
        SAME_OPTIONAL(got[i].bytes, want[i].bytes, want[i].size);
    }
}

static void same_source(const er_source *got)
{
    assert_non_null(got);
    assert_int_equal(got->json_size, source.json_size);
    SAME_ARRAY(got->json, source.json, source.json_size);
    assert_true(got->chunk_count == 3 && got->buffer_count == 2 && got->image_count == 1);
    for (int i = 0; i < 3; ++i) {
        assert_true(got->chunk[i].type == chunk[i].type && got->chunk[i].size == chunk[i].size);
        SAME_ARRAY(got->chunk[i].bytes, chunk[i].bytes, chunk[i].size);
    }
    same_named(got->buffer, buffer, 2);
    same_named(got->image, picture, 1);
}

static void all_of_a_scene_comes_out_as_it_went_in(void **state)
{
    er_arena *arena = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    const er_scene *got = sent(arena, &whole);
    assert_int_equal(got->format, whole.format);
    assert_string_equal(got->format_name, whole.format_name);
    assert_true(got->metres_per_unit == whole.metres_per_unit);
    same_bytes(&got->up, &whole.up, sizeof whole.up);
    same_bytes(&got->forward, &whole.forward, sizeof whole.forward);
    assert_true(got->node_count == 3 && got->mesh_count == 5 && got->instance_count == 3 && got->skin_count == 3);
    assert_true(got->material_count == 2 && got->image_count == 3 && got->clip_count == 3 && got->note_count == 2);
    same_nodes(got);
    same_meshes(got);
    same_surfaces(got);
    same_clips(got);
    same_source(got->source);
    // Pictures lie in the first BIN chunk where they did, and channels share their times as they may.
    assert_ptr_equal(got->image[0].bytes, got->source->chunk[1].bytes + 8);
    assert_ptr_equal(got->image[2].bytes, got->source->chunk[1].bytes);
    assert_ptr_equal(got->clip[0].channel[1].time, got->clip[0].channel[0].time);
    assert_ptr_not_equal(got->clip[0].channel[2].time, got->clip[0].channel[1].time);
    er_scene bare = whole;
    bare.source = NULL; // then all pictures are sent by themselves
    got = sent(arena, &bare);
    assert_null(got->source);
    same_surfaces(got);
    same_clips(got);
    eri_arena_destroy(arena);
}

// Shared data is sent once: times that a channel shares with the one before, pictures in the chunk.
static void what_is_shared_is_sent_once(void **state)
{
    enum { KEYS = 100 };
    double time[3][KEYS], moved[3 * KEYS] = {0};
    for (int k = 0; k < KEYS; ++k)
        time[0][k] = time[1][k] = time[2][k] = 0.1 * k;
    time[2][KEYS - 1] += 0.01;
    er_channel two[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, KEYS, time[0], moved},
                        {1, ER_PATH_TRANSLATION, ER_LINEAR, KEYS, time[1], moved}};
    const er_clip moving = {"moving", 100, 2, two};
    static uint8_t pixels[800];
    const eri_source_chunk bin = {ERI_SOURCE_BIN, pixels, sizeof pixels};
    const er_source of = {"{}", 2, 1, &bin, 0, NULL, 0, NULL};
    er_image drawn = {"", "image/png", pixels, 800};
    er_scene scene = whole;
    scene.clip_count = scene.image_count = 1;
    scene.clip = &moving;
    scene.image = &drawn;
    scene.source = &of;
    size_t shared, apart, again;
    free(answer_of(scene, &shared));
    two[1].time = time[2];
    free(answer_of(scene, &apart));
    assert_int_equal(apart - shared, KEYS * sizeof(double));
    static const uint8_t copy[800] = {0};
    drawn.bytes = copy;
    free(answer_of(scene, &again));
    assert_int_equal(again - apart, 800 - 8); // the place in the chunk is not said
}

// Each field lies on a multiple of 8 bytes: with any of the blocks at its end cut off, or more behind it, nothing is a
// scene.
static void a_stream_that_ends_elsewhere_is_no_scene(void **state)
{
    size_t size;
    char *answer = answer_of(whole, &size), *payload = answer + sizeof(eri_wire_header);
    eri_wire_header header;
    memcpy(&header, answer, sizeof header);
    assert_memory_equal(header.magic, ERI_WIRE_MAGIC, sizeof header.magic);
    assert_true(header.result == ER_OK && header.reserved == 0);
    size -= sizeof header;
    assert_int_equal(header.payload_size, size);
    assert_int_equal(size % 8, 0);
    for (size_t cut = 0; cut < size; cut += 8) {
        er_arena *arena = NULL;
        er_scene *scene;
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        assert_int_equal(read_payload(arena, payload, cut, &scene), ER_ERROR_IMPORT);
        eri_arena_destroy(arena);
    }
    er_arena *arena = NULL;
    er_scene *scene;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    char *longer = calloc(1, size + 8);
    assert_non_null(longer);
    memcpy(longer, payload, size);
    assert_int_equal(read_payload(arena, longer, size + 8, &scene), ER_ERROR_IMPORT);
    assert_int_equal(read_payload(arena, longer, size, &scene), ER_OK);
    free(longer);
    free(answer);
    eri_arena_destroy(arena);
}

// Puts one number of a scene's stream in another's place: where the streams of the scene and of one with that number
// changed first differ.
static er_result changed(const er_scene *scene, const er_scene *with, int by)
{
    size_t size, with_size, at = sizeof(eri_wire_header);
    char *answer = answer_of(*scene, &size), *other = answer_of(*with, &with_size);
    while (at + 8 < size && memcmp(answer + at, other + at, 8) == 0)
        at += 8;
    memcpy(answer + at, &by, sizeof by);
    er_arena *arena = NULL;
    er_scene *got;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    er_result r = read_payload(arena, answer + sizeof(eri_wire_header), size - sizeof(eri_wire_header), &got);
    eri_arena_destroy(arena);
    free(answer);
    free(other);
    return r;
}

static void counts_that_cannot_be_are_refused(void **state)
{
    static const int bad[] = {-1, INT32_MIN, INT32_MAX, 100000};
    er_scene fewer[3] = {whole, whole, whole};
    fewer[0].node_count = fewer[1].instance_count = fewer[2].note_count = 1;
    er_mesh smaller[5];
    memcpy(smaller, mesh, sizeof mesh);
    smaller[0].vertex_count = 4; // whose text before it is the same
    er_scene cut = whole;
    cut.mesh = smaller;
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        for (int k = 0; k < 3; ++k)
            assert_int_equal(changed(&whole, &fewer[k], bad[i]), ER_ERROR_IMPORT);
        assert_int_equal(changed(&whole, &cut, bad[i]), ER_ERROR_IMPORT);
    }
    assert_int_equal(changed(&whole, &fewer[0], 3), ER_OK); // as it was
    assert_int_equal(changed(&whole, &cut, 5), ER_OK);
}

// Times are shared with the channel before, which there must be, and which must have as many.
static void times_are_shared_with_a_channel_that_has_as_many(void **state)
{
    er_channel two[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, 2, seconds, value},
                        {1, ER_PATH_TRANSLATION, ER_LINEAR, 2, same_seconds, value}};
    er_channel other[] = {two[0], two[1]};
    other[1].time = other_seconds + 1;
    const er_clip shared = {"c", 2, 2, two}, apart = {"c", 2, 2, other};
    er_scene a = {.path = "", .format_name = "by hand", .metres_per_unit = 1, .up = {0, 1, 0}, .clip_count = 1};
    er_scene b = a;
    a.clip = &shared;
    b.clip = &apart;
    assert_int_equal(changed(&a, &b, 1), ER_OK);
    // The first channel says that it shares, or the second that it has one key more.
    size_t size;
    char *answer = answer_of(a, &size), *payload = answer + sizeof(eri_wire_header);
    size -= sizeof(eri_wire_header);
    const int said[4] = {ER_PATH_TRANSLATION, ER_LINEAR, 2, 0};
    int found = 0;
    for (size_t at = 0; at + 32 <= size; at += 8) {
        int here[4];
        for (int k = 0; k < 4; ++k)
            memcpy(&here[k], payload + at + 8 * (size_t)k, sizeof here[k]);
        if (memcmp(here, said, 3 * sizeof here[0]) != 0 || here[3] != found) continue;
        int keys = 3, shares = 1;
        er_arena *arena = NULL;
        er_scene *got;
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        char *bad = malloc(size);
        assert_non_null(bad);
        memcpy(bad, payload, size);
        memcpy(bad + at + (found == 0 ? 24 : 16), found == 0 ? &shares : &keys, sizeof keys);
        // what follows is read otherwise now, and is as long as it should be, so that nothing else is wrong with it
        size_t less = found == 0 ? 2 * sizeof(double) : 0, more = found == 0 ? 0 : 3 * sizeof(double);
        char *fit = calloc(1, size + more);
        assert_non_null(fit);
        memcpy(fit, bad, at + 32);
        memcpy(fit + at + 32, bad + at + 32 + less, size - at - 32 - less);
        assert_int_equal(read_payload(arena, fit, size - less + more, &got), ER_ERROR_IMPORT);
        free(fit);
        free(bad);
        eri_arena_destroy(arena);
        ++found;
    }
    assert_int_equal(found, 2);
    free(answer);
}

static void a_failure_is_a_header_and_one_sentence(void **state)
{
    static const char *const sentences[] = {"", "1234567", "12345678", "is damaged: export it again"};
    for (size_t i = 0; i < ERI_COUNT(sentences); ++i) {
        char *bytes = NULL;
        size_t size, length = strlen(sentences[i]) + 1;
        FILE *stream = open_memstream(&bytes, &size);
        assert_true(eri_wire_write_failure(stream, ER_ERROR_FORMAT, sentences[i]));
        fclose(stream);
        eri_wire_header header;
        memcpy(&header, bytes, sizeof header);
        assert_memory_equal(header.magic, ERI_WIRE_MAGIC, sizeof header.magic);
        assert_int_equal(header.result, ER_ERROR_FORMAT);
        assert_int_equal(header.payload_size, (length + 7) / 8 * 8);
        assert_int_equal(size, sizeof header + header.payload_size);
        assert_string_equal(bytes + sizeof header, sentences[i]);
        free(bytes);
    }
}

// Wherever the disk is full; last, when all is handed over.
static void a_stream_that_takes_nothing_is_told(void **state)
{
    er_arena *arena = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    er_scene scene = whole;
    copy_structs(arena, &scene);
    char *room = NULL;
    size_t size = 0;
    FILE *enough = open_memstream(&room, &size);
    assert_true(eri_wire_write_scene(enough, &scene));
    fclose(enough);
    for (size_t left = 8; left < size; left += 8) {
        FILE *small = fmemopen(room, left, "w");
        assert_non_null(small);
        setvbuf(small, NULL, _IONBF, 0);
        assert_false(eri_wire_write_scene(small, &scene));
        fclose(small);
    }
    free(room);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_false(eri_wire_write_scene(full, &scene));
    assert_false(eri_wire_write_failure(full, ER_ERROR_FORMAT, "no"));
    fclose(full);
    eri_arena_destroy(arena);
}

static char *answer;
static size_t answer_size;

static er_result read_long(er_context *own, const void *of)
{
    (void)of;
    er_arena *arena = NULL;
    er_scene got = {0};
    const size_t head = sizeof(eri_wire_header);
    er_result r = eri_arena_create(own, &arena);
    if (r == ER_OK) r = eri_wire_read_scene(arena, answer + head, answer_size - head, &got);
    if (r == ER_OK) assert_true(got.note_count > 0 && got.note_count == 8 * got.clip[0].channel_count);
    eri_arena_destroy(arena);
    return r;
}

// Each list is larger than all before it, and so takes a block of its own.
static void memory_for_any_list_may_run_out(void **state)
{
    enum { MOST = 1 << 17 };
    static er_note notes[MOST];
    static er_channel channels[MOST];
    for (int i = 0; i < MOST; ++i) {
        notes[i] = note[0];
        channels[i] = channel[4];
    }
    const er_clip long_clip = {"long", 2, MOST / 8, channels};
    er_scene scene = {.path = "", .format_name = "by hand", .metres_per_unit = 1, .up = {0, 1, 0}, .source = &source};
    scene.clip_count = 1;
    scene.clip = &long_clip;
    scene.note_count = MOST;
    scene.note = notes;
    answer = answer_of(scene, &answer_size);
    ledger_refuse_each(read_long, NULL, NULL);
    free(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_scene_comes_out_as_it_went_in),
        cmocka_unit_test(what_is_shared_is_sent_once),
        cmocka_unit_test(a_stream_that_ends_elsewhere_is_no_scene),
        cmocka_unit_test(counts_that_cannot_be_are_refused),
        cmocka_unit_test(times_are_shared_with_a_channel_that_has_as_many),
        cmocka_unit_test(a_failure_is_a_header_and_one_sentence),
        cmocka_unit_test(a_stream_that_takes_nothing_is_told),
        cmocka_unit_test(memory_for_any_list_may_run_out),
    };
    return cmocka_run_group_tests_name("wire", tests, set_up, tear_down);
}
