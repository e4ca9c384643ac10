// Forces of a motion: joint torques, powers and ground reaction forces of a clip, a mix or a gait.
#include <math.h>
#include <string.h>

#include "tools/eigenrig/cli.h"

typedef struct inverse_job {
    er_context *context;
    options *o;
    project_listener listener;
    loaded l;
    er_mix *mix; // as asked
    er_modes *modes;
    er_motion *motion;
    er_gaits *gaits;
    er_gait_motion *gait;
    project_inverse_def def;
    project_inverse done;
} inverse_job;

static int check_words(const options *o)
{
    int sources = (o->clip_name != NULL) + (o->gait_name != NULL) + (o->mix_count > 0);
    if (sources > 1 || o->mix_count > 1)
        return fail_usage("inverse", "forces are those of one motion: leave all but one of --clip, --mix, --gait out");
    if (o->output_count == 0)
        return fail_usage("inverse",
                          "no output was named: -o OUT.csv for a table, OUT.npz for arrays, OUT.svg to draw");
    for (int i = 0; i < o->output_count; ++i) {
        bool known = strcmp(o->outputs[i], "-") == 0;
        for (const char *const *end = project_inverse_ends; *end != NULL; ++end)
            known |= er_path_ends_in(o->outputs[i], *end);
        if (!known) return fail_usage("inverse", "\"%s\" must end in .csv, .npz or .svg", o->outputs[i]);
        if (strcmp(o->outputs[i], "-") != 0 && same_file(o->outputs[i], o->model))
            return fail_usage("inverse", "\"%s\" is the model itself", o->outputs[i]);
        for (int k = 0; k < i; ++k)
            if (same_file(o->outputs[i], o->outputs[k]))
                return fail_usage("inverse", "\"%s\" would be written twice; give each output its own file",
                                  o->outputs[i]);
    }
    return EXIT_DONE;
}

// The model's only clip, if no motion was named.
static er_result find_only_clip(inverse_job *s)
{
    const er_scene *scene = s->l.scene;
    if (scene != NULL && scene->clip_count == 1) {
        s->def.clip = "0";
        return ER_OK;
    }
    return er_fail(
        s->context, ER_ERROR_ARGUMENT,
        scene == NULL || scene->clip_count == 0
            ? "no motion was named, and there is no clip; add --mix MIX or --gait NAME"
            : "no motion was named; add --clip NAME, one of those that eigenrig info lists, --mix or --gait");
}

static er_result take_mix(inverse_job *s)
{
    er_mix *fitted = NULL;
    er_motion_def def = s->o->motion;
    def.fps = s->def.fps;
    def.loop = !project_has_envelope(s->mix);
    if (def.loop && def.duration > 0.0) def.duration = project_whole_frames(def.duration, def.fps);
    er_result r = project_fit_mix(s->context, s->l.model, s->l.rig, s->modes, s->mix, &s->listener, &fitted);
    if (r == ER_OK) r = project_make_motion(s->context, s->l.model, s->modes, fitted, &def, &s->listener, &s->motion);
    er_mix_destroy(fitted);
    s->def.motion = s->motion;
    return r;
}

static er_result take_gait(inverse_job *s)
{
    const er_gait *gait = NULL;
    er_result r = find_gait(s->context, s->o, &s->l, s->modes, &s->gaits, &gait, NULL);
    if (r == ER_OK) r = er_gait_move(s->context, s->l.model, s->modes, s->gaits, gait, s->def.fps, &s->gait);
    s->def.gait = s->gait;
    return r;
}

static const char *what_is_in(const char *path)
{
    if (er_path_ends_in(path, ".npz")) return "arrays";
    return er_path_ends_in(path, ".svg") ? "a drawing" : "a table";
}

static void print_ground(const inverse_job *s)
{
    const project_inverse *out = &s->done;
    const er_loads *l = &out->loads;
    char feet[256] = "";
    for (int i = 0; i < l->foot_count && strlen(feet) + 64 < sizeof feet; ++i)
        snprintf(feet + strlen(feet), sizeof feet - strlen(feet), "%s%.60s", i > 0 ? ", " : "",
                 plain(s->l.model->body[l->foot[i]].name));
    if (l->foot_count > 0 && s->gait != NULL)
        print_note("feet: %s; they stand when the gait says so, on a ground at %.4g m", feet, out->ground);
    else if (l->foot_count > 0)
        print_note(
            "feet: %s; the ground is at %.4g m; soles stand within %.3g m of it if they are slower than %.3g m/s", feet,
            out->ground, out->near, out->slow);
    double speed = er_v3_norm(out->ground_rate);
    if (speed > 0.0) print_note("standing feet move at %.3g m/s: the clip walks in place, and the ground moves", speed);
}

static void print_results(const inverse_job *s)
{
    const project_inverse *out = &s->done;
    const er_loads *l = &out->loads;
    if (s->o->quiet) return;
    print_note("%.4g s in %d frames, %.4g a second, %s%s", l->time[l->frame_count - 1], l->frame_count, out->fps,
               out->repeats ? "repeating" : "not repeating", s->def.cutoff > 0.0 ? ", smoothed" : ", not smoothed");
    print_ground(s);
    if (l->weight > 0.0)
        print_note("weight %.4g N; residual %.3g %% of it, at most %.3g %% (%.4g N at %.4g s)", l->weight,
                   100.0 * out->usual / l->weight, 100.0 * out->residual / l->weight, out->residual,
                   l->time[out->worst]);
    for (int i = 0; i < s->o->output_count; ++i)
        if (strcmp(s->o->outputs[i], "-") != 0) print_note("%s: %s", s->o->outputs[i], what_is_in(s->o->outputs[i]));
}

static er_result work(inverse_job *s)
{
    const options *o = s->o;
    char title[256];
    er_result r = ER_OK;
    s->def = o->inverse;
    s->def.clip = o->clip_name;
    s->def.fps = o->recording.fps;
    s->def.body = o->gait;
    if (o->gravity_given) s->def.gravity = o->gait.gravity;
    if (o->mix_count > 0)
        r = take_mix(s);
    else if (o->gait_name != NULL)
        r = take_gait(s);
    else if (o->clip_name == NULL)
        r = find_only_clip(s);
    if (r == ER_OK) r = project_inverse_solve(s->context, s->l.model, s->l.rig, &s->def, &s->listener, &s->done);
    const char *of = o->mix_count > 0 ? o->mixes[0] : o->gait_name != NULL ? o->gait_name : o->clip_name;
    snprintf(title, sizeof title, "%.120s%s%.120s", s->l.model->name, of != NULL ? ": " : "", of != NULL ? of : "");
    for (int i = 0; i < o->output_count && r == ER_OK; ++i)
        r = project_inverse_write(s->context, &s->done, title, o->outputs[i]);
    if (r == ER_OK) print_results(s);
    return r;
}

int run_inverse(er_context *context, options *o)
{
    inverse_job s = {.context = context, .o = o, .listener = listener_of(o)};
    int status = check_words(o);
    bool named = options_name_modes(o);
    if (status == EXIT_DONE && o->mix_count > 0 && !named) status = read_mix(context, "inverse", o->mixes[0], &s.mix);
    if (status == EXIT_DONE) status = load(context, o, &s.l);
    if (status == EXIT_DONE && named) status = take_mode_names(context, "inverse", o, &s.l);
    if (status == EXIT_DONE && named) status = read_mix(context, "inverse", o->mixes[0], &s.mix);
    if (status == EXIT_DONE && (s.mix != NULL || o->gait_name != NULL)) {
        if (s.mix != NULL) o->count = modes_of_mixes(o, s.l.model, &s.mix, 1);
        status = solve(context, o, s.l.model, &s.modes);
    }
    if (status == EXIT_DONE) {
        er_result r = work(&s);
        if (r != ER_OK) status = fail_work(context, r, r == ER_ERROR_FORMAT || r == ER_ERROR_FILE ? NULL : o->model);
    }
    project_inverse_clear(&s.done);
    er_gait_motion_destroy(s.gait);
    er_gaits_destroy(s.gaits);
    er_motion_destroy(s.motion);
    er_modes_destroy(s.modes);
    er_mix_destroy(s.mix);
    unload(&s.l);
    return status;
}
