/// @file
/// MuJoCo's library, found when the program runs: its functions, by their names, and models of ours as its XML.
#ifndef ERI_TOOLS_BENCH_MUJOCO_LIBRARY_H
#define ERI_TOOLS_BENCH_MUJOCO_LIBRARY_H

#include <eigenrig/dynamics.h>
#include <mujoco/mujoco.h>

#define MUJOCO_FUNCTIONS(USE)                                                                                          \
    USE(mj_version)                                                                                                    \
    USE(mj_defaultVFS)                                                                                                 \
    USE(mj_makeEmptyFileVFS)                                                                                           \
    USE(mj_deleteVFS)                                                                                                  \
    USE(mj_loadXML)                                                                                                    \
    USE(mj_deleteModel)                                                                                                \
    USE(mj_makeData)                                                                                                   \
    USE(mj_deleteData)                                                                                                 \
    USE(mj_resetData)                                                                                                  \
    USE(mj_kinematics)                                                                                                 \
    USE(mj_forward)                                                                                                    \
    USE(mj_step)

#define MUJOCO_MEMBER(name) __typeof__(&name) name;

/// Functions of MuJoCo; none before bench_mujoco_load() said true.
extern struct bench_mujoco_functions {
    MUJOCO_FUNCTIONS(MUJOCO_MEMBER)
} mj;

/// Loads the library, once; false, with why, where it is not there.
/// @param why  [size], written on failure
bool bench_mujoco_load(char *why, size_t size);

/// What it is told of a model. All is borrowed.
typedef struct bench_mujoco_def {
    const er_model *model;       ///< joints spherical, of springs alike, or revolute
    er_vec3 gravity;             ///< m/s^2
    const char *head;            ///< what comes before bodies: options and sizes, as XML
    const er_world_shape *shape; ///< [shape_count]: spheres, capsules and planes, each of one group at most
    int shape_count;
} bench_mujoco_def;

/// A model and a state of it.
typedef struct bench_mujoco_world {
    mjModel *model;
    mjData *data;
    int *id; ///< [body_count], its bodies
} bench_mujoco_world;

/// Hands it the model, whose joints along the shortest ways from the world or from what is free become its joints; what
/// closes loops becomes constraints.
/// @param out  written; for bench_mujoco_end(), after a failure too
/// @param why  [size], written on failure
bool bench_mujoco_begin(const bench_mujoco_def *def, bench_mujoco_world *out, char *why, size_t size);
void bench_mujoco_end(bench_mujoco_world *m);

/// One step; false, with why, where it cannot: its own way is to end the program.
/// @param why  [size], written on failure
bool bench_mujoco_step(bench_mujoco_world *m, char *why, size_t size);

/// Moves bodies (data->xpos and the like) to the state; false where numbers left their range, after which it begins
/// anew.
bool bench_mujoco_place(bench_mujoco_world *m);

#endif
