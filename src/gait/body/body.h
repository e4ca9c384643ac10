/// @file
/// Private: what reading a body takes, step by step.
#ifndef ER_GAIT_BODY_BODY_H
#define ER_GAIT_BODY_BODY_H

#include <eigenrig/gait.h>

#include "base/arena.h"

/// Points of the surface: vertices of skins and of what bodies carry; corners of boxes where there is no mesh.
typedef struct er_cloud {
    int count;
    er_vec3 *point; ///< [count], m, at equilibrium in the model's axes
    int *body;      ///< [count], the one that a point goes with most
} er_cloud;

typedef struct er_body_reader {
    er_context *context;
    const er_model *model;
    const er_rig *rig; ///< or NULL
    er_gait_def def;
    er_arena *arena, *scratch;
    er_notes notes;
    er_cloud cloud;
    er_gait_body *out;
    er_vec3 centre;  ///< of mass
    double offset;   ///< of the plane of symmetry along `left`, m
    double *low;     ///< [body_count], height of a body's lowest point above the ground; HUGE_VAL without points
    er_vec3 *middle; ///< [body_count], centres of mass
} er_body_reader;

/// cloud: all points.   Errors: ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY.
er_result er_gait_read_cloud(er_body_reader *b);

/// left, mirror, symmetry and offset: the plane that a body is most like its mirror image by.   Errors:
/// ER_ERROR_MEMORY.
er_result er_gait_read_sides(er_body_reader *b);

/// foot: who stands on what, before it is known where the front is.   Errors: ER_ERROR_MEMORY.
er_result er_gait_read_feet(er_body_reader *b);

/// forward, facing; then the order and the names of feet.   Errors: ER_ERROR_MEMORY.
er_result er_gait_read_facing(er_body_reader *b);

/// -1 where a name says right, 1 left, 0 neither.
int er_gait_side_of_name(const char *name);

/// Where a body's frame is, at equilibrium.
static inline er_vec3 er_body_origin(const er_body_reader *b, int body)
{
    return b->model->body[body].pose.p;
}

#endif
