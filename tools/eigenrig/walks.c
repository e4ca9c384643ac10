// Gaits in full dynamics: how far each one walks before it falls, as a table and as clips.
#include <stdlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "tools/eigenrig/cli.h"
#include "viewer/render/heights.h"

enum { MOST_PICTURE = 1 << 28 }; // bytes

static bool can_walk(const er_gait *gait)
{
    return gait->family != ER_GAIT_SWIM && gait->family != ER_GAIT_FLAP;
}

// Reads a picture of heights, or names the file of a mesh.
// @param value  written: owned by the caller, heights refer to it
static er_result read_terrain(er_context *context, const options *o, project_heights *heights, float **value,
                              project_walk_def *def)
{
    er_arena *arena = NULL;
    er_image image = {.name = o->terrain, .mime = "image/png"};
    uint8_t *bytes = NULL;
    bool picture = o->terrain != NULL && er_path_ends_in(o->terrain, ".png");
    if (!picture) {
        def->terrain = o->terrain;
        return ER_OK;
    }
    er_result r = eri_arena_create(context, &arena);
    if (r == ER_OK) r = eri_file_read(arena, o->terrain, MOST_PICTURE, &bytes, &image.size);
    image.bytes = bytes;
    if (r == ER_OK) *value = heights_decode(&image, &heights->columns, &heights->rows);
    if (r == ER_OK && *value == NULL)
        r = er_fail(context, ER_ERROR_FORMAT, "%s: no PNG of at least 2 by 2 pixels", o->terrain);
    heights->value = *value;
    def->heights = heights;
    eri_arena_destroy(arena);
    return r;
}

er_result try_walks(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                    const er_gaits *gaits, project_walk *out)
{
    project_walk_def def = o->walk;
    project_heights heights = {.length = o->terrain_length, .rise = o->terrain_rise};
    float *value = NULL;
    er_result r = read_terrain(context, o, &heights, &value, &def);
    if (r == ER_OK && o->walk_style != NULL) r = project_walk_read_style(context, o->walk_style, &def.style);
    er_result (*const try)(er_context *, const er_model *, const er_rig *, const er_modes *, const er_gaits *,
                           const er_gait *, const project_walk_def *, project_walk *) =
        o->walk_style != NULL ? project_walk_simulate : project_walk_carefully;
    progress bar = progress_begin(o, "simulations");
    def.fps = o->recording.fps;
    for (int i = 0; i < gaits->count && r == ER_OK; ++i) {
        const er_gait *gait = &gaits->gait[i];
        if (can_walk(gait) || gaits->count == 1) r = try(context, l->model, l->rig, modes, gaits, gait, &def, &out[i]);
        if (r == ER_OK && out[i].passing > 0 && o->verbose && !o->quiet)
            print_note("%s: %d shapes that it drags along the ground pass through it", gait->name, out[i].passing);
        progress_step(&bar, i + 1, gaits->count);
    }
    progress_end(&bar);
    if (r == ER_OK && o->tune_walk > 0.0) r = tune_walks(context, o, l, modes, gaits, &def, out);
    free(value);
    return r;
}

void print_walks(const er_gaits *gaits, const project_walk *walk)
{
    char how[256], style[256];
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
        project_walk_write_style(&w->style, style, sizeof style);
        printf("%-12s %7.3g %7.3g %6.3g %6.3g %4d/%d %4.1f%% %6.3g %6.2g %6.2g  %s%s%s\n", gaits->gait[i].name,
               w->distance, w->distance / w->length, w->time, w->distance / w->time, w->survived, w->pushes,
               100.0 * w->slip, w->cost, w->animal, w->torque, how, *style != '\0' ? ", with --walk " : "", style);
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
