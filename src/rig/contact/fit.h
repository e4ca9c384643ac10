/// @file
/// Private to the rig room: shapes fitted to points.
#ifndef ERI_RIG_CONTACT_FIT_H
#define ERI_RIG_CONTACT_FIT_H

#include <eigenrig/rig.h>

#include "base/arena.h"

/// The capsule (or ball) around some points if its volume is little more than that of their convex hull; else the hull
/// of at most 64 of the points.
/// @param count  >= 1
/// @param point  [count], m, finite
/// @param least  m, > 0: the least thickness
/// @param out    written: shape and pose; the hull, where there is one, is for er_hull_destroy()
/// Errors   ER_ERROR_MEMORY, and as er_hull_create() beyond its range of numbers
er_result eri_rig_fit(er_context *context, er_arena *scratch, int count, const er_vec3 *point, double least,
                      er_body_shape *out);

/// The capsule whose axis ends at two points, by as much as its radius shorter at either end, so that it begins and
/// ends there; a ball where they are near each other.
/// @param radius  m; a third of the distance counts where it is more
er_body_shape eri_rig_capsule(er_vec3 a, er_vec3 b, double radius);

#endif
