// The largest amplitude at which a mode is valid: swings of growing amplitude until the frequency has shifted too far,
// then a search between the last two. Threads take trials of all modes from one list. Each has its own context and
// worlds.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/platform.h"
#include "base/threads.h"
#include "math/dense/dense.h"
#include "motion/mode_swing.h"

static const double steps[] = {0.01, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0}; // degrees
enum { STEPS = (int)ERI_COUNT(steps), SEARCH = 8, MOST = STEPS + SEARCH };
enum { AHEAD = 6 }; // steps that are tried side by side; the others cost more, and wait until those below are valid
static const double bracket_tolerance = 0.01; // of the amplitude sought
static const double patience = 0.05;          // s, between calls of the progress callback

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

// The state of a mode's search. The first trials, at the amplitudes of `steps`, are made side by side; those above the
// first that is not valid are dropped. The trials between two of them follow one after the other.
typedef struct search {
    const er_mode *mode;
    er_mode_validity *v;
    er_trial *list;         // [MOST] of v
    eri_swing first[STEPS]; // by amplitude
    bool has_first[STEPS];
    int asked, used; // first trials
    int tried;       // trials after these
    int halvings;    // of the step at the largest valid amplitude
    bool waits;      // for one of the latter
    bool done;
    double drift; // the largest of the trials used
    bracket bracket;
} search;

static void insert(search *s, const er_trial *trial)
{
    int at = s->v->trial_count++;
    for (; at > 0 && s->list[at - 1].degrees > trial->degrees; --at)
        s->list[at] = s->list[at - 1];
    s->list[at] = *trial;
}

// A swing that loops or the integrator cannot follow has no frequency.
static void narrow(search *s, const eri_swing *swing, double allowed)
{
    bracket *b = &s->bracket;
    double shift = HUGE_VAL;
    if (swing->result == ER_OK) {
        shift = fabs(swing->trial.shift);
        s->drift = fmax(s->drift, swing->drift);
        insert(s, &swing->trial);
    }
    if (shift < allowed) {
        b->low = swing->degrees;
        b->low_shift = shift;
        s->halvings = swing->halvings;
    } else {
        b->high = swing->degrees;
        b->high_shift = shift;
    }
}

static bool is_bracketed(const search *s)
{
    return s->bracket.high < HUGE_VAL;
}

static void take_result(search *s, const eri_swing *swing, double allowed)
{
    if (is_bracketed(s) && swing->degrees < s->bracket.high) { // others are first trials that came late
        s->waits = false;
        narrow(s, swing, allowed);
    } else if (!is_bracketed(s)) {
        int at = 0;
        while (steps[at] < swing->degrees)
            ++at;
        s->first[at] = *swing;
        s->has_first[at] = true;
        for (; s->used < STEPS && s->has_first[s->used] && !is_bracketed(s); ++s->used)
            narrow(s, &s->first[s->used], allowed);
    }
    const bracket *b = &s->bracket;
    bool ends = b->high - b->low <= bracket_tolerance * b->high || s->tried == SEARCH;
    s->done = is_bracketed(s) ? ends && !s->waits : s->used == STEPS;
    s->v->at_least = !is_bracketed(s);
    s->v->true_to_degrees = b->low;
}

// Whether the next first trial can be made before those below it are known.
static bool is_worth_it(const search *s, double allowed)
{
    if (s->asked < AHEAD || s->used == s->asked) return true;
    double low = s->bracket.low, growth = steps[s->used] / low; // shifts grow as the square of the amplitude
    return s->used >= AHEAD && s->asked == s->used + 1 && s->bracket.low_shift * growth * growth < allowed;
}

// Whether there is another amplitude to try, and which.
static bool next_degrees(search *s, double allowed, bool searches, double *degrees)
{
    if (s->done || s->waits || searches != is_bracketed(s)) return false;
    if (searches) {
        *degrees = interpolate(&s->bracket, allowed);
        s->waits = true;
        ++s->tried;
        return true;
    }
    if (s->asked == STEPS || !is_worth_it(s, allowed)) return false;
    *degrees = steps[s->asked++];
    return true;
}

// Shared by the workers.
typedef struct validation {
    const er_model *model;
    const er_modes *modes;
    const er_validity_def *def;
    int count;            // of elastic modes
    search *search;       // [count]
    er_mode_validity *of; // [count]
    er_trial *list;       // [MOST count]
    eri_mutex lock;       // of all but `ended`
    int end;              // modes before this are to be validated: `count`, or the lowest that failed
    er_result result;     // of that mode
    char message[1024];
    atomic_int done;
    atomic_bool ended; // by the progress callback
} validation;

typedef struct trial_worker {
    validation *j;
    er_context *context;
    bool reports;     // runs in the caller's thread
    double reported;  // when, by eri_seconds()
    er_result result; // of eri_swings_create()
} trial_worker;

static void report_progress(trial_worker *w)
{
    const er_validity_def *def = w->j->def;
    w->reported = eri_seconds();
    if (def->progress == NULL || atomic_load(&w->j->ended)) return;
    if (!def->progress(def->user, atomic_load(&w->j->done), w->j->count)) atomic_store(&w->j->ended, true);
}

// The searches of the lowest modes go first, then first trials of the lowest mode that has some left.
static bool take_swing(void *user, eri_swing *next)
{
    validation *j = ((trial_worker *)user)->j;
    bool found = false;
    eri_mutex_lock(&j->lock);
    for (int first = 0; first < 2 && !found; ++first)
        for (int i = 0; i < j->end && !found; ++i)
            if (next_degrees(&j->search[i], j->def->shift, first == 0, &next->degrees)) {
                next->mode = j->search[i].mode;
                next->owner = i;
                next->halvings = j->search[i].halvings;
                found = true;
            }
    eri_mutex_unlock(&j->lock);
    return found;
}

// The lowest mode that fails is reported: it is the same on any number of threads, since lower modes are still tried.
static void fail_mode(validation *j, int mode, er_result result, const char *message)
{
    if (mode >= j->end) return;
    j->end = mode;
    j->result = result;
    snprintf(j->message, sizeof j->message, "%s", message);
}

static void give_swing(void *user, const eri_swing *swing)
{
    trial_worker *w = user;
    validation *j = w->j;
    search *s = &j->search[swing->owner];
    eri_mutex_lock(&j->lock);
    if (swing->result != ER_OK && swing->result != ER_ERROR_NO_CONVERGENCE)
        fail_mode(j, swing->owner, swing->result, er_context_error(w->context));
    else if (!s->done && !atomic_load(&j->ended))
        take_result(s, swing, j->def->shift);
    int done = 0;
    for (int i = 0; i < j->end; ++i)
        done += j->search[i].done;
    atomic_store(&j->done, done);
    eri_mutex_unlock(&j->lock);
    if (w->reports) report_progress(w);
}

static bool goes_on(void *user)
{
    trial_worker *w = user;
    validation *j = w->j;
    if (w->reports && eri_seconds() - w->reported > patience) report_progress(w);
    if (atomic_load(&j->ended)) return false;
    eri_mutex_lock(&j->lock);
    bool left = atomic_load(&j->done) < j->end;
    eri_mutex_unlock(&j->lock);
    return left;
}

// A thread without memory leaves its work to the others. Trials that others make may lead to more.
static void work(void *self)
{
    trial_worker *w = self;
    eri_swings *s = NULL;
    const eri_swing_queue queue = {.user = w, .take = take_swing, .give = give_swing, .goes_on = goes_on};
    w->result = eri_swings_create(w->context, w->j->model, w->j->modes, &s);
    while (w->result == ER_OK && goes_on(w)) {
        eri_swings_run(s, &queue);
        if (goes_on(w)) eri_platform_sleep(0.001);
    }
    eri_swings_destroy(s);
}

static void keep_done(const validation *j, er_validity *out)
{
    for (int i = 0; i < j->count; ++i)
        if (j->search[i].done) {
            out->energy_drift = fmax(out->energy_drift, j->search[i].drift);
            j->of[out->count++] = j->of[i];
        }
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
    eri_mutex_init(&j->lock);
    eri_threads_run(work, w, count, sizeof *w);
    eri_mutex_finish(&j->lock);
    eri_linalg_set_threads(before);
    if (w[0].result != ER_OK)
        r = w[0].result;
    else if (j->result != ER_OK)
        r = er_fail(context, j->result, "%s", j->message);
    else
        keep_done(j, out);
done:
    eri_contexts_destroy(contexts);
    return r;
}

static er_result list_modes(er_arena *scratch, er_arena *arena, validation *j)
{
    er_result r = ER_OK;
    size_t all = (size_t)j->modes->count;
    ERI_TRY_NEW(j->search, scratch, search, all);
    for (size_t k = 0; k < all; ++k)
        if (j->modes->mode[k].kind == ER_MODE_ELASTIC) j->search[j->count++].mode = &j->modes->mode[k];
    j->end = j->count;
    ERI_TRY_NEW(j->of, arena, er_mode_validity, j->count);
    ERI_TRY_NEW(j->list, arena, er_trial, (size_t)MOST * (size_t)j->count);
    for (int i = 0; i < j->count; ++i) {
        search *s = &j->search[i];
        s->v = &j->of[i];
        s->list = j->list + (size_t)MOST * (size_t)i;
        s->bracket.high = HUGE_VAL;
        *s->v = (er_mode_validity){.mode = er_modes_index(j->modes, s->mode), .trial = s->list};
    }
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
