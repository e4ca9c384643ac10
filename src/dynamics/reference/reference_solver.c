/// @file
/// Rows of joints and contacts on the velocities of bodies, the impulses that suit them all, and where bodies go then.
#include "dynamics/reference/reference_solver.h"

#include <math.h>
#include <string.h>

#include "dynamics/free_rotation.h"
#include "dynamics/reference/reference_rows.h"

enum { MAX_DIRECT_ROWS = 600, MAX_POLISHED_ROWS = 240, MAX_CORRECTIONS = 20, FIRST_POLISH = 100 };

static const double together = 1e-13; // of the rig's size, or rad: joints are where they have to be
static const double rounding = 1e-13; // of the speeds that add up to that of a tie
static const double rigid = 1e12;     // of a row's own entry: a compliance with which a row does nothing

er_result eri_reference_create(er_world *w, eri_reference_solver **out)
{
    er_result r = ER_OK;
    eri_reference_solver *s;
    *out = NULL;
    if (eri_world_is_reduced(w)) return ER_OK;
    ERI_TRY_NEW(s, w->arena, eri_reference_solver, 1);
    s->limb_count = w->tree->link_count;
    s->joint_count = w->model->joint_count;
    double **of_limbs[] = {&s->V, &s->displacement, &s->before_joints, &s->shift, &s->impulse, &s->twist};
    for (size_t i = 0; i < ERI_COUNT(of_limbs); ++i)
        ERI_TRY_NEW(*of_limbs[i], w->arena, double, 6 * (size_t)s->limb_count);
    double **of_rows[] = {&s->compliance, &s->soft, &s->rate, &s->error, &s->loop_impulse, &s->loop_before};
    for (size_t i = 0; i < ERI_COUNT(of_rows); ++i)
        ERI_TRY_NEW(*of_rows[i], w->arena, double, 6 * (size_t)s->joint_count);
    ERI_TRY_NEW(s->q, w->arena, double, w->position_count);
    ERI_TRY_NEW(s->axes, w->arena, er_mat3, s->limb_count);
    ERI_TRY_NEW(s->inertia, w->arena, er_mat3, s->limb_count);
    ERI_TRY_NEW(s->softness, w->arena, eri_joint_softness, s->joint_count);
    ERI_TRY_NEW(s->response, w->arena, eri_joint_response, w->contacts->bodies.articulation_count);
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
    s->report = (er_reference_report){0};
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
        s->axes[i] = w->motion[b].axes;
        s->inertia[i] = rotated_inertia(s->axes[i], w->model->body[b].inertia);
        er_vec3 spin = get(u), own = er_v3_cross(er_m3_mul_v(s->inertia[i], spin), spin);
        er_vec3 rate = er_m3_mul_v(er_m3_inverse(s->inertia[i]), er_v3_sub(get(force), own));
        put(er_v3_madd(spin, h, rate), s->V + 6 * i);
        put(er_v3_madd(get(u + 3), h / w->model->body[b].mass, get(force + 3)), s->V + 6 * i + 3);
    }
}

// Moves bodies by V from state.q to q. Their rotations conserve angular momentum and energy.
// @param u  [6 limb_count], written: their velocities there; NULL where not wanted
static void move_bodies(er_world *w, double h, double *q, double *u)
{
    eri_reference_solver *s = w->contacts->reference;
    for (int i = 0; i < s->limb_count; ++i) {
        er_mat3 own = w->model->body[w->tree->link[i].body].inertia;
        const double *V = s->V + 6 * i, *shift = s->shift + 6 * i;
        er_vec3 momentum = er_m3_mul_v(s->inertia[i], get(V));
        er_vec3 turned = er_v3_sub(er_v3_scale(h, momentum), er_m3_mul_v(s->inertia[i], get(shift)));
        er_quat from = er_q_from_m3(s->axes[i]), at = eri_rotate_free(from, own, turned);
        er_mat3 there = er_m3_from_q(at);
        put(er_q_log(er_q_mul(at, er_q_conj(from))), s->displacement + 6 * i);
        put(er_v3_sub(er_v3_scale(h, get(V + 3)), get(shift + 3)), s->displacement + 6 * i + 3);
        if (u == NULL) continue;
        put(er_m3_mul_v(er_m3_inverse(rotated_inertia(there, own)), momentum), u + 6 * i);
        memcpy(u + 6 * i + 3, V + 3, 3 * sizeof *V);
    }
    memcpy(q, w->contacts->state.q, (size_t)w->position_count * sizeof *q);
    eri_maximal_move(w, s->displacement, q);
}

// ---- Rows

// Constrained directions: w = rate + erp error / h. A spring or damper, implicit: J (V - u) + compliance x.
static int add_joint(er_world *w, int joint, double h, eri_reference_row *out)
{
    eri_reference_solver *s = w->contacts->reference;
    eri_joint_row rows[6];
    int count = eri_maximal_rows(w, joint, rows);
    for (int r = 0; r < count; ++r) {
        eri_reference_row *a = &out[r];
        bool holds = rows[r].compliance == 0.0;
        *a = (eri_reference_row){.kind = ERI_REFERENCE_JOINT,
                                 .normal = ERI_ROW_FREE,
                                 .joint = joint,
                                 .at = 6 * joint + r,
                                 .compliance = rows[r].compliance};
        for (int e = 0; e < 2; ++e)
            eri_reference_add_part(a, rows[r].limb[e], get(rows[r].J[e]), get(rows[r].J[e] + 3));
        double initial = eri_reference_rate(a, w->contacts->state.u);
        a->given = rows[r].rate - initial;
        a->bias = holds ? a->given + s->softness[joint].erp * rows[r].error / h : -initial;
        double own = eri_reference_set_masses(w, a, s->softness[joint].cfm);
        s->compliance[6 * joint + r] = a->compliance;
        s->soft[6 * joint + r] = holds && a->compliance > 0.0 ? rigid * own : 0.0;
        s->error[6 * joint + r] = rows[r].error;
        w->gap = fmax(w->gap, fabs(rows[r].error) / (rows[r].turns ? 1.0 : w->model->size));
    }
    return count;
}

// ---- Joints

// Solves for the twists of articulations that make the rates wanted of joints, and adds them to V.
static void add_rates(er_world *w, double *V)
{
    eri_reference_solver *s = w->contacts->reference;
    memset(s->impulse, 0, 6 * (size_t)s->limb_count * sizeof *s->impulse);
    for (int i = 0; i < w->contacts->bodies.articulation_count; ++i) {
        const eri_joint_response *g = &s->response[i];
        eri_joint_response_solve(w, g, s->impulse, s->rate, s->twist);
        for (int c = 6 * g->first_limb; c < 6 * g->last_limb; ++c)
            V[c] += s->twist[c - 6 * g->first_limb];
        eri_reference_add_loop_impulses(s, g);
    }
}

static er_result add_joints(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    s->row_count = 0;
    memcpy(s->before_joints, s->V, 6 * (size_t)s->limb_count * sizeof *s->V);
    memset(s->loop_impulse, 0, 6 * (size_t)s->joint_count * sizeof *s->loop_impulse);
    for (int k = 0; k < s->joint_count; ++k) {
        int first = s->row_count;
        s->row_count += add_joint(w, k, h, s->row + first);
        for (int i = first; i < s->row_count; ++i)
            s->rate[6 * k + i - first] = -(eri_reference_rate(&s->row[i], s->V) + s->row[i].bias);
    }
    s->joint_row_count = s->row_count;
    if (s->joint_row_count == 0) return ER_OK;
    ERI_TRY(eri_joint_response_factor(w, contacts->narrow.now.arena, s->compliance, s->response));
    add_rates(w, s->V);
done:
    return r;
}

// The errors that the rows of joints have to get in the step: at first without those that come of bodies turning.
static void predict_errors(er_world *w, double h)
{
    eri_reference_solver *s = w->contacts->reference;
    const eri_reference_row *a = s->row;
    eri_joint_row rows[6];
    for (int k = 0; k < s->joint_count; ++k) {
        int count = eri_maximal_rows(w, k, rows);
        for (int r = 0; r < count; ++r, ++a)
            s->error[6 * k + r] += h * (eri_reference_rate(a, s->V) + a->given);
    }
}

// How far joints are from the errors predicted; the rates that correct this are wanted.
static double miss(er_world *w, double time, double h)
{
    eri_reference_solver *s = w->contacts->reference;
    double most = 0.0;
    eri_joint_row rows[6];
    eri_maximal_place(w, time + h, s->q, s->V);
    memset(s->rate, 0, 6 * (size_t)s->joint_count * sizeof *s->rate);
    for (int k = 0; k < s->joint_count; ++k) {
        int count = eri_maximal_rows(w, k, rows);
        for (int r = 0; r < count; ++r) {
            double off = rows[r].error - s->error[6 * k + r];
            s->rate[6 * k + r] = -off / h;
            most = fmax(most, fabs(off) / (rows[r].turns ? 1.0 : w->model->size));
        }
    }
    return most;
}

// Changes V along the rows at the step's begin so that joints stay together as bodies turn (SHAKE).
// @return whether they do; if not, V is as it was
static bool keep_joints(er_world *w, double time, double h)
{
    eri_reference_solver *s = w->contacts->reference;
    size_t size = 6 * (size_t)s->limb_count * sizeof *s->V, rows = 6 * (size_t)s->joint_count * sizeof *s->error;
    double last = HUGE_VAL;
    predict_errors(w, h);
    memcpy(s->before_joints, s->V, size);
    memcpy(s->loop_before, s->loop_impulse, rows);
    for (int n = 0; n < MAX_CORRECTIONS; ++n) {
        move_bodies(w, h, s->q, NULL);
        double off = miss(w, time, h);
        if (off <= together || (off > 0.5 * last && off <= 1e3 * together)) return true;
        if (!(off < last)) break;
        last = off;
        add_rates(w, s->V);
    }
    memcpy(s->V, s->before_joints, size);
    memcpy(s->loop_impulse, s->loop_before, rows);
    return false;
}

// Takes from velocities what joints do not allow where bodies are now.
static er_result project_velocities(er_world *w, double time)
{
    er_result r = ER_OK;
    eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    eri_joint_row rows[6];
    eri_maximal_place(w, time, contacts->state.q, contacts->state.u);
    for (int k = 0; k < s->joint_count; ++k) {
        int count = eri_maximal_rows(w, k, rows);
        for (int i = 0; i < count; ++i)
            s->rate[6 * k + i] = -rows[i].rate;
    }
    ERI_TRY(eri_joint_response_factor(w, contacts->narrow.now.arena, s->soft, s->response));
    add_rates(w, contacts->state.u);
done:
    return r;
}

// ---- Contacts

// A gap may close and no more; of an overlap erp is undone.
static double normal_bias(const er_world *w, const eri_contact_point *c, double h)
{
    return c->distance > 0.0 ? c->distance / h : fmax(w->def.reference.erp * c->distance / h, -w->def.contact.push_out);
}

// A contact that touches fast within the step parts at e times its speed at that time. Gravity acts all the time: the
// way is a parabola, and velocities are those half a step before.
static void rebound(const er_world *w, const eri_contact_point *c, double h, eri_reference_row *a)
{
    double restitution = eri_pair_restitution(w, c->shape[0], c->shape[1]), gap = fmax(c->distance, 0.0);
    if (!(restitution > 0.0)) return;
    double pull = (eri_reference_rate(a, w->contacts->reference->V) + a->given - a->initial_speed) / h;
    double begin = a->initial_speed + 0.5 * h * pull, square = begin * begin - 2.0 * pull * gap;
    if (!(square >= 0.0)) return;
    double t = gap > 0.0 ? 2.0 * gap / (sqrt(square) - begin) : 0.0, speed = begin + t * pull;
    if (!(t >= 0.0 && t <= h && speed < -w->contacts->state.impact_speed)) return;
    a->bias = fmin(a->bias, a->given + restitution * speed - (0.5 * h - t) * pull);
    a->impact_time = t;
}

// Fills the block of A of a contact.
static void fill_block(eri_reference_row *a)
{
    for (int d = 0; d < 3; ++d)
        for (int e = 0; e < 3; ++e)
            a[d].block[e] = d == e ? a[d].diagonal : eri_reference_response(&a[d], &a[e]);
    double mean = 0.5 * (a[1].block[1] + a[2].block[2]), half = 0.5 * (a[1].block[1] - a[2].block[2]);
    a->tangents = mean + hypot(half, a[1].block[2]);
}

// The arms of a contact from the centres of mass of its bodies, when they strike each other.
static void find_arms(const er_world *w, const eri_contact_point *c, er_vec3 arm[2])
{
    er_vec3 spin[2], velocity[2];
    bool is_free = true;
    for (int side = 0; side < 2; ++side) {
        int body = w->contacts->broad.shape[c->shape[side]].body;
        is_free = is_free && !eri_is_static(&w->contacts->bodies, body);
        if (body < 0) continue;
        arm[side] = er_v3_sub(c->point, w->motion[body].com);
        spin[side] = er_q_rotate(w->pose[body].q, w->twist[body].angular);
        velocity[side] = eri_shape_velocity_at(w, c->shape[side], w->motion[body].com);
    }
    const eri_solver_state *state = &w->contacts->state;
    if (is_free) eri_contact_strikes(c, state->impact_speed, state->step, spin, velocity, arm);
}

static er_result add_contact(er_world *w, int point, double h)
{
    er_result r = ER_OK;
    eri_contact_point *c = &w->contacts->narrow.now.point[point];
    int first = w->contacts->reference->row_count;
    eri_reference_row *out = w->contacts->reference->row + first;
    er_vec3 driven = eri_surface_mean_velocity(w, point, h);
    const eri_contacts *contacts = w->contacts;
    const eri_contact_frame directions = eri_contact_frame_of(c);
    const er_vec3 *axis = directions.axis;
    er_vec3 arm[2];
    find_arms(w, c, arm);
    for (int d = 0; d < 3; ++d) {
        eri_reference_row *a = &out[d];
        *a = (eri_reference_row){.kind = ERI_REFERENCE_CONTACT,
                                 .normal = d == 0 ? ERI_ROW_NORMAL : first,
                                 .friction = c->friction,
                                 .given = er_v3_dot(driven, axis[d]),
                                 .stored = &c->impulse[d]};
        for (int e = 0; e < 2; ++e) {
            double sign = e == 0 ? 1.0 : -1.0;
            int body = contacts->broad.shape[c->shape[1 - e]].body;
            if (body < 0) continue;
            er_vec3 along = er_v3_scale(sign, axis[d]);
            eri_reference_add_part(a, w->tree->link_of_body[body], er_v3_cross(arm[1 - e], along), along);
        }
        a->initial_speed = eri_reference_rate(a, contacts->state.u) + a->given;
        a->bias = a->given + (d == 0 ? normal_bias(w, c, h) : 0.0);
        if (d == 0) rebound(w, c, h, a);
        ERI_TRY(eri_reference_finish_row(w, a));
    }
    if (w->def.reference.cone && out[0].diagonal > 0.0) fill_block(out);
done:
    return r;
}

static er_result add_contacts(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    for (int i = 0; i < contacts->narrow.now.point_count; ++i, s->row_count += 3)
        ERI_TRY(add_contact(w, i, h));
done:
    return r;
}

// ---- Sweeps

// Changes an impulse to x; returns what that changes its own speed by.
static double change(eri_reference_row *a, double x, double *V)
{
    double by = x - a->x;
    a->x = x;
    eri_reference_apply(a, by, V);
    return fabs(by) * (a->diagonal - a->compliance);
}

// A contact's three impulses together, friction within the cone.
static double sweep_cone(eri_reference_row *a, double omega, double *V)
{
    double K[3][3], speed[3], x[3], moved = 0.0;
    for (int d = 0; d < 3; ++d) {
        speed[d] = eri_reference_speed(&a[d], V);
        x[d] = a[d].x;
        memcpy(K[d], a[d].block, sizeof K[d]);
    }
    eri_contact_constraint_solve(K, a->tangents, 0.0, a[1].friction, NULL, speed, x);
    for (int d = 0; d < 3; ++d)
        moved = fmax(moved, change(&a[d], a[d].x + omega * (x[d] - a[d].x), V));
    return moved;
}

// Both rows of rolling friction, within the disc.
static double sweep_disc(eri_reference_row *a, double most, double omega, double *V)
{
    double x[2], moved = 0.0;
    for (int d = 0; d < 2; ++d)
        x[d] = a[d].x - omega * eri_reference_speed(&a[d], V) / a->tangents;
    double size = hypot(x[0], x[1]), share = size > most ? most / size : 1.0;
    for (int d = 0; d < 2; ++d) {
        moved = fmax(moved, a->tangents * fabs(share * x[d] - a[d].x));
        change(&a[d], share * x[d], V);
    }
    return moved;
}

// Every impulse once; returns the residual, of omega 1.
static double sweep(const er_reference_def *def, eri_reference_solver *s)
{
    double worst = 0.0, omega = def->relaxation;
    for (int i = s->joint_row_count; i < s->row_count; ++i) {
        eri_reference_row *a = &s->row[i];
        double moved = 0.0, most = a->normal >= 0 ? a->friction * s->row[a->normal].x : HUGE_VAL;
        double least = a->normal == ERI_ROW_NORMAL ? 0.0 : -most;
        if (def->cone && a->kind == ERI_REFERENCE_CONTACT) {
            if (a->tangents > 0.0) moved = sweep_cone(a, omega, s->V);
            i += 2;
        } else if (def->cone && a->kind == ERI_REFERENCE_ROLL && a->tangents > 0.0) {
            moved = sweep_disc(a, most, omega, s->V);
            ++i;
        } else if (a->diagonal > 0.0) {
            double x = a->x - omega * eri_reference_speed(a, s->V) / a->diagonal;
            moved = change(a, fmin(fmax(x, least), most), s->V);
        }
        worst = fmax(worst, moved / omega);
    }
    return worst;
}

// The problem of all rows but those of joints, which hold, and the impulses now.
static er_result fill_problem(er_world *w, eri_complementarity *p, double **x)
{
    er_result r = ER_OK;
    const eri_reference_solver *s = w->contacts->reference;
    er_arena *arena = w->contacts->narrow.now.arena;
    const eri_reference_row *row = s->row + s->joint_row_count;
    int n = s->row_count - s->joint_row_count;
    double *A, *f, *friction;
    int *normal;
    ERI_TRY_NEW(A, arena, double, (size_t)n *(size_t)n);
    ERI_TRY_NEW(f, arena, double, n);
    ERI_TRY_NEW(*x, arena, double, n);
    ERI_TRY_NEW(friction, arena, double, n);
    ERI_TRY_NEW(normal, arena, int, n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n && row[i].diagonal > 0.0; ++j)
            if (row[j].diagonal > 0.0)
                A[i * n + j] = i == j ? row[i].diagonal : eri_reference_response(&row[i], &row[j]);
        f[i] = eri_reference_speed(&row[i], s->V);
        friction[i] = row[i].friction;
        normal[i] = row[i].normal >= 0 ? row[i].normal - s->joint_row_count : row[i].normal;
        (*x)[i] = row[i].x;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            f[i] -= A[i * n + j] * (*x)[j];
    *p = (eri_complementarity){n, A, f, normal, friction};
done:
    return r;
}

// Newton's method from the impulses that the sweeps have found.   @param done  written: whether it found a solution
static er_result polish(er_world *w, double tolerance, bool *done)
{
    er_result r = ER_OK;
    eri_reference_solver *s = w->contacts->reference;
    eri_complementarity problem;
    double *x, residual = HUGE_VAL;
    *done = false;
    if (s->row_count - s->joint_row_count > MAX_POLISHED_ROWS) return ER_OK;
    ERI_TRY(fill_problem(w, &problem, &x));
    ERI_TRY(eri_newton_solve(w->contacts->narrow.now.arena, &problem, w->def.reference.cone, tolerance, x, &residual));
    *done = residual <= tolerance;
    if (!*done) return ER_OK;
    s->report.residual = residual;
    for (int i = 0; i < problem.count; ++i)
        change(&s->row[s->joint_row_count + i], x[i], s->V);
done:
    return r;
}

// The residual at which sweeps end. Ties that need no impulse move only by rounding.
// @param fastest  written: the largest speed that rows have to change
static double find_tolerance(const er_world *w, double *fastest)
{
    const eri_reference_solver *s = w->contacts->reference;
    double carried = 0.0;
    *fastest = 0.0;
    for (int i = s->joint_row_count; i < s->row_count; ++i) {
        const eri_reference_row *a = &s->row[i];
        double speed = eri_reference_rate(a, s->V) + a->bias;
        if (!(a->diagonal > 0.0)) continue;
        bool may_be_slack = a->kind == ERI_REFERENCE_TIE && a->normal == ERI_ROW_NORMAL;
        speed *= 1.0 - a->compliance / a->diagonal;
        *fastest = fmax(*fastest, may_be_slack ? -speed : fabs(speed));
        if (a->kind == ERI_REFERENCE_TIE) carried = fmax(carried, eri_reference_speed_bound(a, s->V));
    }
    return w->def.reference.accuracy * *fastest + rounding * carried;
}

static er_result solve_projected(er_world *w, double time)
{
    er_result r = ER_OK;
    eri_reference_solver *s = w->contacts->reference;
    const er_reference_def *def = &w->def.reference;
    double fastest, tolerance = find_tolerance(w, &fastest);
    for (int i = s->joint_row_count; i < s->row_count; ++i)
        eri_reference_apply(&s->row[i], s->row[i].x, s->V);
    int next = FIRST_POLISH;
    for (int k = 1; k <= def->iterations; ++k) {
        bool done = false;
        s->report.residual = sweep(def, s);
        if (k == 1) s->report.first = s->report.residual;
        ++s->report.iterations;
        if (s->report.residual <= tolerance) return ER_OK;
        if (def->accuracy == 0.0 || k != next) continue;
        ERI_TRY(polish(w, tolerance, &done));
        if (done) return ER_OK;
        next *= 2;
    }
    if (def->accuracy == 0.0) return ER_OK;
    r = er_fail(
        w->context, ER_ERROR_NO_CONVERGENCE,
        "at t = %.9g s contacts and ties are solved to %.3g of their speeds after %d sweeps: reference.accuracy is %g; "
        "allow more reference.iterations, or a larger reference.accuracy",
        time, s->report.residual / fmax(fastest, rounding), def->iterations, def->accuracy);
done:
    return r;
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
                       "at t = %.9g s joints, contacts and ties have %d rows: at most %d can be solved directly", time,
                       s->row_count, MAX_DIRECT_ROWS);
    memcpy(s->V, s->before_joints, 6 * (size_t)s->limb_count * sizeof *s->V);
    ERI_TRY_NEW(A, arena, double, n *n);
    ERI_TRY_NEW(f, arena, double, n);
    ERI_TRY_NEW(x, arena, double, n);
    ERI_TRY_NEW(friction, arena, double, n);
    ERI_TRY_NEW(normal, arena, int, n);
    for (size_t i = 0; i < n; ++i) {
        const eri_reference_row *a = &s->row[i];
        for (size_t j = 0; j < n; ++j)
            A[i * n + j] = eri_reference_coupling(a, &s->row[j]) + (i == j ? a->compliance : 0.0);
        f[i] = eri_reference_rate(a, s->V) + a->bias;
        friction[i] = a->friction;
        normal[i] = a->normal;
    }
    eri_complementarity problem = {s->row_count, A, f, normal, friction};
    r = eri_direct_solve(arena, &problem, x, &s->report.iterations);
    if (r == ER_ERROR_NO_CONVERGENCE)
        return er_fail(
            w->context, r,
            "at t = %.9g s no impulses were found that suit all joints, contacts and ties: a reference.cfm above 0 "
            "lets them give way",
            time);
    ERI_TRY(r);
    for (size_t i = 0; i < n; ++i) {
        s->row[i].x = x[i];
        eri_reference_apply_alone(&s->row[i], x[i], s->V);
    }
    s->report.first = s->report.residual = eri_complementarity_residual(&problem, x);
done:
    return r;
}

// ---- Steps

// Impulses for the next step and for who asks, what contacts turned into heat, and the work of the ground on them.
// Bodies go as they went until an impact within the step.
static double store_impulses(er_world *w, double h, eri_account *account)
{
    eri_reference_solver *s = w->contacts->reference;
    eri_manifolds *now = &w->contacts->narrow.now;
    double heat = 0.0;
    memset(s->shift, 0, 6 * (size_t)s->limb_count * sizeof *s->shift);
    for (int i = s->joint_row_count; i < s->row_count; ++i) {
        const eri_reference_row *a = &s->row[i];
        if (a->stored != NULL) *a->stored = a->x;
        if (a->kind == ERI_REFERENCE_TIE) heat -= eri_reference_tie_energy(w, a, h);
        heat -= 0.5 * a->x * (a->initial_speed + eri_reference_rate(a, s->V) + a->given);
        account->work -= a->x * a->given / h;
        double t = s->row[a->normal >= 0 ? a->normal : i].impact_time;
        if (t > 0.0) eri_reference_apply(a, t * a->x, s->shift);
    }
    for (int i = 0; i < now->point_count; ++i)
        memcpy(now->point[i].total, now->point[i].impulse, sizeof now->point[i].total);
    return heat;
}

er_result eri_reference_step(er_world *w, double time, double h, bool is_last, eri_account *account, double *heat,
                             bool *holds)
{
    er_result r = ER_OK;
    eri_contacts *contacts = w->contacts;
    eri_reference_solver *s = contacts->reference;
    apply_forces(w, eri_maximal_impel(w, time, contacts->state.q, contacts->state.u, h, account), h);
    eri_reference_begin_loads(w, h);
    ERI_TRY_NEW(s->row, contacts->narrow.now.arena, eri_reference_row,
                6 * (size_t)s->joint_count + 3 * (size_t)contacts->narrow.now.point_count + eri_reference_most_ties(w));
    ERI_TRY(add_joints(w, h));
    ERI_TRY(eri_reference_add_ties(w, h));
    int first = s->row_count;
    ERI_TRY(eri_surface_motion_find(w, time, h));
    ERI_TRY(add_contacts(w, h));
    ERI_TRY(eri_reference_add_rolling(w, first));
    s->report = (er_reference_report){.rows = s->row_count};
    ERI_TRY(w->def.reference.solver == ER_REFERENCE_DIRECT ? solve_direct(w, time) : solve_projected(w, time));
    eri_reference_respond_loops(w);
    *heat = store_impulses(w, h, account);
    for (int i = 0; i < 6 * s->limb_count; ++i)
        if (!isfinite(s->V[i])) return eri_world_not_finite(w, time);
    *holds = s->joint_row_count == 0 || keep_joints(w, time, h);
    if (!*holds && !is_last) return ER_OK;
    move_bodies(w, h, s->q, contacts->state.u);
    memcpy(contacts->state.q, s->q, (size_t)w->position_count * sizeof *s->q);
    if (s->joint_row_count > 0) ERI_TRY(project_velocities(w, time + h));
    eri_reference_store_ties(w, h);
    eri_reference_store_loads(w);
done:
    return r;
}
