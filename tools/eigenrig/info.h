/// @file
/// What the files of `eigenrig info` share.
#ifndef ER_TOOLS_EIGENRIG_INFO_H
#define ER_TOOLS_EIGENRIG_INFO_H

#include "tools/eigenrig/cli.h"

/// Why a bone hangs where it does, where its node alone does not say, and how much skin the two share: "; ...", or "".
/// @param out  [size], written
void info_why(const er_scene *scene, const er_rig *rig, int node, char *out, size_t size);

/// Whether the pose file that was asked for, if any, lies where a description may name it: below its folder.
bool can_describe_pose(const options *o);

/// Writes the rig as a description.   Errors: ER_ERROR_FILE, ER_ERROR_MEMORY
er_result save_description(er_context *context, const options *o, const loaded *l);

#endif
