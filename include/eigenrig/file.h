/// @file
/// The project's own files: rig, palette, mix and pose, all JSON (docs/formats.md). Numbers are written in the fewest
/// characters that read back exactly. What is read is kept as a tree by jansson, in its own memory; what is written
/// goes to the file as it comes, and takes no memory to speak of.
#ifndef EIGENRIG_FILE_H
#define EIGENRIG_FILE_H

#include <eigenrig/modal.h>
#include <eigenrig/model.h>
#include <eigenrig/motion.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a file is meant to be one of ours, sound or not: named .json, or a regular file of JSON that names one of
/// our formats; false for anything else, and for what cannot be read.
/// @param path  "-" is always taken for a rig file
/// Errors none, but the context's sentence may change.   Memory: scratch.   Threads: one call per context at a time.
ER_API bool er_file_is_rig(er_context *context, const char *path);

/// Reads a rig file, or the rig inside a palette file.
/// @param path  "-" reads standard input
/// @param out   ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (cannot be read; over 2 GiB), ER_ERROR_FORMAT (names the place in the
///          file), ER_ERROR_RIG (as er_model_create()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_file_read_rig(er_context *context, const char *path, er_model **out);

/// Writes a rig file, whole or not at all, replaced when it exists.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8; a number that is not finite),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_rig(er_context *context, const er_model *model, const char *path);

/// Writes a palette file: the rig and its modes, whole or not at all, replaced when it exists.
/// @param modes  of this model
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8; a number that is not finite),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_palette(er_context *context, const er_model *model, const er_modes *modes,
                                       const char *path);

/// Reads a mix file.
/// @param path  "-" reads standard input
/// @param out   ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_FORMAT (names the place in the file, and words that it does
///          not know), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_file_read_mix(er_context *context, const char *path, er_mix **out);

/// Writes a mix file, whole or not at all, replaced when it exists. It finds its modes again after a change of the rig
/// where its voices have shapes: er_mix_fit() gives them.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8; a number that is not finite),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_mix(er_context *context, const er_mix *mix, const char *path);

/// Reads a pose file for a scene: local transforms by node name, the k-th of a name for the scene's k-th of it. Nodes,
/// and properties of nodes, that it leaves out keep the rest pose.
/// @param path   "-" reads standard input
/// @param local  [node_count], written on ER_OK: for er_rig_def.pose_local
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_FORMAT (names the place in the file; a node that the scene does
///          not have too), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_read_pose(er_context *context, const char *path, const er_scene *scene, er_affine *local);

/// Writes a pose file of all nodes of a scene, whole or not at all, replaced when it exists. Shear is left out.
/// @param local  [node_count]
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; numbers that are not finite), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_pose(er_context *context, const er_scene *scene, const er_affine *local,
                                    const char *path);

/// Writes bytes as a file, whole or not at all: under a temporary name in the same folder, flushed to the disk (but see
/// er_context_def), then renamed. An existing file is replaced and keeps its permissions; a link is followed; what is
/// no regular file (a pipe, /dev/stdout) is written to directly.
/// @param path   "-" writes to standard output
/// @param bytes  [size]
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (names the path, the reason and what to do; nothing is left behind)
/// Memory   none.   Threads: one call per context at a time.
ER_API er_result er_file_write(er_context *context, const char *path, const void *bytes, size_t size);

/// Whether er_file_write() can begin a file there, to be asked before long work: makes its temporary file, and removes
/// it. What is no regular file is not opened.
/// @param path   "-" is fine
/// Errors   as er_file_write().   Memory: none.   Threads: one call per context at a time.
ER_API er_result er_file_check_place(er_context *context, const char *path);

enum { ER_FILE_NAME_MAX = 4096 };

/// The same for a file that another program writes: makes a new, empty one beside `path` for it.
/// @param path  a regular file, or none yet
/// @param name  [ER_FILE_NAME_MAX], written: its temporary name; for er_file_finish(), in any case
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (as er_file_write(); no regular file).   Memory: none.   Threads: as
/// above.
ER_API er_result er_file_begin(er_context *context, const char *path, char *name);

/// Puts a file that er_file_begin() made in its place, or removes it.
/// @param name  as er_file_begin() wrote it
/// @param keep  false: removes it, and fails never
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE: nothing is left behind.   Memory: none.   Threads: as above.
ER_API er_result er_file_finish(er_context *context, const char *path, const char *name, bool keep);

#ifdef __cplusplus
}
#endif
#endif
