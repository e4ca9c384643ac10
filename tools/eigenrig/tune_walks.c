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
#define PERFECT 2.0

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
} tuning;

typedef struct worker {
    tuning *t;
    er_context *context;
} worker;

// 1 for the whole way, and a quarter more for each push that it bears.
static double score_of(const project_walk *walk, const project_walk_def *def)
{
    double way = fmin(walk->distance / walk->length / def->lengths, 1.0);
    bool fell = walk->fell != ER_WALKER_UPRIGHT || walk->late;
    if (fell) return fmin(way, 0.99);
    return 1.0 + (walk->pushes > 0 ? (double)walk->survived / walk->pushes : 1.0);
}

static void work(void *of)
{
    worker *w = of;
    tuning *t = w->t;
    for (int i; (i = atomic_fetch_add(&t->next, 1)) < GENERATION;) {
        trial *one = &t->trial[i];
        project_walk_def def = *t->def;
        def.style = one->style;
        er_result r =
            project_walk_simulate(w->context, t->l->model, t->l->rig, t->modes, t->gaits, t->gait, &def, &one->walk);
        one->score = r == ER_OK ? score_of(&one->walk, &def) : -1.0;
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

static er_result tune(er_context *context, const options *o, tuning *t, double seconds, project_walk *walk)
{
    char text[256], why[256];
    project_walk_style best = t->def->style;
    double score = score_of(walk, t->def), step = FIRST_STEP, end = eri_seconds() + seconds;
    uint64_t seed = 1;
    int trials = 0;
    er_result r = ER_OK;
    while (r == ER_OK && score < PERFECT && eri_seconds() < end) {
        bool better = false;
        for (int i = 0; i < GENERATION; ++i)
            t->trial[i] = (trial){.style = step_from(&best, step, &seed), .score = -1.0};
        r = run_generation(context, o, t);
        for (int i = 0; i < GENERATION; ++i) {
            trial *one = &t->trial[i];
            if (r == ER_OK && one->score > score) {
                project_walk before = *walk;
                score = one->score, best = one->style, better = true;
                *walk = one->walk;
                one->walk = before;
            }
            project_walk_clear(&one->walk);
        }
        trials += GENERATION;
        step = better ? fmin(step * GROWS, 1.0) : fmax(step * SHRINKS, LEAST_STEP);
    }
    project_walk_write_style(&best, text, sizeof text);
    project_walk_explain_end(walk, why, sizeof why);
    if (r == ER_OK && *text != '\0' && memcmp(&best, &t->def->style, sizeof best) != 0)
        print_note(
            "%s: of %d trials the best goes %.3g lengths until %s and bears %d of %d pushes; to use it again, give "
            "--walk %s",
            t->gait->name, trials, walk->distance / walk->length, why, walk->survived, walk->pushes, text);
    else if (r == ER_OK)
        print_note("%s: none of %d trials was better", t->gait->name, trials);
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
    for (int i = 0; i < gaits->count; ++i) {
        falls[i] = walk[i].simulation.frames.frame_count > 0 && gaits->body->foot_count > 0 &&
                   score_of(&walk[i], def) < PERFECT;
        left += falls[i];
    }
    for (int i = 0; i < gaits->count && r == ER_OK; ++i) {
        tuning t = {.l = l, .modes = modes, .gaits = gaits, .gait = &gaits->gait[i], .def = def};
        if (!falls[i]) continue;
        r = tune(context, o, &t, (end - eri_seconds()) / left, &walk[i]);
        --left;
    }
    free(falls);
    return r;
}
