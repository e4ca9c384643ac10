/// @file
/// The region of each triangle, with triangles cut where regions meet.
#ifndef ERI_MAKE_PAINT_H
#define ERI_MAKE_PAINT_H

#include "surface.h"

/// Cuts edges whose ends lie in different regions at the border, after moving vertices close to a border onto it.
/// The surface stays closed.
/// @return [triangle_count of the surface as it is now], a region each; free()
int *paint_regions(const figure *f, surface *s);

#endif
