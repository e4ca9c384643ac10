/// @file
/// Gaits in full dynamics: on the ground under gravity, joints driven towards the gait's angles.
#ifndef ERI_APP_PROJECT_WALK_H
#define ERI_APP_PROJECT_WALK_H

#include <eigenrig/gait.h>

#include "app/project/project_simulate.h"

/// How a gait is tried. Take project_default_walk_def(), then change fields.
typedef struct project_walk_def {
    double seconds;  ///< s, > 0: the longest duration; a walk ends a second after a fall                     [10]
    double fps;      ///< frames a second at least, > 0, at most 1e4                                          [60]
    double gain;     ///< > 0: factor on the rig's springs; dampers scale with its root                       [1]
    double friction; ///< of the ground, >= 0                                                                 [0.8]
} project_walk_def;

project_walk_def project_default_walk_def(void);

/// The result. The character has fallen when a body that is not a foot bears more than PROJECT_FALL_LOAD of the weight,
/// averaged over some 0.1 s (a tail may brush the ground), or when the trunk leans by more than PROJECT_FALL_LEAN from
/// the gait's. A character without feet lies and cannot fall.
typedef struct project_walk {
    project_simulation simulation; ///< its frames; owned
    double time;                   ///< s, until the fall or the end
    double distance;               ///< m, that its centre of mass moved forward until then
    bool fell;
    int touches; ///< the body that bore most when it fell; -1: the trunk leaned
    double off;  ///< rad: root mean square error of the joints' angles until then
} project_walk;

#define PROJECT_FALL_LEAN (0.25 * ER_PI)
#define PROJECT_FALL_LOAD 0.1

/// Simulates a gait. It starts on the ground in the gait's pose, with the gait's velocities. Each joint coordinate is
/// driven by its own spring and damper, whose rest follows the gait. A model without dampers gets the damping ratio 1
/// (project_damping()).
/// @param model  as the gaits had it; must outlive the result
/// @param rig    the model's rig; NULL: of a rig file
/// @param out    ER_OK: for project_walk_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (def; a gait that flies or swims), and as er_gait_move(), project_ground_create(),
///          er_world_create() and er_world_advance()
er_result project_walk_simulate(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                const er_gaits *gaits, const er_gait *gait, const project_walk_def *def,
                                project_walk *out);

/// Writes the reason for a fall: "the trunk leans", or "head bears weight".
void project_walk_explain_fall(const project_walk *walk, char *text, size_t size);

void project_walk_clear(project_walk *walk); ///< all zeros are fine

#endif
