/// @file
/// Private: names that are told apart.
#ifndef ER_BASE_NAMES_H
#define ER_BASE_NAMES_H

#include "base/arena.h"

typedef struct er_name {
    const char *text;
    int number; ///< the last that was put behind this name to make another; 1 at first
} er_name;

/// A set of names, hashed. All zeros but for the arena when empty.
typedef struct er_names {
    er_arena *arena; ///< borrowed
    er_name *slot;   ///< [room], those without text are free
    size_t count, room;
} er_names;

/// The entry of a name, NULL when there is none; good until the next name comes in.
er_name *er_names_find(const er_names *names, const char *text);

/// Adds a name that is not there yet. The text is borrowed as long as the set lives.   Errors: ER_ERROR_MEMORY.
er_result er_names_add(er_names *names, const char *text);

/// The name, borrowed likewise, or, where it is there, the first of "name (2)", "name (3)", ... that is not; it is now.
/// NULL when there is no memory.
const char *er_names_take(er_names *names, const char *text);

#endif
