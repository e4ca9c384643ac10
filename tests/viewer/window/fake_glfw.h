// GLFW as a screen that is not there: the window's program calls these functions, and tests play the hands.
#ifndef TESTS_VIEWER_WINDOW_FAKE_GLFW_H
#define TESTS_VIEWER_WINDOW_FAKE_GLFW_H

#include "../draw/stage.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

enum { MOST_HINTS = 16 };

typedef struct fake_screen {
    // set before a window is opened
    const char *no_display, *no_window; // why there is none; "" without a reason; NULL: there is one
    float scale;
    int pixels;           // of the framebuffer, to a unit of the window
    double frame_seconds; // between two looks at the clock
    void (*at_poll)(int poll);

    // then the program made this of it
    bool initialised, opened, closes, iconified;
    int width, height; // units
    int hint_count, hint[MOST_HINTS][2];
    char title[256], clipboard[64];
    int titles, polls, swaps, interval, ends;
    double time, waited[64]; // the clock; s of each wait
    int waits;
    void *user;
    GLFWcursorposfun move;
    GLFWmousebuttonfun button;
    GLFWscrollfun scroll;
    GLFWkeyfun key;
    GLFWcharfun character;
    GLFWdropfun drop;
    GLFWwindowfocusfun focus;
    GLFWwindowrefreshfun refresh;
} fake_screen;

extern fake_screen screen;
#define WINDOW ((GLFWwindow *)&screen)

// A screen of one pixel to a point, and a framebuffer for what is drawn upon its window, bound.
void screen_begin(int width, int height);
void screen_end(void);
int hint_of(int name); // -1: it was not given

#endif
