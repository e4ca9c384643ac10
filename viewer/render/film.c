// Chooses the format of a film by its path and passes frames on to it.
#include "viewer/render/film.h"

#include <stdlib.h>
#include <string.h>

#include "viewer/render/sequence.h"

struct film {
    const film_format *format;
    void *state;
};

static const struct {
    const char *end;
    const film_format *format;
} formats[] = {{".apng", &film_apng}, {".mp4", &film_ffmpeg}, {".webm", &film_ffmpeg}, {".gif", &film_ffmpeg}};

static const film_format *find_format(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        if (er_path_ends_in(path, formats[i].end)) return formats[i].format;
    return sequence_is_path(path) ? &film_sequence : NULL;
}

bool film_is_path(const char *path)
{
    return find_format(path) != NULL;
}

er_result film_open(er_context *context, const film_def *def, film **out)
{
    *out = NULL;
    const film_format *format = find_format(def->path);
    if (format == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "%s: not a film; name it .mp4, .webm, .gif, .apng, a folder, or .png with %%04d for the number",
                       def->path);
    film *f = malloc(sizeof *f);
    if (f == NULL) return er_fail(context, ER_ERROR_MEMORY, "no memory for a film");
    f->format = format;
    er_result r = format->open(context, def, &f->state);
    if (r == ER_OK)
        *out = f;
    else
        free(f);
    return r;
}

er_result film_frame(film *f, const uint8_t *rgba)
{
    return f->format->frame(f->state, rgba);
}

er_result film_close(film *f, bool keep)
{
    er_result r = f->format->close(f->state, keep);
    free(f);
    return r;
}
