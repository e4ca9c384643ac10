/// @file
/// Bodies and nodes that stay in place while a mix plays: feet, hands and others, by name.
#ifndef ERI_APP_PROJECT_PROJECT_PLANT_H
#define ERI_APP_PROJECT_PROJECT_PLANT_H

#include <eigenrig/gait.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// Bodies that are planted. All zeros: none.
typedef struct project_plants {
    int count;
    er_hold *hold; ///< [count], owned
    char *names;   ///< the names that found them, owned; NULL: nothing was planted
} project_plants;

/// Finds them. A foot without ankle turns about its sole. Another body with fewer than seven freedoms above it turns
/// about its tip; with more it keeps its pose. If a foot has its leg and its sole on separate branches, both are
/// planted. The toes of a flat foot are planted too.
/// @param rig    NULL for a rig file
/// @param names  patterns of bodies and nodes, separated by commas; "feet": the feet of gaits, unless a body or node
///               has this name; "", "none" and NULL for nothing
/// @param gait   how feet are read; NULL: the defaults
/// @param out    ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (a pattern without a match: suggests the nearest name; a node without a body; "feet" of a
///          rig that has none; every body), ER_ERROR_MEMORY
er_result project_find_plants(er_context *context, const er_model *model, const er_rig *rig, const char *names,
                              const er_gait_def *gait, project_plants *out);
/// Adds hips (and other trunks of planted feet) that sit in a clip: below 0.7 of their height over the soles as the rig
/// stands, at the clip's end or for half of it. A mix over the clip then leaves them where the clip has them.
/// @param over    the clip; NULL: none, and nothing is added
/// @param plants  of project_find_plants(); changed
/// Errors   ER_ERROR_MEMORY
er_result project_plant_seats(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *gait,
                              const er_clip *over, project_plants *plants);

void project_plants_clear(project_plants *plants); ///< all zeros are fine

#endif
