/// @file
/// The rotation gizmo's size on the screen.
#ifndef ERI_VIEWER_DRAW_GIZMO_H
#define ERI_VIEWER_DRAW_GIZMO_H

#include "viewer/draw/draw.h"

enum { GIZMO_STEPS = 64 }; ///< straight pieces of a ring

/// The radius of its rings, m: the same share of a picture's height wherever the frame lies.
double gizmo_radius(const draw_camera *c, int height, er_vec3 place);

/// A point of a ring, `step` in [0, GIZMO_STEPS].
er_vec3 gizmo_point(const er_pose *frame, double radius, int ring, int step);

#endif
