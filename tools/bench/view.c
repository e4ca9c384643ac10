// Measures frames a second without a window, and the part of a frame that is ours rather than OpenGL's.
#include <math.h>
#include <stdlib.h>

#include <eigenrig/modal.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

#include "base/platform.h"
#include "tools/bench/bench.h"
#include "tools/bench/skin.h"
#include "viewer/draw/draw.h"
#include "viewer/window/app.h"

enum { WIDTH = 1280, HEIGHT = 720, COPIES = 100, ACROSS = 10, WARM_UP = 30, LEAST_FRAMES = 60, MOST_FRAMES = 100000 };
static const double enough = 3.0, fps = 60.0; // s, of a row; frames a second of the motion

typedef struct setup {
    er_context *context;
    char path[64]; // of the model
    draw_offscreen *offscreen;
    painter *painter;
    draw_target *target, *window; // the second with one sample a pixel, as windows have
    er_scene *scene;
    er_rig *rig;
    er_modes *modes;
    er_motion *motion;
    draw_model *model;
    er_pose *pose; // [body_count]
    int copies, frame;
    app *app;
    viewer_def viewer;
    bool dragged;
    double grip[2]; // where the gizmo was taken, points
} setup;

typedef struct figures {
    int frames;
    double per_second, own_ms; // processor time of this thread, without OpenGL's
    double cpu_ms;             // of all threads, with OpenGL's
} figures;

// ---- the scene

static er_result write_model(setup *t, int bodies)
{
    er_model *model = NULL;
    snprintf(t->path, sizeof t->path, "/tmp/eigenrig-bench-%d.glb", eri_platform_process());
    er_result r = bench_rig_create(t->context, BENCH_CHARACTER, bodies, &model);
    if (r == ER_OK) r = bench_skin_write(t->context, model, t->path);
    er_model_destroy(model);
    return r;
}

// The lowest elastic modes, all at once.
static er_result mix_modes(setup *t)
{
    enum { COMPONENTS = 8 };
    er_mix_component component[COMPONENTS];
    er_mix mix = {.name = "", .component = component};
    for (int k = 0; k < t->modes->count && mix.component_count < COMPONENTS; ++k) {
        if (t->modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        component[mix.component_count] = er_default_mix_component();
        component[mix.component_count].mode = k;
        component[mix.component_count++].degrees = 8.0;
    }
    return er_motion_create(t->context, t->rig->model, t->modes, &mix, NULL, &t->motion);
}

static er_result open_scene(setup *t)
{
    er_result r = er_import_file(t->context, t->path, NULL, &t->scene);
    if (r == ER_OK) r = er_rig_build(t->context, t->scene, NULL, &t->rig);
    if (r == ER_OK) r = er_modal_solve(t->context, t->rig->model, NULL, &t->modes);
    if (r == ER_OK) r = mix_modes(t);
    if (r != ER_OK) return r;
    er_recording_target target = er_rig_target(t->rig);
    t->pose = calloc((size_t)t->rig->model->body_count, sizeof *t->pose);
    if (t->pose == NULL) return er_fail(t->context, ER_ERROR_MEMORY, "out of memory");
    r = draw_target_create(t->painter, WIDTH, HEIGHT, 4, &t->target);
    if (r == ER_OK) r = draw_target_create(t->painter, WIDTH, HEIGHT, 1, &t->window);
    return r == ER_OK ? draw_model_create(t->painter, &target, t->rig->model, &t->model) : r;
}

static er_result open_setup(setup *t, int bodies)
{
    er_result r = er_context_create(NULL, &t->context);
    if (r == ER_OK) r = write_model(t, bodies);
    if (r == ER_OK) r = draw_offscreen_create(t->context, &t->offscreen);
    if (r == ER_OK) r = painter_create(t->context, &t->painter);
    if (r == ER_OK) r = open_scene(t);
    if (r != ER_OK) return r;
    t->viewer = viewer_default_def();
    t->viewer.model = t->path;
    t->viewer.frames = 1; // repeatable pictures: neither read nor keep the user's settings
    return app_create(t->context, &t->viewer, 1.0, &(app_host){0}, &t->app);
}

static void close_setup(setup *t)
{
    if (*t->path != '\0') eri_platform_unlink(t->path);
    app_destroy(t->app);
    draw_model_destroy(t->model);
    draw_target_destroy(t->target);
    draw_target_destroy(t->window);
    painter_destroy(t->painter);
    draw_offscreen_destroy(t->offscreen);
    er_motion_destroy(t->motion);
    er_modes_destroy(t->modes);
    er_rig_destroy(t->rig);
    er_scene_destroy(t->scene);
    free(t->pose);
    er_context_destroy(t->context);
}

// ---- frames

static er_result draw_window(setup *t)
{
    draw_target_bind(t->window);
    return app_frame(t->app, WIDTH, HEIGHT, 1.0, 1.0 / fps);
}

// Drags a ring of the gizmo to and fro, so that every frame has another equilibrium.
static er_result draw_drag(setup *t)
{
    if (!t->dragged) {
        if (!app_select_joint(t->app, t->rig->model->body_count / 2, t->grip))
            return er_fail(t->context, ER_ERROR_ARGUMENT, "the joint in the middle has no gizmo to drag");
        app_event(t->app, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = t->grip[0], .y = t->grip[1]});
        er_result r = draw_window(t);
        if (r != ER_OK) return r;
        app_event(t->app, &(gui_event){.kind = GUI_MOUSE_BUTTON, .down = true});
        t->dragged = true;
    }
    double x = t->grip[0] + 12.0 * sin(0.1 * t->frame++);
    app_event(t->app, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = x, .y = t->grip[1]});
    return draw_window(t);
}

// Copies in rows, each at another time of the motion.
static er_result draw_copies(setup *t)
{
    draw_style style = draw_default_style(true);
    draw_bounds bounds = draw_model_bounds(t->model, NULL);
    double spacing = 1.6 * bounds.radius;
    int rows = (t->copies + ACROSS - 1) / ACROSS, across = t->copies < ACROSS ? t->copies : ACROSS;
    draw_bounds all = bounds;
    all.radius *= t->copies > 1 ? 8.0 : 1.0;
    draw_camera camera = draw_camera_frame(&all, t->scene->up, (double)WIDTH / HEIGHT);
    painter_begin(t->painter, t->target, 0, 0, WIDTH, HEIGHT, &camera, &style);
    for (int i = 0; i < t->copies; ++i) {
        draw_figure figure = draw_default_figure();
        double time = t->frame / fps + 0.05 * i;
        er_result r = er_motion_poses(t->motion, 1, &time, NULL, t->pose);
        if (r != ER_OK) return r;
        figure.pose = t->pose;
        figure.shift =
            er_v3(spacing * (i % ACROSS - 0.5 * (across - 1)), 0.0, spacing * (i / ACROSS - 0.5 * (rows - 1)));
        painter_add(t->painter, t->model, &figure);
    }
    ++t->frame;
    painter_end(t->painter);
    return ER_OK;
}

static double in_opengl(const setup *t)
{
    return painter_gl_seconds(t->painter) + app_gl_seconds(t->app);
}

static er_result measure(setup *t, er_result (*draw)(setup *), figures *out)
{
    er_result r = ER_OK;
    for (int i = 0; i < WARM_UP && r == ER_OK; ++i)
        r = draw(t);
    draw_finish();
    double start = eri_seconds(), own = 0.0, spent = eri_process_seconds();
    for (out->frames = 0; r == ER_OK && out->frames < MOST_FRAMES; ++out->frames) {
        if (out->frames >= LEAST_FRAMES && eri_seconds() - start > enough) break;
        double before = eri_thread_seconds() - in_opengl(t);
        r = draw(t);
        own += eri_thread_seconds() - in_opengl(t) - before;
        draw_finish(); // one frame at a time, as on a screen
    }
    out->per_second = out->frames / (eri_seconds() - start);
    out->own_ms = 1e3 * own / out->frames;
    out->cpu_ms = 1e3 * (eri_process_seconds() - spent) / out->frames;
    return r;
}

static er_result measure_all(setup *t, const bench_def *def, int bodies, FILE *file)
{
    static const struct {
        const char *name;
        er_result (*draw)(setup *);
        int copies;
    } rows[] = {
        {"window", draw_window, 1}, {"model", draw_copies, 1}, {"copies", draw_copies, COPIES}, {"drag", draw_drag, 1}};
    FILE *table = bench_table_stream(def->output);
    er_result r = open_setup(t, bodies);
    for (int i = 0; i < 4 && r == ER_OK; ++i) {
        figures f;
        t->copies = rows[i].copies;
        r = measure(t, rows[i].draw, &f);
        if (r != ER_OK) break;
        fprintf(file, "%s,%d,%d,%d,%d,%.4g,%.4g,%.4g\n", rows[i].name, bodies, t->copies, WIDTH, HEIGHT, f.per_second,
                f.own_ms, f.cpu_ms);
        if (!def->quiet)
            fprintf(table,
                    "%-7s %3d x %d bones at %d x %d: %7.1f frames a second, %.1f ms of all processors a frame, %.3f "
                    "outside OpenGL\n",
                    rows[i].name, t->copies, bodies, WIDTH, HEIGHT, f.per_second, f.cpu_ms, f.own_ms);
    }
    return r;
}

bool bench_run_view(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_result r = ER_OK;
    er_modal_set_threads(1);
    fprintf(file, "what,bodies,copies,width,height,frames_per_second,own_cpu_ms_per_frame,cpu_ms_per_frame\n");
    for (int i = 0; i < def->size_count && r == ER_OK; ++i) {
        setup t = {0};
        r = measure_all(&t, def, def->size[i], file);
        if (r != ER_OK) snprintf(problem, size, "%s", er_context_error(t.context));
        close_setup(&t);
    }
    return r == ER_OK;
}
