/// @file
/// Ordinary differential equations of mechanical systems, by the integrators that worlds use.
///
/// A state is y = (q, u): positions and velocities. Their numbers may differ, as with quaternions. They obey
///     q' = Q(q) u,   u' = a(t, q, u).
/// A general system of first order u' = a(t, u) has no positions. A solver holds one state and advances it step by
/// step. The state at any time in the last step can be asked for. After er_ode_create() nothing is allocated, and on
/// one machine the same calls give the same bits.
///
/// Threads  one call per solver, and its context, at a time. The functions of the system are called in that thread.
///
/// Source: docs/math/integrators.md; Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 1993;
/// Deuflhard & Bornemann, Scientific Computing with Ordinary Differential Equations, 2002.
#ifndef EIGENRIG_ODE_H
#define EIGENRIG_ODE_H

#include <eigenrig/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Methods, and the order in which their error at a given time falls with the step.
typedef enum er_ode_method {
    ER_ODE_EULER,               ///< order 1, explicit, fixed steps
    ER_ODE_SEMI_IMPLICIT_EULER, ///< order 1, fixed steps, u before q; symplectic: energy oscillates but does not drift
    ER_ODE_HEUN,                ///< order 2, fixed steps
    ER_ODE_RK4,                 ///< order 4, fixed steps
    ER_ODE_FEHLBERG,            ///< order 5, adaptive by an error of order 4: Runge-Kutta-Fehlberg 4(5)
    ER_ODE_IMPLICIT ///< order 4, adaptive by an error of order 3: linearly implicit Euler with extrapolation, for stiff
                    ///< systems
} er_ode_method;

/// A system and how to integrate it. Take er_default_ode_def(), then fill. The functions may be called for any state
/// near the motion, in any order, and twice for the same one. Equal arguments must give equal results.
typedef struct er_ode_def {
    void *user;         ///< passed to all functions, not read                                       [NULL]
    int position_count; ///< numbers in q, >= 0                                                      [0]
    int velocity_count; ///< numbers in u, > 0                                                       [to be filled]

    /// dq = Q(q) u. NULL: q' = u, if the counts are equal.                                          [NULL]
    /// @param q   [position_count]
    /// @param u   [velocity_count]
    /// @param dq  [position_count], written
    void (*drift)(void *user, const double *q, const double *u, double *dq);

    /// du = a(t, q, u).                                                                             [to be filled]
    /// @param q   [position_count]
    /// @param u   [velocity_count]
    /// @param du  [velocity_count], written
    /// @return ER_OK, or any error. Adaptive methods take ER_ERROR_NO_CONVERGENCE for a step that was too long
    er_result (*accelerate)(void *user, double t, const double *q, const double *u, double *du);

    /// ER_ODE_IMPLICIT: the du of (M + h C + h^2 K) du = h (M a(t, q, u) - h K u), where C and K are the matrices of
    /// stiff dampers and springs. Any matrices that are smooth in the state keep the order; those of the forces keep
    /// the method stable. NULL: nothing is stiff, du = h a.                                        [NULL]
    /// @param h   s, > 0
    /// @param du  [velocity_count], written
    /// @return as accelerate()
    er_result (*implicit)(void *user, double t, const double *q, const double *u, double h, double *du);

    /// Corrects a state that a step reached: quaternions to norm 1, constraints. It should move the state by no more
    /// than the error of a step. NULL: nothing to do.                                              [NULL]
    /// @param q  [position_count], read and written
    /// @param u  [velocity_count], read and written
    /// @return as accelerate(): the step is not taken after an error
    er_result (*restore)(void *user, double t, double *q, double *u);

    /// Corrects quaternions of states between steps. NULL: nothing to do.                           [NULL]
    /// @param q  [position_count], read and written
    void (*normalise)(void *user, double *q);

    const double *scale;  ///< [position_count + velocity_count], copied, > 0: the size of an error of `absolute` 1 in
                          ///< each number; NULL: all 1                                            [NULL]
    er_ode_method method; ///<                                                                     [ER_ODE_FEHLBERG]
    double step;          ///< s, > 0: fixed steps are at most this long                           [1e-3]
    double min_step;      ///< s, >= 0: adaptive steps are at least this long, except to land on a time    [0]
    double max_step;      ///< s, > 0, >= min_step: adaptive steps are at most this long; may be HUGE_VAL  [HUGE_VAL]
    double absolute;      ///< > 0: an adaptive step may err by absolute scale[i] + relative |y[i]|        [1e-9]
    double relative;      ///< >= 0                                                                [1e-9]
    uint32_t tag;         ///< set by er_default_ode_def(); leave alone
} er_ode_def;

/// The defaults in brackets above.
ER_API er_ode_def er_default_ode_def(void);

/// Counts of the steps since er_ode_create().
typedef struct er_ode_statistics {
    int64_t steps;       ///< accepted steps
    int64_t rejected;    ///< steps whose error was too large
    int64_t evaluations; ///< calls of accelerate() and implicit()
    double shortest;     ///< s, of the accepted steps; 0 before the first
    double longest;      ///< s, likewise
} er_ode_statistics;

/// A solver with its state.
typedef struct er_ode er_ode;

/// Creates a solver, to be given a state by er_ode_start().
/// @param def  copied
/// @param out  ER_OK: a new object for er_ode_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (names the field), ER_ERROR_MEMORY
/// Memory   allocates the result and all that steps need.   Threads: the context's.
ER_API er_result er_ode_create(er_context *context, const er_ode_def *def, er_ode **out);

/// Frees a solver. NULL is fine.   Threads: the context's.
ER_API void er_ode_destroy(er_ode *ode);

/// Gives a solver its state: the first one, or another, as after an impact. There is no last step then.
/// @param t     s, finite
/// @param q     [position_count], copied; NULL without positions
/// @param u     [velocity_count], copied
/// @param step  s, >= 0: the step that an adaptive method tries first; 0: it finds one
/// Errors   ER_ERROR_ARGUMENT (a number is not finite): the state stays as it was
ER_API er_result er_ode_start(er_ode *ode, double t, const double *q, const double *u, double step);

/// Takes one step, at most to `limit`. It lands there exactly if it comes near. Fixed steps are equal parts of the way.
/// @param limit  s, finite, after now
/// Errors   ER_ERROR_ARGUMENT (no state yet, or the limit); ER_ERROR_NO_CONVERGENCE (the tolerance needs a step that is
///          too short, or numbers overflow); those of the system. The state is that before the step.
ER_API er_result er_ode_step(er_ode *ode, double limit);

/// Takes steps to a time, exactly.
/// @param until  s, finite, not before now
/// Errors   as er_ode_step(): the state is the last that was reached
ER_API er_result er_ode_advance(er_ode *ode, double until);

/// The time, s.
ER_API double er_ode_time(const er_ode *ode);

/// The state: q [position_count] and u [velocity_count].
/// Memory   borrowed until the state changes.
ER_API const double *er_ode_positions(const er_ode *ode);
ER_API const double *er_ode_velocities(const er_ode *ode);

/// The step that an adaptive method tries next, or the fixed step, s; 0 if it is not known yet.
ER_API double er_ode_next_step(const er_ode *ode);

/// The counts so far.
ER_API er_ode_statistics er_ode_count(const er_ode *ode);

/// The state at a time in the last step, by a polynomial through its ends. Its error has the method's order; for the
/// methods of Euler and Heun the third. The first call after a step may cost two evaluations.
/// @param t  s, in the last step
/// @param q  [position_count], written; NULL without positions
/// @param u  [velocity_count], written
/// Errors   ER_ERROR_ARGUMENT (no such time), those of accelerate()
ER_API er_result er_ode_interpolate(er_ode *ode, double t, double *q, double *u);

#ifdef __cplusplus
}
#endif
#endif
