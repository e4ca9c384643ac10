/// @file
/// Shares a wrench among contacts with friction.
#ifndef ERI_DYNAMICS_FRICTION_SHARE_H
#define ERI_DYNAMICS_FRICTION_SHARE_H

#include <eigenrig/math.h>

/// The forces within friction cones whose wrench comes nearest to a wanted one; among those that come as near, the ones
/// with the least sum of squares. Source: docs/math/inverse.md.
/// @param wanted    world axes, about some point
/// @param size      m, > 0: torques are divided by it where they are compared with forces
/// @param normal    unit, world
/// @param friction  >= 0
/// @param arm       [count], from that point to each contact, m, world
/// @param force     [count], written, N, world
void eri_share_friction(er_wrench wanted, double size, er_vec3 normal, double friction, int count, const er_vec3 *arm,
                        er_vec3 *force);

#endif
