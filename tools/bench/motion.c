// Measures poses a second: er_motion_frames() in single and double precision against a program written by hand.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/modal.h>
#include <eigenrig/motion.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/bench/bench.h"
#include "tools/bench/poser.h"

enum { FRAMES = 1000, IN_A_ROW = 5, LEAST_ROUNDS = 3 };
static const double enough = 1.0, fps = 60.0; // s, of all runs of a rig; frames a second

typedef enum route { RIVAL, SINGLE, DOUBLE, ROUTES } route;
static const char *const names[ROUTES] = {"rival", "single", "double"};

typedef struct session {
    const bench_def *def;
    er_context *context;
    er_model *model;
    er_modes *modes;
    er_motion *motion;
    er_kinematics *kinematics;
    bench_poser *poser;
    double time[FRAMES];
    float *rival;   // [FRAMES x body_count x 7]
    float *single;  // [body_count x 7 x FRAMES]
    er_pose *exact; // [FRAMES x body_count]: `double`
    double *x;      // [width]
    er_pose *judge; // [body_count]
    double best[ROUTES], difference[ROUTES];
} session;

// ---- the motion

// All elastic modes among those solved for, out of phase, with amplitudes so small that no joint can turn by more than
// half a turn.
static er_result mix_modes(session *s)
{
    const double degrees = 2.0, golden = 0.6180339887498949;
    static er_mix_component component[ER_MIX_MAX_COMPONENTS];
    er_mix mix = {.name = "", .component = component};
    for (int k = 0; k < s->modes->count && mix.component_count < ER_MIX_MAX_COMPONENTS; ++k) {
        if (s->modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        er_mix_component *v = &component[mix.component_count];
        *v = er_default_mix_component();
        v->mode = s->modes->first + k;
        v->degrees = degrees;
        v->phase = 2.0 * ER_PI * golden * mix.component_count++;
    }
    er_motion_def def = er_default_motion_def();
    def.duration = FRAMES / fps;
    return er_motion_create(s->context, s->model, s->modes, &mix, &def, &s->motion);
}

static er_result set_up(session *s, bench_rig rig, int bodies)
{
    er_result r = er_context_create(NULL, &s->context);
    er_modal_def def = er_default_modal_def();
    def.mode_count = s->def->count;
    if (r == ER_OK) r = bench_rig_create(s->context, rig, bodies, &s->model);
    if (r == ER_OK && s->model->loop_count > 0) r = ER_ERROR_RIG;
    if (r == ER_OK) r = er_modal_solve(s->context, s->model, &def, &s->modes);
    if (r == ER_OK) r = mix_modes(s);
    if (r == ER_OK) r = er_kinematics_create(s->context, s->model, &s->kinematics);
    if (r != ER_OK) return r;
    size_t places = (size_t)bodies * FRAMES;
    s->poser = bench_poser_create(s->context, s->modes, s->motion);
    s->rival = calloc(7 * places, sizeof *s->rival);
    s->single = calloc(7 * places, sizeof *s->single);
    s->exact = calloc(places, sizeof *s->exact);
    s->x = calloc((size_t)s->motion->width, sizeof *s->x);
    s->judge = calloc((size_t)bodies, sizeof *s->judge);
    for (int f = 0; f < FRAMES; ++f)
        s->time[f] = f / fps;
    bool room = s->poser != NULL && s->rival != NULL && s->single != NULL && s->exact != NULL && s->x != NULL &&
                s->judge != NULL;
    return room ? ER_OK : ER_ERROR_MEMORY;
}

static void tear_down(session *s)
{
    free(s->rival);
    free(s->single);
    free(s->exact);
    free(s->x);
    free(s->judge);
    bench_poser_destroy(s->poser);
    er_kinematics_destroy(s->kinematics);
    er_motion_destroy(s->motion);
    er_modes_destroy(s->modes);
    er_model_destroy(s->model);
    er_context_destroy(s->context);
}

// ---- errors

// x(t) by its definition.
static void displace(session *s, double time, double *column)
{
    int width = s->motion->width;
    memset(s->x, 0, (size_t)width * sizeof *s->x);
    for (int v = 0; v < s->motion->component_count; ++v) {
        const er_motion_component *component = &s->motion->component[v];
        double value = component->factor * sin(2.0 * ER_PI * component->hz * time + component->phase);
        er_kinematics_mode(s->kinematics, &s->modes->mode[component->mode - s->modes->first], column);
        for (int c = 0; c < width; ++c)
            s->x[c] += value * column[c];
    }
}

static er_pose pose_of(const session *s, route by, int frame, int body)
{
    double n[7];
    size_t bodies = (size_t)s->model->body_count, place = (size_t)frame * bodies + (size_t)body;
    if (by == DOUBLE) return s->exact[place];
    for (size_t i = 0; i < 7; ++i)
        n[i] = (double)(by == RIVAL ? s->rival[7 * place + i]
                                    : s->single[(7 * (size_t)body + i) * FRAMES + (size_t)frame]);
    return (er_pose){{n[0], n[1], n[2], n[3]}, {n[4], n[5], n[6]}};
}

// q and -q are the same turn.
static double turn_between(er_quat a, er_quat b)
{
    double sign = er_q_dot(a, b) < 0.0 ? -1.0 : 1.0;
    er_quat d = {a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z};
    return sqrt(er_q_dot(d, d));
}

// The largest difference of each route from er_kinematics_pose(): positions divided by the rig's size, quaternions.
static er_result compare(session *s)
{
    double *column = calloc((size_t)s->motion->width, sizeof *column);
    er_result r = column != NULL ? ER_OK : ER_ERROR_MEMORY;
    for (int f = 0; f < FRAMES && r == ER_OK; ++f) {
        displace(s, s->time[f], column);
        r = er_kinematics_pose(s->kinematics, s->x, s->judge);
        for (int b = 0; b < s->model->body_count && r == ER_OK; ++b)
            for (int by = 0; by < ROUTES; ++by) {
                er_pose p = pose_of(s, (route)by, f, b), judged = s->judge[b];
                double shift = er_v3_distance(p.p, judged.p) / s->model->size;
                double turn = turn_between(p.q, judged.q);
                s->difference[by] = fmax(s->difference[by], fmax(shift, turn));
            }
    }
    free(column);
    return r;
}

// ---- speed

static er_result pose_all(session *s, route by, double *seconds)
{
    er_result r = ER_OK;
    double start = eri_seconds();
    if (by == RIVAL) bench_poser_pose(s->poser, FRAMES, s->time, s->rival);
    if (by == SINGLE) r = er_motion_frames(s->motion, FRAMES, s->time, s->single);
    if (by == DOUBLE) r = er_motion_poses(s->motion, FRAMES, s->time, NULL, s->exact);
    *seconds = eri_seconds() - start;
    return r;
}

static er_result measure(session *s)
{
    er_result r = ER_OK;
    double begin = eri_seconds();
    for (int by = 0; by < ROUTES; ++by)
        s->best[by] = HUGE_VAL;
    for (int round = 0; round < LEAST_ROUNDS || eri_seconds() - begin < enough; ++round)
        for (int run = 0; run < ROUTES * IN_A_ROW; ++run) {
            double seconds;
            int by = run / IN_A_ROW;
            r = pose_all(s, (route)by, &seconds);
            if (r != ER_OK) return r;
            if (run % IN_A_ROW > 0) s->best[by] = fmin(s->best[by], seconds); // the first warms up
        }
    return compare(s);
}

static void put(const session *s, bench_rig rig, FILE *file)
{
    FILE *table = bench_table_stream(s->def->output);
    for (int by = 0; by < ROUTES; ++by) {
        double speed = FRAMES / s->best[by], ratio = s->best[RIVAL] / s->best[by];
        fprintf(file, "%s,%d,%d,%s,%.4g,%.4g,%.2e\n", bench_rig_name(rig), s->model->body_count,
                s->motion->component_count, names[by], speed, ratio, s->difference[by]);
        if (!s->def->quiet)
            fprintf(table, "%-9s %6d bodies, %3d modes  %-6s %10.4g poses a second %6.3gx, off by %.1e\n",
                    bench_rig_name(rig), s->model->body_count, s->motion->component_count, names[by], speed, ratio,
                    s->difference[by]);
    }
}

static void explain(const session *s, er_result r, bench_rig rig, int bodies, char *problem, size_t size)
{
    const char *why = s->context != NULL ? er_context_error(s->context) : "";
    if (r == ER_ERROR_RIG) why = "has loops, which are not closed side by side; take chain, tree or character";
    snprintf(problem, size, "%s of %d bodies: %s", bench_rig_name(rig), bodies,
             *why != '\0' ? why : eri_result_text(r));
}

bool bench_run_motion(const bench_def *def, FILE *file, char *problem, size_t size)
{
    er_result r = ER_OK;
    er_modal_set_threads(1);
    fprintf(file, "rig,bodies,modes,route,poses_per_second,ratio_to_rival,worst_difference\n");
    for (int rig = 0; rig < BENCH_RIG_COUNT; ++rig)
        for (int i = 0; i < def->size_count && def->rig[rig] && r == ER_OK; ++i) {
            session s = {.def = def};
            r = set_up(&s, (bench_rig)rig, def->size[i]);
            if (r == ER_OK) r = measure(&s);
            if (r == ER_OK) put(&s, (bench_rig)rig, file);
            if (r != ER_OK) explain(&s, r, (bench_rig)rig, def->size[i], problem, size);
            tear_down(&s);
        }
    return r == ER_OK;
}
