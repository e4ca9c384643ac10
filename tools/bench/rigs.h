/// @file
/// Room `bench`, rigs: families of rigs of any number of bodies, the same on every machine. Every joint coordinate has
/// a spring. Linked by the program and by tests, not by the library.
#ifndef ERI_TOOLS_BENCH_RIGS_H
#define ERI_TOOLS_BENCH_RIGS_H

#include <eigenrig/model.h>

/// A family of rigs.
typedef enum bench_rig {
    BENCH_CHAIN, ///< floating; a beam of 2 m, 1 kg and bending stiffness 1 N m^2 cut into equal rods, spherical joints:
                 ///< its modes tend to the beam's, whose first bends at 1.2590 Hz, twice
    BENCH_TREE,  ///< floating; a binary tree of ever smaller branches, spherical joints, stiffness graded:2:0.5
    BENCH_CHARACTER, ///< floating; limbs that grow from limbs, depth of order sqrt(n), spherical and revolute joints,
                     ///< lengths and masses each over a decade, stiffness graded:2:0.5
    BENCH_ANIMAL, ///< floating; a trunk, and pairs of limbs that are each other's mirror images; else as the character
    BENCH_NET,    ///< floating; a flat square net of rods 2 m wide, spherical joints of 1 N m/rad at the knots, loops
    BENCH_CURTAIN ///< chains of links side by side, hung from the world, tied across at every third link: loops
} bench_rig;

enum { BENCH_RIG_COUNT = 6, BENCH_LEAST_BODIES = 2, BENCH_MOST_BODIES = 10000000 };

/// "chain", "tree", "character", "animal", "net" or "curtain".   Memory: static.   Threads: any.
const char *bench_rig_name(bench_rig rig);

/// Makes a rig; 100,000 bodies take some tenths of a second.
/// @param bodies  BENCH_LEAST_BODIES to BENCH_MOST_BODIES
/// @param out     ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY, and as er_model_create() and er_stiffness_apply()
/// Memory   allocates the result; scratch by malloc.   Threads: one call per context at a time.
er_result bench_rig_create(er_context *context, bench_rig rig, int bodies, er_model **out);

/// A double pendulum that begins level: two bars of 1 m and 1 kg, hinged to the world and to each other about z.
/// Else as bench_rig_create().
er_result bench_pendulum_create(er_context *context, er_model **out);

/// A person of 16 cylinders and 75 kg, afloat and upright along y: hinges at elbows and knees, else spherical joints,
/// all with springs of 10 N m/rad and dampers of 0.05 N m s/rad. Else as bench_rig_create().
er_result bench_ragdoll_create(er_context *context, er_model **out);

#endif
