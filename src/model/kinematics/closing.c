// Loops closed by the smallest change of the coordinates in the mass norm: the x nearest to the one asked for, x0, with
// e(x) = 0. Linearised about the last guess, e + J (x - guess) = 0, the nearest is
//   x = x0 + M^-1 J' mu = x0 + L'^-1 z,   z of least norm with  (J L'^-1) z = J (guess - x0) - e,
// whose fixed point is the nearest of all, whatever the first guess: so a pose depends on x0 alone. Where the loop
// bends more than it is far from x0, whole steps along it go to and fro; so only a share of their part along the loop
// is taken: where a step is r times the last one, r < 0, 1 / (1 - r) of what was; and where steps go on alike, r > 0,
// all of them are taken at once (Aitken). Bodies that are held are loops with the world, and the norm is that of
// springs.
#include <string.h>

#include "model/kinematics/kinematics.h"

#define GAP_TOLERANCE 1e-10  // of the rig's size
#define STEP_TOLERANCE 1e-10 // rad, and of the rig's size
#define RANK_TOLERANCE 1e-7  // rows that say the same are apart by rounding, and by what is left of the gap
#define SAME 1e-8            // rad, and of the rig's size: no correction to speak of
#define MOST_CORRECTION 0.75 // of the way: a linkage that turns back that much of it does not follow
#define NOISE 1e-10          // of a derivative's natural size: what is left where both ends of a joint move as one

// --- the closure error and its derivative

static double loop_errors(const er_model *model, const er_pose *pose, double *error)
{
    double worst = 0.0;
    for (int j = 0; j < model->joint_count; ++j) {
        if (!model->joint[j].closes_loop) continue;
        eri_joint_gap(model, j, pose, error);
        for (int i = 0; i < 6; ++i)
            worst = eri_worse(worst, error[i]);
        error += 6;
    }
    return worst;
}

// Rows of J' that a body's motion fills, as one end of a joint.
static void add_end(const er_kinematics *k, int joint, int body, double sign, const double *x, const er_pose *pose,
                    eri_matrix Jt, int first_column)
{
    er_pose parent = eri_joint_parent_side(k->model, joint, pose), child = eri_joint_child_side(k->model, joint, pose);
    for (int l = body >= 0 ? k->tree.link_of_body[body] : -1; l >= 0; l = k->tree.link[l].parent) {
        int axis[6], count = er_joint_type_freedom(k->tree.link[l].type, axis);
        for (int a = 0; a < count; ++a) {
            double rate[6];
            eri_joint_gap_rate(k->model, joint, parent, child, eri_link_twist(k, l, axis[a], x, pose), rate);
            for (int i = 0; i < 6; ++i)
                eri_matrix_column(Jt, first_column + i)[k->placement[l].first + a] += sign * rate[i];
        }
    }
}

// Rounding that stands alone, as where a joint is there twice, would be taken for a constraint.
static void drop_noise(const er_kinematics *k, eri_matrix Jt)
{
    for (int i = 0; i < k->model->body_count; ++i) {
        int axis[6], count = er_joint_type_freedom(k->tree.link[i].type, axis);
        for (int a = 0; a < count; ++a) {
            double least = NOISE * (axis[a] < 3 ? k->model->size : 1.0);
            for (int column = 0; column < Jt.cols; ++column) {
                double *rate = eri_matrix_column(Jt, column) + k->placement[i].first + a;
                if (fabs(*rate) < least) *rate = 0.0;
            }
        }
    }
}

static void loop_jacobian(const er_kinematics *k, const double *x, const er_pose *pose, eri_matrix Jt)
{
    int column = 0;
    for (int j = 0; j < k->model->joint_count; ++j) {
        const er_joint *joint = &k->model->joint[j];
        if (!joint->closes_loop) continue;
        add_end(k, j, joint->child, 1.0, x, pose, Jt, column);
        add_end(k, j, joint->parent, -1.0, x, pose, Jt, column);
        column += 6;
    }
}

// --- the nearest closed x

// How much of the last step this one is, along it; keeps this one.
static double repeat(const er_kinematics *k, const double *x, double share, double last)
{
    double dot = 0.0;
    for (int c = 0; c < k->width; ++c) {
        double step = (k->y[c] - x[c]) / (share * k->unit[c]);
        dot += step * k->step[c];
        k->step[c] = step;
    }
    return last < HUGE_VAL ? dot / (last * last) : 0.0;
}

// Whether bodies are held as they stand without displacement: joints between them then rest.
static bool locks(const er_kinematics *k)
{
    return k->holds.count > 0 && k->goal == k->base;
}

// The columns of J L'^-1 that are not zero, and which coordinate each is of.
static er_result gather(const er_kinematics *k, eri_matrix Jt, eri_matrix *S, int **used)
{
    er_result r = ER_OK;
    int count = 0;
    ERI_TRY_NEW(*used, k->scratch, int, Jt.rows);
    for (int c = 0; c < Jt.rows; ++c) {
        bool any = false, rests = locks(k) && k->locked[c];
        for (int i = 0; i < Jt.cols && !any && !rests; ++i)
            any = eri_matrix_column(Jt, i)[c] != 0.0;
        if (any) (*used)[count++] = c;
    }
    ERI_TRY(eri_matrix_create(k->scratch, Jt.cols, count, S));
    for (int j = 0; j < count; ++j)
        for (int i = 0; i < Jt.cols; ++i)
            eri_matrix_column(*S, j)[i] = eri_matrix_column(Jt, i)[(*used)[j]];
done:
    return r;
}

// From a guess in x to the closed x nearest to `asked`.
static er_result approach(er_kinematics *k, const double *asked, double *x, er_pose *pose, bool *closed)
{
    er_result r = ER_OK;
    const er_model *model = k->model;
    const eri_holds *holds = locks(k) ? &k->apart : &k->holds;
    int n = k->width, loop_rows = 6 * model->loop_count, rows = loop_rows + holds->rows, *used;
    double *z, last = HUGE_VAL, share = 1.0, before = 0.0;
    *closed = false;
    for (int iteration = 0; iteration < 300; ++iteration) {
        eri_matrix Jt, S, right;
        eri_arena_reset(k->scratch);
        ERI_TRY(eri_linalg_ready(eri_arena_context(k->scratch)));
        ERI_TRY(eri_matrix_create(k->scratch, n, rows, &Jt));
        ERI_TRY(eri_matrix_create(k->scratch, rows, 1, &right));
        double apart = loop_errors(model, pose, right.a), off = eri_hold_errors(k, holds, pose, right.a + loop_rows),
               gap = eri_worse(apart, off);
        if (gap <= GAP_TOLERANCE * model->size && last <= STEP_TOLERANCE) {
            *closed = true;
            break;
        }
        if (!(gap < HUGE_VAL)) break;
        loop_jacobian(k, x, pose, Jt);
        eri_hold_jacobian(k, holds, x, pose, Jt, loop_rows);
        drop_noise(k, Jt);
        for (int i = 0; i < rows; ++i) {
            double moved = 0.0;
            for (int c = 0; c < n; ++c)
                moved += eri_matrix_column(Jt, i)[c] * (x[c] - asked[c]);
            right.a[i] = share * moved - right.a[i];
        }
        eri_kinematics_unweigh(k, false, Jt);
        ERI_TRY(gather(k, Jt, &S, &used));
        ERI_TRY_NEW(z, k->scratch, double, S.cols);
        ERI_TRY(eri_linalg_least_squares(k->scratch, S, RANK_TOLERANCE, right, z));
        memset(k->y, 0, (size_t)n * sizeof *k->y);
        for (int j = 0; j < S.cols; ++j)
            k->y[used[j]] = z[j];
        eri_kinematics_unweigh(k, true, (eri_matrix){n, 1, k->y});
        for (int c = 0; c < n; ++c)
            k->y[c] += x[c] + share * (asked[c] - x[c]);
        double step = eri_kinematics_distance(k, k->y, x) / share, again = repeat(k, x, share, last);
        bool alike = again > 0.5 && fabs(again - before) < 0.05;
        for (int c = 0; alike && c < n; ++c)
            k->y[c] += again / (1.0 - fmin(again, 0.99)) * (k->y[c] - x[c]);
        if (again < -0.5 && share > 0.1)
            share /= 1.0 - again;
        else if (again < 0.5 && step > 0.95 * last && share > 0.1)
            share *= 0.8;
        last = alike ? HUGE_VAL : step;
        before = again;
        memcpy(x, k->y, (size_t)n * sizeof *x);
        eri_kinematics_open(k, x, pose);
    }
done:
    return r;
}

// A loop joint's own coordinates, as the poses of its bodies have them.
static void read_loop_coordinates(const er_model *model, const er_pose *pose, double *x)
{
    for (int j = 0; j < model->joint_count; ++j) {
        const er_joint *joint = &model->joint[j];
        if (!joint->closes_loop) continue;
        er_pose between =
            er_pose_mul(er_pose_inverse(eri_joint_parent_side(model, j, pose)), eri_joint_child_side(model, j, pose));
        eri_joint_coordinates(joint->type, joint->pitch, between, NULL, x + model->coordinate[j]);
    }
}

static void rest_locked(er_kinematics *k, double *x, er_pose *pose)
{
    for (int c = 0; c < k->width; ++c)
        if (k->locked[c]) x[c] = 0.0;
    eri_kinematics_open(k, x, pose);
}

// Straight at it; and where the correction rivals the motion, so that it may have closed the loop in another of the
// ways it can be closed, step by step from the equilibrium.
er_result eri_kinematics_close(er_kinematics *k, double *x, er_pose *pose)
{
    enum { STEPS = 16 };
    er_result r = ER_OK;
    const er_model *model = k->model;
    int n = k->width;
    bool closed, any = k->holds.count > 0; // how far the correction goes: a leg that swings is turned back all the way
    if (locks(k)) rest_locked(k, x, pose);
    memcpy(k->asked, x, (size_t)n * sizeof *x);
    memset(k->from, 0, (size_t)n * sizeof *x);
    double way = eri_kinematics_distance(k, k->asked, k->from);
    ERI_TRY(approach(k, k->asked, x, pose, &closed));
    if (!closed || (!any && eri_kinematics_distance(k, x, k->asked) > way / 3.0 + SAME)) {
        memset(x, 0, (size_t)n * sizeof *x);
        for (int step = 1; step <= STEPS; ++step) {
            double share = (double)step / STEPS;
            for (int c = 0; c < n; ++c)
                k->target[c] = share * k->asked[c];
            memcpy(k->from, x, (size_t)n * sizeof *x);
            eri_kinematics_open(k, x, pose);
            ERI_TRY(approach(k, k->target, x, pose, &closed));
            if (closed && (any || eri_kinematics_distance(k, x, k->from) <= 3.0 * way / STEPS + SAME)) continue;
            closed = false;
            break;
        }
    }
    if (!closed || (!any && eri_kinematics_distance(k, x, k->asked) > MOST_CORRECTION * way + SAME))
        r = er_fail(eri_arena_context(k->arena), ER_ERROR_NO_CONVERGENCE,
                    "a loop of joints%s cannot follow that far; take a smaller amplitude",
                    any ? ", or what is planted," : "");
    else
        read_loop_coordinates(model, pose, x);
done:
    return r;
}
