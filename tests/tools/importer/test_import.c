// The importer's scenes: real rigs with the counts that others measured, small models with known contents, and broken
// ones, each of which must end in a sentence.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/sample.h"

#define assert_near(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance)) // cmocka's is for floats

static er_scene *import(const char *path)
{
    er_scene *scene = NULL;
    if (er_import_file(context, path, NULL, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    assert_string_equal(scene->path, path);
    assert_int_equal(er_scene_validate(context, scene), ER_OK);
    return scene;
}

static er_scene *import_text(const char *name, char *text)
{
    er_scene *scene = import(sample_write(name, text, strlen(text)));
    free(text);
    return scene;
}

static char *strip_text(void)
{
    uint8_t buffer[SAMPLE_SIZE];
    sample_buffer(buffer);
    return sample_gltf(buffer);
}

static int node_named(const er_scene *scene, const char *name)
{
    for (int i = 0; i < scene->node_count; ++i)
        if (strcmp(scene->node[i].name, name) == 0) return i;
    fail_msg("no node \"%s\"", name);
    return -1;
}

static bool noted(const er_scene *scene, er_note_kind kind, const char *words)
{
    for (int i = 0; i < scene->note_count; ++i)
        if (scene->note[i].kind == kind && strstr(scene->note[i].text, words) != NULL) return true;
    return false;
}

// Skinned vertices at a time of a clip.
static void skin_at(const er_scene *scene, int instance, int clip, double time, double *out)
{
    er_affine *local = calloc((size_t)scene->node_count, sizeof *local),
              *world = calloc((size_t)scene->node_count, sizeof *world);
    er_scene_sample(scene, clip >= 0 ? &scene->clip[clip] : NULL, time, local);
    er_scene_world(scene, local, world);
    er_scene_skin(scene, instance, world, out);
    free(local);
    free(world);
}

// ---- real rigs ----

// Nodes, joints, meshes and clips as Assimp 5.2.5 counts them (README.md beside the rigs), but without the root that it
// adds to Fox, with FBX helper nodes folded (3 in the sausage), and with BVH's tips as joints' ends instead of joints.
static const struct {
    const char *file;
    int nodes, joints, meshes, skinned, clips, images;
    double metres_per_unit;
} rigs[] = {
    {"CesiumMan.glb", 22, 19, 1, 1, 1, 1, 1},
    {"Fox.glb", 26, 24, 1, 1, 3, 1, 1},
    {"RobotExpressive.glb", 84, 43, 19, 4, 14, 0, 1},
    {"Snake.glb", 23, 15, 7, 7, 4, 0, 1},
    {"Shark.glb", 10, 6, 4, 4, 6, 0, 1},
    {"hand_glove_low_L.gltf", 28, 26, 1, 1, 0, 0, 1},
    {"greenman.glb", 14, 12, 1, 1, 4, 1, 1},
    {"kenney_character.glb", 8, 0, 6, 0, 4, 1, 1},
    {"SimpleSkin.gltf", 3, 2, 1, 1, 1, 0, 1},
    {"double_skeleton.dae", 8, 4, 1, 1, 1, 0, 1},
    {"walk.dae", 34, 22, 6, 6, 1, 0, 1},
    {"quaternius_horse.fbx", 42, 28, 2, 2, 6, 0, 0.01},
    {"maya_sausage.fbx", 6, 3, 1, 1, 3, 0, 0.01},
    {"cmu_jumping_jacks.bvh", 38, 31, 0, 0, 1, 0, 0.01},
    {"makehuman_tpose.bvh", 222, 173, 0, 0, 1, 0, 1},
};

static void real_rigs_have_their_known_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < ERI_COUNT(rigs); ++i) {
        const char *path = sample_rig(rigs[i].file);
        if (path == NULL) skip();
        er_scene *scene = import(path);
        int joints = 0, skinned = 0;
        for (int k = 0; k < scene->node_count; ++k)
            joints += (scene->node[k].flags & ER_NODE_JOINT) != 0;
        for (int k = 0; k < scene->instance_count; ++k)
            skinned += scene->instance[k].skin >= 0;
        const int got[] = {scene->node_count, joints, scene->mesh_count, skinned, scene->clip_count,
                           scene->image_count},
                  want[] = {rigs[i].nodes,   rigs[i].joints, rigs[i].meshes,
                            rigs[i].skinned, rigs[i].clips,  rigs[i].images};
        for (size_t k = 0; k < ERI_COUNT(got); ++k)
            if (got[k] != want[k]) fail_msg("%s: count %zu is %d, not %d", rigs[i].file, k, got[k], want[k]);
        assert_near(scene->metres_per_unit, rigs[i].metres_per_unit, 1e-15);
        assert_near(scene->up.y, 1, 0);
        er_scene_destroy(scene);
    }
}

static void a_rig_in_bind_pose_is_skinned_onto_its_own_vertices(void **state)
{
    (void)state;
    const char *path = sample_rig("hand_glove_low_L.gltf"); // its rest pose is its bind pose
    if (path == NULL) skip();
    er_scene *scene = import(path);
    const er_mesh *mesh = &scene->mesh[0];
    double *p = calloc(3 * (size_t)mesh->vertex_count, sizeof *p);
    skin_at(scene, 0, -1, 0, p);
    for (int i = 0; i < 3 * mesh->vertex_count; ++i)
        assert_near(p[i], (double)mesh->position[i], 1e-6); // measured 2e-7 on a hand of 0.2 m
    free(p);
    er_scene_destroy(scene);
}

// ---- small models ----

static void the_strip_is_read_as_it_was_made(void **state)
{
    (void)state;
    er_scene *scene = import_text("strip.gltf", strip_text());
    assert_int_equal(scene->format, ER_FORMAT_GLTF);
    assert_string_equal(scene->format_name, "glTF 2.0");
    // The scene lists the mesh's node first; children follow their parents.
    static const char *const names[] = {"strip", "lower", "upper"};
    static const int sources[] = {2, 1, 0}, parents[] = {-1, -1, 1};
    assert_int_equal(scene->node_count, 3);
    for (int i = 0; i < 3; ++i) {
        assert_string_equal(scene->node[i].name, names[i]);
        assert_int_equal(scene->node[i].source_index, sources[i]);
        assert_int_equal(scene->node[i].parent, parents[i]);
        assert_int_equal(scene->node[i].flags, i == 0 ? 0 : ER_NODE_JOINT);
    }
    const er_mesh *mesh = &scene->mesh[0];
    static const int start[] = {0, 1, 3, 4, 6}, joint[] = {0, 0, 1, 1, 0, 1}, index[] = {0, 1, 2, 2, 1, 3};
    static const float weight[] = {1, 0.25f, 0.75f, 1, 0.5f, 0.5f};
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->triangle_count, 2);
    assert_memory_equal(mesh->influence_start, start, sizeof start);
    assert_memory_equal(mesh->influence_joint, joint, sizeof joint);
    assert_memory_equal(mesh->influence_weight, weight, sizeof weight);
    assert_memory_equal(mesh->index, index, sizeof index);
    // Half a second in, the upper bone lies along -x from (0, 1): vertex 2 at (0, 2) came to (-1, 1).
    double p[12];
    skin_at(scene, 0, 0, 0.5, p);
    assert_near(p[6], -1, 1e-7);
    assert_near(p[7], 1, 1e-7);
    assert_near(scene->clip[0].duration, 1, 0);
    er_scene_destroy(scene);
}

// Triangles are equal when one's corners are the other's, turned round.
static bool same_triangle(const int *a, const int *b)
{
    for (int turn = 0; turn < 3; ++turn)
        if (a[0] == b[turn] && a[1] == b[(turn + 1) % 3] && a[2] == b[(turn + 2) % 3]) return true;
    return false;
}

static void assert_same_strip(const er_scene *a, const er_scene *b)
{
    double p[12], q[12];
    for (double t = 0.0; t <= 1.0; t += 0.125) {
        skin_at(a, 0, 0, t, p);
        skin_at(b, 0, 0, t, q);
        for (int i = 0; i < 12; ++i)
            assert_near(p[i], q[i], 1e-6);
    }
    assert_int_equal(a->mesh[0].triangle_count, b->mesh[0].triangle_count);
    for (int i = 0; i < a->mesh[0].triangle_count; ++i)
        assert_true(same_triangle(a->mesh[0].index + 3 * i, b->mesh[0].index + 3 * i));
}

// The same strip said in other words of glTF.
static void one_model_has_many_spellings(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE], bytes_weights[SAMPLE_SIZE];
    sample_buffer(buffer);
    memcpy(bytes_weights, buffer, sizeof buffer);
    static const uint8_t eights[16] = {255, 0, 0, 0, 60, 180, 0, 0, 255, 0, 0, 0, 120, 120, 0, 0}; // scaled on reading
    memcpy(bytes_weights + SAMPLE_WEIGHT, eights, sizeof eights);
    static const struct {
        const char *what, *find, *by;
    } spellings[] = {
        {"node matrix", "\"translation\":[0,1,0]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1]"},
        {"numbers with a point", "\"indices\":3", "\"indices\":3.0"},
        {"triangle strip", "\"indices\":3", "\"mode\":5"},
        {"strides", "{\"buffer\":0,\"byteLength\":344}],",
         "{\"buffer\":0,\"byteLength\":344,\"byteStride\":12},"
         "{\"buffer\":0,\"byteLength\":344}],"},
        {"an extension that only looks", "\"scene\":0", "\"extensionsRequired\":[\"KHR_materials_unlit\"],\"scene\":0"},
        {"no scene at all", "\"scene\":0,\"scenes\":[{\"nodes\":[2,1]}],", ""},
    };
    er_scene *plain = import_text("plain.gltf", sample_gltf(buffer));
    for (size_t i = 0; i < ERI_COUNT(spellings); ++i) {
        char *text = sample_replace(sample_gltf(buffer), spellings[i].find, spellings[i].by);
        if (strcmp(spellings[i].what, "strides") == 0) // all but the positions go to the view without a stride
            for (int k = 0; k < 6; ++k)
                text = sample_replace(text, "\"bufferView\":0,\"byteOffset\"", "\"bufferView\":1,\"byteOffset\"");
        er_scene *other = import_text("other.gltf", text);
        assert_same_strip(plain, other);
        er_scene_destroy(other);
    }
    char *text = sample_replace(sample_gltf(bytes_weights), "\"byteOffset\":64,\"componentType\":5126",
                                "\"byteOffset\":64,\"normalized\":true,\"componentType\":5121");
    er_scene *other = import_text("bytes.gltf", text);
    assert_same_strip(plain, other);
    assert_true(noted(other, ER_NOTE_FACT, "2 vertices had weights that did not sum to 1"));
    er_scene_destroy(other);
    size_t size;
    uint8_t *glb = sample_glb(buffer, &size);
    other = import(sample_write("strip.glb", glb, size));
    free(glb);
    assert_same_strip(plain, other);
    assert_string_equal(other->format_name, "glTF 2.0 binary");
    er_scene_destroy(other);
    sample_write("a buffer.bin", buffer, sizeof buffer);
    text = sample_gltf(buffer);
    char *uri = strstr(text, "\"uri\":\""), *end = strstr(uri + 7, "\"");
    memmove(uri + 7, end, strlen(end) + 1);
    other = import_text("beside.gltf", sample_replace(text, "\"uri\":\"", "\"uri\":\"a%20buffer.bin"));
    assert_same_strip(plain, other);
    er_scene_destroy(other);
    er_scene_destroy(plain);
}

static void sparse_accessors_replace_elements(void **state)
{
    (void)state;
    // Vertex 3 (index 3 lies as a short at 138) is put where the two loose floats and the zero after them say.
    uint8_t buffer[SAMPLE_SIZE];
    sample_buffer(buffer);
    const float to[2] = {7, 8};
    memcpy(buffer + 332, to, sizeof to);
    char *text = sample_replace(sample_gltf(buffer), "\"count\":4,\"type\":\"VEC3\"",
                                "\"count\":4,\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":138,"
                                "\"componentType\":5123},\"values\":{\"bufferView\":0,\"byteOffset\":332}},"
                                "\"type\":\"VEC3\"");
    er_scene *scene = import_text("sparse.gltf", text);
    assert_near((double)scene->mesh[0].position[9], 7, 0);
    assert_near((double)scene->mesh[0].position[10], 8, 0);
    assert_near((double)scene->mesh[0].position[7], 2, 0);
    er_scene_destroy(scene);
}

static void missing_inverse_bind_matrices_are_identities(void **state)
{
    (void)state;
    er_scene *scene = import_text("no_bind.gltf", sample_replace(strip_text(), ",\"inverseBindMatrices\":4", ""));
    er_affine identity = er_affine_identity();
    for (int k = 0; k < 2; ++k)
        assert_memory_equal(&scene->skin[0].inverse_bind[k], &identity, sizeof identity);
    er_scene_destroy(scene);
}

static void a_skin_that_no_mesh_uses_is_kept(void **state)
{
    (void)state;
    er_scene *scene = import_text("unused.gltf", sample_replace(strip_text(), ",\"skin\":0", ""));
    assert_int_equal(scene->skin_count, 1);
    assert_int_equal(scene->skin[0].joint_count, 2);
    assert_int_equal(scene->instance[0].skin, -1);
    assert_int_equal(scene->node[node_named(scene, "upper")].flags, ER_NODE_JOINT);
    er_scene_destroy(scene);
}

static void one_mesh_may_wear_several_skins(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "{\"name\":\"strip\",\"mesh\":0,\"skin\":0}]",
                                "{\"name\":\"strip\",\"mesh\":0,\"skin\":0},{\"mesh\":0,\"skin\":1},"
                                "{\"name\":\"far\",\"translation\":[5,0,0]}]");
    text = sample_replace(text, "\"nodes\":[2,1]", "\"nodes\":[2,1,3,4]");
    text = sample_replace(text, "\"skins\":[", "\"skins\":[{\"joints\":[4,4]},");
    text = sample_replace(text, "\"skin\":0", "\"skin\":2");
    text = sample_replace(text, "\"skin\":1", "\"skin\":0");
    text = sample_replace(text, "\"skin\":2", "\"skin\":1");
    er_scene *scene = import_text("shared.gltf", text);
    double p[12], q[12];
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->instance_count, 2);
    skin_at(scene, 0, -1, 0, p);
    skin_at(scene, 1, -1, 0, q);
    for (int i = 0; i < 12; ++i)
        assert_near(q[i] - p[i], i % 3 == 0 ? 5 : 0, 1e-15);
    er_scene_destroy(scene);
}

static void a_second_set_of_influences_counts(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "\"WEIGHTS_0\":2", "\"WEIGHTS_0\":2,\"JOINTS_1\":1,\"WEIGHTS_1\":2");
    er_scene *scene = import_text("eight.gltf", text);
    assert_int_equal(scene->mesh[0].influence_start[4], 12);
    assert_near((double)scene->mesh[0].influence_weight[0], 0.5, 0);
    er_scene_destroy(scene);
}

// A rest scale that a matrix cannot tell apart is kept by keys of its own, whatever the clip moves.
static void mirrored_nodes_keep_their_scale_in_clips(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "\"translation\":[0,1,0]", "\"translation\":[0,1,0],\"scale\":[1,-2,0]");
    er_scene *scene = import_text("mirror.gltf", text);
    er_affine local[3];
    int upper = node_named(scene, "upper");
    er_scene_sample(scene, &scene->clip[0], 0.5, local);
    er_affine want = er_affine_from_trs(er_v3(0, 1, 0), er_q(sqrt(0.5), 0, 0, sqrt(0.5)), er_v3(1, -2, 0));
    for (int i = 0; i < 3; ++i)
        assert_true(er_v3_distance(er_m3_column(local[upper].linear, i), er_m3_column(want.linear, i)) < 1e-6);
    er_scene_destroy(scene);
}

static void keys_out_of_order_are_dropped_with_a_word(void **state)
{
    (void)state;
    static const struct {
        float time[3];
        int kept;
        const char *words;
    } cases[] = {{{0, NAN, 1}, 2, "1 animation keys"},
                 {{0, 1, 1}, 2, "1 animation keys"},
                 {{2, 1, 0.5f}, 1, "2 animation keys"},
                 {{0, 0.5f, HUGE_VALF}, 2, "1 animation keys"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        uint8_t buffer[SAMPLE_SIZE];
        sample_buffer(buffer);
        memcpy(buffer + SAMPLE_TIME, cases[i].time, sizeof cases[i].time);
        er_scene *scene = import_text("times.gltf", sample_gltf(buffer));
        assert_int_equal(scene->clip[0].channel[0].key_count, cases[i].kept);
        assert_true(noted(scene, ER_NOTE_WARNING, cases[i].words));
        er_scene_destroy(scene);
    }
}

static void a_clip_that_starts_before_zero_is_moved(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    const float time[3] = {-0.5f, 0, 1};
    sample_buffer(buffer);
    memcpy(buffer + SAMPLE_TIME, time, sizeof time);
    er_scene *scene = import_text("before.gltf", sample_gltf(buffer));
    const er_channel *channel = &scene->clip[0].channel[0];
    static const double moved[] = {0, 0.5, 1.5};
    assert_memory_equal(channel->time, moved, sizeof moved);
    assert_near(scene->clip[0].duration, 1.5, 0);
    assert_true(noted(scene, ER_NOTE_FACT, "\"bend\" starts at -0.5 s"));
    er_scene_destroy(scene);
}

// In, value and out tangent of a key, three to a time; here the rotations of the strip stand for one key's.
static void splines_keep_their_tangents(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "\"output\":6", "\"output\":6,\"interpolation\":\"CUBICSPLINE\"");
    text = sample_replace(text, "\"byteOffset\":272,\"componentType\":5126,\"count\":3",
                          "\"byteOffset\":272,\"componentType\":5126,\"count\":1");
    er_scene *scene = import_text("spline.gltf", text);
    const er_channel *channel = &scene->clip[0].channel[0];
    const double half = (double)(float)sqrt(0.5), want[12] = {0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1};
    assert_int_equal(channel->interpolation, ER_CUBIC);
    assert_int_equal(channel->key_count, 1);
    assert_memory_equal(channel->value, want, sizeof want);
    er_scene_destroy(scene);
}

// Leaves named *_end below a joint that draw and deform nothing are tips; Blender adds them.
static void tips_of_bones_are_flagged(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "\"name\":\"upper\"", "\"name\":\"upper\",\"children\":[3,4,5]");
    text =
        sample_replace(text, "{\"name\":\"strip\",\"mesh\":0,\"skin\":0}]",
                       "{\"name\":\"strip\",\"mesh\":0,\"skin\":0},{\"name\":\"hand_END\"},"
                       "{\"name\":\"arm_end\",\"children\":[6]},{\"name\":\"cap_end\",\"mesh\":0},{\"name\":\"x_end\"},"
                       "{\"name\":\"y_end\"}]");
    text = sample_replace(text, "\"nodes\":[2,1]", "\"nodes\":[2,1,7]");
    er_scene *scene = import_text("ends.gltf", text);
    static const struct {
        const char *name;
        unsigned flags;
    } want[] = {{"hand_END", ER_NODE_END_SITE}, {"arm_end", 0}, {"cap_end", 0}, {"x_end", 0}, {"y_end", 0}};
    for (size_t i = 0; i < ERI_COUNT(want); ++i)
        assert_int_equal(scene->node[node_named(scene, want[i].name)].flags, want[i].flags);
    assert_true(noted(scene, ER_NOTE_FACT, "1 leaf nodes named *_end"));
    er_scene_destroy(scene);
}

static void constant_keys_are_steps(void **state)
{
    (void)state;
    er_scene *scene = import_text(
        "steps.gltf", sample_replace(strip_text(), "\"output\":6", "\"output\":6,\"interpolation\":\"STEP\""));
    assert_int_equal(scene->clip[0].channel[0].interpolation, ER_STEP);
    er_scene_destroy(scene);
}

static void channels_without_a_node_or_keys_are_left_out(void **state)
{
    (void)state;
    er_scene *scene = import_text("nodeless.gltf", sample_replace(strip_text(), "\"node\":0,\"path\"", "\"path\""));
    assert_int_equal(scene->clip[0].channel_count, 0);
    assert_true(noted(scene, ER_NOTE_WARNING, "1 animation channels move no node"));
    er_scene_destroy(scene);
    char *text = sample_replace(strip_text(), "\"byteOffset\":272,\"componentType\":5126,\"count\":3",
                                "\"byteOffset\":272,\"componentType\":5126,\"count\":0");
    scene = import_text("keyless.gltf", text);
    assert_int_equal(scene->clip[0].channel_count, 0);
    er_scene_destroy(scene);
}

static void rotations_are_made_unit_with_a_word(void **state)
{
    (void)state;
    static const char *const lengths[] = {"[0,0,0.6,0.8]", "[0,0,0.6006,0.8]", "[0,0,3,4]"};
    for (size_t i = 0; i < ERI_COUNT(lengths); ++i) {
        char by[60];
        snprintf(by, sizeof by, "\"rotation\":%s", lengths[i]);
        er_scene *scene = import_text("unit.gltf", sample_replace(strip_text(), "\"translation\":[0,1,0]", by));
        er_mat3 m = scene->node[node_named(scene, "upper")].local.linear;
        assert_near(m.m[0][0], 0.28, i == 1 ? 1e-3 : 1e-12);
        assert_near(m.m[1][0], 0.96, i == 1 ? 1e-3 : 1e-12);
        assert_int_equal(noted(scene, ER_NOTE_WARNING, "the rotation of nodes[0] has length 5"), i == 2);
        assert_int_equal(noted(scene, ER_NOTE_WARNING, "made unit"), i == 2);
        er_scene_destroy(scene);
    }
}

static void bind_matrices_are_read_by_columns(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    static const float bind[16] = {1, 2, 3, 0, 4, -5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1};
    static const double want[3][3] = {{1, 4, 7}, {2, -5, 8}, {3, 6, 9}};
    sample_buffer(buffer);
    memcpy(buffer + 144 + sizeof bind, bind, sizeof bind);
    er_scene *scene = import_text("bind.gltf", sample_gltf(buffer));
    assert_memory_equal(scene->skin[0].inverse_bind[1].linear.m, want, sizeof want);
    assert_true(er_v3_distance(scene->skin[0].inverse_bind[1].translation, er_v3(10, 11, 12)) == 0.0);
    er_scene_destroy(scene);
}

// Weights of morph targets hold at rest: the node's before the mesh's, which hold where several nodes draw it.
static void morph_targets_hold_at_rest(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    sample_buffer(buffer);
    static const struct {
        const char *file, *mesh, *node;
        float grown; // times
    } cases[] = {{"morph.gltf", "", "", 1},
                 {"morph.gltf", "\"weights\":[1],", "", 2},
                 {"morph.gltf", "\"weights\":[1],", "\"weights\":[0.5],", 1.5f},
                 {"morph.gltf", "", "\"weights\":[-0.5],", 0.5f},
                 {"morph.vrm", "\"weights\":[1],", "", 2},
                 {"morph.vrm", "\"weights\":[1],", "\"weights\":[0.5],", 1.5f}};
    er_scene *plain = import_text("plain.gltf", sample_gltf(buffer));
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char by[200];
        snprintf(by, sizeof by, "%s\"primitives\":[{\"targets\":[{\"POSITION\":0}],", cases[i].mesh);
        char *text = sample_replace(sample_gltf(buffer), "\"primitives\":[{", by);
        snprintf(by, sizeof by, "%s\"mesh\":0", cases[i].node);
        er_scene *scene = import_text(cases[i].file, sample_replace(text, "\"mesh\":0", by));
        for (int k = 0; k < 3 * plain->mesh[0].vertex_count; ++k)
            assert_true(fabsf(scene->mesh[0].position[k] - cases[i].grown * plain->mesh[0].position[k]) < 1e-6f);
        er_scene_destroy(scene);
    }
    er_scene_destroy(plain);
}

// Nodes below the scene's own are drawn too; a skin without weights leaves its mesh rigid, with a note.
static void children_of_the_scene_are_drawn(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "\"children\":[0]", "\"children\":[0,2]");
    text = sample_replace(text, "\"nodes\":[2,1]", "\"nodes\":[1]");
    text = sample_replace(text, ",\"JOINTS_0\":1,\"WEIGHTS_0\":2", "");
    er_scene *scene = import_text("below.gltf", text);
    assert_int_equal(scene->instance_count, 1);
    assert_int_equal(scene->instance[0].node, node_named(scene, "strip"));
    assert_false(noted(scene, ER_NOTE_FACT, "outside the default scene"));
    assert_true(noted(scene, ER_NOTE_WARNING, "1 meshes have a skin but no weights"));
    er_scene_destroy(scene);
}

// The texture of the base colour says which coordinates are its own.
static void a_material_picks_its_texture_coordinates(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), ",\"JOINTS_0\":1,\"WEIGHTS_0\":2", ",\"TEXCOORD_0\":7,\"TEXCOORD_1\":8");
    text = sample_replace(text, "\"indices\":3}", "\"indices\":3,\"material\":0}");
    text =
        sample_replace(text, "\"meshes\":",
                       "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,\"texCoord\":1}}}],"
                       "\"textures\":[{}],\"meshes\":");
    text = sample_replace(text, "],\"bufferViews\"",
                          ",{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"},"
                          "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"}],"
                          "\"bufferViews\"");
    er_scene *scene = import_text("sets.gltf", text);
    assert_true(scene->mesh[0].uv[0] == 1.0f && scene->mesh[0].uv[1] == 0.0f); // the second position's x and y
    assert_true(noted(scene, ER_NOTE_WARNING, "textures[0] has a picture neither in PNG nor in JPEG"));
    er_scene_destroy(scene);
}

// A matrix is stored by columns, and may shear and mirror.
static void a_matrix_is_read_by_columns(void **state)
{
    (void)state;
    char *text =
        sample_replace(strip_text(), "\"translation\":[0,1,0]", "\"matrix\":[1,2,3,0,4,-5,6,0,7,8,9,0,10,11,12,1]");
    er_scene *scene = import_text("matrix.gltf", text);
    const er_affine got = scene->node[node_named(scene, "upper")].local;
    static const double want[3][4] = {{1, 4, 7, 10}, {2, -5, 8, 11}, {3, 6, 9, 12}};
    const double shift[3] = {got.translation.x, got.translation.y, got.translation.z};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 4; ++k)
            assert_near(k < 3 ? got.linear.m[i][k] : shift[i], want[i][k], 0);
    er_scene_destroy(scene);
}

// Corners 0 1 2 2 1 3 as a fan and as a strip.
static void fans_and_strips_are_taken_apart(void **state)
{
    (void)state;
    static const int fan[] = {1, 2, 0, 2, 2, 0, 2, 1, 0, 1, 3, 0}, strip[] = {0, 1, 2, 1, 2, 2, 2, 2, 1, 2, 3, 1};
    for (int mode = 5; mode <= 6; ++mode) {
        char by[40];
        snprintf(by, sizeof by, "\"mode\":%d,\"indices\":3", mode);
        er_scene *scene = import_text("fan.gltf", sample_replace(strip_text(), "\"indices\":3", by));
        assert_int_equal(scene->mesh[0].triangle_count, 4);
        for (int i = 0; i < 4; ++i)
            assert_true(same_triangle(scene->mesh[0].index + 3 * i, (mode == 5 ? strip : fan) + 3 * i));
        er_scene_destroy(scene);
    }
}

// Integers that stand for fractions (glTF 2.0, 3.11); the least number of a signed type is -1 as its neighbour is.
static void normalised_integers_are_fractions(void **state)
{
    (void)state;
    static const struct {
        int type;
        uint8_t bytes[8]; // four numbers of the type, little-endian, or two
        float want[2];
    } cases[] = {{5121, {0, 255}, {0, 1}},
                 {5120, {0x80, 127}, {-1, 1}},
                 {5120, {0x81, 64}, {-1, 64.0f / 127.0f}},
                 {5122, {0x00, 0x80, 0xFF, 0x7F}, {-1, 1}},
                 {5122, {0x01, 0x80, 0x00, 0x40}, {-1, 16384.0f / 32767.0f}},
                 {5123, {0xFF, 0xFF, 0x00, 0x80}, {1, 32768.0f / 65535.0f}}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        uint8_t buffer[SAMPLE_SIZE];
        char by[200];
        sample_buffer(buffer);
        memcpy(buffer + SAMPLE_WEIGHT, cases[i].bytes, sizeof cases[i].bytes);
        snprintf(by, sizeof by,
                 "{\"bufferView\":0,\"byteOffset\":64,\"componentType\":%d,\"normalized\":true,\"count\":4,"
                 "\"type\":\"VEC2\"}],\"bufferViews\"",
                 cases[i].type);
        char *text = sample_replace(sample_gltf(buffer), "],\"bufferViews\"", by);
        text = sample_replace(text, "\"count\":3,\"type\":\"VEC4\"}{", "\"count\":3,\"type\":\"VEC4\"},{");
        text = sample_replace(text, ",\"JOINTS_0\":1,\"WEIGHTS_0\":2", ",\"TEXCOORD_0\":7");
        er_scene *scene = import_text("fractions.gltf", text);
        for (int k = 0; k < 2; ++k)
            assert_near((double)scene->mesh[0].uv[k], (double)cases[i].want[k], 1e-7);
        er_scene_destroy(scene);
    }
}

// A whole PNG's first bytes are all that is looked at; as base64 in both alphabets.
static const char picture[] = "data:image/png;base64,iVBORw0KGgr+/w==", safe[] = "data:image/png;base64,iVBORw0KGgr-_w";

static void materials_and_pictures_are_read(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "\"indices\":3}", "\"indices\":3,\"material\":0}"), *images = NULL;
    size_t size;
    FILE *stream = open_memstream(&images, &size);
    fprintf(stream,
            "\"materials\":[{\"name\":\"full\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.1,0.2,0.3,0.4],"
            "\"metallicFactor\":0.25,\"roughnessFactor\":0.75,\"baseColorTexture\":{\"index\":1}},"
            "\"normalTexture\":{\"index\":2},\"emissiveTexture\":{\"index\":18},\"emissiveFactor\":[0.5,0.25,2],"
            "\"alphaMode\":\"MASK\",\"alphaCutoff\":0.125,\"doubleSided\":true},"
            "{},{\"alphaMode\":\"BLEND\",\"extensions\":{\"KHR_materials_pbrSpecularGlossiness\":{"
            "\"diffuseFactor\":[0.5,0.25,0.125,1],\"glossinessFactor\":0.75,\"diffuseTexture\":{\"index\":1}}}}");
    for (int i = 3; i < 18; ++i) // more pictures than the first room has
        fprintf(stream, ",{\"emissiveTexture\":{\"index\":%d}}", i);
    fputs("],\"textures\":[{}", stream);
    for (int i = 0; i < 18; ++i)
        fprintf(stream, ",{\"source\":%d}", i);
    fputs("],\"images\":[", stream);
    for (int i = 0; i < 18; ++i)
        fprintf(stream, "%s{\"name\":\"p%d\",\"uri\":\"%s\"}", i > 0 ? "," : "", i, i % 2 == 0 ? picture : safe);
    fputs("],\"meshes\":", stream);
    fclose(stream);
    er_scene *scene = import_text("materials.gltf", sample_replace(text, "\"meshes\":", images));
    free(images);
    assert_int_equal(scene->material_count, 18);
    assert_int_equal(scene->mesh[0].material, 0);
    const er_material *full = &scene->material[0], *bare = &scene->material[1], *old = &scene->material[2];
    static const float base[] = {0.1f, 0.2f, 0.3f, 0.4f}, glow[] = {0.5f, 0.25f, 1}, ones[] = {1, 1, 1, 1},
                       diffuse[] = {0.5f, 0.25f, 0.125f, 1};
    assert_memory_equal(full->base_color, base, sizeof base);
    assert_memory_equal(full->emissive, glow, sizeof glow);
    assert_true(full->metallic == 0.25f && full->roughness == 0.75f && full->alpha_cutoff == 0.125f);
    assert_int_equal(full->alpha_mode, ER_ALPHA_MASK);
    assert_true(full->double_sided && !bare->double_sided);
    assert_memory_equal(bare->base_color, ones, sizeof ones);
    assert_true(bare->metallic == 1.0f && bare->roughness == 1.0f && bare->alpha_cutoff == 0.5f);
    assert_int_equal(bare->alpha_mode, ER_ALPHA_OPAQUE);
    assert_memory_equal(old->base_color, diffuse, sizeof diffuse);
    assert_true(old->metallic == 0.0f && old->roughness == 0.25f);
    assert_int_equal(old->alpha_mode, ER_ALPHA_BLEND);
    assert_int_equal(scene->image_count, 18);
    assert_int_equal(old->base_color_image, full->base_color_image);
    assert_string_equal(scene->image[full->base_color_image].name, "p0");
    assert_string_equal(scene->image[full->normal_image].name, "p1");
    assert_string_equal(scene->image[full->emissive_image].name, "p17");
    assert_int_equal(bare->base_color_image, -1);
    for (int i = 3; i < 18; ++i) {
        char name[8];
        snprintf(name, sizeof name, "p%d", i - 1);
        assert_string_equal(scene->image[scene->material[i].emissive_image].name, name);
    }
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0x0A ^ 0x0A ^ 0xFE, 0xFF};
    for (int i = 0; i < 18; ++i) {
        assert_string_equal(scene->image[i].mime, "image/png");
        assert_int_equal(scene->image[i].size, sizeof png);
        assert_memory_equal(scene->image[i].bytes, png, sizeof png);
    }
    er_scene_destroy(scene);
}

static void cameras_and_lights_are_flagged(void **state)
{
    (void)state;
    char *text = sample_replace(strip_text(), "{\"name\":\"strip\"",
                                "{\"camera\":0,\"extensions\":"
                                "{\"KHR_lights_punctual\":{\"light\":0}},\"name\":\"strip\"");
    er_scene *scene = import_text("lights.gltf", text);
    assert_int_equal(scene->node[0].flags, ER_NODE_CAMERA | ER_NODE_LIGHT);
    er_scene_destroy(scene);
}

// Roles and the front of a map, which names one node that there is, one that there is not, and no node at all.
static void humanoid_maps_of_vrm_give_roles(void **state)
{
    (void)state;
    static const struct {
        const char *file, *map;
        double forward;
    } known[] = {{"old.gltf",
                  "\"VRM\":{\"humanoid\":{\"humanBones\":[{\"bone\":\"leftFoot\",\"node\":0},"
                  "{\"bone\":\"head\",\"node\":9},{\"bone\":\"neck\"},7]}}",
                  -1.0},
                 {"new.gltf",
                  "\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{\"leftFoot\":{\"node\":0},\"head\":{\"node\":-1},"
                  "\"neck\":{}}}}",
                  1.0}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        char extension[400];
        snprintf(extension, sizeof extension, "{\"extensions\":{%s},\"asset\"", known[i].map);
        er_scene *scene = import_text(known[i].file, sample_replace(strip_text(), "{\"asset\"", extension));
        for (int k = 0; k < scene->node_count; ++k)
            assert_string_equal(scene->node[k].role, scene->node[k].source_index == 0 ? "leftFoot" : "");
        assert_true(er_v3_distance(scene->forward, er_v3(0, 0, known[i].forward)) == 0.0);
        er_scene_destroy(scene);
    }
    er_scene *plain = import_text("plain.gltf", strip_text());
    assert_true(er_v3_norm(plain->forward) == 0.0);
    er_scene_destroy(plain);
}

static void nodes_outside_the_scene_draw_nothing_but_are_there(void **state)
{
    (void)state;
    er_scene *scene = import_text("outside.gltf", sample_replace(strip_text(), "\"nodes\":[2,1]", "\"nodes\":[1]"));
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->instance_count, 0);
    assert_true(noted(scene, ER_NOTE_FACT, "outside the default scene"));
    er_scene_destroy(scene);
}

// The poses of the BVH sample by hand: rotations in the order of their channels, positions in place of offsets.
static void bvh_is_read_by_its_own_grammar(void **state)
{
    (void)state;
    er_scene *scene = import(sample_write("stick.bvh", sample_bvh, strlen(sample_bvh)));
    static const char *const names[] = {"hip", "left knee", "foot", "EndSite_foot"};
    static const uint8_t knee[] = {ER_BVH_Y_ROTATION, ER_BVH_X_ROTATION, ER_BVH_Z_ROTATION};
    assert_int_equal(scene->format, ER_FORMAT_BVH);
    assert_int_equal(scene->node_count, 4);
    for (int i = 0; i < 4; ++i) {
        assert_string_equal(scene->node[i].name, names[i]);
        assert_int_equal(scene->node[i].parent, i - 1);
        assert_int_equal(scene->node[i].flags, i < 3 ? ER_NODE_JOINT : ER_NODE_END_SITE);
    }
    assert_int_equal(scene->node[1].channel_count, 3);
    assert_memory_equal(scene->node[1].channels, knee, sizeof knee);
    assert_near(scene->clip[0].duration, 0.25, 0);
    const double degree = ER_PI / 180;
    er_quat x20 = er_q_exp(er_v3(20 * degree, 0, 0)), y10 = er_q_exp(er_v3(0, 10 * degree, 0)),
            z30 = er_q_exp(er_v3(0, 0, 30 * degree)), y15 = er_q_exp(er_v3(0, 15 * degree, 0)),
            x25 = er_q_exp(er_v3(-25 * degree, 0, 0)), z35 = er_q_exp(er_v3(0, 0, 35 * degree)),
            x90 = er_q_exp(er_v3(-90 * degree, 0, 0));
    const er_vec3 one = er_v3(1, 1, 1);
    const er_affine want[4] = {er_affine_from_trs(er_v3(0.1, 1.2, -0.3), er_q_mul(z30, er_q_mul(x20, y10)), one),
                               er_affine_from_trs(er_v3(0, -0.5, 0), er_q_mul(y15, er_q_mul(x25, z35)), one),
                               er_affine_from_trs(er_v3(0, -0.4, 0.05), x90, one),
                               er_affine_from_trs(er_v3(0, 0, 0.2), er_q_identity(), one)};
    er_affine local[4];
    er_scene_sample(scene, &scene->clip[0], 0.25, local);
    for (int i = 0; i < 4; ++i) {
        assert_true(er_v3_distance(local[i].translation, want[i].translation) < 1e-15);
        for (int k = 0; k < 3; ++k)
            assert_true(er_v3_distance(er_m3_column(local[i].linear, k), er_m3_column(want[i].linear, k)) < 1e-15);
    }
    assert_true(noted(scene, ER_NOTE_WARNING, "--height"));
    er_scene_destroy(scene);
}

static void assert_refused(const char *path, er_result result, const char *words)
{
    er_scene *scene = NULL;
    er_result r = er_import_file(context, path, NULL, &scene);
    const char *error = er_context_error(context);
    assert_null(scene);
    if (r != result || strstr(error, words) == NULL) fail_msg("%s, not %s: %s", er_result_name(r), words, error);
    assert_int_equal(strncmp(error, path, strlen(path)), 0); // PATH: what is wrong; what to do
    assert_true(strpbrk(error, ";:") != NULL && strchr(error, '\n') == NULL);
}

// The sample as a file whose buffer has another URI.   @return  its path, until the next call
static const char *refer_to(const uint8_t buffer[SAMPLE_SIZE], const char *reference)
{
    char uri[600];
    snprintf(uri, sizeof uri, "\"uri\":\"%s", reference);
    char *text = sample_gltf(buffer), *start = strstr(text, "\"uri\":\"") + 7, *end = strchr(start, '"');
    memmove(start, end, strlen(end) + 1);
    text = sample_replace(text, "\"uri\":\"", uri);
    const char *path = sample_write("bare.gltf", text, strlen(text));
    free(text);
    return path;
}

// A file's companions lie beside it however it is named: by itself or by a folder. They are not named by a whole path.
static void companions_are_found_from_wherever_the_model_is_named(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    char here[512], whole[512];
    sample_buffer(buffer);
    snprintf(whole, sizeof whole, "%s", sample_write("strip.bin", buffer, sizeof buffer));
    assert_non_null(getcwd(here, sizeof here));
    er_scene_destroy(import(refer_to(buffer, "strip.bin")));
    assert_int_equal(chdir(sample_folder()), 0);
    er_scene *scene = import("bare.gltf");
    assert_int_equal(chdir(here), 0);
    assert_int_equal(scene->mesh[0].vertex_count, 4);
    er_scene_destroy(scene);
    assert_refused(refer_to(buffer, whole), ER_ERROR_FILE, "no path from the folder");
}

static void a_bvh_without_a_frame_time_gets_one(void **state)
{
    (void)state;
    static const struct {
        const char *time, *words;
        double duration;
    } cases[] = {{"0.25", NULL, 0.25}, {"0", "the frame time is 0 s; 25 frames", 0.04}, {"-1", "is -1 s", 0.04}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char line[40];
        snprintf(line, sizeof line, "Frame Time: %s\n", cases[i].time);
        er_scene *scene = import_text("time.bvh", sample_replace(strdup(sample_bvh), "Frame Time: 0.25\n", line));
        assert_near(scene->clip[0].duration, cases[i].duration, 0);
        assert_int_equal(noted(scene, ER_NOTE_WARNING, "frame time"), cases[i].words != NULL);
        if (cases[i].words != NULL) assert_true(noted(scene, ER_NOTE_WARNING, cases[i].words));
        er_scene_destroy(scene);
    }
}

// Frames beyond those announced are not there; a channel of an unknown kind takes its column; names end in a letter.
static void a_bvh_is_read_to_its_end_and_no_further(void **state)
{
    (void)state;
    static const char head[] = "HIERARCHY\nROOT a b \t\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Wobble\n"
                               "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: %d\nFrame Time: 1\n";
    for (int announced = 3; announced <= 20; announced += 17) {
        char text[600];
        int size = snprintf(text, sizeof text, head, announced);
        for (int f = 0; f < 20; ++f)
            size += snprintf(text + size, sizeof text - (size_t)size, "%d %d %d\n", f % 10, 1, 9);
        er_scene *scene = import(sample_write("dense.bvh", text, (size_t)size));
        const er_channel *channel = &scene->clip[0].channel[0];
        assert_string_equal(scene->node[0].name, "a b");
        assert_int_equal(scene->clip[0].channel_count, 1);
        assert_int_equal(channel->key_count, announced);
        assert_int_equal(scene->node[0].channel_count, 2);
        for (int f = 0; f < announced; ++f)
            assert_true(channel->value[3 * f] == f % 10 && channel->value[3 * f + 1] == 1 &&
                        channel->value[3 * f + 2] == 0);
        assert_true(noted(scene, ER_NOTE_WARNING, "the channel \"Wobble\" of \"a b\""));
        assert_false(noted(scene, ER_NOTE_WARNING, "that are whole"));
        er_scene_destroy(scene);
    }
}

// The largest extent of the rest pose along an axis decides: beyond 20 units they are centimetres.
static void a_bvh_is_measured_for_its_unit(void **state)
{
    (void)state;
    static const struct {
        const char *offset, *words;
        double unit;
    } cases[] = {{"OFFSET 0 0 19.9", "20.3 units across", 0.01}, // and the tip 0.4 beyond
                 {"OFFSET 0 0 19.5", "19.9 units across", 1},
                 {"OFFSET -30 -0.4 0", "30 units across", 0.01},
                 {"OFFSET 0 -25 0", "25.5 units across", 0.01}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char *text = sample_replace(strdup(sample_bvh), "OFFSET 0 -0.4 0", cases[i].offset);
        text = sample_replace(text, "OFFSET 0 0 0.2", "OFFSET 0 0 0.4");
        er_scene *scene = import_text("size.bvh", text);
        assert_near(scene->metres_per_unit, cases[i].unit, 0);
        assert_true(noted(scene, ER_NOTE_WARNING, cases[i].words));
        er_scene_destroy(scene);
    }
}

// ---- broken files ----

static void refuse_text(char *text, er_result result, const char *words)
{
    assert_refused(sample_write("broken.gltf", text, strlen(text)), result, words);
    free(text);
}

static void files_that_cannot_be_read_are_told_apart(void **state)
{
    (void)state;
    char path[600];
    snprintf(path, sizeof path, "%s/nothing.glb", sample_folder());
    assert_refused(path, ER_ERROR_FILE, "no such file");
    assert_refused(sample_folder(), ER_ERROR_FILE, "folder");
    assert_refused("/dev/null", ER_ERROR_FILE, "not a regular file");
    assert_refused(sample_write("empty.glb", "", 0), ER_ERROR_FORMAT, "empty");
    assert_refused(sample_write("letter.txt", "Dear reader", 11), ER_ERROR_FORMAT, "not a model format");
    assert_refused(sample_write("letter", "Dear reader", 11), ER_ERROR_FORMAT, "not a model format");
    assert_refused(sample_write("a.blend", "BLENDER-v304", 12), ER_ERROR_FORMAT, "Blender");
    assert_refused(sample_write("letter.fbx", "Dear reader", 11), ER_ERROR_FORMAT, "cannot be read");
    assert_refused(sample_write("letter.gltf", "Dear reader", 11), ER_ERROR_FORMAT, "JSON");
    assert_refused(sample_write("list.gltf", "[1,2,3]", 7), ER_ERROR_FORMAT, "not glTF");
    assert_refused(sample_write("old.gltf", "{\"asset\":{\"version\":\"1.0\"}}", 27), ER_ERROR_FORMAT, "1.0");
    assert_refused(sample_write("early.gltf", "{\"asset\":{\"version\":0.8}}", 25), ER_ERROR_FORMAT, "0.8");
    er_scene *scene = NULL;
    assert_int_equal(er_import_file(context, NULL, NULL, &scene), ER_ERROR_ARGUMENT);
    assert_int_equal(er_import_file(context, "", NULL, &scene), ER_ERROR_ARGUMENT);
    assert_int_equal(er_import_file(NULL, "x", NULL, &scene), ER_ERROR_ARGUMENT);
}

static void hostile_gltf_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *find, *by, *words;
    } cases[] = {
        {"\"translation\":[0,1,0]", "\"children\":[1]", "their own ancestors"},
        {"\"children\":[0]", "\"children\":[0,0]", "two parents"},
        {"\"children\":[0]", "\"children\":[1]", "their own ancestors"},
        {"\"children\":[0]", "\"children\":[7]", "only 3"},
        {"\"children\":[0]", "\"children\":[-1]", "whole number"},
        {"\"children\":[0]", "\"children\":[0.5]", "whole number"},
        {"\"children\":[0]", "\"children\":[\"0\"]", "whole number"},
        {"\"nodes\":[2,1]", "\"nodes\":[2,1e99]", "whole number"},
        {"\"mesh\":0", "\"mesh\":1", "only 1"},
        {"\"skin\":0", "\"skin\":9", "only 1"},
        {"\"joints\":[1,0]", "\"joints\":[1]", "joint"},
        {"\"joints\":[1,0]", "\"joints\":[1,0,1]", "inverse bind"},
        {"\"POSITION\":0", "\"POSITION\":3", "VEC3"},
        {"\"indices\":3", "\"indices\":2", "SCALAR"},
        {"\"byteOffset\":48,", "\"byteOffset\":330,", "reaches to byte"},
        {"\"byteOffset\":48,", "\"byteOffset\":9007199254740992,", "reaches to byte"},
        {"\"byteOffset\":48,", "\"byteOffset\":99999999999999999999,", ""},
        {"\"count\":6", "\"count\":600", "reaches to byte"},
        {"\"count\":6", "\"count\":4294967297", "more than"},
        {"\"count\":6", "\"count\":100000000", "reaches to byte"},
        {"\"count\":6", "\"count\":-6", "whole number"},
        {"\"componentType\":5123", "\"componentType\":5124", "does not exist"},
        {"\"buffer\":0,\"byteLength\":344", "\"buffer\":0,\"byteLength\":344,\"byteStride\":4294967295", "byteStride"},
        {"\"buffer\":0,\"byteLength\":344", "\"buffer\":0,\"byteLength\":344,\"byteStride\":1", "byteStride"},
        {"\"buffer\":0,\"byteLength\":344", "\"buffer\":0,\"byteLength\":9007199254740992", "reaches to byte"},
        {"\"buffer\":0,\"byteLength\":344", "\"buffer\":1,\"byteLength\":344", "only 1"},
        {"\"buffers\":[{\"byteLength\":344", "\"buffers\":[{\"byteLength\":345", "only 344"},
        {"base64,AA", "base64,*A", "base64"},
        {"\"input\":5", "\"input\":0", "SCALAR"},
        {"\"input\":5", "\"input\":7", "only 7"},
        {"\"input\":5,", "", "without input"},
        {"\"output\":6", "\"output\":4", "VEC4"},
        {"\"count\":3,\"type\":\"VEC4\"", "\"count\":2,\"type\":\"VEC4\"", "but 2 values"},
        {"\"asset\"", "\"extensionsRequired\":[\"ACME_bones\"],\"asset\"", "ACME_bones"},
        {"\"name\":\"upper\"", "\"name\":\"upp\xFFr\"", "JSON"},
        {"\"name\":\"upper\"", "\"name\":\"upper", "JSON"},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        refuse_text(sample_replace(strip_text(), cases[i].find, cases[i].by), ER_ERROR_FORMAT, cases[i].words);
}

static void broken_numbers_in_buffers_are_refused(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    const float nan = NAN;
    const uint16_t far = 4;
    sample_buffer(buffer);
    memcpy(buffer + SAMPLE_POSITION + 4, &nan, sizeof nan);
    refuse_text(sample_gltf(buffer), ER_ERROR_FORMAT, "finite");
    sample_buffer(buffer);
    memcpy(buffer + SAMPLE_INDEX + 2, &far, sizeof far);
    refuse_text(sample_gltf(buffer), ER_ERROR_FORMAT, "vertex 4 of 4");
    sample_buffer(buffer);
    buffer[48] = 2; // a joint that the skin does not have
    refuse_text(sample_gltf(buffer), ER_ERROR_FORMAT, "joint 2");
}

static void a_missing_buffer_is_named(void **state)
{
    (void)state;
    char *text = strip_text(), *uri = strstr(text, "\"uri\":\""), *end = strstr(uri + 7, "\"");
    memmove(uri + 7, end, strlen(end) + 1);
    refuse_text(sample_replace(text, "\"uri\":\"", "\"uri\":\"lost.bin"), ER_ERROR_FILE, "lost.bin");
}

static void broken_bvh_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *find, *by, *words;
    } cases[] = {
        {"HIERARCHY", "HIERACHY", "HIERARCHY"},     {"ROOT hip\n{", "ROOT hip\n", "line 4"},
        {"0 1 0\n", "0 1\n", "three numbers"},      {"0 1 0\n", "0 nan 0\n", "three numbers"},
        {"CHANNELS 6", "CHANNELS 99", "CHANNELS"},  {"CHANNELS 6", "CHANNELS -1", "CHANNELS"},
        {"Yposition", "Xposition", "twice"},        {"Frames:", "Phrames:", "Frames:"},
        {"Frame Time: 0.25", "0.25", "Frame Time"}, {"    }\n  }\n}\n", "    }\n  }\n", "not expected"},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char *text = sample_replace(strdup(sample_bvh), cases[i].find, cases[i].by);
        assert_refused(sample_write("broken.bvh", text, strlen(text)), ER_ERROR_FORMAT, cases[i].words);
        free(text);
    }
    char *cut = sample_replace(strdup(sample_bvh), "35  0.05 -90", "35");
    er_scene *scene = import_text("cut.bvh", cut);
    assert_int_equal(scene->clip[0].channel[0].key_count, 1);
    assert_true(noted(scene, ER_NOTE_WARNING, "only 1 that are whole"));
    er_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_rigs_have_their_known_counts),
        cmocka_unit_test(a_rig_in_bind_pose_is_skinned_onto_its_own_vertices),
        cmocka_unit_test(the_strip_is_read_as_it_was_made),
        cmocka_unit_test(one_model_has_many_spellings),
        cmocka_unit_test(morph_targets_hold_at_rest),
        cmocka_unit_test(sparse_accessors_replace_elements),
        cmocka_unit_test(missing_inverse_bind_matrices_are_identities),
        cmocka_unit_test(a_skin_that_no_mesh_uses_is_kept),
        cmocka_unit_test(one_mesh_may_wear_several_skins),
        cmocka_unit_test(a_second_set_of_influences_counts),
        cmocka_unit_test(mirrored_nodes_keep_their_scale_in_clips),
        cmocka_unit_test(keys_out_of_order_are_dropped_with_a_word),
        cmocka_unit_test(a_clip_that_starts_before_zero_is_moved),
        cmocka_unit_test(splines_keep_their_tangents),
        cmocka_unit_test(tips_of_bones_are_flagged),
        cmocka_unit_test(constant_keys_are_steps),
        cmocka_unit_test(channels_without_a_node_or_keys_are_left_out),
        cmocka_unit_test(rotations_are_made_unit_with_a_word),
        cmocka_unit_test(bind_matrices_are_read_by_columns),
        cmocka_unit_test(children_of_the_scene_are_drawn),
        cmocka_unit_test(a_material_picks_its_texture_coordinates),
        cmocka_unit_test(a_matrix_is_read_by_columns),
        cmocka_unit_test(fans_and_strips_are_taken_apart),
        cmocka_unit_test(normalised_integers_are_fractions),
        cmocka_unit_test(materials_and_pictures_are_read),
        cmocka_unit_test(cameras_and_lights_are_flagged),
        cmocka_unit_test(humanoid_maps_of_vrm_give_roles),
        cmocka_unit_test(nodes_outside_the_scene_draw_nothing_but_are_there),
        cmocka_unit_test(bvh_is_read_by_its_own_grammar),
        cmocka_unit_test(companions_are_found_from_wherever_the_model_is_named),
        cmocka_unit_test(a_bvh_without_a_frame_time_gets_one),
        cmocka_unit_test(a_bvh_is_read_to_its_end_and_no_further),
        cmocka_unit_test(a_bvh_is_measured_for_its_unit),
        cmocka_unit_test(files_that_cannot_be_read_are_told_apart),
        cmocka_unit_test(hostile_gltf_is_refused_with_a_reason),
        cmocka_unit_test(broken_numbers_in_buffers_are_refused),
        cmocka_unit_test(a_missing_buffer_is_named),
        cmocka_unit_test(broken_bvh_is_refused_with_its_line),
    };
    return cmocka_run_group_tests_name("import", tests, set_up, tear_down);
}
