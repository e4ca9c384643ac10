/// @file
/// The mixed problem by pivoting: free rows are eliminated, and what is left, friction as Stewart and Trinkle have it,
/// goes to Lemke's method.
///
/// A friction row has x = a - b with a, b >= 0, and s >= 0 stands for |w|:
///   w + s >= 0 against a,   s - w >= 0 against b,   mu x_n - a - b >= 0 against s,
/// whose matrix is copositive, for its product with any z >= 0 is x'Ax + mu x_n s.
#include <math.h>
#include <string.h>

#include "dynamics/reference/complementarity.h"
#include "dynamics/semidefinite.h"

static const double rank_tol = 1e-11; // of free rows, each scaled to a diagonal of 1, and of what they leave of others
static const double rounding = 1e-14; // of speeds that sums of the size of the largest leave of nothing
static const double accurate = 1e-9;  // of the speeds that the impulses make

// ---- Judging

static double entry(const eri_complementarity *p, int i, int j)
{
    return p->A[(size_t)i * (size_t)p->count + (size_t)j];
}

static double speed(const eri_complementarity *p, const double *x, int i)
{
    long double sum = p->f[i];
    for (int j = 0; j < p->count; ++j)
        sum += (long double)entry(p, i, j) * x[j];
    return (double)sum;
}

static double within(const eri_complementarity *p, const double *x, int i, double value)
{
    if (p->normal[i] == ERI_ROW_FREE) return value;
    if (p->normal[i] == ERI_ROW_NORMAL) return fmax(value, 0.0);
    double most = p->friction[i] * fmax(x[p->normal[i]], 0.0);
    return fmax(fmin(value, most), -most);
}

double eri_complementarity_residual(const eri_complementarity *p, const double *x)
{
    double worst = 0.0;
    for (int i = 0; i < p->count; ++i) {
        double unit = entry(p, i, i);
        if (!(unit > 0.0)) continue;
        worst = fmax(worst, unit * fabs(x[i] - within(p, x, i, x[i] - speed(p, x, i) / unit)));
    }
    return worst;
}

// ---- Solving

typedef struct reduction {
    const eri_complementarity *p;
    int free_count, bound_count;
    int *free, *bound;  // rows of p
    double *unit;       // [count], 1 / sqrt(A_ii): x = unit y
    eri_semidefinite F; // of free rows, scaled
    double *S, *g;      // of bound ones: what free rows leave
    double *y;          // [count]
} reduction;

static double scaled(const reduction *d, int i, int j)
{
    return d->unit[i] * d->unit[j] * entry(d->p, i, j);
}

static er_result prepare(er_arena *arena, const eri_complementarity *p, reduction *d)
{
    er_result r = ER_OK;
    *d = (reduction){.p = p};
    ERI_TRY_NEW(d->free, arena, int, p->count);
    ERI_TRY_NEW(d->bound, arena, int, p->count);
    ERI_TRY_NEW(d->unit, arena, double, p->count);
    ERI_TRY_NEW(d->y, arena, double, p->count);
    for (int i = 0; i < p->count; ++i) {
        if (!(entry(p, i, i) > 0.0)) continue; // nothing moves it
        d->unit[i] = 1.0 / sqrt(entry(p, i, i));
        if (p->normal[i] == ERI_ROW_FREE)
            d->free[d->free_count++] = i;
        else
            d->bound[d->bound_count++] = i;
    }
    ERI_TRY(eri_semidefinite_create(arena, d->free_count, &d->F));
    d->S = eri_arena_alloc(arena, (size_t)d->bound_count, (size_t)d->bound_count * sizeof *d->S);
    ERI_TRY(d->S != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY_NEW(d->g, arena, double, d->bound_count);
done:
    return r;
}

// S = A_bb - A_bf A_ff^-1 A_fb and g = f_b - A_bf A_ff^-1 f_f.
static er_result eliminate(er_arena *arena, reduction *d)
{
    er_result r = ER_OK;
    int m = d->bound_count, k = d->free_count;
    double *column;
    ERI_TRY_NEW(column, arena, double, k);
    d->F.count = k;
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j)
            d->F.S[(size_t)i * (size_t)k + (size_t)j] = scaled(d, d->free[i], d->free[j]);
    eri_semidefinite_factor(&d->F, rank_tol);
    for (int c = -1; c < m; ++c) { // the first is f's
        for (int i = 0; i < k; ++i) {
            int row = d->free[i];
            column[i] = c < 0 ? d->unit[row] * d->p->f[row] : scaled(d, row, d->bound[c]);
        }
        eri_semidefinite_solve(&d->F, column);
        for (int i = 0; i < m; ++i) {
            int row = d->bound[i];
            double left = c < 0 ? d->unit[row] * d->p->f[row] : scaled(d, row, d->bound[c]);
            for (int j = 0; j < k; ++j)
                left -= scaled(d, row, d->free[j]) * column[j];
            *(c < 0 ? &d->g[i] : &d->S[(size_t)i * (size_t)m + (size_t)c]) = left;
        }
    }
done:
    return r;
}

// The free rows' impulses that go with the others' y.
static void give_free(reduction *d, double *x)
{
    int k = d->free_count;
    double *y = d->y;
    for (int i = 0; i < k; ++i) {
        int row = d->free[i];
        y[i] = -d->unit[row] * d->p->f[row];
        for (int j = 0; j < d->bound_count; ++j)
            y[i] -= d->unit[row] * entry(d->p, row, d->bound[j]) * x[d->bound[j]];
    }
    eri_semidefinite_solve(&d->F, y);
    for (int i = 0; i < k; ++i)
        x[d->free[i]] = d->unit[d->free[i]] * y[i];
}

// A row of S with its place among the unknowns z: a normal has one, friction three.
typedef struct unknown {
    int row, at, normal; // of S; of z; of z, -1 for a normal
    double friction;     // over y
} unknown;

static int find_unknowns(const reduction *d, unknown *list, int *size)
{
    int count = 0;
    *size = 0;
    for (int i = 0; i < d->bound_count; ++i) {
        int row = d->bound[i], normal = d->p->normal[row], at = -1;
        if (d->S[(size_t)i * (size_t)d->bound_count + (size_t)i] <= rank_tol) continue; // free rows hold it
        for (int k = 0; k < count && normal >= 0; ++k)
            if (d->bound[list[k].row] == normal) at = list[k].at;
        if (normal >= 0 && (at < 0 || !(d->p->friction[row] > 0.0))) continue;
        list[count++] =
            (unknown){i, *size, at, normal < 0 ? 0.0 : d->p->friction[row] * d->unit[normal] / d->unit[row]};
        *size += normal < 0 ? 1 : 3;
    }
    return count;
}

// Rows of z's problem: of u's speed, its sign turned for b.
static void fill_speeds(const reduction *d, int count, const unknown *list, int size, double *M, double *q)
{
    for (int i = 0; i < count; ++i)
        for (int side = 0; side < (list[i].normal < 0 ? 1 : 2); ++side) {
            double sign = side == 0 ? 1.0 : -1.0;
            const double *S = d->S + (size_t)list[i].row * (size_t)d->bound_count;
            double *row = M + (size_t)(list[i].at + side) * (size_t)size;
            q[list[i].at + side] = sign * d->g[list[i].row];
            for (int j = 0; j < count; ++j) {
                row[list[j].at] = sign * S[list[j].row];
                if (list[j].normal >= 0) row[list[j].at + 1] = -sign * S[list[j].row];
            }
            if (list[i].normal >= 0) row[list[i].at + 2] = 1.0;
        }
}

static void fill_bounds(int count, const unknown *list, int size, double *M)
{
    for (int i = 0; i < count; ++i) {
        if (list[i].normal < 0) continue;
        double *row = M + (size_t)(list[i].at + 2) * (size_t)size;
        row[list[i].normal] = list[i].friction;
        row[list[i].at] = row[list[i].at + 1] = -1.0;
    }
}

static er_result solve_bound(er_arena *arena, const reduction *d, double *x, int64_t *pivots)
{
    er_result r = ER_OK;
    int size, count;
    double *M, *q, *z, largest = 0.0;
    unknown *list;
    ERI_TRY_NEW(list, arena, unknown, d->bound_count);
    count = find_unknowns(d, list, &size);
    M = eri_arena_alloc(arena, (size_t)size, (size_t)size * sizeof *M);
    ERI_TRY(M != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY_NEW(q, arena, double, size);
    ERI_TRY_NEW(z, arena, double, size);
    fill_speeds(d, count, list, size, M, q);
    fill_bounds(count, list, size, M);
    for (int i = 0; i < size; ++i)
        largest = fmax(largest, fabs(q[i]));
    for (int i = 0; i < size && largest > 0.0; ++i) // rounding alone may not say which way a row at rest would go
        q[i] = fabs(q[i]) > rounding * largest ? q[i] / largest : 0.0;
    ERI_TRY(eri_lemke_solve(arena, size, M, q, z, pivots));
    for (int i = 0; i < count; ++i) {
        int row = d->bound[list[i].row];
        double y = z[list[i].at] - (list[i].normal < 0 ? 0.0 : z[list[i].at + 1]);
        x[row] = within(d->p, x, row, d->unit[row] * largest * y); // rounding aside; normals come first
    }
done:
    return r;
}

// Pivoting bears small values below 0, where contacts repeat each other: Newton's method takes them off.
static er_result polish(er_arena *arena, const eri_complementarity *p, double tolerance, double *x, double *residual)
{
    er_result r = ER_OK;
    double *better, left;
    *residual = eri_complementarity_residual(p, x);
    if (*residual <= tolerance) return ER_OK;
    ERI_TRY_RESERVE(better, arena, double, p->count);
    memcpy(better, x, (size_t)p->count * sizeof *x);
    ERI_TRY(eri_newton_solve(arena, p, false, tolerance, better, &left));
    if (!(left < *residual)) return ER_OK;
    *residual = left;
    memcpy(x, better, (size_t)p->count * sizeof *x);
done:
    return r;
}

er_result eri_direct_solve(er_arena *arena, const eri_complementarity *p, double *x, int64_t *pivots)
{
    er_result r = ER_OK;
    reduction d;
    double largest = 0.0, residual;
    memset(x, 0, (size_t)p->count * sizeof *x);
    ERI_TRY(prepare(arena, p, &d));
    ERI_TRY(eliminate(arena, &d));
    ERI_TRY(solve_bound(arena, &d, x, pivots));
    give_free(&d, x);
    for (int i = 0; i < p->count; ++i)
        largest = fmax(largest, fmax(fabs(p->f[i]), entry(p, i, i) * fabs(x[i])));
    ERI_TRY(polish(arena, p, rounding * largest, x, &residual));
    if (!(residual <= accurate * largest)) r = ER_ERROR_NO_CONVERGENCE;
done:
    return r;
}
