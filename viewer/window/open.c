// Opens models. The first elastic mode plays.
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

static void first_mode(app *a)
{
    const er_modes *modes = session_modes(a->session);
    for (int k = 0; k < modes->count; ++k)
        if (modes->mode[k].kind == ER_MODE_ELASTIC) {
            palette_play(a, er_modes_index(modes, &modes->mode[k]));
            a->palette.scroll = true;
            return;
        }
}

// A world is drawn with its own ground, and no other floor.
static void show_ground(app *a, bool was_world)
{
    const draw_style usual = draw_default_style(false);
    bool world = session_is_world(a->session);
    if (world == was_world) return;
    a->view.style.scenery = world ? 1.0f : usual.scenery;
    a->view.style.floor = world ? false : usual.floor;
}

// A model with warnings may be misread. The skeleton and the tab Rig show how it was read.
static void show_doubts(app *a)
{
    char text[512];
    int first = -1, warnings = 0;
    for (int i = 0; i < session_note_count(a->session); ++i) {
        if (!session_note_warns(a->session, i)) continue;
        if (warnings++ == 0) first = i;
    }
    a->doubted = warnings > 0;
    if (!a->doubted) return;
    a->view.style.skeleton = true;
    snprintf(text, sizeof text, "Check how the model was read, in the tab Rig: %.300s (warning 1 of %d; see Messages)",
             session_note(a->session, first), warnings);
    message_add(a, MESSAGE_ERROR, text);
}

er_result open_as(app *a, const char *path, const project_request *asked)
{
    bool was_world = session_is_world(a->session);
    er_result r = session_open(a->session, path, asked);
    if (!check(a, r)) return r;
    char text[4200];
    const char *name = strrchr(path, '/');
    snprintf(a->title, sizeof a->title, "%s - eigenrig", name != NULL ? name + 1 : path);
    a->opened = false;
    a->clock.time = 0.0;
    a->palette.mode = a->component = -1;
    view_reset(a);
    show_ground(a, was_world);
    check(a, validity_read(a->palette.judge, a->session));
    if (a->files.keeps_recent) session_remember(a->session, path);
    first_mode(a);
    for (int i = 0; i < session_note_count(a->session); ++i)
        message_add(a, MESSAGE_KEPT, session_note(a->session, i));
    if (*session_description_path(a->session) != '\0') {
        snprintf(text, sizeof text, "described by %s", session_description_path(a->session));
        message_add(a, MESSAGE_KEPT, text);
    }
    show_doubts(a);
    return r;
}

// The given pose, skeleton and description name nodes and clips of the first model, so they do not apply to others. The
// same holds for the permission to read other folders.
void open_model(app *a, const char *path)
{
    project_request asked = a->def->asked;
    asked.description = NULL;
    asked.allow_outside = false;
    if (asked.rig.pose != ER_POSE_BIND) asked.rig.pose = ER_POSE_REST;
    asked.rig.pose_clip = asked.rig.skeleton = NULL;
    asked.rig.pose_local = NULL;
    open_as(a, path, &asked);
}
