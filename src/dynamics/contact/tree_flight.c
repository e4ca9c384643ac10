/// @file
/// Articulations that nothing touches move by their exact equations, loops closed, in as many parts of a step as their
/// error asks for (docs/math/contact.md).
#include <string.h>

#include "dynamics/contact/contact_solver.h"

static const double tol = 1e-7;       // of a rate and of a radian, in a part of a step
static const double most_parts = 1e4; // of a step

// Where a tree's state lies in that of the world, and where it flew to.
typedef struct flight {
    int first_position, position_count;
    double *state; // [position_count + velocity_count]
    double *scale; // [solver's size]
} flight;

struct eri_tree_flights {
    er_world *w;
    eri_ode_solver *solver;             // of a tree at a time; entries that it does not have are 0
    int position_count, velocity_count; // of the largest tree
    const eri_articulation *tree;       // that moves now
    double begin;                       // s, of the step
    flight *flight;                     // [articulation_count]; without a state: the tree does not fly
    double *start;                      // [position_count + velocity_count]
    double *q, *u, *du, *dq;            // of the world: work space
};

static const eri_group *group_of(const er_world *w, const eri_articulation *g)
{
    return &w->multibody->group[g - w->contacts->bodies.articulation];
}

// ---- Equations

static const flight *load(const eri_tree_flights *s, const double *q, const double *u)
{
    const eri_articulation *g = s->tree;
    const flight *f = &s->flight[g - s->w->contacts->bodies.articulation];
    memcpy(s->q + f->first_position, q, (size_t)f->position_count * sizeof *q);
    memcpy(s->u + g->first_velocity, u, (size_t)g->velocity_count * sizeof *u);
    return f;
}

static void drift(void *user, const double *q, const double *u, double *dq)
{
    const eri_tree_flights *s = user;
    const flight *f = load(s, q, u);
    eri_multibody_drift(s->w->multibody, s->tree->first_limb, s->tree->last_limb, s->q, s->u, s->dq);
    memset(dq, 0, (size_t)s->position_count * sizeof *dq);
    memcpy(dq, s->dq + f->first_position, (size_t)f->position_count * sizeof *dq);
}

// Weight and the forces on bodies are those of the step's begin.
static er_result accelerate(void *user, double t, const double *q, const double *u, double *du)
{
    const eri_tree_flights *s = user;
    const eri_articulation *g = s->tree;
    (void)t;
    load(s, q, u);
    eri_minimal_accelerate(s->w, group_of(s->w, g), s->q, s->u, s->du);
    memset(du, 0, (size_t)s->velocity_count * sizeof *du);
    memcpy(du, s->du + g->first_velocity, (size_t)g->velocity_count * sizeof *du);
    return ER_OK;
}

static er_result restore(void *user, double t, double *q, double *u)
{
    const eri_tree_flights *s = user;
    const eri_articulation *g = s->tree;
    const flight *f = load(s, q, u);
    er_result r = eri_minimal_mend(s->w, group_of(s->w, g), s->begin + t, s->q, s->u);
    memcpy(q, s->q + f->first_position, (size_t)f->position_count * sizeof *q);
    memcpy(u, s->u + g->first_velocity, (size_t)g->velocity_count * sizeof *u);
    return r;
}

// ---- Creation

static bool can_fly(const er_world *w, const eri_articulation *g)
{
    const eri_contacts *s = w->contacts;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_link *l = &w->tree->link[i];
        if (l->joint >= 0 && w->laws->acts[l->joint]) return false;
        if (l->parent < 0 && l->above >= 0 && w->def.guide != NULL) return false;
    }
    const eri_group *group = group_of(w, g);
    for (int k = group->first_loop; k < group->last_loop; ++k)
        if (w->laws->acts[w->multibody->loop[k].joint]) return false;
    for (int i = 0; i < s->rows.tie_count; ++i)
        for (int k = 0; k < 4; ++k)
            if (s->rows.node[i].slot[k] == g->offset / ERI_LANE_COUNT) return false;
    return true;
}

static int positions_before(const er_world *w, int limb)
{
    return limb < w->tree->link_count ? w->multibody->limb[limb].q : w->multibody->position_count;
}

static er_result create_flight(er_world *w, const eri_articulation *g, eri_tree_flights *s, flight *f)
{
    er_result r = ER_OK;
    int size = s->position_count + s->velocity_count;
    ERI_TRY_NEW(f->state, w->arena, double, f->position_count + g->velocity_count);
    ERI_TRY_NEW(f->scale, w->arena, double, size);
    for (int i = 0; i < size; ++i)
        f->scale[i] = 1.0;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        double *q = f->scale + l->q - f->first_position + l->turns_freely;
        double *u = f->scale + s->position_count + l->u - g->first_velocity;
        for (int c = 0; c < l->freedom; ++c)
            if (l->axis[c] >= 3) q[c] = u[c] = w->model->size;
    }
done:
    return r;
}

static er_result create_solver(er_world *w, eri_tree_flights *s)
{
    eri_ode ode = {.user = s,
                   .position_count = s->position_count,
                   .velocity_count = s->velocity_count,
                   .drift = drift,
                   .accelerate = accelerate,
                   .restore = restore,
                   .changes = &w->rank_changes};
    eri_ode_options options = {.method = ER_ODE_FEHLBERG,
                               .min_step = w->def.max_step / most_parts,
                               .max_step = w->def.max_step,
                               .absolute = tol,
                               .relative = tol};
    return eri_ode_create(w->context, &ode, &options, &s->solver);
}

er_result eri_tree_flights_create(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *c = w->contacts;
    eri_tree_flights *s;
    if (c->reference != NULL) return ER_OK;
    ERI_TRY_NEW(s, w->arena, eri_tree_flights, 1);
    s->w = w;
    ERI_TRY_NEW(s->flight, w->arena, flight, c->bodies.articulation_count);
    for (int i = 0; i < c->bodies.articulation_count; ++i) {
        const eri_articulation *g = &c->bodies.articulation[i];
        flight *f = &s->flight[i];
        f->first_position = positions_before(w, g->first_limb);
        f->position_count = positions_before(w, g->last_limb) - f->first_position;
        if (!can_fly(w, g)) continue;
        if (f->position_count > s->position_count) s->position_count = f->position_count;
        if (g->velocity_count > s->velocity_count) s->velocity_count = g->velocity_count;
    }
    if (s->velocity_count == 0) goto done;
    for (int i = 0; i < c->bodies.articulation_count; ++i) {
        const eri_articulation *g = &c->bodies.articulation[i];
        if (can_fly(w, g)) ERI_TRY(create_flight(w, g, s, &s->flight[i]));
    }
    ERI_TRY_NEW(s->start, w->arena, double, s->position_count + s->velocity_count);
    ERI_TRY_NEW(s->q, w->arena, double, w->multibody->position_count);
    ERI_TRY_NEW(s->dq, w->arena, double, w->multibody->position_count);
    ERI_TRY_NEW(s->u, w->arena, double, w->multibody->velocity_count);
    ERI_TRY_NEW(s->du, w->arena, double, w->multibody->velocity_count);
    ERI_TRY(create_solver(w, s));
    c->flights = s;
done:
    return r;
}

void eri_tree_flights_destroy(eri_contacts *s)
{
    if (s->flights != NULL) eri_ode_destroy(s->flights->solver);
}

// ---- Steps

static void set_flies(er_world *w, eri_articulation *g, bool flies)
{
    g->flies = flies;
    for (int i = g->first_limb; i < g->last_limb; ++i)
        w->flies[i] = flies;
}

void eri_tree_flights_begin(er_world *w)
{
    eri_contacts *s = w->contacts;
    if (s->flights == NULL) return;
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        bool is_awake = !eri_slot_is_asleep(&s->sleep, g->offset / ERI_LANE_COUNT);
        set_flies(w, g, s->flights->flight[i].state != NULL && is_awake);
    }
    for (int i = 0; i < s->narrow.now.point_count; ++i)
        for (int k = 0; k < 2; ++k) {
            int body = s->broad.shape[s->narrow.now.point[i].shape[k]].body;
            int tree = body >= 0 ? s->bodies.index_of[body].articulation : -1;
            if (tree >= 0 && s->bodies.articulation[tree].flies) set_flies(w, &s->bodies.articulation[tree], false);
        }
}

// Finds where one tree goes.   @return ER_ERROR_NO_CONVERGENCE if it needs too many parts
static er_result fly(eri_tree_flights *s, const eri_articulation *g, flight *f, double h, const double *q,
                     const double *u)
{
    er_result r = ER_OK;
    er_vec3 origin = er_v3(0, 0, 0);
    double *from = s->start, *rate = from + s->position_count;
    s->tree = g;
    s->begin = eri_ode_time(s->w->solver);
    memset(from, 0, (size_t)(s->position_count + s->velocity_count) * sizeof *from);
    memcpy(from, q + f->first_position, (size_t)f->position_count * sizeof *q);
    memcpy(rate, u + g->first_velocity, (size_t)g->velocity_count * sizeof *u);
    if (g->is_floating) { // its place does not matter, and tolerances are relative
        origin = er_v3(from[4], from[5], from[6]);
        from[4] = from[5] = from[6] = 0.0;
    }
    eri_ode_set_scale(s->solver, f->scale);
    ERI_TRY(eri_ode_start(s->solver, 0.0, from, rate, h));
    ERI_TRY(eri_ode_advance(s->solver, h));
    memcpy(f->state, eri_ode_positions(s->solver), (size_t)f->position_count * sizeof *q);
    memcpy(f->state + f->position_count, eri_ode_velocities(s->solver), (size_t)g->velocity_count * sizeof *u);
    if (g->is_floating) f->state[4] += origin.x, f->state[5] += origin.y, f->state[6] += origin.z;
done:
    return r;
}

er_result eri_tree_flights_advance(er_world *w, double h, const double *q, const double *u)
{
    eri_contacts *s = w->contacts;
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        if (!g->flies) continue;
        er_result r = fly(s->flights, g, &s->flights->flight[i], h, q, u);
        if (r == ER_ERROR_NO_CONVERGENCE)
            set_flies(w, g, false);
        else if (r != ER_OK)
            return r;
    }
    return ER_OK;
}

void eri_tree_flights_land(const eri_contacts *s, double *q, double *u)
{
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        if (!g->flies) continue;
        const flight *f = &s->flights->flight[i];
        if (q != NULL) memcpy(q + f->first_position, f->state, (size_t)f->position_count * sizeof *q);
        if (u != NULL)
            memcpy(u + g->first_velocity, f->state + f->position_count, (size_t)g->velocity_count * sizeof *u);
    }
}
