// Tables of a benchmark: times, exponents of growth, ratios to rivals.
#include <math.h>

#include "tools/bench/bench.h"

static const bench_row *find(const bench_row *row, int count, bench_rig rig, bench_route route, int bodies)
{
    for (int i = 0; i < count; ++i)
        if (row[i].rig == rig && row[i].route == route && row[i].bodies == bodies && row[i].best_ms > 0.0)
            return &row[i];
    return NULL;
}

void bench_grow(bench_growth *g, double bodies, double cost)
{
    double x = log(bodies), y = log(cost);
    *g = (bench_growth){g->n + 1, g->x + x, g->y + y, g->xx + x * x, g->xy + x * y};
}

double bench_exponent(const bench_growth *g)
{
    double spread = g->n * g->xx - g->x * g->x;
    return g->n >= 2 && !(spread <= 0.0) ? (g->n * g->xy - g->x * g->y) / spread : NAN;
}

// The exponent over sizes of at least `least` bodies.
static double growth(const bench_row *row, int count, bench_rig rig, bench_route route, int least)
{
    bench_growth g = {0};
    for (int i = 0; i < count; ++i)
        if (row[i].rig == rig && row[i].route == route && row[i].bodies >= least && row[i].best_ms > 0.0)
            bench_grow(&g, row[i].bodies, row[i].best_ms);
    return bench_exponent(&g);
}

static void print_growth(double exponent, FILE *out)
{
    if (isnan(exponent))
        fprintf(out, "%10s", "-");
    else
        fprintf(out, "%10.2f", exponent);
}

static void print_times(const bench_def *def, const bench_row *row, int count, bench_rig rig, bench_route route,
                        FILE *out)
{
    enum { LARGE = 2000 };
    fprintf(out, "%-9s  %-13s", bench_rig_name(rig), bench_route_name(route));
    for (int s = 0; s < def->size_count; ++s) {
        const bench_row *r = find(row, count, rig, route, def->size[s]);
        if (r != NULL)
            fprintf(out, r->best_ms < 1000.0 ? "%10.4g" : "%10.0f", r->best_ms);
        else
            fprintf(out, "%10s", "-");
    }
    print_growth(growth(row, count, rig, route, 0), out);
    print_growth(growth(row, count, rig, route, LARGE), out);
    fprintf(out, "\n");
}

static void print_ratios(const bench_def *def, const bench_row *row, int count, bench_rig rig, bench_route rival,
                         bench_route ours, FILE *out)
{
    bool any = false;
    char name[32];
    snprintf(name, sizeof name, "%s/%s", bench_route_name(rival), bench_route_name(ours));
    for (int pass = 0; pass < 2; ++pass) {
        if (pass == 1 && !any) return;
        if (pass == 1) fprintf(out, "%-9s  %-13s", bench_rig_name(rig), name);
        for (int s = 0; s < def->size_count; ++s) {
            const bench_row *a = find(row, count, rig, rival, def->size[s]),
                            *b = find(row, count, rig, ours, def->size[s]);
            any |= a != NULL && b != NULL;
            if (pass == 1 && a != NULL && b != NULL)
                fprintf(out, "%9.3gx", a->best_ms / b->best_ms);
            else if (pass == 1)
                fprintf(out, "%10s", "");
        }
    }
    fprintf(out, "\n");
}

void bench_report(const bench_def *def, const bench_row *row, int row_count, FILE *out)
{
    fprintf(out, "\nThe %d lowest modes, best time in ms, threads: %d; growth: exponent g of time ~ bodies^g\n\n",
            def->count, def->threads);
    fprintf(out, "%-9s  %-13s", "rig", "bodies");
    for (int s = 0; s < def->size_count; ++s)
        fprintf(out, "%10d", def->size[s]);
    fprintf(out, "%10s%10s\n", "growth", "2000 on");
    for (int rig = 0; rig < BENCH_RIG_COUNT; ++rig) {
        if (!def->rig[rig]) continue;
        for (int route = 0; route < BENCH_ROUTE_COUNT; ++route)
            if (def->route[route]) print_times(def, row, row_count, (bench_rig)rig, (bench_route)route, out);
        for (int other = BENCH_ROUTE_WHOLE; other <= BENCH_ROUTE_FIRST; ++other)
            print_ratios(def, row, row_count, (bench_rig)rig, (bench_route)other, BENCH_ROUTE_SPARSE, out);
        for (int rival = BENCH_ROUTE_SOURCE; rival < BENCH_ROUTE_COUNT; ++rival)
            for (int ours = BENCH_ROUTE_TREE; ours <= BENCH_ROUTE_SPARSE; ++ours)
                print_ratios(def, row, row_count, (bench_rig)rig, (bench_route)rival, (bench_route)ours, out);
    }
}
