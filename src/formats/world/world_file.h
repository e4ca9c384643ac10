/// @file
/// Worlds in files: shared by all their formats. Private to formats.
#ifndef ERI_FORMATS_WORLD_WORLD_FILE_H
#define ERI_FORMATS_WORLD_WORLD_FILE_H

#include <eigenrig/worlds.h>

#include "base/arena.h"

/// Makes an empty world file, to be freed by er_world_file_destroy().
er_result eri_world_file_begin(er_context *context, er_world_file **out);

/// Makes the hull of a solid. A solid without triangles gets its hull's surface; if solids do not collide, a solid with
/// triangles gets no hull.
/// Errors   as er_hull_create(); solid->hull is NULL then
er_result eri_solid_complete(er_arena *arena, bool collide, er_solid *solid);

/// Adds the solids to the def as shapes, if they collide.   Errors: ER_ERROR_MEMORY
er_result eri_world_file_add_shapes(er_world_file *file);

/// Read a Bacin set by the path of its configuration file, and JSON.   @param out  set also after a failure
er_result eri_bacin_read(er_context *context, const char *path, er_world_file **out);
er_result eri_world_read_json(er_context *context, const char *path, er_world_file **out);

/// Write them.
er_result eri_bacin_write(er_context *context, const er_world_file *file, const char *path);
er_result eri_world_write_json(er_context *context, const er_world_file *file, const char *path);

#endif
