/// @file
/// The joints at each body and at the world, from which spanning trees are grown.
#ifndef ERI_MODEL_JOINT_GRAPH_H
#define ERI_MODEL_JOINT_GRAPH_H

#include <eigenrig/model.h>

/// The node at a joint's other end; the world is node body_count.
static inline int eri_joint_far_node(const er_model *m, int joint, int node)
{
    int parent = m->joint[joint].parent < 0 ? m->body_count : m->joint[joint].parent;
    return m->joint[joint].child == node ? parent : m->joint[joint].child;
}

/// Lists the joints of each node as compressed rows: those of node i are joint[start[i]] to joint[start[i + 1] - 1],
/// ascending.
/// @param used   [joint_count], joints to be listed; NULL: those that close no loop
/// @param start  [body_count + 2], written
/// @param joint  [2 joint_count], written
void eri_joint_graph(const er_model *m, const bool *used, int *start, int *joint);

#endif
