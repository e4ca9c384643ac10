// The window on a screen that is not there: what it hands to its guest, how it keeps time, and how it ends.
#include "fake_glfw.h"

#include <epoxy/gl.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/sample.h"
#include "viewer/play/play.h"
#include "viewer/window/viewer.h"
#include "viewer/window/window.h"

enum { WIDE = 160, HIGH = 100, MOST_SEEN = 64 };

// A guest that remembers what it was told.
static struct visit {
    er_result begins, fails; // results of begin() and of the frame of that number
    int fails_at, over_at;   // frames; 0: never
    bool moves;
    const char *title;

    app_host host;
    double scale;
    int begun, ended, frames, width, height;
    double seconds[MOST_SEEN];
    int event_count;
    gui_event event[MOST_SEEN];
    char dropped[64];
    int focus; // 1 gained, -1 lost
} guest;

static er_result guest_begin(void *user, double scale, const app_host *host)
{
    assert_ptr_equal(user, &guest);
    guest.host = *host;
    guest.scale = scale;
    ++guest.begun;
    return guest.begins;
}

static void guest_end(void *user)
{
    assert_ptr_equal(user, &guest);
    ++guest.ended;
}

static void guest_event(void *user, const gui_event *event)
{
    assert_ptr_equal(user, &guest);
    if (guest.event_count < MOST_SEEN) guest.event[guest.event_count++] = *event;
}

static void guest_drop(void *user, const char *path)
{
    assert_ptr_equal(user, &guest);
    snprintf(guest.dropped, sizeof guest.dropped, "%s", path);
}

static void guest_focus(void *user, bool focused)
{
    assert_ptr_equal(user, &guest);
    guest.focus = focused ? 1 : -1;
}

// Its picture is half red, and no more opaque than that.
static er_result guest_frame(void *user, int width, int height, double scale, double seconds)
{
    assert_ptr_equal(user, &guest);
    guest.scale = scale;
    guest.width = width;
    guest.height = height;
    if (guest.frames < MOST_SEEN) guest.seconds[guest.frames] = seconds;
    glClearColor(0.5f, 0.0f, 0.25f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
    return ++guest.frames == guest.fails_at ? guest.fails : ER_OK;
}

static bool guest_is_moving(void *user)
{
    assert_ptr_equal(user, &guest);
    return guest.moves;
}

static bool guest_is_over(void *user)
{
    assert_ptr_equal(user, &guest);
    return guest.over_at > 0 && guest.frames >= guest.over_at;
}

static const char *guest_title(void *user)
{
    assert_ptr_equal(user, &guest);
    return guest.title;
}

static const window_client hears = {&guest,      guest_begin, guest_end,       guest_event,   guest_drop,
                                    guest_focus, guest_frame, guest_is_moving, guest_is_over, guest_title};

static stage *begin(void **state)
{
    stage *s = need_stage(state);
    screen_begin(WIDE, HIGH);
    guest = (struct visit){.title = "a guest", .moves = true};
    return s;
}

static window_def window_of(int frames)
{
    return (window_def){.width = WIDE, .height = HIGH, .frames = frames, .instead = "do without"};
}

static er_result run(stage *s, const window_def *def)
{
    er_result r = window_run(s->context, def, &hears);
    assert_false(screen.opened);
    assert_int_equal(screen.ends, 1);
    assert_int_equal(guest.ended, 1);
    screen_end();
    return r;
}

static void a_window_has_opengl_3_3_and_ends_after_its_frames(void **state)
{
    stage *s = begin(state);
    const window_def def = window_of(5);
    assert_int_equal(run(s, &def), ER_OK);
    assert_true(guest.begun == 1 && guest.frames == 5 && guest.width == WIDE && guest.height == HIGH);
    assert_int_equal(screen.swaps, 4); // the last is closed, not shown
    assert_int_equal(screen.interval, 1);
    assert_true(hint_of(GLFW_CONTEXT_VERSION_MAJOR) == 3 && hint_of(GLFW_CONTEXT_VERSION_MINOR) == 3);
    assert_int_equal(hint_of(GLFW_OPENGL_PROFILE), GLFW_OPENGL_CORE_PROFILE);
    assert_true(hint_of(GLFW_OPENGL_FORWARD_COMPAT) == 1 && hint_of(GLFW_SCALE_TO_MONITOR) == 1);
    assert_int_equal(hint_of(GLFW_DEPTH_BITS), 0);
    assert_string_equal(screen.title, "a guest");
    assert_int_equal(screen.titles, 1); // it stays the same
}

static void press_keys(int poll)
{
    static const int sides[3][2] = {{GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT},
                                    {GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL},
                                    {GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT}};
    static const int bits[3] = {GLFW_MOD_SHIFT, GLFW_MOD_CONTROL, GLFW_MOD_ALT};
    if (poll > 0) return;
    for (int k = 0; k < 3; ++k)
        for (int side = 0; side < 2; ++side) { // its own modifier is not told, or is still
            screen.key(WINDOW, sides[k][side], 0, GLFW_PRESS, 0);
            screen.key(WINDOW, sides[k][side], 0, GLFW_RELEASE, bits[k]);
        }
    for (int k = 0; k < 3; ++k)
        screen.key(WINDOW, 'A', 0, GLFW_PRESS, bits[k]);
    screen.key(WINDOW, 'A', 0, GLFW_REPEAT, 0);
    for (int key = GLFW_KEY_RIGHT; key <= GLFW_KEY_UP; ++key)
        screen.key(WINDOW, key, 0, GLFW_REPEAT, GLFW_MOD_CONTROL);
    screen.character(WINDOW, 0x416);
}

static void keys_carry_the_modifier_that_they_are(void **state)
{
    static const int bits[3] = {GUI_SHIFT, GUI_CONTROL, GUI_ALT};
    stage *s = begin(state);
    const window_def def = window_of(2);
    screen.at_poll = press_keys;
    assert_int_equal(run(s, &def), ER_OK);
    assert_int_equal(guest.event_count, 12 + 3 + 4 + 1);
    for (int i = 0; i < 12; ++i) {
        const gui_event *e = &guest.event[i];
        assert_true(e->kind == GUI_KEY && e->down == (i % 2 == 0));
        assert_int_equal(e->modifiers, e->down ? bits[i / 4] : 0);
    }
    for (int k = 0; k < 3; ++k)
        assert_true(guest.event[12 + k].key == 'A' && guest.event[12 + k].modifiers == bits[k] &&
                    guest.event[12 + k].down);
    for (int k = 0; k < 4; ++k) // arrows walk while they are held
        assert_true(guest.event[15 + k].key == GLFW_KEY_RIGHT + k && guest.event[15 + k].down &&
                    guest.event[15 + k].modifiers == GUI_CONTROL);
    assert_true(guest.event[19].kind == GUI_CHARACTER && guest.event[19].character == 0x416);
}

static void use_mouse(int poll)
{
    static const char *paths[2] = {"first", "second"};
    if (poll > 0) return;
    screen.move(WINDOW, 60.0, 44.0);
    screen.button(WINDOW, 2, GLFW_PRESS, GLFW_MOD_ALT);
    screen.button(WINDOW, 1, GLFW_RELEASE, 0);
    screen.scroll(WINDOW, 1.5, -2.0);
    screen.drop(WINDOW, 0, NULL);
    screen.drop(WINDOW, 2, paths);
    screen.focus(WINDOW, 1);
    assert_int_equal(guest.focus, 1);
    screen.focus(WINDOW, 0);
}

// Screens of two pixels to a point; one of them counts in pixels.
static void the_mouse_is_told_in_points(void **state)
{
    for (int pixels = 1; pixels <= 2; ++pixels) {
        stage *s = begin(state);
        const window_def def = window_of(2);
        screen.scale = 2.0f;
        screen.pixels = pixels;
        screen.at_poll = use_mouse;
        assert_int_equal(run(s, &def), ER_OK);
        assert_int_equal(guest.event_count, 4);
        const gui_event *e = guest.event;
        assert_true(guest.scale == 2.0 && guest.width == WIDE * pixels);
        assert_true(e[0].kind == GUI_MOUSE_MOVE && e[0].x == 30.0 * pixels && e[0].y == 22.0 * pixels);
        assert_true(e[1].kind == GUI_MOUSE_BUTTON && e[1].button == 2 && e[1].down && e[1].modifiers == GUI_ALT);
        assert_true(e[2].kind == GUI_MOUSE_BUTTON && e[2].button == 1 && !e[2].down && e[2].modifiers == 0);
        assert_true(e[3].kind == GUI_SCROLL && e[3].x == 1.5 && e[3].y == -2.0);
        assert_string_equal(guest.dropped, "first");
        assert_int_equal(guest.focus, -1);
    }
}

static void drop_a_file(int poll)
{
    const char *path = "first";
    if (poll == 0) screen.drop(WINDOW, 1, &path);
}

static void a_guest_that_takes_no_files_is_dropped_none(void **state)
{
    stage *s = begin(state);
    const window_def def = window_of(2);
    window_client deaf = hears;
    deaf.drop = NULL;
    screen.at_poll = drop_a_file;
    assert_int_equal(window_run(s->context, &def, &deaf), ER_OK);
    assert_true(guest.frames == 2 && guest.ended == 1 && guest.dropped[0] == '\0');
    screen_end();
}

static void scales_stay_within_what_can_be_read(void **state)
{
    static const struct {
        float screen;
        double guest;
    } cases[] = {{0.25f, 0.5}, {0.5f, 0.5}, {1.5f, 1.5}, {4.0f, 4.0}, {9.0f, 4.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stage *s = begin(state);
        const window_def def = window_of(1);
        screen.scale = cases[i].screen;
        assert_int_equal(run(s, &def), ER_OK);
        assert_true(guest.scale == cases[i].guest);
    }
}

static void ask_for_sizes(int poll)
{
    const app_host *h = &guest.host;
    switch (poll) {
    case 0:
        h->resize(h->user, 81, 43);
        break;
    case 1:
        assert_true(screen.width == 162 && screen.height == 86);
        assert_true(guest.width == 162 && guest.height == 86);
        h->resize(h->user, 0, 30);
        break;
    case 2:
        assert_true(guest.width == 0 && guest.height == 0 && screen.width == 162);
        h->resize(h->user, 30, -1);
        break;
    case 3:
        assert_true(guest.width == 0 && guest.height == 0 && screen.width == 162);
        h->resize(h->user, 80, 50);
        break;
    case 4:
        assert_true(guest.width == WIDE && guest.height == HIGH);
        screen.iconified = true;
        break;
    default:
        assert_true(guest.width == 0 && guest.height == 0);
        h->set_clipboard(h->user, "copied");
        assert_string_equal(screen.clipboard, "copied");
        snprintf(screen.clipboard, sizeof screen.clipboard, "elsewhere");
        assert_string_equal(h->get_clipboard(h->user), "elsewhere");
        screen.closes = true;
    }
}

static void the_guest_asks_for_sizes_and_the_clipboard(void **state)
{
    stage *s = begin(state);
    const window_def def = window_of(0);
    screen.scale = 2.0f;
    screen.at_poll = ask_for_sizes;
    assert_int_equal(run(s, &def), ER_OK);
    assert_int_equal(guest.frames, 7);
    assert_int_equal(screen.swaps, 3); // those that have a size
}

static void stay_until_the_25th_frame(int poll)
{
    if (poll == 12) screen.refresh(WINDOW);
    screen.closes = poll >= 24;
}

static void what_does_not_move_waits_for_events(void **state)
{
    stage *s = begin(state);
    const window_def def = window_of(0);
    screen.at_poll = stay_until_the_25th_frame;
    guest.moves = false;
    screen.frame_seconds = 0.001;
    assert_int_equal(run(s, &def), ER_OK);
    for (int frame = 0; frame < 24; ++frame) { // four keep the pace, until all has settled
        bool settled = (frame >= 4 && frame < 12) || frame >= 12 + 4;
        double wanted = settled ? 0.25 : 1.0 / 60.0 - 0.002;
        if (fabs(screen.waited[frame] - wanted) > 1e-9) fail_msg("frame %d waits %g s", frame, screen.waited[frame]);
    }
}

static void frames_keep_a_pace_and_know_the_time_that_passed(void **state)
{
    static const struct {
        double took, waits; // s
    } cases[] = {{0.004, 1.0 / 60.0 - 0.005},
                 {0.0145, 1.0 / 60.0 - 0.0155},
                 {0.0155, 0.0},
                 {0.5, 0.0},
                 {0.0, 1.0 / 60.0 - 0.001}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int scripted = 0; scripted < 2; ++scripted) {
            stage *s = begin(state);
            window_def def = window_of(4);
            def.scripted = scripted == 1;
            screen.frame_seconds = cases[i].took;
            assert_int_equal(run(s, &def), ER_OK);
            if (scripted) {
                assert_true(screen.waits == 0 && screen.interval == 0 && screen.key == NULL && screen.move == NULL);
                for (int k = 0; k < 4; ++k)
                    assert_true(guest.seconds[k] == 1.0 / 60.0);
                continue;
            }
            assert_int_equal(screen.waits, cases[i].waits > 0.0 ? 3 : 0);
            for (int k = 0; k < screen.waits; ++k)
                assert_true(fabs(screen.waited[k] - cases[i].waits) < 1e-9);
            assert_true(fabs(guest.seconds[0] - fmax(cases[i].took, 1e-4)) < 1e-9);
            for (int k = 1; k < 4; ++k) // the clock is looked at twice a frame
                assert_true(fabs(guest.seconds[k] - fmax(2.0 * cases[i].took + cases[i].waits, 1e-4)) < 1e-9);
        }
}

static void a_guest_that_is_over_closes_the_window(void **state)
{
    stage *s = begin(state);
    const window_def def = window_of(0);
    guest.over_at = 3;
    assert_int_equal(run(s, &def), ER_OK);
    assert_int_equal(guest.frames, 3);
}

static void what_fails_ends_it_all(void **state)
{
    for (int k = 0; k < 2; ++k) {
        stage *s = begin(state);
        const window_def def = window_of(9);
        guest.begins = k == 0 ? ER_ERROR_FORMAT : ER_OK;
        guest.fails = ER_ERROR_FILE;
        guest.fails_at = 2;
        assert_int_equal(run(s, &def), k == 0 ? ER_ERROR_FORMAT : ER_ERROR_FILE);
        assert_int_equal(guest.frames, k == 0 ? 0 : 2);
    }
}

static void where_no_window_opens_it_is_said_why(void **state)
{
    static const struct {
        const char *no_display, *no_window;
    } cases[] = {{"the X is gone", NULL}, {"", NULL}, {NULL, "too old"}, {NULL, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stage *s = begin(state);
        const window_def def = window_of(1);
        screen.no_display = cases[i].no_display;
        screen.no_window = cases[i].no_window;
        assert_int_equal(run(s, &def), ER_ERROR_SYSTEM);
        const char *said = er_context_error(s->context), *why = cases[i].no_window;
        assert_non_null(strstr(said, why != NULL ? why : cases[i].no_display));
        assert_non_null(strstr(said, def.instead));
        assert_int_equal(guest.begun, 0);
    }
}

static void hide(int poll)
{
    screen.iconified = poll == 0;
}

static void the_last_frame_becomes_a_picture(void **state)
{
    char path[] = "/tmp/eigenrig_window_XXXXXX";
    static uint8_t rgba[4 * WIDE * HIGH];
    stage *s = begin(state);
    window_def def = window_of(2);
    close(mkstemp(path));
    def.screenshot = path;
    assert_int_equal(run(s, &def), ER_OK);
    png_image png = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&png, path));
    assert_true(png.width == WIDE && png.height == HIGH && (png.format & PNG_FORMAT_FLAG_ALPHA) == 0);
    png.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&png, NULL, rgba, 0, NULL));
    for (int i = 0; i < WIDE * HIGH; ++i)
        assert_true(abs(rgba[4 * i] - 128) <= 1 && rgba[4 * i + 1] == 0 && abs(rgba[4 * i + 2] - 64) <= 1);
    unlink(path);
    begin(state);
    screen.at_poll = hide;
    assert_int_equal(run(s, &def), ER_ERROR_FILE);
    assert_non_null(strstr(er_context_error(s->context), path));
    assert_int_not_equal(access(path, F_OK), 0);
}

// ---- the viewer and living scenes as guests

static int frames_before; // of the screen's, when something was done

static void drop_a_model(int poll)
{
    static char path[4096];
    const char *paths[1] = {path};
    snprintf(path, sizeof path, "%s/models/four_bar.json", getenv("EIGENRIG_SOURCE"));
    if (poll == 1) screen.drop(WINDOW, 1, paths);
    if (poll == 3) assert_string_equal(screen.title, "four_bar.json - eigenrig");
    if (poll == 4) screen.focus(WINDOW, 0);
    if (poll == 5) screen.key(WINDOW, 'Q', 0, GLFW_PRESS, GLFW_MOD_CONTROL);
    frames_before = poll;
    assert_true(poll < 20);
}

static viewer_def small_viewer(void)
{
    viewer_def def = viewer_default_def();
    assert_true(def.width == 1440 && def.height == 900 && def.script == NULL && def.frames == 0);
    def.width = WIDE;
    def.height = HIGH;
    return def;
}

static void the_viewer_hears_of_files_and_keys(void **state)
{
    stage *s = begin(state);
    viewer_def def = small_viewer();
    screen.at_poll = drop_a_model;
    assert_int_equal(viewer_run(s->context, &def), ER_OK);
    assert_in_range(frames_before, 5, 7);
    assert_int_equal(screen.interval, 1);
    screen_end();
}

static void a_script_ends_the_viewer_two_frames_later(void **state)
{
    stage *s = begin(state);
    viewer_def def = small_viewer();
    def.script = "wait:3 wait:1";
    assert_int_equal(viewer_run(s->context, &def), ER_OK);
    assert_int_equal(screen.swaps + 1, 3 + 1 + 1);
    assert_int_equal(screen.interval, 0);
    screen_end();
    begin(state);
    def.frames = 9; // these count then
    assert_int_equal(viewer_run(s->context, &def), ER_OK);
    assert_int_equal(screen.swaps + 1, 9);
    screen_end();
    begin(state);
    def.script = NULL;
    def.frames = 2;
    def.model = "/no/where.glb"; // nobody is there to read a message
    assert_int_equal(viewer_run(s->context, &def), ER_ERROR_FILE);
    screen_end();
    begin(state);
    screen.no_display = "none";
    assert_int_equal(viewer_run(s->context, &def), ER_ERROR_SYSTEM);
    assert_non_null(strstr(er_context_error(s->context), "eigenrig render"));
    screen_end();
}

static const char *write_scene(void)
{
    static const char text[] = "local eigenrig = require('eigenrig')\n"
                               "local scene = eigenrig.scene{name = 'ball', gravity = {0, 0, 0}}\n"
                               "scene:actor{name = 'ball', sphere = 1}\n"
                               "return scene\n";
    return sample_write("ball.lua", text, sizeof text - 1);
}

static void a_scene_runs_for_so_many_frames(void **state)
{
    stage *s = begin(state);
    char record[] = "/tmp/eigenrig_window_XXXXXX";
    play_window_def def = play_default_window();
    play_ending ending = {0};
    assert_true(def.width == 1280 && def.height == 800 && def.frames == 0 && def.record == NULL);
    close(mkstemp(record));
    unlink(record);
    def.path = write_scene();
    def.width = WIDE;
    def.height = HIGH;
    def.frames = 4;
    def.record = record;
    assert_int_equal(play_window(s->context, &def, &ending), ER_OK);
    assert_int_equal(screen.swaps + 1, 4);
    assert_true(ending.steps == 4 && ending.actors == 1 && fabs(ending.time - 4.0 / 60.0) < 1e-12);
    assert_int_equal(screen.interval, 0);
    assert_string_equal(screen.title, "ball - eigenrig");
    assert_int_equal(access(record, F_OK), 0);
    unlink(record);
    screen_end();
    begin(state);
    screen.no_window = "none";
    assert_int_equal(play_window(s->context, &def, &ending), ER_ERROR_SYSTEM);
    assert_non_null(strstr(er_context_error(s->context), "--headless"));
    assert_int_not_equal(access(record, F_OK), 0);
    screen_end();
}

static void play_hands(int poll)
{
    switch (poll) {
    case 10: // a scene moves
        for (int k = 0; k < screen.waits; ++k)
            assert_true(screen.waited[k] < 0.02);
        screen.key(WINDOW, 'P', 0, GLFW_PRESS, 0);
        screen.waits = 0;
        break;
    case 24: // it is paused
        assert_true(screen.waits > 0 && screen.waited[screen.waits - 1] == 0.25);
        screen.focus(WINDOW, 1);
        screen.focus(WINDOW, 0);
        screen.key(WINDOW, GLFW_KEY_TAB, 0, GLFW_PRESS, 0);
        break;
    case 26: // and what is typed comes letter by letter
        screen.waits = 0;
        screen.character(WINDOW, 'a');
        break;
    case 36:
        for (int k = 0; k < screen.waits; ++k)
            assert_true(screen.waited[k] < 0.02);
        break;
    case 200: // until a second of quiet is over
        assert_true(screen.waits > 0);
        screen.waits = 0;
        break;
    case 202:
        assert_true(screen.waited[0] == 0.25);
        screen.key(WINDOW, 'Q', 0, GLFW_PRESS, GLFW_MOD_CONTROL);
        break;
    default:
        break;
    }
    assert_true(poll < 220);
    frames_before = poll;
}

static void a_scene_that_rests_waits_for_hands(void **state)
{
    stage *s = begin(state);
    play_window_def def = play_default_window();
    play_ending ending = {0};
    def.path = write_scene();
    def.width = 64;
    def.height = 48;
    screen.at_poll = play_hands;
    assert_int_equal(play_window(s->context, &def, &ending), ER_OK);
    assert_in_range(frames_before, 202, 206);
    assert_in_range(ending.steps, 5, 14); // until it was paused
    screen_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_has_opengl_3_3_and_ends_after_its_frames),
        cmocka_unit_test(keys_carry_the_modifier_that_they_are),
        cmocka_unit_test(the_mouse_is_told_in_points),
        cmocka_unit_test(a_guest_that_takes_no_files_is_dropped_none),
        cmocka_unit_test(scales_stay_within_what_can_be_read),
        cmocka_unit_test(the_guest_asks_for_sizes_and_the_clipboard),
        cmocka_unit_test(what_does_not_move_waits_for_events),
        cmocka_unit_test(frames_keep_a_pace_and_know_the_time_that_passed),
        cmocka_unit_test(a_guest_that_is_over_closes_the_window),
        cmocka_unit_test(what_fails_ends_it_all),
        cmocka_unit_test(where_no_window_opens_it_is_said_why),
        cmocka_unit_test(the_last_frame_becomes_a_picture),
        cmocka_unit_test(the_viewer_hears_of_files_and_keys),
        cmocka_unit_test(a_script_ends_the_viewer_two_frames_later),
        cmocka_unit_test(a_scene_runs_for_so_many_frames),
        cmocka_unit_test(a_scene_that_rests_waits_for_hands),
    };
    int failed = cmocka_run_group_tests(tests, stage_begin, stage_end);
    sample_remove_folder();
    return failed;
}
