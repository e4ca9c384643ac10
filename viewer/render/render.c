// Checks options and writes a picture, a sheet, a strip or a film.
#include "viewer/render/render.h"

#include <math.h>
#include <stdlib.h>

#include "viewer/render/film.h"
#include "viewer/render/png.h"
#include "viewer/render/rig_sheet.h"
#include "viewer/render/sequence.h"
#include "viewer/render/sheet.h"
#include "viewer/render/strip.h"

enum { LEAST_SIZE = 16, MOST_SIZE = 8192, MOST_CELLS = 400, MOST_FRAMES = 100000 };

// The state of one call.
typedef struct job {
    er_context *context;
    const render_subject *subject;
    const render_def *def;
    canvas e;
    cell picture; // of all but sheets, strips and rigs
    sheet sheet;
    strip strip;
    rig_sheet rig;
    double duration; // s, 0 of a picture
    int frames;      // 0 of a picture
} job;

render_def render_default_def(void)
{
    return (render_def){.degrees = 20.0, .count = 20, .fps = 30.0, .mesh = true};
}

er_result render_check(er_context *context)
{
    draw_offscreen *offscreen = NULL;
    er_result r = draw_offscreen_create(context, &offscreen);
    draw_offscreen_destroy(offscreen);
    return r;
}

static bool is_in(double x, double low, double high)
{
    return x >= low && x <= high; // false for NaN
}

static er_result check(er_context *context, const render_def *d)
{
    bool sized = d->width == 0 && d->height == 0;
    if (!sized && !(is_in(d->width, LEAST_SIZE, MOST_SIZE) && is_in(d->height, LEAST_SIZE, MOST_SIZE)))
        return er_fail(context, ER_ERROR_ARGUMENT, "a picture of %d x %d is not possible; a side has %d to %d pixels",
                       d->width, d->height, LEAST_SIZE, MOST_SIZE);
    if (!is_in(d->fps, 1e-3, 1000.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second are not in [0.001, 1000]", d->fps);
    if (!is_in(d->duration, 0.0, 1000.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "a duration of %g s is not in (0, 1000]", d->duration);
    if (!is_in(d->degrees, 0.0, 180.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "an amplitude of %g degrees is not in [0, 180]", d->degrees);
    if (!is_in(d->count, 1, MOST_CELLS))
        return er_fail(context, ER_ERROR_ARGUMENT, "a sheet of %d cells is not possible; it has 1 to %d", d->count,
                       MOST_CELLS);
    if (!isfinite(d->phase) || !isfinite(d->time) || !isfinite(d->yaw) || !is_in(d->pitch, -0.5 * ER_PI, 0.5 * ER_PI))
        return er_fail(context, ER_ERROR_ARGUMENT, "phase, time and view must be finite, pitch in [-90, 90] degrees");
    if (!d->mesh && !d->skeleton) return er_fail(context, ER_ERROR_ARGUMENT, "neither mesh nor skeleton is shown");
    if (d->what == RENDER_MIX && d->mix == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a mix is NULL");
    if (d->what == RENDER_CLIP && d->clip == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a clip is NULL");
    if (d->clip != NULL && (d->body_node == NULL || !(d->clip->duration > 0.0)))
        return er_fail(context, ER_ERROR_ARGUMENT, "a clip to be drawn lasts some time, and needs nodes of bodies");
    if ((d->what == RENDER_GAIT || d->what == RENDER_STRIP) && (d->gaits == NULL || d->motion == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "a picture of gaits needs gaits and their motions");
    if (d->what == RENDER_RIG && d->body == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a picture of a rig needs the body that was read of it");
    return ER_OK;
}

// ---- time

// Whole frames, so that a loop closes.   @param natural  duration if none is given, s
static er_result set_time(job *j, double natural)
{
    double duration = j->def->duration > 0.0 ? j->def->duration : natural;
    double frames = fmax(round(duration * j->def->fps), 1.0);
    if (frames > MOST_FRAMES)
        return er_fail(j->context, ER_ERROR_ARGUMENT, "a film of %.0f frames is too long; %d are possible", frames,
                       MOST_FRAMES);
    j->frames = (int)frames;
    j->duration = frames / j->def->fps;
    return ER_OK;
}

static double natural_duration(const job *j, int mode)
{
    const er_mode *held = er_modes_find(j->subject->modes, mode);
    return held != NULL ? animation_period(held->frequency_hz) : 1.0;
}

static bool has_times(const render_def *d)
{
    return d->what == RENDER_MIX || d->what == RENDER_CLIP || d->what == RENDER_GAIT;
}

// ---- opening

// By default a film lasts as long as the clip.
static er_result make_clip_animation(job *j, bool moves, animation *s)
{
    er_result r = moves ? set_time(j, j->def->duration > 0.0 ? j->def->duration : j->def->clip->duration) : ER_OK;
    return r == ER_OK ? animation_of_clip(j->context, j->subject, j->def, s) : r;
}

static er_result make_animation(job *j, bool moves, animation *s)
{
    const render_def *d = j->def;
    er_result r = ER_OK;
    *s = animation_at_rest(j->subject->model);
    switch (d->what) {
    case RENDER_MODE:
        if (moves) r = set_time(j, natural_duration(j, d->mode));
        if (r == ER_OK)
            r = animation_of_mode(j->context, j->subject, d, d->mode, moves ? j->duration : 1.0, j->frames, s);
        return r;
    case RENDER_MIX: {
        render_def whole = *d;
        if (d->clip != NULL) return make_clip_animation(j, moves, s);
        if (moves && d->duration > 0.0) r = set_time(j, d->duration);
        if (moves && r == ER_OK) whole.duration = j->duration;
        if (r == ER_OK) r = animation_of_mix(j->context, j->subject, &whole, s);
        if (!moves || r != ER_OK || d->duration > 0.0) return r;
        r = set_time(j, s->duration);
        if (r != ER_OK || !s->motion->loops || fabs(j->duration - s->duration) < 1e-9) return r;
        whole.duration = j->duration; // its cycle is no whole number of frames
        animation_finish(s);
        return animation_of_mix(j->context, j->subject, &whole, s);
    }
    case RENDER_CLIP:
        return make_clip_animation(j, moves, s);
    case RENDER_GAIT: {
        const er_gait_motion *m = d->motion[0];
        if (moves) r = set_time(j, animation_period(1.0 / m->time[m->frame_count - 1]));
        *s = animation_of_gait(m, j->duration, j->frames);
        return r;
    }
    default:
        return moves ? set_time(j, 1.0) : ER_OK;
    }
}

static er_result open_picture(job *j, bool moves)
{
    const render_def *d = j->def;
    int width = d->width > 0 ? d->width : 960, height = d->width > 0 ? d->height : 720;
    er_result r = make_animation(j, moves, &j->picture.s);
    if (r == ER_OK) r = canvas_init(j->context, j->subject, d, width, height, 1.0, &j->e);
    if (r == ER_OK)
        r = cell_init(&j->e, d, j->picture.s, d->what == RENDER_MODE ? d->mode : -1, (double)width / height,
                      &j->picture);
    return r;
}

static er_result open_sheet(job *j, bool moves)
{
    int first, count = sheet_modes(j->subject->modes, &first);
    if (count == 0)
        return er_fail(j->context, ER_ERROR_ARGUMENT, "the rig has no elastic mode, so there is no sheet to draw");
    sheet_plan plan = sheet_layout(j->def, count < j->def->count ? count : j->def->count);
    er_result r = moves ? set_time(j, animation_period(j->subject->modes->mode[first].frequency_hz)) : ER_OK;
    if (r == ER_OK) r = canvas_init(j->context, j->subject, j->def, plan.width, plan.height, plan.scale, &j->e);
    if (r == ER_OK) r = sheet_init(&j->e, j->subject, j->def, &plan, moves ? j->duration : 1.0, j->frames, &j->sheet);
    return r;
}

// A page that never moves.
static bool is_still(render_what what)
{
    return what == RENDER_STRIP || what == RENDER_RIG;
}

static er_result open_still(job *j)
{
    bool rig = j->def->what == RENDER_RIG;
    er_result r = rig ? rig_sheet_layout(j->context, j->subject, j->def, &j->rig)
                      : strip_layout(j->context, j->subject, j->def, &j->strip);
    if (r != ER_OK) return r;
    return canvas_init(j->context, j->subject, j->def, rig ? j->rig.width : j->strip.width,
                       rig ? j->rig.height : j->strip.height, 1.0, &j->e);
}

static er_result open_what(job *j, bool moves)
{
    return is_still(j->def->what)         ? open_still(j)
           : j->def->what == RENDER_SHEET ? open_sheet(j, moves)
                                          : open_picture(j, moves);
}

static er_result draw(job *j, double time)
{
    er_result r = ER_OK;
    if (j->def->what == RENDER_SHEET)
        r = sheet_draw(&j->e, &j->sheet, time);
    else if (j->def->what == RENDER_STRIP)
        strip_draw(&j->e, &j->strip);
    else if (j->def->what == RENDER_RIG)
        rig_sheet_draw(&j->e, &j->rig);
    else
        r = cell_draw(&j->e, &j->picture, time, 0, 0, j->e.width, j->e.height);
    if (r == ER_OK) canvas_read(&j->e);
    return r;
}

// ---- writing

static er_result write_film(job *j, const char *path)
{
    const render_def *d = j->def;
    film_def def = {path, j->e.width, j->e.height, d->fps, d->transparent};
    film *f = NULL;
    j->e.style.draft = er_path_ends_in(path, ".gif"); // 256 colours hide the difference, and it takes half the time
    er_result r = film_open(j->context, &def, &f);
    if (r != ER_OK) return r;
    for (int i = 0; i < j->frames && r == ER_OK; ++i) {
        r = draw(j, i / d->fps);
        if (r == ER_OK) r = film_frame(f, j->e.rgba);
        if (r == ER_OK && d->progress != NULL && !d->progress(d->user, i + 1, j->frames))
            r = er_fail(j->context, ER_ERROR_ARGUMENT, "%s: the film was ended after %d of %d frames", path, i + 1,
                        j->frames);
    }
    er_result closed = film_close(f, r == ER_OK);
    return r != ER_OK ? r : closed;
}

static er_result write_picture(job *j, const char *path)
{
    er_result r = draw(j, has_times(j->def) ? j->def->time : 0.0);
    return r == ER_OK ? png_write(j->context, j->e.width, j->e.height, j->e.rgba, path) : r;
}

static render_report report_of(const job *j, const char *path)
{
    bool many = j->def->what == RENDER_SHEET;
    int count = many ? j->sheet.plan.count : 1;
    const cell *shown = many ? j->sheet.cell : &j->picture;
    render_report report = {.width = j->e.width,
                            .height = j->e.height,
                            .frames = j->frames > 0 ? j->frames : 1,
                            .duration = j->duration,
                            .cells = many ? count : 0,
                            .texture_side = draw_model_texture_side(j->e.drawn),
                            .share = 1.0};
    for (int i = 0; i < count; ++i) {
        report.share = fmin(report.share, shown[i].s.share);
        if (report.slowed == 0.0) report.slowed = shown[i].s.slowed; // modes ascend
    }
    film_def target = {path, j->e.width, j->e.height, j->def->fps, j->def->transparent};
    if (film_is_path(path)) film_size(&target, &report.width, &report.height);
    report.stale = j->frames > 0 && sequence_goes_on(path, j->frames);
    return report;
}

er_result render_write(er_context *context, const render_subject *subject, const render_def *def, const char *path,
                       render_report *report)
{
    job j = {.context = context, .subject = subject, .def = def, .picture.s.share = 1.0};
    bool moves = film_is_path(path) && !is_still(def->what);
    er_result r = check(context, def);
    if (r == ER_OK) r = open_what(&j, moves);
    if (r == ER_OK) r = moves ? write_film(&j, path) : write_picture(&j, path);
    if (r == ER_OK && report != NULL) *report = report_of(&j, path);
    cell_finish(&j.picture);
    sheet_finish(&j.sheet);
    strip_finish(&j.strip);
    rig_sheet_finish(&j.rig);
    canvas_finish(&j.e);
    return r;
}
