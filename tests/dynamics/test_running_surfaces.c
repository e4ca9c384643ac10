// Surfaces that run over still and led bodies, and led bodies that carry, by both routes, judged by closed forms.
#include <math.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static const double mu = 0.5;
static const bool held[2] = {true, false};
static scene s;

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

static void begin(int k)
{
    scene_clear(&s);
    if (k == 0) return;
    s.def.route = ER_ROUTE_MULTIPLIERS;
    s.def.reference.accuracy = 1e-7;
}

static void set_state(er_world *w, int body, er_twist twist)
{
    er_pose pose[2];
    er_twist all[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    for (int b = 0; b < s.rig.body_count; ++b)
        pose[b] = er_world_pose(w)[b];
    all[body] = twist;
    assert_int_equal(er_world_set_state(w, 0.0, pose, all), ER_OK);
}

// ---- Belts

// A box that is set on a belt slides at mu g until it has the belt's speed. Half of the belt's work becomes heat.
static void a_belt_brings_a_box_to_its_speed(void **state)
{
    const double v = 2.0, mass = 3.0, slides = v / (mu * g);
    for (int k = 0; k < 2; ++k) {
        begin(k);
        int box = scene_add(&s, scene_brick(0.2, 0.2, 0.2), mass, at(0, 0, 0.2), mu, 0.0);
        scene_add_fixed(&s, scene_brick(20, 1, 0.1), at(0, 0, -0.1), mu);
        s.shape[1].surface.linear = er_v3(v, 0, 0);
        er_world *w = scene_begin(&s);
        scene_advance(w, 0.5 * slides);
        measure_at_most("speed of a box that slides on a belt", fabs(er_world_twist(w)[box].linear.x / v - 0.5), 2e-3);
        scene_advance(w, slides + 1.0);
        er_world_energy e = er_world_measure_energy(w);
        measure_at_most("speed of a box on a belt", fabs(er_world_twist(w)[box].linear.x - v), 1e-6);
        measure_at_most("way of a box on a belt", fabs(er_world_pose(w)[box].p.x - v * (0.5 * slides + 1.0)), 0.02);
        measure_at_most("work of a belt", fabs(e.work / (mass * v * v) - 1.0), 0.02);
        measure_at_most("heat on a belt", fabs(e.heat / (0.5 * mass * v * v) - 1.0), 0.05);
        scene_end(&s, w);
    }
}

// A free ball takes 2/7 of the belt's speed: its contact then has the belt's, and its angular momentum about it stays.
static void a_belt_sets_a_ball_rolling(void **state)
{
    for (int k = 0; k < 2; ++k) {
        begin(k);
        int ball = scene_add(&s, scene_ball(0.2), 1.0, at(0, 0, 0.2), mu, 0.0);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), mu);
        s.shape[1].surface.linear = er_v3(0, 2.0, 5.0); // the part along the normal does nothing
        er_world *w = scene_begin(&s);
        scene_advance(w, 2.0);
        er_vec3 v = er_q_rotate(er_world_pose(w)[ball].q, er_world_twist(w)[ball].linear);
        measure_at_most("speed of a ball on a belt", er_v3_distance(v, er_v3(0, 2.0 * 2.0 / 7.0, 0)), 1e-4);
        scene_end(&s, w);
    }
}

static void go_ahead(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    *pose = at(3.0 * time, 0, -0.1);
    *twist = (er_twist){{0, 0, 0}, {3.0, 0, 0}};
    *rate = (er_twist){{0, 0, 0}, {0, 0, 0}};
}

// The belt of a led body adds to the body's own velocity.
static void a_led_belt_adds_its_speed(void **state)
{
    for (int k = 0; k < 2; ++k) {
        begin(k);
        scene_add(&s, scene_brick(20, 1, 0.1), 1.0, at(0, 0, -0.1), mu, 0.0);
        int box = scene_add(&s, scene_brick(0.2, 0.2, 0.2), 1.0, at(0, 0, 0.2), mu, 0.0);
        s.shape[0].surface.linear = er_v3(-1.0, 0, 0);
        s.def.held = held;
        s.def.guide = go_ahead;
        er_world *w = scene_begin(&s);
        scene_advance(w, 2.0);
        measure_at_most("speed of a box on a led belt", fabs(er_world_twist(w)[box].linear.x - 2.0), 1e-6);
        scene_end(&s, w);
    }
}

// ---- Discs

static const double spin = 1.5, away = 1.2;

static void turn(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    *pose = (er_pose){er_q_exp(er_v3(0, 0, spin * time)), er_v3(0, 0, -0.1)};
    *twist = (er_twist){{0, 0, spin}, {0, 0, 0}};
    *rate = (er_twist){{0, 0, 0}, {0, 0, 0}};
}

// A box goes round on a disc that turns, and on a still one whose surface does, without creeping outwards: w^2 r < mu
// g.
static void a_disc_carries_a_box_round(void **state)
{
    for (int k = 0; k < 4; ++k) {
        begin(k % 2);
        scene_add(&s, (er_shape){.kind = ER_SHAPE_CYLINDER, .radius = 3.0, .length = 0.2}, 1.0, at(0, 0, -0.1), mu,
                  0.0);
        int box = scene_add(&s, scene_brick(0.1, 0.1, 0.1), 1.0, at(away, 0, 0.1), mu, 0.0);
        s.def.held = held;
        if (k < 2)
            s.shape[0].surface.angular.z = spin;
        else
            s.def.guide = turn;
        er_world *w = scene_begin(&s);
        set_state(w, box, (er_twist){{0, 0, spin}, {0, spin * away, 0}});
        double t = 4.0 * 2.0 * ER_PI / spin;
        scene_advance(w, t);
        er_vec3 p = er_world_pose(w)[box].p;
        measure_at_most("creep of a box on a disc in four turns", fabs(hypot(p.x, p.y) / away - 1.0), 2e-3);
        measure_at_most("angle of a box behind a disc in four turns", fabs(atan2(p.y, p.x)), 0.02);
        scene_end(&s, w);
    }
}

// ---- Refused

static void running_surfaces_need_lasting_contact(void **state)
{
    begin(0);
    scene_add(&s, scene_ball(0.2), 1.0, at(0, 0, 0.2), mu, 0.0);
    s.model = rig_model(context, &s.rig);
    s.shape[0].surface.linear.x = 1.0;
    s.def.model = s.model;
    s.def.shape = s.shape;
    s.def.shape_count = s.shape_count;
    s.def.integrator = ER_INTEGRATE_RK4;
    er_world *w = NULL;
    assert_refusal(context, er_world_create(context, &s.def, &w), ER_ERROR_ARGUMENT, "surface");
    er_model_destroy(s.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_brings_a_box_to_its_speed), cmocka_unit_test(a_belt_sets_a_ball_rolling),
        cmocka_unit_test(a_led_belt_adds_its_speed), cmocka_unit_test(a_disc_carries_a_box_round),
        cmocka_unit_test(running_surfaces_need_lasting_contact)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
