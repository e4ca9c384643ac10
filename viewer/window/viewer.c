// The app as the client of a window.
#include "viewer/window/viewer.h"

#include "viewer/window/app.h"

typedef struct visit {
    er_context *context;
    const viewer_def *def;
    app *app;
    int idle; // frames since the script ended
} visit;

viewer_def viewer_default_def(void)
{
    return (viewer_def){.asked = project_default_request(), .width = 1440, .height = 900};
}

static er_result begin(void *user, double scale, const app_host *host)
{
    visit *v = user;
    return app_create(v->context, v->def, scale, host, &v->app);
}

static void end(void *user)
{
    app_destroy(((visit *)user)->app);
}

static void event(void *user, const gui_event *event)
{
    app_event(((visit *)user)->app, event);
}

static void drop(void *user, const char *path)
{
    app_drop(((visit *)user)->app, path);
}

static void focus(void *user, bool focused)
{
    app_focus(((visit *)user)->app, focused);
}

static er_result frame(void *user, int width, int height, double scale, double seconds)
{
    visit *v = user;
    er_result r = app_frame(v->app, width, height, scale, seconds);
    v->idle = app_script_ended(v->app) ? v->idle + 1 : 0;
    return r;
}

static bool is_moving(void *user)
{
    return app_is_moving(((visit *)user)->app);
}

static bool is_over(void *user)
{
    const visit *v = user;
    bool played = v->def->frames == 0 && v->def->script != NULL && app_script_ended(v->app) && v->idle >= 2;
    return app_wants_end(v->app) || played;
}

static const char *title(void *user)
{
    return app_title(((visit *)user)->app);
}

er_result viewer_run(er_context *context, const viewer_def *def)
{
    visit v = {.context = context, .def = def};
    const window_client client = {&v, begin, end, event, drop, focus, frame, is_moving, is_over, title};
    const window_def window = {.width = def->width,
                               .height = def->height,
                               .frames = def->frames,
                               .scripted = def->script != NULL || def->frames > 0,
                               .screenshot = def->screenshot,
                               .instead = "without a window, eigenrig render makes pictures and films"};
    return window_run(context, &window, &client);
}
