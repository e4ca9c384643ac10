// Changes of bodies by patterns of names, and their masses.

#include "rig/change.h"

#include "base/platform.h"

er_body_change er_default_body_change(void)
{
    er_body_change change = {.body = -1, .density = 1.0, .tag = ER_DEF_TAG};
    return change;
}

static const char *body_name(const er_model *model, int index)
{
    return model->body[index].name;
}

static void scale_body(er_body *body, double factor)
{
    body->mass *= factor;
    for (int i = 0; i < 9; ++i)
        body->inertia.m[i / 3][i % 3] *= factor;
}

static er_result check_body(er_context *context, const er_model *model, const er_body_change *c)
{
    if (c->tag != ER_DEF_TAG || (c->pattern == NULL && (c->body < 0 || c->body >= model->body_count)))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a change of bodies was not made by er_default_body_change(), or names no body");
    const char *name = c->pattern != NULL ? c->pattern : model->body[c->body].name;
    if (!(c->density > 0.0) || !isfinite(c->density))
        return er_fail(context, ER_ERROR_ARGUMENT, "bodies \"%s\": density factor %g is not a positive number", name,
                       c->density);
    if (!(c->mass >= 0.0) || !isfinite(c->mass))
        return er_fail(context, ER_ERROR_ARGUMENT, "bodies \"%s\": mass %g is not a positive number", name, c->mass);
    return ER_OK;
}

static bool matches(const er_model *model, const er_body_change *c, int body)
{
    return c->pattern != NULL ? eri_platform_match(c->pattern, model->body[body].name) : c->body == body;
}

static bool matches_twin(const er_model *model, const er_body_change *c, int twin)
{
    return twin >= 0 && matches(model, c, twin);
}

// The change of each body: by the joint that reaches it, then by its own name.
static er_result resolve_bodies(er_arena *scratch, const er_model *model, const er_rig_change *change,
                                const er_joint_change *rule, er_body_change *said)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(scratch);
    int *twin;
    if (change->body_count < 0 || (change->body_count > 0 && change->body == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d changes of bodies were not given", change->body_count);
    for (int b = 0; b < model->body_count; ++b) {
        int by = model->tree_joint[b];
        said[b] = er_default_body_change();
        if (by < 0) continue;
        said[b].density = rule[by].density;
        said[b].mass = rule[by].mass;
    }
    if (change->body_count == 0) return ER_OK;
    ERI_TRY_NEW(twin, scratch, int, model->body_count);
    ERI_TRY(eri_twins_find(scratch, model, change, model->body_count, body_name, twin));
    for (int i = 0; i < change->body_count; ++i) {
        const er_body_change *c = &change->body[i];
        int found = 0;
        ERI_TRY(check_body(context, model, c));
        for (int b = 0; b < model->body_count; ++b) {
            if (!matches(model, c, b) && !matches_twin(model, c, twin[b])) continue;
            if (c->density != 1.0 || c->mass > 0.0) said[b] = *c;
            ++found;
        }
        if (found == 0 && !c->optional)
            ERI_TRY(eri_names_fail(context, model, "body", c->pattern, model->body_count, body_name));
    }
done:
    return r;
}

er_result er_body_change_find(er_context *context, const er_model *model, const er_rig_change *change, int which,
                              bool *out)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || change == NULL || out == NULL || which < 0 || which >= change->body_count ||
        change->tag != ER_DEF_TAG || change->body == NULL || change->body[which].tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "a change has no entry %d for bodies", which);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    int *twin;
    const er_body_change *c = &change->body[which];
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(twin, scratch, int, model->body_count);
    ERI_TRY(eri_twins_find(scratch, model, change, model->body_count, body_name, twin));
    for (int b = 0; b < model->body_count; ++b)
        out[b] = matches(model, c, b) || matches_twin(model, c, twin[b]);
done:
    eri_arena_destroy(scratch);
    return r;
}

er_result eri_bodies_weigh(er_arena *scratch, const er_model *model, const er_rig_change *change,
                           const er_joint_change *rule, er_body *body)
{
    er_result r = ER_OK;
    er_body_change *said;
    double named = 0.0, rest = 0.0;
    ERI_TRY_NEW(said, scratch, er_body_change, model->body_count);
    ERI_TRY(resolve_bodies(scratch, model, change, rule, said));
    for (int b = 0; b < model->body_count; ++b) {
        bool own = said[b].mass > 0.0;
        body[b] = model->body[b];
        scale_body(&body[b], own ? said[b].mass / body[b].mass : change->density * said[b].density);
        *(own ? &named : &rest) += body[b].mass;
    }
    if (!(change->mass > 0.0)) return ER_OK;
    if (!(change->mass > named) || rest == 0.0)
        return er_fail(eri_arena_context(scratch), ER_ERROR_ARGUMENT,
                       "mass %g kg: nothing is left for other bodies, since single masses add up to %g kg",
                       change->mass, named);
    for (int b = 0; b < model->body_count; ++b)
        if (!(said[b].mass > 0.0)) scale_body(&body[b], (change->mass - named) / rest);
done:
    return r;
}
