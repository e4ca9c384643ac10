// Names of keys.
#include "viewer/window/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/letters.h"
#include "viewer/gui/gui.h"

static const struct {
    int key;
    const char *name;
} named[] = {{GLFW_KEY_ESCAPE, "Escape"}, // only read: of several names the last is written
             {GLFW_KEY_SPACE, "Space"},    {GLFW_KEY_ESCAPE, "Esc"},         {GLFW_KEY_ENTER, "Enter"},
             {GLFW_KEY_TAB, "Tab"},        {GLFW_KEY_DELETE, "Delete"},      {GLFW_KEY_BACKSPACE, "Backspace"},
             {GLFW_KEY_LEFT, "Left"},      {GLFW_KEY_RIGHT, "Right"},        {GLFW_KEY_UP, "Up"},
             {GLFW_KEY_DOWN, "Down"},      {GLFW_KEY_HOME, "Home"},          {GLFW_KEY_END, "End"},
             {GLFW_KEY_PAGE_UP, "PageUp"}, {GLFW_KEY_PAGE_DOWN, "PageDown"}, {GLFW_KEY_F1, "F1"},
             {GLFW_KEY_F11, "F11"}};
enum { NAMED_COUNT = (int)(sizeof named / sizeof named[0]) };

static const struct {
    int bit;
    const char *name;
} modifier[] = {{GUI_CONTROL, "Ctrl+"}, {GUI_SHIFT, "Shift+"}, {GUI_ALT, "Alt+"}};

const char *key_skip_modifiers(const char *text, int *modifiers)
{
    for (int i = 0; i < 3; ++i) {
        size_t length = strlen(modifier[i].name);
        if (!eri_same_start(text, modifier[i].name, length)) continue;
        *modifiers |= modifier[i].bit;
        text += length;
        i = -1; // in any order
    }
    return text;
}

bool key_read(const char *text, int *key, int *modifiers)
{
    *modifiers = 0;
    text = key_skip_modifiers(text, modifiers);
    for (int i = 0; i < NAMED_COUNT; ++i)
        if (eri_same_letters(text, named[i].name)) {
            *key = named[i].key;
            return true;
        }
    if (strlen(text) != 1 || !isgraph((unsigned char)text[0])) return false;
    *key = eri_upper(text[0]); // GLFW numbers printable keys as ASCII does
    return true;
}

void key_write(int key, int modifiers, char *text, size_t size)
{
    char name[2] = {key > 32 && key < 127 ? (char)key : '\0', '\0'};
    const char *found = name;
    for (int i = 0; i < NAMED_COUNT; ++i)
        if (named[i].key == key) found = named[i].name;
    snprintf(text, size, "%s%s%s%s", (modifiers & GUI_CONTROL) != 0 ? "Ctrl+" : "",
             (modifiers & GUI_SHIFT) != 0 ? "Shift+" : "", (modifiers & GUI_ALT) != 0 ? "Alt+" : "", found);
}
