// Pictures and films of what plays, drawn as eigenrig render draws them.
#include <math.h>

#include "app/session/worker.h"
#include "viewer/render/render.h"
#include "viewer/window/parts.h"

typedef struct drawing {
    er_context *context;
    render_subject subject;
    render_def def;
    const char *path;
    er_result result;
} drawing;

static void work(void *user)
{
    drawing *d = user;
    d->result = render_write(d->context, &d->subject, &d->def, d->path, NULL);
}

// A thread of its own has an OpenGL context of its own, so the window's stays current here.
static er_result draw_in_thread(app *a, drawing *d)
{
    worker *w = NULL;
    er_result r = worker_create(a->context, work, d, &w);
    if (r != ER_OK) return r;
    worker_begin(w);
    worker_wait(w, HUGE_VAL);
    worker_destroy(w);
    return d->result;
}

static er_result choose_motion(app *a, render_def *def, er_mix **mix)
{
    const er_rig *rig = session_rig(a->session);
    if (a->gait.shown >= 0 || a->simulate.shown)
        return er_fail(a->context, ER_ERROR_ARGUMENT,
                       "pictures here are of mixes, clips, sheets and readings; eigenrig render draws gaits and "
                       "simulations");
    er_result r = session_played(a->session, mix, &def->clip, &def->plant, &def->plant_count);
    if (r != ER_OK) return r;
    def->body_node = rig != NULL ? rig->body_node : NULL;
    def->mix = *mix;
    def->what = *mix != NULL ? RENDER_MIX : def->clip != NULL ? RENDER_CLIP : RENDER_REST;
    def->view = RENDER_VIEW_GIVEN;
    def->yaw = a->view.camera.yaw;
    def->pitch = a->view.camera.pitch;
    return ER_OK;
}

er_result picture_write(app *a, picture_kind kind, double fps, double duration, const char *path)
{
    er_mix *mix = NULL;
    er_result r = ER_OK;
    drawing d = {a->context,
                 {session_target(a->session), session_model(a->session), session_modes(a->session)},
                 render_default_def(),
                 path,
                 ER_OK};
    d.def.dark = a->dark;
    d.def.mesh = a->view.style.mesh;
    d.def.skeleton = a->view.style.skeleton;
    d.def.fps = fps;
    d.def.duration = duration;
    d.def.world = session_is_world(a->session);
    if (kind == PICTURE_PLAYED) r = choose_motion(a, &d.def, &mix);
    if (kind == PICTURE_SHEET) {
        d.def.what = RENDER_SHEET;
        d.def.names = session_names(a->session);
    }
    if (kind == PICTURE_READING) {
        d.def.what = RENDER_RIG;
        d.def.body = session_gait_body(a->session);
        if (d.def.body == NULL) r = er_fail(a->context, ER_ERROR_ARGUMENT, "the body of this rig cannot be read");
    }
    if (r == ER_OK) r = render_check_path(a->context, &d.def, path);
    if (r == ER_OK) r = draw_in_thread(a, &d);
    er_mix_destroy(mix);
    return r;
}
