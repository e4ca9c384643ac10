/// @file
/// Models and worlds in full dynamics, frame by frame: for `simulate` and scripts.
#ifndef ERI_APP_PROJECT_PROJECT_SIMULATE_H
#define ERI_APP_PROJECT_PROJECT_SIMULATE_H

#include <eigenrig/dynamics.h>
#include <eigenrig/plots.h>
#include <eigenrig/rig.h>
#include <eigenrig/worlds.h>

#include "app/project/project_ground.h"
#include "app/project/project_motion.h"

enum { PROJECT_MOST_PUSHES = 64 };

/// Where springs rest: in the equilibrium pose, or where a clip has them.
enum { PROJECT_REST_POSE, PROJECT_REST_CLIP };

/// Options of a simulation. Take project_default_simulation_def(), then change fields.
typedef struct project_simulation_def {
    double duration;  ///< s, > 0, at most 1e5; 0: a world file's own, else 5                                   [0]
    double fps;       ///< frames a second, > 0, at most 1e5; 0: a world file's own, else 60                    [0]
    double gravity;   ///< m/s^2, downwards; negative: a world file's own, else 9.81                            [-1]
    const char *from; ///< of a model: CLIP@S or a pose file as the initial state; NULL: its equilibrium        [NULL]
    /// of a model: bodies that follow the clip of `from`, or stay: patterns, and parts of the body where no pattern
    /// matches; NULL: none [NULL]
    const char *hold;
    int rest;  ///< PROJECT_REST_CLIP: of a model with `from`, joint springs rest where its clip has the joints
               ///< [PROJECT_REST_POSE]
    bool loop; ///< of a model with `from` and `hold`: cycles of the clip, until one ends as it began; the frames are
               ///< those of the last one. Warns if none does within 100                                      [false]
    int push_count;
    const char *push[PROJECT_MOST_PUSHES]; ///< JOINT:NS@S or JOINT:X,Y,Z@S: impulses on the joints' child bodies
    er_dynamics_route route;               ///<                                                   [ER_ROUTE_REDUCED]
    er_integrator integrator;           ///< ER_INTEGRATE_FEHLBERG ...                         [ER_INTEGRATE_FEHLBERG]
    bool route_given, integrator_given; ///< a world file's own gives way even to the defaults      [false]
    double tolerance;                   ///< as er_world_def's; 0: a world file's own, else its default      [0]
    bool limits;                        ///< er_world_def.enforce_limits                                     [false]
    project_ground_def ground;          ///< of a model: its contacts [project_default_ground_def()]
    bool keeps_part;                    ///< a run that fails after some frames gives them, and says why       [false]
} project_simulation_def;

project_simulation_def project_default_simulation_def(void);

/// The names of routes and integrators for people, in the enums' order, ended by NULL.
extern const char *const project_routes[], *const project_integrators[], *const project_rests[];

/// The result of a simulation.
typedef struct project_simulation {
    er_model *damped;           ///< owned: the model with dampers in place of a damping ratio; NULL: not needed
    er_follow_springs *springs; ///< owned: of springs that rest in a clip, whose energy counts as work; NULL: none
    er_world_frames frames;     ///< of that model, or of the one given; owned
    er_world_report report;     ///< sum over all frames
    double fps;                 ///< of the frames
    int cycles;                 ///< of a loop, that were run
    bool periodic;              ///< of a loop: the last cycle ends as it began
    bool stopped;               ///< the progress ended it: only finished frames are there
    er_result failure;          ///< not ER_OK: it failed then, and def.keeps_part kept the frames before
    char reason[512];           ///< the message of the failure
} project_simulation;

/// The up axis, opposite to gravity: the scene's; y without a scene.
er_vec3 project_up(const er_rig *rig);

/// The damping ratio for project_damp(): the model's own. A model with contacts and springs but without dampers gets 1,
/// so that it comes to rest.
double project_damping(const er_model *model, const project_ground_def *ground);

/// A copy of a model without a damping ratio: each joint gets the damper that gives it that ratio, moving alone.
/// @param ratio  >= 0
/// @param out    ER_OK: for er_model_destroy().   Errors   as er_rig_change_model()
er_result project_damp(er_context *context, const er_model *model, double ratio, er_model **out);

/// Simulates a model. A damping ratio becomes dampers: project_damping().
/// @param model     borrowed; must outlive the result
/// @param rig       the model's rig; NULL: of a rig file
/// @param out       ER_OK: for project_simulation_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (def, its texts), and as er_world_create() and er_world_advance()
er_result project_simulate(er_context *context, const er_model *model, const er_rig *rig,
                           const project_simulation_def *def, const project_listener *listener,
                           const project_progress *progress, project_simulation *out);

/// A world with the options of a simulation in place of its own settings. It borrows all else from `file`.
er_world_file project_change_world(const er_world_file *file, const project_simulation_def *def);

/// Simulates a world file; `from` and `hold` are refused.
er_result project_simulate_world(er_context *context, const er_world_file *file, const project_simulation_def *def,
                                 const project_listener *listener, const project_progress *progress,
                                 project_simulation *out);

void project_simulation_clear(project_simulation *simulation); ///< all zeros are fine

/// Writes all results into a folder, all or none, and creates it if needed: energy.csv, momentum.csv, bodies.csv,
/// joints.csv, reactions.csv, contacts.csv, frames.npz and energy.svg. Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result project_write_simulation(er_context *context, const project_simulation *simulation, const char *folder);

/// The formats that only worlds have, by the ending of a path.
typedef enum project_world_format {
    PROJECT_WORLD_NONE,
    PROJECT_WORLD_FILE,    ///< .cfg and .json: the world at its beginning
    PROJECT_WORLD_SURFACE, ///< .sur: the triangles of all solids
    PROJECT_WORLD_FRAMES   ///< STEM.ste: a file a frame, STEM0.ste, STEM1.ste, ...
} project_world_format;

project_world_format project_find_world_format(const char *path);

/// Writes a world, changed by the options, its surfaces or its frames.
/// @param simulation  of the world; looked at for PROJECT_WORLD_FRAMES only
/// Errors   as er_world_file_write(), er_world_file_write_surface() and er_world_file_write_frame(); ER_ERROR_ARGUMENT
///          (another ending)
er_result project_write_world(er_context *context, const er_world_file *file, const project_simulation_def *def,
                              const project_simulation *simulation, const char *path);

/// Records the motion as a clip.
/// @param out  ER_OK: for er_recording_destroy().   Errors   as er_poses_record()
er_result project_record_simulation(er_context *context, const project_simulation *simulation,
                                    const er_recording_target *target, const char *name, er_recording **out);

/// Writes the motion in the format of the path's ending: a clip of the target's scene, or curves of joints. A path that
/// ends in .svg gets a drawing of the energies.
/// @param source  the file's own scene, so that a BVH keeps its channels; NULL for a rig file
/// Errors   ER_ERROR_ARGUMENT (an unknown ending), and as the writer
er_result project_write_simulated(er_context *context, const project_simulation *simulation, const er_scene *source,
                                  const er_recording_target *target, const char *path);

#endif
