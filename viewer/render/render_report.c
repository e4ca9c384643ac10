// Checks of paths, subtitles and warnings.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/letters.h"
#include "viewer/render/film.h"
#include "viewer/render/render.h"

er_result render_check_path(er_context *context, const render_def *def, const char *path)
{
    if (!film_is_path(path) && strcmp(path, "-") != 0 && !er_path_ends_in(path, ".png"))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "\"%s\" must end in .png, .apng, .gif, .mp4 or .webm, be a folder that is there, for a PNG a "
                       "frame, or - for a PNG on standard output",
                       path);
    if (def->what == RENDER_RIG && film_is_path(path))
        return er_fail(context, ER_ERROR_ARGUMENT, "a picture of a rig is a .png; it does not move");
    if (def->what == RENDER_STRIP && film_is_path(path))
        return er_fail(context, ER_ERROR_ARGUMENT, "a strip of gaits is a picture, .png; a film shows one gait");
    if (def->transparent && er_path_ends_in(path, ".mp4"))
        return er_fail(context, ER_ERROR_ARGUMENT, ".mp4 has no transparency; use .webm, .apng, .gif or .png");
    return ER_OK;
}

double render_default_phase(const render_def *def, const char *path)
{
    return def->what == RENDER_MODE && !def->ghosts && !film_is_path(path) ? 0.5 * ER_PI : 0.0;
}

void render_subtitle(const er_model *model, const er_rig *rig, const er_stiffness *law, char *text)
{
    enum { SIZE = 256 };
    char kilograms[32];
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        mass += model->body[b].mass;
    snprintf(kilograms, sizeof kilograms, mass < 999.5 || mass > 1e12 ? "%.3g" : "%.0f", mass);
    int used = snprintf(text, SIZE, "%d %s \xC2\xB7 %d joint%s \xC2\xB7 %s kg", model->body_count,
                        eri_bodies(model->body_count), model->joint_count, eri_plural(model->joint_count), kilograms);
    if (rig != NULL) used += snprintf(text + used, SIZE - (size_t)used, " \xC2\xB7 %.3g m high", rig->height);
    if (law != NULL && law->uniform)
        snprintf(text + used, SIZE - (size_t)used, " \xC2\xB7 stiffness uniform:%g", law->k);
    else if (law != NULL)
        snprintf(text + used, SIZE - (size_t)used, " \xC2\xB7 stiffness graded:%g:%g", law->hz, law->alpha);
}

void render_warn(const render_def *def, const render_report *report, const project_listener *listener)
{
    if (report->share < 1.0)
        project_notify(listener, ER_NOTE_WARNING, "loops follow only %.0f %% of the amplitude", 100.0 * report->share);
    if (report->texture_side > 0)
        project_notify(listener, ER_NOTE_WARNING, DRAW_SMALLER_TEXTURES, report->texture_side);
    if (report->stale)
        project_notify(listener, ER_NOTE_WARNING,
                       "frames of an older film follow upon the last one, number %d, and players will go on to them",
                       report->frames - 1);
    if (report->slowed > 0.0 && def->what == RENDER_GAIT)
        project_notify(listener, ER_NOTE_WARNING,
                       "%.3g strides a second are too many for %g frames a second, and play slower", report->slowed,
                       def->fps);
    else if (report->slowed > 0.0)
        project_notify(listener, ER_NOTE_WARNING,
                       "modes from %.3g Hz on are too fast for %g frames a second, and play slower", report->slowed,
                       def->fps);
}
