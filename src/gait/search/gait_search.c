// The search for gaits of a body with feet, from coarse to fine:
//   1. sample every set of two and three components on a coarse grid, by a polynomial surrogate of the feet's paths;
//   2. sample the best sets of each family on a fine grid;
//   3. pose the best grid points exactly, and refine the best of these from several starts.
// Tasks run on several threads. Each task writes to its own place, so the result does not depend on their number.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "gait/search/surrogate.h"
#include "math/dense/dense.h"

enum {
    LEVELS = 3,      // amplitudes of a grid, at most
    SURVIVORS = 150, // sets per family that are sampled again on the fine grid
    SEEDS = 150,     // per family, posed exactly
    KEPT = 32,       // per family, refined
    STARTS = 4,      // of each set kept, refined
    POLISHED = 12    // per family, refined once more at all frames
};

// A grid over amplitudes and phases. The first component has phase 0 and the last has all eight phases, one per lane,
// so `step` is that of the component between.
typedef struct grid {
    int levels, step; // of phases, in eighths of a turn
    double level[LEVELS];
} grid;

static const grid coarse = {2, 2, {0.13, 0.3}}, fine = {3, 1, {0.1, 0.2, 0.4}}; // rad
static const double prune_cost = 12.0; // generous, since better mixes lie between grid points

// The best mix of a set of components within a family.
typedef struct grid_point {
    float cost;
    unsigned char level[ERI_GAIT_FEW_COMPONENTS], phase[ERI_GAIT_FEW_COMPONENTS];
    bool valid;
} grid_point;

// Components in ascending order: the mode, plus the number of modes if it swings twice a stride.
typedef struct set {
    int count, component[ERI_GAIT_FEW_COMPONENTS];
} set;

// The sets that begin with the same two components: first the pair, then its triples.
typedef struct pair_group {
    int first, count;
} pair_group;

typedef struct family_list {
    int count;
    eri_candidate best[KEPT]; // ascending
} family_list;

typedef struct search_worker search_worker;

typedef struct searcher {
    const er_gait_def *def;
    eri_path_polynomials polynomials;
    int group_count, set_count, survivor_count;
    pair_group *pair_group;
    set *set;
    grid_point *grid_point; // [set_count x ER_GAIT_FAMILY_COUNT], best of the coarse grid
    int *survivor;          // [survivor_count], indices of sets, ascending
    grid_point *start;     // [survivor_count x ER_GAIT_FAMILY_COUNT x ERI_GAIT_PHASES], by the second component's phase
    eri_gait_mix *pattern; // [pattern_count], mixes of many modes
    int kept, pattern_count;
    eri_candidate *refined;   // [2 x kept + pattern_count]
    eri_candidate *candidate; // written by the tasks that evaluate and refine
    search_worker *worker;
    int worker_count;
    // the current step
    void (*task)(search_worker *w, int index);
    int task_count, parts_done, parts_now; // progress in percent: before this step, and of this step
    atomic_int next, done;
} searcher;

struct search_worker {
    searcher *s;
    eri_mix_sampler sampler;
    eri_evaluator evaluator;
    eri_surrogate *surrogate[2]; // coarse, fine
    grid_point *grid_point;      // of the set being sampled: by family, on the fine grid also by phase
    bool on_fine_grid;
    long long tried, posed;
};

// --- tasks and threads

static void work(void *self)
{
    search_worker *w = self;
    searcher *s = w->s;
    bool reports = w == s->worker; // progress is reported in the caller's thread
    if (eri_linalg_ready(NULL) != ER_OK) return;
    for (int index; (index = atomic_fetch_add(&s->next, 1)) < s->task_count;) {
        if (eri_gait_is_stopped(s->def)) return;
        s->task(w, index);
        int done = atomic_fetch_add(&s->done, 1) + 1;
        if (reports && s->def->progress != NULL)
            s->def->progress(s->def->user, s->parts_done + (int)((double)s->parts_now * done / s->task_count), 100);
    }
}

// Does `count` tasks, `parts` percent of the whole search.
static er_result do_all(er_context *context, searcher *s, int count, int parts,
                        void (*task)(search_worker *w, int index))
{
    s->task = task;
    s->task_count = count;
    s->parts_now = parts;
    atomic_store(&s->next, 0);
    atomic_store(&s->done, 0);
    eri_threads_run(work, s->worker, count < s->worker_count ? count : s->worker_count, sizeof *s->worker);
    if (atomic_load(&s->done) < count) return eri_gait_fail_stopped(context);
    s->parts_done += parts;
    if (s->def->progress != NULL) s->def->progress(s->def->user, s->parts_done, 100);
    return ER_OK;
}

// --- the grid

static int mode_of(const searcher *s, int component)
{
    return component % s->polynomials.modes;
}

static int harmonic_of(const searcher *s, int component)
{
    return component < s->polynomials.modes ? 1 : 2;
}

// Components ascend, the first swings once a stride and no mode occurs twice, so every set is listed once.
static er_result list_sets(er_arena *arena, searcher *s)
{
    er_result r = ER_OK;
    int n = s->polynomials.modes;
    ERI_TRY_NEW(s->pair_group, arena, pair_group, 2 * n * n);
    ERI_TRY_NEW(s->set, arena, set, 2 * n * n * (n + 1));
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < 2 * n; ++b) {
            if (mode_of(s, b) == a) continue;
            pair_group *o = &s->pair_group[s->group_count++];
            *o = (pair_group){s->set_count, 1};
            s->set[s->set_count++] = (set){2, {a, b}};
            for (int c = b + 1; c < 2 * n; ++c) {
                if (mode_of(s, c) == a || mode_of(s, c) == mode_of(s, b)) continue;
                s->set[s->set_count++] = (set){3, {a, b, c}};
                ++o->count;
            }
        }
    ERI_TRY_NEW(s->grid_point, arena, grid_point, (size_t)s->set_count * ER_GAIT_FAMILY_COUNT);
done:
    return r;
}

static eri_gait_component component_of(const searcher *s, const grid *g, int component, int level, int phase)
{
    return (eri_gait_component){mode_of(s, component), harmonic_of(s, component), g->level[level],
                                2.0 * ER_PI * phase / ERI_GAIT_PHASES};
}

static eri_gait_mix mix_at(const searcher *s, const set *of, const grid_point *at)
{
    eri_gait_mix mix = {.count = of->count};
    for (int v = 0; v < of->count; ++v)
        mix.component[v] = component_of(s, &fine, of->component[v], at->level[v], at->phase[v]);
    return mix;
}

// Keeps a sampled stride if it is the best of its set and family.
static void record(search_worker *w, const eri_gait_mix *mix, const grid_point *place, eri_stride *stride)
{
    if (!(stride->length > 0.0)) return;
    eri_gait_effort(&w->sampler, mix, stride);
    double cost = eri_stride_cost(w->sampler.body, &w->s->def->weights, stride);
    if (!(cost < prune_cost)) return;
    int family = (int)eri_gait_family_of(w->sampler.body, stride);
    grid_point *best = &w->grid_point[w->on_fine_grid ? family * ERI_GAIT_PHASES + place->phase[1] : family];
    if (best->valid && best->cost <= (float)cost) return;
    *best = *place;
    best->cost = (float)cost;
    best->valid = true;
}

// The last component of a mix at every amplitude and phase.
static void sample_last(search_worker *w, const grid *g, int component, eri_gait_mix *mix, grid_point *place)
{
    const searcher *s = w->s;
    eri_surrogate *surrogate = w->surrogate[w->on_fine_grid];
    int last = mix->count++;
    eri_stride stride[ERI_GAIT_PHASES];
    eri_surrogate_set_last(surrogate, mode_of(s, component), harmonic_of(s, component));
    for (int level = 0; level < g->levels; ++level) {
        eri_surrogate_sample(surrogate, g->level[level], stride);
        mix->component[last] = component_of(s, g, component, level, 0);
        place->level[last] = (unsigned char)level;
        for (int phase = 0; phase < ERI_GAIT_PHASES; ++phase) {
            place->phase[last] = (unsigned char)phase;
            record(w, mix, place, &stride[phase]);
        }
    }
    mix->count = last;
    w->tried += g->levels * ERI_GAIT_PHASES;
}

static void sample_pair(search_worker *w, const grid *g, const set *pair)
{
    for (int level = 0; level < g->levels; ++level) {
        eri_gait_mix mix = {1, {component_of(w->s, g, pair->component[0], level, 0)}};
        grid_point place = {.level = {(unsigned char)level}};
        eri_surrogate_set_first(w->surrogate[w->on_fine_grid], 1, mix.component);
        sample_last(w, g, pair->component[1], &mix, &place);
    }
}

// Reversed in time and shifted by half a stride, a mix whose first component has phase 0 becomes another such mix. The
// surrogate covers both directions, so only one of the two phases of the second component is sampled.
static bool is_canonical(int harmonic, int phase)
{
    int turned = (ERI_GAIT_PHASES / 2 * (harmonic + 1) - phase) % ERI_GAIT_PHASES;
    return phase <= turned;
}

// All triples of a group.
static void sample_triples(search_worker *w, const grid *g, int count, const set *triple)
{
    const searcher *s = w->s;
    grid_point *points = w->grid_point;
    int first = triple->component[0], second = triple->component[1];
    for (int phase = 0; phase < ERI_GAIT_PHASES; phase += g->step) {
        if (!is_canonical(harmonic_of(s, second), phase)) continue;
        for (int k = 0; k < g->levels * g->levels; ++k) {
            int a = k % g->levels, b = k / g->levels;
            eri_gait_mix mix = {2, {component_of(s, g, first, a, 0), component_of(s, g, second, b, phase)}};
            grid_point place = {.level = {(unsigned char)a, (unsigned char)b}, .phase = {0, (unsigned char)phase}};
            eri_surrogate_set_first(w->surrogate[w->on_fine_grid], 2, mix.component);
            for (int i = 0; i < count; ++i) {
                w->grid_point = points + i * ER_GAIT_FAMILY_COUNT;
                sample_last(w, g, triple[i].component[2], &mix, &place);
            }
        }
    }
}

static void sample_group(search_worker *w, int index)
{
    const searcher *s = w->s;
    const pair_group *o = &s->pair_group[index];
    w->on_fine_grid = false;
    w->grid_point = s->grid_point + (ptrdiff_t)o->first * ER_GAIT_FAMILY_COUNT;
    sample_pair(w, &coarse, &s->set[o->first]);
    w->grid_point += ER_GAIT_FAMILY_COUNT;
    sample_triples(w, &coarse, o->count - 1, &s->set[o->first + 1]);
}

static void sample_survivor(search_worker *w, int index)
{
    const searcher *s = w->s;
    const set *of = &s->set[s->survivor[index]];
    w->on_fine_grid = true;
    w->grid_point = s->start + (ptrdiff_t)index * ER_GAIT_FAMILY_COUNT * ERI_GAIT_PHASES;
    if (of->count == 2)
        sample_pair(w, &fine, of);
    else
        sample_triples(w, &fine, 1, of);
}

// --- the best of the grid

typedef struct ranked_point {
    float cost;
    int index; // of a set, or of a survivor
    const grid_point *grid_point;
} ranked_point;

static int by_rank(const void *a, const void *b)
{
    const ranked_point *x = a, *y = b;
    if (x->cost != y->cost) return (x->cost > y->cost) - (x->cost < y->cost);
    return (x->index > y->index) - (x->index < y->index);
}

static int by_number(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

// The sets that do best on the coarse grid, in any family.
static er_result choose_survivors(er_arena *arena, searcher *s, ranked_point *work)
{
    er_result r = ER_OK;
    int count = 0;
    ERI_TRY_NEW(s->survivor, arena, int, ER_GAIT_FAMILY_COUNT *SURVIVORS);
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        int ranked = 0;
        for (int i = 0; i < s->set_count; ++i) {
            const grid_point *at = &s->grid_point[(ptrdiff_t)i * ER_GAIT_FAMILY_COUNT + f];
            if (at->valid) work[ranked++] = (ranked_point){at->cost, i, at};
        }
        qsort(work, (size_t)ranked, sizeof *work, by_rank);
        for (int i = 0; i < ranked && i < SURVIVORS; ++i)
            s->survivor[count++] = work[i].index;
    }
    qsort(s->survivor, (size_t)count, sizeof *s->survivor, by_number);
    for (int i = 0; i < count; ++i)
        if (i == 0 || s->survivor[i] != s->survivor[i - 1]) s->survivor[s->survivor_count++] = s->survivor[i];
    ERI_TRY_NEW(s->start, arena, grid_point, (size_t)s->survivor_count * ER_GAIT_FAMILY_COUNT * ERI_GAIT_PHASES);
done:
    return r;
}

static const grid_point *starts_of(const searcher *s, int survivor, int family)
{
    return s->start + ((ptrdiff_t)survivor * ER_GAIT_FAMILY_COUNT + family) * ERI_GAIT_PHASES;
}

static const grid_point *best_start(const grid_point *start)
{
    const grid_point *best = NULL;
    for (int i = 0; i < ERI_GAIT_PHASES; ++i)
        if (start[i].valid && (best == NULL || start[i].cost < best->cost)) best = &start[i];
    return best;
}

static int take_seeds(searcher *s, ranked_point *work)
{
    int seeds = 0;
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        int ranked = 0;
        for (int i = 0; i < s->survivor_count; ++i) {
            const grid_point *at = best_start(starts_of(s, i, f));
            if (at != NULL) work[ranked++] = (ranked_point){at->cost, i, at};
        }
        qsort(work, (size_t)ranked, sizeof *work, by_rank);
        for (int i = 0; i < ranked && i < SEEDS; ++i)
            s->candidate[seeds++].mix = mix_at(s, &s->set[s->survivor[work[i].index]], work[i].grid_point);
    }
    return seeds;
}

static void evaluate_seed(search_worker *w, int index)
{
    eri_candidate *candidate = &w->s->candidate[index];
    eri_evaluator_evaluate(&w->evaluator, candidate->mix, candidate);
    ++w->posed;
}

// The survivor that a mix belongs to.
static int survivor_of(const searcher *s, const eri_gait_mix *mix)
{
    set of = {.count = mix->count};
    for (int v = 0; v < mix->count; ++v)
        of.component[v] = mix->component[v].mode + (mix->component[v].harmonic - 1) * s->polynomials.modes;
    for (int i = 0; i < s->survivor_count; ++i)
        if (memcmp(&s->set[s->survivor[i]], &of, sizeof of) == 0) return i;
    return -1;
}

// Starts for refining: the best grid point at each phase of the second component, posed exactly, best first.
static int find_starts(search_worker *w, const eri_candidate *candidate, eri_candidate *start)
{
    const searcher *s = w->s;
    int survivor = survivor_of(s, &candidate->mix), starts = 0;
    assert(survivor >= 0);
    const grid_point *points = starts_of(s, survivor, (int)candidate->family);
    for (int i = 0; i < ERI_GAIT_PHASES; ++i) {
        if (!points[i].valid) continue;
        eri_candidate next;
        eri_evaluator_evaluate(&w->evaluator, mix_at(s, &s->set[s->survivor[survivor]], &points[i]), &next);
        ++w->posed;
        if (!(next.cost < HUGE_VAL) || next.family != candidate->family) continue;
        int at = starts++;
        for (; at > 0 && start[at - 1].cost > next.cost; --at)
            start[at] = start[at - 1];
        start[at] = next;
    }
    return starts;
}

// Refines a mix by its coarse frames, then evaluates it by all frames.
static void descend(search_worker *w, bool any_family, eri_candidate from, er_gait_family family, eri_candidate best[2])
{
    w->evaluator.any_family = any_family;
    w->posed += eri_evaluator_refine(&w->evaluator, false, &from);
    eri_evaluator_evaluate_finely(&w->evaluator, 0.0, &from);
    eri_candidate *at = &best[from.family != family];
    if (from.cost < at->cost) *at = from;
}

// Coarse and fine frames may disagree on the family, for example on a short flight. So a set gives up to two mixes: the
// best of its own family, and the best that turns out to belong to another.
static void refine(search_worker *w, int index)
{
    const eri_candidate *kept = &w->s->candidate[index];
    eri_candidate *best = &w->s->refined[2 * index], start[ERI_GAIT_PHASES + 1];
    int starts = find_starts(w, kept, start);
    starts = starts < STARTS ? starts : STARTS;
    start[starts++] = *kept;
    best[0].cost = best[1].cost = HUGE_VAL;
    for (int i = 0; i < starts; ++i)
        descend(w, false, start[i], kept->family, best);
    descend(w, true, *kept, kept->family, best);
}

// Refines a mix of many modes.
static void refine_pattern(search_worker *w, int index)
{
    const searcher *s = w->s;
    eri_candidate best[2] = {{.cost = HUGE_VAL}, {.cost = HUGE_VAL}}, from;
    eri_evaluator_evaluate(&w->evaluator, s->pattern[index], &from);
    ++w->posed;
    if (from.cost < HUGE_VAL) descend(w, true, from, from.family, best);
    s->refined[2 * s->kept + index] = best[0].cost < best[1].cost ? best[0] : best[1];
}

static void polish(search_worker *w, int index)
{
    w->evaluator.any_family = false;
    w->posed += eri_evaluator_refine(&w->evaluator, true, &w->s->candidate[index]);
}

// --- keeping the best

static bool same_components(const eri_gait_mix *a, const eri_gait_mix *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; ++i)
        if (a->component[i].mode != b->component[i].mode || a->component[i].harmonic != b->component[i].harmonic)
            return false;
    return true;
}

// One entry for each set of components.
static void keep(family_list *list, const eri_candidate *candidate)
{
    int at = list->count;
    for (int i = 0; i < list->count; ++i)
        if (same_components(&list->best[i].mix, &candidate->mix)) {
            if (list->best[i].cost <= candidate->cost) return;
            at = i;
            break;
        }
    if (at == list->count) {
        if (list->count == KEPT && list->best[KEPT - 1].cost <= candidate->cost) return;
        if (list->count < KEPT) ++list->count;
        at = list->count - 1;
    }
    for (; at > 0 && list->best[at - 1].cost > candidate->cost; --at)
        list->best[at] = list->best[at - 1];
    list->best[at] = *candidate;
}

// Replaces the candidates by the best of `from`, at most `most` per family.
static int keep_best(searcher *s, int count, const eri_candidate *from, int most, family_list *family)
{
    int kept = 0;
    memset(family, 0, ER_GAIT_FAMILY_COUNT * sizeof *family);
    for (int i = 0; i < count; ++i)
        if (from[i].cost < HUGE_VAL) keep(&family[from[i].family], &from[i]);
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f)
        for (int i = 0; i < family[f].count && i < most; ++i)
            s->candidate[kept++] = family[f].best[i];
    return kept;
}

static er_result create_workers(er_arena *arena, searcher *s, const eri_mix_sampler *w)
{
    er_result r = ER_OK;
    int allowed = eri_linalg_threads();
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    s->worker_count = allowed < 1 ? 1 : allowed < ERI_THREADS_MOST ? allowed : ERI_THREADS_MOST;
    ERI_TRY_NEW(s->worker, arena, search_worker, s->worker_count);
    for (int i = 0; i < s->worker_count; ++i) {
        search_worker *one = &s->worker[i];
        one->s = s;
        ERI_TRY(eri_mix_sampler_share(arena, w, &one->sampler));
        ERI_TRY(eri_evaluator_create(arena, &one->sampler, &s->def->weights, &one->evaluator));
        for (int k = 0; k < 2; ++k)
            ERI_TRY(eri_surrogate_create(arena, &s->polynomials, w->body, k == 0, &one->surrogate[k]));
    }
done:
    return r;
}

er_result eri_gait_search(er_arena *arena, eri_mix_sampler *w, const er_gait_def *def, eri_candidate **candidate,
                          int *count, er_gaits *size)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(arena);
    searcher s = {.def = def};
    ranked_point *work;
    family_list *family;
    *count = 0;
    ERI_TRY(eri_path_polynomials_create(arena, w, &s.polynomials));
    ERI_TRY(create_workers(arena, &s, w));
    ERI_TRY(list_sets(arena, &s));
    ERI_TRY_NEW(work, arena, ranked_point, s.set_count);
    ERI_TRY_NEW(family, arena, family_list, ER_GAIT_FAMILY_COUNT);
    ERI_TRY_NEW(s.candidate, arena, eri_candidate, ER_GAIT_FAMILY_COUNT * SEEDS);
    ERI_TRY(do_all(context, &s, s.group_count, 50, sample_group));
    ERI_TRY(choose_survivors(arena, &s, work));
    ERI_TRY(do_all(context, &s, s.survivor_count, 20, sample_survivor));
    int seeds = take_seeds(&s, work);
    ERI_TRY(do_all(context, &s, seeds, 5, evaluate_seed));
    s.kept = keep_best(&s, seeds, s.candidate, KEPT, family);
    if (w->body->foot_count >= ERI_GAIT_MANY_FEET)
        ERI_TRY(eri_pattern_mixes(arena, &s.polynomials, w->body, &s.pattern, &s.pattern_count));
    ERI_TRY_NEW(s.refined, arena, eri_candidate, 2 * s.kept + s.pattern_count);
    ERI_TRY(do_all(context, &s, s.kept, 15, refine));
    ERI_TRY(do_all(context, &s, s.pattern_count, 5, refine_pattern));
    *count = keep_best(&s, 2 * s.kept + s.pattern_count, s.refined, POLISHED, family);
    ERI_TRY(do_all(context, &s, *count, 5, polish));
    eri_candidates_sort(*count, s.candidate);
    *candidate = s.candidate;
    for (int i = 0; i < s.worker_count; ++i) {
        size->tried += s.worker[i].tried + s.worker[i].posed;
        size->posed += s.worker[i].posed;
    }
done:
    return r;
}
