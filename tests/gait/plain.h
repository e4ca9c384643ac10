// A body of two feet that has no more than strides ask for, and an arena beside the context.
#ifndef TESTS_GAIT_PLAIN_H
#define TESTS_GAIT_PLAIN_H

#include "base/arena.h"
#include "walkers.h"

// From set_up_plain to tear_down_plain.
extern er_arena *arena;

int set_up_plain(void **state);
int tear_down_plain(void **state);

extern const er_gait_foot two_feet[2];

er_gait_body plain_body(void);

void expect_near(double found, double known, double apart, const char *what);

#endif
