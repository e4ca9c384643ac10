// The process of one model: import, rig, modes, outputs, and the lines that it sends to its parent.
#include "tools/batch/worker.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/batch/folder.h"
#include "tools/batch/report.h"

// OpenBLAS maps a buffer of 128 MiB at its first call, touches little of it, and retries for ever where a limit forbids
// the buffer. So the buffer is allocated before the limit is set.
er_result batch_worker_prepare(er_context *context)
{
    enum { LINKS = 8 };
    er_body body[LINKS];
    er_joint joint[LINKS];
    er_model_def def = er_default_model_def();
    er_modal_def modal = er_default_modal_def();
    er_model *model = NULL;
    er_modes *modes = NULL;
    for (int k = 0; k < LINKS; ++k) {
        er_pose at = {er_q_identity(), er_v3(k, 0.0, 0.0)};
        body[k] = (er_body){.mass = 1.0, .inertia = er_m3_identity(), .pose = at};
        joint[k] = (er_joint){
            .parent = k - 1, .child = k, .type = ER_JOINT_SPHERICAL, .frame = at, .stiffness = {1.0, 1.0, 1.0}};
    }
    def.body_count = def.joint_count = LINKS;
    def.body = body;
    def.joint = joint;
    modal.method = ER_MODAL_QR; // the call that needs the largest buffer
    er_result r = er_model_create(context, &def, &model);
    if (r == ER_OK) r = er_modal_solve(context, model, &modal, &modes);
    er_modes_destroy(modes);
    er_model_destroy(model);
    return r;
}

// Limits the address space to `bytes` beyond the current mappings.
static void limit_memory(double bytes)
{
    double mapped = eri_platform_memory_mapped();
    if (mapped > 0.0) eri_platform_limit(ERI_LIMIT_MEMORY, bytes + mapped);
}

static void prepare(const batch_job *job)
{
    eri_process_make_group(0);
    eri_platform_end_with_parent(); // kill -9 of the batch also ends this process
    eri_platform_limit(ERI_LIMIT_CORE, 0.0);
    eri_platform_close_streams();
    limit_memory(job->def->memory);
}

// Whether the outputs that a line lists exist, with the sizes that it lists.
static bool outputs_exist(const batch_job *job, const json_t *line)
{
    size_t i;
    json_t *output;
    json_array_foreach(json_object_get(line, "outputs"), i, output)
    {
        const char *path = json_string_value(json_object_get(output, "path"));
        char *below = path != NULL ? batch_output_path(job->input, path) : NULL;
        char *file = below != NULL ? batch_path("%s/%s", job->def->output, below) : NULL;
        eri_file_info info;
        bool stands = file != NULL && eri_platform_stat(file, &info) == 0 && info.kind == ERI_FILE_REGULAR &&
                      info.size == json_integer_value(json_object_get(output, "bytes"));
        free(file);
        free(below);
        if (!stands) return false;
    }
    return true;
}

static bool is_up_to_date(const batch_job *job, const json_t *line, const batch_identity *id)
{
    const char *reason = json_string_value(json_object_get(line, "reason"));
    return batch_line_is_of(line, id) && (reason == NULL || !batch_reason_may_pass(reason)) && outputs_exist(job, line);
}

static int by_path(const void *a, const void *b)
{
    const json_t *const *x = a, *const *y = b;
    return strcmp(json_string_value(json_object_get(*x, "path")), json_string_value(json_object_get(*y, "path")));
}

// The length of the part of the stem that all names begin with.
static size_t fixed_part(const char *name)
{
    const char *clip = strstr(name, "{clip}");
    return clip != NULL ? (size_t)(clip - name) : strlen(name);
}

// The files that were written, sorted; NULL if they cannot be listed.
static json_t *list_outputs(const batch_job *job, const char *stem)
{
    json_t **found = NULL, *list = json_array();
    size_t count = 0, room = 0;
    bool known = list != NULL;
    const char *name = strrchr(stem, '/') + 1;
    eri_listing *folder = eri_listing_open(job->work);
    for (const char *e; known && folder != NULL && (e = eri_listing_next(folder)) != NULL;) {
        eri_file_info info;
        if (strncmp(e, name, job->def->name != NULL ? fixed_part(name) : strlen(name)) != 0 ||
            eri_listing_stat(folder, e, &info) != 0 || info.kind != ERI_FILE_REGULAR)
            continue;
        if (count == room) {
            json_t **more = realloc(found, (room = 2 * room + 16) * sizeof *more);
            known = more != NULL;
            if (!known) break;
            found = more;
        }
        char *path = job->def->name == NULL ? batch_path("%s%s", job->input->key, e + strlen(name))
                                            : batch_output_key(job->input, e);
        found[count] = path != NULL ? json_pack("{s:s, s:I}", "path", path, "bytes", (json_int_t)info.size) : NULL;
        known = found[count] != NULL; // not of a name that is no UTF-8
        count += known;
        free(path);
    }
    eri_listing_close(folder);
    if (count > 0) qsort(found, count, sizeof *found, by_path);
    for (size_t i = 0; i < count; ++i)
        json_array_append_new(list, found[i]);
    free(found);
    if (known) return list;
    json_decref(list);
    return NULL;
}

// Returns a text without a given beginning.
static const char *without(const char *text, const char *beginning, const char *mark)
{
    size_t length = strlen(beginning), more = strlen(mark);
    return strncmp(text, beginning, length) == 0 && strncmp(text + length, mark, more) == 0 ? text + length + more
                                                                                            : text;
}

// Removes the path at the beginning of a message: the model's, which the line has already, or an output's, which lies
// in a temporary folder.
static const char *without_place(const batch_job *job, const char *message)
{
    return without(without(message, job->input->path, ": "), job->work, "/");
}

// Opening a pipe or a device could block; an unreadable folder still counts as there.
static er_result refuse_other_kinds(er_context *context, const char *path)
{
    eri_file_info info;
    if (eri_platform_stat(path, &info) != 0 || info.kind == ERI_FILE_REGULAR) return ER_OK;
    if (info.kind == ERI_FILE_FOLDER)
        return er_fail(context, ER_ERROR_FILE, "%s: the folder cannot be read; check its permissions", path);
    return er_fail(context, ER_ERROR_FILE, "%s: is a pipe, a socket or a device; name files", path);
}

static void do_model(const batch_job *job, const batch_identity *id)
{
    const batch_def *def = job->def;
    er_context_def own = er_default_context_def();
    er_context *context = NULL;
    batch_report report;
    char timing[128];
    char *name = batch_input_stem(job->input, def->name), *line = NULL;
    char *stem = name != NULL ? batch_path("%s/%s", job->work, name) : NULL;
    batch_report_begin(&report, job->answer);
    own.flush = false; // the run does so once, for all files
    er_result r = er_context_create(&own, &context);
    if (stem == NULL) r = ER_ERROR_MEMORY;
    if (r == ER_OK) r = refuse_other_kinds(context, job->input->path);
    if (r == ER_OK) r = def->work(def->user, context, job->input->path, stem, &report);
    batch_stage last = report.stage;
    batch_begin_stage(&report, last);
    snprintf(timing, sizeof timing, "timing %.6f %.6f %.6f %.6f\n", report.seconds[BATCH_IMPORT],
             report.seconds[BATCH_RIG], report.seconds[BATCH_SOLVE], report.seconds[BATCH_WRITE]);
    batch_send(job->answer, timing);
    json_t *outputs = r == ER_OK ? list_outputs(job, stem) : NULL;
    if (outputs != NULL) {
        line = batch_line_done(id, &report, outputs);
    } else if (r == ER_OK) {
        line = batch_line_failed(id, &report, "options", "it wrote a file whose name is no UTF-8 text");
    } else {
        const char *error = er_context_error(context),
                   *reason = report.fail_reason != NULL ? report.fail_reason : batch_reason(r, last);
        if (strcmp(reason, "write") == 0) batch_send(job->answer, "unwritten\n");
        if (r == ER_ERROR_MEMORY) error = "it takes more memory than the limit allows; raise --memory";
        line = batch_line_failed(id, &report, reason, *error != '\0' ? without_place(job, error) : eri_result_text(r));
    }
    if (line == NULL) _Exit(1);
    batch_send(job->answer, line);
    batch_send(job->answer, "\n");
    free(line);
    free(stem);
    free(name);
    batch_report_end(&report);
    er_context_destroy(context);
}

_Noreturn void batch_worker(const batch_job *job)
{
    batch_dependencies dependencies = {0};
    batch_digest digest;
    batch_identity id = {job->input->key, &digest, job->def->options};
    char text[sizeof "digest  \n" + 2 * BATCH_DIGEST_SIZE];
    prepare(job);
    if (job->def->find_dependencies != NULL)
        job->def->find_dependencies(job->def->user, job->input->path, &dependencies);
    batch_digest_model(job->input->path, &dependencies, &digest);
    snprintf(text, sizeof text, "digest %s %s\n", *digest.file != '\0' ? digest.file : "-",
             *digest.dependency != '\0' ? digest.dependency : "-");
    batch_send(job->answer, text);
    json_t *earlier = job->earlier != NULL ? json_loads(job->earlier, 0, NULL) : NULL;
    bool kept = job->input->left || (earlier != NULL && is_up_to_date(job, earlier, &id));
    json_decref(earlier);
    if (kept)
        batch_send(job->answer, "kept\n");
    else
        do_model(job, &id);
    _Exit(0); // the parent's exit handlers must not run here
}

void batch_answer_read(char *text, size_t size, batch_answer *out)
{
    *out = (batch_answer){0};
    for (char *end, *line = text; (end = memchr(line, '\n', size - (size_t)(line - text))) != NULL; line = end + 1) {
        *end = '\0';
        double *s = out->seconds;
        if (sscanf(line, "digest %64s %64s", out->digest.file, out->digest.dependency) == 2) {
            if (strcmp(out->digest.file, "-") == 0) out->digest.file[0] = '\0';
            if (strcmp(out->digest.dependency, "-") == 0) out->digest.dependency[0] = '\0';
        } else if (strcmp(line, "kept") == 0) {
            out->kept = true;
        } else if (strcmp(line, "imported") == 0) {
            out->imported = true;
        } else if (strcmp(line, "unwritten") == 0) {
            out->unwritten = true;
        } else if (line[0] == '{') {
            out->line = line;
        } else {
            sscanf(line, "timing %lf %lf %lf %lf", &s[0], &s[1], &s[2], &s[3]);
        }
    }
}
