// Ropes, rods, pulleys, gears, rolling friction and what breaks, judged by closed forms, by the fast solver and by the
// reference.
#include <math.h>
#include <string.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;
static er_tie tie[16];
static er_dynamics_route route;

static void begin(void)
{
    scene_clear(&s);
    s.def.tie = tie;
    s.def.route = route;
    s.def.reference.accuracy = 1e-7;
    if (route == ER_ROUTE_MULTIPLIERS) s.def.max_step = 0.25 / hz;
}

static er_tie *add_tie(er_tie_kind kind, int a, er_vec3 at, int b, er_vec3 to)
{
    er_tie *t = &tie[s.def.tie_count++];
    *t = er_default_tie();
    t->kind = kind;
    t->body[0] = a, t->body[1] = b;
    t->point[0] = at, t->point[1] = to;
    return t;
}

static int add_ball(double mass, er_vec3 at)
{
    return scene_add(&s, scene_ball(0.1), mass, (er_pose){er_q_identity(), at}, 0.5, 0.0);
}

static const er_vec3 none = {0, 0, 0};

// ---- Ropes and rods

// A ball falls freely until its rope is taut. Then it keeps the speed across the rope, and swings on it.
static void a_ball_on_a_rope_falls_freely_and_then_swings(void **state)
{
    const double L = 2.0, x = 1.2, taut = sqrt(2.0 * 1.6 / g); // 3-4-5: it falls 1.6 m beside the hook
    begin();
    int ball = add_ball(2.0, er_v3(x, 0, 0));
    add_tie(ER_TIE_DISTANCE, -1, none, ball, none)->most = L;
    er_world *w = scene_begin(&s);
    double before = taut - 2.0 / hz;
    scene_advance(w, before);
    measure_at_most("fall on a slack rope", fabs(er_world_pose(w)[0].p.z + 0.5 * g * before * before), 0.05);
    assert_true(er_world_tie(w, 0).force == 0.0);
    scene_advance(w, taut + 2.0 / hz);
    double energy = scene_energy(w), across = g * taut * 0.6, fallen = -1.6 - er_world_pose(w)[0].p.z;
    double want = sqrt(across * across + 2.0 * g * fallen);
    measure_at_most("speed after the jerk", fabs(er_v3_norm(er_world_twist(w)[0].linear) / want - 1.0), 0.01);
    double longest = 0.0;
    for (int i = 1; i <= 600; ++i) {
        scene_advance(w, taut + 2.0 / hz + i / hz);
        longest = fmax(longest, er_world_tie(w, 0).length);
    }
    measure_at_most("length of a taut rope", longest / L - 1.0, 1e-4);
    measure_at_most("energy of a swing on a rope in 10 s", fabs(scene_energy(w) - energy) / (2.0 * g * L), 0.01);
    scene_end(&s, w);
}

// A pendulum on a rod: m g cos + m v^2 / L at its lowest point, and the period of large swings.
static void a_rod_carries_weight_and_centrifugal_force(void **state)
{
    const double L = 1.0, mass = 3.0;
    begin();
    s.def.max_step = 1.0 / 480;
    int ball = add_ball(mass, er_v3(L, 0, 0)); // let go from the horizontal
    add_tie(ER_TIE_DISTANCE, -1, none, ball, none)->least = L;
    tie[0].most = L;
    er_world *w = scene_begin(&s);
    double most = 0.0, lowest = 0.0, swings = 0.0, before = 1.0, period = 0.0;
    for (int i = 1; i <= 480 * 8; ++i) {
        scene_advance(w, i / 480.0);
        double x = er_world_pose(w)[0].p.x;
        if (before > 0.0 && x <= 0.0) swings += 1.0, period = (i - 1 + before / (before - x)) / 480.0;
        before = x;
        most = fmax(most, er_world_tie(w, 0).force);
        lowest = fmin(lowest, er_world_pose(w)[0].p.z);
    }
    // a quarter, then whole swings of 4 K(sin 45) sqrt(L / g)
    double want = 4.0 * 1.8540746773013719 * sqrt(L / g);
    measure_at_most("tension of a rod at the lowest point", fabs(most / (3.0 * mass * g) - 1.0), 5e-3);
    measure_at_most("length of a rod", fabs(lowest / L + 1.0), 1e-3);
    measure_at_most("period of a large swing on a rod", fabs(period / ((swings - 0.75) * want) - 1.0), 2e-3);
    scene_end(&s, w);
}

static void a_strut_pushes_and_does_not_pull(void **state)
{
    begin();
    int ball = add_ball(2.0, er_v3(0, 0, 1.0));
    add_tie(ER_TIE_DISTANCE, -1, none, ball, none)->least = 1.0;
    er_world *w = scene_begin(&s);
    scene_advance(w, 0.5);
    measure_at_most("height on a strut", fabs(er_world_pose(w)[0].p.z - 1.0), 1e-4);
    measure_at_most("force of a strut", fabs(er_world_tie(w, 0).force / (2.0 * g) + 1.0), 1e-3);
    assert_int_equal(er_world_push(w, 0, none, er_v3(0, 0, 2.0)), ER_OK);
    scene_advance(w, 0.6);
    assert_true(er_world_tie(w, 0).force == 0.0 && er_world_tie(w, 0).length > 1.0);
    scene_end(&s, w);
}

// A weight on an elastic rope, let go at its length: it bobs by m g / k about the place where it would hang, at
// sqrt(k / m), and its energy stays.
static void an_elastic_rope_bobs_and_keeps_its_energy(void **state)
{
    const double mass = 2.0, k = 200.0, L = 1.0, period = 2.0 * ER_PI * sqrt(mass / k);
    begin();
    s.def.max_step = 1.0 / 480;
    int ball = add_ball(mass, er_v3(0, 0, -L));
    er_tie *t = add_tie(ER_TIE_DISTANCE, -1, none, ball, none);
    t->most = L;
    t->stiffness = k;
    er_world *w = scene_begin(&s);
    double begin_energy = scene_energy(w), deepest = 0.0, loss = 0.0;
    for (int i = 1; i <= 480 * 4; ++i) {
        scene_advance(w, i / 480.0);
        deepest = fmin(deepest, er_world_pose(w)[0].p.z);
        loss = fmax(loss, fabs(scene_energy(w) - begin_energy));
    }
    double depth = mass * g / k;
    measure_at_most("depth of a bob", fabs((-deepest - L) / (2.0 * depth) - 1.0), 0.01);
    scene_advance(w, 8.5 * period);
    double at = -er_world_pose(w)[0].p.z - L;
    measure_at_most("phase after 8.5 bobs", fabs(at / (2.0 * depth) - 1.0), 0.02);
    measure_at_most("energy of an elastic rope", loss / (0.5 * k * depth * depth), 0.05);
    er_world_energy e = er_world_measure_energy(w);
    measure_at_most("heat of an elastic rope", fabs(e.heat) / (0.5 * k * depth * depth), 0.05);
    scene_end(&s, w);
}

// Ten balls in a row on rods hang down, each rod with the weight of what is below.
static void a_chain_of_rods_carries_what_hangs_below(void **state)
{
    begin();
    for (int i = 0; i < 10; ++i) {
        int ball = add_ball(1.0, er_v3(0, 0, -0.3 * (i + 1)));
        er_tie *t = add_tie(ER_TIE_DISTANCE, ball - 1, none, ball, none);
        t->least = t->most = 0.3;
    }
    er_world *w = scene_begin(&s);
    scene_advance(w, 1.0);
    for (int i = 0; i < 10; ++i)
        measure_at_most("tension in a chain of rods", fabs(er_world_tie(w, i).force / ((10 - i) * g) - 1.0), 5e-3);
    measure_at_most("length of a chain of rods", fabs(er_world_pose(w)[9].p.z + 3.0), 1e-3);
    scene_end(&s, w);
}

// A heavy body swings below one with a thousandth of its mass: the ropes hold, and the energy stays.
static void a_heavy_ball_swings_below_a_light_one(void **state)
{
    begin();
    int light = add_ball(0.01, er_v3(0, 0, -1)), heavy = add_ball(10.0, er_v3(0, 0, -2));
    add_tie(ER_TIE_DISTANCE, -1, none, light, none)->most = 1.0;
    add_tie(ER_TIE_DISTANCE, light, none, heavy, none)->most = 1.0;
    er_world *w = scene_begin(&s);
    assert_int_equal(er_world_push(w, heavy, none, er_v3(20.0, 0, 0)), ER_OK);
    double energy = scene_energy(w);
    for (int i = 1; i <= 20; ++i) {
        scene_advance(w, 0.5 * i);
        for (int k = 0; k < 2; ++k)
            measure_at_most("length of ropes with a heavy end", fabs(er_world_tie(w, k).length - 1.0), 1e-5);
    }
    measure_at_most("energy of a heavy ball below a light one", fabs(scene_energy(w) - energy) / 20.0, 0.02);
    scene_end(&s, w);
}

// The end of a jointed arm on a rope: 1 kg of a rod on a hinge hangs level by a rope at its end, with half its weight.
static void a_rope_holds_a_jointed_arm(void **state)
{
    begin();
    int arm = scene_add(&s, scene_brick(0.5, 0.05, 0.05), 4.0, (er_pose){er_q_identity(), er_v3(0.5, 0, 0)}, 0.5, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, arm, er_joint_frame_along(none, er_v3(0, 1, 0)));
    add_tie(ER_TIE_DISTANCE, -1, er_v3(1, 0, 1), arm, er_v3(0.5, 0, 0))->most = 1.0;
    er_world *w = scene_begin(&s);
    scene_advance(w, 2.0);
    measure_at_most("height of an arm on a rope", fabs(er_world_pose(w)[0].p.z), 1e-3);
    measure_at_most("tension of a rope on an arm", fabs(er_world_tie(w, 0).force / (2.0 * g) - 1.0), 1e-3);
    scene_end(&s, w);
}

// ---- Pulleys

// Atwood's machine, with a rope that passes the second weight's side `ratio` times.
static void atwoods_machine_falls_as_it_should(void **state)
{
    const double masses[3][3] = {{1, 2, 1}, {1, 2, 2}, {3, 1, 0.5}}; // m1, m2, ratio
    for (int i = 0; i < 3; ++i) {
        double m1 = masses[i][0], m2 = masses[i][1], ratio = masses[i][2], t = 0.4;
        begin();
        int a = add_ball(m1, er_v3(-1, 0, -3)), b = add_ball(m2, er_v3(1, 0, -3));
        er_tie *p = add_tie(ER_TIE_PULLEY, a, none, b, none);
        p->wheel[0] = er_v3(-1, 0, 0);
        p->wheel[1] = er_v3(1, 0, 0);
        p->ratio = ratio;
        p->most = 3.0 + 3.0 * ratio;
        er_world *w = scene_begin(&s);
        scene_advance(w, t);
        // l1 + r l2 = const, T on the first, r T on the second: l1'' = g - T / m1, l2'' = g - r T / m2
        double T = g * (1.0 + ratio) / (1.0 / m1 + ratio * ratio / m2), fall = g - T / m1;
        measure_at_most("speed of Atwood's machine", fabs(er_world_twist(w)[a].linear.z + fall * t) / (g * t), 1e-4);
        measure_at_most("tension of Atwood's machine", fabs(er_world_tie(w, 0).force / T - 1.0), 1e-3);
        measure_at_most("rope of Atwood's machine", fabs(er_world_tie(w, 0).length - p->most), 1e-3);
        scene_end(&s, w);
    }
}

// ---- Gears

static int add_wheel(double moment, er_vec3 at, er_joint_type type, er_vec3 axis)
{
    int body =
        rig_add_body(&s.rig, 1.0, er_v3(moment, moment, moment), er_q_identity(), at, (er_pose){er_q_identity(), at});
    rig_add_joint(&s.rig, type, -1, body, er_joint_frame_along(at, axis));
    return body;
}

// A torque on the first of two wheels: it accelerates the moment reflected through the gear.
static void gears_reflect_inertia_and_pass_torque(void **state)
{
    const double I0 = 0.5, I1 = 2.0, ratio = -3.0, t = 0.5; // the first turns three times as fast, the other way
    begin();
    s.def.gravity = none;
    add_wheel(I0, none, ER_JOINT_REVOLUTE, er_v3(0, 0, 1));
    add_wheel(I1, er_v3(1, 0, 0), ER_JOINT_REVOLUTE, er_v3(0, 0, 1));
    er_tie *gear = add_tie(ER_TIE_GEAR, -1, none, -1, none);
    gear->coordinate[1] = 1;
    gear->ratio = ratio;
    er_force push = er_default_force();
    push.torque = er_v3(0, 0, 2.0);
    s.def.force = &push;
    s.def.force_count = 1;
    er_world *w = scene_begin(&s);
    scene_advance(w, t);
    double alpha = 2.0 / (I0 + I1 / (ratio * ratio)), w0 = er_world_twist(w)[0].angular.z,
           w1 = er_world_twist(w)[1].angular.z;
    measure_at_most("acceleration through a gear", fabs(w0 / (alpha * t) - 1.0), 1e-6);
    measure_at_most("ratio of a gear", fabs(w0 / (ratio * w1) - 1.0), 1e-6);
    double passed = I1 * (w1 / t) / ratio; // the torque on the first is minus what turns the second, over the ratio
    measure_at_most("torque of a gear", fabs(er_world_tie(w, 0).force / -passed - 1.0), 1e-3);
    measure_at_most("energy through a gear", fabs(er_world_measure_energy(w).heat), 1e-3);
    scene_advance(w, 5.0);
    measure_at_most("drift of a gear", fabs(er_world_tie(w, 0).length), 1e-6);
    scene_end(&s, w);
}

// A rack on a slide and its pinion on a hinge: x = r angle. The rack falls at g m / (m + I / r^2).
static void a_rack_turns_its_pinion(void **state)
{
    const double I = 0.02, radius = 0.1, t = 0.5;
    begin();
    int rack = add_wheel(0.1, none, ER_JOINT_PRISMATIC, er_v3(0, 0, 1));
    int pinion = add_wheel(I, er_v3(radius, 0, 0), ER_JOINT_REVOLUTE, er_v3(0, 1, 0));
    er_tie *gear = add_tie(ER_TIE_GEAR, -1, none, -1, none);
    gear->coordinate[0] = s.rig.joint_count == 2 ? 0 : 1;
    gear->coordinate[1] = 1;
    gear->ratio = radius;
    er_world *w = scene_begin(&s);
    scene_advance(w, t);
    double fall = g / (1.0 + I / (radius * radius));
    measure_at_most("fall of a rack", fabs(er_world_twist(w)[rack].linear.z / (-fall * t) - 1.0), 1e-6);
    measure_at_most("turn of a pinion", fabs(er_world_twist(w)[pinion].angular.y / (-fall * t / radius) - 1.0), 1e-6);
    scene_end(&s, w);
}

// Both wheels on one arm that turns freely: gears between moving bodies change no angular momentum of the whole.
static void gears_on_a_moving_arm_keep_angular_momentum(void **state)
{
    begin();
    s.def.gravity = none;
    er_vec3 z = er_v3(0, 0, 1);
    int arm = rig_add_body(&s.rig, 1.0, er_v3(1, 1, 1), er_q_identity(), none, er_pose_identity());
    for (int k = 0; k < 2; ++k) {
        er_vec3 at = er_v3(k, 0, 0);
        int wheel =
            rig_add_body(&s.rig, 1.0, er_v3(0.2, 0.2, 0.2), er_q_identity(), at, (er_pose){er_q_identity(), at});
        rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, arm, wheel, er_joint_frame_along(at, z));
    }
    er_tie *gear = add_tie(ER_TIE_GEAR, -1, none, -1, none);
    gear->coordinate[1] = 1;
    gear->ratio = -2.0;
    er_world *w = scene_begin(&s);
    er_twist twist[3] = {{none, none}, {er_v3(0, 0, 5), none}, {none, none}};
    er_pose pose[3];
    memcpy(pose, er_world_pose(w), sizeof pose);
    assert_int_equal(er_world_set_state(w, 0.0, pose, twist), ER_OK);
    er_vec3 before, after;
    er_world_measure_momentum(w, NULL, &before);
    scene_advance(w, 2.0);
    er_world_measure_momentum(w, NULL, &after);
    double rate[2];
    er_world_coordinates(w, NULL, rate);
    measure_at_most("angular momentum of gears on an arm", er_v3_distance(before, after), 1e-3);
    measure_at_most("ratio of gears on an arm", fabs(rate[0] + 2.0 * rate[1]), 1e-4);
    scene_end(&s, w);
}

// ---- Breaking

// A weight hangs at rest on a rope or a joint: it breaks just below the weight, and holds just above it.
static void a_hook_breaks_at_its_load(void **state)
{
    const double mass = 5.0, share[2] = {0.99, 1.01};
    er_joint_break strong;
    for (int k = 0; k < 4; ++k) {
        double bound = share[k % 2] * mass * g;
        begin();
        int ball = add_ball(mass, er_v3(0, 0, -1));
        if (k < 2) {
            er_tie *t = add_tie(ER_TIE_DISTANCE, -1, none, ball, none);
            t->most = 1.0;
            t->break_force = bound;
        } else {
            rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, ball, er_pose_identity());
            strong = (er_joint_break){bound, HUGE_VAL};
            s.def.joint_break = &strong;
        }
        er_world *w = scene_begin(&s);
        scene_advance(w, 1.0);
        bool broke = k < 2 ? er_world_tie(w, 0).broken : er_world_joint_is_broken(w, 0);
        assert_int_equal(broke, k % 2 == 0);
        if (k == 0) measure_at_most("fall after a rope broke", er_world_pose(w)[0].p.z, -1.0 - 0.45 * g);
        if (k == 3) measure_at_most("load of a hook", fabs(er_world_joint_load(w, 0).force.z / (mass * g) - 1.0), 1e-6);
        scene_end(&s, w);
    }
}

// A bracket breaks by its torque, of the weight at its end; and by a blow.
static void a_bracket_breaks_by_torque(void **state)
{
    const double mass = 2.0, arm = 0.5, share[2] = {0.99, 1.01};
    er_joint_break strong;
    for (int k = 0; k < 2; ++k) {
        begin();
        int body =
            scene_add(&s, scene_brick(0.5, 0.1, 0.1), mass, (er_pose){er_q_identity(), er_v3(arm, 0, 0)}, 0.5, 0);
        rig_add_joint(&s.rig, ER_JOINT_FIXED, -1, body, er_pose_identity());
        strong = (er_joint_break){HUGE_VAL, share[k] * mass * g * arm};
        s.def.joint_break = &strong;
        er_world *w = scene_begin(&s);
        scene_advance(w, 0.5);
        assert_int_equal(er_world_joint_is_broken(w, 0), k == 0);
        measure_at_most("torque in a bracket", fabs(er_world_joint_load(w, 0).torque.y / (mass * g * arm) + 1.0), 1e-6);
        scene_end(&s, w);
    }
}

// A beam on two hooks: the loop's joint and the tree's have half its weight, and more where a ball lies on it.
static void a_beam_on_two_hooks_shares_its_load(void **state)
{
    const double mass = 4.0, load = 2.0;
    er_joint_break strong[2] = {{1e9, 1e9}, {1e9, 1e9}};
    begin();
    int beam = scene_add(&s, scene_brick(1.0, 0.1, 0.1), mass, er_pose_identity(), 0.5, 0.0);
    scene_add(&s, scene_brick(0.1, 0.1, 0.1), load, (er_pose){er_q_identity(), er_v3(0.5, 0, 0.2)}, 0.5, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, beam, er_joint_frame_along(er_v3(-1, 0, 0), er_v3(0, 1, 0)));
    rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, beam, (er_pose){er_q_identity(), er_v3(1, 0, 0)})->closes_loop = true;
    s.def.joint_break = strong;
    er_world *w = scene_begin(&s);
    scene_advance(w, 2.0);
    double left = er_world_joint_load(w, 0).force.z, right = er_world_joint_load(w, 1).force.z;
    measure_at_most("load of the left hook", fabs(left / (g * (0.5 * mass + 0.25 * load)) - 1.0), 1e-3);
    measure_at_most("load of the right hook", fabs(right / (g * (0.5 * mass + 0.75 * load)) - 1.0), 1e-3);
    scene_end(&s, w);
}

// A plank on two rods swings on four parallel hinges, with a box on it: half of the loop's constraints follow from the
// others. At rest each hook has half the weight of plank and box, and that of its rod.
static void a_swing_of_four_hinges_carries_a_box(void **state)
{
    const double rod = 1.0, load = 2.0, plank = 4.0;
    er_joint_break strong[4] = {{1e9, 1e9}, {1e9, 1e9}, {1e9, 1e9}, {1e9, 1e9}};
    er_vec3 y = er_v3(0, 1, 0), moments = er_v3(0.1, 0.1, 0.1);
    begin();
    int rods[2],
        middle = scene_add(&s, scene_brick(1, 0.2, 0.1), plank, (er_pose){er_q_identity(), er_v3(0, 0, -1)}, 0.5, 0.0);
    for (int k = 0; k < 2; ++k) {
        er_vec3 centre = er_v3(2 * k - 1, 0, -0.5);
        rods[k] = rig_add_body(&s.rig, rod, moments, er_q_identity(), centre, (er_pose){er_q_identity(), centre});
    }
    scene_add(&s, scene_brick(0.1, 0.1, 0.1), load, (er_pose){er_q_identity(), er_v3(0, 0, -0.8)}, 0.5, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, rods[0], er_joint_frame_along(er_v3(-1, 0, 0), y));
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, rods[0], middle, er_joint_frame_along(er_v3(-1, 0, -1), y));
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, middle, rods[1], er_joint_frame_along(er_v3(1, 0, -1), y));
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, rods[1], er_joint_frame_along(er_v3(1, 0, 0), y))->closes_loop = true;
    s.def.joint_break = strong;
    er_world *w = scene_begin(&s);
    scene_advance(w, 1.0);
    for (int k = 0; k < 2; ++k) {
        double force = er_world_joint_load(w, 3 * k).force.z;
        measure_at_most("load of a swing's hook", fabs(force / (g * (0.5 * (plank + load) + rod)) - 1.0), 1e-3);
    }
    // it goes to and fro as a pendulum whose plank and box do not turn
    assert_int_equal(er_world_push(w, middle, er_world_pose(w)[middle].p, er_v3(0.6, 0, 0)), ER_OK);
    double mass = plank + load + 2.0 * (0.25 * rod + moments.y), pull = g * (plank + load + rod);
    double rate = sqrt(pull / mass), most = 0.6 / mass / rate, begin_x = er_world_pose(w)[middle].p.x, deepest = 0.0;
    double half = ER_PI / rate;
    scene_advance(w, 1.0 + 0.5 * half);
    deepest = er_world_pose(w)[middle].p.x - begin_x;
    scene_advance(w, 1.0 + 4.0 * half);
    measure_at_most("reach of a swing", fabs(deepest / most - 1.0), 0.02);
    measure_at_most("phase of a swing after two periods", fabs(er_world_pose(w)[middle].p.x - begin_x) / most, 0.1);
    scene_end(&s, w);
}

// A ball strikes a hung plate: the mean force over the step breaks its hook, and less does not.
static void a_blow_breaks_a_hook(void **state)
{
    er_joint_break strong;
    for (int k = 0; k < 2; ++k) {
        begin();
        s.def.gravity = none;
        int plate = scene_add(&s, scene_brick(0.5, 0.5, 0.05), 1.0, er_pose_identity(), 0.5, 0.0);
        int ball = add_ball(1.0, er_v3(0, 0, 0.3));
        rig_add_joint(&s.rig, ER_JOINT_FIXED, -1, plate, er_pose_identity());
        double blow = 1.0 * 3.0 / s.def.max_step; // m v in one step
        strong = (er_joint_break){(k == 0 ? 0.5 : 1.5) * blow, HUGE_VAL};
        s.def.joint_break = &strong;
        er_world *w = scene_begin(&s);
        er_twist twist[2] = {{none, none}, {none, er_v3(0, 0, -3)}};
        er_pose pose[2];
        memcpy(pose, er_world_pose(w), sizeof pose);
        assert_int_equal(er_world_set_state(w, 0.0, pose, twist), ER_OK);
        scene_advance(w, 0.5);
        assert_int_equal(er_world_joint_is_broken(w, 0), k == 0);
        assert_true(er_world_twist(w)[ball].linear.z > -0.1);
        scene_end(&s, w);
    }
}

// ---- Rolling and spinning friction

static void set_resistance(double rolling, double spinning)
{
    s.shape[0].rolling = rolling;
    s.shape[0].spinning = spinning;
}

// A ball that rolls on level ground slows down by 5/7 g c / r, and then stands still.
static void a_ball_on_the_level_slows_down(void **state)
{
    const double radius = 0.1, c = 0.005, v0 = 2.0, slow = 5.0 / 7.0 * g * c / radius;
    begin();
    int ball = add_ball(3.0, er_v3(0, 0, radius));
    set_resistance(c, 0.0);
    scene_add_plane(&s, none, er_q_identity(), 1.0);
    er_world *w = scene_begin(&s);
    er_twist twist = {er_v3(0, v0 / radius, 0), er_v3(v0, 0, 0)};
    er_pose pose = er_world_pose(w)[ball];
    assert_int_equal(er_world_set_state(w, 0.0, &pose, &twist), ER_OK);
    scene_advance(w, 2.0);
    double v = er_v3_norm(er_world_twist(w)[ball].linear);
    measure_at_most("speed of a ball with rolling friction", fabs(v - (v0 - slow * 2.0)) / v0, 0.01);
    scene_advance(w, v0 / slow + 1.0);
    measure_at_most("way of a ball until it stands", fabs(er_world_pose(w)[ball].p.x / (v0 * v0 / (2.0 * slow)) - 1.0),
                    0.02);
    measure_at_most("speed of a ball that stands", scene_fastest(&s, w), 1e-6);
    scene_end(&s, w);
}

// On a slope it stands while tan(angle) < c / r, and rolls beyond at 5/7 g (sin - c / r cos).
static void a_ball_on_a_slope_rests_or_rolls(void **state)
{
    const double radius = 0.1, c = 0.01;
    for (int k = 0; k < 2; ++k) {
        double slope = atan(c / radius) * (k == 0 ? 0.95 : 1.5);
        er_quat tilt = er_q_exp(er_v3(0, slope, 0));
        begin();
        add_ball(2.0, er_q_rotate(tilt, er_v3(0, 0, radius)));
        set_resistance(c, 0.0);
        scene_add_plane(&s, none, tilt, 1.0);
        er_world *w = scene_begin(&s);
        scene_advance(w, 1.0);
        double v = scene_fastest(&s, w), t = 1.0, want = 5.0 / 7.0 * g * (sin(slope) - c / radius * cos(slope));
        if (k == 0) {
            er_vec3 at = er_world_pose(w)[0].p;
            scene_advance(w, 11.0);
            measure_at_most("creep of a ball on a slope in 10 s", er_v3_distance(er_world_pose(w)[0].p, at), 1e-4);
        } else {
            scene_advance(w, 1.0 + t);
            measure_at_most("gain of a ball on a steep slope", fabs((scene_fastest(&s, w) - v) / (want * t) - 1.0),
                            0.005);
        }
        scene_end(&s, w);
    }
}

// A ball that spins in place loses c m g / I a second.
static void a_spin_decays(void **state)
{
    const double radius = 0.1, mass = 2.0, c = 0.004, spin = 40.0, slow = c * g / (0.4 * radius * radius);
    begin();
    int ball = add_ball(mass, er_v3(0, 0, radius));
    set_resistance(0.0, c);
    scene_add_plane(&s, none, er_q_identity(), 1.0);
    er_world *w = scene_begin(&s);
    er_twist twist = {er_v3(0, 0, spin), none};
    er_pose pose = er_world_pose(w)[ball];
    assert_int_equal(er_world_set_state(w, 0.0, &pose, &twist), ER_OK);
    scene_advance(w, 2.0);
    measure_at_most("spin of a ball", fabs(er_world_twist(w)[ball].angular.z - (spin - 2.0 * slow)) / spin, 0.01);
    scene_advance(w, spin / slow + 0.5);
    measure_at_most("spin of a ball that stands", fabs(er_world_twist(w)[ball].angular.z), 1e-6);
    scene_end(&s, w);
}

// A ball that rolls askew to the axes slows down along its way: rolling friction is within a disc. Its spin decays too.
static void a_ball_slows_down_along_its_way(void **state)
{
    const double radius = 0.1, c = 0.005, v0 = 2.0, spin = 40.0, t = 0.5, slow = 5.0 / 7.0 * g * c / radius;
    const er_vec3 way = er_v3(cos(0.5), sin(0.5), 0);
    begin();
    int ball = add_ball(3.0, er_v3(0, 0, radius));
    set_resistance(c, 0.002);
    scene_add_plane(&s, none, er_q_identity(), 1.0);
    s.def.reference.cone = true;
    er_world *w = scene_begin(&s);
    er_twist twist = {er_v3(-way.y * v0 / radius, way.x * v0 / radius, spin), er_v3_scale(v0, way)};
    er_pose pose = er_world_pose(w)[ball];
    assert_int_equal(er_world_set_state(w, 0.0, &pose, &twist), ER_OK);
    scene_advance(w, t);
    er_quat q = er_world_pose(w)[ball].q;
    er_vec3 v = er_q_rotate(q, er_world_twist(w)[ball].linear), turn = er_q_rotate(q, er_world_twist(w)[ball].angular);
    double left = spin - 0.002 * g / (0.4 * radius * radius) * t;
    measure_at_most("speed of a ball askew", er_v3_distance(v, er_v3_scale(v0 - slow * t, way)) / v0, 0.01);
    measure_at_most("spin of a ball that rolls", fabs(turn.z / left - 1.0), 0.01);
    scene_end(&s, w);
}

// A wheel on an axle under a smooth weight on a slide: its rolling friction is c m g, though the axle holds the wheel
// across.
static void a_wheel_on_an_axle_slows_down(void **state)
{
    const double radius = 0.1, load = 3.0, c = 0.002, w0 = 30.0, t = 0.5, moment = 0.4 * 2.0 * radius * radius;
    begin();
    int wheel = add_ball(2.0, none);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, wheel, er_joint_frame_along(none, er_v3(0, 1, 0)));
    set_resistance(c, 0.0);
    er_pose above = {er_q_identity(), er_v3(0, 0, 2.0 * radius)};
    int weight = scene_add(&s, scene_brick(radius, radius, radius), load, above, 0.0, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_PRISMATIC, -1, weight, er_joint_frame_along(above.p, er_v3(0, 0, 1)));
    s.def.reference.cone = true;
    er_world *w = scene_begin(&s);
    er_pose pose[2] = {er_world_pose(w)[0], er_world_pose(w)[1]};
    er_twist twist[2] = {{er_v3(0, w0, 0), none}, {none, none}};
    assert_int_equal(er_world_set_state(w, 0.0, pose, twist), ER_OK);
    scene_advance(w, t);
    double want = w0 - c * load * g / moment * t;
    measure_at_most("spin of a wheel on an axle", fabs(er_world_twist(w)[wheel].angular.y / want - 1.0), 0.01);
    scene_end(&s, w);
}

// ---- Solvers of the reference

static void build_ties_of_all_kinds(void)
{
    begin();
    s.def.route = ER_ROUTE_MULTIPLIERS;
    s.def.reference.accuracy = 1e-10;
    add_wheel(0.5, er_v3(0, 5, 0), ER_JOINT_REVOLUTE, er_v3(0, 0, 1));
    int arm = scene_add(&s, scene_brick(0.5, 0.05, 0.05), 4.0, (er_pose){er_q_identity(), er_v3(0.5, 0, 2)}, 0.5, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, arm, er_joint_frame_along(er_v3(0, 0, 2), er_v3(0, 1, 0)));
    int low = add_ball(1.0, er_v3(1.0, 0.1, 1.5)), roll = add_ball(2.0, er_v3(-1, 0, 0.1));
    int bob = add_ball(1.0, er_v3(0, -3, 2));
    for (int i = 0; i < s.shape_count; ++i)
        s.shape[i].rolling = 0.004, s.shape[i].spinning = 0.002;
    scene_add_plane(&s, none, er_q_identity(), 0.5);
    add_tie(ER_TIE_DISTANCE, arm, er_v3(0.5, 0, 0), low, none)->most = 0.6;
    er_tie *rod = add_tie(ER_TIE_DISTANCE, -1, er_v3(0, -3, 3), bob, none);
    rod->most = rod->least = 1.0;
    er_tie *elastic = add_tie(ER_TIE_DISTANCE, -1, er_v3(-1, 0, 1), roll, none);
    elastic->most = 0.95;
    elastic->stiffness = 40.0;
    er_tie *gear = add_tie(ER_TIE_GEAR, -1, none, -1, none);
    gear->coordinate[1] = 1;
    gear->ratio = 2.0;
}

static void sweeps_and_pivoting_agree(void **state)
{
    enum { BODIES = 5, ROLL = 3, BOB = 4 };
    er_pose end[2][BODIES];
    for (int k = 0; k < 2; ++k) {
        build_ties_of_all_kinds();
        if (k == 1) s.def.reference.solver = ER_REFERENCE_DIRECT;
        er_world *w = scene_begin(&s);
        assert_int_equal(er_world_push(w, ROLL, er_world_pose(w)[ROLL].p, er_v3(2, 1, 0)), ER_OK);
        assert_int_equal(er_world_push(w, BOB, er_world_pose(w)[BOB].p, er_v3(1, 0.5, 0)), ER_OK);
        scene_advance(w, 0.5);
        memcpy(end[k], er_world_pose(w), sizeof end[k]);
        scene_end(&s, w);
    }
    for (int b = 0; b < BODIES; ++b)
        measure_at_most("way between sweeps and pivoting", er_v3_distance(end[0][b].p, end[1][b].p), 1e-6);
}

// ---- States

// Bytes hold impulses, what is broken, and where gears stand: the motion goes on equal to the bit.
static void saved_states_go_on_to_the_bit(void **state)
{
    begin();
    int a = add_ball(1.0, er_v3(1, 0, 0.5)), b = add_ball(2.0, er_v3(2, 0, 0.5));
    add_tie(ER_TIE_DISTANCE, -1, er_v3(0, 0, 1), a, none)->most = 1.2;
    add_tie(ER_TIE_DISTANCE, a, none, b, none)->most = 1.0;
    tie[1].break_force = 25.0;
    set_resistance(0.01, 0.01);
    scene_add_plane(&s, er_v3(0, 0, 0.0), er_q_identity(), 0.5);
    er_world *w = scene_begin(&s);
    for (int k = 1; k <= 4; ++k) {
        scene_advance(w, 0.25 * k);
        void *bytes = malloc(er_world_state_size(w));
        er_world_save(w, bytes);
        scene_advance(w, 0.25 * k + 0.5);
        uint64_t hash = er_world_hash(w);
        assert_int_equal(er_world_restore(w, bytes), ER_OK);
        scene_advance(w, 0.25 * k + 0.5);
        assert_true(er_world_hash(w) == hash);
        assert_int_equal(er_world_restore(w, bytes), ER_OK);
        free(bytes);
    }
    scene_end(&s, w);
}

static void refuse(const char *field)
{
    er_world *w = NULL;
    s.def.model = s.model;
    assert_refusal(context, er_world_create(context, &s.def, &w), ER_ERROR_ARGUMENT, field);
}

static void wrong_ties_are_refused(void **state)
{
    begin();
    int ball = add_ball(1.0, none);
    s.model = rig_model(context, &s.rig);
    er_tie good = *add_tie(ER_TIE_DISTANCE, -1, er_v3(0, 0, 1), ball, none);
    struct {
        const char *field;
        er_tie tie;
    } wrong[] = {{"body", good},        {"point", good}, {"most", good},       {"stiffness", good}, {"damping", good},
                 {"break_force", good}, {"ratio", good}, {"coordinate", good}, {"least", good}};
    wrong[0].tie.body[1] = -1;
    wrong[1].tie.point[0].x = NAN;
    wrong[2].tie.least = 2.0, wrong[2].tie.most = 1.0;
    wrong[3].tie.stiffness = -1.0;
    wrong[4].tie.damping = 1.0, wrong[4].tie.most = 1.0;
    wrong[5].tie.break_force = 0.0;
    wrong[6].tie.kind = ER_TIE_PULLEY, wrong[6].tie.ratio = 0.0;
    wrong[7].tie.kind = ER_TIE_GEAR, wrong[7].tie.coordinate[0] = 3;
    wrong[8].tie.least = NAN;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        tie[0] = wrong[i].tie;
        refuse(wrong[i].field);
    }
    tie[0] = good;
    s.def.integrator = ER_INTEGRATE_RK4;
    refuse("integrator");
    s.def.tie_count = 0;
    s.def.shape = s.shape;
    s.def.shape_count = s.shape_count;
    set_resistance(0.0, 0.01);
    refuse("spinning");
    er_model_destroy(s.model);
}

static void loads_that_break_nothing_are_refused(void **state)
{
    begin();
    int ball = add_ball(1.0, none);
    rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, ball, er_pose_identity());
    s.model = rig_model(context, &s.rig);
    er_joint_break wrong[3] = {{0.0, 1.0}, {1.0, NAN}, {1.0, 1.0}};
    for (int k = 0; k < 3; ++k) {
        s.def.joint_break = &wrong[k];
        if (k == 2) s.def.integrator = ER_INTEGRATE_RK4;
        refuse("joint_break");
    }
    er_model_destroy(s.model);
}

#define BOTH(test)                                                                                                     \
    static void fast_##test(void **state)                                                                              \
    {                                                                                                                  \
        route = ER_ROUTE_REDUCED;                                                                                      \
        test(state);                                                                                                   \
    }                                                                                                                  \
    static void reference_##test(void **state)                                                                         \
    {                                                                                                                  \
        route = ER_ROUTE_MULTIPLIERS;                                                                                  \
        test(state);                                                                                                   \
    }
BOTH(a_ball_on_a_rope_falls_freely_and_then_swings)
BOTH(a_rod_carries_weight_and_centrifugal_force)
BOTH(a_strut_pushes_and_does_not_pull)
BOTH(an_elastic_rope_bobs_and_keeps_its_energy)
BOTH(a_chain_of_rods_carries_what_hangs_below)
BOTH(a_heavy_ball_swings_below_a_light_one)
BOTH(a_rope_holds_a_jointed_arm)
BOTH(atwoods_machine_falls_as_it_should)
BOTH(gears_reflect_inertia_and_pass_torque)
BOTH(a_rack_turns_its_pinion)
BOTH(gears_on_a_moving_arm_keep_angular_momentum)
BOTH(a_hook_breaks_at_its_load)
BOTH(a_bracket_breaks_by_torque)
BOTH(a_beam_on_two_hooks_shares_its_load)
BOTH(a_swing_of_four_hinges_carries_a_box)
BOTH(a_blow_breaks_a_hook)
BOTH(a_ball_on_the_level_slows_down)
BOTH(a_ball_on_a_slope_rests_or_rolls)
BOTH(a_spin_decays)
BOTH(a_ball_slows_down_along_its_way)
BOTH(a_wheel_on_an_axle_slows_down)
BOTH(saved_states_go_on_to_the_bit)
BOTH(wrong_ties_are_refused)
BOTH(loads_that_break_nothing_are_refused)

#define EACH(test) cmocka_unit_test(fast_##test), cmocka_unit_test(reference_##test)
int main(void)
{
    const struct CMUnitTest tests[] = {EACH(a_ball_on_a_rope_falls_freely_and_then_swings),
                                       EACH(a_rod_carries_weight_and_centrifugal_force),
                                       EACH(a_strut_pushes_and_does_not_pull),
                                       EACH(an_elastic_rope_bobs_and_keeps_its_energy),
                                       EACH(a_chain_of_rods_carries_what_hangs_below),
                                       EACH(a_heavy_ball_swings_below_a_light_one),
                                       EACH(a_rope_holds_a_jointed_arm),
                                       EACH(atwoods_machine_falls_as_it_should),
                                       EACH(gears_reflect_inertia_and_pass_torque),
                                       EACH(a_rack_turns_its_pinion),
                                       EACH(gears_on_a_moving_arm_keep_angular_momentum),
                                       EACH(a_hook_breaks_at_its_load),
                                       EACH(a_bracket_breaks_by_torque),
                                       EACH(a_beam_on_two_hooks_shares_its_load),
                                       EACH(a_swing_of_four_hinges_carries_a_box),
                                       EACH(a_blow_breaks_a_hook),
                                       EACH(a_ball_on_the_level_slows_down),
                                       EACH(a_ball_on_a_slope_rests_or_rolls),
                                       EACH(a_spin_decays),
                                       EACH(a_ball_slows_down_along_its_way),
                                       EACH(a_wheel_on_an_axle_slows_down),
                                       cmocka_unit_test(sweeps_and_pivoting_agree),
                                       EACH(saved_states_go_on_to_the_bit),
                                       EACH(wrong_ties_are_refused),
                                       EACH(loads_that_break_nothing_are_refused)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
