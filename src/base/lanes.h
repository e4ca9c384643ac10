/// @file
/// Eight numbers at a time: the vectors that the tree sweeps and the block Lanczos of large rigs carry together.
///
/// A panel of `rows` rows is an array of `rows` eri_lanes: eight vectors side by side, lane l the l-th. Static
/// functions made by ERI_LANES are compiled for several kinds of x86-64 and picked when they are called; elsewhere
/// plainly. (The choice's own symbol would be exported, were they not static.)
#ifndef ERI_BASE_LANES_H
#define ERI_BASE_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sanitizer.h"

enum { ERI_LANE_COUNT = 8 };

typedef double eri_lanes __attribute__((vector_size(64), aligned(64)));
typedef long long eri_mask __attribute__((vector_size(64))); ///< -1 where a comparison of lanes holds, else 0

/// For functions of a line or two: inlined everywhere.
#define ERI_LANES_SMALL static inline __attribute__((always_inline))

/// Inlined into each of its callers' kinds. Under sanitizers there is one kind, and compiling takes five times as long.
#if ERI_SANITIZED
#define ERI_LANES_INLINE static inline
#else
#define ERI_LANES_INLINE ERI_LANES_SMALL
#endif

/// A static function compiled for several kinds of x86-64, of which each call takes the widest that the processor has;
/// elsewhere, and under sanitizers, for one. Its body follows: ERI_LANES(double, dot, (int n, const double *x), (n, x))
/// {...} The parameters are pointers and numbers: lanes by value are passed otherwise by each kind.
#if defined(__x86_64__) && defined(__GNUC__) && !ERI_SANITIZED
#define ERI_LANES(type, name, parameters, arguments)                                                                   \
    ERI_LANES_SMALL type name##_lanes parameters;                                                                      \
    ERI_LANES_V4 static type name##_v4 parameters                                                                      \
    {                                                                                                                  \
        return name##_lanes arguments;                                                                                 \
    }                                                                                                                  \
    ERI_LANES_V3 static type name##_v3 parameters                                                                      \
    {                                                                                                                  \
        return name##_lanes arguments;                                                                                 \
    }                                                                                                                  \
    static type name##_v1 parameters                                                                                   \
    {                                                                                                                  \
        return name##_lanes arguments;                                                                                 \
    }                                                                                                                  \
    static inline type name parameters                                                                                 \
    {                                                                                                                  \
        int kind = eri_lanes_kind();                                                                                   \
        return kind == 4 ? name##_v4 arguments : kind == 3 ? name##_v3 arguments : name##_v1 arguments;                \
    }                                                                                                                  \
    ERI_LANES_SMALL type name##_lanes parameters
#define ERI_LANES_DO(name, parameters, arguments)                                                                      \
    ERI_LANES_SMALL void name##_lanes parameters;                                                                      \
    ERI_LANES_V4 static void name##_v4 parameters                                                                      \
    {                                                                                                                  \
        name##_lanes arguments;                                                                                        \
    }                                                                                                                  \
    ERI_LANES_V3 static void name##_v3 parameters                                                                      \
    {                                                                                                                  \
        name##_lanes arguments;                                                                                        \
    }                                                                                                                  \
    static void name##_v1 parameters                                                                                   \
    {                                                                                                                  \
        name##_lanes arguments;                                                                                        \
    }                                                                                                                  \
    static inline void name parameters                                                                                 \
    {                                                                                                                  \
        int kind = eri_lanes_kind();                                                                                   \
        (kind == 4 ? name##_v4 : kind == 3 ? name##_v3 : name##_v1) arguments;                                         \
    }                                                                                                                  \
    ERI_LANES_SMALL void name##_lanes parameters
#else
#define ERI_LANES(type, name, parameters, arguments) static type name parameters
#define ERI_LANES_DO(name, parameters, arguments) static void name parameters
#endif
#define ERI_LANES_V4 __attribute__((target("arch=x86-64-v4")))
#define ERI_LANES_V3 __attribute__((target("arch=x86-64-v3")))

/// The level of x86-64 (System V ABI, 3.1.1) that is taken: 4, 3 or 1. EIGENRIG_LANES=1|3 takes a lower one, for tests.
/// Threads: any.
int eri_lanes_kind(void);

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

/// The same of columns anywhere.
/// @param column  [count] of [rows]
void eri_lanes_gather_columns(int rows, int count, const double *const *column, eri_lanes *panel);

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
