// How far modes tear a skin, on boxes whose corners are tied by triangles: recomputed from one turn about one axis.
#include "support/hand.h"

#include <string.h>

#include <eigenrig/motion.h>

#include "base/arena.h"
#include "support/context.h"

static const double angle = 15.0 * ER_PI / 180.0;

// Ties corners of boxes, by their vertices.
static void tie(hand *h, int a, int b, int c)
{
    int *index = h->index + 3 * h->triangles++;
    index[0] = a;
    index[1] = b;
    index[2] = c;
    ++h->mesh[0].triangle_count;
}

// Boxes one above the other, each on a node; the last one's node is below the first.
static void make_stack(hand *h, int count)
{
    static const char *const names[] = {"foot", "shin", "thigh", "hips"};
    static const int joints[] = {0, 1, 2, 3};
    hand_init(h);
    for (int i = 0; i < count; ++i)
        hand_node(h, names[i], i - 1, hand_at(0, i > 0, 0));
    int mesh = hand_mesh(h);
    for (int i = 0; i < count; ++i)
        hand_box(h, er_v3(-0.3, i, -0.2), er_v3(0.3, i + 1, 0.2), i);
    hand_draw(h, hand_node(h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(h, "s", count, joints));
}

// Of the lowest `count` elastic modes.
static er_tear tear_of_modes(const hand *h, const er_rig_def *def, int count, er_model **model)
{
    er_rig *built = hand_rig(context, &h->scene, def);
    er_modes *modes = NULL;
    assert_int_equal(er_modal_solve(context, built->model, NULL, &modes), ER_OK);
    er_recording_target target = {built->scene, built->node_body, built->bone, built->world, built->metres_per_unit};
    er_tear tear;
    assert_int_equal(er_modes_tear(context, built->model, modes, &target, count, 15.0, &tear), ER_OK);
    er_modes_destroy(modes);
    *model = built->model;
    built->model = NULL;
    er_rig_destroy(built);
    return tear;
}

static er_tear tear_of(const hand *h, const er_rig_def *def, er_model **model)
{
    return tear_of_modes(h, def, 12, model);
}

static er_vec3 corner(const hand *h, int v)
{
    return er_v3((double)h->position[3 * v], (double)h->position[3 * v + 1], (double)h->position[3 * v + 2]);
}

// Of an edge from the lower box, which stays, to the upper, which turns about a joint.
static double expected(const hand *h, const er_model *m, int low, int high, double *stretch)
{
    const er_pose frame = m->joint[0].frame;
    er_vec3 axis = er_q_rotate(frame.q, er_v3(0, 0, 1)), u = corner(h, low), v = corner(h, high), c = frame.p;
    double worst = 0.0, reach = fmax(er_v3_distance(u, c), er_v3_distance(v, c));
    for (int side = -1; side <= 1; side += 2) {
        er_quat turn = er_q_exp(er_v3_scale(side * angle, axis));
        er_vec3 there = er_v3_add(c, er_q_rotate(turn, er_v3_sub(v, c)));
        worst = fmax(worst, er_v3_distance(u, there) - er_v3_distance(u, v));
    }
    *stretch = worst;
    return worst / (2.0 * sin(0.5 * angle) * fmax(reach, 0.01 * m->size));
}

static void an_edge_is_measured_by_the_turn_of_a_neighbour(void **state)
{
    (void)state;
    static hand h;
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    er_model *m;
    for (int scaled = 0; scaled < 2; ++scaled) {
        make_stack(&h, 2);
        def.height = scaled == 1 ? 20.0 : 0.0; // ten times the size: the same number
        er_tear none = tear_of(&h, &def, &m);
        assert_true(none.torn == 0.0 && none.mode == -1 && none.body[0] == -1);
        er_model_destroy(m);
        tie(&h, 2, 8, 3); // upper corners 2, 3, 6, 7 of the first, lower 8, 9, 12, 13 of the second
        er_tear one = tear_of(&h, &def, &m);
        double stretch, worst = 0.0, longest = 0.0;
        static const int low[] = {2, 3}, high[] = {8, 8};
        double unit = scaled == 1 ? 10.0 : 1.0;
        er_model *small = m;
        if (scaled == 1) {
            er_rig_def plain = def;
            plain.height = 0.0;
            tear_of(&h, &plain, &small);
        }
        for (int k = 0; k < 2; ++k) {
            double e = expected(&h, small, low[k], high[k], &stretch);
            if (e > worst) longest = stretch;
            worst = fmax(worst, e);
        }
        assert_true(worst > 0.5);
        assert_true(fabs(one.torn / worst - 1.0) < 1e-6); // corners are floats
        assert_true(fabs(one.stretch / (unit * longest) - 1.0) < 1e-6);
        assert_int_equal(one.mode, 6);
        assert_int_equal(one.body[0] + one.body[1], 1);
        if (small != m) er_model_destroy(small);
        er_model_destroy(m);
    }
}

// Of both ways that a mode swings the one that stretches an edge more counts, wherever the edge is; and an edge next to
// its joint is measured by a hundredth of the rig's size.
static void the_wider_side_of_a_swing_counts(void **state)
{
    (void)state;
    static hand h;
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    er_model *m;
    int seen = 0;
    static const int lower[] = {2, 7, 1, 4}, upper[] = {8, 9, 12, 13}; // corners where the boxes meet, and two below
    for (int which = 0; which < 17; ++which) {
        bool near = which == 16;
        make_stack(&h, 2);
        int low = lower[which % 4], high = upper[which / 4 % 4];
        if (near) { // two corners some millimetres from the joint, of a rig of two metres
            low = 2;
            high = 8;
            const float at[2][3] = {{0.001f, 0.999f, 0.002f}, {-0.002f, 1.003f, 0.001f}};
            memcpy(h.position + 3 * low, at[0], sizeof at[0]);
            memcpy(h.position + 3 * high, at[1], sizeof at[1]);
        }
        tie(&h, low, high, low);
        er_tear tear = tear_of(&h, &def, &m);
        double stretch, worst = expected(&h, m, low, high, &stretch);
        er_model_destroy(m);
        if (!near && worst < 0.05) continue; // along the turn
        ++seen;
        assert_true(fabs(tear.torn / worst - 1.0) < (near ? 1e-3 : 1e-6)); // corners are floats
        assert_true(fabs(tear.stretch / stretch - 1.0) < (near ? 1e-3 : 1e-5));
    }
    assert_true(seen >= 5);
}

// Three boxes on two hinges have two elastic modes, after six rigid ones: one is asked for, two, and more than there
// are.
static void only_elastic_modes_count(void **state)
{
    (void)state;
    static hand h;
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    make_stack(&h, 3);
    for (int i = 0; i < 2; ++i)
        tie(&h, 8 * i + 2, 8 * i + 8, 8 * i + 3);
    er_model *m;
    er_tear by[3];
    for (int k = 0; k < 3; ++k) {
        by[k] = tear_of_modes(&h, &def, k + 1, &m);
        er_model_destroy(m);
    }
    assert_true(by[0].torn > 0.0 && by[0].mode == 6 && by[1].torn >= by[0].torn);
    assert_true(by[2].torn == by[1].torn && by[2].mode == by[1].mode);
}

static void what_stays_behind_tears(void **state)
{
    (void)state;
    static hand h;
    for (int wrong = 0; wrong < 2; ++wrong) {
        make_stack(&h, 4);
        h.node[0].name = "hips"; // turned about: the leg stands on its hips
        h.node[3].name = "foot";
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 2; ++c)
                tie(&h, 8 * i + 2 + c, 8 * i + 8 + c, 8 * i + 6);
        static const er_hang says[] = {{"foot", "hips", false}};
        er_rig_def def = er_default_rig_def();
        def.hang = says;
        def.hang_count = wrong;
        er_model *m;
        er_tear tear = tear_of(&h, &def, &m);
        assert_true(wrong == 1 ? tear.torn > ER_TORN : tear.torn < 2.0);
        if (wrong == 1) assert_true(tear.body[0] + tear.body[1] == 5); // the foot and what it stood on
        er_model_destroy(m);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    static hand h;
    make_stack(&h, 2);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    er_modes *modes = NULL;
    assert_int_equal(er_modal_solve(context, built->model, NULL, &modes), ER_OK);
    er_recording_target target = {built->scene, built->node_body, built->bone, built->world, built->metres_per_unit},
                        none = {0};
    er_tear tear;
    assert_int_equal(er_modes_tear(context, built->model, modes, &target, 0, 15.0, &tear), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_tear(context, built->model, modes, &target, 1, 0.0, &tear), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_tear(context, built->model, modes, &target, 1, NAN, &tear), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_tear(context, built->model, modes, &none, 1, 15.0, &tear), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_tear(context, NULL, modes, &target, 1, 15.0, &tear), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_tear(context, built->model, modes, &target, 1, 15.0, NULL), ER_ERROR_ARGUMENT);
    er_modes_destroy(modes);
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_is_measured_by_the_turn_of_a_neighbour),
        cmocka_unit_test(the_wider_side_of_a_swing_counts),
        cmocka_unit_test(only_elastic_modes_count),
        cmocka_unit_test(what_stays_behind_tears),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("tear", tests, set_up, tear_down);
}
