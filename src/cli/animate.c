// Mixes as clips and curves: one motion a mix, every motion in every output.
#include <stdlib.h>
#include <string.h>

#include "cli/animate.h"

static int check_words(const options *o)
{
    if (o->mix_count == 0) return fail_usage("animate", "no mix was named: --mix 7:15 for mode 7 at 15 degrees");
    if (o->output_count == 0 && o->plot == NULL && o->save_mix == NULL)
        return fail_usage("animate", "no output was named: -o OUT.glb");
    for (int i = 0; i < o->output_count; ++i) {
        const output_format *format = find_output_format(o->outputs[i]);
        if (format == NULL)
            return fail_usage("animate", "\"%s\" must end in %s, or be - for a .glb on standard output", o->outputs[i],
                              output_endings(false));
        if (format->single && o->mix_count > 1)
            return fail_usage("animate", "%s holds one clip, not %d: give one --mix", o->outputs[i], o->mix_count);
    }
    if (o->mix_count > 1 && (o->save_mix != NULL || o->plot != NULL || *o->take.name != '\0'))
        return fail_usage("animate", "--save-mix, --plot and --name are for a single --mix, not %d", o->mix_count);
    return EXIT_DONE;
}

// --- mixes

static int read_mixes(animation *a)
{
    for (int i = 0; i < a->o->mix_count; ++i) {
        const char *text = a->o->mixes[i];
        er_result r = names_file(text) ? er_file_read_mix(a->context, text, &a->mix[i])
                                       : er_mix_parse(a->context, text, &a->mix[i]);
        if (r == ER_ERROR_ARGUMENT) return fail_usage("animate", "%s", er_context_error(a->context));
        if (r != ER_OK) return fail_work(a->context, r, text);
    }
    return EXIT_DONE;
}

// Modes that the mixes may mean: all of a small rig; of a large one those up to the highest index, and, where shapes
// are to be found, as many again.
static int modes_needed(const animation *a)
{
    int highest = 0;
    bool shapes = false;
    for (int i = 0; i < a->o->mix_count; ++i)
        for (int v = 0; v < a->mix[i]->voice_count; ++v) {
            highest = highest > a->mix[i]->voice[v].mode ? highest : a->mix[i]->voice[v].mode;
            shapes |= a->mix[i]->voice[v].shape != NULL;
        }
    int usual = modes_wanted(a->o, a->l.model), most = a->l.model->coordinate_count + 6 * a->l.model->body_count;
    if (usual == 0 || a->o->count > 0) return usual;
    if (highest > most) highest = most;
    int wanted = shapes ? 2 * (highest + 1) : highest + 1;
    return wanted > usual ? wanted : usual;
}

// The options' envelope and cycle, where the mix has none of its own.
static er_result complete_mix(animation *a, int i)
{
    const options *o = a->o;
    er_mix mix = *a->mix[i], *complete = NULL;
    er_voice *voice = malloc((size_t)mix.voice_count * sizeof *voice);
    if (voice == NULL) return ER_ERROR_MEMORY;
    memcpy(voice, mix.voice, (size_t)mix.voice_count * sizeof *voice);
    for (int v = 0; v < mix.voice_count; ++v) {
        if (voice[v].attack == 0.0) voice[v].attack = o->attack;
        if (voice[v].decay == 0.0) voice[v].decay = o->decay;
        if (voice[v].damping == 0.0 && o->ring) voice[v].damping = -1.0;
    }
    mix.voice = voice;
    if (o->cycle > 0.0) mix.cycle = o->cycle;
    if (*o->take.name != '\0') mix.name = o->take.name;
    er_result r = er_mix_create(a->context, &mix, &complete);
    free(voice);
    if (r != ER_OK) return r;
    er_mix_destroy(a->mix[i]);
    a->mix[i] = complete;
    return ER_OK;
}

static er_result fit_mix(animation *a, int i)
{
    er_mix *fitted = NULL;
    er_mix_match *match = calloc((size_t)a->mix[i]->voice_count, sizeof *match);
    if (match == NULL) return ER_ERROR_MEMORY;
    er_result r = er_mix_fit(a->context, a->l.model, a->modes, a->mix[i], match, &fitted);
    for (int v = 0; r == ER_OK && v < fitted->voice_count; ++v) {
        if (match[v].was != match[v].now)
            say_warning(a->o, "mode %d of the mix is mode %d of this rig: their shapes are alike by %.0f %%",
                        match[v].was, match[v].now, 100.0 * match[v].likeness);
        else if (match[v].likeness < 0.95)
            say_warning(a->o, "mode %d of the mix is like mode %d of this rig by %.0f %% only", match[v].was,
                        match[v].now, 100.0 * match[v].likeness);
    }
    free(match);
    if (r != ER_OK) return r;
    er_mix_destroy(a->mix[i]);
    a->mix[i] = fitted;
    return ER_OK;
}

// --- motions

static bool is_shaped(const er_mix *mix)
{
    bool shaped = false;
    for (int v = 0; v < mix->voice_count; ++v)
        shaped |= mix->voice[v].attack > 0.0 || mix->voice[v].decay > 0.0 || mix->voice[v].damping != 0.0;
    return shaped;
}

static er_result make_motion(animation *a, int i)
{
    er_motion_def def = a->o->motion;
    def.fps = a->o->take.fps;
    if (def.duration == 0.0 && !is_shaped(a->mix[i])) def.loop = true; // nothing was asked for that a loop is not
    if (def.duration == 0.0 && a->over != NULL) def.duration = a->over->duration;
    er_result r = er_motion_create(a->context, a->l.model, a->modes, a->mix[i], &def, &a->motion[i]);
    for (int v = 0; r == ER_OK && v < a->motion[i]->voice_count; ++v) {
        const er_motion_voice *voice = &a->motion[i]->voice[v];
        if (a->o->take.fps < 6.0 * voice->hz)
            say_warning(a->o, "mode %d at %.3g Hz gets %.2g frames a cycle; --fps %.0f would do", voice->mode,
                        voice->hz, a->o->take.fps / voice->hz, ceil(12.0 * voice->hz));
        if (voice->factor == 0.0 && voice->degrees > 0.0)
            say_warning(a->o, "mode %d moves nothing that an amplitude could be of, and stays out", voice->mode);
    }
    return r;
}

static er_result record_takes(animation *a)
{
    er_result r = ER_OK;
    progress bar = progress_begin(a->o, "clips");
    for (int i = 0; i < a->o->mix_count && r == ER_OK; ++i) {
        er_take_def def = a->o->take;
        def.name = a->mix[i]->name;
        def.over = a->over;
        def.cubic = def.tolerance > 0.0 || a->l.model->loop_count > 0; // lines would part loops between frames
        r = er_take_record(a->context, a->motion[i], &a->s.target, &def, &a->take[i]);
        progress_step(&bar, i + 1, a->o->mix_count);
    }
    progress_end(&bar);
    return r;
}

// --- what is said and done

static er_result print_motion(const animation *a, int i)
{
    const er_motion *m = a->motion[i];
    printf("%s: %.4g s, %s, %d keys\n", plain(a->mix[i]->name), m->duration,
           m->loops ? "loops" : "does not loop (--loop would)", a->take[i]->key_count);
    for (int v = 0; v < m->voice_count; ++v) {
        const er_motion_voice *voice = &m->voice[v];
        printf("  mode %-3d %8.4f Hz  %6.4g degrees  phase %5.4g", voice->mode, voice->hz, voice->degrees,
               voice->phase * 180.0 / ER_PI);
        if (fabs(voice->hz - voice->asked_hz) > 1e-9 * voice->hz)
            printf("  moved from %.4f Hz by %+.2f %%", voice->asked_hz, 100.0 * (voice->hz / voice->asked_hz - 1.0));
        printf("\n");
    }
    er_motion_errors e;
    er_result r = er_motion_measure(a->motion[i], 32, &e);
    if (r == ER_OK)
        printf("  the linear form would be off by up to %.2g %% of the size and %.2g degrees, and part joints by %.2g "
               "%%\n",
               100.0 * e.shift / a->l.model->size, e.turn * 180.0 / ER_PI, 100.0 * e.tear / a->l.model->size);
    if (r == ER_OK && a->l.model->loop_count > 0)
        printf("  closing its loops changes joints by up to %.2g degrees\n", e.correction * 180.0 / ER_PI);
    return r;
}

static er_result work(animation *a)
{
    const options *o = a->o;
    er_result r = ER_OK;
    if (o->over != NULL) r = er_scene_find_clip(a->context, a->l.scene, o->over, &a->over);
    if (r == ER_OK) r = set_stage(a->context, &a->l, &a->s);
    for (int i = 0; i < o->mix_count && r == ER_OK; ++i) {
        r = complete_mix(a, i);
        if (r == ER_OK) r = fit_mix(a, i);
        if (r == ER_OK) r = make_motion(a, i);
    }
    if (r == ER_OK) r = record_takes(a);
    bool piped = false;
    for (int i = 0; i < o->output_count && r == ER_OK; ++i) {
        piped |= strcmp(o->outputs[i], "-") == 0;
        r = write_output(a, o->outputs[i]);
    }
    if (r == ER_OK && o->plot != NULL) r = write_plot(a, o->plot);
    if (r == ER_OK && o->save_mix != NULL) r = er_file_write_mix(a->context, a->mix[0], o->save_mix);
    for (int i = 0; i < o->mix_count && r == ER_OK && !o->quiet && !piped; ++i)
        r = print_motion(a, i);
    return r;
}

int run_animate(er_context *context, options *o)
{
    animation a = {.context = context, .o = o};
    int status = check_words(o);
    if (status != EXIT_DONE) return status;
    status = read_mixes(&a);
    if (status == EXIT_DONE) status = load(context, o, &a.l);
    if (status == EXIT_DONE && o->over != NULL && a.l.scene == NULL)
        status =
            fail_usage("animate", "--over lays the mix over a clip of a model; \"%s\" is a rig and has none", o->model);
    if (status == EXIT_DONE) {
        o->count = modes_needed(&a);
        status = solve(context, o, a.l.model, &a.modes);
    }
    if (status == EXIT_DONE) {
        er_result r = work(&a);
        if (r != ER_OK) status = fail_work(context, r, o->model);
    }
    for (int i = 0; i < o->mix_count; ++i) {
        er_take_destroy(a.take[i]);
        er_motion_destroy(a.motion[i]);
        er_mix_destroy(a.mix[i]);
    }
    clear_stage(&a.s);
    er_modes_destroy(a.modes);
    unload(&a.l);
    return status;
}
