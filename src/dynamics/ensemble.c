/// @file
/// Eight worlds of one tree side by side: the sweeps of `reduced` in the lanes of vector registers. Linear forces
/// of joints are computed in lanes too, other forces world by world.
#include <math.h>
#include <string.h>

#include "dynamics/ensemble.h"
#include "dynamics/world.h"

enum { STAGES = 4, POWERS = 100 };

static const double small_turn = 1e-6; // rad and m: the equations are linear to rounding

struct er_ensemble {
    er_context *context;
    er_arena *arena;
    er_world *world; // of whom all is but the states
    eri_limbs8 *limbs;
    double time;
    eri_lanes *q, *u;               // [position_count], [velocity_count]
    eri_lanes *at_q, *at_u;         // likewise, of a stage
    eri_lanes *sum_q, *sum_u;       // likewise, of a step
    eri_lanes *dq, *du;             // likewise
    eri_lanes *before_q, *before_u; // likewise, of a step that may be taken back
    eri_lanes *force;               // [velocity_count]
    eri_lanes *needed, *twist;      // [6 limb_count]
    eri_body_motion *motion;        // [body_count]
    er_wrench *wrench;              // [body_count]
    double *lane_q, *lane_u;        // [position_count], [velocity_count], of one world
};

static er_result fill(er_ensemble *e)
{
    er_result r = ER_OK;
    const eri_multibody *t = e->world->multibody;
    size_t nq = (size_t)t->position_count, nu = (size_t)t->velocity_count, limbs = (size_t)t->tree.link_count;
    eri_lanes **positions[] = {&e->q, &e->at_q, &e->sum_q, &e->dq, &e->before_q};
    eri_lanes **velocities[] = {&e->u, &e->at_u, &e->sum_u, &e->du, &e->force, &e->before_u};
    ERI_TRY(eri_limbs8_create(e->arena, t, &e->limbs));
    for (size_t i = 0; i < ERI_COUNT(positions); ++i)
        ERI_TRY_NEW(*positions[i], e->arena, eri_lanes, nq);
    for (size_t i = 0; i < ERI_COUNT(velocities); ++i)
        ERI_TRY_NEW(*velocities[i], e->arena, eri_lanes, nu);
    ERI_TRY_NEW(e->needed, e->arena, eri_lanes, 6 * limbs);
    ERI_TRY_NEW(e->twist, e->arena, eri_lanes, 6 * limbs);
    ERI_TRY_NEW(e->motion, e->arena, eri_body_motion, t->model->body_count);
    ERI_TRY_NEW(e->wrench, e->arena, er_wrench, t->model->body_count);
    ERI_TRY_NEW(e->lane_q, e->arena, double, nq);
    ERI_TRY_NEW(e->lane_u, e->arena, double, nu);
    for (int lane = 0; lane < ERI_LANE_COUNT; ++lane)
        ERI_TRY(er_ensemble_set(e, lane, e->world));
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
    if (world->multibody->loop_count > 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "an ensemble needs a world without loops: %d joints close some",
                       world->multibody->loop_count);
    if (world->ties != NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "an ensemble needs a world without ties and joint_break");
    if (world->def.shape_count > 0)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "an ensemble needs a world without shapes: its worlds do not collide");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_ensemble *e;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(e, arena, er_ensemble, 1);
    e->context = context;
    e->arena = arena;
    e->world = world;
    ERI_TRY(fill(e));
    *out = e;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_ensemble_destroy(er_ensemble *ensemble)
{
    if (ensemble != NULL) eri_arena_destroy(ensemble->arena);
}

er_result er_ensemble_set(er_ensemble *e, int lane, const er_world *from)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (lane < 0 || lane >= ERI_LANE_COUNT)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "an ensemble has no lane %d", lane);
    if (from == NULL || from->model != e->world->model || from->def.route != ER_ROUTE_REDUCED ||
        from->position_count != e->world->position_count)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "lane %d needs the state of a world of the same model and route",
                       lane);
    const double *q = eri_ode_positions(from->solver), *u = eri_ode_velocities(from->solver);
    for (int i = 0; i < e->world->multibody->position_count; ++i)
        e->q[i][lane] = q[i];
    for (int i = 0; i < e->world->multibody->velocity_count; ++i)
        e->u[i][lane] = u[i];
    e->time = eri_ode_time(from->solver);
    return ER_OK;
}

static void take_lane(const er_ensemble *e, const eri_lanes *q, const eri_lanes *u, int lane)
{
    for (int i = 0; i < e->world->multibody->position_count; ++i)
        e->lane_q[i] = q[i][lane];
    for (int i = 0; i < e->world->multibody->velocity_count; ++i)
        e->lane_u[i] = u[i][lane];
}

er_result er_ensemble_get(const er_ensemble *e, int lane, er_pose *pose, er_twist *twist)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (lane < 0 || lane >= ERI_LANE_COUNT)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "an ensemble has no lane %d", lane);
    if (pose == NULL || twist == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "a lane is written as poses and twists");
    take_lane(e, e->q, e->u, lane);
    eri_minimal_bodies(e->world, e->time, e->lane_q, e->lane_u, pose, twist);
    return ER_OK;
}

// ---- Accelerations

ERI_LANES_INLINE eri_lanes root(eri_lanes x)
{
    eri_lanes out;
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        out[l] = __builtin_sqrt(x[l]);
    return out;
}

// The rotation vector 2 atan(|v| / |w|) v / |v| of a quaternion (w, v) of any norm, w's sign taken off: by halving the
// angle of |v| / (norm + |w|) twice, atan x = 2 atan (x / (1 + sqrt(1 + x^2))), then by series to half a unit in the
// last place.
ERI_LANES_INLINE void rotation_vector(const eri_lanes *E, eri_lanes r[3])
{
    eri_lanes w = eri_lanes_magnitude(E[0]), vv = E[1] * E[1] + E[2] * E[2] + E[3] * E[3],
              norm = root(E[0] * E[0] + vv);
    eri_lanes x = vv / ((norm + w) * (norm + w)), first = 1.0 + root(1.0 + x); // x: squares
    x /= first * first;
    eri_lanes second = 1.0 + root(1.0 + x), sum = {0};
    x /= second * second;
    for (int k = 23; k >= 1; k -= 2)
        sum = 1.0 / k - x * sum;
    const eri_lanes zero = {0};
    eri_lanes scale = 16.0 * sum / (first * second * (norm + w));
    scale = eri_lanes_choose(eri_lanes_below(E[0], zero), -scale, scale);
    for (int i = 0; i < 3; ++i)
        r[i] = scale * E[1 + i];
}

ERI_LANES_DO(linear_forces,
             (const eri_limb *l, const eri_law *law, const eri_lanes *q, const eri_lanes *u, eri_lanes *force),
             (l, law, q, u, force))
{
    bool turns = l->turns_freely;
    eri_lanes x[6];
    for (int c = 0; c < l->freedom; ++c)
        x[c] = q[turns + c];
    if (turns && law->stiffness > 0.0) rotation_vector(q, x);
    for (int c = 0; c < l->freedom; ++c)
        force[c] = -law[c].stiffness * (x[c] - law[c].rest) - law[c].damping * u[c];
}

static void ask_each(er_ensemble *e, int limb, const eri_lanes *q, const eri_lanes *u)
{
    const eri_multibody *m = e->world->multibody;
    const eri_link *link = &m->tree.link[limb];
    const eri_limb *l = &m->limb[limb];
    double x[6], rate[6], force[6], position[7];
    int positions = l->freedom + l->turns_freely;
    for (int lane = 0; lane < ERI_LANE_COUNT; ++lane) {
        for (int i = 0; i < positions; ++i)
            position[i] = q[l->q + i][lane];
        for (int c = 0; c < l->freedom; ++c)
            rate[c] = u[l->u + c][lane];
        memcpy(x, position, (size_t)l->freedom * sizeof *x);
        if (l->turns_freely)
            eri_joint_coordinates(link->type, link->pitch, eri_limb_displacement(m, limb, position), NULL, x);
        eri_laws_force(e->world->laws, link->joint, x, rate, force, NULL);
        for (int c = 0; c < l->freedom; ++c)
            e->force[l->u + c][lane] = force[c];
    }
}

static void joint_forces(er_ensemble *e, const eri_lanes *q, const eri_lanes *u)
{
    const er_world *w = e->world;
    for (int i = 0; i < w->tree->link_count; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        const eri_link *link = &w->tree->link[i];
        if (link->joint < 0 || !w->laws->acts[link->joint])
            memset(e->force + l->u, 0, (size_t)l->freedom * sizeof *e->force);
        else if (w->laws->linear[link->joint])
            linear_forces(l, &w->laws->law[link->coordinate], q + l->q, u + l->u, e->force + l->u);
        else
            ask_each(e, i, q, u);
    }
}

static eri_body_motion body_motion(const er_ensemble *e, int limb, int lane)
{
    const eri_limb *l = &e->world->multibody->limb[limb];
    eri_limb_motion m = eri_limbs8_motion(e->limbs, limb, lane);
    return (eri_body_motion){.axes = er_m3_mul(m.axes, l->body_axes),
                             .origin = er_v3_add(m.origin, er_m3_mul_v(m.axes, l->body_frame.p)),
                             .com = er_v3_add(m.origin, m.com),
                             .angular = m.angular,
                             .linear = er_v3_add(m.linear, er_v3_cross(m.angular, m.com))};
}

static void body_forces(er_ensemble *e, double time, int lane)
{
    const er_world *w = e->world;
    memcpy(e->motion, w->motion, (size_t)w->model->body_count * sizeof *e->motion); // the held ones
    for (int i = 0; i < w->tree->link_count; ++i)
        e->motion[w->tree->link[i].body] = body_motion(e, i, lane);
    eri_forces_wrenches(w->forces, time, e->motion, e->wrench, NULL);
    for (int i = 0; i < w->tree->link_count; ++i) {
        er_wrench f = e->wrench[w->tree->link[i].body];
        f.torque = er_v3_add(f.torque, er_v3_cross(eri_limbs8_motion(e->limbs, i, lane).com, f.force));
        const double all[6] = {f.torque.x, f.torque.y, f.torque.z, f.force.x, f.force.y, f.force.z};
        for (int c = 0; c < 6; ++c)
            e->needed[6 * i + c][lane] -= all[c];
    }
}

static void accelerate(er_ensemble *e, double time, const eri_lanes *q, const eri_lanes *u)
{
    eri_world_move_ground(e->world, time);
    eri_limbs8_move(e->limbs, q, u, e->world->ground, e->needed);
    joint_forces(e, q, u);
    for (int lane = 0; lane < ERI_LANE_COUNT && e->world->forces->any; ++lane)
        body_forces(e, time, lane);
    eri_limbs8_factor_and_solve(e->limbs, NULL, e->force, e->needed, e->du, e->twist);
}

er_result er_ensemble_accelerations(er_ensemble *e, er_twist *acceleration)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (acceleration == NULL) return er_fail(e->context, ER_ERROR_ARGUMENT, "accelerations need a place");
    const er_world *w = e->world;
    int n = w->model->body_count;
    e->world->forces->within = e->time;
    accelerate(e, e->time, e->q, e->u);
    eri_limbs8_rates(e->limbs, e->twist, w->def.gravity, acceleration);
    for (int lane = 0; lane < ERI_LANE_COUNT; ++lane) {
        er_twist *to = acceleration + (size_t)lane * (size_t)n;
        for (int b = 0; b < n && w->held != NULL; ++b) {
            er_pose pose;
            er_twist twist;
            if (w->held[b]) eri_world_guide(w, e->time, b, &pose, &twist, &to[b]);
        }
    }
    return ER_OK;
}

// ---- Time

// Q(q) u, as eri_multibody_drift().
ERI_LANES_DO(drift, (const eri_multibody *t, const eri_lanes *q, const eri_lanes *u, eri_lanes *dq), (t, q, u, dq))
{
    for (int i = 0; i < t->tree.link_count; ++i) {
        const eri_limb *l = &t->limb[i];
        const eri_lanes *rate = u + l->u, *E = q + l->q;
        eri_lanes *out = dq + l->q;
        int c = 0;
        if (l->turns_freely) {
            eri_lanes x = 0.5 * rate[0], y = 0.5 * rate[1], z = 0.5 * rate[2];
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

ERI_LANES_DO(normalise, (const eri_multibody *t, eri_lanes *q), (t, q))
{
    for (int i = 0; i < t->tree.link_count; ++i) {
        if (!t->limb[i].turns_freely) continue;
        eri_lanes *E = q + t->limb[i].q, norm = root(E[0] * E[0] + E[1] * E[1] + E[2] * E[2] + E[3] * E[3]);
        for (int k = 0; k < 4; ++k)
            E[k] /= norm;
    }
}

// to = from + share h x
ERI_LANES_DO(reach,
             (int count, const eri_lanes *from, double share, const eri_lanes *h, const eri_lanes *x, eri_lanes *to),
             (count, from, share, h, x, to))
{
    eri_lanes way = share * *h;
    for (int i = 0; i < count; ++i)
        to[i] = from[i] + way * x[i];
}

// @param duration  s, from e->time, for forces that depend on it
static void step(er_ensemble *e, const eri_lanes *h, double duration)
{
    static const double at[STAGES] = {0.0, 0.5, 0.5, 1.0},
                        weight[STAGES] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    int nq = e->world->multibody->position_count, nu = e->world->multibody->velocity_count;
    memcpy(e->sum_q, e->q, (size_t)nq * sizeof *e->q);
    memcpy(e->sum_u, e->u, (size_t)nu * sizeof *e->u);
    for (int s = 0; s < STAGES; ++s) {
        if (s > 0) reach(nq, e->q, at[s], h, e->dq, e->at_q);
        if (s > 0) reach(nu, e->u, at[s], h, e->du, e->at_u);
        const eri_lanes *q = s > 0 ? e->at_q : e->q, *u = s > 0 ? e->at_u : e->u;
        accelerate(e, e->time + at[s] * duration, q, u);
        drift(e->world->multibody, q, u, e->dq);
        reach(nq, e->sum_q, weight[s], h, e->dq, e->sum_q);
        reach(nu, e->sum_u, weight[s], h, e->du, e->sum_u);
    }
    memcpy(e->q, e->sum_q, (size_t)nq * sizeof *e->q);
    memcpy(e->u, e->sum_u, (size_t)nu * sizeof *e->u);
    normalise(e->world->multibody, e->q);
}

static bool is_finite(const er_ensemble *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->world->multibody->velocity_count; ++i)
        sum += 0.0 * eri_lanes_sum(e->u[i]);
    return sum == 0.0;
}

er_result er_ensemble_advance(er_ensemble *e, double until, int steps)
{
    if (e == NULL) return ER_ERROR_ARGUMENT;
    if (!(isfinite(until) && until >= e->time && steps >= 1))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "cannot advance to %g s from %.9g s in %d steps", until, e->time,
                       steps);
    double from = e->time, h = (until - from) / steps;
    const eri_lanes zero = {0}, same = zero + h;
    for (int n = 1; n <= steps; ++n) {
        e->world->forces->within = e->time + 0.5 * h;
        step(e, &same, h);
        e->time = n < steps ? from + n * h : until;
    }
    if (!is_finite(e))
        return er_fail(e->context, ER_ERROR_NO_CONVERGENCE,
                       "a world of the ensemble left the range of numbers: take more steps");
    return ER_OK;
}

// ---- Lanes at their own pace

// The part of the way since `before` at which the first ball joint passes half a turn, where the real part of its
// quaternion changes its sign; 1: none does.
ERI_LANES_DO(find_half_turn, (const eri_multibody *m, const eri_lanes *before, const eri_lanes *q, eri_lanes *way),
             (m, before, q, way))
{
    const eri_lanes zero = {0}, one = zero + 1.0;
    *way = one;
    for (int i = 0; i < m->tree.link_count; ++i) {
        if (!m->limb[i].turns_freely || m->tree.link[i].joint < 0) continue;
        eri_lanes from = before[m->limb[i].q], to = q[m->limb[i].q];
        eri_lanes share = eri_lanes_choose(eri_lanes_below(from * to, zero), from / (from - to), one);
        *way = eri_lanes_choose(eri_lanes_below(share, *way), share, *way);
    }
}

ERI_LANES_DO(find_fastest_turn, (const eri_multibody *m, const eri_lanes *u, eri_lanes *turn), (m, u, turn))
{
    eri_lanes largest = {0};
    for (int i = 0; i < m->tree.link_count; ++i)
        for (int c = 0; c < m->limb[i].freedom; ++c)
            if (m->limb[i].axis[c] < 3) largest = eri_lanes_larger(largest, eri_lanes_magnitude(u[m->limb[i].u + c]));
    *turn = largest;
}

ERI_LANES_DO(take_back, (int count, const eri_mask *which, const eri_lanes *before, eri_lanes *x),
             (count, which, before, x))
{
    for (int i = 0; i < count; ++i)
        x[i] = eri_lanes_choose(*which, before[i], x[i]);
}

void eri_ensemble_step(er_ensemble *e, const eri_lanes *h, const bool *halts, double *way, eri_lanes *turn)
{
    const eri_multibody *m = e->world->multibody;
    eri_lanes passed;
    eri_mask back;
    bool any = false;
    memcpy(e->before_q, e->q, (size_t)m->position_count * sizeof *e->q);
    memcpy(e->before_u, e->u, (size_t)m->velocity_count * sizeof *e->u);
    step(e, h, 0.0);
    find_half_turn(m, e->before_q, e->q, &passed);
    for (int lane = 0; lane < ERI_LANE_COUNT; ++lane) {
        bool halted = halts[lane] && passed[lane] < 1.0;
        way[lane] = halted ? passed[lane] : 1.0;
        back[lane] = -(long long)halted;
        any |= halted;
    }
    if (any) take_back(m->position_count, &back, e->before_q, e->q);
    if (any) take_back(m->velocity_count, &back, e->before_u, e->u);
    find_fastest_turn(m, e->u, turn);
}

ERI_LANES_DO(project,
             (const eri_multibody *m, const eri_lanes *q, const eri_lanes *u, const eri_lanes *weight, eri_lanes *sum,
              eri_lanes *rate),
             (m, q, u, weight, sum, rate))
{
    eri_lanes a = {0}, da = {0}, x[6];
    for (int i = 0; i < m->tree.link_count; ++i) {
        const eri_limb *l = &m->limb[i];
        if (m->tree.link[i].joint < 0) continue;
        const eri_lanes *w = weight + m->tree.link[i].coordinate;
        for (int c = 0; c < l->freedom; ++c)
            x[c] = q[l->q + l->turns_freely + c];
        if (l->turns_freely) rotation_vector(q + l->q, x);
        for (int c = 0; c < l->freedom; ++c) {
            a += w[c] * x[c];
            da += w[c] * u[l->u + c];
        }
    }
    *sum = a;
    *rate = da;
}

void eri_ensemble_project(const er_ensemble *e, const eri_lanes *weight, eri_lanes *sum, eri_lanes *rate)
{
    project(e->world->multibody, e->q, e->u, weight, sum, rate);
}

er_result eri_ensemble_show(const er_ensemble *e, int lane, er_world *to)
{
    const eri_multibody *m = e->world->multibody;
    take_lane(e, e->q, e->u, lane);
    memcpy(to->q, e->lane_q, (size_t)m->position_count * sizeof *to->q);
    memset(to->u, 0, (size_t)to->velocity_count * sizeof *to->u);
    memcpy(to->u, e->lane_u, (size_t)m->velocity_count * sizeof *to->u);
    return eri_world_go_on(to, eri_ode_time(to->solver));
}

// Displaces the limbs along du, each lane by the length of `small_turn`.
static void displace(er_ensemble *e)
{
    const eri_multibody *m = e->world->multibody;
    eri_lanes square = {0};
    for (int i = 0; i < m->velocity_count; ++i)
        square += e->du[i] * e->du[i];
    const eri_lanes scale = small_turn / root(square + 1e-300);
    for (int i = 0; i < m->tree.link_count; ++i) {
        const eri_limb *l = &m->limb[i];
        eri_lanes *q = e->q + l->q;
        double half = l->turns_freely ? 0.5 : 1.0; // of quaternions
        if (l->turns_freely) *q++ = (eri_lanes){0} + 1.0;
        for (int c = 0; c < l->freedom; ++c)
            q[c] = (c < 3 ? half : 1.0) * scale * e->du[l->u + c];
    }
    memset(e->u, 0, (size_t)m->velocity_count * sizeof *e->u);
}

// -x' K x'' / x' K x, the largest of all lanes: the Rayleigh quotient of M^-1 K.
static double rayleigh_quotient(const er_ensemble *e)
{
    const er_world *w = e->world;
    eri_lanes up = {0}, down = {0}, x[6];
    double largest = 0.0;
    for (int i = 0; i < w->tree->link_count; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        if (w->tree->link[i].joint < 0) continue;
        const eri_law *law = &w->laws->law[w->tree->link[i].coordinate];
        for (int c = 0; c < l->freedom; ++c)
            x[c] = e->q[l->q + l->turns_freely + c];
        if (l->turns_freely) rotation_vector(e->q + l->q, x);
        for (int c = 0; c < l->freedom; ++c) {
            up -= law[c].stiffness * x[c] * e->du[l->u + c];
            down += law[c].stiffness * x[c] * x[c];
        }
    }
    for (int lane = 0; lane < ERI_LANE_COUNT; ++lane)
        if (down[lane] > 0.0) largest = fmax(largest, up[lane] / down[lane]);
    return largest;
}

double eri_ensemble_fastest(er_ensemble *e)
{
    unsigned random = 1;
    for (int i = 0; i < e->world->multibody->velocity_count; ++i)
        for (int lane = 0; lane < ERI_LANE_COUNT; ++lane) {
            random = random * 1664525u + 1013904223u;
            e->du[i][lane] = random / 4294967296.0 - 0.5;
        }
    double largest = 0.0;
    for (int n = 0; n < POWERS; ++n) {
        displace(e);
        accelerate(e, e->time, e->q, e->u);
        largest = fmax(largest, rayleigh_quotient(e));
    }
    return sqrt(largest);
}
