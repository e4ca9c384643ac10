// Modes as numbers: a table, and arrays of numpy.
#include <string.h>

#include <eigenrig/plots.h>

#include "formats/curves/curve_names.h"
#include "formats/curves/npz_archive.h"
#include "formats/curves/table.h"
#include "formats/modes_belong.h"

static er_result check(er_context *context, const er_model *model, const er_modes *modes, const char *path,
                       const char *what)
{
    if (model == NULL || modes == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s needs a model, its modes and a path", what);
    return eri_modes_belong(modes, model)
               ? ER_OK
               : er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: the modes are of another rig than \"%s\"",
                         path, model->name);
}

// --- CSV

// Columns of participation: effective masses, shares of joints in the potential and of bodies in the kinetic energy.
static er_result put_participation_heads(eri_out *out, const er_model *model)
{
    er_result r = ER_OK;
    const char **joint = eri_joint_names(out->text.arena, model), **body = eri_body_names(out->text.arena, model);
    ERI_TRY(joint != NULL && body != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int i = 0; i < 6; ++i)
        ERI_TRY(eri_table_head(out, "effective_mass", eri_coordinate_name(i)));
    for (int j = 0; j < model->joint_count; ++j)
        ERI_TRY(eri_table_head(out, joint[j], "strain_share"));
    for (int b = 0; b < model->body_count; ++b)
        ERI_TRY(eri_table_head(out, body[b], "motion_share"));
done:
    return r;
}

// @param share  [joint_count or body_count, the larger], overwritten
static void put_participation(eri_out *out, const er_model *model, const er_mode *mode, double *share)
{
    double mass[6];
    er_mode_effective_mass(model, mode, mass);
    eri_table_numbers(out, mass, 6);
    er_mode_joint_shares(model, mode, share);
    eri_table_numbers(out, share, model->joint_count);
    er_mode_body_shares(model, mode, share);
    eri_table_numbers(out, share, model->body_count);
}

static void put_mode(eri_out *out, const er_model *model, const er_modes *modes, const er_mode *mode, double *share)
{
    const double number[] = {mode->frequency_hz, mode->eigenvalue, mode->damped_hz, mode->damping_ratio};
    eri_out_printf(out, "%d,%s", er_modes_index(modes, mode), er_mode_kind_name(mode->kind));
    eri_table_numbers(out, number, (int)ERI_COUNT(number));
    eri_table_numbers(out, mode->joint, model->coordinate_count);
    put_participation(out, model, mode, share);
    eri_out_text(out, "\n");
}

er_result er_modes_write_csv(er_context *context, const er_model *model, const er_modes *modes, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    eri_out out = {0};
    double *share;
    ERI_TRY(check(context, model, modes, path, "er_modes_write_csv"));
    ERI_TRY(eri_out_begin(&out, context));
    ERI_TRY_NEW(share, out.text.arena, double, (size_t)model->joint_count + (size_t)model->body_count);
    eri_out_text(&out, "mode,kind,frequency_Hz,eigenvalue,damped_Hz,damping_ratio");
    ERI_TRY(eri_table_coordinates(&out, model, ""));
    ERI_TRY(put_participation_heads(&out, model));
    eri_out_text(&out, "\n");
    for (int k = 0; k < modes->count; ++k)
        put_mode(&out, model, modes, &modes->mode[k], share);
    ERI_TRY(eri_out_write(&out, path));
done:
    eri_out_end(&out);
    return r;
}

// --- NPZ

static er_result add_words(eri_npz *z, const er_modes *modes)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count;
    int32_t *index;
    const char **kind;
    ERI_TRY_NEW(index, z->arena, int32_t, count);
    ERI_TRY_NEW(kind, z->arena, const char *, count);
    for (size_t k = 0; k < count; ++k) {
        index[k] = er_modes_index(modes, &modes->mode[k]);
        kind[k] = er_mode_kind_name(modes->mode[k].kind);
    }
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"mode", 'i', sizeof *index, {count}, 1, index}));
    ERI_TRY(eri_npz_add_text(z, "kind", modes->count, kind));
done:
    return r;
}

// A number of each mode, which lies at that place in er_mode.
static er_result add_number(eri_npz *z, const char *name, const er_modes *modes, size_t place)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count;
    double *number;
    ERI_TRY_RESERVE(number, z->arena, double, count);
    for (size_t k = 0; k < count; ++k)
        memcpy(&number[k], (const char *)&modes->mode[k] + place, sizeof *number);
    ERI_TRY(eri_npz_add_numbers(z, name, 1, &count, number));
done:
    return r;
}

static er_result add_shapes(eri_npz *z, const er_model *model, const er_modes *modes)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count, bodies = (size_t)model->body_count,
           coordinates = (size_t)model->coordinate_count;
    double *body, *joint;
    ERI_TRY_RESERVE(body, z->arena, double, 6 * count * bodies);
    ERI_TRY_RESERVE(joint, z->arena, double, count *coordinates);
    for (size_t k = 0; k < count; ++k) {
        memcpy(body + 6 * k * bodies, modes->mode[k].body, 6 * bodies * sizeof *body);
        memcpy(joint + k * coordinates, modes->mode[k].joint, coordinates * sizeof *joint);
    }
    ERI_TRY(eri_npz_add_numbers(z, "body", 3, (size_t[]){count, bodies, 6}, body));
    ERI_TRY(eri_npz_add_numbers(z, "joint", 2, (size_t[]){count, coordinates}, joint));
done:
    return r;
}

// Shares of joints in the potential energy, of bodies in the kinetic energy, and effective masses.
static er_result add_participation(eri_npz *z, const er_model *model, const er_modes *modes)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count, bodies = (size_t)model->body_count, joints = (size_t)model->joint_count;
    double *body, *joint, *mass;
    ERI_TRY_RESERVE(body, z->arena, double, count *bodies);
    ERI_TRY_RESERVE(joint, z->arena, double, count *joints);
    ERI_TRY_RESERVE(mass, z->arena, double, 6 * count);
    for (size_t k = 0; k < count; ++k) {
        er_mode_body_shares(model, &modes->mode[k], body + k * bodies);
        er_mode_joint_shares(model, &modes->mode[k], joint + k * joints);
        er_mode_effective_mass(model, &modes->mode[k], mass + 6 * k);
    }
    ERI_TRY(eri_npz_add_numbers(z, "body_share", 2, (size_t[]){count, bodies}, body));
    ERI_TRY(eri_npz_add_numbers(z, "joint_share", 2, (size_t[]){count, joints}, joint));
    ERI_TRY(eri_npz_add_numbers(z, "effective_mass", 2, (size_t[]){count, 6}, mass));
done:
    return r;
}

// The roots of each mode, that with the imaginary part above 0 first, or the one that decays slower.
static er_result add_roots(eri_npz *z, const er_modes *modes)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count;
    double *root;
    if (modes->damped_count == 0) return ER_OK;
    ERI_TRY_RESERVE(root, z->arena, double, 4 * count);
    for (size_t k = 0; k < count; ++k) {
        double beat = 2.0 * ER_PI * modes->mode[k].damped_hz;
        const double pair[4] = {-modes->damped[k].decay[0], beat, -modes->damped[k].decay[1], -beat};
        memcpy(root + 4 * k, pair, sizeof pair);
    }
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"root", 'c', 2 * sizeof *root, {count, 2}, 2, root}));
done:
    return r;
}

// The share of mode `of` in the two roots of mode k: a conjugate pair, or two real numbers. Without damped shapes, only
// mode k itself has a share.
static void put_share(const er_modes *modes, size_t k, size_t of, double *out)
{
    const er_damped_mode *d = &modes->damped[k];
    bool pair = modes->mode[k].damped_hz > 0.0;
    double one = d->shape[0] != NULL ? d->shape[0][of] : k == of,
           other = d->shape[0] != NULL ? d->shape[1][of] : k == of;
    const double real[2] = {one, pair ? one : other}, imaginary = pair && d->shape[0] != NULL ? other : 0.0;
    for (size_t i = 0; i < 2; ++i) {
        out[2 * (i * (size_t)modes->count + of)] = real[i];
        out[2 * (i * (size_t)modes->count + of) + 1] = i == 0 ? imaginary : -imaginary;
    }
}

static er_result add_damped_shapes(eri_npz *z, const er_modes *modes)
{
    er_result r = ER_OK;
    size_t count = (size_t)modes->count;
    double *share;
    bool coupled = false;
    for (int k = 0; k < modes->damped_count; ++k)
        coupled |= modes->damped[k].shape[0] != NULL;
    if (!coupled) return ER_OK;
    ERI_TRY_RESERVE(share, z->arena, double, 4 * count * count);
    for (size_t k = 0; k < count; ++k)
        for (size_t of = 0; of < count; ++of)
            put_share(modes, k, of, share + 4 * k * count);
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"damped_shape", 'c', 2 * sizeof *share, {count, 2, count}, 3, share}));
done:
    return r;
}

typedef struct numbered {
    const er_model *model;
    const er_modes *modes;
} numbered;

static er_result add_modes(eri_npz *z, const void *data)
{
    er_result r = ER_OK;
    const er_model *model = ((const numbered *)data)->model;
    const er_modes *modes = ((const numbered *)data)->modes;
    const char **body = eri_body_names(z->arena, model);
    ERI_TRY(body != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(add_words(z, modes));
    ERI_TRY(add_number(z, "frequency", modes, offsetof(er_mode, frequency_hz)));
    ERI_TRY(add_number(z, "eigenvalue", modes, offsetof(er_mode, eigenvalue)));
    ERI_TRY(add_number(z, "damped_frequency", modes, offsetof(er_mode, damped_hz)));
    ERI_TRY(add_number(z, "damping_ratio", modes, offsetof(er_mode, damping_ratio)));
    ERI_TRY(add_shapes(z, model, modes));
    ERI_TRY(add_participation(z, model, modes));
    ERI_TRY(add_roots(z, modes));
    ERI_TRY(add_damped_shapes(z, modes));
    ERI_TRY(eri_npz_add_text(z, "body_names", model->body_count, body));
    ERI_TRY(eri_npz_add_joints(z, model));
done:
    return r;
}

er_result er_modes_write_npz(er_context *context, const er_model *model, const er_modes *modes, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, model, modes, path, "er_modes_write_npz");
    return r == ER_OK ? eri_npz_write(context, path, add_modes, &(numbered){model, modes}) : r;
}
