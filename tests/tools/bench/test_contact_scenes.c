// Scenes of contact begin as they are said to, and the gauge reads overlaps and torn joints that are known.
#include <stdlib.h>

#include "support/context.h"
#include "tools/bench/contacts.h"

// A scene at its start, and a gauge.
typedef struct stage {
    bench_contact_scene scene;
    bench_gauge *gauge;
    er_pose *pose;
    double penetration, separation;
} stage;

static void look(stage *s)
{
    assert_int_equal(bench_gauge_read(s->gauge, s->pose, &s->penetration, &s->separation), ER_OK);
}

static void begin(stage *s, bench_scene_kind kind, int count)
{
    assert_int_equal(bench_scene_begin(context, kind, count, &s->scene), ER_OK);
    s->gauge = bench_gauge_create(context, &s->scene);
    s->pose = calloc((size_t)s->scene.model->body_count, sizeof *s->pose);
    assert_non_null(s->gauge);
    assert_non_null(s->pose);
    for (int b = 0; b < s->scene.model->body_count; ++b)
        s->pose[b] = s->scene.model->body[b].pose;
    look(s);
    assert_true(s->penetration <= 0.0 && s->separation < 1e-12); // nothing overlaps at first, 100 m of planks meet
}

static void end(stage *s)
{
    bench_gauge_destroy(s->gauge);
    bench_scene_end(&s->scene);
    free(s->pose);
}

static void spheres_fill_their_box(void **state)
{
    enum { COUNT = 27, SIDE = 3 };
    stage s;
    begin(&s, BENCH_SPHERES, COUNT);
    er_vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    assert_int_equal(s.scene.model->body_count, COUNT);
    assert_int_equal(s.scene.shape_count, COUNT + 5);
    for (int b = 0; b < COUNT; ++b) {
        er_vec3 at = s.pose[b].p, grid = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
        er_vec3 off = er_v3_sub(at, er_v3_madd(er_v3(0, 0, 1.5), 1.1, grid));
        assert_true(fabs(off.x) <= 0.04 && fabs(off.y) <= 0.04 && fabs(off.z) <= 0.04);
        low = er_v3(fmin(low.x, off.x), fmin(low.y, off.y), fmin(low.z, off.z));
        high = er_v3(fmax(high.x, off.x), fmax(high.y, off.y), fmax(high.z, off.z));
        assert_true(s.scene.model->body[b].mass == 1.0);
    }
    assert_true(low.x < -0.02 && high.x > 0.02 && low.y < -0.02 && high.y > 0.02 && low.z < -0.02 && high.z > 0.02);
    // Walls are 0.6 m from the grid's outer points: a sphere 0.2 m past one of them is 0.1 m in the wall.
    const er_vec3 past[5] = {{-0.2, 1, 2}, {2.4, 1, 2}, {1, -0.2, 2}, {1, 2.4, 2}, {1, 1, 0.4}};
    for (int k = 0; k < COUNT; ++k)
        s.pose[k].p = er_v3(1.1, 1.1, 10.0 + 2.0 * k);
    for (int k = 0; k < 5; ++k) {
        s.pose[0].p = past[k];
        look(&s);
        assert_true(fabs(s.penetration - 0.1) < 1e-12);
    }
    s.pose[0].p = er_v3_add(s.pose[4].p, er_v3(0.6, 0, 0.7));
    look(&s);
    assert_true(fabs(s.penetration - (1.0 - sqrt(0.85))) < 1e-12);
    end(&s);
}

static void the_bridge_hangs_between_its_anchors(void **state)
{
    enum { PLANKS = 100 };
    stage s;
    begin(&s, BENCH_BRIDGE, PLANKS);
    const er_model *m = s.scene.model;
    double low = 0.0;
    er_vec3 anchor[2];
    int anchors = 0, balls = 0;
    for (int k = 0; k < m->joint_count; ++k) {
        if (m->joint[k].parent < 0) anchor[anchors++] = m->joint[k].frame.p;
        balls += m->joint[k].type == ER_JOINT_SPHERICAL;
        low = fmin(low, m->joint[k].frame.p.z);
    }
    assert_true(anchors == 2 && balls == 1 && m->joint_count == PLANKS + 2 && m->body_count == PLANKS + 1);
    assert_true(fabs(er_v3_distance(anchor[0], anchor[1]) - 80.0) < 1e-12);
    assert_true(fabs(low + 30.0) < 1e-12); // 50 m of planks, 40 m along
    assert_true(m->body[PLANKS].mass == 20.0);
    assert_true(er_v3_distance(m->body[PLANKS].pose.p, er_v3(0, 0, -31.5)) < 1e-12);
    s.pose[PLANKS].p.x += 0.3; // it is torn from its joint
    look(&s);
    assert_true(fabs(s.separation - 0.3) < 1e-12 && s.penetration <= 0.0);
    end(&s);
}

static void people_weigh_75_kg_and_pass_through_themselves_alone(void **state)
{
    enum { PEOPLE = 9, PARTS = 16 };
    stage s;
    begin(&s, BENCH_RAGDOLLS, PEOPLE);
    const er_model *m = s.scene.model;
    int hinges = 0;
    double before = 0.0;
    assert_true(m->body_count == PEOPLE * PARTS && m->joint_count == PEOPLE * (PARTS - 1));
    for (int k = 0; k < m->joint_count; ++k)
        hinges += m->joint[k].type == ER_JOINT_REVOLUTE;
    assert_int_equal(hinges, 4 * PEOPLE);
    for (int p = 0; p < PEOPLE; ++p) {
        double mass = 0.0, pitch = er_v3_norm(er_q_log(s.pose[PARTS * p].q));
        for (int b = PARTS * p; b < PARTS * (p + 1); ++b)
            mass += m->body[b].mass;
        assert_true(fabs(mass - 75.0) < 1e-9);
        assert_true(pitch >= 0.3 - 1e-12 && pitch <= 0.8 + 1e-12 && pitch > before);
        before = pitch;
    }
    er_pose away = s.pose[3];
    s.pose[3] = s.pose[2]; // a head in its own chest
    look(&s);
    assert_true(s.penetration <= 0.0 && s.separation > 0.1);
    s.pose[3] = s.pose[PARTS + 2]; // in another's: round the same segment, of radii 0.09 and 0.12
    look(&s);
    assert_true(s.penetration > 0.2);
    s.pose[3] = away;
    s.pose[12].q = er_q_identity();
    s.pose[12].p.z = 0.035; // a foot upright, 0.06 m high
    look(&s);
    assert_true(fabs(s.penetration - (0.045 - 0.035)) < 1e-12);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_fill_their_box),
        cmocka_unit_test(the_bridge_hangs_between_its_anchors),
        cmocka_unit_test(people_weigh_75_kg_and_pass_through_themselves_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
