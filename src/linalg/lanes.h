/// @file
/// Eight numbers at a time: the vectors that the tree sweeps and the block Lanczos of large rigs carry together.
///
/// A panel of `rows` rows is an array of `rows` er_lanes: eight vectors side by side, lane l the l-th. Functions marked
/// ER_LANES are compiled for several kinds of x86-64 and picked when the program starts; elsewhere plainly.
#ifndef ER_LINALG_LANES_H
#define ER_LINALG_LANES_H

enum { ER_LANE_COUNT = 8 };

typedef double er_lanes __attribute__((vector_size(64), aligned(64)));
typedef long long er_mask __attribute__((vector_size(64))); ///< -1 where a comparison of lanes holds, else 0

// The sanitizers' runtime is not up yet when the choice would be made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ER_LANES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ER_LANES
#endif

/// Inlined into each of its callers' kinds.
#define ER_LANES_INLINE static inline __attribute__((always_inline))

ER_LANES_INLINE er_lanes er_lanes_choose(er_mask m, er_lanes yes, er_lanes no)
{
    return (er_lanes)((m & (er_mask)yes) | (~m & (er_mask)no));
}

ER_LANES_INLINE er_lanes er_lanes_larger(er_lanes a, er_lanes b)
{
    return er_lanes_choose(a > b, a, b);
}

ER_LANES_INLINE er_lanes er_lanes_magnitude(er_lanes x)
{
    return er_lanes_larger(x, -x);
}

#endif
