#include "studio/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/file.h>

studio_asked studio_default_asked(void)
{
    return (studio_asked){.rig = er_default_rig_def()};
}

static void take_pose(studio_asked *asked, const sidecar_settings *s)
{
    asked->rig.pose = s->rig.pose;
    asked->rig.pose_clip = s->rig.pose_clip;
    asked->rig.pose_time = s->rig.pose_time;
    asked->pose_file = s->pose_file;
    asked->place = s->place;
    asked->place_count = s->place_count;
}

// @return  the bits of what it gives
static unsigned lay_under(studio_asked *asked, const sidecar_settings *s)
{
    unsigned bits = s->given & ~asked->given;
    const er_rig_def *from = &s->rig;
    er_rig_def *to = &asked->rig;
    if ((bits & SIDECAR_ROOT) != 0) to->root = from->root;
    if ((bits & SIDECAR_JOINTS) != 0) to->joints = from->joints;
    if ((bits & SIDECAR_STIFFNESS) != 0) to->stiffness = from->stiffness;
    if ((bits & SIDECAR_DAMPING) != 0) to->damping_ratio = from->damping_ratio;
    if ((bits & SIDECAR_RAYLEIGH) != 0) to->rayleigh_mass = from->rayleigh_mass;
    if ((bits & SIDECAR_RAYLEIGH) != 0) to->rayleigh_stiffness = from->rayleigh_stiffness;
    if ((bits & SIDECAR_DENSITY) != 0) to->density = from->density;
    if ((bits & SIDECAR_MASS) != 0) to->mass = from->mass;
    if ((bits & SIDECAR_HEIGHT) != 0) to->height = from->height;
    if ((bits & SIDECAR_POSE) != 0) take_pose(asked, s);
    if ((bits & SIDECAR_SKELETON) != 0) to->skeleton = from->skeleton;
    if ((bits & SIDECAR_INFER) != 0) to->infer_parents = from->infer_parents;
    asked->given |= bits;
    return bits;
}

bool studio_find_description(const char *path, const studio_asked *asked, char *out, size_t size)
{
    if (asked->description == NULL) return strcmp(path, "-") != 0 && sidecar_find(path, out, size);
    snprintf(out, size, "%s", asked->description);
    return strcmp(out, "none") != 0;
}

er_result studio_read_description(er_context *context, const char *path, const studio_asked *asked,
                                  studio_description **out)
{
    *out = NULL;
    studio_description *d = calloc(1, sizeof *d);
    if (d == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    bool there = studio_find_description(path, asked, d->path, sizeof d->path);
    er_result r = there ? sidecar_open(context, d->path, &d->sidecar) : ER_OK;
    if (there && r == ER_OK)
        *out = d;
    else
        free(d);
    return r;
}

er_result studio_describe(er_context *context, const char *path, studio_asked *asked, studio_description **out)
{
    studio_description *d = NULL;
    *out = NULL;
    er_result r = studio_read_description(context, path, asked, &d);
    if (d == NULL) return r;
    d->gives = lay_under(asked, &d->sidecar.settings);
    double density = er_file_is_rig(context, path) ? 0.0 : asked->rig.density;
    r = studio_blame(context, sidecar_set_densities(context, &d->sidecar.settings, density), d);
    if (r != ER_OK) {
        studio_description_close(d);
        return r;
    }
    asked->rig.change = &d->sidecar.settings.change;
    *out = d;
    return ER_OK;
}

void studio_description_close(studio_description *description)
{
    if (description != NULL) sidecar_close(&description->sidecar);
    free(description);
}

er_result studio_blame(er_context *context, er_result r, const studio_description *description)
{
    if (r == ER_OK || description == NULL) return r;
    char message[2048];
    snprintf(message, sizeof message, "%s", er_context_error(context));
    return er_fail(context, r, "described by %s: %s", description->path,
                   *message != '\0' ? message : er_result_name(r));
}
