/// @file
/// Room `rig`, mass: mass, centre of mass and inertia of bodies from the surface that covers them, or from capsules.
///
/// A point inside a component of the surface belongs to the bodies that the nearest point of that component is skinned
/// to, in the proportion of the skin weights there:  m_b = density * sum over components of integral |w(x)|
/// weight_b(nearest(x)) dx,  w the component's winding number. Components of one body have closed forms; others are
/// sampled by cuboids of positive mass. So every inertia is positive definite and physically possible.
#ifndef ERI_RIG_MASS_MASS_H
#define ERI_RIG_MASS_MASS_H

#include <eigenrig/math.h>

#include "base/arena.h"

/// One triangulated surface, in metres, world axes: all meshes that together bound one solid (all primitives of a
/// node).
typedef struct eri_skin_surface {
    int vertex_count;
    const double *position; ///< [3 vertex_count], finite
    int triangle_count;
    const int *index;           ///< [3 triangle_count]
    const int *influence_start; ///< [vertex_count + 1]
    const int *influence_body;  ///< body indices in [0, body_count)
    const double
        *influence_weight; ///< > 0, summing to 1 per vertex; a vertex without influences gives its mass to nobody
} eri_skin_surface;

static inline er_vec3 eri_surface_point(const eri_skin_surface *surface, int vertex)
{
    const double *p = surface->position + 3 * (size_t)vertex;
    return er_v3(p[0], p[1], p[2]);
}

/// Mass properties in world axes, about the world's origin, so that they add up.
typedef struct eri_mass {
    double mass;    ///< kg, >= 0
    er_vec3 moment; ///< mass x centre, kg m
    er_mat3 second; ///< sum of m x x', kg m^2
} eri_mass;

/// Facts about the surfaces.
typedef struct eri_mass_info {
    double volume;     ///< m^3 that was given to bodies
    int closed_count;  ///< surfaces that close after welding positions equal to 1e-6 of the surface's size
    int open_count;    ///< surfaces whose holes were capped; those that bound nothing count in neither
    double open_share; ///< [0, 1], volume of the open surfaces over all
    double cap_share;  ///< [0, 1], what caps are of a surface's area, the mean by volume
} eri_mass_info;

/// Adds each body's share of the solids.
/// @param surface  [surface_count], borrowed; index and influence arrays are trusted to keep their ranges
/// @param density  kg/m^3, > 0
/// @param mass     [body_count], added to; on failure it may hold the shares of some surfaces
/// @param info     written
/// The shares of a surface, those of vertices without influences included, sum to density x its volume by the
/// divergence theorem, to rounding, as long as no region winds backwards; overlapping components count each. A triangle
/// that is given twice counts once. Inconsistent faces are flipped; a component oriented inward inside another is
/// a cavity. Holes are capped by a fan over each boundary loop. A component that bounds nothing (volume below 1e-6
/// area^1.5) adds nothing. A body with less than 1e-9 of a surface's volume gets exactly nothing of it. How the shares
/// are measured, and how exactly: docs/math/mass.md. Errors   ER_ERROR_MEMORY, ER_ERROR_RIG (a position beyond 1e50 m).
/// Memory   scratch.   Threads: one call per context at a time. Deterministic.
er_result eri_mass_from_surfaces(er_context *context, int surface_count, const eri_skin_surface *surface,
                                 int body_count, double density, eri_mass *mass, eri_mass_info *info);

/// Adds a solid capsule from a to b; a ball where they are equal.   @param radius m, > 0   @param density kg/m^3, > 0
void eri_mass_add_capsule(eri_mass *mass, er_vec3 a, er_vec3 b, double radius, double density);

/// Centre and inertia about it. mass must be > 0.
void eri_mass_centre(const eri_mass *mass, er_vec3 *centre, er_mat3 *inertia);

#endif
