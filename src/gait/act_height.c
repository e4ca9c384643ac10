// Flights of presets in time: the centre of mass is pushed off at a constant acceleration, falls freely, and is stopped
// at a constant acceleration.
#include <math.h>

#include "gait/act.h"

static double key_at(const eri_act_track *t, double at)
{
    for (int i = 0; t != NULL && i < t->count; ++i)
        if (t->at[i] == at) return t->value[i];
    return 0.0;
}

er_result eri_act_find_ends(er_context *context, const eri_act *act, eri_act_ends *out)
{
    const eri_act_track *up = eri_act_find(act, ERI_ACT_BODY, WAY_UP),
                        *jump = eri_act_find(act, ERI_ACT_BODY, ERI_ACT_JUMP),
                        *fall = eri_act_find(act, ERI_ACT_BODY, ERI_ACT_FALL);
    const eri_act_track *flight = jump != NULL ? jump : fall;
    *out = (eri_act_ends){0};
    if (flight == NULL) return ER_OK;
    double from = jump != NULL ? flight->at[0] : 0.0, to = flight->at[flight->count - 1];
    *out = (eri_act_ends){.flies = true,
                          .falls = jump == NULL,
                          .at = {from, to},
                          .height = {key_at(up, from), key_at(up, to)},
                          .top = flight->most};
    if (out->height[1] >= 0.0 || (!out->falls && out->height[0] > 0.0))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a preset that jumps or falls needs a negative key of body:up at both ends of the flight");
    return ER_OK;
}

void eri_act_plan(const eri_act_ends *ends, double metres, double seconds, double gravity, double low,
                  eri_act_height *out)
{
    *out = (eri_act_height){.flies = ends->flies,
                            .falls = ends->falls,
                            .from = ends->at[0],
                            .to = ends->at[1],
                            .depth = {ends->depth[0], ends->depth[1]},
                            .low = low,
                            .top = ends->top * metres,
                            .gravity = gravity};
    double high = fmax(out->top + low, 0.0);
    out->speed = sqrt(2.0 * gravity * high);
    double rise = out->speed / gravity, push = ends->falls ? 0.0 : 2.0 * fmax(out->depth[0] - low, 0.0) / out->speed,
           stop = 2.0 * fmax(out->depth[1] - low, 0.0) / out->speed;
    out->begin = out->from * seconds;
    out->leave = out->begin + push;
    out->touch = out->leave + (out->falls ? rise : 2.0 * rise);
    out->end = out->touch + stop;
    out->seconds = out->end + (1.0 - out->to) * seconds;
}

double eri_act_fraction(const eri_act_height *h, double time)
{
    if (!h->flies) return time / h->seconds;
    if (time < h->begin) return h->from * time / h->begin;
    if (time < h->end) return h->from + (h->to - h->from) * (time - h->begin) / (h->end - h->begin);
    return h->to + (1.0 - h->to) * (time - h->end) / fmax(h->seconds - h->end, 1e-12);
}

double eri_act_height_at(const eri_act_height *h, const eri_act *act, double metres, double share, double time)
{
    if (!h->flies || time <= h->begin || time >= h->end) {
        double value = metres * eri_act_value(eri_act_find(act, ERI_ACT_BODY, WAY_UP), eri_act_fraction(h, time));
        return h->falls && time <= h->begin ? h->top : value < 0.0 ? share * value : value;
    }
    if (time < h->leave) {
        double t = time - h->begin, push = h->leave - h->begin;
        return -h->depth[0] + 0.5 * h->speed / push * t * t;
    }
    if (time > h->touch) {
        double t = h->end - time, stop = h->end - h->touch;
        return -h->depth[1] + 0.5 * h->speed / stop * t * t;
    }
    double t = h->falls ? time : time - 0.5 * (h->leave + h->touch);
    return h->top - 0.5 * h->gravity * t * t;
}

// Legs go on stretching as they leave, then are drawn up.
double eri_act_lift_at(const eri_act_height *h, double time, double height)
{
    const double soft = 0.6, tuck = 0.15; // of `low`, of the flight's height
    if (!h->flies || (!h->falls && time <= h->leave) || time >= h->touch) return 0.0;
    double u = height + h->low, all = h->falls ? 2.0 * h->touch : h->touch - h->leave,
           s = h->falls ? 0.5 + time / all : (time - h->leave) / all, bell = 16.0 * s * s * (1.0 - s) * (1.0 - s);
    return u > 0.0 ? u * u / (u + soft * h->low + 1e-12) + tuck * bell * (h->top + h->low) : 0.0;
}
