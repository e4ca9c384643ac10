// Eigenpairs of eight symmetric tridiagonal matrices side by side, by implicit QL.
// A sweep is a chain of square roots and quotients, each waiting for the one before; turning the columns of Z is long
// and waits for nothing. So the two are done at once: while some sweeps are found, those found before turn Z, a few
// rows of it at a time, which stay near the processor meanwhile.
#include "math/krylov/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { SWEEPS = ERI_TRIDIAGONAL_WORK / 4, ROWS = 4 };

static const double tiny = 1e-140; // numbers of that size are 0: squares keep their digits above

// Turns of columns i and i + 1, i from `top` down to `low`, by turn[2 i] = cosine and turn[2 i + 1] = sine.
typedef struct sweep_turns {
    int top, low;
    eri_lanes *turn; // [2 n]
} sweep_turns;

ERI_LANES_INLINE eri_lanes root(eri_lanes x)
{
    for (int i = 0; i < ERI_LANE_COUNT; ++i) // becomes one instruction
        x[i] = sqrt(x[i]);
    return x;
}

ERI_LANES_INLINE eri_lanes every(double x)
{
    return (eri_lanes){0} + x;
}

// Entries of e below this count as 0.
ERI_LANES_INLINE eri_lanes negligible(const eri_lanes *d, int i)
{
    return DBL_EPSILON * (eri_lanes_magnitude(d[i]) + eri_lanes_magnitude(d[i + 1])) + 2.0 * tiny;
}

// Finds where each lane's unreduced block begins, past the eigenvalues that have converged; n if all have. Returns the
// least.
ERI_LANES_INLINE int find_begin(int n, const eri_lanes *d, const eri_lanes *e, eri_lanes *first)
{
    int low = n;
    for (int k = 0; k < ERI_LANE_COUNT; ++k) {
        int i = (int)(*first)[k];
        while (i + 1 < n && fabs(e[i][k]) <= DBL_EPSILON * (fabs(d[i][k]) + fabs(d[i + 1][k])) + 2.0 * tiny)
            ++i;
        i = i + 1 < n ? i : n;
        (*first)[k] = i;
        low = i < low ? i : low;
    }
    return low;
}

// And its last row. The last of them.
ERI_LANES_INLINE int find_end(int n, int low, const eri_lanes *d, const eri_lanes *e, eri_lanes first, eri_lanes *end)
{
    eri_lanes last = every(n - 1);
    for (int i = n - 2; i >= low; --i) {
        eri_mask here =
            eri_lanes_below(first, every(i + 0.5)) & eri_lanes_below(eri_lanes_magnitude(e[i]), negligible(d, i));
        last = eri_lanes_choose(here, every(i), last);
    }
    int top = low;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        top = first[k] < n && last[k] > top ? (int)last[k] : top;
    *end = last;
    return top;
}

// Wilkinson's shift, from the first rows of the blocks, taken off their last diagonal entries.
ERI_LANES_INLINE eri_lanes begin_value(int n, const eri_lanes *d, const eri_lanes *e, eri_lanes first, eri_lanes end)
{
    eri_lanes one = every(1.0), d0 = one, d1 = one, beside = one, last = one;
    for (int k = 0; k < ERI_LANE_COUNT; ++k) {
        int i = (int)first[k];
        if (i == n) continue;
        d0[k] = d[i][k];
        d1[k] = d[i + 1][k];
        beside[k] = e[i][k];
        last[k] = d[(int)end[k]][k];
    }
    eri_lanes half = (d1 - d0) / (2.0 * beside), far = root(half * half + 1.0);
    return last - d0 + beside / (half + eri_lanes_choose(half < 0.0, -far, far)) + tiny;
}

// Some rows of Z by turns from `top` down to `low`.
ERI_LANES_INLINE void turn_rows(int count, const eri_lanes *turn, int top, int low, int stride, eri_lanes *Z)
{
    eri_lanes x[2 * ROWS];
    for (int k = 0; k < count; ++k)
        x[k] = Z[(top + 1) * stride + k];
    for (int i = top; i >= low; --i) {
        eri_lanes c = turn[2 * i], s = turn[2 * i + 1], *at = Z + i * stride;
        for (int k = 0; k < count; ++k) {
            eri_lanes y = at[k];
            at[stride + k] = s * y + c * x[k];
            x[k] = c * y - s * x[k];
        }
    }
    for (int k = 0; k < count; ++k)
        Z[low * stride + k] = x[k];
}

// Sweeps on their way through Z: every one through some rows, then through the next.
typedef struct turner {
    int rows, stride, step; // of Z; turns of a go
    eri_lanes *Z;
    const sweep_turns *sweep; // [count]
    int count, at, row, top;
} turner;

ERI_LANES_INLINE void hand_over(turner *t, const sweep_turns *sweep, int count)
{
    t->sweep = sweep;
    t->count = count;
    t->at = t->row = 0;
    t->top = sweep->top;
}

// One go, about as much work as the turn that the sweep under way finds meanwhile will make. False when all is done.
ERI_LANES_INLINE bool turn_some(turner *t)
{
    if (t->count == 0 || t->row >= t->rows) return false;
    const sweep_turns *sweep = &t->sweep[t->at];
    int low = t->top - t->step > sweep->low ? t->top - t->step : sweep->low, left = t->rows - t->row;
    eri_lanes *Z = t->Z + t->row;
    switch (left) { // the last rows go together, since few at a time wait for each other
    case 1:
        turn_rows(1, sweep->turn, t->top, low, t->stride, Z);
        break;
    case 2:
        turn_rows(2, sweep->turn, t->top, low, t->stride, Z);
        break;
    case 3:
        turn_rows(3, sweep->turn, t->top, low, t->stride, Z);
        break;
    case 5:
        turn_rows(5, sweep->turn, t->top, low, t->stride, Z);
        break;
    case 6:
        turn_rows(6, sweep->turn, t->top, low, t->stride, Z);
        break;
    case 7:
        turn_rows(7, sweep->turn, t->top, low, t->stride, Z);
        break;
    default:
        turn_rows(ROWS, sweep->turn, t->top, low, t->stride, Z);
    }
    t->top = low - 1;
    if (low > sweep->low) return true;
    t->at = t->at + 1 < t->count ? t->at + 1 : 0;
    t->top = t->sweep[t->at].top;
    if (t->at == 0) t->row += left < 2 * ROWS ? left : ROWS;
    return true;
}

// The state that a sweep hands from row to row.
typedef struct chain {
    eri_lanes s, c, p, g;
} chain;

// The turn of rows i and i + 1 in every lane. Where nothing is left to turn g is not 0 but tiny, for the cosine's sake.
ERI_LANES_INLINE chain next_turn(chain last, eri_lanes di, eri_lanes above, eri_lanes ei, eri_lanes *r,
                                 eri_lanes *under)
{
    chain next;
    eri_lanes f = last.s * ei, b = last.c * ei, one = every(1.0);
    *r = root(f * f + last.g * last.g);
    eri_lanes inverse = one / *r;
    next.s = f * inverse;
    next.c = last.g * inverse;
    *under = above - last.p;
    eri_lanes x = (di - *under) * next.s + 2.0 * b * next.c;
    next.p = next.s * x;
    next.g = next.c * x + (tiny - b);
    return next;
}

// One QL sweep of each lane's block, upwards from its last row to its first. Results of a lane beyond its block are not
// stored.
ERI_LANES_INLINE void sweep(int n, eri_lanes *d, eri_lanes *e, eri_lanes first, eri_lanes end, const sweep_turns *t,
                            turner *former)
{
    eri_lanes one = every(1.0), zero = {0};
    chain at = {one, one, zero, begin_value(n, d, e, first, end)};
    const chain start = at;
    int last_begin = t->top;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        if (first[k] < n && end[k] <= last_begin) last_begin = (int)end[k] - 1;
    for (int i = t->top; i >= t->low; --i) {
        eri_lanes r, under, here = every(i + 0.5), next = every(i + 1.5);
        eri_mask above_end = eri_lanes_below(here, end);
        if (i < t->top && i >= last_begin) {
            eri_mask begins = above_end & eri_lanes_below(end, next);
            at.s = eri_lanes_choose(begins, start.s, at.s);
            at.c = eri_lanes_choose(begins, start.c, at.c);
            at.p = eri_lanes_choose(begins, start.p, at.p);
            at.g = eri_lanes_choose(begins, start.g, at.g);
        }
        at = next_turn(at, d[i], d[i + 1], e[i], &r, &under);
        eri_mask inside = above_end & eri_lanes_below(first, here);
        eri_mask ends = inside & eri_lanes_below(every(i - 0.5), first);
        e[i + 1] = eri_lanes_choose(inside & eri_lanes_below(next, end), r, e[i + 1]);
        d[i + 1] = eri_lanes_choose(inside, under + at.p, d[i + 1]);
        d[i] = eri_lanes_choose(ends, d[i] - at.p, d[i]);
        e[i] = eri_lanes_choose(ends, at.g, e[i]);
        t->turn[2 * i] = eri_lanes_choose(inside, at.c, one);
        t->turn[2 * i + 1] = eri_lanes_choose(inside, at.s, zero);
        turn_some(former);
    }
}

ERI_LANES(unsigned, eigen, (int n, eri_lanes *d, eri_lanes *e, int rows, eri_lanes *Z, int stride, eri_lanes *work),
          (n, d, e, rows, Z, stride, work))
{
    sweep_turns kept[2][SWEEPS];
    turner t = {.rows = rows, .stride = stride, .step = (rows + ROWS - 1) / ROWS, .Z = Z};
    eri_lanes first = {0}, end = {0};
    int most = 30 * n, low = 0; // sweeps: more than any matrix is known to need
    for (int side = 0; low < n && most > 0; side = !side) {
        int count = 0;
        for (; count < SWEEPS && most > 0; ++count, --most) {
            sweep_turns *now = &kept[side][count];
            low = find_begin(n, d, e, &first);
            if (low == n) break;
            *now = (sweep_turns){find_end(n, low, d, e, first, &end) - 1, low, work + 2 * n * (side * SWEEPS + count)};
            sweep(n, d, e, first, end, now, &t);
        }
        while (turn_some(&t))
            continue;
        if (count > 0)
            hand_over(&t, kept[side], count);
        else
            t.count = 0;
    }
    while (turn_some(&t))
        continue;
    unsigned lost = 0;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        lost |= (unsigned)(first[k] < n) << k;
    return lost;
}

unsigned eri_tridiagonal_eigen(int n, eri_lanes *d, eri_lanes *e, int rows, eri_lanes *Z, int stride, eri_lanes *work)
{
    return eigen(n, d, e, rows, Z, stride, work);
}
