/// @file
/// Constraints of contacts between solver bodies, static ones included: eight at a time, a lane each.
///
/// Graph colouring: each contact gets the lowest colour that no other contact of its moving bodies has. A constraint
/// holds eight contacts of one colour. Those of a colour may be solved in any order and by any thread; the colours
/// follow each other as the rows of a Gauss-Seidel sweep do.
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_lanes.h"

#define INLINE ERI_LANES_INLINE

// Colour COLOURS is the overflow: one contact for each constraint, solved one after the other. Workers do not share a
// colour of fewer than MIN_SHARED constraints.
enum { COLOURS = ERI_CONTACT_COLOURS, MIN_SHARED = 8 };

// All that a sweep reads, and no more: sweeps are bound by memory.
struct eri_body_constraint {
    int offset[2][ERI_LANE_COUNT];        // in V, of the first and the second body; 0: the world
    contact_vector n;                     // normal
    eri_lanes arm_length[2];              // m: of balls, along n from the centres to the point
    eri_lanes normal_mass, tangent_mass;  // kg: effective masses; the least along a tangent
    eri_lanes initial_distance, distance; // m, at the step's begin and now
    eri_lanes friction;
    eri_lanes warm_limit;          // N s: the most of the normal impulse that the next sub-step starts from
    contact_vector impulse, total; // N s, on the second body, world axes
};

// The rest of a constraint whose shapes are not all balls.
struct eri_constraint_arms {
    contact_vector arm[2];           // m, from the centres of mass to the point
    eri_lanes inverse_inertia[2][6]; // world axes
};

// Static bodies are not written: lanes share them, and other threads read them.
INLINE void store_velocities(const lane_bodies *b, const eri_worker_context *p, double *V, const int at[ERI_LANE_COUNT])
{
    eri_lanes r[8] = {b->w.x, b->w.y, b->w.z, b->v.x, b->v.y, b->v.z, b->mass, b->moment};
    transpose(r);
    for (int l = 0; l < 8; ++l)
        *(eri_lanes *)(at[l] < p->static_end ? p->spill : V + at[l]) = r[l];
}

// The velocity of the second body's point relative to the first's.
INLINE contact_vector relative_velocity(const eri_body_constraint *k, const eri_constraint_arms *arms,
                                        const lane_bodies b[2])
{
    contact_vector v = sub(b[1].v, b[0].v);
    if (arms == NULL) return add(v, cross(sub(scale(k->arm_length[1], b[1].w), scale(k->arm_length[0], b[0].w)), k->n));
    return add(v, sub(cross(b[1].w, arms->arm[1]), cross(b[0].w, arms->arm[0])));
}

INLINE contact_vector times(const eri_lanes I[6], contact_vector a)
{
    return (contact_vector){I[0] * a.x + I[3] * a.y + I[4] * a.z, I[3] * a.x + I[1] * a.y + I[5] * a.z,
                            I[4] * a.x + I[5] * a.y + I[2] * a.z};
}

// Applies an impulse to the second body, and its reaction to the first.
INLINE void apply_impulse(const eri_body_constraint *k, const eri_constraint_arms *arms, contact_vector p,
                          lane_bodies b[2])
{
    b[0].v = sub(b[0].v, scale(b[0].mass, p));
    b[1].v = add(b[1].v, scale(b[1].mass, p));
    if (arms == NULL) {
        contact_vector turn = cross(k->n, p);
        b[0].w = sub(b[0].w, scale(b[0].moment * k->arm_length[0], turn));
        b[1].w = add(b[1].w, scale(b[1].moment * k->arm_length[1], turn));
    } else {
        b[0].w = sub(b[0].w, times(arms->inverse_inertia[0], cross(arms->arm[0], p)));
        b[1].w = add(b[1].w, times(arms->inverse_inertia[1], cross(arms->arm[1], p)));
    }
}

// ---- Prepare

// The change of speed along b by a unit impulse along a.
INLINE eri_lanes coupling(const eri_constraint_arms *arms, const lane_bodies both[2], contact_vector a,
                          contact_vector b)
{
    eri_lanes sum = (both[0].mass + both[1].mass) * dot(a, b);
    for (int side = 0; side < 2; ++side)
        sum += dot(cross(arms->arm[side], b), times(arms->inverse_inertia[side], cross(arms->arm[side], a)));
    return sum;
}

// Loads the numbers of the contact points as eight rows turned to lanes.
INLINE void load_points(eri_body_constraint *k, eri_contact_point *const point[ERI_LANE_COUNT])
{
    eri_lanes is[ERI_LANE_COUNT] = {{0}}, has[ERI_LANE_COUNT] = {{0}};
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        if (point[l] == NULL) continue;
        is[l] = *numbers_at(&point[l]->point.x);
        has[l] = *numbers_at(point[l]->impulse);
    }
    transpose(is);
    transpose(has);
    k->n = (contact_vector){is[3], is[4], is[5]};
    k->initial_distance = k->distance = is[6];
    k->friction = is[7];
    contact_vector t = tangent(k->n), s = cross(k->n, t);
    k->impulse = add(add(scale(has[0], k->n), scale(has[1], t)), scale(has[2], s));
}

ERI_LANES_DO(prepare_masses,
             (eri_body_constraint * k, const eri_constraint_arms *arms, eri_contact_point *const point[ERI_LANE_COUNT],
              const double *V),
             (k, arms, point, V))
{
    load_points(k, point);
    const lane_bodies b[2] = {load_velocities(V, k->offset[0]), load_velocities(V, k->offset[1])};
    eri_lanes K = b[0].mass + b[1].mass, tangent_k;
    if (arms == NULL) {
        tangent_k = K;
        for (int side = 0; side < 2; ++side)
            tangent_k += k->arm_length[side] * k->arm_length[side] * b[side].moment;
    } else {
        contact_vector t = tangent(k->n), s = cross(k->n, t);
        eri_lanes x = coupling(arms, b, t, t), y = coupling(arms, b, s, s), xy = coupling(arms, b, t, s);
        K = coupling(arms, b, k->n, k->n);
        tangent_k = 0.5 * (x + y + root((x - y) * (x - y) + 4.0 * xy * xy));
    }
    eri_mask is_used = eri_lanes_below(splat(0.0), K);
    k->normal_mass = 1.0 / eri_lanes_choose(is_used, K, splat(1.0));
    k->tangent_mass = 1.0 / eri_lanes_choose(is_used, tangent_k, splat(1.0));
}

// The solver body of a shape; -1: it is on an articulation.
static int body_of(const eri_solver_bodies *s, int shape)
{
    return s->slot[shape] < s->count ? s->slot[shape] : -1;
}

// The offsets and arms of a contact of solver bodies, at the step's begin.
static void find_arms(const eri_contacts *s, const eri_contact_point *c, int offset[2], er_vec3 arm[2])
{
    for (int side = 0; side < 2; ++side) {
        int body = body_of(&s->bodies, c->shape[side]);
        offset[side] = ERI_LANE_COUNT * body;
        arm[side] = er_v3_sub(c->point, s->bodies.body[body].com);
    }
}

static void set_sides(const eri_contacts *s, eri_body_constraint *k, eri_constraint_arms *arms, int lane,
                      const eri_contact_point *c)
{
    int offset[2];
    er_vec3 arm[2];
    find_arms(s, c, offset, arm);
    if (arms != NULL) eri_solver_strikes(s, c, offset, arm);
    for (int side = 0; side < 2; ++side) {
        k->offset[side][lane] = offset[side];
        k->arm_length[side][lane] = er_v3_dot(c->normal, arm[side]);
        if (arms == NULL) continue;
        put(&arms->arm[side], lane, arm[side]);
        for (int i = 0; i < 6; ++i)
            arms->inverse_inertia[side][i][lane] = s->bodies.body[offset[side] / ERI_LANE_COUNT].inverse_inertia[i];
    }
}

// Whether the arms of a contact lie along its normal: of balls, unless they strike each other.
static bool are_balls(const eri_contacts *s, const eri_contact_point *c)
{
    int offset[2];
    er_vec3 arm[2];
    if (!s->bodies.is_ball[c->shape[0]] || !s->bodies.is_ball[c->shape[1]]) return false;
    find_arms(s, c, offset, arm);
    return !eri_solver_strikes(s, c, offset, arm);
}

// Writes each contact's key: twice its colour, plus one unless its arms lie along the normal; -1: not of this file.
// Counts the contacts of each key.
static void assign_colours(eri_contacts *s, uint64_t *used, int *key, int count[])
{
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[i];
        int a = body_of(&s->bodies, c->shape[0]), b = body_of(&s->bodies, c->shape[1]);
        key[i] = -1;
        if (a < 0 || b < 0 || eri_contact_is_asleep(s, c)) continue;
        if (s->direct.owns != NULL && (s->direct.owns[a] || s->direct.owns[b])) continue;
        uint64_t taken = used[a] | used[b], bit = ~taken & (taken + 1); // the lowest that is free
        int lowest = bit >> COLOURS == 0 ? __builtin_ctzll(bit) : COLOURS;
        if (lowest < COLOURS) {
            if (a >= s->bodies.static_count) used[a] |= bit;
            if (b >= s->bodies.static_count) used[b] |= bit;
        }
        key[i] = 2 * lowest + !are_balls(s, c);
        ++count[key[i]];
    }
}

// Allocates the constraints: by colour, those of balls first.   @param first  [keys], written: a key's first lane
static er_result allocate(eri_contacts *s, const int *count, int *first)
{
    er_result r = ER_OK;
    er_arena *arena = s->narrow.now.arena;
    eri_constraint_graph *graph = &s->graph;
    eri_constraint_arms *arms;
    int arms_count = 0;
    graph->count = 0;
    for (int k = 0; k < 2 * COLOURS + 2; ++k) {
        int width = k < 2 * COLOURS ? ERI_LANE_COUNT : 1;
        if (k % 2 == 0) graph->colour[k / 2] = graph->count;
        first[k] = graph->count * ERI_LANE_COUNT;
        graph->count += (count[k] + width - 1) / width;
        if (k % 2 == 1) arms_count += (count[k] + width - 1) / width;
    }
    graph->colour[COLOURS + 1] = graph->count;
    size_t room = 1; // a power of two: the arena reuses blocks that are large enough
    while (room < (size_t)graph->count)
        room *= 2;
    ERI_TRY_RESERVE(graph->constraint, arena, eri_body_constraint, room);
    ERI_TRY_NEW(graph->point, arena, eri_contact_point *, room * ERI_LANE_COUNT);
    ERI_TRY_RESERVE(graph->has_impact, arena, bool, room);
    ERI_TRY_RESERVE(graph->arms, arena, eri_constraint_arms *, room);
    graph->drive = NULL;
    graph->grain = NULL;
    if (s->narrow.drive != NULL) ERI_TRY_NEW(graph->drive, arena, eri_constraint_drive, room);
    if (s->narrow.grain != NULL) ERI_TRY_NEW(graph->grain, arena, eri_constraint_grain, room);
    ERI_TRY_RESERVE(arms, arena, eri_constraint_arms, arms_count > 0 ? room : 0);
    for (int k = 0; k < 2 * COLOURS + 2; ++k) {
        int end = k + 1 < 2 * COLOURS + 2 ? first[k + 1] / ERI_LANE_COUNT : graph->count;
        for (int i = first[k] / ERI_LANE_COUNT; i < end; ++i)
            graph->arms[i] = k % 2 == 1 ? arms++ : NULL;
    }
done:
    return r;
}

// Contact points are scattered in memory: prefetch those of the next constraint.
static void prefetch(const eri_constraint_graph *graph, int constraint, int end)
{
    for (int l = 0; l < ERI_LANE_COUNT && constraint < end; ++l) {
        const char *c = (const char *)graph->point[ERI_LANE_COUNT * constraint + l];
        for (size_t line = 0; line < sizeof(eri_contact_point) && c != NULL; line += 64)
            __builtin_prefetch(c + line);
    }
}

static void prepare_some(void *job, int worker, int count)
{
    eri_contacts *s = job;
    int end = eri_team_share(s->graph.count, worker + 1, count);
    for (int i = eri_team_share(s->graph.count, worker, count); i < end; ++i) {
        eri_body_constraint *k = &s->graph.constraint[i];
        eri_constraint_arms *arms = s->graph.arms[i];
        eri_contact_point **point = &s->graph.point[ERI_LANE_COUNT * i];
        prefetch(&s->graph, i + 1, end);
        memset(k, 0, sizeof *k);
        if (arms != NULL) memset(arms, 0, sizeof *arms);
        for (int l = 0; l < ERI_LANE_COUNT; ++l) {
            if (point[l] == NULL) continue;
            set_sides(s, k, arms, l, point[l]);
            if (s->graph.drive != NULL) put_drive(s, point[l], &s->graph.drive[i], l);
            if (s->graph.grain != NULL) s->graph.grain[i].lane[l] = eri_grain_at(s, point[l]);
        }
        prepare_masses(k, arms, point, s->state.V);
    }
}

er_result eri_body_constraints_prepare(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    uint64_t *used;
    int *key, count[2 * COLOURS + 2] = {0}, first[2 * COLOURS + 2];
    s->graph.count = 0;
    memset(s->graph.colour, 0, sizeof s->graph.colour);
    if (s->bodies.count == s->bodies.static_count) return ER_OK;
    ERI_TRY_NEW(used, s->narrow.now.arena, uint64_t, s->bodies.count);
    ERI_TRY_NEW(key, s->narrow.now.arena, int, s->narrow.now.point_count);
    assign_colours(s, used, key, count);
    ERI_TRY(allocate(s, count, first));
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        if (key[i] < 0) continue;
        s->graph.point[first[key[i]]] = &s->narrow.now.point[i];
        first[key[i]] += key[i] < 2 * COLOURS ? 1 : ERI_LANE_COUNT;
    }
    eri_team_run(s->workers.team, prepare_some, s);
done:
    return r;
}

// ---- Solve

INLINE void apply_impulse_to(const eri_body_constraint *k, const eri_constraint_arms *arms, contact_vector impulse,
                             const eri_worker_context *p, double *V)
{
    lane_bodies b[2] = {load_velocities(V, k->offset[0]), load_velocities(V, k->offset[1])};
    apply_impulse(k, arms, impulse, b);
    store_velocities(&b[0], p, V, k->offset[0]);
    store_velocities(&b[1], p, V, k->offset[1]);
}

// A worker's constraints of a colour.
static void colour_range(const eri_constraint_graph *graph, const eri_worker_context *p, int colour, int *begin,
                         int *end)
{
    int first = graph->colour[colour], all = graph->colour[colour + 1] - first;
    bool alone = colour == COLOURS || all < MIN_SHARED;
    int worker = alone && p->worker > 0 ? p->worker_count : p->worker, next = alone ? p->worker_count : worker + 1;
    *begin = first + eri_team_share(all, worker, p->worker_count);
    *end = first + eri_team_share(all, next, p->worker_count);
}

ERI_LANES_DO(warm_start_some, (eri_contacts * s, const eri_worker_context *p, int begin, int end), (s, p, begin, end))
{
    for (int i = begin; i < end; ++i) {
        const eri_body_constraint *k = &s->graph.constraint[i];
        if (s->graph.arms[i] == NULL)
            apply_impulse_to(k, NULL, k->impulse, p, s->state.V);
        else
            apply_impulse_to(k, s->graph.arms[i], k->impulse, p, s->state.V);
    }
}

void eri_body_constraints_warm_start(eri_contacts *s, const eri_worker_context *p)
{
    for (int c = 0, begin, end; c <= COLOURS && s->graph.colour[c] < s->graph.count; ++c) {
        colour_range(&s->graph, p, c, &begin, &end);
        warm_start_some(s, p, begin, end);
        eri_team_meet(s->workers.team);
    }
}

ERI_LANES_DO(drop_impacts,
             (eri_body_constraint * k, const eri_constraint_arms *arms, const eri_worker_context *p, double *V),
             (k, arms, p, V))
{
    eri_lanes load = dot(k->n, k->impulse);
    eri_mask impact = eri_lanes_below(k->warm_limit, load);
    eri_lanes share = eri_lanes_choose(impact, k->warm_limit / eri_lanes_choose(impact, load, splat(1.0)), splat(1.0));
    apply_impulse_to(k, arms, scale(share - 1.0, k->impulse), p, V);
    k->impulse = scale(share, k->impulse);
}

void eri_body_constraints_drop_impacts(eri_contacts *s, const eri_worker_context *p)
{
    for (int c = 0, begin, end; c <= COLOURS && s->graph.colour[c] < s->graph.count; ++c) {
        colour_range(&s->graph, p, c, &begin, &end);
        for (int i = begin; i < end; ++i)
            if (s->graph.has_impact[i]) drop_impacts(&s->graph.constraint[i], s->graph.arms[i], p, s->state.V);
        eri_team_meet(s->workers.team);
    }
}

// Replaces the impulses of lanes that have a grain.
INLINE void follow_grain(const eri_constraint_grain *grain, contact_vector n, eri_lanes normal, contact_vector slip,
                         contact_vector *impulse)
{
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        if (grain->lane[l] == NULL) continue;
        er_vec3 up = {n.x[l], n.y[l], n.z[l]}, before = {slip.x[l], slip.y[l], slip.z[l]};
        er_vec3 held = eri_grain_clamp_vector(grain->lane[l], up, normal[l], before);
        put(impulse, l, er_v3_madd(held, normal[l], up));
    }
}

// For balls, a normal impulse does not change the speeds along the tangents.
// @return lanes with an impact
INLINE eri_mask solve_one(eri_body_constraint *k, const eri_constraint_arms *arms, const eri_constraint_drive *drive,
                          const eri_constraint_grain *grain, const eri_worker_context *p, eri_softness soft,
                          bool use_bias, double *V, const double *displacement)
{
    const eri_lanes none = {0}, one = splat(1.0);
    lane_bodies b[2] = {load_velocities(V, k->offset[0]), load_velocities(V, k->offset[1])};
    eri_lanes load = dot(k->n, k->impulse);
    if (use_bias) {
        const lane_bodies moved[2] = {load_velocities(displacement, k->offset[0]),
                                      load_velocities(displacement, k->offset[1])};
        k->distance = k->initial_distance +
                      dot(k->n, arms == NULL ? sub(moved[1].v, moved[0].v) : relative_velocity(k, arms, moved));
        if (drive != NULL) k->distance += dot(k->n, drive_until(drive, p->begin));
        k->warm_limit = load + p->impact_speed * k->normal_mass;
    }
    contact_vector driven = drive != NULL ? drive_at(drive, p->middle) : scale(none, k->n);
    contact_vector w = add(relative_velocity(k, arms, b), driven), slip = sub(k->impulse, scale(load, k->n));
    eri_lanes speed = dot(k->n, w);
    eri_mask overlaps = eri_lanes_below(k->distance, splat(1e-300));
    eri_lanes bias = eri_lanes_choose(overlaps, eri_lanes_larger(soft.bias_rate * k->distance, splat(-soft.push_out)),
                                      k->distance * (1.0 / p->h));
    eri_lanes spring_load = eri_lanes_choose(overlaps, splat(soft.compliance * (1.0 - ERI_LOAD_SHARE)), none) * load;
    eri_lanes mass_scale = eri_lanes_choose(overlaps, splat(1.0 / (1.0 + soft.compliance)), one);
    eri_lanes normal = eri_lanes_larger(load - ((speed + bias) * k->normal_mass + spring_load) * mass_scale, none);
    contact_vector sticking = add(scale(normal, k->n), slip);
    if (arms != NULL) {
        apply_impulse(k, arms, sub(sticking, k->impulse), b);
        w = add(relative_velocity(k, arms, b), driven), speed = dot(k->n, w);
    }
    slip = sub(slip, scale(k->tangent_mass, sub(w, scale(speed, k->n))));
    eri_lanes most = k->friction * normal, square = dot(slip, slip);
    eri_mask slides = eri_lanes_below(most * most, square);
    eri_lanes share = eri_lanes_choose(slides, most / root(eri_lanes_choose(slides, square, one)), one);
    contact_vector impulse = add(scale(normal, k->n), scale(share, slip));
    if (grain != NULL) follow_grain(grain, k->n, normal, slip, &impulse);
    apply_impulse(k, arms, sub(impulse, arms != NULL ? sticking : k->impulse), b);
    k->impulse = impulse;
    if (!use_bias) k->total = add(k->total, impulse);
    store_velocities(&b[0], p, V, k->offset[0]);
    store_velocities(&b[1], p, V, k->offset[1]);
    return eri_lanes_below(k->warm_limit, normal);
}

ERI_LANES_DO(solve_some,
             (eri_contacts * s, const eri_worker_context *p, eri_softness soft, eri_softness firm, bool use_bias,
              int begin, int end),
             (s, p, soft, firm, use_bias, begin, end))
{
    for (int i = begin; i < end; ++i) {
        eri_body_constraint *k = &s->graph.constraint[i];
        const eri_constraint_arms *arms = s->graph.arms[i];
        const eri_constraint_drive *drive = s->graph.drive != NULL ? &s->graph.drive[i] : NULL;
        const eri_constraint_grain *grain = s->graph.grain != NULL ? &s->graph.grain[i] : NULL;
        double *V = s->state.V, *D = s->state.displacement;
        if (use_bias && arms == NULL)
            solve_one(k, NULL, drive, grain, p, firm, true, V, D);
        else if (use_bias)
            solve_one(k, arms, drive, grain, p, soft, true, V, D);
        else if (arms == NULL)
            s->graph.has_impact[i] = any(solve_one(k, NULL, drive, grain, p, firm, false, V, D));
        else
            s->graph.has_impact[i] = any(solve_one(k, arms, drive, grain, p, soft, false, V, D));
    }
}

void eri_body_constraints_solve(eri_contacts *s, const eri_worker_context *p, eri_softness soft, eri_softness firm,
                                bool use_bias)
{
    for (int c = 0, begin, end; c <= COLOURS && s->graph.colour[c] < s->graph.count; ++c) {
        colour_range(&s->graph, p, c, &begin, &end);
        solve_some(s, p, soft, firm, use_bias, begin, end);
        eri_team_meet(s->workers.team);
    }
}

ERI_LANES_DO(store_one, (const eri_body_constraint *k, eri_contact_point *const point[ERI_LANE_COUNT]), (k, point))
{
    const contact_vector *impulse = &k->impulse, *total = &k->total, t = tangent(k->n), s = cross(k->n, t);
    eri_lanes row[ERI_LANE_COUNT] = {dot(k->n, *impulse), dot(t, *impulse), dot(s, *impulse),
                                     dot(k->n, *total),   dot(t, *total),   dot(s, *total)};
    transpose(row);
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        if (point[l] == NULL) continue;
        point[l]->distance = k->distance[l];
        for (int d = 0; d < 3; ++d)
            point[l]->impulse[d] = row[l][d], point[l]->total[d] = row[l][3 + d];
    }
}

void eri_body_constraints_store(eri_contacts *s, const eri_worker_context *p)
{
    int last = eri_team_share(s->graph.count, p->worker + 1, p->worker_count);
    for (int i = eri_team_share(s->graph.count, p->worker, p->worker_count); i < last; ++i) {
        prefetch(&s->graph, i + 1, last);
        store_one(&s->graph.constraint[i], &s->graph.point[ERI_LANE_COUNT * i]);
    }
}
