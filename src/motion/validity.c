// The largest amplitude at which a mode is valid: swings of growing amplitude until the frequency has shifted too far,
// then a search between the last two. Each thread has its own context and world, and modes do not depend on each other.
#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "base/platform.h"
#include "base/threads.h"
#include "math/dense/dense.h"
#include "motion/mode_swing.h"

static const double steps[] = {0.01, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0}; // degrees
enum { STEPS = (int)ERI_COUNT(steps), SEARCH = 8, MOST = STEPS + SEARCH };
static const double bracket_tolerance = 0.01; // of the amplitude sought

er_validity_def er_default_validity_def(void)
{
    return (er_validity_def){.shift = 0.02, .tag = ER_DEF_TAG};
}

// The amplitudes between which the frequency shifts by more than is allowed, and the shifts there.
typedef struct bracket {
    double low, high; // degrees
    double low_shift, high_shift;
} bracket;

// Shifts grow as the square of the amplitude, so their roots lie on a line; kept off the ends.
static double interpolate(const bracket *b, double shift)
{
    double share = 0.5;
    if (b->high_shift < HUGE_VAL)
        share = (sqrt(shift) - sqrt(b->low_shift)) / (sqrt(b->high_shift) - sqrt(b->low_shift));
    return b->low + fmin(fmax(share, 0.02), 0.98) * (b->high - b->low);
}

static void insert(er_mode_validity *v, er_trial *list, er_trial swing)
{
    int at = v->trial_count++;
    for (; at > 0 && list[at - 1].degrees > swing.degrees; --at)
        list[at] = list[at - 1];
    list[at] = swing;
}

// A swing that loops or the integrator cannot follow has no frequency.
static er_result add_trial(eri_swings *s, const er_mode *mode, double degrees, er_mode_validity *v, er_trial *list,
                           double *shift)
{
    er_trial swing;
    *shift = HUGE_VAL;
    er_result r = eri_swings_measure(s, mode, degrees, &swing);
    if (r == ER_ERROR_NO_CONVERGENCE) return ER_OK;
    if (r != ER_OK) return r;
    *shift = fabs(swing.shift);
    insert(v, list, swing);
    return ER_OK;
}

static void narrow(bracket *b, double degrees, double shift, double allowed)
{
    if (shift < allowed) {
        b->low = degrees;
        b->low_shift = shift;
    } else {
        b->high = degrees;
        b->high_shift = shift;
    }
}

// Shared by the workers. Modes are taken from the lowest up, so all below one that failed are validated too.
typedef struct validation {
    const er_model *model;
    const er_modes *modes;
    const er_validity_def *def;
    int count;            // of elastic modes
    const er_mode **mode; // [count]
    er_mode_validity *of; // [count]
    er_trial *list;       // [MOST count]
    bool *is_done;        // [count]
    atomic_int next, finished, done;
    atomic_bool ended;  // by the progress callback
    atomic_bool failed; // take no more modes
} validation;

typedef struct trial_worker {
    validation *j;
    er_context *context;
    bool reports; // runs in the caller's thread
    int failed;   // the mode
    er_result result;
} trial_worker;

static void report_progress(const trial_worker *w)
{
    const er_validity_def *def = w->j->def;
    if (!w->reports || def->progress == NULL || atomic_load(&w->j->ended)) return;
    if (!def->progress(def->user, atomic_load(&w->j->done), w->j->count)) atomic_store(&w->j->ended, true);
}

// ER_OK also where the callback ended the work
static er_result validate_mode(const trial_worker *w, eri_swings *s, const er_mode *mode, er_mode_validity *v,
                               er_trial *list)
{
    er_result r = ER_OK;
    const atomic_bool *ended = &w->j->ended;
    double shift, allowed = w->j->def->shift;
    bracket b = {.high = HUGE_VAL};
    for (int i = 0; i < STEPS && b.high == HUGE_VAL && !atomic_load(ended); ++i) {
        ERI_TRY(add_trial(s, mode, steps[i], v, list, &shift));
        narrow(&b, steps[i], shift, allowed);
        report_progress(w);
    }
    v->at_least = b.high == HUGE_VAL;
    for (int i = 0; i < SEARCH && !v->at_least && b.high - b.low > bracket_tolerance * b.high && !atomic_load(ended);
         ++i) {
        double degrees = interpolate(&b, allowed);
        ERI_TRY(add_trial(s, mode, degrees, v, list, &shift));
        narrow(&b, degrees, shift, allowed);
        report_progress(w);
    }
    v->true_to_degrees = b.low;
done:
    return r;
}

static void validate_next(trial_worker *w, eri_swings *s, int index)
{
    validation *j = w->j;
    er_mode_validity *v = &j->of[index];
    v->mode = er_modes_index(j->modes, j->mode[index]);
    v->trial = j->list + (size_t)MOST * (size_t)index;
    w->result = validate_mode(w, s, j->mode[index], v, j->list + (size_t)MOST * (size_t)index);
    if (w->result != ER_OK) {
        w->failed = index;
        atomic_store(&j->failed, true);
    } else if (!atomic_load(&j->ended)) {
        j->is_done[index] = true;
        atomic_fetch_add(&j->done, 1);
    }
    atomic_fetch_add(&j->finished, 1);
    report_progress(w);
}

static bool goes_on(const validation *j)
{
    return !atomic_load(&j->ended) && !atomic_load(&j->failed);
}

// A thread without memory leaves its work to the others.
static void work(void *self)
{
    trial_worker *w = self;
    validation *j = w->j;
    eri_swings *s = NULL;
    er_result r = eri_swings_create(w->context, j->model, j->modes, &s);
    if (w->reports && r != ER_OK) w->result = r;
    int taken = 0;
    while (r == ER_OK && w->result == ER_OK && goes_on(j) && (taken = atomic_fetch_add(&j->next, 1)) < j->count)
        validate_next(w, s, taken);
    eri_swings_destroy(s);
    while (w->reports && goes_on(j) && r == ER_OK &&
           atomic_load(&j->finished) < j->count) { // the callback may end the others
        eri_platform_sleep(0.02);
        report_progress(w);
    }
}

// The failure of the lowest mode, which is the same on any number of threads.
static er_result failure_of(er_context *context, const trial_worker *w, int count)
{
    const trial_worker *first = NULL;
    for (int i = 0; i < count; ++i)
        if (w[i].result != ER_OK && (first == NULL || w[i].failed < first->failed)) first = &w[i];
    if (first == NULL) return ER_OK;
    return er_fail(context, first->result, "%s", er_context_error(first->context));
}

static void keep_done(const validation *j, er_validity *out)
{
    for (int i = 0; i < j->count; ++i)
        if (j->is_done[i]) j->of[out->count++] = j->of[i];
}

static er_result validate_modes(er_context *context, validation *j, er_validity *out)
{
    er_result r = ER_OK;
    trial_worker w[ERI_THREADS_MOST];
    eri_contexts *contexts = NULL;
    int allowed = eri_linalg_threads(), most = allowed < ERI_THREADS_MOST ? allowed : ERI_THREADS_MOST;
    int count = j->count < most ? j->count : most;
    if (count == 0) return ER_OK;
    ERI_TRY(eri_contexts_create(context, count, &contexts));
    int before = eri_linalg_one_thread(); // of BLAS: each has one of its own
    for (int i = 0; i < count; ++i)
        w[i] = (trial_worker){.j = j, .context = eri_contexts_of(contexts, i), .reports = i == 0};
    eri_threads_run(work, w, count, sizeof *w);
    eri_linalg_set_threads(before);
    ERI_TRY(failure_of(context, w, count));
    keep_done(j, out);
done:
    eri_contexts_destroy(contexts);
    return r;
}

static er_result list_modes(er_arena *scratch, er_arena *arena, validation *j)
{
    er_result r = ER_OK;
    size_t all = (size_t)j->modes->count;
    ERI_TRY_NEW(j->mode, scratch, const er_mode *, all);
    ERI_TRY_NEW(j->is_done, scratch, bool, all);
    for (size_t k = 0; k < all; ++k)
        if (j->modes->mode[k].kind == ER_MODE_ELASTIC) j->mode[j->count++] = &j->modes->mode[k];
    ERI_TRY_NEW(j->of, arena, er_mode_validity, j->count);
    ERI_TRY_NEW(j->list, arena, er_trial, (size_t)MOST * (size_t)j->count);
done:
    return r;
}

er_result er_modes_validate(er_context *context, const er_model *model, const er_modes *modes,
                            const er_validity_def *def, er_validity **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_validity_def usual = er_default_validity_def();
    if (def == NULL) def = &usual;
    if (model == NULL || modes == NULL || def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_modes_validate needs a model, its modes, and a def from er_default_validity_def()");
    if (!(def->shift > 0.0 && def->shift < 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "a shift of %g is not in (0, 1)", def->shift);
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_validity *v;
    validation j = {.model = model, .modes = modes, .def = def};
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(v, arena, er_validity, 1);
    ERI_TRY(list_modes(scratch, arena, &j));
    *v = (er_validity){.shift = def->shift, .mode = j.of, .arena = arena};
    ERI_TRY(validate_modes(context, &j, v));
    *out = v;
    arena = NULL;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_validity_destroy(er_validity *validity)
{
    if (validity != NULL) eri_arena_destroy(validity->arena);
}

const er_mode_validity *er_validity_find(const er_validity *validity, int index)
{
    for (int i = 0; validity != NULL && i < validity->count; ++i)
        if (validity->mode[i].mode == index) return &validity->mode[i];
    return NULL;
}
