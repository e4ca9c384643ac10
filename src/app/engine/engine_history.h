/// @file
/// The arrays of a recording, for its writers.
#ifndef ERI_APP_ENGINE_ENGINE_HISTORY_H
#define ERI_APP_ENGINE_ENGINE_HISTORY_H

#include "app/engine/engine_recording.h"

typedef struct placed_frame {
    er_pose pose;
    er_vec3 velocity, spin;
    bool hidden;
} placed_frame;

/// The frames of an actor from its addition to its removal. There is no gap, since ids are not reused.
typedef struct engine_history {
    int id;
    char *name;
    engine_motion motion;
    int character;
    int part_count;
    engine_part *part; ///< as they were at first
    bool is_hidden;    ///< in all frames
    bool is_shown;     ///< in all frames
    int first, count, room;
    placed_frame *frame; ///< [count], from frame `first` on
} engine_history;

struct engine_recording {
    engine *engine;
    double *time; ///< [frame_count]
    int frame_count, time_room;
    engine_history *actor; ///< ids ascending
    int actor_count, actor_room;
    engine_character *character; ///< with all actors they had at first
    int character_count, character_room;
};

/// The actor's pose in a frame: the first pose before it was added, the last one after it was removed.
static inline const placed_frame *history_at(const engine_history *h, int frame)
{
    int at = frame - h->first;
    return &h->frame[at < 0 ? 0 : at >= h->count ? h->count - 1 : at];
}

#endif
