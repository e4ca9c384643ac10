/// @file
/// Which bodies joints tie: their shapes do not meet.
#ifndef ER_DYNAMICS_TIED_H
#define ER_DYNAMICS_TIED_H

#include <eigenrig/model.h>

#include "base/arena.h"

/// Two bodies, the lesser first.
typedef struct er_tied_pair {
    int a, b;
} er_tied_pair;

typedef struct er_tied {
    int count;
    er_tied_pair *pair; ///< [count], ascending
} er_tied;

/// Bodies that a joint ties touch at it; the world is everywhere, and only what is fixed to it does not meet it.
/// Errors   ER_ERROR_MEMORY
er_result er_tied_create(er_arena *arena, const er_model *model, er_tied *out);

/// Whether a joint ties two bodies; -1 for the world.
bool er_tied_has(const er_tied *tied, int a, int b);

#endif
