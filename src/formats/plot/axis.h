/// @file
/// Private: numbers onto pixels.
#ifndef ERI_FORMATS_PLOT_AXIS_H
#define ERI_FORMATS_PLOT_AXIS_H

#include <eigenrig/base.h>

/// An axis; value low stands at pixel first, high at pixel last.
typedef struct eri_axis {
    bool logarithmic;
    double low, high; ///< low < high; both > 0 where logarithmic
    double first, last;
} eri_axis;

enum { ERI_TICK_MOST = 16, ERI_TICK_TEXT = 40 };

/// Round values within an axis, ascending, with their names.
typedef struct eri_ticks {
    int count;
    double value[ERI_TICK_MOST];
    char name[ERI_TICK_MOST][ERI_TICK_TEXT]; ///< UTF-8
} eri_ticks;

/// The pixel of a value, which is kept within the axis.
double eri_axis_at(const eri_axis *axis, double value);

/// As many ticks as have room.
/// @param along  names stand side by side; else above each other, and short
/// @param room   pixels from tick to tick at least, from name to name where `along`
eri_ticks eri_axis_ticks(const eri_axis *axis, double room, bool along);

#endif
