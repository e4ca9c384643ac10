/// @file
/// Room `bench`, rivals: the modes of a rig by LAPACK on dense matrices, for comparison with er_modal_solve(). Nothing
/// here is used by the library.
#ifndef ERI_TOOLS_BENCH_RIVALS_H
#define ERI_TOOLS_BENCH_RIVALS_H

#include <eigenrig/model.h>

/// The method. All eigenpairs are solved for, and the lowest become shapes.
typedef enum bench_rival {
    BENCH_SOURCE, ///< dgesdd of G with all of V, N its null space, dsygvd of (N'R'KRN, N'MN); loops too
    BENCH_DSYGVD, ///< inertia in joint coordinates by composite rigid bodies, dsygvd of (K, M)
    BENCH_DSYEVD  ///< the same inertia with the root condensed out and scaled by K^-1/2, dsyevd of that one matrix
} bench_rival;

/// The lowest modes, rigid ones first, scaled so that eta' M eta = 1.
typedef struct bench_shapes {
    int count;
    int dof;         ///< all modes of the rig
    int rigid;       ///< rigid modes of the rig; their frequencies are 0 up to rounding, which a pencil leaves in them
    double *hz;      ///< [count], ascending
    double *body;    ///< [6 n x count], column-major: twists as er_mode.body
    double *joint;   ///< [coordinate_count x count]: as er_mode.joint
    const char *why; ///< static: the reason of a failure
} bench_shapes;

/// Solves.
/// @param model  every joint coordinate with a spring; without loops but for BENCH_SOURCE
/// @param count  lowest modes wanted, rigid ones counted, >= 1; more than there are is clamped
/// @param out    written; bench_shapes_free() after success and failure alike
/// Errors   ER_ERROR_RIG (another kind of rig, no motion), ER_ERROR_NOT_POSDEF, ER_ERROR_NO_CONVERGENCE,
/// ER_ERROR_MEMORY Memory   malloc.   Threads: one call per context at a time. Source   Featherstone, Rigid Body
/// Dynamics Algorithms, 6.2 (composite rigid bodies); docs/theory.md 4 and 5.
er_result bench_rival_solve(er_context *context, const er_model *model, bench_rival rival, int count,
                            bench_shapes *out);

void bench_shapes_free(bench_shapes *shapes);

#endif
