#include "studio/open.h"

#include <eigenrig/file.h>

er_result studio_file_open(er_context *context, const char *path, const er_import_def *def, studio_file *out)
{
    *out = (studio_file){0};
    if (er_file_is_rig(context, path)) return er_file_read_rig(context, path, &out->model);
    return er_import_file(context, path, def, &out->scene);
}

void studio_file_close(studio_file *file)
{
    er_model_destroy(file->model);
    er_scene_destroy(file->scene);
    *file = (studio_file){0};
}
