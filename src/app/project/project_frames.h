/// @file
/// Frames of a world in memory.
#ifndef ERI_APP_PROJECT_PROJECT_FRAMES_H
#define ERI_APP_PROJECT_PROJECT_FRAMES_H

#include <eigenrig/dynamics.h>
#include <eigenrig/plots.h>

#include "app/project/contact_sums.h"

/// Bytes of a frame of a model.
double project_frame_bytes(const er_model *model);

/// Bytes of the contacts of all frames.
double project_frames_contact_bytes(const er_world_frames *frames);

/// Makes room for frames, and keeps those that exist.
/// @param frames  of a model, which is set; for project_frames_clear(), whatever the result
/// @param room    >= frame_count
/// Errors   ER_ERROR_MEMORY: the frames are as they were
er_result project_frames_reserve(er_context *context, er_world_frames *frames, int room);

/// Adds the state of a world as a frame. There must be room for it; room for contacts is made.
/// @param sums  contacts since the last frame, which are forgotten then; NULL: contacts are left out
/// Errors   as er_world_accelerations(), ER_ERROR_MEMORY; the frame is not added then
er_result project_frames_take(er_context *context, er_world *world, er_dynamics_route route, project_contact_sums *sums,
                              er_world_frames *frames);

/// Adds the impacts of the last er_world_advance(). It keeps the last 256.
/// @param shape  those of the world
/// Errors   ER_ERROR_MEMORY
er_result project_frames_take_impacts(er_context *context, const er_world *world, const er_world_shape *shape,
                                      er_world_frames *frames);

/// The contacts of a frame.   @param out  written: the first   @return how many
int project_frames_contacts(const er_world_frames *frames, int frame, const er_frame_contact **out);

void project_frames_clear(er_world_frames *frames); ///< all zeros are fine; its model may be gone

#endif
