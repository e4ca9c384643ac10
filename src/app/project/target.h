/// @file
/// What is shown and what clips move: a model's own scene, or bone shapes where it shows nothing.
#ifndef ERI_APP_PROJECT_TARGET_H
#define ERI_APP_PROJECT_TARGET_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

typedef struct project_target {
    er_recording_target target;
    er_scene *bones;  ///< owned; NULL where the model has meshes
    er_affine *world; ///< owned, for a rig file, or what stands still
    int *body;        ///< owned, for what stands still
    er_scene *part;   ///< owned, but all that it points to: a scene of some meshes
} project_target;

/// Sets it.
/// @param model  the rig's; both must outlive the target
/// @param rig    NULL for a rig file
/// @param out    ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_MEMORY
er_result project_target_set(er_context *context, const er_model *model, const er_rig *rig, project_target *out);

/// Sets it to a scene that stands as it is: all of it goes with one body.
/// @param scene  must outlive the target
/// @param out    ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_MEMORY
er_result project_target_set_static(er_context *context, const er_scene *scene, project_target *out);

/// Leaves of what it shows the meshes that are named, or whose nodes are.
/// @param names  patterns with * and ?, commas between; NULL leaves all
/// Errors   ER_ERROR_ARGUMENT (a pattern that no mesh is like), ER_ERROR_MEMORY
er_result project_target_filter(er_context *context, const char *names, project_target *target);

/// Frees what it owns; all zeros are fine.
void project_target_clear(project_target *target);

#endif
