/// @file
/// Accelerations body by body, all joints by Lagrange multipliers (docs/math/dynamics.md):
///   M u' - J' lambda = f,   J u' = b
/// in twists of centres of mass, world axes. An implicit step's springs and dampers are rows with a compliance.
#include <math.h>
#include <string.h>

#include "dynamics/reference/maximal.h"

enum { MOST_CORRECTIONS = 40 };

er_result eri_maximal_create(er_arena *arena, er_world *w, eri_maximal **out)
{
    er_result r = ER_OK;
    eri_maximal *s;
    const er_model *m = w->model;
    size_t limbs = (size_t)w->tree->link_count, joints = (size_t)m->joint_count;
    ERI_TRY_NEW(s, arena, eri_maximal, 1);
    s->limb_count = w->tree->link_count;
    s->joint_count = m->joint_count;
    s->positions = w->def.rotation_state == ER_ROTATION_MATRIX ? 12 : 7;
    ERI_TRY_NEW(s->parent_side, arena, er_pose, joints);
    ERI_TRY_NEW(s->child_side, arena, er_pose, joints);
    ERI_TRY_NEW(s->joint, arena, eri_maximal_joint, joints);
    ERI_TRY_NEW(s->used, arena, bool, joints);
    ERI_TRY_NEW(s->node, arena, eri_maximal_node, limbs);
    ERI_TRY_NEW(s->f, arena, double, 6 * limbs);
    ERI_TRY_NEW(s->x, arena, double, 6 * limbs);
    ERI_TRY_NEW(s->force, arena, double, 6 * limbs);
    ERI_TRY_NEW(s->multiplier, arena, double, 6 * joints);
    ERI_TRY_NEW(s->b, arena, double, 6 * joints);
    ERI_TRY_NEW(s->pose, arena, er_pose, m->body_count);
    ERI_TRY_NEW(s->twist, arena, er_twist, m->body_count);
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        s->parent_side[k] = j->frame;
        if (j->parent >= 0) s->parent_side[k] = er_pose_mul(er_pose_inverse(m->body[j->parent].pose), j->frame);
        s->child_side[k] = er_pose_mul(er_pose_inverse(m->body[j->child].pose), j->frame);
    }
    for (int i = 0; i < s->limb_count; ++i)
        if (w->tree->link[i].joint >= 0) s->used[w->tree->link[i].joint] = true;
    for (int l = 0; l < w->multibody->loop_count; ++l) {
        s->used[w->multibody->loop[l].joint] = true;
        s->row_count += 6 - er_joint_type_freedom(m->joint[w->multibody->loop[l].joint].type, NULL);
    }
    ERI_TRY_NEW(s->row_joint, arena, int, s->row_count);
    ERI_TRY_NEW(s->row_index, arena, int, s->row_count);
    ERI_TRY_NEW(s->row_scale, arena, double, s->row_count);
    ERI_TRY_NEW(s->lambda, arena, double, s->row_count);
    ERI_TRY(eri_semidefinite_create(arena, s->row_count, &s->S));
    s->redundant = eri_arena_alloc(arena, (size_t)s->row_count, joints * sizeof(er_wrench));
    ERI_TRY(s->redundant != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int l = 0, row = 0; l < w->multibody->loop_count; ++l) {
        int joint = w->multibody->loop[l].joint, count = 6 - er_joint_type_freedom(m->joint[joint].type, NULL);
        for (int i = 0; i < count; ++i) {
            s->row_joint[row] = joint;
            s->row_index[row++] = i;
        }
    }
    *out = s;
done:
    return r;
}

int eri_maximal_position_count(const er_world *w)
{
    return w->maximal->positions * w->maximal->limb_count;
}

// ---- The state

static er_vec3 get_vector(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put_vector(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static er_mat3 get_axes(const eri_maximal *s, const double *q)
{
    er_mat3 R;
    if (s->positions == 7) return er_m3_from_q(er_q_unit(er_q(q[0], q[1], q[2], q[3])));
    memcpy(&R, q, sizeof R);
    return R;
}

static double *com_of(const eri_maximal *s, double *q)
{
    return q + s->positions - 3;
}

void eri_maximal_set_bodies(er_world *w, const er_pose *pose, const er_twist *twist, double *q, double *u)
{
    const eri_maximal *s = w->maximal;
    for (int i = 0; i < s->limb_count; ++i, q += s->positions, u += 6) {
        int b = w->tree->link[i].body;
        eri_body_motion m = eri_body_motion_of(&w->model->body[b], &pose[b], &twist[b]);
        if (s->positions == 7)
            memcpy(q, (const double[4]){pose[b].q.w, pose[b].q.x, pose[b].q.y, pose[b].q.z}, 4 * sizeof *q);
        else
            memcpy(q, &m.axes, sizeof m.axes);
        put_vector(m.com, com_of(s, q));
        put_vector(m.angular, u);
        put_vector(m.linear, u + 3);
    }
}

// The bodies' motions, in w->motion, s->pose and s->twist.
static void move(er_world *w, double time, const double *q, const double *u)
{
    eri_maximal *s = w->maximal;
    eri_world_move_ground(w, time);
    for (int i = 0; i < s->limb_count; ++i, q += s->positions, u += 6) {
        int b = w->tree->link[i].body;
        eri_body_motion *m = &w->motion[b];
        m->axes = get_axes(s, q);
        m->com = get_vector(q + s->positions - 3);
        m->origin = er_v3_sub(m->com, er_m3_mul_v(m->axes, w->model->body[b].com));
        m->angular = get_vector(u);
        m->linear = get_vector(u + 3);
    }
    for (int b = 0; b < w->model->body_count; ++b)
        s->pose[b] = eri_body_motion_pose(&w->motion[b]);
}

void eri_maximal_bodies(er_world *w, double time, const double *q, const double *u, er_pose *pose, er_twist *twist)
{
    move(w, time, q, u);
    for (int b = 0; b < w->model->body_count; ++b) {
        pose[b] = w->maximal->pose[b];
        twist[b] = eri_body_motion_twist(&w->model->body[b], &w->motion[b]);
    }
}

static void put_quat(er_quat a, double *q)
{
    q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z;
}

void eri_maximal_drift(const er_world *w, const double *q, const double *u, double *dq)
{
    const eri_maximal *s = w->maximal;
    for (int i = 0; i < s->limb_count; ++i, q += s->positions, dq += s->positions, u += 6) {
        er_vec3 spin = get_vector(u);
        if (s->positions == 7) {
            put_quat(er_q_mul(er_q(0, 0.5 * spin.x, 0.5 * spin.y, 0.5 * spin.z), er_q(q[0], q[1], q[2], q[3])), dq);
        } else {
            er_mat3 R = get_axes(s, q), rate = er_m3_mul(er_m3_skew(spin), R);
            memcpy(dq, &rate, sizeof rate);
        }
        memcpy(com_of(s, dq), u + 3, 3 * sizeof *u);
    }
}

void eri_maximal_normalise(const er_world *w, double *q)
{
    const eri_maximal *s = w->maximal;
    for (int i = 0; i < s->limb_count && s->positions == 7; ++i, q += 7) {
        er_quat a = er_q(q[0], q[1], q[2], q[3]);
        if (fabs(er_q_dot(a, a) - 1.0) > 1e-15) put_quat(er_q_unit(a), q);
    }
}

// ---- Joints

static eri_motion_at motion_of(const er_world *w, int body)
{
    if (body >= 0 && w->tree->link_of_body[body] >= 0) {
        const eri_body_motion *m = &w->motion[body];
        return (eri_motion_at){.point = m->com, .angular = m->angular, .linear = m->linear};
    }
    eri_motion_at ground = eri_ground_motion(w, body);
    ground.linear_rate = er_v3_add(ground.linear_rate, w->def.gravity); // which acts as a force here
    return ground;
}

static void place_joints(er_world *w)
{
    eri_maximal *s = w->maximal;
    for (int k = 0; k < s->joint_count; ++k) {
        if (!s->used[k]) continue;
        const er_joint *j = &w->model->joint[k];
        er_pose P = s->parent_side[k], Q = er_pose_mul(s->pose[j->child], s->child_side[k]);
        if (j->parent >= 0) P = er_pose_mul(s->pose[j->parent], P);
        eri_maximal_joint *rows = &s->joint[k];
        rows->rows = eri_rows_at(j->type, j->pitch, P, Q);
        rows->count = 0;
        memset(rows->own, 0, sizeof rows->own);
        for (int a = 0; a < 6; ++a)
            if (!rows->rows.is_free[a]) {
                rows->compliance[rows->count] = 0.0;
                rows->axis[rows->count++] = a;
            }
    }
}

// Springs, dampers and motors; those of an implicit step as rows with a compliance, too.
static void joint_forces(er_world *w, const eri_evaluation *e)
{
    eri_maximal *s = w->maximal;
    for (int k = 0; k < s->joint_count; ++k) {
        if (!s->used[k] || !w->laws->acts[k]) continue;
        eri_maximal_joint *j = &s->joint[k];
        int first = w->model->coordinate[k], axis[6], count = er_joint_type_freedom(j->rows.type, axis);
        eri_motion_at parent = motion_of(w, w->model->joint[k].parent), child = motion_of(w, w->model->joint[k].child);
        double rate[6], x[6], own[6], force[6];
        eri_rows_rates(&j->rows, &parent, &child, rate);
        eri_joint_coordinates(j->rows.type, j->rows.pitch, j->rows.X, w->near + first, x);
        for (int c = 0; c < count; ++c)
            own[c] = rate[axis[c]];
        eri_laws_force(w->laws, k, x, own, force, e->account);
        for (int c = 0; c < count; ++c) {
            const eri_law *law = &w->laws->law[first + c];
            eri_implicit_law in = eri_law_in_step(law, e->step, w->contacts != NULL);
            j->own[axis[c]] = force[c] - in.drag * own[c];
            if (in.armature > 0.0) {
                j->compliance[j->count] = 1.0 / in.armature;
                j->axis[j->count++] = axis[c];
            }
        }
        eri_maximal_act_between(w, k, eri_rows_wrench(&j->rows, j->own), s->force);
    }
}

// ---- Accelerations

static void body_forces(er_world *w, double time, eri_account *account)
{
    eri_maximal *s = w->maximal;
    if (w->forces->any) eri_forces_wrenches(w->forces, time, w->motion, w->wrench, account);
    for (int i = 0; i < s->limb_count; ++i) {
        int b = w->tree->link[i].body;
        const eri_body_motion *m = &w->motion[b];
        const er_body *body = &w->model->body[b];
        er_vec3 own = er_m3_mul_v(er_m3_transpose(m->axes), m->angular);
        er_vec3 spin = er_m3_mul_v(m->axes, er_m3_mul_v(body->inertia, own));
        er_vec3 torque = er_v3_cross(spin, m->angular), force = er_v3_scale(body->mass, w->def.gravity);
        if (w->forces->any) {
            torque = er_v3_add(torque, w->wrench[b].torque);
            force = er_v3_add(force, w->wrench[b].force);
        }
        put_vector(torque, s->force + 6 * (size_t)i);
        put_vector(force, s->force + 6 * (size_t)i + 3);
    }
}

static void second_rates(er_world *w)
{
    eri_maximal *s = w->maximal;
    for (int k = 0; k < s->joint_count; ++k) {
        if (!s->used[k]) continue;
        const eri_maximal_joint *j = &s->joint[k];
        eri_motion_at parent = motion_of(w, w->model->joint[k].parent), child = motion_of(w, w->model->joint[k].child);
        double rate[6];
        eri_rows_second_rates(&j->rows, &parent, &child, rate);
        for (int r = 0; r < j->count; ++r)
            s->b[6 * k + r] = j->compliance[r] > 0.0 ? 0.0 : -rate[j->axis[r]];
    }
}

// All that a joint does to its child: of the multipliers there are, and its own forces.
static er_wrench wrench_of(const er_world *w, int joint, bool with_own)
{
    const eri_maximal_joint *j = &w->maximal->joint[joint];
    double force[6] = {0};
    if (with_own) memcpy(force, j->own, sizeof force);
    for (int r = 0; r < j->count; ++r)
        force[j->axis[r]] += w->maximal->multiplier[6 * joint + r];
    return eri_rows_wrench(&j->rows, force);
}

static void find_reactions(er_world *w, er_wrench *reaction)
{
    eri_maximal *s = w->maximal;
    int nulls = s->row_count > 0 ? s->S.count - s->S.rank : 0;
    for (int k = 0; k < s->joint_count; ++k)
        reaction[k] = s->used[k] ? wrench_of(w, k, true) : (er_wrench){{0, 0, 0}, {0, 0, 0}};
    for (int n = 0; n < nulls; ++n) {
        er_wrench *out = s->redundant + (size_t)n * (size_t)s->joint_count;
        eri_maximal_find_null(w, n);
        for (int k = 0; k < s->joint_count; ++k)
            out[k] = s->used[k] ? wrench_of(w, k, false) : (er_wrench){{0, 0, 0}, {0, 0, 0}};
    }
    eri_world_least_reactions(w, nulls, s->redundant, reaction);
}

static double power_at(const eri_motion_at *m, er_wrench f, er_vec3 point)
{
    er_vec3 v = er_v3_add(m->linear, er_v3_cross(m->angular, er_v3_sub(point, m->point)));
    return er_v3_dot(f.torque, m->angular) + er_v3_dot(f.force, v);
}

static bool is_ground(const er_world *w, int body)
{
    return body < 0 || w->tree->link_of_body[body] < 0;
}

// The power of the ground's motion on all attached bodies.
static double guide_power(const er_world *w)
{
    const eri_maximal *s = w->maximal;
    double power = 0.0;
    for (int k = 0; k < s->joint_count; ++k) {
        const er_joint *j = &w->model->joint[k];
        if (!s->used[k] || !(is_ground(w, j->parent) || is_ground(w, j->child))) continue;
        bool led = is_ground(w, j->parent);
        eri_motion_at m = eri_ground_motion(w, led ? j->parent : j->child);
        power += (led ? 1.0 : -1.0) * power_at(&m, wrench_of(w, k, true), s->joint[k].rows.origin);
    }
    return power;
}

er_result eri_maximal_evaluate(er_world *w, double time, const double *q, const double *u, const eri_evaluation *e,
                               double *du)
{
    eri_maximal *s = w->maximal;
    move(w, time, q, u);
    place_joints(w);
    body_forces(w, time, e->account);
    joint_forces(w, e);
    second_rates(w);
    eri_maximal_solve(w, 0.0, s->force, s->b);
    memcpy(du, s->x, 6 * (size_t)s->limb_count * sizeof *du);
    for (int i = 0; i < 6 * s->limb_count; ++i)
        if (!isfinite(du[i])) return eri_world_not_finite(w, time);
    for (int i = 0; i < s->limb_count && e->rate != NULL; ++i) {
        int b = w->tree->link[i].body;
        const eri_body_motion *m = &w->motion[b];
        eri_motion_at at = {m->com, m->angular, m->linear, get_vector(du + 6 * i), get_vector(du + 6 * i + 3)};
        e->rate[b] = eri_body_rate(&at, &m->axes, m->origin);
    }
    if (e->account != NULL && w->def.guide != NULL) e->account->work += guide_power(w);
    if (e->reaction != NULL) find_reactions(w, e->reaction);
    return ER_OK;
}

// ---- Corrections

// Errors of all rows, signs turned, in s->b; returns the largest, shifts over the rig's size.
static double errors(er_world *w)
{
    eri_maximal *s = w->maximal;
    double gap = 0.0, error[6];
    for (int k = 0; k < s->joint_count; ++k) {
        if (!s->used[k]) continue;
        eri_joint_violation(s->joint[k].rows.type, s->joint[k].rows.pitch, s->joint[k].rows.X, error);
        for (int r = 0; r < s->joint[k].count; ++r) {
            int a = s->joint[k].axis[r];
            s->b[6 * k + r] = -error[a];
            gap = fmax(gap, fabs(error[a]) / (a < 3 ? 1.0 : w->model->size));
        }
    }
    return gap;
}

static double place(er_world *w, double time, const double *q, const double *u)
{
    move(w, time, q, u);
    place_joints(w);
    return errors(w);
}

// q moved along x for unit time.
static void move_along(const eri_maximal *s, const double *x, double *q)
{
    for (int i = 0; i < s->limb_count; ++i, q += s->positions, x += 6) {
        er_quat turn = er_q_exp(get_vector(x));
        if (s->positions == 7) {
            put_quat(er_q_unit(er_q_mul(turn, er_q(q[0], q[1], q[2], q[3]))), q);
        } else {
            er_mat3 R = er_m3_mul(er_m3_from_q(turn), get_axes(s, q));
            memcpy(q, &R, sizeof R);
        }
        double *com = com_of(s, q);
        put_vector(er_v3_add(get_vector(com), get_vector(x + 3)), com);
    }
}

er_result eri_maximal_restore(er_world *w, double time, bool always, double *q, double *u)
{
    eri_maximal *s = w->maximal;
    eri_maximal_normalise(w, q);
    double gap = place(w, time, q, u), most = fmin(w->def.drift_tolerance, 1e-10), last = HUGE_VAL;
    w->gap = fmax(w->gap, gap);
    if (!always && !(gap > w->def.drift_tolerance) && !s->is_nearly_flat) return ER_OK;
    ++w->corrections;
    double began = gap;
    memset(s->force, 0, 6 * (size_t)s->limb_count * sizeof *s->force);
    for (int n = 0; n < MOST_CORRECTIONS && gap > 1e-3 * most && gap < 0.9 * last; ++n) {
        last = gap;
        eri_maximal_solve(w, gap, s->force, s->b);
        move_along(s, s->x, q);
        gap = place(w, time, q, u);
    }
    bool may_stay = began <= w->def.drift_tolerance && gap <= began;
    if (!(gap <= most) && !may_stay) return eri_world_not_closed(w, time, gap);
    for (int k = 0; k < s->joint_count; ++k) {
        if (!s->used[k]) continue;
        eri_motion_at parent = motion_of(w, w->model->joint[k].parent), child = motion_of(w, w->model->joint[k].child);
        double rate[6];
        eri_rows_rates(&s->joint[k].rows, &parent, &child, rate);
        for (int r = 0; r < s->joint[k].count; ++r)
            s->b[6 * k + r] = -rate[s->joint[k].axis[r]];
    }
    eri_maximal_solve(w, 0.0, s->force, s->b);
    for (int i = 0; i < 6 * s->limb_count; ++i)
        u[i] += s->x[i];
    return ER_OK;
}

void eri_maximal_push(er_world *w, double time, const double *q, int body, er_wrench impulse, double *u)
{
    eri_maximal *s = w->maximal;
    double *on = s->force + 6 * (size_t)w->tree->link_of_body[body];
    place(w, time, q, u);
    memset(s->force, 0, 6 * (size_t)s->limb_count * sizeof *s->force);
    memset(s->b, 0, 6 * (size_t)s->joint_count * sizeof *s->b);
    put_vector(impulse.torque, on);
    put_vector(impulse.force, on + 3);
    eri_maximal_solve(w, 0.0, s->force, s->b);
    for (int i = 0; i < 6 * s->limb_count; ++i)
        u[i] += s->x[i];
}

// ---- Steps with lasting contact

const double *eri_maximal_impel(er_world *w, double time, const double *q, const double *u, double step,
                                eri_account *account)
{
    const eri_evaluation e = {.step = step, .account = account};
    move(w, time, q, u);
    place_joints(w);
    body_forces(w, time, account);
    joint_forces(w, &e);
    return w->maximal->force;
}

int eri_maximal_rows(const er_world *w, int joint, eri_joint_row row[6])
{
    const eri_maximal *s = w->maximal;
    const er_joint *j = &w->model->joint[joint];
    const eri_maximal_joint *rows = &s->joint[joint];
    const int body[2] = {j->child, j->parent};
    eri_motion_at parent = motion_of(w, j->parent), child = motion_of(w, j->child);
    double error[6], rate[6];
    if (!s->used[joint]) return 0;
    eri_joint_violation(rows->rows.type, rows->rows.pitch, rows->rows.X, error);
    eri_rows_rates(&rows->rows, &parent, &child, rate);
    for (int r = 0; r < rows->count; ++r) {
        int axis = rows->axis[r];
        row[r] = (eri_joint_row){
            .turns = axis < 3, .rate = rate[axis], .error = error[axis], .compliance = rows->compliance[r]};
        for (int e = 0; e < 2; ++e) {
            row[r].limb[e] = body[e] >= 0 ? w->tree->link_of_body[body[e]] : -1;
            if (row[r].limb[e] >= 0) eri_maximal_row_on(w, joint, r, body[e], row[r].J[e]);
        }
    }
    return rows->count;
}

er_wrench eri_maximal_own_wrench(const er_world *w, int joint)
{
    const eri_maximal_joint *j = &w->maximal->joint[joint];
    return eri_rows_wrench(&j->rows, j->own);
}

void eri_maximal_place(er_world *w, double time, const double *q, const double *u)
{
    place(w, time, q, u);
}

void eri_maximal_move(const er_world *w, const double *way, double *q)
{
    move_along(w->maximal, way, q);
}
