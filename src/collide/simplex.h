/// @file
/// Private to `collide`: the point of a simplex that is nearest to the origin.
#ifndef ERI_COLLIDE_SIMPLEX_H
#define ERI_COLLIDE_SIMPLEX_H

#include <eigenrig/math.h>

/// Points w = a - b of the difference of two hulls.
typedef struct eri_simplex {
    int count; ///< [1, 4]
    er_vec3 w[4];
    int vertex[2][4]; ///< of A and of B
    double share[4];  ///< > 0, summing to 1: the nearest point is sum share w
    double distance;  ///< of the nearest point
    er_vec3 normal;   ///< unit, from the nearest point to the origin; zero where the origin lies inside
} eri_simplex;

/// Finds the nearest point, and drops the corners it does not need. `normal` of a triangle is its own, so that it is
/// sharp however near the origin is.
void eri_simplex_reduce(eri_simplex *simplex);

#endif
