// The configuration file of a set: how long, how exactly, what is left out.
#include "formats/bacin/bacin_set.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/reference.h"
#include "base/side_files.h"
#include "base/text.h"

enum { MOST_BYTES = 1 << 28 };

static eri_bacin_text begin_text(const eri_bacin_set *set, const char *path, uint8_t *bytes, size_t size)
{
    return (eri_bacin_text){.arena = set->arena,
                            .path = path,
                            .at = (char *)bytes + eri_utf8_mark(bytes, size),
                            .end = (char *)bytes + size,
                            .line = 1};
}

er_result eri_bacin_open(const eri_bacin_set *set, const char *name, unsigned flags, eri_bacin_text *out)
{
    er_context *context = eri_arena_context(set->arena);
    uint8_t *bytes;
    size_t size;
    char *path = eri_beside_path(set->arena, set->path, name);
    if (path == NULL) return ER_ERROR_MEMORY;
    er_result r = eri_reference_read(set->arena, set->path, name, flags, MOST_BYTES, &bytes, &size);
    if (r == ER_OK && size == MOST_BYTES)
        r = er_fail(context, ER_ERROR_FILE, "\"%s\" is larger than 256 MiB; cut the scene up", name);
    if (r == ER_OK) *out = begin_text(set, path, bytes, size);
    return r;
}

er_result eri_bacin_prefix_failure(const eri_bacin_set *set, const char *path, int line, er_result failure)
{
    er_context *context = eri_arena_context(set->arena);
    char *why = failure == ER_ERROR_FILE ? eri_arena_string(set->arena, er_context_error(context)) : NULL;
    if (why == NULL) return failure;
    return line > 0 ? er_fail(context, failure, "%s:%d: %s", path, line, why)
                    : er_fail(context, failure, "%s: %s", path, why);
}

er_result eri_bacin_open_beside(const eri_bacin_set *set, const char *ending, bool *missing, eri_bacin_text *out)
{
    eri_file_info info;
    char *name = eri_arena_printf(set->arena, "%s%s", set->stem, ending);
    char *path = name != NULL ? eri_beside_path(set->arena, set->path, name) : NULL;
    if (path == NULL) return ER_ERROR_MEMORY;
    if (missing != NULL && (*missing = eri_platform_stat_link(path, &info) != 0)) return ER_OK;
    return eri_bacin_prefix_failure(set, set->path, 0, eri_bacin_open(set, name, ER_REFERENCE_PLAIN, out));
}

// ---- keys

enum { DURATION, FRAMES, TOLERANCE, MIN_STEP, MAX_STEP, REQUIRED, COLLISIONS = REQUIRED, GRAVITY, CORRECTION, KEYS };

static const char *const keys[KEYS] = {"duration", "frames",         "tolerance", "min_step",
                                       "max_step", "collision_test", "gravity",   "correct_link_violation"};

static er_result read_switch(eri_bacin_text *text, const char *key, double *out)
{
    const char *word;
    er_result r = eri_bacin_take(text, "on or off", &word);
    if (r != ER_OK) return r;
    *out = strcmp(word, "on") == 0;
    if (*out == 0.0 && strcmp(word, "off") != 0) r = eri_bacin_wrong(text, "%s is on or off, not \"%.60s\"", key, word);
    return r;
}

// Checks the range of a key's value.
static er_result check_value(const eri_bacin_text *text, int key, const double *value)
{
    double x = value[key];
    if (key < REQUIRED && key != MIN_STEP && !(x > 0.0))
        return eri_bacin_wrong(text, "%s = %g must be above 0", keys[key], x);
    if (key == MIN_STEP && !(x >= 0.0)) return eri_bacin_wrong(text, "min_step = %g must be 0 or more", x);
    if (key == FRAMES && (x != floor(x) || x > 1e6))
        return eri_bacin_wrong(text, "frames = %g must be a whole number, at most a million", x);
    if (key == TOLERANCE && !(x >= 1e-14 && x <= 1.0))
        return eri_bacin_wrong(text, "tolerance = %g must lie between 1e-14 and 1", x);
    return ER_OK;
}

static er_result read_keys(eri_bacin_text *text, double value[KEYS])
{
    er_result r = ER_OK;
    bool given[KEYS] = {false};
    const char *word;
    for (;;) {
        int key = 0;
        ERI_TRY(eri_bacin_take(text, "\"end animation\"", &word));
        if (strcmp(word, "end") == 0) break;
        while (key < KEYS && strcmp(word, keys[key]) != 0)
            ++key;
        if (key == KEYS)
            return eri_bacin_wrong(text,
                                   "\"%.60s\" is not known; there are duration, frames, tolerance, min_step, max_step, "
                                   "collision_test, gravity and correct_link_violation",
                                   word);
        if (given[key]) return eri_bacin_wrong(text, "%s is given twice; take one out", keys[key]);
        given[key] = true;
        ERI_TRY(eri_bacin_take(text, "\"=\"", &word));
        if (strcmp(word, "=") != 0)
            return eri_bacin_wrong(text, "expected \"=\" after %s, not \"%.60s\"", keys[key], word);
        ERI_TRY(key < REQUIRED ? eri_bacin_numbers(text, "a number", 1, &value[key])
                               : read_switch(text, keys[key], &value[key]));
        ERI_TRY(check_value(text, key, value));
    }
    for (int key = 0; key < REQUIRED; ++key)
        if (!given[key]) return eri_bacin_wrong(text, "%s is missing; give it", keys[key]);
    if (value[MIN_STEP] > value[MAX_STEP])
        return eri_bacin_wrong(text, "min_step = %g is above max_step = %g", value[MIN_STEP], value[MAX_STEP]);
    r = eri_bacin_finish(text, "animation");
done:
    return r;
}

er_result eri_bacin_read_animation(eri_bacin_set *set)
{
    er_result r = ER_OK;
    eri_bacin_text text;
    double value[KEYS] = {[COLLISIONS] = 1.0, [GRAVITY] = 1.0, [CORRECTION] = 1.0};
    uint8_t *bytes;
    size_t size;
    ERI_TRY(eri_file_read(set->arena, set->path, MOST_BYTES, &bytes, &size));
    text = begin_text(set, set->path, bytes, size);
    ERI_TRY(eri_bacin_begin(&text, "animation", ERI_BACIN_DATE));
    ERI_TRY(read_keys(&text, value));
    set->duration = value[DURATION];
    set->frame_count = (int)value[FRAMES];
    set->tolerance = value[TOLERANCE];
    set->min_step = value[MIN_STEP];
    set->max_step = value[MAX_STEP];
    set->collisions = value[COLLISIONS] != 0.0;
    set->gravity = value[GRAVITY] != 0.0;
    set->correct_drift = value[CORRECTION] != 0.0;
done:
    return r;
}
