// Judges modes in a thread, one at a time.
#include "app/session/session_validity.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/project_modes.h"
#include "app/session/session_inside.h"
#include "app/session/worker.h"

#define MOST_DEGREES 60.0 // that er_modes_validate() tries

// The judgement of a mode.
typedef struct verdict {
    enum { UNKNOWN, KNOWN, FAILED } state;
    double degrees;
    bool at_least;
} verdict;

// A mode to be judged. The thread owns it until it is done.
typedef struct validity_job {
    er_model *model; // a copy
    er_modes modes;  // one mode
    er_mode mode;
    double *shape; // [6 body_count + coordinate_count] of the mode
    er_result result;
    verdict found;
} validity_job;

struct validity {
    er_context *context; // the session's
    er_context *own;     // the thread's
    worker *worker;
    validity_job job;
    bool busy, stale; // stale: the job is of modes that no longer exist
    atomic_bool given_up;
    unsigned version; // of the modes in `known`
    bool any;         // whether `version` is set
    int first, count, all;
    verdict *known; // [count], of modes from `first` up
};

static bool go_on(void *user, int done, int all)
{
    const validity *v = user;
    (void)done;
    (void)all;
    return !atomic_load(&v->given_up);
}

static void work(void *user)
{
    validity *v = user;
    validity_job *j = &v->job;
    er_validity *found = NULL;
    er_validity_def def = er_default_validity_def();
    def.progress = go_on;
    def.user = v;
    j->found = (verdict){.state = UNKNOWN};
    j->result = er_modes_validate(v->own, j->model, &j->modes, &def, &found);
    if (j->result == ER_OK && found->count == 1)
        j->found = (verdict){KNOWN, found->mode[0].true_to_degrees, found->mode[0].at_least};
    er_validity_destroy(found);
}

er_result validity_create(er_context *context, validity **out)
{
    validity *v = *out = calloc(1, sizeof *v);
    if (v == NULL) return eri_no_memory(context);
    v->context = context;
    er_result r = er_context_create(NULL, &v->own);
    if (r == ER_OK) r = worker_create(context, work, v, &v->worker);
    if (r == ER_OK) return ER_OK;
    validity_destroy(v);
    *out = NULL;
    return r;
}

static void clear_job(validity_job *j)
{
    er_model_destroy(j->model);
    free(j->shape);
    *j = (validity_job){0};
}

void validity_destroy(validity *v)
{
    if (v == NULL) return;
    atomic_store(&v->given_up, true);
    worker_destroy(v->worker);
    clear_job(&v->job);
    er_context_destroy(v->own);
    free(v->known);
    free(v);
}

// --- judgements

static er_result forget(validity *v, const session *s)
{
    const er_modes *modes = session_modes(s);
    verdict *known = calloc((size_t)modes->count + 1, sizeof *known);
    if (known == NULL) return eri_no_memory(v->context);
    free(v->known);
    v->known = known;
    v->first = modes->first;
    v->count = modes->count;
    v->all = project_elastic_count(modes);
    v->version = session_modes_version(s);
    v->any = true;
    v->stale = true;
    return ER_OK;
}

static er_result follow(validity *v, const session *s)
{
    return v->any && v->version == session_modes_version(s) ? ER_OK : forget(v, s);
}

er_result validity_read(validity *v, const session *s)
{
    if (!session_is_open(s) || session_scene(s) != NULL || session_is_world(s)) return ER_OK;
    er_result r = follow(v, s);
    if (r != ER_OK) return r;
    double *true_to = malloc(((size_t)v->count + 1) * sizeof *true_to);
    if (true_to == NULL) return eri_no_memory(v->context);
    r = er_palette_file_read_validity(v->context, session_path(s), session_modes(s), true_to);
    for (int k = 0; k < v->count && r == ER_OK; ++k)
        if (true_to[k] >= 0.0) v->known[k] = (verdict){KNOWN, true_to[k], true_to[k] >= MOST_DEGREES};
    free(true_to);
    return r;
}

static verdict *verdict_of(const validity *v, int mode)
{
    return mode >= v->first && mode - v->first < v->count ? &v->known[mode - v->first] : NULL;
}

bool validity_find(const validity *v, int mode, double *degrees, bool *at_least)
{
    const verdict *known = verdict_of(v, mode);
    if (known == NULL || known->state != KNOWN) return false;
    *degrees = known->degrees;
    *at_least = known->at_least;
    return true;
}

int validity_done(const validity *v)
{
    int done = 0;
    for (int k = 0; k < v->count; ++k)
        done += v->known[k].state != UNKNOWN;
    return done;
}

int validity_all(const validity *v)
{
    return v->all;
}

int validity_judged(const validity *v)
{
    return v->busy && !v->stale ? v->job.modes.first : -1;
}

// --- work

// The next mode: the requested one, or the lowest without a judgement; NULL after the last.
static const er_mode *next_mode(const validity *v, const er_modes *modes, int first)
{
    const er_mode *next = NULL;
    for (int k = modes->count - 1; k >= 0; --k) {
        const er_mode *mode = &modes->mode[k];
        if (mode->kind != ER_MODE_ELASTIC || v->known[k].state != UNKNOWN) continue;
        next = mode;
        if (er_modes_index(modes, mode) == first) return mode;
    }
    return next;
}

static er_result begin_job(validity *v, const session *s, const er_mode *mode)
{
    validity_job *j = &v->job;
    const er_model *model = session_model(s);
    const er_rig_change none = er_default_rig_change();
    er_result r = session_copy_modes(s, mode, 1, &j->mode, &j->shape);
    if (r == ER_OK) r = er_rig_change_model(v->context, model, &none, &j->model);
    if (r != ER_OK) return r;
    j->modes = (er_modes){
        .count = 1, .first = er_modes_index(session_modes(s), mode), .dof = session_modes(s)->dof, .mode = &j->mode};
    v->busy = true;
    v->stale = false;
    atomic_store(&v->given_up, false);
    worker_begin(v->worker);
    return ER_OK;
}

// Waits for a judgement and takes it, unless its modes no longer exist.
static er_result collect(validity *v, double patience)
{
    validity_job *j = &v->job;
    if (!v->busy || !worker_wait(v->worker, patience)) return ER_OK;
    er_result r = v->stale ? ER_OK : j->result;
    v->busy = false;
    if (r != ER_OK) {
        j->found.state = FAILED;
        er_fail(v->context, r, "mode %d cannot be judged: %s", j->modes.first, er_context_error(v->own));
    }
    if (!v->stale) *verdict_of(v, j->modes.first) = j->found;
    clear_job(j);
    return r;
}

er_result validity_work(validity *v, const session *s, bool wanted, int first, double patience)
{
    er_result r = ER_OK;
    if (!session_is_open(s)) return ER_OK;
    r = follow(v, s);
    if (r == ER_OK && v->busy && (v->stale || !wanted)) atomic_store(&v->given_up, true);
    if (r == ER_OK) r = collect(v, 0.0);
    if (r != ER_OK || v->busy || !wanted) return r;
    const er_mode *next = next_mode(v, session_modes(s), first);
    if (next == NULL) return ER_OK;
    r = begin_job(v, s, next);
    if (!v->busy) clear_job(&v->job);
    return r == ER_OK ? collect(v, patience) : r;
}
