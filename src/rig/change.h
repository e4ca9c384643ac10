/// @file
/// Private to the rig room: what changes of joints and bodies come to, one by one.
#ifndef ERI_RIG_CHANGE_H
#define ERI_RIG_CHANGE_H

#include <eigenrig/rig.h>

#include "base/arena.h"

/// Checks the changes and sums them up: the k-th is what they say together of the model's k-th joint.
/// @param out  [joint_count of the model], in the arena
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result eri_joint_changes_resolve(er_arena *arena, const er_model *model, const er_rig_change *change,
                                    er_joint_change **out);

/// Gives a joint another type. Springs of coordinates that are new and have no like are negative: still to be found.
void eri_joint_retype(er_joint *joint, er_joint_type type);

/// Turns a joint's frame by the shortest way that takes its z to a world axis; 0 leaves it.
void eri_joint_turn(er_joint *joint, er_vec3 axis);

/// Scales masses as the whole change says, after what joints (`rule`, as resolved) say of the bodies they reach.
/// @param body  [body_count], written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result eri_bodies_weigh(er_arena *scratch, const er_model *model, const er_rig_change *change,
                           const er_joint_change *rule, er_body *body);

/// Makes the joints that are to close loops.
/// @param joint  [loop_count of the change], written; names are in the arena, or the change's
/// @param count  written: how many there are, optional ones that the model has no bodies for left out
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result eri_loops_make(er_arena *arena, const er_model *model, const er_rig_change *change, er_joint *joint,
                         int *count);

/// Names, as find_twins() asks for them.
typedef const char *(*eri_name_of)(const er_model *model, int index);

/// Nothing is called so: with the nearest name there is.
/// @param what  "joint", "body"   @return ER_ERROR_ARGUMENT
er_result eri_names_fail(er_context *context, const er_model *model, const char *what, const char *name, int count,
                         eri_name_of known);

/// The twin of each of `count` named things by any of the change's pairs; -1 for none.
/// @param twin  [count], written
/// Errors   ER_ERROR_ARGUMENT (pairs that are none), ER_ERROR_MEMORY
er_result eri_twins_find(er_arena *scratch, const er_model *model, const er_rig_change *change, int count,
                         eri_name_of name, int *twin);

#endif
