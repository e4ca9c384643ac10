// The tab of the character that walks: a gait, where it goes, whether it fell.
#include <math.h>
#include <stdio.h>

#include "viewer/window/parts.h"

#define QUARTER 0.25 // of the gait's speed, or of the fastest turn: a press of a key
#define FASTEST 2.0  // times the gait's speed, of the slider

static bool is_walking(const app *a, simulation_walking *out)
{
    return a->simulate.shown && simulation_walks(a->simulate.run, out);
}

static void go(app *a)
{
    simulation_go(a->simulate.run, a->walk.wish);
}

static void start(app *a)
{
    simulation *run = NULL;
    const er_gaits *found = session_gaits(a->session);
    if (!check(a, simulation_walk(a->session, a->walk.gait, &run)) || !simulate_run(a, run)) return;
    a->walk.wish = (er_walker_wish){.ahead = found->gait[a->walk.gait].speed};
    go(a);
}

void walk_ahead(app *a, int steps)
{
    simulation_walking w;
    if (!is_walking(a, &w)) return;
    a->walk.wish.ahead = fmin(fmax(a->walk.wish.ahead + steps * QUARTER * w.speed, -w.speed), FASTEST * w.speed);
    go(a);
}

void walk_turn(app *a, int steps)
{
    simulation_walking w;
    if (!is_walking(a, &w)) return;
    a->walk.wish.turn = fmin(fmax(a->walk.wish.turn + steps * QUARTER * w.turn, -w.turn), w.turn);
    go(a);
}

static void steer(app *a, const simulation_walking *w)
{
    gui *g = a->gui;
    er_walker_wish *wish = &a->walk.wish;
    bool changed = gui_slider(g, "Ahead", &wish->ahead, -w->speed, FASTEST * w->speed, "%.2f m/s", false);
    gui_tooltip(g, "Shift+Up and Shift+Down");
    changed |= gui_slider(g, "To the left", &wish->aside, -w->speed, w->speed, "%.2f m/s", false);
    changed |= gui_slider(g, "Turn", &wish->turn, -w->turn, w->turn, "%.2f rad/s", false);
    gui_tooltip(g, "Shift+Left and Shift+Right");
    if (gui_button(g, "Stand still")) {
        *wish = (er_walker_wish){0};
        changed = true;
    }
    gui_tooltip(g, "it walks on the spot for a stride, then it stands");
    if (changed) go(a);
    if (w->fallen != ER_WALKER_UPRIGHT)
        gui_text_wrapped(g, "It has fallen, and its joints are limp. Set off begins anew.");
    else
        gui_text_wrapped(g, "Drag the body: it is pulled, and steps where it does not fall.");
}

static void choose_gait(app *a, const er_gaits *found)
{
    const char *name[100];
    int count = found->count < 100 ? found->count : 100;
    for (int i = 0; i < count; ++i)
        name[i] = found->gait[i].name;
    if (a->walk.gait >= count) a->walk.gait = 0;
    gui_choice(a->gui, "Gait", name, count, &a->walk.gait);
}

void walk_tab(app *a)
{
    gui *g = a->gui;
    simulation_walking w;
    double share;
    const er_gaits *found = a->model != NULL ? session_gaits(a->session) : NULL;
    if (a->model == NULL) return;
    if (found == NULL) {
        bool sought = session_is_searching_gaits(a->session, &share);
        if (!sought && gui_main_button(g, "Find gaits##walk")) check(a, session_search_gaits(a->session));
        gui_text_wrapped(g, sought ? "Gaits are searched." : "A character walks in a gait, by its own torques.");
        return;
    }
    if (found->count == 0 || found->body->foot_count == 0) {
        gui_text_wrapped(g, "No gait with feet was found, so it cannot walk.");
        return;
    }
    choose_gait(a, found);
    if (gui_main_button(g, "Set off")) start(a);
    gui_tooltip(g, "puts it on the ground, standing, and sets it going");
    if (!is_walking(a, &w)) return;
    gui_same_line(g);
    if (gui_button(g, a->simulate.playing ? "Pause##walk" : "Go on##walk")) simulate_play(a);
    steer(a, &w);
}
