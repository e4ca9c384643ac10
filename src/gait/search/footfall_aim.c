// How far the footfalls of a stride are from those of another.
#include "gait/stride.h"

double eri_footfalls_apart(const eri_footfall_aim *aim, er_gait_family family, const eri_stride *s)
{
    static const double OTHER_FAMILY = 12.0, PHASES = 4.0, DUTIES = 4.0;
    double re = 0.0, im = 0.0, duties = 0.0;
    int count = 0;
    for (int f = 0; f < s->feet; ++f) {
        const er_gait_step *wanted = &aim->step[f], *made = &s->step[f];
        if (wanted->duty < 0.0) continue;
        double lag = made->phase + 0.5 * made->duty - wanted->phase - 0.5 * wanted->duty; // of mid-stance
        re += cos(2.0 * ER_PI * lag);
        im += sin(2.0 * ER_PI * lag);
        duties += fabs(made->duty - wanted->duty);
        ++count;
    }
    double apart = count > 0 ? PHASES * (1.0 - hypot(re, im) / count) + DUTIES * duties / count : 0.0;
    return apart + (!aim->any_family && aim->family != family ? OTHER_FAMILY : 0.0);
}
