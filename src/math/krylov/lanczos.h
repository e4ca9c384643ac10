/// @file
/// Room `math`, krylov: eight Lanczos runs side by side, one a lane, each on a symmetric operator of its own.
///
/// The basis is kept orthogonal to 1e-10, so that every converged eigenvalue appears once: a run finds one vector of an
/// eigenspace, and what it found can be locked for the next run to stay clear of. The operator of a lane is B - 1:
/// locked vectors are at its eigenvalue 0, where B = (1 - sigma A)^-1 has what is far from the shift. Source: Golub &
/// Van Loan, Matrix Computations, 4th ed., 10.1 to 10.3; H. D. Simon, The Lanczos Algorithm with Partial
/// Reorthogonalization, Math. Comp. 42 (1984).
#ifndef ERI_MATH_KRYLOV_LANCZOS_H
#define ERI_MATH_KRYLOV_LANCZOS_H

#include "base/arena.h"
#include "base/lanes.h"

/// out = B x, each lane with its own B.   x and out never overlap.
typedef void eri_lanczos_product(void *self, const eri_lanes *x, eri_lanes *out);

typedef struct eri_lanczos {
    int rows;                     ///< of a vector; the caller may set fewer than there is memory for
    int most;                     ///< steps there is memory for
    int steps;                    ///< taken
    eri_lanes *V;                 ///< [(most + 1) x rows], the basis, one panel a step
    eri_lanes *alpha;             ///< [most], the tridiagonal projection: its diagonal
    eri_lanes *beta;              ///< [most], and beside it, beta[j] between steps j and j + 1
    int locked_count;             ///< set by the caller, as the next three; 0
    const double *locked;         ///< [rows x locked_count], column-major, orthonormal: every run stays clear of these
    eri_lanczos_product *product; ///< B
    void *self;                   ///< handed to it
    eri_lanes *work;              ///< private: [18 most]
    eri_lanes *loss[2];           ///< private: estimates of v[j] . v[k] for the last two vectors
    eri_lanes size;               ///< the largest |(B - 1) v| met: rounding of a product is eps times that
    bool again;                   ///< private: the next vector is cleared of all others too
} eri_lanczos;

/// Memory for runs of up to `most` steps.
er_result eri_lanczos_create(er_arena *arena, int rows, int most, eri_lanczos **out);

/// Begins anew from vectors that `seed` decides, the same on every machine. Set product, self and locked before.
void eri_lanczos_start(eri_lanczos *l, unsigned seed);

/// Takes one step; there must be memory for it. A lane whose space is exhausted goes on with zeros.
void eri_lanczos_step(eri_lanczos *l);

/// Eigenvalues of the projection, in no order, and how far each is from being one of B - 1: |(B - 1) y - value y|.
/// @param value     [steps], written
/// @param residual  [steps], written
/// @param vectors   [steps x steps], written, column-major: column i gives y = sum over j of V[j] vectors[j, i]
void eri_lanczos_ritz(const eri_lanczos *l, eri_lanes *value, eri_lanes *residual, eri_lanes *vectors);

/// Rows [first, first + count) of y = sum over j of V[j] weight[j], lane by lane, for up to four sets of weights at a
/// time.
/// @param weight  [sets], each [steps]
/// @param y       [sets x count], written
void eri_lanczos_combine(const eri_lanczos *l, int first, int count, int sets, const eri_lanes *const *weight,
                         eri_lanes *y);

#endif
