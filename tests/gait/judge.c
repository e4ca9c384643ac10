// Motions of gaits judged from their poses alone.
#include "judge.h"

#include "support/context.h"

static er_vec3 corner(const er_model *model, const er_gait_foot *foot, int k, const er_pose *pose)
{
    int b = foot->point_body[k];
    return er_pose_point(pose[b], er_pose_point_inverse(model->body[b].pose, foot->point[k]));
}

static int lowest(const er_model *model, const er_gait_body *body, const er_gait_foot *foot, const er_pose *pose,
                  double *height)
{
    int best = 0;
    *height = HUGE_VAL;
    for (int k = 0; k < foot->point_count; ++k) {
        double h = er_v3_dot(corner(model, foot, k, pose), body->up) - body->ground;
        if (h < *height) *height = h, best = k;
    }
    return best;
}

void expect_held_feet(const er_model *model, const er_gait_body *body, const er_gait *gait, const er_gait_motion *m)
{
    size_t n = (size_t)model->body_count;
    for (int k = 0; k < body->foot_count; ++k) {
        const er_gait_foot *foot = &body->foot[k];
        double slid = 0.0;
        for (int i = 0; i + 1 < m->frame_count; ++i) {
            const er_pose *now = m->pose + (size_t)i * n, *next = now + n;
            double height;
            int at = lowest(model, body, foot, now, &height);
            assert_true(height > -0.005 * body->height);
            if (m->stands[i * m->foot_count + k]) assert_true(height < 0.005 * body->height);
            if (!m->stands[i * m->foot_count + k] || !m->stands[(i + 1) * m->foot_count + k]) continue;
            er_vec3 step = er_v3_sub(er_v3_add(corner(model, foot, at, next), m->travel[i + 1]),
                                     er_v3_add(corner(model, foot, at, now), m->travel[i]));
            step = er_v3_madd(step, -er_v3_dot(step, body->up), body->up);
            slid += er_v3_norm(step);
        }
        if (slid > 0.01 * gait->stride)
            fail_msg("%s: foot %s slides by %g of %g m", gait->name, foot->name, slid, gait->stride);
    }
}

void expect_a_closed_loop(const er_model *model, const er_gait_motion *m)
{
    size_t n = (size_t)model->body_count;
    int last = m->frame_count - 1;
    assert_memory_equal(m->pose, m->pose + (size_t)last * n, n * sizeof *m->pose);
    double seam = 0.0, rest = 0.0; // the largest changes of velocity, at the seam and elsewhere
    for (int i = 0; i < last; ++i)
        for (size_t b = 0; b < n; ++b) {
            er_vec3 before = m->pose[(size_t)((i + last - 1) % last) * n + b].p, now = m->pose[(size_t)i * n + b].p,
                    next = m->pose[(size_t)(i + 1) * n + b].p;
            double jump = er_v3_norm(er_v3_add(er_v3_madd(before, -2.0, now), next));
            *(i == 0 ? &seam : &rest) = fmax(i == 0 ? seam : rest, jump);
        }
    assert_true(seam <= 2.0 * rest); // a foot may land there as anywhere
    assert_true(er_v3_norm(m->travel[0]) == 0.0);
}

void expect_travel(const er_model *model, const er_gait_body *body, const er_gait *gait, const er_gait_motion *m)
{
    er_vec3 way = m->travel[m->frame_count - 1];
    double ahead = er_v3_dot(way, body->forward);
    assert_true(fabs(ahead - gait->stride) < 0.1 * gait->stride);
    assert_true(fabs(er_v3_norm(way) - ahead) < 1e-9);
    assert_true(fabs(m->time[m->frame_count - 1] * gait->hz - 1.0) < 1e-9);
    assert_true(fabs(gait->speed - gait->stride * gait->hz) < 1e-9);
    assert_true(er_pose_joint_gap(model, m->pose) < 1e-9);
}
