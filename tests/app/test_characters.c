// Rigs in living scenes: their bodies, springs and limits at another size and weight.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "living.h"
#include "support/context.h"

static er_model *make_rig(double stiffness)
{
    er_model *model = NULL;
    static const er_body body[] = {
        {.name = "a",
         .mass = 2,
         .com = {0.5, 0, 0},
         .inertia = {{{1, 0, 0}, {0, 2, 0}, {0, 0, 1.5}}},
         .pose = {{1, 0, 0, 0}, {0, 1, 0}}},
        {.name = "b",
         .mass = 3,
         .com = {0, 0.5, 0},
         .inertia = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}},
         .pose = {{1, 0, 0, 0}, {1, 1, 0}}},
        {.name = "c", .mass = 1, .inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .pose = {{1, 0, 0, 0}, {2, 1, 0}}}};
    er_joint joints[] = {
        {.name = "root", .parent = -1, .child = 0, .type = ER_JOINT_REVOLUTE, .frame = {{1, 0, 0, 0}, {0, 1, 0}}},
        {.name = "turn",
         .parent = 0,
         .child = 1,
         .type = ER_JOINT_REVOLUTE,
         .frame = {{1, 0, 0, 0}, {1, 1, 0}},
         .stiffness = {stiffness},
         .limit = {{-0.5, 0.25}}},
        {.name = "shift",
         .parent = 1,
         .child = 2,
         .type = ER_JOINT_PRISMATIC,
         .frame = {{1, 0, 0, 0}, {2, 1, 0}},
         .stiffness = {stiffness},
         .damping = {4},
         .limit = {{-0.5, 0.25}}}};
    joints[0].limit[0][0] = -HUGE_VAL;
    joints[0].limit[0][1] = HUGE_VAL;
    er_model_def def = er_default_model_def();
    def.body_count = 3;
    def.body = body;
    def.joint_count = 3;
    def.joint = joints;
    fine(er_model_create(context, &def, &model));
    return model;
}

static void a_rig_of_another_size_has_springs_to_match(void **state)
{
    er_model *model = make_rig(8.0);
    engine *e = begin(0.0);
    int id = 7;
    const double s = 2.0, w = 3.0, volume = 8.0 * w;
    er_body_shape shape[] = {
        {.body = 1,
         .shape = {.kind = ER_SHAPE_CAPSULE, .radius = 0.25, .length = 1},
         .pose = {{1, 0, 0, 0}, {0, 0.5, 0}}},
        {.body = 1, .shape = {.kind = ER_SHAPE_BOX, .half = {0.1, 0.2, 0.3}}, .pose = {{1, 0, 0, 0}, {0, 1, 0}}},
        {.body = 2, .shape = {.kind = ER_SHAPE_HULL}, .pose = {{1, 0, 0, 0}, {0, 0, 0}}}};
    const er_vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    er_hull *hull = NULL;
    fine(er_hull_create(context, 4, corner, &hull));
    shape[2].shape.hull = hull;
    const bool kinematic[] = {true, false, false};
    engine_character_def def = engine_default_character();
    assert_true(def.scale == 1.0 && def.weight == 1.0 && def.damping == 0.3 && !def.self_collision &&
                def.kinematic == NULL);
    def.model = model;
    def.name = "rig";
    def.scale = s;
    def.weight = w;
    def.shape = shape;
    def.shape_count = 3;
    def.kinematic = kinematic;
    def.damping = 0.25;
    def.place = (er_pose){er_q_exp(er_v3(0, 0.5 * ER_PI, 0)), {0, 0, 9}};
    fine(engine_add_character(e, &def, &id));
    assert_true(engine_character_count(e) == 1 && engine_character_at(e, 0)->id == id &&
                engine_find_character(e, id)->scale == s);
    const engine_character *c = engine_find_character(e, id);
    for (int b = 0; b < 3; ++b) {
        const actor *a = engine_actor_of(e, c->actor[b]);
        char name[16];
        snprintf(name, sizeof name, "rig/%s", model->body[b].name);
        assert_string_equal(a->state.name, name);
        assert_true(a->state.motion == (b == 0 ? ENGINE_KINEMATIC : ENGINE_DYNAMIC) && a->state.character == id);
        assert_true(fabs(a->state.mass - volume * model->body[b].mass) < 1e-9);
        assert_true(er_v3_distance(a->state.centre, er_v3_scale(s, model->body[b].com)) < 1e-12);
        for (int i = 0; i < 3; ++i)
            assert_true(fabs(a->state.inertia.m[i][i] - volume * s * s * model->body[b].inertia.m[i][i]) < 1e-9);
        er_vec3 p = model->body[b].pose.p; // a quarter turn about y: x goes to -z
        assert_true(er_v3_distance(a->state.pose.p, er_v3(s * p.z, s * p.y, 9 - s * p.x)) < 1e-9);
    }
    const engine_actor *b = engine_find_actor(e, c->actor[1]), *tip = engine_find_actor(e, c->actor[2]);
    assert_true(b->part_count == 2 && b->part[0].hidden && b->part[0].shape.radius == 0.5 &&
                b->part[0].shape.length == 2.0 && b->part[0].pose.p.y == 1.0);
    assert_true(b->part[1].shape.half.z == 0.6 && b->part[1].pose.p.y == 2.0 &&
                engine_find_actor(e, c->actor[0])->part_count == 0);
    assert_true(tip->part[0].shape.hull != hull && fabs(tip->high.x - 2.0) < 1e-9);
    assert_int_equal(e->joint_count, 2);
    const joint *turn = &e->joint[0], *shift = &e->joint[1];
    assert_true(turn->state.actor[0] == c->actor[0] && turn->state.actor[1] == c->actor[1] &&
                turn->state.type == ER_JOINT_REVOLUTE);
    assert_string_equal(turn->state.name, "turn");
    double moment = 2.0 + 3.0 * 0.25; // a third of the trace, and its mass at its arm
    assert_true(fabs(turn->stiffness[0] - 32.0 * w * 8.0) < 1e-9 && turn->limit[0][0] == -0.5 &&
                turn->limit[0][1] == 0.25);
    assert_true(fabs(turn->damping[0] - 32.0 * w * 2.0 * 0.25 * sqrt(8.0 * moment)) < 1e-9);
    assert_true(fabs(shift->stiffness[0] - volume * 8.0) < 1e-9 && fabs(shift->damping[0] - volume * 4.0) < 1e-9);
    assert_true(shift->limit[0][0] == -1.0 && shift->limit[0][1] == 0.5);
    assert_int_equal(e->apart_count, 3); // none of its parts meet
    er_pose pose[3];
    steps(e, 3);
    engine_character_pose(e, c, 1.0, pose);
    assert_true(er_v3_distance(pose[2].p, er_v3_scale(0.5, engine_find_actor(e, c->actor[2])->pose.p)) < 1e-12);
    fine(engine_move(e, c->actor[0], &(er_pose){def.place.q, {0, 3, 9}}, NULL, NULL));
    steps(e, 1);
    engine_character_pose(e, c, 0.0, pose);
    assert_true(er_v3_distance(pose[0].p, er_v3(0, 1, 4.5)) < 1e-12);
    engine_character_pose(e, c, 0.5, pose);
    assert_true(er_v3_distance(pose[0].p, er_v3(0, 1.25, 4.5)) < 1e-12);
    assert_true(engine_remove_actor(e, c->actor[2]));
    assert_int_equal(c->actor[2], 0);
    engine_character_pose(e, c, 1.0, pose);
    assert_true(er_v3_distance(pose[2].p, model->body[2].pose.p) == 0.0); // as the model has it
    assert_true(engine_remove_character(e, id) && !engine_remove_character(e, id) && engine_actor_count(e) == 0 &&
                engine_joint_count(e) == 0);
    assert_null(engine_find_character(e, id));
    engine_destroy(e);
    er_hull_destroy(hull);
    er_model_destroy(model);
}

static void rigs_that_are_none_are_refused(void **state)
{
    er_model *model = make_rig(8.0);
    engine *e = begin(0.0);
    int id = 0;
    const double bad[][3] = {{0, 1, 0}, {1e6, 1, 0}, {1, 0, 0}, {1, 1e6, 0}, {1, 1, -1}, {1, 1, 1e6}, {NAN, 1, 0}};
    engine_character_def def = engine_default_character();
    def.model = model;
    def.name = "rig";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        def.scale = bad[i][0];
        def.weight = bad[i][1];
        def.damping = bad[i][2];
        refused(engine_add_character(e, &def, &id), "rig");
    }
    def.scale = def.weight = 1.0;
    def.damping = 0.0;
    er_pose away[3] = {{er_q_identity(), {0, 0, 0}}, {er_q_identity(), {1e10, 0, 0}}, {er_q_identity(), {0, 0, 0}}};
    def.pose = away;
    refused(engine_add_character(e, &def, &id), "place");
    assert_true(id == 0 && engine_character_count(e) == 0 && engine_actor_count(e) == 0);
    def.pose = NULL;
    const er_body_pair passing[] = {{0, 2}};
    def.self_collision = true;
    def.apart = passing;
    def.apart_count = 1;
    fine(engine_add_character(e, &def, &id));
    const engine_character *c = engine_find_character(e, id);
    assert_true(e->apart_count == 1 && e->apart[0].actor[0] == c->actor[0] && e->apart[0].actor[1] == c->actor[2]);
    assert_true(e->joint[0].damping[0] == 0.0);
    steps(e, 1);
    engine_remove_character(e, id);
    add(e, "stone", ENGINE_DYNAMIC, ball, er_v3(0, 0, 0));
    steps(e, 1);
    assert_int_equal(e->apart_count, 0); // of pairs that are gone
    engine_destroy(e);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rig_of_another_size_has_springs_to_match),
        cmocka_unit_test(rigs_that_are_none_are_refused),
    };
    return cmocka_run_group_tests_name("characters", tests, set_up, tear_down);
}
