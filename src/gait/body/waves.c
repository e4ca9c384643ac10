// The directions in which a body without feet bends: across the plane of its flat tail.
#include "gait/body/body.h"

typedef struct span {
    double low, high;
} span;

static const span empty = {HUGE_VAL, -HUGE_VAL};

static void widen(span *s, double x)
{
    s->low = fmin(s->low, x);
    s->high = fmax(s->high, x);
}

void eri_gait_read_waves(eri_body_reader *b)
{
    const double tail = 0.2, flat = 1.3; // of the length; how many times as tall as wide, or the other way round
    er_gait_body *out = b->out;
    span along = empty, tall = empty, wide = empty;
    for (int i = 0; i < b->cloud.count; ++i)
        widen(&along, er_v3_dot(b->cloud.point[i], out->forward));
    for (int i = 0; i < b->cloud.count; ++i) {
        er_vec3 x = b->cloud.point[i];
        if (er_v3_dot(x, out->forward) > along.low + tail * (along.high - along.low)) continue;
        widen(&tall, er_v3_dot(x, out->up));
        widen(&wide, er_v3_dot(x, out->left));
    }
    double height = tall.high - tall.low, width = wide.high - wide.low;
    out->waves[0] = out->lies || width < flat * height;
    out->waves[1] = !out->lies && height < flat * width;
}
