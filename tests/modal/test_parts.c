// Linkages beside each other, by all routes: how small residuals are must not depend on the kernels that BLAS chose, so
// test_kernels.py runs this program under several of them.
#include "loop_routes.h"
#include "support/context.h"
#include "support/forest.h"

static void weigh_anew(er_body *b, double factor)
{
    b->mass *= factor;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            b->inertia.m[i][k] *= factor;
}

// The same linkage of the same stuff at another scale, with springs that keep its frequencies.
static void shrink(rig *r, double s)
{
    rig_scale(r, s);
    for (int i = 0; i < r->body_count; ++i)
        weigh_anew(&r->body[i], s * s * s);
    for (int k = 0; k < r->joint_count; ++k)
        for (int c = 0; c < 6; ++c)
            r->joint[k].stiffness[c] *= pow(s, 5);
}

static void put_beside(rig *r, const rig *other)
{
    int first = r->body_count;
    for (int i = 0; i < other->body_count; ++i)
        r->body[r->body_count++] = other->body[i];
    for (int k = 0; k < other->joint_count; ++k) {
        er_joint j = other->joint[k];
        j.child += first;
        j.parent += j.parent >= 0 ? first : 0;
        r->joint[r->joint_count++] = j;
    }
}

// How far the joints from `first` on swing, rad, in the modes that hold most of their energy in the others: the most of
// any, over the most that those do.
static double swing_beside(const er_model *model, const er_modes *modes, int first)
{
    double worst = 0.0;
    for (int k = 0; k < modes->count; ++k) {
        double energy[2] = {0}, swing[2] = {0}, share[RIG_MAX], travel[RIG_MAX];
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        er_mode_joint_shares(model, &modes->mode[k], share);
        er_mode_joint_travel(model, &modes->mode[k], travel);
        for (int j = 0; j < model->joint_count; ++j) {
            energy[j >= first] += share[j];
            swing[j >= first] = fmax(swing[j >= first], travel[j]);
        }
        if (energy[0] > energy[1]) worst = fmax(worst, swing[1] / swing[0]);
    }
    return worst;
}

static er_modes *modes_alone(const rig *r)
{
    er_model *model = rig_model(context, r);
    er_modes *modes = rig_modes(context, model, ER_MODAL_QR);
    er_model_destroy(model);
    return modes;
}

static void gap_is_the_narrowest(const er_modes *both, const er_modes *a, const er_modes *b)
{
    assert_int_equal(both->rank, a->rank + b->rank);
    assert_true(a->rank_smallest_kept < 1.0 && b->rank_smallest_kept < 1.0);
    assert_true(a->redundant_count + b->redundant_count == 0 || both->rank_largest_zero > 0.0);
    assert_true(relative_error(both->rank_smallest_kept, fmin(a->rank_smallest_kept, b->rank_smallest_kept)) < 1e-6);
    assert_true(both->rank_largest_zero <= 1.01 * fmax(a->rank_largest_zero, b->rank_largest_zero));
    assert_true(both->rank_largest_zero >= 0.99 * fmax(a->rank_largest_zero, b->rank_largest_zero));
}

// Two linkages that nothing ties to each other: the modes of one leave the other still, however light that is.
static void linkages_beside_each_other_stay_still(void **state)
{
    static const er_modal_method routes[] = {ER_MODAL_TREE, ER_MODAL_QR, ER_MODAL_SVD, ER_MODAL_SPARSE};
    static const char *const names[] = {"small swings beside large, tree", "small swings beside large, qr",
                                        "small swings beside large, svd", "small swings beside large, sparse"};
    dice d = {26};
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (int k = i % 4; k < LINKAGE_COUNT; k += 4) {
            rig large = {0}, small = {0};
            linkages[i].build(&large, &d);
            linkages[k].build(&small, &d);
            shrink(&small, 3e-4);
            int joints = large.joint_count;
            er_modes *of_large = modes_alone(&large), *of_small = modes_alone(&small);
            put_beside(&large, &small);
            er_model *model = rig_model(context, &large);
            for (int m = 0; m < 4; ++m) {
                er_modes *modes = rig_modes(context, model, routes[m]);
                assert_int_equal(modes->rigid_count, linkages[i].rigid + linkages[k].rigid);
                assert_int_equal(modes->mechanism_count, 0);
                measure_at_most(names[m], swing_beside(model, modes, joints), 3e-2);
                measure_at_most("small beside large, G eta", modes->residuals.constraint, 1e-12);
                measure_at_most("small beside large, eta'M eta - I", modes->residuals.gram, 1e-12);
                if (routes[m] == ER_MODAL_QR) gap_is_the_narrowest(modes, of_large, of_small);
                er_modes_destroy(modes);
            }
            er_modes_destroy(of_large);
            er_modes_destroy(of_small);
            er_model_destroy(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linkages_beside_each_other_stay_still),
    };
    return cmocka_run_group_tests_name("parts", tests, set_up, tear_down);
}
