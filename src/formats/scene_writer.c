// Options and arguments of the writers of scenes.
#include "formats/scene_writer.h"

er_export_def er_default_export_def(void)
{
    return (er_export_def){.tag = ER_DEF_TAG};
}

er_result eri_scene_writer_check(er_context *context, const char *call, const er_scene *scene, int clip_count,
                                 const er_clip *clip, const er_export_def **def, const char *path)
{
    static const er_export_def plain = {.tag = ER_DEF_TAG};
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (*def == NULL) *def = &plain;
    if ((*def)->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: take er_default_export_def(), then change fields", call);
    if (scene == NULL || path == NULL || clip_count < 0 || (clip_count > 0 && clip == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s needs a scene, %d clips and a path", call, clip_count);
    return ER_OK;
}
