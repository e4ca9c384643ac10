// Carries out scripts: each word becomes events of keys and mouse, one step a frame, in the same queue as theirs.
#include "viewer/window/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "viewer/render/png.h"
#include "viewer/window/parts.h"

// Frames to wait for a label; moves of a drag; characters of a text in a frame.
enum { PATIENCE = 60, DRAG_STEPS = 6, TYPED_AT_ONCE = MOST_EVENTS / 2 };

bool event_ended(const script *s)
{
    return s->at == s->count;
}

static void move_to(app *a, double x, double y)
{
    app_event(a, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = x, .y = y});
}

static void press(app *a, const event_word *w, bool down)
{
    app_event(a, &(gui_event){.kind = GUI_MOUSE_BUTTON, .button = w->button, .modifiers = w->modifiers, .down = down});
}

// Sends the next characters of a text, as many as the queue has room for.   @return whether they were the last
static bool characters(app *a, const char *whole, size_t *typed)
{
    const char *text = whole + *typed;
    app_event(a, &(gui_event){.kind = GUI_KEY, .key = -1});    // Ctrl of the word before is up
    for (int i = 0; *text != '\0' && i < TYPED_AT_ONCE; ++i) { // UTF-8; other bytes pass singly
        unsigned char lead = (unsigned char)*text++;
        int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
        unsigned code = more == 3 ? lead & 7u : more == 2 ? lead & 15u : more == 1 ? lead & 31u : lead;
        for (; more > 0 && ((unsigned char)*text & 0xc0) == 0x80; --more)
            code = code << 6 | ((unsigned char)*text++ & 63u);
        app_event(a, &(gui_event){.kind = GUI_CHARACTER, .character = code});
    }
    *typed = *text != '\0' ? (size_t)(text - whole) : 0;
    return *typed == 0;
}

// The place a word points to.   @return false: its label is not drawn
static bool find_place(const app *a, const event_word *w, double place[2])
{
    if (w->number_count >= 2) {
        memcpy(place, w->number, 2 * sizeof *place);
        return true;
    }
    return gui_find(a->gui, w->text, place);
}

// Whether the label is part of any that is drawn.
static bool is_there(app *a, const event_word *w)
{
    return strstr(gui_widgets(a->gui), w->text) != NULL;
}

static void drag_step(app *a, const event_word *w, int step)
{
    double from[2], to[2];
    if (w->number_count == 1) { // the label was found in the first step, and its widget does not move
        if (!gui_find(a->gui, w->text, from)) return;
        to[0] = from[0] + w->number[0];
        to[1] = from[1];
    } else {
        memcpy(from, w->number, sizeof from);
        memcpy(to, w->number + 2, sizeof to);
    }
    double t = (double)step / DRAG_STEPS;
    move_to(a, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]));
}

// One step of a word.   @return whether it was the last
static bool carry_out(app *a, script *s, const event_word *w)
{
    int step = s->step;
    switch (w->verb) {
    case EVENT_KEY:
        app_event(a, &(gui_event){.kind = GUI_KEY, .key = w->key, .modifiers = w->modifiers, .down = step == 0});
        if (step == 0 && w->key > ' ' && w->key < 127 && (w->modifiers & ~GUI_SHIFT) == 0)
            app_event(
                a, &(gui_event){.kind = GUI_CHARACTER,
                                .character = w->modifiers != 0 ? (unsigned)w->key : (unsigned)eri_lower((char)w->key)});
        return step == 1;
    case EVENT_CLICK:
    case EVENT_DOUBLE_CLICK:
        if (step == 0)
            move_to(a, s->aimed[0], s->aimed[1]);
        else
            press(a, w, step % 2 == 1);
        return step == (w->verb == EVENT_CLICK ? 2 : 4);
    case EVENT_DRAG:
        if (step == 0)
            move_to(a, s->aimed[0], s->aimed[1]);
        else if (step == 1 || step == DRAG_STEPS + 2)
            press(a, w, step == 1);
        else
            drag_step(a, w, step - 1);
        return step == DRAG_STEPS + 2;
    case EVENT_MOVE:
        move_to(a, s->aimed[0], s->aimed[1]);
        return true;
    case EVENT_SCROLL:
        if (step == 0)
            move_to(a, w->number[0], w->number[1]);
        else
            app_event(a, &(gui_event){.kind = GUI_SCROLL, .y = w->number[2]});
        return step == 1;
    case EVENT_TYPE:
        return characters(a, w->text, &s->typed);
    case EVENT_DROP:
        app_drop(a, w->text);
        return true;
    case EVENT_RESIZE:
        if (a->host.resize != NULL) a->host.resize(a->host.user, (int)w->number[0], (int)w->number[1]);
        return true;
    case EVENT_WAIT:
        return step + 1 >= (int)w->number[0];
    case EVENT_EXPECT:
    case EVENT_EXPECT_NOT:
        return true;
    default: // EVENT_SHOT
        s->shot = w->text;
        return true;
    }
}

static bool points_at(const event_word *w)
{
    return w->verb == EVENT_CLICK || w->verb == EVENT_DOUBLE_CLICK || w->verb == EVENT_DRAG || w->verb == EVENT_MOVE;
}

// A word waits until its label is drawn, or is drawn no more.
static bool is_ready(app *a, script *s, const event_word *w)
{
    if (w->verb == EVENT_EXPECT) return is_there(a, w);
    if (w->verb == EVENT_EXPECT_NOT) return gui_widgets(a->gui)[0] != '\0' && !is_there(a, w); // and a frame was drawn
    return !points_at(w) || find_place(a, w, s->aimed);
}

// Whether the widget has moved since it was aimed at: a list may still scroll.
static bool has_moved_on(const app *a, const script *s, const event_word *w)
{
    double place[2];
    if (!points_at(w) || !find_place(a, w, place)) return false;
    return place[0] != s->aimed[0] || place[1] != s->aimed[1];
}

// Labels are separated by commas.
static er_result fail_hidden(app *a, const event_word *w)
{
    char there[900];
    size_t used = 0;
    for (const char *c = gui_widgets(a->gui); *c != '\0' && used + 3 < sizeof there; ++c) {
        there[used++] = *c != '\n' ? *c : ',';
        if (*c == '\n') there[used++] = ' ';
    }
    while (used > 0 && (there[used - 1] == ' ' || there[used - 1] == ','))
        --used;
    there[used] = '\0';
    return er_fail(a->context, ER_ERROR_ARGUMENT, "script word %d, \"%s\": %s widget \"%s\" is seen; there are: %s",
                   a->script->at + 1, w->source, w->verb == EVENT_EXPECT_NOT ? "a" : "no", w->text, there);
}

er_result event_before(app *a)
{
    script *s = a->script;
    s->shot = NULL;
    if (event_ended(s) || a->event_count > 0) return ER_OK; // earlier events first
    const event_word *w = &s->word[s->at];
    if (s->step == 1 && has_moved_on(a, s, w)) s->step = 0;
    if (s->step == 0 && !is_ready(a, s, w)) return ++s->waited <= PATIENCE ? ER_OK : fail_hidden(a, w);
    bool last = carry_out(a, s, w);
    s->waited = 0;
    s->step = last ? 0 : s->step + 1;
    s->at += last;
    return ER_OK;
}

er_result event_after(app *a, int width, int height)
{
    const char *path = a->script->shot;
    if (path == NULL) return ER_OK;
    if (width <= 0 || height <= 0)
        return er_fail(a->context, ER_ERROR_ARGUMENT, "script word \"shot:%s\": the window has no size", path);
    return write_picture(a->context, width, height, path);
}

er_result write_picture(er_context *context, int width, int height, const char *path)
{
    uint8_t *rgba = malloc(4 * (size_t)width * (size_t)height);
    if (rgba == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    draw_read_bound(width, height, rgba);
    for (size_t i = 0; i < (size_t)width * (size_t)height; ++i)
        rgba[4 * i + 3] = 255; // windows are opaque
    er_result r = png_write(context, width, height, rgba, path);
    free(rgba);
    return r;
}
