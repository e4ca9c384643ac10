/// @file
/// Shapes and poses that the tests of `collide` share.
#ifndef TESTS_COLLIDE_SHAPES_H
#define TESTS_COLLIDE_SHAPES_H

#include <eigenrig/collide.h>

/// Numbers by chance, the same in every run.
typedef struct dice {
    uint64_t state;
} dice;

double roll(dice *d, double low, double high);
int roll_int(dice *d, int low, int high); ///< [low, high]
er_vec3 roll_direction(dice *d);
er_quat roll_rotation(dice *d);
er_vec3 roll_in_box(dice *d, double half);

/// A hull made or the test failed.
er_hull *hull_of(int count, const er_vec3 *point);

/// Sides (x, y, z) around the origin, or around `centre`.
er_hull *box_hull(double x, double y, double z);
void box_points(er_vec3 centre, double x, double y, double z, er_vec3 *point);

/// Points by chance: on a ball (round), in a box, in a thin plate or needle, on a cone or a prism of a fan of corners;
/// stretched by `size`.   @return how many
enum { KINDS = 6, MOST_POINTS = 500 };
int roll_points(dice *d, int kind, int count, double size, er_vec3 *point);
er_hull *roll_hull(dice *d, int kind, int count, double size);

#endif
