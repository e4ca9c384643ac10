/// @file
/// A rig on one page, from the front, the left and above: mesh, bones of the file, bodies in colours, feet, facing and
/// mirror plane.
#ifndef ERI_VIEWER_RENDER_RIG_SHEET_H
#define ERI_VIEWER_RENDER_RIG_SHEET_H

#include "viewer/render/canvas.h"

typedef struct rig_sheet {
    const render_subject *subject;
    const render_def *def;
    int width, height;    ///< pixels
    int high, rows;       ///< pixels of the views; of names below them
    double unit;          ///< pixels a metre
    er_vec3 middle, half; ///< m, along forward, left and up: centre and half the extent of what is shown
    er_vec3 *head, *tip;  ///< [body_count], owned; those of bones
} rig_sheet;

/// Plans the page.
/// Errors   ER_ERROR_MEMORY. To be ended by rig_sheet_finish() in any case
er_result rig_sheet_layout(er_context *context, const render_subject *subject, const render_def *def, rig_sheet *out);
void rig_sheet_finish(rig_sheet *s);

void rig_sheet_draw(canvas *e, rig_sheet *s);

#endif
