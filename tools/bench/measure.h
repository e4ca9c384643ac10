/// @file
/// Room `bench`: measures one rig on one route, in a process of its own so that the memory is that of the rig.
#ifndef ERI_TOOLS_BENCH_MEASURE_H
#define ERI_TOOLS_BENCH_MEASURE_H

#include "tools/bench/bench.h"

/// The measurement of a case.
typedef struct bench_measure {
    bool solved;
    double best, median; ///< s
    double peak;         ///< MiB, the largest resident size of the process, the rig and the program included
    int runs;            ///< of the runs that best and median come from
    int dof, count, rigid;
    double *hz;    ///< [count], the lowest modes'; owned
    char why[256]; ///< the reason if it was not solved, or ""
} bench_measure;

/// Makes the rig, solves once to warm up, then at least three times and for half a second. A solve of more than five
/// seconds is not repeated. The process is ended when the budget is used up.
/// @param once  solve once only, for the frequencies
/// @param out   written; bench_measure_free()
void bench_measure_case(const bench_def *def, bench_rig rig, int bodies, bench_route route, bool once,
                        bench_measure *out);

void bench_measure_free(bench_measure *m);

#endif
