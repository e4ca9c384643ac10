// The bodies of a walker in motion: state, inertia about the centre of mass, accelerations, torques.
#include "gait/control/walker.h"

#include <string.h>

#include "gait/control/walker_algebra.h"

#define SOFT 0.01 // of reach^2: a stretched leg gives way

er_vec3 eri_walk_free_part(const eri_walk_body *b, er_vec3 v)
{
    if (b->turns == 3) return v;
    er_vec3 sum = er_v3(0, 0, 0), first = b->axis[0];
    if (b->turns >= 1) sum = er_v3_scale(er_v3_dot(first, v), first);
    if (b->turns == 2) {
        er_vec3 second = er_v3_unit(er_v3_madd(b->axis[1], -er_v3_dot(b->axis[1], first), first), b->axis[1]);
        sum = er_v3_madd(sum, er_v3_dot(second, v), second);
    }
    return sum;
}

// ---- State

static er_mat3 turned_inertia(er_quat q, er_mat3 moment)
{
    er_mat3 r = er_m3_from_q(q);
    return er_m3_mul(er_m3_mul(r, moment), er_m3_transpose(r));
}

static er_vec3 unit_axis(int i)
{
    return er_v3(i == 0, i == 1, i == 2);
}

static void take_joint(er_walker *w, eri_walk_body *b)
{
    if (b->parent < 0) return;
    er_quat near = er_q_mul(w->body[b->parent].pose.q, b->near), far = er_q_mul(b->pose.q, b->far);
    b->hinge = er_pose_point(b->pose, b->anchor);
    for (int i = 0; i < b->turns; ++i)
        b->axis[i] = er_q_rotate(b->universal && b->axis_of[i] == 1 ? far : near, unit_axis(b->axis_of[i]));
}

void eri_walk_take_pose(er_walker *w, const er_pose *pose)
{
    w->pose = pose;
    w->centre = eri_walk_mass_centre(w, pose);
    for (int i = 0; i < w->body_count; ++i) {
        eri_walk_body *b = &w->body[w->order[i]];
        b->pose = pose[w->order[i]];
        b->centre = er_pose_point(b->pose, b->com);
        take_joint(w, b);
    }
}

void eri_walk_take_state(er_walker *w, const er_world *world)
{
    const er_twist *twist = er_world_twist(world) + w->def.first_body;
    eri_walk_take_pose(w, er_world_pose(world) + w->def.first_body);
    w->velocity = er_v3(0, 0, 0);
    for (int i = 0; i < w->body_count; ++i) {
        eri_walk_body *b = &w->body[w->order[i]];
        b->spin = er_q_rotate(b->pose.q, twist[w->order[i]].angular);
        b->origin_velocity = er_q_rotate(b->pose.q, twist[w->order[i]].linear);
        b->inertia = turned_inertia(b->pose.q, b->moment);
        er_vec3 arm = er_v3_sub(b->centre, b->pose.p);
        w->velocity =
            er_v3_madd(w->velocity, b->mass / w->mass, er_v3_add(b->origin_velocity, er_v3_cross(b->spin, arm)));
    }
}

// ---- Accelerations

// The acceleration of a point of a body, from those of its frame.
static er_vec3 point_rate(const eri_walk_body *b, er_vec3 at)
{
    er_vec3 arm = er_v3_sub(at, b->pose.p);
    return er_v3_add(b->origin_rate,
                     er_v3_add(er_v3_cross(b->spin_rate, arm), er_v3_cross(b->spin, er_v3_cross(b->spin, arm))));
}

static void follow_parent(er_walker *w, eri_walk_body *b)
{
    const eri_walk_body *p = &w->body[b->parent];
    er_vec3 apart = er_v3_sub(b->spin, p->spin);
    b->spin_rate = er_v3_add(er_v3_add(p->spin_rate, er_v3_cross(p->spin, apart)), b->turning);
    b->origin_rate = er_v3(0, 0, 0);
    b->origin_rate = er_v3_sub(point_rate(p, b->hinge), point_rate(b, b->hinge));
}

// Down the tree from the root's.
static void pass_down(er_walker *w)
{
    for (int i = 1; i < w->body_count; ++i)
        follow_parent(w, &w->body[w->order[i]]);
}

// The sum over bodies of rates of momentum less weight, about the centre of mass: force, then torque.
static void sum_wrench(const er_walker *w, double out[6])
{
    er_vec3 force = er_v3(0, 0, 0), torque = er_v3(0, 0, 0);
    for (int i = 0; i < w->body_count; ++i) {
        const eri_walk_body *b = &w->body[w->order[i]];
        er_vec3 f = er_v3_scale(b->mass, er_v3_madd(point_rate(b, b->centre), w->g, w->up));
        er_vec3 n =
            er_v3_add(er_m3_mul_v(b->inertia, b->spin_rate), er_v3_cross(b->spin, er_m3_mul_v(b->inertia, b->spin)));
        force = er_v3_add(force, f);
        torque = er_v3_add(torque, er_v3_add(n, er_v3_cross(er_v3_sub(b->centre, w->centre), f)));
    }
    eri_join(force, torque, out);
}

// ---- Inertia

// Masses, first moments and inertias of subtrees, about the centre of mass.
static void sum_subtrees(er_walker *w)
{
    for (int i = w->body_count - 1; i >= 0; --i) {
        eri_walk_body *b = &w->body[w->order[i]];
        er_vec3 arm = er_v3_sub(b->centre, w->centre);
        b->all = b->mass;
        b->all_moment = er_v3_scale(b->mass, arm);
        b->all_inertia = er_m3_madd(b->inertia, b->mass * er_v3_dot(arm, arm), er_m3_identity());
        b->all_inertia = er_m3_madd(b->all_inertia, -b->mass, er_m3_outer(arm, arm));
    }
    for (int i = w->body_count - 1; i > 0; --i) {
        const eri_walk_body *b = &w->body[w->order[i]];
        eri_walk_body *p = &w->body[b->parent];
        p->all += b->all;
        p->all_moment = er_v3_add(p->all_moment, b->all_moment);
        p->all_inertia = er_m3_madd(p->all_inertia, 1.0, b->all_inertia);
    }
}

// Adds the rate of momentum of a joint's acceleration: that of its subtree, about the centre of mass.
static void add_turning(const er_walker *w, const eri_walk_body *b, er_vec3 turning, double out[6])
{
    er_vec3 arm = er_v3_sub(b->hinge, w->centre), shift = er_v3_cross(turning, arm);
    er_vec3 force = er_v3_madd(er_v3_cross(turning, b->all_moment), -b->all, shift);
    er_vec3 torque = er_v3_sub(er_m3_mul_v(b->all_inertia, turning), er_v3_cross(b->all_moment, shift));
    double add[6];
    eri_join(force, torque, add);
    for (int i = 0; i < 6; ++i)
        out[i] += add[i];
}

// ---- Legs

// Accelerations of a leg's joints by its task's multipliers: J' y.
er_vec3 eri_walk_task_turning(const er_walker *w, const eri_walk_leg *leg, const eri_walk_body *b, const double y[6])
{
    er_vec3 force, torque;
    eri_split(y, &force, &torque);
    if (leg->rows == 3) torque = er_v3(0, 0, 0);
    er_vec3 arm = er_v3_sub(leg->heel_at, b->hinge);
    return eri_walk_free_part(b, er_v3_madd(er_v3_cross(arm, force), w->turn_length, torque));
}

// The factor of J J' + SOFT reach^2, J the motion of heel and sole by the leg's joints.
void eri_walk_factor_task(const er_walker *w, eri_walk_leg *leg, double soft)
{
    double turn = w->turn_length;
    leg->rows = leg->flat ? 6 : 3;
    memset(leg->task, 0, sizeof leg->task);
    for (int j = 0; j < leg->rows; ++j) { // its columns, J (J' e)
        double e[6] = {0};
        e[j] = 1.0;
        for (int k = 0; k < leg->count; ++k) {
            const eri_walk_body *b = &w->body[leg->chain[k]];
            er_vec3 turning = eri_walk_task_turning(w, leg, b, e);
            double moved[6];
            eri_join(er_v3_cross(turning, er_v3_sub(leg->heel_at, b->hinge)), er_v3_scale(turn, turning), moved);
            for (int i = 0; i < leg->rows; ++i)
                leg->task[i][j] += moved[i];
        }
        leg->task[j][j] += soft * leg->reach * leg->reach;
    }
    eri_cholesky(leg->task, leg->rows);
}

static void respond(er_walker *w, eri_walk_leg *leg)
{
    memset(leg->response, 0, sizeof leg->response);
    for (int j = 0; j < leg->rows; ++j) {
        double e[6] = {0}, column[6] = {0};
        e[j] = 1.0;
        eri_cholesky_solve(leg->task, leg->rows, e);
        for (int k = 0; k < leg->count; ++k) {
            const eri_walk_body *b = &w->body[leg->chain[k]];
            add_turning(w, b, eri_walk_task_turning(w, leg, b, e), column);
        }
        for (int i = 0; i < 6; ++i)
            leg->response[i][j] = column[i];
    }
}

// The acceleration of heel and sole by a root's that all bodies share.
static void carried(const er_walker *w, const eri_walk_leg *leg, const double root[6], double out[6])
{
    er_vec3 shift, turn;
    eri_split(root, &shift, &turn);
    er_vec3 heel = er_v3_add(shift, er_v3_cross(turn, er_v3_sub(leg->heel_at, w->centre)));
    eri_join(heel, er_v3_scale(w->turn_length, turn), out);
}

// Finds the acceleration that a leg lacks while the root stays, by those of the present posture.
static void find_missing(const er_walker *w, eri_walk_leg *leg)
{
    const eri_walk_body *foot = &w->body[leg->body];
    er_vec3 heel = er_v3_sub(leg->acceleration, point_rate(foot, leg->heel_at));
    er_vec3 sole = er_v3_scale(w->turn_length, er_v3_sub(leg->turn, foot->spin_rate));
    eri_join(heel, sole, leg->missing);
}

// ---- The whole

static void weigh_leg(er_walker *w, eri_walk_leg *leg)
{
    eri_walk_factor_task(w, leg, SOFT);
    respond(w, leg);
    find_missing(w, leg);
    for (int j = 0; j < 6; ++j) {
        double root[6] = {0}, moved[6];
        root[j] = 1.0;
        carried(w, leg, root, moved);
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < leg->rows; ++k)
                w->inertia[i][j] -= leg->response[i][k] * moved[k];
    }
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < leg->rows; ++k)
            w->bias[i] += leg->response[i][k] * leg->missing[k];
}

void eri_walk_weigh(er_walker *w)
{
    eri_walk_body *root = &w->body[w->root];
    for (int i = 0; i < w->body_count; ++i)
        w->body[w->order[i]].turning = w->body[w->order[i]].posture;
    root->origin_rate = root->spin_rate = er_v3(0, 0, 0);
    pass_down(w);
    sum_wrench(w, w->bias);
    w->trunk_rate = w->body[w->trunk].spin_rate;
    sum_subtrees(w);
    memset(w->inertia, 0, sizeof w->inertia);
    for (int i = 0; i < 3; ++i) {
        w->inertia[i][i] = w->mass;
        for (int j = 0; j < 3; ++j)
            w->inertia[3 + i][3 + j] = root->all_inertia.m[i][j];
    }
    for (int i = 0; i < w->leg_count; ++i)
        weigh_leg(w, &w->leg[i]);
}

void eri_walk_accelerate(er_walker *w, const double acceleration[6])
{
    eri_walk_body *root = &w->body[w->root];
    er_vec3 shift, turn;
    eri_split(acceleration, &shift, &turn);
    for (int i = 0; i < w->leg_count; ++i) {
        eri_walk_leg *leg = &w->leg[i];
        double y[6];
        carried(w, leg, acceleration, y);
        for (int k = 0; k < leg->rows; ++k)
            y[k] = leg->missing[k] - y[k];
        eri_cholesky_solve(leg->task, leg->rows, y);
        for (int k = 0; k < leg->count; ++k) {
            eri_walk_body *b = &w->body[leg->chain[k]];
            b->turning = er_v3_add(b->turning, eri_walk_task_turning(w, leg, b, y));
        }
    }
    root->spin_rate = turn;
    root->origin_rate = er_v3_add(shift, er_v3_cross(turn, er_v3_sub(root->pose.p, w->centre)));
    pass_down(w);
}

void eri_walk_find_torques(er_walker *w)
{
    for (int i = 0; i < w->body_count; ++i) {
        eri_walk_body *b = &w->body[w->order[i]];
        const er_wrench *ground = &w->ground[w->order[i]];
        er_vec3 weight = er_v3_madd(point_rate(b, b->centre), w->g, w->up);
        er_vec3 gyroscopic = er_v3_cross(b->spin, er_m3_mul_v(b->inertia, b->spin));
        b->force = er_v3_sub(er_v3_scale(b->mass, weight), ground->force);
        b->torque = er_v3_sub(er_v3_add(er_m3_mul_v(b->inertia, b->spin_rate), gyroscopic), ground->torque);
        b->torque = er_v3_add(b->torque, er_v3_cross(er_v3_sub(b->centre, b->hinge), b->force));
    }
    for (int i = w->body_count - 1; i > 0; --i) {
        const eri_walk_body *b = &w->body[w->order[i]];
        eri_walk_body *p = &w->body[b->parent];
        p->force = er_v3_add(p->force, b->force);
        p->torque = er_v3_add(p->torque, er_v3_add(b->torque, er_v3_cross(er_v3_sub(b->hinge, p->hinge), b->force)));
    }
}
