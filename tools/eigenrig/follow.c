// Follow-through: loose parts of a character along its clips.
#include <math.h>
#include <string.h>

#include "tools/eigenrig/cli.h"

#define APART 1e-3 // of the size: joints that a clip takes apart by more are told

typedef struct follow_run {
    er_context *context;
    options *o;
    project_listener listener;
    loaded l;
    project_target target;
    project_follow done;
    er_spring_bones *springs;
} follow_run;

static int check_words(const options *o)
{
    if (o->follow.parts == NULL)
        return fail_usage("follow",
                          "name what is loose: --parts tail, or ears,hair, or patterns of bodies as in Tail*");
    if (o->output_count == 0) return fail_usage("follow", "no output was named: -o OUT.glb");
    for (int i = 0; i < o->output_count; ++i) {
        const project_format *format = project_find_format(o->outputs[i]);
        bool gltf = format == &project_formats[PROJECT_GLB] || format == &project_formats[PROJECT_GLTF] ||
                    format == &project_formats[PROJECT_VRM];
        if (o->spring_bones && !gltf)
            return fail_usage("follow", "\"%s\" cannot hold spring bones: write .glb, .gltf or .vrm", o->outputs[i]);
        if (!project_holds_clips(format))
            return fail_usage("follow", "\"%s\" must end in %s", o->outputs[i], project_format_endings(true));
    }
    return check_terminal("follow", o);
}

static bool clip_done(void *bar, int done, int all)
{
    progress_step(bar, done, all);
    return true;
}

static project_follow_def def_of(const follow_run *s)
{
    project_follow_def def = s->o->follow;
    def.clip = s->o->clip_name;
    def.only_new = s->o->only_new;
    def.body = s->o->gait;
    def.recording = s->o->recording;
    def.follow.rest_pose = s->o->rest == REST_POSE;
    def.own_bounce = !s->o->bounce_given;
    return def;
}

static er_result follow_clips(follow_run *s)
{
    const project_follow_def def = def_of(s);
    progress bar = progress_begin(s->o, "clips");
    const project_progress watch = {clip_done, &bar};
    er_result r = project_follow_clips(s->context, s->l.model, s->l.rig, &def, &s->listener, &watch, &s->done);
    progress_end(&bar);
    return r;
}

static void print_part(const er_model *model, const er_follow_part *part, const project_follow_off *off)
{
    printf("  %-24s %2d bod%s  %6.2f Hz  damping %.2f  swings %5.1f degrees", plain(model->body[part->body].name),
           part->body_count, part->body_count == 1 ? "y  " : "ies", part->hz, part->zeta, part->swing * 180.0 / ER_PI);
    if (part->exact && part->correction >= 0.01) printf(", %.0f %% of it by the true forces", 100.0 * part->correction);
    if (off != NULL) printf(", off full dynamics by %.2g degrees", off->angle * 180.0 / ER_PI);
    if (off != NULL && part->swing > 0.0) printf(" (%.2g %%)", 100.0 * off->angle / part->swing);
    if (off != NULL && off->gap > APART)
        printf("; the clip takes joints apart by %.2g %% of the size", 100.0 * off->gap);
    printf("\n");
}

static void print_results(const follow_run *s)
{
    bool piped = false;
    for (int i = 0; i < s->o->output_count; ++i)
        piped |= strcmp(s->o->outputs[i], "-") == 0;
    for (int i = 0; i < s->done.count && !s->o->quiet && !piped; ++i) {
        const er_follow *f = s->done.follow[i];
        const er_recording *recording = s->done.recording[i];
        printf("%s: %.4g s, %s, %d key%s\n", plain(recording->clip.name), f->time[f->count - 1],
               f->repeats ? "loops" : "does not loop: its end is not its beginning, so the parts begin at rest",
               recording->key_count, eri_plural(recording->key_count));
        for (int p = 0; p < f->part_count; ++p)
            print_part(s->l.model, &f->part[p], s->done.off != NULL ? &s->done.off[i][p] : NULL);
        if (s->done.off != NULL && f->repeats)
            printf("  full dynamics %s after %d cycle%s\n", s->done.off[i]->periodic ? "repeats" : "does not repeat",
                   s->done.cycles[i], eri_plural(s->done.cycles[i]));
    }
}

static void print_springs(const follow_run *s)
{
    for (int i = 0; i < s->springs->fit_count; ++i) {
        const er_spring_fit *fit = &s->springs->fit[i];
        printf(
            "%s: %.3g Hz, damping %.2f; spring bones at %g frames a second: %.3g Hz, damping %.2f, shape off by %.0f "
            "%%",
            plain(s->l.model->body[fit->body].name), fit->hz, fit->zeta, s->o->recording.fps, fit->rule_hz,
            fit->rule_zeta, 100.0 * fit->shape);
        if (fit->across_hz > 0.0) printf("; across, %.3g Hz in the model", fit->across_hz);
        printf("\n");
    }
    for (int i = 0; i < s->springs->chain_count; ++i) {
        const er_spring_chain *chain = &s->springs->chain[i];
        printf("  %-24s drag %.3g, stiffness", plain(chain->name), chain->joint[0].drag);
        for (int k = 0; k < chain->joint_count; ++k)
            printf(" %.3g", chain->joint[k].stiffness);
        printf("\n");
    }
}

static er_result write_springs(follow_run *s)
{
    const project_follow_def def = def_of(s);
    bool piped = false;
    er_result r = project_fit_springs(s->context, s->l.model, s->l.rig, &def, &s->listener, &s->springs);
    if (r == ER_OK) r = project_target_set(s->context, s->l.model, s->l.rig, s->l.world, &s->target);
    for (int i = 0; i < s->o->output_count && r == ER_OK; ++i) {
        piped |= strcmp(s->o->outputs[i], "-") == 0;
        r = project_write_springs(s->context, &s->target.target, s->springs, s->o->only_new, s->o->outputs[i]);
    }
    if (r == ER_OK && !piped && !s->o->quiet) print_springs(s);
    return r;
}

static er_result work(follow_run *s)
{
    if (s->o->spring_bones) return write_springs(s);
    er_result r = follow_clips(s);
    if (r == ER_OK) r = project_target_set(s->context, s->l.model, s->l.rig, s->l.world, &s->target);
    for (int i = 0; i < s->o->output_count && r == ER_OK; ++i)
        r = project_write_takes(s->context, &s->target.target, s->done.count, s->done.recording, s->o->only_new,
                                s->o->outputs[i]);
    if (r == ER_OK) print_results(s);
    return r;
}

int run_follow(er_context *context, options *o)
{
    follow_run s = {.context = context, .o = o, .listener = listener_of(o)};
    int status = check_words(o);
    if (status == EXIT_DONE) status = load(context, o, &s.l);
    if (status == EXIT_DONE) {
        er_result r = work(&s);
        if (r != ER_OK) status = fail_work(context, r, o->model);
    }
    project_target_clear(&s.target);
    project_follow_clear(&s.done);
    er_spring_bones_destroy(s.springs);
    unload(&s.l);
    return status;
}
