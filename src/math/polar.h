/// @file
/// Private half of the math room: the rigid part of an affine transform.
#ifndef ERI_MATH_POLAR_H
#define ERI_MATH_POLAR_H

#include <eigenrig/math.h>

/// How far the linear part is from a rotation times one scale.
typedef struct eri_stretch {
    double scale;      ///< cube root of |det|
    double anisotropy; ///< largest over smallest column length of the stretch, less 1; 0 when uniform
    double shear;      ///< largest off-diagonal entry of the stretch over its largest entry
    bool mirrored;     ///< det < 0
    bool singular;     ///< the rotation could not be told; it is `fallback`
} eri_stretch;

/// The rotation nearest to a linear map: the orthogonal factor of M = Q S (of -M when mirrored), by Newton's iteration
/// Q <- (Q + Q'^-1) / 2 (Higham 1986).
/// @param stretch  written; may be NULL
er_quat eri_polar_rotation(er_mat3 m, er_quat fallback, eri_stretch *stretch);

#endif
