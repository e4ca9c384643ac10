// Components follow their modes by shape, as long as the bodies stay the same.
#include <stdio.h>
#include <stdlib.h>

#include "app/session/session_inside.h"

static const double unmistakable = 0.7072; // above sqrt(1/2) no other mode can be as similar
static const double doubtful = 0.7;

// The k-th index outwards from `from`, of [0, count): from, from + 1, from - 1, ...
static int outwards(int from, int count, int k)
{
    int below = from, above = count - 1 - from, near = below < above ? below : above;
    if (k <= 2 * near) return k % 2 == 1 ? from + (k + 1) / 2 : from - k / 2;
    return below < above ? k : count - 1 - k;
}

// The most similar mode to a shape, of those not taken.
static int most_alike(const er_model *model, const er_modes *modes, const double *shape, int from, const bool *taken,
                      double *likeness)
{
    int best = -1;
    *likeness = 0.0;
    for (int k = 0; k < modes->count; ++k) {
        int at = outwards(from < modes->count ? from : modes->count - 1, modes->count, k);
        if (taken[at]) continue;
        double c = er_mode_likeness(model, 1.0, shape, modes->mode[at].body);
        if (best >= 0 && fabs(c) <= fabs(*likeness)) continue;
        best = at;
        *likeness = c;
        if (fabs(c) > unmistakable) break;
    }
    return best;
}

// The new modes of the components' old ones.
typedef struct follower {
    const er_model *model;
    const er_modes *was, *now;
    int *found;     // [was->count], the new mode; -1: not searched yet
    double *cosine; // [was->count]
    bool *taken;    // [now->count]
} follower;

static void look_for(follower *f, int mode)
{
    if (f->found[mode] >= 0) return;
    f->found[mode] = most_alike(f->model, f->now, f->was->mode[mode].body, mode, f->taken, &f->cosine[mode]);
    if (f->found[mode] >= 0) f->taken[f->found[mode]] = true;
}

static void retune(session_component *v, int mode, bool turned)
{
    v->mode = mode;
    if (turned) v->phase += v->phase > 0.0 ? -ER_PI : ER_PI;
}

static void follow_shapes(follower *f, session_setup *setup, char *message, size_t size)
{
    int kept = 0, lost = 0;
    for (int i = 0; i < setup->component_count; ++i) {
        session_component v = setup->component[i];
        int mode = v.mode - f->was->first;
        if (mode < 0 || mode >= f->was->count) continue; // dropped
        look_for(f, mode);
        if (f->found[mode] < 0) {
            snprintf(message, size, "mode %d is not there any more and was taken out of the mix", v.mode);
            continue;
        }
        double likeness = fabs(f->cosine[mode]);
        retune(&v, f->now->first + f->found[mode], f->cosine[mode] < 0.0);
        if (likeness < doubtful && lost++ == 0)
            snprintf(message, size, "mode %d has changed its shape: mode %d is most like it, by %.0f %%",
                     setup->component[i].mode, v.mode, 100.0 * likeness);
        setup->component[kept++] = v;
    }
    setup->component_count = kept;
}

// If the bodies changed, shapes cannot be compared, so indices stay if such modes exist.
static void follow_indices(const er_modes *now, session_setup *setup, char *message, size_t size)
{
    int kept = 0;
    for (int i = 0; i < setup->component_count; ++i)
        if (setup->component[i].mode < now->first + now->count) setup->component[kept++] = setup->component[i];
    snprintf(message, size, "the rig has other bodies now: the mix keeps the indices of its modes, not their shapes");
    setup->component_count = kept;
}

er_result session_track_modes(er_context *context, const layers *was, const layers *next, session_setup *setup,
                              char *message, size_t size)
{
    follower f = {next->tuned->model, was->solution.modes, next->solution.modes, NULL, NULL, NULL};
    if (setup->component_count == 0) return ER_OK;
    if (was->tuned->model->body_count != f.model->body_count) {
        follow_indices(f.now, setup, message, size);
        return ER_OK;
    }
    f.found = malloc(((size_t)f.was->count + 1) * sizeof *f.found);
    f.cosine = calloc((size_t)f.was->count + 1, sizeof *f.cosine);
    f.taken = calloc((size_t)f.now->count + 1, sizeof *f.taken);
    bool all = f.found != NULL && f.cosine != NULL && f.taken != NULL;
    for (int k = 0; all && k < f.was->count; ++k)
        f.found[k] = -1;
    if (all) follow_shapes(&f, setup, message, size);
    free(f.found);
    free(f.cosine);
    free(f.taken);
    return all ? ER_OK : eri_no_memory(context);
}
