// Measures work and precision of trajectories, ours and peers': the time of a run, and the error of its final
// positions.
#include <math.h>
#include <stdlib.h>

#include <eigenrig/dynamics.h>

#include "base/platform.h"
#include "tools/bench/bench.h"
#include "tools/bench/peer.h"

enum { ROUNDS = 5, MOST_RUNS = 256, FEWEST_STEPS = 30, DOUBLINGS = 14 };
static const double most_ms = 500.0; // longer runs are neither refined nor repeated
static const double finest = 1e-13;  // tolerance of the references
static const double loosest = 1e-2;  // and of the first run
static const er_vec3 fall = {0, -9.81, 0};

// One point of the plot.
typedef struct run {
    const char *simulator, *method;
    er_dynamics_route route; // ours
    er_integrator integrator;
    int peer, peer_method; // a peer; -1: ours
    double tolerance;      // adaptive, or 0
    int steps;             // fixed, or 0
    double ms, error;
    bool done;
} run;

typedef struct stage {
    const bench_def *def;
    const char *name;
    double seconds, longest_ms;
    er_context *context;
    er_model *model;
    double *rate; // at time 0, as er_world_set_displacement() takes it
    er_world *start;
    bench_scene scene;
    void *peer[2];
    er_vec3 *reference, *centre; // [body_count]
    double floor;                // the distance between the references of two routes
    run run[MOST_RUNS];
    int run_count;
} stage;

static const bench_peer *const peers[2] = {&bench_mujoco, &bench_ode};

// ---- Ours

static er_result make_world(const stage *s, const run *r, er_world **out)
{
    er_world_def def = er_default_world_def();
    def.model = s->model;
    def.gravity = fall;
    def.route = r->route;
    def.integrator = r->integrator;
    def.min_step = 0.0;
    def.drift_tolerance = 10.0 * finest; // otherwise it would limit the finest runs
    if (r->tolerance > 0.0) def.tolerance = r->tolerance;
    if (r->steps > 0) def.max_step = s->seconds / r->steps;
    return er_world_create(s->context, &def, out);
}

static void find_centres(const er_world *w, const er_model *m, er_vec3 *centre)
{
    for (int b = 0; b < m->body_count; ++b)
        centre[b] = er_pose_point(er_world_pose(w)[b], m->body[b].com);
}

static er_result run_world(const stage *s, const run *r, er_vec3 *centre, double *seconds)
{
    er_world *w = NULL;
    er_result result = make_world(s, r, &w);
    if (result == ER_OK) result = er_world_set_displacement(w, 0.0, NULL, s->rate);
    double begin = eri_seconds();
    if (result == ER_OK) result = er_world_advance(w, s->seconds, NULL);
    *seconds = eri_seconds() - begin;
    if (result == ER_OK) find_centres(w, s->model, centre);
    er_world_destroy(w);
    return result;
}

// The largest distance of a centre of mass, divided by the rig's size; HUGE_VAL if one is not finite.
static double distance(const stage *s, const er_vec3 *a, const er_vec3 *b)
{
    double most = 0.0;
    for (int i = 0; i < s->model->body_count; ++i) {
        double apart = er_v3_distance(a[i], b[i]) / s->model->size;
        if (!(apart < HUGE_VAL)) return HUGE_VAL;
        most = fmax(most, apart);
    }
    return most;
}

static er_result find_reference(stage *s)
{
    double seconds;
    run r = {.route = ER_ROUTE_REDUCED, .integrator = ER_INTEGRATE_FEHLBERG, .tolerance = finest};
    er_result result = run_world(s, &r, s->reference, &seconds);
    r.route = ER_ROUTE_MULTIPLIERS;
    if (result == ER_OK) result = run_world(s, &r, s->centre, &seconds);
    s->floor = distance(s, s->reference, s->centre);
    return result;
}

// ---- The motion

static er_result set_up(stage *s, bool ragdoll)
{
    er_result r = er_context_create(NULL, &s->context);
    s->name = ragdoll ? "ragdoll" : "pendulum";
    s->seconds = ragdoll ? 2.0 : 3.0;
    if (r == ER_OK) r = (ragdoll ? bench_ragdoll_create : bench_pendulum_create)(s->context, &s->model);
    if (r != ER_OK) return r;
    size_t n = (size_t)s->model->body_count, width = (size_t)s->model->coordinate_count + 6;
    s->rate = calloc(width, sizeof *s->rate);
    s->reference = calloc(n, sizeof *s->reference);
    s->centre = calloc(n, sizeof *s->centre);
    if (s->rate == NULL || s->reference == NULL || s->centre == NULL) return ER_ERROR_MEMORY;
    for (size_t c = 0; ragdoll && c < width; ++c)
        s->rate[c] = 2.0 * sin(1.0 + (double)c);
    const run any = {.route = ER_ROUTE_REDUCED};
    r = make_world(s, &any, &s->start);
    if (r == ER_OK) r = er_world_set_displacement(s->start, 0.0, NULL, s->rate);
    if (r == ER_OK) r = find_reference(s);
    if (r == ER_OK) s->scene = (bench_scene){s->model, fall, er_world_twist(s->start)};
    return r;
}

static void tear_down(stage *s)
{
    for (int p = 0; p < 2; ++p)
        if (s->peer[p] != NULL) peers[p]->destroy(s->peer[p]);
    er_world_destroy(s->start);
    free(s->rate);
    free(s->reference);
    free(s->centre);
    er_model_destroy(s->model);
    er_context_destroy(s->context);
}

static void find_peers(stage *s)
{
    char why[512];
    for (int p = 0; p < 2; ++p) {
        s->peer[p] = peers[p]->create(&s->scene, why, sizeof why);
        if (s->peer[p] == NULL && !s->def->quiet)
            fprintf(bench_table_stream(s->def->output), "%-9s %s: %s\n", s->name, peers[p]->name, why);
    }
}

// ---- Runs

static void add_steps(stage *s, run like)
{
    for (int k = 0; k <= DOUBLINGS && s->run_count < MOST_RUNS; ++k) {
        like.steps = (int)(s->seconds * FEWEST_STEPS) << k;
        s->run[s->run_count++] = like;
    }
}

static void list_runs(stage *s)
{
    static const char *const names[][2] = {{"RK4, reduced", "RK4, multipliers"},
                                           {"Fehlberg, reduced", "Fehlberg, multipliers"}};
    run r = {.simulator = "eigenrig", .peer = -1};
    for (int route = 0; route < 2; ++route) {
        r.route = (er_dynamics_route)route;
        r.integrator = ER_INTEGRATE_RK4;
        r.method = names[0][route];
        add_steps(s, r);
        r.integrator = ER_INTEGRATE_FEHLBERG;
        r.method = names[1][route];
        r.steps = 0;
        for (double tolerance = loosest; tolerance > 5.0 * finest; tolerance *= 0.1) {
            r.tolerance = tolerance;
            s->run[s->run_count++] = r;
        }
        r.tolerance = 0.0;
    }
    for (int p = 0; p < 2; ++p)
        for (int m = 0; m < BENCH_PEER_METHODS && s->peer[p] != NULL && peers[p]->method[m] != NULL; ++m)
            add_steps(s,
                      (run){.simulator = peers[p]->name, .method = peers[p]->method[m], .peer = p, .peer_method = m});
}

static void run_peer(stage *s, const run *r, double *seconds)
{
    const bench_peer *peer = peers[r->peer];
    peer->start(s->peer[r->peer]);
    double begin = eri_seconds();
    peer->advance(s->peer[r->peer], r->peer_method, s->seconds / r->steps, r->steps);
    *seconds = eri_seconds() - begin;
    peer->places(s->peer[r->peer], s->centre);
}

// Whether to skip a run: the one before it in its line took too long or errs less than the references.
static bool is_needless(const stage *s, const run *before, const run *r)
{
    return before->simulator == r->simulator && before->method == r->method &&
           (!before->done || before->ms > s->longest_ms || before->error < s->floor);
}

static void measure(stage *s)
{
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < s->run_count; ++i) {
            run *r = &s->run[i];
            double seconds = HUGE_VAL;
            if (round > 0 && (!r->done || r->ms > s->longest_ms)) continue;
            if (round == 0 && i > 0 && s->run[i - 1].error < HUGE_VAL && is_needless(s, r - 1, r)) continue;
            if (r->peer >= 0)
                run_peer(s, r, &seconds);
            else if (run_world(s, r, s->centre, &seconds) != ER_OK)
                s->centre[0] = er_v3(NAN, NAN, NAN);
            r->ms = round > 0 ? fmin(r->ms, 1000.0 * seconds) : 1000.0 * seconds;
            r->error = distance(s, s->centre, s->reference);
            r->done = r->error < HUGE_VAL;
        }
}

// ---- Output

// The time that a line takes for an error, interpolated between logarithms; NAN if it does not reach that error.
static double time_for(const stage *s, const run *of, double error)
{
    const run *last = NULL;
    double least = NAN;
    for (int i = 0; i < s->run_count; ++i) {
        const run *r = &s->run[i];
        if (!r->done || !(r->error < HUGE_VAL) || r->simulator != of->simulator || r->method != of->method) continue;
        if (r->error <= error && last != NULL && last->error > error) {
            double part = log(last->error / error) / log(last->error / fmax(r->error, 1e-300));
            return last->ms * pow(r->ms / last->ms, part);
        }
        if (r->error <= error && last == NULL) return r->ms;
        last = r;
    }
    return least;
}

static void put(const stage *s, FILE *file)
{
    static const double errors[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
    for (int i = 0; i < s->run_count; ++i) {
        const run *r = &s->run[i];
        if (!r->done) continue;
        fprintf(file, "%s,%s,\"%s\",", s->name, r->simulator, r->method);
        if (r->steps > 0) fprintf(file, "%d", r->steps);
        fprintf(file, ",");
        if (r->tolerance > 0.0) fprintf(file, "%.0e", r->tolerance);
        fprintf(file, ",%.5g,%.3e,%.1e\n", r->ms, r->error, s->floor);
    }
    if (s->def->quiet) return;
    fprintf(bench_table_stream(s->def->output), "%-9s ms for an error of", s->name);
    for (size_t e = 0; e < sizeof errors / sizeof *errors; ++e)
        fprintf(bench_table_stream(s->def->output), "%10.0e", errors[e]);
    fprintf(bench_table_stream(s->def->output), "\n");
    for (int i = 0; i < s->run_count; ++i) {
        const run *r = &s->run[i];
        if (i > 0 && r->simulator == r[-1].simulator && r->method == r[-1].method) continue;
        fprintf(bench_table_stream(s->def->output), "  %-8s %-21s", r->simulator, r->method);
        for (size_t e = 0; e < sizeof errors / sizeof *errors; ++e) {
            double ms = time_for(s, r, errors[e]);
            fprintf(bench_table_stream(s->def->output), isnan(ms) ? "         -" : "%10.3g", ms);
        }
        fprintf(bench_table_stream(s->def->output), "\n");
    }
}

bool bench_run_peers(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_result r = ER_OK;
    fprintf(file, "scene,simulator,method,steps,tolerance,ms,error,reference_error\n");
    for (int ragdoll = 0; ragdoll < 2 && r == ER_OK; ++ragdoll) {
        stage *s = calloc(1, sizeof *s);
        if (s == NULL) break;
        s->def = def;
        s->longest_ms = fmin(most_ms, 1000.0 * def->budget);
        r = set_up(s, ragdoll);
        if (r == ER_OK) {
            find_peers(s);
            list_runs(s);
            measure(s);
            put(s, file);
            fflush(file);
        } else {
            snprintf(problem, size, "%s: %s", s->name, er_context_error(s->context));
        }
        tear_down(s);
        free(s);
    }
    return r == ER_OK;
}
