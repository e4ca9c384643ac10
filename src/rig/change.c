// Changes to a finished model: all of them copy it, so that a model never changes under its readers.
#include <eigenrig/rig.h>

#include <string.h>

#include "base/arena.h"

er_rig_change er_default_rig_change(void)
{
    er_rig_change change = {
        .damping_ratio = -1.0, .rayleigh_mass = -1.0, .rayleigh_stiffness = -1.0, .tag = ER_DEF_TAG};
    return change;
}

// A tree that floats has a root without a joint, or with a free one that nothing holds.
static int floating_root(const er_model *model, int body)
{
    int t = model->tree_joint[body];
    return t < 0 ? 1 : model->joint[t].type == ER_JOINT_FREE && model->joint[t].parent < 0;
}

static er_result hold_roots(er_arena *scratch, const er_model *model, er_model_def *def, er_joint *joint)
{
    for (int b = 0; b < model->body_count; ++b) {
        if (!floating_root(model, b)) continue;
        int at = model->tree_joint[b] >= 0 ? model->tree_joint[b] : def->joint_count++;
        const char *name = er_arena_printf(scratch, "%s to the world", model->body[b].name);
        if (name == NULL) return ER_ERROR_MEMORY;
        joint[at] =
            (er_joint){.name = name, .parent = -1, .child = b, .type = ER_JOINT_FIXED, .frame = model->body[b].pose};
    }
    return ER_OK;
}

static double chosen(double change, double stays)
{
    return change >= 0.0 ? change : stays;
}

er_result er_rig_change_model(er_context *context, const er_model *model, const er_rig_change *change, er_model **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || change == NULL || change->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_rig_change_model needs a model and a change made by er_default_rig_change()");
    if (!(change->mass >= 0.0) || !isfinite(change->mass))
        return er_fail(context, ER_ERROR_ARGUMENT, "mass %g is not a positive number", change->mass);
    if (isnan(change->damping_ratio) || change->damping_ratio == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "damping ratio %g is not a number of 0 or more",
                       change->damping_ratio);
    if (isnan(change->rayleigh_mass) || change->rayleigh_mass == HUGE_VAL || isnan(change->rayleigh_stiffness) ||
        change->rayleigh_stiffness == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "Rayleigh factors %g and %g are not both numbers of 0 or more",
                       change->rayleigh_mass, change->rayleigh_stiffness);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    er_model *changed = NULL;
    er_body *body;
    er_joint *joint;
    double *stiffness, total = 0.0;
    er_model_def def = er_default_model_def();
    ER_TRY(er_arena_create(context, &scratch));
    ER_TRY_NEW(body, scratch, er_body, model->body_count);
    ER_TRY_NEW(joint, scratch, er_joint, model->joint_count + model->body_count);
    for (int b = 0; b < model->body_count; ++b)
        total += model->body[b].mass;
    double scale = change->mass > 0.0 ? change->mass / total : 1.0;
    for (int b = 0; b < model->body_count; ++b) {
        body[b] = model->body[b];
        body[b].mass *= scale;
        for (int i = 0; i < 9; ++i)
            body[b].inertia.m[i / 3][i % 3] *= scale;
    }
    if (model->joint_count > 0) memcpy(joint, model->joint, (size_t)model->joint_count * sizeof *joint);
    def.name = model->name;
    def.source = model->source;
    def.body_count = model->body_count;
    def.body = body;
    def.joint_count = model->joint_count;
    def.joint = joint;
    def.damping_ratio = chosen(change->damping_ratio, model->damping_ratio);
    def.rayleigh_mass = chosen(change->rayleigh_mass, model->rayleigh_mass);
    def.rayleigh_stiffness = chosen(change->rayleigh_stiffness, model->rayleigh_stiffness);
    if (change->fix_root) ER_TRY(hold_roots(scratch, model, &def, joint));
    ER_TRY(er_model_create(context, &def, &changed));
    if (change->stiffness != NULL) {
        ER_TRY_NEW(stiffness, scratch, double, changed->coordinate_count);
        ER_TRY(er_stiffness_apply(context, changed, change->stiffness, stiffness));
        for (int k = 0; k < def.joint_count; ++k)
            for (int c = changed->coordinate[k]; c < changed->coordinate[k + 1]; ++c)
                joint[k].stiffness[c - changed->coordinate[k]] = stiffness[c];
        er_model_destroy(changed);
        changed = NULL;
        ER_TRY(er_model_create(context, &def, &changed));
    }
    *out = changed;
    changed = NULL;
done:
    er_model_destroy(changed);
    er_arena_destroy(scratch);
    return r;
}
