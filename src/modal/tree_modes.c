// All elastic modes from A of docs/theory.md 5, dense: its columns are products with those of the identity, eight at a
// time.
#include <float.h>
#include <math.h>
#include <string.h>

#include "modal/reduced.h"

void eri_modal_form(eri_reduced *s, double *a, size_t row, size_t column)
{
    int N = s->tree->spring_count;
    eri_lanes *y = s->panel[0], *Ay = s->panel[1];
    for (int first = 0; first < N; first += ERI_LANE_COUNT) {
        int count = N - first < ERI_LANE_COUNT ? N - first : ERI_LANE_COUNT;
        memset(y, 0, (size_t)N * sizeof *y);
        for (int k = 0; k < count; ++k)
            y[first + k][k] = 1.0;
        eri_condensed_apply(s->condensed, s->tree, y, NULL, Ay, s->unsprung, NULL);
        for (int k = 0; k < count; ++k)
            for (int i = first + k; i < N; ++i)
                a[(size_t)i * row + (size_t)(first + k) * column] = Ay[i][k];
    }
}

bool eri_modal_window(const eri_reduced *s, const double *theta, int *first, int *count)
{
    int N = s->tree->spring_count, begin = 0, end;
    double low = eri_modal_eigenvalue(s->def.min_hz), high = eri_modal_eigenvalue(s->def.max_hz);
    while (begin < N && 1.0 / theta[N - 1 - begin] < low)
        ++begin;
    for (end = begin; end < N && end - begin < s->wanted - s->zeros && 1.0 / theta[N - 1 - end] <= high;)
        ++end;
    *first = begin;
    *count = end - begin;
    return end == begin || theta[N - end] >= 1e10 * DBL_EPSILON * theta[N - 1];
}

// The lowest modes are A's largest eigenvalues. Where ordinary eigenvalues lose too much, the slower way is taken.
er_result eri_modal_tree(eri_reduced *s)
{
    er_result r = ER_OK;
    int N = s->tree->spring_count, first, count;
    eri_matrix A = {N, N, s->A};
    eri_modal_form(s, A.a, 1, (size_t)N);
    ERI_TRY(eri_eigen_solve(&s->eigen, N, A.a, s->theta));
    if (!eri_modal_window(s, s->theta, &first, &count)) {
        eri_modal_form(s, A.a, 1, (size_t)N);
        ERI_TRY(eri_eigen_solve_graded(&s->eigen, N, A.a, s->theta));
        eri_modal_window(s, s->theta, &first, &count);
    }
    s->Y.rows = N;
    for (int k = 0; k < count; ++k)
        s->eigenvalue[k] = 1.0 / s->theta[N - 1 - first - k];
    for (int k = 0; k < count; ++k)
        memcpy(eri_matrix_column(s->Y, k), eri_matrix_column(A, N - 1 - first - k), (size_t)N * sizeof(double));
    s->elastic = count;
    s->skipped = first;
    if (count > 0 && s->theta[N - first - count] < 1e-5 * s->theta[N - 1]) eri_reduced_refine(s);
done:
    return r;
}
