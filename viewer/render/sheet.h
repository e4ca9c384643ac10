/// @file
/// The palette as one picture: a cell for each of the lowest elastic modes, and their spectrum.
#ifndef ERI_VIEWER_RENDER_SHEET_H
#define ERI_VIEWER_RENDER_SHEET_H

#include "viewer/render/cell.h"

/// Where things lie, pixels.
typedef struct sheet_plan {
    int width, height, columns, rows, count;
    double scale; ///< pixels a point
} sheet_plan;

typedef struct sheet {
    const render_subject *subject;
    const render_def *def;
    sheet_plan plan;
    int first;      ///< the first elastic mode of those held
    cell *cell;     ///< [plan.count]
    double *joints; ///< [joint_count], scratch
} sheet;

/// How many elastic modes are held, and which is the first.
int sheet_modes(const er_modes *modes, int *first);

/// As many columns as make about 16 to 10; or in the size that was asked for, the largest cells.
/// @param count  of cells, >= 1
sheet_plan sheet_layout(const render_def *def, int count);

/// @param duration  s   @param frames  in it; 0 for a picture
/// Errors   ER_ERROR_ARGUMENT (no room for so many cells), as animation_of_mode() and cell_init(). To be ended by
/// sheet_finish() in any case
er_result sheet_init(canvas *e, const render_subject *subject, const render_def *def, const sheet_plan *plan,
                     double duration, int frames, sheet *out);
void sheet_finish(sheet *s);

/// Draws all of it at a time.
/// Errors   as er_motion_poses()
er_result sheet_draw(canvas *e, sheet *s, double time);

#endif
