/// @file
/// Scripts of events as words; docs/viewer.md lists them.
#ifndef ERI_VIEWER_WINDOW_EVENTS_H
#define ERI_VIEWER_WINDOW_EVENTS_H

#include <eigenrig/base.h>

typedef enum event_verb {
    EVENT_KEY,
    EVENT_CLICK,
    EVENT_DOUBLE_CLICK,
    EVENT_DRAG,
    EVENT_MOVE,
    EVENT_SCROLL,
    EVENT_TYPE,
    EVENT_DROP,
    EVENT_RESIZE,
    EVENT_WAIT,
    EVENT_EXPECT,
    EVENT_EXPECT_NOT,
    EVENT_SHOT
} event_verb;

typedef struct event_word {
    event_verb verb;
    int button;       ///< of clicks and drags: 0 left, 1 right, 2 middle
    int modifiers;    ///< GUI_SHIFT ...
    int key;          ///< GLFW_KEY_*
    char *source;     ///< as it was written, for messages
    char *text;       ///< label, path or characters; "" if there are only numbers
    int number_count; ///< of numbers
    double number[4];
} event_word;

typedef struct script {
    int count;
    event_word *word; ///< [count]
    int at, step;     ///< the word being carried out, and its step
    int waited;       ///< frames spent waiting for a label
    size_t typed;     ///< bytes of its text sent so far
    double aimed[2];  ///< place the pointer was sent to, points
    const char *shot; ///< path of the picture of this frame, NULL for none
} script;

/// @param text  words separated by white space, in quotes if they hold some; or @FILE
/// @param out   ER_OK: for event_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (names the word), ER_ERROR_FILE, ER_ERROR_MEMORY
er_result event_create(er_context *context, const char *text, script **out);
void event_destroy(script *s);

#endif
