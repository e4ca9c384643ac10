/// @file
/// Frames of a world in memory: as many as are asked for at once, or as many as come.
#ifndef ERI_APP_PROJECT_PROJECT_FRAMES_H
#define ERI_APP_PROJECT_PROJECT_FRAMES_H

#include <eigenrig/dynamics.h>
#include <eigenrig/plots.h>

/// Bytes that a frame of a model takes.
double project_frame_bytes(const er_model *model);

/// Bytes that all that touches takes.
double project_frames_contact_bytes(const er_world_frames *frames);

/// Makes room for frames, those there are kept.
/// @param frames  of a model, which is set; for project_frames_clear(), whatever the result
/// @param room    >= frame_count
/// Errors   ER_ERROR_MEMORY: the frames are as they were
er_result project_frames_reserve(er_context *context, er_world_frames *frames, int room);

/// Adds the state of a world as a frame; there is room for it, but that of what touches is made.
/// @param shape  of the world, as its definition had them; NULL: what touches is left out
/// @param step   s, of its last step, where something touches
/// Errors   as er_world_accelerations(), ER_ERROR_MEMORY; the frame is not added then
er_result project_frames_take(er_context *context, er_world *world, er_dynamics_route route,
                              const er_world_shape *shape, double step, er_world_frames *frames);

/// What touches in a frame.   @param out  written: the first   @return how many
int project_frames_contacts(const er_world_frames *frames, int frame, const er_frame_contact **out);

void project_frames_clear(er_world_frames *frames); ///< all zeros are fine; its model may be gone

#endif
