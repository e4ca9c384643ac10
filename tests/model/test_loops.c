// Loops on a tree, judged by G of the whole rig: ranks by singular values of chosen rows, rates by twists of bodies.
#include "support/linkages.h"

#include <string.h>

#include <eigenrig/math.h>
#include <eigenrig/model.h>

#include "model/forest/loops.h"
#include "support/context.h"

static er_arena *arena; // of the test that runs

static er_redundancy *redundancy_of(const er_model *model)
{
    er_redundancy *found = NULL;
    assert_int_equal(er_redundancy_create(context, model, 1e-10, &found), ER_OK);
    return found;
}

// ---- ranks, by singular values

// Rank of the rows of G that are not left out, lengths in the rig's size.
static int rank_without(const er_model *model, const er_constraints *c, const bool *left_out)
{
    int rows = 0, m = c->constraint_count;
    double *A = calloc((size_t)m * (size_t)c->column_count + 1, sizeof *A);
    for (int i = 0; i < m; ++i)
        rows += !left_out[i];
    for (int j = 0; j < c->column_count; ++j)
        for (int i = 0, at = 0; i < m; ++i)
            if (!left_out[i]) A[at++ + j * rows] = c->G[i + j * m] * (j % 6 < 3 ? 1.0 : model->size);
    er_nullspace *n = NULL;
    assert_int_equal(er_nullspace_create(context, ER_NULLSPACE_SVD, rows, c->column_count, A, 1e-10, &n), ER_OK);
    int rank = n->rank;
    er_nullspace_destroy(n);
    free(A);
    return rank;
}

static int row_of(const er_constraints *c, er_redundant_row r)
{
    for (int i = 0; i < c->constraint_count; ++i)
        if (c->constraint_joint[i] == r.joint && c->constraint_axis[i] == r.axis) return i;
    fail_msg("joint %d does not hold axis %d", r.joint, r.axis);
    return -1;
}

// Without the redundant rows the rank is the same; without any one row more it is less; and each of them follows from
// rows kept before it, or would not be called the later one.
static void rows_are_redundant(const er_model *model, const er_redundancy *found)
{
    er_constraints *c = NULL;
    assert_int_equal(er_constraints_create(context, model, &c), ER_OK);
    bool *out = calloc((size_t)c->constraint_count + 1, sizeof *out);
    int rank = rank_without(model, c, out);
    assert_int_equal(found->constraint_count, c->constraint_count);
    assert_int_equal(found->rank, rank);
    assert_int_equal(found->count, c->constraint_count - rank);
    int before = -1;
    for (int i = 0; i < found->count; ++i) {
        int row = row_of(c, found->row[i]);
        assert_true(row > before);
        assert_true(model->joint[found->row[i].joint].closes_loop);
        out[before = row] = true;
    }
    assert_int_equal(rank_without(model, c, out), rank);
    for (int i = 0; i < c->constraint_count; ++i) {
        if (out[i]) continue;
        out[i] = true;
        assert_int_equal(rank_without(model, c, out), rank - 1);
        out[i] = false;
    }
    free(out);
    er_constraints_destroy(c);
}

static void linkages_have_the_redundant_rows_of_the_textbooks(void **state)
{
    dice d = {1};
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (int trial = 0; trial < 8; ++trial) {
            rig r = {0};
            char rows[1024];
            linkages[i].build(&r, &d);
            er_model *model = rig_model(context, &r);
            er_redundancy *found = redundancy_of(model);
            if (found->count != linkages[i].redundant) fail_msg("%s: %d redundant", linkages[i].name, found->count);
            write_rows(rows, found->row, found->count);
            if (linkages[i].rows != NULL) assert_string_equal(rows, linkages[i].rows);
            assert_int_equal(6 * model->body_count - found->rank, linkages[i].rigid + linkages[i].mobility);
            rows_are_redundant(model, found);
            measure_at_most("linkages, largest taken as zero", found->largest_zero, 1e-14);       // 6.9e-16
            measure_at_most("linkages, inverse of smallest kept", 1 / found->smallest_kept, 1e3); // 20
            er_redundancy_destroy(found);
            er_model_destroy(model);
        }
}

// The first joint, whose coordinates are the first, closes a loop where one does.
static void begin_with_a_loop(rig *r)
{
    for (int j = 1; j < r->joint_count; ++j) {
        if (!r->joint[j].closes_loop) continue;
        er_joint first = r->joint[0];
        r->joint[0] = r->joint[j];
        r->joint[j] = first;
        return;
    }
}

static void random_rigs_have_the_rank_of_all_their_rows(void **state)
{
    dice d = {2};
    int redundant = 0;
    for (int trial = 0; trial < trials(300); ++trial) {
        rig r;
        rig_random(&r, &d, true);
        if (trial % 2 > 0) begin_with_a_loop(&r);
        er_model *model = rig_model(context, &r);
        er_redundancy *found = redundancy_of(model);
        rows_are_redundant(model, found);
        redundant += found->count > 0;
        measure_at_most("random rigs, largest taken as zero", found->largest_zero, 1e-13); // 4.1e-15
        er_redundancy_destroy(found);
        er_model_destroy(model);
    }
    assert_in_range(redundant, trials(50), trials(250));
}

// The unit of length, the size of the rig, springs and where it lies have no say.
static void names_are_a_question_of_geometry_alone(void **state)
{
    dice d = {3};
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (int trial = 0; trial < 6; ++trial) {
            rig r = {0};
            char before[1024], after[1024];
            linkages[i].build(&r, &d);
            for (int pass = 0; pass < 2; ++pass) {
                er_model *model = rig_model(context, &r);
                er_redundancy *found = redundancy_of(model);
                write_rows(pass == 0 ? before : after, found->row, found->count);
                er_redundancy_destroy(found);
                er_model_destroy(model);
                rig_scale(&r, pow(10.0, trial - 3));
                if (linkages[i].rows != NULL) rig_move(&r, dice_pose(&d)); // Sarrus' rows may tie
                for (int k = 0; k < r.joint_count; ++k)
                    for (int c = 0; c < er_joint_type_freedom(r.joint[k].type, NULL); ++c)
                        r.joint[k].stiffness[c] = dice_below(&d, 3) > 0 ? pow(10.0, dice_uniform(&d, -9, 9)) : 0.0;
            }
            assert_string_equal(before, after);
        }
}

// A ring drawn flat but for `askew`: of its five rows three follow from others until it counts for more than tol.
static void a_loop_almost_flat_is_judged_by_the_tolerance(void **state)
{
    for (int e = -13; e <= -3; e += 2) {
        dice d = {4};
        rig r = {0};
        linkages[1].build(&r, &d);
        er_quat *q = &r.joint[1].frame.q;
        *q = er_q_mul(*q, er_q_exp(er_v3(pow(10.0, e), 0, 0)));
        er_model *model = rig_model(context, &r);
        er_redundancy *found = redundancy_of(model);
        assert_int_equal(found->count, e < -10 ? 3 : 2);
        assert_true(e < -10 ? found->largest_zero < 1e-10 : found->smallest_kept > 1e-10);
        assert_true(found->smallest_kept / found->largest_zero > 100.0);
        er_redundancy_destroy(found);
        er_model_destroy(model);
    }
}

static void a_tree_has_none(void **state)
{
    dice d = {5};
    rig r;
    rig_random(&r, &d, false);
    er_model *model = rig_model(context, &r);
    er_redundancy *found = redundancy_of(model);
    assert_int_equal(found->count, 0);
    assert_int_equal(found->rank, found->constraint_count);
    assert_true(found->smallest_kept == 1.0 && found->largest_zero == 0.0);
    er_redundancy_destroy(found);
    er_model_destroy(model);
}

// Many loops apart from each other, and many that hang together: ladders of hinged rods.
static void lattices_of_loops_keep_their_rank(void **state)
{
    enum { CELLS = 38 };
    static const int out_of_plane[3] = {0, 1, 5};
    for (int tied = 0; tied < 2; ++tied) { // not tied: the rails are cut at every other rung
        rig r = {0};
        int left = -1, right = -1;
        for (int i = 0; i < CELLS; ++i) {
            er_pose foot = {er_q_identity(), er_v3(0.1 * sin(i), i, 0)}, other = {er_q_identity(), er_v3(1, i, 0)};
            int rung = rig_add_body(&r, 1, er_v3(0.1, 0.1, 0.1), foot.q, er_v3(0.5, i, 0), foot);
            if (left >= 0) {
                rig_add_joint(&r, ER_JOINT_REVOLUTE, left, rung, foot);
                rig_add_joint(&r, ER_JOINT_REVOLUTE, right, rung, other)->closes_loop = true;
            }
            if (i == CELLS - 1 || (!tied && i % 2 == 1)) {
                left = right = -1;
                continue;
            }
            left = rig_add_body(&r, 1, er_v3(0.1, 0.1, 0.1), foot.q, er_v3(0, i + 0.5, 0), foot);
            right = rig_add_body(&r, 1, er_v3(0.1, 0.1, 0.1), foot.q, er_v3(1, i + 0.5, 0), other);
            rig_add_joint(&r, ER_JOINT_REVOLUTE, rung, left, foot);
            rig_add_joint(&r, ER_JOINT_REVOLUTE, rung, right, other);
        }
        er_model *model = rig_model(context, &r);
        er_redundancy *found = redundancy_of(model);
        int loops = tied ? CELLS - 1 : CELLS / 2;
        assert_int_equal(model->loop_count, loops);
        assert_int_equal(found->count, 3 * loops);
        for (int i = 0; i < found->count; ++i)
            assert_int_equal(found->row[i].axis, out_of_plane[i % 3]);
        er_redundancy_destroy(found);
        er_model_destroy(model);
    }
}

// ---- rows

static eri_lanes some_lanes(dice *d)
{
    eri_lanes x;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        x[k] = dice_uniform(d, -1, 1);
    return x;
}

// The rates of the ends of joint k against each other by the twists of all bodies, lane by lane, in the joint's frame.
static void ends_apart(const eri_forest *t, const eri_lanes *twist, int k, int lane, double rate[6])
{
    const er_joint *j = &t->model->joint[k];
    const int ends[2] = {j->child, j->parent};
    for (int i = 0; i < 6; ++i)
        rate[i] = 0.0;
    for (int e = 0; e < 2; ++e) {
        if (ends[e] < 0) continue;
        int link = t->tree.link_of_body[ends[e]];
        const eri_lanes *x = twist + 6 * link;
        er_pose point = {er_q_identity(),
                         er_v3(t->link[link].point[0], t->link[link].point[1], t->link[link].point[2])};
        double ad[6][6];
        er_constraint_adjoint(point, j->frame, ad);
        for (int i = 0; i < 6; ++i)
            for (int c = 0; c < 6; ++c)
                rate[i] += (e == 0 ? 1.0 : -1.0) * ad[i][c] * x[c][lane];
    }
    rate[5] -= j->pitch * rate[2]; // of a screw
}

static void rates_agree(const eri_forest *t, const eri_loops *s, dice *d)
{
    static eri_lanes y[1000], unsprung[1000], twist[1000], rate[1000], force[1000], pushed[2][1000];
    for (int i = 0; i < t->spring_count; ++i)
        y[i] = some_lanes(d) / t->scale[i];
    for (int i = 0; i < t->unsprung_count; ++i)
        unsprung[i] = some_lanes(d);
    eri_forest_twists(t, y, unsprung, twist);
    eri_loops_rates(s, t, y, unsprung, rate);
    memset(pushed, 0, sizeof pushed);
    for (int i = 0; i < 6 * s->loop_count; ++i)
        force[i] = some_lanes(d);
    eri_loops_add_forces(s, t, force, pushed[0], pushed[1]);
    for (int lane = 0; lane < ERI_LANE_COUNT; ++lane) {
        double here = 0.0, there = 0.0, whole = 0.0;
        for (int k = 0; k < s->loop_count; ++k) {
            double expected[6];
            ends_apart(t, twist, s->loop[k].joint, lane, expected);
            for (int i = 0; i < 6; ++i) {
                measure_at_most("rates of loop joints", fabs(rate[6 * k + i][lane] * s->loop[k].unit[i] - expected[i]),
                                1e-12); // 2.8e-15
                here += rate[6 * k + i][lane] * force[6 * k + i][lane];
                whole += fabs(rate[6 * k + i][lane] * force[6 * k + i][lane]);
            }
        }
        for (int i = 0; i < t->spring_count; ++i)
            there += pushed[0][i][lane] * y[i][lane];
        for (int i = 0; i < t->unsprung_count; ++i)
            there += pushed[1][i][lane] * unsprung[i][lane];
        measure_at_most("power of loop forces", fabs(here - there), 1e-12 * (1.0 + whole)); // 1.1e-15
    }
}

static void with_arena(void (*body)(dice *d), unsigned long long seed)
{
    dice d = {seed};
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    body(&d);
    eri_arena_destroy(arena);
}

static void try_rows(dice *d)
{
    for (int trial = 0; trial < trials(100); ++trial) {
        rig r;
        eri_forest *tree;
        eri_loops *loops;
        rig_random(&r, d, true);
        if (trial % 2 > 0) begin_with_a_loop(&r);
        er_model *model = rig_model(context, &r);
        assert_int_equal(eri_forest_create(arena, model, &tree), ER_OK);
        assert_int_equal(eri_loops_create(arena, tree, 1e-10, &loops), ER_OK);
        rates_agree(tree, loops, d);
        int kept = loops->kept_count, redundant = loops->redundant_count;
        double stiffness[1000];
        for (int i = 0; i < model->coordinate_count; ++i)
            stiffness[i] = dice_below(d, 2) > 0 ? pow(10.0, dice_uniform(d, -3, 3)) : 0.0;
        eri_forest_set_stiffness(tree, stiffness);
        eri_loops_set_stiffness(loops, tree, stiffness);
        rates_agree(tree, loops, d);
        for (int k = 0; k < loops->loop_count; ++k)
            for (int i = 0; i < 6; ++i) {
                const eri_loop *l = &loops->loop[k];
                double k_row = l->coordinate[i] < 0 ? 0.0 : stiffness[l->coordinate[i]] * l->unit[i] * l->unit[i];
                assert_true(l->stiffness[i] == k_row);
            }
        assert_int_equal(loops->kept_count, kept);
        assert_int_equal(loops->redundant_count, redundant);
        er_model_destroy(model);
    }
}

static void rows_are_the_rates_of_loop_joints_at_any_stiffness(void **state)
{
    with_arena(try_rows, 6);
}

// ---- at other poses

// The twists of bodies in their own axes and frames, of those that eri_forest_twists() writes.
static void body_twists(const eri_forest *t, const er_pose *pose, const eri_lanes *twist, int lane, double *v)
{
    for (int i = 0; i < t->link_count; ++i) {
        const eri_forest_link *l = &t->link[i];
        const eri_lanes *x = twist + 6 * i;
        er_pose point = {er_q_identity(), er_v3(l->point[0], l->point[1], l->point[2])};
        er_twist own = {er_v3(x[0][lane], x[1][lane], x[2][lane]), er_v3(x[3][lane], x[4][lane], x[5][lane])};
        own = er_twist_transform(er_pose_mul(er_pose_inverse(pose[t->tree.link[i].body]), point), own);
        const double out[6] = {own.angular.x, own.angular.y, own.angular.z, own.linear.x, own.linear.y, own.linear.z};
        memcpy(v + 6 * t->tree.link[i].body, out, sizeof out);
    }
}

static double row_times(const double *matrix, int rows, int row, const double *v, int columns)
{
    double sum = 0.0;
    for (int i = 0; i < columns; ++i)
        sum += matrix[row + i * rows] * v[i];
    return sum;
}

// G N = 0 in the rows of the tree's joints, and C is what N leaves of those of loops, and of their coordinates.
static void rows_agree(const eri_forest *t, const eri_loops *s, const er_constraints *c, const er_pose *pose, dice *d)
{
    static eri_lanes y[1000], unsprung[1000], twist[1000], rate[1000];
    static double v[1000];
    for (int i = 0; i < t->spring_count; ++i)
        y[i] = some_lanes(d) / t->scale[i];
    for (int i = 0; i < t->unsprung_count; ++i)
        unsprung[i] = some_lanes(d);
    eri_forest_twists(t, y, unsprung, twist);
    eri_loops_rates(s, t, y, unsprung, rate);
    for (int lane = 0; lane < ERI_LANE_COUNT; ++lane) {
        int loop[64], at = 0;
        for (int k = 0; k < t->model->joint_count; ++k)
            loop[k] = at < s->loop_count && s->loop[at].joint == k ? at++ : -1;
        assert_int_equal(at, s->loop_count);
        body_twists(t, pose, twist, lane, v);
        for (int row = 0; row < c->constraint_count; ++row) {
            int k = c->constraint_joint[row], i = c->constraint_axis[row];
            double there = loop[k] < 0 ? 0.0 : rate[6 * loop[k] + i][lane] * s->loop[loop[k]].unit[i];
            double here = row_times(c->G, c->constraint_count, row, v, c->column_count);
            measure_at_most("G N at a pose", fabs(here - there), 1e-12); // 1.7e-14
        }
        for (int k = 0; k < s->loop_count; ++k)
            for (int i = 0; i < 6; ++i) {
                int row = s->loop[k].coordinate[i];
                if (row < 0) continue;
                double here = row_times(c->R, c->coordinate_count, row, v, c->column_count);
                measure_at_most("R N at a pose", fabs(here - rate[6 * k + i][lane] * s->loop[k].unit[i]),
                                1e-12); // 1.1e-14
            }
    }
}

// A basis of what the joints allow at the pose: as many motions as G of the pose has, and none that it forbids.
static void basis_agrees(const eri_forest *t, const eri_loops *s, const er_constraints *c, const er_pose *pose)
{
    static eri_lanes y[1000], unsprung[1000], twist[1000];
    static double v[1000];
    static const bool none[1000];
    eri_matrix X = {0};
    assert_int_equal(eri_loops_basis(arena, s, t, &X), ER_OK);
    assert_int_equal(X.cols, c->column_count - rank_without(t->model, c, none));
    for (int a = 0; a < X.cols; ++a) {
        for (int i = 0; i < X.rows; ++i)
            if (i < t->spring_count)
                y[i][0] = eri_matrix_column(X, a)[i] / t->scale[i];
            else
                unsprung[i - t->spring_count][0] = eri_matrix_column(X, a)[i];
        eri_forest_twists(t, y, unsprung, twist);
        body_twists(t, pose, twist, 0, v);
        for (int row = 0; row < c->constraint_count; ++row)
            measure_at_most("G N X at a pose", fabs(row_times(c->G, c->constraint_count, row, v, c->column_count)),
                            1e-12); // 9.3e-15
    }
}

static void same_entries(const eri_loops *a, const eri_loops *b)
{
    assert_int_equal(a->loop_count, b->loop_count);
    for (int k = 0; k < a->loop_count; ++k) {
        assert_int_equal(a->loop[k].end, b->loop[k].end);
        for (int e = a->loop[k].first; e < a->loop[k].end; ++e) {
            assert_int_equal(a->entry[e].column, b->entry[e].column);
            assert_true(a->entry[e].per == b->entry[e].per);
            assert_memory_equal(a->entry[e].value, b->entry[e].value, sizeof a->entry[e].value);
        }
    }
}

static void try_poses(dice *d)
{
    for (int trial = 0; trial < trials(200); ++trial) {
        rig r;
        eri_forest *tree;
        eri_loops *loops, *fresh;
        er_constraints *c = NULL;
        er_pose pose[RIG_MAX], root[RIG_MAX];
        double q[6 * RIG_MAX];
        rig_random(&r, d, true);
        er_model *model = rig_model(context, &r);
        for (int i = 0; i < model->coordinate_count; ++i)
            q[i] = dice_uniform(d, -1.5, 1.5);
        for (int b = 0; b < model->body_count; ++b)
            root[b] = dice_motion(d, 0.5, 1.0);
        er_model_pose(model, q, root, pose); // loops stand open
        assert_int_equal(eri_forest_create(arena, model, &tree), ER_OK);
        assert_int_equal(eri_loops_create(arena, tree, 1e-10, &loops), ER_OK);
        eri_forest_set_pose(tree, model->body, pose);
        eri_loops_set_pose(loops, tree);
        assert_int_equal(er_constraints_at(context, model, pose, &c), ER_OK);
        rows_agree(tree, loops, c, pose, d);
        assert_int_equal(eri_loops_create(arena, tree, 1e-10, &fresh), ER_OK);
        same_entries(loops, fresh);
        basis_agrees(tree, fresh, c, pose);
        eri_forest_set_pose(tree, model->body, NULL);
        eri_loops_set_pose(loops, tree);
        rates_agree(tree, loops, d);
        er_constraints_destroy(c);
        er_model_destroy(model);
    }
}

static void rows_follow_the_pose(void **state)
{
    with_arena(try_poses, 10);
}

// Columns of the basis keep loops closed, and are orthonormal with lengths in the rig's size.
static void try_basis(dice *d)
{
    for (int trial = 0; trial < trials(100); ++trial) {
        rig r;
        eri_forest *t;
        eri_loops *s;
        eri_matrix X = {0};
        rig_random(&r, d, true);
        er_model *model = rig_model(context, &r);
        assert_int_equal(eri_forest_create(arena, model, &t), ER_OK);
        assert_int_equal(eri_loops_create(arena, t, 1e-10, &s), ER_OK);
        assert_int_equal(eri_loops_basis(arena, s, t, &X), ER_OK);
        assert_int_equal(X.rows, t->spring_count + t->unsprung_count);
        assert_int_equal(X.cols, X.rows - s->kept_count);
        double unit[1000];
        for (int i = 0; i < t->link_count; ++i)
            for (int c = 0; c < t->link[i].freedom; ++c) {
                const double *S = t->link[i].S[c];
                bool turns = fabs(S[0]) + fabs(S[1]) + fabs(S[2]) > 0.5;
                unit[eri_forest_column(t, &t->link[i], c)] = turns ? 1.0 : model->size;
            }
        for (int a = 0; a < X.cols; ++a) {
            for (int b = 0; b <= a; ++b) {
                double sum = 0.0;
                for (int i = 0; i < X.rows; ++i)
                    sum += eri_matrix_column(X, a)[i] * eri_matrix_column(X, b)[i] / (unit[i] * unit[i]);
                measure_at_most("basis, orthonormal", fabs(sum - (a == b)), 1e-13); // 4.4e-16
            }
            eri_lanes y[1000] = {{0}}, unsprung[1000] = {{0}}, rate[1000];
            for (int i = 0; i < X.rows; ++i)
                if (i < t->spring_count)
                    y[i][0] = eri_matrix_column(X, a)[i] / t->scale[i];
                else
                    unsprung[i - t->spring_count][0] = eri_matrix_column(X, a)[i];
            eri_loops_rates(s, t, y, unsprung, rate);
            for (int i = 0; i < 6 * s->loop_count; ++i) // redundant rows too
                if (s->loop[i / 6].coordinate[i % 6] < 0)
                    measure_at_most("basis, loops stay closed", fabs(rate[i][0]), 1e-12); // 4.7e-16
        }
        er_model_destroy(model);
    }
}

static void the_basis_keeps_loops_closed(void **state)
{
    with_arena(try_basis, 7);
}

// ---- calls

// A hub on a ball joint, arms that float about it, each welded to the world: all loops share the hub's coordinates, and
// of so many no one could wait for the answer.
static void too_many_loops_that_share_joints_are_refused(void **state)
{
    enum { ARMS = 700 };
    static er_body body[ARMS + 1];
    static er_joint joint[2 * ARMS + 1];
    er_model_def def = er_default_model_def();
    def.body = body;
    def.joint = joint;
    def.joint_count = 0;
    for (int i = 0; i <= ARMS; ++i) {
        body[i] = (er_body){.mass = 1, .inertia = er_m3_identity(), .pose = er_pose_identity()};
        body[i].pose.p.x = i;
        er_joint *on = &joint[def.joint_count++];
        *on = (er_joint){.type = i == 0 ? ER_JOINT_SPHERICAL : ER_JOINT_FREE, .parent = i == 0 ? -1 : 0, .child = i};
        on->frame = body[i].pose;
        if (i == 0) continue;
        er_joint *weld = &joint[def.joint_count++];
        *weld =
            (er_joint){.type = ER_JOINT_FIXED, .parent = -1, .child = i, .frame = body[i].pose, .closes_loop = true};
    }
    def.body_count = ARMS + 1;
    er_model *model = NULL;
    er_redundancy *found = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    assert_int_equal(er_redundancy_create(context, model, 1e-10, &found), ER_ERROR_RIG);
    assert_string_equal(er_context_error(context),
                        "4200 constraints of loops that share joints are too many to tell the redundant ones apart");
    assert_null(found);
    er_model_destroy(model);
}

static void wrong_calls_are_refused(void **state)
{
    dice d = {8};
    rig r = {0};
    linkages[0].build(&r, &d);
    er_model *model = rig_model(context, &r);
    er_redundancy *found = (er_redundancy *)&r;
    assert_int_equal(er_redundancy_create(context, model, 1e-10, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_redundancy_create(NULL, model, 1e-10, &found), ER_ERROR_ARGUMENT);
    assert_null(found);
    const double tolerances[] = {0.0, 1.0, -1e-10, NAN, INFINITY};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(er_redundancy_create(context, model, tolerances[i], &found), ER_ERROR_ARGUMENT);
        assert_non_null(strstr(er_context_error(context), "rank tolerance"));
    }
    assert_int_equal(er_redundancy_create(context, model, 2.0, &found), ER_ERROR_ARGUMENT);
    assert_string_equal(er_context_error(context), "rank tolerance 2 is not in (0, 1)");
    assert_int_equal(er_redundancy_create(context, NULL, 1e-10, &found), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), "er_redundancy_create needs a model"));
    assert_int_equal(er_redundancy_create(context, model, 0.7, &found), ER_OK); // coarse, and no less a tolerance
    er_redundancy_destroy(found);
    er_redundancy_destroy(NULL);
    er_model_destroy(model);
}

static void any_allocation_may_fail(void **state)
{
    dice d = {9};
    rig r = {0};
    linkages[5].build(&r, &d);
    er_result result = ER_ERROR_MEMORY;
    long k = 0;
    for (; result != ER_OK; ++k) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_model *model = rig_model(own, &r);
        er_redundancy *found = (er_redundancy *)&r;
        l.left = k;
        result = er_redundancy_create(own, model, 1e-10, &found);
        assert_true(result == ER_OK ||
                    (result == ER_ERROR_MEMORY && found == NULL && er_context_error(own)[0] != '\0'));
        er_redundancy_destroy(found);
        er_model_destroy(model);
        ledger_end(&l, own);
    }
    assert_true(k > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linkages_have_the_redundant_rows_of_the_textbooks),
        cmocka_unit_test(random_rigs_have_the_rank_of_all_their_rows),
        cmocka_unit_test(names_are_a_question_of_geometry_alone),
        cmocka_unit_test(a_loop_almost_flat_is_judged_by_the_tolerance),
        cmocka_unit_test(a_tree_has_none),
        cmocka_unit_test(lattices_of_loops_keep_their_rank),
        cmocka_unit_test(rows_are_the_rates_of_loop_joints_at_any_stiffness),
        cmocka_unit_test(rows_follow_the_pose),
        cmocka_unit_test(the_basis_keeps_loops_closed),
        cmocka_unit_test(too_many_loops_that_share_joints_are_refused),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("loops", tests, set_up, tear_down);
}
