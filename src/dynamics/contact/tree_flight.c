/// @file
/// Trees that nothing touches move by their exact equations, in as many parts of a step as their error asks for
/// (docs/math/contact.md).
#include <string.h>

#include "dynamics/contact/contact_solver.h"

static const double tol = 1e-8;        // of a rate and of a radian, in a part of a step: see docs
static const double most_parts = 1e4;  // of a step

struct eri_tree_flight {
    er_world *w;
    const eri_articulation *tree;
    eri_ode_solver *solver;
    int first_position, position_count;
    double *q, *u, *du; // [position_count], [velocity_count] of the world: work space of all flights
    er_vec3 origin;     // m: the root of a floating tree starts at 0, so that its place does not matter
};

// ---- Its equations

static void drift(void *user, const double *q, const double *u, double *dq)
{
    const eri_tree_flight *f = user;
    const eri_articulation *g = f->tree;
    memcpy(f->q + f->first_position, q, (size_t)f->position_count * sizeof *q);
    memcpy(f->u + g->first_velocity, u, (size_t)g->velocity_count * sizeof *u);
    eri_multibody_drift(f->w->multibody, g->first_limb, g->last_limb, f->q, f->u, f->du);
    memcpy(dq, f->du + f->first_position, (size_t)f->position_count * sizeof *dq);
}

static er_result accelerate(void *user, double t, const double *q, const double *u, double *du)
{
    const eri_tree_flight *f = user;
    const eri_articulation *g = f->tree;
    (void)t; // weight and forces are those of the step's begin
    memcpy(f->q + f->first_position, q, (size_t)f->position_count * sizeof *q);
    memcpy(f->u + g->first_velocity, u, (size_t)g->velocity_count * sizeof *u);
    eri_minimal_accelerate(f->w, g->first_limb, g->last_limb, f->q, f->u, f->du);
    memcpy(du, f->du + g->first_velocity, (size_t)g->velocity_count * sizeof *du);
    return ER_OK;
}

static er_result restore(void *user, double t, double *q, double *u)
{
    const eri_tree_flight *f = user;
    const eri_articulation *g = f->tree;
    (void)t;
    (void)u;
    memcpy(f->q + f->first_position, q, (size_t)f->position_count * sizeof *q);
    eri_multibody_normalise(f->w->multibody, g->first_limb, g->last_limb, f->q);
    memcpy(q, f->q + f->first_position, (size_t)f->position_count * sizeof *q);
    return ER_OK;
}

// ---- Making

static bool is_bare(const er_world *w, const eri_articulation *g)
{
    const eri_contacts *s = w->contacts;
    if (g->is_looped) return false;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_link *l = &w->tree->link[i];
        if (l->joint >= 0 && w->laws->acts[l->joint]) return false;
        if (l->parent < 0 && l->above >= 0 && w->def.guide != NULL) return false;
    }
    for (int i = 0; i < s->rows.tie_count; ++i)
        for (int k = 0; k < 4; ++k)
            if (s->rows.node[i].slot[k] == g->offset / ERI_LANE_COUNT) return false;
    return true;
}

static er_result create(er_world *w, eri_articulation *g, double *q, double *u, double *du)
{
    er_result r = ER_OK;
    const eri_multibody *t = w->multibody;
    eri_tree_flight *f;
    double *scale;
    int begin = t->limb[g->first_limb].q;
    int end = g->last_limb < w->tree->link_count ? t->limb[g->last_limb].q : t->position_count;
    ERI_TRY_NEW(f, w->arena, eri_tree_flight, 1);
    *f = (eri_tree_flight){.w = w, .tree = g, .first_position = begin, .position_count = end - begin, q, u, du};
    g->flight = f;
    ERI_TRY_NEW(scale, w->contacts->narrow.now.arena, double, f->position_count + g->velocity_count);
    for (int i = 0; i < f->position_count + g->velocity_count; ++i)
        scale[i] = 1.0;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_limb *l = &t->limb[i];
        for (int c = 0; c < l->freedom; ++c)
            if (l->axis[c] >= 3)
                scale[l->q - begin + l->turns_freely + c] =
                    scale[f->position_count + l->u - g->first_velocity + c] = w->model->size;
    }
    eri_ode ode = {.user = f,
                   .position_count = f->position_count,
                   .velocity_count = g->velocity_count,
                   .drift = drift,
                   .accelerate = accelerate,
                   .restore = restore,
                   .scale = scale};
    eri_ode_options options = {.method = ER_ODE_FEHLBERG,
                               .min_step = w->def.max_step / most_parts,
                               .max_step = w->def.max_step,
                               .absolute = tol,
                               .relative = tol};
    ERI_TRY(eri_ode_create(w->context, &ode, &options, &f->solver));
done:
    return r;
}

er_result eri_tree_flights_create(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double *q, *u, *du;
    if (s->reference != NULL) return ER_OK;
    ERI_TRY_NEW(q, w->arena, double, w->multibody->position_count);
    ERI_TRY_NEW(u, w->arena, double, w->multibody->velocity_count);
    ERI_TRY_NEW(du, w->arena, double, w->multibody->position_count);
    for (int i = 0; i < s->bodies.articulation_count; ++i)
        if (is_bare(w, &s->bodies.articulation[i])) ERI_TRY(create(w, &s->bodies.articulation[i], q, u, du));
done:
    return r;
}

void eri_tree_flights_destroy(eri_contacts *s)
{
    for (int i = 0; i < s->bodies.articulation_count; ++i)
        if (s->bodies.articulation[i].flight != NULL) eri_ode_destroy(s->bodies.articulation[i].flight->solver);
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
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        if (g->flight != NULL) set_flies(w, g, !eri_slot_is_asleep(&s->sleep, g->offset / ERI_LANE_COUNT));
    }
    for (int i = 0; i < s->narrow.now.point_count; ++i)
        for (int k = 0; k < 2; ++k) {
            int body = s->broad.shape[s->narrow.now.point[i].shape[k]].body;
            int tree = body >= 0 ? s->bodies.index_of[body].articulation : -1;
            if (tree >= 0 && s->bodies.articulation[tree].flies) set_flies(w, &s->bodies.articulation[tree], false);
        }
}

er_result eri_tree_flights_advance(er_world *w, double h, const double *q, const double *u)
{
    eri_contacts *s = w->contacts;
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        if (!g->flies) continue;
        eri_tree_flight *f = g->flight;
        double *from = f->q + f->first_position;
        memcpy(from, q + f->first_position, (size_t)f->position_count * sizeof *q);
        if (g->is_floating) {
            f->origin = er_v3(from[4], from[5], from[6]);
            from[4] = from[5] = from[6] = 0.0;
        }
        er_result r = eri_ode_start(f->solver, 0.0, from, u + g->first_velocity, h);
        if (r == ER_OK) r = eri_ode_advance(f->solver, h);
        if (r != ER_OK && r != ER_ERROR_NO_CONVERGENCE) return r;
        if (r != ER_OK) set_flies(w, g, false);
    }
    return ER_OK;
}

void eri_tree_flight_land(const eri_articulation *g, double *q, double *u)
{
    if (!g->flies) return;
    const eri_tree_flight *f = g->flight;
    if (q != NULL) {
        double *to = q + f->first_position;
        memcpy(to, eri_ode_positions(f->solver), (size_t)f->position_count * sizeof *q);
        if (g->is_floating) to[4] += f->origin.x, to[5] += f->origin.y, to[6] += f->origin.z;
    }
    if (u != NULL)
        memcpy(u + g->first_velocity, eri_ode_velocities(f->solver), (size_t)g->velocity_count * sizeof *u);
}
