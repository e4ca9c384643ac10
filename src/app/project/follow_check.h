/// @file
/// Follow-through beside full dynamics of the same springs.
#ifndef ERI_APP_PROJECT_FOLLOW_CHECK_H
#define ERI_APP_PROJECT_FOLLOW_CHECK_H

#include <eigenrig/motion.h>

/// The difference of a loose part from full dynamics.
typedef struct project_follow_off {
    double angle;  ///< rad, the largest of a joint at 24 instants or more of the clip
    double gap;    ///< the farthest that the clip takes a joint of loose bodies apart, over the model's size; full
                   ///< dynamics keep joints together, so such parts are led elsewhere
    bool periodic; ///< the run repeated at its end; false of a clip that does not loop
} project_follow_off;

/// Runs the rig in full dynamics (er_world, tolerance 1e-7): bodies that are not loose follow the trajectory, and the
/// loose ones move by er_follow_springs. A motion that repeats is run from where the clip has the parts, cycle after
/// cycle, until one differs from the one before by less than 1e-4 rad, for at most 100. Another is run once, from the
/// beginning of the follow-through.
/// @param follow   an amount of 1; its displacements are compared
/// @param loose    [body_count]
/// @param def      as er_follow_create() took it
/// @param off      [part_count], written
/// @param cycles   written: cycles run
/// Errors   as er_follow_springs_create(), er_world_create() and er_world_advance()
er_result project_follow_check(er_context *context, const er_follow *follow, const er_trajectory *trajectory,
                               const bool *loose, const er_follow_def *def, project_follow_off *off, int *cycles);

#endif
