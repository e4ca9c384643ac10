// Measures living scenes: the time of a frame for scripts, for physics and for drawing.
#include <stdio.h>
#include <string.h>

#include "app/lua/scene/scene_player.h"
#include "base/platform.h"
#include "tools/bench/bench.h"
#include "viewer/draw/draw.h"
#include "viewer/play/play_renderer.h"

enum { WIDTH = 1280, HEIGHT = 720, SETTLE = 600, FRAMES = 300, DRAWN = 30 };

// Waiting scripts and working actions, %d of each.
static const char scripts_text[] =
    "local scene = require('eigenrig').scene{}\n"
    "for i = 1, %d do\n"
    "  scene:script(function(self) while true do self:wait(0.1 + i %% 7 * 0.02) end end):start()\n"
    "  scene:action(function(self, dt) self.n = (self.n or 0) + dt end):start()\n"
    "end\nreturn scene\n";

// Balls in a box, %d of them.
static const char spheres_text[] =
    "local scene = require('eigenrig').scene{gravity = {0, -0.9, 0}, sleep_time = 0, shadows = false,\n"
    "  camera = {eye = {14, 14, 20}, target = {0, 4, 0}}}\n"
    "local n, side = %d, 1\n"
    "while side ^ 3 < n do side = side + 1 end\n"
    "local half = 0.55 * side + 0.05\n"
    "scene:actor{motion = 'still', plane = half}\n"
    "for _, w in ipairs{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} do\n"
    "  scene:actor{motion = 'still', box = {w[1] ~= 0 and 1 or 2 * half + 2, 80, w[2] ~= 0 and 1 or 2 * half + 2},\n"
    "    hidden = true, at = {w[1] * (half + 0.5), 40, w[2] * (half + 0.5)}}\n"
    "end\n"
    "for i = 0, n - 1 do\n"
    "  local x, y, z = i %% side, i // (side * side), i // side %% side\n"
    "  scene:actor{sphere = 0.5, mass = 1, at = {1.1 * x - half + 0.6 + 0.04 * (y %% 2), 1 + 1.1 * y, 1.1 * z - half + "
    "0.6}}\n"
    "end\n"
    "scene:light{at = {5, 30, 10}}\n"
    "return scene\n";

typedef struct figures {
    double frame_ms, cpu_ms; // wall, and processor time of this thread
} figures;

static er_result open_play(er_context *context, const char *text, int count, scene_player **out)
{
    char path[64], whole[4096];
    snprintf(path, sizeof path, "/tmp/eigenrig-bench-%d.lua", eri_platform_process());
    snprintf(whole, sizeof whole, text, count);
    er_result r = er_file_write(context, path, whole, strlen(whole));
    const scene_player_def def = {.path = path};
    if (r == ER_OK) r = scene_player_open(context, &def, out);
    eri_platform_unlink(path);
    return r;
}

static figures run_frames(scene_player *p, int frames)
{
    double wall = eri_seconds(), cpu = eri_thread_seconds();
    for (int i = 0; i < frames; ++i) {
        scene_player_advance(p);
        scene_player_handle_events(p);
    }
    return (figures){1e3 * (eri_seconds() - wall) / frames, 1e3 * (eri_thread_seconds() - cpu) / frames};
}

static void print_row(FILE *out, const char *what, int count, figures f)
{
    fprintf(out, "%s,%d,%.4f,%.4f\n", what, count, f.frame_ms, f.cpu_ms);
    fflush(out);
}

static er_result measure_scripts(er_context *context, int count, FILE *out)
{
    scene_player *p = NULL;
    er_result r = open_play(context, scripts_text, count / 2, &p);
    if (r != ER_OK) return r;
    run_frames(p, 60);
    print_row(out, "scripts and actions", count, run_frames(p, FRAMES));
    scene_player_close(p);
    return ER_OK;
}

// Draws again and again, each time at another moment between two steps; subtracts the driver's time from the
// processor's.
static er_result draw_frames(er_context *context, engine *e, figures *all, figures *own)
{
    draw_offscreen *offscreen = NULL;
    painter *brush = NULL;
    draw_target *target = NULL;
    play_renderer *show = NULL;
    er_result r = draw_offscreen_create(context, &offscreen);
    if (r == ER_OK) r = painter_create(context, &brush);
    if (r == ER_OK) r = draw_target_create(brush, WIDTH, HEIGHT, 1, &target);
    if (r == ER_OK) r = play_renderer_create(context, brush, e, &show);
    if (r == ER_OK) r = play_renderer_draw(show, 0.0, target, WIDTH, HEIGHT, true);
    double wall = eri_seconds(), cpu = eri_thread_seconds(), driver = r == ER_OK ? painter_gl_seconds(brush) : 0.0;
    for (int i = 1; i <= DRAWN && r == ER_OK; ++i) {
        r = play_renderer_draw(show, (double)i / DRAWN, target, WIDTH, HEIGHT, true);
        draw_finish();
    }
    if (r == ER_OK) {
        all->frame_ms = 1e3 * (eri_seconds() - wall) / DRAWN;
        all->cpu_ms = 1e3 * (eri_thread_seconds() - cpu) / DRAWN;
        own->frame_ms = own->cpu_ms = all->cpu_ms - 1e3 * (painter_gl_seconds(brush) - driver) / DRAWN;
    }
    play_renderer_destroy(show);
    draw_target_destroy(target);
    painter_destroy(brush);
    draw_offscreen_destroy(offscreen);
    return r;
}

static er_result measure_spheres(er_context *context, int count, FILE *out)
{
    scene_player *p = NULL;
    figures all = {0}, own = {0};
    er_result r = open_play(context, spheres_text, count, &p);
    if (r != ER_OK) return r;
    engine *e = scene_player_scene(p);
    run_frames(p, SETTLE);
    figures frames = run_frames(p, FRAMES);
    er_contact_times before = er_world_contact_times(engine_world(e));
    double wall = eri_seconds();
    run_frames(p, FRAMES);
    wall = eri_seconds() - wall;
    er_contact_times after = er_world_contact_times(engine_world(e));
    double physics = after.collision + after.solver + after.motion - before.collision - before.solver - before.motion;
    double rest = 1e3 * (wall - physics) / FRAMES;
    print_row(out, "spheres: a step", count, frames);
    print_row(out, "spheres: a step besides physics", count, (figures){rest, rest});
    r = draw_frames(context, e, &all, &own);
    if (r == ER_OK) print_row(out, "spheres: a picture", count, all);
    if (r == ER_OK) print_row(out, "spheres: a picture besides OpenGL", count, own);
    scene_player_close(p);
    return r;
}

bool bench_run_play(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_context *context = NULL;
    er_result r = er_context_create(NULL, &context);
    if (r == ER_OK) fprintf(file, "what,count,ms_per_frame,cpu_ms_per_frame\n");
    for (int i = 0; i < def->size_count && r == ER_OK; ++i) {
        r = measure_scripts(context, def->size[i], file);
        if (r == ER_OK) r = measure_spheres(context, def->size[i], file);
    }
    if (r != ER_OK) snprintf(problem, size, "%s", context != NULL ? er_context_error(context) : "out of memory");
    er_context_destroy(context);
    return r == ER_OK;
}
