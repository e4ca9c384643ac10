/// @file
/// The ground of a simulated walk: a plane, a slope, a mesh, or heights on a grid.
#ifndef ERI_APP_PROJECT_WALK_GROUND_H
#define ERI_APP_PROJECT_WALK_GROUND_H

#include "app/project/walk.h"

/// The ground. All zeros: none.
typedef struct project_walk_ground {
    er_vec3 up, forward, left; ///< unit
    double floor;              ///< m along up, at the start
    double slope;              ///< rad
    er_surface *surface;       ///< owned; NULL: a plane
    er_shape shape;            ///< of the surface
} project_walk_ground;

/// Makes the ground of a walk.
/// @param length  m, of the body
/// @param out     for project_walk_ground_clear(), whatever the result
/// Errors   ER_ERROR_ARGUMENT (more than one of slope, terrain and heights), ER_ERROR_MEMORY, as project_read_surface()
er_result project_walk_ground_make(er_context *context, const er_gait_body *body, const project_walk_def *def,
                                   double length, project_walk_ground *out);

/// The height below a point, for er_walker_def.ground.   @param user  the ground
double project_walk_ground_height(void *user, er_vec3 at, er_vec3 *normal);

/// Puts the ground's shape into a world whose shapes are those of a model and of a floor.
void project_walk_ground_apply(const project_walk_ground *ground, project_ground *shapes, er_world_def *world);

/// Lets bodies pass through the floor that reach it in the gait, such as hands that hang low.
/// @param shapes  as the walker had them
/// @return how many shapes of the model do so
int project_walk_let_pass(const er_walker *walker, const er_rig_shapes *shapes, project_ground *ground);

void project_walk_ground_clear(project_walk_ground *ground); ///< all zeros are fine

#endif
