/// @file
/// Functions of cameras that only this room needs. Pure; any thread.
#ifndef ERI_VIEWER_DRAW_CAMERA_H
#define ERI_VIEWER_DRAW_CAMERA_H

#include "viewer/draw/draw.h"

/// The position of the camera, m, world.
er_vec3 draw_camera_eye(const draw_camera *c);

/// Metres that a pixel covers at a point; > 0.
double draw_camera_pixel(const draw_camera *c, int height, er_vec3 point);

/// From world points minus `origin` to clip coordinates.
/// @param near_depth,far_depth  m in front of the eye; a parallel projection takes negative ones too
/// @param clip                  column-major, written
void draw_camera_clip(const draw_camera *c, double aspect, er_vec3 origin, double near_depth, double far_depth,
                      float clip[16]);

#endif
