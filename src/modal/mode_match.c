// Modes before and after an edit: pairs of the most alike, by the assignment with the largest sum of squared cosines.
#include <eigenrig/modal.h>

#include <math.h>
#include <string.h>

#include "base/failure.h"
#include "math/dense/dense.h"
#include "modal/mode_shape.h"

static const double least_share = 0.01; // squared cosine: less is not told as another mode like it

typedef struct matcher {
    er_arena *arena;
    const er_model *was, *now;
    int *twin;         // [was->body_count], the body of the same name in `now`; -1
    eri_matrix cosine; // [modes before x modes now]
} matcher;

// Bodies of one name are taken in order, those without a twin at the same place first.
static er_result pair_bodies(matcher *m)
{
    er_result r = ER_OK;
    bool *taken;
    ERI_TRY_NEW(taken, m->arena, bool, m->now->body_count);
    ERI_TRY_NEW(m->twin, m->arena, int, m->was->body_count);
    for (int b = 0; b < m->was->body_count; ++b) {
        const char *name = m->was->body[b].name;
        m->twin[b] = -1;
        if (b >= m->now->body_count || strcmp(name, m->now->body[b].name) != 0) continue;
        m->twin[b] = b;
        taken[b] = true;
    }
    for (int b = 0; b < m->was->body_count; ++b)
        for (int c = 0; m->twin[b] < 0 && c < m->now->body_count; ++c) {
            if (taken[c] || strcmp(m->was->body[b].name, m->now->body[c].name) != 0) continue;
            m->twin[b] = c;
            taken[c] = true;
        }
done:
    return r;
}

// Columns L' eta, M = L L': their dot products are those of the mass metric. A body with a twin has the twin's mass and
// rows; one that is gone has its own mass and the rows below.
static er_result weigh(matcher *m, const er_modes *modes, bool was, eri_matrix *out)
{
    er_result r = ER_OK;
    const er_model *own = was ? m->was : m->now;
    double scale = was && m->was->size > 0.0 ? m->now->size / m->was->size : 1.0;
    ERI_TRY(eri_matrix_create(m->arena, 6 * (m->now->body_count + m->was->body_count), modes->count, out));
    for (int b = 0; b < own->body_count; ++b) {
        int twin = was ? m->twin[b] : b;
        eri_mass_factor f = eri_mass_factor_of(twin >= 0 ? &m->now->body[twin] : &m->was->body[b]);
        ptrdiff_t row = 6 * (ptrdiff_t)(twin >= 0 ? twin : m->now->body_count + b);
        for (int k = 0; k < modes->count; ++k) {
            double *x = eri_matrix_column(*out, k) + row;
            memcpy(x, modes->mode[k].body + 6 * (ptrdiff_t)b, 6 * sizeof *x);
            for (int i = 3; i < 6; ++i)
                x[i] *= scale;
            eri_mass_multiply_transposed(&f, x);
        }
    }
    for (int k = 0; k < modes->count; ++k) {
        double *x = eri_matrix_column(*out, k), norm = sqrt(eri_linalg_dot(out->rows, x, x));
        for (int i = 0; i < out->rows && norm > 0.0; ++i)
            x[i] /= norm;
    }
done:
    return r;
}

// ---- Assignment: shortest augmenting paths (Kuhn 1955, Munkres 1957). Rows are modes before, columns modes now;
// columns past those are of none.

typedef struct assignment {
    int rows, columns;
    double *row_price, *column_price; // [rows + 1], [columns + 1], from 1 on; 0 begins a path
    double *least;                    // [columns + 1], the least reduced cost on a path to a column
    int *row_of, *before;             // [columns + 1], 0: free
    bool *reached;                    // [columns + 1]
} assignment;

static double cost(const matcher *m, int row, int column)
{
    if (column >= m->cosine.cols) return 0.0;
    double c = eri_matrix_column(m->cosine, column)[row];
    return -c * c;
}

static void extend(assignment *a, const matcher *m, int row)
{
    int at = 0;
    a->row_of[0] = row;
    for (int j = 0; j <= a->columns; ++j) {
        a->least[j] = HUGE_VAL;
        a->reached[j] = false;
    }
    do {
        int from = a->row_of[at], next = 0;
        double step = HUGE_VAL;
        a->reached[at] = true;
        for (int j = 1; j <= a->columns; ++j) {
            if (a->reached[j]) continue;
            double reduced = cost(m, from - 1, j - 1) - a->row_price[from] - a->column_price[j];
            if (reduced < a->least[j]) {
                a->least[j] = reduced;
                a->before[j] = at;
            }
            if (a->least[j] < step) {
                step = a->least[j];
                next = j;
            }
        }
        for (int j = 0; j <= a->columns; ++j) {
            if (a->reached[j]) {
                a->row_price[a->row_of[j]] += step;
                a->column_price[j] -= step;
            } else
                a->least[j] -= step;
        }
        at = next;
    } while (a->row_of[at] != 0);
    for (; at != 0; at = a->before[at])
        a->row_of[at] = a->row_of[a->before[at]];
}

static er_result assign(const matcher *m, er_mode_match *match)
{
    er_result r = ER_OK;
    assignment a = {.rows = m->cosine.rows,
                    .columns = m->cosine.rows > m->cosine.cols ? m->cosine.rows : m->cosine.cols};
    ERI_TRY_NEW(a.row_price, m->arena, double, a.rows + 1);
    ERI_TRY_NEW(a.column_price, m->arena, double, a.columns + 1);
    ERI_TRY_NEW(a.least, m->arena, double, a.columns + 1);
    ERI_TRY_NEW(a.row_of, m->arena, int, a.columns + 1);
    ERI_TRY_NEW(a.before, m->arena, int, a.columns + 1);
    ERI_TRY_NEW(a.reached, m->arena, bool, a.columns + 1);
    for (int row = 1; row <= a.rows; ++row)
        extend(&a, m, row);
    for (int j = 1; j <= a.columns; ++j)
        if (a.row_of[j] > 0) match[a.row_of[j] - 1].now = j <= m->cosine.cols ? j - 1 : -1;
done:
    return r;
}

// ---- Pairs described

static double square(double x)
{
    return x * x;
}

static void describe(const matcher *m, const er_modes *now, int row, er_mode_match *match)
{
    double group = 0.0;
    match->other = -1;
    for (int j = 0; j < now->count; ++j) {
        double c = eri_matrix_column(m->cosine, j)[row];
        if (match->now >= 0 && eri_is_one_frequency(&now->mode[j], &now->mode[match->now], eri_near_eigenvalue)) {
            group += square(c);
            if (j == match->now) match->likeness = c;
        } else if (square(c) > fmax(square(match->other_likeness), least_share)) {
            match->other = j;
            match->other_likeness = c;
        }
    }
    match->group_likeness = sqrt(fmin(1.0, group));
}

er_result er_modes_match(er_context *context, const er_model *was_model, const er_modes *was, const er_model *now_model,
                         const er_modes *now, er_mode_match *match)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (was_model == NULL || was == NULL || now_model == NULL || now == NULL || (was->count > 0 && match == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_modes_match needs two models, their modes and room for the result");
    er_result r = ER_OK;
    matcher m = {.was = was_model, .now = now_model};
    eri_matrix before, after;
    ERI_TRY(eri_arena_create(context, &m.arena));
    ERI_TRY(pair_bodies(&m));
    ERI_TRY(weigh(&m, was, true, &before));
    ERI_TRY(weigh(&m, now, false, &after));
    ERI_TRY(eri_matrix_product(m.arena, true, before, false, after, &m.cosine));
    for (int i = 0; i < was->count; ++i)
        match[i] = (er_mode_match){.now = -1};
    ERI_TRY(assign(&m, match));
    for (int i = 0; i < was->count; ++i)
        describe(&m, now, i, &match[i]);
done:
    eri_arena_destroy(m.arena);
    return r;
}
