/// @file
/// Follow-through of clips: for `follow` and scripts.
#ifndef ERI_APP_PROJECT_PROJECT_FOLLOW_H
#define ERI_APP_PROJECT_PROJECT_FOLLOW_H

#include <eigenrig/identity.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#include "app/project/project_motion.h"

/// Options of follow-through. Take project_default_follow_def(), then change fields.
typedef struct project_follow_def {
    const char *parts;    ///< of project_find_parts(); must be set                                           [NULL]
    er_follow_def follow; ///< its loose bodies and gravity are set from the others                     [as there]
    er_gait_def body;     ///< how the body is read: up, forward, feet, gravity     [er_default_gait_def()]
    er_recording_def recording; ///< its clip below is set; "": named after the clip                    [as there]
} project_follow_def;

project_follow_def project_default_follow_def(void);

/// The loose parts of a rig. All zeros: none.
typedef struct project_loose {
    bool *loose;     ///< [body_count], owned
    er_vec3 up;      ///< unit
    er_vec3 gravity; ///< m/s^2
} project_loose;

/// Finds the loose bodies: those that are named, and all that hang on them.
/// @param rig  NULL is refused: a rig file has no clips
/// @param out  ER_OK: for project_loose_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (as project_find_parts(); a body that hangs on nothing), and as er_regions_create()
er_result project_find_loose(er_context *context, const er_model *model, const er_rig *rig,
                             const project_follow_def *def, project_loose *out);
void project_loose_clear(project_loose *loose); ///< all zeros are fine

/// A clip with its loose parts moved.
typedef struct project_followed {
    er_follow *follow;       ///< owned
    er_recording *recording; ///< owned
} project_followed;

/// Moves the loose parts along a clip of the rig's scene, and records the clip with them. Warns where parts could not
/// be solved exactly, or swing far.
/// @param after  the end of another clip of the same parts, for ER_FOLLOW_AFTER; NULL: none
/// @param out    ER_OK: for project_followed_clear(); otherwise all zeros
/// Errors   as er_follow_create() and er_poses_record(); ER_ERROR_ARGUMENT (a clip without duration)
er_result project_follow_clip(er_context *context, const er_model *model, const er_rig *rig, const er_clip *clip,
                              const project_loose *loose, const project_follow_def *def,
                              const project_listener *listener, project_followed *out);
void project_followed_clear(project_followed *followed); ///< all zeros are fine

#endif
