/// @file
/// Rows of joints and contacts on the velocities of bodies, the impulses that suit them all, and where bodies go then.
#include "dynamics/reference/reference_solver.h"

#include <math.h>
#include <string.h>

#include "dynamics/free_rotation.h"
#include "dynamics/reference/complementarity.h"
#include "dynamics/ties.h"

enum { MAX_DIRECT_ROWS = 600 };

// A row: at the impulse x its speed is w = J V + bias + give x.
typedef struct constraint_row {
    int limb[2];                    // -1: the ground
    double J[2][6], Y[2][6];        // Y = M^-1 J'
    double given, bias, compliance; // given: of J V's speed, what the ground makes
    double diagonal;                // of A, give added
    double initial_speed;           // its speed at the step's begin
    int normal;                     // as of eri_complementarity
    double friction;
    bool is_roll, is_spin; // rolling friction, or spinning friction too; the latter alone
    int joint, tie;        // -1: none
    double stretch;        // m, of a tie that is a spring
    double x;
    double *stored; // where x is for the next step
} constraint_row;

// How a joint is drawn together, and gives way.
typedef struct joint_softness {
    double erp, cfm;
} joint_softness;

struct eri_reference_solver {
    int limb_count, joint_count, row_count;
    double *V, *displacement;       // [6 limb_count]
    er_mat3 *inertia;               // [limb_count], world axes
    joint_softness *softness;       // [joint_count]
    double *stored;                 // [6 joint_count]
    constraint_row *constraint_row; // [row_count], of the step
    er_reference_report report;
};

er_result eri_reference_create(er_world *w, eri_reference_solver **out)
{
    er_result r = ER_OK;
    eri_reference_solver *s;
    *out = NULL;
    if (eri_world_is_reduced(w)) return ER_OK;
    ERI_TRY_NEW(s, w->arena, eri_reference_solver, 1);
    s->limb_count = w->tree->link_count;
    s->joint_count = w->model->joint_count;
    ERI_TRY_NEW(s->V, w->arena, double, 6 * (size_t)s->limb_count);
    ERI_TRY_NEW(s->displacement, w->arena, double, 6 * (size_t)s->limb_count);
    ERI_TRY_NEW(s->inertia, w->arena, er_mat3, s->limb_count);
    ERI_TRY_NEW(s->stored, w->arena, double, 6 * (size_t)s->joint_count);
    ERI_TRY_NEW(s->softness, w->arena, joint_softness, s->joint_count);
    const er_reference_def *def = &w->def.reference;
    for (int j = 0; j < s->joint_count; ++j) {
        s->softness[j].erp = def->joint_erp != NULL ? def->joint_erp[j] : def->erp;
        s->softness[j].cfm = def->joint_cfm != NULL ? def->joint_cfm[j] : def->cfm;
    }
    *out = s;
done:
    return r;
}

void eri_reference_clear(eri_reference_solver *s)
{
    memset(s->stored, 0, 6 * (size_t)s->joint_count * sizeof *s->stored);
    s->report = (er_reference_report){0};
}

double *eri_reference_impulses(eri_reference_solver *s)
{
    return s->stored;
}

er_reference_report eri_reference_report(const eri_reference_solver *s)
{
    return s->report;
}

// ---- Bodies

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static er_mat3 rotated_inertia(er_mat3 axes, er_mat3 inertia)
{
    return er_m3_mul(er_m3_mul(axes, inertia), er_m3_transpose(axes));
}

// V = u + h M^-1 f. f has no gyroscopic torques: bodies keep their angular momenta.
static void apply_forces(er_world *w, const double *force, double h)
{
    eri_reference_solver *s = w->contacts->reference;
    const double *u = w->contacts->state.u;
    for (int i = 0; i < s->limb_count; ++i, u += 6, force += 6) {
        int b = w->tree->link[i].body;
        s->inertia[i] = rotated_inertia(w->motion[b].axes, w->model->body[b].inertia);
        er_vec3 spin = get(u), own = er_v3_cross(er_m3_mul_v(s->inertia[i], spin), spin);
        er_vec3 rate = er_m3_mul_v(er_m3_inverse(s->inertia[i]), er_v3_sub(get(force), own));
        put(er_v3_madd(spin, h, rate), s->V + 6 * i);
        put(er_v3_madd(get(u + 3), h / w->model->body[b].mass, get(force + 3)), s->V + 6 * i + 3);
    }
}

// Bodies go by V. Their rotations conserve angular momentum and energy.
static void move_bodies(er_world *w, double h)
{
    eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    for (int i = 0; i < s->limb_count; ++i) {
        int b = w->tree->link[i].body;
        er_mat3 axes = w->motion[b].axes, own = w->model->body[b].inertia;
        er_vec3 spin = get(s->V + 6 * i), momentum = er_m3_mul_v(s->inertia[i], spin);
        er_quat from = er_q_from_m3(axes), at = eri_rotate_free(from, own, er_v3_scale(h, momentum));
        er_vec3 turn = er_q_log(er_q_mul(at, er_q_conj(from)));
        er_mat3 there = er_m3_from_q(at);
        put(turn, s->displacement + 6 * i);
        put(er_v3_scale(h, get(s->V + 6 * i + 3)), s->displacement + 6 * i + 3);
        put(er_m3_mul_v(er_m3_inverse(rotated_inertia(there, own)), momentum), contacts->state.u + 6 * i);
        memcpy(contacts->state.u + 6 * i + 3, s->V + 6 * i + 3, 3 * sizeof *s->V);
    }
    eri_maximal_move(w, s->displacement, contacts->state.q);
}

// ---- Rows

static double inner(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// J V.
static double rate_of(const constraint_row *a, const double *V)
{
    double rate = 0.0;
    for (int e = 0; e < 2; ++e)
        if (a->limb[e] >= 0) rate += inner(a->J[e], V + 6 * a->limb[e]);
    return rate;
}

static double speed_of(const constraint_row *a, const double *V)
{
    return rate_of(a, V) + a->bias + a->compliance * a->x;
}

static void apply_impulse(const constraint_row *a, double impulse, double *V)
{
    for (int e = 0; e < 2; ++e)
        for (int c = 0; c < 6 && a->limb[e] >= 0; ++c)
            V[6 * a->limb[e] + c] += impulse * a->Y[e][c];
}

// Entry of A: what a unit impulse along b makes of a's speed.
static double coupling(const constraint_row *a, const constraint_row *b)
{
    double sum = 0.0;
    for (int e = 0; e < 4; ++e)
        if (a->limb[e & 1] >= 0 && a->limb[e & 1] == b->limb[e >> 1]) sum += inner(a->J[e & 1], b->Y[e >> 1]);
    return sum;
}

// Y and the diagonal of a row whose J and give are known.
static void finish_row(er_world *w, constraint_row *a, double cfm)
{
    const eri_reference_solver *s = w->contacts->reference;
    for (int e = 0; e < 2; ++e) {
        if (a->limb[e] < 0) continue;
        double mass = w->model->body[w->tree->link[a->limb[e]].body].mass;
        put(er_m3_mul_v(er_m3_inverse(s->inertia[a->limb[e]]), get(a->J[e])), a->Y[e]);
        put(er_v3_scale(1.0 / mass, get(a->J[e] + 3)), a->Y[e] + 3);
    }
    double own = coupling(a, a);
    a->compliance += cfm * own;
    a->diagonal = own + a->compliance;
    a->x = *a->stored;
}

// Constrained directions: w = rate + erp error / h. A spring or damper, implicit: J (V - u) + compliance x.
static int add_joint(er_world *w, int joint, double h, constraint_row *out)
{
    eri_reference_solver *s = w->contacts->reference;
    eri_joint_row rows[6];
    int count = eri_maximal_rows(w, joint, rows);
    for (int r = 0; r < count; ++r) {
        constraint_row *a = &out[r];
        *a = (constraint_row){.normal = ERI_ROW_FREE,
                              .joint = joint,
                              .tie = -1,
                              .compliance = rows[r].compliance,
                              .stored = &s->stored[6 * joint + r]};
        memcpy(a->limb, rows[r].limb, sizeof a->limb);
        memcpy(a->J, rows[r].J, sizeof a->J);
        double own = rate_of(a, w->contacts->state.u);
        a->initial_speed = rows[r].rate;
        a->given = rows[r].rate - own;
        a->bias = a->compliance > 0.0 ? -own : a->given + s->softness[joint].erp * rows[r].error / h;
        finish_row(w, a, s->softness[joint].cfm);
        w->gap = fmax(w->gap, fabs(rows[r].error) / (rows[r].turns ? 1.0 : w->model->size));
    }
    return count;
}

static int limb_of(const er_world *w, int shape)
{
    int body = w->contacts->broad.shape[shape].body;
    return body < 0 ? -1 : w->tree->link_of_body[body];
}

// The speed along a direction at a point of what the ground carries.
static double ground_speed(const er_world *w, int body, er_vec3 point, er_vec3 along)
{
    eri_motion_at m = eri_ground_motion(w, body);
    return er_v3_dot(along, er_v3_add(m.linear, er_v3_cross(m.angular, er_v3_sub(point, m.point))));
}

// A gap may close and no more; of an overlap erp is undone; what came fast parts at e times its speed.
static double normal_bias(const er_world *w, const eri_contact_point *c, double approach, double h)
{
    const er_reference_def *def = &w->def.reference;
    double restitution = eri_pair_restitution(w, c->shape[0], c->shape[1]);
    double slow = 2.0 * er_v3_norm(w->def.gravity) * h;
    double bias = c->distance > 0.0 ? c->distance / h : fmax(def->erp * c->distance / h, -w->def.contact.push_out);
    bool rebounds = restitution > 0.0 && approach < -slow && c->distance + h * approach <= 0.0;
    return rebounds ? fmin(bias, restitution * approach) : bias;
}

static void add_contact(er_world *w, eri_contact_point *c, double h, int first, constraint_row *out)
{
    const eri_contacts *contacts = w->contacts;
    const eri_contact_frame directions = eri_contact_frame_of(c);
    const er_vec3 *axis = directions.axis;
    for (int d = 0; d < 3; ++d) {
        constraint_row *a = &out[d];
        *a = (constraint_row){.normal = d == 0 ? ERI_ROW_NORMAL : first,
                              .joint = -1,
                              .tie = -1,
                              .friction = c->friction,
                              .stored = &c->impulse[d]};
        for (int e = 0; e < 2; ++e) {
            double sign = e == 0 ? 1.0 : -1.0;
            int shape = c->shape[1 - e], body = contacts->broad.shape[shape].body;
            a->limb[e] = limb_of(w, shape);
            if (a->limb[e] < 0) {
                a->given += sign * ground_speed(w, body, c->point, axis[d]);
                continue;
            }
            er_vec3 arm = er_v3_sub(c->point, w->motion[body].com);
            put(er_v3_scale(sign, er_v3_cross(arm, axis[d])), a->J[e]);
            put(er_v3_scale(sign, axis[d]), a->J[e] + 3);
        }
        a->initial_speed = rate_of(a, contacts->state.u) + a->given;
        a->bias = a->given + (d == 0 ? normal_bias(w, c, a->initial_speed, h) : 0.0);
        finish_row(w, a, w->def.reference.cfm);
    }
    // one number for both tangents within the cone: what makes friction be against the slip
    double across = fabs(coupling(&out[1], &out[2]));
    if (w->def.reference.cone) out[1].diagonal = out[2].diagonal = fmax(out[1].diagonal, out[2].diagonal) + across;
}

// Rolling and spinning friction of a contact point.   @param stored  [3]: the rows do not start warm
static int add_rolling(er_world *w, const eri_contact_point *c, int normal, double *stored, constraint_row *out)
{
    const er_world_shape *shape[2] = {&w->contacts->broad.shape[c->shape[0]], &w->contacts->broad.shape[c->shape[1]]};
    const eri_contact_frame frame = eri_contact_frame_of(c);
    double roll = fmax(shape[0]->rolling, shape[1]->rolling), spin = fmax(shape[0]->spinning, shape[1]->spinning);
    int count = 0;
    for (int d = 1; d <= 3; ++d) {
        double bound = d < 3 ? roll : spin;
        if (!(bound > 0.0)) continue;
        constraint_row *a = &out[count];
        *a = (constraint_row){.normal = normal,
                              .joint = -1,
                              .tie = -1,
                              .friction = bound,
                              .is_roll = true,
                              .is_spin = d == 3,
                              .stored = &stored[count++]};
        for (int e = 0; e < 2; ++e) {
            double sign = e == 0 ? 1.0 : -1.0;
            int body = shape[1 - e]->body;
            a->limb[e] = limb_of(w, c->shape[1 - e]);
            if (a->limb[e] >= 0)
                put(er_v3_scale(sign, frame.axis[d % 3]), a->J[e]);
            else
                a->given += sign * er_v3_dot(frame.axis[d % 3], eri_ground_motion(w, body).angular);
        }
        a->bias = a->given;
        a->initial_speed = rate_of(a, w->contacts->state.u) + a->given;
        finish_row(w, a, w->def.reference.cfm);
    }
    if (w->def.reference.cone && roll > 0.0)
        out[0].diagonal = out[1].diagonal = fmax(out[0].diagonal, out[1].diagonal) + fabs(coupling(&out[0], &out[1]));
    return count;
}

// Adds a body's part of a tie's row: a wrench about its centre of mass. At most two bodies move.
static void add_part(const er_world *w, constraint_row *a, int body, er_vec3 torque, er_vec3 force)
{
    int limb = body >= 0 ? w->tree->link_of_body[body] : -1, e = 0;
    if (limb < 0) return;
    while (e < 1 && a->limb[e] >= 0 && a->limb[e] != limb)
        ++e;
    a->limb[e] = limb;
    put(er_v3_add(get(a->J[e]), torque), a->J[e]);
    put(er_v3_add(get(a->J[e] + 3), force), a->J[e] + 3);
}

static er_vec3 com_of(const er_world *w, int body)
{
    return er_pose_point(w->pose[body], w->model->body[body].com);
}

// The rate of the length of a rope or rod, times a sign.
static double add_points(const er_world *w, const er_tie *t, double sign, constraint_row *a)
{
    const er_vec3 point[2] = {eri_tie_point(w, t, 0), eri_tie_point(w, t, 1)};
    er_vec3 pull[2];
    double rate = 0.0;
    eri_tie_length(t, point, pull);
    for (int k = 0; k < 2; ++k) {
        int b = t->body[k];
        if (b < 0) continue;
        er_vec3 force = er_v3_scale(sign, pull[k]);
        add_part(w, a, b, er_v3_cross(er_v3_sub(point[k], com_of(w, b)), force), force);
        er_vec3 v = er_v3_add(w->twist[b].linear, er_v3_cross(w->twist[b].angular, t->point[k]));
        rate += er_v3_dot(force, er_q_rotate(w->pose[b].q, v));
    }
    return rate;
}

// The rate of q0 - ratio q1.
static double add_gear(const er_world *w, const er_tie *t, constraint_row *a)
{
    double rate = 0.0;
    for (int k = 0; k < 2; ++k) {
        double share = k == 0 ? 1.0 : -t->ratio, all[6];
        int axis, joint = eri_tie_joint(w->model, t->coordinate[k], &axis);
        const er_joint *j = &w->model->joint[joint];
        eri_joint_ends ends = eri_world_joint_ends(w, joint, w->pose, w->twist);
        eri_rows rows = eri_rows_at(j->type, j->pitch, ends.P, ends.Q);
        eri_rows_rates(&rows, &ends.parent, &ends.child, all);
        rate += share * all[axis];
        for (int e = 0; e < 2; ++e) {
            int body = e == 0 ? j->child : j->parent;
            er_vec3 along = er_v3_scale(e == 0 ? share : -share, rows.axis[axis]), none = {0, 0, 0};
            if (axis < 3)
                add_part(w, a, body, along, none);
            else if (body >= 0)
                add_part(w, a, body, er_v3_cross(er_v3_sub(rows.origin, com_of(w, body)), along), along);
        }
    }
    return rate;
}

// A row of a tie: its impulse pulls, pushes if `pushes`, or both.
static void add_tie_row(er_world *w, int tie, bool pushes, double h, constraint_row *a)
{
    const er_tie *t = &w->ties->tie[tie];
    bool is_gear = t->kind == ER_TIE_GEAR, is_exact = is_gear || (t->kind == ER_TIE_DISTANCE && t->least == t->most);
    double length = er_world_tie(w, tie).length, erp = w->def.reference.erp;
    *a = (constraint_row){.normal = is_exact ? ERI_ROW_FREE : ERI_ROW_NORMAL,
                          .limb = {-1, -1},
                          .joint = -1,
                          .tie = tie,
                          .stored = &w->ties->record[tie].impulse[pushes]};
    a->initial_speed = is_gear ? add_gear(w, t, a) : add_points(w, t, pushes ? 1.0 : -1.0, a);
    a->given = a->initial_speed - rate_of(a, w->contacts->state.u);
    double gap = is_gear ? length - w->ties->record[tie].offset : pushes ? length - t->least : t->most - length;
    a->bias = a->given + (gap > 0.0 && !is_exact ? gap : erp * gap) / h;
    if (t->stiffness > 0.0 && !pushes) {
        double firm = h * t->stiffness + t->damping; // f = k (x + h x') + c x'
        a->stretch = -gap;
        a->bias = a->given + t->stiffness * gap / firm;
        a->compliance = 1.0 / (h * firm);
    }
    finish_row(w, a, w->def.reference.cfm);
}

static int add_ties(er_world *w, double h, constraint_row *out)
{
    int count = 0;
    for (int i = 0; w->ties != NULL && i < w->ties->count; ++i) {
        const er_tie *t = &w->ties->tie[i];
        if (w->ties->record[i].is_broken != 0.0) continue;
        w->ties->record[i].force = 0.0;
        if (t->kind == ER_TIE_GEAR || t->most < HUGE_VAL) add_tie_row(w, i, false, h, &out[count++]);
        if (t->kind == ER_TIE_DISTANCE && t->least > 0.0 && t->least < t->most)
            add_tie_row(w, i, true, h, &out[count++]);
    }
    return count;
}

static er_result add_rows(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    double *stored;
    int ties = w->ties != NULL ? w->ties->count : 0;
    ERI_TRY_NEW(s->constraint_row, contacts->narrow.now.arena, constraint_row,
                6 * (size_t)s->joint_count + 6 * (size_t)contacts->narrow.now.point_count + 2 * (size_t)ties);
    ERI_TRY_NEW(stored, contacts->narrow.now.arena, double, 3 * (size_t)contacts->narrow.now.point_count);
    s->row_count = 0;
    for (int k = 0; k < s->joint_count; ++k)
        s->row_count += add_joint(w, k, h, s->constraint_row + s->row_count);
    s->row_count += add_ties(w, h, s->constraint_row + s->row_count);
    for (int i = 0; i < contacts->narrow.now.point_count; ++i, s->row_count += 3)
        add_contact(w, &contacts->narrow.now.point[i], h, s->row_count, s->constraint_row + s->row_count);
    int first = s->row_count - 3 * contacts->narrow.now.point_count;
    for (int i = 0; i < contacts->narrow.now.point_count; ++i)
        s->row_count += add_rolling(w, &contacts->narrow.now.point[i], first + 3 * i, stored + 3 * (size_t)i,
                                    s->constraint_row + s->row_count);
done:
    return r;
}

// ---- Sweeps

// Changes an impulse to x; returns what that changes its own speed by.
static double change(constraint_row *a, double x, double *V)
{
    double by = x - a->x;
    a->x = x;
    apply_impulse(a, by, V);
    return fabs(by) * a->diagonal;
}

static double relaxed(const constraint_row *a, double omega, const double *V)
{
    return a->x - omega * speed_of(a, V) / a->diagonal;
}

// Both tangents of a contact, scaled to the disc.
static double sweep_disc(constraint_row *a, double most, double omega, double *V)
{
    double x = relaxed(&a[0], omega, V), y = relaxed(&a[1], omega, V), size = hypot(x, y);
    double share = size > most ? most / size : 1.0;
    double moved = change(&a[0], share * x, V);
    return fmax(moved, change(&a[1], share * y, V));
}

// Every impulse once; returns the residual, of omega 1.
static double sweep(const er_reference_def *def, eri_reference_solver *s)
{
    double worst = 0.0, omega = def->relaxation;
    for (int i = 0; i < s->row_count; ++i) {
        constraint_row *a = &s->constraint_row[i];
        if (!(a->diagonal > 0.0)) continue;
        double moved, most = a->normal >= 0 ? a->friction * s->constraint_row[a->normal].x : HUGE_VAL;
        if (a->normal >= 0 && def->cone && !a->is_spin) {
            moved = sweep_disc(a, most, omega, s->V);
            ++i;
        } else {
            double least = a->normal == ERI_ROW_NORMAL ? 0.0 : -most;
            moved = change(a, fmin(fmax(relaxed(a, omega, s->V), least), most), s->V);
        }
        worst = fmax(worst, moved / omega);
    }
    return worst;
}

static void solve_projected(er_world *w)
{
    eri_reference_solver *s = w->contacts->reference;
    const er_reference_def *def = &w->def.reference;
    for (int i = 0; i < s->row_count; ++i)
        apply_impulse(&s->constraint_row[i], s->constraint_row[i].x, s->V);
    for (int k = 0; k < def->iterations; ++k) {
        s->report.residual = sweep(def, s);
        if (k == 0) s->report.first = s->report.residual;
        ++s->report.iterations;
        if (s->report.residual <= def->accuracy) break;
    }
}

// ---- Pivoting

static er_result solve_direct(er_world *w, double time)
{
    er_result r = ER_OK;
    eri_reference_solver *s = w->contacts->reference;
    er_arena *arena = w->contacts->narrow.now.arena;
    size_t n = (size_t)s->row_count;
    double *A, *f, *x, *friction;
    int *normal;
    if (s->row_count > MAX_DIRECT_ROWS)
        return er_fail(w->context, ER_ERROR_NO_CONVERGENCE,
                       "at t = %.9g s joints and contacts have %d rows: at most %d can be solved directly", time,
                       s->row_count, MAX_DIRECT_ROWS);
    ERI_TRY_NEW(A, arena, double, n *n);
    ERI_TRY_NEW(f, arena, double, n);
    ERI_TRY_NEW(x, arena, double, n);
    ERI_TRY_NEW(friction, arena, double, n);
    ERI_TRY_NEW(normal, arena, int, n);
    for (size_t i = 0; i < n; ++i) {
        const constraint_row *a = &s->constraint_row[i];
        for (size_t j = 0; j < n; ++j)
            A[i * n + j] = coupling(a, &s->constraint_row[j]) + (i == j ? a->compliance : 0.0);
        f[i] = rate_of(a, s->V) + a->bias;
        friction[i] = a->friction;
        normal[i] = a->normal;
    }
    eri_complementarity problem = {s->row_count, A, f, normal, friction};
    r = eri_direct_solve(arena, &problem, x, &s->report.iterations);
    if (r == ER_ERROR_NO_CONVERGENCE)
        return er_fail(
            w->context, r,
            "at t = %.9g s no impulses were found that suit all joints and contacts: a reference.cfm above 0 "
            "lets them give way",
            time);
    ERI_TRY(r);
    for (size_t i = 0; i < n; ++i) {
        s->constraint_row[i].x = x[i];
        apply_impulse(&s->constraint_row[i], x[i], s->V);
    }
    s->report.first = s->report.residual = eri_complementarity_residual(&problem, x);
done:
    return r;
}

// ---- Steps

// The impulses of a row on its bodies, for the loads of joints.
static void add_loads(er_world *w, const constraint_row *a)
{
    bool is_contact = a->normal != ERI_ROW_FREE && a->tie < 0 && !a->is_roll;
    for (int e = 0; e < 2; ++e) {
        if (a->limb[e] < 0) continue;
        int body = w->tree->link[a->limb[e]].body;
        er_wrench f = {er_v3_scale(a->x, get(a->J[e])), er_v3_scale(a->x, get(a->J[e] + 3))};
        if (a->joint < 0) {
            if (!is_contact) eri_joint_loads_add(w, body, f);
            continue;
        }
        er_vec3 origin = eri_world_joint_ends(w, a->joint, w->pose, w->twist).Q.p;
        f.torque = er_v3_add(f.torque, er_v3_cross(er_v3_sub(com_of(w, body), origin), f.force));
        if (e == 1) f = (er_wrench){er_v3_scale(-1.0, f.torque), er_v3_scale(-1.0, f.force)};
        eri_joint_loads_add_loop(w, a->joint, f);
        break;
    }
}

// Tells a tie and joints what a row gave. Returns the energy that the row keeps: what a spring gains.
static double store_load(er_world *w, const constraint_row *a, double h)
{
    add_loads(w, a);
    if (a->tie < 0) return 0.0;
    const er_tie *t = &w->ties->tie[a->tie];
    bool pushes = a->stored == &w->ties->record[a->tie].impulse[1];
    eri_ties_set_force(w->ties, a->tie, w->ties->record[a->tie].force + (pushes ? -1.0 : 1.0) * a->x / h);
    if (!(t->stiffness > 0.0) || pushes) return 0.0;
    double end = a->stretch - h * (rate_of(a, w->contacts->reference->V) + a->given);
    bool is_broken = w->ties->record[a->tie].is_broken != 0.0;
    return eri_tie_energy(t, t->most + a->stretch) - (is_broken ? 0.0 : eri_tie_energy(t, t->most + end));
}

// Impulses for the next step and for who asks, and what contacts turned into heat.
static double store_impulses(er_world *w, double h)
{
    eri_reference_solver *s = w->contacts->reference;
    eri_manifolds *now = &w->contacts->narrow.now;
    double heat = 0.0;
    for (int i = 0; i < s->row_count; ++i) {
        const constraint_row *a = &s->constraint_row[i];
        *a->stored = a->x;
        if (w->ties != NULL) heat += store_load(w, a, h);
        if (a->normal != ERI_ROW_FREE) heat -= 0.5 * a->x * (a->initial_speed + rate_of(a, s->V) + a->given);
    }
    for (int i = 0; i < now->point_count; ++i)
        memcpy(now->point[i].total, now->point[i].impulse, sizeof now->point[i].total);
    return heat;
}

er_result eri_reference_step(er_world *w, double time, double h, eri_account *account, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    apply_forces(w, eri_maximal_impel(w, time, contacts->state.q, contacts->state.u, h, account), h);
    ERI_TRY(add_rows(w, h));
    s->report = (er_reference_report){.rows = s->row_count};
    if (w->def.reference.solver == ER_REFERENCE_DIRECT)
        ERI_TRY(solve_direct(w, time));
    else
        solve_projected(w);
    *heat = store_impulses(w, h);
    for (int i = 0; i < 6 * s->limb_count; ++i)
        if (!isfinite(s->V[i])) return eri_world_not_finite(w, time);
    move_bodies(w, h);
done:
    return r;
}
