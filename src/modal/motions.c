#include "modal/motions.h"

#include <string.h>

#include <eigenrig/nullspace.h>

#include "tree/loops.h"

// N of G with lengths in units of the rig's size, so that rank and basis do not depend on the unit of length.
static er_result motions_of_constraints(er_arena *scratch, const er_model *model, const er_constraints *c,
                                        const er_modal_def *def, er_modes *modes, er_matrix *N)
{
    er_result r = ER_OK;
    er_nullspace *nullspace = NULL;
    int m = c->constraint_count, n = c->column_count;
    er_matrix G = {0};
    ER_TRY(er_matrix_create(scratch, m, n, &G));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            er_matrix_column(G, j)[i] = c->G[(size_t)i + (size_t)j * (size_t)m] * (j % 6 < 3 ? 1.0 : model->size);
    er_nullspace_method method = def->method == ER_MODAL_SVD ? ER_NULLSPACE_SVD : ER_NULLSPACE_QR;
    ER_TRY(er_nullspace_create(er_arena_context(scratch), method, m, n, G.a, def->rank_tol, &nullspace));
    ER_TRY(er_matrix_create(scratch, n, nullspace->nullity, N));
    for (int j = 0; j < N->cols; ++j)
        for (int i = 0; i < n; ++i)
            er_matrix_column(*N, j)[i] =
                nullspace->basis[(size_t)i + (size_t)j * (size_t)n] * (i % 6 < 3 ? 1.0 : model->size);
    modes->rank = nullspace->rank;
    modes->rank_smallest_kept = nullspace->smallest_kept;
    modes->rank_largest_zero = nullspace->largest_zero;
done:
    er_nullspace_destroy(nullspace);
    return r;
}

// The twist of a body's frame, in its axes, that a column of a link gives it.
static void body_twist(const er_link *l, int column, const er_pose *pose, double *out)
{
    const double *S = l->S[column];
    er_vec3 w = er_v3(S[0], S[1], S[2]), arm = er_v3_sub(pose->p, er_v3(l->point[0], l->point[1], l->point[2]));
    er_vec3 v = er_v3_add(er_v3(S[3], S[4], S[5]), er_v3_cross(w, arm));
    er_mat3 to_body = er_m3_transpose(er_m3_from_q(pose->q));
    w = er_m3_mul_v(to_body, w);
    v = er_m3_mul_v(to_body, v);
    const double twist[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    memcpy(out, twist, sizeof twist);
}

// N of the tree, written down (a column moves the subtree of its link), times the rates that loops leave it.
static er_result motions_of_tree(er_arena *scratch, const er_tree *t, const er_loops *loops, er_modes *modes,
                                 er_matrix *N)
{
    er_result r = ER_OK;
    er_matrix open = {0}, closed = {0};
    ER_TRY(er_matrix_create(scratch, 6 * t->link_count, t->spring_count + t->slack_count, &open));
    for (int i = 0; i < t->link_count; ++i)
        for (int c = 0; c < t->link[i].freedom; ++c) {
            double *column = er_matrix_column(open, er_link_column(t, &t->link[i], c));
            for (int k = i; k < t->link[i].end; ++k) {
                int body = t->link[k].body;
                body_twist(&t->link[i], c, &t->model->body[body].pose, column + 6 * (size_t)body);
            }
        }
    ER_TRY(er_loops_basis(scratch, loops, t, &closed));
    ER_TRY(er_matrix_product(scratch, false, open, false, closed, N));
    modes->rank = modes->constraint_count - loops->redundant_count;
    modes->rank_smallest_kept = loops->smallest_kept;
    modes->rank_largest_zero = loops->largest_zero;
done:
    return r;
}

er_result er_modal_motions(er_arena *scratch, const er_model *model, const er_constraints *constraints,
                           const er_modal_def *def, er_modes *modes, er_matrix *N)
{
    er_result r = ER_OK;
    er_tree *tree;
    er_loops *loops = NULL;
    er_redundant_row *row;
    ER_TRY(er_tree_create(scratch, model, &tree));
    r = er_loops_create(scratch, tree, def->rank_tol, &loops);
    if (r != ER_ERROR_RIG || def->method == ER_MODAL_TREE) ER_TRY(r); // factoring G only lacks the names then
    if (r == ER_OK) {
        ER_TRY(er_loops_redundant(modes->arena, loops, &row));
        modes->redundant = row;
        modes->redundant_count = loops->redundant_count;
    }
    modes->constraint_count = constraints->constraint_count;
    modes->method = def->method;
    ER_TRY(def->method == ER_MODAL_TREE ? motions_of_tree(scratch, tree, loops, modes, N)
                                        : motions_of_constraints(scratch, model, constraints, def, modes, N));
    modes->dof = N->cols;
done:
    return r;
}
