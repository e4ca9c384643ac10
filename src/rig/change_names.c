// Names in changes: twins, bodies by name, and what is said of bodies and of joints that are new.
#include <fnmatch.h>
#include <string.h>

#include "rig/change.h"

er_body_change er_default_body_change(void)
{
    er_body_change change = {.body = -1, .density = 1.0, .tag = ER_DEF_TAG};
    return change;
}

er_loop_joint er_default_loop_joint(void)
{
    er_loop_joint joint = {.type = ER_JOINT_REVOLUTE, .tag = ER_DEF_TAG};
    return joint;
}

// --- twins

static er_result check_pairs(er_context *context, const er_rig_change *change)
{
    if (change->pair_count < 0 || (change->pair_count > 0 && change->pair == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d pairs of names were not given", change->pair_count);
    for (int i = 0; i < change->pair_count; ++i) {
        const char *left = change->pair[i].left, *right = change->pair[i].right;
        if (left == NULL || right == NULL || *left == '\0' || *right == '\0' || strcmp(left, right) == 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "a pair of names needs two texts that differ");
    }
    return ER_OK;
}

// The name with one of the pair's texts in place of the other, the first there is of either; NULL where there is none.
static er_result twin_name(er_arena *scratch, const er_name_pair *pair, const char *name, const char **out)
{
    const char *left = strstr(name, pair->left), *right = strstr(name, pair->right);
    bool is_left = left != NULL && (right == NULL || left <= right);
    const char *at = is_left ? left : right;
    *out = NULL;
    if (at == NULL) return ER_OK;
    *out = er_arena_printf(scratch, "%.*s%s%s", (int)(at - name), name, is_left ? pair->right : pair->left,
                           at + strlen(is_left ? pair->left : pair->right));
    return *out != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static int find_name(const er_model *model, int count, er_name_of name, const char *wanted)
{
    int i = 0;
    while (i < count && strcmp(name(model, i), wanted) != 0)
        ++i;
    return i < count ? i : -1;
}

er_result er_twins_find(er_arena *scratch, const er_model *model, const er_rig_change *change, int count,
                        er_name_of name, int *twin)
{
    er_result r = ER_OK;
    ER_TRY(check_pairs(er_arena_context(scratch), change));
    for (int k = 0; k < count; ++k) {
        twin[k] = -1;
        for (int i = 0; i < change->pair_count && twin[k] < 0; ++i) {
            const char *other;
            ER_TRY(twin_name(scratch, &change->pair[i], name(model, k), &other));
            if (other != NULL) twin[k] = find_name(model, count, name, other);
        }
    }
done:
    return r;
}

// --- bodies

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
    return c->pattern != NULL ? fnmatch(c->pattern, model->body[body].name, 0) == 0 : c->body == body;
}

// The change of each body: by the joint that reaches it, then by its own name.
static er_result resolve_bodies(er_arena *scratch, const er_model *model, const er_rig_change *change,
                                const er_joint_change *rule, er_body_change *said)
{
    er_result r = ER_OK;
    er_context *context = er_arena_context(scratch);
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
    ER_TRY_NEW(twin, scratch, int, model->body_count);
    ER_TRY(er_twins_find(scratch, model, change, model->body_count, body_name, twin));
    for (int i = 0; i < change->body_count; ++i) {
        const er_body_change *c = &change->body[i];
        int found = 0;
        ER_TRY(check_body(context, model, c));
        for (int b = 0; b < model->body_count; ++b) {
            if (!matches(model, c, b) && (twin[b] < 0 || !matches(model, c, twin[b]))) continue;
            if (c->density != 1.0 || c->mass > 0.0) said[b] = *c;
            ++found;
        }
        if (found == 0) ER_TRY(er_fail(context, ER_ERROR_ARGUMENT, "no body of the rig is called \"%s\"", c->pattern));
    }
done:
    return r;
}

er_result er_bodies_weigh(er_arena *scratch, const er_model *model, const er_rig_change *change,
                          const er_joint_change *rule, er_body *body)
{
    er_result r = ER_OK;
    er_body_change *said;
    double named = 0.0, rest = 0.0;
    ER_TRY_NEW(said, scratch, er_body_change, model->body_count);
    ER_TRY(resolve_bodies(scratch, model, change, rule, said));
    for (int b = 0; b < model->body_count; ++b) {
        bool own = said[b].mass > 0.0;
        body[b] = model->body[b];
        scale_body(&body[b], own ? said[b].mass / body[b].mass : change->density * said[b].density);
        *(own ? &named : &rest) += body[b].mass;
    }
    if (!(change->mass > 0.0)) return ER_OK;
    if (!(change->mass > named) || rest == 0.0)
        return er_fail(er_arena_context(scratch), ER_ERROR_ARGUMENT,
                       "a mass of %g kg leaves nothing for other bodies beside the %g kg that are said", change->mass,
                       named);
    for (int b = 0; b < model->body_count; ++b)
        if (!(said[b].mass > 0.0)) scale_body(&body[b], (change->mass - named) / rest);
done:
    return r;
}

// --- loops

static er_result body_of_name(er_context *context, const er_model *model, const char *name, int *out)
{
    int found = 0;
    *out = -1;
    for (int b = 0; b < model->body_count; ++b)
        if (strcmp(model->body[b].name, name) == 0 && ++found == 1) *out = b;
    if (found == 1) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "%s of the rig %s called \"%s\"",
                   found == 0 ? "no body" : "several bodies", found == 0 ? "is" : "are", name);
}

static er_result check_loop(er_context *context, const er_loop_joint *l)
{
    if (l->tag != ER_DEF_TAG || l->child == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a joint that closes a loop was not made by er_default_loop_joint(), or has no child");
    if ((unsigned)l->type >= ER_JOINT_FREE)
        return er_fail(context, ER_ERROR_ARGUMENT, "the joint that closes a loop at \"%s\" holds nothing (type %d)",
                       l->child, (int)l->type);
    if (!er_v3_finite(l->at) || !er_v3_finite(l->axis) || !(l->stiffness >= 0.0) || !isfinite(l->stiffness))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "the joint that closes a loop at \"%s\" has a point, an axis or a stiffness that cannot be",
                       l->child);
    return ER_OK;
}

static er_result make_loop(er_arena *arena, const er_model *model, const er_loop_joint *l, er_joint *out)
{
    er_result r = ER_OK;
    er_context *context = er_arena_context(arena);
    int at = -1;
    ER_TRY(check_loop(context, l));
    *out = (er_joint){.name = l->name, .parent = -1, .type = l->type, .closes_loop = true};
    ER_TRY(body_of_name(context, model, l->child, &out->child));
    if (l->parent != NULL) ER_TRY(body_of_name(context, model, l->parent, &out->parent));
    if (l->at_body != NULL) ER_TRY(body_of_name(context, model, l->at_body, &at));
    if (l->name == NULL)
        out->name = er_arena_printf(arena, "%s to %s", l->child, l->parent != NULL ? l->parent : "the world");
    if (out->name == NULL) return ER_ERROR_MEMORY;
    out->frame = (er_pose){er_q_identity(), at >= 0 ? model->body[at].pose.p : l->at};
    if (er_v3_norm(l->axis) > 0.0) er_joint_turn(out, l->axis);
    int free = er_joint_type_freedom(l->type, NULL);
    for (int c = 0; c < 6; ++c) {
        out->stiffness[c] = c < free ? l->stiffness : 0.0;
        out->limit[c][0] = -HUGE_VAL;
        out->limit[c][1] = HUGE_VAL;
    }
done:
    return r;
}

er_result er_loops_make(er_arena *arena, const er_model *model, const er_rig_change *change, er_joint *joint)
{
    er_result r = ER_OK;
    for (int i = 0; i < change->loop_count; ++i)
        ER_TRY(make_loop(arena, model, &change->loop[i], &joint[i]));
done:
    return r;
}
