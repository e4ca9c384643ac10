/// @file
/// Motions of mechanical systems in time: one interface to the integrators, whatever the system.
///
/// A state is y = (q, u): positions and velocities, of which there may be fewer, as of quaternions. It moves by
///     q' = Q(q) u,   u' = a(t, q, u).
/// A solver holds one state and takes it forward step by step; the last step stays open to questions: the state at any
/// time in it, and when an event happened. Nothing is allocated after eri_ode_create(), and the same calls give the
/// same bits. Orders, formulas and what they are from: docs/math/integrators.md.
///
/// Threads: one call per solver at a time; the system is called in that thread alone.
#ifndef ERI_DYNAMICS_ODE_H
#define ERI_DYNAMICS_ODE_H

#include <eigenrig/ode.h>

#include "base/arena.h"

/// The system to integrate. Its functions may be asked for any state near the motion, in any order, twice for the same
/// one; equal arguments give equal bits. Quaternions among q have norm 1 but for what a step errs, and count by their
/// direction.
typedef struct eri_ode {
    void *user; ///< passed to all, untouched
    int position_count, velocity_count;

    /// dq = Q(q) u; NULL: dq = u.   @param q, dq  [position_count]   @param u  [velocity_count]
    void (*drift)(void *user, const double *q, const double *u, double *dq);

    /// du = a(t, q, u).   Errors: any. The adaptive methods take ER_ERROR_NO_CONVERGENCE for a step too long.
    er_result (*accelerate)(void *user, double t, const double *q, const double *u, double *du);

    /// du of (M + h C + h^2 K) du = h (M a(t, q, u) - h K u), C and K the stiff dampers and springs: any matrices that
    /// are smooth in the state keep the order, those of the forces keep it stable. NULL: none are stiff, du = h a.
    /// Errors as accelerate().   @param h  s, > 0
    er_result (*implicit)(void *user, double t, const double *q, const double *u, double h, double *du);

    /// Makes an accepted state one of the system: quaternions to norm 1, constraints as exact as wanted. It should move
    /// it by no more than a step errs. NULL: nothing to do.   Errors: as accelerate(); the step is not taken then.
    er_result (*restore)(void *user, double t, double *q, double *u);

    /// The same for quaternions alone, of states between steps. NULL: nothing to do.
    void (*normalise)(void *user, double *q);

    /// Counts the evaluations whose equations have another form than those before. A step that meets one and may not be
    /// shorter is taken, whatever its error; NULL: the form never changes.
    const long *changes;

    /// The size of an error of `absolute` 1 in each entry: 1 rad, the system's size, and both over a time.
    const double *scale; ///< [position_count + velocity_count], > 0; copied; NULL: all 1
} eri_ode;

typedef struct eri_ode_options {
    er_ode_method method;
    double step;     ///< s, > 0: of the methods that are not adaptive, the longest
    double min_step; ///< s, >= 0, and
    double max_step; ///< s, >= min_step, > 0, may be infinite: bounds of the adaptive ones, but for landings
    double absolute; ///< > 0: error of a step that an adaptive one allows in entry i:
    double relative; ///< >= 0:   absolute scale[i] + relative |y[i]|
} eri_ode_options;

typedef er_ode eri_ode_solver;

/// A solver without a state.
/// @param ode      copied with its scale
/// @param options  copied
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY; *out is NULL then
er_result eri_ode_create(er_context *context, const eri_ode *ode, const eri_ode_options *options, eri_ode_solver **out);

/// NULL is fine.
void eri_ode_destroy(eri_ode_solver *solver);

/// Gives it a state: the first one, or another after an impact. There is no last step then.
/// @param q, u  copied as they are
/// @param step  s: what an adaptive method tries first, eri_ode_next_step() to go on as it would have; 0: finds one
/// Errors   ER_ERROR_ARGUMENT (also a number that is not finite)
er_result eri_ode_start(eri_ode_solver *solver, double t, const double *q, const double *u, double step);

/// Another eri_ode.scale.   @param scale  [position_count + velocity_count], > 0; copied
void eri_ode_set_scale(eri_ode_solver *solver, const double *scale);

/// Takes one step, to `limit` at the most, and lands there exactly where it gets near: so that no sliver is left, steps
/// of methods that are not adaptive are equal parts of the way, and the last two of adaptive ones halves.
/// @param limit  s, later than now
/// Errors   ER_ERROR_ARGUMENT; ER_ERROR_NO_CONVERGENCE (a step that may not be shorter errs by more than is allowed,
///          or the motion left the range of numbers); those of the system. The state is that before the step then.
er_result eri_ode_step(eri_ode_solver *solver, double limit);

/// Takes steps to `to`, exactly; none when it is there.   Errors: as eri_ode_step(); the state is the last that was
/// reached.
er_result eri_ode_advance(eri_ode_solver *solver, double to);

/// Now, s, and the state then: borrowed until the next call that moves the solver or gives it a state.
double eri_ode_time(const eri_ode_solver *solver);
const double *eri_ode_positions(const eri_ode_solver *solver);  ///< [position_count]
const double *eri_ode_velocities(const eri_ode_solver *solver); ///< [velocity_count]

/// When the last step began; now, without one.
double eri_ode_last_time(const eri_ode_solver *solver);

/// The step that an adaptive method tries next, or the fixed step, s; 0 if it is not known yet.
double eri_ode_next_step(const eri_ode_solver *solver);

er_ode_statistics eri_ode_statistics_of(const eri_ode_solver *solver);

/// The state at a time in the last step: a polynomial through its ends, whose error is of the order of the method's, or
/// third for Euler's and Heun's. The first question after a step may cost RK4 and Fehlberg two evaluations, the others
/// but the implicit one a single one, and the next step saves one of them.
/// @param t     s, in the last step
/// @param q, u  written
/// Errors   ER_ERROR_ARGUMENT; those of accelerate()
er_result eri_ode_dense(eri_ode_solver *solver, double t, double *q, double *u);

#endif
