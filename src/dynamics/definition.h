/// @file
/// Checks what a world is made of.
#ifndef ERI_DYNAMICS_DEFINITION_H
#define ERI_DYNAMICS_DEFINITION_H

#include <math.h>

#include <eigenrig/dynamics.h>

/// Errors   ER_ERROR_ARGUMENT, which names the field
er_result eri_world_def_check(er_context *context, const er_world_def *def);

/// Whether a number is one that a world computes with: finite, and small enough that products are.
static inline bool eri_is_number(double x)
{
    return fabs(x) <= 1e50;
}

#endif
