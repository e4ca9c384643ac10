// A rig that is let go in the window: its switches, its time, and the signs of what it touches.
#include "app_driver.h"

#include <math.h>
#include <stdio.h>

#include "support/sample.h"
#include "viewer/draw/painter.h"

static const char stick[] =
    "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT "
    "B\n{\n"
    "OFFSET 50 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 50 0 0\n}\n}\n}\n"
    "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n";

// Two bars in a row, at rest, with the tab of the simulation open.
static hands *begin_stick(void **state)
{
    hands *h = hands_begin(state, sample_write("stick.bvh", stick, sizeof stick - 1), NARROW, 1100);
    assert_int_equal(session_play(h->a->session, -1), ER_OK);
    click(h, "Simulate");
    frames(h, 2);
    return h;
}

static bool says(const hands *h, const char *text)
{
    return strstr(gui_widgets(h->a->gui), text) != NULL;
}

static void switches_say_what_acts(void **state)
{
    hands *h = begin_stick(state);
    simulate_state *s = &h->a->simulate;
    project_ground_def *d = &s->ground;
    assert_true(s->falls && !s->limits && s->contacts && !s->solids && s->run == NULL && s->grabbed == -1);
    near(s->gravity, 9.81, 1e-9);
    click(h, "Limits of joints");
    assert_true(s->limits);
    click(h, "Limits of joints");
    assert_false(s->limits);
    drag_widget(h, "g", 1000.0);
    near(s->gravity, 30.0, 1e-9);
    drag_widget(h, "g", -1000.0);
    near(s->gravity, 0.0, 0.0);
    click(h, "Gravity");
    assert_false(s->falls);
    drag_widget(h, "g", 1000.0); // to no avail
    near(s->gravity, 0.0, 0.0);
    assert_true(says(h, "nothing damps them"));
    click(h, "Ground");
    assert_true(d->floor && ground_holds(h->a));
    frames(h, 2);
    assert_true(says(h, "each joint has a damper of ratio 1"));
    click(h, "Limits of joints"); // they act in any case
    assert_false(s->limits);
    drag_widget(h, "Drop", 1000.0);
    near(d->drop, 3.0 * session_model(h->a->session)->size, 1e-9);
    drag_widget(h, "Drop", -1000.0);
    click(h, "Its parts meet each other");
    assert_true(d->self_collision);
    click(h, "Its parts meet each other");
    drag_widget(h, "Friction", 1000.0);
    near(d->friction, 2.0, 1e-9);
    drag_widget(h, "Friction", -1000.0);
    near(d->friction, 0.0, 0.0);
    drag_widget(h, "Restitution", 1000.0);
    near(d->restitution, 1.0, 1e-9);
    double sleep = d->sleep;
    assert_true(sleep > 0.0);
    click(h, "Falls asleep");
    near(d->sleep, 0.0, 0.0);
    click(h, "Falls asleep");
    near(d->sleep, sleep, 0.0);
    click(h, "Contacts shown");
    assert_false(s->contacts);
    click(h, "Solids shown");
    assert_true(s->solids);
    click(h, "Ground");
    assert_false(ground_holds(h->a));
    snprintf(s->statics, sizeof s->statics, "/a/b/floor.gltf");
    assert_true(ground_holds(h->a) && strcmp(ground_def(h->a).statics, "/a/b/floor.gltf") == 0);
    frames(h, 2);
    click(h, "\xE2\x9C\x95  floor.gltf");
    assert_string_equal(s->statics, "");
    assert_null(ground_def(h->a).statics);
    click(h, "Scene to fall on ...");
    assert_int_equal(h->a->dialog, DIALOG_STATIC_OPEN);
    key(h, "Esc");
}

static void bodies_are_held(void **state)
{
    hands *h = begin_stick(state);
    simulate_state *s = &h->a->simulate;
    click(h, "is held"); // nobody is chosen
    assert_true(!s->held[0] && !s->held[1]);
    choose(h, "Body##to hold", session_model(h->a->session)->body[1].name);
    assert_int_equal(h->a->view.selected, 1);
    click(h, "is held");
    assert_true(!s->held[0] && s->held[1]);
    simulate_play(h->a);
    assert_false(simulate_is_free(h->a));
    er_pose was = session_model(h->a->session)->body[1].pose;
    frames(h, 6);
    near(er_v3_distance(h->a->pose[1].p, was.p), 0.0, 1e-9);
    char label[64];
    snprintf(label, sizeof label, "held %d", 1);
    click(h, label);
    assert_false(s->held[1]);
    assert_true(simulate_is_free(h->a));
    const char *const names[] = {"no such*", session_model(h->a->session)->body[1].name};
    for (int i = 0; i < 2; ++i) {
        click(h, "Hold");
        type_text(h, names[i]);
        key(h, "Enter");
        frames(h, 1);
        assert_true(!s->held[0] && s->held[1] == (i == 1));
        assert_true(is_said(h, "no such*"));
    }
    click(h, label);
    click(h, "Held ones follow the mix");
    assert_true(s->follow);
}

// Without anything to meet it falls as Galilei says: each frame is a sixtieth of a second.
static void time_runs_steps_and_is_looked_at_again(void **state)
{
    hands *h = begin_stick(state);
    app *a = h->a;
    simulate_state *s = &a->simulate;
    er_vec3 from = session_model(a->session)->body[0].pose.p;
    char text[64], wanted[64];
    click(h, "Step##simulation");
    assert_true(s->shown && !s->playing && s->run != NULL);
    near(simulation_time(s->run), 1.0 / 60.0, 1e-9);
    click(h, "Run##simulate");
    assert_true(s->playing);
    click(h, "Pause##simulate");
    assert_false(s->playing);
    double time = simulation_time(s->run);
    near(er_v3_distance(a->pose[0].p, er_v3_madd(from, -0.5 * 9.81 * time * time, er_v3(0, 1, 0))), 0.0, 1e-4);
    simulate_write_time(a, text, sizeof text);
    snprintf(wanted, sizeof wanted, "%.2f of %.2f s", time, simulation_length(s->run));
    assert_string_equal(text, wanted);
    frames(h, 1);
    assert_true(says(h, wanted) && says(h, "kinetic") && says(h, "together"));
    double length = simulation_length(s->run);
    timeline_step(a, -2);
    near(simulation_time(s->run), time - 2.0 / 60.0, 1e-9);
    simulate_go(a, 1.0 / 60.0);
    near(simulation_time(s->run), 1.0 / 60.0, 1e-9);
    timeline_go(a, 0.0);
    near(simulation_time(s->run), 0.0, 0.0);
    near(simulation_length(s->run), length, 0.0);
    a->clock.speed = 0.5;
    simulate_play(a);
    frames(h, 4);
    near(simulation_time(s->run), 2.0 / 60.0, 1e-9); // at half the pace
    timeline_play(a);
    assert_false(s->playing);
    assert_false(simulate_write_pace(a, text, sizeof text));
    click(h, "Back to the mix");
    assert_true(!s->shown && s->run != NULL);
    click(h, "Show it");
    assert_true(s->shown);
    click(h, "Export ...##simulation");
    assert_true(a->dialog == DIALOG_EXPORT && a->export.simulation);
    assert_non_null(strstr(a->export.path, "stick_simulation"));
    key(h, "Esc");
    frames(h, 2);
    click(h, "Reset##simulation");
    assert_true(s->run == NULL && !s->shown);
    key(h, "P");
    assert_true(s->playing);
    key(h, "Shift+P");
    assert_null(s->run);
}

static void energies_are_told_and_drawn(void **state)
{
    gui_curve curve[3];
    char text[64];
    hands *h = begin_stick(state);
    app *a = h->a;
    for (int i = 0; i < 6; ++i)
        simulate_step(a, 1);
    frames(h, 3);
    const er_world_energy e = simulation_energy(a->simulate.run);
    const double joule[3] = {e.kinetic, e.potential, e.elastic};
    static const char *const names[3] = {"kinetic", "potential", "elastic"};
    assert_int_equal(simulate_curves(a, curve), 3);
    for (int k = 0; k < 3; ++k) {
        snprintf(text, sizeof text, "%s %.4g J", names[k], joule[k]);
        if (!says(h, text)) fail_msg("%s", text);
        // Differences of the potential energy count: what is lost of it moves.
        double now = (double)curve[k].value[SIMULATE_POINTS - 1], gone = (double)curve[k].value[0] - now;
        near(k == 1 ? gone : now, k == 1 ? e.kinetic : joule[k], 2e-3 * e.kinetic);
        for (int i = 0; i < k; ++i)
            assert_memory_not_equal(curve[i].rgb, curve[k].rgb, sizeof curve[k].rgb);
    }
    snprintf(text, sizeof text, "together %.4g J", e.mechanical);
    assert_true(says(h, text));
    float night[3];
    memcpy(night, curve[0].rgb, sizeof night);
    a->dark = false;
    simulate_curves(a, curve);
    assert_memory_not_equal(night, curve[0].rgb, sizeof night);
}

static void another_rig_ends_a_simulation_and_other_springs_do_not(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", 64, 48);
    app *a = h->a;
    simulate_step(a, 1);
    frames(h, 1);
    session_setup next = *session_get(a->session);
    next.stiffness.hz *= 2.0;
    change_setup(a, &next, true);
    frames(h, 1);
    assert_non_null(a->simulate.run);
    int said = a->messages.count;
    a->simulate.held[3] = true;
    assert_int_equal(session_rotate(a->session, 4, er_v3(0, 0, 0.2), true), ER_OK);
    frames(h, 1);
    assert_null(a->simulate.run);
    assert_true(a->messages.count == said + 1 && a->simulate.held[3]);
}

// ---- what it touches

static int count_lines(const app *a, const float rgba[4], double width)
{
    const line *l = (const line *)(const void *)a->painter->lines.data;
    int count = 0;
    for (size_t i = 0; i < a->painter->lines.size / sizeof *l; ++i) {
        bool same = fabs((double)l[i].width - width) < 1e-6;
        for (int k = 0; k < 4; ++k)
            same &= fabsf(l[i].colour[k] - rgba[k]) < 1e-6f;
        count += same;
    }
    return count;
}

static void touched_points_have_crosses_normals_and_forces(void **state)
{
    static const float blue[4] = {0.25f, 0.70f, 0.95f, 0.9f}, orange[4] = {0.98f, 0.62f, 0.12f, 0.95f};
    hands *h = begin_stick(state);
    app *a = h->a;
    const er_model *model = session_model(a->session);
    a->simulate.ground.floor = true;
    simulate_play(a);
    frames(h, 20);
    simulate_play(a);
    const er_frame_contact *contact;
    int count = simulation_contacts(a->simulate.run, &contact);
    assert_true(count > 1);
    double weight = 0.0, pressed = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        weight += 9.81 * model->body[b].mass;
    for (int k = 0; k < count; ++k)
        pressed += fabs(er_v3_dot(contact[k].force, contact[k].normal));
    frames(h, 1);
    char text[96];
    snprintf(text, sizeof text, "%d points press with %.4g N; it weighs %.4g N", count, pressed, weight);
    if (!says(h, text)) fail_msg("%s in\n%s", text, gui_widgets(a->gui));
    assert_true(pressed > 0.3 * weight && pressed < 3.0 * weight);
    a->panels = false; // so that the view is drawn last
    a->simulate.contacts = true;
    a->scale = 1.0;
    frames(h, 1);
    assert_int_equal(count_lines(a, blue, 1.5), count);
    assert_int_equal(count_lines(a, orange, 3.0), count);
    const line *l = (const line *)(const void *)a->painter->lines.data;
    int lines = (int)(a->painter->lines.size / sizeof *l), seen = 0;
    for (int i = 0; i < lines; ++i) {
        bool normal = fabsf(l[i].width - 1.5f) < 1e-6f && fabsf(l[i].colour[2] - 0.95f) < 1e-6f;
        bool force = fabsf(l[i].width - 3.0f) < 1e-6f;
        if (!normal && !force) continue;
        er_vec3 at = er_v3(l[i].from[0], l[i].from[1], l[i].from[2]), to = er_v3(l[i].to[0], l[i].to[1], l[i].to[2]);
        er_vec3 way = er_v3_sub(to, at);
        for (int k = 0; k < count; ++k) {
            if (er_v3_distance(er_v3_add(at, a->painter->origin), contact[k].point) > 1e-5 * model->size) continue;
            double length = fmin(0.5 * er_v3_norm(contact[k].force) / weight, 1.0) * model->size;
            near(er_v3_norm(way), normal ? 0.05 * model->size : length, 1e-3 * model->size);
            assert_true(er_v3_dot(way, er_v3(0, 1, 0)) > 0.0); // the floor pushes it up
            ++seen;
            break;
        }
    }
    assert_int_equal(seen, 2 * count);
    int crosses = 0;
    for (int i = 0; i < lines; ++i) {
        if (fabsf(l[i].width - 2.0f) > 1e-6f) continue;
        er_vec3 across = er_v3(l[i].to[0] - l[i].from[0], l[i].to[1] - l[i].from[1], l[i].to[2] - l[i].from[2]);
        crosses += fabs(er_v3_norm(across) - 0.016 * model->size) < 1e-4 * model->size;
    }
    assert_int_equal(crosses, 3 * count);
    double height;
    draw_style style = a->view.style;
    ground_style(a, &style);
    assert_true(simulation_floor(a->simulate.run, &height) && style.floor_height == height);
    a->simulate.contacts = false;
    frames(h, 1);
    assert_int_equal(count_lines(a, orange, 3.0), 0);
}

static void solids_are_drawn_as_hulls_and_capsules(void **state)
{
    static const float first[4] = {0.35f, 0.85f, 0.45f, 0.55f}, chosen[4] = {0.98f, 0.80f, 0.25f, 0.95f};
    hands *h = begin_stick(state);
    app *a = h->a;
    a->panels = false;
    a->simulate.solids = true;
    frames(h, 1);
    const er_rig_shapes *shapes = a->simulate.shapes;
    assert_non_null(shapes);
    const line *l = (const line *)(const void *)a->painter->lines.data;
    int lines = count_lines(a, first, 1.2), wanted = 0, off = 0;
    for (int i = 0; i < shapes->count; ++i) {
        const er_shape *of = &shapes->shape[i].shape;
        if (of->kind == ER_SHAPE_HULL) continue;
        wanted += 4 * 16;
        er_pose at = er_pose_mul(a->pose[shapes->shape[i].body], shapes->shape[i].pose);
        for (int k = 0; k < (int)(a->painter->lines.size / sizeof *l); ++k) { // its lines lie on it
            er_vec3 x = er_pose_point_inverse(
                at, er_v3_add(er_v3(l[k].from[0], l[k].from[1], l[k].from[2]), a->painter->origin));
            double beyond = fmax(fabs(x.z) - 0.5 * of->length, 0.0);
            off += fabs(sqrt(x.x * x.x + x.y * x.y + beyond * beyond) - of->radius) < 0.03 * of->radius;
        }
    }
    if (wanted > 0) assert_true(off >= wanted);
    assert_true(lines >= wanted && lines > 0);
    a->view.selected = shapes->shape[0].body;
    frames(h, 1);
    assert_true(count_lines(a, chosen, 1.2) > 0 && count_lines(a, first, 1.2) < lines);
}

static bool sleeps(const hands *h)
{
    bool asleep = false;
    simulation_island(h->a->simulate.run, 0, &asleep);
    return asleep;
}

static void what_sleeps_is_pale(void **state)
{
    static const float pale[4] = {0.35f, 0.85f, 0.45f, 0.35f * 0.55f};
    hands *h = begin_stick(state);
    app *a = h->a;
    a->simulate.ground.floor = a->simulate.solids = true;
    simulate_play(a);
    frames(h, 3);
    assert_false(sleeps(h));
    a->view.selected = -1;
    for (int i = 0; i < 200 && !sleeps(h); ++i)
        frames(h, 1);
    assert_true(sleeps(h));
    a->panels = false;
    frames(h, 1);
    assert_true(count_lines(a, pale, 1.2) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_say_what_acts),
        cmocka_unit_test(bodies_are_held),
        cmocka_unit_test(time_runs_steps_and_is_looked_at_again),
        cmocka_unit_test(energies_are_told_and_drawn),
        cmocka_unit_test(another_rig_ends_a_simulation_and_other_springs_do_not),
        cmocka_unit_test(touched_points_have_crosses_normals_and_forces),
        cmocka_unit_test(solids_are_drawn_as_hulls_and_capsules),
        cmocka_unit_test(what_sleeps_is_pale),
    };
    return cmocka_run_group_tests(tests, stage_begin, hands_end);
}
