/// @file
/// Private: how a mode moves a group of regions, in the body's own frame.
#ifndef ERI_IDENTITY_GROUP_MOTION_H
#define ERI_IDENTITY_GROUP_MOTION_H

#include <eigenrig/identity.h>

#include "identity/mode_sums.h"

/// Whether sides of a group move together.
typedef enum eri_manner {
    ERI_MANNER_ALONE,
    ERI_MANNER_TOGETHER,
    ERI_MANNER_ALTERNATING,
    ERI_MANNER_BOTH ///< both sides move, and neither alike nor against each other
} eri_manner;

typedef struct eri_group_motion {
    int region; ///< the region that moves most
    eri_way way;
    bool aslant;       ///< another direction has nearly as much of the motion as `way`
    double clear;      ///< share of this way in the motion, of both directions if it is aslant, 0 to 1
    int bend;          ///< 1: all joints turn alike; one more for each change of sign along the group, up to 7
    eri_manner manner; ///< ERI_MANNER_ALONE: one region, or one side that moves much more than the other
} eri_group_motion;

/// A place along a region at which its bends are read.
typedef struct eri_bend_step {
    int body;      ///< the body that turns
    int above;     ///< the body against which it turns, if the region has no branches
    double at;     ///< ascending
    double factor; ///< of a turn against the parent
} eri_bend_step;

typedef struct eri_bend_steps {
    eri_bend_step *step; ///< [count]
    int count;
    bool branches;               ///< a trunk that is no chain
    er_vec3 axis[ERI_WAY_COUNT]; ///< that joints turn about in a way
    double *size;                ///< [ERI_WAY_COUNT x count], if it branches: roots of inertias about the axis of a way
    eri_lanes changes[ERI_WAY_COUNT]; ///< of sign along it, if it branches, of turns about the axis of a way
} eri_bend_steps;

/// Work space of a model for its modes.
typedef struct eri_motion_reader {
    const er_model *model;
    const er_regions *regions;
    eri_mode_sums sums;
    eri_bend_steps *steps; ///< [count of regions]
    double *value;         ///< [body_count], turns along a region
    eri_lanes *turn;       ///< [body_count], the same of all modes that were read
    int lane;              ///< of the mode at hand
} eri_motion_reader;

/// Errors: ER_ERROR_MEMORY.
er_result eri_motion_reader_create(er_arena *arena, const er_model *model, const er_regions *regions,
                                   eri_motion_reader *out);

/// Reads modes, at most ERI_LANE_COUNT.
void eri_motion_read(eri_motion_reader *s, const er_mode *mode, int count);

/// Takes mode `k` of those for the functions below.
/// @param share   [group_count], written: of each group in the strain; without strain in the motion against the bodies
///                that regions hang on
/// @param motion  [group_count], written: of each group in the kinetic energy
void eri_motion_choose(eri_motion_reader *s, int k, double *share, double *motion);

/// How the mode at hand moves a group.
eri_group_motion eri_motion_of_group(const eri_motion_reader *s, int group);

/// Whether two groups move the same way at the same time: 1, or against each other: -1; 0 where neither is clear.
int eri_motion_phase(const eri_motion_reader *s, int group, int other, eri_way way);

#endif
