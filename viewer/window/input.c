// Input: a queue of events for the next frames, dropped files, loss of the focus.
#include <string.h>

#include "viewer/window/parts.h"

void app_event(app *a, const gui_event *event)
{
    int last = (a->event_first + a->event_count - 1) % MOST_EVENTS;
    // Successive moves of the pointer need only one entry.
    if (a->event_count > 0 && event->kind == GUI_MOUSE_MOVE && a->event[last].kind == GUI_MOUSE_MOVE)
        a->event[last] = *event;
    else if (a->event_count < MOST_EVENTS)
        a->event[(a->event_first + a->event_count++) % MOST_EVENTS] = *event;
}

static bool is_named_mix(const char *path)
{
    return strcmp(path, "mix.json") == 0 || er_path_ends_in(path, "mix.json");
}

void app_drop(app *a, const char *path)
{
    a->dialog = DIALOG_NONE;
    if (er_path_ends_in(path, ".json") && session_is_open(a->session)) { // a mix or a pose of any name, or a rig
        er_result r = session_load_mix(a->session, path);
        if (r != ER_OK && !is_named_mix(path)) r = session_load_pose(a->session, path);
        if (r == ER_OK || is_named_mix(path)) {
            check_change(a, r);
            return;
        }
    }
    open_model(a, path);
}

void app_focus(app *a, bool focused)
{
    if (focused) return;
    gui_forget_keys(a->gui);
    a->modifiers = 0;
    view_release(a);
}
