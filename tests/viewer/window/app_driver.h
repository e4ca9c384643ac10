// Hands upon the viewer without a window: they click, drag, type and press keys, a frame at a time.
#ifndef TESTS_VIEWER_WINDOW_APP_DRIVER_H
#define TESTS_VIEWER_WINDOW_APP_DRIVER_H

#include "../draw/stage.h"
#include "viewer/window/app.h"
#include "viewer/window/parts.h"

typedef struct hands {
    stage *s;
    viewer_def def;
    app *a;
    char path[4096]; // of the model
    int width, height;
} hands;

// Between panels little is left of a frame this wide, so that it is drawn quickly: bones alone, no floor.
enum { NARROW = 600, HIGH = 460 };

// Opens one of the project's models, or a whole path, at rest; NULL: nothing is open. A viewer of before is closed.
hands *hands_begin(void **state, const char *model, int width, int height);
// The same as users have it: it plays, with mesh, floor and panels. `script` may be NULL.
hands *hands_open(void **state, const char *model, int width, int height, const char *script);
// A group's end: the viewer is closed, and then the stage.
int hands_end(void **state);

void frames(hands *h, int count);
er_result try_frame(hands *h);
void move_to(hands *h, double x, double y);
void press_at(hands *h, int button, int modifiers, bool down);
void drag_from(hands *h, int button, int modifiers, double x, double y, double dx, double dy);
void key(hands *h, const char *name); // down and up
void type_text(hands *h, const char *text);

bool is_there(hands *h, const char *label);
void click(hands *h, const char *label);
void click_with(hands *h, const char *label, int modifiers);
void drag_widget(hands *h, const char *label, double dx); // from its middle
void choose(hands *h, const char *choice, const char *item);
void fold(hands *h, const char *label);         // a heading, so that what is below it comes into sight
bool is_said(const hands *h, const char *part); // by any message

#endif
