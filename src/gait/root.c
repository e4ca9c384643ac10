// The way of a body that feet carry, besides its mean way: up and down, ahead and back, from side to side, and turning.
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

// What standing feet ask of the body at a frame, a frame: to go ahead, to the left, to turn to the left.
typedef struct wish {
    double ahead, left, yaw;
} wish;

typedef struct asker {
    const er_model *model;
    const er_gait_body *body;
    const er_paths *paths;
    const bool *stands;
    const er_pose *pose;
    er_vec3 centre; // of mass
} asker;

er_vec3 er_root_centre(const er_model *model)
{
    er_vec3 sum = {0, 0, 0};
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        sum = er_v3_madd(sum, model->body[b].mass, er_pose_point(model->body[b].pose, model->body[b].com));
        mass += model->body[b].mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

// A foot as it goes: where it is from the centre, how fast, how fast it twists; and its sole's mean square radius.
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

// The motion of the body by which all of the standing soles slip least, a turn weighed as if a little of it were slip
// itself: with feet u_f at r_f, soles of the radius s_f that twist by w_f, the least of
// sum |u_f + v + w x r_f|^2 + s_f^2 (w_f + w)^2, plus (w leg / 20)^2.
static bool ask(const asker *a, int i, wish *out)
{
    int n = a->paths->count, standing = 0;
    going mean = {0}, foot[ER_GAIT_MOST_FEET];
    for (int f = 0; f < a->paths->feet; ++f) {
        if (!a->stands[f * n + i]) continue;
        foot[standing++] = going_of(a, f, i);
    }
    if (standing == 0) return false;
    for (int k = 0; k < standing; ++k) {
        mean.ahead += foot[k].ahead / standing;
        mean.left += foot[k].left / standing;
        mean.to_ahead += foot[k].to_ahead / standing;
        mean.to_left += foot[k].to_left / standing;
    }
    double turning = 0.0, arms = 0.0025 * a->body->leg * a->body->leg;
    for (int k = 0; k < standing; ++k) {
        double ahead = foot[k].ahead - mean.ahead, left = foot[k].left - mean.left;
        turning += ahead * (foot[k].to_left - mean.to_left) - left * (foot[k].to_ahead - mean.to_ahead) +
                   foot[k].size * foot[k].twist;
        arms += ahead * ahead + left * left + foot[k].size;
    }
    out->yaw = -turning / arms;
    out->ahead = -mean.to_ahead + out->yaw * mean.left;
    out->left = -mean.to_left - out->yaw * mean.ahead;
    return true;
}

static void follow_feet(const asker *a, double *ahead, double *left, double *yaw)
{
    int n = a->paths->count;
    wish now = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2 * n; ++i) { // twice, so that flights know what was before
        ask(a, i % n, &now);
        ahead[i % n] = now.ahead;
        left[i % n] = now.left;
        yaw[i % n] = now.yaw;
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

er_result er_root_path(er_arena *scratch, const er_model *model, const er_gait_body *body, const er_paths *paths,
                       const er_pose *pose, er_ground *ground, er_vec3 *root, double *yaw)
{
    er_result r = ER_OK;
    int n = paths->count, half = n / 24 > 1 ? n / 24 : 1;
    const asker a = {model, body, paths, ground->stands, pose, er_root_centre(model)};
    double *ahead, *left, *work;
    ER_TRY_NEW(ahead, scratch, double, n);
    ER_TRY_NEW(left, scratch, double, n);
    ER_TRY_NEW(work, scratch, double, n);
    follow_feet(&a, ahead, left, yaw);
    er_soften(n, half, ahead, work);
    er_soften(n, half, left, work);
    er_soften(n, 2 * half, yaw, work); // a trunk is slow to turn
    integrate(n, 0.5, ahead);          // half of what feet ask for: animals keep their pace
    integrate(n, 0.8, left);
    integrate(n, 0.8, yaw);
    er_soften(n, half, ground->ride, work);
    for (int i = 0; i < n; ++i) {
        er_vec3 at = er_v3_scale(ahead[i], body->forward);
        at = er_v3_madd(at, left[i], body->left);
        root[i] = er_v3_madd(at, ground->ride[i] - 0.01 * body->leg, body->up);
    }
done:
    return r;
}
