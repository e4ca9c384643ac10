/// @file
/// Eight numbers at a time: the vectors that the tree sweeps and the block Lanczos of large rigs carry together.
///
/// A panel of `rows` rows is an array of `rows` er_lanes: eight vectors side by side, lane l the l-th. Static functions
/// marked ER_LANES are compiled for several kinds of x86-64 and picked when the program starts; elsewhere plainly. (The
/// choice's own symbol would be exported, were they not static.)
#ifndef ER_BASE_LANES_H
#define ER_BASE_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sanitizer.h"

enum { ER_LANE_COUNT = 8 };

typedef double er_lanes __attribute__((vector_size(64), aligned(64)));
typedef long long er_mask __attribute__((vector_size(64))); ///< -1 where a comparison of lanes holds, else 0

// The sanitizers' runtime is not up yet when the choice would be made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define ER_LANES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ER_LANES
#endif

/// Of a line or two: inlined everywhere.
#define ER_LANES_SMALL static inline __attribute__((always_inline))

/// Inlined into each of its callers' kinds. Under sanitizers there is one kind, and compiling takes five times as long.
#if ER_SANITIZED
#define ER_LANES_INLINE static inline
#else
#define ER_LANES_INLINE ER_LANES_SMALL
#endif

ER_LANES_SMALL er_lanes er_lanes_choose(er_mask m, er_lanes yes, er_lanes no)
{
    return (er_lanes)((m & (er_mask)yes) | (~m & (er_mask)no));
}

/// a < b, by the sign of the difference: GCC takes a comparison whose mask is kept apart, lane by lane. No sense where
/// the difference is NaN.
ER_LANES_SMALL er_mask er_lanes_below(er_lanes a, er_lanes b)
{
    return (er_mask)(a - b) >> 63;
}

ER_LANES_SMALL er_lanes er_lanes_larger(er_lanes a, er_lanes b)
{
    return er_lanes_choose(er_lanes_below(a, b), b, a);
}

ER_LANES_SMALL er_lanes er_lanes_magnitude(er_lanes x)
{
    return (er_lanes)((er_mask)x & 0x7fffffffffffffff);
}

/// Eight numbers of an array that is not aligned.
typedef double er_lanes_loose __attribute__((vector_size(64), aligned(8)));

/// Columns of a matrix side by side as a panel, lanes past `count` 0; and back.
/// @param columns  [count], `stride` apart
/// @param panel    [rows]
void er_lanes_gather(int rows, int count, const double *columns, int stride, er_lanes *panel);
void er_lanes_scatter(int rows, int count, const er_lanes *panel, double *columns, int stride);

ER_LANES_SMALL double er_lanes_sum(er_lanes x)
{
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

/// The largest magnitude of an array; 0 of an empty one.
ER_LANES_SMALL double er_lanes_largest(const double *x, int count)
{
    er_lanes most = {0};
    int i = 0;
    for (; i + ER_LANE_COUNT <= count; i += ER_LANE_COUNT)
        most = er_lanes_larger(most, er_lanes_magnitude(*(const er_lanes_loose *)(x + i)));
    double largest = 0.0;
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        largest = most[k] > largest ? most[k] : largest;
    for (; i < count; ++i) {
        double size = x[i] < 0.0 ? -x[i] : x[i];
        largest = size > largest ? size : largest;
    }
    return largest;
}

/// The same in single precision.
typedef float er_lanesf __attribute__((vector_size(32), aligned(32)));
typedef int er_maskf __attribute__((vector_size(32), aligned(32)));

ER_LANES_SMALL er_lanesf er_lanesf_splat(float x)
{
    const er_lanesf zero = {0};
    return zero + x;
}

ER_LANES_SMALL er_lanesf er_lanesf_choose(er_maskf m, er_lanesf yes, er_lanesf no)
{
    return (er_lanesf)((m & (er_maskf)yes) | (~m & (er_maskf)no));
}

ER_LANES_SMALL er_lanesf er_lanesf_larger(er_lanesf a, er_lanesf b)
{
    er_lanesf out;
    for (int l = 0; l < ER_LANE_COUNT; ++l)
        out[l] = a[l] > b[l] ? a[l] : b[l];
    return out;
}

ER_LANES_SMALL er_lanesf er_lanesf_smaller(er_lanesf a, er_lanesf b)
{
    er_lanesf out;
    for (int l = 0; l < ER_LANE_COUNT; ++l)
        out[l] = a[l] < b[l] ? a[l] : b[l];
    return out;
}

ER_LANES_SMALL er_lanesf er_lanesf_magnitude(er_lanesf x)
{
    return (er_lanesf)((er_maskf)x & 0x7fffffff);
}

ER_LANES_SMALL er_lanesf er_lanesf_root(er_lanesf x)
{
    er_lanesf out;
    for (int l = 0; l < ER_LANE_COUNT; ++l)
        out[l] = __builtin_sqrtf(x[l]);
    return out;
}

ER_LANES_SMALL bool er_lanesf_any(er_maskf m)
{
    int bits = 0;
    for (int l = 0; l < ER_LANE_COUNT; ++l)
        bits |= m[l];
    return bits != 0;
}

#endif
