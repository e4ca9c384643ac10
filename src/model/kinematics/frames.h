/// @file
/// Poses of many frames side by side: the sweep down the tree with a frame a lane, in double and in single precision.
/// One source, frames_sweep.h, makes both.
#ifndef ERI_MODEL_KINEMATICS_FRAMES_H
#define ERI_MODEL_KINEMATICS_FRAMES_H

#include "base/arena.h"

struct er_kinematics;

/// Frames that are carried together.
enum { ERI_FRAMES64 = 16, ERI_FRAMES32 = 32 };

typedef double eri_vec64 __attribute__((vector_size(64), aligned(64)));
typedef float eri_vec32 __attribute__((vector_size(64), aligned(64)));

typedef struct eri_frames64 eri_frames64;
typedef struct eri_frames32 eri_frames32;

/// The sweep of a model as constants, and work space.   Errors: ER_ERROR_MEMORY.
er_result eri_frames64_create(er_arena *arena, const struct er_kinematics *k, eri_frames64 **out);
er_result eri_frames32_create(er_arena *arena, const struct er_kinematics *k, eri_frames32 **out);

/// A matrix in the order that eri_frames*_blend() reads it, for `count` columns.   Errors: ER_ERROR_MEMORY.
er_result eri_frames64_pack(er_arena *arena, int rows, int count, const double *columns, double **out);
er_result eri_frames32_pack(er_arena *arena, int rows, int count, const double *columns, float **out);

/// x = matrix * signal, for ERI_FRAMES* frames.
/// @param matrix  packed, rows x count
/// @param signal  [count x 2 vectors]
/// @param x       [rows rounded up to 8, x 2 vectors], written
void eri_frames64_blend(int rows, int count, const double *matrix, const eri_vec64 *signal, eri_vec64 *x);
void eri_frames32_blend(int rows, int count, const float *matrix, const eri_vec32 *signal, eri_vec32 *x);

/// Poses of ERI_FRAMES* displacements, loops open, centres of mass put back.
/// @param halvings  [body_count], of the links: no rotation vector of the joint is longer than pi 2^halvings
/// @param x         [width x 2 vectors]
/// @param stride    from row to row of `pose`, >= ERI_FRAMES*
/// @param pose      [body_count x 7 x stride], ERI_FRAMES* of each row written: w x y z of the quaternion, x y z of the
///                  position
void eri_frames64_pose(const eri_frames64 *f, const int *halvings, const eri_vec64 *x, size_t stride, double *pose);
void eri_frames32_pose(const eri_frames32 *f, const int *halvings, const eri_vec32 *x, size_t stride, float *pose);

#endif
