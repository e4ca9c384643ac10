/// @file
/// What a picture is drawn on and with: OpenGL without a window, a model's figures, letters.
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
    double front; ///< yaw of a camera that looks at the front, by the format's word
    draw_style style;
    canvas_colours colours;
    bool paper;    ///< what is drawn is laid on flat paper
    uint8_t *rgba; ///< [4 width height]: the picture that canvas_read() read
} canvas;

/// @param scale  0.5 to 4
/// Errors   ER_ERROR_SYSTEM, ER_ERROR_ARGUMENT (larger than the graphics driver takes), ER_ERROR_MEMORY. To be ended
///          by canvas_finish() in any case
er_result canvas_init(er_context *context, const render_subject *subject, const render_def *def, int width, int height,
                      double scale, canvas *out);
void canvas_finish(canvas *e);

/// Nothing everywhere.
void canvas_clear(canvas *e);
/// What comes to lie on the picture until canvas_text_end() is drawn with gui_draw_*(), points from the top left.
void canvas_text_begin(canvas *e);
void canvas_text_end(canvas *e);
/// Reads the picture into `rgba`.
void canvas_read(canvas *e);

#endif
