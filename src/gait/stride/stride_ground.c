// A stride on the ground: height of the body, stances of the feet, and the distance that they carry it.
#include <string.h>

#include "gait/stride.h"

er_result eri_stride_ground_create(er_arena *arena, int feet, int count, eri_stride_ground *out)
{
    er_result r = ER_OK;
    *out = (eri_stride_ground){0};
    ERI_TRY_NEW(out->ride, arena, double, count);
    ERI_TRY_NEW(out->work, arena, double, count);
    ERI_TRY_NEW(out->stands, arena, bool, (size_t)feet *(size_t)count);
    ERI_TRY_NEW(out->weight, arena, double, (size_t)feet *(size_t)count);
done:
    return r;
}

double eri_gait_period(const er_gait_body *body, double length)
{
    double relative = fmin(fmax(length / body->leg, 0.3), 4.0), froude = pow(relative / 2.3, 1.0 / 0.3);
    return relative * body->leg / sqrt(froude * body->gravity * body->leg);
}

// Wraps an index that is off by less than n.
static int wrap(int i, int n)
{
    return i < 0 ? i + n : i < n ? i : i - n;
}

// fmax() and fmin() without their handling of NaN, which costs calls.
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// --- height

// The height at which the lowest foot holds the body.
static void set_support(const eri_paths *p, double *ride)
{
    for (int i = 0; i < p->count; ++i) {
        double lowest = HUGE_VAL;
        for (int f = 0; f < p->feet; ++f)
            lowest = smaller(lowest, p->up[f * p->count + i]);
        ride[i] = -lowest;
    }
}

// The body moves like a ball on a moving floor: it flies where the floor accelerates downward faster than gravity, and
// lands without rebound. `turns` is 1, or -1 for reversed time.
// @return false if a flight is longer than a stride, so that strides do not repeat
static bool follow_floor(int count, int turns, double gravity, const double *floor, double *ride, bool *flew)
{
    int top = 0;
    for (int i = 1; i < count; ++i)
        if (floor[i] > floor[top]) top = i;
    double h = 1.0 / count, at = floor[top], speed = 0.0;
    bool flies = false, lands = false;
    *flew = false;
    ride[top] = at;
    for (int k = 1, i = top; k < 2 * count; ++k) { // the first stride reaches the periodic motion
        int before = i;
        i = wrap(i + turns, count);
        int next = wrap(i + turns, count);
        double under = floor[i], rise = (floor[next] - floor[before]) / (2.0 * h);
        double fall = at + speed * h - 0.5 * gravity * h * h;
        if (fall > under) {
            flies = *flew = true;
            at = fall;
            speed -= gravity * h;
        } else {
            at = under;
            speed = flies ? rise : (under - floor[before]) / h;
            flies = false;
            lands |= k >= count;
        }
        ride[i] = at;
    }
    // the stride repeats if the second one begins where the first did
    int last = wrap(top - turns, count);
    double fall = ride[last] + speed * h - 0.5 * gravity * h * h, next = larger(fall, floor[top]);
    return lands && fabs(next - ride[top]) <= 1e-2 * (1e-9 + fabs(gravity) * h);
}

// --- stances

// The stance of a foot: its longest contact in a stride; other contacts are scrapes.   @return frames with contact
static int find_stance(const eri_paths *p, int f, const double *ride, double near, bool *stands, double *weight,
                       er_gait_step *step)
{
    int n = p->count, best = 0, best_end = 0, run = 0, touching = 0;
    const double *up = p->up + f * n;
    step->clearance = 0.0;
    for (int i = 0; i < n; ++i)
        step->clearance = larger(step->clearance, up[i] + ride[i]);
    double level = near + 0.1 * smaller(step->clearance, 10.0 * near);
    for (int i = 0; i < n; ++i)
        touching += up[i] + ride[i] <= level;
    for (int i = 0; i < n; ++i) {
        stands[i] = touching == n;
        weight[i] = touching == n ? 1.0 : 0.0;
    }
    if (touching == n || touching == 0) return touching;
    for (int i = 0; i < 2 * n; ++i) {
        int at = wrap(i, n);
        run = up[at] + ride[at] <= level ? run + 1 : 0;
        if (run <= best) continue;
        best = run;
        best_end = i;
    }
    for (int k = 0; k < best; ++k) {
        stands[wrap(best_end - k, n)] = true;
        weight[wrap(best_end - k, n)] = 1.0;
    }
    // touchdown and lift-off lie between frames
    int first = (best_end - best + 1 + n) % n, before = (first + n - 1) % n, last = best_end % n,
        after = (last + 1) % n;
    double into =
               (up[before] + ride[before] - level) / larger(up[before] + ride[before] - up[first] - ride[first], 1e-12),
           out = (level - up[last] - ride[last]) / larger(up[after] + ride[after] - up[last] - ride[last], 1e-12);
    into = 1.0 - smaller(into, 1.0); // frames before the first
    out = smaller(out, 1.0);         // and past the last
    weight[first] -= larger(0.0, 0.5 - into);
    weight[before] += larger(0.0, into - 0.5);
    weight[last] -= larger(0.0, 0.5 - out);
    weight[after] += larger(0.0, out - 0.5);
    step->phase = (first - into + n) / n;
    step->phase -= floor(step->phase);
    step->duty = (best - 1 + into + out) / n;
    return touching;
}

// dx/dt at a frame, per stride.
static double rate(const double *x, int i, int n)
{
    return 0.5 * n * (x[wrap(i + 1, n)] - x[wrap(i - 1, n)]);
}

// The body's velocity at which feet in stance slip least: the mean of their backward velocities.
static void find_velocity(const eri_paths *p, const double *weight, double *ahead, double *left)
{
    double sum = 0.0, side = 0.0, all = 0.0;
    int n = p->count;
    for (int f = 0; f < p->feet; ++f)
        for (int i = 0; i < n; ++i) {
            double w = weight[f * n + i];
            if (w == 0.0) continue;
            sum -= w * rate(p->ahead + f * n, i, n);
            side -= w * rate(p->left + f * n, i, n);
            all += w;
        }
    *ahead = all > 0.0 ? sum / all : 0.0;
    *left = all > 0.0 ? side / all : 0.0;
}

static double slip_of(const eri_paths *p, const double *weight, double ahead, double left)
{
    double sum = 0.0, all = 0.0;
    int n = p->count;
    for (int f = 0; f < p->feet; ++f)
        for (int i = 0; i < n; ++i) {
            double w = weight[f * n + i];
            if (w == 0.0) continue;
            double a = rate(p->ahead + f * n, i, n) + ahead, b = rate(p->left + f * n, i, n) + left;
            sum += w * (a * a + b * b);
            all += w;
        }
    return all > 0.0 && ahead != 0.0 ? sqrt(sum / all) / fabs(ahead) : HUGE_VAL;
}

// --- a stride

static void stand(const er_gait_body *body, const eri_paths *p, const double *ride, eri_stride_ground *g,
                  eri_stride *out)
{
    int n = p->count;
    double near = 0.02 * body->leg, scrape = 0.0;
    for (int f = 0; f < p->feet; ++f) {
        out->step[f] = (er_gait_step){.duty = 1.0};
        int touching = find_stance(p, f, ride, near, g->stands + f * n, g->weight + f * n, &out->step[f]);
        if (touching == 0) out->step[f].duty = 0.0;
        int standing = 0;
        for (int i = 0; i < n; ++i)
            standing += g->stands[f * n + i];
        scrape += (double)(touching - standing) / n;
    }
    out->scrape = scrape / p->feet;
}

static double unsupported(const eri_paths *p, const double *weight)
{
    double flying = 0.0;
    for (int i = 0; i < p->count; ++i) {
        double held = 0.0;
        for (int f = 0; f < p->feet; ++f)
            held += weight[f * p->count + i];
        flying += larger(0.0, 1.0 - held);
    }
    return flying / p->count;
}

void eri_stride_ground_walk(const er_gait_body *body, const eri_paths *p, eri_stride_ground *g, eri_stride *out)
{
    int n = p->count;
    double ahead, left, low = HUGE_VAL, high = -HUGE_VAL;
    out->feet = p->feet;
    set_support(p, g->work);
    stand(body, p, g->work, g, out);
    find_velocity(p, g->weight, &ahead, &left);
    out->period = g->period > 0.0 ? g->period : eri_gait_period(body, fabs(ahead));
    bool flew, repeats = follow_floor(n, ahead < 0.0 ? -1 : 1, body->gravity * out->period * out->period, g->work,
                                      g->ride, &flew);
    if (flew) {
        stand(body, p, g->ride, g, out);
        find_velocity(p, g->weight, &ahead, &left);
    }
    out->length = repeats ? ahead : 0.0;
    out->drift = left;
    out->slip = slip_of(p, g->weight, ahead, left);
    out->flight = unsupported(p, g->weight);
    for (int i = 0; i < n; ++i) {
        low = smaller(low, g->ride[i]);
        high = larger(high, g->ride[i]);
    }
    out->bob = high - low;
    memset(out->tilt, 0, sizeof out->tilt);
    eri_paths_tilt(p, out->tilt);
}
