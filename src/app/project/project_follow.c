// Follow-through of clips: the clip's poses in time, loose parts along them, and keys over the clip.
#include "app/project/project_follow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/pose_track.h"
#include "app/project/project_parts.h"
#include "app/project/project_simulate.h"
#include "app/settings/setting.h"
#include "base/failure.h"

#define FINE 240.0      // instants a second at least: with the true forces errors fall as their square
#define FAR 1.57        // rad: a swing beyond this is told
#define FEWEST_KNOTS 20 // a second, of the curve that drives parts
#define MOST_KNOTS 60

project_follow_def project_default_follow_def(void)
{
    return (project_follow_def){.own_bounce = true,
                                .follow = er_default_follow_def(),
                                .body = er_default_gait_def(),
                                .recording = er_default_recording_def()};
}

typedef struct follow_job {
    er_context *context;
    const er_model *model;
    const er_rig *rig;
    const project_follow_def *def;
    const project_listener *listener;
    bool *loose;          // [body_count]
    er_follow_swing *own; // [body_count], of parts by spring bones
    er_vec3 up;           // unit
    er_vec3 gravity;      // m/s^2
    project_follow *out;
} follow_job;

// ---- Parts

static double length_of(const er_rig *rig, const er_spring_joint *joint)
{
    const er_affine *world = &rig->world[joint->node];
    return er_v3_distance(er_affine_point(*world, joint->tail), world->translation);
}

// Makes the bodies of spring bones loose; their parts swing as the first joint of a chain does.
static er_result take_springs(follow_job *s)
{
    er_spring_bones *bones = NULL;
    er_result r = er_spring_bones_read(s->context, s->rig->scene, &bones);
    if (r == ER_OK && bones->chain_count == 0)
        r = er_fail(s->context, ER_ERROR_ARGUMENT, "parts springs: the model has no spring bones (VRM)");
    for (int i = 0; i < (r == ER_OK ? bones->chain_count : 0); ++i)
        for (int k = 0; k < bones->chain[i].joint_count; ++k) {
            const er_spring_joint *joint = &bones->chain[i].joint[k];
            int body = s->rig->node_body[joint->node];
            double length = length_of(s->rig, joint);
            bool own = body >= 0 && s->rig->body_node[body] == joint->node && s->model->tree_parent[body] >= 0;
            if (!own || !(length > 0.0)) continue;
            s->loose[body] = true;
            if (s->def->follow.hz > 0.0 || joint->stiffness == 0.0) continue;
            er_follow_swing *swing = &s->own[body];
            er_spring_joint_swing(joint, length, s->def->recording.fps, &swing->hz, &swing->zeta);
            if (!s->def->own_bounce) {
                double l = log(fmax(s->def->follow.bounce, 1e-300));
                swing->zeta = -l / sqrt(ER_PI * ER_PI + l * l);
            }
        }
    er_spring_bones_destroy(bones);
    return r;
}

// Takes the word "springs" out of a list.   @param out  [size of the list]   @return  whether it was there
static bool take_word(const char *names, char *out)
{
    bool any = false;
    char word[256];
    *out = '\0';
    for (const char *rest = names; setting_next_word(&rest, word, sizeof word) != NULL;) {
        bool is_it = strcmp(word, "springs") == 0;
        any |= is_it;
        if (is_it) continue;
        if (*out != '\0') strcat(out, ",");
        strcat(out, word);
    }
    return any;
}

static er_result name_loose(follow_job *s, const er_regions *regions)
{
    char *others = malloc(strlen(s->def->parts) + 1);
    if (others == NULL) return eri_no_memory(s->context);
    bool springs = take_word(s->def->parts, others);
    er_result r = springs && *others == '\0'
                      ? ER_OK
                      : project_find_parts(s->context, s->model, regions, "parts", others, true, s->loose);
    if (r == ER_OK && springs) r = take_springs(s);
    for (int i = 0; i < s->model->body_count; ++i) {
        int b = s->model->order[i], parent = s->model->tree_parent[b];
        s->loose[b] |= springs && parent >= 0 && s->loose[parent];
    }
    free(others);
    return r;
}

static er_result find_loose(follow_job *s)
{
    const er_model *m = s->model;
    const project_follow_def *def = s->def;
    er_regions *regions = NULL;
    er_result r = ER_OK;
    double gravity = def->body.gravity > 0.0 ? def->body.gravity : 9.81;
    s->loose = calloc((size_t)m->body_count, sizeof *s->loose);
    s->own = calloc((size_t)m->body_count, sizeof *s->own);
    if (s->loose == NULL || s->own == NULL) return eri_no_memory(s->context);
    s->up = project_up(s->rig);
    if (m->body_count <= ER_MIRROR_MAX_BODIES) r = er_regions_create(s->context, m, s->rig, &def->body, &regions);
    if (regions != NULL) {
        s->up = regions->body->up;
        gravity = regions->body->gravity;
    }
    s->gravity = er_v3_scale(-gravity, s->up);
    if (r == ER_OK) r = name_loose(s, regions);
    for (int b = 0; b < m->body_count && r == ER_OK; ++b)
        if (s->loose[b] && m->tree_parent[b] < 0)
            r = er_fail(s->context, ER_ERROR_ARGUMENT,
                        "parts %s: \"%s\" hangs on no other body, so nothing leads it; name what hangs on it",
                        def->parts, m->body[b].name);
    er_regions_destroy(regions);
    return r;
}

// ---- Clips

static void report(const follow_job *s, const er_clip *clip, const er_follow *f)
{
    for (int i = 0; i < f->part_count; ++i) {
        const er_follow_part *part = &f->part[i];
        const char *name = s->model->body[part->body].name;
        if (!part->exact)
            project_notify(s->listener, ER_NOTE_WARNING,
                           "%s: the true forces on \"%s\" have no steady motion, so %s; a firmer part (a higher "
                           "looseness), less bounce or a smaller amount would tame it",
                           clip->name, name,
                           part->swing > 0.0 ? "the linear one stands" : "it stays as the clip has it");
        else if (part->swing > FAR)
            project_notify(
                s->listener, ER_NOTE_WARNING,
                "%s: \"%s\" swings by %.0f degrees; a firmer part (a higher looseness), less bounce or a smaller "
                "amount would tame it",
                clip->name, name, part->swing * 180.0 / ER_PI);
    }
}

static er_pose pose_in(const er_pose *pose, int parent, int body)
{
    return er_pose_mul(er_pose_inverse(pose[parent]), pose[body]);
}

// The clip's own poses at a frame, with the displacements of loose joints: between keys the driving curve is elsewhere.
// @param rest  the curve's poses
static void place_frame(const follow_job *s, const er_pose *clip, const er_pose *followed, const er_pose *rest,
                        er_pose *out)
{
    const er_model *m = s->model;
    for (int i = 0; i < m->body_count; ++i) {
        int b = m->order[i], parent = m->tree_parent[b];
        out[b] = clip[b];
        if (!s->loose[b]) continue;
        er_pose in = pose_in(followed, parent, b);
        if (!s->def->follow.rest_pose)
            in = er_pose_mul(pose_in(clip, parent, b), er_pose_mul(er_pose_inverse(pose_in(rest, parent, b)), in));
        out[b] = er_pose_mul(out[parent], in);
    }
}

static er_result record(const follow_job *s, const er_clip *clip, const pose_track *frames, const er_trajectory *curve,
                        const er_follow *f, er_recording **out)
{
    char name[256];
    er_twist twist, rate; // not used
    size_t bodies = (size_t)f->model->body_count, count = (size_t)frames->count,
           samples = ((size_t)f->count - 1) / (count - 1);
    double *time = malloc(count * sizeof *time);
    er_pose *pose = malloc(count * bodies * sizeof *pose), *rest = malloc(bodies * sizeof *rest);
    er_result r = time != NULL && pose != NULL && rest != NULL ? ER_OK : eri_no_memory(s->context);
    for (size_t k = 0; k < count && r == ER_OK; ++k) {
        time[k] = f->time[k * samples];
        for (size_t b = 0; b < bodies; ++b)
            er_trajectory_at(curve, time[k], (int)b, &rest[b], &twist, &rate);
        place_frame(s, frames->pose + k * bodies, f->pose + k * samples * bodies, rest, pose + k * bodies);
    }
    const er_recorded_poses poses = {f->model, frames->count, time, pose, f->repeats, -1, NULL};
    const er_recording_target target = er_rig_target(s->rig);
    er_recording_def def = s->def->recording;
    snprintf(name, sizeof name, "%.200s%s", clip->name, s->def->only_new ? "" : " follow");
    if (*def.name == '\0') def.name = name;
    def.over = clip;
    if (r == ER_OK) r = er_poses_record(s->context, &poses, &target, &def, out);
    free(rest);
    free(pose);
    free(time);
    return r;
}

// Knots a second of the curve that drives parts. Straight lines between keys would strike them at every key.
static double knot_rate(const er_clip *clip)
{
    double most = 0.0;
    for (int i = 0; i < clip->channel_count; ++i) {
        const er_channel *c = &clip->channel[i];
        double span = c->time[c->key_count - 1] - c->time[0];
        if (c->path == ER_PATH_MORPH || c->key_count < 2) continue;
        most = fmax(most, c->interpolation == ER_CUBIC ? MOST_KNOTS : (c->key_count - 1) / span);
    }
    return fmin(fmax(most, FEWEST_KNOTS), MOST_KNOTS);
}

static er_result check_clip(const follow_job *s, int at, const er_trajectory *trajectory, const er_follow_def *def)
{
    const er_follow *f = s->out->follow[at];
    s->out->off[at] = calloc((size_t)f->part_count, sizeof(project_follow_off));
    if (s->out->off[at] == NULL) return eri_no_memory(s->context);
    return project_follow_check(s->context, f, trajectory, s->loose, def, s->out->off[at], &s->out->cycles[at]);
}

static er_result follow_clip(const follow_job *s, const er_clip *clip, int at)
{
    er_follow **follow = &s->out->follow[at];
    er_recording **recording = &s->out->recording[at];
    pose_track knots = {0}, frames = {0};
    er_trajectory *trajectory = NULL;
    er_follow_def def = s->def->follow;
    def.loose = s->loose;
    def.own = s->own;
    def.gravity = s->gravity;
    er_result r = pose_track_of_clip(s->context, s->model, s->rig, clip, knot_rate(clip), 0.0, false, &knots);
    if (r == ER_OK)
        r = pose_track_of_clip(s->context, s->model, s->rig, clip, s->def->recording.fps, 0.0, false, &frames);
    if (r == ER_OK) r = pose_track_extend(s->context, s->up, 0.0, &knots);
    if (r == ER_OK) r = pose_track_trajectory(s->context, &knots, &trajectory);
    int samples = (int)fmax(ceil(FINE * frames.step - 1e-6), 1.0);
    if (r == ER_OK)
        r = er_follow_create(s->context, s->model, trajectory, pose_track_time(&frames, frames.count - 1),
                             (frames.count - 1) * samples + 1, knots.repeats, &def, follow);
    if (r == ER_OK) r = record(s, clip, &frames, trajectory, *follow, recording);
    if (r == ER_OK && s->def->check) r = check_clip(s, at, trajectory, &def);
    if (r == ER_OK) report(s, clip, *follow);
    er_trajectory_destroy(trajectory);
    pose_track_clear(&frames);
    pose_track_clear(&knots);
    return r;
}

// The clip that is named, or all that have a duration.
static er_result list_clips(const follow_job *s, const er_clip **clip, int *count)
{
    const er_scene *scene = s->rig->scene;
    if (s->def->clip != NULL) {
        *count = 1;
        return er_scene_find_clip(s->context, scene, s->def->clip, &clip[0]);
    }
    for (int i = 0; i < scene->clip_count; ++i)
        if (scene->clip[i].duration > 0.0) clip[(*count)++] = &scene->clip[i];
    if (*count > 1 && *s->def->recording.name != '\0')
        return er_fail(s->context, ER_ERROR_ARGUMENT, "name \"%s\" can be given to one clip only, not to %d",
                       s->def->recording.name, *count);
    return *count > 0 ? ER_OK : er_fail(s->context, ER_ERROR_ARGUMENT, "the model has no clip that parts could follow");
}

static er_result follow_all(follow_job *s, const project_progress *progress, const er_clip *const *clip, int count)
{
    er_result r = ER_OK;
    s->out->follow = calloc((size_t)count, sizeof(er_follow *));
    s->out->recording = calloc((size_t)count, sizeof(er_recording *));
    if (s->out->follow == NULL || s->out->recording == NULL) return eri_no_memory(s->context);
    if (s->def->check) {
        s->out->off = calloc((size_t)count, sizeof(project_follow_off *));
        s->out->cycles = calloc((size_t)count, sizeof(int));
        if (s->out->off == NULL || s->out->cycles == NULL) return eri_no_memory(s->context);
    }
    s->out->count = count;
    for (int i = 0; i < count && r == ER_OK; ++i) {
        r = follow_clip(s, clip[i], i);
        if (r == ER_OK && progress != NULL && progress->step != NULL && !progress->step(progress->user, i + 1, count))
            r = er_fail(s->context, ER_ERROR_ARGUMENT, "stopped after clip %d of %d", i + 1, count);
    }
    return r;
}

er_result project_follow_clips(er_context *context, const er_model *model, const er_rig *rig,
                               const project_follow_def *def, const project_listener *listener,
                               const project_progress *progress, project_follow *out)
{
    *out = (project_follow){0};
    if (rig == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a rig file has no clips; give the model that has them");
    if (def->check && def->follow.amount != 1.0)
        return er_fail(context, ER_ERROR_ARGUMENT, "check compares whole swings: leave amount out");
    follow_job s = {context, model, rig, def, listener, .out = out};
    const er_clip **clip = calloc((size_t)rig->scene->clip_count + 1, sizeof *clip);
    int count = 0;
    er_result r = clip != NULL ? list_clips(&s, clip, &count) : eri_no_memory(context);
    if (r == ER_OK) r = find_loose(&s);
    if (r == ER_OK) r = follow_all(&s, progress, clip, count);
    free(s.own);
    free(s.loose);
    free(clip);
    if (r != ER_OK) project_follow_clear(out);
    return r;
}

// ---- Spring bones

#define OFF 0.1 // relative difference of a swing from the one asked for that is told

static void report_fit(const follow_job *s, const er_spring_fit *fit)
{
    const char *name = s->model->body[fit->body].name;
    if (fabs(fit->rule_hz - fit->hz) > OFF * fit->hz || fabs(fit->rule_zeta - fit->zeta) > OFF * fit->zeta)
        project_notify(
            s->listener, ER_NOTE_WARNING,
            "\"%s\" would swing at %.3g Hz with damping %.2g, and spring bones swing at %.3g Hz with %.2g: at "
            "%g frames a second they need more damping; lower the bounce or the looseness",
            name, fit->hz, fit->zeta, fit->rule_hz, fit->rule_zeta, s->def->recording.fps);
    if (fit->shape > OFF)
        project_notify(s->listener, ER_NOTE_FACT,
                       "\"%s\" bends in another shape as spring bones, by %.0f %% of its swing", name,
                       100.0 * fit->shape);
}

er_result project_fit_springs(er_context *context, const er_model *model, const er_rig *rig,
                              const project_follow_def *def, const project_listener *listener, er_spring_bones **out)
{
    *out = NULL;
    if (rig == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a rig file has no nodes; give the model that has them");
    follow_job s = {context, model, rig, def, listener, .out = NULL};
    er_spring_bones *old = NULL;
    er_result r = find_loose(&s);
    if (r == ER_OK) r = er_spring_bones_read(context, rig->scene, &old);
    if (r == ER_OK) {
        er_follow_def follow = def->follow;
        follow.loose = s.loose;
        follow.own = s.own;
        follow.gravity = s.gravity;
        r = er_spring_bones_fit(context, model, rig, &follow, def->recording.fps, old->version, out);
    }
    for (int i = 0; i < (r == ER_OK ? (*out)->fit_count : 0); ++i)
        report_fit(&s, &(*out)->fit[i]);
    er_spring_bones_destroy(old);
    free(s.own);
    free(s.loose);
    return r;
}

er_result project_write_springs(er_context *context, const er_recording_target *target, const er_spring_bones *bones,
                                bool only_new, const char *path)
{
    er_export_def def = er_default_export_def();
    def.drop_clips = only_new;
    def.springs = bones;
    return er_gltf_write(context, target->scene, 0, NULL, &def, path);
}

void project_follow_clear(project_follow *follow)
{
    for (int i = 0; i < follow->count; ++i) {
        er_recording_destroy(follow->recording[i]);
        er_follow_destroy(follow->follow[i]);
        if (follow->off != NULL) free(follow->off[i]);
    }
    free(follow->cycles);
    free(follow->off);
    free(follow->recording);
    free(follow->follow);
    *follow = (project_follow){0};
}
