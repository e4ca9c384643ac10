// Heaps of solids thrown anyhow, by both routes: finite, in their pit, of energy that does not grow; and input that is
// all but none.
#include <math.h>
#include <string.h>

#include "dynamics/heaps.h"
#include "support/context.h"

static scene s;

// Steps of first order lose energy where they err, and gain little: the reference solver next to nothing, but for
// rebounds, each of which is told the speed that it met and not what the others do. Sub-steps gain some by what they
// carry over to the next one, masses a factor of 25 apart or not.
static const struct {
    er_dynamics_route route;
    bool rebounds;
    const char *name;
    double grows;
} kinds[] = {
    {ER_ROUTE_REDUCED, false, "energy that a heap gains", 0.01},
    {ER_ROUTE_REDUCED, true, "the same, with rebounds", 0.01},
    {ER_ROUTE_MULTIPLIERS, false, "energy that a heap gains by sweeps", 1e-3},
    {ER_ROUTE_MULTIPLIERS, true, "the same by sweeps, with rebounds", 0.04},
};

static void heaps_keep_their_energy(void **state)
{
    dice d = {.state = 3};
    for (int trial = 0; trial < 96; trial += ERI_SANITIZED ? 11 : 1) {
        scene_clear(&s);
        s.def.route = kinds[trial % 4].route;
        heap_throw(&s, &d, trial < 48 ? 4.0 : 25.0, trial / 4 % 2, kinds[trial % 4].rebounds);
        er_world *w = scene_begin(&s);
        measure_at_most(kinds[trial % 4].name, heap_run(&s, w, 300, true), kinds[trial % 4].grows);
        if (trial % 4 < 2) measure_at_most("gap of joints in a heap", er_world_measure_gap(w), 1e-12);
        scene_end(&s, w);
    }
    heap_free();
}

// Masses over six decades, heavy on light, which it presses into the ground: whatever comes of it is finite, or an
// error.
static void six_decades_stay_finite(void **state)
{
    dice d = {.state = 7};
    for (int trial = 0; trial < 40; trial += ERI_SANITIZED ? 7 : 1) {
        scene_clear(&s);
        s.def.route = trial % 2 ? ER_ROUTE_MULTIPLIERS : ER_ROUTE_REDUCED;
        s.def.reference.iterations = 50, s.def.reference.accuracy = 0.0; // whatever is left of a residual
        heap_throw(&s, &d, 1e6, trial / 2 % 2, trial / 4 % 2);
        er_world *w = scene_begin(&s);
        heap_run(&s, w, 200, false);
        scene_end(&s, w);
    }
    heap_free();
}

// A step, or a refusal that says why.
static void is_refused_or_steps(void)
{
    er_world *w = NULL;
    s.def.model = s.model = rig_model(context, &s.rig);
    s.def.shape_count = s.shape_count;
    s.def.shape = s.shape;
    er_result r = er_world_create(context, &s.def, &w);
    for (int k = 1; k <= 60 && r == ER_OK; ++k) {
        r = er_world_advance(w, k / hz, NULL);
        for (int b = 0; b < s.rig.body_count && r == ER_OK; ++b)
            assert_true(er_v3_finite(er_world_pose(w)[b].p) && er_v3_finite(er_world_twist(w)[b].linear));
    }
    if (r != ER_OK) assert_true(strlen(er_context_error(context)) > 10);
    scene_end(&s, w);
}

// Bodies in one place, a ball within another, sizes next to none, thin as paper, needles, and all of that far away.
static void all_but_nothing_is_refused_or_steps(void **state)
{
    const er_shape solid[] = {scene_ball(0.5),
                              scene_ball(1e-9),
                              scene_brick(0.5, 0.5, 1e-9),
                              scene_brick(1e-9, 1e-9, 1),
                              scene_pill(1e-6, 2.0),
                              scene_pill(0.3, 0.0),
                              scene_ball(1e6),
                              scene_brick(1e5, 1e5, 1e5)};
    const double far[] = {0.0, 1e6, 1e12};
    for (int k = 0; k < 8 * 3 * 2; ++k) {
        scene_clear(&s);
        s.def.route = k < 24 ? ER_ROUTE_REDUCED : ER_ROUTE_MULTIPLIERS;
        s.def.reference.iterations = 50, s.def.reference.accuracy = 0.0; // whatever is left of a residual
        er_vec3 place = er_v3(far[k / 8 % 3], -far[k / 8 % 3], 0.0);
        for (int twin = 0; twin < 3; ++twin) {
            rig_add_body(&s.rig, 1.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), place, (er_pose){er_q_identity(), place});
            s.shape[s.shape_count++] = (er_world_shape){
                .tag = ER_DEF_TAG, .shape = solid[k % 8], .body = twin, .pose = er_pose_identity(), .friction = 0.5};
        }
        scene_add_plane(&s, place, er_q_identity(), 0.5);
        is_refused_or_steps();
    }
}

// Points that are no solid make no hull, and say so; one next to flat is one that steps.
static void flat_hulls_are_refused_or_step(void **state)
{
    for (int k = 0; k < 6; ++k) {
        const double thick[6] = {0.0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3};
        er_vec3 corner[8];
        er_hull *hull = NULL;
        for (int i = 0; i < 8; ++i)
            corner[i] = er_v3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? thick[k] : 0.0);
        er_result r = er_hull_create(context, 8, corner, &hull);
        assert_true(r == ER_OK || strlen(er_context_error(context)) > 10);
        assert_true(k > 0 || r != ER_OK);
        if (r != ER_OK) continue;
        scene_clear(&s);
        for (int twin = 0; twin < 2; ++twin) {
            er_vec3 place = er_v3(0.1 * twin, 0, 0.3 + 0.3 * twin);
            rig_add_body(&s.rig, 1.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), place, (er_pose){er_q_identity(), place});
            s.shape[s.shape_count++] = (er_world_shape){.tag = ER_DEF_TAG,
                                                        .shape = {.kind = ER_SHAPE_HULL, .hull = hull},
                                                        .body = twin,
                                                        .pose = er_pose_identity(),
                                                        .friction = 0.5};
        }
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
        is_refused_or_steps();
        er_hull_destroy(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_keep_their_energy),
        cmocka_unit_test(six_decades_stay_finite),
        cmocka_unit_test(all_but_nothing_is_refused_or_steps),
        cmocka_unit_test(flat_hulls_are_refused_or_step),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
