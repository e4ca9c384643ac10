// How a scene is laid out as Collada: axes, names, the one bind pose of all skins; and the keys of its clip.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "formats/collada/collada_plan.h"
#include "scene/trs.h"
#include "scene/writing.h"
#include "scenes.h"
#include "support/hand.h"
#include "support/place.h"
#include "tree.h"

static int open_place(void **state)
{
    return place_open(state, "out.dae", "again.dae", "");
}

static eri_dae_plan planned(place *p, const er_scene *scene)
{
    eri_xml *xml = ERI_NEW(p->arena, eri_xml, 1);
    eri_dae_plan plan;
    eri_xml_start(xml, p->arena, p->out);
    assert_int_equal(eri_dae_make_plan(xml, scene, &plan), ER_OK);
    return plan;
}

// The largest entry that two transforms differ by, relative to those of the second.
static double apart(er_affine a, er_affine b)
{
    double worst = er_v3_distance(a.translation, b.translation), size = er_v3_norm(b.translation);
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, er_v3_distance(er_m3_column(a.linear, k), er_m3_column(b.linear, k)));
        size = fmax(size, er_v3_norm(er_m3_column(b.linear, k)));
    }
    return worst / size;
}

// --- axes

static void up_becomes_y_by_the_shortest_turn_or_stays_z(void **state)
{
    place *p = *state;
    static const er_vec3 ups[] = {{0, 0, 1},  {0, 1, 0},     {1, 0, 0},      {-1, 0, 0},   {0, 0, -1},
                                  {0, -1, 0}, {0.6, 0, 0.8}, {0, 0.6, -0.8}, {0, 6e-7, 1}, {0, 6e-6, 1}};
    for (size_t i = 0; i < ERI_COUNT(ups); ++i) {
        er_scene *scene = make_scene(p->arena, "leaning");
        scene->up = ups[i];
        eri_dae_plan plan = planned(p, scene);
        bool z = i == 0 || i == 8;
        assert_string_equal(plan.up_axis, z ? "Z_UP" : "Y_UP");
        if (z) assert_true(apart(plan.turn, er_affine_identity()) == 0.0);
        if (z) continue;
        er_vec3 turned = er_m3_mul_v(plan.turn.linear, ups[i]);
        assert_true(er_v3_distance(turned, er_v3(0, 1, 0)) < 1e-9 && er_m3_det(plan.turn.linear) > 0.999);
        double angle = er_v3_norm(er_q_log(er_q_from_m3(plan.turn.linear)));
        assert_true(fabs(angle - acos(fmax(-1, fmin(1, ups[i].y)))) < 1e-7);
        er_affine world = er_affine_identity();
        for (int n = 0; n < scene->node_count; ++n) {
            bool root = scene->node[n].parent < 0;
            er_affine local = root ? er_affine_mul(plan.turn, scene->node[n].local) : scene->node[n].local;
            assert_true(apart(plan.local[n], local) < 1e-12);
            world = root ? local : er_affine_mul(plan.world[scene->node[n].parent], local);
            assert_true(apart(plan.world[n], world) < 1e-12);
        }
    }
}

// --- names

// Blender knows a bone by its name, or by its id where it has none: a name is left out that is empty, longer than 63
// bytes, taken, or the id of another.
static void names_that_blender_would_take_for_others_are_left_out(void **state)
{
    place *p = *state;
    static const char long_63[] = "a name of sixty-three bytes, which is as long as Blender allows",
                      long_64[] = "a name of sixty-four bytes, which is longer than Blender allows.";
    static const struct {
        const char *name, *id, *kept;
    } cases[] = {{"hip", "hip", "hip"},
                 {"left leg", "left_leg", "left leg"},
                 {"left leg", "left_leg-2", NULL},
                 {"left_leg", "left_leg-3", NULL}, // the id of the second
                 {"", "node", NULL},
                 {"hip", "hip-2", NULL},
                 {"hip-2", "hip-2-2", NULL},
                 {long_63, "a_name_of_sixty-three_bytes__which_is_as_long_as_Blender_allows", long_63},
                 {long_64, "a_name_of_sixty-four_bytes__which_is_longer_than_Blender_allows", NULL},
                 {"node", "node-2", NULL},
                 {"right leg", "right_leg", "right leg"}};
    hand h;
    hand_init(&h);
    assert_true(strlen(long_63) == 63 && strlen(long_64) == 64);
    for (int i = 0; i < (int)ERI_COUNT(cases); ++i)
        hand_node(&h, cases[i].name, i - 1, hand_at(0, 1, 0));
    eri_dae_plan plan = planned(p, &h.scene);
    for (int i = 0; i < (int)ERI_COUNT(cases); ++i) {
        assert_string_equal(plan.bone[i].id, cases[i].id);
        if ((plan.name[i] != NULL) != (cases[i].kept != NULL)) fail_msg("\"%s\" is %s", cases[i].name, plan.name[i]);
        if (cases[i].kept != NULL) assert_string_equal(plan.name[i], cases[i].kept);
    }
    assert_string_equal(plan.scene_id, "Scene");
    assert_true(!plan.top_made && strcmp(plan.top_id, "hip") == 0);
    h.node[3].parent = -1;
    plan = planned(p, &h.scene);
    assert_true(plan.top_made && strcmp(plan.top_id, "eigenrig-root") == 0);
    h.scene.node_count = 0;
    plan = planned(p, &h.scene);
    assert_true(!plan.top_made && strcmp(plan.top_id, "") == 0);
}

// --- the bind pose

static er_affine matrix_wanted(const er_scene *scene, const eri_dae_drawn *drawn, int k)
{
    const er_instance *one = &scene->instance[drawn->instance];
    if (one->skin < 0 || k == scene->skin[one->skin].joint_count) return er_affine_identity();
    return scene->skin[one->skin].inverse_bind[k];
}

static int node_wanted(const er_scene *scene, const eri_dae_drawn *drawn, int k)
{
    const er_instance *one = &scene->instance[drawn->instance];
    if (one->skin < 0 || k == scene->skin[one->skin].joint_count) return one->node;
    return scene->skin[one->skin].joint[k];
}

// Checks the promises of collada_plan.h, which the writer, Blender and Godot rely on.
static void expect_sound_plan(const er_scene *scene, const eri_dae_plan *plan)
{
    bool *listed = calloc((size_t)scene->node_count + 1, sizeof *listed);
    int drawn = 0;
    for (int i = 0; i < scene->instance_count; ++i)
        drawn += eri_mesh_is_drawn(&scene->mesh[scene->instance[i].mesh]);
    assert_int_equal(plan->drawn_count, drawn);
    for (int b = 0; b < plan->bone_count; ++b) {
        const eri_dae_bone *bone = &plan->bone[b];
        assert_true(b < scene->node_count ? bone->node == b : bone->bound && bone->posed);
        for (int i = 0; i < b; ++i)
            assert_true(strcmp(plan->bone[i].id, bone->id) != 0);
        if (b >= scene->node_count) assert_memory_equal(bone->id, "eigenrig-joint", 14);
    }
    for (int i = 0; i < scene->node_count; ++i) { // each extra bone stands in the list of its node
        int count = 0;
        for (int b = plan->bone[i].next; b != -1; b = plan->bone[b].next) {
            assert_true(b >= scene->node_count && plan->bone[b].node == i);
            ++count;
        }
        for (int b = scene->node_count; b < plan->bone_count; ++b)
            count -= plan->bone[b].node == i;
        assert_int_equal(count, 0);
        int parent = scene->node[i].parent;
        er_affine inverse, rest = parent < 0 ? plan->local[i] : er_affine_mul(plan->bind[parent], plan->local[i]);
        bool held = plan->bone[i].bound && eri_affine_invert(plan->bone[i].inverse_bind, &inverse);
        if (!held) assert_true(apart(plan->bind[i], rest) < 1e-12 && !plan->bone[i].posed);
        if (!held) continue;
        assert_true(apart(plan->bind[i], inverse) < 1e-12);
        double off = apart(rest, inverse);
        if (off > 1.5e-5 || off < 0.5e-5) assert_int_equal(plan->bone[i].posed, off > 1e-5);
    }
    for (int d = 0; d < plan->drawn_count; ++d) {
        const eri_dae_drawn *one = &plan->drawn[d];
        const er_instance *instance = &scene->instance[one->instance];
        int joints = instance->skin >= 0 ? scene->skin[instance->skin].joint_count : 0;
        bool unweighted = instance->skin < 0 || eri_mesh_has_unweighted(&scene->mesh[instance->mesh]);
        assert_int_equal(one->bone_count, joints + unweighted);
        if (d > 0) assert_true(one->instance > plan->drawn[d - 1].instance);
        for (int k = 0; k < one->bone_count; ++k) {
            const eri_dae_bone *bone = &plan->bone[one->bone[k]];
            for (int i = 0; i < k; ++i)
                assert_int_not_equal(one->bone[i], one->bone[k]);
            assert_int_equal(bone->node, node_wanted(scene, one, k));
            er_affine unused, wanted = matrix_wanted(scene, one, k);
            if (eri_affine_invert(wanted, &unused)) // inverse(B) S = K
                assert_true(apart(er_affine_mul(bone->inverse_bind, one->bind_shape), wanted) < 3e-5);
            listed[bone->node] = true;
        }
        for (int k = 0; k < one->above_count; ++k) { // once each, where the bind pose has them
            const eri_dae_bone *bone = &plan->bone[one->above[k]];
            assert_true(one->above[k] < scene->node_count && !bone->bound && !listed[bone->node]);
            assert_true(apart(er_affine_mul(bone->inverse_bind, plan->bind[bone->node]), er_affine_identity()) < 1e-9);
            listed[bone->node] = true;
        }
    }
    for (int i = scene->node_count; i-- > 0;) { // what hangs above a joint that is listed is too
        er_affine unused;
        int parent = scene->node[i].parent;
        if (listed[i] && parent != -1) assert_true(listed[parent] || !eri_affine_invert(plan->bind[parent], &unused));
        if (listed[i] && parent != -1) listed[parent] = true;
    }
    free(listed);
}

static const er_vec3 one = {1, 1, 1};

// Where skins have the joint at node i bound.
static er_affine bound_at(int i)
{
    return hand_turned(er_v3(0.3 * i, 1.0 + i, 0), er_v3(0.4 * i, 0.2, 0.1 * i), one);
}

// Four joints in a row below an armature, at rest elsewhere than bound; a mesh of a box a joint.
static void make_row(hand *h)
{
    hand_init(h);
    for (int i = 0; i < 5; ++i)
        hand_node(h, "joint", i - 1, hand_turned(er_v3(0.1 * i, 1, 0.2), er_v3(0.1 * i, 0.3, -0.2), one));
    hand_node(h, "mesh", -1, hand_at(5, 0, 0));
}

// A skin of a mesh that stands at `mesh` in the bind pose, drawn at the last node.
static void add_skin(hand *h, int count, const int *nodes, er_affine mesh)
{
    int s = hand_skin(h, "skin", count, nodes), m = hand_mesh(h);
    for (int k = 0; k < count; ++k) {
        hand_box(h, er_v3(0, k, 0), er_v3(1, k + 1, 1), k);
        h->inverse_bind[s][k] = er_affine_mul(er_affine_inverse(bound_at(nodes[k])), mesh);
    }
    hand_draw(h, 5, m, s);
}

// Joints are made besides the nodes' only where skins do not agree: none for meshes of their own places, one for a
// joint that is bound otherwise by a hundred-thousandth, two for one that comes thrice.
static void joints_are_added_only_where_skins_disagree(void **state)
{
    place *p = *state;
    static const struct {
        double off;
        int more;
    } cases[] = {{0, 0}, {3e-6, 0}, {3e-5, 1}, {0.1, 1}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand h;
        make_row(&h);
        add_skin(&h, 3, (const int[]){1, 2, 3}, er_affine_identity());
        add_skin(&h, 3, (const int[]){2, 3, 4}, hand_turned(er_v3(1, 2, 3), er_v3(0.3, 0, 0.5), er_v3(2, 2, 2)));
        h.inverse_bind[1][1].translation.x += cases[i].off * er_v3_norm(h.inverse_bind[1][1].translation);
        eri_dae_plan plan = planned(p, &h.scene);
        expect_sound_plan(&h.scene, &plan);
        assert_int_equal(plan.bone_count, h.scene.node_count + cases[i].more);
        if (cases[i].more) assert_int_equal(plan.bone[6].node, 3);
    }
    hand h;
    make_row(&h);
    add_skin(&h, 4, (const int[]){1, 2, 2, 2}, er_affine_identity());
    eri_dae_plan plan = planned(p, &h.scene);
    expect_sound_plan(&h.scene, &plan);
    assert_int_equal(plan.bone_count, 8);
    assert_true(plan.bone[2].next == 6 && plan.bone[6].next == 7 && plan.bone[7].next == -1);
}

// The first skin says where its mesh stands by its first joint at rest; flat binds say nothing.
static void a_skin_is_put_where_its_first_joint_rests(void **state)
{
    place *p = *state;
    hand h;
    make_row(&h);
    add_skin(&h, 3, (const int[]){2, 1, 3}, er_affine_identity());
    eri_dae_plan plan = planned(p, &h.scene);
    expect_sound_plan(&h.scene, &plan);
    assert_true(apart(plan.drawn[0].bind_shape, er_affine_mul(plan.world[2], h.inverse_bind[0][0])) < 1e-12);
    assert_true(!plan.bone[2].posed || plan.bone[1].posed);
    memset(&h.inverse_bind[0][0].linear, 0, sizeof h.inverse_bind[0][0].linear);
    plan = planned(p, &h.scene);
    assert_true(apart(plan.drawn[0].bind_shape, er_affine_mul(plan.world[1], h.inverse_bind[0][1])) < 1e-12);
    memset(h.inverse_bind[0], 0, sizeof h.inverse_bind[0]);
    plan = planned(p, &h.scene);
    assert_true(apart(plan.drawn[0].bind_shape, er_affine_identity()) == 0.0);
    make_row(&h); // a later skin goes by a joint that is bound already, its first such
    add_skin(&h, 2, (const int[]){1, 2}, er_affine_identity());
    add_skin(&h, 3, (const int[]){3, 2, 1}, hand_at(0, 3, 0));
    memset(&h.inverse_bind[1][1].linear, 0, sizeof h.inverse_bind[1][1].linear);
    plan = planned(p, &h.scene);
    er_affine wanted = er_affine_mul(er_affine_inverse(plan.bone[1].inverse_bind), h.inverse_bind[1][2]);
    assert_true(apart(plan.drawn[1].bind_shape, wanted) < 1e-12);
}

// --- keys

typedef struct keys {
    int count;
    double *time;
    er_affine *local;
} keys;

// The keys of a joint's matrices; none where nothing moves it.
static keys keys_of(place *p, const dae_element *root, const char *joint)
{
    char target[80];
    keys k = {0};
    snprintf(target, sizeof target, "%s/transform", joint);
    for (const dae_element *e = NULL; (e = dae_next(root, "animation", e)) != NULL;) {
        if (strcmp(dae_attribute(dae_one(e, "channel"), "target"), target) != 0) continue;
        assert_int_equal(k.count, 0);
        const dae_element *sampler = dae_referred(root, dae_attribute(dae_one(e, "channel"), "source"), "sampler");
        assert_true(sampler->parent == e);
        dae_source time = dae_input(p->arena, root, sampler, "INPUT"),
                   value = dae_input(p->arena, root, sampler, "OUTPUT"),
                   how = dae_input(p->arena, root, sampler, "INTERPOLATION");
        assert_string_equal(time.names, "TIME");
        assert_string_equal(time.type, "float");
        assert_string_equal(value.names, "TRANSFORM");
        assert_string_equal(value.type, "float4x4");
        assert_string_equal(how.names, "INTERPOLATION");
        assert_true(time.count > 0 && value.count == time.count && how.count == time.count);
        k = (keys){time.count, ERI_NEW(p->arena, double, (size_t)time.count),
                   ERI_NEW(p->arena, er_affine, (size_t)time.count)};
        for (int i = 0; i < k.count; ++i) {
            k.time[i] = time.value[i];
            k.local[i] = dae_affine(value.value + 16 * i);
            assert_string_equal(how.word[i], "LINEAR");
            assert_true(i == 0 || (float)k.time[i] > (float)k.time[i - 1]);
        }
    }
    return k;
}

static const dae_element *written(place *p, const er_scene *scene, int clip_count, const er_clip *clip)
{
    if (er_collada_write(p->own, scene, clip_count, clip, NULL, p->out) != ER_OK)
        fail_msg("%s", er_context_error(p->own));
    const dae_element *root = dae_read(p->arena, p->out);
    files(p, true);
    return root;
}

// One joint that one channel moves, away from the origin; its keys. All is of unit size, or `deep` with what is drawn.
static keys keys_within(place *p, const er_channel *channel, double duration, double deep)
{
    hand h;
    hand_init(&h);
    hand_node(&h, "one", -1, hand_at(3, 4, -5));
    hand_node(&h, "end", 0, hand_at(0, 1, 0));
    hand_mesh(&h);
    hand_box(&h, er_v3(0, -1, fmin(0.0, deep)), er_v3(0.5, -0.5, fmax(0.0, deep)), -1);
    if (deep != 0.0) hand_draw(&h, 1, 0, -1);
    const er_clip clip = {"clip", duration, 1, channel};
    return keys_of(p, written(p, &h.scene, 1, &clip), "one");
}

static keys keys_for(place *p, er_path path, er_interpolation interpolation, int count, const double *time,
                     const double *value, double duration)
{
    const er_channel channel = {0, path, interpolation, count, time, value};
    return keys_within(p, &channel, duration, 0.0);
}

static void expect_times(const keys *k, int count, const double *time)
{
    assert_int_equal(k->count, count);
    for (int i = 0; i < count; ++i)
        if (!(fabs(k->time[i] - time[i]) < 2e-8)) fail_msg("key %d is at %.9g s, not %.9g", i, k->time[i], time[i]);
}

// Lines keep the clip's times and its end; a step is a ramp of a millisecond, or of a quarter of the way to it.
static void lines_and_steps_have_the_keys_of_the_clip(void **state)
{
    place *p = *state;
    static const double time[] = {0.25, 0.5, 0.502, 1.25}, early[] = {-0.5, -0.25, -0.248, 0.5},
                        close[] = {0.25, 0.25 + 1e-12, 0.25 + 2e-12, 0.5};
    static const double x[] = {1, 0, 0, 3, 1, 0, 2, 0, 7, 4, 0, 0};
    keys k = keys_for(p, ER_PATH_TRANSLATION, ER_LINEAR, 4, time, x, 2.0);
    expect_times(&k, 5, (const double[]){0.25, 0.5, 0.502, 1.25, 2.0});
    assert_true(k.local[1].translation.x == 3.0 && k.local[4].translation.x == 4.0);
    k = keys_for(p, ER_PATH_TRANSLATION, ER_LINEAR, 4, time, x, 1.25);
    expect_times(&k, 4, time);
    static const double wide[] = {1, 1, 1, 3, 1, 2, 2, 1, 7, 4, 2, 1};
    k = keys_for(p, ER_PATH_SCALE, ER_LINEAR, 4, early, wide, 0.5);
    expect_times(&k, 4, (const double[]){0, 0.25, 0.252, 1.0});
    k = keys_for(p, ER_PATH_TRANSLATION, ER_STEP, 4, time, x, 2.0);
    expect_times(&k, 8, (const double[]){0.25, 0.499, 0.5, 0.5015, 0.502, 1.249, 1.25, 2.0});
    static const double held[] = {1, 1, 3, 3, 2, 2, 4, 4};
    for (int i = 0; i < 8; ++i)
        assert_true(k.local[i].translation.x == held[i]);
    static const double same[] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 4, 0, 0};
    k = keys_for(p, ER_PATH_TRANSLATION, ER_LINEAR, 4, close, same, 0.5); // floats do not tell these apart
    expect_times(&k, 2, (const double[]){0.25, 0.5});
}

// x = t^2 for a second is h^2/4 off in the middle of h seconds: halved until that is a 30,000th of the size, ten times
// at most, and not below 2 ms.
static void splines_are_halved_until_they_are_lines(void **state)
{
    place *p = *state;
    static const struct {
        double reach, duration, deep;
        int pieces;
    } cases[] = {{1, 1, 0, 128}, {0.1, 1, 0, 32}, {1000, 1, 0, 512}, {1e5, 10, 0, 1024}, {0, 1, 0, 1},
                 {1, 1, 30, 32}, {1, 1, -30, 32}, {0.55, 1, 0, 128}}; // its quarters are near enough, its middle is not
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double r = cases[i].reach, d = cases[i].duration, time[] = {0, d}, value[18] = {0};
            value[12 + axis] = r;
            value[9 + axis] = value[15 + axis] = 2.0 * r / d;
            const er_channel channel = {0, ER_PATH_TRANSLATION, ER_CUBIC, 2, time, value};
            keys k = keys_within(p, &channel, d, cases[i].deep);
            if (k.count != cases[i].pieces + 1) fail_msg("case %zu: %d keys", i, k.count);
        }
}

// A turn about one axis: the chord leaves the circle at its quarters, by an angle that follows from it.
static void turns_are_halved_until_chords_follow_them(void **state)
{
    place *p = *state;
    static const double whole[] = {0.05, 0.5, 1.5, 3.0};
    for (size_t i = 0; i < ERI_COUNT(whole); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double time[2] = {0.0, 1.0}, value[8] = {[3] = 1.0, [7] = cos(0.5 * whole[i])};
            value[4 + axis] = sin(0.5 * whole[i]);
            int pieces = 1;
            for (double angle = whole[i];; angle /= 2.0, pieces *= 2) {
                double y = 0.25 * sin(0.5 * angle), x = 0.75 + 0.25 * cos(0.5 * angle);
                if (2.0 * sin(0.5 * fabs(2.0 * atan2(y, x) - 0.25 * angle)) <= 3e-5) break;
            }
            keys k = keys_for(p, ER_PATH_ROTATION, ER_LINEAR, 2, time, value, 1.0);
            assert_int_equal(k.count, pieces + 1);
        }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(up_becomes_y_by_the_shortest_turn_or_stays_z), TEST(names_that_blender_would_take_for_others_are_left_out),
        TEST(joints_are_added_only_where_skins_disagree),   TEST(a_skin_is_put_where_its_first_joint_rests),
        TEST(lines_and_steps_have_the_keys_of_the_clip),    TEST(splines_are_halved_until_they_are_lines),
        TEST(turns_are_halved_until_chords_follow_them),
    };
    return cmocka_run_group_tests_name("collada_plan", tests, NULL, NULL);
}
