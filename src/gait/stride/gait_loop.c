// A stride that loops, of a walk whose strides are alike: two strides run into each other, and standing feet keep their
// footprints.
#include <string.h>

#include "gait/stride/reach.h"

#define BRIEF 0.04 // of the stride: shorter stances and gaps between them do not count

enum { PROBES = 16, SPARE = 4 }; // times at which strides are compared; frames of the walk beside two strides

typedef struct loop_maker {
    er_context *context;
    const er_model *model;
    const er_gait_body *body;
    const er_gait_walk_frames *walk;
    er_arena *arena, *scratch;
    er_kinematics *kinematics;
    er_trajectory *trajectory; // of two strides of the walk
    double from;               // s of the walk: the trajectory's begin
    double begin;              // s of the walk: the second stride's begin
    er_vec3 velocity;          // m/s
    int count, width;          // frames of the loop; of x
    double *x;                 // [count x width]
    er_pose *pose;             // [count + 1 x body_count]
    er_pose *work[3];          // [body_count] each
    bool *stands;              // [foot_count x count]
    eri_leg *leg;              // [foot_count]
    er_gait_motion *out;
} loop_maker;

// ---- The stride to take

static er_vec3 centre_of(const er_model *model, const er_pose *pose)
{
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        sum = er_v3_madd(sum, model->body[b].mass, er_pose_point(pose[b], model->body[b].com));
        mass += model->body[b].mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

static const er_pose *frame_at(const loop_maker *m, double time)
{
    int k = (int)lround(time / m->walk->step);
    k = k < 0 ? 0 : k < m->walk->count ? k : m->walk->count - 1;
    return m->walk->pose + (size_t)k * (size_t)m->model->body_count;
}

static er_vec3 velocity_about(const loop_maker *m, double begin)
{
    double by = m->walk->stride;
    er_vec3 way = er_v3_sub(centre_of(m->model, frame_at(m, begin + by)), centre_of(m->model, frame_at(m, begin - by)));
    return er_v3_scale(0.5 / by, way);
}

// How unlike a stride and the one before it are: m^2, the mean by mass.
static double difference(const loop_maker *m, double begin)
{
    double stride = m->walk->stride, sum = 0.0, mass = 0.0;
    er_vec3 way = er_v3_scale(stride, velocity_about(m, begin));
    for (int i = 0; i < PROBES; ++i) {
        const er_pose *now = frame_at(m, begin + i * stride / PROBES);
        const er_pose *before = frame_at(m, begin + (i - PROBES) * stride / PROBES);
        for (int b = 0; b < m->model->body_count; ++b) {
            const er_body *body = &m->model->body[b];
            er_vec3 apart = er_v3_sub(er_pose_point(now[b], body->com), er_pose_point(before[b], body->com));
            apart = er_v3_sub(apart, way);
            sum += body->mass * er_v3_dot(apart, apart);
            mass += body->mass;
        }
    }
    return sum / mass;
}

// Chooses the stride that is most like the one before it.
static er_result choose_stride(loop_maker *m)
{
    const er_gait_walk_frames *w = m->walk;
    double end = (w->count - 1) * w->step, least = HUGE_VAL;
    for (double at = (2.0 - w->phase) * w->stride; at + w->stride <= end; at += w->stride) {
        if (at < w->stride) continue;
        double now = difference(m, at);
        if (now < least) least = now, m->begin = at;
    }
    if (least == HUGE_VAL)
        return er_fail(m->context, ER_ERROR_ARGUMENT,
                       "a walk of %g s has no two whole strides of %g s after its first one", end, w->stride);
    m->velocity = velocity_about(m, m->begin);
    return ER_OK;
}

static er_result take_strides(loop_maker *m)
{
    er_result r = ER_OK;
    const er_gait_walk_frames *w = m->walk;
    int first = (int)floor((m->begin - w->stride) / w->step) - SPARE;
    int last = (int)ceil((m->begin + w->stride) / w->step) + SPARE;
    first = first > 0 ? first : 0;
    last = last < w->count ? last : w->count - 1;
    double *time;
    ERI_TRY_NEW(time, m->scratch, double, last - first + 1);
    for (int k = first; k <= last; ++k)
        time[k - first] = (k - first) * w->step;
    m->from = first * w->step;
    r = er_trajectory_create(m->context, last - first + 1, time, m->model->body_count,
                             w->pose + (size_t)first * (size_t)m->model->body_count, &m->trajectory);
done:
    return r;
}

// ---- From one stride to the other

// The walk at a time, carried back to the place of the equilibrium.
static void sample(const loop_maker *m, double time, er_vec3 back, er_pose *pose)
{
    er_twist twist, rate;
    for (int b = 0; b < m->model->body_count; ++b) {
        er_trajectory_at(m->trajectory, time - m->from, b, &pose[b], &twist, &rate);
        pose[b].p = er_v3_sub(pose[b].p, back);
    }
}

// The shift taken from positions, so that the centre of mass stays about where it is at equilibrium.
static er_vec3 place_of(const loop_maker *m)
{
    const int n = PROBES;
    er_vec3 mean = er_v3(0, 0, 0), up = m->body->up;
    for (int i = 0; i < n; ++i) {
        double by = i * m->walk->stride / n;
        er_vec3 at = centre_of(m->model, frame_at(m, m->begin + by));
        mean = er_v3_madd(mean, 1.0 / n, er_v3_madd(at, -by, m->velocity));
    }
    mean = er_v3_sub(mean, eri_root_centre(m->model));
    double climbed = er_v3_dot(m->velocity, up) * m->begin;
    return er_v3_madd(mean, climbed - er_v3_dot(mean, up), up);
}

// The nearest number that is the same angle.
static double near_angle(double angle, double to)
{
    return angle - 2.0 * ER_PI * round((angle - to) / (2.0 * ER_PI));
}

static bool is_angle(const loop_maker *m, int coordinate)
{
    int axis[6];
    for (int k = 0; k < m->model->joint_count; ++k) {
        int first = m->model->coordinate[k], count = er_joint_type_freedom(m->model->joint[k].type, axis);
        if (coordinate >= first && coordinate < first + count) return count == 1 && axis[0] < 3;
    }
    return false;
}

static er_result mix_strides(loop_maker *m)
{
    er_result r = ER_OK;
    double *before, stride = m->walk->stride;
    er_vec3 place = place_of(m);
    ERI_TRY_NEW(before, m->scratch, double, m->width);
    for (int k = 0; k < m->count; ++k) {
        double part = (double)k / m->count, share = eri_ease(part), *x = m->x + (size_t)k * (size_t)m->width;
        er_vec3 gone = er_v3_madd(place, part * stride, m->velocity);
        sample(m, m->begin + part * stride, gone, m->work[0]);
        sample(m, m->begin + (part - 1.0) * stride, er_v3_madd(gone, -stride, m->velocity), m->work[1]);
        eri_pose_coordinates(m->model, m->work[0], m->work[2], x);
        eri_pose_coordinates(m->model, m->work[1], m->work[2], before);
        for (int c = 0; c < m->width; ++c) {
            if (is_angle(m, c)) before[c] = near_angle(before[c], x[c]);
            x[c] += share * (before[c] - x[c]);
        }
    }
done:
    return r;
}

// ---- Stances

static bool stood(const loop_maker *m, double time, int foot)
{
    int k = (int)lround(time / m->walk->step);
    k = k < m->walk->count ? k : m->walk->count - 1;
    return m->walk->stands[(size_t)k * (size_t)m->body->foot_count + (size_t)foot];
}

// Changes runs of a value that are shorter than some frames.
static void drop_short_runs(bool *flag, int n, bool value, int least)
{
    for (int k = 0; k < n; ++k) {
        int length = 0;
        if (flag[k] != value || flag[(k + n - 1) % n] == value) continue;
        while (length < n && flag[(k + length) % n] == value)
            ++length;
        for (int i = 0; i < length && length < least; ++i)
            flag[(k + i) % n] = !value;
    }
}

static void find_stances(loop_maker *m)
{
    int n = m->count, least = (int)ceil(BRIEF * n);
    for (int f = 0; f < m->body->foot_count; ++f) {
        bool *stands = m->stands + (size_t)f * (size_t)n;
        for (int k = 0; k < n; ++k) {
            double at = m->begin + m->walk->stride * k / n;
            stands[k] = stood(m, at, f) && stood(m, at - m->walk->stride, f);
        }
        drop_short_runs(stands, n, false, least);
        drop_short_runs(stands, n, true, least);
    }
}

// ---- Footprints

static er_vec3 on_ground(const loop_maker *m, er_vec3 v)
{
    return er_v3_madd(v, -er_v3_dot(v, m->body->up), m->body->up);
}

// Corrections of a foot: shifts along the ground, and a turn about up as the part along up.
typedef struct correction {
    er_vec3 *by;   // [count]
    er_vec3 *heel; // [count], m, where the ground stays
    double *yaw;   // [count], rad, against the equilibrium
} correction;

static double yaw_of(const loop_maker *m, const er_pose *pose, int body)
{
    er_quat turn = er_q_mul(pose[body].q, er_q_conj(m->model->body[body].pose.q));
    return 2.0 * atan2(er_v3_dot(er_v3(turn.x, turn.y, turn.z), m->body->up), turn.w);
}

static void read_foot(const loop_maker *m, int f, correction *c)
{
    const er_gait_foot *foot = &m->body->foot[f];
    for (int k = 0; k < m->count; ++k) {
        const er_pose *pose = m->pose + (size_t)k * (size_t)m->model->body_count;
        er_vec3 gone = er_v3_scale(m->walk->stride * k / m->count, m->velocity);
        c->heel[k] = er_v3_add(er_pose_point(pose[foot->body], foot->heel), gone);
        c->yaw[k] = yaw_of(m, pose, foot->body);
    }
}

// A stance is moved to its mean footprint.
static void keep_footprint(const loop_maker *m, int first, int length, correction *c)
{
    const int n = m->count;
    er_vec3 mean = er_v3(0, 0, 0), lap = er_v3_scale(m->walk->stride, m->velocity);
    double yaw = 0.0;
    for (int i = 0; i < length; ++i) {
        int k = first + i;
        mean = er_v3_madd(mean, 1.0 / length, er_v3_madd(c->heel[k % n], k / n, lap));
        yaw += near_angle(c->yaw[k % n], c->yaw[first]) / length;
    }
    for (int i = 0; i < length; ++i) {
        int k = first + i;
        er_vec3 off = on_ground(m, er_v3_sub(mean, er_v3_madd(c->heel[k % n], k / n, lap)));
        c->by[k % n] = er_v3_madd(off, yaw - near_angle(c->yaw[k % n], c->yaw[first]), m->body->up);
    }
}

// Corrections of a swing go over from one stance to the next: place and rate.
static void correct_swing(const loop_maker *m, int last, int next, er_vec3 *by)
{
    int n = m->count, length = next - last;
    er_vec3 leaving = er_v3_sub(by[last % n], by[(last + n - 1) % n]),
            coming = er_v3_sub(by[(next + 1) % n], by[next % n]);
    for (int i = 1; i < length; ++i)
        by[(last + i) % n] = eri_hermite(by[last % n], er_v3_scale(length, leaving), by[next % n],
                                         er_v3_scale(length, coming), (double)i / length);
}

static void correct_foot(const loop_maker *m, int f, correction *c)
{
    const bool *stands = m->stands + (size_t)f * (size_t)m->count;
    int n = m->count, from = 0;
    memset(c->by, 0, (size_t)n * sizeof *c->by);
    read_foot(m, f, c);
    while (from < n && !(stands[from] && !stands[(from + n - 1) % n]))
        ++from;
    if (from == n) return; // it stands always, or never
    for (int k = from; k < from + n; ++k) {
        int length = 0;
        while (length < n && stands[(k + length) % n])
            ++length;
        if (length > 0) keep_footprint(m, k % n, length, c);
        k += length;
    }
    for (int k = from; k < from + n; ++k) {
        int next = k + 1;
        if (!stands[k % n] || stands[next % n]) continue;
        while (!stands[next % n])
            ++next;
        correct_swing(m, k, next, c->by);
    }
}

// Brings a foot to where its correction has it.
static void move_foot(loop_maker *m, int f, er_vec3 by, double *x, er_pose *pose)
{
    const er_gait_foot *foot = &m->body->foot[f];
    double yaw = er_v3_dot(by, m->body->up);
    er_quat turn = er_q_exp(er_v3_scale(yaw, m->body->up));
    eri_target target = {er_v3_add(er_pose_point(pose[foot->body], foot->heel), on_ground(m, by)),
                         er_q_mul(turn, pose[foot->body].q), 1.0};
    er_vec3 off = eri_leg_position_error(&m->leg[f], m->model, m->body, &target, pose);
    if (!foot->flat) target.heel = er_v3_madd(target.heel, -er_v3_dot(off, m->body->up), m->body->up);
    eri_leg_reach(&m->leg[f], m->model, m->body, &target, x, pose);
}

static er_result open_frame(loop_maker *m, int k)
{
    double *x = m->x + (size_t)k * (size_t)m->width;
    er_pose *pose = m->pose + (size_t)k * (size_t)m->model->body_count;
    eri_kinematics_open(m->kinematics, x, pose);
    return m->model->loop_count > 0 ? eri_kinematics_close(m->kinematics, x, pose) : ER_OK;
}

static double slide_of(const loop_maker *m, int f, correction *c)
{
    const bool *stands = m->stands + (size_t)f * (size_t)m->count;
    double most = 0.0;
    correct_foot(m, f, c); // what it would still have to move
    for (int k = 0; k < m->count; ++k)
        if (stands[k]) most = fmax(most, er_v3_norm(on_ground(m, c->by[k])));
    return most;
}

static er_result keep_footprints(loop_maker *m)
{
    er_result r = ER_OK;
    const int n = m->count;
    correction c;
    er_vec3 *by;
    ERI_TRY_NEW(by, m->scratch, er_vec3, (size_t)n * (size_t)m->body->foot_count);
    ERI_TRY_NEW(c.heel, m->scratch, er_vec3, n);
    ERI_TRY_NEW(c.yaw, m->scratch, double, n);
    ERI_TRY_NEW(m->leg, m->scratch, eri_leg, m->body->foot_count);
    for (int f = 0; f < m->body->foot_count; ++f) {
        ERI_TRY(eri_leg_create(m->scratch, m->model, m->kinematics, m->body, &m->body->foot[f], &m->leg[f]));
        c.by = by + (size_t)f * (size_t)n;
        correct_foot(m, f, &c);
    }
    for (int k = 0; k < n; ++k) {
        double *x = m->x + (size_t)k * (size_t)m->width;
        memcpy(m->work[0], m->pose + (size_t)k * (size_t)m->model->body_count,
               (size_t)m->model->body_count * sizeof *m->pose);
        for (int f = 0; f < m->body->foot_count; ++f)
            move_foot(m, f, by[(size_t)f * (size_t)n + (size_t)k], x, m->work[0]);
        ERI_TRY(open_frame(m, k));
    }
    for (int f = 0; f < m->body->foot_count; ++f) {
        c.by = by + (size_t)f * (size_t)n;
        m->out->slide = fmax(m->out->slide, slide_of(m, f, &c));
    }
done:
    return r;
}

// ---- Together

static er_result fill(loop_maker *m)
{
    er_result r = ER_OK;
    int n = m->count, feet = m->body->foot_count;
    size_t bodies = (size_t)m->model->body_count, coordinates = (size_t)m->model->coordinate_count;
    double *time, *q;
    er_vec3 *travel;
    bool *stands;
    ERI_TRY_NEW(time, m->arena, double, n + 1);
    ERI_TRY_NEW(q, m->arena, double, ((size_t)n + 1) * coordinates);
    ERI_TRY_NEW(travel, m->arena, er_vec3, n + 1);
    ERI_TRY_NEW(stands, m->arena, bool, ((size_t)n + 1) * (size_t)feet);
    for (int k = 0; k <= n; ++k) {
        int of = k % n;
        time[k] = m->walk->stride * k / n;
        travel[k] = er_v3_scale(time[k], m->velocity);
        memcpy(q + (size_t)k * coordinates, m->x + (size_t)of * (size_t)m->width, coordinates * sizeof *q);
        for (int f = 0; f < feet; ++f)
            stands[k * feet + f] = m->stands[f * n + of];
    }
    memcpy(m->pose + (size_t)n * bodies, m->pose, bodies * sizeof *m->pose);
    *m->out = (er_gait_motion){.model = m->model,
                               .frame_count = n + 1,
                               .time = time,
                               .q = q,
                               .pose = m->pose,
                               .travel = travel,
                               .foot_count = feet,
                               .stands = stands,
                               .slide = m->out->slide,
                               .arena = m->arena};
done:
    return r;
}

static er_result make(loop_maker *m, double fps)
{
    er_result r = ER_OK;
    double frames = ceil(m->walk->stride * fps - 1e-6);
    m->count = frames < 16.0 ? 16 : (int)frames;
    m->width = er_kinematics_width(m->kinematics);
    ERI_TRY(choose_stride(m));
    ERI_TRY(take_strides(m));
    ERI_TRY_NEW(m->out, m->arena, er_gait_motion, 1);
    ERI_TRY_NEW(m->x, m->scratch, double, (size_t)m->count *(size_t)m->width);
    ERI_TRY_NEW(m->pose, m->arena, er_pose, ((size_t)m->count + 1) * (size_t)m->model->body_count);
    ERI_TRY_NEW(m->stands, m->scratch, bool, (size_t)m->count *(size_t)m->body->foot_count);
    for (int i = 0; i < 3; ++i)
        ERI_TRY_NEW(m->work[i], m->scratch, er_pose, m->model->body_count);
    ERI_TRY(mix_strides(m));
    for (int k = 0; k < m->count; ++k)
        ERI_TRY(open_frame(m, k));
    find_stances(m);
    ERI_TRY(keep_footprints(m));
    r = fill(m);
done:
    return r;
}

static er_result check(er_context *context, const er_gait_walk_frames *walk, double fps)
{
    if (!(fps > 0.0 && fps <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second is not between 0 and 100000", fps);
    bool fine = walk->count >= 2 && walk->step > 0.0 && isfinite(walk->step) && walk->stride >= 2.0 * walk->step &&
                walk->stride * fps <= 1e6 && walk->phase >= 0.0 && walk->phase < 1.0 && walk->pose != NULL &&
                walk->stands != NULL;
    return fine ? ER_OK
                : er_fail(context, ER_ERROR_ARGUMENT,
                          "%d frames at steps of %g s, strides of %g s, a phase of %g: one of these is out of range",
                          walk->count, walk->step, walk->stride, walk->phase);
}

er_result er_gait_loop(er_context *context, const er_model *model, const er_gait_body *body,
                       const er_gait_walk_frames *walk, double fps, er_gait_motion **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || body == NULL || walk == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_gait_loop needs a model, its body and a walk");
    er_result r = check(context, walk, fps);
    if (r != ER_OK) return r;
    loop_maker m = {.context = context, .model = model, .body = body, .walk = walk};
    ERI_TRY(eri_arena_create(context, &m.arena));
    ERI_TRY(eri_arena_create(context, &m.scratch));
    ERI_TRY(er_kinematics_create(context, model, &m.kinematics));
    ERI_TRY(make(&m, fps));
    *out = m.out;
    m.arena = NULL;
done:
    er_kinematics_destroy(m.kinematics);
    er_trajectory_destroy(m.trajectory);
    eri_arena_destroy(m.scratch);
    eri_arena_destroy(m.arena);
    return r;
}
