// Motions added to a gait: a mix, a clip for all but the legs, planted bodies, and the number of strides for them.
#include <stdlib.h>

#include "app/project/project_parts.h"
#include "base/failure.h"
#include "tools/eigenrig/cli.h"

bool is_layered(const options *o, const er_mix *mix)
{
    return mix != NULL || o->over != NULL || o->plant_given;
}

static er_result fit(er_context *context, const loaded *l, const er_modes *modes, const project_listener *listener,
                     er_mix **mix)
{
    er_mix *fitted = NULL;
    er_result r = project_fit_mix(context, l->model, l->rig, modes, *mix, listener, &fitted);
    if (r != ER_OK) return r;
    er_mix_destroy(*mix);
    *mix = fitted;
    return r;
}

// The bodies of --parts.   @param out  [body_count], for free()
static er_result find_layer_parts(er_context *context, const options *o, const loaded *l, bool **out)
{
    er_regions *regions = NULL;
    er_result r = er_regions_create(context, l->model, l->rig, &o->gait, &regions);
    if (r != ER_OK) return r;
    *out = calloc((size_t)l->model->body_count + 1, sizeof **out);
    r = *out == NULL ? eri_no_memory(context)
                     : project_find_parts(context, l->model, regions, "--parts", o->layer_parts, true, *out);
    er_regions_destroy(regions);
    return r;
}

er_result lay_on_gait(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                      const er_gaits *gaits, const er_gait *gait, er_mix **mix, layered *out)
{
    project_listener listener = listener_of(o);
    project_plants plants = {0};
    const er_clip *over = NULL;
    bool *part = NULL;
    er_result r = project_find_over(context, l->scene, o->over, &listener, &over);
    if (r == ER_OK && o->layer_parts != NULL) r = find_layer_parts(context, o, l, &part);
    if (r == ER_OK && *mix != NULL) r = fit(context, l, modes, &listener, mix);
    if (r == ER_OK) r = project_find_plants(context, l->model, l->rig, o->asked.plant, &o->gait, &plants);
    const project_layer layer = {l->rig, modes,   gaits->body,      gait, o->motion.duration, *mix,
                                 over,   &plants, o->recording.fps, part};
    if (r == ER_OK) r = project_layer_gait(context, &layer, &listener, &out->motion, &out->top, &out->strides);
    project_plants_clear(&plants);
    free(part);
    return r;
}

void layered_clear(layered *laid)
{
    er_gait_motion_destroy(laid->motion);
    er_motion_destroy(laid->top);
    *laid = (layered){0};
}
