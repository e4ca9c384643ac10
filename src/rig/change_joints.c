// Changes of joints by the names they match.
#include <fnmatch.h>

#include "rig/change.h"

er_joint_change er_default_joint_change(void)
{
    er_joint_change change = {.type = -1, .stiffness = -1.0, .damping_ratio = -1.0, .density = 1.0, .tag = ER_DEF_TAG};
    return change;
}

static er_result check(er_context *context, const er_joint_change *c)
{
    if (c->tag != ER_DEF_TAG || c->pattern == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a change of joints was not made by er_default_joint_change(), or has no pattern of names");
    if (c->type < -1 || c->type >= ER_JOINT_TYPE_COUNT)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": type %d is unknown", c->pattern, c->type);
    if (!(c->hz >= 0.0 && c->hz <= 1e6))
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": %g Hz is not between 0 and 1e6", c->pattern, c->hz);
    if (isnan(c->stiffness) || c->stiffness == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": stiffness %g is not a number of 0 or more",
                       c->pattern, c->stiffness);
    if (c->hz > 0.0 && c->stiffness >= 0.0)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\" get a frequency and a stiffness; take one",
                       c->pattern);
    if (isnan(c->damping_ratio) || c->damping_ratio == HUGE_VAL)
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": damping ratio %g is not a number of 0 or more",
                       c->pattern, c->damping_ratio);
    if (!(c->density > 0.0) || !isfinite(c->density))
        return er_fail(context, ER_ERROR_ARGUMENT, "joints \"%s\": density factor %g is not a positive number",
                       c->pattern, c->density);
    return ER_OK;
}

static er_result check_joint(er_context *context, const er_joint_change *c, const er_joint *joint)
{
    if (c->type != ER_JOINT_FREE || joint->parent >= 0) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "joints \"%s\": \"%s\" holds the rig in the world, and cannot be made free", c->pattern,
                   joint->name);
}

// What `c` says goes over what was said before.
static void lay_over(er_joint_change *sum, const er_joint_change *c)
{
    if (c->type >= 0) sum->type = c->type;
    if (c->hz > 0.0 || c->stiffness >= 0.0) {
        sum->hz = c->hz;
        sum->stiffness = c->stiffness;
    }
    if (c->damping_ratio >= 0.0) sum->damping_ratio = c->damping_ratio;
    if (c->density != 1.0) sum->density = c->density;
}

er_result er_joint_changes_resolve(er_arena *arena, const er_model *model, const er_rig_change *change,
                                   er_joint_change **out)
{
    er_result r = ER_OK;
    er_context *context = er_arena_context(arena);
    if (change->joint_count < 0 || (change->joint_count > 0 && change->joint == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d changes of joints were not given", change->joint_count);
    ER_TRY_NEW(*out, arena, er_joint_change, model->joint_count);
    for (int k = 0; k < model->joint_count; ++k)
        (*out)[k] = er_default_joint_change();
    for (int i = 0; i < change->joint_count; ++i) {
        const er_joint_change *c = &change->joint[i];
        int matches = 0;
        ER_TRY(check(context, c));
        for (int k = 0; k < model->joint_count; ++k) {
            const er_joint *joint = &model->joint[k];
            if (joint->parent < 0 && joint->type == ER_JOINT_FREE) continue;
            if (fnmatch(c->pattern, joint->name, 0) != 0) continue;
            ER_TRY(check_joint(context, c, joint));
            lay_over(&(*out)[k], c);
            ++matches;
        }
        if (matches == 0)
            ER_TRY(er_fail(context, ER_ERROR_ARGUMENT, "no joint of the rig is called \"%s\"", c->pattern));
    }
done:
    return r;
}

void er_joint_retype(er_joint *joint, er_joint_type type)
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
