/// @file
/// Room `bench`: measures the time and memory that each route to modes, poses and accelerations takes, over families of
/// rigs and sizes (docs/bench.md).
#ifndef ERI_TOOLS_BENCH_BENCH_H
#define ERI_TOOLS_BENCH_BENCH_H

#include <stdio.h>

#include "tools/bench/contacts.h"
#include "tools/bench/rigs.h"

/// A way to the modes: the methods of er_modal_solve(), then the rivals.
typedef enum bench_route {
    BENCH_ROUTE_SVD,
    BENCH_ROUTE_QR,
    BENCH_ROUTE_TREE,
    BENCH_ROUTE_SPARSE,
    BENCH_ROUTE_WHOLE, ///< sparse, with symmetric rigs as a whole too
    BENCH_ROUTE_NAMES, ///< sparse, and parity and names of the modes from regions that are kept
    BENCH_ROUTE_FIRST, ///< the same with the search of the mirror and regions
    BENCH_ROUTE_SOURCE,
    BENCH_ROUTE_DSYGVD,
    BENCH_ROUTE_DSYEVD
} bench_route;

enum { BENCH_ROUTE_COUNT = 10, BENCH_MAX_SIZES = 32 };

/// "svd", "qr", "tree", "sparse", "whole", "names", "first", "source", "dsygvd" or "dsyevd".   Memory: static. Threads:
/// any.
const char *bench_route_name(bench_route route);

/// The benchmarks.
typedef enum bench_kind {
    BENCH_OF_MODES,
    BENCH_OF_BATCH,
    BENCH_OF_MOTION,
    BENCH_OF_VIEW,
    BENCH_OF_FOLDER,
    BENCH_OF_DYNAMICS,
    BENCH_OF_PEERS,
    BENCH_OF_CONTACTS,
    BENCH_OF_PLAY,
    BENCH_OF_FOLLOW
} bench_kind;

/// Options of a benchmark. Take bench_default_def(), then change fields.
typedef struct bench_def {
    int size[BENCH_MAX_SIZES];       ///< bodies, each BENCH_LEAST_BODIES at least
    int size_count;                  ///< [20 60 200 600 2000 6000 20000 100000]
    bool sizes_given;                ///< of contacts: for all scenes, not for spheres alone [false]
    bool rig[BENCH_RIG_COUNT];       ///< [all]
    bool route[BENCH_ROUTE_COUNT];   ///< [all]
    bool scene[BENCH_SCENE_COUNT];   ///< of contacts [all]
    bool engine[BENCH_ENGINE_COUNT]; ///< of contacts [all]
    int count;                       ///< lowest modes, rigid ones counted        [64]
    double budget;                   ///< s that one rig may take on one route    [120]
    int threads;                     ///< of BLAS, or of steps with contacts, >= 1    [1]
    const char *output;              ///< CSV; NULL or "-" is standard output     [NULL]
    bool quiet;                      ///< nothing on standard error               [false]
} bench_def;

bench_def bench_default_def(void);

/// Estimates the run time on an idle machine, by the measurements of docs/bench.md on a core of 2.3 GHz.   @return s
double bench_seconds(bench_kind kind, const bench_def *def);

/// The figures of one rig on one route. A figure that was not measured is 0, the difference NAN.
typedef struct bench_row {
    bench_rig rig;
    bench_route route;
    int bodies, dof, threads;
    int count; ///< modes held; the next three figures are of them
    double best_ms, median_ms, peak_mib;
    double lowest_hz, highest_hz; ///< of the elastic ones among them
    double difference;            ///< the largest |f / f_reference - 1| of them; NAN where there is no reference
    char note[256];
} bench_row;

/// A benchmark: measures, and writes the CSV row by row.
/// @param problem  [size], written where false is returned: a sentence
typedef bool bench_runner(const bench_def *def, FILE *file, char *problem, size_t size);

/// Runs a benchmark with its CSV open. A file is written as FILE.part and renamed at the end; a pipe or a device is
/// written directly; standard output is left to the program, which checks it at its end.
bool bench_write(bench_runner *run, const bench_def *def, char *problem, size_t size);

/// The stream of the table for people: standard output, or standard error if the CSV goes to standard output.
/// @param path  of the CSV
FILE *bench_table_stream(const char *path);

/// Measures every route on every rig and size, and prints a table. Threads: starts processes; call while there is one.
bench_runner bench_run_modes;

/// Measures rigs one by one against all of them together, er_modal_solve() against er_modal_solve_batch(): 64
/// characters of each size, no two alike. Uses sizes, count, threads (of the batch; a rig alone has one), output and
/// quiet of `def`. Else as bench_run_modes(). Threads: starts them; call while there is one.
bench_runner bench_run_batch;

/// Measures poses of a mix of all elastic modes among the lowest `count`, on one thread: er_motion_frames() and
/// er_motion_poses() against bench_poser_pose(), each compared with er_kinematics_pose(). Uses sizes, rigs (without
/// loops), count, output and quiet of `def`. Else as bench_run_modes().
bench_runner bench_run_motion;

/// Measures drawing without a window, at 1280 x 720: frames a second of the whole viewer with its panels, of one
/// skinned model, and of a hundred of them; and the processor's time a frame outside OpenGL. Uses sizes (bones of the
/// model), output and quiet of `def`. Else as bench_run_modes(). Starts the driver's threads.
bench_runner bench_run_view;

/// Measures living scenes: a frame of a number of scripts and actions, half of each; a step of a number of balls in a
/// box, in all and without physics; a picture of them at 1280 x 720, in all and without OpenGL. Uses sizes, output and
/// quiet of `def`. Else as bench_run_modes().
bench_runner bench_run_play;

/// Measures `eigenrig batch` on a folder of `count` characters of the sizes given, half of them GLB, half BVH: one
/// process, then `threads` processes, from start to end, and the time of each model. Uses sizes, count, threads, output
/// and quiet of `def`. Else as bench_run_modes(). Writes below $TMPDIR, and removes it.
bench_runner bench_run_folder;

/// Measures accelerations by both routes, in an integrator's order of calls, and of eight worlds side by side; and a
/// second simulated at the default tolerance, floating freely. Uses sizes, rigs (without loops), budget, output and
/// quiet of `def`. Else as bench_run_modes().
bench_runner bench_run_dynamics;

/// Measures run time and final error of trajectories, at many steps and tolerances, ours and those of installed peers
/// (peer.h): a double pendulum of 3 s, a ragdoll of 2 s. Uses budget (of one run), output and quiet of `def`. Else as
/// bench_run_modes().
bench_runner bench_run_peers;

/// Measures the time of a step of contact scenes after they have settled, and how far shapes overlap and joints stand
/// apart, in our world and in installed engines. Uses sizes, scenes, engines, budget (of one run), output and quiet of
/// `def`. Else as bench_run_modes().
bench_runner bench_run_contacts;

/// Measures follow-through of a tail of ten bones along a looping clip of 60 frames: the linear answer and the exact
/// one, at one and four steps a frame, without the time of the modes. Uses output and quiet of `def`. Else as
/// bench_run_modes().
bench_runner bench_run_follow;

/// Sums for the exponent g of time ~ bodies^g: least squares of log time against log bodies.
typedef struct bench_growth {
    double n, x, y, xx, xy;
} bench_growth;

void bench_grow(bench_growth *g, double bodies, double cost);
double bench_exponent(const bench_growth *g); ///< NAN for fewer than two sizes

/// Tables of times, of ratios to rivals, and of the growth of time with bodies.
void bench_report(const bench_def *def, const bench_row *row, int row_count, FILE *out);

#endif
