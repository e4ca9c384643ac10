// Follow-through: loose parts of a rig along a motion.
#include <string.h>

#include "base/arena.h"
#include "motion/loose_part.h"

enum { MOST_INSTANTS = 1000000 };

typedef struct er_follow_work er_follow_work;
struct er_follow_work {
    er_follow follow;
    er_arena *arena;
    er_follow_def def;
    bool *loose;          // [body_count]
    eri_loose_part **one; // [part_count]
    er_follow_part *part; // [part_count]
};

er_follow_def er_default_follow_def(void)
{
    return (er_follow_def){.bounce = 0.4, .amount = 1.0, .tag = ER_DEF_TAG};
}

static er_result check_numbers(er_context *context, const er_follow_def *d)
{
    if (!(d->hz >= 0.0 && d->hz <= 1e6))
        return er_fail(context, ER_ERROR_ARGUMENT, "a first frequency of %g Hz is not between 0 and 1e6", d->hz);
    if (!(d->bounce < 1.0)) return er_fail(context, ER_ERROR_ARGUMENT, "a bounce of %g is not below 1", d->bounce);
    if (!(d->weight >= 0.0 && d->weight <= 10.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "a weight of %g is not between 0 and 10", d->weight);
    if (!(d->amount >= 0.0 && d->amount <= 10.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "an amount of %g is not between 0 and 10", d->amount);
    if (!er_v3_finite(d->gravity)) return er_fail(context, ER_ERROR_ARGUMENT, "the gravity is not finite");
    if ((int)d->start < 0 || (int)d->start >= ER_FOLLOW_START_COUNT ||
        (d->start == ER_FOLLOW_AFTER) != (d->after != NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "`after` goes with ER_FOLLOW_AFTER, and nothing else");
    return ER_OK;
}

er_result eri_follow_check(er_context *context, const er_model *model, const er_follow_def *def)
{
    if (model == NULL || def == NULL || def->tag != ER_DEF_TAG || def->loose == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "loose parts need a model, and a def made by er_default_follow_def() with loose bodies");
    int count = 0;
    for (int b = 0; b < model->body_count; ++b) {
        if (def->loose[b] && model->tree_parent[b] < 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "the loose body \"%s\" hangs on no other body",
                           model->body[b].name);
        if (def->loose[b] && def->own != NULL && !(def->own[b].hz >= 0.0 && def->own[b].zeta >= 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT, "the swing of the loose body \"%s\" is not a number >= 0",
                           model->body[b].name);
        count += def->loose[b];
    }
    return count > 0 ? check_numbers(context, def) : er_fail(context, ER_ERROR_ARGUMENT, "no body is loose");
}

static er_result check(er_context *context, const er_model *model, const er_trajectory *trajectory, double duration,
                       int count, const er_follow_def *d)
{
    if (trajectory == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_follow_create needs a trajectory");
    if (!(duration > 0.0 && duration <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "a duration of %g s is not between 0 and 100000", duration);
    if (count < 2 || count > MOST_INSTANTS)
        return er_fail(context, ER_ERROR_ARGUMENT, "%d instants are not between 2 and %d", count, MOST_INSTANTS);
    return eri_follow_check(context, model, d);
}

static er_result list_parts(er_follow_work *w)
{
    er_result r = ER_OK;
    const er_model *m = w->follow.model;
    ERI_TRY_NEW(w->part, w->arena, er_follow_part, m->body_count);
    ERI_TRY_NEW(w->one, w->arena, eri_loose_part *, m->body_count);
    for (int b = 0; b < m->body_count && r == ER_OK; ++b) {
        int parent = m->tree_parent[b];
        if (!w->loose[b] || w->loose[parent]) continue;
        int i = w->follow.part_count++;
        r = eri_loose_part_create(w->arena, m, b, w->loose, &w->def, &w->one[i]);
    }
done:
    return r;
}

static er_result check_after(er_context *context, const er_follow_work *w)
{
    const er_follow *after = w->def.after;
    if (after == NULL) return ER_OK;
    bool same = after->model == w->follow.model && after->part_count == w->follow.part_count &&
                memcmp(after->work->loose, w->loose, (size_t)w->follow.model->body_count * sizeof *w->loose) == 0 &&
                after->work->def.hz == w->def.hz;
    return same ? ER_OK
                : er_fail(context, ER_ERROR_ARGUMENT, "`after` is of another model, other loose bodies or another hz");
}

static er_result move(er_follow_work *w, const er_trajectory *trajectory, double duration)
{
    er_result r = ER_OK;
    er_follow *f = &w->follow;
    size_t bodies = (size_t)f->model->body_count, all = (size_t)f->count * bodies;
    double step = duration / (f->count - 1), *time;
    er_pose *pose;
    eri_moving *motion;
    ERI_TRY_NEW(time, w->arena, double, f->count);
    ERI_TRY_NEW(pose, w->arena, er_pose, all);
    ERI_TRY_NEW(motion, w->arena, eri_moving, all);
    for (int k = 0; k < f->count; ++k) {
        time[k] = k + 1 < f->count ? k * step : duration;
        for (size_t b = 0; b < bodies; ++b) {
            eri_moving *to = &motion[(size_t)k * bodies + b];
            er_trajectory_at(trajectory, time[k], (int)b, &to->pose, &to->twist, &to->rate);
        }
    }
    for (int i = 0; i < f->part_count; ++i)
        ERI_TRY(eri_loose_part_follow(w->one[i], f->count, step, f->repeats, motion,
                                      w->def.after != NULL ? w->def.after->work->one[i] : NULL, &w->part[i]));
    for (size_t i = 0; i < all; ++i)
        pose[i] = motion[i].pose;
    f->time = time;
    f->pose = pose;
    f->part = w->part;
done:
    return r;
}

er_result er_follow_create(er_context *context, const er_model *model, const er_trajectory *trajectory, double duration,
                           int count, bool repeats, const er_follow_def *def, er_follow **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, model, trajectory, duration, count, def);
    if (r != ER_OK) return r;
    er_arena *arena = NULL;
    er_follow_work *w = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(w, arena, er_follow_work, 1);
    *w = (er_follow_work){.arena = arena, .def = *def};
    w->follow = (er_follow){.model = model, .count = count, .repeats = repeats, .work = w};
    ERI_TRY_NEW(w->loose, arena, bool, model->body_count);
    memcpy(w->loose, def->loose, (size_t)model->body_count * sizeof *w->loose);
    ERI_TRY(list_parts(w));
    ERI_TRY(check_after(context, w));
    ERI_TRY(move(w, trajectory, duration));
    w->def.after = NULL; // borrowed for the call
    w->def.own = NULL;
    *out = &w->follow;
    w = NULL;
    arena = NULL;
done:
    if (w != NULL)
        er_follow_destroy(&w->follow);
    else
        eri_arena_destroy(arena);
    return r;
}

const eri_loose_part *eri_follow_loose_part(const er_follow *follow, int part)
{
    return follow->work->one[part];
}

void er_follow_destroy(er_follow *follow)
{
    if (follow == NULL) return;
    er_follow_work *w = follow->work;
    for (int i = 0; i < w->follow.part_count; ++i)
        eri_loose_part_destroy(w->one[i]);
    eri_arena_destroy(w->arena);
}
