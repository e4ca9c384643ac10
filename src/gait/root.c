// The way of a body that feet carry, besides its mean way: up and down, ahead and back, from side to side.
#include <string.h>

#include "gait/lock.h"

// A circular moving average, three times over: as good as a bell.
void er_soften(int n, int half, double *x, double *work)
{
    for (int turn = 0; turn < 3; ++turn) {
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int k = -half; k <= half; ++k)
                sum += x[(i + k + n) % n];
            work[i] = sum / (2 * half + 1);
        }
        memcpy(x, work, (size_t)n * sizeof *x);
    }
}

// How standing feet would have the body go besides its mean way, as velocity a frame, `side` to the left.
static void follow_feet(const er_paths *p, const bool *stands, bool side, double mean, double *out)
{
    int n = p->count;
    double last = 0.0;
    for (int i = 0; i < 2 * n; ++i) { // twice, so that flights know what was before
        int at = i % n, standing = 0;
        double sum = 0.0;
        for (int f = 0; f < p->feet; ++f) {
            const double *x = (side ? p->left : p->ahead) + f * n;
            if (!stands[f * n + at]) continue;
            sum -= 0.5 * (x[(at + 1) % n] - x[(at + n - 1) % n]);
            ++standing;
        }
        if (standing > 0) last = sum / standing - mean / n;
        out[at] = last;
    }
}

// A periodic path of that velocity, about 0.
static void integrate(int n, double part, double *x)
{
    double mean = 0.0, sum = 0.0, middle = 0.0;
    for (int i = 0; i < n; ++i)
        mean += x[i] / n;
    for (int i = 0; i < n; ++i) {
        double v = part * (x[i] - mean);
        x[i] = sum + 0.5 * v;
        sum += v;
        middle += x[i] / n;
    }
    for (int i = 0; i < n; ++i)
        x[i] -= middle;
}

er_result er_root_path(er_arena *scratch, const er_gait_body *body, const er_paths *paths, er_ground *ground,
                       const er_stride *stride, er_vec3 *root)
{
    er_result r = ER_OK;
    int n = paths->count, half = n / 24 > 1 ? n / 24 : 1;
    double *ahead, *left, *work;
    ER_TRY_NEW(ahead, scratch, double, n);
    ER_TRY_NEW(left, scratch, double, n);
    ER_TRY_NEW(work, scratch, double, n);
    follow_feet(paths, ground->stands, false, stride->length, ahead);
    follow_feet(paths, ground->stands, true, stride->drift, left);
    er_soften(n, half, ahead, work);
    er_soften(n, half, left, work);
    integrate(n, 0.5, ahead); // half of what feet ask for: animals keep their pace
    integrate(n, 0.8, left);
    er_soften(n, half, ground->ride, work);
    for (int i = 0; i < n; ++i) {
        er_vec3 at = er_v3_scale(ahead[i], body->forward);
        at = er_v3_madd(at, left[i], body->left);
        root[i] = er_v3_madd(at, ground->ride[i] - 0.01 * body->leg, body->up);
    }
done:
    return r;
}
