/// @file
/// The sparse system of route multipliers: along the tree it is eliminated leaves first, which fills nothing in (Baraff
/// 1996): a body and its joint leave their parent's matrix with J_p' (J M^-1 J')^-1 J_p. Loops come on top by a Schur
/// complement.
#include <math.h>
#include <string.h>

#include "dynamics/reference/maximal.h"

// Of J_l P J_l', P what the tree's joints leave of unit motions, each loop's largest diagonal entry 1: a constraint
// counts that adds 3e-5 to those before it. It has to be above the gap that joints may have: where bodies are off by e,
// what is redundant may seem to add sqrt(e).
static const double rank_tol = 1e-9, loose_rank_tol = 1e-3; // far from closed

static er_vec3 get_vector(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put_vector(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

// ---- Rows on bodies

void eri_maximal_row_on(const er_world *w, int joint, int row, int body, double out[6])
{
    const eri_maximal_joint *j = &w->maximal->joint[joint];
    int axis = j->axis[row];
    er_vec3 a = j->rows.axis[axis], turn = a, shift = er_v3(0, 0, 0);
    if (axis >= 3) {
        turn = er_v3_cross(er_v3_sub(j->rows.origin, w->motion[body].com), a);
        shift = a;
        if (axis == 5) turn = er_v3_sub(turn, j->rows.lead);
    }
    double sign = body == w->model->joint[joint].child ? 1.0 : -1.0;
    put_vector(er_v3_scale(sign, turn), out);
    put_vector(er_v3_scale(sign, shift), out + 3);
}

void eri_maximal_act_between(const er_world *w, int joint, er_wrench on_child, double *f)
{
    const er_joint *j = &w->model->joint[joint];
    er_vec3 at = w->maximal->joint[joint].rows.origin;
    const int body[2] = {j->child, j->parent};
    for (int e = 0; e < 2; ++e) {
        int limb = body[e] >= 0 ? w->tree->link_of_body[body[e]] : -1;
        if (limb < 0) continue;
        double sign = e == 0 ? 1.0 : -1.0;
        er_vec3 torque = er_v3_add(on_child.torque, er_v3_cross(er_v3_sub(at, w->motion[body[e]].com), on_child.force));
        double *to = f + 6 * (size_t)limb;
        put_vector(er_v3_madd(get_vector(to), sign, torque), to);
        put_vector(er_v3_madd(get_vector(to + 3), sign, on_child.force), to + 3);
    }
}

// ---- Trees

// a = L L', L in its lower half, but 1 / L_ii.
static void cholesky(int n, double a[6][6])
{
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k)
            for (int i = j; i < n; ++i)
                a[i][j] -= a[i][k] * a[j][k];
        double d = 1.0 / sqrt(a[j][j]);
        a[j][j] = d;
        for (int i = j + 1; i < n; ++i)
            a[i][j] *= d;
    }
}

static void solve_lower(int n, double L[6][6], double *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= L[i][k] * x[k];
        x[i] *= L[i][i];
    }
}

static void solve_upper(int n, double L[6][6], double *x)
{
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= L[k][i] * x[k];
        x[i] *= L[i][i];
    }
}

static double dot6(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static int rows_of(const er_world *w, int limb)
{
    int joint = w->tree->link[limb].joint;
    return joint >= 0 ? w->maximal->joint[joint].count : 0;
}

// @param unit  masses are 1, inertias those of the rig's size
static void factor(er_world *w, bool unit)
{
    eri_maximal *s = w->maximal;
    double size = w->model->size;
    for (int i = 0; i < s->limb_count; ++i) {
        const er_body *body = &w->model->body[w->tree->link[i].body];
        er_mat3 R = w->motion[w->tree->link[i].body].axes,
                I = er_m3_mul(er_m3_mul(R, body->inertia), er_m3_transpose(R));
        double(*M)[6] = s->node[i].L;
        memset(M, 0, sizeof s->node[i].L);
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b)
                M[a][b] = !unit ? I.m[a][b] : a == b ? size * size : 0.0;
            M[3 + a][3 + a] = unit ? 1.0 : body->mass;
        }
    }
    for (int i = s->limb_count - 1; i >= 0; --i) {
        const eri_link *l = &w->tree->link[i];
        eri_maximal_node *n = &s->node[i];
        int m = n->count = rows_of(w, i);
        cholesky(6, n->L);
        for (int r = 0; r < m; ++r) {
            eri_maximal_row_on(w, l->joint, r, l->body, n->Y[r]);
            solve_lower(6, n->L, n->Y[r]);
        }
        for (int r = 0; r < m; ++r)
            for (int c = 0; c <= r; ++c)
                n->F[r][c] = dot6(n->Y[r], n->Y[c]) + (r == c ? s->joint[l->joint].compliance[r] : 0.0);
        cholesky(m, n->F);
        if (l->parent < 0) continue;
        double(*M)[6] = s->node[l->parent].L;
        for (int r = 0; r < m; ++r) {
            eri_maximal_row_on(w, l->joint, r, l->above, n->Z[r]);
            for (int k = 0; k < r; ++k)
                for (int c = 0; c < 6; ++c)
                    n->Z[r][c] -= n->F[r][k] * n->Z[k][c];
            for (int c = 0; c < 6; ++c)
                n->Z[r][c] *= n->F[r][r];
            for (int a = 0; a < 6; ++a)
                for (int b = 0; b <= a; ++b)
                    M[a][b] += n->Z[r][a] * n->Z[r][b];
        }
    }
}

// x and the tree's multipliers of forces s->f, overwritten, and rates b of the tree's rows (NULL: 0), of whole trees.
static void solve_trees(er_world *w, int first, int last, const double *b)
{
    eri_maximal *s = w->maximal;
    for (int i = last - 1; i >= first; --i) {
        const eri_link *l = &w->tree->link[i];
        eri_maximal_node *n = &s->node[i];
        int m = n->count;
        memcpy(n->y, s->f + 6 * (size_t)i, sizeof n->y);
        solve_lower(6, n->L, n->y);
        for (int r = 0; r < m; ++r)
            n->g[r] = (b != NULL ? b[6 * (size_t)l->joint + (size_t)r] : 0.0) - dot6(n->Y[r], n->y);
        solve_lower(m, n->F, n->g);
        for (int r = 0; r < m && l->parent >= 0; ++r)
            for (int c = 0; c < 6; ++c)
                s->f[6 * (size_t)l->parent + (size_t)c] += n->Z[r][c] * n->g[r];
    }
    for (int i = first; i < last; ++i) {
        const eri_link *l = &w->tree->link[i];
        eri_maximal_node *n = &s->node[i];
        int m = n->count;
        double *x = s->x + 6 * (size_t)i, *lambda = s->multiplier + 6 * (size_t)(m > 0 ? l->joint : 0);
        for (int r = 0; r < m; ++r)
            lambda[r] = n->g[r] - (l->parent >= 0 ? dot6(n->Z[r], s->x + 6 * (size_t)l->parent) : 0.0);
        solve_upper(m, n->F, lambda);
        memcpy(x, n->y, sizeof n->y);
        for (int r = 0; r < m; ++r)
            for (int c = 0; c < 6; ++c)
                x[c] += n->Y[r][c] * lambda[r];
        solve_upper(6, n->L, x);
    }
}

static void solve(er_world *w, const double *b)
{
    solve_trees(w, 0, w->maximal->limb_count, b);
}

// ---- Loops

static er_wrench row_wrench(const eri_maximal *s, int joint, int row, double force)
{
    double unit[6] = {0};
    unit[s->joint[joint].axis[row]] = force;
    return eri_rows_wrench(&s->joint[joint].rows, unit);
}

// A loop's row on all twists x.
static double row_rate(const er_world *w, int row, const double *x)
{
    const eri_maximal *s = w->maximal;
    const er_joint *j = &w->model->joint[s->row_joint[row]];
    const int body[2] = {j->child, j->parent};
    double sum = 0.0, on[6];
    for (int e = 0; e < 2; ++e) {
        int limb = body[e] >= 0 ? w->tree->link_of_body[body[e]] : -1;
        if (limb < 0) continue;
        eri_maximal_row_on(w, s->row_joint[row], s->row_index[row], body[e], on);
        sum += dot6(on, x + 6 * (size_t)limb);
    }
    return sum;
}

static double row_unit(const er_world *w, int row)
{
    const eri_maximal *s = w->maximal;
    return s->joint[s->row_joint[row]].axis[s->row_index[row]] < 3 ? 1.0 : w->model->size;
}

static double *S_entry(const eri_maximal *s, int i, int j)
{
    return &s->S.S[(size_t)i * (size_t)s->row_count + (size_t)j];
}

static void push_row(er_world *w, int row, double force, double *f)
{
    const eri_maximal *s = w->maximal;
    eri_maximal_act_between(w, s->row_joint[row], row_wrench(s, s->row_joint[row], s->row_index[row], force), f);
}

// S = J_l (M with the tree's joints)^-1 J_l' of what is factored.
static void fill_loops(er_world *w)
{
    eri_maximal *s = w->maximal;
    for (int r = 0; r < s->row_count; ++r) {
        memset(s->f, 0, 6 * (size_t)s->limb_count * sizeof *s->f);
        push_row(w, r, 1.0 / row_unit(w, r), s->f);
        solve(w, NULL);
        for (int i = 0; i < s->row_count; ++i)
            *S_entry(s, i, r) = row_rate(w, i, s->x) / row_unit(w, i);
    }
    s->S.count = s->row_count;
}

// The largest diagonal entry of each loop to 1, but where there is nothing but rounding.
static void find_scales(er_world *w)
{
    eri_maximal *s = w->maximal;
    double unit = w->model->size * w->model->size;
    for (int first = 0, end; first < s->row_count; first = end) {
        double most = 0.0;
        for (end = first; end < s->row_count && s->row_joint[end] == s->row_joint[first]; ++end)
            most = fmax(most, unit * *S_entry(s, end, end));
        for (int r = first; r < end; ++r)
            s->row_scale[r] = sqrt(unit / (most > rank_tol ? most : 1.0));
    }
}

static void scale_rows(eri_maximal *s)
{
    for (int i = 0; i < s->row_count; ++i)
        for (int j = 0; j <= i; ++j)
            *S_entry(s, i, j) = *S_entry(s, j, i) =
                0.5 * s->row_scale[i] * s->row_scale[j] * (*S_entry(s, i, j) + *S_entry(s, j, i));
}

// Which constraints of loops are independent is a question of geometry: found with unit masses.
static void factor_loops(er_world *w)
{
    eri_maximal *s = w->maximal;
    factor(w, true);
    fill_loops(w);
    find_scales(w);
    scale_rows(s);
    int rank = s->S.rank;
    eri_semidefinite_factor(&s->S, s->rank_tol);
    s->is_nearly_flat = eri_semidefinite_least(&s->S) < ERI_NEARLY_FLAT;
    w->rank_changes += s->S.rank != rank || eri_semidefinite_least(&s->S) < ERI_FLAT;
    factor(w, false);
    fill_loops(w);
    scale_rows(s);
    eri_semidefinite_factor_again(&s->S);
}

void eri_maximal_solve(er_world *w, double gap, const double *force, const double *b)
{
    eri_maximal *s = w->maximal;
    s->rank_tol = fmax(rank_tol, fmin(gap, loose_rank_tol));
    size_t size = 6 * (size_t)s->limb_count * sizeof *s->f;
    if (s->row_count == 0) factor(w, false);
    if (s->row_count > 0) {
        factor_loops(w);
        memcpy(s->f, force, size);
        solve(w, b);
        for (int r = 0; r < s->row_count; ++r) {
            double wanted = b[6 * (size_t)s->row_joint[r] + (size_t)s->row_index[r]] - row_rate(w, r, s->x);
            s->lambda[r] = s->row_scale[r] * wanted / row_unit(w, r);
        }
        eri_semidefinite_solve(&s->S, s->lambda);
    }
    memcpy(s->f, force, size);
    for (int r = 0; r < s->row_count; ++r) {
        s->lambda[r] *= s->row_scale[r] / row_unit(w, r);
        push_row(w, r, s->lambda[r], s->f);
        s->multiplier[6 * (size_t)s->row_joint[r] + (size_t)s->row_index[r]] = s->lambda[r];
    }
    solve(w, b);
}

void eri_maximal_find_null(er_world *w, int n)
{
    eri_maximal *s = w->maximal;
    eri_semidefinite_null(&s->S, n, s->lambda);
    memset(s->f, 0, 6 * (size_t)s->limb_count * sizeof *s->f);
    memset(s->multiplier, 0, 6 * (size_t)s->joint_count * sizeof *s->multiplier);
    for (int r = 0; r < s->row_count; ++r) {
        double force = s->lambda[r] * s->row_scale[r] / row_unit(w, r);
        push_row(w, r, force, s->f);
        s->multiplier[6 * (size_t)s->row_joint[r] + (size_t)s->row_index[r]] = force;
    }
    solve(w, NULL);
}

void eri_maximal_factor(er_world *w, const double *compliance)
{
    eri_maximal *s = w->maximal;
    for (int k = 0; k < s->joint_count; ++k)
        for (int r = 0; r < s->joint[k].count; ++r)
            s->joint[k].compliance[r] = compliance[6 * k + r];
    factor(w, false);
}

void eri_maximal_respond(er_world *w, int first, int last, const double *impulse, const double *b, double *twist)
{
    eri_maximal *s = w->maximal;
    size_t size = 6 * (size_t)(last - first) * sizeof *twist;
    memcpy(s->f + 6 * (size_t)first, impulse, size);
    solve_trees(w, first, last, b);
    memcpy(twist, s->x + 6 * (size_t)first, size);
}
