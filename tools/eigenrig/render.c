// Draws pictures, sheets and films.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/eigenrig/cli.h"
#include "viewer/render/film.h"

// Refuses options of time that do not suit the drawing.
static int check_times(const options *o, bool moves)
{
    const render_def *d = &o->picture;
    if (o->phase_given && d->what != RENDER_MODE && d->what != RENDER_SHEET)
        return fail_usage("render", "--phase needs a mode; add --mode 7");
    if (o->time_given && (moves || d->what == RENDER_REST || d->what == RENDER_MODE || d->what == RENDER_SHEET))
        return fail_usage(
            "render", "--time needs a picture of a mix, a clip or a gait, such as --mix 7:15 --time 0.25 -o OUT.png");
    if (!moves && (o->fps_given || o->motion.duration > 0.0))
        return fail_usage("render",
                          "--fps and --duration need a film, but \"%s\" is a picture; films end in .mp4, .webm, .gif, "
                          ".apng or %%04d.png",
                          o->output);
    if (o->fps_given && !(o->recording.fps >= 1e-3 && o->recording.fps <= 1000.0))
        return fail_usage("render", "--fps %g is not in 0.001 to 1000", o->recording.fps);
    if (o->motion.duration > 1000.0)
        return fail_usage("render", "--duration %g is more than 1000 s", o->motion.duration);
    return EXIT_DONE;
}

static int check_words(er_context *context, options *o)
{
    render_def *d = &o->picture;
    bool walks = o->gait_name != NULL;
    int asked =
        o->mode_given + (o->mix_count > 0 && !walks) + o->sheet + walks + (o->preset != NULL) + (o->clip_name != NULL);
    if (asked > 1)
        return fail_usage("render", "give only one of --mode, --mix, --preset, --clip, --gait and --sheet, or a --mix "
                                    "with a --gait");
    if (o->mix_count > 1) return fail_usage("render", "give only one --mix; leave out \"%s\"", o->mixes[1]);
    if (o->sheet) d->what = RENDER_SHEET;
    if (o->mode_given) d->what = RENDER_MODE;
    if (o->mix_count > 0 || o->preset != NULL) d->what = RENDER_MIX;
    if (o->clip_name != NULL || (asked == 0 && er_file_is_world(context, o->model))) d->what = RENDER_CLIP;
    if (walks || (o->preset != NULL && project_preset_is_timed(o->preset))) d->what = RENDER_GAIT;
    if (o->over != NULL && d->what != RENDER_MIX && !walks)
        return fail_usage("render",
                          "--over adds a mix or a gait to a clip: --mix 7:15 --over Walk; use --clip for a clip alone");
    if (o->output == NULL) return fail_usage("render", "no output was named: -o OUT.png");
    if (render_check_path(context, d, o->output) != ER_OK) return fail_usage("render", "%s", er_context_error(context));
    if (strcmp(o->output, "-") != 0 && same_file(o->output, o->model))
        return fail_usage("render", "\"%s\" is the model itself", o->output);
    if (o->count > 0 && d->what != RENDER_SHEET) return fail_usage("render", "--count needs --sheet");
    if (o->count > 400) return fail_usage("render", "--count %d is above 400, the limit of a sheet", o->count);
    if (d->ghosts && d->what == RENDER_REST)
        return fail_usage("render", "--ghosts needs a motion; add --mode, --mix or --gait");
    if (o->plant_given && *o->asked.plant == '\0')
        return fail_usage("render", "--plant names nothing; use feet, names of bodies, or none");
    if (o->plant_given && d->what != RENDER_MIX && !walks)
        return fail_usage("render", "--plant needs a mix or a gait; add --mix 7:15");
    int status = check_terminal("render", o);
    return status == EXIT_DONE ? check_times(o, film_is_path(o->output)) : status;
}

// The number of modes that the drawing needs.
static int solve_for(er_context *context, options *o, const er_model *model, er_mix *mix, er_modes **modes)
{
    const render_def *d = &o->picture;
    int usual = modes_wanted(o, model);
    if (mix != NULL && d->what == RENDER_MIX) o->count = modes_of_mixes(o, model, &mix, 1);
    if (d->what == RENDER_MODE && usual > 0 && d->mode >= usual) o->count = d->mode + 1;
    if (d->what == RENDER_SHEET && usual > 0 && d->count > usual) o->count = d->count;
    return solve(context, o, model, modes);
}

static void print_report(const options *o, const render_def *def, const render_report *report, bool moves)
{
    project_listener listener = listener_of(o);
    render_warn(def, report, &listener);
    if (o->quiet || strcmp(o->output, "-") == 0) return;
    printf("%s: %d x %d", plain(o->output), report->width, report->height);
    if (report->cells > 0) printf(", %d mode%s", report->cells, eri_plural(report->cells));
    if (moves) printf(", %d frame%s, %.4g s", report->frames, eri_plural(report->frames), report->duration);
    printf("\n");
}

static bool frame_done(void *bar, int done, int all)
{
    progress_step(bar, done, all);
    return !interrupts_came();
}

// The objects drawn with the model.
typedef struct shown {
    er_mix *mix;
    project_plants plants;
    er_gaits *gaits;
    layered laid;      // the gait or the preset in time on display
    er_gaits standing; // of a preset in time: its body alone
    er_gait_body *body;
    er_recording *run; // of a world
    const er_clip *clip;
} shown;

static er_result draw_it(er_context *context, options *o, const loaded *l, const er_modes *modes, const shown *what)
{
    char subtitle[256];
    if (o->fps_given) o->picture.fps = o->recording.fps;
    render_def def = o->picture;
    render_report report;
    const er_gait_motion *motion = what->laid.motion;
    def.mix = what->mix;
    def.plant = what->plants.hold;
    def.plant_count = what->plants.count;
    def.gaits = what->gaits != NULL ? what->gaits : &what->standing;
    def.clip = what->clip;
    def.body_node = l->rig != NULL ? l->rig->body_node : NULL;
    def.motion = &motion;
    def.degrees = o->amplitude;
    def.duration = o->motion.duration;
    if (!o->phase_given) def.phase = render_default_phase(&def, o->output);
    write_subtitle(o, l, subtitle);
    def.subtitle = subtitle;
    progress bar = progress_begin(o, "frames");
    def.progress = frame_done;
    def.user = &bar;
    interrupts_begin();
    er_result r = draw_picture(context, l, modes, &def, o->output, &report);
    progress_end(&bar);
    interrupts_end();
    if (r == ER_OK) print_report(o, &def, &report, film_is_path(o->output));
    return r;
}

static er_result fit_mix(er_context *context, const options *o, const loaded *l, const er_modes *modes, shown *what)
{
    er_mix *fitted = NULL;
    const project_listener listener = listener_of(o);
    if (what->mix == NULL || o->gait_name != NULL) return ER_OK; // --gait fits the mix when it is added
    er_result r = project_fit_mix(context, l->model, l->rig, modes, what->mix, &listener, &fitted);
    if (r != ER_OK) return r;
    er_mix_destroy(what->mix);
    what->mix = fitted;
    return r;
}

// A film's frames fall between the motion's frames, which are many.
static er_result make_gait(er_context *context, const options *o, const loaded *l, const er_modes *modes, shown *what)
{
    const er_gait *gait = NULL;
    er_result r = find_gait(context, o, l, modes, &what->gaits, &gait, NULL);
    double fps = r == ER_OK ? fmax(gait->hz * 240.0, o->recording.fps) : 0.0;
    if (r == ER_OK) r = er_gait_move(context, l->model, modes, what->gaits, gait, fps, &what->laid.motion);
    if (r == ER_OK && is_layered(o, what->mix))
        r = lay_on_gait(context, o, l, modes, what->gaits, gait, &what->mix, &what->laid);
    return r;
}

static er_result make_preset(er_context *context, const options *o, const loaded *l, const er_modes *modes, shown *what)
{
    const project_listener listener = listener_of(o);
    if (o->picture.what != RENDER_GAIT)
        return project_make_preset(context, l->model, l->rig, modes, &o->gait, o->preset, &listener, &what->plants,
                                   NULL, &what->mix);
    er_result r = er_gait_body_read(context, l->model, l->rig, &o->gait, &what->body);
    what->standing.body = what->body;
    if (r == ER_OK)
        r = project_move_preset(context, l->model, l->rig, modes, &o->gait, o->preset, fmax(o->recording.fps, 120.0),
                                &listener, NULL, &what->laid.motion);
    return r;
}

static er_result take_plants(er_context *context, const options *o, const loaded *l, shown *what)
{
    project_plants_clear(&what->plants);
    return project_find_plants(context, l->model, l->rig, o->asked.plant, &o->gait, &what->plants);
}

// The displayed clip, or the clip below the mix.
static er_result find_clip(er_context *context, const options *o, const loaded *l, shown *what)
{
    const char *name = o->clip_name != NULL ? o->clip_name : o->over;
    if (name != NULL && l->scene == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a rig file has no clips; name a model for --%s",
                       o->clip_name != NULL ? "clip" : "over");
    return project_find_over(context, l->scene, name, NULL, &what->clip);
}

// Whether the run of a world is drawn: nothing else was asked for.
static bool shows_run(const options *o)
{
    return o->picture.what == RENDER_CLIP && o->clip_name == NULL;
}

// Runs a world until the time that is shown.
static er_result run_world(er_context *context, const options *o, const loaded *l, shown *what)
{
    double fps = l->world->frame_count / l->world->duration;
    project_simulation_def def = project_default_simulation_def();
    project_simulation done;
    project_target target = {0};
    progress bar = progress_begin(o, "frames");
    const project_progress reporter = {frame_done, &bar};
    def.duration = film_is_path(o->output) ? o->motion.duration : fmax(ceil(o->picture.time * fps - 1e-6), 1.0) / fps;
    interrupts_begin();
    er_result r = project_simulate_world(context, l->world, &def, NULL, &reporter, &done);
    interrupts_end();
    progress_end(&bar);
    if (r == ER_OK) r = project_target_set(context, done.frames.model, NULL, l->world, &target);
    if (r == ER_OK) r = project_record_simulation(context, &done, &target.target, "simulation", &what->run);
    if (r == ER_OK) what->clip = &what->run->clip;
    project_target_clear(&target);
    project_simulation_clear(&done);
    return r;
}

int run_render(er_context *context, options *o)
{
    loaded l = {0};
    er_modes *modes = NULL;
    shown what = {0};
    int status = check_words(context, o);
    if (status != EXIT_DONE) return status;
    if (o->count > 0) o->picture.count = o->count;
    o->count = 0; // the number of cells, not of modes
    bool named = options_name_modes(o);
    if (o->mix_count > 0 && !named) status = read_mix(context, "render", o->mixes[0], &what.mix);
    if (status == EXIT_DONE) status = load(context, o, &l);
    if (status == EXIT_DONE && named) status = take_mode_names(context, "render", o, &l);
    if (status == EXIT_DONE && named && o->mix_count > 0) status = read_mix(context, "render", o->mixes[0], &what.mix);
    if (status == EXIT_DONE && o->picture.what != RENDER_REST && o->picture.what != RENDER_CLIP)
        status = solve_for(context, o, l.model, what.mix, &modes);
    if (status == EXIT_DONE) {
        er_result r = fit_mix(context, o, &l, modes, &what);
        if (r == ER_OK && o->gait_name != NULL) r = make_gait(context, o, &l, modes, &what);
        if (r == ER_OK && o->preset != NULL) r = make_preset(context, o, &l, modes, &what);
        if (r == ER_OK && o->gait_name == NULL && what.mix != NULL && (o->preset == NULL || o->asked.plant != NULL))
            r = take_plants(context, o, &l, &what);
        if (r == ER_OK) r = shows_run(o) ? run_world(context, o, &l, &what) : find_clip(context, o, &l, &what);
        if (r == ER_OK && o->over != NULL)
            r = project_plant_seats(context, l.model, l.rig, &o->gait, what.clip, &what.plants);
        if (r == ER_OK) r = draw_it(context, o, &l, modes, &what);
        if (r != ER_OK)
            status = fail_work(context, r, r == ER_ERROR_FORMAT ? NULL : o->model); // presets have their own
    }
    layered_clear(&what.laid);
    er_recording_destroy(what.run);
    er_gaits_destroy(what.gaits);
    er_gait_body_destroy(what.body);
    project_plants_clear(&what.plants);
    er_mix_destroy(what.mix);
    er_modes_destroy(modes);
    unload(&l);
    return status;
}
