// The reference solver of contact: against pivoting on small scenes, and against closed forms.
#include <math.h>
#include <string.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static void clear(void)
{
    scene_clear(&s);
    s.def.route = ER_ROUTE_MULTIPLIERS;
}

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

// ---- Scenes

static void build_stack(void)
{
    for (int i = 0; i < 3; ++i)
        scene_add(&s, scene_brick(0.5, 0.4, 0.3), 1.0 + i, at(0.05 * i, 0.02 * i, 0.3 + 0.6 * i), 0.5, 0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
}

static void build_ragdoll(void)
{
    scene_ragdoll(&s, 0.02, er_q_exp(er_v3(0.1, 0.3, 0.2)), er_v3(0, 0, 0));
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
}

// A chain hung up at one end with a load of 1000 links at the other, which swings down to the floor.
static void build_load(void)
{
    scene_chain(&s, 5, 0.3, 1000.0);
    rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, 0, at(-0.25, 0, 0.3));
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
}

// A box on its edge between two slopes, which give it more to stand on than it has freedom.
static void build_wedge(void)
{
    scene_add(&s, scene_brick(0.4, 0.5, 0.4), 2.0, (er_pose){er_q_exp(er_v3(0, 0.25 * ER_PI, 0)), {0, 0, 0.565}}, 0.4,
              0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_exp(er_v3(0, 0.25 * ER_PI, 0)), 0.4);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_exp(er_v3(0, -0.25 * ER_PI, 0)), 0.4);
}

static const struct {
    const char *name;
    void (*build)(void);
    double omega, accuracy;
    int iterations;
} small[] = {
    {"stack", build_stack, 1.3, 1e-10, 20000},
    {"ragdoll", build_ragdoll, 1.0, 1e-9, 100000},
    {"load", build_load, 1.0, 1e-7, 200000},
    {"wedge", build_wedge, 1.0, 1e-10, 20000},
};

static void go_on_from(er_world *w, const er_world *from)
{
    void *bytes = malloc(er_world_state_size(from));
    er_world_save(from, bytes);
    if (er_world_restore(w, bytes) != ER_OK) fail_msg("%s", er_context_error(context));
    free(bytes);
}

// From the same state both solvers leave the same velocities.
static void sweeps_come_to_what_pivoting_finds(void **state)
{
    for (int k = 0; k < (int)(sizeof small / sizeof *small); ++k) {
        clear();
        small[k].build();
        s.def.reference.relaxation = small[k].omega;
        s.def.reference.iterations = small[k].iterations;
        s.def.reference.accuracy = small[k].accuracy;
        er_world *swept = scene_begin(&s);
        s.def.reference.solver = ER_REFERENCE_DIRECT;
        er_world *pivoted = scene_another(&s);
        int touched = 0;
        for (int step = 1; step <= 25; ++step) {
            go_on_from(pivoted, swept);
            scene_advance(pivoted, step / hz);
            scene_advance(swept, step / hz);
            touched = er_world_contact_count(swept) > touched ? er_world_contact_count(swept) : touched;
            er_reference_report a = er_world_reference_report(swept), b = er_world_reference_report(pivoted);
            // pivoting bears values of -1e-10 of the largest, where contacts say the same thing many times over
            assert_true(a.residual <= 1e-6 && b.residual <= 1e-10 && a.rows == b.rows && a.iterations > 0);
            for (int i = 0; i < s.rig.body_count; ++i) {
                const er_twist *p = &er_world_twist(swept)[i], *q = &er_world_twist(pivoted)[i];
                double apart = er_v3_distance(p->linear, q->linear) + er_v3_distance(p->angular, q->angular);
                measure_at_most(small[k].name, apart, 1e-6);
            }
        }
        assert_true(touched >= 3);
        er_world_destroy(pivoted);
        scene_end(&s, swept);
    }
}

// More sweeps leave less: by tens of them the residual falls, within three of its tens; few are enough where that is
// all that is asked for.
static void residuals_fall(void **state)
{
    clear();
    build_stack();
    s.def.reference.accuracy = 0.0;
    double last = HUGE_VAL;
    for (int sweeps = 10; sweeps <= 1280; sweeps *= 2) {
        s.def.reference.iterations = sweeps;
        er_world *w = scene_begin(&s);
        scene_advance(w, 1.0 / hz);
        er_reference_report report = er_world_reference_report(w);
        assert_int_equal(report.iterations, sweeps);
        assert_int_equal(report.rows, 36);
        measure_at_most("residual after twice the sweeps, over that before", report.residual / last, 0.9);
        measure_at_most("residual over the first", report.residual / report.first, 1.0);
        last = report.residual;
        scene_end(&s, w);
    }
    s.def.reference.iterations = 1000;
    s.def.reference.accuracy = 1e-3;
    er_world *w = scene_begin(&s);
    scene_advance(w, 1.0 / hz);
    assert_true(er_world_reference_report(w).iterations < 300 && er_world_reference_report(w).residual <= 1e-2);
    scene_end(&s, w);
}

// A residual that is asked for and not reached is an error.
static void too_few_sweeps_are_an_error(void **state)
{
    clear();
    build_stack();
    s.def.reference.iterations = 3;
    s.def.reference.accuracy = 1e-8;
    er_world *w = scene_begin(&s);
    assert_refusal(context, er_world_advance(w, 1.0 / hz, NULL), ER_ERROR_NO_CONVERGENCE, "reference.accuracy");
    scene_end(&s, w);
}

// A load of 1000 kg on an arm of 0.1 kg, and a limit on the arm's hinge: joints hold in one solve.
static void heavy_ends_hang_on_light_arms(void **state)
{
    for (int k = 0; k < 2; ++k) {
        clear();
        s.def.reference.solver = k == 0 ? ER_REFERENCE_PROJECTED : ER_REFERENCE_DIRECT;
        s.def.enforce_limits = true;
        scene_add(&s, scene_brick(0.5, 0.05, 0.05), 0.1, at(0.5, 0, 0), 0.5, 0.0);
        scene_add(&s, scene_brick(0.15, 0.15, 0.15), 1000.0, at(1.15, 0, 0), 0.5, 0.0);
        er_quat across = er_q_exp(er_v3(0.5 * ER_PI, 0, 0)); // z of the joint along -y
        rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, 0, (er_pose){across, {0, 0, 0}});
        s.rig.joint[0].limit[0][0] = -0.35;
        s.rig.joint[0].limit[0][1] = 0.35;
        rig_add_joint(&s.rig, ER_JOINT_FIXED, 0, 1, at(1, 0, 0));
        er_world *w = scene_begin(&s);
        scene_advance(w, 10.0);
        double q[1], rate[1];
        er_world_coordinates(w, q, rate);
        measure_at_most("angle of an arm at its limit", fabs(fabs(q[0]) - 0.35), 0.01);
        measure_at_most("gap of an arm at its limit", er_world_measure_gap(w), 1e-9);
        scene_end(&s, w);
    }
}

// A rope with a load of 1000 links keeps its length; a bar that turns about its end keeps its spin and its energy.
static void joints_hold_while_bodies_turn(void **state)
{
    clear();
    scene_chain(&s, 10, 0.3, 1000.0);
    rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, 0, at(-0.25, 0, 0.3));
    er_world *w = scene_begin(&s);
    for (int i = 1; i <= 60; ++i) {
        scene_advance(w, i / 6.0);
        measure_at_most("gap of a rope", er_world_measure_gap(w), 1e-9);
    }
    scene_end(&s, w);
    clear();
    s.def.gravity = er_v3(0, 0, 0);
    scene_add(&s, scene_brick(0.5, 0.05, 0.05), 3.0, at(0.5, 0, 0), 0.5, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, 0, at(0, 0, 0));
    w = scene_begin(&s);
    const er_twist twist = {{0, 0, 20}, {0, 0, 0}}; // the spin counts, not the velocity
    assert_int_equal(er_world_set_state(w, 0.0, NULL, &twist), ER_OK);
    double first = er_world_measure_energy(w).kinetic;
    measure_at_most("spin that was set", fabs(er_world_twist(w)->angular.z / 20.0 - 1.0), 1e-12);
    scene_advance(w, 10.0);
    measure_at_most("spin of a propeller", fabs(er_world_twist(w)->angular.z / 20.0 - 1.0), 1e-9);
    measure_at_most("energy of a propeller", fabs(er_world_measure_energy(w).kinetic / first - 1.0), 1e-9);
    scene_end(&s, w);
}

// ---- Closed forms

static void a_ball_rolls(void **state)
{
    const double slope = 0.3, t = 2.0;
    er_quat tilt = er_q_exp(er_v3(0, slope, 0));
    for (int cone = 0; cone < 2; ++cone) {
        clear();
        s.def.reference.cone = cone;
        scene_add(&s, scene_ball(0.5), 2.0, (er_pose){er_q_identity(), er_q_rotate(tilt, er_v3(0, 0, 0.5))}, 1.0, 0.0);
        scene_add_plane(&s, er_v3(0, 0, 0), tilt, 1.0);
        er_world *w = scene_begin(&s);
        scene_advance(w, t);
        double v = er_v3_norm(er_world_twist(w)->linear), want = 5.0 / 7.0 * g * sin(slope) * t;
        measure_at_most("speed of a ball that rolls", fabs(v / want - 1.0), 1e-9);
        scene_end(&s, w);
    }
}

// Within the cone friction slows a puck by mu g whichever way it slides; within the pyramid by as much along a tangent,
// and by sqrt 2 of it half way between both, as each tangent has its own bound.
static void friction_keeps_its_bound(void **state)
{
    const double mu = 0.3, v = 3.0, t = 0.25;
    er_vec3 down = er_v3(0, 0, -1), a = er_v3_perpendicular(down), b = er_v3_cross(down, a); // from ball to plane
    for (int k = 0; k < 8; ++k) {
        double turn = 0.25 * ER_PI * (k % 4), share = k < 4 && k % 2 ? sqrt(2.0) : 1.0;
        er_vec3 way = er_v3_madd(er_v3_scale(cos(turn), a), sin(turn), b);
        clear();
        s.def.reference.cone = k >= 4;
        s.def.reference.iterations = 200;
        scene_add(&s, scene_ball(0.05), 1.0, at(0, 0, 0.05), mu, 0.0);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), mu);
        s.rig.body[0].inertia = (er_mat3){{{1e6, 0, 0}, {0, 1e6, 0}, {0, 0, 1e6}}}; // it slides and does not turn
        er_world *w = scene_begin(&s);
        er_twist twist = {{0, 0, 0}, er_v3_scale(v, way)};
        if (er_world_set_state(w, 0.0, NULL, &twist) != ER_OK) fail_msg("%s", er_context_error(context));
        for (int step = 1; step <= 15; ++step) {
            scene_advance(w, step / hz);
            er_contact c = er_world_contact(w, 0);
            double weight = er_v3_dot(c.impulse, down), most = mu * weight * (1.0 + 1e-9);
            assert_true(fabs(er_v3_dot(c.impulse, a)) <= most && fabs(er_v3_dot(c.impulse, b)) <= most);
            if (k >= 4) assert_true(hypot(er_v3_dot(c.impulse, a), er_v3_dot(c.impulse, b)) <= most);
            measure_at_most("weight that a puck's impulse lacks", fabs(weight * hz / g - 1.0), 1e-9);
        }
        er_vec3 left = er_world_twist(w)->linear;
        measure_at_most("speed of a puck", fabs(er_v3_dot(left, way) - (v - share * mu * g * t)), 1e-5);
        measure_at_most("speed aside of a puck", er_v3_norm(er_v3_cross(left, way)), 1e-5);
        scene_end(&s, w);
    }
}

// A ball that falls from 1 m rises to e^2, e^4 and e^6 m.
static void a_ball_rebounds(void **state)
{
    for (int k = 0; k < 6; ++k) {
        double e = 0.5 * (k % 3), apex = 1.0, before = 1.0, last = 1.0;
        clear();
        s.def.reference.solver = k < 3 ? ER_REFERENCE_PROJECTED : ER_REFERENCE_DIRECT;
        scene_add(&s, scene_ball(0.5), 2.0, at(0, 0, 1.5), 0.0, e);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.0);
        er_world *w = scene_begin(&s);
        for (int step = 1, bounces = 0; e > 0.0 && bounces < 3 && step < 600; ++step) {
            scene_advance(w, step / hz);
            double height = er_world_pose(w)->p.z - 0.5;
            if (last > before && last >= height) {
                apex *= e * e;
                ++bounces;
                measure_at_most("height after a rebound", fabs(last / apex - 1.0), 0.02);
            }
            before = last, last = height;
        }
        if (e > 0.0) assert_true(apex <= pow(e, 6) * (1.0 + 1e-9));
        if (e == 0.0) scene_advance(w, 2.0);
        if (e == 0.0) measure_at_most("speed that is left without", fabs(er_world_twist(w)->linear.z), 1e-12);
        scene_end(&s, w);
    }
}

// A brick on an incline holds or slides at arctan(mu) to a tenth of a degree, and slides at g (sin - mu cos): a tangent
// points downhill, so the pyramid's bound is the cone's.
static void a_brick_holds_or_slides(void **state)
{
    const double mu = 0.5, tenth = 0.1 * ER_PI / 180.0, t = 1.0;
    for (int k = 0; k < 6; ++k) {
        double slope = k % 3 == 0 ? atan(mu) - tenth : k % 3 == 1 ? atan(mu) + tenth : atan(mu) + 0.2;
        er_quat tilt = er_q_exp(er_v3(0, slope, 0));
        er_vec3 down = er_q_rotate(tilt, er_v3(0, 0, -1)); // from brick to plane
        clear();
        s.def.reference.solver = k < 3 ? ER_REFERENCE_PROJECTED : ER_REFERENCE_DIRECT;
        s.def.reference.iterations = 2000;
        er_vec3 way = er_v3_perpendicular(down); // turned about the normal so that a tangent points down the slope
        if (fabs(er_v3_dot(way, er_q_rotate(tilt, er_v3(1, 0, 0)))) < 0.999) way = er_v3_cross(down, way);
        measure_at_most("lean of the tangents", 1.0 - fabs(er_v3_dot(way, er_q_rotate(tilt, er_v3(1, 0, 0)))), 1e-12);
        scene_add(&s, scene_brick(0.5, 0.4, 0.3), 2.0, (er_pose){tilt, er_q_rotate(tilt, er_v3(0, 0, 0.3))}, mu, 0.0);
        scene_add_plane(&s, er_v3(0, 0, 0), tilt, mu);
        er_world *w = scene_begin(&s);
        scene_advance(w, t);
        double v = er_v3_norm(er_world_twist(w)->linear), want = g * (sin(slope) - mu * cos(slope)) * t;
        measure_at_most("speed of a brick on an incline", fabs(v - fmax(want, 0.0)), 1e-9);
        scene_end(&s, w);
    }
}

// Five balls in a row, the first of which comes at 1 m/s: Newton's law for all pairs at one time is that the pair which
// met parts at e, and the others, which touch, stay together.
static void a_cradle_parts_by_newtons_law(void **state)
{
    const double e = 0.8;
    for (int k = 0; k < 2; ++k) {
        clear();
        s.def.gravity = er_v3(0, 0, 0);
        s.def.reference.solver = k == 0 ? ER_REFERENCE_PROJECTED : ER_REFERENCE_DIRECT;
        s.def.reference.accuracy = 1e-10;
        for (int i = 0; i < 5; ++i)
            scene_add(&s, scene_ball(0.5), 1.0, at(i, 0, 0), 0.0, e);
        er_world *w = scene_begin(&s);
        er_twist twist[5] = {{{0, 0, 0}, {1, 0, 0}}};
        if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
        scene_advance(w, 1.0 / hz);
        for (int i = 0; i < 5; ++i)
            measure_at_most("speed in a cradle",
                            fabs(er_world_twist(w)[i].linear.x - (i == 0 ? 0.2 - 0.8 * e : 0.2 + 0.2 * e)), 1e-9);
        scene_end(&s, w);
    }
}

// A step removes the share erp of an overlap. With cfm a resting ball overlaps by cfm g h^2 / erp.
static void overlaps_go_as_told(void **state)
{
    const double erp = 0.3, cfm = 0.01, deep = 0.01;
    for (int k = 0; k < 2; ++k) {
        clear();
        s.def.reference.erp = erp;
        s.def.reference.solver = k == 0 ? ER_REFERENCE_PROJECTED : ER_REFERENCE_DIRECT;
        scene_add(&s, scene_ball(0.5), 2.0, at(0, 0, 0.5 - deep), 0.0, 0.0);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.0);
        er_world *w = scene_begin(&s);
        scene_advance(w, 1.0 / hz);
        measure_at_most("overlap after a step", fabs(0.5 - er_world_pose(w)->p.z - (1.0 - erp) * deep), 1e-12);
        scene_end(&s, w);
        s.def.reference.cfm = cfm;
        w = scene_begin(&s);
        scene_advance(w, 10.0);
        measure_at_most("overlap at rest", fabs(0.5 - er_world_pose(w)->p.z - cfm * g / (hz * hz * erp)), 1e-12);
        scene_end(&s, w);
    }
}

// Joints that are apart are drawn together by erp, and stay as they are without it.
static void joints_are_drawn_together(void **state)
{
    for (int k = 0; k < 2; ++k) {
        clear();
        s.def.reference.erp = k == 0 ? 0.2 : 0.0;
        build_ragdoll();
        er_world *w = scene_begin(&s);
        er_world_report report;
        if (er_world_advance(w, 3.0, &report) != ER_OK) fail_msg("%s", er_context_error(context));
        assert_int_equal(report.corrections, 0);
        measure_at_most("gap of a ragdoll", report.gap, 1e-9);
        scene_end(&s, w);
    }
}

// A joint under load gives way by cfm g h^2 / erp, with its own erp and cfm or else the world's.
static void joints_give_way_each_as_told(void **state)
{
    const double erp[] = {0.1, 0.6}, cfm[] = {0.01, 0.3};
    for (int k = 0; k < 4; ++k) {
        clear();
        s.def.reference.solver = k & 1 ? ER_REFERENCE_DIRECT : ER_REFERENCE_PROJECTED;
        s.def.reference.erp = 0.4;
        s.def.reference.cfm = 0.02;
        s.def.reference.joint_erp = k < 2 ? erp : NULL;
        s.def.reference.joint_cfm = k < 2 ? cfm : NULL;
        for (int i = 0; i < 2; ++i) {
            scene_add(&s, scene_ball(0.5), 2.0 + i, at(3.0 * i, 0, 0), 0.0, 0.0);
            rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, i, at(3.0 * i, 0, 0));
        }
        er_world *w = scene_begin(&s);
        scene_advance(w, 10.0);
        for (int i = 0; i < 2; ++i) {
            double sag = (k < 2 ? cfm[i] / erp[i] : 0.05) * g / (hz * hz);
            measure_at_most("sag of a joint", fabs(-er_world_pose(w)[i].p.z - sag), 1e-12);
        }
        scene_end(&s, w);
    }
}

static void steps_repeat_to_the_bit(void **state)
{
    clear();
    build_ragdoll();
    er_world *a = scene_begin(&s), *b = scene_another(&s);
    scene_advance(a, 1.0);
    assert_true(er_world_contact_count(a) > 2);
    void *bytes = malloc(er_world_state_size(a));
    er_world_save(a, bytes);
    scene_advance(a, 2.0);
    assert_int_equal(er_world_restore(b, bytes), ER_OK);
    scene_advance(b, 2.0);
    assert_true(er_world_hash(a) == er_world_hash(b));
    free(bytes);
    er_world_destroy(b);
    scene_end(&s, a);
}

// Balls that meet askew in free space, spinning: what they lose is heat, to rounding, by each solver; by either cone.
static void what_a_blow_takes_is_heat(void **state)
{
    for (int k = 0; k < 4; ++k) {
        clear();
        s.def.gravity = er_v3(0, 0, 0);
        s.def.reference.solver = k < 2 ? ER_REFERENCE_PROJECTED : ER_REFERENCE_DIRECT;
        s.def.reference.cone = k == 1;
        for (int i = 0; i < 3; ++i)
            scene_add(&s, scene_ball(0.5), 1.0 + i, at(1.1 * i, 0.2 * i * i, 0.1 * i), 0.5, k == 3 ? 0.0 : 0.4);
        er_world *w = scene_begin(&s);
        const er_twist twist[3] = {{{0, 3, 1}, {4, 0.5, 0}}, {{1, 0, 2}, {0, 0, 0}}, {{0, 0, -3}, {-4, -1, 0.2}}};
        assert_int_equal(er_world_set_state(w, 0.0, NULL, twist), ER_OK);
        double first = scene_energy(w);
        scene_advance(w, 0.5);
        er_world_energy e = er_world_measure_energy(w);
        assert_true(e.heat > 0.05 * first);
        measure_at_most("energy of a blow, off", fabs(e.mechanical + e.heat - first) / first, 1e-12);
        scene_end(&s, w);
    }
}

// Pivoting takes 600 rows at most: 51 bricks have four contacts of three each.
static void what_has_too_many_rows_is_refused(void **state)
{
    clear();
    s.def.reference.solver = ER_REFERENCE_DIRECT;
    for (int i = 0; i < 51; ++i)
        scene_add(&s, scene_brick(0.4, 0.4, 0.4), 1.0, at(i, 0, 0.4), 0.5, 0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    er_world *w = scene_begin(&s);
    assert_int_equal(er_world_advance(w, 1.0 / hz, NULL), ER_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(er_context_error(context), "have 612 rows"));
    scene_end(&s, w);
}

// Nothing of what was is kept where a state is set: neither impulses of contacts nor of any joint.
static void a_state_that_is_set_goes_as_in_a_new_world(void **state)
{
    clear();
    s.def.reference.iterations = 5; // few, so that what they begin with counts
    s.def.reference.accuracy = 0.0;
    build_ragdoll();
    er_world *used = scene_begin(&s), *fresh = scene_another(&s);
    er_pose pose[RIG_MAX];
    er_twist twist[RIG_MAX];
    memcpy(pose, er_world_pose(used), (size_t)s.rig.body_count * sizeof *pose);
    memcpy(twist, er_world_twist(used), (size_t)s.rig.body_count * sizeof *twist);
    scene_advance(used, 1.0);
    assert_int_equal(er_world_set_state(used, 0.0, pose, twist), ER_OK);
    assert_int_equal(er_world_set_state(fresh, 0.0, pose, twist), ER_OK);
    scene_advance(used, 0.5);
    scene_advance(fresh, 0.5);
    assert_memory_equal(er_world_pose(used), er_world_pose(fresh), (size_t)s.rig.body_count * sizeof *pose);
    assert_memory_equal(er_world_twist(used), er_world_twist(fresh), (size_t)s.rig.body_count * sizeof *twist);
    er_world_destroy(fresh);
    scene_end(&s, used);
}

// Each option by itself is refused by name.
static void wrong_options_are_refused(void **state)
{
    clear();
    build_ragdoll();
    er_world *w = scene_begin(&s);
    const er_reference_def good = s.def.reference;
    static const char *const name[] = {"solver", "iterations", "accuracy",  "relaxation", "erp",
                                       "cfm",    "cone",       "joint_erp", "joint_cfm"};
    const double bad = -1.0;
    for (int k = 0; k < 9; ++k) {
        er_reference_def *c = &s.def.reference;
        er_world *none = NULL;
        *c = good;
        if (k == 0) c->solver = (er_reference_solver)2;
        if (k == 1) c->iterations = 0;
        if (k == 2) c->accuracy = NAN;
        if (k == 3) c->relaxation = 2.0;
        if (k == 4) c->erp = 1.5;
        if (k == 5) c->cfm = -1.0;
        if (k == 6) c->cone = true, c->solver = ER_REFERENCE_DIRECT;
        if (k == 7) c->joint_erp = &bad;
        if (k == 8) c->joint_cfm = &bad;
        assert_refusal(context, er_world_create(context, &s.def, &none), ER_ERROR_ARGUMENT, name[k]);
    }
    scene_end(&s, w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_come_to_what_pivoting_finds),
        cmocka_unit_test(residuals_fall),
        cmocka_unit_test(too_few_sweeps_are_an_error),
        cmocka_unit_test(heavy_ends_hang_on_light_arms),
        cmocka_unit_test(joints_hold_while_bodies_turn),
        cmocka_unit_test(a_ball_rolls),
        cmocka_unit_test(friction_keeps_its_bound),
        cmocka_unit_test(a_ball_rebounds),
        cmocka_unit_test(a_brick_holds_or_slides),
        cmocka_unit_test(a_cradle_parts_by_newtons_law),
        cmocka_unit_test(overlaps_go_as_told),
        cmocka_unit_test(joints_are_drawn_together),
        cmocka_unit_test(joints_give_way_each_as_told),
        cmocka_unit_test(steps_repeat_to_the_bit),
        cmocka_unit_test(a_state_that_is_set_goes_as_in_a_new_world),
        cmocka_unit_test(what_a_blow_takes_is_heat),
        cmocka_unit_test(what_has_too_many_rows_is_refused),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
