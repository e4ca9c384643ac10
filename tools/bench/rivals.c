// The rivals of er_modal_solve(): dense matrices in joint coordinates, solved by LAPACK.
#include "tools/bench/rivals.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/model.h>

typedef double matrix6[6][6];

// A matrix of zeros, column-major, of one entry at least.
static double *zeros(int rows, int columns)
{
    return calloc((size_t)rows * (size_t)columns + 1, sizeof(double));
}

static double *at(double *a, int rows, int i, int j)
{
    return a + i + (size_t)rows * (size_t)j;
}

static er_result fail(bench_shapes *out, er_result r, const char *why)
{
    out->why = why;
    return r;
}

static er_result no_memory(bench_shapes *out)
{
    return fail(out, ER_ERROR_MEMORY, "out of memory");
}

// LAPACK stores the size of its work space, some squares of the order, in its own integer type.
static er_result check_order(int order, int squares, bench_shapes *out)
{
    double work = squares * (double)order * order + 7.0 * order;
    return work < INT_MAX ? ER_OK : fail(out, ER_ERROR_RIG, "too large for LAPACK's 32-bit integers");
}

// Makes room for the lowest modes of all.
static er_result open_shapes(const er_model *model, int dof, bench_shapes *out)
{
    if (dof == 0) return fail(out, ER_ERROR_RIG, "the joints leave no motion");
    out->dof = dof;
    if (out->count > dof) out->count = dof;
    out->hz = zeros(out->count, 1);
    out->body = zeros(6 * model->body_count, out->count);
    out->joint = zeros(model->coordinate_count, out->count);
    return out->hz != NULL && out->body != NULL && out->joint != NULL ? ER_OK : no_memory(out);
}

static double hertz(double eigenvalue)
{
    return sqrt(fmax(eigenvalue, 0.0)) / (2.0 * ER_PI);
}

// [J - m c x c x, m c x; -m c x, m 1]: the spatial inertia at the body's frame.
static void spatial_inertia(const er_body *b, matrix6 out)
{
    er_mat3 c = er_m3_skew(b->com), square = er_m3_mul(c, c);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out[i][j] = b->inertia.m[i][j] - b->mass * square.m[i][j];
            out[i][j + 3] = b->mass * c.m[i][j];
            out[i + 3][j] = -b->mass * c.m[i][j];
            out[i + 3][j + 3] = i == j ? b->mass : 0.0;
        }
}

// ---- joint coordinates

// A rig without loops in tree coordinates: six for each root without joint, then those of the joints.
typedef struct tree {
    const er_model *model;
    int rigid, dof;
    int *first, *count;  // [bodies], a body's coordinates
    double *S;           // [6 x dof], the twist that a coordinate gives its body, in the body's axes
    matrix6 *from_above; // [bodies], maps the parent's twist to the body's frame
    double *stiffness;   // [dof], 0 for a root's
} tree;

static void tree_free(tree *t)
{
    free(t->first);
    free(t->count);
    free(t->S);
    free(t->from_above);
    free(t->stiffness);
}

static void lay_joint(tree *t, int b, int k)
{
    const er_joint *j = &t->model->joint[k];
    int axis[6];
    matrix6 ad;
    t->first[b] = t->rigid + t->model->coordinate[k];
    t->count[b] = er_joint_type_freedom(j->type, axis);
    er_constraint_adjoint(j->frame, t->model->body[b].pose, ad);
    for (int c = 0; c < t->count[b]; ++c) {
        t->stiffness[t->first[b] + c] = j->stiffness[c];
        for (int i = 0; i < 6; ++i) // the child against the parent; a joint crossed from its child has the opposite
                                    // sign
            *at(t->S, 6, i, t->first[b] + c) = j->child == b ? ad[i][axis[c]] : -ad[i][axis[c]];
    }
}

static er_result tree_of(const er_model *model, tree *t, bench_shapes *out)
{
    int n = model->body_count, root = 0;
    *t = (tree){.model = model, .rigid = out->rigid, .dof = out->rigid + model->coordinate_count};
    if (model->loop_count > 0) return fail(out, ER_ERROR_RIG, "the rig has loops");
    t->first = calloc((size_t)n, sizeof(int));
    t->count = calloc((size_t)n, sizeof(int));
    t->S = zeros(6, t->dof);
    t->from_above = calloc((size_t)n, sizeof(matrix6));
    t->stiffness = zeros(t->dof, 1);
    if (t->first == NULL || t->count == NULL || t->S == NULL || t->from_above == NULL || t->stiffness == NULL)
        return no_memory(out);
    for (int b = 0; b < n; ++b) {
        int above = model->tree_parent[b];
        if (above >= 0) er_constraint_adjoint(model->body[above].pose, model->body[b].pose, t->from_above[b]);
        if (model->tree_joint[b] >= 0) {
            lay_joint(t, b, model->tree_joint[b]);
            continue;
        }
        t->first[b] = root;
        t->count[b] = 6;
        for (int i = 0; i < 6; ++i)
            *at(t->S, 6, i, root++) = 1.0;
    }
    return ER_OK;
}

// above += X' own X
static void add_composite(matrix6 own, matrix6 X, matrix6 above)
{
    matrix6 carried = {{0}};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < 6; ++j)
                carried[i][j] += own[i][k] * X[k][j];
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                above[i][j] += X[k][i] * carried[k][j];
}

// H_dc = S_d . F for the coordinates d of a body, into the upper triangle.
static void project(const tree *t, int body, int c, const double F[6], double *H)
{
    for (int d = t->first[body]; d < t->first[body] + t->count[body]; ++d) {
        double sum = 0.0;
        for (int i = 0; i < 6; ++i)
            sum += *at(t->S, 6, i, d) * F[i];
        *at(H, t->dof, d < c ? d : c, d < c ? c : d) = sum;
    }
}

// The inertia in joint coordinates: the momentum that a coordinate gives to its subtree, projected on each ancestor.
static er_result joint_inertia(const tree *t, double *H, bench_shapes *out)
{
    const er_model *model = t->model;
    matrix6 *composite = calloc((size_t)model->body_count, sizeof(matrix6));
    if (composite == NULL) return no_memory(out);
    for (int b = 0; b < model->body_count; ++b)
        spatial_inertia(&model->body[b], composite[b]);
    for (int o = model->body_count - 1; o >= 0; --o) {
        int b = model->order[o];
        for (int c = t->first[b]; c < t->first[b] + t->count[b]; ++c) {
            double F[6] = {0};
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 6; ++j)
                    F[i] += composite[b][i][j] * *at(t->S, 6, j, c);
            project(t, b, c, F, H);
            for (int a = b; model->tree_parent[a] >= 0; a = model->tree_parent[a]) {
                double above[6] = {0};
                for (int i = 0; i < 6; ++i)
                    for (int j = 0; j < 6; ++j)
                        above[j] += t->from_above[a][i][j] * F[i];
                memcpy(F, above, sizeof F);
                project(t, model->tree_parent[a], c, F, H);
            }
        }
        if (model->tree_parent[b] >= 0) add_composite(composite[b], t->from_above[b], composite[model->tree_parent[b]]);
    }
    free(composite);
    return ER_OK;
}

// Body twists of the coordinates u, down the tree: v = X v_above + S u.
static void twists(const tree *t, const double *u, double *body)
{
    for (int o = 0; o < t->model->body_count; ++o) {
        int b = t->model->order[o], above = t->model->tree_parent[b];
        double *v = body + 6 * b;
        for (int i = 0; i < 6; ++i) {
            v[i] = 0.0;
            for (int j = 0; above >= 0 && j < 6; ++j)
                v[i] += t->from_above[b][i][j] * body[6 * above + j];
            for (int c = t->first[b]; c < t->first[b] + t->count[b]; ++c)
                v[i] += *at(t->S, 6, i, c) * u[c];
        }
    }
}

static void keep(const tree *t, int k, double hz, const double *u, bench_shapes *out)
{
    int coordinates = t->model->coordinate_count;
    out->hz[k] = hz;
    memcpy(at(out->joint, coordinates, 0, k), u + t->rigid, (size_t)coordinates * sizeof(double));
    twists(t, u, at(out->body, 6 * t->model->body_count, 0, k));
}

static er_result check_pencil(lapack_int info, int n, bench_shapes *out)
{
    if (info == LAPACK_WORK_MEMORY_ERROR) return no_memory(out);
    if (info > n) return fail(out, ER_ERROR_NOT_POSDEF, "dsygvd: the mass matrix is not positive definite");
    return info == 0 ? ER_OK : fail(out, ER_ERROR_NO_CONVERGENCE, "dsygvd did not converge");
}

// K u = lambda H u, all pairs.
static er_result solve_dsygvd(const tree *t, double *H, bench_shapes *out)
{
    int n = t->dof;
    double *K = zeros(n, n), *eigenvalue = zeros(n, 1);
    er_result r = K != NULL && eigenvalue != NULL ? ER_OK : no_memory(out);
    for (int i = 0; r == ER_OK && i < n; ++i)
        *at(K, n, i, i) = t->stiffness[i];
    if (r == ER_OK) r = check_pencil(LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', n, K, n, H, n, eigenvalue), n, out);
    for (int k = 0; r == ER_OK && k < out->count; ++k)
        keep(t, k, hertz(eigenvalue[k]), at(K, n, 0, k), out);
    free(eigenvalue);
    free(K);
    return r;
}

// H = [H_rr H_rj; . H_jj], r the roots. H_rr = U'U, W = U'^-1 H_rj, A = K^-1/2 (H_jj - W'W) K^-1/2; A y = y / lambda.
static er_result condense(const tree *t, double *H, bench_shapes *out)
{
    int n = t->dof, r = t->rigid, j = n - r;
    if (r > 0 && LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', r, H, n) != 0)
        return fail(out, ER_ERROR_NOT_POSDEF, "dpotrf: the inertia of the roots is not positive definite");
    if (r > 0 && j > 0) {
        double *W = at(H, n, 0, r);
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, r, j, 1.0, H, n, W, n);
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, j, r, -1.0, W, n, 1.0, at(H, n, r, r), n);
    }
    for (int c = r; c < n; ++c)
        for (int i = r; i <= c; ++i)
            *at(H, n, i, c) /= sqrt(t->stiffness[i]) * sqrt(t->stiffness[c]);
    return ER_OK;
}

// Mode k of the condensed problem: u_j = K^-1/2 y omega, u_r = -U^-1 W u_j; a rigid one is a column of U^-1.
static void expand(const tree *t, double *H, int k, double omega, const double *y, double *u)
{
    int n = t->dof, r = t->rigid;
    memset(u, 0, (size_t)n * sizeof(double));
    if (y == NULL) u[k] = 1.0;
    for (int c = r; y != NULL && c < n; ++c)
        u[c] = omega * y[c - r] / sqrt(t->stiffness[c]);
    if (r > 0 && y != NULL)
        cblas_dgemv(CblasColMajor, CblasNoTrans, r, n - r, -1.0, at(H, n, 0, r), n, u + r, 1, 0.0, u, 1);
    if (r > 0) cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, r, H, n, u, 1);
}

static er_result solve_dsyevd(const tree *t, double *H, bench_shapes *out)
{
    int n = t->dof, r = t->rigid, j = n - r;
    double *value = zeros(j, 1), *u = zeros(n, 1), *A = at(H, n, r, r);
    er_result result = value != NULL && u != NULL ? condense(t, H, out) : no_memory(out);
    if (result == ER_OK && j > 0) {
        lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', j, A, n, value);
        if (info == LAPACK_WORK_MEMORY_ERROR)
            result = no_memory(out);
        else if (info != 0)
            result = fail(out, ER_ERROR_NO_CONVERGENCE, "dsyevd did not converge");
    }
    for (int k = 0; result == ER_OK && k < out->count; ++k) {
        int from = j - 1 - (k - r); // the largest of A first
        double omega = k < r ? 0.0 : 1.0 / sqrt(value[from]);
        expand(t, H, k, omega, k < r ? NULL : at(A, n, 0, from), u);
        keep(t, k, omega / (2.0 * ER_PI), u, out);
    }
    free(u);
    free(value);
    return result;
}

static er_result solve_tree(const er_model *model, bench_rival rival, bench_shapes *out)
{
    tree t;
    double *H = NULL;
    er_result r = tree_of(model, &t, out);
    if (r == ER_OK) r = check_order(t.dof, 2, out);
    if (r == ER_OK) r = open_shapes(model, t.dof, out);
    if (r == ER_OK && (H = zeros(t.dof, t.dof)) == NULL) r = no_memory(out);
    if (r == ER_OK) r = joint_inertia(&t, H, out);
    if (r == ER_OK) r = rival == BENCH_DSYGVD ? solve_dsygvd(&t, H, out) : solve_dsyevd(&t, H, out);
    free(H);
    tree_free(&t);
    return r;
}

// ---- the way of the source

typedef struct source {
    const er_model *model;
    er_constraints *constraints;
    int n, dof;            // n = 6 bodies
    double *G, *s, *U, *V; // G = U s V', V given as its transpose [n x n]
    const double *N;       // the last dof rows of V', with n between columns: N'
    double *MN, *RN;       // M N [n x dof], K^1/2 R N [coordinates x dof]
    double *M, *K;         // [dof x dof]
    double *eigenvalue;    // [dof]
} source;

static void source_free(source *x)
{
    er_constraints_destroy(x->constraints);
    double *const owned[] = {x->G, x->s, x->U, x->V, x->MN, x->RN, x->M, x->K, x->eigenvalue};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        free(owned[i]);
}

static er_result null_space(er_context *context, source *x, bench_shapes *out)
{
    const double tol = 1e-10;
    er_result r = check_order(x->n, 4, out);
    if (r != ER_OK) return r;
    r = er_constraints_create(context, x->model, &x->constraints);
    if (r == ER_ERROR_MEMORY) return no_memory(out);
    if (r != ER_OK) return fail(out, r, "G and R could not be made");
    int m = x->constraints->constraint_count, n = x->n, least = m < n ? m : n, rank = 0;
    x->G = zeros(m, n);
    x->s = zeros(least, 1);
    x->U = zeros(m, m);
    x->V = zeros(n, n);
    if (x->G == NULL || x->s == NULL || x->U == NULL || x->V == NULL) return no_memory(out);
    memcpy(x->G, x->constraints->G, (size_t)m * (size_t)n * sizeof(double));
    for (int i = 0; m == 0 && i < n; ++i)
        *at(x->V, n, i, i) = 1.0;
    lapack_int info = m > 0 ? LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', m, n, x->G, m, x->s, x->U, m, x->V, n) : 0;
    if (info == LAPACK_WORK_MEMORY_ERROR) return no_memory(out);
    if (info != 0) return fail(out, ER_ERROR_NO_CONVERGENCE, "dgesdd did not converge");
    while (rank < least && x->s[rank] > tol * x->s[0])
        ++rank;
    x->dof = n - rank;
    x->N = x->V + rank;
    return ER_OK;
}

// M~ = N' M N and K~ = N' R' K R N.
static er_result reduce(source *x, bench_shapes *out)
{
    int n = x->n, d = x->dof, c = x->model->coordinate_count;
    x->MN = zeros(n, d);
    x->RN = zeros(c, d);
    x->M = zeros(d, d);
    x->K = zeros(d, d);
    x->eigenvalue = zeros(d, 1);
    if (x->MN == NULL || x->RN == NULL || x->M == NULL || x->K == NULL || x->eigenvalue == NULL) return no_memory(out);
    for (int b = 0; b < x->model->body_count; ++b) {
        matrix6 inertia; // symmetric: its rows are its columns
        spatial_inertia(&x->model->body[b], inertia);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, 6, d, 6, 1.0, inertia[0], 6,
                    x->N + 6 * (size_t)b * (size_t)n, n, 0.0, x->MN + 6 * b, n);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, d, d, n, 1.0, x->N, n, x->MN, n, 0.0, x->M, d);
    if (c == 0) return ER_OK;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, c, d, n, 1.0, x->constraints->R, c, x->N, n, 0.0, x->RN, c);
    for (int k = 0; k < x->model->joint_count; ++k)
        for (int i = x->model->coordinate[k]; i < x->model->coordinate[k + 1]; ++i)
            cblas_dscal(d, sqrt(x->model->joint[k].stiffness[i - x->model->coordinate[k]]), x->RN + i, c);
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, d, c, 1.0, x->RN, c, 0.0, x->K, d);
    return ER_OK;
}

// eta = N u and q = R eta.
static void shape(source *x, bench_shapes *out)
{
    int n = x->n, c = x->model->coordinate_count;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, out->count, x->dof, 1.0, x->N, n, x->K, x->dof, 0.0,
                out->body, n);
    if (c > 0)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, c, out->count, n, 1.0, x->constraints->R, c, out->body,
                    n, 0.0, out->joint, c);
    for (int k = 0; k < out->count; ++k)
        out->hz[k] = hertz(x->eigenvalue[k]);
}

static er_result solve_source(er_context *context, const er_model *model, bench_shapes *out)
{
    source x = {.model = model, .n = 6 * model->body_count};
    er_result r = null_space(context, &x, out);
    if (r == ER_OK) r = open_shapes(model, x.dof, out);
    if (r == ER_OK) r = reduce(&x, out);
    if (r == ER_OK)
        r = check_pencil(LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', x.dof, x.K, x.dof, x.M, x.dof, x.eigenvalue),
                         x.dof, out);
    if (r == ER_OK) shape(&x, out);
    source_free(&x);
    return r;
}

// ---- all rivals

static bool all_stiff(const er_model *model)
{
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = 0; c < er_joint_type_freedom(model->joint[k].type, NULL); ++c)
            if (!(model->joint[k].stiffness[c] > 0.0)) return false;
    return true;
}

er_result bench_rival_solve(er_context *context, const er_model *model, bench_rival rival, int count, bench_shapes *out)
{
    *out = (bench_shapes){.count = count, .why = ""};
    if (!all_stiff(model)) return fail(out, ER_ERROR_RIG, "a joint has no stiffness");
    for (int b = 0; b < model->body_count; ++b)
        if (model->tree_joint[b] < 0) out->rigid += 6;
    return rival == BENCH_SOURCE ? solve_source(context, model, out) : solve_tree(model, rival, out);
}

void bench_shapes_free(bench_shapes *shapes)
{
    free(shapes->hz);
    free(shapes->body);
    free(shapes->joint);
    *shapes = (bench_shapes){.why = ""};
}
