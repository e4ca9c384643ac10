// Feet and trunk to second order in the amplitudes. A foot that swings about a hip rises with the square of the angle,
// by more than what tells standing from swinging, so that the first order alone would not do.
#include "gait/screen.h"

// A tip for every heel or corner of a sole.
static er_result list_tips(er_arena *arena, const er_gait_body *body, er_swing *s)
{
    er_result r = ER_OK;
    for (int f = 0; f < body->foot_count; ++f)
        s->tips += body->foot[f].flat ? 1 : body->foot[f].point_count;
    ER_TRY_NEW(s->foot_of, arena, int, s->tips);
    ER_TRY_NEW(s->corner, arena, int, s->tips);
    for (int f = 0, tip = 0; f < body->foot_count; ++f)
        for (int i = 0; i < (body->foot[f].flat ? 1 : body->foot[f].point_count); ++i, ++tip) {
            s->foot_of[tip] = f;
            s->corner[tip] = body->foot[f].flat ? -1 : i;
        }
done:
    return r;
}

static double height_of_tip(const er_walker *w, const er_swing *s, int tip, er_pose pose)
{
    const er_gait_foot *foot = &w->body->foot[s->foot_of[tip]];
    bool heel = s->corner[tip] < 0;
    er_pose moved = er_pose_mul(pose, er_pose_inverse(w->model->body[foot->body].pose));
    er_vec3 point = heel ? er_pose_point(pose, foot->heel) : er_pose_point(moved, foot->point[s->corner[tip]]);
    return er_v3_dot(point, w->body->up) - w->body->ground - (heel ? foot->rest : 0.0);
}

// All rows at a frame of what was posed.
static void read_rows(const er_walker *w, const er_swing *s, int frame, double *row)
{
    const er_gait_body *body = w->body;
    for (int f = 0; f < s->feet; ++f) {
        const er_gait_foot *foot = &body->foot[f];
        er_vec3 moved = er_v3_sub(er_pose_point(er_walker_lane(w, foot->body, frame), foot->heel),
                                  er_pose_point(w->model->body[foot->body].pose, foot->heel));
        row[f] = er_v3_dot(moved, body->forward);
        row[s->feet + f] = er_v3_dot(moved, body->left);
    }
    row += 2 * s->feet;
    for (int tip = 0; tip < s->tips; ++tip)
        *row++ = height_of_tip(w, s, tip, er_walker_lane(w, body->foot[s->foot_of[tip]].body, frame));
    for (int k = 0; k < s->trunks; ++k) {
        int trunk = w->trunk[k];
        er_vec3 turn = er_trunk_turn(body, er_walker_lane(w, trunk, frame).q, w->model->body[trunk].pose.q);
        *row++ = turn.x, *row++ = turn.y, *row++ = turn.z;
    }
}

enum { REST, FORTH, BACK, SAMPLES };

// Rows with some modes out by nothing, ER_GAIT_FIT and -ER_GAIT_FIT.
static void sample(er_walker *w, const er_swing *s, int count, const int *mode, double *row)
{
    er_vec32 signal[ER_GAIT_MOST_VOICES][2] = {0};
    for (int v = 0; v < count; ++v) {
        signal[v][0][FORTH] = (float)ER_GAIT_FIT;
        signal[v][0][BACK] = (float)-ER_GAIT_FIT;
    }
    er_walker_pose_signals(w, count, mode, (const er_vec32(*)[2])signal);
    for (int k = 0; k < SAMPLES; ++k)
        read_rows(w, s, k, row + k * s->rows);
}

static void fit(er_walker *w, er_swing *s, double *row)
{
    const double d = ER_GAIT_FIT;
    const double *rest = row, *forth = row + FORTH * s->rows, *back = row + BACK * s->rows;
    size_t rows = (size_t)s->rows, n = (size_t)s->modes;
    for (int a = 0; a < s->modes; ++a) {
        float *first = s->first + (size_t)a * rows, *second = s->second + (size_t)a * (n + 1) * rows;
        sample(w, s, 1, &a, row);
        for (size_t i = 0; i < rows; ++i) {
            s->rest[i] = (float)rest[i];
            first[i] = (float)((forth[i] - back[i]) / (2.0 * d));
            second[i] = (float)((forth[i] + back[i] - 2.0 * rest[i]) / (2.0 * d * d));
        }
    }
    for (int a = 0; a < s->modes; ++a)
        for (int b = a + 1; b < s->modes; ++b) {
            const float *aa = s->second + (size_t)a * (n + 1) * rows, *bb = s->second + (size_t)b * (n + 1) * rows;
            float *ab = s->second + ((size_t)a * n + (size_t)b) * rows,
                  *ba = s->second + ((size_t)b * n + (size_t)a) * rows;
            sample(w, s, 2, (int[]){a, b}, row);
            for (size_t i = 0; i < rows; ++i)
                ab[i] = ba[i] = (float)((forth[i] + back[i] - 2.0 * rest[i]) / (2.0 * d * d)) - aa[i] - bb[i];
        }
}

er_result er_swing_create(er_arena *arena, er_walker *w, er_swing *out)
{
    er_result r = ER_OK;
    double *row;
    *out = (er_swing){.modes = w->mode_count, .feet = w->body->foot_count, .trunks = w->trunk_count};
    ER_TRY(list_tips(arena, w->body, out));
    out->rows = 2 * out->feet + out->tips + 3 * out->trunks;
    size_t rows = (size_t)out->rows, modes = (size_t)out->modes;
    ER_TRY_NEW(out->rest, arena, float, rows);
    ER_TRY_NEW(out->first, arena, float, modes *rows);
    ER_TRY_NEW(out->second, arena, float, modes *modes *rows);
    ER_TRY_NEW(row, arena, double, SAMPLES *rows);
    fit(w, out, row);
done:
    return r;
}
