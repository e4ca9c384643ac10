// Frequencies over a change of springs: modes are followed from the rig as it is, outwards to each point.
#include <eigenrig/modal.h>

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/failure.h"

enum { MOST_HALVINGS = 6, SPARE_MODES = 12 };
static const double sure = 0.8; // cosine: a step is halved as long as a mode keeps less of its shape

typedef struct tracker {
    er_context *context;
    const er_model *model;
    const bool *joint;
    er_model edited;  // with joints of its own
    er_joint *joints; // [joint_count]
    er_modal_def def;
    int count; // modes followed
    er_mode_match *match;
    int *at;           // [count], places of the followed modes in `modes`; -1: lost
    double *certainty; // [count], of the way to the last point
    er_modes *modes;   // at `factor`
    double factor;
} tracker;

static er_result solve_at(tracker *t, double factor, er_modes **out)
{
    for (int k = 0; k < t->model->joint_count; ++k) {
        t->joints[k] = t->model->joint[k];
        for (int c = 0; t->joint[k] && c < er_joint_type_freedom(t->joints[k].type, NULL); ++c)
            t->joints[k].stiffness[c] *= factor;
    }
    return er_modal_solve(t->context, &t->edited, &t->def, out);
}

static double least_likeness(const tracker *t)
{
    double least = 1.0;
    for (int i = 0; i < t->count; ++i)
        if (t->at[i] >= 0) least = fmin(least, t->match[t->at[i]].group_likeness);
    return least;
}

static void take(tracker *t, double factor, er_modes *next)
{
    for (int i = 0; i < t->count; ++i) {
        if (t->at[i] < 0) continue;
        const er_mode_match *m = &t->match[t->at[i]];
        t->certainty[i] = fmin(t->certainty[i], m->group_likeness);
        t->at[i] = m->now;
    }
    er_modes_destroy(t->modes);
    t->modes = next;
    t->factor = factor;
}

static er_result go(tracker *t, double factor, int halvings)
{
    er_modes *next = NULL;
    er_result r = solve_at(t, factor, &next);
    if (r == ER_OK) r = er_modes_match(t->context, t->model, t->modes, t->model, next, t->match);
    if (r == ER_OK && (halvings == MOST_HALVINGS || least_likeness(t) >= sure)) {
        take(t, factor, next);
        return ER_OK;
    }
    er_modes_destroy(next);
    if (r == ER_OK) r = go(t, sqrt(t->factor * factor), halvings + 1);
    return r == ER_OK ? go(t, factor, halvings + 1) : r;
}

static void note_point(const tracker *t, er_mode_tracks *out, int point)
{
    double *hz = out->hz + (ptrdiff_t)point * t->count;
    double *certainty = out->certainty + (ptrdiff_t)point * t->count;
    for (int i = 0; i < t->count; ++i) {
        hz[i] = t->at[i] >= 0 ? t->modes->mode[t->at[i]].frequency_hz : NAN;
        certainty[i] = t->at[i] >= 0 ? t->certainty[i] : 0.0;
        t->certainty[i] = 1.0;
    }
}

// Back at the rig as it is.
static er_result begin(tracker *t)
{
    er_modes_destroy(t->modes);
    t->modes = NULL;
    t->factor = 1.0;
    int first = 0;
    er_result r = solve_at(t, 1.0, &t->modes);
    while (r == ER_OK && first < t->modes->count && t->modes->mode[first].kind == ER_MODE_RIGID)
        ++first;
    for (int i = 0; i < t->count && r == ER_OK; ++i) {
        t->at[i] = first + i < t->modes->count ? first + i : -1;
        t->certainty[i] = 1.0;
    }
    return r;
}

// Points above the rig as it is, in order, then those below.
static er_result follow(tracker *t, er_mode_tracks *out)
{
    er_result r = ER_OK;
    int above = 0;
    while (above < out->point_count && out->factor[above] < 1.0)
        ++above;
    for (int p = above; p < out->point_count; ++p) {
        ERI_TRY(go(t, out->factor[p], 0));
        note_point(t, out, p);
    }
    ERI_TRY(begin(t));
    for (int p = above - 1; p >= 0; --p) {
        ERI_TRY(go(t, out->factor[p], 0));
        note_point(t, out, p);
    }
done:
    return r;
}

static er_result check(er_context *context, const er_model *model, const bool *joint, const er_mode_tracks_def *def)
{
    if (model == NULL || joint == NULL || def == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_mode_tracks_create needs a model, its joints and a definition");
    if (!(def->from > 0.0 && def->to > def->from && def->to < HUGE_VAL))
        return er_fail(context, ER_ERROR_ARGUMENT, "factors of stiffness from %g to %g: 0 < from < to is needed",
                       def->from, def->to);
    if (def->point_count < 2 || def->point_count > ER_MODE_TRACKS_MAX_POINTS || def->mode_count < 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "%d points of %d modes: 2 to %d points, and a mode, are needed",
                       def->point_count, def->mode_count, ER_MODE_TRACKS_MAX_POINTS);
    for (int k = 0; k < model->joint_count; ++k)
        if (joint[k]) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "no joint was chosen");
}

// Memory of the tracks, and the modes followed: `def->mode_count` behind the rigid ones, or as many as there are.
static er_result make_room(tracker *t, er_arena *arena, const er_mode_tracks_def *def, er_mode_tracks *out)
{
    er_result r = ER_OK;
    double *factor;
    int *mode;
    int first = 0;
    ERI_TRY_NEW(t->joints, arena, er_joint, t->model->joint_count);
    t->edited = *t->model;
    t->edited.joint = t->joints;
    t->def = er_default_modal_def();
    t->def.mode_count = 6 * t->model->body_count < def->mode_count ? 0 : 6 + def->mode_count + SPARE_MODES;
    ERI_TRY(begin(t));
    while (first < t->modes->count && t->modes->mode[first].kind == ER_MODE_RIGID)
        ++first;
    t->count = t->modes->count - first < def->mode_count ? t->modes->count - first : def->mode_count;
    ERI_TRY_NEW(t->match, arena, er_mode_match, 6 * t->model->body_count + 1);
    ERI_TRY_NEW(t->at, arena, int, t->count);
    ERI_TRY_NEW(t->certainty, arena, double, t->count);
    ERI_TRY_NEW(factor, arena, double, def->point_count);
    ERI_TRY_NEW(mode, arena, int, t->count);
    ERI_TRY_NEW(out->hz, arena, double, (size_t)def->point_count *(size_t)t->count);
    ERI_TRY_NEW(out->certainty, arena, double, (size_t)def->point_count *(size_t)t->count);
    for (int p = 0; p < def->point_count; ++p)
        factor[p] = def->from * pow(def->to / def->from, (double)p / (def->point_count - 1));
    factor[def->point_count - 1] = def->to;
    for (int i = 0; i < t->count; ++i)
        mode[i] = er_modes_index(t->modes, &t->modes->mode[first + i]);
    out->point_count = def->point_count;
    out->count = t->count;
    out->factor = factor;
    out->mode = mode;
done:
    return r;
}

er_result er_mode_tracks_create(er_context *context, const er_model *model, const bool *joint,
                                const er_mode_tracks_def *def, er_mode_tracks **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, model, joint, def);
    if (r != ER_OK) return r;
    tracker t = {.context = context, .model = model, .joint = joint};
    er_arena *arena = NULL;
    er_mode_tracks *made = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(made, arena, er_mode_tracks, 1);
    made->arena = arena;
    ERI_TRY(make_room(&t, arena, def, made));
    ERI_TRY(begin(&t));
    ERI_TRY(follow(&t, made));
    *out = made;
    arena = NULL;
done:
    er_modes_destroy(t.modes);
    eri_arena_destroy(arena);
    return r;
}

void er_mode_tracks_destroy(er_mode_tracks *tracks)
{
    if (tracks != NULL) eri_arena_destroy(tracks->arena);
}
