/// @file
/// Distances and depths of hulls by trying everything, in long double.
#ifndef TESTS_COLLIDE_JUDGE_H
#define TESTS_COLLIDE_JUDGE_H

#include <eigenrig/collide.h>

/// The distance of the surfaces: every vertex against every triangle, every edge against every edge.
double judge_distance(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b);

/// The widest gap along any normal of a face or common normal of two edges, by all vertices: the distance's sign, and
/// where that is negative the depth.
double judge_gap(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b);

/// The least distance of two features.
double judge_features(const er_hull *a, er_pose pose_a, er_feature fa, const er_hull *b, er_pose pose_b, er_feature fb);

#endif
