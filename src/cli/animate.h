/// @file
/// What `animate` has in hand when it writes, and the formats it writes.
#ifndef ER_CLI_ANIMATE_H
#define ER_CLI_ANIMATE_H

#include "cli/cli.h"

typedef struct animation {
    er_context *context;
    const options *o;
    loaded l;
    stage s;
    er_modes *modes;
    const er_clip *over;     // NULL: none
    er_mix *mix[MOST_MIXES]; // [o->mix_count], these three
    er_motion *motion[MOST_MIXES];
    er_take *take[MOST_MIXES];
} animation;

typedef struct output_format {
    const char *end; // of the path, lower case
    bool single;     // it holds one clip
    er_result (*write)(animation *a, const char *path);
} output_format;

/// By the path's ending; that of .glb for "-"; NULL for none of them.
const output_format *find_output_format(const char *path);

/// ".glb, .gltf, ... or .npz".
const char *output_endings(void);

er_result write_plot(animation *a, const char *path);

#endif
