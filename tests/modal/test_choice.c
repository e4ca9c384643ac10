// Which route is taken when nobody asks: by the numbers of motions, of those that loops hold and of modes wanted, each
// side of where they part (modal.c says why there).
#include <math.h>
#include <string.h>

#include "modal/reduced.h"
#include "support/context.h"

enum { MOST = ER_MODAL_MAX_BODIES + 1, LOOPS = 400 };

static er_body body[MOST];
static er_joint joint[MOST + LOOPS];

// Bodies on springs in a row, hinges side by side, hung on the world; loops tie bodies with one between.
static er_model *chain(int bodies, int loops)
{
    memset(joint, 0, sizeof joint);
    for (int i = 0; i < bodies + loops; ++i) {
        bool loop = i >= bodies;
        int at = loop ? 2 * (i - bodies) : i;
        er_pose pose = {er_q_identity(), er_v3(0.1 * at, 0, 0)};
        if (!loop) body[i] = (er_body){.mass = 1.0, .inertia = er_m3_identity(), .pose = pose};
        joint[i] = (er_joint){.parent = loop ? at : i - 1,
                              .child = loop ? at + 2 : i,
                              .type = ER_JOINT_REVOLUTE,
                              .frame = pose,
                              .stiffness = {loop ? 0.0 : 3.0},
                              .closes_loop = loop};
        for (int c = 0; c < 6; ++c)
            joint[i].limit[c][0] = -HUGE_VAL, joint[i].limit[c][1] = HUGE_VAL;
    }
    er_model_def def = er_default_model_def();
    er_model *model = NULL;
    def.body = body;
    def.body_count = bodies;
    def.joint = joint;
    def.joint_count = bodies + loops;
    if (er_model_create(context, &def, &model) != ER_OK) fail_msg("%s", er_context_error(context));
    return model;
}

static void assert_route(int bodies, int loops, int wanted, double min_hz, er_modal_method want)
{
    er_model *model = chain(bodies, loops);
    er_modal_def def = er_default_modal_def();
    def.mode_count = wanted;
    def.min_hz = min_hz;
    assert_int_equal(eri_modal_check(context, model, &def), ER_OK);
    if (def.method != want)
        fail_msg("%d bodies, %d loops, %d modes from %g Hz go by %s", bodies, loops, wanted, min_hz,
                 er_modal_method_name(def.method));
    er_model_destroy(model);
}

static void trees_go_by_slices_where_they_are_large_or_few_modes_are_wanted(void **state)
{
    assert_route(49, 0, 1, 0.0, ER_MODAL_TREE);
    assert_route(50, 0, 30, 0.0, ER_MODAL_SPARSE);
    assert_route(50, 0, 31, 0.0, ER_MODAL_TREE);
    assert_route(50, 0, 500, 0.0, ER_MODAL_TREE);
    assert_route(119, 0, 0, 0.0, ER_MODAL_TREE);
    assert_route(119, 0, 71, 0.0, ER_MODAL_SPARSE);
    assert_route(119, 0, 72, 0.0, ER_MODAL_TREE);
    assert_route(120, 0, 0, 0.0, ER_MODAL_SPARSE);
    assert_route(5, 0, 0, 1.0, ER_MODAL_SPARSE);
    assert_route(5, 0, 0, 0.0, ER_MODAL_TREE);
}

// A hinge that closes a loop holds five motions: of 75 three leave 60.
static void loops_go_by_slices_where_they_hold_little(void **state)
{
    assert_route(64, 1, 1, 0.0, ER_MODAL_TREE);
    assert_route(65, 1, 1, 0.0, ER_MODAL_SPARSE);
    assert_route(65, 1, 0, 0.0, ER_MODAL_SPARSE);
    assert_route(75, 3, 52, 0.0, ER_MODAL_SPARSE); // 15 <= 0.6 60 - 0.4 52
    assert_route(75, 3, 53, 0.0, ER_MODAL_TREE);
    assert_route(75, 3, 0, 0.0, ER_MODAL_TREE);
    assert_route(75, 3, 1000, 0.0, ER_MODAL_TREE);
    assert_route(ER_MODAL_MAX_BODIES, 300, 0, 0.0, ER_MODAL_TREE); // 500 are left of 2000
    assert_route(ER_MODAL_MAX_BODIES + 1, 300, 0, 0.0, ER_MODAL_SPARSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_go_by_slices_where_they_are_large_or_few_modes_are_wanted),
        cmocka_unit_test(loops_go_by_slices_where_they_hold_little),
    };
    return cmocka_run_group_tests_name("choice", tests, set_up, tear_down);
}
