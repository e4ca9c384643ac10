/// @file
/// Articulated bodies of eight worlds side by side.
#define REAL er_lanes
#define LIMBS(name) er_limbs8##name
#include "dynamics/articulated_sweep.h"

static er_vec3 plain(vector a, int lane)
{
    return er_v3(a.x[lane], a.y[lane], a.z[lane]);
}

er_limb_motion er_limbs8_motion(const er_limbs8 *limbs, int index, int lane)
{
    const limb *l = &limbs->limb[index];
    er_limb_motion m = {.origin = plain(l->at.p, lane),
                        .angular = plain(l->at.v.a, lane),
                        .linear = plain(l->at.v.l, lane),
                        .angular_rate = plain(l->at.rate.a, lane),
                        .linear_rate = plain(l->at.rate.l, lane),
                        .com = plain(l->c, lane)};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m.axes.m[i][j] = l->at.W.m[i][j][lane];
    return m;
}

ER_LANES static void rates(const struct er_limbs8 *s, const er_lanes *twist, er_vec3 gravity, er_twist *out)
{
    int n = s->tree->model->body_count;
    vector g = vec(gravity);
    for (int i = 0; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        pair a = body_rate(l, get(twist + 6 * (size_t)i), g);
        er_twist *to = out + l->fixed->body;
        for (int lane = 0; lane < ER_LANE_COUNT; ++lane, to += n)
            *to = (er_twist){plain(a.a, lane), plain(a.l, lane)};
    }
}

void er_limbs8_rates(const er_limbs8 *limbs, const er_lanes *twist, er_vec3 gravity, er_twist *out)
{
    rates(limbs, twist, gravity, out);
}
