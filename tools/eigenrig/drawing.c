// Draws a loaded model: a picture or film, and the contact sheet.
#include <stdlib.h>

#include "tools/eigenrig/cli.h"

void write_subtitle(const options *o, const loaded *l, char text[256])
{
    bool own = l->rig == NULL && !(o->asked.given & GIVEN_STIFFNESS); // the file's
    render_subtitle(l->model, l->rig, own ? NULL : &o->asked.rig.stiffness, text);
}

er_result draw_picture(er_context *context, const loaded *l, const er_modes *modes, const render_def *def,
                       const char *path, render_report *report)
{
    project_target s;
    er_result r = project_target_set(context, l->model, l->rig, l->world, &s);
    if (r == ER_OK) r = project_target_filter(context, l->meshes, &s);
    render_subject subject = {&s.target, l->model, modes};
    render_def as_named = *def;
    er_mode_names *names = NULL;
    er_mode_bound *bound = NULL;
    if (r == ER_OK && def->what == RENDER_SHEET) r = project_name_modes(context, l->model, l->rig, NULL, modes, &names);
    as_named.names = names;
    if (r == ER_OK && def->degrees == 0.0 && (def->what == RENDER_SHEET || def->what == RENDER_MODE))
        r = project_bound_modes(context, l->model, l->rig, modes, &bound);
    as_named.bound = bound;
    as_named.scenery = l->meshes != NULL || l->world != NULL;
    as_named.world = l->world != NULL;
    if (l->world != NULL) as_named.body_node = s.body_node;
    if (r == ER_OK) r = render_write(context, &subject, &as_named, path, report);
    project_target_clear(&s);
    er_mode_names_destroy(names);
    free(bound);
    return r;
}

er_result write_sheet(er_context *context, const options *o, const loaded *l, const er_modes *modes, const char *path)
{
    char subtitle[256];
    render_def def = render_default_def();
    render_report report;
    bool elastic = false;
    for (int k = 0; k < modes->count; ++k)
        elastic |= modes->mode[k].kind == ER_MODE_ELASTIC;
    if (!elastic) print_warning(o, "none of its %d modes is elastic, so no sheet was drawn", modes->count);
    if (!elastic) return ER_OK;
    write_subtitle(o, l, subtitle);
    def.what = RENDER_SHEET;
    def.degrees = o->amplitude;
    def.subtitle = subtitle;
    er_result r = draw_picture(context, l, modes, &def, path, &report);
    project_listener listener = listener_of(o);
    if (r == ER_OK) render_warn(&def, &report, &listener);
    return r;
}
