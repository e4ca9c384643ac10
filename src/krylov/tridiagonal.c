// A sweep is a chain of square roots and quotients, each waiting for the one before; turning the columns of Z is long
// and waits for nothing. So the two are done at once: while some sweeps are found, those found before turn Z, a few
// rows of it at a time, which stay near the processor meanwhile.
#include "krylov/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { SWEEPS = ER_TRIDIAGONAL_WORK / 4, ROWS = 4 };

static const double tiny = 1e-140; // numbers of that size are 0: squares keep their digits above

// Turns of columns i and i + 1, i from `top` down to `low`, by turn[2 i] = cosine and turn[2 i + 1] = sine.
typedef struct sweep_turns {
    int top, low;
    er_lanes *turn; // [2 n]
} sweep_turns;

ER_LANES_INLINE er_lanes root(er_lanes x)
{
    for (int i = 0; i < ER_LANE_COUNT; ++i) // becomes one instruction
        x[i] = sqrt(x[i]);
    return x;
}

ER_LANES_INLINE er_mask negligible(const er_lanes *d, const er_lanes *e, int i)
{
    return er_lanes_magnitude(e[i]) <=
           DBL_EPSILON * (er_lanes_magnitude(d[i]) + er_lanes_magnitude(d[i + 1])) + 2.0 * tiny;
}

// Where each lane's unreduced block begins: past what has fallen off; n - 1 where all has. The least of them.
ER_LANES_INLINE int find_begin(int n, const er_lanes *d, const er_lanes *e, er_mask *first)
{
    long long low = n - 1;
    for (int k = 0; k < ER_LANE_COUNT; ++k) {
        long long i = (*first)[k];
        while (i + 1 < n && fabs(e[i][k]) <= DBL_EPSILON * (fabs(d[i][k]) + fabs(d[i + 1][k])) + 2.0 * tiny)
            ++i;
        (*first)[k] = i;
        low = i < low ? i : low;
    }
    return (int)low;
}

// And its last row. The last of them.
ER_LANES_INLINE int find_end(int n, int low, const er_lanes *d, const er_lanes *e, er_mask first, er_mask *end)
{
    er_mask last = (er_mask){0} + (n - 1);
    for (int i = n - 2; i >= low; --i) {
        er_mask here = (first <= i) & negligible(d, e, i);
        last = (here & ((er_mask){0} + i)) | (~here & last);
    }
    long long top = low;
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        top = last[k] > top ? last[k] : top;
    *end = last;
    return (int)top;
}

// Wilkinson's shift, from the first rows of the blocks, taken off their last diagonal entries.
ER_LANES_INLINE er_lanes begin_value(const er_lanes *d, const er_lanes *e, er_mask first, er_mask end, er_mask live)
{
    er_lanes one = (er_lanes){0} + 1.0, d0 = one, d1 = one, beside = one, last = one;
    for (int k = 0; k < ER_LANE_COUNT; ++k) {
        if (!live[k]) continue;
        d0[k] = d[first[k]][k];
        d1[k] = d[first[k] + 1][k];
        beside[k] = e[first[k]][k];
        last[k] = d[end[k]][k];
    }
    er_lanes half = (d1 - d0) / (2.0 * beside), far = root(half * half + 1.0);
    return last - d0 + beside / (half + er_lanes_choose(half < 0.0, -far, far)) + tiny;
}

// Some rows of Z by turns from `top` down to `low`.
ER_LANES_INLINE void turn_rows(int count, const er_lanes *turn, int top, int low, int stride, er_lanes *Z)
{
    er_lanes x[ROWS];
    for (int k = 0; k < count; ++k)
        x[k] = Z[(top + 1) * stride + k];
    for (int i = top; i >= low; --i) {
        er_lanes c = turn[2 * i], s = turn[2 * i + 1], *at = Z + i * stride;
        for (int k = 0; k < count; ++k) {
            er_lanes y = at[k];
            at[stride + k] = s * y + c * x[k];
            x[k] = c * y - s * x[k];
        }
    }
    for (int k = 0; k < count; ++k)
        Z[low * stride + k] = x[k];
}

// Sweeps on their way through Z: every one through some rows, then through the next.
typedef struct turner {
    int rows, step; // of Z; turns of a go
    er_lanes *Z;
    const sweep_turns *sweep; // [count]
    int count, at, row, top;
} turner;

ER_LANES_INLINE void hand_over(turner *t, const sweep_turns *sweep, int count)
{
    t->sweep = sweep;
    t->count = count;
    t->at = t->row = 0;
    t->top = sweep->top;
}

// One go, about as much work as the turn that the sweep under way finds meanwhile will make. False when all is done.
ER_LANES_INLINE bool turn_some(turner *t)
{
    if (t->count == 0 || t->row >= t->rows) return false;
    const sweep_turns *sweep = &t->sweep[t->at];
    int low = t->top - t->step > sweep->low ? t->top - t->step : sweep->low, left = t->rows - t->row;
    er_lanes *Z = t->Z + t->row;
    if (left >= ROWS)
        turn_rows(ROWS, sweep->turn, t->top, low, t->rows, Z);
    else if (left == 3)
        turn_rows(3, sweep->turn, t->top, low, t->rows, Z);
    else if (left == 2)
        turn_rows(2, sweep->turn, t->top, low, t->rows, Z);
    else
        turn_rows(1, sweep->turn, t->top, low, t->rows, Z);
    t->top = low - 1;
    if (low > sweep->low) return true;
    t->at = t->at + 1 < t->count ? t->at + 1 : 0;
    t->top = t->sweep[t->at].top;
    if (t->at == 0) t->row += ROWS;
    return true;
}

// What a sweep hands from row to row.
typedef struct chain {
    er_lanes s, c, p, g;
} chain;

// The turn of rows i and i + 1 in every lane. Where nothing is left to turn g is not 0 but tiny, for the cosine's sake.
ER_LANES_INLINE chain next_turn(chain last, er_lanes di, er_lanes above, er_lanes ei, er_lanes *r, er_lanes *under)
{
    chain next;
    er_lanes f = last.s * ei, b = last.c * ei, one = (er_lanes){0} + 1.0;
    *r = root(f * f + last.g * last.g);
    er_lanes inverse = one / *r;
    next.s = f * inverse;
    next.c = last.g * inverse;
    *under = above - last.p;
    er_lanes x = (di - *under) * next.s + 2.0 * b * next.c;
    next.p = next.s * x;
    next.g = next.c * x + (tiny - b);
    return next;
}

// One QL sweep of each lane's block, upwards from its last row to its first. What a lane does beyond its block is not
// written anywhere.
ER_LANES_INLINE void sweep(er_lanes *d, er_lanes *e, er_mask first, er_mask end, const sweep_turns *t, turner *former)
{
    er_mask live = first < end;
    er_lanes one = (er_lanes){0} + 1.0, zero = {0};
    chain at = {one, one, zero, begin_value(d, e, first, end, live)};
    const chain start = at;
    int last_begin = t->top;
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        if (live[k] && end[k] - 1 < last_begin) last_begin = (int)end[k] - 1;
    for (int i = t->top; i >= t->low; --i) {
        if (i < t->top && i >= last_begin) {
            er_mask begins = end == i + 1;
            at.s = er_lanes_choose(begins, start.s, at.s);
            at.c = er_lanes_choose(begins, start.c, at.c);
            at.p = er_lanes_choose(begins, start.p, at.p);
            at.g = er_lanes_choose(begins, start.g, at.g);
        }
        er_lanes r, under;
        at = next_turn(at, d[i], d[i + 1], e[i], &r, &under);
        er_mask inside = live & (end > i) & (first <= i), ends = inside & (first == i);
        e[i + 1] = er_lanes_choose(inside & (end > i + 1), r, e[i + 1]);
        d[i + 1] = er_lanes_choose(inside, under + at.p, d[i + 1]);
        d[i] = er_lanes_choose(ends, d[i] - at.p, d[i]);
        e[i] = er_lanes_choose(ends, at.g, e[i]);
        t->turn[2 * i] = er_lanes_choose(inside, at.c, one);
        t->turn[2 * i + 1] = er_lanes_choose(inside, at.s, zero);
        turn_some(former);
    }
}

ER_LANES static unsigned eigen(int n, er_lanes *d, er_lanes *e, int rows, er_lanes *Z, er_lanes *work)
{
    sweep_turns kept[2][SWEEPS];
    turner t = {.rows = rows, .step = (rows + ROWS - 1) / ROWS, .Z = Z};
    er_mask first = {0}, end = {0};
    int most = 30 * n, low = 0; // sweeps: more than any matrix is known to need
    for (int side = 0; low + 1 < n && most > 0; side = !side) {
        int count = 0;
        for (; count < SWEEPS && most > 0; ++count, --most) {
            sweep_turns *now = &kept[side][count];
            low = find_begin(n, d, e, &first);
            if (low + 1 >= n) break;
            *now = (sweep_turns){find_end(n, low, d, e, first, &end) - 1, low, work + 2 * n * (side * SWEEPS + count)};
            sweep(d, e, first, end, now, &t);
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
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        lost |= (unsigned)(first[k] + 1 < n) << k;
    return lost;
}

unsigned er_tridiagonal_eigen(int n, er_lanes *d, er_lanes *e, int rows, er_lanes *Z, er_lanes *work)
{
    return eigen(n, d, e, rows, Z, work);
}
