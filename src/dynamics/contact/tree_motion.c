/// @file
/// Moves articulations so that their momenta are conserved: the discrete constraints of RATTLE in joint coordinates.
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

static const double max_angle = 2.0;    // rad, of a limb in a step
static const double small_angle = 0.25; // rad: up to here the energy of a swing oscillates by little
static const double enough = 1e-7;      // of the velocities: a correction that changes no result
static const double good = 1e-6;        // of them: a correction that may be left undone
static const double fixed_share = 1e-9; // of the motion of a limb's centre of mass: its origin does not move
static const double rounding = 1e-12;   // of a momentum
static const double convergent = 0.7;   // of the previous correction

enum { MAX_ITERATIONS = 16 };

typedef struct tree_motion {
    er_pose *before, *after;     // [jointed_count]
    er_vec3 *arm;                // [jointed_count]: of the centre of mass, before
    er_wrench *wanted, *missing; // [jointed_count]: momenta along the straight path, and less those of the move
    double *wrench, *rate;       // [6 jointed_count], [velocity_count]
    double *trial, *q;           // [velocity_count], [position_count]: the step tried, and where it leads
} tree_motion;

static er_result create(er_world *w, tree_motion *m)
{
    er_result r = ER_OK;
    er_arena *arena = w->contacts->narrow.now.arena;
    size_t limbs = (size_t)w->multibody->jointed_count;
    ERI_TRY_RESERVE(m->before, arena, er_pose, limbs);
    ERI_TRY_RESERVE(m->after, arena, er_pose, limbs);
    ERI_TRY_RESERVE(m->arm, arena, er_vec3, limbs);
    ERI_TRY_RESERVE(m->wanted, arena, er_wrench, limbs);
    ERI_TRY_NEW(m->missing, arena, er_wrench, limbs);
    ERI_TRY_RESERVE(m->wrench, arena, double, 6 * limbs);
    ERI_TRY_NEW(m->rate, arena, double, w->multibody->velocity_count);
    ERI_TRY_RESERVE(m->trial, arena, double, w->multibody->velocity_count);
    ERI_TRY_RESERVE(m->q, arena, double, w->multibody->position_count);
done:
    return r;
}

static void place_limb(const er_world *w, int i, const double *q, er_pose *place)
{
    const eri_limb *l = &w->multibody->limb[i];
    const eri_link *link = &w->tree->link[i];
    er_pose above, X = eri_limb_displacement(w->multibody, i, q + l->q);
    if (link->parent >= 0) {
        above = place[link->parent];
    } else {
        const eri_ground_state *g = &w->ground[link->above >= 0 ? link->above : w->model->body_count];
        above = (er_pose){er_q_from_m3(g->axes), g->origin};
    }
    if (link->inverse) X = er_pose_inverse(X);
    place[i] = er_pose_mul(er_pose_mul(above, (er_pose){l->near_turn, l->near_origin}), X);
}

static er_vec3 times_inertia(const eri_limb *l, er_quat turn, er_vec3 w)
{
    const double *J = l->inertia;
    er_vec3 a = er_q_rotate(er_q_conj(turn), w);
    return er_q_rotate(turn, er_v3(J[0] * a.x + J[3] * a.y + J[4] * a.z, J[3] * a.x + J[1] * a.y + J[5] * a.z,
                                   J[4] * a.x + J[5] * a.y + J[2] * a.z));
}

// The momentum that takes a limb from where it was to `to` in the step, about its centre of mass.
// @param is_small  cleared if the limb turns far
// @return whether the limb turns little enough
static bool momentum_to(const eri_limb *l, double h, er_pose from, er_vec3 arm, er_pose to, er_wrench *out,
                        bool *is_small)
{
    er_quat d = er_q_mul(to.q, er_q_conj(from.q));
    er_vec3 turn = er_q_log(d), half = er_v3_scale(1.0 / d.w, er_v3(d.x, d.y, d.z)); // tan(angle / 2) along the axis
    double angle = er_v3_norm(turn);
    *is_small &= angle < small_angle;
    if (!(angle < max_angle)) return false;
    er_vec3 spin = er_v3_scale(1.0 / h, turn), mean = times_inertia(l, from.q, spin);
    out->torque = er_v3_add(mean, er_v3_cross(half, mean));
    er_vec3 way = er_v3_sub(to.p, from.p), after = er_q_rotate(to.q, l->com);
    er_vec3 swing = er_v3_sub(after, arm), velocity = er_v3_scale(1.0 / h, er_v3_add(way, swing));
    if (er_v3_norm(way) <= fixed_share * er_v3_norm(swing)) // a circle: the chord is shorter than the arc
        velocity = er_v3_scale(0.5 * (1.0 + er_v3_dot(half, half)), er_v3_cross(spin, er_v3_add(arm, after)));
    out->force = er_v3_scale(l->mass, velocity);
    return true;
}

// Finds the momenta that an articulation's move lacks, and their wrenches.
static bool find_missing(const er_world *w, eri_articulation *g, double h, tree_motion *m)
{
    g->is_slow = true;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        er_wrench has;
        place_limb(w, i, m->q, m->after);
        if (!momentum_to(l, h, m->before[i], m->arm[i], m->after[i], &has, &g->is_slow)) return false;
        m->missing[i].torque = er_v3_sub(m->wanted[i].torque, has.torque);
        m->missing[i].force = er_v3_sub(m->wanted[i].force, has.force);
        er_vec3 torque = er_v3_add(m->missing[i].torque, er_v3_cross(m->arm[i], m->missing[i].force));
        double *n = m->wrench + 6 * (size_t)i;
        n[0] = -torque.x, n[1] = -torque.y, n[2] = -torque.z;
        n[3] = -m->missing[i].force.x, n[4] = -m->missing[i].force.y, n[5] = -m->missing[i].force.z;
    }
    return true;
}

// The size of rates, shifts over the model's size, so that units of length do not matter.
static double size_of(const er_world *w, const eri_articulation *g, const double *rate)
{
    double sum = 0.0;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        for (int c = 0; c < l->freedom; ++c) {
            double x = rate[l->u + c] / (l->axis[c] < 3 ? 1.0 : w->model->size);
            sum += x * x;
        }
    }
    return sqrt(sum);
}

static void try_step(const er_world *w, const eri_articulation *g, const double *q, tree_motion *m)
{
    const eri_limb *first = &w->multibody->limb[g->first_limb], *last = &w->multibody->limb[g->last_limb - 1];
    int end = last->q + last->freedom + last->turns_freely;
    memcpy(m->q + first->q, q + first->q, (size_t)(end - first->q) * sizeof *q);
    eri_multibody_move(w->multibody, g->first_limb, g->last_limb, m->trial, m->q);
}

// Finds the step of an articulation.   @return whether there is one
static bool find_step(er_world *w, double h, const double *q, eri_articulation *g, tree_motion *m)
{
    double was = HUGE_VAL;
    for (int n = 1;; ++n) {
        try_step(w, g, q, m);
        if (!find_missing(w, g, h, m)) return false;
        eri_minimal_yield_of(w, g->first_limb, g->last_limb, m->wrench, m->rate);
        double all = size_of(w, g, m->trial), now = h * size_of(w, g, m->rate);
        if (now <= enough * all || n == MAX_ITERATIONS || now > convergent * was) return now <= good * all;
        for (int k = g->first_velocity; k < g->first_velocity + g->velocity_count; ++k)
            m->trial[k] += h * m->rate[k];
        was = now;
    }
}

// Takes from what joints hold of a floating tree the sum, which the last iteration leaves.
static void balance(const er_world *w, const eri_articulation *g, tree_motion *m)
{
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        sum = er_v3_add(sum, m->missing[i].force);
        mass += w->multibody->limb[i].mass;
    }
    for (int i = g->first_limb; i < g->last_limb; ++i)
        m->missing[i].force = er_v3_madd(m->missing[i].force, -w->multibody->limb[i].mass / mass, sum);
}

// Leaves out rounding, so that a straight motion stays one.
static void subtract_missing(const er_wrench *missing, const er_wrench *wanted, er_wrench *momentum)
{
    if (er_v3_norm(missing->torque) > rounding * er_v3_norm(wanted->torque))
        momentum->torque = er_v3_sub(momentum->torque, missing->torque);
    if (er_v3_norm(missing->force) > rounding * er_v3_norm(wanted->force))
        momentum->force = er_v3_sub(momentum->force, missing->force);
}

er_result eri_tree_motion_conserve(er_world *w, double h, const double *q, double *change, er_wrench *momentum)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    int limbs = w->multibody->jointed_count;
    tree_motion m;
    double *energy;
    bool is_any = false;
    for (int i = 0; i < s->bodies.articulation_count; ++i)
        is_any |= s->bodies.articulation[i].is_searched;
    if (!is_any) return ER_OK;
    ERI_TRY(create(w, &m));
    ERI_TRY_RESERVE(energy, s->narrow.now.arena, double, limbs);
    for (int i = 0; i < w->multibody->velocity_count; ++i)
        m.trial[i] = change[i] / h - s->state.u[i];
    eri_minimal_momenta(w, m.trial, m.wanted, energy);
    memcpy(m.trial, change, (size_t)w->multibody->velocity_count * sizeof *change);
    for (int i = 0; i < limbs; ++i) {
        eri_limb_motion at = eri_minimal_motion(w, i);
        m.before[i] = (er_pose){er_q_from_m3(at.axes), at.origin};
        m.arm[i] = er_m3_mul_v(at.axes, w->multibody->limb[i].com);
    }
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        size_t at = (size_t)g->first_velocity;
        g->is_conserving = g->is_searched && find_step(w, h, q, g, &m);
        if (g->is_conserving) memcpy(change + at, m.trial + at, (size_t)g->velocity_count * sizeof *change);
        if (g->is_conserving && g->is_floating) balance(w, g, &m);
        for (int k = g->first_limb; k < g->last_limb && g->is_conserving; ++k)
            subtract_missing(&m.missing[k], &m.wanted[k], &momentum[k]);
    }
done:
    return r;
}
