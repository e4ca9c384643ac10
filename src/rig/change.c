// Changes of a finished model. They copy it, because a model never changes.
#include <eigenrig/rig.h>

#include <string.h>

#include "rig/change.h"

er_rig_change er_default_rig_change(void)
{
    er_rig_change change = {
        .damping_ratio = -1.0, .rayleigh_mass = -1.0, .rayleigh_stiffness = -1.0, .density = 1.0, .tag = ER_DEF_TAG};
    return change;
}

// A floating tree has a root without a joint, or with a free joint without springs.
static int floating_root(const er_model *model, int body)
{
    int t = model->tree_joint[body];
    return t < 0 ? 1 : model->joint[t].type == ER_JOINT_FREE && model->joint[t].parent < 0;
}

static er_result fix_roots(er_arena *scratch, const er_model *model, er_model_def *def, er_joint *joint)
{
    for (int b = 0; b < model->body_count; ++b) {
        if (!floating_root(model, b)) continue;
        int at = model->tree_joint[b] >= 0 ? model->tree_joint[b] : def->joint_count++;
        const char *name = eri_arena_printf(scratch, "%s to the world", model->body[b].name);
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

static er_result check_change(er_context *context, const er_model *model, const er_rig_change *change)
{
    if (model == NULL || change == NULL || change->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_rig_change_model needs a model and a change made by er_default_rig_change()");
    if (!(change->density > 0.0) || !isfinite(change->density))
        return er_fail(context, ER_ERROR_ARGUMENT, "density factor %g is not a positive number", change->density);
    if (!(change->mass >= 0.0) || !isfinite(change->mass))
        return er_fail(context, ER_ERROR_ARGUMENT, "mass %g is not a positive number", change->mass);
    if (isnan(change->damping_ratio) || change->damping_ratio == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "damping ratio %g is not a number of 0 or more",
                       change->damping_ratio);
    if (isnan(change->rayleigh_mass) || change->rayleigh_mass == HUGE_VAL || isnan(change->rayleigh_stiffness) ||
        change->rayleigh_stiffness == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "Rayleigh factors %g and %g are not both numbers of 0 or more",
                       change->rayleigh_mass, change->rayleigh_stiffness);
    if (change->loop_count < 0 || change->loop_count > 10000000 || (change->loop_count > 0 && change->loop == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d joints that close loops were not given", change->loop_count);
    return ER_OK;
}

// --- springs and dampers

static const er_stiffness usual_law = {.hz = 2.0, .alpha = 0.5};
static const er_stiffness alone_at_1_hz = {.hz = 1.0, .alpha = 1.0};

static void spring(const er_rig_change *change, const er_joint_change *rule, double law, double at_1_hz, double *k)
{
    if (change->stiffness != NULL || *k < 0.0) *k = law;
    if (rule->hz > 0.0) *k = rule->hz * rule->hz * at_1_hz;
    if (rule->stiffness >= 0.0) *k = rule->stiffness;
}

// @param law,at_1_hz  of the joint's coordinates
static void spring_joint(const er_rig_change *change, const er_joint_change *rule, const double *law,
                         const double *at_1_hz, er_joint *joint)
{
    int axis[6], count = er_joint_type_freedom(joint->type, axis);
    for (int c = 0; c < count; ++c) {
        double *k = &joint->stiffness[c], *damping = &joint->damping[c];
        spring(change, rule, law[c], at_1_hz[c], k);
        if (!isnan(rule->spring[axis[c]])) *k = rule->spring[axis[c]];
        if (rule->damping_ratio >= 0.0) // I_j = k(1 Hz) / (2 pi)^2
            *damping = rule->damping_ratio * sqrt(*k * at_1_hz[c]) / ER_PI;
        if (!isnan(rule->damper[axis[c]])) *damping = rule->damper[axis[c]];
        for (int i = 0; i < 2; ++i)
            if (!isnan(rule->limit[axis[c]][i])) joint->limit[c][i] = rule->limit[axis[c]][i];
    }
    if (!isnan(rule->swing)) joint->swing = rule->swing;
    for (int i = 0; i < 2; ++i)
        if (!isnan(rule->twist[i])) joint->twist[i] = rule->twist[i];
}

// Springs of joints that existed before. New joints that hold roots have none, and those that close loops have their
// own.
static er_result spring_joints(er_arena *scratch, const er_model *model, const er_rig_change *change,
                               const er_joint_change *rule, int rule_count, er_joint *joint)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(scratch);
    double *law, *at_1_hz;
    bool lawless = change->stiffness == NULL, alone = false;
    for (int k = 0; k < rule_count; ++k) {
        alone |= rule[k].hz > 0.0 || rule[k].damping_ratio >= 0.0;
        for (int c = 0; c < 6; ++c)
            lawless &= !(joint[k].stiffness[c] < 0.0);
    }
    ERI_TRY_NEW(law, scratch, double, model->coordinate_count);
    ERI_TRY_NEW(at_1_hz, scratch, double, model->coordinate_count);
    if (!lawless)
        ERI_TRY(er_stiffness_apply(context, model, change->stiffness != NULL ? change->stiffness : &usual_law, law));
    if (alone) ERI_TRY(er_stiffness_apply(context, model, &alone_at_1_hz, at_1_hz));
    for (int k = 0; k < rule_count; ++k)
        spring_joint(change, &rule[k], law + model->coordinate[k], at_1_hz + model->coordinate[k], &joint[k]);
done:
    return r;
}

// The model with 0 for springs that are not known yet.
static er_result without_springs(er_context *context, er_arena *scratch, const er_model_def *def, er_model **out)
{
    er_result r = ER_OK;
    er_model_def springless = *def;
    er_joint *joint;
    ERI_TRY_NEW(joint, scratch, er_joint, def->joint_count);
    for (int k = 0; k < def->joint_count; ++k) {
        joint[k] = def->joint[k];
        for (int c = 0; c < 6; ++c)
            joint[k].stiffness[c] = fmax(0.0, joint[k].stiffness[c]);
    }
    springless.joint = joint;
    r = er_model_create(context, &springless, out);
done:
    return r;
}

// Replaces the model by one whose joints have their stiffness times the factors.
static er_result apply_factors(er_arena *scratch, const er_rig_change *change, er_model **model)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(scratch);
    const er_model *m = *model;
    er_model *made = NULL;
    er_joint *joint;
    er_model_def def = er_model_def_of(m);
    if (change->factor_count != m->joint_count || change->factor == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "%d factors of stiffness do not fit a rig of %d joints",
                       change->factor_count, m->joint_count);
    ERI_TRY_NEW(joint, scratch, er_joint, m->joint_count);
    for (int k = 0; k < m->joint_count; ++k) {
        joint[k] = m->joint[k];
        if (!(change->factor[k] > 0.0) || !isfinite(change->factor[k]))
            return er_fail(context, ER_ERROR_ARGUMENT, "joint \"%s\": a factor of stiffness of %g is not above 0",
                           joint[k].name, change->factor[k]);
        for (int c = 0; c < er_joint_type_freedom(joint[k].type, NULL); ++c)
            joint[k].stiffness[c] *= change->factor[k];
    }
    def.joint = joint;
    ERI_TRY(er_model_create(context, &def, &made));
    er_model_destroy(*model);
    *model = made;
done:
    return r;
}

er_result er_rig_change_model(er_context *context, const er_model *model, const er_rig_change *change, er_model **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    er_model *springless = NULL, *made = NULL;
    er_body *body;
    er_joint *joint;
    er_joint_change *rule = NULL;
    er_model_def def;
    ERI_TRY(check_change(context, model, change));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(eri_joint_changes_resolve(scratch, model, change, &rule));
    ERI_TRY_NEW(body, scratch, er_body, model->body_count);
    ERI_TRY_NEW(joint, scratch, er_joint, model->joint_count + model->body_count + change->loop_count);
    ERI_TRY(eri_bodies_weigh(scratch, model, change, rule, body));
    for (int k = 0; k < model->joint_count; ++k) {
        joint[k] = model->joint[k];
        if (rule[k].type >= 0) eri_joint_retype(&joint[k], (er_joint_type)rule[k].type);
        if (!isnan(rule[k].pitch)) joint[k].pitch = rule[k].pitch;
        if (er_v3_norm(rule[k].axis) > 0.0) eri_joint_turn(&joint[k], rule[k].axis);
    }
    int loops = 0;
    ERI_TRY(eri_loops_make(scratch, model, change, joint + model->joint_count, &loops));
    def = er_model_def_of(model);
    def.body = body;
    def.joint_count += loops;
    def.joint = joint;
    def.damping_ratio = chosen(change->damping_ratio, model->damping_ratio);
    def.rayleigh_mass = chosen(change->rayleigh_mass, model->rayleigh_mass);
    def.rayleigh_stiffness = chosen(change->rayleigh_stiffness, model->rayleigh_stiffness);
    if (change->fix_root) ERI_TRY(fix_roots(scratch, model, &def, joint));
    if (change->stiffness != NULL || change->joint_count > 0) {
        ERI_TRY(without_springs(context, scratch, &def, &springless));
        ERI_TRY(spring_joints(scratch, springless, change, rule, model->joint_count, joint));
    }
    ERI_TRY(er_model_create(context, &def, &made));
    if (change->symmetrize) ERI_TRY(eri_rig_symmetrize(scratch, change, &made));
    if (change->factor_count != 0) ERI_TRY(apply_factors(scratch, change, &made));
    *out = made;
    made = NULL;
done:
    er_model_destroy(made);
    er_model_destroy(springless);
    eri_arena_destroy(scratch);
    return r;
}
