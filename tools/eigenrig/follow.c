// Follow-through: loose parts of a character along its clips.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "tools/eigenrig/cli.h"

typedef struct follow_job {
    er_context *context;
    options *o;
    project_listener listener;
    loaded l;
    project_target target;
    project_loose loose;
    const er_clip **clip; // [clip_count], to follow
    int clip_count;
    project_followed *done;   // [clip_count]
    er_recording **recording; // [clip_count], of these
} follow_job;

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

// The clip that was named, or all that have a duration.
static er_result find_clips(follow_job *s)
{
    const er_scene *scene = s->l.scene;
    s->clip = calloc((size_t)(scene != NULL ? scene->clip_count : 0) + 1, sizeof *s->clip);
    if (s->clip == NULL) return eri_no_memory(s->context);
    if (s->o->clip_name != NULL && scene != NULL) {
        s->clip_count = 1;
        return er_scene_find_clip(s->context, scene, s->o->clip_name, &s->clip[0]);
    }
    for (int i = 0; scene != NULL && i < scene->clip_count; ++i)
        if (scene->clip[i].duration > 0.0) s->clip[s->clip_count++] = &scene->clip[i];
    return s->clip_count > 0 ? ER_OK
                             : er_fail(s->context, ER_ERROR_ARGUMENT,
                                       "there is no clip that parts could follow; `animate --preset idle` makes one");
}

static er_result follow_clips(follow_job *s)
{
    project_follow_def def = s->o->follow;
    def.body = s->o->gait;
    def.follow.rest_pose = s->o->rest == REST_POSE;
    def.recording = s->o->recording;
    if (s->clip_count > 1) def.recording.name = "";
    er_result r = project_find_loose(s->context, s->l.model, s->l.rig, &def, &s->loose);
    s->done = calloc((size_t)s->clip_count, sizeof *s->done);
    s->recording = calloc((size_t)s->clip_count, sizeof(er_recording *));
    if (r == ER_OK && (s->done == NULL || s->recording == NULL)) r = eri_no_memory(s->context);
    progress bar = progress_begin(s->o, "clips");
    for (int i = 0; i < s->clip_count && r == ER_OK; ++i) {
        char name[256];
        snprintf(name, sizeof name, "%.200s%s", s->clip[i]->name, s->o->only_new ? "" : " follow");
        project_follow_def own = def;
        if (*own.recording.name == '\0') own.recording.name = name;
        r = project_follow_clip(s->context, s->l.model, s->l.rig, s->clip[i], &s->loose, &own, &s->listener,
                                &s->done[i]);
        s->recording[i] = s->done[i].recording;
        progress_step(&bar, i + 1, s->clip_count);
    }
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

static void print_results(const follow_job *s)
{
    bool piped = false;
    for (int i = 0; i < s->o->output_count; ++i)
        piped |= strcmp(s->o->outputs[i], "-") == 0;
    for (int i = 0; i < s->clip_count && !s->o->quiet && !piped; ++i) {
        const er_follow *f = s->done[i].follow;
        const er_recording *recording = s->done[i].recording;
        printf("%s: %.4g s, %s, %d key%s\n", plain(recording->clip.name), f->time[f->count - 1],
               f->repeats ? "loops" : "does not loop: its end is not its beginning, so the parts begin at rest",
               recording->key_count, eri_plural(recording->key_count));
        for (int p = 0; p < f->part_count; ++p)
            print_part(s->l.model, &f->part[p]);
    }
}

static er_result work(follow_job *s)
{
    er_result r = find_clips(s);
    if (r == ER_OK) r = follow_clips(s);
    if (r == ER_OK) r = project_target_set(s->context, s->l.model, s->l.rig, s->l.world, &s->target);
    for (int i = 0; i < s->o->output_count && r == ER_OK; ++i)
        r = project_write_takes(s->context, &s->target.target, s->clip_count, s->recording, s->o->only_new,
                                s->o->outputs[i]);
    if (r == ER_OK) print_results(s);
    return r;
}

int run_follow(er_context *context, options *o)
{
    follow_job s = {.context = context, .o = o, .listener = listener_of(o)};
    int status = check_words(o);
    if (status == EXIT_DONE) status = load(context, o, &s.l);
    if (status == EXIT_DONE) {
        er_result r = work(&s);
        if (r != ER_OK) status = fail_work(context, r, r == ER_ERROR_FORMAT ? NULL : o->model);
    }
    project_target_clear(&s.target);
    for (int i = 0; i < s.clip_count && s.done != NULL; ++i)
        project_followed_clear(&s.done[i]);
    free(s.recording);
    free(s.done);
    free(s.clip);
    project_loose_clear(&s.loose);
    unload(&s.l);
    return status;
}
