// The gait in time: orientations of joints, of the trunk and of feet, and their rates.
#include "gait/control/walker.h"

static const er_pose *frame_pose(const er_gait_motion *motion, int count, int frame, int body)
{
    int k = (frame % count + count) % count;
    return &motion->pose[(size_t)k * (size_t)motion->model->body_count + (size_t)body];
}

static er_quat against_parent(const er_walker *w, const er_gait_motion *motion, int frame, int body)
{
    er_quat own = frame_pose(motion, w->frame_count, frame, body)->q;
    int parent = w->body[body].parent;
    if (parent < 0) return own;
    return er_q_mul(er_q_conj(frame_pose(motion, w->frame_count, frame, parent)->q), own);
}

// A rotation with its rate by the frames beside it.
static eri_walk_pose with_rate(er_quat before, er_quat now, er_quat after, int frame_count)
{
    return (eri_walk_pose){now, er_v3_scale(0.5 * frame_count, er_q_log(er_q_mul(after, er_q_conj(before))))};
}

static er_quat styled(const er_walker *w, const er_gait_motion *motion, int frame)
{
    return er_q_slerp(w->model->body[w->trunk].pose.q, frame_pose(motion, w->frame_count, frame, w->trunk)->q,
                      w->def.style);
}

er_result eri_walk_read_gait(er_walker *w, const er_gait_motion *motion)
{
    er_result r = ER_OK;
    int n = w->model->body_count, count = w->frame_count;
    size_t all = (size_t)n * (size_t)count;
    ERI_TRY_NEW(w->joint, w->arena, eri_walk_pose, all);
    ERI_TRY_NEW(w->whole, w->arena, eri_walk_pose, all);
    ERI_TRY_NEW(w->gait_pose, w->arena, er_pose, all);
    for (int k = 0; k < count; ++k) {
        size_t row = (size_t)k * (size_t)n;
        for (int i = 0; i < w->body_count; ++i) {
            int b = w->order[i];
            w->gait_pose[row + (size_t)b] = *frame_pose(motion, count, k, b);
            w->joint[row + (size_t)b] = with_rate(against_parent(w, motion, k - 1, b), against_parent(w, motion, k, b),
                                                  against_parent(w, motion, k + 1, b), count);
            w->whole[row + (size_t)b].turn = frame_pose(motion, count, k, b)->q;
        }
        w->whole[row + (size_t)w->trunk] =
            with_rate(styled(w, motion, k - 1), styled(w, motion, k), styled(w, motion, k + 1), count);
    }
done:
    return r;
}

// The frame before a phase, the one after, and the part of the way.
static int between(const er_walker *w, double phase, int *next, double *part)
{
    double at = eri_fraction(phase) * w->frame_count;
    int k = (int)at % w->frame_count;
    *part = at - floor(at);
    *next = (k + 1) % w->frame_count;
    return k;
}

static er_quat halfway(er_quat a, er_quat b, double part)
{
    double sign = er_q_dot(a, b) < 0.0 ? -part : part, keep = 1.0 - part;
    return er_q_unit(
        er_q(keep * a.w + sign * b.w, keep * a.x + sign * b.x, keep * a.y + sign * b.y, keep * a.z + sign * b.z));
}

static eri_walk_pose pose_between(const er_walker *w, const eri_walk_pose *table, double phase, int body)
{
    int next;
    double part;
    size_t n = (size_t)w->model->body_count;
    const eri_walk_pose *a = &table[(size_t)between(w, phase, &next, &part) * n + (size_t)body];
    const eri_walk_pose *b = &table[(size_t)next * n + (size_t)body];
    return (eri_walk_pose){halfway(a->turn, b->turn, part),
                           er_v3_madd(er_v3_scale(1.0 - part, a->rate), part, b->rate)};
}

eri_walk_pose eri_walk_joint_at(const er_walker *w, double phase, int body)
{
    return pose_between(w, w->joint, phase, body);
}

eri_walk_pose eri_walk_whole_at(const er_walker *w, double phase, int body)
{
    return pose_between(w, w->whole, phase, body);
}

er_pose eri_walk_pose_at(const er_walker *w, double phase, int body)
{
    int next;
    double part;
    size_t n = (size_t)w->model->body_count;
    er_pose a = w->gait_pose[(size_t)between(w, phase, &next, &part) * n + (size_t)body];
    er_pose b = w->gait_pose[(size_t)next * n + (size_t)body];
    return (er_pose){er_q_slerp(a.q, b.q, part), er_v3_madd(er_v3_scale(1.0 - part, a.p), part, b.p)};
}
