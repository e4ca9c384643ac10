// The search against brute force.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <string.h>

#include "base/sanitizer.h"
#include "gait/stride.h"
#include "grid.h"

// All mixes of the grid by their exact poses, the best of each family.
static void try_all(bench *b, int count, er_found best[ER_GAIT_FAMILY_COUNT])
{
    int modes = b->w->mode_count, all = modes * 3;
    for (int v = 1; v < count; ++v)
        all *= modes * 3 * 2 * 8;
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f)
        best[f] = (er_found){.badness = HUGE_VAL};
    for (int k = 0; k < all; ++k) {
        er_gait_try mix;
        er_found found;
        if (!mix_of_grid(k, count, modes, &mix)) continue;
        if (count > 2 && mix.part[2].mode < mix.part[1].mode) continue; // the same in another order
        er_judge_mix(&b->judge, mix, &found);
        if (found.badness < best[found.family].badness) best[found.family] = found;
    }
}

// Brute force over exact poses, family by family: what it ranks first the search has found, or better.
static void no_mix_of_the_grid_beats_the_search(void **state)
{
    (void)state;
    int animals = ER_SANITIZED ? 1 : 2; // brute force takes half a minute under sanitizers
    for (int m = 0; m < animals; ++m) {
        bench b = begin(m == 0 ? make_biped(usual) : make_quadruped(usual), 5);
        er_found *found, best[ER_GAIT_FAMILY_COUNT];
        er_gaits size = {0};
        int count, judged = 0;
        ok(er_gait_search(arena, b.w, &defaults, &found, &count, &size));
        for (int components = 2; components <= 3; ++components) {
            try_all(&b, components, best);
            for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
                er_found *one = &best[f];
                if (!(one->badness < 2.5)) continue; // nobody is told of those
                er_judge_closely(&b.judge, 0.0, one);
                if ((int)one->family != f) continue; // of another family at all frames
                double least = HUGE_VAL;
                for (int i = 0; i < count; ++i)
                    if (found[i].family == one->family) least = fmin(least, found[i].badness);
                print_message("# %s of %d modes: search %.4f, brute force %.4f\n", er_gait_family_name(one->family),
                              components, least, one->badness);
                assert_true(least <= one->badness);
                ++judged;
            }
        }
        assert_true(judged >= 1);
        end(&b);
    }
}

typedef struct patience {
    atomic_int asked, most;
} patience;

static bool has_enough(void *user)
{
    patience *p = user;
    return atomic_fetch_add(&p->asked, 1) >= p->most;
}

// Whoever wants no more is asked soon again, and the search ends: of feet and of waves, at its beginning and near its
// end.
static void a_search_that_is_given_up_ends_at_once(void **state)
{
    (void)state;
    for (int fish = 0; fish < 2; ++fish) {
        er_model *model = fish ? make_fish(8) : make_biped(usual);
        er_modes *modes = modes_of(model);
        er_gait_def def = few_modes(4);
        er_gaits *gaits;
        patience all = {.most = 1000000};
        def.stop = has_enough;
        def.user = &all;
        ok(er_gaits_find(context, model, NULL, modes, &def, &gaits));
        er_gaits_destroy(gaits);
        assert_true(all.asked >= 4);
        for (int most = 0; most < all.asked; most += 1 + all.asked / 4) {
            patience few = {.most = most};
            def.user = &few;
            assert_int_equal(er_gaits_find(context, model, NULL, modes, &def, &gaits), ER_ERROR_NO_CONVERGENCE);
            assert_null(gaits);
            assert_non_null(strstr(er_context_error(context), "stopped"));
            assert_true(few.asked <= most + 16); // once more in each of its threads
        }
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_mix_of_the_grid_beats_the_search),
                                       cmocka_unit_test(a_search_that_is_given_up_ends_at_once)};
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
