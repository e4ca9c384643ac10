// The panel below: play, step, scrub, speed; the curve of the mix.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

enum { LEAST = 510 }; // points, the least width that has room for the time in the row of buttons

void timeline_advance(app *a, double seconds)
{
    clock_state *c = &a->clock;
    double cycle = playback_cycle(a);
    if (!c->playing || a->view.gizmo) return;
    c->time += c->speed * fmin(seconds, 0.1); // after a long stall it continues from the same time
    if (c->time < cycle) return;
    c->time = c->loop ? fmod(c->time, cycle) : cycle;
    c->playing = c->loop;
}

void timeline_step(app *a, int frames)
{
    double cycle = playback_cycle(a);
    if (a->simulate.shown) {
        simulate_step(a, frames);
        return;
    }
    a->clock.playing = false;
    a->clock.time = fmod(a->clock.time + frames / 60.0, cycle);
    if (a->clock.time < 0.0) a->clock.time += cycle;
}

// The sum of the playing components, degrees.
static void make_curve(app *a)
{
    timeline_state *t = &a->timeline;
    enum { COUNT = (int)(sizeof t->curve / sizeof t->curve[0]) };
    const session_setup *s = session_get(a->session);
    double cycle = session_cycle(a->session);
    for (int i = 0; i < COUNT; ++i)
        t->curve[i] = 0.0f;
    for (int k = 0; k < s->component_count; ++k) {
        const session_component *v = &s->component[k];
        const er_mode *mode = session_mode(a->session, v->mode);
        double hz = v->hz > 0.0 ? v->hz : mode != NULL && mode->frequency_hz > 0.0 ? mode->frequency_hz : 1.0;
        double cycles = fmax(floor(hz * cycle + 0.5), 1.0); // as a loop plays
        if (!session_plays(s, k)) continue;
        for (int i = 0; i < COUNT; ++i)
            t->curve[i] += (float)(v->degrees * sin(2.0 * ER_PI * cycles * i / (COUNT - 1) + v->phase));
    }
    t->stale = false;
}

void timeline_play(app *a)
{
    clock_state *c = &a->clock;
    if (a->simulate.shown) {
        simulate_play(a);
        return;
    }
    c->playing = !c->playing;
    if (c->playing && !c->loop && c->time >= playback_cycle(a)) c->time = 0.0;
}

void timeline_go(app *a, double time)
{
    if (a->simulate.shown) {
        simulate_go(a, time);
        return;
    }
    a->clock.time = time;
}

static void buttons(app *a, double width)
{
    gui *g = a->gui;
    clock_state *c = &a->clock;
    bool playing = a->simulate.shown ? a->simulate.playing : c->playing;
    double step = width < LEAST ? 30.0 : 40.0;
    gui_width(g, step);
    if (gui_button(g, "▮◀##step back")) timeline_step(a, -1);
    gui_tooltip(g, "a frame back (Left)");
    gui_same_line(g);
    gui_width(g, 1.4 * step);
    if (gui_main_button(g, playing ? "▮▮##play" : "▶##play")) timeline_play(a);
    gui_tooltip(g, "play or pause (Space)");
    gui_same_line(g);
    gui_width(g, step);
    if (gui_button(g, "▶▮##step on")) timeline_step(a, 1);
    gui_tooltip(g, "a frame on (Right)");
    gui_same_line(g);
    gui_disable_begin(g, a->simulate.shown);
    gui_toggle(g, "Loop", &c->loop);
    gui_disable_end(g);
    gui_same_line(g);
    gui_width(g, width < LEAST ? fmax(width - 296.0, 20.0) : fmin(width - 430.0, 130.0));
    gui_slider(g, "##speed", &c->speed, 0.1, 4.0, "speed %.2f", true);
    gui_same_line(g);
    gui_toggle(g, "Sequence", &a->timeline.track);
    gui_tooltip(g, "a track of pieces: gaits, presets, clips and mixes, one after the other");
}

static double plot_height(const app *a)
{
    return fmax(gui_available_height(a->gui) - sequence_height(a) - 2.0, 8.0);
}

// Energies of the recording, and the time that is shown.
static void recorded(app *a, double width)
{
    gui *g = a->gui;
    simulation *run = a->simulate.run;
    gui_curve curve[3];
    char text[96];
    double length = simulation_length(run);
    simulate_write_time(a, text, sizeof text);
    if (width >= LEAST) gui_same_line(g);
    gui_text(g, text);
    int curves = simulate_curves(a, curve);
    double held = gui_plot(g, "##curve", curve, curves, SIMULATE_POINTS, plot_height(a),
                           length > 0.0 ? simulation_time(run) / length : 0.0);
    if (held >= 0.0) simulate_go(a, held * length);
}

static void mixed(app *a, double width)
{
    gui *g = a->gui;
    gui_curve curve = {.value = a->timeline.curve};
    char text[96];
    if (a->timeline.stale) make_curve(a);
    double cycle = playback_cycle(a), share = session_reach(a->session);
    snprintf(text, sizeof text, "%.2f of %.2f s", a->clock.time, cycle);
    if (width >= LEAST) gui_same_line(g);
    gui_text(g, text);
    if (share < 0.995) {
        gui_same_line(g);
        snprintf(text, sizeof text, "   loops of joints follow %.0f %% of it", 100.0 * share);
        gui_text_dim(g, text);
    }
    memcpy(curve.rgb, gui_curve_colour(g), sizeof curve.rgb);
    double held = gui_plot(g, "##curve", &curve, a->gait.shown < 0 ? 1 : 0, 256, plot_height(a),
                           fmin(a->clock.time / cycle, 1.0));
    if (held < 0.0) return;
    a->clock.playing = false;
    a->clock.time = held * cycle;
}

void timeline_panel(app *a, rectangle place)
{
    gui_panel_begin(a->gui, "##timeline", place.x, place.y, place.width, place.height);
    if (a->model != NULL) {
        buttons(a, place.width);
        (a->simulate.shown ? recorded : mixed)(a, place.width);
        if (a->timeline.track) sequence_panel(a);
    }
    gui_panel_end(a->gui);
}
