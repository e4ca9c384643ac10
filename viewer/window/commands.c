// Commands by key and menu: one table for keys, menus and the help.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/keys.h"
#include "viewer/window/parts.h"

static void open_files(app *a, int which)
{
    files_show(a, (dialog)which);
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

static void to_start(app *a)
{
    timeline_go(a, 0.0);
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

enum { MUTE, SOLO, REMOVE };

static void change_component(app *a, int how)
{
    session_setup s = *session_get(a->session);
    int k = chosen_component(a, &s);
    if (k < 0) return;
    if (how == MUTE) s.component[k].mute = !s.component[k].mute;
    if (how == SOLO) s.component[k].solo = !s.component[k].solo;
    if (how == REMOVE) remove_component(&s, k);
    change_setup(a, &s, true);
}

static void play_nothing(app *a)
{
    check_change(a, session_play(a->session, -1));
}

enum { MESH = 1, JOINTS = 2 };

static void show(app *a, int what)
{
    a->view.style.mesh = (what & MESH) != 0;
    a->view.style.skeleton = (what & JOINTS) != 0;
}

static void next_surface(app *a)
{
    a->view.style.surface = (draw_surface)(((int)a->view.style.surface + 1) % 3);
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

#define FLAG(field) .flag = offsetof(app, field)

// Each command is a function, a function with an argument, or a flag to flip.
static const struct {
    const char *menu, *name;
    int key, modifiers;
    bool needs_model;
    void (*run)(app *a);
    void (*run_with)(app *a, int argument);
    int argument;
    size_t flag; // its place in the app
} table[] = {
    {"File", "Open a model ...", 'O', GUI_CONTROL, false, .run_with = open_files, .argument = DIALOG_OPEN},
    {"File", "Open a mix ...", 'O', GUI_CONTROL | GUI_SHIFT, true, .run_with = open_files, .argument = DIALOG_MIX_OPEN},
    {"File", "Save the mix ...", 'S', GUI_CONTROL, true, .run = save_mix},
    {"File", "Export ...", 'E', GUI_CONTROL, true, .run = export_show},
    {"File", "Quit", 'Q', GUI_CONTROL, false, .run = quit},
    {"Edit", "Undo", 'Z', GUI_CONTROL, true, .run = undo},
    {"Edit", "Redo", 'Y', GUI_CONTROL, true, .run = redo},
    {"Mode", "Mode before", GLFW_KEY_UP, 0, true, .run_with = palette_walk, .argument = -1},
    {"Mode", "Mode after", GLFW_KEY_DOWN, 0, true, .run_with = palette_walk, .argument = 1},
    {"Mode", "Into the mix, or out of it", 'A', 0, true, .run = add_mode},
    {"Mode", "Mute", 'M', 0, true, .run_with = change_component, .argument = MUTE},
    {"Mode", "Solo", 'S', 0, true, .run_with = change_component, .argument = SOLO},
    {"Mode", "Out of the mix", GLFW_KEY_DELETE, 0, true, .run_with = change_component, .argument = REMOVE},
    {"Mode", "Play nothing", GLFW_KEY_BACKSPACE, 0, true, .run = play_nothing},
    {"Play", "Play or pause", GLFW_KEY_SPACE, 0, true, .run = timeline_play},
    {"Play", "A frame back", GLFW_KEY_LEFT, 0, true, .run_with = timeline_step, .argument = -1},
    {"Play", "A frame on", GLFW_KEY_RIGHT, 0, true, .run_with = timeline_step, .argument = 1},
    {"Play", "To the start", GLFW_KEY_HOME, 0, true, .run = to_start},
    {"Play", "Simulate, or pause", 'P', 0, true, .run = simulate_play},
    {"Play", "Forget the simulation", 'P', GUI_SHIFT, true, .run = simulate_reset},
    {"Play", "Walk faster", GLFW_KEY_UP, GUI_SHIFT, true, .run_with = walk_ahead, .argument = 1},
    {"Play", "Walk slower, or back", GLFW_KEY_DOWN, GUI_SHIFT, true, .run_with = walk_ahead, .argument = -1},
    {"Play", "Walk to the left", GLFW_KEY_LEFT, GUI_SHIFT, true, .run_with = walk_turn, .argument = 1},
    {"Play", "Walk to the right", GLFW_KEY_RIGHT, GUI_SHIFT, true, .run_with = walk_turn, .argument = -1},
    {"Play", "Loop", 'L', 0, false, FLAG(clock.loop)},
    {"View", "Mesh", '1', 0, false, .run_with = show, .argument = MESH},
    {"View", "Joints", '2', 0, false, .run_with = show, .argument = JOINTS},
    {"View", "Mesh and joints", '3', 0, false, .run_with = show, .argument = MESH | JOINTS},
    {"View", "Shaded, wireframe, points", 'W', 0, false, .run = next_surface},
    {"View", "Frame all", 'F', 0, true, .run = view_frame_all},
    {"View", "Turn joints by hand", 'R', 0, true, FLAG(view.gizmo)},
    {"View", "Floor", 'G', 0, false, FLAG(view.style.floor)},
    {"View", "Joint axes", 'X', 0, false, FLAG(view.style.axes)},
    {"View", "Centre of mass", 'C', 0, false, FLAG(view.style.mass_centre)},
    {"View", "Extremes as ghosts", 'E', 0, false, FLAG(view.ghosts)},
    {"View", "Follow the centre of mass", 'C', GUI_SHIFT, false, FLAG(view.follow)},
    {"View", "Dark or light", 'T', 0, false, .run = theme},
    {"View", "Panels", GLFW_KEY_TAB, 0, false, FLAG(panels)},
    {"Help", "Keys", GLFW_KEY_F1, 0, false, .run = show_keys},
    {"Help", "Messages", 0, 0, false, .run = show_messages},
    {"", "Close, let go", GLFW_KEY_ESCAPE, 0, false, .run = escape},
};
enum { TABLE_COUNT = (int)(sizeof table / sizeof table[0]) };

static bool is_enabled(const app *a, int i)
{
    return !table[i].needs_model || a->model != NULL;
}

static bool *flag_of(app *a, int i)
{
    return (bool *)((char *)a + table[i].flag);
}

static void carry_out(app *a, int i)
{
    if (!is_enabled(a, i)) return;
    if (table[i].run != NULL)
        table[i].run(a);
    else if (table[i].run_with != NULL)
        table[i].run_with(a, table[i].argument);
    else
        *flag_of(a, i) = !*flag_of(a, i);
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
            bool on = table[i].flag != 0 && *flag_of(a, i);
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

static void key_list(app *a)
{
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
    if (gui_main_button(a->gui, "Close")) a->dialog = DIALOG_NONE;
}

void commands_dialog(app *a)
{
    show_dialog(a, DIALOG_KEYS, "Keys##help", 560.0, key_list);
}
