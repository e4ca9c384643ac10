/// @file
/// Worlds: made, ended, their state set, told, saved and moved in time.
#include "dynamics/world.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "dynamics/contact/contact_step.h"
#include "dynamics/definition.h"
#include "dynamics/reference/impact.h"
#include "dynamics/ties.h"
#include "model/joint/joint.h"

enum { MOST_LOOP_ROWS = 2000 };

static const double loosest = 1e-2; // joints further apart were not meant to be together: of the size and rad

// ---- Making and ending

// Mass, first and second moments about the world's origin, of a body and all that hangs on it.
typedef struct moments {
    double mass;
    er_vec3 centre;
    er_mat3 spin;
} moments;

static moments moments_of(const er_body *body)
{
    er_mat3 R = er_m3_from_q(body->pose.q);
    er_vec3 c = er_pose_point(body->pose, body->com);
    er_mat3 own = er_m3_mul(er_m3_mul(R, body->inertia), er_m3_transpose(R));
    return (moments){body->mass, er_v3_scale(body->mass, c),
                     er_m3_madd(own, -body->mass, er_m3_mul(er_m3_skew(c), er_m3_skew(c)))};
}

// The inertia that each coordinate of a joint moves.
static void find_joint_inertias(const er_joint *j, const moments *moved, double *inertia)
{
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    er_mat3 axes = er_m3_from_q(j->frame.q), C = er_m3_skew(moved->centre), P = er_m3_skew(j->frame.p);
    er_mat3 J = er_m3_madd(er_m3_madd(moved->spin, 1.0, er_m3_madd(er_m3_mul(C, P), 1.0, er_m3_mul(P, C))),
                           -moved->mass, er_m3_mul(P, P)); // about the joint: Steiner's theorem
    for (int c = 0; c < count; ++c) {
        er_vec3 a = er_m3_column(axes, axis[c] % 3);
        inertia[c] = axis[c] < 3 ? er_v3_dot(a, er_m3_mul_v(J, a)) : moved->mass;
        if (j->pitch != 0.0) inertia[c] += j->pitch * j->pitch * moved->mass;
    }
}

// The inertia that each coordinate moves at equilibrium, for limits; for a loop's joint that of its child's side.
static er_result find_inertias(const er_world *w, er_arena *scratch, double *inertia)
{
    er_result r = ER_OK;
    const er_model *m = w->model;
    moments *moved;
    ERI_TRY_NEW(moved, scratch, moments, m->body_count);
    for (int b = 0; b < m->body_count; ++b)
        moved[b] = moments_of(&m->body[b]);
    for (int i = w->tree->link_count - 1; i >= 0; --i) {
        const eri_link *l = &w->tree->link[i];
        if (l->joint >= 0) find_joint_inertias(&m->joint[l->joint], &moved[l->body], inertia + l->coordinate);
        if (l->parent < 0) continue;
        moments *up = &moved[l->above];
        up->mass += moved[l->body].mass;
        up->centre = er_v3_add(up->centre, moved[l->body].centre);
        up->spin = er_m3_madd(up->spin, 1.0, moved[l->body].spin);
    }
    for (int k = 0; k < w->multibody->loop_count; ++k) {
        int joint = w->multibody->loop[k].joint;
        find_joint_inertias(&m->joint[joint], &moved[m->joint[joint].child], inertia + m->coordinate[joint]);
    }
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
        ERI_TRY_NEW(w->held, w->arena, bool, n);
        memcpy(w->held, w->def.held, n * sizeof(bool));
    }
    ERI_TRY(eri_multibody_create(w->arena, m, w->held, &w->multibody));
    w->tree = &w->multibody->tree;
    for (int l = 0; l < w->multibody->loop_count; ++l)
        rows += 6 - er_joint_type_freedom(m->joint[w->multibody->loop[l].joint].type, NULL);
    if (rows > MOST_LOOP_ROWS)
        return er_fail(w->context, ER_ERROR_RIG, "loops with %d constraints: at most %d can move", rows,
                       MOST_LOOP_ROWS);
    ERI_TRY_NEW(inertia, scratch, double, m->coordinate_count);
    ERI_TRY(find_inertias(w, scratch, inertia));
    ERI_TRY(eri_laws_create(w->arena, &w->def, inertia, &w->laws));
    ERI_TRY(eri_forces_create(w->arena, &w->def, w->held, &w->forces));
    ERI_TRY(eri_minimal_create(w->arena, w, &w->minimal));
    ERI_TRY(eri_maximal_create(w->arena, w, &w->maximal));
    w->position_count = eri_world_is_reduced(w) ? w->multibody->position_count : eri_maximal_position_count(w);
    w->velocity_count =
        (eri_world_is_reduced(w) ? w->multibody->velocity_count : 6 * w->tree->link_count) + ERI_WORLD_ACCOUNTS;
    size_t positions = 12 * n, velocities = 6 * n + ERI_WORLD_ACCOUNTS; // of any route
    ERI_TRY_NEW(w->q, w->arena, double, positions);
    ERI_TRY_NEW(w->u, w->arena, double, velocities);
    ERI_TRY_NEW(w->du, w->arena, double, velocities);
    ERI_TRY_NEW(w->near, w->arena, double, m->coordinate_count);
    ERI_TRY_NEW(w->motion, w->arena, eri_body_motion, n);
    ERI_TRY_NEW(w->wrench, w->arena, er_wrench, n);
    ERI_TRY_NEW(w->flies, w->arena, bool, n);
    ERI_TRY_NEW(w->ground, w->arena, eri_ground_state, n + 1);
    ERI_TRY_NEW(w->pose, w->arena, er_pose, n);
    ERI_TRY_NEW(w->held_pose, w->arena, er_pose, n);
    ERI_TRY_NEW(w->twist, w->arena, er_twist, n);
    ERI_TRY_NEW(w->mover, w->arena, int, n);
    ERI_TRY(eri_world_create_solver(w, scratch));
    ERI_TRY(eri_impacts_create(w, &w->impacts));
    ERI_TRY(eri_ties_create(w, &w->ties));
    ERI_TRY(eri_contacts_create(w, &w->contacts));
    ERI_TRY(er_world_set_state(w, 0.0, NULL, NULL));
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
    ERI_TRY(eri_world_def_check(context, def));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(w, arena, er_world, 1);
    w->context = context;
    w->arena = arena;
    w->def = *def;
    if (def->integrator == ER_INTEGRATE_AUTO)
        w->def.integrator = def->shape_count > 0 || def->tie_count > 0 || def->joint_break != NULL
                                ? ER_INTEGRATE_CONTACT
                                : ER_INTEGRATE_FEHLBERG;
    w->model = def->model;
    arena = NULL;
    ERI_TRY(fill(w, scratch));
    *out = w;
    w = NULL;
done:
    er_world_destroy(w);
    eri_arena_destroy(arena);
    eri_arena_destroy(scratch);
    return r;
}

void er_world_destroy(er_world *world)
{
    if (world == NULL) return;
    eri_impacts_destroy(world->impacts);
    eri_contacts_destroy(world->contacts);
    eri_ode_destroy(world->solver);
    er_kinematics_destroy(world->kinematics);
    eri_arena_destroy(world->arena);
}

// ---- State

double er_world_time(const er_world *world)
{
    return eri_ode_time(world->solver);
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
        eri_joint_ends e = eri_joint_ends_at(m, k, w->pose, w->twist);
        eri_rows rows = eri_rows_at(m->joint[k].type, m->joint[k].pitch, e.P, e.Q);
        double all[6];
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        eri_rows_rates(&rows, &e.parent, &e.child, all);
        for (int c = 0; c < count; ++c)
            rate[m->coordinate[k] + c] = all[axis[c]];
    }
}

// (w->q, w->u) by a route of the poses and twists shown.
static void take_state(er_world *w, er_dynamics_route route)
{
    if (route == ER_ROUTE_MULTIPLIERS) {
        eri_maximal_set_bodies(w, w->pose, w->twist, w->q, w->u);
        return;
    }
    eri_multibody_rest(w->multibody, w->q);
    for (int i = 0; i < w->tree->link_count; ++i) { // angles follow those of the state
        const eri_limb *l = &w->multibody->limb[i];
        if (w->tree->link[i].joint >= 0 && !l->turns_freely)
            memcpy(w->q + l->q, w->near + w->tree->link[i].coordinate, (size_t)l->freedom * sizeof *w->q);
    }
    eri_minimal_set_bodies(w->multibody, w->pose, w->twist, w->q, w->u);
}

// Takes poses and twists as the state, twists as the joints of the tree allow them, joint by joint from the root: a
// spin that is set stays, whatever the velocity was.
static void take_moving_state(er_world *w, double time)
{
    if (!eri_world_is_reduced(w)) {
        take_state(w, ER_ROUTE_REDUCED);
        eri_minimal_bodies(w, time, w->q, w->u, w->held_pose, w->twist);
        memset(w->u, 0, (size_t)w->velocity_count * sizeof *w->u);
    }
    take_state(w, w->def.route);
}

// Poses as shown, no joint moving: what hangs on a body that is led goes with it.
static void rest_bodies(er_world *w, double time)
{
    size_t velocities = 6 * (size_t)w->model->body_count + ERI_WORLD_ACCOUNTS;
    take_state(w, ER_ROUTE_REDUCED);
    memset(w->u, 0, velocities * sizeof *w->u);
    eri_minimal_bodies(w, time, w->q, w->u, w->pose, w->twist);
}

// Takes (w->q, w->u) as the state, its joints together.
static er_result start(er_world *w, double time)
{
    er_result r = ER_OK;
    eri_minimal_forget_ground(w);
    ERI_TRY(eri_world_close(w, time, true, w->q, w->u));
    eri_world_show(w, time, w->q, w->u);
    if (w->impacts != NULL) ERI_TRY(eri_impacts_start(w, time));
    if (w->contacts != NULL) eri_contacts_clear(w->contacts);
    eri_ties_start(w);
    w->forces->within = time;
    ERI_TRY(eri_ode_start(w->solver, time, w->q, w->u, 0.0));
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
    if (pose != NULL && !er_v3_finite(pose->p))
        return er_fail(w->context, ER_ERROR_ARGUMENT, "pose.p of body %d \"%s\" is not finite", body, name);
    if (pose != NULL && !(fabs(er_q_dot(pose->q, pose->q) - 1.0) <= 2e-3))
        return er_fail(w->context, ER_ERROR_ARGUMENT,
                       "pose.q of body %d \"%s\" is not a unit quaternion (identity: w = 1)", body, name);
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
            eri_world_guide(w, time, b, &w->pose[b], &w->twist[b], &rate);
            continue;
        }
        ERI_TRY(check_body(w, b, pose != NULL ? &pose[b] : NULL, twist != NULL ? &twist[b] : NULL));
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
        eri_joint_error(w->model, k, w->pose, error);
        for (int i = 0; i < 6; ++i)
            gap = fmax(gap, fabs(error[i]) / (i < 3 ? 1.0 : w->model->size));
    }
    return gap;
}

// The state that the solver has, shown.
static void show_again(er_world *w)
{
    if (eri_ode_positions(w->solver) == NULL) return;
    eri_world_show(w, eri_ode_time(w->solver), eri_ode_positions(w->solver), eri_ode_velocities(w->solver));
}

er_result er_world_set_state(er_world *w, double time, const er_pose *pose, const er_twist *twist)
{
    er_result r = ER_OK;
    if (w == NULL) return ER_ERROR_ARGUMENT;
    ERI_TRY(check_time(w, time));
    ERI_TRY(take_bodies(w, time, pose, twist));
    double gap = er_world_measure_gap(w);
    if (pose != NULL && !(gap <= loosest)) {
        r = er_fail(w->context, ER_ERROR_ARGUMENT,
                    "joints of the state stand %.3g of the rig's size or rad apart: at most %g", gap, loosest);
        goto done;
    }
    memset(w->near, 0, (size_t)w->model->coordinate_count * sizeof *w->near);
    memset(w->u, 0, (6 * (size_t)w->model->body_count + ERI_WORLD_ACCOUNTS) * sizeof *w->u);
    if (twist == NULL) rest_bodies(w, time);
    take_moving_state(w, time);
    ERI_TRY(start(w, time));
done:
    if (r != ER_OK) show_again(w);
    return r;
}

// Rates of a rotation vector as an angular velocity along the fixed axes: J(r) r'.
static er_vec3 turn_rate(er_vec3 r, er_vec3 rate)
{
    return er_pose_exp((er_twist){r, rate}).p;
}

static void set_limb(const er_world *w, int limb, const double *x, const double *rate)
{
    const eri_link *link = &w->tree->link[limb];
    const eri_limb *l = &w->multibody->limb[limb];
    er_pose X = eri_joint_displacement(link->type, link->pitch, x);
    eri_limb_set_displacement(w->multibody, limb, X, w->q + l->q);
    memcpy(w->u + l->u, rate, (size_t)l->freedom * sizeof *rate);
    if (!l->turns_freely) {
        memcpy(w->q + l->q, x, (size_t)l->freedom * sizeof *x);
        return;
    }
    er_vec3 turn = turn_rate(er_v3(x[0], x[1], x[2]), er_v3(rate[0], rate[1], rate[2]));
    w->u[l->u] = turn.x, w->u[l->u + 1] = turn.y, w->u[l->u + 2] = turn.z;
}

int er_world_displacement_width(const er_world *w)
{
    int width = w->model->coordinate_count;
    for (int b = 0; b < w->model->body_count; ++b)
        width += w->model->tree_joint[b] < 0 ? 6 : 0;
    return width;
}

// Closes loops as er_kinematics_pose() does, so that a displacement means the same pose in both. That knows no held
// bodies: with these, loops close from the tree's pose as in a step.
static er_result close_displacement(er_world *w, const double **x)
{
    er_result r = ER_OK;
    const size_t width = (size_t)er_world_displacement_width(w);
    if (*x == NULL || w->model->loop_count == 0 || w->held != NULL) return ER_OK;
    if (w->kinematics == NULL) {
        ERI_TRY_NEW(w->closed, w->arena, double, width);
        ERI_TRY_NEW(w->closed_pose, w->arena, er_pose, w->model->body_count);
        ERI_TRY(er_kinematics_create(w->context, w->model, &w->kinematics));
    }
    memcpy(w->closed, *x, width * sizeof **x);
    r = er_kinematics_pose(w->kinematics, w->closed, w->closed_pose);
    if (r == ER_OK) *x = w->closed;
    if (r == ER_ERROR_NO_CONVERGENCE) r = ER_OK; // steps from the tree's pose may still close it
done:
    return r;
}

er_result er_world_set_displacement(er_world *w, double time, const double *x, const double *rate)
{
    er_result r = ER_OK;
    static const double none[6] = {0};
    if (w == NULL) return ER_ERROR_ARGUMENT;
    ERI_TRY(check_time(w, time));
    const er_model *m = w->model;
    for (int c = 0; c < er_world_displacement_width(w); ++c)
        if ((x != NULL && !(fabs(x[c]) <= 1e9)) || (rate != NULL && !(fabs(rate[c]) <= 1e50))) {
            r = er_fail(w->context, ER_ERROR_ARGUMENT, "x[%d] or rate[%d] is not a number, or too large", c, c);
            goto done;
        }
    ERI_TRY(close_displacement(w, &x));
    eri_multibody_rest(w->multibody, w->q);
    memset(w->u, 0, (6 * (size_t)m->body_count + ERI_WORLD_ACCOUNTS) * sizeof *w->u);
    for (int b = 0, root = m->coordinate_count; b < m->body_count; ++b) {
        int i = w->tree->link_of_body[b], at = i >= 0 ? w->tree->link[i].coordinate : -1;
        if (i >= 0 && at < 0) at = root;
        if (m->tree_joint[b] < 0) root += 6;
        if (i >= 0) set_limb(w, i, x != NULL ? x + at : none, rate != NULL ? rate + at : none);
    }
    ERI_TRY(eri_minimal_restore(w, time, true, w->q, w->u));
    memset(w->near, 0, (size_t)m->coordinate_count * sizeof *w->near);
    for (int i = 0; i < w->tree->link_count && x != NULL; ++i) { // angles count the turns they were given
        const int at = w->tree->link[i].coordinate;
        if (at >= 0) memcpy(w->near + at, x + at, (size_t)w->multibody->limb[i].freedom * sizeof *x);
    }
    if (!eri_world_is_reduced(w)) {
        eri_minimal_bodies(w, time, w->q, w->u, w->pose, w->twist);
        memset(w->u, 0, (size_t)w->velocity_count * sizeof *w->u);
        take_state(w, w->def.route);
    }
    ERI_TRY(start(w, time));
done:
    if (r != ER_OK) show_again(w);
    return r;
}

// ---- Time

static const double *kept(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

// From where schedules begin or end to the next of these times.
static er_result advance(er_world *w, double until)
{
    er_result r = ER_OK;
    while (eri_ode_time(w->solver) < until) {
        double now = eri_ode_time(w->solver), next = fmin(until, eri_forces_break(w->forces, now));
        w->forces->within = now + 0.5 * (next - now);
        ERI_TRY(w->contacts != NULL  ? eri_contacts_advance(w, next)
                : w->impacts != NULL ? eri_impacts_advance(w, next)
                                     : eri_ode_advance(w->solver, next));
        if (next < until)
            ERI_TRY(eri_ode_start(w->solver, next, kept(w->q, eri_ode_positions(w->solver), w->position_count),
                                  kept(w->u, eri_ode_velocities(w->solver), w->velocity_count),
                                  eri_ode_next_step(w->solver)));
    }
done:
    w->forces->within = eri_ode_time(w->solver);
    return r;
}

er_result er_world_advance(er_world *w, double until, er_world_report *report)
{
    er_result r = ER_OK;
    er_ode_statistics before = {0}, after;
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (!(isfinite(until) && until >= eri_ode_time(w->solver)))
        return er_fail(w->context, ER_ERROR_ARGUMENT, "cannot advance to %g s from %.9g s", until,
                       eri_ode_time(w->solver));
    before = eri_ode_statistics_of(w->solver);
    w->corrections = 0;
    w->gap = 0.0;
    long steps = w->contacts != NULL ? eri_contacts_steps(w->contacts) : 0;
    if (w->impacts != NULL) eri_impacts_clear(w->impacts);
    r = advance(w, until);
    steps = w->contacts != NULL ? eri_contacts_steps(w->contacts) - steps : 0;
    if (r == ER_OK && w->contacts != NULL)
        eri_world_follow(w, eri_ode_positions(w->solver)); // poses are shown step by step
    else
        show_again(w);
    after = eri_ode_statistics_of(w->solver);
    if (report != NULL)
        *report = (er_world_report){after.steps - before.steps + steps, after.rejected - before.rejected,
                                    after.evaluations - before.evaluations + steps, w->corrections, w->gap};
    return r;
}

er_result er_world_accelerations(er_world *w, er_dynamics_route route, er_twist *acceleration, er_wrench *reaction)
{
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (route != ER_ROUTE_REDUCED && route != ER_ROUTE_MULTIPLIERS)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "there is no route %d", (int)route);
    double time = eri_ode_time(w->solver);
    eri_evaluation e = {.rate = acceleration, .reaction = reaction};
    if (route == w->def.route) {
        memcpy(w->q, eri_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
        memcpy(w->u, eri_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    } else {
        take_state(w, route);
    }
    er_result r = route == ER_ROUTE_REDUCED ? eri_minimal_evaluate(w, time, w->q, w->u, &e, w->du)
                                            : eri_maximal_evaluate(w, time, w->q, w->u, &e, w->du);
    for (int b = 0; b < w->model->body_count && w->held != NULL && acceleration != NULL; ++b) {
        er_pose pose;
        er_twist twist;
        if (w->held[b]) eri_world_guide(w, time, b, &pose, &twist, &acceleration[b]);
    }
    return r;
}

// ---- Measures

er_world_energy er_world_measure_energy(er_world *w)
{
    er_world_energy e = {0};
    eri_account account = {0};
    const double *u = eri_ode_velocities(w->solver);
    for (int b = 0; b < w->model->body_count; ++b) {
        const er_body *body = &w->model->body[b];
        if (w->held != NULL && w->held[b]) continue;
        eri_body_motion m = eri_body_motion_of(body, &w->pose[b], &w->twist[b]);
        er_vec3 spin = w->twist[b].angular;
        e.kinetic +=
            0.5 * body->mass * er_v3_dot(m.linear, m.linear) + 0.5 * er_v3_dot(spin, er_m3_mul_v(body->inertia, spin));
        e.potential -= body->mass * er_v3_dot(w->def.gravity, m.com);
    }
    eri_evaluation with = {.account = &account};
    eri_world_find(w, eri_ode_time(w->solver), eri_ode_positions(w->solver), u, &with, w->du);
    e.elastic = account.elastic;
    for (int i = 0; w->ties != NULL && i < w->ties->count; ++i)
        if (w->ties->tie[i].stiffness > 0.0 && w->ties->record[i].is_broken == 0.0)
            e.elastic += eri_tie_energy(&w->ties->tie[i], er_world_tie(w, i).length);
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
        eri_body_motion m = eri_body_motion_of(body, &w->pose[b], &w->twist[b]);
        er_vec3 p = er_v3_scale(body->mass, m.linear);
        P = er_v3_add(P, p);
        er_vec3 spin = er_m3_mul_v(m.axes, er_m3_mul_v(body->inertia, w->twist[b].angular));
        L = er_v3_add(L, er_v3_add(er_v3_cross(m.com, p), spin));
    }
    if (linear != NULL) *linear = P;
    if (angular != NULL) *angular = L;
}

// ---- Bytes

// The head of saved bytes, which identifies the world.
typedef struct header {
    uint64_t magic;
    int32_t positions, velocities, coordinates;
    int32_t impacts; // of the second that began at `since`
    double time, next_step, since;
} header;

static const uint64_t magic = 0x65526456656c6432u;

static header header_of(const er_world *w)
{
    eri_impact_rate rate = {eri_ode_time(w->solver), 0};
    if (w->impacts != NULL) rate = eri_impacts_rate(w->impacts);
    return (header){.magic = magic,
                    .positions = w->position_count,
                    .velocities = w->velocity_count,
                    .coordinates = w->model->coordinate_count,
                    .impacts = rate.count,
                    .time = eri_ode_time(w->solver),
                    .next_step = eri_ode_next_step(w->solver),
                    .since = rate.since};
}

size_t er_world_state_size(const er_world *w)
{
    size_t numbers = (size_t)w->position_count + (size_t)w->velocity_count + (size_t)w->model->coordinate_count;
    return sizeof(header) + numbers * sizeof(double) + eri_ties_size(w->ties) +
           (w->contacts != NULL ? eri_contacts_size(w->contacts) : 0);
}

void er_world_save(const er_world *w, void *bytes)
{
    header h = header_of(w);
    char *at = bytes;
    memcpy(at, &h, sizeof h);
    at += sizeof h;
    memcpy(at, eri_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    at += (size_t)w->position_count * sizeof(double);
    memcpy(at, eri_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    at += (size_t)w->velocity_count * sizeof(double);
    memcpy(at, w->near, (size_t)w->model->coordinate_count * sizeof(double));
    at += (size_t)w->model->coordinate_count * sizeof(double);
    eri_ties_save(w->ties, at);
    at += eri_ties_size(w->ties);
    if (w->contacts != NULL) eri_contacts_save(w->contacts, at);
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
        return er_fail(w->context, ER_ERROR_ARGUMENT, "these bytes are not a state of this world");
    at += sizeof h;
    memcpy(w->q, at, (size_t)w->position_count * sizeof(double));
    at += (size_t)w->position_count * sizeof(double);
    memcpy(w->u, at, (size_t)w->velocity_count * sizeof(double));
    at += (size_t)w->velocity_count * sizeof(double);
    w->forces->within = h.time;
    er_result r = eri_ode_start(w->solver, h.time, w->q, w->u, h.next_step);
    if (r != ER_OK) return r;
    if (w->impacts != NULL) eri_impacts_resume(w->impacts, (eri_impact_rate){h.since, h.impacts});
    memcpy(w->near, at, (size_t)w->model->coordinate_count * sizeof(double));
    at += (size_t)w->model->coordinate_count * sizeof(double);
    eri_minimal_forget_ground(w);
    eri_world_show(w, h.time, w->q, w->u);
    eri_ties_restore(w->ties, at);
    at += eri_ties_size(w->ties);
    return w->contacts != NULL ? eri_contacts_restore(w->contacts, at) : ER_OK;
}

uint64_t er_world_hash(const er_world *w)
{
    double time = eri_ode_time(w->solver);
    uint64_t hash = eri_hash_bytes(ERI_HASH_BEGIN, &time, sizeof time);
    hash = eri_hash_bytes(hash, w->pose, (size_t)w->model->body_count * sizeof *w->pose);
    return eri_hash_bytes(hash, w->twist, (size_t)w->model->body_count * sizeof *w->twist);
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
    double time = eri_ode_time(w->solver), before = er_world_measure_energy(w).kinetic;
    memcpy(w->q, eri_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    memcpy(w->u, eri_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    eri_world_apply_impulse(w, time, w->q, body, blow, w->u);
    eri_world_show(w, time, w->q, w->u);
    if (w->contacts != NULL) eri_contacts_wake(w->contacts, body);
    w->u[w->velocity_count - 2] += er_world_measure_energy(w).kinetic - before;
    return eri_ode_start(w->solver, time, w->q, w->u, 0.0);
}

// ---- Bodies moved by hand

static er_result check_move(er_world *w, const er_body_move *m)
{
    if (m->body < 0 || m->body >= w->model->body_count)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "there is no body %d to move", m->body);
    const char *name = w->model->body[m->body].name;
    if (w->held != NULL && w->held[m->body])
        return er_fail(w->context, ER_ERROR_ARGUMENT, "body %d \"%s\" is held and goes where it is led", m->body, name);
    if (m->pose != NULL && w->model->tree_joint[m->body] >= 0)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "body %d \"%s\" hangs on a joint and cannot be put elsewhere",
                       m->body, name);
    return check_body(w, m->body, m->pose, m->twist);
}

// Each body's move, or that of the nearest it hangs on; -1.
static void find_movers(er_world *w, int count, const er_body_move *move, bool poses)
{
    const er_model *m = w->model;
    for (int b = 0; b < m->body_count; ++b)
        w->mover[b] = -1;
    for (int k = 0; k < count; ++k)
        if (poses ? move[k].pose != NULL : move[k].twist != NULL) w->mover[move[k].body] = k;
    for (int i = 0; i < m->body_count; ++i) {
        int b = m->order[i], on = m->tree_parent[b];
        if (w->mover[b] < 0 && on >= 0) w->mover[b] = w->mover[on];
    }
}

// Moves the poses shown, the last in the tree first: they go by what they hang on, as that stands.
static void carry_poses(er_world *w, int count, const er_body_move *move)
{
    find_movers(w, count, move, true);
    for (int i = w->model->body_count - 1; i >= 0; --i) {
        int b = w->model->order[i], k = w->mover[b];
        if (k < 0) continue;
        er_pose to = {er_q_unit(move[k].pose->q), move[k].pose->p};
        w->pose[b] = er_pose_mul(er_pose_displacement(w->pose[move[k].body], to), w->pose[b]);
    }
}

// The same of changes of twists: no joint below moves otherwise than before.
static void carry_twists(er_world *w, int count, const er_body_move *move)
{
    find_movers(w, count, move, false);
    for (int i = w->model->body_count - 1; i >= 0; --i) {
        int b = w->model->order[i], k = w->mover[b];
        if (k < 0) continue;
        int on = move[k].body;
        er_twist change = {er_v3_sub(move[k].twist->angular, w->twist[on].angular),
                           er_v3_sub(move[k].twist->linear, w->twist[on].linear)};
        er_twist own = er_twist_transform(er_pose_mul(er_pose_inverse(w->pose[b]), w->pose[on]), change);
        w->twist[b] =
            (er_twist){er_v3_add(w->twist[b].angular, own.angular), er_v3_add(w->twist[b].linear, own.linear)};
    }
}

er_result er_world_move(er_world *w, int count, const er_body_move *move)
{
    er_result r = ER_OK;
    if (w == NULL || count < 0 || (count > 0 && move == NULL)) return ER_ERROR_ARGUMENT;
    for (int k = 0; k < count; ++k)
        ERI_TRY(check_move(w, &move[k]));
    double time = eri_ode_time(w->solver);
    const double *u = eri_ode_velocities(w->solver);
    er_world_energy before = er_world_measure_energy(w);
    double account[ERI_WORLD_ACCOUNTS];
    memcpy(account, u + w->velocity_count - ERI_WORLD_ACCOUNTS, sizeof account);
    carry_poses(w, count, move);
    carry_twists(w, count, move);
    take_moving_state(w, time);
    memcpy(w->u + w->velocity_count - ERI_WORLD_ACCOUNTS, account, sizeof account);
    ERI_TRY(eri_world_close(w, time, true, w->q, w->u));
    eri_world_show(w, time, w->q, w->u);
    for (int k = 0; k < count && w->contacts != NULL; ++k)
        eri_contacts_wake(w->contacts, move[k].body);
    ERI_TRY(eri_ode_start(w->solver, time, w->q, w->u, 0.0));
    er_world_energy after = er_world_measure_energy(w);
    w->u[w->velocity_count - 2] += after.mechanical - before.mechanical;
    ERI_TRY(eri_ode_start(w->solver, time, w->q, w->u, 0.0));
done:
    if (r != ER_OK) show_again(w);
    return r;
}

// ---- Motors

// The joint of a coordinate.
static int joint_of(const er_model *m, int coordinate)
{
    int low = 0, high = m->joint_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (m->coordinate[middle] <= coordinate)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Wakes the bodies of the joint, and computes accelerations anew where they are kept from step to step.
static er_result drive_anew(er_world *w, int coordinate)
{
    const er_joint *joint = &w->model->joint[joint_of(w->model, coordinate)];
    if (w->contacts != NULL) {
        eri_contacts_wake(w->contacts, joint->child);
        if (joint->parent >= 0) eri_contacts_wake(w->contacts, joint->parent);
        return ER_OK;
    }
    return eri_ode_start(w->solver, eri_ode_time(w->solver),
                         kept(w->q, eri_ode_positions(w->solver), w->position_count),
                         kept(w->u, eri_ode_velocities(w->solver), w->velocity_count), eri_ode_next_step(w->solver));
}

er_result er_world_drive(er_world *w, int coordinate, double position, double velocity)
{
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (coordinate < 0 || coordinate >= w->model->coordinate_count || w->laws->law[coordinate].motor_count == 0)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "no motor drives coordinate %d", coordinate);
    if (!eri_is_number(position) || !eri_is_number(velocity))
        return er_fail(w->context, ER_ERROR_ARGUMENT, "coordinate %d cannot be driven to %g at %g", coordinate,
                       position, velocity);
    const eri_law *law = &w->laws->law[coordinate];
    bool is_other = false;
    for (int i = 0; i < law->motor_count; ++i) {
        er_motor *motor = &w->laws->motor[law->motor + i];
        is_other |= motor->position != position || motor->velocity != velocity;
        motor->position = position;
        motor->velocity = velocity;
    }
    return is_other ? drive_anew(w, coordinate) : ER_OK;
}
