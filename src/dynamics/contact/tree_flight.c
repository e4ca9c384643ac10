/// @file
/// Articulations that nothing touches move by their exact equations, loops closed, in as many parts of a step as their
/// error asks for (docs/math/contact.md).
#include <string.h>

#include "dynamics/contact/contact_solver.h"

static const double tol = 1e-7;        // of a rate and of a radian, in a part of a step
static const double most_parts = 1e4;  // of a step
static const double any_error = 1e100; // impulses of loop joints follow, and ask for no parts

// Where a tree's state lies in that of the world, and where it flew to.
typedef struct flight {
    int first_position, position_count;
    double *state; // [position_count + velocity_count]
    double *scale; // [solver's size]
    int *ground;   // [ground_count]: held bodies that carry it and may move
    int ground_count;
} flight;

// A held body at the begin, in the middle and at the end of a step.
typedef struct ground_way {
    eri_ground_state at[3];
    er_pose begin;
    bool moves;
} ground_way;

struct eri_tree_flights {
    er_world *w;
    eri_ode_solver *solver;             // of a tree at a time; entries that it does not have are 0
    int position_count, velocity_count; // of the largest tree; with the impulses of loop joints behind its velocities
    er_wrench *loop;                    // [loop_count]: present wrenches of loop joints; NULL: nobody asks for loads
    const eri_articulation *tree;       // that moves now
    double begin, h;                    // s, of the step
    ground_way *way;                    // [ground_count] of the tree that moves now
    flight *flight;                     // [articulation_count]; without a state: the tree does not fly
    double *start;                      // [position_count + velocity_count]
    double *q, *u, *du, *dq;            // of the world: work space
};

static const eri_group *group_of(const er_world *w, const eri_articulation *g)
{
    return &w->multibody->group[g - w->contacts->bodies.articulation];
}

// The size of the wrenches of its loop joints.
static size_t loop_size(const er_world *w, const eri_articulation *g)
{
    const eri_group *group = group_of(w, g);
    return (size_t)(group->last_loop - group->first_loop) * sizeof(er_wrench);
}

// ---- Equations

static const flight *load_positions(const eri_tree_flights *s, const double *q)
{
    const flight *f = &s->flight[s->tree - s->w->contacts->bodies.articulation];
    memcpy(s->q + f->first_position, q, (size_t)f->position_count * sizeof *q);
    return f;
}

static const flight *load(const eri_tree_flights *s, const double *q, const double *u)
{
    const eri_articulation *g = s->tree;
    const flight *f = load_positions(s, q);
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

static er_vec3 slope(er_vec3 a, er_vec3 b, er_vec3 c, double x, double h)
{
    er_vec3 ends = er_v3_add(er_v3_scale(4.0 * x - 3.0, a), er_v3_scale(4.0 * x - 1.0, c));
    return er_v3_scale(1.0 / h, er_v3_madd(ends, 4.0 - 8.0 * x, b));
}

// Moves the held bodies that carry the tree. Their rates are those of the parabola through their velocities in the
// step: a guide that is told anew from step to step gives the change from the step before instead.
static void move_ground(const eri_tree_flights *s, double t)
{
    er_world *w = s->w;
    const flight *f = &s->flight[s->tree - w->contacts->bodies.articulation];
    for (int k = 0; k < f->ground_count; ++k) {
        const ground_way *way = &s->way[k];
        int body = f->ground[k];
        eri_ground_state *g = &w->ground[body];
        if (way->moves)
            eri_world_move_held(w, s->begin + t, body);
        else
            *g = way->at[0], w->held_pose[body] = way->begin;
        const eri_ground_state *a = way->at, *b = a + 1, *c = a + 2;
        g->angular_rate = slope(a->angular, b->angular, c->angular, t / s->h, s->h);
        g->linear_rate = er_v3_sub(slope(a->linear, b->linear, c->linear, t / s->h, s->h), w->def.gravity);
    }
}

// Finds how the held bodies that carry the tree move in the step.   @return whether some does
static bool find_ways(const eri_tree_flights *s)
{
    er_world *w = s->w;
    const flight *f = &s->flight[s->tree - w->contacts->bodies.articulation];
    bool any = false;
    for (int k = 0; k < f->ground_count; ++k) {
        ground_way *way = &s->way[k];
        way->moves = false;
        for (int i = 0; i < 3; ++i) {
            eri_world_move_held(w, s->begin + 0.5 * i * s->h, f->ground[k]);
            const eri_ground_state *g = &w->ground[f->ground[k]];
            way->at[i] = *g;
            way->moves |= er_v3_dot(g->angular, g->angular) + er_v3_dot(g->linear, g->linear) > 0.0;
            if (i == 0) way->begin = w->held_pose[f->ground[k]];
        }
        any |= way->moves;
    }
    return any;
}

// Weight and the forces on bodies are those of the step's begin.
static er_result accelerate(void *user, double t, const double *q, const double *u, double *du)
{
    const eri_tree_flights *s = user;
    const eri_articulation *g = s->tree;
    load(s, q, u);
    move_ground(s, t);
    eri_minimal_accelerate(s->w, group_of(s->w, g), s->q, s->u, s->du, s->loop);
    memset(du, 0, (size_t)s->velocity_count * sizeof *du);
    memcpy(du, s->du + g->first_velocity, (size_t)g->velocity_count * sizeof *du);
    if (s->loop != NULL) memcpy(du + g->velocity_count, s->loop, loop_size(s->w, g));
    return ER_OK;
}

// Within a step loops open by no more than the tolerance.
static void normalise(const eri_tree_flights *s, double *q)
{
    const flight *f = load_positions(s, q);
    eri_multibody_normalise(s->w->multibody, s->tree->first_limb, s->tree->last_limb, s->q);
    memcpy(q, s->q + f->first_position, (size_t)f->position_count * sizeof *q);
}

static er_result restore(void *user, double t, double *q, double *u)
{
    const eri_tree_flights *s = user;
    if (t < s->h && !eri_minimal_is_nearly_flat(s->w)) {
        normalise(s, q);
        return ER_OK;
    }
    const eri_articulation *g = s->tree;
    const flight *f = load(s, q, u);
    er_result r = eri_minimal_mend(s->w, group_of(s->w, g), s->begin + t, s->q, s->u);
    memcpy(q, s->q + f->first_position, (size_t)f->position_count * sizeof *q);
    memcpy(u, s->u + g->first_velocity, (size_t)g->velocity_count * sizeof *u);
    return r;
}

// ---- Creation

enum { MOST_LINKAGE = 24 }; // bodies of a group with loops: a ring of 100 links takes 14 times as long when it flies

static bool can_fly(const er_world *w, const eri_articulation *g)
{
    const eri_contacts *s = w->contacts;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_link *l = &w->tree->link[i];
        if (l->joint >= 0 && w->laws->acts[l->joint]) return false;
    }
    const eri_group *group = group_of(w, g);
    if (group->last_loop > group->first_loop && g->last_limb - g->first_limb > MOST_LINKAGE) return false;
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

static void add_ground(const er_world *w, int body, flight *f)
{
    if (body < 0 || w->def.guide == NULL) return;
    for (int k = 0; k < f->ground_count; ++k)
        if (f->ground[k] == body) return;
    f->ground[f->ground_count++] = body;
}

static er_result list_ground(const er_world *w, const eri_group *g, flight *f)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(f->ground, w->arena, int, g->last_limb - g->first_limb + 2 * (g->last_loop - g->first_loop));
    for (int i = g->first_limb; i < g->last_limb; ++i)
        if (w->tree->link[i].parent < 0) add_ground(w, w->tree->link[i].above, f);
    for (int k = g->first_loop; k < g->last_loop; ++k) {
        const eri_closure *l = &w->multibody->loop[k];
        if (l->parent.limb < 0) add_ground(w, l->parent.ground, f);
        if (l->child.limb < 0) add_ground(w, l->child.ground, f);
    }
done:
    return r;
}

static er_result create_flight(er_world *w, const eri_articulation *g, eri_tree_flights *s, flight *f)
{
    er_result r = ER_OK;
    int size = s->position_count + s->velocity_count;
    ERI_TRY_NEW(f->state, w->arena, double, f->position_count + g->velocity_count);
    ERI_TRY_NEW(f->scale, w->arena, double, size);
    ERI_TRY(list_ground(w, group_of(w, g), f));
    for (int i = 0; i < size; ++i)
        f->scale[i] = 1.0;
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        double *q = f->scale + l->q - f->first_position + l->turns_freely;
        double *u = f->scale + s->position_count + l->u - g->first_velocity;
        for (int c = 0; c < l->freedom; ++c)
            if (l->axis[c] >= 3) q[c] = u[c] = w->model->size;
    }
    for (size_t i = 0; i < loop_size(w, g) / sizeof(double) && s->loop != NULL; ++i)
        f->scale[s->position_count + g->velocity_count + (int)i] = any_error;
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
    int grounds = 0;
    if (c->reference != NULL) return ER_OK;
    ERI_TRY_NEW(s, w->arena, eri_tree_flights, 1);
    s->w = w;
    if (c->loads != NULL) ERI_TRY_NEW(s->loop, w->arena, er_wrench, w->multibody->loop_count);
    ERI_TRY_NEW(s->flight, w->arena, flight, c->bodies.articulation_count);
    for (int i = 0; i < c->bodies.articulation_count; ++i) {
        const eri_articulation *g = &c->bodies.articulation[i];
        flight *f = &s->flight[i];
        f->first_position = positions_before(w, g->first_limb);
        f->position_count = positions_before(w, g->last_limb) - f->first_position;
        if (!can_fly(w, g)) continue;
        if (f->position_count > s->position_count) s->position_count = f->position_count;
        int velocities = g->velocity_count + (c->loads != NULL ? (int)(loop_size(w, g) / sizeof(double)) : 0);
        if (velocities > s->velocity_count) s->velocity_count = velocities;
    }
    if (s->velocity_count == 0) goto done;
    for (int i = 0; i < c->bodies.articulation_count; ++i) {
        const eri_articulation *g = &c->bodies.articulation[i];
        if (can_fly(w, g)) ERI_TRY(create_flight(w, g, s, &s->flight[i]));
        if (s->flight[i].ground_count > grounds) grounds = s->flight[i].ground_count;
    }
    ERI_TRY_NEW(s->way, w->arena, ground_way, grounds);
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
static er_result fly(eri_tree_flights *s, eri_articulation *g, flight *f, double h, const double *q, const double *u)
{
    er_result r = ER_OK;
    er_vec3 origin = er_v3(0, 0, 0);
    double *from = s->start, *rate = from + s->position_count;
    s->tree = g;
    s->begin = eri_ode_time(s->w->solver);
    s->h = h;
    g->is_driven = find_ways(s);
    memset(from, 0, (size_t)(s->position_count + s->velocity_count) * sizeof *from);
    memcpy(from, q + f->first_position, (size_t)f->position_count * sizeof *q);
    memcpy(rate, u + g->first_velocity, (size_t)g->velocity_count * sizeof *u);
    load(s, from, rate);
    move_ground(s, 0.0);
    if (eri_minimal_jolt(s->w, group_of(s->w, g), s->begin, s->q, s->u) > 0.0) g->is_driven = true;
    memcpy(rate, s->u + g->first_velocity, (size_t)g->velocity_count * sizeof *u);
    if (g->is_floating) { // its place does not matter, and tolerances are relative
        origin = er_v3(from[4], from[5], from[6]);
        from[4] = from[5] = from[6] = 0.0;
    }
    eri_ode_set_scale(s->solver, f->scale);
    ERI_TRY(eri_ode_start(s->solver, 0.0, from, rate, h));
    ERI_TRY(eri_ode_advance(s->solver, h));
    memcpy(f->state, eri_ode_positions(s->solver), (size_t)f->position_count * sizeof *q);
    memcpy(f->state + f->position_count, eri_ode_velocities(s->solver), (size_t)g->velocity_count * sizeof *u);
    const double *impulse = eri_ode_velocities(s->solver) + g->velocity_count;
    for (int k = group_of(s->w, g)->first_loop; k < group_of(s->w, g)->last_loop && s->loop != NULL; ++k, impulse += 6)
        eri_joint_loads_set_loop(
            s->w, k, (er_wrench){er_v3(impulse[0], impulse[1], impulse[2]), er_v3(impulse[3], impulse[4], impulse[5])});
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
