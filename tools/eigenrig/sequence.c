// Motions of `animate` that travel: their way on a node; sequences of gaits, presets, mixes and clips.
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

er_result record_way(animation *a, bool travels, const er_recording_def *def, er_recording **out)
{
    const char *name = a->o->root_motion;
    int node = 0;
    if (name == NULL) return er_gait_record(a->context, a->laid.motion, travels, &a->s.target, def, out);
    while (node < a->l.scene->node_count && strcmp(a->l.scene->node[node].name, name) != 0)
        ++node;
    if (node == a->l.scene->node_count)
        return er_fail(a->context, ER_ERROR_ARGUMENT, "root-motion: no node is called \"%s\"", name);
    return er_gait_record_root(a->context, a->laid.motion, node, &a->s.target, def, out);
}

// Records laid.motion as the only clip and writes it.
static er_result write_motion(animation *a, const char *name, bool travels)
{
    const options *o = a->o;
    er_recording_def recording = o->recording;
    er_result r = project_target_set(a->context, a->l.model, a->l.rig, a->l.world, &a->s);
    if (*recording.name == '\0') recording.name = name;
    if (r == ER_OK) r = record_way(a, travels, &recording, &a->sequence);
    const project_clips clips = {a->l.model, a->modes, a->l.scene, &a->s.target, o->recording.fps,
                                 1,          NULL,     NULL,       &a->sequence, a->laid.motion,
                                 NULL,       travels,  o->only_new};
    for (int i = 0; i < o->output_count && r == ER_OK; ++i)
        r = project_write_clips(a->context, &clips, &a->listener, o->outputs[i]);
    if (r == ER_OK) print_sequence(o, a->laid.motion, a->sequence);
    return r;
}

er_result write_sequence(animation *a)
{
    const options *o = a->o;
    const er_gait_def gait = gait_def_of(o);
    const project_sequence_def def = {a->l.model, a->l.rig, a->modes, &gait, o->sequence, o->blend, o->recording.fps};
    er_result r = project_make_sequence(a->context, &def, &a->listener, &a->laid.motion);
    return r == ER_OK ? write_motion(a, "sequence", true) : r;
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
    er_result r = project_move_preset(a->context, a->l.model, a->l.rig, a->modes, &gait, o->preset, o->recording.fps,
                                      &a->listener, &a->parts, &a->laid.motion);
    if (r == ER_OK) r = write_motion(a, o->preset, false);
    if (r == ER_OK && !o->quiet) print_preset_parts(&a->parts);
    return r;
}
