// Elastic modes are counted, whatever else a rig has: judged by all modes, solved for without a count.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/project_modes.h"
#include "stand.h"
#include "support/context.h"
#include "support/judge.h"

static er_pose at(double x, double y)
{
    return (er_pose){er_q_identity(), er_v3(x, y, 0)};
}

static int add_body(rig *r, double x, double y, double mass)
{
    return rig_add_body(r, mass, er_v3(0.02, 0.03, 0.04), er_q_identity(), er_v3(x, y, 0), at(x, y));
}

// A chain that floats: bodies 1 m apart, ball joints between them; those from `unsprung` on have no springs.
static void add_chain(rig *r, int bodies, double y, int unsprung)
{
    int first = r->body_count;
    for (int i = 0; i < bodies; ++i)
        add_body(r, i, y, 1.0 + 0.1 * i);
    for (int i = 1; i < bodies; ++i) {
        er_joint *joint = rig_add_joint(r, ER_JOINT_SPHERICAL, first + i - 1, first + i, at(i - 0.5, y));
        for (int k = 0; k < 3 && i < unsprung; ++k)
            joint->stiffness[k] = 10.0 + i + 3.0 * k;
    }
}

static void three_trees(rig *r)
{
    for (int i = 0; i < 3; ++i)
        add_chain(r, 4, 3.0 * i, 4);
}

static void mechanisms(rig *r)
{
    add_chain(r, 5, 0.0, 3);
}

// A hinge to the world holds five of the motions that its tree has without it.
static void held_by_a_loop(rig *r)
{
    add_chain(r, 5, 0.0, 5);
    er_joint *loop = rig_add_joint(r, ER_JOINT_REVOLUTE, -1, 4, at(4.5, 0.0));
    loop->closes_loop = true;
    loop->stiffness[0] = 5.0;
}

// Two hinges in a row that a third and a fourth close: its coordinates are not all free, springs or none.
static void four_bar(rig *r)
{
    double corner[][2] = {{0, 0}, {1, 0}, {1.2, 1}, {0, 0.9}};
    rig_loop(r, 4, corner, at(0, 0), 0.0);
}

static er_model *model_of(void (*make)(rig *))
{
    static rig r;
    memset(&r, 0, sizeof r);
    make(&r);
    return rig_model(context, &r);
}

static er_modes *solve(const er_model *model, const er_modal_def *def, int elastic)
{
    er_modes *modes = NULL;
    stand_ok(context, project_solve_modes(context, model, def, elastic, &modes));
    return modes;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

// The modes of eigenvalue 0 and the lowest elastic ones are held, with the indices that they have among all modes.
static void expect_counted(const er_model *model, const er_modal_def *def, int elastic)
{
    er_modes *all = solve(model, def, 0), *some = solve(model, def, elastic);
    int held = project_elastic_count(all), zeros = all->count - held;
    assert_int_equal(project_elastic_count(some), at_most(elastic, held));
    assert_int_equal(some->count, zeros + at_most(elastic, held));
    assert_int_equal(some->first, all->first);
    assert_int_equal(some->dof, all->dof);
    for (int k = 0; k < some->count; ++k) {
        assert_int_equal(some->mode[k].kind, all->mode[k].kind);
        measure_at_most("Hz beside those of all modes", fabs(some->mode[k].frequency_hz - all->mode[k].frequency_hz),
                        1e-9);
    }
    er_modes_destroy(some);
    er_modes_destroy(all);
}

static void elastic_modes_are_counted(void **state)
{
    void (*const rigs[])(rig *) = {three_trees, mechanisms, held_by_a_loop, four_bar};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; ++i) {
        er_model *model = model_of(rigs[i]);
        er_modal_def def = er_default_modal_def();
        for (int count = 1; count <= 30; count += count < 8 ? 1 : 11)
            expect_counted(model, &def, count);
        def.method = ER_MODAL_QR;
        expect_counted(model, &def, 3);
        er_model_destroy(model);
    }
}

static void a_window_counts_what_lies_in_it(void **state)
{
    er_model *model = model_of(three_trees);
    er_modal_def def = er_default_modal_def();
    er_modes *all = solve(model, &def, 0);
    def.min_hz = 1.001 * all->mode[22].frequency_hz;
    expect_counted(model, &def, 4);
    def.min_hz = 0.0;
    def.max_hz = 1.001 * all->mode[22].frequency_hz;
    for (int count = 3; count <= 7; ++count)
        expect_counted(model, &def, count);
    er_modes_destroy(all);
    er_model_destroy(model);
}

// One solve is enough where the joints tell how many modes there are of eigenvalue 0.
static void without_loops_the_count_is_known_before(void **state)
{
    void (*const rigs[])(rig *) = {three_trees, mechanisms};
    for (int i = 0; i < 2; ++i) {
        er_model *model = model_of(rigs[i]);
        er_modal_def def = er_default_modal_def();
        er_modes *all = solve(model, &def, 0);
        project_count_modes(model, 5, &def);
        assert_int_equal(def.mode_count, all->rigid_count + all->mechanism_count + 5);
        er_modes_destroy(all);
        er_model_destroy(model);
    }
}

static void large_chain(rig *r)
{
    add_chain(r, 104, 0.0, 104);
}

// Two long chains, and bodies that are no characters.
static void large_chains(rig *r)
{
    add_chain(r, 52, 0.0, 52);
    add_chain(r, 52, 3.0, 52);
    add_chain(r, 2, 6.0, 2);
    add_chain(r, 1, 9.0, 1);
}

static void each_character_of_a_large_rig_gets_as_many(void **state)
{
    er_model *model = model_of(large_chains);
    assert_int_equal(project_usual_modes(model), 2 * 64);
    er_model_destroy(model);
}

static void set_springs(session *s, double k)
{
    session_setup setup = *session_get(s);
    setup.stiffness = (er_stiffness){.uniform = true, .k = k};
    stand_ok(context, session_set(s, &setup, true));
}

// Two solvers take turns, and each keeps how many modes of eigenvalue 0 it was made for.
static void a_large_rig_shows_as_many_when_springs_come_and_go(void **state)
{
    static const char path[] = "studio_modes_chain.json";
    er_model *model = model_of(large_chain);
    session *s = NULL;
    stand_ok(context, er_rig_file_write(context, model, path));
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, path, NULL));
    assert_int_equal(project_usual_modes(model), 64);
    assert_int_equal(session_modes(s)->count, 6 + 64);
    const double springs[] = {0.0, 10.0, 0.0, 20.0, 30.0, 40.0, 0.0, 50.0};
    for (int i = 0; i < 8; ++i) {
        set_springs(s, springs[i]);
        const er_modes *modes = session_modes(s);
        assert_int_equal(project_elastic_count(modes), springs[i] > 0.0 ? 64 : 0);
        assert_int_equal(modes->count, springs[i] > 0.0 ? 6 + 64 : modes->dof);
    }
    session_destroy(s);
    er_model_destroy(model);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_modes_are_counted),
        cmocka_unit_test(a_window_counts_what_lies_in_it),
        cmocka_unit_test(without_loops_the_count_is_known_before),
        cmocka_unit_test(each_character_of_a_large_rig_gets_as_many),
        cmocka_unit_test(a_large_rig_shows_as_many_when_springs_come_and_go),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
