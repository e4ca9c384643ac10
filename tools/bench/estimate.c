// Estimates how long benchmarks will take, by the measurements of docs/bench.md on one idle core of 2.3 GHz.
#include <math.h>

#include "tools/bench/bench.h"

typedef struct growth {
    double seconds, power; // of a solve of n bodies: seconds (n / 600)^power; 0 where the route refuses the rig
} growth;

static const growth trees[BENCH_ROUTE_COUNT] = {{20.0, 3.0}, {6.0, 3.0}, {0.2, 3.0}, {0.01, 1.2}, {0.01, 1.2},
                                                {0.02, 1.5}, {9.0, 3.0}, {0.3, 3.0}, {0.2, 3.0}};
static const growth nets[BENCH_ROUTE_COUNT] = {{20.0, 3.0}, {8.0, 3.0}, {4.0, 3.0}, {4.0, 3.0},
                                               {4.0, 3.0},  {4.0, 3.0}, {10.0, 3.0}};

// The time of the measuring process. A solve of more than five seconds is not repeated.
static double process_seconds(growth g, int bodies)
{
    double solve = g.seconds * pow(bodies / 600.0, g.power);
    return 0.05 + (solve > 5.0 ? solve : solve + fmax(0.5, 3.0 * solve));
}

static double modes_seconds(const bench_def *def)
{
    double sum = 0.0;
    for (int rig = 0; rig < BENCH_RIG_COUNT; ++rig)
        for (int route = 0; route < BENCH_ROUTE_COUNT; ++route) {
            growth g = (rig <= BENCH_ANIMAL ? trees : nets)[route];
            for (int s = 0; def->rig[rig] && def->route[route] && g.seconds > 0.0 && s < def->size_count; ++s) {
                double seconds = process_seconds(g, def->size[s]);
                sum += fmin(seconds, def->budget);
                if (seconds > def->budget) break; // larger ones are not tried
            }
        }
    return sum;
}

// Ten seconds of steps. Our world takes these milliseconds a step at 1000 spheres, 100 planks, 100 people; Bullet, ODE
// and MuJoCo take these multiples. MuJoCo does not try more spheres than it holds.
static double contact_seconds(int scene, int engine, int size)
{
    enum { MUJOCO = 3, MOST_SPHERES = 1970 };
    static const double step[BENCH_SCENE_COUNT] = {1.06, 0.09, 4.45}, at[BENCH_SCENE_COUNT] = {1000.0, 100.0, 100.0};
    static const double times[BENCH_SCENE_COUNT][BENCH_ENGINE_COUNT] = {
        {1.0, 5.0, 4.0, 12.0}, {1.0, 1.8, 1.3, 7.0}, {1.0, 1.0, 1.2, 50.0}};
    if (engine == MUJOCO && scene == BENCH_SPHERES && size > MOST_SPHERES) return 0.0;
    return 0.6 * step[scene] * times[scene][engine] * pow(size / at[scene], 1.2);
}

static double contacts_seconds(const bench_def *def)
{
    double sum = 0.0;
    for (int scene = 0; scene < BENCH_SCENE_COUNT; ++scene)
        for (int engine = 0; engine < BENCH_ENGINE_COUNT; ++engine) {
            bool one = scene != BENCH_SPHERES && !def->sizes_given; // a hundred of each
            for (int s = 0; def->scene[scene] && def->engine[engine] && s < (one ? 1 : def->size_count); ++s)
                sum += fmin(contact_seconds(scene, engine, one ? 100 : def->size[s]), def->budget);
        }
    return sum;
}

static int rig_count(const bench_def *def)
{
    int count = 0;
    for (int rig = 0; rig < BENCH_RIG_COUNT; ++rig)
        count += def->rig[rig];
    return count;
}

double bench_seconds(bench_kind kind, const bench_def *def)
{
    double sizes = def->size_count, rigs = rig_count(def);
    switch (kind) {
    case BENCH_OF_MODES:
        return modes_seconds(def);
    case BENCH_OF_BATCH:
        return 2.0 * sizes;
    case BENCH_OF_MOTION:
        return 1.2 * sizes * rigs;
    case BENCH_OF_VIEW:
        return 90.0 * sizes;
    case BENCH_OF_FOLDER:
        return 0.03 * def->count * (1.0 + 1.0 / fmax(1.0, def->threads));
    case BENCH_OF_DYNAMICS:
        return 7.0 * sizes * rigs;
    case BENCH_OF_PEERS:
        return 10.0;
    case BENCH_OF_PLAY:
        return 8.0 * sizes;
    case BENCH_OF_FOLLOW:
        return 4.0;
    default:
        return contacts_seconds(def);
    }
}
