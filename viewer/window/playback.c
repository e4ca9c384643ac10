// The panel at the left: modes, clips of the file, gaits and presets to play.
#include <stdio.h>
#include <string.h>

#include "app/project/project_preset.h"
#include "base/letters.h"
#include "viewer/window/parts.h"

// ---- clips

// The query for a clip: its name, or its index if another clip of that name comes first.
static void write_query(const app *a, int which, char *text, size_t size)
{
    const er_scene *scene = session_scene(a->session);
    const char *name = scene->clip[which].name;
    int first = 0;
    while (first < which && strcmp(scene->clip[first].name, name) != 0)
        ++first;
    if (first == which && name[0] != '\0' && strlen(name) < size)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%d", which);
}

static void play_clip(app *a, const char *asked)
{
    if (!check_change(a, session_play_clip(a->session, asked))) return;
    simulate_leave(a);
    a->component = a->palette.mode = -1;
    a->clock.time = 0.0;
}

static void clips(app *a)
{
    const er_scene *scene = session_scene(a->session);
    const char *over = session_get(a->session)->over;
    int listed = 0;
    for (int i = 0; scene != NULL && i < scene->clip_count; ++i) {
        const er_clip *clip = &scene->clip[i];
        char asked[256], label[320];
        if (!(clip->duration > 0.0)) continue; // a pose
        ++listed;
        write_query(a, i, asked, sizeof asked);
        snprintf(label, sizeof label, "%.200s   %.2f s##clip %d", clip->name[0] != '\0' ? clip->name : asked,
                 clip->duration, i);
        if (gui_selectable(a->gui, label, strcmp(over, asked) == 0)) play_clip(a, asked);
    }
    if (listed == 0) gui_text_wrapped(a->gui, "The file has no clips.");
    if (listed == 0) return;
    gui_text_wrapped(a->gui, "A mode that is added with + is laid over the clip.");
    if (over[0] != '\0') follow_widgets(a);
}

// ---- gaits

void gait_advance(app *a)
{
    double share;
    bool sought = session_is_searching_gaits(a->session, &share);
    if (sought || session_is_making_sequence(a->session))
        check(a, session_wait_for_gaits(a->session, app_wait_limit(a, 0.0)));
    bool made = a->gait.shown == SESSION_TIMED_PRESET ? session_has_timed_preset(a->session)
                : a->gait.shown == SESSION_SEQUENCE   ? session_has_sequence(a->session)
                                                      : session_gaits(a->session) != NULL;
    if (!made) a->gait.shown = -1;
}

double playback_cycle(const app *a)
{
    enum { STRIDES = 8 }; // before it jumps back to the start
    if (a->gait.shown < 0) return session_cycle(a->session);
    bool strides = a->gait.travels && a->gait.shown < SESSION_TIMED_PRESET;
    return session_gait_cycle(a->session, a->gait.shown) * (strides ? STRIDES : 1);
}

static void play_gait(app *a, int which)
{
    session_setup s = *session_get(a->session);
    bool other = s.performs || s.timed[0] != '\0';
    session_show_mix(&s);
    if (other) change_setup(a, &s, true);
    simulate_leave(a);
    a->gait.shown = which;
    a->clock.time = 0.0;
}

static void list_gaits(app *a, const er_gaits *found)
{
    gui *g = a->gui;
    if (gui_checkbox(g, "Travels", &a->gait.travels)) a->clock.time = 0.0;
    gui_tooltip(g, "over the ground; else on the spot, while the ground would pass below");
    for (int i = 0; i < found->count; ++i) {
        const er_gait *gait = &found->gait[i];
        char label[160], more[96];
        snprintf(label, sizeof label, "%s##gait %d", gait->name, i);
        if (gui_selectable(g, label, i == a->gait.shown)) play_gait(a, i);
        snprintf(more, sizeof more, "    %.2f strides a second, %.3g m/s, score %.2f", gait->hz, gait->speed,
                 gait->score);
        gui_text_dim(g, more);
    }
    if (found->count == 0) gui_text_wrapped(g, "No gait: no mix of these modes moves the body forward.");
}

static void gaits(app *a)
{
    const er_gaits *found = session_gaits(a->session);
    char text[64];
    double share;
    if (session_is_searching_gaits(a->session, &share)) {
        snprintf(text, sizeof text, "searching: %.0f %%", 100.0 * share);
        gui_text_dim(a->gui, text);
    } else if (found == NULL) {
        if (gui_main_button(a->gui, "Find gaits")) check(a, session_search_gaits(a->session));
        gui_text_wrapped(a->gui, "Seconds of work, beside what else is done; anew when modes are other ones.");
    }
    if (found != NULL) list_gaits(a, found);
}

// ---- presets

static void use_preset(app *a, const char *name)
{
    if (project_preset_is_timed(name)) {
        if (!check_change(a, session_play_timed(a->session, name))) return;
        simulate_leave(a);
        a->clock.time = 0.0;
        return;
    }
    if (!check_change(a, session_take_preset(a->session, name))) return;
    simulate_leave(a);
    a->gait.shown = -1;
    a->clock.time = 0.0;
}

static bool is_shown(const app *a, const char *name)
{
    if (a->gait.shown == SESSION_TIMED_PRESET) return strcmp(session_gait_name(a->session, a->gait.shown), name) == 0;
    return strcmp(session_get(a->session)->mix_name, name) == 0;
}

static bool is_own(const session *s, const char *name)
{
    bool own = false;
    for (int i = 0; i < session_preset_count(s); ++i)
        own |= eri_same_letters(session_preset(s, i), name);
    return own;
}

// The user's presets, read again whenever the tab is opened.
static void own_presets(app *a)
{
    if (!a->palette.presets) {
        session_read_presets(a->session);
        if (session_warnings(a->session)[0] != '\0') message_add(a, MESSAGE_ERROR, session_warnings(a->session));
    }
    for (int i = 0; i < session_preset_count(a->session); ++i) {
        const char *name = session_preset(a->session, i);
        char label[160];
        snprintf(label, sizeof label, "%.120s##preset %d", name, i);
        if (gui_selectable(a->gui, label, is_shown(a, name))) use_preset(a, name);
        gui_text_dim(a->gui, "your own");
    }
}

static void presets(app *a)
{
    static const struct {
        const char *name, *does;
    } known[] = {{"idle", "stands and shifts its weight"},
                 {"breathe", "the trunk rises and falls"},
                 {"wag", "the tail, quickly"},
                 {"sway", "from side to side"},
                 {"nervous", "small and fast, everywhere"},
                 {"squash", "down and up over its feet"},
                 {"land", "falls and catches itself"},
                 {"jump", "crouches, flies and lands"},
                 {"sit", "sits down and stays"},
                 {"hit", "takes a blow from the front"},
                 {"turn_head", "to the left and back"},
                 {"look_around", "to both sides"},
                 {"nod", "says yes"},
                 {"shake", "says no"}};
    own_presets(a);
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const char *name = known[i].name;
        if (is_own(a->session, name)) continue;
        if (gui_selectable(a->gui, name, is_shown(a, name))) use_preset(a, name);
        gui_text_dim(a->gui, known[i].does);
    }
    gui_text_wrapped(a->gui, "Made of modes that move those parts, and of legs that bend; feet stay. Lines of "
                             "~/.config/eigenrig/presets are "
                             "listed too.");
}

// ---- the panel

void playback_panel(app *a, rectangle place)
{
    static void (*const draw[])(app *) = {palette_modes, clips, gaits, presets};
    static const char *const name[] = {"Modes", "Clips", "Gaits", "Presets"};
    gui *g = a->gui;
    gui_panel_begin(g, "##palette", place.x, place.y, place.width, place.height);
    if (a->model != NULL && gui_tabs_begin(g, "##played")) {
        for (int i = 0; i < 4; ++i) {
            bool open = gui_tab(g, name[i], false);
            if (open) draw[i](a);
            if (open) gui_tab_end(g);
            if (draw[i] == presets) a->palette.presets = open;
        }
        gui_tabs_end(g);
    }
    gui_panel_end(g);
}
