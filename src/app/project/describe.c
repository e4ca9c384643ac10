// A model's description: found beside it, read, and laid under what the caller asked for.
#include "app/project/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

project_asked project_default_asked(void)
{
    return (project_asked){.rig = er_default_rig_def()};
}

static void take_pose(project_asked *asked, const description_settings *s)
{
    asked->rig.pose = s->rig.pose;
    asked->rig.pose_clip = s->rig.pose_clip;
    asked->rig.pose_time = s->rig.pose_time;
    asked->pose_file = s->pose_file;
    asked->pose_in = s->pose_in;
    asked->pose_named = s->pose_named;
    asked->place = s->place;
    asked->place_count = s->place_count;
}

// @return  the bits of what it gives
static unsigned lay_under(project_asked *asked, const description_settings *s)
{
    unsigned bits = s->given & ~asked->given;
    const er_rig_def *from = &s->rig;
    er_rig_def *to = &asked->rig;
    if ((bits & DESCRIPTION_ROOT) != 0) to->root = from->root;
    if ((bits & DESCRIPTION_JOINTS) != 0) to->joints = from->joints;
    if ((bits & DESCRIPTION_STIFFNESS) != 0) to->stiffness = from->stiffness;
    if ((bits & DESCRIPTION_DAMPING) != 0) to->damping_ratio = from->damping_ratio;
    if ((bits & DESCRIPTION_RAYLEIGH) != 0) to->rayleigh_mass = from->rayleigh_mass;
    if ((bits & DESCRIPTION_RAYLEIGH) != 0) to->rayleigh_stiffness = from->rayleigh_stiffness;
    if ((bits & DESCRIPTION_DENSITY) != 0) to->density = from->density;
    if ((bits & DESCRIPTION_MASS) != 0) to->mass = from->mass;
    if ((bits & DESCRIPTION_HEIGHT) != 0) to->height = from->height;
    if ((bits & DESCRIPTION_POSE) != 0) take_pose(asked, s);
    if ((bits & DESCRIPTION_SKELETON) != 0) to->skeleton = from->skeleton;
    if ((bits & DESCRIPTION_INFER) != 0) to->infer_parents = from->infer_parents;
    if ((bits & DESCRIPTION_PROPS) != 0) to->props = from->props;
    if ((bits & DESCRIPTION_FEET) != 0) asked->feet = s->feet;
    if ((bits & DESCRIPTION_PLANT) != 0) asked->plant = s->plant;
    if ((bits & DESCRIPTION_FORWARD) != 0) asked->forward = s->forward;
    if ((bits & DESCRIPTION_HANG) != 0) {
        to->hang = from->hang;
        to->hang_count = from->hang_count;
    }
    asked->given |= bits;
    return bits;
}

bool project_find_description(const char *path, const project_asked *asked, char *out, size_t size)
{
    if (asked->description == NULL) return strcmp(path, "-") != 0 && description_find(path, out, size);
    snprintf(out, size, "%s", asked->description);
    return strcmp(out, "none") != 0;
}

er_result project_read_description(er_context *context, const char *path, const project_asked *asked,
                                   project_description **out)
{
    *out = NULL;
    project_description *d = calloc(1, sizeof *d);
    if (d == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    bool there = project_find_description(path, asked, d->path, sizeof d->path);
    unsigned how =
        (asked->description == NULL ? DESCRIPTION_BESIDE : 0u) | (asked->allow_outside ? DESCRIPTION_OUTSIDE : 0u);
    er_result r = there ? description_open(context, d->path, how, &d->open_description) : ER_OK;
    if (there && r == ER_OK)
        *out = d;
    else
        free(d);
    return r;
}

er_result project_describe(er_context *context, const char *path, project_asked *asked, project_description **out)
{
    project_description *d = NULL;
    *out = NULL;
    er_result r = project_read_description(context, path, asked, &d);
    if (d == NULL) return r;
    d->gives = lay_under(asked, &d->open_description.settings);
    double density = er_file_is_rig(context, path) ? 0.0 : asked->rig.density;
    r = project_blame(context, description_set_densities(context, &d->open_description.settings, density), d);
    if (r != ER_OK) {
        project_description_close(d);
        return r;
    }
    asked->rig.change = &d->open_description.settings.change;
    *out = d;
    return ER_OK;
}

void project_description_close(project_description *description)
{
    if (description != NULL) description_close(&description->open_description);
    free(description);
}

er_result project_blame(er_context *context, er_result r, const project_description *description)
{
    if (r == ER_OK || description == NULL) return r;
    char message[2048];
    snprintf(message, sizeof message, "%s", er_context_error(context));
    return er_fail(context, r, "described by %s: %s", description->path,
                   *message != '\0' ? message : er_result_name(r));
}
