// Which instances of a scene bodies move, and the poses of bodies from those of nodes.
#include <eigenrig/motion.h>

#include "base/arena.h"
#include "math/polar.h"

bool er_recording_moves(const er_recording_target *target, int instance)
{
    const er_instance *i = &target->scene->instance[instance];
    if (i->skin < 0 || target->scene->mesh[i->mesh].influence_start == NULL) return target->node_body[i->node] >= 0;
    const er_skin *skin = &target->scene->skin[i->skin];
    bool any = false;
    for (int k = 0; k < skin->joint_count; ++k)
        any |= target->node_body[skin->joint[k]] >= 0;
    return any;
}

er_result er_poses_of_nodes(er_context *context, const er_model *model, const er_recording_target *target,
                            const int *body_node, const er_affine *local, er_pose *pose)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || target == NULL || body_node == NULL || local == NULL || pose == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_poses_of_nodes needs a model, its nodes and where they stand");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_affine *world;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(world, arena, er_affine, target->scene->node_count);
    er_scene_world(target->scene, local, world);
    for (int b = 0; b < model->body_count; ++b) {
        const er_affine *now = &world[body_node[b]], *rest = &target->world[body_node[b]];
        er_mat3 moved = er_m3_mul(now->linear, er_m3_inverse(rest->linear));
        er_quat turn = eri_polar_rotation(moved, er_q_identity(), NULL);
        // the body's frame keeps its place on the node
        er_vec3 at = er_v3_scale(1.0 / target->metres_per_unit, model->body[b].pose.p);
        er_vec3 off = er_m3_mul_v(moved, er_v3_sub(at, rest->translation));
        pose[b].q = er_q_unit(er_q_mul(turn, model->body[b].pose.q));
        pose[b].p = er_v3_scale(target->metres_per_unit, er_v3_add(now->translation, off));
    }
done:
    eri_arena_destroy(arena);
    return r;
}
