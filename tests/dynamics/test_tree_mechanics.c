// The mechanics of a state: judged by worlds, by a textbook's double pendulum, by inverse dynamics and by differences.
#include <eigenrig/mechanics.h>

#include <eigenrig/dynamics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"

enum { WIDE = 12 * 60 };

static const er_vec3 pull = {0.5, -9.81, 0.2};

static void ok(er_result r)
{
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
}

static er_mechanics *make(const er_model *m)
{
    er_mechanics *s = NULL;
    ok(er_mechanics_create(context, m, pull, &s));
    return s;
}

// A world at a random state of a random rig without springs, and the mechanics of that state.
typedef struct thrown {
    rig r;
    er_model *model;
    er_world *world;
    er_mechanics *s;
    int width;
    double velocity[WIDE];
} thrown;

static thrown t;

static void throw(unsigned seed, int bodies, dice *d)
{
    static double x[WIDE], v[WIDE];
    memset(&t, 0, sizeof t);
    rig_forest(&t.r, d, bodies, false);
    for (int k = 0; k < t.r.joint_count; ++k)
        for (int c = 0; c < 6; ++c)
            t.r.joint[k].stiffness[c] = t.r.joint[k].damping[c] = 0.0;
    t.model = rig_model(context, &t.r);
    er_world_def def = er_default_world_def();
    def.model = t.model;
    def.gravity = pull;
    ok(er_world_create(context, &def, &t.world));
    t.width = er_world_displacement_width(t.world);
    for (int c = 0; c < t.width; ++c) {
        x[c] = dice_uniform(d, -1.0, 1.0);
        v[c] = dice_uniform(d, -2.0, 2.0);
    }
    ok(er_world_set_displacement(t.world, 0.0, x, v));
    t.s = make(t.model);
    assert_int_equal(er_mechanics_width(t.s), t.width);
    ok(er_mechanics_set(t.s, er_world_pose(t.world), er_world_twist(t.world)));
    er_mechanics_velocity(t.s, t.velocity);
}

static void drop(void)
{
    er_mechanics_destroy(t.s);
    er_world_destroy(t.world);
    er_model_destroy(t.model);
}

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < t.width; ++i)
        sum += a[i] * b[i];
    return sum;
}

static double size_of(const double *a)
{
    return sqrt(dot(a, a)) + 1e-300;
}

static double off(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < t.width; ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum) / size_of(b);
}

static void times(const double *row, int rows, const double *x, double *out)
{
    for (int i = 0; i < rows; ++i)
        out[i] = dot(row + (size_t)i * (size_t)t.width, x);
}

static double apart(er_vec3 a, er_vec3 b)
{
    return er_v3_distance(a, b) / (1.0 + er_v3_norm(b));
}

static er_vec3 vec(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

// ---- Against worlds

// Velocities and the acceleration of a free fall, which needs no force, are those of a world.
static void a_fall_is_that_of_a_world(void **state)
{
    static double rate[WIDE], a[WIDE], f[WIDE], weight[WIDE], J[6 * WIDE], x[6];
    static er_twist change[RIG_MAX];
    for (unsigned seed = 1; seed <= 20; ++seed) {
        dice d = {seed};
        throw(seed, 1 + 2 * (int)seed, &d);
        er_world_coordinates(t.world, NULL, rate);
        for (int c = 0; c < t.model->coordinate_count; ++c)
            measure_at_most("joint rates", fabs(t.velocity[c] - rate[c]), 1e-10);
        er_mechanics_accelerations(t.s, NULL, NULL, a);
        er_mechanics_forces(t.s, a, NULL, f);
        er_mechanics_forces(t.s, NULL, NULL, weight);
        measure_at_most("force of a fall", size_of(f) / size_of(weight), 1e-10);
        ok(er_world_accelerations(t.world, ER_ROUTE_REDUCED, change, NULL));
        for (int b = 0; b < t.model->body_count; b += 3) {
            er_vec3 point = er_v3(0.1, -0.2, 0.3);
            er_pose p = er_world_pose(t.world)[b];
            er_twist v = er_world_twist(t.world)[b];
            er_point_motion m = er_mechanics_point(t.s, b, point, J);
            measure_at_most("points", apart(m.at, er_pose_point(p, point)), 1e-10);
            er_vec3 swing = er_v3_add(v.linear, er_v3_cross(v.angular, point));
            measure_at_most("points' velocities", apart(m.linear, er_q_rotate(p.q, swing)), 1e-9);
            times(J, 6, t.velocity, x);
            measure_at_most("Jacobian: velocity", apart(vec(x + 3), m.linear), 1e-9);
            measure_at_most("Jacobian: spin", apart(vec(x), m.angular), 1e-9);
            times(J, 6, a, x);
            er_vec3 turn = er_q_rotate(p.q, change[b].angular);
            er_vec3 shift = er_v3_add(change[b].linear, er_v3_cross(change[b].angular, point));
            shift = er_q_rotate(p.q, er_v3_add(shift, er_v3_cross(v.angular, swing)));
            double most = 1.0 + er_v3_norm(shift) + er_v3_norm(m.linear_bias);
            measure_at_most("points' accelerations", er_v3_distance(er_v3_add(vec(x + 3), m.linear_bias), shift) / most,
                            1e-9);
            most = 1.0 + er_v3_norm(turn) + er_v3_norm(m.angular_bias);
            measure_at_most("bodies' angular accelerations",
                            er_v3_distance(er_v3_add(vec(x), m.angular_bias), turn) / most, 1e-9);
        }
        drop();
    }
}

static void momentum_is_that_of_a_world_and_its_rate_the_weight(void **state)
{
    static double A[6 * WIDE], a[WIDE], x[6];
    for (unsigned seed = 1; seed <= 20; ++seed) {
        dice d = {seed};
        throw(seed, 1 + 2 * (int)seed, &d);
        er_vec3 linear, angular;
        er_world_measure_momentum(t.world, &linear, &angular);
        er_momentum m = er_mechanics_momentum(t.s, A);
        double most = er_v3_norm(linear) + m.mass;
        measure_at_most("linear momentum", er_v3_distance(m.linear, linear) / most, 1e-11);
        er_vec3 own = er_v3_sub(angular, er_v3_cross(m.centre, linear));
        double large = er_v3_norm(angular) + er_v3_norm(own) + er_v3_norm(m.centre) * most + m.mass;
        measure_at_most("angular momentum", er_v3_distance(m.angular, own) / large, 1e-11);
        times(A, 6, t.velocity, x);
        measure_at_most("map: linear", er_v3_distance(vec(x + 3), linear) / most, 1e-11);
        measure_at_most("map: angular", er_v3_distance(vec(x), own) / large, 1e-11);
        // what is pushed at its roots and nowhere on the world keeps its momentum, but for its weight
        bool floats = true;
        for (int b = 0; b < t.model->body_count; ++b)
            floats &= t.model->tree_parent[b] >= 0 || t.model->tree_joint[b] < 0;
        if (floats) {
            er_mechanics_accelerations(t.s, NULL, NULL, a);
            times(A, 6, a, x);
            er_vec3 rate = er_v3_add(vec(x + 3), m.linear_bias), weight = er_v3_scale(m.mass, pull);
            measure_at_most("rate of momentum",
                            er_v3_distance(rate, weight) / (er_v3_norm(weight) + er_v3_norm(m.linear_bias)), 1e-9);
            rate = er_v3_add(vec(x), m.angular_bias);
            measure_at_most("rate of spin", er_v3_norm(rate) / (m.mass + er_v3_norm(m.angular_bias)), 1e-8);
        }
        drop();
    }
}

// ---- The mass matrix

static void the_mass_matrix_makes_energy_and_forces(void **state)
{
    static double M[WIDE * WIDE], x[WIDE], y[WIDE], z[WIDE], f[WIDE], b[WIDE];
    static er_wrench push[RIG_MAX];
    for (unsigned seed = 1; seed <= 20; ++seed) {
        dice d = {seed};
        throw(seed, 1 + (int)seed, &d);
        assert_true((size_t)t.width * (size_t)t.width <= sizeof M / sizeof *M);
        er_mechanics_mass_matrix(t.s, M);
        for (int i = 0; i < t.width; ++i)
            x[i] = dice_uniform(&d, -1.0, 1.0);
        times(M, t.width, x, y);
        er_mechanics_mass_product(t.s, x, z);
        measure_at_most("mass matrix and its product", off(z, y), 1e-11);
        er_mechanics_mass_product(t.s, t.velocity, z);
        double kinetic = er_world_measure_energy(t.world).kinetic;
        measure_at_most("kinetic energy", fabs(0.5 * dot(t.velocity, z) / kinetic - 1.0), 1e-10);
        for (int i = 0; i < t.model->body_count; ++i)
            push[i] = (er_wrench){dice_vec3(&d), dice_vec3(&d)};
        er_mechanics_forces(t.s, NULL, push, b);
        er_mechanics_forces(t.s, x, push, f);
        for (int i = 0; i < t.width; ++i)
            z[i] = y[i] + b[i];
        measure_at_most("forces", off(f, z), 1e-11);
        er_mechanics_accelerations(t.s, f, push, z);
        er_mechanics_mass_product(t.s, z, b); // accelerations of light bodies are ill determined, not what they need
        measure_at_most("accelerations of forces", off(b, y), 1e-8);
        drop();
    }
}

// A wrench on a body acts as its Jacobian's transpose says.
static void wrenches_act_by_the_jacobian(void **state)
{
    static double J[6 * WIDE], f[WIDE], b[WIDE], wanted[WIDE], given[WIDE];
    static er_wrench push[RIG_MAX];
    for (unsigned seed = 1; seed <= 10; ++seed) {
        dice d = {seed};
        throw(seed, 12, &d);
        int body = (int)dice_uniform(&d, 0, 12);
        memset(push, 0, sizeof push);
        push[body] = (er_wrench){dice_vec3(&d), dice_vec3(&d)};
        er_mechanics_forces(t.s, NULL, NULL, b);
        er_mechanics_forces(t.s, NULL, push, f);
        er_mechanics_point(t.s, body, t.model->body[body].com, J);
        const double w[6] = {push[body].torque.x, push[body].torque.y, push[body].torque.z,
                             push[body].force.x,  push[body].force.y,  push[body].force.z};
        for (int i = 0; i < t.width; ++i) {
            wanted[i] = 0.0;
            for (int k = 0; k < 6; ++k)
                wanted[i] += w[k] * J[(size_t)k * (size_t)t.width + (size_t)i];
            given[i] = b[i] - f[i];
        }
        double part = size_of(wanted) / (size_of(b) + size_of(wanted)); // the difference is rounded as its parts are
        measure_at_most("wrenches and Jacobians", part * off(given, wanted), 1e-12);
        drop();
    }
}

// ---- A double pendulum of two points: M = [[(m1 + m2) L1^2 + m2 L2^2 + 2 m2 L1 L2 c, ...]] in closed form

static void a_double_pendulum_is_that_of_the_textbook(void **state)
{
    const double L1 = 0.7, L2 = 0.4, m1 = 2.0, m2 = 1.5, g = 9.81, small = 1e-9, t1 = 0.3, t2 = -0.8, v1 = 1.7,
                 v2 = -2.9;
    er_body body[2] = {er_default_body(), er_default_body()};
    er_joint joint[2] = {er_default_joint(), er_default_joint()};
    for (int b = 0; b < 2; ++b) {
        body[b].mass = b == 0 ? m1 : m2;
        body[b].com = er_v3(b == 0 ? L1 : L2, 0, 0);
        body[b].inertia = er_m3_madd((er_mat3){{{0}}}, small, er_m3_identity());
        body[b].pose.p = er_v3(b == 0 ? 0.0 : L1, 0, 0);
        joint[b].parent = b - 1;
        joint[b].child = b;
        joint[b].frame = body[b].pose;
    }
    er_model_def def = er_default_model_def();
    def.body_count = def.joint_count = 2;
    def.body = body;
    def.joint = joint;
    er_model *m = NULL;
    er_mechanics *s = NULL;
    ok(er_model_create(context, &def, &m));
    ok(er_mechanics_create(context, m, er_v3(0, -g, 0), &s));
    er_pose pose[2];
    const double q[2] = {t1, t2};
    er_model_pose(m, q, NULL, pose);
    double w = v1 + v2, c2 = cos(t2), s2 = sin(t2), cross = m2 * L1 * L2 * c2, M[4], b[2];
    const er_twist twist[2] = {{{0, 0, v1}, {0, 0, 0}}, {{0, 0, w}, {L1 * v1 * s2, L1 * v1 * c2, 0}}};
    ok(er_mechanics_set(s, pose, twist));
    er_mechanics_mass_matrix(s, M);
    measure_at_most("M11", fabs(M[0] - ((m1 + m2) * L1 * L1 + m2 * L2 * L2 + 2 * cross + 2 * small)), 1e-13);
    measure_at_most("M12", fabs(M[1] - (m2 * L2 * L2 + cross + small)), 1e-13);
    measure_at_most("M22", fabs(M[3] - (m2 * L2 * L2 + small)), 1e-13);
    assert_true(M[1] == M[2]);
    er_mechanics_forces(s, NULL, NULL, b);
    double far = m2 * L2 * g * cos(t1 + t2);
    measure_at_most("b2", fabs(b[1] - (m2 * L1 * L2 * s2 * v1 * v1 + far)), 1e-13);
    measure_at_most(
        "b1", fabs(b[0] - (far + (m1 + m2) * L1 * g * cos(t1) - m2 * L1 * L2 * s2 * (v2 * v2 + 2 * v1 * v2))), 1e-13);
    er_mechanics_destroy(s);
    er_model_destroy(m);
}

static void what_is_wrong_is_refused(void **state)
{
    dice d = {3};
    static double before[WIDE], after[WIDE];
    er_mechanics *none = NULL;
    throw(3, 5, &d);
    er_pose pose[5];
    memcpy(pose, er_world_pose(t.world), sizeof pose);
    pose[2].p.x = NAN;
    er_mechanics_forces(t.s, NULL, NULL, before);
    assert_refusal(context, er_mechanics_set(t.s, pose, NULL), ER_ERROR_ARGUMENT, t.model->body[2].name);
    er_mechanics_forces(t.s, NULL, NULL, after);
    assert_memory_equal(before, after, (size_t)t.width * sizeof *before);
    assert_refusal(context, er_mechanics_create(context, t.model, er_v3(0, NAN, 0), &none), ER_ERROR_ARGUMENT,
                   "gravity");
    assert_null(none);
    er_mechanics_destroy(NULL);
    drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall_is_that_of_a_world),
        cmocka_unit_test(momentum_is_that_of_a_world_and_its_rate_the_weight),
        cmocka_unit_test(the_mass_matrix_makes_energy_and_forces),
        cmocka_unit_test(wrenches_act_by_the_jacobian),
        cmocka_unit_test(a_double_pendulum_is_that_of_the_textbook),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests_name("tree_mechanics", tests, set_up, tear_down);
}
