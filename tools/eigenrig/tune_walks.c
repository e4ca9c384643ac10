// How gaits are walked, searched: generations of trials on all cores about the best so far.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/threads.h"
#include "tools/eigenrig/cli.h"

enum { GENERATION = 8 }; // trials

#define FIRST_STEP 0.3 // of a number's range
#define LEAST_STEP 0.04
#define GROWS 1.3    // a step after a better trial,
#define SHRINKS 0.85 // and after a generation without one

typedef struct trial {
    project_walk_style style;
    project_walk walk;
    double score;
} trial;

typedef struct tuning {
    const loaded *l;
    const er_modes *modes;
    const er_gaits *gaits;
    const er_gait *gait;
    const project_walk_def *def;
    trial trial[GENERATION];
    atomic_int next;
    double end; // s, of eri_seconds(): trials that still run then do not count
} tuning;

typedef struct worker {
    tuning *t;
    er_context *context;
} worker;

static bool goes_on(void *user)
{
    const tuning *t = user;
    return !interrupts_came() && eri_seconds() < t->end;
}

static void work(void *of)
{
    worker *w = of;
    tuning *t = w->t;
    for (int i; (i = atomic_fetch_add(&t->next, 1)) < GENERATION;) {
        trial *one = &t->trial[i];
        project_walk_def def = *t->def;
        def.style = one->style;
        def.goes_on = goes_on;
        def.user = t;
        er_result r =
            project_walk_simulate(w->context, t->l->model, t->l->rig, t->modes, t->gaits, t->gait, &def, &one->walk);
        bool done = r == ER_OK && !one->walk.stopped;
        one->score = done ? project_walk_score(&one->walk, &def) : -1.0;
    }
}

// ---- Candidates

static double random_of(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// As project_walk_write_style() writes it, so that the trial can be repeated from the text.
static double rounded(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", x);
    return strtod(text, NULL);
}

static project_walk_style step_from(const project_walk_style *best, double step, uint64_t *seed)
{
    project_walk_style out;
    double number[PROJECT_WALK_NUMBERS];
    memcpy(number, best, sizeof number);
    for (int i = 0; i < PROJECT_WALK_NUMBERS; ++i) {
        const project_walk_number *of = &project_walk_numbers[i];
        double by = random_of(seed) + random_of(seed) - 1.0;
        double wide = fmin(of->usual - of->least, of->most - of->usual);
        if (wide == 0.0) wide = 0.5 * (of->most - of->least); // the usual number is at an end
        number[i] = rounded(fmin(fmax(number[i] + 2.0 * step * wide * by, of->least), of->most));
    }
    memcpy(&out, number, sizeof out);
    return out;
}

// ---- The search

static er_result run_generation(er_context *context, const options *o, tuning *t)
{
    worker workers[ERI_THREADS_MOST];
    int count = o->threads > 0 ? o->threads : eri_platform_cores();
    count = count < 1 ? 1 : count < ERI_THREADS_MOST ? count : ERI_THREADS_MOST;
    eri_contexts *contexts = NULL;
    er_result r = eri_contexts_create(context, count, &contexts);
    if (r != ER_OK) return r;
    for (int i = 0; i < count; ++i)
        workers[i] = (worker){t, eri_contexts_of(contexts, i)};
    atomic_store(&t->next, 0);
    eri_threads_run(work, workers, count, sizeof *workers);
    eri_contexts_destroy(contexts);
    return ER_OK;
}

// Takes the best trial if it is better than the best so far.
static bool take_best(tuning *t, project_walk *walk, int *trials)
{
    double score = project_walk_score(walk, t->def);
    bool better = false;
    for (int i = 0; i < GENERATION; ++i) {
        trial *one = &t->trial[i];
        *trials += one->score >= 0.0;
        if (one->score > score) {
            project_walk before = *walk;
            score = one->score, better = true;
            *walk = one->walk;
            one->walk = before;
        }
        project_walk_clear(&one->walk);
    }
    return better;
}

static void tell(const tuning *t, const project_walk *walk, bool found, int trials)
{
    char text[256], why[256];
    project_walk_write_style(&walk->style, text, sizeof text);
    project_walk_explain_end(walk, why, sizeof why);
    if (found)
        print_note(
            "%s: of %d trials the best goes %.3g lengths until %s and bears %d of %d pushes; to use it again, give "
            "--walk %s",
            t->gait->name, trials, walk->distance / walk->length, why, walk->survived, walk->pushes, text);
    else
        print_note("%s: none of %d trials was better", t->gait->name, trials);
}

static er_result tune(er_context *context, const options *o, tuning *t, project_walk *walk)
{
    double step = FIRST_STEP;
    uint64_t seed = 1;
    int trials = 0;
    bool found = false;
    er_result r = ER_OK;
    while (r == ER_OK && project_walk_score(walk, t->def) < PROJECT_WALK_PERFECT && goes_on(t)) {
        for (int i = 0; i < GENERATION; ++i)
            t->trial[i] = (trial){.style = step_from(&walk->style, step, &seed), .score = -1.0};
        r = run_generation(context, o, t);
        bool better = take_best(t, walk, &trials);
        found |= better;
        step = better ? fmin(step * GROWS, 1.0) : fmax(step * SHRINKS, LEAST_STEP);
    }
    if (r == ER_OK) tell(t, walk, found, trials);
    return r;
}

er_result tune_walks(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                     const er_gaits *gaits, const project_walk_def *def, project_walk *walk)
{
    int left = 0;
    er_result r = ER_OK;
    double end = eri_seconds() + o->tune_walk;
    bool *falls = calloc((size_t)gaits->count + 1, sizeof *falls);
    if (falls == NULL) return ER_ERROR_MEMORY;
    interrupts_begin();
    for (int i = 0; i < gaits->count; ++i) {
        falls[i] = walk[i].simulation.frames.frame_count > 0 && gaits->body->foot_count > 0 &&
                   project_walk_score(&walk[i], def) < PROJECT_WALK_PERFECT;
        left += falls[i];
    }
    for (int i = 0; i < gaits->count && r == ER_OK && !interrupts_came() && eri_seconds() < end; ++i) {
        double now = eri_seconds();
        tuning t = {.l = l, .modes = modes, .gaits = gaits, .gait = &gaits->gait[i], .def = def};
        if (!falls[i]) continue;
        t.end = now + (end - now) / left--;
        r = tune(context, o, &t, &walk[i]);
    }
    free(falls);
    return r;
}
