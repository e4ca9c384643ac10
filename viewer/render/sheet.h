/// @file
/// The palette as one picture: a cell for each of the lowest elastic modes, and their spectrum.
#ifndef ERI_VIEWER_RENDER_SHEET_H
#define ERI_VIEWER_RENDER_SHEET_H

#include "viewer/render/cell.h"

/// The layout, pixels.
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

/// The number of elastic modes, and the place of the first.
int sheet_modes(const er_modes *modes, int *first);

/// Chooses the number of columns: a page of about 16 to 10, or the largest cells on a page of the given size.
/// @param count  of cells, >= 1
sheet_plan sheet_layout(const render_def *def, int count);

/// @param duration  s   @param frames  in it; 0 for a picture
/// Errors   ER_ERROR_ARGUMENT (too many cells for the size), as animation_of_mode() and cell_init(). To be ended by
/// sheet_finish() in any case
er_result sheet_init(canvas *e, const render_subject *subject, const render_def *def, const sheet_plan *plan,
                     double duration, int frames, sheet *out);
void sheet_finish(sheet *s);

/// Draws all of it at a time.
/// Errors   as er_motion_poses()
er_result sheet_draw(canvas *e, sheet *s, double time);

#endif
