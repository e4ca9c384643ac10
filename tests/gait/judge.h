/// @file
/// Motions of gaits judged from their poses alone; each fails the test.
#ifndef TESTS_GAIT_JUDGE_H
#define TESTS_GAIT_JUDGE_H

#include <eigenrig/gait.h>

/// Feet stay on the ground and on their places there while they stand, and nothing sinks.
void expect_held_feet(const er_model *model, const er_gait_body *body, const er_gait *gait, const er_gait_motion *m);

/// The last frame is the first, and the seam is no rougher than the rest.
void expect_a_closed_loop(const er_model *model, const er_gait_motion *m);

/// The body goes straight ahead by a stride in the stride's time, its joints closed.
void expect_travel(const er_model *model, const er_gait_body *body, const er_gait *gait, const er_gait_motion *m);

#endif
