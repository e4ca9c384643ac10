/// @file
/// Explicit Runge-Kutta methods, by their tables (docs/math/integrators.md):
///   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y+ = y + h sum_i b_i k_i,   error = h sum_i e_i k_i.
#include <string.h>

#include "dynamics/ode_solver.h"

enum { STAGES = 6 };

typedef struct tableau {
    int stages;
    double c[STAGES], a[STAGES][STAGES - 1], b[STAGES], e[STAGES];
} tableau;

static const tableau euler = {.stages = 1, .b = {1}};

static const tableau heun = {.stages = 2, .c = {0, 1}, .a = {{0}, {1}}, .b = {1. / 2, 1. / 2}};

static const tableau rk4 = {.stages = 4,
                            .c = {0, 1. / 2, 1. / 2, 1},
                            .a = {{0}, {1. / 2}, {0, 1. / 2}, {0, 0, 1}},
                            .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6}};

// b is the formula of order 5, e what that of order 4 differs by (Fehlberg 1969, table III).
static const tableau fehlberg = {.stages = 6,
                                 .c = {0, 1. / 4, 3. / 8, 12. / 13, 1, 1. / 2},
                                 .a = {{0},
                                       {1. / 4},
                                       {3. / 32, 9. / 32},
                                       {1932. / 2197, -7200. / 2197, 7296. / 2197},
                                       {439. / 216, -8, 3680. / 513, -845. / 4104},
                                       {-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}},
                                 .b = {16. / 135, 0, 6656. / 12825, 28561. / 56430, -9. / 50, 2. / 55},
                                 .e = {1. / 360, 0, -128. / 4275, -2197. / 75240, 1. / 50, 2. / 55}};

// out = h sum_i weight_i k_i, the sum in one pass over the entries.
static void combine(const eri_ode_solver *s, double *const *k, int count, const double *weight, double h, double *out)
{
    for (int i = 0; i < s->size; ++i) {
        double sum = 0.0;
        for (int j = 0; j < count; ++j)
            sum += weight[j] * k[j][i];
        out[i] = h * sum;
    }
}

static void add_state(const eri_ode_solver *s, double *out)
{
    for (int i = 0; i < s->size; ++i)
        out[i] += s->y[i];
}

static er_result step(eri_ode_solver *s, const tableau *table, double h)
{
    er_result r = ER_OK;
    ERI_TRY(eri_ode_rate_now(s));
    double *k[STAGES] = {s->f};
    memcpy(k + 1, s->work, sizeof(double *) * (STAGES - 1));
    for (int i = 1; i < table->stages; ++i) {
        combine(s, k, i, table->a[i], h, s->trial);
        add_state(s, s->trial);
        ERI_TRY(eri_ode_rate(s, s->t + table->c[i] * h, s->trial, k[i]));
    }
    combine(s, k, table->stages, table->b, h, s->trial);
    add_state(s, s->trial);
    combine(s, k, table->stages, table->e, h, s->error);
done:
    return r;
}

static er_result step_euler(eri_ode_solver *s, double h)
{
    return step(s, &euler, h);
}

static er_result step_heun(eri_ode_solver *s, double h)
{
    return step(s, &heun, h);
}

static er_result step_rk4(eri_ode_solver *s, double h)
{
    return step(s, &rk4, h);
}

static er_result step_fehlberg(eri_ode_solver *s, double h)
{
    return step(s, &fehlberg, h);
}

const eri_ode_scheme eri_ode_euler = {0, step_euler, eri_ode_cubic};
const eri_ode_scheme eri_ode_heun = {0, step_heun, eri_ode_cubic};
const eri_ode_scheme eri_ode_rk4 = {0, step_rk4, eri_ode_quartic};
const eri_ode_scheme eri_ode_fehlberg = {5, step_fehlberg, eri_ode_quartic};
