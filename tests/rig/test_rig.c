// A rig compared with its scene: which nodes are bodies, their masses, joints, stiffness and places.
#include "support/hand.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"

static const er_joint *joint_of(const er_model *m, const char *child)
{
    int body = hand_body(m, child, false);
    assert_true(m->tree_joint[body] >= 0);
    return &m->joint[m->tree_joint[body]];
}

static double distance_of(er_affine a, er_affine b)
{
    double worst = er_v3_distance(a.translation, b.translation);
    for (int i = 0; i < 9; ++i)
        worst = fmax(worst, fabs(a.linear.m[i / 3][i % 3] - b.linear.m[i / 3][i % 3]));
    return worst;
}

static void expect_refused(const er_scene *scene, const er_rig_def *def, er_result expected, const char *named)
{
    er_rig *built = (er_rig *)&def;
    assert_refusal(context, er_rig_build(context, scene, def, &built), expected, named);
    assert_null(built);
}

// ---- bodies

static void bodies_are_joints_their_ancestors_and_animated_nodes(void **state)
{
    static hand h;
    hand_init(&h);
    int world = hand_node(&h, "world", -1, hand_at(0, 0, 0)), hips = hand_node(&h, "hips", world, hand_at(0, 1, 0));
    int chest = hand_node(&h, "chest", hips, hand_at(0, 1, 0)), left = hand_node(&h, "left", chest, hand_at(1, 0, 0));
    int right = hand_node(&h, "right", chest, hand_at(-1, 0, 0)), camera = hand_node(&h, "eye", left, hand_at(0, 0, 1));
    int light = hand_node(&h, "lamp", chest, hand_at(0, 0, 1)), tip = hand_node(&h, "tip", right, hand_at(-1, 0, 0));
    int carrier = hand_node(&h, "skinned", hips, hand_at(0, 0, 0)), lone = hand_node(&h, "rock", -1, hand_at(9, 9, 9));
    int toy = hand_node(&h, "toy", left, hand_at(0, 0, 1));
    h.node[camera].flags = ER_NODE_CAMERA;
    h.node[light].flags = ER_NODE_LIGHT;
    h.node[tip].flags = ER_NODE_END_SITE;
    const int arms[] = {left, right};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(0.8, 1.9, -0.1), er_v3(1.6, 2.1, 0.1), 0);
    hand_box(&h, er_v3(-1.6, 1.9, -0.1), er_v3(-0.8, 2.1, 0.1), 1);
    hand_draw(&h, carrier, mesh, hand_skin(&h, "arms", 2, arms));
    int trunk = hand_mesh(&h);
    hand_box(&h, er_v3(-0.2, -0.2, -0.2), er_v3(0.2, 0.2, 0.2), -1);
    hand_draw(&h, hips, trunk, -1);
    hand_draw(&h, chest, trunk, -1);
    hand_draw(&h, lone, trunk, -1);
    const double from[] = {0, 0, 0, 1}, to[] = {0, 0, 0.6, 0.8}, out[] = {0, 0, 0}, there[] = {0, 0, 1};
    hand_clip(&h, "wave");
    hand_channel(&h, hips, ER_PATH_ROTATION, from, to);
    hand_channel(&h, camera, ER_PATH_ROTATION, from, to);
    hand_channel(&h, light, ER_PATH_ROTATION, from, to);
    hand_channel(&h, carrier, ER_PATH_TRANSLATION, out, there);
    hand_channel(&h, lone, ER_PATH_ROTATION, from, from); // says nothing
    er_rig *built = hand_rig(context, &h.scene, NULL);
    static const char *const names[] = {"hips", "chest", "left", "right"};
    assert_int_equal(built->model->body_count, 4);
    for (int b = 0; b < 4; ++b) {
        assert_string_equal(built->model->body[b].name, names[b]);
        assert_int_equal(built->role[built->body_node[b]], ER_ROLE_BODY);
        assert_int_equal(built->node_body[built->body_node[b]], b);
    }
    const int carried[] = {camera, light, tip, carrier, toy};
    for (size_t i = 0; i < ERI_COUNT(carried); ++i)
        assert_int_equal(built->role[carried[i]], ER_ROLE_CARRIED);
    assert_int_equal(built->node_body[toy], hand_body(built->model, "left", false));
    assert_int_equal(built->role[world], ER_ROLE_OUTSIDE);
    assert_int_equal(built->role[lone], ER_ROLE_OUTSIDE);
    assert_int_equal(built->node_body[lone], -1);
    // each body weighs its own boxes: 0.8 x 0.2 x 0.2 and 0.4^3 of water
    measure_at_most("mass of an arm", relative_error(built->model->body[2].mass, 32.0), 1e-6);
    measure_at_most("mass of the trunk", relative_error(built->model->body[0].mass, 64.0), 1e-6);
    measure_at_most("total mass", relative_error(built->total_mass, 192.0), 1e-6);
    er_rig_destroy(built);
}

static void bones_without_mass_are_welded_a_root_to_its_heaviest_child(void **state)
{
    static hand h;
    hand_init(&h);
    int root = hand_node(&h, "root", -1, hand_at(0, 0, 0)), light = hand_node(&h, "light", root, hand_at(-1, 0, 0));
    int heavy = hand_node(&h, "heavy", root, hand_at(1, 0, 0)), tip = hand_node(&h, "tip", light, hand_at(-1, 0, 0));
    const int joints[] = {root, light, heavy, tip};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(-1.4, -0.1, -0.1), er_v3(-0.6, 0.1, 0.1), 1);
    hand_box(&h, er_v3(0.6, -0.5, -0.5), er_v3(1.6, 0.5, 0.5), 2);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 4, joints));
    er_rig *built = hand_rig(context, &h.scene, NULL);
    const er_model *m = built->model;
    assert_int_equal(m->body_count, 2);
    assert_int_equal(built->role[root], ER_ROLE_WELDED);
    assert_int_equal(built->role[tip], ER_ROLE_WELDED);
    assert_int_equal(built->node_body[root], hand_body(m, "heavy", false));
    assert_int_equal(built->node_body[tip], hand_body(m, "light", false));
    assert_int_equal(m->joint_count, 1);
    assert_int_equal(joint_of(m, "light")->parent, hand_body(m, "heavy", false));
    assert_true(er_v3_distance(joint_of(m, "light")->frame.p, er_v3(-1, 0, 0)) < 1e-12);
    assert_true(hand_noted(built, ER_NOTE_FACT, "welded"));
    er_rig_destroy(built);
}

static void make_pair(hand *h)
{
    hand_init(h);
    static const char *const names[] = {"left", "left hand", "right", "right hand"};
    for (int i = 0; i < 4; ++i)
        hand_node(h, names[i], i % 2 == 0 ? -1 : i - 1, i % 2 == 0 ? hand_at(4.0 * i - 4.0, 0, 0) : hand_at(1, 0, 0));
    for (int s = 0; s < 2; ++s) {
        const int joints[] = {2 * s, 2 * s + 1};
        double x = 8.0 * s - 4.0;
        int mesh = hand_mesh(h);
        hand_box(h, er_v3(x, -0.1, -0.1), er_v3(x + 0.9, 0.1, 0.1), 0);
        hand_box(h, er_v3(x + 1, -0.1, -0.1), er_v3(x + 1.9, 0.1, 0.1), 1);
        hand_draw(h, 2 * s, mesh, hand_skin(h, s == 0 ? "skin L" : "skin R", 2, joints));
    }
}

static void several_skeletons_are_one_rig_unless_one_is_named(void **state)
{
    static hand h;
    make_pair(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_int_equal(built->model->body_count, 4);
    assert_int_equal(built->model->joint_count, 2);
    er_rig_destroy(built);
    static const char *const by[] = {"right", "skin R"};
    for (int k = 0; k < 2; ++k) {
        er_rig_def def = er_default_rig_def();
        def.skeleton = by[k];
        built = hand_rig(context, &h.scene, &def);
        assert_int_equal(built->model->body_count, 2);
        assert_int_equal(hand_body(built->model, "left", true), -1);
        assert_int_equal(built->role[0], ER_ROLE_OUTSIDE);
        measure_at_most("mass of one skeleton", relative_error(built->total_mass, 72.0), 1e-6);
        er_rig_destroy(built);
    }
    er_rig_def def = er_default_rig_def();
    def.skeleton = "middle";
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "\"left\", \"right\"");
}

static void nameless_nodes_are_called_by_their_index(void **state)
{
    static hand h;
    make_pair(&h);
    h.node[1].name = h.node[2].name = "";
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_string_equal(built->model->body[1].name, "node 1");
    assert_string_equal(built->model->body[2].name, "node 2");
    assert_string_equal(joint_of(built->model, "node 1")->name, "node 1");
    assert_false(hand_noted(built, ER_NOTE_FACT, "share a name"));
    er_rig_destroy(built);
    h.node[1].name = "left";
    built = hand_rig(context, &h.scene, NULL);
    assert_true(hand_noted(built, ER_NOTE_FACT, "share a name"));
    er_rig_destroy(built);
    er_rig_def def = er_default_rig_def();
    def.skeleton = "?";
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "\"node 2\"");
}

static void a_scene_without_skeleton_mesh_or_sense_is_refused(void **state)
{
    static hand h;
    hand_init(&h);
    expect_refused(&h.scene, NULL, ER_ERROR_RIG, "");
    hand_node(&h, "alone", -1, hand_at(0, 0, 0));
    expect_refused(&h.scene, NULL, ER_ERROR_RIG, "");
    h.node[0].flags = ER_NODE_JOINT; // a joint of no length and no mesh
    expect_refused(&h.scene, NULL, ER_ERROR_RIG, "");
    hand_chain(&h);
    er_rig_def def = er_default_rig_def();
    def.tag = 0;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "");
    double *const number[] = {&def.density,       &def.mass,          &def.height,
                              &def.damping_ratio, &def.rayleigh_mass, &def.rayleigh_stiffness};
    static const char *const word[] = {"density", "mass", "height", "damping", "Rayleigh", "Rayleigh"};
    static const double bad[] = {-1.0, NAN, HUGE_VAL};
    for (size_t i = 0; i < ERI_COUNT(number); ++i)
        for (size_t k = 0; k < ERI_COUNT(bad); ++k) {
            def = er_default_rig_def();
            *number[i] = bad[k];
            expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, word[i]);
        }
    def = er_default_rig_def();
    def.pose = ER_POSE_CLIP;
    def.pose_clip = "run";
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "\"run\"");
    const double q[] = {0, 0, 0, 1}, other[] = {0, 0, 0.6, 0.8};
    hand_clip(&h, "walk");
    hand_channel(&h, 1, ER_PATH_ROTATION, q, other);
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "\"walk\"");
    def.pose_clip = "walk";
    static const double outside[] = {-0.1, 1.1, NAN};
    for (size_t k = 0; k < ERI_COUNT(outside); ++k) {
        def.pose_time = outside[k];
        expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "");
    }
    h.scene.skin_count = h.scene.instance_count = 0;
    def = er_default_rig_def();
    def.pose = ER_POSE_BIND;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "");
}

static void what_is_said_to_be_given_is_looked_for(void **state)
{
    static hand h;
    hand_chain(&h);
    er_affine local[HAND_NODES];
    er_scene_sample(&h.scene, NULL, 0.0, local);
    er_rig_def def = er_default_rig_def();
    def.pose = ER_POSE_GIVEN;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "");
    def.pose_local = local;
    er_rig_destroy(hand_rig(context, &h.scene, &def));
    local[2].translation.y = NAN;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "node 2");
    const er_hang nameless[] = {{"link 3", "link 1", false}, {NULL, "link 1", false}};
    def = er_default_rig_def();
    def.hang_count = 2;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "2");
    def.hang = nameless;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "entry 1");
    def.hang_count = -1;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "-1");
}

// ---- mass and size

static double worst_frequency_change(const er_model *a, const er_model *b, double factor)
{
    er_modes *x = rig_modes(context, a, ER_MODAL_AUTO), *y = rig_modes(context, b, ER_MODAL_AUTO);
    double worst = 0.0;
    assert_int_equal(x->count, y->count);
    assert_true(x->count > x->rigid_count);
    for (int k = x->rigid_count; k < x->count; ++k)
        worst = fmax(worst, relative_error(factor * x->mode[k].frequency_hz, y->mode[k].frequency_hz));
    er_modes_destroy(x);
    er_modes_destroy(y);
    return worst;
}

static void height_scales_sizes_and_leaves_graded_frequencies(void **state)
{
    static hand h;
    hand_chain(&h);
    h.scene.up = er_v3(1, 0, 0);
    er_rig_def def = er_default_rig_def();
    er_rig *plain = hand_rig(context, &h.scene, &def);
    def.height = 1.7;
    er_rig *tall = hand_rig(context, &h.scene, &def);
    double s = 1.7 / plain->height;
    measure_at_most("height", relative_error(tall->height, 1.7), 1e-12);
    measure_at_most("extent", relative_error(tall->extent, s * plain->extent), 1e-12);
    measure_at_most("metres per unit", relative_error(tall->metres_per_unit, s), 1e-12);
    measure_at_most("mass by height", relative_error(tall->total_mass, s * s * s * plain->total_mass), 1e-9);
    for (int b = 0; b < HAND_LINKS; ++b)
        measure_at_most("place by height",
                        er_v3_distance(tall->model->body[b].pose.p, er_v3_scale(s, plain->model->body[b].pose.p)),
                        1e-12);
    measure_at_most("Hz by height", worst_frequency_change(plain->model, tall->model, 1.0), 1e-9);
    er_rig_destroy(tall);
    h.scene.metres_per_unit = 2.0;
    def.height = 0.0;
    er_rig *twice = hand_rig(context, &h.scene, &def);
    measure_at_most("Hz of a model twice as large", worst_frequency_change(plain->model, twice->model, 1.0), 1e-9);
    measure_at_most("extent of it", relative_error(twice->extent, 2.0 * plain->extent), 1e-12);
    er_rig_destroy(twice);
    er_rig_destroy(plain);
    h.scene.skin_count = h.scene.instance_count = 0; // bones in a plane have no height across it
    for (int i = 0; i < HAND_LINKS; ++i)
        h.node[i].local = hand_at(i > 0, 0, 0);
    h.scene.up = er_v3(0, 1, 0);
    def.height = 1.7;
    expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "height");
}

static void density_and_mass_scale_what_bodies_weigh(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig_def def = er_default_rig_def();
    er_rig *plain = hand_rig(context, &h.scene, &def);
    def.density = 250.0;
    er_rig *light = hand_rig(context, &h.scene, &def);
    def.mass = 70.0;
    er_rig *set = hand_rig(context, &h.scene, &def);
    measure_at_most("mass set", relative_error(set->total_mass, 70.0), 1e-12);
    for (int b = 0; b < HAND_LINKS; ++b) {
        const er_body *p = &plain->model->body[b], *l = &light->model->body[b], *s = &set->model->body[b];
        // to what cells of a turned box, cut along the world's axes, can tell;  0.8 x (0.2 + 0.02 b) x (0.1 + 0.03 b),
        // its own boundaries known
        double y = 0.2 + 0.02 * b, z = 0.1 + 0.03 * b, m = 1000.0 * 0.8 * y * z;
        measure_at_most("mass of a box", relative_error(p->mass, m), 2e-3);
        measure_at_most("centre of a box", er_v3_distance(p->com, er_v3(0.5, -0.01 * b, 0.015 * b)), 1e-3);
        measure_at_most("inertia of a box", relative_error(p->inertia.m[2][2], m * (0.64 + y * y) / 12.0), 5e-3);
        measure_at_most("mass by density", relative_error(l->mass, 0.25 * p->mass), 1e-12);
        measure_at_most("mass by mass", relative_error(s->mass, p->mass * 70.0 / plain->total_mass), 1e-12);
        measure_at_most("inertia by mass",
                        relative_error(s->inertia.m[1][1], p->inertia.m[1][1] * 70.0 / plain->total_mass), 1e-12);
    }
    er_rig_change change = er_default_rig_change();
    change.mass = 70.0;
    er_model *changed = NULL;
    assert_int_equal(er_rig_change_model(context, plain->model, &change, &changed), ER_OK);
    for (int b = 0; b < HAND_LINKS; ++b)
        measure_at_most("mass by a change", relative_error(changed->body[b].mass, set->model->body[b].mass), 1e-12);
    er_model_destroy(changed);
    er_rig_destroy(set);
    er_rig_destroy(light);
    er_rig_destroy(plain);
}

static void expect_equal_bodies(const er_model *a, const er_model *b)
{
    assert_int_equal(a->body_count, b->body_count);
    for (int i = 0; i < a->body_count; ++i) {
        assert_true(a->body[i].mass == b->body[i].mass);
        assert_memory_equal(&a->body[i].com, &b->body[i].com, sizeof a->body[i].com);
        assert_memory_equal(&a->body[i].inertia, &b->body[i].inertia, sizeof a->body[i].inertia);
        assert_memory_equal(&a->body[i].pose, &b->body[i].pose, sizeof a->body[i].pose);
    }
}

static void a_rig_like_another_is_the_same_without_weighing(void **state)
{
    static hand h;
    hand_chain(&h);
    for (int bare = 0; bare < 2; ++bare) {
        if (bare == 1) h.scene.instance_count = 0;
        er_rig_def first = er_default_rig_def();
        er_rig *like = hand_rig(context, &h.scene, &first);
        er_rig_def defs[6];
        for (size_t i = 0; i < ERI_COUNT(defs); ++i)
            defs[i] = er_default_rig_def();
        defs[1].pose = bare == 0 ? ER_POSE_BIND : ER_POSE_REST;
        defs[1].root = ER_ROOT_FIXED;
        defs[2].joints = ER_JOINTS_REVOLUTE;
        defs[2].mass = 3.0;
        defs[3].density = 500.0;
        defs[4].height = 7.0;
        defs[5].skeleton = "link 2";
        for (size_t i = 0; i < ERI_COUNT(defs); ++i) {
            er_rig *anew = hand_rig(context, &h.scene, &defs[i]);
            defs[i].like = like;
            er_rig *kept = hand_rig(context, &h.scene, &defs[i]);
            expect_equal_bodies(kept->model, anew->model);
            assert_true(kept->total_mass == anew->total_mass && kept->volume == anew->volume);
            assert_string_equal(kept->mass_source, anew->mass_source);
            assert_int_equal(kept->note_count, anew->note_count);
            for (int k = 0; k < kept->note_count; ++k)
                assert_string_equal(kept->note[k].text, anew->note[k].text);
            er_rig_destroy(anew);
            er_rig_destroy(kept);
        }
        er_rig_destroy(like);
    }
}

static void bones_without_mesh_weigh_as_capsules(void **state)
{
    static hand h;
    hand_chain(&h);
    h.scene.skin_count = h.scene.instance_count = 0;
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_true(strstr(built->mass_source, "capsules") != NULL);
    assert_int_equal(built->model->body_count, HAND_LINKS - 1); // the last has no length
    assert_int_equal(built->role[HAND_LINKS - 1], ER_ROLE_WELDED);
    // a limb that tapers: as heavy as a cylinder 1 m long, its area as the way to the tip to the power of 5/4
    for (int b = 0; b < 3; ++b) {
        double e = built->extent, m = 1000.0 * ER_PI * pow(0.045 * e, 2.0) * pow((3 - b) / e, 1.25);
        measure_at_most("mass of a capsule", relative_error(built->model->body[b].mass, m), 1e-9);
    }
    // an end site ends a bone as another bone does
    h.node[HAND_LINKS - 1].flags = ER_NODE_END_SITE;
    er_rig *ended = hand_rig(context, &h.scene, NULL);
    assert_int_equal(ended->role[HAND_LINKS - 1], ER_ROLE_CARRIED);
    for (int b = 0; b < 3; ++b)
        assert_true(relative_error(ended->model->body[b].mass, built->model->body[b].mass) < 1e-12);
    er_rig_destroy(ended);
    h.node[HAND_LINKS - 1].flags = ER_NODE_JOINT;
    // and goes on through what is short beside it
    hand_node(&h, "spur", 1, hand_at(0.1 * built->extent, 0, 0));
    h.node[h.scene.node_count - 1].flags = ER_NODE_JOINT;
    er_rig *spurred = hand_rig(context, &h.scene, NULL);
    assert_true(relative_error(spurred->model->body[0].mass, built->model->body[0].mass) < 0.01);
    assert_true(relative_error(spurred->model->body[2].mass, built->model->body[2].mass) < 0.01);
    er_rig_destroy(spurred);
    er_rig_destroy(built);
}

// A rod of a skeleton without a mesh, in `pieces`; the last node, at its end.
static int bone_of(hand *h, const char *name, int parent, er_vec3 at, er_vec3 along, int pieces)
{
    int node = hand_node(h, name, parent, hand_at(at.x, at.y, at.z));
    for (int i = 1; i < pieces; ++i)
        node = hand_node(h, name, node, hand_at(along.x / pieces, along.y / pieces, along.z / pieces));
    return node;
}

// The mass of a part of the body, of any number of bodies, in percent.
static double share_of(const er_rig *of, const char *name)
{
    double sum = 0.0;
    for (int b = 0; b < of->model->body_count; ++b)
        if (strncmp(of->model->body[b].name, name, strlen(name)) == 0) sum += of->model->body[b].mass;
    return 100.0 * sum / of->total_mass;
}

// Lengths and masses of a person's parts by Winter, Biomechanics and Motor Control of Human Movement, 4th ed., 4.1.
static void a_person_without_mesh_weighs_as_people_do(void **state)
{
    static hand h;
    static const struct {
        const char *name;
        double known, least, most; // parts of a hundred, of both sides
    } parts[] = {{"thigh", 20.0, 16.0, 24.0},  {"shank", 9.3, 7.5, 11.0},  {"foot", 2.9, 1.7, 3.5},
                 {"upper arm", 5.6, 4.0, 9.5}, {"forearm", 3.2, 2.0, 4.5}, {"hand", 1.2, 0.6, 1.8},
                 {"trunk", 57.8, 52.0, 63.0}};
    double before[ERI_COUNT(parts)] = {0};
    for (int pieces = 1; pieces <= 2; ++pieces) {
        hand_init(&h);
        int hips = bone_of(&h, "trunk", -1, er_v3(0, 0.53, 0), er_v3(0, 0.288, 0), pieces);
        double left = 0.288 / pieces;
        int chest = hand_node(&h, "trunk, chest", hips, hand_at(0, left, 0));
        hand_node(&h, "end of head", chest, hand_at(0, 0.182, 0));
        for (int s = 1; s >= -1; s -= 2) {
            int thigh = bone_of(&h, "thigh", 0, er_v3(0.05 * s, 0, 0), er_v3(0, -0.245, 0), pieces);
            int shank = bone_of(&h, "shank", thigh, er_v3(0, -0.245 / pieces, 0), er_v3(0, -0.246, 0), pieces);
            int foot = hand_node(&h, "foot", shank, hand_at(0, -0.246 / pieces, 0));
            hand_node(&h, "end of foot", foot, hand_at(0, -0.03, 0.149));
            int upper = bone_of(&h, "upper arm", chest, er_v3(0.129 * s, 0, 0), er_v3(0.186 * s, 0, 0), pieces);
            int lower = bone_of(&h, "forearm", upper, er_v3(0.186 * s / pieces, 0, 0), er_v3(0.146 * s, 0, 0), pieces);
            int hand_ = hand_node(&h, "hand", lower, hand_at(0.146 * s / pieces, 0, 0));
            hand_node(&h, "end of hand", hand_, hand_at(0.108 * s, 0, 0));
        }
        for (int i = 0; i < h.scene.node_count; ++i)
            h.node[i].flags = ER_NODE_JOINT;
        er_rig *built = hand_rig(context, &h.scene, NULL);
        for (size_t i = 0; i < ERI_COUNT(parts); ++i) {
            double share = share_of(built, parts[i].name);
            print_message("# %d pieces: %s %.2f %%, by Winter %.2f %%\n", pieces, parts[i].name, share, parts[i].known);
            assert_true(share > parts[i].least && share < parts[i].most);
            if (pieces == 2) assert_true(fabs(share - before[i]) < 0.16 * before[i]); // limbs taper within a part too
            before[i] = share;
        }
        er_rig_destroy(built);
    }
}

// ---- joints

static void a_held_root_is_fixed_to_the_world(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig_def def = er_default_rig_def();
    def.root = ER_ROOT_FIXED;
    er_rig *held = hand_rig(context, &h.scene, &def), *loose = hand_rig(context, &h.scene, NULL);
    const er_joint *root = joint_of(held->model, "link 0");
    assert_int_equal(root->parent, -1);
    assert_int_equal(root->type, ER_JOINT_FIXED);
    assert_string_equal(root->name, "link 0 to the world");
    er_modes *a = rig_modes(context, held->model, ER_MODAL_AUTO), *b = rig_modes(context, loose->model, ER_MODAL_AUTO);
    assert_int_equal(a->rigid_count, 0);
    assert_int_equal(b->rigid_count, 6);
    assert_int_equal(a->dof, 9);
    assert_int_equal(b->dof, 15);
    er_rig_change change = er_default_rig_change();
    change.fix_root = true;
    change.stiffness = &def.stiffness;
    er_model *changed = NULL;
    assert_int_equal(er_rig_change_model(context, loose->model, &change, &changed), ER_OK);
    measure_at_most("Hz held later", worst_frequency_change(held->model, changed, 1.0), 1e-12);
    er_model_destroy(changed);
    er_modes_destroy(a);
    er_modes_destroy(b);
    er_rig_destroy(held);
    er_rig_destroy(loose);
}

static void hinges_turn_across_parent_and_child_bone(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    er_rig *built = hand_rig(context, &h.scene, &def);
    const er_model *m = built->model;
    for (int i = 1; i < HAND_LINKS; ++i) {
        const er_joint *j = joint_of(m, h.node[i].name);
        er_vec3 axis = er_q_rotate(j->frame.q, er_v3(0, 0, 1));
        er_vec3 above = er_q_rotate(m->body[i - 1].pose.q, er_v3(1, 0, 0));
        er_vec3 own = i + 1 < HAND_LINKS ? er_q_rotate(m->body[i].pose.q, er_v3(1, 0, 0))
                                         : er_v3_unit(er_q_rotate(m->body[i].pose.q, m->body[i].com), er_v3(0, 0, 0));
        assert_int_equal(j->type, ER_JOINT_REVOLUTE);
        assert_true(er_v3_distance(j->frame.p, m->body[i].pose.p) < 1e-12);
        measure_at_most("hinge against parent bone", fabs(er_v3_dot(axis, above)), 1e-6);
        measure_at_most("hinge against own bone", fabs(er_v3_dot(axis, own)), 1e-6);
    }
    er_rig_destroy(built);
    for (int i = 1; i < HAND_LINKS; ++i) // in a line there is no product to go by
        h.node[i].local = hand_at(1, 0, 0);
    built = hand_rig(context, &h.scene, &def);
    for (int i = 1; i < HAND_LINKS - 1; ++i) {
        er_vec3 axis = er_q_rotate(joint_of(built->model, h.node[i].name)->frame.q, er_v3(0, 0, 1));
        measure_at_most("hinge of bones in line", fabs(axis.x), 1e-12);
    }
    er_rig_destroy(built);
    def.joints = ER_JOINTS_SPHERICAL;
    built = hand_rig(context, &h.scene, &def);
    assert_int_equal(joint_of(built->model, "link 2")->type, ER_JOINT_SPHERICAL);
    er_rig_destroy(built);
}

static void channels_of_a_bvh_say_how_its_joints_turn(void **state)
{
    static hand h;
    hand_init(&h);
    h.scene.format = ER_FORMAT_BVH;
    static const struct {
        const char *name;
        int count;
        uint8_t channels[6];
        er_joint_type type;
    } rows[] = {
        {"hips", 6, {0, 1, 2, ER_BVH_Z_ROTATION, ER_BVH_X_ROTATION, ER_BVH_Y_ROTATION}, ER_JOINT_FREE},
        {"ball", 3, {ER_BVH_Z_ROTATION, ER_BVH_X_ROTATION, ER_BVH_Y_ROTATION}, ER_JOINT_SPHERICAL},
        {"cardan", 2, {ER_BVH_Z_ROTATION, ER_BVH_Y_ROTATION}, ER_JOINT_UNIVERSAL},
        {"hinge", 1, {ER_BVH_Y_ROTATION}, ER_JOINT_REVOLUTE},
        {"slide", 4, {ER_BVH_X_POSITION, ER_BVH_Y_POSITION, ER_BVH_Z_POSITION, ER_BVH_X_ROTATION}, ER_JOINT_REVOLUTE},
        {"stiff", 0, {0}, ER_JOINT_FIXED},
    };
    int count = (int)ERI_COUNT(rows);
    for (int i = 0; i < count; ++i) {
        int n =
            hand_node(&h, rows[i].name, i - 1, hand_turned(er_v3(i > 0, 0.3, 0), er_v3(0.1, 0.2, i), er_v3(1, 1, 1)));
        h.node[n].flags = ER_NODE_JOINT;
        h.node[n].channel_count = (uint8_t)rows[i].count;
        memcpy(h.node[n].channels, rows[i].channels, 6);
    }
    int end = hand_node(&h, "end", count - 1, hand_at(1, 0, 0));
    h.node[end].flags = ER_NODE_END_SITE;
    er_rig *built = hand_rig(context, &h.scene, NULL);
    const er_model *m = built->model;
    er_affine world[HAND_NODES];
    hand_world(&h.scene, world);
    assert_int_equal(m->body_count, count - 1);
    assert_int_equal(built->role[count - 1], ER_ROLE_WELDED);
    for (int i = 1; i < count - 1; ++i) {
        const er_joint *j = joint_of(m, rows[i].name);
        er_mat3 frame = er_m3_from_q(j->frame.q);
        assert_int_equal(j->type, rows[i].type);
        if (rows[i].count == 1) // about the channel's axis, as it stands in the parent
            assert_true(er_v3_distance(er_m3_column(frame, 2), er_m3_column(world[i - 1].linear, 1)) < 1e-12);
        if (rows[i].count == 4)
            assert_true(er_v3_distance(er_m3_column(frame, 2), er_m3_column(world[i - 1].linear, 0)) < 1e-12);
        if (rows[i].count == 2) { // the first axis in the parent, the second across it
            assert_true(er_v3_distance(er_m3_column(frame, 0), er_m3_column(world[i - 1].linear, 2)) < 1e-12);
            assert_true(fabs(er_v3_dot(er_m3_column(frame, 1), er_m3_column(world[i - 1].linear, 2))) < 1e-12);
        }
    }
    er_rig_destroy(built);
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_SPHERICAL;
    built = hand_rig(context, &h.scene, &def);
    assert_int_equal(built->model->body_count, count);
    assert_int_equal(joint_of(built->model, "stiff")->type, ER_JOINT_SPHERICAL);
    er_rig_destroy(built);
}

// A second root that is said to hang on a bone does not stand in its axes: its channels turn about the world's.
static void channels_of_a_root_turn_about_the_worlds_axes(void **state)
{
    static hand h;
    hand_init(&h);
    h.scene.format = ER_FORMAT_BVH;
    const er_vec3 one = {1, 1, 1};
    static const char *const names[] = {"hips", "spine", "spine's end", "chest", "head", "head's end"};
    for (int i = 0; i < 6; ++i) {
        er_vec3 turn = er_v3(0.4, 0.3 + 0.2 * i, -0.5);
        int n = hand_node(&h, names[i], i % 3 == 0 ? -1 : i - 1, hand_turned(er_v3(i % 3 > 0, i / 3, 0), turn, one));
        h.node[n].flags = i % 3 == 2 ? ER_NODE_END_SITE : ER_NODE_JOINT;
        h.node[n].channel_count = i % 3 < 2;
        h.node[n].channels[0] = ER_BVH_Y_ROTATION;
    }
    er_rig_def def = er_default_rig_def();
    static const er_hang said = {"chest", "spine", false};
    def.hang = &said;
    def.hang_count = 1;
    er_rig *built = hand_rig(context, &h.scene, &def);
    er_affine world[HAND_NODES];
    hand_world(&h.scene, world);
    const er_model *m = built->model;
    const er_joint *root = joint_of(m, "chest"), *bone = joint_of(m, "spine");
    assert_int_equal(root->parent, hand_body(m, "spine", false));
    assert_int_equal(root->type, ER_JOINT_REVOLUTE);
    assert_true(er_v3_distance(er_m3_column(er_m3_from_q(root->frame.q), 2), er_v3(0, 1, 0)) < 1e-12);
    er_vec3 above = er_m3_column(world[0].linear, 1); // node 0 is a parent too
    assert_true(er_v3_distance(er_m3_column(er_m3_from_q(bone->frame.q), 2), above) < 1e-12);
    er_rig_destroy(built);
}

// ---- poses

static void expect_stands_as(const er_rig *built, const er_affine *world)
{
    for (int b = 0; b < built->model->body_count; ++b) {
        int n = built->body_node[b];
        measure_at_most("world transform of a node", distance_of(built->world[n], world[n]), 1e-6);
        measure_at_most("frame of a body", distance_of(er_affine_from_pose(built->model->body[b].pose), world[n]),
                        1e-6);
        if (built->model->tree_joint[b] >= 0)
            measure_at_most(
                "place of a joint",
                er_v3_distance(built->model->joint[built->model->tree_joint[b]].frame.p, world[n].translation), 1e-6);
    }
}

static void bodies_stand_at_rest_bound_or_as_a_clip_has_them(void **state)
{
    static hand h;
    hand_chain(&h);
    const double from[] = {0, 0, 0, 1}, to[] = {0, 0.6, 0, 0.8}, out[] = {1, 0, 0}, there[] = {1, 0.5, 0.25};
    hand_clip(&h, "still");
    hand_channel(&h, 1, ER_PATH_ROTATION, from, from);
    hand_clip(&h, "bend");
    hand_channel(&h, 1, ER_PATH_ROTATION, from, to);
    hand_channel(&h, 2, ER_PATH_TRANSLATION, out, there);
    er_affine world[HAND_NODES], local[HAND_NODES];
    er_rig_def def = er_default_rig_def();
    er_rig *rest = hand_rig(context, &h.scene, &def);
    hand_world(&h.scene, world);
    expect_stands_as(rest, world);
    assert_true(rest->bind_turn > 0.17 && hand_noted(rest, ER_NOTE_WARNING, "bind pose"));
    def.pose = ER_POSE_BIND;
    er_rig *bound = hand_rig(context, &h.scene, &def);
    for (int i = 0; i < HAND_LINKS; ++i)
        world[i] = hand_at(i, 0, 0);
    expect_stands_as(bound, world);
    assert_true(bound->bind_turn == rest->bind_turn);
    // the turn of link 3 is the product of those above it
    er_quat turn = er_q_identity();
    for (int i = 1; i < HAND_LINKS; ++i)
        turn = er_q_mul(turn, er_q_exp(er_v3(0.2 * i, 0.3, 0.1)));
    measure_at_most("turn from bind to rest", fabs(rest->bind_turn - er_v3_norm(er_q_log(turn))), 1e-9);
    def.pose = ER_POSE_CLIP;
    static const char *const names[] = {"bend", "1"};
    for (int k = 0; k < 2; ++k) {
        def.pose_clip = names[k];
        def.pose_time = 0.5;
        er_rig *bent = hand_rig(context, &h.scene, &def);
        for (int i = 0; i < h.scene.node_count; ++i)
            local[i] = h.node[i].local;
        // half of the way: a turn about y by half of 2 atan(0.6 / 0.8), a shift by half
        local[1].linear = er_m3_from_q(er_q_exp(er_v3(0, atan2(0.6, 0.8), 0)));
        local[2].translation = er_v3(1, 0.25, 0.125);
        er_scene_world(&h.scene, local, world);
        expect_stands_as(bent, world);
        for (int b = 0; b < HAND_LINKS; ++b) {
            const er_body *x = &rest->model->body[b], *y = &bent->model->body[b], *z = &bound->model->body[b];
            assert_true(x->mass == y->mass && x->mass == z->mass);
            assert_true(er_v3_distance(x->com, y->com) == 0.0 && er_v3_distance(x->com, z->com) == 0.0);
            assert_memory_equal(&x->inertia, &y->inertia, sizeof x->inertia);
        }
        er_rig_destroy(bent);
    }
    er_rig_destroy(rest);
    er_rig_destroy(bound);
}

static void only_bones_are_told_as_bones(void **state)
{
    static hand h;
    hand_chain(&h);
    h.node[2].flags = 0; // between joints of the skin
    int lamp = hand_node(&h, "lamp", 1, hand_at(0, 1, 0)), rock = hand_node(&h, "rock", -1, hand_at(0, 9, 0));
    er_rig *built = hand_rig(context, &h.scene, NULL);
    for (int i = 0; i < h.scene.node_count; ++i)
        assert_int_equal(built->bone[i], i < HAND_LINKS);
    assert_int_equal(built->role[lamp], ER_ROLE_CARRIED);
    assert_int_equal(built->role[rock], ER_ROLE_OUTSIDE);
    assert_int_equal(built->node_body[lamp], 1);
    assert_int_equal(built->node_body[rock], -1);
    er_rig_destroy(built);
}

static void a_scene_of_bones_is_a_gltf_s_alone(void **state)
{
    static const er_format formats[] = {ER_FORMAT_GLTF, ER_FORMAT_BVH, ER_FORMAT_OTHER};
    for (int i = 0; i < 3; ++i) {
        static hand h;
        hand_chain(&h);
        h.scene.format = formats[i];
        er_rig_def def = er_default_rig_def();
        def.joints = ER_JOINTS_SPHERICAL;
        er_rig *built = hand_rig(context, &h.scene, &def);
        er_scene *scene = NULL;
        const int *node_body;
        assert_int_equal(er_rig_bone_scene(context, built->model, built, &scene, &node_body), ER_OK);
        assert_int_equal(scene->format, i == 0 ? ER_FORMAT_GLTF : ER_FORMAT_OTHER);
        er_scene_destroy(scene);
        er_rig_destroy(built);
    }
}

static void uneven_and_mirrored_nodes_are_reported(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_false(hand_noted(built, ER_NOTE_WARNING, "unevenly"));
    assert_false(hand_noted(built, ER_NOTE_FACT, "mirrored"));
    assert_false(hand_noted(built, ER_NOTE_FACT, "carry a scale"));
    assert_false(hand_noted(built, ER_NOTE_WARNING, "a scale of 0"));
    er_rig_destroy(built);
    h.node[3].local = hand_turned(er_v3(1, 0, 0), er_v3(0, 0, 0.4), er_v3(1, 2, 1));
    built = hand_rig(context, &h.scene, NULL);
    assert_true(hand_noted(built, ER_NOTE_WARNING, "1 bones are scaled unevenly or sheared (\"link 3\" first)"));
    er_rig_destroy(built);
    h.node[3].local = hand_turned(er_v3(1, 0, 0), er_v3(0, 0, 0.4), er_v3(1, -1, 1));
    built = hand_rig(context, &h.scene, NULL);
    assert_true(hand_noted(built, ER_NOTE_FACT, "1 bones are mirrored"));
    assert_false(hand_noted(built, ER_NOTE_WARNING, "unevenly"));
    er_rig_destroy(built);
    h.node[0].local = hand_turned(er_v3(0, 0, 0), er_v3(0, 0, 0.4), er_v3(3, 3, 3));
    h.node[3].local = hand_turned(er_v3(1, 0, 0), er_v3(0, 0, 0.4), er_v3(0, 0, 0));
    built = hand_rig(context, &h.scene, NULL);
    assert_true(hand_noted(built, ER_NOTE_FACT, "3 bones carry a scale"));
    assert_true(hand_noted(built, ER_NOTE_WARNING, "1 bones have a scale of 0"));
    er_rig_destroy(built);
}

// ---- stiffness

static er_stiffness law_of(const char *text)
{
    er_stiffness law;
    assert_int_equal(er_stiffness_parse(context, text, &law), ER_OK);
    return law;
}

static void laws_are_read_from_words(void **state)
{
    er_stiffness law = law_of("uniform:12.5");
    assert_true(law.uniform && law.k == 12.5);
    law = law_of("uniform:0");
    assert_true(law.uniform && law.k == 0.0);
    law = law_of("graded:3");
    assert_true(!law.uniform && law.hz == 3.0 && law.alpha == 0.5);
    law = law_of("graded:3.5:1");
    assert_true(!law.uniform && law.hz == 3.5 && law.alpha == 1.0);
    static const char *const bad[] = {"",           "uniform",     "uniform:",      "uniform:x",
                                      "uniform:-1", "uniform:nan", "uniform:inf",   "graded",
                                      "graded:0",   "graded:-2",   "graded:2:",     "graded:2:x",
                                      "graded:2:2", "graded:2:-1", "graded:2:nan",  "graded:inf",
                                      "soft",       "uniform:1 ",  "graded:2:0.5:1"};
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        law.k = 77.0;
        assert_refusal(context, er_stiffness_parse(context, bad[i], &law), ER_ERROR_ARGUMENT, bad[i]);
        assert_true(law.k == 77.0);
    }
}

// Smallest eigenvalue of a symmetric n x n matrix, n <= 3, by cyclic Jacobi.
static double smallest_eigenvalue(int n, double a[3][3])
{
    for (int sweep = 0; sweep < 50; ++sweep)
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                double t = 0.5 * atan2(2.0 * a[p][q], a[q][q] - a[p][p]), c = cos(t), s = sin(t);
                for (int k = 0; k < n; ++k) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < n; ++k) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
            }
    double least = HUGE_VAL;
    for (int i = 0; i < n; ++i)
        least = fmin(least, a[i][i]);
    return least;
}

// All joints locked but k, loops cut (for a loop joint: its two bodies alone).
static er_model *lock_others(const er_model *m, int k)
{
    static er_body body[RIG_MAX];
    static er_joint joint[RIG_MAX];
    er_model_def def = er_default_model_def();
    def.body = body;
    def.joint = joint;
    if (m->joint[k].closes_loop) {
        joint[0] = m->joint[k];
        joint[0].closes_loop = false;
        body[def.body_count++] = m->body[joint[0].child];
        if (joint[0].parent >= 0) {
            body[def.body_count++] = m->body[joint[0].parent];
            joint[0].parent = 1;
        }
        joint[0].child = 0;
        def.joint_count = 1;
    } else {
        def.body_count = m->body_count;
        memcpy(body, m->body, (size_t)m->body_count * sizeof *body);
        for (int i = 0; i < m->joint_count; ++i) {
            er_joint j = m->joint[i];
            if (j.closes_loop) continue;
            if (i != k && !(j.type == ER_JOINT_FREE && j.parent < 0)) {
                j.type = ER_JOINT_FIXED;
                memset(j.stiffness, 0, sizeof j.stiffness);
                memset(j.damping, 0, sizeof j.damping);
            }
            joint[def.joint_count++] = j;
        }
    }
    er_model *locked = NULL;
    if (er_model_create(context, &def, &locked) != ER_OK) fail_msg("%s", er_context_error(context));
    return locked;
}

// Accelerations of joint k per unit effort, A = R N (N'M N)^-1 N'R' with N'M N = I, N from the null space of G: 1 / the
// smallest eigenvalue over its rotations, and over its shifts.
static void slow_inertia(const er_model *m, int k, double *turn, double *shift)
{
    er_model *locked = lock_others(m, k);
    judge *j = judge_create(locked);
    int at = 0;
    while (strcmp(locked->joint[at].name, m->joint[k].name) != 0)
        ++at;
    int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis), first = locked->coordinate[at];
    double *out[2] = {turn, shift};
    for (int part = 0; part < 2; ++part) {
        int list[3], n = 0;
        for (int c = 0; c < count; ++c)
            if ((axis[c] >= 3) == (part == 1)) list[n++] = first + c;
        double a[3][3] = {{0}};
        for (int x = 0; x < n; ++x)
            for (int y = 0; y < n; ++y) {
                real sum = 0.0L;
                for (int d = 0; d < j->dof; ++d) {
                    real rx = 0.0L, ry = 0.0L;
                    for (int i = 0; i < j->n; ++i) {
                        rx += j->R[list[x] * j->n + i] * j->N[i * j->dof + d];
                        ry += j->R[list[y] * j->n + i] * j->N[i * j->dof + d];
                    }
                    sum += rx * ry;
                }
                a[x][y] = (double)sum;
            }
        *out[part] = n > 0 ? 1.0 / smallest_eigenvalue(n, a) : 0.0;
    }
    judge_destroy(j);
    er_model_destroy(locked);
}

static void graded_stiffness_is_that_of_the_other_joints_locked(void **state)
{
    static rig r;
    dice d = {11};
    static const double alphas[] = {0.0, 0.3, 1.0};
    for (int round = 0; round < 25; ++round) {
        static char names[RIG_MAX][24];
        rig_random(&r, &d, round % 2 == 1);
        for (int k = 0; k < r.joint_count; ++k) {
            snprintf(names[k], sizeof names[k], "joint %d", k);
            r.joint[k].name = names[k];
        }
        er_model *m = rig_model(context, &r);
        double turn[RIG_MAX] = {0}, shift[RIG_MAX] = {0}, largest[2] = {0}, k[6 * RIG_MAX];
        for (int i = 0; i < m->joint_count; ++i) {
            bool free_root = m->joint[i].type == ER_JOINT_FREE && m->joint[i].parent < 0;
            if (!free_root && m->joint[i].type != ER_JOINT_FIXED) slow_inertia(m, i, &turn[i], &shift[i]);
            largest[0] = fmax(largest[0], turn[i]);
            largest[1] = fmax(largest[1], shift[i]);
        }
        for (size_t a = 0; a < ERI_COUNT(alphas); ++a) {
            er_stiffness law = {.hz = 1.5, .alpha = alphas[a]};
            assert_int_equal(er_stiffness_apply(context, m, &law, k), ER_OK);
            for (int i = 0; i < m->joint_count; ++i) {
                int axis[6], count = er_joint_type_freedom(m->joint[i].type, axis);
                bool free_root = m->joint[i].type == ER_JOINT_FREE && m->joint[i].parent < 0;
                for (int c = 0; c < count; ++c) {
                    double own = axis[c] < 3 ? turn[i] : shift[i], top = largest[axis[c] < 3 ? 0 : 1];
                    double expected = pow(2.0 * ER_PI * 1.5, 2) * pow(top, 1.0 - alphas[a]) * pow(own, alphas[a]);
                    double got = k[m->coordinate[i] + c];
                    if (free_root)
                        assert_true(got == 0.0);
                    else
                        measure_at_most("graded stiffness", relative_error(got, expected), 1e-9);
                }
            }
        }
        er_model_destroy(m);
    }
}

static void rods_have_the_effective_inertias_of_their_closed_forms(void **state)
{
    // uniform rods of 3 kg and 2 m along x, end to end, a hinge about z between them
    double m = 3.0, L = 2.0, own = m * L * L / 12.0, omega = 4.0 * ER_PI;
    static rig r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 2; ++i) {
        er_pose pose = {er_q_identity(), er_v3(L * i, 0, 0)};
        rig_add_body(&r, m, er_v3(1e-3 * own, own, own), er_q_identity(), er_v3(L * i + 0.5 * L, 0, 0), pose);
    }
    er_pose middle = {er_q_identity(), er_v3(L, 0, 0)}, end = er_pose_identity();
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, middle);
    er_stiffness law = {.hz = 2.0, .alpha = 1.0};
    double k[6];
    er_model *model = rig_model(context, &r);
    assert_int_equal(er_stiffness_apply(context, model, &law, k), ER_OK);
    er_model_destroy(model);
    // mirrored motion: no force across the hinge, each rod turns about its own middle, so 1 / I = 2 / (m L^2 / 12)
    measure_at_most("two free rods", relative_error(k[0], omega * omega * m * L * L / 24.0), 1e-12);
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, end);
    model = rig_model(context, &r);
    assert_int_equal(er_stiffness_apply(context, model, &law, k), ER_OK);
    er_model_destroy(model);
    // locked at the other hinge: the far rod about its end, the whole of 2 L about its own
    measure_at_most("a rod on a held one", relative_error(k[0], omega * omega * m * L * L / 3.0), 1e-12);
    measure_at_most("both on the world", relative_error(k[1], omega * omega * 2.0 * m * 4.0 * L * L / 3.0), 1e-12);
    r.joint[1].type = ER_JOINT_PRISMATIC; // along z: all of the mass
    model = rig_model(context, &r);
    assert_int_equal(er_stiffness_apply(context, model, &law, k), ER_OK);
    er_model_destroy(model);
    measure_at_most("a slide", relative_error(k[1], omega * omega * 2.0 * m), 1e-12);
}

static void alpha_one_lets_each_joint_alone_swing_at_its_hz(void **state)
{
    static hand h;
    hand_chain(&h);
    for (int held = 0; held < 2; ++held) {
        er_rig_def def = er_default_rig_def();
        def.stiffness = law_of("graded:1.25:1");
        def.root = held ? ER_ROOT_FIXED : ER_ROOT_FREE;
        er_rig *own = hand_rig(context, &h.scene, &def);
        def.stiffness = law_of("graded:1.25:0");
        er_rig *even = hand_rig(context, &h.scene, &def);
        double largest = 0.0;
        for (int k = 0; k < own->model->joint_count; ++k) {
            const er_joint *j = &own->model->joint[k];
            if (j->type == ER_JOINT_FIXED) continue;
            largest = fmax(largest, j->stiffness[0]);
            er_model *locked = lock_others(own->model, k);
            er_modes *modes = rig_modes(context, locked, ER_MODAL_AUTO);
            measure_at_most("Hz of a joint alone", relative_error(modes->mode[modes->rigid_count].frequency_hz, 1.25),
                            1e-9);
            er_modes_destroy(modes);
            er_model_destroy(locked);
        }
        for (int k = 0; k < even->model->joint_count; ++k)
            for (int c = 0; c < 3 && even->model->joint[k].type != ER_JOINT_FIXED; ++c)
                measure_at_most("uniform at alpha 0", relative_error(even->model->joint[k].stiffness[c], largest),
                                1e-12);
        er_rig_destroy(own);
        er_rig_destroy(even);
    }
}

static void four_times_the_stiffness_doubles_the_frequencies(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig_def def = er_default_rig_def();
    def.stiffness = law_of("uniform:30");
    def.damping_ratio = 0.05;
    def.rayleigh_mass = 0.5;
    def.rayleigh_stiffness = 0.25;
    er_rig *built = hand_rig(context, &h.scene, &def);
    assert_true(joint_of(built->model, "link 1")->stiffness[2] == 30.0);
    assert_true(built->model->damping_ratio == 0.05);
    assert_true(built->model->rayleigh_mass == 0.5 && built->model->rayleigh_stiffness == 0.25);
    er_stiffness law = law_of("uniform:120");
    er_rig_change change = er_default_rig_change();
    change.stiffness = &law;
    change.rayleigh_stiffness = 0.0;
    er_model *stiff = NULL;
    assert_int_equal(er_rig_change_model(context, built->model, &change, &stiff), ER_OK);
    assert_true(stiff->damping_ratio == 0.05);
    assert_true(stiff->rayleigh_mass == 0.5 && stiff->rayleigh_stiffness == 0.0);
    measure_at_most("Hz by stiffness", worst_frequency_change(built->model, stiff, 2.0), 1e-12);
    er_model_destroy(stiff);
    change = er_default_rig_change();
    static const double bad[] = {-1.0, NAN, HUGE_VAL};
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        change.mass = bad[i];
        assert_int_equal(er_rig_change_model(context, built->model, &change, &stiff), ER_ERROR_ARGUMENT);
        assert_null(stiff);
    }
    change = er_default_rig_change();
    static const double damping[] = {NAN, HUGE_VAL};
    for (size_t i = 0; i < ERI_COUNT(damping); ++i) {
        double *const slot[] = {&change.damping_ratio, &change.rayleigh_mass, &change.rayleigh_stiffness};
        for (size_t k = 0; k < ERI_COUNT(slot); ++k) {
            change = er_default_rig_change();
            *slot[k] = damping[i];
            assert_int_equal(er_rig_change_model(context, built->model, &change, &stiff), ER_ERROR_ARGUMENT);
            assert_null(stiff);
        }
    }
    static const er_stiffness laws[] = {
        {.uniform = true, .k = -1.0}, {.uniform = true, .k = NAN}, {.uniform = true, .k = HUGE_VAL},
        {.hz = 0.0, .alpha = 0.5},    {.hz = NAN, .alpha = 0.5},   {.hz = HUGE_VAL, .alpha = 0.5},
        {.hz = 2.0, .alpha = -0.1},   {.hz = 2.0, .alpha = 1.1},   {.hz = 2.0, .alpha = NAN}};
    for (size_t i = 0; i < ERI_COUNT(laws); ++i) {
        change = er_default_rig_change();
        change.stiffness = &laws[i];
        er_result r = er_rig_change_model(context, built->model, &change, &stiff);
        assert_refusal(context, r, ER_ERROR_ARGUMENT, "stiffness");
        assert_null(stiff);
        def = er_default_rig_def();
        def.stiffness = laws[i];
        expect_refused(&h.scene, &def, ER_ERROR_ARGUMENT, "stiffness");
    }
    change.tag = 0;
    assert_int_equal(er_rig_change_model(context, built->model, &change, &stiff), ER_ERROR_ARGUMENT);
    er_rig_destroy(built);
}

// ---- bone shapes

static void bones_are_drawn_where_the_bodies_are(void **state)
{
    static hand h;
    hand_chain(&h);
    h.scene.metres_per_unit = 0.01;
    er_rig *built = hand_rig(context, &h.scene, NULL);
    for (int with = 0; with < 2; ++with) {
        const int *node_body = NULL;
        er_scene *bones = NULL;
        assert_int_equal(er_rig_bone_scene(context, built->model, with ? built : NULL, &bones, &node_body), ER_OK);
        if (er_scene_validate(context, bones) != ER_OK) fail_msg("%s", er_context_error(context));
        double unit = with ? 0.01 : 1.0;
        er_affine world[HAND_NODES];
        hand_world(bones, world);
        assert_int_equal(bones->instance_count, HAND_LINKS);
        for (int i = 0; i < bones->instance_count; ++i) {
            int n = bones->instance[i].node, body = node_body[n];
            assert_true(body >= 0);
            const er_body *b = &built->model->body[body];
            measure_at_most("node of a bone", er_v3_distance(er_v3_scale(unit, world[n].translation), b->pose.p),
                            1e-12);
            // one of its corners is the head, one the next joint
            double head = HUGE_VAL, tail = HUGE_VAL, position[3 * 2 * 24];
            assert_true(bones->mesh[bones->instance[i].mesh].vertex_count <= 48);
            er_scene_skin(bones, i, world, position);
            for (int v = 0; v < bones->mesh[bones->instance[i].mesh].vertex_count; ++v) {
                er_vec3 p = er_v3_scale(unit, er_v3(position[3 * v], position[3 * v + 1], position[3 * v + 2]));
                head = fmin(head, er_v3_distance(p, b->pose.p));
                if (body + 1 < HAND_LINKS) tail = fmin(tail, er_v3_distance(p, built->model->body[body + 1].pose.p));
            }
            measure_at_most("head of a bone", head, 1e-6);
            if (body + 1 < HAND_LINKS) measure_at_most("tail of a bone", tail, 1e-6);
        }
        er_scene_destroy(bones);
    }
    er_rig_destroy(built);
}

// Triangles of bones face outwards, as their normals do; so a bone encloses a volume and not its opposite.
static void bones_face_outwards(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    er_scene *bones = NULL;
    assert_int_equal(er_rig_bone_scene(context, built->model, built, &bones, NULL), ER_OK);
    for (int i = 0; i < bones->mesh_count; ++i) {
        const er_mesh *mesh = &bones->mesh[i];
        assert_true(mesh->vertex_count > 0 && mesh->vertex_count % 24 == 0); // eight faces a bone
        for (int first = 0; first < mesh->vertex_count; first += 24) {
            er_vec3 corner[24], middle = {0, 0, 0};
            double volume = 0.0, longest = 0.0;
            for (int k = 0; k < 24; ++k) {
                const float *p = mesh->position + 3 * mesh->index[first + k];
                corner[k] = er_v3(p[0], p[1], p[2]);
                middle = er_v3_madd(middle, 1.0 / 24.0, corner[k]);
            }
            for (int k = 0; k < 24; k += 3) {
                er_vec3 a = er_v3_sub(corner[k], middle), b = er_v3_sub(corner[k + 1], middle),
                        c = er_v3_sub(corner[k + 2], middle), n = er_v3_cross(er_v3_sub(b, a), er_v3_sub(c, a));
                assert_true(er_v3_dot(n, a) > 0.0);
                volume += er_v3_dot(a, er_v3_cross(b, c)) / 6.0;
                for (int v = 0; v < 3; ++v) {
                    const float *d = mesh->normal + 3 * mesh->index[first + k + v];
                    measure_at_most("normal of a bone's face",
                                    er_v3_distance(er_v3(d[0], d[1], d[2]), er_v3_unit(n, n)), 1e-5);
                }
            }
            for (int k = 0; k < 24 * 24; ++k)
                longest = fmax(longest, er_v3_distance(corner[k / 24], corner[k % 24]));
            er_affine world = built->world[bones->instance[i].node];
            int near = 0; // corners of the square: a fifth of the way along, a tenth beside it
            for (int k = 0; k < 24; ++k) {
                double away = er_v3_distance(er_affine_point(world, corner[k]), world.translation);
                near += fabs(away - longest * sqrt(0.2 * 0.2 + 0.1 * 0.1)) < 1e-5 * longest;
            }
            assert_int_equal(near, 16);
            // two pyramids over a square that is a fifth of the length from corner to corner: 2 (l / 10)^2 l / 3
            measure_at_most("volume of a bone", relative_error(volume, 2.0 * 0.01 * pow(longest, 3.0) / 3.0), 1e-5);
        }
    }
    er_scene_destroy(bones);
    er_rig_destroy(built);
}

// ---- evidence and doubts

// Exporters key all they have: what stands still is no bone where joints are told, and is where nothing else tells.
static void channels_that_never_change_count_only_where_nothing_else_does(void **state)
{
    static const double still[4] = {0, 0, 0, 1}, to[4] = {0, 0.6, 0, 0.8};
    static const struct {
        bool joints, other_moves, prop;
    } known[] = {{false, false, true}, {true, false, false}, {false, true, false}, {true, true, false}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        static hand h;
        hand_init(&h);
        int root = hand_node(&h, "root", -1, hand_at(0, 0, 0)), arm = hand_node(&h, "arm", root, hand_at(1, 0, 0)),
            prop = hand_node(&h, "lid", root, hand_at(0, 1, 0)), nodes[] = {root, arm};
        if (known[i].joints) hand_skin(&h, "skin", 2, nodes);
        hand_mesh(&h);
        hand_box(&h, er_v3(-0.4, -0.1, -0.1), er_v3(0.4, 0.1, 0.1), -1);
        hand_draw(&h, prop, 0, -1);
        hand_draw(&h, arm, 0, -1);
        hand_draw(&h, root, 0, -1);
        hand_clip(&h, "clip");
        hand_channel(&h, prop, ER_PATH_ROTATION, still, still);
        hand_channel(&h, arm, ER_PATH_ROTATION, still, known[i].other_moves ? to : still);
        if (!known[i].joints) hand_channel(&h, root, ER_PATH_ROTATION, still, known[i].other_moves ? to : still);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(hand_body(built->model, "lid", true) >= 0, known[i].prop);
        assert_true(hand_body(built->model, "arm", true) >= 0);
        er_rig_destroy(built);
    }
}

static void sizes_that_nobody_has_are_told(void **state)
{
    static const struct {
        double extent;
        bool told;
    } known[] = {{19.9, false}, {20.1, true}, {0.0201, false}, {0.0199, true}, {1.7, false}, {1000.0, true}};
    static hand h;
    hand_chain(&h);
    er_rig *plain = hand_rig(context, &h.scene, NULL);
    double one = plain->extent / h.scene.metres_per_unit;
    er_rig_destroy(plain);
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        h.scene.metres_per_unit = known[i].extent / one;
        er_rig *built = hand_rig(context, &h.scene, NULL);
        measure_at_most("extent of a rig", relative_error(built->extent, known[i].extent), 1e-12);
        assert_int_equal(hand_noted(built, ER_NOTE_WARNING, "unlikely for a character"), known[i].told);
        er_rig_destroy(built);
    }
}

// Joints at the origin and a metre on, a box from corner to corner bound to each.
static void two_boxes(hand *h, er_vec3 low, er_vec3 high)
{
    hand_init(h);
    int root = hand_node(h, "root", -1, hand_at(0, 0, 0)), arm = hand_node(h, "arm", root, hand_at(1, 0, 0)),
        joints[] = {root, arm};
    hand_mesh(h);
    hand_box(h, low, high, 0);
    hand_box(h, er_v3_add(low, er_v3(1, 0, 0)), er_v3_add(high, er_v3(1, 0, 0)), 1);
    int skin = hand_skin(h, "skin", 2, joints);
    hand_draw(h, root, 0, skin);
}

static void sizes_are_those_of_the_mesh(void **state)
{
    static hand h;
    two_boxes(&h, er_v3(0, -0.25, 0), er_v3(0.5, 1.5, 0.125));
    static const struct {
        er_vec3 up;
        double height;
    } known[] = {{{0, 1, 0}, 1.75}, {{1, 0, 0}, 1.5}, {{0, 0, -1}, 0.125}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        h.scene.up = known[i].up;
        er_rig *built = hand_rig(context, &h.scene, NULL);
        measure_at_most("height of boxes", relative_error(built->height, known[i].height), 1e-12);
        measure_at_most("extent of boxes", relative_error(built->extent, 1.75), 1e-12);
        er_rig_destroy(built);
    }
}

static void holes_are_told(void **state)
{
    static hand h;
    for (int open = 0; open < 3; ++open) {
        two_boxes(&h, er_v3(0, 0, 0), er_v3(0.5, 0.5, 0.5));
        h.mesh[0].triangle_count -= open == 2 ? 6 : 2 * open; // sides of the second
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(hand_noted(built, ER_NOTE_FACT, "1 of 1 surfaces are not closed"), open == 1);
        assert_int_equal(hand_noted(built, ER_NOTE_WARNING, "the volume is a guess"), open == 2);
        if (open < 2) measure_at_most("mass of a capped box", relative_error(built->total_mass, 250.0), 1e-6);
        er_rig_destroy(built);
    }
}

static void the_defaults_are_those_of_the_manual(void **state)
{
    er_rig_def def = er_default_rig_def();
    assert_true(def.stiffness.hz == 2.0 && def.stiffness.alpha == 0.5 && !def.stiffness.uniform);
    assert_true(def.density == 1000.0 && def.mass == 0.0 && def.height == 0.0);
    assert_true(def.damping_ratio == 0.0 && def.rayleigh_mass == 0.0 && def.rayleigh_stiffness == 0.0);
    assert_true(def.pose == ER_POSE_REST && def.pose_time == 0.0 && !def.infer_parents);
    assert_true(def.pose_clip == NULL && def.pose_local == NULL && def.skeleton == NULL && def.like == NULL);
}

// ---- real models

static void real_models_become_sound_rigs(void **state)
{
    static const char *const files[] = {"CesiumMan.glb",         "Fox.glb",
                                        "RobotExpressive.glb",   "Shark.glb",
                                        "SimpleSkin.gltf",       "Snake.glb",
                                        "greenman.glb",          "kenney_character.glb",
                                        "maya_sausage.fbx",      "walk.dae",
                                        "hand_glove_low_L.gltf", "double_skeleton.dae",
                                        "cmu_jumping_jacks.bvh", "quaternius_horse.fbx"};
    for (size_t i = 0; i < ERI_COUNT(files); i += ERI_SANITIZED ? 4 : 1) {
        er_scene *scene = hand_import(context, files[i]);
        if (scene == NULL) skip();
        er_rig *built = hand_rig(context, scene, NULL);
        const er_model *m = built->model;
        er_affine *world = calloc((size_t)scene->node_count, sizeof *world);
        hand_world(scene, world);
        for (int n = 0; n < scene->node_count; ++n) {
            int b = built->node_body[n];
            assert_true(b >= -1 && b < m->body_count);
            assert_true((built->role[n] == ER_ROLE_OUTSIDE) == (b < 0));
            assert_true((built->role[n] == ER_ROLE_BODY) == (b >= 0 && built->body_node[b] == n));
        }
        double total = 0.0;
        for (int b = 0; b < m->body_count; ++b) {
            er_vec3 place = er_v3_scale(built->metres_per_unit, world[built->body_node[b]].translation);
            measure_at_most("place of a real body", er_v3_distance(place, m->body[b].pose.p) / built->extent, 1e-9);
            assert_true(m->body[b].mass > 0.0 && m->body[b].name[0] != '\0');
            total += m->body[b].mass;
        }
        measure_at_most("real masses", relative_error(total, built->total_mass), 1e-12);
        for (int k = 0; k < m->joint_count; ++k)
            for (int c = 0; c < er_joint_type_freedom(m->joint[k].type, NULL); ++c)
                assert_true(m->joint[k].stiffness[c] > 0.0);
        free(world);
        er_rig_destroy(built);
        er_scene_destroy(scene);
    }
}

// ---- memory

static er_result build(er_context *own, const void *of)
{
    er_rig_def def = er_default_rig_def();
    def.root = ER_ROOT_FIXED;
    er_rig *built = (er_rig *)&def;
    er_result r = er_rig_build(own, of, &def, &built);
    assert_true(r == ER_OK || built == NULL);
    er_rig_destroy(built);
    return r;
}

static er_result draw_bones(er_context *own, const void *of)
{
    const int *node_body = NULL;
    er_scene *bones = (er_scene *)&node_body;
    er_result r = er_rig_bone_scene(own, of, NULL, &bones, &node_body);
    assert_true(r == ER_OK || bones == NULL);
    er_scene_destroy(bones);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    static hand h;
    hand_chain(&h);
    h.node[1].name = "";
    er_rig *built = hand_rig(context, &h.scene, NULL);
    ledger_refuse_each(build, &h.scene, NULL);
    ledger_refuse_each(draw_bones, built->model, NULL);
    h.scene.instance_count = 0; // rods
    ledger_refuse_each(build, &h.scene, NULL);
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_joints_their_ancestors_and_animated_nodes),
        cmocka_unit_test(bones_without_mass_are_welded_a_root_to_its_heaviest_child),
        cmocka_unit_test(several_skeletons_are_one_rig_unless_one_is_named),
        cmocka_unit_test(nameless_nodes_are_called_by_their_index),
        cmocka_unit_test(a_scene_without_skeleton_mesh_or_sense_is_refused),
        cmocka_unit_test(what_is_said_to_be_given_is_looked_for),
        cmocka_unit_test(height_scales_sizes_and_leaves_graded_frequencies),
        cmocka_unit_test(density_and_mass_scale_what_bodies_weigh),
        cmocka_unit_test(a_rig_like_another_is_the_same_without_weighing),
        cmocka_unit_test(bones_without_mesh_weigh_as_capsules),
        cmocka_unit_test(a_person_without_mesh_weighs_as_people_do),
        cmocka_unit_test(a_held_root_is_fixed_to_the_world),
        cmocka_unit_test(hinges_turn_across_parent_and_child_bone),
        cmocka_unit_test(channels_of_a_bvh_say_how_its_joints_turn),
        cmocka_unit_test(channels_of_a_root_turn_about_the_worlds_axes),
        cmocka_unit_test(bodies_stand_at_rest_bound_or_as_a_clip_has_them),
        cmocka_unit_test(only_bones_are_told_as_bones),
        cmocka_unit_test(a_scene_of_bones_is_a_gltf_s_alone),
        cmocka_unit_test(uneven_and_mirrored_nodes_are_reported),
        cmocka_unit_test(laws_are_read_from_words),
        cmocka_unit_test(graded_stiffness_is_that_of_the_other_joints_locked),
        cmocka_unit_test(rods_have_the_effective_inertias_of_their_closed_forms),
        cmocka_unit_test(alpha_one_lets_each_joint_alone_swing_at_its_hz),
        cmocka_unit_test(four_times_the_stiffness_doubles_the_frequencies),
        cmocka_unit_test(bones_are_drawn_where_the_bodies_are),
        cmocka_unit_test(bones_face_outwards),
        cmocka_unit_test(channels_that_never_change_count_only_where_nothing_else_does),
        cmocka_unit_test(sizes_that_nobody_has_are_told),
        cmocka_unit_test(sizes_are_those_of_the_mesh),
        cmocka_unit_test(holes_are_told),
        cmocka_unit_test(the_defaults_are_those_of_the_manual),
        cmocka_unit_test(real_models_become_sound_rigs),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("rig", tests, set_up, tear_down);
}
