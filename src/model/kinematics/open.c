// The tree with its loops open: its poses, how far displacements lie apart, and what each coordinate moves.
#include "model/kinematics/kinematics.h"

void eri_kinematics_start_from(er_kinematics *k, const er_pose *base)
{
    const er_model *model = k->model;
    k->base = k->goal = base;
    for (int g = 0; g < k->group_count; ++g)
        k->group_centre[g] = er_v3(0, 0, 0);
    for (int i = 0; i < model->body_count; ++i) {
        const eri_link *l = &k->tree.link[i];
        eri_placement *c = &k->placement[i];
        const er_body *body = &model->body[l->body];
        er_pose at = base != NULL ? base[l->body] : body->pose, up = er_pose_identity();
        er_pose frame = base != NULL ? er_pose_mul(at, er_pose_inverse(c->after)) : c->frame; // X(0) = 1
        if (l->above >= 0) up = er_pose_inverse(base != NULL ? base[l->above] : model->body[l->above].pose);
        c->before = er_pose_mul(up, frame);
        if (c->group < 0) continue;
        er_vec3 *centre = &k->group_centre[c->group];
        *centre = er_v3_madd(*centre, body->mass, er_pose_point(at, body->com));
    }
    for (int g = 0; g < k->group_count; ++g)
        k->group_centre[g] = er_v3_scale(1.0 / k->group_mass[g], k->group_centre[g]);
}

double eri_kinematics_distance(const er_kinematics *k, const double *a, const double *b)
{
    double sum = 0.0;
    for (int c = 0; c < k->width; ++c)
        sum = hypot(sum, (a[c] - b[c]) / k->unit[c]);
    return sum;
}

double eri_kinematics_widest(const er_kinematics *k, const double *a, const double *b)
{
    double most = 0.0;
    for (int c = 0; c < k->width; ++c)
        if (!k->closing[c]) most = fmax(most, fabs(a[c] - (b != NULL ? b[c] : 0.0)) / k->unit[c]);
    return most;
}

static void open_from_base(const er_kinematics *k, const double *x, er_pose *pose)
{
    for (int i = 0; i < k->model->body_count; ++i) {
        const eri_link *l = &k->tree.link[i];
        const eri_placement *c = &k->placement[i];
        er_pose X = eri_link_displacement(l, x + c->first), up = l->above >= 0 ? pose[l->above] : er_pose_identity();
        pose[l->body] = er_pose_mul(er_pose_mul(up, c->before), er_pose_mul(X, c->after));
        pose[l->body].q = er_q_unit(pose[l->body].q);
    }
}

void eri_kinematics_open(er_kinematics *k, const double *x, er_pose *pose)
{
    const er_model *model = k->model;
    const double *at = x + model->coordinate_count;
    if (k->base != NULL) {
        open_from_base(k, x, pose);
        return;
    }
    for (int b = 0; b < model->body_count; ++b)
        if (model->tree_joint[b] < 0) {
            er_pose rest = model->body[b].pose, moved = {er_q_exp(er_v3(at[0], at[1], at[2])), {at[3], at[4], at[5]}};
            k->root[b] = er_pose_mul(er_pose_mul(rest, moved), er_pose_inverse(rest));
            at += 6;
        }
    er_model_pose(model, x, k->root, pose);
}

er_twist eri_link_twist(const er_kinematics *k, int link, int coordinate, const double *x, const er_pose *pose)
{
    const eri_link *l = &k->tree.link[link];
    const eri_placement *c = &k->placement[link];
    er_pose up = l->above >= 0 ? pose[l->above] : er_pose_identity();
    er_pose near = er_pose_mul(up, c->before);                           // the joint's frame on the side above
    er_pose far = er_pose_mul(pose[l->body], er_pose_inverse(c->after)); // and on the side of its body
    er_pose base = l->inverse ? far : near, moving = l->inverse ? near : far;
    double full[6] = {0};
    const eri_joint_kind *kind = &eri_joint_kinds[l->type];
    for (int i = 0; i < kind->freedom; ++i)
        full[kind->axis[i]] = x[c->first + i];
    er_twist t = {{0, 0, 0}, {0, 0, 0}};
    if (coordinate >= 3)
        t.linear = er_q_rotate(base.q, er_v3(coordinate == 3, coordinate == 4, coordinate == 5));
    else
        t.angular = er_q_rotate(base.q, kind->turns->axis(er_v3(full[0], full[1], full[2]), coordinate));
    if (l->pitch != 0.0) t.linear = er_q_rotate(base.q, er_v3(0, 0, l->pitch));
    t.linear = er_v3_sub(t.linear, er_v3_cross(t.angular, moving.p)); // about the moving side's origin, as at 0
    if (!l->inverse) return t;
    er_twist back = {er_v3_scale(-1.0, t.angular), er_v3_scale(-1.0, t.linear)};
    return back;
}
