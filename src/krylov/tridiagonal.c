#include "krylov/tridiagonal.h"

#include <float.h>
#include <math.h>

typedef long long mask __attribute__((vector_size(64)));

ER_LANES_INLINE er_lanes choose(mask m, er_lanes yes, er_lanes no)
{
    return (er_lanes)((m & (mask)yes) | (~m & (mask)no));
}

ER_LANES_INLINE er_lanes root(er_lanes x)
{
    for (int i = 0; i < ER_LANE_COUNT; ++i) // becomes one instruction
        x[i] = sqrt(x[i]);
    return x;
}

ER_LANES_INLINE er_lanes magnitude(er_lanes x)
{
    return choose(x < 0.0, -x, x);
}

ER_LANES_INLINE int any(mask m)
{
    long long all = 0;
    for (int i = 0; i < ER_LANE_COUNT; ++i)
        all |= m[i];
    return all != 0;
}

ER_LANES_INLINE mask negligible(const er_lanes *d, const er_lanes *e, int i)
{
    return magnitude(e[i]) <= DBL_EPSILON * (magnitude(d[i]) + magnitude(d[i + 1]));
}

// One QL sweep of the unreduced block that begins at `first`, in each `live` lane from its own block's end upwards.
ER_LANES_INLINE void sweep(int first, int n, mask live, er_lanes *d, er_lanes *e, int rows, er_lanes *Z)
{
    er_lanes one = (er_lanes){0} + 1.0, zero = {0}, last = d[n - 1];
    mask end = (mask){0} + (n - 1), open = live; // the block's last row; lanes that have not met it yet
    for (int i = first; i + 1 < n && any(open); ++i) {
        mask here = open & negligible(d, e, i);
        last = choose(here, d[i], last);
        end = (here & ((mask){0} + i)) | (~here & end);
        open &= ~here;
    }
    er_lanes beside = choose(live, e[first], one);
    er_lanes half = (d[first + 1] - d[first]) / (2.0 * beside), far = root(half * half + 1.0);
    er_lanes begin = last - d[first] + beside / (half + choose(half < 0.0, -far, far));
    er_lanes s = one, c = one, p = zero, g = begin;
    for (int i = n - 2; i >= first; --i) {
        mask inside = live & (end > i), begins = live & (end == i + 1);
        s = choose(begins, one, s);
        c = choose(begins, one, c);
        p = choose(begins, zero, p);
        g = choose(begins, begin, g);
        er_lanes f = s * e[i], b = c * e[i], r2 = f * f + g * g, r = root(r2);
        mask turns = inside & (r2 > 0.0);
        er_lanes inverse = one / choose(turns, r, one);
        if (i + 2 < n) e[i + 1] = choose(inside & ~begins, r, e[i + 1]);
        s = choose(turns, f * inverse, zero);
        c = choose(turns, g * inverse, one);
        er_lanes under = d[i + 1] - p, t = (d[i] - under) * s + 2.0 * c * b;
        p = choose(inside, s * t, p);
        d[i + 1] = choose(inside, under + p, d[i + 1]);
        g = choose(inside, c * t - b, g);
        for (int k = 0; k < rows; ++k) {
            er_lanes x = Z[(i + 1) * rows + k], y = Z[i * rows + k];
            Z[(i + 1) * rows + k] = s * y + c * x;
            Z[i * rows + k] = c * y - s * x;
        }
    }
    d[first] = choose(live, d[first] - p, d[first]);
    e[first] = choose(live, g, e[first]);
}

ER_LANES void er_tridiagonal_eigen(int n, er_lanes *d, er_lanes *e, int rows, er_lanes *Z)
{
    for (int first = 0; first + 1 < n; ++first)
        for (int turn = 0; turn < 60; ++turn) { // 30 are more than any matrix is known to need
            mask live = ~negligible(d, e, first);
            if (!any(live)) break;
            sweep(first, n, live, d, e, rows, Z);
        }
}
