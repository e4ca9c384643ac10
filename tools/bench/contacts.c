// Runs contact scenes in our world and in other engines, one after the other in one process: the time of a step after
// they have settled, and how far shapes overlap and joints stand apart.
#include <math.h>
#include <stdlib.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/bench/bench.h"
#include "tools/bench/contacts.h"

enum { STEPS_A_SECOND = 60, SECONDS = 10, SETTLED_SECONDS = 2, STEPS_A_LOOK = 6 };

static const bench_engine *const engines[BENCH_ENGINE_COUNT] = {&bench_contacts_ours, &bench_contacts_bullet,
                                                                &bench_contacts_ode, &bench_contacts_mujoco};

const char *bench_engine_name(int engine)
{
    return engines[engine]->name;
}

// The result of an engine on a scene. Overlaps count only after the scene has settled, because during a fall they are
// as deep as a step moves. Joints count during the fall too.
typedef struct outcome {
    double ms, own_ms; // a step, settled: of the wall clock, of the processor
    double penetration, separation, worst_penetration, settled_separation;
    double memory;          // MiB
    int rows;               // of contacts, at the end; -1 where the engine does not tell
    er_contact_times times; // ms a step, settled
} outcome;

typedef struct stage {
    const bench_def *def;
    FILE *file;
    er_context *context;
    bench_contact_scene scene;
    bench_gauge *gauge;
    er_pose *pose;
} stage;

// ---- a run

static double memory_in_use(void)
{
    return eri_platform_heap_used() / (1024.0 * 1024.0);
}

static er_result look(stage *s, const bench_engine *engine, void *self, bool settled, outcome *out)
{
    double penetration, separation;
    engine->poses(self, s->pose);
    er_result r = bench_gauge_read(s->gauge, s->pose, &penetration, &separation);
    if (r != ER_OK) return r;
    out->worst_penetration = fmax(out->worst_penetration, penetration);
    out->separation = fmax(out->separation, separation);
    if (!settled) return ER_OK;
    out->penetration = fmax(out->penetration, penetration);
    out->settled_separation = fmax(out->settled_separation, separation);
    return ER_OK;
}

static er_contact_times times_of(const bench_engine *engine, void *self, int *rows)
{
    *rows = -1;
    return engine->times != NULL ? engine->times(self, rows) : (er_contact_times){0};
}

// ms a step, from two sums of times.
static er_contact_times spent_between(er_contact_times from, er_contact_times to, int steps)
{
    double ms = 1000.0 / steps;
    return (er_contact_times){ms * (to.collision - from.collision), ms * (to.solver - from.solver),
                              ms * (to.motion - from.motion)};
}

// Runs all ten seconds; false with a sentence if they do not end, or would exceed the budget of processor time.
static bool run(stage *s, const bench_engine *engine, void *self, outcome *out, char *why, size_t size)
{
    const int all = STEPS_A_SECOND * SECONDS, settled = STEPS_A_SECOND * SETTLED_SECONDS;
    double wall = 0.0, own = 0.0, spent = 0.0;
    er_contact_times before = {0};
    for (int step = 0; step < all; step += STEPS_A_LOOK) {
        if (step == all - settled) before = times_of(engine, self, &out->rows);
        double from = eri_seconds(), own_from = eri_thread_seconds();
        for (int i = 0; i < STEPS_A_LOOK; ++i)
            if (!engine->advance(self)) {
                snprintf(why, size, "ended after %d steps: %s", step + i, er_context_error(s->context));
                return false;
            }
        double took = eri_thread_seconds() - own_from;
        spent += took;
        if (step >= all - settled) {
            wall += eri_seconds() - from;
            own += took;
        }
        if (look(s, engine, self, step >= all - settled, out) != ER_OK) {
            snprintf(why, size, "poses left the range of numbers after %d steps", step + STEPS_A_LOOK);
            return false;
        }
        double ahead = took * (all - step - STEPS_A_LOOK) / STEPS_A_LOOK;
        if (spent + ahead > s->def->budget) {
            snprintf(why, size, "would take more than %g s", s->def->budget);
            return false;
        }
    }
    out->times = spent_between(before, times_of(engine, self, &out->rows), settled);
    out->ms = 1000.0 * wall / settled;
    out->own_ms = 1000.0 * own / settled;
    return true;
}

static bool measure(stage *s, const bench_engine *engine, outcome *out, char *why, size_t size)
{
    double before = memory_in_use();
    *out = (outcome){0};
    void *self = engine->create(s->context, &s->scene, 1.0 / STEPS_A_SECOND, why, size);
    if (self == NULL) return false;
    bool whole = run(s, engine, self, out, why, size);
    out->memory = memory_in_use() - before;
    engine->destroy(self);
    return whole;
}

// ---- output

static void put(const stage *s, const char *scene, int count, const char *engine, const outcome *o, double ours)
{
    fprintf(s->file, "%s,%d,%s,%d,%.5g,%.4g,%.4g,%.5g,%.4g,%.4g,%.4g", scene, count, engine, s->scene.threads, o->ms,
            o->penetration, o->separation, o->own_ms, o->worst_penetration, o->settled_separation, o->memory);
    if (o->rows >= 0)
        fprintf(s->file, ",%d,%.4g,%.4g,%.4g\n", o->rows, o->times.collision, o->times.solver, o->times.motion);
    else
        fprintf(s->file, ",,,,\n");
    fflush(s->file);
    if (s->def->quiet) return;
    fprintf(bench_table_stream(s->def->output),
            "%-8s %6d  %-8s  %9.4g ms a step, overlap %.2e m, joints apart %.2e m, %.4g MiB", scene, count, engine,
            o->ms, o->penetration, o->separation, o->memory);
    if (ours > 0.0) fprintf(bench_table_stream(s->def->output), "; %.2f times eigenrig's time", o->own_ms / ours);
    fprintf(bench_table_stream(s->def->output), "\n");
    fflush(bench_table_stream(s->def->output));
}

// The exponent g of time ~ count^g, between the first and the last count of 1000 and more.
typedef struct growth {
    int from, to;
    double ms_from, ms_to;
} growth;

static void grow(growth *g, int count, double ms)
{
    enum { LEAST = 1000 };
    if (count < LEAST) return;
    if (g->from == 0 || count < g->from) *g = (growth){count, g->to, ms, g->ms_to};
    if (count > g->to) *g = (growth){g->from, count, g->ms_from, ms};
}

static void put_growth(const bench_def *def, const char *engine, const growth *g)
{
    if (def->quiet || g->from == g->to) return;
    fprintf(bench_table_stream(def->output),
            "spheres from %d to %d  %-8s  time grows with their number to the power of %.2f\n", g->from, g->to, engine,
            log(g->ms_to / g->ms_from) / log((double)g->to / g->from));
}

// ---- scenes

static er_result set_up(stage *s, bench_scene_kind kind, int count)
{
    er_result r = er_context_create(NULL, &s->context);
    if (r == ER_OK) r = bench_scene_begin(s->context, kind, count, &s->scene);
    s->scene.threads = 1;
    if (r != ER_OK) return r;
    s->gauge = bench_gauge_create(s->context, &s->scene);
    s->pose = calloc((size_t)s->scene.model->body_count, sizeof *s->pose);
    return s->gauge != NULL && s->pose != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static void tear_down(stage *s)
{
    bench_gauge_destroy(s->gauge);
    bench_scene_end(&s->scene);
    free(s->pose);
    er_context_destroy(s->context);
}

// Ours again, with several threads: measured by the wall clock, because processor time is one thread's.
static void run_shared(stage *s, const char *scene, int count, double alone)
{
    char why[512] = "";
    outcome o;
    s->scene.threads = s->def->threads;
    if (measure(s, engines[0], &o, why, sizeof why)) {
        put(s, scene, count, bench_engine_name(0), &o, 0.0);
        if (!s->def->quiet)
            fprintf(bench_table_stream(s->def->output),
                    "%-8s %6d  %d threads take %.2f times as long as one, by the wall clock\n", scene, count,
                    s->scene.threads, o.ms / alone);
    } else if (!s->def->quiet) {
        fprintf(bench_table_stream(s->def->output), "%-8s %6d  %d threads  %s\n", scene, count, s->scene.threads, why);
    }
    s->scene.threads = 1;
}

static er_result run_scene(const bench_def *def, bench_scene_kind kind, int count, FILE *file, growth *of)
{
    stage s = {.def = def, .file = file};
    const char *scene = bench_scene_name(kind);
    double ours = 0.0;
    er_result r = set_up(&s, kind, count);
    for (int e = 0; e < BENCH_ENGINE_COUNT && r == ER_OK; ++e) {
        char why[512] = "";
        outcome o;
        if (!def->engine[e]) continue;
        if (measure(&s, engines[e], &o, why, sizeof why)) {
            put(&s, scene, count, bench_engine_name(e), &o, ours);
            if (e == 0) ours = o.own_ms;
            if (e == 0 && def->threads > 1) run_shared(&s, scene, count, o.ms);
            if (kind == BENCH_SPHERES) grow(&of[e], count, o.own_ms);
        } else if (!def->quiet) {
            fprintf(bench_table_stream(def->output), "%-8s %6d  %-8s  %s\n", scene, count, bench_engine_name(e), why);
        }
    }
    tear_down(&s);
    return r;
}

static er_result run_scenes(const bench_def *def, bench_scene_kind kind, FILE *file)
{
    growth of[BENCH_ENGINE_COUNT] = {0};
    er_result r = ER_OK;
    if (kind != BENCH_SPHERES && !def->sizes_given) return run_scene(def, kind, 100, file, of);
    for (int i = 0; i < def->size_count && r == ER_OK; ++i)
        r = run_scene(def, kind, def->size[i], file, of);
    for (int e = 0; e < BENCH_ENGINE_COUNT; ++e)
        put_growth(def, bench_engine_name(e), &of[e]);
    return r;
}

bool bench_run_contacts(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_result r = ER_OK;
    fprintf(file, "scene,count,engine,threads,ms_per_step,max_penetration,max_separation,processor_ms_per_step,"
                  "worst_penetration,settled_separation,memory_mib,rows,collision_ms,solver_ms,motion_ms\n");
    fflush(file);
    for (int kind = 0; kind < BENCH_SCENE_COUNT && r == ER_OK; ++kind)
        if (def->scene[kind]) r = run_scenes(def, (bench_scene_kind)kind, file);
    if (r != ER_OK) snprintf(problem, size, "%s", eri_result_text(r));
    return r == ER_OK;
}
