// Colours as they are given, in sRGB, and as light adds up, linear.
#include <math.h>

#include "viewer/draw/painter.h"

float linear_of(float srgb)
{
    return srgb <= 0.04045f ? srgb / 12.92f : powf((srgb + 0.055f) / 1.055f, 2.4f);
}
