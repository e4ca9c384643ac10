// Measures one rig on one route in a process of its own, so that the memory is that of the rig.
#include "tools/bench/measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/identity.h>
#include <eigenrig/modal.h>
#include <eigenrig/rig.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/bench/rivals.h"

enum { MOST_RUNS = 10000 };
static const double enough = 0.5, slow = 5.0; // s: of all runs; of one, above which it is not repeated

const char *bench_route_name(bench_route route)
{
    static const char *const names[] = {"svd",   "qr",    "tree",   "sparse", "whole",
                                        "names", "first", "source", "dsygvd", "dsyevd"};
    return names[route];
}

// ---- in the child

// Limits memory, so that a large allocation fails here instead of the kernel killing some process later.
static void set_limits(void)
{
    eri_platform_end_with_parent(); // nobody is left to read the answer
    eri_platform_limit(ERI_LIMIT_MEMORY, 0.8 * eri_platform_memory_physical());
}

// Makes room for the frequencies of a solve and frees the earlier ones.
static double *frequencies(bench_measure *m, int count)
{
    free(m->hz);
    m->hz = calloc((size_t)count + 1, sizeof *m->hz);
    m->solved = m->hz != NULL;
    m->count = m->solved ? count : 0;
    if (!m->solved) snprintf(m->why, sizeof m->why, "out of memory");
    return m->hz;
}

// A rig, and its regions for the route that keeps them.
typedef struct solved_rig {
    er_context *context;
    er_model *model;
    er_regions *regions;
} solved_rig;

static er_result name_modes(const solved_rig *rig, const er_modes *modes)
{
    er_regions *found = NULL;
    er_mode_names *names = NULL;
    er_result r = ER_OK;
    if (rig->regions == NULL) r = er_regions_create(rig->context, rig->model, NULL, NULL, &found);
    const er_regions *regions = rig->regions != NULL ? rig->regions : found;
    if (r == ER_OK) r = er_mode_names_create(rig->context, rig->model, regions, modes, &names);
    er_mode_names_destroy(names);
    er_regions_destroy(found);
    return r;
}

static double solve_ours(const solved_rig *rig, bench_route route, int count, bench_measure *m)
{
    static const er_modal_method methods[] = {ER_MODAL_SVD, ER_MODAL_QR, ER_MODAL_TREE};
    er_modal_method method = route < BENCH_ROUTE_SPARSE ? methods[route] : ER_MODAL_SPARSE;
    er_modal_def def = er_default_modal_def();
    def.method = method;
    def.mode_count = count;
    def.whole = route == BENCH_ROUTE_WHOLE;
    er_modes *modes = NULL;
    double start = eri_seconds();
    er_result r = er_modal_solve(rig->context, rig->model, &def, &modes);
    if (r == ER_OK && (route == BENCH_ROUTE_NAMES || route == BENCH_ROUTE_FIRST)) r = name_modes(rig, modes);
    double seconds = eri_seconds() - start;
    if (r != ER_OK) {
        snprintf(m->why, sizeof m->why, "%s", er_context_error(rig->context));
    } else if (modes->method != method) {
        snprintf(m->why, sizeof m->why, "the library went by %s instead", er_modal_method_name(modes->method));
    } else {
        m->dof = modes->dof;
        m->rigid = modes->rigid_count;
        double *hz = frequencies(m, modes->count);
        for (int k = 0; k < m->count; ++k)
            hz[k] = modes->mode[k].frequency_hz;
    }
    er_modes_destroy(modes);
    return seconds;
}

static double solve_rival(er_context *context, const er_model *model, bench_rival rival, int count, bench_measure *m)
{
    bench_shapes shapes;
    double start = eri_seconds();
    er_result r = bench_rival_solve(context, model, rival, count, &shapes);
    double seconds = eri_seconds() - start;
    if (r != ER_OK) {
        snprintf(m->why, sizeof m->why, "%s", shapes.why);
    } else {
        m->dof = shapes.dof;
        m->rigid = shapes.rigid;
        double *hz = frequencies(m, shapes.count);
        for (int k = 0; k < m->count; ++k)
            hz[k] = shapes.hz[k];
    }
    bench_shapes_free(&shapes);
    return seconds;
}

// One solve; its seconds.
static double solve(const solved_rig *rig, bench_route route, int count, bench_measure *m)
{
    static const bench_rival rivals[] = {BENCH_SOURCE, BENCH_DSYGVD, BENCH_DSYEVD};
    m->solved = false;
    if (route < BENCH_ROUTE_SOURCE) return solve_ours(rig, route, count, m);
    return solve_rival(rig->context, rig->model, rivals[route - BENCH_ROUTE_SOURCE], count, m);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const bench_def *def, const solved_rig *rig, bench_route route, bool once, double deadline,
                    bench_measure *m)
{
    static double seconds[MOST_RUNS];
    double last = solve(rig, route, def->count, m), sum = 0.0;
    seconds[0] = last; // the warm-up counts if there is no other run
    while (m->solved && !once && last <= slow && m->runs < MOST_RUNS && (m->runs < 3 || sum < enough) &&
           eri_seconds() + 1.5 * last < deadline) {
        last = solve(rig, route, def->count, m);
        seconds[m->runs++] = last;
        sum += last;
    }
    if (m->runs == 0) m->runs = 1;
    qsort(seconds, (size_t)m->runs, sizeof seconds[0], by_size);
    m->best = seconds[0];
    m->median = 0.5 * (seconds[m->runs / 2] + seconds[(m->runs - 1) / 2]);
}

static void work(const bench_def *def, bench_rig rig, int bodies, bench_route route, bool once, double deadline,
                 bench_measure *m)
{
    solved_rig s = {0};
    set_limits();
    er_modal_set_threads(def->threads);
    er_result r = er_context_create(NULL, &s.context);
    if (r == ER_OK) r = bench_rig_create(s.context, rig, bodies, &s.model);
    if (r == ER_OK && route == BENCH_ROUTE_NAMES) r = er_regions_create(s.context, s.model, NULL, NULL, &s.regions);
    if (r == ER_OK) measure(def, &s, route, once, deadline, m);
    if (r != ER_OK) snprintf(m->why, sizeof m->why, "the rig could not be made: %s", eri_result_text(r));
    er_regions_destroy(s.regions);
    er_model_destroy(s.model);
    er_context_destroy(s.context);
}

// ---- in the parent

// Reads until `size` bytes have come; false at the end of the pipe, or when time is up.
static bool get(int fd, void *data, size_t size, double deadline)
{
    for (size_t done = 0; done < size;) {
        double left = deadline - eri_seconds();
        if (left <= 0.0) return false;
        if (eri_platform_wait_readable(fd, left) <= 0) continue; // a signal came, or the longest wait is over
        ptrdiff_t got = eri_platform_read(fd, (char *)data + done, size - done);
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

static bool receive(int fd, double deadline, bench_measure *out)
{
    bench_measure told;
    if (!get(fd, &told, sizeof told, deadline)) return false;
    told.hz = calloc((size_t)told.count + 1, sizeof *told.hz);
    bool whole = told.hz != NULL && get(fd, told.hz, (size_t)told.count * sizeof *told.hz, deadline);
    if (whole)
        *out = told;
    else
        free(told.hz);
    return whole;
}

// The reason why there was no answer.
static void explain(const eri_process_end *end, bool late, double budget, char *why, size_t size)
{
    if (late)
        snprintf(why, size, "took more than %g s", budget);
    else if (end->signal != 0)
        snprintf(why, size, "was ended by signal %d", end->signal);
    else
        snprintf(why, size, "ended with status %d", end->status);
}

void bench_measure_case(const bench_def *def, bench_rig rig, int bodies, bench_route route, bool once,
                        bench_measure *out)
{
    int ends[2];
    double deadline = eri_seconds() + def->budget;
    *out = (bench_measure){0};
    if (eri_platform_pipe(ends) != 0) {
        snprintf(out->why, sizeof out->why, "no pipe: %s", strerror(errno));
        return;
    }
    int child = eri_process_fork();
    if (child == 0) {
        eri_platform_close(ends[0]);
        work(def, rig, bodies, route, once, deadline, out);
        bool sent = eri_platform_write_all(ends[1], out, sizeof *out) == 0 &&
                    eri_platform_write_all(ends[1], out->hz, (size_t)out->count * sizeof *out->hz) == 0;
        _Exit(sent ? 0 : 1);
    }
    eri_platform_close(ends[1]);
    if (child < 0) {
        snprintf(out->why, sizeof out->why, "no process: %s", strerror(errno));
        eri_platform_close(ends[0]);
        return;
    }
    bool answered = receive(ends[0], deadline, out), late = !answered && eri_seconds() >= deadline;
    if (!answered) eri_process_kill(child);
    eri_platform_close(ends[0]);
    eri_process_end end;
    eri_process_wait(child, &end);
    if (answered)
        out->peak = end.peak / (1024.0 * 1024.0);
    else
        explain(&end, late, def->budget, out->why, sizeof out->why);
}

void bench_measure_free(bench_measure *m)
{
    free(m->hz);
    *m = (bench_measure){0};
}
