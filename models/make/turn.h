/// @file
/// Sine and cosine from +, -, x, / alone: the same bits on every machine, which no libm promises.
#ifndef ERI_MAKE_TURN_H
#define ERI_MAKE_TURN_H

#include <math.h>

#include <eigenrig/math.h>

typedef struct cos_sin {
    double cosine, sine;
} cos_sin;

/// cos and sin of `turns` whole turns, to rounding; exact at multiples of a quarter turn.   @param turns finite
static inline cos_sin turn(double turns)
{
    double quarter = floor(4.0 * turns + 0.5);
    double x = 2.0 * ER_PI * (turns - 0.25 * quarter), x2 = x * x; // |x| <= pi / 4
    double sine = 0.0, cosine = 0.0;
    for (int k = 20; k > 0; k -= 2) { // Horner on the Taylor series: 1 - x^2/2 (1 - x^2/12 (...))
        cosine = x2 / (k * (k - 1)) * (1.0 - cosine);
        sine = x2 / (k * (k + 1)) * (1.0 - sine);
    }
    cos_sin d = {1.0 - cosine, x * (1.0 - sine)};
    int quarters = (int)(quarter - 4.0 * floor(quarter / 4.0));
    for (int i = 0; i < quarters; ++i)
        d = (cos_sin){0.0 - d.sine, d.cosine};
    return d;
}

#endif
