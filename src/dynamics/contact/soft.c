/// @file
/// Contacts solved by sub-steps: soft where shapes overlap, then relaxed, so that undoing an overlap leaves no speed
/// behind (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"

enum { MOST_ROUNDS = 20 };

static const double settled = 1e-3; // of a contact's impulse

// Of an impulse that stood before the spring of an overlap need carry no more: the overlap that a load stands on is
// smaller by that. All of it, and tall stacks swing.
static const double standing = 0.5;

// What a soft contact takes of an impulse, and of the overlap as speed.
typedef struct softness {
    double bias, give; // 1/s; of K
} softness;

// A spring and damper of a frequency and a ratio, stepped implicitly.
static softness softness_of(const er_contact_def *def, double h)
{
    double omega = 2.0 * ER_PI * fmin(def->frequency, 0.25 / h), a = 2.0 * def->damping + h * omega, b = h * omega * a;
    return (softness){omega / a, 1.0 / b};
}

static void strike(const er_touching *c, int direction, double impulse, double *V)
{
    for (int k = 0; k < 2; ++k) {
        const er_contact_side *s = &c->side[k];
        const double *Y = s->Y + direction * s->count;
        double *v = V + s->first;
        for (int i = 0; i < s->count; ++i)
            v[i] += impulse * Y[i];
    }
}

// The impulse of one contact that leaves the speeds `aim` along its directions, or slides, or is none: within the cone
// of friction, against the slip where it slides.
// @param K      what impulses change the speeds by
// @param speed  as they are; changed as the impulse is
static void meet(double K[3][3], const double aim[3], double friction, double *speed, double *impulse)
{
    double lead = 0.5 * (K[1][1] + K[2][2] + sqrt((K[1][1] - K[2][2]) * (K[1][1] - K[2][2]) + 4.0 * K[1][2] * K[1][2]));
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        double was[3] = {impulse[0], impulse[1], impulse[2]};
        impulse[0] = fmax(was[0] - (speed[0] - aim[0]) / K[0][0], 0.0);
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][0] * (impulse[0] - was[0]);
        double a = was[1] - (speed[1] - aim[1]) / lead, b = was[2] - (speed[2] - aim[2]) / lead;
        double size = sqrt(a * a + b * b), most = friction * impulse[0], share = size > most ? most / size : 1.0;
        impulse[1] = share * a, impulse[2] = share * b;
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][1] * (impulse[1] - was[1]) + K[d][2] * (impulse[2] - was[2]);
        double change = fabs(impulse[0] - was[0]) + fabs(impulse[1] - was[1]) + fabs(impulse[2] - was[2]);
        if (change <= settled * impulse[0]) break;
    }
}

// One pass over all contacts: those apart may close their gap and no more, those that overlap part.
static void pass(er_contacts *s, double h, softness soft, double push_out)
{
    for (int i = 0; i < s->now.count; ++i) {
        er_touching *c = &s->now.item[i];
        double K[3][3], speed[3], aim[3] = {-c->distance / h}, impulse[3];
        if (!(c->K[0][0] > 0.0)) continue;
        memcpy(K, c->K, sizeof K);
        memcpy(impulse, c->impulse, sizeof impulse);
        for (int d = 0; d < 3; ++d)
            speed[d] = er_touching_speed(c, d, s->V);
        if (c->distance <= 0.0) { // w + bias distance + give impulse = 0
            double give = soft.give * c->K[0][0];
            K[0][0] += give;
            speed[0] += give * impulse[0] * (1.0 - standing);
            aim[0] = fmin(-soft.bias * c->distance, push_out);
        }
        meet(K, aim, c->friction, speed, impulse);
        for (int d = 0; d < 3; ++d)
            strike(c, d, impulse[d] - c->impulse[d], s->V);
        memcpy(c->impulse, impulse, sizeof impulse);
    }
}

static void warm_start(er_contacts *s)
{
    for (int i = 0; i < s->now.count; ++i)
        for (int d = 0; d < 3; ++d)
            strike(&s->now.item[i], d, s->now.item[i].impulse[d], s->V);
}

// The speeds at which contacts that are about to close meet.
static void note_approach(er_contacts *s, double h)
{
    for (int i = 0; i < s->now.count; ++i) {
        er_touching *c = &s->now.item[i];
        if (c->restitution == 0.0) continue;
        double speed = er_touching_speed(c, 0, s->V);
        if (c->distance + h * speed <= 0.0) c->approach = fmin(c->approach, speed);
    }
}

static void go(er_contacts *s, double h)
{
    for (int i = 0; i < s->width; ++i)
        s->way[i] += h * s->V[i];
    for (int i = 0; i < s->now.count; ++i) {
        er_touching *c = &s->now.item[i];
        c->distance += h * er_touching_speed(c, 0, s->V);
    }
}

// What came faster than `slow` and was stopped parts again.
static void rebound(er_contacts *s, double slow)
{
    for (int i = 0; i < s->now.count; ++i) {
        er_touching *c = &s->now.item[i];
        if (c->approach >= -slow || c->total[0] == 0.0) continue;
        double before = c->impulse[0], part = er_touching_speed(c, 0, s->V) + c->restitution * c->approach;
        c->impulse[0] = fmax(before - part / c->K[0][0], 0.0);
        strike(c, 0, c->impulse[0] - before, s->V);
        c->total[0] += c->impulse[0] - before;
    }
}

void er_contacts_solve(er_world *w, double h)
{
    er_contacts *s = w->contacts;
    const er_contact_def *def = &w->def.contact;
    const softness hard = {0.0, 0.0};
    int n = def->substeps;
    double part = h / n;
    softness soft = softness_of(def, part);
    memset(s->way, 0, (size_t)s->width * sizeof(double));
    for (int i = 0; i < s->now.count; ++i)
        for (int d = 0; d < 3; ++d) {
            er_touching *c = &s->now.item[i];
            c->met[d] = er_touching_speed(c, d, s->V);
        }
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < s->width; ++i)
            s->V[i] += part * s->dV[i];
        note_approach(s, part);
        warm_start(s);
        pass(s, part, soft, def->push_out);
        go(s, part);
        note_approach(s, part);
        pass(s, part, hard, 0.0);
        for (int i = 0; i < s->now.count; ++i)
            for (int d = 0; d < 3; ++d)
                s->now.item[i].total[d] += s->now.item[i].impulse[d];
    }
    rebound(s, 2.0 * er_v3_norm(w->def.gravity) * h);
}
