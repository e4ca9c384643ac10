// Frames of a simulation as tables: energies, momenta, bodies, what joints bear.
#include <math.h>

#include "formats/curves/curve_names.h"
#include "formats/curves/frames_csv.h"
#include "formats/curves/table.h"

er_result eri_frames_check(er_context *context, const er_world_frames *frames, const char *path, const char *what)
{
    if (frames == NULL || frames->energy == NULL || frames->twist == NULL || frames->pose == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s needs frames with poses, twists and energies", what);
    const er_curves curves = {frames->model, frames->frame_count, frames->time, frames->q, frames->pose};
    return eri_curves_check(context, &curves, path, what);
}

typedef struct frames_sheet {
    eri_out out;
    const er_world_frames *frames;
} frames_sheet;

// Writes one kind of table: its header, then a row a frame.
static er_result write(er_context *context, const er_world_frames *frames, const char *path, const char *what,
                       er_result (*put_header)(frames_sheet *), void (*put_row)(frames_sheet *, size_t frame))
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    frames_sheet s = {.frames = frames};
    ERI_TRY(eri_frames_check(context, frames, path, what));
    ERI_TRY(eri_out_begin(&s.out, context));
    eri_out_text(&s.out, "time_s");
    ERI_TRY(put_header(&s));
    eri_out_text(&s.out, "\n");
    for (size_t f = 0; f < (size_t)frames->frame_count && s.out.text.failure == ER_OK; ++f) {
        eri_out_exact(&s.out, frames->time[f]);
        put_row(&s, f);
        eri_out_text(&s.out, "\n");
    }
    ERI_TRY(eri_out_write(&s.out, path));
done:
    eri_out_end(&s.out);
    return r;
}

static er_result put_heads(eri_out *out, const char *const *name, int count, const char *const *part, int parts)
{
    er_result r = name != NULL ? ER_OK : ER_ERROR_MEMORY;
    for (int i = 0; i < count && r == ER_OK; ++i)
        for (int k = 0; k < parts && r == ER_OK; ++k)
            r = eri_table_head(out, name[i], part[k]);
    return r;
}

// --- energies

static er_result energy_header(frames_sheet *s)
{
    eri_out_text(&s->out, ",kinetic,potential,elastic,mechanical,work,heat");
    return ER_OK;
}

static void energy_row(frames_sheet *s, size_t f)
{
    const er_world_energy e = s->frames->energy[f];
    const double value[] = {e.kinetic, e.potential, e.elastic, e.mechanical, e.work, e.heat};
    eri_table_numbers(&s->out, value, (int)ERI_COUNT(value));
}

er_result er_frames_write_energy(er_context *context, const er_world_frames *frames, const char *path)
{
    return write(context, frames, path, "er_frames_write_energy", energy_header, energy_row);
}

// --- momenta

static er_result momentum_header(frames_sheet *s)
{
    eri_out_text(&s->out, ",px,py,pz,lx,ly,lz");
    return ER_OK;
}

static void momentum_row(frames_sheet *s, size_t f)
{
    er_vec3 p = s->frames->momentum[2 * f], l = s->frames->momentum[2 * f + 1];
    const double value[] = {p.x, p.y, p.z, l.x, l.y, l.z};
    eri_table_numbers(&s->out, value, (int)ERI_COUNT(value));
}

er_result er_frames_write_momentum(er_context *context, const er_world_frames *frames, const char *path)
{
    return write(context, frames, path, "er_frames_write_momentum", momentum_header, momentum_row);
}

// --- bodies

static er_result body_header(frames_sheet *s)
{
    static const char *const part[] = {"x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "vx", "vy", "vz"};
    const er_model *m = s->frames->model;
    return put_heads(&s->out, eri_body_names(s->out.text.arena, m), m->body_count, part, (int)ERI_COUNT(part));
}

static void body_row(frames_sheet *s, size_t f)
{
    size_t bodies = (size_t)s->frames->model->body_count;
    for (size_t b = f * bodies; b < (f + 1) * bodies; ++b) {
        er_pose p = s->frames->pose[b];
        er_vec3 w = er_q_rotate(p.q, s->frames->twist[b].angular), v = er_q_rotate(p.q, s->frames->twist[b].linear);
        const double value[] = {p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z, w.x, w.y, w.z, v.x, v.y, v.z};
        eri_table_numbers(&s->out, value, (int)ERI_COUNT(value));
    }
}

er_result er_frames_write_bodies(er_context *context, const er_world_frames *frames, const char *path)
{
    return write(context, frames, path, "er_frames_write_bodies", body_header, body_row);
}

// --- what joints bear

static er_result reaction_header(frames_sheet *s)
{
    static const char *const part[] = {"tx", "ty", "tz", "fx", "fy", "fz"};
    const er_model *m = s->frames->model;
    return put_heads(&s->out, eri_joint_names(s->out.text.arena, m), m->joint_count, part, (int)ERI_COUNT(part));
}

static void reaction_row(frames_sheet *s, size_t f)
{
    size_t joints = (size_t)s->frames->model->joint_count;
    for (size_t j = f * joints; j < (f + 1) * joints; ++j) {
        er_vec3 t = s->frames->reaction[j].torque, n = s->frames->reaction[j].force;
        const double value[] = {t.x, t.y, t.z, n.x, n.y, n.z};
        eri_table_numbers(&s->out, value, (int)ERI_COUNT(value));
    }
}

er_result er_frames_write_reactions(er_context *context, const er_world_frames *frames, const char *path)
{
    return write(context, frames, path, "er_frames_write_reactions", reaction_header, reaction_row);
}

// --- what touches

// A line of contacts.csv: a contact of a frame, or an impact.
static void put_contact(eri_out *out, const char *const *name, double time, const int body[2], const double value[11])
{
    eri_out_exact(out, time);
    for (int side = 0; side < 2; ++side) {
        eri_out_text(out, ",");
        eri_table_word(out, body[side] >= 0 ? name[body[side]] : "");
    }
    eri_table_numbers(out, value, 11);
    eri_out_text(out, "\n");
}

// Writes the impacts up to a time.   @return the index of the next one
static int put_impacts(eri_out *out, const char *const *name, const er_world_frames *frames, int next, double until)
{
    for (; next < frames->impact_count && frames->impact[next].time <= until; ++next) {
        const er_frame_impact *i = &frames->impact[next];
        const double value[11] = {i->point.x, i->point.y, i->point.z, i->normal.x, i->normal.y, i->normal.z,
                                  0.0,        0.0,        0.0,        0.0,         i->impulse};
        put_contact(out, name, i->time, i->body, value);
    }
    return next;
}

static er_result write_contacts(er_context *context, const er_world_frames *frames, const char *path)
{
    er_result r = ER_OK;
    eri_out out = {0};
    const char **name;
    ERI_TRY(eri_frames_check(context, frames, path, "er_frames_write_contacts"));
    ERI_TRY(eri_out_begin(&out, context));
    name = eri_body_names(out.text.arena, frames->model);
    ERI_TRY(name != NULL ? ER_OK : ER_ERROR_MEMORY);
    eri_out_text(&out, "time_s,body_1,body_2,x_m,y_m,z_m,normal_x,normal_y,normal_z,distance_m,"
                       "force_x_N,force_y_N,force_z_N,impulse_N_s\n");
    int next = 0;
    for (int f = 0, k = 0; f < frames->frame_count; ++f) {
        next = put_impacts(&out, name, frames, next, frames->time[f]);
        for (; frames->contact_end != NULL && k < frames->contact_end[f]; ++k) {
            const er_frame_contact *c = &frames->contact[k];
            const double value[11] = {c->point.x,  c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z,
                                      c->distance, c->force.x, c->force.y, c->force.z,  0.0};
            put_contact(&out, name, frames->time[f], c->body, value);
        }
    }
    put_impacts(&out, name, frames, next, HUGE_VAL); // those after the last frame of a run that failed
    ERI_TRY(eri_out_write(&out, path));
done:
    eri_out_end(&out);
    return r;
}

er_result er_frames_write_contacts(er_context *context, const er_world_frames *frames, const char *path)
{
    return context != NULL ? write_contacts(context, frames, path) : ER_ERROR_ARGUMENT;
}
