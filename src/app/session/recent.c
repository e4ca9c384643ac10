// The list of recent files, kept between sessions. Failures are silent.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_inside.h"
#include "base/platform.h"

enum { LONGEST_LIST = 1 << 20 }; // bytes

// The path of the list, to be freed; NULL if there is none.
static char *list_path(void)
{
    char state[ER_FILE_NAME_MAX], *path = NULL;
    bool known = eri_platform_user_folder(ERI_FOLDER_STATE, state);
    return known && asprintf(&path, "%s/eigenrig/recent", state) >= 0 ? path : NULL;
}

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        eri_platform_make_private_folder(path);
        *slash = '/';
    }
}

void session_drop_recent(session *s)
{
    while (s->recent_count > 0)
        free(s->recent[--s->recent_count]);
}

// Paths end in a zero byte, the only one that they cannot contain.
static void read_list(session *s)
{
    char *path = list_path(), *line = NULL;
    size_t room = 0, read = 0;
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
    session_drop_recent(s);
    while (file != NULL && s->recent_count < SESSION_MAX_RECENT && read < LONGEST_LIST) {
        ptrdiff_t length = eri_platform_read_line(&line, &room, '\0', file);
        if (length < 2 || line[length - 1] != '\0') break;
        read += (size_t)length;
        char *copy = strdup(line);
        if (copy != NULL) s->recent[s->recent_count++] = copy;
    }
    if (file != NULL) fclose(file);
    free(line);
    free(path);
    s->recent_read = true;
}

// Writes a temporary file, then renames it.
static void write_list(const session *s)
{
    char *path = list_path(), *beside = NULL;
    if (path != NULL) make_folders(path);
    if (path == NULL || asprintf(&beside, "%s.XXXXXX", path) < 0) {
        free(path);
        return;
    }
    FILE *file = eri_platform_temporary_file(beside);
    if (file != NULL) {
        for (int i = 0; i < s->recent_count; ++i)
            fwrite(s->recent[i], 1, strlen(s->recent[i]) + 1, file);
        bool whole = ferror(file) == 0;
        whole = fclose(file) == 0 && whole;
        if (!whole || eri_platform_rename(beside, path) != 0) eri_platform_unlink(beside);
    }
    free(beside);
    free(path);
}

int session_recent_count(session *s)
{
    if (!s->recent_read) read_list(s);
    return s->recent_count;
}

const char *session_recent(session *s, int i)
{
    return i >= 0 && i < session_recent_count(s) ? s->recent[i] : "";
}

void session_remember(session *s, const char *path)
{
    char *first = eri_platform_real_path(path, NULL);
    if (first == NULL) return;
    read_list(s); // another session may have written it
    int at = 0;
    while (at < s->recent_count && strcmp(s->recent[at], first) != 0)
        ++at;
    if (at == SESSION_MAX_RECENT) --at;
    if (at < s->recent_count)
        free(s->recent[at]);
    else
        ++s->recent_count;
    memmove(s->recent + 1, s->recent, (size_t)at * sizeof *s->recent);
    s->recent[0] = first;
    write_list(s);
}
