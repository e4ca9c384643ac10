/// @file
/// The means to draw pictures: OpenGL without a window, a painter, a model, letters.
#ifndef ERI_VIEWER_RENDER_CANVAS_H
#define ERI_VIEWER_RENDER_CANVAS_H

#include "viewer/gui/gui.h"
#include "viewer/render/render.h"

/// Colours of everything but figures; sRGB with opacity.
typedef struct canvas_colours {
    float paper[3], grid[3];
    float text[4], dim[4], line[4], accent[4];
    float ghost[2][3]; ///< tints of the positive and the negative end of a swing
} canvas_colours;

typedef struct canvas {
    er_context *context;
    const render_subject *subject;
    draw_offscreen *offscreen;
    painter *painter;
    draw_model *drawn;
    draw_target *target;
    gui *overlay;
    int width, height; ///< pixels
    double scale;      ///< pixels a point of letters
    er_vec3 up;
    double front; ///< yaw from which the front is seen, as the file says
    draw_style style;
    canvas_colours colours;
    bool paper;    ///< the picture is laid on paper of one colour
    uint8_t *rgba; ///< [4 width height]: the picture that canvas_read() read
} canvas;

/// @param scale  0.5 to 4
/// Errors   ER_ERROR_SYSTEM, ER_ERROR_ARGUMENT (larger than the graphics driver takes), ER_ERROR_MEMORY. Call
///          canvas_finish() in any case
er_result canvas_init(er_context *context, const render_subject *subject, const render_def *def, int width, int height,
                      double scale, canvas *out);
void canvas_finish(canvas *e);

/// Clears the picture.
void canvas_clear(canvas *e);
/// From here to canvas_text_end(), gui_draw_*() draws on the picture; points from the top left.
void canvas_text_begin(canvas *e);
void canvas_text_end(canvas *e);
/// Reads the picture into `rgba`.
void canvas_read(canvas *e);

#endif
