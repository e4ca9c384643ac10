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
    er_limb_motion m = {.origin = plain(l->p, lane),
                        .angular = plain(l->v.a, lane),
                        .linear = plain(l->v.l, lane),
                        .angular_rate = plain(l->rate.a, lane),
                        .linear_rate = plain(l->rate.l, lane),
                        .com = plain(l->c, lane)};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m.axes.m[i][j] = l->W.m[i][j][lane];
    return m;
}
