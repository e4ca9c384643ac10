/// @file
/// Private to the rig room: changes of joints and bodies, resolved one by one.
#ifndef ERI_RIG_CHANGE_H
#define ERI_RIG_CHANGE_H

#include <eigenrig/rig.h>

#include "base/arena.h"

/// Checks the changes and resolves them: the k-th of the result is the change of the model's k-th joint.
/// @param out  [joint_count of the model], in the arena
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result eri_joint_changes_resolve(er_arena *arena, const er_model *model, const er_rig_change *change,
                                    er_joint_change **out);

/// Gives a joint another type. Springs of new coordinates without others of their kind are negative: not known yet.
void eri_joint_retype(er_joint *joint, er_joint_type type);

/// Rotates a joint's frame the shortest way until its z is a world axis; 0 leaves it.
void eri_joint_turn(er_joint *joint, er_vec3 axis);

/// Scales masses by the whole change, after the changes of joints (`rule`, as resolved).
/// @param body  [body_count], written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result eri_bodies_weigh(er_arena *scratch, const er_model *model, const er_rig_change *change,
                           const er_joint_change *rule, er_body *body);

/// Makes the joints that close loops.
/// @param joint  [loop_count of the change], written; names are in the arena, or the change's
/// @param count  written: how many; optional ones without their bodies are skipped
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result eri_loops_make(er_arena *arena, const er_model *model, const er_rig_change *change, er_joint *joint,
                         int *count);

/// Replaces a model by one whose twins are each other's mirror images; change->symmetry is written.
/// Errors   ER_ERROR_RIG (no mirror; too many bodies; as er_model_create()), ER_ERROR_MEMORY: the model stays
er_result eri_rig_symmetrize(er_arena *scratch, const er_rig_change *change, er_model **model);

/// Names, for find_twins().
typedef const char *(*eri_name_of)(const er_model *model, int index);

/// There is no such name; suggests the nearest.
/// @param what  "joint", "body"   @return ER_ERROR_ARGUMENT
er_result eri_names_fail(er_context *context, const er_model *model, const char *what, const char *name, int count,
                         eri_name_of known);

/// The twin of each of `count` named things by any of the change's pairs; -1 for none.
/// @param twin  [count], written
/// Errors   ER_ERROR_ARGUMENT (an invalid pair), ER_ERROR_MEMORY
er_result eri_twins_find(er_arena *scratch, const er_model *model, const er_rig_change *change, int count,
                         eri_name_of name, int *twin);

#endif
