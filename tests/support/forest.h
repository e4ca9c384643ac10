// Random rigs of any size up to RIG_MAX bodies, for the routes that work on a spanning tree.
#ifndef TESTS_SUPPORT_FOREST_H
#define TESTS_SUPPORT_FOREST_H

#include "judge.h"

/// A rig of that many bodies in general position: a few trees, slender or bushy, free or held, all joint types, some
/// crossed from child to parent, masses over six decades, a fifth of the springs left out. With `loops`, also joints
/// that close loops, copies of joints among them (redundant constraints).
void rig_forest(rig *r, dice *d, int bodies, bool loops);

/// The kinds of modes of a rig without loops: every coordinate with a spring is elastic, every other one a mechanism;
/// free joints to the world and roots without joint are rigid.
typedef struct forest_counts {
    int rigid, mechanism, elastic;
} forest_counts;

forest_counts forest_count(const er_model *model);

#endif
