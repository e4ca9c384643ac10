// The settings of a rig: their rows, and the changes of a rig that they make.
#include "app/settings/rig_settings.h"

#include <assert.h>

enum {
    ROOT,
    JOINTS,
    STIFFNESS,
    DAMPING,
    RAYLEIGH,
    DENSITY,
    MASS,
    HEIGHT,
    POSE,
    SKELETON,
    INFER,
    PROPS,
    HANG,
    FEET,
    FORWARD,
    PLANT,
    ROW_COUNT
};

#define MOST 1e50 // as in er_model_create()
#define PLACE(field) .place = offsetof(er_rig_def, field)

// In the order of the bits. A rig file refuses those that only building a rig can use.
static const struct {
    const char *key;
    bool builds;
    setting of;
} rows[ROW_COUNT] = {
    [ROOT] = {"root", false, {SETTING_CHOICE, PLACE(root), .choices = (const char *const[]){"free", "fixed", NULL}}},
    [JOINTS] = {"joints",
                true,
                {SETTING_CHOICE, PLACE(joints),
                 .choices = (const char *const[]){"auto", "spherical", "revolute", NULL}}},
    [STIFFNESS] = {"stiffness", false, {SETTING_OTHER, PLACE(stiffness)}},
    [DAMPING] = {"damping", false, {SETTING_NUMBER, PLACE(damping_ratio), .most = MOST}},
    [RAYLEIGH] = {"rayleigh", false, {SETTING_OTHER, PLACE(rayleigh_mass)}},
    [DENSITY] = {"density", true, {SETTING_NUMBER, PLACE(density), .most = MOST, .above = true}},
    [MASS] = {"mass", false, {SETTING_NUMBER, PLACE(mass), .most = MOST, .above = true}},
    [HEIGHT] = {"height", true, {SETTING_NUMBER, PLACE(height), .most = MOST, .above = true, .length = true}},
    [POSE] = {"pose", true, {SETTING_OTHER, PLACE(pose)}},
    [SKELETON] = {"skeleton", true, {SETTING_TEXT, PLACE(skeleton)}},
    [INFER] = {"infer_parents", true, {SETTING_FLAG, PLACE(infer_parents)}},
    [PROPS] = {"props", true, {SETTING_TEXT, PLACE(props)}},
    [HANG] = {"hang", true, {SETTING_OTHER, PLACE(hang)}},
    [FEET] = {"feet", false, {.kind = SETTING_OTHER}},
    [FORWARD] = {"forward", false, {.kind = SETTING_OTHER}},
    [PLANT] = {"plant", false, {.kind = SETTING_OTHER}},
};

static_assert(GIVEN_PLANT == 1 << PLANT, "rows are in the order of the bits");

static int row_of(unsigned bit)
{
    int row = 0;
    while (bit >> row > 1u)
        ++row;
    return row;
}

const setting *rig_setting(unsigned bit)
{
    return &rows[row_of(bit)].of;
}

const char *rig_setting_key(unsigned bit)
{
    return rows[row_of(bit)].key;
}

rig_settings rig_settings_default(void)
{
    rig_settings s = {.rig = er_default_rig_def(), .change = er_default_rig_change()};
    return s;
}

er_result rig_settings_change(er_context *context, rig_settings *s, double density, er_rig_change *out)
{
    for (int row = 0; row < ROW_COUNT; ++row)
        if (rows[row].builds && (s->given & 1u << row) != 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "%s: says how a model becomes a rig; this one is a rig already",
                           rows[row].key);
    if ((s->given & GIVEN_ROOT) != 0 && s->rig.root == ER_ROOT_FREE)
        return er_fail(context, ER_ERROR_ARGUMENT, "root: a fixed rig cannot be made free");
    er_result r = rig_settings_set_densities(context, s, density);
    if (r != ER_OK) return r;
    s->rig.change = &s->change;
    *out = rig_settings_given_changes(s->given, &s->rig);
    return ER_OK;
}

er_rig_change rig_settings_given_changes(unsigned given, const er_rig_def *rig)
{
    er_rig_change change = rig->change != NULL ? *rig->change : er_default_rig_change();
    if ((given & GIVEN_STIFFNESS) != 0) change.stiffness = &rig->stiffness;
    if ((given & GIVEN_DAMPING) != 0) change.damping_ratio = rig->damping_ratio;
    if ((given & GIVEN_RAYLEIGH) != 0) {
        change.rayleigh_mass = rig->rayleigh_mass;
        change.rayleigh_stiffness = rig->rayleigh_stiffness;
    }
    change.mass = rig->mass;
    change.fix_root = rig->root == ER_ROOT_FIXED;
    return change;
}

er_result rig_settings_set_densities(er_context *context, rig_settings *s, double density)
{
    for (int i = 0; i < s->change.joint_count; ++i)
        if (s->joint[i].density != 1.0 && !(density > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "joint \"%s\": the density of a rig file is unknown; give a mass", s->joint[i].pattern);
        else if (s->joint[i].density != 1.0)
            s->joint[i].density /= density;
    for (int i = 0; i < s->change.body_count; ++i)
        if (s->body[i].density != 1.0 && !(density > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT, "body \"%s\": the density of a rig file is unknown; give a mass",
                           s->body[i].pattern);
        else if (s->body[i].density != 1.0)
            s->body[i].density /= density;
    return ER_OK;
}
