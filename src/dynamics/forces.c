/// @file
/// Forces on joint coordinates and on bodies, what they store, do and lose.
#include "dynamics/forces.h"

#include <string.h>

#include "dynamics/multibody.h"

// A limit's spring swings what hangs on it at 10 Hz, and its damper takes from that half of what would be critical, at
// a depth of 0.05 rad or of the rig's size.
static const double limit_omega = 2.0 * ER_PI * 10.0, limit_ratio = 0.5, limit_depth = 0.05;

static const double least_upright = 0.02; // of 1 + cosine of a swing: near half a turn the twist has no rate

static void set_limit(eri_law *law, const er_world_def *def, const double limit[2], bool is_turn, double inertia)
{
    double depth = is_turn ? limit_depth : limit_depth * def->model->size;
    law->limited = def->enforce_limits && limit[0] <= limit[1] && (limit[0] > -HUGE_VAL || limit[1] < HUGE_VAL);
    memcpy(law->limit, limit, sizeof law->limit);
    law->limit_stiffness = inertia * limit_omega * limit_omega;
    law->limit_damping = 2.0 * limit_ratio / (limit_omega * depth);
}

static bool is_limited(const eri_ball_law *ball)
{
    return ball->swing.limited || ball->twist.limited;
}

// The swing turns about x and y of the joint's frame, the twist about z.
static er_result create_ball_laws(er_arena *arena, const er_world_def *def, const double *inertia, eri_laws *laws)
{
    er_result r = ER_OK;
    const er_model *m = def->model;
    bool any = false;
    for (int k = 0; k < m->joint_count; ++k)
        any |= m->joint[k].swing < HUGE_VAL || m->joint[k].twist[0] > -HUGE_VAL || m->joint[k].twist[1] < HUGE_VAL;
    if (!any || !def->enforce_limits) return ER_OK;
    ERI_TRY_NEW(laws->ball, arena, eri_ball_law, m->joint_count);
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        const double *I = inertia + m->coordinate[k], swing[2] = {-HUGE_VAL, j->swing};
        if (j->type != ER_JOINT_SPHERICAL) continue;
        set_limit(&laws->ball[k].swing, def, swing, true, fmax(I[0], I[1]));
        set_limit(&laws->ball[k].twist, def, j->twist, true, I[2]);
    }
done:
    return r;
}

static bool is_linear(const eri_laws *laws, int joint)
{
    const er_model *m = laws->model;
    if (laws->ball != NULL && is_limited(&laws->ball[joint])) return false;
    for (int c = m->coordinate[joint]; c < m->coordinate[joint + 1]; ++c)
        if (laws->law[c].limited || laws->law[c].motor_count > 0) return false;
    return laws->same[joint] || !eri_joint_turns_freely(m->joint[joint].type);
}

// Whether a joint of one coordinate ties a body to the world, and nothing else is tied to it: springs of a tree act on
// each other through its bodies, and explicit ones gain energy there.
static bool is_alone(const er_model *m, int joint)
{
    const er_joint *j = &m->joint[joint];
    if (j->parent >= 0 || er_joint_type_freedom(j->type, NULL) != 1) return false;
    for (int k = 0; k < m->joint_count; ++k)
        if (k != joint && (m->joint[k].parent == j->child || m->joint[k].child == j->child)) return false;
    return true;
}

er_result eri_laws_create(er_arena *arena, const er_world_def *def, const double *inertia, eri_laws **out)
{
    er_result r = ER_OK;
    const er_model *m = def->model;
    eri_laws *laws;
    ERI_TRY_NEW(laws, arena, eri_laws, 1);
    laws->model = m;
    ERI_TRY_NEW(laws->law, arena, eri_law, m->coordinate_count);
    laws->motor_count = def->motor_count;
    ERI_TRY_NEW(laws->motor, arena, er_motor, def->motor_count);
    ERI_TRY_NEW(laws->state, arena, uint8_t, def->motor_count);
    ERI_TRY_NEW(laws->acts, arena, bool, m->joint_count);
    ERI_TRY_NEW(laws->same, arena, bool, m->joint_count);
    ERI_TRY_NEW(laws->linear, arena, bool, m->joint_count);
    ERI_TRY(create_ball_laws(arena, def, inertia, laws));
    for (int i = 0; i < def->motor_count; ++i)
        ++laws->law[def->motor[i].coordinate].motor_count;
    for (int c = 0, at = 0; c < m->coordinate_count; ++c) {
        laws->law[c].motor = at;
        at += laws->law[c].motor_count;
        laws->law[c].motor_count = 0;
    }
    for (int i = 0; i < def->motor_count; ++i) {
        eri_law *law = &laws->law[def->motor[i].coordinate];
        laws->motor[law->motor + law->motor_count++] = def->motor[i];
        law->stiff += def->motor[i].stiffness;
        law->damped += def->motor[i].damping;
    }
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        for (int c = 0; c < count; ++c) {
            int at = m->coordinate[k] + c;
            eri_law *law = &laws->law[at];
            law->stiffness = j->stiffness[c];
            law->damping = j->damping[c] + m->rayleigh_stiffness * j->stiffness[c];
            law->rest = def->rest != NULL ? def->rest[at] : 0.0;
            law->stiff += law->stiffness;
            law->damped += law->damping;
            law->conserves = is_alone(m, k) && law->stiff > 0.0 && law->damped == 0.0 && law->motor_count == 0 &&
                             law->stiff * def->max_step * def->max_step <= inertia[at];
            set_limit(law, def, j->limit[c], axis[c] < 3, inertia[at]);
            laws->acts[k] |= law->stiffness > 0.0 || law->damping > 0.0 || law->limited || law->motor_count > 0;
        }
        laws->acts[k] |= laws->ball != NULL && is_limited(&laws->ball[k]);
        laws->same[k] = eri_joint_turns_freely(j->type);
        for (int c = 0; c < 3 && laws->same[k]; ++c) {
            const eri_law *law = &laws->law[m->coordinate[k] + c];
            laws->same[k] = law->stiffness == j->stiffness[0] && law->rest == 0.0 && !law->limited;
        }
        laws->linear[k] = is_linear(laws, k);
    }
    *out = laws;
done:
    return r;
}

// J^-1 w, or J^-T w with r for -r: J the left Jacobian of the exponential map,
// J^-1 = 1 - [r] / 2 + (1 - t/2 cot t/2) / t^2 [r]^2, t = |r|.
static er_vec3 left_jacobian_solve(er_vec3 r, er_vec3 w)
{
    double t2 = er_v3_dot(r, r), t = sqrt(t2);
    double series = 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 * (1.0 / 30240.0 + t2 * (1.0 / 1209600.0 + t2 / 47900160.0)));
    double b = t < 0.1 ? series : (1.0 - 0.5 * t / tan(0.5 * t)) / t2;
    er_vec3 rw = er_v3_cross(r, w);
    return er_v3_madd(er_v3_madd(w, -0.5, rw), b, er_v3_cross(r, rw));
}

// How far a coordinate is past its limits; 0 within.
static double depth_of(const eri_law *law, double x)
{
    return x > law->limit[1] ? x - law->limit[1] : x < law->limit[0] ? x - law->limit[0] : 0.0;
}

static double limit_push(const eri_law *law, double x, double v)
{
    double depth = depth_of(law, x), into = depth < 0.0 ? -v : v; // the damper pushes out, and never pulls
    return -law->limit_stiffness * depth * fmax(0.0, 1.0 + law->limit_damping * into);
}

void eri_law_stop(const eri_law *law, double x, double v, double h, double *force, double *armature)
{
    if (!law->limited || !(depth_of(law, x + h * v) < 0.0 || depth_of(law, x + h * v) > 0.0)) return;
    double limit = x + h * v > law->limit[1] ? law->limit[1] : law->limit[0];
    double k = law->limit_stiffness, c = 2.0 * k / limit_omega;
    *force += -k * (x - limit) - (c + h * k) * v - limit_push(law, x, v);
    *armature += h * (c + h * k);
}

// The force of a spring and of limits on a coordinate x that changes at the rate v, which is its own.
static double elastic_force(const eri_law *law, double x, double v, eri_account *a)
{
    double stretch = x - law->rest, force = -law->stiffness * stretch;
    double elastic = 0.5 * law->stiffness * stretch * stretch, heat = 0.0;
    if (law->limited) {
        double depth = depth_of(law, x), spring = -law->limit_stiffness * depth, push = limit_push(law, x, v);
        force += push;
        elastic += 0.5 * law->limit_stiffness * depth * depth;
        heat = (spring - push) * v;
    }
    a->elastic += elastic;
    a->heat += heat;
    return force;
}

void eri_ball_angles(const double *x, double angle[2], er_vec3 direction[2])
{
    er_quat q = er_q_exp(er_v3(x[0], x[1], x[2]));
    er_vec3 a = er_v3(0, 0, 1), b = er_q_rotate(q, a), across = er_v3_cross(a, b);
    double sine = er_v3_norm(across);
    angle[0] = atan2(sine, b.z);
    angle[1] = 2.0 * atan2(q.z, q.w);
    direction[0] = er_v3_unit(across, er_v3(0, 0, 0));
    direction[1] = er_v3_scale(1.0 / fmax(1.0 + b.z, least_upright), er_v3_add(a, b));
}

// Adds the torque of the limits at an angular velocity w.
static er_vec3 ball_torque(const eri_ball_law *ball, const double *x, er_vec3 w, eri_account *a)
{
    const eri_law *law[2] = {&ball->swing, &ball->twist};
    er_vec3 direction[2], torque = {0, 0, 0};
    double angle[2];
    eri_ball_angles(x, angle, direction);
    for (int k = 0; k < 2; ++k)
        torque = er_v3_madd(torque, elastic_force(law[k], angle[k], er_v3_dot(direction[k], w), a), direction[k]);
    return torque;
}

void eri_ball_stop(const eri_ball_law *ball, const double *x, const double *rate, double h, double *force,
                   double *armature, double *products)
{
    const eri_law *law[2] = {&ball->swing, &ball->twist};
    er_vec3 direction[2], w = er_v3(rate[0], rate[1], rate[2]);
    double angle[2];
    if (!is_limited(ball)) return;
    eri_ball_angles(x, angle, direction);
    for (int k = 0; k < 2; ++k) {
        er_vec3 d = direction[k];
        double push = 0.0, mass = 0.0;
        eri_law_stop(law[k], angle[k], er_v3_dot(d, w), h, &push, &mass);
        const double n[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; ++i) {
            force[i] += push * n[i];
            armature[i] += mass * n[i] * n[i];
        }
        products[0] += mass * d.x * d.y, products[1] += mass * d.x * d.z, products[2] += mass * d.y * d.z;
    }
}

void eri_law_implicit(const eri_laws *laws, const eri_law *law, double *stiff, double *damped)
{
    *stiff = law->stiff;
    *damped = law->damped;
    for (int i = law->motor; i < law->motor + law->motor_count; ++i) {
        if (laws->state[i] < ERI_MOTOR_AT_MOST) continue;
        *stiff -= laws->motor[i].stiffness;
        *damped -= laws->motor[i].damping;
    }
    *stiff = fmax(*stiff, 0.0);
    *damped = fmax(*damped, 0.0);
}

// Dampers and motors, on a rate as R tells it. A motor that acts implicitly is accounted for at the end of the step.
static double driven_force(const eri_laws *laws, const eri_law *law, double x, double rate, eri_account *a)
{
    double force = -law->damping * rate;
    a->heat -= force * rate;
    for (int i = 0; i < law->motor_count; ++i) {
        const er_motor *m = &laws->motor[law->motor + i];
        double drive = m->stiffness * (m->position - x) + m->damping * (m->velocity - rate);
        eri_motor_state state = laws->state[law->motor + i];
        if (state >= ERI_MOTOR_AT_MOST) drive = state == ERI_MOTOR_AT_MOST ? m->most : -m->most;
        if (state == ERI_MOTOR_EXPLICIT) {
            drive = fmin(fmax(drive, -m->most), m->most);
            a->work += drive * rate;
        }
        force += drive;
    }
    return force;
}

void eri_laws_force(const eri_laws *laws, int joint, const double *x, const double *rate, double *force,
                    eri_account *account)
{
    const er_model *m = laws->model;
    const eri_law *law = &laws->law[m->coordinate[joint]];
    int count = m->coordinate[joint + 1] - m->coordinate[joint], c = 0;
    eri_account sum = {0};
    if (eri_joint_turns_freely(m->joint[joint].type)) {
        er_vec3 r = er_v3(x[0], x[1], x[2]), w = er_v3(rate[0], rate[1], rate[2]);
        bool same = laws->same[joint]; // J'r = r
        if (!same) w = left_jacobian_solve(r, w);
        er_vec3 f = er_v3(elastic_force(&law[0], r.x, w.x, &sum), elastic_force(&law[1], r.y, w.y, &sum),
                          elastic_force(&law[2], r.z, w.z, &sum));
        if (!same) f = left_jacobian_solve(er_v3_scale(-1.0, r), f);
        if (laws->ball != NULL && is_limited(&laws->ball[joint]))
            f = er_v3_add(f, ball_torque(&laws->ball[joint], x, er_v3(rate[0], rate[1], rate[2]), &sum));
        force[0] = f.x, force[1] = f.y, force[2] = f.z;
        for (; c < 3; ++c)
            force[c] += driven_force(laws, &law[c], x[c], rate[c], &sum);
    }
    for (; c < count; ++c)
        force[c] = elastic_force(&law[c], x[c], rate[c], &sum) + driven_force(laws, &law[c], x[c], rate[c], &sum);
    if (account == NULL) return;
    account->elastic += sum.elastic;
    account->work += sum.work;
    account->heat += sum.heat;
}

// ---- Bodies

eri_body_motion eri_body_motion_of(const er_body *body, const er_pose *pose, const er_twist *twist)
{
    eri_body_motion m = {.axes = er_m3_from_q(pose->q), .origin = pose->p};
    er_vec3 arm = er_m3_mul_v(m.axes, body->com);
    m.com = er_v3_add(pose->p, arm);
    m.angular = er_m3_mul_v(m.axes, twist->angular);
    m.linear = er_v3_add(er_m3_mul_v(m.axes, twist->linear), er_v3_cross(m.angular, arm));
    return m;
}

er_pose eri_body_motion_pose(const eri_body_motion *m)
{
    er_pose p = {er_q_from_m3(m->axes), m->origin};
    return p;
}

er_twist eri_body_motion_twist(const er_body *body, const eri_body_motion *m)
{
    er_mat3 back = er_m3_transpose(m->axes);
    er_vec3 spin = er_m3_mul_v(back, m->angular);
    er_twist t = {spin, er_v3_sub(er_m3_mul_v(back, m->linear), er_v3_cross(spin, body->com))};
    return t;
}

er_result eri_forces_create(er_arena *arena, const er_world_def *def, const bool *held, eri_forces **out)
{
    er_result r = ER_OK;
    eri_forces *f;
    int n = def->model->body_count;
    ERI_TRY_NEW(f, arena, eri_forces, 1);
    *f = (eri_forces){.model = def->model,
                      .count = def->force_count,
                      .drag = def->model->rayleigh_mass,
                      .held = held,
                      .apply = def->apply,
                      .user = def->user};
    f->any = f->count > 0 || f->drag > 0.0 || f->apply != NULL;
    ERI_TRY_NEW(f->force, arena, er_force, f->count);
    for (int i = 0; i < f->count; ++i) {
        const er_force *from = &def->force[i];
        f->force[i] = *from;
        ERI_TRY((f->force[i].name = eri_arena_string(arena, from->name)) != NULL ? ER_OK : ER_ERROR_MEMORY);
        if (from->kind != ER_FORCE_SCHEDULE) continue;
        er_force_sample *sample;
        ERI_TRY_NEW(sample, arena, er_force_sample, from->sample_count);
        memcpy(sample, from->sample, (size_t)from->sample_count * sizeof *sample);
        f->force[i].sample = sample;
    }
    if (f->apply != NULL) {
        ERI_TRY_NEW(f->pose, arena, er_pose, n);
        ERI_TRY_NEW(f->twist, arena, er_twist, n);
        ERI_TRY_NEW(f->applied, arena, er_wrench, n);
    }
    *out = f;
done:
    return r;
}

// Adds a force at a point, and its power.
static double push(const eri_body_motion *m, er_vec3 point, er_vec3 force, er_vec3 torque, er_wrench *w)
{
    er_vec3 arm = er_v3_sub(point, m->com);
    torque = er_v3_add(torque, er_v3_cross(arm, force));
    w->force = er_v3_add(w->force, force);
    w->torque = er_v3_add(w->torque, torque);
    return er_v3_dot(force, m->linear) + er_v3_dot(torque, m->angular);
}

static er_vec3 point_of(const eri_body_motion *m, er_vec3 point)
{
    return er_v3_add(m->origin, er_m3_mul_v(m->axes, point));
}

static er_vec3 velocity_at(const eri_body_motion *m, er_vec3 point)
{
    return er_v3_add(m->linear, er_v3_cross(m->angular, er_v3_sub(point, m->com)));
}

// A Bezier curve of degree n at s by its Bernstein polynomials, as powers of s / (1 - s), the other way round for s
// above 1/2: sums of terms of one sign, in O(n) (Schumaker & Volk 1986).
static er_force_sample bezier(const er_force *f, double s)
{
    int n = f->sample_count - 1;
    bool turned = s > 0.5;
    double near = turned ? s : 1.0 - s, ratio = (1.0 - near) / near, weight = pow(near, n);
    er_force_sample sum = {0};
    for (int i = 0; i <= n; ++i) {
        const er_force_sample *p = &f->sample[turned ? n - i : i];
        sum.time += weight * p->time;
        sum.force = er_v3_madd(sum.force, weight, p->force);
        sum.torque = er_v3_madd(sum.torque, weight, p->torque);
        weight *= ratio * (n - i) / (i + 1);
    }
    return sum;
}

// Where the curve has this time, which ascends along it: by halving, to the last bit that shows.
static er_force_sample scheduled(const er_force *f, double within, double time)
{
    er_force_sample none = {0};
    if (within < f->sample[0].time || within >= f->sample[f->sample_count - 1].time) return none;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        *(bezier(f, middle).time < time ? &low : &high) = middle;
    }
    return bezier(f, 0.5 * (low + high));
}

static bool is_held(const eri_forces *f, int body)
{
    return f->held != NULL && f->held[body];
}

// At a held body the work of the spring counts as work of the guide.
static void pull_spring(const eri_forces *all, const er_force *f, const eri_body_motion *motion, er_wrench *wrench,
                        eri_account *a)
{
    const eri_body_motion *m = &motion[f->body], *o = f->other >= 0 ? &motion[f->other] : NULL;
    er_vec3 here = point_of(m, f->point), there = o != NULL ? point_of(o, f->other_point) : f->other_point;
    er_vec3 apart = er_v3_sub(there, here), none = er_v3(0, 0, 0);
    double length = er_v3_norm(apart);
    er_vec3 along = er_v3_unit(apart, none), back = o != NULL ? velocity_at(o, there) : none;
    double rate = er_v3_dot(along, er_v3_sub(back, velocity_at(m, here))), stretch = length - f->rest;
    er_vec3 force = er_v3_scale(f->stiffness * stretch + f->damping * rate, along);
    double power = push(m, here, force, none, &wrench[f->body]);
    if (is_held(all, f->body)) a->work -= power;
    if (o != NULL) power = push(o, there, er_v3_scale(-1.0, force), none, &wrench[f->other]);
    if (o != NULL && is_held(all, f->other)) a->work -= power;
    a->elastic += 0.5 * f->stiffness * stretch * stretch;
    a->heat += f->damping * rate * rate;
}

static void act(const eri_forces *all, const er_force *f, double time, const eri_body_motion *motion, er_wrench *wrench,
                eri_account *a)
{
    const eri_body_motion *m = &motion[f->body];
    er_wrench *w = &wrench[f->body];
    er_vec3 at = point_of(m, f->point);
    if (f->kind == ER_FORCE_SPRING) {
        pull_spring(all, f, motion, wrench, a);
    } else if (is_held(all, f->body)) {
        return;
    } else if (f->kind == ER_FORCE_DRAG) {
        er_vec3 v = velocity_at(m, at);
        double factor = f->linear_drag + f->quadratic_drag * er_v3_norm(v);
        a->heat -= push(m, at, er_v3_scale(-factor, v), er_v3_scale(-f->angular_drag, m->angular), w);
    } else {
        er_force_sample s = {0.0, f->force, f->torque};
        if (f->kind == ER_FORCE_SCHEDULE) s = scheduled(f, all->within, time);
        if (f->body_axes) {
            s.force = er_m3_mul_v(m->axes, s.force);
            s.torque = er_m3_mul_v(m->axes, s.torque);
        }
        a->work += push(m, at, s.force, s.torque, w);
    }
}

static double power_on(const eri_body_motion *m, er_wrench w)
{
    return er_v3_dot(w.force, m->linear) + er_v3_dot(w.torque, m->angular);
}

// Drag alpha M: against the momenta about the centre of mass.
static void drag_body(double alpha, const er_body *body, const eri_body_motion *m, er_wrench *w, eri_account *a)
{
    er_vec3 spin = er_m3_mul_v(m->axes, er_m3_mul_v(body->inertia, er_m3_mul_v(er_m3_transpose(m->axes), m->angular)));
    er_wrench drag = {er_v3_scale(-alpha, spin), er_v3_scale(-alpha * body->mass, m->linear)};
    a->heat -= power_on(m, drag);
    w->force = er_v3_add(w->force, drag.force);
    w->torque = er_v3_add(w->torque, drag.torque);
}

static void ask_caller(eri_forces *f, double time, const eri_body_motion *motion, er_wrench *wrench, eri_account *a)
{
    int n = f->model->body_count;
    for (int b = 0; b < n; ++b) {
        f->pose[b] = eri_body_motion_pose(&motion[b]);
        f->twist[b] = eri_body_motion_twist(&f->model->body[b], &motion[b]);
        f->applied[b] = (er_wrench){{0, 0, 0}, {0, 0, 0}};
    }
    f->apply(f->user, time, f->pose, f->twist, f->applied);
    for (int b = 0; b < n; ++b) {
        wrench[b].force = er_v3_add(wrench[b].force, f->applied[b].force);
        wrench[b].torque = er_v3_add(wrench[b].torque, f->applied[b].torque);
        if (!is_held(f, b)) a->work += power_on(&motion[b], f->applied[b]);
    }
}

double eri_forces_break(const eri_forces *f, double time)
{
    double next = HUGE_VAL;
    for (int i = 0; i < f->count; ++i) {
        const er_force *s = &f->force[i];
        if (s->kind != ER_FORCE_SCHEDULE) continue;
        double first = s->sample[0].time, last = s->sample[s->sample_count - 1].time;
        if (first > time) next = fmin(next, first);
        if (last > time) next = fmin(next, last);
    }
    return next;
}

void eri_forces_wrenches(eri_forces *f, double time, const eri_body_motion *motion, er_wrench *wrench,
                         eri_account *account)
{
    int n = f->model->body_count;
    eri_account sum = {0};
    memset(wrench, 0, (size_t)n * sizeof *wrench);
    for (int b = 0; b < n && f->drag > 0.0; ++b)
        if (!is_held(f, b)) drag_body(f->drag, &f->model->body[b], &motion[b], &wrench[b], &sum);
    for (int i = 0; i < f->count; ++i)
        act(f, &f->force[i], time, motion, wrench, &sum);
    if (f->apply != NULL) ask_caller(f, time, motion, wrench, &sum);
    if (account == NULL) return;
    account->elastic += sum.elastic;
    account->work += sum.work;
    account->heat += sum.heat;
}
