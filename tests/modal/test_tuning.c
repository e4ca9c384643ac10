// Stiffness by result: frequencies solved again from the tuned joints, the conditions of the least change, aims that
// cannot be met.
#include <math.h>
#include <string.h>

#include <eigenrig/modal.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/forest.h"
#include "support/judge.h"

enum { LINKS = 9, MOST = 64 };

// A tree that forks, of random masses and springs: a trunk of three, two limbs of three.
static er_model *make_tree(uint32_t seed, bool twins)
{
    er_body body[LINKS];
    er_joint joint[LINKS];
    dice d = {.state = seed};
    er_model_def def = er_default_model_def();
    for (int i = 0; i < LINKS; ++i) {
        int limb = i < 3 ? 0 : i < 6 ? -1 : 1, along = i < 3 ? i : (i - 3) % 3;
        double size = twins && limb > 0 ? body[i - 3].mass : 0.5 + dice_uniform(&d, 0.0, 1.0);
        body[i] = er_default_body();
        body[i].mass = size;
        body[i].com = limb == 0 ? er_v3(0, 0.1, 0) : er_v3(0.1 * limb, 0.02, 0.0);
        double I = 2e-3 * size;
        body[i].inertia = (er_mat3){{{I, 0, 0}, {0, 1.3 * I, 0}, {0, 0, 1.1 * I}}};
        body[i].pose.p = limb == 0 ? er_v3(0, 0.2 * along, 0) : er_v3(limb * (0.05 + 0.2 * along), 0.6, 0.0);
        joint[i] = er_default_joint();
        joint[i].parent = i == 3 || i == 6 ? 2 : i - 1;
        joint[i].child = i;
        joint[i].type = (i < 6 ? i : i - 3) % 2 == 0 ? ER_JOINT_SPHERICAL : ER_JOINT_UNIVERSAL;
        joint[i].frame.p = body[i].pose.p;
        for (int c = 0; c < er_joint_type_freedom(joint[i].type, NULL); ++c)
            joint[i].stiffness[c] =
                twins && limb > 0 ? joint[i - 3].stiffness[c] : 5.0 + 20.0 * dice_uniform(&d, 0.0, 1.0);
    }
    def.body_count = def.joint_count = LINKS;
    def.body = body;
    def.joint = joint;
    er_model *model = NULL;
    if (er_model_create(context, &def, &model) != ER_OK) fail_msg("%s", er_context_error(context));
    return model;
}

static er_modes *solve(const er_model *m)
{
    er_modes *modes = NULL;
    if (er_modal_solve(context, m, NULL, &modes) != ER_OK) fail_msg("%s", er_context_error(context));
    return modes;
}

// The model with its joints' stiffness times the factors.
static er_model *tuned(const er_model *m, const double *factor)
{
    er_joint joint[LINKS];
    er_model_def def = er_default_model_def();
    er_model *out = NULL;
    for (int k = 0; k < m->joint_count; ++k) {
        joint[k] = m->joint[k];
        for (int c = 0; c < 6; ++c)
            joint[k].stiffness[c] *= factor[k];
    }
    def.body_count = m->body_count;
    def.body = m->body;
    def.joint_count = m->joint_count;
    def.joint = joint;
    assert_int_equal(er_model_create(context, &def, &out), ER_OK);
    return out;
}

static er_tuning *tune(const er_model *m, const er_modes *modes, int count, const er_tune_aim *aim, const bool *joint)
{
    er_tuning *out = NULL;
    const er_tune_def def = {modes, count, aim, joint};
    if (er_tuning_create(context, m, &def, &out) != ER_OK) fail_msg("%s", er_context_error(context));
    return out;
}

// How far logarithms of factors are from sums of the shares of strain of some modes, over their size: 0 at the least
// change. By Gram and Schmidt.
static double off_least(const er_model *m, const er_modes *modes, const er_tuning *t, int count)
{
    double base[MOST][LINKS], f[LINKS], size = 0.0, left = 0.0;
    for (int k = 0; k < LINKS; ++k)
        f[k] = log(t->factor[k]), size += f[k] * f[k];
    for (int i = 0; i < count; ++i) {
        er_mode_joint_shares(m, er_modes_find(modes, t->mode[i].now), base[i]);
        for (int pass = 0; pass < 2; ++pass)
            for (int j = 0; j < i; ++j) {
                double along = 0.0;
                for (int k = 0; k < LINKS; ++k)
                    along += base[i][k] * base[j][k];
                for (int k = 0; k < LINKS; ++k)
                    base[i][k] -= along * base[j][k];
            }
        double norm = 0.0, along = 0.0;
        for (int k = 0; k < LINKS; ++k)
            norm += base[i][k] * base[i][k];
        for (int k = 0; k < LINKS; ++k) {
            base[i][k] /= sqrt(norm);
            along += base[i][k] * f[k];
        }
        for (int k = 0; k < LINKS; ++k)
            f[k] -= along * base[i][k];
    }
    for (int k = 0; k < LINKS; ++k)
        left += f[k] * f[k];
    return sqrt(left / size);
}

static void frequencies_are_those_asked_for(void **state)
{
    int least = 0;
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        er_model *m = make_tree(seed, seed % 4 == 0);
        er_modes *modes = solve(m);
        dice d = {.state = seed};
        er_tune_aim aim[3];
        int count = 1 + (int)(seed % 3);
        for (int i = 0; i < count; ++i) {
            int mode = 4 * i + (int)(seed % 2);
            aim[i] =
                (er_tune_aim){mode, modes->mode[mode].frequency_hz * (0.7 + 0.8 * dice_uniform(&d, 0.0, 1.0)), false};
        }
        er_tuning *t = tune(m, modes, count, aim, NULL);
        er_model *now = tuned(m, t->factor);
        er_modes *again = solve(now);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(again->mode[t->mode[i].now].frequency_hz / aim[i].hz - 1.0) < 1e-9);
            assert_true(fabs(t->mode[i].hz / aim[i].hz - 1.0) < 1e-9);
        }
        assert_true(t->miss == 0.0 && t->solves < 100);
        least += off_least(now, again, t, count) < 1e-3; // where modes nearly meet it is not found
        er_modes_destroy(again);
        er_model_destroy(now);
        er_tuning_destroy(t);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
    assert_true(least >= 16);
}

// A mode that passes its neighbours keeps its shape; its index changes.
static void a_mode_is_followed_through_others(void **state)
{
    er_model *m = make_tree(3, false);
    er_modes *modes = solve(m);
    const er_tune_aim aim = {0, 1.3 * modes->mode[3].frequency_hz, false};
    er_tuning *t = tune(m, modes, 1, &aim, NULL);
    assert_true(t->miss == 0.0 && t->mode[0].now > 0 && t->mode[0].likeness > 0.5);
    er_tuning_destroy(t);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

static void at_least_changes_only_what_is_below(void **state)
{
    er_model *m = make_tree(5, false);
    er_modes *modes = solve(m);
    er_tune_aim aim[2] = {{0, 0.5 * modes->mode[0].frequency_hz, true}, {1, 0.9 * modes->mode[1].frequency_hz, true}};
    er_tuning *t = tune(m, modes, 2, aim, NULL);
    for (int k = 0; k < LINKS; ++k)
        assert_true(t->factor[k] == 1.0);
    er_tuning_destroy(t);
    aim[0].hz = 1.4 * modes->mode[0].frequency_hz;
    t = tune(m, modes, 2, aim, NULL);
    assert_true(fabs(t->mode[0].hz / aim[0].hz - 1.0) < 1e-9 && t->mode[1].hz >= aim[1].hz && t->miss == 0.0);
    er_tuning_destroy(t);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// One joint cannot serve two modes: the least sum of squares, in which both are off to opposite sides.
static void what_cannot_be_met_is_met_as_nearly_as_can_be(void **state)
{
    er_model *m = make_tree(7, false);
    er_modes *modes = solve(m);
    bool joint[LINKS] = {false};
    double share[2][LINKS], slope = 0.0;
    joint[0] = true;
    const er_tune_aim aim[2] = {{0, 1.1 * modes->mode[0].frequency_hz, false},
                                {1, 0.9 * modes->mode[1].frequency_hz, false}};
    er_tuning *t = tune(m, modes, 2, aim, joint);
    assert_true(t->miss > 0.01);
    for (int k = 1; k < LINKS; ++k)
        assert_true(t->factor[k] == 1.0);
    er_model *now = tuned(m, t->factor);
    er_modes *again = solve(now);
    for (int i = 0; i < 2; ++i) {
        er_mode_joint_shares(now, er_modes_find(again, t->mode[i].now), share[i]);
        slope += share[i][0] * log(aim[i].hz / t->mode[i].hz);
    }
    assert_true(fabs(slope) < 1e-6);
    er_modes_destroy(again);
    er_model_destroy(now);
    er_tuning_destroy(t);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

static void wrong_aims_are_refused(void **state)
{
    er_model *m = make_tree(7, false);
    er_modes *modes = solve(m);
    er_tuning *t = NULL;
    const bool none[LINKS] = {false};
    const er_tune_aim bad[][2] = {
        {{99, 1.0, false}}, {{0, 0.0, false}}, {{0, NAN, false}}, {{0, 1.0, false}, {0, 2.0, true}}};
    const char *named[] = {"99", "0", "nan", "0"};
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        const er_tune_def def = {modes, i == 3 ? 2 : 1, bad[i], NULL};
        assert_refusal(context, er_tuning_create(context, m, &def, &t), ER_ERROR_ARGUMENT, named[i]);
    }
    const er_tune_aim good = {0, 1.0, false};
    const er_tune_def unchanged = {modes, 1, &good, none};
    assert_refusal(context, er_tuning_create(context, m, &unchanged, &t), ER_ERROR_ARGUMENT, "joint");
    assert_null(t);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_those_asked_for),
        cmocka_unit_test(a_mode_is_followed_through_others),
        cmocka_unit_test(at_least_changes_only_what_is_below),
        cmocka_unit_test(what_cannot_be_met_is_met_as_nearly_as_can_be),
        cmocka_unit_test(wrong_aims_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
