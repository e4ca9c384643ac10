// Names: words split by case and signs, parts anywhere; and calls without a place for the answer.
#include <string.h>

#include "rig/build.h"
#include "support/context.h"
#include "support/hand.h"

static void expect_said(bool (*says)(const char *), const char *const *yes, const char *const *no)
{
    for (int i = 0; yes[i] != NULL; ++i)
        if (!says(yes[i])) fail_msg("\"%s\" says it", yes[i]);
    for (int i = 0; no[i] != NULL; ++i)
        if (says(no[i])) fail_msg("\"%s\" does not say it", no[i]);
}

static bool socket_with_hands(const char *name)
{
    return eri_rig_names_socket(name, true);
}

static bool socket_without_hands(const char *name)
{
    return eri_rig_names_socket(name, false);
}

static void names_say_what_bones_are_for(void **state)
{
    static const char *const sockets[] = {"handslot.r", "WEAPON",   "Socket",    "reattached", "HolsterL",
                                          "prop",       "leftProp", "prop_2",    "Props",      "my item",
                                          "equip1",     "a-tool",   "GunTOOL_x", NULL};
    static const char *const no_sockets[] = {"propeller", "tools", "items", "equipment", "stool", "", "lot", "_", NULL};
    static const char *const bare[] = {"handslot.r", "WEAPON", "Socket", "reattached", "HolsterL", NULL};
    static const char *const no_bare[] = {"prop", "leftProp", "Prop_2", "Props", "my item", "equip1", "a-tool", NULL};
    expect_said(socket_with_hands, sockets, no_sockets);
    expect_said(socket_without_hands, bare, no_bare); // a drone's propeller is no prop
    static const char *const hands[] = {"LeftHand", "shorthand", "FIST",       "wrist.L", "Palm",  "finger1", "Thumb2",
                                        "pinky",    "index_01",  "rightIndex", "middle",  "Ring3", NULL};
    static const char *const no_hands[] = {"string", "indexed", "Spring", "middles", "arm", "toe", "han", NULL};
    expect_said(eri_rig_names_hand, hands, no_hands);
    static const char *const sides[] = {"arm_L",       "r",     "armR",         "Left arm", "rightArm",
                                        "arm.right.2", "L_arm", "Bip01 L Hand", "legLeft",  NULL};
    static const char *const no_sides[] = {"ball", "LArm", "arm", "lefty", "bright", "Hlr", "", NULL};
    expect_said(eri_rig_names_side, sides, no_sides);
    static const char *const controls[] = {
        "ik_foot", "footIK", "ORG-spine",  "MCH-x", "WGT.1",    "vis_a",   "tweak",        "hand_ctrl", "Ctl2",
        "control", "grp",    "PoleTarget", "aim",   "target.L", "locator", "a controller", "Footsteps", NULL};
    static const char *const no_controls[] = {"organ", "spike", "kit", "controls", "aimed", "poles", "footstep", NULL};
    expect_said(eri_rig_names_control, controls, no_controls);
    static const char *const deforming[] = {"DEF-spine", "DEF_a", "DEF-", NULL};
    static const char *const not_deforming[] = {"DEFspine", "def-a", "a DEF-b", "DEF", "DE", NULL};
    expect_said(eri_rig_names_deforming, deforming, not_deforming);
}

// ---- calls that have no answer

static void a_change_is_looked_for_by_its_place_in_the_list(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    er_rig_change change = er_default_rig_change();
    er_joint_change joint = er_default_joint_change();
    er_body_change body = er_default_body_change();
    bool here[HAND_LINKS];
    joint.pattern = body.pattern = "*";
    change.joint_count = change.body_count = 1;
    change.joint = &joint;
    change.body = &body;
    for (int wrong = 0; wrong < 5; ++wrong) { // no such entry, below or above; defs made elsewhere; pairs that are none
        int which = wrong == 1 ? -1 : wrong == 2 ? 1 : 0;
        er_result expected = wrong == 0 ? ER_OK : ER_ERROR_ARGUMENT;
        joint.tag = body.tag = wrong == 3 ? 0 : ER_DEF_TAG;
        change.pair_count = wrong == 4 ? -1 : 0;
        assert_int_equal(er_joint_change_find(context, built->model, &change, which, here), expected);
        assert_int_equal(er_body_change_find(context, built->model, &change, which, here), expected);
    }
    er_rig_destroy(built);
}

// Each choice has a first and a last; what is beyond is nobody's.
static void choices_have_a_last(void **state)
{
    static hand h;
    hand_chain(&h);
    h.scene.instance_count = 0;
    for (int i = 0; i < 6; ++i) {
        er_rig_def def = er_default_rig_def();
        er_rig *built = (er_rig *)&def;
        int wrong = i % 2 == 0 ? -1 : 1;
        if (i / 2 == 0) def.root = (er_root)(wrong < 0 ? -1 : ER_ROOT_FIXED + 1);
        if (i / 2 == 1) def.joints = (er_joint_rule)(wrong < 0 ? -1 : ER_JOINTS_REVOLUTE + 1);
        if (i / 2 == 2) def.pose = (er_pose_source)(wrong < 0 ? -1 : ER_POSE_GIVEN + 1);
        static const char *const named[] = {"root", "joint", "pose"};
        assert_refusal(context, er_rig_build(context, &h.scene, &def, &built), ER_ERROR_ARGUMENT, named[i / 2]);
        assert_null(built);
    }
}

// A model is named as its file; a path is any bytes, a name is UTF-8.
static void a_model_has_its_file_s_name(void **state)
{
    static const char *const paths[][2] = {
        {"a/b c/d.glb", "d.glb"}, {"d.glb", "d.glb"}, {"/d", "d"}, {"a/\xff.glb", NULL}};
    static hand h;
    hand_chain(&h);
    for (size_t i = 0; i < ERI_COUNT(paths); ++i) {
        h.scene.path = paths[i][0];
        er_rig *built = hand_rig(context, &h.scene, NULL);
        const char *name = built->model->name;
        assert_true(paths[i][1] != NULL ? strcmp(name, paths[i][1]) == 0 : strcmp(name, "\xef\xbf\xbd.glb") == 0);
        assert_string_equal(built->model->source, name);
        er_rig_destroy(built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_what_bones_are_for),
        cmocka_unit_test(a_change_is_looked_for_by_its_place_in_the_list),
        cmocka_unit_test(choices_have_a_last),
        cmocka_unit_test(a_model_has_its_file_s_name),
    };
    return cmocka_run_group_tests_name("names", tests, set_up, tear_down);
}
