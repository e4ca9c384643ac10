/// @file
/// A finished character as a binary glTF 2.0 file.
#ifndef ERI_MAKE_GLB_H
#define ERI_MAKE_GLB_H

#include "skin.h"
#include "surface.h"

/// Writes PATH: one skinned mesh with a primitive and a material for each region, shading in vertex colours, bones as
/// nodes whose rest pose is the bind pose, and the figure's clips.
/// Positions are multiples of 2^-20 m, so that the file's floats are the generator's numbers exactly.
/// @param region     [triangle_count of s]
/// @param influence  [vertex_count of s]
void glb_write(const char *path, const figure *f, const surface *s, const int *region, const influence *influences);

#endif
