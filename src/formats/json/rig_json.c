// A rig as JSON, both ways: bodies, joints, and what is refused of them.
#include "formats/json/rig_json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

static void put_bound(eri_json_out *out, double bound)
{
    if (fabs(bound) < HUGE_VAL)
        eri_json_number(out, NULL, bound);
    else
        eri_json_word(out, NULL, "null");
}

// [low, high], null in place of a bound that is not there, and null when neither is.
static void put_limit(eri_json_out *out, const char *key, const double bound[2])
{
    bool low = bound[0] > -HUGE_VAL, high = bound[1] < HUGE_VAL;
    if (low && high) {
        eri_json_numbers(out, key, bound, 2);
    } else if (low || high) {
        eri_json_open(out, key, '[');
        put_bound(out, bound[0]);
        put_bound(out, bound[1]);
        eri_json_close(out, ']');
    } else {
        eri_json_word(out, key, "null");
    }
}

static void put_body(eri_json_out *out, const er_body *b)
{
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", b->name);
    eri_json_number(out, "mass", b->mass);
    eri_json_vec3(out, "com", b->com);
    eri_json_open(out, "inertia", '[');
    for (int i = 0; i < 3; ++i)
        eri_json_numbers(out, NULL, b->inertia.m[i], 3);
    eri_json_close(out, ']');
    eri_json_pose(out, b->pose);
    eri_json_close(out, '}');
}

static void put_joint(eri_json_out *out, const er_joint *j)
{
    int count = er_joint_type_freedom(j->type, NULL);
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", j->name);
    eri_json_integer(out, "parent", j->parent);
    eri_json_integer(out, "child", j->child);
    eri_json_text(out, "type", er_joint_type_name(j->type));
    if (j->type == ER_JOINT_SCREW) eri_json_number(out, "pitch", j->pitch);
    eri_json_pose(out, j->frame);
    eri_json_numbers(out, "stiffness", j->stiffness, count);
    eri_json_numbers(out, "damping", j->damping, count);
    eri_json_open(out, "limits", '[');
    for (int c = 0; c < count; ++c)
        put_limit(out, NULL, j->limit[c]);
    eri_json_close(out, ']');
    if (j->swing < HUGE_VAL) eri_json_number(out, "swing", j->swing);
    if (j->twist[0] > -HUGE_VAL || j->twist[1] < HUGE_VAL) put_limit(out, "twist", j->twist);
    eri_json_flag(out, "closes_loop", j->closes_loop);
    eri_json_close(out, '}');
}

void eri_rig_to_json(eri_json_out *out, const er_model *model)
{
    const double rayleigh[2] = {model->rayleigh_mass, model->rayleigh_stiffness};
    eri_json_text(out, "format", "eigenrig-rig");
    eri_json_integer(out, "version", 1);
    eri_json_text(out, "name", model->name);
    eri_json_text(out, "source", model->source);
    eri_json_number(out, "damping_ratio", model->damping_ratio);
    if (rayleigh[0] > 0.0 || rayleigh[1] > 0.0) eri_json_numbers(out, "rayleigh", rayleigh, 2);
    eri_json_open(out, "bodies", '[');
    for (int i = 0; i < model->body_count; ++i)
        put_body(out, &model->body[i]);
    eri_json_close(out, ']');
    eri_json_open(out, "joints", '[');
    for (int i = 0; i < model->joint_count; ++i)
        put_joint(out, &model->joint[i]);
    eri_json_close(out, ']');
}

// Where a reader stands, so that a message can name the place: PATH: bodies[3].mass: ...
typedef struct rig_reader {
    er_context *context;
    const char *path;
    const char *list;
    size_t index;
    const json_t *object;
} rig_reader;

// The key of an object without this one that is meant by it; NULL: none.
static const char *mistyped(const json_t *object, const char *key)
{
    const char *word;
    json_t *value;
    suggestion meant = {.word = key};
    if (json_object_get(object, key) != NULL) return NULL;
    json_object_foreach((json_t *)(uintptr_t)object, word, value) suggestion_try(&meant, word);
    return meant.best;
}

static er_result wrong(const rig_reader *at, const char *key, const char *expected)
{
    const char *typed = mistyped(at->object, key);
    if (typed != NULL)
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: %s[%zu].%s is not known; did you mean %s", at->path, at->list,
                       at->index, typed, key);
    return er_fail(at->context, ER_ERROR_FORMAT, "%s: %s[%zu].%s: expected %s", at->path, at->list, at->index, key,
                   expected);
}

static er_result read_vec3(const rig_reader *at, const char *key, er_vec3 *out)
{
    double x[3];
    if (!eri_json_read_numbers(json_object_get(at->object, key), x, 3)) return wrong(at, key, "three numbers");
    *out = er_v3(x[0], x[1], x[2]);
    return ER_OK;
}

static er_result read_pose(const rig_reader *at, er_pose *out)
{
    double q[4];
    if (!eri_json_read_numbers(json_object_get(at->object, "orientation"), q, 4))
        return wrong(at, "orientation", "a unit quaternion [w, x, y, z]");
    out->q = er_q(q[0], q[1], q[2], q[3]);
    return read_vec3(at, "position", &out->p);
}

static er_result read_name(const rig_reader *at, const char **out)
{
    const json_t *name = json_object_get(at->object, "name");
    if (eri_json_is_given(name) && !json_is_string(name)) return wrong(at, "name", "text");
    *out = json_string_value(name);
    return ER_OK;
}

static er_result read_body(const rig_reader *at, er_body *b)
{
    er_result r = ER_OK;
    const json_t *mass = json_object_get(at->object, "mass"), *inertia = json_object_get(at->object, "inertia");
    if (!json_is_number(mass)) return wrong(at, "mass", "a number of kilograms");
    ERI_TRY(read_name(at, &b->name));
    b->mass = json_number_value(mass);
    for (size_t i = 0; i < 3; ++i)
        if (json_array_size(inertia) != 3 || !eri_json_read_numbers(json_array_get(inertia, i), b->inertia.m[i], 3))
            return wrong(at, "inertia", "three rows of three numbers");
    ERI_TRY(read_vec3(at, "com", &b->com));
    ERI_TRY(read_pose(at, &b->pose));
done:
    return r;
}

static er_result read_type(const rig_reader *at, er_joint_type *out)
{
    const char *name = json_string_value(json_object_get(at->object, "type"));
    int type = er_joint_type_find(name);
    *out = (er_joint_type)type;
    return type >= 0 ? ER_OK : wrong(at, "type", er_joint_type_list());
}

static er_result read_bounds(const rig_reader *at, const char *key, const json_t *pair, double bound[2])
{
    if (json_array_size(pair) != 2) return wrong(at, key, "[low, high]");
    for (size_t side = 0; side < 2; ++side) {
        const json_t *value = json_array_get(pair, side);
        if (eri_json_is_given(value) && !json_is_number(value))
            return wrong(at, key, "[low, high], each a number or null");
        if (eri_json_is_given(value)) bound[side] = json_number_value(value);
    }
    return ER_OK;
}

static er_result read_limits(const rig_reader *at, const json_t *array, er_joint *j, int count)
{
    for (int c = 0; c < 6; ++c) {
        j->limit[c][0] = -HUGE_VAL;
        j->limit[c][1] = HUGE_VAL;
    }
    if (!eri_json_is_given(array)) return ER_OK;
    if (!json_is_array(array) || json_array_size(array) != (size_t)count)
        return wrong(at, "limits", "null, or one [low, high] or null per free coordinate");
    for (int c = 0; c < count; ++c) {
        const json_t *pair = json_array_get(array, (size_t)c);
        if (!eri_json_is_given(pair)) continue;
        er_result r = read_bounds(at, "limits", pair, j->limit[c]);
        if (r != ER_OK) return r;
    }
    return ER_OK;
}

// Limits of a ball joint. Other joints do not have them.
static er_result read_ball_limits(const rig_reader *at, er_joint *j)
{
    const json_t *swing = json_object_get(at->object, "swing"), *twist = json_object_get(at->object, "twist");
    j->swing = j->twist[1] = HUGE_VAL, j->twist[0] = -HUGE_VAL;
    if (eri_json_is_given(swing) && !json_is_number(swing)) return wrong(at, "swing", "radians, or null");
    if (eri_json_is_given(swing)) j->swing = json_number_value(swing);
    return eri_json_is_given(twist) ? read_bounds(at, "twist", twist, j->twist) : ER_OK;
}

static er_result read_joint(const rig_reader *at, er_joint *j)
{
    er_result r = ER_OK;
    const json_t *parent = json_object_get(at->object, "parent"), *child = json_object_get(at->object, "child"),
                 *damping = json_object_get(at->object, "damping"), *loop = json_object_get(at->object, "closes_loop");
    if (!json_is_integer(parent)) return wrong(at, "parent", "a body index, or -1 for the world");
    if (!json_is_integer(child)) return wrong(at, "child", "a body index");
    // An index beyond int would wrap into range; any value outside [-1, INT_MAX) is no body all the same.
    json_int_t p = json_integer_value(parent), c = json_integer_value(child);
    j->parent = p < -1 || p > 0x7ffffffe ? 0x7fffffff : (int)p;
    j->child = c < 0 || c > 0x7ffffffe ? 0x7fffffff : (int)c;
    ERI_TRY(read_name(at, &j->name));
    ERI_TRY(read_type(at, &j->type));
    ERI_TRY(read_pose(at, &j->frame));
    const json_t *pitch = json_object_get(at->object, "pitch");
    if (j->type == ER_JOINT_SCREW && !json_is_number(pitch))
        return wrong(at, "pitch", "metres per radian of the screw");
    j->pitch = json_number_value(pitch);
    int count = er_joint_type_freedom(j->type, NULL);
    if (!eri_json_read_numbers(json_object_get(at->object, "stiffness"), j->stiffness, (size_t)count))
        return wrong(at, "stiffness", "one number per free coordinate of its type");
    if (eri_json_is_given(damping) && !eri_json_read_numbers(damping, j->damping, (size_t)count))
        return wrong(at, "damping", "one number per free coordinate of its type");
    if (eri_json_is_given(loop) && !json_is_boolean(loop)) return wrong(at, "closes_loop", "true or false");
    j->closes_loop = json_is_true(loop);
    ERI_TRY(read_limits(at, json_object_get(at->object, "limits"), j, count));
    ERI_TRY(read_ball_limits(at, j));
done:
    return r;
}

er_result eri_rig_from_json(er_context *context, const char *path, const json_t *json, er_model **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    *out = NULL;
    const json_t *version = json_object_get(json, "version"), *bodies = json_object_get(json, "bodies"),
                 *joints = json_object_get(json, "joints"), *damping = json_object_get(json, "damping_ratio"),
                 *rayleigh = json_object_get(json, "rayleigh"), *name = json_object_get(json, "name"),
                 *source = json_object_get(json, "source");
    if (json_integer_value(version) != 1)
        return er_fail(context, ER_ERROR_FORMAT, "%s: this is not version 1 of the rig file, the only one there is",
                       path);
    if ((eri_json_is_given(name) && !json_is_string(name)) || (eri_json_is_given(source) && !json_is_string(source)))
        return er_fail(context, ER_ERROR_FORMAT, "%s: \"name\" and \"source\" must both be text", path);
    if (eri_json_is_given(damping) && !(json_is_number(damping) && json_number_value(damping) >= 0.0))
        return er_fail(context, ER_ERROR_FORMAT, "%s: \"damping_ratio\" must be a number of 0 or more", path);
    double factor[2] = {0.0, 0.0};
    if (eri_json_is_given(rayleigh) &&
        !(eri_json_read_numbers(rayleigh, factor, 2) && factor[0] >= 0.0 && factor[1] >= 0.0))
        return er_fail(context, ER_ERROR_FORMAT, "%s: \"rayleigh\" must be two numbers of 0 or more, [alpha, beta]",
                       path);
    const char *const lists[] = {"bodies", "joints"};
    for (int i = 0; i < 2; ++i) {
        const char *typed = mistyped(json, lists[i]);
        if (typed != NULL)
            return er_fail(context, ER_ERROR_FORMAT, "%s: %s is not known; did you mean %s", path, typed, lists[i]);
    }
    if (!json_is_array(bodies) || !json_is_array(joints))
        return er_fail(context, ER_ERROR_FORMAT, "%s: \"bodies\" and \"joints\" must both be lists", path);
    if (json_array_size(bodies) > 10000000 || json_array_size(joints) > 10000000)
        return er_fail(context, ER_ERROR_FORMAT, "%s: more than ten million bodies or joints", path);
    er_model_def def = er_default_model_def();
    er_body *body;
    er_joint *joint;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(body, scratch, er_body, json_array_size(bodies));
    ERI_TRY_NEW(joint, scratch, er_joint, json_array_size(joints));
    for (size_t i = 0; i < json_array_size(bodies); ++i)
        ERI_TRY(read_body(&(rig_reader){context, path, "bodies", i, json_array_get(bodies, i)}, &body[i]));
    for (size_t i = 0; i < json_array_size(joints); ++i)
        ERI_TRY(read_joint(&(rig_reader){context, path, "joints", i, json_array_get(joints, i)}, &joint[i]));
    def.name = json_string_value(name);
    def.source = json_string_value(source);
    def.body_count = (int)json_array_size(bodies);
    def.body = body;
    def.joint_count = (int)json_array_size(joints);
    def.joint = joint;
    def.damping_ratio = json_number_value(damping);
    def.rayleigh_mass = factor[0];
    def.rayleigh_stiffness = factor[1];
    r = er_model_create(context, &def, out);
    if (r == ER_ERROR_RIG) {
        char *why = eri_arena_string(scratch, er_context_error(context));
        er_fail(context, r, "%s: %s", path, why != NULL ? why : "the rig is not sound");
    }
done:
    eri_arena_destroy(scratch);
    return r;
}

// --- misspelled keys

enum { MOST_WARNINGS = 8 };

typedef struct rig_spelling {
    er_warning_callback *warn;
    void *user;
    int count; // of warnings so far
} rig_spelling;

// Keys of one object that resemble a key of the list, which ends with NULL.
static void warn_object(rig_spelling *s, const json_t *object, const char *place, const char *const *keys)
{
    const char *key;
    json_t *value;
    char text[512];
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        const char *meant = eri_json_nearest(key, keys);
        if (meant == NULL || strcmp(meant, key) == 0 || ++s->count > MOST_WARNINGS) continue;
        snprintf(text, sizeof text, "%s%s is not known and not read; did you mean %s", place, key, meant);
        s->warn(s->user, text);
    }
}

static void warn_list(rig_spelling *s, const json_t *list, const char *name, const char *const *keys)
{
    char place[64];
    size_t i;
    json_t *object;
    json_array_foreach(list, i, object)
    {
        snprintf(place, sizeof place, "%s[%zu].", name, i);
        warn_object(s, object, place, keys);
    }
}

void eri_rig_warn_misspelled(const json_t *json, er_warning_callback *warn, void *user)
{
    static const char *const head[] = {"format",   "version", "name",   "source", "damping_ratio",
                                       "rayleigh", "bodies",  "joints", NULL};
    static const char *const body[] = {"name", "mass", "com", "inertia", "position", "orientation", NULL};
    static const char *const joint[] = {"name",        "parent",    "child",   "type",   "position",
                                        "orientation", "stiffness", "damping", "limits", "closes_loop",
                                        "pitch",       "swing",     "twist",   NULL};
    rig_spelling s = {warn, user, 0};
    warn_object(&s, json, "", head);
    warn_list(&s, json_object_get(json, "bodies"), "bodies", body);
    warn_list(&s, json_object_get(json, "joints"), "joints", joint);
}
