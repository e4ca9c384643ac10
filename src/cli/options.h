/// @file
/// What options are called, and how their values are read.
#ifndef ER_CLI_OPTIONS_H
#define ER_CLI_OPTIONS_H

#include "cli/cli.h"

/// Options without a letter. From OPT_MODE on they are those of pictures.
enum {
    OPT_VERSION = 256,
    OPT_THREADS,
    OPT_PROGRESS,
    OPT_ROOT,
    OPT_JOINTS,
    OPT_STIFFNESS,
    OPT_DAMPING,
    OPT_DENSITY,
    OPT_MASS,
    OPT_HEIGHT,
    OPT_POSE,
    OPT_SKELETON,
    OPT_INFER,
    OPT_COUNT,
    OPT_MIN_HZ,
    OPT_MAX_HZ,
    OPT_METHOD,
    OPT_AMPLITUDE,
    OPT_JSON,
    OPT_SIZES,
    OPT_RIGS,
    OPT_ROUTES,
    OPT_BUDGET,
    OPT_SAVE_POSE,
    OPT_MIX,
    OPT_DURATION,
    OPT_LOOP,
    OPT_CYCLE,
    OPT_FPS,
    OPT_TOLERANCE,
    OPT_SPLINES,
    OPT_ATTACK,
    OPT_DECAY,
    OPT_RING,
    OPT_OVER,
    OPT_NAME,
    OPT_SAVE_MIX,
    OPT_PLOT,
    OPT_SCRIPT,
    OPT_SCREENSHOT,
    OPT_FRAMES,
    OPT_SIZE,
    OPT_GAIT,
    OPT_LIST,
    OPT_BEST,
    OPT_WEIGHTS,
    OPT_GRAVITY,
    OPT_MIXES,
    OPT_FOOTFALLS,
    OPT_STRIP,
    OPT_UP,
    OPT_FORWARD,
    OPT_FEET,
    OPT_WRITE,
    OPT_EACH,
    OPT_JOBS,
    OPT_TIMEOUT,
    OPT_MEMORY,
    OPT_SHARD,
    OPT_RESUME,
    OPT_MERGE,
    OPT_RIG,
    OPT_MODE,
    OPT_PHASE,
    OPT_TIME,
    OPT_SHEET,
    OPT_PICTURE_SIZE,
    OPT_GHOSTS,
    OPT_VIEW,
    OPT_SHOW,
    OPT_SURFACE,
    OPT_THEME,
    OPT_TRANSPARENT
};

/// A finite number, and nothing else.
bool number(const char *text, double *out);

/// A whole number of at least `least`, and at most 1e9.
bool whole(const char *text, int least, int *out);

/// WxH, both sides in a range.
bool parse_sides(const char *text, int least, int most, int *width, int *height);

/// The index of a word; -1 when it is none of them.
int one_of(const char *text, const char *const *names, int count);

/// One of a picture's own options.   @return whether its value is sound
bool set_picture_option(options *o, int which, const char *value);

#endif
