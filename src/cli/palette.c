#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "studio/record.h"

// One period of a mode; at a smaller amplitude where a loop cannot follow.
static er_result record_mode(er_context *context, const options *o, const loaded *l, const er_modes *modes, int k,
                             const er_take_target *target, er_take **out)
{
    int index = modes->first + k;
    double hz = modes->mode[k].frequency_hz, share;
    er_result r = studio_record_mode(context, l->model, modes, index, o->amplitude, target, &share, out);
    if (r == ER_OK && *out == NULL)
        say_warning(o, "mode %d, at %.3g Hz, is too %s for a clip and stays out", index, hz,
                    hz > 1.0 ? "fast" : "slow");
    if (share < 1.0)
        say_warning(o, "mode %d: its loop follows only %.3g of %g degrees", index, share * o->amplitude, o->amplitude);
    return r;
}

static er_result make_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                            const studio_stage *s, er_take **take, int *count)
{
    er_result r = ER_OK;
    progress bar = progress_begin(o, "clips");
    *count = 0;
    for (int k = 0; k < modes->count && r == ER_OK; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        r = record_mode(context, o, l, modes, k, &s->target, &take[*count]);
        *count += r == ER_OK && take[*count] != NULL;
        progress_step(&bar, k + 1, modes->count);
    }
    progress_end(&bar);
    return r;
}

static void warn_of_no_clips(const options *o, const er_modes *modes)
{
    for (int k = 0; k < modes->count; ++k)
        if (modes->mode[k].kind == ER_MODE_ELASTIC) return; // of which some may have been too fast or too slow
    if (modes->count < modes->dof)
        say_warning(o, "none of the %d modes asked for is elastic, so no clip was added; rigid ones count too",
                    modes->count);
    else
        say_warning(o, "the rig has no elastic mode, so no clip was added (%d mechanisms: joints without stiffness)",
                    modes->mechanism_count);
}

er_result write_palette_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                              const char *path, int *clips)
{
    studio_stage s = {0};
    int count = 0;
    er_result r = studio_stage_set(context, l->model, l->rig, &s);
    er_take **made = calloc((size_t)modes->count + 1, sizeof *made);
    er_clip *clip = calloc((size_t)modes->count + 1, sizeof *clip);
    if (made == NULL || clip == NULL) r = ER_ERROR_MEMORY;
    if (r == ER_OK) r = make_clips(context, o, l, modes, &s, made, &count);
    for (int k = 0; k < count; ++k)
        clip[k] = made[k]->clip;
    if (r == ER_OK) warn_of_no_clips(o, modes);
    if (r == ER_OK) r = studio_find_format(path)->scene(context, s.target.scene, count, clip, path);
    for (int k = 0; k < count; ++k)
        er_take_destroy(made[k]);
    free(made);
    free(clip);
    studio_stage_clear(&s);
    if (clips != NULL) *clips = count;
    return r;
}

int run_palette(er_context *context, options *o)
{
    loaded l;
    er_modes *modes = NULL;
    int count = 0;
    if (o->output == NULL) return fail_usage("palette", "no output was named: -o OUT.glb");
    const studio_format *format = studio_find_format(o->output);
    if (format == NULL || format->scene == NULL || format->single)
        return fail_usage("palette", "\"%s\" must end in %s, or be - for a .glb on standard output", o->output,
                          studio_format_endings(true));
    int status = load(context, o, &l);
    if (status == EXIT_DONE) status = solve(context, o, l.model, &modes);
    if (status == EXIT_DONE) {
        er_result r = write_palette_clips(context, o, &l, modes, o->output, &count);
        if (r != ER_OK)
            status = fail_work(context, r, NULL);
        else if (!o->quiet && strcmp(o->output, "-") != 0)
            printf("%s: %d clips of %d modes\n", plain(o->output), count, modes->count);
    }
    er_modes_destroy(modes);
    unload(&l);
    return status;
}
