// The first and last steps of gaits beside items in which feet stand: whole steps, and none begun in mid-swing.
#include "gait/stride/sequence.h"

// Strides from a phase to the next lift-off of a foot.
static double until_lift(const eri_sequence_source *g, int f, double phase)
{
    double left = eri_fraction(g->touch[f] - g->offset + g->duty[f] - phase);
    return left > 1.0 - 1e-6 ? 0.0 : left;
}

double eri_sequence_first_phase(const eri_sequence *s, int i)
{
    const eri_sequence_source *g = &s->source[i];
    double best = 0.0, least = HUGE_VAL;
    for (int c = 0; c < s->body->foot_count; ++c) {
        double phase = eri_fraction(g->touch[c] - g->offset + g->duty[c]), most = 0.0;
        if (!eri_sequence_steps(g, c)) continue;
        for (int f = 0; f < s->body->foot_count; ++f)
            if (eri_sequence_steps(g, f)) most = fmax(most, until_lift(g, f, phase));
        if (!(most < least - 1e-9)) continue;
        least = most;
        best = phase;
    }
    return best;
}

// The time at which the clock of strides, which runs from `first` on, has come to a phase.
static double time_at(const eri_sequence *s, int first, double phase)
{
    int k = first;
    while (k + 2 < s->frames && s->phase[k + 1] < phase)
        ++k;
    double rate = (s->phase[k + 1] - s->phase[k]) / (s->time[k + 1] - s->time[k]);
    return rate > 0.0 ? s->time[k] + (phase - s->phase[k]) / rate : s->time[k];
}

// The first frame at or after a time, with a frame after it.
static int frame_at(const eri_sequence *s, double t)
{
    int k = 0;
    while (k + 2 < s->frames && s->time[k] < t - 1e-9)
        ++k;
    return k;
}

// From standing: a foot leaves the ground when the gait lifts it, and is the gait's when that puts it down.
static void begin_steps(const eri_sequence *s, int i, int f, double *span)
{
    const eri_sequence_source *g = &s->source[i];
    int k = frame_at(s, s->begin[i] - 0.5 * s->blend[i]);
    double lift = s->phase[k] + until_lift(g, f, s->phase[k]);
    if (until_lift(g, f, s->phase[k]) > 1.0 - s->phase[k + 1] + s->phase[k]) lift -= 1.0; // between two frames
    span[0] = time_at(s, k, lift);
    span[1] = time_at(s, k, lift + 1.0 - g->duty[f]);
}

// To standing: a foot stays where the gait puts it down last. A swing that is half done is finished.
static void end_steps(const eri_sequence *s, int i, int f, double *span)
{
    const eri_sequence_source *g = &s->source[i - 1];
    double end = s->begin[i] + 0.5 * s->blend[i];
    int k = frame_at(s, end), first = frame_at(s, s->begin[i - 1]);
    double left = until_lift(g, f, s->phase[k]), swing = 1.0 - g->duty[f], down = s->phase[k] + left - g->duty[f];
    if (left > g->duty[f] + 0.5 * swing) down -= 1.0; // the swing has hardly begun
    span[1] = time_at(s, first, down);
    if (span[1] > s->time[s->frames - 1]) span[1] = time_at(s, first, down -= 1.0);
    span[0] = time_at(s, first, down - swing);
}

void eri_sequence_set_spans(eri_sequence *s)
{
    int feet = s->body->foot_count;
    for (int i = 1; i < s->count && s->fixed == NULL; ++i)
        for (int f = 0; f < feet; ++f) {
            double *span = s->span[i * feet + f], *before = s->span[(i - 1) * feet + f];
            const double all[2] = {s->begin[i] - 0.5 * s->blend[i], s->begin[i] + 0.5 * s->blend[i]};
            span[0] = all[0];
            span[1] = all[1];
            if (s->source[i - 1].stands && s->item[i].gait != NULL && eri_sequence_steps(&s->source[i], f))
                begin_steps(s, i, f, span);
            else if (s->item[i - 1].gait != NULL && s->source[i].stands && eri_sequence_steps(&s->source[i - 1], f))
                end_steps(s, i, f, span);
            if (span[1] > span[0] && (i == 1 || span[0] >= before[1])) continue;
            span[0] = all[0];
            span[1] = all[1];
            if (i == 1) continue;
            before[0] = s->begin[i - 1] - 0.5 * s->blend[i - 1];
            before[1] = s->begin[i - 1] + 0.5 * s->blend[i - 1];
        }
}
