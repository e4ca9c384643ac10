/// @file
/// What stays where it stands while a mix plays: feet, hands, any bodies and nodes, by name.
#ifndef ERI_APP_PROJECT_PROJECT_PLANT_H
#define ERI_APP_PROJECT_PROJECT_PLANT_H

#include <eigenrig/gait.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// Bodies that are planted. All zeros: none.
typedef struct project_plants {
    int count;
    er_hold *hold; ///< [count], owned
    char *names;   ///< what they were found by, owned; NULL: nothing was planted
} project_plants;

/// Finds them. A foot without ankle, or another body at the end of fewer than seven freedoms, turns about its sole or
/// its tip; what has more of them stays altogether. Of a foot whose leg and sole hang apart, both are planted, and what
/// hangs on a flat foot, its toes, with it.
/// @param rig    NULL for a rig file
/// @param names  patterns of bodies and nodes, commas between, "feet" for those that gaits stand on where nothing is
///               called so; "", "none" and NULL for nothing
/// @param gait   how feet are read; NULL: the defaults
/// @param out    ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (a pattern that nothing is called by, with the name most like it; a node that goes with
///          no body; "feet" of a rig that has none; every body), ER_ERROR_MEMORY
er_result project_find_plants(er_context *context, const er_model *model, const er_rig *rig, const char *names,
                              const er_gait_def *gait, project_plants *out);
void project_plants_clear(project_plants *plants); ///< all zeros are fine

#endif
