/// @file
/// Shapes and poses that the tests of `collide` share.
#include "collide/shapes.h"

#include "support/context.h"

double roll(dice *d, double low, double high)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    return low + (high - low) * (double)(d->state >> 11) * 0x1p-53;
}

int roll_int(dice *d, int low, int high)
{
    return low + (int)(roll(d, 0, 1) * (high - low + 1));
}

er_vec3 roll_in_box(dice *d, double half)
{
    double x = roll(d, -half, half), y = roll(d, -half, half);
    return er_v3(x, y, roll(d, -half, half));
}

er_vec3 roll_direction(dice *d)
{
    er_vec3 v;
    do
        v = roll_in_box(d, 1);
    while (er_v3_norm(v) > 1 || er_v3_norm(v) < 0.1);
    return er_v3_unit(v, v);
}

er_quat roll_rotation(dice *d)
{
    double angle = roll(d, 0, ER_PI); // first: the order of arguments is the compiler's
    return er_q_exp(er_v3_scale(angle, roll_direction(d)));
}

er_hull *hull_of(int count, const er_vec3 *point)
{
    er_hull *hull;
    if (er_hull_create(context, count, point, &hull) != ER_OK) fail_msg("%s", er_context_error(context));
    return hull;
}

void box_points(er_vec3 centre, double x, double y, double z, er_vec3 *point)
{
    for (int i = 0; i < 8; ++i)
        point[i] = er_v3_add(centre, er_v3(i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2, i & 4 ? z / 2 : -z / 2));
}

er_hull *box_hull(double x, double y, double z)
{
    er_vec3 point[8];
    box_points(er_v3(0, 0, 0), x, y, z, point);
    return hull_of(8, point);
}

int roll_points(dice *d, int kind, int count, double size, er_vec3 *point)
{
    er_quat turn = roll_rotation(d);
    for (int i = 0; i < count; ++i) {
        double angle = 2 * ER_PI * (i / 2) / ((count + 1) / 2);
        er_vec3 x = kind == 0   ? roll_direction(d)
                    : kind == 1 ? roll_in_box(d, 1)
                    : kind == 2 ? er_v3(roll(d, -1, 1), roll(d, -1, 1), roll(d, -1e-6, 1e-6)) // a plate
                    : kind == 3 ? er_v3(roll(d, -1, 1), roll(d, -1e-6, 1e-6), roll(d, -1e-6, 1e-6))
                    : kind == 4 ? er_v3(cos(angle), sin(angle), i % 2 == 0 ? -1 : 1) // a prism, its sides of 2 points
                                : er_v3(cos(angle), sin(angle), 0);
        if (kind == 5 && i % 2 == 1) x = er_v3(0, 0, 1); // a cone: one tip, often given
        point[i] = er_v3_scale(size, er_q_rotate(turn, x));
    }
    return count;
}

er_hull *roll_hull(dice *d, int kind, int count, double size)
{
    er_vec3 point[MOST_POINTS];
    if (kind >= 4 && count < 6) count = 6;
    return hull_of(roll_points(d, kind, count, size, point), point);
}
