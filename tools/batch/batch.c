// Runs a batch: finds inputs, locks the folder, reads earlier results, runs processes and journals each result.
#include "tools/batch/batch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/batch/folder.h"
#include "tools/batch/inputs.h"
#include "tools/batch/pool.h"
#include "tools/batch/report.h"
#include "tools/batch/run.h"
#include "tools/batch/worker.h"

typedef struct batch {
    er_context *context;
    const batch_def *def;
    batch_inputs inputs;
    batch_paths paths;
    batch_lines lines; // entry i is inputs.item[i]
    batch_outcome *outcome;
    int locks[2];    // the folder's and our own; -1: none
    int journal;     // a file of `lines`
    int writer;      // the journal, open for appending; -1: none
    int ledger;      // likewise
    int64_t end;     // of the journal
    json_t *owners;  // the model of each output's path, if outputs have names by a template
    char first[128]; // line of a shard's manifest: a digest of all inputs
    int ended;
} batch;

batch_def batch_default_def(void)
{
    return (batch_def){
        .jobs = eri_platform_cores(), .timeout = 300.0, .memory = 4096.0 * 1024.0 * 1024.0, .options = ""};
}

static er_result fail_write(er_context *context, const char *path, int error)
{
    return er_fail(context, ER_ERROR_FILE, "%s: cannot be written (%s)", path, eri_platform_error_text(error));
}

// ---- the folder

static er_result lock_folder(batch *b)
{
    const batch_paths *p = &b->paths;
    int error = batch_make_folder(p->own);
    if (error != 0) return fail_write(b->context, p->own, error);
    er_result r = batch_lock(b->context, p->lock, b->def->shards > 0, &b->locks[0]);
    return r == ER_OK ? batch_lock(b->context, p->own_lock, false, &b->locks[1]) : r;
}

static er_result refuse_old(batch *b)
{
    const batch_paths *p = &b->paths;
    if (b->def->resume ||
        (!eri_platform_access(p->manifest, ERI_EXISTS) && !eri_platform_access(p->journal, ERI_EXISTS)))
        return ER_OK;
    return er_fail(b->context, ER_ERROR_ARGUMENT,
                   "%s: holds a batch already; continue it with --resume, or name another folder with -o",
                   b->def->output);
}

// ---- earlier results

// The destination of lines. A journal has the two lines of a model one after the other.
typedef struct known {
    batch *b;
    int kind;
    bool journal;
    batch_line first; // of a pair
    char *key;        // of it
} known;

static er_result take_line(void *user, const char *key, batch_line line)
{
    known *k = user;
    int i = batch_lines_find(&k->b->lines, key);
    if (i < 0) k->b->outcome->gone += k->kind == BATCH_MANIFEST && !k->journal;
    if (!k->journal) {
        if (i >= 0 && k->kind == BATCH_MANIFEST) k->b->lines.entry[i].manifest = line;
        if (i >= 0 && k->kind == BATCH_TIMING) k->b->lines.entry[i].timing = line;
        return ER_OK;
    }
    if (k->key != NULL && strcmp(k->key, key) == 0) {
        if (i >= 0) k->b->lines.entry[i].manifest = k->first;
        if (i >= 0) k->b->lines.entry[i].timing = line;
        k->b->end = line.at + (int64_t)line.length + 1;
        free(k->key);
        k->key = NULL;
        return ER_OK;
    }
    free(k->key);
    k->first = line;
    k->key = strdup(key);
    return k->key != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_result read_known(batch *b, const char *path, int kind)
{
    known k = {.b = b, .kind = kind};
    int file = eri_platform_open(path, ERI_OPEN_READ), index;
    if (file < 0 && errno == ENOENT) return ER_OK;
    if (file < 0)
        return er_fail(b->context, ER_ERROR_FILE, "%s: cannot be read (%s)", path, eri_platform_error_text(errno));
    er_result r = batch_lines_take(b->context, &b->lines, file, &index);
    return r == ER_OK ? batch_lines_read(b->context, &b->lines, index, take_line, &k, NULL) : r;
}

// Cuts off a torn last line, which a killed run may leave.
static er_result open_journal(batch *b)
{
    known k = {.b = b, .journal = true};
    int file = eri_platform_open(b->paths.journal, ERI_OPEN_READ | ERI_OPEN_WRITE | ERI_OPEN_CREATE);
    if (file < 0) return fail_write(b->context, b->paths.journal, errno);
    er_result r = batch_lines_take(b->context, &b->lines, file, &b->journal);
    if (r == ER_OK) r = batch_lines_read(b->context, &b->lines, b->journal, take_line, &k, NULL);
    free(k.key);
    if (r != ER_OK) return r;
    b->writer = eri_platform_open(b->paths.journal, ERI_OPEN_APPEND);
    if (b->writer < 0 || eri_platform_truncate(b->writer, b->end) != 0)
        return fail_write(b->context, b->paths.journal, errno);
    b->ledger = eri_platform_open(b->paths.ledger, ERI_OPEN_APPEND | ERI_OPEN_CREATE);
    return b->ledger >= 0 ? ER_OK : fail_write(b->context, b->paths.ledger, errno);
}

static er_result read_all_known(batch *b)
{
    er_result r = ER_OK;
    for (int i = 0; i < b->inputs.count && r == ER_OK; ++i)
        r = batch_lines_add(b->context, &b->lines, b->inputs.item[i].key);
    if (r == ER_OK) r = read_known(b, b->paths.manifest, BATCH_MANIFEST);
    if (r == ER_OK) r = read_known(b, b->paths.timings, BATCH_TIMING);
    return r == ER_OK ? open_journal(b) : r;
}

// ---- one model

static void work_on(void *user, int task, const char *folder, int answer)
{
    batch *b = user;
    batch_line line = b->lines.entry[task].manifest;
    batch_job job = {b->def, &b->inputs.item[task], batch_lines_text(&b->lines, line), folder, answer};
    batch_worker(&job);
}

// Appends a text and frees it. One write, so that a killed run leaves the whole text or a torn line.
static er_result append(const batch *b, int file, const char *path, char *text)
{
    if (text == NULL) return er_fail(b->context, ER_ERROR_MEMORY, "out of memory for the journal");
    size_t size = strlen(text);
    ptrdiff_t put = eri_platform_write(file, text, size);
    int error = put == (ptrdiff_t)size ? 0 : put < 0 ? errno : ENOSPC;
    free(text);
    return error == 0 ? ER_OK : fail_write(b->context, path, error);
}

// The two lines of a model.
static er_result journal(batch *b, int task, const char *manifest, const char *timing)
{
    size_t first = strlen(manifest), size = first + strlen(timing) + 2;
    er_result r = append(b, b->writer, b->paths.journal, batch_path("%s\n%s\n", manifest, timing));
    if (r != ER_OK) return r;
    b->lines.entry[task].manifest = (batch_line){b->journal, b->end, first};
    b->lines.entry[task].timing = (batch_line){b->journal, b->end + (int64_t)first + 1, size - first - 2};
    b->end += (int64_t)size;
    return ER_OK;
}

static char *timing_line(const batch *b, const batch_exit *end, const double *stage)
{
    json_t *line = json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "input", b->lines.entry[end->task].key, "seconds",
                             end->seconds, "import_s", stage[BATCH_IMPORT], "rig_s", stage[BATCH_RIG], "solve_s",
                             stage[BATCH_SOLVE], "write_s", stage[BATCH_WRITE], "peak_mib", end->peak_mib);
    char *text = line != NULL ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(line);
    return text;
}

// The line of a model whose process died before it sent one.
static char *line_of_dead(const batch *b, const batch_exit *end, const batch_answer *answer)
{
    char error[200];
    const char *reason = "crash";
    batch_identity id = {b->lines.entry[end->task].key, &answer->digest, b->def->options};
    if (end->late) {
        reason = answer->imported ? "timeout" : "import-timeout";
        snprintf(error, sizeof error, "%s after %g s and was ended; raise --timeout%s",
                 answer->imported ? "it was not done" : "the importer was not done", b->def->timeout,
                 answer->imported ? "" : ", or convert the model to glTF");
    } else if (end->killed) {
        reason = "memory";
        snprintf(error, sizeof error, "it was killed from outside, most likely for lack of memory; use fewer --jobs");
    } else if (end->signal != 0) {
        snprintf(error, sizeof error, "it crashed (signal %d, %s)", end->signal, eri_platform_signal_text(end->signal));
    } else {
        snprintf(error, sizeof error, "it ended without a word (exit status %d)", end->status);
    }
    return batch_line_failed(&id, NULL, reason, error);
}

// @param path  as in the manifest; NULL and paths in other folders are left alone
static void remove_output(const batch *b, const batch_input *input, const char *path)
{
    char *below = path != NULL ? batch_output_path(input, path) : NULL;
    char *file = below != NULL ? batch_path("%s/%s", b->def->output, below) : NULL;
    if (file != NULL) eri_platform_unlink(file);
    free(file);
    free(below);
}

// Removes the files that an earlier run wrote for a model that is done again.
static void remove_earlier(const batch *b, int task)
{
    const batch_input *input = &b->inputs.item[task];
    json_t *line = batch_lines_json(&b->lines, b->lines.entry[task].manifest), *output;
    size_t i;
    json_array_foreach(json_object_get(line, "outputs"), i, output)
        remove_output(b, input, json_string_value(json_object_get(output, "path")));
    json_decref(line);
}

// Moves a file that a model's process wrote to its place.   @return 0, or the error number
static int place_output(const batch *b, const batch_exit *end, const char *path)
{
    const batch_input *input = &b->inputs.item[end->task];
    char *below = batch_output_path(input, path);
    const char *slash = below != NULL ? strrchr(below, '/') : NULL;
    char *from = below != NULL ? batch_path("%s/%s", end->folder, slash != NULL ? slash + 1 : below) : NULL;
    char *to = below != NULL ? batch_path("%s/%s", b->def->output, below) : NULL;
    int error = from != NULL && to != NULL ? 0 : ENOMEM;
    // asks the inputs, not the disk, so that the order in which models end does not matter
    if (error == 0 && batch_inputs_in(&b->inputs, below)) error = EISDIR;
    if (error == 0) error = batch_make_folder_of(to);
    if (error == 0 && eri_platform_rename(from, to) != 0) error = errno;
    free(from);
    free(below);
    free(to);
    return error;
}

// Records the names of output files for good, because models may leave the inputs and the manifest while their outputs
// stay. Begins a new line, because a killed run may have left half of one.
static er_result note_outputs(const batch *b, const char *manifest)
{
    json_t *line = json_loads(manifest, 0, NULL), *outputs = json_object_get(line, "outputs");
    json_t *note = json_pack("{s:O, s:O}", "input", json_object_get(line, "input"), "outputs", outputs);
    char *text = note != NULL ? json_dumps(note, JSON_COMPACT) : NULL;
    er_result r = ER_OK;
    if (json_array_size(outputs) > 0)
        r = append(b, b->ledger, b->paths.ledger, text != NULL ? batch_path("\n%s\n", text) : NULL);
    free(text);
    json_decref(note);
    json_decref(line);
    return r;
}

// Records whose outputs the files of a line are; with a template, clips of two models may have the same name.
static void claim_outputs(batch *b, int task, const json_t *line)
{
    size_t i;
    json_t *output;
    if (b->def->name == NULL) return;
    json_array_foreach(json_object_get(line, "outputs"), i, output)
    {
        const char *path = json_string_value(json_object_get(output, "path"));
        if (path != NULL) json_object_set_new(b->owners, path, json_integer(task));
    }
}

static bool is_of_another(const batch *b, int task, const char *path)
{
    const json_t *owner = json_object_get(b->owners, path);
    return owner != NULL && json_integer_value(owner) != task;
}

// Moves all that a model's process wrote to its place, or nothing.   @return  NULL, or the sentence why not
static char *place_outputs(batch *b, const batch_exit *end, const char *manifest)
{
    json_t *line = json_loads(manifest, 0, NULL), *all = json_object_get(line, "outputs");
    const char *path = NULL;
    size_t placed = 0, count = json_array_size(all);
    int error = 0;
    for (; placed < count && error == 0; placed += error == 0) {
        path = json_string_value(json_object_get(json_array_get(all, placed), "path"));
        error = is_of_another(b, end->task, path) ? EEXIST : place_output(b, end, path);
    }
    char *sentence =
        error == 0 ? NULL
        : error == EISDIR
            ? batch_path("%s: is the folder of other models' outputs; rename the model or the folder", path)
        : error == EEXIST ? batch_path("%s: is an output of another model; rename the model, or change --name", path)
                          : batch_path("%s: cannot be written (%s)", path, eri_platform_error_text(error));
    for (size_t i = 0; i < placed && error != 0; ++i)
        remove_output(b, &b->inputs.item[end->task],
                      json_string_value(json_object_get(json_array_get(all, i), "path")));
    if (error == 0) claim_outputs(b, end->task, line);
    json_decref(line);
    return sentence;
}

// Whether the folder can be written. Tests the folder itself, not a model that failed.
static er_result try_folder(const batch *b)
{
    static const char trial[1 << 20];
    if (!eri_platform_access(b->def->output, ERI_CAN_WRITE) || !eri_platform_access(b->def->output, ERI_CAN_RUN))
        return fail_write(b->context, b->def->output, errno);
    er_result r = er_file_write(b->context, b->paths.trial, trial, sizeof trial);
    eri_platform_unlink(b->paths.trial);
    return r;
}

static void report_end(const batch *b, const batch_exit *end, const char *manifest)
{
    json_t *line = json_loads(manifest, 0, NULL), *warnings = json_object_get(line, "warnings");
    int count = (int)json_array_size(warnings);
    const char **warning = calloc((size_t)count + 1, sizeof *warning);
    for (int i = 0; i < count && warning != NULL; ++i)
        warning[i] = json_string_value(json_array_get(warnings, (size_t)i));
    const batch_result finished = {.input = b->lines.entry[end->task].key,
                                   .reason = json_string_value(json_object_get(line, "reason")),
                                   .error = json_string_value(json_object_get(line, "error")),
                                   .bodies = (int)json_integer_value(json_object_get(line, "bodies")),
                                   .lowest_hz = batch_line_lowest_hz(line),
                                   .seconds = end->seconds,
                                   .warning_count = warning != NULL ? count : 0,
                                   .warning = warning,
                                   .ended = b->ended + 1,
                                   .all = b->inputs.count};
    if (line != NULL) b->def->finished(b->def->user, &finished);
    free(warning);
    json_decref(line);
}

// Reports a model that has no line of an earlier run.
static er_result record_new(batch *b, const batch_exit *end, const batch_answer *answer)
{
    batch_identity id = {b->lines.entry[end->task].key, &answer->digest, b->def->options};
    er_result r = ER_OK;
    char *dead = answer->line == NULL ? line_of_dead(b, end, answer) : NULL;
    const char *manifest = dead != NULL ? dead : answer->line;
    char *timing = timing_line(b, end, answer->seconds), *unplaced = NULL;
    remove_earlier(b, end->task);
    if (manifest != NULL) r = note_outputs(b, manifest);
    if (manifest != NULL && r == ER_OK) unplaced = place_outputs(b, end, manifest);
    if (unplaced != NULL) {
        free(dead);
        manifest = dead = batch_line_failed(&id, NULL, "write", unplaced);
    }
    if (r == ER_OK && (manifest == NULL || timing == NULL)) r = er_fail(b->context, ER_ERROR_MEMORY, "out of memory");
    if (r == ER_OK && (answer->unwritten || unplaced != NULL)) r = try_folder(b);
    if (r == ER_OK) r = journal(b, end->task, manifest, timing);
    if (r == ER_OK && b->def->finished != NULL) report_end(b, end, manifest);
    free(unplaced);
    free(timing);
    free(dead);
    return r;
}

static er_result record_end(void *user, const batch_exit *end)
{
    batch *b = user;
    batch_answer answer;
    batch_answer_read(end->text, end->size, &answer);
    er_result r = answer.kept ? ER_OK : record_new(b, end, &answer);
    b->outcome->kept += answer.kept;
    ++b->ended;
    if (r == ER_OK && b->def->progress != NULL) b->def->progress(b->def->user, b->ended, b->inputs.count);
    return r;
}

// Claims the outputs of earlier runs.
static er_result claim_known(batch *b)
{
    if (b->def->name == NULL) return ER_OK;
    b->owners = json_object();
    for (int i = 0; i < b->lines.count && b->owners != NULL; ++i) {
        json_t *line = batch_lines_json(&b->lines, b->lines.entry[i].manifest);
        claim_outputs(b, i, line);
        json_decref(line);
    }
    return b->owners != NULL ? ER_OK : er_fail(b->context, ER_ERROR_MEMORY, "out of memory for the names of outputs");
}

// ---- the end

// Flushes all files once, instead of each model's files at its end.
static er_result flush_outputs(const batch *b)
{
    int folder = eri_platform_open(b->def->output, ERI_OPEN_READ | ERI_OPEN_FOLDER);
    int error = folder < 0 || eri_platform_flush_disk(folder) != 0 ? errno : 0;
    if (folder >= 0) eri_platform_close(folder);
    return error == 0 ? ER_OK : fail_write(b->context, b->def->output, error);
}

static er_result write_results(batch *b)
{
    const char *first = *b->first != '\0' ? b->first : NULL;
    er_result r = flush_outputs(b);
    if (r == ER_OK) r = batch_lines_write(b->context, &b->lines, BATCH_MANIFEST, first, b->paths.manifest);
    if (r == ER_OK) r = batch_lines_write(b->context, &b->lines, BATCH_TIMING, NULL, b->paths.timings);
    if (r == ER_OK && b->def->shards == 0) r = batch_page_write(b->context, &b->lines, b->paths.page);
    return r;
}

// Writes the manifest however the run ended, then reports why it ended.
static er_result go(batch *b)
{
    const batch_def *def = b->def;
    batch_pool pool = {b->inputs.count, def->jobs, def->timeout, b->paths.work, work_on, record_end, b};
    char why[1024];
    er_result r = batch_pool_run(b->context, &pool, &b->outcome->interrupted);
    snprintf(why, sizeof why, "%s", er_context_error(b->context));
    er_result written = write_results(b);
    r = r != ER_OK ? er_fail(b->context, r, "%s", why) : written;
    // The journal stays if the run did not reach its end.
    if (r == ER_OK && !b->outcome->interrupted && eri_platform_unlink(b->paths.journal) != 0)
        r = fail_write(b->context, b->paths.journal, errno);
    return r;
}

static void end_batch(batch *b)
{
    json_decref(b->owners);
    if (b->writer >= 0) eri_platform_close(b->writer);
    if (b->ledger >= 0) eri_platform_close(b->ledger);
    for (int i = 1; i >= 0; --i)
        if (b->locks[i] >= 0) eri_platform_close(b->locks[i]);
    batch_lines_free(&b->lines);
    batch_paths_free(&b->paths);
    batch_inputs_free(&b->inputs);
}

// A merge checks that all shards had the same inputs, so hash them before they are split.
static void take_shard(batch *b)
{
    char digest[BATCH_DIGEST_SIZE];
    batch_digest_inputs(&b->inputs, digest);
    snprintf(b->first, sizeof b->first, "{\"inputs\":%d,\"sha256\":\"%s\"}", b->inputs.count, digest);
    batch_inputs_shard(&b->inputs, b->def->shard, b->def->shards);
}

// Removes models that were not asked for and have no earlier line from the inputs and from the lines, which stay in
// step.
static er_result drop_unknown(batch *b)
{
    batch_lines *lines = &b->lines;
    bool *is_known = calloc((size_t)lines->count + 1, sizeof *is_known);
    if (is_known == NULL) return er_fail(b->context, ER_ERROR_MEMORY, "out of memory for the list of models");
    for (int i = 0; i < lines->count; ++i)
        is_known[i] = lines->entry[i].manifest.length > 0;
    int kept = 0;
    for (int i = 0; i < lines->count; ++i)
        if (b->inputs.item[i].left && !is_known[i])
            free(lines->entry[i].key);
        else
            lines->entry[kept++] = lines->entry[i];
    lines->count = kept;
    batch_inputs_drop(&b->inputs, is_known);
    free(is_known);
    return ER_OK;
}

er_result batch_run(er_context *context, const batch_def *def, FILE *table, batch_outcome *outcome)
{
    batch b = {.context = context, .def = def, .outcome = outcome, .locks = {-1, -1}, .writer = -1, .ledger = -1};
    *outcome = (batch_outcome){0};
    er_result r = batch_inputs_find(context, def->input_count, def->input, def->output, &b.inputs);
    if (r == ER_OK && def->name != NULL) r = batch_inputs_check_stems(context, &b.inputs, def->name);
    if (r == ER_OK && def->only != NULL) r = batch_inputs_choose(context, &b.inputs, def->only);
    if (r == ER_OK && def->shards > 0) batch_inputs_drop(&b.inputs, NULL);
    if (r == ER_OK && def->shards > 0) take_shard(&b);
    if (r == ER_OK) r = batch_paths_create(context, def->output, def->shard, def->shards, &b.paths);
    if (r == ER_OK) r = lock_folder(&b);
    if (r == ER_OK) r = refuse_old(&b);
    if (r == ER_OK) r = read_all_known(&b);
    if (r == ER_OK) r = drop_unknown(&b);
    if (r == ER_OK) r = claim_known(&b);
    if (r == ER_OK) r = batch_worker_prepare(context);
    if (r == ER_OK) r = go(&b);
    batch_lines_count(&b.lines, outcome);
    if (r == ER_OK && table != NULL) batch_table_print(&b.lines, table);
    end_batch(&b);
    return r;
}
