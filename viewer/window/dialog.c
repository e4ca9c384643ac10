// The one dialog that is open at a time.
#include "viewer/window/parts.h"

void show_dialog(app *a, dialog which, const char *title, double width, void (*body)(app *a))
{
    bool open = a->dialog == which, was = open;
    if (gui_dialog_begin(a->gui, title, &open, width)) {
        body(a);
        gui_dialog_end(a->gui);
    }
    if (was && !open) a->dialog = which == DIALOG_EXPORT_TO ? DIALOG_EXPORT : DIALOG_NONE;
}
