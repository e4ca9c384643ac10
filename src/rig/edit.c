// Changes of single joints: all that is said of one is gathered first, then applied step by step.
#include <string.h>

#include "rig/edit.h"

bool er_name_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL; // the last * and what of the name it has not taken yet
    while (*name != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            from = name;
        } else if (*pattern == '?') {
            ++pattern;
            for (++name; ((unsigned char)*name & 0xc0) == 0x80;) // the rest of a character
                ++name;
        } else if (*pattern == *name) {
            ++pattern;
            ++name;
        } else if (star != NULL) {
            pattern = star;
            name = ++from;
        } else
            return false;
    }
    while (*pattern == '*')
        ++pattern;
    return *pattern == '\0';
}

er_joint_change er_default_joint_change(void)
{
    er_joint_change change = {.joint = -1, .type = -1, .damping_ratio = -1.0, .density = 1.0, .tag = ER_DEF_TAG};
    for (int i = 0; i < 6; ++i)
        change.limit[i][0] = change.limit[i][1] = NAN;
    return change;
}

er_body_change er_default_body_change(void)
{
    er_body_change change = {.body = -1, .density = 1.0, .tag = ER_DEF_TAG};
    return change;
}

// --- what is said of whom

static const char *speaker(const edit *e, const er_joint_change *c)
{
    return c->pattern != NULL ? c->pattern : e->model->joint[c->joint].name;
}

static er_result wrong(const edit *e, const er_joint_change *c, const char *what, double value)
{
    return er_fail(e->context, ER_ERROR_ARGUMENT, "joint \"%s\": %s %g is not possible", speaker(e, c), what, value);
}

static bool any_wrong(const double *value, int count, double *out)
{
    for (int i = 0; i < count; ++i)
        if (!(value[i] >= 0.0) || !isfinite(value[i])) {
            *out = value[i];
            return true;
        }
    return false;
}

static er_result check_change(const edit *e, const er_joint_change *c)
{
    double bad;
    if (c->tag != ER_DEF_TAG || (c->pattern == NULL) == (c->joint < 0) || c->joint >= e->model->joint_count)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "a change of joints needs er_default_joint_change() and a pattern or one of the joints");
    if (c->type < -1 || c->type >= ER_JOINT_TYPE_COUNT) return wrong(e, c, "type", c->type);
    if (!er_v3_finite(c->axis)) return wrong(e, c, "axis", NAN);
    if (!(c->hz >= 0.0) || !isfinite(c->hz)) return wrong(e, c, "frequency", c->hz);
    if (isnan(c->damping_ratio) || c->damping_ratio == HUGE_VAL) return wrong(e, c, "damping ratio", c->damping_ratio);
    if (!(c->density > 0.0) || !isfinite(c->density)) return wrong(e, c, "density", c->density);
    if (!(c->mass >= 0.0) || !isfinite(c->mass)) return wrong(e, c, "mass", c->mass);
    const int count[] = {c->stiffness_count, c->damping_count};
    for (int i = 0; i < 2; ++i)
        if (count[i] < 0 || count[i] > 6) return wrong(e, c, "count of values", count[i]);
    if (any_wrong(c->stiffness, c->stiffness_count, &bad)) return wrong(e, c, "stiffness", bad);
    if (any_wrong(c->damping, c->damping_count, &bad)) return wrong(e, c, "damping", bad);
    for (int i = 0; i < 6; ++i)
        if (c->limit[i][0] > c->limit[i][1]) return wrong(e, c, "lowest limit", c->limit[i][0]);
    return ER_OK;
}

// A name with the first of a pair's texts in it replaced by the other; NULL where it holds neither, or no memory.
static const char *twin_name(er_arena *scratch, const er_name_pair *pair, const char *name)
{
    const char *left = strstr(name, pair->left), *right = strstr(name, pair->right);
    bool is_left = left != NULL && (right == NULL || left <= right);
    const char *at = is_left ? left : right, *old = is_left ? pair->left : pair->right;
    if (at == NULL) return NULL;
    return er_arena_printf(scratch, "%.*s%s%s", (int)(at - name), name, is_left ? pair->right : pair->left,
                           at + strlen(old));
}

static const char *joint_name(const er_model *model, int index)
{
    return model->joint[index].name;
}

static const char *body_name(const er_model *model, int index)
{
    return model->body[index].name;
}

static int find_name(const er_model *model, int count, const char *(*name)(const er_model *, int), const char *wanted)
{
    int i = 0;
    while (i < count && strcmp(name(model, i), wanted) != 0)
        ++i;
    return i < count ? i : -1;
}

static er_result check_pairs(const edit *e)
{
    if (e->change->pair_count > 0 && e->change->pair == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "pairs of names are counted but not given");
    for (int i = 0; i < e->change->pair_count; ++i) {
        const er_name_pair *pair = &e->change->pair[i];
        if (pair->left == NULL || pair->right == NULL || *pair->left == '\0' || *pair->right == '\0' ||
            strcmp(pair->left, pair->right) == 0)
            return er_fail(e->context, ER_ERROR_ARGUMENT, "a pair of names needs two texts that differ");
    }
    return ER_OK;
}

// Which of `count` is the twin of each by any of the pairs, -1 for none.
static void find_twins(const edit *e, int count, const char *(*name)(const er_model *, int), int *twin)
{
    for (int k = 0; k < count; ++k) {
        twin[k] = -1;
        for (int i = 0; i < e->change->pair_count && twin[k] < 0; ++i) {
            const char *other = twin_name(e->scratch, &e->change->pair[i], name(e->model, k));
            if (other != NULL) twin[k] = find_name(e->model, count, name, other);
        }
    }
}

static bool speaks_of(const edit *e, const er_joint_change *c, int joint)
{
    return c->pattern != NULL ? er_name_matches(c->pattern, e->model->joint[joint].name) : c->joint == joint;
}

// A rotation's axis seen in the mirror between two joints.
static er_vec3 mirrored(const er_model *model, int joint, int twin, er_vec3 axis)
{
    er_vec3 across = er_v3_sub(model->joint[joint].frame.p, model->joint[twin].frame.p);
    er_vec3 n = er_v3_unit(across, er_v3(0, 0, 0));
    if (er_v3_norm(n) == 0.0) return axis;
    return er_v3_sub(er_v3_scale(2.0 * er_v3_dot(n, axis), n), axis);
}

static void lay_over(er_joint_change *own, const er_joint_change *c, er_vec3 axis)
{
    if (c->type >= 0) own->type = c->type;
    if (er_v3_norm(axis) > 0.0) own->axis = axis;
    if (c->hz > 0.0) {
        own->hz = c->hz;
        own->stiffness_count = 0;
    }
    if (c->stiffness_count > 0) {
        own->stiffness_count = c->stiffness_count;
        memcpy(own->stiffness, c->stiffness, sizeof own->stiffness);
    }
    if (c->damping_ratio >= 0.0) {
        own->damping_ratio = c->damping_ratio;
        own->damping_count = 0;
    }
    if (c->damping_count > 0) {
        own->damping_count = c->damping_count;
        memcpy(own->damping, c->damping, sizeof own->damping);
    }
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 2; ++k)
            if (!isnan(c->limit[i][k])) own->limit[i][k] = c->limit[i][k];
    if (c->density != 1.0) own->density = c->density;
    if (c->mass > 0.0) own->mass = c->mass;
}

er_result er_edit_gather(edit *e)
{
    er_result r = ER_OK;
    int n = e->model->joint_count, *twin;
    if (e->change->joint_count > 0 && e->change->joint == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "changes of joints are counted but not given");
    ER_TRY(check_pairs(e));
    if (e->change->joint_count == 0) return ER_OK;
    e->own_count = n;
    ER_TRY_NEW(e->own, e->scratch, er_joint_change, n);
    ER_TRY_NEW(twin, e->scratch, int, n);
    find_twins(e, n, joint_name, twin);
    for (int k = 0; k < n; ++k)
        e->own[k] = er_default_joint_change();
    for (int i = 0; i < e->change->joint_count; ++i) {
        const er_joint_change *c = &e->change->joint[i];
        int found = 0;
        ER_TRY(check_change(e, c));
        for (int k = 0; k < n; ++k) {
            bool itself = speaks_of(e, c, k);
            if (!itself && (twin[k] < 0 || !speaks_of(e, c, twin[k]))) continue;
            ++found;
            lay_over(&e->own[k], c, itself ? c->axis : mirrored(e->model, k, twin[k], c->axis));
        }
        if (found == 0) return er_fail(e->context, ER_ERROR_ARGUMENT, "no joint is called \"%s\"", c->pattern);
    }
done:
    return r;
}

// --- masses

static void scale_body(er_body *b, double factor)
{
    b->mass *= factor;
    for (int i = 0; i < 9; ++i)
        b->inertia.m[i / 3][i % 3] *= factor;
}

static void say_of_body(double density, double mass, double *factor, double *own)
{
    if (density != 1.0) *factor = density;
    if (mass > 0.0) *own = mass;
}

static er_result say_of_bodies(edit *e, const er_body_change *c, const int *twin, double *factor, double *own)
{
    int found = 0;
    if (c->tag != ER_DEF_TAG || (c->pattern == NULL) == (c->body < 0) || c->body >= e->model->body_count)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "a change of bodies needs er_default_body_change() and a pattern or one of the bodies");
    if (!(c->density > 0.0) || !isfinite(c->density) || !(c->mass >= 0.0) || !isfinite(c->mass))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "body \"%s\": density %g or mass %g is not possible",
                       c->pattern != NULL ? c->pattern : e->model->body[c->body].name, c->density, c->mass);
    for (int b = 0; b < e->model->body_count; ++b) {
        bool fits = c->pattern == NULL
                        ? b == c->body || (twin[b] >= 0 && twin[b] == c->body)
                        : er_name_matches(c->pattern, e->model->body[b].name) ||
                              (twin[b] >= 0 && er_name_matches(c->pattern, e->model->body[twin[b]].name));
        if (!fits) continue;
        ++found;
        say_of_body(c->density, c->mass, &factor[b], &own[b]);
    }
    if (found > 0) return ER_OK;
    return er_fail(e->context, ER_ERROR_ARGUMENT, "no body is called \"%s\"", c->pattern);
}

er_result er_edit_masses(edit *e)
{
    er_result r = ER_OK;
    const er_model *m = e->model;
    const er_rig_change *change = e->change;
    double *factor, *own, named = 0.0, rest = 0.0; // own: kg of a body whose mass is named, 0 of another
    int *twin;
    if (change->body_count > 0 && change->body == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "changes of bodies are counted but not given");
    ER_TRY_NEW(factor, e->scratch, double, m->body_count);
    ER_TRY_NEW(own, e->scratch, double, m->body_count);
    ER_TRY_NEW(twin, e->scratch, int, m->body_count);
    for (int b = 0; b < m->body_count; ++b)
        factor[b] = 1.0;
    for (int k = 0; k < e->own_count; ++k) {
        int b = m->joint[k].child;
        say_of_body(e->own[k].density, e->own[k].mass, &factor[b], &own[b]);
    }
    if (change->body_count > 0) find_twins(e, m->body_count, body_name, twin);
    for (int i = 0; i < change->body_count; ++i)
        ER_TRY(say_of_bodies(e, &change->body[i], twin, factor, own));
    for (int b = 0; b < m->body_count; ++b) {
        if (own[b] > 0.0 || factor[b] != 1.0)
            scale_body(&e->body[b], own[b] > 0.0 ? own[b] / e->body[b].mass : factor[b]);
        *(own[b] > 0.0 ? &named : &rest) += e->body[b].mass;
    }
    if (!(change->mass > 0.0)) return ER_OK;
    if (change->mass <= named || rest == 0.0)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "a mass of %g kg leaves nothing beside the bodies of %g kg that were named", change->mass,
                       named);
    for (int b = 0; b < m->body_count; ++b)
        if (own[b] == 0.0) scale_body(&e->body[b], (change->mass - named) / rest);
done:
    return r;
}

// --- types, axes

// The frame turned by the shortest way that takes its z to a world axis.
static er_quat turned_to(er_quat q, er_vec3 axis)
{
    er_vec3 z = er_q_rotate(q, er_v3(0, 0, 1)), target = er_v3_unit(axis, z);
    er_vec3 turn = er_v3_cross(z, target);
    double sine = er_v3_norm(turn), cosine = er_v3_dot(z, target);
    er_vec3 about = sine > 1e-12 ? er_v3_scale(1.0 / sine, turn) : er_v3_perpendicular(z);
    return er_q_unit(er_q_mul(er_q_exp(er_v3_scale(atan2(sine, cosine), about)), q));
}

static void retype(er_joint *j, er_joint_type type)
{
    er_joint old = *j;
    int was[6], is[6], before = er_joint_type_freedom(old.type, was), count = er_joint_type_freedom(type, is);
    double stiffest[2] = {0}, damped[2] = {0}; // of rotations, of shifts
    for (int i = 0; i < before; ++i) {
        stiffest[was[i] / 3] = fmax(stiffest[was[i] / 3], old.stiffness[i]);
        damped[was[i] / 3] = fmax(damped[was[i] / 3], old.damping[i]);
    }
    j->type = type;
    for (int i = 0; i < 6; ++i) {
        j->stiffness[i] = i < count ? stiffest[is[i] / 3] : 0.0;
        j->damping[i] = i < count ? damped[is[i] / 3] : 0.0;
        j->limit[i][0] = -HUGE_VAL;
        j->limit[i][1] = HUGE_VAL;
        for (int k = 0; i < count && k < before; ++k) {
            if (was[k] != is[i]) continue;
            j->stiffness[i] = old.stiffness[k];
            j->damping[i] = old.damping[k];
            memcpy(j->limit[i], old.limit[k], sizeof j->limit[i]);
        }
    }
}

void er_edit_frames(edit *e)
{
    for (int k = 0; k < e->own_count; ++k) {
        const er_joint_change *c = &e->own[k];
        er_joint *j = &e->joint[k];
        if (er_v3_norm(c->axis) > 0.0) j->frame.q = turned_to(j->frame.q, c->axis);
        if (c->type >= 0 && c->type != (int)j->type) retype(j, (er_joint_type)c->type);
    }
}

// --- loops

static er_result body_of_name(const edit *e, const char *name, int *out)
{
    int found = 0;
    *out = -1;
    for (int b = 0; b < e->model->body_count; ++b)
        if (strcmp(e->model->body[b].name, name) == 0 && ++found == 1) *out = b;
    if (found == 1) return ER_OK;
    return er_fail(e->context, ER_ERROR_ARGUMENT,
                   found == 0 ? "no body is called \"%s\"" : "several bodies are called \"%s\"", name);
}

er_result er_edit_loops(edit *e, int *count)
{
    er_result r = ER_OK;
    if (e->change->loop_count > 0 && e->change->loop == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "joints that close loops are counted but not given");
    for (int i = 0; i < e->change->loop_count; ++i) {
        const er_loop_joint *l = &e->change->loop[i];
        int child, parent = -1, at = -1;
        if (l->child == NULL || (unsigned)l->type >= ER_JOINT_FREE || !er_v3_finite(l->at) || !er_v3_finite(l->axis))
            return er_fail(e->context, ER_ERROR_ARGUMENT,
                           "loop joint %d: it needs a child, a type that holds something, a point and an axis", i);
        ER_TRY(body_of_name(e, l->child, &child));
        if (l->parent != NULL) ER_TRY(body_of_name(e, l->parent, &parent));
        if (l->at_body != NULL) ER_TRY(body_of_name(e, l->at_body, &at));
        const char *name = l->name != NULL ? l->name
                                           : er_arena_printf(e->scratch, "%s to %s", l->child,
                                                             l->parent != NULL ? l->parent : "the world");
        if (name == NULL) return ER_ERROR_MEMORY;
        er_joint *j = &e->joint[(*count)++];
        *j = (er_joint){.name = name, .parent = parent, .child = child, .type = l->type, .closes_loop = true};
        j->frame =
            (er_pose){turned_to(er_q_identity(), l->axis), l->at_body != NULL ? e->model->body[at].pose.p : l->at};
        for (int c = 0; c < 6; ++c) {
            j->stiffness[c] = c < er_joint_type_freedom(l->type, NULL) ? l->stiffness : 0.0;
            j->limit[c][0] = -HUGE_VAL;
            j->limit[c][1] = HUGE_VAL;
        }
    }
done:
    return r;
}

// --- springs

static er_result check_counts(const edit *e, int joint, int free)
{
    const er_joint_change *c = &e->own[joint];
    const int count[] = {c->stiffness_count, c->damping_count};
    static const char *const what[] = {"stiffnesses", "dampings"};
    for (int i = 0; i < 2; ++i)
        if (count[i] > 1 && count[i] != free)
            return er_fail(e->context, ER_ERROR_ARGUMENT, "joint \"%s\": %d %s for %d free coordinates",
                           e->joint[joint].name, count[i], what[i], free);
    return ER_OK;
}

// unit: the stiffness of each free coordinate at which the joint alone swings at 1 Hz, I_j (2 pi)^2
static void set_springs(const er_joint_change *c, er_joint *j, const double *unit)
{
    int axis[6], free = er_joint_type_freedom(j->type, axis);
    for (int i = 0; i < free; ++i) {
        if (c->hz > 0.0) j->stiffness[i] = c->hz * c->hz * unit[i];
        if (c->stiffness_count > 0) j->stiffness[i] = c->stiffness[c->stiffness_count > 1 ? i : 0];
        if (c->damping_ratio >= 0.0) j->damping[i] = c->damping_ratio / ER_PI * sqrt(j->stiffness[i] * unit[i]);
        if (c->damping_count > 0) j->damping[i] = c->damping[c->damping_count > 1 ? i : 0];
        for (int k = 0; k < 2; ++k)
            if (!isnan(c->limit[axis[i]][k])) j->limit[i][k] = c->limit[axis[i]][k];
    }
}

er_result er_edit_springs(edit *e, const er_model *with)
{
    er_result r = ER_OK;
    const er_stiffness alone = {.hz = 1.0, .alpha = 1.0};
    double *unit;
    bool measured = false;
    ER_TRY_NEW(unit, e->scratch, double, with->coordinate_count);
    for (int k = 0; k < e->own_count; ++k)
        measured |= e->own[k].hz > 0.0 || e->own[k].damping_ratio >= 0.0;
    if (measured) ER_TRY(er_stiffness_apply(e->context, with, &alone, unit));
    for (int k = 0; k < e->own_count; ++k) {
        int first = with->coordinate[k], free = with->coordinate[k + 1] - first;
        ER_TRY(check_counts(e, k, free));
        set_springs(&e->own[k], &e->joint[k], unit + first);
    }
done:
    return r;
}
