// Springs of loose parts as forces on bodies: each joint pulls towards where a trajectory has it.
#include <string.h>

#include "base/arena.h"
#include "math/dense/dense.h"
#include "model/joint/joint.h"
#include "motion/loose_part.h"

// The joint of a loose body.
typedef struct spring_joint {
    int body, parent;
    const er_joint *joint;
    er_pose frame;    // in the body
    er_pose at;       // of the body in its parent, at equilibrium
    int first, count; // coordinates, of all loose joints together
} spring_joint;

typedef struct er_follow_springs_work {
    er_follow_springs springs;
    er_arena *arena;
    int joint_count, width;
    spring_joint *joint; // [joint_count], parents first
    er_model *limp;
    double *stiffness, *carried; // [width]
    double *damping;             // [width x width]
    double *y, *rate, *force;    // [width], at an instant
    er_twist *axis;              // [width], in the axes of the parent's side
    eri_moving *parent_side;     // [joint_count]
    er_pose *child_side;         // [joint_count]
} er_follow_springs_work;

static er_result check(er_context *context, const er_model *model, const bool *loose, int *count)
{
    *count = 0;
    if (model == NULL || loose == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_follow_springs_create needs a model and loose bodies");
    for (int b = 0; b < model->body_count; ++b) {
        if (!loose[b]) continue;
        int k = model->tree_joint[b];
        if (model->tree_parent[b] < 0 || model->joint[k].child != b)
            return er_fail(context, ER_ERROR_ARGUMENT, "the loose body \"%s\" is no child of a joint to another body",
                           model->body[b].name);
        ++*count;
    }
    return *count > 0 ? ER_OK : er_fail(context, ER_ERROR_ARGUMENT, "no body is loose");
}

static er_result make_limp(er_follow_springs_work *w, const er_model *model, const bool *loose)
{
    er_result r = ER_OK;
    er_model_def def = er_model_def_of(model);
    er_joint *joint;
    ERI_TRY_NEW(joint, w->arena, er_joint, model->joint_count);
    for (int k = 0; k < model->joint_count; ++k) {
        joint[k] = def.joint[k];
        int child = joint[k].child;
        if (joint[k].closes_loop || !loose[child] || model->tree_joint[child] != k) continue;
        memset(joint[k].stiffness, 0, sizeof joint[k].stiffness);
        memset(joint[k].damping, 0, sizeof joint[k].damping);
    }
    def.joint = joint;
    r = er_model_create(eri_arena_context(w->arena), &def, &w->limp);
done:
    return r;
}

static er_result list_joints(er_follow_springs_work *w, const er_model *m, const bool *loose, int count)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(w->joint, w->arena, spring_joint, count);
    for (int i = 0; i < m->body_count; ++i) {
        int b = m->order[i];
        if (!loose[b]) continue;
        int parent = m->tree_parent[b], k = m->tree_joint[b];
        er_pose back = er_pose_inverse(m->body[b].pose);
        spring_joint *to = &w->joint[w->joint_count++];
        *to = (spring_joint){.body = b,
                             .parent = parent,
                             .joint = &m->joint[k],
                             .frame = er_pose_mul(back, m->joint[k].frame),
                             .at = er_pose_mul(er_pose_inverse(m->body[parent].pose), m->body[b].pose),
                             .first = w->width,
                             .count = m->coordinate[k + 1] - m->coordinate[k]};
        w->width += to->count;
    }
done:
    return r;
}

static er_result make_room(er_follow_springs_work *w)
{
    er_result r = ER_OK;
    double **row[] = {&w->stiffness, &w->carried, &w->y, &w->rate, &w->force};
    for (size_t i = 0; i < ERI_COUNT(row); ++i)
        ERI_TRY_NEW(*row[i], w->arena, double, w->width);
    ERI_TRY_NEW(w->damping, w->arena, double, (size_t)w->width *(size_t)w->width);
    ERI_TRY_NEW(w->axis, w->arena, er_twist, w->width);
    ERI_TRY_NEW(w->parent_side, w->arena, eri_moving, w->joint_count);
    ERI_TRY_NEW(w->child_side, w->arena, er_pose, w->joint_count);
done:
    return r;
}

static void take_own(er_follow_springs_work *w, const er_model *m)
{
    for (int i = 0; i < w->joint_count; ++i)
        for (int c = 0; c < w->joint[i].count; ++c) {
            const er_joint *j = w->joint[i].joint;
            size_t at = (size_t)(w->joint[i].first + c);
            w->stiffness[at] = j->stiffness[c];
            w->damping[at * (size_t)w->width + at] = j->damping[c] + m->rayleigh_stiffness * j->stiffness[c];
        }
}

static const spring_joint *joint_of(const er_follow_springs_work *w, int body)
{
    for (int i = 0; i < w->joint_count; ++i)
        if (w->joint[i].body == body) return &w->joint[i];
    return NULL;
}

static er_result take_part(er_follow_springs_work *w, const eri_loose_part *part)
{
    er_result r = ER_OK;
    double hz, zeta, *stiffness, *damping, *carried;
    int bodies, width = 0, *place;
    const int *body;
    (void)eri_loose_part_modes(part, &bodies, &body, &hz, &zeta);
    ERI_TRY_NEW(place, w->arena, int, w->width);
    for (int i = 0; i < bodies; ++i) {
        const spring_joint *j = joint_of(w, body[i]);
        if (j == NULL)
            return er_fail(eri_arena_context(w->arena), ER_ERROR_ARGUMENT, "`follow` has other loose bodies");
        for (int c = 0; c < j->count; ++c)
            place[width++] = j->first + c;
    }
    ERI_TRY_NEW(stiffness, w->arena, double, width);
    ERI_TRY_NEW(carried, w->arena, double, width);
    ERI_TRY_NEW(damping, w->arena, double, (size_t)width *(size_t)width);
    eri_loose_part_law(part, stiffness, damping, carried);
    for (int a = 0; a < width; ++a) {
        w->stiffness[place[a]] = stiffness[a];
        w->carried[place[a]] = carried[a];
        for (int b = 0; b < width; ++b)
            w->damping[(size_t)place[a] * (size_t)w->width + (size_t)place[b]] =
                damping[(size_t)a * (size_t)width + (size_t)b];
    }
done:
    return r;
}

static er_result take_follow(er_follow_springs_work *w, const er_model *model, const er_follow *follow)
{
    int bodies = 0;
    for (int i = 0; i < follow->part_count; ++i)
        bodies += follow->part[i].body_count;
    if (follow->model != model || bodies != w->joint_count)
        return er_fail(eri_arena_context(w->arena), ER_ERROR_ARGUMENT,
                       "`follow` is of another model, or has other loose bodies");
    er_result r = ER_OK;
    for (int i = 0; i < follow->part_count && r == ER_OK; ++i)
        r = take_part(w, eri_follow_loose_part(follow, i));
    return r;
}

er_result er_follow_springs_create(er_context *context, const er_model *model, const er_trajectory *trajectory,
                                   const bool *loose, const er_follow *follow, er_follow_springs **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    int count;
    er_arena *arena = NULL;
    er_follow_springs_work *w = NULL;
    er_result r = check(context, model, loose, &count);
    if (r != ER_OK) return r;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(w, arena, er_follow_springs_work, 1);
    w->arena = arena;
    ERI_TRY(list_joints(w, model, loose, count));
    ERI_TRY(make_room(w));
    if (follow == NULL)
        take_own(w, model);
    else
        ERI_TRY(take_follow(w, model, follow));
    ERI_TRY(make_limp(w, model, loose));
    w->springs = (er_follow_springs){.model = w->limp, .trajectory = trajectory, .work = w};
    *out = &w->springs;
    arena = NULL;
done:
    if (w != NULL && arena != NULL) er_model_destroy(w->limp);
    eri_arena_destroy(arena);
    return r;
}

void er_follow_springs_destroy(er_follow_springs *springs)
{
    if (springs == NULL) return;
    er_model_destroy(springs->work->limp);
    eri_arena_destroy(springs->work->arena);
}

// ---- Forces

// Solves A' A x = b by elimination; A' A is positive definite, and at most 6 x 6.
static void solve_small(int n, double m[6][6], double *x)
{
    for (int i = 0; i < n; ++i)
        for (int k = i + 1; k < n; ++k) {
            double share = m[k][i] / m[i][i];
            for (int c = i; c < n; ++c)
                m[k][c] -= share * m[i][c];
            x[k] -= share * x[i];
        }
    for (int i = n - 1; i >= 0; --i) {
        for (int c = i + 1; c < n; ++c)
            x[i] -= m[i][c] * x[c];
        x[i] /= m[i][i];
    }
}

static double product(er_twist a, er_twist b)
{
    return er_v3_dot(a.angular, b.angular) + er_v3_dot(a.linear, b.linear);
}

static void weigh_axes(int n, const er_twist *axis, double m[6][6])
{
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            m[a][b] = product(axis[a], axis[b]);
}

// The joint's displacement from where its spring rests, and the rate of that.
static void read_joint(const er_follow_springs_work *w, int i, double time, const er_pose *pose, const er_twist *twist)
{
    const spring_joint *j = &w->joint[i];
    const er_trajectory *t = w->springs.trajectory;
    eri_moving in = eri_moving_still(j->frame), rest = eri_moving_still(j->at);
    eri_moving parent = {.pose = pose[j->parent], .twist = twist[j->parent]};
    eri_moving child = {.pose = pose[j->body], .twist = twist[j->body]};
    if (t != NULL) {
        eri_moving carrier, body;
        er_trajectory_at(t, time, j->parent, &carrier.pose, &carrier.twist, &carrier.rate);
        er_trajectory_at(t, time, j->body, &body.pose, &body.twist, &body.rate);
        rest = eri_moving_between(&carrier, &body);
    }
    parent = eri_moving_after(&parent, &rest);
    parent = eri_moving_after(&parent, &in);
    child = eri_moving_after(&child, &in);
    eri_moving turn = eri_moving_between(&parent, &child);
    er_twist *axis = w->axis + j->first,
             seen = {er_q_rotate(turn.pose.q, turn.twist.angular), er_q_rotate(turn.pose.q, turn.twist.linear)};
    double *y = w->y + j->first, *rate = w->rate + j->first, m[6][6];
    eri_joint_coordinates(j->joint->type, j->joint->pitch, turn.pose, NULL, y);
    eri_moving_joint_axes(j->joint->type, j->joint->pitch, y, axis);
    weigh_axes(j->count, axis, m);
    for (int c = 0; c < j->count; ++c)
        rate[c] = product(axis[c], seen);
    solve_small(j->count, m, rate);
    w->parent_side[i] = parent;
    w->child_side[i] = child.pose;
}

// A wrench whose part along each axis is the force of that coordinate; the joint bears the rest of any such wrench.
static void pull_joint(const er_follow_springs_work *w, int i, const er_pose *pose, er_wrench *wrench)
{
    const spring_joint *j = &w->joint[i];
    const er_twist *axis = w->axis + j->first;
    const er_body *body = w->springs.model->body;
    double share[6], m[6][6];
    er_vec3 torque = {0, 0, 0}, force = {0, 0, 0};
    memcpy(share, w->force + j->first, (size_t)j->count * sizeof *share);
    weigh_axes(j->count, axis, m);
    solve_small(j->count, m, share);
    for (int c = 0; c < j->count; ++c) {
        torque = er_v3_madd(torque, share[c], axis[c].angular);
        force = er_v3_madd(force, share[c], axis[c].linear);
    }
    torque = er_q_rotate(w->parent_side[i].pose.q, torque);
    force = er_q_rotate(w->parent_side[i].pose.q, force);
    const int on[2] = {j->body, j->parent};
    for (int side = 0; side < 2; ++side) {
        er_wrench *to = &wrench[on[side]];
        double sign = side == 0 ? 1.0 : -1.0;
        er_vec3 arm = er_v3_sub(w->child_side[i].p, er_pose_point(pose[on[side]], body[on[side]].com));
        to->torque = er_v3_madd(to->torque, sign, er_v3_add(torque, er_v3_cross(arm, force)));
        to->force = er_v3_madd(to->force, sign, force);
    }
}

void er_follow_springs_apply(const er_follow_springs *springs, double time, const er_pose *pose, const er_twist *twist,
                             er_wrench *wrench)
{
    const er_follow_springs_work *w = springs->work;
    for (int i = 0; i < w->joint_count; ++i)
        read_joint(w, i, time, pose, twist);
    for (int c = 0; c < w->width; ++c)
        w->force[c] = w->carried[c] - w->stiffness[c] * w->y[c] -
                      eri_linalg_dot(w->width, w->damping + (size_t)c * (size_t)w->width, w->rate);
    for (int i = 0; i < w->joint_count; ++i)
        pull_joint(w, i, pose, wrench);
}
