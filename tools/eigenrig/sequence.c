// Motions of `animate` that travel: root motion; sequences of gaits, presets, mixes and clips; blends and blend spaces.
#include <stdlib.h>
#include <string.h>

#include "tools/eigenrig/animate.h"

static void print_sequence(const options *o, const er_gait_motion *m, const er_recording *recording)
{
    double way = er_v3_norm(m->travel[m->frame_count - 1]);
    if (o->quiet) return;
    printf("%s: %.4g s, %.3g m, %d keys\n", plain(recording->clip.name), m->time[m->frame_count - 1], way,
           recording->key_count);
    if (o->verbose)
        print_note("standing feet off by %.2g cm, joints changed by %.3g degrees at most", 100.0 * m->slide,
                   m->correction * 180.0 / ER_PI);
}

// Ready for tables of animation programs: a row a clip.
static void print_strides(const animation *a)
{
    if (a->o->quiet) return;
    printf("%-28s %8s %8s %8s %8s\n", "clip", "m/s", "seconds", "frames", "stride m");
    for (int i = 0; i < a->strides.count; ++i) {
        const er_gait_motion *m = a->strides.motion[i];
        double seconds = m->time[m->frame_count - 1];
        printf("%-28s %8.3g %8.4g %8d %8.3g\n", plain(a->strides.name[i]), a->strides.speed[i], seconds,
               m->frame_count - 1, a->strides.speed[i] * seconds);
    }
}

static er_result record(animation *a, const er_gait_motion *motion, bool travels, const er_recording_def *def,
                        er_recording **out)
{
    const char *name = a->o->root_motion;
    int node;
    if (name == NULL || strcmp(name, "none") == 0)
        return er_gait_record(a->context, motion, travels && name == NULL, &a->s.target, def, out);
    er_result r = project_root_set(a->context, name, &a->s, &node);
    return r == ER_OK ? er_gait_record_root(a->context, motion, node, &a->s.target, def, out) : r;
}

er_result record_way(animation *a, bool travels, const er_recording_def *def, er_recording **out)
{
    return record(a, a->laid.motion, travels, def, out);
}

bool makes_strides(const options *o)
{
    return o->sequence != NULL || o->blend_space != NULL || (o->gait_name != NULL && project_is_blend(o->gait_name));
}

static er_result write(animation *a, int count, er_recording *const *recording, const er_gait_motion *first)
{
    const options *o = a->o;
    const project_clips clips = {a->l.model, a->modes,  a->l.scene, &a->s.target, o->recording.fps, count,      NULL,
                                 NULL,       recording, first,      NULL,         a->travels,       o->only_new};
    er_result r = ER_OK;
    for (int i = 0; i < o->output_count && r == ER_OK; ++i)
        r = project_write_clips(a->context, &clips, &a->listener, o->outputs[i]);
    return r;
}

static er_result write_one(animation *a, const char *name)
{
    er_recording_def recording = a->o->recording;
    if (*recording.name == '\0') recording.name = name;
    er_result r = record_way(a, a->travels, &recording, &a->sequence);
    if (r == ER_OK) r = write(a, 1, &a->sequence, a->laid.motion);
    if (r == ER_OK) print_sequence(a->o, a->laid.motion, a->sequence);
    return r;
}

static er_result write_sequence(animation *a)
{
    const options *o = a->o;
    const er_gait_def gait = gait_def_of(o);
    const project_sequence_def def = {a->l.model,  a->l.rig, a->modes,         &gait,
                                      o->sequence, o->blend, o->recording.fps, NULL};
    er_result r = project_make_sequence(a->context, &def, &a->listener, &a->laid.motion);
    a->travels = o->root_motion == NULL || strcmp(o->root_motion, "none") != 0;
    return r == ER_OK ? write_one(a, "sequence") : r;
}

static er_result write_blend(animation *a)
{
    static const char travelling[] = " travels";
    const options *o = a->o;
    char name[160];
    snprintf(name, sizeof name, "%s", o->gait_name);
    size_t length = strlen(name), tail = strlen(travelling);
    a->travels = length > tail && strcmp(name + length - tail, travelling) == 0;
    if (a->travels) name[length - tail] = '\0';
    er_result r =
        project_make_stride(a->context, a->l.model, a->modes, a->gaits, name, o->recording.fps, &a->laid.motion);
    return r == ER_OK ? write_one(a, o->gait_name) : r;
}

static er_result write_space(animation *a)
{
    const options *o = a->o;
    er_result r =
        project_make_strides(a->context, a->l.model, a->modes, a->gaits, o->blend_space, o->recording.fps, &a->strides);
    for (int i = 0; i < a->strides.count && r == ER_OK; ++i) {
        er_recording_def recording = o->recording;
        recording.name = a->strides.name[i];
        r = record(a, a->strides.motion[i], false, &recording, &a->of_stride[i]);
    }
    if (r == ER_OK) r = write(a, a->strides.count, a->of_stride, a->strides.motion[0]);
    if (r == ER_OK) print_strides(a);
    return r;
}

er_result write_strides(animation *a)
{
    const er_gait_def gait = gait_def_of(a->o);
    er_result r = project_target_set(a->context, a->l.model, a->l.rig, a->l.world, &a->s);
    if (r == ER_OK && a->o->sequence != NULL) return write_sequence(a);
    if (r == ER_OK) r = er_gaits_find(a->context, a->l.model, a->l.rig, a->modes, &gait, &a->gaits);
    if (r != ER_OK) return r;
    return a->o->blend_space != NULL ? write_space(a) : write_blend(a);
}

void print_preset_parts(const project_preset_parts *parts)
{
    char text[256];
    for (int i = 0; i < parts->count; ++i) {
        project_write_preset_part(&parts->part[i], text, sizeof text);
        printf("  %s\n", text);
    }
}

er_result write_timed_preset(animation *a)
{
    const options *o = a->o;
    const er_gait_def gait = gait_def_of(o);
    er_result r = project_target_set(a->context, a->l.model, a->l.rig, a->l.world, &a->s);
    if (r == ER_OK)
        r = project_move_preset(a->context, a->l.model, a->l.rig, a->modes, &gait, o->preset, o->recording.fps,
                                &a->listener, &a->parts, &a->laid.motion);
    if (r == ER_OK) r = write_one(a, o->preset);
    if (r == ER_OK && !o->quiet) print_preset_parts(&a->parts);
    return r;
}
