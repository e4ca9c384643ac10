// Stiffness by result: finds the modes that the user names, tunes them, and reports what changed.
#include "app/project/project_tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_modes.h"
#include "app/project/project_names.h"
#include "app/settings/rig_settings.h"
#include "base/failure.h"
#include "base/letters.h"
#include "base/suggest.h"

enum { LISTED = 4 }; // joints

typedef struct aims {
    int count;
    er_tune_aim *aim; // [count]
    rig_aim *asked;   // [count]
    double *before;   // [count], Hz
} aims;

static er_result no_such_mode(er_context *context, const er_mode_names *names, const char *name)
{
    char suggested[SUGGESTION_TEXT];
    suggestion meant = {.word = name};
    for (int k = 0; names != NULL && k < names->count; ++k)
        suggestion_try(&meant, names->mode[k].name);
    return er_fail(context, ER_ERROR_ARGUMENT, "tune: no mode is called \"%s\"%s", name,
                   suggestion_text(&meant, suggested));
}

static bool is_index(const char *name)
{
    return strspn(name, "0123456789") == strlen(name) && strlen(name) < 9;
}

static er_result read_aims(er_context *context, const char *text, const er_modes *modes, const er_mode_names *names,
                           aims *out)
{
    rig_aim aim;
    size_t most = 1;
    for (const char *c = text; *c != '\0'; ++c)
        most += *c == ',';
    out->aim = calloc(most, sizeof *out->aim);
    out->asked = calloc(most, sizeof *out->asked);
    out->before = calloc(most, sizeof *out->before);
    if (out->aim == NULL || out->asked == NULL || out->before == NULL) return eri_no_memory(context);
    while (*text != '\0') {
        const char *rest = text;
        if (!rig_settings_next_aim(&text, &aim))
            return er_fail(context, ER_ERROR_ARGUMENT, "tune: \"%s\" is no frequency of a mode, such as tail:1.2",
                           rest);
        int index = is_index(aim.name) ? atoi(aim.name) : er_mode_names_find(names, aim.name);
        const er_mode *mode = index >= 0 ? er_modes_find(modes, index) : NULL;
        if (mode == NULL) return no_such_mode(context, names, aim.name);
        out->before[out->count] = mode->frequency_hz;
        out->asked[out->count] = aim;
        out->aim[out->count++] = (er_tune_aim){index, aim.hz, aim.at_least};
    }
    return ER_OK;
}

static const char *name_of(const er_mode_names *names, int index, char own[24])
{
    const er_mode_name *name = er_mode_names_at(names, index);
    snprintf(own, 24, "mode %d", index);
    return name != NULL ? name->name : own;
}

static void tell_modes(const project_listener *listener, const aims *a, const er_mode_names *names, const er_tuning *t)
{
    for (int i = 0; i < a->count; ++i) {
        const er_tune_aim *aim = &a->aim[i];
        char own[24];
        const char *name = name_of(names, aim->mode, own);
        double hz = t->mode[i].hz, off = hz / aim->hz - 1.0;
        project_notify(listener, ER_NOTE_FACT, "\"%s\" has %.6g Hz, and had %.6g Hz: mode %d, which was mode %d", name,
                       hz, a->before[i], t->mode[i].now, aim->mode);
        if (t->miss > 0.0 && (aim->at_least ? off < -1e-9 : fabs(off) > 1e-9))
            project_notify(listener, ER_NOTE_WARNING,
                           "\"%s\" cannot have %.6g Hz%s; the nearest found is %.6g Hz. Ask for fewer modes, or for "
                           "frequencies nearer to those the modes have",
                           name, aim->hz, a->count > 1 ? " together with the others" : "", hz);
    }
}

static void tell_joints(const project_listener *listener, const er_model *model, const er_tuning *t)
{
    char text[512] = "";
    double last = HUGE_VAL;
    for (int row = 0, before = -1; row < LISTED; ++row) {
        int most = -1;
        for (int k = 0; k < model->joint_count; ++k) {
            double change = fabs(log(t->factor[k]));
            bool next = change < last || (change == last && k > before);
            if (next && (most < 0 || change > fabs(log(t->factor[most])))) most = k;
        }
        if (most < 0 || fabs(log(t->factor[most])) < 1e-3) break;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\"%.60s\" by %.4g", row > 0 ? ", " : "",
                 model->joint[most].name, t->factor[most]);
        last = fabs(log(t->factor[most]));
        before = most;
    }
    if (*text != '\0') project_notify(listener, ER_NOTE_FACT, "stiffness that changed most: %s", text);
}

// Words may find a mode by the beginning of its name, and another mode once the springs have changed.
static void tell_names(const project_listener *listener, const aims *a, const er_mode_names *before,
                       const er_mode_names *after, const er_tuning *t)
{
    for (int i = 0; i < a->count && before != NULL && after != NULL; ++i) {
        const char *asked = a->asked[i].name, *name = er_mode_names_at(before, a->aim[i].mode)->name;
        char own[24];
        int now = t->mode[i].now, found = is_index(asked) ? now : er_mode_names_find(after, asked);
        size_t length = strlen(asked);
        if (eri_same_start(name, asked, length) && name[length] == ',' && strncmp(name + length, ", with ", 7) != 0)
            project_notify(listener, ER_NOTE_WARNING,
                           "no mode is called \"%s\" alone; \"%s\" was tuned, mode %d of %.4g Hz", asked, name,
                           a->aim[i].mode, a->before[i]);
        if (found != now)
            project_notify(listener, ER_NOTE_WARNING,
                           "with the new springs \"%s\" is mode %d; the mode that was tuned is mode %d, \"%s\"", asked,
                           found, now, name_of(after, now, own));
    }
}

static er_result change_stiffness(er_context *context, const er_model *model, const er_tuning *t, er_model **out)
{
    er_rig_change change = er_default_rig_change();
    change.factor_count = model->joint_count;
    change.factor = t->factor;
    return er_rig_change_model(context, model, &change, out);
}

// Names of the modes that the tuned model has, by which words may find another mode; NULL if nobody has to be told.
static er_result name_tuned(er_context *context, const er_model *model, const er_regions *regions, const aims *a,
                            const er_tuning *t, const project_listener *listener, er_mode_names **out)
{
    er_modal_def modal = er_default_modal_def();
    er_model *tuned = NULL;
    er_modes *modes = NULL;
    bool by_name = false;
    *out = NULL;
    for (int i = 0; i < a->count; ++i)
        by_name |= !is_index(a->asked[i].name);
    if (regions == NULL || !by_name || listener == NULL || listener->notify == NULL) return ER_OK;
    er_result r = change_stiffness(context, model, t, &tuned);
    if (r == ER_OK) r = project_solve_modes(context, tuned, &modal, project_usual_modes(tuned), &modes);
    if (r == ER_OK) r = er_mode_names_create(context, tuned, regions, modes, out);
    er_modes_destroy(modes);
    er_model_destroy(tuned);
    return r;
}

void project_tune_joints(const er_model *model, const er_regions *regions, const er_mode_names *names, int count,
                         const er_tune_aim *aim, bool *joint)
{
    bool all = regions == NULL || names == NULL;
    for (int i = 0; i < count && !all; ++i)
        all = er_mode_names_at(names, aim[i].mode)->group < 0;
    for (int k = 0; k < model->joint_count; ++k) {
        int region = all || model->joint[k].closes_loop ? -1 : regions->of_body[model->joint[k].child];
        joint[k] = all;
        for (int i = 0; i < count && region >= 0; ++i)
            joint[k] |= er_mode_names_at(names, aim[i].mode)->group == regions->region[region].group;
    }
}

er_result project_tune_by(er_context *context, const er_model *model, const er_tune_def *def, er_tuning **out)
{
    er_tune_def every = *def;
    er_tuning *all = NULL;
    bool some = false;
    every.joint = NULL;
    *out = NULL;
    for (int k = 0; k < model->joint_count; ++k)
        some |= def->joint[k];
    er_result r = some ? er_tuning_create(context, model, def, out) : ER_OK;
    if (r != ER_OK || (*out != NULL && (*out)->miss == 0.0)) return r;
    r = er_tuning_create(context, model, &every, &all);
    if (r == ER_OK && *out != NULL && (*out)->miss <= all->miss) {
        er_tuning_destroy(all);
    } else {
        er_tuning_destroy(*out);
        *out = all;
    }
    return r;
}

er_result project_tune(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                       const char *text, const project_listener *listener, er_tuning **out)
{
    er_modal_def modal = er_default_modal_def();
    er_modes *modes = NULL;
    er_mode_names *names = NULL, *after = NULL;
    er_regions *regions = NULL;
    aims a = {0};
    *out = NULL;
    bool *joint = calloc((size_t)model->joint_count + 1, sizeof *joint);
    er_result r = joint != NULL ? ER_OK : eri_no_memory(context);
    if (r == ER_OK) r = project_solve_modes(context, model, &modal, project_usual_modes(model), &modes);
    if (r == ER_OK) r = project_read_regions(context, model, rig, def, &regions);
    if (r == ER_OK && regions != NULL) r = er_mode_names_create(context, model, regions, modes, &names);
    if (r == ER_OK) r = read_aims(context, text, modes, names, &a);
    if (r == ER_OK) project_tune_joints(model, regions, names, a.count, a.aim, joint);
    const er_tune_def wanted = {modes, a.count, a.aim, joint};
    if (r == ER_OK) r = project_tune_by(context, model, &wanted, out);
    if (r == ER_OK) r = name_tuned(context, model, regions, &a, *out, listener, &after);
    if (r == ER_OK) {
        tell_modes(listener, &a, names, *out);
        tell_names(listener, &a, names, after, *out);
        tell_joints(listener, model, *out);
    } else {
        er_tuning_destroy(*out);
        *out = NULL;
    }
    er_mode_names_destroy(after);
    free(joint);
    free(a.aim);
    free(a.asked);
    free(a.before);
    er_mode_names_destroy(names);
    er_regions_destroy(regions);
    er_modes_destroy(modes);
    return r;
}

er_result project_tuned_model(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                              const char *text, const project_listener *listener, er_model **out)
{
    er_tuning *tuning = NULL;
    *out = NULL;
    er_result r = project_tune(context, model, rig, def, text, listener, &tuning);
    if (r != ER_OK) return r;
    r = change_stiffness(context, model, tuning, out);
    er_tuning_destroy(tuning);
    return r;
}
