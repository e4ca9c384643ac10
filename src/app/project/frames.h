/// @file
/// Frames of a world in memory: as many as are asked for at once, or as many as come.
#ifndef ER_APP_PROJECT_FRAMES_H
#define ER_APP_PROJECT_FRAMES_H

#include <eigenrig/dynamics.h>
#include <eigenrig/formats.h>

/// Bytes that a frame of a model takes.
double project_frame_bytes(const er_model *model);

/// Makes room for frames, those there are kept.
/// @param frames  of a model, which is set; for project_frames_clear(), whatever the result
/// @param room    >= frame_count
/// Errors   ER_ERROR_MEMORY: the frames are as they were
er_result project_frames_reserve(er_context *context, er_world_frames *frames, int room);

/// Adds the state of a world as a frame; there is room for it.
/// Errors   as er_world_accelerations(); the frame is not added then
er_result project_frames_take(er_world *world, er_dynamics_route route, er_world_frames *frames);

void project_frames_clear(er_world_frames *frames); ///< all zeros are fine; its model may be gone

#endif
