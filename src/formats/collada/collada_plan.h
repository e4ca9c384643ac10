/// @file
/// How a scene is laid out as Collada: what everything is called, and the one bind pose that all skins share.
///
/// Blender places a skinned vertex at D_j x, with D_j = D_parent B_parent L_j inverse(B_j), L_j a joint's local
/// transform at a time and B_j its bind matrix, one for all skins; D starts at the identity. Down a tree of joints this
/// is W_j inverse(B_j), W_j the world transform, whatever the scales. With nodes above the joints it is not, nor where
/// skins differ in B_j; and nodes that are no joints lose their axes and unit when they move, and what is drawn below a
/// joint. Hence the rules of collada.h: every node is a joint, everything drawn a skin. A mesh whose inverse binds are
/// K_j is put into the common bind pose by a transform S of its own: inverse(B_j) S = K_j.
#ifndef ERI_FORMATS_COLLADA_COLLADA_PLAN_H
#define ERI_FORMATS_COLLADA_COLLADA_PLAN_H

#include <eigenrig/scene.h>

#include "formats/collada/xml.h"

/// A joint of the file: bone i < node_count is node i itself; others stand at a node's place with a bind of their own.
typedef struct eri_dae_bone {
    int node;
    const char *id;
    bool bound;             ///< inverse_bind is set
    er_affine inverse_bind; ///< inverse(B)
    bool posed;             ///< the bind pose has it elsewhere than the rest pose: clips must key it
    int next;               ///< another bone at the same node, -1
    int drawn;              ///< private: the last mesh that took it
    bool listed;            ///< private: a skin has it, or a joint below it
} eri_dae_bone;

/// A mesh to draw.
typedef struct eri_dae_drawn {
    int instance;
    er_affine bind_shape; ///< S, regular
    int bone_count;
    const int *bone; ///< [bone_count], the skin's joints in its order; then the one that vertices without influences
                     ///< follow
    int above_count;
    const int *above; ///< [above_count], nodes above joints that no skin before listed: joints without weight
} eri_dae_drawn;

typedef struct eri_dae_plan {
    const er_scene *scene;
    const char *up_axis;
    const char *scene_id;    ///< of the visual scene, and its name: Assimp takes it for a node
    er_affine turn;          ///< what roots are turned by, so that up is an axis that Collada knows
    const char *top_id;      ///< of the joint above all: the one root, or one made for several
    bool top_made;           ///< the latter
    const char *const *name; ///< [node_count], NULL where it is left out
    const er_affine *local;  ///< [node_count], rest transforms, roots turned
    const er_affine *world;  ///< [node_count]
    const er_affine *bind;   ///< [node_count], B, as Blender has it: what the skins say, else the rest pose
    eri_dae_bone *bone;      ///< [bone_count]
    int bone_count;
    eri_dae_drawn *drawn; ///< [drawn_count]
    int drawn_count;
} eri_dae_plan;

/// Lays out a valid scene, in the arena of `xml`, which gives the ids.   Errors: ER_ERROR_MEMORY.
er_result eri_dae_make_plan(eri_xml *xml, const er_scene *scene, eri_dae_plan *plan);

#endif
