// Warnings of the present call.
#include <stdio.h>
#include <string.h>

#include "app/session/session_inside.h"

// Keeps warnings, one a line.
static void keep_warning(void *user, er_note_kind kind, const char *text)
{
    session *s = user;
    size_t used = strlen(s->warnings);
    if (kind == ER_NOTE_WARNING)
        snprintf(s->warnings + used, sizeof s->warnings - used, "%s%s", used > 0 ? "\n" : "", text);
}

project_listener session_listen(session *s)
{
    s->warnings[0] = '\0';
    return (project_listener){keep_warning, s};
}

const char *session_warnings(const session *s)
{
    return s->warnings;
}
