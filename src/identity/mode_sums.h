/// @file
/// Private: sums over the bodies of modes, eight modes at a time: energies, parity, and how each region moves.
#ifndef ERI_IDENTITY_MODE_SUMS_H
#define ERI_IDENTITY_MODE_SUMS_H

#include <eigenrig/identity.h>

#include "base/arena.h"
#include "base/lanes.h"

/// The direction of a motion: of shifts for limbs, of the bend for trunks and heads.
typedef enum eri_way { ERI_WAY_AHEAD, ERI_WAY_SIDE, ERI_WAY_UP, ERI_WAY_TWIST, ERI_WAY_COUNT } eri_way;

/// A body in the model's axes.
typedef struct eri_summed_body {
    er_vec3 middle; ///< centre of mass
    er_vec3 com;    ///< the same in the body's own axes
    er_mat3 axes;   ///< of the body frame
    er_mat3 inertia;
    double mass;
    double girth; ///< m^2: of the inertia about the length of its region, over the mass
} eri_summed_body;

/// A region's part in the sums.
typedef struct eri_summed_region {
    bool floats;     ///< a trunk that no joint to the world holds: its own motion is that against a rigid body
    er_vec3 centre;  ///< of mass, if it floats
    er_mat3 inverse; ///< of its inertia about the centre, if it floats
    er_vec3 across;  ///< the axis of a bend sideways
    bool upright;    ///< a trunk or neck that stands, so that nods bend it fore and aft
} eri_summed_region;

/// Sums of eight modes over the bodies of a region.
typedef struct eri_region_sums {
    eri_lanes energy;             ///< of the motion against the body that it hangs on
    eri_lanes way[ERI_WAY_COUNT]; ///< how much of the motion is in each direction
    eri_lanes common;             ///< of the first of twins: the energy shared with the mirror image of the other
} eri_region_sums;

/// A model's part in the sums, work space, and the sums.
typedef struct eri_mode_sums {
    const er_model *model;
    const er_regions *regions;
    eri_summed_body *body;                  ///< [body_count]
    const eri_summed_region *region;        ///< [count of regions]
    const int *joint_group;                 ///< [joint_count], the group that a joint belongs to
    eri_lanes *q;                           ///< [coordinate_count], of joints
    eri_lanes *v;                           ///< [6 body_count], turn and shift of centres of mass, model's axes
    eri_lanes *own;                         ///< [6 body_count], the same against the body that the region hangs on
    eri_region_sums *of_region;             ///< [count of regions]
    eri_lanes *strain, *motion;             ///< [group_count], energies of springs and bodies
    eri_lanes *parity;                      ///< [1], er_mode_parity()
    eri_lanes *whole_strain, *whole_motion; ///< [1], over all groups
} eri_mode_sums;

/// Errors: ER_ERROR_MEMORY.
er_result eri_mode_sums_create(er_arena *arena, const er_model *model, const er_regions *regions, eri_mode_sums *out);

/// Sums over modes [0, count), count at most ERI_LANE_COUNT.
void eri_mode_sums_read(eri_mode_sums *s, const er_mode *mode, int count);

/// Whether bends of a region are seen, and not shifts of its bodies.
bool eri_is_seen_to_bend(er_region_kind kind);

/// Forward, left or up.
er_vec3 eri_frame_axis(const er_regions *regions, eri_way way);

#endif
