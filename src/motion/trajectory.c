// Poses between given ones: natural cubic splines (de Boor, A Practical Guide to Splines, IV) of positions and of
// quaternions, which are normalised when sampled.
#include <eigenrig/motion.h>

#include <string.h>

#include "base/arena.h"

enum { PARTS = 7 }; // of a pose: p, then q

struct er_trajectory {
    int count, body_count;
    double *time;          // [count]
    double (*at)[PARTS];   // [count x body_count], quaternions without sign flips
    double (*bend)[PARTS]; // likewise, second derivatives
    er_arena *arena;
};

static er_result check(er_context *context, int count, const double *time, int body_count, const er_pose *pose)
{
    if (time == NULL || pose == NULL || count < 2 || body_count < 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_trajectory_create needs times, two at least, and poses");
    for (int k = 0; k < count; ++k)
        if (!(fabs(time[k]) <= 1e9) || (k > 0 && !(time[k] > time[k - 1])))
            return er_fail(context, ER_ERROR_ARGUMENT, "time %d of a trajectory, %g s, is not after the one before", k,
                           time[k]);
    for (int i = 0; i < count * body_count; ++i)
        if (!er_v3_finite(pose[i].p) || !(fabs(er_q_dot(pose[i].q, pose[i].q) - 1.0) < 1e-3))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "pose %d of a trajectory is not a finite position with a unit quaternion", i);
    return ER_OK;
}

static void take_poses(er_trajectory *t, const er_pose *pose)
{
    for (int i = 0; i < t->count * t->body_count; ++i) {
        er_quat q = er_q_unit(pose[i].q);
        const double part[PARTS] = {pose[i].p.x, pose[i].p.y, pose[i].p.z, q.w, q.x, q.y, q.z};
        const double *before = i < t->body_count ? part : t->at[i - t->body_count];
        double same = 0.0;
        for (int c = 3; c < PARTS; ++c)
            same += part[c] * before[c];
        for (int c = 0; c < PARTS; ++c)
            t->at[i][c] = c >= 3 && same < 0.0 ? -part[c] : part[c];
    }
}

// h0 m0 + 2 (h0 + h1) m1 + h1 m2 = 6 ((y2 - y1) / h1 - (y1 - y0) / h0), m 0 at both ends; by elimination, all parts of
// a body at once.
static void find_bends(er_trajectory *t, int body, double *upper)
{
    for (int k = 1; k + 1 < t->count; ++k) {
        size_t i = (size_t)k * (size_t)t->body_count + (size_t)body, n = (size_t)t->body_count;
        double h0 = t->time[k] - t->time[k - 1], h1 = t->time[k + 1] - t->time[k];
        double pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        for (int c = 0; c < PARTS; ++c) {
            double right = 6.0 * ((t->at[i + n][c] - t->at[i][c]) / h1 - (t->at[i][c] - t->at[i - n][c]) / h0);
            t->bend[i][c] = (right - h0 * t->bend[i - n][c]) / pivot;
        }
    }
    for (int k = t->count - 2; k > 0; --k) {
        size_t i = (size_t)k * (size_t)t->body_count + (size_t)body;
        for (int c = 0; c < PARTS; ++c)
            t->bend[i][c] -= upper[k] * t->bend[i + (size_t)t->body_count][c];
    }
}

er_result er_trajectory_create(er_context *context, int count, const double *time, int body_count, const er_pose *pose,
                               er_trajectory **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_trajectory *t;
    double *upper;
    ERI_TRY(check(context, count, time, body_count, pose));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(t, arena, er_trajectory, 1);
    *t = (er_trajectory){.count = count, .body_count = body_count, .arena = arena};
    ERI_TRY_NEW(t->time, arena, double, count);
    ERI_TRY_NEW(upper, arena, double, count);
    t->at = eri_arena_alloc(arena, (size_t)count * (size_t)body_count, sizeof *t->at);
    t->bend = eri_arena_alloc(arena, (size_t)count * (size_t)body_count, sizeof *t->bend);
    ERI_TRY(t->at != NULL && t->bend != NULL ? ER_OK : ER_ERROR_MEMORY);
    memcpy(t->time, time, (size_t)count * sizeof *time);
    take_poses(t, pose);
    for (int b = 0; b < body_count; ++b)
        find_bends(t, b, upper);
    *out = t;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_trajectory_destroy(er_trajectory *track)
{
    if (track != NULL) eri_arena_destroy(track->arena);
}

static int find_span(const er_trajectory *t, double time)
{
    int low = 0, high = t->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (t->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double dot4(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// 2 vec(conj(q) r): the angular velocity, in body axes, of a quaternion q with rate r.
static er_vec3 turning(const double *q, const double *r)
{
    er_quat turn = er_q_mul(er_q(q[0], -q[1], -q[2], -q[3]), er_q(r[0], r[1], r[2], r[3]));
    return er_v3(2.0 * turn.x, 2.0 * turn.y, 2.0 * turn.z);
}

// s, s', s'' of a quaternion that is not of norm 1 become those of s / |s|.
static void normalise(double *s, double *rate, double *bend)
{
    double norm = sqrt(dot4(s, s)), norm_rate = dot4(s, rate) / norm;
    double norm_bend = (dot4(rate, rate) + dot4(s, bend) - norm_rate * norm_rate) / norm;
    for (int c = 0; c < 4; ++c) {
        s[c] /= norm;
        rate[c] = (rate[c] - s[c] * norm_rate) / norm;
        bend[c] = (bend[c] - 2.0 * rate[c] * norm_rate - s[c] * norm_bend) / norm;
    }
}

void er_trajectory_at(const er_trajectory *t, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    int k = find_span(t, time);
    size_t i = (size_t)k * (size_t)t->body_count + (size_t)body, next = i + (size_t)t->body_count;
    double h = t->time[k + 1] - t->time[k], b = (fmin(fmax(time, t->time[0]), t->time[t->count - 1]) - t->time[k]) / h;
    double a = 1.0 - b, s[PARTS], speed[PARTS], bend[PARTS];
    for (int c = 0; c < PARTS; ++c) {
        double y0 = t->at[i][c], y1 = t->at[next][c], m0 = t->bend[i][c], m1 = t->bend[next][c];
        s[c] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0;
        speed[c] = (y1 - y0) / h + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * h / 6.0;
        bend[c] = a * m0 + b * m1;
    }
    normalise(s + 3, speed + 3, bend + 3);
    *pose = (er_pose){{s[3], s[4], s[5], s[6]}, {s[0], s[1], s[2]}};
    er_quat back = er_q_conj(pose->q);
    twist->angular = turning(s + 3, speed + 3);
    twist->linear = er_q_rotate(back, er_v3(speed[0], speed[1], speed[2]));
    rate->angular = turning(s + 3, bend + 3);
    rate->linear =
        er_v3_sub(er_q_rotate(back, er_v3(bend[0], bend[1], bend[2])), er_v3_cross(twist->angular, twist->linear));
}
