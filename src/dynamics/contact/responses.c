/// @file
/// Contacts that touch trees: rows that tell their speeds, and what their impulses change (contact.h), one by one.
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"

enum { MOST_ROUNDS = 20 };

static const double settled = 1e-3; // of a contact's impulse
static const double thin = 1e-9;    // of K: less is singular

// ---- How they act

ER_LANES_INLINE double inner(int lanes, const er_lanes *a, const er_lanes *b)
{
    er_lanes sum = {0};
    for (int i = 0; i < lanes; ++i)
        sum += a[i] * b[i];
    return er_lanes_sum(sum);
}

ER_LANES_INLINE double rate_of(const er_response *c, int direction, const double *X)
{
    double rate = 0.0;
    for (int k = 0; k < 2; ++k) {
        const er_response_side *s = &c->side[k];
        if (s->lanes > 0) rate += inner(s->lanes, s->J + direction * s->lanes, (const er_lanes *)(X + s->at));
    }
    return rate;
}

ER_LANES_INLINE double speed_of(const er_response *c, int direction, const double *V)
{
    return c->given[direction] + rate_of(c, direction, V);
}

ER_LANES_INLINE void strike(const er_response *c, int direction, double impulse, double *V)
{
    for (int k = 0; k < 2; ++k) {
        const er_response_side *s = &c->side[k];
        er_lanes *v = (er_lanes *)(V + s->at);
        const er_lanes *Y = s->Y + direction * s->lanes;
        for (int i = 0; i < s->lanes; ++i)
            v[i] += impulse * Y[i];
    }
}

double er_response_rate(const er_response *c, int direction, const double *X)
{
    return rate_of(c, direction, X);
}

void er_response_strike(const er_response *c, int direction, double impulse, double *X)
{
    strike(c, direction, impulse, X);
}

// What an impulse along one direction changes the speed along another by.
static double response(const er_response *c, int to, int from)
{
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        const er_response_side *s = &c->side[k];
        sum += inner(s->lanes, s->J + to * s->lanes, s->Y + from * s->lanes);
    }
    return sum;
}

static void weigh(er_response *c)
{
    for (int d = 0; d < 3; ++d)
        for (int e = 0; e <= d; ++e)
            c->K[d][e] = c->K[e][d] = response(c, d, e);
    double x = c->K[1][1], y = c->K[2][2], xy = c->K[1][2];
    c->lead = 0.5 * (x + y + sqrt((x - y) * (x - y) + 4.0 * xy * xy));
    c->gives = c->K[0][0] > 0.0 && c->lead > 0.0;
}

static er_vec3 velocity_at(const er_world *w, int body, er_vec3 point)
{
    if (body < 0) return er_v3(0, 0, 0);
    er_twist v = w->twist[body];
    er_vec3 arm = er_q_rotate(er_q_conj(w->pose[body].q), er_v3_sub(point, w->pose[body].p));
    return er_q_rotate(w->pose[body].q, er_v3_add(v.linear, er_v3_cross(v.angular, arm)));
}

// Of the speeds, what no mover makes: what held bodies give to all that hangs on them.
static void find_given(const er_world *w, er_response *c)
{
    const er_contacts *s = w->contacts;
    const er_touching *at = c->contact;
    if (w->def.guide == NULL) return;
    er_vec3 apart = er_v3_sub(velocity_at(w, s->shape[at->shape[1]].body, at->point),
                              velocity_at(w, s->shape[at->shape[0]].body, at->point));
    for (int d = 0; d < 3; ++d)
        c->given[d] = er_v3_dot(at->axis[d], apart) - speed_of(c, d, s->V);
}

// Work space for one limb's blows.
typedef struct blows {
    er_lanes *feel, *change, *work;
} blows;

// Of a tree's limb that takes `sign` of the impulses of up to two contacts; adds to what is there.
static void feel_tree(er_world *w, const er_grove *g, int body, int count, er_response *c, double sign, int side,
                      const blows *b)
{
    er_vec3 point[6], force[6];
    for (int k = 0; k < 3 * count; ++k) {
        point[k] = c[k / 3].contact->point;
        force[k] = er_v3_scale(sign, c[k / 3].contact->axis[k % 3]);
    }
    er_minimal_respond(w, g->first_limb, g->last_limb, w->tree->limb_of_body[body], 3 * count, point, force, b->work,
                       b->feel, b->change);
    for (int k = 0; k < 3 * count; ++k) {
        const er_response_side *own = &c[k / 3].side[side];
        double *J = (double *)(own->J + k % 3 * own->lanes), *Y = (double *)(own->Y + k % 3 * own->lanes);
        for (int i = 0; i < g->count; ++i)
            J[i] += b->feel[i][k], Y[i] += b->change[i][k];
    }
}

static void feel_single(const er_single *b, const er_touching *at, double sign, er_response_side *side)
{
    const double *I = b->inverse;
    for (int d = 0; d < 3; ++d) {
        er_vec3 f = er_v3_scale(sign, at->axis[d]), t = er_v3_cross(er_v3_sub(at->point, b->com), f);
        side->J[d] = (er_lanes){t.x, t.y, t.z, f.x, f.y, f.z, 0, 0};
        er_lanes Y = {I[0] * t.x + I[3] * t.y + I[4] * t.z, I[3] * t.x + I[1] * t.y + I[5] * t.z,
                      I[4] * t.x + I[5] * t.y + I[2] * t.z};
        double m = b->inverse_mass;
        Y[3] = m * f.x, Y[4] = m * f.y, Y[5] = m * f.z;
        side->Y[d] = Y;
    }
}

static er_result make_side(er_contacts *s, int at, int count, er_response_side *side)
{
    er_result r = ER_OK;
    int lanes = (count + ER_LANE_COUNT - 1) / ER_LANE_COUNT;
    if (side->lanes > 0) return ER_OK;
    ER_TRY_NEW(side->J, s->now.arena, er_lanes, 6 * (size_t)lanes);
    side->Y = side->J + 3 * lanes;
    side->at = at;
    side->lanes = lanes;
done:
    return r;
}

// Of up to two contacts of the same two shapes.
static er_result feel(er_world *w, int count, er_response *c, const blows *b)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    for (int k = 0; k < 2; ++k) {
        int body = s->shape[c->contact->shape[1 - k]].body;
        double sign = k == 0 ? 1.0 : -1.0;
        if (er_contacts_is_ground(s, body)) continue;
        er_mover m = s->mover[body];
        const er_grove *g = m.grove >= 0 ? &s->grove[m.grove] : NULL;
        int side = k == 1 && g != NULL && c->side[0].lanes > 0 && c->side[0].at == g->at ? 0 : k;
        for (int i = 0; i < count; ++i)
            ER_TRY(
                make_side(s, g != NULL ? g->at : ER_LANE_COUNT * m.single, g != NULL ? g->count : 6, &c[i].side[side]));
        for (int i = 0; i < count && g == NULL; ++i)
            feel_single(&s->single[m.single], c[i].contact, sign, &c[i].side[side]);
        if (g != NULL) feel_tree(w, g, body, count, c, sign, side, b);
    }
    for (int i = 0; i < count; ++i) {
        weigh(&c[i]);
        find_given(w, &c[i]);
    }
done:
    return r;
}

er_result er_response_make(er_world *w, er_response *c)
{
    return feel(w, 1, c, NULL);
}

static bool touches_tree(const er_contacts *s, const er_touching *c)
{
    int a = s->shape[c->shape[0]].body, b = s->shape[c->shape[1]].body;
    return (a >= 0 && s->mover[a].grove >= 0) || (b >= 0 && s->mover[b].grove >= 0);
}

static er_result make_blows(er_contacts *s, blows *b)
{
    er_result r = ER_OK;
    int width = 0, limbs = 0;
    for (int i = 0; i < s->grove_count; ++i) {
        const er_grove *g = &s->grove[i];
        width = g->count > width ? g->count : width;
        limbs = g->last_limb - g->first_limb > limbs ? g->last_limb - g->first_limb : limbs;
    }
    ER_TRY_RESERVE(b->feel, s->now.arena, er_lanes, width);
    ER_TRY_RESERVE(b->change, s->now.arena, er_lanes, width);
    ER_TRY_RESERVE(b->work, s->now.arena, er_lanes, 6 * (size_t)limbs);
done:
    return r;
}

er_result er_responses_create(er_world *w)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    blows b;
    s->response_count = 0;
    if (s->grove_count == 0) return ER_OK;
    ER_TRY(make_blows(s, &b));
    ER_TRY_NEW(s->response, s->now.arena, er_response, s->now.count);
    for (int i = 0, count; i < s->now.count; i += count) {
        er_touching *at = &s->now.item[i];
        bool same = i + 1 < s->now.count && at[1].shape[0] == at[0].shape[0] && at[1].shape[1] == at[0].shape[1];
        count = same ? 2 : 1;
        if (!touches_tree(s, at) || er_contacts_rests(s, at)) continue;
        er_response *c = &s->response[s->response_count];
        for (int k = 0; k < count; ++k)
            c[k].contact = at + k;
        ER_TRY(feel(w, count, c, &b));
        s->response_count += count;
    }
done:
    return r;
}

// ---- Passes

void er_responses_warm(er_contacts *s)
{
    for (int i = 0; i < s->response_count; ++i)
        for (int d = 0; d < 3; ++d)
            strike(&s->response[i], d, s->response[i].contact->impulse[d], s->V);
}

void er_responses_let_go(er_contacts *s)
{
    for (int i = 0; i < s->response_count; ++i) {
        const er_response *c = &s->response[i];
        double *impulse = c->contact->impulse, share = c->lasting / impulse[0];
        bool blow = impulse[0] > c->lasting;
        for (int d = 0; d < 3 && blow; ++d) {
            strike(c, d, (share - 1.0) * impulse[d], s->V);
            impulse[d] *= share;
        }
    }
}

// The impulse that leaves the speed `aim` along the normal and none along the tangents, whatever it is.
static bool stick(double K[3][3], double aim, double friction, const double *speed, double *impulse)
{
    double a = K[1][1] * K[2][2] - K[1][2] * K[1][2], b = K[1][2] * K[0][2] - K[0][1] * K[2][2];
    double c = K[0][1] * K[1][2] - K[1][1] * K[0][2], det = K[0][0] * a + K[0][1] * b + K[0][2] * c;
    if (!(det > thin * K[0][0] * K[1][1] * K[2][2])) return false;
    double p = aim - speed[0], q = -speed[1], r = -speed[2], s = 1.0 / det;
    double e = K[0][0] * K[2][2] - K[0][2] * K[0][2], f = K[0][1] * K[0][2] - K[0][0] * K[1][2];
    double g = K[0][0] * K[1][1] - K[0][1] * K[0][1];
    double n = impulse[0] + s * (a * p + b * q + c * r);
    double x = impulse[1] + s * (b * p + e * q + f * r), y = impulse[2] + s * (c * p + f * q + g * r);
    if (!(n >= 0.0 && x * x + y * y <= friction * friction * n * n)) return false;
    impulse[0] = n, impulse[1] = x, impulse[2] = y;
    return true;
}

// The impulse of one contact that leaves the speed `aim` along its normal and slides, or is none: within the cone of
// friction, against the slip.
// @param K      what impulses change the speeds by
// @param speed  as they are; changed as the impulse is
static void slide(double K[3][3], double lead, double aim, double friction, double *speed, double *impulse)
{
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        double was[3] = {impulse[0], impulse[1], impulse[2]}, n = was[0] - (speed[0] - aim) / K[0][0];
        impulse[0] = n > 0.0 ? n : 0.0;
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][0] * (impulse[0] - was[0]);
        double a = was[1] - speed[1] / lead, b = was[2] - speed[2] / lead, most = friction * impulse[0];
        double square = a * a + b * b, share = square > most * most ? most / sqrt(square) : 1.0;
        impulse[1] = share * a, impulse[2] = share * b;
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][1] * (impulse[1] - was[1]) + K[d][2] * (impulse[2] - was[2]);
        double change = fabs(impulse[0] - was[0]) + fabs(impulse[1] - was[1]) + fabs(impulse[2] - was[2]);
        if (change <= settled * impulse[0]) break;
    }
}

void er_response_solve(double K[3][3], double lead, double aim, double friction, double *speed, double *impulse)
{
    if (!stick(K, aim, friction, speed, impulse)) slide(K, lead, aim, friction, speed, impulse);
}

ER_LANES static void pass(er_response *c, double h, er_softness soft, bool is_first, double slow, double *V)
{
    er_touching *at = c->contact;
    double K[3][3], speed[3], impulse[3], aim = -at->distance / h;
    if (!c->gives) return;
    memcpy(K, c->K, sizeof K);
    memcpy(impulse, at->impulse, sizeof impulse);
    for (int d = 0; d < 3; ++d)
        speed[d] = speed_of(c, d, V);
    if (is_first) c->lasting = impulse[0] + slow / K[0][0];
    if (at->distance <= 0.0) { // w + bias distance + give impulse = 0
        double give = soft.give * K[0][0], back = -soft.bias * at->distance;
        K[0][0] += give;
        speed[0] += give * impulse[0] * (1.0 - ER_CONTACT_STANDING);
        aim = back < soft.push_out ? back : soft.push_out;
    }
    er_response_solve(K, c->lead, aim, at->friction, speed, impulse);
    for (int d = 0; d < 3; ++d)
        strike(c, d, impulse[d] - at->impulse[d], V);
    memcpy(at->impulse, impulse, sizeof impulse);
}

void er_responses_pass(er_contacts *s, double h, er_softness soft, bool is_first, double slow)
{
    for (int i = 0; i < s->response_count; ++i)
        pass(&s->response[i], h, soft, is_first, slow, s->V);
}

ER_LANES static void go(er_response *c, double h, const double *V)
{
    c->contact->distance += h * speed_of(c, 0, V);
}

void er_responses_go(er_contacts *s, double h)
{
    for (int i = 0; i < s->response_count; ++i)
        go(&s->response[i], h, s->V);
}

// By the mean of the speeds that impulses met and left; of a body without joints beside the tree, the tree's alone.
double er_responses_heat(const er_contacts *s)
{
    double heat = 0.0;
    for (int i = 0; i < s->response_count; ++i)
        for (int k = 0; k < 2; ++k) {
            const er_response *c = &s->response[i];
            const er_response_side *side = &c->side[k];
            if (side->at < ER_LANE_COUNT * s->single_count) continue;
            for (int d = 0; d < 3; ++d) {
                const er_lanes *J = side->J + d * side->lanes;
                double before = inner(side->lanes, J, (const er_lanes *)(s->begin + side->at));
                double after = inner(side->lanes, J, (const er_lanes *)(s->V + side->at));
                heat -= 0.5 * c->contact->total[d] * (before + after);
            }
        }
    return heat;
}
