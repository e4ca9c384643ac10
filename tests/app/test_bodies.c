// Corrections of bodies: parents, welds, props, feet and facing, undone, and saved as a description that makes the
// same rig.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/formats.h>

#include "stand.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static int body_of(const session *s, const char *name)
{
    const er_model *model = session_model(s);
    for (int b = 0; b < model->body_count; ++b)
        if (strcmp(model->body[b].name, name) == 0) return b;
    fail_msg("there is no body \"%s\"", name);
    return -1;
}

static const char *parent_of(const session *s, const char *name)
{
    int up = session_model(s)->tree_parent[body_of(s, name)];
    return up >= 0 ? session_model(s)->body[up].name : "";
}

static void hang(session *s, const char *name, const char *on)
{
    stand_ok(context, session_set_parent(s, body_of(s, name), on != NULL ? body_of(s, on) : -1));
}

static bool is_foot(session *s, const char *name)
{
    const er_gait_body *body = session_gait_body(s);
    bool foot = false;
    for (int i = 0; i < body->foot_count; ++i)
        foot |= body->foot[i].body == body_of(s, name);
    return foot;
}

static int node_of(const session *s, const char *name)
{
    for (int i = 0; i < session_scene(s)->node_count; ++i)
        if (strcmp(session_scene(s)->node[i].name, name) == 0) return i;
    fail_msg("there is no node \"%s\"", name);
    return -1;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// A session with the model open as a description says.
static session *open_described(const char *model, const char *description)
{
    session *s = NULL;
    project_request request = project_default_request();
    request.description = description;
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, *model == '/' ? model : stand_path(model), &request));
    return s;
}

// Modes as they were but for rounding: densities are factors in a session, kg/m^3 in a description.
static void expect_near(const session *s, const stand_modes *kept)
{
    stand_modes now = stand_keep(s);
    assert_int_equal(now.count, kept->count);
    assert_int_equal(now.coordinates, kept->coordinates);
    size_t width = 2 + 6 * (size_t)now.bodies + (size_t)now.coordinates;
    double most = kept->number[(size_t)(now.count - 1) * width];
    for (size_t k = 0; k < (size_t)now.count; ++k)
        measure_at_most("eigenvalue of a saved rig", fabs(now.number[k * width] - kept->number[k * width]) / most,
                        1e-12);
    stand_free(&now);
}

// The description that is saved makes the same rig, opened anew: modes, feet and facing.
static void expect_saved(session *s, const char *model, void (*expect_modes)(const session *, const stand_modes *))
{
    stand_ok(context, session_play(s, -1));
    stand_modes kept = stand_keep(s);
    stand_ok(context, session_save_description(s, "saved.lua"));
    session *again = open_described(model, "saved.lua");
    expect_modes(again, &kept);
    stand_free(&kept);
    const er_gait_body *a = session_gait_body(s), *b = session_gait_body(again);
    assert_int_equal(a->foot_count, b->foot_count);
    for (int i = 0; i < a->foot_count; ++i)
        assert_int_equal(a->foot[i].body, b->foot[i].body);
    assert_memory_equal(&a->forward, &b->forward, sizeof a->forward);
    assert_true(a->facing == b->facing);
    const er_rig *x = session_rig(s), *y = session_rig(again);
    assert_memory_equal(x->prop, y->prop, (size_t)x->scene->node_count * sizeof *x->prop);
    session_destroy(again);
    unlink("saved.lua");
}

static void a_body_hangs_where_it_is_said_to(void **state)
{
    session *s = stand_open(context, "hand.glb");
    stand_modes first = stand_keep(s);
    hang(s, "thumb_metacarpal", "forearm");
    assert_string_equal(parent_of(s, "thumb_metacarpal"), "forearm");
    assert_int_equal(session_rig(s)->attachment[node_of(s, "thumb_metacarpal")].evidence, ER_EVIDENCE_GIVEN);
    stand_modes second = stand_keep(s);
    hang(s, "thumb_metacarpal", "index_proximal"); // the last word counts
    assert_string_equal(parent_of(s, "thumb_metacarpal"), "index_proximal");
    hang(s, "thumb_metacarpal", NULL);
    assert_string_equal(parent_of(s, "thumb_metacarpal"), "");
    expect_saved(s, "hand.glb", stand_expect);
    stand_ok(context, session_undo(s));
    stand_ok(context, session_undo(s));
    stand_expect(s, &second);
    stand_ok(context, session_undo(s));
    stand_expect(s, &first);
    assert_string_equal(parent_of(s, "thumb_metacarpal"), "hand");
    assert_false(session_can_undo(s));
    stand_ok(context, session_redo(s));
    stand_expect(s, &second);
    hang(s, "thumb_metacarpal", "hand"); // as it was found
    stand_expect(s, &first);
    stand_free(&first);
    stand_free(&second);
    session_destroy(s);
}

static void what_cannot_be_said_of_a_body_changes_nothing(void **state)
{
    session *s = stand_open(context, "hand.glb");
    stand_modes kept = stand_keep(s);
    int hand = body_of(s, "hand"), tip = body_of(s, "index_distal"), root = body_of(s, "forearm");
    assert_refusal(context, session_set_parent(s, hand, tip), ER_ERROR_ARGUMENT, "hang: ");
    assert_int_equal(session_set_parent(s, hand, hand), ER_ERROR_ARGUMENT);
    assert_int_equal(session_set_parent(s, 17, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(session_set_parent(s, 0, 17), ER_ERROR_ARGUMENT);
    assert_int_equal(session_set_parent(s, 1, -2), ER_ERROR_ARGUMENT);
    assert_refusal(context, session_weld(s, root, true), ER_ERROR_ARGUMENT, "\"forearm\"");
    assert_int_equal(session_weld(s, -1, true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_set_prop(s, -1, true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_set_foot(s, root, true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_set_foot(s, 99, true), ER_ERROR_ARGUMENT);
    session_setup setup = *session_get(s);
    setup.forward = er_v3(0, 1, 0); // along up
    assert_int_equal(session_set(s, &setup, true), ER_ERROR_ARGUMENT);
    setup = *session_get(s);
    setup.reparent[setup.reparent_count++] = (session_reparent){1000, 0};
    assert_int_equal(session_set(s, &setup, true), ER_ERROR_ARGUMENT);
    stand_expect(s, &kept);
    assert_false(session_can_undo(s));
    stand_free(&kept);
    stand_ok(context, session_rotate(s, tip, er_v3(0.3, 0, 0), true));
    assert_int_equal(session_save_description(s, "never.lua"), ER_ERROR_ARGUMENT);
    stand_ok(context, session_open(s, stand_path("chain_20.json"), NULL));
    assert_int_equal(session_set_parent(s, 1, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(session_save_description(s, "never.lua"), ER_ERROR_ARGUMENT);
    assert_int_not_equal(access("never.lua", F_OK), 0);
    session_destroy(s);
}

static void a_body_is_welded_and_let_go(void **state)
{
    session *s = stand_open_walker(context, 1);
    stand_modes first = stand_keep(s);
    int tip = body_of(s, "LeftFoot0");
    assert_false(session_is_welded(s, tip));
    stand_ok(context, session_weld(s, tip, true));
    assert_true(session_is_welded(s, tip));
    assert_int_equal(session_model(s)->coordinate_count, first.coordinates - 3);
    expect_saved(s, stand_write_walker(1), stand_expect);
    stand_ok(context, session_weld(s, tip, false));
    assert_false(session_is_welded(s, tip));
    assert_int_equal(session_get(s)->rule_count, 0);
    session_rule soft = {.pattern = "LeftFoot0", .hz = 9.0, .density = 1.0, .type = -1};
    session_setup setup = *session_get(s);
    setup.rule[setup.rule_count++] = soft;
    stand_ok(context, session_set(s, &setup, true));
    stand_ok(context, session_weld(s, tip, true));
    assert_true(session_is_welded(s, tip));
    stand_ok(context, session_weld(s, tip, false)); // what else was said of the joint stays
    assert_int_equal(session_get(s)->rule_count, 1);
    assert_true(session_get(s)->rule[0].hz == 9.0);
    stand_free(&first);
    session_destroy(s);
    write_text("welded.lua", "return {welds = {\"*Foot0\"}}");
    s = open_described(stand_write_walker(1), "welded.lua");
    assert_true(session_is_welded(s, tip));
    stand_ok(context, session_weld(s, tip, false));
    assert_false(session_is_welded(s, tip));
    assert_true(session_is_welded(s, body_of(s, "RightFoot0")));
    stand_ok(context, session_weld(s, tip, true));
    stand_ok(context, session_undo(s));
    stand_ok(context, session_undo(s));
    assert_true(session_is_welded(s, tip));
    stand_ok(context, session_weld(s, tip, true)); // by a rule too: what is let go is welded by neither
    stand_ok(context, session_weld(s, tip, false));
    assert_false(session_is_welded(s, tip));
    expect_saved(s, stand_write_walker(1), stand_expect);
    session_destroy(s);
    unlink("welded.lua");
}

static void a_bone_is_a_prop_or_none(void **state)
{
    session *s = stand_open(context, "hand.glb");
    int tip = node_of(s, "index_distal"), bodies = session_model(s)->body_count;
    assert_false(session_rig(s)->prop[tip]);
    unsigned shown = session_scene_version(s);
    session_setup setup = *session_get(s);
    setup.stiffness.hz *= 2.0;
    stand_ok(context, session_set(s, &setup, true));
    assert_int_equal(session_scene_version(s), shown);
    stand_ok(context, session_play(s, 9));
    stand_ok(context, session_set_prop(s, tip, true));
    assert_int_equal(session_scene_version(s), shown + 1); // a body less
    assert_int_equal(session_get(s)->component_count, 1);  // and modes by their numbers
    assert_int_equal(session_get(s)->component[0].mode, 9);
    assert_true(session_rig(s)->prop[tip]);
    assert_false(session_rig(s)->prop[node_of(s, "ring_distal")]);
    assert_int_equal(session_model(s)->body_count, bodies - 1); // it is one with what carries it
    stand_ok(context, session_set_prop(s, node_of(s, "ring_distal"), true));
    assert_true(session_rig(s)->prop[tip]);
    expect_saved(s, "hand.glb", stand_expect);
    stand_ok(context, session_set_prop(s, tip, false));
    assert_false(session_rig(s)->prop[tip]);
    assert_true(session_rig(s)->prop[node_of(s, "ring_distal")]);
    assert_int_equal(session_model(s)->body_count, bodies - 1);
    stand_ok(context, session_undo(s));
    assert_int_equal(session_model(s)->body_count, bodies - 2);
    session_destroy(s);
}

static void one_of_what_a_prop_bears_is_none(void **state)
{
    char path[1000];
    session *s = NULL;
    snprintf(path, sizeof path, "%s/../shared/rigs/field/kaykit_knight.glb", getenv("EIGENRIG_SOURCE"));
    if (access(path, F_OK) != 0) {
        print_message("# the rigs of the field are not there: %s\n", path);
        skip();
    }
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, path, NULL));
    int slot = node_of(s, "handslot.l"), spiked = node_of(s, "Spike_Shield"), round = node_of(s, "Round_Shield");
    const bool *prop = session_rig(s)->prop;
    assert_true(prop[slot] && prop[spiked] && prop[round]);
    stand_ok(context, session_set_prop(s, spiked, false));
    prop = session_rig(s)->prop;
    assert_true(!prop[slot] && !prop[spiked] && prop[round]);
    assert_int_equal(session_rig(s)->role[slot], ER_ROLE_BODY); // by what the shield weighs
    stand_ok(context, session_set_prop(s, spiked, true));
    assert_true(session_rig(s)->prop[spiked]);
    session_destroy(s);
}

// A rest pose in mid-stride gives way to one to stand in, which is told, saved, and not taken where somebody said rest.
static void a_rest_pose_to_stand_in_is_asked_for(void **state)
{
    const char *path = sample_rig("field/q_velociraptor.glb");
    if (path == NULL) skip();
    session *s = NULL;
    project_request request = project_default_request();
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, path, NULL));
    assert_int_not_equal(session_get(s)->pose, ER_POSE_REST);
    assert_int_equal(session_rig(s)->pose, session_get(s)->pose);
    assert_string_not_equal(session_message(s), "");
    stand_ok(context, session_save_description(s, "stands.lua"));
    request.given = GIVEN_POSE;
    stand_ok(context, session_open(s, path, &request));
    assert_int_equal(session_rig(s)->pose, ER_POSE_REST);
    assert_string_equal(session_message(s), "");
    request = project_default_request();
    request.description = "stands.lua";
    stand_ok(context, session_open(s, path, &request));
    assert_int_not_equal(session_rig(s)->pose, ER_POSE_REST);
    session_destroy(s);
    unlink("stands.lua");
}

static void a_rig_file_is_made_symmetric(void **state)
{
    (void)state;
    static const double mass[] = {3.0, 1.5, 1.0}, at[] = {0.0, 1.0, -1.0};
    static const char *const name[] = {"trunk", "arm_L", "arm_R"};
    er_body body[3];
    er_joint joint[2];
    er_model *model = NULL;
    session *s = NULL;
    for (int i = 0; i < 3; ++i) {
        body[i] = er_default_body();
        body[i].name = name[i];
        body[i].mass = mass[i];
        body[i].inertia = er_m3_identity();
        body[i].pose.p = er_v3(at[i], 0.0, 0.0);
    }
    for (int i = 0; i < 2; ++i) {
        joint[i] = er_default_joint();
        joint[i].type = ER_JOINT_SPHERICAL;
        joint[i].parent = 0;
        joint[i].child = i + 1;
        joint[i].frame.p = er_v3(0.4 * at[i + 1], 0.0, 0.0);
    }
    er_model_def def = er_default_model_def();
    def.body = body;
    def.body_count = 3;
    def.joint = joint;
    def.joint_count = 2;
    stand_ok(context, er_model_create(context, &def, &model));
    stand_ok(context, er_rig_file_write(context, model, "arms.json"));
    project_request request = project_default_request();
    stand_ok(context, session_create(context, &s));
    for (int equal = 0; equal < 2; ++equal) {
        request.rig.symmetrize = equal != 0;
        request.given = equal != 0 ? GIVEN_SYMMETRIZE : 0;
        stand_ok(context, session_open(s, "arms.json", &request));
        const er_body *opened = session_model(s)->body;
        assert_float_equal(opened[body_of(s, "arm_L")].mass, equal != 0 ? 1.25 : 1.5, 1e-12);
        assert_float_equal(opened[body_of(s, "arm_R")].mass, equal != 0 ? 1.25 : 1.0, 1e-12);
    }
    session_destroy(s);
    er_model_destroy(model);
    unlink("arms.json");
}

static void feet_and_facing_are_as_somebody_says(void **state)
{
    session *s = stand_open_walker(context, 2);
    assert_int_equal(session_gait_body(s)->foot_count, 4);
    assert_true(session_gait_body(s)->facing < 1.0);
    stand_modes kept = stand_keep(s);
    stand_ok(context, session_set_foot(s, body_of(s, "LeftFoot0"), false)); // its mirror image goes with it
    assert_int_equal(session_gait_body(s)->foot_count, 2);
    assert_true(is_foot(s, "LeftFoot1") && is_foot(s, "RightFoot1"));
    stand_ok(context, session_set_foot(s, body_of(s, "LeftFoot1"), false)); // the last ones
    assert_string_equal(session_get(s)->feet, "none");
    assert_int_equal(session_gait_body(s)->foot_count, 0);
    expect_saved(s, stand_write_walker(2), stand_expect);
    stand_ok(context, session_undo(s));
    assert_int_equal(session_gait_body(s)->foot_count, 2);
    session_setup setup = *session_get(s);
    setup.forward = er_v3(0, 0, -1);
    stand_ok(context, session_set(s, &setup, true));
    assert_true(session_gait_body(s)->forward.z < -0.99 && session_gait_body(s)->facing == 1.0);
    stand_expect(s, &kept); // modes do not ask who walks
    expect_saved(s, stand_write_walker(2), stand_expect);
    setup.root = ER_ROOT_FIXED;
    stand_ok(context, session_set(s, &setup, true));
    expect_saved(s, stand_write_walker(2), stand_expect);
    stand_ok(context, session_undo(s));
    stand_ok(context, session_undo(s));
    assert_true(session_gait_body(s)->forward.z > 0.99);
    assert_int_equal(session_gait_body(s)->foot_count, 2);
    stand_ok(context, session_undo(s));
    assert_int_equal(session_gait_body(s)->foot_count, 4);
    stand_free(&kept);
    session_destroy(s);
}

static void all_that_is_said_and_tuned_is_saved(void **state)
{
    write_text("told.lua",
               "return {root = \"fixed\", mass = 2, density = 900, damping = 0.02, rayleigh = {0.1, 1e-4},\n"
               "  stiffness = \"graded:3:0.25\", hang = {thumb_metacarpal = \"forearm\"}, forward = \"-z\",\n"
               "  joints = {\"revolute\", [\"*_middle\"] = {type = \"revolute\", axis = \"x\", limits = {-30, 60}},\n"
               "    thumb_distal = {hz = 7, damping_ratio = 0.1, stiffness = {tx = 0.002}}},\n"
               "  bodies = {index_distal = {mass = 0.1}, ring_distal = {density = 2000}},\n"
               "  welds = {\"pinky_distal\"}, mirror = {{\"index\", \"middle\"}},\n"
               "  loops = {{child = \"ring_distal\", parent = \"pinky_distal\", type = \"spherical\",\n"
               "    at = \"ring_distal\", name = \"a \\\"tie\\\"\"}}}");
    session *s = open_described("hand.glb", "told.lua");
    expect_saved(s, "hand.glb", expect_near);
    assert_string_equal(parent_of(s, "thumb_metacarpal"), "forearm");
    hang(s, "thumb_metacarpal", "hand"); // as it was read, over what the description says
    assert_string_equal(parent_of(s, "thumb_metacarpal"), "hand");
    hang(s, "thumb_metacarpal", "forearm");
    hang(s, "index_proximal", "thumb_metacarpal");
    stand_ok(context, session_weld(s, body_of(s, "ring_middle"), true));
    session_setup setup = *session_get(s);
    setup.root = setup.root == ER_ROOT_FREE ? ER_ROOT_FIXED : ER_ROOT_FREE;
    setup.density = 1100;
    setup.stiffness.hz = 4;
    setup.rule[setup.rule_count++] = (session_rule){.pattern = "hand", .hz = 3, .density = 2, .type = -1};
    stand_ok(context, session_set(s, &setup, true));
    expect_saved(s, "hand.glb", expect_near);
    session_destroy(s);
    unlink("told.lua");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_hangs_where_it_is_said_to),
        cmocka_unit_test(what_cannot_be_said_of_a_body_changes_nothing),
        cmocka_unit_test(a_body_is_welded_and_let_go),
        cmocka_unit_test(a_bone_is_a_prop_or_none),
        cmocka_unit_test(one_of_what_a_prop_bears_is_none),
        cmocka_unit_test(a_rest_pose_to_stand_in_is_asked_for),
        cmocka_unit_test(a_rig_file_is_made_symmetric),
        cmocka_unit_test(feet_and_facing_are_as_somebody_says),
        cmocka_unit_test(all_that_is_said_and_tuned_is_saved),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
