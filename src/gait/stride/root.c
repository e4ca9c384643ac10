// The path of a body on its feet, relative to its mean path: up and down, forward and back, sideways, and its yaw.
#include <string.h>

#include "gait/stride/reach.h"

// A circular moving average, applied three times (close to a Gaussian).
void eri_smooth(int n, int half, double *x, double *work)
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

typedef struct asker {
    const er_model *model;
    const er_gait_body *body;
    const eri_paths *paths;
    const bool *stands;
    const er_pose *pose;
    er_vec3 centre;      // of mass
    double along, aside; // the stride, m a frame
} asker;

er_vec3 eri_root_centre(const er_model *model)
{
    er_vec3 sum = {0, 0, 0};
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        sum = er_v3_madd(sum, model->body[b].mass, er_pose_point(model->body[b].pose, model->body[b].com));
        mass += model->body[b].mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

// The motion of a foot: place relative to the centre, velocity, rate of twist; and its sole's mean square radius.
typedef struct going {
    double ahead, left, to_ahead, to_left, twist, size;
} going;

static going going_of(const asker *a, int f, int i)
{
    const er_gait_foot *foot = &a->body->foot[f];
    int n = a->paths->count, next = (i + 1) % n, before = (i + n - 1) % n;
    const double *ahead = a->paths->ahead + f * n, *left = a->paths->left + f * n;
    er_vec3 rest = er_pose_point(a->model->body[foot->body].pose, foot->heel), from = er_v3_sub(rest, a->centre);
    size_t bodies = (size_t)a->model->body_count, b = (size_t)foot->body;
    er_vec3 turn =
        er_q_log(er_q_mul(a->pose[(size_t)next * bodies + b].q, er_q_conj(a->pose[(size_t)before * bodies + b].q)));
    going g = {er_v3_dot(from, a->body->forward) + ahead[i], er_v3_dot(from, a->body->left) + left[i],
               0.5 * (ahead[next] - ahead[before]),          0.5 * (left[next] - left[before]),
               0.5 * er_v3_dot(turn, a->body->up),           0.0};
    for (int k = 0; k < foot->point_count; ++k) {
        er_vec3 arm = er_v3_sub(foot->point[k], rest);
        double up = er_v3_dot(arm, a->body->up);
        g.size += (er_v3_dot(arm, arm) - up * up) / foot->point_count;
    }
    return g;
}

// Velocities per frame at which soles in stance slip least; in flight the last one.
static void follow_feet(const asker *a, double *ahead, double *left)
{
    int n = a->paths->count;
    double last_ahead = 0.0, last_left = 0.0;
    for (int i = 0; i < 2 * n; ++i) { // twice, so that flights know what was before
        int at = i % n, standing = 0;
        double sum_ahead = 0.0, sum_left = 0.0;
        for (int f = 0; f < a->paths->feet; ++f) {
            if (!a->stands[f * n + at]) continue;
            going g = going_of(a, f, at);
            sum_ahead -= g.to_ahead;
            sum_left -= g.to_left;
            ++standing;
        }
        if (standing > 0) {
            last_ahead = sum_ahead / standing;
            last_left = sum_left / standing;
        }
        ahead[at] = last_ahead;
        left[at] = last_left;
    }
}

// The yaw rate w that reduces the slip at a frame. The slip is |u + w x r|^2 + s^2 (t + w)^2 for feet at r and soles of
// radius s that twist by t; it is least for w = -lever / inertia.
static void weigh_turn(const asker *a, int i, const double *ahead, const double *left, double *lever, double *inertia)
{
    int n = a->paths->count, next = (i + 1) % n, before = (i + n - 1) % n;
    double to_ahead = 0.5 * (ahead[next] - ahead[before]) + a->along, to_left = 0.5 * (left[next] - left[before]);
    *lever = *inertia = 0.0;
    for (int f = 0; f < a->paths->feet; ++f) {
        if (!a->stands[f * n + i]) continue;
        going g = going_of(a, f, i);
        *lever += g.ahead * (g.to_left + to_left) - g.left * (g.to_ahead + to_ahead) + g.size * g.twist;
        *inertia += g.ahead * g.ahead + g.left * g.left + g.size;
    }
}

// The yaw per frame at which soles slip least, smoothed and without its mean, scaled to the least slip over the stride.
static void follow_twist(const asker *a, const double *ahead, const double *left, double *yaw, double *work)
{
    int n = a->paths->count, half = n / 12 > 1 ? n / 12 : 1;
    double lever, inertia, slow = 0.0025 * a->body->leg * a->body->leg, last = 0.0, mean = 0.0, gain = 0.0, cost = 0.0;
    for (int i = 0; i < 2 * n; ++i) {
        weigh_turn(a, i % n, ahead, left, &lever, &inertia);
        if (inertia > 0.0) last = -lever / (inertia + slow);
        yaw[i % n] = last;
    }
    eri_smooth(n, half, yaw, work); // a trunk is slow to turn
    for (int i = 0; i < n; ++i)
        mean += yaw[i] / n;
    for (int i = 0; i < n; ++i) {
        yaw[i] -= mean;
        weigh_turn(a, i, ahead, left, &lever, &inertia);
        gain -= lever * yaw[i];
        cost += inertia * yaw[i] * yaw[i];
    }
    double part = cost > 0.0 ? fmin(fmax(gain / cost, 0.0), 1.0) : 0.0;
    for (int i = 0; i < n; ++i)
        yaw[i] *= part;
}

// The periodic path with that velocity and mean 0.
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

er_result eri_root_path(er_arena *scratch, const er_model *model, const er_gait_body *body, const eri_paths *paths,
                        const eri_stride *stride, const er_pose *pose, eri_stride_ground *ground, er_vec3 *root,
                        double *yaw)
{
    er_result r = ER_OK;
    int n = paths->count, half = n / 24 > 1 ? n / 24 : 1;
    const asker a = {
        model, body, paths, ground->stands, pose, eri_root_centre(model), stride->length / n, stride->drift / n};
    double *ahead, *left, *work;
    ERI_TRY_NEW(ahead, scratch, double, n);
    ERI_TRY_NEW(left, scratch, double, n);
    ERI_TRY_NEW(work, scratch, double, n);
    follow_feet(&a, ahead, left);
    eri_smooth(n, half, ahead, work);
    eri_smooth(n, half, left, work);
    integrate(n, 0.5, ahead); // half of what feet ask for: animals keep their pace
    integrate(n, 0.8, left);
    follow_twist(&a, ahead, left, yaw, work);
    integrate(n, 1.0, yaw);
    eri_smooth(n, half, ground->ride, work);
    for (int i = 0; i < n; ++i) {
        er_vec3 at = er_v3_scale(ahead[i], body->forward);
        at = er_v3_madd(at, left[i], body->left);
        root[i] = er_v3_madd(at, ground->ride[i] - 0.01 * body->leg, body->up);
    }
done:
    return r;
}
