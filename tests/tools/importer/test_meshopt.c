// Buffer views compressed by meshoptimizer's own encoders: every number as it was before, or as near as the filter
// keeps it, one sentence for what cannot be decoded, and a writer that leaves them as they are.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>
#include <meshoptimizer.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/sample.h"

enum { N = 5, VERTICES = N * N, TRIANGLES = 2 * (N - 1) * (N - 1), KEYS = 7, ROOM = 1 << 16 };

// ---- a sheet N across on two joints, one of which turns

typedef struct sheet {
    float position[VERTICES][3], normal[VERTICES][4], time[KEYS], rotation[KEYS][4];
    uint8_t joint[VERTICES][4], weight[VERTICES][4];
    unsigned corner[3 * TRIANGLES];
} sheet;

static void make_sheet(sheet *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < VERTICES; ++i) {
        double turn = 0.3 * i;
        s->position[i][0] = (float)(i % N) + 1.0f / 3.0f;
        s->position[i][1] = (float)(i / N);
        s->normal[i][0] = (float)(0.6 * cos(turn)), s->normal[i][1] = (float)(0.6 * sin(turn)), s->normal[i][2] = 0.8f;
        s->joint[i][0] = 1;
        s->weight[i][0] = 200, s->weight[i][1] = 55;
    }
    unsigned *at = s->corner;
    for (unsigned i = 0; i < VERTICES; ++i) {
        if (i % N == N - 1 || i / N == N - 1) continue;
        const unsigned corners[6] = {i, i + 1, i + N, i + N, i + 1, i + N + 1};
        memcpy(at, corners, sizeof corners);
        at += 6;
    }
    for (int k = 0; k < KEYS; ++k) {
        s->time[k] = 0.125f * (float)(k * k);
        s->rotation[k][0] = (float)sin(0.2 * k), s->rotation[k][3] = (float)cos(0.2 * k);
    }
}

// ---- what it is compressed to

typedef struct pack {
    uint8_t bytes[ROOM];
    size_t size, plain;
    char views[4096];
    int count;
} pack;

static void add_view(pack *p, size_t size, size_t stride, size_t count, const char *mode, const char *filter)
{
    size_t used = strlen(p->views);
    bool strided = strcmp(mode, "ATTRIBUTES") == 0;
    char words[40] = "";
    if (strided) snprintf(words, sizeof words, "\"byteStride\":%zu,", stride);
    snprintf(p->views + used, sizeof p->views - used,
             "%s{\"buffer\":1,\"byteOffset\":%zu,%s\"byteLength\":%zu,\"extensions\":{\"EXT_meshopt_compression\":{"
             "\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":%zu,\"count\":%zu,\"mode\":\"%s\"%s}}}",
             p->count > 0 ? "," : "", p->plain, words, stride * count, p->size, size, stride, count, mode, filter);
    p->size = (p->size + size + 3) / 4 * 4;
    p->plain = (p->plain + stride * count + 3) / 4 * 4;
    ++p->count;
}

static void add_vertices(pack *p, const void *data, size_t stride, size_t count, const char *filter)
{
    size_t size = meshopt_encodeVertexBuffer(p->bytes + p->size, ROOM - p->size, data, count, stride);
    assert_int_not_equal(size, 0);
    add_view(p, size, stride, count, "ATTRIBUTES", filter);
}

static void add_triangles(pack *p, const sheet *s, bool sequence)
{
    size_t n = 3 * TRIANGLES, left = ROOM - p->size;
    size_t size = sequence ? meshopt_encodeIndexSequence(p->bytes + p->size, left, s->corner, n)
                           : meshopt_encodeIndexBuffer(p->bytes + p->size, left, s->corner, n);
    assert_int_not_equal(size, 0);
    add_view(p, size, sequence ? 4 : 2, n, sequence ? "INDICES" : "TRIANGLES", "");
}

static void compress(const sheet *s, bool sequence, pack *p)
{
    static uint8_t normal[VERTICES][4];
    static uint16_t rotation[KEYS][4];
    static uint32_t time[KEYS];
    memset(p, 0, sizeof *p);
    meshopt_encodeFilterOct(normal, VERTICES, 4, 8, &s->normal[0][0]);
    meshopt_encodeFilterQuat(rotation, KEYS, 8, 16, &s->rotation[0][0]);
    meshopt_encodeFilterExp(time, KEYS, 4, 24, s->time);
    add_vertices(p, s->position, 12, VERTICES, "");
    add_vertices(p, normal, 4, VERTICES, ",\"filter\":\"OCTAHEDRAL\"");
    add_vertices(p, s->joint, 4, VERTICES, ",\"filter\":\"NONE\"");
    add_vertices(p, s->weight, 4, VERTICES, "");
    add_triangles(p, s, sequence);
    add_vertices(p, time, 4, KEYS, ",\"filter\":\"EXPONENTIAL\"");
    add_vertices(p, rotation, 8, KEYS, ",\"filter\":\"QUATERNION\"");
}

// To be freed.
static char *json_of(const pack *p, bool sequence)
{
    char *text = malloc(8192);
    snprintf(text, 8192,
             "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"EXT_meshopt_compression\","
             "\"KHR_mesh_quantization\"],\"extensionsUsed\":[\"EXT_meshopt_compression\",\"KHR_mesh_quantization\"],"
             "\"scenes\":[{\"nodes\":[0,1]}],"
             "\"nodes\":[{\"name\":\"sheet\",\"mesh\":0,\"skin\":0},{\"name\":\"root\",\"children\":[2]},"
             "{\"name\":\"tip\",\"translation\":[0,1,0]}],\"skins\":[{\"joints\":[1,2]}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,"
             "\"WEIGHTS_0\":3},\"indices\":4}]}],"
             "\"animations\":[{\"name\":\"bend\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,"
             "\"path\":\"rotation\"}}],\"samplers\":[{\"input\":5,\"output\":6}]}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
             "{\"bufferView\":1,\"componentType\":5120,\"normalized\":true,\"count\":%d,\"type\":\"VEC3\"},"
             "{\"bufferView\":2,\"componentType\":5121,\"count\":%d,\"type\":\"VEC4\"},"
             "{\"bufferView\":3,\"componentType\":5121,\"normalized\":true,\"count\":%d,\"type\":\"VEC4\"},"
             "{\"bufferView\":4,\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"},"
             "{\"bufferView\":5,\"componentType\":5126,\"count\":%d,\"type\":\"SCALAR\"},"
             "{\"bufferView\":6,\"componentType\":5122,\"normalized\":true,\"count\":%d,\"type\":\"VEC4\"}],"
             "\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":%zu,"
             "\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}]}",
             VERTICES, VERTICES, VERTICES, VERTICES, sequence ? 5125 : 5123, 3 * TRIANGLES, KEYS, KEYS, p->views,
             p->size, p->plain);
    return text;
}

static const char *write_glb(const char *json, const pack *p)
{
    size_t size;
    uint8_t *glb = sample_pack(json, p->bytes, p->size, &size);
    const char *path = sample_write("sheet.glb", glb, size);
    free(glb);
    return path;
}

// ---- promises

static void expect_sheet(const er_scene *scene, const sheet *s)
{
    assert_int_equal(er_scene_validate(context, scene), ER_OK);
    assert_int_equal(scene->mesh_count, 1);
    const er_mesh *mesh = &scene->mesh[0];
    assert_int_equal(mesh->vertex_count, VERTICES);
    assert_memory_equal(mesh->position, s->position, sizeof s->position);
    for (int i = 0; i < VERTICES; ++i) {
        for (int k = 0; k < 3; ++k) // of 8 bits
            assert_true(fabs((double)mesh->normal[3 * i + k] - (double)s->normal[i][k]) < 0.02);
        assert_int_equal(mesh->influence_start[i], 2 * i);
        assert_int_equal(mesh->influence_joint[2 * i], 1);
        assert_true(fabs((double)mesh->influence_weight[2 * i] - 200.0 / 255.0) < 1e-6);
    }
    assert_int_equal(mesh->triangle_count, TRIANGLES);
    for (int t = 0; t < TRIANGLES; ++t) { // whose corners may be counted from another
        const int *found = mesh->index + 3 * t;
        const unsigned *known = s->corner + 3 * t;
        int shift = 0;
        while (shift < 2 && found[shift] != (int)known[0])
            ++shift;
        for (int k = 0; k < 3; ++k)
            assert_int_equal(found[(shift + k) % 3], known[k]);
    }
}

static void expect_clip(const er_clip *clip, const sheet *s)
{
    assert_int_equal(clip->channel_count, 1);
    const er_channel *c = &clip->channel[0];
    assert_int_equal(c->key_count, KEYS);
    for (int k = 0; k < KEYS; ++k) {
        assert_true(fabs(c->time[k] - (double)s->time[k]) < 1e-6);
        double dot = 0.0;
        for (int i = 0; i < 4; ++i)
            dot += c->value[4 * k + i] * (double)s->rotation[k][i];
        assert_true(fabs(fabs(dot) - 1.0) < 1e-6);
    }
}

static er_scene *import(const char *path)
{
    er_scene *scene = NULL;
    if (er_import_file(context, path, NULL, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    return scene;
}

static void every_number_comes_back(void **state)
{
    (void)state;
    static sheet s;
    static pack p;
    make_sheet(&s);
    for (int sequence = 0; sequence < 2; ++sequence) {
        compress(&s, sequence != 0, &p);
        char *json = json_of(&p, sequence != 0);
        er_scene *scene = import(write_glb(json, &p));
        expect_sheet(scene, &s);
        expect_clip(&scene->clip[0], &s);
        assert_string_equal(scene->note[0].text, "7 buffer views were compressed with meshoptimizer");
        er_scene_destroy(scene);
        free(json);
    }
}

// A GLB with another clip, of the same channels, holds the compressed bytes as they were, and reads back alike.
static void the_writer_keeps_what_is_compressed(void **state)
{
    (void)state;
    static sheet s;
    static pack p;
    make_sheet(&s);
    compress(&s, false, &p);
    char *json = json_of(&p, false), path[1000];
    er_scene *scene = import(write_glb(json, &p));
    snprintf(path, sizeof path, "%s/more.glb", sample_folder());
    er_clip more = scene->clip[0];
    more.name = "again";
    assert_int_equal(er_gltf_write(context, scene, 1, &more, NULL, path), ER_OK);
    er_scene_destroy(scene);
    scene = import(path);
    expect_sheet(scene, &s);
    assert_int_equal(scene->clip_count, 2);
    for (int i = 0; i < 2; ++i)
        expect_clip(&scene->clip[i], &s);
    er_scene_destroy(scene);
    FILE *f = fopen(path, "rb");
    static uint8_t file[ROOM];
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    assert_non_null(memmem(file, size, p.bytes, p.size));
    assert_non_null(memmem(file, size, "\"fallback\":true", 15));
    free(json);
}

static void refuse(char *json, const pack *p, const char *words)
{
    er_scene *scene = NULL;
    const char *path = write_glb(json, p);
    er_result r = er_import_file(context, path, NULL, &scene);
    if (r != ER_ERROR_FORMAT || strstr(er_context_error(context), words) == NULL)
        fail_msg("\"%s\" expected: %s", words, r == ER_OK ? "it was read" : er_context_error(context));
    assert_non_null(strstr(er_context_error(context), path));
    assert_null(scene);
    free(json);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *find, *by, *words;
    } cases[] = {
        {"\"mode\":\"TRIANGLES\"", "\"mode\":\"QUADS\"", "a mode and filter"},
        {"\"filter\":\"QUATERNION\"", "\"filter\":\"SPIRAL\"", "a mode and filter"},
        {"\"filter\":\"OCTAHEDRAL\"", "\"filter\":\"QUATERNION\"", "a mode and filter"},
        {"\"mode\":\"TRIANGLES\"", "\"mode\":\"TRIANGLES\",\"filter\":\"EXPONENTIAL\"", "a mode and filter"},
        {"\"byteStride\":12,\"count\"", "\"byteStride\":10,\"count\"", "a mode and filter"},
        {"\"byteStride\":12,\"count\"", "\"byteStride\":260,\"count\"", "a mode and filter"},
        {"\"byteStride\":2,\"count\":96", "\"byteStride\":2,\"count\":97", "a mode and filter"},
        {"\"count\":25,\"mode\"", "\"count\":26,\"mode\"", "has 300 bytes"},
        {"\"count\":25,\"mode\"", "\"count\":9007199254740992,\"mode\"", "has 300 bytes"},
        {"\"count\":25,\"mode\"", "\"mode\"", "has 300 bytes"},
        {"\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,",
         "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":2,", "there are only 2"},
        {"\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,", "\"extensions\":{\"EXT_meshopt_compression\":{",
         "has no buffer"},
        {"\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,",
         "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":1,", "no data"},
        {"{\"buffer\":0,\"byteOffset\":0,", "{\"buffer\":0,\"byteOffset\":60000,", "of a buffer of"},
        {"{\"buffer\":0,\"byteOffset\":0,", "{\"buffer\":0,\"byteOffset\":4,", "could not be decoded"},
    };
    static sheet s;
    static pack p;
    make_sheet(&s);
    compress(&s, false, &p);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        refuse(sample_replace(json_of(&p, false), cases[i].find, cases[i].by), &p, cases[i].words);
    char words[2][80];
    snprintf(words[0], sizeof words[0], "\"byteLength\":300,");
    snprintf(words[1], sizeof words[1], "\"byteLength\":12000000000,");
    char *huge = sample_replace(json_of(&p, false), words[0], words[1]);
    refuse(sample_replace(huge, "\"count\":25,\"mode\"", "\"count\":1000000000,\"mode\""), &p, "12000000000 bytes");
}

// Flips bytes: the answer is a valid scene or a sentence on the file.
static void flipped_bytes_never_get_through(void **state)
{
    (void)state;
    static sheet s;
    static pack p;
    unsigned seed = 4711;
    int refused = 0;
    make_sheet(&s);
    for (int i = 0; i < 100; ++i) {
        er_scene *scene = NULL;
        compress(&s, i % 2 != 0, &p);
        seed = seed * 1664525u + 1013904223u;
        p.bytes[(seed >> 8) % p.size] ^= (uint8_t)(1u << (seed >> 29));
        char *json = json_of(&p, i % 2 != 0);
        er_result r = er_import_file(context, write_glb(json, &p), NULL, &scene);
        if (r == ER_OK)
            assert_int_equal(er_scene_validate(context, scene), ER_OK);
        else if (r != ER_ERROR_FORMAT)
            fail_msg("round %d: %s", i, er_context_error(context));
        refused += r != ER_OK;
        er_scene_destroy(scene);
        free(json);
    }
    assert_in_range(refused, 5, 95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_comes_back),
        cmocka_unit_test(the_writer_keeps_what_is_compressed),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(flipped_bytes_never_get_through),
    };
    return cmocka_run_group_tests_name("import_meshopt", tests, set_up, tear_down);
}
