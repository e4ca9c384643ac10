// The search counted: every set of components on every grid once, and how far it says it has come.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grid.h"

enum { MODES = 4, PHASES = ER_GAIT_PHASES, COARSE = 2, FINE = 3 };

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

// Whether any mix of a set on the coarse grid, whatever its phases, is any good.
static bool is_hopeful(const bench *b, er_screen *screen, int count, const int *mode, const int *harmonic)
{
    static const double level[COARSE] = {0.13, 0.3};
    bool any = false;
    int all = count == 2 ? COARSE * COARSE : COARSE * COARSE * COARSE * PHASES;
    for (int k = 0; k < all && !any; ++k) {
        er_gait_try mix = {.count = count};
        er_stride stride[PHASES];
        for (int v = 0, left = k; v < count; ++v, left /= COARSE)
            mix.part[v] = (er_gait_part){mode[v], harmonic[v], level[left % COARSE], 0.0};
        if (count == 3) mix.part[1].phase = 2.0 * ER_PI * (k / (COARSE * COARSE * COARSE)) / PHASES;
        if (count == 3 && k / (COARSE * COARSE * COARSE) % 2 == 1) continue; // a quarter turn apart
        const er_gait_part *last = &mix.part[count - 1];
        er_screen_set_base(screen, count - 1, mix.part);
        er_screen_add(screen, last->mode, last->harmonic);
        er_screen_walk(screen, last->angle, stride);
        for (int phase = 0; phase < PHASES; ++phase) {
            if (!(stride[phase].length > 0.0)) continue;
            er_gait_effort(b->w, &mix, &stride[phase]);
            any |= er_stride_badness(b->body, &defaults.weights, &stride[phase]) < 12.0;
        }
    }
    return any;
}

// Sets are of two or three modes, each once or twice a stride and one of them once. On the coarse grid each component
// has two amplitudes, the last eight phases, the one between three of four that time turned round leaves; on the fine
// one three, eight and five of eight, of the sets that are any good on the coarse one.
static void every_set_is_looked_at_once(void **state)
{
    (void)state;
    static const int per_coarse[] = {COARSE * COARSE * PHASES, COARSE * COARSE * COARSE * PHASES * 3},
                     per_fine[] = {FINE * FINE * PHASES, FINE * FINE * FINE * PHASES * 5};
    for (int four = 0; four < 2; ++four) {
        bench b = begin(four == 1 ? make_quadruped(usual) : make_biped(usual), MODES);
        er_gait_def def = defaults;
        told t = {0};
        er_found *found;
        er_gaits size = {0};
        int count, sets = 0, hopeful = 0;
        long long known = 0;
        def.progress = tell;
        def.user = &t;
        ok(er_gait_search(arena, b.w, &def, &found, &count, &size));
        er_swing swing;
        er_screen *screen;
        ok(er_swing_create(arena, b.w, &swing));
        ok(er_screen_create(arena, &swing, b.body, true, &screen));
        for (int k = 0; k < 4 * MODES * MODES * 2 * MODES; ++k) { // components ascend, those of once a stride first
            const int component[3] = {k % (2 * MODES), k / (2 * MODES) % (2 * MODES), k / (4 * MODES * MODES)};
            for (int few = 2; few <= 3; ++few) {
                int mode[3], harmonic[3];
                bool sound = component[0] < MODES && (few == 3 || component[2] == 0);
                for (int v = 0; v < few; ++v) {
                    mode[v] = component[v] % MODES;
                    harmonic[v] = 1 + component[v] / MODES;
                    sound &= v == 0 || component[v] > component[v - 1];
                    for (int u = 0; u < v; ++u)
                        sound &= mode[u] != mode[v];
                }
                if (!sound) continue;
                bool any = is_hopeful(&b, screen, few, mode, harmonic);
                known += per_coarse[few - 2] + (any ? per_fine[few - 2] : 0);
                hopeful += any;
                ++sets;
            }
        }
        print_message("# %d of %d sets are any good: %lld mixes, %lld posed\n", hopeful, sets, known, size.posed);
        assert_true(size.tried - size.posed == known && size.posed > count && count > 0 && hopeful > 0);
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
