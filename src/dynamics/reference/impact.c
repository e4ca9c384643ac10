/// @file
/// Impacts: the first time within a step that shapes touch while they approach, by conservative advancement, and the
/// impulse that joints hand on (Bacin 1999, 8; docs/math/dynamics.md).
#include "dynamics/reference/impact.h"

#include <math.h>
#include <string.h>

#include "dynamics/pair_filter.h"

enum { RING = 256, MOST_ROUNDS = 1000, MOST_LOOKS = 100000 };

static const double slack = 1.25;  // over the speeds at the begin, middle and end of a step, which are smooth between
static const double nearly = 0.02; // of the way to a touch
static const double approach = 1e-10; // of a pair's speed: slower is rounding

typedef struct shape_speed {
    er_vec3 linear; // of the shape's origin, world axes
    double swing;   // how fast its farthest corner can go about it
} shape_speed;

struct eri_impacts {
    const er_world_shape *shape;
    int shape_count;
    eri_pair_filter tied;
    double tolerance; // m
    er_sweep *sweep;
    er_vec3 *low, *high;     // [shape_count], boxes that hold the shapes all through a step
    shape_speed *speed[3];   // [shape_count], at the begin, middle and end
    er_pose *pose;           // [body_count], of a time in the step
    er_twist *twist, *still; // [body_count]; what the ground gives where no rate is
    er_twist *gain;          // [body_count], of a unit impulse
    double *q, *u, *unit;    // of the world's route
    eri_impact_rate rate;
    int64_t count; // of the list
    er_impact ring[RING];
};

// ---- Making

static er_result copy_shapes(er_world *w, eri_impacts *s)
{
    er_result r = ER_OK;
    er_world_shape *shape;
    ERI_TRY_NEW(shape, w->arena, er_world_shape, s->shape_count);
    for (int i = 0; i < s->shape_count; ++i) {
        shape[i] = w->def.shape[i];
        shape[i].pose.q = er_q_unit(shape[i].pose.q);
        shape[i].name = eri_arena_string(w->arena, shape[i].name);
        if (shape[i].name == NULL) return ER_ERROR_MEMORY;
    }
    s->shape = shape;
done:
    return r;
}

er_result eri_impacts_create(er_world *w, eri_impacts **out)
{
    er_result r = ER_OK;
    eri_impacts *s;
    *out = NULL;
    if (w->def.shape_count == 0 || w->def.integrator == ER_INTEGRATE_CONTACT) return ER_OK;

    size_t n = (size_t)w->model->body_count, shapes = (size_t)w->def.shape_count;
    ERI_TRY_NEW(s, w->arena, eri_impacts, 1);
    s->shape_count = w->def.shape_count;
    s->tolerance = w->def.impact_tolerance * w->model->size;
    ERI_TRY(copy_shapes(w, s));
    ERI_TRY(eri_pair_filter_create(w->arena, &w->def, &s->tied));
    ERI_TRY_NEW(s->low, w->arena, er_vec3, shapes);
    ERI_TRY_NEW(s->high, w->arena, er_vec3, shapes);
    for (int k = 0; k < 3; ++k)
        ERI_TRY_NEW(s->speed[k], w->arena, shape_speed, shapes);
    ERI_TRY_NEW(s->pose, w->arena, er_pose, n);
    ERI_TRY_NEW(s->twist, w->arena, er_twist, n);
    ERI_TRY_NEW(s->still, w->arena, er_twist, n);
    ERI_TRY_NEW(s->gain, w->arena, er_twist, n);
    ERI_TRY_NEW(s->q, w->arena, double, w->position_count);
    ERI_TRY_NEW(s->u, w->arena, double, w->velocity_count);
    ERI_TRY_NEW(s->unit, w->arena, double, w->velocity_count);
    ERI_TRY(er_sweep_create(w->context, s->shape_count, &s->sweep));
    *out = s;
done:
    return r;
}

void eri_impacts_destroy(eri_impacts *impacts)
{
    if (impacts != NULL) er_sweep_destroy(impacts->sweep);
}

// ---- Shapes in motion

static er_pose shape_pose(const er_world_shape *shape, const er_pose *pose)
{
    return shape->body < 0 ? shape->pose : er_pose_mul(pose[shape->body], shape->pose);
}

// The velocity of a point, world axes, that goes with a shape.
static er_vec3 velocity_at(const er_world_shape *shape, const er_pose *pose, const er_twist *twist, er_vec3 point)
{
    if (shape->body < 0) return er_v3(0, 0, 0);
    er_pose X = pose[shape->body];
    er_twist v = twist[shape->body];
    er_vec3 arm = er_q_rotate(er_q_conj(X.q), er_v3_sub(point, X.p));
    return er_q_rotate(X.q, er_v3_add(v.linear, er_v3_cross(v.angular, arm)));
}

static bool is_ground(const er_world *w, int body)
{
    return body < 0 || (w->held != NULL && w->held[body]);
}

static bool can_meet(const er_world *w, er_sweep_pair pair)
{
    int a = w->impacts->shape[pair.a].body, b = w->impacts->shape[pair.b].body;
    return a != b && !(is_ground(w, a) && is_ground(w, b)) && !eri_pair_filter_excludes(&w->impacts->tied, a, b);
}

static void grow_box(eri_impacts *s, int i, const er_pose *pose, bool first)
{
    er_vec3 low, high;
    er_hull_box(s->shape[i].shape.hull, shape_pose(&s->shape[i], pose), &low, &high);
    s->low[i] = first ? low : er_v3(fmin(s->low[i].x, low.x), fmin(s->low[i].y, low.y), fmin(s->low[i].z, low.z));
    s->high[i] =
        first ? high : er_v3(fmax(s->high[i].x, high.x), fmax(s->high[i].y, high.y), fmax(s->high[i].z, high.z));
}

static shape_speed speed_of(const er_world_shape *shape, const er_pose *pose, const er_twist *twist)
{
    er_vec3 at = shape_pose(shape, pose).p;
    double spin = shape->body < 0 ? 0.0 : er_v3_norm(twist[shape->body].angular);
    return (shape_speed){velocity_at(shape, pose, twist, at), spin * shape->shape.hull->radius};
}

static er_result bodies_at(er_world *w, double t)
{
    eri_impacts *s = w->impacts;
    er_result r = eri_ode_dense(w->solver, t, s->q, s->u);
    if (r == ER_OK) eri_world_bodies(w, t, s->q, s->u, s->pose, s->twist);
    return r;
}

// Boxes and speeds of a step: a point is never farther from one of its ends than it goes in half of it.
static er_result sweep_step(er_world *w, const er_sweep_pair **pairs, int *count)
{
    er_result r = ER_OK;
    eri_impacts *s = w->impacts;
    double begin = eri_ode_last_time(w->solver), end = eri_ode_time(w->solver);
    for (int k = 0; k < 3; ++k) {
        ERI_TRY(bodies_at(w, k == 0 ? begin : k == 1 ? 0.5 * (begin + end) : end));
        for (int i = 0; i < s->shape_count; ++i) {
            s->speed[k][i] = speed_of(&s->shape[i], s->pose, s->twist);
            if (k != 1) grow_box(s, i, s->pose, k == 0);
        }
    }
    for (int i = 0; i < s->shape_count; ++i) {
        double most = 0.0;
        for (int k = 0; k < 3; ++k)
            most = fmax(most, er_v3_norm(s->speed[k][i].linear) + s->speed[k][i].swing);
        double way = 0.5 * slack * most * (end - begin);
        s->low[i] = er_v3_sub(s->low[i], er_v3(way, way, way));
        s->high[i] = er_v3_add(s->high[i], er_v3(way, way, way));
    }
    ERI_TRY(er_sweep_update(s->sweep, s->low, s->high, 2.0 * s->tolerance, pairs, count));
done:
    return r;
}

// How fast the distance of a pair can fall: |v_A - v_B| + |w_A| r_A + |w_B| r_B, at any time in the step.
static double pair_speed(const eri_impacts *s, er_sweep_pair pair)
{
    double most = 0.0;
    for (int k = 0; k < 3; ++k) {
        const shape_speed *a = &s->speed[k][pair.a], *b = &s->speed[k][pair.b];
        most = fmax(most, er_v3_norm(er_v3_sub(a->linear, b->linear)) + a->swing + b->swing);
    }
    return slack * most;
}

// ---- When

typedef struct touch {
    er_closest at;
    double speed; // of parting, m/s
} touch;

static double distance_of(const eri_impacts *s, er_sweep_pair pair, er_closest_cache *cache, er_closest *closest)
{
    const er_world_shape *a = &s->shape[pair.a], *b = &s->shape[pair.b];
    er_hull_closest(a->shape.hull, shape_pose(a, s->pose), b->shape.hull, shape_pose(b, s->pose), cache, closest);
    return closest->distance;
}

// How a pair parts where it touches: in the middle of what faces each other, that what lands flat leaves flat, along
// the normal of a pair of features that has one of its own.
static touch touch_of(const eri_impacts *s, er_sweep_pair pair, const er_closest *closest)
{
    const er_world_shape *a = &s->shape[pair.a], *b = &s->shape[pair.b];
    touch c = {.at = *closest};
    er_closest contact;
    er_hull_contact(a->shape.hull, shape_pose(a, s->pose), b->shape.hull, shape_pose(b, s->pose), closest, &contact);
    c.at.normal = contact.normal;
    c.speed = er_v3_dot(c.at.normal, er_v3_sub(velocity_at(b, s->pose, s->twist, c.at.point[1]),
                                               velocity_at(a, s->pose, s->twist, c.at.point[0])));
    return c;
}

static er_result tell_contact(er_world *w, double t, er_sweep_pair pair)
{
    const er_world_shape *shape = w->impacts->shape;
    return er_fail(
        w->context, ER_ERROR_NO_CONVERGENCE,
        "at t = %.9g s shapes \"%s\" and \"%s\" slide along each other: let the integrator be contact, raise "
        "restitution, or end before",
        t, shape[pair.a].name, shape[pair.b].name);
}

// Goes from a step's begin no further than the pair can come near; `when` is the first touch so far, HUGE_VAL for none.
static er_result find_touch(er_world *w, er_sweep_pair pair, double *when)
{
    er_result r = ER_OK;
    eri_impacts *s = w->impacts;
    er_closest_cache cache = {0};
    er_closest closest;
    double speed = pair_speed(s, pair), t = eri_ode_last_time(w->solver), end = fmin(eri_ode_time(w->solver), *when);
    for (int looks = 0; t <= end && speed > 0.0; ++looks) {
        if (looks == MOST_LOOKS) return tell_contact(w, t, pair);
        ERI_TRY(bodies_at(w, t));
        double distance = distance_of(s, pair, &cache, &closest);
        if (distance <= s->tolerance && touch_of(s, pair, &closest).speed < -approach * speed) {
            *when = t;
            return ER_OK;
        }
        double way = fmax(distance - 0.5 * s->tolerance, 0.25 * s->tolerance);
        t = t < end ? fmin(fmax(t + way / speed, nextafter(t, HUGE_VAL)), end) : HUGE_VAL;
    }
done:
    return r;
}

// ---- What

static void push(er_world *w, double t, int body, er_vec3 point, er_vec3 impulse, double *u)
{
    if (is_ground(w, body)) return;
    eri_impacts *s = w->impacts;
    er_vec3 arm = er_v3_sub(point, er_pose_point(s->pose[body], w->model->body[body].com));
    er_wrench blow = {er_v3_cross(arm, impulse), impulse};
    eri_world_apply_impulse(w, t, s->q, body, blow, u);
}

// M^-1 Theta: the change of velocities by an impulse of 1 along the normal, joints holding.
static double find_gain(er_world *w, double t, er_sweep_pair pair, const er_closest *at)
{
    eri_impacts *s = w->impacts;
    const er_world_shape *a = &s->shape[pair.a], *b = &s->shape[pair.b];
    size_t bytes = (size_t)w->velocity_count * sizeof(double);
    memset(s->unit, 0, bytes);
    eri_world_bodies(w, t, s->q, s->unit, s->pose, s->still);
    push(w, t, a->body, at->point[0], er_v3_scale(-1.0, at->normal), s->unit);
    push(w, t, b->body, at->point[1], at->normal, s->unit);
    eri_world_bodies(w, t, s->q, s->unit, s->pose, s->gain);
    for (int i = 0; i < w->model->body_count; ++i) {
        s->gain[i].linear = er_v3_sub(s->gain[i].linear, s->still[i].linear);
        s->gain[i].angular = er_v3_sub(s->gain[i].angular, s->still[i].angular);
    }
    return er_v3_dot(at->normal, er_v3_sub(velocity_at(b, s->pose, s->gain, at->point[1]),
                                           velocity_at(a, s->pose, s->gain, at->point[0])));
}

static double kinetic(const er_world *w)
{
    double sum = 0.0;
    for (int b = 0; b < w->model->body_count; ++b) {
        if (is_ground(w, b)) continue;
        const er_body *body = &w->model->body[b];
        er_twist v = w->impacts->twist[b];
        er_vec3 com = er_v3_add(v.linear, er_v3_cross(v.angular, body->com));
        sum +=
            0.5 * body->mass * er_v3_dot(com, com) + 0.5 * er_v3_dot(v.angular, er_m3_mul_v(body->inertia, v.angular));
    }
    return sum;
}

static er_result count_impact(er_world *w, double t, const er_impact *hit)
{
    eri_impacts *s = w->impacts;
    s->ring[s->count++ % RING] = *hit;
    if (t > s->rate.since + 1.0) s->rate = (eri_impact_rate){t, 0};
    if (++s->rate.count <= w->def.most_impacts) return ER_OK;
    return er_fail(w->context, ER_ERROR_NO_CONVERGENCE,
                   "at t = %.9g s shapes \"%s\" and \"%s\" hit each other at %.3g m/s, after %d impacts within a "
                   "second: they come to rest on each other; let the integrator be contact, raise restitution or "
                   "most_impacts, or end before",
                   t, s->shape[hit->shape[0]].name, s->shape[hit->shape[1]].name, -hit->before, w->def.most_impacts);
}

// kappa = (1 + e) kappa_inf: kappa_sup is 2 kappa_inf where joints hold, as both routes' do. The energy that a
// led body gives is work, and the loss in its frame is heat.
static er_result hit(er_world *w, double t, er_sweep_pair pair, const touch *c)
{
    eri_impacts *s = w->impacts;
    double e = eri_combine(w->def.restitution_rule, s->shape[pair.a].restitution, s->shape[pair.b].restitution);
    double before = kinetic(w), gain = find_gain(w, t, pair, &c->at), least = -c->speed / gain;
    double impulse = (1.0 + e) * least, heat = 0.5 * (1.0 - e * e) * c->speed * c->speed / gain;
    if (!(gain > 0.0 && isfinite(impulse)))
        return er_fail(w->context, ER_ERROR_NO_CONVERGENCE,
                       "at t = %.9g s shapes \"%s\" and \"%s\" meet where joints let neither give way", t,
                       s->shape[pair.a].name, s->shape[pair.b].name);
    for (int i = 0; i < w->velocity_count - 2; ++i)
        s->u[i] += impulse * s->unit[i];
    eri_world_bodies(w, t, s->q, s->u, s->pose, s->twist);
    s->u[w->velocity_count - 2] += w->held != NULL ? kinetic(w) - before + heat : 0.0;
    s->u[w->velocity_count - 1] += heat;
    er_impact done = {.time = t,
                      .shape = {pair.a, pair.b},
                      .point = er_v3_scale(0.5, er_v3_add(c->at.point[0], c->at.point[1])),
                      .normal = c->at.normal,
                      .impulse = impulse,
                      .before = c->speed,
                      .after = -e * c->speed};
    return count_impact(w, t, &done);
}

// All that touch at a time, in the order of pairs, until none approaches.
static er_result hit_all(er_world *w, double t, const er_sweep_pair *pair, int count)
{
    er_result r = ER_OK;
    eri_impacts *s = w->impacts;
    ERI_TRY(bodies_at(w, t));
    bool any = true;
    for (int round = 0; any && round < MOST_ROUNDS; ++round) {
        any = false;
        for (int i = 0; i < count; ++i) {
            er_closest closest;
            if (!can_meet(w, pair[i]) || distance_of(s, pair[i], NULL, &closest) > s->tolerance) continue;
            touch c = touch_of(s, pair[i], &closest);
            if (!(c.speed < -approach * pair_speed(s, pair[i]))) continue;
            any = true;
            ERI_TRY(hit(w, t, pair[i], &c));
        }
    }
    memcpy(w->q, s->q, (size_t)w->position_count * sizeof(double));
    memcpy(w->u, s->u, (size_t)w->velocity_count * sizeof(double));
    ERI_TRY(eri_world_go_on(w, t));
done:
    return r;
}

// Takes the last step anew, nearly to a touch: the polynomial within a step errs by more than its end does, and within
// a short one by next to nothing.
static er_result come_near(er_world *w, double begin, double when)
{
    er_result r = ER_OK;
    ERI_TRY(eri_ode_dense(w->solver, begin, w->q, w->u));
    ERI_TRY(eri_ode_start(w->solver, begin, w->q, w->u, eri_ode_next_step(w->solver)));
    ERI_TRY(eri_ode_advance(w->solver, when - nearly * (when - begin)));
done:
    return r;
}

er_result eri_impacts_advance(er_world *w, double to)
{
    er_result r = ER_OK;
    double limit = to;
    bool near = false;
    while (eri_ode_time(w->solver) < to) {
        const er_sweep_pair *pair;
        int count;
        double begin = eri_ode_time(w->solver), when = HUGE_VAL;
        bool was_near = near;
        ERI_TRY(eri_ode_step(w->solver, limit));
        limit = to;
        near = false;
        ERI_TRY(sweep_step(w, &pair, &count));
        for (int i = 0; i < count; ++i)
            if (can_meet(w, pair[i])) ERI_TRY(find_touch(w, pair[i], &when));
        double back = nearly * (when - begin);
        if (when == HUGE_VAL) continue;
        if (was_near || !(when - back > begin && when + back > when)) {
            ERI_TRY(hit_all(w, when, pair, count));
        } else {
            ERI_TRY(come_near(w, begin, when));
            limit = fmin(to, when + back);
            near = true;
        }
    }
done:
    return r;
}

// ---- State

er_result eri_impacts_start(er_world *w, double time)
{
    er_result r = ER_OK;
    eri_impacts *s = w->impacts;
    const er_sweep_pair *pair;
    int count;
    memcpy(s->pose, w->pose, (size_t)w->model->body_count * sizeof *s->pose);
    for (int i = 0; i < s->shape_count; ++i)
        grow_box(s, i, s->pose, true);
    ERI_TRY(er_sweep_update(s->sweep, s->low, s->high, 0.0, &pair, &count));
    for (int i = 0; i < count; ++i) {
        er_closest closest;
        if (!can_meet(w, pair[i]) || !(distance_of(s, pair[i], NULL, &closest) < -s->tolerance)) continue;
        return er_fail(w->context, ER_ERROR_ARGUMENT, "shapes \"%s\" and \"%s\" overlap by %.3g m in the state",
                       s->shape[pair[i].a].name, s->shape[pair[i].b].name, -closest.distance);
    }
    eri_impacts_resume(s, (eri_impact_rate){time, 0});
done:
    return r;
}

void eri_impacts_clear(eri_impacts *impacts)
{
    impacts->count = 0;
}

eri_impact_rate eri_impacts_rate(const eri_impacts *impacts)
{
    return impacts->rate;
}

void eri_impacts_resume(eri_impacts *impacts, eri_impact_rate rate)
{
    eri_impacts_clear(impacts);
    impacts->rate = rate;
}

int64_t er_world_impact_count(const er_world *w)
{
    return w->impacts != NULL ? w->impacts->count : 0;
}

bool er_world_impact(const er_world *w, int64_t index, er_impact *out)
{
    int64_t count = er_world_impact_count(w);
    if (index < 0 || index >= count || index < count - RING) return false;
    *out = w->impacts->ring[index % RING];
    return true;
}
