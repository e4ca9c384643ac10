// Loop joints as rows on the forest's coordinates, and the independent ones among their constraints.
#include "model/forest/loops.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/disjoint.h"

static double column_unit(const eri_forest *t, const eri_forest_link *l, int c)
{
    bool turns = l->S[c][0] != 0.0 || l->S[c][1] != 0.0 || l->S[c][2] != 0.0;
    return turns ? 1.0 : t->model->size;
}

// The rates of a joint's directions by a unit of a link's column c: a turn by 1 rad, or a shift by the rig's size.
static void joint_twist(const eri_forest *t, const eri_forest_link *l, int c, const eri_joint_frame *f, double sign,
                        double value[6])
{
    const double *s = l->S[c], size = t->model->size, unit = sign * column_unit(t, l, c);
    er_vec3 w = er_v3(s[0], s[1], s[2]), v = er_v3(s[3], s[4], s[5]);
    er_vec3 arm = er_v3_sub(f->at.p, er_v3(l->point[0], l->point[1], l->point[2]));
    er_mat3 to_joint = er_m3_transpose(er_m3_from_q(f->at.q));
    er_vec3 turn = er_m3_mul_v(to_joint, er_v3_scale(unit, w));
    w = er_m3_mul_v(f->rate, turn);
    v = er_m3_mul_v(to_joint, er_v3_scale(unit / size, er_v3_add(v, er_v3_cross(er_v3(s[0], s[1], s[2]), arm))));
    if (f->lead.z != 0.0) v.z -= er_v3_dot(f->lead, turn) / size;
    const double out[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    memcpy(value, out, sizeof out);
}

// The path from both ends of a loop joint up to where they meet: each link on it, and 1 on the child's side, -1 on the
// parent's.
typedef struct path {
    const eri_forest *tree;
    int child, parent; // links, -1 the world
    double sign;
} path;

static path path_of(const eri_forest *t, int joint)
{
    const er_joint *j = &t->model->joint[joint];
    const int *link = t->tree.link_of_body;
    return (path){t, link[j->child], j->parent < 0 ? -1 : link[j->parent], 0.0};
}

// NULL where the ends meet. Parents come before their children, so the later of two links cannot be above both.
static const eri_forest_link *next_link(path *p)
{
    if (p->child == p->parent) return NULL;
    int *later = p->child > p->parent ? &p->child : &p->parent;
    const eri_forest_link *l = &p->tree->link[*later];
    p->sign = later == &p->child ? 1.0 : -1.0;
    *later = p->tree->tree.link[*later].parent;
    return l;
}

static int count_entries(const eri_forest *t, int joint)
{
    int count = 0;
    path p = path_of(t, joint);
    for (const eri_forest_link *l; (l = next_link(&p)) != NULL;)
        count += l->freedom;
    return count;
}

static void set_entries(eri_loops *s, const eri_forest *t)
{
    for (int k = 0; k < s->loop_count; ++k) {
        eri_loop_entry *e = s->entry + s->loop[k].first;
        path p = path_of(t, s->loop[k].joint);
        for (const eri_forest_link *l; (l = next_link(&p)) != NULL;)
            for (int c = 0; c < l->freedom; ++c, ++e) {
                double scale = c < l->spring_count ? t->scale[l->spring + c] : 1.0;
                e->column = eri_forest_column(t, l, c);
                e->per = scale / column_unit(t, l, c);
                joint_twist(t, l, c, &t->loop_frame[k], p.sign, e->value);
            }
    }
}

void eri_loops_set_pose(eri_loops *s, const eri_forest *t)
{
    set_entries(s, t);
}

void eri_loops_set_stiffness(eri_loops *s, const eri_forest *t, const double *stiffness)
{
    set_entries(s, t);
    for (int k = 0; k < s->loop_count; ++k)
        for (int i = 0; i < 6; ++i)
            if (s->loop[k].coordinate[i] >= 0)
                s->loop[k].stiffness[i] = stiffness[s->loop[k].coordinate[i]] * s->loop[k].unit[i] * s->loop[k].unit[i];
}

// Which directions the joint constrains, and which springs it has in the others.
static void set_directions(const eri_forest *t, eri_loop *loop)
{
    const er_joint *j = &t->model->joint[loop->joint];
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    for (int i = 0; i < 6; ++i) {
        loop->coordinate[i] = -1;
        loop->unit[i] = i < 3 ? 1.0 : t->model->size;
    }
    for (int i = 0; i < count; ++i) {
        loop->coordinate[axis[i]] = t->model->coordinate[loop->joint] + i;
        loop->stiffness[axis[i]] = j->stiffness[i] * loop->unit[axis[i]] * loop->unit[axis[i]];
    }
}

// Loops that share columns, directly or through others, are decided together, on those columns.
typedef struct loop_cluster {
    eri_loops *loops;
    int *next;    // [loop_count], the next loop of the same cluster; -1: the last
    int *at;      // [columns of the tree], the place of a column among its cluster's (it has but one); -1: not met yet
    eri_matrix C; // [columns x rows], transposed: the residual of each row, unscaled, lengths in the rig's size
    int *row;     // [rows], of the loops
    bool *kept;   // [6 loop_count]
    double *part; // [rows]
} loop_cluster;

// Chains the loops of each cluster: `head` [loop_count] tells which is its first.
static er_result chain_loops(er_arena *scratch, loop_cluster *u, int columns, bool *head)
{
    er_result r = ER_OK;
    const eri_loops *s = u->loops;
    int *set, *last;
    ERI_TRY_NEW(set, scratch, int, columns);
    ERI_TRY_NEW(last, scratch, int, columns);
    for (int i = 0; i < columns; ++i) {
        set[i] = i;
        last[i] = -1;
    }
    for (int k = 0; k < s->loop_count; ++k)
        for (int i = s->loop[k].first + 1; i < s->loop[k].end; ++i)
            set[eri_set_find(set, s->entry[i].column)] = eri_set_find(set, s->entry[i - 1].column);
    for (int k = 0; k < s->loop_count; ++k) {
        bool empty = s->loop[k].first == s->loop[k].end;
        int *before = empty ? NULL : &last[eri_set_find(set, s->entry[s->loop[k].first].column)];
        head[k] = empty || *before < 0;
        u->next[k] = -1;
        if (!head[k]) u->next[*before] = k;
        if (!empty) *before = k;
    }
done:
    return r;
}

static const double most_work = 6e10; // a minute: some 3000 rows of a net of 2000 bodies

// The constraints of the cluster that starts with loop `head`, transposed.
static er_result gather(er_arena *scratch, loop_cluster *u, int head)
{
    er_result r = ER_OK;
    const eri_loops *s = u->loops;
    int rows = 0, columns = 0, row = 0;
    for (int k = head; k >= 0; k = u->next[k]) {
        for (const eri_loop_entry *e = s->entry + s->loop[k].first; e < s->entry + s->loop[k].end; ++e)
            if (u->at[e->column] < 0) u->at[e->column] = columns++;
        for (int i = 0; i < 6; ++i)
            rows += s->loop[k].coordinate[i] < 0;
    }
    if ((double)rows * rows * columns > most_work)
        return er_fail(eri_arena_context(scratch), ER_ERROR_RIG,
                       "%d constraints of loops that share joints are too many to tell the redundant ones apart", rows);
    ERI_TRY(eri_matrix_create(scratch, columns, rows, &u->C));
    ERI_TRY_NEW(u->row, scratch, int, rows);
    ERI_TRY_NEW(u->part, scratch, double, rows);
    for (int k = head; k >= 0; k = u->next[k])
        for (int i = 0; i < 6; ++i) {
            if (s->loop[k].coordinate[i] >= 0) continue;
            for (const eri_loop_entry *e = s->entry + s->loop[k].first; e < s->entry + s->loop[k].end; ++e)
                eri_matrix_column(u->C, row)[u->at[e->column]] = e->value[i];
            u->row[row++] = 6 * k + i;
        }
done:
    return r;
}

static double norm(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += x[i] * x[i];
    return sqrt(sum);
}

// Subtracts from all rows that are left their projections on row `chosen`.
static void subtract_projection(loop_cluster *u, int chosen, double size)
{
    eri_matrix C = u->C;
    double *q = eri_matrix_column(C, chosen);
    for (int i = 0; i < C.rows; ++i)
        q[i] /= size;
    eri_linalg_multiply_transposed(C.cols, 1, C.rows, C.a, C.rows, q, C.rows, u->part, C.cols);
    for (int k = 0; k < C.cols; ++k) {
        double *x = eri_matrix_column(C, k);
        if (u->kept[u->row[k]]) continue;
        for (int i = 0; i < C.rows; ++i)
            x[i] -= u->part[k] * q[i];
    }
}

// Keeps rows in their order while their residuals are large, then again with smaller ones: rows that are nearly
// dependent come last, as by pivoting, or their rounding would pass for an independent part.
static void keep_rows(loop_cluster *u, double tol)
{
    const double step = 1e-2;
    eri_loops *s = u->loops;
    for (double least = fmax(step, tol);; least = fmax(least * step, tol)) {
        for (int k = 0; k < u->C.cols; ++k) {
            double size = norm(eri_matrix_column(u->C, k), u->C.rows);
            if (u->kept[u->row[k]] || !(size > least)) continue;
            u->kept[u->row[k]] = true;
            s->smallest_kept = fmin(s->smallest_kept, size);
            subtract_projection(u, k, size);
        }
        if (!(least > tol)) break;
    }
    for (int k = 0; k < u->C.cols; ++k)
        if (!u->kept[u->row[k]]) s->largest_zero = fmax(s->largest_zero, norm(eri_matrix_column(u->C, k), u->C.rows));
}

// @param head  [loop_count], written
static er_result begin_clusters(er_arena *scratch, loop_cluster *u, int columns, bool **head)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(*head, scratch, bool, u->loops->loop_count);
    ERI_TRY_NEW(u->next, scratch, int, u->loops->loop_count);
    ERI_TRY_NEW(u->kept, scratch, bool, 6 * (size_t)u->loops->loop_count);
    ERI_TRY_NEW(u->at, scratch, int, columns);
    for (int i = 0; i < columns; ++i)
        u->at[i] = -1;
    ERI_TRY(chain_loops(scratch, u, columns, *head));
done:
    return r;
}

static er_result choose_rows(er_arena *arena, eri_loops *s, const eri_forest *t, double tol)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL, *own = NULL;
    loop_cluster u = {.loops = s};
    bool *head;
    ERI_TRY(eri_arena_create(eri_arena_context(arena), &scratch));
    ERI_TRY(begin_clusters(scratch, &u, t->spring_count + t->unsprung_count, &head));
    s->smallest_kept = 1.0;
    for (int k = 0; k < s->loop_count; ++k) {
        if (!head[k]) continue;
        ERI_TRY(eri_arena_create(eri_arena_context(arena), &own));
        ERI_TRY(gather(own, &u, k));
        keep_rows(&u, tol);
        eri_arena_destroy(own);
        own = NULL;
    }
    for (int i = 0; i < 6 * s->loop_count; ++i)
        if (s->loop[i / 6].coordinate[i % 6] < 0) {
            if (u.kept[i])
                s->kept[s->kept_count++] = i;
            else
                s->redundant[s->redundant_count++] = i;
        }
done:
    eri_arena_destroy(own);
    eri_arena_destroy(scratch);
    return r;
}

er_result eri_loops_create(er_arena *arena, const eri_forest *t, double tol, eri_loops **out)
{
    er_result r = ER_OK;
    eri_loops *s;
    long long entries = 0;
    ERI_TRY_NEW(s, arena, eri_loops, 1);
    s->loop_count = t->loop_count;
    ERI_TRY_NEW(s->loop, arena, eri_loop, s->loop_count);
    ERI_TRY_NEW(s->kept, arena, int, 6 * (size_t)s->loop_count);
    ERI_TRY_NEW(s->redundant, arena, int, 6 * (size_t)s->loop_count);
    for (int k = 0; k < s->loop_count; ++k) {
        s->loop[k].joint = t->loop[k];
        s->loop[k].first = (int)entries;
        entries += count_entries(t, t->loop[k]);
        if (entries > INT_MAX)
            return er_fail(eri_arena_context(arena), ER_ERROR_MEMORY, "the loops are too long and too many");
        s->loop[k].end = (int)entries;
        set_directions(t, &s->loop[k]);
    }
    ERI_TRY_RESERVE(s->entry, arena, eri_loop_entry, entries);
    set_entries(s, t);
    ERI_TRY(choose_rows(arena, s, t, tol));
    *out = s;
done:
    return r;
}

er_result eri_loops_redundant(er_arena *arena, const eri_loops *s, er_redundant_row **out)
{
    er_redundant_row *row = ERI_NEW(arena, er_redundant_row, s->redundant_count);
    if (row == NULL) return ER_ERROR_MEMORY;
    for (int i = 0; i < s->redundant_count; ++i)
        row[i] = (er_redundant_row){s->loop[s->redundant[i] / 6].joint, s->redundant[i] % 6};
    *out = row;
    return ER_OK;
}

ERI_LANES_DO(rates, (const eri_loops *s, int springs, const eri_lanes *y, const eri_lanes *unsprung, eri_lanes *rate),
             (s, springs, y, unsprung, rate))
{
    for (int k = 0; k < s->loop_count; ++k, rate += 6) {
        eri_lanes sum[6] = {{0}};
        for (const eri_loop_entry *e = s->entry + s->loop[k].first; e < s->entry + s->loop[k].end; ++e) {
            eri_lanes x = e->per * (e->column < springs ? y[e->column] : unsprung[e->column - springs]);
            for (int i = 0; i < 6; ++i)
                sum[i] += e->value[i] * x;
        }
        memcpy(rate, sum, sizeof sum);
    }
}

ERI_LANES_DO(add_forces, (const eri_loops *s, int springs, const eri_lanes *force, eri_lanes *y, eri_lanes *unsprung),
             (s, springs, force, y, unsprung))
{
    for (int k = 0; k < s->loop_count; ++k, force += 6)
        for (const eri_loop_entry *e = s->entry + s->loop[k].first; e < s->entry + s->loop[k].end; ++e) {
            eri_lanes sum = e->value[0] * force[0];
            for (int i = 1; i < 6; ++i)
                sum += e->value[i] * force[i];
            *(e->column < springs ? &y[e->column] : &unsprung[e->column - springs]) += e->per * sum;
        }
}

void eri_loops_rates(const eri_loops *s, const eri_forest *t, const eri_lanes *y, const eri_lanes *unsprung,
                     eri_lanes *rate)
{
    rates(s, t->spring_count, y, unsprung, rate);
}

void eri_loops_add_forces(const eri_loops *s, const eri_forest *t, const eri_lanes *force, eri_lanes *y,
                          eri_lanes *unsprung)
{
    add_forces(s, t->spring_count, force, y, unsprung);
}

// The motions of one cluster's columns, from column `first` of `out` on.
static er_result cluster_basis(er_arena *own, const loop_cluster *u, int head, const double *unit, eri_matrix out,
                               int *first)
{
    er_result r = ER_OK;
    const eri_loops *s = u->loops;
    eri_matrix C = {0}, Q = {0};
    double *diagonal;
    int rank = 0;
    ERI_TRY(eri_matrix_create(own, u->C.rows, u->C.cols, &C));
    for (int k = 0; k < u->C.cols; ++k)
        if (u->kept[u->row[k]])
            memcpy(eri_matrix_column(C, rank++), eri_matrix_column(u->C, k), (size_t)C.rows * sizeof(double));
    C.cols = rank;
    ERI_TRY(eri_linalg_pivoted_qr(own, C, &diagonal, &Q));
    for (int k = head; k >= 0; k = u->next[k])
        for (const eri_loop_entry *e = s->entry + s->loop[k].first; e < s->entry + s->loop[k].end; ++e)
            for (int i = rank; i < C.rows; ++i)
                eri_matrix_column(out, *first + i - rank)[e->column] =
                    eri_matrix_column(Q, i)[u->at[e->column]] * unit[e->column];
    *first += C.rows - rank;
done:
    return r;
}

// By clusters, so that motions of one are exactly 0 in all others.
er_result eri_loops_basis(er_arena *arena, const eri_loops *s, const eri_forest *t, eri_matrix *out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL, *own = NULL;
    loop_cluster u = {.loops = (eri_loops *)s}; // read only
    double *unit;
    bool *head;
    int columns = t->spring_count + t->unsprung_count, found = 0;
    ERI_TRY(eri_arena_create(eri_arena_context(arena), &scratch));
    ERI_TRY_NEW(unit, scratch, double, columns);
    for (int i = 0; i < t->link_count; ++i)
        for (int c = 0; c < t->link[i].freedom; ++c)
            unit[eri_forest_column(t, &t->link[i], c)] = column_unit(t, &t->link[i], c);
    ERI_TRY(begin_clusters(scratch, &u, columns, &head));
    for (int i = 0; i < s->kept_count; ++i)
        u.kept[s->kept[i]] = true;
    ERI_TRY(eri_matrix_create(arena, columns, columns - s->kept_count, out));
    for (int k = 0; k < s->loop_count; ++k) {
        if (!head[k]) continue;
        ERI_TRY(eri_arena_create(eri_arena_context(arena), &own));
        ERI_TRY(gather(own, &u, k));
        ERI_TRY(cluster_basis(own, &u, k, unit, *out, &found));
        eri_arena_destroy(own);
        own = NULL;
    }
    for (int i = 0; i < columns; ++i)
        if (u.at[i] < 0) eri_matrix_column(*out, found++)[i] = unit[i];
done:
    eri_arena_destroy(own);
    eri_arena_destroy(scratch);
    return r;
}
