// Names of a model's modes.
#include "app/project/project_names.h"

er_result project_read_regions(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                               er_regions **out)
{
    *out = NULL;
    if (model->body_count > ER_MIRROR_MAX_BODIES) return ER_OK;
    er_result r = er_regions_create(context, model, rig, def, out);
    return r == ER_ERROR_MEMORY ? r : ER_OK;
}

er_result project_name_modes(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                             const er_modes *modes, er_mode_names **out)
{
    er_regions *regions = NULL;
    *out = NULL;
    er_result r = project_read_regions(context, model, rig, def, &regions);
    if (r == ER_OK && regions != NULL) r = er_mode_names_create(context, model, regions, modes, out);
    er_regions_destroy(regions);
    return r == ER_ERROR_MEMORY ? r : ER_OK;
}
