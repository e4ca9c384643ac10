// Shared by tests of the routes for closed loops: rigs to try a route on, and what the modes of any route promise.
#ifndef TESTS_MODAL_LOOP_ROUTES_H
#define TESTS_MODAL_LOOP_ROUTES_H

#include "support/context.h"
#include "support/linkages.h"

/// Solves a rig by the routes under test and judges them.
typedef void (*loop_check)(const er_model *model, const judge *j);

/// Checks random rigs. Rigs without motion must be refused by both routes for loops.
void try_random_graphs(loop_check check, dice d);

/// Checks linkages without some of their springs: those joints make mechanisms, or loops make them follow others.
void try_linkages(loop_check check, dice d);

/// Expects the judge, which knows no tree, to agree with all modes of a rig, but for rounding of M and K.
void expect_judged(const judge *j, const er_modes *modes);

/// Three bodies, the first two on a ball joint, sprung or not, and locked by a fixed one. Where `crossed`, it is the
/// ball joint that closes the loop.
er_model *locked_model(dice *d, bool sprung, bool crossed);

/// Their modes, in which coordinates of the ball joint are 0 to the last bit. Destroys them.
void expect_locked(er_modes *modes);

#endif
