// Poses at frames: of clips, mixes and gaits; repeated or reflected beyond the ends; smoothed.
#include "app/project/pose_track.h"

#include <stdlib.h>
#include <string.h>

#include "app/project/clip_poser.h"
#include "base/failure.h"

enum { MOST_POSES = 10000000, REPEATED = 24 }; // the ends of a spline fade by 0.27 a pose

#define FINE 960.0      // poses a second of a mix at least
#define MEETS 2e-3      // rad, and lengths over the model's size: ends that are as near as this meet
#define BOTH_WAYS 0.802 // a filter that runs twice has its half power at this share of its cut-off: (sqrt 2 - 1)^(1/4)
#define SETTLES 3.0     // periods of the cut-off
#define MOST_CUTOFF 0.4 // of the poses a second

static size_t pose_count(const pose_track *t)
{
    return 2 * (size_t)t->pad + (size_t)(t->count - 1) * (size_t)t->samples + 1;
}

static er_pose *row_of(const pose_track *t, size_t row)
{
    return t->pose + row * (size_t)t->model->body_count;
}

double pose_track_time(const pose_track *t, int frame)
{
    return frame * t->samples * t->step;
}

void pose_track_clear(pose_track *track)
{
    free(track->pose);
    *track = (pose_track){0};
}

static er_result finish(er_result r, pose_track *out)
{
    if (r != ER_OK) pose_track_clear(out);
    return r;
}

// ---- Sources

static er_result begin(er_context *context, const er_model *model, double duration, double fps, double fine,
                       pose_track *out)
{
    double frames = fmax(ceil(duration * fps - 1e-6), 1.0), samples = fmax(ceil(fine / fps - 1e-6), 1.0);
    *out = (pose_track){.model = model, .once = er_pose_identity()};
    if (!(duration > 0.0)) return er_fail(context, ER_ERROR_ARGUMENT, "a motion without duration has no forces");
    if (!(frames * samples < MOST_POSES))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g s at %g frames a second are too many; take fewer a second",
                       duration, fps);
    out->count = (int)frames + 1;
    out->samples = (int)samples;
    out->step = duration / (frames * samples);
    out->pose = malloc(pose_count(out) * (size_t)model->body_count * sizeof *out->pose);
    return out->pose != NULL ? ER_OK : eri_no_memory(context);
}

er_result pose_track_of_clip(er_context *context, const er_model *model, const er_rig *rig, const er_clip *clip,
                             double fps, double fine, bool together, pose_track *out)
{
    clip_poser poser = {0};
    double *x = NULL;
    er_result r = begin(context, model, clip->duration, fps, fine, out);
    if (r == ER_OK) r = clip_poser_create(context, model, rig, &poser);
    if (r == ER_OK && (x = malloc(((size_t)poser.width + 1) * sizeof *x)) == NULL) r = eri_no_memory(context);
    poser.clip = clip;
    double end = clip->duration * (1.0 - 1e-12); // at its end a clip begins again
    for (size_t k = 0; r == ER_OK && k < pose_count(out); ++k) {
        double time = fmin((double)k * out->step, end);
        if (together)
            r = clip_poser_poses(&poser, time, x, row_of(out, k));
        else if ((r = clip_poser_displacement(&poser, time, x)) == ER_OK)
            memcpy(row_of(out, k), poser.pose, (size_t)model->body_count * sizeof *poser.pose);
    }
    free(x);
    clip_poser_clear(&poser);
    return finish(r, out);
}

er_result pose_track_of_motion(er_context *context, er_motion *motion, double fps, pose_track *out)
{
    er_result r = begin(context, motion->model, motion->duration, fps, FINE, out);
    for (size_t k = 0; r == ER_OK && k < pose_count(out); ++k) {
        double time = (double)k * out->step;
        r = er_motion_poses(motion, 1, &time, NULL, row_of(out, k));
    }
    return finish(r, out);
}

er_result pose_track_of_gait(er_context *context, const er_gait_motion *motion, pose_track *out)
{
    double duration = motion->time[motion->frame_count - 1];
    size_t bodies = (size_t)motion->model->body_count;
    er_result r = begin(context, motion->model, duration, (motion->frame_count - 1) / duration, 0.0, out);
    for (size_t i = 0; r == ER_OK && i < (size_t)out->count * bodies; ++i) {
        out->pose[i] = motion->pose[i];
        out->pose[i].p = er_v3_add(motion->pose[i].p, motion->travel[i / bodies]);
    }
    return finish(r, out);
}

// ---- Beyond the ends

// The rotation about the vertical nearest to one.
static er_quat turn_about(er_vec3 up, er_quat q)
{
    double along = q.x * up.x + q.y * up.y + q.z * up.z;
    return er_q_unit(er_q(q.w, along * up.x, along * up.y, along * up.z));
}

// Whether the last poses are the first, displaced along the ground and turned about the vertical.
static bool find_repetition(pose_track *t, er_vec3 up)
{
    const er_pose *first = row_of(t, 0), *last = row_of(t, pose_count(t) - 1);
    er_pose once = er_pose_displacement(first[0], last[0]);
    once.q = turn_about(up, once.q);
    once.p = er_v3_sub(last[0].p, er_q_rotate(once.q, first[0].p));
    once.p = er_v3_madd(once.p, -er_v3_dot(once.p, up), up);
    for (int b = 0; b < t->model->body_count; ++b) {
        er_pose apart = er_pose_mul(er_pose_inverse(last[b]), er_pose_mul(once, first[b]));
        if (er_v3_norm(er_q_log(apart.q)) > MEETS || er_v3_norm(apart.p) > MEETS * t->model->size) return false;
    }
    t->once = once;
    return true;
}

static er_pose reflect(er_pose end, er_pose pose)
{
    return (er_pose){er_q_mul(end.q, er_q_mul(er_q_conj(pose.q), end.q)), er_v3_sub(er_v3_scale(2.0, end.p), pose.p)};
}

// Fills the rows `k` before the first and after the last of `span` + 1 poses.
static void fill_beyond(const pose_track *t, const er_pose *first, size_t span, size_t k, er_pose *before,
                        er_pose *after)
{
    size_t bodies = (size_t)t->model->body_count, times = (k + span - 1) / span, left = times * span - k;
    er_pose ahead = er_pose_identity();
    for (size_t i = 0; i < times; ++i)
        ahead = er_pose_mul(ahead, t->once);
    er_pose back = er_pose_inverse(ahead);
    for (size_t b = 0; b < bodies; ++b) {
        if (t->repeats) {
            before[b] = er_pose_mul(back, first[left * bodies + b]);
            after[b] = er_pose_mul(ahead, first[(span - left) * bodies + b]);
        } else {
            before[b] = reflect(first[b], first[k * bodies + b]);
            after[b] = reflect(first[span * bodies + b], first[(span - k) * bodies + b]);
        }
    }
}

er_result pose_track_extend(er_context *context, er_vec3 up, double cutoff, pose_track *t)
{
    size_t span = pose_count(t) - 1, bodies = (size_t)t->model->body_count;
    t->repeats = find_repetition(t, up);
    double pad = cutoff > 0.0 ? ceil(SETTLES / (cutoff * t->step)) : 0.0;
    if (t->repeats) pad = fmax(pad, REPEATED);
    if (!t->repeats) pad = fmin(pad, (double)span);
    if (!(pad < MOST_POSES)) return er_fail(context, ER_ERROR_ARGUMENT, "a cut-off of %g Hz is too low", cutoff);
    er_pose *more = malloc((2 * (size_t)pad + span + 1) * bodies * sizeof *more);
    if (more == NULL) return eri_no_memory(context);
    for (size_t i = 0; i < (span + 1) * bodies; ++i)
        more[(size_t)pad * bodies + i] = t->pose[i];
    for (size_t k = 1; k <= (size_t)pad; ++k)
        fill_beyond(t, t->pose, span, k, more + ((size_t)pad - k) * bodies, more + ((size_t)pad + span + k) * bodies);
    free(t->pose);
    t->pose = more;
    t->pad = (int)pad;
    return ER_OK;
}

// ---- Smoothing

typedef struct low_pass {
    double a0, b1, b2;
} low_pass;

// Winter, Biomechanics and Motor Control of Human Movement, 4th ed., 3.4.4.2.
static low_pass design(double cutoff, double step)
{
    double w = tan(ER_PI * cutoff * step) / BOTH_WAYS, k1 = sqrt(2.0) * w, k2 = w * w;
    double a0 = k2 / (1.0 + k1 + k2), k3 = 2.0 * a0 / k2;
    return (low_pass){a0, -2.0 * a0 + k3, 1.0 - 2.0 * a0 - k3};
}

// One way over values at `stride`; before the first they were as the first.
static void pass(low_pass f, double *x, size_t count, ptrdiff_t stride)
{
    double x1 = *x, x2 = *x, y1 = *x, y2 = *x;
    for (size_t i = 0; i < count; ++i, x += stride) {
        double now = *x, y = f.a0 * (now + 2.0 * x1 + x2) + f.b1 * y1 + f.b2 * y2;
        x2 = x1, x1 = now, y2 = y1, y1 = y;
        *x = y;
    }
}

static void smooth_body(const pose_track *t, low_pass f, int body, double (*value)[7])
{
    size_t count = pose_count(t);
    er_quat last = row_of(t, 0)[body].q;
    for (size_t k = 0; k < count; ++k) {
        er_pose at = row_of(t, k)[body];
        double sign = er_q_dot(at.q, last) < 0.0 ? -1.0 : 1.0; // q and -q are the same rotation
        last = er_q(sign * at.q.w, sign * at.q.x, sign * at.q.y, sign * at.q.z);
        const double seven[7] = {last.w, last.x, last.y, last.z, at.p.x, at.p.y, at.p.z};
        for (int i = 0; i < 7; ++i)
            value[k][i] = seven[i];
    }
    for (int i = 0; i < 7; ++i) {
        pass(f, &value[0][i], count, 7);
        pass(f, &value[count - 1][i], count, -7);
    }
    for (size_t k = 0; k < count; ++k) {
        const double *v = value[k];
        row_of(t, k)[body] = (er_pose){er_q_unit(er_q(v[0], v[1], v[2], v[3])), {v[4], v[5], v[6]}};
    }
}

er_result pose_track_smooth(er_context *context, double cutoff, pose_track *t)
{
    if (!(cutoff * t->step <= MOST_CUTOFF))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a cut-off of %g Hz needs at least %.4g frames a second, not %.4g; raise fps or lower cutoff",
                       cutoff, cutoff / MOST_CUTOFF, 1.0 / t->step);
    const er_model *m = t->model;
    double(*value)[7] = malloc(pose_count(t) * sizeof *value),
    *q = malloc(((size_t)m->coordinate_count + 1) * sizeof *q);
    er_pose *root = calloc((size_t)m->body_count, sizeof *root);
    er_result r = value != NULL && q != NULL && root != NULL ? ER_OK : eri_no_memory(context);
    const low_pass f = design(cutoff, t->step);
    for (int b = 0; b < m->body_count && r == ER_OK; ++b)
        smooth_body(t, f, b, value);
    for (size_t k = 0; r == ER_OK && k < pose_count(t); ++k) { // each body by itself, so joints have come apart
        er_model_coordinates(m, row_of(t, k), q, root);
        er_model_pose(m, q, root, row_of(t, k));
    }
    free(root);
    free(q);
    free(value);
    return r;
}

er_result pose_track_trajectory(er_context *context, const pose_track *t, er_trajectory **out)
{
    size_t count = pose_count(t);
    double *time = malloc(count * sizeof *time);
    if (time == NULL) return eri_no_memory(context);
    for (size_t k = 0; k < count; ++k)
        time[k] = ((double)k - t->pad) * t->step;
    er_result r = er_trajectory_create(context, (int)count, time, t->model->body_count, t->pose, out);
    free(time);
    return r;
}
