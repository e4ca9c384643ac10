// Modes of many small rigs: er_modal_solve_batch() against one solve after the other.
#include <stdlib.h>

#include <eigenrig/modal.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/bench/bench.h"

enum { RIGS = 64, LEAST_RUNS = 3 };
static const double enough = 1.0; // s, of all runs of a size

typedef struct rig_set {
    er_context *context;
    const er_model *model[RIGS];
    er_modal_def def;
    er_modes *alone[RIGS], *together[RIGS];
    er_result result[RIGS];
} rig_set;

// A character whose bodies and springs are heavier and stiffer than the bench's, each by a factor of its own.
static er_result create_one(er_context *context, int bodies, int number, const er_model **out)
{
    er_model *plain = NULL, *own = NULL;
    er_result r = bench_rig_create(context, BENCH_CHARACTER, bodies, &plain);
    if (r != ER_OK) return r;
    er_body *body = calloc((size_t)plain->body_count, sizeof *body);
    er_joint *joint = calloc((size_t)plain->joint_count, sizeof *joint);
    if (body != NULL && joint != NULL) {
        for (int i = 0; i < plain->body_count; ++i) {
            double factor = 1.0 + (i * 7 + number * 13) % 64 / 64.0;
            body[i] = plain->body[i];
            body[i].mass *= factor;
            body[i].inertia = er_m3_madd((er_mat3){0}, factor, body[i].inertia);
        }
        for (int k = 0; k < plain->joint_count; ++k) {
            joint[k] = plain->joint[k];
            for (int c = 0; c < 6; ++c)
                joint[k].stiffness[c] *= 1.0 + (k * 11 + c * 5 + number * 29) % 64 / 64.0;
        }
        er_model_def def = er_default_model_def();
        def.body_count = plain->body_count;
        def.body = body;
        def.joint_count = plain->joint_count;
        def.joint = joint;
        r = er_model_create(context, &def, &own);
        *out = own;
    } else {
        r = ER_ERROR_MEMORY;
    }
    free(joint);
    free(body);
    er_model_destroy(plain);
    return r;
}

static void destroy(er_modes **modes)
{
    for (int i = 0; i < RIGS; ++i) {
        er_modes_destroy(modes[i]);
        modes[i] = NULL;
    }
}

// Both ways once.
static er_result solve_both(rig_set *c, int threads, double *alone, double *together)
{
    er_result r = ER_OK;
    er_modal_set_threads(1);
    double start = eri_seconds();
    for (int i = 0; i < RIGS && r == ER_OK; ++i)
        r = er_modal_solve(c->context, c->model[i], &c->def, &c->alone[i]);
    *alone = eri_seconds() - start;
    er_modal_set_threads(threads);
    start = eri_seconds();
    if (r == ER_OK) r = er_modal_solve_batch(c->context, RIGS, c->model, &c->def, c->together, c->result);
    *together = eri_seconds() - start;
    for (int i = 0; i < RIGS && r == ER_OK; ++i)
        r = c->result[i];
    return r;
}

static double difference(const rig_set *c)
{
    double worst = 0.0;
    for (int i = 0; i < RIGS; ++i)
        for (int k = c->alone[i]->rigid_count; k < c->alone[i]->count; ++k)
            worst = fmax(worst, fabs(c->together[i]->mode[k].frequency_hz / c->alone[i]->mode[k].frequency_hz - 1.0));
    return worst;
}

static er_result measure(const bench_def *def, rig_set *c, int bodies, FILE *file)
{
    double alone = HUGE_VAL, together = HUGE_VAL, worst = 0.0, begin = eri_seconds();
    int count = 0;
    for (int run = 0; run <= LEAST_RUNS || eri_seconds() - begin < enough; ++run) {
        double a, b;
        er_result r = solve_both(c, def->threads, &a, &b);
        if (r == ER_OK && run == 0) worst = difference(c);
        if (r == ER_OK) count = c->alone[0]->count;
        destroy(c->alone);
        destroy(c->together);
        if (r != ER_OK) return r;
        if (run == 0) continue; // to warm up
        alone = fmin(alone, a);
        together = fmin(together, b);
    }
    double ms = 1000.0 / RIGS;
    fprintf(file, "%d,%d,%d,%d,%.6g,%.6g,%.4g,%.2e\n", bodies, RIGS, def->threads, count, ms * alone, ms * together,
            alone / together, worst);
    if (!def->quiet)
        fprintf(
            bench_table_stream(def->output),
            "%3d characters of %6d bodies, %3d modes: %9.4g ms each alone, %9.4g ms together on %d threads: %5.3gx\n",
            RIGS, bodies, count, ms * alone, ms * together, def->threads, alone / together);
    return ER_OK;
}

static er_result measure_size(const bench_def *def, int bodies, FILE *file)
{
    rig_set c = {.def = er_default_modal_def()};
    c.def.mode_count = def->count;
    er_result r = er_context_create(NULL, &c.context);
    for (int i = 0; i < RIGS && r == ER_OK; ++i)
        r = create_one(c.context, bodies, i, &c.model[i]);
    if (r == ER_OK) r = measure(def, &c, bodies, file);
    for (int i = 0; i < RIGS; ++i)
        er_model_destroy((er_model *)c.model[i]);
    er_context_destroy(c.context);
    return r;
}

bool bench_run_batch(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_result r = ER_OK;
    fprintf(file, "bodies,rigs,threads,count,one_by_one_ms,together_ms,ratio,worst_relative_difference\n");
    for (int i = 0; i < def->size_count && r == ER_OK; ++i)
        r = measure_size(def, def->size[i], file);
    if (r != ER_OK) snprintf(problem, size, "a rig could not be made or solved: %s", eri_result_text(r));
    return r == ER_OK;
}
