// Compares the files of er_fbx_write() with the scene and with what readers of FBX need, record by record. test_fbx.c
// reads them through Assimp, which looks at little of it.
#include <stdio.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "../bytes.h"
#include "formats/fbx/fbx_records.h"
#include "made.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/place.h"
#include "tree.h"

static int open_place(void **state)
{
    return place_open(state, "out.fbx", "again.fbx", "");
}

static fbx_file written(place *p, const er_scene *scene, int clip_count, const er_clip *clip)
{
    if (er_fbx_write(p->own, scene, clip_count, clip, NULL, p->out) != ER_OK) fail_msg("%s", er_context_error(p->own));
    return fbx_read(p->arena, p->out);
}

// --- settings

static er_vec3 axis_of(const fbx_record *settings, const char *axis, const char *sign)
{
    int i = (int)fbx_number(settings, axis);
    double s = fbx_number(settings, sign);
    assert_true(i >= 0 && i < 3 && fabs(s) == 1.0);
    return er_v3(i == 0 ? s : 0.0, i == 1 ? s : 0.0, i == 2 ? s : 0.0);
}

// The axis next to where the scene has up; Y, where two are as near. Right, up and front are a right-handed set.
static void axes_are_right_handed_whatever_is_up(void **state)
{
    place *p = *state;
    static const struct {
        er_vec3 up, axis;
    } cases[] = {{{1, 0, 0}, {1, 0, 0}},
                 {{0, 1, 0}, {0, 1, 0}},
                 {{0, 0, 1}, {0, 0, 1}},
                 {{-1, 0, 0}, {-1, 0, 0}},
                 {{0, -1, 0}, {0, -1, 0}},
                 {{0, 0, -1}, {0, 0, -1}},
                 {{0.6, 0, -0.8}, {0, 0, -1}},
                 {{-0.8, 0.6, 0}, {-1, 0, 0}},
                 {{0.48, 0.64, 0.6}, {0, 1, 0}},
                 {{0.36, 0.48, 0.8}, {0, 0, 1}},
                 {{M_SQRT1_2, M_SQRT1_2, 0}, {0, 1, 0}}};
    er_scene *scene = made_scene(p->arena, "strip");
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        scene->up = cases[i].up;
        fbx_file file = written(p, scene, 0, NULL);
        const fbx_record *settings = fbx_one(&file.root, "GlobalSettings");
        er_vec3 up = axis_of(settings, "UpAxis", "UpAxisSign"), right = axis_of(settings, "CoordAxis", "CoordAxisSign"),
                front = axis_of(settings, "FrontAxis", "FrontAxisSign");
        assert_true(er_v3_distance(up, cases[i].axis) == 0.0);
        assert_true(er_v3_distance(er_v3_cross(right, up), front) == 0.0);
        assert_true(er_v3_dot(right, up) == 0.0 && fbx_number(settings, "CoordAxisSign") == 1.0);
        assert_true(fbx_number(settings, "OriginalUpAxis") == -1.0);
        assert_true(fbx_number(settings, "OriginalUpAxisSign") == 1.0);
        assert_int_equal(fbx_int(settings, "Version"), 1000);
        assert_true(fbx_number(settings, "UnitScaleFactor") == 1.0); // centimetres
        assert_true(fbx_number(settings, "OriginalUnitScaleFactor") == 1.0);
    }
}

// Autodesk's FbxTime::EMode; 14 is any other rate, which stands beside it.
static void frame_rates_have_the_numbers_of_fbx(void **state)
{
    place *p = *state;
    static const struct {
        double fps;
        int mode;
        double custom;
    } cases[] = {{0, 6, -1},
                 {120, 1, -1},
                 {100, 2, -1},
                 {60, 3, -1},
                 {50, 4, -1},
                 {48, 5, -1},
                 {30, 6, -1},
                 {29.97, 9, -1},
                 {25, 10, -1},
                 {24, 11, -1},
                 {1000, 12, -1},
                 {23.976, 13, -1},
                 {96, 15, -1},
                 {72, 16, -1},
                 {59.94, 17, -1},
                 {119.88, 18, -1},
                 {12.5, 14, 12.5},
                 {15, 14, 15},
                 {29.99999, 6, -1},
                 {60.00003, 3, -1},
                 {29.9999, 14, 29.9999},
                 {30.0001, 14, 30.0001}};
    er_scene *scene = made_scene(p->arena, "bones");
    scene->clip_count = 0;
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        scene->fps = cases[i].fps;
        fbx_file file = written(p, scene, 0, NULL);
        const fbx_record *settings = fbx_one(&file.root, "GlobalSettings");
        assert_int_equal(fbx_number(settings, "TimeMode"), cases[i].mode);
        assert_true(fbx_number(settings, "CustomFrameRate") == cases[i].custom);
        assert_true(fbx_number(settings, "TimeSpanStart") == 0.0 && fbx_number(settings, "TimeSpanStop") == 0.0);
    }
}

// --- Models

static bool is_limb(const fbx_record *model)
{
    return model != NULL && strcmp(fbx_type(model), "LimbNode") == 0;
}

// A node that a reader of FBX put there stands for FBX's own root; any other of that name is a node, which has another.
static void only_a_root_that_does_nothing_is_the_files_own(void **state)
{
    place *p = *state;
    static const double time[] = {0, 1}, shift[] = {0, 0, 0, 0, 1, 0};
    enum { OWN, NAMED, KEYED, JOINT, DRAWN, MOVED, SECOND_ROOT, CASES };
    for (int kind = 0; kind < CASES; ++kind) {
        hand h;
        hand_init(&h);
        er_affine at = hand_at(kind == MOVED ? 1e-9 : 0, 0, 0);
        hand_node(&h, kind == NAMED ? "root node" : "RootNode", -1, at);
        hand_node(&h, "hip", kind == SECOND_ROOT ? -1 : 0, hand_at(0, 1, 0));
        hand_node(&h, "RootNode", 0, hand_at(0, 2, 0));
        h.node[1].flags |= ER_NODE_JOINT;
        if (kind == JOINT) h.node[0].flags |= ER_NODE_JOINT;
        hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
        hand_draw(&h, kind == DRAWN ? 0 : 1, 0, -1);
        const er_channel channel = {kind == KEYED ? 0 : 1, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift};
        const er_clip clip = {"clip", 1.0, 1, &channel};
        fbx_file file = written(p, &h.scene, 1, &clip);
        const fbx_record *first = fbx_nth(&file, "Model", 0);
        const char *want = kind == OWN ? "hip" : kind == NAMED ? "root node" : "RootNode (2)";
        assert_string_equal(first->value[1].text, want);
        assert_memory_equal(first->value[1].text + strlen(want) + 1, "\1Model", 7);
        const fbx_record *last = fbx_nth(&file, "Model", kind == OWN ? 1 : 2);
        assert_string_equal(last->value[1].text, kind == OWN || kind == NAMED ? "RootNode (2)" : "RootNode (3)");
        int roots = 0;
        for (int k = 0; k < file.link_count; ++k)
            roots += file.link[k].parent == 0;
        assert_int_equal(roots, kind == OWN || kind == SECOND_ROOT ? 2 : 1);
    }
}

// --- skins

static double off(er_affine a, er_affine b)
{
    double worst = er_v3_distance(a.translation, b.translation), size = er_v3_norm(b.translation);
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, er_v3_distance(er_m3_column(a.linear, k), er_m3_column(b.linear, k)));
        size = fmax(size, er_v3_norm(er_m3_column(b.linear, k)));
    }
    return worst / size;
}

static er_affine pose_of(const fbx_file *file, const fbx_record *model)
{
    const fbx_record *pose = fbx_nth(file, "Pose", 0), *found = NULL;
    assert_non_null(pose);
    for (int i = 0; i < pose->record_count; ++i) {
        if (strcmp(pose->record[i].name, "PoseNode") != 0) continue;
        const fbx_record *node = fbx_one(&pose->record[i], "Node");
        if (node->value[0].integer != fbx_id(model)) continue;
        assert_null(found);
        found = &pose->record[i];
    }
    if (found == NULL) fail_msg("%s is not in the pose", model->value[1].text);
    return fbx_matrix(found, "Matrix");
}

// The Model that draws a skin stands where its clusters were bound, in the bind pose too.
static void expect_bound(const fbx_file *file, const fbx_record *draws)
{
    const fbx_record *geometry = fbx_child(file, fbx_id(draws), NULL, "Geometry", 0), *deformer, *cluster;
    deformer = fbx_child(file, fbx_id(geometry), NULL, "Deformer", 0);
    assert_non_null(deformer);
    assert_true(off(pose_of(file, draws), fbx_world(file, draws)) < 2e-6);
    int count = 0;
    for (; (cluster = fbx_child(file, fbx_id(deformer), NULL, "Deformer", count)) != NULL; ++count) {
        er_affine link = fbx_matrix(cluster, "TransformLink"), transform = fbx_matrix(cluster, "Transform");
        assert_true(off(er_affine_mul(link, transform), fbx_world(file, draws)) < 2e-6);
        assert_true(off(pose_of(file, fbx_child(file, fbx_id(cluster), NULL, "Model", 0)), link) == 0.0);
    }
    assert_true(count >= 2);
}

// The Model that draws a skin stands where its clusters were bound, here at the file's root. It is the node's own Model
// or below it. It is below the root if the node shears, or if the node's own Model draws another skin.
static void skins_are_drawn_by_a_model_of_their_own_where_the_nodes_cannot(void **state)
{
    place *p = *state;
    static const double time[] = {0, 1}, shift[] = {0, 0, 0, 0, 1, 0};
    static const int joints[] = {0, 1};
    enum { THERE, ELSEWHERE, CARRIES, KEYED, LIMB, TWICE, BOTH, SHEARS, CASES };
    enum { OWN, BELOW, AT_ROOT };
    static const int wanted[CASES] = {OWN, OWN, BELOW, BELOW, BELOW, AT_ROOT, BELOW, AT_ROOT};
    for (int kind = 0; kind < CASES; ++kind) {
        hand h;
        hand_init(&h);
        hand_node(&h, "arm", -1, hand_turned(er_v3(0, 1, 0), er_v3(0.2, 0, 0.1), er_v3(1, 1, 1)));
        hand_node(&h, "hand", 0, hand_turned(er_v3(0, 1, 0), er_v3(0, 0.3, 0), er_v3(1, 1, 1)));
        int above = -1;
        if (kind == SHEARS)
            above = hand_node(&h, "stretch", -1, hand_turned(er_v3(0, 0, 0), er_v3(0, 0, 0.5), er_v3(1, 3, 1)));
        er_affine stands = hand_turned(er_v3(1, 2, 3), er_v3(0, 0.4, 0.7), er_v3(1, 1, 1));
        int node = hand_node(&h, "node", above, kind == THERE ? er_affine_identity() : stands);
        if (kind == CARRIES) hand_node(&h, "ring", node, hand_at(0, 1, 0));
        if (kind == LIMB) h.node[node].flags |= ER_NODE_JOINT;
        hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
        hand_box(&h, er_v3(0, 1, 0), er_v3(1, 2, 1), 1);
        hand_skin(&h, "one", 2, joints);
        if (kind == TWICE) hand_skin(&h, "two", 2, joints);
        hand_draw(&h, node, 0, 0);
        if (kind == TWICE) hand_draw(&h, node, 0, 1);
        if (kind == BOTH) hand_draw(&h, node, 0, -1);
        const er_channel channel = {node, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift};
        const er_clip clip = {"clip", 1.0, 1, &channel};
        fbx_file file = written(p, &h.scene, kind == KEYED, &clip);
        int models = fbx_count(&file, "Model");
        const fbx_record *own = fbx_nth(&file, "Model", node), *last = fbx_nth(&file, "Model", models - 1);
        if (models != h.scene.node_count + (wanted[kind] != OWN)) fail_msg("case %d has %d models", kind, models);
        const fbx_record *draws = wanted[kind] == OWN ? own : last, *on = fbx_above(&file, draws);
        assert_string_equal(fbx_type(draws), "Mesh");
        expect_bound(&file, draws);
        assert_true(er_v3_norm(fbx_world(&file, draws).translation) < 1e-12);
        if (wanted[kind] == BELOW) assert_true(on == own);
        if (wanted[kind] == AT_ROOT) assert_null(on);
        if (wanted[kind] != OWN) assert_memory_equal(draws->value[1].text, "mesh", 5); // called as what it draws
        bool keeps = kind != ELSEWHERE && kind != TWICE; // a node whose Model draws a skin goes there
        if (keeps && kind != THERE)
            assert_true(er_v3_distance(fbx_vector(own, "Lcl Translation"), er_v3(100, 200, 300)) < 1e-9);
    }
}

// A limb draws nothing itself: its mesh is on a Model below it, in its place.
static void what_a_limb_draws_is_below_it(void **state)
{
    place *p = *state;
    hand h;
    hand_init(&h);
    hand_node(&h, "arm", -1, hand_turned(er_v3(0, 1, 0), er_v3(0.2, 0, 0.1), er_v3(1, 2, 1)));
    hand_node(&h, "hand", 0, hand_turned(er_v3(0, 1, 0), er_v3(0, 0.3, 0), er_v3(1, 1, 1)));
    h.node[0].flags = h.node[1].flags = ER_NODE_JOINT;
    hand_mesh(&h);
    hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
    hand_draw(&h, 1, 0, -1);
    fbx_file file = written(p, &h.scene, 0, NULL);
    const fbx_record *limb = fbx_nth(&file, "Model", 1), *draws = fbx_nth(&file, "Model", 2);
    assert_int_equal(fbx_count(&file, "Model"), 3);
    assert_true(is_limb(limb) && fbx_above(&file, draws) == limb);
    assert_string_equal(fbx_type(draws), "Mesh");
    assert_true(off(fbx_world(&file, draws), fbx_world(&file, limb)) < 1e-12);
    assert_non_null(fbx_child(&file, fbx_id(draws), NULL, "Geometry", 0));
}

// --- documents

static void a_dash_is_standard_output(void **state)
{
    place *p = *state;
    assert_goes_to_standard_output(p, er_fbx_write, made_scene(p->arena, "strip"), p->out);
}

// The first failure is kept, and nothing comes after it.
static void a_document_keeps_its_first_failure(void **state)
{
    place *p = *state;
    for (int kind = 0; kind < 3; ++kind) {
        eri_fbx_document d;
        eri_fbx_begin(&d, p->arena, p->out);
        eri_fbx_put_head(&d, 1, 1, 0, 0.0);
        static const double nothing;
        if (kind == 0) eri_fbx_fail(&d, ER_ERROR_ARGUMENT, "it is %d", 7);
        if (kind == 1) eri_fbx_put_doubles(&d, "Huge", &nothing, (size_t)INT32_MAX / 8 + 1);
        if (kind == 2) {
            eri_fbx_open(&d, "Last");
            d.file.size = INT32_MAX; // as many bytes as there may be
            eri_fbx_add_text(&d, "more");
        }
        eri_fbx_fail(&d, ER_ERROR_FORMAT, "second");
        er_result want = kind == 0 ? ER_ERROR_ARGUMENT : ER_ERROR_FILE;
        assert_refusal(p->own, d.failure, want, kind == 0 ? "it is 7" : "2 GiB");
        assert_memory_equal(er_context_error(p->own), p->out, strlen(p->out));
        size_t before = d.file.size;
        int links = (int)d.links.size, depth = d.depth;
        eri_fbx_open(&d, "A");
        eri_fbx_put_int(&d, "B", 1);
        eri_fbx_add_doubles(&d, (const double[40]){0}, 40);
        eri_fbx_connect(&d, 1, 0, NULL);
        eri_fbx_close(&d);
        assert_true(d.file.size == before && (int)d.links.size == links && d.depth == depth && d.zlib_memory == NULL);
        assert_int_equal(eri_fbx_save(&d), want);
        assert_int_equal(files(p, false), 0);
        eri_fbx_finish(&d);
    }
}

// Hashes all records and values, numbers to nine digits: the last digits of angles depend on the machine.
static uint64_t hash_record(uint64_t hash, const fbx_record *record)
{
    char number[32];
    hash = hash_bytes(hash, record->name, strlen(record->name) + 1);
    for (int i = 0; i < record->value_count; ++i) {
        const fbx_value *v = &record->value[i];
        hash = hash_bytes(hash, &v->kind, 1);
        if (v->kind == 'S' || v->kind == 'R') hash = hash_bytes(hash, v->text, v->count);
        if (strchr("CIL", v->kind) != NULL) hash = hash_bytes(hash, &v->integer, sizeof v->integer);
        if (v->kind == 'D') hash = hash_bytes(hash, number, (size_t)sprintf(number, "%.9g", v->number + 0.0));
        for (size_t k = 0; strchr("ilfd", v->kind) != NULL && k < v->count; ++k)
            hash = v->kind == 'i' || v->kind == 'l'
                       ? hash_bytes(hash, &v->whole[k], sizeof v->whole[k])
                       : hash_bytes(hash, number, (size_t)sprintf(number, v->kind == 'f' ? "%.6g" : "%.9g", v->of[k]));
    }
    for (int i = 0; i < record->record_count; ++i)
        hash = hash_record(hash, &record->record[i]);
    return hash_bytes(hash, "}", 1);
}

static void scenes_have_these_records(void **state)
{
    static const known_bytes known[] = {{"strip", 0xe74d778dc15de6c8},
                                        {"parts", 0xd9b5099d585dded1},
                                        {"crowd", 0x5c3062aca742c116},
                                        {"bones", 0x00f56537df6a83b2},
                                        {"blank", 0xe9fe0fc88fdd649d},
                                        {"tumble", 0x8cd99ccaa2eda82c},
                                        {NULL, 0}};
    static const char *const names[] = {"strip", "parts", "crowd", "bones", "blank", "tumble"};
    place *p = *state;
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        const er_scene *scene = made_scene(p->arena, names[i]);
        const er_clip clip = made_clip(p->arena, scene, "mode"), clips[2] = {clip, clip};
        fbx_file file = written(p, scene, scene->node_count < 100 ? 2 : 0, clips);
        expect_hash(hash_record(0, &file.root), names[i], known);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_have_these_records),
        TEST(axes_are_right_handed_whatever_is_up),
        TEST(frame_rates_have_the_numbers_of_fbx),
        TEST(only_a_root_that_does_nothing_is_the_files_own),
        TEST(skins_are_drawn_by_a_model_of_their_own_where_the_nodes_cannot),
        TEST(what_a_limb_draws_is_below_it),
        TEST(a_dash_is_standard_output),
        TEST(a_document_keeps_its_first_failure),
    };
    return cmocka_run_group_tests_name("fbx_bytes", tests, NULL, NULL);
}
