// Fits the paths of feet and trunk by polynomials of third order in the amplitudes. A foot that swings about a hip
// rises with the square of the angle, by more than the clearance that separates swing from stance, and the cubic terms
// are about as large as that clearance.
#include "gait/search/surrogate.h"

// A tip for every heel or corner of a sole.
static er_result list_tips(er_arena *arena, const er_gait_body *body, eri_path_polynomials *s)
{
    er_result r = ER_OK;
    for (int f = 0; f < body->foot_count; ++f)
        s->tips += body->foot[f].flat ? 1 : body->foot[f].point_count;
    ERI_TRY_NEW(s->foot_of, arena, int, s->tips);
    ERI_TRY_NEW(s->corner, arena, int, s->tips);
    for (int f = 0, tip = 0; f < body->foot_count; ++f)
        for (int i = 0; i < (body->foot[f].flat ? 1 : body->foot[f].point_count); ++i, ++tip) {
            s->foot_of[tip] = f;
            s->corner[tip] = body->foot[f].flat ? -1 : i;
        }
done:
    return r;
}

static double height_of_tip(const eri_mix_sampler *w, const eri_path_polynomials *s, int tip, er_pose pose)
{
    const er_gait_foot *foot = &w->body->foot[s->foot_of[tip]];
    bool heel = s->corner[tip] < 0;
    er_pose moved = er_pose_displacement(w->model->body[foot->body].pose, pose);
    er_vec3 point = heel ? er_pose_point(pose, foot->heel) : er_pose_point(moved, foot->point[s->corner[tip]]);
    return er_v3_dot(point, w->body->up) - w->body->ground - (heel ? foot->rest : 0.0);
}

// All rows at a frame of the present poses.
static void read_rows(const eri_mix_sampler *w, const eri_path_polynomials *s, int frame, double *row)
{
    const er_gait_body *body = w->body;
    for (int f = 0; f < s->feet; ++f) {
        const er_gait_foot *foot = &body->foot[f];
        er_vec3 moved = er_v3_sub(er_pose_point(eri_mix_sampler_lane(w, foot->body, frame), foot->heel),
                                  er_pose_point(w->model->body[foot->body].pose, foot->heel));
        row[f] = er_v3_dot(moved, body->forward);
        row[s->feet + f] = er_v3_dot(moved, body->left);
    }
    row += 2 * s->feet;
    for (int tip = 0; tip < s->tips; ++tip)
        *row++ = height_of_tip(w, s, tip, eri_mix_sampler_lane(w, body->foot[s->foot_of[tip]].body, frame));
    for (int k = 0; k < s->trunks; ++k) {
        int trunk = w->trunk[k];
        er_vec3 turn = eri_trunk_turn(body, eri_mix_sampler_lane(w, trunk, frame).q, w->model->body[trunk].pose.q);
        *row++ = turn.x, *row++ = turn.y, *row++ = turn.z;
    }
}

// Even and odd parts of the rows under a change of sign of all amplitudes.
typedef struct path_sample {
    double *even, *odd; // [rows]
} path_sample;

static void take(eri_mix_sampler *w, const eri_path_polynomials *s, int count, const int *mode, const double *angle,
                 double *row, path_sample out)
{
    eri_vec32 signal[ERI_GAIT_MAX_COMPONENTS][2] = {0};
    for (int v = 0; v < count; ++v) {
        signal[v][0][0] = (float)angle[v];
        signal[v][0][1] = (float)-angle[v];
    }
    eri_mix_sampler_pose_signals(w, count, mode, (const eri_vec32(*)[2])signal);
    read_rows(w, s, 0, row);
    read_rows(w, s, 1, row + s->rows);
    for (int i = 0; i < s->rows; ++i) {
        out.even[i] = 0.5 * (row[i] + row[s->rows + i]);
        out.odd[i] = 0.5 * (row[i] - row[s->rows + i]);
    }
}

static const double d = ERI_GAIT_FIT;

static float *cell(const eri_path_polynomials *s, float *table, int a, int b)
{
    return table + ((ptrdiff_t)a * s->modes + b) * s->rows;
}

// odd(d) = d first + d^3 third, and at 2 d; even(d) = rest + d^2 second.
static void fit_one(eri_mix_sampler *w, eri_path_polynomials *s, int a, double *row, const path_sample *at)
{
    take(w, s, 1, &a, (double[]){d}, row, at[0]);
    take(w, s, 1, &a, (double[]){2.0 * d}, row, at[1]);
    float *first = s->first + (ptrdiff_t)a * s->rows, *second = cell(s, s->second, a, a),
          *third = cell(s, s->third, a, a);
    for (int i = 0; i < s->rows; ++i) {
        first[i] = (float)((8.0 * at[0].odd[i] - at[1].odd[i]) / (6.0 * d));
        third[i] = (float)((at[1].odd[i] - 2.0 * at[0].odd[i]) / (6.0 * d * d * d));
        second[i] = (float)((at[0].even[i] - s->rest[i]) / (d * d));
    }
}

// even(d, d) - even(d, -d) = 2 d^2 second_ab; odd(d, d) + odd(d, -d) = 2 d first_a + 2 d^3 (third_aa + third_ba).
static void fit_two(eri_mix_sampler *w, eri_path_polynomials *s, int a, int b, double *row, const path_sample *at)
{
    take(w, s, 2, (int[]){a, b}, (double[]){d, d}, row, at[0]);
    take(w, s, 2, (int[]){a, b}, (double[]){d, -d}, row, at[1]);
    const float *first_a = s->first + (ptrdiff_t)a * s->rows, *first_b = s->first + (ptrdiff_t)b * s->rows;
    const float *aa = cell(s, s->third, a, a), *bb = cell(s, s->third, b, b);
    for (int i = 0; i < s->rows; ++i) {
        double sum = 0.5 * (at[0].odd[i] + at[1].odd[i]) / d, difference = 0.5 * (at[0].odd[i] - at[1].odd[i]) / d;
        float second = (float)((at[0].even[i] - at[1].even[i]) / (2.0 * d * d));
        cell(s, s->second, a, b)[i] = cell(s, s->second, b, a)[i] = second;
        cell(s, s->third, b, a)[i] = (float)((sum - first_a[i]) / (d * d)) - aa[i];
        cell(s, s->third, a, b)[i] = (float)((difference - first_b[i]) / (d * d)) - bb[i];
    }
}

// odd(d, d, d) less what is known of it is d^3 mixed.
static void fit_three(eri_mix_sampler *w, eri_path_polynomials *s, const int mode[3], double *row, path_sample at)
{
    take(w, s, 3, mode, (double[]){d, d, d}, row, at);
    for (int i = 0; i < s->rows; ++i) {
        double known = 0.0;
        for (int u = 0; u < 3; ++u) {
            known += d * s->first[(ptrdiff_t)mode[u] * s->rows + i];
            for (int v = 0; v < 3; ++v)
                known += d * d * d * cell(s, s->third, mode[u], mode[v])[i];
        }
        float mixed = (float)((at.odd[i] - known) / (d * d * d));
        for (int u = 0; u < 3; ++u)
            for (int v = 0; v < 3; ++v)
                if (u != v) cell(s, s->mixed, mode[u] * s->modes + mode[v], mode[3 - u - v])[i] = mixed;
    }
}

static void fit(eri_mix_sampler *w, eri_path_polynomials *s, double *row, const path_sample *at)
{
    take(w, s, 0, NULL, NULL, row, at[0]);
    for (int i = 0; i < s->rows; ++i)
        s->rest[i] = (float)at[0].even[i];
    for (int a = 0; a < s->modes; ++a)
        fit_one(w, s, a, row, at);
    for (int a = 0; a < s->modes; ++a)
        for (int b = a + 1; b < s->modes; ++b)
            fit_two(w, s, a, b, row, at);
    for (int a = 0; a < s->modes; ++a)
        for (int b = a + 1; b < s->modes; ++b)
            for (int c = b + 1; c < s->modes; ++c)
                fit_three(w, s, (const int[]){a, b, c}, row, at[0]);
}

er_result eri_path_polynomials_create(er_arena *arena, eri_mix_sampler *w, eri_path_polynomials *out)
{
    er_result r = ER_OK;
    double *row;
    path_sample at[2];
    *out = (eri_path_polynomials){.modes = w->mode_count, .feet = w->body->foot_count, .trunks = w->trunk_count};
    ERI_TRY(list_tips(arena, w->body, out));
    out->rows = 2 * out->feet + out->tips + 3 * out->trunks;
    size_t rows = (size_t)out->rows, modes = (size_t)out->modes;
    ERI_TRY_NEW(out->rest, arena, float, rows);
    ERI_TRY_NEW(out->first, arena, float, modes *rows);
    ERI_TRY_NEW(out->second, arena, float, modes *modes *rows);
    ERI_TRY_NEW(out->third, arena, float, modes *modes *rows);
    ERI_TRY_NEW(out->mixed, arena, float, modes *modes *modes *rows);
    ERI_TRY_NEW(row, arena, double, 2 * rows);
    for (int k = 0; k < 2; ++k) {
        ERI_TRY_NEW(at[k].even, arena, double, rows);
        ERI_TRY_NEW(at[k].odd, arena, double, rows);
    }
    fit(w, out, row, at);
done:
    return r;
}
