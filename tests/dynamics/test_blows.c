// Impacts of articulated bodies, judged by Bacin's formulas (1999, 8) on dense matrices made here: trees, a loop,
// bodies hit by led ones, and two impacts at one time.
//
// With u all velocities (of centres of mass, world axes), M their masses, J the joints' constraints and I_c the unit
// impulse of a touch, Theta = (1 - J' (J M^-1 J')^-1 J M^-1) I_c, and
//   kappa_inf = -I_c' u / (I_c' M^-1 Theta),   kappa_sup = -2 u' Theta / (Theta' M^-1 Theta).
// A led body has no inverse mass: it pushes and feels nothing.
#include <eigenrig/dynamics.h>

#include <math.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"

enum { BODIES = 6, WIDTH = 6 * BODIES, ROWS = 24, BLOWS = 16 };

static rig r;
static er_hull *bar, *slab;

// ---- Mechanics anew

typedef struct dense {
    const er_world_def *def;
    er_pose pose[BODIES];
    er_vec3 com[BODIES];
    double u[WIDTH], inverse_mass[WIDTH][WIDTH], J[ROWS][WIDTH];
    int width, rows;
} dense;

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static bool is_led(const dense *d, int body)
{
    return d->def->held != NULL && d->def->held[body];
}

static void weigh(dense *d, int b)
{
    const er_body *body = &d->def->model->body[b];
    er_mat3 R = er_m3_from_q(d->pose[b].q), J = {{{0}}};
    for (int i = 0; i < 3; ++i) // the inertias of this file are diagonal
        J.m[i][i] = 1.0 / body->inertia.m[i][i];
    J = er_m3_mul(er_m3_mul(R, J), er_m3_transpose(R));
    for (int i = 0; i < 3 && !is_led(d, b); ++i) {
        for (int j = 0; j < 3; ++j)
            d->inverse_mass[6 * b + i][6 * b + j] = J.m[i][j];
        d->inverse_mass[6 * b + 3 + i][6 * b + 3 + i] = 1.0 / body->mass;
    }
}

// Adds what the velocity of a body's point along an axis is made of.
static void add_point(const dense *d, int body, er_vec3 point, er_vec3 axis, double sign, double *row)
{
    if (body < 0) return;
    er_vec3 turn = er_v3_cross(er_v3_sub(point, d->com[body]), axis);
    put(er_v3_madd(get(row + 6 * body), sign, turn), row + 6 * body);
    put(er_v3_madd(get(row + 6 * body + 3), sign, axis), row + 6 * body + 3);
}

static void add_turn(int body, er_vec3 axis, double sign, double *row)
{
    if (body >= 0) put(er_v3_madd(get(row + 6 * body), sign, axis), row + 6 * body);
}

static void add_joint(dense *d, const er_joint *j)
{
    const er_model *m = d->def->model;
    er_pose Q = er_pose_mul(d->pose[j->child], er_pose_mul(er_pose_inverse(m->body[j->child].pose), j->frame));
    for (int i = 0; i < 3; ++i, ++d->rows) {
        er_vec3 axis = er_v3(i == 0, i == 1, i == 2);
        add_point(d, j->child, Q.p, axis, 1.0, d->J[d->rows]);
        add_point(d, j->parent, Q.p, axis, -1.0, d->J[d->rows]);
    }
    for (int i = 0; i < 2 && j->type == ER_JOINT_REVOLUTE; ++i, ++d->rows) {
        er_vec3 axis = er_q_rotate(Q.q, er_v3(i == 0, i == 1, 0));
        add_turn(j->child, axis, 1.0, d->J[d->rows]);
        add_turn(j->parent, axis, -1.0, d->J[d->rows]);
    }
}

static void take(dense *d, const er_world_def *def, er_world *w)
{
    const er_model *m = def->model;
    memset(d, 0, sizeof *d);
    d->def = def;
    d->width = 6 * m->body_count;
    for (int b = 0; b < m->body_count; ++b) {
        er_pose X = d->pose[b] = er_world_pose(w)[b];
        er_twist v = er_world_twist(w)[b];
        d->com[b] = er_pose_point(X, m->body[b].com);
        put(er_q_rotate(X.q, v.angular), d->u + 6 * b);
        put(er_q_rotate(X.q, er_v3_add(v.linear, er_v3_cross(v.angular, m->body[b].com))), d->u + 6 * b + 3);
        weigh(d, b);
    }
    for (int k = 0; k < m->joint_count; ++k)
        add_joint(d, &m->joint[k]);
}

static void give(const dense *d, er_twist *twist)
{
    for (int b = 0; 6 * b < d->width; ++b) {
        er_quat back = er_q_conj(d->pose[b].q);
        twist[b].angular = er_q_rotate(back, get(d->u + 6 * b));
        twist[b].linear = er_v3_sub(er_q_rotate(back, get(d->u + 6 * b + 3)),
                                    er_v3_cross(twist[b].angular, d->def->model->body[b].com));
    }
}

static double inner(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

static void divide_by_mass(const dense *d, const double *f, double *v)
{
    for (int i = 0; i < d->width; ++i)
        v[i] = inner(d->width, d->inverse_mass[i], f);
}

// A x = b by elimination, the largest entry of a column first; A and b are overwritten.
static void solve(int n, double A[ROWS][ROWS], double *b)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        for (int j = 0; j < n; ++j) {
            double x = A[k][j];
            A[k][j] = A[best][j], A[best][j] = x;
        }
        double x = b[k];
        b[k] = b[best], b[best] = x;
        assert_true(fabs(A[k][k]) > 1e-9);
        for (int i = k + 1; i < n; ++i) {
            double f = A[i][k] / A[k][k];
            for (int j = k; j < n; ++j)
                A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j)
            b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

// Theta = I_c - J' (J M^-1 J')^-1 J M^-1 I_c
static void filter(const dense *d, const double *unit, double *theta)
{
    double v[WIDTH], A[ROWS][ROWS], lambda[ROWS], column[WIDTH];
    divide_by_mass(d, unit, v);
    for (int i = 0; i < d->rows; ++i) {
        lambda[i] = inner(d->width, d->J[i], v);
        divide_by_mass(d, d->J[i], column);
        for (int j = 0; j < d->rows; ++j)
            A[j][i] = inner(d->width, d->J[j], column);
    }
    solve(d->rows, A, lambda);
    memcpy(theta, unit, (size_t)d->width * sizeof *theta);
    for (int i = 0; i < d->rows; ++i)
        for (int c = 0; c < d->width; ++c)
            theta[c] -= d->J[i][c] * lambda[i];
}

// An impact by the formulas, held against what the world says of it; returns what leading bodies worked.
static double blow(dense *d, const er_impact *hit)
{
    const er_world_shape *shape = d->def->shape;
    double unit[WIDTH] = {0}, theta[WIDTH], v[WIDTH], work = 0.0;
    double e = fmin(shape[hit->shape[0]].restitution, shape[hit->shape[1]].restitution);
    add_point(d, shape[hit->shape[0]].body, hit->point, hit->normal, -1.0, unit);
    add_point(d, shape[hit->shape[1]].body, hit->point, hit->normal, 1.0, unit);
    filter(d, unit, theta);
    divide_by_mass(d, theta, v);
    double speed = inner(d->width, unit, d->u), least = -speed / inner(d->width, unit, v);
    double most = -2.0 * inner(d->width, d->u, theta) / inner(d->width, theta, v);
    double kappa = least + e * (most - least);
    measure_at_most("kappa_sup over 2 kappa_inf, less 1", fabs(most / (2.0 * least) - 1.0), 1e-10);
    measure_at_most("speed of a touch, off", fabs(hit->before - speed) / fabs(speed), 1e-8);
    measure_at_most("impulse, off by", fabs(hit->impulse - kappa) / kappa, 1e-8);
    for (int i = 0; i < d->width; ++i) {
        d->u[i] += kappa * v[i];
        if (is_led(d, i / 6)) work -= kappa * theta[i] * d->u[i];
    }
    return work;
}

// ---- Worlds

static er_world *make(const er_world_def *def, const er_twist *twist)
{
    er_world *w = NULL;
    if (er_world_create(context, def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void advance(er_world *w, double until)
{
    if (er_world_advance(w, until, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
}

// Goes through the impacts of a motion, by the formulas, between which a world without shapes moves; both end alike.
// @param apart  how many impacts there are at least, and how many at one time
static void go_through(const er_world_def *def, const er_twist *twist, double until, int least, int at_once, bool works)
{
    er_world_def free = *def;
    free.shape_count = 0;
    er_world *w = make(def, twist), *other = make(&free, twist);
    er_twist after[BODIES];
    double worked = 0.0;
    int together = 1, most = 1;
    advance(w, until);
    int64_t count = er_world_impact_count(w);
    assert_true(count >= least && count <= BLOWS);
    for (int64_t k = 0; k < count; ++k) {
        er_impact hit;
        dense d;
        assert_true(er_world_impact(w, k, &hit));
        together = er_world_time(other) == hit.time ? together + 1 : 1;
        most = together > most ? together : most;
        advance(other, hit.time);
        take(&d, &free, other);
        d.def = def;
        worked += blow(&d, &hit);
        give(&d, after);
        er_pose pose[BODIES];
        memcpy(pose, d.pose, sizeof pose);
        if (er_world_set_state(other, hit.time, pose, after) != ER_OK) fail_msg("%s", er_context_error(context));
    }
    assert_true(most >= at_once);
    advance(other, until);
    for (int b = 0; b < def->model->body_count; ++b) {
        er_pose X = er_world_pose(w)[b], Y = er_world_pose(other)[b];
        measure_at_most("places after impacts, off", er_v3_distance(X.p, Y.p), 1e-8);
        measure_at_most("turns after impacts, off", 1.0 - fabs(er_q_dot(X.q, Y.q)), 1e-11);
    }
    if (works) measure_at_most("work of a bat, off", fabs(er_world_measure_energy(w).work - worked) / worked, 1e-8);
    er_world_destroy(w);
    er_world_destroy(other);
}

static int rod(er_vec3 at, er_quat q, double mass)
{
    return rig_add_body(&r, mass, er_v3(0.03 * mass, 0.35 * mass, 0.36 * mass), q, at, (er_pose){q, at});
}

static er_world_shape shape_of(const char *name, const er_hull *hull, int body, double e)
{
    return (er_world_shape){.tag = ER_DEF_TAG,
                            .name = name,
                            .shape = {.kind = ER_SHAPE_HULL, .hull = hull},
                            .body = body,
                            .pose = er_pose_identity(),
                            .restitution = e};
}

static er_world_def define(const er_model *m, int route, int count, const er_world_shape *shape)
{
    er_world_def def = er_default_world_def();
    def.integrator = ER_INTEGRATE_FEHLBERG;
    def.model = m;
    def.route = (er_dynamics_route)route;
    def.shape_count = count;
    def.shape = shape;
    def.tolerance = 1e-11;
    return def;
}

static const er_vec3 fall = {0, 0, -9.81};

// Three bars by a ball and a hinge, aslant, on a slab.
static void trees_are_hit_by_the_formula(void **state)
{
    memset(&r, 0, sizeof r);
    rod(er_v3(0, 0, 2.0), er_q_exp(er_v3(0.2, 0.5, 0)), 2.0);
    rod(er_v3(2.0, 0, 2.2), er_q_exp(er_v3(0, -0.2, 0.3)), 1.0);
    rod(er_v3(-2.0, 0.3, 2.4), er_q_exp(er_v3(0.1, 0.3, -0.2)), 1.5);
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, (er_pose){er_q_identity(), {1, 0, 2}});
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 2, (er_pose){er_q_exp(er_v3(1.2, 0.3, 0)), {-1, 0.1, 2.3}});
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route) {
        const er_world_shape shape[] = {shape_of("one", bar, 0, 0.3), shape_of("two", bar, 1, 0.6),
                                        shape_of("three", bar, 2, 0.9), shape_of("slab", slab, -1, 1.0)};
        er_world_def def = define(m, route, 4, shape);
        def.gravity = fall;
        go_through(&def, NULL, 0.75, 2, 1, false);
    }
    er_model_destroy(m);
}

// Four bars in a ring of balls, not in a plane.
static void loops_are_hit_by_the_formula(void **state)
{
    const er_vec3 corner[4] = {{-1, -1, 2.0}, {1, -1, 2.4}, {1, 1, 2.1}, {-1, 1, 2.6}};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 4; ++i) {
        er_vec3 from = corner[i], to = corner[(i + 1) % 4], along = er_v3_unit(er_v3_sub(to, from), er_v3(1, 0, 0));
        er_quat q = i == 2 ? er_q(0, -along.y, 1.0 - along.x, 0) : er_q(1.0 + along.x, 0, -along.z, along.y);
        rod(er_v3_scale(0.5, er_v3_add(from, to)), er_q_unit(q), 1.0 + 0.3 * i);
    }
    for (int i = 0; i < 4; ++i)
        rig_add_joint(&r, ER_JOINT_SPHERICAL, i, (i + 1) % 4, (er_pose){er_q_identity(), corner[(i + 1) % 4]});
    r.joint[3].closes_loop = true;
    er_model *m = rig_model(context, &r);
    assert_int_equal(m->loop_count, 1);
    for (int route = 0; route < 2; ++route) {
        er_world_shape shape[5] = {shape_of("slab", slab, -1, 1.0)};
        for (int i = 0; i < 4; ++i)
            shape[1 + i] = shape_of("bar", bar, i, 0.25 * (1 + i));
        er_world_def def = define(m, route, 5, shape);
        def.gravity = fall;
        go_through(&def, NULL, 0.7, 2, 1, false);
    }
    er_model_destroy(m);
}

static double pace; // m/s

static void rise(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    (void)user, (void)body, (void)rate;
    pose->p.z += pace * time;
    twist->linear = er_q_rotate(er_q_conj(pose->q), er_v3(0, 0, pace));
}

// A led bar comes from below at two joined bars at rest; or a bar that a led one carries on a hinge does.
static void led_bats_hit_by_the_formula(void **state)
{
    pace = 3.0;
    for (int carried = 0; carried < 2; ++carried)
        for (int route = 0; route < 2; ++route) {
            const bool held[BODIES] = {[2] = true};
            memset(&r, 0, sizeof r);
            rod(er_v3(0, 0, 2.0), er_q_exp(er_v3(0.2, 0.3, 0)), 2.0);
            rod(er_v3(2.0, 0, 2.6), er_q_exp(er_v3(0, -0.2, 0.3)), 1.0);
            rod(er_v3(carried ? -1.5 : 0.2, 0.1, 0), er_q_exp(er_v3(0, 0.1, carried ? 0 : 1.4)), 5.0);
            rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, (er_pose){er_q_identity(), {1, 0, 2.3}});
            er_world_shape shape[] = {shape_of("one", bar, 0, 0.3), shape_of("two", bar, 1, 0.6),
                                      shape_of("bat", bar, 2, 0.8)};
            if (carried) {
                rod(er_v3(0.4, 0.1, 0), er_q_exp(er_v3(0.3, 0.1, 0.2)), 1.2);
                rig_add_joint(&r, ER_JOINT_REVOLUTE, 2, 3, (er_pose){er_q_exp(er_v3(1.4, 0, 0)), {-0.5, 0.1, 0}});
                shape[2].body = 3;
            }
            er_model *m = rig_model(context, &r);
            er_world_def def = define(m, route, 3, shape);
            def.held = held;
            def.guide = rise;
            go_through(&def, NULL, 0.7, 1, 1, !carried);
            er_model_destroy(m);
        }
}

// A table falls flat: its four feet are two bars, which land at one time, and lean on each other through the top.
static void two_impacts_at_one_time_go_by_the_formula(void **state)
{
    memset(&r, 0, sizeof r);
    rod(er_v3(0, 0, 2.0), er_q_identity(), 3.0);
    rod(er_v3(-1.0, 0, 1.0), er_q_exp(er_v3(0, 0, 0.5 * ER_PI)), 1.0);
    rod(er_v3(1.0, 0, 1.0), er_q_exp(er_v3(0, 0, 0.5 * ER_PI)), 1.0);
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, (er_pose){er_q_identity(), {-0.9, 0, 1.5}});
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 2, (er_pose){er_q_identity(), {0.9, 0, 1.5}});
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route) {
        const er_world_shape shape[] = {shape_of("left", bar, 1, 1.0), shape_of("right", bar, 2, 1.0),
                                        shape_of("slab", slab, -1, 1.0)};
        er_world_def def = define(m, route, 3, shape);
        def.gravity = fall;
        go_through(&def, NULL, 0.42, 2, 2, false);
    }
    er_model_destroy(m);
}

static er_hull *box(double x, double y, double z, double top)
{
    er_vec3 corner[8];
    er_hull *hull = NULL;
    for (int i = 0; i < 8; ++i)
        corner[i] = er_v3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? top : top - 2.0 * z);
    assert_int_equal(er_hull_create(context, 8, corner, &hull), ER_OK);
    return hull;
}

static int begin(void **state)
{
    int failed = set_up(state);
    bar = box(1.0, 0.2, 0.2, 0.2);
    slab = box(50.0, 50.0, 1.0, 0.0);
    return failed;
}

static int end(void **state)
{
    er_hull_destroy(bar);
    er_hull_destroy(slab);
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_hit_by_the_formula),
        cmocka_unit_test(loops_are_hit_by_the_formula),
        cmocka_unit_test(led_bats_hit_by_the_formula),
        cmocka_unit_test(two_impacts_at_one_time_go_by_the_formula),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
