// Worlds, judged by what mechanics keeps: energy, momenta, joints.
#include <eigenrig/dynamics.h>

#include <math.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"

static er_world *make(const er_world_def *def)
{
    er_world *w = NULL;
    if (er_world_create(context, def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void advance(er_world *w, double until)
{
    if (er_world_advance(w, until, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
}

// Any tree, thrown anyhow, keeps its energy under gravity and springs.
static void trees_keep_their_energy(void **state)
{
    (void)state;
    static rig r;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_forest(&r, &d, 1 + (int)seed, false);
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        def.model = m;
        def.gravity = er_v3(0.3, -9.81, 0.1);
        def.tolerance = 1e-10;
        er_world *w = make(&def);
        double rate[6 * RIG_MAX];
        for (int c = 0; c < 6 * RIG_MAX; ++c)
            rate[c] = dice_uniform(&d, -1.0, 1.0);
        assert_int_equal(er_world_set_displacement(w, 0.0, NULL, rate), ER_OK);
        er_world_energy before = er_world_measure_energy(w);
        advance(w, 0.1);
        er_world_energy after = er_world_measure_energy(w);
        double lost = after.mechanical - before.mechanical - after.work + after.heat;
        measure_at_most("energy of trees, off", fabs(lost) / before.kinetic, 1e-9); // ten thousand times the tolerance
        measure_at_most("gap of trees", er_world_measure_gap(w), 1e-13);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
