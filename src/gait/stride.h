/// @file
/// One stride of a mix: the paths of its feet, its stances, its cost.
#ifndef ERI_GAIT_STRIDE_H
#define ERI_GAIT_STRIDE_H

#include <eigenrig/gait.h>

#include "model/kinematics/kinematics.h"

enum {
    ERI_GAIT_FRAMES = ERI_FRAMES32,      ///< of a stride, while searching
    ERI_GAIT_FINE = 8 * ERI_GAIT_FRAMES, ///< of a stride that is kept
    ERI_GAIT_MOST_FEET = 32,
    ERI_GAIT_MANY_FEET = 6,      ///< from so many feet on, mixes have more modes
    ERI_GAIT_FEW_COMPONENTS = 3, ///< of other mixes
    ERI_GAIT_MAX_COMPONENTS = 8,
    ERI_GAIT_MOST_TRUNKS = 4 ///< bodies of the trunk whose attitude counts
};

static inline double eri_square(double x)
{
    return x * x;
}

/// x - floor(x)
static inline double eri_fraction(double x)
{
    return x - floor(x);
}

/// From 0 to 1 over u in [0, 1] and beyond, with rates and accelerations of 0 at both ends.
static inline double eri_ease(double u)
{
    u = fmin(fmax(u, 0.0), 1.0);
    return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

/// The constraint that holds a foot in stance: its heel, or the whole sole of a flat foot.
static inline er_hold eri_gait_hold_of(const er_gait_foot *foot)
{
    return (er_hold){foot->body, !foot->flat || foot->sole != foot->body, foot->heel};
}

/// One mode of a mix.
typedef struct eri_gait_component {
    int mode;     ///< index into the sampler's modes
    int harmonic; ///< 1 or 2
    double angle; ///< rad, of the joint that turns most
    double phase; ///< rad
} eri_gait_component;

/// A mix of modes at harmonics of the stride.
typedef struct eri_gait_mix {
    int count;
    eri_gait_component component[ERI_GAIT_MAX_COMPONENTS];
} eri_gait_mix;

/// Paths of feet and trunk relative to the body, whose centre of mass stays in place. Every row has `count` frames.
typedef struct eri_paths {
    int count, feet, trunks;
    double *ahead, *left; ///< [feet x count], displacement of the heel from rest, m
    double *up;           ///< [feet x count], height of the sole above its height at rest, m
    double *tilt;         ///< [trunks x 3 x count], rad: roll about forward, pitch about left, yaw about up
} eri_paths;

/// Measures of a stride on the ground.
typedef struct eri_stride {
    double period, length; ///< s, m
    double drift;          ///< m to the left per stride
    double slip;           ///< rms speed of feet in stance, over the speed
    double flight, bob;    ///< share of the stride; m
    double scrape;         ///< share of the stride with contact outside the stance, mean of the feet
    double tilt[3];        ///< rad, largest roll, pitch and yaw of the trunk
    double effort;         ///< er_gait.cost
    double own_hz;         ///< er_gait.own_hz
    double angle;          ///< rad, upper bound of the joints' angles
    int feet;              ///< entries of `step`
    er_gait_step step[ERI_GAIT_MOST_FEET];
} eri_stride;

// --- mix_sampler.c

/// Samples mixes of a rig's elastic modes: all frames of a stride side by side.
typedef struct eri_mix_sampler {
    const er_model *model;
    const er_gait_body *body;
    er_kinematics *kinematics;
    eri_frames32 *frames;
    int mode_count;
    int *index;         ///< [mode_count], index among all modes
    double *factor;     ///< [mode_count], scale of the shape at 1 rad
    double *eigenvalue; ///< [mode_count], s^-2
    double *parity;     ///< [mode_count], 1 symmetric, -1 antisymmetric, between for neither
    float *column;      ///< [mode_count x rows], displacement at 1 rad
    int rows;
    eri_vec32 wave[2][2][2]; ///< by harmonic: sine and cosine at 1 rad, a frame a lane
    eri_vec32 *x;
    float *pose;
    int *halvings;
    int trunk_count, trunk[ERI_GAIT_MOST_TRUNKS];
    double mass;
    eri_paths paths;
} eri_mix_sampler;

/// @param arena  for the sampler
/// @param wings  choose the modes that move the wings most; else the feet
/// Errors   ER_ERROR_RIG, as er_kinematics_create().
er_result eri_mix_sampler_create(er_context *context, er_arena *arena, const er_model *model, const er_gait_body *body,
                                 const er_modes *modes, int mode_count, bool wings, eri_mix_sampler **out);
void eri_mix_sampler_destroy(eri_mix_sampler *w);

/// Another sampler of the same modes, for another thread. It has its own work space and shares the rest, so `w` must
/// outlive it and it is not destroyed.   Errors: ER_ERROR_MEMORY
er_result eri_mix_sampler_share(er_arena *arena, const eri_mix_sampler *w, eri_mix_sampler *out);

/// Reserves paths.   Errors: ER_ERROR_MEMORY
er_result eri_paths_create(er_arena *arena, int feet, int trunks, int count, eri_paths *out);

/// Poses a mix at ERI_GAIT_FRAMES frames and sets the paths.   No allocation.
void eri_mix_sampler_pose(eri_mix_sampler *w, const eri_gait_mix *t);

/// Poses ERI_GAIT_FRAMES displacements, each a sum of some modes, and leaves the paths unchanged.   No allocation.
/// @param signal  [count], rad, a frame a lane
void eri_mix_sampler_pose_signals(eri_mix_sampler *w, int count, const int *mode, const eri_vec32 (*signal)[2]);

/// A body's pose at a frame, after eri_mix_sampler_pose().
er_pose eri_mix_sampler_lane(const eri_mix_sampler *w, int body, int frame);

/// The wing that a body belongs to, or -1.
int eri_wing_of(const er_model *model, const er_gait_body *body, int of);

/// Rotation of a body from rest about forward, left and up, rad.
er_vec3 eri_trunk_turn(const er_gait_body *body, er_quat now, er_quat rest);

/// The largest roll, pitch and yaw of any trunk in the paths.   @param tilt  [3], raised to them
void eri_paths_tilt(const eri_paths *p, double *tilt);

/// Sets one frame of the paths from a pose.
void eri_paths_set(eri_paths *p, const er_gait_body *body, const er_model *model, const int *trunk, int frame,
                   const er_pose *pose);

// --- stride_ground.c

/// Stances of feet, and the height of the body that follows.
typedef struct eri_stride_ground {
    double *ride;   ///< [count], height of the body above that at rest, m
    bool *stands;   ///< [feet x count]
    double *weight; ///< [feet x count], share of a frame in stance; fractions at touchdown and lift-off keep the
                    ///< measures continuous in the mix
    double *work;   ///< [count]
    double period;  ///< s; 0: follows from the length by eri_gait_period()
} eri_stride_ground;

er_result eri_stride_ground_create(er_arena *arena, int feet, int count, eri_stride_ground *out);

/// Finds stances, height and length of a stride. length < 0 if the feet push backward; the caller then reverses the mix
/// in time.   No allocation.
void eri_stride_ground_walk(const er_gait_body *body, const eri_paths *p, eri_stride_ground *g, eri_stride *out);

/// The period of a stride, s, by Alexander's law of animals' strides: length / leg = 2.3 Froude^0.3.
double eri_gait_period(const er_gait_body *body, double length);

// --- stride_cost.c

/// The cost of a stride, a sum of weights times terms: 0 is best; HUGE_VAL for strides below a hundredth of a leg.
double eri_stride_cost(const er_gait_body *body, const er_gait_weights *weights, const eri_stride *s);

/// Sets own_hz, effort and angle of a stride with known period and length.
void eri_gait_effort(const eri_mix_sampler *w, const eri_gait_mix *t, eri_stride *s);

/// Reverses a mix in time.
void eri_gait_reverse(eri_gait_mix *t);

/// Evaluates a mix by exact poses. A mix that goes backward is reversed in time.   No allocation.
void eri_gait_evaluate(eri_mix_sampler *w, eri_stride_ground *g, eri_gait_mix *t, eri_stride *out);

/// The same at ERI_GAIT_FINE frames, without reversing.
/// @param ground  of as many frames
void eri_gait_evaluate_finely(eri_mix_sampler *w, eri_paths *fine, eri_stride_ground *ground, const eri_gait_mix *t,
                              eri_stride *s);

// --- gait_family.c

/// The family of a stride with feet.
er_gait_family eri_gait_family_of(const er_gait_body *body, const eri_stride *s);

// --- gait_search.c

/// A mix, its stride and its cost.
typedef struct eri_candidate {
    eri_gait_mix mix;
    eri_stride stride;
    er_gait_family family;
    double cost;
    bool upright; ///< without feet: the wave bends up and down
} eri_candidate;

/// Finds the best mixes of each family, refined and evaluated at fine frames, best first.
/// @param found  in `arena`
/// @param size       tried and posed are set   Errors: ER_ERROR_MEMORY
er_result eri_gait_search(er_arena *arena, eri_mix_sampler *w, const er_gait_def *def, eri_candidate **candidate,
                          int *count, er_gaits *size);

// --- footfall_aim.c

/// Footfalls that a mix is to have.
typedef struct eri_footfall_aim {
    er_gait_family family;
    bool any_family;                                            ///< the family is free
    er_gait_step *step;                                         ///< [feet]; a negative duty: this foot is free
    double (*price)(const void *user, const eri_gait_mix *mix); ///< of a mix, added to its cost; NULL: none
    const void *user;
} eri_footfall_aim;

/// The price of a stride beside eri_stride_cost(): 0 with the footfalls of the aim, whatever their time in the stride.
double eri_footfalls_apart(const eri_footfall_aim *aim, er_gait_family family, const eri_stride *s);

// --- evaluator.c

/// Evaluates mixes at ERI_GAIT_FRAMES or ERI_GAIT_FINE frames.
typedef struct eri_evaluator {
    eri_mix_sampler *w;
    const er_gait_weights *weights;
    eri_stride_ground ground, fine_ground;
    eri_paths fine;
    const eri_footfall_aim *aim; ///< NULL: none
    bool any_family;             ///< eri_evaluator_refine() may change the family
} eri_evaluator;

/// Errors: ER_ERROR_MEMORY.
er_result eri_evaluator_create(er_arena *arena, eri_mix_sampler *w, const er_gait_weights *weights, eri_evaluator *out);

/// Evaluates a mix by its exact poses. One that goes backward is reversed in time.   No allocation.
void eri_evaluator_evaluate(eri_evaluator *j, eri_gait_mix mix, eri_candidate *out);

/// Evaluates a candidate again, at ERI_GAIT_FINE frames.
/// @param period  s; 0: follows from the length
void eri_evaluator_evaluate_finely(eri_evaluator *j, double period, eri_candidate *candidate);

/// Reduces a candidate's cost, one amplitude or phase at a time. Its family stays unless any_family is set.
/// @param finely  at ERI_GAIT_FINE frames; the candidate was evaluated so too
/// @return mixes posed
int eri_evaluator_refine(eri_evaluator *j, bool finely, eri_candidate *candidate);

/// Sorts candidates by their cost, the best first.
void eri_candidates_sort(int count, eri_candidate *candidate);

// --- pair_search.c

/// The best mix of modes a and b by `evaluate`; a cost of HUGE_VAL if none travels.
eri_candidate eri_pair_search(void (*evaluate)(void *self, eri_gait_mix mix, eri_candidate *out), void *self, int a,
                              int b);

// --- wave.c: travel without feet

/// Propulsion by a wave along the body, where the drag across the body is larger than along it.
typedef struct eri_wave {
    er_vec3 across;  ///< direction in which the body bends
    double ratio;    ///< drag across over drag along
    int count;       ///< bodies
    int *neighbour;  ///< [count], the neighbour that gives a body's direction; itself if it is no part of the wave
    er_pose *pose;   ///< [ERI_GAIT_FRAMES x count], work space of the search
    er_vec3 *middle; ///< [3 x count], work space
    double *swing;   ///< [2 x count], likewise
} eri_wave;

er_result eri_wave_create(er_arena *arena, const er_model *model, const er_gait_body *body, bool upright,
                          eri_wave *out);

/// The path of a body, from poses that keep its centre of mass in place.
/// @param count  frames of a stride
/// @param pose   [count x body_count]
/// @param path   [count + 1], written: m, from 0
/// @return the travelling index: 0 for a standing wave, 1 for a travelling one
double eri_wave_travel(eri_wave *wave, const er_model *model, const er_gait_body *body, int count, const er_pose *pose,
                       er_vec3 *path);

/// Evaluates a mix by its wave. One that goes backward is reversed in time. slip is 1 - the travelling index.
void eri_wave_evaluate(eri_mix_sampler *w, eri_wave *wave, eri_gait_mix *t, eri_stride *out);

/// The cost of a wave; HUGE_VAL if it travels less than 1e-4 of the size per stride.
double eri_wave_cost(const er_model *model, const er_gait_weights *weights, bool upright, const eri_stride *s);

/// Whether the caller asks to stop.
static inline bool eri_gait_is_stopped(const er_gait_def *def)
{
    return def->stop != NULL && def->stop(def->user);
}

static inline er_result eri_gait_fail_stopped(er_context *context)
{
    return er_fail(context, ER_ERROR_NO_CONVERGENCE, "the search for gaits was stopped");
}

/// As eri_gait_search(), for a body without feet.
er_result eri_wave_search(er_arena *arena, eri_mix_sampler *w, const er_gait_def *def, eri_candidate **candidate,
                          int *count, er_gaits *size);

// --- flap.c: flight

/// Motion of the wings over a stride of a mix.
typedef struct eri_flap {
    eri_mix_sampler *w;
    const er_gait_weights *weights;
    int *wing;       ///< [body_count], the wing that a body belongs to, or -1
    er_vec3 *normal; ///< [body_count], normal of the wing, frame of the body
    double *beat;    ///< [wing_count x ERI_GAIT_FRAMES], work space: height of the tip over the span
    double *sweep;   ///< likewise, forward
} eri_flap;

/// Errors: ER_ERROR_MEMORY.
er_result eri_flap_create(er_arena *arena, eri_mix_sampler *w, const er_gait_weights *weights, eri_flap *out);

/// Evaluates a mix by its wings. One that pushes back is reversed in time.   No allocation.
/// @param period  s; 0: follows from the span
void eri_flap_evaluate(eri_flap *flap, double period, eri_gait_mix mix, eri_candidate *out);

/// As eri_gait_search(), for a body with wings; def->progress is not called.
er_result eri_flap_search(er_arena *arena, eri_mix_sampler *w, const er_gait_def *def, eri_candidate **candidate,
                          int *count, er_gaits *size);

#endif
