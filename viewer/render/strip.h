/// @file
/// Film strips of gaits: for each gait a row of pictures through one stride, with bars for the feet on the ground.
#ifndef ERI_VIEWER_RENDER_STRIP_H
#define ERI_VIEWER_RENDER_STRIP_H

#include "viewer/render/animation.h"
#include "viewer/render/canvas.h"

/// The layout, and the camera of the rows: parallel projection, one scale for all.
typedef struct strip {
    const render_subject *subject;
    const render_def *def;
    int width, height;  ///< pixels
    int high;           ///< of a row's figures, pixels
    double unit;        ///< pixels a metre
    draw_camera camera; ///< at the middle of a row
    er_vec3 axis[3];    ///< of it
    er_pose *pose;      ///< [body_count], scratch
    double ground;      ///< pixels from the top of a row to the ground below near feet
} strip;

/// Plans rows for def->gaits. Bodies with feet are seen from their right, others from above; all go to the right.
/// Errors   ER_ERROR_ARGUMENT (no gait; more gaits than fit), ER_ERROR_MEMORY. To be ended by strip_finish() in any
/// case
er_result strip_layout(er_context *context, const render_subject *subject, const render_def *def, strip *out);

void strip_finish(strip *s);

/// Draws all of it on a canvas of that size.
void strip_draw(canvas *e, strip *s);

#endif
