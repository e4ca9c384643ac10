// How er_gltf_write() fails: bad arguments, memory that ends anywhere, disks that fill up.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <float.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include <eigenrig/gltf.h>

#include "scenes.h"

// Memory that ends after a while.
typedef struct purse {
    long left; // allocations, negative for no end
    long live;
} purse;

static purse json_purse = {-1, 0};

static void *spend(void *user, size_t size)
{
    purse *p = user;
    if (p->left == 0) return NULL;
    if (p->left > 0) --p->left;
    void *memory = malloc(size);
    p->live += memory != NULL;
    return memory;
}

static void give_back(void *user, void *memory)
{
    ((purse *)user)->live--;
    free(memory);
}

static void *spend_json(size_t size)
{
    return spend(&json_purse, size);
}

static void give_back_json(void *memory)
{
    if (memory != NULL) give_back(&json_purse, memory);
}

typedef struct place {
    purse purse;
    er_context *context; // that the purse pays for
    er_context *own;
    er_arena *arena; // of the scenes
    char folder[64];
    char glb[128], gltf[128], source[128];
} place;

static int open_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    *state = p;
    p->purse.left = -1;
    er_context_def def = er_default_context_def();
    def.allocate = spend;
    def.release = give_back;
    def.user = &p->purse;
    strcpy(p->folder, "/tmp/eigenrig-gltf-XXXXXX");
    if (mkdtemp(p->folder) == NULL || er_context_create(&def, &p->context) != ER_OK) return -1;
    if (er_context_create(NULL, &p->own) != ER_OK || er_arena_create(p->own, &p->arena) != ER_OK) return -1;
    snprintf(p->glb, sizeof p->glb, "%s/out.glb", p->folder);
    snprintf(p->gltf, sizeof p->gltf, "%s/out.gltf", p->folder);
    snprintf(p->source, sizeof p->source, "%s/source.glb", p->folder);
    return 0;
}

// How many files lie in the folder; removes them when asked to.
static int files(const place *p, bool sweep)
{
    int count = 0;
    DIR *d = opendir(p->folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        ++count;
        if (sweep) unlinkat(dirfd(d), e->d_name, 0);
    }
    closedir(d);
    return count;
}

static int close_place(void **state)
{
    place *p = *state;
    files(p, true);
    rmdir(p->folder);
    er_arena_destroy(p->arena);
    er_context_destroy(p->own);
    er_context_destroy(p->context);
    long live = p->purse.live + json_purse.live;
    free(p);
    return live == 0 ? 0 : -1;
}

// The strip as a scene that was read from a .glb of it.
static er_scene *strip_from_file(place *p)
{
    er_scene *strip = make_scene(p->arena, "strip");
    assert_int_equal(er_gltf_write(p->own, strip, 0, NULL, p->source), ER_OK);
    er_node *node = ER_NEW(p->arena, er_node, strip->node_count);
    memcpy(node, strip->node, (size_t)strip->node_count * sizeof *node);
    for (int i = 0; i < strip->node_count; ++i)
        node[i].source_index = i;
    strip->node = node;
    strip->format = ER_FORMAT_GLTF;
    strip->path = p->source;
    return strip;
}

// Fails the k-th allocation of a purse for k = 0, 1, ...: an error, nothing written, nothing leaked, then success.
static void fail_each(place *p, purse *fails, const er_scene *scene, const char *path, bool only_memory)
{
    er_clip clip = make_clip(p->arena, scene, "mode");
    int before = files(p, false);
    long k = 0;
    for (;; ++k) {
        long live = fails->live;
        er_context_def def = {spend, give_back, &p->purse, ER_DEF_TAG};
        er_context *fresh = NULL; // one that keeps no memory of earlier calls
        assert_int_equal(er_context_create(&def, &fresh), ER_OK);
        fails->left = k;
        er_result r = er_gltf_write(fresh, scene, 1, &clip, path);
        fails->left = -1;
        bool said = strlen(er_context_error(fresh)) > 0;
        er_context_destroy(fresh);
        assert_int_equal(fails->live, live);
        if (r == ER_OK) break;
        // a JSON parser that runs out of memory half-way through a token may call the token broken
        assert_true(r == ER_ERROR_MEMORY || (!only_memory && r == ER_ERROR_FORMAT));
        assert_true(said);
        assert_int_equal(files(p, false), before);
    }
    assert_true(k >= 2);
    assert_int_equal(files(p, false), before + 1);
    unlink(path);
}

static void the_end_of_memory_is_one_error_and_no_leak(void **state)
{
    place *p = *state;
    const char *names[] = {"strip", "parts", "bones"};
    for (size_t i = 0; i < ER_COUNT(names); ++i) {
        const er_scene *scene = make_scene(p->arena, names[i]);
        fail_each(p, &p->purse, scene, p->glb, true);
        fail_each(p, &p->purse, scene, p->gltf, true);
        fail_each(p, &json_purse, scene, p->glb, true);
    }
    const er_scene *source = strip_from_file(p);
    fail_each(p, &p->purse, source, p->glb, true);
    fail_each(p, &p->purse, source, p->gltf, true);
    fail_each(p, &json_purse, source, p->glb, false);
}

static void assert_refused(place *p, const er_scene *scene, const er_clip *clip, const char *path, er_result expected,
                           const char *words)
{
    int before = files(p, false);
    assert_int_equal(er_gltf_write(p->context, scene, clip != NULL, clip, path), expected);
    if (strstr(er_context_error(p->context), words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", er_context_error(p->context), words);
    assert_null(strchr(er_context_error(p->context), '\n'));
    assert_int_equal(files(p, false), before);
}

static void bad_arguments_are_refused(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    assert_int_equal(er_gltf_write(NULL, scene, 0, NULL, p->glb), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gltf_write(p->context, NULL, 0, NULL, p->glb), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gltf_write(p->context, scene, 1, NULL, p->glb), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gltf_write(p->context, scene, -1, NULL, p->glb), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gltf_write(p->context, scene, 0, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_refused(p, scene, NULL, "out.fbx", ER_ERROR_ARGUMENT, ".glb or .gltf");
    assert_refused(p, scene, NULL, ".glb", ER_ERROR_ARGUMENT, ".glb or .gltf");
    assert_refused(p, scene, NULL, "glb", ER_ERROR_ARGUMENT, ".glb or .gltf");
}

static void bad_clips_are_refused(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    double time[2] = {0, 1}, value[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    er_channel good = {0, ER_PATH_ROTATION, ER_LINEAR, 2, time, value}, c[2] = {good, good};
    er_clip clip = {"bad", 1.0, 1, c};
    assert_int_equal(er_gltf_write(p->context, scene, 1, &clip, p->glb), ER_OK);
#define REFUSED(change, words)                                                                                         \
    do {                                                                                                               \
        c[0] = good;                                                                                                   \
        change;                                                                                                        \
        assert_refused(p, scene, &clip, p->gltf, ER_ERROR_ARGUMENT, words);                                            \
    } while (0)
    REFUSED(c[0].node = 99, "node that is not there");
    REFUSED(c[0].node = -1, "node that is not there");
    REFUSED(c[0].path = (er_path)7, "unknown path");
    REFUSED(c[0].interpolation = (er_interpolation)-1, "unknown path");
    REFUSED(c[0].key_count = 0, "no keys");
    REFUSED(c[0].time = NULL, "no keys");
    REFUSED(c[0].value = NULL, "no keys");
    REFUSED(time[1] = 0.0, "do not ascend");
    REFUSED(time[1] = NAN, "do not ascend");
    REFUSED(time[1] = HUGE_VAL, "do not ascend");
    time[1] = 1.0;
    REFUSED(value[5] = NAN, "no float holds");
    REFUSED(value[5] = 1e39, "no float holds");
    value[5] = 0.0;
    REFUSED(clip.duration = -1.0, "lasts");
    REFUSED(clip.duration = NAN, "lasts");
    clip.duration = 1.0;
    REFUSED(clip.channel_count = 2, "another channel moves");
}

static void numbers_that_are_not_finite_are_never_written(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    er_node *node = (er_node *)(uintptr_t)scene->node;
    float *position = (float *)(uintptr_t)scene->mesh[0].position;
    er_affine *inverse = (er_affine *)(uintptr_t)scene->skin[0].inverse_bind;
    node[1].local.translation.y = NAN;
    assert_refused(p, scene, NULL, p->glb, ER_ERROR_ARGUMENT, "not finite");
    node[1].local.translation.y = 0.0;
    position[4] = HUGE_VALF;
    assert_refused(p, scene, NULL, p->glb, ER_ERROR_ARGUMENT, "not finite");
    position[4] = 0.0f;
    inverse[1].linear.m[2][2] = 1e300; // finite, but not as a float
    assert_refused(p, scene, NULL, p->glb, ER_ERROR_ARGUMENT, "not finite");
}

static void a_source_that_lost_nodes_is_told(void **state)
{
    place *p = *state;
    er_scene *scene = strip_from_file(p);
    ((er_node *)(uintptr_t)scene->node)[1].source_index = 40;
    er_clip clip = make_clip(p->arena, scene, "mode");
    assert_refused(p, scene, &clip, p->glb, ER_ERROR_FORMAT, "no node 40");
    scene->path = "/nowhere/source.glb";
    assert_refused(p, scene, &clip, p->glb, ER_ERROR_FILE, "/nowhere/source.glb");
}

static void places_that_cannot_be_written_are_told(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "strip");
    assert_refused(p, scene, NULL, "/nowhere/at/all.glb", ER_ERROR_FILE, "create its folder");
    assert_int_equal(mkdir(p->glb, 0777), 0);
    assert_refused(p, scene, NULL, p->glb, ER_ERROR_FILE, "Is a directory");
    assert_int_equal(rmdir(p->glb), 0);
    assert_int_equal(symlink("/dev/full", p->glb), 0);
    assert_refused(p, scene, NULL, p->glb, ER_ERROR_FILE, "No space left");
}

static void a_source_may_be_written_over(void **state)
{
    place *p = *state;
    er_scene *scene = strip_from_file(p);
    er_clip clip = make_clip(p->arena, scene, "mode");
    assert_int_equal(er_gltf_write(p->context, scene, 1, &clip, p->source), ER_OK);
    assert_int_equal(er_gltf_write(p->context, scene, 1, &clip, p->source), ER_OK);
    assert_int_equal(files(p, false), 1);
}

int main(void)
{
    json_set_alloc_funcs(spend_json, give_back_json);
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, close_place)
    const struct CMUnitTest tests[] = {
        TEST(the_end_of_memory_is_one_error_and_no_leak),
        TEST(bad_arguments_are_refused),
        TEST(bad_clips_are_refused),
        TEST(numbers_that_are_not_finite_are_never_written),
        TEST(a_source_that_lost_nodes_is_told),
        TEST(places_that_cannot_be_written_are_told),
        TEST(a_source_may_be_written_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
