// Lasting contact, judged by closed forms: what rolls, holds, slides, rebounds, spins and piles up, and trees whose
// joints hold while they fall.
#include <eigenrig/dynamics.h>

#include <math.h>
#include <string.h>

#include "support/context.h"
#include "support/judge.h"

static const double g = 9.81, hz = 60.0;
static rig r;
static er_world_shape shape[32];
static int shape_count;

static double frequency; // Hz, of contacts

static er_world *make(const er_model *m, double h)
{
    er_world_def def = er_default_world_def();
    er_world *w = NULL;
    def.model = m;
    def.contact.frequency = frequency;
    def.gravity = er_v3(0, 0, -g);
    def.shape_count = shape_count;
    def.shape = shape;
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = h;
    if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void advance(er_world *w, double until)
{
    if (er_world_advance(w, until, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
}

static void clear(void)
{
    memset(&r, 0, sizeof r);
    memset(shape, 0, sizeof shape);
    shape_count = 0;
    frequency = 30.0;
}

// A body of one shape.
static int add(er_shape solid, double mass, er_pose pose, double friction, double restitution)
{
    double weight;
    er_vec3 centre;
    er_mat3 J;
    if (er_shape_mass(context, &solid, 1.0, &weight, &centre, &J) != ER_OK) fail_msg("%s", er_context_error(context));
    double share = mass / weight;
    er_vec3 moments = er_v3(share * J.m[0][0], share * J.m[1][1], share * J.m[2][2]);
    int body = rig_add_body(&r, mass, moments, pose.q, pose.p, pose);
    shape[shape_count++] = (er_world_shape){.tag = ER_DEF_TAG,
                                            .shape = solid,
                                            .body = body,
                                            .pose = er_pose_identity(),
                                            .friction = friction,
                                            .restitution = restitution};
    return body;
}

static void add_plane(er_quat tilt, double friction)
{
    shape[shape_count++] = (er_world_shape){.tag = ER_DEF_TAG,
                                            .shape = {.kind = ER_SHAPE_PLANE},
                                            .body = -1,
                                            .pose = {tilt, {0, 0, 0}},
                                            .friction = friction,
                                            .restitution = 1.0};
}

static er_shape ball(double radius)
{
    return (er_shape){.kind = ER_SHAPE_SPHERE, .radius = radius};
}

static er_shape brick(double x, double y, double z)
{
    return (er_shape){.kind = ER_SHAPE_BOX, .half = {x, y, z}};
}

static er_shape pill(double radius, double length)
{
    return (er_shape){.kind = ER_SHAPE_CAPSULE, .radius = radius, .length = length};
}

static double mechanical(er_world *w)
{
    return er_world_measure_energy(w).mechanical;
}

// A ball on an incline rolls at 5/7 g sin; friction takes nothing.
static void a_ball_rolls(void **state)
{
    const double slope = 0.3, t = 2.0;
    er_quat tilt = er_q_exp(er_v3(0, slope, 0));
    clear();
    add(ball(0.5), 2.0, (er_pose){er_q_identity(), er_q_rotate(tilt, er_v3(0, 0, 0.5))}, 1.0, 0.0);
    add_plane(tilt, 1.0);
    er_model *m = rig_model(context, &r);
    er_world *w = make(m, 1.0 / hz);
    double start = mechanical(w);
    er_world_report report;
    if (er_world_advance(w, t, &report) != ER_OK) fail_msg("%s", er_context_error(context));
    assert_int_equal(report.steps, (int)(t * hz));
    double v = er_v3_norm(er_world_twist(w)->linear), want = 5.0 / 7.0 * g * sin(slope) * t;
    measure_at_most("speed of a ball that rolls", fabs(v / want - 1.0), 1e-3);
    // steps of first order: the way is by the speed at their ends
    measure_at_most("energy of a ball that rolls", fabs(mechanical(w) - start), 5e-3 * want * want);
    measure_at_most("heat of a ball that rolls", fabs(er_world_measure_energy(w).heat), 1e-4 * want * want);
    er_world_destroy(w);
    er_model_destroy(m);
}

// A brick on an incline holds or slides at arctan(mu), to a tenth of a degree, and slides at g (sin - mu cos).
static void a_brick_holds_or_slides(void **state)
{
    const double mu = 0.5, tenth = 0.1 * ER_PI / 180.0, t = 2.0;
    for (int k = 0; k < 3; ++k) {
        double slope = k == 0 ? atan(mu) - tenth : k == 1 ? atan(mu) + tenth : atan(mu) + 0.2;
        er_quat tilt = er_q_exp(er_v3(0, slope, 0));
        clear();
        add(brick(0.5, 0.4, 0.3), 2.0, (er_pose){tilt, er_q_rotate(tilt, er_v3(0, 0, 0.3))}, mu, 0.0);
        add_plane(tilt, mu);
        er_model *m = rig_model(context, &r);
        er_world *w = make(m, 1.0 / hz);
        advance(w, t);
        double v = er_v3_norm(er_world_twist(w)->linear), want = g * (sin(slope) - mu * cos(slope)) * t;
        if (k == 0)
            measure_at_most("speed of a brick that holds", v, 1e-6);
        else // it sets down on the first contact points before friction has its full weight: some mm/s
            measure_at_most("speed of a brick that slides", fabs(v - want), 0.01);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// A puck that slides any way stops after v^2 / (2 mu g), straight ahead: friction is a cone.
static void a_puck_stops_where_energy_says(void **state)
{
    const double mu = 0.3, v = 3.0;
    for (int k = 0; k < 5; ++k) {
        double turn = 0.2 * ER_PI * k, way = v * v / (2.0 * mu * g);
        clear();
        add(brick(0.3, 0.3, 0.05), 1.0, (er_pose){er_q_identity(), er_v3(0, 0, 0.05)}, mu, 0.0);
        add_plane(er_q_identity(), mu);
        er_model *m = rig_model(context, &r);
        er_world *w = make(m, 1.0 / 240.0);
        er_twist twist = {{0, 0, 0}, {v * cos(turn), v * sin(turn), 0}};
        if (er_world_set_state(w, 0.0, NULL, &twist) != ER_OK) fail_msg("%s", er_context_error(context));
        double start = mechanical(w);
        advance(w, 2.0 * v / (mu * g));
        er_vec3 p = er_world_pose(w)->p;
        measure_at_most("way of a puck", fabs((p.x * cos(turn) + p.y * sin(turn)) / way - 1.0), 0.01);
        measure_at_most("way aside of a puck", fabs(p.y * cos(turn) - p.x * sin(turn)) / way, 1e-3);
        er_world_energy e = er_world_measure_energy(w);
        measure_at_most("energy of a puck that is not heat", fabs(e.mechanical + e.heat - start) / (v * v), 0.01);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// A ball that falls h comes up e^2 h, whatever the step.
static void a_ball_rebounds(void **state)
{
    const double h = 1.0, fall = sqrt(2.0 * h / g);
    for (int k = 0; k < 6; ++k) {
        double e = 0.5 * (k % 3), rate = k < 3 ? 60.0 : 960.0, top = 0.0;
        clear();
        add(ball(0.5), 2.0, (er_pose){er_q_identity(), er_v3(0, 0, h + 0.5)}, 0.0, e);
        add_plane(er_q_identity(), 0.0);
        er_model *m = rig_model(context, &r);
        er_world *w = make(m, 1.0 / rate);
        for (double t = fall + 2.0 / rate; t < (1.0 + 2.0 * e) * fall + 0.1; t += 1.0 / rate) {
            advance(w, t);
            top = fmax(top, er_world_pose(w)->p.z - 0.5);
        }
        measure_at_most("height that a rebound lacks", e * e * h - top, 1e-3);
        measure_at_most("height that a rebound has above e^2", top - e * e * h, 1e-3);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// A resting ball, whose frequency is twice the set one, overlaps by load / 2 omega^2. A brick on four corners is solved
// to convergence, so it rests without overlap.
static void what_rests_overlaps_by_its_load(void **state)
{
    for (int k = 0; k < 4; ++k) {
        bool is_ball = k % 2 == 0;
        double half = is_ball ? 0.5 : 0.1;
        clear();
        frequency = k < 2 ? 10.0 : 30.0;
        double omega = 2.0 * ER_PI * frequency * 2.0;
        add(is_ball ? ball(half) : brick(0.4, 0.3, half), 2.0, (er_pose){er_q_identity(), er_v3(0, 0, half)}, 0.5, 0.0);
        add_plane(er_q_identity(), 0.5);
        er_model *m = rig_model(context, &r);
        er_world *w = make(m, 1.0 / hz);
        advance(w, 10.0);
        double overlap = half - er_world_pose(w)->p.z, want = g / (2.0 * omega * omega);
        if (is_ball)
            measure_at_most("overlap of a resting ball", fabs(overlap / want - 1.0), 1e-6);
        else
            measure_at_most("overlap of a resting brick, m", fabs(overlap), 1e-8);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// Ten bricks on each other stand still for a minute.
static void a_stack_stands(void **state)
{
    clear();
    for (int i = 0; i < 10; ++i)
        add(brick(0.5, 0.5, 0.5), 1.0, (er_pose){er_q_identity(), er_v3(0, 0, 0.5 + i)}, 0.5, 0.0);
    add_plane(er_q_identity(), 0.5);
    er_model *m = rig_model(context, &r);
    er_world *w = make(m, 1.0 / hz);
    advance(w, 60.0);
    for (int i = 0; i < 10; ++i) {
        er_vec3 p = er_world_pose(w)[i].p;
        measure_at_most("way aside of a brick in a stack", hypot(p.x, p.y), 0.03); // as it sets down, corner by corner
        measure_at_most("sinking of a brick in a stack", fabs(p.z - 0.5 - i), 0.02);
        measure_at_most("speed in a stack", er_v3_norm(er_world_twist(w)[i].linear), 1e-4);
    }
    er_world_destroy(w);
    er_model_destroy(m);
}

// Links of a chain that falls on a plane and comes to rest there: joints hold to rounding, energy never grows.
static int chain_of_pills(double height)
{
    er_quat lie = er_q_exp(er_v3(0, 0.5 * ER_PI, 0));
    clear();
    for (int i = 0; i < 8; ++i) {
        double x = 0.5 * i, z = height + 0.1 * i;
        int body = add(pill(0.1, 0.3), 1.0 + i % 3, (er_pose){lie, er_v3(x, 0, z)}, 0.5, 0.0);
        shape[shape_count - 1].groups = shape[shape_count - 1].ignores = 1;
        if (i > 0)
            rig_add_joint(&r, i % 2 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, body - 1, body,
                          (er_pose){er_q_exp(er_v3(1, 0, 0)), er_v3(x - 0.25, 0, z - 0.05)});
    }
    add_plane(er_q_identity(), 0.5);
    return r.body_count;
}

static void joints_hold_while_a_chain_falls(void **state)
{
    int bodies = chain_of_pills(1.0);
    er_model *m = rig_model(context, &r);
    er_world *w = make(m, 1.0 / hz);
    double most = mechanical(w);
    for (int k = 1; k <= 600; ++k) {
        advance(w, k / hz);
        double now = mechanical(w);
        measure_at_most("energy that a fall adds", now - most, 1e-3 * m->body_count * g);
        most = now < most ? now : most;
        measure_at_most("gap of a joint that falls", er_world_measure_gap(w), 1e-12);
    }
    double worst = 0.0, fastest = 0.0;
    for (int i = 0; i < er_world_contact_count(w); ++i)
        worst = fmin(worst, er_world_contact(w, i).distance);
    for (int i = 0; i < bodies; ++i)
        fastest = fmax(fastest, er_v3_norm(er_world_twist(w)[i].linear));
    assert_true(er_world_contact_count(w) >= 3);
    measure_at_most("overlap of a chain at rest", -worst, 1e-3);
    measure_at_most("speed of a chain at rest", fastest, 0.05);
    er_world_destroy(w);
    er_model_destroy(m);
}

// Two bodies alike, tied with a spring, fall without turning, as one: nothing moves in themselves, to the last bit.
static void what_is_tied_falls_as_one(void **state)
{
    dice d = {7};
    for (int i = 0; i < 20; ++i) {
        double mass = dice_uniform(&d, 1.0, 50.0), half = dice_uniform(&d, 0.2, 0.5);
        clear();
        for (int side = -1; side <= 1; side += 2)
            add(brick(0.2, 0.1, half), mass, (er_pose){er_q_identity(), er_v3(0.01 * side, 0, 20.0 + half * side)}, 0.5,
                0.0);
        er_joint *j = rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, (er_pose){er_q_identity(), er_v3(0, 0, 20.0)});
        for (int c = 0; c < 3; ++c)
            j->stiffness[c] = 900.0;
        add_plane(er_q_identity(), 0.5);
        er_model *m = rig_model(context, &r);
        er_world *w = make(m, 1.0 / 240.0);
        advance(w, 1.0);
        for (int b = 0; b < 2; ++b)
            measure_at_most("speed of a fall", fabs(er_world_twist(w)[b].linear.z / -g - 1.0), 1e-12);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// Energy does not grow in a tree that whirls, however coarse the steps.
static void whirl(const er_twist *twist, double weight, const char *what)
{
    er_model *m = rig_model(context, &r);
    er_world_def def = er_default_world_def();
    er_world *w = NULL;
    def.model = m;
    def.gravity = er_v3(0, 0, -weight);
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = 1.0 / hz;
    if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
    double most = mechanical(w), least = weight > 0.0 ? 1e-2 * most : 1e-8 * most; // weight steps by first order
    for (int k = 1; k <= 600; ++k) {
        advance(w, k / hz);
        double now = mechanical(w);
        measure_at_most(what, now - most, least);
        most = now < most ? now : most;
    }
    er_world_destroy(w);
    er_model_destroy(m);
}

// A light link between heavy ones that floats, by half a turn in a step and more.
static void what_whirls_gains_no_energy(void **state)
{
    const double mass[] = {100.0, 0.4, 16.0};
    er_twist twist[3];
    clear();
    for (int i = 0; i < 3; ++i) {
        er_pose at = {er_q_identity(), er_v3(0.4 * i, 0, 0)}, joint = {er_q_identity(), er_v3(0.4 * i - 0.2, 0, 0)};
        add(brick(0.2, 0.1, 0.1), mass[i], at, 0.0, 0.0);
        if (i > 0) rig_add_joint(&r, ER_JOINT_SPHERICAL, i - 1, i, joint);
        twist[i] = (er_twist){er_v3(1.0, 20.0, 7.0 * i), er_v3_cross(er_v3(1.0, 20.0, 0), at.p)};
    }
    whirl(twist, 0.0, "energy that whirling adds");
}

// A hand that spins by three radians in a step, on an arm that hangs on the world.
static void what_hangs_and_whirls_gains_no_energy(void **state)
{
    const er_twist twist[2] = {{{0.5, 0, 0}, {0, 0.15, 0}}, {{0.5, 3, 200}, {0, 0.15, 0}}};
    clear();
    rig_add_body(&r, 1.5, er_v3(0.02, 0.02, 0.0015), er_q_identity(), er_v3(0, 0, 0.15),
                 (er_pose){er_q_identity(), er_v3(0, 0, 0.15)});
    rig_add_body(&r, 0.67, er_v3(1.2e-3, 1.2e-3, 5.4e-4), er_q_identity(), er_v3(0, 0, -0.06),
                 (er_pose){er_q_identity(), er_v3(0, 0, -0.06)});
    rig_add_joint(&r, ER_JOINT_SPHERICAL, -1, 0, (er_pose){er_q_identity(), er_v3(0, 0, 0.3)});
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, er_pose_identity());
    whirl(twist, 0.0, "energy that whirling adds to what hangs");
    whirl(twist, g, "energy that whirling adds to what hangs and weighs");
}

// An arm and a hand that float, the hand spinning by more than three radians in a step: half a second later a ball
// joint has braked it to one, what that took is heat, momenta are kept; a hinge, as of wheels, has not.
static void ball_joints_brake_what_steps_cannot_tell(void **state)
{
    const er_joint_type type[2] = {ER_JOINT_SPHERICAL, ER_JOINT_REVOLUTE};
    const er_twist twist[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 200.0}, {0, 0, 0}}};
    for (int k = 0; k < 2; ++k) {
        clear();
        rig_add_body(&r, 1.5, er_v3(0.02, 0.02, 0.0015), er_q_identity(), er_v3(0, 0, 0.15),
                     (er_pose){er_q_identity(), er_v3(0, 0, 0.15)});
        rig_add_body(&r, 0.67, er_v3(1.2e-3, 1.2e-3, 5.4e-4), er_q_identity(), er_v3(0, 0, -0.06),
                     (er_pose){er_q_identity(), er_v3(0, 0, -0.06)});
        er_joint *joint = rig_add_joint(&r, type[k], 0, 1, er_pose_identity());
        for (int c = 0; c < 3; ++c)
            joint->damping[c] = 1e-18; // without a law it would turn by its exact equations
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        er_world *w = NULL;
        def.model = m;
        def.integrator = ER_INTEGRATE_CONTACT;
        def.max_step = 1.0 / hz;
        if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
        if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
        er_vec3 P, L, L0;
        er_world_measure_momentum(w, NULL, &L0);
        double had = mechanical(w);
        advance(w, 0.5);
        double spin = er_v3_norm(er_v3_sub(er_world_twist(w)[1].angular, er_world_twist(w)[0].angular));
        er_world_energy now = er_world_measure_energy(w);
        er_world_measure_momentum(w, &P, &L);
        measure_at_most("momentum of what is braked", er_v3_norm(P), 1e-12);
        measure_at_most("angular momentum of what is braked", er_v3_distance(L, L0) / er_v3_norm(L0), 1e-12);
        // heat is what a hand on something heavy would lose; this arm weighs little more
        measure_at_most("energy that braking loses count of", fabs(had - now.mechanical - now.heat) / had, 0.25);
        if (type[k] == ER_JOINT_SPHERICAL)
            measure_at_most("turn of a ball joint in a step, rad", spin / hz, 1.001);
        else
            measure_at_most("spin that a hinge loses", fabs(spin / 200.0 - 1.0), 1e-12);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// Forces act on bodies without joints as they move: drag that grows with the speed takes it away by the closed form.
static void drag_slows_what_is_free(void **state)
{
    const double mass = 2.0, drag = 3.0, speed = 5.0, h = 1.0 / 960.0, t = 1.0;
    const er_twist twist = {{0, 0, 2.0}, {speed, 0, 0}};
    clear();
    add(ball(0.5), mass, er_pose_identity(), 0.0, 0.0);
    er_force force = er_default_force();
    force.kind = ER_FORCE_DRAG;
    force.linear_drag = drag;
    er_model *m = rig_model(context, &r);
    er_world_def def = er_default_world_def();
    er_world *w = NULL;
    def.model = m;
    def.force_count = 1;
    def.force = &force;
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = h;
    if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    if (er_world_set_state(w, 0.0, NULL, &twist) != ER_OK) fail_msg("%s", er_context_error(context));
    advance(w, t);
    er_vec3 v = er_q_rotate(er_world_pose(w)->q, er_world_twist(w)->linear);
    double want = speed * exp(-drag / mass * t); // steps of first order err by h drag / 2 mass of it a time constant
    measure_at_most("speed against drag", fabs(v.x / want - 1.0), h * drag / mass * drag / mass * t);
    er_world_destroy(w);
    er_model_destroy(m);
}

// Two bodies that meet in free space keep their momenta, and so do a chain and a ball that hits it.
static void momenta_stay(void **state)
{
    chain_of_pills(1.0);
    --shape_count;
    add(ball(0.3), 5.0, (er_pose){er_q_identity(), er_v3(1.1, 0.1, 4.0)}, 0.5, 0.3);
    er_model *m = rig_model(context, &r);
    er_world_def def = er_default_world_def();
    er_world *w = NULL;
    def.model = m;
    def.shape_count = shape_count;
    def.shape = shape;
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = 1.0 / hz;
    if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    er_twist twist[9] = {{{0, 0, 0}, {0, 0, 0}}};
    twist[8].linear = er_v3(0.2, 0, -6.0);
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
    er_vec3 P, L, P0, L0;
    er_world_measure_momentum(w, &P0, &L0);
    advance(w, 0.3);
    assert_int_equal(er_world_contact_count(w), 0);
    advance(w, 1.5);
    assert_true(fabs(er_world_twist(w)[8].linear.z + 6.0) > 0.5);
    er_world_measure_momentum(w, &P, &L);
    measure_at_most("momentum that contact changes", er_v3_distance(P, P0) / er_v3_norm(P0), 1e-12);
    measure_at_most("angular momentum that contact changes", er_v3_distance(L, L0) / er_v3_norm(L0), 0.02);
    er_world_destroy(w);
    er_model_destroy(m);
}

// The same steps twice, and from bytes, to the last bit.
static void steps_repeat_to_the_bit(void **state)
{
    chain_of_pills(0.5);
    add(ball(0.3), 5.0, (er_pose){er_q_identity(), er_v3(1.1, 0.1, 2.0)}, 0.5, 0.3);
    er_model *m = rig_model(context, &r);
    er_world *a = make(m, 1.0 / hz), *b = make(m, 1.0 / hz);
    advance(a, 1.0);
    advance(b, 1.0);
    assert_true(er_world_contact_count(a) > 2);
    assert_true(er_world_hash(a) == er_world_hash(b));
    void *bytes = malloc(er_world_state_size(a));
    er_world_save(a, bytes);
    advance(a, 2.0);
    uint64_t want = er_world_hash(a);
    er_world_destroy(b);
    b = make(m, 1.0 / hz);
    assert_int_equal(er_world_restore(b, bytes), ER_OK);
    advance(b, 2.0);
    assert_true(er_world_hash(b) == want);
    assert_int_equal(er_world_restore(a, bytes), ER_OK);
    advance(a, 2.0);
    assert_true(er_world_hash(a) == want);
    free(bytes);
    er_world_destroy(a);
    er_world_destroy(b);
    er_model_destroy(m);
}

// A step depends on the saved bytes alone: after one more step all numbers of a whirling chain are equal.
static void bytes_say_all_of_what_whirls(void **state)
{
    er_twist twist[8] = {{{0, 0, 0}, {0, 0, 0}}};
    chain_of_pills(5.0);
    er_model *m = rig_model(context, &r);
    for (int i = 0; i < 8; ++i)
        twist[i].angular = er_v3(0.5 * i, 1.0, 0.3 * i * i);
    er_world *a = make(m, 1.0 / hz), *b = make(m, 1.0 / hz);
    assert_int_equal(er_world_set_state(a, 0.0, NULL, twist), ER_OK);
    advance(a, 10.0 / hz);
    assert_int_equal(er_world_contact_count(a), 0);
    size_t size = er_world_state_size(a);
    char *bytes = malloc(2 * size);
    er_world_save(a, bytes);
    assert_int_equal(er_world_restore(b, bytes), ER_OK);
    advance(a, 11.0 / hz);
    advance(b, 11.0 / hz);
    er_world_save(a, bytes);
    er_world_save(b, bytes + size);
    assert_memory_equal(bytes, bytes + size, size);
    free(bytes);
    er_world_destroy(a);
    er_world_destroy(b);
    er_model_destroy(m);
}

// Two balls in one place push each other away, or pass through each other where the world keeps them apart.
static void bodies_kept_apart_do_not_meet(void **state)
{
    const er_body_pair pair = {1, 0};
    for (int apart = 0; apart < 2; ++apart) {
        clear();
        add(ball(0.5), 1.0, (er_pose){er_q_identity(), er_v3(0, 0, 0)}, 0.5, 0.0);
        add(ball(0.5), 1.0, (er_pose){er_q_identity(), er_v3(0.9, 0, 0)}, 0.5, 0.0);
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        er_world *w = NULL;
        def.model = m;
        def.shape_count = shape_count;
        def.shape = shape;
        def.integrator = ER_INTEGRATE_CONTACT;
        def.apart_count = apart;
        def.apart = &pair;
        assert_int_equal(er_world_create(context, &def, &w), ER_OK);
        advance(w, 0.5);
        double way = er_world_pose(w)[1].p.x - er_world_pose(w)[0].p.x;
        assert_true(apart != 0 ? way == 0.9 : way > 0.99);
        er_world_destroy(w);
        def.apart_count = 1;
        def.apart = &(er_body_pair){0, 2};
        assert_int_equal(er_world_create(context, &def, &w), ER_ERROR_ARGUMENT);
        er_model_destroy(m);
    }
}

// Planks in a V between two anchors, their last one hinged to the world: while ends lash about, a few light planks
// could close the loop by large turns only.
static void a_long_bridge_stays_whole(void **state)
{
    enum { PLANKS = 240 };
    const double slope = acos(0.8), h = 1.0 / 20.0;
    const er_quat across = er_q_exp(er_v3(0.5 * ER_PI, 0, 0));
    er_vec3 end = er_v3(0, 0, 0);
    clear();
    for (int i = 0; i < PLANKS; ++i) {
        er_quat turn = er_q_exp(er_v3(0, i < PLANKS / 2 ? slope : -slope, 0));
        er_vec3 along = er_q_rotate(turn, er_v3(1, 0, 0)), middle = er_v3_madd(end, 0.5, along);
        rig_add_body(&r, 1.0, er_v3(0.03, 0.08, 0.11), turn, middle, (er_pose){turn, middle});
        rig_add_joint(&r, ER_JOINT_REVOLUTE, i - 1, i, (er_pose){across, end});
        end = er_v3_add(end, along);
    }
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, PLANKS - 1, (er_pose){across, end})->closes_loop = true;
    er_model *m = rig_model(context, &r);
    er_world_def def = er_default_world_def();
    er_world *w = NULL;
    def.model = m;
    def.gravity = er_v3(0, 0, -g);
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = h * (1.0 + 1e-9);
    assert_int_equal(er_world_create(context, &def, &w), ER_OK);
    for (int i = 1; i <= 160; ++i) {
        advance(w, i * h);
        er_vec3 tip = er_pose_point(er_world_pose(w)[PLANKS - 1], er_v3(0.5, 0, 0));
        measure_at_most("a bridge's end from its anchor, m", er_v3_distance(tip, end), 1e-6);
    }
    er_world_destroy(w);
    er_model_destroy(m);
}

// The energy over that of hanging still, of links in a row from the origin.
static double swing_energy(const er_world *w, int links, double length)
{
    double sum = 0.0;
    for (int i = 0; i < links; ++i) {
        const er_twist *t = &er_world_twist(w)[i];
        double J = length * length / 12.0;
        sum += g * (er_world_pose(w)[i].p.z + (i + 0.5) * length);
        sum += 0.5 * (er_v3_dot(t->linear, t->linear) + J * er_v3_dot(t->angular, t->angular));
    }
    return sum;
}

// Rods of 1 kg that hang in a row, let go from aslant: nothing takes their energy. A step's own energy goes to and fro
// by h / 2 times the power of weight, a few per cent of a swing of a second.
static void what_hangs_keeps_its_swing(void **state)
{
    static const struct {
        int links;
        double length, tilt, least;
    } hung[] = {{1, 1.0, 1.0, 0.98}, {1, 2.0, 0.1, 0.99}, {8, 0.5, 0.3, 0.97}};
    for (size_t k = 0; k < sizeof hung / sizeof *hung; ++k) {
        const double length = hung[k].length, J = length * length / 12.0;
        const er_quat aslant = er_q_exp(er_v3(0, -hung[k].tilt, 0)), across = er_q_exp(er_v3(0.5 * ER_PI, 0, 0));
        const er_vec3 along = er_q_rotate(aslant, er_v3(0, 0, -length));
        clear();
        for (int i = 0; i < hung[k].links; ++i) {
            er_vec3 middle = er_v3_scale(i + 0.5, along);
            rig_add_body(&r, 1.0, er_v3(J, J, J), aslant, middle, (er_pose){aslant, middle});
            rig_add_joint(&r, i == 0 ? ER_JOINT_REVOLUTE : ER_JOINT_SPHERICAL, i - 1, i,
                          (er_pose){across, er_v3_scale(i, along)});
        }
        er_model *m = rig_model(context, &r);
        er_world *w = make(m, 1.0 / 60.0);
        double all = swing_energy(w, hung[k].links, length), late = 0.0;
        for (int i = 1; i <= 30 * 60; ++i) {
            advance(w, i / 60.0);
            double now = swing_energy(w, hung[k].links, length);
            measure_at_most("energy of a swing", now / all, 1.04);
            if (i > 25 * 60) late = fmax(late, now);
        }
        measure_at_most("energy lost in 30 s, to what may be", (1.0 - late / all) / (1.0 - hung[k].least), 1.0);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// A parallelogram of three bars, its last hinge, which closes the loop, the one that has a spring.
static er_model *swing(double stiffness)
{
    const er_quat across = er_q_exp(er_v3(0.5 * ER_PI, 0, 0)), level = er_q_identity();
    const er_vec3 corner[4] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
    clear();
    for (int i = 0; i < 3; ++i) {
        er_vec3 middle = er_v3_scale(0.5, er_v3_add(corner[i], corner[i + 1]));
        rig_add_body(&r, 1.0, er_v3(0.1, 0.1, 0.1), level, middle, (er_pose){level, middle});
        rig_add_joint(&r, ER_JOINT_REVOLUTE, i - 1, i, (er_pose){across, corner[i]});
    }
    er_joint *last = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 2, (er_pose){across, corner[3]});
    last->closes_loop = true;
    last->stiffness[0] = stiffness;
    return rig_model(context, &r);
}

// Two bars turn and one is carried: 2 (J + m l^2 / 4) + m l^2 = 1.7 kg m^2 on the spring, half a swing in a second. The
// step errs by its first order, Omega^2 h / 2 a second. From bytes it swings alike in another world.
static void a_loop_swings_on_its_own_spring(void **state)
{
    const double speed = 0.02;
    const er_twist turn = {{0, speed, 0}, {0.5 * speed, 0, 0}}, slide = {{0, 0, 0}, {speed, 0, 0}};
    const er_twist twist[3] = {turn, slide, turn};
    er_model *m = swing(1.7 * ER_PI * ER_PI);
    er_world_def def = er_default_world_def();
    er_world *a = NULL, *b = NULL;
    def.model = m;
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = 1.0 / 2000.0;
    assert_int_equal(er_world_create(context, &def, &a), ER_OK);
    assert_int_equal(er_world_set_state(a, 0.0, NULL, twist), ER_OK);
    advance(a, 1.0);
    measure_at_most("a loop's swing, of its speed", fabs(er_world_twist(a)[1].linear.x + speed) / speed, 0.01);
    assert_int_equal(er_world_create(context, &def, &b), ER_OK);
    void *bytes = malloc(er_world_state_size(a));
    er_world_save(a, bytes);
    assert_int_equal(er_world_restore(b, bytes), ER_OK);
    advance(a, 1.1);
    advance(b, 1.1);
    assert_true(er_world_hash(a) == er_world_hash(b));
    free(bytes);
    er_world_destroy(a);
    er_world_destroy(b);
    er_model_destroy(m);
}

// A world of defaults with shapes takes the contact integrator: a box falls on a plane and stays.
static void a_box_of_defaults_rests_on_a_plane(void **state)
{
    clear();
    add(brick(0.5, 0.5, 0.5), 1.0, (er_pose){er_q_identity(), {0, 0, 1.0}}, 0.5, 0.0);
    er_model *m = rig_model(context, &r);
    er_world_shape both[] = {er_default_world_shape(), er_default_world_shape()};
    both[0].shape = brick(0.5, 0.5, 0.5);
    both[0].body = 0;
    both[1].shape.kind = ER_SHAPE_PLANE;
    er_world_def def = er_default_world_def();
    def.model = m;
    def.gravity = er_v3(0, 0, -g);
    def.shape = both;
    er_world *w = NULL;
    for (int shapes = 0; shapes <= 2; shapes += 2) {
        def.shape_count = shapes;
        assert_int_equal(er_world_create(context, &def, &w), ER_OK);
        assert_int_equal(er_world_displacement_width(w), 6);
        assert_int_equal(er_world_advance(w, 2.0, NULL), ER_OK);
        double rest = shapes == 0 ? 1.0 - 2.0 * g : 0.5;
        measure_at_most("height of a box of defaults", fabs(er_world_pose(w)[0].p.z - rest), 1e-3);
        assert_int_equal(er_world_contact_count(w), 2 * shapes);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_defaults_rests_on_a_plane),
        cmocka_unit_test(a_ball_rolls),
        cmocka_unit_test(a_brick_holds_or_slides),
        cmocka_unit_test(a_puck_stops_where_energy_says),
        cmocka_unit_test(a_ball_rebounds),
        cmocka_unit_test(what_rests_overlaps_by_its_load),
        cmocka_unit_test(a_stack_stands),
        cmocka_unit_test(joints_hold_while_a_chain_falls),
        cmocka_unit_test(what_is_tied_falls_as_one),
        cmocka_unit_test(what_whirls_gains_no_energy),
        cmocka_unit_test(what_hangs_and_whirls_gains_no_energy),
        cmocka_unit_test(ball_joints_brake_what_steps_cannot_tell),
        cmocka_unit_test(drag_slows_what_is_free),
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(steps_repeat_to_the_bit),
        cmocka_unit_test(bytes_say_all_of_what_whirls),
        cmocka_unit_test(bodies_kept_apart_do_not_meet),
        cmocka_unit_test(a_long_bridge_stays_whole),
        cmocka_unit_test(what_hangs_keeps_its_swing),
        cmocka_unit_test(a_loop_swings_on_its_own_spring),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
