/// @file
/// Private: presets in time. Tracks of keys tell how the body, its head, its trunk and other parts move.
#ifndef ERI_GAIT_ACT_H
#define ERI_GAIT_ACT_H

#include "gait/gesture.h"

enum { ERI_ACT_BODY = PART_COUNT, ERI_ACT_PARTS };
enum {
    ERI_ACT_NOD = WAY_COUNT,
    ERI_ACT_TILT,
    ERI_ACT_TURN,
    ERI_ACT_JUMP,
    ERI_ACT_FALL,
    ERI_ACT_WAYS,
    ERI_ACT_MOST_KEYS = 16
};

/// One part's movement: values at fractions of the preset's time, with eases between.
typedef struct eri_act_track {
    int part, way, count;
    double at[ERI_ACT_MOST_KEYS];    ///< ascending, the first 0, the last at most 1
    double value[ERI_ACT_MOST_KEYS]; ///< per cent, or degrees
    double most;                     ///< the value of the largest size, with its sign
} eri_act_track;

/// The tracks of a preset.
typedef struct eri_act {
    int count;
    eri_act_track track[ER_PRESET_MOST_MOVES];
} eri_act;

/// Reads the moves for a body of so many feet.
/// Errors   ER_ERROR_ARGUMENT: quotes the word
er_result eri_act_parse(er_context *context, const char *moves, int feet, eri_act *out);

/// The track of a part and a way; NULL: none.
const eri_act_track *eri_act_find(const eri_act *act, int part, int way);

/// Whether a track moves the body as a whole or its trunk, so that legs must follow.
bool eri_act_moves_body(const eri_act *act);

/// The value of a track at a fraction of the time.   @param track  NULL: 0
double eri_act_value(const eri_act_track *track, double at);

/// Whether ways are angles, in degrees.
static inline bool eri_act_turns(int way)
{
    return way == ERI_ACT_NOD || way == ERI_ACT_TILT || way == ERI_ACT_TURN;
}

/// The body that a head is: the farthest of its part that carries two fifths of the part's mass. -1 without a head.
int eri_act_head(const eri_gesture_search *search);

/// The body that the head hangs on, or -1; and the body that the hindmost legs hang on.
int eri_act_chest(const eri_gesture_search *search);
int eri_act_hips(const eri_gesture_search *search);

/// The centre of mass of a pose, m.
er_vec3 eri_act_centre(const er_model *model, const er_pose *pose);

/// The name of a way: "side", ..., "nod", ...   @param way  in [0, ERI_ACT_WAYS)
const char *eri_act_way_name(int way);

/// The height of the body in time, with at most one flight.
typedef struct eri_act_height {
    double seconds;      ///< of the whole preset
    double begin, end;   ///< s: the push, the flight and the landing are between
    double from, to;     ///< the same as fractions of the preset's time
    double leave, touch; ///< s: the flight
    double low;          ///< m, how far below its height at rest the centre leaves the ground and meets it
    double top;          ///< m, its highest place
    double depth[2];     ///< m, how far it is lowered before and after
    double speed;        ///< m/s, at which it leaves and meets the ground
    double gravity;
    bool flies, falls; ///< falls: the preset begins at the flight's top
} eri_act_height;

/// Where a preset's flight begins and ends. A fall has only an end.
typedef struct eri_act_ends {
    bool flies, falls;
    double at[2];     ///< fractions of the preset's time
    double height[2]; ///< keys of body:up there, per cent, <= 0
    double depth[2];  ///< m, how far the centre of mass is below its height at rest
    double top;       ///< of the flight, per cent
} eri_act_ends;

/// Finds all but `depth`.   Errors: ER_ERROR_ARGUMENT: a jump without keys of body:up at its ends
er_result eri_act_find_ends(er_context *context, const eri_act *act, eri_act_ends *out);

/// Plans a flight.
/// @param metres   of one per cent
/// @param seconds  of the preset without a flight
/// @param low      m, how far below its height at rest the centre leaves the ground and meets it
void eri_act_plan(const eri_act_ends *ends, double metres, double seconds, double gravity, double low,
                  eri_act_height *out);

/// The fraction of the preset's time that a time, s, is at.
double eri_act_fraction(const eri_act_height *h, double time);

/// The height above that at rest, m: of the centre of mass between `begin` and `end` of a flight, else of the roots.
/// @param metres  of one per cent
/// @param share   of the depths that legs reach, 0 to 1
double eri_act_height_at(const eri_act_height *h, const eri_act *act, double metres, double share, double time);

/// The height of the feet above the ground, m. It is 0 with no rate while they stand.
double eri_act_lift_at(const eri_act_height *h, double time, double height);

#endif
