// Living scenes without a script: what joints and contacts tell, changes while they run, and states as bytes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "living.h"
#include "support/context.h"

static const engine_actor *seen(const engine *e, int id)
{
    const engine_actor *a = engine_find_actor(e, id);
    assert_non_null(a);
    return a;
}

// ---- Read

// A beam of 1000 kg on a hinge of the world and on a post.
static void joints_and_contacts_bear_a_beam(void **state)
{
    engine *e = begin(10.0);
    int post =
        add(e, "post", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_BOX, .half = {0.01, 0.5, 0.5}}, er_v3(2, -0.55, 0));
    int beam = add(e, "beam", ENGINE_DYNAMIC, (er_shape){.kind = ER_SHAPE_BOX, .half = {1, 0.05, 0.5}}, er_v3(1, 0, 0));
    double weight = 10.0 * seen(e, beam)->mass;
    int pin = hinge(e, beam, 0, er_v3(0, 0, 0), 0.0, 0.0);
    engine_joint_state s;
    fine(engine_read_joint(e, pin, &s));
    assert_true(s.reaction.force.y == 0.0 && s.count == 1 && s.axis[0] == 2 && isinf(s.limit[0][1]));
    assert_true(engine_contact_count(e) == 0 && engine_find_joint(e, pin)->swapped);
    steps(e, 300);
    fine(engine_read_joint(e, pin, &s));
    er_vec3 under = {0, 0, 0};
    for (int i = 0; i < engine_contact_count(e); ++i) {
        const engine_contact *c = engine_contact_at(e, i);
        assert_true(c->actor[0] == post && c->actor[1] == beam && c->normal.y > 0.999);
        assert_true(er_v3_distance(er_v3_scale(0.01, c->force), c->impulse) <= 1e-12 * weight);
        assert_true(fabs(c->depth) < 0.01);
        under = er_v3_add(under, c->force);
    }
    assert_true(fabs(s.reaction.force.y + under.y - weight) < 1e-6 * weight);
    assert_true(fabs(under.y - 0.5 * weight) < 0.02 * weight && fabs(s.reaction.torque.z) < 1e-6 * weight);
    assert_true(er_v3_norm(s.frame.p) < 1e-9 && fabs(s.rate[0]) < 1e-6);
    refused(engine_read_joint(e, 99, &s), "joint 99");
    assert_int_equal(s.count, 0);
    engine_destroy(e);
}

// Both solvers, and a ring: a weight on two rods side by side.
static void reactions_add_up_by_both_solvers(void **state)
{
    for (int reference = 0; reference < 2; ++reference) {
        engine *e = begin(10.0);
        engine_settings settings = *engine_get_settings(e);
        settings.reference = reference;
        settings.iterations = 500;
        fine(engine_set_settings(e, &settings));
        int top = add(e, "top", ENGINE_DYNAMIC, ball, er_v3(0, 5, 0));
        int low = add(e, "low", ENGINE_DYNAMIC, ball, er_v3(0, 3, 0));
        int hook = hinge(e, 0, top, er_v3(0, 6, 0), 0.0, 0.0), left = hinge(e, top, low, er_v3(0, 4, 0), 0.0, 0.0);
        double weight = 10.0 * seen(e, top)->mass;
        engine_joint_state s, t;
        steps(e, 50);
        fine(engine_read_joint(e, hook, &s));
        assert_true(fabs(s.reaction.force.y - 2.0 * weight) < 1e-3 * weight);
        int right = hinge(e, top, low, er_v3(0, 4, 0), 0.0, 0.0);
        steps(e, 50);
        fine(engine_read_joint(e, left, &s));
        fine(engine_read_joint(e, right, &t));
        assert_true(fabs(s.reaction.force.y - t.reaction.force.y) < 1e-6 * weight); // the least sum of squares
        engine_destroy(e);
    }
}

// ---- Changed

static void changes_of_no_actor_are_refused(void **state)
{
    engine *e = begin(10.0);
    const engine_part part = {.shape = ball, .pose = er_pose_identity()};
    refused(engine_set_parts(e, 99, 1, &part, 0.0), "actor 99");
    refused(engine_set_actor_mass(e, 99, 1.0), "actor 99");
    refused(engine_set_groups(e, 99, 1, 0), "actor 99");
    refused(engine_set_hidden(e, 99, true), "actor 99");
    refused(engine_set_active(e, 99, true), "actor 99");
    refused(engine_wake(e, 99), "actor 99");
    engine_destroy(e);
}

static void parts_are_replaced_or_stay(void **state)
{
    engine *e = begin(10.0);
    int id = add(e, "thing", ENGINE_DYNAMIC, ball, er_v3(0, 9, 0));
    double mass = seen(e, id)->mass;
    engine_part part[2] = {{.shape = cube, .pose = er_pose_identity()}, {.shape = ball, .pose = er_pose_identity()}};
    part[1].material = 7;
    refused(engine_set_parts(e, id, 2, part, 0.0), "material 7");
    part[0].shape.kind = ER_SHAPE_PLANE;
    refused(engine_set_parts(e, id, 1, part, 0.0), "thing");
    assert_true(seen(e, id)->mass == mass && seen(e, id)->part_count == 1);
    assert_true(seen(e, id)->part[0].shape.kind == ER_SHAPE_SPHERE && seen(e, id)->high.y == 0.5);
    part[0].shape = cube;
    part[1].material = 0;
    part[1].pose.p.y = 2.0;
    fine(engine_set_parts(e, id, 2, part, 0.0));
    assert_true(fabs(seen(e, id)->mass - 1000.0 - mass) < 1e-9 && seen(e, id)->high.y == 2.5);
    fine(engine_set_parts(e, id, 1, part, 3.0));
    assert_true(seen(e, id)->mass == 3.0 && fabs(seen(e, id)->inertia.m[1][1] - 0.5) < 1e-12);
    for (int i = 0; i < 3; ++i)
        refused(engine_set_actor_mass(e, id, (const double[]){0.0, -1.0, NAN}[i]), "thing");
    fine(engine_set_actor_mass(e, id, 6.0));
    assert_true(seen(e, id)->mass == 6.0 && fabs(seen(e, id)->inertia.m[1][1] - 1.0) < 1e-12);
    steps(e, 10);
    assert_true(fabs(seen(e, id)->velocity.y + 1.0) < 1e-9);
    engine_destroy(e);
}

static void inactive_actors_are_passed_and_sensed_by_nobody(void **state)
{
    engine *e = begin(10.0);
    engine_actor_def def = defined("gate", ENGINE_STATIC, cube, er_v3(0, 0.5, 0));
    def.sensor = true;
    int gate = 0, floor = add(e, "floor", ENGINE_STATIC, cube, er_v3(0, -0.5, 0));
    fine(engine_add_actor(e, &def, &gate));
    int box = add(e, "box", ENGINE_DYNAMIC, cube, er_v3(0, 0.5, 0));
    steps(e, 1);
    assert_true(engine_contact_partner(e, box, 0) != 0 && engine_contact_partner(e, gate, 0) == box);
    fine(engine_set_active(e, box, false));
    double z = seen(e, box)->pose.p.z;
    fine(engine_move(e, box, NULL, &(er_vec3){0, 0, 1}, NULL)); // kept for later
    steps(e, 5);
    assert_true(engine_contact_partner(e, box, 0) == 0 && engine_contact_partner(e, floor, 0) == 0);
    assert_true(seen(e, box)->pose.p.z == z && seen(e, box)->velocity.z == 1.0);
    assert_int_equal(engine_ray(e, er_v3(0, 5, 0), er_v3(0, -1, 0), 4.6, NULL), gate);
    refused(engine_apply_force(e, box, er_v3(0, 0, 0), er_v3(0, 0, 0), NULL), "box");
    fine(engine_set_active(e, box, true));
    fine(engine_set_active(e, gate, false));
    steps(e, 1);
    assert_true(engine_contact_partner(e, gate, 0) == 0 && engine_contact_partner(e, box, 0) == floor);
    assert_true(seen(e, box)->pose.p.z > z + 0.005);
    engine_destroy(e);
}

// ---- As bytes

static char *saved(engine *e, size_t *size)
{
    fine(engine_save(e, NULL, size));
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    fine(engine_save(e, bytes, size));
    return bytes;
}

static void states_are_restored_whole_or_refused(void **state)
{
    engine *e = begin(10.0);
    size_t size;
    int last;
    int box = add(e, "box", ENGINE_DYNAMIC, cube, er_v3(0, 3, 0)),
        weight = add(e, "weight", ENGINE_DYNAMIC, ball, er_v3(0, 1, 0));
    int pin = hinge(e, box, weight, er_v3(0, 2, 0), 0.0, 0.0);
    add(e, "floor", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_PLANE}, er_v3(0, 0, 0));
    steps(e, 20);
    char *bytes = saved(e, &size);
    uint64_t then = engine_hash(e);
    fine(engine_check_state(e, bytes, size, &last));
    assert_true(last >= pin);
    for (size_t i = 0; i < size; i += 1 + size / 50) { // damaged anywhere
        bytes[i] ^= 1;
        refused(engine_restore(e, bytes, size), "state");
        bytes[i] ^= 1;
    }
    refused(engine_restore(e, bytes, size - 1), "state");
    refused(engine_restore(e, bytes, 3), "state");
    assert_true(engine_hash(e) == then);
    steps(e, 100);
    uint64_t later = engine_hash(e);
    int extra = add(e, "extra", ENGINE_DYNAMIC, ball, er_v3(9, 1, 0));
    steps(e, 3);
    fine(engine_restore(e, bytes, size));
    assert_true(engine_hash(e) == then && engine_steps(e) == 20 && engine_find_actor(e, extra) == NULL);
    steps(e, 100);
    assert_true(engine_hash(e) == later);
    assert_true(engine_remove_joint(e, pin));
    refused(engine_restore(e, bytes, size), "joint");
    free(bytes);
    engine_destroy(e);
}

// Materials, motors and what a script did to actors come back too.
static void states_have_materials_and_motors(void **state)
{
    engine *e = begin(10.0);
    size_t size;
    int id = add(e, "wheel", ENGINE_DYNAMIC, ball, er_v3(0, 5, 0)), motor = 0;
    engine_joint_def def = engine_default_joint();
    def.type = ER_JOINT_REVOLUTE;
    def.actor[1] = id;
    def.frame.p.y = 5.0;
    def.driven = true;
    def.motor.damping = 1e4;
    def.motor.velocity = 3.0;
    fine(engine_add_joint(e, &def, &motor));
    engine_material other = engine_default_material();
    other.friction = 0.125;
    int slippery = engine_add_material(e, &other);
    fine(engine_set_actor_material(e, id, slippery));
    steps(e, 50);
    char *bytes = saved(e, &size);
    fine(engine_drive(e, motor, 0.0, -3.0));
    fine(engine_set_actor_material(e, id, 0));
    other.friction = 0.75;
    fine(engine_set_material(e, slippery, &other));
    steps(e, 50);
    assert_true(seen(e, id)->spin.z < -2.9);
    fine(engine_restore(e, bytes, size));
    assert_true(seen(e, id)->part[0].material == slippery && engine_material_at(e, slippery)->friction == 0.125);
    steps(e, 50);
    assert_true(seen(e, id)->spin.z > 2.9);
    free(bytes);
    engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_and_contacts_bear_a_beam),
        cmocka_unit_test(reactions_add_up_by_both_solvers),
        cmocka_unit_test(changes_of_no_actor_are_refused),
        cmocka_unit_test(parts_are_replaced_or_stay),
        cmocka_unit_test(inactive_actors_are_passed_and_sensed_by_nobody),
        cmocka_unit_test(states_are_restored_whole_or_refused),
        cmocka_unit_test(states_have_materials_and_motors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
