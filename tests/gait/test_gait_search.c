// The search against brute force.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitizer.h"
#include "gait/stride.h"
#include "grid.h"

enum { MODES = 5, SETS = 8 * MODES * MODES * MODES, REFINED = 32, STARTS = 4 };

// A mix of the grid, the best of its modes in a family at a phase of its second component.
typedef struct start {
    double cost;
    int k; // of the grid
} start;

typedef start starts[ERI_GAIT_PHASES];

static starts place[ER_GAIT_FAMILY_COUNT][SETS];

static int by_cost(const void *a, const void *b)
{
    const start *x = a, *y = b;
    return x->cost < y->cost ? -1 : x->cost > y->cost;
}

static int set_of(const eri_gait_mix *mix)
{
    int set = 0;
    for (int v = 0; v < mix->count; ++v)
        set = 2 * MODES * set + mix->component[v].mode + MODES * (mix->component[v].harmonic - 1);
    return set;
}

// All mixes of the grid by their exact poses.
static void try_all(bench *b, int count)
{
    int all = MODES * 3;
    for (int v = 1; v < count; ++v)
        all *= MODES * 3 * 2 * 8;
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f)
        for (int i = 0; i < SETS; ++i)
            for (int phase = 0; phase < ERI_GAIT_PHASES; ++phase)
                place[f][i][phase].cost = HUGE_VAL;
    for (int k = 0; k < all; ++k) {
        eri_gait_mix mix;
        eri_candidate found;
        if (!mix_of_grid(k, count, MODES, &mix)) continue;
        if (count > 2 && mix.component[2].mode < mix.component[1].mode) continue; // the same in another order
        int phase = (int)lround(mix.component[1].phase / (2.0 * ER_PI) * ERI_GAIT_PHASES), set = set_of(&mix);
        eri_evaluator_evaluate(&b->judge, mix, &found);
        start *best = &place[found.family][set][phase];
        if (found.cost < best->cost) *best = (start){found.cost, k};
    }
}

// The best sets of a family first, and of each the best phases.
static void rank(starts *set)
{
    for (int i = 0; i < SETS; ++i)
        qsort(set[i], ERI_GAIT_PHASES, sizeof set[i][0], by_cost);
    qsort(set, SETS, sizeof *set, by_cost);
}

static eri_candidate found_at(bench *b, int count, int k)
{
    eri_gait_mix mix;
    eri_candidate found;
    mix_of_grid(k, count, MODES, &mix);
    eri_evaluator_evaluate(&b->judge, mix, &found);
    return found;
}

// The best that comes of refining the best sets of a family, which are ranked, from their best phases, by all frames.
static double refine_all(bench *b, int count, int family)
{
    starts *set = place[family];
    eri_candidate best = {.cost = HUGE_VAL};
    for (int i = 0; i < REFINED; ++i)
        for (int k = 0; k < STARTS && set[i][k].cost < HUGE_VAL; ++k) {
            eri_candidate one = found_at(b, count, set[i][k].k);
            eri_evaluator_refine(&b->judge, false, &one);
            eri_evaluator_evaluate_finely(&b->judge, 0.0, &one);
            if ((int)one.family == family && one.cost < best.cost) best = one;
        }
    if (best.cost < HUGE_VAL) eri_evaluator_refine(&b->judge, true, &best);
    return best.cost;
}

static bool same_modes(const eri_gait_mix *a, const eri_gait_mix *b)
{
    bool same = a->count == b->count;
    for (int v = 0; same && v < a->count; ++v)
        same = a->component[v].mode == b->component[v].mode && a->component[v].harmonic == b->component[v].harmonic;
    return same;
}

// The best first, each what its mix is at all frames, and of a family no modes twice.
static void expect_told_in_order(bench *b, const eri_candidate *found, int count)
{
    for (int i = 0; i < count; ++i) {
        eri_candidate anew = {.mix = found[i].mix};
        eri_evaluator_evaluate_finely(&b->judge, 0.0, &anew);
        assert_true(anew.family == found[i].family && fabs(anew.cost - found[i].cost) < 1e-9);
        assert_true(i == 0 || found[i - 1].cost <= found[i].cost);
        for (int k = 0; k < i; ++k)
            assert_false(found[k].family == found[i].family && same_modes(&found[k].mix, &found[i].mix));
    }
}

static double best_of(const eri_candidate *found, int count, int family)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i)
        if ((int)found[i].family == family) least = fmin(least, found[i].cost);
    return least;
}

// Brute force over exact poses, family by family: what it ranks first the search has found, or better, and what comes
// of refining what it ranks first.
static void no_mix_of_the_grid_beats_the_search(void **state)
{
    int animals = ERI_SANITIZED ? 1 : 2; // brute force takes half a minute under sanitizers
    for (int m = 0; m < animals; ++m) {
        bench b = begin(m == 0 ? make_biped(usual) : make_quadruped(usual), MODES);
        eri_candidate *found;
        er_gaits size = {0};
        int count, judged = 0;
        ok(eri_gait_search(arena, b.w, &defaults, &found, &count, &size));
        expect_told_in_order(&b, found, count);
        for (int components = 2; components <= 3; ++components) {
            try_all(&b, components);
            for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
                rank(place[f]);
                if (!(place[f][0][0].cost < 2.5)) continue; // nobody is told of those
                eri_candidate one = found_at(&b, components, place[f][0][0].k);
                eri_evaluator_evaluate_finely(&b.judge, 0.0, &one);
                if ((int)one.family != f) continue; // of another family at all frames
                double refined = refine_all(&b, components, f), least = best_of(found, count, f);
                print_message("# %s of %d modes: search %.4f, brute force %.4f, refined %.4f\n",
                              er_gait_family_name(one.family), components, least, one.cost, refined);
                assert_true(least <= one.cost && least <= refined + 1e-9);
                ++judged;
            }
        }
        assert_true(judged >= 1);
        end(&b);
    }
}

// Among more modes than can all be looked at closely, those that do not help are put aside: a few modes do as well.
static void more_modes_do_not_make_a_gait_worse(void **state)
{
    const int most = (ERI_SANITIZED ? 2 : 3) * MODES; // the most take half a minute under sanitizers
    bench few = begin(make_biped(usual), MODES), many = begin(make_biped(usual), most);
    eri_candidate *of_few, *of_many;
    er_gaits size = {0};
    int few_count, many_count, judged = 0;
    ok(eri_gait_search(arena, few.w, &defaults, &of_few, &few_count, &size));
    ok(eri_gait_search(arena, many.w, &defaults, &of_many, &many_count, &size));
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        double least = best_of(of_few, few_count, f);
        if (!(least < HUGE_VAL)) continue;
        assert_true(best_of(of_many, many_count, f) <= least + 1e-9);
        ++judged;
    }
    assert_true(judged >= 1);
    end(&few);
    end(&many);
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
            refused(er_gaits_find(context, model, NULL, modes, &def, &gaits), ER_ERROR_NO_CONVERGENCE, &gaits,
                    "stopped");
            assert_true(few.asked <= most + 16); // once more in each of its threads
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_mix_of_the_grid_beats_the_search),
                                       cmocka_unit_test(more_modes_do_not_make_a_gait_worse),
                                       cmocka_unit_test(a_search_that_is_given_up_ends_at_once)};
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
