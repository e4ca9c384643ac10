// Clips of a model as sums of its modes.
#include "app/project/project_explain.h"

#include <math.h>
#include <stdlib.h>

#include "app/project/clip_poser.h"
#include "base/failure.h"

enum { FPS = 60, MOST_FRAMES = 100000 };

static er_result project_frames_of(clip_poser *poser, const er_modes *modes, double *share)
{
    int frames = (int)fmin(floor(poser->clip->duration * FPS) + 1.0, MOST_FRAMES);
    double *x = malloc((size_t)frames * (size_t)(poser->width + 1) * sizeof *x);
    double *coefficient = malloc((size_t)frames * (size_t)(modes->count + 1) * sizeof *coefficient);
    er_result r = x != NULL && coefficient != NULL ? ER_OK : eri_no_memory(poser->context);
    for (int f = 0; f < frames && r == ER_OK; ++f)
        r = clip_poser_displacement(poser, (double)f / FPS, x + (ptrdiff_t)f * poser->width);
    if (r == ER_OK) r = er_modes_project(poser->context, poser->model, modes, frames, x, coefficient, share);
    free(x);
    free(coefficient);
    return r;
}

er_result project_explain_clip(er_context *context, const er_modes *modes, const er_rig *rig, const char *clip,
                               double *share)
{
    if (rig == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a rig file has no clips; give the model that has them");
    clip_poser poser;
    er_result r = clip_poser_create(context, rig->model, rig, &poser);
    if (r == ER_OK) r = er_scene_find_clip(context, rig->scene, clip, &poser.clip);
    if (r == ER_OK) r = project_frames_of(&poser, modes, share);
    clip_poser_clear(&poser);
    return r;
}
