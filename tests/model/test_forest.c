// Sweeps over spanning trees against dense matrices: motions from G and R, masses from energies, all in long double.
#include "support/forest.h"

#include <eigenrig/model.h>

#include <lapacke.h>
#include <string.h>

#include "model/forest/forest.h"
#include "model/forest/loops.h"
#include "support/context.h"

enum { LANES = ERI_LANE_COUNT };

static void *allocate(int count, size_t size)
{
    void *memory = aligned_alloc(64, ((size_t)count + 1) * size + 64 - ((size_t)count + 1) * size % 64);
    assert_non_null(memory);
    return memset(memory, 0, ((size_t)count + 1) * size);
}

// ---- a tree beside its dense matrices

// Columns are the tree's: springs (rates y, scaled), then unsprung.
typedef struct dense {
    er_model *model;
    er_arena *arena;
    eri_forest *tree;
    er_constraints *constraints;
    int n, N, Z, all; // 6 bodies, springs, unsprung, both
    real *H;          // [n x all], body twists at unit rates: row-major
    real *M;          // [all x all], kinetic energy of rates
    er_pose pose[RIG_MAX];
} dense;

// The twist of link i's reference point, world axes, as a row acting on its body's twist: coordinate c of (w; v).
static void reference_row(const dense *s, int link, int c, real row[6])
{
    const eri_forest_link *l = &s->tree->link[link];
    er_pose body = s->pose[s->tree->tree.link[link].body];
    er_vec3 r = er_v3_sub(er_v3(l->point[0], l->point[1], l->point[2]), body.p);
    for (int k = 0; k < 6; ++k) {
        er_vec3 unit = er_v3(k % 3 == 0, k % 3 == 1, k % 3 == 2), world = er_q_rotate(body.q, unit);
        er_vec3 turn = k < 3 ? world : er_v3(0, 0, 0), shift = k < 3 ? er_v3_cross(world, r) : world;
        const double twist[6] = {turn.x, turn.y, turn.z, shift.x, shift.y, shift.z};
        row[k] = twist[c];
    }
}

// B <- A^-1 B by Gauss elimination with row pivoting, A [n x n] destroyed, B [n x m].
static void solve_dense(int n, int m, real *A, real *B)
{
    for (int c = 0; c < n; ++c) {
        int p = c;
        for (int i = c; i < n; ++i)
            if (fabsl(A[i * n + c]) > fabsl(A[p * n + c])) p = i;
        assert_true(A[p * n + c] != 0.0L);
        for (int k = 0; k < n; ++k) {
            real x = A[p * n + k];
            A[p * n + k] = A[c * n + k];
            A[c * n + k] = x;
        }
        for (int k = 0; k < m; ++k) {
            real x = B[p * m + k];
            B[p * m + k] = B[c * m + k];
            B[c * m + k] = x;
        }
        for (int i = 0; i < n; ++i) {
            real f = A[i * n + c] / A[c * n + c];
            if (i == c || f == 0.0L) continue;
            for (int k = c; k < n; ++k)
                A[i * n + k] -= f * A[c * n + k];
            for (int k = 0; k < m; ++k)
                B[i * m + k] -= f * B[c * m + k];
        }
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < m; ++k)
            B[i * m + k] /= A[i * n + i];
}

// Where the tree keeps a coordinate of the model; its link too.
static int column_of(const eri_forest *t, int coordinate)
{
    for (int i = 0; i < t->link_count; ++i)
        for (int c = 0; c < t->link[i].freedom; ++c)
            if (t->link[i].coordinate[c] == coordinate)
                return c < t->link[i].spring_count
                           ? t->link[i].spring + c
                           : t->spring_count + t->link[i].unsprung + c - t->link[i].spring_count;
    fail_msg("coordinate %d is not in the tree", coordinate);
    return -1;
}

// H from G H = 0, R H = rates, and the twists of roots that float.
static void find_motions(dense *s)
{
    const er_constraints *c = s->constraints;
    int n = s->n, m = c->constraint_count, row = m;
    real *A = allocate(n * n, sizeof(real));
    s->H = allocate(n * s->all, sizeof(real));
    assert_int_equal(m + s->all, n);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < n; ++k)
            A[i * n + k] = c->G[i + k * m];
    for (int i = 0; i < c->coordinate_count; ++i, ++row) {
        int column = column_of(s->tree, i);
        for (int k = 0; k < n; ++k)
            A[row * n + k] = c->R[i + k * c->coordinate_count];
        real spring = column < s->N ? (real)s->tree->stiffness[column] : 1.0L;
        s->H[row * s->all + column] = 1.0L / sqrtl(spring);
    }
    for (int i = 0; i < s->tree->link_count; ++i) {
        const eri_link *l = &s->tree->tree.link[i];
        for (int k = 0; l->joint < 0 && k < 6; ++k, ++row) {
            reference_row(s, i, k, A + row * n + 6 * l->body);
            s->H[row * s->all + s->N + s->tree->link[i].unsprung + k] = 1.0L;
        }
    }
    assert_int_equal(row, n);
    solve_dense(n, s->all, A, s->H);
    free(A);
}

// M = H' diag(M_b) H by kinetic energies at the centres of mass.
static void find_masses(dense *s)
{
    s->M = allocate(s->all * s->all, sizeof(real));
    for (int b = 0; b < s->model->body_count; ++b) {
        const er_body *body = &s->model->body[b];
        real com[3] = {body->com.x, body->com.y, body->com.z}, *p = allocate(6 * s->all, sizeof(real));
        for (int k = 0; k < s->all; ++k) {
            real x[6], w[3];
            for (int i = 0; i < 6; ++i)
                x[i] = s->H[(6 * b + i) * s->all + k];
            for (int i = 0; i < 3; ++i) {
                w[i] = x[i];
                x[3 + i] += x[(i + 1) % 3] * com[(i + 2) % 3] - x[(i + 2) % 3] * com[(i + 1) % 3];
            }
            for (int i = 0; i < 6; ++i)
                p[i * s->all + k] = i < 3 ? w[i] : x[i];
        }
        for (int k = 0; k < s->all; ++k)
            for (int l = 0; l < s->all; ++l) {
                real sum = 0.0L;
                for (int i = 0; i < 3; ++i) {
                    sum += (real)body->mass * p[(3 + i) * s->all + k] * p[(3 + i) * s->all + l];
                    for (int j = 0; j < 3; ++j)
                        sum += p[i * s->all + k] * (real)body->inertia.m[i][j] * p[j * s->all + l];
                }
                s->M[k * s->all + l] += sum;
            }
        free(p);
    }
}

// Far from equilibrium, joints a little apart.
static void random_poses(const er_model *m, dice *d, er_pose *pose)
{
    double q[6 * RIG_MAX];
    er_pose root[RIG_MAX];
    for (int k = 0; k < m->coordinate_count; ++k)
        q[k] = dice_uniform(d, -2, 2);
    for (int b = 0; b < m->body_count; ++b)
        root[b] = dice_pose(d);
    er_model_pose(m, q, root, pose);
    for (int b = 0; b < m->body_count; ++b)
        pose[b] = er_pose_mul(pose[b], dice_motion(d, 0.1, 0.1));
}

// At equilibrium, or about a random pose.
static dense dense_create(const rig *r, dice *away)
{
    dense s = {.model = rig_model(context, r)};
    assert_int_equal(eri_arena_create(context, &s.arena), ER_OK);
    assert_int_equal(eri_forest_create(s.arena, s.model, &s.tree), ER_OK);
    for (int b = 0; b < s.model->body_count; ++b)
        s.pose[b] = s.model->body[b].pose;
    if (away != NULL) {
        random_poses(s.model, away, s.pose);
        eri_forest_set_pose(s.tree, s.model->body, s.pose);
        assert_int_equal(er_constraints_at(context, s.model, s.pose, &s.constraints), ER_OK);
    } else {
        assert_int_equal(er_constraints_create(context, s.model, &s.constraints), ER_OK);
    }
    s.n = 6 * s.model->body_count;
    s.N = s.tree->spring_count;
    s.Z = s.tree->unsprung_count;
    s.all = s.N + s.Z;
    find_motions(&s);
    find_masses(&s);
    return s;
}

static void dense_destroy(dense *s)
{
    free(s->H);
    free(s->M);
    er_constraints_destroy(s->constraints);
    eri_arena_destroy(s->arena);
    er_model_destroy(s->model);
}

static eri_lanes *random_panel(dice *d, int rows)
{
    eri_lanes *x = allocate(rows, sizeof *x);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < LANES; ++k)
            x[i][k] = dice_uniform(d, -1, 1);
    return x;
}

// ---- the forest

// The mass that hangs together with `from` when `without` is taken out of the tree; -1: nothing is.
static double reachable(const eri_forest *t, int from, int without, bool *met)
{
    const er_model *m = t->model;
    double mass = m->body[from].mass;
    met[from] = true;
    for (int k = 0; k < m->joint_count; ++k) {
        bool closes = false;
        for (int i = 0; i < t->loop_count; ++i)
            closes = closes || t->loop[i] == k;
        int a = m->joint[k].parent, b = m->joint[k].child, other = a == from ? b : b == from ? a : -1;
        if (!closes && other >= 0 && other != without && !met[other]) mass += reachable(t, other, without, met);
    }
    return mass;
}

// The most mass that hangs together once a body is taken out of its tree.
static double heaviest_branch(const eri_forest *t, int body)
{
    int n = t->link_count;
    double most = 0.0;
    bool *met = allocate(n, sizeof(bool)), *whole = allocate(n, sizeof(bool));
    reachable(t, body, -1, whole);
    for (int i = 0; i < n; ++i)
        if (i != body && whole[i] && !met[i]) most = fmax(most, reachable(t, i, body, met));
    free(met);
    free(whole);
    return most;
}

static void links_are_in_preorder(const eri_forest *t)
{
    const eri_tree *tree = &t->tree;
    int n = tree->link_count;
    assert_int_equal(n, t->model->body_count);
    for (int i = 0; i < n; ++i) {
        const eri_link *l = &tree->link[i];
        int end = eri_tree_end(tree, i);
        assert_int_equal(tree->link_of_body[l->body], i);
        assert_in_range(end, i + 1, n);
        assert_true(l->parent < i);
        int next = i + 1; // children one after the other, each with its whole subtree
        while (next < end) {
            assert_int_equal(tree->link[next].parent, i);
            assert_int_equal(t->link[next].last, eri_tree_end(tree, next) == end);
            next = eri_tree_end(tree, next);
        }
        assert_int_equal(next, end);
        if (l->parent >= 0) assert_true(end <= eri_tree_end(tree, l->parent));
        if (l->parent < 0) assert_false(t->link[i].last);
    }
}

static void links_hang_on_their_joints(const eri_forest *t)
{
    const er_model *m = t->model;
    int used = 0;
    for (int i = 0; i < t->link_count; ++i) {
        const eri_link *l = &t->tree.link[i];
        const eri_forest_link *at = &t->link[i];
        int other = l->parent < 0 ? -1 : t->tree.link[l->parent].body;
        if (l->joint < 0) {
            assert_int_equal(l->parent, -1);
            continue;
        }
        const er_joint *j = &m->joint[l->joint];
        assert_true((j->child == l->body && j->parent == other) || (j->parent == l->body && j->child == other));
        const double origin[3] = {j->frame.p.x, j->frame.p.y, j->frame.p.z};
        for (int k = 0; k < 3; ++k) {
            assert_true(at->point[k] == origin[k]);
            assert_true(at->r[k] == (l->parent < 0 ? 0.0 : at->point[k] - t->link[l->parent].point[k]));
        }
        ++used;
    }
    assert_int_equal(used + t->loop_count, m->joint_count);
}

// Sweeps hand on through slots: what is written must be there still when it is read.
static void slots_do_not_clash(const eri_forest *t)
{
    assert_true(t->slot_count <= 1 + (int)floor(log2(t->link_count)));
    int *holds = allocate(t->slot_count, sizeof(int));
    for (int i = t->link_count - 1; i >= 0; --i) { // to the root: the first child met sets, the others add
        const eri_forest_link *l = &t->link[i];
        int parent = t->tree.link[i].parent;
        assert_int_equal(l->slot < 0, t->tree.link[i].size == 1);
        if (l->slot >= 0) assert_int_equal(holds[l->slot], i);
        assert_int_equal(l->up_slot < 0, parent < 0);
        if (parent < 0) continue;
        assert_in_range(l->up_slot, 0, t->slot_count - 1);
        if (l->last) holds[l->up_slot] = parent;
        assert_int_equal(holds[l->up_slot], parent);
    }
    for (int i = 0; i < t->link_count; ++i) { // and away from it
        const eri_forest_link *l = &t->link[i];
        if (l->up_slot >= 0) assert_int_equal(holds[l->up_slot], t->tree.link[i].parent);
        if (l->slot >= 0) holds[l->slot] = i;
    }
    free(holds);
}

// A floating root's reference point, from the centre of mass of what hangs on it, in sizes of the rig.
static double off_centre(const eri_forest *t, int root, const er_pose *pose)
{
    const double *at_root = t->link[root].point;
    er_vec3 moment = er_v3(0, 0, 0), point = er_v3(at_root[0], at_root[1], at_root[2]);
    double mass = 0.0;
    for (int i = root; i < eri_tree_end(&t->tree, root); ++i) {
        int body = t->tree.link[i].body;
        const er_body *b = &t->model->body[body];
        er_vec3 at = er_pose_point(pose != NULL ? pose[body] : b->pose, b->com);
        moment = er_v3_madd(moment, b->mass, er_v3_sub(at, point));
        mass += b->mass;
    }
    return er_v3_norm(moment) / (mass * t->model->size);
}

static void floating_roots_are_centres(const eri_forest *t)
{
    for (int i = 0; i < t->link_count; ++i) {
        const eri_link *link = t->tree.link;
        if (link[i].joint >= 0) continue;
        double mine = heaviest_branch(t, link[i].body);
        for (int k = i; k < eri_tree_end(&t->tree, i); ++k)
            assert_true(heaviest_branch(t, link[k].body) >= mine * (1.0 - 1e-12));
        measure_at_most("floating root, centre of mass", off_centre(t, i, NULL), 1e-13);
    }
}

// Springs first; either kind ascending; each coordinate once.
static void columns_are_ordered(const eri_forest *t)
{
    int springs = 0, unsprung = 0, rigid = 0;
    for (int i = 0; i < t->link_count; ++i) {
        const eri_forest_link *l = &t->link[i];
        int joint = t->tree.link[i].joint;
        bool root = t->tree.link[i].parent < 0 && (joint < 0 || t->model->joint[joint].type == ER_JOINT_FREE);
        assert_int_equal(eri_forest_link_roots(t, i), root);
        assert_int_equal(l->spring, springs);
        assert_int_equal(l->unsprung, unsprung);
        assert_int_equal(l->freedom, joint < 0 ? 6 : er_joint_type_freedom(t->model->joint[joint].type, NULL));
        for (int c = 0; c < l->freedom; ++c) {
            bool is_spring = c < l->spring_count;
            if (joint < 0) {
                assert_int_equal(l->coordinate[c], -1);
                assert_false(is_spring);
                continue;
            }
            int start = t->model->coordinate[joint], at = l->coordinate[c] - start;
            assert_in_range(at, 0, l->freedom - 1);
            double k = t->model->joint[joint].stiffness[at];
            assert_int_equal(is_spring, k > 0.0);
            if (c > 0 && is_spring == (c - 1 < l->spring_count)) assert_true(l->coordinate[c] > l->coordinate[c - 1]);
            if (!is_spring) continue;
            assert_true(t->stiffness[l->spring + c] == k);
            measure_at_most("scale", fabs(t->scale[l->spring + c] * sqrt(k) - 1.0), 1e-15);
        }
        springs += l->spring_count;
        unsprung += l->freedom - l->spring_count;
        rigid += root ? l->freedom - l->spring_count : 0;
    }
    assert_int_equal(t->spring_count, springs);
    assert_int_equal(t->unsprung_count, unsprung);
    assert_int_equal(t->rigid_count, rigid);
}

static void tree_is_sound(const eri_forest *t)
{
    links_are_in_preorder(t);
    links_hang_on_their_joints(t);
    slots_do_not_clash(t);
    floating_roots_are_centres(t);
    columns_are_ordered(t);
}

static void a_rig_becomes_links_in_preorder(void **state)
{
    dice d = {601};
    for (int trial = 0; trial < trials(200); ++trial) {
        rig r;
        rig_forest(&r, &d, 1 + dice_below(&d, trial < 150 ? 12 : 90), trial % 4 == 3);
        er_model *model = rig_model(context, &r);
        er_arena *arena = NULL;
        eri_forest *t = NULL;
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        assert_int_equal(eri_forest_create(arena, model, &t), ER_OK);
        tree_is_sound(t);
        if (trial % 4 == 3) // loop joints tie trees that nothing else does, so fewer may be left
            assert_true(t->loop_count <= model->loop_count);
        else
            assert_int_equal(t->loop_count, 0);
        eri_arena_destroy(arena);
        er_model_destroy(model);
    }
}

// Chains rooted in the middle, combs, stars and full binary trees.
static void slender_and_bushy_trees_need_few_slots(void **state)
{
    for (int shape = 0; shape < 4; ++shape)
        for (int anchored = 0; anchored < 2; ++anchored) {
            rig r = {0};
            int n = 127;
            for (int i = 0; i < n; ++i) {
                er_pose pose = {er_q_identity(), er_v3(i, 0.1 * i * i, 0)};
                int parent = shape == 0   ? i - 1
                             : shape == 1 ? (i % 2 == 0 ? i - 2 : i - 1)
                             : shape == 2 ? 0
                                          : (i - 1) / 2;
                rig_add_body(&r, 1, er_v3(1, 1, 1), pose.q, pose.p, pose);
                if (i > 0 || anchored) rig_add_joint(&r, ER_JOINT_REVOLUTE, i == 0 ? -1 : parent, i, pose);
            }
            er_model *model = rig_model(context, &r);
            er_arena *arena = NULL;
            eri_forest *t = NULL;
            assert_int_equal(eri_arena_create(context, &arena), ER_OK);
            assert_int_equal(eri_forest_create(arena, model, &t), ER_OK);
            tree_is_sound(t);
            if (shape == 0 && !anchored) assert_int_equal(t->tree.link[0].body, n / 2);
            assert_int_equal(t->slot_count <= 3, shape != 3);
            eri_arena_destroy(arena);
            er_model_destroy(model);
        }
}

// ---- motions

// World twists at reference points, as eri_forest_twists() writes them, of the dense motion of given rates.
static real dense_twist(const dense *s, int link, int c, const eri_lanes *y, const eri_lanes *unsprung, int lane)
{
    int body = s->tree->tree.link[link].body;
    real row[6], sum = 0.0L;
    reference_row(s, link, c, row);
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < s->all; ++k)
            sum +=
                row[i] * s->H[(6 * body + i) * s->all + k] * (real)(k < s->N ? y[k][lane] : unsprung[k - s->N][lane]);
    return sum;
}

static void compare_twists(const char *what, const dense *s, const eri_lanes *y, const eri_lanes *unsprung,
                           const eri_lanes *twist, double tolerance)
{
    for (int k = 0; k < LANES; k += 7) {
        real most = 0.0L, worst = 0.0L;
        for (int i = 0; i < s->tree->link_count; ++i)
            for (int c = 0; c < 6; ++c) {
                real x = dense_twist(s, i, c, y, unsprung, k);
                most = fmaxl(most, fabsl(x));
                worst = fmaxl(worst, fabsl(x - (real)twist[6 * i + c][k]));
            }
        measure_at_most(what, (double)(worst / (most + 1e-300L)), tolerance);
    }
}

// G v = 0 and R v = q, all types of joints, springs and unsprung, crossed backwards or not.
static void motions_obey_the_joints(void **state)
{
    dice d = {602};
    for (int trial = 0; trial < trials(240); ++trial) {
        rig r;
        rig_forest(&r, &d, 1 + dice_below(&d, 14), false);
        dense s = dense_create(&r, trial < 120 ? NULL : &d);
        eri_lanes *y = random_panel(&d, s.N), *unsprung = random_panel(&d, s.Z), *twist = random_panel(&d, s.n);
        for (int i = 0; i < s.tree->link_count; ++i)
            if (s.tree->tree.link[i].joint < 0)
                measure_at_most("floating root, at its pose", off_centre(s.tree, i, s.pose), 1e-13);
        eri_forest_twists(s.tree, y, unsprung, twist);
        compare_twists("motions", &s, y, unsprung, twist, 1e-13);
        free(y);
        free(unsprung);
        free(twist);
        dense_destroy(&s);
    }
}

// ---- the condensed product

// How far rates x [springs; unsprung] are from solving rows of (k - sigma M) x = b, over the terms that a row sums up;
// where masses spread over decades, no more can be asked of x. Rows are the springs or the unsprung, k is 1 on the
// springs' diagonal or nothing.
static double row_error(const dense *s, bool unsprung_rows, double spring, double sigma, const eri_lanes *y,
                        const eri_lanes *unsprung, const eri_lanes *b, int lane)
{
    real worst = 0.0L;
    for (int i = unsprung_rows ? s->N : 0; i < (unsprung_rows ? s->all : s->N); ++i) {
        real sum = b != NULL ? -(real)b[unsprung_rows ? i - s->N : i][lane] : 0.0L, size = fabsl(sum);
        for (int k = 0; k < s->all; ++k) {
            real x = k < s->N ? (real)y[k][lane] : (real)unsprung[k - s->N][lane];
            real stiffness = i == k && !unsprung_rows ? (real)spring : 0.0L;
            sum += (stiffness - (real)sigma * s->M[i * s->all + k]) * x;
            size += (stiffness + fabsl(sigma) * sqrtl(s->M[i * (s->all + 1)] * s->M[k * (s->all + 1)])) * fabsl(x);
        }
        worst = fmaxl(worst, fabsl(sum) / (size + 1e-300L));
    }
    return (double)worst;
}

static void judge_condensed(const dense *s, const eri_condensed *c, dice *d, bool forced)
{
    eri_lanes *y = random_panel(d, s->N), *Ay = random_panel(d, s->N), *unsprung = random_panel(d, s->Z);
    eri_lanes *force = random_panel(d, s->Z), *twist = random_panel(d, s->n), *again = random_panel(d, s->N);
    if (forced) memset(y, 0, (size_t)s->N * sizeof *y); // forces alone, then springs alone: neither hides the other
    eri_condensed_apply(c, s->tree, y, forced ? force : NULL, Ay, unsprung, twist);
    for (int l = 0; l < LANES; ++l) { // M (y; z) = (A y; force)
        measure_at_most(forced ? "unsprung under forces" : "unsprung free of force",
                        row_error(s, true, 0.0, -1.0, y, unsprung, forced ? force : NULL, l), 1e-11);
        measure_at_most(forced ? "what forces bring the springs" : "condensed product",
                        row_error(s, false, 0.0, -1.0, y, unsprung, Ay, l), 1e-11);
    }
    compare_twists("twists of a product", s, y, unsprung, twist, 1e-11);
    eri_condensed_apply(c, s->tree, y, forced ? force : NULL, again, unsprung, NULL);
    for (int i = 0; i < s->N; ++i)
        for (int l = 0; l < LANES; ++l)
            assert_true(again[i][l] == Ay[i][l]);
    eri_lanes *const owned[] = {y, Ay, unsprung, force, twist, again};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i)
        free(owned[i]);
}

// Every spring of a joint, or every other one, left out.
static void loosen(rig *r, dice *d, int how)
{
    for (int k = 0; k < r->joint_count; ++k)
        for (int i = 0; i < er_joint_type_freedom(r->joint[k].type, NULL); ++i)
            r->joint[k].stiffness[i] = how == 0                       ? pow(10, dice_uniform(d, 0, 2))
                                       : how == 1                     ? 0.0
                                       : how == 2 && (i + k) % 2 == 0 ? 0.0
                                                                      : r->joint[k].stiffness[i];
}

static void condensed_products_are_those_of_the_dense_formula(void **state)
{
    dice d = {603};
    for (int trial = 0; trial < trials(320); ++trial) {
        rig r;
        rig_forest(&r, &d, 1 + dice_below(&d, 12), false);
        loosen(&r, &d, trial % 8 < 3 ? trial % 8 : 3);
        dense s = dense_create(&r, trial < 160 ? NULL : &d);
        eri_condensed *c = NULL;
        assert_int_equal(eri_condensed_create(s.arena, s.tree, &c), ER_OK);
        assert_int_equal(eri_condensed_factor(c, s.tree, context), ER_OK);
        for (int forced = 0; forced < 2; ++forced)
            judge_condensed(&s, c, &d, forced);
        dense_destroy(&s);
    }
}

// A body on a free joint that is `far` away from it: of a turn's inertia a shift's leaves 1 / far^2.
static void inertia_is_told_from_none_by_fourteen_digits(void **state)
{
    static const struct {
        double far;
        er_result result;
    } rows[] = {{1e1, ER_OK}, {1e3, ER_OK}, {1e6, ER_OK}, {1e8, ER_ERROR_NOT_POSDEF}, {1e9, ER_ERROR_NOT_POSDEF}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        rig r = {0};
        er_vec3 away = er_v3(0.6 * rows[i].far, 0.8 * rows[i].far, 0);
        rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), away, (er_pose){er_q_identity(), away});
        r.body[0].name = "far";
        rig_add_joint(&r, ER_JOINT_FREE, -1, 0, er_pose_identity());
        er_model *model = rig_model(context, &r);
        er_arena *arena = NULL;
        eri_forest *t = NULL;
        eri_condensed *c = NULL;
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        assert_int_equal(eri_forest_create(arena, model, &t), ER_OK);
        assert_int_equal(eri_condensed_create(arena, t, &c), ER_OK);
        assert_int_equal(eri_condensed_factor(c, t, context), rows[i].result);
        if (rows[i].result != ER_OK)
            assert_string_equal(er_context_error(context),
                                "body 0 \"far\" has a motion without stiffness whose inertia doubles cannot tell from "
                                "0; bring masses and distances closer in size");
        eri_arena_destroy(arena);
        er_model_destroy(model);
    }
}

// ---- the shifted pencil

// Eigenvalues of the pencil, ascending: 1 / those of A, by LAPACK; the unsprung's zeros left out.
static double *dense_eigenvalues(const dense *s)
{
    int N = s->N;
    real *X = allocate(s->Z * N, sizeof(real)), *B = allocate(s->Z * s->Z, sizeof(real));
    double *A = allocate(N * N, sizeof(double)), *value = allocate(N, sizeof(double));
    for (int i = 0; i < s->Z; ++i) {
        for (int k = 0; k < s->Z; ++k)
            B[i * s->Z + k] = s->M[(s->N + i) * s->all + s->N + k];
        for (int k = 0; k < N; ++k)
            X[i * N + k] = s->M[(s->N + i) * s->all + k];
    }
    solve_dense(s->Z, N, B, X);
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < N; ++k) {
            real sum = s->M[i * s->all + k];
            for (int z = 0; z < s->Z; ++z)
                sum -= s->M[i * s->all + N + z] * X[z * N + k];
            A[i + k * N] = (double)sum;
        }
    if (N > 0) assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', N, A, N, value), 0);
    for (int i = 0; i < N / 2; ++i) {
        double x = value[i];
        value[i] = value[N - 1 - i];
        value[N - 1 - i] = x;
    }
    double largest = N > 0 ? value[0] : 0.0;
    for (int i = 0; i < N; ++i) // rounding may have the last ones; they are not looked at
        value[i] = value[i] > 1e-10 * largest ? 1.0 / value[i] : HUGE_VAL;
    free(X);
    free(B);
    free(A);
    return value;
}

// The nearest eigenvalue's distance, relative.
static double clearance(const double *value, int count, double sigma)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i)
        least = fmin(least, fabs(value[i] / sigma - 1.0));
    return least;
}

static void judge_solve(const dense *s, const eri_shifted *f, const double sigma[LANES], const double growth[LANES],
                        dice *d, bool forced)
{
    eri_lanes *y = random_panel(d, s->N), *out = random_panel(d, s->N), *unsprung = random_panel(d, s->Z);
    eri_lanes *force = random_panel(d, s->Z);
    eri_shifted_solve(f, s->tree, y, forced ? force : NULL, out, unsprung);
    for (int l = 0; l < LANES; ++l) {
        measure_at_most("shifted solve, springs, over growth",
                        row_error(s, false, 1.0, sigma[l], out, unsprung, y, l) / (1 + growth[l]), 1e-11);
        measure_at_most("shifted solve, unsprung, over growth",
                        row_error(s, true, 1.0, sigma[l], out, unsprung, forced ? force : NULL, l) / (1 + growth[l]),
                        1e-11);
    }
    eri_shifted_solve(f, s->tree, y, forced ? force : NULL, y, NULL); // in place
    for (int i = 0; i < s->N; ++i)
        for (int l = 0; l < LANES; ++l)
            assert_true(y[i][l] == out[i][l]);
    free(y);
    free(out);
    free(unsprung);
    free(force);
}

static void negative_pivots_count_eigenvalues(void **state)
{
    dice d = {604};
    for (int trial = 0; trial < trials(320); ++trial) {
        rig r;
        rig_forest(&r, &d, 1 + dice_below(&d, 12), false);
        loosen(&r, &d, trial % 8 < 3 ? trial % 8 : 3);
        dense s = dense_create(&r, trial < 160 ? NULL : &d);
        double *value = dense_eigenvalues(&s), sigma[LANES], growth[LANES];
        int below[LANES];
        double low = s.N > 0 ? 0.1 * value[0] : 1.0, high = 100.0 * low;
        for (int i = 0; i < s.N; ++i)
            if (value[i] < 1e9 * value[0]) high = 3.0 * value[i];
        for (int l = 0; l < LANES; ++l) {
            do
                sigma[l] = low * pow(high / low, dice_uniform(&d, 0, 1));
            while (clearance(value, s.N, sigma[l]) < 1e-4);
            if (l == 7) sigma[l] = -sigma[l];
        }
        eri_shifted *f = NULL;
        assert_int_equal(eri_shifted_create(s.arena, s.tree, &f), ER_OK);
        eri_shifted_prepare(f, s.tree);
        eri_shifted_factor(f, s.tree, sigma, below, growth);
        for (int l = 0; l < LANES; ++l) {
            int expected = l == 7 ? 0 : s.Z;
            for (int i = 0; i < s.N; ++i)
                expected += value[i] < sigma[l];
            assert_int_equal(below[l], expected);
            assert_true(growth[l] >= 0.0 && growth[l] < 1e12);
        }
        for (int forced = 0; forced < 2; ++forced)
            judge_solve(&s, f, sigma, growth, &d, forced);
        free(value);
        dense_destroy(&s);
    }
}

// A pendulum of inertia J on a spring k: one pivot, 1 - sigma J / k, the sum of two terms.
static void growth_is_what_a_pivot_is_the_sum_of(void **state)
{
    const double k = 3.0, J = 1.0 + 2.0 * 0.25; // about the hinge: its own, and 2 kg half a metre away
    const double sigma[LANES] = {-1.0, 0.1, 0.5, 1.0, 1.9, 2.1, 4.0, 100.0};
    double growth[LANES];
    int below[LANES];
    rig r = {0};
    rig_add_body(&r, 2, er_v3(1, 1, 1), er_q_identity(), er_v3(0.5, 0, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity())->stiffness[0] = k;
    er_model *model = rig_model(context, &r);
    er_arena *arena = NULL;
    eri_forest *t = NULL;
    eri_shifted *f = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    assert_int_equal(eri_forest_create(arena, model, &t), ER_OK);
    assert_int_equal(eri_shifted_create(arena, t, &f), ER_OK);
    eri_shifted_prepare(f, t);
    eri_shifted_factor(f, t, sigma, below, growth);
    for (int l = 0; l < LANES; ++l) {
        double expected = (1.0 + fabs(sigma[l]) * J / k) / fabs(1.0 - sigma[l] * J / k);
        measure_at_most("growth of a pendulum", relative_error(growth[l], expected), 1e-13);
        assert_int_equal(below[l], sigma[l] > k / J);
    }
    eri_arena_destroy(arena);
    er_model_destroy(model);
}

// ---- other springs, other bodies, other poses

// A tree that has had other springs, bodies and poses is as good as new.
static void springs_bodies_and_poses_can_be_exchanged(void **state)
{
    dice d = {605};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig first, second;
        int bodies = 1 + dice_below(&d, 15);
        rig_forest(&first, &d, bodies, false);
        second = first;
        loosen(&second, &d, 2);
        for (int i = 0; i < bodies; ++i) {
            second.body[i].mass *= 2.0 + i;
            second.body[i].inertia = er_m3_madd((er_mat3){0}, 3.0 + i, second.body[i].inertia);
            second.body[i].com = er_v3_madd(second.body[i].com, 0.1, dice_vec3(&d));
        }
        er_model *a = rig_model(context, &first), *b = rig_model(context, &second);
        er_arena *arena = NULL;
        eri_forest *changed = NULL, *fresh = NULL;
        double *stiffness[2] = {allocate(a->coordinate_count, sizeof(double)),
                                allocate(a->coordinate_count, sizeof(double))};
        for (int k = 0; k < a->joint_count; ++k)
            for (int c = a->coordinate[k]; c < a->coordinate[k + 1]; ++c) {
                stiffness[0][c] = a->joint[k].stiffness[c - a->coordinate[k]];
                stiffness[1][c] = b->joint[k].stiffness[c - a->coordinate[k]];
            }
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        assert_int_equal(eri_forest_create(arena, a, &changed), ER_OK);
        assert_int_equal(eri_forest_create(arena, a, &fresh), ER_OK);
        eri_forest_set_stiffness(changed, stiffness[1]);
        eri_forest_set_bodies(changed, b->body);
        if (changed->spring_count > 0 && fresh->spring_count > 0)
            assert_true(changed->link[0].mass != fresh->link[0].mass);
        if (trial % 2 == 1) {
            er_pose pose[RIG_MAX];
            random_poses(a, &d, pose);
            eri_forest_set_pose(changed, b->body, pose);
            eri_forest_set_stiffness(changed, stiffness[0]);
            eri_forest_set_pose(changed, a->body, NULL);
        } else {
            eri_forest_set_stiffness(changed, stiffness[0]);
            eri_forest_set_bodies(changed, a->body);
        }
        tree_is_sound(changed);
        assert_int_equal(changed->rigid_count, fresh->rigid_count);
        assert_memory_equal(changed->link, fresh->link, (size_t)bodies * sizeof(eri_forest_link));
        assert_memory_equal(changed->scale, fresh->scale, (size_t)fresh->spring_count * sizeof(double));
        free(stiffness[0]);
        free(stiffness[1]);
        eri_arena_destroy(arena);
        er_model_destroy(a);
        er_model_destroy(b);
    }
}

// ---- memory

static er_result build(er_arena *arena, const er_model *model)
{
    er_result r = ER_OK;
    eri_forest *t;
    eri_condensed *c;
    eri_shifted *s;
    ERI_TRY(eri_forest_create(arena, model, &t));
    ERI_TRY(eri_condensed_create(arena, t, &c));
    ERI_TRY(eri_shifted_create(arena, t, &s));
done:
    return r;
}

static void any_allocation_may_fail(void **state)
{
    dice d = {606};
    rig r;
    rig_forest(&r, &d, 90, true);
    er_result result = ER_ERROR_MEMORY;
    long k = 0;
    for (; result != ER_OK; ++k) {
        ledger book = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&book);
        er_model *model = rig_model(own, &r);
        er_arena *arena = NULL;
        assert_int_equal(eri_arena_create(own, &arena), ER_OK);
        book.left = k;
        result = build(arena, model);
        assert_true(result == ER_OK || result == ER_ERROR_MEMORY);
        eri_arena_destroy(arena);
        er_model_destroy(model);
        ledger_end(&book, own);
    }
    assert_true(k > 3);
}

static void another_pose_takes_no_memory(void **state)
{
    dice d = {607};
    for (int trial = 0; trial < trials(20); ++trial) {
        rig r;
        er_arena *arena = NULL;
        eri_forest *t = NULL;
        eri_loops *loops = NULL;
        eri_condensed *c = NULL;
        eri_shifted *f = NULL;
        er_pose pose[RIG_MAX];
        ledger book = {.left = LEDGER_ALL};
        rig_forest(&r, &d, 12, true);
        er_context *own = ledger_context(&book);
        er_model *model = rig_model(own, &r);
        assert_int_equal(eri_arena_create(own, &arena), ER_OK);
        assert_int_equal(eri_forest_create(arena, model, &t), ER_OK);
        assert_int_equal(eri_loops_create(arena, t, 1e-10, &loops), ER_OK);
        assert_int_equal(eri_condensed_create(arena, t, &c), ER_OK);
        assert_int_equal(eri_shifted_create(arena, t, &f), ER_OK);
        random_poses(model, &d, pose);
        long asked = book.asked;
        eri_forest_set_pose(t, model->body, pose);
        eri_loops_set_pose(loops, t);
        assert_int_equal(eri_condensed_factor(c, t, own), ER_OK);
        eri_shifted_prepare(f, t);
        assert_int_equal(book.asked, asked);
        eri_arena_destroy(arena);
        er_model_destroy(model);
        er_context_destroy(own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rig_becomes_links_in_preorder),
        cmocka_unit_test(slender_and_bushy_trees_need_few_slots),
        cmocka_unit_test(motions_obey_the_joints),
        cmocka_unit_test(condensed_products_are_those_of_the_dense_formula),
        cmocka_unit_test(inertia_is_told_from_none_by_fourteen_digits),
        cmocka_unit_test(negative_pivots_count_eigenvalues),
        cmocka_unit_test(growth_is_what_a_pivot_is_the_sum_of),
        cmocka_unit_test(springs_bodies_and_poses_can_be_exchanged),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(another_pose_takes_no_memory),
    };
    return cmocka_run_group_tests_name("tree", tests, set_up, tear_down);
}
