/// @file
/// Worlds: made, ended, their state set, told, saved and moved in time.
#include "dynamics/world.h"

#include <math.h>
#include <string.h>

#include "dynamics/definition.h"
#include "model/joint.h"

enum { ACCOUNTS = 2, MOST_LOOP_ROWS = 6000 };

static const double loosest = 1e-3; // joints further apart were not meant to be together: of the size and rad

// ---- What both routes stand on

er_result er_world_not_finite(er_world *w, double time)
{
    return er_fail(w->context, ER_ERROR_NO_CONVERGENCE, "accelerations at %.9g s are not finite: a force is too large",
                   time);
}

er_result er_world_not_closed(er_world *w, double time, double gap)
{
    return er_fail(w->context, ER_ERROR_NO_CONVERGENCE,
                   "joints at %.9g s stand %.3g of the rig's size apart and do not come together", time, gap);
}

static er_motion_at motion_at(const er_pose *pose, const er_twist *twist)
{
    er_motion_at m = {.point = pose->p,
                      .angular = er_q_rotate(pose->q, twist->angular),
                      .linear = er_q_rotate(pose->q, twist->linear)};
    return m;
}

er_joint_ends er_world_joint_ends(const er_world *w, int joint, const er_pose *pose, const er_twist *twist)
{
    const er_joint *j = &w->model->joint[joint];
    er_joint_ends e = {.P = er_joint_parent_side(w->model, joint, pose),
                       .Q = er_joint_child_side(w->model, joint, pose)};
    e.parent = (er_motion_at){.point = e.P.p};
    if (j->parent >= 0) e.parent = motion_at(&pose[j->parent], &twist[j->parent]);
    e.child = motion_at(&pose[j->child], &twist[j->child]);
    return e;
}

er_twist er_body_rate(const er_motion_at *m, const er_mat3 *axes, er_vec3 origin)
{
    er_vec3 arm = er_v3_sub(origin, m->point), swing = er_v3_cross(m->angular, arm);
    er_vec3 v = er_v3_add(m->linear, swing);
    er_vec3 a = er_v3_add(er_v3_add(m->linear_rate, er_v3_cross(m->angular_rate, arm)), er_v3_cross(m->angular, swing));
    er_mat3 back = er_m3_transpose(*axes); // (R'v)' = R'(v' - w x v)
    er_twist rate = {er_m3_mul_v(back, m->angular_rate), er_m3_mul_v(back, er_v3_sub(a, er_v3_cross(m->angular, v)))};
    return rate;
}

static void ask_guide(const er_world *w, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    er_twist still = {{0, 0, 0}, {0, 0, 0}};
    *pose = w->model->body[body].pose;
    *twist = *rate = still;
    if (w->def.guide == NULL) return;
    w->def.guide(w->def.user, time, body, pose, twist, rate);
    pose->q = er_q_unit(pose->q);
}

void er_world_move_ground(er_world *w, double time)
{
    int n = w->model->body_count;
    er_vec3 fall = er_v3_scale(-1.0, w->def.gravity);
    w->ground[n] = (er_ground){.axes = er_m3_identity(), .linear_rate = fall};
    for (int b = 0; b < n && w->held != NULL; ++b) {
        if (!w->held[b]) continue;
        er_pose pose;
        er_twist twist, rate;
        ask_guide(w, time, b, &pose, &twist, &rate);
        w->motion[b] = er_body_motion_of(&w->model->body[b], &pose, &twist);
        er_ground *g = &w->ground[b];
        *g = (er_ground){w->motion[b].axes,
                         pose.p,
                         w->motion[b].angular,
                         er_m3_mul_v(w->motion[b].axes, twist.linear),
                         er_m3_mul_v(w->motion[b].axes, rate.angular),
                         er_m3_mul_v(w->motion[b].axes, rate.linear)};
        g->linear_rate = er_v3_add(er_v3_add(g->linear_rate, er_v3_cross(g->angular, g->linear)), fall);
        w->held_pose[b] = pose;
    }
}

er_pose er_ground_frame(const er_world *w, const er_end *end)
{
    return end->ground >= 0 ? er_pose_mul(w->held_pose[end->ground], end->frame) : end->frame;
}

er_motion_at er_ground_motion(const er_world *w, int ground)
{
    const er_ground *g = &w->ground[ground >= 0 ? ground : w->model->body_count];
    return (er_motion_at){g->origin, g->angular, g->linear, g->angular_rate, g->linear_rate};
}

// ---- The system that the integrators see

static void drift(void *user, const double *q, const double *u, double *dq)
{
    er_tree_drift(((er_world *)user)->tree, q, u, dq);
}

static void normalise(void *user, double *q)
{
    er_tree_normalise(((er_world *)user)->tree, q);
}

static er_result evaluate(er_world *w, double t, const double *q, const double *u, double step, double *du)
{
    er_account account = {0};
    er_evaluation e = {.step = step, .account = &account};
    er_result r = er_minimal_evaluate(w, t, q, u, &e, du);
    du[w->velocity_count - 2] = account.work;
    du[w->velocity_count - 1] = account.heat;
    return r;
}

static er_result accelerate(void *user, double t, const double *q, const double *u, double *du)
{
    return evaluate(user, t, q, u, 0.0, du);
}

static er_result implicit(void *user, double t, const double *q, const double *u, double h, double *du)
{
    er_world *w = user;
    er_result r = evaluate(w, t, q, u, h, du);
    for (int i = 0; i < w->velocity_count; ++i)
        du[i] *= h;
    return r;
}

// Angles of the state to come are near those of this one.
static void follow_angles(er_world *w)
{
    double x[6];
    for (int k = 0; k < w->model->joint_count; ++k) {
        double *near = w->near + w->model->coordinate[k];
        er_joint_ends e = er_world_joint_ends(w, k, w->pose, w->twist);
        er_joint_coordinates(w->model->joint[k].type, er_pose_mul(er_pose_inverse(e.P), e.Q), near, x);
        memcpy(near, x, (size_t)(w->model->coordinate[k + 1] - w->model->coordinate[k]) * sizeof *near);
    }
}

static void show(er_world *w, double time, const double *q, const double *u)
{
    er_minimal_bodies(w, time, q, u, w->pose, w->twist);
    follow_angles(w);
}

static er_result restore(void *user, double t, double *q, double *u)
{
    er_world *w = user;
    er_result r = er_minimal_restore(w, t, false, q, u);
    if (r == ER_OK) show(w, t, q, u);
    return r;
}

// ---- Making and ending

// What hangs on each coordinate of the tree, or at the ends of a loop's joint, at equilibrium: for limits.
static er_result find_inertias(const er_world *w, er_arena *scratch, double *inertia)
{
    er_result r = ER_OK;
    const er_model *m = w->model;
    double *mass;
    er_vec3 *centre;
    er_mat3 *spin;
    ER_TRY_NEW(mass, scratch, double, m->body_count);
    ER_TRY_NEW(centre, scratch, er_vec3, m->body_count);
    ER_TRY_NEW(spin, scratch, er_mat3, m->body_count);
    for (int b = 0; b < m->body_count; ++b) { // moments about the world's origin, summed towards the root
        er_mat3 R = er_m3_from_q(m->body[b].pose.q);
        er_vec3 c = er_pose_point(m->body[b].pose, m->body[b].com);
        mass[b] = m->body[b].mass;
        centre[b] = er_v3_scale(mass[b], c);
        spin[b] = er_m3_madd(er_m3_mul(er_m3_mul(R, m->body[b].inertia), er_m3_transpose(R)), -mass[b],
                             er_m3_mul(er_m3_skew(c), er_m3_skew(c)));
    }
    for (int i = w->tree->limb_count - 1; i >= 0; --i) {
        const er_limb *l = &w->tree->limb[i];
        if (l->joint >= 0) {
            er_pose frame = m->joint[l->joint].frame;
            er_mat3 axes = er_m3_from_q(frame.q), J = spin[l->body];
            er_mat3 C = er_m3_skew(centre[l->body]), P = er_m3_skew(frame.p); // about frame.p: Steiner's theorem
            J = er_m3_madd(er_m3_madd(J, 1.0, er_m3_madd(er_m3_mul(C, P), 1.0, er_m3_mul(P, C))), -mass[l->body],
                           er_m3_mul(P, P));
            for (int c = 0; c < l->freedom; ++c) {
                er_vec3 a = er_m3_column(axes, l->axis[c] % 3);
                inertia[l->coordinate + c] = l->axis[c] < 3 ? er_v3_dot(a, er_m3_mul_v(J, a)) : mass[l->body];
            }
        }
        if (l->up < 0) continue;
        int up = w->tree->limb[l->up].body;
        mass[up] += mass[l->body];
        centre[up] = er_v3_add(centre[up], centre[l->body]);
        spin[up] = er_m3_madd(spin[up], 1.0, spin[l->body]);
    }
    for (int k = 0; k < w->tree->loop_count; ++k) {
        int joint = w->tree->loop[k].joint, axis[6], count = er_joint_type_freedom(m->joint[joint].type, axis);
        const er_body *body = &m->body[m->joint[joint].child];
        double turn = (body->inertia.m[0][0] + body->inertia.m[1][1] + body->inertia.m[2][2]) / 3.0;
        for (int c = 0; c < count; ++c)
            inertia[m->coordinate[joint] + c] = axis[c] < 3 ? turn : body->mass;
    }
done:
    return r;
}

static er_result create_solver(er_world *w, er_arena *scratch)
{
    er_result r = ER_OK;
    static const er_ode_method method[] = {
        [ER_INTEGRATE_EULER] = ER_ODE_EULER,       [ER_INTEGRATE_SEMI_IMPLICIT] = ER_ODE_SEMI_IMPLICIT_EULER,
        [ER_INTEGRATE_HEUN] = ER_ODE_HEUN,         [ER_INTEGRATE_RK4] = ER_ODE_RK4,
        [ER_INTEGRATE_FEHLBERG] = ER_ODE_FEHLBERG, [ER_INTEGRATE_IMPLICIT] = ER_ODE_IMPLICIT,
    };
    double *scale, mass = 0.0, size = w->model->size;
    int nq = w->position_count, nu = w->velocity_count;
    ER_TRY_NEW(scale, scratch, double, nq + nu);
    for (int i = 0; i < nq + nu; ++i)
        scale[i] = 1.0;
    for (int i = 0; i < w->tree->limb_count; ++i) {
        const er_limb *l = &w->tree->limb[i];
        int extra = er_joint_turns_freely(l->type);
        mass += l->mass;
        for (int c = 0; c < l->freedom; ++c)
            if (l->axis[c] >= 3) scale[l->q + extra + c] = scale[nq + l->u + c] = size;
    }
    for (int a = 1; a <= ACCOUNTS; ++a)
        scale[nq + nu - a] = mass > 0.0 ? mass * size * size : 1.0; // J
    er_ode ode = {.user = w,
                  .position_count = nq,
                  .velocity_count = nu,
                  .drift = drift,
                  .accelerate = accelerate,
                  .implicit = implicit,
                  .restore = restore,
                  .normalise = normalise,
                  .scale = scale};
    er_ode_options options = {.method = method[w->def.integrator],
                              .step = w->def.max_step,
                              .min_step = w->def.min_step,
                              .max_step = w->def.max_step,
                              .absolute = w->def.tolerance,
                              .relative = w->def.tolerance};
    ER_TRY(er_ode_create(w->context, &ode, &options, &w->solver));
done:
    return r;
}

static er_result fill(er_world *w, er_arena *scratch)
{
    er_result r = ER_OK;
    const er_model *m = w->model;
    size_t n = (size_t)m->body_count;
    double *inertia;
    int rows = 0;
    if (w->def.held != NULL) {
        ER_TRY_NEW(w->held, w->arena, bool, n);
        memcpy(w->held, w->def.held, n * sizeof(bool));
    }
    ER_TRY(er_tree_create(w->arena, m, w->held, &w->tree));
    for (int l = 0; l < w->tree->loop_count; ++l)
        rows += 6 - er_joint_type_freedom(m->joint[w->tree->loop[l].joint].type, NULL);
    if (rows > MOST_LOOP_ROWS)
        return er_fail(w->context, ER_ERROR_RIG, "loops with %d constraints: at most %d can move", rows,
                       MOST_LOOP_ROWS);
    ER_TRY_NEW(inertia, scratch, double, m->coordinate_count);
    ER_TRY(find_inertias(w, scratch, inertia));
    ER_TRY(er_laws_create(w->arena, &w->def, inertia, &w->laws));
    ER_TRY(er_forces_create(w->arena, &w->def, w->held, &w->forces));
    ER_TRY(er_minimal_create(w->arena, w, &w->minimal));
    w->position_count = w->tree->position_count;
    w->velocity_count = w->tree->velocity_count + ACCOUNTS;
    ER_TRY_NEW(w->q, w->arena, double, w->position_count);
    ER_TRY_NEW(w->u, w->arena, double, w->velocity_count);
    ER_TRY_NEW(w->near, w->arena, double, m->coordinate_count);
    ER_TRY_NEW(w->motion, w->arena, er_body_motion, n);
    ER_TRY_NEW(w->wrench, w->arena, er_wrench, n);
    ER_TRY_NEW(w->ground, w->arena, er_ground, n + 1);
    ER_TRY_NEW(w->pose, w->arena, er_pose, n);
    ER_TRY_NEW(w->held_pose, w->arena, er_pose, n);
    ER_TRY_NEW(w->twist, w->arena, er_twist, n);
    ER_TRY(create_solver(w, scratch));
    ER_TRY(er_world_set_state(w, 0.0, NULL, NULL));
done:
    return r;
}

er_result er_world_create(er_context *context, const er_world_def *def, er_world **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_world *w = NULL;
    ER_TRY(er_world_def_check(context, def));
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY(er_arena_create(context, &scratch));
    ER_TRY_NEW(w, arena, er_world, 1);
    w->context = context;
    w->arena = arena;
    w->def = *def;
    w->model = def->model;
    arena = NULL;
    ER_TRY(fill(w, scratch));
    *out = w;
    w = NULL;
done:
    er_world_destroy(w);
    er_arena_destroy(arena);
    er_arena_destroy(scratch);
    return r;
}

void er_world_destroy(er_world *world)
{
    if (world == NULL) return;
    er_ode_destroy(world->solver);
    er_arena_destroy(world->arena);
}

// ---- State

double er_world_time(const er_world *world)
{
    return er_ode_time(world->solver);
}

const er_pose *er_world_pose(const er_world *world)
{
    return world->pose;
}

const er_twist *er_world_twist(const er_world *world)
{
    return world->twist;
}

void er_world_coordinates(const er_world *w, double *q, double *rate)
{
    const er_model *m = w->model;
    if (q != NULL) memcpy(q, w->near, (size_t)m->coordinate_count * sizeof *q);
    for (int k = 0; k < m->joint_count && rate != NULL; ++k) {
        er_joint_ends e = er_world_joint_ends(w, k, w->pose, w->twist);
        er_rows rows = er_rows_at(m->joint[k].type, e.P, e.Q);
        double all[6];
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        er_rows_rates(&rows, &e.parent, &e.child, all);
        for (int c = 0; c < count; ++c)
            rate[m->coordinate[k] + c] = all[axis[c]];
    }
}

// Takes (w->q, w->u) as the state, its loops closed.
static er_result start(er_world *w, double time)
{
    er_result r = ER_OK;
    ER_TRY(er_minimal_restore(w, time, true, w->q, w->u));
    memset(w->near, 0, (size_t)w->model->coordinate_count * sizeof *w->near);
    show(w, time, w->q, w->u);
    ER_TRY(er_ode_start(w->solver, time, w->q, w->u, 0.0));
done:
    return r;
}

static er_result check_time(er_world *w, double time)
{
    return isfinite(time) ? ER_OK : er_fail(w->context, ER_ERROR_ARGUMENT, "a time of %g s is not finite", time);
}

static er_result check_body(er_world *w, int body, const er_pose *pose, const er_twist *twist)
{
    const char *name = w->model->body[body].name;
    if (pose != NULL && !(er_v3_finite(pose->p) && fabs(er_q_dot(pose->q, pose->q) - 1.0) <= 2e-3))
        return er_fail(w->context, ER_ERROR_ARGUMENT, "the pose of body %d \"%s\" is not finite, or not unit", body,
                       name);
    if (twist != NULL && !(er_v3_finite(twist->angular) && er_v3_finite(twist->linear)))
        return er_fail(w->context, ER_ERROR_ARGUMENT, "the twist of body %d \"%s\" is not finite", body, name);
    return ER_OK;
}

// Bodies as they are asked for, held ones as they are led.
static er_result take_bodies(er_world *w, double time, const er_pose *pose, const er_twist *twist)
{
    er_result r = ER_OK;
    er_twist still = {{0, 0, 0}, {0, 0, 0}}, rate;
    for (int b = 0; b < w->model->body_count; ++b) {
        if (w->held != NULL && w->held[b]) {
            ask_guide(w, time, b, &w->pose[b], &w->twist[b], &rate);
            continue;
        }
        ER_TRY(check_body(w, b, pose != NULL ? &pose[b] : NULL, twist != NULL ? &twist[b] : NULL));
        w->pose[b] = pose != NULL ? pose[b] : w->model->body[b].pose;
        w->pose[b].q = er_q_unit(w->pose[b].q);
        w->twist[b] = twist != NULL ? twist[b] : still;
    }
done:
    return r;
}

double er_world_measure_gap(const er_world *w)
{
    double error[6], gap = 0.0;
    for (int k = 0; k < w->model->joint_count; ++k) {
        er_joint_error(w->model, k, w->pose, error);
        for (int i = 0; i < 6; ++i)
            gap = fmax(gap, fabs(error[i]) / (i < 3 ? 1.0 : w->model->size));
    }
    return gap;
}

// The state of before, shown again.
static void show_again(er_world *w)
{
    if (er_ode_positions(w->solver) == NULL) return;
    show(w, er_ode_time(w->solver), er_ode_positions(w->solver), er_ode_velocities(w->solver));
}

er_result er_world_set_state(er_world *w, double time, const er_pose *pose, const er_twist *twist)
{
    er_result r = ER_OK;
    if (w == NULL) return ER_ERROR_ARGUMENT;
    ER_TRY(check_time(w, time));
    ER_TRY(take_bodies(w, time, pose, twist));
    double gap = er_world_measure_gap(w);
    if (pose != NULL && !(gap <= loosest)) {
        r = er_fail(w->context, ER_ERROR_ARGUMENT,
                    "joints of the state stand %.3g of the rig's size or rad apart: at most %g", gap, loosest);
        goto done;
    }
    er_tree_rest(w->tree, w->q);
    memset(w->u, 0, (size_t)w->velocity_count * sizeof *w->u);
    er_minimal_set_bodies(w, time, w->pose, w->twist, w->q, w->u);
    ER_TRY(start(w, time));
done:
    if (r != ER_OK) show_again(w);
    return r;
}

// Rates of a rotation vector as an angular velocity along the fixed axes: J(r) r'.
static er_vec3 turn_rate(er_vec3 r, er_vec3 rate)
{
    return er_pose_exp((er_twist){r, rate}).p;
}

static void set_limb(const er_world *w, const er_limb *l, const double *x, const double *rate)
{
    er_pose X = er_joint_displacement(l->type, x);
    er_limb_set_displacement(l, X, w->q + l->q);
    memcpy(w->u + l->u, rate, (size_t)l->freedom * sizeof *rate);
    if (!er_joint_turns_freely(l->type)) {
        memcpy(w->q + l->q, x, (size_t)l->freedom * sizeof *x);
        return;
    }
    er_vec3 turn = turn_rate(er_v3(x[0], x[1], x[2]), er_v3(rate[0], rate[1], rate[2]));
    w->u[l->u] = turn.x, w->u[l->u + 1] = turn.y, w->u[l->u + 2] = turn.z;
}

er_result er_world_set_displacement(er_world *w, double time, const double *x, const double *rate)
{
    er_result r = ER_OK;
    static const double none[6] = {0};
    if (w == NULL) return ER_ERROR_ARGUMENT;
    ER_TRY(check_time(w, time));
    const er_model *m = w->model;
    int width = m->coordinate_count;
    for (int b = 0; b < m->body_count; ++b)
        width += m->tree_joint[b] < 0 ? 6 : 0;
    for (int c = 0; c < width; ++c)
        if ((x != NULL && !(fabs(x[c]) <= 1e9)) || (rate != NULL && !(fabs(rate[c]) <= 1e50))) {
            r = er_fail(w->context, ER_ERROR_ARGUMENT,
                        "entry %d of the displacement or its rate is not a number, or too large", c);
            goto done;
        }
    er_tree_rest(w->tree, w->q);
    memset(w->u, 0, (size_t)w->velocity_count * sizeof *w->u);
    for (int b = 0, root = m->coordinate_count; b < m->body_count; ++b) {
        int i = w->tree->limb_of_body[b], at = i >= 0 ? w->tree->limb[i].coordinate : -1;
        if (i >= 0 && at < 0) at = root;
        if (m->tree_joint[b] < 0) root += 6;
        if (i >= 0) set_limb(w, &w->tree->limb[i], x != NULL ? x + at : none, rate != NULL ? rate + at : none);
    }
    ER_TRY(start(w, time));
done:
    if (r != ER_OK) show_again(w);
    return r;
}

// ---- Time

er_result er_world_advance(er_world *w, double until, er_world_report *report)
{
    er_result r = ER_OK;
    er_ode_statistics before = {0}, after;
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (!(isfinite(until) && until >= er_ode_time(w->solver)))
        return er_fail(w->context, ER_ERROR_ARGUMENT, "cannot advance to %g s from %.9g s", until,
                       er_ode_time(w->solver));
    before = er_ode_statistics_of(w->solver);
    w->corrections = 0;
    w->gap = 0.0;
    r = er_ode_advance(w->solver, until);
    if (r != ER_OK) show_again(w);
    after = er_ode_statistics_of(w->solver);
    if (report != NULL)
        *report = (er_world_report){after.steps - before.steps, after.rejected - before.rejected,
                                    after.evaluations - before.evaluations, w->corrections, w->gap};
    return r;
}

er_result er_world_accelerations(er_world *w, er_dynamics_route route, er_twist *acceleration, er_wrench *reaction)
{
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (route != ER_ROUTE_REDUCED) return er_fail(w->context, ER_ERROR_ARGUMENT, "there is no route %d", (int)route);
    er_evaluation e = {.rate = acceleration, .reaction = reaction};
    er_result r = er_minimal_evaluate(w, er_ode_time(w->solver), er_ode_positions(w->solver),
                                      er_ode_velocities(w->solver), &e, w->u);
    for (int b = 0; b < w->model->body_count && w->held != NULL && acceleration != NULL; ++b) {
        er_pose pose;
        er_twist twist;
        if (w->held[b]) ask_guide(w, er_ode_time(w->solver), b, &pose, &twist, &acceleration[b]);
    }
    return r;
}

// ---- Measures

er_world_energy er_world_measure_energy(er_world *w)
{
    er_world_energy e = {0};
    er_account account = {0};
    const double *u = er_ode_velocities(w->solver);
    for (int b = 0; b < w->model->body_count; ++b) {
        const er_body *body = &w->model->body[b];
        if (w->held != NULL && w->held[b]) continue;
        er_body_motion m = er_body_motion_of(body, &w->pose[b], &w->twist[b]);
        er_vec3 spin = w->twist[b].angular;
        e.kinetic +=
            0.5 * body->mass * er_v3_dot(m.linear, m.linear) + 0.5 * er_v3_dot(spin, er_m3_mul_v(body->inertia, spin));
        e.potential -= body->mass * er_v3_dot(w->def.gravity, m.com);
    }
    er_evaluation with = {.account = &account};
    er_minimal_evaluate(w, er_ode_time(w->solver), er_ode_positions(w->solver), u, &with, w->u);
    e.elastic = account.elastic;
    e.mechanical = e.kinetic + e.potential + e.elastic;
    e.work = u[w->velocity_count - 2];
    e.heat = u[w->velocity_count - 1];
    return e;
}

void er_world_measure_momentum(const er_world *w, er_vec3 *linear, er_vec3 *angular)
{
    er_vec3 P = er_v3(0, 0, 0), L = P;
    for (int b = 0; b < w->model->body_count; ++b) {
        const er_body *body = &w->model->body[b];
        if (w->held != NULL && w->held[b]) continue;
        er_body_motion m = er_body_motion_of(body, &w->pose[b], &w->twist[b]);
        er_vec3 p = er_v3_scale(body->mass, m.linear);
        P = er_v3_add(P, p);
        er_vec3 spin = er_m3_mul_v(m.axes, er_m3_mul_v(body->inertia, w->twist[b].angular));
        L = er_v3_add(L, er_v3_add(er_v3_cross(m.com, p), spin));
    }
    if (linear != NULL) *linear = P;
    if (angular != NULL) *angular = L;
}

// ---- Bytes

// What bytes begin with, so that those of another world are noticed.
typedef struct header {
    uint64_t magic;
    int32_t positions, velocities, coordinates;
    int32_t padding;
    double time, next_step;
} header;

static const uint64_t magic = 0x65526456656c6431u;

static header header_of(const er_world *w)
{
    return (header){magic, w->position_count,      w->velocity_count,          w->model->coordinate_count,
                    0,     er_ode_time(w->solver), er_ode_next_step(w->solver)};
}

size_t er_world_state_size(const er_world *w)
{
    return sizeof(header) + sizeof(double) * ((size_t)w->position_count + (size_t)w->velocity_count +
                                              (size_t)w->model->coordinate_count);
}

void er_world_save(const er_world *w, void *bytes)
{
    header h = header_of(w);
    char *at = bytes;
    memcpy(at, &h, sizeof h);
    at += sizeof h;
    memcpy(at, er_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    at += (size_t)w->position_count * sizeof(double);
    memcpy(at, er_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    at += (size_t)w->velocity_count * sizeof(double);
    memcpy(at, w->near, (size_t)w->model->coordinate_count * sizeof(double));
}

er_result er_world_restore(er_world *w, const void *bytes)
{
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (bytes == NULL) return er_fail(w->context, ER_ERROR_ARGUMENT, "restoring needs the bytes of a state");
    header h, own = header_of(w);
    const char *at = bytes;
    memcpy(&h, at, sizeof h);
    if (h.magic != magic || h.positions != own.positions || h.velocities != own.velocities ||
        h.coordinates != own.coordinates)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "these bytes are no state of this world");
    at += sizeof h;
    memcpy(w->q, at, (size_t)w->position_count * sizeof(double));
    at += (size_t)w->position_count * sizeof(double);
    memcpy(w->u, at, (size_t)w->velocity_count * sizeof(double));
    at += (size_t)w->velocity_count * sizeof(double);
    er_result r = er_ode_start(w->solver, h.time, w->q, w->u, h.next_step);
    if (r != ER_OK) return r;
    memcpy(w->near, at, (size_t)w->model->coordinate_count * sizeof(double));
    show(w, h.time, w->q, w->u);
    return ER_OK;
}

static uint64_t hashed(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

uint64_t er_world_hash(const er_world *w)
{
    double time = er_ode_time(w->solver);
    uint64_t hash = hashed(0xcbf29ce484222325u, &time, sizeof time);
    hash = hashed(hash, w->pose, (size_t)w->model->body_count * sizeof *w->pose);
    return hashed(hash, w->twist, (size_t)w->model->body_count * sizeof *w->twist);
}

// ---- Blows

er_result er_world_push(er_world *w, int body, er_vec3 point, er_vec3 impulse)
{
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (body < 0 || body >= w->model->body_count)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "there is no body %d to push", body);
    if (w->held != NULL && w->held[body])
        return er_fail(w->context, ER_ERROR_ARGUMENT, "body %d \"%s\" is held and cannot be pushed", body,
                       w->model->body[body].name);
    if (!er_v3_finite(point) || !er_v3_finite(impulse))
        return er_fail(w->context, ER_ERROR_ARGUMENT, "a push is not a number");
    er_vec3 arm = er_q_rotate(w->pose[body].q, er_v3_sub(point, w->model->body[body].com));
    er_wrench blow = {er_v3_cross(arm, impulse), impulse};
    double time = er_ode_time(w->solver);
    memcpy(w->q, er_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    memcpy(w->u, er_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    er_minimal_push(w, time, w->q, body, blow, w->u);
    er_result r = er_ode_start(w->solver, time, w->q, w->u, 0.0);
    if (r == ER_OK) show(w, time, w->q, w->u);
    return r;
}
