// The names of the user's presets.
#include <stdlib.h>
#include <string.h>

#include "app/project/project_preset.h"
#include "app/session/session_inside.h"
#include "base/letters.h"

static void keep_preset(void *user, const char *name)
{
    session *s = user;
    for (int i = 0; i < s->preset_count; ++i)
        if (eri_same_letters(s->preset[i], name)) return;
    char **grown = realloc(s->preset, ((size_t)s->preset_count + 1) * sizeof *grown);
    if (grown != NULL) s->preset = grown;
    if (grown != NULL && (grown[s->preset_count] = strdup(name)) != NULL) ++s->preset_count;
}

void session_drop_presets(session *s)
{
    while (s->preset_count > 0)
        free(s->preset[--s->preset_count]);
    free(s->preset);
    s->preset = NULL;
}

int session_read_presets(session *s)
{
    const project_listener listener = session_listen(s);
    session_drop_presets(s);
    project_list_presets(&listener, keep_preset, s);
    return s->preset_count;
}

int session_preset_count(const session *s)
{
    return s->preset_count;
}

const char *session_preset(const session *s, int i)
{
    return i >= 0 && i < s->preset_count ? s->preset[i] : "";
}
