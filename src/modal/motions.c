// Bases of the motions that joints allow, N of theory.md 4: by factoring G, or by the coordinates of a spanning tree.
#include "modal/motions.h"

#include <math.h>
#include <string.h>

#include <eigenrig/math.h>

#include "base/disjoint.h"
#include "model/forest/loops.h"

// Bodies that joints tie to each other, directly or through others; the world ties nothing.
typedef struct parts {
    int count;
    int *part;      // [body_count], which one a body is in
    int *place;     // [body_count], its place in there
    int *bodies;    // [count], how many
    double *length; // [count], the diagonal of the box about its joints, frames and centres of mass; the rig's size of
                    // a point
} parts;

static void extend(er_vec3 box[2], er_vec3 p)
{
    box[0] = er_v3(fmin(box[0].x, p.x), fmin(box[0].y, p.y), fmin(box[0].z, p.z));
    box[1] = er_v3(fmax(box[1].x, p.x), fmax(box[1].y, p.y), fmax(box[1].z, p.z));
}

static double length_of(const er_model *model, const parts *p, int part)
{
    er_vec3 box[2] = {er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), er_v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
    for (int b = 0; b < model->body_count; ++b) {
        if (p->part[b] != part) continue;
        extend(box, model->body[b].pose.p);
        extend(box, er_pose_point(model->body[b].pose, model->body[b].com));
    }
    for (int k = 0; k < model->joint_count; ++k)
        if (p->part[model->joint[k].child] == part) extend(box, model->joint[k].frame.p);
    double length = er_v3_distance(box[0], box[1]);
    return length > 0.0 ? length : model->size;
}

static er_result find_parts(er_arena *scratch, const er_model *model, parts *p)
{
    er_result r = ER_OK;
    int n = model->body_count, *set;
    ERI_TRY_NEW(set, scratch, int, n);
    ERI_TRY_NEW(p->part, scratch, int, n);
    ERI_TRY_NEW(p->place, scratch, int, n);
    ERI_TRY_NEW(p->bodies, scratch, int, n);
    ERI_TRY_NEW(p->length, scratch, double, n);
    for (int i = 0; i < n; ++i)
        set[i] = i;
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (j->parent >= 0) set[eri_set_find(set, j->child)] = eri_set_find(set, j->parent);
    }
    p->count = 0;
    for (int i = 0; i < n; ++i)
        if (set[i] == i) p->part[i] = p->count++;
    for (int i = 0; i < n; ++i) {
        p->part[i] = p->part[eri_set_find(set, i)];
        p->place[i] = p->bodies[p->part[i]]++;
    }
    for (int k = 0; k < p->count; ++k)
        p->length[k] = length_of(model, p, k);
done:
    return r;
}

// The rows and columns of G that belong to one part, lengths in units of its own, so that rank and basis do not depend
// on the unit of length, nor on what else there is.
static er_result constraints_of(er_arena *scratch, const er_model *model, const er_constraints *c, const parts *p,
                                int part, eri_matrix *out)
{
    er_result r = ER_OK;
    int m = c->constraint_count, rows = 0;
    for (int i = 0; i < m; ++i)
        rows += p->part[model->joint[c->constraint_joint[i]].child] == part;
    ERI_TRY(eri_matrix_create(scratch, rows, 6 * p->bodies[part], out));
    for (int i = 0, row = 0; i < m; ++i) {
        const er_joint *joint = &model->joint[c->constraint_joint[i]];
        const int end[2] = {joint->child, joint->parent};
        if (p->part[joint->child] != part) continue;
        for (int e = 0; e < 2; ++e)
            for (int k = 0; k < 6 && end[e] >= 0; ++k)
                eri_matrix_column(*out, 6 * p->place[end[e]] + k)[row] =
                    c->G[(size_t)i + (size_t)(6 * end[e] + k) * (size_t)m] * (k < 3 ? 1.0 : p->length[part]);
        ++row;
    }
done:
    return r;
}

// N of G, part by part: a motion of one part is then exactly 0 in all others. Found together, rounding would mix
// them, and rounding of a heavy part is a large motion of a light one.
static er_result motions_of_constraints(er_arena *scratch, const er_model *model, const er_constraints *c,
                                        const er_modal_def *def, er_modes *modes, eri_matrix *N)
{
    er_result r = ER_OK;
    er_nullspace_method method = def->method == ER_MODAL_SVD ? ER_NULLSPACE_SVD : ER_NULLSPACE_QR;
    er_nullspace **of = NULL;
    parts p = {0};
    int at = 0;
    ERI_TRY(find_parts(scratch, model, &p));
    ERI_TRY_NEW(of, scratch, er_nullspace *, p.count);
    modes->rank_smallest_kept = 1.0;
    for (int k = 0; k < p.count; ++k) {
        eri_matrix G = {0};
        ERI_TRY(constraints_of(scratch, model, c, &p, k, &G));
        ERI_TRY(er_nullspace_create(eri_arena_context(scratch), method, G.rows, G.cols, G.a, def->rank_tol, &of[k]));
        modes->rank += of[k]->rank;
        modes->rank_smallest_kept = fmin(modes->rank_smallest_kept, of[k]->smallest_kept);
        modes->rank_largest_zero = fmax(modes->rank_largest_zero, of[k]->largest_zero);
    }
    ERI_TRY(eri_matrix_create(scratch, c->column_count, c->column_count - modes->rank, N));
    for (int k = 0; k < p.count; at += of[k++]->nullity)
        for (int b = 0; b < model->body_count; ++b)
            for (int j = 0; j < of[k]->nullity && p.part[b] == k; ++j) {
                const double *from = of[k]->basis + 6 * p.place[b] + (size_t)j * (size_t)of[k]->column_count;
                for (int i = 0; i < 6; ++i)
                    eri_matrix_column(*N, at + j)[6 * b + i] = from[i] * (i < 3 ? 1.0 : p.length[k]);
            }
done:
    for (int k = 0; k < p.count && of != NULL; ++k)
        er_nullspace_destroy(of[k]);
    return r;
}

void eri_link_body_twist(const eri_forest_link *l, int column, const er_pose *pose, double *twist)
{
    const double *S = l->S[column];
    er_vec3 w = er_v3(S[0], S[1], S[2]), arm = er_v3_sub(pose->p, er_v3(l->point[0], l->point[1], l->point[2]));
    er_vec3 v = er_v3_add(er_v3(S[3], S[4], S[5]), er_v3_cross(w, arm));
    er_mat3 to_body = er_m3_transpose(er_m3_from_q(pose->q));
    w = er_m3_mul_v(to_body, w);
    v = er_m3_mul_v(to_body, v);
    const double all[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    memcpy(twist, all, sizeof all);
}

// N of the tree, written down (a column moves the subtree of its link), times the rates that loops leave it.
static er_result motions_of_tree(er_arena *scratch, const eri_forest *t, const eri_loops *loops, er_modes *modes,
                                 eri_matrix *N)
{
    er_result r = ER_OK;
    eri_matrix open = {0}, closed = {0};
    ERI_TRY(eri_matrix_create(scratch, 6 * t->link_count, t->spring_count + t->unsprung_count, &open));
    for (int i = 0; i < t->link_count; ++i)
        for (int c = 0; c < t->link[i].freedom; ++c) {
            double *column = eri_matrix_column(open, eri_forest_column(t, &t->link[i], c));
            for (int k = i; k < eri_tree_end(&t->tree, i); ++k) {
                int body = t->tree.link[k].body;
                eri_link_body_twist(&t->link[i], c, &t->model->body[body].pose, column + 6 * (size_t)body);
            }
        }
    ERI_TRY(eri_loops_basis(scratch, loops, t, &closed));
    ERI_TRY(eri_matrix_product(scratch, false, open, false, closed, N));
    modes->rank = modes->constraint_count - loops->redundant_count;
    modes->rank_smallest_kept = loops->smallest_kept;
    modes->rank_largest_zero = loops->largest_zero;
done:
    return r;
}

er_result eri_modal_motions(er_arena *scratch, const er_model *model, const er_constraints *constraints,
                            const er_modal_def *def, er_modes *modes, eri_matrix *N)
{
    er_result r = ER_OK;
    eri_forest *tree;
    eri_loops *loops = NULL;
    er_redundant_row *row;
    ERI_TRY(eri_forest_create(scratch, model, &tree));
    r = eri_loops_create(scratch, tree, def->rank_tol, &loops);
    if (r != ER_ERROR_RIG || def->method == ER_MODAL_TREE) ERI_TRY(r); // factoring G only lacks the names then
    if (r == ER_OK) {
        ERI_TRY(eri_loops_redundant(modes->arena, loops, &row));
        modes->redundant = row;
        modes->redundant_count = loops->redundant_count;
    }
    modes->constraint_count = constraints->constraint_count;
    modes->method = def->method;
    ERI_TRY(def->method == ER_MODAL_TREE ? motions_of_tree(scratch, tree, loops, modes, N)
                                         : motions_of_constraints(scratch, model, constraints, def, modes, N));
    modes->dof = N->cols;
done:
    return r;
}
