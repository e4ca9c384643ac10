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
///
/// ER_FORMAT_GLTF: scene->path is read again and only added to: clips, and the scene's added instances, each a mesh of
/// its node, or of a new child where the node has one already. What changes besides: a node's `matrix` becomes TRS
/// where a clip moves the node (shear is lost); the kind of file decides where data lies. A .glb stands alone: buffer 0
/// is its BIN chunk, other buffers and pictures beside the source are embedded. A .gltf keeps its side files, copied
/// beside it when the folder is another one (a different file in the way is an error), or embedded when their path
/// climbs out of the source's folder; a BIN chunk becomes a data URI, chunks of other kinds stay behind. Pictures that
/// are missing keep their URI; nothing is fetched from a network.
///
/// Any other format: nodes as TRS, or as a matrix where they shear and no clip moves them; meshes at one node become
/// primitives of one mesh; the strongest 8 influences of a vertex; skins, materials, pictures and the scene's clips.
/// Where the scene is not in metres with +Y up, or a skin spans several roots, a root "eigenrig units" is put above it.
/// Morph targets, cameras and lights, which er_scene does not carry, are not written.
///
/// Clips: names that are taken get " (2)", " (3)", ... appended, and those given are made UTF-8. Times and values
/// become 32-bit floats, a key's time at least one float after the one before; rotations are made unit, neighbours in
/// one hemisphere (splines keep their numbers). A clip that begins below 0 s is shifted to begin at 0. A morph channel
/// without values holds the default weights for the clip's duration; with values it has one for each weight of the
/// node's mesh, and is left out where the mesh has none. A clip that comes to have no channel is left out. A channel
/// with the very pointers of one of the scene's own clips, such as er_take_record() keeps over a clip, is that of the
/// glTF source, bit for bit, morph weights too.
///
/// @param scene  keeps the promises of scene.h (er_scene_validate())
/// @param clip   [clip_count], channels on scene nodes, values as er_scene_sample() reads them (a morph's
///               as said above). Equal `time` pointers share one accessor; may be NULL when there are none
/// @param path   ends in .glb or .gltf, or is "-" for a .glb on standard output; written whole or not at all, replaced
///               when it exists. It may be scene->path
/// Errors   ER_ERROR_ARGUMENT (the ending; a promise broken by the scene; a clip on a node that is not there, with
///          times that do not ascend, or two channels for one property; a number that is not finite or too large for a
///          float), ER_ERROR_FILE (cannot be read or written; over 4 GiB), ER_ERROR_FORMAT (the source changed since it
///          was read), ER_ERROR_MEMORY
/// Memory   scratch only: about three times the size of the file. The JSON tree is kept by jansson, in its own memory.
/// Threads  one call per context at a time.
/// Source   Khronos glTF 2.0 specification.
ER_API er_result er_gltf_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const char *path);

#ifdef __cplusplus
}
#endif
#endif
