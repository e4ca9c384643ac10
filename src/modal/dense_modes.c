// The eigenproblem K~ u = lambda M~ u of theory.md 5 in factored form, so that neither matrix is ever formed and small
// frequencies keep their digits (docs/math/modal.md):
//   E = N (N'MN)^-1/2 up to a rotation, an M-orthonormal basis of the motions that G allows;
//   null(R_k E) holds the modes of eigenvalue 0 exactly, R_k the coordinates that have stiffness;
//   on its complement Q, the singular values of K^1/2 R E Q are the angular frequencies.
#include "modal/dense_modes.h"

#include <math.h>
#include <string.h>

#include <eigenrig/model.h>

#include "math/dense/dense.h"
#include "modal/canonical.h"
#include "modal/damping.h"
#include "modal/mode_shape.h"
#include "modal/motions.h"
#include "modal/orthonormal_blocks.h"
#include "modal/reduced.h"

// The state of a solve; everything lives in its scratch arena until the modes are copied out.
typedef struct solver {
    const er_model *model;
    er_modal_def def;
    er_context *context;
    er_arena *scratch;
    er_constraints *constraints;
    eri_matrix R;      // [coordinates x 6n], that of the constraints
    double *stiffness; // [coordinates]
    bool *stiff;       // [coordinates], those with stiffness
    bool *unsprung;    // [coordinates], those without that make a mechanism of a motion
    bool *locked;      // [coordinates], those that loops allow no motion
    double *unit;      // [coordinates], 1 for angles, the rig's size for lengths
    int elastic;       // motions that strain a spring
    eri_matrix E;      // [6n x dof], M-orthonormal, metres
    eri_matrix RE;     // [coordinates x dof], rows of zeros where a loop locks the coordinate
    eri_matrix shapes; // [dof x dof], modes in the basis E: rigid, mechanisms, elastic
    double *omega;     // [dof]
} solver;

static double row_norm(eri_matrix a, int i)
{
    double sum = 0.0;
    for (int j = 0; j < a.cols; ++j)
        sum += eri_matrix_column(a, j)[i] * eri_matrix_column(a, j)[i];
    return sqrt(sum);
}

// 1 for the angular, the rig's size for the linear components of a body's twist.
static double twist_unit(const solver *s, int component)
{
    return component % 6 < 3 ? 1.0 : s->model->size;
}

// |R_i|, with lengths in units of the rig's size.
static double reach(const solver *s, eri_matrix R, int i)
{
    double sum = 0.0;
    for (int j = 0; j < R.cols; ++j) {
        double rate = eri_matrix_column(R, j)[i] * twist_unit(s, j);
        sum += rate * rate;
    }
    return sqrt(sum);
}

// The largest column of N, likewise.
static double longest(const solver *s, eri_matrix N)
{
    double most = 0.0;
    for (int j = 0; j < N.cols; ++j) {
        double sum = 0.0;
        for (int i = 0; i < N.rows; ++i) {
            double rate = eri_matrix_column(N, j)[i] / twist_unit(s, i);
            sum += rate * rate;
        }
        most = fmax(most, sqrt(sum));
    }
    return most;
}

// Rows of unit norm; those that `locked` names are zeros.
static er_result unit_rows(er_arena *scratch, eri_matrix A, const bool *locked, eri_matrix *out)
{
    er_result r = ER_OK;
    ERI_TRY(eri_matrix_create(scratch, A.rows, A.cols, out));
    for (int i = 0; i < A.rows; ++i) {
        double norm = row_norm(A, i);
        for (int j = 0; j < A.cols && !locked[i]; ++j)
            eri_matrix_column(*out, j)[i] = eri_matrix_column(A, j)[i] / norm;
    }
done:
    return r;
}

// The chosen rows of A.
static er_result chosen_rows(er_arena *scratch, eri_matrix A, const bool *chosen, eri_matrix *out)
{
    er_result r = ER_OK;
    int count = 0;
    for (int i = 0; i < A.rows; ++i)
        count += chosen[i];
    ERI_TRY(eri_matrix_create(scratch, count, A.cols, out));
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0, k = 0; i < A.rows; ++i)
            if (chosen[i]) eri_matrix_column(*out, j)[k++] = eri_matrix_column(A, j)[i];
done:
    return r;
}

// Pivoted QR of the chosen rows' transpose: the first columns of Q span what moves them.
static er_result factor_rows(solver *s, eri_matrix A, const bool *chosen, double **diagonal, eri_matrix *Q)
{
    er_result r = ER_OK;
    eri_matrix rows = {0}, T = {0};
    ERI_TRY(chosen_rows(s->scratch, A, chosen, &rows));
    ERI_TRY(eri_matrix_transpose(s->scratch, rows, &T));
    ERI_TRY(eri_linalg_pivoted_qr(s->scratch, T, diagonal, Q));
done:
    return r;
}

static er_result rank_of_rows(solver *s, eri_matrix A, const bool *chosen, int *rank)
{
    er_result r = ER_OK;
    double *diagonal;
    eri_matrix Q = {0};
    int rows = 0;
    ERI_TRY(factor_rows(s, A, chosen, &diagonal, &Q));
    for (int i = 0; i < A.rows; ++i)
        rows += chosen[i];
    *rank = 0;
    while (*rank < rows && *rank < A.cols && diagonal[*rank] > s->def.rank_tol)
        ++*rank;
done:
    return r;
}

// How many motions strain a spring, how many of the others move a joint, and which coordinates loops lock. These are
// questions of geometry, so they are asked of R N: in the basis E rounding counts as much more as masses lie apart.
static er_result count_kinds(solver *s, eri_matrix N, er_modes *modes)
{
    er_result r = ER_OK;
    eri_matrix RN = {0}, unit = {0};
    bool *moving;
    int rank = 0;
    ERI_TRY(eri_matrix_product(s->scratch, false, s->R, false, N, &RN));
    ERI_TRY_NEW(s->locked, s->scratch, bool, RN.rows);
    ERI_TRY_NEW(moving, s->scratch, bool, RN.rows);
    double most = longest(s, N);
    for (int i = 0; i < RN.rows; ++i) {
        s->locked[i] = !(row_norm(RN, i) > s->def.rank_tol * most * reach(s, s->R, i));
        moving[i] = s->stiff[i] || s->unsprung[i];
    }
    ERI_TRY(unit_rows(s->scratch, RN, s->locked, &unit));
    ERI_TRY(rank_of_rows(s, unit, s->stiff, &s->elastic));
    ERI_TRY(rank_of_rows(s, unit, moving, &rank));
    modes->mechanism_count = rank > s->elastic ? rank - s->elastic : 0;
    modes->rigid_count = modes->dof - s->elastic - modes->mechanism_count;
done:
    return r;
}

// E = L'^-1 orth(L' N): better conditioned than a Cholesky factor of N'MN, which squares.
static er_result mass_orthonormal_basis(solver *s, eri_matrix N)
{
    er_result r = ER_OK;
    const er_model *model = s->model;
    eri_mass_factor *factor;
    ERI_TRY_NEW(factor, s->scratch, eri_mass_factor, model->body_count);
    for (int b = 0; b < model->body_count; ++b) {
        factor[b] = eri_mass_factor_of(&model->body[b]);
        for (int j = 0; j < N.cols; ++j)
            eri_mass_multiply_transposed(&factor[b], eri_matrix_column(N, j) + 6 * b);
    }
    ERI_TRY(eri_orthonormal_blocks(s->scratch, N, 6));
    for (int b = 0; b < model->body_count; ++b)
        for (int j = 0; j < N.cols; ++j)
            eri_mass_solve_transposed(&factor[b], eri_matrix_column(N, j) + 6 * b);
    s->E = N;
    ERI_TRY(eri_matrix_product(s->scratch, false, s->R, false, s->E, &s->RE));
    for (int i = 0; i < s->RE.rows; ++i)
        for (int j = 0; j < s->RE.cols && s->locked[i]; ++j)
            eri_matrix_column(s->RE, j)[i] = 0.0;
done:
    return r;
}

static er_result coordinate_facts(solver *s)
{
    er_result r = ER_OK;
    const er_model *model = s->model;
    ERI_TRY_NEW(s->stiffness, s->scratch, double, model->coordinate_count);
    ERI_TRY_NEW(s->stiff, s->scratch, bool, model->coordinate_count);
    ERI_TRY_NEW(s->unsprung, s->scratch, bool, model->coordinate_count);
    ERI_TRY_NEW(s->unit, s->scratch, double, model->coordinate_count);
    eri_modal_units(model, s->unit);
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c) {
            s->stiffness[c] = model->joint[k].stiffness[c - model->coordinate[k]];
            s->stiff[c] = s->stiffness[c] > 0.0;
            s->unsprung[c] = !s->stiff[c] && !eri_joint_is_free_root(&model->joint[k]);
        }
    s->R = (eri_matrix){model->coordinate_count, s->constraints->column_count, (double *)s->constraints->R};
done:
    return r;
}

static void copy_columns(eri_matrix from, eri_matrix into, int at)
{
    memcpy(eri_matrix_column(into, at), from.a, (size_t)from.rows * (size_t)from.cols * sizeof(double));
}

// Modes of eigenvalue 0: rigid ones first, then those that move unsprung coordinates, M-orthogonal to the rigid ones,
// so without momentum.
static er_result zero_modes(solver *s, eri_matrix unit_RE, eri_matrix Z, int mechanisms)
{
    er_result r = ER_OK;
    double *diagonal;
    eri_matrix rates = {0}, Q = {0}, ZQ = {0};
    ERI_TRY(eri_matrix_product(s->scratch, false, unit_RE, false, Z, &rates));
    ERI_TRY(factor_rows(s, rates, s->unsprung, &diagonal, &Q));
    ERI_TRY(eri_matrix_product(s->scratch, false, Z, false, Q, &ZQ));
    copy_columns(eri_matrix_columns(ZQ, mechanisms, Z.cols - mechanisms), s->shapes, 0);
    copy_columns(eri_matrix_columns(ZQ, 0, mechanisms), s->shapes, Z.cols - mechanisms);
done:
    return r;
}

// omega and shapes on the complement Q of the zero space: K^1/2 R E Q = U diag(omega) V', shapes Q V, ascending.
static er_result elastic_modes(solver *s, eri_matrix Q, int zero_count)
{
    er_result r = ER_OK;
    eri_matrix rows = {0}, B = {0}, V = {0}, shapes = {0};
    double *values;
    ERI_TRY(chosen_rows(s->scratch, s->RE, s->stiff, &rows));
    ERI_TRY(eri_matrix_product(s->scratch, false, rows, false, Q, &B));
    for (int i = 0, k = 0; i < s->RE.rows; ++i)
        if (s->stiff[i]) {
            for (int j = 0; j < B.cols; ++j)
                eri_matrix_column(B, j)[k] *= sqrt(s->stiffness[i]);
            ++k;
        }
    ERI_TRY(eri_linalg_svd(s->scratch, B, &values, &V));
    ERI_TRY(eri_matrix_product(s->scratch, false, Q, false, V, &shapes));
    for (int k = 0; k < Q.cols; ++k) {
        int from = Q.cols - 1 - k;
        s->omega[zero_count + k] = values[from];
        memcpy(eri_matrix_column(s->shapes, zero_count + k), eri_matrix_column(shapes, from),
               (size_t)shapes.rows * sizeof(double));
    }
done:
    return r;
}

// The first columns of Q strain springs, as many as geometry says, and the others none.
static er_result solve_reduced(solver *s, const er_modes *modes)
{
    er_result r = ER_OK;
    double *diagonal;
    eri_matrix unit_RE = {0}, Q = {0};
    int dof = s->E.cols, elastic = s->elastic;
    ERI_TRY(unit_rows(s->scratch, s->RE, s->locked, &unit_RE));
    ERI_TRY(factor_rows(s, unit_RE, s->stiff, &diagonal, &Q));
    ERI_TRY(eri_matrix_create(s->scratch, dof, dof, &s->shapes));
    ERI_TRY_NEW(s->omega, s->scratch, double, dof);
    ERI_TRY(zero_modes(s, unit_RE, eri_matrix_columns(Q, elastic, dof - elastic), modes->mechanism_count));
    ERI_TRY(elastic_modes(s, eri_matrix_columns(Q, 0, elastic), dof - elastic));
done:
    return r;
}

static er_result collect(solver *s, er_modes *modes)
{
    er_result r = ER_OK;
    int zeros = modes->rigid_count + modes->mechanism_count, first = 0, count;
    while (first < modes->dof && s->omega[first] < 2.0 * ER_PI * s->def.min_hz)
        ++first;
    count = s->def.mode_count > 0 && s->def.mode_count < modes->dof - first ? s->def.mode_count : modes->dof - first;
    while (count > 0 && s->omega[first + count - 1] > 2.0 * ER_PI * s->def.max_hz)
        --count;
    er_mode *mode;
    eri_matrix shapes = eri_matrix_columns(s->shapes, first, count), body = {0}, joint = {0};
    ERI_TRY_NEW(mode, modes->arena, er_mode, count);
    ERI_TRY(eri_matrix_product(modes->arena, false, s->E, false, shapes, &body));
    ERI_TRY(eri_matrix_product(modes->arena, false, s->RE, false, shapes, &joint));
    for (int k = 0; k < count; ++k) {
        double omega = first + k < zeros ? 0.0 : s->omega[first + k];
        er_mode_kind kind = first + k < modes->rigid_count ? ER_MODE_RIGID
                            : first + k < zeros            ? ER_MODE_MECHANISM
                                                           : ER_MODE_ELASTIC;
        eri_mode_finish(s->model, s->unit, kind, omega * omega, eri_matrix_column(body, k), eri_matrix_column(joint, k),
                        &mode[k]);
    }
    modes->mode = mode;
    modes->count = count;
    modes->first = first;
    ERI_TRY(eri_canonical_basis(s->context, s->scratch, s->model, modes, mode));
    ERI_TRY(eri_modal_damp(s->scratch, s->model, s->def.rank_tol, modes, mode));
done:
    return r;
}

static er_result measure_residuals(solver *s, er_modes *modes)
{
    er_result r = ER_OK;
    const er_constraints *c = s->constraints;
    int n = s->E.rows, m = c->constraint_count, count = modes->count, coordinates = s->RE.rows;
    if (count == 0) return ER_OK;
    eri_matrix eta = {n, count, (double *)modes->mode[0].body}, G = {m, n, (double *)c->G};
    eri_matrix Meta = {0}, KReta = {0}, gram = {0}, leak = {0}, inertial = {0}, elastic = {0};
    ERI_TRY(eri_matrix_create(s->scratch, n, count, &Meta));
    ERI_TRY(eri_matrix_create(s->scratch, coordinates, count, &KReta));
    for (int k = 0; k < count; ++k) {
        eri_mass_times(s->model, modes->mode[k].body, eri_matrix_column(Meta, k));
        for (int i = 0; i < coordinates; ++i)
            eri_matrix_column(KReta, k)[i] = s->stiffness[i] * modes->mode[k].joint[i];
    }
    ERI_TRY(eri_matrix_product(s->scratch, true, eta, false, Meta, &gram));
    ERI_TRY(eri_matrix_product(s->scratch, false, G, false, eta, &leak));
    ERI_TRY(eri_matrix_product(s->scratch, true, s->E, false, Meta, &inertial));
    ERI_TRY(eri_matrix_product(s->scratch, true, s->RE, false, KReta, &elastic));
    er_modal_residuals *out = &modes->residuals;
    for (int k = 0; k < count; ++k) {
        const er_mode *mode = &modes->mode[k];
        double largest = 0.0, difference = 0.0, whole = 0.0;
        for (int i = 0; i < n; ++i)
            largest = fmax(largest, fabs(mode->body[i]) / (i % 6 < 3 ? 1.0 : s->model->size));
        for (int i = 0; i < m; ++i) {
            double unit = c->constraint_axis[i] < 3 ? 1.0 : s->model->size;
            out->constraint = eri_worse(out->constraint, fabs(eri_matrix_column(leak, k)[i]) / (unit * largest));
        }
        for (int i = 0; i < count; ++i)
            out->gram = eri_worse(out->gram, fabs(eri_matrix_column(gram, k)[i] - (i == k)));
        if (mode->kind != ER_MODE_ELASTIC) continue;
        for (int i = 0; i < s->E.cols; ++i) {
            double f = eri_matrix_column(elastic, k)[i];
            difference = hypot(difference, f - mode->eigenvalue * eri_matrix_column(inertial, k)[i]);
            whole = hypot(whole, f);
        }
        out->pencil = eri_worse(out->pencil, difference / whole);
    }
done:
    return r;
}

// Singular values are right to eps of the largest, so an elastic mode far below that is rounding.
static er_result refuse_rounding(const solver *s, const er_modes *modes)
{
    double highest = s->E.cols > 0 ? s->omega[s->E.cols - 1] : 0.0, lowest = highest;
    for (int k = modes->count - 1; k >= 0 && modes->mode[k].kind == ER_MODE_ELASTIC; --k)
        lowest = 2.0 * ER_PI * modes->mode[k].frequency_hz;
    if (!(lowest >= 1e-10 * highest))
        return er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                       "route %s cannot tell a mode of %.1g Hz from rounding beside one of %.1g Hz, because masses or "
                       "stiffnesses are too far apart in size; bring them closer",
                       er_modal_method_name(modes->method), lowest / (2.0 * ER_PI), highest / (2.0 * ER_PI));
    er_modal_residuals judged = modes->residuals;
    judged.pencil = 0.0; // not judged: in the basis E it keeps fewer digits than the modes do
    return eri_residuals_are_small(&judged) ? ER_OK
                                            : eri_refuse_residuals(s->context, modes->method, &modes->residuals);
}

er_result eri_modal_dense(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out)
{
    if (model->body_count > ER_MODAL_MAX_BODIES)
        return er_fail(context, ER_ERROR_RIG, "%d bodies are too many for the dense routes, which take up to %d",
                       model->body_count, ER_MODAL_MAX_BODIES);
    er_result r = ER_OK;
    er_modes *modes = NULL;
    er_arena *arena = NULL;
    eri_matrix N = {0};
    solver s = {.model = model, .def = *def, .context = context};
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &s.scratch));
    ERI_TRY_NEW(modes, arena, er_modes, 1);
    modes->arena = arena;
    ERI_TRY(er_constraints_create(context, model, &s.constraints));
    ERI_TRY(eri_modal_motions(s.scratch, model, s.constraints, def, modes, &N));
    ERI_TRY(modes->dof > 0 ? ER_OK : er_fail(context, ER_ERROR_RIG, "the joints leave no motion: every body is held"));
    ERI_TRY(coordinate_facts(&s));
    ERI_TRY(count_kinds(&s, N, modes));
    ERI_TRY(mass_orthonormal_basis(&s, N));
    ERI_TRY(solve_reduced(&s, modes));
    ERI_TRY(collect(&s, modes));
    ERI_TRY(measure_residuals(&s, modes));
    ERI_TRY(refuse_rounding(&s, modes));
    *out = modes;
    arena = NULL;
done:
    er_constraints_destroy(s.constraints);
    eri_arena_destroy(s.scratch);
    eri_arena_destroy(arena);
    return r;
}
