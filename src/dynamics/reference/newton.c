/// @file
/// The mixed problem by Newton's method on its projection equations, from near a solution (Alart & Curnier 1991).
///
/// With y = x - r w, r > 0, x solves the problem if x = y within its bounds. This is piecewise smooth.
#include <math.h>
#include <string.h>

#include "dynamics/reference/complementarity.h"
#include "math/dense/dense.h"

enum { MAX_ITERATIONS = 30, MAX_STUCK = 4 };

static const double rank_tol = 1e-12; // of the equations, scaled to a diagonal of A of 1
static const double min_share = 0.1;  // of a change: it is made though the residual does not fall

typedef struct newton {
    const eri_complementarity *p;
    double *w;      // [count], speeds
    double *unit;   // [count], 1 / sqrt(A_ii): 0 where nothing moves the row
    double *F;      // [count], of the equations, scaled
    eri_matrix J;   // their derivatives
    double *change; // [count]
    eri_matrix rest;
} newton;

static double entry(const eri_complementarity *p, int i, int j)
{
    return p->A[(size_t)i * (size_t)p->count + (size_t)j];
}

static er_result create(er_arena *arena, const eri_complementarity *p, newton *s)
{
    er_result r = ER_OK;
    *s = (newton){.p = p};
    ERI_TRY_NEW(s->w, arena, double, p->count);
    ERI_TRY_NEW(s->unit, arena, double, p->count);
    ERI_TRY_NEW(s->F, arena, double, p->count);
    ERI_TRY_NEW(s->change, arena, double, p->count);
    ERI_TRY(eri_matrix_create(arena, p->count, p->count, &s->J));
    ERI_TRY(eri_matrix_create(arena, p->count, 1, &s->rest));
    for (int i = 0; i < p->count; ++i)
        s->unit[i] = entry(p, i, i) > 0.0 ? 1.0 / sqrt(entry(p, i, i)) : 0.0;
done:
    return r;
}

static void find_speeds(newton *s, const double *x)
{
    const eri_complementarity *p = s->p;
    for (int i = 0; i < p->count; ++i) {
        s->w[i] = p->f[i];
        for (int j = 0; j < p->count; ++j)
            s->w[i] += entry(p, i, j) * x[j];
    }
}

// Row i of J: factor on the change of x_j.
static void add(newton *s, int i, int j, double factor)
{
    if (s->unit[i] > 0.0) eri_matrix_column(s->J, j)[i] += factor * s->unit[j] / s->unit[i];
}

// Adds the derivatives of factor r w_k to row i.
static void add_speed(newton *s, int i, int k, double factor)
{
    for (int j = 0; j < s->p->count; ++j)
        add(s, i, j, factor * entry(s->p, k, j));
}

static void set(newton *s, int i, double value)
{
    s->F[i] = s->unit[i] > 0.0 ? value / s->unit[i] : 0.0;
}

static double reach(const newton *s, int i)
{
    return s->unit[i] * s->unit[i];
}

// w = 0.
static void hold(newton *s, int i, double r)
{
    set(s, i, r * s->w[i]);
    add_speed(s, i, i, r);
}

// One impulse within bounds of its own.
static void equation(newton *s, int i, const double *x)
{
    const eri_complementarity *p = s->p;
    int normal = p->normal[i];
    double r = reach(s, i), y = x[i] - r * s->w[i];
    double most = normal < 0 ? HUGE_VAL : p->friction[i] * fmax(x[normal], 0.0);
    double least = normal < 0 ? 0.0 : -most;
    if (normal == ERI_ROW_FREE || (y > least && y < most)) {
        hold(s, i, r);
        return;
    }
    double side = normal < 0 ? 0.0 : y > 0.0 ? 1.0 : -1.0;
    set(s, i, x[i] - fmax(fmin(y, most), least));
    add(s, i, i, 1.0);
    if (normal >= 0) add(s, i, normal, -side * p->friction[i]);
}

// Both tangents of a contact, or both rows of its rolling friction, within the disc.
static void cone_equations(newton *s, int i, const double *x)
{
    const eri_complementarity *p = s->p;
    int normal = p->normal[i];
    double r = 1.0 / (fmax(entry(p, i, i), entry(p, i + 1, i + 1)) + fabs(entry(p, i, i + 1)));
    double y[2] = {x[i] - r * s->w[i], x[i + 1] - r * s->w[i + 1]}, size = hypot(y[0], y[1]);
    double most = p->friction[i] * fmax(x[normal], 0.0), share = size > 0.0 ? most / size : 0.0;
    for (int a = 0; a < 2; ++a) {
        if (size < most) {
            hold(s, i + a, r);
            continue;
        }
        double along = size > 0.0 ? y[a] / size : 0.0;
        set(s, i + a, x[i + a] - most * along);
        add(s, i + a, i + a, 1.0);
        add(s, i + a, normal, -p->friction[i] * along);
        for (int b = 0; b < 2; ++b) { // of the direction
            double across = share * ((a == b ? 1.0 : 0.0) - along * (size > 0.0 ? y[b] / size : 0.0));
            add(s, i + a, i + b, -across);
            add_speed(s, i + a, i + b, across * r);
        }
    }
}

// Whether two rows of friction share a disc.
static bool is_pair(const eri_complementarity *p, int i)
{
    return p->normal[i] >= 0 && i + 1 < p->count && p->normal[i + 1] == p->normal[i];
}

// @return the largest violation, a speed
static double find_equations(newton *s, bool cone, const double *x)
{
    double worst = 0.0;
    memset(s->J.a, 0, (size_t)s->p->count * (size_t)s->p->count * sizeof(double));
    find_speeds(s, x);
    for (int i = 0, size; i < s->p->count; i += size) {
        size = cone && is_pair(s->p, i) ? 2 : 1;
        if (size == 2 && s->unit[i] > 0.0 && s->unit[i + 1] > 0.0)
            cone_equations(s, i, x);
        else
            for (int k = 0; k < size; ++k)
                if (s->unit[i + k] > 0.0) equation(s, i + k, x);
    }
    for (int i = 0; i < s->p->count; ++i)
        if (s->unit[i] > 0.0) worst = fmax(worst, fabs(s->F[i]) / s->unit[i]);
    return worst;
}

// Goes along the change as far as the residual falls, or by a small share.   @return the residual there
static double go(newton *s, bool cone, const double *from, double last, double *x)
{
    double share = 1.0, residual;
    for (;; share *= 0.5) {
        for (int i = 0; i < s->p->count; ++i)
            x[i] = from[i] + share * s->unit[i] * s->change[i];
        residual = find_equations(s, cone, x);
        if (residual < last || !(share > min_share)) return residual;
    }
}

er_result eri_newton_solve(er_arena *arena, const eri_complementarity *p, bool cone, double tolerance, double *x,
                           double *residual)
{
    er_result r = ER_OK;
    newton s;
    double *from;
    ERI_TRY(create(arena, p, &s));
    ERI_TRY_NEW(from, arena, double, p->count);
    *residual = find_equations(&s, cone, x);
    double last = HUGE_VAL;
    for (int n = 0, stuck = 0; n < MAX_ITERATIONS && stuck<MAX_STUCK && * residual> tolerance; ++n) {
        stuck = *residual < last ? 0 : stuck + 1;
        last = *residual;
        for (int i = 0; i < p->count; ++i)
            eri_matrix_column(s.rest, 0)[i] = -s.F[i];
        ERI_TRY(eri_linalg_least_squares(arena, s.J, rank_tol, s.rest, s.change));
        memcpy(from, x, (size_t)p->count * sizeof *x);
        *residual = go(&s, cone, from, *residual, x);
    }
done:
    return r;
}
