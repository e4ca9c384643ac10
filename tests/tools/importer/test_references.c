// Files that a model refers to. A file that lies elsewhere, is no regular file, is not used, or is longer than the
// model says is neither read nor written along. Each model tries to take along a file with a secret in it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include <eigenrig/formats.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/sample.h"

#define SECRET "TOPSECRETTOPSECRETTOPSECRET"
#define SECRET_64 "VE9QU0VDUkVU" // TOPSECRET in base64, wherever it begins at a multiple of three
#define PNG "\x89PNG\r\n\x1A\n"

static char whole[512]; // path of the secret
static const char *const elsewhere[] = {"../secret",   "%2e%2E/secret", "in/../../secret",
                                        "..%5Csecret", "link",          "up/secret"};

static const char *at(const char *name)
{
    static char path[2][512];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", sample_folder(), name);
    return path[turn];
}

static int lay_out(void **state)
{
    int failed = set_up(state);
    snprintf(whole, sizeof whole, "%s", sample_write("secret", PNG SECRET, sizeof PNG SECRET - 1));
    assert_int_equal(mkdir(at("model"), 0777) + mkdir(at("model/in"), 0777) + mkdir(at("out"), 0777), 0);
    assert_int_equal(symlink("../secret", at("model/link")) + symlink("..", at("model/up")), 0);
    assert_int_equal(mkfifo(at("model/pipe"), 0666), 0);
    sample_write("model/long.bin", "abc" PNG SECRET, sizeof PNG SECRET + 2);
    return failed;
}

// The sample with another buffer of four bytes, and more of the document.
static const char *write_model(const char *reference, const char *view, const char *more)
{
    uint8_t buffer[SAMPLE_SIZE];
    char views[128], end[1024];
    sample_buffer(buffer);
    snprintf(views, sizeof views, "\"byteLength\":344}%s]", view);
    snprintf(end, sizeof end, "\"},{\"byteLength\":4,\"uri\":\"%s\"}]%s}", reference, more);
    char *text = sample_replace(sample_gltf(buffer), "\"byteLength\":344}]", views);
    text = sample_replace(text, "\"}]}", end);
    const char *path = sample_write("model/model.gltf", text, strlen(text));
    free(text);
    return path;
}

static er_result import_model(const char *path, bool allow_outside, er_scene **out)
{
    er_import_def def = er_default_import_def();
    def.allow_outside = allow_outside;
    def.time_limit = 20.0;
    return er_import_file(context, path, &def, out);
}

static er_scene *import(const char *path)
{
    er_scene *scene = NULL;
    if (import_model(path, false, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    return scene;
}

static bool holds(const char *path, const char *words)
{
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 0 && size < sizeof bytes);
    return memmem(bytes, size, words, strlen(words)) != NULL;
}

// Writes a scene in every way there is to take files along; each has to hold `words`, where there are any.
static void assert_kept_secret(const er_scene *scene, const char *words)
{
    static const char *const names[] = {"out/o.glb", "out/o.gltf", "out/o.fbx"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        er_result r = i < 2 ? er_gltf_write(context, scene, 0, NULL, NULL, at(names[i]))
                            : er_fbx_write(context, scene, 0, NULL, NULL, at(names[i]));
        if (r != ER_OK) fail_msg("%s", er_context_error(context));
        assert_false(holds(at(names[i]), "TOPSECRET") || holds(at(names[i]), SECRET_64));
        if (words != NULL && i == 0) assert_true(holds(at(names[i]), words));
        assert_int_equal(unlink(at(names[i])), 0);
    }
}

static bool noted(const er_scene *scene, const char *words)
{
    for (int i = 0; i < scene->note_count; ++i)
        if (scene->note[i].kind == ER_NOTE_WARNING && strstr(scene->note[i].text, words) != NULL) return true;
    return false;
}

static const char *absolute_uri(int spelling)
{
    static char uri[600];
    const char *const begin[] = {"", "%2F", "file://", "%66ile:", "C:", "c%3A", "%5C%5Chost%5C", "http://localhost"};
    if (spelling == (int)ERI_COUNT(begin)) return NULL;
    snprintf(uri, sizeof uri, "%s%s", begin[spelling], whole + (spelling == 1 ? 1 : 0));
    return uri;
}

static void a_buffer_that_nothing_uses_is_not_read(void **state)
{
    (void)state;
    static const char *const names[] = {"../secret", "link", "missing.bin", "pipe", "in", "long.bin", "%2Fdev%2Fzero"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        er_scene *scene = import(write_model(names[i], "", ""));
        assert_kept_secret(scene, names[i]); // the document keeps what it says
        er_scene_destroy(scene);
    }
}

static void refuses_buffer(const char *reference, const char *words)
{
    static const char view[] = ",{\"buffer\":1,\"byteLength\":4}";
    er_scene *scene = import(write_model(reference, view, "")); // which does without it
    static const char *const names[] = {"out/o.glb", "out/o.gltf"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        assert_int_equal(er_gltf_write(context, scene, 0, NULL, NULL, at(names[i])), ER_ERROR_FILE);
        if (strstr(er_context_error(context), words) == NULL) fail_msg("%s: %s", reference, er_context_error(context));
        assert_int_equal(access(at(names[i]), F_OK), -1);
    }
    er_scene_destroy(scene);
}

static void a_buffer_that_lies_elsewhere_is_not_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ERI_COUNT(elsewhere); ++i)
        refuses_buffer(elsewhere[i], "lies outside");
    for (int i = 0; absolute_uri(i) != NULL; ++i)
        refuses_buffer(absolute_uri(i), "no path from the folder");
    refuses_buffer("pipe", "not a regular file");
    refuses_buffer("missing.bin", "No such file");
}

static void a_buffer_is_read_to_its_length(void **state)
{
    (void)state;
    er_scene *scene = import(write_model("long.bin", ",{\"buffer\":1,\"byteLength\":4}", ""));
    assert_kept_secret(scene, "YWJjiQ=="); // abc and the first byte of PNG
    assert_int_equal(er_gltf_write(context, scene, 0, NULL, NULL, at("out/o.gltf")), ER_OK);
    assert_false(holds(at("out/long.bin"), "PNG"));
    assert_true(holds(at("out/long.bin"), "abc"));
    er_scene_destroy(scene);
}

static void files_outside_are_read_where_they_are_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < ERI_COUNT(elsewhere); ++i) {
        er_scene *scene = NULL;
        const char *path = write_model(elsewhere[i], ",{\"buffer\":1,\"byteLength\":4}", "");
        assert_int_equal(import_model(path, true, &scene), ER_OK);
        assert_kept_secret(scene, "iVBORw=="); // four bytes of PNG
        er_scene_destroy(scene);
        remove(at("out/link"));
        remove(at("out/up/secret"));
    }
}

static const char textured[] = ",\"images\":[{\"uri\":\"%s\"}],\"textures\":[{\"source\":0}],"
                               "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}]";

static er_result import_picture(const char *reference, bool allow_outside, er_scene **out)
{
    char more[1024];
    snprintf(more, sizeof more, textured, reference);
    return import_model(write_model("unused.bin", "", more), allow_outside, out);
}

static void a_picture_that_lies_elsewhere_is_not_read(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    for (size_t i = 0; i < ERI_COUNT(elsewhere); ++i) {
        assert_int_equal(import_picture(elsewhere[i], false, &scene), ER_OK);
        assert_true(scene->image_count == 0 && noted(scene, "--allow-outside"));
        assert_kept_secret(scene, elsewhere[i]);
        er_scene_destroy(scene);
        assert_int_equal(import_picture(elsewhere[i], true, &scene), ER_OK);
        assert_int_equal(scene->image_count, 1);
        er_scene_destroy(scene);
    }
    for (int i = 0; absolute_uri(i) != NULL; ++i) {
        assert_int_equal(import_picture(absolute_uri(i), true, &scene), ER_OK);
        assert_true(scene->image_count == 0 && noted(scene, "no path from the folder"));
        assert_kept_secret(scene, NULL);
        er_scene_destroy(scene);
    }
    assert_int_equal(import_picture("pipe", false, &scene), ER_OK);
    assert_true(scene->image_count == 0 && noted(scene, "not a regular file"));
    er_scene_destroy(scene);
}

// Without a texture that uses it.
static void a_picture_that_nothing_uses_is_not_read(void **state)
{
    (void)state;
    sample_write("model/skin.png", PNG SECRET, sizeof PNG SECRET - 1);
    er_scene *scene = import(write_model("unused.bin", "", ",\"images\":[{\"uri\":\"skin.png\"}]"));
    assert_kept_secret(scene, "skin.png");
    assert_int_equal(access(at("out/skin.png"), F_OK), -1);
    er_scene_destroy(scene);
}

// ---- what Assimp asks for

static er_scene *import_obj(const char *library, bool allow_outside)
{
    char text[1024];
    er_scene *scene = NULL;
    snprintf(text, sizeof text, "mtllib %s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n", library);
    const char *path = sample_write("model/model.obj", text, strlen(text));
    if (import_model(path, allow_outside, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    return scene;
}

// A picture stands in place of the colour.
static bool is_red(const er_scene *scene)
{
    const float *c = scene->material[scene->mesh[0].material].base_color;
    return scene->image_count == 1 || (c[0] == 1.0f && c[1] == 0.0f && c[2] == 0.0f);
}

static void a_material_library_lies_beside_its_model(void **state)
{
    (void)state;
    static const char red[] = "newmtl red\nKd 1 0 0\nmap_Kd ../secret\n";
    const struct {
        const char *library;
        bool beside, outside; // whether it is read, and whether it is where files outside are
    } cases[] = {{"red.mtl", true, true},
                 {"in/../red.mtl", true, true},
                 {"in\\red.mtl", true, true},
                 {"../red_out.mtl", false, true},
                 {"up/red_out.mtl", false, true}};
    sample_write("model/red.mtl", red, sizeof red - 1);
    sample_write("model/in/red.mtl", red, sizeof red - 1);
    sample_write("red_out.mtl", red, sizeof red - 1);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int outside = 0; outside < 2; ++outside) {
            er_scene *scene = import_obj(cases[i].library, outside != 0);
            if (is_red(scene) != (outside != 0 ? cases[i].outside : cases[i].beside))
                fail_msg("%s%s", cases[i].library, outside != 0 ? ", outside" : "");
            assert_int_equal(scene->image_count, outside != 0 && is_red(scene));
            if (outside == 0) assert_kept_secret(scene, NULL);
            if (outside == 0 && is_red(scene))
                assert_true(noted(scene, "../secret") && noted(scene, "--allow-outside"));
            er_scene_destroy(scene);
        }
    er_scene *scene = import_obj("../red_out.mtl", false);
    assert_true(noted(scene, "../red_out.mtl") && noted(scene, "--allow-outside"));
    er_scene_destroy(scene);
    assert_int_equal(unlink(at("model/red.mtl")), 0);
    scene = import_obj(at("red_out.mtl"), true); // a whole path never is
    assert_false(is_red(scene));
    er_scene_destroy(scene);
    scene = import_obj("pipe", false);
    assert_false(is_red(scene));
    er_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_that_nothing_uses_is_not_read),
        cmocka_unit_test(a_buffer_that_lies_elsewhere_is_not_read),
        cmocka_unit_test(a_buffer_is_read_to_its_length),
        cmocka_unit_test(files_outside_are_read_where_they_are_allowed),
        cmocka_unit_test(a_picture_that_lies_elsewhere_is_not_read),
        cmocka_unit_test(a_picture_that_nothing_uses_is_not_read),
        cmocka_unit_test(a_material_library_lies_beside_its_model),
    };
    return cmocka_run_group_tests_name("references", tests, lay_out, tear_down);
}
