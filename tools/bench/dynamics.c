// Measures motion by forces: accelerations by both routes, in an integrator and side by side, and a second simulated;
// beside MuJoCo if it is installed.
#include <stdlib.h>

#include <eigenrig/dynamics.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/bench/bench.h"
#include "tools/bench/peer.h"

enum { LEAST_ROUNDS = 3, LEAST_IN_A_ROW = 4, BODIES_IN_A_ROW = 2000, RK4_STAGES = 4, STEPS = 10, MOST_OF_PEERS = 600 };
static const double enough = 0.5, instant = 1e-12; // s, of all rounds of a rig; s, a step too short to move anything

typedef enum way { REDUCED, MULTIPLIERS, INTEGRATOR, LANES, LANES_INTEGRATOR, PEER, SECOND, WAYS } way;
static const char *const names[WAYS] = {"reduced_us",          "multipliers_us", "integrator_us", "lanes_us",
                                        "lanes_integrator_us", "mj_forward_us",  "second_ms"};

typedef struct session {
    const bench_def *def;
    er_context *context;
    er_model *model;
    er_world *world, *fixed; // at the default tolerance; RK4 with steps of `instant`
    er_ensemble *ensemble;
    er_twist *acceleration; // [8 body_count]
    void *peer;             // MuJoCo, or NULL
    bench_scene scene;
    double cost[WAYS]; // us a world and evaluation, but SECOND in ms; NAN if it was not reached
    long evaluations;  // of a second simulated
} session;

// ---- the motion

// Every joint turns at up to 1 rad/s, no two alike.
static er_result animation(er_context *context, const er_model *model, er_world *world)
{
    const double golden = 0.6180339887498949;
    er_kinematics *kinematics = NULL;
    er_result r = er_kinematics_create(context, model, &kinematics);
    if (r != ER_OK) return r;
    int width = er_kinematics_width(kinematics);
    double *rate = calloc((size_t)width + 1, sizeof *rate);
    for (int c = 0; rate != NULL && c < model->coordinate_count; ++c)
        rate[c] = sin(2.0 * ER_PI * golden * c);
    r = rate != NULL ? er_world_set_displacement(world, 0.0, NULL, rate) : ER_ERROR_MEMORY;
    free(rate);
    er_kinematics_destroy(kinematics);
    return r;
}

// MuJoCo's time and memory grow with the square of the depth, and its files have a nesting limit.
static void find_peer(session *s)
{
    char why[512] = "left out beyond 600 bodies";
    s->scene = (bench_scene){s->model, {0, 0, 0}, er_world_twist(s->fixed)};
    if (s->model->body_count <= MOST_OF_PEERS) s->peer = bench_mujoco.create(&s->scene, why, sizeof why);
    if (s->peer != NULL) bench_mujoco.start(s->peer);
    if (s->peer == NULL && !s->def->quiet)
        fprintf(bench_table_stream(s->def->output), "%s: %s\n", bench_mujoco.name, why);
}

static er_result set_up(session *s, bench_rig rig, int bodies)
{
    er_world_def def = er_default_world_def(), fixed;
    er_result r = er_context_create(NULL, &s->context);
    if (r == ER_OK) r = bench_rig_create(s->context, rig, bodies, &s->model);
    if (r == ER_OK && s->model->loop_count > 0) r = ER_ERROR_RIG;
    if (r != ER_OK) return r;
    def.model = s->model;
    fixed = def;
    fixed.integrator = ER_INTEGRATE_RK4;
    fixed.min_step = 0.0;
    fixed.max_step = instant;
    s->acceleration = calloc((size_t)ER_ENSEMBLE_SIZE * (size_t)bodies, sizeof *s->acceleration);
    r = s->acceleration != NULL ? er_world_create(s->context, &def, &s->world) : ER_ERROR_MEMORY;
    if (r == ER_OK) r = er_world_create(s->context, &fixed, &s->fixed);
    if (r == ER_OK) r = animation(s->context, s->model, s->world);
    if (r == ER_OK) r = animation(s->context, s->model, s->fixed);
    if (r == ER_OK) r = er_ensemble_create(s->context, s->fixed, &s->ensemble);
    if (r == ER_OK) find_peer(s);
    return r;
}

static void tear_down(session *s)
{
    if (s->peer != NULL) bench_mujoco.destroy(s->peer);
    er_ensemble_destroy(s->ensemble);
    er_world_destroy(s->fixed);
    er_world_destroy(s->world);
    free(s->acceleration);
    er_model_destroy(s->model);
    er_context_destroy(s->context);
}

// ---- time

// Evaluates once; `evaluations` is the count for one world.
static er_result evaluate(session *s, way by, int step, long *evaluations)
{
    er_world_report report = {0};
    er_result r;
    *evaluations = by >= LANES ? ER_ENSEMBLE_SIZE : 1;
    switch (by) {
    case REDUCED:
        return er_world_accelerations(s->fixed, ER_ROUTE_REDUCED, s->acceleration, NULL);
    case MULTIPLIERS:
        return er_world_accelerations(s->fixed, ER_ROUTE_MULTIPLIERS, s->acceleration, NULL);
    case LANES:
        return er_ensemble_accelerations(s->ensemble, s->acceleration);
    case LANES_INTEGRATOR:
        *evaluations *= RK4_STAGES;
        return er_ensemble_advance(s->ensemble, instant * step, 1);
    case PEER:
        *evaluations = 1;
        bench_mujoco.evaluate(s->peer);
        return ER_OK;
    default:
        r = er_world_advance(s->fixed, er_world_time(s->fixed) + STEPS * instant, &report);
        *evaluations = report.evaluations;
        return r;
    }
}

// The best of several rounds, in which all ways take turns.
static er_result measure_evaluations(session *s)
{
    int row = LEAST_IN_A_ROW + BODIES_IN_A_ROW / s->model->body_count, step = 0;
    double begin = eri_seconds();
    for (int by = 0; by < SECOND; ++by)
        s->cost[by] = HUGE_VAL;
    for (int round = 0; round <= LEAST_ROUNDS || eri_seconds() - begin < enough; ++round)
        for (int by = 0; by < SECOND; ++by) {
            if (by == PEER && s->peer == NULL) continue;
            long all = 0;
            double start = eri_seconds();
            for (int i = 0; i < (by == INTEGRATOR ? 1 + row / STEPS : row); ++i) {
                long evaluations = 0;
                er_result r = evaluate(s, (way)by, ++step, &evaluations);
                if (r != ER_OK) return r;
                all += evaluations;
            }
            double us = 1e6 * (eri_seconds() - start) / (double)all;
            if (round > 0) s->cost[by] = fmin(s->cost[by], us); // the first warms up
        }
    if (s->peer == NULL) s->cost[PEER] = NAN;
    return ER_OK;
}

// Simulates ever longer stretches until a second is reached or time is up; the last stretch is scaled to a second.
// Motions too quick for the shortest step have no figure.
static void measure_second(session *s)
{
    double begin = eri_seconds(), stretch = 1e-6, seconds = 0.0;
    s->cost[SECOND] = NAN;
    do {
        er_world_report report = {0};
        double start = eri_seconds(), from = er_world_time(s->world), until = fmin(from + stretch, 1.0);
        if (er_world_advance(s->world, until, &report) != ER_OK) return;
        seconds = eri_seconds() - start;
        s->cost[SECOND] = 1000.0 * seconds / (until - from);
        s->evaluations = lround((double)report.evaluations / (until - from));
        stretch *= 2.0;
    } while (er_world_time(s->world) < 1.0 && eri_seconds() - begin < fmin(s->def->budget, 4.0 * enough));
}

// ---- output

static void put(const session *s, bench_rig rig, FILE *file)
{
    fprintf(file, "%s,%d", bench_rig_name(rig), s->model->body_count);
    for (int by = 0; by < WAYS; ++by)
        fprintf(file, isnan(s->cost[by]) ? "," : ",%.4g", s->cost[by]);
    fprintf(file, isnan(s->cost[SECOND]) ? ",\n" : ",%ld\n", s->evaluations);
    fflush(file);
    if (s->def->quiet) return;
    fprintf(bench_table_stream(s->def->output), "%-9s %6d bodies", bench_rig_name(rig), s->model->body_count);
    for (int by = 0; by < WAYS; ++by)
        if (!isnan(s->cost[by])) fprintf(bench_table_stream(s->def->output), "  %s %.4g", names[by], s->cost[by]);
    if (s->peer != NULL)
        fprintf(bench_table_stream(s->def->output), "; of mj_forward one by one %.1fx, side by side %.1fx",
                s->cost[PEER] / s->cost[REDUCED], s->cost[PEER] / s->cost[LANES]);
    fprintf(bench_table_stream(s->def->output), "\n");
    fflush(bench_table_stream(s->def->output));
}

static void put_growth(const bench_def *def, bench_rig rig, const bench_growth *of)
{
    if (def->quiet || def->size_count < 2) return;
    fprintf(bench_table_stream(def->output), "%-9s growth with bodies", bench_rig_name(rig));
    for (int by = 0; by < SECOND; ++by)
        if (by != PEER) fprintf(bench_table_stream(def->output), "  %s %.2f", names[by], bench_exponent(&of[by]));
    fprintf(bench_table_stream(def->output), "\n");
}

static er_result run_family(const bench_def *def, bench_rig rig, FILE *file, char *problem, size_t size)
{
    bench_growth of[WAYS] = {0};
    for (int i = 0; i < def->size_count; ++i) {
        session s = {.def = def};
        er_result r = set_up(&s, rig, def->size[i]);
        if (r == ER_OK) r = measure_evaluations(&s);
        if (r == ER_OK) {
            measure_second(&s);
            put(&s, rig, file);
            for (int by = 0; by < SECOND; ++by)
                bench_grow(&of[by], def->size[i], s.cost[by]);
        } else {
            snprintf(problem, size, "%s of %d bodies: %s", bench_rig_name(rig), def->size[i],
                     r == ER_ERROR_RIG ? "has loops, which eight worlds side by side cannot; take chain, tree or "
                                         "character"
                                       : eri_result_text(r));
        }
        tear_down(&s);
        if (r != ER_OK) return r;
    }
    put_growth(def, rig, of);
    return ER_OK;
}

bool bench_run_dynamics(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_result r = ER_OK;
    fprintf(file, "rig,bodies");
    for (int by = 0; by < WAYS; ++by)
        fprintf(file, ",%s", names[by]);
    fprintf(file, ",evaluations_a_second\n");
    for (int rig = 0; rig < BENCH_RIG_COUNT && r == ER_OK; ++rig)
        if (def->rig[rig]) r = run_family(def, (bench_rig)rig, file, problem, size);
    return r == ER_OK;
}
