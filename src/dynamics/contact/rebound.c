/// @file
/// Rebounds: what comes fast and touches within a step parts at once, pair by pair, before contacts are solved
/// (docs/math/contact.md).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/contact/contact.h"

enum { MOST_SWEEPS = 100, MOST_ROUNDS = 20 };

static const double together = 0.01; // of a step: what touches so soon after the first does so with it
static const double settled = 1e-12; // of the impulses of a pair

// A contact that can rebound.
typedef struct bounce {
    eri_touching *contact;
    eri_response *response;
    bool weighed;
    int mover[2]; // places in V over 8, the lesser first; -1: what stands still
    double restitution;
    double aim; // m/s: its speed when it has rebounded; -HUGE_VAL of what takes no part
    double before[3], impulse[3];
} bounce;

typedef struct rebounds {
    er_world *w;
    eri_contacts *s;
    double h, part, slow;
    bounce *item;
    int count;
    int *struck; // [width / 8]: the last sweep that a mover was struck in
} rebounds;

// ---- Which

double eri_contacts_restitution(const er_world *w, int a, int b)
{
    const er_world_shape *shape = w->contacts->shape;
    return eri_combine(w->def.restitution_rule, shape[a].restitution, shape[b].restitution);
}

static er_result list(rebounds *all)
{
    er_result r = ER_OK;
    eri_contacts *s = all->s;
    eri_response *response;
    ERI_TRY_RESERVE(all->item, s->now.arena, bounce, s->now.count);
    ERI_TRY_RESERVE(response, s->now.arena, eri_response, s->now.count);
    ERI_TRY_NEW(all->struck, s->now.arena, int, s->width / ERI_LANE_COUNT);
    for (int i = 0; i < s->now.count; ++i) {
        eri_touching *c = &s->now.item[i];
        double restitution = eri_contacts_restitution(all->w, c->shape[0], c->shape[1]);
        bool takes_part = restitution > 0.0 || (s->swift && eri_swift_is(s, c->shape[0], c->shape[1]));
        if (!takes_part || eri_contacts_rests(s, c)) continue;
        int a = eri_contacts_slot(s, c->shape[0]), b = eri_contacts_slot(s, c->shape[1]);
        response[all->count] = eri_response_of(all->w, c);
        all->item[all->count] =
            (bounce){.contact = c, .restitution = restitution, .mover = {a < b ? a : b, a < b ? b : a}};
        all->item[all->count].response = &response[all->count];
        ++all->count;
    }
done:
    return r;
}

static int compare(const void *first, const void *second)
{
    const bounce *a = first, *b = second;
    for (int k = 0; k < 2; ++k)
        if (a->mover[k] != b->mover[k]) return a->mover[k] < b->mover[k] ? -1 : 1;
    return (a->contact > b->contact) - (a->contact < b->contact);
}

// ---- When

// Whether it may come fast: in a step weight makes three quarters of that at most.
static bool is_fast(const rebounds *all, const bounce *b)
{
    return eri_response_rate(b->response, 0, all->s->V) < -0.25 * all->slow;
}

// When it touches, going as it does, and how fast; HUGE_VAL where it does not within the step.
static double closing(const rebounds *all, const bounce *b, double *speed)
{
    double pull = eri_response_rate(b->response, 0, all->s->dV);
    double begin = eri_response_rate(b->response, 0, all->s->V) + 0.5 * all->part * pull; // sub-steps go as a parabola
    double gap = b->contact->distance + eri_response_rate(b->response, 0, all->s->late), t = 0.0;
    if (gap > 0.0) {
        double square = begin * begin - 2.0 * pull * gap;
        if (!(square >= 0.0 && sqrt(square) > begin)) return HUGE_VAL;
        t = 2.0 * gap / (sqrt(square) - begin);
    }
    *speed = begin + t * pull;
    return t <= all->h && *speed < 0.0 ? t : HUGE_VAL;
}

// ---- How

// A contact's three speeds at a time.
static void speeds_at(const rebounds *all, const bounce *b, double t, double speed[3])
{
    const eri_response *c = b->response;
    for (int d = 0; d < 3; ++d)
        speed[d] = eri_response_rate(c, d, all->s->V) + (t + 0.5 * all->part) * eri_response_rate(c, d, all->s->dV);
}

static void strike(const rebounds *all, const bounce *b, double share, const double impulse[3], double *X)
{
    const double blow[3] = {share * impulse[0], share * impulse[1], share * impulse[2]};
    eri_response_strike(all->w, b->response, blow, X);
}

// One contact of a pair; returns by how much its impulse changed.
static double solve(const rebounds *all, bounce *b, double t)
{
    double K[3][3], speed[3], change[3], most = 0.0;
    memcpy(K, b->response->K, sizeof K);
    memcpy(change, b->impulse, sizeof change);
    speeds_at(all, b, t, speed);
    eri_response_solve(K, b->response->lead, b->aim, b->contact->friction, speed, b->impulse);
    for (int d = 0; d < 3; ++d) {
        change[d] = b->impulse[d] - change[d];
        most = fmax(most, fabs(change[d]));
    }
    strike(all, b, 1.0, change, all->s->V);
    return most;
}

// What of a pair touches at a time takes part.
static void meet(rebounds *all, int count, bounce *pair, double t)
{
    for (int i = 0; i < count; ++i) {
        bounce *b = &pair[i];
        double speed = 0.0;
        bool touches = closing(all, b, &speed) <= t + together * all->h;
        if (!b->weighed) eri_response_weigh(all->w, b->response);
        b->weighed = true;
        speeds_at(all, b, t, b->before);
        b->aim = touches && b->response->gives ? -b->restitution * b->before[0] : -HUGE_VAL;
        memset(b->impulse, 0, sizeof b->impulse);
    }
}

// The share of a pair's impulses that adds no energy: friction that goes with restitution can add some. Counts the
// heat.
static double lasting(rebounds *all, int count, const bounce *pair, double t)
{
    double met = 0.0, left = 0.0, after[3];
    for (int i = 0; i < count; ++i) {
        speeds_at(all, &pair[i], t, after);
        for (int d = 0; d < 3; ++d) {
            met += pair[i].impulse[d] * pair[i].before[d];
            left += pair[i].impulse[d] * after[d];
        }
    }
    // what a share of them adds: share met + share^2 (left - met) / 2
    double share = met + left > 0.0 ? fmax(-2.0 * met / (left - met), 0.0) : 1.0;
    all->s->heat -= share * (met + 0.5 * share * (left - met));
    return share;
}

// All of a pair that touches at a time parts at once, each at e times its speed or faster.
static void part(rebounds *all, int count, bounce *pair, double t)
{
    double largest = 0.0, change = HUGE_VAL;
    meet(all, count, pair, t);
    for (int round = 0; round < MOST_ROUNDS && change > settled * largest; ++round) {
        change = 0.0;
        for (int i = 0; i < count; ++i) {
            if (pair[i].aim == -HUGE_VAL) continue;
            change = fmax(change, solve(all, &pair[i], t));
            largest = fmax(largest, pair[i].impulse[0]);
        }
    }
    double share = lasting(all, count, pair, t);
    for (int i = 0; i < count; ++i) {
        eri_blow *blow = &all->s->blow[pair[i].contact - all->s->now.item];
        strike(all, &pair[i], share - 1.0, pair[i].impulse, all->s->V);
        strike(all, &pair[i], -share * t, pair[i].impulse, all->s->late);
        for (int d = 0; d < 3; ++d) {
            blow->impulse[d] += share * pair[i].impulse[d];
            blow->way[d] += (all->h - t) * share * pair[i].impulse[d];
        }
    }
}

// ---- In turn

static bool was_struck(const rebounds *all, const bounce *b, int sweep)
{
    for (int k = 0; k < 2; ++k)
        if (b->mover[k] >= 0 && all->struck[b->mover[k]] >= sweep) return true;
    return false;
}

// When the first of a pair that comes fast touches.
static double first_of(const rebounds *all, int count, const bounce *pair)
{
    double first = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        if (!is_fast(all, &pair[i])) continue;
        double speed = 0.0, t = closing(all, &pair[i], &speed);
        if (t < first &&
            speed < -fmax(all->slow, 2.0 * all->h * fabs(eri_response_rate(pair[i].response, 0, all->s->dV))))
            first = t;
    }
    return first;
}

// Every pair once, of which something was struck since it was last looked at.
static bool sweep(rebounds *all, int turn)
{
    bool any = false;
    for (int i = 0, count; i < all->count; i += count) {
        bounce *pair = &all->item[i];
        for (count = 1; i + count < all->count && memcmp(pair->mover, pair[count].mover, sizeof pair->mover) == 0;)
            ++count;
        if (!was_struck(all, pair, turn - 1)) continue;
        double t = first_of(all, count, pair);
        if (t == HUGE_VAL) continue;
        part(all, count, pair, t);
        for (int k = 0; k < 2; ++k)
            if (pair->mover[k] >= 0) all->struck[pair->mover[k]] = turn;
        any = true;
    }
    return any;
}

er_result eri_contacts_rebound(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    rebounds all = {
        .w = w, .s = s, .h = h, .part = h / w->def.contact.substeps, .slow = 2.0 * er_v3_norm(w->def.gravity) * h};
    s->heat = 0.0;
    s->blow = NULL;
    if (!s->rebounds && !s->swift) return ER_OK;
    memset(s->late, 0, (size_t)s->width * sizeof(double));
    ERI_TRY_NEW(s->blow, s->now.arena, eri_blow, s->now.count);
    ERI_TRY(list(&all));
    if (all.count > 0) qsort(all.item, (size_t)all.count, sizeof *all.item, compare);
    bool any = true;
    for (int turn = 1; turn <= MOST_SWEEPS && any; ++turn)
        any = sweep(&all, turn);
done:
    return r;
}

void eri_contacts_add_blows(eri_contacts *s)
{
    for (int i = 0; i < s->now.count && s->blow != NULL; ++i)
        for (int d = 0; d < 3; ++d)
            s->now.item[i].total[d] += s->blow[i].impulse[d];
}
