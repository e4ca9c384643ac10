/// @file
/// Writing glTF 2.0: a scene with clips added. A source that was glTF itself keeps every byte of its buffers and every
/// element of its JSON; any other source is written whole.
#ifndef EIGENRIG_GLTF_H
#define EIGENRIG_GLTF_H

#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a scene and, after the scene's own clips, `clip_count` more.
/// ER_FORMAT_GLTF: scene->path is read again and only added to; node `matrix` is turned into TRS where a clip moves the
/// node; buffers and images that lay beside the source are embedded in a .glb, or copied beside a .gltf.
/// Clip names that are taken get " (2)", " (3)", ... appended.
/// @param clip  [clip_count], channels on scene nodes; borrowed. Equal `time` pointers share one accessor
/// @param path  ends in .glb or .gltf, or is "-" for a .glb on standard output; written whole or not at all, replaced
///              when it exists
/// Errors   ER_ERROR_ARGUMENT (ending, or a clip on a node that is not there), ER_ERROR_FILE, ER_ERROR_FORMAT (the
/// source
///          changed since it was read), ER_ERROR_MEMORY
/// Memory   scratch only.   Threads: one call per context at a time.
/// Source   Khronos glTF 2.0 specification.
ER_API er_result er_gltf_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const char *path);

#ifdef __cplusplus
}
#endif
#endif
