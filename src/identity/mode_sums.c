// Energies and parity of modes, eight modes at a time.
#include "identity/mode_sums.h"

#include <string.h>

er_result eri_mode_sums_create(er_arena *arena, const er_model *model, const er_regions *regions, const int *group,
                               eri_mode_sums *out)
{
    er_result r = ER_OK;
    int bodies = model->body_count, coordinates = model->coordinate_count,
        rows = 6 * bodies > coordinates ? 6 * bodies : coordinates, *group_of;
    eri_summed_body *body;
    double *stiffness;
    *out = (eri_mode_sums){.body_count = bodies,
                           .coordinate_count = coordinates,
                           .group_count = regions->group_count,
                           .normal = regions->mirror->normal};
    ERI_TRY_NEW(body, arena, eri_summed_body, bodies);
    ERI_TRY_NEW(group_of, arena, int, coordinates);
    ERI_TRY_NEW(stiffness, arena, double, coordinates);
    ERI_TRY_RESERVE(out->columns, arena, double, (size_t)rows * ERI_LANE_COUNT);
    ERI_TRY_RESERVE(out->panel, arena, eri_lanes, rows);
    ERI_TRY_RESERVE(out->strain, arena, eri_lanes, 2 * regions->group_count + 3);
    out->motion = out->strain + regions->group_count;
    out->parity = out->motion + regions->group_count;
    out->whole_strain = out->parity + 1;
    out->whole_motion = out->parity + 2;
    for (int i = 0; i < bodies; ++i) {
        const er_body *b = &model->body[i];
        er_mat3 axes = er_m3_from_q(b->pose.q);
        body[i] = (eri_summed_body){.middle = er_pose_point(b->pose, b->com),
                                    .com = b->com,
                                    .axes = axes,
                                    .inertia = er_m3_mul(er_m3_mul(axes, b->inertia), er_m3_transpose(axes)),
                                    .mass = b->mass,
                                    .group = regions->region[regions->of_body[i]].group,
                                    .image = regions->mirror->body[i]};
    }
    for (int j = 0; j < model->joint_count; ++j)
        for (int c = model->coordinate[j]; c < model->coordinate[j + 1]; ++c) {
            group_of[c] = group[j];
            stiffness[c] = model->joint[j].stiffness[c - model->coordinate[j]];
        }
    out->body = body;
    out->group = group_of;
    out->stiffness = stiffness;
done:
    return r;
}

ERI_LANES_SMALL eri_lanes dot(const eri_lanes a[3], const eri_lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ERI_LANES_SMALL void multiply(const er_mat3 *a, const eri_lanes v[3], eri_lanes out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a->m[i][0] * v[0] + a->m[i][1] * v[1] + a->m[i][2] * v[2];
}

// Twists of body frames become velocities of centres of mass, along the model's axes.
ERI_LANES_INLINE void turn_to_model(const eri_summed_body *b, eri_lanes v[6])
{
    const eri_lanes shift[3] = {v[3] + (v[1] * b->com.z - v[2] * b->com.y), v[4] + (v[2] * b->com.x - v[0] * b->com.z),
                                v[5] + (v[0] * b->com.y - v[1] * b->com.x)},
                    turn[3] = {v[0], v[1], v[2]};
    multiply(&b->axes, turn, v);
    multiply(&b->axes, shift, v + 3);
}

// The image of a motion across the plane.
ERI_LANES_INLINE void reflect(const double normal[3], const eri_lanes v[6], eri_lanes out[6])
{
    eri_lanes turn = normal[0] * v[0] + normal[1] * v[1] + normal[2] * v[2],
              shift = normal[0] * v[3] + normal[1] * v[4] + normal[2] * v[5];
    for (int a = 0; a < 3; ++a) {
        out[a] = 2.0 * turn * normal[a] - v[a];
        out[3 + a] = v[3 + a] - 2.0 * shift * normal[a];
    }
}

ERI_LANES static void sum_motion(eri_mode_sums *s)
{
    const double normal[3] = {s->normal.x, s->normal.y, s->normal.z};
    eri_lanes both = {0}, own = {0}, other = {0};
    for (int g = 0; g < s->group_count; ++g)
        s->motion[g] = (eri_lanes){0};
    for (int i = 0; i < s->body_count; ++i)
        turn_to_model(&s->body[i], s->panel + 6 * (ptrdiff_t)i);
    for (int i = 0; i < s->body_count; ++i) {
        const eri_summed_body *b = &s->body[i];
        const eri_lanes *v = s->panel + 6 * (ptrdiff_t)i;
        eri_lanes spin[3];
        multiply(&b->inertia, v, spin);
        eri_lanes energy = b->mass * dot(v + 3, v + 3) + dot(v, spin);
        s->motion[b->group] += energy;
        own += energy;
        if (b->image < 0) continue;
        eri_lanes image[6];
        reflect(normal, s->panel + 6 * (ptrdiff_t)b->image, image);
        both += b->mass * dot(image + 3, v + 3) + dot(image, spin);
        multiply(&b->inertia, image, spin);
        other += b->mass * dot(image + 3, image + 3) + dot(image, spin);
    }
    *s->whole_motion = own;
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        double whole = own[l] > other[l] ? own[l] : other[l], p = whole > 0.0 ? both[l] / whole : 0.0;
        (*s->parity)[l] = p > 1.0 ? 1.0 : p < -1.0 ? -1.0 : p;
    }
}

ERI_LANES static void sum_strain(eri_mode_sums *s)
{
    eri_lanes whole = {0};
    for (int g = 0; g < s->group_count; ++g)
        s->strain[g] = (eri_lanes){0};
    for (int c = 0; c < s->coordinate_count; ++c) {
        eri_lanes own = s->stiffness[c] * s->panel[c] * s->panel[c];
        s->strain[s->group[c]] += own;
        whole += own;
    }
    *s->whole_strain = whole;
}

static void gather(eri_mode_sums *s, int rows, int count, const double *const *column)
{
    for (int k = 0; k < count; ++k)
        memcpy(s->columns + (size_t)k * (size_t)rows, column[k], (size_t)rows * sizeof *s->columns);
    eri_lanes_gather(rows, count, s->columns, rows, s->panel);
}

void eri_mode_sums_read(eri_mode_sums *s, const er_mode *mode, int count)
{
    const double *body[ERI_LANE_COUNT], *joint[ERI_LANE_COUNT];
    for (int k = 0; k < count; ++k) {
        body[k] = mode[k].body;
        joint[k] = mode[k].joint;
    }
    gather(s, 6 * s->body_count, count, body);
    sum_motion(s);
    gather(s, s->coordinate_count, count, joint);
    sum_strain(s);
}
