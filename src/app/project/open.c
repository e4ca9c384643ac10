// Models and rig files opened by their paths, and a rig built of what was opened.
#include "app/project/open.h"

#include <stdlib.h>

#include <eigenrig/formats.h>

static void tell_notes(const project_listener *listener, const er_note *note, int count)
{
    for (int i = 0; i < count; ++i)
        project_tell(listener, note[i].kind, "%s", note[i].text);
}

er_result project_file_open(er_context *context, const char *path, const er_import_def *def,
                            const project_listener *listener, project_file *out)
{
    *out = (project_file){0};
    if (er_file_is_rig(context, path)) return er_file_read_rig(context, path, &out->model);
    er_result r = er_import_file(context, path, def, &out->scene);
    if (r == ER_OK) tell_notes(listener, out->scene->note, out->scene->note_count);
    return r;
}

void project_file_close(project_file *file)
{
    er_model_destroy(file->model);
    er_scene_destroy(file->scene);
    *file = (project_file){0};
}

er_result project_build_rig(er_context *context, const er_scene *scene, const project_asked *asked,
                            const project_description *described, const project_listener *listener, er_rig **out)
{
    er_affine *pose = NULL;
    er_rig_def def = asked->rig;
    *out = NULL;
    er_result r = project_read_pose(context, scene, asked, &pose);
    if (r != ER_OK) return project_blame(context, r, project_pose_is_described(asked) ? described : NULL);
    if (pose != NULL) def.pose_local = pose;
    r = er_rig_build(context, scene, &def, out);
    free(pose);
    if (r == ER_OK) tell_notes(listener, (*out)->note, (*out)->note_count);
    return project_blame(context, r, described);
}
