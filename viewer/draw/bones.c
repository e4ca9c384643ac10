// Where bones begin and end.
#include <stdlib.h>

#include "viewer/draw/model.h"

// Sums of places where other bodies are joined to a body, world, at equilibrium.
typedef struct ends {
    er_vec3 sum;
    int count;
} ends;

static void add_end(ends *e, er_vec3 at, er_vec3 head, double near)
{
    if (er_v3_distance(at, head) <= near) return;
    e->sum = er_v3_add(e->sum, at);
    ++e->count;
}

// A body's bone begins at the joint that holds it.
static er_vec3 head_of(const er_model *model, int body)
{
    int joint = model->tree_joint[body];
    return joint >= 0 ? model->joint[joint].frame.p : model->body[body].pose.p;
}

// Where nothing is joined: through the mass to its far side, or on in the parent's direction.
static er_vec3 leaf_tip(const er_model *model, int body, er_vec3 head)
{
    er_vec3 com = er_pose_point(model->body[body].pose, model->body[body].com);
    if (er_v3_distance(com, head) > 0.01 * model->size) return er_v3_madd(head, 2.0, er_v3_sub(com, head));
    int parent = model->tree_parent[body];
    er_vec3 along = parent >= 0 ? er_v3_sub(head, head_of(model, parent)) : er_v3(0, 0, 0);
    double length = fmin(fmax(0.3 * er_v3_norm(along), 0.01 * model->size), 0.1 * model->size);
    return er_v3_madd(head, length, er_v3_unit(along, er_q_rotate(model->body[body].pose.q, er_v3(0, 1, 0))));
}

er_result bones_build(er_context *context, draw_model *m)
{
    const er_model *model = m->model;
    double near = 1e-3 * model->size;
    ends *end = calloc((size_t)model->body_count, sizeof *end);
    if (end == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory for %d bones", model->body_count);
    for (int k = 0; k < model->joint_count; ++k) { // loops only where no other joint says where a bone leads
        const er_joint *j = &model->joint[k];
        if (j->closes_loop) continue;
        int other = model->tree_joint[j->child] == k ? j->parent : j->child;
        if (other >= 0) add_end(&end[other], j->frame.p, head_of(model, other), near);
    }
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (!j->closes_loop) continue;
        if (j->parent >= 0 && end[j->parent].count == 0)
            add_end(&end[j->parent], j->frame.p, head_of(model, j->parent), near);
        if (end[j->child].count == 0) add_end(&end[j->child], j->frame.p, head_of(model, j->child), near);
    }
    for (int b = 0; b < model->body_count; ++b) {
        er_vec3 head = head_of(model, b), tip = er_v3_scale(1.0 / fmax(end[b].count, 1), end[b].sum);
        if (end[b].count == 0 || er_v3_distance(tip, head) <= near) tip = leaf_tip(model, b, head);
        m->head[b] = er_pose_point_inverse(model->body[b].pose, head);
        m->tip[b] = er_pose_point_inverse(model->body[b].pose, tip);
    }
    free(end);
    return ER_OK;
}

void draw_bones(const draw_model *m, const er_pose *pose, er_vec3 *head, er_vec3 *tip)
{
    for (int b = 0; b < m->model->body_count; ++b) {
        er_pose frame = model_frame(m, pose, b);
        if (head != NULL) head[b] = er_pose_point(frame, m->head[b]);
        if (tip != NULL) tip[b] = er_pose_point(frame, m->tip[b]);
    }
}
