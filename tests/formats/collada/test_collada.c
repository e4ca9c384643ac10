// Files of er_collada_write(), read back by our own importer, through Assimp; and its failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "base/sanitizer.h"
#include "formats/collada/collada_images.h"
#include "scenes.h"
#include "support/context.h"
#include "support/place.h"
#include "support/sample.h"
#include "swing.h"

// Relative to the scene's size: Assimp has floats, and interpolates linearly. Measured: up to 3e-5, in the swings.
#define PLACE_TOLERANCE 1e-4

static int open_place(void **state)
{
    return place_open(state, "out.dae", "again.dae", "dot_of_red.png");
}

// --- reading back

typedef struct comparison {
    place *place;
    const er_scene *scene;
    const er_clip *clip; // NULL: at rest
    er_scene *read;
    int *node;          // [node_count of the scene]: the same in `read`
    er_affine convert;  // from the scene's axes and unit to metres, Y up
    double start, size; // of the clip; of the scene
} comparison;

static bool is_stand_in(const er_scene *read, int node)
{
    return strncmp(read->node[node].name, "eigenrig-joint", 14) == 0;
}

// The k-th child of a node, those left out that stand for another; -1 for the roots.
static int child(const er_scene *scene, int parent, int k, bool read)
{
    for (int i = 0; i < scene->node_count; ++i)
        if (scene->node[i].parent == parent && !(read && is_stand_in(scene, i)) && k-- == 0) return i;
    return -1;
}

static void map_children(comparison *c, int parent, int read_parent)
{
    for (int k = 0, i; (i = child(c->scene, parent, k, false)) >= 0; ++k) {
        c->node[i] = child(c->read, read_parent, k, true);
        assert_true(c->node[i] >= 0);
        map_children(c, i, c->node[i]);
    }
}

// The shortest turn that takes the scene's up to +Y, of half turns the one about Z, and metres.
static er_affine conversion(const er_scene *scene)
{
    er_vec3 y = er_v3(0, 1, 0), axis = er_v3_cross(scene->up, y);
    double angle = acos(fmax(-1.0, fmin(1.0, scene->up.y))), m = scene->metres_per_unit;
    er_quat turn = er_q_exp(er_v3_scale(angle, er_v3_unit(axis, er_v3(0, 0, 1))));
    return er_affine_from_trs(er_v3(0, 0, 0), turn, er_v3(m, m, m));
}

static double extent(const er_scene *scene, const er_affine *world)
{
    er_vec3 low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = er_v3_scale(-1.0, low);
    for (int i = 0; i < scene->node_count; ++i) {
        er_vec3 t = world[i].translation;
        low = er_v3(fmin(low.x, t.x), fmin(low.y, t.y), fmin(low.z, t.z));
        high = er_v3(fmax(high.x, t.x), fmax(high.y, t.y), fmax(high.z, t.z));
    }
    return er_v3_distance(low, high);
}

static er_affine *worlds(const place *p, const er_scene *scene, const er_clip *clip, double time)
{
    er_affine *local = ERI_NEW(p->arena, er_affine, scene->node_count);
    er_affine *world = ERI_NEW(p->arena, er_affine, scene->node_count);
    er_scene_sample(scene, clip, time, local);
    er_scene_world(scene, local, world);
    return world;
}

static comparison start(place *p, const er_scene *scene, const er_clip *clip)
{
    comparison c = {.place = p, .scene = scene, .clip = clip};
    if (er_import_file(p->own, p->out, NULL, &c.read) != ER_OK) fail_msg("%s", er_context_error(p->own));
    c.node = ERI_NEW(p->arena, int, scene->node_count);
    c.convert = conversion(scene);
    int first = child(c.read, 0, 0, true);
    bool topped = first >= 0 && strcmp(c.read->node[first].name, "eigenrig-root") == 0;
    map_children(&c, -1, topped ? first : 0);
    for (int i = 0; clip != NULL && i < clip->channel_count; ++i)
        c.start = fmin(c.start, clip->channel[i].time[0]);
    c.size = scene->metres_per_unit * extent(scene, worlds(p, scene, NULL, 0.0));
    return c;
}

static void compare_nodes(const comparison *c, const er_affine *ours, const er_affine *theirs, double time)
{
    for (int i = 0; i < c->scene->node_count; ++i) {
        er_affine wanted = er_affine_mul(c->convert, ours[i]), got = theirs[c->node[i]];
        double away = er_v3_distance(wanted.translation, got.translation) / c->size, off = 0.0, length = 0.0;
        for (int k = 0; k < 3; ++k) {
            off = fmax(off, er_v3_distance(er_m3_column(wanted.linear, k), er_m3_column(got.linear, k)));
            length = fmax(length, er_v3_norm(er_m3_column(wanted.linear, k)));
        }
        if (!(away < PLACE_TOLERANCE && off <= 3 * PLACE_TOLERANCE * length))
            fail_msg("node %d \"%s\" at %g s: %g of the size away, turned or stretched by %g", i,
                     c->scene->node[i].name, time, away, off / length);
    }
}

// Vertices are merged by Assimp, triangles and their corners stay.
static void compare_meshes(const comparison *c, const er_affine *ours, const er_affine *theirs, double time)
{
    int at = 0;
    for (int i = 0; i < c->scene->instance_count; ++i) {
        const er_mesh *mesh = &c->scene->mesh[c->scene->instance[i].mesh];
        if (mesh->triangle_count == 0) continue;
        assert_true(at < c->read->instance_count);
        const er_mesh *other = &c->read->mesh[c->read->instance[at].mesh];
        assert_int_equal(other->triangle_count, mesh->triangle_count);
        double *x = ERI_NEW(c->place->arena, double, 3 * mesh->vertex_count);
        double *y = ERI_NEW(c->place->arena, double, 3 * other->vertex_count);
        er_scene_skin(c->scene, i, ours, x);
        er_scene_skin(c->read, at++, theirs, y);
        for (int k = 0; k < 3 * mesh->triangle_count; ++k) {
            const double *a = x + 3 * (ptrdiff_t)mesh->index[k], *b = y + 3 * (ptrdiff_t)other->index[k];
            er_vec3 wanted = er_affine_point(c->convert, er_v3(a[0], a[1], a[2]));
            double away = er_v3_distance(wanted, er_v3(b[0], b[1], b[2])) / c->size;
            if (!(away < PLACE_TOLERANCE))
                fail_msg("corner %d of mesh \"%s\", instance %d, at %g s: %g of the size away", k, mesh->name, i, time,
                         away);
        }
    }
    assert_int_equal(at, c->read->instance_count);
}

// A file of the scene and its clip means the same as they do, at rest and at eleven times.
static void judge(place *p, const er_scene *scene, const er_clip *clip)
{
    if (er_collada_write(p->context, scene, clip != NULL, clip, NULL, p->out) != ER_OK)
        fail_msg("%s", er_context_error(p->context));
    comparison c = start(p, scene, clip);
    const er_affine *rest = worlds(p, scene, NULL, 0.0), *read_rest = worlds(p, c.read, NULL, 0.0);
    compare_nodes(&c, rest, read_rest, NAN);
    compare_meshes(&c, rest, read_rest, NAN);
    assert_int_equal(c.read->clip_count, clip != NULL);
    for (int i = 0; clip != NULL && i <= 10; ++i) {
        assert_true(fabs(c.read->clip[0].duration - (clip->duration - c.start)) < 1e-6 * (1.0 + clip->duration));
        double time = c.start + (clip->duration - c.start) * (i + 0.123) / 10.123;
        const er_affine *ours = worlds(p, scene, clip, time);
        const er_affine *theirs = worlds(p, c.read, &c.read->clip[0], time - c.start);
        compare_nodes(&c, ours, theirs, time);
        compare_meshes(&c, ours, theirs, time);
    }
    er_scene_destroy(c.read);
    files(p, true);
}

static void scenes_read_back_as_they_were(void **state)
{
    place *p = *state;
    for (int i = 0; scene_names[i] != NULL; ++i) {
        print_message("# %s\n", scene_names[i]);
        const er_scene *scene = make_scene(p->arena, scene_names[i]);
        assert_int_equal(er_scene_validate(p->own, scene), ER_OK);
        judge(p, scene, scene->clip);
    }
}

// Skins that were bound as one pose share its bones, wherever their meshes stood: none is made besides the nodes'.
static void skins_of_one_pose_share_their_joints(void **state)
{
    place *p = *state;
    const er_scene *scene = make_scene(p->arena, "posed");
    assert_int_equal(er_collada_write(p->context, scene, 1, scene->clip, NULL, p->out), ER_OK);
    size_t size;
    char *text = read_bytes(p->out, &size);
    assert_non_null(strstr(text, "<skin "));
    assert_null(strstr(text, "eigenrig-joint"));
    free(text);
}

static void pictures_are_named_safely_and_apart(void **state)
{
    place *p = *state;
    static const struct {
        const char *name, *mime, *file;
    } known[] = {{"C:\\art\\red fox.PNG", "image/png", "red_fox.png"},
                 {"art/Red_Fox", "image/png", "Red_Fox-2.png"}, // alike where letters have no case
                 {"red_fox.jpeg", "image/jpeg", "red_fox.jpg"},
                 {"red_fox.jpg", "image/jpeg", "red_fox-2.jpg"},
                 {"red_fox.Jpg", "image/jpeg", "red_fox-3.jpg"},
                 {"a.b.png", "image/png", "a.b.png"},
                 {"fur.tga", "image/png", "fur.tga.png"},
                 {".hidden", "image/png", "_hidden.png"},
                 {"", "image/png", "picture.png"},
                 {"x/.png", "image/jpeg", "picture.jpg"},
                 {"azAZ09-_\xc3\xa9 %", "image/png", "azAZ09-_____.png"}};
    er_image image[ERI_COUNT(known)];
    er_scene scene = {.image_count = (int)ERI_COUNT(known), .image = image};
    const char *const *name;
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        image[i] = (er_image){.name = known[i].name, .mime = known[i].mime};
    assert_int_equal(eri_dae_name_images(p->arena, &scene, &name), ER_OK);
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        assert_string_equal(name[i], known[i].file);
}

static void any_axis_may_be_up(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "bent");
    const er_vec3 up[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (size_t i = 0; i < ERI_COUNT(up); ++i) {
        scene->up = up[i];
        judge(p, scene, scene->clip);
    }
}

static bool is_model(const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *const endings[] = {".glb", ".gltf", ".fbx", ".dae", ".bvh"};
    for (size_t i = 0; dot != NULL && i < ERI_COUNT(endings); ++i)
        if (strcmp(dot, endings[i]) == 0) return true;
    return false;
}

/// One model of so many, in the folder's order.   @return how many
static int judge_folder(place *p, const char *folder, int every)
{
    int count = 0, seen = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        if (!is_model(e->d_name) || seen++ % every != 0) continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        print_message("# %s\n", e->d_name);
        er_scene *scene = NULL;
        assert_int_equal(er_import_file(p->own, path, NULL, &scene), ER_OK);
        er_clip swing = make_swing(p->arena, scene);
        judge(p, scene, &swing);
        if (scene->clip_count > 0) judge(p, scene, &scene->clip[scene->clip_count - 1]);
        er_scene_destroy(scene);
        eri_arena_reset(p->arena);
        ++count;
    }
    if (d != NULL) closedir(d);
    return count;
}

static void the_models_read_back_as_they_were(void **state)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/models", getenv("EIGENRIG_SOURCE"));
    assert_int_equal(judge_folder(*state, folder, 1), 4);
}

static void real_rigs_read_back_as_they_were(void **state)
{
    if (judge_folder(*state, sample_rigs(), ERI_SANITIZED ? 4 : 1) == 0) {
        print_message("# no rigs in %s; EIGENRIG_RIGS names a folder\n", sample_rigs());
        skip();
    }
}

static void legal_names_are_kept(void **state)
{
    place *p = *state;
    const er_scene *scene = make_scene(p->arena, "bent");
    assert_int_equal(er_collada_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
    comparison c = start(p, scene, NULL);
    for (int i = 0; i < scene->node_count; ++i)
        assert_string_equal(c.read->node[c.node[i]].name, scene->node[i].name);
    assert_string_equal(c.read->clip[0].name, "nod");
    er_scene_destroy(c.read);
}

// XML 1.0 has no U+FFFE, U+FFFF and control characters, escaped or not; all else it has.
static void what_xml_cannot_hold_is_stood_in_for(void **state)
{
    place *p = *state;
    static const struct {
        const char *name, *read;
    } cases[] = {{"a\xEF\xBF\xBE", "a\xEF\xBF\xBD"},
                 {"\xEF\xBF\xBFz", "\xEF\xBF\xBDz"},
                 {"b\x01", "b\xEF\xBF\xBD"},
                 {"c\xEF\xBF\xBD\xEF\xBF\xAE", "c\xEF\xBF\xBD\xEF\xBF\xAE"},
                 {"d<\"&\">\xC3\xA4\xF0\x9F\x90\x8E", "d<\"&\">\xC3\xA4\xF0\x9F\x90\x8E"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        er_scene *scene = make_scene(p->arena, "bent");
        ((er_clip *)(uintptr_t)scene->clip)[0].name = cases[i].name;
        assert_int_equal(er_collada_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
        comparison c = start(p, scene, NULL);
        assert_string_equal(c.read->clip[0].name, cases[i].read);
        er_scene_destroy(c.read);
    }
}

static void materials_and_pictures_come_through(void **state)
{
    place *p = *state;
    const er_scene *scene = make_scene(p->arena, "puppet");
    assert_int_equal(er_collada_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
    comparison c = start(p, scene, NULL);
    const er_material *glass = NULL, *wood = NULL;
    for (int i = 0; i < c.read->material_count; ++i) {
        if (c.read->material[i].base_color_image >= 0) glass = &c.read->material[i];
        if (c.read->material[i].double_sided) wood = &c.read->material[i];
    }
    assert_true(glass != NULL && wood != NULL);
    const er_material *from = &scene->material[1];
    for (int i = 0; i < 4; ++i)
        assert_true(fabsf(wood->base_color[i] - from->base_color[i]) < 1e-6f);
    for (int i = 0; i < 3; ++i)
        assert_true(fabsf(wood->emissive[i] - from->emissive[i]) < 1e-6f);
    assert_true(fabsf(wood->roughness - from->roughness) < 1e-5f);
    assert_int_equal(wood->alpha_mode, ER_ALPHA_BLEND);
    const int images[3] = {glass->base_color_image, glass->normal_image, glass->emissive_image};
    const int wanted[3] = {0, 1, 0};
    for (int i = 0; i < 3; ++i) {
        assert_true(images[i] >= 0);
        const er_image *got = &c.read->image[images[i]], *meant = &scene->image[wanted[i]];
        assert_int_equal(got->size, meant->size);
        assert_memory_equal(got->bytes, meant->bytes, meant->size);
    }
    const er_mesh *mesh = &c.read->mesh[c.read->instance[0].mesh], *puppet = &scene->mesh[0];
    for (int k = 0; k < 3 * puppet->triangle_count; ++k) {
        const float *a = puppet->uv + 2 * (ptrdiff_t)puppet->index[k], *b = mesh->uv + 2 * (ptrdiff_t)mesh->index[k];
        assert_true(fabsf(a[0] - b[0]) < 1e-6f && fabsf(a[1] - b[1]) < 1e-6f);
        a = puppet->color + 4 * (ptrdiff_t)puppet->index[k], b = mesh->color + 4 * (ptrdiff_t)mesh->index[k];
        for (int i = 0; i < 4; ++i)
            assert_true(fabsf(a[i] - b[i]) < 1e-6f);
    }
    er_scene_destroy(c.read);
}

static void equal_input_gives_equal_bytes(void **state)
{
    place *p = *state;
    const er_scene *scene = make_scene(p->arena, "puppet");
    size_t size, again_size;
    assert_int_equal(er_collada_write(p->context, scene, 0, NULL, NULL, p->out), ER_OK);
    char *bytes = read_bytes(p->out, &size);
    assert_int_equal(er_collada_write(p->own, scene, 1, scene->clip, NULL, p->out),
                     ER_OK); // the pictures are there already
    char *again = read_bytes(p->out, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    free(bytes);
    free(again);
}

// --- failures

static void bad_arguments_are_refused(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "bent");
    assert_arguments_refused(p, er_collada_write, scene, ".dae");
    assert_refused(p, er_collada_write, scene, NULL, "-", ER_ERROR_ARGUMENT, ".dae");
}

static void a_file_holds_one_clip(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "bent");
    er_clip two[2] = {scene->clip[0], scene->clip[0]}, still = {"still", 0.0, 0, NULL};
    assert_refusal(p->context, er_collada_write(p->context, scene, 2, two, NULL, p->out), ER_ERROR_ARGUMENT, p->out);
    scene->clip = two;
    scene->clip_count = 2;
    assert_refused(p, er_collada_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, "2");
    two[1].name = "chosen";
    assert_int_equal(er_collada_write(p->context, scene, 1, &two[1], NULL, p->out), ER_OK);
    comparison c = start(p, scene, NULL);
    assert_int_equal(c.read->clip_count, 1);
    assert_string_equal(c.read->clip[0].name, "chosen");
    er_scene_destroy(c.read);
    er_scene *parts = make_scene(p->arena, "parts");
    parts->clip_count = 0;
    judge(p, parts, NULL);
    assert_int_equal(er_collada_write(p->context, scene, 1, &still, NULL, p->out), ER_OK);
    c = start(p, scene, NULL);
    assert_int_equal(c.read->clip_count, 0);
    er_scene_destroy(c.read);
}

static void broken_scenes_and_clips_are_refused(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "bent");
    assert_broken_refused(p, er_collada_write, scene);
    ((er_node *)(uintptr_t)scene->node)[1].local.translation.y = 1e300; // finite, but not as a float
    assert_refused(p, er_collada_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, "1e+300");
}

static void places_that_cannot_be_written_are_told(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "puppet");
    assert_int_equal(mkdir(p->out, 0777), 0);
    assert_refused(p, er_collada_write, scene, NULL, p->out, ER_ERROR_FILE,
                   p->out); // and takes its pictures away again
    assert_int_equal(rmdir(p->out), 0);
}

static void a_picture_in_the_way_is_never_overwritten(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "puppet");
    FILE *file = fopen(p->beside, "w");
    fputs("another picture", file);
    fclose(file);
    assert_refusal(p->context, er_collada_write(p->context, scene, 0, NULL, NULL, p->out), ER_ERROR_FILE, p->beside);
    assert_int_equal(files(p, false), 1);
    size_t size;
    char *kept = read_bytes(p->beside, &size);
    assert_string_equal(kept, "another picture");
    free(kept);
}

static void the_end_of_memory_is_one_error_and_no_leak(void **state)
{
    place *p = *state;
    for (int i = 0; scene_names[i] != NULL; ++i)
        assert_outlasts_memory(p, er_collada_write, &p->ledger, make_scene(p->arena, scene_names[i]), 0, NULL, p->out,
                               ER_ERROR_MEMORY);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_read_back_as_they_were),
        TEST(skins_of_one_pose_share_their_joints),
        TEST(pictures_are_named_safely_and_apart),
        TEST(any_axis_may_be_up),
        TEST(the_models_read_back_as_they_were),
        TEST(real_rigs_read_back_as_they_were),
        TEST(legal_names_are_kept),
        TEST(what_xml_cannot_hold_is_stood_in_for),
        TEST(materials_and_pictures_come_through),
        TEST(equal_input_gives_equal_bytes),
        TEST(bad_arguments_are_refused),
        TEST(a_file_holds_one_clip),
        TEST(broken_scenes_and_clips_are_refused),
        TEST(places_that_cannot_be_written_are_told),
        TEST(a_picture_in_the_way_is_never_overwritten),
        TEST(the_end_of_memory_is_one_error_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
