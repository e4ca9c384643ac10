/// @file
/// Where a simulation of a model begins, which bodies are led, and what pushes them.
#ifndef ERI_APP_PROJECT_START_H
#define ERI_APP_PROJECT_START_H

#include "app/project/project_simulate.h"

/// Where it begins; owned.
typedef struct project_start {
    double *x, *rate;     ///< displacement as er_kinematics takes it, and per second; NULL: the equilibrium, at rest
    bool *held;           ///< [body_count]; NULL: none
    er_trajectory *track; ///< of all bodies, that the held ones follow; NULL: they stay
} project_start;

/// Reads `from` and `hold`.
/// @param rig  NULL: of a rig file, which has no clips
/// @param out  for project_start_clear(), whatever the result
/// Errors   ER_ERROR_ARGUMENT (a clip, a time, a pose or bodies that there are not), ER_ERROR_MEMORY
er_result project_start_read(er_context *context, const er_model *model, const er_rig *rig,
                             const project_simulation_def *def, double duration, const project_listener *listener,
                             project_start *out);
void project_start_clear(project_start *start); ///< all zeros are fine

/// A blow.
typedef struct project_push {
    double time;     ///< s
    int body;        ///< that is hit
    er_vec3 point;   ///< m, body frame
    er_vec3 impulse; ///< N s, world
} project_push;

/// Reads a push: JOINT:NS@S, along the way `forward`, or JOINT:X,Y,Z@S. It hits the body that the joint leads to, at
/// the joint's far end: its centre of mass. Errors   ER_ERROR_ARGUMENT
er_result project_push_read(er_context *context, const er_model *model, er_vec3 forward, const char *text,
                            project_push *out);

#endif
