/// @file
/// Private to `mass`: one surface made into a closed chain of oriented triangles, so that the winding number of every
/// point is a whole number.
///
/// Unit coordinates: x = centre + size x', the longest side of the surface's box is 1 and its centre 0.
#ifndef ERI_RIG_MASS_MASS_SOLID_H
#define ERI_RIG_MASS_MASS_SOLID_H

#include "rig/mass/mass.h"

/// A triangle of the chain.
typedef struct eri_face {
    int vertex[3];    ///< welded: equal positions have equal indices
    int skin[3];      ///< the vertices as the surface had them, for their influences
    int component;    ///< it belongs to, connected over manifold edges
    int owner;        ///< the body it belongs to wholly, or -1
    double cell_size; ///< unit coordinates, the size of cell wanted next to it
} eri_face;

/// A face prepared for distances: for a = x - corner the foot of x has the barycentric coordinates dual . a of
/// corners 1 and 2, and x has the height normal . a.
typedef struct eri_face_plane {
    er_vec3 corner, normal, dual[2];
    er_vec3 edge[3]; ///< the one opposite to each corner, on around
    double inverse_length2[3];
    float middle[3], radius; ///< a ball that holds it
    int face;
    bool thin; ///< it has edges only
} eri_face_plane;

/// A connected component of the surface, with its caps.
typedef struct eri_component {
    double volume; ///< by the divergence theorem, unit coordinates
    double area;
    int sign;         ///< -1: its faces count as flipped
    int first, count; ///< its faces without caps: eri_mass_solid.member[first .. first + count)
    int region;
} eri_component;

/// A component with its cavities, integrated by itself.
typedef struct eri_region {
    double volume; ///< by the divergence theorem, unit coordinates
    double area;
    int owner;        ///< the body it belongs to wholly, or -1
    int first, count; ///< its faces, caps among them: eri_mass_solid.order[first .. first + count)
} eri_region;

/// The chain. Vertices from the surface's vertex count on are the apexes of caps. Influences sum to 1 per vertex; those
/// of nobody go to the body index `body_count`.
typedef struct eri_mass_solid {
    er_vec3 centre; ///< metres
    double size;    ///< metres
    int vertex_count;
    er_vec3 *position; ///< [vertex_count], unit coordinates
    int *influence_start;
    int *influence_body;
    double *influence_weight;
    int face_count;
    eri_face *face; ///< the surface's own first, caps after
    int *member;    ///< faces without caps, component by component
    int component_count;
    eri_component *component; ///< [component_count]
    int *order;               ///< [face_count], faces region by region
    eri_face_plane *plane;    ///< [face_count], of faces in trees
    int region_count;
    eri_region *region; ///< [region_count]
    int body_count;
    double slope; ///< cells may be this share of their depth wide, whatever cell_size says
} eri_mass_solid;

/// Welds, drops degenerate and repeated triangles, orients each component and caps its holes.
/// *out has no faces when nothing is left.
/// Errors: ER_ERROR_MEMORY, ER_ERROR_RIG (coordinates beyond 1e50 m).
er_result eri_solid_build(er_arena *arena, const eri_skin_surface *surface, int body_count, eri_mass_solid **out);

/// Sets slope, and owner and cell_size of every face, so that each body gets an equal part of about `cells` cells along
/// the surface. Errors: ER_ERROR_MEMORY.
er_result eri_solid_grade(er_arena *arena, eri_mass_solid *solid, int cells);

/// Turns components outward: all, where the signed volume is negative; then each component that is negative and not a
/// cavity. Then gathers them in regions. Owners of faces are set.   Errors: ER_ERROR_MEMORY.
er_result eri_solid_orient(er_arena *arena, eri_mass_solid *solid);

/// Exact moments of a region about the origin, in unit coordinates and for density 1, each place as often as it winds:
/// what backs wind counts negative.
eri_mass eri_region_moments(const eri_mass_solid *solid, const eri_region *region);

/// A volume that the integral of |w| over a region cannot exceed. Where it is no more than the region's own volume, no
/// place winds backwards.
double eri_region_most(const eri_mass_solid *solid, const eri_region *region);

static inline double eri_axis(er_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

#endif
