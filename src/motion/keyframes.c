// Chooses keys from frames, greedily: each next key is as far away as the tolerance allows.
#include "motion/keyframes.h"

#include <math.h>
#include <string.h>

static int width_of(er_path path)
{
    return path == ER_PATH_ROTATION ? 4 : 3;
}

static bool is_constant(const eri_sampled_channel *s)
{
    int width = width_of(s->path);
    for (int k = 1; k < s->count; ++k)
        for (int i = 0; i < width; ++i)
            if (fabs(s->value[k * width + i] - s->value[i]) > 1e-9 * (1e-3 + fabs(s->value[i]))) return false;
    return true;
}

// --- the curve between two keys

// A frame's time and index, wrapped around the ends if the motion loops; false where there is none.
static bool frame(const eri_sampled_channel *s, int k, double *time, int *at)
{
    int last = s->count - 1, turns = 0;
    if (!s->loops && (k < 0 || k > last)) return false;
    for (; k < 0; --turns)
        k += last;
    for (; k > last; ++turns)
        k -= last;
    *time = s->time[k] + turns * (s->time[last] - s->time[0]);
    *at = k;
    return true;
}

// d value / dt at a frame: of the quartic through five even frames, else of the parabola through three, to one side at
// a free end.
static double slope(const eri_sampled_channel *s, int k, int i)
{
    int width = width_of(s->path), at[5];
    double t[5], x[5];
    bool there[5];
    if (s->loops && k == s->count - 1) k = 0; // the same to the bit
    for (int n = 0; n < 5; ++n) {
        there[n] = frame(s, k + n - 2, &t[n], &at[n]);
        x[n] = there[n] ? s->value[at[n] * width + i] : 0.0;
    }
    double h = there[1] && there[3] ? 0.5 * (t[3] - t[1]) : 0.0, uneven = 1e-6 * h;
    if (there[0] && there[4] && fabs(t[2] - t[1] - h) <= uneven && fabs(t[1] - t[0] - h) <= uneven &&
        fabs(t[4] - t[3] - h) <= uneven)
        return (x[0] - 8.0 * x[1] + 8.0 * x[3] - x[4]) / (12.0 * h);
    int a = there[1]   ? 1
            : there[4] ? 4
                       : 3,
        b = there[3]   ? 3
            : there[0] ? 0
                       : 1; // two others; with two frames one
                            // twice
    double da = (x[a] - x[2]) / (t[a] - t[2]), db = (x[b] - x[2]) / (t[b] - t[2]);
    return a == b ? da : (da * (t[b] - t[2]) - db * (t[a] - t[2])) / (t[b] - t[a]);
}

// The value at a frame as a viewer interpolates it between the keys a and b.
static void interpolate(const eri_sampled_channel *s, int a, int b, int k, double out[4])
{
    int width = width_of(s->path);
    const double *from = s->value + a * width, *to = s->value + b * width;
    double h = s->time[b] - s->time[a], t = (s->time[k] - s->time[a]) / h;
    if (!s->cubic && s->path == ER_PATH_ROTATION) {
        er_quat q = er_q_slerp(er_q(from[3], from[0], from[1], from[2]), er_q(to[3], to[0], to[1], to[2]), t);
        const double all[4] = {q.x, q.y, q.z, q.w};
        memcpy(out, all, sizeof all);
        return;
    }
    double t2 = t * t, t3 = t2 * t;
    for (int i = 0; i < width; ++i)
        out[i] = !s->cubic ? from[i] + t * (to[i] - from[i])
                           : (2 * t3 - 3 * t2 + 1) * from[i] + h * (t3 - 2 * t2 + t) * slope(s, a, i) +
                                 (3 * t2 - 2 * t3) * to[i] + h * (t3 - t2) * slope(s, b, i);
}

static double stray(const eri_sampled_channel *s, int a, int b, int k)
{
    int width = width_of(s->path);
    double made[4] = {0}, difference = 0.0;
    const double *want = s->value + k * width;
    interpolate(s, a, b, k, made);
    if (s->path == ER_PATH_ROTATION) {
        er_quat q = er_q_unit(er_q(made[3], made[0], made[1], made[2])), p = er_q(want[3], want[0], want[1], want[2]);
        return er_v3_norm(er_q_log(er_q_mul(er_q_conj(p), q)));
    }
    for (int i = 0; i < width; ++i)
        difference = hypot(difference, made[i] - want[i]);
    return difference;
}

// The error is largest halfway between keys. Without a frame there, the nearest frames see 1 - 1 / n^2 of it for keys n
// frames apart, or the square of that for a cubic.
static double seen_halfway(const eri_sampled_channel *s, int a, int b)
{
    double n = b - a, seen = (b - a) % 2 == 0 ? 1.0 : 1.0 - 1.0 / (n * n);
    return s->cubic ? seen * seen : seen;
}

static bool stays_near(const eri_sampled_channel *s, int a, int b, double *worst)
{
    double tolerance = s->tolerance * seen_halfway(s, a, b);
    *worst = 0.0;
    for (int k = a + 1; k < b; ++k) {
        *worst = fmax(*worst, stray(s, a, b, k));
        if (*worst > tolerance) return false;
    }
    return true;
}

// The farthest frame that a key at `a` may have as its next key: steps double, then halve.
static int next_key(const eri_sampled_channel *s, int a, double *worst)
{
    int reach = a + 1, step = 1, last = s->count - 1;
    double off;
    *worst = 0.0;
    for (; step > 0;) {
        int b = reach + step;
        if (b <= last && stays_near(s, a, b, &off)) {
            reach = b;
            *worst = off;
            step *= 2;
        } else {
            step /= 2;
        }
    }
    return reach;
}

// --- channels

static er_result copy_keys(er_arena *arena, const eri_sampled_channel *s, const int *key, int count, er_channel *out)
{
    er_result r = ER_OK;
    int width = width_of(s->path), values = s->cubic ? 3 * width : width;
    double *time = s->time, *value; // shared where all are kept
    if (count < s->count) ERI_TRY_NEW(time, arena, double, count);
    ERI_TRY_NEW(value, arena, double, (size_t)count *(size_t)values);
    for (int n = 0; n < count; ++n) {
        if (time != s->time) time[n] = s->time[key[n]];
        double *to = value + (size_t)n * (size_t)values;
        memcpy(s->cubic ? to + width : to, s->value + key[n] * width, (size_t)width * sizeof *to);
        for (int i = 0; s->cubic && i < width; ++i)
            to[i] = to[2 * width + i] = slope(s, key[n], i);
    }
    *out = (er_channel){s->node, s->path, s->cubic ? ER_CUBIC : ER_LINEAR, count, time, value};
done:
    return r;
}

er_result eri_keyframes_choose(er_arena *arena, const eri_sampled_channel *s, er_channel *out, double *error)
{
    int width = width_of(s->path), last = s->count - 1, *key = s->key, count = 0;
    if (is_constant(s)) {
        const int ends[2] = {0, last};
        eri_sampled_channel still = *s;
        still.cubic = false;
        er_result r = copy_keys(arena, &still, ends, 2, out);
        if (r == ER_OK) memcpy((double *)out->value + width, out->value, (size_t)width * sizeof(double));
        return r;
    }
    for (int k = 0; k < last;) {
        double worst = 0.0;
        key[count++] = k;
        k = s->tolerance > 0.0 ? next_key(s, k, &worst) : k + 1;
        if (s->path == ER_PATH_ROTATION) *error = fmax(*error, worst);
    }
    key[count++] = last;
    return copy_keys(arena, s, key, count, out);
}
