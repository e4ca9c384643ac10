// The polar factor of a 3 x 3 matrix by Newton's iteration.
#include "math/polar.h"

#include <stddef.h>

static double largest_entry(er_mat3 m)
{
    double largest = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            largest = fmax(largest, fabs(m.m[i][j]));
    return largest;
}

er_quat eri_polar_rotation(er_mat3 m, er_quat fallback, eri_stretch *stretch)
{
    double size = largest_entry(m), det = er_m3_det(m);
    bool singular = !(fabs(det) > 1e-12 * size * size * size) || !isfinite(det);
    er_mat3 q = m;
    for (int i = 0; i < 3 && !singular; ++i)
        for (int j = 0; j < 3; ++j)
            q.m[i][j] /= det < 0.0 ? -cbrt(-det) : cbrt(det);
    for (int step = 0; step < 64 && !singular; ++step) {
        er_mat3 inverse = er_m3_transpose(er_m3_inverse(q)), next;
        double change = 0.0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                next.m[i][j] = 0.5 * (q.m[i][j] + inverse.m[i][j]);
                change = fmax(change, fabs(next.m[i][j] - q.m[i][j]));
            }
        q = next;
        if (change < 1e-15) break;
    }
    er_quat rotation = singular ? fallback : er_q_from_m3(q);
    if (stretch != NULL) {
        er_mat3 s = er_m3_mul(er_m3_transpose(er_m3_from_q(rotation)), m);
        double low = fmin(fabs(s.m[0][0]), fmin(fabs(s.m[1][1]), fabs(s.m[2][2])));
        double high = fmax(fabs(s.m[0][0]), fmax(fabs(s.m[1][1]), fabs(s.m[2][2])));
        double off = fmax(fabs(s.m[0][1]), fmax(fabs(s.m[0][2]), fabs(s.m[1][2])));
        *stretch = (eri_stretch){cbrt(fabs(det)), low > 0.0 ? high / low - 1.0 : HUGE_VAL,
                                 high > 0.0 ? off / high : 0.0, det < 0.0, singular};
    }
    return rotation;
}
