/// @file
/// Private: unique names.
#ifndef ERI_BASE_NAMES_H
#define ERI_BASE_NAMES_H

#include "base/arena.h"

typedef struct eri_name {
    const char *text;
    int number; ///< the last that was put behind this name to make another; 1 at first
} eri_name;

/// A hash set of names. An empty one is all zeros but for the arena.
typedef struct eri_names {
    er_arena *arena; ///< borrowed
    eri_name *slot;  ///< [room], those without text are free
    size_t count, room;
} eri_names;

/// The entry of a name, NULL when there is none; good until the next name comes in.
eri_name *eri_names_find(const eri_names *names, const char *text);

/// Adds a name that is not there yet. The text is borrowed as long as the set lives.   Errors: ER_ERROR_MEMORY.
er_result eri_names_add(eri_names *names, const char *text);

/// Adds the name, borrowed likewise, or the first of "name (2)", "name (3)", ... that is free. Returns what was added;
/// NULL if memory runs out.
const char *eri_names_take(eri_names *names, const char *text);

#endif
