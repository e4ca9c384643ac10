// Living scenes that are recorded: solids, characters and their pictures, and rows of numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_recording.h"
#include "living.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/sample.h"

static struct {
    int meshes, instances, materials, channels, frames;
    double duration;
    er_material material[4];
    const char *name[8];
} seen;

static er_result look(er_context *own, const er_scene *scene, int clip_count, const er_clip *clip,
                      const er_export_def *def, const char *path)
{
    (void)def;
    assert_int_equal(clip_count, 1);
    assert_string_equal(path, "nowhere");
    fine(er_scene_validate(own, scene));
    assert_true(scene->up.y == 1.0 && scene->metres_per_unit == 1.0);
    seen.meshes = scene->mesh_count;
    seen.instances = scene->instance_count;
    seen.materials = scene->material_count;
    seen.channels = clip->channel_count;
    seen.duration = clip->duration;
    for (int i = 0; i < scene->material_count && i < 4; ++i)
        seen.material[i] = scene->material[i];
    for (int i = 0; i < scene->node_count; ++i)
        assert_int_equal(scene->node[i].source_index, -1);
    for (int c = 0; c < clip->channel_count; ++c) {
        const er_channel *k = &clip->channel[c];
        seen.frames = k->key_count;
        assert_true(k->time[0] == 0.0 && fabs(k->time[k->key_count - 1] - clip->duration) < 1e-12);
        for (int f = 1; f < k->key_count && k->path == ER_PATH_ROTATION; ++f) { // the short way, all along
            double dot = 0.0;
            for (int i = 0; i < 4; ++i)
                dot += k->value[4 * f + i] * k->value[4 * f - 4 + i];
            assert_true(dot > 0.9 && fabs(k->value[4 * f]) < 1e-12 && fabs(k->value[4 * f + 1]) < 1e-12);
        }
    }
    return ER_OK;
}

static void solids_alike_are_one_mesh(void **state)
{
    engine *e = begin(0.0);
    engine_recording *r = NULL;
    engine_material glass = engine_default_material();
    glass.opacity = 0.25f;
    glass.reflection = 0.75f;
    glass.shine = 6.0f;
    glass.diffuse[1] = 0.5f;
    int clear = engine_add_material(e, &glass), id = 0;
    er_shape other = ball;
    other.radius = 0.25;
    fine(engine_recording_create(e, &r));
    assert_refusal(context, engine_recording_write(context, r, look, "take", "nowhere"), ER_ERROR_ARGUMENT, "nowhere");
    for (int i = 0; i < 3; ++i)
        id = add(e, "ball", ENGINE_DYNAMIC, ball, er_v3(3 * i, 0, 0));
    fine(engine_set_actor_material(e, id, clear));
    add(e, "small", ENGINE_STATIC, other, er_v3(0, 5, 0));
    add(e, "rod", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_CAPSULE, .radius = 0.25, .length = 1}, er_v3(0, 7, 0));
    add(e, "rod", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_CAPSULE, .radius = 0.25, .length = 2}, er_v3(0, 9, 0));
    add(e, "box", ENGINE_STATIC, cube, er_v3(0, 11, 0));
    add(e, "box", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_BOX, .half = {0.5, 0.5, 0.25}}, er_v3(0, 13, 0));
    engine_actor_def def = defined("plane", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_PLANE}, er_v3(0, 0, -9));
    fine(engine_add_actor(e, &def, &id));
    engine_part wide = *def.part;
    wide.face = 9.0;
    def.part = &wide;
    fine(engine_add_actor(e, &def, &id));
    wide.hidden = true;
    fine(engine_add_actor(e, &def, &id));
    fine(engine_move(e, 1, NULL, NULL, &(er_vec3){0, 0, 40}));
    int led = add(e, "led", ENGINE_KINEMATIC, cube, er_v3(0, 15, 0));
    steps(e, 1);
    fine(engine_recording_take(r));
    fine(engine_recording_write(context, r, look, "take", "nowhere"));
    assert_true(seen.channels == 0 && fabs(seen.duration - 0.01) < 1e-12); // of a single frame
    for (int f = 0; f < 20; ++f) {
        const er_quat same = {f % 2 == 0 ? -1 : 1, 0, 0, 0}; // one turn by either of its names
        fine(engine_move(e, led, &(er_pose){same, {0, 15 + 0.1 * f, 0}}, NULL, NULL));
        steps(e, 1);
        fine(engine_recording_take(r));
    }
    fine(engine_recording_write(context, r, look, "take", "nowhere"));
    // a ball, a glass one, a small one, two rods, two boxes, two planes
    assert_true(seen.meshes == 9 && seen.instances == 11 && seen.materials == 2);
    assert_true(seen.channels == 4 && seen.frames == 21 && fabs(seen.duration - 0.2) < 1e-9);
    const er_material *m = &seen.material[1];
    assert_true(m->base_color[0] == 0.7f && m->base_color[1] == 0.5f && m->base_color[3] == 0.25f &&
                m->metallic == 0.75f);
    assert_true(fabsf(m->roughness - 0.5f) < 1e-6f && m->alpha_mode == ER_ALPHA_BLEND &&
                seen.material[0].alpha_mode == ER_ALPHA_OPAQUE);
    assert_true(m->base_color_image == -1 && m->normal_image == -1 && m->emissive_image == -1);
    engine_recording_destroy(r);
    engine_recording_destroy(NULL);
    engine_destroy(e);
}

static hand chain;

// In a writer's place: two chains, the second there from the third frame on, each with its own nodes and pictures.
static er_result look_at_chains(er_context *own, const er_scene *scene, int clip_count, const er_clip *clip,
                                const er_export_def *def, const char *path)
{
    (void)def;
    (void)path;
    assert_int_equal(clip_count, 1);
    fine(er_scene_validate(own, scene));
    const er_scene *file = &chain.scene;
    int skins = 0;
    er_affine local[64], world[64];
    static double at[3 * HAND_VERTICES], rest[3 * HAND_VERTICES];
    assert_true(scene->node_count <= 64 && scene->image_count == 2 * file->image_count && scene->skin_count == 2);
    hand_world(file, world);
    er_scene_skin(file, 0, world, rest);
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_instance *n = &scene->instance[i];
        if (n->skin < 0) continue;
        int first = n->node - 4, root = scene->node[first].parent;
        assert_string_equal(scene->node[root].name, skins == 0 ? "one" : "two");
        assert_true(scene->node[root].parent == -1 && scene->node[n->node].parent == root);
        for (int k = 0; k < HAND_LINKS; ++k) {
            const er_skin *skin = &scene->skin[n->skin];
            assert_int_equal(skin->joint[k], first + k);
            assert_string_equal(scene->node[first + k].name, file->node[k].name);
        }
        const er_material *m = &scene->material[scene->mesh[n->mesh].material];
        assert_true(m->base_color[0] == 0.25f && m->base_color_image >= 0 && m->emissive_image >= 0 &&
                    m->normal_image == -1);
        assert_string_equal(scene->image[m->base_color_image].name, "skin");
        assert_string_equal(scene->image[m->emissive_image].name, "glow");
        for (int f = 0; f < 5; ++f) {
            double size = skins == 0 || f >= 2 ? 1.0 : 1e-4, scale = skins == 0 ? 2.0 : 1.0;
            er_scene_sample(scene, clip, 0.01 * f, local);
            er_scene_world(scene, local, world);
            er_scene_skin(scene, i, world, at);
            er_vec3 wanted =
                er_v3_add(er_v3_scale(scale, er_v3(rest[0], rest[1], rest[2])), er_v3(0, skins == 0 ? 5 : -5, 1));
            assert_true(er_v3_distance(er_v3(at[0], at[1], at[2]), er_v3_scale(size, wanted)) < 1e-6);
        }
        ++skins;
    }
    assert_int_equal(skins, 2);
    return ER_OK;
}

static void characters_keep_their_looks(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3};
    static const er_image image[] = {
        {"other", "image/png", bytes, 3}, {"skin", "image/png", bytes, 3}, {"glow", "image/png", bytes, 3}};
    const er_material plain = {
        .name = "plain", .base_color = {1, 1, 1, 1}, .base_color_image = -1, .normal_image = -1, .emissive_image = -1};
    er_material material[] = {plain, plain};
    hand_chain(&chain);
    material[1].base_color[0] = 0.25f;
    material[1].base_color_image = 1;
    material[1].emissive_image = 2;
    chain.scene.material_count = 2;
    chain.scene.material = material;
    chain.scene.image_count = 3;
    chain.scene.image = image;
    chain.mesh[0].material = 1;
    er_rig *built = hand_rig(context, &chain.scene, NULL);
    const er_recording_target target = er_rig_target(built);
    engine *e = begin(0.0);
    engine_recording *recording = NULL;
    engine_character_def def = engine_default_character();
    int id = 0;
    add(e, "wall", ENGINE_STATIC, cube, er_v3(50, 0, 0));
    fine(engine_recording_create(e, &recording));
    for (int f = 0; f < 5; ++f) {
        if (f % 2 == 0 && f < 4) {
            def.name = f == 0 ? "one" : "two";
            def.model = built->model;
            def.target = &target;
            def.scale = f == 0 ? 2.0 : 1.0;
            def.place.p = er_v3(0, f == 0 ? 5 : -5, 1);
            fine(engine_add_character(e, &def, &id));
        }
        steps(e, 1);
        fine(engine_recording_take(recording));
    }
    fine(engine_recording_write(context, recording, look_at_chains, "take", "nowhere"));
    engine_recording_destroy(recording);
    engine_destroy(e);
    er_rig_destroy(built);
}

// The data of an array in an archive whose entries are stored as they are.
static const void *array_of(const char *archive, size_t size, const char *name)
{
    for (size_t i = 0; i + 30 + strlen(name) < size; ++i) {
        if (memcmp(archive + i, "PK\3\4", 4) != 0 || memcmp(archive + i + 30, name, strlen(name)) != 0) continue;
        const unsigned char *head = (const unsigned char *)archive + i;
        const unsigned char *npy = head + 30 + (head[26] | head[27] << 8) + (head[28] | head[29] << 8);
        return npy + 10 + (npy[8] | npy[9] << 8);
    }
    fail_msg("there is no %s", name);
    return NULL;
}

// Three frames of a ball that flies and turns, and of one that is there in the second alone.
static void a_recording_is_written_as_arrays(void **state)
{
    enum { FRAMES = 3, ALL = 2 };
    engine *e = begin(0.0);
    engine_recording *r = NULL;
    char path[512];
    static char bytes[20000];
    double number[FRAMES * ALL * 4];
    int id = add(e, "flies", ENGINE_DYNAMIC, ball, er_v3(1, 2, 3)), guest = 0, there[FRAMES * ALL];
    fine(engine_move(e, id, NULL, &(er_vec3){100, 0, 0}, &(er_vec3){0, 0, 2}));
    fine(engine_recording_create(e, &r));
    for (int f = 0; f < FRAMES; ++f) {
        if (f == 1) guest = add(e, "guest", ENGINE_STATIC, ball, er_v3(7, 8, 9));
        if (f == 2) assert_true(engine_remove_actor(e, guest));
        steps(e, 1);
        fine(engine_recording_take(r));
        fine(engine_recording_take(r)); // no time has passed
    }
    snprintf(path, sizeof path, "%s/recorded.npz", sample_folder());
    fine(engine_recording_write_npz(context, r, path));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    memcpy(number, array_of(bytes, size, "time.npy"), FRAMES * sizeof *number);
    for (int f = 0; f < FRAMES; ++f)
        assert_true(fabs(number[f] - 0.01 * (f + 1)) < 1e-12);
    memcpy(there, array_of(bytes, size, "present.npy"), sizeof there);
    for (int f = 0; f < FRAMES; ++f)
        assert_true(there[ALL * f] == 1 && there[ALL * f + 1] == (f == 1));
    memcpy(number, array_of(bytes, size, "position.npy"), FRAMES * ALL * 3 * sizeof *number);
    for (int f = 0; f < FRAMES; ++f) {
        const double *at = number + 3 * ALL * f;
        assert_true(fabs(at[0] - 2.0 - f) < 1e-9 && fabs(at[1] - 2.0) < 1e-9 && fabs(at[2] - 3.0) < 1e-9);
        assert_true(at[3] == 7.0 && at[4] == 8.0 && at[5] == 9.0);
    }
    memcpy(number, array_of(bytes, size, "orientation.npy"), sizeof number);
    for (int f = 0; f < FRAMES; ++f) // so many times a hundredth of two radians, of which a quaternion has the half
        assert_true(fabs(fabs(number[4 * ALL * f + 3]) - sin(0.01 * (f + 1))) < 1e-9);
    memcpy(number, array_of(bytes, size, "velocity.npy"), FRAMES * ALL * 3 * sizeof *number);
    assert_true(fabs(number[6] - 100.0) < 1e-9 && number[9] == 0.0);
    memcpy(number, array_of(bytes, size, "spin.npy"), FRAMES * ALL * 3 * sizeof *number);
    assert_true(fabs(number[8] - 2.0) < 1e-9 && number[6] == 0.0);
    engine_recording_destroy(r);
    engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_alike_are_one_mesh),
        cmocka_unit_test(characters_keep_their_looks),
        cmocka_unit_test(a_recording_is_written_as_arrays),
    };
    return cmocka_run_group_tests_name("recordings", tests, set_up, tear_down);
}
