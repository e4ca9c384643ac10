// Random graphs and linkages to try a route for loops on, and what it must keep of its promises.
#include "loop_routes.h"

#include "support/context.h"

#include <string.h>

static void expect_refused(const er_model *model, er_modal_method method)
{
    er_modal_def def = er_default_modal_def();
    er_modes *modes = NULL;
    def.method = method;
    assert_refusal(context, er_modal_solve(context, model, &def, &modes), ER_ERROR_RIG, "motion");
}

static void try_rig(loop_check check, const rig *r)
{
    er_model *model = rig_model(context, r);
    judge *j = judge_create(model);
    measure_at_most("gap of the judge's ranks", j->gap, 1e-6); // 7.4e-16
    if (j->dof > 0)
        check(model, j);
    else
        for (int sparse = 0; sparse < 2; ++sparse)
            expect_refused(model, sparse ? ER_MODAL_SPARSE : ER_MODAL_TREE);
    judge_destroy(j);
    er_model_destroy(model);
}

void try_random_graphs(loop_check check, dice d)
{
    for (int trial = 0; trial < 400; ++trial) {
        rig r;
        rig_random(&r, &d, true);
        try_rig(check, &r);
    }
}

void try_linkages(loop_check check, dice d)
{
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (int trial = 0; trial < 12; ++trial) {
            rig r = {0};
            linkages[i].build(&r, &d);
            for (int k = 0; k < r.joint_count && trial > 0; ++k)
                for (int c = 0; c < 6; ++c)
                    if (dice_below(&d, 12) < trial) r.joint[k].stiffness[c] = 0.0;
            try_rig(check, &r);
        }
}

void expect_judged(const judge *j, const er_modes *modes)
{
    assert_int_equal(modes->dof, j->dof);
    assert_int_equal(modes->rank, j->rank);
    assert_int_equal(modes->constraint_count, j->rows);
    assert_int_equal(modes->redundant_count, j->rows - j->rank);
    assert_int_equal(modes->rigid_count, j->rigid);
    assert_int_equal(modes->mechanism_count, j->mechanism);
    assert_int_equal(modes->count, j->dof);
    measure_at_most("G eta", judge_constraint(j, modes), 1e-10);                 // 2.6e-12, sparse 9.3e-14
    measure_at_most("joint - R eta", judge_joint(j, modes), 1e-10);              // 1.3e-11, sparse 1.5e-13
    measure_at_most("eta'K eta - lambda", judge_rayleigh(j, modes), 1e-10);      // 1.8e-13, sparse 5.4e-15
    measure_at_most("Hz against the judge's", judge_frequency(j, modes), 1e-10); // 8.3e-13, sparse 3.0e-13
    for (int k = 0; k < modes->count; ++k)
        assert_true((modes->mode[k].kind == ER_MODE_ELASTIC) == (modes->mode[k].eigenvalue > 0.0));
}

er_model *locked_model(dice *d, bool sprung, bool crossed)
{
    rig r = {0};
    for (int i = 0; i < 3; ++i)
        rig_throw_body(&r, d, pow(10.0, dice_uniform(d, -3, 3)), er_v3(0.1, 0.2, 0.2));
    er_joint *locked = rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, dice_pose(d));
    locked->closes_loop = crossed;
    for (int i = 0; i < 3; ++i)
        locked->stiffness[i] = sprung ? 50.0 : 0.0;
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 1, 2, dice_pose(d))->stiffness[0] = 3.0;
    rig_add_joint(&r, ER_JOINT_FIXED, 1, 0, dice_pose(d))->closes_loop = !crossed;
    return rig_model(context, &r);
}

void expect_locked(er_modes *modes)
{
    assert_int_equal(modes->dof, 7);
    assert_int_equal(modes->rigid_count, 6);
    assert_int_equal(modes->mechanism_count, 0);
    for (int k = 0; k < modes->count; ++k)
        for (int c = 0; c < 3; ++c)
            assert_true(modes->mode[k].joint[c] == 0.0);
    er_modes_destroy(modes);
}
