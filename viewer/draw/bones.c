// Bones of a drawn model, in their bodies' frames.
#include <eigenrig/rig.h>

#include "viewer/draw/model.h"

er_result bones_build(er_context *context, draw_model *m)
{
    const er_model *model = m->model;
    er_bones *bones;
    er_result r = er_bones_create(context, model, &bones);
    for (int b = 0; r == ER_OK && b < model->body_count; ++b) {
        m->head[b] = er_pose_point_inverse(model->body[b].pose, bones->head[b]);
        m->tip[b] = er_pose_point_inverse(model->body[b].pose, bones->tip[b]);
    }
    er_bones_destroy(bones);
    return r;
}

void draw_bones(const draw_model *m, const er_pose *pose, er_vec3 *head, er_vec3 *tip)
{
    for (int b = 0; b < m->model->body_count; ++b) {
        er_pose frame = model_frame(m, pose, b);
        if (head != NULL) head[b] = er_pose_point(frame, m->head[b]);
        if (tip != NULL) tip[b] = er_pose_point(frame, m->tip[b]);
    }
}
