/// @file
/// Inverse dynamics: wrenches that bodies need, summed from the leaves to the roots; the ground's share of what
/// floating roots need; loops. Derivation: docs/math/inverse.md.
#include "base/arena.h"
#include "dynamics/definition.h"
#include "dynamics/forces.h"
#include "dynamics/friction_share.h"
#include "math/dense/dense.h"
#include "model/joint/joint.h"

#define ROOTS_FIRST 1e6   // weight of what roots lack beside drives: these move them by its square, 1e-12
#define INDEPENDENT 1e-10 // rows of loops below this share of the largest follow from the others: loops close so far

// A loop joint's constrained direction: a unit wrench at the joint's origin on the child.
typedef struct loop_row {
    int joint, axis; // axis: 0 to 5, tx ty tz x y z of the joint's frame
} loop_row;

struct er_inverse {
    er_context *context;
    er_arena *arena, *scratch;
    er_inverse_def def;
    er_inverse_contact *contact; // [contact_count]
    const er_model *model;
    eri_laws *laws;
    int *root;              // [body_count], the floating root of a body's tree; -1: its tree hangs on the world
    bool *in_tree;          // [joint_count]
    int task_count;         // coordinates, and six for each floating root
    int row_count;          // of loops
    loop_row *row;          // [row_count]
    er_vec3 *com;           // [body_count], m, world
    er_wrench *needed;      // [body_count], world axes, about com
    er_wrench *sum;         // [body_count], the same with all that hangs on the body
    eri_joint_frame *frame; // [joint_count]
    er_vec3 *arm, *push;    // [contact_count]: of one root's contacts
    int *which;             // [contact_count]
};

er_inverse_def er_default_inverse_def(void)
{
    return (er_inverse_def){.normal = {0, 1, 0}, .friction = 0.8, .tag = ER_DEF_TAG};
}

// ---- Wrenches

static er_wrench add(er_wrench a, double factor, er_wrench b)
{
    return (er_wrench){er_v3_madd(a.torque, factor, b.torque), er_v3_madd(a.force, factor, b.force)};
}

// About another point, which is `arm` away from the wrench's own: `arm` leads from there to the own point.
static er_wrench moved(er_wrench w, er_vec3 arm)
{
    w.torque = er_v3_add(w.torque, er_v3_cross(arm, w.force));
    return w;
}

static er_wrench force_at(er_vec3 force, er_vec3 arm)
{
    return (er_wrench){er_v3_cross(arm, force), force};
}

// Newton and Euler: m (a - g), and I w' + w x I w.
static er_wrench needed_by(const er_inverse *s, const er_inverse_frame *f, int b)
{
    const er_body *body = &s->model->body[b];
    er_quat q = f->pose[b].q;
    er_vec3 w = f->twist[b].angular, v = f->twist[b].linear, turn = f->rate[b].angular;
    er_vec3 a = er_v3_add(f->rate[b].linear, er_v3_cross(w, v)); // of the frame's origin, body axes
    a = er_v3_add(a, er_v3_cross(turn, body->com));
    a = er_v3_add(a, er_v3_cross(w, er_v3_cross(w, body->com)));
    er_vec3 spin = er_m3_mul_v(body->inertia, w);
    er_vec3 torque = er_v3_add(er_m3_mul_v(body->inertia, turn), er_v3_cross(w, spin));
    er_vec3 force = er_v3_sub(er_q_rotate(q, a), s->def.gravity);
    return (er_wrench){er_q_rotate(q, torque), er_v3_scale(body->mass, force)};
}

// `needed` with all that hangs on a body.
static void sum_up(er_inverse *s)
{
    const er_model *m = s->model;
    for (int b = 0; b < m->body_count; ++b)
        s->sum[b] = s->needed[b];
    for (int i = m->body_count - 1; i >= 0; --i) {
        int b = m->order[i], p = m->tree_parent[b];
        if (p >= 0) s->sum[p] = add(s->sum[p], 1.0, moved(s->sum[b], er_v3_sub(s->com[b], s->com[p])));
    }
}

// Takes from what two bodies need the wrench that a joint gives them: factor `w` on its child, at its origin there.
static void give(er_inverse *s, int joint, double factor, er_wrench w)
{
    const er_joint *j = &s->model->joint[joint];
    er_vec3 origin = s->frame[joint].at.p;
    s->needed[j->child] = add(s->needed[j->child], -factor, moved(w, er_v3_sub(origin, s->com[j->child])));
    if (j->parent >= 0)
        s->needed[j->parent] = add(s->needed[j->parent], factor, moved(w, er_v3_sub(origin, s->com[j->parent])));
}

// ---- Coordinates of joints

static er_vec3 velocity_at(const er_inverse_frame *f, int body, er_vec3 point)
{
    er_quat q = f->pose[body].q;
    er_vec3 w = er_q_rotate(q, f->twist[body].angular), arm = er_v3_sub(point, f->pose[body].p);
    return er_v3_add(er_q_rotate(q, f->twist[body].linear), er_v3_cross(w, arm));
}

// Rates of a joint's six directions, as R tells them.
static void rates(const er_inverse *s, const er_inverse_frame *f, int joint, double rate[6])
{
    const er_joint *j = &s->model->joint[joint];
    const eri_joint_frame *at = &s->frame[joint];
    er_vec3 w = er_q_rotate(f->pose[j->child].q, f->twist[j->child].angular), v = velocity_at(f, j->child, at->at.p);
    if (j->parent >= 0) {
        w = er_v3_sub(w, er_q_rotate(f->pose[j->parent].q, f->twist[j->parent].angular));
        v = er_v3_sub(v, velocity_at(f, j->parent, at->at.p));
    }
    er_quat back = er_q_conj(at->at.q);
    w = er_m3_mul_v(at->rate, er_q_rotate(back, w));
    v = er_q_rotate(back, v);
    const double all[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    for (int i = 0; i < 6; ++i)
        rate[i] = all[i];
}

// The twist of a joint's child at unit rate of one direction alone, world axes, at the joint's origin.
static er_twist direction(const er_inverse *s, int joint, int axis)
{
    const eri_joint_frame *at = &s->frame[joint];
    er_twist t = {{0, 0, 0}, {0, 0, 0}};
    if (axis < 3) {
        er_vec3 turn = er_m3_column(at->axis, axis);
        t.angular = er_q_rotate(at->at.q, turn);
        t.linear = er_q_rotate(at->at.q, er_v3(0, 0, er_v3_dot(at->lead, turn)));
    } else {
        t.linear = er_q_rotate(at->at.q, er_v3(axis == 3, axis == 4, axis == 5));
    }
    return t;
}

static double along(er_twist t, er_wrench w)
{
    return er_v3_dot(t.angular, w.torque) + er_v3_dot(t.linear, w.force);
}

// A wrench at the joint's origin whose powers along the joint's free directions are `force`. Turns about several axes
// that are not square to each other (a Cardan joint) solve for their torques together.
static er_wrench wrench_of(const er_inverse *s, int joint, const double *force)
{
    int axis[6], count = er_joint_type_freedom(s->model->joint[joint].type, axis);
    const eri_joint_frame *at = &s->frame[joint];
    er_vec3 turn = {0, 0, 0}, shift = {0, 0, 0};
    for (int c = 0; c < count; ++c) { // rows of `rate` are dual to the columns of `axis`
        double x = force[c];
        if (axis[c] < 3)
            turn = er_v3_madd(turn, x, er_v3(at->rate.m[axis[c]][0], at->rate.m[axis[c]][1], at->rate.m[axis[c]][2]));
        else
            shift = er_v3_madd(shift, x, er_v3(axis[c] == 3, axis[c] == 4, axis[c] == 5));
    }
    return (er_wrench){er_q_rotate(at->at.q, turn), er_q_rotate(at->at.q, shift)};
}

// Springs and dampers, and power of the rates; `rate` of all coordinates goes to `power` first.
static void find_passive(const er_inverse *s, er_inverse_frame *f)
{
    const er_model *m = s->model;
    er_model_coordinates(m, f->pose, f->force, NULL);
    for (int k = 0; k < m->joint_count; ++k) {
        int first = m->coordinate[k], axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        double rate[6];
        rates(s, f, k, rate);
        for (int c = 0; c < count; ++c)
            f->power[first + c] = rate[axis[c]];
        eri_laws_force(s->laws, k, f->force + first, f->power + first, f->passive + first, NULL);
    }
}

// ---- The ground

// Lets the ground push a floating root's contacts, and takes that from what their bodies need.
static void stand(er_inverse *s, er_inverse_frame *f, int root)
{
    int count = 0;
    for (int i = 0; i < s->def.contact_count; ++i) {
        int body = s->contact[i].body;
        if (s->root[body] != root || (f->stands != NULL && !f->stands[i])) continue;
        s->which[count] = i;
        s->arm[count++] = er_v3_sub(er_pose_point(f->pose[body], s->contact[i].point), s->com[root]);
    }
    eri_share_friction(s->sum[root], s->model->size, s->def.normal, s->def.friction, count, s->arm, s->push);
    for (int k = 0; k < count; ++k) {
        int i = s->which[k], body = s->contact[i].body;
        er_vec3 arm = er_v3_sub(er_v3_add(s->arm[k], s->com[root]), s->com[body]);
        f->ground[i] = s->push[k];
        s->needed[body] = add(s->needed[body], -1.0, force_at(s->push[k], arm));
    }
}

// ---- Loops

// The power of joint `k`'s wrench along all its free directions, of what hangs on it.
static void force_along(const er_inverse *s, int k, er_wrench w, double *force)
{
    int axis[6], count = er_joint_type_freedom(s->model->joint[k].type, axis);
    for (int c = 0; c < count; ++c)
        force[c] = along(direction(s, k, axis[c]), w);
}

static er_wrench joint_wrench(const er_inverse *s, int k)
{
    int b = s->model->joint[k].child;
    return moved(s->sum[b], er_v3_sub(s->com[b], s->frame[k].at.p));
}

// The wrench of a tree joint on its child. A tree that runs from child to parent has the joint at its parent's end.
static er_wrench tree_wrench(const er_inverse *s, int k)
{
    const er_model *m = s->model;
    int child = m->joint[k].child, parent = m->joint[k].parent;
    if (m->tree_joint[child] == k) return joint_wrench(s, k);
    er_wrench none = {{0, 0, 0}, {0, 0, 0}};
    return add(none, -1.0, moved(s->sum[parent], er_v3_sub(s->com[parent], s->frame[k].at.p)));
}

static double scale_of(const er_model *m, int axis)
{
    return axis < 3 ? 1.0 : m->size;
}

// A unit of a row: a torque of 1 N m, or a force that makes one over the rig's size.
static er_wrench row_wrench(const er_inverse *s, const loop_row *row)
{
    const eri_joint_frame *at = &s->frame[row->joint];
    er_wrench w = {{0, 0, 0}, {0, 0, 0}};
    if (row->axis < 3)
        w.torque =
            er_q_rotate(at->at.q, er_v3(at->rate.m[row->axis][0], at->rate.m[row->axis][1], at->rate.m[row->axis][2]));
    else
        w.force = er_q_rotate(at->at.q, er_v3(row->axis == 3, row->axis == 4, row->axis == 5));
    if (row->axis == 5) w.torque = er_v3_sub(w.torque, er_q_rotate(at->at.q, at->lead));
    return add((er_wrench){{0, 0, 0}, {0, 0, 0}}, 1.0 / scale_of(s->model, row->axis), w);
}

// The terms whose squares loop joints minimise: the drives of the tree's joints as torques, and the residuals of
// floating roots, weighted so that they come first.
static void list_tasks(er_inverse *s, const double *passive, double *task)
{
    const er_model *m = s->model;
    sum_up(s);
    for (int k = 0; k < m->joint_count; ++k) {
        int first = m->coordinate[k], axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        if (s->in_tree[k]) force_along(s, k, tree_wrench(s, k), task + first);
        for (int c = 0; c < count; ++c)
            task[first + c] = s->in_tree[k] ? (task[first + c] - passive[first + c]) * scale_of(m, axis[c]) : 0.0;
    }
    double *at = task + m->coordinate_count;
    for (int b = 0; b < m->body_count; ++b) {
        if (s->root[b] != b) continue;
        er_wrench w = s->sum[b];
        const double six[6] = {w.torque.x,          w.torque.y,          w.torque.z,
                               m->size * w.force.x, m->size * w.force.y, m->size * w.force.z};
        for (int i = 0; i < 6; ++i)
            *at++ = ROOTS_FIRST * six[i];
    }
}

// The wrenches of loop joints that leave the least of these.
static er_result close_loops(er_inverse *s, er_inverse_frame *f)
{
    er_result r = ER_OK;
    eri_matrix B, rest;
    double *amount;
    eri_arena_reset(s->scratch);
    ERI_TRY(eri_matrix_create(s->scratch, s->task_count, s->row_count, &B));
    ERI_TRY(eri_matrix_create(s->scratch, s->task_count, 1, &rest));
    ERI_TRY_NEW(amount, s->scratch, double, s->row_count);
    list_tasks(s, f->passive, rest.a);
    for (int i = 0; i < s->row_count; ++i) { // a column is what a unit of the row changes
        const er_wrench w = row_wrench(s, &s->row[i]);
        double *column = eri_matrix_column(B, i);
        give(s, s->row[i].joint, 1.0, w);
        list_tasks(s, f->passive, column);
        give(s, s->row[i].joint, -1.0, w);
        for (int c = 0; c < s->task_count; ++c)
            column[c] = rest.a[c] - column[c];
    }
    ERI_TRY(eri_linalg_least_squares(s->scratch, B, INDEPENDENT, rest, amount));
    for (int i = 0; i < s->row_count; ++i) {
        int k = s->row[i].joint;
        const er_wrench w = row_wrench(s, &s->row[i]);
        give(s, k, amount[i], w);
        f->joint[k] = add(f->joint[k], amount[i], w);
    }
done:
    return r;
}

// ---- All of it

static er_result check_frame(const er_inverse *s, const er_inverse_frame *f)
{
    for (int b = 0; b < s->model->body_count; ++b) {
        const er_wrench *w = f->applied != NULL ? &f->applied[b] : NULL;
        er_quat q = f->pose[b].q;
        bool good = er_v3_finite(f->pose[b].p) && isfinite(q.w + q.x + q.y + q.z) &&
                    er_v3_finite(f->twist[b].angular) && er_v3_finite(f->twist[b].linear) &&
                    er_v3_finite(f->rate[b].angular) && er_v3_finite(f->rate[b].linear) &&
                    (w == NULL || (er_v3_finite(w->torque) && er_v3_finite(w->force)));
        if (!good)
            return er_fail(s->context, ER_ERROR_ARGUMENT,
                           "body %d \"%s\": its motion or the wrench on it is not finite", b, s->model->body[b].name);
    }
    return ER_OK;
}

static void begin(er_inverse *s, er_inverse_frame *f)
{
    const er_model *m = s->model;
    er_wrench none = {{0, 0, 0}, {0, 0, 0}};
    for (int b = 0; b < m->body_count; ++b) {
        s->com[b] = er_pose_point(f->pose[b], m->body[b].com);
        s->needed[b] = needed_by(s, f, b);
        if (f->applied != NULL) s->needed[b] = add(s->needed[b], -1.0, f->applied[b]);
        f->residual[b] = none;
    }
    for (int k = 0; k < m->joint_count; ++k) {
        s->frame[k] = eri_joint_frame_at(m, k, f->pose);
        f->joint[k] = none;
    }
    for (int i = 0; i < s->def.contact_count; ++i)
        f->ground[i] = er_v3(0, 0, 0);
    find_passive(s, f);
    for (int k = 0; k < m->joint_count; ++k) {
        if (s->in_tree[k]) continue;
        f->joint[k] = wrench_of(s, k, f->passive + m->coordinate[k]);
        give(s, k, 1.0, f->joint[k]);
    }
}

er_result er_inverse_solve(er_inverse *s, er_inverse_frame *f)
{
    const er_model *m = s->model;
    er_result r = check_frame(s, f);
    if (r != ER_OK) return r;
    begin(s, f);
    sum_up(s);
    for (int b = 0; b < m->body_count; ++b)
        if (s->root[b] == b) stand(s, f, b);
    if (s->row_count > 0) r = close_loops(s, f);
    if (r != ER_OK) return r;
    sum_up(s);
    for (int b = 0; b < m->body_count; ++b)
        if (s->root[b] == b) f->residual[b] = s->sum[b];
    for (int k = 0; k < m->joint_count; ++k) {
        if (s->in_tree[k]) f->joint[k] = tree_wrench(s, k);
        int first = m->coordinate[k], count = m->coordinate[k + 1] - first;
        force_along(s, k, f->joint[k], f->force + first);
        for (int c = 0; c < count; ++c)
            f->power[first + c] *= f->force[first + c];
    }
    return ER_OK;
}

// ---- Setting up

static er_result check_def(er_context *context, const er_inverse_def *def)
{
    if (def == NULL || def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "def was not made by er_default_inverse_def()");
    if (def->model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "def: model is NULL");
    if (!er_v3_finite(def->gravity)) return er_fail(context, ER_ERROR_ARGUMENT, "def: gravity is not finite");
    if (!(fabs(er_v3_norm(def->normal) - 1.0) <= 1e-6))
        return er_fail(context, ER_ERROR_ARGUMENT, "def: normal is not a unit vector");
    if (!(def->friction >= 0.0 && eri_is_number(def->friction)))
        return er_fail(context, ER_ERROR_ARGUMENT, "def: friction is not a number >= 0");
    if (def->contact_count < 0 || (def->contact_count > 0 && def->contact == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "def: contact_count without contacts");
    for (int i = 0; i < def->contact_count; ++i)
        if (def->contact[i].body < 0 || def->contact[i].body >= def->model->body_count ||
            !er_v3_finite(def->contact[i].point))
            return er_fail(context, ER_ERROR_ARGUMENT, "contact %d: no such body, or its point is not finite", i);
    return ER_OK;
}

// Roots of trees, and which joints are theirs.
static void find_trees(er_inverse *s)
{
    const er_model *m = s->model;
    s->task_count = m->coordinate_count;
    for (int i = 0; i < m->body_count; ++i) {
        int b = m->order[i], p = m->tree_parent[b], k = m->tree_joint[b];
        if (k >= 0) s->in_tree[k] = true;
        s->root[b] = p >= 0 ? s->root[p] : k >= 0 ? -1 : b;
        if (s->root[b] == b) s->task_count += 6;
    }
}

static er_result list_rows(er_inverse *s)
{
    const er_model *m = s->model;
    er_result r = ER_OK;
    for (int k = 0; k < m->joint_count; ++k)
        if (!s->in_tree[k]) s->row_count += 6 - (m->coordinate[k + 1] - m->coordinate[k]);
    ERI_TRY_NEW(s->row, s->arena, loop_row, s->row_count);
    for (int k = 0, i = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int a = 0, c = 0; a < 6 && !s->in_tree[k]; ++a)
            if (c < count && axis[c] == a)
                ++c;
            else
                s->row[i++] = (loop_row){k, a};
    }
done:
    return r;
}

static er_result set_up(er_inverse *s, const er_inverse_def *def)
{
    er_result r = ER_OK;
    const er_model *m = s->model;
    int bodies = m->body_count, joints = m->joint_count, contacts = def->contact_count;
    er_world_def world = er_default_world_def();
    world.model = m;
    double *inertia;
    ERI_TRY_NEW(s->contact, s->arena, er_inverse_contact, contacts);
    ERI_TRY_NEW(s->root, s->arena, int, bodies);
    ERI_TRY_NEW(s->in_tree, s->arena, bool, joints);
    ERI_TRY_NEW(s->com, s->arena, er_vec3, bodies);
    ERI_TRY_NEW(s->needed, s->arena, er_wrench, bodies);
    ERI_TRY_NEW(s->sum, s->arena, er_wrench, bodies);
    ERI_TRY_NEW(s->frame, s->arena, eri_joint_frame, joints);
    ERI_TRY_NEW(s->arm, s->arena, er_vec3, contacts);
    ERI_TRY_NEW(s->push, s->arena, er_vec3, contacts);
    ERI_TRY_NEW(s->which, s->arena, int, contacts);
    ERI_TRY_NEW(inertia, s->arena, double, m->coordinate_count);
    for (int i = 0; i < contacts; ++i)
        s->contact[i] = def->contact[i];
    ERI_TRY(eri_laws_create(s->arena, &world, inertia, &s->laws));
    find_trees(s);
    ERI_TRY(list_rows(s));
done:
    return r;
}

er_result er_inverse_create(er_context *context, const er_inverse_def *def, er_inverse **out)
{
    *out = NULL;
    er_result r = check_def(context, def);
    if (r != ER_OK) return r;
    er_arena *arena = NULL;
    er_inverse *s = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(s, arena, er_inverse, 1);
    s->context = context;
    s->arena = arena;
    s->def = *def;
    s->model = def->model;
    ERI_TRY(eri_arena_create(context, &s->scratch));
    ERI_TRY(set_up(s, def));
    *out = s;
    return ER_OK;
done:
    if (s != NULL) eri_arena_destroy(s->scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_inverse_destroy(er_inverse *s)
{
    if (s == NULL) return;
    eri_arena_destroy(s->scratch);
    eri_arena_destroy(s->arena);
}
