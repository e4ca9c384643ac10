// A leg's own kinematics: what its directions move, its poses, and where its sole is.
#include "gait/stride/reach.h"

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
    for (int i = 0; i < leg->count; ++i) {
        const eri_link *l = eri_leg_link(leg, i);
        const eri_placement *c = eri_leg_placement(leg, i);
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
