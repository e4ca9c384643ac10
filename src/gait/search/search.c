// The search. Every mix of two and three modes on a grid is screened by polynomials of its feet's paths; of each set
// of components the best in each family is kept. The best of those are posed exactly, and the best of these refined
// from several places of the grid. Tasks go to threads; each writes to a place of its own, so that what comes out does
// not depend on how many there are.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "gait/search/screen.h"
#include "math/dense/dense.h"

enum {
    LEVELS = 3,
    SEEDS = 400,  // of each family, that are posed
    KEPT = 32,    // of each family, that are refined
    STARTS = 4,   // of each of them
    POLISHED = 12 // of each family, that are refined once more at all frames
};

static const double levels[LEVELS] = {0.1, 0.2, 0.4}; // rad
static const double hopeless = 6.0;                   // badness

// The best mix of a set of components in a family, or in a family at one phase of the second component.
typedef struct spot {
    float badness;
    unsigned short level[ER_GAIT_MAX_COMPONENTS], phase[ER_GAIT_MAX_COMPONENTS];
    bool there;
} spot;

// Two components, and where the spots begin of them alone and of them with each third one.
typedef struct opening {
    int first, second; // components: mode, plus the count of modes for twice a stride
    int spot;
} opening;

typedef struct family_list {
    int count;
    er_found best[KEPT]; // ascending
} family_list;

typedef struct worker worker;

typedef struct searcher {
    const er_gait_def *def;
    er_swing swing;
    int opening_count, set_count;
    opening *opening;
    spot *spot;        // [set_count x ER_GAIT_FAMILY_COUNT]
    er_found *refined; // [2 x what is kept]
    er_found *found;   // what tasks of judging and refining write to
    worker *worker;
    int worker_count;
    // of what is being done
    void (*task)(worker *w, int index);
    int task_count, told, telling; // tasks; parts of a hundred told before, and in all
    atomic_int next, done;
} searcher;

struct worker {
    searcher *s;
    er_walker walker;
    er_judge judge;
    er_screen *screen;
    spot *spot; // of the set that is screened: by family
    int family; // or, of this family alone, by phase; -1
    spot start[ER_GAIT_PHASES];
    long long tried, posed;
};

// --- tasks and threads

static void work(void *self)
{
    worker *w = self;
    searcher *s = w->s;
    bool tells = w == s->worker;                // in the caller's thread
    if (er_linalg_ready(NULL) != ER_OK) return; // which is ready
    for (int index; (index = atomic_fetch_add(&s->next, 1)) < s->task_count;) {
        s->task(w, index);
        int done = atomic_fetch_add(&s->done, 1) + 1;
        if (tells && s->def->progress != NULL)
            s->def->progress(s->def->user, s->told + (int)((double)s->telling * done / s->task_count), 100);
    }
}

// Does `count` tasks, which are so many parts of a hundred of the whole.
static void do_all(searcher *s, int count, int parts, void (*task)(worker *w, int index))
{
    s->task = task;
    s->task_count = count;
    s->telling = parts;
    atomic_store(&s->next, 0);
    atomic_store(&s->done, 0);
    er_threads_run(work, s->worker, count < s->worker_count ? count : s->worker_count, sizeof *s->worker);
    s->told += parts;
    if (s->def->progress != NULL) s->def->progress(s->def->user, s->told, 100);
}

// --- the grid

static int mode_of(const searcher *s, int component)
{
    return component % s->swing.modes;
}

// Components of a set ascend, the first goes once a stride, and no mode is twice among them: so every set comes once.
static bool may_follow(const searcher *s, const opening *o, int component)
{
    int mode = mode_of(s, component);
    return component > o->second && mode != mode_of(s, o->first) && mode != mode_of(s, o->second);
}

static er_result list_openings(er_arena *arena, searcher *s)
{
    er_result r = ER_OK;
    int n = s->swing.modes;
    ER_TRY_NEW(s->opening, arena, opening, 2 * n * n);
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < 2 * n; ++b) {
            if (mode_of(s, b) == a) continue;
            opening *o = &s->opening[s->opening_count++];
            *o = (opening){a, b, s->set_count++};
            for (int c = b + 1; c < 2 * n; ++c)
                s->set_count += may_follow(s, o, c);
        }
    ER_TRY_NEW(s->spot, arena, spot, (size_t)s->set_count * ER_GAIT_FAMILY_COUNT);
done:
    return r;
}

static er_gait_part part_of(const searcher *s, int component, int level, int phase)
{
    return (er_gait_part){mode_of(s, component), component < s->swing.modes ? 1 : 2, levels[level],
                          2.0 * ER_PI * phase / ER_GAIT_PHASES};
}

// Keeps a stride of the screen's where it is the best of its kind.
static void note(worker *w, const er_gait_try *mix, const spot *place, er_stride *stride)
{
    if (!(stride->length > 0.0)) return;
    er_gait_effort(&w->walker, mix, stride);
    double badness = er_stride_badness(w->walker.body, &w->s->def->weights, stride);
    if (!(badness < hopeless)) return;
    int family = (int)er_footfall_family(w->walker.body, stride);
    if (w->family >= 0 && w->family != family) return;
    spot *best = &w->spot[w->family >= 0 ? place->phase[1] : family];
    if (best->there && best->badness <= (float)badness) return;
    *best = *place;
    best->badness = (float)badness;
    best->there = true;
}

// The last component of a mix at every amplitude and phase.
static void top(worker *w, int component, er_gait_try *mix, spot *place)
{
    const searcher *s = w->s;
    int last = mix->count - 1;
    er_stride stride[ER_GAIT_PHASES];
    er_screen_add(w->screen, mode_of(s, component), component < s->swing.modes ? 1 : 2);
    for (int level = 0; level < LEVELS; ++level) {
        er_screen_walk(w->screen, levels[level], stride);
        mix->part[last] = part_of(s, component, level, 0);
        place->level[last] = (unsigned short)level;
        for (int phase = 0; phase < ER_GAIT_PHASES; ++phase) {
            place->phase[last] = (unsigned short)phase;
            note(w, mix, place, &stride[phase]);
        }
    }
    w->tried += LEVELS * ER_GAIT_PHASES;
}

static void screen_pair(worker *w, const opening *o)
{
    for (int level = 0; level < LEVELS; ++level) {
        er_gait_try mix = {2, {part_of(w->s, o->first, level, 0)}};
        spot place = {.level = {(unsigned short)level}};
        er_screen_set_base(w->screen, 1, mix.part);
        top(w, o->second, &mix, &place);
    }
}

// Two components with the third from `third` to before `end`, each with its own spots.
static void screen_triples(worker *w, const opening *o, int third, int end)
{
    const searcher *s = w->s;
    spot *spots = w->spot;
    for (int k = 0; k < LEVELS * LEVELS * ER_GAIT_PHASES; ++k) {
        int level = k % LEVELS, second = k / LEVELS % LEVELS, phase = k / (LEVELS * LEVELS);
        er_gait_try mix = {3, {part_of(s, o->first, level, 0), part_of(s, o->second, second, phase)}};
        spot place = {.level = {(unsigned short)level, (unsigned short)second}, .phase = {0, (unsigned short)phase}};
        er_screen_set_base(w->screen, 2, mix.part);
        w->spot = spots;
        for (int component = third; component < end; ++component) {
            if (!may_follow(s, o, component)) continue;
            top(w, component, &mix, &place);
            w->spot += ER_GAIT_FAMILY_COUNT;
        }
    }
}

static void screen_opening(worker *w, int index)
{
    const searcher *s = w->s;
    const opening *o = &s->opening[index];
    w->family = -1;
    w->spot = s->spot + (ptrdiff_t)o->spot * ER_GAIT_FAMILY_COUNT;
    screen_pair(w, o);
    w->spot += ER_GAIT_FAMILY_COUNT;
    screen_triples(w, o, o->second + 1, 2 * s->swing.modes);
}

// --- the best of the grid

typedef struct candidate {
    float badness;
    int first, second, third; // components, -1 for no third
    const spot *spot;
} candidate;

static int by_screen(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->badness != y->badness) return (x->badness > y->badness) - (x->badness < y->badness);
    return (x->spot > y->spot) - (x->spot < y->spot);
}

static int list_candidates(const searcher *s, er_gait_family family, candidate *out)
{
    int count = 0;
    for (int k = 0; k < s->opening_count; ++k) {
        const opening *o = &s->opening[k];
        int set = o->spot;
        for (int third = o->second; third < 2 * s->swing.modes; ++third) { // the second itself stands for none
            if (third > o->second && !may_follow(s, o, third)) continue;
            const spot *at = &s->spot[set++ * ER_GAIT_FAMILY_COUNT + (int)family];
            if (!at->there) continue;
            out[count++] = (candidate){at->badness, o->first, o->second, third > o->second ? third : -1, at};
        }
    }
    qsort(out, (size_t)count, sizeof *out, by_screen);
    return count;
}

static er_gait_try mix_at(const searcher *s, int count, const int *component, const spot *at)
{
    er_gait_try mix = {.count = count};
    for (int v = 0; v < count; ++v)
        mix.part[v] = part_of(s, component[v], at->level[v], at->phase[v]);
    return mix;
}

static int take_seeds(searcher *s, candidate *work)
{
    int seeds = 0;
    for (int f = 0; f < ER_GAIT_FAMILY_COUNT; ++f) {
        int count = list_candidates(s, (er_gait_family)f, work);
        for (int i = 0; i < count && i < SEEDS; ++i) {
            const spot *at = work[i].spot;
            int component[ER_GAIT_MAX_COMPONENTS] = {work[i].first, work[i].second, work[i].third};
            s->found[seeds++].mix = mix_at(s, component[2] >= 0 ? 3 : 2, component, at);
        }
    }
    return seeds;
}

static void judge_seed(worker *w, int index)
{
    er_found *found = &w->s->found[index];
    er_judge_mix(&w->judge, found->mix, found);
    ++w->posed;
}

// The best of a set in a family at each phase of the second component, posed, the best first.
static int find_starts(worker *w, const er_found *found, er_found *start)
{
    const searcher *s = w->s;
    int component[ER_GAIT_MAX_COMPONENTS], count = found->mix.count, starts = 0;
    for (int v = 0; v < count; ++v)
        component[v] = found->mix.part[v].mode + (found->mix.part[v].harmonic - 1) * s->swing.modes;
    const opening o = {component[0], component[1], 0};
    memset(w->start, 0, sizeof w->start);
    w->spot = w->start;
    w->family = (int)found->family;
    if (count == 2)
        screen_pair(w, &o);
    else
        screen_triples(w, &o, component[2], component[2] + 1);
    for (int i = 0; i < ER_GAIT_PHASES; ++i) {
        if (!w->start[i].there) continue;
        er_found next;
        er_judge_mix(&w->judge, mix_at(s, count, component, &w->start[i]), &next);
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
static void follow(worker *w, bool roams, er_found from, er_gait_family family, er_found best[2])
{
    w->judge.roams = roams;
    w->posed += er_judge_refine(&w->judge, false, &from);
    er_judge_closely(&w->judge, 0.0, &from);
    er_found *at = &best[from.family != family];
    if (from.badness < at->badness) *at = from;
}

// Whether a walk has no flight or a little can hang on how closely it is looked at: so a set of components gives up to
// two mixes, one of the family that it was kept for and the best that turns out to be of another.
static void refine(worker *w, int index)
{
    const er_found *kept = &w->s->found[index];
    er_found *best = &w->s->refined[2 * index], start[ER_GAIT_PHASES + 1];
    int starts = find_starts(w, kept, start);
    starts = starts < STARTS ? starts : STARTS;
    start[starts++] = *kept;
    best[0].badness = best[1].badness = HUGE_VAL;
    for (int i = 0; i < starts; ++i) {
        follow(w, false, start[i], kept->family, best);
        follow(w, true, start[i], kept->family, best);
    }
}

static void polish(worker *w, int index)
{
    w->judge.roams = false;
    w->posed += er_judge_refine(&w->judge, true, &w->s->found[index]);
}

// --- keeping the best

static bool same_components(const er_gait_try *a, const er_gait_try *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; ++i)
        if (a->part[i].mode != b->part[i].mode || a->part[i].harmonic != b->part[i].harmonic) return false;
    return true;
}

// One entry for each set of components.
static void keep(family_list *list, const er_found *found)
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
static int keep_best(searcher *s, int count, const er_found *from, int most, family_list *family)
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

static er_result create_workers(er_arena *arena, searcher *s, const er_walker *w)
{
    er_result r = ER_OK;
    int allowed = er_linalg_threads();
    ER_TRY(er_linalg_ready(er_arena_context(arena)));
    s->worker_count = allowed < 1 ? 1 : allowed < ER_THREADS_MOST ? allowed : ER_THREADS_MOST;
    ER_TRY_NEW(s->worker, arena, worker, s->worker_count);
    for (int i = 0; i < s->worker_count; ++i) {
        worker *one = &s->worker[i];
        one->s = s;
        ER_TRY(er_walker_share(arena, w, &one->walker));
        ER_TRY(er_judge_create(arena, &one->walker, &s->def->weights, &one->judge));
        ER_TRY(er_screen_create(arena, &s->swing, w->body, &one->screen));
    }
done:
    return r;
}

static int by_badness(const void *a, const void *b)
{
    const er_found *x = a, *y = b;
    return (x->badness > y->badness) - (x->badness < y->badness);
}

er_result er_gait_search(er_arena *arena, er_walker *w, const er_gait_def *def, er_found **found, int *count,
                         er_gaits *size)
{
    er_result r = ER_OK;
    searcher s = {.def = def};
    candidate *work;
    family_list *family;
    *count = 0;
    ER_TRY(er_swing_create(arena, w, &s.swing));
    ER_TRY(create_workers(arena, &s, w));
    ER_TRY(list_openings(arena, &s));
    ER_TRY_NEW(work, arena, candidate, s.set_count);
    ER_TRY_NEW(family, arena, family_list, ER_GAIT_FAMILY_COUNT);
    ER_TRY_NEW(s.found, arena, er_found, ER_GAIT_FAMILY_COUNT * SEEDS);
    do_all(&s, s.opening_count, 80, screen_opening);
    int seeds = take_seeds(&s, work);
    do_all(&s, seeds, 5, judge_seed);
    int kept = keep_best(&s, seeds, s.found, KEPT, family);
    ER_TRY_NEW(s.refined, arena, er_found, 2 * kept);
    do_all(&s, kept, 10, refine);
    *count = keep_best(&s, 2 * kept, s.refined, POLISHED, family);
    do_all(&s, *count, 5, polish);
    qsort(s.found, (size_t)*count, sizeof *s.found, by_badness);
    *found = s.found;
    for (int i = 0; i < s.worker_count; ++i) {
        size->tried += s.worker[i].tried + s.worker[i].posed;
        size->posed += s.worker[i].posed;
    }
done:
    return r;
}
