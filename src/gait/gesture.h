/// @file
/// Gestures: up to four modes in phase that move one part of the body in one direction.
#ifndef ERI_GAIT_GESTURE_H
#define ERI_GAIT_GESTURE_H

#include <eigenrig/gait.h>

#include "base/arena.h"

enum { PART_TRUNK, PART_HEAD, PART_TAIL, PART_ARMS, PART_LEGS, PART_WINGS, PART_COUNT };
enum { WAY_SIDE, WAY_UP, WAY_AHEAD, WAY_ANY, WAY_COUNT };
#define ERI_GESTURE_LEAST_SHARE 1e-5 // of the mass, of a body that is looked at by itself

enum { ERI_GESTURE_MOST_TOGETHER = 4, ERI_PRESET_MOST_SECONDS = 600 };

extern const char *const eri_part_names[PART_COUNT]; ///< "trunk", ...
extern const char *const eri_way_names[WAY_COUNT];   ///< "side", ...

/// The motion wanted of one part.
typedef struct eri_gesture_goal {
    int part, way, cycles;
    double percent, phase;
} eri_gesture_goal;

/// A search for gestures. The caller fills all fields before `kinematics`.
typedef struct eri_gesture_search {
    er_context *context;
    const er_model *model;
    const er_modes *modes;
    er_gait_body *body;
    int *part;       // [body_count], the part that a body belongs to, or -1
    er_vec3 *middle; // [body_count], centres of mass
    double mass;     // of the rig, kg
    int mode_count;  // slowest modes to use
    er_vec3 *moves;  // [mode_count x body_count], displacement of centres of mass per unit of the mode, relative to the
                     // part's parent
    er_vec3 *goes;   // [mode_count x body_count], the same in the world
    bool *seen, *used; // [mode_count]
    er_kinematics *kinematics;
    double *x;     // [2 width], work space
    er_pose *pose; // [body_count], likewise
} eri_gesture_search;

/// Modes in phase.
typedef struct eri_gesture {
    int count, mode[ERI_GESTURE_MOST_TOGETHER];
    double factor[ERI_GESTURE_MOST_TOGETHER];
} eri_gesture;

/// How well a gesture meets a goal.
typedef struct eri_gesture_fit {
    double score;
    double most;    ///< m, largest displacement of the part in that direction
    double all;     ///< m, largest displacement of any body
    double scale;   ///< of the gesture, to meet the goal
    double degrees; ///< of its largest mode at that scale
    double sense;   ///< 1 or -1: direction of the first swing
} eri_gesture_fit;

/// Begins a search: reads the body into `body`, which er_gait_body_destroy() frees, and finds its parts.
/// @param m      its context, model and modes are set   @param arena  for work space
/// Errors   ER_ERROR_MEMORY, as er_gait_body_read()
er_result eri_gesture_read(eri_gesture_search *m, const er_rig *rig, const er_gait_def *def, er_arena *arena);

/// Whether the rig has a part.
bool eri_gesture_has(const eri_gesture_search *m, int part);

/// Displacements of centres of mass in a pose, m: in the world, and relative to what a part hangs on.
/// @param goes,moves  [body_count], written
void eri_gesture_displacements(const eri_gesture_search *m, const er_pose *pose, er_vec3 *goes, er_vec3 *moves);

/// A displacement along a way; its length for WAY_ANY.
double eri_gesture_along(const eri_gesture_search *m, int way, er_vec3 v);

/// One per cent of a preset, m.
double eri_gesture_percent(const eri_gesture_search *m);

/// The factor of a preset's seconds: a pendulum's period, over that of a body 1.7 m tall.
double eri_preset_pace(const er_gait_body *body);

/// Reads the moves of a preset that is a mix.   @param out  [ER_PRESET_MOST_MOVES], written
/// Errors   ER_ERROR_ARGUMENT: quotes the word
er_result eri_gesture_parse(er_context *context, const char *moves, eri_gesture_goal *out, int *count);

/// Samples each mode by itself, at a few degrees.
/// @param planted  hold the feet, as when a preset that plants them plays
/// Errors   ER_ERROR_MEMORY, and as er_kinematics_create() and eri_kinematics_hold()
er_result eri_gesture_sample_modes(eri_gesture_search *m, bool planted, er_arena *scratch);

/// The gesture that meets a goal best, among those that the feet can follow.
/// @param how  written   @param out  written; a count of 0 if none does
/// Errors   ER_ERROR_MEMORY, as er_kinematics_pose()
er_result eri_gesture_find(eri_gesture_search *m, const eri_gesture_goal *w, eri_gesture_fit *how, eri_gesture *out);

/// Degrees of one mode, scaled so that none exceeds ER_PRESET_MOST_DEGREES.
double eri_gesture_degrees(const eri_gesture_search *m, const eri_gesture *g, int i, const eri_gesture_fit *how);

#endif
