/// @file
/// A surrogate of exact poses: polynomials of third order in the modes' amplitudes give the paths of the feet, and from
/// these the strides of eight mixes at a time. It is fast enough to sample every mix of three modes.
#ifndef ERI_GAIT_SEARCH_SURROGATE_H
#define ERI_GAIT_SEARCH_SURROGATE_H

#include "gait/stride.h"

enum { ERI_GAIT_PHASES = 8 }; ///< of a component that are sampled; one per lane

// --- path_polynomials.c

/// Paths of feet and trunk as polynomials in the modes' amplitudes s, rad. The value of a row is
///   rest + sum s_a first_a + sum s_a s_b second_ab + sum s_a s_a s_b third_ab + sum s_a s_b s_c mixed_abc
/// with the second sum over a <= b, the third over all a and b, and the last over a < b < c. The rows are: forward of
/// every foot; left of every foot; height of every tip above the ground; roll, pitch and yaw of every trunk body.
typedef struct eri_path_polynomials {
    int modes, feet, tips, trunks, rows;
    int *foot_of;  ///< [tips]; a flat foot has one tip, its heel; others have one per corner of the sole
    int *corner;   ///< [tips], -1 for a heel
    float *rest;   ///< [rows]
    float *first;  ///< [modes x rows]
    float *second; ///< [modes x modes x rows], symmetric in the modes
    float *third;  ///< [modes x modes x rows]
    float *mixed;  ///< [modes x modes x modes x rows], symmetric in the modes
} eri_path_polynomials;

/// Fits the polynomials to exact poses of one, two and three modes at amplitudes of +-ERI_GAIT_FIT.
/// Errors  ER_ERROR_MEMORY
#define ERI_GAIT_FIT 0.25 // rad
er_result eri_path_polynomials_create(er_arena *arena, eri_mix_sampler *w, eri_path_polynomials *out);

// --- pattern.c

/// Mixes of ERI_GAIT_MAX_COMPONENTS modes for many feet: alternating sets, and waves along each side.
/// @param out  in `arena`   Errors: ER_ERROR_MEMORY
er_result eri_pattern_mixes(er_arena *arena, const eri_path_polynomials *polynomials, const er_gait_body *body,
                            eri_gait_mix **out, int *count);

// --- surrogate.c

/// The surrogate of one thread.
typedef struct eri_surrogate eri_surrogate;

/// @param polynomials  must outlive the surrogate
/// @param coarsely     with half of ERI_GAIT_FRAMES   Errors: ER_ERROR_MEMORY
er_result eri_surrogate_create(er_arena *arena, const eri_path_polynomials *polynomials, const er_gait_body *body,
                               bool coarsely, eri_surrogate **out);

/// Sets the first one or two components of the mixes to sample, then the mode of the last one.   No allocation.
void eri_surrogate_set_first(eri_surrogate *s, int count, const eri_gait_component *component);
void eri_surrogate_set_last(eri_surrogate *s, int mode, int harmonic);

/// Samples strides with the last mode at amplitude `angle` and phase k / ERI_GAIT_PHASES of a turn. Sets all but
/// own_hz, effort and angle; a length of 0 means no gait. A mix that goes backward is reversed in time, as by
/// eri_gait_evaluate().   No allocation.
void eri_surrogate_sample(eri_surrogate *s, double angle, eri_stride out[ERI_GAIT_PHASES]);

#endif
