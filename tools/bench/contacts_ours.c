// Scenes of contact in a world of ours.
#include <stdio.h>
#include <stdlib.h>

#include "tools/bench/contacts.h"

typedef struct ours {
    er_world *world;
    double step;
    long taken;
    int body_count;
} ours;

static void destroy(void *self)
{
    ours *o = self;
    er_world_destroy(o->world);
    free(o);
}

static void *create(er_context *context, const bench_contact_scene *scene, double step, char *why, size_t size)
{
    er_world_def def = er_default_world_def();
    ours *o = calloc(1, sizeof *o);
    snprintf(why, size, "there is no memory");
    if (o == NULL) return NULL;
    o->step = step;
    o->body_count = scene->model->body_count;
    def.model = scene->model;
    def.gravity = scene->gravity;
    def.shape_count = scene->shape_count;
    def.shape = scene->shape;
    def.integrator = ER_INTEGRATE_CONTACT;
    def.contact.threads = scene->threads;
    def.max_step = step * (1.0 + 1e-9); // multiples of it are apart by that, to rounding
    if (er_world_create(context, &def, &o->world) == ER_OK) return o;
    snprintf(why, size, "%s", er_context_error(context));
    destroy(o);
    return NULL;
}

static bool advance(void *self)
{
    ours *o = self;
    return er_world_advance(o->world, o->step * (double)++o->taken, NULL) == ER_OK;
}

static void poses(void *self, er_pose *pose)
{
    const ours *o = self;
    for (int b = 0; b < o->body_count; ++b)
        pose[b] = er_world_pose(o->world)[b];
}

static er_contact_times times(void *self, int *rows)
{
    const ours *o = self;
    *rows = 3 * er_world_contact_count(o->world);
    return er_world_contact_times(o->world);
}

const bench_engine bench_contacts_ours = {"eigenrig", create, destroy, advance, poses, times};
