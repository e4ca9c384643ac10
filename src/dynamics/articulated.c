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
    er_limb_motion m = {.origin = plain(l->p),
                        .angular = plain(l->v.a),
                        .linear = plain(l->v.l),
                        .angular_rate = plain(l->rate.a),
                        .linear_rate = plain(l->rate.l),
                        .com = plain(l->c)};
    memcpy(&m.axes, &l->W, sizeof m.axes);
    return m;
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
