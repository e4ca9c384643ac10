// The tab of the mix: its components, each with amplitude, phase and frequency.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

enum { OWN, FREE, HARMONIC };

static double own_hz(const app *a, int mode)
{
    const er_mode *m = session_mode(a->session, mode);
    return m != NULL ? m->frequency_hz : 0.0;
}

// The frequency that harmonics multiply: that of the first component.
static double base_hz(const app *a, const session_setup *s)
{
    double hz = s->component[0].hz > 0.0 ? s->component[0].hz : own_hz(a, s->component[0].mode);
    return hz > 0.0 ? hz : 1.0;
}

// A whole multiple of the first component's frequency counts as harmonic.
static int tuning_of(const app *a, const session_setup *s, int k)
{
    if (s->component[k].hz <= 0.0) return OWN;
    double times = s->component[k].hz / base_hz(a, s);
    return k > 0 && times >= 0.5 && fabs(times - floor(times + 0.5)) < 1e-9 ? HARMONIC : FREE;
}

static bool frequency_widgets(app *a, session_setup *s, int k, bool *done)
{
    static const char *const names[] = {"own frequency", "free", "harmonic of the first"};
    session_component *v = &s->component[k];
    int kind = tuning_of(a, s, k), chosen = kind;
    char label[48];
    bool changed = false;
    snprintf(label, sizeof label, "Tuned##tuned %d", v->mode);
    if (gui_choice(a->gui, label, names, k > 0 ? 3 : 2, &chosen)) {
        double hz = own_hz(a, v->mode);
        v->hz = chosen == OWN ? 0.0 : hz > 0.0 ? hz : 1.0;
        if (chosen == HARMONIC) v->hz = base_hz(a, s) * fmax(floor(v->hz / base_hz(a, s) + 0.5), 1.0);
        if (chosen == FREE) v->hz *= 1.0001; // off the grid of harmonics, so that it counts as free
        return *done = true;
    }
    if (kind == FREE) {
        snprintf(label, sizeof label, "Frequency##frequency %d", v->mode);
        changed = gui_slider(a->gui, label, &v->hz, 0.05, 20.0, "%.3f Hz", true);
        *done |= gui_item_released(a->gui);
    }
    if (kind == HARMONIC) {
        int times = (int)floor(v->hz / base_hz(a, s) + 0.5);
        snprintf(label, sizeof label, "Times##times %d", v->mode);
        changed = gui_slider_int(a->gui, label, &times, 1, 12);
        *done |= gui_item_released(a->gui);
        if (changed) v->hz = times * base_hz(a, s);
    }
    return changed;
}

// Where a mode stops to be a motion of the rig: at a limit of a joint, where parts meet, where its frequency shifts.
static void amplitude_marks(app *a, int mode)
{
    static const float red[3] = {0.84f, 0.25f, 0.2f}, orange[3] = {0.9f, 0.6f, 0.1f}, green[3] = {0.3f, 0.8f, 0.35f};
    const er_mode_bound *bound = session_bound(a->session, mode);
    char text[160] = "", label[48];
    if (bound == NULL) return;
    const struct {
        const char *name, *says;
        double degrees;
        const float *rgb;
    } marks[] = {{"limit", "a joint reaches its limit at", bound->limit, red},
                 {"contact", "parts of the body meet at", bound->contact, orange},
                 {"linear", "it stops being a motion of its own at", bound->linear, green}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i) {
        if (!(marks[i].degrees < SESSION_MOST_DEGREES)) continue;
        snprintf(label, sizeof label, "##%s %d", marks[i].name, mode);
        gui_slider_mark(a->gui, label, marks[i].degrees / SESSION_MOST_DEGREES, marks[i].rgb);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.1f°", used > 0 ? "\n" : "", marks[i].says,
                                 marks[i].degrees);
    }
    if (used > 0) gui_tooltip(a->gui, text);
}

// In degrees of the joint that turns most, or cm of the point that moves most.
static bool amplitude_slider(app *a, session_component *v)
{
    const er_model *model = session_model(a->session);
    const er_mode *mode = session_mode(a->session, v->mode);
    char label[48];
    snprintf(label, sizeof label, "Amplitude##amplitude %d", v->mode);
    double way = mode != NULL ? 100.0 * er_mode_amplitude(model, mode, 1.0) * er_mode_excursion(model, mode, -1) : 0.0;
    if (!a->lengths || !(way > 0.0))
        return gui_slider(a->gui, label, &v->degrees, 0.0, SESSION_MOST_DEGREES, "%.1f°", false);
    double cm = way * v->degrees;
    bool changed = gui_slider(a->gui, label, &cm, 0.0, SESSION_MOST_DEGREES * way, "%.2f cm", false);
    if (changed) v->degrees = cm / way;
    return changed;
}

// @return whether the component was changed   @param gone  it shall be removed
static bool component_widgets(app *a, session_setup *s, int k, bool *done, bool *gone)
{
    gui *g = a->gui;
    session_component *v = &s->component[k];
    char label[64];
    bool changed = false;
    double turns = v->phase * 180.0 / ER_PI;
    snprintf(label, sizeof label, "mode %02d   %.2f Hz##voice %d", v->mode, own_hz(a, v->mode), v->mode);
    gui_width(g, gui_available_width(g) - 112.0);
    if (gui_selectable(g, label, k == a->component)) {
        a->component = k;
        a->palette.mode = v->mode;
    }
    gui_same_line(g);
    snprintf(label, sizeof label, "M##mute %d", v->mode);
    if (gui_toggle(g, label, &v->mute)) changed = *done = true;
    gui_tooltip(g, "mute (M)");
    gui_same_line(g);
    snprintf(label, sizeof label, "S##solo %d", v->mode);
    if (gui_toggle(g, label, &v->solo)) changed = *done = true;
    gui_tooltip(g, "solo (S)");
    gui_same_line(g);
    snprintf(label, sizeof label, "✕##remove %d", v->mode);
    *gone = gui_button(g, label);
    gui_tooltip(g, "out of the mix (Delete)");
    changed |= amplitude_slider(a, v);
    *done |= gui_item_released(g);
    amplitude_marks(a, v->mode);
    snprintf(label, sizeof label, "Phase##phase %d", v->mode);
    if (gui_slider(g, label, &turns, -180.0, 180.0, "%.0f°", false)) {
        v->phase = turns * ER_PI / 180.0;
        changed = true;
    }
    *done |= gui_item_released(g);
    changed |= frequency_widgets(a, s, k, done);
    return changed;
}

// An id for the widgets of a component: its mode, made unique if it plays more than once.
static int scope_of(const session_setup *s, int k)
{
    int before = 0;
    for (int i = 0; i < k; ++i)
        before += s->component[i].mode == s->component[k].mode;
    return s->component[k].mode + 1000000 * before;
}

void remove_component(session_setup *s, int k)
{
    memmove(&s->component[k], &s->component[k + 1], (size_t)(s->component_count - k - 1) * sizeof s->component[0]);
    --s->component_count;
}

static void mix_name(app *a, session_setup *s)
{
    bool entered = gui_input_text(a->gui, "Name", s->mix_name, sizeof s->mix_name);
    bool left = gui_item_released(a->gui);
    if (entered || left) change_setup(a, s, true);
    gui_same_line(a->gui);
}

// Feet, or named bodies, that stay in place.
static void plant_widgets(app *a, session_setup *s)
{
    gui *g = a->gui;
    bool on = s->plant[0] != '\0';
    if (gui_checkbox(g, "Plant", &on)) {
        snprintf(s->plant, sizeof s->plant, "%s", on ? "feet" : "");
        change_setup(a, s, true);
        return;
    }
    gui_tooltip(g, "feet, or the bodies named, stay where they stand while the mix plays");
    if (!on) return;
    gui_same_line(g);
    bool entered = gui_input_text(g, "##planted", s->plant, sizeof s->plant), left = gui_item_released(g);
    gui_tooltip(g, "feet, or names of bodies or nodes with commas between, * and ?");
    if (entered || left) change_setup(a, s, true);
}

// The clip that the mix lies over.
static void over_widget(app *a, session_setup *s)
{
    enum { MOST = 128 };
    const er_scene *scene = session_scene(a->session);
    const char *name[MOST + 1] = {"nothing"};
    int count = 1, chosen = 0;
    for (int i = 0; scene != NULL && i < scene->clip_count && count <= MOST; ++i) {
        if (!(scene->clip[i].duration > 0.0) || scene->clip[i].name[0] == '\0') continue;
        if (strcmp(scene->clip[i].name, s->over) == 0) chosen = count;
        name[count++] = scene->clip[i].name;
    }
    if (count == 1) return;
    if (chosen == 0 && s->over[0] != '\0') name[0] = s->over; // a clip chosen by its index
    if (!gui_choice(a->gui, "Over", name, count, &chosen)) return;
    snprintf(s->over, sizeof s->over, "%s", chosen > 0 ? name[chosen] : "");
    session_show_mix(s);
    change_setup(a, s, true);
    simulate_leave(a);
}

void mix_tab(app *a)
{
    gui *g = a->gui;
    session_setup s = *session_get(a->session);
    bool changed = false, done = false;
    mix_name(a, &s);
    gui_space(g);
    if (gui_button(g, "Open mix")) files_show(a, DIALOG_MIX_OPEN);
    gui_same_line(g);
    gui_disable_begin(g, s.component_count == 0);
    if (gui_button(g, "Save mix")) files_show(a, DIALOG_MIX_SAVE);
    gui_disable_end(g);
    gui_same_line(g);
    gui_disable_begin(g, s.component_count == 0 && a->gait.shown < 0);
    if (gui_main_button(g, "Export ...")) export_show(a);
    gui_disable_end(g);
    gui_space(g);
    over_widget(a, &s);
    plant_widgets(a, &s);
    gui_checkbox(g, "Amplitudes in cm", &a->lengths);
    gui_tooltip(g, "of the point that moves most, in place of degrees of the joint that turns most");
    if (s.component_count == 0)
        gui_text_wrapped(g, s.over[0] != '\0'
                                ? "The clip plays as it is. A mode's + lays that over it."
                                : "Nothing plays. Click a mode at the left to see it alone, its + to add it.");
    for (int k = 0; k < s.component_count; ++k) {
        bool gone = false;
        gui_separator(g);
        gui_push(g, scope_of(&s, k));
        changed |= component_widgets(a, &s, k, &done, &gone);
        gui_pop(g);
        if (!gone) continue;
        remove_component(&s, k);
        a->component = -1;
        changed = done = true;
        break;
    }
    if (changed) session_show_mix(&s);
    if (changed || done) change_setup(a, &s, done);
    if (changed) simulate_leave(a);
}
