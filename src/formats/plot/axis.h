/// @file
/// Private: numbers onto pixels.
#ifndef ER_FORMATS_PLOT_AXIS_H
#define ER_FORMATS_PLOT_AXIS_H

#include <eigenrig/base.h>

/// An axis; value low stands at pixel first, high at pixel last.
typedef struct er_axis {
    bool logarithmic;
    double low, high; ///< low < high; both > 0 where logarithmic
    double first, last;
} er_axis;

enum { ER_TICK_MOST = 16, ER_TICK_TEXT = 40 };

/// Round values within an axis, ascending, with their names.
typedef struct er_ticks {
    int count;
    double value[ER_TICK_MOST];
    char name[ER_TICK_MOST][ER_TICK_TEXT]; ///< UTF-8
} er_ticks;

/// The pixel of a value, which is kept within the axis.
double er_axis_at(const er_axis *axis, double value);

/// As many ticks as have room.
/// @param along  names stand side by side; else above each other, and short
/// @param room   pixels from tick to tick at least, from name to name where `along`
er_ticks er_axis_ticks(const er_axis *axis, double room, bool along);

#endif
