// Times, memory and errors of every route to the modes, over rigs and sizes, as CSV.
#include "tools/bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "tools/bench/measure.h"

bench_def bench_default_def(void)
{
    return (bench_def){.size = {20, 60, 200, 600, 2000, 6000, 20000, 100000},
                       .size_count = 8,
                       .rig = {true, true, true, true, true},
                       .route = {true, true, true, true, true, true, true},
                       .scene = {true, true, true},
                       .engine = {true, true, true, true},
                       .count = 64,
                       .budget = 120.0,
                       .threads = 1};
}

// ---- the CSV file

static void put_number(FILE *file, const char *format, double x)
{
    fputc(',', file);
    if (x > 0.0) fprintf(file, format, x);
}

static void put_count(FILE *file, int x)
{
    fputc(',', file);
    if (x > 0) fprintf(file, "%d", x);
}

static void put_row(FILE *file, const bench_row *row)
{
    fprintf(file, "%s,%d", bench_rig_name(row->rig), row->bodies);
    put_count(file, row->dof);
    fprintf(file, ",%s,%d", bench_route_name(row->route), row->threads);
    put_count(file, row->count);
    put_number(file, "%.6g", row->best_ms);
    put_number(file, "%.6g", row->median_ms);
    put_number(file, "%.4g", row->peak_mib);
    put_number(file, "%.12g", row->lowest_hz);
    put_number(file, "%.12g", row->highest_hz);
    fputc(',', file);
    if (!isnan(row->difference)) fprintf(file, "%.2e", row->difference);
    fprintf(file, ",\"");
    for (const char *c = row->note; *c != '\0'; ++c)
        fprintf(file, *c == '"' ? "\"\"" : "%c", *c);
    fprintf(file, "\"\n");
}

// ---- cases

// One rig of one size, on every route.
typedef struct field {
    bench_measure measure[BENCH_ROUTE_COUNT], extra;
} field;

static void print_progress(const bench_def *def, const bench_row *row)
{
    if (def->quiet) return;
    fprintf(stderr, "%-9s %6d bodies  %-6s ", bench_rig_name(row->rig), row->bodies, bench_route_name(row->route));
    if (row->best_ms > 0.0)
        fprintf(stderr, row->best_ms < 1000.0 ? "%10.4g ms %8.1f MiB\n" : "%10.0f ms %8.1f MiB\n", row->best_ms,
                row->peak_mib);
    else
        fprintf(stderr, "%10s    %s\n", "-", row->note);
}

// The reference frequencies: from a dense route of the library for small rigs, from the tree for others.
static const bench_measure *reference(const bench_def *def, bench_rig rig, int bodies, field *f)
{
    enum { QUICK = 200 };
    static const bench_route order[] = {BENCH_ROUTE_SVD, BENCH_ROUTE_QR, BENCH_ROUTE_TREE};
    for (int i = bodies <= QUICK ? 0 : 2; i < 3; ++i) {
        if (i == 2 && bodies <= QUICK) { // none of them was measured
            bench_measure_case(def, rig, bodies, BENCH_ROUTE_QR, true, &f->extra);
            if (f->extra.solved) return &f->extra;
        }
        if (f->measure[order[i]].solved) return &f->measure[order[i]];
    }
    return NULL;
}

static double difference(const bench_measure *m, const bench_measure *from)
{
    double worst = 0.0;
    if (from == NULL || m->count != from->count || m->rigid != from->rigid) return NAN;
    for (int k = m->rigid; k < m->count; ++k)
        worst = fmax(worst, fabs(m->hz[k] / from->hz[k] - 1.0));
    return worst;
}

static void fill(bench_row *row, const bench_measure *m)
{
    if (!m->solved) {
        snprintf(row->note, sizeof row->note, "%s", m->why);
        return;
    }
    row->dof = m->dof;
    row->count = m->count;
    row->best_ms = 1000.0 * m->best;
    row->median_ms = 1000.0 * m->median;
    row->peak_mib = m->peak;
    if (m->count > m->rigid) {
        row->lowest_hz = m->hz[m->rigid];
        row->highest_hz = m->hz[m->count - 1];
    }
    if (m->runs == 1) snprintf(row->note, sizeof row->note, "one run");
}

static void compare(bench_row *row, const bench_measure *m, const bench_measure *from)
{
    if (!m->solved) return;
    row->difference = difference(m, from);
    size_t used = strlen(row->note);
    const char *word = m == from                                ? "reference"
                       : from != NULL && isnan(row->difference) ? "other modes than the reference"
                                                                : "";
    snprintf(row->note + used, sizeof row->note - used, "%s%s", used > 0 && *word != '\0' ? "; " : "", word);
}

// The size at which a route first failed on a rig, and why; larger sizes are not tried.
typedef struct failure {
    int bodies; // 0: it did not
    char why[256];
} failure;

// Measures one size of a rig on all routes, into `row`.   @return their number
static int measure_size(const bench_def *def, bench_rig rig, int bodies, failure failed[BENCH_ROUTE_COUNT],
                        bench_row *row)
{
    field f = {0};
    int count = 0;
    for (int route = 0; route < BENCH_ROUTE_COUNT; ++route) {
        if (!def->route[route]) continue;
        bench_measure *m = &f.measure[route];
        bench_row *w = &row[count++];
        *w = (bench_row){
            .rig = rig, .route = (bench_route)route, .bodies = bodies, .threads = def->threads, .difference = NAN};
        if (failed[route].bodies > 0 && bodies >= failed[route].bodies) {
            snprintf(m->why, sizeof m->why, "left out; at %d bodies: %.200s", failed[route].bodies, failed[route].why);
        } else {
            bench_measure_case(def, rig, bodies, (bench_route)route, false, m);
            if (!m->solved) {
                failed[route].bodies = bodies;
                snprintf(failed[route].why, sizeof failed[route].why, "%s", m->why);
            }
        }
        fill(w, m);
        print_progress(def, w);
    }
    const bench_measure *from = reference(def, rig, bodies, &f);
    for (int i = 0; i < count; ++i)
        compare(&row[i], &f.measure[row[i].route], from);
    for (int route = 0; route < BENCH_ROUTE_COUNT; ++route)
        bench_measure_free(&f.measure[route]);
    bench_measure_free(&f.extra);
    return count;
}

static int measure_all(const bench_def *def, FILE *file, bench_row *row)
{
    int rows = 0;
    fprintf(file, "rig,bodies,dof,route,threads,count,best_ms,median_ms,peak_mib,lowest_hz,highest_hz,"
                  "worst_relative_difference_to_reference,note\n");
    for (int rig = 0; rig < BENCH_RIG_COUNT; ++rig) {
        failure failed[BENCH_ROUTE_COUNT] = {0};
        for (int s = 0; def->rig[rig] && s < def->size_count; ++s) {
            fflush(file); // flush before a process is started, which would inherit a copy of the buffer
            int count = measure_size(def, (bench_rig)rig, def->size[s], failed, row + rows);
            for (int i = 0; i < count; ++i)
                put_row(file, &row[rows + i]);
            rows += count;
        }
    }
    return rows;
}

bool bench_run_modes(const bench_def *def, FILE *file, char *problem, size_t size)
{
    bench_row *row = calloc((size_t)BENCH_RIG_COUNT * BENCH_ROUTE_COUNT * BENCH_MAX_SIZES, sizeof *row);
    if (row == NULL) {
        snprintf(problem, size, "out of memory");
        return false;
    }
    int rows = measure_all(def, file, row);
    FILE *table = bench_table_stream(def->output);
    if (table == stdout || !def->quiet) bench_report(def, row, rows, table);
    free(row);
    return true;
}
