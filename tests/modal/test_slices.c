// Windows of frequency and numbers of modes: every call returns a part of the full list, and says which.
#include "reference.h"
#include "support/context.h"
#include "support/forest.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const er_modal_method routes[] = {ER_MODAL_TREE, ER_MODAL_SPARSE, ER_MODAL_AUTO, ER_MODAL_QR, ER_MODAL_SVD};
static const char *const names[][2] = {{"parts by tree, Hz", "parts by tree, shapes"},
                                       {"parts by sparse, Hz", "parts by sparse, shapes"},
                                       {"parts by auto, Hz", "parts by auto, shapes"},
                                       {"parts by qr, Hz", "parts by qr, shapes"},
                                       {"parts by svd, Hz", "parts by svd, shapes"}};
enum { REDUCED_ROUTES = 3, ROUTES = 5 };

typedef struct solved {
    er_model *model;
    reference all;
} solved;

static solved solve(const rig *r)
{
    er_model *model = rig_model(context, r);
    return (solved){model, reference_by(context, model, ER_MODAL_SVD)};
}

static void forget(solved *s)
{
    reference_destroy(&s->all);
    er_model_destroy(s->model);
}

// A random rig with that many elastic modes at least.
static solved random_rig(dice *d, int bodies, int elastic)
{
    for (;;) {
        rig r;
        rig_forest(&r, d, bodies, false);
        er_model *model = rig_model(context, &r);
        bool good = forest_count(model).elastic >= elastic;
        er_model_destroy(model);
        if (good) return solve(&r);
    }
}

static void call(const solved *s, int route, int count, double min_hz, double max_hz)
{
    er_modal_def def = er_default_modal_def();
    def.method = routes[route];
    def.mode_count = count;
    def.min_hz = min_hz;
    def.max_hz = max_hz;
    reference_judge(context, names[route], &s->all, s->model, &def);
}

// Between mode k and the one before it; 0 where there is no room: nearer than `clear` of themselves.
static double edge_before(const reference *ref, int k, double clear)
{
    int zeros = ref->rigid + ref->mechanism;
    if (k < zeros || k > ref->count || zeros == ref->count) return 0.0;
    if (k == ref->count) return 2.0 * ref->hz[k - 1];
    if (k == zeros) return 0.5 * ref->hz[k];
    return ref->hz[k] - ref->hz[k - 1] > clear * ref->hz[k] ? sqrt(ref->hz[k] * ref->hz[k - 1]) : 0.0;
}

static void windows_hold_what_lies_in_them(void **state)
{
    dice d = {801};
    for (int trial = 0; trial < trials(60); ++trial) {
        solved s = random_rig(&d, 3 + dice_below(&d, 20), 3);
        int zeros = s.all.rigid + s.all.mechanism, n = s.all.count - zeros;
        for (int part = 0; part < 6; ++part) {
            int a = zeros + dice_below(&d, n + 1), b = a + dice_below(&d, s.all.count - a + 1);
            double low = part == 0 ? 0.0 : edge_before(&s.all, a, 1e-2), high = edge_before(&s.all, b, 1e-2);
            if (part == 1 || !(high > low)) high = HUGE_VAL;
            for (int m = 0; m < 3; ++m)
                call(&s, m, part % 2 == 0 ? 0 : 1 + dice_below(&d, n), low, high);
        }
        forget(&s);
    }
}

// Below all, between two, above all: no mode, and a place among the others that is right.
static void empty_windows_are_fine(void **state)
{
    dice d = {802};
    for (int trial = 0; trial < trials(20); ++trial) {
        solved s = random_rig(&d, 3 + dice_below(&d, 12), 3);
        int zeros = s.all.rigid + s.all.mechanism;
        for (int k = zeros; k <= s.all.count; ++k) {
            double edge = edge_before(&s.all, k, 1e-2);
            for (int m = 0; m < 3 && edge > 0.0; ++m) {
                call(&s, m, 0, edge, edge * (1 + 1e-9));
                call(&s, m, 3, edge, edge);
            }
        }
        forget(&s);
    }
}

// Edges so near a mode that only it tells the two sides apart.
static void edges_may_come_near_a_mode(void **state)
{
    dice d = {803};
    for (int trial = 0; trial < trials(40); ++trial) {
        solved s = random_rig(&d, 3 + dice_below(&d, 12), 3);
        for (int k = s.all.rigid + s.all.mechanism; k < s.all.count; ++k) {
            if (s.all.end[k] - s.all.begin[k] > 1) continue;
            for (int side = 0; side < 2; ++side) { // the tree's edges are exact, so far as frequencies are
                double edge = s.all.hz[k] * (side == 0 ? 1 - 1e-7 : 1 + 1e-7);
                call(&s, 0, 0, edge, HUGE_VAL);
                call(&s, 0, 0, 0.0, edge);
            }
        }
        forget(&s);
    }
}

static void any_number_of_modes_may_be_wanted(void **state)
{
    dice d = {804};
    for (int trial = 0; trial < trials(30); ++trial) {
        solved s = random_rig(&d, 2 + dice_below(&d, 14), 1);
        const int wanted[] = {1,
                              2,
                              7,
                              s.all.rigid,
                              s.all.rigid + s.all.mechanism,
                              s.all.rigid + s.all.mechanism + 1,
                              s.all.count - 1,
                              s.all.count,
                              s.all.count + 1,
                              1000,
                              INT_MAX};
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
            for (int m = 0; m < 3; ++m)
                call(&s, m, wanted[i], 0.0, HUGE_VAL);
        forget(&s);
    }
}

// Equal arms round a held hub: clusters of as many modes less one or two.
static void star(rig *r, int arms)
{
    memset(r, 0, sizeof *r);
    er_pose hub = er_pose_identity();
    rig_add_body(r, 2, er_v3(0.3, 0.3, 0.5), hub.q, hub.p, hub);
    er_joint *held = rig_add_joint(r, ER_JOINT_SPHERICAL, -1, 0, hub);
    for (int i = 0; i < 3; ++i)
        held->stiffness[i] = 7.0;
    for (int i = 0; i < arms; ++i) {
        er_quat turn = er_q_exp(er_v3(0, 0, 2 * ER_PI * i / arms));
        er_pose pose = {turn, er_q_rotate(turn, er_v3(0.2, 0, 0))};
        er_vec3 com = er_pose_point(pose, er_v3(0.15, 0, 0));
        int b = rig_add_body(r, 0.5, er_v3(0.001, 0.004, 0.004), turn, com, pose);
        er_joint *j = rig_add_joint(r, ER_JOINT_UNIVERSAL, 0, b, pose);
        j->stiffness[0] = 2.0;
        j->stiffness[1] = 5.0;
    }
}

static void clusters_may_be_cut(void **state)
{
    for (int arms = 3; arms <= 14; ++arms) {
        rig r;
        star(&r, arms);
        solved s = solve(&r);
        for (int m = 0; m < 3; ++m) {
            for (int count = 1; count <= s.all.count; ++count)
                call(&s, m, count, 0.0, HUGE_VAL);
            for (int k = 0; k < s.all.count; k = s.all.end[k]) // each cluster's window, part of it
                for (int count = 0; count <= s.all.end[k] - k; count += 2)
                    call(&s, m, count, s.all.hz[k] * (1 - 1e-4), s.all.hz[k] * (1 + 1e-4));
        }
        forget(&s);
    }
}

// The count of modes below any frequency is that of the list.
static void counts_are_those_of_the_list(void **state)
{
    dice d = {806};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig r;
        rig_forest(&r, &d, 3 + dice_below(&d, 15), trial % 2 == 1);
        er_model *model = rig_model(context, &r);
        er_modes *all = NULL;
        if (er_modal_solve(context, model, NULL, &all) == ER_OK)
            for (int k = 0; k <= all->count; ++k) {
                double from = k > 0 ? all->mode[k - 1].frequency_hz : 0.0,
                       to = k < all->count ? all->mode[k].frequency_hz : 2.0 * from;
                int count = -1;
                if (!(to > from * 1.01) || to == 0.0) continue;
                assert_int_equal(er_modal_count(context, model, from > 0.0 ? sqrt(from * to) : 0.5 * to, &count),
                                 ER_OK);
                assert_int_equal(count, k);
            }
        er_modes_destroy(all);
        er_model_destroy(model);
    }
    int count = 0;
    assert_int_equal(er_modal_count(context, NULL, 1.0, &count), ER_ERROR_ARGUMENT);
}

// A shaft of n discs on springs: w = 2 sqrt(k / I) sin(i pi / 2n), however long it is.
static void a_shaft_of_6000_discs_keeps_every_frequency(void **state)
{
    enum { DISCS = 6000 };
    static er_body body[DISCS];
    static er_joint joint[DISCS - 1];
    for (int i = 0; i < DISCS; ++i) {
        body[i] = (er_body){.mass = 1.0, .inertia = er_m3_identity(), .pose = er_pose_identity()};
        body[i].pose.p.z = 0.01 * i;
        if (i == 0) continue;
        joint[i - 1] = (er_joint){
            .parent = i - 1, .child = i, .type = ER_JOINT_REVOLUTE, .frame = body[i].pose, .stiffness = {3.0}};
        joint[i - 1].limit[0][0] = -HUGE_VAL;
        joint[i - 1].limit[0][1] = HUGE_VAL;
    }
    er_model_def def = er_default_model_def();
    def.body_count = DISCS;
    def.body = body;
    def.joint_count = DISCS - 1;
    def.joint = joint;
    er_model *model = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    er_modal_def lowest = er_default_modal_def();
    lowest.mode_count = 64;
    er_modes *modes = NULL;
    assert_int_equal(er_modal_solve(context, model, &lowest, &modes), ER_OK);
    assert_int_equal(modes->method, ER_MODAL_SPARSE);
    assert_int_equal(modes->count, 64);
    for (int i = 6; i < modes->count; ++i)
        measure_at_most(
            "shaft of 6000 discs, Hz",
            relative_error(modes->mode[i].frequency_hz, sqrt(3.0) * sin((i - 5) * ER_PI / (2.0 * DISCS)) / ER_PI),
            1e-12); // 8.3e-15
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void routes_that_factor_have_windows_too(void **state)
{
    dice d = {811};
    for (int trial = 0; trial < trials(10); ++trial) {
        solved s = random_rig(&d, 3 + dice_below(&d, 8), 3);
        int zeros = s.all.rigid + s.all.mechanism, n = s.all.count - zeros;
        for (int part = 0; part < 8; ++part) {
            int a = zeros + dice_below(&d, n + 1), b = a + dice_below(&d, s.all.count - a + 1);
            double low = part < 2 ? 0.0 : edge_before(&s.all, a, 1e-2), high = edge_before(&s.all, b, 1e-2);
            if (part == 3 || !(high > low)) high = HUGE_VAL;
            for (int m = REDUCED_ROUTES; m < ROUTES; ++m)
                call(&s, m, part % 2 == 0 ? 0 : 1 + dice_below(&d, n), low, high);
        }
        forget(&s);
    }
}

typedef struct progress {
    int calls, found, wanted;
    bool grows;
} progress;

static void note_progress(void *user, int found, int wanted)
{
    progress *p = user;
    p->grows &= found >= p->found && (p->calls == 0 || wanted == p->wanted);
    p->found = found;
    p->wanted = wanted;
    ++p->calls;
}

static void progress_ends_with_all_that_is_wanted(void **state)
{
    dice d = {812};
    for (int trial = 0; trial < 4; ++trial) {
        solved s = random_rig(&d, 40, 30);
        progress p = {.grows = true};
        er_modal_def def = er_default_modal_def();
        def.method = ER_MODAL_SPARSE;
        def.mode_count = trial == 0 ? 0 : s.all.rigid + s.all.mechanism + 8 * trial;
        def.progress = note_progress;
        def.user = &p;
        er_modes *modes;
        assert_int_equal(er_modal_solve(context, s.model, &def, &modes), ER_OK);
        assert_true(p.calls > 0);
        assert_true(p.grows);
        assert_int_equal(p.found, modes->count);
        assert_int_equal(p.wanted, modes->count);
        er_modes_destroy(modes);
        forget(&s);
    }
}

static void more_than_a_dense_matrix_holds_is_refused(void **state)
{
    static er_body body[ER_MODAL_MAX_BODIES + 1];
    for (int i = 0; i <= ER_MODAL_MAX_BODIES; ++i)
        body[i] = (er_body){.mass = 1.0, .inertia = er_m3_identity(), .pose = er_pose_identity()};
    er_model_def def = er_default_model_def();
    def.body = body;
    def.body_count = ER_MODAL_MAX_BODIES + 1;
    er_model *model = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    static const er_modal_method refused[] = {ER_MODAL_QR, ER_MODAL_SVD, ER_MODAL_TREE};
    static const char *const named[] = {"2001 bodies", "2001 bodies", "12006 coordinates"};
    for (int i = 0; i < 3; ++i) {
        er_modal_def by = er_default_modal_def();
        er_modes *modes = (er_modes *)body;
        by.method = refused[i];
        assert_refusal(context, er_modal_solve(context, model, &by, &modes), ER_ERROR_RIG, named[i]);
        assert_null(modes);
    }
    er_model_destroy(model);
}

static void frequencies_that_cannot_be_are_refused(void **state)
{
    dice d = {813};
    solved s = random_rig(&d, 4, 2);
    const double window[][2] = {{-1.0, HUGE_VAL}, {2.0, 1.0}, {HUGE_VAL, HUGE_VAL}, {NAN, HUGE_VAL}};
    for (int i = 0; i < 4; ++i) {
        er_modes *modes = NULL;
        er_modal_def def = er_default_modal_def();
        def.min_hz = window[i][0];
        def.max_hz = window[i][1];
        assert_refusal(context, er_modal_solve(context, s.model, &def, &modes), ER_ERROR_ARGUMENT, "frequency");
    }
    const double hz[] = {0.0, -1.0, HUGE_VAL, NAN};
    int count = 0;
    for (int i = 0; i < 4; ++i)
        assert_int_equal(er_modal_count(context, s.model, hz[i], &count), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_count(context, s.model, 1.0, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_count(NULL, s.model, 1.0, &count), ER_ERROR_ARGUMENT);
    forget(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_hold_what_lies_in_them),
        cmocka_unit_test(empty_windows_are_fine),
        cmocka_unit_test(edges_may_come_near_a_mode),
        cmocka_unit_test(any_number_of_modes_may_be_wanted),
        cmocka_unit_test(clusters_may_be_cut),
        cmocka_unit_test(counts_are_those_of_the_list),
        cmocka_unit_test(routes_that_factor_have_windows_too),
        cmocka_unit_test(progress_ends_with_all_that_is_wanted),
        cmocka_unit_test(more_than_a_dense_matrix_holds_is_refused),
        cmocka_unit_test(frequencies_that_cannot_be_are_refused),
        cmocka_unit_test(a_shaft_of_6000_discs_keeps_every_frequency),
    };
    return cmocka_run_group_tests_name("slices", tests, set_up, tear_down);
}
