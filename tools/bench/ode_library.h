/// @file
/// ODE's library, found when the program runs: its functions, by their names.
#ifndef ERI_TOOLS_BENCH_ODE_LIBRARY_H
#define ERI_TOOLS_BENCH_ODE_LIBRARY_H

#include <ode/ode.h>
#include <stdbool.h>
#include <stddef.h>

#define ODE_FUNCTIONS(USE)                                                                                             \
    USE(dInitODE2)                                                                                                     \
    USE(dWorldCreate)                                                                                                  \
    USE(dWorldDestroy)                                                                                                 \
    USE(dWorldSetGravity)                                                                                              \
    USE(dWorldSetAutoDisableFlag)                                                                                      \
    USE(dWorldSetQuickStepNumIterations)                                                                               \
    USE(dWorldQuickStep)                                                                                               \
    USE(dWorldSetCFM)                                                                                                  \
    USE(dWorldStep)                                                                                                    \
    USE(dBodyCreate)                                                                                                   \
    USE(dBodySetMass)                                                                                                  \
    USE(dBodySetPosition)                                                                                              \
    USE(dBodySetQuaternion)                                                                                            \
    USE(dBodyGetPosition)                                                                                              \
    USE(dBodyGetQuaternion)                                                                                            \
    USE(dBodySetLinearVel)                                                                                             \
    USE(dBodySetAngularVel)                                                                                            \
    USE(dBodyGetAngularVel)                                                                                            \
    USE(dBodyAddTorque)                                                                                                \
    USE(dMassSetParameters)                                                                                            \
    USE(dJointCreateBall)                                                                                              \
    USE(dJointCreateHinge)                                                                                             \
    USE(dJointCreateContact)                                                                                           \
    USE(dJointAttach)                                                                                                  \
    USE(dJointSetBallAnchor)                                                                                           \
    USE(dJointSetHingeAnchor)                                                                                          \
    USE(dJointSetHingeAxis)                                                                                            \
    USE(dJointGetHingeAngle)                                                                                           \
    USE(dJointGetHingeAngleRate)                                                                                       \
    USE(dJointAddHingeTorque)                                                                                          \
    USE(dJointGroupCreate)                                                                                             \
    USE(dJointGroupDestroy)                                                                                            \
    USE(dJointGroupEmpty)                                                                                              \
    USE(dHashSpaceCreate)                                                                                              \
    USE(dSpaceDestroy)                                                                                                 \
    USE(dSpaceCollide)                                                                                                 \
    USE(dCollide)                                                                                                      \
    USE(dCreateSphere)                                                                                                 \
    USE(dCreateCapsule)                                                                                                \
    USE(dCreatePlane)                                                                                                  \
    USE(dGeomSetBody)                                                                                                  \
    USE(dGeomGetBody)                                                                                                  \
    USE(dGeomSetData)                                                                                                  \
    USE(dGeomGetData)

#define ODE_MEMBER(name) __typeof__(&name) name;

/// ODE's functions; set by a successful bench_ode_load().
extern struct bench_ode_functions {
    ODE_FUNCTIONS(ODE_MEMBER)
} od;

/// Loads the library once; false, with the reason, if it is not installed.
/// @param why  [size], written on failure
bool bench_ode_load(char *why, size_t size);

#endif
