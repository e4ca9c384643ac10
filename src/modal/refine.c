// Elastic shapes refined until they are orthonormal and diagonalise A.
#include <math.h>
#include <string.h>

#include "modal/reduced.h"

// A Y, in the memory that joint entries will take. Rounding has moved columns of Y off the closed shapes, so they
// are projected first.
ERI_LANES(eri_matrix, apply_to_shapes, (eri_reduced * s), (s))
{
    int N = s->rows;
    eri_matrix AY = {N, s->elastic, s->joint.a};
    for (int first = 0; first < s->elastic; first += ERI_LANE_COUNT) {
        int count = s->elastic - first < ERI_LANE_COUNT ? s->elastic - first : ERI_LANE_COUNT;
        eri_lanes_gather(N, count, eri_matrix_column(s->Y, first), N, s->panel[0]);
        if (s->pencil != NULL) {
            eri_loop_pencil_project(s->pencil, s->tree, s->panel[0]);
            eri_lanes_scatter(N, count, s->panel[0], eri_matrix_column(s->Y, first), N);
        }
        eri_reduced_apply(s, s->panel[0], NULL, s->panel[1], s->unsprung, NULL);
        eri_lanes_scatter(N, count, s->panel[1], eri_matrix_column(AY, first), N);
    }
    return AY;
}

// One step of Ogita and Aishima's refinement (Jpn. J. Ind. Appl. Math. 35, 2018), which converges quadratically: the
// change Y E that, to first order, leaves Y'Y = 1 and Y'AY diagonal. Shapes of different slices are as far from either
// as their runs had converged.
//   @return the largest change, in the mass metric
static double step(eri_reduced *s)
{
    int N = s->rows, k = s->elastic;
    double worst = 0.0;
    eri_matrix AY = apply_to_shapes(s);
    double *R = s->gram.a, *H = s->gram.a + (size_t)k * (size_t)k;
    eri_linalg_gram(N, k, s->Y.a, N, false, R, k);
    eri_linalg_multiply_transposed(k, k, N, s->Y.a, N, AY.a, N, H, k);
    for (int j = 0; j < k; ++j)
        for (int i = 0; i < j; ++i) {
            size_t ij = (size_t)i + (size_t)j * (size_t)k, ji = (size_t)j + (size_t)i * (size_t)k,
                   ii = (size_t)i * (size_t)(k + 1), jj = (size_t)j * (size_t)(k + 1);
            double a = H[ii] / R[ii], b = H[jj] / R[jj], off = -R[ij], h = 0.5 * (H[ij] + H[ji]);
            bool apart = fabs(a - b) > 1e-7 * fmax(a, b);
            double change = apart ? fabs(h + sqrt(a * b) * off) / fabs(b - a) : 0.5 * fabs(off);
            worst = fmax(worst, change * sqrt(fmax(a, b) / fmin(a, b)));
            H[ij] = apart ? (h + b * off) / (b - a) : 0.5 * off;
            H[ji] = apart ? (h + a * off) / (a - b) : 0.5 * off;
        }
    for (int j = 0; j < k; ++j)
        H[(size_t)j * (size_t)(k + 1)] = 1.5 - 0.5 * R[(size_t)j * (size_t)(k + 1)];
    for (int first = 0; first < N; first += s->chunk.rows) {
        int rows = N - first < s->chunk.rows ? N - first : s->chunk.rows;
        for (int j = 0; j < k; ++j)
            memcpy(eri_matrix_column(s->chunk, j), eri_matrix_column(s->Y, j) + first, (size_t)rows * sizeof(double));
        eri_linalg_multiply(rows, k, k, s->chunk.a, s->chunk.rows, H, k, s->Y.a + first, N);
    }
    return worst;
}

void eri_reduced_refine(eri_reduced *s)
{
    for (int turn = 0; turn < 4 && step(s) > 1e-7; ++turn) // its square is rounding
        ;
}
