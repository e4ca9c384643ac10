// The matrices of a rig as triplets: M, K and C block by block, G and R joint by joint, N column by column of a
// spanning tree.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modal/motions.h"
#include "model/forest/loops.h"
#include "model/rows.h"

// --- triplets under construction

typedef struct sparse {
    er_triplets shape;
    int *row, *column;
    double *value;
} sparse;

static er_result begin(er_arena *arena, int rows, int columns, size_t most, sparse *out)
{
    er_result r = ER_OK;
    *out = (sparse){.shape = {.row_count = rows, .column_count = columns}};
    ERI_TRY_RESERVE(out->row, arena, int, most);
    ERI_TRY_RESERVE(out->column, arena, int, most);
    ERI_TRY_RESERVE(out->value, arena, double, most);
done:
    return r;
}

static void put(sparse *s, int row, int column, double value)
{
    if (value == 0.0) return;
    int at = s->shape.count++;
    s->row[at] = row;
    s->column[at] = column;
    s->value[at] = value;
}

static er_triplets end(const sparse *s)
{
    er_triplets t = s->shape;
    t.row = s->row;
    t.column = s->column;
    t.value = s->value;
    return t;
}

// --- M, K, C

// M_b = [J - m[c][c], m[c]; -m[c], m 1], J the inertia about the centre of mass c.   Source: docs/theory.md 1, (4-6).
static void put_body(sparse *M, const er_body *body, int index)
{
    er_mat3 c = er_m3_skew(body->com), square = er_m3_mul(c, c);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            int row = 6 * index + i, column = 6 * index + k;
            put(M, row, column, body->inertia.m[i][k] - body->mass * square.m[i][k]);
            put(M, row, column + 3, body->mass * c.m[i][k]);
            put(M, row + 3, column, -body->mass * c.m[i][k]);
            put(M, row + 3, column + 3, i == k ? body->mass : 0.0);
        }
}

static er_result make_mass(er_arena *arena, const er_model *model, er_triplets *out)
{
    er_result r = ER_OK;
    sparse M;
    ERI_TRY(begin(arena, 6 * model->body_count, 6 * model->body_count, 36 * (size_t)model->body_count, &M));
    for (int b = 0; b < model->body_count; ++b)
        put_body(&M, &model->body[b], b);
    *out = end(&M);
done:
    return r;
}

static er_result make_springs(er_arena *arena, const er_model *model, er_modal_matrices *m)
{
    er_result r = ER_OK;
    int count = model->coordinate_count, *coordinate_joint, *coordinate_axis;
    sparse K, C;
    ERI_TRY(begin(arena, count, count, (size_t)count, &K));
    ERI_TRY(begin(arena, count, count, (size_t)count, &C));
    ERI_TRY_NEW(coordinate_joint, arena, int, count);
    ERI_TRY_NEW(coordinate_axis, arena, int, count);
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        int first = model->coordinate[k], free_count = er_joint_type_freedom(j->type, coordinate_axis + first);
        for (int i = 0; i < free_count; ++i) {
            put(&K, first + i, first + i, j->stiffness[i]);
            put(&C, first + i, first + i, j->damping[i]);
            coordinate_joint[first + i] = k;
        }
    }
    m->K = end(&K);
    m->C = end(&C);
    m->coordinate_joint = coordinate_joint;
    m->coordinate_axis = coordinate_axis;
done:
    return r;
}

// --- G, R

typedef struct joint_rows {
    sparse G, R;
    int *constraint_joint, *constraint_axis;
    int constraint; // rows of G so far
} joint_rows;

static void put_end(sparse *s, int row, const double *rates, int body, double sign)
{
    for (int k = 0; k < 6; ++k)
        put(s, row, 6 * body + k, sign * rates[k]);
}

static void put_joint(joint_rows *s, const er_model *model, int joint, const er_pose *pose)
{
    const er_joint *j = &model->joint[joint];
    eri_joint_frame frame = eri_joint_frame_at(model, joint, pose);
    double child[6][6], parent[6][6];
    int coordinate = model->coordinate[joint], end = model->coordinate[joint + 1], axis[6];
    er_joint_type_freedom(j->type, axis);
    eri_joint_end_rows(&frame, pose[j->child], child);
    if (j->parent >= 0) eri_joint_end_rows(&frame, pose[j->parent], parent);
    for (int i = 0; i < 6; ++i) {
        bool is_free = coordinate < end && axis[coordinate - model->coordinate[joint]] == i;
        int row = is_free ? coordinate++ : s->constraint;
        put_end(is_free ? &s->R : &s->G, row, child[i], j->child, 1.0);
        if (j->parent >= 0) put_end(is_free ? &s->R : &s->G, row, parent[i], j->parent, -1.0);
        if (is_free) continue;
        s->constraint_joint[row] = joint;
        s->constraint_axis[row] = i;
        ++s->constraint;
    }
}

static er_result make_rows(er_arena *arena, const er_model *model, er_modal_matrices *m)
{
    er_result r = ER_OK;
    int coordinates = model->coordinate_count, constraints = 6 * model->joint_count - coordinates,
        columns = 6 * model->body_count;
    joint_rows s = {.constraint = 0};
    ERI_TRY(begin(arena, constraints, columns, 12 * (size_t)constraints, &s.G));
    ERI_TRY(begin(arena, coordinates, columns, 12 * (size_t)coordinates, &s.R));
    ERI_TRY_NEW(s.constraint_joint, arena, int, constraints);
    ERI_TRY_NEW(s.constraint_axis, arena, int, constraints);
    for (int k = 0; k < model->joint_count; ++k)
        put_joint(&s, model, k, m->pose);
    m->G = end(&s.G);
    m->R = end(&s.R);
    m->constraint_joint = s.constraint_joint;
    m->constraint_axis = s.constraint_axis;
done:
    return r;
}

// --- N

// A column of N: a link's own, or what loops leave of several.
typedef struct motion {
    er_admissible of;
    int link, column;   // of the tree; -1: several
    const double *rate; // [coordinates of the tree], of several
} motion;

typedef struct motions {
    const eri_forest *tree;
    const er_pose *pose;
    int count;
    motion *motion;
    double *twist; // [6 n], zeros between columns
} motions;

// The link and its column that a coordinate of the tree is.
static motion motion_of(const eri_forest *t, int link, int column)
{
    const eri_link *l = &t->tree.link[link];
    motion m = {.of = {l->joint, -1, column}, .link = link, .column = column};
    if (l->joint < 0) {
        m.of.body = l->body;
        return m;
    }
    int axis[6];
    er_joint_type_freedom(l->type, axis);
    m.of.axis = axis[t->link[link].coordinate[column] - l->coordinate];
    return m;
}

static int in_order(const void *left, const void *right)
{
    const motion *a = left, *b = right;
    int kind_a = a->rate != NULL ? 2 : a->of.joint >= 0, kind_b = b->rate != NULL ? 2 : b->of.joint >= 0;
    if (kind_a != kind_b) return kind_a - kind_b;
    if (kind_a == 2) return (a->rate > b->rate) - (a->rate < b->rate);
    if (a->of.body != b->of.body) return a->of.body - b->of.body;
    if (a->of.joint != b->of.joint) return a->of.joint - b->of.joint;
    return a->of.axis - b->of.axis;
}

// Each coordinate of the tree by its place there.
static er_result list_coordinates(er_arena *scratch, const eri_forest *t, motion **out)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(*out, scratch, motion, t->spring_count + t->unsprung_count);
    for (int i = 0; i < t->link_count; ++i)
        for (int c = 0; c < t->link[i].freedom; ++c)
            (*out)[eri_forest_column(t, &t->link[i], c)] = motion_of(t, i, c);
done:
    return r;
}

// The coordinate that alone moves in a column of what loops leave; -1 where it is not one alone.
static int only_entry(eri_matrix closed, int column)
{
    const double *rate = eri_matrix_column(closed, column);
    int only = -1;
    for (int i = 0; i < closed.rows; ++i) {
        if (rate[i] == 0.0) continue;
        if (only >= 0) return -1;
        only = i;
    }
    return only;
}

static er_result close_loops(er_arena *scratch, motions *s, const motion *open)
{
    er_result r = ER_OK;
    const eri_forest *t = s->tree;
    eri_loops *loops;
    eri_matrix closed = {0};
    if (t->spring_count + t->unsprung_count > ER_MODAL_MAX_COORDINATES)
        return er_fail(eri_arena_context(scratch), ER_ERROR_RIG,
                       "the rig has %d coordinates and closed loops; N takes at most %d then",
                       t->spring_count + t->unsprung_count, ER_MODAL_MAX_COORDINATES);
    ERI_TRY(eri_loops_create(scratch, t, er_default_modal_def().rank_tol, &loops));
    ERI_TRY(eri_loops_basis(scratch, loops, t, &closed));
    ERI_TRY_NEW(s->motion, scratch, motion, closed.cols);
    s->count = closed.cols;
    for (int k = 0; k < closed.cols; ++k) {
        int only = only_entry(closed, k);
        s->motion[k] = only >= 0 ? open[only] : (motion){{-1, -1, -1}, -1, -1, eri_matrix_column(closed, k)};
    }
done:
    return r;
}

static void add_link(motions *s, int link, int column, double rate)
{
    const eri_tree *tree = &s->tree->tree;
    for (int k = link; k < eri_tree_end(tree, link); ++k) {
        int body = tree->link[k].body;
        double twist[6];
        eri_link_body_twist(&s->tree->link[link], column, &s->pose[body], twist);
        for (int i = 0; i < 6; ++i)
            s->twist[6 * (size_t)body + (size_t)i] += rate * twist[i];
    }
}

static void put_motion(sparse *N, motions *s, const motion *m, int column)
{
    const eri_forest *t = s->tree;
    int first = m->rate != NULL ? 0 : m->link, last = m->rate != NULL ? t->link_count : eri_tree_end(&t->tree, m->link);
    for (int i = first; i < last && m->rate != NULL; ++i)
        for (int c = 0; c < t->link[i].freedom; ++c) {
            double rate = m->rate[eri_forest_column(t, &t->link[i], c)];
            if (rate != 0.0) add_link(s, i, c, rate);
        }
    if (m->rate == NULL) add_link(s, m->link, m->column, 1.0);
    for (int k = first; k < last; ++k)
        for (int i = 6 * t->tree.link[k].body; i < 6 * t->tree.link[k].body + 6; ++i) {
            put(N, i, column, s->twist[i]);
            s->twist[i] = 0.0;
        }
}

static size_t entries_at_most(const motions *s)
{
    size_t most = 0;
    for (int k = 0; k < s->count; ++k) {
        const motion *m = &s->motion[k];
        most += 6 * (size_t)(m->rate != NULL ? s->tree->link_count : s->tree->tree.link[m->link].size);
    }
    return most;
}

static er_result make_motions(er_arena *arena, er_arena *scratch, const er_model *model, er_modal_matrices *m)
{
    enum { MOST_ENTRIES = 100000000 };
    er_result r = ER_OK;
    eri_forest *tree;
    motion *open;
    er_admissible *admissible;
    sparse N;
    motions s = {.pose = m->pose};
    ERI_TRY(eri_forest_create(scratch, model, &tree));
    eri_forest_set_pose(tree, model->body, m->pose);
    s.tree = tree;
    ERI_TRY(list_coordinates(scratch, tree, &open));
    s.motion = open;
    s.count = tree->spring_count + tree->unsprung_count;
    if (tree->loop_count > 0) ERI_TRY(close_loops(scratch, &s, open));
    qsort(s.motion, (size_t)s.count, sizeof *s.motion, in_order);
    size_t most = entries_at_most(&s);
    if (most > MOST_ENTRIES) {
        r = er_fail(eri_arena_context(arena), ER_ERROR_RIG,
                    "N of this rig would have some %zu entries; at most %d are written down", most, MOST_ENTRIES);
        goto done;
    }
    ERI_TRY(begin(arena, 6 * model->body_count, s.count, most, &N));
    ERI_TRY_NEW(s.twist, scratch, double, 6 * (size_t)model->body_count);
    ERI_TRY_NEW(admissible, arena, er_admissible, s.count);
    for (int k = 0; k < s.count; ++k) {
        put_motion(&N, &s, &s.motion[k], k);
        admissible[k] = s.motion[k].of;
    }
    m->N = end(&N);
    m->admissible = admissible;
done:
    return r;
}

// --- all of them

static const double TOGETHER = 1e-6; // of the size: G N is 0 to that

static er_result take_pose(er_arena *arena, const er_model *model, const er_pose *pose, const er_pose **out)
{
    er_result r = ER_OK;
    er_pose *copy;
    ERI_TRY_NEW(copy, arena, er_pose, model->body_count);
    for (int b = 0; b < model->body_count; ++b) {
        copy[b] = pose != NULL ? pose[b] : model->body[b].pose;
        if (!er_v3_finite(copy[b].p) || !(fabs(er_q_dot(copy[b].q, copy[b].q) - 1.0) < 1e-6))
            return er_fail(eri_arena_context(arena), ER_ERROR_ARGUMENT,
                           "the pose of body %d is not a finite place and a unit quaternion", b);
    }
    double gap = pose != NULL ? er_pose_joint_gap(model, pose) : 0.0;
    if (gap > TOGETHER * model->size)
        return er_fail(eri_arena_context(arena), ER_ERROR_ARGUMENT,
                       "joints of the pose stand %.2g m apart; their matrices hold where they are together", gap);
    *out = copy;
done:
    return r;
}

er_result er_modal_matrices_create(er_context *context, const er_model *model, const er_pose *pose,
                                   er_modal_matrices **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_modal_matrices_create needs a model");
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_modal_matrices *m;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(m, arena, er_modal_matrices, 1);
    ERI_TRY(take_pose(arena, model, pose, &m->pose));
    ERI_TRY(make_mass(arena, model, &m->M));
    ERI_TRY(make_springs(arena, model, m));
    ERI_TRY(make_rows(arena, model, m));
    ERI_TRY(make_motions(arena, scratch, model, m));
    m->arena = arena;
    *out = m;
    arena = NULL;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_modal_matrices_destroy(er_modal_matrices *matrices)
{
    if (matrices != NULL) eri_arena_destroy(matrices->arena);
}
