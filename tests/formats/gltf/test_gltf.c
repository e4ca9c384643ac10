// How er_gltf_write() fails: bad arguments, memory that ends anywhere, disks that fill up.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <float.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include <eigenrig/formats.h>
#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

#include "scenes.h"
#include "support/place.h"

static ledger json_ledger = {.left = LEDGER_ALL};

static void *spend_json(size_t size)
{
    return ledger_take(&json_ledger, size);
}

static void give_back_json(void *memory)
{
    if (memory != NULL) ledger_give(&json_ledger, memory);
}

static int open_place(void **state)
{
    return place_open(state, "out.glb", "out.gltf", "source.glb");
}

static int close_place(void **state)
{
    int failed = place_close(state);
    return json_ledger.held == 0 ? failed : -1;
}

// The strip as a scene that was read from a .glb of it; to be destroyed.
static er_scene *strip_from_file(place *p)
{
    er_scene *strip = NULL;
    assert_int_equal(er_gltf_write(p->own, make_scene(p->arena, "strip"), 0, NULL, NULL, p->beside), ER_OK);
    assert_int_equal(er_import_file(p->own, p->beside, NULL, &strip), ER_OK);
    return strip;
}

static size_t bytes_of(const char *path, char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static void fail_each(place *p, ledger *fails, const er_scene *scene, const char *path, bool only_memory)
{
    er_clip clip = make_clip(p->arena, scene, "mode");
    // a JSON parser that runs out of memory half-way through a token may call the token broken
    er_result other = only_memory ? ER_ERROR_MEMORY : ER_ERROR_FORMAT;
    assert_outlasts_memory(p, er_gltf_write, fails, scene, 1, &clip, path, other);
}

static void the_end_of_memory_is_one_error_and_no_leak(void **state)
{
    place *p = *state;
    const char *names[] = {"strip", "parts", "bones"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        const er_scene *scene = make_scene(p->arena, names[i]);
        fail_each(p, &p->ledger, scene, p->out, true);
        fail_each(p, &p->ledger, scene, p->again, true);
        fail_each(p, &json_ledger, scene, p->out, true);
    }
    er_scene *source = strip_from_file(p);
    fail_each(p, &p->ledger, source, p->out, true);
    fail_each(p, &p->ledger, source, p->again, true);
    fail_each(p, &json_ledger, source, p->out, false);
    er_scene_destroy(source);
}

static void bad_arguments_are_refused(void **state)
{
    place *p = *state;
    assert_arguments_refused(p, er_gltf_write, make_scene(p->arena, "strip"), ".glb");
}

// Steps and splines as the scene's clip and one more have them, on bones with nodes between.
static void vrm_animation_needs_a_map_and_outlasts_memory(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    er_node *node = (er_node *)(uintptr_t)scene->node;
    er_clip clip = make_clip(p->arena, scene, "mode");
    char path[160];
    snprintf(path, sizeof path, "%s/out.vrma", p->folder);
    assert_refused(p, er_vrma_write, scene, &clip, path, ER_ERROR_ARGUMENT, path);
    for (int i = 0; i < scene->node_count; ++i)
        node[i].role = i == 0 ? "hips" : i == scene->node_count - 1 ? "spine" : "leftEye";
    assert_arguments_refused(p, er_vrma_write, scene, ".vrma");
    er_channel nowhere = clip.channel[0];
    nowhere.node = scene->node_count;
    const er_clip bad = {"bad", 1.0, 1, &nowhere};
    assert_refused(p, er_vrma_write, scene, &bad, path, ER_ERROR_ARGUMENT, "bad");
    assert_outlasts_memory(p, er_vrma_write, &p->ledger, scene, 1, &clip, path, ER_ERROR_MEMORY);
    assert_outlasts_memory(p, er_vrma_write, &json_ledger, scene, 1, &clip, path, ER_ERROR_MEMORY);
}

static void bad_clips_are_refused(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    double time[2] = {0, 1}, value[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    er_channel good = {0, ER_PATH_ROTATION, ER_LINEAR, 2, time, value}, c[2] = {good, good};
    er_clip clip = {"bad", 1.0, 1, c};
    assert_int_equal(er_gltf_write(p->context, scene, 1, &clip, NULL, p->out), ER_OK);
#define REFUSED(change, named)                                                                                         \
    do {                                                                                                               \
        c[0] = good;                                                                                                   \
        change;                                                                                                        \
        assert_refused(p, er_gltf_write, scene, &clip, p->again, ER_ERROR_ARGUMENT, named);                            \
    } while (0)
    REFUSED(c[0].node = 99, "\"bad\"");
    REFUSED(c[0].node = -1, "\"bad\"");
    REFUSED(c[0].path = (er_path)7, "\"bad\"");
    REFUSED(c[0].interpolation = (er_interpolation)-1, "\"bad\"");
    REFUSED(c[0].key_count = 0, "\"bad\"");
    REFUSED(c[0].time = NULL, "\"bad\"");
    REFUSED(c[0].value = NULL, "\"bad\"");
    REFUSED(time[1] = 0.0, "\"bad\"");
    REFUSED(time[1] = NAN, "\"bad\"");
    REFUSED(time[1] = HUGE_VAL, "\"bad\"");
    time[1] = 1.0;
    REFUSED(value[5] = NAN, "nan");
    REFUSED(value[5] = 1e39, "1e+39");
    value[5] = 0.0;
    REFUSED(clip.duration = -1.0, "\"bad\"");
    REFUSED(clip.duration = NAN, "\"bad\"");
    clip.duration = 1.0;
    REFUSED(clip.channel_count = 2, "\"bad\"");
}

static void names_of_clips_are_made_utf8(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    er_clip clip = make_clip(p->arena, scene, "mode \xff");
    json_error_t error;
    assert_int_equal(er_gltf_write(p->context, scene, 1, &clip, NULL, p->again), ER_OK);
    json_t *root = json_load_file(p->again, 0, &error), *animation = NULL;
    size_t i;
    bool found = false;
    json_array_foreach(json_object_get(root, "animations"), i, animation) found |=
        strcmp(json_string_value(json_object_get(animation, "name")), "mode \xef\xbf\xbd") == 0;
    json_decref(root);
    assert_true(found);
}

static void numbers_that_are_not_finite_are_never_written(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    er_node *node = (er_node *)(uintptr_t)scene->node;
    float *position = (float *)(uintptr_t)scene->mesh[0].position;
    er_affine *inverse = (er_affine *)(uintptr_t)scene->skin[0].inverse_bind;
    node[1].local.translation.y = NAN;
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, p->out);
    node[1].local.translation.y = 0.0;
    position[4] = HUGE_VALF;
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, p->out);
    position[4] = 0.0f;
    inverse[1].linear.m[2][2] = 1e300; // finite, but not as a float
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, p->out);
}

static void a_scene_made_by_hand_has_no_source(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    scene->format = ER_FORMAT_GLTF;
    scene->path = p->beside;
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, "ER_FORMAT_GLTF");
}

// A file is read once: what becomes of it later is nothing to a scene.
static void a_source_that_is_gone_is_written_all_the_same(void **state)
{
    place *p = *state;
    static char before[1 << 20], after[1 << 20];
    er_scene *scene = strip_from_file(p);
    er_clip clip = make_clip(p->arena, scene, "mode");
    assert_int_equal(er_gltf_write(p->own, scene, 1, &clip, NULL, p->out), ER_OK);
    size_t size = bytes_of(p->out, before, sizeof before);
    assert_int_equal(er_file_write(p->own, p->beside, "changed", 7), ER_OK);
    assert_int_equal(er_gltf_write(p->own, scene, 1, &clip, NULL, p->out), ER_OK);
    assert_int_equal(bytes_of(p->out, after, sizeof after), size);
    assert_memory_equal(after, before, size);
    assert_int_equal(unlink(p->beside), 0);
    assert_int_equal(er_gltf_write(p->own, scene, 1, &clip, NULL, p->out), ER_OK);
    assert_int_equal(bytes_of(p->out, after, sizeof after), size);
    assert_memory_equal(after, before, size);
    er_scene_destroy(scene);
}

// A scale of zero hides how a node was turned, so the scene splits its matrix its own way; the clip's turns are kept.
static void a_node_of_scale_zero_turns_as_the_clip_says(void **state)
{
    place *p = *state;
    static const char flat[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"a\","
        "\"rotation\":[0.1,0.5,0.1,0.8544003745],\"scale\":[%s]}]}";
    static const char *const scales[] = {"0,0,0", "0,1,1", "1,0,1", "0,0,1", "1,1,1"};
    static const double time[2] = {0, 1}, value[8] = {0, 0, 0, 1, 0.6, 0, 0, 0.8};
    const er_channel channel = {0, ER_PATH_ROTATION, ER_LINEAR, 2, time, value};
    const er_clip clip = {"turn", 1.0, 1, &channel};
    for (size_t i = 0; i < ERI_COUNT(scales); ++i) {
        er_scene *scene = NULL, *again = NULL;
        FILE *file = fopen(p->again, "w");
        fprintf(file, flat, scales[i]);
        fclose(file);
        assert_int_equal(er_import_file(p->own, p->again, NULL, &scene), ER_OK);
        assert_int_equal(er_gltf_write(p->own, scene, 1, &clip, NULL, p->out), ER_OK);
        assert_int_equal(er_import_file(p->own, p->out, NULL, &again), ER_OK);
        const er_channel *got = again->clip[0].channel;
        while (got->path != ER_PATH_ROTATION)
            ++got;
        for (int k = 0; k < 8; ++k)
            assert_true(fabs(got->value[k] - value[k]) < 1e-6);
        er_scene_destroy(again);
        er_scene_destroy(scene);
    }
}

// ---- instances that a source does not have

static json_t *member(const json_t *root, const char *list, int index)
{
    return json_array_get(json_object_get(root, list), (size_t)index);
}

static json_t *json_of_glb(const char *path)
{
    static char bytes[1 << 20];
    uint32_t length;
    assert_true(bytes_of(path, bytes, sizeof bytes) > 20);
    memcpy(&length, bytes + 12, sizeof length);
    json_t *root = json_loadb(bytes + 20, length, 0, NULL);
    assert_non_null(root);
    return root;
}

static void added_instances_hang_on_the_nodes_of_the_source(void **state)
{
    place *p = *state;
    er_scene *scene = strip_from_file(p);
    int n = scene->instance_count, holder = -1, nodes = scene->node_count;
    json_t *before = json_of_glb(p->beside), *after;
    for (int i = 0; i < (int)json_array_size(json_object_get(before, "nodes")); ++i)
        if (json_object_get(member(before, "nodes", i), "mesh") != NULL) holder = i;
    er_node *node = (er_node *)(uintptr_t)scene->node;
    node[nodes - 1].source_index = holder; // one that has a mesh
    node[1].source_index = 1;
    assert_true(holder >= 0 && holder != 1 && json_object_get(member(before, "nodes", 1), "mesh") == NULL);
    er_instance *instance = ERI_NEW(p->arena, er_instance, n + 2);
    memcpy(instance, scene->instance, (size_t)n * sizeof *instance);
    instance[n] = (er_instance){nodes - 1, 0, -1};
    instance[n + 1] = (er_instance){1, 0, -1};
    scene->instance = instance;
    scene->instance_count = n + 2;
    scene->added_count = 2;
    assert_int_equal(er_gltf_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
    after = json_of_glb(p->out);
    int old_nodes = (int)json_array_size(json_object_get(before, "nodes")),
        old_meshes = (int)json_array_size(json_object_get(before, "meshes"));
    assert_int_equal(json_array_size(json_object_get(after, "nodes")), old_nodes + 1);
    assert_int_equal(json_array_size(json_object_get(after, "meshes")), old_meshes + 1); // both draw the same
    json_t *child = member(after, "nodes", old_nodes),
           *children = json_object_get(member(after, "nodes", holder), "children");
    assert_int_equal(json_integer_value(json_object_get(child, "mesh")), old_meshes);
    assert_int_equal(json_integer_value(json_array_get(children, json_array_size(children) - 1)), old_nodes);
    assert_int_equal(json_integer_value(json_object_get(member(after, "nodes", 1), "mesh")), old_meshes);
    for (int i = 0; i < old_meshes; ++i)
        assert_true(json_equal(member(before, "meshes", i), member(after, "meshes", i)));
    json_decref(before);
    json_decref(after);
    unlink(p->out);
    fail_each(p, &p->ledger, scene, p->out, true);
    fail_each(p, &json_ledger, scene, p->out, false);
    node[1].source_index = 40;
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_FORMAT, "node 40");
    node[1].source_index = 1;
    instance[n + 1].skin = 0;
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, "instance");
    instance[n + 1].skin = -1;
    scene->added_count = n + 3;
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, "instance");
    er_scene_destroy(scene);
}

// Nodes out of order, one of them outside the scene, a camera, extras, a clip; and nothing that is drawn.
static const char bare[] = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[3]}],\"nodes\":["
                           "{\"name\":\"hand\",\"translation\":[0,1,0],\"extras\":{\"grip\":7}},"
                           "{\"name\":\"elbow\",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1],\"children\":[0]},"
                           "{\"name\":\"spare\",\"camera\":0},"
                           "{\"name\":\"shoulder\",\"scale\":[1,1,1],\"children\":[1]}],"
                           "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":0.1}}],"
                           "\"skins\":[{\"name\":\"arm\",\"joints\":[3,1,0]}]}   "; // padded to a multiple of 4

static void a_skeleton_without_a_mesh_keeps_its_nodes(void **state)
{
    place *p = *state;
    er_scene *scene = NULL, *bones = NULL, *again = NULL;
    er_rig *rig = NULL;
    const uint32_t size = sizeof bare / 4 * 4, head[5] = {0x46546C67, 2, 20 + size, size, 0x4E4F534A};
    FILE *file = fopen(p->beside, "wb");
    assert_int_equal(fwrite(head, sizeof head, 1, file) + fwrite(bare, size, 1, file) + (size_t)fclose(file), 2);
    assert_int_equal(er_import_file(p->own, p->beside, NULL, &scene), ER_OK);
    if (er_rig_build(p->own, scene, NULL, &rig) != ER_OK) fail_msg("%s", er_context_error(p->own));
    assert_int_equal(er_rig_bone_scene(p->own, rig->model, rig, &bones, NULL), ER_OK);
    er_clip clip = make_clip(p->arena, bones, "mode");
    assert_int_equal(er_gltf_write(p->own, bones, 1, &clip, NULL, p->out), ER_OK);
    json_t *before = json_of_glb(p->beside), *after = json_of_glb(p->out);
    assert_int_equal(json_array_size(json_object_get(after, "nodes")), 4);
    for (int i = 0; i < 4; ++i) {
        json_t *node = member(after, "nodes", i);
        bool body = i == 1 || i == 3; // the hand has no length, so it is one with the elbow
        assert_int_equal(json_object_get(node, "mesh") != NULL, body);
        json_object_del(node, "mesh");
        if (i == 1) { // which the clip moves
            assert_null(json_object_get(node, "matrix"));
            for (size_t k = 0; k < 3; ++k)
                assert_true(json_number_value(json_array_get(json_object_get(node, "translation"), k)) == (k == 1));
            continue;
        }
        assert_true(json_equal(node, member(before, "nodes", i)));
    }
    static const char *const kept[] = {"scene", "scenes", "skins", "cameras"};
    for (size_t i = 0; i < ERI_COUNT(kept); ++i)
        assert_true(json_equal(json_object_get(before, kept[i]), json_object_get(after, kept[i])));
    json_decref(before);
    json_decref(after);
    assert_int_equal(er_import_file(p->own, p->out, NULL, &again), ER_OK);
    assert_int_equal(again->instance_count, rig->model->body_count);
    assert_int_equal(again->clip_count, 1);
    er_scene_destroy(again);
    er_scene_destroy(bones);
    er_rig_destroy(rig);
    er_scene_destroy(scene);
}

static void places_that_cannot_be_written_are_told(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    assert_int_equal(mkdir(p->out, 0777), 0);
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_FILE, p->out);
    assert_int_equal(rmdir(p->out), 0);
    assert_int_equal(symlink("/dev/full", p->out), 0);
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_FILE, p->out);
}

static void a_source_may_be_written_over(void **state)
{
    place *p = *state;
    er_scene *scene = strip_from_file(p);
    er_clip clip = make_clip(p->arena, scene, "mode");
    assert_int_equal(er_gltf_write(p->context, scene, 1, &clip, NULL, p->beside), ER_OK);
    assert_int_equal(er_gltf_write(p->context, scene, 1, &clip, NULL, p->beside), ER_OK);
    assert_int_equal(files(p, false), 1);
    er_scene_destroy(scene);
}

int main(void)
{
    json_set_alloc_funcs(spend_json, give_back_json);
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, close_place)
    const struct CMUnitTest tests[] = {
        TEST(the_end_of_memory_is_one_error_and_no_leak),
        TEST(bad_arguments_are_refused),
        TEST(bad_clips_are_refused),
        TEST(names_of_clips_are_made_utf8),
        TEST(numbers_that_are_not_finite_are_never_written),
        TEST(a_scene_made_by_hand_has_no_source),
        TEST(a_source_that_is_gone_is_written_all_the_same),
        TEST(a_node_of_scale_zero_turns_as_the_clip_says),
        TEST(added_instances_hang_on_the_nodes_of_the_source),
        TEST(a_skeleton_without_a_mesh_keeps_its_nodes),
        TEST(places_that_cannot_be_written_are_told),
        TEST(a_source_may_be_written_over),
        TEST(vrm_animation_needs_a_map_and_outlasts_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
