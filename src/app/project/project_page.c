// Which modes a page has, and how far they swing.
#include "app/project/project_page.h"

#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/project_modes.h"
#include "base/failure.h"

bool project_pages_modes(const er_model *model, const char *path)
{
    return model->loop_count == 0 && er_path_ends_in(path, ".html") && strstr(path, "{clip}") == NULL;
}

er_result project_write_page(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                             const er_mode_names *names, bool whole_body, double degrees,
                             const er_recording_target *target, bool only_new, const char *path, int *count)
{
    er_mode_bound *bound = NULL;
    er_export_def def = er_default_export_def();
    double *amplitude = calloc((size_t)modes->count + 1, sizeof *amplitude);
    er_result r = amplitude != NULL ? ER_OK : eri_no_memory(context);
    def.drop_clips = only_new;
    *count = 0;
    if (r == ER_OK && degrees == 0.0) r = project_bound_modes(context, model, rig, modes, &bound);
    for (int k = 0; k < modes->count && r == ER_OK; ++k) {
        bool shown =
            modes->mode[k].kind == ER_MODE_ELASTIC && (!whole_body || names == NULL || names->mode[k].whole_body);
        if (shown) amplitude[k] = bound != NULL ? bound[k].degrees : degrees;
        *count += amplitude[k] > 0.0;
    }
    const er_page_modes page = {model, target, modes, amplitude, names};
    if (r == ER_OK) r = er_page_write_modes(context, target->scene, &page, 0, NULL, &def, path);
    free(bound);
    free(amplitude);
    return r;
}
