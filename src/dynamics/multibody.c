// A world's tree grown from the ground, and its positions: joint coordinates, quaternions for free turns.
#include "dynamics/multibody.h"

#include <string.h>

// ---- Building

static er_pose body_rest(const er_model *m, int body)
{
    return body >= 0 ? m->body[body].pose : er_pose_identity();
}

// A joint's frame as a body carries it.
static er_pose carried(const er_model *m, int body, er_pose frame)
{
    return er_pose_mul(er_pose_inverse(body_rest(m, body)), frame);
}

static void put_inertia(eri_limb *l, const er_body *body)
{
    er_mat3 R = l->body_axes, I = er_m3_mul(er_m3_mul(R, body->inertia), er_m3_transpose(R));
    const double entry[6] = {I.m[0][0], I.m[1][1], I.m[2][2], I.m[0][1], I.m[0][2], I.m[1][2]};
    memcpy(l->inertia, entry, sizeof entry);
    l->mass = body->mass;
    l->com = er_pose_point(l->body_frame, body->com);
}

static void put_limb(eri_multibody *t, int index)
{
    const er_model *m = t->model;
    const eri_link *link = &t->tree.link[index];
    eri_limb *l = &t->limb[index];
    er_pose frame = link->joint >= 0 ? m->joint[link->joint].frame : m->body[link->body].pose;
    *l = (eri_limb){.q = t->position_count, .u = t->velocity_count};
    l->freedom = er_joint_type_freedom(link->type, l->axis);
    l->turns_freely = eri_joint_turns_freely(link->type);
    er_pose above = link->parent >= 0 ? t->limb[link->parent].body_frame : er_pose_identity();
    er_pose near = er_pose_mul(above, carried(m, link->above, frame));
    l->near_axes = er_m3_from_q(near.q);
    l->near_turn = near.q;
    l->near_origin = near.p;
    l->body_frame = er_pose_inverse(carried(m, link->body, frame));
    l->body_axes = er_m3_from_q(l->body_frame.q);
    put_inertia(l, &m->body[link->body]);
    t->velocity_count += l->freedom;
    t->position_count += l->freedom + l->turns_freely;
}

// Trees whose root no joint ties to the ground: of bodies with joints, or of those without any.
static void grow_floating(eri_tree *t, const bool *held, const bool *has_joint, bool with_joints)
{
    for (int i = 0; i < t->model->body_count; ++i) {
        int body = t->model->order[i];
        if (has_joint[body] == with_joints && (held == NULL || !held[body]) && t->link_of_body[body] < 0)
            eri_tree_grow(t, body, ERI_DEPTH_FIRST);
    }
}

static eri_end end_of(const eri_multibody *t, int body, er_pose frame)
{
    eri_end e = {-1, body, carried(t->model, body, frame)};
    if (body >= 0 && t->tree.link_of_body[body] >= 0) {
        e.limb = t->tree.link_of_body[body];
        e.frame = er_pose_mul(t->limb[e.limb].body_frame, e.frame);
    }
    return e;
}

// Whether a joint is not of the tree and moves against the ground.
static bool is_loop(const eri_multibody *t, int joint)
{
    const er_joint *j = &t->model->joint[joint];
    const int *link = t->tree.link_of_body;
    return !t->tree.has_joint[joint] && (link[j->child] >= 0 || (j->parent >= 0 && link[j->parent] >= 0));
}

// @param group  [tree.link_count], written: of each limb
static void find_groups(eri_multibody *t, int *group)
{
    for (int i = 0; i < t->jointed_count; ++i)
        group[i] = t->tree.link[i].parent < 0; // begins one
    for (int k = 0; k < t->loop_count; ++k) {
        int a = t->loop[k].parent.limb, b = t->loop[k].child.limb, first = a < b ? a : b, last = a < b ? b : a;
        for (int i = first + 1; i <= last && first >= 0; ++i)
            group[i] = 0;
    }
    for (int i = 0, last = -1; i < t->jointed_count; ++i) {
        group[i] = last += group[i];
        if (last == t->group_count) t->group[t->group_count++].first_limb = i;
        t->group[last].last_limb = i + 1;
    }
}

static int group_of_loop(const int *group, const eri_closure *loop)
{
    return group[loop->child.limb >= 0 ? loop->child.limb : loop->parent.limb];
}

static void sort_loops(eri_multibody *t, const int *group)
{
    for (int k = 1; k < t->loop_count; ++k)
        for (int i = k; i > 0 && group_of_loop(group, &t->loop[i - 1]) > group_of_loop(group, &t->loop[i]); --i) {
            eri_closure kept = t->loop[i];
            t->loop[i] = t->loop[i - 1];
            t->loop[i - 1] = kept;
        }
    for (int i = 0, k = 0; i < t->group_count; ++i) {
        t->group[i].first_loop = k;
        while (k < t->loop_count && group_of_loop(group, &t->loop[k]) == i)
            ++k;
        t->group[i].last_loop = k;
    }
}

er_result eri_multibody_create(er_arena *arena, const er_model *model, const bool *held, eri_multibody **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    eri_multibody *t;
    bool *has_joint;
    int *group;
    ERI_TRY_NEW(t, arena, eri_multibody, 1);
    t->model = model;
    ERI_TRY_NEW(t->limb, arena, eri_limb, model->body_count);
    ERI_TRY(eri_arena_create(eri_arena_context(arena), &scratch));
    ERI_TRY(eri_tree_reserve(arena, scratch, model->body_count, model->joint_count, &t->tree));
    ERI_TRY_NEW(has_joint, scratch, bool, model->body_count);
    for (int k = 0; k < model->joint_count; ++k) {
        has_joint[model->joint[k].child] = true;
        if (model->joint[k].parent >= 0) has_joint[model->joint[k].parent] = true;
    }
    eri_tree_begin(&t->tree, model, held, NULL);
    eri_tree_grow(&t->tree, -1, ERI_DEPTH_FIRST);
    grow_floating(&t->tree, held, has_joint, true);
    t->jointed_count = t->tree.link_count;
    grow_floating(&t->tree, held, has_joint, false);
    for (int i = 0; i < t->tree.link_count; ++i)
        put_limb(t, i);
    for (int k = 0; k < model->joint_count; ++k)
        t->loop_count += is_loop(t, k);
    ERI_TRY_NEW(t->group, arena, eri_group, t->jointed_count);
    ERI_TRY_NEW(group, scratch, int, t->jointed_count);
    ERI_TRY_NEW(t->loop, arena, eri_closure, t->loop_count);
    for (int k = 0, l = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (is_loop(t, k))
            t->loop[l++] = (eri_closure){k, end_of(t, j->parent, j->frame), end_of(t, j->child, j->frame)};
    }
    find_groups(t, group);
    sort_loops(t, group);
    *out = t;
done:
    eri_arena_destroy(scratch);
    return r;
}

// ---- Positions

static er_quat get_quat(const double *q)
{
    return er_q(q[0], q[1], q[2], q[3]);
}

static void put_quat(er_quat a, double *q)
{
    q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z;
}

void eri_multibody_rest(const eri_multibody *m, double *q)
{
    memset(q, 0, (size_t)m->position_count * sizeof *q);
    for (int i = 0; i < m->tree.link_count; ++i)
        if (m->limb[i].turns_freely) q[m->limb[i].q] = 1.0;
}

er_pose eri_limb_displacement(const eri_multibody *m, int limb, const double *q)
{
    const eri_link *link = &m->tree.link[limb];
    const eri_limb *l = &m->limb[limb];
    if (!l->turns_freely) return eri_joint_displacement(link->type, link->pitch, q);
    double full[6] = {0};
    for (int c = 3; c < l->freedom; ++c)
        full[l->axis[c]] = q[1 + c];
    er_pose X = {er_q_unit(get_quat(q)), er_v3(full[3], full[4], full[5])};
    return X;
}

void eri_limb_set_displacement(const eri_multibody *m, int limb, er_pose X, double *q)
{
    const eri_link *link = &m->tree.link[limb];
    const eri_limb *l = &m->limb[limb];
    if (!l->turns_freely) {
        double near[6];
        memcpy(near, q, (size_t)l->freedom * sizeof *near);
        eri_joint_coordinates(link->type, link->pitch, X, near, q);
        return;
    }
    const double shift[3] = {X.p.x, X.p.y, X.p.z};
    put_quat(X.q, q);
    for (int c = 3; c < l->freedom; ++c)
        q[1 + c] = shift[l->axis[c] - 3];
}

void eri_multibody_drift(const eri_multibody *m, int first, int end, const double *q, const double *u, double *dq)
{
    for (int i = first; i < end; ++i) {
        const eri_limb *l = &m->limb[i];
        const double *rate = u + l->u;
        double *out = dq + l->q;
        int c = 0;
        if (l->turns_freely) { // the turn's rate is along the parent's axes: E' = (0, w / 2) E
            put_quat(er_q_mul(er_q(0, 0.5 * rate[0], 0.5 * rate[1], 0.5 * rate[2]), get_quat(q + l->q)), out);
            ++out;
            c = 3;
        }
        for (; c < l->freedom; ++c)
            out[c] = rate[c];
    }
}

// To norm 1; what rounding leaves of a norm stays, so that a state normalised twice is the same to the last bit.
static void normalise(double *q)
{
    er_quat a = get_quat(q);
    if (fabs(er_q_dot(a, a) - 1.0) > 1e-15) put_quat(er_q_unit(a), q);
}

void eri_multibody_normalise(const eri_multibody *m, int first, int end, double *q)
{
    for (int i = first; i < end; ++i)
        if (m->limb[i].turns_freely) normalise(q + m->limb[i].q);
}

void eri_multibody_move(const eri_multibody *m, int first, int end, const double *u, double *q)
{
    for (int i = first; i < end; ++i) {
        const eri_limb *l = &m->limb[i];
        const double *rate = u + l->u;
        double *at = q + l->q;
        int c = 0;
        if (l->turns_freely) {
            put_quat(er_q_unit(er_q_mul(er_q_exp(er_v3(rate[0], rate[1], rate[2])), get_quat(at))), at);
            ++at;
            c = 3;
        }
        for (; c < l->freedom; ++c)
            at[c] += rate[c];
    }
}
