/// @file
/// Film strips of gaits: a row for each, a stride in pictures beside each other, and the feet that stand.
#ifndef ERI_VIEWER_RENDER_STRIP_H
#define ERI_VIEWER_RENDER_STRIP_H

#include "viewer/render/animation.h"
#include "viewer/render/canvas.h"

/// Where things lie, and how the rows are looked at: all in parallel projection, to one scale.
typedef struct strip {
    const render_subject *subject;
    const render_def *def;
    int width, height;  ///< pixels
    int high;           ///< of a row's figures, pixels
    double unit;        ///< pixels a metre
    draw_camera camera; ///< at the middle of a row
    er_vec3 axis[3];    ///< of it
    er_pose *pose;      ///< [body_count], scratch
    double ground;      ///< pixels below a row's upper edge, where near feet stand
} strip;

/// Looks at def->gaits, from the right of bodies with feet and from above others, so that they go to the right.
/// Errors   ER_ERROR_ARGUMENT (no gait; more than find room), ER_ERROR_MEMORY. To be ended by strip_finish() in any
/// case
er_result strip_layout(er_context *context, const render_subject *subject, const render_def *def, strip *out);

void strip_finish(strip *s);

/// Draws all of it, on an canvas of that size.
void strip_draw(canvas *e, strip *s);

#endif
