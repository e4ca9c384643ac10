/// @file
/// A recording of a living scene, frame by frame: as arrays, and as a scene file with one clip.
#ifndef ERI_APP_ENGINE_ENGINE_RECORDING_H
#define ERI_APP_ENGINE_ENGINE_RECORDING_H

#include <eigenrig/formats.h>

#include "app/engine/engine.h"

typedef struct engine_recording engine_recording;

/// @param out  ER_OK: for engine_recording_destroy(); otherwise NULL.   Errors: ER_ERROR_MEMORY
er_result engine_recording_create(engine *e, engine_recording **out);
void engine_recording_destroy(engine_recording *recording); ///< NULL is fine; before the scene's end

/// Keeps how all actors stand now, as the next frame.   Errors: ER_ERROR_MEMORY
er_result engine_recording_take(engine_recording *recording);

/// Writes them for numpy: er_trajectories_write_npz(), an actor each, by age, those that were removed too.
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result engine_recording_write_npz(er_context *context, const engine_recording *recording, const char *path);

/// Writes a scene file with all actors' solids, the characters with their skins, and their motion as one clip. An actor
/// is scaled to a point before it was added and after it was removed. Actors that never move have no keys.
/// @param name  of the clip
/// Errors   as the writer; ER_ERROR_MEMORY
er_result engine_recording_write(er_context *context, const engine_recording *recording, er_scene_writer *write,
                                 const char *name, const char *path);

#endif
