// Scenes as pictures, without a window.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/lua/scene/scene_player.h"
#include "viewer/play/play.h"
#include "viewer/play/play_renderer.h"

enum { WIDTH = 160, HEIGHT = 120 };

typedef struct theatre {
    er_context *context;
    scene_player *play;
    engine *scene;
    play_canvas *canvas;
    const uint8_t *rgba;
} theatre;

// Lines of Lua as a scene over plain blue, seen from z.
static theatre begin(const char *lines)
{
    char path[] = "/tmp/eigenrig_canvas_XXXXXX";
    theatre t = {0};
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_true(dprintf(file,
                        "local eigenrig = require('eigenrig')\n"
                        "local scene = eigenrig.scene{gravity = {0, 0, 0}, shadows = false, ambient = {0.3, 0.3, 0.3}, "
                        "background = {colour = {0, 0, 0.5}}, camera = {eye = {0, 0, 12}, target = {0, 0, 0}}}\n"
                        "local red = scene:material{ambient = {0.5, 0, 0}, diffuse = {0.5, 0, 0}}\n%s\nreturn scene",
                        lines) > 0);
    close(file);
    assert_int_equal(er_context_create(NULL, &t.context), ER_OK);
    er_result r = scene_player_open(t.context, &(scene_player_def){.path = path}, &t.play);
    unlink(path);
    if (r != ER_OK) fail_msg("%s", er_context_error(t.context));
    t.scene = scene_player_scene(t.play);
    if (play_canvas_create(t.context, t.scene, WIDTH, HEIGHT, &t.canvas) == ER_OK) return t;
    print_message("%s\n", er_context_error(t.context)); // no OpenGL here
    scene_player_close(t.play);
    er_context_destroy(t.context);
    skip();
    return t;
}

static void end(const theatre *t)
{
    play_canvas_destroy(t->canvas);
    scene_player_close(t->play);
    er_context_destroy(t->context);
}

static void draw(theatre *t, double between)
{
    if (play_canvas_draw(t->canvas, between, &t->rgba) != ER_OK) fail_msg("%s", er_context_error(t->context));
}

static bool is_shown(const theatre *t, int i)
{
    return t->rgba[4 * i + 2] < 60 || t->rgba[4 * i] > 60; // not the background's blue
}

static int count_shown(const theatre *t)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        count += is_shown(t, i);
    return count;
}

static void pictures_lie_between_two_steps(void **state)
{
    theatre t = begin("scene.step = 1\nscene:actor{sphere = 1, material = red, velocity = {1, 0, 0}}");
    assert_true(scene_player_advance(t.play)); // from x 0 to 1
    draw_camera camera = play_renderer_camera(t.scene);
    for (int k = 0; k <= 4; ++k) {
        double sum = 0.0, count = 0.0, at[2];
        draw(&t, 0.25 * k);
        for (int i = 0; i < WIDTH * HEIGHT; ++i)
            if (is_shown(&t, i)) {
                sum += i % WIDTH + 0.5;
                count += 1.0;
            }
        assert_true(draw_camera_project(&camera, WIDTH, HEIGHT, er_v3(0.25 * k, 0, 0), at));
        if (count < 100 || fabs(sum / count - at[0]) > 1.5) fail_msg("at %d / 4: %g, not %g", k, sum / count, at[0]);
    }
    end(&t);
}

// A character of twice the size is seen as four times as much; and is gone when it is removed.
static void characters_are_drawn_at_their_size(void **state)
{
    char lines[1024];
    int seen[2];
    for (int k = 0; k < 2; ++k) {
        snprintf(lines, sizeof lines,
                 "one = scene:add(eigenrig.load('%s/models/gnome.glb'), {scale = %d, at = {0, 0, 0}})",
                 getenv("EIGENRIG_SOURCE"), k + 1);
        theatre t = begin(lines);
        engine_get_view(t.scene)->eye = er_v3(0, 0, 6);
        draw(&t, 1.0);
        seen[k] = count_shown(&t);
        assert_true(seen[k] > 10);
        char answer[256];
        if (!scene_player_run(t.play, "one:remove()", answer, sizeof answer)) fail_msg("%s", answer);
        draw(&t, 1.0);
        assert_int_equal(count_shown(&t), 0);
        end(&t);
    }
    if (fabs(seen[1] / (double)seen[0] - 4.0) > 0.8) fail_msg("%d pixels, and %d of twice the size", seen[0], seen[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_lie_between_two_steps),
        cmocka_unit_test(characters_are_drawn_at_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
