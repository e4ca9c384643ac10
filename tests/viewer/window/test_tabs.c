// The tabs at the right: what their widgets change, and by how much.
#include "app_driver.h"

#include <math.h>
#include <stdio.h>

static const session_setup *setup_of(const hands *h)
{
    return session_get(h->a->session);
}

static void open_tab(hands *h, const char *name)
{
    click(h, name);
    frames(h, 1);
}

// ---- modes

// A mode's frequency is dragged where its card says it, and springs follow.
static void a_modes_frequency_is_dragged_in_the_palette(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 700);
    session *s = h->a->session;
    int mode = setup_of(h)->component[0].mode;
    double hz = session_mode(s, mode)->frequency_hz, at[2];
    char label[64];
    snprintf(label, sizeof label, "~mode %d", mode);
    drag_widget(h, label, 40.0);
    assert_int_equal(setup_of(h)->aim_count, 1);
    near(setup_of(h)->aim[0].hz, hz * sqrt(2.0), 1e-9);
    near(session_mode(s, setup_of(h)->aim[0].mode)->frequency_hz, hz * sqrt(2.0), 1e-8);
    assert_int_equal(setup_of(h)->component[0].mode, setup_of(h)->aim[0].mode); // it plays still
    snprintf(label, sizeof label, "~mode %d", setup_of(h)->aim[0].mode);
    assert_true(gui_find(h->a->gui, label, at));
    click(h, label); // without a drag it is a part of the card
    assert_int_equal(setup_of(h)->aim_count, 1);
    open_tab(h, "Tuning");
    drag_widget(h, "Frequency##of the mode", -1000.0);
    near(session_mode(s, setup_of(h)->aim[0].mode)->frequency_hz, 0.05, 1e-9);
    key(h, "Ctrl+Z");
    near(session_mode(s, setup_of(h)->aim[0].mode)->frequency_hz, hz * sqrt(2.0), 1e-8);
    click(h, "Springs as before");
    assert_int_equal(setup_of(h)->aim_count, 0);
    near(session_mode(s, mode)->frequency_hz, hz, 0.0);
}

// ---- the mix

static void components_are_changed_by_their_widgets(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, HIGH);
    session *s = h->a->session;
    int mode = setup_of(h)->component[0].mode;
    char label[64];
    open_tab(h, "Mix");
    snprintf(label, sizeof label, "amplitude %d", mode);
    drag_widget(h, label, 0.0);
    near(setup_of(h)->component[0].degrees, 45.0, 4.0); // the middle of 0 to 90
    drag_widget(h, label, 1000.0);
    near(setup_of(h)->component[0].degrees, 90.0, 1e-9);
    snprintf(label, sizeof label, "phase %d", mode);
    drag_widget(h, label, 1000.0);
    near(setup_of(h)->component[0].phase, ER_PI, 1e-9);
    drag_widget(h, label, -1000.0);
    near(setup_of(h)->component[0].phase, -ER_PI, 1e-9);
    snprintf(label, sizeof label, "mute %d", mode);
    click(h, label);
    assert_true(setup_of(h)->component[0].mute && !setup_of(h)->component[0].solo);
    snprintf(label, sizeof label, "solo %d", mode);
    click(h, label);
    assert_true(setup_of(h)->component[0].solo);
    assert_int_equal(session_undo(s), ER_OK); // each is a step
    assert_true(setup_of(h)->component[0].mute && !setup_of(h)->component[0].solo);
    frames(h, 2);
    snprintf(label, sizeof label, "voice %d", mode);
    h->a->component = h->a->palette.mode = -1;
    click(h, label);
    assert_true(h->a->component == 0 && h->a->palette.mode == mode);
    click(h, "Amplitudes in cm");
    assert_true(h->a->lengths);
    snprintf(label, sizeof label, "amplitude %d", mode);
    drag_widget(h, label, 0.0);
    near(setup_of(h)->component[0].degrees, 45.0, 4.0); // of as many cm as 90 degrees are
    snprintf(label, sizeof label, "remove %d", mode);
    click(h, label);
    assert_int_equal(setup_of(h)->component_count, 0);
    assert_int_equal(h->a->component, -1);
    assert_int_equal(session_undo(s), ER_OK);
    assert_int_equal(setup_of(h)->component_count, 1);
}

// Marks stand on the slider of 0 to 90 degrees where the library says that the mode ends to hold.
static void sliders_of_amplitudes_are_marked_where_modes_cease_to_hold(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 700);
    session *s = h->a->session;
    open_tab(h, "Mix");
    int first = setup_of(h)->component[0].mode, marked = 0;
    er_mode_bound all[512];
    assert_in_range(session_modes(s)->count, 1, 512);
    er_rig_shapes *shapes = NULL;
    er_context *own = NULL;
    assert_int_equal(er_context_create(NULL, &own), ER_OK);
    assert_int_equal(er_rig_shapes_create(own, session_model(s), session_rig(s), &shapes), ER_OK);
    assert_int_equal(er_modes_bound(own, session_model(s), session_modes(s), shapes, 90.0, all), ER_OK);
    er_rig_shapes_destroy(shapes);
    er_context_destroy(own);
    for (int mode = first; mode < first + 4; ++mode) {
        if (mode > first) assert_int_equal(session_toggle(s, mode), ER_OK);
        if (mode > first) assert_int_equal(session_toggle(s, mode - 1), ER_OK);
        frames(h, 2);
        const er_mode_bound *bound = &all[mode - session_modes(s)->first];
        const double degrees[] = {bound->limit, bound->contact, bound->linear};
        static const char *const names[] = {"limit", "contact", "linear"};
        double slider[2], at[2], known_at = 0.0, known = -1.0;
        char label[64];
        snprintf(label, sizeof label, "amplitude %d", mode);
        assert_true(gui_find(h->a->gui, label, slider));
        for (int k = 0; k < 3; ++k) {
            snprintf(label, sizeof label, "%s %d", names[k], mode);
            assert_int_equal(gui_find(h->a->gui, label, at), degrees[k] < 90.0);
            if (!(degrees[k] < 90.0)) continue;
            ++marked;
            near(at[1], slider[1], 1.0);
            if (known >= 0.0 && fabs(known - 45.0) > 5.0) // the middle of the slider is 45 degrees
                near((at[0] - slider[0]) * (known - 45.0), (known_at - slider[0]) * (degrees[k] - 45.0), 150.0);
            known = degrees[k];
            known_at = at[0];
        }
    }
    assert_in_range(marked, 4, 12);
}

static void components_are_tuned_to_their_own_or_the_first_ones_frequency(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 700);
    session *s = h->a->session;
    int mode = setup_of(h)->component[0].mode;
    double own[2] = {session_mode(s, mode)->frequency_hz, session_mode(s, mode + 5)->frequency_hz};
    char label[64];
    assert_int_equal(session_toggle(s, mode + 5), ER_OK);
    open_tab(h, "Mix");
    snprintf(label, sizeof label, "tuned %d", mode);
    click(h, label);
    assert_false(is_there(h, "harmonic of the first")); // of the first itself
    click(h, "free");
    near(setup_of(h)->component[0].hz, 1.0001 * own[0], 1e-9);
    snprintf(label, sizeof label, "frequency %d", mode);
    drag_widget(h, label, 1000.0);
    near(setup_of(h)->component[0].hz, 20.0, 1e-9);
    drag_widget(h, label, -1000.0);
    near(setup_of(h)->component[0].hz, 0.05, 1e-9);
    drag_widget(h, label, 0.0);
    near(log(setup_of(h)->component[0].hz), log(1.0), 0.4); // the middle of a scale of powers
    snprintf(label, sizeof label, "tuned %d", mode);
    choose(h, label, "own frequency");
    near(setup_of(h)->component[0].hz, 0.0, 0.0);
    snprintf(label, sizeof label, "tuned %d", mode + 5);
    choose(h, label, "harmonic of the first");
    double times = fmax(floor(own[1] / own[0] + 0.5), 1.0);
    near(setup_of(h)->component[1].hz, times * own[0], 1e-9);
    snprintf(label, sizeof label, "times %d", mode + 5);
    drag_widget(h, label, 1000.0);
    near(setup_of(h)->component[1].hz, 12.0 * own[0], 1e-9);
    drag_widget(h, label, -1000.0);
    near(setup_of(h)->component[1].hz, own[0], 1e-9);
    assert_true(is_there(h, label)); // it is harmonic still
}

static void a_mix_has_a_name_and_feet_that_stay(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, HIGH);
    open_tab(h, "Mix");
    click(h, "Name");
    type_text(h, "sway");
    key(h, "Enter");
    frames(h, 2);
    assert_string_equal(setup_of(h)->mix_name, "sway");
    click(h, "Plant");
    assert_string_equal(setup_of(h)->plant, "feet");
    click(h, "planted");
    key(h, "End");
    for (int i = 0; i < 4; ++i)
        key(h, "Backspace");
    type_text(h, "head");
    key(h, "Enter");
    frames(h, 2);
    assert_string_equal(setup_of(h)->plant, "head");
    click(h, "Plant");
    assert_string_equal(setup_of(h)->plant, "");
    assert_false(is_there(h, "planted"));
    click(h, "Save mix");
    assert_int_equal(h->a->dialog, DIALOG_MIX_SAVE);
    assert_string_equal(h->a->files.path, "sway.json");
    click(h, "Cancel");
    assert_int_equal(h->a->dialog, DIALOG_NONE);
    click(h, "Open mix");
    assert_int_equal(h->a->dialog, DIALOG_MIX_OPEN);
    key(h, "Esc");
    frames(h, 2);
    click(h, "Export ...");
    assert_int_equal(h->a->dialog, DIALOG_EXPORT);
    key(h, "Esc");
    assert_int_equal(session_play(h->a->session, -1), ER_OK);
    frames(h, 2);
    click(h, "Save mix"); // of nothing
    assert_int_equal(h->a->dialog, DIALOG_NONE);
    click(h, "Export ...");
    assert_int_equal(h->a->dialog, DIALOG_NONE);
}

static void clips_lie_under_the_mix(void **state)
{
    hands *h = hands_begin(state, "fox.glb", NARROW, HIGH);
    const er_scene *scene = session_scene(h->a->session);
    assert_in_range(scene->clip_count, 2, 9);
    open_tab(h, "Mix");
    choose(h, "Over", scene->clip[1].name);
    assert_string_equal(setup_of(h)->over, scene->clip[1].name);
    choose(h, "Over", "nothing");
    assert_string_equal(setup_of(h)->over, "");
    click(h, "Clips"); // those of the left
    char label[300];
    snprintf(label, sizeof label, "clip %d", 0);
    h->a->clock.time = 0.3;
    click(h, label);
    assert_string_equal(setup_of(h)->over, scene->clip[0].name);
    assert_int_equal(setup_of(h)->component_count, 0);
    assert_true(h->a->clock.time == 0.0 && h->a->palette.mode == -1);
}

// The tail swings along the run, and nothing else moves otherwise; what plays is written, and so is every clip.
static void parts_of_a_clip_are_loose(void **state)
{
    enum { MOST = 128 };
    hands *h = hands_begin(state, "fox.glb", NARROW, HIGH);
    session *s = h->a->session;
    er_pose plain[MOST], loose[MOST], end[MOST];
    bool tail[MOST] = {false};
    const er_model *model = session_model(s);
    assert_in_range(model->body_count, 2, MOST);
    click(h, "Clips");
    click(h, "clip 0");
    assert_int_equal(session_pose(s, 0.2, plain), ER_OK);
    click(h, "Parts");
    type_text(h, "tail");
    key(h, "Enter");
    frames(h, 1);
    assert_string_equal(setup_of(h)->follow.parts, "tail");
    assert_int_equal(session_followed(s)->part_count, 1);
    assert_int_equal(session_find_parts(s, "tail", "tail", tail), ER_OK);
    assert_int_equal(session_pose(s, 0.2, loose), ER_OK);
    double moved = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        double way = er_v3_distance(plain[b].p, loose[b].p);
        if (tail[b])
            moved = fmax(moved, way);
        else
            near(way, 0.0, 1e-6);
    }
    assert_true(moved > 0.01 * model->size);
    assert_int_equal(session_pose(s, 0.0, loose), ER_OK);
    assert_int_equal(session_pose(s, session_cycle(s) - 1e-9, end), ER_OK);
    for (int b = 0; b < model->body_count; ++b)
        near(er_v3_distance(loose[b].p, end[b].p), 0.0, 1e-5); // it loops
    drag_widget(h, "Looseness", 1000.0);
    near(session_followed(s)->part[0].hz, 8.0, 1e-9);
    double firm = session_followed(s)->part[0].swing;
    drag_widget(h, "Looseness", -60.0);
    assert_true(session_followed(s)->part[0].swing > firm);
    key(h, "Ctrl+Z");
    near(session_followed(s)->part[0].hz, 8.0, 1e-9);
    choose(h, "Springs rest", "at the rest pose");
    assert_true(setup_of(h)->follow.rest_pose);
    click(h, "Export ...##followed");
    click(h, "Contents");
    click(h, "every clip, parts loose");
    snprintf(h->a->export.path, sizeof h->a->export.path, "%s", "followed.glb");
    click(h, "Write");
    assert_true(is_said(h, "followed.glb: written"));
    assert_int_equal(remove("followed.glb"), 0);
    key(h, "Esc");
    click(h, "Parts");
    type_text(h, "sail");
    key(h, "Enter");
    frames(h, 1);
    assert_true(is_said(h, "tail")); // the nearest
    assert_string_equal(setup_of(h)->follow.parts, "tail");
}

// ---- presets in time, and sequences

static void undo_brings_back_a_preset_in_time(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", 900, 700);
    session *s = h->a->session;
    click(h, "Presets");
    click(h, "nod");
    frames(h, 1);
    assert_string_equal(setup_of(h)->timed, "nod");
    assert_int_equal(h->a->gait.shown, SESSION_TIMED_PRESET);
    palette_play(h->a, setup_of(h)->component[0].mode);
    frames(h, 1);
    assert_true(h->a->gait.shown == -1 && setup_of(h)->timed[0] == '\0');
    key(h, "Ctrl+Z");
    frames(h, 1);
    assert_string_equal(setup_of(h)->timed, "nod");
    assert_int_equal(h->a->gait.shown, SESSION_TIMED_PRESET);
    assert_string_equal(session_gait_name(s, SESSION_TIMED_PRESET), "nod");
    key(h, "Ctrl+Z");
    frames(h, 1);
    assert_true(h->a->gait.shown == -1 && setup_of(h)->timed[0] == '\0');
}

// Pieces are added, resized and moved; what plays has their length and no jump, and is written as a clip.
static void a_sequence_is_put_together_on_its_track(void **state)
{
    enum { MOST = 128 };
    hands *h = hands_begin(state, "gnome.glb", 1000, 700);
    session *s = h->a->session;
    er_pose before[MOST], pose[MOST];
    const er_model *model = session_model(s);
    assert_in_range(model->body_count, 2, MOST);
    click(h, "Sequence");
    choose(h, "add", "the mix");
    choose(h, "add", "preset breathe");
    assert_int_equal(setup_of(h)->piece_count, 2);
    assert_string_equal(setup_of(h)->piece[1].what, "preset:breathe");
    frames(h, 1);
    drag_widget(h, "end 2", -60.0);
    double seconds = setup_of(h)->piece[1].seconds;
    assert_true(seconds < 3.5 && seconds > 0.1);
    drag_widget(h, "piece 1", 1000.0);
    assert_string_equal(setup_of(h)->piece[0].what, "preset:breathe");
    near(setup_of(h)->piece[0].seconds, seconds, 0.0);
    near(setup_of(h)->piece[1].seconds, 4.0, 0.0);
    click(h, "Play it##the sequence");
    frames(h, 2);
    assert_int_equal(h->a->gait.shown, SESSION_SEQUENCE);
    near(playback_cycle(h->a), seconds + 4.0, 0.05);
    assert_int_equal(session_gait_pose(s, SESSION_SEQUENCE, false, 0.0, before), ER_OK);
    for (int k = 1; k < 240 * 4; ++k) {
        assert_int_equal(session_gait_pose(s, SESSION_SEQUENCE, false, k / 240.0, pose), ER_OK);
        for (int b = 0; b < model->body_count; ++b) {
            assert_true(er_v3_distance(pose[b].p, before[b].p) < 0.02 * model->size);
            before[b] = pose[b];
        }
    }
    click(h, "Export ...##sequence");
    assert_true(h->a->export.gait);
    snprintf(h->a->export.path, sizeof h->a->export.path, "%s", "sequence.glb");
    h->a->export.def.fps = 12.0;
    click(h, "Write");
    assert_true(is_said(h, "sequence.glb: written"));
    assert_int_equal(remove("sequence.glb"), 0);
    key(h, "Esc");
    click(h, "piece 2");
    click(h, "Take out##piece");
    assert_int_equal(setup_of(h)->piece_count, 1);
    frames(h, 2);
    near(playback_cycle(h->a), seconds, 0.05); // made anew
    key(h, "Ctrl+Z");
    key(h, "Ctrl+Z");
    frames(h, 1);
    assert_true(h->a->gait.shown == -1 && setup_of(h)->piece_count == 2);
}

// ---- tuning

static void the_law_of_stiffness_is_graded_or_uniform(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    open_tab(h, "Tuning");
    drag_widget(h, "Swings at", 1000.0);
    near(setup_of(h)->stiffness.hz, 20.0, 1e-9);
    drag_widget(h, "Swings at", -1000.0);
    near(setup_of(h)->stiffness.hz, 0.1, 1e-9);
    drag_widget(h, "Swings at", 0.0);
    near(log(setup_of(h)->stiffness.hz), 0.5 * log(2.0), 0.4);
    drag_widget(h, "Grading", 1000.0);
    near(setup_of(h)->stiffness.alpha, 1.0, 1e-9);
    drag_widget(h, "Grading", -1000.0);
    near(setup_of(h)->stiffness.alpha, 0.0, 1e-9);
    drag_widget(h, "Damping", 1000.0);
    near(setup_of(h)->damping_ratio, 1.0, 1e-9);
    drag_widget(h, "Damping", -1000.0);
    near(setup_of(h)->damping_ratio, 0.0, 1e-9);
    choose(h, "Stiffness", "uniform");
    assert_true(setup_of(h)->stiffness.uniform && setup_of(h)->stiffness.k > 0.0);
    drag_widget(h, "Every joint", 1000.0);
    near(setup_of(h)->stiffness.k, 1e5, 1e-6);
    drag_widget(h, "Every joint", -1000.0);
    near(setup_of(h)->stiffness.k, 0.001, 1e-9);
    choose(h, "Stiffness", "graded");
    assert_false(setup_of(h)->stiffness.uniform);
    choose(h, "Root", "fixed");
    assert_int_equal(setup_of(h)->root, ER_ROOT_FIXED);
    choose(h, "Joints", "spherical");
    assert_int_equal(setup_of(h)->joints, 1);
    drag_widget(h, "Density", 1000.0);
    near(setup_of(h)->density, 10000.0, 1e-6);
    drag_widget(h, "Density", -1000.0);
    near(setup_of(h)->density, 100.0, 1e-9);
}

static void a_joint_alone_is_tuned_by_a_rule_of_its_name(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    const er_model *model = session_model(h->a->session);
    int body = 3, joint = model->tree_joint[body];
    open_tab(h, "Tuning");
    fold(h, "All joints");
    assert_false(is_there(h, "frequency of its own")); // nobody is chosen
    h->a->view.selected = body;
    frames(h, 2);
    double hz = session_joint_hz(h->a->session, joint);
    click(h, "frequency of its own");
    assert_int_equal(setup_of(h)->rule_count, 1);
    const session_rule *r = &setup_of(h)->rule[0];
    assert_string_equal(r->pattern, session_model(h->a->session)->joint[joint].name);
    near(r->hz, hz, 1e-9);
    assert_true(r->density == 1.0 && r->type == -1 && r->damping_ratio == 0.0);
    fold(h, "Rules");
    drag_widget(h, "Frequency", 1000.0);
    near(setup_of(h)->rule[0].hz, 50.0, 1e-9);
    drag_widget(h, "Damping##rule", 1000.0);
    near(setup_of(h)->rule[0].damping_ratio, 2.0, 1e-9);
    drag_widget(h, "Mass below", 1000.0);
    near(setup_of(h)->rule[0].density, 10.0, 1e-9);
    drag_widget(h, "Mass below", -1000.0);
    near(setup_of(h)->rule[0].density, 0.1, 1e-9);
    choose(h, "Type", "fixed");
    assert_int_equal(setup_of(h)->rule[0].type, ER_JOINT_FIXED);
    assert_int_equal(setup_of(h)->rule_count, 1); // one rule all along
    choose(h, "Type", "as it is");
    assert_int_equal(setup_of(h)->rule[0].type, -1);
    click(h, "frequency of its own");
    near(setup_of(h)->rule[0].hz, 0.0, 0.0);
    h->a->view.selected = 0;
    frames(h, 2);
    assert_false(is_there(h, "frequency of its own")); // a root has no joint
}

static void rules_are_added_and_taken_out(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    open_tab(h, "Tuning");
    fold(h, "All joints");
    fold(h, "Selected joint");
    click(h, "add a rule");
    assert_int_equal(setup_of(h)->rule_count, 1);
    assert_string_equal(setup_of(h)->rule[0].pattern, "*");
    click(h, "Joints like");
    key(h, "Backspace");
    type_text(h, "h*");
    key(h, "Enter");
    frames(h, 2);
    assert_string_equal(setup_of(h)->rule[0].pattern, "h*");
    click(h, "add a rule");
    assert_int_equal(setup_of(h)->rule_count, 2);
    assert_string_equal(setup_of(h)->rule[0].pattern, "h*");
    click(h, "take out"); // the first of two
    assert_int_equal(setup_of(h)->rule_count, 1);
    assert_string_equal(setup_of(h)->rule[0].pattern, "*");
    assert_true(setup_of(h)->rule[0].density == 1.0 && setup_of(h)->rule[0].type == -1);
}

// ---- looks

static void looks_are_switched_and_slid(void **state)
{
    static const struct {
        const char *label;
        size_t at; // of draw_style
    } flags[] = {{"Mesh", offsetof(draw_style, mesh)},
                 {"Skeleton", offsetof(draw_style, skeleton)},
                 {"Joint axes", offsetof(draw_style, axes)},
                 {"Loops", offsetof(draw_style, loops)},
                 {"Centre of mass", offsetof(draw_style, mass_centre)},
                 {"Floor", offsetof(draw_style, floor)},
                 {"Shadow", offsetof(draw_style, shadow)}};
    hands *h = hands_begin(state, "four_bar.json", NARROW, 900);
    draw_style *style = &h->a->view.style;
    open_tab(h, "Look");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
        const bool *flag = (const bool *)(const void *)((const char *)style + flags[i].at);
        bool was = *flag;
        click(h, flags[i].label);
        assert_int_equal(*flag, !was);
        click(h, flags[i].label);
        assert_int_equal(*flag, was);
    }
    click(h, "Extremes as ghosts");
    assert_true(h->a->view.ghosts);
    choose(h, "Surface", "points");
    assert_int_equal(style->surface, DRAW_POINTS);
    drag_widget(h, "Sun, round", 1000.0);
    near((double)style->light_yaw, ER_PI, 1e-6);
    drag_widget(h, "Sun, round", 0.0);
    near((double)style->light_yaw, 0.0, 0.3);
    drag_widget(h, "Sun, height", -1000.0);
    near((double)style->light_pitch, 5.0 * ER_PI / 180.0, 1e-6);
    drag_widget(h, "Sun, height", 1000.0);
    near((double)style->light_pitch, 0.5 * ER_PI, 1e-6);
    drag_widget(h, "Exposure", 1000.0);
    near((double)style->exposure, 4.0, 1e-6);
    drag_widget(h, "Exposure", -1000.0);
    near((double)style->exposure, 0.2, 1e-6);
    assert_true(style->textures);
    click(h, "Clay");
    assert_false(style->textures);
    click(h, "Clay");
    assert_true(style->textures);
    assert_false(is_there(h, "Scenery"));
}

static void themes_take_all_colours_along(void **state)
{
    hands *h = hands_begin(state, "four_bar.json", NARROW, HIGH);
    draw_style *style = &h->a->view.style;
    style->exposure = 2.0f;
    for (int dark = 0; dark < 2; ++dark) {
        const draw_style fresh = draw_default_style(dark == 1);
        set_window_theme(h->a, dark == 1);
        assert_int_equal(h->a->dark, dark);
        assert_memory_equal(style->background, fresh.background, sizeof fresh.background);
        assert_memory_equal(style->grid, fresh.grid, sizeof fresh.grid);
        assert_memory_equal(style->wire, fresh.wire, sizeof fresh.wire);
        assert_memory_equal(style->bone, fresh.bone, sizeof fresh.bone);
        assert_memory_equal(style->selected, fresh.selected, sizeof fresh.selected);
        assert_memory_equal(style->clay, fresh.clay, sizeof fresh.clay);
        assert_true(style->exposure == 2.0f);
        memset(style->clay, 0, sizeof style->clay);
        memset(style->selected, 0, sizeof style->selected);
    }
    open_tab(h, "Look");
    click(h, "Light theme");
    assert_false(h->a->dark);
    click(h, "Light theme");
    assert_true(h->a->dark);
}

static void a_field_of_view_keeps_the_size_of_the_model(void **state)
{
    hands *h = hands_begin(state, "four_bar.json", NARROW, 900);
    draw_camera *c = &h->a->view.camera;
    open_tab(h, "Look");
    double size = c->distance * tan(0.5 * c->fov);
    drag_widget(h, "Field of view", 1000.0);
    near(c->fov, 0.5 * ER_PI, 1e-9);
    near(c->distance * tan(0.5 * c->fov), size, 1e-9);
    drag_widget(h, "Field of view", -1000.0);
    near(c->fov, 0.0, 0.0); // parallel, as 0.6 rad would show it
    near(c->distance * tan(0.3), size, 1e-9);
    drag_widget(h, "Field of view", 0.0);
    near(c->fov, 0.25 * ER_PI, 0.1);
    near(c->distance * tan(0.5 * c->fov), size, 1e-9);
    click(h, "Follow the centre of mass");
    assert_true(h->a->view.follow);
    h->a->view.follow = false;
    c->target = er_v3(9, 9, 9);
    click(h, "Frame all");
    assert_true(er_v3_norm(c->target) < 5.0);
}

// ---- poses

static void the_equilibrium_is_chosen(void **state)
{
    hands *h = hands_begin(state, "fox.glb", NARROW, HIGH);
    const er_scene *scene = session_scene(h->a->session);
    open_tab(h, "Pose");
    choose(h, "Springs rest", "bind pose");
    assert_int_equal(setup_of(h)->pose, ER_POSE_BIND);
    choose(h, "Springs rest", "a clip at a time");
    assert_int_equal(setup_of(h)->pose, ER_POSE_CLIP);
    assert_string_equal(setup_of(h)->clip, "0");
    near(setup_of(h)->clip_time, 0.0, 0.0);
    drag_widget(h, "Time", 1000.0);
    near(setup_of(h)->clip_time, scene->clip[0].duration, 1e-9);
    choose(h, "Clip", scene->clip[1].name);
    assert_string_equal(setup_of(h)->clip, "1");
    near(setup_of(h)->clip_time, 0.0, 0.0);
    drag_widget(h, "Time", 1000.0);
    near(setup_of(h)->clip_time, scene->clip[1].duration, 1e-9);
    click(h, "Reset");
    assert_int_equal(setup_of(h)->pose, ER_POSE_REST);
    click(h, "Turn joints");
    assert_true(h->a->view.gizmo);
    h->a->view.gizmo = false;
    click(h, "Open pose");
    assert_int_equal(h->a->dialog, DIALOG_POSE_OPEN);
    key(h, "Esc");
    frames(h, 2);
    click(h, "Save pose");
    assert_int_equal(h->a->dialog, DIALOG_POSE_SAVE);
    assert_string_equal(h->a->files.path, "pose.json");
    key(h, "Esc");
}

static void a_model_without_clips_has_no_pose_of_them(void **state)
{
    hands *h = hands_begin(state, "hand.glb", NARROW, HIGH);
    assert_int_equal(session_scene(h->a->session)->clip_count, 0);
    open_tab(h, "Pose");
    int said = h->a->messages.count;
    choose(h, "Springs rest", "a clip at a time");
    assert_int_not_equal(setup_of(h)->pose, ER_POSE_CLIP);
    assert_int_equal(h->a->messages.count, said + 1);
    click(h, "Clips");
    assert_false(is_there(h, "clip 0"));
    h = hands_begin(state, "four_bar.json", NARROW, HIGH); // a rig file holds its equilibrium and its bodies
    open_tab(h, "Pose");
    assert_false(is_there(h, "Springs rest"));
    open_tab(h, "Rig");
    assert_false(is_there(h, "Faces"));
}

// ---- rigs

static int body_named(const hands *h, const char *name)
{
    const er_model *model = session_model(h->a->session);
    for (int b = 0; b < model->body_count; ++b)
        if (strcmp(model->body[b].name, name) == 0) return b;
    fail_msg("no body is called %s", name);
    return -1;
}

static void what_a_body_is_can_be_said(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    session *s = h->a->session;
    open_tab(h, "Rig");
    fold(h, "Props");
    assert_false(is_there(h, "welded to it")); // nobody is chosen
    choose(h, "Body", session_model(s)->body[4].name);
    assert_int_equal(h->a->view.selected, 4);
    char text[64];
    snprintf(text, sizeof text, "%.3g kg", session_model(s)->body[4].mass);
    assert_non_null(strstr(gui_widgets(h->a->gui), text));
    assert_false(session_is_welded(s, 4));
    click(h, "welded to it");
    assert_true(session_is_welded(s, 4));
    click(h, "welded to it");
    assert_false(session_is_welded(s, 4));
    const er_gait_body *read = session_gait_body(s);
    assert_true(read != NULL && read->foot_count >= 2);
    int foot = read->foot[0].body, feet = read->foot_count;
    h->a->view.selected = foot;
    frames(h, 2);
    click(h, "a foot");
    assert_true(session_gait_body(s)->foot_count < feet);
    assert_true(setup_of(h)->feet[0] != '\0');
    click(h, "Feet as they were read");
    assert_string_equal(setup_of(h)->feet, "");
    assert_int_equal(session_gait_body(s)->foot_count, feet);
    h->a->view.selected = -1;
    frames(h, 2);
    click(h, "foot 0"); // in the list of feet
    assert_int_equal(h->a->view.selected, session_gait_body(s)->foot[0].body);
}

static void a_body_hangs_on_another_or_on_nothing(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    session *s = h->a->session;
    open_tab(h, "Rig");
    const er_model *model = session_model(s);
    int body = body_named(h, "neck"), above = model->tree_parent[model->tree_parent[body]];
    char name[128], wanted[128];
    snprintf(name, sizeof name, "%s", model->body[body].name);
    snprintf(wanted, sizeof wanted, "%s", model->body[above].name);
    h->a->view.selected = body;
    frames(h, 2);
    choose(h, "Hangs on", wanted);
    body = body_named(h, name);
    model = session_model(s);
    assert_string_equal(model->body[model->tree_parent[body]].name, wanted);
    h->a->view.selected = body;
    frames(h, 3);
    choose(h, "Hangs on", "nothing: a root");
    body = body_named(h, name);
    assert_int_equal(session_model(s)->tree_parent[body], -1);
    key(h, "Ctrl+Z");
    body = body_named(h, name);
    model = session_model(s);
    assert_string_equal(model->body[model->tree_parent[body]].name, wanted);
}

static void which_way_it_faces_can_be_said(void **state)
{
    hands *h = hands_begin(state, "gnome.glb", NARROW, 900);
    session *s = h->a->session;
    open_tab(h, "Rig");
    fold(h, "Selected body");
    click(h, "Faces");
    assert_false(is_there(h, "+Y")); // it does not look up
    click(h, "+X");
    near(er_v3_distance(setup_of(h)->forward, er_v3(1, 0, 0)), 0.0, 0.0);
    near(er_v3_distance(session_gait_body(s)->forward, er_v3(1, 0, 0)), 0.0, 1e-9);
    choose(h, "Faces", "\xE2\x88\x92Z");
    near(er_v3_distance(setup_of(h)->forward, er_v3(0, 0, -1)), 0.0, 0.0);
    choose(h, "Faces", "as it was read");
    near(er_v3_norm(setup_of(h)->forward), 0.0, 0.0);
    click(h, "Save description");
    assert_int_equal(h->a->dialog, DIALOG_DESCRIPTION_SAVE);
    assert_string_equal(h->a->files.path, "gnome.rig.lua");
    key(h, "Esc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_modes_frequency_is_dragged_in_the_palette),
        cmocka_unit_test(components_are_changed_by_their_widgets),
        cmocka_unit_test(sliders_of_amplitudes_are_marked_where_modes_cease_to_hold),
        cmocka_unit_test(components_are_tuned_to_their_own_or_the_first_ones_frequency),
        cmocka_unit_test(a_mix_has_a_name_and_feet_that_stay),
        cmocka_unit_test(clips_lie_under_the_mix),
        cmocka_unit_test(parts_of_a_clip_are_loose),
        cmocka_unit_test(undo_brings_back_a_preset_in_time),
        cmocka_unit_test(a_sequence_is_put_together_on_its_track),
        cmocka_unit_test(the_law_of_stiffness_is_graded_or_uniform),
        cmocka_unit_test(a_joint_alone_is_tuned_by_a_rule_of_its_name),
        cmocka_unit_test(rules_are_added_and_taken_out),
        cmocka_unit_test(looks_are_switched_and_slid),
        cmocka_unit_test(themes_take_all_colours_along),
        cmocka_unit_test(a_field_of_view_keeps_the_size_of_the_model),
        cmocka_unit_test(the_equilibrium_is_chosen),
        cmocka_unit_test(a_model_without_clips_has_no_pose_of_them),
        cmocka_unit_test(what_a_body_is_can_be_said),
        cmocka_unit_test(a_body_hangs_on_another_or_on_nothing),
        cmocka_unit_test(which_way_it_faces_can_be_said),
    };
    return cmocka_run_group_tests(tests, stage_begin, hands_end);
}
