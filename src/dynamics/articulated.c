/// @file
/// Articulated bodies of one world.
#define REAL double
#define LIMBS(name) eri_limbs##name
#include "dynamics/articulated_sweep.h"

static er_vec3 plain(vector a)
{
    return er_v3(a.x, a.y, a.z);
}

eri_limb_motion eri_limbs_motion(const eri_limbs *limbs, int index)
{
    const limb *l = &limbs->limb[index];
    eri_limb_motion m = {.origin = plain(l->at.p),
                         .angular = plain(l->at.v.a),
                         .linear = plain(l->at.v.l),
                         .angular_rate = plain(l->at.rate.a),
                         .linear_rate = plain(l->at.rate.l),
                         .com = plain(l->c)};
    memcpy(&m.axes, &l->at.W, sizeof m.axes);
    return m;
}

er_vec3 eri_limbs_origin(const eri_limbs *limbs, int index)
{
    return plain(limbs->limb[index].at.p);
}

er_vec3 eri_limbs_com(const eri_limbs *limbs, int index)
{
    return plain(add(limbs->limb[index].at.p, limbs->limb[index].c));
}

ERI_LANES_DO(ride, (struct eri_limbs * s, const double *q, const double *u, const eri_ground_state *ground),
             (s, q, u, ground))
{
    for (int i = 0; i < s->count; ++i) {
        limb *l = &s->limb[i];
        place root;
        const place *up = place_above(s, l, ground, &root);
        const double *rate = u + l->u;
        if (l->shape == ANY) {
            move_any(l, s->column + l->column, up, q + l->fixed->q, rate);
            continue;
        }
        vector turn = l->shape == ONE_TURN ? scale(*rate, l->axis) : times(&l->P, (vector){rate[0], rate[1], rate[2]});
        l->at.v.a = add(up->v.a, turn);
        l->at.rate.a = add(up->rate.a, cross(up->v.a, turn));
        carry_point(l, up);
    }
}

void eri_limbs_ride(eri_limbs *limbs, const double *q, const double *u, const eri_ground_state *ground)
{
    ride(limbs, q, u, ground);
}

ERI_LANES_DO(bodies, (const struct eri_limbs *s, eri_body_motion *motion), (s, motion))
{
    for (int i = 0; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        eri_body_motion *m = &motion[l->link->body];
        matrix R = product_constant(&l->at.W, &l->fixed->body_axes);
        memcpy(&m->axes, &R, sizeof m->axes);
        m->origin = plain(add(l->at.p, carry(&l->at.W, l->fixed->body_frame.p)));
        m->com = plain(add(l->at.p, l->c));
        m->angular = plain(l->at.v.a);
        m->linear = plain(add(l->at.v.l, cross(l->at.v.a, l->c)));
    }
}

void eri_limbs_bodies(const eri_limbs *limbs, eri_body_motion *motion)
{
    bodies(limbs, motion);
}

ERI_LANES_DO(rates, (const struct eri_limbs *s, const double *twist, er_vec3 gravity, er_twist *out),
             (s, twist, gravity, out))
{
    for (int i = 0; i < s->count; ++i) {
        pair a = body_rate(&s->limb[i], get(twist + 6 * (size_t)i), vec(gravity));
        out[s->limb[i].link->body] = (er_twist){plain(a.a), plain(a.l)};
    }
}

void eri_limbs_rates(const eri_limbs *limbs, const double *twist, er_vec3 gravity, er_twist *out)
{
    rates(limbs, twist, gravity, out);
}

ERI_LANES_DO(momenta, (const struct eri_limbs *s, const double *change, er_wrench *momentum, double *energy),
             (s, change, momentum, energy))
{
    for (int i = 0; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        const eri_limb *f = l->fixed;
        pair d = get(change + 6 * (size_t)i);
        vector w = add(l->at.v.a, d.a), v = add(add(l->at.v.l, d.l), cross(w, l->c));
        vector own = times_transposed(&l->at.W, w);
        const double *J = f->inertia;
        const symmetric I = {J[0], J[1], J[2], J[3], J[4], J[5]};
        vector L = times(&l->at.W, times_symmetric(&I, own)), p = scale(f->mass, v);
        momentum[i] = (er_wrench){plain(L), plain(p)};
        energy[i] = 0.5 * (dot(L, w) + dot(p, v));
    }
}

void eri_limbs_momenta(const eri_limbs *limbs, const double *change, er_wrench *momentum, double *energy)
{
    momenta(limbs, change, momentum, energy);
}

static bool turns(const limb *l)
{
    for (int i = 0; i < l->freedom; ++i)
        if (l->link->joint >= 0 && l->fixed->axis[i] < 3) return true;
    return false;
}

// The reduced mass of a limb and the limb above, which a force at the joint moves and turns.
static double mass_at_joint(const eri_limbs *s, const limb *l)
{
    double own = 1.0 / l->fixed->mass;
    if (l->up >= 0) {
        const limb *up = &s->limb[l->up];
        const double *J = up->fixed->inertia;
        er_vec3 arm = plain(sub(sub(l->at.p, up->at.p), up->c));
        own += 1.0 / up->fixed->mass + er_v3_dot(arm, arm) / (0.5 * (J[0] + J[1] + J[2]));
    }
    return 1.0 / own;
}

// A bar of mass m and length l between two ends that a tension F draws apart swings with w^2 = F l / (m l^2 / 3).
double eri_limbs_swing(const eri_limbs *s, const bool *looped, const bool *flies, const double *twist, er_vec3 *force,
                       double *pull)
{
    double fastest = 0.0;
    memset(force, 0, (size_t)s->count * sizeof *force);
    memset(pull, 0, (size_t)s->count * sizeof *pull);
    for (int i = s->count - 1; i >= 0; --i) {
        const limb *l = &s->limb[i];
        const eri_limb *f = l->fixed;
        const double *J = f->inertia;
        pair rate = madd2(l->at.rate, 1.0, get(twist + 6 * (size_t)i));
        vector w = l->at.v.a, a = add(add(rate.l, cross(rate.a, l->c)), cross(w, cross(w, l->c)));
        er_vec3 own = plain(scale(f->mass, a)), c = plain(l->c);
        force[i] = er_v3_add(force[i], own);
        pull[i] -= er_v3_dot(own, c);
        double about = 0.5 * (J[0] + J[1] + J[2]) + mass_at_joint(s, l) * er_v3_dot(c, c);
        if (!looped[i] && !flies[i] && turns(l) && pull[i] > fastest * fastest * about) fastest = sqrt(pull[i] / about);
        if (l->up < 0) continue;
        vector arm = sub(l->at.p, s->limb[l->up].at.p);
        force[l->up] = er_v3_add(force[l->up], force[i]);
        pull[l->up] -= er_v3_dot(force[i], plain(arm));
    }
    return fastest;
}

ERI_LANES_DO(lump, (const struct eri_limbs *s, int first, int last, bool with_inertia, eri_lump *out),
             (s, first, last, with_inertia, out))
{
    vector centre = {0, 0, 0};
    double mass = 0.0;
    symmetric I = {0, 0, 0, 0, 0, 0};
    for (int i = first; i < last; ++i) {
        const limb *l = &s->limb[i];
        centre = madd(centre, l->fixed->mass, add(l->at.p, l->c));
        mass += l->fixed->mass;
    }
    centre = scale(1.0 / mass, centre);
    for (int i = first; i < last && with_inertia; ++i) {
        const limb *l = &s->limb[i];
        symmetric J = turned(&l->at.W, l->fixed->inertia);
        vector a = sub(add(l->at.p, l->c), centre), b = scale(l->fixed->mass, a);
        I = (symmetric){I.xx + J.xx + a.y * b.y + a.z * b.z,
                        I.yy + J.yy + a.x * b.x + a.z * b.z,
                        I.zz + J.zz + a.x * b.x + a.y * b.y,
                        I.xy + J.xy - a.x * b.y,
                        I.xz + J.xz - a.x * b.z,
                        I.yz + J.yz - a.y * b.z};
    }
    *out = (eri_lump){mass, plain(centre), {{{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}}}};
}

eri_lump eri_limbs_lump(const eri_limbs *limbs, int first, int last, bool with_inertia)
{
    eri_lump out;
    lump(limbs, first, last, with_inertia, &out);
    return out;
}

void eri_limbs_focus(eri_limbs *limbs, int first, int end)
{
    limbs->first = first;
    limbs->count = end;
}

void eri_limbs_own_twists(const eri_limbs *limbs, double *twist)
{
    for (int i = 0; i < limbs->count; ++i)
        put(limbs->limb[i].at.v, twist + 6 * (size_t)i);
}

void eri_limbs_twists(const eri_limbs *limbs, const double *rate, double *twist)
{
    for (int i = limbs->first; i < limbs->count; ++i) {
        const limb *l = &limbs->limb[i];
        pair a = {{0, 0, 0}, {0, 0, 0}};
        if (l->up >= 0) {
            a = get(twist + 6 * (size_t)l->up);
            a.l = add(a.l, cross(a.a, l->r));
        }
        put(add_rates(limbs, l, a, rate + l->u), twist + 6 * (size_t)i);
    }
}

// ---- Eight blows side by side, on the limbs of one world

#define VALUE eri_lanes
#define OF(name) name##8
#include "dynamics/articulated_algebra.h"
#include "dynamics/articulated_joint.h"

ERI_LANES_DO(link_limb, (const eri_limbs *s, const limb *l, eri_lanes *across, eri_lanes *own), (s, l, across, own))
{
    const vector8 none = {{0}, {0}, {0}};
    const eri_lanes unit[6] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
    eri_lanes rate[6] = {{0}}, left[6] = {{0}};
    pair8 a = {{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}}, f = {sub8(none, a.a), sub8(none, a.l)};
    a.l = sub8(a.l, cross8(l->r, a.a));
    a = give_rates8(s, l, a, rate);
    hand_on8(s, l, NULL, f, left);
    put8(a, across);
    put8(give_rates8(s, l, (pair8){none, none}, left), own);
}

void eri_limbs_link(const eri_limbs *limbs, int index, eri_lanes *across, eri_lanes *own)
{
    link_limb(limbs, &limbs->limb[index], across, own);
}

// From the limb down to the root.
ERI_LANES_DO(strike, (const eri_limbs *s, int struck, const eri_lanes *wrench, eri_lanes *feel, eri_lanes *left),
             (s, struck, wrench, feel, left))
{
    const vector8 none = {{0}, {0}, {0}};
    pair8 f = get8(wrench), g = {sub8(none, f.a), sub8(none, f.l)};
    for (int i = struck; i >= 0; i = s->limb[i].up) {
        const limb *l = &s->limb[i];
        eri_lanes force[6], rest[6];
        project8(s, l, f, force);
        g = hand_on8(s, l, NULL, g, rest);
        for (int c = 0; c < l->freedom; ++c) {
            feel[l->u + c] += force[c];
            left[l->u + c] += rest[c];
        }
        f.a = add8(f.a, cross8(l->r, f.l));
        g.a = add8(g.a, cross8(l->r, g.l));
    }
}

void eri_limbs_strike(const eri_limbs *limbs, int struck, const eri_lanes *wrench, eri_lanes *feel, eri_lanes *left)
{
    strike(limbs, struck, wrench, feel, left);
}

// The twist that a limb gets from the limb above.
INLINE pair8 from_above(const limb *l, const eri_lanes *twist)
{
    const vector8 none = {{0}, {0}, {0}};
    if (l->up < 0) return (pair8){none, none};
    pair8 a = get8(twist + 6 * (size_t)l->up);
    a.l = sub8(a.l, cross8(l->r, a.a));
    return a;
}

ERI_LANES_DO(twists8, (const eri_limbs *s, const eri_lanes *rate, eri_lanes *twist), (s, rate, twist))
{
    for (int i = s->first; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        put8(add_rates8(s, l, from_above(l, twist), rate + l->u), twist + 6 * (size_t)i);
    }
}

void eri_limbs_twists8(const eri_limbs *limbs, const eri_lanes *rate, eri_lanes *twist)
{
    twists8(limbs, rate, twist);
}

ERI_LANES_DO(respond, (const eri_limbs *s, eri_lanes *rate, eri_lanes *twist), (s, rate, twist))
{
    for (int i = s->first; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        put8(give_rates8(s, l, from_above(l, twist), rate + l->u), twist + 6 * (size_t)i);
    }
}

void eri_limbs_respond(const eri_limbs *limbs, eri_lanes *rate, eri_lanes *twist)
{
    respond(limbs, rate, twist);
}
