#include "cli/cli.h"

int run_view(er_context *context, options *o)
{
    viewer_def def = o->view;
    def.model = o->model;
    def.rig = o->rig;
    if (o->pose_file != NULL)
        return fail_usage("view",
                          "--pose takes rest, bind or CLIP@SECONDS here; a pose file is for the other commands");
    if (def.screenshot != NULL && def.frames == 0 && def.script == NULL)
        return fail_usage("view", "--screenshot wants --frames N or --script, so that there is a last frame");
    er_result r = viewer_run(context, &def);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}
