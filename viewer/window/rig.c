// The tab of the rig: the evidence for each body and its parent, feet, facing and props, with widgets to change them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/explain_parent.h"
#include "viewer/window/parts.h"

static bool is_of_skin(const er_scene *scene, int node)
{
    for (int i = 0; i < scene->skin_count; ++i)
        for (int k = 0; k < scene->skin[i].joint_count; ++k)
            if (scene->skin[i].joint[k] == node) return true;
    return false;
}

static bool is_moved(const er_scene *scene, int node)
{
    for (int i = 0; i < scene->clip_count; ++i)
        for (int k = 0; k < scene->clip[i].channel_count; ++k)
            if (scene->clip[i].channel[k].node == node) return true;
    return false;
}

static const char *why_a_body(const er_rig *rig, int node)
{
    return is_of_skin(rig->scene, node) ? "a bone of the skin"
           : is_moved(rig->scene, node) ? "a node that clips move"
                                        : "a node between bones";
}

// ---- the selected body

void choose_body(app *a, const char *label)
{
    const er_model *model = session_model(a->session);
    const char **name = malloc((size_t)model->body_count * sizeof *name);
    int chosen = a->view.selected;
    for (int b = 0; name != NULL && b < model->body_count; ++b)
        name[b] = model->body[b].name;
    if (name != NULL && gui_choice(a->gui, label, name, model->body_count, &chosen)) a->view.selected = chosen;
    gui_tooltip(a->gui, "or click its joint in the view");
    free(name);
}

static void explain(app *a, int body)
{
    const er_model *model = session_model(a->session);
    const er_rig *rig = session_rig(a->session);
    int node = rig->body_node[body], up = model->tree_parent[body];
    char why[300], text[900];
    project_explain_parent(rig, node, why, sizeof why);
    snprintf(text, sizeof text, "%.3g kg, %s.", model->body[body].mass, why_a_body(rig, node));
    gui_text_wrapped(a->gui, text);
    if (up < 0)
        snprintf(text, sizeof text, "A root: it hangs on nothing.");
    else if (rig->attachment[node].evidence == ER_EVIDENCE_NODE)
        snprintf(text, sizeof text, "It hangs on %.200s, as its node does%s%s.", model->body[up].name,
                 *why != '\0' ? "; " : "", why);
    else
        snprintf(text, sizeof text, "It hangs on %.200s: %s.", model->body[up].name, why);
    gui_text_wrapped(a->gui, text);
}

// Whether a body is `above` or hangs on it.
static bool is_below(const er_model *model, int body, int above)
{
    while (body >= 0 && body != above)
        body = model->tree_parent[body];
    return body >= 0;
}

// The body can hang on nothing, or on any body that does not hang on it.
static void choose_parent(app *a, int body)
{
    const er_model *model = session_model(a->session);
    size_t most = (size_t)model->body_count + 1;
    const char **name = malloc(most * sizeof *name);
    int *on = malloc(most * sizeof *on), count = 0, chosen = 0;
    if (name != NULL && on != NULL) {
        name[count] = "nothing: a root";
        on[count++] = -1;
        for (int b = 0; b < model->body_count; ++b) {
            if (is_below(model, b, body)) continue;
            if (b == model->tree_parent[body]) chosen = count;
            name[count] = model->body[b].name;
            on[count++] = b;
        }
        if (gui_choice(a->gui, "Hangs on", name, count, &chosen))
            check_change(a, session_set_parent(a->session, body, on[chosen]));
    }
    free(name);
    free(on);
}

static bool is_foot(const er_gait_body *read, int body)
{
    bool foot = false;
    for (int i = 0; i < read->foot_count; ++i)
        foot |= read->foot[i].body == body;
    return foot;
}

// Boxes to tick for the body. A change makes another rig, so only one a frame is carried out.
static void flags(app *a, int body)
{
    gui *g = a->gui;
    session *s = a->session;
    const er_gait_body *read = session_gait_body(s);
    bool root = session_model(s)->tree_parent[body] < 0, welded = session_is_welded(s, body), prop = false;
    bool foot = read != NULL && is_foot(read, body);
    int node = session_rig(s)->body_node[body];
    gui_disable_begin(g, root);
    bool weld = gui_checkbox(g, "welded to it", &welded);
    gui_disable_end(g);
    gui_tooltip(g, "its joint is fixed: the two move as one");
    bool carry = gui_checkbox(g, "a prop", &prop);
    gui_tooltip(g, "carried and light: it weighs little, and is one with the body that carries it");
    gui_disable_begin(g, root || read == NULL);
    bool step = gui_checkbox(g, "a foot", &foot);
    gui_disable_end(g);
    gui_tooltip(g, "gaits set it down; its mirror image goes with it");
    if (weld)
        check_change(a, session_weld(s, body, welded));
    else if (carry)
        check_change(a, session_set_prop(s, node, prop));
    else if (step)
        check_change(a, session_set_foot(s, body, foot));
}

static void selected_body(app *a)
{
    const er_model *model = session_model(a->session);
    int body = a->view.selected;
    choose_body(a, "Body");
    if (body < 0) {
        gui_text_wrapped(a->gui, "Choose a body, or click its joint in the view.");
        return;
    }
    explain(a, body);
    choose_parent(a, body);
    if (session_model(a->session) == model) flags(a, body);
}

// ---- the whole rig

// The choice of facing: the level axes.
static void choose_facing(app *a, const er_gait_body *read)
{
    static const char *const axis[] = {"+X", "+Y", "+Z", "−X", "−Y", "−Z"};
    session_setup s = *session_get(a->session);
    const char *name[7] = {"as it was read"};
    er_vec3 way[7] = {{0, 0, 0}};
    int count = 1, chosen = 0;
    bool said = er_v3_norm(s.forward) > 0.0;
    for (int i = 0; i < 6; ++i) {
        er_vec3 v = er_v3_scale(i < 3 ? 1.0 : -1.0, er_v3(i % 3 == 0, i % 3 == 1, i % 3 == 2));
        if (fabs(er_v3_dot(v, read->up)) > 0.9) continue;
        if (said && er_v3_dot(v, read->forward) > 0.9) chosen = count;
        name[count] = axis[i];
        way[count++] = v;
    }
    if (!gui_choice(a->gui, "Faces", name, count, &chosen)) return;
    s.forward = way[chosen];
    change_setup(a, &s, true);
}

static void facing(app *a, const er_gait_body *read)
{
    char text[160];
    er_vec3 f = read->forward;
    bool said = er_v3_norm(session_get(a->session)->forward) > 0.0;
    snprintf(text, sizeof text,
             said ? "It faces (%.2g, %.2g, %.2g), as was said." : "It faces (%.2g, %.2g, %.2g), sure by %.0f %%.", f.x,
             f.y, f.z, 100.0 * read->facing);
    gui_text_wrapped(a->gui, text);
    choose_facing(a, read);
}

static void feet(app *a, const er_gait_body *read)
{
    const er_model *model = session_model(a->session);
    char text[300];
    if (read->foot_count == 0)
        gui_text_wrapped(a->gui, read->wing_count > 0 ? "No feet: it flies."
                                 : read->lies         ? "No feet: it slithers."
                                                      : "No feet: it swims.");
    for (int i = 0; i < read->foot_count; ++i) {
        snprintf(text, sizeof text, "%s  %.200s##foot %d", read->foot[i].name, model->body[read->foot[i].body].name, i);
        if (gui_selectable(a->gui, text, a->view.selected == read->foot[i].body)) a->view.selected = read->foot[i].body;
    }
    if (session_get(a->session)->feet[0] == '\0') return;
    if (gui_button(a->gui, "Feet as they were read")) {
        session_setup s = *session_get(a->session);
        s.feet[0] = '\0';
        change_setup(a, &s, true);
    }
}

// Whether a node carries a rigid mesh, so that it may be a prop.
static bool draws_rigid(const er_scene *scene, int node)
{
    bool rigid = false;
    for (int i = 0; i < scene->instance_count; ++i)
        rigid |= scene->instance[i].node == node && scene->instance[i].skin < 0;
    return rigid;
}

static void props(app *a)
{
    const er_rig *rig = session_rig(a->session);
    int count = 0, pressed = -1;
    for (int i = 0; i < rig->scene->node_count; ++i) {
        char text[300];
        bool prop = rig->prop[i];
        if (!prop && (rig->node_body[i] < 0 || !draws_rigid(rig->scene, i))) continue;
        snprintf(text, sizeof text, "%.200s##prop %d", rig->scene->node[i].name, i);
        if (gui_checkbox(a->gui, text, &prop)) pressed = i;
        ++count;
    }
    if (count == 0) gui_text_wrapped(a->gui, "It carries nothing.");
    if (pressed >= 0) check_change(a, session_set_prop(a->session, pressed, !rig->prop[pressed]));
}

void rig_tab(app *a)
{
    gui *g = a->gui;
    if (session_rig(a->session) == NULL) {
        gui_text_wrapped(g, "A rig file holds its bodies: open the model it was made of to say what they are.");
        return;
    }
    if (gui_button(g, "Save description")) files_show(a, DIALOG_DESCRIPTION_SAVE);
    gui_tooltip(g, "MODEL.rig.lua beside the model: every command finds it there");
    if (gui_fold(g, "Selected body", true)) selected_body(a);
    const er_gait_body *read = session_gait_body(a->session);
    if (read != NULL && gui_fold(g, "Facing", true)) facing(a, read);
    read = session_gait_body(a->session);
    if (read != NULL && gui_fold(g, "Feet", true)) feet(a, read);
    if (gui_fold(g, "Props", true)) props(a);
}
