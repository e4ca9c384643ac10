// A body of two feet that has no more than strides ask for, and an arena beside the context.
#include "plain.h"

#include <math.h>

er_arena *arena;

int set_up_plain(void **state)
{
    return set_up(state) == 0 && eri_arena_create(context, &arena) == ER_OK ? 0 : 1;
}

int tear_down_plain(void **state)
{
    eri_arena_destroy(arena);
    return tear_down(state);
}

const er_gait_foot two_feet[2] = {{.name = "L", .side = 1, .mirror = 1}, {.name = "R", .side = -1, .mirror = 0}};

er_gait_body plain_body(void)
{
    return (er_gait_body){.up = {0, 1, 0},
                          .forward = {0, 0, 1},
                          .left = {1, 0, 0},
                          .height = 2.0,
                          .leg = 1.0,
                          .gravity = 9.81,
                          .foot_count = 2,
                          .foot = two_feet};
}

void expect_near(double found, double known, double apart, const char *what)
{
    if (!(fabs(found - known) <= apart)) fail_msg("%s is %.12g, not %.12g", what, found, known);
}
