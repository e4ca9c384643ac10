#include "krylov/tridiagonal.h"

#include <float.h>
#include <math.h>

ER_LANES_INLINE er_lanes root(er_lanes x)
{
    for (int i = 0; i < ER_LANE_COUNT; ++i) // becomes one instruction
        x[i] = sqrt(x[i]);
    return x;
}

ER_LANES_INLINE int any(er_mask m)
{
    long long all = 0;
    for (int i = 0; i < ER_LANE_COUNT; ++i)
        all |= m[i];
    return all != 0;
}

ER_LANES_INLINE er_mask negligible(const er_lanes *d, const er_lanes *e, int i)
{
    return er_lanes_magnitude(e[i]) <= DBL_EPSILON * (er_lanes_magnitude(d[i]) + er_lanes_magnitude(d[i + 1]));
}

// One QL sweep of the unreduced block that begins at `first`, in each `live` lane from its own block's end upwards.
ER_LANES_INLINE void sweep(int first, int n, er_mask live, er_lanes *d, er_lanes *e, int rows, er_lanes *Z)
{
    er_lanes one = (er_lanes){0} + 1.0, zero = {0}, last = d[n - 1];
    er_mask end = (er_mask){0} + (n - 1), open = live; // the block's last row; lanes that have not met it yet
    for (int i = first; i + 1 < n && any(open); ++i) {
        er_mask here = open & negligible(d, e, i);
        last = er_lanes_choose(here, d[i], last);
        end = (here & ((er_mask){0} + i)) | (~here & end);
        open &= ~here;
    }
    er_lanes beside = er_lanes_choose(live, e[first], one);
    er_lanes half = (d[first + 1] - d[first]) / (2.0 * beside), far = root(half * half + 1.0);
    er_lanes begin = last - d[first] + beside / (half + er_lanes_choose(half < 0.0, -far, far));
    er_lanes s = one, c = one, p = zero, g = begin;
    for (int i = n - 2; i >= first; --i) {
        er_mask inside = live & (end > i), begins = live & (end == i + 1);
        s = er_lanes_choose(begins, one, s);
        c = er_lanes_choose(begins, one, c);
        p = er_lanes_choose(begins, zero, p);
        g = er_lanes_choose(begins, begin, g);
        er_lanes f = s * e[i], b = c * e[i], r2 = f * f + g * g, r = root(r2);
        er_mask turns = inside & (r2 > 0.0);
        er_lanes inverse = one / er_lanes_choose(turns, r, one);
        if (i + 2 < n) e[i + 1] = er_lanes_choose(inside & ~begins, r, e[i + 1]);
        s = er_lanes_choose(turns, f * inverse, zero);
        c = er_lanes_choose(turns, g * inverse, one);
        er_lanes under = d[i + 1] - p, t = (d[i] - under) * s + 2.0 * c * b;
        p = er_lanes_choose(inside, s * t, p);
        d[i + 1] = er_lanes_choose(inside, under + p, d[i + 1]);
        g = er_lanes_choose(inside, c * t - b, g);
        for (int k = 0; k < rows; ++k) {
            er_lanes x = Z[(i + 1) * rows + k], y = Z[i * rows + k];
            Z[(i + 1) * rows + k] = s * y + c * x;
            Z[i * rows + k] = c * y - s * x;
        }
    }
    d[first] = er_lanes_choose(live, d[first] - p, d[first]);
    e[first] = er_lanes_choose(live, g, e[first]);
}

ER_LANES static void eigen(int n, er_lanes *d, er_lanes *e, int rows, er_lanes *Z)
{
    for (int first = 0; first + 1 < n; ++first)
        for (int turn = 0; turn < 60; ++turn) { // 30 are more than any matrix is known to need
            er_mask live = ~negligible(d, e, first);
            if (!any(live)) break;
            sweep(first, n, live, d, e, rows, Z);
        }
}

void er_tridiagonal_eigen(int n, er_lanes *d, er_lanes *e, int rows, er_lanes *Z)
{
    eigen(n, d, e, rows, Z);
}
