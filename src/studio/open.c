#include "studio/open.h"

#include <stdlib.h>

#include <eigenrig/file.h>

static void tell_notes(const studio_listener *listener, const er_note *note, int count)
{
    for (int i = 0; i < count; ++i)
        studio_tell(listener, note[i].kind, "%s", note[i].text);
}

er_result studio_file_open(er_context *context, const char *path, const er_import_def *def,
                           const studio_listener *listener, studio_file *out)
{
    *out = (studio_file){0};
    if (er_file_is_rig(context, path)) return er_file_read_rig(context, path, &out->model);
    er_result r = er_import_file(context, path, def, &out->scene);
    if (r == ER_OK) tell_notes(listener, out->scene->note, out->scene->note_count);
    return r;
}

void studio_file_close(studio_file *file)
{
    er_model_destroy(file->model);
    er_scene_destroy(file->scene);
    *file = (studio_file){0};
}

er_result studio_build_rig(er_context *context, const er_scene *scene, const studio_asked *asked,
                           const studio_description *described, const studio_listener *listener, er_rig **out)
{
    er_affine *pose = NULL;
    er_rig_def def = asked->rig;
    *out = NULL;
    er_result r = studio_read_pose(context, scene, asked, &pose);
    if (r != ER_OK) return studio_blame(context, r, asked->place_count > 0 ? described : NULL);
    if (pose != NULL) def.pose_local = pose;
    r = er_rig_build(context, scene, &def, out);
    free(pose);
    if (r == ER_OK) tell_notes(listener, (*out)->note, (*out)->note_count);
    return studio_blame(context, r, described);
}
