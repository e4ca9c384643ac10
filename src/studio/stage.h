/// @file
/// What is shown and what clips move: a model's own scene, or bone shapes where it shows nothing.
#ifndef ER_STUDIO_STAGE_H
#define ER_STUDIO_STAGE_H

#include <eigenrig/rig.h>
#include <eigenrig/take.h>

typedef struct studio_stage {
    er_take_target target;
    er_scene *bones;  ///< owned; NULL where the model has meshes
    er_affine *world; ///< owned, for a rig file
} studio_stage;

/// Sets it.
/// @param model  the rig's; both must outlive the stage
/// @param rig    NULL for a rig file
/// @param out    ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_MEMORY
er_result studio_stage_set(er_context *context, const er_model *model, const er_rig *rig, studio_stage *out);

/// Frees what it owns; all zeros are fine.
void studio_stage_clear(studio_stage *stage);

#endif
