// The dialogs of files: a path to type, recent models, folders to browse.
#include <stdio.h>
#include <string.h>

#include "base/platform.h"
#include "viewer/window/listing.h"
#include "viewer/window/parts.h"

static const struct {
    const char *title; // NULL: no dialog of files
    bool saves;
    er_result (*use)(session *s, const char *path);
} kinds[] = {[DIALOG_OPEN] = {"Open a model", false, NULL},
             [DIALOG_MIX_OPEN] = {"Open a mix", false, session_load_mix},
             [DIALOG_MIX_SAVE] = {"Save the mix", true, session_save_mix},
             [DIALOG_POSE_OPEN] = {"Open a pose", false, session_load_pose},
             [DIALOG_POSE_SAVE] = {"Save the pose", true, session_save_pose},
             [DIALOG_DESCRIPTION_SAVE] = {"Save the description", true, session_save_description},
             [DIALOG_STATIC_OPEN] = {"Open a scene to fall on", false, NULL},
             [DIALOG_EXPORT_TO] = {"Where to write", true, NULL}};

void files_destroy(app *a)
{
    listing_destroy(a->files.listing);
}

// The typed path, in the folder that is shown unless it is absolute.
static void whole_path(const files_state *f, char path[2 * PATH_SIZE])
{
    if (f->path[0] == '/' || f->folder[0] == '\0')
        snprintf(path, 2 * PATH_SIZE, "%s", f->path);
    else
        snprintf(path, 2 * PATH_SIZE, "%s/%s", strcmp(f->folder, "/") == 0 ? "" : f->folder, f->path);
}

// Chooses another scene to fall on.
static void choose_scene(app *a, const char *path)
{
    size_t room = sizeof a->simulate.statics;
    if (strlen(path) >= room) {
        message_add(a, MESSAGE_ERROR, "the path of that scene is too long");
        return;
    }
    memcpy(a->simulate.statics, path, strlen(path) + 1);
    if (a->simulate.run != NULL) message_add(a, MESSAGE_NOTE, "the next run falls on it: Reset, then Run");
}

static void accept(app *a, dialog which)
{
    files_state *f = &a->files;
    char path[2 * PATH_SIZE];
    if (f->path[0] == '\0') return;
    whole_path(f, path);
    if (which == DIALOG_EXPORT_TO) { // the dialog of exports asks before it replaces
        export_take_path(a, path);
        return;
    }
    if (kinds[which].saves && !f->replace && eri_platform_access(path, ERI_EXISTS)) {
        f->replace = true;
        return;
    }
    a->dialog = DIALOG_NONE;
    if (which == DIALOG_OPEN) open_model(a, path);
    if (which == DIALOG_STATIC_OPEN) choose_scene(a, path);
    if (kinds[which].use == NULL) return;
    er_result r = kinds[which].use(a->session, path);
    if (!kinds[which].saves) check_change(a, r);
    if (!kinds[which].saves || !check(a, r)) return;
    char text[2 * PATH_SIZE + 16];
    snprintf(text, sizeof text, "%s: written", path);
    message_add(a, MESSAGE_NOTE, text);
}

// Whether a file suits a dialog; saving may replace any file.
static bool suits(dialog which, const char *name)
{
    static const char *const models[] = {".glb", ".gltf", ".vrm", ".fbx",     ".dae",  ".zae", ".bvh", ".x",   ".b3d",
                                         ".smd", ".mdl",  ".pmx", ".md5mesh", ".ms3d", ".lws", ".irr", ".ase", ".json"};
    if (kinds[which].saves) return true;
    if (which == DIALOG_MIX_OPEN || which == DIALOG_POSE_OPEN) return er_path_ends_in(name, ".json");
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i)
        if (er_path_ends_in(name, models[i])) return true;
    return false;
}

static void entries(app *a, dialog which)
{
    files_state *f = &a->files;
    char next[2 * PATH_SIZE] = "", label[PATH_SIZE];
    if (gui_selectable(a->gui, "▲  one folder up##up", false)) snprintf(next, sizeof next, "%s/..", f->folder);
    for (int i = 0; f->listing != NULL && i < f->listing->count; ++i) {
        const listing_entry *e = &f->listing->entry[i];
        if (!e->folder && !f->all && !suits(which, e->name)) continue;
        snprintf(label, sizeof label, "%s%s", e->folder ? "▸  " : "    ", e->name);
        if (gui_selectable(a->gui, label, !e->folder && strcmp(e->name, f->path) == 0)) {
            if (e->folder)
                snprintf(next, sizeof next, "%s/%s", f->folder, e->name);
            else
                snprintf(f->path, sizeof f->path, "%s", e->name);
            f->replace = false;
        }
        if (!e->folder && !kinds[which].saves && gui_item_double_clicked(a->gui)) {
            accept(a, which);
            return;
        }
    }
    if (next[0] != '\0') files_go_to(a, next);
}

static int recent_count(const app *a)
{
    return a->files.keeps_recent ? session_recent_count(a->session) : 0;
}

static void recent(app *a)
{
    int count = recent_count(a);
    if (count == 0 || !gui_fold(a->gui, "Recent", true)) return;
    for (int i = 0; i < count; ++i)
        if (gui_selectable(a->gui, session_recent(a->session, i), false)) {
            char path[PATH_SIZE];
            snprintf(path, sizeof path, "%s", session_recent(a->session, i)); // a copy, because opening moves it
            a->dialog = DIALOG_NONE;
            open_model(a, path);
            return;
        }
}

static void buttons(app *a, dialog which, bool entered)
{
    files_state *f = &a->files;
    if (f->replace) gui_text(a->gui, "There is a file of this name already.");
    const char *verb = which == DIALOG_EXPORT_TO ? "Choose"
                       : f->replace              ? "Replace"
                       : kinds[which].saves      ? "Save"
                                                 : "Open";
    gui_width(a->gui, 110.0);
    if (gui_main_button(a->gui, verb) || entered) accept(a, which);
    gui_same_line(a->gui);
    gui_width(a->gui, 110.0);
    if (gui_button(a->gui, "Cancel")) a->dialog = which == DIALOG_EXPORT_TO ? DIALOG_EXPORT : DIALOG_NONE;
}

static void body(app *a)
{
    files_state *f = &a->files;
    dialog which = a->dialog;
    if (which == DIALOG_OPEN) recent(a);
    gui_text_dim(a->gui, f->folder);
    if (gui_child_begin(a->gui, "##folder", 0.0, 280.0)) entries(a, which);
    gui_child_end(a->gui);
    if (!kinds[which].saves) gui_checkbox(a->gui, "Files of every kind", &f->all);
    bool entered = gui_input_text(a->gui, "Path", f->path, sizeof f->path);
    buttons(a, which, entered);
}

void files_dialog(app *a)
{
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); ++i)
        if (kinds[i].title != NULL) show_dialog(a, (dialog)i, kinds[i].title, 620.0, body);
}

void files_welcome(app *a)
{
    double width = 420.0, height = 140.0 + (recent_count(a) > 0 ? 36.0 : 0.0) + 30.0 * recent_count(a);
    double x = a->view.place.x + 0.5 * (a->view.place.width - width);
    double y = a->view.place.y + 0.4 * (a->view.place.height - height);
    gui_panel_begin(a->gui, "eigenrig##welcome", x > 0.0 ? x : 0.0, y > 0.0 ? y : 0.0, width, height);
    gui_text_wrapped(a->gui, "Drop a rigged model here: glTF, FBX, Collada, BVH, ... or a rig file. Its natural modes "
                             "appear at the left, to be watched, mixed, tuned and exported.");
    gui_space(a->gui);
    gui_width(a->gui, 140.0);
    if (gui_main_button(a->gui, "Open a model ...")) files_show(a, DIALOG_OPEN);
    gui_same_line(a->gui);
    if (gui_button(a->gui, "Keys")) a->dialog = DIALOG_KEYS;
    recent(a);
    gui_panel_end(a->gui);
}
