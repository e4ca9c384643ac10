/// @file
/// Which bodies' shapes do not collide, and how the materials of two shapes combine.
#ifndef ERI_DYNAMICS_PAIR_FILTER_H
#define ERI_DYNAMICS_PAIR_FILTER_H

#include <eigenrig/dynamics.h>

#include "base/arena.h"

/// Pairs of bodies that joints connect, and pairs that the def excludes.
typedef struct eri_pair_filter {
    int count;
    er_body_pair *pair; ///< [count], ascending
} eri_pair_filter;

/// Two bodies that a joint connects touch at the joint. A body connected to the world is
/// excluded from colliding with it only if it is fixed to it.
/// Errors   ER_ERROR_MEMORY
er_result eri_pair_filter_create(er_arena *arena, const er_world_def *def, eri_pair_filter *out);

/// Whether two bodies are excluded; -1 for the world.
bool eri_pair_filter_excludes(const eri_pair_filter *filter, int a, int b);

/// Combines the friction or the restitution of two shapes.
double eri_combine(er_combination rule, double a, double b);

#endif
