// Changes of the session, and messages about them.
#include "viewer/window/parts.h"

bool check(app *a, er_result r)
{
    if (r != ER_OK) message_add(a, MESSAGE_ERROR, er_context_error(a->context));
    return r == ER_OK;
}

bool check_change(app *a, er_result r)
{
    const char *lost = session_message(a->session);
    a->timeline.stale = true;
    if (r == ER_OK && lost[0] != '\0') message_add(a, MESSAGE_NOTE, lost);
    return check(a, r);
}

void change_setup(app *a, const session_setup *setup, bool done)
{
    check_change(a, session_set(a->session, setup, done));
}
