/// @file
/// What both routes stand on: the ground and how it moves, joints' ends, and sentences that both say.
#include "dynamics/world.h"
#include "model/joint/joint.h"

er_result eri_world_not_finite(er_world *w, double time)
{
    if (w->def.integrator >= ER_INTEGRATE_EULER && w->def.integrator <= ER_INTEGRATE_RK4) // of fixed steps
        return er_fail(w->context, ER_ERROR_NO_CONVERGENCE,
                       "accelerations at %.9g s are not finite: fixed steps are too long for the fastest springs, or a "
                       "force is too large; take more frames a second, or an adaptive integrator",
                       time);
    return er_fail(w->context, ER_ERROR_NO_CONVERGENCE, "accelerations at %.9g s are not finite: a force is too large",
                   time);
}

er_result eri_world_not_closed(er_world *w, double time, double gap)
{
    return er_fail(w->context, ER_ERROR_NO_CONVERGENCE,
                   "joints at %.9g s stand %.3g of the rig's size apart and do not come together", time, gap);
}

static eri_motion_at motion_at(const er_pose *pose, const er_twist *twist)
{
    eri_motion_at m = {.point = pose->p,
                       .angular = er_q_rotate(pose->q, twist->angular),
                       .linear = er_q_rotate(pose->q, twist->linear)};
    return m;
}

eri_joint_ends eri_joint_ends_at(const er_model *m, int joint, const er_pose *pose, const er_twist *twist)
{
    const er_joint *j = &m->joint[joint];
    eri_joint_ends e = {.P = eri_joint_parent_side(m, joint, pose), .Q = eri_joint_child_side(m, joint, pose)};
    e.parent = (eri_motion_at){.point = e.P.p};
    if (j->parent >= 0) e.parent = motion_at(&pose[j->parent], &twist[j->parent]);
    e.child = motion_at(&pose[j->child], &twist[j->child]);
    return e;
}

er_twist eri_body_rate(const eri_motion_at *m, const er_mat3 *axes, er_vec3 origin)
{
    er_vec3 arm = er_v3_sub(origin, m->point), swing = er_v3_cross(m->angular, arm);
    er_vec3 v = er_v3_add(m->linear, swing);
    er_vec3 a = er_v3_add(er_v3_add(m->linear_rate, er_v3_cross(m->angular_rate, arm)), er_v3_cross(m->angular, swing));
    er_mat3 back = er_m3_transpose(*axes); // (R'v)' = R'(v' - w x v)
    er_twist rate = {er_m3_mul_v(back, m->angular_rate), er_m3_mul_v(back, er_v3_sub(a, er_v3_cross(m->angular, v)))};
    return rate;
}

void eri_world_guide(const er_world *w, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    er_twist still = {{0, 0, 0}, {0, 0, 0}};
    *pose = w->model->body[body].pose;
    *twist = *rate = still;
    if (w->def.guide == NULL) return;
    w->def.guide(w->def.user, time, body, pose, twist, rate);
    pose->q = er_q_unit(pose->q);
}

void eri_world_move_held(er_world *w, double time, int body)
{
    er_pose pose;
    er_twist twist, rate;
    eri_world_guide(w, time, body, &pose, &twist, &rate);
    w->motion[body] = eri_body_motion_of(&w->model->body[body], &pose, &twist);
    eri_ground_state *g = &w->ground[body];
    *g = (eri_ground_state){w->motion[body].axes,
                            pose.p,
                            w->motion[body].angular,
                            er_m3_mul_v(w->motion[body].axes, twist.linear),
                            er_m3_mul_v(w->motion[body].axes, rate.angular),
                            er_m3_mul_v(w->motion[body].axes, rate.linear)};
    er_vec3 fall = er_v3_scale(-1.0, w->def.gravity);
    g->linear_rate = er_v3_add(er_v3_add(g->linear_rate, er_v3_cross(g->angular, g->linear)), fall);
    w->held_pose[body] = pose;
}

void eri_world_move_ground(er_world *w, double time)
{
    int n = w->model->body_count;
    er_vec3 fall = er_v3_scale(-1.0, w->def.gravity);
    w->ground[n] = (eri_ground_state){.axes = er_m3_identity(), .linear_rate = fall};
    for (int b = 0; b < n && w->held != NULL; ++b)
        if (w->held[b]) eri_world_move_held(w, time, b);
}

er_pose eri_ground_frame(const er_world *w, const eri_end *end)
{
    return end->ground >= 0 ? er_pose_mul(w->held_pose[end->ground], end->frame) : end->frame;
}

eri_motion_at eri_ground_motion(const er_world *w, int ground)
{
    const eri_ground_state *g = &w->ground[ground >= 0 ? ground : w->model->body_count];
    return (eri_motion_at){g->origin, g->angular, g->linear, g->angular_rate, g->linear_rate};
}
