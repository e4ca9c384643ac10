// Eigenvalues and vectors of a symmetric matrix of three diagonals: torn in two, each half solved, joined again.
#include "math/own/divide_and_conquer.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "math/own/own.h"

enum { SMALL = 24 }; // rows that are not torn further

typedef struct node {
    int n, stride;
    double *d, *e; // [n] diagonal, then eigenvalues; [n - 1] beside it
    double *Q;     // n x n, its columns `stride` apart: the vectors
    double *work;  // 2 n^2 + 5 n
    int *order;    // [n]: ascending
    int *integers; // [3 n]
} node;

static double *column(const node *t, int j)
{
    return t->Q + (size_t)j * (size_t)t->stride;
}

// One implicit QL step (GVL 8.3, from below) on the rows [l, m], with the shift of Wilkinson.
static void ql_step(const node *t, int l, int m)
{
    double *d = t->d, *e = t->e, g = (d[l + 1] - d[l]) / (2.0 * e[l]), r = hypot(g, 1.0);
    double s = 1.0, c = 1.0, p = 0.0;
    g = d[m] - d[l] + e[l] / (g + copysign(r, g));
    for (int i = m - 1; i >= l; --i) {
        double f = s * e[i], b = c * e[i];
        r = sqrt(f * f + g * g); // the whole matrix is near 1 in size
        if (i + 1 < m) e[i + 1] = r;
        if (r == 0.0) { // the matrix fell apart on the way
            d[i + 1] -= p;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2.0 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        eri_own_turn(t->n, column(t, i), column(t, i + 1), c, s);
    }
    d[l] -= p;
    e[l] = g;
}

static bool solve_small(const node *t)
{
    enum { STEPS = 60 }; // for each eigenvalue; two do
    for (int j = 0; j < t->n; ++j) {
        memset(column(t, j), 0, (size_t)t->n * sizeof(double));
        column(t, j)[j] = 1.0;
    }
    for (int l = 0; l < t->n; ++l)
        for (int step = 0;; ++step) {
            int m = l;
            while (m + 1 < t->n && fabs(t->e[m]) > DBL_EPSILON * 0.5 * (fabs(t->d[m]) + fabs(t->d[m + 1])))
                ++m;
            if (m == l) break;
            if (step == STEPS) return false;
            ql_step(t, l, m);
        }
    for (int j = 0; j < t->n; ++j) {
        int at = j;
        for (; at > 0 && t->d[t->order[at - 1]] > t->d[j]; --at)
            t->order[at] = t->order[at - 1];
        t->order[at] = j;
    }
    return true;
}

// The roots of f(x) = 1 / rho + sum z_k^2 / (d_k - x) are the eigenvalues of D + rho z z', one right of each d_k.
typedef struct secular {
    int count;
    double inverse; // 1 / rho
    const double *d, *square;
} secular;

// Terms of f, their sizes and slopes at `origin` + x.
typedef struct terms {
    double sum, slope;
} terms;

ERI_LANES(terms, add_terms, (int count, const double *d, const double *square, double origin, double x),
          (count, d, square, origin, x))
{
    eri_lanes sum = {0}, slope = {0};
    int k = 0;
    for (; k + ERI_LANE_COUNT <= count; k += ERI_LANE_COUNT) {
        eri_lanes away = (*(const eri_lanes_loose *)(d + k) - origin) - x;
        eri_lanes term = *(const eri_lanes_loose *)(square + k) / away;
        sum += term;
        slope += term / away;
    }
    terms t = {eri_lanes_sum(sum), eri_lanes_sum(slope)};
    for (; k < count; ++k) {
        double away = (d[k] - origin) - x, term = square[k] / away;
        t.sum += term;
        t.slope += term / away;
    }
    return t;
}

typedef struct secular_value {
    double f, slack;    // the value, and how much of it may be rounding
    double left, right; // slopes of the terms up to and past the split
} secular_value;

static secular_value look(const secular *s, int split, double origin, double x)
{
    terms left = add_terms(split, s->d, s->square, origin, x);
    terms right = add_terms(s->count - split, s->d + split, s->square + split, origin, x);
    return (secular_value){.f = s->inverse + left.sum + right.sum,
                           .slack = DBL_EPSILON * (8.0 * (fabs(left.sum) + fabs(right.sum)) + s->inverse +
                                                   fabs(x) * (left.slope + right.slope)),
                           .left = left.slope,
                           .right = right.slope};
}

// The step to the root of c + p / (P - x) + q / (Q - x) that has the value and both slopes (Li, LAPACK Working Note
// 89).
static double rational_step(const secular_value *at, double P, double Q, bool last)
{
    double c = at->f - P * at->left - Q * at->right, slope = at->left + at->right;
    double a = (P + Q) * at->f - P * Q * slope, b = P * Q * at->f, root = sqrt(fabs(a * a - 4.0 * b * c));
    double step = last == (a >= 0.0) ? (a + (last ? root : -root)) / (2.0 * c) : 2.0 * b / (a - (last ? root : -root));
    return at->f * step < 0.0 ? step : -at->f / slope;
}

// Root j, right of d_j, told from the nearer of the two that it lies between.
static double find_root(const secular *s, int j, double *origin)
{
    enum { STEPS = 100 };
    const double *d = s->d;
    bool last = j == s->count - 1;
    double low = 0.0, high, x;
    int split = last ? j : j + 1;
    *origin = d[j];
    if (last) {
        high = 0.0;
        for (int k = 0; k < s->count; ++k)
            high += s->square[k];
        high /= s->inverse;
        x = 0.5 * high;
    } else {
        double half = 0.5 * (d[j + 1] - d[j]);
        high = x = half;
        if (look(s, split, d[j], half).f < 0.0) {
            *origin = d[j + 1];
            low = x = -half;
            high = 0.0;
        }
    }
    for (int step = 0; step < STEPS; ++step) {
        secular_value at = look(s, split, *origin, x);
        if (fabs(at.f) <= at.slack) break;
        if (at.f < 0.0)
            low = x;
        else
            high = x;
        double next = x, P = (d[split - 1] - *origin) - x, Q = (d[split] - *origin) - x;
        next += rational_step(&at, P, Q, last);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == x || next == low || next == high) break;
        x = next;
    }
    return x;
}

enum kind { TOP, MIXED, BOTTOM }; // which rows of a vector are not zero

typedef struct merge {
    const node *t;
    int half, kept, taken; // rows above; columns that take part, and those that do not
    double rho, *z;        // z z' rho is what was torn off
    int *kind, *column;    // [n]; [n] those that take part from the front, the others from the back
} merge;

// Columns whose z is nothing, and one of two whose eigenvalues are one, are vectors already.
static void deflate(merge *m)
{
    const node *t = m->t;
    double largest = 0.0, *d = t->d, *z = m->z;
    for (int i = 0; i < t->n; ++i)
        largest = fmax(largest, fmax(fabs(d[i]), fabs(z[i])));
    double tol = 8.0 * DBL_EPSILON * largest;
    int before = -1;
    m->kept = m->taken = 0;
    for (int k = 0; k < t->n; ++k) {
        int i = t->order[k];
        if (m->rho * fabs(z[i]) <= tol) {
            m->column[t->n - ++m->taken] = i;
            continue;
        }
        if (before >= 0) {
            double size = hypot(z[i], z[before]), c = z[i] / size, s = z[before] / size;
            if (fabs((d[i] - d[before]) * c * s) > tol) {
                m->column[m->kept++] = before;
            } else {
                double x = d[before], y = d[i];
                eri_own_turn(t->n, column(t, before), column(t, i), c, s);
                z[i] = size;
                d[before] = x * c * c + y * s * s;
                d[i] = x * s * s + y * c * c;
                if (m->kind[i] != m->kind[before]) m->kind[i] = MIXED;
                m->column[t->n - ++m->taken] = before;
            }
        }
        before = i;
    }
    if (before >= 0) m->column[m->kept++] = before;
}

// product_k *= w_k / (d_k - d_j), the factor of d_j itself being w_j.
ERI_LANES_DO(multiply_in, (int count, int j, const double *d, const double *w, double *product),
             (count, j, d, w, product))
{
    double kept = product[j] * w[j];
    for (int k = 0; k < count; ++k)
        product[k] *= w[k] / (d[k] - d[j]);
    product[j] = kept;
}

ERI_LANES_DO(divide, (int count, const double *restrict z, double *restrict w), (count, z, w))
{
    for (int k = 0; k < count; ++k)
        w[k] = z[k] / w[k];
}

// Columns of W from d_k - root_j to the vectors of D + rho z z', for the z that has just these roots (Gu & Eisenstat).
static void inner_vectors(int count, const double *d, double *z, double *product, double *W)
{
    for (int k = 0; k < count; ++k)
        product[k] = 1.0;
    for (int j = 0; j < count; ++j)
        multiply_in(count, j, d, W + (size_t)j * (size_t)count, product);
    for (int k = 0; k < count; ++k)
        z[k] = copysign(sqrt(fabs(product[k])), z[k]);
    for (int j = 0; j < count; ++j) {
        double *w = W + (size_t)j * (size_t)count;
        divide(count, z, w);
        double size = sqrt(eri_own_dot(count, w, w));
        for (int k = 0; k < count; ++k)
            w[k] /= size;
    }
}

// Roots and inner vectors of the columns that take part.
static void solve_inner(const merge *m, double *root, double *W)
{
    int count = m->kept;
    double *d = m->z + m->t->n, *z = d + count, *square = z + count;
    for (int k = 0; k < count; ++k) {
        d[k] = m->t->d[m->column[k]];
        z[k] = m->z[m->column[k]];
        square[k] = z[k] * z[k];
    }
    secular s = {count, 1.0 / m->rho, d, square};
    for (int j = 0; j < count; ++j) {
        double origin = d[j], x = count > 1 ? find_root(&s, j, &origin) : m->rho * square[0];
        double *w = W + (size_t)j * (size_t)count;
        for (int k = 0; k < count; ++k)
            w[k] = (d[k] - origin) - x;
        root[j] = origin + x;
    }
    inner_vectors(count, d, z, square, W);
}

static void copy(int n, double *to, const double *from)
{
    memcpy(to, from, (size_t)n * sizeof(double));
}

// Q <- Q W for the vectors that take part, which come first; the others follow. Halves that are zero are left out.
static void join(const merge *m, double *W, double *G)
{
    const node *t = m->t;
    int n = t->n, count = m->kept, half = m->half, at = 0, end[3], *row = t->integers + 2 * n;
    double *entry = m->z + n;
    for (int kind = TOP; kind <= BOTTOM; end[kind++] = at)
        for (int k = 0; k < count; ++k)
            if (m->kind[m->column[k]] == kind) row[at++] = k;
    for (int k = 0; k < n; ++k)
        copy(n, G + (size_t)k * (size_t)n, column(t, m->column[k < count ? row[k] : k]));
    for (int j = 0; j < count; ++j) {
        double *w = W + (size_t)j * (size_t)count;
        copy(count, entry, w);
        for (int k = 0; k < count; ++k)
            w[k] = entry[row[k]];
    }
    for (int j = 0; j < count; ++j)
        memset(column(t, j), 0, (size_t)n * sizeof(double));
    eri_own_multiply(false, false, half, count, end[MIXED], 1.0, G, n, W, count, t->Q, t->stride);
    eri_own_multiply(false, false, n - half, count, count - end[TOP], 1.0, G + half + (size_t)end[TOP] * (size_t)n, n,
                     W + end[TOP], count, t->Q + half, t->stride);
    for (int k = count; k < n; ++k)
        copy(n, column(t, k), G + (size_t)k * (size_t)n);
}

// The order of a row of eigenvalues that ascend but for the last ones.
static void sort(int n, const double *d, int *order)
{
    for (int j = 0; j < n; ++j) {
        int low = 0, high = j; // where it belongs among those before
        while (low < high) {
            int middle = (low + high) / 2;
            if (d[order[middle]] <= d[j])
                low = middle + 1;
            else
                high = middle;
        }
        memmove(order + low + 1, order + low, (size_t)(j - low) * sizeof *order);
        order[low] = j;
    }
}

static void join_halves(const node *t, int half, double torn)
{
    int n = t->n;
    double *z = t->work, *W = z + 5 * n, *G = W + (size_t)n * (size_t)n;
    merge m = {.t = t, .half = half, .rho = 2.0 * fabs(torn), .z = z, .kind = t->integers, .column = t->integers + n};
    for (int j = 0; j < n; ++j) {
        m.kind[j] = j < half ? TOP : BOTTOM;
        z[j] = sqrt(0.5) * (j < half ? column(t, j)[half - 1] : copysign(1.0, torn) * column(t, j)[half]);
    }
    sort(n, t->d, t->order);
    deflate(&m);
    if (m.kept > 0) solve_inner(&m, z + 4 * n, W);
    double *d = z + n; // in the new order
    join(&m, W, G);
    for (int k = 0; k < n; ++k)
        d[k] = k < m.kept ? z[4 * n + k] : t->d[m.column[k]];
    copy(n, t->d, d);
    sort(n, t->d, t->order);
}

static bool solve(const node *t)
{
    if (t->n <= SMALL) return solve_small(t);
    int half = t->n / 2;
    double torn = t->e[half - 1];
    t->d[half - 1] -= fabs(torn);
    t->d[half] -= fabs(torn);
    node top = *t, bottom = *t;
    top.n = half;
    bottom.n = t->n - half;
    bottom.d += half;
    bottom.e += half;
    bottom.Q += (size_t)half * (size_t)(t->stride + 1);
    if (!solve(&top) || !solve(&bottom)) return false;
    for (int j = 0; j < t->n; ++j) // each half's rows hold nothing of the other
        memset(column(t, j) + (j < half ? half : 0), 0, (size_t)(j < half ? t->n - half : half) * sizeof(double));
    join_halves(t, half, torn);
    return true;
}

size_t eri_own_tridiagonal_work(int n)
{
    return 2 * (size_t)n * (size_t)n + 5 * (size_t)n;
}

bool eri_own_tridiagonal(int n, double *d, double *e, double *Q, int stride, double *work, int *integers)
{
    node t = {n, stride, d, e, Q, work, integers, integers + n};
    return solve(&t);
}
