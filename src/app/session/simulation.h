/// @file
/// A simulation of the open model in full dynamics (dynamics.h), from the pose or the mix on screen. Frames are kept.
/// It copies what it needs of the model, so it leaves setup and undo alone and outlives changes of the session.
///
/// A worker thread makes the frames, and the caller chooses how long to wait for them. Functions are called from the
/// session's thread.
#ifndef ERI_APP_SESSION_SIMULATION_H
#define ERI_APP_SESSION_SIMULATION_H

#include <eigenrig/control.h>
#include <eigenrig/dynamics.h>
#include <eigenrig/plots.h>

#include "app/project/project_ground.h"
#include "app/session/session.h"

enum { SIMULATION_FPS = 60 }; ///< frames kept per second of simulated time

/// Forces and constraints besides the springs and dampers of the rig. Take simulation_default_def().
typedef struct simulation_def {
    double gravity;            ///< m/s^2, downwards, >= 0                                             [9.81]
    bool limits;               ///< joint limits of the model act                                     [false]
    const bool *held;          ///< [body_count], copied: bodies that forces do not move; NULL: none   [NULL]
    bool follow;               ///< true: bodies held from the start follow the mix; false: they stay  [false]
    project_ground_def ground; ///< ground and static scene; `drop` and `statics` count at the start only [none]
} simulation_def;
simulation_def simulation_default_def(void);

typedef struct simulation simulation;

/// Begins with the poses and velocities of the mix at a time, or at rest if no mode plays.
/// @param s     a session with a model open; borrowed for the call. Its context must outlive the result
/// @param time  s, into the mix
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_SYSTEM (no thread), and as project_ground_create(), er_world_create() and
///          er_world_set_state()
er_result simulation_create(session *s, const simulation_def *def, double time, simulation **out);

/// Begins a simulation in which the character walks on a plane by its own torques (control.h). It stands at first. Its
/// gravity and ground are those of the gait, nothing is held, and simulation_change() refuses.
/// @param gait  index in session_gaits()
/// Errors   ER_ERROR_ARGUMENT (no such gait, or one without feet), ER_ERROR_SYSTEM, and as er_gait_move(),
///          er_walker_create(), project_ground_create() and er_world_create()
er_result simulation_walk(session *s, int gait, simulation **out);

/// How a simulated character walks.
typedef struct simulation_walking {
    double speed;          ///< m/s, of its gait
    double turn;           ///< rad/s, the fastest
    er_walker_fall fallen; ///< by the newest frame
} simulation_walking;
/// @return whether it walks.   @param out  written then
bool simulation_walks(const simulation *sim, simulation_walking *out);
/// Where a character is to walk from the next frame on; clamped to what er_walker_go() takes.
void simulation_go(simulation *sim, er_walker_wish wish);

/// Ends the simulation and cancels the frame in work. NULL is fine.
void simulation_destroy(simulation *sim);

/// Changes settings and model from the next frame on. Newly held bodies stay where they are. simulation_error() reports
/// settings that cannot be applied; they are left out.
/// @param def  its `follow` is not read
/// Errors   ER_ERROR_ARGUMENT (other bodies or joints), ER_ERROR_MEMORY, and as project_ground_create(): nothing
///          changes then
er_result simulation_change(simulation *sim, const session *s, const simulation_def *def);

/// Pulls a point of a body towards a target, by a spring that can carry the whole rig with a stretch of a twentieth of
/// its size, and a damper that is critical for the effective mass of the point. Call it again to move the target.
/// @param body   a held body is not pulled
/// @param point  m, body frame; the first call counts until simulation_release()
/// @param to     m, world: the target
void simulation_pull(simulation *sim, int body, er_vec3 point, er_vec3 to);
void simulation_release(simulation *sim);
/// @return whether a point is pulled.   @param from,to  written: the point as shown, and its target
bool simulation_get_pull(const simulation *sim, er_vec3 *from, er_vec3 *to);

/// Advances the shown time, and makes the frames that are missing.
/// @param seconds   >= 0
/// @param patience  s, the longest wait for frames; HUGE_VAL: no limit
/// @return the seconds advanced: fewer if frames are late, 0 at the last frame after a failure
double simulation_play(simulation *sim, double seconds, double patience);

/// Shows a recorded time.   @param time  s; clamped to the recording
void simulation_show(simulation *sim, double time);

double simulation_time(const simulation *sim);   ///< s, shown
double simulation_length(const simulation *sim); ///< s recorded
/// Achieved share of the time asked of simulation_play(), over about a second: 1 if the machine keeps up.
double simulation_pace(const simulation *sim);
bool simulation_is_over(const simulation *sim); ///< no more frames will come: it failed, or is full
/// The error since the last call: one sentence, or "". Valid until the next call.
const char *simulation_error(simulation *sim);

/// The poses shown, interpolated between frames. [body_count]
const er_pose *simulation_pose(const simulation *sim);
er_world_energy simulation_energy(const simulation *sim); ///< of the frame shown
/// Contacts in the frame shown.   @param out  written: the first, valid until another frame is shown
/// @return how many
int simulation_contacts(const simulation *sim, const er_frame_contact **out);
/// The island of a body in the frame shown (er_world_islands()); -1: none, or no contacts.
/// @param asleep  written: whether the body sleeps
int simulation_island(const simulation *sim, int body, bool *asleep);
/// The height of the floor, m along up.   @return whether the next frame has one
bool simulation_floor(const simulation *sim, double *height);
/// The static scene, owned by the simulation; NULL: none.
/// @param turn  written if there is one: rotation from its axes to the world's
const er_scene *simulation_scene(const simulation *sim, er_quat *turn);
/// Kinetic, potential and elastic energy over the recording, J.
/// @param curve  [3][count], written; the potential energy starts at its lowest value
/// @return false while a frame is being made; nothing is written then
bool simulation_curves(simulation *sim, int count, float *curve[3]);

/// Writes the recording in the format of the path's ending, as `simulate` does.
/// @param s  the session that it was made of
/// Errors   ER_ERROR_ARGUMENT (an ending; one frame), and as the writers
er_result simulation_write(simulation *sim, const session *s, const char *path);

#endif
