// Measures follow-through: a tail of ten bones along a cycle of 60 frames, the linear answer and the exact one.
#include <stdlib.h>

#include <eigenrig/motion.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/bench/bench.h"

enum { FRAMES = 60, BONES = 10, BODIES = BONES + 1, PADS = 24, KNOTS = FRAMES + 1 + 2 * PADS, LEAST_ROUNDS = 5 };
static const double enough = 0.5, cycle = 1.0; // s, of all runs of a row; of the clip

static const struct {
    const char *name;
    int steps; // a frame
    bool linear;
} ways[] = {{"linear", 1, true}, {"linear", 4, true}, {"exact", 1, false}, {"exact", 4, false}};
enum { WAYS = sizeof ways / sizeof *ways };

// The whole rig moved by its first body: up and down, forth and back, and turned.
static er_result make_track(er_context *context, const er_model *m, er_trajectory **out)
{
    double time[KNOTS];
    er_pose *pose = malloc((size_t)KNOTS * BODIES * sizeof *pose);
    if (pose == NULL) return ER_ERROR_MEMORY;
    for (int k = 0; k < KNOTS; ++k) {
        time[k] = (k - PADS) * cycle / FRAMES;
        double a = 2.0 * ER_PI * time[k] / cycle, size = m->size;
        er_pose moved = {er_q_exp(er_v3(0.1 * sin(a), 0.2 * sin(a + 1.0), 0.1 * cos(2.0 * a))),
                         er_v3(0.02 * size * sin(a), 0.02 * size * cos(2.0 * a), 0.01 * size * sin(a + 2.0))};
        for (int b = 0; b < BODIES; ++b)
            pose[k * BODIES + b] = er_pose_mul(moved, m->body[b].pose);
    }
    er_result r = er_trajectory_create(context, KNOTS, time, BODIES, pose, out);
    free(pose);
    return r;
}

// The best time of a whole er_follow_create().
static er_result measure(er_context *context, const er_model *m, const er_trajectory *track, int count, bool linear,
                         double *seconds, er_follow_part *part)
{
    static const bool loose[BODIES] = {false, true, true, true, true, true, true, true, true, true, true};
    er_follow_def def = er_default_follow_def();
    er_result r = ER_OK;
    double begin = eri_seconds();
    def.loose = loose;
    def.hz = 2.0;
    def.gravity = er_v3(0, -9.81, 0);
    def.linear = linear;
    *seconds = HUGE_VAL;
    for (int round = 0; r == ER_OK && (round < LEAST_ROUNDS || eri_seconds() - begin < enough); ++round) {
        er_follow *f = NULL;
        double start = eri_seconds();
        r = er_follow_create(context, m, track, cycle, count, true, &def, &f);
        *seconds = fmin(*seconds, eri_seconds() - start);
        if (r == ER_OK) *part = f->part[0];
        er_follow_destroy(f);
    }
    return r;
}

static er_result measure_all(er_context *context, const bench_def *def, const er_model *m, FILE *file)
{
    er_trajectory *track = NULL;
    er_follow_part part;
    double modes = 0.0, seconds;
    er_result r = make_track(context, m, &track);
    if (r == ER_OK) r = measure(context, m, track, 2, true, &modes, &part);
    for (int i = 0; i < WAYS && r == ER_OK; ++i) {
        int count = FRAMES * ways[i].steps + 1;
        r = measure(context, m, track, count, ways[i].linear, &seconds, &part);
        double degrees = part.swing * 180.0 / ER_PI, ms = 1e3 * (seconds - modes);
        if (r == ER_OK)
            fprintf(file, "%s,%d,%d,%d,%.4g,%.4g,%.4g,%d\n", ways[i].name, BONES, FRAMES, ways[i].steps, 1e3 * modes,
                    ms, degrees, part.cycles);
        if (r == ER_OK && !def->quiet)
            fprintf(bench_table_stream(def->output),
                    "%-7s %d bones, %d frames of %d steps: modes %.3g ms, then %.3g ms; swings %.3g degrees\n",
                    ways[i].name, BONES, FRAMES, ways[i].steps, 1e3 * modes, ms, degrees);
    }
    er_trajectory_destroy(track);
    return r;
}

bool bench_run_follow(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_context *context = NULL;
    er_model *m = NULL;
    er_modal_set_threads(1);
    fprintf(file, "answer,bones,frames,steps,modes_ms,ms,swing_degrees,cycles\n");
    er_result r = er_context_create(NULL, &context);
    if (r == ER_OK) r = bench_rig_create(context, BENCH_CHAIN, BODIES, &m);
    if (r == ER_OK) r = measure_all(context, def, m, file);
    if (r != ER_OK)
        snprintf(problem, size, "follow: %s", context != NULL ? er_context_error(context) : eri_result_text(r));
    er_model_destroy(m);
    er_context_destroy(context);
    return r == ER_OK;
}
