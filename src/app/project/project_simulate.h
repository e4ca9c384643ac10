/// @file
/// Models and worlds in full dynamics, frame by frame: what `simulate` and scripts do alike.
#ifndef ERI_APP_PROJECT_PROJECT_SIMULATE_H
#define ERI_APP_PROJECT_PROJECT_SIMULATE_H

#include <eigenrig/dynamics.h>
#include <eigenrig/plots.h>
#include <eigenrig/rig.h>
#include <eigenrig/worlds.h>

#include "app/project/project_ground.h"
#include "app/project/project_motion.h"

enum { PROJECT_MOST_PUSHES = 64 };

/// What to simulate. Take project_default_simulation_def(), then change fields.
typedef struct project_simulation_def {
    double duration;  ///< s, > 0, at most 1e5; 0: a world file's own, else 5                                   [0]
    double fps;       ///< frames a second, > 0, at most 1e5; 0: a world file's own, else 60                    [0]
    double gravity;   ///< m/s^2, downwards; negative: a world file's own, else 9.81                            [-1]
    const char *from; ///< of a model: CLIP@S or a pose file, where it begins; NULL: its equilibrium            [NULL]
    const char *hold; ///< of a model: PATTERN,... of bodies that follow the clip of `from`, or stay; NULL: none [NULL]
    int push_count;
    const char *push[PROJECT_MOST_PUSHES]; ///< JOINT:NS@S or JOINT:X,Y,Z@S: blows on the bodies that joints lead to
    er_dynamics_route route;               ///<                                                   [ER_ROUTE_REDUCED]
    er_integrator integrator;  ///< ER_INTEGRATE_FEHLBERG ...                         [ER_INTEGRATE_FEHLBERG]
    double tolerance;          ///< as er_world_def's; 0: a world file's own, else its default      [0]
    bool limits;               ///< er_world_def.enforce_limits                                     [false]
    project_ground_def ground; ///< of a model: what it meets [project_default_ground_def()]
} project_simulation_def;

project_simulation_def project_default_simulation_def(void);

/// Their words for people, in the enums' order, ended by NULL.
extern const char *const project_routes[], *const project_integrators[];

/// What came of it.
typedef struct project_simulation {
    er_model *damped;       ///< owned: the model with dampers in place of a damping ratio; NULL where it had none
    er_world_frames frames; ///< of that model, or of the one given; owned
    er_world_report report; ///< all frames together
    double fps;             ///< of the frames
    bool stopped;           ///< the progress ended it: frames are those that were finished
} project_simulation;

/// Where its gravity is said to pull from: the scene's way up; y without one.
er_vec3 project_up(const er_rig *rig);

/// The damping ratio that a model is simulated with, for project_damp(): its own, which has no law of forces; 1 where
/// it meets something and has springs without any damper, or nothing would come to rest.
double project_damping(const er_model *model, const project_ground_def *ground);

/// A copy of a model without a damping ratio: each joint gets the damper that gives it that ratio, moving alone.
/// @param ratio  >= 0
/// @param out    ER_OK: for er_model_destroy().   Errors   as er_rig_change_model()
er_result project_damp(er_context *context, const er_model *model, double ratio, er_model **out);

/// Simulates a model. A damping ratio becomes dampers: project_damping().
/// @param model     borrowed; must outlive the result
/// @param rig       whose model it is; NULL: of a rig file
/// @param out       ER_OK: for project_simulation_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (def, its texts), and as er_world_create() and er_world_advance()
er_result project_simulate(er_context *context, const er_model *model, const er_rig *rig,
                           const project_simulation_def *def, const project_listener *listener,
                           const project_progress *progress, project_simulation *out);

/// Simulates a world file; `from` and `hold` are refused.
er_result project_simulate_world(er_context *context, const er_world_file *file, const project_simulation_def *def,
                                 const project_listener *listener, const project_progress *progress,
                                 project_simulation *out);

void project_simulation_clear(project_simulation *simulation); ///< all zeros are fine

/// Writes all there is into a folder, which is made where there is none: energy.csv, momentum.csv, bodies.csv,
/// joints.csv, reactions.csv, contacts.csv, frames.npz and energy.svg.
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result project_write_simulation(er_context *context, const project_simulation *simulation, const char *folder);

/// Records the motion as a clip.
/// @param out  ER_OK: for er_recording_destroy().   Errors   as er_poses_record()
er_result project_record_simulation(er_context *context, const project_simulation *simulation,
                                    const er_recording_target *target, const char *name, er_recording **out);

/// Writes the motion in the format that a path ends in: a clip of the target's scene, or curves of joints; .svg draws
/// the energies.
/// @param source  the file's own scene, so that a BVH keeps its channels; NULL for a rig file
/// Errors   ER_ERROR_ARGUMENT (an ending that is none), and as the writer
er_result project_write_simulated(er_context *context, const project_simulation *simulation, const er_scene *source,
                                  const er_recording_target *target, const char *path);

#endif
