/// @file
/// Room `bench`, poser: poses of many frames as one would program them by hand, for comparison with er_motion_frames().
/// Nothing here is used by the library.
#ifndef ERI_TOOLS_BENCH_POSER_H
#define ERI_TOOLS_BENCH_POSER_H

#include <eigenrig/motion.h>

/// Sines by libm, their product with the modes by cblas_sgemm, then frame by frame down the tree with sinf, cosf and
/// quaternions of floats; the centre of mass stays at its place. All in single precision but the count of cycles.
typedef struct bench_poser bench_poser;

/// Works for the rigs of the bench without loops.
/// @param motion  its components without envelope or damping; must outlive the result
/// @return NULL without memory; else for bench_poser_destroy()
bench_poser *bench_poser_create(er_context *context, const er_modes *modes, const er_motion *motion);

/// @param time  [count], s
/// @param pose  [count x body_count x 7], written: w x y z of the quaternion, x y z of the position, m
void bench_poser_pose(bench_poser *poser, int count, const double *time, float *pose);

/// NULL is fine.
void bench_poser_destroy(bench_poser *poser);

#endif
