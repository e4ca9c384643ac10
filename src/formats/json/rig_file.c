// Rig files and palettes by their paths: told apart, read, written.
#include <eigenrig/formats.h>

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "formats/json/json.h"
#include "formats/json/rig_json.h"

bool er_file_is_rig(er_context *context, const char *path)
{
    if (context == NULL || path == NULL) return false;
    if (strcmp(path, "-") == 0 || er_path_ends_in(path, ".json")) return true;
    if (!eri_platform_is_regular(path)) return false; // looking into a pipe would empty it
    er_arena *scratch = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0, first = 0;
    bool ours = false;
    if (eri_arena_create(context, &scratch) == ER_OK &&
        eri_file_read(scratch, path, ERI_JSON_SIZE_LIMIT, &bytes, &size) == ER_OK) {
        first = eri_utf8_mark(bytes, size);
        while (first < size && strchr(" \t\r\n", bytes[first]) != NULL && bytes[first] != '\0')
            ++first;
        bool text = bytes != NULL && first < size && bytes[first] == '{';
        ours = text && (eri_platform_find(bytes, size, "\"eigenrig-rig\"", 14) != NULL ||
                        eri_platform_find(bytes, size, "\"eigenrig-palette\"", 18) != NULL);
    }
    eri_arena_destroy(scratch);
    return ours;
}

er_result er_rig_file_read(er_context *context, const char *path, er_warning_callback *warn, void *user, er_model **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_rig_file_read needs a path");
    json_t *json = NULL;
    er_result r = eri_json_read(context, path, "a rig file", &json);
    if (r != ER_OK) return r;
    bool holds_rig = eri_json_has_format(json, "eigenrig-palette") || eri_json_has_format(json, "eigenrig-world");
    const json_t *rig = holds_rig ? json_object_get(json, "rig") : json;
    if (eri_json_has_format(rig, "eigenrig-rig"))
        r = eri_rig_from_json(context, path, rig, out);
    else
        r = er_fail(context, ER_ERROR_FORMAT, "%s: not a rig file: it does not say \"format\": \"eigenrig-rig\"", path);
    if (r == ER_OK && warn != NULL) eri_rig_warn_misspelled(rig, warn, user);
    json_decref(json);
    return r;
}

// A number of an object; NAN where it has none.
static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void read_verdict(const json_t *of, const er_modes *modes, double *true_to)
{
    double index = number_of(of, "index"), hz = number_of(of, "frequency_hz"),
           degrees = number_of(of, "true_to_degrees");
    if (!(index >= 0.0 && index <= 1e9 && degrees >= 0.0 && degrees <= 360.0)) return;
    const er_mode *mode = er_modes_find(modes, (int)index);
    if (mode == NULL || !(fabs(hz - mode->frequency_hz) <= 1e-6 * mode->frequency_hz)) return;
    true_to[mode - modes->mode] = degrees;
}

er_result er_palette_file_read_validity(er_context *context, const char *path, const er_modes *modes, double *true_to)
{
    json_t *json = NULL, *of;
    size_t i;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL || modes == NULL || true_to == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_palette_file_read_validity needs a path, modes, and room");
    for (int k = 0; k < modes->count; ++k)
        true_to[k] = NAN;
    er_result r = eri_json_read(context, path, "a palette file", &json);
    if (r != ER_OK) return r;
    json_array_foreach(json_object_get(json, "modes"), i, of) read_verdict(of, modes, true_to);
    json_decref(json);
    return ER_OK;
}

// A name that is not UTF-8 cannot stand in JSON.
static er_result check_names(er_context *context, const er_model *model, const char *path)
{
    bool valid = eri_utf8_valid(model->name) && eri_utf8_valid(model->source);
    for (int b = 0; b < model->body_count; ++b)
        valid &= eri_utf8_valid(model->body[b].name);
    for (int k = 0; k < model->joint_count; ++k)
        valid &= eri_utf8_valid(model->joint[k].name);
    if (valid) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "%s: a name of the rig is not UTF-8 text; rename it", path);
}

er_result er_rig_file_write(er_context *context, const er_model *model, const char *path)
{
    return er_rig_file_write_report(context, model, NULL, path);
}

er_result er_rig_file_write_report(er_context *context, const er_model *model, const char *report, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a rig file needs a model and a path");
    eri_json_out *out;
    er_result r = check_names(context, model, path);
    if (r == ER_OK) r = eri_json_begin(context, path, &out);
    if (r != ER_OK) return r;
    eri_rig_to_json(out, model);
    if (report != NULL) eri_json_word(out, "report", report);
    return eri_json_end(out);
}

static void put_damping(eri_json_out *out, const er_damped_mode *damped, int count)
{
    eri_json_numbers(out, "decay", damped->decay, 2);
    if (damped->shape[0] == NULL) return;
    eri_json_open(out, "damped_shape", '[');
    for (int i = 0; i < 2; ++i)
        eri_json_numbers(out, NULL, damped->shape[i], count);
    eri_json_close(out, ']');
}

// Regions that hold less than this share of a mode are left out.
static const double least_share = 0.005;

static void put_name(eri_json_out *out, const er_mode_names *names, const er_mode_name *name)
{
    eri_json_text(out, "name", name->name);
    eri_json_number(out, "sure", name->sure);
    eri_json_number(out, "parity", name->parity);
    const double *const share[] = {name->share, name->motion};
    for (int i = 0; i < 2; ++i) {
        eri_json_open(out, i == 0 ? "regions" : "motion", '{');
        for (int g = 0; g < names->group_count; ++g)
            if (share[i][g] >= least_share) eri_json_number(out, names->group_name[g], share[i][g]);
        eri_json_close(out, '}');
    }
}

static void put_bound(eri_json_out *out, const er_mode_bound *bound)
{
    const double value[] = {bound->degrees, bound->limit, bound->contact, bound->linear};
    static const char *const key[] = {"degrees", "limit", "contact", "linear"};
    eri_json_open(out, "bound", '{');
    eri_json_text(out, "by", er_bound_name(bound->by));
    for (int i = 0; i < 4; ++i)
        if (value[i] < HUGE_VAL) eri_json_number(out, key[i], value[i]);
    eri_json_close(out, '}');
}

static void put_mode(eri_json_out *out, const er_model *model, const er_modes *modes, const er_mode_names *names,
                     const er_validity *validity, const er_mode_bound *bound, int k)
{
    const er_mode *m = &modes->mode[k];
    const er_mode_validity *judged = er_validity_find(validity, er_modes_index(modes, m));
    const er_mode_name *name = er_mode_names_at(names, er_modes_index(modes, m));
    const int *at = model->coordinate;
    double mass[6];
    er_mode_effective_mass(model, m, mass);
    eri_json_open(out, NULL, '{');
    eri_json_integer(out, "index", er_modes_index(modes, m));
    if (name != NULL) put_name(out, names, name);
    eri_json_text(out, "kind", er_mode_kind_name(m->kind));
    eri_json_number(out, "frequency_hz", m->frequency_hz);
    eri_json_number(out, "eigenvalue", m->eigenvalue);
    eri_json_number(out, "damping_ratio", m->damping_ratio);
    eri_json_number(out, "damped_hz", m->damped_hz);
    eri_json_numbers(out, "effective_mass", mass, 6);
    if (judged != NULL) eri_json_number(out, "true_to_degrees", judged->true_to_degrees);
    if (bound != NULL && m->kind == ER_MODE_ELASTIC) put_bound(out, &bound[k]);
    eri_json_open(out, "body", '[');
    for (int b = 0; b < model->body_count; ++b)
        eri_json_numbers(out, NULL, m->body + 6 * (ptrdiff_t)b, 6);
    eri_json_close(out, ']');
    eri_json_open(out, "joint", '[');
    for (int j = 0; j < model->joint_count; ++j)
        eri_json_numbers(out, NULL, m->joint + at[j], at[j + 1] - at[j]);
    eri_json_close(out, ']');
    if (modes->damped_count > 0) put_damping(out, &modes->damped[k], modes->count);
    eri_json_close(out, '}');
}

er_result er_palette_file_write(er_context *context, const er_model *model, const er_modes *modes,
                                const er_mode_names *names, const er_validity *validity, const er_mode_bound *bound,
                                const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a palette file needs a model, its modes and a path");
    eri_json_out *out;
    er_result r = check_names(context, model, path);
    if (r == ER_OK) r = eri_json_begin(context, path, &out);
    if (r != ER_OK) return r;
    eri_json_text(out, "format", "eigenrig-palette");
    eri_json_integer(out, "version", 1);
    eri_json_open(out, "rig", '{');
    eri_rig_to_json(out, model);
    eri_json_close(out, '}');
    eri_json_text(out, "method", er_modal_method_name(modes->method));
    eri_json_integer(out, "dof", modes->dof);
    eri_json_integer(out, "constraints", modes->constraint_count);
    eri_json_integer(out, "rank", modes->rank);
    eri_json_integer(out, "rigid_modes", modes->rigid_count);
    eri_json_open(out, "modes", '[');
    for (int k = 0; k < modes->count; ++k)
        put_mode(out, model, modes, names, validity, bound, k);
    eri_json_close(out, ']');
    return eri_json_end(out);
}
