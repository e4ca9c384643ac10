// Residuals of modes in tree coordinates, from the numbers handed out: what joints lose, and the Gram matrix eta' M
// eta.
#include <math.h>
#include <string.h>

#include "modal/solver.h"

// Twists of body frames in world axes, a mode a lane.
ER_LANES static void read_bodies(const er_model *model, const double *const *body, int count, er_lanes *twist,
                                 er_lanes *largest)
{
    er_lanes most = {0};
    for (int b = 0; b < model->body_count; ++b) {
        er_lanes x[6] = {{0}}, *out = twist + 6 * (size_t)b;
        for (int c = 0; c < count; ++c)
            for (int k = 0; k < 6; ++k)
                x[k][c] = body[c][6 * (size_t)b + (size_t)k];
        er_mat3 R = er_m3_from_q(model->body[b].pose.q);
        for (int k = 0; k < 6; ++k) {
            const er_lanes *v = x + (k < 3 ? 0 : 3);
            out[k] = R.m[k % 3][0] * v[0] + R.m[k % 3][1] * v[1] + R.m[k % 3][2] * v[2];
            most = er_lanes_larger(most, er_lanes_magnitude(x[k]) * (k < 3 ? 1.0 : 1.0 / model->size));
        }
    }
    *largest = most;
}

// Adds sign times the twist, at the joint's origin, of one of its ends.
ER_LANES_INLINE void add_end(const er_model *model, const er_lanes *twist, int body, er_vec3 origin, double sign,
                             er_lanes sum[6])
{
    if (body < 0) return;
    const er_lanes *a = twist + 6 * (size_t)body;
    er_vec3 r = er_v3_sub(origin, model->body[body].pose.p);
    sum[0] += sign * a[0];
    sum[1] += sign * a[1];
    sum[2] += sign * a[2];
    sum[3] += sign * (a[3] + a[1] * r.z - a[2] * r.y);
    sum[4] += sign * (a[4] + a[2] * r.x - a[0] * r.z);
    sum[5] += sign * (a[5] + a[0] * r.y - a[1] * r.x);
}

// max |G eta|, lengths in units of the rig's size.
ER_LANES static void joint_leak(const er_model *model, const er_lanes *twist, er_lanes *leak)
{
    er_lanes most = {0};
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        bool is_free[6] = {false};
        for (int i = 0; i < count; ++i)
            is_free[axis[i]] = true;
        er_lanes apart[6] = {{0}};
        add_end(model, twist, j->child, j->frame.p, 1.0, apart);
        add_end(model, twist, j->parent, j->frame.p, -1.0, apart);
        er_mat3 R = er_m3_from_q(j->frame.q);
        for (int i = 0; i < 6; ++i) {
            if (is_free[i]) continue;
            const er_lanes *v = apart + (i < 3 ? 0 : 3);
            er_lanes held = R.m[0][i % 3] * v[0] + R.m[1][i % 3] * v[1] + R.m[2][i % 3] * v[2];
            most = er_lanes_larger(most, er_lanes_magnitude(held) * (i < 3 ? 1.0 : 1.0 / model->size));
        }
    }
    *leak = most;
}

static double worst_leak(er_reduced *s, const er_modes *modes)
{
    double worst = 0.0;
    for (int first = 0; first < modes->count; first += ER_LANE_COUNT) {
        const double *body[ER_LANE_COUNT];
        int count = modes->count - first < ER_LANE_COUNT ? modes->count - first : ER_LANE_COUNT;
        for (int k = 0; k < count; ++k)
            body[k] = modes->mode[first + k].body;
        er_lanes largest, leak;
        read_bodies(s->model, body, count, s->twist, &largest);
        joint_leak(s->model, s->twist, &leak);
        for (int k = 0; k < count; ++k)
            worst = fmax(worst, leak[k] / largest[k]);
    }
    return worst;
}

// max |eta_i' M eta_j - delta_ij|, a few bodies at a time.
static double worst_gram(er_reduced *s, const er_modes *modes)
{
    int bodies = s->model->body_count, step = s->chunk.rows / 6;
    double worst = 0.0;
    for (int first = 0; first < bodies; first += step) {
        int count = bodies - first < step ? bodies - first : step;
        for (int k = 0; k < modes->count; ++k) {
            double *into = er_matrix_column(s->chunk, k);
            memcpy(into, modes->mode[k].body + 6 * (size_t)first, 6 * (size_t)count * sizeof(double));
            for (int b = 0; b < count; ++b)
                er_mass_multiply_transposed(&s->factor[first + b], into + 6 * b);
        }
        er_linalg_gram(6 * count, modes->count, s->chunk.a, s->chunk.rows, first > 0, s->gram.a, s->gram.rows);
    }
    for (int j = 0; j < modes->count; ++j)
        for (int i = 0; i <= j; ++i)
            worst = fmax(worst, fabs(er_matrix_column(s->gram, j)[i] - (i == j)));
    return worst;
}

void er_reduced_measure(er_reduced *s, er_modes *modes)
{
    if (modes->count == 0) return;
    for (int b = 0; b < s->model->body_count; ++b)
        s->factor[b] = er_mass_factor_of(&s->model->body[b]);
    modes->residuals.constraint = worst_leak(s, modes);
    modes->residuals.gram = worst_gram(s, modes);
}
