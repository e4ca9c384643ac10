/// @file
/// What the routes share: how a shape becomes a mode, and the mass metric of body twists.
#ifndef ERI_MODAL_MODE_SHAPE_H
#define ERI_MODAL_MODE_SHAPE_H

#include <math.h>

#include <eigenrig/modal.h>

/// The larger of two residuals; not a number, once one of them is.
static inline double eri_worse(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/// 1 for angles, the rig's size for lengths.
/// @param unit  [coordinate_count], written
void eri_modal_units(const er_model *model, double *unit);

/// Whether two modes count as of one frequency. Routes agree on eigenvalues to eri_same_eigenvalue, so a basis of such
/// modes is chosen. Modes within eri_near_eigenvalue turn among each other by small edits.
/// @param tolerance  one of these two, relative
bool eri_is_one_frequency(const er_mode *a, const er_mode *b, double tolerance);
extern const double eri_same_eigenvalue, eri_near_eigenvalue;

/// A free joint to the world says "free root": its coordinates may move in a rigid mode.
bool eri_joint_is_free_root(const er_joint *joint);

/// The centre of mass of a rig at equilibrium, m, in the axes of the world.
er_vec3 eri_centre_of_mass(const er_model *model);

/// Kind and frequency; joints that a rigid mode keeps still; the sign that makes the largest joint entry positive.
/// @param body   [6 body_count], the mode's shape, changed
/// @param joint  [coordinate_count], likewise
void eri_mode_finish(const er_model *model, const double *unit, er_mode_kind kind, double eigenvalue, double *body,
                     double *joint, er_mode *mode);

/// M eta, by bodies: the momenta (J_c w + c x p; p), p = m (v + w x c).
/// @param out  [6 body_count], written
void eri_mass_times(const er_model *model, const double *eta, double *out);

/// Kinetic energy is that at the centre of mass, so M = L L' by bodies with L'(w; v) = (C'w; sqrt(m) (v + w x c)) and
/// J_c = C C'. M itself would lose J_c beside m c^2 where a frame lies far from its body.
typedef struct eri_mass_factor {
    double c[3][3]; ///< C, lower triangular
    double root_mass;
    er_vec3 com;
} eri_mass_factor;

eri_mass_factor eri_mass_factor_of(const er_body *body);

/// x <- L' x and x <- L'^-1 x, six numbers.
void eri_mass_multiply_transposed(const eri_mass_factor *f, double *x);
void eri_mass_solve_transposed(const eri_mass_factor *f, double *x);

#endif
