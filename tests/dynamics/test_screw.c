// A nut on a screw by closed form: I + m p^2 is what a turn moves, gravity along the axis pulls with m g p.
#include <math.h>

#include <eigenrig/dynamics.h>
#include <eigenrig/modal.h>

#include "support/context.h"
#include "support/judge.h"

static const double mass = 3.0, moment = 0.02, k = 5.0;

// Its centre of mass on the axis, in a frame at random; `reversed`: the nut is the joint's parent.
static er_model *nut(dice *d, double pitch, double stiffness, bool reversed, er_vec3 *axis)
{
    er_body body = er_default_body();
    body.mass = mass;
    body.pose.p = dice_vec3(d);
    body.com = dice_vec3(d);
    *axis = er_v3_unit(dice_vec3(d), er_v3(0, 0, 1));
    er_joint joint = er_default_joint();
    joint.type = ER_JOINT_SCREW;
    joint.pitch = pitch;
    joint.stiffness[0] = stiffness;
    joint.frame = er_joint_frame_along(er_v3_madd(er_v3_add(body.pose.p, body.com), 0.7, *axis), *axis);
    er_mat3 R = er_m3_from_q(joint.frame.q), across = {{{0.05, 0, 0}, {0, 0.06, 0}, {0, 0, moment}}};
    body.inertia = er_m3_mul(er_m3_mul(R, across), er_m3_transpose(R));
    er_body bodies[2] = {body, body};
    er_joint joints[2] = {joint, joint};
    if (reversed) { // the nut is the parent of a body that the world holds
        joints[0].parent = 0, joints[0].child = 1;
        joints[1].type = ER_JOINT_FIXED, joints[1].child = 1;
    }
    er_model_def def = er_default_model_def();
    def.body = bodies, def.body_count = reversed ? 2 : 1;
    def.joint = joints, def.joint_count = reversed ? 2 : 1;
    er_model *m = NULL;
    if (er_model_create(context, &def, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    return m;
}

static void a_nut_swings_on_its_spring(void **state)
{
    dice d = {1};
    for (int trial = 0; trial < 40; ++trial) {
        er_vec3 axis;
        double pitch = dice_uniform(&d, -0.3, 0.3);
        er_model *m = nut(&d, pitch, k, trial % 2 == 1, &axis);
        er_modes *modes = NULL;
        er_modal_def def = er_default_modal_def();
        def.method = trial % 4 < 2 ? ER_MODAL_QR : ER_MODAL_SPARSE;
        assert_int_equal(er_modal_solve(context, m, &def, &modes), ER_OK);
        assert_int_equal(modes->count, 1);
        double hz = sqrt(k / (moment + mass * pitch * pitch)) / (2.0 * ER_PI);
        measure_at_most("frequency of a nut, off", fabs(modes->mode[0].frequency_hz / hz - 1.0), 1e-13);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
}

// Down the thread by its own weight: t = a t^2 / 2, many turns, at its energy; by both routes.
static void a_nut_runs_down_its_thread(void **state)
{
    static const er_dynamics_route routes[] = {ER_ROUTE_REDUCED, ER_ROUTE_MULTIPLIERS};
    dice d = {2};
    for (int trial = 0; trial < 8; ++trial) {
        er_vec3 axis;
        double pitch = trial < 4 ? 0.04 : -0.1, q, rate;
        er_model *m = nut(&d, pitch, 0.0, trial % 4 > 1, &axis);
        er_world_def def = er_default_world_def();
        def.model = m;
        def.tolerance = 1e-11;
        def.route = routes[trial % 2];
        def.gravity = er_v3_scale(9.81, axis);
        er_world *w = NULL;
        if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
        double before = er_world_measure_energy(w).mechanical;
        double a = (trial % 4 > 1 ? -1.0 : 1.0) * mass * 9.81 * pitch / (moment + mass * pitch * pitch);
        assert_int_equal(er_world_advance(w, 2.0, NULL), ER_OK);
        er_world_coordinates(w, &q, &rate);
        assert_true(fabs(q) > 10.0 * ER_PI);
        measure_at_most("turn of a nut, off", fabs(q / (2.0 * a) - 1.0), 1e-12);
        measure_at_most("rate of a nut, off", fabs(rate / (2.0 * a) - 1.0), 1e-12);
        measure_at_most("energy of a nut, drift", fabs(er_world_measure_energy(w).mechanical - before), 1e-10);
        double x[12];
        er_model_coordinates(m, er_world_pose(w), x, NULL);
        measure_at_most("turns that a shift counts, off", fabs(x[0] - q), 1e-12);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nut_swings_on_its_spring),
        cmocka_unit_test(a_nut_runs_down_its_thread),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
