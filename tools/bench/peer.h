/// @file
/// Room `bench`, peers: other simulators that move the same rig, found when the program runs; missing ones are named.
#ifndef ERI_TOOLS_BENCH_PEER_H
#define ERI_TOOLS_BENCH_PEER_H

#include <eigenrig/model.h>

enum { BENCH_PEER_METHODS = 2 };

/// A rig in motion. Only its joints have damping.
typedef struct bench_scene {
    const er_model *model; ///< a forest of joints that are spherical, of springs alike, or revolute; borrowed
    er_vec3 gravity;       ///< m/s^2
    const er_twist *twist; ///< [body_count], at time 0 at the equilibrium; as of a world, borrowed
} bench_scene;

/// A simulator.
typedef struct bench_peer {
    const char *name;
    const char *method[BENCH_PEER_METHODS]; ///< fixed-step methods, in order; NULL past the last

    /// @param scene  borrowed
    /// @param why    [size], written where NULL is returned
    void *(*create)(const bench_scene *scene, char *why, size_t size);
    void (*destroy)(void *self);

    void (*start)(void *self); ///< moves to time 0
    void (*advance)(void *self, int method, double step, int count);

    /// Finds the accelerations of the state; NULL if the simulator cannot do that without a step.
    void (*evaluate)(void *self);

    /// @param centre  [body_count], written: centres of mass, m, world axes; NAN if they are lost
    void (*places)(void *self, er_vec3 *centre);
} bench_peer;

/// MuJoCo 2 (libmujoco-dev) and ODE (libode-dev). Their headers are needed when this is built, their libraries when it
/// runs.
extern const bench_peer bench_mujoco, bench_ode;

#endif
