// The view and what is done upon it: camera, keys, the clock, what is played, and how events wait.
#include "app_driver.h"

#include <math.h>
#include <stdio.h>

#include "viewer/render/aim.h"
#include "viewer/window/keys.h"

enum { WIDE = 120, TALL = 90 };

// Without panels the view is the window below the menus.
static hands *begin_view(void **state, const char *model)
{
    hands *h = hands_begin(state, model, WIDE, TALL);
    h->a->panels = false;
    frames(h, 2);
    return h;
}

static void drags_turn_shift_and_near_the_camera(void **state)
{
    hands *h = begin_view(state, "four_bar.json");
    view *v = &h->a->view;
    draw_camera was = v->camera;
    double point = 2.0 * was.distance * tan(0.5 * was.fov) / v->place.height;
    er_vec3 axis[3];
    drag_from(h, 0, 0, 30, 40, 20, 10);
    near(v->camera.yaw, was.yaw - 0.16, 1e-9);
    near(v->camera.pitch, was.pitch + 0.08, 1e-9);
    near(er_v3_distance(v->camera.target, was.target), 0.0, 0.0);
    drag_from(h, 0, 0, 30, 40, 2, 1.5); // too little for a drag: it is a click
    near(v->camera.yaw, was.yaw - 0.16, 1e-9);
    drag_from(h, 0, 0, 30, 40, 0, 1000);
    near(v->camera.pitch, 0.499 * ER_PI, 1e-9);
    drag_from(h, 0, 0, 30, 80, 0, -1000);
    near(v->camera.pitch, -0.499 * ER_PI, 1e-9);
    for (int k = 0; k < 2; ++k) { // with the middle button, or the left one and Shift
        v->camera = was;
        draw_camera_axes(&was, axis);
        drag_from(h, k == 0 ? 2 : 0, k == 0 ? 0 : GUI_SHIFT, 30, 40, 20, 10);
        er_vec3 moved = er_v3_sub(v->camera.target, was.target);
        near(er_v3_dot(moved, axis[0]), -20.0 * point, 1e-9);
        near(er_v3_dot(moved, axis[1]), 10.0 * point, 1e-9);
        near(v->camera.yaw, was.yaw, 0.0);
    }
    v->camera = was;
    drag_from(h, 1, 0, 30, 40, 5, 10); // down is nearer
    near(v->camera.distance, was.distance * pow(0.99, -10.0), 1e-9);
    v->camera.fov = 0.0; // parallel, as 0.6 rad would show it
    v->camera.distance = was.distance;
    v->camera.target = was.target;
    drag_from(h, 2, 0, 30, 40, 20, 0);
    near(er_v3_distance(v->camera.target, was.target), 20.0 * 2.0 * was.distance * tan(0.3) / v->place.height, 1e-9);
}

static void the_wheel_keeps_what_is_under_the_pointer(void **state)
{
    hands *h = begin_view(state, "four_bar.json");
    view *v = &h->a->view;
    for (int k = 0; k < 3; ++k) {
        draw_camera was = v->camera;
        er_vec3 axis[3], origin, way;
        int wide = (int)v->place.width, high = (int)v->place.height;
        double at[2] = {30.0 + 30.0 * k - v->place.x, 60.0 - 10.0 * k - v->place.y}, now[2];
        draw_camera_axes(&was, axis);
        draw_camera_ray(&was, wide, high, at[0], at[1], &origin, &way); // meets the plane of the target
        double t = er_v3_dot(er_v3_sub(was.target, origin), axis[2]) / er_v3_dot(way, axis[2]);
        er_vec3 held = er_v3_madd(origin, t, way);
        move_to(h, 30.0 + 30.0 * k, 60.0 - 10.0 * k);
        app_event(h->a, &(gui_event){.kind = GUI_SCROLL, .y = k == 1 ? -2 : 3});
        frames(h, 1);
        near(v->camera.distance, was.distance * pow(0.9, k == 1 ? -2 : 3), 1e-9);
        assert_true(draw_camera_project(&v->camera, wide, high, held, now));
        near(now[0], at[0], 1e-6);
        near(now[1], at[1], 1e-6);
    }
    double was = v->camera.distance;
    app_event(h->a, &(gui_event){.kind = GUI_SCROLL, .y = 300}); // nearer than can be
    frames(h, 1);
    near(v->camera.distance, was, 0.0);
    move_to(h, 30.0, 4.0); // upon the menus
    app_event(h->a, &(gui_event){.kind = GUI_SCROLL, .y = 3});
    frames(h, 1);
    near(v->camera.distance, was, 0.0);
}

static void the_whole_is_framed_from_its_front(void **state)
{
    hands *h = begin_view(state, "gnome.glb");
    view *v = &h->a->view;
    const er_scene *scene = session_target(h->a->session)->scene;
    draw_bounds bounds = draw_model_bounds(h->a->model, NULL);
    draw_camera wanted = draw_camera_frame(&bounds, scene->up, v->place.width / v->place.height);
    view_reset(h->a);
    assert_false(v->framed || v->gizmo || v->was_seen || v->was_followed);
    assert_true(v->selected == -1 && v->hot == -1 && v->drag == DRAG_NONE);
    frames(h, 1);
    near(v->camera.yaw, wanted.yaw + aim_front(scene->up, scene->forward), 1e-9);
    near(v->camera.distance, wanted.distance, 1e-9);
    near(er_v3_distance(v->camera.target, wanted.target), 0.0, 1e-9);
    v->camera.yaw = 1.3; // they are the user's from then on
    v->camera.pitch = -0.4;
    v->camera.fov = 0.9;
    v->camera.distance = 99.0;
    key(h, "F");
    near(v->camera.yaw, 1.3, 0.0);
    near(v->camera.pitch, -0.4, 0.0);
    near(v->camera.fov, 0.9, 0.0);
    assert_true(v->camera.distance < 50.0);
}

static void find_joint(const hands *h, int body, double at[2])
{
    const view *v = &h->a->view;
    er_vec3 head[64], tip[64];
    draw_bones(h->a->model, h->a->pose, head, tip);
    er_vec3 middle = er_v3_scale(0.5, er_v3_add(head[body], tip[body]));
    assert_true(draw_camera_project(&v->camera, (int)v->place.width, (int)v->place.height, middle, at));
    at[0] += v->place.x;
    at[1] += v->place.y;
}

static void a_click_chooses_a_joint_and_escape_lets_all_go(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", 300, 300);
    app *a = h->a;
    double at[2];
    const view *v = &a->view;
    int body = 1; // one that no other hides
    a->panels = false;
    frames(h, 3);
    for (find_joint(h, body, at); draw_pick_body(a->model, &v->camera, (int)v->place.width, (int)v->place.height,
                                                 at[0] - v->place.x, at[1] - v->place.y, a->pose) != body;)
        find_joint(h, ++body, at);
    drag_from(h, 0, 0, at[0], at[1], 0, 0);
    assert_int_equal(a->view.selected, body);
    frames(h, 1);
    assert_int_equal(a->view.node, session_rig(a->session)->body_node[body]);
    drag_from(h, 0, 0, 4, 40, 0, 0); // nothing is there
    assert_int_equal(a->view.selected, -1);
    a->view.selected = body;
    key(h, "R");
    assert_true(a->view.gizmo);
    message_add(a, MESSAGE_NOTE, "something");
    key(h, "F1");
    assert_int_equal(a->dialog, DIALOG_KEYS);
    for (int k = 0; k < 4; ++k) { // one after the other
        key(h, "Esc");
        frames(h, 1);
        assert_int_equal(a->dialog, DIALOG_NONE);
        assert_int_equal(a->messages.shown, k < 1);
        assert_int_equal(a->view.gizmo, k < 2);
        assert_int_equal(a->view.selected, k < 3 ? body : -1);
    }
}

static void a_ring_that_is_dragged_turns_its_joint(void **state)
{
    enum { BODY = 6 };
    hands *h = hands_begin(state, "gnome.glb", 300, 300);
    app *a = h->a;
    double grip[2], beside[2];
    a->panels = false;
    frames(h, 3);
    assert_false(app_select_joint(a, -1, grip));
    assert_false(app_select_joint(a, session_model(a->session)->body_count, grip));
    assert_true(app_select_joint(a, BODY, grip));
    er_pose frame = session_model(a->session)->body[BODY].pose;
    view *v = &a->view;
    move_to(h, grip[0], grip[1]);
    int ring = v->hot;
    assert_in_range(ring, 0, 2);
    // It is the outermost one above the joint: nothing lies higher.
    assert_int_equal(draw_pick_gizmo(&v->camera, (int)v->place.width, (int)v->place.height, grip[0] - v->place.x,
                                     grip[1] - v->place.y - 1.0, &frame),
                     -1);
    double from[2] = {grip[0] - v->place.x, grip[1] - v->place.y}, to[2] = {from[0] + 15.0, from[1] + 3.0};
    double angle = draw_gizmo_angle(&v->camera, (int)v->place.width, (int)v->place.height, &frame, ring, from, to);
    drag_from(h, 0, 0, grip[0], grip[1], 15.0, 3.0);
    er_quat turned = er_q_mul(er_q_conj(frame.q), session_model(a->session)->body[BODY].pose.q);
    er_vec3 by = er_q_log(turned);
    assert_true(fabs(angle) > 0.05);
    near(er_v3_norm(by), fabs(angle), 1e-6);
    near((&by.x)[ring], angle, 1e-6);
    assert_true(session_can_undo(a->session));
    beside[0] = beside[1] = 40.0;
    move_to(h, beside[0], beside[1]);
    assert_int_equal(v->hot, -1);
    a->view.selected = -1;
}

static void the_camera_follows_the_centre_of_mass(void **state)
{
    hands *h = begin_view(state, "gnome.glb");
    app *a = h->a;
    const er_model *model = session_model(a->session);
    er_vec3 centre[2];
    er_vec3 target = a->view.camera.target;
    a->view.follow = true;
    for (int k = 0; k < 2; ++k) {
        er_vec3 sum = er_v3(0, 0, 0);
        double mass = 0.0;
        a->clock.time = k == 0 ? 0.0 : 0.25 * session_cycle(a->session);
        frames(h, 1);
        if (k == 0) target = a->view.camera.target;
        for (int b = 0; b < model->body_count; ++b) {
            sum = er_v3_madd(sum, model->body[b].mass, er_pose_point(a->pose[b], model->body[b].com));
            mass += model->body[b].mass;
        }
        centre[k] = er_v3_scale(1.0 / mass, sum);
    }
    near(er_v3_distance(er_v3_sub(a->view.camera.target, target), er_v3_sub(centre[1], centre[0])), 0.0, 1e-9);
}

// ---- keys

static void keys_do_what_the_menus_say(void **state)
{
    hands *h = begin_view(state, "gnome.glb");
    app *a = h->a;
    draw_style *style = &a->view.style;
    session *s = a->session;
    const struct {
        const char *key;
        const bool *flag;
    } flags[] = {{"L", &a->clock.loop},        {"R", &a->view.gizmo},      {"G", &style->floor},
                 {"X", &style->axes},          {"C", &style->mass_centre}, {"E", &a->view.ghosts},
                 {"Shift+C", &a->view.follow}, {"Tab", &a->panels},        {"Space", &a->clock.playing}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        for (int k = 0; k < 2; ++k) {
            bool was = *flags[i].flag;
            key(h, flags[i].key);
            if (*flags[i].flag == was) fail_msg("%s does nothing", flags[i].key);
        }
    a->clock.playing = false;
    key(h, "1");
    assert_true(style->mesh && !style->skeleton);
    key(h, "3");
    assert_true(style->mesh && style->skeleton);
    key(h, "2");
    assert_true(!style->mesh && style->skeleton);
    for (int k = 1; k <= 3; ++k) {
        key(h, "W");
        assert_int_equal(style->surface, k % 3);
    }
    key(h, "T");
    assert_false(a->dark);
    key(h, "T");
    assert_true(a->dark);
    int mode = session_get(s)->component[0].mode;
    key(h, "Down");
    assert_int_equal(session_get(s)->component[0].mode, mode + 1);
    assert_true(session_get(s)->component_count == 1 && a->palette.mode == mode + 1);
    key(h, "Up");
    key(h, "Up"); // rigid ones play too
    assert_int_equal(session_get(s)->component[0].mode, mode - 1);
    key(h, "Down");
    key(h, "A");
    assert_int_equal(session_get(s)->component_count, 0); // out of the mix
    key(h, "A");
    assert_int_equal(session_get(s)->component_count, 1);
    key(h, "M");
    assert_true(session_get(s)->component[0].mute);
    key(h, "S");
    assert_true(session_get(s)->component[0].solo);
    key(h, "Ctrl+Z");
    assert_false(session_get(s)->component[0].solo);
    key(h, "Ctrl+Y");
    assert_true(session_get(s)->component[0].solo);
    key(h, "Delete");
    assert_int_equal(session_get(s)->component_count, 0);
    key(h, "Ctrl+Z");
    key(h, "Backspace");
    assert_int_equal(session_get(s)->component_count, 0);
    int said = a->messages.count;
    key(h, "Ctrl+S"); // nothing to save
    assert_true(a->dialog == DIALOG_NONE && a->messages.count == said + 1);
    static const struct {
        const char *key;
        dialog opens;
    } dialogs[] = {
        {"Ctrl+O", DIALOG_OPEN}, {"Ctrl+Shift+O", DIALOG_MIX_OPEN}, {"Ctrl+E", DIALOG_EXPORT}, {"F1", DIALOG_KEYS}};
    for (int i = 0; i < 4; ++i) {
        key(h, dialogs[i].key);
        assert_int_equal(a->dialog, dialogs[i].opens);
        key(h, "M"); // nobody's meanwhile
        frames(h, 1);
        key(h, "Esc");
        frames(h, 2);
        assert_int_equal(a->dialog, DIALOG_NONE);
    }
    for (int k = 0; k < 2; ++k) { // wherever its key lies
        app_event(a, &(gui_event){.kind = GUI_CHARACTER, .character = '?'});
        frames(h, 2);
        assert_int_equal(a->dialog, k == 0 ? DIALOG_KEYS : DIALOG_NONE);
    }
    assert_false(app_wants_end(a));
    key(h, "Ctrl+Q");
    assert_true(app_wants_end(a));
}

// The component of the mode that was chosen last, else the one that is selected.
static void keys_change_the_chosen_component(void **state)
{
    hands *h = begin_view(state, "gnome.glb");
    app *a = h->a;
    session *s = a->session;
    int mode = session_get(s)->component[0].mode;
    palette_add(a, mode + 1);
    palette_add(a, mode + 2);
    assert_true(a->component == 2 && a->palette.mode == mode + 2);
    a->palette.mode = mode + 1;
    key(h, "M");
    assert_true(session_get(s)->component[1].mute && !session_get(s)->component[2].mute);
    a->palette.mode = mode + 9; // plays not
    a->component = 0;
    key(h, "S");
    assert_true(session_get(s)->component[0].solo);
    a->palette.mode = mode + 1;
    key(h, "Delete");
    assert_int_equal(session_get(s)->component_count, 2);
    assert_true(session_get(s)->component[0].mode == mode && session_get(s)->component[1].mode == mode + 2);
    a->palette.mode = -1;
    a->component = 2; // it is not there
    key(h, "Delete");
    assert_int_equal(session_get(s)->component_count, 2);
}

static void menus_list_what_keys_do(void **state)
{
    hands *h = hands_begin(state, NULL, NARROW, 700);
    assert_true(is_there(h, "Open a model ..."));
    click(h, "View");
    click(h, "Joint axes");
    assert_true(h->a->view.style.axes);
    click(h, "View");
    click(h, "Frame all"); // of nothing
    assert_false(h->a->view.framed);
    key(h, "Esc");
    click(h, "Help");
    click(h, "Messages");
    assert_int_equal(h->a->dialog, DIALOG_MESSAGES);
    click(h, "Close");
    frames(h, 2);
    assert_int_equal(h->a->dialog, DIALOG_NONE);
    click(h, "Help");
    click(h, "Keys");
    assert_non_null(strstr(gui_widgets(h->a->gui), "? or F1\nKeys\n"));
    assert_non_null(strstr(gui_widgets(h->a->gui), "Ctrl+Shift+O\nOpen a mix ...\n"));
    click(h, "Close");
    frames(h, 2);
    assert_int_equal(h->a->dialog, DIALOG_NONE);
    assert_string_equal(app_title(h->a), "eigenrig");
    click(h, "Open a model ...");
    assert_int_equal(h->a->dialog, DIALOG_OPEN);
}

static void keys_have_names_that_are_read(void **state)
{
    static const struct {
        const char *text, *written;
        int key, modifiers;
    } cases[] = {{"Space", "Space", 32, 0},
                 {"escape", "Esc", 256, 0},
                 {"ENTER", "Enter", 257, 0},
                 {"PageUp", "PageUp", 266, 0},
                 {"F11", "F11", 300, 0},
                 {"a", "A", 'A', 0},
                 {"Shift+Ctrl+z", "Ctrl+Shift+Z", 'Z', GUI_CONTROL | GUI_SHIFT},
                 {"alt+ctrl+alt+1", "Ctrl+Alt+1", '1', GUI_CONTROL | GUI_ALT},
                 {"~", "~", '~', 0},
                 {"!", "!", '!', 0}};
    static const char *const wrong[] = {"", "ab", "Ctrl+", "F12", " ", "\x7f"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int code = -1, modifiers = -1;
        char text[32];
        assert_true(key_read(cases[i].text, &code, &modifiers));
        assert_true(code == cases[i].key && modifiers == cases[i].modifiers);
        key_write(code, modifiers, text, sizeof text);
        assert_string_equal(text, cases[i].written);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        int code, modifiers;
        assert_false(key_read(wrong[i], &code, &modifiers));
    }
    char text[32];
    key_write(127, 0, text, sizeof text);
    assert_string_equal(text, "");
    key_write(340, GUI_SHIFT, text, sizeof text);
    assert_string_equal(text, "Shift+");
}

// ---- time

static void the_panel_below_plays_steps_and_scrubs(void **state)
{
    hands *h = hands_begin(state, "four_bar.json", 1100, HIGH);
    app *a = h->a;
    double cycle = session_cycle(a->session);
    a->clock.time = 0.5 * cycle;
    click(h, "step on");
    near(a->clock.time, 0.5 * cycle + 1.0 / 60.0, 1e-9);
    click(h, "step back");
    click(h, "step back");
    near(a->clock.time, 0.5 * cycle - 1.0 / 60.0, 1e-9);
    click(h, "play");
    assert_true(a->clock.playing);
    click(h, "play");
    assert_false(a->clock.playing);
    a->clock.playing = true;
    drag_widget(h, "curve", 0.0);
    near(a->clock.time, 0.5 * cycle, 0.03 * cycle);
    assert_false(a->clock.playing);
    drag_widget(h, "speed", 1000.0);
    near(a->clock.speed, 4.0, 1e-9);
    drag_widget(h, "speed", -1000.0);
    near(a->clock.speed, 0.1, 1e-9);
    click(h, "Loop");
    assert_false(a->clock.loop);
    char text[64];
    snprintf(text, sizeof text, "%.2f of %.2f s\n", a->clock.time, cycle);
    assert_non_null(strstr(gui_widgets(a->gui), text));
    key(h, "Home");
    near(a->clock.time, 0.0, 0.0);
}

// The sines of what plays are summed up: amplitude, whole cycles, phase.
static void the_curve_is_the_sum_of_what_plays(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, HIGH);
    app *a = h->a;
    session_setup next = *session_get(a->session);
    int mode = next.component[0].mode;
    next.component_count = 3;
    for (int k = 0; k < 3; ++k)
        next.component[k] = (session_component){.mode = mode + k, .degrees = 10.0 + k, .hz = 1.0 + k, .phase = 0.3 * k};
    next.component[2].mute = true;
    next.component[0].hz = 0.0; // its own
    change_setup(a, &next, true);
    frames(h, 2);
    double cycle = session_cycle(a->session), own = session_mode(a->session, mode)->frequency_hz;
    for (int i = 0; i < 256; i += 15) {
        double at = 2.0 * ER_PI * i / 255.0, sum = 10.0 * sin(fmax(floor(own * cycle + 0.5), 1.0) * at);
        sum += 11.0 * sin(fmax(floor(2.0 * cycle + 0.5), 1.0) * at + 0.3);
        near((double)a->timeline.curve[i], sum, 1e-3);
    }
    assert_false(a->timeline.stale);
}

// ---- the left

static void cards_play_and_add_their_modes(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    app *a = h->a;
    session *s = a->session;
    a->clock.time = 0.2;
    click(h, "mode 7");
    assert_true(session_get(s)->component_count == 1 && session_get(s)->component[0].mode == 7);
    assert_true(a->palette.mode == 7 && a->component == 0 && a->clock.time == 0.0);
    click(h, "+mode 8");
    assert_true(session_get(s)->component_count == 2 && a->component == 1 && a->palette.mode == 8);
    click_with(h, "mode 9", GUI_CONTROL);
    frames(h, 2);
    assert_int_equal(session_get(s)->component_count, 3);
    click(h, "+mode 8");
    assert_int_equal(session_get(s)->component_count, 2);
    assert_int_equal(a->component, -1);
    for (int i = 0; i < 12; ++i)
        frames(h, 1);
    int drawn = 0;
    for (int i = 0; i < MOST_THUMBNAILS; ++i) {
        const thumbnail *t = &a->palette.thumbnail[i];
        drawn += t->mode >= 0 && t->drawn > 0;
        for (int k = 0; k < i; ++k)
            assert_true(t->mode < 0 || t->mode != a->palette.thumbnail[k].mode);
    }
    assert_in_range(drawn, 5, 12); // of those in sight one each
}

static void modes_are_found_by_joint_kind_or_number(void **state)
{
    static const struct {
        const char *text;
        const char *there, *gone; // modes
    } cases[] = {{"07", "mode 7", "mode 8"}, {"rigid", "mode 3", "mode 7"}, {"RIGID", "mode 3", "mode 7"}};
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    app *a = h->a;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        snprintf(a->palette.search, sizeof a->palette.search, "%s", cases[i].text);
        frames(h, 3);
        if (!is_there(h, cases[i].there)) fail_msg("%s finds no %s", cases[i].text, cases[i].there);
        if (is_there(h, cases[i].gone)) fail_msg("%s finds %s", cases[i].text, cases[i].gone);
    }
    snprintf(a->palette.search, sizeof a->palette.search, "nobody is called so");
    frames(h, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_false(is_there(h, cases[i].there) || is_there(h, cases[i].gone));
    // Numbers are met whole: those of titles, as "07   1.08 Hz".
    mode_text *t = &a->palette.text[7];
    snprintf(t->title, sizeof t->title, "07   10.08 Hz");
    t->kind[0] = t->movers[0] = '\0';
    static const struct {
        const char *search;
        bool found;
    } numbers[] = {{"7", true},       {"07", true},   {"10", false}, {"10.0", false}, {"10.08", true},
                   {"0.08", false},   {"08", false},  {"8", false},  {"Hz", true},    {"8 Hz", false},
                   {"10.08 h", true}, {".08", false}, {"", true}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        snprintf(a->palette.search, sizeof a->palette.search, "%s", numbers[i].search);
        a->palette.mode = 6;
        palette_walk(a, 1); // to the next that is found
        assert_int_equal(a->palette.mode == 7, numbers[i].found);
        snprintf(t->title, sizeof t->title, "07   10.08 Hz"); // it was solved for anew
        t->kind[0] = t->movers[0] = '\0';
    }
}

// ---- events and messages

static void events_wait_in_order(void **state)
{
    hands *h = begin_view(state, "four_bar.json");
    app *a = h->a;
    app_event(a, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = 40, .y = 40});
    app_event(a, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = 50, .y = 45});
    assert_int_equal(a->event_count, 1);
    app_event(a, &(gui_event){.kind = GUI_MOUSE_BUTTON, .button = 2, .modifiers = GUI_SHIFT, .down = true});
    app_event(a, &(gui_event){.kind = GUI_MOUSE_BUTTON, .button = 2});
    frames(h, 1); // the pointer's place is seen before it presses
    assert_int_equal(a->event_count, 2);
    assert_true(a->view.pointer[0] == 50 && a->view.pointer[1] == 45 && a->view.drag == DRAG_NONE);
    frames(h, 1);
    assert_true(a->view.drag == DRAG_PAN && a->modifiers == GUI_SHIFT);
    frames(h, 1);
    assert_true(a->view.drag == DRAG_NONE && a->modifiers == 0 && a->event_count == 0);
    int first = a->event_first;
    for (int i = 0; i < MOST_EVENTS + 5; ++i)
        app_event(a, &(gui_event){.kind = GUI_SCROLL, .y = i});
    assert_int_equal(a->event_count, MOST_EVENTS);
    assert_true(a->event[first].y == 0.0 && a->event[(first + MOST_EVENTS - 1) % MOST_EVENTS].y == MOST_EVENTS - 1);
    a->event_count = 0;
    a->modifiers = GUI_CONTROL;
    a->view.drag = DRAG_ORBIT;
    app_focus(a, true);
    assert_true(a->modifiers == GUI_CONTROL && a->view.drag == DRAG_ORBIT);
    app_focus(a, false);
    assert_true(a->modifiers == 0 && a->view.drag == DRAG_NONE);
}

static void messages_are_shown_for_a_while_and_kept(void **state)
{
    hands *h = begin_view(state, "four_bar.json");
    app *a = h->a;
    messages_state *m = &a->messages;
    m->count = 0;
    m->shown = false;
    message_add(a, MESSAGE_KEPT, "kept");
    assert_false(m->shown);
    message_add(a, MESSAGE_NOTE, "noted");
    message_add(a, MESSAGE_NOTE, "noted"); // said again while a slider moves
    assert_true(m->shown && m->count == 2);
    messages_show(a, 5.9);
    assert_true(m->shown);
    messages_show(a, 0.2);
    assert_false(m->shown);
    message_add(a, MESSAGE_ERROR, "wrong");
    messages_show(a, 19.9);
    assert_true(m->shown);
    messages_show(a, 0.2);
    assert_false(m->shown);
    for (int i = 0; i < MOST_MESSAGES; ++i) {
        char text[32];
        snprintf(text, sizeof text, "message %d", i);
        message_add(a, i % 2 == 0 ? MESSAGE_NOTE : MESSAGE_ERROR, text);
    }
    assert_int_equal(m->count, MOST_MESSAGES);
    assert_string_equal(m->list[0].text, "message 0");
    assert_string_equal(m->list[MOST_MESSAGES - 1].text, "message 63");
    assert_int_equal(m->list[MOST_MESSAGES - 1].kind, MESSAGE_ERROR);
    message_add(a, MESSAGE_NOTE, "one more");
    assert_string_equal(m->list[0].text, "message 1");
    m->shown = false;
    h = hands_begin(state, "four_bar.json", NARROW + 300, HIGH);
    message_add(h->a, MESSAGE_ERROR, "over the view");
    frames(h, 2);
    assert_non_null(strstr(gui_widgets(h->a->gui), "!\nover the view\n"));
    click(h, "close message");
    assert_false(h->a->messages.shown);
    h->a->dialog = DIALOG_MESSAGES;
    frames(h, 2);
    assert_non_null(strstr(gui_widgets(h->a->gui), "error\nover the view\n"));
}

static void panels_share_a_narrow_window(void **state)
{
    static const struct {
        int width;
        double left, right;
    } cases[] = {{400, 252, 280}, {950, 271, 298}, {1010, 288, 317}, {1600, 316, 348}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const hands *h = hands_begin(state, "four_bar.json", cases[i].width, 300);
        const rectangle *place = &h->a->view.place;
        double top = floor(gui_menu_bar_height(h->a->gui));
        near(place->x, cases[i].left, 1.0);
        near(place->width, fmax(cases[i].width - cases[i].left - cases[i].right, 1.0), 2.0);
        near(place->y, top, 0.0);
        near(place->height, 300.0 - top - 132.0, 1e-9);
    }
}

static void what_moves_is_known(void **state)
{
    hands *h = begin_view(state, "four_bar.json");
    app *a = h->a;
    a->messages.shown = false;
    assert_false(app_is_moving(a));
    a->clock.playing = true;
    assert_true(app_is_moving(a));
    a->clock.playing = false;
    a->messages.shown = true;
    assert_true(app_is_moving(a));
    a->messages.shown = false;
    a->simulate.playing = true;
    assert_true(app_is_moving(a));
    a->simulate.playing = false;
    a->simulate.owed = 0.1;
    assert_true(app_is_moving(a));
    a->simulate.owed = 0.0;
    a->palette.judges = true;
    assert_true(app_is_moving(a));
    a->palette.judges = false;
    app_event(a, &(gui_event){.kind = GUI_SCROLL});
    assert_true(app_is_moving(a));
    frames(h, 1);
    assert_true(app_script_ended(a));
    h = hands_begin(state, NULL, 100, 100);
    h->a->clock.playing = true; // of nothing
    assert_false(app_is_moving(h->a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drags_turn_shift_and_near_the_camera),
        cmocka_unit_test(the_wheel_keeps_what_is_under_the_pointer),
        cmocka_unit_test(the_whole_is_framed_from_its_front),
        cmocka_unit_test(a_click_chooses_a_joint_and_escape_lets_all_go),
        cmocka_unit_test(a_ring_that_is_dragged_turns_its_joint),
        cmocka_unit_test(the_camera_follows_the_centre_of_mass),
        cmocka_unit_test(keys_do_what_the_menus_say),
        cmocka_unit_test(keys_change_the_chosen_component),
        cmocka_unit_test(menus_list_what_keys_do),
        cmocka_unit_test(keys_have_names_that_are_read),
        cmocka_unit_test(the_panel_below_plays_steps_and_scrubs),
        cmocka_unit_test(the_curve_is_the_sum_of_what_plays),
        cmocka_unit_test(cards_play_and_add_their_modes),
        cmocka_unit_test(modes_are_found_by_joint_kind_or_number),
        cmocka_unit_test(events_wait_in_order),
        cmocka_unit_test(messages_are_shown_for_a_while_and_kept),
        cmocka_unit_test(panels_share_a_narrow_window),
        cmocka_unit_test(what_moves_is_known),
    };
    return cmocka_run_group_tests(tests, stage_begin, hands_end);
}
