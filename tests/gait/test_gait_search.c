// The search against brute force.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "gait/stride.h"
#include "walkers.h"

static er_arena *arena;
static er_gait_def defaults;

static int set_up_search(void **state)
{
    defaults = er_default_gait_def();
    return set_up(state) == 0 && er_arena_create(context, &arena) == ER_OK ? 0 : 1;
}

static int tear_down_search(void **state)
{
    er_arena_destroy(arena);
    return tear_down(state);
}

// A small rig and what the search is made of.
typedef struct bench {
    er_model *model;
    er_modes *modes;
    er_gait_body *body;
    er_walker *w;
    er_judge judge;
} bench;

static bench begin(er_model *model, int mode_count)
{
    bench b = {.model = model, .modes = modes_of(model)};
    ok(er_gait_body_read(context, model, NULL, NULL, &b.body));
    ok(er_walker_create(context, arena, model, b.body, b.modes, mode_count, &b.w));
    ok(er_judge_create(arena, b.w, &defaults.weights, &b.judge));
    return b;
}

static void end(bench *b)
{
    er_walker_destroy(b->w);
    er_gait_body_destroy(b->body);
    er_modes_destroy(b->modes);
    er_model_destroy(b->model);
}

static const double angles[] = {0.1, 0.2, 0.4};

// The k-th of all mixes of so many components on the search's grid, the first component once a stride at phase 0.
// @return false where it has a mode twice
static bool mix_of_grid(int k, int count, int modes, er_gait_try *out)
{
    *out = (er_gait_try){.count = count};
    for (int v = 0; v < count; ++v) {
        er_gait_part *part = &out->part[v];
        part->mode = k % modes;
        part->angle = angles[(k /= modes) % 3];
        k /= 3;
        part->harmonic = v > 0 ? 1 + k % 2 : 1;
        part->phase = v > 0 ? 2.0 * ER_PI * ((k /= 2) % 8) / 8.0 : 0.0;
        if (v > 0) k /= 8;
        for (int u = 0; u < v; ++u)
            if (out->part[u].mode == part->mode) return false;
    }
    return true;
}

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
        er_judge_mix(&b->judge, mix, &found);
        if (found.badness < best[found.family].badness) best[found.family] = found;
    }
}

// Brute force over exact poses, family by family: what it ranks first the search has found, or better.
static void no_mix_of_the_grid_beats_the_search(void **state)
{
    (void)state;
    er_model *const models[] = {make_biped(usual), make_quadruped(usual)};
    for (int m = 0; m < 2; ++m) {
        bench b = begin(models[m], 5);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_mix_of_the_grid_beats_the_search)};
    return cmocka_run_group_tests(tests, set_up_search, tear_down_search);
}
