/// @file
/// Letters of a sheet: what they say, and in how much room.
#ifndef ERI_VIEWER_RENDER_LABEL_H
#define ERI_VIEWER_RENDER_LABEL_H

#include "viewer/render/canvas.h"

enum { LABEL_SIZE = 512 }; // bytes of a line

/// Draws a line, cut with an ellipsis where it is wider than the room; points.
/// @param align  0 from x on, 1 up to x, 0.5 about it
void label_draw(canvas *e, double x, double y, double size, double align, double room, const float rgba[4],
                const char *text);

/// The title of a page this wide, points, as `def` has it, else the model's name, after its folder's where files are
/// all named alike, as scene.gltf is; and beside it what is to be said (NULL: nothing).
void label_title(canvas *e, double width, const render_def *def, const char *subtitle);

/// A frequency with three or four digits: "1.08 Hz".
void label_hz(double hz, char text[32]);

/// The joints that a mode is known by: "spine_2, chest, neck".
/// @param travel  [joint_count], scratch
void label_joints(const er_model *model, const er_mode *mode, double *travel, char text[LABEL_SIZE]);

#endif
