// Joints that close loops between named bodies.
#include <string.h>

#include "rig/change.h"

er_loop_joint er_default_loop_joint(void)
{
    er_loop_joint joint = {.type = ER_JOINT_REVOLUTE, .tag = ER_DEF_TAG};
    return joint;
}

static const char *body_name(const er_model *model, int index)
{
    return model->body[index].name;
}

static er_result body_of_name(er_context *context, const er_model *model, const char *name, int *out)
{
    int found = 0;
    *out = -1;
    for (int b = 0; b < model->body_count; ++b)
        if (strcmp(model->body[b].name, name) == 0 && ++found == 1) *out = b;
    if (found == 1) return ER_OK;
    if (found == 0) return eri_names_fail(context, model, "body", name, model->body_count, body_name);
    return er_fail(context, ER_ERROR_ARGUMENT, "several bodies of the rig are called \"%s\"", name);
}

static er_result check_loop(er_context *context, const er_loop_joint *l)
{
    if (l->tag != ER_DEF_TAG || l->child == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a joint that closes a loop was not made by er_default_loop_joint(), or has no child");
    if ((unsigned)l->type >= ER_JOINT_TYPE_COUNT || l->type == ER_JOINT_FREE)
        return er_fail(context, ER_ERROR_ARGUMENT, "the loop joint at \"%s\" cannot be of type %d", l->child,
                       (int)l->type);
    if (!er_v3_finite(l->at) || !er_v3_finite(l->axis) || !(l->stiffness >= 0.0) || !isfinite(l->stiffness))
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "the loop joint at \"%s\": point and axis must be finite, and the stiffness a number of 0 or more",
            l->child);
    return ER_OK;
}

static er_result make_loop(er_arena *arena, const er_model *model, const er_loop_joint *l, er_joint *out)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(arena);
    int at = -1;
    ERI_TRY(check_loop(context, l));
    *out = (er_joint){.name = l->name,
                      .parent = -1,
                      .type = l->type,
                      .closes_loop = true,
                      .pitch = l->pitch,
                      .swing = HUGE_VAL,
                      .twist = {-HUGE_VAL, HUGE_VAL}};
    ERI_TRY(body_of_name(context, model, l->child, &out->child));
    if (l->parent != NULL) ERI_TRY(body_of_name(context, model, l->parent, &out->parent));
    if (l->at_body != NULL) ERI_TRY(body_of_name(context, model, l->at_body, &at));
    if (l->name == NULL)
        out->name = eri_arena_printf(arena, "%s to %s", l->child, l->parent != NULL ? l->parent : "the world");
    if (out->name == NULL) return ER_ERROR_MEMORY;
    out->frame = (er_pose){er_q_identity(), at >= 0 ? model->body[at].pose.p : l->at};
    if (er_v3_norm(l->axis) > 0.0) eri_joint_turn(out, l->axis);
    int free = er_joint_type_freedom(l->type, NULL);
    for (int c = 0; c < 6; ++c) {
        out->stiffness[c] = c < free ? l->stiffness : 0.0;
        out->limit[c][0] = -HUGE_VAL;
        out->limit[c][1] = HUGE_VAL;
    }
done:
    return r;
}

static bool has_body(const er_model *model, const char *name)
{
    int b = 0;
    while (b < model->body_count && strcmp(model->body[b].name, name) != 0)
        ++b;
    return b < model->body_count;
}

static bool is_left_out(const er_model *model, const er_loop_joint *l)
{
    const char *const name[] = {l->child, l->parent, l->at_body};
    for (int i = 0; l->optional && i < 3; ++i)
        if (name[i] != NULL && !has_body(model, name[i])) return true;
    return false;
}

er_result eri_loops_make(er_arena *arena, const er_model *model, const er_rig_change *change, er_joint *joint,
                         int *count)
{
    er_result r = ER_OK;
    *count = 0;
    for (int i = 0; i < change->loop_count; ++i)
        if (!is_left_out(model, &change->loop[i]))
            ERI_TRY(make_loop(arena, model, &change->loop[i], &joint[(*count)++]));
done:
    return r;
}
