// The tab of the equilibrium pose.
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

static void sources(app *a, session_setup *s, bool *changed, bool *done)
{
    static const char *const names[] = {"as the file has it", "bind pose", "a clip at a time", "turned by hand"};
    int source = (int)s->pose;
    bool by_hand = s->pose == ER_POSE_GIVEN;
    if (!gui_choice(a->gui, "Springs rest", names, by_hand ? 4 : 3, &source)) return;
    const er_scene *scene = session_scene(a->session);
    if (source == ER_POSE_CLIP && scene->clip_count == 0) {
        message_add(a, MESSAGE_NOTE, "the model has no clip to take a pose from");
        return;
    }
    s->pose = (er_pose_source)source;
    if (s->pose == ER_POSE_CLIP && s->clip[0] == '\0') snprintf(s->clip, sizeof s->clip, "0"), s->clip_time = 0.0;
    *changed = *done = true;
}

// The clip of a setup, which names it or gives its index.
static int clip_index(const er_scene *scene, const char *clip)
{
    for (int i = 0; i < scene->clip_count; ++i)
        if (strcmp(scene->clip[i].name, clip) == 0) return i;
    int index = 0;
    return sscanf(clip, "%d", &index) == 1 && index >= 0 && index < scene->clip_count ? index : 0;
}

static void clip_widgets(app *a, session_setup *s, bool *changed, bool *done)
{
    const er_scene *scene = session_scene(a->session);
    const char *name[256];
    int count = scene->clip_count < 256 ? scene->clip_count : 256, chosen = clip_index(scene, s->clip);
    for (int i = 0; i < count; ++i)
        name[i] = scene->clip[i].name[0] != '\0' ? scene->clip[i].name : "(no name)";
    if (gui_choice(a->gui, "Clip", name, count, &chosen)) {
        snprintf(s->clip, sizeof s->clip, "%d", chosen);
        s->clip_time = 0.0;
        *changed = *done = true;
    }
    *changed |= gui_slider(a->gui, "Time", &s->clip_time, 0.0, scene->clip[chosen].duration, "%.2f s", false);
    *done |= gui_item_released(a->gui);
}

void pose_tab(app *a)
{
    gui *g = a->gui;
    session_setup s = *session_get(a->session);
    bool changed = false, done = false;
    if (session_scene(a->session) == NULL) {
        gui_text_wrapped(g, "A rig file holds its equilibrium: open the model it was made of to choose another.");
        return;
    }
    sources(a, &s, &changed, &done);
    if (s.pose == ER_POSE_CLIP) clip_widgets(a, &s, &changed, &done);
    gui_space(g);
    gui_toggle(g, "Turn joints", &a->view.gizmo);
    gui_tooltip(g, "R: click a joint, then drag a ring of the gizmo; modes follow");
    gui_same_line(g);
    gui_disable_begin(g, s.pose == ER_POSE_REST);
    if (gui_button(g, "Reset")) {
        s.pose = ER_POSE_REST;
        changed = done = true;
    }
    gui_disable_end(g);
    if (gui_button(g, "Open pose")) files_show(a, DIALOG_POSE_OPEN);
    gui_same_line(g);
    if (gui_button(g, "Save pose")) files_show(a, DIALOG_POSE_SAVE);
    gui_tooltip(g, "a pose file, for --pose of every command");
    gui_space(g);
    gui_text_wrapped(g, "Modes are swings about the equilibrium. Another pose makes other modes: a horse in mid-gallop "
                        "swings otherwise than one that stands.");
    if (changed)
        change_setup(a, &s, done);
    else if (done)
        session_commit(a->session);
}
