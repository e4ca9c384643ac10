/// @file
/// Contacts of a simulated model: with the ground, with a static scene, and with itself.
#ifndef ERI_APP_PROJECT_PROJECT_GROUND_H
#define ERI_APP_PROJECT_PROJECT_GROUND_H

#include <eigenrig/dynamics.h>
#include <eigenrig/rig.h>

#include "app/project/project_motion.h"

/// The contacts of a simulation. Take project_default_ground_def(), then change fields.
typedef struct project_ground_def {
    bool floor;          ///< a plane at the model's lowest point at the start                            [false]
    double drop;         ///< m, >= 0: the model starts this much higher; implies a floor without `statics`  [0]
    const char *statics; ///< a scene file whose meshes are static; NULL: none                            [NULL]
    bool self_collision; ///< bodies of the model collide with each other                                 [false]
    double friction;     ///< of all shapes, >= 0                                                         [0.8]
    double restitution;  ///< of all shapes, [0, 1]                                                       [0]
    double sleep;        ///< s, >= 0, for a person's size: an island that was slow for so long sleeps; 0: never  [0.5]
} project_ground_def;

project_ground_def project_default_ground_def(void);

/// The factor on durations and speeds of a fall relative to a person's: the root of the ratio of the sizes.
/// @param size  m
double project_fall_scale(double size);

/// Whether there is a floor.
bool project_has_floor(const project_ground_def *def);

/// Whether there are any contacts.
bool project_has_contacts(const project_ground_def *def);

/// Checks that a model can be simulated with these contacts.
/// @param holds  some of its bodies are held
/// Errors   ER_ERROR_ARGUMENT: it is dropped, but held or joined to the world
er_result project_ground_check(er_context *context, const er_model *model, bool holds, const project_ground_def *def);

/// Shapes of a world of a model; owned.
typedef struct project_ground {
    er_rig_shapes *bodies; ///< of the model's bodies
    er_surface *statics;   ///< meshes of a scene; NULL without
    er_scene *scene;       ///< the scene
    er_quat turn;          ///< of its axes to the world's
    er_vec3 up;            ///< world, unit
    double floor;          ///< m along up: the model's lowest point at the start
    er_world_shape *shape; ///< [shape_count], for er_world_def
    int shape_count;
} project_ground;

/// Makes the shapes of a model and of the static scene.
/// @param rig   NULL: of a rig file
/// @param pose  [body_count], at the start, without the drop
/// @param up    world, unit
/// @param out   for project_ground_clear(), whatever the result
/// Errors   ER_ERROR_RIG (no body has a shape), ER_ERROR_FORMAT (a scene without triangles), ER_ERROR_MEMORY, and as
///          er_import_file()
er_result project_ground_create(er_context *context, const er_model *model, const er_rig *rig,
                                const project_ground_def *def, const er_pose *pose, er_vec3 up,
                                const project_listener *listener, project_ground *out);

/// Puts the shapes into a world's definition, which borrows them until the next call.
/// @param def  `drop` and `statics` must be as when the shapes were made; other fields may differ
void project_ground_apply(project_ground *ground, const project_ground_def *def, er_world_def *world);

/// Reads the triangles of a scene file as a surface.
/// @param up   world, unit: the scene is turned so that its up is this
/// @param out  ER_OK: for er_surface_destroy(); otherwise unchanged
/// Errors   ER_ERROR_FORMAT (no triangles), ER_ERROR_MEMORY, and as er_import_file()
er_result project_read_surface(er_context *context, const char *path, er_vec3 up, er_surface **out);

void project_ground_clear(project_ground *ground); ///< all zeros are fine

#endif
