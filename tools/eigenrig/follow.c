// Follow-through: loose parts of a character along its clips.
#include <math.h>
#include <string.h>

#include "tools/eigenrig/cli.h"

typedef struct follow_run {
    er_context *context;
    options *o;
    project_listener listener;
    loaded l;
    project_target target;
    project_follow done;
} follow_run;

static int check_words(const options *o)
{
    if (o->follow.parts == NULL)
        return fail_usage("follow",
                          "name what is loose: --parts tail, or ears,hair, or patterns of bodies as in Tail*");
    if (o->output_count == 0) return fail_usage("follow", "no output was named: -o OUT.glb");
    for (int i = 0; i < o->output_count; ++i) {
        const project_format *format = project_find_format(o->outputs[i]);
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

static er_result follow_clips(follow_run *s)
{
    project_follow_def def = s->o->follow;
    def.clip = s->o->clip_name;
    def.only_new = s->o->only_new;
    def.body = s->o->gait;
    def.recording = s->o->recording;
    def.follow.rest_pose = s->o->rest == REST_POSE;
    progress bar = progress_begin(s->o, "clips");
    const project_progress watch = {clip_done, &bar};
    er_result r = project_follow_clips(s->context, s->l.model, s->l.rig, &def, &s->listener, &watch, &s->done);
    progress_end(&bar);
    return r;
}

static void print_part(const er_model *model, const er_follow_part *part)
{
    printf("  %-24s %2d bod%s  %6.2f Hz  damping %.2f  swings %5.1f degrees", plain(model->body[part->body].name),
           part->body_count, part->body_count == 1 ? "y  " : "ies", part->hz, part->zeta, part->swing * 180.0 / ER_PI);
    if (part->exact && part->correction >= 0.01) printf(", %.0f %% of it by the true forces", 100.0 * part->correction);
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
            print_part(s->l.model, &f->part[p]);
    }
}

static er_result work(follow_run *s)
{
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
    unload(&s.l);
    return status;
}
