/// @file
/// Follow-through of clips: for `follow` and scripts.
#ifndef ERI_APP_PROJECT_PROJECT_FOLLOW_H
#define ERI_APP_PROJECT_PROJECT_FOLLOW_H

#include <eigenrig/identity.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#include "app/project/follow_check.h"
#include "app/project/project_motion.h"

/// Options of follow-through. Take project_default_follow_def(), then change fields.
typedef struct project_follow_def {
    const char *parts;    ///< of project_find_parts(), or with "springs": chains of spring bones; must be set  [NULL]
    bool own_bounce;      ///< parts named as "springs" decay as the file says; else by follow.bounce           [true]
    const char *clip;     ///< the clip to follow, by name or index; NULL: all that have a duration             [NULL]
    bool only_new;        ///< the source's own clips are left out, so new ones keep their names                [false]
    er_follow_def follow; ///< its loose bodies and gravity are set from the others                [as there]
    er_gait_def body;     ///< how the body is read: up, forward, feet, gravity       [er_default_gait_def()]
    bool check; ///< each clip is run in full dynamics too (project_follow_check()); needs an amount of 1      [false]
    er_recording_def recording; ///< its clip below is set; a name needs a clip                          [as there]
} project_follow_def;

project_follow_def project_default_follow_def(void);

/// Clips with their loose parts moved. All zeros: none.
typedef struct project_follow {
    int count;
    er_follow **follow;       ///< [count], owned
    er_recording **recording; ///< [count], owned: named by the def, or after the clip
    project_follow_off **off; ///< [count], owned: [part_count] of each clip; NULL: not checked
    int *cycles;              ///< [count], owned: that a check ran; NULL: not checked
} project_follow;

/// Makes the parts that are named, and all that hangs on them, follow clips of the rig's scene, and records the clips
/// with them. Warns if parts could not be solved exactly, or swing far.
/// @param rig       NULL is refused: a rig file has no clips
/// @param progress  told the clips done; NULL: nobody
/// @param out       ER_OK: for project_follow_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (as project_find_parts(); a body that hangs on nothing; no such clip, or none; a name for
///          several; the progress ended it), and as er_regions_create(), er_follow_create() and er_poses_record()
er_result project_follow_clips(er_context *context, const er_model *model, const er_rig *rig,
                               const project_follow_def *def, const project_listener *listener,
                               const project_progress *progress, project_follow *out);
/// Finds spring bones that swing as the parts that are named, at the frame rate of the recording
/// (er_spring_bones_fit()). Warns of parts that cannot swing so.
/// @param out  ER_OK: for er_spring_bones_destroy(); otherwise NULL
/// Errors   as project_follow_clips() without the clips, and as er_spring_bones_fit()
er_result project_fit_springs(er_context *context, const er_model *model, const er_rig *rig,
                              const project_follow_def *def, const project_listener *listener, er_spring_bones **out);

/// Writes a model with spring bones.
/// @param path  ends in .glb, .gltf or .vrm
/// Errors   as er_gltf_write()
er_result project_write_springs(er_context *context, const er_recording_target *target, const er_spring_bones *bones,
                                bool only_new, const char *path);

void project_follow_clear(project_follow *follow); ///< all zeros are fine

#endif
