// The rigs of the bench are what they are said to be, and its rivals find the modes that the library finds.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/modal.h>
#include <eigenrig/model.h>

#include "tools/bench/poser.h"
#include "tools/bench/rigs.h"
#include "tools/bench/rivals.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static er_context *context;

static int set_up(void **state)
{
    er_modal_set_threads(1);
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    er_context_destroy(context);
    return 0;
}

static er_model *make(bench_rig rig, int bodies)
{
    er_model *model = NULL;
    assert_int_equal(bench_rig_create(context, rig, bodies, &model), ER_OK);
    assert_int_equal(model->body_count, bodies);
    return model;
}

static er_modes *solve(const er_model *model)
{
    er_modes *modes = NULL;
    er_modal_def def = er_default_modal_def();
    def.method = ER_MODAL_SVD;
    assert_int_equal(er_modal_solve(context, model, &def, &modes), ER_OK);
    return modes;
}

static void every_rig_has_the_bodies_asked_for_and_springs_everywhere(void **state)
{
    static const int sizes[] = {2, 3, 4, 5, 7, 20, 61, 6000};
    for (int rig = 0; rig < BENCH_RIG_COUNT; ++rig)
        for (int i = 0; i < COUNT(sizes); ++i) {
            er_model *model = make((bench_rig)rig, sizes[i]);
            for (int k = 0; k < model->joint_count; ++k)
                for (int c = 0; c < er_joint_type_freedom(model->joint[k].type, NULL); ++c)
                    assert_true(model->joint[k].stiffness[c] > 0.0);
            int roots = 0;
            for (int b = 0; b < model->body_count; ++b)
                roots += model->tree_joint[b] < 0;
            assert_int_equal(roots, rig == BENCH_CURTAIN ? 0 : 1); // one piece, and all but the curtain float
            assert_int_equal(model->joint_count, model->body_count - roots + model->loop_count);
            if (rig < BENCH_NET) assert_int_equal(model->loop_count, 0);
            er_model_destroy(model);
        }
}

// 2 c (c - 1) rods tie c^2 knots to (c - 1)^2 meshes.
static void a_square_net_has_a_loop_a_mesh(void **state)
{
    for (int c = 2; c < 12; ++c) {
        er_model *model = make(BENCH_NET, 2 * c * (c - 1));
        assert_int_equal(model->loop_count, (c - 1) * (c - 1));
        er_model_destroy(model);
    }
}

// A free beam's first bend: (4.7300407 / L)^2 sqrt(EI / mu) / 2 pi, mu = mass / L; twice, since it bends both ways.
static void the_chain_tends_to_a_beam(void **state)
{
    double beam = 4.7300407 * 4.7300407 / (2.0 * 2.0) * sqrt(1.0 / 0.5) / (2.0 * ER_PI);
    er_model *model = make(BENCH_CHAIN, 60);
    er_modes *modes = solve(model);
    for (int k = 6; k < 8; ++k) // 1.5e-4 lower: sections turn with the beam, and have inertia of their own
        assert_true(fabs(modes->mode[k].frequency_hz / beam - 1.0) < 3e-4);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void sizes_and_kinds_that_are_not_are_refused(void **state)
{
    er_model *model = NULL;
    assert_int_equal(bench_rig_create(context, BENCH_CHAIN, BENCH_LEAST_BODIES - 1, &model), ER_ERROR_ARGUMENT);
    assert_int_equal(bench_rig_create(context, BENCH_CHAIN, -5, &model), ER_ERROR_ARGUMENT);
    assert_int_equal(bench_rig_create(context, (bench_rig)BENCH_RIG_COUNT, 5, &model), ER_ERROR_ARGUMENT);
    assert_null(model);
}

// ---- rivals

// |G eta| and |R eta - q|, both against |eta|, lengths as they are (rigs are some metres large).
static double motion_error(const er_model *model, const double *eta, const double *q)
{
    er_constraints *c = NULL;
    double worst = 0.0, largest = 0.0;
    assert_int_equal(er_constraints_create(context, model, &c), ER_OK);
    int n = c->column_count, m = c->constraint_count;
    for (int j = 0; j < n; ++j)
        largest = fmax(largest, fabs(eta[j]));
    for (int i = 0; i < m + c->coordinate_count; ++i) {
        double sum = i < m ? 0.0 : -q[i - m];
        const double *row = i < m ? c->G + i : c->R + (i - m);
        size_t step = (size_t)(i < m ? m : c->coordinate_count);
        for (int j = 0; j < n; ++j)
            sum += row[(size_t)j * step] * eta[j];
        worst = fmax(worst, fabs(sum));
    }
    er_constraints_destroy(c);
    return worst / largest;
}

// a' M b, body by body: kinetic energy's bilinear form from momenta.
static double mass_product(const er_model *model, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < model->body_count; ++i, a += 6, b += 6) {
        const er_body *body = &model->body[i];
        er_vec3 wa = er_v3(a[0], a[1], a[2]), wb = er_v3(b[0], b[1], b[2]);
        er_vec3 va = er_v3_add(er_v3(a[3], a[4], a[5]), er_v3_cross(wa, body->com));
        er_vec3 vb = er_v3_add(er_v3(b[3], b[4], b[5]), er_v3_cross(wb, body->com));
        sum += body->mass * er_v3_dot(va, vb) + er_v3_dot(wa, er_m3_mul_v(body->inertia, wb));
    }
    return sum;
}

static double spring_product(const er_model *model, const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c)
            sum += model->joint[k].stiffness[c - model->coordinate[k]] * a[c] * b[c];
    return sum;
}

// Admissible, M-orthonormal, K-orthogonal with the eigenvalues: then they are modes.
static void shapes_are_modes(const er_model *model, const bench_shapes *s)
{
    int n = 6 * model->body_count, coordinates = model->coordinate_count;
    double top = pow(2.0 * ER_PI * s->hz[s->count - 1], 2);
    for (int i = 0; i < s->count; ++i) {
        const double *eta = s->body + (size_t)i * (size_t)n, *q = s->joint + (size_t)i * (size_t)coordinates;
        assert_true(motion_error(model, eta, q) < 1e-11); // 2.1e-15
        for (int j = 0; j <= i; ++j) {
            double m = mass_product(model, eta, s->body + (size_t)j * (size_t)n);
            double k = spring_product(model, q, s->joint + (size_t)j * (size_t)coordinates);
            double lambda = i == j ? pow(2.0 * ER_PI * s->hz[i], 2) : 0.0;
            assert_true(fabs(m - (i == j)) < 1e-9);     // 1.4e-12
            assert_true(fabs(k - lambda) < 1e-9 * top); // 4.2e-14
        }
    }
}

static void agrees(bench_rig rig, int bodies, bench_rival rival)
{
    er_model *model = make(rig, bodies);
    er_modes *modes = solve(model);
    bench_shapes shapes;
    assert_int_equal(bench_rival_solve(context, model, rival, 30, &shapes), ER_OK);
    assert_int_equal(shapes.dof, modes->dof);
    assert_int_equal(shapes.rigid, modes->rigid_count);
    assert_int_equal(shapes.count, modes->dof < 30 ? modes->dof : 30);
    for (int k = 0; k < shapes.count; ++k) {
        double hz = modes->mode[k].frequency_hz;
        if (k < shapes.rigid)
            assert_true(shapes.hz[k] < 1e-4 * modes->mode[shapes.rigid].frequency_hz); // 7.5e-6
        else
            assert_true(fabs(shapes.hz[k] / hz - 1.0) < 1e-9); // 1.3e-11 of the source, 5.1e-12, 3.4e-13
    }
    shapes_are_modes(model, &shapes);
    bench_shapes_free(&shapes);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void rivals_find_the_modes_of_trees(void **state)
{
    for (int rig = BENCH_CHAIN; rig <= BENCH_CHARACTER; ++rig)
        for (int rival = BENCH_SOURCE; rival <= BENCH_DSYEVD; ++rival) {
            agrees((bench_rig)rig, 4, (bench_rival)rival);
            agrees((bench_rig)rig, 24, (bench_rival)rival);
        }
}

static void the_source_way_finds_the_modes_of_loops(void **state)
{
    agrees(BENCH_NET, 24, BENCH_SOURCE);
    agrees(BENCH_CURTAIN, 24, BENCH_SOURCE);
}

// Two bodies on prismatic and revolute joints, the second joint pointing from its lower body to its upper one, hung
// from the world: no roots to condense, and a joint crossed from its child.
static void rivals_cross_joints_both_ways(void **state)
{
    er_body body[2] = {
        {.mass = 2.0, .com = {0.1, 0.2, 0}, .inertia = er_m3_identity(), .pose = er_pose_identity()},
        {.mass = 3.0, .com = {0, 0.3, 0.1}, .inertia = er_m3_identity(), .pose = {{0.6, 0, 0.8, 0}, {1, 0, 2}}}};
    er_joint joint[2] = {
        {.parent = -1, .child = 0, .type = ER_JOINT_CYLINDRICAL, .frame = er_pose_identity(), .stiffness = {5, 7}},
        {.parent = 1,
         .child = 0,
         .type = ER_JOINT_SPHERICAL,
         .frame = {{0.8, 0.6, 0, 0}, {0.5, 0, 1}},
         .stiffness = {1, 2, 3}}};
    er_model_def def = er_default_model_def();
    def.body_count = def.joint_count = 2;
    def.body = body;
    def.joint = joint;
    er_model *model = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    er_modes *modes = solve(model);
    for (int rival = BENCH_SOURCE; rival <= BENCH_DSYEVD; ++rival) {
        bench_shapes shapes;
        assert_int_equal(bench_rival_solve(context, model, (bench_rival)rival, 100, &shapes), ER_OK);
        assert_int_equal(shapes.count, 5);
        for (int k = 0; k < 5; ++k)
            assert_true(fabs(shapes.hz[k] / modes->mode[k].frequency_hz - 1.0) < 1e-12); // 2.3e-15
        shapes_are_modes(model, &shapes);
        bench_shapes_free(&shapes);
    }
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void rivals_say_what_they_cannot_solve(void **state)
{
    bench_shapes shapes;
    er_model *net = make(BENCH_NET, 12);
    assert_int_equal(bench_rival_solve(context, net, BENCH_DSYEVD, 5, &shapes), ER_ERROR_RIG);
    assert_string_equal(shapes.why, "the rig has loops");
    bench_shapes_free(&shapes);
    er_model_def def = er_default_model_def();
    def.body_count = net->body_count;
    def.body = net->body;
    er_joint *joint = malloc((size_t)net->joint_count * sizeof *joint);
    assert_non_null(joint);
    memcpy(joint, net->joint, (size_t)net->joint_count * sizeof *joint);
    joint[1].stiffness[2] = 0.0;
    def.joint = joint;
    def.joint_count = net->joint_count;
    er_model *springless = NULL;
    assert_int_equal(er_model_create(context, &def, &springless), ER_OK);
    assert_int_equal(bench_rival_solve(context, springless, BENCH_SOURCE, 5, &shapes), ER_ERROR_RIG);
    assert_string_equal(shapes.why, "a joint has no stiffness");
    bench_shapes_free(&shapes);
    free(joint);
    er_model_destroy(springless);
    er_model_destroy(net);
}

// A mix of all elastic modes out of step, at times that no block is a whole number of.
static void the_poser_poses_as_the_library_does(void **state)
{
    enum { BODIES = 24, COMPONENTS = 40, TIMES = 131 };
    static float pose[TIMES * BODIES * 7];
    static er_pose exact[TIMES * BODIES];
    for (int rig = BENCH_CHAIN; rig <= BENCH_CHARACTER; ++rig) {
        er_model *model = make((bench_rig)rig, BODIES);
        er_modes *modes = solve(model);
        er_mix_component component[COMPONENTS];
        double time[TIMES];
        for (int v = 0; v < COMPONENTS; ++v) {
            component[v] = er_default_mix_component();
            component[v].mode = modes->rigid_count + v;
            component[v].degrees = 2.0;
            component[v].phase = v;
        }
        for (int i = 0; i < TIMES; ++i)
            time[i] = 0.037 * i;
        er_mix mix = {.name = "", .component_count = COMPONENTS, .component = component};
        er_motion *motion = NULL;
        assert_int_equal(er_motion_create(context, model, modes, &mix, NULL, &motion), ER_OK);
        bench_poser *poser = bench_poser_create(context, modes, motion);
        assert_non_null(poser);
        bench_poser_pose(poser, TIMES, time, pose);
        assert_int_equal(er_motion_poses(motion, TIMES, time, NULL, exact), ER_OK);
        for (int i = 0; i < TIMES * BODIES; ++i) {
            const float *p = pose + (ptrdiff_t)7 * i;
            er_quat q = {(double)p[0], (double)p[1], (double)p[2], (double)p[3]};
            er_vec3 at = {(double)p[4], (double)p[5], (double)p[6]};
            assert_true(er_v3_norm(er_q_log(er_q_mul(er_q_conj(exact[i].q), er_q_unit(q)))) < 1e-5); // 4.5e-7
            assert_true(er_v3_distance(at, exact[i].p) < 1e-5 * model->size);                        // 2.8e-7
        }
        bench_poser_destroy(poser);
        er_motion_destroy(motion);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rig_has_the_bodies_asked_for_and_springs_everywhere),
        cmocka_unit_test(a_square_net_has_a_loop_a_mesh),
        cmocka_unit_test(the_chain_tends_to_a_beam),
        cmocka_unit_test(sizes_and_kinds_that_are_not_are_refused),
        cmocka_unit_test(rivals_find_the_modes_of_trees),
        cmocka_unit_test(the_source_way_finds_the_modes_of_loops),
        cmocka_unit_test(rivals_cross_joints_both_ways),
        cmocka_unit_test(rivals_say_what_they_cannot_solve),
        cmocka_unit_test(the_poser_poses_as_the_library_does),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
