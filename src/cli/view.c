#include <stdlib.h>

#include "cli/cli.h"

// The pose that --pose FILE gives the model's nodes.
static er_result read_pose(er_context *context, const options *o, er_affine **out)
{
    er_scene *scene = NULL;
    er_result r = er_import_file(context, o->model, NULL, &scene);
    if (r != ER_OK) return r;
    *out = calloc((size_t)scene->node_count + 1, sizeof **out);
    r = *out != NULL ? er_file_read_pose(context, o->pose_file, scene, *out)
                     : er_fail(context, ER_ERROR_MEMORY, "out of memory");
    er_scene_destroy(scene);
    return r;
}

int run_view(er_context *context, options *o)
{
    viewer_def def = o->view;
    def.model = o->model;
    def.rig = o->rig;
    if (o->output != NULL) return fail_usage("view", "view writes no \"%s\"; a picture is --screenshot", o->output);
    if (def.screenshot != NULL && def.frames == 0 && def.script == NULL)
        return fail_usage("view", "--screenshot wants --frames N or --script, so that there is a last frame");
    er_affine *pose = NULL;
    er_result r = o->pose_file != NULL && o->model != NULL ? read_pose(context, o, &pose) : ER_OK;
    def.rig.pose_local = pose;
    if (r == ER_OK) r = viewer_run(context, &def);
    free(pose);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}
