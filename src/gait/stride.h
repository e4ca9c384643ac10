/// @file
/// Private: a stride of a mix, from what its feet do to what it is worth.
#ifndef ERI_GAIT_STRIDE_H
#define ERI_GAIT_STRIDE_H

#include <eigenrig/gait.h>

#include "model/kinematics/kinematics.h"

enum {
    ERI_GAIT_FRAMES = ERI_FRAMES32,      ///< of a stride, while searching
    ERI_GAIT_FINE = 8 * ERI_GAIT_FRAMES, ///< at least, of one that is kept
    ERI_GAIT_MOST_FEET = 32,
    ERI_GAIT_MANY_FEET = 6,      ///< and more: mixes of more modes
    ERI_GAIT_FEW_COMPONENTS = 3, ///< of other mixes
    ERI_GAIT_MAX_COMPONENTS = 8,
    ERI_GAIT_MOST_TRUNKS = 4 ///< bodies of the trunk whose attitude is looked at
};

/// How a foot that stands is held: by its heel, or, flat, altogether.
static inline er_hold eri_gait_hold_of(const er_gait_foot *foot)
{
    return (er_hold){foot->body, !foot->flat || foot->sole != foot->body, foot->heel};
}

/// A mode's part in a stride.
typedef struct eri_gait_part {
    int mode;     ///< index into eri_walker's
    int harmonic; ///< 1 or 2
    double angle; ///< rad, of the joint that turns most
    double phase; ///< rad
} eri_gait_part;

typedef struct eri_gait_try {
    int count;
    eri_gait_part part[ERI_GAIT_MAX_COMPONENTS];
} eri_gait_try;

/// A stride's frames seen from the body, whose centre of mass stays where it was: every row is a frame of `count`.
typedef struct eri_paths {
    int count, feet, trunks;
    double *ahead, *left; ///< [feet x count], of the heel from where it is at rest, m
    double *up;           ///< [feet x count], of what stands above the ground at rest, m: 0 there
    double *tilt;         ///< [trunks x 3 x count], rad: roll about forward, pitch about left, yaw about up
} eri_paths;

/// A stride on the ground.
typedef struct eri_stride {
    double period, length; ///< s, m
    double drift;          ///< m to the left a stride
    double slip;           ///< of standing feet, over the speed
    double flight, bob;    ///< part of the stride, m
    double scrape;         ///< part of the stride that feet touch the ground besides standing, mean of feet
    double tilt[3];        ///< rad, the largest of the trunk each way
    double effort;         ///< er_gait.cost
    double own_hz;         ///< er_gait.own_hz
    double angle;          ///< rad, that no joint turns by more
    int feet;              ///< of step
    er_gait_step step[ERI_GAIT_MOST_FEET];
} eri_stride;

// --- paths.c: what feet do

/// Poses of mixes of a rig's elastic modes, side by side.
typedef struct eri_walker {
    const er_model *model;
    const er_gait_body *body;
    er_kinematics *kinematics;
    eri_frames32 *frames;
    int mode_count;
    int *index;         ///< [mode_count], as the palette counts
    double *factor;     ///< [mode_count], of the shape at 1 rad
    double *eigenvalue; ///< [mode_count], s^-2
    double *parity;     ///< [mode_count], 1 symmetric, -1 antisymmetric, between where it is neither
    float *column;      ///< [mode_count x rows], displacement at 1 rad
    int rows;
    eri_vec32 wave[2][2][2]; ///< by harmonic: sine and cosine at 1 rad, a frame a lane
    eri_vec32 *x;
    float *pose;
    int *halvings;
    int trunk_count, trunk[ERI_GAIT_MOST_TRUNKS];
    double mass;
    eri_paths paths;
} eri_walker;

/// @param arena  what the walker lives in
/// @param wings  of the modes those are taken that move wings most, else feet
/// Errors   ER_ERROR_RIG, as er_kinematics_create().
er_result eri_walker_create(er_context *context, er_arena *arena, const er_model *model, const er_gait_body *body,
                            const er_modes *modes, int mode_count, bool wings, eri_walker **out);
void eri_walker_destroy(eri_walker *w);

/// Another walker of the same modes, for another thread: what poses are made in is its own, the rest is shared, so
/// that `w` outlives it and it is not destroyed.   Errors: ER_ERROR_MEMORY.
er_result eri_walker_share(er_arena *arena, const eri_walker *w, eri_walker *out);

/// Memory for paths.   Errors: ER_ERROR_MEMORY.
er_result eri_paths_create(er_arena *arena, int feet, int trunks, int count, eri_paths *out);

/// The paths of a mix, ERI_GAIT_FRAMES of them.   No allocation.
void eri_walker_pose(eri_walker *w, const eri_gait_try *t);

/// Poses of any ERI_GAIT_FRAMES displacements, each so much of some modes; paths stay as they were.   No allocation.
/// @param signal  [count], rad, a frame a lane
void eri_walker_pose_signals(eri_walker *w, int count, const int *mode, const eri_vec32 (*signal)[2]);

/// A body's pose as eri_walker_pose() left it.
er_pose eri_walker_lane(const eri_walker *w, int body, int frame);

/// The wing that a body is part of, -1 for none.
int eri_wing_of(const er_model *model, const er_gait_body *body, int of);

/// How far a body has turned: about forward, left and up, rad.
er_vec3 eri_trunk_turn(const er_gait_body *body, er_quat now, er_quat rest);

/// Reads feet and trunk off a pose, at a frame.
void eri_paths_set(eri_paths *p, const er_gait_body *body, const er_model *model, const int *trunk, int frame,
                   const er_pose *pose);

// --- ground.c

/// When feet stand, and what follows.
typedef struct eri_stride_ground {
    double *ride;   ///< [count], m, how much higher than at rest the body is
    bool *stands;   ///< [feet x count]
    double *weight; ///< [feet x count], part of a frame that a foot stands: less at the ends of a stance, so that
                    ///< nothing jumps from one mix to the next
    double *work;   ///< [count]
    double period;  ///< s, > 0 where it is given; 0: follows from the length by eri_gait_period()
} eri_stride_ground;

er_result eri_stride_ground_create(er_arena *arena, int feet, int count, eri_stride_ground *out);

/// Lets a body go: forward, or backward where its feet push that way; then length < 0, and the mix is to be turned
/// round in time.   No allocation.
void eri_stride_ground_walk(const er_gait_body *body, const eri_paths *p, eri_stride_ground *g, eri_stride *out);

/// The period of a stride, s: Alexander's law of the strides of animals, length / leg = 2.3 Froude^0.3.
double eri_gait_period(const er_gait_body *body, double length);

// --- score.c

/// The sum of weights times terms: 0 is best. HUGE_VAL for a stride of less than a hundredth of a leg.
double eri_stride_badness(const er_gait_body *body, const er_gait_weights *weights, const eri_stride *s);

/// Pace of its own and cost of a stride whose period and length are known.
void eri_gait_effort(const eri_walker *w, const eri_gait_try *t, eri_stride *s);

/// The same mix backward in time.
void eri_gait_reverse(eri_gait_try *t);

/// Paths, ground and effort of a mix; a mix that goes backward is turned round in time.   No allocation.
void eri_gait_judge(eri_walker *w, eri_stride_ground *g, eri_gait_try *t, eri_stride *out);

/// The same at ERI_GAIT_FINE frames, for what is kept.
/// @param ground  of as many frames
void eri_gait_judge_finely(eri_walker *w, eri_paths *fine, eri_stride_ground *ground, const eri_gait_try *t,
                           eri_stride *s);

// --- footfall.c

er_gait_family eri_footfall_family(const er_gait_body *body, const eri_stride *s);

// --- search.c

typedef struct eri_candidate {
    eri_gait_try mix;
    eri_stride stride;
    er_gait_family family;
    double badness;
    bool upright; ///< a wave up and down
} eri_candidate;

/// The best mixes of each family, refined and judged closely, the best first.
/// @param found  in `arena`
/// @param size   tried and posed are set   Errors: ER_ERROR_MEMORY.
er_result eri_gait_search(er_arena *arena, eri_walker *w, const er_gait_def *def, eri_candidate **found, int *count,
                          er_gaits *size);

// --- refine.c

/// Judges mixes at ERI_GAIT_FRAMES frames, or more closely.
typedef struct eri_judge {
    eri_walker *w;
    const er_gait_weights *weights;
    eri_stride_ground ground, fine_ground;
    eri_paths fine;
    bool roams; ///< eri_judge_refine() may go to another family
} eri_judge;

/// Errors: ER_ERROR_MEMORY.
er_result eri_judge_create(er_arena *arena, eri_walker *w, const er_gait_weights *weights, eri_judge *out);

/// A mix by its exact poses; one that goes backward is turned round in time.   No allocation.
void eri_judge_mix(eri_judge *j, eri_gait_try mix, eri_candidate *out);

/// What was found by that, measured again at ERI_GAIT_FINE frames.
/// @param period  s; 0: follows
void eri_judge_closely(eri_judge *j, double period, eri_candidate *found);

/// Downhill from what was found, along one amplitude or phase at a time; its family stays unless the judge roams.
/// @param closely  at ERI_GAIT_FINE frames, as what was found was judged too
/// @return mixes posed
int eri_judge_refine(eri_judge *j, bool closely, eri_candidate *found);

// --- pair.c

/// The best mix of modes a and b by what `judge` says of it; HUGE_VAL where none goes.
eri_candidate eri_pair_search(void (*judge)(void *self, eri_gait_try mix, eri_candidate *out), void *self, int a,
                              int b);

// --- wave.c: going without feet

/// How a wave along a body pushes it through what drags more across the body than along it.
typedef struct eri_wave {
    er_vec3 across;  ///< the way the body bends
    double ratio;    ///< of drags
    int count;       ///< bodies
    int *neighbour;  ///< [count], that a body's direction is read off; itself for what is no part of the wave
    er_pose *pose;   ///< [ERI_GAIT_FRAMES x count], work space of the search
    er_vec3 *middle; ///< [3 x count], work space
    double *swing;   ///< [2 x count], likewise
} eri_wave;

er_result eri_wave_create(er_arena *arena, const er_model *model, const er_gait_body *body, bool upright,
                          eri_wave *out);

/// The path of a body whose centre of mass the poses keep in its place.
/// @param count  frames of a stride
/// @param pose   [count x body_count]
/// @param path   [count + 1], written: m, from 0
/// @return how purely the wave travels: 0 for a standing one, 1
double eri_wave_travel(eri_wave *wave, const er_model *model, const er_gait_body *body, int count, const er_pose *pose,
                       er_vec3 *path);

/// A mix by its wave; one that goes backward is turned round in time. slip is 1 less the wave's purity.
void eri_wave_judge(eri_walker *w, eri_wave *wave, eri_gait_try *t, eri_stride *out);

/// The same of a wave; HUGE_VAL for one that goes less than 1e-4 of the size a stride.
double eri_wave_badness(const er_model *model, const er_gait_weights *weights, bool upright, const eri_stride *s);

/// Whether whoever asked for gaits wants no more.
static inline bool eri_gait_is_stopped(const er_gait_def *def)
{
    return def->stop != NULL && def->stop(def->user);
}

static inline er_result eri_gait_fail_stopped(er_context *context)
{
    return er_fail(context, ER_ERROR_NO_CONVERGENCE, "the search for gaits was stopped");
}

/// As eri_gait_search(), for a body without feet; the best first.
er_result eri_wave_search(er_arena *arena, eri_walker *w, const er_gait_def *def, eri_candidate **found, int *count,
                          er_gaits *size);

// --- flap.c: going by wings

/// What wings do in a stride of a mix.
typedef struct eri_flap {
    eri_walker *w;
    const er_gait_weights *weights;
    int *wing;       ///< [body_count], the wing that a body is part of, -1 for none
    er_vec3 *normal; ///< [body_count], across the wing, frame of the body
    double *beat;    ///< [wing_count x ERI_GAIT_FRAMES], work space: how high the tip is, over the span
    double *sweep;   ///< likewise, how far ahead
} eri_flap;

/// Errors: ER_ERROR_MEMORY.
er_result eri_flap_create(er_arena *arena, eri_walker *w, const er_gait_weights *weights, eri_flap *out);

/// A mix by its wings; one that pushes back is turned round in time.   No allocation.
/// @param period  s; 0: follows from the span
void eri_flap_judge(eri_flap *flap, double period, eri_gait_try mix, eri_candidate *out);

/// As eri_gait_search(), of a body that has wings; def->progress is not called.
er_result eri_flap_search(er_arena *arena, eri_walker *w, const er_gait_def *def, eri_candidate **found, int *count,
                          er_gaits *size);

#endif
