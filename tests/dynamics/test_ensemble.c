// Eight worlds side by side, judged by as many alone.
#include <eigenrig/dynamics.h>

#include <math.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"

static rig r;

static er_world *make(const er_world_def *def)
{
    er_world *w = NULL;
    if (er_world_create(context, def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void blow(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    (void)user, (void)pose;
    wrench[0].force = er_v3_scale(-0.1, twist[0].linear);
    wrench[0].torque.z = cos(3000.0 * time); // half a swing in the time that is looked at
}

// A root is led about, and what hangs on it.
static void lead(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    (void)user, (void)body;
    pose->p = er_v3_add(pose->p, er_v3(0, 1e-5 * sin(1000.0 * time), 0));
    twist->linear = er_q_rotate(er_q_conj(pose->q), er_v3(0, 1e-2 * cos(1000.0 * time), 0));
    rate->linear = er_q_rotate(er_q_conj(pose->q), er_v3(0, -10.0 * sin(1000.0 * time), 0));
}

static void compare(const er_world_def *def, dice *d)
{
    static er_twist lanes[ER_ENSEMBLE_SIZE * RIG_MAX], alone[RIG_MAX], twist[RIG_MAX];
    static er_pose pose[RIG_MAX];
    const er_model *m = def->model;
    er_world *w[ER_ENSEMBLE_SIZE];
    er_ensemble *e = NULL;
    for (int i = 0; i < ER_ENSEMBLE_SIZE; ++i) {
        double x[12 * RIG_MAX], v[12 * RIG_MAX];
        w[i] = make(def);
        for (int c = 0; c < 12 * RIG_MAX; ++c) {
            x[c] = dice_uniform(d, -1.0, 1.0) * (c % 3 == 0 ? 4.0 : 1.0);
            v[c] = dice_uniform(d, -1.0, 1.0);
        }
        if (er_world_set_displacement(w[i], 0.0, x, v) != ER_OK) fail_msg("%s", er_context_error(context));
    }
    if (er_ensemble_create(context, w[0], &e) != ER_OK) fail_msg("%s", er_context_error(context));
    for (int i = 0; i < ER_ENSEMBLE_SIZE; ++i)
        assert_int_equal(er_ensemble_set(e, i, w[i]), ER_OK);
    assert_int_equal(er_ensemble_accelerations(e, lanes), ER_OK);
    for (int i = 0; i < ER_ENSEMBLE_SIZE; ++i) {
        assert_int_equal(er_world_accelerations(w[i], ER_ROUTE_REDUCED, alone, NULL), ER_OK);
        double worst = 0.0, most = 1e-300;
        for (int b = 0; b < m->body_count; ++b) {
            worst = fmax(worst, er_v3_distance(lanes[i * m->body_count + b].angular, alone[b].angular));
            worst = fmax(worst, er_v3_distance(lanes[i * m->body_count + b].linear, alone[b].linear) / m->size);
            most = fmax(most, fmax(er_v3_norm(alone[b].angular), er_v3_norm(alone[b].linear) / m->size));
        }
        measure_at_most("lanes and worlds alone: accelerations", worst / most, 1e-9); // masses six decades apart
    }
    assert_int_equal(er_ensemble_advance(e, 0.0004, 4), ER_OK);
    assert_int_equal(er_ensemble_advance(e, 0.0004, 1), ER_OK); // it is there
    assert_int_equal(er_ensemble_advance(e, 0.001, 6), ER_OK);
    for (int i = 0; i < ER_ENSEMBLE_SIZE; ++i) {
        if (er_world_advance(w[i], 0.001, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
        assert_int_equal(er_ensemble_get(e, i, pose, twist), ER_OK);
        double off = 0.0, fastest = 1e-300;
        for (int b = 0; b < m->body_count; ++b) {
            er_pose other = er_world_pose(w[i])[b];
            er_twist moving = er_world_twist(w[i])[b];
            fastest = fmax(fastest, fmax(er_v3_norm(moving.angular), er_v3_norm(moving.linear) / m->size));
            off = fmax(off, er_v3_distance(twist[b].angular, moving.angular));
            off = fmax(off, er_v3_distance(twist[b].linear, moving.linear) / m->size);
            measure_at_most("lanes and worlds alone: places", er_v3_distance(pose[b].p, other.p) / m->size, 1e-11);
            measure_at_most("lanes and worlds alone: turns", 1.0 - fabs(er_q_dot(pose[b].q, other.q)), 1e-12);
        }
        measure_at_most("lanes and worlds alone: speeds", off / fastest, 1e-9);
    }
    er_ensemble_destroy(e);
    for (int i = 0; i < ER_ENSEMBLE_SIZE; ++i)
        er_world_destroy(w[i]);
}

static void lanes_do_what_worlds_do(void **state)
{
    for (unsigned seed = 1; seed <= 12; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_forest(&r, &d, 2 * (int)seed, false);
        for (int k = 0; k < r.joint_count; ++k) // gentle springs: what moves fast tells rounding apart
            for (int c = 0; c < 6; ++c)
                r.joint[k].stiffness[c] = r.joint[k].stiffness[c] > 0.0 ? 1e-6 * (seed % 2 == 0 ? 1 : 1 + c) : 0.0;
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        er_motor motor = er_default_motor();
        def.model = m;
        def.gravity = er_v3(0.3, -9.81, 0.1);
        def.integrator = ER_INTEGRATE_RK4;
        def.max_step = 1e-4;
        if (seed % 3 == 0 && m->coordinate_count > 0) def.motor = &motor, def.motor_count = 1, motor.damping = 1e-6;
        if (seed % 4 == 0) def.apply = blow;
        bool held[RIG_MAX] = {false};
        held[m->order[0]] = true;
        if (seed % 3 == 1) def.held = held, def.guide = lead;
        compare(&def, &d);
        er_model_destroy(m);
    }
}

// A motion that leaves the range of numbers in any lane is told.
static void what_leaves_the_range_of_numbers_is_told(void **state)
{
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 1.0, er_v3(1, 2, 3), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    er_model *m = rig_model(context, &r);
    er_world_def def = er_default_world_def();
    def.model = m;
    def.integrator = ER_INTEGRATE_RK4;
    er_world *w = make(&def);
    er_ensemble *e = NULL;
    assert_int_equal(er_ensemble_create(context, w, &e), ER_OK);
    assert_int_equal(er_ensemble_advance(e, 1.0, 1), ER_OK);
    er_twist fast = {{1e40, 2e40, 3e40}, {0, 0, 0}};
    assert_int_equal(er_world_set_state(w, 0.0, NULL, &fast), ER_OK);
    assert_int_equal(er_ensemble_set(e, 7, w), ER_OK);
    assert_int_equal(er_ensemble_advance(e, 10.0, 10), ER_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(er_context_error(context), "take more steps"));
    er_ensemble_destroy(e);
    er_world_destroy(w);
    er_model_destroy(m);
}

static void what_is_no_ensemble_is_refused(void **state)
{
    dice d = {1};
    memset(&r, 0, sizeof r);
    rig_forest(&r, &d, 5, false);
    er_model *m = rig_model(context, &r);
    er_world_def def = er_default_world_def();
    def.model = m;
    er_world *w = make(&def);
    er_ensemble *e = (er_ensemble *)1;
    assert_int_equal(er_ensemble_create(context, NULL, &e), ER_ERROR_ARGUMENT);
    assert_null(e);
    assert_int_equal(er_ensemble_create(NULL, w, &e), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_create(context, w, NULL), ER_ERROR_ARGUMENT);
    er_pose pose;
    er_twist twist;
    assert_int_equal(er_ensemble_set(NULL, 0, w), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_get(NULL, 0, &pose, &twist), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_accelerations(NULL, &twist), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_advance(NULL, 1.0, 1), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_create(context, w, &e), ER_OK);
    assert_int_equal(er_ensemble_set(e, 8, w), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_set(e, -1, w), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_set(e, 0, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_get(e, 0, NULL, &twist), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_get(e, 0, &pose, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_get(e, 8, &pose, &twist), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_get(e, -1, &pose, &twist), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_accelerations(e, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_advance(e, -1.0, 1), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_advance(e, 1.0, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ensemble_advance(e, HUGE_VAL, 1), ER_ERROR_ARGUMENT);
    er_ensemble_destroy(e);
    er_world_destroy(w);
    def.route = ER_ROUTE_MULTIPLIERS;
    w = make(&def);
    assert_int_equal(er_ensemble_create(context, w, &e), ER_ERROR_ARGUMENT);
    er_world_destroy(w);
    er_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    er_hull *hull;
    assert_int_equal(er_hull_create(context, 4, corner, &hull), ER_OK);
    const er_world_shape shape = {.tag = ER_DEF_TAG,
                                  .body = 0,
                                  .shape = {.kind = ER_SHAPE_HULL, .hull = hull},
                                  .pose = er_pose_identity(),
                                  .restitution = 1.0};
    def.route = ER_ROUTE_REDUCED;
    def.shape_count = 1;
    def.shape = &shape;
    def.integrator = ER_INTEGRATE_FEHLBERG;
    w = make(&def);
    assert_int_equal(er_ensemble_create(context, w, &e), ER_ERROR_ARGUMENT);
    er_world_destroy(w);
    er_hull_destroy(hull);
    er_model_destroy(m);
    memset(&r, 0, sizeof r);
    rig_random(&r, &d, true);
    m = rig_model(context, &r);
    def = er_default_world_def();
    def.model = m;
    w = make(&def);
    if (m->loop_count > 0) assert_int_equal(er_ensemble_create(context, w, &e), ER_ERROR_ARGUMENT);
    er_world_destroy(w);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_do_what_worlds_do),
        cmocka_unit_test(what_leaves_the_range_of_numbers_is_told),
        cmocka_unit_test(what_is_no_ensemble_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
