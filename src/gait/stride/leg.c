// A leg's own kinematics: what its directions move, its poses, and where its sole is.
#include <string.h>

#include "gait/stride/reach.h"

bool eri_hangs_on(const er_model *model, int above, int body)
{
    while (body >= 0 && body != above)
        body = model->tree_parent[body];
    return body >= 0;
}

void eri_pose_coordinates(const er_model *model, const er_pose *pose, er_pose *root, double *x)
{
    double *at = x + model->coordinate_count;
    er_model_coordinates(model, pose, x, root);
    for (int b = 0; b < model->body_count; ++b) {
        if (model->tree_joint[b] >= 0) continue;
        er_pose rest = model->body[b].pose, moved = er_pose_mul(er_pose_mul(er_pose_inverse(rest), root[b]), rest);
        er_vec3 turn = er_q_log(moved.q);
        const double six[6] = {turn.x, turn.y, turn.z, moved.p.x, moved.p.y, moved.p.z};
        memcpy(at, six, sizeof six);
        at += 6;
    }
}

void eri_shift_roots(const er_model *model, er_vec3 by, double *x)
{
    double *at = x + model->coordinate_count;
    for (int b = 0; b < model->body_count; ++b) {
        if (model->tree_joint[b] >= 0) continue;
        er_vec3 shift = er_q_rotate(er_q_conj(model->body[b].pose.q), by);
        at[3] += shift.x;
        at[4] += shift.y;
        at[5] += shift.z;
        at += 6;
    }
}

er_twist eri_leg_twist(const eri_leg *leg, int k, const double *x, const er_pose *pose)
{
    const eri_leg_direction *w = &leg->direction[k];
    er_twist sum = {{0, 0, 0}, {0, 0, 0}};
    for (int a = 0; a < w->count; ++a) {
        er_twist t = eri_link_twist(leg->kinematics, leg->link[w->owner], w->axis + a, x, pose);
        sum.angular = er_v3_madd(sum.angular, w->unit[a], t.angular);
        sum.linear = er_v3_madd(sum.linear, w->unit[a], t.linear);
    }
    return sum;
}

void eri_leg_step(const eri_leg *leg, int k, double by, double *x)
{
    const eri_leg_direction *w = &leg->direction[k];
    for (int a = 0; a < w->count; ++a)
        x[w->first + a] += by * w->unit[a];
}

void eri_leg_pose(const eri_leg *leg, const double *x, er_pose *pose)
{
    for (int i = 0; i < leg->count + leg->toe_count; ++i) {
        int link = i < leg->count ? leg->link[i] : leg->toe[i - leg->count];
        const eri_link *l = &leg->kinematics->tree.link[link];
        const eri_placement *c = &leg->kinematics->placement[link];
        er_pose near = er_pose_mul(pose[l->above], c->before), X = eri_link_displacement(l, x + c->first);
        pose[l->body] = er_pose_mul(er_pose_mul(near, X), c->after);
        pose[l->body].q = er_q_unit(pose[l->body].q);
    }
}

er_vec3 eri_sole_corner(const er_model *model, const er_gait_foot *foot, int corner, const er_pose *pose)
{
    int b = foot->point_body[corner];
    return er_pose_point(pose[b], er_pose_point_inverse(model->body[b].pose, foot->point[corner]));
}

double eri_sole_height(const er_model *model, const er_gait_body *body, const er_gait_foot *foot, const er_pose *pose)
{
    double lowest = HUGE_VAL;
    for (int i = 0; i < foot->point_count; ++i) {
        er_vec3 at = eri_sole_corner(model, foot, i, pose);
        lowest = fmin(lowest, er_v3_dot(at, body->up) - body->ground);
    }
    return lowest;
}
