// Films as files with numbers in their names. If one fails, all are removed.
#include "viewer/render/sequence.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_motion.h"
#include "base/platform.h"
#include "viewer/render/film.h"
#include "viewer/render/png.h"

typedef struct sequence {
    er_context *context;
    film_def def;
    char pattern[ER_FILE_NAME_MAX];
    int count; // written
} sequence;

// The %d or %04d of a pattern, its length and digits; NULL where there is none.
static const char *find_number(const char *path, int *length, int *digits)
{
    for (const char *at = strchr(path, '%'); at != NULL; at = strchr(at + 1, '%')) {
        const char *end = at + 1;
        *digits = 0;
        if (end[0] == '0' && isdigit((unsigned char)end[1])) {
            *digits = end[1] - '0';
            end += 2;
        }
        *length = (int)(end - at) + 1;
        if (*end == 'd') return at;
    }
    return NULL;
}

bool sequence_is_path(const char *path)
{
    int length, digits;
    if (project_is_folder(path)) return true;
    return er_path_ends_in(path, ".png") && find_number(path, &length, &digits) != NULL;
}

static bool frame_path(const sequence *s, int number, char path[ER_FILE_NAME_MAX])
{
    int length = 0, digits = 0;
    const char *at = find_number(s->pattern, &length, &digits);
    int size =
        snprintf(path, ER_FILE_NAME_MAX, "%.*s%0*d%s", (int)(at - s->pattern), s->pattern, digits, number, at + length);
    return size < ER_FILE_NAME_MAX;
}

static er_result fail_long(er_context *context, const char *path)
{
    return er_fail(context, ER_ERROR_FILE, "%s: the name is too long; choose a shorter one", path);
}

// False where it is too long.
static bool find_pattern(const char *path, char pattern[ER_FILE_NAME_MAX])
{
    size_t size = strlen(path);
    bool slash = size > 0 && path[size - 1] == '/';
    return snprintf(pattern, ER_FILE_NAME_MAX, "%s%s", path,
                    !project_is_folder(path) ? ""
                    : slash                  ? "frame_%04d.png"
                            : "/frame_%04d.png") < ER_FILE_NAME_MAX; // else the number may have been cut off
}

bool sequence_goes_on(const char *path, int number)
{
    sequence s;
    char frame[ER_FILE_NAME_MAX];
    return sequence_is_path(path) && find_pattern(path, s.pattern) && frame_path(&s, number, frame) &&
           eri_platform_access(frame, ERI_EXISTS);
}

static er_result sequence_open(er_context *context, const film_def *def, void **state)
{
    sequence *s = calloc(1, sizeof *s);
    if (s == NULL) return er_fail(context, ER_ERROR_MEMORY, "no memory for a film");
    s->context = context;
    s->def = *def;
    if (!find_pattern(def->path, s->pattern)) {
        free(s);
        return fail_long(context, def->path);
    }
    *state = s;
    return ER_OK;
}

static er_result sequence_frame(void *state, const uint8_t *rgba)
{
    sequence *s = state;
    char path[ER_FILE_NAME_MAX];
    if (!frame_path(s, s->count, path)) return fail_long(s->context, s->def.path);
    er_result r = png_write(s->context, s->def.width, s->def.height, rgba, path);
    s->count += r == ER_OK;
    return r;
}

static er_result sequence_close(void *state, bool keep)
{
    sequence *s = state;
    char path[ER_FILE_NAME_MAX];
    for (int i = 0; !keep && i < s->count; ++i)
        if (frame_path(s, i, path)) eri_platform_unlink(path);
    free(s);
    return ER_OK;
}

const film_format film_sequence = {sequence_open, sequence_frame, sequence_close};
