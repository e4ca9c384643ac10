/// @file
/// Private to the Assimp reader: the node tree as an array, and what its files share.
#ifndef ERI_TOOLS_IMPORTER_ASSIMP_H
#define ERI_TOOLS_IMPORTER_ASSIMP_H

#include <assimp/scene.h>

#include "formats/import/scene_reader.h"

/// Assimp writes one FBX node as a chain X_$AssimpFbx$_Translation > ... > X, for pivots and the like. Such helpers
/// are not nodes of ours: a node's local transform is the product of those above it and its own.
typedef struct imp_source_node {
    const struct aiNode *node;
    int parent; ///< index of a source node, smaller than this one's, or -1
    int ours;   ///< index in scene->node; -1 for a helper
} imp_source_node;

/// Assimp's scene being read.
typedef struct imp_assimp {
    imp_reader *reader;
    const struct aiScene *from;
    er_arena *scratch;
    imp_source_node *source; ///< [source_count], parents first
    int source_count;
    int *by_name;   ///< [source_count], source indices sorted by name, then by index
    int *source_of; ///< [scene->node_count], the source node behind a node of ours
    int ambiguous;  ///< names that were looked up and belong to several nodes
    int uneven, unweighted, lost_bones, lost_channels, dropped_keys, sheared_keys, dropped_faces;
} imp_assimp;

/// The entry of a scene or a node under a key, NULL if it has none; its number, or `fallback`.
const struct aiMetadataEntry *imp_assimp_metadata(const struct aiMetadata *data, const char *key);
double imp_assimp_number(const struct aiMetadata *data, const char *key, double fallback);

/// Rows of Assimp's matrix.   Errors none.
er_affine imp_assimp_affine(const struct aiMatrix4x4 *m);

/// Finds the source nodes of a name: the first index into by_name, and their number.
int imp_assimp_named(const imp_assimp *a, const char *name, int *count);

/// The node of ours that a bone's name means for a mesh drawn at `node`: of several one that draws no mesh, then the
/// closest relative. -1 for none. Counts names that stay ambiguous.
int imp_assimp_bone(imp_assimp *a, const char *name, int node);

/// The source node that a channel's name means: of several the first that draws no mesh. -1 for none. Counts names that
/// stay ambiguous.
int imp_assimp_animated(imp_assimp *a, const char *name);

/// The local rest transform of a node of ours, with helpers, without scale compensation.
er_affine imp_assimp_local(const imp_assimp *a, int source);

/// The source node of a node's parent among ours, or -1.
int imp_assimp_parent(const imp_assimp *a, int source);

/// Warns of blend shapes of an FBX file that have a weight at rest, because Assimp drops the weight. Other files have
/// none.
/// @param file  the whole file   Errors: ER_ERROR_MEMORY
er_result imp_fbx_note_weights(imp_reader *reader, imp_bytes file);

/// Whether an FBX node ignores its parent's scale (InheritType 2, Maya's segment scale compensation). Assimp reads the
/// flag but does not apply it.
bool imp_assimp_compensates(const imp_assimp *a, int source);

/// The local transform under a parent whose own scale is undone: T R S becomes T (1 / scale) R S.
/// @param parent  the parent's local transform, not compensated itself
er_affine imp_assimp_compensate(er_affine local, er_affine parent);

/// Fills source, by_name, source_of and scene->node.   Errors: ER_ERROR_FORMAT, ER_ERROR_MEMORY.
er_result imp_assimp_nodes(imp_assimp *a);

/// Fills scene->material and scene->image.   Errors: ER_ERROR_MEMORY.
er_result imp_assimp_materials(imp_assimp *a);

/// Fills scene->clip.   Errors: ER_ERROR_FORMAT, ER_ERROR_MEMORY.
er_result imp_assimp_clips(imp_assimp *a);

#endif
