// Models from bytes: the scene of er_import_file(), files given beside the model, and bytes that are no model.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/formats.h>

#include "scene/import/wire.h"
#include "support/context.h"
#include "support/sample.h"

// The scene as the importer sends it: every number and text of it.
static char *wire_of(er_scene *scene, size_t *size)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    assert_true(eri_wire_write_scene(out, scene));
    fclose(out);
    return bytes;
}

static void assert_same_scene(er_scene *a, er_scene *b)
{
    size_t m, n;
    char *x = wire_of(a, &m), *y = wire_of(b, &n);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, m);
    free(x);
    free(y);
}

static void assert_same_as_file(const char *path)
{
    size_t size;
    char *bytes = read_bytes(path, &size);
    er_scene *from_file = NULL, *from_bytes = NULL;
    assert_int_equal(er_import_file(context, path, NULL, &from_file), ER_OK);
    assert_int_equal(er_import_bytes(context, path, bytes, size, 0, NULL, &from_bytes), ER_OK);
    memset(bytes, 0xAA, size); // the scene owns its bytes
    free(bytes);
    assert_string_equal(from_bytes->path, path);
    assert_same_scene(from_file, from_bytes);
    er_scene_destroy(from_file);
    er_scene_destroy(from_bytes);
}

static const char *model_path(const char *name)
{
    static char path[500];
    snprintf(path, sizeof path, "%s/models/%s", getenv("EIGENRIG_SOURCE"), name);
    return path;
}

static void bytes_make_the_scene_that_their_file_makes(void **state)
{
    (void)state;
    static const char *const names[] = {"horse.glb", "fox.glb", "gnome.glb", "hand.glb"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        assert_same_as_file(model_path(names[i]));
    assert_same_as_file(sample_write("walker.bvh", sample_bvh, strlen(sample_bvh)));
}

static const char gltf[] =
    "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"mesh\": 0}], \"scenes\": [{\"nodes\": [0]}],"
    "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}],"
    "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\","
    "\"min\": [0, 0, 0], \"max\": [1, 1, 0]}],"
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36}],"
    "\"buffers\": [{\"uri\": \"./data/my%20numbers.bin\", \"byteLength\": 36}]}";

static void files_that_a_model_refers_to_are_taken_from_those_given(void **state)
{
    (void)state;
    const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const er_named_bytes beside[] = {{"numbers.bin", "", 0}, {"data/my numbers.bin", corner, sizeof corner}};
    er_scene *scene = NULL;
    assert_int_equal(er_import_bytes(context, "sheet.gltf", gltf, strlen(gltf), 2, beside, &scene), ER_OK);
    assert_int_equal(scene->mesh[0].vertex_count, 3);
    assert_memory_equal(scene->mesh[0].position, corner, sizeof corner);
    er_scene_destroy(scene);
    assert_refusal(context, er_import_bytes(context, "sheet.gltf", gltf, strlen(gltf), 1, beside, &scene),
                   ER_ERROR_FILE, "data/my%20numbers.bin");
    const er_named_bytes small = {"data/my numbers.bin", corner, 35};
    assert_refusal(context, er_import_bytes(context, "sheet.gltf", gltf, strlen(gltf), 1, &small, &scene),
                   ER_ERROR_FORMAT, "buffers[0]");
}

static void no_file_is_opened(void **state)
{
    (void)state;
    const float corner[9] = {0};
    const char *path = sample_write("numbers.bin", corner, sizeof corner);
    char text[1000], *name = strstr(strcpy(text, gltf), "./data/my%20numbers.bin");
    char model[1000];
    er_scene *scene = NULL;
    snprintf(model, sizeof model, "%.*snumbers.bin%s", (int)(name - text), text,
             name + strlen("./data/my%20numbers.bin"));
    const char *beside_it = sample_write("sheet.gltf", model, strlen(model));
    assert_int_equal(er_import_file(context, beside_it, NULL, &scene), ER_OK);
    er_scene_destroy(scene);
    assert_refusal(context, er_import_bytes(context, beside_it, model, strlen(model), 0, NULL, &scene), ER_ERROR_FILE,
                   "numbers.bin");
    assert_non_null(path);
}

static void bytes_that_are_no_model_are_refused(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    assert_refusal(context, er_import_bytes(context, "a.glb", "", 0, 0, NULL, &scene), ER_ERROR_FORMAT, "a.glb");
    assert_refusal(context, er_import_bytes(context, "a.fbx", "Kaydara FBX", 11, 0, NULL, &scene), ER_ERROR_FORMAT,
                   "a.fbx");
    assert_refusal(context, er_import_bytes(context, "a.glb", NULL, 5, 0, NULL, &scene), ER_ERROR_ARGUMENT, "NULL");
    assert_refusal(context, er_import_bytes(context, "a.glb", "glTF", 4, 1, NULL, &scene), ER_ERROR_ARGUMENT, "NULL");
    assert_refusal(context, er_import_bytes(context, "a.glb", "glTF", 4, 1, &(er_named_bytes){0}, &scene),
                   ER_ERROR_ARGUMENT, "file 0");
    assert_null(scene);
}

// Cut short or with bytes changed: a valid scene, or one line that begins with the name.
static void judge(const uint8_t *bytes, size_t size, int *read)
{
    er_scene *scene = NULL;
    er_result r = er_import_bytes(context, "in", bytes, size, 0, NULL, &scene);
    *read += r == ER_OK;
    if (r == ER_OK) assert_int_equal(er_scene_validate(context, scene), ER_OK);
    if (r != ER_OK && r != ER_ERROR_FORMAT && r != ER_ERROR_FILE) fail_msg("%s", er_context_error(context));
    if (r != ER_OK) assert_int_equal(strncmp(er_context_error(context), "in: ", 4), 0);
    if (r != ER_OK) assert_null(strpbrk(er_context_error(context), "\n\r\x1b"));
    er_scene_destroy(scene);
}

static void break_bytes(const uint8_t *bytes, size_t size, int rounds)
{
    uint8_t *broken = malloc(size);
    unsigned seed = 4711;
    int read = 0;
    for (int i = 0; i < rounds; ++i) {
        memcpy(broken, bytes, size);
        for (int k = 0; k < 1 + i % 4; ++k) {
            seed = seed * 1664525u + 1013904223u;
            broken[(seed >> 8) % size] ^= (uint8_t)(1u << (seed >> 29));
        }
        judge(broken, i % 5 == 4 ? size * (size_t)i / (size_t)rounds + 1 : size, &read);
    }
    assert_in_range(read, 1, rounds - 1);
    free(broken);
}

static void broken_bytes_are_one_clear_error(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    size_t size;
    sample_buffer(buffer);
    uint8_t *glb = sample_glb(buffer, &size);
    break_bytes(glb, size, 2000);
    free(glb);
    break_bytes((const uint8_t *)sample_bvh, strlen(sample_bvh), 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_make_the_scene_that_their_file_makes),
        cmocka_unit_test(files_that_a_model_refers_to_are_taken_from_those_given),
        cmocka_unit_test(no_file_is_opened),
        cmocka_unit_test(bytes_that_are_no_model_are_refused),
        cmocka_unit_test(broken_bytes_are_one_clear_error),
    };
    return cmocka_run_group_tests_name("import_bytes", tests, set_up, tear_down);
}
