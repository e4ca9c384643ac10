/// @file
/// Names of keys: "Space", "Ctrl+Z", "F1".
#ifndef ERI_VIEWER_WINDOW_KEYS_H
#define ERI_VIEWER_WINDOW_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/// @param key,modifiers  GLFW_KEY_*; GUI_SHIFT ..., written
/// @return false: there is no such key
bool key_read(const char *text, int *key, int *modifiers);
/// Writes "" for a key without name.
void key_write(int key, int modifiers, char *text, size_t size);

#endif
