/// @file
/// The inside of a solver, and what a method gives to it.
#ifndef ERI_DYNAMICS_ODE_SOLVER_H
#define ERI_DYNAMICS_ODE_SOLVER_H

#include "dynamics/ode.h"

enum { ERI_ODE_WORK = 6, ERI_ODE_DEGREE = 4 };

/// How a method steps.
typedef struct eri_ode_scheme {
    int error_order; ///< the error of a step goes with this power of its length; 0: steps are fixed

    /// From (t, y), by h, to `trial`; an adaptive one writes its error too.
    er_result (*step)(eri_ode_solver *s, double h);

    /// Fills `power` for the last step.
    er_result (*interpolate)(eri_ode_solver *s);
} eri_ode_scheme;

struct er_ode {
    er_context *context;
    er_arena *arena;
    eri_ode ode;
    eri_ode_options options;
    const eri_ode_scheme *scheme;
    int size;      // of a state
    double *scale; // [size] of `ode`
    bool has_state;
    double t0, t;                  // the last step
    double *y0, *y;                // [size] the states there
    double *f0, *f;                // [size] their rates
    bool has_rate;                 // f is known
    double next;                   // what an adaptive method tries next; 0: not known
    double *trial, *error;         // [size] what a step came to
    double *work[ERI_ODE_WORK];    // [size] the method's own, until the next step
    double *power[ERI_ODE_DEGREE]; // [size] y(t - b h) = y + sum of power[k] b^(k + 1), b in [0, 1], h = t - t0
    bool has_powers;
    double *probe; // [size] a state in the step
    er_ode_statistics statistics;
};

/// Whether all of x are finite.   @param x  [count]
bool eri_ode_all_finite(const double *x, int count);

/// dq = Q(q) u.
void eri_ode_drift(const eri_ode_solver *s, const double *q, const double *u, double *dq);

/// f = (Q(q) u; a(t, y)), counted.
er_result eri_ode_rate(eri_ode_solver *s, double t, const double *y, double *f);

/// The rate at (t, y), in f: asked for once.   Errors: ER_ERROR_NO_CONVERGENCE where it is not finite.
er_result eri_ode_rate_now(eri_ode_solver *s);

/// The cubic through the states and rates at the ends of the last step (Hermite).
er_result eri_ode_cubic(eri_ode_solver *s);

/// The quartic with another rate inside (Enright, Jackson, Norsett & Thomsen 1986).
er_result eri_ode_quartic(eri_ode_solver *s);

extern const eri_ode_scheme eri_ode_euler, eri_ode_heun, eri_ode_rk4, eri_ode_fehlberg;
extern const eri_ode_scheme eri_ode_semi_implicit, eri_ode_implicit;

#endif
