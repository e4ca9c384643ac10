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

// Where a limb is.
typedef struct limb_place {
    er_mat3 axes;
    er_vec3 origin;
} limb_place;

typedef struct tree_motion {
    limb_place *before, *after;  // [jointed_count]
    er_wrench *wanted, *missing; // [jointed_count]: momenta along the straight path, and less those of the move
    double *wrench, *rate;       // [6 jointed_count], [velocity_count]
    double *trial, *q;           // [velocity_count], [position_count]: the step tried, and where it leads
    double *last;                // [articulation_count]: the size of the last correction
} tree_motion;

static er_result create(er_world *w, tree_motion *m)
{
    er_result r = ER_OK;
    er_arena *arena = w->contacts->narrow.now.arena;
    size_t limbs = (size_t)w->multibody->jointed_count;
    ERI_TRY_RESERVE(m->before, arena, limb_place, limbs);
    ERI_TRY_RESERVE(m->after, arena, limb_place, limbs);
    ERI_TRY_RESERVE(m->wanted, arena, er_wrench, limbs);
    ERI_TRY_NEW(m->missing, arena, er_wrench, limbs);
    ERI_TRY_RESERVE(m->wrench, arena, double, 6 * limbs);
    ERI_TRY_NEW(m->rate, arena, double, w->multibody->velocity_count);
    ERI_TRY_RESERVE(m->trial, arena, double, w->multibody->velocity_count);
    ERI_TRY_RESERVE(m->q, arena, double, w->multibody->position_count);
    ERI_TRY_NEW(m->last, arena, double, w->contacts->bodies.articulation_count);
done:
    return r;
}

static void place_limb(const er_world *w, int i, const double *q, limb_place *place)
{
    const eri_limb *l = &w->multibody->limb[i];
    const eri_link *link = &w->tree->link[i];
    limb_place above;
    if (link->parent >= 0) {
        above = place[link->parent];
    } else {
        const eri_ground_state *g = &w->ground[link->above >= 0 ? link->above : w->model->body_count];
        above = (limb_place){g->axes, g->origin};
    }
    er_pose X = eri_limb_displacement(w->multibody, i, q + l->q);
    if (link->inverse) X = er_pose_inverse(X);
    er_mat3 near = er_m3_mul(above.axes, l->near_axes);
    er_vec3 origin = er_v3_add(above.origin, er_m3_mul_v(above.axes, l->near_origin));
    place[i] = (limb_place){er_m3_mul(near, er_m3_from_q(X.q)), er_v3_add(origin, er_m3_mul_v(near, X.p))};
}

static er_vec3 times_inertia(const eri_limb *l, er_mat3 axes, er_vec3 w)
{
    const double *J = l->inertia;
    er_vec3 a = er_m3_mul_v(er_m3_transpose(axes), w);
    return er_m3_mul_v(axes, er_v3(J[0] * a.x + J[3] * a.y + J[4] * a.z, J[3] * a.x + J[1] * a.y + J[5] * a.z,
                                   J[4] * a.x + J[5] * a.y + J[2] * a.z));
}

// The momentum that takes a limb from one place to another in the step, about its centre of mass.
// @param is_small  cleared if the limb turns far
// @return whether the limb turns little enough
static bool momentum_between(const eri_limb *l, double h, const limb_place *a, const limb_place *b, er_wrench *out,
                             bool *is_small)
{
    er_vec3 turn = er_q_log(er_q_from_m3(er_m3_mul(b->axes, er_m3_transpose(a->axes))));
    double angle = er_v3_norm(turn), half = tan(0.5 * angle);
    *is_small &= angle < small_angle;
    if (!(angle < max_angle)) return false;
    er_vec3 spin = er_v3_scale(1.0 / h, turn), mean = times_inertia(l, a->axes, spin);
    er_vec3 twice = er_v3_scale(angle > 0.0 ? half / angle : 0.5, turn);
    out->torque = er_v3_add(mean, er_v3_cross(twice, mean));
    er_vec3 way = er_v3_sub(b->origin, a->origin);
    er_vec3 first = er_m3_mul_v(a->axes, l->com), second = er_m3_mul_v(b->axes, l->com);
    er_vec3 swing = er_v3_sub(second, first), velocity = er_v3_scale(1.0 / h, er_v3_add(way, swing));
    if (er_v3_norm(way) <= fixed_share * er_v3_norm(swing)) // a circle: the chord is shorter than the arc
        velocity = er_v3_scale(0.5 * (1.0 + half * half), er_v3_cross(spin, er_v3_add(first, second)));
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
        if (!momentum_between(l, h, &m->before[i], &m->after[i], &has, &g->is_slow)) return false;
        m->missing[i].torque = er_v3_sub(m->wanted[i].torque, has.torque);
        m->missing[i].force = er_v3_sub(m->wanted[i].force, has.force);
        er_vec3 arm = er_m3_mul_v(m->before[i].axes, l->com);
        er_vec3 torque = er_v3_add(m->missing[i].torque, er_v3_cross(arm, m->missing[i].force));
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

// Ends the search for an articulation.   @param found  else it moves as it would have
static void end_search(eri_articulation *g, bool found, tree_motion *m, double *change)
{
    size_t at = (size_t)g->first_velocity, count = (size_t)g->velocity_count;
    g->is_searched = false;
    g->is_conserving = found;
    if (found)
        memcpy(change + at, m->trial + at, count * sizeof *change);
    else
        memcpy(m->trial + at, change + at, count * sizeof *change);
}

static void clear_wrench(const eri_articulation *g, tree_motion *m)
{
    memset(m->wrench + 6 * (size_t)g->first_limb, 0, 6 * (size_t)(g->last_limb - g->first_limb) * sizeof(double));
}

// One iteration.   @return whether some articulation is still searched
static bool iterate(er_world *w, double h, const double *q, int round, tree_motion *m, double *change)
{
    eri_contacts *s = w->contacts;
    bool is_any = false;
    memcpy(m->q, q, (size_t)w->multibody->position_count * sizeof *q);
    eri_multibody_move(w->multibody, 0, w->multibody->jointed_count, m->trial, m->q);
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        if (g->is_searched && !find_missing(w, g, h, m)) end_search(g, false, m, change);
        if (!g->is_searched) clear_wrench(g, m);
        is_any |= g->is_searched;
    }
    if (!is_any) return false;
    eri_minimal_yield(w, m->wrench, m->rate);
    is_any = false;
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        if (!g->is_searched) continue;
        double all = size_of(w, g, m->trial), now = h * size_of(w, g, m->rate);
        bool is_last = round == MAX_ITERATIONS - 1 || (round > 0 && now > convergent * m->last[i]);
        m->last[i] = now;
        if (now <= enough * all || is_last) {
            end_search(g, now <= good * all, m, change);
            continue;
        }
        for (int k = g->first_velocity; k < g->first_velocity + g->velocity_count; ++k)
            m->trial[k] += h * m->rate[k];
        is_any = true;
    }
    return is_any;
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
        m.before[i] = (limb_place){at.axes, at.origin};
    }
    for (int n = 0; iterate(w, h, q, n, &m, change); ++n)
        continue;
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        if (g->is_conserving && g->is_floating) balance(w, g, &m);
        for (int k = g->first_limb; k < g->last_limb && g->is_conserving; ++k)
            subtract_missing(&m.missing[k], &m.wanted[k], &momentum[k]);
    }
done:
    return r;
}
