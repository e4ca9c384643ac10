/// @file
/// A model in motion in a rectangle of a picture: all of it, or a cell of a sheet.
#ifndef ERI_VIEWER_RENDER_CELL_H
#define ERI_VIEWER_RENDER_CELL_H

#include "viewer/render/animation.h"
#include "viewer/render/canvas.h"

typedef struct cell {
    animation s; ///< owned
    int mode;    ///< index; -1: no mode
    bool ghosts;
    render_view view; ///< chosen: never RENDER_VIEW_BEST
    draw_camera camera;
    er_pose *pose; ///< [3 x body_count]: ghosts, blue and orange, and the figure
} cell;

/// @param s       taken over, on failure too
/// @param mode    index; -1: no mode
/// @param aspect  of the rectangle
/// Errors   ER_ERROR_MEMORY, and as er_motion_poses(). Call cell_finish() in any case
er_result cell_init(canvas *e, const render_def *def, animation s, int mode, double aspect, cell *out);
void cell_finish(cell *c);

/// Draws the model at a time into a rectangle, pixels.
/// Errors   as er_motion_poses()
er_result cell_draw(canvas *e, cell *c, double time, int x, int y, int width, int height);

#endif
