/// @file
/// Positions of cameras.
#ifndef ERI_VIEWER_RENDER_AIM_H
#define ERI_VIEWER_RENDER_AIM_H

#include "viewer/render/outline.h"

/// A camera at a view, as near as all points allow. RENDER_VIEW_BEST is three-quarter here.
/// @param front   yaw from which the front is seen; yaw and pitch are for RENDER_VIEW_GIVEN
/// @param aspect  of the picture, width over height
draw_camera aim_camera(const outline *shown, er_vec3 up, double front, double aspect, render_view view, double yaw,
                       double pitch);

/// The yaw from which motion along `forward` goes to the right on the picture.
double aim_yaw(er_vec3 up, er_vec3 forward);

/// The yaw from which a model that faces `forward` is seen from its front; 0, from +z, if `forward` is zero.
double aim_front(er_vec3 up, er_vec3 forward);

/// The view in which bones sweep the largest area between two poses.
/// @param bones  outline_add_bones() of one pose, then of the other
render_view aim_best(er_vec3 up, double front, const outline *bones);

#endif
