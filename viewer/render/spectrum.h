/// @file
/// The strip of a sheet that tells where modes lie: a stem each over the frequency, as high as many joints take part.
#ifndef ERI_VIEWER_RENDER_SPECTRUM_H
#define ERI_VIEWER_RENDER_SPECTRUM_H

#include "viewer/render/canvas.h"

/// Draws it with letters, into a rectangle in points.
/// @param first,count  modes that have cells, of those in `modes`: named and in colour
/// @param share        [joint_count], scratch
void spectrum_draw(canvas *e, const er_model *model, const er_modes *modes, int first, int count, double x, double y,
                   double width, double height, double *share);

#endif
