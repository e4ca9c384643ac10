/// @file
/// Inverse dynamics of a model's motions: for `inverse` and scripts.
#ifndef ERI_APP_PROJECT_PROJECT_INVERSE_H
#define ERI_APP_PROJECT_PROJECT_INVERSE_H

#include <eigenrig/gait.h>
#include <eigenrig/plots.h>
#include <eigenrig/rig.h>

#include "app/project/project_motion.h"

/// Options of inverse dynamics. Take project_default_inverse_def(), then change fields. One of the first three is
/// needed.
typedef struct project_inverse_def {
    const char *clip;           ///< name or index of a clip of the model's scene                             [NULL]
    er_motion *motion;          ///< of a mix                                                                 [NULL]
    const er_gait_motion *gait; ///< as it travels, at its own frames                                         [NULL]
    double fps;                 ///< frames a second of a clip and a mix, > 0, at most 1e5                    [60]
    double cutoff;              ///< Hz, >= 0, of the low-pass that smooths the motion; 0: none               [0]
    double friction;            ///< coefficient of the ground, >= 0                                          [0.8]
    double gravity;             ///< m/s^2, >= 0; negative: as for gaits (er_gait_body)                       [-1]
    const char *plate;          ///< a CSV of measured ground forces (force_plate.h); NULL: none              [NULL]
    er_gait_def body;           ///< feet, up, forward                                       [er_default_gait_def()]
} project_inverse_def;

project_inverse_def project_default_inverse_def(void);

/// The heights and speeds at which a corner of a sole stands: height over the body's, speed over the root of 9.81 m/s^2
/// times the body's height.
#define PROJECT_STANDS_BELOW 0.05
#define PROJECT_STANDS_SLOWER 0.25

/// Forces of a motion, and what was assumed.
typedef struct project_inverse {
    er_loads loads;      ///< owned
    double fps;          ///< of the frames
    bool repeats;        ///< the motion's end meets its start
    double gravity;      ///< m/s^2
    double ground;       ///< m along up: the lowest corner of a sole in all frames
    double near, slow;   ///< m, m/s: a corner stands below and slower
    er_vec3 ground_rate; ///< m/s: the ground moves, under a clip that walks in place
    int found_feet;      ///< feet with corners
    int standing;        ///< frames with a corner that stands, or a load of the plate
    double residual;     ///< N, the largest of loads.residual's forces
    int worst;           ///< its frame
    double usual;        ///< N, root of the mean square
} project_inverse;

/// Finds the forces of a motion.
/// @param model     borrowed; must outlive the result
/// @param rig       the model's rig; NULL: of a rig file, which has no clips
/// @param out       ER_OK: for project_inverse_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (def), ER_ERROR_FILE and ER_ERROR_FORMAT (the plate), ER_ERROR_MEMORY, and as
///          er_gait_body_read(), er_motion_poses() and er_inverse_create()
er_result project_inverse_solve(er_context *context, const er_model *model, const er_rig *rig,
                                const project_inverse_def *def, const project_listener *listener, project_inverse *out);

void project_inverse_clear(project_inverse *inverse); ///< all zeros are fine

/// The endings of files of forces, NULL behind the last: .csv, .npz, .svg.
extern const char *const project_inverse_ends[];

/// Writes forces in the format that the path ends in; CSV to "-".
/// @param title  of a drawing
/// Errors   ER_ERROR_ARGUMENT (another ending), and as the writers
er_result project_inverse_write(er_context *context, const project_inverse *inverse, const char *title,
                                const char *path);

#endif
