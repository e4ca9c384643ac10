// Models before they move: the up axis, the reasons for parents, the target of clips, the equilibrium. Scenes are made
// by hand; motions are judged by closed forms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/project/apply_description.h"
#include "app/project/explain_parent.h"
#include "app/project/project_pose.h"
#include "app/project/target.h"
#include "app/project/up_axis.h"
#include "base/arena.h"
#include "stand.h"
#include "support/context.h"
#include "support/hand.h"

static hand h;

// ---- why

static void why_a_bone_hangs_is_one_line(void **state)
{
    static const struct {
        er_evidence by;
        double share;
        int node; // 1 hangs on a name, 2 on a node without one, 0 on none
        const char *says;
    } cases[] = {
        {ER_EVIDENCE_NONE, 0, 1, ""},
        {ER_EVIDENCE_NODE, 0, 1, ""},
        {ER_EVIDENCE_NODE, 0.5, 1, "50 % of its skin"},
        {ER_EVIDENCE_END, 0, 1, "begins at its end (the node hangs on root\xef\xbf\xbdone)"},
        {ER_EVIDENCE_SKIN, 0.876, 1,
         "shares most skin with it (the node hangs on root\xef\xbf\xbdone); 88 % of its skin"},
        {ER_EVIDENCE_NEAR, 0, 2, "touches nothing, and that is nearest"},
        {ER_EVIDENCE_PLACE, 0.25, 0, "hangs on a bone in its place; 25 % of its skin"},
        {ER_EVIDENCE_DISTANCE, 0, 0, "nearest of its siblings"},
        {ER_EVIDENCE_GIVEN, 1, 2, "as somebody says; 100 % of its skin"},
    };
    hand_init(&h);
    hand_node(&h, "root\none", -1, hand_at(0, 0, 0));
    hand_node(&h, "", 0, hand_at(0, 0, 0));
    hand_node(&h, "leaf", 1, hand_at(0, 0, 0));
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_attachment link[3] = {{0, ER_EVIDENCE_NONE, 0}};
        const er_rig built = {.scene = &h.scene, .attachment = link};
        char said[300], small[20];
        link[cases[i].node] = (er_attachment){0, cases[i].by, cases[i].share};
        project_explain_parent(&built, cases[i].node, said, sizeof said);
        if (strstr(cases[i].says, "\xef\xbf\xbd") == NULL)
            assert_string_equal(said, cases[i].says);
        else
            assert_true(strncmp(said, cases[i].says, strcspn(cases[i].says, "(")) == 0 && strchr(said, '\n') == NULL);
        if (strstr(cases[i].says, "88 %") != NULL) assert_non_null(strstr(said, "); 88 % of its skin"));
        project_explain_parent(&built, cases[i].node, small, sizeof small);
        assert_true(strlen(small) < sizeof small && strncmp(small, said, strlen(small)) == 0);
        assert_int_equal(strlen(small), strlen(said) < 19 ? strlen(said) : 19);
    }
}

// ---- up

typedef struct legs {
    const char *left, *right; // of feet
    er_vec3 down;             // of shins and thighs, at rest
    double turn;              // of both thighs about z in the clip, rad; 0: there is none
    er_format format;
} legs;

// Hips with a spine, and two legs of a thigh, a shin and a foot.
static void make_legs(const legs *l)
{
    static double time[2] = {0, 1}, turned[2][8];
    hand_init(&h);
    h.scene.format = l->format;
    int hips = hand_node(&h, "hips", -1, hand_at(0, 0, 0));
    hand_node(&h, "spine", hips, hand_at(0, 1, 0));
    h.clip[0] = (er_clip){"moves", 1.0, 0, h.channel[0]};
    for (int side = 0; side < 2; ++side) {
        int thigh = hand_node(&h, "thigh", hips, hand_at(side == 0 ? 0.2 : -0.2, 0, 0));
        int shin = hand_node(&h, "shin", thigh, hand_at(l->down.x, l->down.y, l->down.z));
        hand_node(&h, side == 0 ? l->left : l->right, shin, hand_at(l->down.x, l->down.y, l->down.z));
        for (int k = 0; k < 2; ++k) {
            turned[side][4 * k + 2] = sin(0.5 * l->turn);
            turned[side][4 * k + 3] = cos(0.5 * l->turn);
        }
        h.channel[0][side] = (er_channel){thigh, ER_PATH_ROTATION, ER_LINEAR, 2, time, turned[side]};
    }
    h.clip[0].channel_count = l->turn != 0.0 ? 2 : 0;
    h.scene.clip_count = l->turn != 0.0;
}

static void legs_say_what_is_up_in_a_bvh(void **state)
{
    const double quarter = 0.5 * ER_PI;
    const struct {
        legs l;
        er_vec3 up;
        const char *told;
    } cases[] = {
        {{"LeftFoot", "RightFoot", {0, -1, 0}, 0, ER_FORMAT_BVH}, {0, 1, 0}, NULL},
        {{"LeftFoot", "RightFoot", {0, 0, -1}, 0, ER_FORMAT_BVH}, {0, 0, 1}, "z"},
        {{"l ankle", "HOOF", {0, 0, 1}, 0, ER_FORMAT_BVH}, {0, 0, -1}, "-z"},
        {{"paw", "ankle", {-1, 0, 0}, 0, ER_FORMAT_BVH}, {1, 0, 0}, "x"},
        {{"paw", "ankle", {1, 0.1, 0}, 0, ER_FORMAT_BVH}, {-1, 0, 0}, "-x"},
        {{"paw", "ankle", {0, 1, 0.1}, 0, ER_FORMAT_BVH}, {0, -1, 0}, "-y"},
        {{"LeftFoot", "RightFoot", {0, 0, -1}, 0, ER_FORMAT_OTHER}, {0, 1, 0}, NULL},
        {{"LeftFoot", "hand", {0, 0, -1}, 0, ER_FORMAT_BVH}, {0, 1, 0}, NULL},           // one is none
        {{"LeftFoot", "RightFoot", {0, -0.7, -0.8}, 0, ER_FORMAT_BVH}, {0, 1, 0}, NULL}, // along nothing clearly
        {{"LeftFoot", "RightFoot", {0, -0.5, -0.8}, 0, ER_FORMAT_BVH}, {0, 0, 1}, "z"},
        {{"LeftFoot", "RightFoot", {0, 0, -1}, 0.3, ER_FORMAT_BVH}, {0, 0, 1}, "z"},
        {{"LeftFoot", "RightFoot", {0, -1, 0}, quarter, ER_FORMAT_BVH}, {0, 1, 0}, "moves -x"},
        {{"LeftFoot", "RightFoot", {1, 0, 0}, -quarter, ER_FORMAT_BVH}, {0, 1, 0}, NULL}, // it stands as it moves
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        stand_heard all = {.count = 0};
        const project_listener listener = {stand_hear, &all};
        char told[200];
        make_legs(&cases[i].l);
        project_set_up_axis(&h.scene, NULL, &listener);
        if (er_v3_distance(h.scene.up, cases[i].up) > 1e-12)
            fail_msg("case %zu: up is %g %g %g", i, h.scene.up.x, h.scene.up.y, h.scene.up.z);
        assert_int_equal(all.count, cases[i].told != NULL);
        if (cases[i].told == NULL) continue;
        bool moves = strncmp(cases[i].told, "moves ", 6) == 0;
        snprintf(told, sizeof told, moves ? "--up %s" : "along %s,", cases[i].told + (moves ? 6 : 0));
        stand_expect_heard(&all, ER_NOTE_WARNING, told);
    }
    project_request request = project_default_request();
    make_legs(&cases[1].l);
    request.up = er_v3(0, 3, 4);
    request.forward = er_v3(0, -4, 3);
    project_set_up_axis(&h.scene, &request, NULL);
    assert_true(er_v3_distance(h.scene.up, er_v3(0, 0.6, 0.8)) < 1e-15);
    assert_true(er_v3_distance(h.scene.forward, er_v3(0, -0.8, 0.6)) < 1e-15);
    request.up = er_v3(0, 0, 0); // then the legs say, and the way it faces stays as asked
    make_legs(&cases[1].l);
    project_set_up_axis(&h.scene, &request, NULL);
    assert_true(h.scene.up.z == 1.0 && fabs(h.scene.forward.z - 0.6) < 1e-15);
}

// A leg goes up to where something else hangs, six bones at most: beyond that its direction counts no more.
static void a_leg_has_six_bones_at_most(void **state)
{
    for (int bones = 5; bones <= 6; ++bones) {
        hand_init(&h);
        h.scene.format = ER_FORMAT_BVH;
        int hips = hand_node(&h, "hips", -1, hand_at(0, 0, 0));
        hand_node(&h, "spine", hips, hand_at(0, 1, 0));
        for (int side = 0; side < 2; ++side) {
            int at = hand_node(&h, "top", hips, hand_at(0, 0, 0));
            at = hand_node(&h, "far", at, hand_at(9, 0, 0)); // across, where it counts
            for (int k = 0; k < bones; ++k)
                at = hand_node(&h, k + 1 < bones ? "twist" : "foot", at, hand_at(0, 0, -1));
        }
        project_set_up_axis(&h.scene, NULL, NULL);
        // with five below, the way from the top is nine across and five down
        assert_true(bones == 6 ? h.scene.up.z == 1.0 : h.scene.up.x == -1.0);
    }
}

// ---- what is shown

static void some_meshes_are_left_to_be_shown(void **state)
{
    hand_init(&h);
    static const char *const nodes[] = {"hat", "left boot", "right boot"};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
    h.mesh[mesh].name = "cube";
    for (int i = 0; i < 3; ++i)
        hand_draw(&h, hand_node(&h, nodes[i], -1, hand_at(i, 0, 0)), mesh, -1);
    static const struct {
        const char *names;
        int count, first;
    } rows[] = {{NULL, 3, 0}, {"*boot", 2, 1}, {"hat,right*", 2, 0}, {"cube", 3, 0}, {"left boot", 1, 1}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        project_target shown;
        stand_ok(context, project_target_set_static(context, &h.scene, &shown));
        assert_ptr_equal(shown.target.scene, &h.scene);
        for (int n = 0; n < 3; ++n) {
            assert_int_equal(shown.target.node_body[n], 0);
            assert_true(shown.target.world[n].translation.x == n);
        }
        stand_ok(context, project_target_filter(context, rows[i].names, &shown));
        assert_int_equal(shown.target.scene->instance_count, rows[i].count);
        assert_int_equal(shown.target.scene->instance[0].node, rows[i].first);
        assert_int_equal(shown.target.scene->node_count, 3);
        project_target_clear(&shown);
        assert_null(shown.target.scene);
    }
    project_target shown;
    stand_ok(context, project_target_set_static(context, &h.scene, &shown));
    assert_refusal(context, project_target_filter(context, "hat,scarf", &shown), ER_ERROR_ARGUMENT, "\"scarf\"");
    assert_ptr_equal(shown.target.scene, &h.scene);
    project_target_clear(&shown);
}

// The equilibrium of a posed rig as local transforms, below a node scaled to nothing as the file has them.
static void an_equilibrium_is_made_of_local_transforms(void **state)
{
    hand_chain(&h);
    er_affine local[HAND_NODES], found[HAND_NODES];
    er_scene_sample(&h.scene, NULL, 0.0, local);
    local[1] = hand_turned(er_v3(1, 0.5, 0), er_v3(0.4, 0.3, 0.2), er_v3(1, 1, 1));
    local[2] = hand_turned(er_v3(1, 0, 0), er_v3(0, 0, 0), er_v3(0, 0, 0));
    er_rig_def def = er_default_rig_def();
    def.pose = ER_POSE_GIVEN;
    def.pose_local = local;
    er_rig *built = hand_rig(context, &h.scene, &def);
    project_equilibrium(built, found);
    for (int i = 0; i < h.scene.node_count; ++i) {
        const er_affine *expected = i == 3 ? &h.node[3].local : &local[i];
        assert_true(er_v3_distance(found[i].translation, expected->translation) < 1e-12);
        for (int k = 0; k < 9; ++k)
            assert_true(fabs(found[i].linear.m[k / 3][k % 3] - expected->linear.m[k / 3][k % 3]) < 1e-12);
    }
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(why_a_bone_hangs_is_one_line),
        cmocka_unit_test(legs_say_what_is_up_in_a_bvh),
        cmocka_unit_test(a_leg_has_six_bones_at_most),
        cmocka_unit_test(some_meshes_are_left_to_be_shown),
        cmocka_unit_test(an_equilibrium_is_made_of_local_transforms),
    };
    return cmocka_run_group_tests_name("project", tests, set_up, tear_down);
}
