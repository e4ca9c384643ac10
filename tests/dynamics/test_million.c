// A million steps of heaps, by both routes: finite, and in their pit.
#include <math.h>

#include "dynamics/heaps.h"
#include "support/context.h"

static void a_million_steps_stay_finite(void **state)
{
    static scene s;
    dice d = {.state = 1};
    for (int trial = 0; trial < 200; ++trial) {
        scene_clear(&s);
        s.def.route = trial % 4 == 3 ? ER_ROUTE_MULTIPLIERS : ER_ROUTE_REDUCED;
        s.def.reference.iterations = 50, s.def.reference.accuracy = 0.0; // whatever is left of a residual
        heap_throw(&s, &d, 4.0, trial % 2, trial / 4 % 2);
        er_world *w = scene_begin(&s);
        heap_run(&s, w, 5000, true);
        scene_end(&s, w);
    }
    heap_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_steps_stay_finite)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
