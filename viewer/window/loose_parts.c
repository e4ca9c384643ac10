// Follow-through below the list of clips: parts that are loose, and how they swing.
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

static void list_parts(app *a, const er_follow *f)
{
    const er_model *model = session_model(a->session);
    for (int i = 0; i < f->part_count; ++i) {
        const er_follow_part *part = &f->part[i];
        char text[256];
        snprintf(text, sizeof text, "%.100s: %.2f Hz, swings %.0f°%s", model->body[part->body].name, part->hz,
                 part->swing * 180.0 / ER_PI, part->exact ? "" : ", by linear forces alone");
        gui_text_dim(a->gui, text);
    }
    if (!f->repeats) gui_text_dim(a->gui, "the clip does not loop: parts begin at rest");
}

static void sliders(app *a, session_follow *f, bool *changed, bool *done)
{
    static const char *const rests[] = {"where the clip has them", "at the rest pose"};
    const struct {
        const char *name, *format, *none, *tip;
        double *value, high;
    } slider[] = {{"Looseness", "%.2f Hz", "own springs", "first frequency of each part: lower is looser", &f->hz, 8.0},
                  {"Bounce", "%.2f", NULL, "how much of a swing the next one has", &f->bounce, 0.95},
                  {"Weight", "%.2f", NULL, "0: parts rest as posed; 1: they hang", &f->weight, 2.0},
                  {"Amount", "%.2f", NULL, "factor of the motion that is added", &f->amount, 3.0}};
    gui *g = a->gui;
    int rest = f->rest_pose;
    for (size_t i = 0; i < sizeof slider / sizeof *slider; ++i) {
        const char *format = slider[i].none != NULL && *slider[i].value == 0.0 ? slider[i].none : slider[i].format;
        *changed |= gui_slider(g, slider[i].name, slider[i].value, 0.0, slider[i].high, format, false);
        *done |= gui_item_released(g);
        gui_tooltip(g, slider[i].tip);
    }
    if (gui_choice(g, "Springs rest", rests, 2, &rest)) {
        f->rest_pose = rest == 1;
        *changed = *done = true;
    }
}

void follow_widgets(app *a)
{
    gui *g = a->gui;
    session_setup s = *session_get(a->session);
    bool changed = false, done = false;
    if (!gui_fold(g, "Loose parts", true)) return;
    bool entered = gui_input_text(g, "Parts", s.follow.parts, sizeof s.follow.parts);
    changed = done = entered || gui_item_released(g);
    gui_tooltip(g, "regions as in tail, ears, hair; or names of bodies with * and ?, with commas between; \"springs\": "
                   "the spring bones of a VRM");
    if (s.follow.parts[0] == '\0') {
        gui_text_wrapped(g, "Name parts, such as tail or ears: they swing as the clip moves the body, and the clip "
                            "loops as before.");
    } else {
        sliders(a, &s.follow, &changed, &done);
        const er_follow *f = session_followed(a->session);
        if (f != NULL) list_parts(a, f);
        if (f != NULL && gui_button(g, "Export ...##followed")) export_show_followed(a);
    }
    if (changed) session_show_mix(&s);
    if (changed || done) change_setup(a, &s, done);
    if (changed) simulate_leave(a);
}
