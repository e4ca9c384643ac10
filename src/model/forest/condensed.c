// Hybrid dynamics (Featherstone, 9.2): springs move as told, unsprung coordinates free of force. Where every joint has
// springs the articulated inertias are the composite ones.
#include <math.h>
#include <string.h>

#include "model/forest/forest_sweep.h"

typedef double inertia[6][6];

// The data of a link with d columns for products: for each column its direction S [6] (scaled by K^-1/2 for a spring),
// then [6] of I S, I the articulated inertia past the unsprung columns, for a spring; or of D^-1 S'I, the rate that a
// unit twist of the parent's side brings, for an unsprung one. After the columns, D^-1 of the unsprung ones.
struct eri_condensed {
    size_t *at;       // [link_count + 1], where a link begins in `data`
    double *data;     // of all links
    inertia *pending; // [ERI_TREE_SLOTS]
};

static size_t span(int freedom)
{
    size_t d = (size_t)freedom;
    return 12 * d + d * d;
}

er_result eri_condensed_reserve(er_arena *arena, int links, int columns, eri_condensed **out)
{
    er_result r = ER_OK;
    eri_condensed *c;
    ERI_TRY_NEW(c, arena, eri_condensed, 1);
    ERI_TRY_RESERVE(c->at, arena, size_t, (size_t)links + 1);
    ERI_TRY_RESERVE(c->data, arena, double, span(6) / 6 * (size_t)columns); // no link needs more a column than one of 6
    ERI_TRY_RESERVE(c->pending, arena, inertia, ERI_TREE_SLOTS);
    *out = c;
done:
    return r;
}

er_result eri_condensed_create(er_arena *arena, const eri_forest *tree, eri_condensed **out)
{
    return eri_condensed_reserve(arena, tree->link_count, tree->spring_count + tree->unsprung_count, out);
}

static void multiply(double I[6][6], const double x[6], double y[6])
{
    for (int i = 0; i < 6; ++i) {
        y[i] = 0.0;
        for (int k = 0; k < 6; ++k)
            y[i] += I[i][k] * x[k];
    }
}

static double dot(const double x[6], const double y[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i)
        sum += x[i] * y[i];
    return sum;
}

// inverse = D^-1 [n x n] by Cholesky, n <= 6. False where D is not positive definite, to rounding.
static bool invert(int n, double D[6][6], double *inverse)
{
    double L[6][6] = {{0}};
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            double sum = D[i][j];
            for (int k = 0; k < j; ++k)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 1e-14 * D[j][j])) return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    for (int c = 0; c < n; ++c) {
        double x[6] = {0};
        for (int i = 0; i < n; ++i) {
            x[i] = i == c;
            for (int k = 0; k < i; ++k)
                x[i] -= L[i][k] * x[k];
            x[i] /= L[i][i];
        }
        for (int i = n - 1; i >= 0; --i) {
            for (int k = i + 1; k < n; ++k)
                x[i] -= L[k][i] * x[k];
            x[i] /= L[i][i];
            inverse[i * n + c] = x[i];
        }
    }
    return true;
}

// Frees the unsprung columns of force: I <- I - U D^-1 U'.
static bool free_unsprung(const eri_forest_link *l, double *k, double I[6][6])
{
    int s = l->spring_count, z = l->freedom - s;
    double U[6][6], D[6][6], *column = k + 12 * s, *inverse = k + 12 * l->freedom;
    for (int c = 0; c < z; ++c) {
        multiply(I, column + 12 * c, U[c]);
        for (int d = 0; d <= c; ++d)
            D[c][d] = D[d][c] = dot(column + 12 * d, U[c]);
    }
    if (!invert(z, D, inverse)) return false;
    for (int c = 0; c < z; ++c)
        for (int i = 0; i < 6; ++i) {
            double sum = 0.0;
            for (int d = 0; d < z; ++d)
                sum += inverse[c * z + d] * U[d][i];
            column[12 * c + 6 + i] = sum;
        }
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            for (int c = 0; c < z; ++c)
                I[i][j] -= U[c][i] * column[12 * c + 6 + j];
    return true;
}

er_result eri_condensed_factor(eri_condensed *f, const eri_forest *tree, er_context *context)
{
    f->at[0] = 0;
    for (int i = 0; i < tree->link_count; ++i)
        f->at[i + 1] = f->at[i] + span(tree->link[i].freedom);
    for (int i = tree->link_count - 1; i >= 0; --i) {
        const eri_forest_link *l = &tree->link[i];
        double I[6][6], *k = f->data + f->at[i];
        eri_link_gather(l, f->pending, I);
        for (int c = 0; c < l->freedom; ++c)
            eri_scaled_direction(tree, l, c, k + 12 * c);
        if (l->spring_count < l->freedom && !free_unsprung(l, k, I))
            return er_fail(
                context, ER_ERROR_NOT_POSDEF,
                "body %d \"%s\" has a motion without stiffness whose inertia doubles cannot tell from 0; bring "
                "masses and distances closer in size",
                tree->tree.link[i].body, tree->model->body[tree->tree.link[i].body].name);
        for (int c = 0; c < l->spring_count; ++c)
            multiply(I, k + 12 * c, k + 12 * c + 6);
        eri_inertia_up(l, I, f->pending);
    }
    return ER_OK;
}

ERI_LANES_INLINE void add_scaled(eri_spatial *x, const double *s, eri_lanes rate, int rows)
{
    for (int i = 0; i < rows; ++i)
        x->x[i] += s[i] * rate;
}

// p: the bias wrench at the link with its unsprung columns freed; out: S'p for the way down.
ERI_LANES_INLINE void springs_up(const double *k, int count, int rows, const eri_lanes *y, eri_spatial *p,
                                 eri_lanes *out)
{
    for (int c = 0; c < count; ++c)
        out[c] = eri_project(k + 12 * c, p, rows);
    for (int c = 0; c < count; ++c)
        add_scaled(p, k + 12 * c + 6, y[c], 6);
}

ERI_LANES_INLINE void springs_down(const double *k, int count, int rows, const eri_lanes *y, eri_spatial *a,
                                   eri_lanes *out)
{
    for (int c = 0; c < count; ++c)
        add_scaled(a, k + 12 * c, y[c], rows);
    for (int c = 0; c < count; ++c)
        out[c] += eri_project(k + 12 * c + 6, a, 6);
}

ERI_LANES_DO(apply,
             (const eri_condensed *f, const eri_forest *tree, const eri_lanes *y, const eri_lanes *force, eri_lanes *Ay,
              eri_lanes *unsprung, eri_lanes *twist),
             (f, tree, y, force, Ay, unsprung, twist))
{
    eri_spatial pending[ERI_TREE_SLOTS];
    for (int i = tree->link_count - 1; i >= 0; --i) {
        const eri_forest_link *l = &tree->link[i];
        const double *k = f->data + f->at[i];
        eri_spatial p = {{{0}}};
        if (l->slot >= 0) p = pending[l->slot];
        int s = l->spring_count, z = l->freedom - s;
        const double *free = k + 12 * s;
        if (z > 0) {
            const double *inverse = k + 12 * l->freedom;
            eri_lanes u[6];
            for (int c = 0; c < z; ++c) {
                u[c] = eri_project(free + 12 * c, &p, 6);
                if (force != NULL) u[c] -= force[l->unsprung + c];
            }
            for (int c = 0; c < z; ++c) {
                eri_lanes e = inverse[c * z] * u[0];
                for (int d = 1; d < z; ++d)
                    e += inverse[c * z + d] * u[d];
                unsprung[l->unsprung + c] = e;
            }
            for (int c = 0; c < z; ++c)
                add_scaled(&p, free + 12 * c + 6, -u[c], 6);
        }
        if (l->turns && s == 3)
            springs_up(k, 3, 3, y + l->spring, &p, Ay + l->spring);
        else if (l->turns && s == 1)
            springs_up(k, 1, 3, y + l->spring, &p, Ay + l->spring);
        else
            springs_up(k, s, 6, y + l->spring, &p, Ay + l->spring);
        eri_hand_up(l, &p, pending);
    }
    for (int i = 0; i < tree->link_count; ++i) {
        const eri_forest_link *l = &tree->link[i];
        const double *k = f->data + f->at[i];
        eri_spatial a;
        eri_take_down(l, pending, &a);
        int s = l->spring_count, z = l->freedom - s;
        const double *free = k + 12 * s;
        if (l->turns && s == 3)
            springs_down(k, 3, 3, y + l->spring, &a, Ay + l->spring);
        else if (l->turns && s == 1)
            springs_down(k, 1, 3, y + l->spring, &a, Ay + l->spring);
        else
            springs_down(k, s, 6, y + l->spring, &a, Ay + l->spring);
        if (z > 0) {
            eri_lanes rate[6];
            for (int c = 0; c < z; ++c)
                rate[c] = -unsprung[l->unsprung + c] - eri_project(free + 12 * c + 6, &a, 6);
            for (int c = 0; c < z; ++c) {
                unsprung[l->unsprung + c] = rate[c];
                add_scaled(&a, free + 12 * c, rate[c], 6);
            }
        }
        if (l->slot >= 0) pending[l->slot] = a;
        if (twist != NULL) memcpy(twist + 6 * (size_t)i, a.x, sizeof a);
    }
}

void eri_condensed_apply(const eri_condensed *f, const eri_forest *tree, const eri_lanes *y, const eri_lanes *force,
                         eri_lanes *Ay, eri_lanes *unsprung, eri_lanes *twist)
{
    apply(f, tree, y, force, Ay, unsprung, twist);
}
