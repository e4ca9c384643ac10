#include <eigenrig/file.h>

#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "file/atomic.h"
#include "file/json.h"
#include "file/rig_json.h"

bool er_file_is_rig(er_context *context, const char *path)
{
    if (context == NULL || path == NULL) return false;
    if (strcmp(path, "-") == 0 || er_path_ends_in(path, ".json")) return true;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false; // looking into a pipe would empty it
    er_arena *scratch = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0, first = 0;
    bool ours = false;
    if (er_arena_create(context, &scratch) == ER_OK &&
        er_file_read(scratch, path, ER_JSON_SIZE_LIMIT, &bytes, &size) == ER_OK) {
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
    er_result r = er_json_read(context, path, "a rig file", &json);
    if (r != ER_OK) return r;
    const json_t *rig = er_json_has_format(json, "eigenrig-palette") ? json_object_get(json, "rig") : json;
    if (er_json_has_format(rig, "eigenrig-rig"))
        r = er_rig_from_json(context, path, rig, out);
    else
        r = er_fail(context, ER_ERROR_FORMAT, "%s: not a rig file: it does not say \"format\": \"eigenrig-rig\"", path);
    json_decref(json);
    return r;
}

// A name that is not UTF-8 cannot stand in JSON.
static er_result check_names(er_context *context, const er_model *model, const char *path)
{
    bool sound = er_utf8_valid(model->name) && er_utf8_valid(model->source);
    for (int b = 0; b < model->body_count; ++b)
        sound &= er_utf8_valid(model->body[b].name);
    for (int k = 0; k < model->joint_count; ++k)
        sound &= er_utf8_valid(model->joint[k].name);
    if (sound) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "%s: a name of the rig is not UTF-8 text; rename it", path);
}

er_result er_file_write_rig(er_context *context, const er_model *model, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_write_rig needs a model and a path");
    er_result r = check_names(context, model, path);
    return r == ER_OK ? er_json_write(context, er_rig_to_json(model), path) : r;
}

static json_t *body_rows(const er_model *model, const double *body)
{
    json_t *list = json_array();
    for (int b = 0; b < model->body_count; ++b)
        er_json_append(&list, er_json_numbers(body + 6 * b, 6));
    return list;
}

static json_t *joint_rows(const er_model *model, const double *joint)
{
    json_t *list = json_array();
    const int *at = model->coordinate;
    for (int k = 0; k < model->joint_count; ++k)
        er_json_append(&list, er_json_numbers(joint + at[k], at[k + 1] - at[k]));
    return list;
}

static void set_damping(json_t **mode, const er_damped_mode *damped, int count)
{
    er_json_set(mode, "decay", er_json_numbers(damped->decay, 2));
    if (damped->shape[0] == NULL) return;
    er_json_set(mode, "damped_shape",
                json_pack("[o,o]", er_json_numbers(damped->shape[0], count), er_json_numbers(damped->shape[1], count)));
}

er_result er_file_write_palette(er_context *context, const er_model *model, const er_modes *modes, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_write_palette needs a model, its modes and a path");
    er_result r = check_names(context, model, path);
    if (r != ER_OK) return r;
    json_t *list = json_array();
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *m = &modes->mode[k];
        json_t *mode = json_pack("{s:i, s:s, s:f, s:f, s:f, s:f, s:o, s:o}", "index", modes->first + k, "kind",
                                 er_mode_kind_name(m->kind), "frequency_hz", m->frequency_hz, "eigenvalue",
                                 m->eigenvalue, "damping_ratio", m->damping_ratio, "damped_hz", m->damped_hz, "body",
                                 body_rows(model, m->body), "joint", joint_rows(model, m->joint));
        if (modes->damped_count > 0) set_damping(&mode, &modes->damped[k], modes->count);
        er_json_append(&list, mode);
    }
    json_t *palette = json_pack(
        "{s:s, s:i, s:o, s:s, s:i, s:i, s:i, s:i, s:o}", "format", "eigenrig-palette", "version", 1, "rig",
        er_rig_to_json(model), "method", er_modal_method_name(modes->method), "dof", modes->dof, "constraints",
        modes->constraint_count, "rank", modes->rank, "rigid_modes", modes->rigid_count, "modes", list);
    return er_json_write(context, palette, path);
}
