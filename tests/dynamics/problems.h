// Motions in closed form, as systems to integrate.
#ifndef TESTS_DYNAMICS_PROBLEMS_H
#define TESTS_DYNAMICS_PROBLEMS_H

#include "dynamics/ode.h"
#include "support/context.h"

enum { MOST = 8 }; // entries of a state

typedef struct problem {
    const char *name;
    eri_ode ode;
    double span;                        // s: how long to look at it
    void (*exact)(double t, double *y); // [positions + velocities], from t = 0
} problem;

enum { KEPLER, PENDULUM, TOP, DRIVEN, PROBLEMS };

// KEPLER    q'' = -q / |q|^3, from the pericentre of an ellipse of axis 1 and eccentricity 1/2; its period is 2 pi
// PENDULUM  q'' = -sin q, through the bottom up to 2 rad
// TOP       a symmetric top without torque: unit quaternion and rates in body axes
// DRIVEN    q'' = -q + cos 2t, u' depends on time
extern const problem problems[PROBLEMS];

// A solver at the start of a problem; fails the test where there is none.
eri_ode_solver *problem_begin(const problem *p, const eri_ode_options *options);

// How far a state is from the closed form: the largest difference of an entry.
double problem_error(const problem *p, double t, const double *q, const double *u);
double problem_error_now(const problem *p, const eri_ode_solver *s);

// Steps of one length, of any method: no error is too large for an adaptive one.
eri_ode_options fixed_steps(er_ode_method method, double h);

// Steps that a tolerance chooses, absolute and relative alike.
eri_ode_options held_steps(er_ode_method method, double tolerance);

// Inertia of the top about its first two axes and the third.
static const double top_inertia[2] = {1.0, 2.5};

#endif
