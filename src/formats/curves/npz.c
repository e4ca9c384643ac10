// Curves as arrays of numpy, and what their files say of joints.
#include <string.h>

#include "formats/curves/curve_names.h"
#include "formats/curves/npz_archive.h"

er_result eri_npz_add_joints(eri_npz *z, const er_model *m)
{
    er_result r = ER_OK;
    size_t count = (size_t)m->coordinate_count;
    const char **joint_name = eri_joint_names(z->arena, m), **name;
    int32_t *joint;
    ERI_TRY(joint_name != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY_NEW(name, z->arena, const char *, count);
    ERI_TRY_NEW(joint, z->arena, int32_t, count);
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], free_count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < free_count; ++i) {
            name[m->coordinate[k] + i] = eri_coordinate_name(axis[i]);
            joint[m->coordinate[k] + i] = k;
        }
    }
    ERI_TRY(eri_npz_add_text(z, "joint_names", m->joint_count, joint_name));
    ERI_TRY(eri_npz_add_text(z, "coordinate_names", m->coordinate_count, name));
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"coordinate_joint", 'i', sizeof *joint, {count}, 1, joint}));
done:
    return r;
}

static er_result add_poses(eri_npz *z, const er_curves *c)
{
    er_result r = ER_OK;
    size_t frames = (size_t)c->frame_count, bodies = (size_t)c->model->body_count;
    const char **name = eri_body_names(z->arena, c->model);
    ERI_TRY(name != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(eri_npz_add_text(z, "body_names", c->model->body_count, name));
    ERI_TRY(eri_npz_add_places(z, frames, bodies, c->pose));
done:
    return r;
}

static er_result add_motion(eri_npz *z, const void *curves)
{
    er_result r = ER_OK;
    const er_curves *c = curves;
    size_t frames = (size_t)c->frame_count, coordinates = (size_t)c->model->coordinate_count;
    ERI_TRY(eri_npz_add_numbers(z, "time", 1, &frames, c->time));
    ERI_TRY(eri_npz_add_numbers(z, "q", 2, (size_t[]){frames, coordinates}, c->q));
    ERI_TRY(eri_npz_add_joints(z, c->model));
    if (c->pose != NULL) ERI_TRY(add_poses(z, c));
done:
    return r;
}

er_result er_curves_write_npz(er_context *context, const er_curves *curves, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = eri_curves_check(context, curves, path, "er_curves_write_npz");
    return r == ER_OK ? eri_npz_write(context, path, add_motion, curves) : r;
}
