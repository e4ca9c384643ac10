// Forces in a world: energy, work and heat in balance; limits, motors, led bodies, blows.
#include <eigenrig/dynamics.h>

#include <math.h>
#include <string.h>

#include "dynamics/world.h"
#include "support/context.h"
#include "support/forest.h"

static rig r;

static er_world *make(const er_world_def *def)
{
    er_world *w = NULL;
    if (er_world_create(context, def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void advance(er_world *w, double until)
{
    if (er_world_advance(w, until, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
}

static double span(er_vec3 a, er_vec3 b)
{
    return er_v3_norm(er_v3_sub(a, b));
}

// Five bodies of some size in a chain of different joints on the world, springs and dampers everywhere.
static er_model *build_arm(double drag, double stiff)
{
    static const er_joint_type type[5] = {ER_JOINT_SPHERICAL, ER_JOINT_REVOLUTE, ER_JOINT_UNIVERSAL,
                                          ER_JOINT_CYLINDRICAL, ER_JOINT_SPHERICAL};
    dice d = {99};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 5; ++i) {
        er_pose frame = {dice_quat(&d), er_v3(0.4 * i, 0.1 * i, 0)};
        rig_add_body(&r, 1.0 + 0.3 * i, er_v3(0.02, 0.03, 0.04), dice_quat(&d), er_v3(0.4 * i + 0.2, 0.1 * i, 0.05),
                     frame);
        er_joint *j = i == 2 ? rig_add_joint(&r, type[i], 2, 1, frame) : rig_add_joint(&r, type[i], i - 1, i, frame);
        for (int c = 0; c < er_joint_type_freedom(type[i], NULL); ++c) {
            j->stiffness[c] = 5.0 + c + i;
            j->damping[c] = 0.02 * (1 + c);
        }
    }
    r.rayleigh_mass = drag;
    r.rayleigh_stiffness = stiff;
    return rig_model(context, &r);
}

static void blow_wind(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    const double *strength = user;
    wrench[1].force.x += *strength * cos(3.0 * time) - 0.1 * twist[1].linear.x;
    wrench[2].torque.y += *strength * pose[2].p.x;
}

static void lead(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    (void)user;
    assert_int_equal(body, 0);
    double a = 0.4 * sin(2.0 * time), v = 0.8 * cos(2.0 * time),
           b = -1.6 * sin(2.0 * time); // turns about z, moves along x
    er_pose turn = {er_q_exp(er_v3(0, 0, a)), {0.3 * a, 0, 0}};
    *pose = er_pose_mul(turn, *pose);
    er_quat back = er_q_conj(pose->q);
    er_vec3 p = pose->p; // moves by (v, w) = (0.3 v e_x + w e_z x (p - shift))
    er_vec3 w = er_v3(0, 0, v), arm = er_v3_sub(p, turn.p);
    er_vec3 speed = er_v3_add(er_v3(0.3 * v, 0, 0), er_v3_cross(w, arm));
    er_vec3 turn_rate = er_v3(0, 0, b),
            push = er_v3_add(er_v3(0.3 * b, 0, 0),
                             er_v3_add(er_v3_cross(turn_rate, arm), er_v3_cross(w, er_v3_cross(w, arm))));
    twist->angular = er_q_rotate(back, w);
    twist->linear = er_q_rotate(back, speed);
    rate->angular = er_q_rotate(back, turn_rate);
    rate->linear = er_q_rotate(back, er_v3_sub(push, er_v3_cross(w, speed)));
}

// All that there is to act, at once.
static void fill(er_world_def *def, er_force force[5], er_motor motor[2], er_force_sample sample[4], double *strength)
{
    for (int i = 0; i < 5; ++i)
        force[i] = er_default_force();
    force[0].body = 4, force[0].force = er_v3(1, 2, -1), force[0].torque = er_v3(0, 0.3, 0), force[0].body_axes = true;
    force[1].body = 3, force[1].kind = ER_FORCE_SCHEDULE, force[1].sample = sample, force[1].sample_count = 4;
    force[1].point = er_v3(0.1, 0.2, 0);
    for (int i = 0; i < 4; ++i)
        sample[i] = (er_force_sample){0.1 + 0.2 * i * i, er_v3(i, 1 - i, 2), er_v3(0.1 * i, 0, 0)};
    force[2].body = 4, force[2].kind = ER_FORCE_SPRING, force[2].other_point = er_v3(1, 2, 1), force[2].stiffness = 20;
    force[2].damping = 0.5, force[2].rest = 0.5;
    force[3].body = 1, force[3].kind = ER_FORCE_SPRING, force[3].other = 3, force[3].stiffness = 10,
    force[3].rest = 0.1;
    force[4].body = 2, force[4].kind = ER_FORCE_DRAG, force[4].linear_drag = 0.2, force[4].quadratic_drag = 0.3;
    force[4].angular_drag = 0.05, force[4].point = er_v3(0.3, 0, 0);
    motor[0] = motor[1] = er_default_motor();
    motor[0].coordinate = 3, motor[0].stiffness = 4, motor[0].position = 0.7, motor[0].damping = 0.1,
    motor[0].most = 50;
    motor[1].coordinate = 6, motor[1].damping = 0.3, motor[1].velocity = 1.0;
    def->force = force, def->force_count = 5;
    def->motor = motor, def->motor_count = 2;
    def->apply = blow_wind, def->user = strength;
    def->gravity = er_v3(0, -9.81, 0);
}

static void energy_is_in_balance(void **state)
{
    static const char *const name[2][2] = {{"balance, reduced", "balance, reduced, led"},
                                           {"balance, multipliers", "balance, multipliers, led"}};
    er_model *m = build_arm(0.1, 0.002);
    er_force force[5];
    er_motor motor[2];
    er_force_sample sample[4];
    double strength = 0.5, rest[64] = {0.1, -0.2, 0.3, 0.2};
    static const bool held[5] = {true};
    er_vec3 end[2][2];
    for (int route = 0; route < 2; ++route)
        for (int led = 0; led < 2; ++led) {
            er_world_def def = er_default_world_def();
            def.model = m;
            def.tolerance = 1e-11;
            def.route = (er_dynamics_route)route;
            def.rest = rest;
            fill(&def, force, motor, sample, &strength);
            if (led) def.held = held, def.guide = lead;
            er_world *w = make(&def);
            double before = er_world_measure_energy(w).mechanical;
            advance(w, 2.0);
            er_world_energy e = er_world_measure_energy(w);
            assert_true(e.heat > 0.1 && fabs(e.work) > 0.1);
            measure_at_most(name[route][led], fabs(e.mechanical - before - e.work + e.heat), 1e-8); // of some 10 J
            end[route][led] = er_world_pose(w)[4].p;
            er_world_destroy(w);
        }
    for (int led = 0; led < 2; ++led)
        measure_at_most("routes apart after 2 s, m", span(end[0][led], end[1][led]), 1e-8);
    er_model_destroy(m);
}

// Where one follows a body that accelerates, it is as if gravity had changed.
static void fall_with(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    (void)body;
    const er_vec3 a = *(const er_vec3 *)user;
    pose->p = er_v3_madd(pose->p, 0.5 * time * time, a);
    twist->linear = er_q_rotate(er_q_conj(pose->q), er_v3_scale(time, a));
    rate->linear = er_q_rotate(er_q_conj(pose->q), a);
}

static void what_hangs_on_a_body_feels_it_accelerate(void **state)
{
    er_model *m = build_arm(0.0, 0.0);
    er_vec3 a = er_v3(1.0, 2.0, -3.0), end[2][2];
    static const bool held[5] = {true};
    for (int route = 0; route < 2; ++route)
        for (int led = 0; led < 2; ++led) {
            er_world_def def = er_default_world_def();
            def.model = m;
            def.tolerance = 1e-10;
            def.route = (er_dynamics_route)route;
            def.held = held;
            def.gravity = led ? er_v3(0, -9.81, 0) : er_v3_sub(er_v3(0, -9.81, 0), a);
            if (led) def.guide = fall_with, def.user = &a;
            er_world *w = make(&def);
            advance(w, 1.0);
            end[route][led] = er_world_pose(w)[4].p;
            if (led) end[route][led] = er_v3_madd(end[route][led], -0.5, a);
            er_world_destroy(w);
        }
    measure_at_most("led, reduced", span(end[0][0], end[0][1]), 1e-8);
    measure_at_most("led, multipliers", span(end[1][0], end[1][1]), 1e-8);
    measure_at_most("led, routes", span(end[0][0], end[1][0]), 1e-8);
    er_model_destroy(m);
}

// From rest evenly faster, ahead and about an axis; or as far as that goes in each step, at one speed in it.
typedef struct ride {
    er_vec3 ahead, about; // m/s^2, rad/s^2
    double step;          // 0: smoothly
    int index;            // of the step that is taken
} ride;

static void ride_along(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    (void)body;
    const ride *s = user;
    double gone = 0.5 * time * time, speed = time;
    if (s->step > 0.0) {
        double from = s->step * s->index, to = from + s->step;
        speed = 0.5 * (from + to);
        gone = 0.5 * from * from + speed * (time - from);
    }
    er_quat turned = er_q_exp(er_v3_scale(gone, s->about)), back = er_q_conj(turned);
    *pose = (er_pose){turned, er_v3_madd(pose->p, gone, s->ahead)}; // it stands along the world's axes
    er_vec3 v = er_v3_scale(speed, s->ahead), w = er_v3_scale(speed, s->about);
    *twist = (er_twist){w, er_q_rotate(back, v)};
    *rate = (er_twist){s->about, er_q_rotate(back, er_v3_sub(s->ahead, er_v3_cross(w, v)))};
}

// So does what goes by steps of contact, and where what leads it is told in each step how fast to go in it.
static void what_hangs_feels_a_body_go_faster_by_steps(void **state)
{
    er_model *m = build_arm(0.0, 0.0);
    static const bool held[5] = {true};
    const double step = 1e-3, seconds = 0.4;
    er_vec3 end[3];
    for (int i = 0; i < 3; ++i) {
        ride user = {.ahead = {4, 2, -3}, .about = {0, 3, 1}, .step = i == 2 ? step : 0.0};
        er_world_def def = er_default_world_def();
        def.model = m;
        def.held = held;
        def.guide = ride_along;
        def.user = &user;
        def.tolerance = 1e-10;
        if (i > 0) def.integrator = ER_INTEGRATE_CONTACT, def.max_step = 1.001 * step;
        er_world *w = make(&def);
        for (; user.index < (int)(seconds / step + 0.5); ++user.index)
            advance(w, step * (user.index + 1));
        end[i] = er_world_pose(w)[4].p;
        er_world_destroy(w);
    }
    measure_at_most("led, by steps of contact", span(end[0], end[1]), 5e-3);
    measure_at_most("led anew in each of them", span(end[0], end[2]), 5e-3);
    er_model_destroy(m);
}

static void go_evenly(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    const er_vec3 *way = user;
    (void)body, (void)rate;
    pose->p = er_v3_madd(pose->p, time, *way);
    twist->linear = er_q_rotate(er_q_conj(pose->q), *way);
}

// How what leads went before a state is set, or taken up again, is of no account: what goes along goes on so.
static void a_state_forgets_how_bodies_were_led_before(void **state)
{
    er_model *m = build_arm(0.0, 0.0);
    static const bool held[5] = {true};
    er_vec3 way = {0, 0, 0}; // while the world is made
    er_world_def def = er_default_world_def();
    er_pose pose[5];
    er_twist twist[5];
    def.model = m;
    def.held = held;
    def.guide = go_evenly;
    def.user = &way;
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = 0.01;
    er_world *w = make(&def);
    void *saved = malloc(er_world_state_size(w));
    assert_non_null(saved);
    for (int k = 0; k < 2; ++k) {
        way = er_v3(3, -2, 1);
        for (int b = 0; b < 5; ++b) {
            pose[b] = m->body[b].pose;
            twist[b] = (er_twist){{0, 0, 0}, er_q_rotate(er_q_conj(pose[b].q), way)};
        }
        if (k == 0) {
            assert_int_equal(er_world_set_state(w, 0.0, pose, twist), ER_OK);
            er_world_save(w, saved);
        } else {
            assert_int_equal(er_world_restore(w, saved), ER_OK);
        }
        advance(w, 0.1);
        for (int b = 0; b < 5; ++b)
            measure_at_most("what goes along", span(er_world_pose(w)[b].p, er_v3_madd(pose[b].p, 0.1, way)), 1e-9);
        if (k == 1) continue;
        way = er_v3(0, 0, 0);
        assert_int_equal(er_world_set_state(w, 0.0, pose, twist), ER_OK);
    }
    free(saved);
    er_world_destroy(w);
    er_model_destroy(m);
}

static er_model *build_hinge(double low, double high)
{
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 1.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(0.5, 0, 0), er_pose_identity());
    er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    j->limit[0][0] = low, j->limit[0][1] = high;
    return rig_model(context, &r);
}

// A stiff motor that is led along a sine leads a hinge along it, by every integrator alike; where it is led to is seen
// by the next step.
static void what_a_motor_drives_towards_is_led(void **state)
{
    static const er_integrator by[] = {ER_INTEGRATE_FEHLBERG, ER_INTEGRATE_IMPLICIT, ER_INTEGRATE_CONTACT};
    er_model *m = build_hinge(-3.0, 3.0);
    for (int i = 0; i < 3; ++i) {
        er_motor motor = er_default_motor();
        motor.stiffness = 4000.0;
        motor.damping = 80.0;
        er_world_def def = er_default_world_def();
        def.model = m;
        def.integrator = by[i];
        def.motor = &motor, def.motor_count = 1;
        er_world *w = make(&def);
        double q = 0.0, off = 0.0, h = 1.0 / 240.0;
        for (int k = 1; k <= 480; ++k) {
            assert_int_equal(er_world_drive(w, 0, 0.5 * sin(3.0 * k * h), 1.5 * cos(3.0 * k * h)), ER_OK);
            advance(w, k * h);
            er_world_coordinates(w, &q, NULL);
            if (k > 48) off = fmax(off, fabs(q - 0.5 * sin(3.0 * k * h)));
        }
        measure_at_most("a hinge behind what leads it, rad", off, 0.01); // m q'' / k = 5e-4, and a step's way
        assert_int_equal(er_world_drive(w, 1, 0.0, 0.0), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_drive(w, -1, 0.0, 0.0), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_drive(w, 0, NAN, 0.0), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_drive(w, 0, 0.0, 1e51), ER_ERROR_ARGUMENT);
        er_world_destroy(w);
        def.motor_count = 0;
        w = make(&def);
        assert_int_equal(er_world_drive(w, 0, 0.0, 0.0), ER_ERROR_ARGUMENT);
        er_world_destroy(w);
    }
    assert_int_equal(er_world_drive(NULL, 0, 0.0, 0.0), ER_ERROR_ARGUMENT);
    er_model_destroy(m);
}

static bool hangs_on(const er_model *m, int body, int above)
{
    while (body >= 0 && body != above)
        body = m->tree_parent[body];
    return body == above;
}

// Moment of all that hangs on a body about an axis through a point, or its mass.
static double hanging(const er_model *m, int above, er_vec3 point, er_vec3 axis, bool is_turn)
{
    double sum = 0.0;
    for (int b = 0; b < m->body_count; ++b) {
        const er_body *body = &m->body[b];
        if (!hangs_on(m, b, above)) continue;
        er_vec3 own = er_q_rotate(er_q_conj(body->pose.q), axis);
        er_vec3 away = er_v3_cross(axis, er_v3_sub(er_pose_point(body->pose, body->com), point));
        sum +=
            is_turn ? er_v3_dot(own, er_m3_mul_v(body->inertia, own)) + body->mass * er_v3_dot(away, away) : body->mass;
    }
    return sum;
}

// 10 Hz of what hangs on the coordinate, at equilibrium; where a joint closes a loop, of what hangs on its child.
static void limits_are_as_stiff_as_what_hangs_on_them_asks(void **state)
{
    dice d = {71};
    const double square = 400.0 * ER_PI * ER_PI;
    for (int trial = 0; trial < 30; ++trial) {
        memset(&r, 0, sizeof r);
        rig_forest(&r, &d, 2 + dice_below(&d, 12), trial % 2 == 1);
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        def.model = m;
        def.enforce_limits = true;
        er_world *w = make(&def);
        for (int k = 0; k < m->joint_count; ++k) {
            const er_joint *j = &m->joint[k];
            int axis[6], count = er_joint_type_freedom(j->type, axis);
            bool is_child = j->closes_loop || m->tree_joint[j->child] == k; // either end may hang on the other
            int below = is_child ? j->child : j->parent;
            er_mat3 R = er_m3_from_q(j->frame.q);
            for (int c = 0; c < count; ++c) {
                const eri_law *law = &w->laws->law[m->coordinate[k] + c];
                double want = hanging(m, below, j->frame.p, er_m3_column(R, axis[c] % 3), axis[c] < 3);
                double shifted = hanging(m, below, j->frame.p, er_v3(0, 0, 0), false);
                want += j->pitch * j->pitch * shifted; // of a screw
                measure_at_most("stiffness of a limit, off", relative_error(law->limit_stiffness, square * want), 1e-9);
                double depth = axis[c] < 3 ? 0.05 : 0.05 * m->size;
                measure_at_most("damper of a limit, off",
                                relative_error(law->limit_damping, 1.0 / (20.0 * ER_PI * depth)), 1e-12);
                bool limited =
                    j->limit[c][0] <= j->limit[c][1] && (isfinite(j->limit[c][0]) || isfinite(j->limit[c][1]));
                assert_true(law->limited == limited);
            }
        }
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// Springs, dampers and limits of a ball joint keep the energy balance, at any rotation.
static void keep_account_of_turns(bool cone)
{
    er_model_destroy(build_arm(0, 0));
    for (int c = 0; c < 3 && !cone; ++c)
        r.joint[0].limit[c][0] = -0.9, r.joint[0].limit[c][1] = 0.6;
    r.joint[0].swing = cone ? 0.5 : HUGE_VAL;
    r.joint[0].twist[0] = cone ? -0.3 : -HUGE_VAL;
    r.joint[0].twist[1] = cone ? 0.2 : HUGE_VAL;
    er_model *m = rig_model(context, &r);
    er_world_def def = er_default_world_def();
    def.model = m;
    def.enforce_limits = true;
    er_world *w = make(&def);
    dice d = {73};
    const double h = 1e-5;
    for (int trial = 0; trial < 200; ++trial) {
        er_vec3 axis = er_q_rotate(dice_quat(&d), er_v3(1, 0, 0)), turn = er_v3_scale(dice_uniform(&d, 0.0, 2.5), axis),
                rate = er_q_rotate(dice_quat(&d), er_v3(dice_uniform(&d, 0.5, 2.0), 0, 0));
        double energy[3], force[3], v[3] = {rate.x, rate.y, rate.z};
        eri_account account;
        for (int k = 2; k >= 0; --k) { // R' = [rate] R; at last where it is
            er_quat ahead = er_q_exp(er_v3_scale(k == 1 ? h : k == 2 ? -h : 0.0, rate));
            er_vec3 to = er_q_log(er_q_mul(ahead, er_q_exp(turn)));
            double x[3] = {to.x, to.y, to.z};
            account = (eri_account){0};
            eri_laws_force(w->laws, 0, x, v, force, &account);
            energy[k] = account.elastic;
        }
        double power = force[0] * v[0] + force[1] * v[1] + force[2] * v[2], taken = (energy[1] - energy[2]) / (2.0 * h);
        assert_true(account.heat > 0.0);
        measure_at_most("power of a ball joint's springs, dampers and limits, off", fabs(power + taken + account.heat),
                        1e-7 * (fabs(taken) + account.heat));
    }
    er_world_destroy(w);
    er_model_destroy(m);
}

static void springs_dampers_and_limits_of_turns_keep_account(void **state)
{
    keep_account_of_turns(false);
    keep_account_of_turns(true);
}

// The swing is the angle between z of both sides, and the twist what is left of a turn when that swing is taken off.
static void swing_and_twist_compose_a_turn(void **state)
{
    dice d = {75};
    for (int trial = 0; trial < 200; ++trial) {
        double heading = dice_uniform(&d, -ER_PI, ER_PI), swing = dice_uniform(&d, 0.01, 2.9);
        double twist = dice_uniform(&d, -3.1, 3.1), angle[2], ahead[2], back[2];
        er_vec3 across = er_v3(cos(heading), sin(heading), 0), n[2], other[2];
        er_quat q = er_q_mul(er_q_exp(er_v3_scale(swing, across)), er_q_exp(er_v3(0, 0, twist)));
        er_vec3 x = er_q_log(q), rate = er_q_rotate(dice_quat(&d), er_v3(1, 0, 0));
        eri_ball_angles((const double[]){x.x, x.y, x.z}, angle, n);
        measure_at_most("swing, off", fabs(angle[0] - swing), 1e-12);
        measure_at_most("twist, off", fabs(angle[1] - twist), 1e-11);
        const double h = 1e-6;
        for (int side = -1; side < 2; side += 2) {
            er_vec3 to = er_q_log(er_q_mul(er_q_exp(er_v3_scale(side * h, rate)), q));
            eri_ball_angles((const double[]){to.x, to.y, to.z}, side < 0 ? back : ahead, other);
        }
        for (int k = 0; k < 2; ++k)
            measure_at_most("rate of a swing or twist, off",
                            fabs((ahead[k] - back[k]) / (2.0 * h) - er_v3_dot(n[k], rate)), 1e-4);
    }
}

// Past a limit, or where a step would lead there: I (v' - v) / h = -k (x + h v' - limit) - 2 sqrt(k I) v', of a spring
// that is critically damped; elsewhere nothing. The limit's own force pushes out, and its damper never pulls.
static void a_step_past_a_limit_is_stopped(void **state)
{
    const double limit[2] = {-0.5, 0.4}, h = 0.02;
    er_model *m = build_hinge(limit[0], limit[1]);
    er_world_def def = er_default_world_def();
    def.model = m;
    def.enforce_limits = true;
    er_world *w = make(&def);
    const eri_law *law = &w->laws->law[0];
    double k = law->limit_stiffness, I = 0.1 + 0.25, c = 2.0 * sqrt(k * I);
    dice d = {72};
    int past[2] = {0};
    for (int trial = 0; trial < 400; ++trial) {
        double x = dice_uniform(&d, -0.7, 0.6), v = dice_uniform(&d, -12, 12), push, armature = 0.0;
        eri_account account = {0};
        eri_laws_force(w->laws, 0, &x, &v, &push, &account);
        double depth = x > limit[1] ? x - limit[1] : x < limit[0] ? x - limit[0] : 0.0;
        assert_true(push * depth <= 0.0 && (depth != 0.0 || push == 0.0));
        double into = depth < 0.0 ? -v : v, want = -k * depth * fmax(0.0, 1.0 + into / (20.0 * ER_PI * 0.05));
        measure_at_most("push of a limit, off", fabs(push - want), 1e-12 * k);
        measure_at_most("energy of a limit, off", fabs(account.elastic - 0.5 * k * depth * depth), 1e-12 * k);
        measure_at_most("heat of a limit, off", fabs(account.heat - (-k * depth - push) * v), 1e-12 * k);
        double force = push, to = x + h * v;
        eri_law_stop(law, x, v, h, &force, &armature);
        if (to >= limit[0] && to <= limit[1]) {
            assert_true(force == push && armature == 0.0);
            continue;
        }
        double end = to > limit[1] ? limit[1] : limit[0], next = v + h * force / (I + armature);
        double left = I * (next - v) / h + k * (x + h * next - end) + c * next;
        measure_at_most("stop at a limit, off", fabs(left) / (k + c * fabs(v)), 1e-12);
        ++past[to > limit[1]];
    }
    assert_true(past[0] > 20 && past[1] > 20);
    er_world_destroy(w);
    def.enforce_limits = false;
    w = make(&def);
    double x = 0.6, v = 1.0, push = 1.0, armature = 0.0;
    eri_law_stop(&w->laws->law[0], x, v, h, &push, &armature);
    assert_true(push == 1.0 && armature == 0.0);
    er_world_destroy(w);
    er_model_destroy(m);
}

// A hinge by its line and nothing else: a pendulum let go from the level swings to the other side, at its energy.
static void a_default_joint_swings_freely(void **state)
{
    er_body body = er_default_body();
    body.mass = 2.0;
    body.inertia = (er_mat3){{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
    body.com = er_v3(0.5, 0, 0);
    er_joint joint = er_default_joint();
    joint.frame = er_joint_frame_along(er_v3(0, 0, 0), er_v3(0, 1, 0));
    er_model_def parts = er_default_model_def();
    parts.body = &body, parts.body_count = 1;
    parts.joint = &joint, parts.joint_count = 1;
    er_model *m = NULL;
    assert_int_equal(er_model_create(context, &parts, &m), ER_OK);
    er_world_def def = er_default_world_def();
    def.model = m;
    def.gravity = er_v3(0, 0, -9.81);
    def.enforce_limits = true;
    er_world *w = make(&def);
    double furthest = 0.0;
    measure_at_most("energy of a default pendulum at first", fabs(er_world_measure_energy(w).mechanical), 1e-15);
    for (int s = 1; s <= 150; ++s) {
        double q;
        advance(w, 0.01 * s);
        er_world_coordinates(w, &q, NULL);
        furthest = fmax(furthest, fabs(q));
        measure_at_most("energy of a default pendulum, drift", fabs(er_world_measure_energy(w).mechanical), 1e-3);
    }
    assert_true(furthest > 3.0);
    er_world_destroy(w);
    er_model_destroy(m);
}

static void limits_hold(void **state)
{
    for (int free_turns = 0; free_turns < 2; ++free_turns) {
        er_model *m = build_hinge(-0.5, 0.4);
        er_world_def def = er_default_world_def();
        def.model = m;
        def.tolerance = 1e-9;
        def.gravity = er_v3(0, free_turns ? 9.81 : -9.81, 0);
        def.enforce_limits = true;
        er_world *w = make(&def);
        double q, low = 0.0, high = 0.0, before = er_world_measure_energy(w).mechanical;
        for (int s = 1; s <= 300; ++s) {
            advance(w, 0.01 * s);
            er_world_coordinates(w, &q, NULL);
            low = fmin(low, q), high = fmax(high, q);
        }
        er_world_energy e = er_world_measure_energy(w);
        assert_true(e.heat > 0.5); // of some 2 J
        measure_at_most("limit, balance", fabs(e.mechanical - before - e.work + e.heat), 1e-6);
        if (free_turns)
            assert_true(high > 0.4 && high < 0.5);
        else
            assert_true(low < -0.5 && low > -0.6);
        assert_true(q > -0.52 && q < 0.42); // at rest against it
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// A motor at its most turns a free wheel at most / I; a velocity drive goes to its velocity as exp(-c t / I).
static void motors_drive(void **state)
{
    er_model *m = build_hinge(-HUGE_VAL, HUGE_VAL);
    const double I = 0.1 + 0.25;
    er_motor motor = er_default_motor();
    er_world_def def = er_default_world_def();
    def.model = m;
    def.motor = &motor;
    def.motor_count = 1;
    def.tolerance = 1e-11;
    for (int route = 0; route < 2; ++route) {
        def.route = (er_dynamics_route)route;
        motor.most = 0.7, motor.damping = 1e6, motor.velocity = 100.0;
        er_world *w = make(&def);
        double q, rate;
        advance(w, 10.0);
        er_world_coordinates(w, &q, &rate);
        measure_at_most("motor at its most, rad/s", fabs(rate - 10.0 * 0.7 / I), 1e-8);
        measure_at_most("motor at its most, full turns counted", fabs(q / (50.0 * 0.7 / I) - 1.0), 1e-8);
        er_world_destroy(w);
        motor.most = HUGE_VAL, motor.damping = 0.5, motor.velocity = 2.0;
        w = make(&def);
        advance(w, 1.0);
        er_world_coordinates(w, &q, &rate);
        measure_at_most("velocity drive", fabs(rate - 2.0 * (1.0 - exp(-0.5 / I))), 1e-9);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

// A blow on a floating rig gives it the impulse and its moment, and no joint comes apart.
static void blows_give_their_impulse(void **state)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_random(&r, &d, seed % 2 == 0);
        for (int k = 0; k < r.joint_count; ++k)
            if (r.joint[k].parent < 0) r.joint[k] = r.joint[--r.joint_count], --k; // nothing holds it
        er_model *m = rig_model(context, &r);
        for (int route = 0; route < 2; ++route) {
            er_world_def def = er_default_world_def();
            def.model = m;
            def.route = (er_dynamics_route)route;
            er_world *w = make(&def);
            er_vec3 point = er_v3(0.1, 0.2, 0.3), impulse = er_v3(1.0, -2.0, 0.5), P, L;
            int body = dice_below(&d, m->body_count);
            assert_int_equal(er_world_push(w, body, point, impulse), ER_OK);
            assert_int_equal(er_world_push(w, body, er_v3(0, 0, 0), er_v3(0, 0, 0)), ER_OK);
            er_world_energy energy = er_world_measure_energy(w);
            measure_at_most("blow: work", fabs(energy.work / energy.kinetic - 1.0), 1e-8); // it began at rest
            er_world_measure_momentum(w, &P, &L);
            er_vec3 at = er_pose_point(er_world_pose(w)[body], point);
            measure_at_most("blow: momentum", span(P, impulse), 1e-9);
            measure_at_most("blow: angular momentum", span(L, er_v3_cross(at, impulse)) / fmax(1.0, er_v3_norm(at)),
                            1e-8);
            static er_constraints *c;
            assert_int_equal(er_constraints_at(context, m, er_world_pose(w), &c), ER_OK);
            double fastest = 0.0, worst = 0.0;
            for (int i = 0; i < c->constraint_count; ++i) {
                double sum = 0.0;
                for (int b = 0; b < 6 * m->body_count; ++b) {
                    const er_twist *t = &er_world_twist(w)[b / 6];
                    const double v[6] = {t->angular.x, t->angular.y, t->angular.z,
                                         t->linear.x,  t->linear.y,  t->linear.z};
                    sum += c->G[(size_t)i + (size_t)b * (size_t)c->constraint_count] * v[b % 6];
                    fastest = fmax(fastest, fabs(v[b % 6]));
                }
                worst = fmax(worst, fabs(sum));
            }
            er_constraints_destroy(c);
            measure_at_most("blow: joints torn", worst / fastest, 1e-9);
            er_world_destroy(w);
        }
        er_model_destroy(m);
    }
}

// A stiff light end does not set the step of an implicit integrator, and both integrators go the same way.
static void stiff_springs_need_no_short_steps(void **state)
{
    dice d = {5};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 3; ++i) {
        er_pose frame = {dice_quat(&d), er_v3(0.5 * i, 0, 0)};
        rig_add_body(&r, 1.0, er_v3(0.02, 0.03, 0.04), dice_quat(&d), er_v3(0.5 * i + 0.2, 0.1, 0), frame);
        er_joint *j = rig_add_joint(&r, i == 1 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, i - 1, i, frame);
        for (int c = 0; c < (i == 1 ? 3 : 1); ++c)
            j->stiffness[c] = i == 2 ? 1e6 : 2.0, j->damping[c] = i == 2 ? 500.0 : 0.01; // 600 Hz, much damped
    }
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route) {
        er_vec3 end[2];
        long steps[2];
        for (int i = 0; i < 2; ++i) {
            er_world_def def = er_default_world_def();
            def.model = m;
            def.gravity = er_v3(0, -9.81, 0);
            def.route = (er_dynamics_route)route;
            def.integrator = i == 0 ? ER_INTEGRATE_FEHLBERG : ER_INTEGRATE_IMPLICIT;
            def.tolerance = 1e-6;
            er_world *w = make(&def);
            er_world_report report;
            if (er_world_advance(w, 1.0, &report) != ER_OK) fail_msg("%s", er_context_error(context));
            steps[i] = report.steps;
            end[i] = er_world_pose(w)[2].p;
            er_world_destroy(w);
        }
        assert_true(steps[1] * 10 < steps[0]);
        measure_at_most("implicit against explicit, m", span(end[0], end[1]), 1e-3);
    }
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_in_balance),
        cmocka_unit_test(what_hangs_on_a_body_feels_it_accelerate),
        cmocka_unit_test(what_hangs_feels_a_body_go_faster_by_steps),
        cmocka_unit_test(a_state_forgets_how_bodies_were_led_before),
        cmocka_unit_test(limits_are_as_stiff_as_what_hangs_on_them_asks),
        cmocka_unit_test(springs_dampers_and_limits_of_turns_keep_account),
        cmocka_unit_test(swing_and_twist_compose_a_turn),
        cmocka_unit_test(a_step_past_a_limit_is_stopped),
        cmocka_unit_test(a_default_joint_swings_freely),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(motors_drive),
        cmocka_unit_test(blows_give_their_impulse),
        cmocka_unit_test(what_a_motor_drives_towards_is_led),
        cmocka_unit_test(stiff_springs_need_no_short_steps),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
