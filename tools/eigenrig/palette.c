// The model with a clip for each elastic mode.
#include <string.h>

#include "tools/eigenrig/cli.h"

static bool clip_done(void *bar, int done, int all)
{
    progress_step(bar, done, all);
    return true;
}

// The page of a rig without loops swings the modes by itself.
static er_result write_page(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                            const char *path, int *count)
{
    project_target s = {0};
    er_mode_names *names = NULL;
    er_result r = project_target_set(context, l->model, l->rig, l->world, &s);
    if (r == ER_OK) r = project_name_modes(context, l->model, l->rig, &o->gait, modes, &names);
    if (r == ER_OK)
        r = project_write_page(context, l->model, l->rig, modes, names, o->only == ONLY_WHOLE_BODY, o->amplitude,
                               &s.target, o->only_new, path, count);
    project_target_clear(&s);
    er_mode_names_destroy(names);
    return r;
}

er_result write_palette_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                              const char *path, int *clips)
{
    int shown;
    if (project_pages_modes(l->model, path))
        return write_page(context, o, l, modes, path, clips != NULL ? clips : &shown);
    project_target s = {0};
    project_palette palette = {0};
    er_mode_names *names = NULL;
    project_listener listener = listener_of(o);
    progress bar = progress_begin(o, "clips");
    const project_progress reporter = {clip_done, &bar};
    er_result r = project_target_set(context, l->model, l->rig, l->world, &s);
    if (r == ER_OK) r = project_name_modes(context, l->model, l->rig, &o->gait, modes, &names);
    if (r == ER_OK)
        r = project_record_palette(context, l->model, l->rig, modes, names, o->only == ONLY_WHOLE_BODY, o->amplitude,
                                   &s.target, &listener, &reporter, &palette);
    progress_end(&bar);
    if (clips != NULL) *clips = palette.count;
    if (r == ER_OK) r = project_write_takes(context, &s.target, palette.count, palette.recording, o->only_new, path);
    project_palette_clear(&palette);
    project_target_clear(&s);
    er_mode_names_destroy(names);
    return r;
}

int run_palette(er_context *context, options *o)
{
    loaded l;
    er_modes *modes = NULL;
    int count = 0;
    if (o->output == NULL) return fail_usage("palette", "no output was named: -o OUT.glb");
    if (!project_holds_clips(project_find_format(o->output)))
        return fail_usage("palette", "\"%s\" must end in %s, or be - for a .glb on standard output", o->output,
                          project_format_endings(true));
    int status = check_terminal("palette", o);
    if (status != EXIT_DONE) return status;
    status = load(context, o, &l);
    if (status == EXIT_DONE) status = solve(context, o, l.model, &modes);
    if (status == EXIT_DONE) {
        er_result r = write_palette_clips(context, o, &l, modes, o->output, &count);
        if (r != ER_OK)
            status = fail_work(context, r, NULL);
        else if (!o->quiet && strcmp(o->output, "-") != 0)
            printf("%s: %d %s%s of %d elastic mode%s\n", plain(o->output), count,
                   project_pages_modes(l.model, o->output) ? "mode" : "clip", eri_plural(count),
                   project_elastic_count(modes), eri_plural(project_elastic_count(modes)));
    }
    er_modes_destroy(modes);
    unload(&l);
    return status;
}
