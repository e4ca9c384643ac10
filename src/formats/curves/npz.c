// Curves as arrays of numpy, and what their files say of joints.
#include <string.h>

#include "formats/curves/archive.h"
#include "formats/curves/motion.h"

er_result er_npz_add_joints(er_npz *z, const er_model *m)
{
    er_result r = ER_OK;
    size_t count = (size_t)m->coordinate_count;
    const char **joint_name = er_joint_names(z->arena, m), **name;
    int32_t *joint;
    ER_TRY(joint_name != NULL ? ER_OK : ER_ERROR_MEMORY);
    ER_TRY_NEW(name, z->arena, const char *, count);
    ER_TRY_NEW(joint, z->arena, int32_t, count);
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], free_count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < free_count; ++i) {
            name[m->coordinate[k] + i] = er_coordinate_name(axis[i]);
            joint[m->coordinate[k] + i] = k;
        }
    }
    ER_TRY(er_npz_add_text(z, "joint_names", m->joint_count, joint_name));
    ER_TRY(er_npz_add_text(z, "coordinate_names", m->coordinate_count, name));
    ER_TRY(er_npz_add(z, (er_npz_array){"coordinate_joint", 'i', sizeof *joint, {count}, 1, joint}));
done:
    return r;
}

static er_result add_poses(er_npz *z, const er_curves *c)
{
    er_result r = ER_OK;
    size_t frames = (size_t)c->frame_count, bodies = (size_t)c->model->body_count;
    const char **name = er_body_names(z->arena, c->model);
    ER_TRY(name != NULL ? ER_OK : ER_ERROR_MEMORY);
    ER_TRY(er_npz_add_text(z, "body_names", c->model->body_count, name));
    ER_TRY(er_npz_add_places(z, frames, bodies, c->pose));
done:
    return r;
}

static er_result add_motion(er_npz *z, const er_curves *c)
{
    er_result r = ER_OK;
    size_t frames = (size_t)c->frame_count, coordinates = (size_t)c->model->coordinate_count;
    ER_TRY(er_npz_add_numbers(z, "time", 1, &frames, c->time));
    ER_TRY(er_npz_add_numbers(z, "q", 2, (size_t[]){frames, coordinates}, c->q));
    ER_TRY(er_npz_add_joints(z, c->model));
    if (c->pose != NULL) ER_TRY(add_poses(z, c));
done:
    return r;
}

er_result er_curves_write_npz(er_context *context, const er_curves *curves, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_npz z = {0};
    ER_TRY(er_curves_check(context, curves, path, "er_curves_write_npz"));
    ER_TRY(er_npz_begin(&z, context, path));
    ER_TRY(add_motion(&z, curves));
    ER_TRY(er_npz_save(&z));
done:
    er_npz_end(&z);
    return r;
}
