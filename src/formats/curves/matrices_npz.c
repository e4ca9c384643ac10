// The matrices of a rig as arrays of numpy: dense where they are small, else as triplets; their rows and columns named.
#include <math.h>
#include <string.h>

#include <eigenrig/plots.h>

#include "formats/curves/curve_names.h"
#include "formats/curves/npz_archive.h"

enum { MOST_DENSE = 100 }; // bodies: 600 x 600 doubles are 3 MB

// --- matrices

static er_result add_dense(eri_npz *z, const char *name, const er_triplets *t)
{
    er_result r = ER_OK;
    const size_t shape[] = {(size_t)t->row_count, (size_t)t->column_count};
    double *dense = eri_arena_alloc(z->arena, shape[0], shape[1] * sizeof *dense);
    ERI_TRY(dense != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int k = 0; k < t->count; ++k)
        dense[(size_t)t->row[k] * shape[1] + (size_t)t->column[k]] = t->value[k];
    ERI_TRY(eri_npz_add_numbers(z, name, 2, shape, dense));
done:
    return r;
}

// NAME_PART
static er_result add_part(eri_npz *z, const char *name, const char *part, char kind, size_t width, size_t count,
                          const void *data)
{
    const char *file = eri_arena_printf(z->arena, "%s_%s", name, part);
    if (file == NULL) return ER_ERROR_MEMORY;
    return eri_npz_add(z, (eri_npz_array){file, kind, width, {count}, 1, data});
}

static er_result add_sparse(eri_npz *z, const char *name, const er_triplets *t)
{
    er_result r = ER_OK;
    size_t count = (size_t)t->count;
    int32_t *shape;
    ERI_TRY_NEW(shape, z->arena, int32_t, 2);
    shape[0] = t->row_count;
    shape[1] = t->column_count;
    ERI_TRY(add_part(z, name, "shape", 'i', sizeof *shape, 2, shape));
    ERI_TRY(add_part(z, name, "row", 'i', sizeof *t->row, count, t->row));
    ERI_TRY(add_part(z, name, "column", 'i', sizeof *t->column, count, t->column));
    ERI_TRY(add_part(z, name, "value", 'f', sizeof *t->value, count, t->value));
done:
    return r;
}

static er_result add_matrices(eri_npz *z, const er_modal_matrices *m, bool dense)
{
    const er_triplets *matrix[] = {&m->M, &m->K, &m->C, &m->G, &m->R, &m->N};
    static const char *const name[] = {"M", "K", "C", "G", "R", "N"};
    er_result r = ER_OK;
    for (size_t i = 0; i < ERI_COUNT(matrix) && r == ER_OK; ++i)
        r = (dense ? add_dense : add_sparse)(z, name[i], matrix[i]);
    return r;
}

// --- names

static er_result add_twist_names(eri_npz *z, const er_model *model, const char *const *body)
{
    static const char *const part[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
    er_result r = ER_OK;
    int count = 6 * model->body_count;
    const char **name;
    ERI_TRY_NEW(name, z->arena, const char *, count);
    for (int i = 0; i < count; ++i)
        ERI_TRY((name[i] = eri_arena_printf(z->arena, "%s.%s", body[i / 6], part[i % 6])) != NULL ? ER_OK
                                                                                                  : ER_ERROR_MEMORY);
    ERI_TRY(eri_npz_add_text(z, "twist_names", count, name));
done:
    return r;
}

// "JOINT.AXIS" of each.
static er_result add_axis_names(eri_npz *z, const char *what, int count, const char *const *joint, const int *of,
                                const int *axis)
{
    er_result r = ER_OK;
    const char **name;
    ERI_TRY_NEW(name, z->arena, const char *, count);
    for (int i = 0; i < count; ++i)
        ERI_TRY((name[i] = eri_arena_printf(z->arena, "%s.%s", joint[of[i]], eri_coordinate_name(axis[i]))) != NULL
                    ? ER_OK
                    : ER_ERROR_MEMORY);
    ERI_TRY(eri_npz_add_text(z, what, count, name));
done:
    return r;
}

static const char *motion_name(er_arena *arena, const er_admissible *a, int index, const char *const *body,
                               const char *const *joint)
{
    if (a->joint >= 0) return eri_arena_printf(arena, "%s.%s", joint[a->joint], eri_coordinate_name(a->axis));
    if (a->body >= 0) return eri_arena_printf(arena, "root %s.%s", body[a->body], eri_coordinate_name(a->axis));
    return eri_arena_printf(arena, "loops %d", index);
}

static er_result add_motion_names(eri_npz *z, const er_modal_matrices *m, const char *const *body,
                                  const char *const *joint)
{
    er_result r = ER_OK;
    int loops = 0;
    const char **name;
    ERI_TRY_NEW(name, z->arena, const char *, m->N.column_count);
    for (int k = 0; k < m->N.column_count; ++k) {
        const er_admissible *a = &m->admissible[k];
        name[k] = motion_name(z->arena, a, loops, body, joint);
        loops += a->joint < 0 && a->body < 0;
        ERI_TRY(name[k] != NULL ? ER_OK : ER_ERROR_MEMORY);
    }
    ERI_TRY(eri_npz_add_text(z, "motion_names", m->N.column_count, name));
done:
    return r;
}

static er_result add_names(eri_npz *z, const er_model *model, const er_modal_matrices *m)
{
    er_result r = ER_OK;
    const char **body = eri_body_names(z->arena, model), **joint = eri_joint_names(z->arena, model);
    ERI_TRY(body != NULL && joint != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(eri_npz_add_text(z, "body_names", model->body_count, body));
    ERI_TRY(add_twist_names(z, model, body));
    ERI_TRY(add_axis_names(z, "rate_names", model->coordinate_count, joint, m->coordinate_joint, m->coordinate_axis));
    ERI_TRY(add_axis_names(z, "constraint_names", m->G.row_count, joint, m->constraint_joint, m->constraint_axis));
    ERI_TRY(add_motion_names(z, m, body, joint));
done:
    return r;
}

// --- the file

typedef struct described {
    const er_model *model;
    const er_modal_matrices *matrices;
} described;

static er_result add_all(eri_npz *z, const void *data)
{
    er_result r = ER_OK;
    const er_model *model = ((const described *)data)->model;
    const er_modal_matrices *m = ((const described *)data)->matrices;
    size_t bodies = (size_t)model->body_count;
    ERI_TRY(add_matrices(z, m, model->body_count <= MOST_DENSE));
    ERI_TRY(add_names(z, model, m));
    ERI_TRY(eri_npz_add_rows(z, "position", 2, (size_t[]){bodies, 3}, &m->pose->p, sizeof *m->pose));
    ERI_TRY(eri_npz_add_rows(z, "orientation", 2, (size_t[]){bodies, 4}, &m->pose->q, sizeof *m->pose));
    ERI_TRY(eri_npz_add_numbers(z, "rayleigh_mass", 0, NULL, &model->rayleigh_mass));
    ERI_TRY(eri_npz_add_numbers(z, "rayleigh_stiffness", 0, NULL, &model->rayleigh_stiffness));
    ERI_TRY(eri_npz_add_numbers(z, "damping_ratio", 0, NULL, &model->damping_ratio));
done:
    return r;
}

static bool is_of_joints(const er_model *model, int count, const int *joint)
{
    for (int i = 0; i < count; ++i)
        if (joint[i] < 0 || joint[i] >= model->joint_count) return false;
    return true;
}

// Whether all that matrices refer to is there.
static bool fits(const er_model *model, const er_modal_matrices *m)
{
    return m->M.row_count == 6 * model->body_count && m->K.row_count == model->coordinate_count &&
           m->G.row_count == 6 * model->joint_count - model->coordinate_count &&
           is_of_joints(model, m->G.row_count, m->constraint_joint) &&
           is_of_joints(model, m->K.row_count, m->coordinate_joint);
}

er_result er_modal_matrices_write_npz(er_context *context, const er_model *model, const er_modal_matrices *matrices,
                                      const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || matrices == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_modal_matrices_write_npz needs a model, its matrices and a path");
    if (!fits(model, matrices)) return er_fail(context, ER_ERROR_ARGUMENT, "the matrices are not those of the model");
    return eri_npz_write(context, path, add_all, &(described){model, matrices});
}
