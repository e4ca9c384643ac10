/// @file
/// What a model that is simulated meets: the ground, a scene that stands still, and its own parts.
#ifndef ERI_APP_PROJECT_PROJECT_GROUND_H
#define ERI_APP_PROJECT_PROJECT_GROUND_H

#include <eigenrig/dynamics.h>
#include <eigenrig/rig.h>

#include "app/project/project_motion.h"

/// What is met. Take project_default_ground_def(), then change fields.
typedef struct project_ground_def {
    bool floor;          ///< a plane at the model's lowest point where it begins                         [false]
    double drop;         ///< m, >= 0: it begins so much higher; without `statics`, above a floor         [0]
    const char *statics; ///< a scene file whose meshes it falls on; NULL: none                           [NULL]
    bool self_collision; ///< its own parts meet each other                                               [false]
    double friction;     ///< of the model and what it meets, >= 0                                        [0.8]
    double restitution;  ///< likewise, [0, 1]                                                            [0]
    double sleep;        ///< s, >= 0, of what is as high as a person: what hangs together and has been slow for so long
                         ///< stays where it is until something stirs it; 0: never                        [0.5]
} project_ground_def;

project_ground_def project_default_ground_def(void);

/// By what all takes longer, and goes faster, than for a person as it falls: the root of the sizes' ratio.
/// @param size  m
double project_fall_scale(double size);

/// Whether there is a floor.
bool project_has_floor(const project_ground_def *def);

/// Whether anything is to be met.
bool project_has_contacts(const project_ground_def *def);

/// Whether a model can be simulated so.
/// @param holds  some of its bodies are held
/// Errors   ER_ERROR_ARGUMENT: it is dropped, and held or tied to the world
er_result project_ground_check(er_context *context, const er_model *model, bool holds, const project_ground_def *def);

/// Shapes of a world of a model; owned.
typedef struct project_ground {
    er_rig_shapes *bodies; ///< of the model's bodies
    er_surface *statics;   ///< meshes of a scene; NULL without
    er_scene *scene;       ///< the scene
    er_quat turn;          ///< of its axes to the world's
    er_vec3 up;            ///< world, unit
    double floor;          ///< m along up: the model's lowest point where it begins
    er_world_shape *shape; ///< [shape_count], for er_world_def
    int shape_count;
} project_ground;

/// Makes the shapes of a model and of what it falls on.
/// @param rig   NULL: of a rig file
/// @param pose  [body_count], where it begins, before it is raised
/// @param up    world, unit
/// @param out   for project_ground_clear(), whatever the result
/// Errors   ER_ERROR_RIG (no body has a shape), ER_ERROR_FORMAT (a scene without triangles), ER_ERROR_MEMORY, and as
///          er_import_file()
er_result project_ground_create(er_context *context, const er_model *model, const er_rig *rig,
                                const project_ground_def *def, const er_pose *pose, er_vec3 up,
                                const project_listener *listener, project_ground *out);

/// Gives them to a world's definition, which borrows them until they are given again: all but `drop` and `statics`,
/// which are those it was made with, may be others than then.
void project_ground_apply(project_ground *ground, const project_ground_def *def, er_world_def *world);

void project_ground_clear(project_ground *ground); ///< all zeros are fine

#endif
