/// @file
/// Private to the rig room: changes of single joints, as er_rig_change_model() makes them. Arrays are the copy's.
#ifndef ER_RIG_EDIT_H
#define ER_RIG_EDIT_H

#include <eigenrig/rig.h>

#include "base/arena.h"

/// A change and the joints it is of.
typedef struct edit {
    er_context *context;
    er_arena *scratch;
    const er_model *model;
    const er_rig_change *change;
    er_body *body;        ///< [body_count]
    er_joint *joint;      ///< [joint_count], with room for loops and roots
    int own_count;        ///< joints of the model; 0 where nothing is said of joints
    er_joint_change *own; ///< [own_count], all that is said of one joint
} edit;

/// own: what the changes come to, joint by joint; values are checked.
er_result er_edit_gather(edit *e);

/// Densities, masses, and that of the whole.
er_result er_edit_masses(edit *e);

/// Types and axes.
void er_edit_frames(edit *e);

/// Appends joints that close loops.   @param count  of joints, counted up
er_result er_edit_loops(edit *e, int *count);

/// Stiffness, damping and limits of joints.
/// @param with  a model of the arrays as they stand
er_result er_edit_springs(edit *e, const er_model *with);

#endif
