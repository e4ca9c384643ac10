// The search, from coarse to fine. Every set of two and three components is screened on a coarse grid by polynomials of
// its feet's paths; the sets that do best in any family are screened on a fine one, the best of those are posed
// exactly, and the best of these refined from several places of the grid. Tasks go to threads; each writes to a place
// of its own, so that what comes out does not depend on how many there are.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "gait/search/search_screen.h"
#include "math/dense/dense.h"

enum {
    LEVELS = 3,   // of a grid, at most
    LOOKED = 150, // sets of each family, that are screened once more on the fine grid
    SEEDS = 150,  // of each family, that are posed
    KEPT = 32,    // of each family, that are refined
    STARTS = 4,   // of each of them
    POLISHED = 12 // of each family, that are refined once more at all frames
};

// Amplitudes, and phases of all but the first and the last component of a mix: the first's is 0, the last goes through
// all eight, a lane each.
typedef struct grid {
    int levels, step; // of phases, in eighths of a turn
    double level[LEVELS];
} grid;

static const grid coarse = {2, 2, {0.13, 0.3}}, fine = {3, 1, {0.1, 0.2, 0.4}}; // rad
static const double hopeless = 12.0; // badness on a grid: between its mixes are better ones

// The best mix of a set of components, of a family.
typedef struct spot {
    float badness;
    unsigned char level[ERI_GAIT_FEW_COMPONENTS], phase[ERI_GAIT_FEW_COMPONENTS];
    bool there;
} spot;

// Components, ascending: a mode, plus the count of modes for twice a stride.
typedef struct set {
    int count, component[ERI_GAIT_FEW_COMPONENTS];
} set;

// Sets that begin with the same two components: those two alone, then each with a third one.
typedef struct opening {
    int first, count;
} opening;

typedef struct family_list {
    int count;
    eri_candidate best[KEPT]; // ascending
} family_list;

typedef struct search_worker search_worker;

typedef struct searcher {
    const er_gait_def *def;
    eri_swing swing;
    int opening_count, set_count, looked_count;
    opening *opening;
    set *set;
    spot *spot;            // [set_count x ER_GAIT_FAMILY_COUNT], of the coarse grid
    int *looked;           // [looked_count], sets, ascending
    spot *start;           // [looked_count x ER_GAIT_FAMILY_COUNT x ERI_GAIT_PHASES], by the second component's phase
    eri_gait_try *pattern; // [pattern_count], mixes of many modes
    int kept, pattern_count;
    eri_candidate *refined; // [2 x kept + pattern_count]
    eri_candidate *found;   // what tasks of judging and refining write to
    search_worker *worker;
    int worker_count;
    // of what is being done
    void (*task)(search_worker *w, int index);
    int task_count, told, telling; // tasks; parts of a hundred told before, and in all
    atomic_int next, done;
} searcher;

struct search_worker {
    searcher *s;
    eri_walker walker;
    eri_judge judge;
    eri_search_screen *screen[2]; // coarse, fine
    spot *spot;                   // of the set that is screened: by family, on the fine grid also by phase
    bool finely;
    long long tried, posed;
};

// --- tasks and threads

static void work(void *self)
{
    search_worker *w = self;
    searcher *s = w->s;
    bool tells = w == s->worker;                 // in the caller's thread
    if (eri_linalg_ready(NULL) != ER_OK) return; // which is ready
    for (int index; (index = atomic_fetch_add(&s->next, 1)) < s->task_count;) {
        if (eri_gait_is_stopped(s->def)) return;
        s->task(w, index);
        int done = atomic_fetch_add(&s->done, 1) + 1;
        if (tells && s->def->progress != NULL)
            s->def->progress(s->def->user, s->told + (int)((double)s->telling * done / s->task_count), 100);
    }
}

// Does `count` tasks, which are so many parts of a hundred of the whole.
static er_result do_all(er_context *context, searcher *s, int count, int parts,
                        void (*task)(search_worker *w, int index))
{
    s->task = task;
    s->task_count = count;
    s->telling = parts;
    atomic_store(&s->next, 0);
    atomic_store(&s->done, 0);
    eri_threads_run(work, s->worker, count < s->worker_count ? count : s->worker_count, sizeof *s->worker);
    if (atomic_load(&s->done) < count) return eri_gait_fail_stopped(context);
    s->told += parts;
    if (s->def->progress != NULL) s->def->progress(s->def->user, s->told, 100);
    return ER_OK;
}

// --- the grid

static int mode_of(const searcher *s, int component)
{
    return component % s->swing.modes;
}

static int harmonic_of(const searcher *s, int component)
{
    return component < s->swing.modes ? 1 : 2;
}

// Components of a set ascend, the first goes once a stride, and no mode is twice among them: so every set comes once.
static er_result list_sets(er_arena *arena, searcher *s)
{
    er_result r = ER_OK;
    int n = s->swing.modes;
    ERI_TRY_NEW(s->opening, arena, opening, 2 * n * n);
    ERI_TRY_NEW(s->set, arena, set, 2 * n * n * (n + 1));
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < 2 * n; ++b) {
            if (mode_of(s, b) == a) continue;
            opening *o = &s->opening[s->opening_count++];
            *o = (opening){s->set_count, 1};
            s->set[s->set_count++] = (set){2, {a, b}};
            for (int c = b + 1; c < 2 * n; ++c) {
                if (mode_of(s, c) == a || mode_of(s, c) == mode_of(s, b)) continue;
                s->set[s->set_count++] = (set){3, {a, b, c}};
                ++o->count;
            }
        }
    ERI_TRY_NEW(s->spot, arena, spot, (size_t)s->set_count * ER_GAIT_FAMILY_COUNT);
done:
    return r;
}

static eri_gait_part part_of(const searcher *s, const grid *g, int component, int level, int phase)
{
    return (eri_gait_part){mode_of(s, component), harmonic_of(s, component), g->level[level],
                           2.0 * ER_PI * phase / ERI_GAIT_PHASES};
}

static eri_gait_try mix_at(const searcher *s, const set *of, const spot *at)
{
    eri_gait_try mix = {.count = of->count};
    for (int v = 0; v < of->count; ++v)
        mix.part[v] = part_of(s, &fine, of->component[v], at->level[v], at->phase[v]);
    return mix;
}

// Keeps a stride of the screen's where it is the best of its kind.
static void note(search_worker *w, const eri_gait_try *mix, const spot *place, eri_stride *stride)
{
    if (!(stride->length > 0.0)) return;
    eri_gait_effort(&w->walker, mix, stride);
    double badness = eri_stride_badness(w->walker.body, &w->s->def->weights, stride);
    if (!(badness < hopeless)) return;
    int family = (int)eri_footfall_family(w->walker.body, stride);
    spot *best = &w->spot[w->finely ? family * ERI_GAIT_PHASES + place->phase[1] : family];
    if (best->there && best->badness <= (float)badness) return;
    *best = *place;
    best->badness = (float)badness;
    best->there = true;
}

// The last component of a mix at every amplitude and phase.
static void top(search_worker *w, const grid *g, int component, eri_gait_try *mix, spot *place)
{
    const searcher *s = w->s;
    eri_search_screen *screen = w->screen[w->finely];
    int last = mix->count++;
    eri_stride stride[ERI_GAIT_PHASES];
    eri_screen_add(screen, mode_of(s, component), harmonic_of(s, component));
    for (int level = 0; level < g->levels; ++level) {
        eri_screen_walk(screen, g->level[level], stride);
        mix->part[last] = part_of(s, g, component, level, 0);
        place->level[last] = (unsigned char)level;
        for (int phase = 0; phase < ERI_GAIT_PHASES; ++phase) {
            place->phase[last] = (unsigned char)phase;
            note(w, mix, place, &stride[phase]);
        }
    }
    mix->count = last;
    w->tried += g->levels * ERI_GAIT_PHASES;
}

static void screen_pair(search_worker *w, const grid *g, const set *pair)
{
    for (int level = 0; level < g->levels; ++level) {
        eri_gait_try mix = {1, {part_of(w->s, g, pair->component[0], level, 0)}};
        spot place = {.level = {(unsigned char)level}};
        eri_screen_set_base(w->screen[w->finely], 1, mix.part);
        top(w, g, pair->component[1], &mix, &place);
    }
}

// Turned round in time, and begun half a stride later, a mix of a first component at phase 0 is such a mix again. The
// screen looks at both at once, so of two such phases of the second component one will do.
static bool comes_first(int harmonic, int phase)
{
    int turned = (ERI_GAIT_PHASES / 2 * (harmonic + 1) - phase) % ERI_GAIT_PHASES;
    return phase <= turned;
}

// Sets of three that begin with the same two components.
static void screen_triples(search_worker *w, const grid *g, int count, const set *triple)
{
    const searcher *s = w->s;
    spot *spots = w->spot;
    int first = triple->component[0], second = triple->component[1];
    for (int phase = 0; phase < ERI_GAIT_PHASES; phase += g->step) {
        if (!comes_first(harmonic_of(s, second), phase)) continue;
        for (int k = 0; k < g->levels * g->levels; ++k) {
            int a = k % g->levels, b = k / g->levels;
            eri_gait_try mix = {2, {part_of(s, g, first, a, 0), part_of(s, g, second, b, phase)}};
            spot place = {.level = {(unsigned char)a, (unsigned char)b}, .phase = {0, (unsigned char)phase}};
            eri_screen_set_base(w->screen[w->finely], 2, mix.part);
            for (int i = 0; i < count; ++i) {
                w->spot = spots + i * ER_GAIT_FAMILY_COUNT;
                top(w, g, triple[i].component[2], &mix, &place);
            }
        }
    }
}

static void screen_opening(search_worker *w, int index)
{
    const searcher *s = w->s;
    const opening *o = &s->opening[index];
    w->finely = false;
    w->spot = s->spot + (ptrdiff_t)o->first * ER_GAIT_FAMILY_COUNT;
    screen_pair(w, &coarse, &s->set[o->first]);
    w->spot += ER_GAIT_FAMILY_COUNT;
    screen_triples(w, &coarse, o->count - 1, &s->set[o->first + 1]);
}

static void look(search_worker *w, int index)
{
    const searcher *s = w->s;
    const set *of = &s->set[s->looked[index]];
    w->finely = true;
    w->spot = s->start + (ptrdiff_t)index * ER_GAIT_FAMILY_COUNT * ERI_GAIT_PHASES;
    if (of->count == 2)
        screen_pair(w, &fine, of);
    else
        screen_triples(w, &fine, 1, of);
}

// --- the best of the grid

typedef struct candidate {
    float badness;
    int index; // of a set, or of one that was looked at
    const spot *spot;
} candidate;

static int by_screen(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->badness != y->badness) return (x->badness > y->badness) - (x->badness < y->badness);
    return (x->index > y->index) - (x->index < y->index);
}

static int by_number(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

// The sets that do best on the coarse grid, in any family.
static er_result choose_looked(er_arena *arena, searcher *s, candidate *work)
{
    er_result r = ER_OK;
    int count = 0;
    ERI_TRY_NEW(s->looked, arena, int, ER_GAIT_FAMILY_COUNT *LOOKED);
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        int there = 0;
        for (int i = 0; i < s->set_count; ++i) {
            const spot *at = &s->spot[(ptrdiff_t)i * ER_GAIT_FAMILY_COUNT + f];
            if (at->there) work[there++] = (candidate){at->badness, i, at};
        }
        qsort(work, (size_t)there, sizeof *work, by_screen);
        for (int i = 0; i < there && i < LOOKED; ++i)
            s->looked[count++] = work[i].index;
    }
    qsort(s->looked, (size_t)count, sizeof *s->looked, by_number);
    for (int i = 0; i < count; ++i)
        if (i == 0 || s->looked[i] != s->looked[i - 1]) s->looked[s->looked_count++] = s->looked[i];
    ERI_TRY_NEW(s->start, arena, spot, (size_t)s->looked_count * ER_GAIT_FAMILY_COUNT * ERI_GAIT_PHASES);
done:
    return r;
}

static const spot *starts_of(const searcher *s, int looked, int family)
{
    return s->start + ((ptrdiff_t)looked * ER_GAIT_FAMILY_COUNT + family) * ERI_GAIT_PHASES;
}

static const spot *best_start(const spot *start)
{
    const spot *best = NULL;
    for (int i = 0; i < ERI_GAIT_PHASES; ++i)
        if (start[i].there && (best == NULL || start[i].badness < best->badness)) best = &start[i];
    return best;
}

static int take_seeds(searcher *s, candidate *work)
{
    int seeds = 0;
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        int there = 0;
        for (int i = 0; i < s->looked_count; ++i) {
            const spot *at = best_start(starts_of(s, i, f));
            if (at != NULL) work[there++] = (candidate){at->badness, i, at};
        }
        qsort(work, (size_t)there, sizeof *work, by_screen);
        for (int i = 0; i < there && i < SEEDS; ++i)
            s->found[seeds++].mix = mix_at(s, &s->set[s->looked[work[i].index]], work[i].spot);
    }
    return seeds;
}

static void judge_seed(search_worker *w, int index)
{
    eri_candidate *found = &w->s->found[index];
    eri_judge_mix(&w->judge, found->mix, found);
    ++w->posed;
}

// The set of a mix among those that were looked at.
static int looked_of(const searcher *s, const eri_gait_try *mix)
{
    set of = {.count = mix->count};
    for (int v = 0; v < mix->count; ++v)
        of.component[v] = mix->part[v].mode + (mix->part[v].harmonic - 1) * s->swing.modes;
    for (int i = 0; i < s->looked_count; ++i)
        if (memcmp(&s->set[s->looked[i]], &of, sizeof of) == 0) return i;
    return -1;
}

// The best of a set in a family at each phase of the second component, posed, the best first.
static int find_starts(search_worker *w, const eri_candidate *found, eri_candidate *start)
{
    const searcher *s = w->s;
    int looked = looked_of(s, &found->mix), starts = 0;
    assert(looked >= 0);
    const spot *spots = starts_of(s, looked, (int)found->family);
    for (int i = 0; i < ERI_GAIT_PHASES; ++i) {
        if (!spots[i].there) continue;
        eri_candidate next;
        eri_judge_mix(&w->judge, mix_at(s, &s->set[s->looked[looked]], &spots[i]), &next);
        ++w->posed;
        if (!(next.badness < HUGE_VAL) || next.family != found->family) continue;
        int at = starts++;
        for (; at > 0 && start[at - 1].badness > next.badness; --at)
            start[at] = start[at - 1];
        start[at] = next;
    }
    return starts;
}

// Downhill from a mix by its coarse frames, then what it is by all of them.
static void follow(search_worker *w, bool roams, eri_candidate from, er_gait_family family, eri_candidate best[2])
{
    w->judge.roams = roams;
    w->posed += eri_judge_refine(&w->judge, false, &from);
    eri_judge_closely(&w->judge, 0.0, &from);
    eri_candidate *at = &best[from.family != family];
    if (from.badness < at->badness) *at = from;
}

// Whether a walk has no flight or a little can hang on how closely it is looked at: so a set of components gives up to
// two mixes, one of the family that it was kept for and the best that turns out to be of another.
static void refine(search_worker *w, int index)
{
    const eri_candidate *kept = &w->s->found[index];
    eri_candidate *best = &w->s->refined[2 * index], start[ERI_GAIT_PHASES + 1];
    int starts = find_starts(w, kept, start);
    starts = starts < STARTS ? starts : STARTS;
    start[starts++] = *kept;
    best[0].badness = best[1].badness = HUGE_VAL;
    for (int i = 0; i < starts; ++i)
        follow(w, false, start[i], kept->family, best);
    follow(w, true, *kept, kept->family, best);
}

// A mix of many modes, downhill.
static void refine_pattern(search_worker *w, int index)
{
    const searcher *s = w->s;
    eri_candidate best[2] = {{.badness = HUGE_VAL}, {.badness = HUGE_VAL}}, from;
    eri_judge_mix(&w->judge, s->pattern[index], &from);
    ++w->posed;
    if (from.badness < HUGE_VAL) follow(w, true, from, from.family, best);
    s->refined[2 * s->kept + index] = best[0].badness < best[1].badness ? best[0] : best[1];
}

static void polish(search_worker *w, int index)
{
    w->judge.roams = false;
    w->posed += eri_judge_refine(&w->judge, true, &w->s->found[index]);
}

// --- keeping the best

static bool same_components(const eri_gait_try *a, const eri_gait_try *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; ++i)
        if (a->part[i].mode != b->part[i].mode || a->part[i].harmonic != b->part[i].harmonic) return false;
    return true;
}

// One entry for each set of components.
static void keep(family_list *list, const eri_candidate *found)
{
    int at = list->count;
    for (int i = 0; i < list->count; ++i)
        if (same_components(&list->best[i].mix, &found->mix)) {
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

// Puts the best of `from` in place of what was found, `most` of each family.
static int keep_best(searcher *s, int count, const eri_candidate *from, int most, family_list *family)
{
    int kept = 0;
    memset(family, 0, ER_GAIT_FAMILY_COUNT * sizeof *family);
    for (int i = 0; i < count; ++i)
        if (from[i].badness < HUGE_VAL) keep(&family[from[i].family], &from[i]);
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f)
        for (int i = 0; i < family[f].count && i < most; ++i)
            s->found[kept++] = family[f].best[i];
    return kept;
}

static er_result create_workers(er_arena *arena, searcher *s, const eri_walker *w)
{
    er_result r = ER_OK;
    int allowed = eri_linalg_threads();
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    s->worker_count = allowed < 1 ? 1 : allowed < ERI_THREADS_MOST ? allowed : ERI_THREADS_MOST;
    ERI_TRY_NEW(s->worker, arena, search_worker, s->worker_count);
    for (int i = 0; i < s->worker_count; ++i) {
        search_worker *one = &s->worker[i];
        one->s = s;
        ERI_TRY(eri_walker_share(arena, w, &one->walker));
        ERI_TRY(eri_judge_create(arena, &one->walker, &s->def->weights, &one->judge));
        for (int k = 0; k < 2; ++k)
            ERI_TRY(eri_screen_create(arena, &s->swing, w->body, k == 0, &one->screen[k]));
    }
done:
    return r;
}

static int by_badness(const void *a, const void *b)
{
    const eri_candidate *x = a, *y = b;
    return (x->badness > y->badness) - (x->badness < y->badness);
}

er_result eri_gait_search(er_arena *arena, eri_walker *w, const er_gait_def *def, eri_candidate **found, int *count,
                          er_gaits *size)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(arena);
    searcher s = {.def = def};
    candidate *work;
    family_list *family;
    *count = 0;
    ERI_TRY(eri_swing_create(arena, w, &s.swing));
    ERI_TRY(create_workers(arena, &s, w));
    ERI_TRY(list_sets(arena, &s));
    ERI_TRY_NEW(work, arena, candidate, s.set_count);
    ERI_TRY_NEW(family, arena, family_list, ER_GAIT_FAMILY_COUNT);
    ERI_TRY_NEW(s.found, arena, eri_candidate, ER_GAIT_FAMILY_COUNT * SEEDS);
    ERI_TRY(do_all(context, &s, s.opening_count, 50, screen_opening));
    ERI_TRY(choose_looked(arena, &s, work));
    ERI_TRY(do_all(context, &s, s.looked_count, 20, look));
    int seeds = take_seeds(&s, work);
    ERI_TRY(do_all(context, &s, seeds, 5, judge_seed));
    s.kept = keep_best(&s, seeds, s.found, KEPT, family);
    if (w->body->foot_count >= ERI_GAIT_MANY_FEET)
        ERI_TRY(eri_pattern_mixes(arena, &s.swing, w->body, &s.pattern, &s.pattern_count));
    ERI_TRY_NEW(s.refined, arena, eri_candidate, 2 * s.kept + s.pattern_count);
    ERI_TRY(do_all(context, &s, s.kept, 15, refine));
    ERI_TRY(do_all(context, &s, s.pattern_count, 5, refine_pattern));
    *count = keep_best(&s, 2 * s.kept + s.pattern_count, s.refined, POLISHED, family);
    ERI_TRY(do_all(context, &s, *count, 5, polish));
    qsort(s.found, (size_t)*count, sizeof *s.found, by_badness);
    *found = s.found;
    for (int i = 0; i < s.worker_count; ++i) {
        size->tried += s.worker[i].tried + s.worker[i].posed;
        size->posed += s.worker[i].posed;
    }
done:
    return r;
}
