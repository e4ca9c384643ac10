/// @file
/// Islands: solver bodies and articulations that contacts connect. Slow islands sleep (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "base/disjoint.h"
#include "dynamics/contact/contact_solver.h"
#include "dynamics/contact/contact_step.h"

static const double force_tol = 1e-6; // of weight: a larger difference of forces wakes

er_result eri_islands_create(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    eri_island_sleep *sleep = &s->sleep;
    int slots = s->bodies.width / ERI_LANE_COUNT, bodies = w->model->body_count;
    sleep->is_on = w->def.contact.sleep_time > 0.0 && eri_world_is_reduced(w);
    ERI_TRY_NEW(sleep->island, w->arena, int, slots);
    if (!sleep->is_on) return ER_OK;
    ERI_TRY_NEW(sleep->is_fast, w->arena, bool, slots);
    ERI_TRY_NEW(sleep->extent, w->arena, double, bodies);
    s->persistent_count = 2 * (size_t)slots + (size_t)s->bodies.width;
    ERI_TRY_NEW(s->persistent, w->arena, double, s->persistent_count);
    sleep->slow_time = s->persistent;
    sleep->asleep = s->persistent + slots;
    sleep->force = s->persistent + 2 * (size_t)slots;
    for (int i = 0; i < s->broad.shape_count; ++i) {
        const er_world_shape *shape = &s->broad.shape[i];
        bool is_ball = shape->shape.kind == ER_SHAPE_SPHERE; // a sphere may spin in place
        double far = er_v3_norm(shape->pose.p) + (is_ball ? 0.0 : s->broad.radius[i]);
        if (shape->body >= 0) sleep->extent[shape->body] = fmax(sleep->extent[shape->body], far);
    }
    for (int b = 0; b < bodies; ++b)
        sleep->extent[b] = fmax(sleep->extent[b], er_v3_norm(w->model->body[b].com));
done:
    return r;
}

// ---- The graph: its nodes are solver bodies that move, then articulations

static int node_count(const eri_solver_bodies *s)
{
    return s->count - s->static_count + s->articulation_count;
}

static int node_slot(const eri_solver_bodies *s, int node)
{
    int bodies = s->count - s->static_count;
    return node < bodies ? s->static_count + node : s->articulation[node - bodies].offset / ERI_LANE_COUNT;
}

static int body_slot(const eri_solver_bodies *s, int body)
{
    eri_solver_index i = s->index_of[body];
    return i.articulation >= 0 ? s->articulation[i.articulation].offset / ERI_LANE_COUNT : i.body;
}

void eri_islands_find(const eri_contacts *s, int *island)
{
    int slots = s->bodies.width / ERI_LANE_COUNT;
    for (int i = 0; i < slots; ++i)
        island[i] = i;
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[i];
        int a = eri_moving_slot(&s->bodies, c->shape[0]), b = eri_moving_slot(&s->bodies, c->shape[1]);
        if (a < 0 || b < 0) continue;
        a = eri_set_find(island, a);
        b = eri_set_find(island, b);
        island[a < b ? b : a] = a < b ? a : b;
    }
    for (int i = 0; i < slots; ++i)
        island[i] = eri_set_find(island, i);
}

void er_world_islands(er_world *w, int *island)
{
    eri_contacts *s = w->contacts;
    int count = 0, bodies = w->model->body_count;
    for (int b = 0; b < bodies; ++b)
        island[b] = -1;
    if (s == NULL || s->reference != NULL) return;
    eri_islands_find(s, s->sleep.island);
    int *number = s->sleep.island; // islands are numbered by the order of bodies, not of slots
    for (int b = 0; b < bodies; ++b)
        if (!eri_is_static(&s->bodies, b)) island[b] = number[body_slot(&s->bodies, b)];
    for (int i = 0; i < s->bodies.width / ERI_LANE_COUNT; ++i)
        number[i] = -1;
    for (int b = 0; b < bodies; ++b) {
        if (island[b] < 0) continue;
        if (number[island[b]] < 0) number[island[b]] = count++;
        island[b] = number[island[b]];
    }
}

// ---- Falling asleep

// An upper bound of the speed of a body's points.
static double speed_of(const er_world *w, int body)
{
    const er_twist *v = &w->twist[body];
    return er_v3_norm(v->linear) + er_v3_norm(v->angular) * w->contacts->sleep.extent[body];
}

static double energy_of(const er_world *w, int body)
{
    const er_body *b = &w->model->body[body];
    er_vec3 spin = w->twist[body].angular, v = er_v3_add(w->twist[body].linear, er_v3_cross(spin, b->com));
    return 0.5 * (b->mass * er_v3_dot(v, v) + er_v3_dot(spin, er_m3_mul_v(b->inertia, spin)));
}

// Stops bodies in their first step asleep; their kinetic energy becomes heat.
static void stop_bodies(er_world *w)
{
    eri_contacts *s = w->contacts;
    double *u = s->state.u;
    for (int b = 0; b < w->model->body_count; ++b) {
        if (eri_is_static(&s->bodies, b) || s->sleep.asleep[body_slot(&s->bodies, b)] != 1.0) continue;
        const eri_limb *l = &w->multibody->limb[w->tree->link_of_body[b]];
        u[w->velocity_count - 1] += energy_of(w, b);
        w->twist[b] = (er_twist){{0, 0, 0}, {0, 0, 0}};
        memset(u + l->u, 0, (size_t)l->freedom * sizeof *u);
    }
}

bool eri_islands_sleep(er_world *w, double h)
{
    eri_contacts *s = w->contacts;
    eri_island_sleep *sleep = &s->sleep;
    bool *is_fast = sleep->is_fast;
    int nodes = node_count(&s->bodies);
    bool any = false, all = true;
    if (!sleep->is_on) return false;
    memset(is_fast, 0, (size_t)s->bodies.width / ERI_LANE_COUNT * sizeof *is_fast);
    for (int b = 0; b < w->model->body_count; ++b)
        if (!eri_is_static(&s->bodies, b))
            is_fast[body_slot(&s->bodies, b)] |= speed_of(w, b) > w->def.contact.sleep_speed;
    eri_islands_find(s, s->sleep.island);
    for (int k = 0; k < nodes; ++k) { // a woken body stays awake for at least a step
        int i = node_slot(&s->bodies, k);
        bool is_short = sleep->slow_time[i] < w->def.contact.sleep_time;
        sleep->slow_time[i] = is_fast[i] ? 0.0 : sleep->slow_time[i] + h;
        is_fast[i] |= is_short;
    }
    for (int k = 0; k < nodes; ++k) { // is_fast of an island stands in its own slot
        int i = node_slot(&s->bodies, k);
        is_fast[sleep->island[i]] |= is_fast[i];
    }
    for (int k = 0; k < nodes; ++k) {
        int i = node_slot(&s->bodies, k);
        all &= !is_fast[sleep->island[i]];
        if (is_fast[sleep->island[i]] || sleep->asleep[i] > 0.0) continue;
        sleep->asleep[i] = 1.0;
        any = true;
    }
    if (any) stop_bodies(w);
    return all && !w->forces->any && w->def.guide == NULL;
}

// ---- Waking

static void wake(eri_island_sleep *sleep, int slot)
{
    sleep->asleep[slot] = sleep->slow_time[slot] = 0.0;
}

// Whether forces differ from those at which a node fell asleep. In its first step asleep they are noted.
static bool forces_changed(const er_world *w, int slot, int count, const double *rate)
{
    eri_island_sleep *sleep = &w->contacts->sleep;
    double *force = sleep->force + ERI_LANE_COUNT * slot, least = force_tol * er_v3_norm(w->def.gravity);
    bool changed = false;
    for (int i = 0; i < count && sleep->asleep[slot] > 1.0; ++i)
        changed |= !(fabs(rate[i] - force[i]) <= least + force_tol * fabs(force[i]));
    memcpy(force, rate, (size_t)count * sizeof *rate);
    sleep->asleep[slot] = 2.0;
    return changed;
}

static void wake_by_forces(er_world *w, const double *du)
{
    const eri_solver_bodies *s = &w->contacts->bodies;
    eri_island_sleep *sleep = &w->contacts->sleep;
    for (int i = s->static_count; i < s->count && w->forces->any; ++i) {
        const er_wrench *f = &w->wrench[s->model_body[i]];
        const double m = s->body[i].inverse_mass;
        const double rate[6] = {m * f->force.x,  m * f->force.y,  m * f->force.z,
                                m * f->torque.x, m * f->torque.y, m * f->torque.z};
        if (sleep->asleep[i] > 0.0 && forces_changed(w, i, 6, rate)) wake(sleep, i);
    }
    for (int i = 0; i < s->articulation_count; ++i) {
        const eri_articulation *g = &s->articulation[i];
        int slot = g->offset / ERI_LANE_COUNT;
        if (sleep->asleep[slot] > 0.0 && forces_changed(w, slot, g->velocity_count, du + g->first_velocity))
            wake(sleep, slot);
    }
}

// A guided body that moves wakes what it touches.
static void wake_by_guided_bodies(er_world *w)
{
    eri_contacts *s = w->contacts;
    for (int i = 0; i < s->narrow.now.point_count && w->def.guide != NULL; ++i)
        for (int k = 0; k < 2; ++k) {
            const eri_contact_point *c = &s->narrow.now.point[i];
            int slot = eri_moving_slot(&s->bodies, c->shape[k]);
            if (slot >= 0 && s->sleep.asleep[slot] > 0.0 && eri_shape_has_moved(w, c->shape[1 - k]))
                wake(&s->sleep, slot);
        }
}

void eri_islands_wake(er_world *w, const double *du)
{
    eri_contacts *s = w->contacts;
    eri_island_sleep *sleep = &s->sleep;
    bool *is_awake = sleep->is_fast; // by island
    int nodes = sleep->is_on ? node_count(&s->bodies) : 0;
    bool any = false;
    for (int k = 0; k < nodes; ++k)
        any |= sleep->asleep[node_slot(&s->bodies, k)] > 0.0;
    if (!any) return;
    wake_by_forces(w, du);
    wake_by_guided_bodies(w);
    eri_islands_find(s, s->sleep.island);
    memset(is_awake, 0, (size_t)s->bodies.width / ERI_LANE_COUNT * sizeof *is_awake);
    for (int k = 0; k < nodes; ++k) {
        int i = node_slot(&s->bodies, k);
        is_awake[sleep->island[i]] |= sleep->asleep[i] == 0.0;
    }
    for (int k = 0; k < nodes; ++k) {
        int i = node_slot(&s->bodies, k);
        if (sleep->asleep[i] > 0.0 && is_awake[sleep->island[i]]) wake(sleep, i);
    }
}

// Wakes a body with its whole island: what leaned on it must fall if it is about to leave.
static void wake_island(eri_contacts *s, int slot)
{
    int *island = s->sleep.island;
    if (s->sleep.asleep[slot] > 0.0) {
        eri_islands_find(s, island);
        for (int k = 0; k < node_count(&s->bodies); ++k)
            if (island[node_slot(&s->bodies, k)] == island[slot]) wake(&s->sleep, node_slot(&s->bodies, k));
    }
    wake(&s->sleep, slot);
}

void eri_contacts_wake(eri_contacts *s, int body)
{
    if (!s->sleep.is_on) return;
    if (body < 0)
        memset(s->persistent, 0, s->persistent_count * sizeof *s->persistent);
    else if (!eri_is_static(&s->bodies, body))
        wake_island(s, body_slot(&s->bodies, body));
}

bool er_world_is_asleep(const er_world *w, int body)
{
    const eri_contacts *s = w->contacts;
    return s != NULL && s->sleep.is_on && !eri_is_static(&s->bodies, body) &&
           s->sleep.asleep[body_slot(&s->bodies, body)] > 0.0;
}

er_result er_world_wake(er_world *w, int body)
{
    if (w == NULL) return ER_ERROR_ARGUMENT;
    if (body < -1 || body >= w->model->body_count)
        return er_fail(w->context, ER_ERROR_ARGUMENT, "there is no body %d to wake", body);
    if (w->contacts != NULL) eri_contacts_wake(w->contacts, body);
    return ER_OK;
}
