#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static er_result make_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                            const studio_stage *s, er_take **take, int *count)
{
    er_result r = ER_OK;
    studio_listener listener = listener_of(o);
    progress bar = progress_begin(o, "clips");
    *count = 0;
    for (int k = 0; k < modes->count && r == ER_OK; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        r = studio_record_mode(context, l->model, modes, er_modes_index(modes, &modes->mode[k]), o->amplitude,
                               &s->target, &listener, &take[*count]);
        *count += r == ER_OK && take[*count] != NULL;
        progress_step(&bar, k + 1, modes->count);
    }
    progress_end(&bar);
    return r;
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
    studio_listener listener = listener_of(o);
    if (r == ER_OK) studio_tell_of_no_clips(modes, &listener);
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
