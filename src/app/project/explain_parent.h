/// @file
/// The reason for a bone's parent, in words.
#ifndef ERI_APP_PROJECT_EXPLAIN_PARENT_H
#define ERI_APP_PROJECT_EXPLAIN_PARENT_H

#include <eigenrig/rig.h>

/// The evidence for a bone's parent if it is not its node's parent, and the share of skin: one line, or "".
/// @param out  [size], written
void project_explain_parent(const er_rig *rig, int node, char *out, size_t size);

#endif
