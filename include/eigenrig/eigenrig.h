/// @file
/// All headers of the library, in the order in which they build on each other.
#ifndef EIGENRIG_EIGENRIG_H
#define EIGENRIG_EIGENRIG_H

// clang-format off
#include <eigenrig/base.h>
#include <eigenrig/math.h>
#include <eigenrig/mechanics.h>
#include <eigenrig/scene.h>
#include <eigenrig/model.h>
#include <eigenrig/rig.h>
#include <eigenrig/modal.h>
#include <eigenrig/collide.h>
#include <eigenrig/ode.h>
#include <eigenrig/dynamics.h>
#include <eigenrig/motion.h>
#include <eigenrig/gait.h>
#include <eigenrig/identity.h>
#include <eigenrig/control.h>
#include <eigenrig/formats.h>
#include <eigenrig/worlds.h>
#include <eigenrig/plots.h>
// clang-format on

#endif
