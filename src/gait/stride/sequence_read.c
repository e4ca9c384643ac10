// Poses as rows of a sequence's source.
#include "gait/stride/sequence.h"

void eri_sequence_read(eri_sequence *s, const er_pose *pose, eri_sequence_source *g, int row)
{
    const er_model *model = s->model;
    double *x = g->x + (size_t)row * (size_t)s->width;
    er_twist *apart = g->apart + (size_t)row * (size_t)model->body_count;
    eri_pose_coordinates(model, pose, s->open, x);
    eri_kinematics_open(s->kinematics, x, s->open);
    for (int b = 0; b < model->body_count; ++b) {
        er_pose off = er_pose_mul(er_pose_inverse(s->open[b]), pose[b]);
        apart[b] = (er_twist){er_q_log(off.q), off.p};
        s->is_apart |= er_v3_norm(apart[b].angular) > 1e-9 || er_v3_norm(off.p) > 1e-9 * model->size;
    }
    for (int f = 0; f < s->body->foot_count; ++f) {
        const er_gait_foot *foot = &s->body->foot[f];
        er_vec3 heel = er_pose_point(pose[foot->body], foot->heel);
        const eri_target here = {.heel = heel}; // without an ankle its height is that of the sole's lowest corner
        g->heel[f * g->rows + row] = er_v3_sub(heel, eri_leg_position_error(&s->leg[f], model, s->body, &here, pose));
        g->sole[f * g->rows + row] = pose[foot->sole].q;
    }
}
