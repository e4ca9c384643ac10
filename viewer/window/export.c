// The dialog that writes clips, curves and rig files.
#include <stdio.h>
#include <string.h>

#include "app/project/outputs.h"
#include "app/project/project_motion.h"
#include "base/platform.h"
#include "viewer/window/parts.h"

enum { PICTURES = 5, RIG_FORMAT = PROJECT_FORMAT_COUNT, FIRST_PICTURE, FORMAT_COUNT = FIRST_PICTURE + PICTURES };

static const char *const picture_formats[PICTURES][2] = {{"picture", ".png"},
                                                         {"film, animated PNG", ".apng"},
                                                         {"film, GIF", ".gif"},
                                                         {"film, H.264", ".mp4"},
                                                         {"film, VP9", ".webm"}};

static bool is_picture(int format)
{
    return format >= FIRST_PICTURE;
}

static const char *ending_of(int format)
{
    if (is_picture(format)) return picture_formats[format - FIRST_PICTURE][1];
    return format < PROJECT_FORMAT_COUNT ? project_formats[format].end : ".json";
}

static bool format_widget(export_state *e, gui *g)
{
    char label[FORMAT_COUNT][48];
    const char *labels[FORMAT_COUNT];
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const char *name = is_picture(i)              ? picture_formats[i - FIRST_PICTURE][0]
                           : i < PROJECT_FORMAT_COUNT ? project_formats[i].name
                                                      : "the rig as tuned";
        snprintf(label[i], sizeof label[i], "%s, %s", name, ending_of(i));
        labels[i] = label[i];
    }
    return gui_choice(g, "Format", labels, FORMAT_COUNT, &e->format);
}

// The path with the chosen format's ending in place of another known one.
static void set_ending(export_state *e)
{
    size_t length = strlen(e->path);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (er_path_ends_in(e->path, ending_of(i))) length = strlen(e->path) - strlen(ending_of(i));
    snprintf(e->path + length, sizeof e->path - length, "%s", ending_of(e->format));
}

static void read_ending(export_state *e)
{
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (er_path_ends_in(e->path, ending_of(i))) e->format = i;
}

// NAME_modes.glb or the like in this folder, unless the user has typed a path.
static void propose_path(app *a)
{
    export_state *e = &a->export;
    if (e->own_path) return;
    char here[PATH_SIZE / 2];
    const char *name = strrchr(session_path(a->session), '/');
    if (!eri_platform_current_folder(here, sizeof here)) snprintf(here, sizeof here, ".");
    snprintf(e->path, sizeof e->path, "%s/%.900s", strcmp(here, "/") != 0 ? here : "",
             name != NULL ? name + 1 : session_path(a->session));
    char *dot = strrchr(strrchr(e->path, '/'), '.');
    if (dot != NULL) *dot = '\0';
    size_t length = strlen(e->path);
    snprintf(e->path + length, sizeof e->path - length, "%s%s",
             e->def.follow   ? "_follow"
             : e->gait       ? "_gait"
             : e->simulation ? "_simulation"
                             : "_modes",
             ending_of(e->format));
}

static void show_it(app *a, bool recorded)
{
    export_state *e = &a->export;
    a->dialog = DIALOG_EXPORT;
    e->simulation = recorded;
    e->gait = !recorded && a->gait.shown >= 0;
    e->def.follow = false;
    e->replace = e->failed = false;
    e->result[0] = '\0';
    propose_path(a);
}

void export_take_path(app *a, const char *path)
{
    export_state *e = &a->export;
    a->dialog = DIALOG_EXPORT;
    if (strlen(path) >= sizeof e->path) {
        message_add(a, MESSAGE_ERROR, "that path is too long");
        return;
    }
    memcpy(e->path, path, strlen(path) + 1);
    e->own_path = true;
    e->replace = false;
    read_ending(e);
    set_ending(e);
}

void export_show(app *a)
{
    show_it(a, a->simulate.shown);
}

void export_show_followed(app *a)
{
    show_it(a, false);
    a->export.def.follow = true;
    a->export.gait = a->export.def.palette = false;
    propose_path(a);
}

void export_show_simulation(app *a)
{
    show_it(a, true);
}

// @param told  warnings
static void tell(app *a, er_result r, const char *told)
{
    export_state *e = &a->export;
    e->failed = r != ER_OK;
    if (e->failed)
        snprintf(e->result, sizeof e->result, "%s", er_context_error(a->context));
    else
        snprintf(e->result, sizeof e->result, "%s: written%s%s", e->path, *told != '\0' ? "\n" : "", told);
    message_add(a, e->failed ? MESSAGE_ERROR : MESSAGE_NOTE, e->result);
}

static void write_it(app *a)
{
    export_state *e = &a->export;
    const char *over = session_get(a->session)->over;
    if (!e->replace && eri_platform_access(e->path, ERI_EXISTS)) {
        e->replace = true;
        e->result[0] = '\0';
        return;
    }
    e->replace = false;
    if (is_picture(e->format)) {
        e->waits = 2;
        e->failed = false;
        snprintf(e->result, sizeof e->result, "%s is being drawn ...", e->path);
        return;
    }
    session_export def = e->def;
    def.name = e->name[0] != '\0' ? e->name : NULL;
    def.over = over[0] != '\0' ? over : NULL;
    er_result r = e->gait         ? session_write_gait(a->session, a->gait.shown, a->gait.travels, &def, e->path)
                  : e->simulation ? simulation_write(a->simulate.run, a->session, e->path)
                                  : session_write(a->session, &def, e->path);
    tell(a, r, session_warnings(a->session));
}

void export_advance(app *a)
{
    export_state *e = &a->export;
    if (e->waits == 0 || --e->waits > 0) return;
    tell(a, picture_write(a, e->picture, e->def.fps, e->def.duration, e->path), "");
}

// A sheet of modes and the reading of the rig are pages.
static void picture_widgets(app *a)
{
    static const char *const names[] = {"what plays", "every mode on a sheet", "the reading of the rig"};
    export_state *e = &a->export;
    bool still = e->format == FIRST_PICTURE;
    int chosen = (int)e->picture, count = still && session_rig(a->session) != NULL ? 3 : 2;
    if (chosen >= count) e->picture = PICTURE_PLAYED;
    if (gui_choice(a->gui, "Contents", names, count, &chosen)) e->picture = (picture_kind)chosen;
    if (still) return;
    gui_slider(a->gui, "Duration", &e->def.duration, 0.0, 60.0, e->def.duration > 0.0 ? "%.2f s" : "one loop", false);
    gui_slider(a->gui, "Frames a second", &e->def.fps, 12.0, 240.0, "%.0f", false);
}

static void time_widgets(app *a)
{
    gui *g = a->gui;
    session_export *d = &a->export.def;
    gui_slider(g, "Duration", &d->duration, 0.0, 60.0, d->duration > 0.0 ? "%.2f s" : "the mix's cycle", false);
    gui_slider(g, "Frames a second", &d->fps, 12.0, 240.0, "%.0f", false);
    gui_slider(g, "Tolerance", &d->tolerance, 0.0, 5.0, d->tolerance > 0.0 ? "%.2f°" : "a key a frame", false);
    gui_tooltip(g, "keys only where each joint needs them to stay this near");
    gui_disable_begin(g, d->tolerance <= 0.0);
    gui_checkbox(g, "Splines, in glTF", &d->splines);
    gui_disable_end(g);
    gui_slider(g, "Attack", &d->attack, 0.0, 10.0, "%.2f s", false);
    gui_slider(g, "Decay", &d->decay, 0.0, 10.0, "%.2f s", false);
    bool damped = project_any_damping(session_modes(a->session));
    gui_disable_begin(g, !damped);
    gui_checkbox(g, "Ring out", &d->ring);
    gui_disable_end(g);
    gui_tooltip(g, damped ? "each mode decays by its own damping" : "nothing damps the modes: Tuning has Damping");
    d->ring &= damped;
}

// The choice of what is written: the mix, all modes, the simulation or the gait.
static void contents_widget(app *a)
{
    enum { MIX, PALETTE, SIMULATION, GAIT, FOLLOW, EVERY_CLIP, KINDS };
    static const char *const names[KINDS] = {"the mix",
                                             "every mode, a clip each",
                                             "the simulation",
                                             "the gait, a stride",
                                             "the clip, parts loose",
                                             "every clip, parts loose"};
    export_state *e = &a->export;
    const char *name[KINDS] = {names[MIX]};
    int what[KINDS] = {MIX}, count = 1, chosen = 0;
    bool motion = e->format != RIG_FORMAT, clips = motion && project_holds_clips(&project_formats[e->format]);
    e->def.palette &= clips;
    e->simulation &= motion && a->simulate.run != NULL;
    e->gait &= motion && a->gait.shown >= 0;
    bool followed = clips && session_followed(a->session) != NULL;
    e->def.follow &= followed;
    int now = e->gait         ? GAIT
              : e->simulation ? SIMULATION
              : e->def.follow ? (e->def.every_clip ? EVERY_CLIP : FOLLOW)
                              : (e->def.palette ? PALETTE : MIX);
    if (followed) what[count++] = FOLLOW;
    if (followed) what[count++] = EVERY_CLIP;
    if (clips) what[count++] = PALETTE;
    if (motion && a->simulate.run != NULL) what[count++] = SIMULATION;
    if (motion && a->gait.shown >= 0) what[count++] = GAIT;
    for (int i = 1; i < count; ++i) {
        name[i] = names[what[i]];
        if (what[i] == now) chosen = i;
    }
    if (count == 1 || !gui_choice(a->gui, "Contents", name, count, &chosen)) return;
    e->def.palette = what[chosen] == PALETTE;
    e->simulation = what[chosen] == SIMULATION;
    e->gait = what[chosen] == GAIT;
    e->def.follow = what[chosen] == FOLLOW || what[chosen] == EVERY_CLIP;
    e->def.every_clip = what[chosen] == EVERY_CLIP;
    propose_path(a);
}

static void motion_widgets(app *a)
{
    gui *g = a->gui;
    export_state *e = &a->export;
    const char *over = session_get(a->session)->over;
    contents_widget(a);
    if (e->def.palette && !e->simulation)
        gui_slider(g, "Amplitude", &e->def.degrees, 0.0, 90.0, e->def.degrees > 0.0 ? "%.0f°" : "as far as each holds",
                   false);
    if (!e->def.palette && !e->def.follow && !e->simulation && e->format != RIG_FORMAT) {
        gui_input_text(g, "Clip name", e->name, sizeof e->name);
        if (over[0] != '\0') gui_text_dim(g, "over the clip that the mix lies over");
        time_widgets(a);
    }
}

static void body(app *a)
{
    static const float red[3] = {0.90f, 0.36f, 0.33f}, green[3] = {0.25f, 0.65f, 0.40f};
    gui *g = a->gui;
    export_state *e = &a->export;
    if (format_widget(e, g)) set_ending(e);
    bool entered = gui_input_text(g, "Path", e->path, sizeof e->path);
    if (entered || gui_item_released(g)) {
        read_ending(e);
        e->replace = false;
        e->own_path = true;
    }
    if (gui_button(g, "Choose a folder ...")) files_show(a, DIALOG_EXPORT_TO);
    if (is_picture(e->format))
        picture_widgets(a);
    else
        motion_widgets(a);
    gui_space(g);
    if (e->result[0] != '\0') gui_text_coloured(g, e->failed ? red : green, e->failed ? "It failed:" : "Done:");
    if (e->result[0] != '\0') gui_text_wrapped(g, e->result);
    if (e->replace) gui_text_wrapped(g, "There is a file of this name already.");
    gui_width(g, 110.0);
    if (gui_main_button(g, e->replace ? "Replace" : "Write") || entered) write_it(a);
    gui_same_line(g);
    gui_width(g, 110.0);
    if (gui_button(g, "Close")) a->dialog = DIALOG_NONE;
}

void export_dialog(app *a)
{
    show_dialog(a, DIALOG_EXPORT, "Export", 560.0, body);
}
