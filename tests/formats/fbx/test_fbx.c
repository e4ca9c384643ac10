// Files of er_fbx_write(), read back by er_import_file(), which is Assimp: nodes, skins and clips to float rounding and
// the tolerances of fbx.h; and its failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <unistd.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "formats/fbx/fbx_euler.h"
#include "formats/fbx/fbx_writer.h"
#include "judge.h"
#include "made.h"
#include "support/place.h"
#include "support/sample.h"
#include "support/trials.h"

// Relative to the size. Assimp's floats give 1e-6; splines and turns 1e-5 a joint (measured: 1.4e-5). Assimp drops
// translations below 3.5e-4 cm (measured: 2.7e-5 on RobotExpressive).
#define TOLERANCE 1e-4
#define LENGTH_TOLERANCE 1e-9 // s; a tick is 2e-11 s

static int open_place(void **state)
{
    return place_open(state, "out.fbx", "again.fbx", "");
}

static er_scene *read_back(place *p, const char *path)
{
    er_scene *back = NULL;
    if (er_import_file(p->context, path, NULL, &back) != ER_OK) fail_msg("%s", er_context_error(p->context));
    return back;
}

// --- back and forth

static void comes_back(place *p, const char *name, const er_scene *scene, int clip_count, const er_clip *clip, int more)
{
    if (er_fbx_write(p->context, scene, clip_count, clip, NULL, p->out) != ER_OK)
        fail_msg("%s: %s", name, er_context_error(p->context));
    er_scene *back = read_back(p, p->out);
    judgement j = judge(scene, clip_count, clip, back);
    printf("# %s: at rest %.1e, moving %.1e, skins %.1e of the size, lengths %.1e s, %d more nodes\n", name, j.rest,
           j.motion, j.skin, j.length, j.more);
    if (j.wrong[0] != '\0') fail_msg("%s: %s", name, j.wrong);
    assert_true(j.rest <= TOLERANCE && j.motion <= TOLERANCE && j.skin <= TOLERANCE);
    assert_true(j.length <= LENGTH_TOLERANCE);
    if (more >= 0) assert_int_equal(j.more, more);
    er_scene_destroy(back);
}

static void file_comes_back(place *p, const char *path)
{
    played playing;
    const char *slash = strrchr(path, '/');
    if (play_file(p->context, path, &playing) != ER_OK) fail_msg("%s", er_context_error(p->context));
    comes_back(p, slash + 1, playing.scene, playing.count, playing.clip, -1);
    end_play(&playing);
}

static void scenes_made_by_hand_come_back(void **state)
{
    place *p = *state;
    // strip: a skinned node that a clip moves; crowd: five Models besides nodes that are bones, draw twice or are
    // moved, and a joint that a skin has twice
    const struct {
        const char *name;
        int more;
    } cases[] = {{"strip", 1}, {"parts", 0}, {"crowd", 6}, {"bones", 0}, {"blank", 0}, {"tumble", 0}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        const er_scene *scene = made_scene(p->arena, cases[i].name);
        er_clip clip = made_clip(p->arena, scene, "mode 03  1.42 Hz"), clips[2] = {clip, clip};
        comes_back(p, cases[i].name, scene, 2, clips, cases[i].more);
    }
}

// Files of a folder with one of some endings, each judged where every one is asked for, else one in eight.
static int folder_comes_back(place *p, const char *folder, const char *const *endings)
{
    int count = 0;
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; ++i) {
        const char *dot = strrchr(entry[i]->d_name, '.');
        bool judged = every() || i % 8 == 0;
        for (int k = 0; judged && dot != NULL && endings[k] != NULL; ++k) {
            if (strcmp(dot, endings[k]) != 0) continue;
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
            file_comes_back(p, path);
            ++count;
        }
        free(entry[i]);
    }
    free(entry);
    return count;
}

static void models_and_their_modes_come_back(void **state)
{
    place *p = *state;
    char folder[512];
    snprintf(folder, sizeof folder, "%s/models", getenv("EIGENRIG_SOURCE"));
    assert_true(folder_comes_back(p, folder, (const char *const[]){".glb", ".json", NULL}) >= (every() ? 3 : 1));
}

static void real_rigs_and_their_modes_come_back(void **state)
{
    place *p = *state;
    if (folder_comes_back(p, sample_rigs(), (const char *const[]){".glb", ".gltf", ".fbx", ".dae", ".bvh", NULL}) ==
        0) {
        printf("# there are no rigs in %s; EIGENRIG_RIGS names their folder\n", sample_rigs());
        skip();
    }
}

static void a_file_that_was_fbx_keeps_its_nodes(void **state)
{
    place *p = *state;
    const er_scene *scene = made_scene(p->arena, "strip");
    er_clip clip = made_clip(p->arena, scene, "mode");
    assert_int_equal(er_fbx_write(p->context, scene, 1, &clip, NULL, p->out), ER_OK);
    er_scene *first = read_back(p, p->out);
    assert_string_equal(first->node[0].name, "RootNode");
    comes_back(p, "strip again", first, 0, NULL, 0);
    er_scene_destroy(first);
}

static void looks_come_back(void **state)
{
    place *p = *state;
    const er_scene *scene = made_scene(p->arena, "strip");
    assert_int_equal(er_fbx_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
    er_scene *back = read_back(p, p->out);
    assert_int_equal(back->material_count, 1);
    assert_int_equal(back->image_count, 1);
    const er_material *want = &scene->material[0], *got = &back->material[0];
    assert_string_equal(got->name, want->name);
    for (int k = 0; k < 3; ++k)
        assert_float_equal(got->emissive[k], want->emissive[k], 1e-6);
    assert_float_equal(got->roughness, want->roughness, 1e-6);
    assert_float_equal(got->metallic, want->metallic, 1e-6);
    assert_float_equal(got->base_color[3], 1.0f, 0.0f); // alpha is for blending, and this material cuts it off
    assert_int_equal(got->base_color_image, 0);
    assert_int_equal(got->emissive_image, 0);
    assert_int_equal(got->normal_image, -1);
    assert_int_equal(back->image[0].size, scene->image[0].size);
    assert_memory_equal(back->image[0].bytes, scene->image[0].bytes, scene->image[0].size);
    const er_mesh *mesh = &scene->mesh[0], *there = &back->mesh[0];
    assert_int_equal(there->triangle_count, mesh->triangle_count);
    for (int k = 0; k < 3 * mesh->triangle_count; ++k) {
        int a = mesh->index[k], b = there->index[k];
        for (int i = 0; i < 2; ++i)
            assert_float_equal(there->uv[2 * b + i], mesh->uv[2 * a + i], 1e-6);
        for (int i = 0; i < 4; ++i)
            assert_float_equal(there->color[4 * b + i], mesh->color[4 * a + i], 1e-6);
        assert_float_equal(there->normal[3 * b + 1], a == 0 ? 1.0f : -1.0f, 1e-6);
    }
    er_scene_destroy(back);
}

static void blending_and_plain_colours_come_back(void **state)
{
    place *p = *state;
    er_scene *scene = made_scene(p->arena, "strip");
    er_material *material = (er_material *)(uintptr_t)scene->material;
    material->alpha_mode = ER_ALPHA_BLEND;
    material->base_color_image = -1;
    assert_int_equal(er_fbx_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
    er_scene *back = read_back(p, p->out);
    for (int k = 0; k < 4; ++k)
        assert_float_equal(back->material[0].base_color[k], material->base_color[k], 1e-6);
    assert_int_equal(back->material[0].alpha_mode, ER_ALPHA_BLEND);
    er_scene_destroy(back);
}

static void axes_come_back(void **state)
{
    place *p = *state;
    er_scene *scene = made_scene(p->arena, "strip");
    for (int i = 0; i < 6; ++i) {
        double sign = i < 3 ? 1.0 : -1.0;
        scene->up = er_v3(sign * (i % 3 == 0), sign * (i % 3 == 1), sign * (i % 3 == 2));
        assert_int_equal(er_fbx_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
        er_scene *back = read_back(p, p->out);
        assert_true(er_v3_distance(back->up, scene->up) == 0.0);
        assert_true(back->metres_per_unit == 0.01);
        er_scene_destroy(back);
    }
}

// --- parts

static double turn_between(er_quat a, er_quat b)
{
    return er_v3_norm(er_q_log(er_q_mul(er_q_conj(a), b)));
}

static er_quat about(int axis, double angle)
{
    return er_q_exp(er_v3(axis == 0 ? angle : 0.0, axis == 1 ? angle : 0.0, axis == 2 ? angle : 0.0));
}

// By matrices: the axes one after another.
static void angles_turn_as_their_order_says(void **state)
{
    double worst = 0.0;
    for (int order = 0; order < ERI_FBX_ORDERS; ++order)
        for (int i = 0; i < 1000; ++i) {
            er_vec3 angles = er_v3(0.37 * i, 0.61 * i, 0.13 * i);
            const double a[3] = {angles.x, angles.y, angles.z};
            er_quat want = er_q_identity();
            for (int k = 0; k < 3; ++k)
                want = er_q_mul(about(eri_fbx_axes[order][k], a[eri_fbx_axes[order][k]]), want);
            er_quat q = eri_fbx_euler_to_q(angles, order);
            worst = fmax(worst, turn_between(q, want));
            worst = fmax(worst, turn_between(eri_fbx_euler_to_q(eri_fbx_euler_from_q(q, order, angles), order), q));
            // asked for the angles near those it was made of, it gives them
            worst = fmax(worst, er_v3_distance(eri_fbx_euler_from_q(q, order, angles), angles) * 1e-3);
        }
    assert_true(worst < 1e-7); // near gimbal lock angles are known to the root of rounding
}

static void angles_at_gimbal_lock_turn_rightly(void **state)
{
    for (int order = 0; order < ERI_FBX_ORDERS; ++order)
        for (int i = -20; i <= 20; ++i) {
            double a[3];
            a[eri_fbx_axes[order][0]] = 0.3;
            a[eri_fbx_axes[order][1]] = (i < 0 ? -0.5 : 0.5) * ER_PI + 1e-9 * i;
            a[eri_fbx_axes[order][2]] = -1.1;
            er_quat q = eri_fbx_euler_to_q(er_v3(a[0], a[1], a[2]), order);
            er_vec3 got = eri_fbx_euler_from_q(q, order, er_v3(0.2, 0.1, 5.0));
            assert_true(turn_between(eri_fbx_euler_to_q(got, order), q) < 2e-7);
        }
}

// --- failing

static void bad_arguments_are_refused(void **state)
{
    place *p = *state;
    assert_arguments_refused(p, er_fbx_write, made_scene(p->arena, "strip"), ".fbx");
}

// Besides what scenes promise: a clip that ticks can count, and numbers that floats hold in centimetres.
static void bad_scenes_and_clips_are_refused(void **state)
{
    place *p = *state;
    er_scene *scene = made_scene(p->arena, "strip");
    static const double time[2] = {0, 1}, move[6] = {[3] = 1e38};
    const er_channel channel = {0, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, move};
    er_clip clip = {"bad", 2e8, 1, &channel};
    assert_broken_refused(p, er_fbx_write, scene);
    assert_refused(p, er_fbx_write, scene, &clip, p->out, ER_ERROR_ARGUMENT, "2e+08");
    clip.duration = 1.0;
    assert_int_equal(er_fbx_write(p->context, scene, 1, &clip, NULL, p->out), ER_OK);
    assert_int_equal(unlink(p->out), 0);
    scene->metres_per_unit = 1.0;
    assert_refused(p, er_fbx_write, scene, &clip, p->out, ER_ERROR_ARGUMENT, "1e+40");
}

// A joint whose bind cannot be inverted: there is no place for its bone, but all else is as it was.
static void a_bind_without_inverse_is_written(void **state)
{
    place *p = *state;
    er_scene *scene = made_scene(p->arena, "strip");
    er_affine *inverse = (er_affine *)(uintptr_t)scene->skin[0].inverse_bind;
    memset(&inverse[1].linear, 0, sizeof inverse[1].linear);
    comes_back(p, "flat bind", scene, 0, NULL, 0);
    memset(inverse, 0, 2 * sizeof *inverse);
    comes_back(p, "flat binds", scene, 0, NULL, 0);
}

static void the_end_of_memory_is_one_error_and_no_leak(void **state)
{
    place *p = *state;
    const char *names[] = {"strip", "parts", "bones"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        const er_scene *scene = made_scene(p->arena, names[i]);
        er_clip clip = made_clip(p->arena, scene, "mode");
        assert_outlasts_memory(p, er_fbx_write, &p->ledger, scene, 1, &clip, p->out, ER_ERROR_MEMORY);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_made_by_hand_come_back),
        TEST(models_and_their_modes_come_back),
        TEST(real_rigs_and_their_modes_come_back),
        TEST(a_file_that_was_fbx_keeps_its_nodes),
        TEST(looks_come_back),
        TEST(blending_and_plain_colours_come_back),
        TEST(axes_come_back),
        TEST(angles_turn_as_their_order_says),
        TEST(angles_at_gimbal_lock_turn_rightly),
        TEST(bad_arguments_are_refused),
        TEST(bad_scenes_and_clips_are_refused),
        TEST(a_bind_without_inverse_is_written),
        TEST(the_end_of_memory_is_one_error_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
