// Mixes as clips and curves: one motion a mix, every motion in every output.
#include <stdlib.h>
#include <string.h>

#include "tools/eigenrig/animate.h"

// Checks that no output, drawing or mix overwrites another or the model.
static int check_paths(const options *o)
{
    const char *path[MOST_OUTPUTS + 2];
    int count = 0;
    for (int i = 0; i < o->output_count; ++i)
        path[count++] = o->outputs[i];
    int first = count;
    if (o->plot != NULL) path[count++] = o->plot;
    if (o->save_mix != NULL) path[count++] = o->save_mix;
    for (int i = 0; i < count; ++i) {
        if (i >= first && strcmp(path[i], "-") != 0 && same_file(path[i], o->model))
            return fail_usage("animate", "\"%s\" is the model itself", path[i]);
        for (int k = 0; k < i; ++k)
            if (same_file(path[i], path[k]))
                return fail_usage("animate", "\"%s\" would be written twice; give each output its own file", path[i]);
    }
    if (o->plot != NULL && !er_path_ends_in(o->plot, ".svg") && strcmp(o->plot, "-") != 0)
        return fail_usage("animate", "--plot draws SVG, and \"%s\" does not end in .svg", o->plot);
    if (o->save_mix != NULL && !er_path_ends_in(o->save_mix, ".json") && strcmp(o->save_mix, "-") != 0)
        return fail_usage("animate", "--save-mix writes JSON, and \"%s\" does not end in .json", o->save_mix);
    return EXIT_DONE;
}

static int check_words(const options *o, bool timed)
{
    if (o->preset != NULL && (o->mix_count > 0 || o->gait_name != NULL))
        return fail_usage("animate", "--preset cannot be combined with --mix or --gait; leave one out");
    if (o->sequence != NULL &&
        (o->mix_count > 0 || o->gait_name != NULL || o->preset != NULL || o->over != NULL || o->from != NULL))
        return fail_usage("animate", "--sequence names all its motions; leave out --mix, --gait, --preset, --over and "
                                     "--from");
    if (o->sequence != NULL && (o->plot != NULL || o->save_mix != NULL))
        return fail_usage("animate", "--plot and --save-mix are for a --mix; leave them out with --sequence");
    if (o->blend_space != NULL && (o->mix_count > 0 || o->gait_name != NULL || o->preset != NULL || o->over != NULL ||
                                   o->from != NULL || o->sequence != NULL || o->plot != NULL || o->save_mix != NULL))
        return fail_usage("animate", "--blend-space names all its gaits; leave out --mix, --gait, --preset, --over, "
                                     "--from, --sequence, --plot and --save-mix");
    if (o->gait_name != NULL && project_is_blend(o->gait_name) &&
        (o->mix_count > 0 || o->over != NULL || o->from != NULL || o->plot != NULL || o->save_mix != NULL))
        return fail_usage("animate", "--gait \"%s\" is a blend; leave out --mix, --over, --from, --plot and --save-mix",
                          o->gait_name);
    if (o->root_motion != NULL && o->gait_name == NULL && o->sequence == NULL && o->blend_space == NULL)
        return fail_usage("animate", "--root-motion is for motions that travel; add --gait, --sequence or "
                                     "--blend-space");
    if (o->blend >= 0.0 && o->sequence == NULL)
        return fail_usage("animate", "--blend is the length of transitions; add --sequence");
    if (o->mix_count == 0 && o->gait_name == NULL && o->preset == NULL && o->sequence == NULL && o->blend_space == NULL)
        return fail_usage("animate",
                          "no mix was named: --mix 7:15 for mode 7 at 15 degrees, --preset wag, or --gait walk");
    if (o->gait_name != NULL && o->mix_count > 1)
        return fail_usage("animate", "only one --mix can be added to a gait; leave out \"%s\"", o->mixes[1]);
    if (o->layer_parts != NULL && (o->gait_name == NULL || (o->mix_count == 0 && o->over == NULL)))
        return fail_usage("animate", "--parts lets a part of the body take a mix or a clip over a gait; add --gait and "
                                     "--mix or --over");
    if (o->from != NULL && (o->preset != NULL || (o->gait_name != NULL && o->mix_count > 0)))
        return fail_usage("animate", "--from carries a --mix or a --gait; leave the other or --preset out");
    if (o->from_pace > 0.0 && o->from == NULL)
        return fail_usage("animate", "--from-pace needs --from; add --from MODEL");
    bool shaped = o->attack > 0.0 || o->decay > 0.0 || o->ring || o->cycle > 0.0;
    if (timed && (shaped || o->motion.duration > 0.0 || o->motion.loop || o->over != NULL || o->asked.plant != NULL ||
                  o->plot != NULL || o->save_mix != NULL))
        return fail_usage("animate",
                          o->over != NULL ? "--preset %s has its own course and lies over no clip; join them: "
                                            "--sequence \"%s 2s, %s 1s, %s 2s\""
                                          : "--preset %s has its own course; leave out --duration, --loop, --cycle, "
                                            "--plant, --plot, --save-mix and envelopes",
                          o->preset, o->over, o->preset, o->over);
    if (o->gait_name != NULL && shaped)
        return fail_usage("animate", "--gait lasts whole strides; leave out --cycle, --attack, --decay and --ring");
    if (o->output_count == 0 && o->plot == NULL && o->save_mix == NULL)
        return fail_usage("animate", "no output was named: -o OUT.glb");
    for (int i = 0; i < o->output_count; ++i) {
        const project_format *format = project_find_format(o->outputs[i]);
        if (format == NULL)
            return fail_usage("animate", "\"%s\" must end in %s, or be - for a .glb on standard output", o->outputs[i],
                              project_format_endings(false));
        if (format->single && o->mix_count > 1)
            return fail_usage("animate", "%s holds one clip, not %d: give one --mix", o->outputs[i], o->mix_count);
        if (format->single && o->blend_space != NULL)
            return fail_usage("animate", "%s holds one clip, not a --blend-space", o->outputs[i]);
    }
    if (o->asked.plant != NULL && *o->asked.plant == '\0')
        return fail_usage("animate", "--plant names nothing; use feet, names of bodies, or none");
    if (o->mix_count > 1 && (o->save_mix != NULL || o->plot != NULL || *o->recording.name != '\0'))
        return fail_usage("animate", "--save-mix, --plot and --name are for a single --mix, not %d", o->mix_count);
    if (o->over != NULL && o->motion.duration > 0.0)
        return fail_usage("animate", "--over lasts as long as its clip; leave out --duration");
    if (o->recording.cubic && o->recording.tolerance == 0.0)
        return fail_usage("animate", "--splines needs --tolerance; add --tolerance DEG");
    int status = check_terminal("animate", o);
    return status == EXIT_DONE ? check_paths(o) : status;
}

// ---- mixes

static int read_mixes(animation *a)
{
    int status = EXIT_DONE;
    for (int i = 0; i < a->o->mix_count && status == EXIT_DONE; ++i)
        status = read_mix(a->context, "animate", a->o->mixes[i], &a->mix[i]);
    return status;
}

// A mix file's own name, if it has none inside.
static const char *stem(const char *path, char name[64])
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    size_t n = strlen(base) < 64 ? strlen(base) : 63;
    while (n > 0 && ((unsigned char)base[n] & 0xc0) == 0x80) // never cut within a character of several bytes
        --n;
    snprintf(name, 64, "%.*s", (int)n, base);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) *dot = '\0';
    return name;
}

// Applies the options' envelope and cycle to a mix that has none of its own.
static er_result complete_mix(animation *a, int i)
{
    const options *o = a->o;
    er_mix mix = *a->mix[i], *complete = NULL;
    char name[64];
    bool rings = o->ring && project_any_damping(a->modes);
    if (o->ring && !rings) print_warning(o, "nothing damps the modes, so they ring on: --damping says how much");
    er_mix_component *component = malloc((size_t)mix.component_count * sizeof *component);
    if (component == NULL) return ER_ERROR_MEMORY;
    memcpy(component, mix.component, (size_t)mix.component_count * sizeof *component);
    for (int v = 0; v < mix.component_count; ++v) {
        if (component[v].attack == 0.0) component[v].attack = o->attack;
        if (component[v].decay == 0.0) component[v].decay = o->decay;
        if (component[v].damping == 0.0 && rings) component[v].damping = -1.0;
    }
    mix.component = component;
    if (o->cycle > 0.0) mix.cycle = o->cycle;
    if (*mix.name == '\0') mix.name = stem(o->mixes[i], name);
    if (*o->recording.name != '\0') mix.name = o->recording.name;
    er_result r = er_mix_create(a->context, &mix, &complete);
    free(component);
    if (r != ER_OK) return r;
    er_mix_destroy(a->mix[i]);
    a->mix[i] = complete;
    return ER_OK;
}

static er_result fit_mix(animation *a, int i)
{
    er_mix *fitted = NULL;
    er_result r = project_fit_mix(a->context, a->l.model, a->l.rig, a->modes, a->mix[i], &a->listener, &fitted);
    if (r != ER_OK) return r;
    er_mix_destroy(a->mix[i]);
    a->mix[i] = fitted;
    return ER_OK;
}

// ---- motions

static er_result make_motion(animation *a, int i)
{
    er_motion_def def = a->o->motion;
    def.fps = a->o->recording.fps;
    def.plant = a->plants.hold;
    def.plant_count = a->plants.count;
    if ((def.duration == 0.0 || a->o->preset != NULL) && !project_has_envelope(a->mix[i]))
        def.loop = true; // loops, unless an option contradicts that
    if (def.loop && def.duration > 0.0) def.duration = project_whole_frames(def.duration, def.fps);
    if (a->over != NULL) def.duration = a->over->duration;
    er_result r = project_make_motion(a->context, a->l.model, a->modes, a->mix[i], &def, &a->listener, &a->motion[i]);
    if (r != ER_OK || a->o->preset != NULL || a->laid.motion != NULL) return r; // these are made for planted feet
    return project_warn_planted(a->context, a->modes, a->mix[i], &def, a->motion[i], &a->listener);
}

static er_result record_gait(animation *a)
{
    er_recording_def def = a->o->recording;
    if (*def.name == '\0') def.name = a->o->gait_name;
    return record_way(a, a->travels, &def, &a->recording[0]);
}

static er_result record_mixes(animation *a)
{
    er_result r = ER_OK;
    if (a->laid.motion != NULL) return record_gait(a);
    progress bar = progress_begin(a->o, "clips");
    for (int i = 0; i < a->o->mix_count && r == ER_OK; ++i) {
        er_recording_def def = a->o->recording;
        def.name = a->mix[i]->name;
        def.over = a->over;
        r = project_record_motion(a->context, a->motion[i], &a->s.target, &def, &a->listener, &a->recording[i]);
        progress_step(&bar, i + 1, a->o->mix_count);
    }
    progress_end(&bar);
    return r;
}

// ---- output

// @param planted  whether planted bodies reduce the amplitudes
// @param names    NULL: the mix has none
static void print_components(const er_motion *m, const er_mix *mix, bool planted, const er_mode_names *names)
{
    for (int v = 0; v < m->component_count; ++v) {
        const er_motion_component *component = &m->component[v];
        double percent = 100.0 * (component->hz / component->asked_hz - 1.0);
        const er_mix_component *asked = &mix->component[v];
        printf("  mode %-3d %8.4f Hz  %6.4g degrees  phase %5.4g", component->mode, component->hz, component->degrees,
               component->phase * 180.0 / ER_PI);
        if (asked->metres > 0.0)
            printf("  %g cm to each side of %s%s", 100.0 * asked->metres,
                   asked->at != NULL ? plain(asked->at) : "the bone that moves most",
                   planted ? ", before planting" : "");
        if (fabs(percent) >= 0.005) printf("  moved from %.4f Hz by %+.2f %%", component->asked_hz, percent);
        const er_mode_name *name = er_mode_names_at(names, component->mode);
        if (name != NULL) printf("  %s", plain(name->name));
        printf("\n");
    }
}

static void print_gait(const animation *a)
{
    const er_gait_motion *m = a->laid.motion;
    int strides = a->laid.strides > 0 ? a->laid.strides : 1;
    double seconds = m->time[m->frame_count - 1], way = er_v3_norm(m->travel[m->frame_count - 1]);
    printf("  %d stride%s of %.4g s, %.3g m/s, %.3g m\n", strides, strides == 1 ? "" : "s", seconds / strides,
           way / seconds, way);
}

static void print_motion(const animation *a, int i)
{
    const er_motion *m = a->motion[i];
    const er_recording *recording = a->recording[i];
    printf("%s: %.4g s, ", plain(recording->clip.name), m->duration);
    if (a->asked > 0.0 && fabs(m->duration - a->asked) > 1e-9)
        printf("%.0f frames in place of %.6g s, ", round(m->duration * a->o->recording.fps), a->asked);
    printf("%s, %d key%s",
           a->travels                        ? "travels"
           : m->loops                        ? "loops"
           : project_has_envelope(a->mix[i]) ? "does not loop"
                                             : "does not loop (--loop would)",
           recording->key_count, eri_plural(recording->key_count));
    if (a->o->recording.tolerance > 0.0) printf(" within %.2g degrees a joint", recording->error * 180.0 / ER_PI);
    printf("\n");
    if (a->laid.motion != NULL) print_gait(a);
    print_components(m, a->mix[i], a->plants.count > 0, a->l.names);
    if (a->laid.top == NULL) return;
    printf(" on top of it:\n");
    print_components(a->laid.top, a->on_gait, false, a->l.names);
}

// Reports how far the exact motion differs from the linear form, and by how much loops were corrected, at some frames.
static er_result print_errors(const animation *a, int i)
{
    enum { TIMES = 32 };
    if (a->laid.motion != NULL || a->o->quiet || (!a->o->verbose && a->l.model->loop_count == 0))
        return ER_OK; // nothing to report
    er_motion *m = a->motion[i];
    double time[TIMES], frames = fmax(1.0, floor(m->duration * a->o->recording.fps));
    for (int k = 0; k < TIMES; ++k)
        time[k] = floor(k * frames / TIMES) / a->o->recording.fps;
    er_motion_errors e;
    er_result r = er_motion_measure(m, TIMES, time, &e);
    if (r != ER_OK) return r;
    if (a->o->verbose)
        print_note(
            "%s: the linear form is off by up to %.2g %% of the size and %.2g degrees, and parts joints by %.2g %%",
            a->mix[i]->name, 100.0 * e.shift / a->l.model->size, e.turn * 180.0 / ER_PI,
            100.0 * e.tear / a->l.model->size);
    if (e.correction * 180.0 / ER_PI >= 0.05)
        print_note("%s: closing the loops changes joints by up to %.2g degrees", a->mix[i]->name,
                   e.correction * 180.0 / ER_PI);
    return r;
}

// Makes the named gait the only mix, and its motion the one that holds its feet.
static er_result take_gait(animation *a, options *o)
{
    const er_gait *gait = NULL;
    er_result r = ER_OK;
    if (o->from != NULL)
        gait = &a->gaits->gait[0];
    else
        r = find_gait(a->context, o, &a->l, a->modes, &a->gaits, &gait, &a->travels);
    if (r != ER_OK) return r;
    a->on_gait = a->mix[0];
    a->mix[0] = NULL;
    o->mix_count = 0;
    o->mixes[o->mix_count++] = o->gait_name;
    r = er_mix_create(a->context, gait->mix, &a->mix[0]);
    if (r == ER_OK)
        r = er_gait_move(a->context, a->l.model, a->modes, a->gaits, gait, o->recording.fps, &a->laid.motion);
    if (r != ER_OK || !(is_layered(o, a->on_gait) || o->motion.duration > 0.0)) return r;
    r = lay_on_gait(a->context, o, &a->l, a->modes, a->gaits, gait, &a->on_gait, &a->laid);
    o->motion.duration = a->laid.motion->time[a->laid.motion->frame_count - 1];
    o->motion.loop = true;
    return r;
}

// Makes the preset the only mix.
static er_result take_preset(animation *a, options *o)
{
    o->mixes[o->mix_count++] = o->preset;
    return project_make_preset(a->context, a->l.model, a->l.rig, a->modes, &o->gait, o->preset, &a->listener,
                               &a->plants, &a->parts, &a->mix[0]);
}

static er_result work(animation *a)
{
    const options *o = a->o;
    const char *below = a->laid.motion != NULL ? NULL : o->over; // a gait's motion already contains the clip
    er_result r = project_find_over(a->context, a->l.scene, below, &a->listener, &a->over);
    if (r == ER_OK) r = project_target_set(a->context, a->l.model, a->l.rig, a->l.world, &a->s);
    if (r == ER_OK && a->laid.motion == NULL && (o->preset == NULL || o->asked.plant != NULL)) {
        project_plants_clear(&a->plants);
        r = project_find_plants(a->context, a->l.model, a->l.rig, o->asked.plant, &o->gait, &a->plants);
    }
    if (r == ER_OK) r = project_plant_seats(a->context, a->l.model, a->l.rig, &o->gait, a->over, &a->plants);
    for (int i = 0; i < o->mix_count && r == ER_OK; ++i) {
        r = complete_mix(a, i);
        if (r == ER_OK) r = fit_mix(a, i);
        if (r == ER_OK) r = make_motion(a, i);
    }
    if (r == ER_OK) r = record_mixes(a);
    for (int i = 0; i < o->mix_count && r == ER_OK; ++i)
        r = print_errors(a, i);
    const project_clips clips = {a->l.model,   a->modes,   a->l.scene, &a->s.target, o->recording.fps,
                                 o->mix_count, a->mix,     a->motion,  a->recording, a->laid.motion,
                                 a->over,      a->travels, o->only_new};
    bool piped =
        (o->plot != NULL && strcmp(o->plot, "-") == 0) || (o->save_mix != NULL && strcmp(o->save_mix, "-") == 0);
    for (int i = 0; i < o->output_count && r == ER_OK; ++i) {
        piped |= strcmp(o->outputs[i], "-") == 0;
        r = project_write_clips(a->context, &clips, &a->listener, o->outputs[i]);
    }
    if (r == ER_OK && o->plot != NULL) r = project_write_plot(a->context, &clips, o->plot);
    if (r == ER_OK && o->save_mix != NULL) r = er_mix_file_write(a->context, a->mix[0], o->save_mix);
    for (int i = 0; i < o->mix_count && r == ER_OK && !o->quiet && !piped; ++i)
        print_motion(a, i);
    if (r == ER_OK && !o->quiet && !piped) print_preset_parts(&a->parts);
    return r;
}

// Refuses a wrong node of --root-motion before gaits are searched for, which takes seconds.
static int check_root(er_context *context, const options *o, const loaded *l)
{
    project_target s = {0};
    int node;
    if (o->root_motion == NULL || strcmp(o->root_motion, "none") == 0) return EXIT_DONE;
    er_result r = project_target_set(context, l->model, l->rig, l->world, &s);
    if (r == ER_OK) r = project_root_set(context, o->root_motion, &s, &node);
    project_target_clear(&s);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, o->model);
}

int run_animate(er_context *context, options *o)
{
    animation a = {.context = context, .o = o, .listener = listener_of(o), .asked = o->motion.duration};
    a.timed = o->preset != NULL && project_preset_is_timed(o->preset);
    int status = check_words(o, a.timed);
    if (status != EXIT_DONE) return status;
    bool named = o->from == NULL && options_name_modes(o);
    if (!named && o->from == NULL) status = read_mixes(&a);
    if (status == EXIT_DONE) status = load(context, o, &a.l);
    if (status == EXIT_DONE && named) status = take_mode_names(context, "animate", o, &a.l);
    if (status == EXIT_DONE && named) status = read_mixes(&a);
    if (status == EXIT_DONE) status = check_root(context, o, &a.l);
    if (status == EXIT_DONE && o->over != NULL && a.l.scene == NULL)
        status =
            fail_usage("animate", "--over lays the mix over a clip of a model; \"%s\" is a rig and has none", o->model);
    if (status == EXIT_DONE) {
        if (o->gait_name == NULL && o->preset == NULL && o->from == NULL && !makes_strides(o))
            o->count = modes_of_mixes(o, a.l.model, a.mix, o->mix_count);
        status = solve(context, o, a.l.model, &a.modes);
    }
    if (status == EXIT_DONE && o->from != NULL) status = carry_from(&a);
    if (status == EXIT_DONE) {
        bool strides = makes_strides(o), timed = a.timed;
        er_result r = strides || timed       ? ER_OK
                      : o->gait_name != NULL ? take_gait(&a, o)
                      : o->preset != NULL    ? take_preset(&a, o)
                                             : ER_OK;
        if (r == ER_OK) r = timed ? write_timed_preset(&a) : strides ? write_strides(&a) : work(&a);
        if (r != ER_OK)
            status = fail_work(context, r, r == ER_ERROR_FORMAT ? NULL : o->model); // presets have their own
    }
    for (int i = 0; i < o->mix_count; ++i) {
        er_recording_destroy(a.recording[i]);
        er_motion_destroy(a.motion[i]);
        er_mix_destroy(a.mix[i]);
    }
    er_recording_destroy(a.sequence);
    for (int i = 0; i < a.strides.count; ++i)
        er_recording_destroy(a.of_stride[i]);
    project_strides_clear(&a.strides);
    layered_clear(&a.laid);
    er_mix_destroy(a.on_gait);
    er_gaits_destroy(a.gaits);
    project_plants_clear(&a.plants);
    project_target_clear(&a.s);
    er_modes_destroy(a.modes);
    unload(&a.l);
    return status;
}
