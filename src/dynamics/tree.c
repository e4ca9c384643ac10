/// @file
/// The tree that a world hangs together by, and its positions: joint coordinates, quaternions for free turns.
#include "dynamics/tree.h"

#include <string.h>

// ---- Building

typedef struct tree_builder {
    eri_tree *tree;
    const bool *held;
    int *first,
        *next;     // [body_count + 1], [2 joint_count]: joints that may be of the tree, body by body, the ground's last
    bool *used;    // [joint_count]: of the tree, or within the ground
    bool *jointed; // [body_count]: an end of some joint
    int *stack;    // [body_count]: limbs whose joints are yet to be followed
} tree_builder;

static bool is_ground(const tree_builder *b, int body)
{
    return body < 0 || (b->held != NULL && b->held[body]);
}

// The place of a body, or of all the ground, in the lists.
static int node_of(const tree_builder *b, int body)
{
    return is_ground(b, body) ? b->tree->model->body_count : body;
}

static void list_joints(tree_builder *b)
{
    const er_model *m = b->tree->model;
    for (int n = 0; n <= m->body_count; ++n)
        b->first[n] = -1;
    for (int k = m->joint_count - 1; k >= 0; --k) {
        const er_joint *j = &m->joint[k];
        if (is_ground(b, j->parent) && is_ground(b, j->child)) {
            b->used[k] = true;
            continue;
        }
        if (j->closes_loop) continue;
        const int end[2] = {node_of(b, j->parent), node_of(b, j->child)};
        for (int e = 0; e < 2; ++e) {
            b->next[2 * k + e] = b->first[end[e]];
            b->first[end[e]] = 2 * k + e;
        }
    }
}

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

static void add_limb(tree_builder *b, int body, int joint, int up_body)
{
    eri_tree *t = b->tree;
    const er_model *m = t->model;
    eri_limb *l = &t->limb[t->limb_count];
    er_pose frame = joint >= 0 ? m->joint[joint].frame : m->body[body].pose;
    *l = (eri_limb){
        .body = body, .joint = joint, .up = -1, .ground = -1, .q = t->position_count, .u = t->velocity_count};
    if (is_ground(b, up_body))
        l->ground = up_body;
    else
        l->up = t->limb_of_body[up_body];
    l->type = joint >= 0 ? m->joint[joint].type : ER_JOINT_FREE;
    l->pitch = joint >= 0 ? m->joint[joint].pitch : 0.0;
    l->inverse = joint >= 0 && m->joint[joint].child != body;
    l->freedom = er_joint_type_freedom(l->type, l->axis);
    l->coordinate = joint >= 0 ? m->coordinate[joint] : -1;
    er_pose above = l->up >= 0 ? t->limb[l->up].body_frame : er_pose_identity();
    er_pose near = er_pose_mul(above, carried(m, up_body, frame));
    l->near_axes = er_m3_from_q(near.q);
    l->near_origin = near.p;
    l->body_frame = er_pose_inverse(carried(m, body, frame));
    l->body_axes = er_m3_from_q(l->body_frame.q);
    put_inertia(l, &m->body[body]);
    t->velocity_count += l->freedom;
    t->position_count += l->freedom + eri_joint_turns_freely(l->type);
    t->limb_of_body[body] = t->limb_count++;
    if (joint >= 0) b->used[joint] = t->goes_by[joint] = true;
}

// Follows the joints of one node, then of what hangs on it, depth first.
static void grow(tree_builder *b, int node)
{
    const eri_tree *t = b->tree;
    const er_model *m = t->model;
    int depth = 0;
    for (;;) {
        int at = b->first[node];
        if (at >= 0) {
            b->first[node] = b->next[at];
            const er_joint *j = &m->joint[at / 2];
            int here = at % 2 == 0 ? j->parent : j->child, there = at % 2 == 0 ? j->child : j->parent;
            if (b->used[at / 2] || is_ground(b, there) || t->limb_of_body[there] >= 0) continue;
            add_limb(b, there, at / 2, here);
            b->stack[depth++] = node;
            node = there;
        } else if (depth > 0) {
            node = b->stack[--depth];
        } else {
            return;
        }
    }
}

// Trees whose root no joint ties to the ground: of bodies with joints, or of those without any.
static void add_roots(tree_builder *b, bool jointed)
{
    const er_model *m = b->tree->model;
    for (int k = 0; k < m->joint_count; ++k) {
        b->jointed[m->joint[k].child] = true;
        if (m->joint[k].parent >= 0) b->jointed[m->joint[k].parent] = true;
    }
    for (int i = 0; i < m->body_count; ++i) {
        int body = m->order[i];
        if (b->jointed[body] != jointed || is_ground(b, body) || b->tree->limb_of_body[body] >= 0) continue;
        add_limb(b, body, -1, -1);
        grow(b, body);
    }
}

static eri_end end_of(const tree_builder *b, int body, er_pose frame)
{
    eri_end e = {-1, body, carried(b->tree->model, body, frame)};
    if (!is_ground(b, body)) {
        e.limb = b->tree->limb_of_body[body];
        e.frame = er_pose_mul(b->tree->limb[e.limb].body_frame, e.frame);
    }
    return e;
}

er_result eri_tree_create(er_arena *arena, const er_model *model, const bool *held, eri_tree **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    eri_tree *t;
    ERI_TRY_NEW(t, arena, eri_tree, 1);
    tree_builder b = {.tree = t, .held = held};
    t->model = model;
    ERI_TRY_NEW(t->limb, arena, eri_limb, model->body_count);
    ERI_TRY_NEW(t->limb_of_body, arena, int, model->body_count);
    ERI_TRY_NEW(t->goes_by, arena, bool, model->joint_count);
    ERI_TRY(eri_arena_create(eri_arena_context(arena), &scratch));
    ERI_TRY_NEW(b.first, scratch, int, model->body_count + 1);
    ERI_TRY_NEW(b.next, scratch, int, 2 * (size_t)model->joint_count);
    ERI_TRY_NEW(b.used, scratch, bool, model->joint_count);
    ERI_TRY_NEW(b.stack, scratch, int, model->body_count + 1);
    ERI_TRY_NEW(b.jointed, scratch, bool, model->body_count);
    for (int i = 0; i < model->body_count; ++i)
        t->limb_of_body[i] = -1;
    list_joints(&b);
    grow(&b, model->body_count);
    add_roots(&b, true);
    t->jointed_count = t->limb_count;
    add_roots(&b, false);
    for (int k = 0; k < model->joint_count; ++k)
        t->loop_count += !b.used[k];
    ERI_TRY_NEW(t->loop, arena, eri_closure, t->loop_count);
    for (int k = 0, l = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (!b.used[k])
            t->loop[l++] = (eri_closure){k, end_of(&b, j->parent, j->frame), end_of(&b, j->child, j->frame)};
    }
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

void eri_tree_rest(const eri_tree *tree, double *q)
{
    memset(q, 0, (size_t)tree->position_count * sizeof *q);
    for (int i = 0; i < tree->limb_count; ++i)
        if (eri_joint_turns_freely(tree->limb[i].type)) q[tree->limb[i].q] = 1.0;
}

er_pose eri_limb_displacement(const eri_limb *limb, const double *q)
{
    if (!eri_joint_turns_freely(limb->type)) return eri_joint_displacement(limb->type, limb->pitch, q);
    double full[6] = {0};
    for (int c = 3; c < limb->freedom; ++c)
        full[limb->axis[c]] = q[1 + c];
    er_pose X = {er_q_unit(get_quat(q)), er_v3(full[3], full[4], full[5])};
    return X;
}

void eri_limb_set_displacement(const eri_limb *limb, er_pose X, double *q)
{
    if (!eri_joint_turns_freely(limb->type)) {
        double near[6];
        memcpy(near, q, (size_t)limb->freedom * sizeof *near);
        eri_joint_coordinates(limb->type, limb->pitch, X, near, q);
        return;
    }
    const double shift[3] = {X.p.x, X.p.y, X.p.z};
    put_quat(X.q, q);
    for (int c = 3; c < limb->freedom; ++c)
        q[1 + c] = shift[limb->axis[c] - 3];
}

void eri_tree_drift(const eri_tree *tree, const double *q, const double *u, double *dq)
{
    for (int i = 0; i < tree->limb_count; ++i) {
        const eri_limb *l = &tree->limb[i];
        const double *rate = u + l->u;
        double *out = dq + l->q;
        int c = 0;
        if (eri_joint_turns_freely(l->type)) { // the turn's rate is along the parent's axes: E' = (0, w / 2) E
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

void eri_tree_normalise(const eri_tree *tree, double *q)
{
    for (int i = 0; i < tree->limb_count; ++i)
        if (eri_joint_turns_freely(tree->limb[i].type)) normalise(q + tree->limb[i].q);
}

void eri_tree_move(const eri_tree *tree, int limbs, const double *u, double *q)
{
    for (int i = 0; i < limbs; ++i) {
        const eri_limb *l = &tree->limb[i];
        const double *rate = u + l->u;
        double *at = q + l->q;
        int c = 0;
        if (eri_joint_turns_freely(l->type)) {
            put_quat(er_q_unit(er_q_mul(er_q_exp(er_v3(rate[0], rate[1], rate[2])), get_quat(at))), at);
            ++at;
            c = 3;
        }
        for (; c < l->freedom; ++c)
            at[c] += rate[c];
    }
}
