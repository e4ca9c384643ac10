// Living scenes without a script: mechanics of what is put together, hung on what is led, pressed and left to rest,
// against closed forms.
#include <math.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "living.h"
#include "support/context.h"
#include "support/judge.h"

static engine *begin_with(double gravity, double step)
{
    engine *e = begin(gravity);
    engine_settings settings = *engine_get_settings(e);
    settings.step = step;
    fine(engine_set_settings(e, &settings));
    return e;
}

static const engine_actor *seen(const engine *e, int id)
{
    return engine_find_actor(e, id);
}

static double angle(const engine *e, int id)
{
    double value[6];
    assert_int_equal(engine_joint_coordinates(e, id, value), 1);
    return value[0];
}

// ---- Led actors

// In axes that go along, what hangs on a body that is led ever faster falls backwards: without weight a pendulum of
// radius r, l below its pivot, has w^2 (l^2 + 2/5 r^2) = 2 a l sin(q).
static void what_is_led_faster_leaves_behind_what_hangs_on_it(void **state)
{
    const double h = 0.002, a = 3.0, l = 2.0, r = 0.5;
    engine *e = begin_with(0.0, h);
    int cart = add(e, "cart", ENGINE_KINEMATIC, cube, er_v3(0, 0, 0)),
        bob = add(e, "bob", ENGINE_DYNAMIC, ball, er_v3(0, -l, 0));
    int pivot = hinge(e, cart, bob, er_v3(0, 0, 0), 0.0, 0.0);
    for (int k = 1; k <= 300; ++k) {
        double t = h * k, was = angle(e, pivot);
        fine(engine_move(e, cart, &(er_pose){er_q_identity(), {0.5 * a * t * t, 0, 0}}, NULL, NULL));
        steps(e, 1);
        double q = angle(e, pivot), w = (q - was) / h, middle = 0.5 * (q + was);
        if (k % 50 != 0) continue;
        double expected = sqrt(2.0 * a * l * sin(fabs(middle)) / (l * l + 0.4 * r * r));
        assert_true(q < 0.0);
        measure_at_most("speed of what is left behind", fabs(-w / expected - 1.0), 0.01);
    }
    engine_destroy(e);
}

// On a body that is turned ever faster, at a rad/s^2, a wheel on a spring k swings about -I a / k: q = -I a (1 - cos) /
// k.
static void what_is_turned_faster_winds_up_its_springs(void **state)
{
    const double h = 0.002, a = 2.0, r = 0.5;
    engine *e = begin_with(0.0, h);
    int cart = add(e, "cart", ENGINE_KINEMATIC, cube, er_v3(0, 0, 0)),
        wheel = add(e, "wheel", ENGINE_DYNAMIC, ball, er_v3(0, 0, 2));
    double inertia = 0.4 * seen(e, wheel)->mass * r * r, omega = 6.0;
    int axle = hinge(e, cart, wheel, er_v3(0, 0, 0), inertia * omega * omega, 0.0);
    for (int k = 1; k <= 400; ++k) {
        double t = h * k;
        fine(engine_move(e, cart, &(er_pose){er_q_exp(er_v3(0, 0, 0.5 * a * t * t)), {0, 0, 0}}, NULL, NULL));
        steps(e, 1);
        double most = 2.0 * a / (omega * omega);
        measure_at_most("a spring wound up", fabs(angle(e, axle) + 0.5 * most * (1.0 - cos(omega * t))) / most, 0.01);
    }
    engine_destroy(e);
}

// A kinematic actor that turns and moves evenly exerts no force on an actor that turns with it about its middle.
static void what_goes_and_turns_evenly_pulls_at_nothing(void **state)
{
    const double h = 0.01;
    engine *e = begin_with(0.0, h);
    int cart = add(e, "cart", ENGINE_KINEMATIC, cube, er_v3(0, 0, 0)),
        bob = add(e, "bob", ENGINE_DYNAMIC, ball, er_v3(0, -2, 0));
    int pivot = 0;
    const er_vec3 way = {3, 1, -2}, spin = {0.5, 1, 2};
    for (int k = 1; k <= 100; ++k) {
        double t = h * k;
        fine(engine_move(e, cart, &(er_pose){er_q_exp(er_v3_scale(t, spin)), er_v3_scale(t, way)}, NULL, NULL));
        if (k == 11) { // once it goes so
            er_vec3 at = seen(e, cart)->pose.p;
            fine(engine_move(e, bob, &(er_pose){er_q_identity(), er_v3_add(at, er_v3(0, -2, 0))}, &way, NULL));
            engine_joint_def def = engine_default_joint();
            def.actor[0] = cart;
            def.actor[1] = bob;
            def.frame.p = at;
            fine(engine_add_joint(e, &def, &pivot));
        }
        steps(e, 1);
        if (k < 11) continue;
        er_vec3 below = er_v3_sub(seen(e, bob)->pose.p, seen(e, cart)->pose.p);
        measure_at_most("pulled aside by what goes evenly, m", er_v3_distance(below, er_v3(0, -2, 0)), 1e-6);
    }
    engine_destroy(e);
}

// Where the middle of a chain is gone its ends are two, and may be joined as they stand then.
static void what_a_gone_part_joined_is_two(void **state)
{
    engine *e = begin(0.0);
    int part[3];
    for (int i = 0; i < 3; ++i)
        part[i] = add(e, "part", ENGINE_DYNAMIC, cube, er_v3(2 * i, 0, 0));
    hinge(e, part[0], part[1], er_v3(1, 0, 0), 0.0, 0.0);
    hinge(e, part[1], part[2], er_v3(3, 0, 0), 0.0, 0.0);
    steps(e, 1);
    assert_true(engine_remove_actor(e, part[1]));
    fine(engine_move(e, part[2], &(er_pose){er_q_identity(), {0, 3, 0}}, NULL, NULL));
    int id = hinge(e, part[0], part[2], er_v3(0, 1.5, 0), 0.0, 0.0);
    fine(engine_apply_impulse(e, part[2], er_v3(100, 0, 0), &(er_vec3){0, 0.5, 0}));
    steps(e, 50);
    assert_true(angle(e, id) < -1e-3);
    er_vec3 near = er_pose_point(seen(e, part[0])->pose, er_v3(0, 1.5, 0)),
            far = er_pose_point(seen(e, part[2])->pose, er_v3(0, -1.5, 0));
    assert_true(er_v3_distance(near, far) < 1e-6);
    engine_destroy(e);
}

// ---- Masses

// A box of 2 x 4 x 6, whole and sawn into three pieces, two of them turned, off the frame's middle: a blow at a corner
// gives both the same velocity and spin, J = m v, r x J = I w, as of a body whose frame stands elsewhere.
static void a_box_in_pieces_is_struck_as_the_whole(void **state)
{
    const er_quat about_z = er_q_exp(er_v3(0, 0, 0.5 * ER_PI)), about_x = er_q_exp(er_v3(0.5 * ER_PI, 0, 0));
    const er_vec3 middle = {0.5, -1, 2}, corner = {1, 2, 3}, blow = {700, -300, 500};
    const engine_part whole[] = {
        {.shape = {.kind = ER_SHAPE_BOX, .half = {1, 2, 3}}, .pose = {er_q_identity(), middle}}};
    const engine_part pieces[] = {
        {.shape = {.kind = ER_SHAPE_BOX, .half = {1, 1, 3}}, .pose = {about_z, er_v3_add(middle, er_v3(0, -1, 0))}},
        {.shape = {.kind = ER_SHAPE_BOX, .half = {1, 1, 1}}, .pose = {about_x, er_v3_add(middle, er_v3(0, 1, -2))}},
        {.shape = {.kind = ER_SHAPE_BOX, .half = {1, 2, 1}}, .pose = {about_x, er_v3_add(middle, er_v3(0, 1, 1))}},
        {.shape = {.kind = ER_SHAPE_SPHERE, .radius = 9}, .pose = er_pose_identity(), .passes = true}};
    for (int i = 0; i < 3; ++i) {
        engine *e = begin(0.0);
        engine_actor_def def = engine_default_actor();
        int id = 0;
        def.pose = (er_pose){er_q_exp(er_v3(0.3, -0.2, 0.4)), er_v3(5, 6, 7)};
        def.part_count = i == 0 ? 1 : 4;
        def.part = i == 0 ? whole : pieces;
        def.mass = i == 2 ? 24.0 : 0.0;
        fine(engine_add_actor(e, &def, &id));
        double m = i == 2 ? 24.0 : 48000.0;
        const engine_actor *a = seen(e, id);
        assert_true(fabs(a->mass - m) < 1e-9 * m && er_v3_distance(a->centre, middle) < 1e-12);
        assert_true(er_v3_distance(a->low, i == 0 ? er_v3(-0.5, -3, -1) : er_v3(-9, -9, -9)) < 1e-9);
        er_vec3 point = er_v3_add(middle, corner);
        fine(engine_apply_impulse(e, id, blow, &point));
        er_quat back = er_q_conj(def.pose.q);
        er_vec3 own = er_v3_cross(corner, er_q_rotate(back, blow));
        er_vec3 spin = er_v3(3 * own.x / (m * 13), 3 * own.y / (m * 10), 3 * own.z / (m * 5)); // m (b^2 + c^2) / 3
        er_vec3 world = er_q_rotate(def.pose.q, spin), off = er_q_rotate(def.pose.q, middle);
        er_vec3 velocity = er_v3_sub(er_v3_scale(1.0 / m, blow), er_v3_cross(world, off));
        measure_at_most("spin of a blow", er_v3_distance(seen(e, id)->spin, world) / er_v3_norm(world), 1e-9);
        measure_at_most("speed of a blow", er_v3_distance(seen(e, id)->velocity, velocity) / er_v3_norm(velocity),
                        1e-9);
        // a force for a step gives what so long a blow would
        er_vec3 was = seen(e, id)->spin;
        fine(engine_move(e, id, NULL, &(er_vec3){0, 0, 0}, &(er_vec3){0, 0, 0}));
        fine(engine_apply_force(e, id, blow, er_v3(0, 0, 0), &point));
        steps(e, 1);
        measure_at_most("spin of a force", er_v3_distance(er_v3_scale(100.0, seen(e, id)->spin), was) / er_v3_norm(was),
                        0.02); // it turns meanwhile
        engine_destroy(e);
    }
}

// A blow on what hangs together counts at once, also where something else has come or gone since the last step: it is
// the change of all their momentum, but for what a joint to the world takes.
static void a_blow_counts_whatever_came_or_went(void **state)
{
    for (int gone = 0; gone < 3; ++gone) {
        engine *e = begin(0.0);
        int other = add(e, "other", ENGINE_DYNAMIC, ball, er_v3(9, 0, 0));
        int a = add(e, "a", ENGINE_DYNAMIC, cube, er_v3(0, 0, 0)),
            b = add(e, "b", ENGINE_DYNAMIC, ball, er_v3(2, 0, 0));
        hinge(e, a, b, er_v3(1, 0, 0), 0.0, 0.0);
        steps(e, 1);
        if (gone == 1) assert_true(engine_remove_actor(e, other));
        if (gone == 2) add(e, "late", ENGINE_DYNAMIC, ball, er_v3(0, 9, 0));
        fine(engine_apply_impulse(e, b, er_v3(100, 200, 300), NULL));
        for (int k = 0; k < 2; ++k) {
            er_vec3 sum = er_v3_scale(seen(e, a)->mass, seen(e, a)->velocity);
            sum = er_v3_madd(sum, seen(e, b)->mass, seen(e, b)->velocity);
            measure_at_most("momentum of a blow", er_v3_distance(sum, er_v3(100, 200, 300)), 1e-9);
            assert_true(gone == 1 || er_v3_norm(seen(e, other)->velocity) == 0.0);
            assert_true(er_v3_norm(seen(e, b)->velocity) > er_v3_norm(seen(e, a)->velocity));
            steps(e, 1);
        }
        engine_destroy(e);
    }
}

// Changes between steps count from the next step on. A kinematic actor without a new pose stays.
static void what_is_given_between_steps_counts(void **state)
{
    engine *e = begin(0.0);
    int id = add(e, "stone", ENGINE_DYNAMIC, ball, er_v3(0, 0, 0));
    steps(e, 2);
    fine(engine_move(e, id, NULL, &(er_vec3){1, 2, 3}, NULL));
    steps(e, 10);
    assert_true(er_v3_distance(seen(e, id)->pose.p, er_v3(0.1, 0.2, 0.3)) < 1e-9);
    fine(engine_apply_impulse(e, id, er_v3_scale(-seen(e, id)->mass, er_v3(0, 2, 3)), NULL));
    steps(e, 10);
    assert_true(er_v3_distance(seen(e, id)->pose.p, er_v3(0.2, 0.2, 0.3)) < 1e-9);
    fine(engine_set_motion(e, id, ENGINE_KINEMATIC));
    steps(e, 1);
    assert_true(er_v3_distance(seen(e, id)->pose.p, er_v3(0.2, 0.2, 0.3)) < 1e-9);
    assert_true(er_v3_norm(seen(e, id)->velocity) == 0.0);
    engine_actor_def def = defined("led", ENGINE_KINEMATIC, ball, er_v3(5, 0, 0));
    def.velocity = er_v3(1, 0, 0); // it goes where it is led
    assert_int_equal(engine_add_actor(e, &def, &id), ER_ERROR_ARGUMENT);
    def.velocity = er_v3(0, 0, 0);
    def.spin = er_v3(1, 0, 0);
    assert_int_equal(engine_add_actor(e, &def, &id), ER_ERROR_ARGUMENT);
    engine_destroy(e);
}

// A new material counts from the next step on: friction reduces a speed by mu g t.
static void what_is_painted_rubs_as_its_paint(void **state)
{
    engine *e = begin(10.0);
    engine_material material = engine_default_material();
    material.friction = 0.0;
    int ice = engine_add_material(e, &material);
    material = engine_default_material();
    material.diffuse[0] = 1.0f;
    int red = engine_add_material(e, &material);
    add(e, "floor", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_BOX, .half = {50, 1, 50}}, er_v3(0, -1, 0));
    int id = add(e, "box", ENGINE_DYNAMIC, (er_shape){.kind = ER_SHAPE_BOX, .half = {1, 0.1, 1}}, er_v3(0, 0.1, 0));
    steps(e, 5);
    fine(engine_move(e, id, NULL, &(er_vec3){5, 0, 0}, NULL));
    static const double loss[] = {0.5, 0.0, 0.5};
    for (int i = 0; i < 3; ++i) {
        fine(engine_set_actor_material(e, id, i == 0 ? red : i == 1 ? ice : 0));
        double before = seen(e, id)->velocity.x;
        steps(e, 20);
        measure_at_most("speed lost by rubbing, m/s", fabs(before - seen(e, id)->velocity.x - loss[i] * 10 * 0.2),
                        0.02);
    }
    engine_destroy(e);
}

// ---- Rest

// An actor at rest sleeps after `sleep_time`, or never; below `sleep_speed` it counts as being at rest.
static void what_lies_still_sleeps_after_its_time(void **state)
{
    static const struct {
        double time, speed, spin;
        int sleeps; // after so many steps; 0: never
    } rows[] = {{0.2, 0.02, 0, 20}, {0.6, 0.02, 0, 60}, {0, 0.02, 0, 0}, {0.2, 0.02, 0.3, 0}, {0.2, 1, 0.3, 20}};
    for (int i = 0; i < 5; ++i) {
        engine *e = begin(0.0);
        engine_settings settings = *engine_get_settings(e);
        settings.sleep_time = rows[i].time;
        settings.sleep_speed = rows[i].speed;
        fine(engine_set_settings(e, &settings));
        int id = add(e, "box", ENGINE_DYNAMIC, cube, er_v3(0, 0, 0)), slept = 0;
        fine(engine_move(e, id, NULL, NULL, &(er_vec3){0, rows[i].spin, 0}));
        for (int k = 1; k <= 90 && slept == 0; ++k) {
            steps(e, 1);
            slept = seen(e, id)->sleeps ? k : 0;
        }
        if (rows[i].sleeps == 0)
            assert_int_equal(slept, 0);
        else
            assert_in_range(slept, rows[i].sleeps - 1, rows[i].sleeps + 2);
        if (i == 0) { // and a force wakes it
            fine(engine_apply_force(e, id, er_v3(seen(e, id)->mass, 0, 0), er_v3(0, 0, 0), NULL));
            steps(e, 1);
            assert_true(!seen(e, id)->sleeps && fabs(seen(e, id)->velocity.x - 0.01) < 1e-9);
            fine(engine_move(e, id, NULL, &(er_vec3){0, 0, 0}, NULL));
            steps(e, 25);
            assert_true(seen(e, id)->sleeps);
            fine(engine_move(e, id, NULL, &(er_vec3){1, 0, 0}, NULL)); // as a velocity does, at once
            assert_false(seen(e, id)->sleeps);
        }
        engine_destroy(e);
    }
}

// A sleeping actor falls when the kinematic actor below it moves away. A sensor that passes does not wake it.
static void what_sleeps_wakes_when_its_bed_is_led_away(void **state)
{
    for (int sensor = 0; sensor < 2; ++sensor) {
        engine *e = begin(10.0);
        engine_settings settings = *engine_get_settings(e);
        settings.sleep_time = 0.2;
        fine(engine_set_settings(e, &settings));
        int bed = add(e, "bed", sensor ? ENGINE_STATIC : ENGINE_KINEMATIC, cube, er_v3(0, 0, 0)), gate = 0;
        engine_actor_def def = defined("gate", ENGINE_KINEMATIC, cube, er_v3(0, 1, 0));
        def.sensor = true;
        if (sensor) fine(engine_add_actor(e, &def, &gate));
        int id = add(e, "box", ENGINE_DYNAMIC, cube, er_v3(0, 1, 0));
        for (int k = 0; k < 200 && !seen(e, id)->sleeps; ++k)
            steps(e, 1);
        assert_true(seen(e, id)->sleeps);
        for (int k = 1; k <= 10; ++k) {
            const er_pose to = {er_q_identity(), {0, sensor ? 1.0 + 0.01 * k : -1.0 * k, 0}};
            fine(engine_move(e, sensor ? gate : bed, &to, NULL, NULL));
            steps(e, 1);
            assert_int_equal(seen(e, id)->sleeps, sensor);
        }
        assert_true(sensor ? seen(e, id)->velocity.y == 0.0 : seen(e, id)->velocity.y < -0.8);
        engine_destroy(e);
    }
}

// The reference solver undoes a share erp of an overlap in a step, and where contacts give way by a share cfm of what
// they weigh, erp / (1 + cfm).
static void an_overlap_is_undone_by_its_share(void **state)
{
    static const struct {
        double erp, cfm;
    } rows[] = {{0.2, 0}, {0.6, 0}, {1, 0}, {0.6, 1}, {0, 0}};
    for (int i = 0; i < 5; ++i) {
        engine *e = begin(0.0);
        engine_settings settings = *engine_get_settings(e);
        settings.reference = true;
        settings.erp = rows[i].erp;
        settings.cfm = rows[i].cfm;
        fine(engine_set_settings(e, &settings));
        const double deep = 0.01;
        add(e, "low", ENGINE_STATIC, ball, er_v3(0, 0, 0));
        int id = add(e, "high", ENGINE_DYNAMIC, ball, er_v3(0, 1.0 - deep, 0));
        steps(e, 1);
        double undone = (seen(e, id)->pose.p.y - (1.0 - deep)) / deep;
        measure_at_most("share of an overlap", fabs(undone - rows[i].erp / (1.0 + rows[i].cfm)), 1e-9);
        engine_destroy(e);
    }
}

// ---- Rays

// A ray meets the nearest of what is drawn, up to where it ends.
static void a_ray_meets_what_is_seen_first(void **state)
{
    engine *e = begin(0.0);
    engine_part part[2] = {{.shape = ball, .pose = er_pose_identity()},
                           {.shape = ball, .pose = {er_q_identity(), {0, 3, 0}}}};
    engine_actor_def def = engine_default_actor();
    int near = 0, far = 0, hidden = 0, bone = 0;
    def.part = part;
    def.part_count = 2;
    def.pose.p = er_v3(0, 0, -9);
    fine(engine_add_actor(e, &def, &far));
    def.pose.p = er_v3(0, 0, -5);
    part[1].pose.p = er_v3(0, -3, 0);
    fine(engine_add_actor(e, &def, &near));
    part[0].hidden = part[1].hidden = true;
    def.pose.p = er_v3(0, 0, -2);
    fine(engine_add_actor(e, &def, &hidden));
    def.pose.p = er_v3(3, 0, -2);
    def.character = 77;
    fine(engine_add_actor(e, &def, &bone));
    const struct {
        er_vec3 from, to;
        double most;
        int id;
        er_vec3 at;
    } rays[] = {{{0, 0, 0}, {0, 0, -1}, 100, near, {0, 0, -4.5}},   {{0, 3, 0}, {0, 0, -1}, 100, far, {0, 3, -8.5}},
                {{0, -3, 0}, {0, 0, -1}, 100, near, {0, -3, -4.5}}, {{0, 0, 0}, {0, 0, -1}, 4.4, 0, {0, 0, 0}},
                {{0, 0, -20}, {0, 0, 1}, 100, far, {0, 0, -9.5}},   {{3, 0, 0}, {0, 0, -1}, 100, bone, {3, 0, -1.5}},
                {{0, 9, 0}, {0, 0, -1}, 100, 0, {0, 0, 0}}};
    for (size_t i = 0; i < sizeof rays / sizeof *rays; ++i) {
        er_vec3 at = {0, 0, 0};
        assert_int_equal(engine_ray(e, rays[i].from, rays[i].to, rays[i].most, &at), rays[i].id);
        assert_true(er_v3_distance(at, rays[i].at) < 1e-9);
        assert_int_equal(engine_ray(e, rays[i].from, rays[i].to, rays[i].most, NULL), rays[i].id);
    }
    engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_led_faster_leaves_behind_what_hangs_on_it),
        cmocka_unit_test(what_is_turned_faster_winds_up_its_springs),
        cmocka_unit_test(what_goes_and_turns_evenly_pulls_at_nothing),
        cmocka_unit_test(what_a_gone_part_joined_is_two),
        cmocka_unit_test(a_box_in_pieces_is_struck_as_the_whole),
        cmocka_unit_test(a_blow_counts_whatever_came_or_went),
        cmocka_unit_test(what_is_given_between_steps_counts),
        cmocka_unit_test(what_is_painted_rubs_as_its_paint),
        cmocka_unit_test(what_lies_still_sleeps_after_its_time),
        cmocka_unit_test(what_sleeps_wakes_when_its_bed_is_led_away),
        cmocka_unit_test(an_overlap_is_undone_by_its_share),
        cmocka_unit_test(a_ray_meets_what_is_seen_first),
    };
    return cmocka_run_group_tests_name("mechanics", tests, set_up, tear_down);
}
