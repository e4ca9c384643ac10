// A scene of Lua in a window that is not there, and what hands do to it.
#ifndef TESTS_VIEWER_PLAY_PLAYING_H
#define TESTS_VIEWER_PLAY_PLAYING_H

#include "../draw/stage.h"
#include "viewer/play/player.h"

enum { WIDTH = 320, HEIGHT = 240 };
static const double tick = 1.0 / 60.0;

// A red ball in front of blue, over a floor far below; and lines of one's own.
#define SCENE(more)                                                                                                    \
    "local eigenrig = require('eigenrig')\n"                                                                           \
    "local scene = eigenrig.scene{name = 'ball', gravity = {0, 0, 0}, background = {colour = {0, 0, 0.5}}, shadows = " \
    "false}\n"                                                                                                         \
    "local red = scene:material{ambient = {0, 0, 0}, diffuse = {0.9, 0, 0}, specular = {0, 0, 0}}\n"                   \
    "local ball = scene:actor{name = 'ball', sphere = 1, material = red, velocity = {1, 0, 0}}\n" more                 \
    "\nreturn scene\n"

// Runs a program's tests on a stage; the scene's file goes with them.
int run_playing(const struct CMUnitTest *tests, size_t count);
const char *scene_path(void);
void write_scene(const char *text);

// Ends what was played before.
player *begin_playing(stage *s, const char *text, play_window_def *def);
void frame(stage *s, player *p, double seconds);

void press(player *p, const char *name); // a key, down and up
void press_control(player *p, bool down);
void move(player *p, double x, double y);
void press_button(player *p, int button, int modifiers, bool down);
void type(player *p, const char *text); // characters, all at once

// The answer to a line of Lua.
const char *ask(player *p, const char *line);

#endif
