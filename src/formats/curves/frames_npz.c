// Frames of a simulation as arrays of numpy.
#include <string.h>

#include "formats/curves/curve_names.h"
#include "formats/curves/frames_csv.h"
#include "formats/curves/npz_archive.h"

static er_result add_poses(eri_npz *z, const er_world_frames *f)
{
    er_result r = ER_OK;
    size_t frames = (size_t)f->frame_count, bodies = (size_t)f->model->body_count;
    double *twist;
    ERI_TRY(eri_npz_add_places(z, frames, bodies, f->pose));
    ERI_TRY_RESERVE(twist, z->arena, double, 6 * frames * bodies);
    for (size_t i = 0; i < frames * bodies; ++i) {
        er_vec3 w = er_q_rotate(f->pose[i].q, f->twist[i].angular), v = er_q_rotate(f->pose[i].q, f->twist[i].linear);
        memcpy(twist + 6 * i, (double[]){w.x, w.y, w.z, v.x, v.y, v.z}, 6 * sizeof *twist);
    }
    ERI_TRY(eri_npz_add_numbers(z, "velocity", 3, (size_t[]){frames, bodies, 6}, twist));
done:
    return r;
}

static er_result add_contacts(eri_npz *z, const er_world_frames *f)
{
    er_result r = ER_OK;
    size_t count = f->contact_end != NULL ? (size_t)f->contact_end[f->frame_count - 1] : 0;
    int32_t *frame, *body;
    double *number;
    ERI_TRY_RESERVE(frame, z->arena, int32_t, count);
    ERI_TRY_RESERVE(body, z->arena, int32_t, 2 * count);
    ERI_TRY_RESERVE(number, z->arena, double, 10 * count);
    for (size_t k = 0, at = 0; k < count; ++k) {
        const er_frame_contact *c = &f->contact[k];
        while ((size_t)f->contact_end[at] <= k)
            ++at;
        frame[k] = (int32_t)at;
        memcpy(body + 2 * k, c->body, sizeof c->body);
        memcpy(number + 10 * k,
               (double[]){c->point.x, c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z, c->distance,
                          c->force.x, c->force.y, c->force.z},
               10 * sizeof *number);
    }
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"contact_frame", 'i', sizeof *frame, {count}, 1, frame}));
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"contact_body", 'i', sizeof *body, {count, 2}, 2, body}));
    ERI_TRY(eri_npz_add_numbers(z, "contact", 2, (size_t[]){count, 10}, number));
done:
    return r;
}

static er_result add_impacts(eri_npz *z, const er_world_frames *f)
{
    er_result r = ER_OK;
    size_t count = (size_t)f->impact_count;
    int32_t *body;
    double *number;
    ERI_TRY_RESERVE(body, z->arena, int32_t, 2 * count);
    ERI_TRY_RESERVE(number, z->arena, double, 10 * count);
    for (size_t k = 0; k < count; ++k) {
        const er_frame_impact *i = &f->impact[k];
        memcpy(body + 2 * k, i->body, sizeof i->body);
        memcpy(number + 10 * k,
               (double[]){i->time, i->point.x, i->point.y, i->point.z, i->normal.x, i->normal.y, i->normal.z,
                          i->impulse, i->before, i->after},
               10 * sizeof *number);
    }
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"impact_body", 'i', sizeof *body, {count, 2}, 2, body}));
    ERI_TRY(eri_npz_add_numbers(z, "impact", 2, (size_t[]){count, 10}, number));
done:
    return r;
}

static er_result add_frames(eri_npz *z, const void *data)
{
    er_result r = ER_OK;
    const er_world_frames *f = data;
    const er_model *m = f->model;
    size_t frames = (size_t)f->frame_count, coordinates = (size_t)m->coordinate_count, joints = (size_t)m->joint_count;
    const char **body = eri_body_names(z->arena, m), **joint = eri_joint_names(z->arena, m);
    ERI_TRY(body != NULL && joint != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(eri_npz_add_numbers(z, "time", 1, &frames, f->time));
    ERI_TRY(eri_npz_add_numbers(z, "q", 2, (size_t[]){frames, coordinates}, f->q));
    ERI_TRY(eri_npz_add_numbers(z, "rate", 2, (size_t[]){frames, coordinates}, f->rate));
    ERI_TRY(eri_npz_add_text(z, "body_names", m->body_count, body));
    ERI_TRY(eri_npz_add_text(z, "joint_names", m->joint_count, joint));
    ERI_TRY(add_poses(z, f));
    ERI_TRY(eri_npz_add_rows(z, "energy", 2, (size_t[]){frames, 6}, f->energy, sizeof *f->energy));
    ERI_TRY(eri_npz_add_rows(z, "momentum", 2, (size_t[]){frames, 6}, f->momentum, 2 * sizeof *f->momentum));
    ERI_TRY(eri_npz_add_rows(z, "reaction", 3, (size_t[]){frames, joints, 6}, f->reaction, sizeof *f->reaction));
    ERI_TRY(add_contacts(z, f));
    ERI_TRY(add_impacts(z, f));
done:
    return r;
}

er_result er_frames_write_npz(er_context *context, const er_world_frames *frames, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = eri_frames_check(context, frames, path, "er_frames_write_npz");
    return r == ER_OK ? eri_npz_write(context, path, add_frames, frames) : r;
}
