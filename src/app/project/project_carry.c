// Mixes carried from one model to another, and what is said about it.
#include "app/project/project_carry.h"

#include <stdlib.h>

#include "base/failure.h"

static void tell(const er_mix *mix, const er_mode_names *names, const er_carry_match *match,
                 const project_listener *listener)
{
    for (int i = 0; i < mix->component_count; ++i) {
        const er_mode_name *name = er_mode_names_at(names, mix->component[i].mode);
        const char *words = name != NULL ? name->name : "without a name";
        if (!match[i].carried)
            project_notify(listener, ER_NOTE_WARNING,
                           "mode %d (%s) of the mix has no counterpart in the model and is left out",
                           mix->component[i].mode, words);
        else
            project_notify(listener, ER_NOTE_FACT, "mode %d (%s) of the mix: %.0f %% of its motion is carried",
                           mix->component[i].mode, words, 100.0 * match[i].share);
    }
}

er_result project_carry_mix(er_context *context, const project_carry_rig *from, const er_mix *mix,
                            const project_carry_rig *to, const er_carry_def *def, const project_listener *listener,
                            er_mix **out)
{
    er_regions *regions[2] = {NULL};
    er_mode_names *names = NULL;
    er_mix *fitted = NULL;
    *out = NULL;
    er_carry_match *match = calloc((size_t)mix->component_count + 1, sizeof *match);
    er_result r = match != NULL ? ER_OK : eri_no_memory(context);
    if (r == ER_OK) r = er_regions_create(context, from->model, from->rig, from->body, &regions[0]);
    if (r == ER_OK) r = er_regions_create(context, to->model, to->rig, to->body, &regions[1]);
    if (r == ER_OK) r = er_mode_names_create(context, from->model, regions[0], from->modes, &names);
    if (r == ER_OK) r = er_mix_fit(context, from->model, from->modes, mix, NULL, &fitted);
    const er_carry_side was = {from->model, regions[0], from->modes}, now = {to->model, regions[1], to->modes};
    if (r == ER_OK) r = er_mix_carry(context, &was, fitted, &now, def, match, out);
    if (r == ER_OK) tell(fitted, names, match, listener);
    er_mix_destroy(fitted);
    er_mode_names_destroy(names);
    er_regions_destroy(regions[0]);
    er_regions_destroy(regions[1]);
    free(match);
    return r;
}

er_result project_carry_gait(er_context *context, const project_carry_rig *from, const er_gait *gait,
                             const project_carry_rig *to, const er_gait_def *paces, const er_carry_def *def,
                             const project_listener *listener, er_gaits **out)
{
    er_regions *regions[2] = {NULL};
    double share = 0.0;
    *out = NULL;
    er_result r = er_regions_create(context, from->model, from->rig, from->body, &regions[0]);
    if (r == ER_OK) r = er_regions_create(context, to->model, to->rig, to->body, &regions[1]);
    const er_carry_side was = {from->model, regions[0], from->modes}, now = {to->model, regions[1], to->modes};
    if (r == ER_OK) r = er_gait_carry(context, &was, gait, &now, to->rig, paces, def, &share, out);
    if (r == ER_OK)
        project_notify(listener, ER_NOTE_FACT, "%.0f %% of the motion of the %s is carried", 100.0 * share, gait->name);
    if (r == ER_OK && (*out)->gait[0].family != gait->family)
        project_notify(listener, ER_NOTE_WARNING, "the %s is a %s in this model", gait->name, (*out)->gait[0].name);
    er_regions_destroy(regions[0]);
    er_regions_destroy(regions[1]);
    return r;
}
