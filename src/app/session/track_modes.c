// Components and aims follow their modes through a change of the rig.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/session/session_inside.h"

static const double doubtful = 0.7;

static void retune(session_component *v, int mode, bool turned)
{
    v->mode = mode;
    if (turned) v->phase += v->phase > 0.0 ? -ER_PI : ER_PI;
}

static void follow(const er_modes *was, const er_modes *now, const er_mode_match *match, session_setup *setup,
                   char *message, size_t size)
{
    int kept = 0, lost = 0;
    for (int i = 0; i < setup->component_count; ++i) {
        session_component v = setup->component[i];
        int mode = v.mode - was->first;
        if (mode < 0 || mode >= was->count) continue; // dropped
        const er_mode_match *m = &match[mode];
        if (m->now < 0) {
            snprintf(message, size, "mode %d is not there any more and was taken out of the mix", v.mode);
            continue;
        }
        retune(&v, er_modes_index(now, &now->mode[m->now]), m->likeness < 0.0);
        if (m->group_likeness < doubtful && lost++ == 0)
            snprintf(message, size, "mode %d has changed its shape: mode %d is most like it, by %.0f %%",
                     setup->component[i].mode, v.mode, 100.0 * m->group_likeness);
        setup->component[kept++] = v;
    }
    setup->component_count = kept;
}

// An aim whose mode is gone is dropped.
static void follow_aims(const er_modes *was, const er_modes *now, const er_mode_match *match, session_setup *setup)
{
    int kept = 0;
    for (int i = 0; i < setup->aim_count; ++i) {
        session_aim aim = setup->aim[i];
        int mode = aim.mode - was->first;
        if (mode < 0 || mode >= was->count || match[mode].now < 0) continue;
        aim.mode = er_modes_index(now, &now->mode[match[mode].now]);
        setup->aim[kept++] = aim;
    }
    setup->aim_count = kept;
}

er_result session_track_modes(er_context *context, const layers *was, const layers *next, session_setup *setup,
                              char *message, size_t size)
{
    const er_modes *before = was->solution.modes, *now = next->solution.modes;
    if (setup->component_count == 0 && setup->aim_count == 0) return ER_OK;
    er_mode_match *match = calloc((size_t)before->count + 1, sizeof *match);
    if (match == NULL) return eri_no_memory(context);
    er_result r = er_modes_match(context, was->tuned->model, before, next->tuned->model, now, match);
    if (r == ER_OK) follow(before, now, match, setup, message, size);
    if (r == ER_OK) follow_aims(before, now, match, setup);
    free(match);
    return r;
}
