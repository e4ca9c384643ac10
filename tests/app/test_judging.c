// How far modes are true, judged in a thread beside the session: by what er_modes_validate() says of all at once.
#include "app/session/session_validity.h"

#include <stdio.h>
#include <time.h>

#include <eigenrig/formats.h>

#include "stand.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static validity *judge_of(void)
{
    validity *v = NULL;
    stand_ok(context, validity_create(context, &v));
    return v;
}

// Judges all that is left, one call a mode.
static int judge_all(validity *v, const session *s, int first)
{
    int calls = 0;
    do {
        stand_ok(context, validity_work(v, s, true, first, HUGE_VAL));
        ++calls;
    } while (validity_done(v) < validity_all(v) && calls < 1000);
    return calls;
}

static er_validity *all_at_once(const session *s)
{
    er_validity *all = NULL;
    stand_ok(context, er_modes_validate(context, session_model(s), session_modes(s), NULL, &all));
    return all;
}

// Two hinges one after the other, and one by itself, which is true at any amplitude: fast to judge.
static session *open_hinges(void)
{
    rig r = {0};
    char path[256];
    session *s = NULL;
    for (int k = 0; k < 3; ++k) {
        er_pose at = {er_q_identity(), {0.3 * k, 0, 0}};
        rig_add_body(&r, 1.0 + k, er_v3(0.01, 0.02, 0.02), at.q, er_v3(0.3 * k + 0.15, 0.02 * k, 0), at);
        er_joint *hinge = rig_add_joint(&r, ER_JOINT_REVOLUTE, k == 1 ? 0 : -1, k, at);
        hinge->stiffness[0] = 20.0 - 5.0 * k;
    }
    er_model *model = rig_model(context, &r);
    snprintf(path, sizeof path, "%s/hinges.json", sample_folder());
    stand_ok(context, er_rig_file_write(context, model, path));
    er_model_destroy(model);
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, path, NULL));
    return s;
}

static void expect_same(const validity *v, const er_validity *all)
{
    for (int k = 0; k < all->count; ++k) {
        double degrees = NAN;
        bool at_least = !all->mode[k].at_least;
        assert_true(validity_find(v, all->mode[k].mode, &degrees, &at_least));
        assert_true(degrees == all->mode[k].true_to_degrees);
        assert_int_equal(at_least, all->mode[k].at_least);
    }
}

static void each_mode_is_judged_as_among_all(void **state)
{
    session *s = open_hinges();
    validity *v = judge_of();
    er_validity *all = all_at_once(s);
    double degrees;
    bool at_least;
    assert_true(all->count > 1);
    assert_false(validity_find(v, all->mode[0].mode, &degrees, &at_least));
    assert_int_equal(judge_all(v, s, -1), all->count);
    assert_int_equal(validity_all(v), all->count);
    expect_same(v, all);
    assert_false(validity_find(v, -1, &degrees, &at_least));
    assert_false(validity_find(v, 10000, &degrees, &at_least));
    er_validity_destroy(all);
    validity_destroy(v);
    session_destroy(s);
}

static void the_mode_that_is_asked_for_comes_first(void **state)
{
    session *s = open_hinges();
    validity *v = judge_of();
    int last = session_modes(s)->first + session_modes(s)->count - 1;
    double degrees;
    bool at_least;
    stand_ok(context, validity_work(v, s, true, last, HUGE_VAL));
    assert_int_equal(validity_done(v), 1);
    assert_true(validity_find(v, last, &degrees, &at_least));
    validity_destroy(v);
    session_destroy(s);
}

// Other springs are other modes: all is judged anew, and as they are now.
static void verdicts_are_kept_until_the_modes_change(void **state)
{
    session *s = open_hinges();
    validity *v = judge_of();
    judge_all(v, s, -1);
    stand_ok(context, session_play(s, 0)); // the same modes
    stand_ok(context, validity_work(v, s, false, -1, 0.0));
    assert_int_equal(validity_done(v), validity_all(v));
    session_setup setup = *session_get(s);
    setup.rule[setup.rule_count++] = (session_rule){"*", 5.0, 0.0, 1.0, -1};
    stand_ok(context, session_set(s, &setup, true));
    stand_ok(context, validity_work(v, s, false, -1, 0.0));
    assert_int_equal(validity_done(v), 0);
    judge_all(v, s, -1);
    er_validity *all = all_at_once(s);
    expect_same(v, all);
    er_validity_destroy(all);
    validity_destroy(v);
    session_destroy(s);
}

// Asking without end takes the time of who works.
static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static double first_verdict(validity *v, const session *s)
{
    double degrees = NAN;
    bool at_least;
    for (; validity_done(v) == 0; wait_a_little())
        stand_ok(context, validity_work(v, s, true, -1, 0.0));
    assert_true(validity_find(v, stand_first_elastic(s), &degrees, &at_least));
    return degrees;
}

// Nobody waits; a judgement that is given up is none, whether it is not wanted or its modes are gone.
static void what_is_judged_can_be_given_up(void **state)
{
    session *s = stand_open(context, "four_bar.json");
    validity *v = judge_of(), *fresh = judge_of();
    stand_ok(context, validity_work(v, s, true, -1, 0.0));
    assert_int_equal(validity_judged(v), stand_first_elastic(s));
    for (; validity_judged(v) >= 0; wait_a_little())
        stand_ok(context, validity_work(v, s, false, -1, 0.0));
    assert_int_equal(validity_done(v), 0);
    stand_ok(context, validity_work(v, s, true, -1, 0.0));
    session_setup setup = *session_get(s);
    setup.rule[setup.rule_count++] = (session_rule){"*", 5.0, 0.0, 1.0, -1};
    stand_ok(context, session_set(s, &setup, true));
    assert_true(first_verdict(v, s) == first_verdict(fresh, s)); // of the new ones, not of the one that was begun
    validity_destroy(fresh);
    validity_destroy(v); // in the middle of the next one
    session_destroy(s);
}

static void a_palette_file_brings_what_it_knows(void **state)
{
    char path[256];
    session *s = open_hinges();
    er_validity *all = all_at_once(s);
    snprintf(path, sizeof path, "%s/palette.json", sample_folder());
    stand_ok(context, er_palette_file_write(context, session_model(s), session_modes(s), NULL, all, NULL, path));
    validity *v = judge_of();
    stand_ok(context, validity_read(v, s)); // a rig file: nothing
    assert_int_equal(validity_done(v), 0);
    stand_ok(context, session_open(s, path, NULL));
    stand_ok(context, validity_read(v, s));
    stand_ok(context, validity_work(v, s, false, -1, 0.0));
    assert_int_equal(validity_done(v), all->count);
    expect_same(v, all);
    session_setup setup = *session_get(s);
    setup.rule[setup.rule_count++] = (session_rule){"*", 5.0, 0.0, 1.0, -1};
    stand_ok(context, session_set(s, &setup, true));
    stand_ok(context, validity_read(v, s)); // its rig, but other modes
    assert_int_equal(validity_done(v), 0);
    er_validity_destroy(all);
    validity_destroy(v);
    session_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mode_is_judged_as_among_all),
        cmocka_unit_test(the_mode_that_is_asked_for_comes_first),
        cmocka_unit_test(verdicts_are_kept_until_the_modes_change),
        cmocka_unit_test(what_is_judged_can_be_given_up),
        cmocka_unit_test(a_palette_file_brings_what_it_knows),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
