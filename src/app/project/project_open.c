// Opens models and rig files, and builds the rig of a model.
#include "app/project/project_open.h"

#include <stdint.h>
#include <stdlib.h>

#include <eigenrig/formats.h>
#include <eigenrig/gait.h>

static void tell_notes(const project_listener *listener, const er_note *note, int count)
{
    for (int i = 0; i < count; ++i)
        project_notify(listener, note[i].kind, "%s", note[i].text);
}

static void tell_slip(void *user, const char *text)
{
    project_notify(user, ER_NOTE_WARNING, "%s", text);
}

static er_result open_world(er_context *context, const char *path, const project_listener *listener, project_file *out)
{
    const er_rig_change none = er_default_rig_change();
    er_result r = er_world_file_read(context, path, &out->world);
    if (r == ER_OK) r = er_rig_change_model(context, out->world->model, &none, &out->model);
    if (r == ER_OK)
        tell_notes(listener, out->world->note, out->world->note_count);
    else
        project_file_close(out);
    return r;
}

er_result project_file_open(er_context *context, const char *path, const er_import_def *def,
                            const project_listener *listener, project_file *out)
{
    *out = (project_file){0};
    bool rig = er_file_is_rig(context, path);
    if (er_path_ends_in(path, ".cfg") || (rig && er_file_is_world(context, path)))
        return open_world(context, path, listener, out);
    if (rig) return er_rig_file_read(context, path, tell_slip, (void *)(uintptr_t)listener, &out->model);
    er_result r = er_import_file(context, path, def, &out->scene);
    if (r == ER_OK) tell_notes(listener, out->scene->note, out->scene->note_count);
    return r;
}

void project_file_close(project_file *file)
{
    er_model_destroy(file->model);
    er_scene_destroy(file->scene);
    er_world_file_destroy(file->world);
    *file = (project_file){0};
}

// Keeps the rest pose, which viewers show, unless the model cannot stand in it. Gaits take the best pose.
static er_result choose_pose(er_context *context, const project_request *request, const er_rig_def *def,
                             const project_listener *listener, er_rig **rig)
{
    const double none = 0.5, much = 0.3, better = 0.1;
    er_gait_stand stand;
    er_result r = er_gait_find_stand(context, *rig, def, NULL, &stand);
    if (r != ER_OK || stand.rig == NULL) return r;
    const char *name = stand.pose == ER_POSE_BIND ? "bind" : stand.clip, *at = stand.clip != NULL ? "@0" : "";
    double gain = stand.stance - stand.at_rest;
    bool takes = request->walks ? gain > better : stand.at_rest < none && gain > much;
    if (takes) {
        project_notify(listener, ER_NOTE_WARNING,
                       "the rest pose is %s to stand in (%.2f of 1), so \"%s%s\" is taken (%.2f); --pose rest keeps it",
                       stand.at_rest < none ? "no pose" : "not the best pose", stand.at_rest, name, at, stand.stance);
        er_rig_destroy(*rig);
        *rig = stand.rig;
        return ER_OK;
    }
    if (gain > better)
        project_notify(listener, ER_NOTE_FACT,
                       "\"%s%s\" is a better pose to stand in than rest (%.2f of 1, not %.2f); "
                       "--pose takes it",
                       name, at, stand.stance, stand.at_rest);
    er_rig_destroy(stand.rig);
    return ER_OK;
}

// A fixed root makes the world one side of each joint, which stiffens a graded law that nobody chose for it.
static void tell_fixed(const project_request *request, const project_listener *listener)
{
    bool chosen = (request->given & GIVEN_STIFFNESS) != 0;
    if (request->rig.root == ER_ROOT_FIXED && !chosen)
        project_notify(listener, ER_NOTE_WARNING,
                       "the root is fixed, so the default stiffness is higher than with a free root, because the world "
                       "is one side of each joint; --stiffness sets the law");
}

er_result project_build_rig(er_context *context, const er_scene *scene, const project_request *request,
                            const project_description *described, const project_listener *listener, er_rig **out)
{
    er_affine *pose = NULL;
    er_rig_def def = request->rig;
    *out = NULL;
    er_result r = project_read_pose(context, scene, request, &pose);
    if (r != ER_OK) return project_cite_description(context, r, project_pose_is_described(request) ? described : NULL);
    if (pose != NULL) def.pose_local = pose;
    r = er_rig_build(context, scene, &def, out);
    free(pose);
    bool said = def.pose != ER_POSE_REST || (request->given & GIVEN_POSE) != 0;
    if (r == ER_OK) tell_fixed(request, listener);
    if (r == ER_OK && !said) r = choose_pose(context, request, &def, listener, out);
    if (r == ER_OK) tell_notes(listener, (*out)->note, (*out)->note_count);
    return project_cite_description(context, r, described);
}
