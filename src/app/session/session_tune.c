// Modes that get the frequency that the user drags them to: springs follow.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_inside.h"

int session_find_aim(const session *s, int mode)
{
    for (int i = 0; i < s->now.setup.aim_count; ++i)
        if (s->now.setup.aim[i].mode == mode) return i;
    return -1;
}

static er_result take_aims(const session *s, tune_start *t)
{
    const session_setup *setup = &s->now.setup;
    int known = session_find_aim(s, t->mode);
    t->count = setup->aim_count + (known < 0);
    t->at = known >= 0 ? known : setup->aim_count;
    if (t->count > SESSION_MAX_AIMS)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "%d modes have a frequency of yours, and no more can have one",
                       SESSION_MAX_AIMS);
    for (int i = 0; i < t->count; ++i) {
        t->now[i] = i == t->at ? t->mode : setup->aim[i].mode;
        t->aim[i] = (er_tune_aim){t->now[i], i < setup->aim_count ? setup->aim[i].hz : 1.0, false};
    }
    return ER_OK;
}

// Copies the rig and its modes as they are before the step.
static er_result begin(session *s, tune_start *t)
{
    const er_model *model = session_model(s);
    const er_modes *modes = session_modes(s);
    const er_mode *mode = session_mode(s, t->mode);
    const er_rig_change none = er_default_rig_change();
    if (mode == NULL || mode->kind != ER_MODE_ELASTIC)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "mode %d has no springs that could change its frequency",
                       t->mode);
    er_result r = take_aims(s, t);
    if (r != ER_OK) return r;
    t->joint = calloc((size_t)model->joint_count + 1, sizeof *t->joint);
    t->list = malloc((size_t)modes->count * sizeof *t->list);
    if (t->joint == NULL || t->list == NULL) return eri_no_memory(s->context);
    t->before = s->now.factors;
    if (t->before != NULL) ++t->before->users;
    r = er_rig_change_model(s->context, model, &none, &t->model);
    if (r == ER_OK) r = session_copy_modes(s, modes->mode, modes->count, t->list, &t->shape);
    if (r != ER_OK) return r;
    t->modes = *modes;
    t->modes.mode = t->list;
    const er_mode_names *names = session_names(s);
    project_tune_joints(model, s->in.regions, names, t->count, t->aim, t->joint);
    return ER_OK;
}

static er_result start_step(session *s, int mode)
{
    if (s->tune_from != NULL && s->tune_from->mode == mode) return ER_OK;
    session_commit(s);
    tune_start *t = calloc(1, sizeof *t);
    if (t == NULL) return eri_no_memory(s->context);
    t->mode = mode;
    er_result r = begin(s, t);
    if (r == ER_OK)
        s->tune_from = t;
    else
        session_drop_tune_start(t);
    return r;
}

static shared_factors *multiply(const tune_start *t, const er_tuning *tuning)
{
    int count = t->model->joint_count;
    shared_factors *f = malloc(sizeof *f + (size_t)count * sizeof *f->factor);
    if (f == NULL) return NULL;
    *f = (shared_factors){.users = 1, .count = count};
    for (int k = 0; k < count; ++k)
        f->factor[k] = tuning->factor[k] * (t->before != NULL ? t->before->factor[k] : 1.0);
    return f;
}

// Says which aim cannot be met.
static void report(session *s, const tune_start *t, const er_tuning *tuning)
{
    for (int i = 0; i < t->count && tuning->miss > 0.0; ++i)
        if (fabs(tuning->mode[i].hz / t->aim[i].hz - 1.0) > 1e-6) {
            snprintf(s->message, sizeof s->message, "mode %d cannot have %.4g Hz%s: the nearest is %.4g Hz",
                     tuning->mode[i].now, t->aim[i].hz, t->count > 1 ? " with the others at theirs" : "",
                     tuning->mode[i].hz);
            return;
        }
}

// The tuning has found its modes by their shapes before the step; from frame to frame a fast drag would lose them.
// @param played  component of each aim's mode, -1   @param count  of components before
static er_result take_indices(session *s, tune_start *t, const er_tuning *tuning, const int *played, int count)
{
    step next = s->now;
    for (int i = 0; i < t->count; ++i) {
        t->now[i] = tuning->mode[i].now;
        if (next.setup.aim_count == t->count) s->now.setup.aim[i].mode = next.setup.aim[i].mode = t->now[i];
        if (next.setup.component_count == count && played[i] >= 0) next.setup.component[played[i]].mode = t->now[i];
    }
    return session_change(s, &next, false);
}

static er_result change_springs(session *s, tune_start *t, const er_tuning *tuning)
{
    int played[SESSION_MAX_AIMS];
    step next = s->now;
    next.factors = multiply(t, tuning);
    if (next.factors == NULL) return eri_no_memory(s->context);
    next.setup.aim_count = t->count;
    for (int i = 0; i < t->count; ++i) {
        next.setup.aim[i] = (session_aim){t->now[i], t->aim[i].hz};
        played[i] = -1;
        for (int k = 0; k < next.setup.component_count; ++k)
            if (next.setup.component[k].mode == t->now[i]) played[i] = k;
    }
    er_result r = session_change(s, &next, false);
    if (r == ER_OK) r = take_indices(s, t, tuning, played, next.setup.component_count);
    session_factors_drop(next.factors);
    return r;
}

er_result session_tune_mode(session *s, int mode, double hz, bool end)
{
    er_tuning *tuning = NULL;
    er_result r = session_check_open(s);
    if (r == ER_OK && !(hz > 0.0 && hz <= 1e6))
        r = er_fail(s->context, ER_ERROR_ARGUMENT, "%g Hz is no frequency of a mode", hz);
    if (r == ER_OK) r = start_step(s, mode);
    if (r != ER_OK) return r;
    tune_start *t = s->tune_from;
    t->aim[t->at].hz = hz;
    const er_tune_def def = {&t->modes, t->count, t->aim, t->joint};
    r = project_tune_by(s->context, t->model, &def, &tuning);
    if (r != ER_OK) return r;
    r = change_springs(s, t, tuning);
    if (r == ER_OK) report(s, t, tuning);
    if (r == ER_OK && end) session_commit(s);
    er_tuning_destroy(tuning);
    return r;
}

er_result session_untune(session *s)
{
    er_result r = session_check_open(s);
    if (r != ER_OK) return r;
    session_commit(s);
    step next = s->now;
    next.factors = NULL;
    next.setup.aim_count = 0;
    return session_change(s, &next, true);
}
