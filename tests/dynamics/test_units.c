// Worlds in other units of length and mass: the same motion in the same steps. Powers of two, so that nothing is
// rounded in another way; what a world measures errors, thresholds and slack by must go with its units.
#include <math.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

typedef struct units {
    double length, mass;
} units;

static const units every_unit[] = {{1.0, 1.0}, {1024.0, 1.0}, {1.0 / 1024.0, 1.0}, {1.0, 256.0}, {64.0, 1.0 / 16.0}};

static double moment(units a)
{
    return a.mass * a.length * a.length;
}

// A body whose frame is off its centre of mass, about which it is no ball.
static int add_body(units a, double x, double y, double z)
{
    er_vec3 com = er_v3_scale(a.length, er_v3(x, y, z)), off = er_v3_scale(a.length, er_v3(0.05, -0.03, 0.04));
    er_vec3 principal = er_v3_scale(moment(a), er_v3(0.02, 0.03, 0.04));
    er_pose pose = {er_q_exp(er_v3(0.3 * x, 0.2, 0.1 * z)), er_v3_add(com, off)};
    return rig_add_body(&s.rig, a.mass, principal, pose.q, com, pose);
}

static er_joint *tie(units a, er_joint_type type, int parent, int child, double x, double y, double z)
{
    er_pose frame = {er_q_exp(er_v3(0.4, -0.5, 0.2)), er_v3_scale(a.length, er_v3(x, y, z))};
    er_joint *j = rig_add_joint(&s.rig, type, parent, child, frame);
    int axis[6], count = er_joint_type_freedom(type, axis);
    for (int c = 0; c < count; ++c) {
        double unit = axis[c] < 3 ? moment(a) : a.mass;
        j->stiffness[c] = 3.0 * unit;
        j->damping[c] = 0.05 * unit;
    }
    return j;
}

// Hung up by turns, by ways, or by both; and what floats.
static void build(int kind, units a)
{
    scene_clear(&s);
    add_body(a, 0.1, 0.2, -0.1);
    if (kind == 0) return;
    static const er_joint_type first[] = {ER_JOINT_REVOLUTE, ER_JOINT_PRISMATIC, ER_JOINT_FREE, ER_JOINT_CYLINDRICAL};
    tie(a, first[kind - 1], -1, 0, 0.0, 0.1, 0.0);
    add_body(a, 0.4, 0.2, -0.1);
    tie(a, kind == 1 ? ER_JOINT_PLANAR : ER_JOINT_SPHERICAL, 0, 1, 0.3, 0.1, 0.0);
}

// A world with small motion: errors are then measured by units, not by the values reached.
static er_world_report moved(int kind, units a, er_integrator by, er_dynamics_route route, er_pose *pose)
{
    build(kind, a);
    s.def.gravity = er_v3_scale(a.length, er_v3(0.03, 0.02, -0.05));
    s.def.integrator = by;
    s.def.route = route;
    s.def.tolerance = 1e-8;
    er_world *w = scene_begin(&s);
    er_twist twist[2] = {{{0.01, -0.02, 0.03}, {0.02, 0.03, -0.01}}, {{0.02, 0.01, -0.02}, {0, 0, 0}}};
    for (int b = 0; b < 2; ++b)
        twist[b].linear = er_v3_scale(a.length, twist[b].linear);
    er_world_report report;
    assert_int_equal(er_world_set_state(w, 0.0, NULL, kind == 0 ? twist : NULL), ER_OK);
    if (er_world_advance(w, 1.5, &report) != ER_OK) fail_msg("%s", er_context_error(context));
    for (int b = 0; b < s.rig.body_count; ++b) {
        pose[b] = er_world_pose(w)[b];
        pose[b].p = er_v3_scale(1.0 / a.length, pose[b].p);
    }
    scene_end(&s, w);
    return report;
}

static void steps_are_as_many_in_any_units(void **state)
{
    static const er_integrator adaptive[] = {ER_INTEGRATE_FEHLBERG, ER_INTEGRATE_IMPLICIT};
    for (int k = 0; k < 5 * 2 * 2; ++k) {
        er_integrator by = adaptive[k % 2];
        er_dynamics_route route = k / 2 % 2 == 0 ? ER_ROUTE_REDUCED : ER_ROUTE_MULTIPLIERS;
        er_pose want[2], pose[2];
        er_world_report first = moved(k / 4, every_unit[0], by, route, want);
        for (size_t i = 1; i < sizeof every_unit / sizeof *every_unit; ++i) {
            er_world_report now = moved(k / 4, every_unit[i], by, route, pose);
            if (now.steps != first.steps || now.evaluations != first.evaluations || now.rejected != first.rejected)
                fail_msg("rig %d by %d, route %d, lengths times %g and masses %g: %ld steps of %ld", k / 4, by, route,
                         every_unit[i].length, every_unit[i].mass, now.steps, first.steps);
            for (int b = 0; b < s.rig.body_count; ++b)
                measure_at_most("way in other units, off", er_v3_distance(pose[b].p, want[b].p), 1e-12);
        }
    }
}

// Bricks, balls that rebound, a grain that comes fast, and two pills on a hinge, on the ground.
static void build_heap(units a, er_dynamics_route route)
{
    const double l = a.length;
    scene_clear(&s);
    s.def.gravity = er_v3(0, 0, -g * l);
    s.def.route = route;
    s.def.contact.push_out *= l;
    s.def.contact.sleep_speed *= l;
    s.def.contact.sleep_time = route == ER_ROUTE_REDUCED ? 0.3 : 0.0;
    for (int i = 0; i < 6; ++i) {
        er_pose pose = {er_q_exp(er_v3(0.1 * i, 0.3, -0.2 * i)),
                        er_v3_scale(l, er_v3(0.2 * i, 0.1 * (i % 2), 0.3 + 0.25 * i))};
        er_shape solid = i % 2 == 0 ? scene_brick(0.2 * l, 0.15 * l, 0.1 * l) : scene_ball(0.15 * l);
        scene_add(&s, solid, (1.0 + i) * a.mass, pose, 0.4, i < 3 ? 0.0 : 0.5);
    }
    for (int i = 0; i < 2; ++i) {
        er_pose pose = {er_q_exp(er_v3(0, 0.5 * ER_PI, 0)), er_v3_scale(l, er_v3(-0.6 + 0.6 * i, 1.0, 0.4))};
        scene_add(&s, scene_pill(0.1 * l, 0.4 * l), a.mass, pose, 0.5, 0.0);
        s.shape[s.shape_count - 1].groups = s.shape[s.shape_count - 1].ignores = 1;
    }
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, 6, 7,
                  (er_pose){er_q_exp(er_v3(0.3, 0, 0)), er_v3_scale(l, er_v3(-0.3, 1.0, 0.4))});
    scene_add(&s, scene_ball(0.02 * l), a.mass / 8.0, (er_pose){er_q_identity(), er_v3_scale(l, er_v3(-3.0, 0, 0.2))},
              0.3, 0.3);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_exp(er_v3(0.05, 0, 0)), 0.6);
}

static void heaps_go_alike_in_any_units(void **state)
{
    for (int route = 0; route < 2; ++route) {
        static er_pose want[9];
        int contacts = 0;
        for (size_t i = 0; i < sizeof every_unit / sizeof *every_unit; ++i) {
            units a = every_unit[i];
            build_heap(a, (er_dynamics_route)route);
            er_world *w = scene_begin(&s);
            er_twist twist[9] = {{{0, 0, 0}, {0, 0, 0}}};
            twist[8].linear.x = 40.0 * a.length;
            assert_int_equal(er_world_set_state(w, 0.0, NULL, twist), ER_OK);
            scene_advance(w, 1.0);
            if (i == 0) contacts = er_world_contact_count(w);
            assert_int_equal(er_world_contact_count(w), contacts);
            for (int b = 0; b < 9; ++b) {
                er_pose pose = er_world_pose(w)[b];
                pose.p = er_v3_scale(1.0 / a.length, pose.p);
                if (i == 0) want[b] = pose;
                if (!(er_v3_distance(pose.p, want[b].p) < 1e-9))
                    fail_msg("body %d by route %d, lengths times %g and masses %g: %g off", b, route, a.length, a.mass,
                             er_v3_distance(pose.p, want[b].p));
            }
            scene_end(&s, w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_as_many_in_any_units),
                                       cmocka_unit_test(heaps_go_alike_in_any_units)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
