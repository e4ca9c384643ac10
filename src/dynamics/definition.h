/// @file
/// Checks what a world is made of.
#ifndef ER_DYNAMICS_DEFINITION_H
#define ER_DYNAMICS_DEFINITION_H

#include <eigenrig/dynamics.h>

/// Errors   ER_ERROR_ARGUMENT, which names the field
er_result er_world_def_check(er_context *context, const er_world_def *def);

/// Whether a number is one that a world computes with: finite, and small enough that products are.
bool er_is_number(double x);

#endif
