/// @file
/// Points on what a model shows in a pose, for cameras to see all of it.
#ifndef ERI_VIEWER_RENDER_OUTLINE_H
#define ERI_VIEWER_RENDER_OUTLINE_H

#include "viewer/render/render.h"

/// Points that lie on a model in some poses.
typedef struct outline {
    size_t count, room;
    er_vec3 *point; ///< [count], m, world; for free()
} outline;

/// Adds some thousand vertices of the meshes at a pose, or all when there are fewer.
/// Errors   ER_ERROR_MEMORY
er_result outline_add_meshes(er_context *context, const render_subject *subject, const er_pose *pose, outline *o);

/// Adds both ends of all bones.
/// Errors   ER_ERROR_MEMORY
er_result outline_add_bones(er_context *context, const draw_model *drawn, int body_count, const er_pose *pose,
                            outline *o);

/// Widens a box, along three axes, to hold a point. HUGE_VAL and -HUGE_VAL are the ends of an empty one.
void outline_widen(const er_vec3 axis[3], er_vec3 point, er_vec3 *low, er_vec3 *high);

#endif
