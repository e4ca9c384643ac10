/// @file
/// Eight numbers at a time: the vectors that the tree sweeps and the block Lanczos of large rigs carry together.
///
/// A panel of `rows` rows is an array of `rows` eri_lanes: eight vectors side by side, lane l the l-th. Static
/// functions marked ERI_LANES are compiled for several kinds of x86-64 and picked when the program starts; elsewhere
/// plainly. (The choice's own symbol would be exported, were they not static.)
#ifndef ERI_BASE_LANES_H
#define ERI_BASE_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sanitizer.h"

enum { ERI_LANE_COUNT = 8 };

typedef double eri_lanes __attribute__((vector_size(64), aligned(64)));
typedef long long eri_mask __attribute__((vector_size(64))); ///< -1 where a comparison of lanes holds, else 0

// The sanitizers' runtime is not up yet when the choice would be made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define ERI_LANES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ERI_LANES
#endif

/// For functions of a line or two: inlined everywhere.
#define ERI_LANES_SMALL static inline __attribute__((always_inline))

/// Inlined into each of its callers' kinds. Under sanitizers there is one kind, and compiling takes five times as long.
#if ERI_SANITIZED
#define ERI_LANES_INLINE static inline
#else
#define ERI_LANES_INLINE ERI_LANES_SMALL
#endif

ERI_LANES_SMALL eri_lanes eri_lanes_choose(eri_mask m, eri_lanes yes, eri_lanes no)
{
    return (eri_lanes)((m & (eri_mask)yes) | (~m & (eri_mask)no));
}

/// a < b, by the sign of the difference: GCC takes a comparison whose mask is kept apart, lane by lane. No sense where
/// the difference is NaN.
ERI_LANES_SMALL eri_mask eri_lanes_below(eri_lanes a, eri_lanes b)
{
    return (eri_mask)(a - b) >> 63;
}

ERI_LANES_SMALL eri_lanes eri_lanes_larger(eri_lanes a, eri_lanes b)
{
    return eri_lanes_choose(eri_lanes_below(a, b), b, a);
}

ERI_LANES_SMALL eri_lanes eri_lanes_magnitude(eri_lanes x)
{
    return (eri_lanes)((eri_mask)x & 0x7fffffffffffffff);
}

/// Eight numbers of an array that is not aligned.
typedef double eri_lanes_loose __attribute__((vector_size(64), aligned(8)));

/// Columns of a matrix side by side as a panel, lanes past `count` 0; and back.
/// @param columns  [count], `stride` apart
/// @param panel    [rows]
void eri_lanes_gather(int rows, int count, const double *columns, int stride, eri_lanes *panel);
void eri_lanes_scatter(int rows, int count, const eri_lanes *panel, double *columns, int stride);

ERI_LANES_SMALL double eri_lanes_sum(eri_lanes x)
{
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

/// The largest magnitude of an array; 0 of an empty one.
ERI_LANES_SMALL double eri_lanes_largest(const double *x, int count)
{
    eri_lanes most = {0};
    int i = 0;
    for (; i + ERI_LANE_COUNT <= count; i += ERI_LANE_COUNT)
        most = eri_lanes_larger(most, eri_lanes_magnitude(*(const eri_lanes_loose *)(x + i)));
    double largest = 0.0;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        largest = most[k] > largest ? most[k] : largest;
    for (; i < count; ++i) {
        double size = x[i] < 0.0 ? -x[i] : x[i];
        largest = size > largest ? size : largest;
    }
    return largest;
}

/// The same in single precision.
typedef float eri_lanesf __attribute__((vector_size(32), aligned(32)));
typedef int eri_maskf __attribute__((vector_size(32), aligned(32)));

ERI_LANES_SMALL eri_lanesf eri_lanesf_splat(float x)
{
    const eri_lanesf zero = {0};
    return zero + x;
}

ERI_LANES_SMALL eri_lanesf eri_lanesf_choose(eri_maskf m, eri_lanesf yes, eri_lanesf no)
{
    return (eri_lanesf)((m & (eri_maskf)yes) | (~m & (eri_maskf)no));
}

ERI_LANES_SMALL eri_lanesf eri_lanesf_larger(eri_lanesf a, eri_lanesf b)
{
    eri_lanesf out;
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        out[l] = a[l] > b[l] ? a[l] : b[l];
    return out;
}

ERI_LANES_SMALL eri_lanesf eri_lanesf_smaller(eri_lanesf a, eri_lanesf b)
{
    eri_lanesf out;
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        out[l] = a[l] < b[l] ? a[l] : b[l];
    return out;
}

ERI_LANES_SMALL eri_lanesf eri_lanesf_magnitude(eri_lanesf x)
{
    return (eri_lanesf)((eri_maskf)x & 0x7fffffff);
}

ERI_LANES_SMALL eri_lanesf eri_lanesf_root(eri_lanesf x)
{
    eri_lanesf out;
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        out[l] = __builtin_sqrtf(x[l]);
    return out;
}

ERI_LANES_SMALL bool eri_lanesf_any(eri_maskf m)
{
    int bits = 0;
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        bits |= m[l];
    return bits != 0;
}

#endif
