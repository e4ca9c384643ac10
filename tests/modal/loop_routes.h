// What tests of the routes for closed loops share: rigs to try a route on, and what the modes of any route promise.
#ifndef TESTS_MODAL_LOOP_ROUTES_H
#define TESTS_MODAL_LOOP_ROUTES_H

#include "support/linkages.h"

extern er_context *context; // from set_up to tear_down

int set_up(void **state);
int tear_down(void **state);

typedef struct loop_route {
    er_modal_method method;
    void (*check)(const er_model *model, const judge *j); // solves by the route
} loop_route;

/// Checks random rigs, and that those whose every body is held are refused.
void try_random_graphs(const loop_route *route, dice d);

/// The same of linkages without some of their springs: those joints make mechanisms, or loops make them follow others.
void try_linkages(const loop_route *route, dice d);

/// What the judge, who knows no tree, says of all modes of a rig, but for what rounding leaves of M and K.
void expect_judged(const judge *j, const er_modes *modes);

/// Three bodies, the first two on a ball joint, sprung or not, and locked by a fixed one. Where `crossed`, it is the
/// ball joint that closes the loop.
er_model *locked_model(dice *d, bool sprung, bool crossed);

/// Their modes, in which coordinates of the ball joint are 0 to the last bit. Destroys both.
void expect_locked(er_model *model, er_modes *modes);

#endif
