/// @file
/// What modes of a rig do to the parts of its body, and the few in step that do what is wished of one part alone.
#ifndef ERI_GAIT_GESTURE_H
#define ERI_GAIT_GESTURE_H

#include <eigenrig/gait.h>

#include "base/arena.h"

enum { PART_TRUNK, PART_HEAD, PART_TAIL, PART_ARMS, PART_LEGS, PART_WINGS, PART_COUNT };
enum { WAY_SIDE, WAY_UP, WAY_AHEAD, WAY_ANY, WAY_COUNT };
enum { ERI_GESTURE_MOST_TOGETHER = 4 };

/// What a component is to do.
typedef struct wish {
    int part, way, cycles;
    double percent, phase;
} wish;

/// What gestures are made of; the caller fills all but what is of the kinematics.
typedef struct gesture_maker {
    er_context *context;
    const er_model *model;
    const er_modes *modes;
    er_gait_body *body;
    int *part;         // [body_count], what a body is of; -1 for none
    er_vec3 *middle;   // [body_count], centres of mass
    double mass;       // of all, kg
    int mode_count;    // of the slowest
    er_vec3 *moves;    // [mode_count x body_count], how centres of mass go a factor, seen from what the part hangs on
    er_vec3 *goes;     // [mode_count x body_count], the same seen from the world
    bool *seen, *used; // [mode_count]
    er_kinematics *kinematics;
    double *x;     // [2 width], work space
    er_pose *pose; // [body_count], likewise
} gesture_maker;

/// Modes in step.
typedef struct gesture {
    int count, mode[ERI_GESTURE_MOST_TOGETHER];
    double factor[ERI_GESTURE_MOST_TOGETHER];
} gesture;

/// What a gesture is worth for a wish.
typedef struct merit {
    double score;
    double most;    ///< m, the farthest that the part goes that way
    double all;     ///< m, the farthest that anything goes
    double scale;   ///< of the gesture, that the wish takes
    double degrees; ///< of its largest mode then
    double sense;   ///< 1 or -1: which way first
} merit;

/// Watches each mode by itself, at a few degrees.
/// @param planted  feet are held, as they are while a preset of feet plays
/// Errors   ER_ERROR_MEMORY, and as er_kinematics_create() and eri_kinematics_hold()
er_result eri_gestures_watch(gesture_maker *m, bool planted, er_arena *scratch);

/// The gesture that does best what is wished, and no more than feet follow.
/// @param how  written   @param out  written; a count of 0: none does
/// Errors   ER_ERROR_MEMORY, as er_kinematics_pose()
er_result eri_gesture_find(gesture_maker *m, const wish *w, merit *how, gesture *out);

/// Degrees of one of its modes: none more than ER_PRESET_MOST_DEGREES, all in proportion.
double eri_gesture_degrees(const gesture_maker *m, const gesture *g, int i, const merit *how);

#endif
