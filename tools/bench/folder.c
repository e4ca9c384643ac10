// Measures folders of models through `eigenrig batch` with one process and with many: the run time from outside, and
// the sums of the times that it reports for each model.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>
#include <eigenrig/rig.h>

#include "base/beside.h"
#include "base/platform.h"
#include "tools/bench/bench.h"

enum { STAGE_COUNT = 5, MOST_PATH = 256 };

// In the order of the CSV; as timings.jsonl names them.
static const char *const stages[STAGE_COUNT] = {"seconds", "import_s", "rig_s", "solve_s", "write_s"};

// The sums over the models of one size and format in one run.
typedef struct share {
    int models;
    double seconds[STAGE_COUNT], bytes; // sums; of the palettes
} share;

typedef struct folder_run {
    int jobs, models;
    double seconds;               // the run time
    share of[BENCH_MAX_SIZES][2]; // by size; GLB, BVH
} folder_run;

static const char *const endings[2] = {"glb", "bvh"};

// ---- the models

// A clip that keeps every node at its place, because animated nodes count as bones.
typedef struct still {
    er_clip clip;
    er_channel *channel;
    double time[2], (*turn)[2][4];
} still;

static bool make_still(const er_scene *scene, still *s)
{
    *s = (still){.time = {0.0, 1.0}};
    s->channel = calloc((size_t)scene->node_count, sizeof *s->channel);
    s->turn = calloc((size_t)scene->node_count, sizeof *s->turn);
    if (s->channel == NULL || s->turn == NULL) return false;
    for (int i = 0; i < scene->node_count; ++i) {
        er_quat q = er_q_from_m3(scene->node[i].local.linear);
        for (int k = 0; k < 2; ++k)
            memcpy(s->turn[i][k], (double[4]){q.x, q.y, q.z, q.w}, sizeof s->turn[i][k]);
        s->channel[i] = (er_channel){i, ER_PATH_ROTATION, ER_LINEAR, 2, s->time, s->turn[i][0]};
    }
    s->clip = (er_clip){"still", 1.0, scene->node_count, s->channel};
    return true;
}

// A character as bones of its own: a skeleton with shapes to see (GLB), or without (BVH).
static er_result write_model(er_context *context, int bodies, bool bvh, const char *path)
{
    er_model *model = NULL;
    er_scene *scene = NULL;
    still s = {0};
    er_result r = bench_rig_create(context, BENCH_CHARACTER, bodies, &model);
    if (r == ER_OK) r = er_rig_bone_scene(context, model, NULL, &scene, NULL);
    if (r == ER_OK && !make_still(scene, &s)) r = ER_ERROR_MEMORY;
    if (r == ER_OK && !bvh) r = er_gltf_write(context, scene, 1, &s.clip, NULL, path);
    if (r == ER_OK && bvh) r = er_bvh_write(context, scene, NULL, NULL, 30.0, path);
    free(s.channel);
    free(s.turn);
    er_scene_destroy(scene);
    er_model_destroy(model);
    return r;
}

// Makes one model of each size and format, and links to it: the program reads every link.
static er_result make_models(const bench_def *def, const char *folder)
{
    char path[MOST_PATH], first[MOST_PATH];
    er_context *context = NULL;
    er_result r = er_context_create(NULL, &context);
    for (int i = 0; i < def->count && r == ER_OK; ++i) {
        int size = i / 2 % def->size_count, kind = i % 2;
        snprintf(path, sizeof path, "%s/in/%06d_%d.%s", folder, i, size, endings[kind]);
        snprintf(first, sizeof first, "%s/in/%06d_%d.%s", folder, 2 * size + kind, size, endings[kind]);
        if (i < 2 * def->size_count)
            r = write_model(context, def->size[size], kind == 1, path);
        else if (eri_platform_link(first, path) != 0)
            r = ER_ERROR_FILE;
    }
    er_context_destroy(context);
    return r;
}

// ---- a run

// Runs the program `eigenrig` beside this one, from its start to its end.
static bool run_batch_of(const char *folder, int jobs, double *seconds)
{
    char program[4096], in[MOST_PATH], out[MOST_PATH], number[16];
    int child;
    eri_process_end end;
    snprintf(in, sizeof in, "%s/in", folder);
    snprintf(out, sizeof out, "%s/out%d", folder, jobs);
    snprintf(number, sizeof number, "%d", jobs);
    const char *words[] = {"eigenrig", "batch", in, "-o", out, "--jobs", number, "--quiet", NULL};
    double start = eri_seconds();
    eri_beside("eigenrig", program, sizeof program);
    eri_spawn_def how = eri_default_spawn_def(program, words);
    if (eri_process_spawn(&how, &child) != 0) return false;
    bool known = eri_process_wait(child, &end);
    *seconds = eri_seconds() - start;
    return known && end.status == 0 && end.signal == 0;
}

static double value_of(const char *line, const char *name)
{
    char key[32];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(line, key);
    return at != NULL ? strtod(at + strlen(key), NULL) : 0.0;
}

static void take_timing(folder_run *run, share *s, const char *line)
{
    ++s->models;
    ++run->models;
    for (int k = 0; k < STAGE_COUNT; ++k)
        s->seconds[k] += value_of(line, stages[k]);
}

static void take_size(folder_run *run, share *s, const char *line)
{
    (void)run;
    s->bytes += value_of(line, "bytes"); // of its one output
}

static void read_lines(const char *folder, const char *name, folder_run *run,
                       void (*take)(folder_run *run, share *s, const char *line))
{
    char path[MOST_PATH], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/out%d/%s", folder, run->jobs, name);
    FILE *file = fopen(path, "r");
    while (file != NULL && eri_platform_read_line(&line, &room, '\n', file) > 0) {
        int number, size;
        char kind;
        if (sscanf(line, "{\"input\":\"%d_%d.%c", &number, &size, &kind) != 3) continue;
        if (size >= 0 && size < BENCH_MAX_SIZES) take(run, &run->of[size][kind == 'b'], line);
    }
    if (file != NULL) fclose(file);
    free(line);
}

static bool read_run(const char *folder, folder_run *run)
{
    read_lines(folder, "timings.jsonl", run, take_timing);
    read_lines(folder, "manifest.jsonl", run, take_size);
    return run->models > 0;
}

// ---- output

static double sum(const folder_run *run, int stage)
{
    double total = 0.0;
    for (int size = 0; size < BENCH_MAX_SIZES; ++size)
        total += run->of[size][0].seconds[stage] + run->of[size][1].seconds[stage];
    return total;
}

static void print_rows(const bench_def *def, const folder_run *run, FILE *file)
{
    double ms = 1000.0;
    // The time between two models: one process ends and another begins.
    double between = ms * (run->jobs * run->seconds - sum(run, 0)) / run->models;
    for (int size = 0; size < def->size_count; ++size)
        for (int kind = 0; kind < 2; ++kind) {
            const share *s = &run->of[size][kind];
            double n = s->models, *t = (double *)s->seconds;
            if (s->models == 0) continue;
            fprintf(file, "%d,%d,%s,%d,%.6g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n", run->jobs, def->size[size],
                    endings[kind], s->models, run->models / run->seconds, ms * t[1] / n, ms * t[2] / n, ms * t[3] / n,
                    ms * t[4] / n, ms * (t[0] - t[1] - t[2] - t[3] - t[4]) / n, between, s->bytes / 1024.0 / n);
        }
}

static void print_table(const bench_def *def, const folder_run *run, const folder_run *alone, FILE *out)
{
    double rate = run->models / run->seconds, first = alone->models / alone->seconds;
    fprintf(out, "%d models, %d at a time: %.4g a second, %.3g of %d times as many as one at a time\n", run->models,
            run->jobs, rate, rate / first, run->jobs);
    if (run != alone) return;
    fprintf(out, "  of their time %.0f %% is the importer's\n", 100.0 * sum(run, 1) / run->seconds);
    for (int size = 0; size < def->size_count; ++size)
        for (int kind = 0; kind < 2; ++kind) {
            const share *s = &run->of[size][kind];
            if (s->models > 0)
                fprintf(out, "  %s of %4d bodies: importer %.3g ms, our own %.3g ms\n", endings[kind], def->size[size],
                        1000.0 * s->seconds[1] / s->models, 1000.0 * (s->seconds[0] - s->seconds[1]) / s->models);
        }
}

static bool measure(const bench_def *def, const char *folder, FILE *file, char *problem, size_t size)
{
    FILE *table = bench_table_stream(def->output);
    folder_run run[2] = {{.jobs = 1}, {.jobs = def->threads}};
    for (int i = 0; i < 2 && (i == 0 || run[1].jobs > 1); ++i) {
        if (!run_batch_of(folder, run[i].jobs, &run[i].seconds) || !read_run(folder, &run[i])) {
            snprintf(problem, size, "eigenrig batch does not work on the models made for it");
            return false;
        }
        print_rows(def, &run[i], file);
        if (!def->quiet) print_table(def, &run[i], &run[0], table);
    }
    return true;
}

static void remove_all(const char *folder)
{
    int child;
    eri_process_end end;
    const char *words[] = {"rm", "-rf", folder, NULL};
    eri_spawn_def how = eri_default_spawn_def("rm", words);
    how.search = true;
    if (eri_process_spawn(&how, &child) == 0) eri_process_wait(child, &end);
}

bool bench_run_folder(const bench_def *def, FILE *file, char *problem, size_t size)
{
    char place[ER_FILE_NAME_MAX], folder[MOST_PATH / 2], in[MOST_PATH];
    bool made = eri_platform_user_folder(ERI_FOLDER_TEMPORARY, place) &&
                snprintf(folder, sizeof folder, "%s/eigenrig-bench-XXXXXX", place) < (int)sizeof folder &&
                eri_platform_temporary_folder(folder);
    snprintf(in, sizeof in, "%s/in", folder);
    fprintf(file, "jobs,bodies,format,models,models_a_second,import_ms,rig_ms,solve_ms,write_ms,rest_ms,between_ms,"
                  "palette_kib\n");
    bool ready = made && eri_platform_make_folder(in) == 0 && make_models(def, folder) == ER_OK;
    if (!ready)
        snprintf(problem, size, "%s: the models to measure cannot be made there; name another folder by TMPDIR",
                 folder);
    bool ok = ready && measure(def, folder, file, problem, size);
    if (made) remove_all(folder);
    return ok;
}
