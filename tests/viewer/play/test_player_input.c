// Hands upon a scene in a window, event by event: who gets it, and with which numbers.
#include "playing.h"

#include <math.h>
#include <stdio.h>

// A player that has drawn a frame of two pixels to a point, and is to be asked what it would tell.
static player *begin(void **state, const char *more)
{
    static play_window_def def;
    stage *s = need_stage(state);
    char text[2048];
    snprintf(text, sizeof text, SCENE("%s"), more);
    def = play_default_window();
    player *p = begin_playing(s, text, &def);
    draw_target_bind(s->target);
    assert_int_equal(player_frame(p, WIDTH, HEIGHT, 2.0, tick), ER_OK);
    return p;
}

// Takes what has been done; then the only thing that was told of it is `name`.
static const scene_event *posted(player *p, const char *name)
{
    p->posted_count = 0;
    player_handle_events(p);
    assert_int_equal(p->posted_count, 1);
    assert_string_equal(p->posted[0].name, name);
    return &p->posted[0];
}

static void expect_nothing(player *p)
{
    p->posted_count = 0;
    player_handle_events(p);
    assert_int_equal(p->posted_count, 0);
}

static void press_key(player *p, int key, bool down)
{
    player_event(p, &(gui_event){.kind = GUI_KEY, .key = key, .down = down});
}

static void the_mouse_is_told_in_pixels_with_the_way_it_points(void **state)
{
    static const char *const names[3] = {"left", "right", "middle"};
    player *p = begin(state, "scene:on('mouse_drag', function() end) scene:on('mouse_wheel', function() end)");
    draw_camera camera = play_renderer_camera(p->scene);
    er_vec3 origin, way;
    move(p, 100, 45);
    const scene_event *e = posted(p, "mouse_move");
    draw_camera_ray(&camera, WIDTH, HEIGHT, 200, 90, &origin, &way);
    assert_true(e->x == 200 && e->y == 90 && er_v3_distance(e->way, way) < 1e-12);
    assert_string_equal(e->button, "none");
    for (int k = 0; k < 3; ++k) {
        press_button(p, k, 0, true);
        e = posted(p, "mouse_down");
        assert_string_equal(e->button, names[k]);
        assert_int_equal(p->held, 1 << k);
        move(p, 100 + k, 60);
        e = posted(p, "mouse_drag");
        assert_string_equal(e->button, names[k]);
        assert_true(e->x == 200 + 2 * k && e->y == 120);
        press_button(p, k, 0, false);
        posted(p, "mouse_up");
        assert_int_equal(p->held, 0);
        move(p, 100, 45);
        player_handle_events(p);
    }
    player_event(p, &(gui_event){.kind = GUI_SCROLL, .y = -1.5});
    e = posted(p, "mouse_wheel");
    assert_true(e->delta == -1.5 && e->x == 200);
    assert_string_equal(e->button, "none");
}

static void modifiers_are_told_by_their_own_bits(void **state)
{
    static const int bits[3][2] = {{GUI_ALT, SCRIPT_ALT}, {GUI_CONTROL, SCRIPT_CONTROL}, {GUI_SHIFT, SCRIPT_SHIFT}};
    player *p = begin(state, "");
    for (int k = 0; k < 3; ++k) {
        press_button(p, 0, bits[k][0], true);
        assert_int_equal(posted(p, "mouse_down")->modifiers, bits[k][1]);
        press_button(p, 0, 0, false);
        player_handle_events(p);
        player_event(p, &(gui_event){.kind = GUI_KEY, .key = 'A', .modifiers = bits[k][0], .down = true});
        assert_int_equal(posted(p, "key_down")->modifiers, bits[k][1]);
        press_key(p, 'A', false);
        assert_int_equal(posted(p, "key_up")->modifiers, 0);
    }
}

static void keys_have_names_and_the_character_they_type(void **state)
{
    enum { LEFT = 263, CONTROL = 341 };
    player *p = begin(state, "scene:on('key_press', function() end)");
    for (int down = 1; down >= 0; --down) {
        press_key(p, 'V', down);
        const scene_event *e = posted(p, down ? "key_down" : "key_up");
        assert_string_equal(e->key, "v");
        assert_int_equal(e->code, 'v');
        press_key(p, LEFT, down);
        e = posted(p, down ? "key_down" : "key_up");
        assert_string_equal(e->key, "left");
        assert_int_equal(e->code, 0);
        press_key(p, CONTROL, down); // has no name
        expect_nothing(p);
    }
    press_key(p, 'X', true);
    press_key(p, LEFT, false);
    player_handle_events(p);
    player_event(p, &(gui_event){.kind = GUI_CHARACTER, .character = 0x3a9});
    const scene_event *e = posted(p, "key_press");
    assert_string_equal(e->key, "x"); // the last that went down
    assert_int_equal(e->code, 0x3a9);
    press(p, "Esc"); // closes no prompt
    p->posted_count = 0;
    player_handle_events(p);
    assert_int_equal(p->posted_count, 2);
    assert_string_equal(p->posted[0].key, "esc");
}

static int press_and_count(player *p, double x, double y, double age)
{
    move(p, x, y);
    player_handle_events(p);
    p->click_age = age;
    press_button(p, 0, 0, true);
    int clicks = posted(p, "mouse_down")->clicks;
    assert_true(p->click_age == 0.0);
    return clicks;
}

// @return whether it was a click
static bool let_go(player *p, double x, double y)
{
    move(p, x, y);
    player_handle_events(p);
    press_button(p, 0, 0, false);
    p->posted_count = 0;
    player_handle_events(p);
    assert_string_equal(p->posted[0].name, "mouse_up");
    if (p->posted_count == 2) assert_string_equal(p->posted[1].name, "mouse_click");
    return p->posted_count == 2;
}

static void clicks_are_counted_where_they_follow_each_other_at_a_place(void **state)
{
    stage *s = need_stage(state);
    player *p = begin(state, "scene:on('mouse_drag', function() end)");
    assert_int_equal(press_and_count(p, 60, 50, 9.0), 1);
    assert_true(let_go(p, 62.3, 53.2)); // 3.94 points away
    assert_int_equal(press_and_count(p, 60, 50, 0.39), 2);
    assert_true(let_go(p, 60, 50));
    assert_int_equal(press_and_count(p, 60, 50, 0.41), 1);
    assert_true(let_go(p, 60, 50));
    assert_int_equal(press_and_count(p, 60, 54.1, 0.1), 1);
    assert_true(let_go(p, 60, 54.1));
    assert_int_equal(press_and_count(p, 60, 54.1, 0.1), 2);
    assert_false(let_go(p, 63, 51)); // 4.3 points away: a drag
    assert_int_equal(press_and_count(p, 60, 54.1, 0.1), 1);
    assert_true(let_go(p, 60, 54.1));
    assert_int_equal(press_and_count(p, 60, 54.1, 0.1), 2);
    assert_true(let_go(p, 60, 54.1));
    assert_int_equal(press_and_count(p, 60, 54.1, 0.1), 3);
    p->click_age = p->quiet = 0.5;
    frame(s, p, 0.25);
    assert_true(p->click_age == 0.75 && p->quiet == 0.75);
}

static void the_queue_keeps_the_first_of_too_many(void **state)
{
    player *p = begin(state, "scene:on('key_down', function() end)");
    p->quiet = 5.0;
    move(p, 1, 1);
    move(p, 7, 8);
    assert_int_equal(p->event_count, 1); // a pointer that moves on
    assert_true(p->event[0].x == 7 && p->event[0].y == 8 && p->quiet == 0.0);
    press_key(p, 'A', true);
    move(p, 1, 2);
    assert_int_equal(p->event_count, 3);
    for (int i = 0; i < PLAYER_EVENTS; ++i)
        press_key(p, 'B', true);
    assert_int_equal(p->event_count, PLAYER_EVENTS);
    p->posted_count = 2; // of a frame before
    player_handle_events(p);
    assert_int_equal(p->event_count, 0);
    assert_int_equal(p->posted_count, PLAYER_EVENTS);
    assert_string_equal(p->posted[3].key, "a");
    p->paused = true; // nobody is told what is done meanwhile
    press_key(p, 'A', true);
    expect_nothing(p);
}

static void one_press_of_a_button_is_taken_a_frame(void **state)
{
    player *p = begin(state, "");
    move(p, 40, 40);
    press_button(p, 0, 0, true);
    press_button(p, 1, 0, true);
    move(p, 50, 40);
    press_button(p, 1, 0, false);
    player_handle_events(p);
    assert_int_equal(p->held, 1);
    assert_int_equal(p->event_count, 3);
    assert_true(p->event[0].button == 1 && p->event[0].down && p->x == 40);
    player_handle_events(p);
    assert_true(p->held == 3 && p->event_count == 1 && p->x == 50);
    player_handle_events(p);
    assert_true(p->held == 1 && p->event_count == 0);
    p->wait_frames = 2; // the gui is on its way to the prompt
    press_button(p, 0, 0, false);
    player_handle_events(p);
    player_handle_events(p);
    assert_int_equal(p->held, 1);
    player_handle_events(p);
    assert_int_equal(p->held, 0);
    press(p, "A");
    press(p, "B");
    player_handle_events(p);
    assert_int_equal(p->event_count, 0);
    p->prompts = true; // its field sees no second key
    press(p, "A");
    player_handle_events(p);
    assert_int_equal(p->event_count, 1);
    player_handle_events(p);
    assert_int_equal(p->event_count, 0);
}

static void take_press(player *p, const char *name, int times)
{
    for (int i = 0; i < times; ++i) {
        press(p, name);
        player_handle_events(p);
    }
}

static void keys_of_the_window_turn_its_switches(void **state)
{
    player *p = begin(state, "");
    engine_view *v = engine_get_view(p->scene);
    const engine_view was = *v;
    take_press(p, "-", 1);
    assert_true(p->speed == 0.5);
    take_press(p, "-", 9);
    assert_true(p->speed == 1.0 / 64.0);
    take_press(p, "=", 1);
    assert_true(p->speed == 1.0 / 32.0);
    take_press(p, "+", 12);
    assert_true(p->speed == 16.0);
    p->time_debt = 0.01;
    take_press(p, "T", 1);
    assert_true(p->time_debt == 0.0 && v->pace != was.pace);
    take_press(p, "T", 1);
    assert_int_equal(v->pace, was.pace);
    take_press(p, "V", ENGINE_SHADINGS);
    take_press(p, "B", ENGINE_POLYGONS);
    take_press(p, "J", ENGINE_SHOWN);
    assert_true(v->shading == was.shading && v->polygons == was.polygons && v->shown == was.shown);
    take_press(p, "P", 1);
    assert_true(p->paused && !p->single);
    take_press(p, "P", 1);
    assert_false(p->paused);
    take_press(p, "N", 1);
    assert_true(p->paused && p->single);
    assert_false(p->reloads);
    take_press(p, "R", 1);
    assert_true(p->reloads);
    take_press(p, "Q", 1);
    assert_false(p->wants_close);
    player_event(p, &(gui_event){.kind = GUI_KEY, .key = 'Q', .modifiers = GUI_CONTROL}); // it comes up
    player_handle_events(p);
    assert_false(p->wants_close);
    take_press(p, "Ctrl+Q", 1);
    assert_true(p->wants_close);
}

static void the_prompt_opens_and_closes(void **state)
{
    player *p = begin(state, "");
    take_press(p, "Esc", 1);
    assert_false(p->prompts);
    for (int k = 0; k < 3; ++k) {
        take_press(p, k == 1 ? "`" : "Tab", 1);
        assert_true(p->prompts && p->takes_focus && p->wait_frames == 2);
        p->wait_frames = 0;
        p->takes_focus = false;
        for (int i = 0; i < 2; ++i) // its key comes up a frame later
            player_handle_events(p);
        take_press(p, k == 0 ? "Esc" : k == 1 ? "`" : "Tab", 1);
        player_handle_events(p);
        assert_true(!p->prompts && !p->takes_focus && p->wait_frames == 0);
    }
}

static void drag(player *p, int button, double dx, double dy)
{
    move(p, 60, 50);
    press_button(p, button, 0, true);
    player_handle_events(p);
    move(p, 60 + dx, 50 + dy);
    player_handle_events(p);
    press_button(p, button, 0, false);
    player_handle_events(p);
}

static void drags_turn_by_their_share_of_the_window(void **state)
{
    player *p = begin(state, "");
    draw_camera before = play_renderer_camera(p->scene);
    drag(p, 0, 10, 6); // of 160 x 120 points
    draw_camera after = play_renderer_camera(p->scene);
    near(after.yaw, before.yaw - ER_PI / 16.0, 1e-9);
    near(after.pitch, before.pitch + ER_PI / 20.0, 1e-9);
    near(after.distance, before.distance, 1e-9);
    drag(p, 0, 0, 300);
    near(play_renderer_camera(p->scene).pitch, 1.55, 1e-9);
    drag(p, 0, 0, -300);
    near(play_renderer_camera(p->scene).pitch, -1.55, 1e-9);
}

static void the_wheel_comes_no_nearer_than_a_millimetre_and_goes_no_farther_than_100_km(void **state)
{
    player *p = begin(state, "");
    player_event(p, &(gui_event){.kind = GUI_SCROLL, .y = 1e3});
    player_handle_events(p);
    near(play_renderer_camera(p->scene).distance, 1e-3, 1e-9);
    player_event(p, &(gui_event){.kind = GUI_SCROLL, .y = -1e4});
    player_handle_events(p);
    assert_true(fabs(play_renderer_camera(p->scene).distance - 1e5) < 1e-6);
}

// The prompt covers the lower part: what is done upon it is neither the scene's nor the camera's.
static void the_prompt_takes_the_mouse_and_the_letters(void **state)
{
    stage *s = need_stage(state);
    player *p = begin(state, "scene:on('key_press', function() end)");
    take_press(p, "Tab", 1);
    for (int i = 0; i < 4; ++i)
        frame(s, p, tick);
    assert_true(gui_wants_keyboard(p->gui));
    draw_camera before = play_renderer_camera(p->scene);
    move(p, 100, 225);
    frame(s, p, tick);
    assert_true(gui_wants_mouse(p->gui));
    move(p, 101, 225);
    expect_nothing(p);
    player_event(p, &(gui_event){.kind = GUI_SCROLL, .y = 2});
    expect_nothing(p);
    press_button(p, 0, 0, true);
    expect_nothing(p);
    assert_int_equal(p->held, 0);
    press_button(p, 0, 0, false);
    expect_nothing(p);
    near(play_renderer_camera(p->scene).distance, before.distance, 1e-9);
    press_key(p, 'A', true);
    type(p, "a");
    expect_nothing(p);
}

// Backspace is held, and so goes on and on; not when the window is left.
static void a_window_that_loses_the_focus_holds_nothing(void **state)
{
    enum { BACKSPACE = 259 };
    stage *s = need_stage(state);
    size_t left[2];
    for (int lost = 0; lost < 2; ++lost) {
        player *p = begin(state, "");
        take_press(p, "Tab", 1);
        for (int i = 0; i < 4; ++i)
            frame(s, p, tick);
        type(p, "abcdefghijklmnopqrstuvwxyz");
        press_key(p, BACKSPACE, true);
        frame(s, p, tick);
        frame(s, p, tick);
        p->held = p->modifiers = 1;
        player_focus(p, lost == 0);
        assert_true(p->held == (lost == 0) && p->modifiers == (lost == 0));
        for (int i = 0; i < 8; ++i)
            frame(s, p, 0.1);
        left[lost] = strlen(p->typed);
    }
    assert_true(left[0] < left[1] && left[1] >= 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mouse_is_told_in_pixels_with_the_way_it_points),
        cmocka_unit_test(modifiers_are_told_by_their_own_bits),
        cmocka_unit_test(keys_have_names_and_the_character_they_type),
        cmocka_unit_test(clicks_are_counted_where_they_follow_each_other_at_a_place),
        cmocka_unit_test(the_queue_keeps_the_first_of_too_many),
        cmocka_unit_test(one_press_of_a_button_is_taken_a_frame),
        cmocka_unit_test(keys_of_the_window_turn_its_switches),
        cmocka_unit_test(the_prompt_opens_and_closes),
        cmocka_unit_test(drags_turn_by_their_share_of_the_window),
        cmocka_unit_test(the_wheel_comes_no_nearer_than_a_millimetre_and_goes_no_farther_than_100_km),
        cmocka_unit_test(the_prompt_takes_the_mouse_and_the_letters),
        cmocka_unit_test(a_window_that_loses_the_focus_holds_nothing),
    };
    return run_playing(tests, sizeof tests / sizeof *tests);
}
