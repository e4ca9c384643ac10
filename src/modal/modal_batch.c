// Many small rigs: eight of them, one a lane, have their matrices A (docs/theory.md 5) solved side by side, and groups
// of eight go to threads. All memory is taken before a thread starts. A rig that fails is solved again by itself, so
// that results and messages are er_modal_solve()'s.
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "math/krylov/symmetric.h"
#include "modal/canonical.h"
#include "modal/damping.h"
#include "modal/reduced.h"

enum {
    MOST_COLUMNS = 160, // of a small rig: eight matrices of this size fill a core's cache
    FEWEST = 3          // rigs in a group: eight lanes take the time of about three rigs
};
static const double thread_work = 2e5; // sum of columns^3 that is worth a thread

typedef struct batch {
    er_context *context;
    er_arena *scratch;
    int count;
    const er_model *const *model;
    er_modal_def def;
    er_modes **out;
    er_result *result;
    bool *single;     // [count], those left to er_modal_solve()
    eri_reduced *rig; // [count], of small ones the model and what their modes are written to
    int *order;       // [small_count], small rigs, those of like size together
    int small_count;
    eri_extent most; // of them
    int thread_count;
    atomic_int next; // group of eight in `order` to be solved
} batch;

typedef struct batch_worker {
    batch *batch;
    eri_reduced
        solver[ERI_LANE_COUNT]; // a rig each; work space is shared but for what must last while the others' is used
    eri_lanes *A, *value, *work;
    double *theta; // [columns]
    int *rank;     // [columns]
} batch_worker;

// ---- in a thread

static void set_rig(eri_reduced *solver, const eri_reduced *rig)
{
    solver->model = rig->model;
    solver->def = rig->def;
    solver->most = rig->most;
    solver->body = rig->body;
    solver->Y = rig->Y;
    solver->joint = rig->joint;
    solver->mode = rig->mode;
    eri_forest_fill(solver->tree, rig->model);
    eri_reduced_fit(solver);
}

// The eigenvalues of a lane, ascending, and the columns that they belong to.
static void sort_lane(batch_worker *w, int lane, int N)
{
    for (int i = 0; i < N; ++i) {
        double theta = w->value[i][lane];
        int k = i;
        for (; k > 0 && w->theta[k - 1] > theta; --k) {
            w->theta[k] = w->theta[k - 1];
            w->rank[k] = w->rank[k - 1];
        }
        w->theta[k] = theta;
        w->rank[k] = i;
    }
}

// Shapes of the modes wanted; false where they are not accurate enough.
static bool copy_shapes(batch_worker *w, int lane, int stride)
{
    eri_reduced *s = &w->solver[lane];
    int N = s->tree->spring_count, first;
    sort_lane(w, lane, N);
    if (!eri_modal_window(s, w->theta, &first, &s->elastic)) return false;
    s->skipped = first;
    s->Y.rows = N;
    for (int k = 0; k < s->elastic; ++k) {
        const eri_lanes *from = w->A + w->rank[N - 1 - first - k] * stride;
        double *to = eri_matrix_column(s->Y, k);
        for (int i = 0; i < N; ++i)
            to[i] = from[i][lane];
    }
    return true;
}

static void solve_group(batch_worker *w, int group)
{
    batch *b = w->batch;
    const int *rig = b->order + ERI_LANE_COUNT * group;
    int left = b->small_count - ERI_LANE_COUNT * group, count = left < ERI_LANE_COUNT ? left : ERI_LANE_COUNT, n = 0;
    for (int k = 0; k < count; ++k) {
        set_rig(&w->solver[k], &b->rig[rig[k]]);
        b->single[rig[k]] = eri_reduced_begin(&w->solver[k]) != ER_OK;
        int N = w->solver[k].tree->spring_count;
        n = N > n ? N : n;
    }
    int stride = eri_symmetric_stride(n);
    memset(w->A, 0, (size_t)n * (size_t)stride * sizeof *w->A);
    for (int k = 0; k < count; ++k)
        if (!b->single[rig[k]])
            eri_modal_form(&w->solver[k], (double *)w->A + k, ERI_LANE_COUNT, (size_t)stride * ERI_LANE_COUNT);
    unsigned lost = eri_symmetric_eigen(n, w->A, stride, w->value, w->work);
    for (int k = 0; k < count; ++k) {
        b->single[rig[k]] |= (lost >> k & 1u) != 0 || !copy_shapes(w, k, stride);
        if (!b->single[rig[k]]) b->single[rig[k]] = !eri_reduced_finish(&w->solver[k], b->out[rig[k]]);
    }
}

static void work(void *self)
{
    batch_worker *w = self;
    batch *b = w->batch;
    int groups = (b->small_count + ERI_LANE_COUNT - 1) / ERI_LANE_COUNT;
    if (eri_linalg_ready(NULL) != ER_OK) return; // the caller's thread is ready
    for (int group; (group = atomic_fetch_add(&b->next, 1)) < groups;)
        solve_group(w, group);
}

// ---- in the caller's

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int by_size(const void *a, const void *b)
{
    const eri_reduced *x = *(eri_reduced *const *)a, *y = *(eri_reduced *const *)b;
    return x->Y.rows != y->Y.rows ? (x->Y.rows > y->Y.rows) - (x->Y.rows < y->Y.rows) : (x > y) - (x < y);
}

static bool is_small(const batch *b, const er_model *model)
{
    if (model == NULL || model->loop_count > 0 || model->coordinate_count > MOST_COLUMNS) return false;
    int columns = eri_modal_columns(model);
    return (b->def.method == ER_MODAL_AUTO || b->def.method == ER_MODAL_TREE) && columns > 0 && columns <= MOST_COLUMNS;
}

// The small rigs, by size.
static er_result list_small(batch *b)
{
    er_result r = ER_OK;
    const eri_reduced **list;
    ERI_TRY_NEW(list, b->scratch, const eri_reduced *, b->count);
    for (int i = 0; i < b->count; ++i) {
        b->single[i] = true;
        if (!is_small(b, b->model[i])) continue;
        b->rig[i].model = b->model[i];
        b->rig[i].Y.rows = eri_modal_columns(b->model[i]);
        list[b->small_count++] = &b->rig[i];
    }
    if (b->small_count % ERI_LANE_COUNT < FEWEST) b->small_count -= b->small_count % ERI_LANE_COUNT;
    qsort(list, (size_t)b->small_count, sizeof *list, by_size);
    for (int k = 0; k < b->small_count; ++k)
        b->order[k] = (int)(list[k] - b->rig);
done:
    return r;
}

// Memory that the modes of a small rig are written to.
static er_result reserve_result(batch *b, int i)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_reduced *s = &b->rig[i];
    const er_model *model = s->model;
    int columns = s->Y.rows, most = b->def.mode_count > 0 && b->def.mode_count < columns ? b->def.mode_count : columns;
    ERI_TRY(eri_arena_create(b->context, &arena));
    ERI_TRY_NEW(b->out[i], arena, er_modes, 1);
    b->out[i]->arena = arena;
    arena = NULL;
    s->def = b->def;
    s->def.method = ER_MODAL_TREE;
    ERI_TRY(eri_reduced_reserve_modes(s, b->out[i]->arena, model->body_count, model->coordinate_count, columns, most));
    eri_extent *e = &b->most;
    e->tree.bodies = larger(e->tree.bodies, model->body_count);
    e->tree.joints = larger(e->tree.joints, model->joint_count);
    e->tree.coordinates = larger(e->tree.coordinates, model->coordinate_count);
    e->columns = larger(e->columns, columns);
    e->rows = e->columns;
    e->modes = larger(e->modes, most);
done:
    eri_arena_destroy(arena);
    return r;
}

static er_result reserve_worker(batch *b, batch_worker *w)
{
    er_result r = ER_OK;
    const eri_extent *e = &b->most;
    eri_reduced shared = {0};
    w->batch = b;
    ERI_TRY(eri_reduced_reserve(&shared, b->scratch, e));
    for (int k = 0; k < ERI_LANE_COUNT; ++k) {
        eri_reduced *s = &w->solver[k];
        *s = shared;
        ERI_TRY(eri_forest_reserve(b->scratch, b->scratch, &e->tree, &s->tree));
        ERI_TRY(eri_condensed_reserve(b->scratch, e->tree.bodies, e->columns, &s->condensed));
        ERI_TRY_RESERVE(s->unit, b->scratch, double, e->tree.coordinates);
        ERI_TRY_RESERVE(s->station, b->scratch, eri_station, e->tree.bodies);
    }
    ERI_TRY_RESERVE(w->A, b->scratch, eri_lanes, (size_t)e->columns * (size_t)eri_symmetric_stride(e->columns));
    ERI_TRY_RESERVE(w->value, b->scratch, eri_lanes, e->columns);
    ERI_TRY_RESERVE(w->work, b->scratch, eri_lanes, ERI_SYMMETRIC_WORK * (size_t)e->columns);
    ERI_TRY_RESERVE(w->theta, b->scratch, double, e->columns);
    ERI_TRY_RESERVE(w->rank, b->scratch, int, e->columns);
done:
    return r;
}

static int threads_for(const batch *b, int allowed)
{
    int groups = (b->small_count + ERI_LANE_COUNT - 1) / ERI_LANE_COUNT;
    double all = 0.0;
    for (int k = 0; k < b->small_count; ++k)
        all += pow(b->rig[b->order[k]].Y.rows, 3.0);
    double most = fmin(fmin(allowed, ERI_THREADS_MOST), fmin(groups, 1.0 + all / thread_work));
    return (int)fmax(most, 1.0);
}

static er_result solve_small(batch *b, int allowed)
{
    er_result r = ER_OK;
    batch_worker *workers;
    int count = threads_for(b, allowed);
    ERI_TRY(eri_linalg_ready(b->context));
    for (int k = 0; k < b->small_count; ++k)
        ERI_TRY(reserve_result(b, b->order[k]));
    ERI_TRY_NEW(workers, b->scratch, batch_worker, count);
    for (int i = 0; i < count; ++i)
        ERI_TRY(reserve_worker(b, &workers[i]));
    eri_threads_run(work, workers, count, sizeof *workers);
done:
    return r;
}

// A rig's own failure is kept where it is the first one; that of memory is the call's.
static er_result record_result(batch *b, int i, er_result result, int *first, char sentence[1024])
{
    b->result[i] = result;
    if (result == ER_OK || result == ER_ERROR_MEMORY) return result;
    er_modes_destroy(b->out[i]);
    b->out[i] = NULL;
    if (i < *first) {
        *first = i;
        snprintf(sentence, 1024, "%s", er_context_error(b->context));
    }
    return ER_OK;
}

static er_result solve_all(batch *b)
{
    er_result r = ER_OK;
    er_arena *damping = NULL;
    int first = b->count, threads = 0, allowed = eri_linalg_threads();
    char sentence[1024];
    ERI_TRY(eri_arena_create(b->context, &damping));
    ERI_TRY_NEW(b->single, b->scratch, bool, b->count);
    ERI_TRY_NEW(b->rig, b->scratch, eri_reduced, b->count);
    ERI_TRY_NEW(b->order, b->scratch, int, b->count);
    ERI_TRY(list_small(b));
    threads = eri_linalg_one_thread();
    if (b->small_count > 0) ERI_TRY(solve_small(b, allowed));
    for (int i = 0; i < b->count; ++i) {
        if (b->single[i]) continue;
        eri_arena_reset(damping);
        er_result done = eri_canonical_basis(b->context, damping, b->model[i], b->out[i], b->rig[i].mode);
        if (done == ER_OK) done = eri_modal_damp(damping, b->model[i], b->def.rank_tol, b->out[i], b->rig[i].mode);
        ERI_TRY(record_result(b, i, done, &first, sentence));
    }
    eri_linalg_set_threads(threads);
    threads = 0;
    for (int i = 0; i < b->count; ++i) {
        if (!b->single[i]) continue;
        er_modes_destroy(b->out[i]);
        ERI_TRY(record_result(b, i, er_modal_solve(b->context, b->model[i], &b->def, &b->out[i]), &first, sentence));
    }
    if (first < b->count) er_fail(b->context, b->result[first], "rig %d: %s", first, sentence);
done:
    eri_linalg_set_threads(threads);
    eri_arena_destroy(damping);
    return r;
}

er_result er_modal_solve_batch(er_context *context, int count, const er_model *const *model, const er_modal_def *def,
                               er_modes **out, er_result *result)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (count < 0) return er_fail(context, ER_ERROR_ARGUMENT, "the number of rigs, %d, is negative", count);
    if (count > 0 && (model == NULL || out == NULL || result == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "a batch needs arrays of models, of modes and of results");
    batch b = {.context = context, .count = count, .model = model, .out = out, .result = result};
    b.def = def != NULL ? *def : er_default_modal_def();
    for (int i = 0; i < count; ++i)
        out[i] = NULL;
    er_result r = eri_modal_check_def(context, &b.def);
    if (r == ER_OK) r = eri_arena_create(context, &b.scratch);
    if (r == ER_OK) r = solve_all(&b);
    for (int i = 0; i < count && r != ER_OK; ++i) {
        er_modes_destroy(out[i]);
        out[i] = NULL;
    }
    eri_arena_destroy(b.scratch);
    return r;
}
