// Opens dialogs of files, in the right folder.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "viewer/window/listing.h"
#include "viewer/window/parts.h"

void files_go_to(app *a, const char *folder)
{
    files_state *f = &a->files;
    char *full = eri_platform_real_path(folder, NULL);
    listing *l = full != NULL ? listing_create(full) : NULL;
    if (l == NULL) {
        char text[PATH_SIZE + 64];
        snprintf(text, sizeof text, "%s: the folder cannot be read (%s)", folder, strerror(errno));
        message_add(a, MESSAGE_ERROR, text);
    } else {
        listing_destroy(f->listing);
        f->listing = l;
        snprintf(f->folder, sizeof f->folder, "%s", full);
    }
    free(full);
}

// Shows the folder of a path, and its name.
static void go_to_file(app *a, const char *path)
{
    files_state *f = &a->files;
    const char *slash = strrchr(path, '/');
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1, slash != NULL ? path : ".");
    snprintf(f->path, sizeof f->path, "%s", slash != NULL ? slash + 1 : path);
    files_go_to(a, folder);
}

// MODEL.rig.lua beside the model, where every command finds it.
static void go_beside_model(app *a)
{
    const project_request asked = project_default_request();
    char path[PATH_SIZE] = "";
    project_find_description(session_path(a->session), &asked, path, sizeof path);
    go_to_file(a, path);
}

void files_show(app *a, dialog which)
{
    files_state *f = &a->files;
    a->dialog = which;
    f->replace = false;
    if (which == DIALOG_MIX_SAVE) {
        const session_setup *s = session_get(a->session);
        snprintf(f->path, sizeof f->path, "%.60s.json", s->mix_name[0] != '\0' ? s->mix_name : "mix");
        for (char *c = f->path; *c != '\0'; ++c)
            if (*c == '/') *c = '-';
    } else if (which == DIALOG_EXPORT_TO) {
        go_to_file(a, a->export.path);
        return;
    } else if (which == DIALOG_DESCRIPTION_SAVE) {
        go_beside_model(a);
        return;
    } else
        snprintf(f->path, sizeof f->path, "%s", which == DIALOG_POSE_SAVE ? "pose.json" : "");
    files_go_to(a, f->folder[0] != '\0' ? f->folder : ".");
}
