// The tab of the tuning: stiffness law, root, joints, and rules for joints by name.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

// A setup that widgets change.
typedef struct edit {
    session_setup setup;
    bool changed, done;
} edit;

static void changed(app *a, edit *e, bool by_now)
{
    e->changed |= by_now;
    e->done |= gui_item_released(a->gui);
}

// @return whether a choice was made
static bool chosen(edit *e, bool by_now)
{
    e->changed |= by_now;
    e->done |= by_now;
    return by_now;
}

// A plot of each joint's own frequency, ascending: a ramp if all are equally stiff, level if all swing alike.
static void draw_grading(app *a)
{
    enum { MOST = 256 };
    float hz[MOST];
    int count = 0, joints = session_model(a->session)->joint_count;
    char text[96];
    for (int j = 0; j < joints && count < MOST; ++j) {
        float own = (float)session_joint_hz(a->session, j);
        int at = own > 0.0f ? count++ : -1;
        for (; at > 0 && hz[at - 1] > own; --at)
            hz[at] = hz[at - 1];
        if (at >= 0) hz[at] = own;
    }
    if (count < 2) return;
    snprintf(text, sizeof text, "alone, joints swing at %.3g to %.3g Hz", (double)hz[0], (double)hz[count - 1]);
    gui_text_dim(a->gui, text);
    gui_curve curve = {.value = hz};
    memcpy(curve.rgb, gui_curve_colour(a->gui), sizeof curve.rgb);
    gui_plot(a->gui, "##grading", &curve, 1, count, 56.0, -1.0);
}

static void law_widgets(app *a, edit *e)
{
    static const char *const laws[] = {"graded", "uniform"};
    gui *g = a->gui;
    er_stiffness *s = &e->setup.stiffness;
    int law = s->uniform;
    if (chosen(e, gui_choice(g, "Stiffness", laws, 2, &law))) {
        s->uniform = law == 1;
        if (s->uniform && !(s->k > 0.0)) s->k = 10.0;
    }
    if (s->uniform) {
        changed(a, e, gui_slider(g, "Every joint", &s->k, 0.001, 1e5, "%.3g N m/rad", true));
    } else {
        changed(a, e, gui_slider(g, "Swings at", &s->hz, 0.1, 20.0, "%.2f Hz", true));
        gui_tooltip(g, "what the joints swing at: all frequencies grow with it");
        changed(a, e, gui_slider(g, "Grading", &s->alpha, 0.0, 1.0, "%.2f", false));
        gui_tooltip(
            g, "0: all joints equally stiff, which moves the whole body; 1: each joint alone swings at that frequency");
        draw_grading(a);
    }
    changed(a, e, gui_slider(g, "Damping", &e->setup.damping_ratio, 0.0, 1.0, "%.3f", false));
    gui_tooltip(g, "damping ratio of every elastic mode");
}

static void rig_widgets(app *a, edit *e)
{
    static const char *const roots[] = {"free", "fixed"}, *const joints[] = {"auto", "spherical", "revolute"};
    gui *g = a->gui;
    int root = (int)e->setup.root, rule = (int)e->setup.joints;
    if (chosen(e, gui_choice(g, "Root", roots, 2, &root))) e->setup.root = (er_root)root;
    gui_disable_begin(g, session_rig(a->session) == NULL); // rig files have them already
    if (chosen(e, gui_choice(g, "Joints", joints, 3, &rule))) e->setup.joints = (er_joint_rule)rule;
    changed(a, e, gui_slider(g, "Density", &e->setup.density, 100.0, 10000.0, "%.0f kg/m³", true));
    gui_disable_end(g);
}

// Frequency, damping, mass and type of a rule.
static void rule_widgets(app *a, edit *e, session_rule *r, double hz)
{
    const char *types[ER_JOINT_TYPE_COUNT + 1] = {"as it is"}; // then the joint types
    for (int t = 0; t < ER_JOINT_TYPE_COUNT; ++t)
        types[1 + t] = er_joint_type_name((er_joint_type)t);
    gui *g = a->gui;
    bool own = r->hz > 0.0;
    int type = r->type + 1;
    if (chosen(e, gui_checkbox(g, "frequency of its own", &own))) r->hz = own ? fmax(hz, 0.05) : 0.0;
    if (own) changed(a, e, gui_slider(g, "Frequency", &r->hz, 0.05, 50.0, "%.2f Hz", true));
    changed(a, e, gui_slider(g, "Damping##rule", &r->damping_ratio, 0.0, 2.0, "%.3f", false));
    changed(a, e, gui_slider(g, "Mass below", &r->density, 0.1, 10.0, "x %.2f", true));
    if (chosen(e, gui_choice(g, "Type", types, 1 + ER_JOINT_FREE, &type))) r->type = type - 1;
}

// The frequency of the selected mode, and those that the user gave modes.
static void mode_widgets(app *a)
{
    gui *g = a->gui;
    palette_state *p = &a->palette;
    const session_setup *s = session_get(a->session);
    const er_mode *mode = session_mode(a->session, p->mode);
    char text[96];
    if (mode != NULL && mode->kind == ER_MODE_ELASTIC) {
        double hz = mode->frequency_hz;
        bool moved = gui_slider(g, "Frequency##of the mode", &hz, 0.05, 20.0, "%.4f Hz", true);
        bool released = gui_item_released(g);
        gui_tooltip(g, "springs follow, as little as can be; so they do when the number on a mode's card is dragged");
        if (moved || released) palette_tune(a, p->tuned >= 0 ? p->tuned : p->mode, hz, released);
    } else {
        gui_text_wrapped(g, "Play a mode at the left to give it a frequency.");
    }
    for (int i = 0; i < s->aim_count; ++i) {
        const er_mode *aimed = session_mode(a->session, s->aim[i].mode);
        double now = aimed != NULL ? aimed->frequency_hz : 0.0;
        int used = snprintf(text, sizeof text, "mode %02d: %.4g Hz", s->aim[i].mode, s->aim[i].hz);
        if (fabs(now - s->aim[i].hz) > 1e-4 * s->aim[i].hz)
            snprintf(text + used, sizeof text - (size_t)used, " asked, %.4g Hz had", now);
        gui_text_dim(g, text);
    }
    if (s->aim_count > 0 && gui_button(g, "Springs as before")) check_change(a, session_untune(a->session));
}

static int rule_of(const session_setup *s, const char *pattern)
{
    for (int i = 0; i < s->rule_count; ++i)
        if (strcmp(s->rule[i].pattern, pattern) == 0) return i;
    return -1;
}

static void selected_joint(app *a, edit *e)
{
    gui *g = a->gui;
    const er_model *model = session_model(a->session);
    int joint = a->view.selected >= 0 ? model->tree_joint[a->view.selected] : -1;
    char text[320];
    if (joint < 0) {
        gui_text_wrapped(g, a->view.selected >= 0 ? "This body is a root: no joint holds it."
                                                  : "Click a joint in the view to tune it alone.");
        return;
    }
    const char *name = model->joint[joint].name;
    int i = rule_of(&e->setup, name);
    session_rule rule = {.density = 1.0, .type = -1};
    snprintf(rule.pattern, sizeof rule.pattern, "%s", name);
    if (i >= 0) rule = e->setup.rule[i];
    double hz = session_joint_hz(a->session, joint);
    snprintf(text, sizeof text, "%s: %s, alone %.2f Hz", name, er_joint_type_name(model->joint[joint].type), hz);
    gui_text_wrapped(g, text);
    edit mine = *e;
    mine.changed = mine.done = false;
    gui_push(g, 1000);
    rule_widgets(a, &mine, &rule, hz);
    gui_pop(g);
    e->changed |= mine.changed;
    e->done |= mine.done;
    if (!mine.changed) return;
    if (i < 0 && e->setup.rule_count == SESSION_MAX_RULES) {
        message_add(a, MESSAGE_NOTE, "there are 64 rules, and no more can be kept; take one out");
        return;
    }
    if (i < 0) i = e->setup.rule_count++;
    e->setup.rule[i] = rule;
}

static void rules(app *a, edit *e)
{
    gui *g = a->gui;
    for (int i = 0; i < e->setup.rule_count; ++i) {
        session_rule *r = &e->setup.rule[i];
        gui_push(g, i);
        bool entered = gui_input_text(g, "Joints like", r->pattern, sizeof r->pattern);
        chosen(e, entered || gui_item_released(g));
        gui_tooltip(g, "names, * and ? as in a shell; later rules win");
        rule_widgets(a, e, r, 2.0);
        bool gone = chosen(e, gui_button(g, "take out"));
        gui_separator(g);
        gui_pop(g);
        if (!gone) continue;
        memmove(r, r + 1, (size_t)(e->setup.rule_count - i - 1) * sizeof *r);
        --e->setup.rule_count;
        break;
    }
    gui_disable_begin(g, e->setup.rule_count == SESSION_MAX_RULES);
    if (chosen(e, gui_button(g, "add a rule")))
        e->setup.rule[e->setup.rule_count++] = (session_rule){.pattern = "*", .density = 1.0, .type = -1};
    gui_disable_end(g);
}

void tuning_tab(app *a)
{
    gui *g = a->gui;
    edit e = {.setup = *session_get(a->session)};
    if (gui_fold(g, "All joints", true)) {
        law_widgets(a, &e);
        rig_widgets(a, &e);
    }
    if (gui_fold(g, "Selected mode", true)) mode_widgets(a);
    if (gui_fold(g, "Selected joint", true)) selected_joint(a, &e);
    if (gui_fold(g, "Rules", true)) rules(a, &e);
    if (e.changed)
        change_setup(a, &e.setup, e.done);
    else if (e.done)
        session_commit(a->session);
}
