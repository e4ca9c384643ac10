// The cost of frames: one that nobody touches takes no memory, by every malloc() of this thread that the program itself
// or the C++ library asks for, the graphics driver's being its own affair; and one in which a joint is dragged sends no
// mesh and no texture again. Then steps of undo, the clock, and what is simulated.
#include "app_driver.h"

#include "base/sanitizer.h"

#include <dlfcn.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 400, WARM_UP = 30, FRAMES = 20 };

static hands *open(void **state, const char *name)
{
    return hands_open(state, name, WIDTH, HEIGHT, NULL);
}

// Without floor and panels, since they take most of a frame in software.
static hands *open_bare(void **state, const char *name)
{
    hands *h = open(state, name);
    h->a->view.style.floor = h->a->panels = false;
    return h;
}

static void a_joint_that_is_dragged_sends_nothing_to_the_card(void **state)
{
    enum { BODY = 6 };
    hands *h = open(state, "gnome.glb");
    app *a = h->a;
    double grip[2];
    frames(h, 2);
    draw_uploads before = painter_uploads(a->painter);
    assert_int_equal(before.meshes, 1);
    assert_true(app_select_joint(a, BODY, grip));
    move_to(h, grip[0], grip[1]);
    press_at(h, 0, 0, true);
    for (int i = 1; i <= 4; ++i) { // modes follow at each move
        er_pose at = session_model(a->session)->body[BODY].pose;
        unsigned modes = session_modes_version(a->session);
        move_to(h, grip[0] + 5.0 * i, grip[1]);
        assert_int_equal(session_modes_version(a->session), modes + 1);
        assert_memory_not_equal(&at, &session_model(a->session)->body[BODY].pose, sizeof at);
    }
    draw_uploads after = painter_uploads(a->painter);
    assert_int_equal(after.meshes, before.meshes);
    assert_int_equal(after.textures, before.textures);
}

// A slider that is held.
static void hold(hands *h, const char *label, double dx)
{
    double at[2];
    frames(h, 2);
    assert_true(gui_find(h->a->gui, label, at));
    move_to(h, at[0], at[1]);
    press_at(h, 0, 0, true);
    move_to(h, at[0] + dx, at[1]);
    frames(h, 1);
}

static void a_step_of_undo_ends_when_the_panel_of_its_slider_goes_away(void **state)
{
    hands *h = open(state, "four_bar.json");
    app *a = h->a;
    double before = session_get(a->session)->stiffness.hz;
    click(h, "Tuning");
    hold(h, "Swings at", 40.0);
    session_setup next = *session_get(a->session);
    double dragged = next.stiffness.hz;
    assert_true(dragged > before);
    a->panels = false; // Tab
    frames(h, 3);
    next.stiffness.hz = 2.0 * dragged;
    assert_int_equal(session_set(a->session, &next, true), ER_OK);
    assert_int_equal(session_undo(a->session), ER_OK);
    assert_true(session_get(a->session)->stiffness.hz == dragged);
}

static void each_slider_of_a_component_is_a_step_of_undo(void **state)
{
    enum { SLIDERS = 3 };
    static const char *const names[SLIDERS] = {"Amplitude##amplitude", "Phase##phase", "Frequency##frequency"};
    hands *h = open(state, "four_bar.json");
    app *a = h->a;
    session_component was[SLIDERS + 1];
    click(h, "Mix");
    session_setup free = *session_get(a->session);
    assert_int_equal(free.component_count, 1);
    free.component[0].hz = 2.0;
    assert_int_equal(session_set(a->session, &free, true), ER_OK);
    for (int i = 0; i < SLIDERS; ++i) {
        char label[64];
        was[i] = session_get(a->session)->component[0];
        snprintf(label, sizeof label, "%s %d", names[i], was[i].mode);
        drag_widget(h, label, 15.0);
    }
    was[SLIDERS] = session_get(a->session)->component[0];
    assert_true(was[1].degrees != was[0].degrees && was[2].phase != was[1].phase && was[3].hz != was[2].hz);
    for (int i = SLIDERS - 1; i >= 0; --i) {
        assert_int_equal(session_undo(a->session), ER_OK);
        const session_component is = session_get(a->session)->component[0];
        assert_true(is.degrees == was[i].degrees && is.phase == was[i].phase && is.hz == was[i].hz);
    }
}

static void expect_time(const app *a, double time, bool playing)
{
    assert_true(fabs(a->clock.time - time) < 1e-12);
    assert_int_equal(a->clock.playing, playing);
}

static void the_clock_plays_steps_and_ends(void **state)
{
    hands *h = open(state, "four_bar.json");
    app *a = h->a;
    clock_state *c = &a->clock;
    double cycle = playback_cycle(a), frame = 1.0 / 60.0;
    assert_true(cycle > 0.5);
    c->time = 0.0, c->speed = 2.0, c->loop = true, c->playing = true;
    timeline_advance(a, 0.05);
    expect_time(a, 0.1, true);
    timeline_advance(a, 7.0); // a stall
    expect_time(a, 0.3, true);
    c->time = cycle - 0.02;
    timeline_advance(a, 0.05);
    expect_time(a, 0.08, true);
    timeline_step(a, 1); // looks at a frame, and so stops
    expect_time(a, 0.08 + frame, false);
    timeline_advance(a, 0.05);
    expect_time(a, 0.08 + frame, false);
    timeline_go(a, 0.0);
    timeline_step(a, -1);
    expect_time(a, cycle - frame, false);
    timeline_step(a, 2);
    expect_time(a, frame, false);
    timeline_play(a);
    expect_time(a, frame, true);
    c->loop = false;
    c->time = cycle - 0.02;
    timeline_advance(a, 0.05);
    expect_time(a, cycle, false);
    timeline_play(a); // once more from the start
    expect_time(a, 0.0, true);
    timeline_play(a);
    expect_time(a, 0.0, false);
}

// A key that changes something while a slider is held is a step of its own.
static void a_key_does_not_join_the_step_of_a_slider(void **state)
{
    hands *h = open(state, "four_bar.json");
    app *a = h->a;
    session_play(a->session, session_modes(a->session)->count - 1);
    frames(h, 2);
    click(h, "Mix");
    char label[32];
    snprintf(label, sizeof label, "amplitude %d", session_get(a->session)->component[0].mode);
    hold(h, label, 40.0);
    double dragged = session_get(a->session)->component[0].degrees;
    key(h, "M");
    assert_true(session_get(a->session)->component[0].mute && dragged != er_default_mix_component().degrees);
    assert_int_equal(session_undo(a->session), ER_OK);
    assert_false(session_get(a->session)->component[0].mute);
    assert_true(session_get(a->session)->component[0].degrees == dragged);
}

// The place at which a body's centre of mass is seen.
static void find_body(const app *a, int body, double at[2])
{
    const view *v = &a->view;
    er_vec3 centre = er_pose_point(a->pose[body], session_model(a->session)->body[body].com);
    assert_true(draw_camera_project(&v->camera, (int)v->place.width, (int)v->place.height, centre, at));
    at[0] += v->place.x;
    at[1] += v->place.y;
}

static void what_is_simulated_comes_to_the_pointer_that_drags_it(void **state)
{
    enum { BODY = 1 };
    hands *h = open_bare(state, "hand.glb");
    app *a = h->a;
    double at[2];
    a->simulate.falls = false;
    session_play(a->session, -1);
    frames(h, 2);
    simulate_play(a);
    frames(h, 2);
    assert_true(a->simulate.shown && a->simulate.playing);
    find_body(a, BODY, at);
    move_to(h, at[0], at[1]);
    press_at(h, 0, 0, true);
    frames(h, 1);
    assert_true(a->simulate.grabbed >= 0);
    er_vec3 from, to, towards;
    assert_true(simulation_get_pull(a->simulate.run, &from, &to));
    assert_true(er_v3_distance(from, to) < 0.01 * session_model(a->session)->size); // it was taken where it is
    move_to(h, at[0] + 30.0, at[1] - 30.0);
    assert_true(simulation_get_pull(a->simulate.run, &from, &to));
    towards = er_v3_sub(to, from);
    double far = er_v3_norm(towards);
    assert_true(far > 0.03 * session_model(a->session)->size);
    frames(h, 24);
    assert_true(simulation_get_pull(a->simulate.run, &from, &to));
    assert_true(er_v3_distance(from, to) < 0.3 * far);
    press_at(h, 0, 0, false);
    frames(h, 1);
    assert_false(simulation_get_pull(a->simulate.run, &from, &to));
    double yaw = a->view.camera.yaw;
    move_to(h, a->view.place.x + 4.0, a->view.place.y + 4.0); // nothing is there: the camera turns
    press_at(h, 0, 0, true);
    frames(h, 1);
    move_to(h, a->view.place.x + 44.0, a->view.place.y + 4.0);
    press_at(h, 0, 0, false);
    frames(h, 1);
    assert_true(a->view.camera.yaw != yaw);
}

// A motion that leaves the range of numbers ends with a sentence, and what was recorded is there.
static void a_simulation_that_fails_says_so(void **state)
{
    hands *h = open_bare(state, "hand.glb");
    app *a = h->a;
    frames(h, 1);
    simulate_play(a);
    frames(h, 4);
    double length = simulation_length(a->simulate.run);
    assert_true(length > 0.0 && !a->messages.shown);
    simulation_pull(a->simulate.run, 1, er_v3(0, 0, 0), er_v3(1e200, 0, 0));
    frames(h, 2);
    const message *last = &a->messages.list[a->messages.count - 1];
    assert_true(a->messages.shown && last->kind == MESSAGE_ERROR && strlen(last->text) > 20);
    assert_true(a->simulate.shown && !a->simulate.playing && simulation_length(a->simulate.run) >= length);
    int count = a->messages.count;
    simulate_play(a); // over what there is, from its beginning
    frames(h, 1);
    assert_true(a->simulate.playing && simulation_time(a->simulate.run) < length);
    frames(h, 8);
    assert_true(!a->simulate.playing && a->messages.count == count);
}

// If the processor draws: drafts while it moves, and at rest what a picture of the window shows.
static void what_moves_is_drafted_in_software(void **state)
{
    enum { SIZE = 4 * WIDTH * HEIGHT };
    hands *h = open(state, "hand.glb");
    app *a = h->a;
    if (!painter_is_software(a->painter)) skip();
    stage *s = h->s;
    uint8_t *shown = malloc(2 * SIZE), *wanted = shown + SIZE;
    assert_non_null(shown);
    assert_int_equal(draw_target_resize(s->target, WIDTH, HEIGHT), ER_OK);
    a->panels = false;
    frames(h, 3);
    assert_int_equal(a->view.still, 0);
    assert_non_null(a->view.draft);
    a->clock.playing = false;
    frames(h, 1);
    draw_target_read(s->target, shown);
    for (int i = 0; i < 2; ++i) {
        h->def.screenshot = i == 0 ? "picture.png" : NULL; // no part of a picture is a draft
        frames(h, i == 0 ? 1 : 6);
        draw_target_read(s->target, wanted);
        assert_int_equal(memcmp(shown, wanted, SIZE) == 0, i > 0);
        memcpy(shown, wanted, SIZE);
    }
    free(shown);
}

// The camera goes with what falls, and comes back with the mix.
static void the_camera_goes_with_what_falls(void **state)
{
    hands *h = open_bare(state, "gnome.glb");
    app *a = h->a;
    a->clock.playing = false;
    frames(h, 2);
    er_vec3 target = a->view.camera.target, up = a->view.camera.up;
    simulate_play(a);
    frames(h, 8);
    double fallen = 0.5 * 9.81 * simulation_time(a->simulate.run) * simulation_time(a->simulate.run);
    assert_true(fabs(er_v3_dot(er_v3_sub(target, a->view.camera.target), up) / fallen - 1.0) < 0.2);
    simulate_leave(a);
    frames(h, 2);
    assert_true(er_v3_distance(target, a->view.camera.target) < 1e-9);
}

#if !ERI_SANITIZED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static _Thread_local bool counting;
static _Thread_local int taken;
static const char *program; // as dladdr() calls it

static void note(const void *caller)
{
    Dl_info from;
    if (!counting || dladdr(caller, &from) == 0) return;
    taken += strcmp(from.dli_fname, program) == 0 || strstr(from.dli_fname, "libstdc++") != NULL;
}

__attribute__((noinline)) void *malloc(size_t size) // its caller is the one that asks
{
    note(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_realloc(old, size);
}

static void a_frame_takes_no_memory(void **state)
{
    Dl_info here;
    hands *h = open(state, "gnome.glb");
    frames(h, WARM_UP);
    assert_int_not_equal(dladdr((const void *)(uintptr_t)app_frame, &here), 0);
    program = here.dli_fname;
    counting = true;
    void *volatile counted = malloc(1); // the count itself can fail
    frames(h, FRAMES);
    counting = false;
    free(counted);
    assert_int_equal(taken, 1);
}
#else
static void a_frame_takes_no_memory(void **state)
{
    skip(); // a sanitizer has its own malloc()
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_frame_takes_no_memory),
                                       cmocka_unit_test(a_joint_that_is_dragged_sends_nothing_to_the_card),
                                       cmocka_unit_test(what_is_simulated_comes_to_the_pointer_that_drags_it),
                                       cmocka_unit_test(a_simulation_that_fails_says_so),
                                       cmocka_unit_test(the_camera_goes_with_what_falls),
                                       cmocka_unit_test(what_moves_is_drafted_in_software),
                                       cmocka_unit_test(the_clock_plays_steps_and_ends),
                                       cmocka_unit_test(each_slider_of_a_component_is_a_step_of_undo),
                                       cmocka_unit_test(a_key_does_not_join_the_step_of_a_slider),
                                       cmocka_unit_test(a_step_of_undo_ends_when_the_panel_of_its_slider_goes_away)};
    return cmocka_run_group_tests(tests, stage_begin, hands_end);
}
