// Lines of the manifest: the results of a model, or the reason why it failed.
#include "tools/batch/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/batch/inputs.h"

enum { DIGITS = 9 }; // of numbers for people; palettes hold all

void batch_report_begin(batch_report *report, int answer)
{
    *report =
        (batch_report){.began = eri_seconds(), .names = json_object(), .warnings = json_array(), .answer = answer};
}

void batch_report_end(batch_report *report)
{
    json_decref(report->figures);
    json_decref(report->names);
    json_decref(report->warnings);
    *report = (batch_report){0};
}

void batch_begin_stage(batch_report *report, batch_stage stage)
{
    double t = eri_seconds();
    report->seconds[report->stage] += t - report->began;
    if (report->stage == BATCH_IMPORT && stage != BATCH_IMPORT) batch_send(report->answer, "imported\n");
    report->stage = stage;
    report->began = t;
}

void batch_send(int answer, const char *text)
{
    for (size_t size = strlen(text); size > 0;) {
        ptrdiff_t sent = eri_platform_write(answer, text, size);
        if (sent <= 0) _Exit(1);
        text += sent;
        size -= (size_t)sent;
    }
}

void batch_set_reason(batch_report *report, const char *reason)
{
    report->fail_reason = reason;
}

static json_t *string(const char *text)
{
    char *copy = batch_utf8(text);
    json_t *value = copy != NULL ? json_string(copy) : NULL;
    free(copy);
    return value;
}

void batch_warn(batch_report *report, const char *text)
{
    json_array_append_new(report->warnings, string(text));
}

void batch_measure(batch_report *report, const er_model *model, const er_modes *modes, double height)
{
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        mass += model->body[b].mass;
    json_t *hz = json_array(), *f = json_object();
    for (int k = 0; k < modes->count; ++k)
        json_array_append_new(hz, json_real(modes->mode[k].frequency_hz));
    json_object_set_new(f, "bodies", json_integer(model->body_count));
    json_object_set_new(f, "joints", json_integer(model->joint_count));
    json_object_set_new(f, "loops", json_integer(model->loop_count));
    json_object_set_new(f, "dof", json_integer(modes->dof));
    json_object_set_new(f, "mass_kg", json_real(mass));
    json_object_set_new(f, "height_m", height > 0.0 ? json_real(height) : json_null());
    json_object_set_new(f, "rigid", json_integer(modes->rigid_count));
    json_object_set_new(f, "mechanisms", json_integer(modes->mechanism_count));
    json_object_set_new(f, "elastic", json_integer(modes->dof - modes->rigid_count - modes->mechanism_count));
    json_object_set_new(f, "first_mode", json_integer(modes->first));
    json_object_set_new(f, "frequencies_hz", hz);
    json_decref(report->figures);
    report->figures = f;
}

// The list or object of a key; created if absent.
static json_t *member(json_t *object, const char *key, bool list)
{
    json_t *found = json_object_get(object, key);
    if (found != NULL) return found;
    json_object_set_new(object, key, list ? json_array() : json_object());
    return json_object_get(object, key);
}

void batch_name(batch_report *report, const char *list, const char *name)
{
    json_t *names = member(report->names, list, true);
    if (name != NULL) json_array_append_new(names, string(name));
}

void batch_put(batch_report *report, const char *key, const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    if (value != NULL) json_object_set_new(report->names, key, value);
}

void batch_match(batch_report *report, const char *kind, const char *word, const char *name)
{
    json_t *kinds = member(report->names, "matched", false), *words = member(kinds, kind, false);
    char *key = batch_utf8(word);
    json_t *names = key != NULL ? member(words, key, true) : NULL;
    if (name != NULL) json_array_append_new(names, string(name));
    free(key);
}

static json_t *begin_line(const batch_identity *id, const char *status)
{
    json_t *line = json_object();
    const batch_digest *d = id->digest;
    json_object_set_new(line, "input", json_string(id->key));
    json_object_set_new(line, "sha256", d->file[0] != '\0' ? json_string(d->file) : json_null());
    json_object_set_new(line, "beside", d->dependency[0] != '\0' ? json_string(d->dependency) : json_null());
    json_object_set_new(line, "version", json_string(er_version()));
    json_object_set_new(line, "options", string(id->options));
    json_object_set_new(line, "status", json_string(status));
    return line;
}

static char *end_line(json_t *line)
{
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    json_decref(line);
    return text;
}

char *batch_line_done(const batch_identity *id, batch_report *report, json_t *outputs)
{
    json_t *line = begin_line(id, "done");
    json_object_set_new(line, "reason", json_null());
    json_object_set_new(line, "error", json_null());
    if (report->figures != NULL) json_object_update(line, report->figures);
    json_object_update(line, report->names);
    json_object_set(line, "warnings", report->warnings);
    json_object_set_new(line, "outputs", outputs);
    return end_line(line);
}

char *batch_line_failed(const batch_identity *id, batch_report *report, const char *reason, const char *error)
{
    json_t *line = begin_line(id, "failed");
    json_object_set_new(line, "reason", json_string(reason));
    json_object_set_new(line, "error", string(error));
    if (report != NULL) json_object_set(line, "warnings", report->warnings);
    if (report == NULL) json_object_set_new(line, "warnings", json_array());
    json_object_set_new(line, "outputs", json_array());
    return end_line(line);
}

const char *batch_reason(er_result r, batch_stage stage)
{
    switch (r) {
    case ER_ERROR_MEMORY:
        return "memory";
    case ER_ERROR_FILE:
        return stage == BATCH_WRITE ? "write" : "file";
    case ER_ERROR_FORMAT:
        return "format";
    case ER_ERROR_IMPORT:
        return "import";
    case ER_ERROR_RIG:
        return "rig";
    case ER_ERROR_NOT_POSDEF:
    case ER_ERROR_NO_CONVERGENCE:
        return "numbers";
    case ER_ERROR_SYSTEM:
        return "system";
    default:
        return "options"; // the given ones do not suit this model
    }
}

bool batch_reason_may_pass(const char *reason)
{
    static const char *const stay[] = {"format", "rig", "numbers", "options", "warnings"};
    for (size_t i = 0; i < sizeof stay / sizeof stay[0]; ++i)
        if (strcmp(reason, stay[i]) == 0) return false;
    return true;
}

static bool says(const json_t *line, const char *name, const char *value)
{
    const char *text = json_string_value(json_object_get(line, name));
    return strcmp(text != NULL ? text : "", value) == 0;
}

bool batch_line_is_of(const json_t *line, const batch_identity *id)
{
    char *options = batch_utf8(id->options);
    bool same = options != NULL && says(line, "sha256", id->digest->file) &&
                says(line, "beside", id->digest->dependency) && says(line, "version", er_version()) &&
                says(line, "options", options);
    free(options);
    return same;
}
