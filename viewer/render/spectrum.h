/// @file
/// The spectrum of a sheet: a stem for each mode over its frequency, as high as the number of joints that take part.
#ifndef ERI_VIEWER_RENDER_SPECTRUM_H
#define ERI_VIEWER_RENDER_SPECTRUM_H

#include "viewer/render/canvas.h"

/// Draws it with letters, into a rectangle in points.
/// @param first,count  places in `modes` of those with cells, which have a name and a colour
/// @param share        [joint_count], scratch
void spectrum_draw(canvas *e, const er_model *model, const er_modes *modes, int first, int count, double x, double y,
                   double width, double height, double *share);

#endif
