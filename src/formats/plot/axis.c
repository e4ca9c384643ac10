// An axis of a drawing: where values come to lie, linear or logarithmic, and round numbers along it.
#include "formats/plot/axis.h"

#include <math.h>
#include <stdio.h>

#include "formats/plot/svg.h"

double eri_axis_at(const eri_axis *axis, double value)
{
    double low = axis->low, high = axis->high;
    value = fmin(fmax(value, low), high);
    double part = axis->logarithmic ? (log(value) - log(low)) / (log(high) - log(low)) : (value - low) / (high - low);
    return axis->first + part * (axis->last - axis->first);
}

// m x 10^k, rounded once.
static double scaled(double m, int k)
{
    return k < 0 ? m / pow(10.0, -k) : m * pow(10.0, k);
}

static void add(eri_ticks *ticks, const eri_axis *axis, double value)
{
    if (ticks->count == ERI_TICK_MOST || value < axis->low || value > axis->high) return;
    ticks->value[ticks->count++] = value;
}

static void give_names(eri_ticks *ticks, int digits)
{
    for (int i = 0; i < ticks->count; ++i)
        snprintf(ticks->name[i], ERI_TICK_TEXT, "%s%.*g", ticks->value[i] < 0.0 ? "\xE2\x88\x92" : "", digits,
                 fabs(ticks->value[i]));
}

// Every step-th multiple of 1, 2 or 5 times a power of ten, the finest step with at most `most` in the axis.
static eri_ticks linear_ticks(const eri_axis *axis, int most)
{
    static const double round[] = {1.0, 2.0, 5.0, 10.0};
    eri_ticks ticks = {0};
    double wanted = (axis->high - axis->low) / most;
    int k = (int)floor(log10(wanted)), i = 0;
    while (i < 3 && scaled(round[i], k) < wanted)
        ++i;
    double first = ceil(axis->low / scaled(round[i], k) - 1e-9);
    for (int n = 0; n <= most; ++n)
        add(&ticks, axis, scaled((first + n) * round[i], k));
    return ticks;
}

// Powers of ten, every stride-th; between neighbouring ones 2 and 5 times them where `dense`.
static eri_ticks log_ticks(const eri_axis *axis, int stride, bool dense)
{
    eri_ticks ticks = {0};
    int last = (int)floor(log10(axis->high));
    for (int k = (int)floor(log10(axis->low)); k <= last; ++k) {
        if (k % stride != 0) continue;
        add(&ticks, axis, scaled(1.0, k));
        if (dense) add(&ticks, axis, scaled(2.0, k));
        if (dense) add(&ticks, axis, scaled(5.0, k));
    }
    return ticks;
}

static bool have_room(const eri_axis *axis, const eri_ticks *ticks, double room, bool along)
{
    for (int i = 1; i < ticks->count; ++i) {
        double names = eri_svg_width(ticks->name[i - 1], ERI_SVG_FONT) + eri_svg_width(ticks->name[i], ERI_SVG_FONT);
        double apart = fabs(eri_axis_at(axis, ticks->value[i]) - eri_axis_at(axis, ticks->value[i - 1]));
        if (apart < room + (along ? names / 2.0 : 0.0)) return false;
    }
    return true;
}

eri_ticks eri_axis_ticks(const eri_axis *axis, double room, bool along)
{
    eri_ticks ticks;
    for (int coarser = 0; coarser < ERI_TICK_MOST - 1; ++coarser) {
        ticks = axis->logarithmic ? log_ticks(axis, coarser > 0 ? coarser : 1, coarser == 0)
                                  : linear_ticks(axis, ERI_TICK_MOST - 1 - coarser);
        give_names(&ticks,
                   along && !axis->logarithmic ? 15 : 6); // no more, so that a round number reads as it is meant
        if (have_room(axis, &ticks, room, along)) break;
    }
    return ticks;
}
