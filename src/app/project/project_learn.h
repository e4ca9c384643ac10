/// @file
/// Joints learnt from clips: hinges where one axis turns, limits, and stiffness where a joint hardly moves.
#ifndef ERI_APP_PROJECT_PROJECT_LEARN_H
#define ERI_APP_PROJECT_PROJECT_LEARN_H

#include <eigenrig/rig.h>

#include "app/project/project_motion.h"

enum { PROJECT_REMARK = 200 }; ///< bytes of a remark about a joint

/// The changes of joints that clips suggest.
typedef struct project_learnt {
    int count;
    er_joint_change *joint;         ///< [count]: type, axis, limits, hz; named by patterns in `pattern`
    char (*remark)[PROJECT_REMARK]; ///< [count], how the joint moved
    char **pattern;                 ///< [count], owned
    char head[600];                 ///< what was assumed, in sentences
} project_learnt;

/// Learns the ball joints of a rig from clips, at 30 frames a second:
/// - A joint becomes a hinge if the root mean square of its turns beside one axis is at most 15 % of that about it, and
///   it turns by 3 degrees or more.
/// - Its limits are the largest angles, and a tenth of their range more. It gets none if it goes almost round.
/// - Its frequency alone is that of the rig's law, times the mean spread of all joints over its own, within a third and
///   three times: all springs then hold about equal energy in the clips.
/// Joints of other types, loops, and joints that share a name are left as they are.
/// @param rig   whose scene has the clips
/// @param clips "all", names or indices separated by commas, or a file or folder of models with bones of the same names
///              and the same rest pose
/// @param listener  told which files and clips were left out; NULL: nobody
/// @param out   for project_learnt_clear(), whatever the result
/// Errors   ER_ERROR_ARGUMENT (no clip, or no joint that moves in them), as er_scene_find_clip() and er_import_file(),
///          ER_ERROR_MEMORY
er_result project_learn(er_context *context, const er_rig *rig, const char *clips, const project_listener *listener,
                        project_learnt *out);

/// Frees what was learnt; all zeros are fine.
void project_learnt_clear(project_learnt *learnt);

#endif
