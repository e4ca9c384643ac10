/// @file
/// Names that are unique.
#ifndef ER_FBX_NAMES_H
#define ER_FBX_NAMES_H

#include "base/arena.h"

/// A set of names. Zeroed but for the arena: empty.
typedef struct er_fbx_names {
    er_arena *arena;           ///< borrowed
    struct er_fbx_name **slot; ///< [slot_count]
    size_t slot_count, used;
} er_fbx_names;

/// The name, or, where it is taken, the first of "name (2)", "name (3)", ... that is not; taken from now on.
/// NULL when there is no memory.
const char *er_fbx_take_name(er_fbx_names *names, const char *name);

#endif
