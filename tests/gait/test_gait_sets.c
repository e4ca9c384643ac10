// The search counted: every set of components on every grid once, and how far it says it has come.
#include "grid.h"

enum { MODES = 6, PHASES = ERI_GAIT_PHASES, COARSE = 2, FINE = 3 };

typedef struct told {
    int calls, done;
    bool at[101];
} told;

static void tell(void *user, int done, int all)
{
    told *t = user;
    assert_true(all == 100 && done >= t->done && done <= 100);
    t->at[done] = true;
    t->done = done;
    ++t->calls;
}

// The best mix of each family, as the surrogate has it.
typedef struct best {
    double cost;
    eri_gait_mix mix;
} best;

// All mixes of a set on a grid, the middle one's phases so many eighths of a turn apart.
static void look_at(const bench *b, eri_surrogate *surrogate, const eri_gait_mix *set, int levels, const double *level,
                    int step, best of[ER_GAIT_FAMILY_COUNT])
{
    int amplitudes = set->count == 2 ? levels * levels : levels * levels * levels;
    for (int k = 0; k < amplitudes * (set->count == 2 ? 1 : PHASES); ++k) {
        eri_gait_mix mix = *set;
        eri_stride stride[PHASES];
        for (int v = 0, left = k; v < mix.count; ++v, left /= levels)
            mix.component[v].angle = level[left % levels];
        if (k / amplitudes % step != 0) continue;
        eri_gait_component *last = &mix.component[mix.count - 1];
        mix.component[1].phase = 2.0 * ER_PI * (k / amplitudes) / PHASES;
        eri_surrogate_set_first(surrogate, mix.count - 1, mix.component);
        eri_surrogate_set_last(surrogate, last->mode, last->harmonic);
        eri_surrogate_sample(surrogate, last->angle, stride);
        for (int phase = 0; phase < PHASES; ++phase) {
            if (!(stride[phase].length > 0.0)) continue;
            eri_gait_effort(b->w, &mix, &stride[phase]);
            double cost = eri_stride_cost(b->body, &defaults.weights, &stride[phase]);
            best *now = &of[eri_gait_family_of(b->body, &stride[phase])];
            if (!(cost < now->cost)) continue;
            *now = (best){cost, mix};
            now->mix.component[mix.count - 1].phase = 2.0 * ER_PI * phase / PHASES;
        }
    }
}

static void forget(best of[ER_GAIT_FAMILY_COUNT])
{
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f)
        of[f].cost = HUGE_VAL;
}

// Whether any mix of a set on the coarse grid is any good.
static bool is_hopeful(const bench *b, eri_surrogate *surrogate, const eri_gait_mix *set)
{
    static const double level[COARSE] = {0.13, 0.3};
    best of[ER_GAIT_FAMILY_COUNT];
    bool any = false;
    forget(of);
    look_at(b, surrogate, set, COARSE, level, 2, of);
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f)
        any |= of[f].cost < 12.0;
    return any;
}

// The gait found of each family is no worse than the best of its mixes on the fine grid, evaluated at all frames.
static int expect_no_worse(bench *b, const best of[ER_GAIT_FAMILY_COUNT], int count, const eri_candidate *found)
{
    int families = 0;
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        eri_candidate one;
        double least = HUGE_VAL;
        if (!(of[f].cost < 12.0)) continue;
        eri_evaluator_evaluate(&b->judge, of[f].mix, &one);
        if (!(one.cost < HUGE_VAL) || (int)one.family != f) continue; // the surrogate took it for what it is not
        eri_evaluator_evaluate_finely(&b->judge, 0.0, &one);
        if ((int)one.family != f || one.cost > 3.0) continue; // poor ones nobody is told of
        for (int i = 0; i < count; ++i)
            if ((int)found[i].family == f) least = fmin(least, found[i].cost);
        if (!(least <= one.cost + 1e-9))
            fail_msg("%s: %g was found, and the grid has %g", er_gait_family_name(one.family), least, one.cost);
        ++families;
    }
    return families;
}

// Sets are of two or three modes, each once or twice a stride and one of them once. On the coarse grid each component
// has two amplitudes, the last eight phases, the one between three of four that time turned round leaves; on the fine
// one three, eight and five of eight, of the sets that are any good on the coarse one.
static void every_set_is_looked_at_once(void **state)
{
    static const int per_coarse[] = {COARSE * COARSE * PHASES, COARSE * COARSE * COARSE * PHASES * 3},
                     per_fine[] = {FINE * FINE * PHASES, FINE * FINE * FINE * PHASES * 5};
    for (int four = 0; four < 2; ++four) {
        bench b = begin(four == 1 ? make_quadruped(usual) : make_biped(usual), MODES);
        er_gait_def def = defaults;
        told t = {0};
        eri_candidate *found;
        er_gaits size = {0};
        int count, sets = 0, hopeful = 0;
        long long known = 0;
        def.progress = tell;
        def.user = &t;
        ok(eri_gait_search(arena, b.w, &def, &found, &count, &size));
        eri_path_polynomials swing;
        eri_surrogate *surrogate[2]; // coarse, fine
        best of[ER_GAIT_FAMILY_COUNT];
        static const double level[FINE] = {0.1, 0.2, 0.4};
        forget(of);
        ok(eri_path_polynomials_create(arena, b.w, &swing));
        for (int k = 0; k < 2; ++k)
            ok(eri_surrogate_create(arena, &swing, b.body, k == 0, &surrogate[k]));
        for (int k = 0; k < 8 * MODES * MODES * MODES; ++k) { // components ascend, those of once a stride first
            const int component[3] = {k % (2 * MODES), k / (2 * MODES) % (2 * MODES), k / (4 * MODES * MODES)};
            for (int few = 2; few <= 3; ++few) {
                eri_gait_mix set = {.count = few};
                bool sound = component[0] < MODES && (few == 3 || component[2] == 0);
                for (int v = 0; v < few; ++v) {
                    set.component[v] = (eri_gait_component){component[v] % MODES, 1 + component[v] / MODES, 0.0, 0.0};
                    sound &= v == 0 || component[v] > component[v - 1];
                    for (int u = 0; u < v; ++u)
                        sound &= set.component[u].mode != set.component[v].mode;
                }
                if (!sound) continue;
                bool any = is_hopeful(&b, surrogate[0], &set);
                if (any) look_at(&b, surrogate[1], &set, FINE, level, 1, of);
                known += per_coarse[few - 2] + (any ? per_fine[few - 2] : 0);
                hopeful += any;
                ++sets;
            }
        }
        print_message("# %d of %d sets are any good: %lld mixes, %lld posed\n", hopeful, sets, known, size.posed);
        assert_true(size.tried - size.posed == known && size.posed > count && count > 0 && hopeful > 0);
        int families = expect_no_worse(&b, of, count, found);
        print_message("# %d families are as good as on the grid\n", families);
        assert_true(families > 0);
        static const int reached[] = {50, 70, 75, 90, 95, 100};
        for (size_t i = 0; i < sizeof reached / sizeof reached[0]; ++i)
            assert_true(t.at[reached[i]]);
        assert_true(t.done == 100 && t.calls > 20);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_set_is_looked_at_once)};
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
