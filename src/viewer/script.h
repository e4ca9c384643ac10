/// @file
/// Scripts of events as words: docs/viewer.md says what there is.
#ifndef ER_VIEWER_SCRIPT_H
#define ER_VIEWER_SCRIPT_H

#include <eigenrig/base.h>

typedef enum script_verb {
    SCRIPT_KEY,
    SCRIPT_CLICK,
    SCRIPT_DOUBLE_CLICK,
    SCRIPT_DRAG,
    SCRIPT_MOVE,
    SCRIPT_SCROLL,
    SCRIPT_TYPE,
    SCRIPT_DROP,
    SCRIPT_RESIZE,
    SCRIPT_WAIT,
    SCRIPT_EXPECT,
    SCRIPT_EXPECT_NOT,
    SCRIPT_SHOT
} script_verb;

typedef struct script_word {
    script_verb verb;
    int button;       ///< of clicks and drags: 0 left, 1 right, 2 middle
    int modifiers;    ///< GUI_SHIFT ...
    int key;          ///< GLFW_KEY_*
    char *source;     ///< as it was written, for messages
    char *text;       ///< label, path or characters; "" where numbers say all
    int number_count; ///< of numbers
    double number[4];
} script_word;

typedef struct script {
    int count;
    script_word *word; ///< [count]
    int at, step;      ///< the word that is carried out, and how far
    int waited;        ///< frames for a label
    size_t typed;      ///< bytes of a text that were given
    double aimed[2];   ///< where the pointer was sent, points
    const char *shot;  ///< path of the picture of this frame, NULL for none
} script;

/// @param text  words between white space, quotes round what holds some; or @FILE
/// @param out   ER_OK: for script_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (names the word), ER_ERROR_FILE, ER_ERROR_MEMORY
er_result script_create(er_context *context, const char *text, script **out);
void script_destroy(script *s);

#endif
