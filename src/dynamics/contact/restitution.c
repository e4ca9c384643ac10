/// @file
/// Restitution: pairs that approach fast and touch within the step part at once, pair by pair, before the sub-steps
/// (docs/math/contact.md).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

enum { MAX_SWEEPS = 100, MAX_ITERATIONS = 20 };

static const double simultaneous = 0.01; // of a step: points that touch within this time touch together
static const double converged = 1e-12;   // of the impulses of a pair
static const double least_speed = 1e-30; // m/s: without gravity, products of smaller speeds underflow

// A contact with restitution, or with a time of impact.
typedef struct restitution_point {
    eri_contact_point *point;
    eri_contact_constraint *constraint;
    bool is_prepared;
    int slot[2]; // the lesser first; -1: static
    double restitution;
    double target; // m/s: its normal speed afterwards; -HUGE_VAL: it takes no part
    double speed_before[3], impulse[3];
} restitution_point;

typedef struct restitution_pass {
    er_world *w;
    eri_contacts *s;
    double h, substep, impact_speed;
    restitution_point *item;
    int count;
    int *last_changed; // [slots]: the last sweep that changed a body's velocity
} restitution_pass;

// ---- Points

double eri_pair_restitution(const er_world *w, int a, int b)
{
    const er_world_shape *shape = w->contacts->broad.shape;
    return eri_combine(w->def.restitution_rule, shape[a].restitution, shape[b].restitution);
}

static er_result list_points(restitution_pass *all)
{
    er_result r = ER_OK;
    eri_contacts *s = all->s;
    eri_contact_constraint *constraint;
    ERI_TRY_RESERVE(all->item, s->narrow.now.arena, restitution_point, s->narrow.now.point_count);
    ERI_TRY_RESERVE(constraint, s->narrow.now.arena, eri_contact_constraint, s->narrow.now.point_count);
    ERI_TRY_NEW(all->last_changed, s->narrow.now.arena, int, s->bodies.width / ERI_LANE_COUNT);
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        eri_contact_point *c = &s->narrow.now.point[i];
        double restitution = eri_pair_restitution(all->w, c->shape[0], c->shape[1]);
        bool takes_part = restitution > 0.0 ||
                          (s->narrow.is_continuous && eri_pair_is_continuous(&s->broad, c->shape[0], c->shape[1]));
        if (!takes_part || eri_contact_is_asleep(s, c)) continue;
        int a = eri_moving_slot(&s->bodies, c->shape[0]), b = eri_moving_slot(&s->bodies, c->shape[1]);
        constraint[all->count] = eri_contact_constraint_of(all->w, c);
        all->item[all->count] =
            (restitution_point){.point = c, .restitution = restitution, .slot = {a < b ? a : b, a < b ? b : a}};
        all->item[all->count].constraint = &constraint[all->count];
        ++all->count;
    }
done:
    return r;
}

static int compare(const void *first, const void *second)
{
    const restitution_point *a = first, *b = second;
    for (int k = 0; k < 2; ++k)
        if (a->slot[k] != b->slot[k]) return a->slot[k] < b->slot[k] ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

// ---- Time of touch

// A quick test: in a step, gravity adds at most three quarters of the impact speed.
static bool is_fast(const restitution_pass *all, const restitution_point *b)
{
    return eri_contact_constraint_speed(b->constraint, 0, all->s->state.V) < -0.25 * all->impact_speed;
}

// When a point touches at its present motion, and its speed then; HUGE_VAL if it does not touch within the step.
static double closing_time(const restitution_pass *all, const restitution_point *b, double *speed)
{
    const eri_contact_constraint *c = b->constraint;
    double pull = eri_contact_constraint_speed(c, 0, all->s->state.dV);
    double begin = eri_contact_constraint_speed(c, 0, all->s->state.V) + 0.5 * all->substep * pull; // a parabola
    double gap = b->point->distance + eri_contact_constraint_speed(c, 0, all->s->restitution.displacement), t = 0.0;
    if (gap > 0.0) {
        double square = begin * begin - 2.0 * pull * gap;
        if (!(square >= 0.0 && sqrt(square) > begin)) return HUGE_VAL;
        t = 2.0 * gap / (sqrt(square) - begin);
    }
    *speed = begin + t * pull;
    return t <= all->h && *speed < 0.0 ? t : HUGE_VAL;
}

// ---- Impulses

// A contact's three relative speeds at a time.
static void speeds_at(const restitution_pass *all, const restitution_point *b, double t, double speed[3])
{
    const eri_contact_constraint *c = b->constraint;
    for (int d = 0; d < 3; ++d)
        speed[d] = eri_contact_constraint_speed(c, d, all->s->state.V) +
                   (t + 0.5 * all->substep) * eri_contact_constraint_speed(c, d, all->s->state.dV);
}

static void apply_impulse(const restitution_pass *all, const restitution_point *b, double share,
                          const double impulse[3], double *X)
{
    const double part[3] = {share * impulse[0], share * impulse[1], share * impulse[2]};
    eri_contact_constraint_apply(all->w, b->constraint, part, X);
}

// Solves one contact of a pair; returns the change of its impulse.
static double solve_point(const restitution_pass *all, restitution_point *b, double t)
{
    double K[3][3], speed[3], change[3], most = 0.0;
    memcpy(K, b->constraint->K, sizeof K);
    memcpy(change, b->impulse, sizeof change);
    speeds_at(all, b, t, speed);
    eri_contact_constraint_solve(K, b->constraint->tangent_k, b->target, b->point->friction,
                                 eri_grain_at(all->s, b->point), speed, b->impulse);
    for (int d = 0; d < 3; ++d) {
        change[d] = b->impulse[d] - change[d];
        most = fmax(most, fabs(change[d]));
    }
    apply_impulse(all, b, 1.0, change, all->s->state.V);
    return most;
}

// Selects the points of a pair that touch at a time.
static void activate_points(restitution_pass *all, int count, restitution_point *pair, double t)
{
    for (int i = 0; i < count; ++i) {
        restitution_point *b = &pair[i];
        double speed = 0.0;
        bool touches = closing_time(all, b, &speed) <= t + simultaneous * all->h;
        if (!b->is_prepared) eri_contact_constraint_prepare(all->w, b->constraint);
        b->is_prepared = true;
        speeds_at(all, b, t, b->speed_before);
        b->target = touches && b->constraint->can_part ? -b->restitution * b->speed_before[0] : -HUGE_VAL;
        memset(b->impulse, 0, sizeof b->impulse);
    }
}

// The share of a pair's impulses that adds no energy; friction together with restitution can add some. Adds the heat.
static double dissipative_share(restitution_pass *all, int count, const restitution_point *pair, double t)
{
    double before = 0.0, left = 0.0, after[3];
    for (int i = 0; i < count; ++i) {
        speeds_at(all, &pair[i], t, after);
        for (int d = 0; d < 3; ++d) {
            before += pair[i].impulse[d] * pair[i].speed_before[d];
            left += pair[i].impulse[d] * after[d];
        }
    }
    // a share adds the energy share before + share^2 (left - before) / 2
    double share = before + left > 0.0 ? fmax(-2.0 * before / (left - before), 0.0) : 1.0;
    all->s->restitution.heat -= share * (before + 0.5 * share * (left - before));
    return share;
}

// All points of a pair that touch at a time part at once, each at e times its speed or faster.
static void resolve_pair(restitution_pass *all, int count, restitution_point *pair, double t)
{
    double largest = 0.0, change = HUGE_VAL;
    activate_points(all, count, pair, t);
    for (int round = 0; round < MAX_ITERATIONS && change > converged * largest; ++round) {
        change = 0.0;
        for (int i = 0; i < count; ++i) {
            if (pair[i].target == -HUGE_VAL) continue;
            change = fmax(change, solve_point(all, &pair[i], t));
            largest = fmax(largest, pair[i].impulse[0]);
        }
    }
    double share = dissipative_share(all, count, pair, t);
    for (int i = 0; i < count; ++i) {
        eri_restitution_impulse *out = &all->s->restitution.impulse[pair[i].point - all->s->narrow.now.point];
        apply_impulse(all, &pair[i], share - 1.0, pair[i].impulse, all->s->state.V);
        apply_impulse(all, &pair[i], -share * t, pair[i].impulse, all->s->restitution.displacement);
        for (int d = 0; d < 3; ++d) {
            out->impulse[d] += share * pair[i].impulse[d];
            out->impulse_time[d] += (all->h - t) * share * pair[i].impulse[d];
        }
    }
}

// ---- Sweeps

static bool has_changed(const restitution_pass *all, const restitution_point *b, int sweep)
{
    for (int k = 0; k < 2; ++k)
        if (b->slot[k] >= 0 && all->last_changed[b->slot[k]] >= sweep) return true;
    return false;
}

// When the first fast point of a pair touches.
static double first_impact(const restitution_pass *all, int count, const restitution_point *pair)
{
    double first = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        if (!is_fast(all, &pair[i])) continue;
        double speed = 0.0, t = closing_time(all, &pair[i], &speed);
        if (t < first &&
            speed < -fmax(all->impact_speed,
                          2.0 * all->h * fabs(eri_contact_constraint_speed(pair[i].constraint, 0, all->s->state.dV))))
            first = t;
    }
    return first;
}

// Resolves every pair of which a body has changed since the last sweep.
static bool sweep(restitution_pass *all, int turn)
{
    bool any = false;
    for (int i = 0, count; i < all->count; i += count) {
        restitution_point *pair = &all->item[i];
        for (count = 1; i + count < all->count && memcmp(pair->slot, pair[count].slot, sizeof pair->slot) == 0;)
            ++count;
        if (!has_changed(all, pair, turn - 1)) continue;
        double t = first_impact(all, count, pair);
        if (t == HUGE_VAL) continue;
        resolve_pair(all, count, pair, t);
        for (int k = 0; k < 2; ++k)
            if (pair->slot[k] >= 0) all->last_changed[pair->slot[k]] = turn;
        any = true;
    }
    return any;
}

er_result eri_contacts_apply_restitution(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    restitution_pass all = {.w = w,
                            .s = s,
                            .h = h,
                            .substep = h / s->state.substeps,
                            .impact_speed = fmax(s->state.impact_speed, least_speed)};
    s->restitution.heat = 0.0;
    s->restitution.impulse = NULL;
    if (!s->restitution.is_any && !s->narrow.is_continuous) return ER_OK;
    memset(s->restitution.displacement, 0, (size_t)s->bodies.width * sizeof(double));
    ERI_TRY_NEW(s->restitution.impulse, s->narrow.now.arena, eri_restitution_impulse, s->narrow.now.point_count);
    ERI_TRY(list_points(&all));
    if (all.count > 0) qsort(all.item, (size_t)all.count, sizeof *all.item, compare);
    bool any = true;
    for (int turn = 1; turn <= MAX_SWEEPS && any; ++turn)
        any = sweep(&all, turn);
done:
    return r;
}

void eri_contacts_add_restitution(eri_contacts *s)
{
    for (int i = 0; i < s->narrow.now.point_count && s->restitution.impulse != NULL; ++i)
        for (int d = 0; d < 3; ++d)
            s->narrow.now.point[i].total[d] += s->restitution.impulse[i].impulse[d];
}
