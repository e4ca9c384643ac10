// Commands by key and menu: one table for keys, menus and the help.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/keys.h"
#include "viewer/window/parts.h"

static void open_command(app *a)
{
    files_show(a, DIALOG_OPEN);
}

static void open_mix(app *a)
{
    files_show(a, DIALOG_MIX_OPEN);
}

static void save_mix(app *a)
{
    if (session_get(a->session)->component_count > 0)
        files_show(a, DIALOG_MIX_SAVE);
    else
        message_add(a, MESSAGE_NOTE, "nothing plays: there is nothing to save; play a mode first");
}

static void quit(app *a)
{
    a->ended = true;
}

static void undo(app *a)
{
    if (session_can_undo(a->session)) check_change(a, session_undo(a->session));
}

static void redo(app *a)
{
    if (session_can_redo(a->session)) check_change(a, session_redo(a->session));
}

static void step_back(app *a)
{
    timeline_step(a, -1);
}

static void step_on(app *a)
{
    timeline_step(a, 1);
}

static void to_start(app *a)
{
    timeline_go(a, 0.0);
}

static bool *loop_flag(app *a)
{
    return &a->clock.loop;
}

static void mode_before(app *a)
{
    palette_walk(a, -1);
}

static void mode_after(app *a)
{
    palette_walk(a, 1);
}

static void add_mode(app *a)
{
    if (a->palette.mode >= 0) palette_add(a, a->palette.mode);
}

// The component of the mode that was chosen last; -1.
static int chosen_component(const app *a, const session_setup *s)
{
    for (int i = 0; i < s->component_count; ++i)
        if (s->component[i].mode == a->palette.mode) return i;
    return a->component < s->component_count ? a->component : -1;
}

static void change_component(app *a, void (*change)(session_setup *s, int k))
{
    session_setup s = *session_get(a->session);
    int k = chosen_component(a, &s);
    if (k < 0) return;
    change(&s, k);
    change_setup(a, &s, true);
}

static void flip_mute(session_setup *s, int k)
{
    s->component[k].mute = !s->component[k].mute;
}

static void flip_solo(session_setup *s, int k)
{
    s->component[k].solo = !s->component[k].solo;
}

static void take_out(session_setup *s, int k)
{
    memmove(&s->component[k], &s->component[k + 1], (size_t)(s->component_count - k - 1) * sizeof s->component[0]);
    --s->component_count;
}

static void mute(app *a)
{
    change_component(a, flip_mute);
}

static void solo(app *a)
{
    change_component(a, flip_solo);
}

static void remove_component(app *a)
{
    change_component(a, take_out);
}

static void play_nothing(app *a)
{
    check_change(a, session_play(a->session, -1));
}

static void show(app *a, bool mesh, bool skeleton)
{
    a->view.style.mesh = mesh;
    a->view.style.skeleton = skeleton;
}

static void show_mesh(app *a)
{
    show(a, true, false);
}

static void show_joints(app *a)
{
    show(a, false, true);
}

static void show_both(app *a)
{
    show(a, true, true);
}

static void next_surface(app *a)
{
    a->view.style.surface = (draw_surface)(((int)a->view.style.surface + 1) % 3);
}

static bool *floor_flag(app *a)
{
    return &a->view.style.floor;
}

static bool *axes_flag(app *a)
{
    return &a->view.style.axes;
}

static bool *mass_centre_flag(app *a)
{
    return &a->view.style.mass_centre;
}

static bool *ghosts_flag(app *a)
{
    return &a->view.ghosts;
}

static bool *follow_flag(app *a)
{
    return &a->view.follow;
}

static bool *gizmo_flag(app *a)
{
    return &a->view.gizmo;
}

static bool *panels_flag(app *a)
{
    return &a->panels;
}

static void theme(app *a)
{
    set_window_theme(a, !a->dark);
}

static void show_keys(app *a)
{
    a->dialog = a->dialog == DIALOG_KEYS ? DIALOG_NONE : DIALOG_KEYS;
}

static void show_messages(app *a)
{
    a->dialog = DIALOG_MESSAGES;
}

// Closes the dialog, the message or the gizmo, or clears the selection: the first of these that is there.
static void escape(app *a)
{
    if (a->dialog != DIALOG_NONE)
        a->dialog = DIALOG_NONE;
    else if (a->messages.shown)
        a->messages.shown = false;
    else if (a->view.gizmo)
        a->view.gizmo = false;
    else
        a->view.selected = -1;
}

// Either something to run, or a flag to flip.
static const struct {
    const char *menu, *name;
    int key, modifiers;
    bool needs_model;
    void (*run)(app *a);
    bool *(*flag)(app *a);
} table[] = {
    {"File", "Open a model ...", 'O', GUI_CONTROL, false, open_command, NULL},
    {"File", "Open a mix ...", 'O', GUI_CONTROL | GUI_SHIFT, true, open_mix, NULL},
    {"File", "Save the mix ...", 'S', GUI_CONTROL, true, save_mix, NULL},
    {"File", "Export ...", 'E', GUI_CONTROL, true, export_show, NULL},
    {"File", "Quit", 'Q', GUI_CONTROL, false, quit, NULL},
    {"Edit", "Undo", 'Z', GUI_CONTROL, true, undo, NULL},
    {"Edit", "Redo", 'Y', GUI_CONTROL, true, redo, NULL},
    {"Mode", "Mode before", GLFW_KEY_UP, 0, true, mode_before, NULL},
    {"Mode", "Mode after", GLFW_KEY_DOWN, 0, true, mode_after, NULL},
    {"Mode", "Into the mix, or out of it", 'A', 0, true, add_mode, NULL},
    {"Mode", "Mute", 'M', 0, true, mute, NULL},
    {"Mode", "Solo", 'S', 0, true, solo, NULL},
    {"Mode", "Out of the mix", GLFW_KEY_DELETE, 0, true, remove_component, NULL},
    {"Mode", "Play nothing", GLFW_KEY_BACKSPACE, 0, true, play_nothing, NULL},
    {"Play", "Play or pause", GLFW_KEY_SPACE, 0, true, timeline_play, NULL},
    {"Play", "A frame back", GLFW_KEY_LEFT, 0, true, step_back, NULL},
    {"Play", "A frame on", GLFW_KEY_RIGHT, 0, true, step_on, NULL},
    {"Play", "To the start", GLFW_KEY_HOME, 0, true, to_start, NULL},
    {"Play", "Simulate, or pause", 'P', 0, true, simulate_play, NULL},
    {"Play", "Forget the simulation", 'P', GUI_SHIFT, true, simulate_reset, NULL},
    {"Play", "Loop", 'L', 0, false, NULL, loop_flag},
    {"View", "Mesh", '1', 0, false, show_mesh, NULL},
    {"View", "Joints", '2', 0, false, show_joints, NULL},
    {"View", "Mesh and joints", '3', 0, false, show_both, NULL},
    {"View", "Shaded, wireframe, points", 'W', 0, false, next_surface, NULL},
    {"View", "Frame all", 'F', 0, true, view_frame_all, NULL},
    {"View", "Turn joints by hand", 'R', 0, true, NULL, gizmo_flag},
    {"View", "Floor", 'G', 0, false, NULL, floor_flag},
    {"View", "Joint axes", 'X', 0, false, NULL, axes_flag},
    {"View", "Centre of mass", 'C', 0, false, NULL, mass_centre_flag},
    {"View", "Extremes as ghosts", 'E', 0, false, NULL, ghosts_flag},
    {"View", "Follow the centre of mass", 'C', GUI_SHIFT, false, NULL, follow_flag},
    {"View", "Dark or light", 'T', 0, false, theme, NULL},
    {"View", "Panels", GLFW_KEY_TAB, 0, false, NULL, panels_flag},
    {"Help", "Keys", GLFW_KEY_F1, 0, false, show_keys, NULL},
    {"Help", "Messages", 0, 0, false, show_messages, NULL},
    {"", "Close, let go", GLFW_KEY_ESCAPE, 0, false, escape, NULL},
};
enum { TABLE_COUNT = (int)(sizeof table / sizeof table[0]) };

static bool is_enabled(const app *a, int i)
{
    return !table[i].needs_model || a->model != NULL;
}

static void carry_out(app *a, int i)
{
    if (!is_enabled(a, i)) return;
    if (table[i].run != NULL) {
        table[i].run(a);
        return;
    }
    bool *flag = table[i].flag(a);
    *flag = !*flag;
}

void commands_key(app *a, const gui_event *event)
{
    // The sign counts, because its key differs between keyboards.
    if (event->kind == GUI_CHARACTER && event->character == '?' &&
        (a->dialog == DIALOG_NONE || a->dialog == DIALOG_KEYS))
        show_keys(a);
    if (event->kind != GUI_KEY || !event->down) return;
    if (event->key == GLFW_KEY_ESCAPE && gui_is_unfolded(a->gui)) return;
    if (a->dialog != DIALOG_NONE && event->key != GLFW_KEY_ESCAPE) return;
    for (int i = 0; i < TABLE_COUNT; ++i)
        if (table[i].key != 0 && table[i].key == event->key && table[i].modifiers == event->modifiers) {
            session_commit(a->session); // a held slider is a step of undo by itself
            carry_out(a, i);
            return;
        }
}

void commands_menu(app *a)
{
    if (!gui_menu_bar_begin(a->gui)) return;
    for (int i = 0; i < TABLE_COUNT;) {
        const char *menu = table[i].menu;
        bool open = menu[0] != '\0' && gui_menu_begin(a->gui, menu);
        for (; i < TABLE_COUNT && strcmp(table[i].menu, menu) == 0; ++i) {
            char keys[32];
            key_write(table[i].key, table[i].modifiers, keys, sizeof keys);
            bool on = table[i].flag != NULL && *table[i].flag(a);
            if (open && gui_menu_item(a->gui, table[i].name, keys, on, is_enabled(a, i))) carry_out(a, i);
        }
        if (open) gui_menu_end(a->gui);
    }
    gui_menu_bar_end(a->gui);
}

static const char *const mouse[][2] = {{"left drag", "orbit"},
                                       {"middle or Shift+left drag", "pan"},
                                       {"wheel, right drag", "zoom"},
                                       {"click a joint", "choose it: Tuning tunes it, Rig explains it, R turns it"},
                                       {"drag a body that is simulated", "pull it, and throw it"},
                                       {"click a mode", "play it alone"},
                                       {"Ctrl+click, or its +", "add it to the mix"},
                                       {"Ctrl+click a slider", "type a number"}};

static void key_line(app *a, const char *keys, const char *what)
{
    gui_text_dim(a->gui, keys);
    gui_same_line_at(a->gui, 190.0);
    gui_text(a->gui, what);
}

void commands_dialog(app *a)
{
    bool open = a->dialog == DIALOG_KEYS, was = open;
    if (gui_dialog_begin(a->gui, "Keys##help", &open, 560.0)) {
        if (gui_child_begin(a->gui, "##key list", 0.0, 460.0)) {
            for (int i = 0; i < (int)(sizeof mouse / sizeof mouse[0]); ++i)
                key_line(a, mouse[i][0], mouse[i][1]);
            gui_separator(a->gui);
            for (int i = 0; i < TABLE_COUNT; ++i) {
                char keys[32];
                key_write(table[i].key, table[i].modifiers, keys, sizeof keys);
                if (keys[0] != '\0') key_line(a, table[i].key == GLFW_KEY_F1 ? "? or F1" : keys, table[i].name);
            }
        }
        gui_child_end(a->gui);
        if (gui_main_button(a->gui, "Close")) open = false;
        gui_dialog_end(a->gui);
    }
    if (was && !open) a->dialog = DIALOG_NONE;
}
