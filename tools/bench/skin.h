/// @file
/// Room `bench`, skins: a model to look at, of any number of bones.
#ifndef ERI_TOOLS_BENCH_SKIN_H
#define ERI_TOOLS_BENCH_SKIN_H

#include <eigenrig/model.h>
#include <eigenrig/scene.h>

/// Writes a .glb of a rig's bodies as bones, with one skin: a tube of RINGS rings round each bone, which its parent
/// bends at the near end. Nodes have the names of the bodies.
/// @param model  a tree, parents first
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result bench_skin_write(er_context *context, const er_model *model, const char *path);

#endif
