// A number that is not as it should be.
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/// Fails, with both numbers, unless they are so near each other.
static inline void near(double is, double wanted, double within)
{
    if (!(fabs(is - wanted) <= within)) fail_msg("%.12g is not within %g of %.12g", is, within, wanted);
}

#endif
