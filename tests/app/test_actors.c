// Living scenes without a script: what is refused, what is added and taken out, and what touches.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "living.h"
#include "support/context.h"

// ---- Refusals

static void materials_are_numbers_in_their_ranges(void **state)
{
    engine *e = begin(0.0);
    const engine_material plain = engine_default_material();
    engine_material m = plain;
    assert_true(memcmp(engine_material_at(e, 0), &plain, sizeof plain) == 0);
    for (int i = 0; i < 3; ++i) // as the header has them
        assert_true(plain.ambient[i] == 0.3f && plain.diffuse[i] == 0.7f && plain.specular[i] == 0.2f);
    assert_true(plain.shine == 20.0f && plain.opacity == 1.0f && plain.reflection == 0.0f && plain.friction == 0.5 &&
                plain.restitution == 0.0 && plain.density == 1000.0);
    m.friction = -1.0;
    assert_int_equal(engine_add_material(e, &m), -1);
    m = plain;
    m.density = 0.0;
    assert_int_equal(engine_add_material(e, &m), -1);
    m = plain;
    m.shine = 0.0f;
    refused(engine_set_material(e, 0, &m), "shine");
    m = plain;
    m.opacity = 1.5f;
    refused(engine_set_material(e, 0, &m), "opacity");
    m = plain;
    m.reflection = -0.5f;
    refused(engine_set_material(e, 0, &m), "reflection");
    m = plain;
    m.restitution = 1.5;
    refused(engine_set_material(e, 0, &m), "restitution");
    m.restitution = 0.25;
    assert_int_equal(engine_add_material(e, &m), 1);
    refused(engine_set_material(e, 2, &m), "material 2");
    refused(engine_set_material(e, -1, &m), "material -1");
    int id = add(e, "a", ENGINE_DYNAMIC, ball, er_v3(0, 0, 0));
    double mass = engine_find_actor(e, id)->mass;
    m.density = 1.0;
    fine(engine_set_material(e, 0, &m));
    assert_true(engine_find_actor(e, id)->mass == mass && engine_material_at(e, 0)->density == 1.0);
    refused(engine_set_actor_material(e, id, 2), "material 2");
    refused(engine_set_actor_material(e, id, -1), "material -1");
    refused(engine_set_actor_material(e, 99, 0), "actor 99");
    fine(engine_set_actor_material(e, id, 1));
    assert_int_equal(engine_find_actor(e, id)->part[0].material, 1);
    engine_destroy(e);
}

static void actors_that_are_none_are_refused(void **state)
{
    engine *e = begin(0.0);
    int id = 7;
    engine_actor_def def = defined("a", ENGINE_DYNAMIC, ball, er_v3(0, 0, 0));
    engine_part part = def.part[0];
    def.part = &part;
    part.material = 1;
    refused(engine_add_actor(e, &def, &id), "material 1");
    assert_int_equal(id, 0);
    part.material = -1;
    refused(engine_add_actor(e, &def, &id), "material -1");
    part.material = 0;
    part.pose.p.x = NAN;
    refused(engine_add_actor(e, &def, &id), "part 0");
    part.pose = er_pose_identity();
    part.pose.q.w = 1.002;
    refused(engine_add_actor(e, &def, &id), "part 0");
    part.pose.q.w = 1.0009; // near enough to be made unit
    fine(engine_add_actor(e, &def, &id));
    part.pose = er_pose_identity();
    part.shape.radius = -1.0;
    assert_int_not_equal(engine_add_actor(e, &def, &id), ER_OK);
    part.shape = (er_shape){.kind = ER_SHAPE_PLANE};
    refused(engine_add_actor(e, &def, &id), "actor \"a\"");
    part.shape = ball;
    def.pose.p = er_v3(0, 1.1e9, 0);
    refused(engine_add_actor(e, &def, &id), "place");
    def.pose.p = er_v3(0, 0.9e9, 0);
    fine(engine_add_actor(e, &def, &id));
    assert_true(engine_remove_actor(e, id));
    def.pose.p = er_v3(0, 0, 0);
    def.spin = er_v3(0, 0, 1.1e9);
    refused(engine_add_actor(e, &def, &id), "spin");
    def.spin = er_v3(0, 0, 0);
    def.velocity = er_v3(NAN, 0, 0);
    refused(engine_add_actor(e, &def, &id), "velocity");
    def.velocity = er_v3(0, 0, 0);
    def.mass = -1.0;
    refused(engine_add_actor(e, &def, &id), "mass");
    def.mass = 2e50;
    refused(engine_add_actor(e, &def, &id), "mass");
    def.mass = 0.0;
    part.passes = true;
    refused(engine_add_actor(e, &def, &id), "actor \"a\"");
    def.motion = ENGINE_KINEMATIC;
    fine(engine_add_actor(e, &def, &id));
    assert_true(engine_find_actor(e, id)->mass == 0.0);
    refused(engine_set_motion(e, id, ENGINE_DYNAMIC), "actor \"a\"");
    def.name = NULL;
    fine(engine_add_actor(e, &def, &id));
    assert_string_equal(engine_find_actor(e, id)->name, "");
    steps(e, 1);
    engine_destroy(e);
}

// A pose that is given turns the velocity with it; a blow waits for no step, and a force that was asked for is
// forgotten by who is led.
static void poses_turn_velocities_with_them(void **state)
{
    engine *e = begin(0.0);
    int id = add(e, "a", ENGINE_DYNAMIC, cube, er_v3(0, 0, 0));
    fine(engine_move(e, id, NULL, &(er_vec3){1, 0, 0}, &(er_vec3){0, 2, 0}));
    const er_pose turned = {er_q_exp(er_v3(0, 0, 0.5 * ER_PI)), {5, 0, 0}};
    fine(engine_move(e, id, &turned, NULL, NULL));
    const engine_actor *a = engine_find_actor(e, id);
    assert_true(er_v3_distance(a->velocity, er_v3(0, 1, 0)) < 1e-12 &&
                er_v3_distance(a->spin, er_v3(-2, 0, 0)) < 1e-12);
    assert_true(er_v3_distance(a->before.p, er_v3(5, 0, 0)) == 0.0);
    fine(engine_move(e, id, &turned, &(er_vec3){0, 0, 3}, NULL));
    assert_true(er_v3_distance(a->velocity, er_v3(0, 0, 3)) == 0.0 && er_v3_distance(a->spin, er_v3(-2, 0, 0)) < 1e-12);
    steps(e, 1);
    a = engine_find_actor(e, id);
    assert_true(er_v3_distance(a->pose.p, er_v3(5, 0, 0.03)) < 1e-9);
    fine(engine_apply_force(e, id, er_v3(1e6, 0, 0), er_v3(0, 0, 0), NULL));
    fine(engine_set_motion(e, id, ENGINE_KINEMATIC));
    fine(engine_set_motion(e, id, ENGINE_DYNAMIC));
    steps(e, 1);
    assert_true(fabs(engine_find_actor(e, id)->velocity.x) < 1e-9);
    engine_destroy(e);
}

static void a_hash_is_of_all_that_moves(void **state)
{
    engine *e = begin(0.0);
    int id = add(e, "a", ENGINE_DYNAMIC, cube, er_v3(0, 0, 0));
    uint64_t hash[5] = {engine_hash(e)};
    fine(engine_move(e, id, NULL, &(er_vec3){1, 0, 0}, NULL));
    hash[1] = engine_hash(e);
    fine(engine_move(e, id, NULL, &(er_vec3){0, 0, 0}, &(er_vec3){0, 1, 0}));
    hash[2] = engine_hash(e);
    fine(engine_move(e, id, &(er_pose){er_q_identity(), {0, 0, 1}}, NULL, &(er_vec3){0, 0, 0}));
    hash[3] = engine_hash(e);
    add(e, "b", ENGINE_STATIC, cube, er_v3(9, 0, 0));
    hash[4] = engine_hash(e);
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < i; ++k)
            assert_true(hash[i] != hash[k]);
    fine(engine_move(e, id, &(er_pose){er_q_identity(), {0, 0, 0}}, NULL, NULL));
    engine_destroy(e);
    e = begin(0.0);
    add(e, "other", ENGINE_DYNAMIC, cube, er_v3(0, 0, 0));
    assert_true(engine_hash(e) == hash[0]); // names are not of it
    steps(e, 1);
    assert_true(engine_hash(e) != hash[0]); // the time is
    engine_destroy(e);
}

// ---- Joints

static void joints_that_are_none_are_refused(void **state)
{
    engine *e = begin(0.0);
    int a = add(e, "a", ENGINE_DYNAMIC, ball, er_v3(0, 0, 0)), b = add(e, "b", ENGINE_DYNAMIC, ball, er_v3(2, 0, 0)),
        still = add(e, "still", ENGINE_STATIC, ball, er_v3(4, 0, 0)), id = 5;
    engine_joint_def def = engine_default_joint();
    const engine_joint_def usual = def;
    const char named[] = "joint \"j\"";
    assert_true(def.type == ER_JOINT_SPHERICAL && def.erp == -1.0 && def.cfm == -1.0 && def.limit[5][0] == -HUGE_VAL &&
                def.limit[5][1] == HUGE_VAL);
    def.name = "j";
    refused(engine_add_joint(e, &def, &id), named);
    assert_int_equal(id, 0);
    def.actor[0] = 99;
    refused(engine_add_joint(e, &def, &id), "actor 99");
    def.actor[0] = def.actor[1] = a;
    refused(engine_add_joint(e, &def, &id), named);
    def.actor[0] = def.actor[1] = 0;
    def.actor[0] = still;
    refused(engine_add_joint(e, &def, &id), named);
    def = usual;
    def.name = "j";
    def.actor[0] = a;
    def.actor[1] = b;
    for (int i = 0; i < 13; ++i) {
        engine_joint_def bad = def;
        double *const at[] = {
            &bad.stiffness[5],  &bad.damping[4], &bad.rest[3],       &bad.limit[2][0], &bad.limit[1][1],
            &bad.erp,           &bad.cfm,        &bad.frame.p.x,     &bad.frame.q.w,   &bad.motor.stiffness,
            &bad.motor.damping, &bad.motor.most, &bad.motor.velocity};
        const double value[] = {-1, 2e50, 2e50, NAN, NAN, 1.1, 2e50, INFINITY, 0.99, -1, -1, 0, NAN};
        *at[i] = value[i];
        bad.driven = i >= 9;
        refused(engine_add_joint(e, &bad, &id), named);
        bad.driven = false; // a motor that is none may be anything
        if (i >= 9) {
            fine(engine_add_joint(e, &bad, &id));
            assert_true(engine_remove_joint(e, id));
        }
    }
    def.stiffness[0] = -1;
    refused(engine_add_joint(e, &def, &id), named);
    def.stiffness[0] = 0;
    def.damping[0] = -1;
    refused(engine_add_joint(e, &def, &id), named);
    def.damping[0] = 0;
    def.motor.position = NAN;
    def.driven = true;
    refused(engine_add_joint(e, &def, &id), named);
    def.motor.position = 0.0;
    def.erp = def.cfm = 0.5;
    def.motor.most = 1.0;
    def.motor.damping = 1.0;
    fine(engine_add_joint(e, &def, &id));
    double value[6];
    assert_true(engine_joint_count(e) == 1 && engine_joint_at(e, 0)->id == id &&
                engine_find_joint(e, id)->type == ER_JOINT_SPHERICAL);
    assert_int_equal(engine_joint_coordinates(e, id, value), 3);
    assert_int_equal(engine_joint_coordinates(e, 99, value), 0);
    refused(engine_drive(e, 99, 0, 0), "joint 99");
    refused(engine_drive(e, id, NAN, 0), named);
    refused(engine_drive(e, id, 0, 2e50), named);
    fine(engine_drive(e, id, 0, 1));
    assert_false(engine_remove_joint(e, 99));
    assert_null(engine_find_joint(e, 99));
    assert_true(engine_remove_joint(e, id) && !engine_remove_joint(e, id));
    engine_destroy(e);
}

static double angle(const engine *e, int id)
{
    double value[6] = {0};
    assert_int_equal(engine_joint_coordinates(e, id, value), 1);
    return value[0];
}

// The angle is of what hangs against what it hangs on, whichever of them moves.
static void an_angle_is_the_same_whoever_moves(void **state)
{
    for (int way = 0; way < 2; ++way)
        for (int world = 0; world < 2; ++world) {
            engine *e = begin(0.0);
            int base = world == 1 ? 0 : add(e, "base", ENGINE_STATIC, cube, er_v3(0, 0, 0)),
                a = add(e, "a", ENGINE_DYNAMIC, cube, er_v3(2, 0, 0));
            int id =
                way == 0 ? hinge(e, base, a, er_v3(0, 0, 0), 0.0, 0.0) : hinge(e, a, base, er_v3(0, 0, 0), 0.0, 0.0);
            fine(engine_move(e, a, NULL, NULL, &(er_vec3){0, 0, 1}));
            steps(e, 1);
            fine(engine_move(e, a, NULL, &(er_vec3){0, 2, 0}, &(er_vec3){0, 0, 1}));
            steps(e, 20);
            double turned = er_q_log(engine_find_actor(e, a)->pose.q).z;
            assert_true(turned > 0.15 && fabs(angle(e, id) - (way == 0 ? turned : -turned)) < 1e-6);
            assert_true(fabs(er_v3_norm(engine_find_actor(e, a)->pose.p) - 2.0) < 1e-6);
            engine_destroy(e);
        }
}

// Three bars and the ground in a ring, which closes where it was not moved, and turns as one.
static void a_ring_closes_before_it_moves(void **state)
{
    static const er_vec3 centre[] = {{0, 0.5, 0}, {1, 1, 0}, {2, 0.5, 0}},
                         pin[] = {{0, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 0, 0}};
    const er_shape bar = {.kind = ER_SHAPE_SPHERE, .radius = 0.1};
    for (int late = 0; late < 2; ++late) {
        engine *e = begin(0.0);
        int bars[3], pins[4] = {0};
        for (int i = 0; i < 3; ++i)
            bars[i] = add(e, "bar", ENGINE_DYNAMIC, bar, centre[i]);
        for (int i = 0; i < 3; ++i)
            pins[i] = hinge(e, i > 0 ? bars[i - 1] : 0, bars[i], pin[i], 0.0, 0.0);
        if (late == 1) {
            fine(engine_move(e, bars[2], NULL, NULL, &(er_vec3){0, 0, 1}));
            steps(e, 20);
            engine_joint_def def = engine_default_joint();
            def.type = ER_JOINT_REVOLUTE;
            def.actor[1] = bars[2];
            def.frame.p = er_pose_point(engine_find_actor(e, bars[2])->pose, er_v3(0, -0.5, 0));
            def.name = "last";
            refused(engine_add_joint(e, &def, &pins[3]), "last");
            assert_int_equal(engine_joint_count(e), 3);
            assert_true(engine_remove_joint(e, pins[1])); // now it closes none
            fine(engine_add_joint(e, &def, &pins[3]));
            engine_destroy(e);
            continue;
        }
        pins[3] = hinge(e, bars[2], 0, pin[3], 0.0, 0.0);
        steps(e, 1);
        fine(engine_apply_impulse(e, bars[1], er_v3(5, 0, 0), NULL));
        steps(e, 30);
        const engine_actor *first = engine_find_actor(e, bars[0]), *last = engine_find_actor(e, bars[2]);
        double turned = er_q_log(first->pose.q).z;
        assert_true(turned < -0.05); // a parallelogram: both cranks alike, and the coupler not at all
        assert_true(fabs(er_q_log(last->pose.q).z - turned) < 1e-3 &&
                    fabs(er_q_log(engine_find_actor(e, bars[1])->pose.q).z) < 1e-3);
        assert_true(fabs(angle(e, pins[0]) - turned) < 1e-3 && fabs(angle(e, pins[1]) + turned) < 1e-3);
        assert_true(engine_remove_actor(e, bars[1]));
        assert_int_equal(engine_joint_count(e), 2);
        engine_destroy(e);
    }
}

// A step whose kinematic actors pull a joint apart fails and changes nothing.
static void a_step_that_fails_leaves_all_as_it_was(void **state)
{
    engine *e = begin(10.0);
    int a = add(e, "a", ENGINE_KINEMATIC, cube, er_v3(0, 0, 0)),
        b = add(e, "b", ENGINE_KINEMATIC, cube, er_v3(2, 0, 0)),
        stone = add(e, "stone", ENGINE_DYNAMIC, ball, er_v3(0, 9, 0)),
        c = add(e, "c", ENGINE_KINEMATIC, cube, er_v3(0, 0, 9));
    hinge(e, a, b, er_v3(1, 0, 0), 0.0, 0.0);
    steps(e, 2);
    fine(engine_move(e, b, &(er_pose){er_q_identity(), {2, 0.5, 0}}, NULL, NULL));
    steps(e, 1);
    fine(engine_set_motion(e, a, ENGINE_DYNAMIC));
    fine(engine_set_motion(e, b, ENGINE_DYNAMIC));
    fine(engine_apply_force(e, stone, er_v3(1e6, 0, 0), er_v3(0, 0, 0), NULL));
    fine(engine_move(e, c, &(er_pose){er_q_identity(), {0, 0, 10}}, NULL, NULL));
    uint64_t hash = engine_hash(e);
    assert_int_not_equal(engine_step(e), ER_OK);
    assert_true(engine_steps(e) == 3 && engine_hash(e) == hash && engine_contact_event_count(e) == 0);
    fine(engine_set_motion(e, a, ENGINE_KINEMATIC));
    fine(engine_set_motion(e, b, ENGINE_KINEMATIC));
    steps(e, 1); // the force is forgotten
    assert_true(fabs(engine_find_actor(e, stone)->velocity.x) < 1e-12 && engine_steps(e) == 4);
    assert_true(engine_find_actor(e, c)->pose.p.z == 9.0); // and so is where it was to go
    engine_destroy(e);
}

// ---- Touches

// A box at rest is borne by its weight, in one touch with each of the two it stands on.
static void touches_bear_what_rests_on_them(void **state)
{
    engine *e = begin(10.0);
    int low = add(e, "low", ENGINE_STATIC, cube, er_v3(-0.6, -0.5, 0)),
        high = add(e, "high", ENGINE_STATIC, cube, er_v3(0.6, -0.5, 0)),
        box =
            add(e, "box", ENGINE_DYNAMIC, (er_shape){.kind = ER_SHAPE_BOX, .half = {1, 0.25, 0.5}}, er_v3(0, 0.25, 0));
    double mass = engine_find_actor(e, box)->mass, impulse = 0.0;
    steps(e, 1);
    assert_int_equal(engine_contact_event_count(e), 2);
    for (int i = 0; i < 2; ++i) {
        const engine_contact_event *t = engine_contact_event_at(e, i);
        assert_true(t->begins && t->actor[0] == (i == 0 ? low : high) && t->actor[1] == box);
        assert_true(t->point.x * (i == 0 ? -1.0 : 1.0) > 0.09 && fabs(t->point.y) < 0.01);
        impulse += t->impulse;
    }
    assert_true(fabs(impulse - mass * 10.0 * 0.01) < 0.05 * mass * 0.1);
    steps(e, 1);
    assert_int_equal(engine_contact_event_count(e), 0);
    assert_true(engine_contact_partner(e, box, 0) == low && engine_contact_partner(e, box, 1) == high &&
                engine_contact_partner(e, box, 2) == 0);
    assert_true(engine_contact_partner(e, low, 0) == box && engine_contact_partner(e, low, 1) == 0);
    engine_destroy(e);
}

// The contact event of a slab on four corners has the sum of their impulses, and the point of the largest one.
static void a_touch_is_where_it_presses_most(void **state)
{
    for (int side = -1; side <= 1; side += 2) {
        engine *e = begin(10.0);
        int id = 0, base = add(e, "base", ENGINE_STATIC, cube, er_v3(0, -0.5, 0));
        const engine_part part[] = {
            {.shape = {.kind = ER_SHAPE_BOX, .half = {0.4, 0.1, 0.3}}, .pose = er_pose_identity()},
            {.shape = {.kind = ER_SHAPE_SPHERE, .radius = 0.2}, .pose = {er_q_identity(), {0.25 * side, 0.3, 0}}}};
        engine_actor_def def = defined("slab", ENGINE_DYNAMIC, ball, er_v3(0, 0.1, 0));
        def.part = part;
        def.part_count = 2;
        fine(engine_add_actor(e, &def, &id));
        steps(e, 1);
        const engine_contact_event *t = engine_contact_event_at(e, 0);
        assert_true(engine_contact_event_count(e) == 1 && t->actor[0] == base && t->actor[1] == id);
        assert_true(t->point.x * side > 0.35 &&
                    fabs(t->impulse - 0.1 * engine_find_actor(e, id)->mass) < 0.05 * t->impulse);
        engine_destroy(e);
    }
}

// A sensor reports each solid of a visitor, but no part that is only drawn.
static void a_sensor_looks_at_every_solid(void **state)
{
    engine *e = begin(0.0);
    int id = 0, gate = 0;
    engine_part gates[] = {{.shape = cube, .pose = {er_q_identity(), {0, 10, 0}}},
                           {.shape = cube, .pose = er_pose_identity()}};
    engine_part part[] = {{.shape = ball, .pose = er_pose_identity(), .passes = true},
                          {.shape = ball, .pose = {er_q_identity(), {5, 0, 0}}}};
    engine_actor_def def = defined("gate", ENGINE_KINEMATIC, cube, er_v3(0, 0, 0));
    def.sensor = true;
    def.part = gates;
    def.part_count = 2;
    fine(engine_add_actor(e, &def, &gate));
    def = defined("visitor", ENGINE_KINEMATIC, ball, er_v3(0, 0, 0));
    def.part = part;
    def.part_count = 2;
    fine(engine_add_actor(e, &def, &id));
    steps(e, 1);
    assert_int_equal(engine_contact_event_count(e), 0);
    fine(engine_move(e, id, &(er_pose){er_q_identity(), {-5, 0, 0}}, NULL, NULL));
    steps(e, 1);
    assert_true(engine_contact_event_count(e) == 1 && engine_contact_event_at(e, 0)->begins &&
                engine_contact_partner(e, gate, 0) == id);
    engine_destroy(e);
}

// A chain that has swung is taken off its hook and hung elsewhere as it is now.
static void a_chain_is_hung_elsewhere(void **state)
{
    engine *e = begin(10.0);
    const er_shape bead = {.kind = ER_SHAPE_SPHERE, .radius = 0.1};
    int a = add(e, "a", ENGINE_DYNAMIC, bead, er_v3(1, 0, 0)), b = add(e, "b", ENGINE_DYNAMIC, bead, er_v3(2, 0, 0)),
        pins[3];
    pins[0] = hinge(e, 0, a, er_v3(0, 0, 0), 0.0, 0.0);
    pins[1] = hinge(e, a, b, er_v3(1, 0, 0), 0.0, 0.0);
    steps(e, 30);
    assert_true(engine_find_actor(e, b)->pose.p.y < -0.3 && engine_remove_joint(e, pins[0]));
    er_vec3 end = engine_find_actor(e, b)->pose.p, middle = engine_find_actor(e, a)->pose.p;
    double bent = angle(e, pins[1]);
    pins[2] = hinge(e, 0, b, end, 0.0, 0.0);
    steps(e, 1);
    assert_true(fabs(angle(e, pins[1]) - bent) < 0.1 && fabs(angle(e, pins[2])) < 0.1);
    steps(e, 30);
    assert_true(er_v3_distance(engine_find_actor(e, b)->pose.p, end) < 1e-6);
    er_vec3 now = engine_find_actor(e, a)->pose.p; // it goes round its new hook, as far from it as before
    assert_true(er_v3_distance(now, middle) > 0.1 &&
                fabs(er_v3_distance(now, end) - er_v3_distance(middle, end)) < 1e-6);
    engine_destroy(e);
}

// A sensor of one part senses what comes within it along each axis, and nothing beside it.
static void a_sensor_ends_where_its_box_does(void **state)
{
    engine *e = begin(0.0);
    int id = 0;
    engine_actor_def def =
        defined("gate", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_BOX, .half = {1, 2, 3}}, er_v3(0, 0, 0));
    def.sensor = true;
    def.groups = 2;
    fine(engine_add_actor(e, &def, &id));
    int visitor = add(e, "visitor", ENGINE_KINEMATIC, cube, er_v3(50, 0, 0));
    def = defined("stranger", ENGINE_KINEMATIC, cube, er_v3(0, 0, 0));
    def.ignores = 2;
    fine(engine_add_actor(e, &def, &id)); // who is not told
    steps(e, 1);
    assert_int_equal(engine_contact_event_count(e), 0);
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2)
            for (int within = 0; within < 2; ++within) {
                double way[3] = {0};
                way[axis] = side * (axis + 1.5 + (within ? -0.01 : 0.01));
                fine(engine_move(e, visitor, &(er_pose){er_q_identity(), {way[0], way[1], way[2]}}, NULL, NULL));
                steps(e, 1);
                assert_int_equal(engine_contact_event_count(e), within);
                if (within)
                    assert_true(engine_contact_event_at(e, 0)->impulse == 0.0 &&
                                er_v3_norm(engine_contact_event_at(e, 0)->point) > axis + 0.9);
                fine(engine_move(e, visitor, &(er_pose){er_q_identity(), {50, 0, 0}}, NULL, NULL));
                steps(e, 1);
            }
    engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_are_numbers_in_their_ranges),
        cmocka_unit_test(actors_that_are_none_are_refused),
        cmocka_unit_test(poses_turn_velocities_with_them),
        cmocka_unit_test(a_hash_is_of_all_that_moves),
        cmocka_unit_test(joints_that_are_none_are_refused),
        cmocka_unit_test(an_angle_is_the_same_whoever_moves),
        cmocka_unit_test(a_ring_closes_before_it_moves),
        cmocka_unit_test(a_step_that_fails_leaves_all_as_it_was),
        cmocka_unit_test(touches_bear_what_rests_on_them),
        cmocka_unit_test(a_touch_is_where_it_presses_most),
        cmocka_unit_test(a_sensor_looks_at_every_solid),
        cmocka_unit_test(a_chain_is_hung_elsewhere),
        cmocka_unit_test(a_sensor_ends_where_its_box_does),
    };
    return cmocka_run_group_tests_name("actors", tests, set_up, tear_down);
}
