/// @file
/// Contacts that touch trees: rows that tell their speeds, and what their impulses change (contact.h), one by one.
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"

enum { MOST_ROUNDS = 20 };

static const double settled = 1e-3; // of a contact's impulse

// ---- How they act

ER_LANES_INLINE double inner(int lanes, const er_lanes *a, const er_lanes *b)
{
    er_lanes sum = {0};
    for (int i = 0; i < lanes; ++i)
        sum += a[i] * b[i];
    return er_lanes_sum(sum);
}

ER_LANES_INLINE double speed_of(const er_response *c, int direction, const double *V)
{
    double speed = c->given[direction];
    for (int k = 0; k < 2; ++k) {
        const er_response_side *s = &c->side[k];
        if (s->lanes > 0) speed += inner(s->lanes, s->J + direction * s->lanes, (const er_lanes *)(V + s->at));
    }
    return speed;
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

// Of a tree's limb that takes `sign` of the impulses; adds to what is there.   @param row  [2 count], work space
static void feel_tree(er_world *w, const er_grove *g, int body, const er_touching *at, double sign,
                      er_response_side *side, double *row)
{
    int limb = w->tree->limb_of_body[body];
    for (int d = 0; d < 3; ++d) {
        double *J = (double *)(side->J + d * side->lanes), *Y = (double *)(side->Y + d * side->lanes);
        er_vec3 force = er_v3_scale(sign, at->axis[d]);
        er_minimal_respond(w, g->first_limb, g->last_limb, limb, at->point, force, row, row + g->count);
        for (int i = 0; i < g->count; ++i)
            J[i] += row[i], Y[i] += row[g->count + i];
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

static er_result feel(er_world *w, er_response *c, double *row)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    for (int k = 0; k < 2; ++k) {
        int body = s->shape[c->contact->shape[1 - k]].body;
        double sign = k == 0 ? 1.0 : -1.0;
        if (er_contacts_is_ground(s, body)) continue;
        er_mover m = s->mover[body];
        if (m.grove < 0) {
            ER_TRY(make_side(s, ER_LANE_COUNT * m.single, 6, &c->side[k]));
            feel_single(&s->single[m.single], c->contact, sign, &c->side[k]);
            continue;
        }
        const er_grove *g = &s->grove[m.grove];
        er_response_side *side = k == 1 && c->side[0].lanes > 0 && c->side[0].at == g->at ? &c->side[0] : &c->side[k];
        ER_TRY(make_side(s, g->at, g->count, side));
        feel_tree(w, g, body, c->contact, sign, side, row);
    }
    for (int d = 0; d < 3; ++d)
        for (int e = 0; e < 3; ++e)
            c->K[d][e] = response(c, d, e);
    find_given(w, c);
done:
    return r;
}

static bool touches_tree(const er_contacts *s, const er_touching *c)
{
    int a = s->shape[c->shape[0]].body, b = s->shape[c->shape[1]].body;
    return (a >= 0 && s->mover[a].grove >= 0) || (b >= 0 && s->mover[b].grove >= 0);
}

er_result er_responses_create(er_world *w)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    double *row;
    s->response_count = 0;
    if (s->grove_count == 0) return ER_OK;
    ER_TRY_NEW(row, s->now.arena, double, 2 * (size_t)s->width);
    ER_TRY_NEW(s->response, s->now.arena, er_response, s->now.count);
    for (int i = 0; i < s->now.count; ++i) {
        if (!touches_tree(s, &s->now.item[i])) continue;
        er_response *c = &s->response[s->response_count];
        c->contact = &s->now.item[i];
        ER_TRY(feel(w, c, row));
        s->response_count += c->K[0][0] > 0.0; // else nothing gives way
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

// The impulse of one contact that leaves the speed `aim` along its normal and none along its tangents, or slides, or is
// none: within the cone of friction, against the slip where it slides.
// @param K      what impulses change the speeds by
// @param speed  as they are; changed as the impulse is
static void meet(double K[3][3], double aim, double friction, double *speed, double *impulse)
{
    double x = K[1][1], y = K[2][2], xy = K[1][2], lead = 0.5 * (x + y + sqrt((x - y) * (x - y) + 4.0 * xy * xy));
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        double was[3] = {impulse[0], impulse[1], impulse[2]};
        impulse[0] = fmax(was[0] - (speed[0] - aim) / K[0][0], 0.0);
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][0] * (impulse[0] - was[0]);
        double a = was[1] - speed[1] / lead, b = was[2] - speed[2] / lead, most = friction * impulse[0];
        double size = sqrt(a * a + b * b), share = size > most ? most / size : 1.0;
        impulse[1] = share * a, impulse[2] = share * b;
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][1] * (impulse[1] - was[1]) + K[d][2] * (impulse[2] - was[2]);
        double change = fabs(impulse[0] - was[0]) + fabs(impulse[1] - was[1]) + fabs(impulse[2] - was[2]);
        if (change <= settled * impulse[0]) break;
    }
}

ER_LANES static void pass(er_response *c, double h, er_softness soft, double *V)
{
    er_touching *at = c->contact;
    double K[3][3], speed[3], impulse[3], aim = -at->distance / h;
    memcpy(K, c->K, sizeof K);
    memcpy(impulse, at->impulse, sizeof impulse);
    for (int d = 0; d < 3; ++d)
        speed[d] = speed_of(c, d, V);
    if (at->restitution > 0.0 && at->distance + h * speed[0] <= 0.0) at->approach = fmin(at->approach, speed[0]);
    if (at->distance <= 0.0) { // w + bias distance + give impulse = 0
        double give = soft.give * K[0][0];
        K[0][0] += give;
        speed[0] += give * impulse[0] * (1.0 - ER_CONTACT_STANDING);
        aim = fmin(-soft.bias * at->distance, soft.push_out);
    }
    meet(K, aim, at->friction, speed, impulse);
    for (int d = 0; d < 3; ++d)
        strike(c, d, impulse[d] - at->impulse[d], V);
    memcpy(at->impulse, impulse, sizeof impulse);
}

void er_responses_pass(er_contacts *s, double h, er_softness soft)
{
    for (int i = 0; i < s->response_count; ++i)
        pass(&s->response[i], h, soft, s->V);
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

void er_responses_rebound(er_contacts *s, double slow)
{
    for (int i = 0; i < s->response_count; ++i) {
        er_touching *at = s->response[i].contact;
        if (at->approach >= -slow || at->total[0] == 0.0) continue;
        double before = at->impulse[0], speed = speed_of(&s->response[i], 0, s->V) + at->restitution * at->approach;
        at->impulse[0] = fmax(before - speed / s->response[i].K[0][0], 0.0);
        strike(&s->response[i], 0, at->impulse[0] - before, s->V);
        at->total[0] += at->impulse[0] - before;
    }
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
