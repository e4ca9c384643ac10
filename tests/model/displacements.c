// Displacements at random, and the norms and centres of mass that poses are judged by.
#include "displacements.h"

#include "support/context.h"

er_kinematics *kinematics_of(const er_model *m)
{
    er_kinematics *k = NULL;
    if (er_kinematics_create(context, m, &k) != ER_OK) fail_msg("%s", er_context_error(context));
    assert_true(er_kinematics_width(k) <= 6 * RIG_MAX);
    return k;
}

void random_displacement(const er_model *m, er_kinematics *k, dice *d, double size, double *x)
{
    for (int j = 0; j < m->joint_count; ++j) {
        int axis[6], count = er_joint_type_freedom(m->joint[j].type, axis);
        for (int i = 0; i < count; ++i)
            x[m->coordinate[j] + i] = size * dice_uniform(d, -1, 1) * (axis[i] < 3 ? 1.0 : m->size);
    }
    for (int c = m->coordinate_count; c < er_kinematics_width(k); ++c)
        x[c] = size * dice_uniform(d, -1, 1) * ((c - m->coordinate_count) % 6 < 3 ? 1.0 : m->size);
}

void find_groups(const er_model *m, int *group)
{
    for (int b = 0; b < m->body_count; ++b)
        group[b] = b;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < m->joint_count; ++k) {
            const er_joint *j = &m->joint[k];
            bool springs = false;
            for (int i = 0; i < 6; ++i)
                springs |= j->stiffness[i] > 0.0;
            if (j->type == ER_JOINT_FREE && j->parent < 0 && !springs) continue;
            int least = j->parent < 0 ? -1 : group[j->parent] < group[j->child] ? group[j->parent] : group[j->child];
            changed |= group[j->child] != least || (j->parent >= 0 && group[j->parent] != least);
            group[j->child] = least;
            if (j->parent >= 0) group[j->parent] = least;
        }
    }
}

er_vec3 group_centre(const er_model *m, const int *group, int g, const er_pose *pose, const double *twist)
{
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int b = 0; b < m->body_count; ++b) {
        if (group[b] != g) continue;
        const er_body *body = &m->body[b];
        er_vec3 what = er_pose_point(pose[b], body->com);
        if (twist != NULL) {
            const double *v = twist + 6 * b;
            er_vec3 local = er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(er_v3(v[0], v[1], v[2]), body->com));
            what = er_q_rotate(body->pose.q, local);
        }
        sum = er_v3_madd(sum, body->mass, what);
        mass += body->mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

void rest_poses(const er_model *m, er_pose *pose)
{
    for (int b = 0; b < m->body_count; ++b)
        pose[b] = m->body[b].pose;
}

double energy_norm(er_kinematics *k, const er_model *m, const double *x)
{
    static double twist[6 * RIG_MAX];
    double sum = 0.0;
    er_kinematics_twists(k, x, twist);
    for (int b = 0; b < m->body_count; ++b) {
        const double *v = twist + 6 * b;
        const er_body *body = &m->body[b];
        er_vec3 w = er_v3(v[0], v[1], v[2]), c = er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(w, body->com));
        sum += body->mass * er_v3_dot(c, c) + er_v3_dot(w, er_m3_mul_v(body->inertia, w));
    }
    return sqrt(sum);
}

// K's entry of a joint's coordinate: one without spring gives as one that has a hundredth of what turns have on
// average.
static double spring_of(const er_model *m, const er_joint *joint, int i)
{
    double total = 0.0;
    int turns = 0, axis[6];
    for (int j = 0; j < m->joint_count; ++j) {
        int count = er_joint_type_freedom(m->joint[j].type, axis);
        for (int c = 0; c < count; ++c)
            if (axis[c] < 3 && m->joint[j].stiffness[c] > 0.0) total += m->joint[j].stiffness[c], ++turns;
    }
    er_joint_type_freedom(joint->type, axis);
    double least = 0.01 * (turns > 0 ? total / turns : 1.0), unit = axis[i] < 3 ? 1.0 : m->size;
    return fmax(joint->stiffness[i], least / (unit * unit));
}

double held_norm(er_kinematics *k, const er_model *m, const double *x)
{
    double sum = 0.0, floating[6 * RIG_MAX] = {0};
    for (int c = m->coordinate_count; c < er_kinematics_width(k); ++c)
        floating[c] = x[c];
    for (int j = 0; j < m->joint_count; ++j) {
        const er_joint *joint = &m->joint[j];
        int count = er_joint_type_freedom(joint->type, NULL), first = m->coordinate[j];
        bool loose = joint->parent < 0 && joint->type == ER_JOINT_FREE;
        for (int i = 0; i < count; ++i)
            loose &= joint->stiffness[i] == 0.0;
        for (int i = 0; i < count; ++i)
            if (loose)
                floating[first + i] = x[first + i];
            else
                sum += spring_of(m, joint, i) * x[first + i] * x[first + i];
    }
    return sqrt(sum + pow(HELD_PACE * energy_norm(k, m, floating), 2.0));
}
