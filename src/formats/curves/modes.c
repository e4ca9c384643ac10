// Modes as numbers: a table, and arrays of numpy.
#include <string.h>

#include <eigenrig/formats.h>

#include "formats/curves/archive.h"
#include "formats/curves/motion.h"
#include "formats/curves/table.h"
#include "formats/whose.h"

static er_result check(er_context *context, const er_model *model, const er_modes *modes, const char *path,
                       const char *what)
{
    if (model == NULL || modes == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s needs a model, its modes and a path", what);
    return er_modes_are_of(modes, model)
               ? ER_OK
               : er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: the modes are of another rig than \"%s\"",
                         path, model->name);
}

// --- CSV

static void put_mode(er_out *out, const er_model *model, const er_modes *modes, const er_mode *mode)
{
    const double number[] = {mode->frequency_hz, mode->eigenvalue, mode->damped_hz, mode->damping_ratio};
    er_out_printf(out, "%d,%s", er_modes_index(modes, mode), er_mode_kind_name(mode->kind));
    er_table_numbers(out, number, (int)ER_COUNT(number));
    er_table_numbers(out, mode->joint, model->coordinate_count);
    er_out_text(out, "\n");
}

er_result er_modes_write_csv(er_context *context, const er_model *model, const er_modes *modes, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_out out = {0};
    ER_TRY(check(context, model, modes, path, "er_modes_write_csv"));
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY(er_out_begin(&out, arena));
    er_out_text(&out, "mode,kind,frequency_Hz,eigenvalue,damped_Hz,damping_ratio");
    ER_TRY(er_table_coordinates(&out, model));
    for (int k = 0; k < modes->count; ++k)
        put_mode(&out, model, modes, &modes->mode[k]);
    ER_TRY(er_out_write(&out, path));
done:
    er_out_end(&out);
    er_arena_destroy(arena);
    return r;
}

// --- NPZ

static er_result add_words(er_npz *z, const er_modes *modes)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count;
    int32_t *index;
    const char **kind;
    ER_TRY_NEW(index, z->arena, int32_t, count);
    ER_TRY_NEW(kind, z->arena, const char *, count);
    for (size_t k = 0; k < count; ++k) {
        index[k] = er_modes_index(modes, &modes->mode[k]);
        kind[k] = er_mode_kind_name(modes->mode[k].kind);
    }
    ER_TRY(er_npz_add(z, (er_npz_array){"mode", 'i', sizeof *index, {count}, 1, index}));
    ER_TRY(er_npz_add_text(z, "kind", modes->count, kind));
done:
    return r;
}

// A number of each mode, which lies at that place in er_mode.
static er_result add_number(er_npz *z, const char *name, const er_modes *modes, size_t place)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count;
    double *number;
    ER_TRY_RESERVE(number, z->arena, double, count);
    for (size_t k = 0; k < count; ++k)
        memcpy(&number[k], (const char *)&modes->mode[k] + place, sizeof *number);
    ER_TRY(er_npz_add_numbers(z, name, 1, &count, number));
done:
    return r;
}

static er_result add_shapes(er_npz *z, const er_model *model, const er_modes *modes)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count, bodies = (size_t)model->body_count,
           coordinates = (size_t)model->coordinate_count;
    double *body, *joint;
    ER_TRY_RESERVE(body, z->arena, double, 6 * count * bodies);
    ER_TRY_RESERVE(joint, z->arena, double, count *coordinates);
    for (size_t k = 0; k < count; ++k) {
        memcpy(body + 6 * k * bodies, modes->mode[k].body, 6 * bodies * sizeof *body);
        memcpy(joint + k * coordinates, modes->mode[k].joint, coordinates * sizeof *joint);
    }
    ER_TRY(er_npz_add_numbers(z, "body", 3, (size_t[]){count, bodies, 6}, body));
    ER_TRY(er_npz_add_numbers(z, "joint", 2, (size_t[]){count, coordinates}, joint));
done:
    return r;
}

static er_result add_modes(er_npz *z, const er_model *model, const er_modes *modes)
{
    er_result r = ER_OK;
    const char **body = er_body_names(z->arena, model);
    ER_TRY(body != NULL ? ER_OK : ER_ERROR_MEMORY);
    ER_TRY(add_words(z, modes));
    ER_TRY(add_number(z, "frequency", modes, offsetof(er_mode, frequency_hz)));
    ER_TRY(add_number(z, "eigenvalue", modes, offsetof(er_mode, eigenvalue)));
    ER_TRY(add_number(z, "damped_frequency", modes, offsetof(er_mode, damped_hz)));
    ER_TRY(add_number(z, "damping_ratio", modes, offsetof(er_mode, damping_ratio)));
    ER_TRY(add_shapes(z, model, modes));
    ER_TRY(er_npz_add_text(z, "body_names", model->body_count, body));
    ER_TRY(er_npz_add_joints(z, model));
done:
    return r;
}

er_result er_modes_write_npz(er_context *context, const er_model *model, const er_modes *modes, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_npz z = {0};
    ER_TRY(check(context, model, modes, path, "er_modes_write_npz"));
    ER_TRY(er_npz_begin(&z, context, path));
    ER_TRY(add_modes(&z, model, modes));
    ER_TRY(er_npz_save(&z));
done:
    er_npz_end(&z);
    return r;
}
