// Errors and notes: the last one over the view for a while, all of them in a dialog.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

void message_add(app *a, message_kind kind, const char *text)
{
    messages_state *m = &a->messages;
    if (m->shown && strcmp(m->list[m->count - 1].text, text) == 0) return; // repeated while a slider moves
    if (m->count == MOST_MESSAGES) memmove(&m->list[0], &m->list[1], (size_t)--m->count * sizeof m->list[0]);
    message *new = &m->list[m->count++];
    new->kind = kind;
    new->age = 0.0;
    snprintf(new->text, sizeof new->text, "%s", text);
    m->shown = kind != MESSAGE_KEPT;
}

static void write_message(app *a, const message *m, const char *sign)
{
    static const float red[3] = {0.90f, 0.36f, 0.33f};
    if (m->kind == MESSAGE_ERROR) {
        gui_text_coloured(a->gui, red, sign);
        gui_same_line(a->gui);
    }
    gui_text_wrapped(a->gui, m->text);
}

void messages_show(app *a, double seconds)
{
    messages_state *m = &a->messages;
    if (!m->shown || m->count == 0) return;
    message *last = &m->list[m->count - 1];
    last->age += seconds;
    if (last->age > (last->kind == MESSAGE_ERROR ? 20.0 : 6.0)) m->shown = false;
    double width = fmin(520.0, a->view.place.width - 40.0), height = 66.0;
    if (width < 80.0 || a->view.place.height < height + 20.0 || a->dialog != DIALOG_NONE) return;
    double x = a->view.place.x + 0.5 * (a->view.place.width - width);
    gui_panel_begin(a->gui, "##message", x, a->view.place.y + a->view.place.height - height - 16.0, width, height);
    gui_push(a->gui, m->count);
    if (gui_button(a->gui, "✕##close message")) m->shown = false;
    gui_same_line(a->gui);
    write_message(a, last, "!");
    gui_pop(a->gui);
    gui_panel_end(a->gui);
}

static void message_list(app *a)
{
    if (gui_child_begin(a->gui, "##list", 0.0, 320.0)) {
        if (a->messages.count == 0) gui_text_dim(a->gui, "nothing was said yet");
        for (int i = a->messages.count - 1; i >= 0; --i) {
            gui_push(a->gui, i);
            write_message(a, &a->messages.list[i], "error");
            gui_pop(a->gui);
        }
    }
    gui_child_end(a->gui);
    if (gui_main_button(a->gui, "Close")) a->dialog = DIALOG_NONE;
}

void messages_dialog(app *a)
{
    show_dialog(a, DIALOG_MESSAGES, "Messages", 640.0, message_list);
}
