/// @file
/// Names of keys: "Space", "Ctrl+Z", "F1".
#ifndef ERI_VIEWER_WINDOW_KEYS_H
#define ERI_VIEWER_WINDOW_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/// Skips "Ctrl+", "Shift+" and "Alt+", in any order.
/// @param modifiers  GUI_SHIFT ...: those that are named are added
const char *key_skip_modifiers(const char *text, int *modifiers);
/// @param key,modifiers  GLFW_KEY_*; GUI_SHIFT ..., written
/// @return false: there is no such key
bool key_read(const char *text, int *key, int *modifiers);
/// Writes "" for a key without name.
void key_write(int key, int modifiers, char *text, size_t size);

#endif
