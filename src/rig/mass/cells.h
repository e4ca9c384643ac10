/// @file
/// Private to `mass`: the quadrature.
#ifndef ERI_RIG_MASS_CELLS_H
#define ERI_RIG_MASS_CELLS_H

#include "rig/mass/face_tree.h"

#define ERI_MASS_CELLS 1500 ///< along a surface, shared by its bodies: see docs/math/mass.md for what they are worth

/// The result of the quadrature, in unit coordinates and for density 1.
typedef struct eri_cells {
    eri_mass *mass;       ///< [body_count + 1], about the origin, added to; the last is nobody's
    double volume;        ///< integral of |w|
    double signed_volume; ///< integral of w
    long count;           ///< cuboids of positive mass that it took
} eri_cells;

/// Integrates over a region of a graded and oriented solid.
/// @param tree  of the region's faces
/// Errors: ER_ERROR_MEMORY.
er_result eri_cells_integrate(er_arena *arena, const eri_face_tree *tree, const eri_region *region, eri_cells *out);

/// One surface, with about `cells` cells along it. eri_mass_from_surfaces() is this, once a
/// surface, with ERI_MASS_CELLS.
/// @param mass    [body_count], added to
/// @param volume  m^3 given to bodies
/// @param caps    [0, 1], what caps are of the area; 0 where no hole was capped
/// @param count   cuboids used
er_result eri_mass_from_surface(er_context *context, const eri_skin_surface *surface, int body_count, double density,
                                int cells, eri_mass *mass, double *volume, double *caps, long *count);

#endif
