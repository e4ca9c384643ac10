/// @file
/// Worlds in files: what all formats of them share. Private to formats.
#ifndef ERI_FORMATS_WORLD_WORLD_FILE_H
#define ERI_FORMATS_WORLD_WORLD_FILE_H

#include <eigenrig/worlds.h>

#include "base/arena.h"

/// A world's file without anything in it yet, to be given back by er_world_file_destroy().
er_result eri_world_file_begin(er_context *context, er_world_file **out);

/// The hull of a solid whose surface is there; where there are vertices alone, the surface of their hull too, and
/// where solids do not collide a given surface alone.
/// Errors   as er_hull_create(); solid->hull is NULL then
er_result eri_solid_complete(er_arena *arena, bool collide, er_solid *solid);

/// Gives the def the solids that have hulls, as shapes, where they collide.   Errors: ER_ERROR_MEMORY
er_result eri_world_file_add_shapes(er_world_file *file);

/// A Bacin set by the path of its configuration file, and as JSON.   @param out  set in any case, also half filled
er_result eri_bacin_read(er_context *context, const char *path, er_world_file **out);
er_result eri_world_read_json(er_context *context, const char *path, er_world_file **out);

/// Likewise.
er_result eri_bacin_write(er_context *context, const er_world_file *file, const char *path);
er_result eri_world_write_json(er_context *context, const er_world_file *file, const char *path);

#endif
