// Which bone a body hangs on, where nodes say one thing and the skin another: made by hand, boxes that share sides.
#include "support/hand.h"

#include <stdio.h>
#include <string.h>

#include <eigenrig/motion.h>

#include "base/arena.h"
#include "support/context.h"

static const er_attachment *attachment_of(const er_rig *rig, int node)
{
    return &rig->attachment[node];
}

static void expect_parent(const er_rig *rig, const char *child, const char *parent)
{
    const er_model *m = rig->model;
    int body = hand_body(m, child, false), up = m->tree_parent[body];
    const char *found = up >= 0 ? m->body[up].name : "no body";
    if (strcmp(found, parent) != 0) fail_msg("\"%s\" hangs on \"%s\", not on \"%s\"", child, found, parent);
}

static er_vec3 joint_place(const er_model *m, const char *child)
{
    return m->joint[m->tree_joint[hand_body(m, child, false)]].frame.p;
}

enum { ROOT, HIPS, THIGH, SHIN, FOOT, LEG_NODES };

// A trunk, a thigh, a shin and a foot, one below the other; the foot's node is on the root.
static void make_leg(hand *h, double gap)
{
    hand_init(h);
    hand_node(h, "root", -1, hand_at(0, 0, 0));
    hand_node(h, "hips", ROOT, hand_at(0, 3, 0));
    hand_node(h, "thigh", HIPS, hand_at(0, 0, 0));
    hand_node(h, "shin", THIGH, hand_at(0, -1, 0));
    hand_node(h, "foot", ROOT, hand_at(0, 1 - gap, 0));
    static const int joints[] = {ROOT, HIPS, THIGH, SHIN, FOOT};
    int mesh = hand_mesh(h);
    hand_box(h, er_v3(-0.5, 3, -0.5), er_v3(0.5, 4, 0.5), 1);
    hand_box(h, er_v3(-0.5, 2, -0.5), er_v3(0.5, 3, 0.5), 2);
    hand_box(h, er_v3(-0.5, 1, -0.5), er_v3(0.5, 2, 0.5), 3);
    hand_box(h, er_v3(-0.5, 0, -0.5), er_v3(0.5, 1 - gap, 0.5), 4);
    hand_draw(h, hand_node(h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(h, "leg", 5, joints));
}

static void a_foot_on_the_root_hangs_on_the_shin_it_shares_skin_with(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    expect_parent(built, "hips", "no body");
    expect_parent(built, "thigh", "hips");
    expect_parent(built, "shin", "thigh");
    expect_parent(built, "foot", "shin");
    assert_true(er_v3_distance(joint_place(built->model, "foot"), er_v3(0, 1, 0)) < 1e-12);
    assert_int_equal(attachment_of(built, FOOT)->evidence, ER_EVIDENCE_SKIN);
    assert_int_equal(attachment_of(built, FOOT)->parent, SHIN);
    assert_true(attachment_of(built, FOOT)->share > 0.8 && attachment_of(built, FOOT)->share <= 1.0);
    assert_int_equal(attachment_of(built, SHIN)->evidence, ER_EVIDENCE_NODE);
    assert_int_equal(attachment_of(built, HIPS)->parent, -1);
    assert_int_equal(built->role[ROOT], ER_ROLE_WELDED);
    assert_true(hand_noted(built, ER_NOTE_FACT, "1 bone has another parent"));
    er_rig_destroy(built);
}

static void a_bone_hangs_on_the_one_at_whose_end_it_begins(void **state)
{
    static hand h;
    for (int far = 0; far < 2; ++far) {
        make_leg(&h, 0.25); // the skins do not touch
        int end = hand_node(&h, "shin_end", SHIN, hand_at(0, far == 0 ? -1.25 : -1.0, 0));
        h.node[end].flags = ER_NODE_END_SITE;
        er_rig *built = hand_rig(context, &h.scene, NULL);
        expect_parent(built, "foot", "shin");
        assert_int_equal(attachment_of(built, FOOT)->evidence, far == 0 ? ER_EVIDENCE_END : ER_EVIDENCE_NEAR);
        er_rig_destroy(built);
    }
}

static void eyes_on_a_skeleton_of_their_own_are_the_head_s(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    h.node[HIPS].name = "head";
    int stand = hand_node(&h, "stand", -1, hand_at(0, 0, 0)), eye = hand_node(&h, "eye", stand, hand_at(0.3, 3.7, 0));
    const int joints[] = {eye};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(0.25, 3.6, 0.3), er_v3(0.35, 3.8, 0.4), 0);
    hand_draw(&h, hand_node(&h, "lens", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "eye", 1, joints));
    er_rig *built = hand_rig(context, &h.scene, NULL);
    expect_parent(built, "eye", "head");
    assert_int_equal(attachment_of(built, eye)->evidence, ER_EVIDENCE_NEAR);
    er_rig_destroy(built);
}

// Deforming bones on control bones, as Rigify has them: the node of the neck is above those of the spine.
static void bones_on_control_bones_are_joined_by_what_these_stand_for(void **state)
{
    static hand h;
    hand_init(&h);
    int master = hand_node(&h, "master", -1, hand_at(0, 0, 0)),
        spine = hand_node(&h, "spine", master, hand_at(0, 1, 0));
    int chest = hand_node(&h, "chest", spine, hand_at(0, 1, 0));
    int torso = hand_node(&h, "torso", master, hand_at(0, 1.5, 0));
    int control = hand_node(&h, "ORG chest", torso, hand_at(0, 0.5, 0)); // in the place of the chest
    int neck = hand_node(&h, "neck", control, hand_at(0, 1, 0)), head = hand_node(&h, "head", neck, hand_at(0, 1, 0));
    int arm = hand_node(&h, "arm", control, hand_at(0.5, 0.9, 0));
    const int joints[] = {master, spine, chest, torso, control, neck, head, arm};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(-0.5, 1, -0.5), er_v3(0.5, 2, 0.5), 1);
    hand_box(&h, er_v3(-0.5, 2, -0.5), er_v3(0.5, 3, 0.5), 2);
    hand_box(&h, er_v3(-0.5, 3, -0.5), er_v3(0.5, 4, 0.5), 5);
    hand_box(&h, er_v3(-3.0, 4, -3.0), er_v3(3.0, 9, 3.0), 6); // by far the heaviest
    hand_box(&h, er_v3(0.5, 2, -0.5), er_v3(2.5, 3, 0.5), 7);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 8, joints));
    er_rig *built = hand_rig(context, &h.scene, NULL);
    expect_parent(built, "spine", "no body");
    expect_parent(built, "chest", "spine");
    expect_parent(built, "neck", "chest");
    expect_parent(built, "head", "neck");
    expect_parent(built, "arm", "chest");
    assert_int_equal(attachment_of(built, neck)->evidence, ER_EVIDENCE_PLACE);
    assert_int_equal(built->node_body[control], hand_body(built->model, "chest", false));
    assert_int_equal(attachment_of(built, control)->evidence, ER_EVIDENCE_PLACE);
    er_rig_destroy(built);
}

static void a_root_with_hardly_any_weight_is_no_body(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    hand_box(&h, er_v3(3, 0, 0), er_v3(3.1, 0.1, 0.1), 0); // 1 kg of 4 t
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_int_equal(hand_body(built->model, "root", true), -1);
    expect_parent(built, "hips", "no body");
    expect_parent(built, "foot", "shin");
    er_rig_destroy(built);
}

static void a_root_inside_the_body_is_one_whatever_it_weighs(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    h.node[ROOT].local = hand_at(0, 3, 0);
    h.node[HIPS].local = hand_at(0, 0, 0);
    h.node[FOOT].local = hand_at(0, -2, 0);
    h.inverse_bind[0][0] = hand_at(0, -3, 0);
    hand_box(&h, er_v3(3, 0, 0), er_v3(3.1, 0.1, 0.1), 0);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    expect_parent(built, "root", "no body");
    expect_parent(built, "hips", "root");
    expect_parent(built, "foot", "shin");
    er_rig_destroy(built);
}

static void joints_without_weight_do_not_say_where_the_bind_pose_is(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    h.inverse_bind[0][0] = hand_turned(er_v3(0, 0, 0), er_v3(1.5, 0, 0), er_v3(0.01, 0.01, 0.01)); // the root's
    er_rig_def def = er_default_rig_def();
    def.pose = ER_POSE_BIND;
    er_rig *built = hand_rig(context, &h.scene, &def);
    assert_true(built->bind_turn < 1e-9 && built->bind_shift < 1e-9);
    for (int i = HIPS; i < LEG_NODES; ++i) {
        er_affine world[HAND_NODES];
        hand_world(&h.scene, world);
        assert_true(er_v3_distance(built->world[i].translation, world[i].translation) < 1e-9);
    }
    er_rig_destroy(built);
}

// A joint without weight says where the bind pose is where its scale, to a hundredth, is that of those with weight.
static void joints_of_one_scale_are_bound_without_weight(void **state)
{
    static const double scale[] = {0.985, 0.992, 1.0, 1.008, 1.015};
    for (int i = 0; i < 5; ++i) {
        static hand h;
        bool counts = i > 0 && i < 4;
        double s = scale[i];
        make_leg(&h, 0.0);
        h.inverse_bind[0][0] = hand_turned(er_v3(-0.5 * s, 0, 0), er_v3(0, 0, 0), er_v3(s, s, s)); // the root's
        er_rig_def def = er_default_rig_def();
        def.pose = ER_POSE_BIND;
        er_rig *built = hand_rig(context, &h.scene, &def);
        er_vec3 hips = counts ? er_v3(-0.5 * s, 3.0 * s, 0) : er_v3(0, 3, 0); // as the root that stays has them
        assert_true(er_v3_distance(built->world[HIPS].translation, hips) < 1e-9);
        er_rig_destroy(built);
    }
}

// Recorded, the foot has keys on its own node, below the root, and its skin stays with the shin's.
static void a_clip_keeps_the_foot_on_the_shin(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    const er_model *m = built->model;
    int hips = hand_body(m, "hips", false);
    er_pose pose[2 * LEG_NODES];
    // all but the hips turn about the thigh's joint by half a radian
    er_quat turn = er_q_exp(er_v3(0.5, 0, 0));
    er_vec3 about = joint_place(m, "thigh");
    for (int b = 0; b < m->body_count; ++b) {
        er_pose rest = m->body[b].pose;
        pose[b] = rest;
        pose[m->body_count + b] = b == hips ? rest
                                            : (er_pose){er_q_mul(turn, rest.q),
                                                        er_v3_add(about, er_q_rotate(turn, er_v3_sub(rest.p, about)))};
    }
    const double time[] = {0.0, 1.0};
    er_recorded_poses poses = {.model = m, .count = 2, .time = time, .pose = pose};
    er_recording_target target = er_rig_target(built);
    er_recording *recording = NULL;
    assert_int_equal(er_poses_record(context, &poses, &target, NULL, &recording), ER_OK);
    er_affine local[HAND_NODES], world[HAND_NODES];
    double at[3 * HAND_VERTICES];
    er_scene_sample(&h.scene, &recording->clip, 1.0, local);
    er_scene_world(&h.scene, local, world);
    er_scene_skin(&h.scene, 0, world, at);
    double moved = 0.0;
    for (int v = 0; v < 4; ++v) { // the shin's lower corners 16 + 0, 1, 4, 5 are the foot's upper 24 + 2, 3, 6, 7
        static const int low[] = {16, 17, 20, 21}, high[] = {26, 27, 30, 31};
        for (int i = 0; i < 3; ++i) {
            assert_true(fabs(at[3 * low[v] + i] - at[3 * high[v] + i]) < 1e-9);
            moved = fmax(moved, fabs(at[3 * low[v] + i] - (double)h.position[3 * low[v] + i]));
        }
    }
    assert_true(moved > 0.5);
    er_recording_destroy(recording);
    er_rig_destroy(built);
}

static void a_rig_like_another_hangs_together_as_it_does(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    er_rig *first = hand_rig(context, &h.scene, NULL);
    er_rig_def def = er_default_rig_def();
    def.like = first;
    er_rig *second = hand_rig(context, &h.scene, &def);
    expect_parent(second, "foot", "shin");
    assert_memory_equal(first->attachment, second->attachment, (size_t)h.scene.node_count * sizeof *first->attachment);
    assert_int_equal(first->note_count, second->note_count);
    er_rig_destroy(first);
    er_rig_destroy(second);
}

// Without a mesh names tell which bones only move others; what these stood for holds the rest together.
static void without_a_mesh_names_tell_controls(void **state)
{
    static hand h;
    for (int rigify = 0; rigify < 2; ++rigify) {
        hand_init(&h);
        int root = hand_node(&h, "root", -1, hand_at(0, 0, 0));
        int spine = hand_node(&h, rigify ? "DEF-spine" : "spine", root, hand_at(0, 1, 0));
        int chest = hand_node(&h, rigify ? "DEF-chest" : "chest", spine, hand_at(0, 1, 0));
        hand_node(&h, rigify ? "DEF-neck" : "neck", chest, hand_at(0, 1, 0));
        int control = hand_node(&h, rigify ? "chest" : "ik_chest", root, hand_at(0, 2, 0)); // in the chest's place
        int arm = hand_node(&h, rigify ? "DEF-arm.L" : "arm.L", control, hand_at(1, 0, 0));
        hand_node(&h, rigify ? "DEF-hand.L" : "hand.L", arm, hand_at(3, 0, 0));
        hand_node(&h, rigify ? "hand_ik.L" : "PoleTarget.L", root, hand_at(9, 9, 9));
        for (int i = 0; i < h.scene.node_count; ++i)
            h.node[i].flags = ER_NODE_JOINT;
        er_rig *built = hand_rig(context, &h.scene, NULL);
        expect_parent(built, h.node[arm].name, h.node[chest].name);
        assert_int_equal(built->role[control], ER_ROLE_WELDED);
        assert_int_equal(built->role[h.scene.node_count - 1], ER_ROLE_WELDED);
        assert_int_equal(attachment_of(built, arm)->evidence, ER_EVIDENCE_PLACE);
        er_rig_destroy(built);
    }
}

// An arm of skin whose hand carries two swords in one place and a hat's weight of helmet, all rigid meshes.
enum { ARM, HAND, SLOT };

static void make_armed(hand *h)
{
    hand_init(h);
    hand_node(h, "arm", -1, hand_at(0, 0, 0));
    hand_node(h, "hand", ARM, hand_at(1, 0, 0));
    hand_node(h, "handslot", HAND, hand_at(1, 0, 0));
    static const int joints[] = {ARM, HAND, SLOT};
    int skin = hand_mesh(h);
    hand_box(h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
    hand_box(h, er_v3(1.25, 0, 0), er_v3(2.25, 1, 1), 1);
    hand_draw(h, hand_node(h, "mesh", -1, hand_at(0, 0, 0)), skin, hand_skin(h, "s", 3, joints));
    int blade = hand_mesh(h);
    hand_box(h, er_v3(0, 0, 0), er_v3(0.5, 4, 0.5), -1);
    hand_draw(h, hand_node(h, "short sword", SLOT, hand_at(0, 0, 0)), blade, -1);
    hand_draw(h, hand_node(h, "long sword", SLOT, hand_at(0, 0.5, 0)), blade, -1);
    hand_draw(h, hand_node(h, "dagger", SLOT, hand_at(2, 0, 0)), blade, -1);
}

static void props_are_light_and_one_with_the_hand(void **state)
{
    static hand h;
    make_armed(&h);
    // a cubic metre is a ton; a blade is one, and the long sword is there instead of the short one
    static const struct {
        const char *props;
        int bodies;
        double hand, slot;
    } cases[] = {{NULL, 2, 1000 + 100 + 100, 0},
                 {"auto", 2, 1200, 0},
                 {"none", 3, 1000, 3000},
                 {"*sword", 3, 1000, 100 + 1000},
                 {"*sword,handslot", 2, 1200, 0}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_rig_def def = er_default_rig_def();
        def.props = cases[i].props;
        er_rig *built = hand_rig(context, &h.scene, &def);
        const er_model *m = built->model;
        assert_int_equal(m->body_count, cases[i].bodies);
        assert_true(fabs(m->body[hand_body(m, "hand", false)].mass / cases[i].hand - 1.0) < 1e-6);
        if (cases[i].bodies == 3)
            assert_true(fabs(m->body[hand_body(m, "handslot", false)].mass / cases[i].slot - 1.0) < 1e-6);
        assert_int_equal(built->prop[SLOT], cases[i].bodies == 2);
        assert_int_equal(built->node_body[SLOT] == hand_body(m, "hand", false), cases[i].bodies == 2);
        def.like = built;
        def.stiffness.hz = 3.0;
        er_rig *again = hand_rig(context, &h.scene, &def);
        for (int b = 0; b < m->body_count; ++b)
            assert_true(again->model->body[b].mass == m->body[b].mass);
        def.props = "arm";
        er_rig *other = hand_rig(context, &h.scene, &def); // weighed anew
        assert_true(other->total_mass == 5000.0 || fabs(other->total_mass / 5000.0 - 1.0) < 1e-6);
        er_rig_destroy(other);
        er_rig_destroy(again);
        er_rig_destroy(built);
    }
}

// A tool that is a bone with skin of its own, in a hand: its own weight becomes a prop's.
static void a_bone_in_a_hand_is_a_prop(void **state)
{
    static hand h;
    for (int foot = 0; foot < 2; ++foot) {
        make_armed(&h);
        h.scene.instance_count = 1; // no swords
        h.node[HAND].name = foot == 1 ? "ankle" : "hand";
        h.node[SLOT].name = "Bone.042";
        h.scene.mesh_count = 1;
        h.vertices = h.mesh[0].vertex_count;
        h.triangles = h.mesh[0].triangle_count;
        hand_box(&h, er_v3(2.5, 0, 0), er_v3(3.5, 1, 1), 2);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        const er_model *m = built->model;
        assert_int_equal(m->body_count, foot == 1 ? 3 : 2);
        double mass = m->body[hand_body(m, h.node[HAND].name, false)].mass;
        assert_true(fabs(mass / (foot == 1 ? 1000.0 : 1100.0) - 1.0) < 1e-6);
        er_rig_destroy(built);
    }
}

// The same with the hand and the tool on a control that stands in the hand's place, beside the arm.
static void a_bone_on_the_control_of_a_hand_is_a_prop(void **state)
{
    static hand h;
    for (int foot = 0; foot < 2; ++foot) {
        hand_init(&h);
        int root = hand_node(&h, "root", -1, hand_at(0, 0, 0)), arm = hand_node(&h, "arm", root, hand_at(0, 0, 0)),
            palm = hand_node(&h, foot == 1 ? "ankle" : "hand", arm, hand_at(1, 0, 0)),
            control = hand_node(&h, foot == 1 ? "ankle_ctrl" : "hand_ctrl", root, hand_at(1, 0, 0)),
            tool = hand_node(&h, "shield", control, hand_at(0.2, 0, 0));
        const int joints[] = {arm, palm, control, tool};
        int mesh = hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
        hand_box(&h, er_v3(1, 0, 0), er_v3(2, 1, 1), 1);
        hand_box(&h, er_v3(2.5, 0, 0), er_v3(3.5, 1, 1), 3);
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 4, joints));
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(built->model->body_count, foot == 1 ? 3 : 2);
        assert_true(built->prop[tool] == (foot == 0));
        assert_int_equal(built->node_body[tool] == built->node_body[palm], foot == 0);
        er_rig_destroy(built);
    }
}

// A trunk without mass on its root, between legs of which one touches it: neither leg is the root.
static void a_leg_carries_no_trunk(void **state)
{
    static hand h;
    for (int sided = 0; sided < 2; ++sided) {
        hand_init(&h);
        int body = hand_node(&h, "Body", -1, hand_at(0, 0, 0)),
            torso = hand_node(&h, "Torso", body, hand_at(0, 0.5, 0)),
            left = hand_node(&h, sided == 1 ? "Leg.L" : "one", body, hand_at(1, 0, 0)),
            shin = hand_node(&h, sided == 1 ? "Shin.L" : "three", left, hand_at(1, 0, 0)),
            right = hand_node(&h, sided == 1 ? "Leg.R" : "two", body, hand_at(-9, 0, 0)),
            head = hand_node(&h, "Head", torso, hand_at(0, 20, 0));
        const int joints[] = {torso, left, shin, right, head};
        int mesh = hand_mesh(&h);
        hand_box(&h, er_v3(-1, 0, -1), er_v3(1, 1, 1), 0);
        hand_box(&h, er_v3(1, 0, -1), er_v3(2, 1, 1), 1);
        hand_box(&h, er_v3(2, 0, -1), er_v3(22, 1, 1), 2);
        hand_box(&h, er_v3(-10, -3, -1), er_v3(-9, 1, 1), 3);
        hand_box(&h, er_v3(-1, 1.5, -1), er_v3(1, 26, 1), 4);
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 5, joints));
        er_rig *built = hand_rig(context, &h.scene, NULL);
        const er_model *m = built->model;
        assert_int_equal(m->tree_parent[hand_body(m, "Torso", false)] < 0, sided == 1);
        if (sided == 1) expect_parent(built, "Leg.L", "Torso");
        if (sided == 1) expect_parent(built, "Leg.R", "Torso");
        er_rig_destroy(built);
    }
}

// Legs hang on a control and the trunk on the root, as in rigs of Rigify. Each leg has more mass than the trunk, and
// both touch it, so any of the three would do as a root.
static void heavy_legs_on_a_control_carry_no_trunk(void **state)
{
    static hand h;
    hand_init(&h);
    int body = hand_node(&h, "Body", -1, hand_at(0, 0, 0)), hips = hand_node(&h, "Hips", body, hand_at(0, 0, 0)),
        right = hand_node(&h, "Leg.R", hips, hand_at(-1, 0, 0)), left = hand_node(&h, "Leg.L", hips, hand_at(1, 0, 0)),
        torso = hand_node(&h, "Torso", body, hand_at(0, 0.5, 0));
    const int joints[] = {torso, left, right};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(-1, 0, -1), er_v3(1, 1, 1), 0);
    hand_box(&h, er_v3(1, 0, -1), er_v3(9, 1, 1), 1);
    hand_box(&h, er_v3(-9, 0, -1), er_v3(-1, 1, 1), 2);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 3, joints));
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_int_equal(built->model->body_count, 3);
    expect_parent(built, "Leg.L", "Torso");
    expect_parent(built, "Leg.R", "Torso");
    er_rig_destroy(built);
}

static void what_somebody_says_hangs_as_they_say(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    er_rig *read = hand_rig(context, &h.scene, NULL);
    static const er_hang says[] = {{"foot", "thigh", false}, {"shin", "thigh", false}};
    er_rig_def def = er_default_rig_def();
    def.hang = says;
    def.hang_count = 2;
    for (int like = 0; like < 2; ++like) {
        def.like = like == 1 ? read : NULL;
        er_rig *built = hand_rig(context, &h.scene, &def);
        expect_parent(built, "foot", "thigh");
        assert_int_equal(attachment_of(built, FOOT)->evidence, ER_EVIDENCE_GIVEN);
        assert_int_equal(attachment_of(built, SHIN)->evidence, ER_EVIDENCE_NODE); // it did so before
        def.like = built;
        def.hang_count = 0;
        er_rig *back = hand_rig(context, &h.scene, &def);
        expect_parent(back, "foot", "shin");
        er_rig_destroy(back);
        er_rig_destroy(built);
        def.hang_count = 2;
    }
    static const er_hang apart[] = {{"shin", NULL, false}};
    def.like = NULL;
    def.hang = apart;
    def.hang_count = 1;
    er_rig *built = hand_rig(context, &h.scene, &def);
    expect_parent(built, "shin", "no body");
    expect_parent(built, "foot", "shin");
    er_rig_destroy(built);
    static const struct {
        er_hang said[2];
        const char *word;
    } wrong[] = {{{{"knee", "shin", false}, {"shin", "thigh", false}}, "\"knee\""},
                 {{{"shin", "knee", false}, {"shin", "thigh", false}}, "\"knee\""},
                 {{{"thigh", "shin", false}, {"shin", "thigh", false}}, "thigh"},
                 {{{NULL, "shin", false}, {"shin", "thigh", false}}, "entry 0"}};
    def.hang_count = 2;
    for (size_t i = 0; i < ERI_COUNT(wrong); ++i) {
        def.hang = wrong[i].said;
        assert_refusal(context, er_rig_build(context, &h.scene, &def, &built), ER_ERROR_ARGUMENT, wrong[i].word);
    }
    er_rig_destroy(read);
}

// Shares in closed form. Boxes meet in whole sides, whose corners weigh half for either. The side face of a box between
// two others gives 3 A / 12 to the pair of the box and each neighbour and A / 12 to the pair of neighbours; the face in
// which they meet gives 6 A / 12. A box at the end gives 4 instead of 3.
static void shares_of_skin_are_the_integrals_of_weights(void **state)
{
    static hand h;
    make_leg(&h, 0.0);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    double inner = 2.0 * 0.75, outer = 0.75 + 4.0 * 4.0 / 24.0 + 0.25, apart = 4.0 * 1.0 / 24.0;
    const double share[LEG_NODES] = {0.0, 0.0, outer / (outer + apart), inner / (inner + outer + apart),
                                     outer / (outer + apart)};
    for (int i = THIGH; i < LEG_NODES; ++i)
        assert_true(fabs(attachment_of(built, i)->share - share[i]) < 1e-6);
    er_rig_destroy(built);
}

// A foot whose node is on the hips, which have weight.
static void make_torn_leg(hand *h, double gap)
{
    make_leg(h, gap);
    h->node[FOOT].parent = HIPS;
    h->node[FOOT].local = hand_at(0, -2 - gap, 0);
}

static void a_foot_on_the_hips_hangs_where_its_skin_is(void **state)
{
    static hand h;
    make_torn_leg(&h, 0.0);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    expect_parent(built, "foot", "shin");
    assert_int_equal(attachment_of(built, FOOT)->evidence, ER_EVIDENCE_SKIN);
    er_rig_destroy(built);

    make_torn_leg(&h, 0.25); // no skin: where the shin ends, and nowhere else without an end
    built = hand_rig(context, &h.scene, NULL);
    expect_parent(built, "foot", "hips");
    assert_int_equal(attachment_of(built, FOOT)->evidence, ER_EVIDENCE_NODE);
    er_rig_destroy(built);
    for (int of = 0; of < 2; ++of) {
        make_torn_leg(&h, 0.25);
        int end = hand_node(&h, "end", of == 0 ? SHIN : HIPS, hand_at(0, of == 0 ? -1.25 : -2.25, 0));
        h.node[end].flags = ER_NODE_END_SITE;
        built = hand_rig(context, &h.scene, NULL);
        expect_parent(built, "foot", of == 0 ? "shin" : "hips");
        assert_int_equal(attachment_of(built, FOOT)->evidence, of == 0 ? ER_EVIDENCE_END : ER_EVIDENCE_NODE);
        er_rig_destroy(built);
    }

    make_torn_leg(&h, 0.0); // what it shares skin with is its sibling
    h.node[SHIN].parent = HIPS;
    h.node[SHIN].local = hand_at(0, -1, 0);
    hand_box(&h, er_v3(-0.5, 2, 0.5), er_v3(0.5, 3, 1.5), 3); // of the shin, beside the thigh and under the hips
    built = hand_rig(context, &h.scene, NULL);
    expect_parent(built, "foot", "hips");
    er_rig_destroy(built);
}

// From the foot's node it is 0.75 to the shin's nearest vertex, which counts as 1.5 where that is of one side, and
// 1.436 to the thigh's: the hips may be twice as far.
static void what_touches_nothing_stays_on_the_root_unless_that_is_far(void **state)
{
    static hand h;
    static const struct {
        double below; // a box of the hips
        const char *shin, *on;
    } cases[] = {{1.4, "shin", "hips"}, {1.6, "shin", "shin"}, {1.6, "shin.L", "hips"}, {2.9, "shin.L", "thigh"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        make_leg(&h, 0.25);
        h.node[SHIN].name = cases[i].shin;
        for (int v = 0; v < 8; ++v) { // the hips go up, away, and so does the thigh but in the last case
            h.position[3 * v + 1] += 50.0f;
            h.position[3 * (8 + v) + 1] += i == 3 ? 0.0f : 50.0f;
        }
        double at = 0.75 - cases[i].below;
        hand_box(&h, er_v3(0, at - 1, 0), er_v3(1, at, 1), 1);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        expect_parent(built, "foot", cases[i].on);
        assert_int_equal(attachment_of(built, FOOT)->evidence,
                         strcmp(cases[i].on, "hips") == 0 ? ER_EVIDENCE_NODE : ER_EVIDENCE_NEAR);
        er_rig_destroy(built);
    }
}

static void a_tree_of_its_own_is_a_part_where_it_is_small(void **state)
{
    static hand h;
    for (int large = 0; large < 2; ++large) {
        make_leg(&h, 0.0); // four cubic metres
        int stand = hand_node(&h, "stand", -1, hand_at(9, 9, 9)), eye = hand_node(&h, "eye", stand, hand_at(0, 0, 0));
        h.node[eye].local = hand_at(-8.7, -5.3, 0);
        const int joints[] = {stand, eye};
        int mesh = hand_mesh(&h);
        hand_box(&h, er_v3(0.6, 3.2, 0.6), er_v3(1.1, 3.2 + (large ? 0.9 : 0.7), 1.1), 1); // 4.4 %, 5.6 %
        hand_draw(&h, hand_node(&h, "lens", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "eye", 2, joints));
        er_rig *built = hand_rig(context, &h.scene, NULL);
        expect_parent(built, "eye", large ? "no body" : "hips");
        if (!large) { // what carries no weight above it goes along
            assert_int_equal(attachment_of(built, stand)->evidence, ER_EVIDENCE_PLACE);
            assert_int_equal(attachment_of(built, stand)->parent, eye);
            assert_int_equal(built->node_body[stand], hand_body(built->model, "eye", false));
        }
        er_rig_destroy(built);
    }
}

// Two hundredths of the height, which is four: a handle stands lower.
static void a_root_with_hardly_any_weight_is_a_body_off_the_ground(void **state)
{
    static hand h;
    for (int high = 0; high < 2; ++high) {
        double y = high ? 0.1 : 0.06;
        make_leg(&h, 0.0);
        h.node[ROOT].local = hand_at(0, y, 0);
        h.node[HIPS].local = hand_at(0, 3 - y, 0);
        h.node[FOOT].local = hand_at(0, 1 - y, 0);
        h.inverse_bind[0][0] = hand_at(0, -y, 0);
        hand_box(&h, er_v3(3, 0, 0), er_v3(3.1, 0.1, 0.1), 0);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(hand_body(built->model, "root", true) >= 0, high);
        expect_parent(built, "foot", "shin");
        er_rig_destroy(built);
    }
}

static void what_is_said_optionally_is_left_out_where_a_name_is_nobody_s(void **state)
{
    static hand h;
    static const struct {
        er_hang said;
        const char *on; // of the foot
        bool counts;
    } cases[] = {{{"foot", "thigh", true}, "thigh", true}, {{"foot", "tail", true}, "shin", false},
                 {{"tail", "thigh", true}, "shin", false}, {{"foot", NULL, true}, "no body", true},
                 {{"tail", NULL, true}, "shin", false},    {{"mesh", "thigh", true}, "shin", false}};
    make_leg(&h, 0.0);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_rig_def def = er_default_rig_def();
        def.hang = &cases[i].said;
        def.hang_count = 1;
        er_rig *built = hand_rig(context, &h.scene, &def);
        expect_parent(built, "foot", cases[i].on);
        assert_int_equal(attachment_of(built, FOOT)->evidence, cases[i].counts ? ER_EVIDENCE_GIVEN : ER_EVIDENCE_SKIN);
        er_rig_destroy(built);
    }
    static const er_hang as_it_is = {"hips", NULL, false}; // the root above is welded to them
    er_rig_def def = er_default_rig_def();
    def.hang = &as_it_is;
    def.hang_count = 1;
    er_rig *built = hand_rig(context, &h.scene, &def);
    assert_int_equal(attachment_of(built, HIPS)->evidence, ER_EVIDENCE_NONE);
    er_rig_destroy(built);
}

// A tool in a hand, with a bone of its own: fingers have less than half of the hand's mass.
static void what_weighs_little_beside_its_hand_is_a_finger(void **state)
{
    static hand h;
    for (int i = 0; i < 4; ++i) { // too light; a tool; one that goes on; one that is named as a part of hands
        make_armed(&h);
        h.scene.instance_count = h.scene.mesh_count = 1;
        h.node[SLOT].name = i == 3 ? "thumb" : "Bone.042";
        h.vertices = h.mesh[0].vertex_count;
        h.triangles = h.mesh[0].triangle_count;
        hand_box(&h, er_v3(2.5, 0, 0), er_v3(2.5 + (i == 0 ? 0.45 : 0.55), 1, 1), 2);
        if (i == 2) {
            h.node[3].parent = SLOT; // the mesh's node, as a bone
            h.skin_joint[0][3] = 3;
            h.node[3].flags |= ER_NODE_JOINT;
            h.inverse_bind[0][3] = er_affine_identity();
            h.skin[0].joint_count = 4;
            hand_box(&h, er_v3(4, 0, 0), er_v3(5, 1, 1), 3);
        }
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(built->prop[SLOT], i == 1);
        er_rig_destroy(built);
    }
}

static void the_first_props_are_told_by_name(void **state)
{
    static hand h;
    static const char *const names[] = {"axe", "bow", "cup", "dart"};
    for (int count = 3; count <= 4; ++count) {
        make_armed(&h);
        h.scene.instance_count = 1;
        for (int i = 0; i < count; ++i)
            hand_draw(&h, hand_node(&h, names[i], SLOT, hand_at(3.0 * i, 0, 0)), 1, -1);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        const char *told = count == 3 ? "4 parts are props (\"handslot\", \"axe\", \"bow\", \"cup\")"
                                      : "5 parts are props (\"handslot\", \"axe\", \"bow\", \"cup\", ...)";
        assert_true(hand_noted(built, ER_NOTE_FACT, told));
        double mass = built->model->body[hand_body(built->model, "hand", false)].mass;
        assert_true(fabs(mass / (1000.0 + 100.0 * count) - 1.0) < 1e-6);
        er_rig_destroy(built);
    }
    make_armed(&h); // long names by their first forty letters
    static const char long_name[] = "a sword whose name goes on for more than forty letters";
    h.scene.instance_count = 1;
    for (int i = 0; i < 3; ++i)
        hand_draw(&h, hand_node(&h, long_name, SLOT, hand_at(3.0 * i, 0, 0)), 1, -1);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    char told[300];
    snprintf(told, sizeof told, "4 parts are props (\"handslot\", \"%.40s\", \"%.40s\", \"%.40s\"): light", long_name,
             long_name, long_name);
    assert_true(hand_noted(built, ER_NOTE_FACT, told));
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foot_on_the_root_hangs_on_the_shin_it_shares_skin_with),
        cmocka_unit_test(a_bone_hangs_on_the_one_at_whose_end_it_begins),
        cmocka_unit_test(eyes_on_a_skeleton_of_their_own_are_the_head_s),
        cmocka_unit_test(bones_on_control_bones_are_joined_by_what_these_stand_for),
        cmocka_unit_test(a_root_with_hardly_any_weight_is_no_body),
        cmocka_unit_test(a_root_inside_the_body_is_one_whatever_it_weighs),
        cmocka_unit_test(joints_without_weight_do_not_say_where_the_bind_pose_is),
        cmocka_unit_test(joints_of_one_scale_are_bound_without_weight),
        cmocka_unit_test(a_clip_keeps_the_foot_on_the_shin),
        cmocka_unit_test(a_rig_like_another_hangs_together_as_it_does),
        cmocka_unit_test(without_a_mesh_names_tell_controls),
        cmocka_unit_test(props_are_light_and_one_with_the_hand),
        cmocka_unit_test(a_bone_in_a_hand_is_a_prop),
        cmocka_unit_test(a_bone_on_the_control_of_a_hand_is_a_prop),
        cmocka_unit_test(a_leg_carries_no_trunk),
        cmocka_unit_test(heavy_legs_on_a_control_carry_no_trunk),
        cmocka_unit_test(what_somebody_says_hangs_as_they_say),
        cmocka_unit_test(shares_of_skin_are_the_integrals_of_weights),
        cmocka_unit_test(a_foot_on_the_hips_hangs_where_its_skin_is),
        cmocka_unit_test(what_touches_nothing_stays_on_the_root_unless_that_is_far),
        cmocka_unit_test(a_tree_of_its_own_is_a_part_where_it_is_small),
        cmocka_unit_test(a_root_with_hardly_any_weight_is_a_body_off_the_ground),
        cmocka_unit_test(what_is_said_optionally_is_left_out_where_a_name_is_nobody_s),
        cmocka_unit_test(what_weighs_little_beside_its_hand_is_a_finger),
        cmocka_unit_test(the_first_props_are_told_by_name),
    };
    return cmocka_run_group_tests_name("bodies", tests, set_up, tear_down);
}
