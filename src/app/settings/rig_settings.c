// The settings of a rig: their rows, and the changes of a rig that they make.
#include "app/settings/rig_settings.h"

#include <assert.h>
#include <string.h>

#define MOST 1e50 // as in er_model_create()
#define PLACE(field) .place = offsetof(er_rig_def, field)

// In the order of the bits. A rig file refuses those that only building a rig can use.
static const struct {
    const char *key;
    bool builds;
    setting of;
} rows[] = {
    {"root", false, {SETTING_CHOICE, PLACE(root), .choices = (const char *const[]){"free", "fixed", NULL}}},
    {"joints",
     true,
     {SETTING_CHOICE, PLACE(joints), .choices = (const char *const[]){"auto", "spherical", "revolute", NULL}}},
    {"stiffness", false, {SETTING_OTHER, PLACE(stiffness)}},
    {"damping", false, {SETTING_NUMBER, PLACE(damping_ratio), .most = MOST}},
    {"rayleigh", false, {SETTING_OTHER, PLACE(rayleigh_mass)}},
    {"density", true, {SETTING_NUMBER, PLACE(density), .most = MOST, .above = true}},
    {"mass", false, {SETTING_NUMBER, PLACE(mass), .most = MOST, .above = true}},
    {"height", true, {SETTING_NUMBER, PLACE(height), .most = MOST, .above = true, .length = true}},
    {"pose", true, {SETTING_OTHER, PLACE(pose)}},
    {"skeleton", true, {SETTING_TEXT, PLACE(skeleton)}},
    {"infer_parents", true, {SETTING_FLAG, PLACE(infer_parents)}},
    {"props", true, {SETTING_TEXT, PLACE(props)}},
    {"hang", true, {SETTING_OTHER, PLACE(hang)}},
    {"feet", false, {.kind = SETTING_OTHER}},
    {"forward", false, {.kind = SETTING_OTHER}},
    {"plant", false, {.kind = SETTING_OTHER}},
    {"symmetrize", false, {SETTING_FLAG, PLACE(symmetrize)}},
    {"character", true, {SETTING_TEXT, PLACE(character)}},
    {"tune", false, {.kind = SETTING_OTHER}},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static_assert(GIVEN_TUNE == 1 << (ROW_COUNT - 1), "a row for each bit");

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
    change.symmetrize = rig->symmetrize;
    return change;
}

er_result rig_settings_set_densities(er_context *context, rig_settings *s, double density)
{
    int joints = s->change.joint_count;
    for (int i = 0; i < joints + s->change.body_count; ++i) {
        bool joint = i < joints;
        double *factor = joint ? &s->joint[i].density : &s->body[i - joints].density;
        if (*factor == 1.0) continue;
        if (!(density > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT, "%s \"%s\": the density of a rig file is unknown; give a mass",
                           joint ? "joint" : "body", joint ? s->joint[i].pattern : s->body[i - joints].pattern);
        *factor /= density;
    }
    return ER_OK;
}

bool rig_settings_next_aim(const char **text, rig_aim *out)
{
    const char *name = *text + strspn(*text, " "), *colon = strchr(name, ':');
    char number[64];
    if (colon == NULL) return false;
    const char *end = colon;
    while (end > name && end[-1] == ' ')
        --end;
    size_t length = (size_t)(end - name), digits = strcspn(colon + 1, ",");
    if (length == 0 || length >= sizeof out->name || digits == 0 || digits >= sizeof number) return false;
    memcpy(out->name, name, length);
    out->name[length] = '\0';
    memcpy(number, colon + 1, digits);
    number[digits] = '\0';
    *text = colon + 1 + digits;
    if (**text == ',' && *++*text == '\0') return false;
    out->at_least = number[digits - 1] == '+';
    if (out->at_least) number[digits - 1] = '\0';
    return setting_number(number, &out->hz) && out->hz > 0.0 && out->hz <= 1e6;
}

bool rig_settings_are_aims(const char *text)
{
    rig_aim aim;
    bool all = *text != '\0';
    while (all && *text != '\0')
        all = rig_settings_next_aim(&text, &aim);
    return all;
}
