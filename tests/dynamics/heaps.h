// Worlds of solids thrown anyhow into a pit, some of them tied by joints.
#ifndef TESTS_DYNAMICS_HEAPS_H
#define TESTS_DYNAMICS_HEAPS_H

#include "dynamics/scenes.h"

// @param ratio  masses are up to this times the least, about
void heap_throw(scene *s, dice *d, double ratio, bool joints, bool rebounds);

// Frees what a heap's shapes point to.
void heap_free(void);

// Steps and looks at every state: fails where a number is not finite.
// @param stays  fails where a body is out of the pit by 1 m, too
// @return the most that energy grew by between two looks, over the largest there was
double heap_run(scene *s, er_world *w, long steps, bool stays);

#endif
