/// @file
/// Swept bodies: after a step, shapes that moved farther than they are thick are followed along their way. A body that
/// would pass another one stops where they touch, and keeps its velocity for the next step (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "dynamics/contact/contact_solver.h"

static const double fast_share = 0.25;  // of a shape's thickness: a faster shape is followed
static const double overlap = 0.1;      // of the thinner shape: the overlap at which bodies stop
static const double reached = 0.05;     // of that overlap: how exactly it is met
static const double arc_turn = 0.1;     // rad: limbs that turn by more are followed around their axis
static const double heavy_ratio = 10.0; // of masses: the heavier body goes on, and carries the lighter one
static const double carry_turn = 0.5;   // rad: a body that turns by more stops with the other

static const double deeper = 0.1; // of that overlap: bodies that overlap more may come closer by this

enum { MAX_ADVANCES = 2000 };

// A part of a shape's way: around a centre that moves evenly.
typedef struct path_leg {
    double begin;              // of the step, which is 1
    er_pose pose;              // at its beginning
    er_vec3 centre, way, turn; // m, at its beginning; m and rad in a step
    double offset;             // m: of the shape's origin from the centre
    double spin;               // rad: how far the shape turns at most in a step
} path_leg;

// The way of a shape in a step: to its first impact, and from there to the end.
typedef struct shape_path {
    bool is_known;
    int mover;     // slot; -1: static
    double radius; // m: of the farthest point that turning moves
    int leg_count;
    path_leg leg[2];
} shape_path;

// Two shapes that may pass through each other.
typedef struct swept_pair {
    int shape[2];
    double least;           // m: the distance at which they stop
    double slack;           // m
    double time;            // of their stop; HUGE_VAL: none
    bool is_stale, is_done; // the time is to be found again; the stop is made
} swept_pair;

typedef struct swept_step {
    er_world *w;
    double h;
    const er_pose *pose;   // [body_count], at the beginning of the step
    const er_twist *twist; // [body_count], likewise
    double *move;          // [shape_count], m: how far each shape moved at most
    shape_path *path;      // [shape_count]
    double *impact;        // [slots]: of the first time of impact of the step; 1: none
    double *stop;          // [slots]: when a mover stops; 1: not
    int *carrier;          // [slots]: the shape that it moves with after that; -1: none
    int *stopped_shape;    // [slots]: the shape that stopped it
    bool is_any;           // some mover stops
    eri_buffer pairs;
} swept_step;

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

// ---- Which shapes are fast

// The slot whose displacement is that of a shape's body.
static int slot_of(const eri_solver_bodies *s, int shape)
{
    return s->limb[shape] >= 0 ? s->limbs_offset / ERI_LANE_COUNT + s->limb[shape] : s->slot[shape];
}

// How far a shape moved at most.
static double shape_move(const er_world *w, int i)
{
    const eri_contacts *s = w->contacts;
    if (eri_moving_slot(&s->bodies, i) < 0) return eri_shape_has_moved(w, i) ? s->broad.reach[i] : 0.0;
    const er_world_shape *a = &s->broad.shape[i];
    const double *moved = s->state.displacement + (ptrdiff_t)ERI_LANE_COUNT * slot_of(&s->bodies, i);
    er_vec3 from = s->bodies.limb[i] >= 0 ? er_v3(0, 0, 0) : w->model->body[a->body].com;
    double arm = er_v3_distance(a->pose.p, from) + (a->shape.kind == ER_SHAPE_SPHERE ? 0.0 : s->broad.radius[i]);
    return er_v3_norm(get(moved + 3)) + arm * er_v3_norm(get(moved));
}

static double least_thickness(const eri_broad_phase *broad, int i)
{
    return broad->shape[i].shape.kind == ER_SHAPE_MESH ? 0.0 : broad->thickness[i];
}

bool eri_swept_bodies_any(const er_world *w)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    for (int i = 0; i < broad->shape_count; ++i)
        if (broad->shape[i].body >= 0 && shape_move(w, i) > fast_share * least_thickness(broad, i)) return true;
    return false;
}

// ---- Paths

static bool is_free(const eri_contacts *s, int mover)
{
    return mover >= 0 && mover < s->bodies.count;
}

// The rotation vector between two orientations that is nearest to another one: it may be more than half a turn.
static er_vec3 turn_between(er_quat from, er_quat to, er_vec3 near)
{
    er_vec3 turn = er_q_log(er_q_unit(er_q_mul(to, er_q_conj(from))));
    double angle = er_v3_norm(turn);
    if (!(angle > 1e-9)) return turn;
    double rounds = round((er_v3_dot(near, turn) / angle - angle) / (2.0 * ER_PI));
    return er_v3_scale(1.0 + 2.0 * ER_PI * rounds / angle, turn);
}

// The farthest point that turning moves, from the shape's origin: round shapes turn in place.
static double turning_radius(const er_shape *shape, double radius)
{
    if (shape->kind == ER_SHAPE_SPHERE) return 0.0;
    return shape->kind == ER_SHAPE_CAPSULE ? 0.5 * shape->length : radius;
}

// Fills in the offset and the spin.
static path_leg *add_leg(shape_path *f, const er_shape *shape, path_leg leg)
{
    bool is_round = shape->kind == ER_SHAPE_CYLINDER || shape->kind == ER_SHAPE_CAPSULE;
    leg.offset = er_v3_distance(leg.pose.p, leg.centre);
    leg.spin = er_v3_norm(is_round ? er_v3_cross(leg.turn, er_q_rotate(leg.pose.q, er_v3(0, 0, 1))) : leg.turn);
    f->leg[f->leg_count] = leg;
    return &f->leg[f->leg_count++];
}

static er_vec3 centre_at(const path_leg *leg, double t)
{
    return er_v3_madd(leg->centre, t - leg->begin, leg->way);
}

static er_pose leg_pose(const path_leg *leg, double t)
{
    er_quat turn = er_q_exp(er_v3_scale(t - leg->begin, leg->turn));
    er_vec3 arm = er_q_rotate(turn, er_v3_sub(leg->pose.p, leg->centre));
    return (er_pose){er_q_unit(er_q_mul(turn, leg->pose.q)), er_v3_add(centre_at(leg, t), arm)};
}

// The leg from a pose to the end of the step.   @param near  the turn that it is near to
static path_leg last_leg(double begin, er_pose from, er_pose to, er_vec3 centre, er_vec3 near)
{
    double rate = 1.0 / (1.0 - begin);
    er_vec3 turn = turn_between(from.q, to.q, near), arm = er_v3_sub(from.p, centre);
    er_vec3 way = er_v3_sub(er_v3_sub(to.p, centre), er_q_rotate(er_q_exp(turn), arm));
    return (path_leg){
        .begin = begin, .pose = from, .centre = centre, .way = er_v3_scale(rate, way), .turn = er_v3_scale(rate, turn)};
}

static shape_path *path_of(swept_step *all, int shape)
{
    const er_world *w = all->w;
    const eri_contacts *s = w->contacts;
    const er_world_shape *a = &s->broad.shape[shape];
    shape_path *f = &all->path[shape];
    if (f->is_known) return f;
    *f = (shape_path){.is_known = true, .mover = eri_moving_slot(&s->bodies, shape)};
    f->radius = turning_radius(&a->shape, s->broad.radius[shape]);
    if (a->body < 0) {
        add_leg(f, &a->shape, (path_leg){.pose = a->pose, .centre = a->pose.p});
        return f;
    }
    er_pose from = all->pose[a->body], here = er_pose_mul(from, a->pose), to = er_pose_mul(w->pose[a->body], a->pose);
    const er_twist *v = &all->twist[a->body];
    er_vec3 spin = er_q_rotate(from.q, v->angular), linear = er_q_rotate(from.q, v->linear);
    er_vec3 arm = er_q_rotate(from.q, w->model->body[a->body].com), centre = er_v3_add(from.p, arm);
    er_vec3 turn = er_v3_scale(all->h, spin);
    if (f->mover >= 0) turn = get(s->state.displacement + (ptrdiff_t)ERI_LANE_COUNT * slot_of(&s->bodies, shape));
    double square = er_v3_dot(spin, spin), impact = f->mover >= 0 ? all->impact[f->mover] : 1.0;
    if (!is_free(s, f->mover) && all->h * all->h * square > arc_turn * arc_turn)
        centre = er_v3_madd(from.p, 1.0 / square, er_v3_cross(spin, linear));
    else if (impact > 0.0 && impact < 1.0) {
        path_leg first = {.pose = here, .centre = centre, .turn = er_v3_scale(all->h, spin)};
        first.way = er_v3_scale(all->h, er_v3_add(linear, er_v3_cross(spin, arm)));
        const path_leg *leg = add_leg(f, &a->shape, first);
        turn = er_v3_madd(turn, -impact, first.turn);
        here = leg_pose(leg, impact);
        centre = centre_at(leg, impact);
    }
    add_leg(f, &a->shape, last_leg(f->leg_count > 0 ? impact : 0.0, here, to, centre, turn));
    return f;
}

static const path_leg *leg_at(const shape_path *f, double t)
{
    return &f->leg[f->leg_count > 1 && t >= f->leg[1].begin];
}

static er_pose own_pose(const shape_path *f, double t)
{
    return leg_pose(leg_at(f, t), t);
}

static double stop_of(const swept_step *all, const shape_path *f)
{
    return f->mover < 0 ? 1.0 : all->stop[f->mover];
}

// Where a shape is: on its way, or, after its stop, where the shape that carries it takes it.
static er_pose pose_at(swept_step *all, int shape, double t)
{
    const shape_path *f = path_of(all, shape);
    double stop = stop_of(all, f);
    if (t <= stop) return own_pose(f, t);
    er_pose there = own_pose(f, stop);
    int carrier = all->carrier[f->mover];
    if (carrier < 0) return there;
    er_pose begin = pose_at(all, carrier, stop), end = pose_at(all, carrier, t);
    return er_pose_mul(end, er_pose_mul(er_pose_inverse(begin), there));
}

// A bound of the speed along n of points around p that a shape carries.
static double carried_speed(swept_step *all, int carrier, er_vec3 n, double t, er_vec3 p, double radius)
{
    for (; carrier >= 0; carrier = all->carrier[all->path[carrier].mover]) {
        const shape_path *f = path_of(all, carrier);
        if (f->mover >= 0 && t >= all->stop[f->mover]) continue;
        const path_leg *leg = leg_at(f, t);
        double arm = er_v3_distance(p, centre_at(leg, t)) + radius;
        return er_v3_dot(n, leg->way) + er_v3_norm(er_v3_cross(n, leg->turn)) * arm;
    }
    return 0.0;
}

// A bound of the speed along n of the points of a shape, from now on until a path changes.
static double speed_along(swept_step *all, int shape, er_vec3 n, double t)
{
    const shape_path *f = path_of(all, shape);
    if (f->mover >= 0 && t >= all->stop[f->mover])
        return carried_speed(all, all->carrier[f->mover], n, t, pose_at(all, shape, t).p, f->radius);
    const path_leg *leg = leg_at(f, t);
    double lever = er_v3_norm(er_v3_cross(n, leg->turn));
    return er_v3_dot(n, leg->way) + lever * leg->offset + fmin(lever, leg->spin) * f->radius;
}

// The next time after t at which the path of a shape changes.
static double next_change(swept_step *all, int shape, double t)
{
    const shape_path *f = path_of(all, shape);
    double next = stop_of(all, f) > t ? stop_of(all, f) : 1.0;
    if (f->leg_count > 1 && f->leg[1].begin > t) next = fmin(next, f->leg[1].begin);
    if (f->mover >= 0 && all->stop[f->mover] <= t && all->carrier[f->mover] >= 0)
        next = fmin(next, next_change(all, all->carrier[f->mover], t));
    return next;
}

// ---- Stops

static double distance_at(swept_step *all, const swept_pair *pair, double t, er_vec3 *normal)
{
    const er_world_shape *shape = all->w->contacts->broad.shape;
    int a = pair->shape[0], b = pair->shape[1];
    er_closest c;
    er_shape_closest(&shape[a].shape, pose_at(all, a, t), &shape[b].shape, pose_at(all, b, t), NULL, &c);
    *normal = c.normal;
    return c.distance;
}

// The first time from t on at which a pair overlaps too far, by conservative advancement; HUGE_VAL: none.
static double find_stop(swept_step *all, const swept_pair *pair, double t)
{
    for (int k = 0; k < MAX_ADVANCES && t < 1.0; ++k) {
        er_vec3 n;
        double left = distance_at(all, pair, t, &n) - pair->least;
        if (left <= reached * pair->slack) return t;
        double closing =
            speed_along(all, pair->shape[0], n, t) + speed_along(all, pair->shape[1], er_v3_scale(-1.0, n), t);
        double next = fmin(next_change(all, pair->shape[0], t), next_change(all, pair->shape[1], t));
        t = closing * (next - t) > left ? t + left / closing : next;
    }
    return t < 1.0 ? t : HUGE_VAL;
}

static void add_pair(swept_step *all, int i, int j)
{
    const eri_contacts *s = all->w->contacts;
    double thick = least_thickness(&s->broad, i) + least_thickness(&s->broad, j);
    if (!(all->move[i] + all->move[j] > fast_share * thick) || !eri_shapes_can_collide(s, i, j)) return;
    swept_pair pair = {.shape = {i, j}};
    er_vec3 n;
    pair.slack = overlap * fmin(s->broad.thickness[i], s->broad.thickness[j]);
    pair.least = fmin(0.0, distance_at(all, &pair, 0.0, &n) - deeper * pair.slack);
    pair.least = fmin(pair.least, -pair.slack);
    pair.time = find_stop(all, &pair, 0.0);
    eri_buffer_add(&all->pairs, &pair, sizeof pair);
}

static bool is_fast(const swept_step *all, int shape)
{
    return all->move[shape] > fast_share * least_thickness(&all->w->contacts->broad, shape);
}

static bool is_unforeseen(const swept_step *all, int shape)
{
    return all->move[shape] > all->w->contacts->broad.reach[shape] && is_fast(all, shape);
}

// Pairs of the broad phase; of shapes that moved farther than it foresaw, all that they could meet.
static void list_pairs(swept_step *all)
{
    const eri_broad_phase *broad = &all->w->contacts->broad;
    for (int k = 0; k < broad->pair_count; ++k) {
        int i = broad->bounded[broad->pair[k].a], j = broad->bounded[broad->pair[k].b];
        if (is_unforeseen(all, i) || is_unforeseen(all, j)) continue;
        if (is_fast(all, i) || is_fast(all, j)) add_pair(all, i, j);
    }
    for (int k = 0; k < broad->bounded_count; ++k) {
        int i = broad->bounded[k];
        if (!is_unforeseen(all, i)) continue;
        for (int l = 0; l < broad->bounded_count; ++l) {
            int j = broad->bounded[l];
            double far = all->move[i] + all->move[j] + broad->radius[i] + broad->radius[j];
            if (i == j || (j < i && is_unforeseen(all, j))) continue;
            if (er_v3_distance(broad->pose[i].p, broad->pose[j].p) <= far) add_pair(all, i, j);
        }
    }
}

static double mass_of(const er_world *w, int shape)
{
    int body = w->contacts->broad.shape[shape].body;
    return body < 0 ? HUGE_VAL : w->model->body[body].mass;
}

// Whether a shape goes on where it meets another one, and carries it.
static bool carries(swept_step *all, int shape, int other, double t)
{
    const shape_path *f = path_of(all, shape), *g = path_of(all, other);
    if (!is_free(all->w->contacts, g->mover)) return false;
    if (f->mover < 0) return true;
    bool is_heavy = mass_of(all->w, shape) >= heavy_ratio * mass_of(all->w, other);
    return t < all->stop[f->mover] && is_heavy && (1.0 - t) * er_v3_norm(leg_at(f, t)->turn) < carry_turn;
}

// Stops a shape's body, or lets another shape carry it from now on.
static void stop_at(swept_step *all, int shape, int carrier, double t)
{
    int mover = path_of(all, shape)->mover;
    if (mover < 0 || t >= all->stop[mover]) return;
    all->stop[mover] = t;
    all->carrier[mover] = carrier;
    all->stopped_shape[mover] = shape;
    all->is_any = true;
    swept_pair *pair = (swept_pair *)(void *)all->pairs.bytes;
    for (size_t k = 0; k < all->pairs.size / sizeof *pair; ++k)
        if (path_of(all, pair[k].shape[0])->mover == mover || path_of(all, pair[k].shape[1])->mover == mover)
            pair[k].is_stale = true;
}

// Whether a body is carried, but not by another one.
static bool is_carried(swept_step *all, int mover, int by, double t)
{
    if (mover < 0 || t < all->stop[mover] || all->carrier[mover] < 0) return false;
    for (int m = mover; m >= 0 && t >= all->stop[m] && all->carrier[m] >= 0;) {
        m = path_of(all, all->carrier[m])->mover;
        if (m == by) return false;
    }
    return true;
}

// The shape that carries another one that it meets: itself where it goes on or is carried; -1: none.
static int carrier_of(swept_step *all, int shape, int other, double t)
{
    int carried = path_of(all, other)->mover;
    bool goes_along = is_free(all->w->contacts, carried) && is_carried(all, path_of(all, shape)->mover, carried, t);
    return goes_along || carries(all, shape, other, t) ? shape : -1;
}

static void stop_pair(swept_step *all, int a, int b, double t)
{
    bool a_goes_on = carries(all, a, b, t), b_goes_on = !a_goes_on && carries(all, b, a, t);
    int by_a = carrier_of(all, a, b, t), by_b = carrier_of(all, b, a, t);
    if (!a_goes_on) stop_at(all, a, by_b, t);
    if (!b_goes_on) stop_at(all, b, by_a, t);
}

// Stops bodies in the order of time.
static void stop_all(swept_step *all)
{
    swept_pair *pair = (swept_pair *)(void *)all->pairs.bytes;
    size_t count = all->pairs.size / sizeof *pair;
    for (;;) {
        swept_pair *first = NULL;
        for (size_t k = 0; k < count; ++k)
            if (!pair[k].is_done && pair[k].time < (first != NULL ? first->time : 1.0)) first = &pair[k];
        if (first == NULL) return;
        double t = first->time;
        first->is_done = true;
        stop_pair(all, first->shape[0], first->shape[1], t);
        for (size_t k = 0; k < count; ++k) {
            if (!pair[k].is_stale || pair[k].is_done) continue;
            pair[k].is_stale = false;
            if (pair[k].time >= t) pair[k].time = find_stop(all, &pair[k], t);
        }
    }
}

// ---- The state after the stops

static void move_articulations(swept_step *all, double *change, double *moved, double *q)
{
    const er_world *w = all->w;
    const eri_contacts *s = w->contacts;
    const eri_multibody *t = w->multibody;
    memcpy(change, s->state.coordinate_change, (size_t)t->velocity_count * sizeof *change);
    memcpy(moved, eri_ode_positions(w->solver), (size_t)t->position_count * sizeof *moved);
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        for (int k = g->first_velocity; k < g->first_velocity + g->velocity_count; ++k)
            change[k] *= all->stop[g->offset / ERI_LANE_COUNT];
    }
    eri_multibody_move(t, 0, t->jointed_count, change, moved);
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        int begin = t->limb[g->first_limb].q;
        int end = g->last_limb < t->tree.link_count ? t->limb[g->last_limb].q : t->position_count;
        if (all->stop[g->offset / ERI_LANE_COUNT] < 1.0)
            memcpy(q + begin, moved + begin, (size_t)(end - begin) * sizeof *q);
    }
}

static er_result write_state(swept_step *all, double *q, double *u)
{
    er_result r = ER_OK;
    er_world *w = all->w;
    eri_contacts *s = w->contacts;
    double *change, *moved;
    ERI_TRY_RESERVE(change, s->narrow.now.arena, double, w->multibody->velocity_count);
    ERI_TRY_RESERVE(moved, s->narrow.now.arena, double, w->multibody->position_count);
    if (s->bodies.articulation_count > 0) move_articulations(all, change, moved, q);
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i) {
        if (!(all->stop[i] < 1.0)) continue;
        int shape = all->stopped_shape[i];
        er_pose own = er_pose_inverse(s->broad.shape[shape].pose);
        eri_solver_place_body(w, i, er_pose_mul(pose_at(all, shape, 1.0), own), q, u);
    }
done:
    return r;
}

static er_result begin(swept_step *all)
{
    er_result r = ER_OK;
    er_world *w = all->w;
    eri_contacts *s = w->contacts;
    int slots = s->bodies.width / ERI_LANE_COUNT;
    all->pairs = (eri_buffer){.arena = s->narrow.now.arena};
    ERI_TRY_RESERVE(all->move, s->narrow.now.arena, double, s->broad.shape_count);
    ERI_TRY_NEW(all->path, s->narrow.now.arena, shape_path, s->broad.shape_count);
    ERI_TRY_RESERVE(all->impact, s->narrow.now.arena, double, slots);
    ERI_TRY_RESERVE(all->stop, s->narrow.now.arena, double, slots);
    ERI_TRY_RESERVE(all->carrier, s->narrow.now.arena, int, slots);
    ERI_TRY_RESERVE(all->stopped_shape, s->narrow.now.arena, int, slots);
    for (int i = 0; i < s->broad.shape_count; ++i)
        all->move[i] = shape_move(w, i);
    for (int i = 0; i < slots; ++i) {
        all->impact[i] = all->stop[i] = 1.0;
        all->carrier[i] = all->stopped_shape[i] = -1;
    }
    for (int k = 0; k < s->narrow.now.manifold_count && s->narrow.is_continuous; ++k) {
        const eri_manifold *m = &s->narrow.now.manifold[k];
        int slot[2] = {eri_moving_slot(&s->bodies, m->a), eri_moving_slot(&s->bodies, m->b)};
        for (int side = 0; side < 2 && m->time > 0.0; ++side)
            if (slot[side] >= 0) all->impact[slot[side]] = fmin(all->impact[slot[side]], m->time / all->h);
    }
done:
    return r;
}

er_result eri_swept_bodies_stop(er_world *w, double h, const er_pose *pose, const er_twist *twist, double *q, double *u,
                                bool *changed)
{
    er_result r = ER_OK;
    swept_step all = {.w = w, .h = h, .pose = pose, .twist = twist};
    ERI_TRY(begin(&all));
    list_pairs(&all);
    ERI_TRY(all.pairs.failure);
    stop_all(&all);
    if (all.is_any) ERI_TRY(write_state(&all, q, u));
    *changed = all.is_any;
done:
    return r;
}
