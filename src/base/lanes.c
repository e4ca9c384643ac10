// Columns of a matrix to panels of eight lanes and back, by transposing blocks of 8 x 8.
#include "base/lanes.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/platform.h"

static int widest(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    // Processors with these have the rest of their level.
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma")) return 1;
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
               ? 4
               : 3;
#else
    return 1;
#endif
}

int eri_lanes_kind(void)
{
    static atomic_int kind; // 0: not looked at yet
    int known = atomic_load_explicit(&kind, memory_order_relaxed);
    if (known != 0) return known;
    const char *wanted = eri_platform_trusted_variable("EIGENRIG_LANES");
    int most = wanted != NULL && (wanted[0] == '1' || wanted[0] == '3') && wanted[1] == '\0' ? wanted[0] - '0' : 4;
    known = widest() < most ? widest() : most;
    atomic_store_explicit(&kind, known, memory_order_relaxed);
    return known;
}

// Exchanges x[i][k] and x[k][i]: blocks of 1, 2 and 4 across the diagonal.
ERI_LANES_INLINE void transpose(eri_lanes x[ERI_LANE_COUNT])
{
#pragma GCC unroll 8
    for (int i = 0; i < 8; i += 2) {
        eri_lanes a = x[i], b = x[i + 1];
        x[i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        x[i + 1] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; i += i % 2 == 0 ? 1 : 3) {
        eri_lanes a = x[i], b = x[i + 2];
        x[i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        x[i + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 4; ++i) {
        eri_lanes a = x[i], b = x[i + 4];
        x[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        x[i + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Eight columns stay in registers; loads of fewer go through memory.
ERI_LANES_INLINE void gather_block(const double *const *column, int count, int i, eri_lanes *panel)
{
    eri_lanes x[ERI_LANE_COUNT];
    if (count == ERI_LANE_COUNT) {
#pragma GCC unroll 8
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            x[k] = *(const eri_lanes_loose *)(column[k] + i);
    } else {
#pragma GCC unroll 8
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            x[k] = k < count ? *(const eri_lanes_loose *)(column[k] + i) : (eri_lanes_loose){0};
    }
    transpose(x);
#pragma GCC unroll 8
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        panel[i + k] = x[k];
}

ERI_LANES_DO(gather, (int rows, int count, const double *const *column, eri_lanes *panel), (rows, count, column, panel))
{
    int i = 0;
    for (; i + ERI_LANE_COUNT <= rows; i += ERI_LANE_COUNT)
        gather_block(column, count, i, panel);
    for (; i < rows; ++i) {
        eri_lanes x = {0};
        for (int k = 0; k < count; ++k)
            x[k] = column[k][i];
        panel[i] = x;
    }
}

void eri_lanes_gather_columns(int rows, int count, const double *const *column, eri_lanes *panel)
{
    assert(count <= ERI_LANE_COUNT);
    gather(rows, count, column, panel);
}

void eri_lanes_gather(int rows, int count, const double *columns, int stride, eri_lanes *panel)
{
    assert(count <= ERI_LANE_COUNT && (count <= 1 || rows <= stride));
    const double *column[ERI_LANE_COUNT];
    for (int k = 0; k < count; ++k)
        column[k] = columns + (size_t)k * (size_t)stride;
    gather(rows, count, column, panel);
}

ERI_LANES_DO(scatter, (int rows, int count, const eri_lanes *panel, double *columns, size_t stride),
             (rows, count, panel, columns, stride))
{
    int i = 0;
    for (; i + ERI_LANE_COUNT <= rows; i += ERI_LANE_COUNT) {
        eri_lanes x[ERI_LANE_COUNT];
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            x[k] = panel[i + k];
        transpose(x);
        for (int k = 0; k < count; ++k)
            *(eri_lanes_loose *)(columns + (size_t)k * stride + (size_t)i) = x[k];
    }
    for (; i < rows; ++i)
        for (int k = 0; k < count; ++k)
            columns[(size_t)k * stride + (size_t)i] = panel[i][k];
}

void eri_lanes_scatter(int rows, int count, const eri_lanes *panel, double *columns, int stride)
{
    assert(count <= ERI_LANE_COUNT && (count <= 1 || rows <= stride));
    scatter(rows, count, panel, columns, (size_t)stride);
}
