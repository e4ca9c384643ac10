// Helpers for tests of changes: changes of joints, and the changed model.
#ifndef TESTS_RIG_CHANGES_H
#define TESTS_RIG_CHANGES_H

#include <eigenrig/rig.h>

#include "support/judge.h"

extern er_context *context; // from set_up() to tear_down()

int set_up(void **state);
int tear_down(void **state);

er_joint_change joints(const char *pattern);
er_rig_change of_joints(int count, const er_joint_change *joint);

/// The changed model; fails the test when it is refused.
er_model *changed(const er_model *model, const er_rig_change *change);

/// Fails the test unless the change is refused with this word.
void refused(const er_model *model, const er_rig_change *change, const char *word);

/// Changes with the k-th allocation failing, k = 1, 2, ..., until none does: nothing leaks, and no model is half made.
void starved(const er_model *model, const er_rig_change *change);

#endif
