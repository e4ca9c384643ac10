// Helpers for tests of changes: changes of joints, and the changed model.
#ifndef TESTS_RIG_CHANGES_H
#define TESTS_RIG_CHANGES_H

#include <eigenrig/rig.h>

#include "support/context.h"
#include "support/judge.h"

er_joint_change joints(const char *pattern);
er_rig_change of_joints(int count, const er_joint_change *joint);

/// The changed model; fails the test when it is refused.
er_model *changed(const er_model *model, const er_rig_change *change);

/// Fails the test unless the change is refused and the message names this.
void refused(const er_model *model, const er_rig_change *change, const char *named);

#endif
