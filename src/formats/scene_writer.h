/// @file
/// The arguments that all writers of scenes check first.
#ifndef ERI_FORMATS_SCENE_WRITER_H
#define ERI_FORMATS_SCENE_WRITER_H

#include <eigenrig/formats.h>

/// Checks a writer's arguments. A NULL def becomes the default.
/// @param call  the function's name, for the message
/// Errors   ER_ERROR_ARGUMENT
er_result eri_scene_writer_check(er_context *context, const char *call, const er_scene *scene, int clip_count,
                                 const er_clip *clip, const er_export_def **def, const char *path);

#endif
