/// @file
/// Room `bench`, measuring: one rig on one route, in a process of its own so that its memory is its own.
#ifndef ERI_TOOLS_BENCH_MEASURE_H
#define ERI_TOOLS_BENCH_MEASURE_H

#include "tools/bench/bench.h"

/// What was measured.
typedef struct bench_measure {
    bool solved;
    double best, median; ///< s
    double peak;         ///< MiB, the largest resident size of the process, the rig and the program included
    int runs;            ///< that best and median are of
    int dof, count, rigid;
    double *hz;    ///< [count], the lowest modes'; owned
    char why[256]; ///< where it was not solved, or ""
} bench_measure;

/// Makes the rig, solves once to warm up, then at least three times and for half a second. A solve of more than five
/// seconds is not repeated; beyond the budget the process is ended.
/// @param once  solve once only, for the frequencies
/// @param out   written; bench_measure_free()
void bench_measure_case(const bench_def *def, bench_rig rig, int bodies, bench_route route, bool once,
                        bench_measure *out);

void bench_measure_free(bench_measure *m);

#endif
