// A walker's place in its world: its size and axes there, its limp model, its motors.
#include "gait/control/walker.h"

#define DAMPS 0.05    // m g L tau, of the motors
#define SHARES 4.0    // feet of a character bear at most so many parts of its weight
#define SHORTEST 75.0 // steps of control in tau
#define RATE 240.0    // steps of control a second, at least

// ---- Size and axes

// A pose of the model's own size, in the world.
static er_pose placed(const er_walker *w, er_pose pose)
{
    return er_pose_mul(w->def.place, (er_pose){pose.q, er_v3_scale(w->def.scale, pose.p)});
}

static er_mat3 scaled(double by, er_mat3 m)
{
    const er_mat3 none = {{{0}}};
    return er_m3_madd(none, by, m);
}

static void settle_body(const er_walker *w, eri_walk_body *b)
{
    double s = w->def.scale, heavy = s * s * s * w->def.weight;
    b->mass *= heavy;
    b->heavy *= heavy;
    b->com = er_v3_scale(s, b->com);
    b->anchor = er_v3_scale(s, b->anchor);
    b->moment = scaled(heavy * s * s, b->moment);
}

static void settle_leg(const er_walker *w, eri_walk_leg *leg)
{
    double s = w->def.scale;
    leg->heel = er_v3_scale(s, leg->heel);
    leg->rest *= s;
    leg->reach *= s;
    leg->ahead *= s;
    leg->aside *= s;
    leg->ankle = er_q_rotate(w->def.place.q, er_v3_scale(s, leg->ankle));
    for (int k = 0; k < leg->point_count; ++k)
        leg->point[k] = er_v3_scale(s, leg->point[k]);
}

static void settle_poses(er_walker *w)
{
    int n = w->model->body_count;
    for (int b = 0; b < n; ++b) {
        w->rest[b] = placed(w, w->rest[b]);
        w->stand[b] = placed(w, w->stand[b]);
    }
    for (int k = 0; k < w->frame_count * n; ++k) {
        eri_walk_pose *whole = &w->whole[k];
        if (w->body[k % n].parent < 0 && k % n != w->root) continue; // of another tree
        w->gait_pose[k] = placed(w, w->gait_pose[k]);
        whole->turn = er_q_mul(w->def.place.q, whole->turn);
        whole->rate = er_q_rotate(w->def.place.q, whole->rate);
    }
}

void eri_walk_settle(er_walker *w)
{
    double s = w->def.scale;
    w->up = er_q_rotate(w->def.place.q, w->up);
    w->forward = er_q_rotate(w->def.place.q, w->forward);
    w->left = er_q_rotate(w->def.place.q, w->left);
    if (w->def.gravity > 0.0) w->g = w->def.gravity;
    w->leg_length *= s;
    w->turn_length *= s;
    w->span *= s;
    w->height *= s;
    w->gait_height *= s;
    w->mass *= s * s * s * w->def.weight;
    w->tau = sqrt(w->leg_length / w->g);
    w->omega = sqrt(w->g / w->height);
    w->step = w->longest = fmin(1.0 / RATE, w->tau / SHORTEST);
    for (int i = 0; i < w->body_count; ++i)
        settle_body(w, &w->body[w->order[i]]);
    for (int i = 0; i < w->leg_count; ++i)
        settle_leg(w, &w->leg[i]);
    settle_poses(w);
}

// ---- The model

static void list_bodies(const er_walker *w, er_body *out)
{
    const er_model *m = w->model;
    double s = w->def.scale, heavy = s * s * s * w->def.weight;
    for (int b = 0; b < m->body_count; ++b) {
        out[b] = m->body[b];
        out[b].mass *= heavy;
        out[b].com = er_v3_scale(s, out[b].com);
        out[b].inertia = scaled(heavy * s * s, out[b].inertia);
        out[b].pose = placed(w, out[b].pose);
    }
}

// Torques stand in place of the springs and dampers of turns. Those of shifts stay.
static void list_joints(const er_walker *w, er_joint *out)
{
    const er_model *m = w->model;
    double s = w->def.scale, heavy = s * s * s * w->def.weight;
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        er_joint *j = &out[k];
        *j = m->joint[k];
        j->frame = placed(w, j->frame);
        j->pitch *= s;
        for (int c = 0; c < count; ++c) {
            double by = axis[c] < 3 ? 0.0 : heavy;
            j->stiffness[c] *= by;
            j->damping[c] *= by;
            for (int end = 0; end < 2; ++end)
                j->limit[c][end] *= axis[c] < 3 ? 1.0 : s;
        }
    }
}

er_result eri_walk_make_limp(er_walker *w)
{
    er_result r = ER_OK;
    const er_model *m = w->model;
    er_body *body;
    er_joint *joint;
    er_model_def def = er_model_def_of(m);
    ERI_TRY_NEW(body, w->arena, er_body, m->body_count);
    ERI_TRY_NEW(joint, w->arena, er_joint, m->joint_count);
    list_bodies(w, body);
    list_joints(w, joint);
    def.body = body;
    def.joint = joint;
    def.damping_ratio = def.rayleigh_mass = def.rayleigh_stiffness = 0.0; // torques stand in their place
    ERI_TRY(er_model_create(w->context, &def, &w->limp));
    w->model = w->limp;
done:
    return r;
}

// ---- Motors

static void number_motors(er_walker *w)
{
    int k = 0;
    for (int i = 1; i < w->body_count; ++i) {
        const eri_walk_body *b = &w->body[w->order[i]];
        for (int c = 0; c < b->turns; ++c)
            w->motor[k++].coordinate = w->coordinate[b->joint] + b->coordinate[c];
    }
}

er_result eri_walk_make_motors(er_walker *w)
{
    er_result r = ER_OK;
    double unit = DAMPS * w->g * w->leg_length * w->tau;
    ERI_TRY_NEW(w->motor, w->arena, er_motor, 3 * (size_t)w->body_count);
    ERI_TRY_NEW(w->coordinate, w->arena, int, w->model->joint_count);
    for (int k = 0; k < w->model->joint_count; ++k)
        w->coordinate[k] = w->def.first_coordinate + w->model->coordinate[k];
    for (int i = 1; i < w->body_count; ++i) {
        eri_walk_body *b = &w->body[w->order[i]];
        bool bears = b->leg >= 0 || b->foot >= 0;
        b->damping = unit * (bears ? w->mass / fmin(w->leg_count, SHARES) : b->heavy);
        for (int c = 0; c < b->turns; ++c) {
            er_motor *motor = &w->motor[w->motor_count++];
            *motor = er_default_motor();
            motor->damping = b->damping;
        }
    }
    number_motors(w);
done:
    return r;
}

void er_walker_bind(er_walker *w, int first_body, const int *coordinate, double step)
{
    w->def.first_body = first_body;
    w->step = fmin(step, w->longest);
    for (int k = 0; k < w->model->joint_count && coordinate != NULL; ++k)
        w->coordinate[k] = coordinate[k];
    number_motors(w);
}
