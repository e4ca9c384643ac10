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

enum { LISTED = 4, MOST_ROUNDS = 3, MOST_SCALES = 20, HALVINGS = 12 }; // of joints; of tries

#define MET 1e-9           // relative difference of a frequency from its aim
#define NEAR 1e-3          // likewise, after HALVINGS of SCALE
#define SCALE 0.5          // of log2 of the stiffness, from one try to the next
#define MOST_FACTOR 1024.0 // of a spring; one that is farther from its own serves no motion

// A mode and the frequency that it is to have.
typedef struct wish {
    rig_aim asked;
    bool by_index;
    int was, now;        // its index before and with the springs tried last; -1: no mode is called so
    double had_hz, hz;   // likewise
    double below, above; // the nearest to the aim of the frequencies that it had; 0, HUGE_VAL: none
} wish;

// A rig with springs tried, and what its modes are called.
typedef struct tuned_rig {
    er_model *model;
    er_modes *modes;
    er_mode_names *names; // NULL: the rig has no regions
} tuned_rig;

typedef struct tune_work {
    er_context *context;
    const er_model *model;
    er_regions *regions; // NULL: none can be read
    int count;
    wish *wish;       // [count]
    er_tune_aim *aim; // [count], of the tuning under way
    bool *joint;      // [joint_count], whose springs may change
    double *factor;   // [joint_count], of the springs tried last
    double *tried;    // [joint_count]
    tuned_rig before; // empty until springs are tried
    tuned_rig now;
    bool by_shape; // the modes are those that were called so, whatever they are called now
} tune_work;

// ---- Springs that are tried

static void drop(tuned_rig *t)
{
    er_mode_names_destroy(t->names);
    er_modes_destroy(t->modes);
    er_model_destroy(t->model);
    *t = (tuned_rig){0};
}

static er_result change_stiffness(er_context *context, const er_model *model, const double *factor, er_model **out)
{
    er_rig_change change = er_default_rig_change();
    change.factor_count = model->joint_count;
    change.factor = factor;
    return er_rig_change_model(context, model, &change, out);
}

static er_result solve_with(const tune_work *t, const double *factor, tuned_rig *out)
{
    const er_modal_def modal = er_default_modal_def();
    *out = (tuned_rig){0};
    er_result r = change_stiffness(t->context, t->model, factor, &out->model);
    if (r == ER_OK) r = project_solve_modes(t->context, out->model, &modal, project_usual_modes(t->model), &out->modes);
    if (r == ER_OK && t->regions != NULL)
        r = er_mode_names_create(t->context, out->model, t->regions, out->modes, &out->names);
    if (r != ER_OK) drop(out);
    return r;
}

static double off(const wish *w, double hz)
{
    double by = hz > 0.0 ? log(hz / w->asked.hz) : -HUGE_VAL;
    return w->asked.at_least ? fmin(by, 0.0) : by;
}

static bool is_far(const tune_work *t)
{
    bool far = false;
    for (int k = 0; k < t->model->joint_count; ++k)
        far |= t->factor[k] < 1.0 / MOST_FACTOR || t->factor[k] > MOST_FACTOR;
    return far;
}

// Finds the modes that are called so now, whichever they were before, unless they are followed by shape.
static void find_modes(tune_work *t)
{
    for (int i = 0; i < t->count; ++i) {
        wish *w = &t->wish[i];
        if (!w->by_index && !t->by_shape) w->now = er_mode_names_find(t->now.names, w->asked.name);
        const er_mode *mode = w->now >= 0 ? er_modes_find(t->now.modes, w->now) : NULL;
        w->hz = mode != NULL ? mode->frequency_hz : 0.0;
        if (mode == NULL) w->now = -1;
        if (is_far(t)) continue;
        if (w->hz <= w->asked.hz) w->below = fmax(w->below, w->hz);
        if (w->hz >= w->asked.hz) w->above = fmin(w->above, w->hz);
    }
}

// Takes the springs tried as those of the rig.
static er_result try_springs(tune_work *t)
{
    tuned_rig next;
    er_result r = solve_with(t, t->tried, &next);
    if (r != ER_OK) return r;
    if (t->before.model == NULL)
        t->before = t->now;
    else
        drop(&t->now);
    t->now = next;
    memcpy(t->factor, t->tried, (size_t)t->model->joint_count * sizeof *t->factor);
    find_modes(t);
    return ER_OK;
}

static bool is_met(const tune_work *t)
{
    bool met = !is_far(t);
    for (int i = 0; i < t->count; ++i)
        met &= fabs(off(&t->wish[i], t->wish[i].hz)) <= MET;
    return met;
}

static bool all_found(const tune_work *t)
{
    bool found = true;
    for (int i = 0; i < t->count; ++i)
        found &= t->wish[i].now >= 0;
    return found;
}

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

static er_result read_wishes(tune_work *t, const char *text)
{
    size_t most = 1;
    for (const char *c = text; *c != '\0'; ++c)
        most += *c == ',';
    t->wish = calloc(most, sizeof *t->wish);
    t->aim = calloc(most, sizeof *t->aim);
    if (t->wish == NULL || t->aim == NULL) return eri_no_memory(t->context);
    while (*text != '\0') {
        const char *rest = text;
        wish *w = &t->wish[t->count];
        if (!rig_settings_next_aim(&text, &w->asked))
            return er_fail(t->context, ER_ERROR_ARGUMENT, "tune: \"%s\" is no frequency of a mode, such as tail:1.2",
                           rest);
        w->by_index = is_index(w->asked.name);
        w->above = HUGE_VAL;
        if (w->by_index) w->now = atoi(w->asked.name);
        ++t->count;
    }
    find_modes(t);
    for (int i = 0; i < t->count; ++i) {
        wish *w = &t->wish[i];
        if (w->now < 0) return no_such_mode(t->context, t->now.names, w->asked.name);
        t->aim[i].mode = w->was = w->now;
        w->had_hz = w->hz;
    }
    return ER_OK;
}

static const char *name_of(const er_mode_names *names, int index, char own[24])
{
    const er_mode_name *name = er_mode_names_at(names, index);
    snprintf(own, 24, "mode %d", index);
    return name != NULL ? name->name : own;
}

static void tell_modes(const project_listener *listener, const tune_work *t)
{
    for (int i = 0; i < t->count; ++i) {
        const wish *w = &t->wish[i];
        char before[24], now[24];
        const char *asked = w->asked.name, *name = name_of(t->before.names, w->was, before);
        size_t length = strlen(asked);
        project_notify(listener, ER_NOTE_FACT, "\"%s\" has %.6g Hz, mode %d; \"%s\" had %.6g Hz, mode %d",
                       name_of(t->now.names, w->now, now), w->hz, w->now, name, w->had_hz, w->was);
        int called = t->by_shape ? er_mode_names_find(t->now.names, asked) : w->now;
        if (called != w->now)
            project_notify(listener, ER_NOTE_WARNING,
                           "with the new springs another mode is called \"%s\"%s; the mode that was called so is tuned",
                           asked, called < 0 ? ", or none" : "");
        if (eri_same_start(name, asked, length) && name[length] == ',' && strncmp(name + length, ", with ", 7) != 0)
            project_notify(listener, ER_NOTE_WARNING,
                           "no mode is called \"%s\" alone; \"%s\" was tuned, mode %d of %.4g Hz", asked, name, w->was,
                           w->had_hz);
    }
}

static void tell_joints(const project_listener *listener, const tune_work *t)
{
    bool others = false;
    for (int k = 0; k < t->model->joint_count; ++k)
        others |= !t->joint[k] && t->factor[k] != 1.0;
    if (others)
        project_notify(listener, ER_NOTE_WARNING,
                       "the springs of the parts that are named do not suffice, so others change too");
    char text[512] = "";
    double last = HUGE_VAL;
    for (int row = 0, before = -1; row < LISTED; ++row) {
        int most = -1;
        for (int k = 0; k < t->model->joint_count; ++k) {
            double change = fabs(log(t->factor[k]));
            bool next = change < last || (change == last && k > before);
            if (next && (most < 0 || change > fabs(log(t->factor[most])))) most = k;
        }
        if (most < 0 || fabs(log(t->factor[most])) < 1e-3) break;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\"%.60s\" by %.4g", row > 0 ? ", " : "",
                 t->model->joint[most].name, t->factor[most]);
        last = fabs(log(t->factor[most]));
        before = most;
    }
    if (*text != '\0') project_notify(listener, ER_NOTE_FACT, "stiffness that changed most: %s", text);
}

void project_tune_joints(const er_model *model, const er_regions *regions, const er_mode_names *names, int count,
                         const er_tune_aim *aim, bool *joint)
{
    bool all = regions == NULL || names == NULL, some = false;
    for (int i = 0; i < count && !all; ++i)
        all = er_mode_names_at(names, aim[i].mode)->group < 0;
    for (int k = 0; k < model->joint_count; ++k) {
        int region = all || model->joint[k].closes_loop ? -1 : regions->of_body[model->joint[k].child];
        joint[k] = all;
        for (int i = 0; i < count && region >= 0; ++i)
            joint[k] |= er_mode_names_at(names, aim[i].mode)->group == regions->region[region].group;
        some |= joint[k];
    }
    for (int k = 0; k < model->joint_count && !some; ++k)
        joint[k] = true;
}

er_result project_tune_by(er_context *context, const er_model *model, const er_tune_def *def, er_tuning **out)
{
    er_tune_def every = *def;
    er_tuning *all = NULL;
    every.joint = NULL;
    er_result r = er_tuning_create(context, model, def, out);
    if (r != ER_OK || (*out)->miss == 0.0) return r;
    r = er_tuning_create(context, model, &every, &all);
    if (r == ER_OK && (*out)->miss <= all->miss) {
        er_tuning_destroy(all);
    } else {
        er_tuning_destroy(*out);
        *out = all;
    }
    return r;
}

// ---- Tuning

// Tunes the modes that are called so now, by their shapes.
static er_result follow_shapes(tune_work *t)
{
    er_tuning *tuning = NULL;
    bool by_index = true;
    for (int i = 0; i < t->count; ++i) {
        t->aim[i] = (er_tune_aim){t->wish[i].now, t->wish[i].asked.hz, t->wish[i].asked.at_least};
        by_index &= t->wish[i].by_index;
    }
    const er_tune_def def = {t->now.modes, t->count, t->aim, t->joint};
    er_result r = by_index || t->by_shape ? project_tune_by(t->context, t->now.model, &def, &tuning)
                                          : er_tuning_create(t->context, t->now.model, &def, &tuning);
    if (r != ER_OK) return r;
    for (int i = 0; i < t->count; ++i)
        t->wish[i].now = tuning->mode[i].now;
    for (int k = 0; k < t->model->joint_count; ++k)
        t->tried[k] = t->factor[k] * tuning->factor[k];
    er_tuning_destroy(tuning);
    return try_springs(t);
}

// Another mode may be called so afterwards. Then that one is tuned. One mode alone is found sooner by scaling.
static er_result tune_names(tune_work *t)
{
    er_result r = ER_OK;
    for (int round = 0; round < (t->count > 1 ? MOST_ROUNDS : 1); ++round) {
        r = follow_shapes(t);
        if (r != ER_OK || is_met(t) || !all_found(t) || is_far(t)) break;
    }
    return r;
}

static er_result scale_springs(tune_work *t, double exponent)
{
    for (int k = 0; k < t->model->joint_count; ++k)
        t->tried[k] = t->joint[k] ? exp2(exponent) : 1.0;
    return try_springs(t);
}

// Halves the way between a frequency below the aim and one above it, and tunes there.
static er_result tune_between(tune_work *t, double low, double high)
{
    er_result r = ER_OK;
    for (int i = 0; i < HALVINGS && r == ER_OK; ++i) {
        double middle = 0.5 * (low + high);
        r = scale_springs(t, middle);
        *(t->wish->hz < t->wish->asked.hz ? &low : &high) = middle;
    }
    bool jumps = fabs(off(t->wish, t->wish->hz)) > NEAR; // from one mode to another that is called so
    return r == ER_OK && !jumps ? follow_shapes(t) : r;
}

// Where shapes change too much to be followed, the springs of the region are scaled until the mode that is called so
// passes its aim.
static er_result tune_by_scale(tune_work *t)
{
    double way = t->wish->had_hz < t->wish->asked.hz ? SCALE : -SCALE;
    bool last = way < 0.0;
    er_result r = ER_OK;
    for (int i = 1; i <= MOST_SCALES && r == ER_OK; ++i) {
        r = scale_springs(t, i * way);
        if (r != ER_OK || !all_found(t)) break;
        bool above = t->wish->hz >= t->wish->asked.hz;
        if (above != last) r = tune_between(t, (above ? i - 1 : i) * way, (above ? i : i - 1) * way);
        if (r != ER_OK || is_met(t)) break;
        last = above;
    }
    return r;
}

// Whether each mode is asked for by its whole name or index, and not by the word of a region.
static bool are_single(const tune_work *t)
{
    bool single = true;
    for (int i = 0; i < t->count; ++i) {
        const er_mode_name *name = er_mode_names_at(t->before.names, t->wish[i].was);
        single &= t->wish[i].by_index || (name != NULL && eri_same_letters(name->name, t->wish[i].asked.name));
    }
    return single;
}

// Goes back to the rig's own springs.
static er_result begin_again(tune_work *t)
{
    for (int k = 0; k < t->model->joint_count; ++k)
        t->tried[k] = 1.0;
    return try_springs(t);
}

// Tunes by the springs of all joints.
static er_result tune_by_all(tune_work *t)
{
    for (int k = 0; k < t->model->joint_count; ++k)
        t->joint[k] = true;
    er_result r = begin_again(t);
    return r == ER_OK ? tune_names(t) : r;
}

// Gives the modes that were called so their frequencies, whatever they are called then.
static er_result tune_by_shape(tune_work *t)
{
    er_result r = begin_again(t);
    if (r != ER_OK) return r;
    project_tune_joints(t->model, t->regions, t->now.names, t->count, t->aim, t->joint);
    t->by_shape = true;
    return follow_shapes(t);
}

static er_result fail_aim(const tune_work *t)
{
    const wish *w = t->wish;
    for (int i = 1; i < t->count; ++i)
        if (fabs(off(&t->wish[i], t->wish[i].hz)) > fabs(off(w, w->hz))) w = &t->wish[i];
    char found[64];
    if (t->count > 1 || w->by_index)
        snprintf(found, sizeof found, "%.6g Hz", w->hz);
    else if (w->below > 0.0 && w->above < HUGE_VAL)
        snprintf(found, sizeof found, "%.6g and %.6g Hz", w->below, w->above);
    else
        snprintf(found, sizeof found, "%.6g Hz", w->below > 0.0 ? w->below : w->above);
    return er_fail(t->context, ER_ERROR_ARGUMENT,
                   "tune: \"%s\" cannot have %.6g Hz%s; the nearest found: %s. Ask for fewer modes, or for "
                   "frequencies nearer to those the modes have",
                   w->asked.name, w->asked.hz, t->count > 1 ? " together with the others" : "", found);
}

static er_result tune(tune_work *t, const char *text)
{
    for (int k = 0; k < t->model->joint_count; ++k)
        t->factor[k] = 1.0;
    er_result r = solve_with(t, t->factor, &t->now);
    if (r == ER_OK) r = read_wishes(t, text);
    if (r != ER_OK) return r;
    project_tune_joints(t->model, t->regions, t->now.names, t->count, t->aim, t->joint);
    r = tune_names(t);
    if (r == ER_OK && !is_met(t) && t->count == 1 && !t->wish->by_index) r = tune_by_scale(t);
    if (r == ER_OK && !is_met(t) && are_single(t)) r = tune_by_all(t);
    if (r == ER_OK && !is_met(t)) r = tune_by_shape(t);
    return r == ER_OK && !is_met(t) ? fail_aim(t) : r;
}

er_result project_tune(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                       const char *text, const project_listener *listener, double **out)
{
    size_t joints = (size_t)model->joint_count + 1;
    tune_work t = {.context = context, .model = model};
    *out = NULL;
    t.joint = calloc(joints, sizeof *t.joint);
    t.factor = calloc(joints, sizeof *t.factor);
    t.tried = calloc(joints, sizeof *t.tried);
    bool room = t.joint != NULL && t.factor != NULL && t.tried != NULL;
    er_result r = room ? project_read_regions(context, model, rig, def, &t.regions) : eri_no_memory(context);
    if (r == ER_OK) r = tune(&t, text);
    if (r == ER_OK) {
        tell_modes(listener, &t);
        tell_joints(listener, &t);
        *out = t.factor;
        t.factor = NULL;
    }
    drop(&t.before);
    drop(&t.now);
    er_regions_destroy(t.regions);
    free(t.tried);
    free(t.factor);
    free(t.joint);
    free(t.aim);
    free(t.wish);
    return r;
}

er_result project_tuned_model(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                              const char *text, const project_listener *listener, er_model **out)
{
    double *factor;
    *out = NULL;
    er_result r = project_tune(context, model, rig, def, text, listener, &factor);
    if (r != ER_OK) return r;
    r = change_stiffness(context, model, factor, out);
    free(factor);
    return r;
}
