/// @file
/// Private to the rig room: what changes of joints come to, joint by joint.
#ifndef ER_RIG_CHANGE_H
#define ER_RIG_CHANGE_H

#include <eigenrig/rig.h>

#include "base/arena.h"

/// Checks the changes and sums them up: the k-th is what they say together of the model's k-th joint.
/// @param out  [joint_count of the model], in the arena
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result er_joint_changes_resolve(er_arena *arena, const er_model *model, const er_rig_change *change,
                                   er_joint_change **out);

/// Gives a joint another type. Springs of coordinates that are new and have no like are negative: still to be found.
void er_joint_retype(er_joint *joint, er_joint_type type);

#endif
