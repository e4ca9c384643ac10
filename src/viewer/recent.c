// The models that were opened last, kept over runs.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/parts.h"

// Where they are kept: the user's folder of states. False where there is none.
static bool recent_path(char path[PATH_SIZE], bool make_folder)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state == NULL || state[0] != '/') {
        if (home == NULL || home[0] != '/') return false;
        snprintf(path, PATH_SIZE, "%s/.local/state/eigenrig", home);
    } else
        snprintf(path, PATH_SIZE, "%s/eigenrig", state);
    for (char *slash = path + 1; make_folder && (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = '\0';
        mkdir(path, 0700); // there already, or the last of them fails
        *slash = '/';
    }
    if (make_folder && mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    size_t length = strlen(path);
    return (size_t)snprintf(path + length, PATH_SIZE - length, "/recent") < PATH_SIZE - length;
}

void files_load(app *a)
{
    char path[PATH_SIZE];
    files_state *f = &a->files;
    if (!f->keeps_recent || !recent_path(path, false)) return;
    FILE *file = fopen(path, "r");
    if (file == NULL) return;
    while (f->recent_count < MOST_RECENT && fgets(f->recent[f->recent_count], PATH_SIZE, file) != NULL) {
        char *line = f->recent[f->recent_count];
        line[strcspn(line, "\n")] = '\0';
        f->recent_count += line[0] != '\0' && access(line, R_OK) == 0;
    }
    fclose(file);
}

// Whole or not at all; what fails is no loss that a user needs to hear of.
static void save(const files_state *f)
{
    char path[PATH_SIZE], part[PATH_SIZE + 8];
    if (!recent_path(path, true)) return;
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "w");
    if (file == NULL) return;
    for (int i = 0; i < f->recent_count; ++i)
        fprintf(file, "%s\n", f->recent[i]);
    bool whole = ferror(file) == 0;
    if (fclose(file) != 0 || !whole || rename(part, path) != 0) unlink(part);
}

void files_remember(app *a, const char *path)
{
    files_state *f = &a->files;
    char *full = realpath(path, NULL);
    if (full == NULL) return;
    if (strlen(full) < PATH_SIZE && strchr(full, '\n') == NULL) {
        int k = 0;
        while (k < f->recent_count && strcmp(f->recent[k], full) != 0)
            ++k;
        if (k == MOST_RECENT) --k;
        memmove(f->recent[1], f->recent[0], (size_t)k * PATH_SIZE);
        snprintf(f->recent[0], PATH_SIZE, "%s", full);
        if (k == f->recent_count) ++f->recent_count;
        if (f->keeps_recent) save(f);
    }
    free(full);
}
