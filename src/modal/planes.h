/// @file
/// Planes of symmetry of a rig: through its centre of mass, across the axes of the world or the principal axes of its
/// mass. Places and masses of bodies decide; joints and inertias are not compared.
#ifndef ERI_MODAL_PLANES_H
#define ERI_MODAL_PLANES_H

#include <eigenrig/model.h>

#include "base/arena.h"

typedef struct eri_planes {
    const er_model *model;
    er_vec3 axis[3]; ///< normals; those of the world if there is no plane
    int count;       ///< planes, 0 to 3
    int plane[3];    ///< indices of `axis`
    int *image[3];   ///< [body_count], of each plane: the body at the mirror image of each body
    er_vec3 *middle; ///< [body_count], centres of mass along the axes, m
    er_vec3 centre;  ///< of mass of the rig, likewise
    int *part;       ///< private: [body_count], a body of those that joints connect with it
} eri_planes;

/// Relative differences of places (over the size) and of masses that count as none.
extern const double eri_same_place, eri_same_mass;

/// Finds the planes that map the bodies onto each other, each within the bodies that joints connect it with: modes of
/// two equal characters in one file stay those of one of them.
/// @param arena  of the arrays
/// Errors  ER_ERROR_MEMORY, ER_ERROR_NO_CONVERGENCE
er_result eri_planes_find(er_context *context, er_arena *arena, const er_model *model, eri_planes *out);

/// The component of a vector along an axis, 0 to 2.
static inline double eri_component(er_vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

/// A vector of the world along the axes of the planes.
static inline er_vec3 eri_along_planes(const eri_planes *p, er_vec3 x)
{
    return er_v3(er_v3_dot(x, p->axis[0]), er_v3_dot(x, p->axis[1]), er_v3_dot(x, p->axis[2]));
}

#endif
