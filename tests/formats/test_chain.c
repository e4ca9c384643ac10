// Chains as long as no character's: what a writer does for a bone it does not do for all bones above it, or all others.
#include "support/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <eigenrig/formats.h>

#include "base/sanitizer.h"

enum {
    BONES = ERI_SANITIZED ? 5000 : 20000, // half a minute under sanitizers, which look at memory and not at growth
    PATHS = 3,
    SECONDS = 5 // of processor time, some 1.4 of which are used
};

static er_node node[BONES + 1];
static er_channel channel[PATHS * BONES];
static er_affine inverse[BONES];
static int joint[BONES];
static char path[64];

static const double second[] = {0.0, 1.0}, turn[] = {1.0, 0.0, 0.0, 0.0, 0.8, 0.6, 0.0, 0.0};
static const double shift[] = {0.0, 0.25, 0.0, 0.0, 0.5, 0.0}, size[] = {1.0, 1.0, 1.0, 1.0, 1.0, 0.5};
static const float corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, weight[] = {1, 1, 1};
static const int influence_start[] = {0, 1, 2, 3}, influence_joint[] = {0, 1, BONES - 1}, triangle[] = {0, 1, 2};

static const er_mesh mesh = {.name = "mesh",
                             .vertex_count = 3,
                             .triangle_count = 1,
                             .position = corner,
                             .index = triangle,
                             .material = -1,
                             .influence_start = influence_start,
                             .influence_joint = influence_joint,
                             .influence_weight = weight};
static const er_skin skin = {"skin", BONES, joint, inverse};
static const er_instance instance = {.node = BONES, .mesh = 0, .skin = 0};
static const er_clip clip = {"clip", 1.0, PATHS *BONES, channel};
static const er_scene scene = {.path = "chain",
                               .format = ER_FORMAT_OTHER,
                               .format_name = "by hand",
                               .metres_per_unit = 1.0,
                               .up = {0.0, 1.0, 0.0},
                               .node_count = BONES + 1,
                               .node = node,
                               .mesh_count = 1,
                               .mesh = &mesh,
                               .instance_count = 1,
                               .instance = &instance,
                               .skin_count = 1,
                               .skin = &skin};

// All bones are called alike, and turned by the clip.
static int make_chain(void **state)
{
    if (set_up(state) != 0) return -1;
    for (int i = 0; i <= BONES; ++i)
        node[i] = (er_node){.name = "bone",
                            .parent = i < BONES ? i - 1 : -1,
                            .local = er_affine_identity(),
                            .flags = i < BONES ? ER_NODE_JOINT : 0,
                            .source_index = -1};
    for (int i = 0; i < BONES; ++i) {
        node[i].local.translation.y = i > 0 ? 0.25 : 0.0;
        channel[PATHS * i] = (er_channel){i, ER_PATH_TRANSLATION, ER_LINEAR, 2, second, shift};
        channel[PATHS * i + 1] = (er_channel){i, ER_PATH_ROTATION, ER_LINEAR, 2, second, turn};
        channel[PATHS * i + 2] = (er_channel){i, ER_PATH_SCALE, ER_LINEAR, 2, second, size};
        joint[i] = i;
        inverse[i] = er_affine_identity();
        inverse[i].translation.y = -0.25 * i;
    }
    snprintf(path, sizeof path, "/tmp/eigenrig-chain-%d", (int)getpid());
    return er_scene_validate(context, &scene) == ER_OK ? 0 : -1;
}

// Ends the program when so much is over; 0: not any more.
static void limit_time(int seconds)
{
    const struct itimerval once = {.it_value.tv_sec = seconds};
    assert_int_equal(setitimer(ITIMER_PROF, &once, NULL), 0);
}

static int end_chain(void **state)
{
    limit_time(0);
    return tear_down(state);
}

static void expect_written(er_result r)
{
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
    assert_int_equal(remove(path), 0);
}

static void fbx_is_written_in_one_go(void **state)
{
    limit_time(SECONDS);
    strcat(path, ".fbx");
    expect_written(er_fbx_write(context, &scene, 1, &clip, NULL, path));
}

static void collada_is_written_in_one_go(void **state)
{
    limit_time(SECONDS);
    strcpy(strrchr(path, '.'), ".dae");
    expect_written(er_collada_write(context, &scene, 1, &clip, NULL, path));
}

static void bvh_is_written_in_one_go(void **state)
{
    limit_time(SECONDS);
    strcpy(strrchr(path, '.'), ".bvh");
    expect_written(er_bvh_write(context, &scene, NULL, &clip, 2.0, path));
}

static void gltf_is_written_in_one_go(void **state)
{
    limit_time(SECONDS);
    strcpy(strrchr(path, '.'), ".glb");
    expect_written(er_gltf_write(context, &scene, 1, &clip, NULL, path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fbx_is_written_in_one_go),
        cmocka_unit_test(collada_is_written_in_one_go),
        cmocka_unit_test(bvh_is_written_in_one_go),
        cmocka_unit_test(gltf_is_written_in_one_go),
    };
    return cmocka_run_group_tests_name("chain", tests, make_chain, end_chain);
}
