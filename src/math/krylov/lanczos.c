// Lanczos runs, eight side by side, each on an operator of its own.
#include "math/krylov/lanczos.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/krylov/tridiagonal.h"

er_result eri_lanczos_create(er_arena *arena, int rows, int most, eri_lanczos **out)
{
    er_result r = ER_OK;
    eri_lanczos *l;
    size_t m = (size_t)most;
    ERI_TRY_NEW(l, arena, eri_lanczos, 1);
    l->rows = rows;
    l->most = most;
    ERI_TRY_RESERVE(l->V, arena, eri_lanes, (m + 1) * (size_t)rows);
    ERI_TRY_NEW(l->alpha, arena, eri_lanes, most);
    ERI_TRY_NEW(l->beta, arena, eri_lanes, most);
    ERI_TRY_NEW(l->work, arena, eri_lanes, (2 + ERI_TRIDIAGONAL_WORK) * m);
    for (int i = 0; i < 2; ++i)
        ERI_TRY_NEW(l->loss[i], arena, eri_lanes, most + 1);
    *out = l;
done:
    return r;
}

static eri_lanes *panel(const eri_lanczos *l, int j)
{
    return l->V + (size_t)j * (size_t)l->rows;
}

// h[k] = V[k] . w for four panels at once; w is read once.
ERI_LANES_DO(dot_four, (int rows, const eri_lanes *const V[4], const eri_lanes *w, eri_lanes h[4]), (rows, V, w, h))
{
    eri_lanes a = {0}, b = {0}, c = {0}, d = {0};
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
ERI_LANES_DO(subtract_four, (int rows, const eri_lanes *const V[4], const eri_lanes h[4], eri_lanes *w),
             (rows, V, h, w))
{
    eri_lanes a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < rows; ++i)
        w[i] -= V[0][i] * a + V[1][i] * b + V[2][i] * c + V[3][i] * d;
}

ERI_LANES_DO(dot_one, (int rows, const eri_lanes *x, const eri_lanes *y, eri_lanes *out), (rows, x, y, out))
{
    eri_lanes a = {0}, b = {0}, c = {0}, d = {0};
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
ERI_LANES_DO(clear_basis, (const eri_lanczos *l, int first, int last, eri_lanes *w, eri_lanes *h),
             (l, first, last, w, h))
{
    for (int pass = 0; pass < 2; ++pass) // all products first: classical Gram-Schmidt
        for (int j = first; j < last; j += 4) {
            const eri_lanes *four[4];
            eri_lanes g[4] = {{0}};
            int count = last - j < 4 ? last - j : 4;
            for (int k = 0; k < 4; ++k)
                four[k] = panel(l, k < count ? j + k : j);
            if (pass == 0)
                dot_four(l->rows, four, w, g);
            else
                memcpy(g, h + (j - first), (size_t)count * sizeof(eri_lanes));
            if (pass == 0)
                memcpy(h + (j - first), g, (size_t)count * sizeof(eri_lanes));
            else
                subtract_four(l->rows, four, g, w);
        }
}

// Takes the locked vectors out of every lane of w.
ERI_LANES_DO(clear_locked, (const eri_lanczos *l, eri_lanes *w), (l, w))
{
    for (int k = 0; k < l->locked_count; ++k) {
        const double *x = l->locked + (size_t)k * (size_t)l->rows;
        eri_lanes a = {0}, b = {0};
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
static void beta_of(const eri_lanes *square, const eri_lanes *whole, eri_lanes *beta)
{
    for (int k = 0; k < ERI_LANE_COUNT; ++k) {
        double norm = sqrt((*square)[k]);
        (*beta)[k] = norm > 10.0 * DBL_EPSILON * (*whole)[k] ? norm : 0.0;
    }
}

// w /= beta, 0 where beta is.
ERI_LANES_DO(scale, (int rows, eri_lanes *w, const eri_lanes *beta), (rows, w, beta))
{
    eri_lanes inverse = {0};
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
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

void eri_lanczos_start(eri_lanczos *l, unsigned seed)
{
    uint64_t state = seed;
    eri_lanes beta, square;
    for (int i = 0; i < l->rows; ++i)
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            l->V[i][k] = dice(&state);
    for (int pass = 0; pass < 2; ++pass)
        clear_locked(l, l->V);
    l->size = (eri_lanes){0};
    dot_one(l->rows, l->V, l->V, &square);
    beta_of(&square, &l->size, &beta);
    scale(l->rows, l->V, &beta);
    l->steps = 0;
    l->again = false;
    l->loss[1][0] = (eri_lanes){0} + 1.0;
}

// Bounds of |v[j + 1] . v[k]|, k < j, their loss of orthogonality: the recurrence of Simon (1984), with rounding at its
// worst. `whole` is the size of B.
ERI_LANES_DO(estimate_loss, (const eri_lanczos *l, int j, const eri_lanes *whole), (l, j, whole))
{
    eri_lanes *now = l->loss[1], *before = l->loss[0], inverse = {0}, noise;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        inverse[k] = l->beta[j][k] > 0.0 ? 1.0 / l->beta[j][k] : 0.0;
    noise = DBL_EPSILON * *whole * inverse;
    for (int k = 0; k < j; ++k) {
        eri_lanes sum = l->beta[k] * now[k + 1] + (l->alpha[k] - l->alpha[j]) * now[k] - l->beta[j - 1] * before[k];
        if (k > 0) sum += l->beta[k - 1] * now[k - 1];
        sum *= inverse;
        before[k] = sum + eri_lanes_choose(sum < 0.0, -noise, noise);
    }
    before[j] = noise;
    before[j + 1] = (eri_lanes){0} + 1.0;
}

ERI_LANES(bool, lost, (const eri_lanes *loss, int count), (loss, count))
{
    eri_lanes most = {0};
    double worst = 0.0;
    for (int k = 0; k < count; ++k)
        most = eri_lanes_larger(most, eri_lanes_magnitude(loss[k]));
    for (int i = 0; i < ERI_LANE_COUNT; ++i)
        worst = most[i] > worst ? most[i] : worst;
    return worst > 1e-10; // the square root of rounding would do for values, not for vectors
}

// w <- w - v, then removes the locked vectors. In this order B - 1 has the locked vectors at 0.
ERI_LANES_DO(deflate, (const eri_lanczos *l, const eri_lanes *v, eri_lanes *w), (l, v, w))
{
    for (int i = 0; i < l->rows; ++i)
        w[i] -= v[i];
    clear_locked(l, w);
}

// w <- w - share v - beta u, alpha = v . w
ERI_LANES_DO(take_former,
             (int rows, const eri_lanes *u, const eri_lanes *beta, double share, const eri_lanes *v, eri_lanes *w,
              eri_lanes *alpha),
             (rows, u, beta, share, v, w, alpha))
{
    eri_lanes b = *beta, sum = {0};
    for (int i = 0; i < rows; ++i) {
        eri_lanes x = w[i] - share * v[i] - b * u[i];
        w[i] = x;
        sum += v[i] * x;
    }
    *alpha = sum;
}

// w <- w - alpha v, square = w . w
ERI_LANES_DO(take_present, (int rows, const eri_lanes *v, const eri_lanes *alpha, eri_lanes *w, eri_lanes *square),
             (rows, v, alpha, w, square))
{
    eri_lanes a = *alpha, sum = {0};
    for (int i = 0; i < rows; ++i) {
        eri_lanes x = w[i] - a * v[i];
        w[i] = x;
        sum += x * x;
    }
    *square = sum;
}

void eri_lanczos_step(eri_lanczos *l)
{
    int j = l->steps;
    assert(j < l->most);
    eri_lanes *v = panel(l, j), *w = panel(l, j + 1), square, none = {0};
    l->product(l->self, v, w);
    if (l->locked_count > 0) deflate(l, v, w);
    take_former(l->rows, j > 0 ? panel(l, j - 1) : v, j > 0 ? &l->beta[j - 1] : &none, l->locked_count > 0 ? 0.0 : 1.0,
                v, w, &l->alpha[j]);
    take_present(l->rows, v, &l->alpha[j], w, &square);
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        l->size[k] = fmax(l->size[k], fabs(l->alpha[j][k]) + sqrt(square[k]));
    beta_of(&square, &l->size, &l->beta[j]);
    eri_lanes *loss = l->loss[0];
    estimate_loss(l, j, &l->size);
    bool again = lost(loss, j + 1);
    if (again || l->again) {
        for (bool less = true; less;) { // once more where it took much of w: Kahan's "twice is enough"
            eri_lanes before = square;
            clear_basis(l, 0, j + 1, w, l->work);
            l->alpha[j] += l->work[j];
            dot_one(l->rows, w, w, &square);
            less = false;
            for (int k = 0; k < ERI_LANE_COUNT; ++k)
                less |= square[k] < 0.5 * before[k] && sqrt(square[k]) > 10.0 * DBL_EPSILON * l->size[k];
        }
        beta_of(&square, &l->size, &l->beta[j]);
        for (int k = 0; k <= j; ++k)
            loss[k] = (eri_lanes){0} + DBL_EPSILON;
    }
    l->again = again; // the next vector hears of it through the recurrence, so it is cleared as well
    l->loss[0] = l->loss[1];
    l->loss[1] = loss;
    scale(l->rows, w, &l->beta[j]);
    ++l->steps;
}

void eri_lanczos_ritz(const eri_lanczos *l, eri_lanes *value, eri_lanes *residual, eri_lanes *vectors)
{
    int m = l->steps;
    assert(m >= 1 && m <= l->most);
    eri_lanes *e = l->work;
    memcpy(value, l->alpha, (size_t)m * sizeof(eri_lanes));
    memcpy(e, l->beta, (size_t)m * sizeof(eri_lanes));
    memset(vectors, 0, (size_t)m * (size_t)m * sizeof(eri_lanes));
    for (int i = 0; i < m; ++i)
        vectors[i * m + i] += 1.0;
    eri_tridiagonal_eigen(m, value, e, m, vectors, m, l->work + 2 * m);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            residual[i][k] = fabs(l->beta[m - 1][k] * vectors[i * m + m - 1][k]);
}

ERI_LANES_DO(add_panel, (const eri_lanes *v, int count, int sets, const eri_lanes *weight, eri_lanes *y),
             (v, count, sets, weight, y))
{
    for (int k = 0; k < sets; ++k)
        for (int i = 0; i < count; ++i)
            y[k * count + i] += v[i] * weight[k];
}

void eri_lanczos_combine(const eri_lanczos *l, int first, int count, int sets, const eri_lanes *const *weight,
                         eri_lanes *y)
{
    assert(first >= 0 && first + count <= l->rows && sets <= 4);
    memset(y, 0, (size_t)(sets * count) * sizeof *y);
    for (int j = 0; j < l->steps; ++j) {
        eri_lanes w[4];
        for (int k = 0; k < sets; ++k)
            w[k] = weight[k][j];
        add_panel(panel(l, j) + first, count, sets, w, y);
    }
}
