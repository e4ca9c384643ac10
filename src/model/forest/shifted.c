// Articulated bodies (Featherstone, 7.3) of the indefinite pencil K - sigma M: a joint's spring stands in its own
// pivot, so elimination from the tips to the root is a block L D L' without fill, and its pivots count eigenvalues.
#include <math.h>
#include <string.h>

#include "model/forest/forest_sweep.h"

typedef double direction[6];
typedef double inertia[6][6];
typedef eri_lanes inertias[6][6];

struct eri_shifted {
    size_t
        *at; // [link_count + 1], where a link's lanes start in `factor`: W [freedom][6], then D^-1 [freedom][freedom]
    eri_lanes *factor;   // W = U D^-1
    double *weight;      // [columns], S'IS with the subtree rigid, k = 1 for springs: what a pivot is made of
    inertia *rigid;      // [slot_count]
    direction *S;        // [columns], scaled: by K^-1/2 for springs
    int *column;         // [link_count], a link's first
    inertias *pending;   // [slot_count]
    eri_lanes *unsprung; // [columns at most]
};

er_result eri_shifted_create(er_arena *arena, const eri_forest *tree, eri_shifted **out)
{
    er_result r = ER_OK;
    eri_shifted *f;
    int columns = 0;
    ERI_TRY_NEW(f, arena, eri_shifted, 1);
    ERI_TRY_NEW(f->at, arena, size_t, tree->link_count + 1);
    ERI_TRY_NEW(f->column, arena, int, tree->link_count);
    for (int i = 0; i < tree->link_count; ++i) {
        size_t d = (size_t)tree->link[i].freedom;
        f->column[i] = columns;
        f->at[i + 1] = f->at[i] + 6 * d + d * d;
        columns += (int)d;
    }
    ERI_TRY_RESERVE(f->factor, arena, eri_lanes, f->at[tree->link_count]);
    ERI_TRY_NEW(f->unsprung, arena, eri_lanes, columns);
    ERI_TRY_NEW(f->weight, arena, double, columns);
    ERI_TRY_NEW(f->rigid, arena, inertia, tree->slot_count);
    ERI_TRY_NEW(f->S, arena, direction, columns);
    ERI_TRY_NEW(f->pending, arena, inertias, tree->slot_count);
    *out = f;
done:
    return r;
}

// Negative pivots and growth of all lanes so far.
typedef struct census {
    eri_mask negative;
    eri_lanes growth;
} census;

// D -> D^-1 by L diag(pivot) L', in order. `whole`: the sizes of what D's diagonal is the sum of.
ERI_LANES_INLINE void invert(int n, eri_lanes D[6][6], const eri_lanes whole[6], eri_lanes *inverse, census *met)
{
    eri_lanes L[6][6], pivot[6]; // L becomes the inverse of the unit factor, row by row
    for (int i = 0; i < n; ++i) {
        eri_lanes row[6];
        for (int j = 0; j < i; ++j) {
            row[j] = D[i][j];
            for (int k = 0; k < j; ++k)
                row[j] -= row[k] * pivot[k] * D[j][k]; // D's lower part keeps the unit factor
            row[j] /= pivot[j];
        }
        pivot[i] = D[i][i];
        for (int j = 0; j < i; ++j) {
            pivot[i] -= row[j] * row[j] * pivot[j];
            D[i][j] = row[j];
        }
        met->negative -= pivot[i] < 0.0;
        met->growth = eri_lanes_larger(met->growth, whole[i] / eri_lanes_magnitude(pivot[i]));
        for (int j = 0; j < i; ++j) {
            L[i][j] = -D[i][j];
            for (int k = j + 1; k < i; ++k)
                L[i][j] -= D[i][k] * L[k][j];
        }
        L[i][i] = (eri_lanes){0} + 1.0;
    }
    for (int a = 0; a < n; ++a)
        for (int b = 0; b <= a; ++b) {
            eri_lanes sum = L[a][a] * L[a][b] / pivot[a];
            for (int k = a + 1; k < n; ++k)
                sum += L[k][a] * L[k][b] / pivot[k];
            inverse[a * n + b] = inverse[b * n + a] = sum;
        }
}

ERI_LANES_INLINE void factor_link(const eri_forest_link *l, const double (*S)[6], const double *weight,
                                  const eri_lanes *shift, eri_lanes I[6][6], int d, int rows, eri_lanes *W,
                                  eri_lanes *inverse, census *met)
{
    eri_lanes U[6][6], D[6][6], whole[6];
    for (int c = 0; c < d; ++c)
        for (int i = 0; i < 6; ++i) {
            U[c][i] = S[c][0] * I[i][0];
            for (int k = 1; k < rows; ++k)
                U[c][i] += S[c][k] * I[i][k];
        }
    for (int a = 0; a < d; ++a)
        for (int b = 0; b <= a; ++b) {
            eri_lanes sum = S[a][0] * U[b][0];
            for (int k = 1; k < rows; ++k)
                sum += S[a][k] * U[b][k];
            D[a][b] = sum;
            if (a != b) continue;
            double spring = a < l->spring_count ? 1.0 : 0.0;
            whole[a] = spring + eri_lanes_magnitude(*shift) * weight[a];
            D[a][a] += spring;
        }
    invert(d, D, whole, inverse, met);
    for (int c = 0; c < d; ++c)
        for (int i = 0; i < 6; ++i) {
            eri_lanes sum = U[0][i] * inverse[c];
            for (int e = 1; e < d; ++e)
                sum += U[e][i] * inverse[e * d + c];
            W[6 * c + i] = sum;
        }
    if (l->up_slot < 0) return;
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            for (int c = 0; c < d; ++c)
                I[i][k] -= W[6 * c + i] * U[c][k];
}

ERI_LANES_INLINE void inertia_to_parent(eri_lanes I[6][6], const double r[3])
{
    double a = r[0], b = r[1], c = r[2];
    for (int k = 0; k < 6; ++k) {
        I[0][k] += b * I[5][k] - c * I[4][k];
        I[1][k] += c * I[3][k] - a * I[5][k];
        I[2][k] += a * I[4][k] - b * I[3][k];
    }
    for (int k = 0; k < 6; ++k) {
        I[k][0] += b * I[k][5] - c * I[k][4];
        I[k][1] += c * I[k][3] - a * I[k][5];
        I[k][2] += a * I[k][4] - b * I[k][3];
    }
}

void eri_shifted_prepare(eri_shifted *f, const eri_forest *tree)
{
    for (int i = tree->link_count - 1; i >= 0; --i) {
        const eri_forest_link *l = &tree->link[i];
        double(*S)[6] = f->S + f->column[i], *weight = f->weight + f->column[i], I[6][6];
        eri_link_gather(l, f->rigid, I);
        for (int c = 0; c < l->freedom; ++c) {
            eri_scaled_direction(tree, l, c, S[c]);
            weight[c] = 0.0;
            for (int a = 0; a < 6; ++a)
                for (int b = 0; b < 6; ++b)
                    weight[c] += S[c][a] * I[a][b] * S[c][b];
        }
        eri_inertia_up(l, I, f->rigid);
    }
}

ERI_LANES_DO(factor, (eri_shifted * f, const eri_forest *tree, const double sigma[8], int below[8], double growth[8]),
             (f, tree, sigma, below, growth))
{
    eri_lanes shift;
    census met = {{0}, {0}};
    for (int i = 0; i < ERI_LANE_COUNT; ++i)
        shift[i] = -sigma[i];
    for (int i = tree->link_count - 1; i >= 0; --i) {
        const eri_forest_link *l = &tree->link[i];
        int d = l->freedom;
        const double(*S)[6] = (const double(*)[6])(f->S + f->column[i]), *weight = f->weight + f->column[i];
        double body[6][6];
        eri_lanes I[6][6], *W = f->factor + f->at[i], *inverse = W + 6 * d;
        eri_link_inertia(l, body);
        for (int a = 0; a < 6; ++a)
            for (int b = 0; b < 6; ++b)
                I[a][b] = shift * body[a][b];
        for (int a = 0; a < 6 && l->slot >= 0; ++a)
            for (int b = 0; b < 6; ++b)
                I[a][b] += f->pending[l->slot][a][b];
        if (l->turns && d == 3)
            factor_link(l, S, weight, &shift, I, 3, 3, W, inverse, &met);
        else if (l->turns && d == 1)
            factor_link(l, S, weight, &shift, I, 1, 3, W, inverse, &met);
        else if (d > 0)
            factor_link(l, S, weight, &shift, I, d, 6, W, inverse, &met);
        if (l->up_slot < 0) continue;
        inertia_to_parent(I, l->r);
        eri_lanes(*into)[6] = f->pending[l->up_slot];
        for (int a = 0; a < 6; ++a)
            for (int b = 0; b < 6; ++b)
                into[a][b] = l->last ? I[a][b] : into[a][b] + I[a][b];
    }
    for (int i = 0; i < ERI_LANE_COUNT; ++i) {
        below[i] = (int)met.negative[i];
        growth[i] = met.growth[i];
    }
}

// u = f - S'p; t = D^-1 u; p <- p + W u.
ERI_LANES_INLINE void joint_up(const eri_lanes *W, const double (*S)[6], int d, int rows, const eri_lanes *force,
                               eri_spatial *p, eri_lanes *t)
{
    const eri_lanes *inverse = W + 6 * d;
    eri_lanes u[6];
    for (int c = 0; c < d; ++c)
        u[c] = force[c] - eri_project(S[c], p, rows);
    for (int c = 0; c < d; ++c) {
        t[c] = inverse[c * d] * u[0];
        for (int e = 1; e < d; ++e)
            t[c] += inverse[c * d + e] * u[e];
        for (int i = 0; i < 6; ++i)
            p->x[i] += W[6 * c + i] * u[c];
    }
}

// q = t - W'a; a <- a + S q.
ERI_LANES_INLINE void joint_down(const eri_lanes *W, const double (*S)[6], int d, int rows, eri_spatial *a,
                                 eri_lanes *q)
{
    for (int c = 0; c < d; ++c)
        for (int i = 0; i < 6; ++i)
            q[c] -= W[6 * c + i] * a->x[i];
    for (int c = 0; c < d; ++c)
        for (int i = 0; i < rows; ++i)
            a->x[i] += S[c][i] * q[c];
}

// Rates of springs and unsprung coordinates of one link, side by side as its columns are.
ERI_LANES_INLINE void gather(const eri_forest_link *l, const eri_lanes *springs, const eri_lanes *unsprung,
                             eri_lanes x[6])
{
    for (int c = 0; c < l->spring_count; ++c)
        x[c] = springs[l->spring + c];
    for (int c = l->spring_count; c < l->freedom; ++c)
        x[c] = unsprung != NULL ? unsprung[l->unsprung + c - l->spring_count] : (eri_lanes){0};
}

ERI_LANES_INLINE void scatter(const eri_forest_link *l, const eri_lanes x[6], eri_lanes *springs, eri_lanes *unsprung)
{
    for (int c = 0; c < l->spring_count; ++c)
        springs[l->spring + c] = x[c];
    for (int c = l->spring_count; c < l->freedom; ++c)
        unsprung[l->unsprung + c - l->spring_count] = x[c];
}

ERI_LANES_DO(solve,
             (const eri_shifted *f, const eri_forest *tree, const eri_lanes *y, const eri_lanes *force, eri_lanes *out,
              eri_lanes *unsprung_out),
             (f, tree, y, force, out, unsprung_out))
{
    eri_spatial pending[ERI_TREE_SLOTS];
    eri_lanes *unsprung = unsprung_out != NULL ? unsprung_out : f->unsprung;
    for (int i = tree->link_count - 1; i >= 0; --i) {
        const eri_forest_link *l = &tree->link[i];
        const double(*S)[6] = (const double(*)[6])(f->S + f->column[i]);
        const eri_lanes *W = f->factor + f->at[i];
        eri_spatial p = {{{0}}};
        if (l->slot >= 0) p = pending[l->slot];
        if (l->turns && l->spring_count == 3 && l->freedom == 3) {
            joint_up(W, S, 3, 3, y + l->spring, &p, out + l->spring);
        } else if (l->turns && l->spring_count == 1 && l->freedom == 1) {
            joint_up(W, S, 1, 3, y + l->spring, &p, out + l->spring);
        } else {
            eri_lanes x[6], t[6];
            gather(l, y, force, x);
            joint_up(W, S, l->freedom, 6, x, &p, t);
            scatter(l, t, out, unsprung);
        }
        eri_hand_up(l, &p, pending);
    }
    for (int i = 0; i < tree->link_count; ++i) {
        const eri_forest_link *l = &tree->link[i];
        const double(*S)[6] = (const double(*)[6])(f->S + f->column[i]);
        const eri_lanes *W = f->factor + f->at[i];
        eri_spatial a;
        eri_take_down(l, pending, &a);
        if (l->turns && l->spring_count == 3 && l->freedom == 3) {
            joint_down(W, S, 3, 3, &a, out + l->spring);
        } else if (l->turns && l->spring_count == 1 && l->freedom == 1) {
            joint_down(W, S, 1, 3, &a, out + l->spring);
        } else {
            eri_lanes x[6];
            gather(l, out, unsprung, x);
            joint_down(W, S, l->freedom, 6, &a, x);
            scatter(l, x, out, unsprung);
        }
        if (l->slot >= 0) pending[l->slot] = a;
    }
}

void eri_shifted_factor(eri_shifted *f, const eri_forest *tree, const double sigma[8], int below[8], double growth[8])
{
    factor(f, tree, sigma, below, growth);
}

void eri_shifted_solve(const eri_shifted *f, const eri_forest *tree, const eri_lanes *y, const eri_lanes *force,
                       eri_lanes *out, eri_lanes *unsprung_out)
{
    solve(f, tree, y, force, out, unsprung_out);
}
