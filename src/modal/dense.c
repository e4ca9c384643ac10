// The eigenproblem K~ u = lambda M~ u of theory.md 5 in factored form, so that neither matrix is ever formed and small
// frequencies keep their digits (docs/math/modal.md):
//   E = N (N'MN)^-1/2 up to a rotation, an M-orthonormal basis of the motions that G allows;
//   null(R_k E) holds the modes of eigenvalue 0 exactly, R_k the coordinates that have stiffness;
//   on its complement Q, the singular values of K^1/2 R E Q are the angular frequencies.
#include "modal/dense.h"

#include <math.h>
#include <string.h>

#include <eigenrig/constraint.h>

#include "linalg/linalg.h"
#include "modal/damping.h"
#include "modal/motions.h"
#include "modal/shape.h"

// What a solve knows; everything lives in its scratch arena until the modes are copied out.
typedef struct solver {
    const er_model *model;
    er_modal_def def;
    er_context *context;
    er_arena *scratch;
    er_constraints *constraints;
    er_matrix E;       // [6n x dof], M-orthonormal, metres
    er_matrix RE;      // [coordinates x dof], rows of zeros where a loop locks the coordinate
    er_matrix unit_RE; // the same, rows of unit norm: what may be called zero does not depend on units or masses
    double *stiffness; // [coordinates]
    double *unit;      // [coordinates], 1 for angles, the rig's size for lengths
    er_matrix shapes;  // [dof x dof], modes in the basis E: rigid, mechanisms, elastic
    double *omega;     // [dof]
} solver;

// How fast coordinate i can move at unit energy when no joint holds the bodies: |R_i L'^-1|, the most |R_i E| could be.
static double free_reach(const solver *s, const er_mass_factor *factor, er_matrix R, int i)
{
    double sum = 0.0;
    for (int b = 0; b < s->model->body_count; ++b)
        for (int k = 0; k < 6; ++k) {
            double x[6] = {0}, rate = 0.0;
            x[k] = 1.0;
            er_mass_solve_transposed(&factor[b], x);
            for (int l = 0; l < 6; ++l)
                rate += er_matrix_column(R, 6 * b + l)[i] * x[l];
            sum += rate * rate;
        }
    return sqrt(sum);
}

static double row_norm(er_matrix a, int i)
{
    double sum = 0.0;
    for (int j = 0; j < a.cols; ++j)
        sum += er_matrix_column(a, j)[i] * er_matrix_column(a, j)[i];
    return sqrt(sum);
}

// R E and its rows of unit norm. A row that is nothing but rounding, because a loop locks the coordinate, is made zero.
static er_result coordinate_rates(solver *s, const er_mass_factor *factor)
{
    er_result r = ER_OK;
    er_matrix R = {s->constraints->coordinate_count, s->constraints->column_count, (double *)s->constraints->R};
    ER_TRY(er_matrix_product(s->scratch, false, R, false, s->E, &s->RE));
    ER_TRY(er_matrix_create(s->scratch, s->RE.rows, s->RE.cols, &s->unit_RE));
    for (int i = 0; i < s->RE.rows; ++i) {
        double norm = row_norm(s->RE, i);
        bool locked = !(norm > s->def.rank_tol * free_reach(s, factor, R, i));
        for (int j = 0; j < s->RE.cols; ++j) {
            double *entry = &er_matrix_column(s->RE, j)[i];
            *entry = locked ? 0.0 : *entry;
            er_matrix_column(s->unit_RE, j)[i] = locked ? 0.0 : *entry / norm;
        }
    }
done:
    return r;
}

// E = L'^-1 orth(L' N): better conditioned than a Cholesky factor of N'MN, which squares.
static er_result mass_orthonormal_basis(solver *s, er_matrix N)
{
    er_result r = ER_OK;
    const er_model *model = s->model;
    er_mass_factor *factor;
    ER_TRY_NEW(factor, s->scratch, er_mass_factor, model->body_count);
    for (int b = 0; b < model->body_count; ++b) {
        factor[b] = er_mass_factor_of(&model->body[b]);
        for (int j = 0; j < N.cols; ++j)
            er_mass_multiply_transposed(&factor[b], er_matrix_column(N, j) + 6 * b);
    }
    ER_TRY(er_linalg_orthonormalise(s->scratch, N));
    for (int b = 0; b < model->body_count; ++b)
        for (int j = 0; j < N.cols; ++j)
            er_mass_solve_transposed(&factor[b], er_matrix_column(N, j) + 6 * b);
    s->E = N;
    ER_TRY(coordinate_rates(s, factor));
done:
    return r;
}

static er_result coordinate_facts(solver *s)
{
    er_result r = ER_OK;
    const er_model *model = s->model;
    ER_TRY_NEW(s->stiffness, s->scratch, double, model->coordinate_count);
    ER_TRY_NEW(s->unit, s->scratch, double, model->coordinate_count);
    er_modal_units(model, s->unit);
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c)
            s->stiffness[c] = model->joint[k].stiffness[c - model->coordinate[k]];
done:
    return r;
}

// The chosen rows of A times Z.
static er_result chosen_rows(solver *s, er_matrix A, const bool *chosen, er_matrix Z, er_matrix *out)
{
    er_result r = ER_OK;
    int count = 0;
    er_matrix rows = {0};
    for (int i = 0; i < A.rows; ++i)
        count += chosen[i];
    ER_TRY(er_matrix_create(s->scratch, count, A.cols, &rows));
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0, k = 0; i < A.rows; ++i)
            if (chosen[i]) er_matrix_column(rows, j)[k++] = er_matrix_column(A, j)[i];
    ER_TRY(er_matrix_product(s->scratch, false, rows, false, Z, out));
done:
    return r;
}

// Splits the space of Z's columns by the chosen coordinates: Z Q with its first `rank` columns those that move them.
static er_result split(solver *s, const bool *chosen, er_matrix Z, int *rank, er_matrix *ZQ)
{
    er_result r = ER_OK;
    double *diagonal;
    er_matrix A = {0}, T = {0}, Q = {0};
    ER_TRY(chosen_rows(s, s->unit_RE, chosen, Z, &A));
    ER_TRY(er_matrix_transpose(s->scratch, A, &T));
    ER_TRY(er_linalg_pivoted_qr(s->scratch, T, &diagonal, &Q));
    int least = T.rows < T.cols ? T.rows : T.cols;
    *rank = 0;
    while (*rank < least && diagonal[*rank] > s->def.rank_tol)
        ++*rank;
    ER_TRY(er_matrix_product(s->scratch, false, Z, false, Q, ZQ));
done:
    return r;
}

// Coordinates without stiffness that make a mechanism of a motion.
static void mark_slack(const solver *s, bool *slack)
{
    const er_model *model = s->model;
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c)
            slack[c] = s->stiffness[c] == 0.0 && !er_joint_is_free_root(&model->joint[k]);
}

static void copy_columns(er_matrix from, er_matrix into, int at)
{
    memcpy(er_matrix_column(into, at), from.a, (size_t)from.rows * (size_t)from.cols * sizeof(double));
}

// Modes of eigenvalue 0: rigid ones first, then those that move slack joints, at right angles to the rigid ones in the
// mass metric, so without momentum.
static er_result zero_modes(solver *s, er_matrix Z, er_modes *modes)
{
    er_result r = ER_OK;
    bool *slack;
    er_matrix ZQ = {0};
    int rank = 0;
    ER_TRY_NEW(slack, s->scratch, bool, s->RE.rows);
    mark_slack(s, slack);
    ER_TRY(split(s, slack, Z, &rank, &ZQ));
    modes->mechanism_count = rank;
    modes->rigid_count = Z.cols - rank;
    copy_columns(er_matrix_columns(ZQ, rank, Z.cols - rank), s->shapes, 0);
    copy_columns(er_matrix_columns(ZQ, 0, rank), s->shapes, Z.cols - rank);
done:
    return r;
}

// omega and shapes on the complement Q of the zero space: K^1/2 R E Q = U diag(omega) V', shapes Q V, ascending.
static er_result elastic_modes(solver *s, const bool *stiff, er_matrix Q, int zero_count)
{
    er_result r = ER_OK;
    er_matrix B = {0}, V = {0}, shapes = {0};
    double *values;
    ER_TRY(chosen_rows(s, s->RE, stiff, Q, &B));
    for (int i = 0, k = 0; i < s->RE.rows; ++i)
        if (stiff[i]) {
            for (int j = 0; j < B.cols; ++j)
                er_matrix_column(B, j)[k] *= sqrt(s->stiffness[i]);
            ++k;
        }
    ER_TRY(er_linalg_svd(s->scratch, B, &values, &V));
    ER_TRY(er_matrix_product(s->scratch, false, Q, false, V, &shapes));
    for (int k = 0; k < Q.cols; ++k) {
        int from = Q.cols - 1 - k;
        s->omega[zero_count + k] = values[from];
        memcpy(er_matrix_column(s->shapes, zero_count + k), er_matrix_column(shapes, from),
               (size_t)shapes.rows * sizeof(double));
    }
done:
    return r;
}

static er_result solve_reduced(solver *s, er_modes *modes)
{
    er_result r = ER_OK;
    bool *stiff;
    er_matrix identity = {0}, Q = {0};
    int rank = 0, dof = s->E.cols;
    ER_TRY_NEW(stiff, s->scratch, bool, s->RE.rows);
    for (int i = 0; i < s->RE.rows; ++i)
        stiff[i] = s->stiffness[i] > 0.0;
    ER_TRY(er_matrix_create(s->scratch, dof, dof, &identity));
    for (int i = 0; i < dof; ++i)
        er_matrix_column(identity, i)[i] = 1.0;
    ER_TRY(split(s, stiff, identity, &rank, &Q));
    ER_TRY(er_matrix_create(s->scratch, dof, dof, &s->shapes));
    ER_TRY_NEW(s->omega, s->scratch, double, dof);
    ER_TRY(zero_modes(s, er_matrix_columns(Q, rank, dof - rank), modes));
    ER_TRY(elastic_modes(s, stiff, er_matrix_columns(Q, 0, rank), dof - rank));
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
    er_matrix shapes = er_matrix_columns(s->shapes, first, count), body = {0}, joint = {0};
    ER_TRY_NEW(mode, modes->arena, er_mode, count);
    ER_TRY(er_matrix_product(modes->arena, false, s->E, false, shapes, &body));
    ER_TRY(er_matrix_product(modes->arena, false, s->RE, false, shapes, &joint));
    for (int k = 0; k < count; ++k) {
        double omega = first + k < zeros ? 0.0 : s->omega[first + k];
        er_mode_kind kind = first + k < modes->rigid_count ? ER_MODE_RIGID
                            : first + k < zeros            ? ER_MODE_MECHANISM
                                                           : ER_MODE_ELASTIC;
        er_mode_finish(s->model, s->unit, kind, omega * omega, er_matrix_column(body, k), er_matrix_column(joint, k),
                       &mode[k]);
    }
    modes->mode = mode;
    modes->count = count;
    modes->first = first;
    ER_TRY(er_modal_damp(s->scratch, s->model, s->def.rank_tol, modes, mode));
done:
    return r;
}

static er_result measure_residuals(solver *s, er_modes *modes)
{
    er_result r = ER_OK;
    const er_constraints *c = s->constraints;
    int n = s->E.rows, m = c->constraint_count, count = modes->count, coordinates = s->RE.rows;
    if (count == 0) return ER_OK;
    er_matrix eta = {n, count, (double *)modes->mode[0].body}, G = {m, n, (double *)c->G};
    er_matrix Meta = {0}, KReta = {0}, gram = {0}, leak = {0}, inertial = {0}, elastic = {0};
    ER_TRY(er_matrix_create(s->scratch, n, count, &Meta));
    ER_TRY(er_matrix_create(s->scratch, coordinates, count, &KReta));
    for (int k = 0; k < count; ++k) {
        er_mass_times(s->model, modes->mode[k].body, er_matrix_column(Meta, k));
        for (int i = 0; i < coordinates; ++i)
            er_matrix_column(KReta, k)[i] = s->stiffness[i] * modes->mode[k].joint[i];
    }
    ER_TRY(er_matrix_product(s->scratch, true, eta, false, Meta, &gram));
    ER_TRY(er_matrix_product(s->scratch, false, G, false, eta, &leak));
    ER_TRY(er_matrix_product(s->scratch, true, s->E, false, Meta, &inertial));
    ER_TRY(er_matrix_product(s->scratch, true, s->RE, false, KReta, &elastic));
    er_modal_residuals *out = &modes->residuals;
    for (int k = 0; k < count; ++k) {
        const er_mode *mode = &modes->mode[k];
        double largest = 0.0, difference = 0.0, whole = 0.0;
        for (int i = 0; i < n; ++i)
            largest = fmax(largest, fabs(mode->body[i]) / (i % 6 < 3 ? 1.0 : s->model->size));
        for (int i = 0; i < m; ++i) {
            double unit = c->constraint_axis[i] < 3 ? 1.0 : s->model->size;
            out->constraint = er_worse(out->constraint, fabs(er_matrix_column(leak, k)[i]) / (unit * largest));
        }
        for (int i = 0; i < count; ++i)
            out->gram = er_worse(out->gram, fabs(er_matrix_column(gram, k)[i] - (i == k)));
        if (mode->kind != ER_MODE_ELASTIC) continue;
        for (int i = 0; i < s->E.cols; ++i) {
            double f = er_matrix_column(elastic, k)[i];
            difference = hypot(difference, f - mode->eigenvalue * er_matrix_column(inertial, k)[i]);
            whole = hypot(whole, f);
        }
        out->pencil = er_worse(out->pencil, difference / whole);
    }
done:
    return r;
}

// Singular values are right to eps of the largest: an elastic mode lower than that by far is nothing but rounding, and
// masses that lie too far apart show in what the shapes keep of their promises.
static er_result refuse_rounding(const solver *s, const er_modes *modes)
{
    double highest = s->E.cols > 0 ? s->omega[s->E.cols - 1] : 0.0, lowest = highest;
    for (int k = modes->count - 1; k >= 0 && modes->mode[k].kind == ER_MODE_ELASTIC; --k)
        lowest = 2.0 * ER_PI * modes->mode[k].frequency_hz;
    bool sound = lowest >= 1e-10 * highest && modes->residuals.gram < 1e-6 && modes->residuals.constraint < 1e-6;
    return sound ? ER_OK
                 : er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                           "masses or stiffnesses are too far apart in size for route %s (frequencies %.1g to %.1g Hz, "
                           "|G eta| %.1g); bring them closer",
                           er_modal_method_name(modes->method), lowest / (2.0 * ER_PI), highest / (2.0 * ER_PI),
                           modes->residuals.constraint);
}

er_result er_modal_dense(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out)
{
    if (model->body_count > ER_MODAL_MAX_BODIES)
        return er_fail(context, ER_ERROR_RIG, "%d bodies are too many for the dense routes, which take up to %d",
                       model->body_count, ER_MODAL_MAX_BODIES);
    er_result r = ER_OK;
    er_modes *modes = NULL;
    er_arena *arena = NULL;
    er_matrix N = {0};
    solver s = {.model = model, .def = *def, .context = context};
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY(er_arena_create(context, &s.scratch));
    ER_TRY_NEW(modes, arena, er_modes, 1);
    modes->arena = arena;
    ER_TRY(er_constraints_create(context, model, &s.constraints));
    ER_TRY(er_modal_motions(s.scratch, model, s.constraints, def, modes, &N));
    ER_TRY(modes->dof > 0 ? ER_OK : er_fail(context, ER_ERROR_RIG, "the joints leave no motion: every body is held"));
    ER_TRY(mass_orthonormal_basis(&s, N));
    ER_TRY(coordinate_facts(&s));
    ER_TRY(solve_reduced(&s, modes));
    ER_TRY(collect(&s, modes));
    ER_TRY(measure_residuals(&s, modes));
    ER_TRY(refuse_rounding(&s, modes));
    *out = modes;
    arena = NULL;
done:
    er_constraints_destroy(s.constraints);
    er_arena_destroy(s.scratch);
    er_arena_destroy(arena);
    return r;
}
