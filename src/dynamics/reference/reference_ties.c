/// @file
/// Rows of ties and of rolling friction in the reference solver, and what they and joints give as loads.
#include <math.h>
#include <string.h>

#include "dynamics/reference/reference_rows.h"
#include "dynamics/ties.h"

static const double least_share = 1e-3; // of the end of a step in the stretch of a spring: 0 has no row

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static er_vec3 com_of(const er_world *w, int body)
{
    return er_pose_point(w->pose[body], w->model->body[body].com);
}

size_t eri_reference_most_ties(const er_world *w)
{
    size_t ties = w->ties != NULL ? (size_t)w->ties->count : 0;
    return 2 * ties + (w->contacts->rows.rolls ? 3 * (size_t)w->contacts->narrow.now.point_count : 0);
}

// ---- Ties

static int limb_of(const er_world *w, int body)
{
    return body >= 0 ? w->tree->link_of_body[body] : -1;
}

// Adds the gradient of the length of a rope, rod or pulley, times a sign.   @return its rate
static double add_points(const er_world *w, const er_tie *t, double sign, eri_reference_row *a)
{
    const er_vec3 point[2] = {eri_tie_point(w, t, 0), eri_tie_point(w, t, 1)};
    er_vec3 pull[2];
    double rate = 0.0;
    eri_tie_length(t, point, pull);
    for (int k = 0; k < 2; ++k) {
        int b = t->body[k];
        if (b < 0) continue;
        er_vec3 force = er_v3_scale(sign, pull[k]);
        er_vec3 torque = er_v3_cross(er_v3_sub(point[k], com_of(w, b)), force);
        eri_reference_add_part(a, limb_of(w, b), torque, force);
        er_vec3 v = er_v3_add(w->twist[b].linear, er_v3_cross(w->twist[b].angular, t->point[k]));
        rate += er_v3_dot(force, er_q_rotate(w->pose[b].q, v));
    }
    return rate;
}

// Adds the gradient of q0 - ratio q1.   @return its rate
static double add_gear(const er_world *w, const er_tie *t, eri_reference_row *a)
{
    double rate = 0.0;
    for (int k = 0; k < 2; ++k) {
        double share = k == 0 ? 1.0 : -t->ratio, all[6];
        int axis, joint = eri_tie_joint(w->model, t->coordinate[k], &axis);
        const er_joint *j = &w->model->joint[joint];
        eri_joint_ends ends = eri_joint_ends_at(w->model, joint, w->pose, w->twist);
        eri_rows rows = eri_rows_at(j->type, j->pitch, ends.P, ends.Q);
        eri_rows_rates(&rows, &ends.parent, &ends.child, all);
        rate += share * all[axis];
        for (int e = 0; e < 2; ++e) {
            int body = e == 0 ? j->child : j->parent;
            er_vec3 along = er_v3_scale(e == 0 ? share : -share, rows.axis[axis]), none = {0, 0, 0};
            if (axis < 3)
                eri_reference_add_part(a, limb_of(w, body), along, none);
            else if (body >= 0)
                eri_reference_add_part(a, limb_of(w, body), er_v3_cross(er_v3_sub(rows.origin, com_of(w, body)), along),
                                       along);
        }
    }
    return rate;
}

// A point of a tie after a step in which its body keeps its velocity, forces and joints included.
static er_vec3 point_after(const er_world *w, const er_tie *t, int side, double h)
{
    int body = t->body[side], limb = limb_of(w, body);
    er_vec3 point = eri_tie_point(w, t, side);
    if (body < 0) return point;
    er_vec3 com = com_of(w, body), spin = er_q_rotate(w->pose[body].q, w->twist[body].angular),
            arm = w->model->body[body].com;
    er_vec3 v =
        er_q_rotate(w->pose[body].q, er_v3_add(w->twist[body].linear, er_v3_cross(w->twist[body].angular, arm)));
    if (limb >= 0) {
        const double *V = w->contacts->reference->V + 6 * limb;
        spin = get(V), v = get(V + 3);
    }
    er_vec3 turned = er_q_rotate(er_q_exp(er_v3_scale(h, spin)), er_v3_sub(point, com));
    return er_v3_add(er_v3_madd(com, h, v), turned);
}

// How much longer a tie becomes in the step than its rate says, because bodies turn and go round each other.
// @param sign  of the row's speed on the rate of the length
static double find_bend(const er_world *w, const er_tie *t, double sign, const eri_reference_row *a, double h)
{
    const er_vec3 before[2] = {eri_tie_point(w, t, 0), eri_tie_point(w, t, 1)};
    const er_vec3 after[2] = {point_after(w, t, 0, h), point_after(w, t, 1, h)};
    double rate = sign * (eri_reference_rate(a, w->contacts->reference->V) + a->given);
    return eri_tie_length(t, after, NULL) - eri_tie_length(t, before, NULL) - h * rate;
}

// Sets the bias and the compliance of a tie that is a spring: f = k (x + share h x') + c x', x its stretch. A share of
// 0 keeps the energy of an oscillation on average, but is not stable if the spring is stiff.
static void soften(const er_tie *t, double gap, double h, eri_reference_row *a)
{
    double stiff = h * h * t->stiffness * a->diagonal, share = fmax(1.0 - 1.0 / stiff, least_share);
    double firm = share * h * t->stiffness + t->damping, compliance = 1.0 / (h * firm);
    if (!(a->diagonal > 0.0)) return;
    a->stretch = -gap;
    a->bias = a->given + t->stiffness * (gap - share * a->bend) / firm;
    a->compliance += compliance;
    a->diagonal += compliance;
}

// A row's speed is that at which a tie becomes slack. A gap may close and no more; erp of an excess is undone.
static er_result add_tie(er_world *w, int tie, bool pushes, double h)
{
    er_result r = ER_OK;
    eri_reference_solver *s = w->contacts->reference;
    const er_tie *t = &w->ties->tie[tie];
    eri_reference_row *a = &s->row[s->row_count++];
    bool is_gear = t->kind == ER_TIE_GEAR, is_exact = is_gear || (t->kind == ER_TIE_DISTANCE && t->least == t->most);
    double length = er_world_tie(w, tie).length, sign = pushes ? 1.0 : -1.0;
    *a = (eri_reference_row){.kind = ERI_REFERENCE_TIE,
                             .normal = is_exact ? ERI_ROW_FREE : ERI_ROW_NORMAL,
                             .tie = tie,
                             .pushes = pushes,
                             .stored = &w->ties->record[tie].impulse[pushes]};
    a->initial_speed = is_gear ? add_gear(w, t, a) : add_points(w, t, sign, a);
    a->given = a->initial_speed - eri_reference_rate(a, w->contacts->state.u);
    ERI_TRY(eri_reference_finish_row(w, a));
    a->bend = is_gear ? 0.0 : find_bend(w, t, sign, a, h);
    double gap = is_gear ? length - w->ties->record[tie].offset : pushes ? length - t->least : t->most - length;
    double undone = gap > 0.0 && !is_exact ? gap : w->def.reference.erp * gap;
    a->bias = a->given + (undone + sign * a->bend) / h;
    if (t->stiffness > 0.0 && !pushes) soften(t, gap, h, a);
done:
    return r;
}

er_result eri_reference_add_ties(er_world *w, double h)
{
    er_result r = ER_OK;
    for (int i = 0; w->ties != NULL && i < w->ties->count; ++i) {
        const er_tie *t = &w->ties->tie[i];
        if (w->ties->record[i].is_broken != 0.0) continue;
        if (t->kind == ER_TIE_GEAR || t->most < HUGE_VAL) ERI_TRY(add_tie(w, i, false, h));
        if (t->kind == ER_TIE_DISTANCE && t->least > 0.0 && t->least < t->most) ERI_TRY(add_tie(w, i, true, h));
    }
done:
    return r;
}

double eri_reference_tie_energy(const er_world *w, const eri_reference_row *a, double h)
{
    const er_tie *t = &w->ties->tie[a->tie];
    if (!(t->stiffness > 0.0) || a->pushes) return 0.0;
    double end = a->stretch + a->bend - h * (eri_reference_rate(a, w->contacts->reference->V) + a->given);
    double left = a->x / h > t->break_force ? 0.0 : eri_tie_energy(t, t->most + end);
    return left - eri_tie_energy(t, t->most + a->stretch);
}

void eri_reference_store_ties(er_world *w, double h)
{
    const eri_reference_solver *s = w->contacts->reference;
    for (int i = 0; w->ties != NULL && i < w->ties->count; ++i)
        if (w->ties->record[i].is_broken == 0.0) w->ties->record[i].force = 0.0;
    for (int i = s->joint_row_count; i < s->row_count; ++i) {
        const eri_reference_row *a = &s->row[i];
        if (a->kind != ERI_REFERENCE_TIE) continue;
        double force = (a->pushes ? -1.0 : 1.0) * a->x / h;
        eri_ties_set_force(w->ties, a->tie, w->ties->record[a->tie].force + force);
    }
}

// ---- Rolling and spinning friction

// Speeds of these rows are those at the radius of gyration, so that they compare with those of contacts.
static er_result add_roll(er_world *w, const eri_contact_point *c, int normal, er_vec3 axis, double bound,
                          double *length, eri_reference_kind kind)
{
    eri_reference_solver *s = w->contacts->reference;
    const eri_reference_row *contact = &s->row[normal];
    eri_reference_row *a = &s->row[s->row_count++];
    const er_vec3 none = {0, 0, 0};
    *a = (eri_reference_row){.kind = kind, .normal = normal};
    for (int e = 0; e < 2; ++e) {
        double sign = e == 0 ? 1.0 : -1.0;
        int body = w->contacts->broad.shape[c->shape[1 - e]].body;
        eri_reference_add_part(a, limb_of(w, body), er_v3_scale(sign, axis), none);
        if (limb_of(w, body) < 0) a->given += sign * er_v3_dot(axis, eri_ground_motion(w, body).angular);
    }
    if (*length == 0.0) *length = sqrt(eri_reference_coupling(contact, contact) / eri_reference_set_masses(w, a, 0.0));
    for (int e = 0; e < a->end_count; ++e)
        put(er_v3_scale(*length, get(a->J[e])), a->J[e]);
    a->given *= *length;
    a->friction = bound / *length;
    a->bias = a->given;
    a->initial_speed = eri_reference_rate(a, w->contacts->state.u) + a->given;
    return eri_reference_finish_row(w, a);
}

er_result eri_reference_add_rolling(er_world *w, int first)
{
    er_result r = ER_OK;
    const eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    for (int i = 0; contacts->rows.rolls && i < contacts->narrow.now.point_count; ++i) {
        const eri_contact_point *c = &contacts->narrow.now.point[i];
        const er_world_shape *a = &contacts->broad.shape[c->shape[0]], *b = &contacts->broad.shape[c->shape[1]];
        const eri_contact_frame frame = eri_contact_frame_of(c);
        double roll = fmax(a->rolling, b->rolling), spin = fmax(a->spinning, b->spinning), length = 0.0;
        eri_reference_row *rows = &s->row[s->row_count];
        for (int d = 1; d < 3 && roll > 0.0; ++d)
            ERI_TRY(add_roll(w, c, first + 3 * i, frame.axis[d], roll, &length, ERI_REFERENCE_ROLL));
        if (roll > 0.0 && rows[0].diagonal > 0.0 && rows[1].diagonal > 0.0)
            rows[0].tangents =
                fmax(rows[0].diagonal, rows[1].diagonal) + fabs(eri_reference_response(&rows[0], &rows[1]));
        if (spin > 0.0) ERI_TRY(add_roll(w, c, first + 3 * i, frame.axis[0], spin, &length, ERI_REFERENCE_SPIN));
    }
done:
    return r;
}

// ---- Loads of joints

static bool has_loads(const er_world *w)
{
    return w->contacts->loads != NULL;
}

void eri_reference_begin_loads(er_world *w, double h)
{
    for (int l = 0; has_loads(w) && l < w->multibody->loop_count; ++l) {
        int joint = w->multibody->loop[l].joint;
        er_wrench f = eri_maximal_own_wrench(w, joint);
        eri_joint_loads_add_loop(w, joint, (er_wrench){er_v3_scale(h, f.torque), er_v3_scale(h, f.force)});
    }
}

void eri_reference_add_loop_impulses(eri_reference_solver *s, const eri_joint_response *g)
{
    for (int k = 0; k < g->loop_row_count; ++k)
        s->loop_impulse[g->loop_row[k].at] += g->loop_row[k].scale * g->force[k];
}

void eri_reference_respond_loops(er_world *w)
{
    eri_reference_solver *s = w->contacts->reference;
    for (int i = 0; has_loads(w) && i < w->contacts->bodies.articulation_count; ++i) {
        const eri_joint_response *g = &s->response[i];
        int count = g->last_limb - g->first_limb;
        if (g->loop_row_count == 0) continue;
        memset(s->impulse, 0, 6 * (size_t)count * sizeof *s->impulse);
        for (int k = s->joint_row_count; k < s->row_count; ++k)
            eri_reference_add_impulse(&s->row[k], s->row[k].x, g, s->impulse);
        eri_joint_response_solve(w, g, s->impulse, NULL, s->twist);
        eri_reference_add_loop_impulses(s, g);
    }
}

void eri_reference_store_loads(er_world *w)
{
    const eri_reference_solver *s = w->contacts->reference;
    for (int i = 0; has_loads(w) && i < s->row_count; ++i) {
        const eri_reference_row *a = &s->row[i];
        if (a->kind == ERI_REFERENCE_CONTACT) continue; // their points have these impulses
        double x = a->kind == ERI_REFERENCE_JOINT ? s->loop_impulse[a->at] : a->x;
        for (int e = 0; e < a->end_count; ++e) {
            int body = w->tree->link[a->limb[e]].body;
            er_wrench f = {er_v3_scale(x, get(a->J[e])), er_v3_scale(x, get(a->J[e] + 3))};
            if (a->kind != ERI_REFERENCE_JOINT) {
                eri_joint_loads_add(w, body, f);
                continue;
            }
            er_vec3 origin = eri_joint_ends_at(w->model, a->joint, w->pose, w->twist).Q.p;
            f.torque = er_v3_add(f.torque, er_v3_cross(er_v3_sub(com_of(w, body), origin), f.force));
            if (body != w->model->joint[a->joint].child)
                f = (er_wrench){er_v3_scale(-1.0, f.torque), er_v3_scale(-1.0, f.force)};
            eri_joint_loads_add_loop(w, a->joint, f);
            break;
        }
    }
}
