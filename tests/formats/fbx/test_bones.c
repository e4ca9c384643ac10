// Which nodes eri_fbx_find_bones() makes limbs of, and the bind pose that it gives them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/fbx/fbx_writer.h"
#include "support/hand.h"
#include "support/place.h"

static int open_place(void **state)
{
    return place_open(state, "out.fbx", "again.fbx", "");
}

static eri_fbx_writer found(place *p, const er_scene *scene)
{
    eri_fbx_document *document = ERI_NEW(p->arena, eri_fbx_document, 1);
    eri_fbx_begin(document, p->arena, p->out);
    eri_fbx_writer w = {.document = document, .scene = scene, .unit = 1.0};
    assert_int_equal(eri_fbx_find_bones(&w), ER_OK);
    return w;
}

// --- limbs, by walks over whole trees

static bool is_below(const er_scene *scene, int node, int above)
{
    while (node != -1 && node != above)
        node = scene->node[node].parent;
    return node == above;
}

static void fill_between(const er_scene *scene, const bool *marked, bool *limb)
{
    for (int i = 0; i < scene->node_count; ++i) {
        bool above = false, below = false;
        for (int k = 0; k < scene->node_count; ++k) {
            below = below || (marked[k] && is_below(scene, i, k));
            above = above || (marked[k] && is_below(scene, k, i));
        }
        limb[i] = above && below;
    }
}

// The parent of a node's tree of limbs; -1 for none.
static int anchor_of(const er_scene *scene, const bool *limb, int node)
{
    while (node != -1 && limb[node])
        node = scene->node[node].parent;
    return node;
}

static void expect_limbs(const er_scene *scene, const bool *got)
{
    bool marked[HAND_NODES] = {false}, limb[HAND_NODES], joined[HAND_NODES];
    for (int i = 0; i < scene->node_count; ++i)
        marked[i] = (scene->node[i].flags & (ER_NODE_JOINT | ER_NODE_END_SITE)) != 0;
    for (int s = 0; s < scene->skin_count; ++s)
        for (int k = 0; k < scene->skin[s].joint_count; ++k)
            marked[scene->skin[s].joint[k]] = true;
    fill_between(scene, marked, limb);
    memcpy(joined, marked, sizeof joined);
    for (int s = 0; s < scene->skin_count; ++s) {
        const er_skin *skin = &scene->skin[s];
        int common = -1;
        bool apart = false;
        for (int k = 1; k < skin->joint_count; ++k)
            apart = apart || anchor_of(scene, limb, skin->joint[k]) != anchor_of(scene, limb, skin->joint[0]);
        for (int i = 0; apart && i < scene->node_count; ++i) { // the last of them is the lowest
            bool all = true;
            for (int k = 0; k < skin->joint_count; ++k)
                all = all && is_below(scene, skin->joint[k], i);
            if (all) common = i;
        }
        if (common != -1) joined[common] = true;
        for (int k = 0; apart && common == -1 && k < skin->joint_count; ++k) {
            int root = skin->joint[k];
            while (scene->node[root].parent != -1)
                root = scene->node[root].parent;
            joined[root] = true;
        }
    }
    fill_between(scene, joined, limb);
    for (int i = 0; i < scene->node_count; ++i)
        if (got[i] != limb[i]) fail_msg("node %d of %d is%s a limb", i, scene->node_count, limb[i] ? "" : " not");
    for (int s = 0; s < scene->skin_count; ++s)
        for (int k = 1; k < scene->skin[s].joint_count; ++k)
            assert_int_equal(anchor_of(scene, limb, scene->skin[s].joint[k]),
                             anchor_of(scene, limb, scene->skin[s].joint[0]));
}

// In random forests the joints of each skin hang on one node, and no more nodes are limbs than that takes.
static void limbs_join_the_joints_of_a_skin_and_no_more(void **state)
{
    place *p = *state;
    enum { NODES = 11 };
    int joined = 0, rooted = 0;
    srand(5);
    for (int trial = 0; trial < 400; ++trial) {
        hand h;
        hand_init(&h);
        for (int i = 0; i < NODES; ++i) {
            int parent = i == 0 || rand() % 5 == 0 ? -1 : rand() % i;
            hand_node(&h, "node", parent, hand_at(0, 1, 0));
        }
        int skins = rand() % 3;
        for (int s = 0; s < skins; ++s) {
            int joints[4], count = 1 + rand() % 4;
            for (int k = 0; k < count; ++k)
                joints[k] = rand() % NODES;
            hand_skin(&h, "skin", count, joints);
        }
        for (int i = 0; i < NODES; ++i)
            h.node[i].flags = rand() % 8 == 0 ? ER_NODE_JOINT : rand() % 8 == 0 ? ER_NODE_END_SITE : 0;
        eri_fbx_writer w = found(p, &h.scene);
        expect_limbs(&h.scene, w.limb);
        for (int s = 0; s < skins; ++s)
            for (int k = 1; k < h.skin[s].joint_count; ++k) {
                bool other = true;
                for (int i = 0; i < NODES; ++i)
                    if (is_below(&h.scene, h.skin_joint[s][0], i) && is_below(&h.scene, h.skin_joint[s][k], i))
                        other = false;
                rooted += other;
                joined += !other;
            }
        eri_arena_reset(p->arena);
    }
    assert_true(joined > 100 && rooted > 100);
}

// --- the bind pose

static double apart(er_affine a, er_affine b)
{
    double worst = er_v3_distance(a.translation, b.translation);
    for (int k = 0; k < 3; ++k)
        worst = fmax(worst, er_v3_distance(er_m3_column(a.linear, k), er_m3_column(b.linear, k)));
    return worst;
}

static const er_vec3 one = {1, 1, 1};

// Four limbs in a row, at rest each turned against the one above.
static void make_row(hand *h)
{
    hand_init(h);
    for (int i = 0; i < 4; ++i)
        hand_node(h, "limb", i - 1, hand_turned(er_v3(0.1 * i, 1, 0.2), er_v3(0.1 * i, 0.3, -0.2), one));
    for (int i = 0; i < 4; ++i)
        h->node[i].flags = ER_NODE_JOINT;
}

// Where the skins have node i bound: not as it rests.
static er_affine bound_at(int i)
{
    return hand_turned(er_v3(0.3 * i, 1.0 + i, 0), er_v3(0.4 * i, 0.2, 0.1 * i), one);
}

// A skin over nodes whose binds have sizes: the mesh as a joint sees it is so many times as large.
static void add_skin(hand *h, int count, const int *nodes, const double *size)
{
    int s = hand_skin(h, "skin", count, nodes);
    for (int k = 0; k < count; ++k) {
        er_affine grown = hand_turned(er_v3(0, 0, 0), er_v3(0, 0, 0), er_v3_scale(size[k], one));
        h->inverse_bind[s][k] = er_affine_mul(grown, er_affine_inverse(bound_at(nodes[k])));
    }
}

// The joint that stays at rest is the topmost of those that are bound at the volume of most, to a tenth.
static void a_skin_is_tied_by_its_topmost_joint_of_usual_size(void **state)
{
    place *p = *state;
    static const struct {
        int count, node[4];
        double volume[4];
        int tie; // node
    } cases[] = {{3, {1, 2, 3}, {1, 1, 1}, 1},    {3, {3, 2, 1}, {1, 1, 1}, 1},         {3, {2, 1, 3}, {1, 1, 1}, 1},
                 {3, {1, 2, 3}, {8, 1, 1}, 2},    {3, {1, 2, 3}, {0.125, 1, 1}, 2},     {3, {1, 2, 3}, {1.09, 1, 1}, 1},
                 {3, {1, 2, 3}, {1.12, 1, 1}, 2}, {3, {1, 2, 3}, {0.91, 1, 1}, 1},      {3, {1, 2, 3}, {0.88, 1, 1}, 2},
                 {3, {1, 2, 3}, {1, 27, 8}, 3},   {4, {0, 1, 2, 3}, {1, 64, 27, 8}, 2}, {1, {2}, {5}, 2},
                 {3, {1, 2, 3}, {0, 1, 1}, 2},    {3, {1, 2, 3}, {0, 0, 1}, 3}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int mirrored = 0; mirrored < 2; ++mirrored) {
            hand h;
            double size[4];
            for (int k = 0; k < 4; ++k)
                size[k] = (mirrored ? -1.0 : 1.0) * cbrt(cases[i].volume[k]);
            make_row(&h);
            add_skin(&h, cases[i].count, cases[i].node, size);
            eri_fbx_writer w = found(p, &h.scene);
            for (int k = 0; k < cases[i].count; ++k) {
                int node = cases[i].node[k];
                bool flat = cases[i].volume[k] == 0.0, still = apart(w.bind[node], w.world[node]) < 1e-12;
                if (still != (node == cases[i].tie || flat)) fail_msg("case %zu: node %d", i, node);
                er_affine there = er_affine_mul(w.bind[node], h.inverse_bind[0][k]);
                if (node == cases[i].tie) assert_true(apart(there, w.mesh_bind[0]) < 1e-12);
                // all others stand to the mesh as the skin says, where all are of one size
                if (i < 3 && !mirrored) assert_true(apart(there, w.mesh_bind[0]) < 1e-12);
            }
        }
}

// A later skin is tied by a joint that is bound already, if not the topmost; so both are one pose.
static void skins_that_share_a_joint_are_bound_as_one_pose(void **state)
{
    place *p = *state;
    hand h;
    static const double size[4] = {1, 1, 1, 1}, odd[4] = {1, 2, 1, 1};
    make_row(&h);
    add_skin(&h, 2, (const int[]){1, 2}, size);
    add_skin(&h, 3, (const int[]){0, 2, 3}, size);
    eri_fbx_writer w = found(p, &h.scene);
    assert_true(apart(w.mesh_bind[0], w.mesh_bind[1]) < 1e-12);
    assert_true(apart(w.bind[1], w.world[1]) < 1e-12 && apart(w.bind[0], w.world[0]) > 0.1);
    for (int i = 1; i < 4; ++i) // as the skins have them, seen from one another
        assert_true(apart(er_affine_mul(er_affine_inverse(w.bind[0]), w.bind[i]),
                          er_affine_mul(er_affine_inverse(bound_at(0)), bound_at(i))) < 1e-12);
    make_row(&h); // but a size that others do not have counts for more
    add_skin(&h, 2, (const int[]){1, 2}, size);
    add_skin(&h, 3, (const int[]){0, 2, 3}, odd);
    w = found(p, &h.scene);
    assert_true(apart(w.bind[0], w.world[0]) < 1e-12 && apart(w.mesh_bind[0], w.mesh_bind[1]) > 0.1);
    make_row(&h); // even if it is bound already, and above
    add_skin(&h, 2, (const int[]){0, 1}, size);
    add_skin(&h, 3, (const int[]){1, 2, 3}, (const double[]){2, 1, 1});
    w = found(p, &h.scene);
    assert_true(apart(w.bind[2], w.world[2]) < 1e-12);
}

static void without_a_bind_that_can_be_inverted_all_stay(void **state)
{
    place *p = *state;
    hand h;
    make_row(&h);
    add_skin(&h, 3, (const int[]){1, 2, 3}, (const double[]){0, 0, 0});
    add_skin(&h, 0, NULL, NULL);
    eri_fbx_writer w = found(p, &h.scene);
    for (int i = 0; i < 4; ++i)
        assert_true(apart(w.bind[i], w.world[i]) < 1e-12);
    for (int s = 0; s < 2; ++s)
        assert_true(apart(w.mesh_bind[s], er_affine_identity()) == 0.0);
}

// A node that a skin has twice gets another limb for the second time, bound as that says.
static void a_joint_that_comes_twice_has_a_limb_for_each(void **state)
{
    place *p = *state;
    hand h;
    static const double size[4] = {1, 1, 1, 1};
    make_row(&h);
    add_skin(&h, 2, (const int[]){3, 2}, size);
    add_skin(&h, 4, (const int[]){1, 2, 1, 2}, size);
    h.inverse_bind[1][2] = er_affine_inverse(hand_at(0, 0, 7));
    eri_fbx_writer w = found(p, &h.scene);
    static const int wanted[6] = {-1, -1, -1, -1, 1, 2};
    assert_true(w.first_duplicate[0] == 0 && w.first_duplicate[1] == 2);
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(w.duplicates[k].node, wanted[k]);
        assert_int_equal(w.duplicates[k].model, 0);
    }
    for (int k = 0; k < 4; ++k)
        assert_true(apart(er_affine_mul(w.duplicates[2 + k].bind, h.inverse_bind[1][k]), w.mesh_bind[1]) < 1e-12);
    make_row(&h); // the first time ties the skin
    add_skin(&h, 2, (const int[]){1, 1}, size);
    h.inverse_bind[0][1] = er_affine_inverse(hand_at(0, 0, 7));
    w = found(p, &h.scene);
    assert_true(apart(er_affine_mul(w.world[1], h.inverse_bind[0][0]), w.mesh_bind[0]) < 1e-12);
}

// Bones are rigid in the axes of what their tree hangs on; where that is flat, in the world's.
static void binds_are_rigid_below_their_armature(void **state)
{
    place *p = *state;
    for (int flat = 0; flat < 2; ++flat) {
        hand h;
        hand_init(&h);
        hand_node(&h, "armature", -1, hand_turned(er_v3(1, 2, 3), er_v3(0.3, 0.2, 0), er_v3(2, flat ? 0 : 3, 0.5)));
        hand_node(&h, "hip", 0, hand_turned(er_v3(0, 1, 0), er_v3(0.5, 0, 0.2), er_v3(1, 2, 1)));
        hand_node(&h, "knee", 1, hand_turned(er_v3(0, 1, 0), er_v3(0, 0.5, 0), er_v3(1, 1, 3)));
        hand_node(&h, "loose", -1, hand_turned(er_v3(5, 0, 0), er_v3(0, 0, 1), er_v3(2, 2, 2)));
        for (int i = 1; i < 4; ++i)
            h.node[i].flags = ER_NODE_JOINT;
        eri_fbx_writer w = found(p, &h.scene);
        assert_false(w.limb[0]);
        for (int i = 1; i < 4; ++i) {
            er_affine base = i < 3 ? w.world[0] : er_affine_identity();
            assert_true(w.limb[i] && apart(w.armature[i], base) == 0.0);
            er_affine own = flat && i < 3 ? w.bind[i] : er_affine_mul(er_affine_inverse(base), w.bind[i]);
            er_mat3 gram = er_m3_mul(er_m3_transpose(own.linear), own.linear);
            for (int e = 0; e < 9; ++e)
                assert_true(fabs(gram.m[e / 3][e % 3] - (e / 3 == e % 3)) < 1e-12);
            assert_true(er_v3_distance(w.bind[i].translation, w.world[i].translation) < (flat ? 10.0 : 1e-12));
        }
        if (flat) assert_true(er_v3_distance(w.bind[1].translation, w.world[1].translation) < 1e-12);
    }
}

// Clusters without weights: of limbs that no skin moves and that are bound elsewhere than they rest, each in the first
// skin of its tree, or the skin of the joint that it hangs on or that hangs on it.
static void limbs_that_are_bound_elsewhere_are_listed(void **state)
{
    place *p = *state;
    hand h;
    static const double size[4] = {1, 1, 1, 1};
    hand_init(&h);
    for (int i = 0; i < 8; ++i)
        hand_node(&h, "limb", i - 1, hand_turned(er_v3(0.1 * i, 1, 0.2), er_v3(0.1 * i, 0.3, -0.2), one));
    hand_node(&h, "other", -1, hand_at(3, 0, 0));
    hand_node(&h, "on it", 8, hand_at(0, 1, 0));
    for (int i = 0; i < 10; ++i)
        h.node[i].flags = ER_NODE_JOINT;
    h.node[7].flags = ER_NODE_END_SITE;
    add_skin(&h, 2, (const int[]){1, 2}, size); // 1 rests, 2 does not, and 3 goes with it
    add_skin(&h, 2, (const int[]){4, 5}, size); // 4 rests, 5 does not; 6 and 7 go with it
    eri_fbx_writer w = found(p, &h.scene);
    static const int wanted[10] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1};
    for (int i = 0; i < 10; ++i)
        if (w.lists[i] != wanted[i]) fail_msg("node %d is listed by skin %d", i, w.lists[i]);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(apart(w.bind[i], w.world[i]) > 1e-6, i == 2 || i == 3 || i >= 5 ? i < 8 : 0);
    static const int unbound[] = {3, 6, 7};
    for (int k = 0; k < 3; ++k) { // are to their parents as at rest
        int i = unbound[k];
        er_affine own = er_affine_mul(er_affine_inverse(w.bind[i - 1]), w.bind[i]);
        assert_true(apart(own, h.node[i].local) < 1e-12);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(limbs_join_the_joints_of_a_skin_and_no_more),    TEST(a_skin_is_tied_by_its_topmost_joint_of_usual_size),
        TEST(skins_that_share_a_joint_are_bound_as_one_pose), TEST(without_a_bind_that_can_be_inverted_all_stay),
        TEST(a_joint_that_comes_twice_has_a_limb_for_each),   TEST(binds_are_rigid_below_their_armature),
        TEST(limbs_that_are_bound_elsewhere_are_listed),
    };
    return cmocka_run_group_tests_name("fbx_bones", tests, NULL, NULL);
}
