// Regions and names of small rigs made by hand, names as they are found again, and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <eigenrig/identity.h>

#include "identity/region_words.h"
#include "support/context.h"
#include "support/near.h"

enum { MOST = 24 };

static er_body body[MOST];
static er_joint joint[MOST];
static int bodies;

static int add(const char *name, int parent, double mass, er_vec3 at, er_vec3 com)
{
    int i = bodies++;
    body[i] = er_default_body();
    body[i].name = name;
    body[i].mass = mass;
    body[i].com = com;
    body[i].inertia = er_m3_madd((er_mat3){0}, 0.02 * mass, er_m3_identity());
    body[i].pose.p = at;
    if (parent < 0) return i;
    er_joint *j = &joint[i - 1];
    *j = er_default_joint();
    j->parent = parent;
    j->child = i;
    j->type = ER_JOINT_SPHERICAL;
    j->frame.p = at;
    for (int c = 0; c < 3; ++c)
        j->stiffness[c] = 20.0 * mass;
    return i;
}

static er_model *finish(void)
{
    er_model_def def = er_default_model_def();
    er_model *model = NULL;
    def.body = body;
    def.body_count = bodies;
    def.joint = joint;
    def.joint_count = bodies - 1;
    if (er_model_create(context, &def, &model) != ER_OK) fail_msg("%s", er_context_error(context));
    return model;
}

static er_model *make_cat(void)
{
    bodies = 0;
    int trunk = add("pelvis", -1, 6.0, er_v3(0, 0.6, -0.3), er_v3(0, 0, 0.2));
    int chest = add("chest", trunk, 5.0, er_v3(0, 0.6, 0.1), er_v3(0, 0, 0.2));
    int head = add("head", chest, 2.0, er_v3(0, 0.8, 0.5), er_v3(0, 0.05, 0.15));
    add("ear_L", head, 0.1, er_v3(0.08, 0.95, 0.6), er_v3(0, 0.05, 0));
    add("ear_R", head, 0.1, er_v3(-0.08, 0.95, 0.6), er_v3(0, 0.05, 0));
    int tail = add("tail_1", trunk, 0.6, er_v3(0, 0.65, -0.4), er_v3(0, 0, -0.2));
    add("tail_2", tail, 0.4, er_v3(0, 0.65, -0.8), er_v3(0, 0, -0.2));
    for (int k = 0; k < 4; ++k) {
        static const char *const name[] = {"front_leg_L",  "front_leg_R",  "hind_leg_L",  "hind_leg_R",
                                           "front_foot_L", "front_foot_R", "hind_foot_L", "hind_foot_R"};
        er_vec3 at = er_v3(k % 2 == 0 ? 0.15 : -0.15, 0.5, k < 2 ? 0.3 : -0.3);
        int leg = add(name[k], k < 2 ? chest : trunk, 1.0, at, er_v3(0, -0.2, 0));
        at.y = 0.1;
        add(name[4 + k], leg, 0.2, at, er_v3(0, -0.05, 0.05));
    }
    add("sword", chest, 0.3, er_v3(0.2, 0.8, 0.2), er_v3(0, 0.2, 0));
    return finish();
}

typedef struct named_rig {
    er_model *model;
    er_regions *regions;
    er_modes *modes;
    er_mode_names *names;
} named_rig;

static named_rig name_modes(er_model *model)
{
    named_rig out = {.model = model};
    er_result r = er_regions_create(context, model, NULL, NULL, &out.regions);
    if (r == ER_OK) r = er_modal_solve(context, model, NULL, &out.modes);
    if (r == ER_OK) r = er_mode_names_create(context, model, out.regions, out.modes, &out.names);
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
    return out;
}

static void forget(named_rig *n)
{
    er_mode_names_destroy(n->names);
    er_modes_destroy(n->modes);
    er_regions_destroy(n->regions);
    er_model_destroy(n->model);
}

static const er_region *region_of(const named_rig *n, const char *name)
{
    for (int i = 0; i < n->model->body_count; ++i)
        if (strcmp(n->model->body[i].name, name) == 0) return &n->regions->region[n->regions->of_body[i]];
    fail_msg("there is no body %s", name);
    return NULL;
}

static void a_cat_has_the_regions_of_a_cat(void **state)
{
    (void)state;
    named_rig n = name_modes(make_cat());
    static const char *const want[][3] = {{"pelvis", "trunk", "trunk"},
                                          {"chest", "trunk", "trunk"},
                                          {"head", "head", "head"},
                                          {"ear_L", "left ear", "ears"},
                                          {"ear_R", "right ear", "ears"},
                                          {"tail_2", "tail", "tail"},
                                          {"front_leg_L", "left fore leg", "fore legs"},
                                          {"hind_leg_R", "right hind leg", "hind legs"},
                                          {"sword", "sword", "sword"}};
    for (size_t i = 0; i < sizeof want / sizeof *want; ++i) {
        const er_region *region = region_of(&n, want[i][0]);
        assert_string_equal(region->name, want[i][1]);
        assert_string_equal(n.regions->group[region->group].name, want[i][2]);
    }
    const er_region *left = region_of(&n, "front_leg_L"), *right = region_of(&n, "front_leg_R");
    assert_ptr_equal(&n.regions->region[left->twin], right);
    assert_int_equal(left->side, 1);
    assert_int_equal(right->side, -1);
    near(left->along.y, -1.0, 0.05);
    double mass = 0.0;
    for (int k = 0; k < n.regions->count; ++k)
        mass += n.regions->region[k].mass;
    near(mass, 6 + 5 + 2 + 0.2 + 1 + 4.8 + 0.3, 1e-9);
    forget(&n);
}

static void names_are_unique_and_found_again(void **state)
{
    (void)state;
    named_rig n = name_modes(make_cat());
    assert_int_equal(n.names->count, n.modes->count);
    for (int k = 0; k < n.names->count; ++k) {
        const er_mode_name *name = &n.names->mode[k];
        double sum = 0.0, image[6 * MOST];
        near(name->parity, er_mode_parity(n.model, n.regions->mirror, &n.modes->mode[k], image), 1e-12);
        for (int g = 0; g < n.names->group_count; ++g)
            sum += name->share[g];
        near(sum, name->group < 0 ? 0.0 : 1.0, 1e-12);
        assert_in_range(strlen(name->brief), 1, ER_MODE_BRIEF);
        assert_int_equal(er_mode_names_find(n.names, name->name), k);
        assert_int_equal(er_mode_names_find(n.names, name->brief), k);
        assert_ptr_equal(er_mode_names_at(n.names, k), name);
        if (name->group >= 0)
            assert_int_equal(name->whole_body, er_region_kind_is_main(n.regions->group[name->group].kind));
    }
    int tail = er_mode_names_find(n.names, "TAIL");
    assert_true(strncmp(er_mode_names_at(n.names, tail)->name, "tail ", 5) == 0);
    assert_int_equal(er_mode_names_find(n.names, "ta"), -1);
    assert_int_equal(er_mode_names_find(n.names, ""), -1);
    assert_int_equal(er_mode_names_find(NULL, "tail"), -1);
    assert_null(er_mode_names_at(n.names, n.names->count));
    forget(&n);
}

static void mixes_take_names(void **state)
{
    (void)state;
    named_rig n = name_modes(make_cat());
    const char *out;
    char text[300], want[100];
    int ear = er_mode_names_find(n.names, "ears"), tail = er_mode_names_find(n.names, "tail");
    snprintf(text, sizeof text, "%s:14@2+90, 7:3cm:head,tail :5", er_mode_names_at(n.names, ear)->name);
    snprintf(want, sizeof want, "%d:14@2+90,7:3cm:head,%d:5", ear, tail);
    assert_int_equal(er_mode_names_in_mix(context, n.names, text, &out), ER_OK);
    assert_string_equal(out, want);
    assert_refusal(context, er_mode_names_in_mix(context, n.names, "7:3,wheel turns:5", &out), ER_ERROR_ARGUMENT,
                   "wheel turns");
    assert_null(out);
    assert_refusal(context, er_mode_names_in_mix(context, NULL, "7:3", &out), ER_ERROR_ARGUMENT, "names");
    forget(&n);
}

// A chain of bodies that are all called alike is a body, held at one end; its modes count their bends.
static void a_chain_counts_its_bends(void **state)
{
    (void)state;
    static char name[10][16];
    bodies = 0;
    for (int i = 0; i < 10; ++i) {
        snprintf(name[i], sizeof name[i], "piece.%03d", i);
        add(name[i], i - 1, 1.0, er_v3(0, 0, -0.5 * i), er_v3(0, 0, -0.25));
        body[i].inertia = er_m3_madd((er_mat3){0}, 0.001, er_m3_identity());
    }
    named_rig n = name_modes(finish());
    static const char *const want[] = {"", "", ", second bend", ", third bend"};
    int seen = 0;
    for (int k = 0; k < n.names->count && seen < 3; ++k) {
        char text[64];
        snprintf(text, sizeof text, "body bends sideways%s", want[seen + 1]);
        seen += strcmp(n.names->mode[k].name, text) == 0;
    }
    assert_int_equal(seen, 3);
    forget(&n);
}

static void machines_are_called_by_their_names(void **state)
{
    (void)state;
    bodies = 0;
    int arm = add("base", -1, 20.0, er_v3(0, 0, 0), er_v3(0, 0.5, 0));
    int boom = add("boom_1", arm, 5.0, er_v3(0, 1, 0), er_v3(0, 0, 0.5));
    add("boom_2", boom, 3.0, er_v3(0, 1, 1), er_v3(0, 0, 0.5));
    add("crane_hook", 2, 1.0, er_v3(0, 1, 2), er_v3(0, -0.3, 0));
    named_rig n = name_modes(finish());
    assert_string_equal(region_of(&n, "boom_2")->name, "boom");
    assert_string_equal(region_of(&n, "crane_hook")->name, "crane hook");
    assert_true(er_mode_names_find(n.names, "crane hook") >= 0);
    forget(&n);
}

static void fingers_of_a_hand_are_told_apart(void **state)
{
    (void)state;
    static const char *const finger[] = {"thumb", "index", "middle", "ring", "pinky"};
    static const char *const want[] = {"thumb", "index finger", "middle finger", "ring finger", "little finger"};
    static char name[10][24];
    bodies = 0;
    int wrist = add("hand", -1, 0.3, er_v3(0, 0, 0), er_v3(0, 0, 0.05));
    for (int i = 0; i < 5; ++i) {
        er_vec3 at = er_v3(0.02 * (i - 2), 0, 0.1);
        snprintf(name[2 * i], sizeof name[0], "%s_01", finger[i]);
        snprintf(name[2 * i + 1], sizeof name[0], "%s_02", finger[i]);
        int first = add(name[2 * i], wrist, 0.02, at, er_v3(0, 0, 0.02));
        at.z = 0.14;
        add(name[2 * i + 1], first, 0.01, at, er_v3(0, 0, 0.02));
    }
    named_rig n = name_modes(finish());
    for (int i = 0; i < 5; ++i)
        assert_string_equal(region_of(&n, name[2 * i + 1])->name, want[i]);
    assert_true(er_mode_names_find(n.names, "index finger") >= 0);
    for (int k = 6; k < n.names->count; ++k)
        assert_true(n.names->mode[k].whole_body);
    forget(&n);
}

static void a_snake_is_a_body(void **state)
{
    (void)state;
    static char name[8][16];
    bodies = 0;
    int up = add("head", -1, 0.5, er_v3(0, 0, 0), er_v3(0, 0, 0.1));
    up = add("neck", up, 0.5, er_v3(0, 0, 0), er_v3(0, 0, -0.1));
    for (int i = 0; i < 8; ++i) {
        snprintf(name[i], sizeof name[i], "tail_%02d", i);
        up = add(name[i], up, 1.0 - 0.1 * i, er_v3(0, 0, -0.2 * (i + 1)), er_v3(0, 0, -0.1));
        body[up].inertia = er_m3_madd((er_mat3){0}, 0.001, er_m3_identity());
    }
    named_rig n = name_modes(finish());
    assert_string_equal(region_of(&n, "tail_05")->name, "body");
    assert_string_equal(region_of(&n, "neck")->name, "body");
    assert_true(er_mode_names_find(n.names, "body bends sideways, third bend") >= 0);
    forget(&n);
}

static void collars_above_arms_are_arms(void **state)
{
    (void)state;
    bodies = 0;
    int trunk = add("chest", -1, 6.0, er_v3(0, 1.2, 0), er_v3(0, 0.1, 0));
    add("head", trunk, 2.0, er_v3(0, 1.5, 0), er_v3(0, 0.1, 0.02));
    add("skirt", trunk, 0.3, er_v3(0, 1.0, 0), er_v3(0, -0.2, 0));
    for (int side = 1; side >= -1; side -= 2) {
        bool left = side > 0;
        int collar =
            add(left ? "LeftCollar" : "RightCollar", trunk, 0.4, er_v3(0.05 * side, 1.4, 0), er_v3(0.05 * side, 0, 0));
        add(left ? "LeftShoulder" : "RightShoulder", collar, 1.0, er_v3(0.2 * side, 1.4, 0), er_v3(0.2 * side, 0, 0));
        int leg = add(left ? "LeftHip" : "RightHip", trunk, 2.0, er_v3(0.1 * side, 1.0, 0), er_v3(0, -0.3, 0));
        int shin = add(left ? "LeftKnee" : "RightKnee", leg, 1.0, er_v3(0.1 * side, 0.5, 0), er_v3(0, -0.2, 0));
        add(left ? "LeftFoot" : "RightFoot", shin, 0.4, er_v3(0.1 * side, 0.05, 0), er_v3(0, -0.03, 0.08));
    }
    named_rig n = name_modes(finish());
    assert_string_equal(region_of(&n, "LeftCollar")->name, "left arm");
    assert_string_equal(region_of(&n, "RightCollar")->name, "right arm");
    assert_string_equal(region_of(&n, "skirt")->name, "cloth");
    forget(&n);
}

static void words_tell_regions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int kind;
    } known[] = {{"mixamorig:LeftHandThumb1", ER_REGION_FINGER},
                 {"Bip01 R Forearm", ER_REGION_ARM},
                 {"DEF-shin.L.001", ER_REGION_LEG},
                 {"Oberschenkel_L", ER_REGION_LEG},
                 {"Schwanz.003", ER_REGION_TAIL},
                 {"aile_G_02", ER_REGION_WING},
                 {"cabeza", ER_REGION_HEAD},
                 {"左足首", ER_REGION_LEG},
                 {"右ひじ", ER_REGION_ARM},
                 {"上半身2", ER_REGION_TRUNK},
                 {"ponytail_03", ER_REGION_HAIR},
                 {"rear_axle", -1},
                 {"Armature", -1},
                 {"coat_tail", ER_REGION_CLOTH},
                 {"upperArm.R", ER_REGION_ARM}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (eri_region_of_name(known[i].name) != known[i].kind)
            fail_msg("\"%s\" is taken for %d", known[i].name, eri_region_of_name(known[i].name));
    char stem[16];
    eri_name_stem("Wheel.L.001", stem, sizeof stem);
    assert_string_equal(stem, "wheel");
    eri_name_stem("joint_07", stem, sizeof stem);
    assert_string_equal(stem, "");
}

static void what_makes_no_names_is_refused(void **state)
{
    (void)state;
    named_rig n = name_modes(make_cat());
    er_regions *regions = NULL;
    er_mode_names *names = NULL;
    assert_refusal(context, er_regions_create(context, NULL, NULL, NULL, &regions), ER_ERROR_ARGUMENT, "model");
    assert_int_equal(er_regions_create(NULL, n.model, NULL, NULL, &regions), ER_ERROR_ARGUMENT);
    assert_int_equal(er_regions_create(context, n.model, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_refusal(context, er_mode_names_create(context, n.model, NULL, n.modes, &names), ER_ERROR_ARGUMENT,
                   "regions");
    assert_int_equal(er_mode_names_create(NULL, n.model, n.regions, n.modes, &names), ER_ERROR_ARGUMENT);
    bodies = 0;
    add("alone", -1, 1.0, er_v3(0, 0, 0), er_v3(0, 0, 0));
    add("other", 0, 1.0, er_v3(0, 1, 0), er_v3(0, 0, 0));
    er_model *two = finish();
    assert_refusal(context, er_mode_names_create(context, two, n.regions, n.modes, &names), ER_ERROR_ARGUMENT, "model");
    assert_null(names);
    assert_string_equal(er_region_kind_name(ER_REGION_PART), "part");
    assert_string_equal(er_region_kind_name((er_region_kind)ER_REGION_KIND_COUNT), "unknown");
    er_regions_destroy(NULL);
    er_mode_names_destroy(NULL);
    er_model_destroy(two);
    forget(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cat_has_the_regions_of_a_cat),
        cmocka_unit_test(names_are_unique_and_found_again),
        cmocka_unit_test(mixes_take_names),
        cmocka_unit_test(a_chain_counts_its_bends),
        cmocka_unit_test(machines_are_called_by_their_names),
        cmocka_unit_test(fingers_of_a_hand_are_told_apart),
        cmocka_unit_test(a_snake_is_a_body),
        cmocka_unit_test(collars_above_arms_are_arms),
        cmocka_unit_test(words_tell_regions),
        cmocka_unit_test(what_makes_no_names_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
