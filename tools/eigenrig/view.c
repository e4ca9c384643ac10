// `eigenrig view`: the window.
#include "tools/eigenrig/cli.h"

int run_view(er_context *context, options *o)
{
    viewer_def def = o->view;
    def.model = o->model;
    def.asked = o->asked;
    if (o->output != NULL) return fail_usage("view", "view writes no \"%s\"; a picture is --screenshot", o->output);
    if (def.screenshot != NULL && def.frames == 0 && def.script == NULL)
        return fail_usage("view", "--screenshot wants --frames N or --script, so that there is a last frame");
    er_result r = viewer_run(context, &def);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}
