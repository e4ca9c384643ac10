/// @file
/// Contacts of the steps between two frames, with the sums of their impulses.
#ifndef ERI_APP_PROJECT_CONTACT_SUMS_H
#define ERI_APP_PROJECT_CONTACT_SUMS_H

#include <eigenrig/dynamics.h>
#include <eigenrig/plots.h>

/// A contact point. It is the same from step to step if its shapes are, and the point moves little.
typedef struct project_contact_sum {
    er_frame_contact contact; ///< as last seen; its force is the impulse so far, N s
    int shape[2];
    bool taken; ///< work space
} project_contact_sum;

/// All zeros: none.
typedef struct project_contact_sums {
    project_contact_sum *sum;  ///< [count], sorted by shapes
    project_contact_sum *next; ///< [room], work space
    int count, room;
    double seconds; ///< the length of the steps so far
} project_contact_sums;

/// Adds the contacts of a world's last step that press or overlap.
/// @param shape    of the world, as in its definition
/// @param seconds  the length of the step
/// Errors   ER_ERROR_MEMORY
er_result project_contact_sums_add(er_context *context, const er_world *world, const er_model *model,
                                   const er_world_shape *shape, double seconds, project_contact_sums *sums);

/// Advances a world with ER_INTEGRATE_CONTACT in the steps that er_world_advance() would take, and adds each.
/// @param longest  er_world_def.max_step   @param report  of all steps; NULL: not asked for
/// Errors   as er_world_advance(); ER_ERROR_MEMORY
er_result project_contact_sums_advance(er_context *context, er_world *world, const er_model *model,
                                       const er_world_shape *shape, double longest, double until,
                                       er_world_report *report, project_contact_sums *sums);

/// Forgets all, for the next frame.
void project_contact_sums_restart(project_contact_sums *sums);

void project_contact_sums_clear(project_contact_sums *sums); ///< frees

#endif
