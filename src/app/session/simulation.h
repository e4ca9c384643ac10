/// @file
/// What is open, let go: full dynamics (dynamics.h) from the pose or the mix on screen, at the pace of the clock, kept
/// frame by frame. It owns all it needs of the model, so it touches neither setup nor undo, and outlives changes.
///
/// Frames are made in a thread of its own, which the owner waits for as long as he likes, so that nothing here hangs.
/// One thread calls, the session's.
#ifndef ERI_APP_SESSION_SIMULATION_H
#define ERI_APP_SESSION_SIMULATION_H

#include <eigenrig/dynamics.h>
#include <eigenrig/plots.h>

#include "app/project/project_ground.h"
#include "app/session/session.h"

enum { SIMULATION_FPS = 60 }; ///< frames a second that are kept

/// What acts beside the springs and dampers that the rig's modes have. Take simulation_default_def().
typedef struct simulation_def {
    double gravity;            ///< m/s^2, downwards, >= 0                                             [9.81]
    bool limits;               ///< joints have the limits that the model gives                        [false]
    const bool *held;          ///< [body_count], copied: bodies that no force moves; NULL for none    [NULL]
    bool follow;               ///< bodies held from the start follow the mix, or stay where they were [false]
    project_ground_def ground; ///< what is met; its `drop` and `statics` are those of the start [nothing]
} simulation_def;
simulation_def simulation_default_def(void);

typedef struct simulation simulation;

/// Begins with the poses and velocities that the mix has at a time; at rest in silence.
/// @param s     a session with something open; borrowed for the call, its context as long as the result lives
/// @param time  s, into the mix
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_SYSTEM (no thread), and as project_ground_create(), er_world_create() and
///          er_world_set_state()
er_result simulation_create(session *s, const simulation_def *def, double time, simulation **out);

/// Ends it; what is being integrated is given up. NULL is fine.
void simulation_destroy(simulation *sim);

/// From the next frame on: other settings, and the model as the session has it now. Bodies that are held from now on
/// stay where they are. What cannot be had is said (simulation_error()) and left.
/// @param def  `follow` is that of the start
/// Errors   ER_ERROR_ARGUMENT (other bodies or joints), ER_ERROR_MEMORY, and as project_ground_create(): nothing is
///          changed
er_result simulation_change(simulation *sim, const session *s, const simulation_def *def);

/// Pulls at a point of a body from now on, or leads the pull elsewhere: by a spring that carries the whole rig with a
/// twentieth of its size to spare, and a damper that is critical for what the point alone moves.
/// @param body   not held, or nothing is pulled
/// @param point  m, body frame; that of the first call counts until simulation_release()
/// @param to     m, world: where the point shall go
void simulation_pull(simulation *sim, int body, er_vec3 point, er_vec3 to);
void simulation_release(simulation *sim);
/// @return whether a point is pulled.   @param from,to  written: where it is shown, and where it shall go
bool simulation_get_pull(const simulation *sim, er_vec3 *from, er_vec3 *to);

/// Moves the shown time on, over frames that are there and into those that are not, which are made.
/// @param seconds   >= 0
/// @param patience  s: it waits no longer for frames; HUGE_VAL for as long as it takes
/// @return the seconds gone: fewer where frames do not come in time, 0 after a failure at the last one
double simulation_play(simulation *sim, double seconds, double patience);

/// Goes to a time of what is recorded.   @param time  s; the nearest there is
void simulation_show(simulation *sim, double time);

double simulation_time(const simulation *sim);   ///< s, that is shown
double simulation_length(const simulation *sim); ///< s recorded
/// What was gone of what simulation_play() was asked for, over the last second or so: 1 where the machine keeps up.
double simulation_pace(const simulation *sim);
bool simulation_is_over(const simulation *sim); ///< nothing comes after what is recorded: it failed, or is full
/// What has gone wrong since the last call: one sentence, "" where nothing has. Valid until the next call.
const char *simulation_error(simulation *sim);

/// What is shown: between frames the poses between. [body_count]
const er_pose *simulation_pose(const simulation *sim);
er_world_energy simulation_energy(const simulation *sim); ///< of the frame shown
/// What touches in the frame shown.   @param out  written: the first, until the next call that changes what is shown
/// @return how many
int simulation_contacts(const simulation *sim, const er_frame_contact **out);
/// What hangs together in the frame shown, by joints and touches: er_world_islands(); -1 of none, as where nothing is
/// met.
/// @param asleep  written: whether the body sleeps
int simulation_island(const simulation *sim, int body, bool *asleep);
/// The height of the floor, m along up.   @return whether there is one, from the next frame on
bool simulation_floor(const simulation *sim, double *height);
/// The scene that it falls on; NULL: none. It lasts as long as the simulation.
/// @param turn  written: of its axes to the world's, where there is one
const er_scene *simulation_scene(const simulation *sim, er_quat *turn);
/// Kinetic, potential and elastic energy over what is recorded, J.
/// @param curve  [3][count], written, the potential from the lowest that it had
/// @return false: a frame is being made, and nothing is written
bool simulation_curves(simulation *sim, int count, float *curve[3]);

/// Writes what is recorded in the format that the path ends in, as `simulate` does.
/// @param s  whose model it is of
/// Errors   ER_ERROR_ARGUMENT (an ending; one frame), and as the writers
er_result simulation_write(simulation *sim, const session *s, const char *path);

#endif
