/// @file
/// Private: a damped oscillator under a force that is linear between equal steps of time, without error.
#ifndef ERI_MOTION_MODAL_RESPONSE_H
#define ERI_MOTION_MODAL_RESPONSE_H

#include <stdbool.h>

/// q'' + 2 zeta w q' + w^2 q = f, w > 0, zeta >= 0.
typedef struct eri_oscillator {
    double w;       ///< rad/s
    double zeta;    ///< damping ratio
    double step;    ///< s
    double c, s, d; ///< private: what a step makes of a free motion
} eri_oscillator;

/// @param step  s, > 0
eri_oscillator eri_oscillator_of(double w, double zeta, double step);

/// One step.
/// @param force     f at its beginning and its end
/// @param from, to  q and q'; `to` is written
void eri_oscillator_step(const eri_oscillator *o, const double force[2], const double from[2], double to[2]);

/// The motion from a state on.
/// @param count  >= 1 instants
/// @param force  [count]
/// @param state  q and q' at the first instant
/// @param q,rate,accel  [count], written
void eri_oscillator_run(const eri_oscillator *o, int count, const double *force, const double state[2], double *q,
                        double *rate, double *accel);

/// The state from which the motion repeats: after count - 1 steps it is the same again. Without damping, a force in
/// resonance has none, and the result is not finite or is large.
void eri_oscillator_repeat(const eri_oscillator *o, int count, const double *force, double state[2]);

#endif
