// How far modes may swing: limits and contact in closed form, and the linear estimate beside full dynamics.
#include <eigenrig/motion.h>

#include <math.h>

#include "support/context.h"

static er_body make_body(double mass, er_vec3 at, er_vec3 com)
{
    er_body body = er_default_body();
    body.mass = mass;
    body.inertia = er_m3_madd((er_mat3){0}, 0.02 * mass, er_m3_identity());
    body.pose.p = at;
    body.com = com;
    return body;
}

static er_joint make_hinge(int parent, int child, er_vec3 at)
{
    er_joint joint = er_default_joint(); // about z
    joint.parent = parent;
    joint.child = child;
    joint.frame.p = at;
    joint.stiffness[0] = 10.0;
    return joint;
}

static er_model *make_model(int bodies, const er_body *body, int joints, const er_joint *joint, er_modes **modes)
{
    er_model *model = NULL;
    er_model_def def = er_default_model_def();
    def.body = body;
    def.body_count = bodies;
    def.joint = joint;
    def.joint_count = joints;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    assert_int_equal(er_modal_solve(context, model, NULL, modes), ER_OK);
    return model;
}

// Two pendulums of one length hang side by side on the world, each with a mode of its own.
enum { PENDULUMS = 2 };
static const double LENGTH = 1.0, HALF_GAP = 0.3, RADIUS = 0.15;

static er_model *make_pendulums(double low, double high, er_modes **modes)
{
    er_body body[PENDULUMS];
    er_joint joint[PENDULUMS];
    for (int i = 0; i < PENDULUMS; ++i) {
        er_vec3 at = er_v3(i == 0 ? -HALF_GAP : HALF_GAP, 0, 0);
        body[i] = make_body(1.0, at, er_v3(0, -LENGTH, 0));
        joint[i] = make_hinge(-1, i, at);
        joint[i].stiffness[0] *= 1.0 + i; // a mode of each
        joint[i].limit[0][0] = low;
        joint[i].limit[0][1] = high;
    }
    return make_model(PENDULUMS, body, PENDULUMS, joint, modes);
}

static void the_nearer_limit_bounds_a_mode(void **state)
{
    (void)state;
    er_modes *modes;
    er_mode_bound bound[PENDULUMS];
    er_model *model = make_pendulums(-0.1, 0.2, &modes);
    assert_int_equal(er_modes_bound(context, model, modes, NULL, 20.0, bound), ER_OK);
    for (int k = 0; k < PENDULUMS; ++k) {
        assert_true(fabs(bound[k].degrees - 0.1 * 180.0 / ER_PI) < 1e-9 && bound[k].by == ER_BOUND_LIMIT);
        assert_true(bound[k].contact == HUGE_VAL && bound[k].linear == HUGE_VAL); // single hinges: M is constant
    }
    assert_int_equal(er_modes_bound(context, model, modes, NULL, 3.0, bound), ER_OK);
    assert_true(bound[0].degrees == 3.0 && bound[0].by == ER_BOUND_ASKED);
    assert_string_equal(er_bound_name(bound[0].by), "asked");
    assert_int_equal(er_modes_bound(context, model, modes, NULL, 0.0, bound), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_bound(context, model, NULL, NULL, 20.0, bound), ER_ERROR_ARGUMENT);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void parts_that_meet_bound_a_mode(void **state)
{
    (void)state;
    er_modes *modes;
    er_mode_bound bound[PENDULUMS];
    er_model *model = make_pendulums(-HUGE_VAL, HUGE_VAL, &modes);
    er_body_shape shape[PENDULUMS];
    for (int i = 0; i < PENDULUMS; ++i)
        shape[i] = (er_body_shape){.body = i,
                                   .shape = {.kind = ER_SHAPE_SPHERE, .radius = RADIUS},
                                   .pose = {.p = er_v3(0, -LENGTH, 0), .q = er_q_identity()}};
    const er_rig_shapes shapes = {.count = PENDULUMS, .shape = shape};
    double met = 0.0, ahead = HUGE_VAL; // rad, and the distance of the centres there
    while (ahead > 2.0 * RADIUS - 0.03 * model->size) {
        met += 1e-4;
        ahead = hypot(2.0 * HALF_GAP - LENGTH * sin(met), LENGTH * (1.0 - cos(met)));
    }
    met *= 180.0 / ER_PI;
    assert_int_equal(er_modes_bound(context, model, modes, &shapes, 40.0, bound), ER_OK);
    for (int k = 0; k < PENDULUMS; ++k)
        assert_true(fabs(bound[k].contact / met - 1.0) < 0.02 && bound[k].by == ER_BOUND_CONTACT);
    assert_int_equal(er_modes_bound(context, model, modes, &shapes, 0.9 * met, bound), ER_OK);
    assert_true(bound[0].contact == HUGE_VAL && bound[0].by == ER_BOUND_ASKED);
    assert_int_equal(er_modes_bound(context, model, modes, &shapes, 40.0, bound), ER_OK);
    for (int k = 0; k < PENDULUMS; ++k) {
        er_mode_bound one;
        assert_int_equal(er_modes_bound_one(context, model, modes, modes->first + k, &shapes, 40.0, &one), ER_OK);
        assert_true(one.limit == bound[k].limit && one.contact == bound[k].contact && one.linear == bound[k].linear &&
                    one.degrees == bound[k].degrees && one.by == bound[k].by);
    }
    assert_refusal(context, er_modes_bound_one(context, model, modes, 99, NULL, 40.0, bound), ER_ERROR_ARGUMENT, "99");
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void the_linear_bound_is_that_of_full_dynamics(void **state)
{
    (void)state;
    enum { LINKS = 6 };
    er_body body[LINKS];
    er_joint joint[LINKS];
    er_modes *modes;
    er_mode_bound all[LINKS + 6];
    er_validity *validity;
    for (int i = 0; i < LINKS; ++i) {
        er_vec3 at = er_v3(0, -i, 0);
        body[i] = make_body(1.0 + 0.3 * i, at, er_v3(0.1, -0.5, 0));
        joint[i] = make_hinge(i - 1, i, at);
    }
    for (int held = 0; held < 2; ++held) { // the chain floats at first
        er_model *model = make_model(LINKS, body, LINKS - 1 + held, joint + 1 - held, &modes);
        assert_int_equal(er_modes_validate(context, model, modes, NULL, &validity), ER_OK);
        assert_int_equal(er_modes_bound(context, model, modes, NULL, 180.0, all), ER_OK);
        int judged = 0;
        for (int k = 0; k < modes->count; ++k) {
            const er_mode_validity *v = er_validity_find(validity, er_modes_index(modes, &modes->mode[k]));
            if (v == NULL) continue;
            double measured = v->true_to_degrees;
            for (int i = 0; i < v->trial_count; ++i)
                if (v->trial[i].leakage > 0.5) measured = fmin(measured, v->trial[i].degrees);
            assert_true(all[k].linear > 0.8 * measured && all[k].linear < 1.2 * measured);
            ++judged;
        }
        assert_int_equal(judged, LINKS - 1 + held);
        er_validity_destroy(validity);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearer_limit_bounds_a_mode),
                                       cmocka_unit_test(parts_that_meet_bound_a_mode),
                                       cmocka_unit_test(the_linear_bound_is_that_of_full_dynamics)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
