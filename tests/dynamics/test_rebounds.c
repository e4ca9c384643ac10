// Rebounds of the sub-steps' solver: Newton's law pair by pair, in closed form; momentum stays and energy never grows.
#include <math.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

static void clear(double weight)
{
    scene_clear(&s);
    s.def.gravity = er_v3(0, 0, -weight);
}

static er_world *begin(const er_twist *twist)
{
    er_world *w = scene_begin(&s);
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static double speed(const er_world *w, int body)
{
    return er_world_twist(w)[body].linear.x;
}

// Five balls in a row: one that comes sends one off, two send two, and so from either side; of what is lost e tells.
static void a_cradle_hands_on(void **state)
{
    for (int k = 0; k < 8; ++k) {
        const double e = k < 4 ? 1.0 : 0.8;
        int coming = 1 + k % 2;
        bool from_right = k / 2 % 2 == 1;
        clear(0.0);
        for (int i = 0; i < 5; ++i)
            scene_add(&s, scene_ball(0.5), 1.0, at(from_right ? -i : i, 0, 0), 0.3, e);
        er_twist twist[5] = {{{0, 0, 0}, {0, 0, 0}}};
        double way = from_right ? -1.0 : 1.0;
        for (int i = 0; i < coming; ++i)
            twist[i].linear.x = way;
        er_world *w = begin(twist);
        scene_advance(w, 1.0 / hz);
        if (e == 1.0)
            for (int i = 0; i < 5; ++i)
                measure_at_most("speed in a cradle", fabs(way * speed(w, i) - (i >= 5 - coming)), 1e-12);
        else if (coming == 1) // the last one has what four blows hand on
            measure_at_most("the last one of a cradle", fabs(way * speed(w, 4) - pow(0.5 * (1.0 + e), 4)), 1e-12);
        for (int i = 0; i < 4; ++i)
            measure_at_most("closing in a cradle", way * (speed(w, i) - speed(w, i + 1)), 1e-7);
        scene_end(&s, w);
    }
}

// A heavy ball, a light one and a wall: the light one goes to and fro until the heavy one is sent back, by e^2 = 1 at
// the speed it came with.
static void heavy_and_light_keep_what_they_have(void **state)
{
    for (int k = 0; k < 3; ++k) {
        const double ratio = pow(10.0, k);
        clear(0.0);
        scene_add(&s, scene_ball(0.5), ratio, at(-1.0, 0, 0), 0.0, 1.0);
        scene_add(&s, scene_ball(0.5), 1.0, at(0.0, 0, 0), 0.0, 1.0);
        scene_add_fixed(&s, scene_brick(0.5, 5, 5), at(1.0, 0, 0), 0.0);
        er_twist twist[2] = {{{0, 0, 0}, {1, 0, 0}}};
        er_world *w = begin(twist);
        scene_advance(w, 1.0 / hz);
        double energy = 0.5 * (ratio * speed(w, 0) * speed(w, 0) + speed(w, 1) * speed(w, 1));
        measure_at_most("energy of heavy and light", fabs(2.0 * energy / ratio - 1.0), 1e-12);
        measure_at_most("closing of heavy and light", speed(w, 0) - speed(w, 1), 1e-7);
        assert_true(speed(w, 1) <= 0.0);
        scene_end(&s, w);
    }
}

// Flat on the floor a brick parts as it came, without turning, though its corners touch one by one.
static void a_brick_parts_flat(void **state)
{
    const double e = 0.5, v = 3.0;
    clear(0.0);
    scene_add(&s, scene_brick(0.5, 0.4, 0.1), 2.0, at(0, 0, 0.1 + 0.3 * v / hz), 0.5, e);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    er_twist twist = {{0, 0, 0}, {0, 0, -v}};
    er_world *w = begin(&twist);
    scene_advance(w, 1.0 / hz);
    measure_at_most("parting of a brick", fabs(er_world_twist(w)->linear.z - e * v), 1e-12);
    measure_at_most("turning of a brick", er_v3_norm(er_world_twist(w)->angular), 1e-9);
    measure_at_most("way of a brick", fabs(er_world_pose(w)->p.z - 0.1 - 0.7 * e * v / hz), 1e-12);
    scene_end(&s, w);
}

// A ball thrown along the floor loses mu (1 + e) of its fall along its slip, or all of it, and takes up the spin.
static void friction_goes_with_a_blow(void **state)
{
    const double e = 0.6, down = 2.0, radius = 0.5;
    for (int k = 0; k < 2; ++k) {
        double mu = k == 0 ? 0.1 : 1.0, along = 1.0, lost = fmin(mu * (1.0 + e) * down, along * 2.0 / 7.0);
        clear(0.0);
        scene_add(&s, scene_ball(radius), 2.0, at(0, 0, radius), mu, e);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), mu);
        er_twist twist = {{0, 0, 0}, {along, 0, -down}};
        er_world *w = begin(&twist);
        scene_advance(w, 1.0 / hz);
        er_twist v = er_world_twist(w)[0];
        measure_at_most("parting with friction", fabs(er_q_rotate(er_world_pose(w)->q, v.linear).z - e * down), 1e-12);
        measure_at_most("slip that a blow takes", fabs(er_q_rotate(er_world_pose(w)->q, v.linear).x - along + lost),
                        1e-12);
        measure_at_most("spin that a blow gives", fabs(v.angular.y - 2.5 * lost / radius), 1e-12);
        scene_end(&s, w);
    }
}

// A ball at the tip of a rod that hangs on a hinge: P = (1 + e) v / (1 / m + L^2 / I), the hinge holding.
static void a_rod_on_a_hinge_is_struck(void **state)
{
    const double e = 0.7, v = 2.0, mass = 3.0, half = 0.5, tip = 0.9, thin = 0.05;
    clear(0.0);
    int rod = scene_add(&s, scene_brick(thin, thin, half), mass, at(0, 0, -half), 0.0, e);
    scene_add(&s, scene_ball(0.1), 1.0, at(-thin - 0.1, 0, -tip), 0.0, e);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, rod, (er_pose){er_q_exp(er_v3(-0.5 * ER_PI, 0, 0)), er_v3(0, 0, 0)});
    er_twist twist[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {v, 0, 0}}};
    s.def.max_step = 1e-6; // what swings is slowed by its own steps
    er_world *w = begin(twist);
    scene_advance(w, s.def.max_step);
    double inertia = mass * (4.0 * half * half + thin * thin) / 3.0;
    double P = (1.0 + e) * v / (1.0 + tip * tip / inertia);
    measure_at_most("speed of what strikes a rod", fabs(speed(w, 1) - (v - P)), 1e-9);
    measure_at_most("spin of a rod struck", fabs(fabs(er_world_twist(w)[rod].angular.y) - P * tip / inertia), 1e-9);
    measure_at_most("gap of a rod struck", er_world_measure_gap(w), 1e-12);
    scene_end(&s, w);
}

// e of a brick on a floor by a rule; impacts are of hulls.
static double parting(er_combination rule, double a, double b, bool impact)
{
    const double v = 20.0;
    er_hull *hull = NULL;
    er_vec3 corner[8];
    for (int i = 0; i < 8; ++i)
        corner[i] = er_v3(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
    if (er_hull_create(context, 8, corner, &hull) != ER_OK) fail_msg("%s", er_context_error(context));
    er_shape solid = impact ? (er_shape){.kind = ER_SHAPE_HULL, .hull = hull} : scene_brick(1, 1, 1);
    clear(0.0);
    s.def.integrator = impact ? ER_INTEGRATE_RK4 : ER_INTEGRATE_CONTACT;
    s.def.restitution_rule = rule;
    scene_add(&s, solid, 1.0, at(0, 0, 2.1), 0.0, a);
    scene_add_fixed(&s, solid, at(0, 0, 0), 0.0);
    s.shape[1].restitution = b;
    er_twist twist = {{0, 0, 0}, {0, 0, -v}};
    er_world *w = begin(&twist);
    scene_advance(w, 1.0 / hz);
    double e = er_world_twist(w)->linear.z / v;
    scene_end(&s, w);
    er_hull_destroy(hull);
    return e;
}

// mu of a brick that slides for a step, by a rule.
static double sliding(er_combination rule, double a, double b)
{
    clear(g);
    s.def.friction_rule = rule;
    scene_add(&s, scene_brick(0.5, 0.5, 0.1), 1.0, at(0, 0, 0.1), a, 0.0);
    scene_add_fixed(&s, scene_brick(9, 9, 1), at(0, 0, -1), b);
    er_twist twist = {{0, 0, 0}, {3, 0, 0}};
    er_world *w = begin(&twist);
    scene_advance(w, 1.0 / hz);
    double mu = (3.0 - speed(w, 0)) * hz / g;
    scene_end(&s, w);
    return mu;
}

static void rules_combine(void **state)
{
    const double a = 0.2, b = 0.7, want[] = {0.45, sqrt(0.14), 0.2, 0.7, 0.14};
    for (int rule = ER_COMBINE_AVERAGE; rule <= ER_COMBINE_MULTIPLY; ++rule) {
        er_combination by = (er_combination)rule;
        for (int impact = 0; impact < 2; ++impact)
            measure_at_most("restitution by a rule", fabs(parting(by, a, b, impact) - want[rule]), 1e-9);
        measure_at_most("friction by a rule", fabs(sliding(by, b, a) - want[rule]), 0.01); // corners set down in turn
    }
    clear(0.0);
    scene_add(&s, scene_ball(0.1), 1.0, at(0, 0, 0), 0.0, 0.0);
    s.def.friction_rule = (er_combination)(ER_COMBINE_MULTIPLY + 1);
    s.def.model = rig_model(context, &s.rig);
    er_world *w = NULL;
    assert_int_equal(er_world_create(context, &s.def, &w), ER_ERROR_ARGUMENT);
    s.def.friction_rule = ER_COMBINE_AVERAGE;
    s.def.restitution_rule = (er_combination)-1;
    assert_int_equal(er_world_create(context, &s.def, &w), ER_ERROR_ARGUMENT);
    s.model = (er_model *)s.def.model;
    scene_end(&s, w);
}

// Two balls on stalks that a hinge ties, swung together: they meet where they are told to, else pass.
static void what_a_joint_ties_meets_when_told_to(void **state)
{
    for (int told = 0; told < 2; ++told) {
        clear(0.0);
        s.def.collide_connected = told;
        scene_add(&s, scene_ball(0.5), 1.0, at(-0.6, 0, 0), 0.0, 0.0);
        scene_add(&s, scene_ball(0.5), 1.0, at(0.6, 0, 0), 0.0, 0.0);
        rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, 0, 1, (er_pose){er_q_exp(er_v3(-0.5 * ER_PI, 0, 0)), er_v3(0, 0, -1)});
        er_twist twist[2] = {{{0, 1, 0}, {1, 0, 0.6}}, {{0, -1, 0}, {-1, 0, 0.6}}};
        er_world *w = begin(twist);
        double closest = HUGE_VAL;
        for (int step = 1; step <= 60; ++step) {
            scene_advance(w, step / hz);
            closest = fmin(closest, er_v3_distance(er_world_pose(w)[0].p, er_world_pose(w)[1].p));
        }
        if (told)
            measure_at_most("overlap of what a joint ties", 1.0 - closest, 1e-3);
        else
            assert_true(closest < 0.9);
        scene_end(&s, w);
    }
}

static double pull; // N, downwards

static void pull_down(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    (void)user, (void)time, (void)pose, (void)twist;
    wrench[0].force.z -= pull;
}

// The speed up of a ball of 1 kg a step after it was a gap above a floor and came down.
static double after_a_step(double gap, double down, double e)
{
    scene_add(&s, scene_ball(0.5), 1.0, at(0, 0, 0.5 + gap), 0.0, e);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.0);
    er_twist twist = {{0, 0, 0}, {0, 0, -down}};
    er_world *w = begin(&twist);
    scene_advance(w, 1.0 / hz);
    double up = er_world_twist(w)->linear.z;
    scene_end(&s, w);
    return up;
}

// Only what comes faster than twice as much as a step of its weight, or of whatever draws it, gives it.
static void what_comes_slowly_stays(void **state)
{
    const double e = 0.8;
    for (int k = 0; k < 4; ++k) {
        double weight = k < 2 ? g : 5.0 * g, slow = weight / hz, faster = k % 2 ? 2.2 : 1.6; // falls g h / 8 faster yet
        clear(k < 2 ? g : 0.0);
        pull = k < 2 ? 0.0 : weight;
        s.def.apply = pull_down;
        double up = after_a_step(0.0, faster * slow, e);
        if (k % 2)
            assert_true(up > (e * faster - 1.1) * slow && up > 0.5 * slow);
        else
            measure_at_most("speed of what comes slowly, of a step's", fabs(up) / slow, 0.1);
    }
}

// Bodies that would touch a little after the step, or only between its thirds, go on until they touch.
static void what_does_not_come_so_far_goes_on(void **state)
{
    const double e = 0.5, v = 3.0;
    const double part[] = {0.25, 0.9999, 1.0001};
    for (int k = 0; k < 3; ++k) {
        clear(0.0);
        double up = after_a_step(part[k] * v / hz, v, e);
        measure_at_most("speed of what comes on, or has parted", fabs(up - (k < 2 ? e * v : -v)), 1e-12);
    }
}

// A ball that falls while it comes touches when and as fast as the parabola of the sub-steps says, which begins with
// half a sub-step's pull, and falls on after it.
static void a_blow_is_as_fast_as_the_fall_says(void **state)
{
    const double e = 0.5, v = 3.0, h = 1.0 / hz, t = 0.4 * h;
    clear(g);
    double half = 0.5 * h / s.def.contact.substeps, begin = v + g * half;
    double up = after_a_step(begin * t + 0.5 * g * t * t, v, e);
    measure_at_most("speed after a fall", fabs(up - e * (begin + g * t) + g * (h - t - half)), 1e-12);
}

// A ball that falls on another: momentum is conserved, and no step adds energy.
static void momentum_stays_and_energy_does_not_grow(void **state)
{
    dice d = {.state = 11};
    for (int trial = 0; trial < 20; ++trial) {
        clear(0.0);
        for (int i = 0; i < 12; ++i) {
            er_pose pose = {dice_quat(&d), er_v3(i % 3, i / 3 % 2, i / 6)};
            scene_add(&s, i % 2 ? scene_ball(0.4) : scene_brick(0.3, 0.25, 0.2), pow(25.0, dice_uniform(&d, 0.0, 1.0)),
                      pose, dice_uniform(&d, 0.0, 1.0), dice_uniform(&d, 0.0, 1.0));
        }
        er_twist twist[12];
        for (int i = 0; i < 12; ++i) // towards each other
            twist[i] = (er_twist){er_v3(dice_uniform(&d, -3, 3), dice_uniform(&d, -3, 3), 0),
                                  er_v3(4.0 * (1 - i % 3), 4.0 * (0.5 - i / 3 % 2), 4.0 * (0.5 - i / 6))};
        for (int i = 0; i < 12; ++i)
            twist[i].linear = er_q_rotate(er_q_conj(s.rig.body[i].pose.q), twist[i].linear);
        er_world *w = begin(twist);
        er_vec3 P0, P;
        double before = scene_energy(w), first = before;
        er_world_measure_momentum(w, &P0, NULL);
        for (int step = 1; step <= 60; ++step) {
            scene_advance(w, step / hz);
            double now = scene_energy(w);
            measure_at_most("energy that blows make", (now - before) / first, 1e-3);
            before = now;
        }
        er_world_measure_momentum(w, &P, NULL);
        measure_at_most("momentum that blows change", er_v3_distance(P, P0) / sqrt(first), 1e-12);
        scene_end(&s, w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cradle_hands_on),
        cmocka_unit_test(heavy_and_light_keep_what_they_have),
        cmocka_unit_test(a_brick_parts_flat),
        cmocka_unit_test(friction_goes_with_a_blow),
        cmocka_unit_test(a_rod_on_a_hinge_is_struck),
        cmocka_unit_test(momentum_stays_and_energy_does_not_grow),
        cmocka_unit_test(what_comes_slowly_stays),
        cmocka_unit_test(a_blow_is_as_fast_as_the_fall_says),
        cmocka_unit_test(what_does_not_come_so_far_goes_on),
        cmocka_unit_test(rules_combine),
        cmocka_unit_test(what_a_joint_ties_meets_when_told_to),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
