// The routes on a spanning tree against the dense ones, closed forms and the judge: random trees of up to forty bodies,
// long chains, symmetric rigs, extremes.
#include "reference.h"
#include "support/context.h"
#include "support/forest.h"

#include <limits.h>
#include <string.h>

static const er_modal_method routes[] = {ER_MODAL_TREE, ER_MODAL_SPARSE, ER_MODAL_AUTO};

static er_modal_def lowest(er_modal_method method, int count)
{
    er_modal_def def = er_default_modal_def();
    def.method = method;
    def.mode_count = count;
    return def;
}

// ---- random trees

static const char *const random_names[][2] = {{"random trees by tree, Hz", "random trees by tree, shapes"},
                                              {"random trees by sparse, Hz", "random trees by sparse, shapes"},
                                              {"random trees by auto, Hz", "random trees by auto, shapes"}};

static void counts_are_known(const reference *ref, const er_model *model)
{
    forest_counts n = forest_count(model);
    assert_int_equal(ref->rigid, n.rigid);
    assert_int_equal(ref->mechanism, n.mechanism);
    assert_int_equal(ref->count, n.rigid + n.mechanism + n.elastic);
}

static void promises_hold(const judge *j, const er_modes *modes)
{
    measure_at_most("judge: G eta", judge_constraint(j, modes), 1e-10);
    measure_at_most("judge: eta'M eta - 1", judge_gram(j, modes), 1e-9);
    measure_at_most("judge: pencil", judge_pencil(j, modes), 1e-9);
    measure_at_most("judge: joint - R eta", judge_joint(j, modes), 1e-10);
    measure_at_most("judge: eta'K eta - lambda", judge_rayleigh(j, modes), 1e-9);
    measure_at_most("judge: Hz", judge_frequency(j, modes), 1e-9);
}

static void random_trees(unsigned long long seed, int count, int least, int most, bool judged)
{
    dice d = {seed};
    for (int trial = 0; trial < trials(count); ++trial) {
        rig r;
        rig_forest(&r, &d, least + dice_below(&d, most - least + 1), false);
        er_model *model = rig_model(context, &r);
        int some = 1 + dice_below(&d, 2 * r.body_count);
        forest_counts n = forest_count(model);
        if (n.rigid + n.mechanism + n.elastic > 0) {
            reference ref = reference_by(context, model, ER_MODAL_SVD);
            counts_are_known(&ref, model);
            judge *j = judged ? judge_create(model) : NULL;
            for (int m = 0; m < 3; ++m)
                for (int part = 0; part < 2; ++part) {
                    er_modal_def def = lowest(routes[m], part == 0 ? 0 : some);
                    reference_judge(context, random_names[m], &ref, model, &def);
                    if (part == 1 || !judged) continue;
                    er_modes *modes = rig_modes(context, model, routes[m]);
                    promises_hold(j, modes);
                    er_modes_destroy(modes);
                }
            if (judged) judge_destroy(j);
            reference_destroy(&ref);
        }
        er_model_destroy(model);
    }
}

static void small_random_trees_have_the_modes_of_svd(void **state)
{
    random_trees(701, 200, 1, 9, true);
}

static void larger_random_trees_have_the_modes_of_svd(void **state)
{
    random_trees(702, 60, 10, 20, false);
    random_trees(703, 10, 21, 40, false);
}

// ---- chains

// Discs on a shaft: omega_i = 2 sqrt(k / I) sin(i pi / 2n) where it is free, sin((2 i + 1) pi / (4 n + 2)) where an end
// is held.
static void torsion_shafts_have_their_closed_form(void **state)
{
    dice d = {711};
    const int sizes[] = {2, 9, 60, 200};
    for (int i = 0; i < 4; ++i)
        for (int held = 0; held < 2; ++held)
            for (int m = 0; m < 3; ++m) {
                int n = sizes[i], first = held ? 0 : 1;
                rig r = {0};
                er_pose shaft = dice_pose(&d);
                for (int k = 0; k < n; ++k) {
                    er_pose pose = {shaft.q, er_pose_point(shaft, er_v3(0, 0, 0.1 * k))};
                    rig_add_body(&r, 0.5, er_v3(0.02, 0.02, 0.03), pose.q, pose.p, pose);
                    if (k > 0 || held) rig_add_joint(&r, ER_JOINT_REVOLUTE, k - 1, k, pose)->stiffness[0] = 700.0;
                }
                er_model *model = rig_model(context, &r);
                er_modes *modes = rig_modes(context, model, routes[m]);
                assert_int_equal(modes->rigid_count, held ? 0 : 6);
                assert_int_equal(modes->count, n + (held ? 0 : 5));
                for (int k = first; k < n; ++k) {
                    double angle = held ? (2 * k + 1) * ER_PI / (4 * n + 2) : k * ER_PI / (2 * n);
                    double hz = sqrt(700.0 / 0.03) * sin(angle) / ER_PI;
                    measure_at_most("torsion shafts, Hz",
                                    relative_error(modes->mode[k + (held ? 0 : 5)].frequency_hz, hz), 1e-11);
                }
                er_modes_destroy(modes);
                er_model_destroy(model);
            }
}

enum { PLANAR, ZIGZAG, CROSSED, CIRCULAR };

// A chain of n rods: hinged in a plane; of balls, its links turned at random; likewise, every other joint crossed from
// child to parent; straight, of circular section, so that all bending is double.
static void chain(rig *r, dice *d, int shape, int n, bool held)
{
    memset(r, 0, sizeof *r);
    er_pose pose = dice_pose(d);
    for (int i = 0; i < n; ++i) {
        double l = shape == PLANAR || shape == CIRCULAR ? 0.1 : dice_uniform(d, 0.05, 0.15), m = 4.0 * l;
        if (shape == ZIGZAG || shape == CROSSED) pose.q = er_q_mul(pose.q, er_q_exp(er_v3_scale(0.3, dice_vec3(d))));
        rig_add_body(r, m, er_v3(0.02 * m * l * l, m * l * l / 12, m * l * l / 12), pose.q,
                     er_pose_point(pose, er_v3(0.5 * l, 0, 0)), pose);
        if (i > 0 || held) {
            bool crossed = shape == CROSSED && i % 2 == 1;
            er_joint *j = rig_add_joint(r, shape == PLANAR ? ER_JOINT_REVOLUTE : ER_JOINT_SPHERICAL,
                                        crossed ? i : i - 1, crossed ? i - 1 : i, pose);
            for (int c = 0; c < er_joint_type_freedom(j->type, NULL); ++c)
                j->stiffness[c] = shape == CIRCULAR && c == 0 ? 40.0 : 30.0;
        }
        pose.p = er_pose_point(pose, er_v3(l, 0, 0));
    }
}

static const char *const chain_names[][2] = {{"chains by tree, Hz", "chains by tree, shapes"},
                                             {"chains by sparse, Hz", "chains by sparse, shapes"},
                                             {"chains by auto, Hz", "chains by auto, shapes"}};

// High modes of a chain so long that its eigenvalues spread over 1e10 keep their frequencies, but less of their shapes:
// by every route, so that there is none to judge them to 1e-6 (tree and sparse came as far as 1e-5 from qr).
static void long_chain(dice *d, int shape, int n, bool held, er_modal_method trusted)
{
    rig r;
    chain(&r, d, shape, n, held);
    er_model *model = rig_model(context, &r);
    reference ref = reference_by(context, model, trusted);
    counts_are_known(&ref, model);
    for (int m = 0; m < 3; ++m)
        for (int part = 0; part < 2; ++part) {
            er_modal_def def = lowest(routes[m], part == 0 ? 0 : n / 2 + 1);
            const char *const what[2] = {chain_names[m][0], n >= 200 ? NULL : chain_names[m][1]};
            reference_judge(context, what, &ref, model, &def);
        }
    reference_destroy(&ref);
    er_model_destroy(model);
}

static void long_chains_keep_every_frequency(void **state)
{
    dice d = {712};
    for (int shape = PLANAR; shape <= CIRCULAR; ++shape)
        for (int held = 0; held < 2; ++held)
            long_chain(&d, shape, 20, held, ER_MODAL_SVD);
    long_chain(&d, CROSSED, 60, false, ER_MODAL_QR);
    long_chain(&d, PLANAR, 60, true, ER_MODAL_QR);
    long_chain(&d, PLANAR, 200, false, ER_MODAL_QR);
}

// ---- symmetric rigs

static const char *const symmetric_names[][2] = {{"symmetric rigs by tree, Hz", "symmetric rigs by tree, shapes"},
                                                 {"symmetric rigs by sparse, Hz", "symmetric rigs by sparse, shapes"},
                                                 {"symmetric rigs by auto, Hz", "symmetric rigs by auto, shapes"}};

// k arms of two links round a hub.
static void star(rig *r, int arms, bool held)
{
    memset(r, 0, sizeof *r);
    er_pose hub = er_pose_identity();
    rig_add_body(r, 2, er_v3(0.3, 0.3, 0.5), hub.q, hub.p, hub);
    if (held) rig_add_joint(r, ER_JOINT_SPHERICAL, -1, 0, hub)->stiffness[2] = 7.0;
    for (int i = 0; i < arms; ++i) {
        er_quat turn = er_q_exp(er_v3(0, 0, 2 * ER_PI * i / arms));
        for (int k = 0; k < 2; ++k) {
            er_pose pose = {turn, er_q_rotate(turn, er_v3(0.2 + 0.3 * k, 0, 0))};
            int b =
                rig_add_body(r, 0.5, er_v3(0.001, 0.004, 0.004), turn, er_pose_point(pose, er_v3(0.15, 0, 0)), pose);
            er_joint *j =
                rig_add_joint(r, k == 0 ? ER_JOINT_SPHERICAL : ER_JOINT_UNIVERSAL, k == 0 ? 0 : b - 1, b, pose);
            for (int c = 0; c < 2 + (k == 0); ++c)
                j->stiffness[c] = 5.0 + 2 * c + 3 * k;
        }
    }
}

static void equal_arms_have_equal_multiplicities(void **state)
{
    for (int arms = 2; arms <= 12; ++arms)
        for (int held = 0; held < 2; ++held) {
            rig r;
            star(&r, arms, held);
            er_model *model = rig_model(context, &r);
            reference ref = reference_by(context, model, ER_MODAL_SVD);
            counts_are_known(&ref, model);
            for (int m = 0; m < 3; ++m)
                for (int part = 0; part < 3; ++part) {
                    er_modal_def def = lowest(routes[m], part == 0 ? 0 : part == 1 ? ref.rigid + arms : ref.count / 2);
                    reference_judge(context, symmetric_names[m], &ref, model, &def);
                }
            reference_destroy(&ref);
            er_model_destroy(model);
        }
}

// As many trees like one, side by side: clusters of as many, and each mode of the one as many times.
static void forest_of(rig *r, const rig *one, int count)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < count; ++i) {
        int first = r->body_count;
        er_vec3 aside = er_v3(0.7 * i, 0.1 * (i % 3), 0);
        for (int b = 0; b < one->body_count; ++b) {
            r->body[r->body_count] = one->body[b];
            r->body[r->body_count].pose.p = er_v3_add(one->body[b].pose.p, aside);
            ++r->body_count;
        }
        for (int k = 0; k < one->joint_count; ++k) {
            er_joint *j = &r->joint[r->joint_count++];
            *j = one->joint[k];
            j->frame.p = er_v3_add(j->frame.p, aside);
            j->child += first;
            if (j->parent >= 0) j->parent += first;
        }
    }
}

static void identical_trees_repeat_every_mode(void **state)
{
    dice d = {721};
    const int counts[] = {2, 5, 8, 11};
    for (int i = 0; i < 4; ++i)
        for (int trial = 0; trial < 3; ++trial) {
            rig one, r;
            do
                rig_forest(&one, &d, 2 + dice_below(&d, 4), false);
            while (one.joint_count < one.body_count - 1 + trial % 2); // one tree, free or held
            forest_of(&r, &one, counts[i]);
            er_model *single = rig_model(context, &one), *model = rig_model(context, &r);
            reference of_one = reference_by(context, single, ER_MODAL_SVD), ref = reference_repeat(&of_one, counts[i]);
            counts_are_known(&ref, model);
            for (int m = 0; m < 3; ++m)
                for (int part = 0; part < 2; ++part) {
                    er_modal_def def = lowest(routes[m], part == 0 ? 0 : ref.rigid + ref.mechanism + counts[i] + 3);
                    reference_judge(context, symmetric_names[m], &ref, model, &def);
                }
            reference_destroy(&of_one);
            reference_destroy(&ref);
            er_model_destroy(single);
            er_model_destroy(model);
        }
}

// ---- extremes

// Modes are all there and finite, and orthonormal to the tolerance, or refused with a sentence.
static er_result solve_extreme(const rig *r, er_modal_method method, double tolerance)
{
    er_model_def rig_def = er_default_model_def();
    rig_def.body_count = r->body_count;
    rig_def.body = r->body;
    rig_def.joint_count = r->joint_count;
    rig_def.joint = r->joint;
    er_modal_def def = lowest(method, 0);
    er_model *model = NULL;
    er_modes *modes = NULL;
    er_result result = er_model_create(context, &rig_def, &model);
    if (result == ER_OK) result = er_modal_solve(context, model, &def, &modes);
    if (result != ER_OK) {
        assert_null(modes);
        assert_true(result == ER_ERROR_RIG || result == ER_ERROR_NO_CONVERGENCE || result == ER_ERROR_NOT_POSDEF);
        assert_string_not_equal(er_context_error(context), "");
    } else {
        forest_counts n = forest_count(model);
        assert_int_equal(modes->rigid_count, n.rigid);
        assert_int_equal(modes->mechanism_count, n.mechanism);
        assert_int_equal(modes->count, n.rigid + n.mechanism + n.elastic);
        for (int k = 0; k < modes->count; ++k) {
            assert_true(isfinite(modes->mode[k].eigenvalue) && isfinite(modes->mode[k].damping_ratio));
            assert_true((modes->mode[k].eigenvalue > 0.0) == (modes->mode[k].kind == ER_MODE_ELASTIC));
            for (int i = 0; i < 6 * model->body_count; ++i)
                assert_true(isfinite(modes->mode[k].body[i]));
            for (int i = 0; i < model->coordinate_count; ++i)
                assert_true(isfinite(modes->mode[k].joint[i]));
        }
        assert_true(modes->residuals.gram <= tolerance);
        measure_at_most("extremes, constraint", modes->residuals.constraint, 1e-10);
    }
    er_modes_destroy(modes);
    er_model_destroy(model);
    return result;
}

static void scale_masses(rig *r, double by)
{
    for (int i = 0; i < r->body_count; ++i) {
        r->body[i].mass *= by;
        r->body[i].inertia = er_m3_madd((er_mat3){0}, by, r->body[i].inertia);
    }
}

static void scale_springs(rig *r, double by)
{
    for (int k = 0; k < r->joint_count; ++k)
        for (int c = 0; c < 6; ++c)
            r->joint[k].stiffness[c] *= by;
}

// The whole rig in other units: always solved.
static void units_do_not_matter(void **state)
{
    dice d = {731};
    int fine = 0;
    for (int trial = 0; trial < trials(150); ++trial)
        for (int m = 0; m < 2; ++m) {
            rig r;
            dice again = d;
            rig_forest(&r, &d, 1 + dice_below(&d, 9), false);
            scale_masses(&r, pow(10, dice_uniform(&d, -40, 40)));
            scale_springs(&r, pow(10, dice_uniform(&d, -40, 40)));
            er_result result = solve_extreme(&r, routes[m], 1e-9);
            fine += result == ER_OK;
            if (result != ER_OK && strstr(er_context_error(context), "motion") == NULL)
                fail_msg("%s refuses: %s", er_modal_method_name(routes[m]), er_context_error(context));
            if (m == 0) d = again;
        }
    assert_true(fine > trials(200));
}

// Springs and masses from 1e-50 to 1e50 side by side: solved or refused.
static void wild_numbers_solve_or_are_refused(void **state)
{
    dice d = {732};
    for (int trial = 0; trial < trials(200); ++trial)
        for (int m = 0; m < 2; ++m) {
            rig r;
            dice again = d;
            rig_forest(&r, &d, 1 + dice_below(&d, 9), false);
            double reach = trial % 4 < 2 ? 12.0 : 45.0;
            for (int k = 0; k < r.joint_count; ++k)
                for (int c = 0; c < 6; ++c)
                    r.joint[k].stiffness[c] *= pow(10, dice_uniform(&d, -1, 1) * reach);
            for (int i = 0; i < r.body_count && trial % 2 == 1; ++i) {
                double by = pow(10, dice_uniform(&d, -1, 1) * reach);
                r.body[i].mass *= by;
                r.body[i].inertia = er_m3_madd((er_mat3){0}, by, r.body[i].inertia);
            }
            solve_extreme(&r, routes[m], HUGE_VAL); // what is left of digits, the residuals tell
            if (m == 0) d = again;
        }
}

static void rigs_without_springs_or_joints_are_solved(void **state)
{
    dice d = {733};
    for (int m = 0; m < 3; ++m) {
        rig r = {0};
        rig_throw_body(&r, &d, 1, er_v3(1, 2, 2.5)); // one body
        assert_int_equal(solve_extreme(&r, routes[m], 1e-12), ER_OK);
        rig_throw_body(&r, &d, 1e-50, er_v3(1e-50, 1e-50, 1e-50)); // another
        assert_int_equal(solve_extreme(&r, routes[m], 1e-12), ER_OK);
        rig_add_joint(&r, ER_JOINT_FIXED, 0, 1, dice_pose(&d)); // one body again
        assert_int_equal(solve_extreme(&r, routes[m], 1e-12), ER_OK);
        rig_add_joint(&r, ER_JOINT_FIXED, -1, 0, dice_pose(&d)); // held
        assert_int_equal(solve_extreme(&r, routes[m], 1e-12), ER_ERROR_RIG);
        for (int trial = 0; trial < trials(20); ++trial) { // mechanisms and nothing else
            rig_forest(&r, &d, 3 + dice_below(&d, 12), false);
            scale_springs(&r, 0.0);
            assert_int_equal(solve_extreme(&r, routes[m], 1e-12), ER_OK);
        }
    }
}

// ---- calls

static void the_same_call_gives_the_same_bytes(void **state)
{
    dice d = {741};
    for (int trial = 0; trial < 12; ++trial) {
        rig r;
        rig_forest(&r, &d, 4 + dice_below(&d, 40), false);
        er_model *model = rig_model(context, &r);
        er_modal_def def = lowest(routes[trial % 3], trial % 4 == 0 ? 0 : 10);
        er_modes *a = NULL, *b = NULL;
        er_context *other = NULL;
        assert_int_equal(er_context_create(NULL, &other), ER_OK);
        assert_int_equal(er_modal_solve(context, model, &def, &a), ER_OK);
        assert_int_equal(er_modal_solve(other, model, &def, &b), ER_OK);
        assert_int_equal(a->count, b->count);
        for (int k = 0; k < a->count; ++k) {
            assert_memory_equal(&a->mode[k].eigenvalue, &b->mode[k].eigenvalue, sizeof(double));
            assert_memory_equal(a->mode[k].body, b->mode[k].body, 6 * (size_t)model->body_count * sizeof(double));
            assert_memory_equal(a->mode[k].joint, b->mode[k].joint, (size_t)model->coordinate_count * sizeof(double));
        }
        assert_memory_equal(&a->residuals, &b->residuals, sizeof a->residuals);
        er_modes_destroy(a);
        er_modes_destroy(b);
        er_context_destroy(other);
        er_model_destroy(model);
    }
}

static void any_allocation_may_fail(void **state)
{
    dice d = {742};
    rig r;
    rig_forest(&r, &d, 30, false);
    r.joint[0].damping[0] = 0.1;
    for (int m = 0; m < 4; ++m) {
        er_modal_def def = lowest(routes[m % 2], m < 2 ? 0 : 12);
        assert_true(solve_starved(&r, &def) > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_random_trees_have_the_modes_of_svd),
        cmocka_unit_test(larger_random_trees_have_the_modes_of_svd),
        cmocka_unit_test(torsion_shafts_have_their_closed_form),
        cmocka_unit_test(long_chains_keep_every_frequency),
        cmocka_unit_test(equal_arms_have_equal_multiplicities),
        cmocka_unit_test(identical_trees_repeat_every_mode),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(wild_numbers_solve_or_are_refused),
        cmocka_unit_test(rigs_without_springs_or_joints_are_solved),
        cmocka_unit_test(the_same_call_gives_the_same_bytes),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("routes", tests, set_up, tear_down);
}
