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

/// MuJoCo's functions; set by a successful bench_mujoco_begin().
extern struct bench_mujoco_functions {
    MUJOCO_FUNCTIONS(MUJOCO_MEMBER)
} mj;

/// A model as MuJoCo gets it. All is borrowed.
typedef struct bench_mujoco_def {
    const er_model *model;       ///< joints spherical, of springs alike, or revolute
    er_vec3 gravity;             ///< m/s^2
    const char *head;            ///< XML that comes before bodies: options and sizes
    const er_world_shape *shape; ///< [shape_count]: spheres, capsules and planes, each of one group at most
    int shape_count;
} bench_mujoco_def;

/// A model and a state of it.
typedef struct bench_mujoco_world {
    mjModel *model;
    mjData *data;
    int *id; ///< [body_count], its bodies
} bench_mujoco_world;

/// Gives MuJoCo the model. Joints along the shortest ways from the world or from a free body become its joints; loop
/// joints become constraints.
/// @param out  written; for bench_mujoco_end(), after a failure too
/// @param why  [size], written on failure
bool bench_mujoco_begin(const bench_mujoco_def *def, bench_mujoco_world *out, char *why, size_t size);
void bench_mujoco_end(bench_mujoco_world *m);

/// Makes one step; false, with the reason, if MuJoCo reports an error, which by default would end the program.
/// @param why  [size], written on failure
bool bench_mujoco_step(bench_mujoco_world *m, char *why, size_t size);

/// Moves bodies (data->xpos and the like) to the state; false if numbers left their range, after which MuJoCo starts
/// anew.
bool bench_mujoco_place(bench_mujoco_world *m);

#endif
