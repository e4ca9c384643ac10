/// @file
/// Islands: movers that touch, directly or by others; those that have been slow for long sleep (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"
#include "dynamics/contact/contact_step.h"

static const double alike = 1e-6; // of weight: forces that differ by more have changed

er_result eri_islands_create(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    int slots = s->width / ERI_LANE_COUNT, bodies = w->model->body_count;
    s->sleeps = w->def.contact.sleep_time > 0.0 && eri_world_is_reduced(w);
    ERI_TRY_NEW(s->root, w->arena, int, slots);
    if (!s->sleeps) return ER_OK;
    ERI_TRY_NEW(s->fast, w->arena, bool, slots);
    ERI_TRY_NEW(s->extent, w->arena, double, bodies);
    s->kept_count = 2 * (size_t)slots + (size_t)s->width;
    ERI_TRY_NEW(s->kept, w->arena, double, s->kept_count);
    s->quiet = s->kept;
    s->asleep = s->kept + slots;
    s->slept = s->kept + 2 * (size_t)slots;
    for (int i = 0; i < s->shape_count; ++i) {
        int b = s->shape[i].body;
        bool is_ball = s->shape[i].shape.kind == ER_SHAPE_SPHERE; // nothing stops one that spins in place
        double far = er_v3_norm(s->shape[i].pose.p) + (is_ball ? 0.0 : s->radius[i]);
        if (b >= 0) s->extent[b] = fmax(s->extent[b], far);
    }
    for (int b = 0; b < bodies; ++b)
        s->extent[b] = fmax(s->extent[b], er_v3_norm(w->model->body[b].com));
done:
    return r;
}

// Of a mover, by its number: bodies without joints, then groves.
static int mover_count(const eri_contacts *s)
{
    return s->single_count - s->still_count + s->grove_count;
}

static int slot_of(const eri_contacts *s, int mover)
{
    int lone = s->single_count - s->still_count;
    return mover < lone ? s->still_count + mover : s->grove[mover - lone].at / ERI_LANE_COUNT;
}

// ---- Which hang together

static int root_of(const eri_contacts *s, int slot)
{
    while (s->root[slot] != slot)
        slot = s->root[slot] = s->root[s->root[slot]];
    return slot;
}

// Islands of what touches, each known by its least mover.
static void join(eri_contacts *s)
{
    for (int i = 0; i < s->width / ERI_LANE_COUNT; ++i)
        s->root[i] = i;
    for (int i = 0; i < s->now.count; ++i) {
        const eri_touching *c = &s->now.item[i];
        int a = eri_contacts_slot(s, c->shape[0]), b = eri_contacts_slot(s, c->shape[1]);
        if (a < 0 || b < 0) continue;
        a = root_of(s, a);
        b = root_of(s, b);
        s->root[a < b ? b : a] = a < b ? a : b;
    }
    for (int i = 0; i < s->width / ERI_LANE_COUNT; ++i)
        s->root[i] = root_of(s, i);
}

static int slot_of_body(const eri_contacts *s, int body)
{
    eri_mover m = s->mover[body];
    return m.grove >= 0 ? s->grove[m.grove].at / ERI_LANE_COUNT : m.single;
}

void er_world_islands(er_world *w, int *island)
{
    eri_contacts *s = w->contacts;
    int count = 0;
    for (int b = 0; b < w->model->body_count; ++b)
        island[b] = -1;
    if (s == NULL || s->reference != NULL) return;
    join(s);
    // a body of lesser index may be of a mover of greater one: islands are counted by bodies
    int bodies = w->model->body_count, *number = s->root;
    for (int b = 0; b < bodies; ++b)
        if (!eri_contacts_is_ground(s, b)) island[b] = root_of(s, slot_of_body(s, b));
    for (int i = 0; i < s->width / ERI_LANE_COUNT; ++i)
        number[i] = -1;
    for (int b = 0; b < bodies; ++b) {
        if (island[b] < 0) continue;
        if (number[island[b]] < 0) number[island[b]] = count++;
        island[b] = number[island[b]];
    }
}

// ---- Falling asleep

// How fast any point of it moves, at most.
static double speed_of(const er_world *w, int body)
{
    const er_twist *v = &w->twist[body];
    return er_v3_norm(v->linear) + er_v3_norm(v->angular) * w->contacts->extent[body];
}

static double energy_of(const er_world *w, int body)
{
    const er_body *b = &w->model->body[body];
    er_vec3 spin = w->twist[body].angular, v = er_v3_add(w->twist[body].linear, er_v3_cross(spin, b->com));
    return 0.5 * (b->mass * er_v3_dot(v, v) + er_v3_dot(spin, er_m3_mul_v(b->inertia, spin)));
}

// What sleeps has no velocity; what it had becomes heat.
static void lay_down(er_world *w)
{
    eri_contacts *s = w->contacts;
    for (int b = 0; b < w->model->body_count; ++b) {
        if (eri_contacts_is_ground(s, b) || s->asleep[slot_of_body(s, b)] != 1.0) continue;
        const eri_limb *l = &w->tree->limb[w->tree->limb_of_body[b]];
        s->u[w->velocity_count - 1] += energy_of(w, b);
        w->twist[b] = (er_twist){{0, 0, 0}, {0, 0, 0}};
        memset(s->u + l->u, 0, (size_t)l->freedom * sizeof *s->u);
    }
}

bool eri_islands_rest(er_world *w, double h)
{
    eri_contacts *s = w->contacts;
    int movers = mover_count(s);
    bool any = false, all = true;
    if (!s->sleeps) return false;
    memset(s->fast, 0, (size_t)s->width / ERI_LANE_COUNT * sizeof *s->fast);
    for (int b = 0; b < w->model->body_count; ++b)
        if (!eri_contacts_is_ground(s, b)) s->fast[slot_of_body(s, b)] |= speed_of(w, b) > w->def.contact.sleep_speed;
    join(s);
    for (int k = 0; k < movers; ++k) { // what was woken is awake for a step at least
        int i = slot_of(s, k);
        bool is_short = s->quiet[i] < w->def.contact.sleep_time;
        s->quiet[i] = s->fast[i] ? 0.0 : s->quiet[i] + h;
        s->fast[i] |= is_short;
    }
    for (int k = 0; k < movers; ++k) { // from here on of islands, by their roots
        int i = slot_of(s, k);
        s->fast[s->root[i]] |= s->fast[i];
    }
    for (int k = 0; k < movers; ++k) {
        int i = slot_of(s, k);
        all &= !s->fast[s->root[i]];
        if (s->fast[s->root[i]] || s->asleep[i] > 0.0) continue;
        s->asleep[i] = 1.0;
        any = true;
    }
    if (any) lay_down(w);
    return all && !w->forces->any && w->def.guide == NULL;
}

// ---- Waking

static void wake(eri_contacts *s, int slot)
{
    s->asleep[slot] = s->quiet[slot] = 0.0;
}

// Whether forces are others than when it fell asleep; in its first step they are noted.
static bool is_stirred(const er_world *w, int slot, int count, const double *rate)
{
    eri_contacts *s = w->contacts;
    double *slept = s->slept + ERI_LANE_COUNT * slot, least = alike * er_v3_norm(w->def.gravity);
    bool stirred = false;
    for (int i = 0; i < count && s->asleep[slot] > 1.0; ++i)
        stirred |= !(fabs(rate[i] - slept[i]) <= least + alike * fabs(slept[i]));
    memcpy(slept, rate, (size_t)count * sizeof *rate);
    s->asleep[slot] = 2.0;
    return stirred;
}

static void feel_forces(er_world *w, const double *du)
{
    eri_contacts *s = w->contacts;
    for (int i = s->still_count; i < s->single_count && w->forces->any; ++i) {
        const er_wrench *f = &w->wrench[s->single_body[i]];
        const double m = s->single[i].inverse_mass;
        const double rate[6] = {m * f->force.x,  m * f->force.y,  m * f->force.z,
                                m * f->torque.x, m * f->torque.y, m * f->torque.z};
        if (s->asleep[i] > 0.0 && is_stirred(w, i, 6, rate)) wake(s, i);
    }
    for (int i = 0; i < s->grove_count; ++i) {
        const eri_grove *g = &s->grove[i];
        int slot = g->at / ERI_LANE_COUNT;
        if (s->asleep[slot] > 0.0 && is_stirred(w, slot, g->count, du + g->velocity)) wake(s, slot);
    }
}

// What is led stirs what it touches.
static void feel_leaders(er_world *w)
{
    eri_contacts *s = w->contacts;
    for (int i = 0; i < s->now.count && w->def.guide != NULL; ++i)
        for (int k = 0; k < 2; ++k) {
            const eri_touching *c = &s->now.item[i];
            int slot = eri_contacts_slot(s, c->shape[k]);
            if (slot >= 0 && s->asleep[slot] > 0.0 && eri_contacts_moves(w, c->shape[1 - k])) wake(s, slot);
        }
}

void eri_islands_wake(er_world *w, const double *du)
{
    eri_contacts *s = w->contacts;
    int movers = s->sleeps ? mover_count(s) : 0;
    bool any = false;
    for (int k = 0; k < movers; ++k)
        any |= s->asleep[slot_of(s, k)] > 0.0;
    if (!any) return;
    feel_forces(w, du);
    feel_leaders(w);
    join(s);
    memset(s->fast, 0, (size_t)s->width / ERI_LANE_COUNT * sizeof *s->fast);
    for (int k = 0; k < movers; ++k) // of islands, by their roots: something is awake
        s->fast[s->root[slot_of(s, k)]] |= s->asleep[slot_of(s, k)] == 0.0;
    for (int k = 0; k < movers; ++k)
        if (s->asleep[slot_of(s, k)] > 0.0 && s->fast[s->root[slot_of(s, k)]]) wake(s, slot_of(s, k));
}

void eri_contacts_wake(eri_contacts *s, int body)
{
    if (!s->sleeps) return;
    if (body < 0)
        memset(s->kept, 0, s->kept_count * sizeof *s->kept);
    else if (!eri_contacts_is_ground(s, body))
        wake(s, slot_of_body(s, body));
}

bool er_world_is_asleep(const er_world *w, int body)
{
    const eri_contacts *s = w->contacts;
    return s != NULL && s->sleeps && !eri_contacts_is_ground(s, body) && s->asleep[slot_of_body(s, body)] > 0.0;
}

er_result er_world_wake(er_world *w, int body)
{
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (body < -1 || body >= w->model->body_count)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "there is no body %d to wake", body);
    if (w->contacts != NULL) eri_contacts_wake(w->contacts, body);
    return ER_OK;
}
