// Heads and ends of bones, for pictures of skeletons and bone shapes.
#include <eigenrig/rig.h>

#include <string.h>

#include "base/arena.h"

typedef struct ends {
    const er_model *model;
    double near; // m: points this near to a bone's head give it no direction
    er_vec3 *head;
    int *count;   // [body_count], ends found of each
    int *start;   // [body_count + 1]
    er_vec3 *end; // NULL while ends are counted
} ends;

static er_vec3 head_of(const er_model *model, int body)
{
    int joint = model->tree_joint[body];
    return joint >= 0 ? model->joint[joint].frame.p : model->body[body].pose.p;
}

// Without children: through the centre of mass to its far side, or on in the parent's direction.
static er_vec3 leaf_end(const er_model *model, int body, er_vec3 head)
{
    er_vec3 com = er_pose_point(model->body[body].pose, model->body[body].com);
    if (er_v3_distance(com, head) > 0.01 * model->size) return er_v3_madd(head, 2.0, er_v3_sub(com, head));
    int parent = model->tree_parent[body];
    er_vec3 along = parent >= 0 ? er_v3_sub(head, head_of(model, parent)) : er_v3(0, 0, 0);
    double length = fmin(fmax(0.3 * er_v3_norm(along), 0.01 * model->size), 0.1 * model->size);
    return er_v3_madd(head, length, er_v3_unit(along, er_q_rotate(model->body[body].pose.q, er_v3(0, 1, 0))));
}

static void add_end(ends *e, int body, int joint)
{
    er_vec3 at = e->model->joint[joint].frame.p;
    if (body < 0 || er_v3_distance(at, e->head[body]) <= e->near) return;
    if (e->end != NULL) e->end[e->start[body] + e->count[body]] = at;
    ++e->count[body];
}

// Joints of the tree first. Those that close loops count only for a bone without other joints.
static void find_ends(ends *e, bool *by_tree)
{
    const er_model *model = e->model;
    memset(e->count, 0, (size_t)model->body_count * sizeof *e->count);
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (!j->closes_loop) add_end(e, model->tree_joint[j->child] == k ? j->parent : j->child, k);
    }
    for (int b = 0; b < model->body_count; ++b)
        by_tree[b] = e->count[b] > 0;
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (j->closes_loop && j->parent >= 0 && !by_tree[j->parent]) add_end(e, j->parent, k);
        if (j->closes_loop && !by_tree[j->child]) add_end(e, j->child, k);
    }
}

// The mean of a bone's ends; if that is at its head, as if it had none.
static er_vec3 middle_of(const ends *e, int body)
{
    er_vec3 sum = er_v3(0, 0, 0);
    for (int i = e->start[body]; i < e->start[body + 1]; ++i)
        sum = er_v3_add(sum, e->end[i]);
    er_vec3 middle = er_v3_scale(1.0 / (e->start[body + 1] - e->start[body]), sum);
    return er_v3_distance(middle, e->head[body]) > e->near ? middle : leaf_end(e->model, body, e->head[body]);
}

er_result er_bones_create(er_context *context, const er_model *model, er_bones **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_bones_create needs a model");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_bones *bones;
    er_vec3 *tip, *end;
    bool *by_tree;
    int n = model->body_count;
    ends e = {.model = model, .near = 1e-3 * model->size};
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(bones, arena, er_bones, 1);
    ERI_TRY_NEW(e.head, arena, er_vec3, n);
    ERI_TRY_NEW(e.start, arena, int, n + 1);
    ERI_TRY_NEW(e.count, arena, int, n);
    ERI_TRY_NEW(by_tree, arena, bool, n);
    ERI_TRY_NEW(tip, arena, er_vec3, n);
    for (int b = 0; b < n; ++b)
        e.head[b] = head_of(model, b);
    find_ends(&e, by_tree);
    for (int b = 0; b < n; ++b)
        e.start[b + 1] = e.start[b] + (e.count[b] > 0 ? e.count[b] : 1);
    ERI_TRY_NEW(end, arena, er_vec3, e.start[n]);
    e.end = end;
    find_ends(&e, by_tree);
    for (int b = 0; b < n; ++b)
        if (e.count[b] == 0) e.end[e.start[b]] = leaf_end(model, b, e.head[b]);
    for (int b = 0; b < n; ++b)
        tip[b] = middle_of(&e, b);
    *bones = (er_bones){.head = e.head, .tip = tip, .start = e.start, .end = e.end, .arena = arena};
    *out = bones;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_bones_destroy(er_bones *bones)
{
    if (bones != NULL) eri_arena_destroy(bones->arena);
}
