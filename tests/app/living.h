/// @file
/// What the tests of living scenes share: scenes without weight or sleep, and solids in them.
#ifndef TESTS_APP_LIVING_H
#define TESTS_APP_LIVING_H

#include "app/engine/engine.h"

/// Fails the test with the context's sentence.
void fine(er_result r);

/// Fails unless it is refused as an argument, in a sentence with these words.
void refused(er_result r, const char *named);

/// A scene with steps of 0.01 s in which no actor sleeps.   @param gravity  m/s^2, downwards
engine *begin(double gravity);

/// Radius and half an edge are 0.5 m.
extern const er_shape ball, cube;

/// An actor of one solid.   Memory: its part is static, for eight calls.
engine_actor_def defined(const char *name, engine_motion motion, er_shape shape, er_vec3 at);

/// Adds it.   @return its id
int add(engine *e, const char *name, engine_motion motion, er_shape shape, er_vec3 at);

/// Adds a hinge along z on `on`, 0 for the world.   @return its id
int hinge(engine *e, int on, int hangs, er_vec3 at, double stiffness, double rest);

void steps(engine *e, int count);

#endif
