// Gaits in full dynamics: how far each one walks before it falls, as a table and as clips.
#include <stdlib.h>

#include "tools/eigenrig/cli.h"

static bool can_walk(const er_gait *gait)
{
    return gait->family != ER_GAIT_SWIM && gait->family != ER_GAIT_FLAP;
}

er_result try_walks(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                    const er_gaits *gaits, project_walk *out)
{
    project_walk_def def = o->walk;
    progress bar = progress_begin(o, "simulations");
    er_result r = ER_OK;
    def.fps = o->recording.fps;
    for (int i = 0; i < gaits->count && r == ER_OK; ++i) {
        const er_gait *gait = &gaits->gait[i];
        if (can_walk(gait) || gaits->count == 1)
            r = project_walk_simulate(context, l->model, l->rig, modes, gaits, gait, &def, &out[i]);
        if (r == ER_OK && out[i].passing > 0 && o->verbose && !o->quiet)
            print_note("%s: %d shapes that it drags along the ground pass through it", gait->name, out[i].passing);
        progress_step(&bar, i + 1, gaits->count);
    }
    progress_end(&bar);
    return r;
}

void print_walks(const er_gaits *gaits, const project_walk *walk)
{
    char how[256];
    printf("\n%-12s %7s %7s %6s %6s %6s %5s %6s %6s %6s  %s\n", "simulated", "walks m", "lengths", "for s", "m/s",
           "pushes", "slip", "cost", "animal", "m g L", "until");
    for (int i = 0; i < gaits->count; ++i) {
        const project_walk *w = &walk[i];
        if (w->simulation.frames.frame_count == 0) {
            printf("%-12s %7s %7s %6s %6s %6s %5s %6s %6s %6s  it needs water or air, and there is only ground\n",
                   gaits->gait[i].name, "-", "-", "-", "-", "-", "-", "-", "-", "-");
            continue;
        }
        project_walk_explain_end(w, how, sizeof how);
        printf("%-12s %7.3g %7.3g %6.3g %6.3g %4d/%d %4.1f%% %6.3g %6.2g %6.2g  %s\n", gaits->gait[i].name, w->distance,
               w->distance / w->length, w->time, w->distance / w->time, w->survived, w->pushes, 100.0 * w->slip,
               w->cost, w->animal, w->torque, how);
    }
}

er_result record_walk(er_context *context, const er_gait *gait, const project_walk *walk,
                      const er_recording_target *target, er_recording **out)
{
    char name[80];
    if (walk->simulation.frames.frame_count < 2) return ER_OK;
    snprintf(name, sizeof name, "%s simulated", gait->name);
    return project_record_simulation(context, &walk->simulation, target, name, out);
}
