// Friction along a grain: the law of greatest dissipation at each contact, rebounds, threads and refusals. Closed forms
// of sledges are in tests/app/lua/reality_grain.lua.
#include <math.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static const double along = 0.15, across = 0.6;
static const er_vec3 none = {0, 0, 0};

// A brick on ground of coefficient 1 that slides along a heading. The pair's coefficients are `along` and `across`.
static int add_sledge(er_vec3 at)
{
    int body = scene_add(&s, scene_brick(0.5, 0.4, 0.1), 3.0, (er_pose){er_q_identity(), at}, across * across, 0.0);
    s.shape[s.shape_count - 1].grain = er_v3(0.3, 0, 0);
    s.shape[s.shape_count - 1].grain_friction = along * along;
    return body;
}

static void push_off(er_world *w, int count, double speed)
{
    er_twist twist[SCENE_MOST] = {{{0, 0, 0}, {0, 0, 0}}};
    er_pose pose[SCENE_MOST];
    for (int i = 0; i < count; ++i) {
        double heading = 0.4 + 2.1 * i;
        twist[i].linear = er_v3(speed * cos(heading), speed * sin(heading), 0);
        pose[i] = er_world_pose(w)[i];
    }
    assert_int_equal(er_world_set_state(w, 0.0, pose, twist), ER_OK);
}

// The force of all contacts of a body with the ground over its weight.
static er_vec3 ground_force(const er_world *w, int shape, double weight)
{
    er_vec3 sum = none;
    for (int i = 0; i < er_world_contact_count(w); ++i) {
        er_contact c = er_world_contact(w, i);
        if (c.shape[0] == shape || c.shape[1] == shape)
            sum = er_v3_madd(sum, c.shape[0] == shape ? -1.0 : 1.0, c.impulse);
    }
    return er_v3_scale(hz / weight, sum);
}

// Free bodies, and bodies with joints: friction is on the ellipse, against (along^2 x, across^2 y) of the slip.
static void sliding_dissipates_most(void **state)
{
    for (int jointed = 0; jointed < 2; ++jointed) {
        scene_clear(&s);
        s.def.contact.substeps = 16;
        for (int i = 0; i < 3; ++i)
            add_sledge(er_v3(4.0 * i, 0, 0.1));
        for (int i = 0; i < 3 && jointed; ++i) {
            er_pose on = {er_q_identity(), er_v3(4.0 * i, 0, 0.2)};
            int rider = scene_add(&s, scene_ball(0.05), 0.5, (er_pose){er_q_identity(), er_v3(4.0 * i, 0, 0.25)}, 0, 0);
            rig_add_joint(&s.rig, ER_JOINT_FIXED, i, rider, on);
        }
        scene_add_plane(&s, none, er_q_identity(), 1.0);
        er_world *w = scene_begin(&s);
        push_off(w, s.model->body_count, 0.0);
        scene_advance(w, 0.5);
        er_pose pose[8];
        er_twist twist[8] = {{{0, 0, 0}, {0, 0, 0}}};
        for (int b = 0; b < s.model->body_count; ++b) {
            double heading = 0.4 + 2.1 * (b % 3);
            pose[b] = er_world_pose(w)[b];
            twist[b].linear = er_v3(3.0 * cos(heading), 3.0 * sin(heading), 0);
        }
        assert_int_equal(er_world_set_state(w, 0.5, pose, twist), ER_OK);
        scene_advance(w, 0.5 + 3.0 / hz);
        er_vec3 before[3];
        for (int b = 0; b < 3; ++b)
            before[b] = er_world_twist(w)[b].linear;
        scene_advance(w, 0.5 + 4.0 / hz);
        for (int b = 0; b < 3; ++b) {
            er_vec3 v = er_v3_scale(0.5, er_v3_add(before[b], er_world_twist(w)[b].linear));
            er_vec3 f = ground_force(w, b, (jointed ? 3.5 : 3.0) * g);
            double size = hypot(along * v.x, across * v.y);
            double x = -along * along * v.x / size, y = -across * across * v.y / size;
            measure_at_most("normal force, off", fabs(f.z - 1.0), 1e-3);
            measure_at_most("friction by its ellipse, off", fabs(hypot(f.x / along, f.y / across) - 1.0), 2e-3);
            measure_at_most("direction of friction, off", hypot(f.x - x, f.y - y), 2e-3);
        }
        scene_end(&s, w);
    }
}

// The velocity after a ball has struck the ground.   @param along  friction along y
static er_vec3 rebound(er_vec3 velocity, double friction, double along_y)
{
    scene_clear(&s);
    int ball = scene_add(&s, scene_ball(0.1), 1.0, (er_pose){er_q_identity(), er_v3(0, 0, 0.15)}, friction, 0.8);
    s.shape[0].grain = er_v3(0, 1, 0);
    s.shape[0].grain_friction = along_y;
    scene_add_plane(&s, none, er_q_identity(), 1.0);
    er_world *w = scene_begin(&s);
    er_pose pose = er_world_pose(w)[ball];
    er_twist twist = {none, velocity};
    assert_int_equal(er_world_set_state(w, 0.0, &pose, &twist), ER_OK);
    scene_advance(w, 2.0 / hz);
    er_vec3 v = er_q_rotate(er_world_pose(w)[ball].q, er_world_twist(w)[ball].linear);
    scene_end(&s, w);
    return v;
}

// Across a smooth grain a ball that strikes aslant is braked as by round friction, along it not at all.
static void a_rebound_has_a_grain_too(void **state)
{
    for (int sticks = 0; sticks < 2; ++sticks) {
        double friction = sticks ? 0.04 : 0.0025;
        er_vec3 v = rebound(er_v3(4, 4, -6), friction, 0.0), round = rebound(er_v3(4, 0, -6), friction, friction);
        assert_true(v.z > 3.0 && round.x < 3.6);
        measure_at_most("speed along a smooth grain, off", fabs(v.y - 4.0), 1e-9);
        measure_at_most("rebound across a grain, off", hypot(v.x - round.x, v.z - round.z), 1e-6);
    }
}

static void threads_change_nothing(void **state)
{
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        scene_clear(&s);
        s.def.contact.threads = k == 0 ? 1 : 4;
        for (int i = 0; i < 60; ++i)
            add_sledge(er_v3(1.2 * (i % 8), 1.2 * (i / 8), 0.1));
        scene_add_plane(&s, none, er_q_identity(), 1.0);
        er_world *w = scene_begin(&s);
        push_off(w, 60, 2.0);
        scene_advance(w, 0.3);
        hash[k] = er_world_hash(w);
        scene_end(&s, w);
    }
    assert_true(hash[0] == hash[1]);
}

static void refuse(const char *named)
{
    er_world *w = NULL;
    s.def.shape = s.shape;
    s.def.shape_count = s.shape_count;
    s.def.model = rig_model(context, &s.rig);
    er_model *model = (er_model *)s.def.model;
    assert_refusal(context, er_world_create(context, &s.def, &w), ER_ERROR_ARGUMENT, named);
    assert_null(w);
    er_model_destroy(model);
}

static void grains_are_refused_that_cannot_act(void **state)
{
    for (int k = 0; k < 4; ++k) {
        scene_clear(&s);
        add_sledge(none);
        s.shape[0].name = "sledge";
        if (k == 0) s.def.route = ER_ROUTE_MULTIPLIERS;
        if (k == 1) s.def.integrator = ER_INTEGRATE_RK4;
        if (k == 2) s.shape[0].grain.y = NAN;
        if (k == 3) s.shape[0].grain_friction = -0.1;
        refuse(k < 3 ? "shape[0] \"sledge\" of the world: grain" : "shape[0] \"sledge\" of the world: grain_friction");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_dissipates_most), cmocka_unit_test(a_rebound_has_a_grain_too),
        cmocka_unit_test(threads_change_nothing), cmocka_unit_test(grains_are_refused_that_cannot_act)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
