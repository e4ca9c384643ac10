// Rotates bodies in the equilibrium pose, and reads and writes pose files.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/session/session_inside.h"

// The local transforms of the equilibrium. Those of the bind pose are found from the world transforms if possible.
static er_result present_pose(const session *s, er_affine *local)
{
    const er_scene *scene = s->file.scene;
    const session_setup *setup = &s->now.setup;
    const er_affine *world = s->in.untuned->rig->world;
    const er_clip *clip = NULL;
    er_result r = ER_OK;
    if (setup->pose == ER_POSE_CLIP) r = er_scene_find_clip(s->context, scene, setup->clip, &clip);
    er_scene_sample(scene, clip, setup->clip_time, local);
    if (setup->pose == ER_POSE_GIVEN) memcpy(local, s->now.pose->local, (size_t)scene->node_count * sizeof *local);
    for (int i = 0; setup->pose == ER_POSE_BIND && i < scene->node_count; ++i) {
        int up = scene->node[i].parent;
        er_affine own = up >= 0 ? er_affine_mul(er_affine_inverse(world[up]), world[i]) : world[i];
        if (isfinite(er_m3_det(own.linear)) && er_v3_finite(own.translation)) local[i] = own;
    }
    return r;
}

// Whether a body is another one, or a descendant of it.
static bool hangs_on(const er_model *model, int body, int on)
{
    while (body >= 0 && body != on)
        body = model->tree_parent[body];
    return body >= 0;
}

// Changes the nodes that turn below a node that does not, or the reverse. Their descendants follow.
static er_result turn_nodes(const session *s, int body, er_vec3 rotation, er_affine *local)
{
    const untuned *f = s->in.untuned;
    const er_scene *scene = s->file.scene;
    er_vec3 about = f->rig->world[f->rig->body_node[body]].translation;
    er_affine turn = er_affine_from_pose((er_pose){er_q_exp(rotation), er_v3(0, 0, 0)});
    turn.translation = er_v3_sub(about, er_m3_mul_v(turn.linear, about));
    for (int i = 0; i < scene->node_count; ++i) {
        int up = scene->node[i].parent;
        bool turns = hangs_on(f->model, f->rig->node_body[i], body);
        bool carried = up >= 0 && hangs_on(f->model, f->rig->node_body[up], body);
        if (turns == carried) continue;
        er_affine above = up >= 0 ? f->rig->world[up] : er_affine_identity();
        if (carried) above = er_affine_mul(turn, above);
        er_affine world = turns ? er_affine_mul(turn, f->rig->world[i]) : f->rig->world[i];
        if (!(fabs(er_m3_det(above.linear)) > 0.0))
            return er_fail(s->context, ER_ERROR_ARGUMENT, "\"%s\" cannot be turned: its parent has a scale of 0",
                           scene->node[i].name);
        local[i] = er_affine_mul(er_affine_inverse(above), world);
    }
    return ER_OK;
}

static er_result give_pose(session *s, const er_affine *local, bool end)
{
    step next = s->now;
    next.setup.pose = ER_POSE_GIVEN;
    next.pose = session_pose_new(local, s->file.scene->node_count);
    er_result r = next.pose != NULL ? session_change(s, &next, end) : eri_no_memory(s->context);
    session_pose_drop(next.pose);
    return r;
}

er_result session_rotate(session *s, int body, er_vec3 rotation, bool end)
{
    if (!session_is_open(s) || s->file.scene == NULL)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "joints of a rig file cannot be turned; open a model");
    if (body < 0 || body >= s->in.untuned->model->body_count || !er_v3_finite(rotation))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "body %d cannot be turned by (%g %g %g)", body, rotation.x,
                       rotation.y, rotation.z);
    er_affine *local = malloc((size_t)s->file.scene->node_count * sizeof *local);
    if (local == NULL) return eri_no_memory(s->context);
    er_result r = present_pose(s, local);
    if (r == ER_OK) r = turn_nodes(s, body, rotation, local);
    if (r == ER_OK) r = give_pose(s, local, end);
    free(local);
    return r;
}

er_result session_load_pose(session *s, const char *path)
{
    if (!session_is_open(s) || s->file.scene == NULL)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "only a model has a pose to save: open one, not a rig file");
    er_affine *local = malloc((size_t)s->file.scene->node_count * sizeof *local);
    if (local == NULL) return eri_no_memory(s->context);
    er_result r = er_pose_file_read(s->context, path, s->file.scene, local);
    if (r == ER_OK) r = give_pose(s, local, true);
    free(local);
    return r;
}

er_result session_save_pose(session *s, const char *path)
{
    if (!session_is_open(s) || s->file.scene == NULL)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "only a model has a pose to save: open one");
    er_affine *local = malloc((size_t)s->file.scene->node_count * sizeof *local);
    if (local == NULL) return eri_no_memory(s->context);
    er_result r = present_pose(s, local);
    if (r == ER_OK) r = er_pose_file_write(s->context, s->file.scene, local, path);
    free(local);
    return r;
}
