/// @file
/// What `animate` has in hand when it writes.
#ifndef ER_CLI_ANIMATE_H
#define ER_CLI_ANIMATE_H

#include "cli/cli.h"

typedef struct animation {
    er_context *context;
    const options *o;
    studio_listener listener;
    loaded l;
    studio_stage s;
    er_modes *modes;
    const er_clip *over;     // NULL: none
    er_mix *mix[MOST_MIXES]; // [o->mix_count], these three
    er_motion *motion[MOST_MIXES];
    er_take *take[MOST_MIXES];
    er_gaits *gaits;             // of --gait, with its one
    er_gait_motion *gait_motion; // NULL: none was asked for
} animation;

#endif
