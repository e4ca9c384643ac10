/// @file
/// What somebody is told of a bone: why it hangs where it does.
#ifndef ERI_APP_PROJECT_EXPLAIN_PARENT_H
#define ERI_APP_PROJECT_EXPLAIN_PARENT_H

#include <eigenrig/rig.h>

/// Why a bone hangs where it does, where its node alone does not say, and how much skin the two share: one line, or "".
/// @param out  [size], written
void project_explain_parent(const er_rig *rig, int node, char *out, size_t size);

#endif
