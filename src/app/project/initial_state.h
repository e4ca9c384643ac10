/// @file
/// The initial state of a simulation, its held bodies and its pushes.
#ifndef ERI_APP_PROJECT_INITIAL_STATE_H
#define ERI_APP_PROJECT_INITIAL_STATE_H

#include "app/project/project_simulate.h"

/// The initial state; all of it is owned.
typedef struct project_initial_state {
    double *x, *rate;     ///< displacement as er_kinematics takes it, and per second; NULL: the equilibrium, at rest
    bool *held;           ///< [body_count]; NULL: none
    er_trajectory *track; ///< of all bodies; held bodies follow it, and springs may rest
                          ///< there; NULL: they stay
    double period;        ///< s, the duration of the clip; 0: none
} project_initial_state;

/// Reads `from`, `hold` and `rest`.
/// @param rig  NULL: of a rig file, which has no clips
/// @param out  for project_initial_state_clear(), whatever the result
/// Errors   ER_ERROR_ARGUMENT (no such clip, time, pose or bodies), ER_ERROR_MEMORY
er_result project_initial_state_read(er_context *context, const er_model *model, const er_rig *rig,
                                     const project_simulation_def *def, double duration,
                                     const project_listener *listener, project_initial_state *out);
void project_initial_state_clear(project_initial_state *start); ///< all zeros are fine

/// An impulse on a body.
typedef struct project_impulse {
    double time; ///< s
    int body;
    er_vec3 point;   ///< m, body frame
    er_vec3 impulse; ///< N s, world
} project_impulse;

/// Reads a push: JOINT:NS@S, along `forward`, or JOINT:X,Y,Z@S. It acts at the centre of mass of the joint's child.
/// Errors   ER_ERROR_ARGUMENT
er_result project_impulse_read(er_context *context, const er_model *model, er_vec3 forward, const char *text,
                               project_impulse *out);

#endif
