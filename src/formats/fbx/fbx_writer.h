/// @file
/// Shared by the parts of the FBX writer: the scene, facts about it, and the ids of its objects.
#ifndef ERI_FORMATS_FBX_FBX_WRITER_H
#define ERI_FORMATS_FBX_FBX_WRITER_H

#include <eigenrig/scene.h>

#include "base/names.h"
#include "formats/fbx/fbx_records.h"
#include "scene/trs.h"
#include "scene/writing.h"

#define ERI_FBX_NONE (-1)

/// Ticks of FBX's clock in a second.
#define ERI_FBX_SECOND 46186158000.0

/// A second Model of a joint, for a skin that lists its node twice.
typedef struct eri_fbx_duplicate {
    int node;
    er_affine bind;
    int64_t model;
} eri_fbx_duplicate;

/// Meshes that are drawn at one node with one skin: one Geometry.
typedef struct eri_fbx_draw {
    int node, skin;   ///< skin may be NONE
    const int *order; ///< [count], instances
    int count;
    bool apart;    ///< has a Model of its own
    bool at_root;  ///< that hangs on the scene's root; below the node's else
    eri_trs place; ///< of that Model, against what it hangs on
    int64_t model; ///< that draws it, once written
} eri_fbx_draw;

/// A scene on its way into a document. Arrays are of the document's arena.
typedef struct eri_fbx_writer {
    eri_fbx_document *document;
    const er_scene *scene;         ///< with all clips to write
    int added;                     ///< clips that are new, ahead of the scene's own
    double unit;                   ///< centimetres of the scene's: what lengths are multiplied by
    eri_names names;               ///< of Models
    const eri_trs *rest;           ///< [node_count], centimetres as all below
    const er_affine *world;        ///< [node_count], at rest, as the file has it
    const uint8_t *order;          ///< [node_count], RotationOrder
    const uint8_t *keyed;          ///< [node_count], 1 << er_path of what clips move
    const bool *limb;              ///< [node_count], becomes a LimbNode
    const er_affine *bind;         ///< [node_count], of limbs: the bind pose in the world
    const er_affine *armature;     ///< [node_count], of limbs: world of what their tree of limbs hangs on
    const int *lists;              ///< [node_count], the skin that lists a limb without being moved by it, or NONE
    eri_fbx_duplicate *duplicates; ///< [joints of all skins]; node is NONE where the joint's own node serves
    const int *first_duplicate;    ///< [skin_count], into `duplicates`
    const er_affine *mesh_bind;    ///< [skin_count], world of the mesh at the bind pose
    eri_fbx_draw *draw;            ///< [draw_count], by node
    int draw_count;
    int64_t *model;    ///< [node_count]; 0 is FBX's own root
    int64_t *material; ///< [material_count + 1], the last of meshes without one, 0 until it is written
} eri_fbx_writer;

/// Fills limb, world, bind, armature, lists, duplicates.   Errors: ER_ERROR_ARGUMENT, ER_ERROR_MEMORY.
er_result eri_fbx_find_bones(eri_fbx_writer *writer);

/// Fills draw.   Errors: ER_ERROR_MEMORY.
er_result eri_fbx_plan_draws(eri_fbx_writer *writer);

/// Fills keyed and order.   Errors: ER_ERROR_ARGUMENT, ER_ERROR_MEMORY.
er_result eri_fbx_survey_clips(eri_fbx_writer *writer);

/// A transform in centimetres.
er_affine eri_fbx_scaled(const eri_fbx_writer *writer, er_affine a);

/// The ticks that the longest clip lasts.
int64_t eri_fbx_longest(const er_scene *scene);

/// Writes the nodes.   Errors: ER_ERROR_MEMORY.
er_result eri_fbx_put_nodes(eri_fbx_writer *writer);

/// Writes a second Model for a node, below the node's own or below the root.   @return its id
/// @param name   "": the node's
/// @param place  against what it hangs on
/// @param type   "LimbNode" or "Mesh"
int64_t eri_fbx_put_model_apart(eri_fbx_writer *writer, int node, bool at_root, eri_trs place, const char *name,
                                const char *type);

/// Writes the materials and their pictures.   Errors: ER_ERROR_MEMORY.
er_result eri_fbx_put_materials(eri_fbx_writer *writer);

/// Writes meshes and skins.   Errors: ER_ERROR_MEMORY.
er_result eri_fbx_put_draws(eri_fbx_writer *writer);

/// Writes the bind pose, of Models that are written.
void eri_fbx_put_pose(eri_fbx_writer *writer);

/// Writes the clips.   Errors: ER_ERROR_MEMORY.
er_result eri_fbx_put_clips(eri_fbx_writer *writer);

#endif
