// The pencil of a rig with closed loops, by sweeps over its tree bordered by the rows of the loops.
// Rows r of closed loops: C u = 0 for constraints, C u = mu / k for springs of loop joints, mu their forces. With
// D = diag(0; 1/k) the pencil of the closed rig is the tree's, H = K - sigma M, bordered:
//   [ H  C' ] [ u  ]   [ f ]        u = H^-1 (f - C'mu),  S mu = C H^-1 f,  S = C H^-1 C' + D
//   [ C  -D ] [ mu ] = [ 0 ]        eigenvalues below sigma: neg(H) - neg(S) (Sylvester)
// C has columns of springs and of unsprung coordinates, C = [Cy Cz]. The unsprung rates z of a shape solve
// Cz z = rhs - Cy y with the least kinetic energy; as many rows as Cz has rank determine them, and the others follow.
#include "modal/loop_pencil.h"

#include <math.h>
#include <string.h>

#include "modal/mode_shape.h"
#include "modal/orthonormal_blocks.h"

// The columns, within a range of the tree's, that loops touch.
typedef struct reach {
    int first, end, count;
    int *column; // [count], ascending, from `first` on
    int *place;  // of each column of the range in that list
} reach;

struct loop_parts {
    er_arena *scratch; // emptied and filled anew by each eri_loop_pencil_prepare()
    double tol;
    int rows;
    double *compliance; // [rows], D: 1 / k of springs, 0 of constraints
    reach touched_springs, touched_unsprung;
    double *unit;          // [touched_unsprung.count], rate of one of turns by the unit angle, shifts by the rig's size
    int rank;              // of Cz
    int *pivot;            // [rows]: first the `rank` rows that determine the unsprung rates, then the others
    eri_matrix L;          // [rank x rank], Cz Mzz^-1 Cz' of those rows: Cholesky factor
    eri_matrix complement; // [touched_springs.count + sprung x rows - rank], orthonormal: the orthogonal complement of
                           // the closed shapes
    eri_lanes *touched_part; // [touched_springs.count + sprung], that part of a shape
    // zero modes
    int rigid_untouched, rigid_touched, other_untouched;
    int *untouched;  // [rigid_untouched + other_untouched], unsprung columns that no loop touches: of roots, then of
                     // other joints
    eri_matrix free; // [touched_unsprung.count x zeros that loops touch], orthonormal: rigid ones first
    // factorisation
    double *S; // [8][rows x rows]
    int *swap; // [8][rows]
    double *work;
    double *one;                                   // [rows]
    eri_lanes *row_rate, *row_force;               // [6 loop_count]
    eri_lanes *mu;                                 // [rows]
    eri_lanes *y, *Ay, *unsprung, *unsprung_force; // [N], [N], [unsprung_count], [unsprung_count]
};

enum { MOST_ROWS = 4096 }; // S of eight shifts then takes 1 GiB

// ---- what the geometry decides

static er_result find_reach(er_arena *arena, const eri_loops *loops, int first, int end, reach *out)
{
    er_result r = ER_OK;
    out->first = first;
    out->end = end;
    out->count = 0;
    ERI_TRY_NEW(out->column, arena, int, end - first);
    ERI_TRY_NEW(out->place, arena, int, end - first);
    for (int k = 0; k < loops->loop_count; ++k)
        for (const eri_loop_entry *e = loops->entry + loops->loop[k].first; e < loops->entry + loops->loop[k].end; ++e)
            if (e->column >= first && e->column < end) out->place[e->column - first] = 1;
    for (int i = 0; i < end - first; ++i) {
        bool touched = out->place[i] == 1;
        out->place[i] = touched ? out->count : -1;
        if (touched) out->column[out->count++] = i;
    }
done:
    return r;
}

// Rows in those columns, transposed, in turns by the unit angle and shifts by the rig's size; with `scaled`, in y.
static er_result spread_rows(er_arena *arena, const eri_loops *loops, const reach *to, bool scaled, int count,
                             const int *row, eri_matrix *out)
{
    er_result r = ER_OK;
    ERI_TRY(eri_matrix_create(arena, to->count, count, out));
    for (int k = 0; k < count; ++k) {
        const eri_loop *loop = &loops->loop[row[k] / 6];
        for (const eri_loop_entry *e = loops->entry + loop->first; e < loops->entry + loop->end; ++e) {
            int place = e->column - to->first;
            if (place < 0 || e->column >= to->end || to->place[place] < 0) continue;
            eri_matrix_column(*out, k)[to->place[place]] = e->value[row[k] % 6] * (scaled ? e->per : 1.0);
        }
    }
done:
    return r;
}

// The distance of x from the span of Q's orthonormal columns, x replaced by its residual: Gram-Schmidt, twice, for the
// digits that the first pass loses.
static double distance_from(eri_matrix Q, double *x)
{
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < Q.cols; ++k) {
            const double *q = eri_matrix_column(Q, k);
            eri_linalg_axpy(Q.rows, -eri_linalg_dot(Q.rows, q, x), q, x);
        }
    return sqrt(eri_linalg_dot(Q.rows, x, x));
}

// Coordinates that the constraints lock: such a coordinate, as a row, depends on the rows kept.
static er_result find_locked(eri_loop_pencil *c, er_arena *scratch, const eri_forest *t, double tol)
{
    er_result r = ER_OK;
    const eri_loops *loops = c->loops;
    reach all;
    double *x;
    eri_matrix Q = {0}, own = {0};
    ERI_TRY(find_reach(scratch, loops, 0, t->spring_count + t->unsprung_count, &all));
    ERI_TRY(spread_rows(scratch, loops, &all, false, loops->kept_count, loops->kept, &Q));
    ERI_TRY(eri_linalg_orthonormalise(scratch, Q));
    ERI_TRY_NEW(x, scratch, double, all.count);
    for (int i = 0; i < t->link_count; ++i)
        for (int a = 0; a < t->link[i].freedom; ++a) {
            int column = all.place[eri_forest_column(t, &t->link[i], a)];
            double share = 0.0;
            if (column < 0) continue;
            for (int k = 0; k < Q.cols; ++k)
                share += eri_matrix_column(Q, k)[column] * eri_matrix_column(Q, k)[column];
            if (t->link[i].coordinate[a] < 0 || share < 0.9) continue;
            memset(x, 0, (size_t)all.count * sizeof *x);
            x[column] = 1.0;
            c->still[t->link[i].coordinate[a]] = distance_from(Q, x) <= tol;
        }
    for (int i = 0; i < 6 * loops->loop_count; ++i) {
        int coordinate = loops->loop[i / 6].coordinate[i % 6];
        if (coordinate < 0) continue;
        ERI_TRY(spread_rows(scratch, loops, &all, false, 1, &i, &own));
        c->still[coordinate] = distance_from(Q, own.a) <= tol;
    }
done:
    return r;
}

static er_result check_rows(er_arena *arena, int rows)
{
    if (rows <= MOST_ROWS) return ER_OK;
    return er_fail(eri_arena_context(arena), ER_ERROR_RIG,
                   "loops of %d constraints and springs are too many for the sparse route, which takes up to %d; "
                   "rigs of up to 2000 bodies go by qr",
                   rows, MOST_ROWS);
}

static int constraints_of_loops(const eri_forest *t)
{
    int count = 0;
    for (int k = 0; k < t->loop_count; ++k)
        count += 6 - er_joint_type_freedom(t->model->joint[t->loop[k]].type, NULL);
    return count;
}

er_result eri_loop_pencil_create(er_arena *arena, er_arena *result, const eri_forest *t, double tol,
                                 eri_loop_pencil **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    eri_loop_pencil *c;
    ERI_TRY(check_rows(arena, constraints_of_loops(t))); // before any work is done on too many
    ERI_TRY(eri_arena_create(eri_arena_context(arena), &scratch));
    ERI_TRY_NEW(c, arena, eri_loop_pencil, 1);
    ERI_TRY_NEW(c->parts, arena, struct loop_parts, 1);
    *out = c;
    c->arena = arena;
    c->parts->tol = tol;
    ERI_TRY(eri_loops_create(arena, t, tol, &c->loops));
    ERI_TRY(eri_loops_redundant(result, c->loops, &c->redundant));
    ERI_TRY_NEW(c->still, arena, bool, t->model->coordinate_count);
    ERI_TRY(find_locked(c, scratch, t, tol));
    ERI_TRY(eri_arena_create(eri_arena_context(arena), &c->parts->scratch));
done:
    eri_arena_destroy(scratch);
    return r;
}

void eri_loop_pencil_destroy(eri_loop_pencil *c)
{
    if (c != NULL) eri_arena_destroy(c->parts->scratch);
}

// ---- what stiffness and masses decide

// Constraints kept, then springs of loop joints, less those that cannot move.
static er_result list_rows(eri_loop_pencil *c)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    const eri_loops *loops = c->loops;
    int most = loops->kept_count + 6 * loops->loop_count, *row;
    double *root;
    ERI_TRY_NEW(row, p->scratch, int, most);
    ERI_TRY_NEW(root, p->scratch, double, most);
    ERI_TRY_NEW(p->compliance, p->scratch, double, most);
    c->constrained = loops->kept_count;
    c->sprung = 0;
    memcpy(row, loops->kept, (size_t)c->constrained * sizeof *row);
    for (int i = 0; i < 6 * loops->loop_count; ++i) {
        const eri_loop *loop = &loops->loop[i / 6];
        if (!(loop->stiffness[i % 6] > 0.0) || c->still[loop->coordinate[i % 6]]) continue;
        int k = c->constrained + c->sprung++;
        row[k] = i;
        root[k] = sqrt(loop->stiffness[i % 6]);
        p->compliance[k] = 1.0 / loop->stiffness[i % 6];
    }
    c->row = row;
    c->root = root;
    p->rows = c->constrained + c->sprung;
    ERI_TRY(check_rows(c->arena, p->rows));
done:
    return r;
}

static er_result list_unsprung(eri_loop_pencil *c, const eri_forest *t)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    const eri_loops *loops = c->loops;
    int N = t->spring_count, unsprung = t->unsprung_count;
    ERI_TRY(find_reach(p->scratch, loops, 0, N, &p->touched_springs));
    ERI_TRY(find_reach(p->scratch, loops, N, N + unsprung, &p->touched_unsprung));
    ERI_TRY_NEW(p->unit, p->scratch, double, p->touched_unsprung.count);
    ERI_TRY_NEW(p->untouched, p->scratch, int, unsprung);
    for (int k = 0; k < loops->loop_count; ++k)
        for (const eri_loop_entry *e = loops->entry + loops->loop[k].first; e < loops->entry + loops->loop[k].end; ++e)
            if (e->column >= N) p->unit[p->touched_unsprung.place[e->column - N]] = 1.0 / e->per;
    p->rigid_untouched = p->other_untouched = 0;
    for (int roots = 1; roots >= 0; --roots)
        for (int i = 0; i < t->link_count; ++i) {
            const eri_forest_link *l = &t->link[i];
            for (int a = l->spring_count; a < l->freedom && eri_forest_link_roots(t, i) == roots; ++a) {
                int z = l->unsprung + a - l->spring_count;
                if (p->touched_unsprung.place[z] >= 0) continue;
                p->untouched[p->rigid_untouched + p->other_untouched] = z;
                *(roots ? &p->rigid_untouched : &p->other_untouched) += 1;
            }
        }
done:
    return r;
}

// Rows [first, first + count) of the pivots as unit forces, one a lane; `unsprung_force` becomes what they do to the
// unsprung coordinates.
static void forces_of_rows(eri_loop_pencil *c, const eri_forest *t, int first, int count)
{
    struct loop_parts *p = c->parts;
    memset(p->row_force, 0, 6 * (size_t)c->loops->loop_count * sizeof *p->row_force);
    memset(p->y, 0, (size_t)t->spring_count * sizeof *p->y);
    memset(p->unsprung_force, 0, (size_t)t->unsprung_count * sizeof *p->unsprung_force);
    for (int k = 0; k < count; ++k)
        p->row_force[c->row[p->pivot[first + k]]][k] = 1.0;
    eri_loops_add_forces(c->loops, t, p->row_force, p->y, p->unsprung_force);
}

// L L' = Cz Mzz^-1 Cz' of the rows that determine the unsprung rates.
static er_result factor_unsprung(eri_loop_pencil *c, const eri_forest *t, const eri_condensed *condensed)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    ERI_TRY(eri_matrix_create(p->scratch, p->rank, p->rank, &p->L));
    for (int first = 0; first < p->rank; first += ERI_LANE_COUNT) {
        int count = p->rank - first < ERI_LANE_COUNT ? p->rank - first : ERI_LANE_COUNT;
        forces_of_rows(c, t, first, count);
        memset(p->y, 0, (size_t)t->spring_count * sizeof *p->y);
        eri_condensed_apply(condensed, t, p->y, p->unsprung_force, p->Ay, p->unsprung, NULL);
        eri_loops_rates(c->loops, t, p->y, p->unsprung, p->row_rate);
        for (int k = 0; k < count; ++k)
            for (int i = 0; i < p->rank; ++i)
                eri_matrix_column(p->L, first + k)[i] = p->row_rate[c->row[p->pivot[i]]][k];
    }
    ERI_TRY(eri_linalg_cholesky(eri_arena_context(p->scratch), p->L));
done:
    return r;
}

// X = T11^-1 T12: the other rows of Cz in terms of the first `rank`.
static er_result solve_upper(er_arena *arena, eri_matrix T, int rank, eri_matrix *X)
{
    er_result r = ER_OK;
    ERI_TRY(eri_matrix_create(arena, rank, T.cols - rank, X));
    for (int j = 0; j < X->cols; ++j) {
        double *x = eri_matrix_column(*X, j);
        memcpy(x, eri_matrix_column(T, rank + j), (size_t)rank * sizeof *x);
        for (int i = rank - 1; i >= 0; --i) {
            x[i] /= eri_matrix_column(T, i)[i];
            eri_linalg_axpy(i, -x[i], eri_matrix_column(T, i), x);
        }
    }
done:
    return r;
}

// The orthogonal complement of the closed shapes: combinations of rows without unsprung coordinates, in v (Cy y -
// k^-1/2 v of springs), made orthonormal.
static er_result find_complement(eri_loop_pencil *c, eri_matrix T, const int *block)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    int *row;
    eri_matrix V = {0}, rows = {0}, X = {0}, first, P = {0};
    ERI_TRY_NEW(row, p->scratch, int, p->rows);
    for (int k = 0; k < p->rows; ++k)
        row[k] = c->row[p->pivot[k]];
    ERI_TRY(spread_rows(p->scratch, c->loops, &p->touched_springs, true, p->rows, row, &rows));
    ERI_TRY(eri_matrix_create(p->scratch, rows.rows + c->sprung, p->rows, &V));
    for (int k = 0; k < p->rows; ++k) {
        memcpy(eri_matrix_column(V, k), eri_matrix_column(rows, k), (size_t)rows.rows * sizeof(double));
        if (p->pivot[k] >= c->constrained)
            eri_matrix_column(V, k)[rows.rows + p->pivot[k] - c->constrained] = -1.0 / c->root[p->pivot[k]];
    }
    first = eri_matrix_columns(V, 0, p->rank);
    p->complement = eri_matrix_columns(V, p->rank, p->rows - p->rank);
    ERI_TRY(solve_upper(p->scratch, T, p->rank, &X));
    for (int j = 0; j < X.cols; ++j) // loops that share no unsprung coordinate have nothing to do with each other
        for (int i = 0; i < X.rows; ++i)
            if (block[p->pivot[i]] != block[p->pivot[p->rank + j]]) eri_matrix_column(X, j)[i] = 0.0;
    ERI_TRY(eri_matrix_product(p->scratch, false, first, false, X, &P));
    for (int k = 0; k < P.cols; ++k)
        eri_linalg_axpy(P.rows, -1.0, eri_matrix_column(P, k), eri_matrix_column(p->complement, k));
    ERI_TRY(eri_orthonormal_blocks(p->scratch, p->complement, 1));
    ERI_TRY_NEW(p->touched_part, p->scratch, eri_lanes, V.rows);
done:
    return r;
}

// Motions of roots that loops touch (several bodies on the world by free joints) in which no other joint moves:
// [touched_unsprung.count x their number].
static er_result rigid_motions(eri_loop_pencil *c, const eri_forest *t, eri_matrix *out)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    const eri_loops *loops = c->loops;
    int *row, rows = 0, roots = 0, rank = 0, *root;
    double *diagonal;
    eri_matrix Cz = {0}, C = {0}, Q = {0};
    bool *is_root;
    ERI_TRY_NEW(is_root, p->scratch, bool, t->unsprung_count);
    ERI_TRY_NEW(row, p->scratch, int, 6 * (size_t)loops->loop_count);
    ERI_TRY_NEW(root, p->scratch, int, p->touched_unsprung.count);
    for (int i = 0; i < t->link_count; ++i)
        for (int z = t->link[i].unsprung; z < t->link[i].unsprung + t->link[i].freedom - t->link[i].spring_count; ++z)
            is_root[z] = eri_forest_link_roots(t, i);
    for (int i = 0; i < p->touched_unsprung.count; ++i)
        if (is_root[p->touched_unsprung.column[i]]) root[roots++] = i;
    for (int i = 0; i < 6 * loops->loop_count; ++i) {
        const eri_loop *loop = &loops->loop[i / 6];
        if (!eri_joint_is_free_root(&t->model->joint[loop->joint]) || loop->stiffness[i % 6] > 0.0) row[rows++] = i;
    }
    ERI_TRY(spread_rows(p->scratch, loops, &p->touched_unsprung, false, rows, row, &Cz));
    ERI_TRY(eri_matrix_create(p->scratch, roots, rows, &C));
    for (int k = 0; k < rows; ++k)
        for (int i = 0; i < roots; ++i)
            eri_matrix_column(C, k)[i] = eri_matrix_column(Cz, k)[root[i]];
    ERI_TRY(eri_linalg_pivoted_qr(p->scratch, C, &diagonal, &Q));
    while (rank < roots && rank < rows && diagonal[rank] > p->tol)
        ++rank;
    ERI_TRY(eri_matrix_create(p->scratch, p->touched_unsprung.count, roots - rank, out));
    for (int k = 0; k < roots - rank; ++k)
        for (int i = 0; i < roots; ++i)
            eri_matrix_column(*out, k)[root[i]] = eri_matrix_column(Q, rank + k)[i];
done:
    return r;
}

// An orthonormal basis of the unsprung motions that no row opposes, `null` in another order: rigid motions first.
static er_result free_motions(eri_loop_pencil *c, const eri_forest *t, eri_matrix null)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    double *diagonal;
    eri_matrix rigid = {0}, part = {0}, Q = {0};
    ERI_TRY(rigid_motions(c, t, &rigid));
    ERI_TRY(eri_matrix_product(p->scratch, true, null, false, rigid, &part));
    ERI_TRY(eri_linalg_pivoted_qr(p->scratch, part, &diagonal, &Q));
    ERI_TRY(eri_matrix_product(p->scratch, false, null, false, Q, &p->free));
    p->rigid_touched = rigid.cols;
done:
    return r;
}

static er_result decide_unsprung(eri_loop_pencil *c, const eri_forest *t, const eri_condensed *condensed)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    double *diagonal;
    int *block, *row_block;
    eri_matrix T = {0}, Q = {0};
    ERI_TRY(list_unsprung(c, t));
    ERI_TRY(spread_rows(p->scratch, c->loops, &p->touched_unsprung, false, p->rows, c->row, &T));
    ERI_TRY_NEW(block, p->scratch, int, T.cols);
    ERI_TRY_NEW(row_block, p->scratch, int, T.rows);
    eri_find_blocks(T, 1, block, row_block);
    ERI_TRY(eri_linalg_pivoted_factor(p->scratch, T, &diagonal, &p->pivot, &Q));
    p->rank = 0;
    while (p->rank < T.rows && p->rank < T.cols && diagonal[p->rank] > p->tol)
        ++p->rank;
    ERI_TRY(factor_unsprung(c, t, condensed));
    ERI_TRY(find_complement(c, T, block));
    ERI_TRY(free_motions(c, t, eri_matrix_columns(Q, p->rank, Q.cols - p->rank)));
    c->rigid = p->rigid_untouched + p->rigid_touched;
    c->zeros = t->unsprung_count - p->rank;
    c->elastic = t->spring_count + c->sprung - (p->rows - p->rank);
done:
    return r;
}

er_result eri_loop_pencil_prepare(eri_loop_pencil *c, const eri_forest *t, const eri_condensed *condensed)
{
    er_result r = ER_OK;
    struct loop_parts *p = c->parts;
    size_t directions = 6 * (size_t)c->loops->loop_count;
    eri_arena_reset(p->scratch);
    ERI_TRY(list_rows(c));
    size_t rows = (size_t)p->rows;
    ERI_TRY_NEW(p->row_rate, p->scratch, eri_lanes, directions);
    ERI_TRY_NEW(p->row_force, p->scratch, eri_lanes, directions);
    ERI_TRY_NEW(p->mu, p->scratch, eri_lanes, rows);
    ERI_TRY_NEW(p->y, p->scratch, eri_lanes, t->spring_count);
    ERI_TRY_NEW(p->Ay, p->scratch, eri_lanes, t->spring_count);
    ERI_TRY_NEW(p->unsprung, p->scratch, eri_lanes, t->unsprung_count);
    ERI_TRY_NEW(p->unsprung_force, p->scratch, eri_lanes, t->unsprung_count);
    ERI_TRY_NEW(p->one, p->scratch, double, rows);
    ERI_TRY_NEW(p->work, p->scratch, double, 64 * rows);
    ERI_TRY_NEW(p->swap, p->scratch, int, ERI_LANE_COUNT *rows);
    ERI_TRY_RESERVE(p->S, p->scratch, double, ERI_LANE_COUNT *rows *rows);
    ERI_TRY(decide_unsprung(c, t, condensed));
done:
    return r;
}

// ---- the shifted pencil

// C' of row i in all lanes.
static void gather_row(const eri_loop_pencil *c, const eri_forest *t, int i, eri_lanes *y, eri_lanes *unsprung)
{
    const eri_loop *loop = &c->loops->loop[c->row[i] / 6];
    memset(y, 0, (size_t)t->spring_count * sizeof *y);
    memset(unsprung, 0, (size_t)t->unsprung_count * sizeof *unsprung);
    for (const eri_loop_entry *e = c->loops->entry + loop->first; e < c->loops->entry + loop->end; ++e) {
        eri_lanes *x = e->column < t->spring_count ? &y[e->column] : &unsprung[e->column - t->spring_count];
        *x += e->value[c->row[i] % 6] * e->per;
    }
}

void eri_loop_pencil_factor(eri_loop_pencil *c, const eri_forest *t, const eri_shifted *shifted, int below[8],
                            double growth[8])
{
    struct loop_parts *p = c->parts;
    size_t rows = (size_t)p->rows;
    for (size_t i = 0; i < rows; ++i) { // S, column by column
        gather_row(c, t, (int)i, p->y, p->unsprung_force);
        eri_shifted_solve(shifted, t, p->y, p->unsprung_force, p->y, p->unsprung);
        eri_loops_rates(c->loops, t, p->y, p->unsprung, p->row_rate);
        for (size_t j = i; j < rows; ++j)
            for (int k = 0; k < ERI_LANE_COUNT; ++k)
                p->S[(size_t)k * rows * rows + j + i * rows] =
                    p->row_rate[c->row[j]][k] + (i == j ? p->compliance[i] : 0.0);
    }
    for (size_t k = 0; k < ERI_LANE_COUNT; ++k) {
        int negative;
        double own =
            eri_linalg_indefinite_factor(p->rows, p->S + k * rows * rows, p->swap + k * rows, p->work, &negative);
        below[k] -= negative;
        growth[k] = fmax(growth[k], own);
    }
}

// mu <- S^-1 mu, each lane with its own S.
static void solve_rows(eri_loop_pencil *c, eri_lanes *mu)
{
    struct loop_parts *p = c->parts;
    size_t rows = (size_t)p->rows;
    for (size_t k = 0; k < ERI_LANE_COUNT; ++k) {
        for (size_t i = 0; i < rows; ++i)
            p->one[i] = mu[i][k];
        eri_linalg_indefinite_solve(p->rows, p->S + k * rows * rows, p->swap + k * rows, p->one);
        for (size_t i = 0; i < rows; ++i)
            mu[i][k] = p->one[i];
    }
}

// With the force of a loop spring as k^1/2 v + mu, what v stores in it drops out of the first equation:
//   H u = y - C'mu,  C u = D mu + (0; k^-1/2 v).
void eri_loop_pencil_solve(eri_loop_pencil *c, const eri_forest *t, const eri_shifted *shifted, const eri_lanes *v,
                           eri_lanes *out)
{
    struct loop_parts *p = c->parts;
    int N = t->spring_count;
    const eri_lanes *springs = v + N - c->constrained; // of row i
    eri_shifted_solve(shifted, t, v, NULL, out, p->unsprung);
    eri_loops_rates(c->loops, t, out, p->unsprung, p->row_rate);
    for (int i = 0; i < p->rows; ++i) {
        p->mu[i] = p->row_rate[c->row[i]];
        if (i >= c->constrained) p->mu[i] -= springs[i] / c->root[i];
    }
    solve_rows(c, p->mu);
    memset(p->row_force, 0, 6 * (size_t)c->loops->loop_count * sizeof *p->row_force);
    for (int i = 0; i < p->rows; ++i)
        p->row_force[c->row[i]] = -p->mu[i];
    memcpy(p->y, v, (size_t)N * sizeof *p->y);
    memset(p->unsprung_force, 0, (size_t)t->unsprung_count * sizeof *p->unsprung_force);
    eri_loops_add_forces(c->loops, t, p->row_force, p->y, p->unsprung_force);
    eri_shifted_solve(shifted, t, p->y, p->unsprung_force, out, p->unsprung);
    for (int i = c->constrained; i < p->rows; ++i)
        out[N + i - c->constrained] = springs[i] + p->mu[i] / c->root[i];
}

// ---- shapes

ERI_LANES_DO(subtract_projection, (eri_matrix Q, eri_lanes *v), (Q, v))
{
    for (int k = 0; k < Q.cols; ++k) {
        const double *q = eri_matrix_column(Q, k);
        eri_lanes part = {0};
        for (int i = 0; i < Q.rows; ++i)
            part += q[i] * v[i];
        for (int i = 0; i < Q.rows; ++i)
            v[i] -= q[i] * part;
    }
}

void eri_loop_pencil_project(const eri_loop_pencil *c, const eri_forest *t, eri_lanes *v)
{
    const struct loop_parts *p = c->parts;
    int touched = p->touched_springs.count;
    eri_lanes *springs = v + t->spring_count;
    for (int i = 0; i < touched; ++i)
        p->touched_part[i] = v[p->touched_springs.column[i]];
    memcpy(p->touched_part + touched, springs, (size_t)c->sprung * sizeof *v);
    for (int pass = 0; pass < 2; ++pass)
        subtract_projection(p->complement, p->touched_part);
    for (int i = 0; i < touched; ++i)
        v[p->touched_springs.column[i]] = p->touched_part[i];
    memcpy(springs, p->touched_part + touched, (size_t)c->sprung * sizeof *v);
}

// x <- (L L')^-1 x
ERI_LANES_DO(solve_unsprung, (eri_matrix L, eri_lanes *x), (L, x))
{
    for (int j = 0; j < L.cols; ++j) {
        const double *l = eri_matrix_column(L, j);
        x[j] /= l[j];
        for (int i = j + 1; i < L.rows; ++i)
            x[i] -= l[i] * x[j];
    }
    for (int j = L.cols - 1; j >= 0; --j) {
        const double *l = eri_matrix_column(L, j);
        for (int i = j + 1; i < L.rows; ++i)
            x[j] -= l[i] * x[i];
        x[j] /= l[j];
    }
}

// By how much u violates the rows that determine the unsprung rates.
static void unsprung_residual(eri_loop_pencil *c, const eri_forest *t, const eri_lanes *v, const eri_lanes *unsprung,
                              eri_lanes *off)
{
    struct loop_parts *p = c->parts;
    const eri_lanes *springs = v + t->spring_count - c->constrained; // of row i
    eri_loops_rates(c->loops, t, v, unsprung, p->row_rate);
    for (int k = 0; k < p->rank; ++k) {
        int i = p->pivot[k];
        off[k] = p->row_rate[c->row[i]];
        if (i >= c->constrained) off[k] -= springs[i] / c->root[i];
    }
}

// Adds what the forces -nu on those rows do to the unsprung rates and to A v: they act on springs too, which v'A v
// counts: A v = (My u + Cy'nu; -k^-1/2 nu).
static void add_constraint_forces(eri_loop_pencil *c, const eri_forest *t, const eri_condensed *condensed,
                                  const eri_lanes *nu, eri_lanes *Av, eri_lanes *unsprung)
{
    struct loop_parts *p = c->parts;
    int N = t->spring_count;
    memset(p->row_force, 0, 6 * (size_t)c->loops->loop_count * sizeof *p->row_force);
    for (int k = 0; k < p->rank; ++k)
        p->row_force[c->row[p->pivot[k]]] = -nu[k];
    memset(p->y, 0, (size_t)N * sizeof *p->y);
    memset(p->unsprung_force, 0, (size_t)t->unsprung_count * sizeof *p->unsprung_force);
    eri_loops_add_forces(c->loops, t, p->row_force, p->y, p->unsprung_force);
    for (int i = 0; i < N; ++i)
        Av[i] -= p->y[i];
    memset(p->y, 0, (size_t)N * sizeof *p->y);
    eri_condensed_apply(condensed, t, p->y, p->unsprung_force, p->Ay, p->unsprung, NULL);
    for (int i = 0; i < N; ++i)
        Av[i] += p->Ay[i];
    for (int i = 0; i < t->unsprung_count; ++i)
        unsprung[i] += p->unsprung[i];
    for (int k = 0; k < p->rank; ++k) {
        int i = p->pivot[k];
        if (i >= c->constrained) Av[N + i - c->constrained] -= nu[k] / c->root[i];
    }
}

// The unsprung rates without the loops, then corrected for them; twice, for what the factor L L' has lost to rounding.
void eri_loop_pencil_apply(eri_loop_pencil *c, const eri_forest *t, const eri_condensed *condensed, const eri_lanes *v,
                           const eri_lanes *force, eri_lanes *Av, eri_lanes *unsprung, eri_lanes *twist)
{
    struct loop_parts *p = c->parts;
    memset(Av + t->spring_count, 0, (size_t)c->sprung * sizeof *Av);
    eri_condensed_apply(condensed, t, v, force, Av, unsprung, p->rank > 0 ? NULL : twist);
    if (p->rank == 0) return;
    for (int pass = 0; pass < 2; ++pass) {
        unsprung_residual(c, t, v, unsprung, p->mu);
        solve_unsprung(p->L, p->mu);
        add_constraint_forces(c, t, condensed, p->mu, Av, unsprung);
    }
    if (twist != NULL) eri_forest_twists(t, v, unsprung, twist);
}

void eri_loop_pencil_zero(const eri_loop_pencil *c, int k, int lane, eri_lanes *unsprung)
{
    const struct loop_parts *p = c->parts;
    bool rigid = k < c->rigid;
    int place = rigid ? k : k - c->rigid, untouched = rigid ? p->rigid_untouched : p->other_untouched;
    if (place < untouched) {
        unsprung[p->untouched[place + (rigid ? 0 : p->rigid_untouched)]][lane] = 1.0;
        return;
    }
    const double *x = eri_matrix_column(p->free, place - untouched + (rigid ? 0 : p->rigid_touched));
    for (int i = 0; i < p->touched_unsprung.count; ++i)
        unsprung[p->touched_unsprung.column[i]][lane] = rigid ? x[i] * p->unit[i] : x[i] / p->unit[i];
}
