/// @file
/// Private: energies and parity of modes, eight modes at a time.
#ifndef ERI_IDENTITY_MODE_SUMS_H
#define ERI_IDENTITY_MODE_SUMS_H

#include <eigenrig/identity.h>

#include "base/arena.h"
#include "base/lanes.h"

/// A body in the model's axes.
typedef struct eri_summed_body {
    er_vec3 middle; ///< centre of mass
    er_vec3 com;    ///< the same in the body's own axes
    er_mat3 axes;   ///< of the body frame
    er_mat3 inertia;
    double mass;
    int group, image; ///< its er_region_group; its twin, -1 for none
} eri_summed_body;

/// A model's part in the sums, and work space.
typedef struct eri_mode_sums {
    int body_count, coordinate_count, group_count;
    er_vec3 normal;               ///< of the mirror
    const eri_summed_body *body;  ///< [body_count]
    const int *group;             ///< [coordinate_count], the group that a spring belongs to
    const double *stiffness;      ///< [coordinate_count]
    double *columns;              ///< [8 x the larger of 6 body_count and coordinate_count]
    eri_lanes *panel;             ///< [the larger of 6 body_count and coordinate_count]
    eri_lanes *strain, *motion;   ///< [group_count], written by eri_mode_sums_read(): energies of springs and bodies
    eri_lanes *parity;            ///< [1], likewise: er_mode_parity()
    eri_lanes *whole_strain, *whole_motion; ///< [1], likewise: over all groups
} eri_mode_sums;

/// @param group  [joint_count], of each joint
/// Errors: ER_ERROR_MEMORY.
er_result eri_mode_sums_create(er_arena *arena, const er_model *model, const er_regions *regions, const int *group,
                               eri_mode_sums *out);

/// Sums over modes [0, count), count at most ERI_LANE_COUNT.
void eri_mode_sums_read(eri_mode_sums *s, const er_mode *mode, int count);

#endif
