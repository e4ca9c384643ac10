// Lanczos runs, eight side by side, each on an operator of its own.
#include "math/krylov/lanczos.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/krylov/tridiagonal.h"

er_result er_lanczos_create(er_arena *arena, int rows, int most, er_lanczos **out)
{
    er_result r = ER_OK;
    er_lanczos *l;
    size_t m = (size_t)most;
    ER_TRY_NEW(l, arena, er_lanczos, 1);
    l->rows = rows;
    l->most = most;
    ER_TRY_RESERVE(l->V, arena, er_lanes, (m + 1) * (size_t)rows);
    ER_TRY_NEW(l->alpha, arena, er_lanes, most);
    ER_TRY_NEW(l->beta, arena, er_lanes, most);
    ER_TRY_NEW(l->work, arena, er_lanes, (2 + ER_TRIDIAGONAL_WORK) * m);
    for (int i = 0; i < 2; ++i)
        ER_TRY_NEW(l->loss[i], arena, er_lanes, most + 1);
    *out = l;
done:
    return r;
}

static er_lanes *panel(const er_lanczos *l, int j)
{
    return l->V + (size_t)j * (size_t)l->rows;
}

// h[k] = V[k] . w for four panels at once; w is read once.
ER_LANES static void dot_four(int rows, const er_lanes *const V[4], const er_lanes *w, er_lanes h[4])
{
    er_lanes a = {0}, b = {0}, c = {0}, d = {0};
    for (int i = 0; i < rows; ++i) {
        a += V[0][i] * w[i];
        b += V[1][i] * w[i];
        c += V[2][i] * w[i];
        d += V[3][i] * w[i];
    }
    h[0] = a;
    h[1] = b;
    h[2] = c;
    h[3] = d;
}

// w -= sum over four of V[k] h[k]
ER_LANES static void subtract_four(int rows, const er_lanes *const V[4], const er_lanes h[4], er_lanes *w)
{
    er_lanes a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < rows; ++i)
        w[i] -= V[0][i] * a + V[1][i] * b + V[2][i] * c + V[3][i] * d;
}

ER_LANES static void dot_one(int rows, const er_lanes *x, const er_lanes *y, er_lanes *out)
{
    er_lanes a = {0}, b = {0}, c = {0}, d = {0};
    int i = 0;
    for (; i + 3 < rows; i += 4) {
        a += x[i] * y[i];
        b += x[i + 1] * y[i + 1];
        c += x[i + 2] * y[i + 2];
        d += x[i + 3] * y[i + 3];
    }
    for (; i < rows; ++i)
        a += x[i] * y[i];
    *out = (a + b) + (c + d);
}

// Takes out of w what it has of V[first .. last), and returns that in h.
ER_LANES static void clear_basis(const er_lanczos *l, int first, int last, er_lanes *w, er_lanes *h)
{
    for (int pass = 0; pass < 2; ++pass) // all products first: classical Gram-Schmidt
        for (int j = first; j < last; j += 4) {
            const er_lanes *four[4];
            er_lanes g[4] = {{0}};
            int count = last - j < 4 ? last - j : 4;
            for (int k = 0; k < 4; ++k)
                four[k] = panel(l, k < count ? j + k : j);
            if (pass == 0)
                dot_four(l->rows, four, w, g);
            else
                memcpy(g, h + (j - first), (size_t)count * sizeof(er_lanes));
            if (pass == 0)
                memcpy(h + (j - first), g, (size_t)count * sizeof(er_lanes));
            else
                subtract_four(l->rows, four, g, w);
        }
}

// Takes the locked vectors out of every lane of w.
ER_LANES static void clear_locked(const er_lanczos *l, er_lanes *w)
{
    for (int k = 0; k < l->locked_count; ++k) {
        const double *x = l->locked + (size_t)k * (size_t)l->rows;
        er_lanes a = {0}, b = {0};
        int i = 0;
        for (; i + 1 < l->rows; i += 2) {
            a += x[i] * w[i];
            b += x[i + 1] * w[i + 1];
        }
        if (i < l->rows) a += x[i] * w[i];
        a += b;
        for (i = 0; i < l->rows; ++i)
            w[i] -= x[i] * a;
    }
}

// beta = |w|, or 0 where w is nothing but rounding beside `whole`.
static void beta_of(const er_lanes *square, const er_lanes *whole, er_lanes *beta)
{
    for (int k = 0; k < ER_LANE_COUNT; ++k) {
        double norm = sqrt((*square)[k]);
        (*beta)[k] = norm > 10.0 * DBL_EPSILON * (*whole)[k] ? norm : 0.0;
    }
}

// w /= beta, 0 where beta is.
ER_LANES static void scale(int rows, er_lanes *w, const er_lanes *beta)
{
    er_lanes inverse = {0};
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        inverse[k] = (*beta)[k] > 0.0 ? 1.0 / (*beta)[k] : 0.0;
    for (int i = 0; i < rows; ++i)
        w[i] *= inverse;
}

// Splitmix64 of Steele, Lea & Flood (2014), as a number in [-1, 1).
static double dice(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

void er_lanczos_start(er_lanczos *l, unsigned seed)
{
    uint64_t state = seed;
    er_lanes beta, square;
    for (int i = 0; i < l->rows; ++i)
        for (int k = 0; k < ER_LANE_COUNT; ++k)
            l->V[i][k] = dice(&state);
    for (int pass = 0; pass < 2; ++pass)
        clear_locked(l, l->V);
    l->size = (er_lanes){0};
    dot_one(l->rows, l->V, l->V, &square);
    beta_of(&square, &l->size, &beta);
    scale(l->rows, l->V, &beta);
    l->steps = 0;
    l->again = false;
    l->loss[1][0] = (er_lanes){0} + 1.0;
}

// Bounds of |v[j + 1] . v[k]|, k < j, their loss of orthogonality: the recurrence of Simon (1984), with rounding at its
// worst. `whole` is the size of B.
ER_LANES static void estimate_loss(const er_lanczos *l, int j, const er_lanes *whole)
{
    er_lanes *now = l->loss[1], *before = l->loss[0], inverse = {0}, noise;
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        inverse[k] = l->beta[j][k] > 0.0 ? 1.0 / l->beta[j][k] : 0.0;
    noise = DBL_EPSILON * *whole * inverse;
    for (int k = 0; k < j; ++k) {
        er_lanes sum = l->beta[k] * now[k + 1] + (l->alpha[k] - l->alpha[j]) * now[k] - l->beta[j - 1] * before[k];
        if (k > 0) sum += l->beta[k - 1] * now[k - 1];
        sum *= inverse;
        before[k] = sum + er_lanes_choose(sum < 0.0, -noise, noise);
    }
    before[j] = noise;
    before[j + 1] = (er_lanes){0} + 1.0;
}

ER_LANES static bool lost(const er_lanes *loss, int count)
{
    er_lanes most = {0};
    double worst = 0.0;
    for (int k = 0; k < count; ++k)
        most = er_lanes_larger(most, er_lanes_magnitude(loss[k]));
    for (int i = 0; i < ER_LANE_COUNT; ++i)
        worst = most[i] > worst ? most[i] : worst;
    return worst > 1e-10; // the square root of rounding would do for values, not for vectors
}

// w <- w - v, and what is locked out of it: in this order, so that B - 1 has the locked vectors at 0.
ER_LANES static void deflate(const er_lanczos *l, const er_lanes *v, er_lanes *w)
{
    for (int i = 0; i < l->rows; ++i)
        w[i] -= v[i];
    clear_locked(l, w);
}

// w <- w - share v - beta u, alpha = v . w
ER_LANES static void take_former(int rows, const er_lanes *u, const er_lanes *beta, double share, const er_lanes *v,
                                 er_lanes *w, er_lanes *alpha)
{
    er_lanes b = *beta, sum = {0};
    for (int i = 0; i < rows; ++i) {
        er_lanes x = w[i] - share * v[i] - b * u[i];
        w[i] = x;
        sum += v[i] * x;
    }
    *alpha = sum;
}

// w <- w - alpha v, square = w . w
ER_LANES static void take_present(int rows, const er_lanes *v, const er_lanes *alpha, er_lanes *w, er_lanes *square)
{
    er_lanes a = *alpha, sum = {0};
    for (int i = 0; i < rows; ++i) {
        er_lanes x = w[i] - a * v[i];
        w[i] = x;
        sum += x * x;
    }
    *square = sum;
}

void er_lanczos_step(er_lanczos *l)
{
    int j = l->steps;
    assert(j < l->most);
    er_lanes *v = panel(l, j), *w = panel(l, j + 1), square, none = {0};
    l->product(l->self, v, w);
    if (l->locked_count > 0) deflate(l, v, w);
    take_former(l->rows, j > 0 ? panel(l, j - 1) : v, j > 0 ? &l->beta[j - 1] : &none, l->locked_count > 0 ? 0.0 : 1.0,
                v, w, &l->alpha[j]);
    take_present(l->rows, v, &l->alpha[j], w, &square);
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        l->size[k] = fmax(l->size[k], fabs(l->alpha[j][k]) + sqrt(square[k]));
    beta_of(&square, &l->size, &l->beta[j]);
    er_lanes *loss = l->loss[0];
    estimate_loss(l, j, &l->size);
    bool again = lost(loss, j + 1);
    if (again || l->again) {
        for (bool less = true; less;) { // once more where it took much of w: Kahan's "twice is enough"
            er_lanes before = square;
            clear_basis(l, 0, j + 1, w, l->work);
            l->alpha[j] += l->work[j];
            dot_one(l->rows, w, w, &square);
            less = false;
            for (int k = 0; k < ER_LANE_COUNT; ++k)
                less |= square[k] < 0.5 * before[k] && sqrt(square[k]) > 10.0 * DBL_EPSILON * l->size[k];
        }
        beta_of(&square, &l->size, &l->beta[j]);
        for (int k = 0; k <= j; ++k)
            loss[k] = (er_lanes){0} + DBL_EPSILON;
    }
    l->again = again; // the next vector hears of it through the recurrence, so it is cleared as well
    l->loss[0] = l->loss[1];
    l->loss[1] = loss;
    scale(l->rows, w, &l->beta[j]);
    ++l->steps;
}

void er_lanczos_ritz(const er_lanczos *l, er_lanes *value, er_lanes *residual, er_lanes *vectors)
{
    int m = l->steps;
    assert(m >= 1 && m <= l->most);
    er_lanes *e = l->work;
    memcpy(value, l->alpha, (size_t)m * sizeof(er_lanes));
    memcpy(e, l->beta, (size_t)m * sizeof(er_lanes));
    memset(vectors, 0, (size_t)m * (size_t)m * sizeof(er_lanes));
    for (int i = 0; i < m; ++i)
        vectors[i * m + i] += 1.0;
    er_tridiagonal_eigen(m, value, e, m, vectors, m, l->work + 2 * m);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < ER_LANE_COUNT; ++k)
            residual[i][k] = fabs(l->beta[m - 1][k] * vectors[i * m + m - 1][k]);
}

ER_LANES static void add_panel(const er_lanes *v, int count, int sets, const er_lanes *weight, er_lanes *y)
{
    for (int k = 0; k < sets; ++k)
        for (int i = 0; i < count; ++i)
            y[k * count + i] += v[i] * weight[k];
}

void er_lanczos_combine(const er_lanczos *l, int first, int count, int sets, const er_lanes *const *weight, er_lanes *y)
{
    assert(first >= 0 && first + count <= l->rows && sets <= 4);
    memset(y, 0, (size_t)(sets * count) * sizeof *y);
    for (int j = 0; j < l->steps; ++j) {
        er_lanes w[4];
        for (int k = 0; k < sets; ++k)
            w[k] = weight[k][j];
        add_panel(panel(l, j) + first, count, sets, w, y);
    }
}
