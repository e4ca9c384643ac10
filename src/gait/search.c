// The search: all pairs of modes on a grid, every third mode beside the best of each family, then the best refined.
#include <stdlib.h>
#include <string.h>

#include "gait/stride.h"

enum {
    PHASES = 8,
    SEEDS = 20, // of each family, that a third mode is tried with
    KEPT = 24   // of each family
};

static const double strong[] = {0.2, 0.4}, weak[] = {0.1, 0.2, 0.4}; // rad

typedef struct family_list {
    int count;
    er_found best[KEPT]; // ascending
} family_list;

typedef struct searcher {
    er_walker *w;
    const er_gait_def *def;
    er_ground ground;
    family_list *family; // [ER_GAIT_FAMILY_COUNT]
    long long tried;
} searcher;

// --- keeping the best

static bool same_voices(const er_gait_try *a, const er_gait_try *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; ++i) {
        bool there = false;
        for (int k = 0; k < b->count; ++k)
            there |= a->part[i].mode == b->part[k].mode && a->part[i].harmonic == b->part[k].harmonic;
        if (!there) return false;
    }
    return true;
}

// One entry for each set of modes.
static void keep(family_list *list, const er_found *found)
{
    int at = list->count;
    for (int i = 0; i < list->count; ++i)
        if (same_voices(&list->best[i].mix, &found->mix)) {
            if (list->best[i].badness <= found->badness) return;
            at = i;
            break;
        }
    if (at == list->count) {
        if (list->count == KEPT && list->best[KEPT - 1].badness <= found->badness) return;
        if (list->count < KEPT) ++list->count;
        at = list->count - 1;
    }
    for (; at > 0 && list->best[at - 1].badness > found->badness; --at)
        list->best[at] = list->best[at - 1];
    list->best[at] = *found;
}

static double judge(searcher *s, er_gait_try mix, er_found *out)
{
    *out = (er_found){.mix = mix};
    er_gait_judge(s->w, &s->ground, &out->mix, &out->stride);
    out->badness = er_stride_badness(s->w->body, &s->def->weights, &out->stride);
    ++s->tried;
    return out->badness;
}

static void try_mix(searcher *s, er_gait_try mix)
{
    er_found found;
    if (!(judge(s, mix, &found) < HUGE_VAL)) return;
    found.family = er_footfall_family(s->w->body, &found.stride);
    keep(&s->family[found.family], &found);
}

// --- grids

static void try_pair(searcher *s, int a, int b, int harmonic_a, int harmonic_b)
{
    for (size_t i = 0; i < ER_COUNT(strong); ++i)
        for (size_t k = 0; k < ER_COUNT(weak); ++k)
            for (int p = 0; p < PHASES; ++p) {
                double phase = 2.0 * ER_PI * p / PHASES;
                try_mix(s, (er_gait_try){2, {{a, harmonic_a, strong[i], 0.0}, {b, harmonic_b, weak[k], phase}}});
                if (harmonic_a == harmonic_b && weak[k] != strong[i])
                    try_mix(s, (er_gait_try){2, {{a, harmonic_a, weak[k], 0.0}, {b, harmonic_b, strong[i], phase}}});
            }
}

static void tell(const searcher *s, int done, int all)
{
    if (s->def->progress != NULL) s->def->progress(s->def->user, done, all);
}

static void try_pairs(searcher *s, int steps)
{
    int n = s->w->mode_count;
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            if (b > a) try_pair(s, a, b, 1, 1);
            if (b != a) try_pair(s, a, b, 1, 2);
        }
        tell(s, a + 1, steps);
    }
}

static void try_third(searcher *s, const er_gait_try *pair, int mode, int harmonic)
{
    for (int v = 0; v < pair->count; ++v)
        if (pair->part[v].mode == mode) return;
    for (size_t i = 0; i + 1 < ER_COUNT(weak); ++i)
        for (int p = 0; p < PHASES; ++p) {
            er_gait_try mix = *pair;
            mix.part[mix.count++] = (er_gait_part){mode, harmonic, weak[i], 2.0 * ER_PI * p / PHASES};
            try_mix(s, mix);
        }
}

// --- refining

static const double most_angle = 0.75; // rad: beyond, modes say little of how a body moves

// Downhill along one number at a time, in steps that halve.
static void refine(searcher *s, er_found *best)
{
    double step[2] = {0.08, 0.4}; // rad, of amplitudes and of phases
    for (int round = 0; round < 7; ++round) {
        for (int v = 0; v < best->mix.count; ++v)
            for (int what = 0; what < 2; ++what)
                for (int sign = -1; sign <= 1; sign += 2) {
                    er_found next;
                    er_gait_try mix = best->mix;
                    double *x = what == 0 ? &mix.part[v].angle : &mix.part[v].phase;
                    *x += sign * step[what];
                    if (what == 0 && !(*x > 0.02 && *x < most_angle)) continue;
                    if (judge(s, mix, &next) < best->badness) *best = next;
                }
        step[0] *= 0.7;
        step[1] *= 0.7;
    }
    best->family = er_footfall_family(s->w->body, &best->stride);
}

static int by_badness(const void *a, const void *b)
{
    double x = ((const er_found *)a)->badness, y = ((const er_found *)b)->badness;
    return (x > y) - (x < y);
}

er_result er_gait_search(er_arena *arena, er_walker *w, const er_gait_def *def, er_found **found, int *count,
                         long long *tried)
{
    er_result r = ER_OK;
    enum { ALL = ER_GAIT_FAMILY_COUNT * KEPT, SEEDED = ER_GAIT_FAMILY_COUNT * SEEDS };
    searcher s = {.w = w, .def = def};
    er_gait_try *seed;
    int seeds = 0, steps = w->mode_count, done = w->mode_count;
    *count = 0;
    ER_TRY(er_ground_create(arena, w->body->foot_count, ER_GAIT_FRAMES, &s.ground));
    ER_TRY_NEW(s.family, arena, family_list, ER_GAIT_FAMILY_COUNT);
    ER_TRY_NEW(seed, arena, er_gait_try, SEEDED);
    ER_TRY_NEW(*found, arena, er_found, ALL);
    try_pairs(&s, 3 * steps);
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f)
        for (int i = 0; i < s.family[f].count && i < SEEDS; ++i)
            seed[seeds++] = s.family[f].best[i].mix;
    for (int mode = 0; mode < w->mode_count; ++mode) {
        for (int i = 0; i < seeds; ++i)
            for (int harmonic = 1; harmonic <= 2; ++harmonic)
                try_third(&s, &seed[i], mode, harmonic);
        tell(&s, ++done, 3 * steps);
    }
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        for (int i = 0; i < s.family[f].count; ++i) {
            er_found *best = &(*found)[(*count)++];
            *best = s.family[f].best[i];
            refine(&s, best);
        }
        tell(&s, done + (f + 1) * steps / ER_GAIT_FAMILY_COUNT, 3 * steps);
    }
    *tried = s.tried;
done:
    return r;
}

er_result er_gait_look_closely(er_arena *arena, er_walker *w, const er_gait_def *def, double period, er_found *found,
                               int count)
{
    er_result r = ER_OK;
    er_paths fine;
    er_ground ground;
    ER_TRY(er_paths_create(arena, w->body->foot_count, w->trunk_count, ER_GAIT_FINE, &fine));
    ER_TRY(er_ground_create(arena, w->body->foot_count, ER_GAIT_FINE, &ground));
    for (int i = 0; i < count; ++i) {
        ground.period = period;
        er_gait_judge_finely(w, &fine, &ground, &found[i].mix, &found[i].stride);
        found[i].badness = er_stride_badness(w->body, &def->weights, &found[i].stride);
        if (found[i].badness < HUGE_VAL) found[i].family = er_footfall_family(w->body, &found[i].stride);
    }
    qsort(found, (size_t)count, sizeof *found, by_badness);
done:
    return r;
}
