// The search against brute force, its polynomials against exact poses, waves against their names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "gait/screen.h"
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

// The k-th of all mixes of so many voices on the search's grid, the first voice once a stride at phase 0.
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
        for (int voices = 2; voices <= 3; ++voices) {
            try_all(&b, voices, best);
            for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
                er_found *one = &best[f];
                if (!(one->badness < 2.5)) continue; // nobody is told of those
                er_judge_closely(&b.judge, 0.0, one);
                if ((int)one->family != f) continue; // of another family at all frames
                double least = HUGE_VAL;
                for (int i = 0; i < count; ++i)
                    if (found[i].family == one->family) least = fmin(least, found[i].badness);
                print_message("# %s of %d modes: search %.4f, brute force %.4f\n", er_gait_family_name(one->family),
                              voices, least, one->badness);
                assert_true(least <= one->badness);
                ++judged;
            }
        }
        assert_true(judged >= 1);
        end(&b);
    }
}

// Eight mixes at once from polynomials against exact poses one by one: over mixes that are any good, most scores agree.
static void the_screen_scores_as_exact_poses_do(void **state)
{
    (void)state;
    bench b = begin(make_biped(usual), 5);
    er_swing swing;
    er_screen *screen;
    int good = 0, close = 0, family = 0;
    ok(er_swing_create(arena, b.w, &swing));
    ok(er_screen_create(arena, &swing, b.body, &screen));
    for (int k = 0; k < 15 * 240 * 30; ++k) { // the last voice at phase 0: the lanes are its phases
        er_gait_try mix;
        er_stride stride[ER_GAIT_PHASES];
        if (!mix_of_grid(k, 3, 5, &mix)) continue;
        er_screen_hold(screen, 2, mix.part);
        er_screen_add(screen, mix.part[2].mode, mix.part[2].harmonic);
        er_screen_walk(screen, mix.part[2].angle, stride);
        for (int p = 0; p < ER_GAIT_PHASES; ++p) {
            er_found exact;
            mix.part[2].phase = 2.0 * ER_PI * p / ER_GAIT_PHASES;
            if (!(stride[p].length > 0.0)) continue;
            er_gait_effort(b.w, &mix, &stride[p]);
            double badness = er_stride_badness(b.body, &defaults.weights, &stride[p]);
            if (!(badness < 2.5)) continue;
            er_judge_mix(&b.judge, mix, &exact);
            ++good;
            close += fabs(1.0 / (1.0 + badness) - 1.0 / (1.0 + exact.badness)) < 0.03;
            family += exact.badness < HUGE_VAL && er_footfall_family(b.body, &stride[p]) == exact.family;
        }
    }
    print_message("# of %d mixes %d score alike, %d are of one family\n", good, close, family);
    assert_true(good > 50 && close > 0.9 * good && family > 0.9 * good);
    end(&b);
}

// Frames side by side in single precision against er_motion_poses().
static void paths_of_the_search_are_those_of_exact_poses(void **state)
{
    (void)state;
    er_model *model = make_biped(usual);
    er_modes *modes = modes_of(model);
    er_gait_body *body;
    er_walker *w;
    ok(er_gait_body_read(context, model, NULL, NULL, &body));
    ok(er_walker_create(context, arena, model, body, modes, 6, &w));
    er_gait_try mix = {2, {{1, 1, 0.5, 0.3}, {3, 2, 0.4, -1.0}}};
    er_walker_pose(w, &mix);
    er_voice voice[2] = {er_default_voice(), er_default_voice()};
    for (int v = 0; v < 2; ++v) {
        voice[v].mode = w->index[mix.part[v].mode];
        voice[v].harmonic = mix.part[v].harmonic;
        voice[v].degrees = mix.part[v].angle * 180.0 / ER_PI;
        voice[v].phase = mix.part[v].phase;
    }
    er_mix asked = {.name = "", .cycle = 1.0, .voice_count = 2, .voice = voice};
    er_motion_def def = er_default_motion_def();
    er_motion *motion;
    def.loop = true;
    ok(er_motion_create(context, model, modes, &asked, &def, &motion));
    er_paths exact;
    ok(er_paths_create(arena, body->foot_count, w->trunk_count, ER_GAIT_FRAMES, &exact));
    er_pose pose[MOST_PARTS];
    double worst = 0.0;
    for (int i = 0; i < ER_GAIT_FRAMES; ++i) {
        double time = (double)i / ER_GAIT_FRAMES;
        ok(er_motion_poses(motion, 1, &time, NULL, pose));
        er_paths_set(&exact, body, model, w->trunk, i, pose);
    }
    for (int i = 0; i < body->foot_count * ER_GAIT_FRAMES; ++i) {
        worst = fmax(worst, fabs(exact.ahead[i] - w->paths.ahead[i]));
        worst = fmax(worst, fabs(exact.left[i] - w->paths.left[i]));
        worst = fmax(worst, fabs(exact.up[i] - w->paths.up[i]));
    }
    assert_true(worst < 1e-5); // 5e-7 of 1.7 m was measured
    er_motion_destroy(motion);
    er_walker_destroy(w);
    er_gait_body_destroy(body);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static er_gait_body plain_body(void)
{
    return (er_gait_body){
        .up = {0, 1, 0}, .forward = {0, 0, 1}, .left = {1, 0, 0}, .height = 2.0, .leg = 1.0, .gravity = 9.81};
}

// A travelling wave of a row of points is pure, a standing one is not.
static void purity_tells_travelling_from_standing(void **state)
{
    (void)state;
    enum { FRAMES = 64 };
    er_model *model = make_fish(20);
    er_gait_body body = plain_body();
    er_wave wave;
    er_pose *pose = er_arena_alloc(arena, (size_t)FRAMES * 20, sizeof *pose);
    er_vec3 path[FRAMES + 1];
    ok(er_wave_create(arena, model, &body, false, &wave));
    for (int standing = 0; standing < 2; ++standing) {
        for (int f = 0; f < FRAMES; ++f)
            for (int b = 0; b < 20; ++b) {
                double s = 2.0 * ER_PI * b / 20.0, t = 2.0 * ER_PI * f / FRAMES;
                pose[f * 20 + b] = model->body[b].pose;
                pose[f * 20 + b].p.x += 0.05 * (standing != 0 ? sin(s) * cos(t) : sin(s - t));
            }
        double pure = er_wave_travel(&wave, model, &body, FRAMES, pose, path);
        assert_true(standing != 0 ? pure < 1e-6 : pure > 0.99);
        // b counts from the thick end backward, so that the wave runs back and drives the body ahead
        assert_true(standing != 0 ? fabs(path[FRAMES].z) < 1e-3 : path[FRAMES].z > 0.01);
    }
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_mix_of_the_grid_beats_the_search),
        cmocka_unit_test(the_screen_scores_as_exact_poses_do),
        cmocka_unit_test(paths_of_the_search_are_those_of_exact_poses),
        cmocka_unit_test(purity_tells_travelling_from_standing),
    };
    return cmocka_run_group_tests(tests, set_up_search, tear_down_search);
}
