/// @file
/// What a model that is simulated meets: the ground, and its own parts.
#ifndef ER_APP_PROJECT_GROUND_H
#define ER_APP_PROJECT_GROUND_H

#include "app/project/simulate.h"

/// Shapes of a world of a model; owned.
typedef struct project_ground {
    er_rig_shapes *bodies; ///< of the model's bodies
    er_surface *statics;   ///< meshes of a scene; NULL without
    er_world_shape *shape; ///< [shape_count], for er_world_def
    int shape_count;
} project_ground;

/// Whether anything is to be met.
bool project_meets(const project_simulation_def *def);

/// Makes the shapes of a model and of what it falls on.
/// @param pose  [body_count], where it begins, before it is raised
/// @param up    world, unit
/// @param out   for project_ground_clear(), whatever the result
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (no body has a shape), ER_ERROR_FORMAT (a scene without triangles),
///          ER_ERROR_MEMORY, and as er_import_file()
er_result project_ground_make(er_context *context, const er_model *model, const er_rig *rig,
                              const project_simulation_def *def, const er_pose *pose, er_vec3 up,
                              const project_listener *listener, project_ground *out);

/// Gives them to a world's definition, which borrows them.
void project_ground_give(const project_ground *ground, const project_simulation_def *def, er_world_def *world);

void project_ground_clear(project_ground *ground); ///< all zeros are fine

#endif
