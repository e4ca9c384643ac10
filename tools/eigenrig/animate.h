/// @file
/// The state of `animate` before it writes.
#ifndef ERI_TOOLS_EIGENRIG_ANIMATE_H
#define ERI_TOOLS_EIGENRIG_ANIMATE_H

#include "tools/eigenrig/cli.h"

typedef struct animation {
    er_context *context;
    const options *o;
    project_listener listener;
    double asked; // s, --duration; 0: none
    loaded l;
    project_target s;
    er_modes *modes;
    project_plants plants;
    project_preset_parts parts; // of --preset
    const er_clip *over;        // NULL: none
    er_mix *mix[MOST_MIXES];    // [o->mix_count], these three
    er_motion *motion[MOST_MIXES];
    er_recording *recording[MOST_MIXES];
    er_recording *sequence;  // of --sequence, or of a blend of two gaits; NULL: none
    project_strides strides; // of --blend-space
    er_recording *of_stride[PROJECT_MOST_STRIDES];
    er_gaits *gaits; // of --gait, with its one
    bool travels;    // as its clip "NAME travels" does
    layered laid;    // its strides; NULLs without --gait
    er_mix *on_gait; // of --mix beside --gait; NULL: none
    bool timed;      // of --preset: a preset in time
} animation;

/// Carries the mixes of o->from to the model, into `mix`; or its gait, into `gaits`.   @return an exit status
int carry_from(animation *a);

/// Records laid.motion, with its way on the node o->root_motion if there is one.   Errors: ER_ERROR_ARGUMENT (no such
/// node), and as er_gait_record_root()
er_result record_way(animation *a, bool travels, const er_recording_def *def, er_recording **out);

/// Whether o names motions that are made by write_strides() and not of one mix: a sequence, a blend, a blend space.
bool makes_strides(const options *o);

/// Makes what o->sequence, o->blend_space or the blend o->gait_name says, and writes it to the outputs.
/// Errors   as project_make_sequence(), project_make_strides(), er_gait_record() and writers
er_result write_strides(animation *a);

/// Prints how far the parts of a preset go.
void print_preset_parts(const project_preset_parts *parts);

/// Makes o->preset, one in time, and writes it to the outputs.
/// Errors   as project_move_preset(), er_gait_record() and writers
er_result write_timed_preset(animation *a);

#endif
