// The track below the timeline: pieces one after the other, joined without a jump.
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

enum { MOST_CHOICES = 256, TRACK_HEIGHT = 30, CONTROLS_HEIGHT = 34 };

double sequence_height(const app *a)
{
    return a->timeline.track ? TRACK_HEIGHT + CONTROLS_HEIGHT + 8.0 : 0.0;
}

// ---- with the session

// A preset that cannot be made ends, so that its error is told once.
static void show_timed(app *a, const session_setup *s)
{
    bool made = session_has_timed_preset(a->session) &&
                strcmp(session_gait_name(a->session, SESSION_TIMED_PRESET), s->timed) == 0;
    if (!made && gui_is_held(a->gui)) return; // a slider moves still
    if (!made && !check(a, session_move_preset(a->session, s->timed))) {
        session_setup none = *s;
        session_show_mix(&none);
        change_setup(a, &none, true);
        return;
    }
    a->gait.shown = SESSION_TIMED_PRESET;
}

void sequence_advance(app *a)
{
    const session_setup *s = session_get(a->session);
    bool was_made = a->gait.shown == SESSION_TIMED_PRESET || a->gait.shown == SESSION_SEQUENCE;
    if (s->timed[0] != '\0') {
        show_timed(a, s);
        return;
    }
    if (s->performs && s->piece_count > 0 && !gui_is_held(a->gui)) check(a, session_make_sequence(a->session));
    if (s->performs && session_has_sequence(a->session))
        a->gait.shown = SESSION_SEQUENCE;
    else if (was_made)
        a->gait.shown = -1;
}

// ---- the choice of a piece

typedef struct choices {
    int count;
    char what[MOST_CHOICES][160], text[MOST_CHOICES][160];
    double seconds[MOST_CHOICES];
} choices;

static void offer(choices *c, const char *kind, const char *name, double seconds)
{
    if (c->count == MOST_CHOICES || strlen(name) >= 128) return;
    snprintf(c->what[c->count], sizeof c->what[0], "%s:%s", kind, name);
    snprintf(c->text[c->count], sizeof c->text[0], "%s %s", kind, name);
    c->seconds[c->count++] = seconds;
}

static void offer_all(const app *a, choices *c)
{
    const er_gaits *found = session_gaits(a->session);
    const er_scene *scene = session_scene(a->session);
    c->count = 0;
    for (int i = 0; found != NULL && i < found->count; ++i)
        offer(c, "gait", found->gait[i].name, 4.0 / found->gait[i].hz);
    for (int i = 0; er_preset_name(i) != NULL; ++i)
        offer(c, "preset", er_preset_name(i), 4.0);
    for (int i = 0; scene != NULL && i < scene->clip_count; ++i)
        if (scene->clip[i].duration > 0.0 && scene->clip[i].name[0] != '\0')
            offer(c, "clip", scene->clip[i].name, scene->clip[i].duration);
}

// @return whether a piece was added to the setup
static bool add_piece(app *a, session_setup *s)
{
    static choices c; // too large for a stack; the window has one thread
    const char *name[MOST_CHOICES + 2] = {"a piece ..."};
    session_piece mix;
    int chosen = 0, count = 1;
    bool mixed = session_mix_piece(a->session, &mix);
    offer_all(a, &c);
    if (mixed) name[count++] = "the mix";
    for (int i = 0; i < c.count; ++i)
        name[count++] = c.text[i];
    gui_width(a->gui, 110.0);
    if (!gui_choice(a->gui, "##add", name, count, &chosen) || chosen == 0) return false;
    if (s->piece_count == SESSION_MAX_PIECES) {
        message_add(a, MESSAGE_NOTE, "the sequence has 32 pieces, and no more can be kept; take one out");
        return false;
    }
    session_piece *p = &s->piece[s->piece_count++];
    int k = chosen - 1 - mixed;
    *p = mix;
    if (k < 0) return true;
    snprintf(p->what, sizeof p->what, "%s", c.what[k]);
    p->seconds = c.seconds[k];
    return true;
}

// ---- the pieces

static void write_piece(const session_piece *p, char *text, size_t size)
{
    const char *name = strchr(p->what, ':');
    bool named = p->what[0] < '0' || p->what[0] > '9';
    snprintf(text, size, "%.60s  %.2f s", named && name != NULL ? name + 1 : "mix", p->seconds);
}

static void move_piece(session_setup *s, int from, int to)
{
    session_piece moved = s->piece[from];
    for (int k = from; k != to; k += to > from ? 1 : -1)
        s->piece[k] = s->piece[to > from ? k + 1 : k - 1];
    s->piece[to] = moved;
}

static void track(app *a)
{
    session_setup s = *session_get(a->session);
    timeline_state *t = &a->timeline;
    gui_block block[SESSION_MAX_PIECES];
    char text[SESSION_MAX_PIECES][96];
    double seconds = 0.0;
    int to = 0;
    for (int k = 0; k < s.piece_count; ++k) {
        write_piece(&s.piece[k], text[k], sizeof text[k]);
        block[k] = (gui_block){text[k], s.piece[k].seconds};
    }
    bool plays = a->gait.shown == SESSION_SEQUENCE;
    gui_track_change change =
        gui_track(a->gui, block, s.piece_count, TRACK_HEIGHT, plays ? a->clock.time : -1.0, &t->piece, &seconds, &to);
    bool sized = change == GUI_TRACK_SIZED || change == GUI_TRACK_SIZED_TO;
    if (sized) s.piece[t->piece].seconds = seconds;
    if (change == GUI_TRACK_MOVED) {
        move_piece(&s, t->piece, to);
        t->piece = to;
    }
    if (sized || change == GUI_TRACK_MOVED) change_setup(a, &s, change != GUI_TRACK_SIZED);
}

void sequence_panel(app *a)
{
    gui *g = a->gui;
    session_setup s = *session_get(a->session);
    timeline_state *t = &a->timeline;
    if (t->piece >= s.piece_count) t->piece = -1;
    bool added = add_piece(a, &s), changed = added;
    gui_same_line(g);
    gui_disable_begin(g, s.piece_count == 0);
    if (gui_toggle(g, "Play it##the sequence", &s.performs)) {
        s.timed[0] = '\0';
        a->clock.time = 0.0;
        changed = true;
    }
    gui_disable_end(g);
    gui_same_line(g);
    gui_disable_begin(g, t->piece < 0);
    if (gui_button(g, "Take out##piece") && t->piece >= 0) {
        memmove(&s.piece[t->piece], &s.piece[t->piece + 1], (size_t)(s.piece_count - t->piece - 1) * sizeof s.piece[0]);
        s.performs &= --s.piece_count > 0;
        changed = true;
    }
    gui_disable_end(g);
    gui_same_line(g);
    gui_disable_begin(g, a->gait.shown != SESSION_SEQUENCE);
    if (gui_button(g, "Export ...##sequence")) export_show(a);
    gui_disable_end(g);
    gui_same_line(g);
    gui_text_dim(g, session_is_making_sequence(a->session) ? "being made ..."
                    : s.piece_count == 0                   ? "Gaits are offered after Find gaits."
                                                           : "Drag pieces, and their ends.");
    if (added) t->piece = s.piece_count - 1;
    if (changed) {
        simulate_leave(a);
        change_setup(a, &s, true);
    }
    track(a);
}
