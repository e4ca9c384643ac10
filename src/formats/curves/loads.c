/// @file
/// Forces of a motion as tables: CSV, and arrays of numpy.
#include "formats/curves/loads.h"

#include <math.h>
#include <stdio.h>

#include "formats/curves/curve_names.h"
#include "formats/curves/npz_archive.h"
#include "formats/curves/table.h"

static bool all_within(const double *x, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!(fabs(x[i]) <= 1e50)) return false; // as er_curves' numbers
    return true;
}

er_result eri_loads_check(er_context *context, const er_loads *l, const char *path, const char *what)
{
    if (l == NULL || path == NULL || l->model == NULL || l->frame_count < 1 || l->time == NULL || l->force == NULL ||
        l->passive == NULL || l->power == NULL || l->joint == NULL || l->residual == NULL || l->foot_count < 0 ||
        (l->foot_count > 0 && (l->foot == NULL || l->load == NULL)))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s needs a model, at least one frame with all its forces, a path",
                       what);
    er_curves curves = {l->model, l->frame_count, l->time, l->force, NULL};
    er_result r = eri_curves_check(context, &curves, path, what);
    if (r != ER_OK) return r;
    size_t frames = (size_t)l->frame_count, numbers = frames * (size_t)l->model->coordinate_count;
    static const char *const name[] = {"passive", "power", "joint", "residual", "load"};
    const double *const data[] = {l->passive, l->power, (const double *)l->joint, (const double *)l->residual,
                                  (const double *)l->load};
    const size_t count[] = {numbers, numbers, frames * (size_t)l->model->joint_count * 6, frames * 6,
                            frames * (size_t)l->foot_count * (sizeof *l->load / sizeof(double))};
    for (size_t i = 0; i < ERI_COUNT(data); ++i)
        if (!all_within(data[i], count[i]))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "%s: cannot be written: %s has a number that is not finite or "
                           "above 1e50",
                           eri_path_name(path), name[i]);
    for (int i = 0; i < l->foot_count; ++i)
        if (l->foot[i] < 0 || l->foot[i] >= l->model->body_count)
            return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: foot %d is no body of the model",
                           eri_path_name(path), i);
    return ER_OK;
}

// ---- CSV

static er_result put_parts(eri_out *out, const char *name, int count, const char *const *part)
{
    er_result r = ER_OK;
    for (int i = 0; i < count && r == ER_OK; ++i)
        r = eri_table_head(out, name, part[i]);
    return r;
}

static er_result put_head(eri_out *out, const er_loads *l)
{
    static const char *const kind[] = {".force", ".passive", ".power"};
    static const char *const foot[] = {"force_x", "force_y", "force_z", "centre_x", "centre_y", "centre_z", "twist"};
    static const char *const rest[] = {"torque_x", "torque_y", "torque_z", "force_x", "force_y", "force_z"};
    er_result r = ER_OK;
    const char **body = eri_body_names(out->text.arena, l->model);
    ERI_TRY(body != NULL ? ER_OK : ER_ERROR_MEMORY);
    eri_out_text(out, "time_s");
    for (size_t i = 0; i < ERI_COUNT(kind); ++i)
        ERI_TRY(eri_table_coordinates(out, l->model, kind[i]));
    for (int i = 0; i < l->foot_count; ++i)
        ERI_TRY(put_parts(out, body[l->foot[i]], ERI_COUNT(foot), foot));
    ERI_TRY(put_parts(out, "residual", ERI_COUNT(rest), rest));
    eri_out_text(out, "\n");
done:
    return r;
}

static void put_frame(eri_out *out, const er_loads *l, int frame)
{
    size_t row = (size_t)frame, coordinates = (size_t)l->model->coordinate_count;
    eri_out_exact(out, l->time[frame]);
    const double *const kind[] = {l->force, l->passive, l->power};
    for (size_t i = 0; i < ERI_COUNT(kind); ++i)
        eri_table_numbers(out, kind[i] + row * coordinates, (int)coordinates);
    for (int i = 0; i < l->foot_count; ++i) {
        const er_foot_load *f = &l->load[row * (size_t)l->foot_count + (size_t)i];
        const double seven[] = {f->force.x, f->force.y, f->force.z, f->centre.x, f->centre.y, f->centre.z, f->twist};
        eri_table_numbers(out, seven, ERI_COUNT(seven));
    }
    const er_wrench *w = &l->residual[frame];
    const double six[] = {w->torque.x, w->torque.y, w->torque.z, w->force.x, w->force.y, w->force.z};
    eri_table_numbers(out, six, ERI_COUNT(six));
    eri_out_text(out, "\n");
}

er_result er_loads_write_csv(er_context *context, const er_loads *loads, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    eri_out out = {0};
    ERI_TRY(eri_loads_check(context, loads, path, "er_loads_write_csv"));
    ERI_TRY(eri_out_begin(&out, context));
    ERI_TRY(put_head(&out, loads));
    for (int f = 0; f < loads->frame_count && out.text.failure == ER_OK; ++f)
        put_frame(&out, loads, f);
    ERI_TRY(eri_out_write(&out, path));
done:
    eri_out_end(&out);
    return r;
}

// ---- NPZ

static er_result add_feet(eri_npz *z, const er_loads *l)
{
    er_result r = ER_OK;
    size_t frames = (size_t)l->frame_count, feet = (size_t)l->foot_count;
    const char **body = eri_body_names(z->arena, l->model), **name;
    double *twist;
    ERI_TRY(body != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY_NEW(name, z->arena, const char *, feet);
    ERI_TRY_NEW(twist, z->arena, double, frames *feet);
    for (size_t i = 0; i < feet; ++i)
        name[i] = body[l->foot[i]];
    for (size_t i = 0; i < frames * feet; ++i)
        twist[i] = l->load[i].twist;
    const size_t three[] = {frames, feet, 3};
    ERI_TRY(eri_npz_add_text(z, "foot_names", l->foot_count, name));
    ERI_TRY(eri_npz_add_rows(z, "ground_force", 3, three, l->load != NULL ? &l->load->force : NULL, sizeof *l->load));
    ERI_TRY(eri_npz_add_rows(z, "ground_centre", 3, three, l->load != NULL ? &l->load->centre : NULL, sizeof *l->load));
    ERI_TRY(eri_npz_add_numbers(z, "ground_twist", 2, three, twist));
done:
    return r;
}

static er_result add_loads(eri_npz *z, const void *data)
{
    er_result r = ER_OK;
    const er_loads *l = data;
    const er_model *m = l->model;
    size_t frames = (size_t)l->frame_count;
    const size_t table[] = {frames, (size_t)m->coordinate_count};
    ERI_TRY(eri_npz_add_numbers(z, "time", 1, &frames, l->time));
    ERI_TRY(eri_npz_add_joints(z, m));
    ERI_TRY(eri_npz_add_numbers(z, "force", 2, table, l->force));
    ERI_TRY(eri_npz_add_numbers(z, "passive", 2, table, l->passive));
    ERI_TRY(eri_npz_add_numbers(z, "power", 2, table, l->power));
    ERI_TRY(
        eri_npz_add_numbers(z, "reaction", 3, (size_t[]){frames, (size_t)m->joint_count, 6}, (const double *)l->joint));
    ERI_TRY(add_feet(z, l));
    ERI_TRY(eri_npz_add_numbers(z, "residual", 2, (size_t[]){frames, 6}, (const double *)l->residual));
done:
    return r;
}

er_result er_loads_write_npz(er_context *context, const er_loads *loads, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = eri_loads_check(context, loads, path, "er_loads_write_npz");
    return r == ER_OK ? eri_npz_write(context, path, add_loads, loads) : r;
}
