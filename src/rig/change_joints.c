// Changes of joints by patterns of names.

#include "rig/change.h"

#include "base/platform.h"

er_joint_change er_default_joint_change(void)
{
    er_joint_change change = {.joint = -1,
                              .type = -1,
                              .stiffness = -1.0,
                              .damping_ratio = -1.0,
                              .density = 1.0,
                              .pitch = NAN,
                              .swing = NAN,
                              .twist = {NAN, NAN},
                              .tag = ER_DEF_TAG};
    for (int i = 0; i < 6; ++i)
        change.spring[i] = change.damper[i] = change.limit[i][0] = change.limit[i][1] = NAN;
    return change;
}

// Checks springs, dampers and limits of single coordinates.
static er_result check_coordinates(er_context *context, const er_joint_change *c, const char *name)
{
    static const char *const axes[] = {"tx", "ty", "tz", "x", "y", "z"};
    for (int i = 0; i < 6; ++i) {
        if (c->spring[i] < 0.0 || c->spring[i] == HUGE_VAL)
            return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": stiffness %g of %s is not a number of 0 or more",
                           name, c->spring[i], axes[i]);
        if (c->damper[i] < 0.0 || c->damper[i] == HUGE_VAL)
            return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": damping %g of %s is not a number of 0 or more",
                           name, c->damper[i], axes[i]);
        if (c->limit[i][0] > c->limit[i][1])
            return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": limits of %s from %g down to %g", name, axes[i],
                           c->limit[i][0], c->limit[i][1]);
    }
    if (c->swing < 0.0)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": swing %g is not a number of 0 or more", name,
                       c->swing);
    if (c->twist[0] > c->twist[1])
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": twist from %g down to %g", name, c->twist[0],
                       c->twist[1]);
    return ER_OK;
}

static er_result check(er_context *context, const er_model *model, const er_joint_change *c)
{
    if (c->tag != ER_DEF_TAG || (c->pattern == NULL && (c->joint < 0 || c->joint >= model->joint_count)))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a change of joints was not made by er_default_joint_change(), or names no joint");
    const char *name = c->pattern != NULL ? c->pattern : model->joint[c->joint].name;
    if (c->type < -1 || c->type >= ER_JOINT_TYPE_COUNT)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": type %d is unknown", name, c->type);
    if (!(c->hz >= 0.0 && c->hz <= 1e6))
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": %g Hz is not between 0 and 1e6", name, c->hz);
    if (isnan(c->stiffness) || c->stiffness == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": stiffness %g is not a number of 0 or more", name,
                       c->stiffness);
    if (c->hz > 0.0 && c->stiffness >= 0.0)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\" have a frequency and a stiffness; give one of them",
                       name);
    if (isnan(c->damping_ratio) || c->damping_ratio == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": damping ratio %g is not a number of 0 or more", name,
                       c->damping_ratio);
    if (!(c->density > 0.0) || !isfinite(c->density))
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": density factor %g is not a positive number", name,
                       c->density);
    if (!(c->mass >= 0.0) || !isfinite(c->mass))
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": mass %g is not a positive number", name, c->mass);
    if (!er_v3_finite(c->axis))
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": the axis is not finite", name);
    return check_coordinates(context, c, name);
}

static er_result check_joint(er_context *context, const er_joint_change *c, const er_joint *joint)
{
    if (c->type != ER_JOINT_FREE || joint->parent >= 0) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "joints \"%s\": \"%s\" connects the rig to the world and cannot be made free",
                   c->pattern != NULL ? c->pattern : joint->name, joint->name);
}

// Fields that `c` sets win over those set before.
static void lay_over(er_joint_change *sum, const er_joint_change *c)
{
    if (c->type >= 0) sum->type = c->type;
    if (c->hz > 0.0 || c->stiffness >= 0.0) {
        sum->hz = c->hz;
        sum->stiffness = c->stiffness;
    }
    if (c->damping_ratio >= 0.0) sum->damping_ratio = c->damping_ratio;
    if (c->density != 1.0 || c->mass > 0.0) {
        sum->density = c->density;
        sum->mass = c->mass;
    }
    if (!isnan(c->pitch)) sum->pitch = c->pitch;
    if (!isnan(c->swing)) sum->swing = c->swing;
    for (int k = 0; k < 2; ++k)
        if (!isnan(c->twist[k])) sum->twist[k] = c->twist[k];
    for (int i = 0; i < 6; ++i) {
        bool all_springs = c->hz > 0.0 || c->stiffness >= 0.0; // then earlier springs of single coordinates are reset
        if (all_springs || !isnan(c->spring[i])) sum->spring[i] = c->spring[i];
        if (c->damping_ratio >= 0.0 || !isnan(c->damper[i])) sum->damper[i] = c->damper[i];
        for (int k = 0; k < 2; ++k)
            if (!isnan(c->limit[i][k])) sum->limit[i][k] = c->limit[i][k];
    }
}

static const char *joint_name(const er_model *model, int index)
{
    return model->joint[index].name;
}

static bool matches(const er_model *model, const er_joint_change *c, int joint)
{
    const er_joint *j = &model->joint[joint];
    if (j->parent < 0 && j->type == ER_JOINT_FREE) return false;
    return c->pattern != NULL ? eri_platform_match(c->pattern, j->name) : c->joint == joint;
}

static bool matches_twin(const er_model *model, const er_joint_change *c, int twin)
{
    return twin >= 0 && matches(model, c, twin);
}

// A rotation axis mirrored in the plane half way between two joints.
static er_vec3 mirrored(const er_model *model, int joint, int twin, er_vec3 axis)
{
    er_vec3 across = er_v3_sub(model->joint[joint].frame.p, model->joint[twin].frame.p);
    er_vec3 n = er_v3_unit(across, er_v3(0, 0, 0));
    return er_v3_norm(n) > 0.0 ? er_v3_sub(er_v3_scale(2.0 * er_v3_dot(n, axis), n), axis) : axis;
}

er_result eri_joint_changes_resolve(er_arena *arena, const er_model *model, const er_rig_change *change,
                                    er_joint_change **out)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(arena);
    if (change->joint_count < 0 || (change->joint_count > 0 && change->joint == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d changes of joints were not given", change->joint_count);
    int *twin;
    ERI_TRY_NEW(*out, arena, er_joint_change, model->joint_count);
    for (int k = 0; k < model->joint_count; ++k)
        (*out)[k] = er_default_joint_change();
    if (change->joint_count == 0) return ER_OK;
    ERI_TRY_NEW(twin, arena, int, model->joint_count);
    ERI_TRY(eri_twins_find(arena, model, change, model->joint_count, joint_name, twin));
    for (int i = 0; i < change->joint_count; ++i) {
        const er_joint_change *c = &change->joint[i];
        int found = 0;
        ERI_TRY(check(context, model, c));
        for (int k = 0; k < model->joint_count; ++k) {
            bool itself = matches(model, c, k);
            if (!itself && !matches_twin(model, c, twin[k])) continue;
            ERI_TRY(check_joint(context, c, &model->joint[k]));
            lay_over(&(*out)[k], c);
            if (er_v3_norm(c->axis) > 0.0) (*out)[k].axis = itself ? c->axis : mirrored(model, k, twin[k], c->axis);
            ++found;
        }
        if (found == 0 && !c->optional)
            ERI_TRY(eri_names_fail(context, model, "joint",
                                   c->pattern != NULL ? c->pattern : model->joint[c->joint].name, model->joint_count,
                                   joint_name));
    }
done:
    return r;
}

er_result er_joint_change_find(er_context *context, const er_model *model, const er_rig_change *change, int which,
                               bool *out)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || change == NULL || out == NULL || which < 0 || which >= change->joint_count ||
        change->tag != ER_DEF_TAG || change->joint == NULL || change->joint[which].tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "a change has no entry %d for joints", which);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    int *twin;
    const er_joint_change *c = &change->joint[which];
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(twin, scratch, int, model->joint_count);
    ERI_TRY(eri_twins_find(scratch, model, change, model->joint_count, joint_name, twin));
    for (int k = 0; k < model->joint_count; ++k)
        out[k] = matches(model, c, k) || matches_twin(model, c, twin[k]);
done:
    eri_arena_destroy(scratch);
    return r;
}

void eri_joint_retype(er_joint *joint, er_joint_type type)
{
    er_joint old = *joint;
    int was[6], now[6], was_count = er_joint_type_freedom(old.type, was), count = er_joint_type_freedom(type, now);
    double like[2] = {-1.0, -1.0}; // springs of rotations and of shifts
    for (int i = was_count - 1; i >= 0; --i)
        like[was[i] >= 3] = old.stiffness[i];
    joint->type = type;
    for (int c = 0; c < 6; ++c) {
        int at = 0;
        while (c < count && at < was_count && was[at] != now[c])
            ++at;
        bool kept = c < count && at < was_count;
        joint->stiffness[c] = c >= count ? 0.0 : kept ? old.stiffness[at] : like[now[c] >= 3];
        joint->damping[c] = kept ? old.damping[at] : 0.0;
        joint->limit[c][0] = kept ? old.limit[at][0] : -HUGE_VAL;
        joint->limit[c][1] = kept ? old.limit[at][1] : HUGE_VAL;
    }
}

void eri_joint_turn(er_joint *joint, er_vec3 axis)
{
    er_vec3 z = er_q_rotate(joint->frame.q, er_v3(0, 0, 1)), to = er_v3_unit(axis, z), turn = er_v3_cross(z, to);
    double sine = er_v3_norm(turn);
    er_vec3 about = sine > 1e-12 ? er_v3_scale(1.0 / sine, turn) : er_v3_perpendicular(z);
    er_quat by = er_q_exp(er_v3_scale(atan2(sine, er_v3_dot(z, to)), about));
    joint->frame.q = er_q_unit(er_q_mul(by, joint->frame.q));
}
