/// @file
/// Articulated bodies of eight worlds side by side.
#define REAL eri_lanes
#define LIMBS(name) eri_limbs8##name
#include "dynamics/articulated_sweep.h"

static er_vec3 plain(vector a, int lane)
{
    return er_v3(a.x[lane], a.y[lane], a.z[lane]);
}

eri_limb_motion eri_limbs8_motion(const eri_limbs8 *limbs, int index, int lane)
{
    const limb *l = &limbs->limb[index];
    eri_limb_motion m = {.origin = plain(l->at.p, lane),
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

ERI_LANES_DO(rates, (const struct eri_limbs8 *s, const eri_lanes *twist, er_vec3 gravity, er_twist *out),
             (s, twist, gravity, out))
{
    int n = s->multibody->model->body_count;
    vector g = vec(gravity);
    for (int i = 0; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        pair a = body_rate(l, get(twist + 6 * (size_t)i), g);
        er_twist *to = out + l->link->body;
        for (int lane = 0; lane < ERI_LANE_COUNT; ++lane, to += n)
            *to = (er_twist){plain(a.a, lane), plain(a.l, lane)};
    }
}

void eri_limbs8_rates(const eri_limbs8 *limbs, const eri_lanes *twist, er_vec3 gravity, er_twist *out)
{
    rates(limbs, twist, gravity, out);
}
