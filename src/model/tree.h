/// @file
/// Spanning trees over a model's bodies and joints. Modes, poses and worlds each grow one from roots of their choice
/// and keep arrays of their own beside it, link by link.
///
/// A *link* is a body with the joint that the tree reaches it by. The *ground* is the world and the held bodies. A root
/// without joint hangs on the world by a free joint at its own frame.
#ifndef ERI_MODEL_TREE_H
#define ERI_MODEL_TREE_H

#include <eigenrig/model.h>

#include "base/arena.h"

typedef struct eri_link {
    int body;
    int joint;  ///< -1: a root without joint
    int parent; ///< link; -1: the ground
    int above;  ///< body at the joint's other end; -1: the world
    int size;   ///< links of the subtree; depth first they are in a row
    er_joint_type type;
    double pitch;   ///< er_joint.pitch
    int coordinate; ///< of the model, the joint's first; -1: a root without joint
    bool inverse;   ///< the tree runs from the joint's child to its parent
} eri_link;

typedef struct eri_tree {
    int link_count;
    eri_link *link;    ///< [link_count], parents first
    int *link_of_body; ///< [body_count]; -1: none
    bool *has_joint;   ///< [joint_count]: whether a link is reached by it
    int cycle;         ///< joint that closes a cycle, the first one met; -1: none

    // the joints that the tree may grow along
    const er_model *model;
    const bool *held;
    int *start, *joint; ///< of node i: joint[start[i]] to joint[start[i + 1] - 1]; node body_count is the ground
    int *next;          ///< [body_count + 1], the first of each that is not followed yet
} eri_tree;

typedef enum eri_tree_order { ERI_BREADTH_FIRST, ERI_DEPTH_FIRST } eri_tree_order;

/// Memory for trees of models of at most so many bodies and joints; in `scratch` what only growing needs.
/// Errors   ER_ERROR_MEMORY
er_result eri_tree_reserve(er_arena *arena, er_arena *scratch, int bodies, int joints, eri_tree *out);

/// An empty tree. The joints of each node are in ascending order; a caller may reorder them.   No allocation.
/// @param held  [body_count], bodies that belong to the ground; NULL: none. Used until the tree has grown
/// @param used  [joint_count], joints to grow along; NULL: those that close no loop
void eri_tree_begin(eri_tree *tree, const er_model *model, const bool *held, const bool *used);

/// One past the last link of a subtree, depth first.
static inline int eri_tree_end(const eri_tree *tree, int link)
{
    return link + tree->link[link].size;
}

/// Adds what joints connect to a root.   No allocation.
/// @param root  a body without link, or -1 for the ground, which comes first
void eri_tree_grow(eri_tree *tree, int root, eri_tree_order order);

#endif
