// Meshes compressed with Draco: every attribute of every vertex as it was before, whatever order the encoder put the
// vertices in, and one sentence for what cannot be decoded.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "base/sanitizer.h"
#include "encode.h"
#include "support/context.h"
#include "support/sample.h"

// ---- a sheet whose vertices tell their number

enum { ATTRIBUTES = 6 };

// Vertex i of a sheet n across lies at (i % n, i / n, 0), and all else follows from i.
typedef struct sheet {
    int n, vertex_count, triangle_count;
    int *corner;
    float *position, *normal, *uv, *weight;
    uint8_t *color;
    uint16_t *joint;
} sheet;

static sheet make_sheet(int n)
{
    sheet s = {.n = n, .vertex_count = n * n, .triangle_count = 2 * (n - 1) * (n - 1)};
    size_t count = (size_t)s.vertex_count;
    s.position = calloc(3 * count, sizeof *s.position);
    s.normal = calloc(3 * count, sizeof *s.normal);
    s.uv = calloc(2 * count, sizeof *s.uv);
    s.weight = calloc(4 * count, sizeof *s.weight);
    s.color = calloc(4 * count, sizeof *s.color);
    s.joint = calloc(4 * count, sizeof *s.joint);
    s.corner = calloc(3 * (size_t)s.triangle_count, sizeof *s.corner);
    for (int i = 0; i < s.vertex_count; ++i) {
        s.position[3 * i] = (float)(i % n);
        s.position[3 * i + 1] = (float)(i / n);
        s.normal[3 * i + i % 3] = 1.0f;
        s.uv[2 * i] = (float)i / 1024.0f;
        s.uv[2 * i + 1] = 0.25f;
        for (int k = 0; k < 4; ++k)
            s.color[4 * i + k] = (uint8_t)(i * 7 + k);
        s.joint[4 * i] = (uint16_t)(i % 300);
        s.joint[4 * i + 1] = (uint16_t)(300 + i % 5);
        s.weight[4 * i] = 0.75f;
        s.weight[4 * i + 1] = 0.25f;
    }
    int *at = s.corner;
    for (int i = 0; i < s.vertex_count; ++i) {
        if (i % n == n - 1 || i / n == n - 1) continue;
        const int corners[6] = {i, i + 1, i + n, i + n, i + 1, i + n + 1};
        memcpy(at, corners, sizeof corners);
        at += 6;
    }
    return s;
}

static void free_sheet(sheet *s)
{
    free(s->corner), free(s->position), free(s->normal), free(s->uv), free(s->weight), free(s->color), free(s->joint);
}

static uint8_t *compress(const sheet *s, encode_method method, size_t *size)
{
    const encode_attribute all[ATTRIBUTES] = {
        {ENCODE_POSITION, 5126, 3, 3, s->position}, {ENCODE_GENERIC, 5123, 4, 9, s->joint},
        {ENCODE_NORMAL, 5126, 3, 1, s->normal},     {ENCODE_COLOR, 5121, 4, 12, s->color},
        {ENCODE_GENERIC, 5126, 4, 0, s->weight},    {ENCODE_UV, 5126, 2, 5, s->uv}};
    return encode(method, s->vertex_count, s->triangle_count, s->corner, ATTRIBUTES, all, size);
}

static const char ids[] = "\"POSITION\":3,\"JOINTS_0\":9,\"NORMAL\":1,\"COLOR_0\":12,\"WEIGHTS_0\":0,\"TEXCOORD_0\":5";

// A glTF whose one primitive is compressed; to be freed.
static char *sheet_json(const sheet *s, size_t size)
{
    char *text = malloc(4096);
    snprintf(
        text, 4096,
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"
        "\"nodes\":[{\"name\":\"sheet\",\"mesh\":0}],\"meshes\":[{\"name\":\"cloth\",\"primitives\":[{"
        "\"attributes\":{\"POSITION\":1,\"NORMAL\":2,\"COLOR_0\":3,\"TEXCOORD_0\":4,\"JOINTS_0\":5,\"WEIGHTS_0\":6},"
        "\"indices\":0,\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{%s}}}}]}],"
        "\"accessors\":[{\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"},"
        "{\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
        "{\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
        "{\"componentType\":5121,\"normalized\":true,\"count\":%d,\"type\":\"VEC4\"},"
        "{\"componentType\":5126,\"count\":%d,\"type\":\"VEC2\"},"
        "{\"componentType\":5123,\"count\":%d,\"type\":\"VEC4\"},"
        "{\"componentType\":5126,\"count\":%d,\"type\":\"VEC4\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"buffers\":[{\"byteLength\":%zu}]}",
        ids, 3 * s->triangle_count, s->vertex_count, s->vertex_count, s->vertex_count, s->vertex_count, s->vertex_count,
        s->vertex_count, size, size);
    return text;
}

static const char *write_glb(const char *json, const uint8_t *bytes, size_t count)
{
    size_t size;
    uint8_t *glb = sample_pack(json, bytes, count, &size);
    const char *path = sample_write("sheet.glb", glb, size);
    free(glb);
    return path;
}

static er_scene *import(const char *path)
{
    er_scene *scene = NULL;
    if (er_import_file(context, path, NULL, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    assert_int_equal(er_scene_validate(context, scene), ER_OK);
    return scene;
}

// The number of a decoded vertex.
static int number_of(const sheet *s, const er_mesh *mesh, int vertex)
{
    const float *p = mesh->position + 3 * (ptrdiff_t)vertex;
    return (int)p[0] + s->n * (int)p[1];
}

static void assert_same_vertices(const sheet *s, const er_mesh *mesh)
{
    bool *met = calloc((size_t)s->vertex_count, sizeof *met);
    assert_int_equal(mesh->vertex_count, s->vertex_count);
    for (int v = 0; v < s->vertex_count; ++v) {
        int i = number_of(s, mesh, v), k = mesh->influence_start[v];
        assert_in_range(i, 0, s->vertex_count - 1);
        assert_false(met[i]);
        met[i] = true;
        assert_memory_equal(mesh->position + 3 * v, s->position + 3 * i, 3 * sizeof(float));
        assert_memory_equal(mesh->normal + 3 * v, s->normal + 3 * i, 3 * sizeof(float));
        assert_memory_equal(mesh->uv + 2 * v, s->uv + 2 * i, 2 * sizeof(float));
        for (int c = 0; c < 4; ++c) // exact: the division is one rounding of a double, the float another
            assert_true(mesh->color[4 * v + c] == (float)(s->color[4 * i + c] / 255.0));
        assert_int_equal(mesh->influence_start[v + 1], k + 2);
        for (int j = 0; j < 2; ++j) {
            assert_int_equal(mesh->influence_joint[k + j], s->joint[4 * i + j]);
            assert_true(mesh->influence_weight[k + j] == s->weight[4 * i + j]);
        }
    }
    free(met);
}

// The triangles that meet: each corner of the sheet's belongs to as many decoded ones, and each faces +z.
static void assert_same_triangles(const sheet *s, const er_mesh *mesh)
{
    int *used = calloc((size_t)s->vertex_count, sizeof *used);
    assert_int_equal(mesh->triangle_count, s->triangle_count);
    for (int t = 0; t < s->triangle_count; ++t) {
        er_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            int v = mesh->index[3 * t + k];
            ++used[number_of(s, mesh, v)];
            --used[s->corner[3 * t + k]];
            p[k] = er_v3((double)mesh->position[3 * v], (double)mesh->position[3 * v + 1], 0);
        }
        assert_true(er_v3_cross(er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[0])).z == 1.0);
    }
    for (int i = 0; i < s->vertex_count; ++i)
        assert_int_equal(used[i], 0);
    free(used);
}

static void every_attribute_comes_back(void **state)
{
    (void)state;
    static const struct {
        int n;
        encode_method method;
    } cases[] = {{9, ENCODE_SEQUENTIAL}, {9, ENCODE_EDGEBREAKER}, {260, ENCODE_EDGEBREAKER}}; // 67,600 vertices
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        sheet s = make_sheet(cases[i].n);
        size_t size;
        uint8_t *bytes = compress(&s, cases[i].method, &size);
        char *json = sheet_json(&s, size);
        er_scene *scene = import(write_glb(json, bytes, size));
        assert_int_equal(scene->mesh_count, 1);
        assert_same_vertices(&s, &scene->mesh[0]);
        assert_same_triangles(&s, &scene->mesh[0]);
        assert_string_equal(scene->note[0].text, "1 primitives were compressed with Draco");
        er_scene_destroy(scene);
        free(json);
        free(bytes);
        free_sheet(&s);
    }
}

// The same sheet said in other words; `find` is put for `by` once.
static er_scene *import_spelt(const sheet *s, const char *find, const char *by, const uint8_t *bytes, size_t size,
                              size_t compressed)
{
    char *json = sample_replace(sheet_json(s, compressed), find, by);
    er_scene *scene = import(write_glb(json, bytes, size));
    free(json);
    return scene;
}

// The buffer is what is compressed and, after it, the positions, then the weights, as they were.
static void what_is_not_compressed_is_read_as_it_stands(void **state)
{
    (void)state;
    sheet s = make_sheet(4);
    size_t size, floats = (size_t)s.vertex_count * sizeof(float), padded;
    uint8_t *compressed = compress(&s, ENCODE_SEQUENTIAL, &size); // which keeps the order of the vertices
    padded = (size + 3) / 4 * 4;
    size_t total = padded + 7 * floats;
    uint8_t *bytes = calloc(total, 1);
    memcpy(bytes, compressed, size);
    s.position[2] = 5.0f; // unlike what is compressed
    s.weight[0] = 0.5f;
    s.weight[1] = 0.5f;
    memcpy(bytes + padded, s.position, 3 * floats);
    memcpy(bytes + padded + 3 * floats, s.weight, 4 * floats);
    char views[300];
    snprintf(views, sizeof views,
             "\"byteLength\":%zu},{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu},"
             "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"buffers\":[{\"byteLength\":%zu}]",
             size, padded, 3 * floats, padded + 3 * floats, 4 * floats, total);

    char *json = sheet_json(&s, size), *end = strstr(json, "\"byteLength\"");
    snprintf(end, 4096 - (size_t)(end - json), "%s}", views);
    char *beside = sample_replace(strdup(json), ",\"WEIGHTS_0\":0", "");
    beside = sample_replace(beside, "},{\"componentType\":5126,\"count\":16,\"type\":\"VEC4\"}]",
                            "},{\"bufferView\":2,\"componentType\":5126,\"count\":16,\"type\":\"VEC4\"}]");
    er_scene *scene = import(write_glb(beside, bytes, total));
    assert_true(scene->mesh[0].position[2] == 0.0f);
    assert_true(scene->mesh[0].influence_weight[0] == 0.5f && scene->mesh[0].influence_weight[2] == 0.75f);
    er_scene_destroy(scene);
    free(beside);

    // A whole copy beside the compressed mesh lost no digits, so it is taken.
    char *copy = sample_replace(strdup(json), "{\"componentType\":5126,", "{\"bufferView\":1,\"componentType\":5126,");
    copy = sample_replace(copy, "\"indices\":0,", "");
    copy = sample_replace(copy, ",\"JOINTS_0\":5,\"WEIGHTS_0\":6", "");
    scene = import(write_glb(copy, bytes, total));
    assert_true(scene->mesh[0].position[2] == 5.0f);
    assert_int_equal(scene->mesh[0].triangle_count, 16 / 3);
    er_scene_destroy(scene);
    free(copy);

    // A strip, too, is compressed as a list of triangles.
    scene = import_spelt(&s, "\"indices\":0", "\"mode\":5,\"indices\":0", compressed, size, size);
    assert_int_equal(scene->mesh[0].triangle_count, s.triangle_count);
    er_scene_destroy(scene);
    free(json);
    free(bytes);
    free(compressed);
    free_sheet(&s);
}

// ---- broken ones

static void refuse(const char *path, const char *words)
{
    er_scene *scene = NULL;
    er_result r = er_import_file(context, path, NULL, &scene);
    const char *error = er_context_error(context);
    if (r != ER_ERROR_FORMAT || strstr(error, words) == NULL)
        fail_msg("%s, not %s: %s", er_result_name(r), words, r == ER_OK ? "" : error);
    assert_null(scene);
}

static void a_broken_description_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *find, *by, *words;
    } cases[] = {
        {"\"POSITION\":3,", "", "no POSITION of 3 numbers"},
        {"\"POSITION\":3,", "\"POSITION\":4,", "no POSITION of 3 numbers"},
        {"\"POSITION\":3,", "\"POSITION\":4294967299,", "no POSITION of 3 numbers"},
        {"\"JOINTS_0\":9", "\"JOINTS_0\":1", "no JOINTS_0 of 4 numbers"},
        {"\"NORMAL\":1", "\"NORMAL\":12", "no NORMAL of 3 numbers"},
        {"\"JOINTS_0\":9", "\"JOINTS_0\":-1", "whole number"},
        {"\"bufferView\":0,\"attributes\"", "\"attributes\"", "no buffer view"},
        {"\"bufferView\":0,\"attributes\"", "\"bufferView\":1,\"attributes\"", "only 1"},
        {"\"count\":16,\"type\":\"VEC3\"", "\"count\":17,\"type\":\"VEC3\"", "not 17 points"},
        {"\"JOINTS_0\":5", "\"JOINTS_0\":7", "only 7"},
    };
    sheet s = make_sheet(4);
    size_t size;
    uint8_t *bytes = compress(&s, ENCODE_EDGEBREAKER, &size);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char *json = sample_replace(sheet_json(&s, size), cases[i].find, cases[i].by);
        refuse(write_glb(json, bytes, size), cases[i].words);
        free(json);
    }
    free(bytes);
    free_sheet(&s);
}

static void what_is_no_mesh_is_refused(void **state)
{
    (void)state;
    sheet s = make_sheet(4);
    size_t size;
    char *json;
    uint8_t *points = compress(&s, ENCODE_POINTS, &size), *mesh;
    refuse(write_glb(json = sheet_json(&s, size), points, size), "could not be decoded");
    free(json);
    free(points);
    mesh = compress(&s, ENCODE_EDGEBREAKER, &size);
    for (size_t n = 0; n < size; n += 1 + n / 4) {
        refuse(write_glb(json = sheet_json(&s, n), mesh, size), "the mesh \"cloth\" is compressed with Draco");
        free(json);
    }
    free(mesh);
    free_sheet(&s);
}

// Flips single bytes: the answer is a valid scene, a sentence on the file, or one on the memory it asks for.
static void flipped_bytes_never_get_through(void **state)
{
    (void)state;
    sheet s = make_sheet(5);
    unsigned seed = 4711;
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
        size_t size;
        uint8_t *bytes = compress(&s, i % 2 == 0 ? ENCODE_EDGEBREAKER : ENCODE_SEQUENTIAL, &size);
        seed = seed * 1664525u + 1013904223u;
        bytes[(seed >> 8) % (i < 100 ? 60 : size)] ^= (uint8_t)(1u << (seed >> 29)); // the head decides most
        char *json = sheet_json(&s, size);
        er_import_def def = er_default_import_def();
        er_import_end end;
        er_scene *scene = NULL;
        def.end = &end;
        er_result r = er_import_file(context, write_glb(json, bytes, size), &def, &scene);
        if (r == ER_OK)
            assert_int_equal(er_scene_validate(context, scene), ER_OK);
        else if (r != ER_ERROR_FORMAT && end != ER_IMPORT_STARVED)
            fail_msg("round %d: %s", i, er_context_error(context));
        refused += r != ER_OK;
        er_scene_destroy(scene);
        free(json);
        free(bytes);
    }
    assert_in_range(refused, 20, 180);
    free_sheet(&s);
}

// C++ says that it has no memory by an exception, which must not hide that.
static void a_mesh_too_large_for_the_limit_is_told_apart_from_a_broken_one(void **state)
{
    (void)state;
#if ERI_SANITIZED
    print_message("# address sanitizer: the memory limit is off\n");
    skip();
#endif
    sheet s = make_sheet(500);
    size_t size;
    uint8_t *bytes = compress(&s, ENCODE_SEQUENTIAL, &size);
    char *json = sheet_json(&s, size);
    const char *path = write_glb(json, bytes, size);
    for (double mib = 64; mib <= 112; mib += 16) { // so that it ends sooner or later on the way
        er_import_def def = er_default_import_def();
        er_scene *scene = NULL;
        char words[40];
        def.memory_limit = mib * 1024 * 1024;
        snprintf(words, sizeof words, "limit of %g MiB", mib);
        assert_int_equal(er_import_file(context, path, &def, &scene), ER_ERROR_IMPORT);
        assert_non_null(strstr(er_context_error(context), words));
    }
    free(json);
    free(bytes);
    free_sheet(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_attribute_comes_back),
        cmocka_unit_test(what_is_not_compressed_is_read_as_it_stands),
        cmocka_unit_test(a_broken_description_is_refused),
        cmocka_unit_test(what_is_no_mesh_is_refused),
        cmocka_unit_test(flipped_bytes_never_get_through),
        cmocka_unit_test(a_mesh_too_large_for_the_limit_is_told_apart_from_a_broken_one),
    };
    return cmocka_run_group_tests_name("import_draco", tests, set_up, tear_down);
}
