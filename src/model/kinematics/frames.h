/// @file
/// Poses of many frames side by side: the sweep down the tree with a frame a lane, in double and in single precision.
/// One source, frames_sweep.h, makes both.
#ifndef ER_MODEL_KINEMATICS_FRAMES_H
#define ER_MODEL_KINEMATICS_FRAMES_H

#include "base/arena.h"

struct er_carrier;
struct er_kinematics;

/// Frames that are carried together.
enum { ER_FRAMES64 = 16, ER_FRAMES32 = 32 };

typedef double er_vec64 __attribute__((vector_size(64), aligned(64)));
typedef float er_vec32 __attribute__((vector_size(64), aligned(64)));

typedef struct er_frames64 er_frames64;
typedef struct er_frames32 er_frames32;

/// The sweep of a model as constants, and work space.   Errors: ER_ERROR_MEMORY.
er_result er_frames64_create(er_arena *arena, const struct er_kinematics *k, er_frames64 **out);
er_result er_frames32_create(er_arena *arena, const struct er_kinematics *k, er_frames32 **out);

/// A matrix in the order that er_frames*_blend() reads it, for `count` columns.   Errors: ER_ERROR_MEMORY.
er_result er_frames64_pack(er_arena *arena, int rows, int count, const double *columns, double **out);
er_result er_frames32_pack(er_arena *arena, int rows, int count, const double *columns, float **out);

/// x = matrix * signal, for ER_FRAMES* frames.
/// @param matrix  packed, rows x count
/// @param signal  [count x 2 vectors]
/// @param x       [rows rounded up to 8, x 2 vectors], written
void er_frames64_blend(int rows, int count, const double *matrix, const er_vec64 *signal, er_vec64 *x);
void er_frames32_blend(int rows, int count, const float *matrix, const er_vec32 *signal, er_vec32 *x);

/// Poses of ER_FRAMES* displacements, loops open, centres of mass put back.
/// @param halvings  [body_count], in the carriers' order: no rotation vector of the joint is longer than pi 2^halvings
/// @param x         [width x 2 vectors]
/// @param stride    from row to row of `pose`, >= ER_FRAMES*
/// @param pose      [body_count x 7 x stride], ER_FRAMES* of each row written: w x y z of the quaternion, x y z of the
///                  position
void er_frames64_pose(const er_frames64 *f, const int *halvings, const er_vec64 *x, size_t stride, double *pose);
void er_frames32_pose(const er_frames32 *f, const int *halvings, const er_vec32 *x, size_t stride, float *pose);

#endif
