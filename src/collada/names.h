/// @file
/// A set of names, each with a number.
#ifndef ER_COLLADA_NAMES_H
#define ER_COLLADA_NAMES_H

#include "base/arena.h"

typedef struct er_name {
    const char *text;
    int number; ///< the user's; 0 at first
} er_name;

/// All zeros but for the arena when empty.
typedef struct er_names {
    er_arena *arena; ///< borrowed
    er_name *slot;   ///< [room], those without text are free
    size_t count, room;
} er_names;

/// The entry of a name, NULL when there is none; good until the next er_names_add().
er_name *er_names_find(const er_names *names, const char *text);

/// Adds a name that is not there yet. The text is borrowed as long as the set lives.   Errors: ER_ERROR_MEMORY.
er_result er_names_add(er_names *names, const char *text);

#endif
