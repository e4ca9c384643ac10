// All elastic modes from A of docs/theory.md 5, dense: its columns are products with those of the identity, eight at a
// time.
#include <float.h>
#include <math.h>
#include <string.h>

#include "modal/solver.h"

static void form_A(er_reduced *s, er_matrix A)
{
    int N = s->tree->spring_count;
    er_lanes *y = s->panel[0], *Ay = s->panel[1];
    for (int first = 0; first < N; first += ER_LANE_COUNT) {
        int count = N - first < ER_LANE_COUNT ? N - first : ER_LANE_COUNT;
        memset(y, 0, (size_t)N * sizeof *y);
        for (int k = 0; k < count; ++k)
            y[first + k][k] = 1.0;
        er_condensed_apply(s->condensed, s->tree, y, NULL, Ay, s->slack, s->twist);
        for (int k = 0; k < count; ++k)
            for (int i = 0; i < N; ++i)
                er_matrix_column(A, first + k)[i] = Ay[i][k];
    }
}

// Which of the elastic modes are wanted; theta ascends, so frequencies descend.
static void window(const er_reduced *s, int N, const double *theta, int *first, int *count)
{
    double low = er_modal_eigenvalue(s->def.min_hz), high = er_modal_eigenvalue(s->def.max_hz);
    int begin = 0, end;
    while (begin < N && 1.0 / theta[N - 1 - begin] < low)
        ++begin;
    for (end = begin; end < N && end - begin < s->wanted - s->zeros && 1.0 / theta[N - 1 - end] <= high;)
        ++end;
    *first = begin;
    *count = end - begin;
}

// The lowest modes are A's largest eigenvalues. Ordinary eigenvalues lose eps times the largest; where that is too much
// for the smallest one wanted, the slower way is taken.
er_result er_modal_tree(er_reduced *s)
{
    er_result r = ER_OK;
    int N = s->tree->spring_count;
    er_matrix A = {N, N, s->A};
    double *theta = s->theta;
    form_A(s, A);
    ER_TRY(er_eigen_solve(&s->eigen, N, A.a, theta));
    int first = 0, count = 0;
    window(s, N, theta, &first, &count);
    if (count > 0 && theta[N - first - count] < 1e10 * DBL_EPSILON * theta[N - 1]) {
        form_A(s, A);
        ER_TRY(er_eigen_solve_graded(&s->eigen, N, A.a, theta));
        window(s, N, theta, &first, &count);
    }
    s->Y.rows = N;
    for (int k = 0; k < count; ++k)
        memcpy(er_matrix_column(s->Y, k), er_matrix_column(A, N - 1 - first - k), (size_t)N * sizeof(double));
    s->elastic = count;
    s->skipped = first;
    if (count > 0 && theta[N - first - count] < 1e-5 * theta[N - 1]) er_reduced_refine(s);
done:
    return r;
}
