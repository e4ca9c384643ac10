// The parent of a detached bone, with the skin that it shares in numbers: the mass of every bone is that of a box of
// its own, apart from all others, and bones share skin by sheets whose corners are half of either.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/hand.h"

static hand h;
static int joints[HAND_NODES], count, sheets;

static void begin(void)
{
    hand_init(&h);
    count = sheets = 0;
    hand_mesh(&h);
}

// A bone, its box somewhere in a row; all of them come before what they share.
static int bone(const char *name, int parent, double x, double y, double tons)
{
    er_affine up[HAND_NODES];
    hand_world(&h.scene, up);
    er_vec3 above = parent >= 0 ? up[parent].translation : er_v3(0, 0, 0);
    int node = hand_node(&h, name, parent, hand_at(x - above.x, y - above.y, -above.z));
    double row = 4.0 * count;
    if (tons > 0.0) hand_box(&h, er_v3(row, 30, 0), er_v3(row + tons, 31, 1), count);
    joints[count++] = node;
    return node;
}

// Two bones share a quarter of a sheet's area.
static void share(int a, int b, double area)
{
    er_mesh *m = &h.mesh[0];
    double side = sqrt(2.0 * 4.0 * area), z = -2.0 - sheets++;
    const double corner[3][2] = {{0, 0}, {side, 0}, {0, side}};
    for (int c = 0; c < 3; ++c) {
        int v = m->vertex_count++, *start = h.start[0] + v;
        float *p = h.position + 3 * h.vertices++;
        p[0] = (float)corner[c][0], p[1] = (float)corner[c][1], p[2] = (float)z;
        start[1] = start[0] + 2;
        for (int k = 0; k < 2; ++k) {
            int slot = 0;
            while (joints[slot] != (k == 0 ? a : b))
                ++slot;
            h.joint[0][start[0] + k] = slot;
            h.weight[start[0] + k] = 0.5f;
        }
        h.index[3 * h.triangles + c] = v;
    }
    ++h.triangles;
    ++m->triangle_count;
}

static er_rig *built_rig(void)
{
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), 0, hand_skin(&h, "s", count, joints));
    return hand_rig(context, &h.scene, NULL);
}

static void expect(const er_rig *built, int node, int on, er_evidence by, double part)
{
    const er_attachment *l = &built->attachment[node];
    if (l->parent != on || l->evidence != by || !(fabs(l->share - part) < 1e-5))
        fail_msg("\"%s\" hangs on \"%s\" by %d, share %g", h.node[node].name,
                 l->parent >= 0 ? h.node[l->parent].name : "none", (int)l->evidence, l->share);
}

// ---- how much is shared, and how far it is

// A detached bone beside a trunk of three: the first, its parent by nodes; the second, that it shares most with.
static void of_what_shares_about_as_much_the_nearest_has_it(void **state)
{
    static const struct {
        double first, second, third; // of skin shared
        double x;                    // where it begins: the three begin at 0, 4 and 8, and lead on to 12
        const char *third_name;
        int on; // 0 to 2
    } cases[] = {
        {0.35, 1, 0, 4, "third", 0}, // a third of the most is enough for the first, wherever it is
        {0.30, 1, 0, 5, "third", 1},  {0.30, 1, 0, 0, "third", 0}, // less, to a tenth, where it is nearest
        {0.12, 1, 0, 0, "third", 0},  {0.08, 1, 0, 0, "third", 1}, // less still, nowhere
        {0, 1, 0.6, 9, "third", 2},   {0, 1, 0.4, 9, "third", 1},  // half of the most, for others
        {0, 0.6, 1, 5, "third", 1},   {0, 0.4, 1, 5, "third", 2},
        {0, 1, 0.9, 9, "third.L", 1}, // limbs count half, and come behind trunks
        {0, 1, 3.9, 9, "third.L", 1}, {0, 1, 4.1, 9, "third.L", 2},
        {0, 1, 0.6, 5.9, "third", 1}, {0, 1, 0.6, 6.1, "third", 1}, // on the way to what hangs on it
        {0, 1, 0, 9, "third", 1},     {0, 0.2, 0, 0, "third", 1},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        begin();
        int root = bone("root", -1, 0, -5, 0), trunk[3];
        trunk[0] = bone("first", root, 0, 0, 2);
        trunk[1] = bone("second", trunk[0], 4, 0, 1);
        trunk[2] = bone(cases[i].third_name, trunk[1], 8, 0, 1);
        int tip = bone("tip", trunk[2], 12, 0, 1);
        int detached = bone("detached", root, cases[i].x, 1, 1);
        share(trunk[0], trunk[1], 10);
        share(trunk[1], trunk[2], 10);
        share(trunk[2], tip, 10);
        const double areas[] = {cases[i].first, cases[i].second, cases[i].third};
        double all = 0.0;
        for (int k = 0; k < 3; ++k) {
            all += areas[k];
            if (areas[k] > 0.0) share(detached, trunk[k], areas[k]);
        }
        er_rig *built = built_rig();
        int on = cases[i].on;
        expect(built, detached, trunk[on], on == 0 ? ER_EVIDENCE_NODE : ER_EVIDENCE_SKIN, areas[on] / all);
        expect(built, trunk[0], -1, ER_EVIDENCE_NONE, 0.0);
        er_rig_destroy(built);
    }
}

// Detached bones, each on what it shares most with, whatever their order in the file.
static void the_surest_candidate_comes_first(void **state)
{
    for (int order = 0; order < 2; ++order) {
        begin();
        int root = bone("root", -1, 0, -5, 0), trunk = bone("trunk", root, 0, 0, 3),
            other = bone("other", trunk, 4, 0, 1);
        int a, b;
        if (order == 0) {
            a = bone("a", root, 8, 1, 1);
            b = bone("b", root, 12, 1, 1);
        } else {
            b = bone("b", root, 12, 1, 1);
            a = bone("a", root, 8, 1, 1);
        }
        share(trunk, other, 10);
        share(a, b, 4);
        share(a, other, 2);
        share(b, other, 1); // b is surer once a is attached
        er_rig *built = built_rig();
        expect(built, a, other, ER_EVIDENCE_SKIN, 2.0 / 6.0);
        expect(built, b, a, ER_EVIDENCE_SKIN, 4.0 / 5.0);
        er_rig_destroy(built);
    }
}

// A bone that begins at the end of another waits for that one, even if an attached bone shares its skin.
static void what_begins_at_an_end_waits_for_it(void **state)
{
    for (int order = 0; order < 2; ++order)
        for (int ended = 0; ended < 2; ++ended) {
            begin();
            int root = bone("root", -1, 0, -5, 0), trunk = bone("trunk", root, 0, 0, 3),
                other = bone("other", trunk, 4, 0, 1);
            int shin = -1, foot = -1;
            for (int k = 0; k < 2; ++k)
                if (k == order)
                    shin = bone("shin", root, 8, 1, 1);
                else
                    foot = bone("foot", root, 8, 5, 1);
            if (ended == 1) h.node[hand_node(&h, "end", shin, hand_at(0, 4, 0))].flags = ER_NODE_END_SITE;
            share(trunk, other, 10);
            share(foot, other, 1);
            share(shin, other, 1);
            er_rig *built = built_rig();
            expect(built, shin, other, ER_EVIDENCE_SKIN, 1.0);
            expect(built, foot, ended == 1 ? shin : other, ended == 1 ? ER_EVIDENCE_END : ER_EVIDENCE_SKIN,
                   ended == 1 ? 0.0 : 1.0);
            er_rig_destroy(built);
        }
}

// A hundredth of the skin that a bone shares, with its ancestor, keeps it there.
static void what_shares_nothing_with_its_ancestor_is_detached(void **state)
{
    static const struct {
        double above, far; // of skin shared: with the hips above, with the shin
        double beside;     // with two that are on the hips too
        int on;            // hips 0, shin 2
    } cases[] = {{0.012, 1, 0, 0}, {0.008, 1, 0, 2},  {0, 1, 0.45, 2},   {0, 1, 1.2, 0},
                 {0, 0, 1, 0},     {0, 0.9, 0.44, 2}, {0, 0.9, 0.46, 0}, {0, 1.1, 0.5, 2}}; // half of all, or it stays
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        begin();
        int root = bone("root", -1, 0, -5, 0), hips = bone("hips", root, 0, 0, 3), thigh = bone("thigh", hips, 4, 0, 1);
        int shin = bone("shin", thigh, 8, 0, 1), foot = bone("foot", hips, 12, 0, 1),
            tail = bone("tail", hips, -4, 0, 1);
        share(hips, thigh, 10);
        share(thigh, shin, 10);
        if (cases[i].above > 0.0) share(foot, hips, cases[i].above);
        if (cases[i].far > 0.0) share(foot, shin, cases[i].far);
        share(hips, tail, 10);
        if (cases[i].beside > 0.0) {
            share(foot, thigh, cases[i].beside);
            share(foot, tail, cases[i].beside);
        }
        er_rig *built = built_rig();
        double all = cases[i].above + cases[i].far + 2.0 * cases[i].beside;
        expect(built, foot, cases[i].on == 0 ? hips : shin, cases[i].on == 0 ? ER_EVIDENCE_NODE : ER_EVIDENCE_SKIN,
               (cases[i].on == 0 ? cases[i].above : cases[i].far) / all);
        er_rig_destroy(built);
    }
}

// The tree grows from the heaviest of its detached bones, unless scores from another are clearly better.
static void a_tree_grows_from_where_bones_find_their_places(void **state)
{
    static const double legs[] = {
        0.8, 1.2, 0.8}; // skin of hips and leg: half a score, or as much less the share of head and hips
    for (int i = 0; i < 3; ++i) {
        begin();
        int root = bone("root", -1, 0, -5, 0), head = bone("head", root, 0, 0, 3), hips = bone("hips", root, 4, 0, 1);
        int leg = bone("leg", root, 8, 0, 1), top = i == 0 ? head : hips;
        share(hips, leg, legs[i]);
        share(head, hips, 1);
        if (i == 2)
            h.node[hand_node(&h, "end", hips, hand_at(-4, 0, 0))].flags = ER_NODE_END_SITE; // where the head begins
        er_rig *built = built_rig();
        expect(built, top, -1, ER_EVIDENCE_NONE, 0.0);
        if (i == 0)
            expect(built, hips, head, ER_EVIDENCE_NODE, 1.0 / 1.8);
        else
            expect(built, head, hips, i == 2 ? ER_EVIDENCE_END : ER_EVIDENCE_NODE, 1.0);
        expect(built, leg, hips, i == 0 ? ER_EVIDENCE_SKIN : ER_EVIDENCE_NODE, 1.0);
        er_rig_destroy(built);
    }
}

// A part that touches nothing goes to the nearest skin. A part without skin stays with the first part of its toy.
static void parts_of_toys_stay_where_nodes_have_them(void **state)
{
    for (int skinned = 0; skinned < 2; ++skinned) {
        begin();
        const double from[] = {0, 0, 0, 1}, to[] = {0, 0, 0.6, 0.8};
        int root = hand_node(&h, "root", -1, hand_at(0, -5, 0)), first = hand_node(&h, "first", root, hand_at(0, 5, 0));
        int second = hand_node(&h, "second", first, hand_at(7, 0, 0)),
            part = hand_node(&h, "part", root, hand_at(10, 5, 0));
        const int nodes[] = {root, first, second, part};
        if (skinned == 1) {
            for (int i = 1; i < 4; ++i) {
                double x = i == 1 ? 0 : i == 2 ? 7 : 10;
                hand_box(&h, er_v3(x, 0, 0), er_v3(x + (i == 1 ? 2 : 1), 1, 1), i);
            }
            hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), 0, hand_skin(&h, "s", 4, nodes));
        } else {
            hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
            for (int i = 1; i < 4; ++i)
                hand_draw(&h, nodes[i], 0, -1);
        }
        hand_clip(&h, "turns");
        for (int i = 0; i < 4; ++i)
            hand_channel(&h, nodes[i], ER_PATH_ROTATION, from, to);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        if (skinned == 1)
            expect(built, part, second, ER_EVIDENCE_NEAR, 0.0);
        else
            expect(built, part, first, ER_EVIDENCE_NODE, 0.0);
        er_rig_destroy(built);
    }
}

// A small tree goes to a large one, whichever the file has first; what is no small part is a root.
static void the_heaviest_tree_is_grown_first(void **state)
{
    for (int i = 0; i < 3; ++i) {
        begin();
        double tons = i == 2 ? 0.5 : 0.1;
        int eye = i == 1 ? -1 : bone("eye", -1, 0, 10, tons), hips = bone("hips", -1, 0, 0, 3), chest;
        chest = bone("chest", hips, 4, 0, 1);
        if (i == 1) eye = bone("eye", -1, 0, 10, tons);
        share(hips, chest, 1);
        er_rig *built = built_rig();
        expect(built, hips, -1, ER_EVIDENCE_NONE, 0.0);
        if (i == 2)
            expect(built, eye, -1, ER_EVIDENCE_NONE, 0.0);
        else // of its skin's neighbours the nearest, that a sheet is of
            assert_true(built->attachment[eye].parent >= 0 && built->attachment[eye].evidence == ER_EVIDENCE_NEAR);
        er_rig_destroy(built);
    }
}

// A bone with a box from its head on, that touches no other.
static int part(const char *name, int parent, double x, double y)
{
    hand_box(&h, er_v3(x + 0.1, y, 0), er_v3(x + 3.9, y + 1, 1), count);
    return bone(name, parent, x, y, 0);
}

static int body_above(const er_rig *built, int node)
{
    int up = built->attachment[node].parent;
    while (up >= 0 && built->body_node[built->node_body[up]] != up)
        up = built->attachment[up].parent;
    return up;
}

// Massless copies of an arm of rigid parts hang on the torso, before the arm or behind it.
static void copies_of_a_chain_leave_it_whole(void **state)
{
    for (int order = 0; order < 2; ++order)
        for (int kind = 0; kind < 2; ++kind) { // the parts have their own chain, or hang on the copy
            begin();
            int hips = part("hips", -1, 0, 0), torso = part("torso", hips, 0, 2), above = torso, chain[3] = {0};
            static const char *const copy[] = {"upper_IK", "lower_IK", "hand_IK"}, *const name[] = {"upper", "lower",
                                                                                                    "hand"};
            for (int k = 0; k < 3 && kind == 0 && order == 1; ++k)
                above = chain[k] = part(name[k], above, 4 + 4 * k, 2);
            above = torso;
            for (int k = 0; k < 3; ++k) {
                above = bone(copy[k], above, 4 + 4 * k, 2, 0);
                if (kind == 1) chain[k] = part(name[k], above, 4 + 4 * k, 2);
            }
            above = torso;
            for (int k = 0; k < 3 && kind == 0 && order == 0; ++k)
                above = chain[k] = part(name[k], above, 4 + 4 * k, 2);
            er_rig *built = built_rig();
            for (int k = 0; k < 3; ++k)
                assert_int_equal(body_above(built, chain[k]), k == 0 ? torso : chain[k - 1]);
            er_rig_destroy(built);
        }
}

// Deform bones beside a chain of massless bones: the lower one shares skin with the upper one, none with the torso.
static void a_twist_bone_follows_the_chain_that_it_is_on(void **state)
{
    begin();
    int hips = bone("hips", -1, 0, 0, 3), torso = bone("torso", hips, 0, 2, 3), upper = bone("upper", torso, 4, 2, 0);
    int upper_twist = bone("upper_twist", upper, 4, 2, 1), lower = bone("lower", upper, 8, 2, 0);
    int lower_twist = bone("lower_twist", lower, 8, 2, 1);
    share(hips, torso, 10);
    share(torso, upper_twist, 4);
    share(upper_twist, lower_twist, 4);
    er_rig *built = built_rig();
    expect(built, lower_twist, upper_twist, ER_EVIDENCE_PLACE, 1.0);
    assert_int_equal(body_above(built, upper_twist), torso);
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_what_shares_about_as_much_the_nearest_has_it),
        cmocka_unit_test(the_surest_candidate_comes_first),
        cmocka_unit_test(what_begins_at_an_end_waits_for_it),
        cmocka_unit_test(what_shares_nothing_with_its_ancestor_is_detached),
        cmocka_unit_test(a_tree_grows_from_where_bones_find_their_places),
        cmocka_unit_test(parts_of_toys_stay_where_nodes_have_them),
        cmocka_unit_test(the_heaviest_tree_is_grown_first),
        cmocka_unit_test(copies_of_a_chain_leave_it_whole),
        cmocka_unit_test(a_twist_bone_follows_the_chain_that_it_is_on),
    };
    return cmocka_run_group_tests_name("attach", tests, set_up, tear_down);
}
