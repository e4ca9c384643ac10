// Which nodes are bones, how their bind pose compares with the rest, and where they point.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"

static hand h;

static int joint(const char *name, int parent, er_affine local)
{
    int node = hand_node(&h, name, parent, local);
    h.node[node].flags = ER_NODE_JOINT;
    return node;
}

static bool is_body(const er_rig *built, int node)
{
    return built->role[node] == ER_ROLE_BODY;
}

// Draws a small box at a node, off its place.
static void draw_box(int node)
{
    if (h.scene.mesh_count == 0) {
        hand_mesh(&h);
        hand_box(&h, er_v3(0.1, 0.1, 0.1), er_v3(0.5, 0.4, 0.3), -1);
    }
    hand_draw(&h, node, 0, -1);
}

// ---- what moves

static void a_channel_counts_where_its_values_change(void **state)
{
    static const double time[3] = {0, 0.5, 1};
    static const struct {
        er_path path;
        er_interpolation interpolation;
        int keys;
        double value[27];
        bool counts;
    } cases[] = {
        {ER_PATH_TRANSLATION, ER_LINEAR, 2, {0, 0, 0, 0, 0, 0.9e-5}, false},
        {ER_PATH_TRANSLATION, ER_LINEAR, 2, {0, 0, 0, 0, 0, 1.1e-5}, true},
        {ER_PATH_TRANSLATION, ER_LINEAR, 2, {0, -3, 0, 0, -3.00003, 0}, false}, // beside the value itself
        {ER_PATH_TRANSLATION, ER_LINEAR, 2, {0, -3, 0, 0, -3.00005, 0}, true},
        {ER_PATH_TRANSLATION, ER_STEP, 3, {1, 2, 3, 1, 2, 3, 1, 2, 4}, true},
        {ER_PATH_TRANSLATION, ER_LINEAR, 3, {1, 2, 3, 1, 2, 4, 1, 2, 3}, true},
        {ER_PATH_TRANSLATION, ER_LINEAR, 1, {1, 2, 3, 4, 5, 6}, false},
        {ER_PATH_ROTATION, ER_LINEAR, 2, {0, 0, 0, 1, 0, 0, 0, 1}, false},
        {ER_PATH_ROTATION, ER_LINEAR, 2, {0, 0.6, 0, 0.8, 0, 0.6, 0, -0.8}, true},
        {ER_PATH_SCALE, ER_LINEAR, 2, {1, 1, 1, 2, 1, 1}, true},
        {ER_PATH_MORPH, ER_LINEAR, 2, {0, 0, 0, 1, 1, 1}, false},
        {ER_PATH_TRANSLATION, ER_CUBIC, 2, {7, 7, 7, 1, 2, 3, 8, 8, 8, 9, 9, 9, 1, 2, 3, 5, 5, 5}, false}, // tangents
        {ER_PATH_TRANSLATION, ER_CUBIC, 2, {0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 3.1, 0, 0, 0}, true},
        {ER_PATH_ROTATION, ER_CUBIC, 2, {1, 1, 1, 1, 0, 0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 1}, false},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand_init(&h);
        const double from[] = {0, 0, 0}, to[] = {0, 0, 1};
        int a = hand_node(&h, "a", -1, hand_at(0, 0, 0)), b = hand_node(&h, "b", a, hand_at(1, 0, 0));
        draw_box(a);
        draw_box(b);
        hand_clip(&h, "moves");
        hand_channel(&h, a, ER_PATH_TRANSLATION, from, to);
        h.channel[0][h.clip[0].channel_count++] =
            (er_channel){b, cases[i].path, cases[i].interpolation, cases[i].keys, time, cases[i].value};
        er_rig *built = hand_rig(context, &h.scene, NULL);
        if (is_body(built, b) != cases[i].counts) fail_msg("case %zu", i);
        assert_true(is_body(built, a));
        er_rig_destroy(built);
    }
}

// A node that moves is a bone, unless it is a camera, a light, an end, or carries only skins.
static void what_a_clip_moves_is_a_bone_unless_it_carries_none(void **state)
{
    enum { PLAIN, CAMERA, LIGHT, END, SKINNED, BOTH, JOINT_CAMERA, JOINT_END, KINDS };
    for (int kind = 0; kind < KINDS; ++kind)
        for (int bare = 0; bare < 2; ++bare) { // without a mesh joints alone are bones
            static const unsigned flags[KINDS] = {0,
                                                  ER_NODE_CAMERA,
                                                  ER_NODE_LIGHT,
                                                  ER_NODE_END_SITE,
                                                  0,
                                                  0,
                                                  ER_NODE_JOINT | ER_NODE_CAMERA,
                                                  ER_NODE_JOINT | ER_NODE_END_SITE};
            const double from[] = {1, 0, 0}, to[] = {1, 0, 1};
            hand_init(&h);
            int a = joint("a", -1, hand_at(0, 0, 0)), b = joint("b", a, hand_at(1, 0, 0));
            int moved = hand_node(&h, "moved", b, hand_at(1, 0, 0)),
                last = hand_node(&h, "last", moved, hand_at(1, 0, 0));
            const int joints[] = {a, b};
            h.node[moved].flags = flags[kind];
            hand_clip(&h, "moves");
            hand_channel(&h, moved, ER_PATH_TRANSLATION, from, to);
            int skin = hand_skin(&h, "s", 2, joints);
            if (bare == 0) {
                draw_box(b);
                if (kind != SKINNED) draw_box(moved);
                hand_mesh(&h);
                hand_box(&h, er_v3(0, 0, 0), er_v3(0.5, 0.5, 0.5), 0);
                hand_draw(&h, kind == SKINNED || kind == BOTH ? moved : last, 1, skin);
            } else {
                h.node[last].flags = ER_NODE_END_SITE;
            }
            er_rig *built = hand_rig(context, &h.scene, NULL);
            bool expected = kind == JOINT_CAMERA || (bare == 0 && (kind == PLAIN || kind == BOTH));
            if (is_body(built, moved) != expected) fail_msg("kind %d, bare %d", kind, bare);
            assert_int_equal(built->model->body_count, 2 + expected);
            er_rig_destroy(built);
        }
}

// ---- skeletons

static void a_skeleton_is_what_lies_below_its_name(void **state)
{
    static const struct {
        const char *name;
        unsigned bodies; // bits
    } cases[] = {{"b", 6}, {"skin", 12}, {"c", 4}, {"a", 15}, {"d", 8}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand_init(&h);
        int a = joint("a", -1, hand_at(0, 0, 0)), b = joint("b", a, hand_at(1, 0, 0)),
            c = joint("c", b, hand_at(1, 0, 0));
        int d = joint("d", a, hand_at(0, 3, 0));
        const int joints[] = {c, d};
        hand_skin(&h, "skin", 2, joints);
        for (int n = a; n <= d; ++n)
            draw_box(n);
        er_rig_def def = er_default_rig_def();
        def.skeleton = cases[i].name;
        er_rig *built = hand_rig(context, &h.scene, &def);
        for (int n = 0; n < 4; ++n) {
            bool inside = (cases[i].bodies >> n & 1) != 0;
            // the skin's joints have a common root, which is a bone too
            if (strcmp(cases[i].name, "skin") == 0) inside = true;
            if (is_body(built, n) != inside) fail_msg("%s: %d", cases[i].name, n);
        }
        er_rig_destroy(built);
    }
}

static void a_skeleton_much_smaller_than_its_skin_is_doubted(void **state)
{
    for (int small = 0; small < 2; ++small) {
        hand_init(&h);
        int joints[3] = {-1, -1, -1};
        hand_mesh(&h);
        for (int k = 0; k < 3; ++k) {
            joints[k] = joint(&"abc"[k], k > 0 ? joints[k - 1] : -1, hand_at(0, small == 1 ? 0.04 : 0.1, 0));
            hand_box(&h, er_v3(-0.2, k, -0.2), er_v3(0.2, k + 0.9, 0.2), k);
        }
        hand_draw(&h, hand_node(&h, "drawn", -1, hand_at(0, 0, 0)), 0, hand_skin(&h, "s", 3, joints));
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(hand_noted(built, ER_NOTE_WARNING, "3 joints span"), small == 1);
        er_rig_destroy(built);
    }
}

// Two skinned chains, each under a node of its own, under a common node; `tie` adds a joint of the first to the second
// skin.
static void make_characters(bool tie)
{
    hand_init(&h);
    int top = hand_node(&h, "scene", -1, hand_at(0, 0, 0));
    for (int c = 0; c < 2; ++c) {
        int at = hand_node(&h, c == 0 ? "A" : "B", top, hand_at(5 * c, 0, 0)), joints[4];
        static const char *const names[2][3] = {{"a0", "a1", "a2"}, {"b0", "b1", "b2"}};
        int mesh = hand_mesh(&h);
        for (int k = 0; k < 3; ++k) {
            at = joints[k] = joint(names[c][k], at, hand_at(0, k == 0 ? 0 : 1, 0));
            hand_box(&h, er_v3(-0.2 + 5 * c, k, -0.2), er_v3(0.2 + 5 * c, k + 0.9, 0.2), k);
        }
        joints[3] = 2; // a0
        int skin = hand_skin(&h, names[c][0], c == 1 && tie ? 4 : 3, joints);
        hand_draw(&h, hand_node(&h, "drawn", top, hand_at(0, 0, 0)), mesh, skin);
    }
}

static int floating(const er_model *model)
{
    int count = 0;
    for (int i = 0; i < model->body_count; ++i)
        count += model->tree_joint[i] < 0;
    return count;
}

static void a_group_of_characters_joins_none_of_them(void **state)
{
    make_characters(false);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_int_equal(floating(built->model), 2);
    assert_int_equal(built->model->body_count, 6);
    er_rig_destroy(built);
    make_characters(true);
    built = hand_rig(context, &h.scene, NULL);
    assert_int_equal(floating(built->model), 1);
    er_rig_destroy(built);
}

static void one_of_several_characters_is_chosen(void **state)
{
    static const struct {
        const char *character, *first; // NULL: refused
    } cases[] = {{"1", "a0"}, {"2", "b0"}, {"B", "b0"}, {"a0", "a0"}, {"0", NULL}, {"3", NULL}, {"scene", NULL}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_rig *built = NULL;
        er_rig_def def = er_default_rig_def();
        def.character = cases[i].character;
        make_characters(false);
        er_result r = er_rig_build(context, &h.scene, &def, &built);
        assert_int_equal(r, cases[i].first != NULL ? ER_OK : ER_ERROR_ARGUMENT);
        if (r == ER_OK) {
            assert_int_equal(built->model->body_count, 3);
            assert_string_equal(built->model->body[0].name, cases[i].first);
        } else {
            assert_non_null(strstr(er_context_error(context), cases[i].character));
        }
        er_rig_destroy(built);
    }
}

// Two chains of three animated boxes under a common node, `way` apart; boxes of 0.4 by 0.9.
static void make_rigid_characters(double way, int parts)
{
    hand_init(&h);
    int top = hand_node(&h, "scene", -1, hand_at(0, 0, 0)), box = hand_mesh(&h);
    const double from[] = {1, 0, 0, 0}, to[] = {0.8, 0.6, 0, 0};
    hand_clip(&h, "moves");
    hand_box(&h, er_v3(-0.2, 0, -0.2), er_v3(0.2, 0.9, 0.2), -1);
    for (int c = 0; c < 2; ++c) {
        static const char *const names[2][3] = {{"a0", "a1", "a2"}, {"b0", "b1", "b2"}};
        int at = hand_node(&h, c == 0 ? "A" : "B", top, hand_at(way * c, 0, 0));
        for (int k = 0; k < (c == 0 ? 3 : parts); ++k) {
            at = hand_node(&h, names[c][k], at, hand_at(0, k == 0 ? 0 : 1, 0));
            hand_draw(&h, at, box, -1);
            hand_channel(&h, at, ER_PATH_ROTATION, from, to);
        }
    }
}

// A floor below both joins them not, and a trunk between both does.
static void rigid_characters_that_stand_apart_are_joined_by_none(void **state)
{
    static const struct {
        double way;
        int parts;
        double low[3], high[3]; // of a box that is drawn at the common node; none where all are 0
        int floating;
        bool moves; // the common node
    } cases[] = {
        {2, 3, {0}, {0}, 2, false},
        {0.3, 3, {0}, {0}, 1, false},                      // they touch
        {2, 2, {0}, {0}, 1, false},                        // a door, or a gun
        {2, 3, {-1, -0.01, -1}, {3, 0, 1}, 2, false},      // a floor
        {2, 3, {-9, -1, -9}, {9, 9, 9}, 2, false},         // a room
        {2, 3, {0.1, 0, -0.2}, {1.9, 0.9, 0.2}, 1, false}, // a trunk
        {2, 3, {0.1, 0, -0.2}, {0.5, 0.9, 0.2}, 2, false}, // a bag of the first
        {2, 3, {0}, {0}, 1, true},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        const double *low = cases[i].low, *high = cases[i].high;
        make_rigid_characters(cases[i].way, cases[i].parts);
        if (high[0] > low[0]) {
            int mesh = hand_mesh(&h);
            hand_box(&h, er_v3(low[0], low[1], low[2]), er_v3(high[0], high[1], high[2]), -1);
            hand_draw(&h, 0, mesh, -1);
        }
        const double from[] = {0, 0, 0}, to[] = {0, 1, 0};
        if (cases[i].moves) hand_channel(&h, 0, ER_PATH_TRANSLATION, from, to);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        if (floating(built->model) != cases[i].floating)
            fail_msg("case %zu: %d trees, not %d", i, floating(built->model), cases[i].floating);
        er_rig_destroy(built);
    }
}

// The error lists the beginnings of the skeletons' names, as many as fit whole.
static void skeletons_that_there_are_are_told(void **state)
{
    char names[12][80];
    hand_init(&h);
    for (int i = 0; i < 12; ++i) {
        snprintf(names[i], sizeof names[i], "%02d is the number of a skeleton whose name is longer than sixty letters",
                 i);
        int root = joint(names[i], -1, hand_at(i, 0, 0));
        draw_box(root);
        draw_box(joint("below", root, hand_at(0, 1, 0)));
    }
    er_rig_def def = er_default_rig_def();
    er_rig *built = NULL;
    def.skeleton = "none";
    assert_int_equal(er_rig_build(context, &h.scene, &def, &built), ER_ERROR_ARGUMENT);
    for (int i = 0; i < 12; ++i) {
        names[i][60] = '\0';
        assert_int_equal(strstr(er_context_error(context), names[i]) != NULL, i < 6);
    }
}

static void siblings_are_told_where_there_are_three_and_nothing_else(void **state)
{
    for (int kind = 0; kind < 5; ++kind) { // two; three; one below another; two parents; roots
        hand_init(&h);
        int top = hand_node(&h, "top", -1, hand_at(0, 0, 0)), other = hand_node(&h, "other", top, hand_at(0, 0, 0));
        for (int i = 0; i < (kind == 0 ? 2 : 3); ++i) {
            int parent = kind == 4 ? -1 : kind == 3 && i == 2 ? other : kind == 2 && i == 2 ? top + 2 : top;
            draw_box(joint("bone", parent, hand_at(2.0 * i, 0, 0)));
        }
        for (int infer = 0; infer < 2; ++infer) {
            er_rig_def def = er_default_rig_def();
            def.infer_parents = infer == 1;
            er_rig *built = hand_rig(context, &h.scene, &def);
            assert_int_equal(hand_noted(built, ER_NOTE_WARNING, "3 bones are all siblings, so each moves by itself"),
                             kind == 1 && infer == 0);
            assert_int_equal(hand_noted(built, ER_NOTE_WARNING, "3 bones without a hierarchy were joined by distance"),
                             kind == 1 && infer == 1);
            assert_int_equal(hand_noted(built, ER_NOTE_FACT, "nothing to infer"), kind != 1 && infer == 1);
            er_rig_destroy(built);
        }
    }
}

// The tree of least length, from the bone nearest to the common parent: of two bones on each way between two of the
// tree none is farther from the other than those two (Kruskal).
static void bones_without_a_hierarchy_are_joined_by_the_least_tree(void **state)
{
    dice d = {3};
    enum { COUNT = 9 };
    for (int round = 0; round < 5; ++round) {
        hand_init(&h);
        er_vec3 top = er_v3_scale(0.5, dice_vec3(&d)), at[COUNT];
        int parent = hand_node(&h, "top", -1, hand_at(top.x, top.y, top.z));
        char names[COUNT][24];
        int tree[COUNT], first = 0;
        for (int i = 0; i < COUNT; ++i) {
            at[i] = dice_vec3(&d);
            snprintf(names[i], sizeof names[i], "bone %d", i);
            draw_box(joint(names[i], parent, hand_at(at[i].x - top.x, at[i].y - top.y, at[i].z - top.z)));
            tree[i] = i;
            if (er_v3_distance(at[i], top) < er_v3_distance(at[first], top)) first = i;
        }
        bool edge[COUNT][COUNT] = {{false}};
        for (int k = 1; k < COUNT; ++k) { // the shortest that joins two trees
            int a = -1, b = -1;
            for (int i = 0; i < COUNT; ++i)
                for (int j = 0; j < i; ++j)
                    if (tree[i] != tree[j] && (a < 0 || er_v3_distance(at[i], at[j]) < er_v3_distance(at[a], at[b])))
                        a = i, b = j;
            edge[a][b] = edge[b][a] = true;
            int old = tree[a], new = tree[b];
            for (int i = 0; i < COUNT; ++i)
                if (tree[i] == old) tree[i] = new;
        }
        er_rig_def def = er_default_rig_def();
        def.infer_parents = true;
        er_rig *built = hand_rig(context, &h.scene, &def);
        const er_model *m = built->model;
        assert_int_equal(m->joint_count, COUNT - 1);
        for (int b = 0; b < m->body_count; ++b) {
            int node = built->body_node[b], up = m->tree_parent[b];
            if (node == parent) continue;
            assert_int_equal(built->attachment[node].evidence, ER_EVIDENCE_DISTANCE);
            if (up < 0 || built->body_node[up] == parent)
                assert_int_equal(node - 1, first);
            else
                assert_true(edge[node - 1][built->body_node[up] - 1]);
        }
        er_rig_destroy(built);
    }
}

// ---- rest and bind

static void bind_at(int skin, int which, er_affine world)
{
    h.inverse_bind[skin][which] = er_affine_inverse(world);
}

// Three joints of a skin, the second and third bound elsewhere.
static er_rig *bound_rig(double turn, double other_turn, double shift, er_pose_source pose)
{
    hand_init(&h);
    const int joints[] = {joint("a", -1, hand_at(0, 0, 0)), joint("b", 0, hand_at(1, 0, 0)),
                          joint("c", 1, hand_at(1, 0, 0))};
    int mesh = hand_mesh(&h);
    for (int i = 0; i < 3; ++i)
        hand_box(&h, er_v3(i, 0, 0), er_v3(i + 0.8, 0.1, 0.1), i);
    int skin = hand_skin(&h, "s", 3, joints);
    const er_vec3 even = er_v3(1, 1, 1);
    bind_at(skin, 1, hand_turned(er_v3(1, 0, 0), er_v3(0, 0, turn), even));
    bind_at(skin, 2, hand_turned(er_v3(2, shift, 0), er_v3(other_turn, 0, 0), even));
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, skin);
    er_rig_def def = er_default_rig_def();
    def.pose = pose;
    return hand_rig(context, &h.scene, &def);
}

static void rest_and_bind_pose_are_compared(void **state)
{
    static const struct {
        double turn, other_turn, shift; // the last in shares of the extent
        bool same, large;
        const char *widest;
    } cases[] = {{0, 0, 0, true, false, ""},          {0.9e-5, 0, 0.9e-5, true, false, ""},
                 {1.2e-5, 0, 0, false, false, "b"},   {0, 0, 1.1e-5, false, false, ""},
                 {0.16, 0.1, 0.04, false, false, ""}, {0.18, 0.1, 0.04, false, true, "b"},
                 {0.1, 0.2, 0.04, false, true, "c"},  {0.16, 0.1, 0.06, false, true, "b"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int bind = 0; bind < 2; ++bind) {
            char told[300];
            double turn = cases[i].turn, other = cases[i].other_turn, shift = 0.0, extent = 1.0;
            for (int k = 0; k < 6; ++k) { // the skin goes with its joints, so its extent depends on the shift
                er_rig *built = bound_rig(turn, other, shift, ER_POSE_REST);
                extent = built->extent;
                er_rig_destroy(built);
                shift = cases[i].shift * extent;
            }
            er_rig *built = bound_rig(turn, other, shift, bind == 1 ? ER_POSE_BIND : ER_POSE_REST);
            bool warned = cases[i].large && bind == 0, same = cases[i].same;
            measure_at_most("turn of the bind pose", fabs(built->bind_turn - fmax(turn, other)), 1e-9);
            measure_at_most("shift of the bind pose", fabs(built->bind_shift - cases[i].shift), 1e-7);
            assert_int_equal(hand_noted(built, ER_NOTE_FACT, "the rest pose is the bind pose of the skin"), same);
            snprintf(told, sizeof told, "turned by up to %.3g degrees%s%s%s, moved by up to %.3g %% of the size%s",
                     fmax(turn, other) * 180.0 / ER_PI, cases[i].large ? " (\"" : "",
                     cases[i].large ? cases[i].widest : "", cases[i].large ? "\")" : "", 100.0 * cases[i].shift,
                     warned ? "; the rest pose is used, --pose bind takes the other" : "");
            if (hand_noted(built, warned ? ER_NOTE_WARNING : ER_NOTE_FACT, told) == same)
                fail_msg("case %zu: %s", i, told);
            assert_int_equal(hand_noted(built, ER_NOTE_WARNING, "--pose bind"), warned);
            assert_int_equal(built->pose, bind == 1 ? ER_POSE_BIND : ER_POSE_REST);
            double away = er_v3_distance(built->world[2].translation, er_v3(2, bind == 1 ? shift : 0, 0));
            measure_at_most("place of the last joint", away, 1e-9);
            er_rig_destroy(built);
        }
}

// If two skins bind one joint, the first one counts. A node that no skin binds follows its parent; so does a joint
// whose bind matrix cannot be inverted.
static void the_first_skin_has_the_last_word(void **state)
{
    for (int flat = 0; flat < 2; ++flat) {
        hand_init(&h);
        int a = joint("a", -1, hand_at(0, 0, 0)), b = joint("b", a, hand_at(1, 0, 0)),
            c = joint("c", b, hand_at(1, 0, 0));
        int free_one = hand_node(&h, "tip", c, hand_at(0, 1, 0)), lone = hand_node(&h, "lone", -1, hand_at(4, 5, 6));
        const int joints[] = {a, b, c}, others[] = {c, b};
        int mesh = hand_mesh(&h);
        for (int i = 0; i < 3; ++i)
            hand_box(&h, er_v3(i, 0, 0), er_v3(i + 0.8, 0.1, 0.1), i);
        int first = hand_skin(&h, "first", 3, joints), second_mesh = hand_mesh(&h);
        hand_box(&h, er_v3(1, 2, 0), er_v3(2, 3, 1), 1);
        hand_box(&h, er_v3(2, 2, 0), er_v3(3, 3, 1), 0);
        int second = hand_skin(&h, "second", 2, others);
        bind_at(first, 1, hand_at(1, 0.5, 0));
        bind_at(second, 1, hand_at(1, 0, 0.25));
        if (flat == 1) h.inverse_bind[first][2] = hand_turned(er_v3(-2, 0, 0), er_v3(0, 0, 0), er_v3(1, 1, 0));
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, first);
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), second_mesh, second);
        er_rig_def def = er_default_rig_def();
        def.pose = ER_POSE_BIND;
        er_rig *built = hand_rig(context, &h.scene, &def);
        er_vec3 last = er_v3(2, 0, 0);
        if (flat == 1) last.z = -0.25; // as the second has it, whose first joint in the tree stands where it rests
        assert_true(er_v3_distance(built->world[a].translation, er_v3(0, 0, 0)) < 1e-12);
        assert_true(er_v3_distance(built->world[b].translation, er_v3(1, 0.5, 0)) < 1e-12);
        assert_true(er_v3_distance(built->world[c].translation, last) < 1e-12);
        er_vec3 tip = er_v3_add(built->world[c].translation, er_v3(0, 1, 0));
        assert_true(er_v3_distance(built->world[free_one].translation, tip) < 1e-12);
        assert_true(er_v3_distance(built->world[lone].translation, er_v3(4, 5, 6)) < 1e-12);
        er_rig_destroy(built);
    }
}

static void what_is_scaled_to_nothing_stands_as_its_parent(void **state)
{
    er_affine local[HAND_NODES];
    hand_chain(&h);
    er_scene_sample(&h.scene, NULL, 0.0, local);
    local[2].linear = (er_mat3){0};
    er_rig_def def = er_default_rig_def();
    def.pose = ER_POSE_GIVEN;
    def.pose_local = local;
    er_rig *built = hand_rig(context, &h.scene, &def);
    for (int i = 2; i < HAND_LINKS; ++i) { // and what is below it is nothing too
        er_quat turn = er_q_mul(er_q_conj(built->model->body[1].pose.q), built->model->body[i].pose.q);
        assert_true(er_v3_norm(er_q_log(turn)) < 1e-9);
    }
    assert_true(er_v3_norm(er_q_log(built->model->body[1].pose.q)) > 0.1);
    er_rig_destroy(built);
}

static void places_beyond_numbers_are_refused(void **state)
{
    for (int given = 0; given < 2; ++given) {
        er_affine local[HAND_NODES];
        er_rig *built = (er_rig *)&h;
        hand_chain(&h);
        h.scene.metres_per_unit = 1e200;
        er_scene_sample(&h.scene, NULL, 0.0, local);
        er_rig_def def = er_default_rig_def();
        if (given == 1) {
            local[2].translation.y = 1e200;
            def.pose = ER_POSE_GIVEN;
            def.pose_local = local;
        } else {
            h.node[2].local.translation.y = 1e200;
        }
        assert_refusal(context, er_rig_build(context, &h.scene, &def, &built), ER_ERROR_RIG, "bone \"link 2\"");
        assert_null(built);
    }
}

// ---- where bones point: x of a hinge is along its bone

static er_rig *hinged(void)
{
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    return hand_rig(context, &h.scene, &def);
}

static er_mat3 hinge_of(const er_rig *built, int node)
{
    const er_model *m = built->model;
    return er_m3_from_q(m->joint[m->tree_joint[built->node_body[node]]].frame.q);
}

static void expect_along(const er_rig *built, int node, double x, double y, double z)
{
    er_vec3 along = er_m3_column(hinge_of(built, node), 0);
    measure_at_most("way of a bone", er_v3_distance(along, er_v3_unit(er_v3(x, y, z), along)), 1e-6);
}

static void bones_point_to_what_follows_them(void **state)
{
    hand_init(&h);
    int root = joint("root", -1, hand_at(0, 0, 0)), fork = joint("fork", root, hand_at(1, 0, 0));
    int left = joint("left", fork, hand_at(1, 2, 0)), right = joint("right", fork, hand_at(1, 0, 1));
    int turned = joint("turned", left, hand_turned(er_v3(0, 1, 0), er_v3(0, 0, 0.5 * ER_PI), er_v3(1, 1, 1)));
    int ended = joint("ended", right, hand_at(0, 0, 1)), end = hand_node(&h, "end", ended, hand_at(0, 3, 4));
    h.node[end].flags = ER_NODE_END_SITE;
    hand_node(&h, "no end", ended, hand_at(7, 7, 7));
    int centred = joint("centred", left, hand_at(2, 0, 0));
    hand_mesh(&h);
    hand_box(&h, er_v3(1, -0.5, -0.5), er_v3(3, 0.5, 0.5), -1); // off the node's place, along x
    for (int i = root; i <= ended; ++i)
        hand_draw(&h, i, 0, -1);
    hand_mesh(&h);
    hand_box(&h, er_v3(-0.5, -0.5, -0.5), er_v3(0.5, 0.5, 0.5), -1);
    hand_draw(&h, centred, 1, -1);
    er_rig *built = hinged();
    expect_along(built, fork, 2, 2, 1);    // the sum of both
    expect_along(built, left, 2, 1, 0);    // to those that hang on it
    expect_along(built, turned, 0, 1, 0);  // to its mass, turned with it
    expect_along(built, ended, 0, 3, 4);   // to its end
    expect_along(built, centred, 1, 0, 0); // from the one above: its mass says nothing
    er_rig_destroy(built);
}

// In a line there is no axis across: the first of the body's own that is most across.
static void hinges_of_bones_in_line_turn_about_their_own_axes(void **state)
{
    for (int way = 0; way < 3; ++way)
        for (int bent = 0; bent < 2; ++bent) { // by less than three degrees
            hand_init(&h);
            double off = bent == 1 ? 0.04 : 0.0;
            er_vec3 step[] = {{1, off, 0}, {0, 1, off}, {off, 0, 1}};
            int first = joint("a", -1, hand_at(0, 0, 0)), second, third;
            er_vec3 straight = er_v3(way == 0, way == 1, way == 2), s = step[way];
            second = joint("b", first, hand_at(straight.x, straight.y, straight.z));
            third = joint("c", second, hand_at(s.x, s.y, s.z));
            for (int i = first; i <= third; ++i)
                draw_box(i);
            er_rig *built = hinged();
            er_mat3 frame = hinge_of(built, second);
            er_vec3 along = er_v3_unit(s, s), z = er_m3_column(frame, 2), own;
            own = bent == 0 ? er_v3(way > 0, way == 0, 0) : er_v3(way == 1, way == 2, way == 0); // less than others
            own = er_v3_madd(own, -er_v3_dot(own, along), along);
            measure_at_most("axis of a hinge in line", er_v3_distance(z, er_v3_unit(own, own)), 1e-9);
            measure_at_most("bone of a hinge in line", er_v3_distance(er_m3_column(frame, 0), along), 1e-9);
            er_rig_destroy(built);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_counts_where_its_values_change),
        cmocka_unit_test(what_a_clip_moves_is_a_bone_unless_it_carries_none),
        cmocka_unit_test(a_skeleton_is_what_lies_below_its_name),
        cmocka_unit_test(skeletons_that_there_are_are_told),
        cmocka_unit_test(a_skeleton_much_smaller_than_its_skin_is_doubted),
        cmocka_unit_test(a_group_of_characters_joins_none_of_them),
        cmocka_unit_test(one_of_several_characters_is_chosen),
        cmocka_unit_test(rigid_characters_that_stand_apart_are_joined_by_none),
        cmocka_unit_test(siblings_are_told_where_there_are_three_and_nothing_else),
        cmocka_unit_test(bones_without_a_hierarchy_are_joined_by_the_least_tree),
        cmocka_unit_test(rest_and_bind_pose_are_compared),
        cmocka_unit_test(the_first_skin_has_the_last_word),
        cmocka_unit_test(what_is_scaled_to_nothing_stands_as_its_parent),
        cmocka_unit_test(places_beyond_numbers_are_refused),
        cmocka_unit_test(bones_point_to_what_follows_them),
        cmocka_unit_test(hinges_of_bones_in_line_turn_about_their_own_axes),
    };
    return cmocka_run_group_tests_name("bones", tests, set_up, tear_down);
}
