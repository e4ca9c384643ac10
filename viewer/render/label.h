/// @file
/// Labels of sheets: their text, cut to the space they have.
#ifndef ERI_VIEWER_RENDER_LABEL_H
#define ERI_VIEWER_RENDER_LABEL_H

#include "viewer/render/canvas.h"

enum { LABEL_SIZE = 512 }; // bytes of a line

/// Draws a line of text; an ellipsis ends text that is wider than `room`, points.
/// @param align  0 left-aligned at x, 0.5 centred, 1 right-aligned
void label_draw(canvas *e, double x, double y, double size, double align, double room, const float rgba[4],
                const char *text);

/// Draws the title of a page: def->title, else the model's name, with its folder if the file has a common name such as
/// scene.gltf. The subtitle stands beside it.
/// @param width  of the page, points   @param subtitle  NULL: none
void label_title(canvas *e, double width, const render_def *def, const char *subtitle);

/// Formats a frequency with three or four digits: "1.08 Hz".
void label_hz(double hz, char text[32]);

/// Lists the joints that move most in a mode: "spine_2, chest, neck".
/// @param travel  [joint_count], scratch
void label_joints(const er_model *model, const er_mode *mode, double *travel, char text[LABEL_SIZE]);

#endif
