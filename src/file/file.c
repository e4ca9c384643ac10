#include <eigenrig/file.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "file/atomic.h"
#include "file/rig_json.h"

static const size_t size_limit = (size_t)1
                                 << 31; // of a rig or palette file: a rig of a million bodies takes about 1 GiB

static er_result read_json(er_context *context, const char *path, json_t **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_error_t error;
    *out = NULL;
    ER_TRY(er_arena_create(context, &scratch));
    ER_TRY(er_file_read(scratch, path, size_limit, &bytes, &size));
    *out = json_loadb((const char *)bytes, size, JSON_ALLOW_NUL, &error);
    if (*out == NULL)
        r = er_fail(context, ER_ERROR_FORMAT, "%s: not a rig file: line %d, column %d: %s", path, error.line,
                    error.column, error.text);
done:
    er_arena_destroy(scratch);
    return r;
}

static bool has_format(const json_t *json, const char *format)
{
    const char *found = json_string_value(json_object_get(json, "format"));
    return found != NULL && strcmp(found, format) == 0;
}

static bool ends_in_json(const char *path)
{
    size_t length = strlen(path);
    return length >= 5 && strcasecmp(path + length - 5, ".json") == 0;
}

bool er_file_is_rig(er_context *context, const char *path)
{
    if (context == NULL || path == NULL) return false;
    if (strcmp(path, "-") == 0 || ends_in_json(path)) return true;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false; // looking into a pipe would empty it
    er_arena *scratch = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0, first = 0;
    bool ours = false;
    if (er_arena_create(context, &scratch) == ER_OK &&
        er_file_read(scratch, path, size_limit, &bytes, &size) == ER_OK) {
        while (first < size && strchr(" \t\r\n", bytes[first]) != NULL && bytes[first] != '\0')
            ++first;
        bool text = bytes != NULL && first < size && bytes[first] == '{';
        ours = text && (memmem(bytes, size, "\"eigenrig-rig\"", 14) != NULL ||
                        memmem(bytes, size, "\"eigenrig-palette\"", 18) != NULL);
    }
    er_arena_destroy(scratch);
    return ours;
}

er_result er_file_read_rig(er_context *context, const char *path, er_model **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_file_read_rig needs a path");
    json_t *json = NULL;
    er_result r = read_json(context, path, &json);
    if (r != ER_OK) return r;
    const json_t *rig = has_format(json, "eigenrig-palette") ? json_object_get(json, "rig") : json;
    if (has_format(rig, "eigenrig-rig"))
        r = er_rig_from_json(context, path, rig, out);
    else
        r = er_fail(context, ER_ERROR_FORMAT, "%s: not a rig file: it does not say \"format\": \"eigenrig-rig\"", path);
    json_decref(json);
    return r;
}

// Takes the reference.
static er_result write_json(er_context *context, json_t *json, const char *path)
{
    char *text = json != NULL ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    if (text == NULL) return er_fail(context, ER_ERROR_MEMORY, "%s: out of memory", path);
    size_t length = strlen(text);
    text[length] = '\n'; // in place of the terminator: every line of the file ends
    er_result r = er_file_write(context, path, text, length + 1);
    free(text);
    return r;
}

er_result er_file_write_rig(er_context *context, const er_model *model, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_write_rig needs a model and a path");
    return write_json(context, er_rig_to_json(model), path);
}

static json_t *body_rows(const er_model *model, const double *body)
{
    json_t *list = json_array();
    for (int b = 0; b < model->body_count; ++b)
        json_array_append_new(list, er_json_numbers(body + 6 * b, 6));
    return list;
}

static json_t *joint_rows(const er_model *model, const double *joint)
{
    json_t *list = json_array();
    const int *at = model->coordinate;
    for (int k = 0; k < model->joint_count; ++k)
        json_array_append_new(list, er_json_numbers(joint + at[k], at[k + 1] - at[k]));
    return list;
}

er_result er_file_write_palette(er_context *context, const er_model *model, const er_modes *modes, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_write_palette needs a model, its modes and a path");
    json_t *list = json_array();
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *m = &modes->mode[k];
        json_array_append_new(list, json_pack("{s:i, s:s, s:f, s:f, s:f, s:o, s:o}", "index", k, "kind",
                                              er_mode_kind_name(m->kind), "frequency_hz", m->frequency_hz, "eigenvalue",
                                              m->eigenvalue, "damping_ratio", m->damping_ratio, "body",
                                              body_rows(model, m->body), "joint", joint_rows(model, m->joint)));
    }
    bool whole = json_array_size(list) == (size_t)modes->count;
    json_t *palette = json_pack(
        "{s:s, s:i, s:o, s:s, s:i, s:i, s:i, s:i, s:o}", "format", "eigenrig-palette", "version", 1, "rig",
        er_rig_to_json(model), "method", er_modal_method_name(modes->method), "dof", modes->dof, "constraints",
        modes->constraint_count, "rank", modes->rank, "rigid_modes", modes->rigid_count, "modes", list);
    if (!whole) {
        json_decref(palette);
        palette = NULL;
    }
    return write_json(context, palette, path);
}
