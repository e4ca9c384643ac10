// A run: inputs found, the folder locked, what is known read, processes run, and each end of one journalled.
#include "tools/batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    batch_places places;
    batch_lines lines; // entry i is inputs.item[i]
    batch_outcome *outcome;
    int locks[2];    // the folder's and our own; -1: none
    int journal;     // a file of `lines`
    int writer;      // the journal, open for appending; -1: none
    off_t end;       // of the journal
    char first[128]; // line of a shard's manifest: what all inputs are
    int ended;
} batch;

batch_def batch_default_def(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return (batch_def){
        .jobs = cores > 0 ? (int)cores : 1, .timeout = 300.0, .memory = 4096.0 * 1024.0 * 1024.0, .options = ""};
}

static er_result fail_write(er_context *context, const char *path, int error)
{
    return er_fail(context, ER_ERROR_FILE, "%s: cannot be written (%s)", path, strerrordesc_np(error));
}

// --- the folder

static er_result lock_folder(batch *b)
{
    const batch_places *p = &b->places;
    int error = batch_make_folder(p->own);
    if (error != 0) return fail_write(b->context, p->own, error);
    er_result r = batch_lock(b->context, p->lock, b->def->shards > 0, &b->locks[0]);
    return r == ER_OK ? batch_lock(b->context, p->own_lock, false, &b->locks[1]) : r;
}

static er_result refuse_old(batch *b)
{
    const batch_places *p = &b->places;
    if (b->def->resume || (access(p->manifest, F_OK) != 0 && access(p->journal, F_OK) != 0)) return ER_OK;
    return er_fail(b->context, ER_ERROR_ARGUMENT,
                   "%s: holds a batch already; go on with it by --resume, or name another folder with -o",
                   b->def->output);
}

// --- what is known

// Where lines go; a journal has the two of a model one after the other.
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
        k->b->end = line.at + (off_t)line.length + 1;
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
    int file = open(path, O_RDONLY | O_CLOEXEC), index;
    if (file < 0 && errno == ENOENT) return ER_OK;
    if (file < 0) return er_fail(b->context, ER_ERROR_FILE, "%s: cannot be read (%s)", path, strerrordesc_np(errno));
    er_result r = batch_lines_take(b->context, &b->lines, file, &index);
    return r == ER_OK ? batch_lines_read(b->context, &b->lines, index, take_line, &k, NULL) : r;
}

// A torn end, of a run that was killed, is cut off.
static er_result open_journal(batch *b)
{
    known k = {.b = b, .journal = true};
    int file = open(b->places.journal, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return fail_write(b->context, b->places.journal, errno);
    er_result r = batch_lines_take(b->context, &b->lines, file, &b->journal);
    if (r == ER_OK) r = batch_lines_read(b->context, &b->lines, b->journal, take_line, &k, NULL);
    free(k.key);
    if (r != ER_OK) return r;
    b->writer = open(b->places.journal, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (b->writer < 0 || ftruncate(b->writer, b->end) != 0) return fail_write(b->context, b->places.journal, errno);
    return ER_OK;
}

static er_result read_all_known(batch *b)
{
    er_result r = ER_OK;
    for (int i = 0; i < b->inputs.count && r == ER_OK; ++i)
        r = batch_lines_add(b->context, &b->lines, b->inputs.item[i].key);
    if (r == ER_OK) r = read_known(b, b->places.manifest, BATCH_MANIFEST);
    if (r == ER_OK) r = read_known(b, b->places.timings, BATCH_TIMING);
    return r == ER_OK ? open_journal(b) : r;
}

// --- one model

static void work_on(void *user, int task, const char *folder, int answer)
{
    batch *b = user;
    batch_line line = b->lines.entry[task].manifest;
    batch_job job = {b->def, &b->inputs.item[task], batch_lines_text(&b->lines, line), folder, answer};
    batch_worker(&job);
}

// The two lines of a model in one write, so that a killed run leaves both or none.
static er_result journal(batch *b, int task, const char *manifest, const char *timing)
{
    char *both = batch_path("%s\n%s\n", manifest, timing);
    if (both == NULL) return er_fail(b->context, ER_ERROR_MEMORY, "out of memory for the journal");
    size_t size = strlen(both), first = strlen(manifest);
    ssize_t put = write(b->writer, both, size);
    int error = put == (ssize_t)size ? 0 : put < 0 ? errno : ENOSPC;
    free(both);
    if (error != 0) return fail_write(b->context, b->places.journal, error);
    b->lines.entry[task].manifest = (batch_line){b->journal, b->end, first};
    b->lines.entry[task].timing = (batch_line){b->journal, b->end + (off_t)first + 1, size - first - 2};
    b->end += (off_t)size;
    return ER_OK;
}

static char *timing_line(const batch *b, const batch_ended *end, const double *stage)
{
    json_t *line = json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "input", b->lines.entry[end->task].key, "seconds",
                             end->seconds, "import_s", stage[BATCH_IMPORT], "rig_s", stage[BATCH_RIG], "solve_s",
                             stage[BATCH_SOLVE], "write_s", stage[BATCH_WRITE], "peak_mib", end->peak_mib);
    char *text = line != NULL ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(line);
    return text;
}

// For a model whose process did not live to say what came of it.
static char *line_of_dead(const batch *b, const batch_ended *end, const batch_answer *answer)
{
    char error[200];
    const char *reason = "crash";
    batch_identity id = {b->lines.entry[end->task].key, &answer->digest, b->def->options};
    if (end->late) {
        reason = answer->imported ? "timeout" : "import-timeout";
        snprintf(error, sizeof error, "%s after %g s and was ended; raise --timeout%s",
                 answer->imported ? "it was not done" : "the importer was not done", b->def->timeout,
                 answer->imported ? "" : ", or convert the model to glTF");
    } else if (end->signal == SIGKILL) {
        reason = "memory";
        snprintf(error, sizeof error, "it was killed from outside, most likely for lack of memory; use fewer --jobs");
    } else if (end->signal != 0) {
        snprintf(error, sizeof error, "it crashed (signal %d, %s)", end->signal, sigdescr_np(end->signal));
    } else {
        snprintf(error, sizeof error, "it ended without a word (exit status %d)", end->status);
    }
    return batch_line_failed(&id, NULL, reason, error);
}

// The files an earlier run wrote for a model that is done anew.
static void remove_earlier(const batch *b, int task)
{
    const batch_input *input = &b->inputs.item[task];
    json_t *line = batch_lines_json(&b->lines, b->lines.entry[task].manifest), *output;
    size_t i, key = strlen(input->key);
    json_array_foreach(json_object_get(line, "outputs"), i, output)
    {
        const char *path = json_string_value(json_object_get(output, "path"));
        if (path == NULL || strncmp(path, input->key, key) != 0 || strchr(path + key, '/') != NULL) continue;
        char *file = batch_path("%s/%s%s", b->def->output, input->relative, path + key);
        if (file != NULL) unlink(file);
        free(file);
    }
    json_decref(line);
}

// The files a model's process wrote get to their places.
static er_result place_outputs(batch *b, const batch_ended *end, const char *manifest)
{
    const batch_input *input = &b->inputs.item[end->task];
    const char *name = strrchr(input->absolute, '/') + 1;
    json_t *line = json_loads(manifest, 0, NULL), *output;
    size_t i, key = strlen(input->key);
    er_result r = ER_OK;
    json_array_foreach(json_object_get(line, "outputs"), i, output)
    {
        const char *ending = json_string_value(json_object_get(output, "path")) + key;
        char *from = batch_path("%s/%s%s", end->folder, name, ending);
        char *to = batch_path("%s/%s%s", b->def->output, input->relative, ending);
        int error = from != NULL && to != NULL ? batch_make_folder_of(to) : ENOMEM;
        if (error == 0 && rename(from, to) != 0) error = errno;
        if (error != 0 && r == ER_OK) r = fail_write(b->context, to != NULL ? to : input->key, error);
        free(from);
        free(to);
    }
    json_decref(line);
    return r;
}

static er_result stop_for(batch *b, const char *manifest)
{
    json_t *line = json_loads(manifest, 0, NULL);
    const char *error = json_string_value(json_object_get(line, "error"));
    er_result r = er_fail(b->context, ER_ERROR_FILE, "%s", error != NULL ? error : "a model cannot be written");
    json_decref(line);
    return r;
}

static er_result record_end(void *user, const batch_ended *end)
{
    batch *b = user;
    batch_answer answer;
    batch_answer_read(end->text, end->size, &answer);
    if (answer.stop && answer.line != NULL) return stop_for(b, answer.line);
    er_result r = ER_OK;
    if (!answer.kept) {
        char *dead = answer.line == NULL ? line_of_dead(b, end, &answer) : NULL;
        const char *manifest = dead != NULL ? dead : answer.line;
        char *timing = timing_line(b, end, answer.seconds);
        if (manifest == NULL || timing == NULL) r = er_fail(b->context, ER_ERROR_MEMORY, "out of memory");
        if (r == ER_OK) remove_earlier(b, end->task);
        if (r == ER_OK) r = place_outputs(b, end, manifest);
        if (r == ER_OK) r = journal(b, end->task, manifest, timing);
        free(timing);
        free(dead);
    }
    b->outcome->kept += answer.kept;
    ++b->ended;
    if (r == ER_OK && b->def->progress != NULL) b->def->progress(b->def->user, b->ended, b->inputs.count);
    return r;
}

// --- the end

// Models' files get to their places without a flush each: that is done here, for all at once.
static er_result flush_outputs(const batch *b)
{
    int folder = open(b->def->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = folder < 0 || syncfs(folder) != 0 ? errno : 0;
    if (folder >= 0) close(folder);
    return error == 0 ? ER_OK : fail_write(b->context, b->def->output, error);
}

static er_result write_results(batch *b)
{
    const char *first = *b->first != '\0' ? b->first : NULL;
    er_result r = flush_outputs(b);
    if (r == ER_OK) r = batch_lines_write(b->context, &b->lines, BATCH_MANIFEST, first, b->places.manifest);
    if (r == ER_OK) r = batch_lines_write(b->context, &b->lines, BATCH_TIMING, NULL, b->places.timings);
    if (r == ER_OK && b->def->shards == 0) r = batch_page_write(b->context, &b->lines, b->places.page);
    return r;
}

static er_result go(batch *b)
{
    const batch_def *def = b->def;
    batch_pool pool = {b->inputs.count, def->jobs, def->timeout, b->places.work, work_on, record_end, b};
    er_result r = batch_pool_run(b->context, &pool, &b->outcome->interrupted);
    if (r == ER_OK) r = write_results(b);
    // A journal that is there says that the run is not at its end.
    if (r == ER_OK && !b->outcome->interrupted && unlink(b->places.journal) != 0)
        r = fail_write(b->context, b->places.journal, errno);
    return r;
}

static void end_batch(batch *b)
{
    if (b->writer >= 0) close(b->writer);
    for (int i = 1; i >= 0; --i)
        if (b->locks[i] >= 0) close(b->locks[i]);
    batch_lines_free(&b->lines);
    batch_places_free(&b->places);
    batch_inputs_free(&b->inputs);
}

// The shards of a run have the same inputs before they are parted, which a merge looks at.
static void take_shard(batch *b)
{
    char digest[BATCH_DIGEST_SIZE];
    batch_digest_inputs(&b->inputs, digest);
    snprintf(b->first, sizeof b->first, "{\"inputs\":%d,\"sha256\":\"%s\"}", b->inputs.count, digest);
    batch_inputs_shard(&b->inputs, b->def->shard, b->def->shards);
}

er_result batch_run(er_context *context, const batch_def *def, FILE *table, batch_outcome *outcome)
{
    batch b = {.context = context, .def = def, .outcome = outcome, .locks = {-1, -1}, .writer = -1};
    *outcome = (batch_outcome){0};
    signal(SIGXFSZ, SIG_IGN); // then a file that may not grow is an error of the write
    er_result r = batch_inputs_find(context, def->input_count, def->input, def->output, &b.inputs);
    if (r == ER_OK && def->shards > 0) take_shard(&b);
    if (r == ER_OK) r = batch_places_make(context, def->output, def->shard, def->shards, &b.places);
    if (r == ER_OK) r = lock_folder(&b);
    if (r == ER_OK) r = refuse_old(&b);
    if (r == ER_OK) r = read_all_known(&b);
    if (r == ER_OK) r = batch_worker_prepare(context);
    if (r == ER_OK) r = go(&b);
    batch_lines_count(&b.lines, outcome);
    if (r == ER_OK && table != NULL) batch_table_print(&b.lines, table);
    end_batch(&b);
    return r;
}
