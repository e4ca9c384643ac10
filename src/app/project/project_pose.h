/// @file
/// Equilibrium poses as local transforms of nodes.
#ifndef ERI_APP_PROJECT_PROJECT_POSE_H
#define ERI_APP_PROJECT_PROJECT_POSE_H

#include <eigenrig/rig.h>

/// The local transforms of a rig's equilibrium.
/// @param local  [node_count of its scene], written; nodes below one of scale 0 are at rest
void project_equilibrium(const er_rig *rig, er_affine *local);

#endif
