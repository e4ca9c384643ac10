// Legs that reach where feet are to be, by the smallest change of their joints in the metric of their springs.
#include <string.h>

#include "gait/stride/reach.h"

enum { STEPS = 200, ROWS = 6 };

er_result eri_leg_create(er_arena *arena, const er_model *model, const er_kinematics *k, const er_gait_body *body,
                         const er_gait_foot *foot, eri_leg *out)
{
    er_result r = ER_OK;
    int at = foot->joint_count, axis[6];
    double mean = 0.0;
    *out = (eri_leg){.foot = foot, .kinematics = k, .count = at};
    ERI_TRY_NEW(out->link, arena, int, at);
    for (int b = foot->body; at > 0; b = model->tree_parent[b])
        out->link[--at] = k->tree.link_of_body[b];
    for (int i = 0; i < out->count; ++i)
        out->width += er_joint_type_freedom(eri_leg_link(out, i)->type, NULL);
    ERI_TRY_NEW(out->toe, arena, int, model->body_count);
    for (int i = 0; i < model->body_count; ++i) {
        int b = model->order[i];
        if (b != foot->body && eri_hangs_on(model, foot->body, b)) out->toe[out->toe_count++] = k->tree.link_of_body[b];
    }
    ERI_TRY_NEW(out->direction, arena, eri_leg_direction, out->width);
    ERI_TRY_NEW(out->from, arena, double, model->coordinate_count);
    ERI_TRY_NEW(out->before, arena, double, model->coordinate_count);
    ERI_TRY_NEW(out->change, arena, double, out->width);
    ERI_TRY_NEW(out->jacobian, arena, double, ROWS *(size_t)out->width);
    for (int i = 0, c = 0; i < out->count; ++i) {
        int count = er_joint_type_freedom(eri_leg_link(out, i)->type, axis);
        const double *stiffness = model->joint[foot->joint[i]].stiffness;
        for (int a = 0; a < count; ++a, ++c) {
            int first = eri_leg_placement(out, i)->first;
            out->direction[c] = (eri_leg_direction){i, first + a, 1, axis[a], {1.0}, stiffness[a]};
            mean += stiffness[a] / out->width;
        }
    }
    for (int c = 0; c < out->width; ++c) // a joint without spring gives as one that has a hundredth of the others'
        out->direction[c].stiffness = mean > 0.0 ? fmax(out->direction[c].stiffness / mean, 0.01) : 1.0;
    r = eri_leg_find_knee(arena, out, model, body);
done:
    return r;
}

// How far the leg has moved along a direction from where it came from.
static double moved_along(const eri_leg *leg, int k, const double *x)
{
    const eri_leg_direction *w = &leg->direction[k];
    double sum = 0.0;
    for (int a = 0; a < w->count; ++a)
        sum += w->unit[a] * (x[w->first + a] - leg->from[w->first + a]);
    return sum;
}

// --- reaching

// The point that a sole without ankle stands on: the mean of its corners, each weighted by how near it is to the
// lowest, so that it moves smoothly when another corner becomes the lowest.
// @param height  written: above the ground, m
static er_vec3 rest_point(const eri_leg *leg, const er_model *model, const er_gait_body *body, const er_pose *pose,
                          double *height)
{
    const er_gait_foot *foot = leg->foot;
    double lowest = eri_sole_height(model, body, foot, pose), soft = 0.005 * foot->reach, sum = 0.0;
    er_vec3 mean = {0, 0, 0};
    for (int i = 0; i < foot->point_count; ++i) {
        er_vec3 at = eri_sole_corner(model, foot, i, pose);
        double part = exp((lowest + body->ground - er_v3_dot(at, body->up)) / soft);
        mean = er_v3_madd(mean, part, at);
        sum += part;
    }
    *height = lowest - soft * log(sum);
    return er_v3_scale(1.0 / sum, mean);
}

er_vec3 eri_leg_position_error(const eri_leg *leg, const er_model *model, const er_gait_body *body,
                               const eri_target *target, const er_pose *pose)
{
    const er_gait_foot *foot = leg->foot;
    er_vec3 off = er_v3_sub(target->heel, er_pose_point(pose[foot->body], foot->heel));
    if (foot->flat) return off;
    double height, wanted = er_v3_dot(target->heel, body->up) - body->ground - foot->rest;
    rest_point(leg, model, body, pose, &height);
    return er_v3_madd(off, wanted - height - er_v3_dot(off, body->up), body->up);
}

// A leg without a knee cannot choose how high its foot is: the body is shifted instead.
static bool is_stiff(const eri_leg *leg)
{
    return leg->count < 2;
}

static bool turns_sole(const eri_leg *leg)
{
    return leg->foot->flat && leg->foot->sole == leg->foot->body;
}

static void set_error(const eri_leg *leg, er_vec3 off, const eri_target *target, const er_pose *pose,
                      double error[ROWS])
{
    double scale = 1.0 / leg->foot->reach;
    const double shift[3] = {scale * off.x, scale * off.y, scale * off.z};
    memcpy(error, shift, sizeof shift);
    if (!turns_sole(leg)) return;
    er_vec3 turn = er_q_log(er_q_mul(target->sole, er_q_conj(pose[leg->foot->body].q)));
    const double all[3] = {turn.x, turn.y, turn.z};
    memcpy(error + 3, all, sizeof all);
}

static void set_jacobian(eri_leg *leg, const er_model *model, const er_gait_body *body, const double *x,
                         const er_pose *pose)
{
    double scale = 1.0 / leg->foot->reach, height;
    er_vec3 heel = er_pose_point(pose[leg->foot->body], leg->foot->heel), rests = heel;
    if (!leg->foot->flat) rests = rest_point(leg, model, body, pose, &height);
    for (int c = 0; c < leg->width; ++c) {
        er_twist t = eri_leg_twist(leg, c, x, pose);
        er_vec3 at_heel = er_v3_add(t.linear, er_v3_cross(t.angular, heel));
        double up = er_v3_dot(er_v3_cross(t.angular, er_v3_sub(rests, heel)), body->up);
        if (is_stiff(leg)) up = -er_v3_dot(at_heel, body->up);
        er_vec3 v = er_v3_scale(scale, er_v3_madd(at_heel, up, body->up));
        const double column[ROWS] = {v.x, v.y, v.z, t.angular.x, t.angular.y, t.angular.z};
        memcpy(leg->jacobian + ROWS * c, column, sizeof column);
    }
}

// a y = b for a symmetric positive definite matrix of n rows, by Cholesky; b becomes y.
static void solve(int n, double a[ROWS][ROWS], double b[ROWS])
{
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k)
            a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrt(fmax(a[j][j], 1e-300));
        for (int i = j + 1; i < n; ++i) {
            for (int k = 0; k < j; ++k)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

// The objective |e|^2 + keep g' K g, g the displacements of the joints from where they came from.
static double cost(const eri_leg *leg, const double error[ROWS], const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < ROWS; ++i)
        sum += error[i] * error[i];
    for (int c = 0; c < leg->width; ++c) {
        double far = moved_along(leg, c, x);
        sum += leg->keep * leg->direction[c].stiffness * far * far;
    }
    return sum;
}

// A step of Levenberg's towards that, by a matrix of as many rows as e: with C = K^-1 and M = (J C J' + keep +
// damping)^-1 it is C J' M e - keep / (keep + damping) (g - C J' M J g).
// @return the largest change of a joint
static double step(eri_leg *leg, const double error[ROWS], double damping, double *x)
{
    int rows = turns_sole(leg) ? 6 : 3;
    double a[ROWS][ROWS] = {{0}}, b[ROWS], pull = leg->keep / (leg->keep + damping), longest = 0.0;
    memcpy(b, error, sizeof b);
    for (int c = 0; c < leg->width; ++c) {
        const double *column = leg->jacobian + ROWS * c;
        double far = moved_along(leg, c, x), compliance = 1.0 / leg->direction[c].stiffness;
        for (int i = 0; i < rows; ++i) {
            b[i] += pull * column[i] * far;
            for (int k = 0; k < rows; ++k)
                a[i][k] += compliance * column[i] * column[k];
        }
    }
    for (int i = 0; i < rows; ++i)
        a[i][i] += leg->keep + damping;
    solve(rows, a, b);
    for (int c = 0; c < leg->width; ++c) {
        double sum = 0.0;
        for (int i = 0; i < rows; ++i)
            sum += leg->jacobian[ROWS * c + i] * b[i];
        leg->change[c] = sum / leg->direction[c].stiffness - pull * moved_along(leg, c, x);
        longest = fmax(longest, fabs(leg->change[c]));
    }
    for (int c = 0; c < leg->width; ++c)
        eri_leg_step(leg, c, leg->change[c], x);
    return longest;
}

static double evaluate(eri_leg *leg, const er_model *model, const er_gait_body *body, const eri_target *target,
                       const double *x, er_pose *pose, double error[ROWS])
{
    eri_leg_pose(leg, x, pose);
    er_vec3 off = eri_leg_position_error(leg, model, body, target, pose);
    if (is_stiff(leg)) off = er_v3_madd(off, -er_v3_dot(off, body->up), body->up);
    set_error(leg, off, target, pose, error);
    return cost(leg, error, x);
}

void eri_leg_reach(eri_leg *leg, const er_model *model, const er_gait_body *body, const eri_target *target, double *x,
                   er_pose *pose)
{
    double error[ROWS] = {0}, next_error[ROWS] = {0}, damping = 1e-3;
    const size_t all = (size_t)model->coordinate_count * sizeof *x;
    eri_leg_keep_side(leg, x, pose);
    eri_leg_two_bone(leg, target->heel, x, pose);
    memcpy(leg->from, x, all);
    leg->keep = 1e-5;
    double now = evaluate(leg, model, body, target, x, pose, error);
    for (int n = 0; n < STEPS && damping < 1e6; ++n) {
        memcpy(leg->before, x, all);
        set_jacobian(leg, model, body, x, pose);
        bool leaps = step(leg, error, damping, x) > 0.25; // rad
        double next = evaluate(leg, model, body, target, x, pose, next_error);
        if (next < now && !leaps) { // by little: it is there
            bool there = now - next < 1e-16 + 1e-11 * now;
            now = next;
            memcpy(error, next_error, sizeof error);
            damping *= 0.1;
            if (there) break;
            continue;
        }
        memcpy(x, leg->before, all);
        eri_leg_pose(leg, x, pose);
        damping *= 10.0;
    }
}
