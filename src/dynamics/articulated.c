/// @file
/// Articulated bodies of one world.
#define REAL double
#define LIMBS(name) er_limbs##name
#include "dynamics/articulated_sweep.h"

static er_vec3 plain(vector a)
{
    return er_v3(a.x, a.y, a.z);
}

er_limb_motion er_limbs_motion(const er_limbs *limbs, int index)
{
    const limb *l = &limbs->limb[index];
    er_limb_motion m = {.origin = plain(l->at.p),
                        .angular = plain(l->at.v.a),
                        .linear = plain(l->at.v.l),
                        .angular_rate = plain(l->at.rate.a),
                        .linear_rate = plain(l->at.rate.l),
                        .com = plain(l->c)};
    memcpy(&m.axes, &l->at.W, sizeof m.axes);
    return m;
}

ER_LANES static void bodies(const struct er_limbs *s, er_body_motion *motion)
{
    for (int i = 0; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        er_body_motion *m = &motion[l->fixed->body];
        matrix R = product_constant(&l->at.W, &l->fixed->body_axes);
        memcpy(&m->axes, &R, sizeof m->axes);
        m->origin = plain(add(l->at.p, carry(&l->at.W, l->fixed->body_frame.p)));
        m->com = plain(add(l->at.p, l->c));
        m->angular = plain(l->at.v.a);
        m->linear = plain(add(l->at.v.l, cross(l->at.v.a, l->c)));
    }
}

void er_limbs_bodies(const er_limbs *limbs, er_body_motion *motion)
{
    bodies(limbs, motion);
}

ER_LANES static void rates(const struct er_limbs *s, const double *twist, er_vec3 gravity, er_twist *out)
{
    for (int i = 0; i < s->count; ++i) {
        pair a = body_rate(&s->limb[i], get(twist + 6 * (size_t)i), vec(gravity));
        out[s->limb[i].fixed->body] = (er_twist){plain(a.a), plain(a.l)};
    }
}

void er_limbs_rates(const er_limbs *limbs, const double *twist, er_vec3 gravity, er_twist *out)
{
    rates(limbs, twist, gravity, out);
}

void er_limbs_focus(er_limbs *limbs, int count)
{
    limbs->count = count;
}

void er_limbs_twists(const er_limbs *limbs, const double *rate, double *twist)
{
    for (int i = 0; i < limbs->count; ++i) {
        const limb *l = &limbs->limb[i];
        pair a = {{0, 0, 0}, {0, 0, 0}};
        if (l->up >= 0) {
            a = get(twist + 6 * (size_t)l->up);
            a.l = add(a.l, cross(a.a, l->r));
        }
        const double *u = rate + l->u;
        if (l->shape == ONE_TURN)
            a.a = madd(a.a, u[0], l->axis);
        else if (l->shape == THREE_TURNS)
            a.a = add(a.a, times(&l->P, (vector){u[0], u[1], u[2]}));
        else
            for (int c = 0; c < l->freedom; ++c)
                a = madd2(a, u[c], limbs->column[l->column + c].S);
        put(a, twist + 6 * (size_t)i);
    }
}

void er_limbs_strike(const er_limbs *limbs, int first, int last, int struck, const double *wrench, double *feel,
                     double *rate, double *twist)
{
    static const double none[6] = {0};
    int begin = limbs->limb[first].u;
    pair f = get(wrench), g = {scale(-1.0, f.a), scale(-1.0, f.l)};
    for (int i = first; i < last; ++i) {
        const limb *l = &limbs->limb[i];
        memset(feel + l->u - begin, 0, (size_t)l->freedom * sizeof *feel);
        memset(rate + l->u - begin, 0, (size_t)l->freedom * sizeof *rate);
    }
    for (int i = struck; i >= 0; i = limbs->limb[i].up) {
        const limb *l = &limbs->limb[i];
        project(limbs, l, f, feel + l->u - begin);
        g = hand_on(limbs, l, none, g, rate + l->u - begin);
        f.a = add(f.a, cross(l->r, f.l));
        g.a = add(g.a, cross(l->r, g.l));
    }
    const vector zero = {0, 0, 0};
    for (int i = first; i < last; ++i) {
        const limb *l = &limbs->limb[i];
        pair a = {zero, zero};
        if (l->up >= 0) {
            a = get(twist + 6 * (size_t)(l->up - first));
            a.l = add(a.l, cross(a.a, l->r));
        }
        put(give_rates(limbs, l, a, rate + l->u - begin), twist + 6 * (size_t)(i - first));
    }
}
