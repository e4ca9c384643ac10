/// @file
/// Where the camera stands.
#ifndef ERI_VIEWER_RENDER_AIM_H
#define ERI_VIEWER_RENDER_AIM_H

#include "viewer/render/outline.h"

/// A camera at a view, as near as all points fit; RENDER_VIEW_BEST is three-quarter here.
/// @param front   yaw of a camera that looks at the front; yaw and pitch are those of RENDER_VIEW_GIVEN
/// @param aspect  of the picture, width over height
draw_camera aim_camera(const outline *shown, er_vec3 up, double front, double aspect, render_view view, double yaw,
                       double pitch);

/// The yaw at which what goes that way goes to the right on the picture: from a body's right side.
double aim_yaw(er_vec3 up, er_vec3 forward);

/// The yaw at which the front is seen of what looks that way; 0, from +z, where nobody says (a zero).
double aim_front(er_vec3 up, er_vec3 forward);

/// The view in which bones sweep the largest area between two poses.
/// @param bones  of the one, then of the other: outline_add_bones()
render_view aim_best(er_vec3 up, double front, const outline *bones);

#endif
