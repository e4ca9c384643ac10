/// @file
/// Which bodies' shapes do not meet: those that joints tie, and those that a world keeps apart; what those that meet
/// have together.
#ifndef ERI_DYNAMICS_TIED_H
#define ERI_DYNAMICS_TIED_H

#include <eigenrig/dynamics.h>

#include "base/arena.h"

typedef struct eri_tied {
    int count;
    er_body_pair *pair; ///< [count], ascending
} eri_tied;

/// Bodies that a joint ties touch at it; the world is everywhere, and only what is fixed to it does not meet it.
/// Errors   ER_ERROR_MEMORY
er_result eri_tied_create(er_arena *arena, const er_world_def *def, eri_tied *out);

/// Whether two bodies are such; -1 for the world.
bool eri_tied_has(const eri_tied *tied, int a, int b);

/// What two shapes have together.
double eri_combine(er_combination rule, double a, double b);

#endif
