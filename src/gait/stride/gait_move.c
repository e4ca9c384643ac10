// Makes a stride as a motion: poses the mix, carries the body along, and holds the feet.
#include <string.h>

#include "gait/stride/reach.h"

typedef struct stride_mover {
    er_context *context;
    const er_model *model;
    const er_gait_body *body;
    const er_gait *gait;
    er_arena *arena, *scratch;
    er_motion *modal;
    er_kinematics *kinematics;
    int count, width; // frames of a stride; of x
    double *x;        // [count x width]
    er_pose *pose;    // [count x body_count], first as the mix has it
    er_vec3 *root;    // [count]
    eri_paths paths;
    eri_stride_ground ground;
    eri_stride stride;
    eri_leg *leg;       // [foot_count]
    eri_target *target; // [foot_count x count]
    er_gait_motion *out;
    double *q, *time;
    er_vec3 *travel;
} stride_mover;

// --- the mix

static er_result pose_mix(stride_mover *m, const er_modes *modes, double fps)
{
    er_result r = ER_OK;
    double period = 1.0 / m->gait->hz, frames = ceil(period * fps - 1e-6);
    er_motion_def def = er_default_motion_def();
    def.duration = period;
    def.loop = true;
    if (!(frames <= 1e6))
        return er_fail(m->context, ER_ERROR_ARGUMENT, "a stride of %g s at %g frames a second is too long", period,
                       fps);
    m->count = frames < 16.0 ? 16 : (int)frames;
    ERI_TRY(er_motion_create(m->context, m->model, modes, m->gait->mix, &def, &m->modal));
    ERI_TRY(er_kinematics_create(m->context, m->model, &m->kinematics));
    m->width = m->modal->width;
    ERI_TRY_NEW(m->time, m->arena, double, m->count + 1);
    ERI_TRY_NEW(m->x, m->scratch, double, (size_t)m->count *(size_t)m->width);
    ERI_TRY_NEW(m->pose, m->arena, er_pose, ((size_t)m->count + 1) * (size_t)m->model->body_count);
    for (int i = 0; i <= m->count; ++i)
        m->time[i] = i == m->count ? period : period * i / m->count;
    r = er_motion_poses(m->modal, m->count, m->time, m->x, m->pose);
done:
    return r;
}

// Adds the shift that kept the centre of mass in place to the roots' coordinates, so that x alone gives the poses.
static void match_roots(stride_mover *m, int frame, er_pose *work)
{
    double *x = m->x + (size_t)frame * (size_t)m->width, *at = x + m->model->coordinate_count;
    const er_pose *pose = m->pose + (size_t)frame * (size_t)m->model->body_count;
    eri_kinematics_open(m->kinematics, x, work);
    for (int b = 0; b < m->model->body_count; ++b) {
        if (m->model->tree_joint[b] >= 0) continue;
        er_vec3 shift = er_q_rotate(er_q_conj(m->model->body[b].pose.q), er_v3_sub(pose[b].p, work[b].p));
        at[3] += shift.x;
        at[4] += shift.y;
        at[5] += shift.z;
        at += 6;
    }
}

// Turns a frame to the left about the vertical through the centre of mass.
static void turn_roots(const stride_mover *m, int frame, double yaw)
{
    er_vec3 centre = eri_root_centre(m->model);
    er_quat turn = er_q_exp(er_v3_scale(yaw, m->body->up));
    er_pose by = {turn, er_v3_sub(centre, er_q_rotate(turn, centre))};
    er_pose *pose = m->pose + (size_t)frame * (size_t)m->model->body_count;
    double *at = m->x + (size_t)frame * (size_t)m->width + m->model->coordinate_count;
    for (int b = 0; b < m->model->body_count; ++b) {
        pose[b] = er_pose_mul(by, pose[b]);
        if (m->model->tree_joint[b] >= 0) continue;
        er_pose moved = er_pose_mul(er_pose_inverse(m->model->body[b].pose), pose[b]);
        er_vec3 q = er_q_log(moved.q);
        const double x[6] = {q.x, q.y, q.z, moved.p.x, moved.p.y, moved.p.z};
        memcpy(at, x, sizeof x);
        at += 6;
    }
}

// --- feet

// How far the body must be lowered at a frame for legs in stance to reach, m.
static double shortfall(const stride_mover *m, int frame)
{
    double most = 0.0;
    const er_pose *pose = m->pose + (size_t)frame * (size_t)m->model->body_count;
    for (int f = 0; f < m->body->foot_count; ++f) {
        const er_gait_foot *foot = &m->body->foot[f];
        const eri_target *t = &m->target[f * m->count + frame];
        if (foot->joint_count < 2 || t->holds < 1.0) continue;
        er_pose rest = m->model->body[foot->trunk].pose;
        er_vec3 hip =
            er_pose_point(pose[foot->trunk], er_pose_point_inverse(rest, m->model->joint[foot->joint[0]].frame.p));
        er_vec3 d = er_v3_sub(er_v3_add(hip, m->root[frame]), t->heel);
        double reach = ERI_GAIT_STRETCH * foot->reach, high = er_v3_dot(d, m->body->up),
               flat2 = er_v3_dot(d, d) - high * high;
        double can = flat2 < reach * reach ? sqrt(reach * reach - flat2) : 0.0;
        most = fmax(most, fmin(high - can, 0.25 * foot->reach));
    }
    return most;
}

// Lowers the body smoothly around frames where legs do not reach.   @return whether some did not
static bool lower_body(stride_mover *m, double *drop, double *work)
{
    int n = m->count, half = n / 12 > 1 ? n / 12 : 1;
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        work[i] = shortfall(m, i);
        worst = fmax(worst, work[i]);
    }
    for (int i = 0; i < n; ++i) {
        drop[i] = 0.0;
        for (int k = -half; k <= half; ++k)
            drop[i] = fmax(drop[i], work[((i + k) % n + n) % n]);
    }
    eri_smooth(n, half / 2 > 1 ? half / 2 : 1, drop, work);
    for (int i = 0; i < n; ++i)
        m->root[i] = er_v3_madd(m->root[i], -drop[i], m->body->up);
    return worst > 1e-4 * m->body->leg;
}

static er_result plant_feet(stride_mover *m)
{
    er_result r = ER_OK;
    int n = m->count, feet = m->body->foot_count;
    double *drop, *work;
    ERI_TRY_NEW(drop, m->scratch, double, n);
    ERI_TRY_NEW(work, m->scratch, double, 2 * n);
    ERI_TRY_NEW(m->leg, m->scratch, eri_leg, feet);
    ERI_TRY_NEW(m->target, m->scratch, eri_target, (size_t)feet * (size_t)n);
    for (int f = 0; f < feet; ++f) {
        ERI_TRY(eri_leg_create(m->scratch, m->model, m->kinematics, m->body, &m->body->foot[f], &m->leg[f]));
    }
    for (int turn = 0; turn < 8; ++turn) { // footprints move a little with the body
        for (int f = 0; f < feet; ++f)
            eri_plant(m->model, m->body, f, &m->paths, &m->stride, m->ground.stands + f * n, m->root, m->pose, work,
                      m->target + f * n);
        if (turn == 7 || !lower_body(m, drop, work)) break;
    }
done:
    return r;
}

static bool is_below(const er_model *model, int above, int body)
{
    for (int i = model->tree_parent[body]; i >= 0; i = model->tree_parent[i])
        if (i == above) return true;
    return false;
}

// Toes keep their rest angles while the foot stands.
static void rest_toes(const stride_mover *m, int f, double holds, double *x)
{
    const er_gait_foot *foot = &m->body->foot[f];
    for (int b = 0; b < m->model->body_count && foot->flat; ++b) {
        int joint = m->model->tree_joint[b];
        if (joint < 0 || !is_below(m->model, foot->sole, b)) continue;
        for (int c = m->model->coordinate[joint]; c < m->model->coordinate[joint + 1]; ++c)
            x[c] *= 1.0 - holds;
    }
}

// Moves soles that are elsewhere in the rig with their legs.
static void carry_soles(const stride_mover *m, int frame, er_pose *pose)
{
    for (int f = 0; f < m->body->foot_count; ++f) {
        const er_gait_foot *foot = &m->body->foot[f];
        if (foot->sole == foot->body) continue;
        er_pose rest = m->model->body[foot->sole].pose, leg = m->model->body[foot->body].pose;
        er_pose now = er_pose_mul(pose[foot->body], er_pose_mul(er_pose_inverse(leg), rest));
        er_vec3 heel = er_pose_point(leg, foot->heel);
        if (foot->flat) {
            er_vec3 at = er_pose_point(pose[foot->body], foot->heel);
            now.q = m->target[f * m->count + frame].sole;
            now.p = er_v3_add(at, er_q_rotate(er_q_mul(now.q, er_q_conj(rest.q)), er_v3_sub(rest.p, heel)));
        }
        er_pose by = er_pose_displacement(pose[foot->sole], now);
        for (int b = 0; b < m->model->body_count; ++b)
            if (b == foot->sole || is_below(m->model, foot->sole, b)) pose[b] = er_pose_mul(by, pose[b]);
    }
}

// Shifts the body toward the footholds of legs without a knee, weighted by how firmly they stand.
// @return whether there is such a leg
static bool shift_to_stiff_legs(const stride_mover *m, int frame, double *x, const er_pose *pose)
{
    er_vec3 error = {0, 0, 0};
    double weight = 1e-3;
    bool stiff = false;
    for (int f = 0; f < m->body->foot_count; ++f) {
        const eri_target *t = &m->target[f * m->count + frame];
        if (m->leg[f].count >= 2) continue;
        double holds = t->holds * t->holds;
        error = er_v3_madd(error, holds, eri_leg_position_error(&m->leg[f], m->model, m->body, t, pose));
        weight += holds;
        stiff = true;
    }
    eri_shift_roots(m->model, er_v3_scale(1.0 / weight, error), x);
    return stiff;
}

// Holds the feet at one frame: legs reach for their footholds; for legs without a knee the body is shifted.
static er_result hold_feet(stride_mover *m, int frame, double *before)
{
    enum { TURNS = 4 };
    double *x = m->x + (size_t)frame * (size_t)m->width;
    er_pose *pose = m->pose + (size_t)frame * (size_t)m->model->body_count;
    for (int f = 0; f < m->body->foot_count; ++f)
        rest_toes(m, f, m->target[f * m->count + frame].holds, x);
    memcpy(before, x, (size_t)m->width * sizeof *x);
    eri_kinematics_open(m->kinematics, x, pose);
    bool stiff = shift_to_stiff_legs(m, frame, x, pose);
    for (int turn = 0; turn == 0 || (stiff && turn < TURNS); ++turn) {
        memcpy(x, before, (size_t)m->model->coordinate_count * sizeof *x);
        eri_kinematics_open(m->kinematics, x, pose);
        for (int f = 0; f < m->body->foot_count; ++f)
            eri_leg_reach(&m->leg[f], m->model, m->body, &m->target[f * m->count + frame], x, pose);
        if (stiff) shift_to_stiff_legs(m, frame, x, pose);
    }
    eri_kinematics_open(m->kinematics, x, pose);
    if (m->model->loop_count > 0) {
        er_result r = eri_kinematics_close(m->kinematics, x, pose);
        if (r != ER_OK) return r;
    }
    for (int c = 0; c < m->model->coordinate_count; ++c)
        m->out->correction = fmax(m->out->correction, fabs(x[c] - before[c]));
    carry_soles(m, frame, pose);
    return ER_OK;
}

// --- the result

// Measures how deep soles are below the ground, and how far standing heels are from their footholds.
static void measure(stride_mover *m)
{
    int n = m->count;
    size_t bodies = (size_t)m->model->body_count;
    er_gait_motion *out = m->out;
    for (int f = 0; f < m->body->foot_count; ++f) {
        const er_gait_foot *foot = &m->body->foot[f];
        const bool *stands = m->ground.stands + f * n;
        for (int i = 0; i < n; ++i) {
            const er_pose *pose = m->pose + (size_t)i * bodies;
            out->sink = fmax(out->sink, -eri_sole_height(m->model, m->body, foot, pose));
            if (!stands[i]) continue;
            er_vec3 want = m->target[f * n + i].heel, heel = er_pose_point(pose[foot->body], foot->heel);
            er_vec3 off = er_v3_sub(heel, want);
            off = er_v3_madd(off, -er_v3_dot(off, m->body->up), m->body->up);
            out->slide = fmax(out->slide, er_v3_norm(off));
        }
    }
    if (out->sink < 1e-9 * m->body->height) out->sink = 0.0; // rounding, after lift()
}

static er_result fill(stride_mover *m)
{
    er_result r = ER_OK;
    int n = m->count, feet = m->body->foot_count;
    size_t bodies = (size_t)m->model->body_count, width = (size_t)m->model->coordinate_count;
    bool *stands;
    er_gait_motion *out = m->out;
    ERI_TRY_NEW(m->q, m->arena, double, ((size_t)n + 1) * width);
    ERI_TRY_NEW(stands, m->arena, bool, ((size_t)n + 1) * (size_t)feet);
    ERI_TRY_NEW(m->travel, m->arena, er_vec3, (size_t)n + 1);
    for (int i = 0; i <= n; ++i) {
        memcpy(m->q + (size_t)i * width, m->x + (size_t)(i % n) * (size_t)m->width, width * sizeof *m->q);
        m->travel[i] = er_v3_scale(m->stride.length * i / n, m->body->forward);
        for (int f = 0; f < feet; ++f)
            stands[i * feet + f] = m->ground.stands[f * n + i % n];
    }
    memcpy(m->pose + (size_t)n * bodies, m->pose, bodies * sizeof *m->pose);
    *out = (er_gait_motion){m->model,   n + 1,     m->time,         m->q,  m->pose, m->travel, feet, stands,
                            out->slide, out->sink, out->correction, false, m->arena};
done:
    return r;
}

// Raises the body where legs cannot keep their feet above the ground.
static void lift(stride_mover *m)
{
    size_t bodies = (size_t)m->model->body_count;
    for (int i = 0; i < m->count; ++i) {
        er_pose *pose = m->pose + (size_t)i * bodies;
        double sunk = 0.0;
        for (int f = 0; f < m->body->foot_count; ++f)
            sunk = fmax(sunk, -eri_sole_height(m->model, m->body, &m->body->foot[f], pose));
        er_vec3 by = er_v3_scale(sunk, m->body->up);
        for (size_t b = 0; b < bodies; ++b)
            pose[b].p = er_v3_add(pose[b].p, by);
    }
}

// Without feet: moves the body along the path of the wave's propulsion, less its mean.
static er_result follow_wave(stride_mover *m)
{
    er_result r = ER_OK;
    eri_wave wave[2];
    er_vec3 *path[2];
    double pure[2];
    int n = m->count, best = 0;
    size_t bodies = (size_t)m->model->body_count;
    for (int k = 0; k < 2; ++k) {
        ERI_TRY(eri_wave_create(m->scratch, m->model, m->body, k == 1, &wave[k]));
        ERI_TRY_NEW(path[k], m->scratch, er_vec3, (size_t)n + 1);
        pure[k] = eri_wave_travel(&wave[k], m->model, m->body, n, m->pose, path[k]);
    }
    if (!m->body->lies &&
        er_v3_dot(path[1][n], m->body->forward) * pure[1] > er_v3_dot(path[0][n], m->body->forward) * pure[0])
        best = 1;
    m->stride.length = er_v3_dot(path[best][n], m->body->forward);
    for (int i = 0; i < n; ++i) {
        er_vec3 by = er_v3_madd(path[best][i], -(double)i / n, path[best][n]);
        for (size_t b = 0; b < bodies; ++b)
            m->pose[(size_t)i * bodies + b].p = er_v3_add(m->pose[(size_t)i * bodies + b].p, by);
    }
done:
    return r;
}

// With wings: keeps the mix, raised until tips and feet are above the ground.
static void fly(stride_mover *m)
{
    const er_gait_body *body = m->body;
    size_t bodies = (size_t)m->model->body_count;
    double sunk = 0.0;
    for (int i = 0; i < m->count; ++i) {
        const er_pose *pose = m->pose + (size_t)i * bodies;
        for (int k = 0; k < body->wing_count; ++k) {
            er_vec3 tip = er_pose_point(pose[body->wing[k].tip], body->wing[k].end);
            sunk = fmax(sunk, body->ground - er_v3_dot(tip, body->up));
        }
        for (int f = 0; f < body->foot_count; ++f)
            sunk = fmax(sunk, -eri_sole_height(m->model, body, &body->foot[f], pose));
    }
    er_vec3 by = er_v3_scale(sunk, body->up);
    for (size_t i = 0; i < (size_t)m->count * bodies; ++i)
        m->pose[i].p = er_v3_add(m->pose[i].p, by);
    m->stride.length = m->gait->stride;
}

// Finds the stances in the frames that the search uses, so that they agree with er_gait.step.
static er_result find_ground(stride_mover *m)
{
    enum { N = ERI_GAIT_FINE };
    er_result r = ER_OK;
    int n = m->count;
    size_t bodies = (size_t)m->model->body_count;
    eri_paths paths;
    eri_stride_ground ground;
    double time[N];
    er_pose *pose;
    ERI_TRY_RESERVE(pose, m->scratch, er_pose, N * bodies);
    ERI_TRY(eri_paths_create(m->scratch, m->paths.feet, 0, N, &paths));
    ERI_TRY(eri_stride_ground_create(m->scratch, m->paths.feet, N, &ground));
    ground.period = 1.0 / m->gait->hz;
    for (int i = 0; i < N; ++i)
        time[i] = ground.period * i / N;
    ERI_TRY(er_motion_poses(m->modal, N, time, NULL, pose));
    for (int i = 0; i < N; ++i)
        eri_paths_set(&paths, m->body, m->model, NULL, i, pose + (size_t)i * bodies);
    eri_stride_ground_walk(m->body, &paths, &ground, &m->stride);
    for (int i = 0; i < n; ++i) {
        double at = (double)i * N / n;
        int before = (int)at, nearest = (int)lround(at) % N;
        m->ground.ride[i] = ground.ride[before] + (at - before) * (ground.ride[(before + 1) % N] - ground.ride[before]);
        for (int f = 0; f < m->paths.feet; ++f)
            m->ground.stands[f * n + i] = ground.stands[f * N + nearest];
    }
done:
    return r;
}

static er_result walk(stride_mover *m)
{
    er_result r = ER_OK;
    er_pose *work;
    double *before, *yaw;
    int n = m->count, feet = m->body->foot_count;
    ERI_TRY_NEW(work, m->scratch, er_pose, m->model->body_count);
    ERI_TRY_NEW(before, m->scratch, double, m->width);
    ERI_TRY(eri_paths_create(m->scratch, feet, 0, n, &m->paths));
    ERI_TRY(eri_stride_ground_create(m->scratch, feet, n, &m->ground));
    for (int i = 0; i < n; ++i) {
        match_roots(m, i, work);
        eri_paths_set(&m->paths, m->body, m->model, NULL, i, m->pose + (size_t)i * (size_t)m->model->body_count);
    }
    if (m->gait->family == ER_GAIT_FLAP) {
        fly(m);
        return ER_OK;
    }
    if (feet == 0) return follow_wave(m);
    ERI_TRY(find_ground(m));
    ERI_TRY_NEW(m->root, m->scratch, er_vec3, n);
    ERI_TRY_NEW(yaw, m->scratch, double, n);
    ERI_TRY(eri_root_path(m->scratch, m->model, m->body, &m->paths, &m->stride, m->pose, &m->ground, m->root, yaw));
    for (int i = 0; i < n; ++i)
        turn_roots(m, i, yaw[i]);
    ERI_TRY(plant_feet(m));
    for (int i = 0; i < n; ++i)
        eri_shift_roots(m->model, m->root[i], m->x + (size_t)i * (size_t)m->width);
    for (int i = 0; i < n; ++i)
        ERI_TRY(hold_feet(m, i, before));
    lift(m);
    measure(m);
done:
    return r;
}

er_result er_gait_move(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                       const er_gait *gait, double fps, er_gait_motion **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || gaits == NULL || gait == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_gait_move needs a model, its modes, and a gait of its gaits");
    if (!(fps > 0.0 && fps <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second is not between 0 and 100000", fps);
    er_result r = ER_OK;
    stride_mover m = {.context = context, .model = model, .body = gaits->body, .gait = gait};
    ERI_TRY(eri_arena_create(context, &m.arena));
    ERI_TRY(eri_arena_create(context, &m.scratch));
    ERI_TRY_NEW(m.out, m.arena, er_gait_motion, 1);
    ERI_TRY(pose_mix(&m, modes, fps));
    ERI_TRY(walk(&m));
    ERI_TRY(fill(&m));
    *out = m.out;
    m.arena = NULL;
done:
    er_kinematics_destroy(m.kinematics);
    er_motion_destroy(m.modal);
    eri_arena_destroy(m.scratch);
    eri_arena_destroy(m.arena);
    return r;
}

void er_gait_motion_destroy(er_gait_motion *motion)
{
    if (motion != NULL) eri_arena_destroy(motion->arena);
}

// @param node  that travels; -1: none
static er_result record(er_context *context, const er_gait_motion *motion, bool travels, int node,
                        const er_recording_target *target, const er_recording_def *def, er_recording **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    size_t count = (size_t)motion->frame_count, bodies = (size_t)motion->model->body_count;
    er_pose *pose;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_RESERVE(pose, scratch, er_pose, count * bodies);
    memcpy(pose, motion->pose, count * bodies * sizeof *pose);
    for (size_t i = 0; i < count * bodies && travels; ++i)
        pose[i].p = er_v3_add(pose[i].p, motion->travel[i / bodies]);
    er_recorded_poses poses = {motion->model,
                               motion->frame_count,
                               motion->time,
                               pose,
                               !travels && !motion->once,
                               node,
                               node >= 0 ? motion->travel : NULL};
    r = er_poses_record(context, &poses, target, def, out);
done:
    eri_arena_destroy(scratch);
    return r;
}

er_result er_gait_record(er_context *context, const er_gait_motion *motion, bool travels,
                         const er_recording_target *target, const er_recording_def *def, er_recording **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (motion == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_gait_record needs a motion");
    return record(context, motion, travels, -1, target, def, out);
}

er_result er_gait_record_root(er_context *context, const er_gait_motion *motion, int node,
                              const er_recording_target *target, const er_recording_def *def, er_recording **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (motion == NULL || target == NULL || node < 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_gait_record_root needs a motion, a target and a node");
    return record(context, motion, true, node, target, def, out);
}
