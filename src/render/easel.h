/// @file
/// What a picture is drawn on and with: OpenGL without a window, a model's figures, letters.
#ifndef ER_RENDER_EASEL_H
#define ER_RENDER_EASEL_H

#include "gui/gui.h"
#include "render/render.h"

/// Colours of everything but figures; sRGB with opacity.
typedef struct easel_colours {
    float paper[3], grid[3];
    float text[4], dim[4], line[4], accent[4];
    float ghost[2][3]; ///< tints of the positive and the negative end of a swing
} easel_colours;

typedef struct easel {
    er_context *context;
    const render_subject *subject;
    draw_offscreen *offscreen;
    painter *painter;
    draw_model *drawn;
    draw_target *target;
    gui *letters;
    int width, height; ///< pixels
    double scale;      ///< pixels a point of letters
    er_vec3 up;
    draw_look look;
    easel_colours colours;
    bool paper;    ///< what is drawn is laid on flat paper
    uint8_t *rgba; ///< [4 width height]: the picture that easel_read() read
} easel;

/// @param scale  0.5 to 4
/// Errors   ER_ERROR_SYSTEM, ER_ERROR_ARGUMENT (larger than the graphics driver takes), ER_ERROR_MEMORY. To be ended
///          by easel_finish() in any case
er_result easel_init(er_context *context, const render_subject *subject, const render_def *def, int width, int height,
                     double scale, easel *out);
void easel_finish(easel *e);

/// Nothing everywhere.
void easel_clear(easel *e);
/// What comes to lie on the picture until easel_letters_end() is drawn with gui_draw_*(), points from the top left.
void easel_letters_begin(easel *e);
void easel_letters_end(easel *e);
/// Reads the picture into `rgba`.
void easel_read(easel *e);

#endif
