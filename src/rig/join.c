// Joints between bodies: which type, where, and about which axes.
#include <string.h>

#include "rig/build.h"

// A unit vector in the world at equilibrium, from a bone's head to its children, its end site or its centre of mass.
static er_vec3 bone_direction(const builder *b, int node)
{
    const er_scene *s = b->scene;
    er_vec3 head = b->pose[node].p, sum = er_v3(0, 0, 0);
    double tiny = 1e-6 * b->rig->extent;
    for (int i = 0; i < s->node_count; ++i)
        if (b->bone[i] ? b->parent[i] == node : (s->node[i].flags & ER_NODE_END_SITE) && b->owner[i] == node)
            sum = er_v3_add(sum, er_v3_sub(er_v3_scale(b->unit, b->world[i].translation), head));
    if (er_v3_norm(sum) > tiny) return er_v3_unit(sum, er_v3(0, 1, 0));
    // a bone without children points to its centre of mass, measured at rest
    if (b->mass[node].mass > 0.0) {
        er_vec3 centre =
            er_pose_point_inverse(b->rest_pose[node], er_v3_scale(1.0 / b->mass[node].mass, b->mass[node].moment));
        if (er_v3_norm(centre) > tiny) return er_q_rotate(b->pose[node].q, er_v3_unit(centre, er_v3(0, 1, 0)));
    }
    if (b->parent[node] >= 0) {
        er_vec3 along = er_v3_sub(head, b->pose[b->parent[node]].p);
        if (er_v3_norm(along) > tiny) return er_v3_unit(along, er_v3(0, 1, 0));
    }
    return er_q_rotate(b->pose[node].q, er_v3(0, 1, 0));
}

static er_quat frame_of_axes(er_vec3 x, er_vec3 z)
{
    er_vec3 y = er_v3_cross(z, x);
    er_mat3 m = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return er_q_from_m3(m);
}

// About the normal of parent and child bone; where they are in line, about the body axis most perpendicular to them.
static er_quat hinge_frame(const builder *b, int node, int parent)
{
    er_vec3 along = bone_direction(b, node), from = er_v3_sub(b->pose[node].p, b->pose[parent].p);
    from = er_v3_unit(from, bone_direction(b, parent));
    er_vec3 across = er_v3_cross(from, along);
    if (er_v3_norm(across) < 0.05) { // within three degrees of a line the product is mostly noise
        er_mat3 axes = er_m3_from_q(b->pose[node].q);
        int best = 0;
        for (int k = 1; k < 3; ++k)
            if (fabs(er_v3_dot(er_m3_column(axes, k), along)) < fabs(er_v3_dot(er_m3_column(axes, best), along)) - 1e-9)
                best = k;
        er_vec3 axis = er_m3_column(axes, best);
        across = er_v3_madd(axis, -er_v3_dot(axis, along), along);
    }
    return frame_of_axes(along, er_v3_unit(across, er_v3_perpendicular(along)));
}

static er_vec3 channel_axis(uint8_t channel)
{
    return er_v3(channel == ER_BVH_X_ROTATION, channel == ER_BVH_Y_ROTATION, channel == ER_BVH_Z_ROTATION);
}

// A BVH joint turns by its channels in their order: the first axis stands in the parent, the last in the child.
static void join_by_channels(const builder *b, int node, er_joint *j)
{
    const er_node *n = &b->scene->node[node];
    int count = 0, up = b->scene->node[node].parent;
    uint8_t rotation[6] = {0};
    for (int c = 0; c < n->channel_count; ++c)
        if (n->channels[c] >= ER_BVH_X_ROTATION) rotation[count++] = n->channels[c];
    er_quat above = up >= 0 && b->bone[up] ? b->pose[up].q : er_q_identity();
    er_vec3 first = er_q_rotate(above, channel_axis(rotation[0]));
    if (count == 1) {
        j->type = ER_JOINT_REVOLUTE;
        j->frame.q = frame_of_axes(er_v3_perpendicular(first), first);
    } else if (count == 2 && rotation[0] != rotation[1]) {
        er_vec3 second = er_q_rotate(b->pose[node].q, channel_axis(rotation[1]));
        j->type = ER_JOINT_UNIVERSAL;
        j->frame.q = frame_of_axes(first, er_v3_unit(er_v3_cross(first, second), er_v3_perpendicular(first)));
    }
}

er_result eri_rig_join(builder *b, const int *body_index, er_joint *joint, int *count)
{
    const er_scene *s = b->scene;
    *count = 0;
    for (int i = 0; i < s->node_count; ++i) {
        if (b->body[i] != i) continue;
        int up = b->parent[i];
        while (up >= 0 && b->body[up] == i)
            up = b->parent[up];
        if (up < 0) continue;
        er_joint *j = &joint[(*count)++];
        *j = (er_joint){.name = b->name[i],
                        .parent = body_index[b->body[up]],
                        .child = body_index[i],
                        .type = ER_JOINT_SPHERICAL,
                        .frame = b->pose[i],
                        .swing = HUGE_VAL,
                        .twist = {-HUGE_VAL, HUGE_VAL}};
        for (int c = 0; c < 6; ++c) {
            j->limit[c][0] = -HUGE_VAL;
            j->limit[c][1] = HUGE_VAL;
        }
        if (b->def.joints == ER_JOINTS_REVOLUTE) {
            j->type = ER_JOINT_REVOLUTE;
            j->frame.q = hinge_frame(b, i, up);
        } else if (b->def.joints == ER_JOINTS_AUTO && s->format == ER_FORMAT_BVH) {
            join_by_channels(b, i, j);
        }
    }
    return ER_OK;
}
