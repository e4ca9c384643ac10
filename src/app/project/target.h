/// @file
/// The scene that is shown and that clips animate: a model's own, a world's solids, or bone shapes if there is no mesh.
#ifndef ERI_APP_PROJECT_TARGET_H
#define ERI_APP_PROJECT_TARGET_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>
#include <eigenrig/worlds.h>

/// Memory of a target that project_root_set() changed.
typedef struct project_rooted project_rooted;

typedef struct project_target {
    er_recording_target target;
    er_scene *bones;        ///< owned: bones or solids; NULL if the model has meshes
    er_affine *world;       ///< owned, for a rig file or a static scene
    int *body;              ///< owned, for a static scene
    int *body_node;         ///< owned, for a world: [body_count], as er_rig.body_node; otherwise NULL
    project_rooted *rooted; ///< owned: the scene and arrays of a target with an added root; NULL: none
    er_scene *part;         ///< a scene of some meshes; owned, except for the arrays that it points to
} project_target;

/// Makes the target of a model.
/// @param model  the rig's; both must outlive the target
/// @param rig    NULL for a rig file and a world
/// @param world  the world of the model, whose solids are shown; NULL: none. It must outlive the target
/// @param out    ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_MEMORY
er_result project_target_set(er_context *context, const er_model *model, const er_rig *rig, const er_world_file *world,
                             project_target *out);

/// Makes the target of a static scene: all nodes belong to one body.
/// @param scene  must outlive the target
/// @param out    ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_MEMORY
er_result project_target_set_static(er_context *context, const er_scene *scene, project_target *out);

/// Hides all meshes except those with a matching name, of their own or of their node.
/// @param names  patterns with * and ?, separated by commas; NULL keeps all
/// Errors   ER_ERROR_ARGUMENT (a pattern without a match), ER_ERROR_MEMORY
er_result project_target_filter(er_context *context, const char *names, project_target *target);

/// Frees what it owns; all zeros are fine.
void project_target_clear(project_target *target);

#endif
