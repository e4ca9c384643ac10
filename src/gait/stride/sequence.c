// Sequences of gaits, mixes and clips: weights over time, a common phase, blended coordinates, and feet that keep their
// footprints.
#include "gait/stride/sequence.h"

#include <string.h>

#include "motion/signal.h"

// --- weights

// How far a transition into an item has come, for the body (-1) or a foot.
static double entered(const eri_sequence *s, int i, int f, double t)
{
    if (f < 0) return eri_ease((t - s->begin[i]) / s->blend[i] + 0.5);
    const double *span = s->span[i * s->body->foot_count + f];
    return eri_ease((t - span[0]) / (span[1] - span[0]));
}

// The weight of an item at a time: 1 within it, 0 outside, smooth over the transitions about its ends.
static double weight_of(const eri_sequence *s, int i, int f, double t)
{
    double in = i > 0 ? entered(s, i, f, t) : 1.0, out = i + 1 < s->count ? entered(s, i + 1, f, t) : 0.0;
    return in * (1.0 - out);
}

static void set_weights(eri_sequence *s, double t)
{
    for (int i = 0; i < s->count; ++i)
        s->weight[i] = s->fixed != NULL ? s->fixed[i] : weight_of(s, i, -1, t);
}

static void set_foot_weights(eri_sequence *s, double t)
{
    for (int f = 0; f < s->body->foot_count; ++f)
        for (int i = 0; i < s->count; ++i)
            s->foot_weight[f * s->count + i] = s->fixed != NULL ? s->fixed[i] : weight_of(s, i, f, t);
}

static double gait_weight(const eri_sequence *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->count; ++i)
        if (s->item[i].gait != NULL) sum += s->weight[i];
    return sum;
}

// Strides per second: the mean of the gaits that have weight.
static double pace(const eri_sequence *s)
{
    double sum = 0.0, all = gait_weight(s);
    for (int i = 0; i < s->count && all > 0.0; ++i)
        if (s->item[i].gait != NULL) sum += s->weight[i] / all / s->source[i].seconds;
    return sum;
}

// m/s
static er_vec3 velocity(const eri_sequence *s)
{
    er_vec3 sum = {0, 0, 0};
    double hz = pace(s);
    for (int i = 0; i < s->count; ++i)
        sum = er_v3_madd(sum, s->weight[i] * (s->item[i].gait != NULL ? hz : 1.0 / s->source[i].seconds),
                         s->source[i].travel);
    return sum;
}

// The next gait whose transition, from an item without phase, has begun by a time; -1: none.
// @param last  item up to which this was asked; raised
static int gait_begun(const eri_sequence *s, double by, int *last)
{
    for (int i = *last + 1; i < s->count && s->begin[i] - 0.5 * s->blend[i] <= by; ++i) {
        *last = i;
        if (s->item[i].gait != NULL && s->item[i - 1].gait == NULL) return i;
    }
    return -1;
}

// Phases and travel at all frames. A gait after an item without phase begins where a foot leaves the ground. After a
// gait the phase goes on, so that feet come down.
static void run_clock(eri_sequence *s)
{
    enum { PARTS = 8 };
    int last = 0;
    double phase = 0.0, hz = 0.0;
    er_vec3 travel = {0, 0, 0};
    for (int k = 0; k < s->frames; ++k) {
        s->phase[k] = phase;
        s->travel[k] = travel;
        double step = k + 1 < s->frames ? (s->time[k + 1] - s->time[k]) / PARTS : 0.0;
        for (int p = 0; p < PARTS && step > 0.0; ++p) {
            double from = s->time[k] + p * step;
            int begun = s->fixed == NULL ? gait_begun(s, from + (1.0 + 1e-9) * step, &last) : -1;
            set_weights(s, from);
            bool stood = gait_weight(s) == 0.0;
            set_weights(s, from + 0.5 * step);
            if (gait_weight(s) > 0.0) hz = pace(s);
            if (begun >= 0 && stood) {
                hz = 1.0 / s->source[begun].seconds;
                phase = eri_sequence_first_phase(s, begun) - hz * (s->begin[begun] - 0.5 * s->blend[begun] - from);
            }
            phase += hz * step;
            travel = er_v3_madd(travel, step, velocity(s));
        }
    }
}

// --- samples of a source

static er_quat blend_turns(int count, const er_quat *q, const double *weight)
{
    er_quat sum = {0, 0, 0, 0};
    for (int i = 0; i < count; ++i) {
        double w = er_q_dot(q[i], q[0]) < 0.0 ? -weight[i] : weight[i];
        sum = er_q(sum.w + w * q[i].w, sum.x + w * q[i].x, sum.y + w * q[i].y, sum.z + w * q[i].z);
    }
    return er_q_unit(sum);
}

// Adds a body's displacement from where the coordinates place it.
static void add_apart(eri_sequence *s, const eri_sequence_source *g, double at, double weight)
{
    int row[4];
    double w[4];
    if (g->apart == NULL) return;
    eri_sequence_weigh_rows(g, at, row, w);
    for (int b = 0; b < s->model->body_count; ++b)
        for (int i = 0; i < 4; ++i) {
            const er_twist *t = &g->apart[(size_t)row[i] * (size_t)s->model->body_count + (size_t)b];
            s->apart[b].angular = er_v3_madd(s->apart[b].angular, weight * w[i], t->angular);
            s->apart[b].linear = er_v3_madd(s->apart[b].linear, weight * w[i], t->linear);
        }
}

static void add_foot(eri_sequence *s, const eri_sequence_source *g, double at, double weight, int f, er_quat *sole)
{
    int row[4];
    double w[4];
    er_quat q[4];
    eri_sequence_weigh_rows(g, at, row, w);
    for (int i = 0; i < 4; ++i) {
        s->heel[f] = er_v3_madd(s->heel[f], weight * w[i], g->heel[f * g->rows + row[i]]);
        q[i] = g->sole[f * g->rows + row[i]];
    }
    *sole = blend_turns(4, q, w);
}

// --- feet

// Touchdown and duty of a foot in the blend of the gaits with weight.   @return the weight of the gaits that step with
// it
static double schedule(const eri_sequence *s, int f, double *touch, double *duty)
{
    const double *weight = s->foot_weight + f * s->count;
    double all = 0.0, first = 0.0, sum = 0.0, share = 0.0;
    for (int i = 0; i < s->count; ++i) {
        const eri_sequence_source *g = &s->source[i];
        if (s->item[i].gait == NULL || weight[i] == 0.0 || !eri_sequence_steps(g, f)) continue;
        double at = g->touch[f] - g->offset;
        if (all == 0.0) first = at;
        sum += weight[i] * (eri_fraction(at - first + 0.5) - 0.5);
        share += weight[i] * g->duty[f];
        all += weight[i];
    }
    *touch = all > 0.0 ? first + sum / all : 0.0;
    *duty = all > 0.0 ? share / all : 0.0;
    return all;
}

// Maps a foot's part of the stride to that of one gait: stance to stance, swing to swing, with one rate at both ends.
static double registered(double u, double duty, double own)
{
    double stance = own / duty, swing = (1.0 - own) / (1.0 - duty), rate = 2.0 * stance * swing / (stance + swing);
    bool stands = u < duty;
    double length = stands ? duty : 1.0 - duty, v = (stands ? u : u - duty) / length, slope = stands ? stance : swing;
    double from = stands ? 0.0 : own, m = rate / slope, rise = stands ? own : 1.0 - own;
    return from + rise * (m * v * (1.0 - v) * (1.0 - 2.0 * v) + v * v * (3.0 - 2.0 * v));
}

// The place of the footprint below the body in place.
static er_vec3 print_at(const eri_sequence_source *g, int f, double stride)
{
    return er_v3_madd(g->print[f], 0.5 * g->duty[f] - stride, g->travel);
}

// One foot at a frame: coordinates of its leg, targets, and where its footprint is in the blend.
static void blend_foot(eri_sequence *s, int k, int f, double *holds)
{
    double touch, duty, all = schedule(s, f, &touch, &duty), u = eri_fraction(s->phase[k] - touch);
    er_vec3 print = {0, 0, 0};
    er_quat sole[ERI_SEQUENCE_MOST];
    double weight[ERI_SEQUENCE_MOST];
    int count = 0;
    *holds = 0.0;
    s->heel[f] = print;
    for (int i = 0; i < s->count; ++i) {
        eri_sequence_source *g = &s->source[i];
        double w = s->foot_weight[f * s->count + i], at = g->at;
        if (w == 0.0) continue;
        er_vec3 before = s->heel[f];
        bool walks = s->item[i].gait != NULL && eri_sequence_steps(g, f);
        double own = walks ? registered(u, duty, g->duty[f]) : 0.0;
        if (walks) at = eri_fraction(g->touch[f] + own) * g->rows;
        eri_sequence_add(s, g, at, w, f);
        add_foot(s, g, at, w, f, &sole[count]);
        weight[count++] = w;
        print = er_v3_add(print, walks ? er_v3_scale(w, print_at(g, f, own)) : er_v3_sub(s->heel[f], before));
        if (walks || g->stands) *holds += w;
    }
    s->sole[f] = blend_turns(count, sole, weight);
    size_t at = (size_t)f * (size_t)s->frames + (size_t)k;
    s->target[at] = (eri_target){s->heel[f], s->sole[f], *holds};
    s->print[at] = er_v3_add(print, s->travel[k]);
    s->stance[at] = *holds > 0.0 && (all == 0.0 || u < duty);
}

static er_result pose_of_mix(eri_sequence *s, int i, double t)
{
    er_motion *m = s->item[i].mix;
    eri_sequence_source *g = &s->source[i];
    double at = m->loops ? eri_fraction(t / m->duration) * m->duration : fmin(fmax(t, 0.0), m->duration);
    er_result r = er_motion_poses(m, 1, &at, NULL, s->pose);
    if (r == ER_OK) eri_sequence_read(s, s->pose, g, 0);
    return r;
}

// Time in a clip that does not repeat: it slows to its last pose and stays there.
static double slow_to_end(double t, double end)
{
    double soft = fmin(0.1, 0.5 * end), late = fmin(t - end + soft, 2.0 * soft);
    return late <= 0.0 ? t : end - soft + late - late * late / (4.0 * soft);
}

// The row at which a source is at a frame.
static er_result place_source(eri_sequence *s, int k, int i)
{
    eri_sequence_source *g = &s->source[i];
    double since = s->time[k] - (i > 0 ? s->begin[i] - 0.5 * s->blend[i] : 0.0);
    g->at = 0.0;
    if (s->item[i].mix != NULL) return pose_of_mix(s, i, since);
    if (s->item[i].gait != NULL)
        g->at = eri_fraction(s->phase[k] + g->offset) * g->rows;
    else if (g->repeats)
        g->at = eri_fraction(since / g->seconds) * g->rows;
    else
        g->at = slow_to_end(since, g->seconds) / g->seconds * (g->rows - 1);
    return ER_OK;
}

// Whether an item has weight for the body or for a foot.
static bool has_weight(const eri_sequence *s, int i)
{
    bool any = s->weight[i] > 0.0;
    for (int f = 0; f < s->body->foot_count; ++f)
        any |= s->foot_weight[f * s->count + i] > 0.0;
    return any;
}

// Whether an item has all the weight.
static bool is_alone(const eri_sequence *s, int i)
{
    bool all = s->weight[i] == 1.0;
    for (int f = 0; f < s->body->foot_count; ++f)
        all &= s->foot_weight[f * s->count + i] == 1.0;
    return all;
}

static er_result blend_frame(eri_sequence *s, int k)
{
    er_result r = ER_OK;
    double holds;
    set_weights(s, s->time[k]);
    set_foot_weights(s, s->time[k]);
    memset(s->x, 0, (size_t)s->width * sizeof *s->x);
    memset(s->sum, 0, (size_t)s->width * sizeof *s->sum);
    memset(s->apart, 0, (size_t)s->model->body_count * sizeof *s->apart);
    s->steady[k] = s->fixed != NULL ? 1.0 : 0.0;
    for (int i = 0; i < s->count; ++i) {
        if (!has_weight(s, i)) continue;
        if (is_alone(s, i)) s->steady[k] = 1.0;
        ERI_TRY(place_source(s, k, i));
        if (s->weight[i] == 0.0) continue;
        eri_sequence_add(s, &s->source[i], s->source[i].at, s->weight[i], -1);
        add_apart(s, &s->source[i], s->source[i].at, s->weight[i]);
    }
    for (int f = 0; f < s->body->foot_count; ++f)
        blend_foot(s, k, f, &holds);
    eri_sequence_finish(s);
    memcpy(s->row + (size_t)k * (size_t)s->width, s->x, (size_t)s->width * sizeof *s->x);
    memcpy(s->row_apart + (size_t)k * (size_t)s->model->body_count, s->apart,
           (size_t)s->model->body_count * sizeof *s->apart);
done:
    return r;
}

// --- footprints

// The footprint of the stance from one frame to another: where the frames outside transitions have it.
static er_vec3 lock_of(const eri_sequence *s, int f, int first, int last)
{
    er_vec3 sum = {0, 0, 0};
    double all = 0.0;
    for (int k = first; k <= last; ++k) {
        double w = 1e-6 + s->steady[k];
        sum = er_v3_madd(sum, w, s->print[(size_t)f * (size_t)s->frames + (size_t)k]);
        all += w;
    }
    return er_v3_scale(1.0 / all, sum);
}

static er_vec3 on_ground(const eri_sequence *s, er_vec3 v)
{
    return er_v3_madd(v, -er_v3_dot(v, s->body->up), s->body->up);
}

// Corrections over a swing, from one stance's last frame to the next one's first: place and rate go on.
static void correct_swing(const eri_sequence *s, er_vec3 *by, int from, int to)
{
    int n = to - from;
    er_vec3 leaving = from > 0 ? er_v3_scale(n, er_v3_sub(by[from], by[from - 1])) : er_v3(0, 0, 0),
            coming = to + 1 < s->frames ? er_v3_scale(n, er_v3_sub(by[to + 1], by[to])) : er_v3(0, 0, 0);
    for (int k = 1; k < n; ++k)
        by[from + k] = eri_hermite(by[from], leaving, by[to], coming, (double)k / n);
}

// Shifts the targets of a foot so that it keeps one footprint in each stance.
static void keep_footprints(eri_sequence *s, int f, er_vec3 *by)
{
    const bool *stance = s->stance + (size_t)f * (size_t)s->frames;
    const er_vec3 *print = s->print + (size_t)f * (size_t)s->frames;
    int before = -1;
    memset(by, 0, (size_t)s->frames * sizeof *by);
    for (int k = 0; k < s->frames; ++k) {
        if (!stance[k]) continue;
        int last = k;
        while (last + 1 < s->frames && stance[last + 1])
            ++last;
        er_vec3 lock = lock_of(s, f, k, last);
        for (int i = k; i <= last; ++i)
            by[i] = on_ground(s, er_v3_sub(lock, print[i]));
        if (before >= 0) correct_swing(s, by, before, k);
        before = k = last;
    }
    for (int k = 0; k < s->frames; ++k) {
        eri_target *t = &s->target[(size_t)f * (size_t)s->frames + (size_t)k];
        t->heel = er_v3_madd(t->heel, t->holds, by[k]);
    }
}

// --- height

// Where a foot's leg begins in s->pose.
static er_vec3 hip_of(const eri_sequence *s, int f)
{
    const er_gait_foot *foot = &s->body->foot[f];
    er_vec3 joint = er_pose_point_inverse(s->model->body[foot->trunk].pose, s->model->joint[foot->joint[0]].frame.p);
    return er_pose_point(s->pose[foot->trunk], joint);
}

// How far the body must be lowered at a frame for standing legs to reach, m.
static double shortfall(eri_sequence *s, int k)
{
    double most = 0.0;
    eri_kinematics_open(s->kinematics, s->row + (size_t)k * (size_t)s->width, s->pose);
    for (int f = 0; f < s->body->foot_count; ++f) {
        const er_gait_foot *foot = &s->body->foot[f];
        const eri_target *t = &s->target[(size_t)f * (size_t)s->frames + (size_t)k];
        if (foot->joint_count < 2 || !s->stance[(size_t)f * (size_t)s->frames + (size_t)k]) continue;
        er_vec3 d = er_v3_sub(hip_of(s, f), t->heel);
        double reach = ERI_GAIT_STRETCH * foot->reach, high = er_v3_dot(d, s->body->up),
               flat2 = er_v3_dot(d, d) - high * high, can = flat2 < reach * reach ? sqrt(reach * reach - flat2) : 0.0;
        most = fmax(most, t->holds * fmin(high - can, 0.25 * foot->reach));
    }
    return most;
}

// The largest value within some frames, smoothed by three moving averages.
static void widen(int n, int half, double *x, double *work)
{
    for (int k = 0; k < n; ++k) {
        work[k] = 0.0;
        for (int i = k - half; i <= k + half; ++i)
            if (i >= 0 && i < n) work[k] = fmax(work[k], x[i]);
    }
    memcpy(x, work, (size_t)n * sizeof *x);
    eri_smooth(n, half / 2 > 1 ? half / 2 : 1, x, work);
}

// Lowers the body in transitions in which standing legs would not reach.
static er_result lower_body(eri_sequence *s)
{
    er_result r = ER_OK;
    double *drop, *work, longest = 0.0, step = s->time[1] - s->time[0];
    ERI_TRY_NEW(drop, s->scratch, double, s->frames);
    ERI_TRY_NEW(work, s->scratch, double, s->frames);
    for (int i = 1; i < s->count; ++i)
        longest = fmax(longest, s->blend[i]);
    int half = (int)fmin(fmax(longest / 6.0 / step, 1.0), s->frames / 4.0);
    for (int turn = 0; turn < 3; ++turn) {
        for (int k = 0; k < s->frames; ++k)
            drop[k] = s->steady[k] > 0.0 ? 0.0 : shortfall(s, k);
        widen(s->frames, half, drop, work);
        for (int k = 0; k < s->frames; ++k)
            eri_shift_roots(s->model, er_v3_scale(-drop[k], s->body->up), s->row + (size_t)k * (size_t)s->width);
    }
done:
    return r;
}

// Brings the targets of a swing nearer to the hip where the leg would be straighter than in the stances beside it: a
// knee that becomes straight leaps.
static void shorten_swing(eri_sequence *s, int f, int from, int to, const er_vec3 *hip)
{
    eri_target *t = s->target + (size_t)f * (size_t)s->frames;
    double reach = s->body->foot[f].reach, free = 0.97 * reach;
    if (from >= 0) free = fmax(free, er_v3_distance(t[from].heel, hip[from]));
    if (to < s->frames) free = fmax(free, er_v3_distance(t[to].heel, hip[to]));
    double soft = fmax(0.992 * reach - free, 0.004 * reach);
    for (int k = from + 1; k < to; ++k) {
        double far = er_v3_distance(t[k].heel, hip[k]), may = free + soft * tanh((far - free) / soft);
        if (far > free) t[k].heel = er_v3_madd(hip[k], may / far, er_v3_sub(t[k].heel, hip[k]));
    }
}

static er_result shorten_swings(eri_sequence *s)
{
    er_result r = ER_OK;
    er_vec3 *hip;
    size_t n = (size_t)s->frames;
    ERI_TRY_NEW(hip, s->scratch, er_vec3, n * (size_t)s->body->foot_count);
    for (int k = 0; k < s->frames; ++k) {
        eri_kinematics_open(s->kinematics, s->row + (size_t)k * (size_t)s->width, s->pose);
        for (int f = 0; f < s->body->foot_count; ++f)
            hip[(size_t)f * n + (size_t)k] = hip_of(s, f);
    }
    for (int f = 0; f < s->body->foot_count; ++f) {
        const bool *stance = s->stance + (size_t)f * n;
        for (int k = 0, last = -1; k <= s->frames && s->body->foot[f].joint_count >= 2; ++k) {
            if (k < s->frames && !stance[k]) continue;
            if (k > last + 1) shorten_swing(s, f, last, k, hip + (size_t)f * n);
            last = k;
        }
    }
done:
    return r;
}

// --- poses

static void pose_frame(eri_sequence *s, const double *x, const er_twist *apart, er_pose *pose)
{
    eri_kinematics_open(s->kinematics, x, pose);
    for (int b = 0; b < s->model->body_count && s->is_apart; ++b)
        pose[b] = er_pose_mul(pose[b], (er_pose){er_q_exp(apart[b].angular), apart[b].linear});
}

// Soles elsewhere in the rig move as their feet were moved.
static void carry_soles(const eri_sequence *s, const er_pose *natural, er_pose *pose)
{
    for (int f = 0; f < s->body->foot_count; ++f) {
        const er_gait_foot *foot = &s->body->foot[f];
        if (foot->sole == foot->body) continue;
        er_pose by = er_pose_displacement(natural[foot->body], pose[foot->body]);
        for (int b = 0; b < s->model->body_count; ++b)
            if (eri_hangs_on(s->model, foot->sole, b)) pose[b] = er_pose_mul(by, pose[b]);
    }
}

static er_result hold_frame(eri_sequence *s, int k)
{
    size_t bodies = (size_t)s->model->body_count;
    double *x = s->row + (size_t)k * (size_t)s->width;
    const er_twist *apart = s->row_apart + (size_t)k * bodies;
    er_pose *pose = s->out_pose + (size_t)k * bodies;
    memcpy(s->x, x, (size_t)s->width * sizeof *x);
    eri_kinematics_open(s->kinematics, x, pose);
    for (int f = 0; f < s->body->foot_count; ++f) {
        const eri_target *t = &s->target[(size_t)f * (size_t)s->frames + (size_t)k];
        if (t->holds > 0.0) eri_leg_reach(&s->leg[f], s->model, s->body, t, x, pose);
        for (int c = 0; c < s->width; ++c)
            if (s->leg_of[c] == f) x[c] = s->x[c] + t->holds * (x[c] - s->x[c]);
    }
    for (int c = 0; c < s->model->coordinate_count; ++c)
        s->correction = fmax(s->correction, fabs(x[c] - s->x[c]));
    if (s->model->loop_count > 0) {
        eri_kinematics_open(s->kinematics, x, pose);
        er_result r = eri_kinematics_close(s->kinematics, x, pose);
        if (r != ER_OK) return r;
    }
    pose_frame(s, s->x, apart, s->pose);
    pose_frame(s, x, apart, pose);
    carry_soles(s, s->pose, pose);
    return ER_OK;
}

static void measure(eri_sequence *s)
{
    for (int f = 0; f < s->body->foot_count; ++f)
        for (int k = 0; k < s->frames; ++k) {
            size_t at = (size_t)f * (size_t)s->frames + (size_t)k;
            const er_gait_foot *foot = &s->body->foot[f];
            const er_pose *pose = s->out_pose + (size_t)k * (size_t)s->model->body_count;
            if (s->target[at].holds < 1.0) continue;
            s->sink = fmax(s->sink, -eri_sole_height(s->model, s->body, foot, pose));
            er_vec3 heel = er_pose_point(pose[foot->body], foot->heel);
            if (s->stance[at]) s->slide = fmax(s->slide, er_v3_norm(on_ground(s, er_v3_sub(heel, s->target[at].heel))));
        }
}

er_result eri_sequence_run(eri_sequence *s)
{
    er_result r = ER_OK;
    er_vec3 *by;
    ERI_TRY_NEW(by, s->scratch, er_vec3, s->frames);
    run_clock(s);
    eri_sequence_set_spans(s);
    for (int k = 0; k < s->frames; ++k)
        ERI_TRY(blend_frame(s, k));
    for (int f = 0; f < s->body->foot_count; ++f)
        keep_footprints(s, f, by);
    if (s->fixed == NULL && s->frames > 8) ERI_TRY(lower_body(s));
    ERI_TRY(shorten_swings(s));
    for (int k = 0; k < s->frames; ++k)
        ERI_TRY(hold_frame(s, k));
    measure(s);
done:
    return r;
}
