/// @file
/// Eight worlds of one tree side by side: the sweeps of `reduced` in the lanes of vector registers. What acts on joints
/// and is linear goes in lanes too; the rest is asked for world by world.
#include <math.h>
#include <string.h>

#include "dynamics/world.h"

enum { STAGES = 4 };

struct er_ensemble {
    er_context *context;
    er_arena *arena;
    er_world *world; // of whom all is but the states
    er_limbs8 *limbs;
    double time;
    er_lanes *q, *u;          // [position_count], [velocity_count]
    er_lanes *at_q, *at_u;    // likewise, of a stage
    er_lanes *sum_q, *sum_u;  // likewise, of a step
    er_lanes *dq, *du;        // likewise
    er_lanes *force;          // [velocity_count]
    er_lanes *needed, *twist; // [6 limb_count]
    er_body_motion *motion;   // [body_count]
    er_wrench *wrench;        // [body_count]
    double *lane_q, *lane_u;  // [position_count], [velocity_count], of one world
};

static er_result fill(er_ensemble *e)
{
    er_result r = ER_OK;
    const er_tree *t = e->world->tree;
    size_t nq = (size_t)t->position_count, nu = (size_t)t->velocity_count, limbs = (size_t)t->limb_count;
    er_lanes **positions[] = {&e->q, &e->at_q, &e->sum_q, &e->dq};
    er_lanes **velocities[] = {&e->u, &e->at_u, &e->sum_u, &e->du, &e->force};
    ER_TRY(er_limbs8_create(e->arena, t, &e->limbs));
    for (size_t i = 0; i < ER_COUNT(positions); ++i)
        ER_TRY_NEW(*positions[i], e->arena, er_lanes, nq);
    for (size_t i = 0; i < ER_COUNT(velocities); ++i)
        ER_TRY_NEW(*velocities[i], e->arena, er_lanes, nu);
    ER_TRY_NEW(e->needed, e->arena, er_lanes, 6 * limbs);
    ER_TRY_NEW(e->twist, e->arena, er_lanes, 6 * limbs);
    ER_TRY_NEW(e->motion, e->arena, er_body_motion, t->model->body_count);
    ER_TRY_NEW(e->wrench, e->arena, er_wrench, t->model->body_count);
    ER_TRY_NEW(e->lane_q, e->arena, double, nq);
    ER_TRY_NEW(e->lane_u, e->arena, double, nu);
    for (int lane = 0; lane < ER_LANE_COUNT; ++lane)
        ER_TRY(er_ensemble_set(e, lane, e->world));
done:
    return r;
}

er_result er_ensemble_create(er_context *context, er_world *world, er_ensemble **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (world == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "an ensemble needs a world");
    if (world->def.route != ER_ROUTE_REDUCED)
        return er_fail(context, ER_ERROR_ARGUMENT, "an ensemble needs a world of route reduced");
    if (world->tree->loop_count > 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "an ensemble needs a world without loops: %d joints close some",
                       world->tree->loop_count);
    if (world->def.shape_count > 0)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "an ensemble needs a world without shapes: its worlds do not collide");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_ensemble *e;
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY_NEW(e, arena, er_ensemble, 1);
    e->context = context;
    e->arena = arena;
    e->world = world;
    ER_TRY(fill(e));
    *out = e;
    arena = NULL;
done:
    er_arena_destroy(arena);
    return r;
}

void er_ensemble_destroy(er_ensemble *ensemble)
{
    if (ensemble != NULL) er_arena_destroy(ensemble->arena);
}

er_result er_ensemble_set(er_ensemble *e, int lane, const er_world *from)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (lane < 0 || lane >= ER_LANE_COUNT)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "an ensemble has no lane %d", lane);
    if (from == NULL || from->model != e->world->model || from->def.route != ER_ROUTE_REDUCED ||
        from->position_count != e->world->position_count)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "lane %d needs the state of a world of the same model and route",
                       lane);
    const double *q = er_ode_positions(from->solver), *u = er_ode_velocities(from->solver);
    for (int i = 0; i < e->world->tree->position_count; ++i)
        e->q[i][lane] = q[i];
    for (int i = 0; i < e->world->tree->velocity_count; ++i)
        e->u[i][lane] = u[i];
    e->time = er_ode_time(from->solver);
    return ER_OK;
}

static void take_lane(const er_ensemble *e, const er_lanes *q, const er_lanes *u, int lane)
{
    for (int i = 0; i < e->world->tree->position_count; ++i)
        e->lane_q[i] = q[i][lane];
    for (int i = 0; i < e->world->tree->velocity_count; ++i)
        e->lane_u[i] = u[i][lane];
}

er_result er_ensemble_get(const er_ensemble *e, int lane, er_pose *pose, er_twist *twist)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (lane < 0 || lane >= ER_LANE_COUNT)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "an ensemble has no lane %d", lane);
    if (pose == NULL || twist == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "a lane is written as poses and twists");
    take_lane(e, e->q, e->u, lane);
    er_minimal_bodies(e->world, e->time, e->lane_q, e->lane_u, pose, twist);
    return ER_OK;
}

// ---- Accelerations

ER_LANES_INLINE er_lanes root(er_lanes x)
{
    er_lanes out;
    for (int l = 0; l < ER_LANE_COUNT; ++l)
        out[l] = __builtin_sqrt(x[l]);
    return out;
}

// The rotation vector 2 atan(|v| / |w|) v / |v| of a quaternion (w, v) of any norm, w's sign taken off: by halving the
// angle of |v| / (norm + |w|) twice, atan x = 2 atan (x / (1 + sqrt(1 + x^2))), then by series to half a unit in the
// last place.
ER_LANES_INLINE void rotation_vector(const er_lanes *E, er_lanes r[3])
{
    er_lanes w = er_lanes_magnitude(E[0]), vv = E[1] * E[1] + E[2] * E[2] + E[3] * E[3], norm = root(E[0] * E[0] + vv);
    er_lanes x = vv / ((norm + w) * (norm + w)), first = 1.0 + root(1.0 + x); // x: squares
    x /= first * first;
    er_lanes second = 1.0 + root(1.0 + x), sum = {0};
    x /= second * second;
    for (int k = 23; k >= 1; k -= 2)
        sum = 1.0 / k - x * sum;
    const er_lanes zero = {0};
    er_lanes scale = 16.0 * sum / (first * second * (norm + w));
    scale = er_lanes_choose(er_lanes_below(E[0], zero), -scale, scale);
    for (int i = 0; i < 3; ++i)
        r[i] = scale * E[1 + i];
}

ER_LANES static void linear_forces(const er_limb *l, const er_law *law, const er_lanes *q, const er_lanes *u,
                                   er_lanes *force)
{
    bool turns = er_joint_turns_freely(l->type);
    er_lanes x[6];
    for (int c = 0; c < l->freedom; ++c)
        x[c] = q[turns + c];
    if (turns && law->stiffness > 0.0) rotation_vector(q, x);
    for (int c = 0; c < l->freedom; ++c)
        force[c] = -law[c].stiffness * (x[c] - law[c].rest) - law[c].damping * u[c];
}

static void ask_each(er_ensemble *e, const er_limb *l, const er_lanes *q, const er_lanes *u)
{
    double x[6], rate[6], force[6], position[7];
    int positions = l->freedom + er_joint_turns_freely(l->type);
    for (int lane = 0; lane < ER_LANE_COUNT; ++lane) {
        for (int i = 0; i < positions; ++i)
            position[i] = q[l->q + i][lane];
        for (int c = 0; c < l->freedom; ++c)
            rate[c] = u[l->u + c][lane];
        memcpy(x, position, (size_t)l->freedom * sizeof *x);
        if (er_joint_turns_freely(l->type)) er_joint_coordinates(l->type, er_limb_displacement(l, position), NULL, x);
        er_laws_force(e->world->laws, l->joint, x, rate, force, NULL);
        for (int c = 0; c < l->freedom; ++c)
            e->force[l->u + c][lane] = force[c];
    }
}

static void joint_forces(er_ensemble *e, const er_lanes *q, const er_lanes *u)
{
    const er_world *w = e->world;
    for (int i = 0; i < w->tree->limb_count; ++i) {
        const er_limb *l = &w->tree->limb[i];
        if (l->joint < 0 || !w->laws->acts[l->joint])
            memset(e->force + l->u, 0, (size_t)l->freedom * sizeof *e->force);
        else if (w->laws->linear[l->joint])
            linear_forces(l, &w->laws->law[l->coordinate], q + l->q, u + l->u, e->force + l->u);
        else
            ask_each(e, l, q, u);
    }
}

static er_body_motion body_motion(const er_ensemble *e, int limb, int lane)
{
    const er_limb *l = &e->world->tree->limb[limb];
    er_limb_motion m = er_limbs8_motion(e->limbs, limb, lane);
    return (er_body_motion){.axes = er_m3_mul(m.axes, l->body_axes),
                            .origin = er_v3_add(m.origin, er_m3_mul_v(m.axes, l->body_frame.p)),
                            .com = er_v3_add(m.origin, m.com),
                            .angular = m.angular,
                            .linear = er_v3_add(m.linear, er_v3_cross(m.angular, m.com))};
}

static void body_forces(er_ensemble *e, double time, int lane)
{
    const er_world *w = e->world;
    memcpy(e->motion, w->motion, (size_t)w->model->body_count * sizeof *e->motion); // the held ones
    for (int i = 0; i < w->tree->limb_count; ++i)
        e->motion[w->tree->limb[i].body] = body_motion(e, i, lane);
    er_forces_wrenches(w->forces, time, e->motion, e->wrench, NULL);
    for (int i = 0; i < w->tree->limb_count; ++i) {
        er_wrench f = e->wrench[w->tree->limb[i].body];
        f.torque = er_v3_add(f.torque, er_v3_cross(er_limbs8_motion(e->limbs, i, lane).com, f.force));
        const double all[6] = {f.torque.x, f.torque.y, f.torque.z, f.force.x, f.force.y, f.force.z};
        for (int c = 0; c < 6; ++c)
            e->needed[6 * i + c][lane] -= all[c];
    }
}

static void accelerate(er_ensemble *e, double time, const er_lanes *q, const er_lanes *u)
{
    er_world_move_ground(e->world, time);
    er_limbs8_move(e->limbs, q, u, e->world->ground, e->needed);
    joint_forces(e, q, u);
    for (int lane = 0; lane < ER_LANE_COUNT && e->world->forces->any; ++lane)
        body_forces(e, time, lane);
    er_limbs8_factor_and_solve(e->limbs, NULL, e->force, e->needed, e->du, e->twist);
}

er_result er_ensemble_accelerations(er_ensemble *e, er_twist *acceleration)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (acceleration == NULL) return er_fail(e->context, ER_ERROR_ARGUMENT, "accelerations need a place");
    const er_world *w = e->world;
    int n = w->model->body_count;
    e->world->forces->within = e->time;
    accelerate(e, e->time, e->q, e->u);
    er_limbs8_rates(e->limbs, e->twist, w->def.gravity, acceleration);
    for (int lane = 0; lane < ER_LANE_COUNT; ++lane) {
        er_twist *to = acceleration + (size_t)lane * (size_t)n;
        for (int b = 0; b < n && w->held != NULL; ++b) {
            er_pose pose;
            er_twist twist;
            if (w->held[b]) er_world_guide(w, e->time, b, &pose, &twist, &to[b]);
        }
    }
    return ER_OK;
}

// ---- Time

// Q(q) u, as er_tree_drift().
ER_LANES static void drift(const er_tree *t, const er_lanes *q, const er_lanes *u, er_lanes *dq)
{
    for (int i = 0; i < t->limb_count; ++i) {
        const er_limb *l = &t->limb[i];
        const er_lanes *rate = u + l->u, *E = q + l->q;
        er_lanes *out = dq + l->q;
        int c = 0;
        if (er_joint_turns_freely(l->type)) {
            er_lanes x = 0.5 * rate[0], y = 0.5 * rate[1], z = 0.5 * rate[2];
            out[0] = -x * E[1] - y * E[2] - z * E[3];
            out[1] = x * E[0] + y * E[3] - z * E[2];
            out[2] = y * E[0] + z * E[1] - x * E[3];
            out[3] = z * E[0] + x * E[2] - y * E[1];
            ++out;
            c = 3;
        }
        for (; c < l->freedom; ++c)
            out[c] = rate[c];
    }
}

ER_LANES static void normalise(const er_tree *t, er_lanes *q)
{
    for (int i = 0; i < t->limb_count; ++i) {
        if (!er_joint_turns_freely(t->limb[i].type)) continue;
        er_lanes *E = q + t->limb[i].q, norm = root(E[0] * E[0] + E[1] * E[1] + E[2] * E[2] + E[3] * E[3]);
        for (int k = 0; k < 4; ++k)
            E[k] /= norm;
    }
}

// to = from + h x
ER_LANES static void reach(int count, const er_lanes *from, double h, const er_lanes *x, er_lanes *to)
{
    for (int i = 0; i < count; ++i)
        to[i] = from[i] + h * x[i];
}

static void step(er_ensemble *e, double h)
{
    static const double at[STAGES] = {0.0, 0.5, 0.5, 1.0},
                        weight[STAGES] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    int nq = e->world->tree->position_count, nu = e->world->tree->velocity_count;
    memcpy(e->sum_q, e->q, (size_t)nq * sizeof *e->q);
    memcpy(e->sum_u, e->u, (size_t)nu * sizeof *e->u);
    for (int s = 0; s < STAGES; ++s) {
        if (s > 0) reach(nq, e->q, at[s] * h, e->dq, e->at_q);
        if (s > 0) reach(nu, e->u, at[s] * h, e->du, e->at_u);
        const er_lanes *q = s > 0 ? e->at_q : e->q, *u = s > 0 ? e->at_u : e->u;
        accelerate(e, e->time + at[s] * h, q, u);
        drift(e->world->tree, q, u, e->dq);
        reach(nq, e->sum_q, weight[s] * h, e->dq, e->sum_q);
        reach(nu, e->sum_u, weight[s] * h, e->du, e->sum_u);
    }
    memcpy(e->q, e->sum_q, (size_t)nq * sizeof *e->q);
    memcpy(e->u, e->sum_u, (size_t)nu * sizeof *e->u);
    normalise(e->world->tree, e->q);
}

static bool is_finite(const er_ensemble *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->world->tree->velocity_count; ++i)
        sum += 0.0 * er_lanes_sum(e->u[i]);
    return sum == 0.0;
}

er_result er_ensemble_advance(er_ensemble *e, double until, int steps)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (!(isfinite(until) && until >= e->time && steps >= 1))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "cannot advance to %g s from %.9g s in %d steps", until, e->time,
                       steps);
    double from = e->time, h = (until - from) / steps;
    for (int n = 1; n <= steps; ++n) {
        e->world->forces->within = e->time + 0.5 * h;
        step(e, h);
        e->time = n < steps ? from + n * h : until;
    }
    if (!is_finite(e))
        return er_fail(e->context, ER_ERROR_NO_CONVERGENCE,
                       "a world of the ensemble left the range of numbers: take more steps");
    return ER_OK;
}
