/// @file
/// Motors of trees within their bounds: a motor acts implicitly, or with a constant force if that would exceed its
/// bound (docs/math/contact.md).
#include <math.h>

#include "dynamics/contact/contact_solver.h"

enum { MAX_ROUNDS = 8 };

// The coordinates of a joint: a rotation vector if all its turns are free.
static const double *coordinates_of(const eri_limb *l, const double *q, double turned[6])
{
    const double *x = q + l->q;
    if (!l->turns_freely) return x;
    er_vec3 turn = er_q_log(er_q(x[0], x[1], x[2], x[3]));
    turned[0] = turn.x, turned[1] = turn.y, turned[2] = turn.z;
    for (int c = 3; c < l->freedom; ++c)
        turned[c] = x[1 + c];
    return turned;
}

// The force that a motor without a bound would give at the end of a step.
static double drive_of(const er_motor *m, double x, double rate, double h)
{
    return m->stiffness * (m->position - x - h * rate) + m->damping * (m->velocity - rate);
}

// @param can_free  whether a motor may leave its bound
static eri_motor_state next_state(eri_motor_state state, double drive, double most, bool can_free)
{
    if (state == ERI_MOTOR_IMPLICIT)
        return drive > most ? ERI_MOTOR_AT_MOST : drive < -most ? ERI_MOTOR_AT_LEAST : state;
    bool holds = state == ERI_MOTOR_AT_MOST ? drive >= most : drive <= -most;
    return can_free && !holds ? ERI_MOTOR_IMPLICIT : state;
}

// Whether an articulation is in contact: there, only a step with its contacts tells that a motor leaves its bound.
static bool is_touched(const eri_contacts *s, int articulation)
{
    int slot = s->bodies.articulation[articulation].offset / ERI_LANE_COUNT;
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[i];
        bool bears = c->impulse[0] > 0.0;
        if (bears && (s->bodies.slot[c->shape[0]] == slot || s->bodies.slot[c->shape[1]] == slot)) return true;
    }
    return false;
}

// Finds the states of an articulation's motors at the rates that a step ends with.
// @param change  of the rates in the step
// @param power   added to: the mean power, if the motors have acted; NULL: not wanted
// @return whether some state has changed
static bool settle(er_world *w, const eri_articulation *g, const double *change, double h, bool can_free, double *power)
{
    const eri_contacts *s = w->contacts;
    eri_laws *laws = w->laws;
    bool any = false;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_link *link = &w->tree->link[i];
        const eri_limb *l = &w->multibody->limb[i];
        if (link->joint < 0 || !laws->acts[link->joint]) continue;
        double turned[6];
        const double *x = coordinates_of(l, s->state.q, turned);
        for (int c = 0; c < l->freedom; ++c) {
            const eri_law *law = &laws->law[link->coordinate + c];
            for (int k = law->motor; k < law->motor + law->motor_count; ++k) {
                const er_motor *m = &laws->motor[k];
                double was = s->state.u[l->u + c], rate = was + change[l->u + c], drive = drive_of(m, x[c], rate, h);
                eri_motor_state now = laws->state[k], next = next_state(now, drive, m->most, can_free);
                if (now >= ERI_MOTOR_AT_MOST) drive = now == ERI_MOTOR_AT_MOST ? m->most : -m->most;
                if (power != NULL) *power += 0.5 * drive * (was + rate);
                any |= next != now;
                laws->state[k] = (uint8_t)next;
            }
        }
    }
    return any;
}

void eri_tree_motors_create(er_world *w)
{
    eri_contacts *s = w->contacts;
    if (s->reference != NULL) return;
    s->motor_state = w->laws->state;
    s->motor_count = w->laws->motor_count;
    for (int i = 0; i < w->multibody->jointed_count; ++i) {
        const eri_link *link = &w->tree->link[i];
        for (int c = 0; link->joint >= 0 && c < w->multibody->limb[i].freedom; ++c) {
            const eri_law *law = &w->laws->law[link->coordinate + c];
            for (int k = law->motor; k < law->motor + law->motor_count; ++k)
                w->laws->state[k] = ERI_MOTOR_IMPLICIT;
        }
    }
}

er_result eri_tree_motors_impel(er_world *w, double time, double h, eri_account *account, double *du)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    const eri_account before = *account;
    bool again = true;
    for (int round = 0; round < MAX_ROUNDS && again; ++round) {
        *account = before;
        ERI_TRY(eri_minimal_impel(w, time, s->state.q, s->state.u, h, account, du));
        again = false;
        for (int i = 0; i < s->bodies.articulation_count && s->motor_count > 0; ++i) {
            const eri_articulation *g = &s->bodies.articulation[i];
            double *change = s->state.rate_change;
            for (int k = g->first_velocity; k < g->first_velocity + g->velocity_count; ++k)
                change[k] = h * du[k];
            again |= settle(w, g, change, h, round < MAX_ROUNDS / 2 && !is_touched(s, i), NULL);
        }
    }
done:
    return r;
}

void eri_tree_motors_finish(er_world *w, double h, eri_account *account)
{
    const eri_contacts *s = w->contacts;
    for (int i = 0; i < s->bodies.articulation_count && s->motor_count > 0; ++i)
        settle(w, &s->bodies.articulation[i], s->state.rate_change, h, true, &account->work);
}
