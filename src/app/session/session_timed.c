// A preset in time in place of the mix, as one step of undo.
#include <stdio.h>
#include <string.h>

#include "app/session/session_inside.h"

er_result session_play_timed(session *s, const char *name)
{
    char told[sizeof s->message];
    er_result r = session_move_preset(s, name);
    if (r != ER_OK) return r;
    memcpy(told, s->message, sizeof told);
    session_commit(s);
    session_setup setup = s->now.setup;
    session_show_mix(&setup);
    snprintf(setup.timed, sizeof setup.timed, "%s", name);
    r = session_set(s, &setup, true);
    if (r == ER_OK) memcpy(s->message, told, sizeof told);
    return r;
}
