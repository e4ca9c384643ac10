// The mix file (docs/formats.md).
#include <eigenrig/formats.h>

#include <string.h>

#include "base/text.h"
#include "formats/json/json.h"

// A component's plain numbers: their words in the file, and what one is of in SI.
static const struct {
    const char *key;
    size_t at;
    double unit;
} numbers[] = {{"degrees", offsetof(er_mix_component, degrees), 1.0},
               {"metres", offsetof(er_mix_component, metres), 1.0},
               {"hz", offsetof(er_mix_component, hz), 1.0},
               {"phase", offsetof(er_mix_component, phase), ER_PI / 180.0},
               {"attack", offsetof(er_mix_component, attack), 1.0},
               {"decay", offsetof(er_mix_component, decay), 1.0},
               {"damping_ratio", offsetof(er_mix_component, damping), 1.0},
               {"shape_hz", offsetof(er_mix_component, shape_hz), 1.0}};

static double *field(er_mix_component *v, size_t i)
{
    return (double *)(void *)((char *)v + numbers[i].at);
}

// --- reading

typedef struct mix_reader {
    er_context *context;
    const char *path;
    er_arena *arena;
    er_mix mix;
    size_t index;
} mix_reader;

static er_result wrong(const mix_reader *at, const char *key, const char *expected)
{
    return er_fail(at->context, ER_ERROR_FORMAT, "%s: modes[%zu].%s: expected %s", at->path, at->index, key, expected);
}

static const char *nearest_word(const char *key)
{
    const char *words[ERI_COUNT(numbers) + 5] = {"mode", "harmonic", "shape", "at"};
    for (size_t i = 0; i < ERI_COUNT(numbers); ++i)
        words[4 + i] = numbers[i].key;
    return eri_json_nearest(key, words);
}

static er_result check_words(const mix_reader *at, const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        const char *meant = nearest_word(key);
        if (meant == NULL)
            return er_fail(at->context, ER_ERROR_FORMAT,
                           "%s: modes[%zu]: the word \"%s\" is not known; there are mode, degrees, metres, at, hz, "
                           "harmonic, phase, attack, decay, damping_ratio, shape_hz and shape",
                           at->path, at->index, key);
        if (strcmp(meant, key) != 0)
            return er_fail(at->context, ER_ERROR_FORMAT,
                           "%s: modes[%zu]: the word \"%s\" is not known; did you mean %s", at->path, at->index, key,
                           meant);
    }
    return ER_OK;
}

static er_result read_shape(mix_reader *at, const json_t *shape, er_mix_component *v)
{
    er_result r = ER_OK;
    double *rows;
    size_t bodies = (size_t)at->mix.body_count;
    if (bodies == 0) return wrong(at, "shape", "none, since \"bodies\" does not say how many the rig has");
    if (json_array_size(shape) != bodies) return wrong(at, "shape", "a row of six numbers for each body");
    ERI_TRY_NEW(rows, at->arena, double, 6 * bodies);
    for (size_t b = 0; b < bodies; ++b)
        if (!eri_json_read_numbers(json_array_get(shape, b), rows + 6 * b, 6))
            return wrong(at, "shape", "a row of six numbers for each body");
    v->shape = rows;
done:
    return r;
}

static er_result read_component(mix_reader *at, const json_t *object, er_mix_component *v)
{
    er_result r = ER_OK;
    *v = er_default_mix_component();
    if (!json_is_object(object))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: modes[%zu] is not an object", at->path, at->index);
    ERI_TRY(check_words(at, object));
    const json_t *mode = json_object_get(object, "mode"), *harmonic = json_object_get(object, "harmonic"),
                 *shape = json_object_get(object, "shape"), *at_body = json_object_get(object, "at");
    json_int_t index = json_integer_value(mode), times = json_integer_value(harmonic);
    if (!json_is_integer(mode) || index < 0 || index > 1000000000) return wrong(at, "mode", "the index of a mode");
    if (eri_json_is_given(harmonic) && (!json_is_integer(harmonic) || times < 1 || times > 10000))
        return wrong(at, "harmonic", "a whole number of cycles, 1 to 10000");
    if (eri_json_is_given(at_body) && !json_is_string(at_body)) return wrong(at, "at", "the name of a body");
    v->at = json_string_value(at_body);
    v->mode = (int)index;
    v->harmonic = (int)times;
    for (size_t i = 0; i < ERI_COUNT(numbers); ++i) {
        const json_t *value = json_object_get(object, numbers[i].key);
        if (!eri_json_is_given(value)) continue;
        if (!json_is_number(value)) return wrong(at, numbers[i].key, "a number");
        *field(v, i) = numbers[i].unit * json_number_value(value);
    }
    if (eri_json_is_given(shape)) ERI_TRY(read_shape(at, shape, v));
done:
    return r;
}

// Words beside the modes that are nearly known are slips; others may be of other programs.
static er_result check_head(const mix_reader *at, const json_t *json)
{
    static const char *const words[] = {"format", "version", "name", "cycle", "bodies", "size", "modes", NULL};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json, key, value)
    {
        const char *meant = eri_json_nearest(key, words);
        if (meant != NULL && strcmp(meant, key) != 0)
            return er_fail(at->context, ER_ERROR_FORMAT, "%s: the word \"%s\" is not known; did you mean %s", at->path,
                           key, meant);
    }
    return ER_OK;
}

static er_result read_head(mix_reader *at, const json_t *json)
{
    const json_t *name = json_object_get(json, "name"), *cycle = json_object_get(json, "cycle"),
                 *bodies = json_object_get(json, "bodies"), *size = json_object_get(json, "size");
    if (!eri_json_has_format(json, "eigenrig-mix"))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: not a mix file: it does not say \"format\": \"eigenrig-mix\"",
                       at->path);
    if (json_integer_value(json_object_get(json, "version")) != 1)
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: this is not version 1 of the mix file, the only one there is",
                       at->path);
    if (eri_json_is_given(name) && !json_is_string(name))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: \"name\" must be text", at->path);
    if (eri_json_is_given(cycle) && !json_is_number(cycle))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: \"cycle\" must be a number of seconds", at->path);
    if (eri_json_is_given(size) && !json_is_number(size))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: \"size\" must be a number of metres", at->path);
    er_result r = check_head(at, json);
    if (r != ER_OK) return r;
    json_int_t count = json_integer_value(bodies);
    if (eri_json_is_given(bodies) && (!json_is_integer(bodies) || count < 0 || count > 10000000))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: \"bodies\" must be the number of the rig's bodies", at->path);
    at->mix = (er_mix){.name = json_is_string(name) ? json_string_value(name) : "",
                       .cycle = json_number_value(cycle),
                       .body_count = (int)count,
                       .size = json_number_value(size)};
    return ER_OK;
}

er_result er_mix_file_read(er_context *context, const char *path, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_mix_file_read needs a path");
    er_result r = ER_OK;
    json_t *json = NULL;
    er_mix_component *component;
    mix_reader at = {.context = context, .path = path};
    ERI_TRY(eri_arena_create(context, &at.arena));
    ERI_TRY(eri_json_read(context, path, "a mix file", &json));
    ERI_TRY(read_head(&at, json));
    const json_t *list = json_object_get(json, "modes");
    size_t count = json_array_size(list);
    if (count < 1 || count > ER_MIX_MAX_COMPONENTS)
        ERI_TRY(er_fail(context, ER_ERROR_FORMAT, "%s: \"modes\" must be a list of 1 to %d modes, not %zu", path,
                        ER_MIX_MAX_COMPONENTS, count));
    ERI_TRY_NEW(component, at.arena, er_mix_component, count);
    for (; at.index < count; ++at.index)
        ERI_TRY(read_component(&at, json_array_get(list, at.index), &component[at.index]));
    at.mix.component_count = (int)count;
    at.mix.component = component;
    r = er_mix_create(context, &at.mix, out);
    if (r == ER_ERROR_ARGUMENT) {
        char *why = eri_arena_string(at.arena, er_context_error(context));
        r = er_fail(context, ER_ERROR_FORMAT, "%s: %s", path, why != NULL ? why : "the mix is not sound");
    }
done:
    json_decref(json);
    eri_arena_destroy(at.arena);
    return r;
}

// --- writing

// A value in its unit, so that it reads back the same: of degrees, the neighbour that does.
static double in_unit(double value, double unit)
{
    double x = value / unit;
    if (x * unit != value && nextafter(x, HUGE_VAL) * unit == value) x = nextafter(x, HUGE_VAL);
    if (x * unit != value && nextafter(x, -HUGE_VAL) * unit == value) x = nextafter(x, -HUGE_VAL);
    return x;
}

// Values that are the defaults stay out, but for the amplitude.
static void put_component(eri_json_out *out, const er_mix *mix, const er_mix_component *v)
{
    er_mix_component own = *v, usual = er_default_mix_component();
    eri_json_open(out, NULL, '{');
    eri_json_integer(out, "mode", v->mode);
    for (size_t i = 0; i < ERI_COUNT(numbers); ++i)
        if (i == 0 ? !(v->metres > 0.0) : *field(&own, i) != *field(&usual, i))
            eri_json_number(out, numbers[i].key, in_unit(*field(&own, i), numbers[i].unit));
    if (v->at != NULL) eri_json_text(out, "at", v->at);
    if (v->harmonic > 0) eri_json_integer(out, "harmonic", v->harmonic);
    if (v->shape != NULL) {
        eri_json_open(out, "shape", '[');
        for (int b = 0; b < mix->body_count; ++b)
            eri_json_numbers(out, NULL, v->shape + 6 * (ptrdiff_t)b, 6);
        eri_json_close(out, ']');
    }
    eri_json_close(out, '}');
}

er_result er_mix_file_write(er_context *context, const er_mix *mix, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (mix == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_mix_file_write needs a mix and a path");
    er_mix *checked = NULL;
    er_result r = er_mix_create(context, mix, &checked);
    if (r != ER_OK) return r;
    eri_json_out *out;
    r = eri_json_begin(context, path, &out);
    if (r == ER_OK) {
        eri_json_text(out, "format", "eigenrig-mix");
        eri_json_integer(out, "version", 1);
        eri_json_text(out, "name", checked->name);
        if (mix->cycle > 0.0) eri_json_number(out, "cycle", mix->cycle);
        if (mix->body_count > 0) eri_json_integer(out, "bodies", mix->body_count);
        if (mix->size > 0.0) eri_json_number(out, "size", mix->size);
        eri_json_open(out, "modes", '[');
        for (int i = 0; i < mix->component_count; ++i)
            put_component(out, mix, &mix->component[i]);
        eri_json_close(out, ']');
        r = eri_json_end(out);
    }
    er_mix_destroy(checked);
    return r;
}
