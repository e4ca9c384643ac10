// Tempi of gaits: how near a gait came to the requested tempo, and the range that a gait keeps.
#include <math.h>
#include <string.h>

#include "tools/eigenrig/cli.h"

#define OFF_PACE 0.05 // that deserves a warning

void print_tempo(const options *o, const er_gait_def *def, const er_gaits *gaits)
{
    if (gaits->lost > 0)
        print_warning(o, "%d gait%s nowhere at that tempo, and %s left out", gaits->lost,
                      gaits->lost == 1 ? " leads" : "s lead", gaits->lost == 1 ? "is" : "are");
    for (int i = 0; i < gaits->count; ++i) {
        const er_gait *g = &gaits->gait[i];
        if (def->hz > 0.0 && fabs(g->hz / def->hz - 1.0) > OFF_PACE)
            print_warning(o, "%s: %.3g strides a second, not %.3g, for a stride is whole frames of --fps", g->name,
                          g->hz, def->hz);
        else if (def->hz == 0.0 && def->speed > 0.0 && fabs(g->speed / def->speed - 1.0) > OFF_PACE)
            print_warning(o, "%s goes at %.3g m/s, not %.3g, for its stride changes with its pace", g->name, g->speed,
                          def->speed);
    }
    if (def->best != er_default_gait_def().best && gaits->count < def->best)
        print_warning(o, "%d gait%s, not %d: others are no good, or much like these", gaits->count,
                      gaits->count == 1 ? "" : "s", def->best);
}

// Finds how far a gait can move from its own pace towards the requested one, by bisection.
static er_result bring(er_context *context, const loaded *l, const er_modes *modes, er_gait_def def, const er_gait *own,
                       double *hz, double *speed)
{
    enum { TURNS = 7 };
    double beyond = def.hz > 0.0 ? def.hz : def.speed / own->stride;
    *hz = own->hz;
    *speed = own->speed;
    for (int turn = 0; turn < TURNS; ++turn) {
        er_gaits *one = NULL;
        def.hz = sqrt(*hz * beyond);
        er_result r = er_gait_of_mix(context, l->model, l->rig, modes, own->mix, &def, &one);
        if (r != ER_OK && r != ER_ERROR_RIG) return r;
        if (r == ER_OK && one->count > 0) {
            *hz = one->gait->hz;
            *speed = one->gait->speed;
        } else {
            beyond = def.hz;
        }
        er_gaits_destroy(one);
    }
    return ER_OK;
}

// @param gaits  at their own pace
static er_result print_tempi(er_context *context, const loaded *l, const er_modes *modes, const er_gait_def *def,
                             const er_gaits *gaits, const char *name)
{
    char text[512] = "";
    for (int i = 0; i < gaits->count; ++i) {
        const er_gait *g = &gaits->gait[i];
        double hz, speed;
        if (name != NULL && g != er_gaits_named(gaits, name)) continue;
        er_result r = bring(context, l, modes, *def, g, &hz, &speed);
        if (r != ER_OK) return r;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %.3g to %.3g Hz (%.3g to %.3g m/s)",
                 *text != '\0' ? ", " : "", g->name, fmin(g->hz, hz), fmax(g->hz, hz), fmin(g->speed, speed),
                 fmax(g->speed, speed));
    }
    if (*text == '\0') return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "no %s can keep that tempo; possible are %s",
                   name != NULL ? name : "gait", text);
}

er_result explain_tempo(er_context *context, const loaded *l, const er_modes *modes, const er_gait_def *def,
                        const er_gaits *left, const char *name)
{
    er_gaits *own = NULL;
    er_gait_def free = *def;
    if (left->lost == 0) return ER_OK;
    free.hz = free.speed = 0.0;
    free.progress = NULL;
    er_result r = er_gaits_find(context, l->model, l->rig, modes, &free, &own);
    if (r == ER_OK) r = print_tempi(context, l, modes, def, own, name);
    er_gaits_destroy(own);
    return r;
}
